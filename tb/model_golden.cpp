// SPDX-License-Identifier: Apache-2.0
// Golden state in waves: shown beside the RTL's, compared with it, the differences as signals.

#include "model.h"

#include "tally_spec.h"

namespace MODEL_SPACE {

void show_state(Machine *m, unsigned hart) {
    auto *root = m->root;
    const sim_golden *g = &m->golden[hart];
    m->golden_shown[hart] = m->golden_new[hart];
    m->golden_new[hart] = false;
    if (!m->golden_shown[hart])
        return;
#define SHOW(n)                                                                                              \
    do {                                                                                                     \
        GOLDEN(n, pc) = g->pc;                                                                               \
        GOLDEN(n, priv) = g->priv;                                                                           \
        GOLDEN(n, mstatus) = g->mstatus;                                                                     \
        GOLDEN(n, mip) = g->mip;                                                                             \
        GOLDEN(n, mie) = g->mie;                                                                             \
        GOLDEN(n, mideleg) = g->mideleg;                                                                     \
        GOLDEN(n, mepc) = g->mepc;                                                                           \
        GOLDEN(n, mcause) = g->mcause;                                                                       \
        GOLDEN(n, mtval) = g->mtval;                                                                         \
        GOLDEN(n, sepc) = g->sepc;                                                                           \
        GOLDEN(n, scause) = g->scause;                                                                       \
        GOLDEN(n, stval) = g->stval;                                                                         \
        GOLDEN(n, satp) = g->satp;                                                                           \
        GOLDEN(n, mcountinhibit) = g->mcountinhibit;                                                         \
        GOLDEN(n, shpmspc) = g->shpmspc;                                                                     \
        GOLDEN(n, shpmsdata) = g->shpmsdata;                                                                 \
        GOLDEN(n, mpdisctl) = g->mpdisctl;                                                                   \
        GOLDEN(n, spdiscounter) = g->spdiscounter;                                                           \
        GOLDEN(n, ubescr) = g->ubescr;                                                                       \
        GOLDEN(n, sebbctl) = g->sebbctl;                                                                     \
        GOLDEN(n, uebbhr) = g->uebbhr;                                                                       \
        GOLDEN(n, uebbrr) = g->uebbrr;                                                                       \
        for (int i = 0; i < 32; i++) {                                                                       \
            GOLDEN(n, x)[i] = g->x[i];                                                                       \
            GOLDEN(n, mhpmcounter)[i] = g->mhpmcounter[i];                                                   \
            GOLDEN(n, mhpmevent)[i] = g->mhpmevent[i];                                                       \
        }                                                                                                    \
    } while (0)
    PER_HART(hart, SHOW);
#undef SHOW
}

void show_golden(sim *s, unsigned hart, const sim_golden *g) {
    auto *m = static_cast<Machine *>(s);
    auto *root = m->root;
    m->golden[hart] = *g;
    m->golden_new[hart] = true;
#define SHOW(n)                                                                                              \
    do {                                                                                                     \
        GOLDEN(n, ret_pc) = g->ret_pc;                                                                       \
        GOLDEN(n, ret_insn) = g->ret_insn;                                                                   \
        GOLDEN(n, mismatch_retire) = g->retire_differs;                                                      \
        GOLDEN(n, irq_lcofi) = g->out.irq_lcofi;                                                             \
        GOLDEN(n, irq_lambi) = g->out.irq_lambi;                                                             \
        GOLDEN(n, irq_andes) = g->out.irq_andes;                                                             \
        GOLDEN(n, ebb_req) = g->out.ebb_req;                                                                 \
        GOLDEN(n, ret_max) = g->out.ret_max;                                                                 \
        GOLDEN(n, dec_sample) = g->out.dec_sample;                                                           \
        GOLDEN(n, rec_valid) = g->out.rec_valid;                                                             \
        GOLDEN(n, rec_addr) = g->out.rec_addr;                                                               \
        GOLDEN(n, rec_data) = g->out.rec_data;                                                               \
        GOLDEN(n, mismatch_outputs) = g->outputs_differ;                                                     \
    } while (0)
    PER_HART(hart, SHOW);
#undef SHOW
    if (!m->running) // a window opens: the RTL has this state in its first cycle
        show_state(m, hart);
}

namespace {

bool differs_hart(const Machine *m, unsigned hart) {
    const auto *root = m->root;
    bool differs = OF_HART(hart, u_commit__DOT__npc_q) != m->golden[hart].pc ||
                   OF_HART(hart, u_commit__DOT__probe_priv) != m->golden[hart].priv;
    for (unsigned i = 1; i < 32; i++)
        differs |= OF_HART(hart, u_issue__DOT__u_regfile__DOT__x_q)[i] != m->golden[hart].x[i];
    return differs;
}

bool differs_csr(const Machine *m, unsigned hart) {
    const auto *root = m->root;
    const sim_golden *g = &m->golden[hart];
#define CSR(name) (OF_HART(hart, u_csr__DOT__probe_##name) != g->name)
    return CSR(mstatus) || CSR(mie) || CSR(mideleg) || CSR(mepc) || CSR(mcause) || CSR(mtval) || CSR(sepc) ||
           CSR(scause) || CSR(stval) || CSR(satp) ||
           ((OF_HART(hart, u_csr__DOT__probe_mip) ^ g->mip) & g->mip_known);
#undef CSR
}

// A field of a vector: Verilator has it in an integer, or in words if it is wider than 64 bits.
inline uint64_t field(uint64_t vector, unsigned at, unsigned width) {
    return vector >> at & ((UINT64_C(1) << width) - 1);
}

template <std::size_t N> uint64_t field(const VlWide<N> &vector, unsigned at, unsigned width) {
    uint64_t value = 0;
    for (unsigned i = 0; i < width; i++)
        value |= static_cast<uint64_t>(vector[(at + i) / 32] >> (at + i) % 32 & 1) << i;
    return value;
}

} // namespace

// The RTL has a counter in two parts; the low parts are fields of one vector. The high part may be in a RAM,
// with a carry that has not arrived there.
void join_counters(Machine *m, unsigned hart) {
    auto *root = m->root;
#if SIM_COUNTER_RAM
#define HIGH(n, i) (field(COUNTER(n, ram)[i], 0, 64 - COUNTER(n, LOW)) + (COUNTER(n, pending_q) >> (i)&1))
#else
#define HIGH(n, i) static_cast<uint64_t>(COUNTER(n, high_q)[i])
#endif
#define JOIN(n)                                                                                              \
    for (unsigned i = 0; i < 32; i++)                                                                        \
        GOLDEN(n, rtl_count)                                                                                 \
    [i] = HIGH(n, i) << COUNTER(n, LOW) | field(COUNTER(n, low), i * COUNTER(n, LOW), COUNTER(n, LOW))
    PER_HART(hart, JOIN);
#undef JOIN
#undef HIGH
}

namespace {

bool differs_counters(const Machine *m, unsigned hart) {
    const auto *root = m->root;
    bool differs = false;
#define COUNTERS(n)                                                                                          \
    for (unsigned i = 0; i < 32; i++)                                                                        \
    differs |= GOLDEN(n, rtl_count)[i] != m->golden[hart].mhpmcounter[i]
    PER_HART(hart, COUNTERS);
#undef COUNTERS
    return differs;
}

// The RTL has eight bits of a selector, and the fields of a combination.
uint64_t selector_of(const Machine *m, unsigned hart, unsigned i) {
    const auto *root = m->root;
    const unsigned k = i - 3;
    uint64_t selector = 0;
#define FIELD(name, value) static_cast<uint64_t>(value) << TALLY_SEL_##name##_LSB
#if SOC_HPM_N > 0
#define COMBINED(n)                                                                                          \
    if (k < COMBINE(n, COMB_N) && (COMBINE(n, on_q) >> k & 1)) {                                             \
        const uint32_t term = COMBINE(n, term_q)[k];                                                         \
        selector = FIELD(TYPE, TALLY_SEL_TYPE_IS_COMBINED) | FIELD(COMB_A, term & 0x7F) |                    \
                   FIELD(COMB_B, term >> 7 & 0x7F) | FIELD(COMB_C, term >> 14 & 0x7F) |                      \
                   FIELD(COMB_D, term >> 21 & 0x7F) | FIELD(COMB_OP, COMBINE(n, op_q)[k]) |                  \
                   FIELD(COMB_EDGE, COMBINE(n, edge_q) >> k & 1) |                                           \
                   FIELD(COMB_INV, COMBINE(n, inv_q) >> k & 1) | FIELD(COMB_THR, COMBINE(n, thr_q)[k]);      \
    }
#else
#define COMBINED(n) (void)k
#endif
#define SELECTOR(n)                                                                                          \
    do {                                                                                                     \
        const uint64_t kept = field(PMU(n, u_counting__DOT__u_select__DOT__event_q), 8 * i, 8);              \
        selector = FIELD(TYPE, kept >> 7) | (kept & 0x7F);                                                   \
        COMBINED(n);                                                                                         \
    } while (0)
    PER_HART(hart, SELECTOR);
#undef SELECTOR
#undef COMBINED
#undef FIELD
    return selector;
}

// Flags and filters of all counters are vectors in the RTL.
bool differs_events(const Machine *m, unsigned hart) {
    const auto *root = m->root;
    const sim_golden *g = &m->golden[hart];
    bool differs = (OF_PMU(hart, inhibit) | OF_PMU(hart, pdis_inhibit) << TALLY_MCOUNTINHIBIT_PDIS_LSB) !=
                   g->mcountinhibit;
    for (unsigned i = 3; i < 32; i++) {
        uint64_t event = selector_of(m, hart, i);
#define BIT_OF(vector, bit)                                                                                  \
    event |= static_cast<uint64_t>(OF_PMU(hart, vector) >> i & 1) << TALLY_MHPMEVENT_##bit##_LSB
        BIT_OF(flags, OF);
        BIT_OF(minh, MINH);
        BIT_OF(sinh, SINH);
        BIT_OF(uinh, UINH);
#undef BIT_OF
        const uint64_t mask = TALLY_MHPMEVENT_OF_MASK | TALLY_MHPMEVENT_MINH_MASK |
                              TALLY_MHPMEVENT_SINH_MASK | TALLY_MHPMEVENT_UINH_MASK |
                              TALLY_MHPMEVENT_SEL_MASK;
        differs |= event != (g->mhpmevent[i] & mask);
    }
    return differs;
}

bool differs_sampling(const Machine *m, unsigned hart) {
    const auto *root = m->root;
    const sim_golden *g = &m->golden[hart];
    return OF_PMU(hart, pesa_pc) != g->shpmspc || OF_PMU(hart, pesa_cntrid) != g->shpmsdata ||
           OF_PMU(hart, pdisctl) != g->mpdisctl || OF_PMU(hart, pdiscounter) != g->spdiscounter;
}

} // namespace

void compare_golden(Machine *m, unsigned hart) {
    auto *root = m->root;
    if (!m->golden_shown[hart])
        return;
#define COMPARE(n)                                                                                           \
    do {                                                                                                     \
        GOLDEN(n, mismatch_hart) = differs_hart(m, hart);                                                    \
        GOLDEN(n, mismatch_csr) = differs_csr(m, hart);                                                      \
        GOLDEN(n, mismatch_counters) = differs_counters(m, hart);                                            \
        GOLDEN(n, mismatch_events) = differs_events(m, hart);                                                \
        GOLDEN(n, mismatch_sampling) = differs_sampling(m, hart);                                            \
    } while (0)
    PER_HART(hart, COMPARE);
#undef COMPARE
}

void combine_mismatches(Machine *m, unsigned hart) {
    auto *root = m->root;
#define SUM(n)                                                                                               \
    do {                                                                                                     \
        GOLDEN(n, mismatch) = GOLDEN(n, mismatch_retire) | GOLDEN(n, mismatch_outputs) |                     \
                              GOLDEN(n, mismatch_hart) | GOLDEN(n, mismatch_csr) |                           \
                              GOLDEN(n, mismatch_counters) | GOLDEN(n, mismatch_events) |                    \
                              GOLDEN(n, mismatch_sampling);                                                  \
    } while (0)
    PER_HART(hart, SUM);
#undef SUM
}

} // namespace MODEL_SPACE
