/* SPDX-License-Identifier: Apache-2.0 */
/* Fences that one hart asks of others. */
#ifndef FW_RFENCE_H
#define FW_RFENCE_H

#include "sbi.h"

/* Perform and acknowledge the requests of other harts. Called when MAIL_RFENCE has arrived. */
void rfence_serve(void);

/* FENCE.I, or SFENCE.VMA of everything, of the legacy extension: harts by mask from 0. */
enum rfence_kind { RFENCE_FENCE_I, RFENCE_SFENCE_VMA, RFENCE_SFENCE_VMA_ASID, RFENCE_KINDS };

struct rfence {
    enum rfence_kind kind;
    unsigned long start, size, asid;
};

enum sbi_error rfence_send(unsigned long mask, unsigned long base, const struct rfence *fence);

#endif
