/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Counts of emulated instructions. They trapped, so no counter has seen them: one that is stopped in M-mode
 * and counts in the mode of the instruction gets its step here (Smcntrpmf: the emulation routine emulates the
 * increment). A counter that counts in M-mode has counted the emulation instead, and is left alone.
 *
 * Events of the instruction itself are stepped: retired, a load, a store, compressed. Events of caches and
 * pipeline are not: nobody can tell what they would have been; nor are combined selectors, which ask for what
 * happens in one cycle.
 *
 * A counter that is routed to a program counts in U-mode alone, and its overflow is the program's event
 * (docs/rulings.md, EBB overflow).
 */
#include "bits.h"
#include "csr.h"
#include "hart_state.h"
#include "pmu.h"
#include "trap_frame.h"

/* Selectors of Tally's unit. Another unit has the selector that its device tree gives instructions. */
static const struct {
    uint16_t selector;
    uint8_t kinds; /* of instructions that have the event */
} own_events[] = {
    {TALLY_EV_INST_RET, RETIRED},
    {TALLY_EV_INST_LOAD_RET, RETIRED_LOAD},
    {TALLY_EV_INST_STORE_RET, RETIRED_STORE},
    {TALLY_EV_INST_LDST_RET, RETIRED_LOAD | RETIRED_STORE},
    {TALLY_EV_INST_RVC_RET, RETIRED_COMPRESSED},
};

static bool has_event(uint64_t selector, unsigned kinds) {
    const struct pmu_event *instructions = pmu_event_find(2, 0, 0); /* SBI_PMU_HW_INSTRUCTIONS */

    if (instructions->counters & ~PMU_FIXED && selector == instructions->selector)
        return true;
    for (unsigned i = 0; pmu_hardware.own_events && i < sizeof own_events / sizeof *own_events; i++)
        if (selector == own_events[i].selector)
            return own_events[i].kinds & kinds;
    return false;
}

/* The range acts on counters that are delegated (docs/rulings.md, Custom counter controls below M-mode;
 * mcounterwen is 0). */
static bool in_range(unsigned n, unsigned long pc) {
    if (!pmu_hardware.pc_range || !pmu_delegates_counters || !(csr_read(mcounteren) >> n & 1) ||
        !(csr_read(TALLY_CSR_SHPMPCSEL) >> n & 1))
        return true;
    return pc >= csr_read(TALLY_CSR_SHPMPCLO) && pc < csr_read(TALLY_CSR_SHPMPCHI);
}

/* A write never overflows: the effects of the hardware's increment are made by hand (Sscofpmf), its cause too
 * with Sspesa, if no overflow waits to be served. */
static void overflow(unsigned n, uint64_t event, unsigned long pc) {
    if (!pmu_hardware.overflow || event & PMU_EVENT_OF)
        return;
    pmu_selector_write(n, event | PMU_EVENT_OF);
    if (pmu_hardware.cause && !(csr_read(mip) & INTERRUPT_BIT(LCOFI))) {
        csr_write(TALLY_CSR_SHPMSPC, pc);
        csr_write(TALLY_CSR_SHPMSDATA, n);
    }
    csr_set(mip, INTERRUPT_BIT(LCOFI));
}

/* ... of a routed counter: no interrupt, and no cause but the program's. */
static void routed_overflow(unsigned n, uint64_t event, unsigned long pc) {
    const unsigned long status = csr_read(TALLY_CSR_UBESCR);

    if (!pmu_hardware.overflow || event & PMU_EVENT_OF)
        return;
    pmu_selector_write(n, event | PMU_EVENT_OF);
    if (!(status & TALLY_UBESCR_PME_MASK))
        return;
    csr_write(TALLY_CSR_UBESCR, (status & ~TALLY_UBESCR_PME_MASK) | TALLY_UBESCR_PMEO_MASK);
    if (pmu_hardware.cause)
        csr_write(TALLY_CSR_UEBBSPC, pc);
}

static uint32_t routed_counters(void) {
    return pmu_has_branches ? (uint32_t)csr_read(TALLY_CSR_SEBBCTL) & TALLY_SEBBCTL_HPM_MASK : 0;
}

/* Those that the program does not hold still */
static uint32_t routed_running(uint32_t routed) {
    const unsigned long frozen = TALLY_UBESCR_FZ_MASK | TALLY_UBESCR_PMEO_MASK;

    if (!routed || (csr_read(TALLY_CSR_UBESCR) & frozen) == frozen)
        return 0;
    return routed & ~(uint32_t)csr_read(TALLY_CSR_UEBBINH);
}

/* The counter does not count while M-mode runs, so it can be read, then written. */
static void step(unsigned n, uint64_t event, unsigned long pc, bool routed) {
    uint64_t next = (pmu_counter_read(n) + 1) & (~0ull >> (64 - pmu_hardware.width[n]));

    pmu_counter_write(n, next);
    if (next || n == PMU_INSTRET)
        return;
    if (routed)
        routed_overflow(n, event, pc);
    else
        overflow(n, event, pc);
}

void pmu_count_emulated(const struct trap_frame *frame, unsigned kinds) {
    const bool user = previous_mode(frame->status) == PRIV_U;
    const uint64_t inhibit = user ? TALLY_MHPMEVENT_UINH_MASK : TALLY_MHPMEVENT_SINH_MASK;
    const uint32_t routed = routed_counters();
    uint32_t running = 0;

    if (pmu_found)
        running = pmu_hardware.present & ~(uint32_t)csr_read(mcountinhibit) & ~(1u << PMU_CYCLE);
    running &= ~routed | (user ? routed_running(routed) : 0);
    for (; running; running &= running - 1) {
        unsigned n = lowest_bit(running);
        uint64_t event = 0; /* without Smcntrpmf instret counts in every mode */

        if (n != PMU_INSTRET || pmu_hardware.fixed_filter)
            event = pmu_selector_read(n);
        const bool is_routed = routed >> n & 1;
        if ((!is_routed && !(event & PMU_EVENT_MINH)) || event & inhibit)
            continue;
        if (n == PMU_INSTRET || (has_event(event & PMU_EVENT_SELECTOR, kinds) && in_range(n, frame->epc)))
            step(n, event, frame->epc, is_routed);
    }
}
