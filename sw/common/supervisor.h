/* SPDX-License-Identifier: Apache-2.0 */
/* Running a function in S-mode, from a program in M-mode. */
#ifndef SW_SUPERVISOR_H
#define SW_SUPERVISOR_H

#include <stdint.h>

/* Calls function(argument) in S-mode on the current stack and returns its result. satp is the caller's. */
uint64_t supervisor_call(uint64_t (*function)(void *argument), void *argument);

#endif
