/* SPDX-License-Identifier: Apache-2.0 */
/* Delegated counters by siselect, which is the sampling driver's while a source of it runs. RV64. */
#ifndef SW_DELEGATED_H
#define SW_DELEGATED_H

#include <stdint.h>

#include "csr.h"

static inline void select_counter(unsigned n) { csr_write(TALLY_CSR_SISELECT, TALLY_COUNTER_SELECT + n); }

/* Counter n counts this selector from 0 on. */
static inline void count(unsigned n, uint64_t selector) {
    select_counter(n);
    csr_write(TALLY_CSR_SIREG, 0);
    csr_write(TALLY_CSR_SIREG2, selector);
    csr_clear(TALLY_CSR_SCOUNTINHIBIT, 1ul << n);
}

static inline uint64_t counted(unsigned n) {
    select_counter(n);
    return csr_read(TALLY_CSR_SIREG);
}

#endif
