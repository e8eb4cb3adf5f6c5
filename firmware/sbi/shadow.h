/* SPDX-License-Identifier: Apache-2.0 */
/*
 * For a build that is watched while a hostile supervisor runs (tests/firmware/hostile): a call of the SBI's
 * experimental space that says whether M-mode's memory and registers are what they were.
 */
#ifndef FW_SHADOW_H
#define FW_SHADOW_H

#define SHADOW_EID 0x08545344

#ifdef FW_SHADOW
/* 0: nothing has changed since this hart asked first */
unsigned long shadow_differences(void);
#endif

#endif
