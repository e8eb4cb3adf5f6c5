/* SPDX-License-Identifier: Apache-2.0 */
/* What harts want of each other, and the machine software interrupt that says so (ACLINT). */
#ifndef FW_MAILBOX_H
#define FW_MAILBOX_H

#include "sbi.h"

/* MAIL_* of a hart's mail */
enum {
    MAIL_SOFTWARE_INTERRUPT = 1, /* make the supervisor's software interrupt pending */
    MAIL_RFENCE = 2,             /* rfence_serve() */
    MAIL_WAKE = 4,               /* look at your state */
};

/* Leave mail for every hart of the set that can take it, and interrupt it. */
void mailbox_post(unsigned long set, unsigned mail);
/* The interrupt of this hart goes. */
void mailbox_clear(void);
/* Mail of this hart since the last time */
unsigned mailbox_take(void);
/* Software interrupts for the supervisors of the harts that an SBI hart mask names */
enum sbi_error ipi_send(unsigned long mask, unsigned long base);
/* Act on it. Called for the machine software interrupt. */
void mailbox_serve(void);

#endif
