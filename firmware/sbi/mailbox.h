/* SPDX-License-Identifier: Apache-2.0 */
/* Requests of harts to each other. The machine software interrupt (ACLINT) announces them. */
#ifndef FW_MAILBOX_H
#define FW_MAILBOX_H

#include <stdint.h>

extern uintptr_t aclint_base; /* ACLINT_BASE if nobody says otherwise */

/* MAIL_* of a hart's mail */
enum {
    MAIL_SOFTWARE_INTERRUPT = 1, /* make the supervisor's software interrupt pending */
    MAIL_RFENCE = 2,             /* rfence_serve() */
    MAIL_WAKE = 4,               /* look at your state */
    MAIL_SSE = 8,                /* a software event is pending */
};

/* Leave mail for every hart of the set, and interrupt it. */
void mailbox_post(unsigned long set, unsigned mail);
/* Clear the interrupt of this hart. */
void mailbox_clear(void);
/* Mail that this hart got since the last call */
unsigned mailbox_take(void);

#endif
