/* SPDX-License-Identifier: Apache-2.0 */
/* Shared by the directed tests of event-based branches (docs/rulings.md, Event-based branches). */
#ifndef DIRECTED_EBB_H
#define DIRECTED_EBB_H

#include "ebb_asm.h"
#include "rules.h"

#define GE TALLY_UBESCR_GE_MASK
#define FZ TALLY_UBESCR_FZ_MASK
#define PME TALLY_UBESCR_PME_MASK
#define PMEO TALLY_UBESCR_PMEO_MASK
#define EN TALLY_SEBBCTL_EN_MASK
#define WIN TALLY_SEBBCTL_WIN_MASK

#define UEBRET_0 TALLY_INSN_UEBRET_0
#define UEBRET_1 TALLY_INSN_UEBRET_1

/* Every gate open, counters 3 to 5 delegated, these routes; LCOFI is not delegated, and not enabled. */
static inline void open_ebb(unsigned long routes, unsigned long control) {
    csr_write(TALLY_CSR_MENVCFG, CDE);
    csr_write(TALLY_CSR_MSTATEEN0, CSRIND | CUSTOM);
    csr_write(TALLY_CSR_SSTATEEN0, 1); /* C */
    csr_write(mcounteren, UINT64_MAX);
    csr_write(scounteren, UINT64_MAX);
    csr_write(TALLY_CSR_MEBBCTL, TALLY_MEBBCTL_EN_MASK);
    csr_write(TALLY_CSR_SEBBCTL, control | routes);
    csr_write(TALLY_CSR_UBESCR, 0);
}

/* Registers as after reset; run_rules() does the rest of the unit. */
static inline void close_ebb(void) {
    open_ebb(0xfffffff8, 0);
    csr_write(TALLY_CSR_UEBBINH, 0);
    csr_write(TALLY_CSR_UEBBOVF, 0);
    csr_write(TALLY_CSR_UEBBSEL, 0);
    csr_write(TALLY_CSR_UEBBHR, 0);
    csr_write(TALLY_CSR_UEBBRR, 0);
    csr_write(TALLY_CSR_SEBBCTL, 0);
    csr_write(TALLY_CSR_MEBBCTL, 0);
    csr_write(TALLY_CSR_SSTATEEN0, 0);
}

/* Counter n, 3 to 5, is at `value` and counts this event in U-mode. */
static inline void load_counter(unsigned n, uint64_t event, uint64_t value) {
    if (n == 3) {
        csr_write(mhpmevent3, 0);
        csr_write(mhpmcounter3, value);
        csr_write(mhpmevent3, event | only_in(PRIV_U));
    } else if (n == 4) {
        csr_write(mhpmevent4, 0);
        csr_write(mhpmcounter4, value);
        csr_write(mhpmevent4, event | only_in(PRIV_U));
    } else {
        csr_write(mhpmevent5, 0);
        csr_write(mhpmcounter5, value);
        csr_write(mhpmevent5, event | only_in(PRIV_U));
    }
}

/* It overflows with the `count`th event. */
static inline void arm_counter(unsigned n, uint64_t event, uint64_t count) {
    load_counter(n, event, 0 - count);
}

/* Each rule of `rules` with EBB's registers as after reset, before and after it */
static inline void run_ebb_rules(const struct rule *rules, size_t n) {
    close_ebb();
    run_rules_with(rules, n, close_ebb);
}

#endif
