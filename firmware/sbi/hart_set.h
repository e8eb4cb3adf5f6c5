/* SPDX-License-Identifier: Apache-2.0 */
/* Sets of harts as bit masks: bit n is the hart with id n. */
#ifndef FW_HART_SET_H
#define FW_HART_SET_H

#include <stdbool.h>

/* Harts that exist; set at boot. */
extern unsigned long hart_present;

/* Harts named by an SBI hart mask: false if one of them does not exist. */
bool hart_mask_decode(unsigned long mask, unsigned long base, unsigned long *set);

/* Harts of the set that run a supervisor and can be interrupted. */
unsigned long hart_interruptible(unsigned long set);

#endif
