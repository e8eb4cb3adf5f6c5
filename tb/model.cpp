// SPDX-License-Identifier: Apache-2.0
// The Verilated machine behind sim.h. Compiled once for every number of harts, with
//   SIM_CLASS   the Verilated class            SIM_HARTS   its number of harts
//   SIM_HEADER, SIM_ROOT_HEADER  its headers   SIM_OPS     the name of the table defined here
//   SIM_MEM_LATENCY, SIM_TIME_RATIO            the parameters that it was built with

#include "sim.h"

#include "probe.h"
#include SIM_HEADER
#include SIM_ROOT_HEADER
#include "verilated.h"
#include "verilated_fst_c.h"

#include <cstring>
#include <new>

extern "C" const struct sim_ops SIM_OPS;

namespace {

constexpr unsigned kResetCycles = 8;
constexpr uint64_t kTicks = 10; // of a wave file a cycle: nanoseconds

// A signal inside hart n; inside its CSRs, its PMU, its golden view
#define HART(n, signal) HART_(n, signal)
#define HART_(n, signal)                                                                                     \
    root->tally_sim_top__DOT__u_soc__DOT__g_hart__BRA__##n##__KET____DOT__u_hart__DOT__##signal
#define PMU(n, signal) HART(n, u_pmu__DOT__##signal)
#define COUNTER(n, signal) PMU(n, u_counting__DOT__g_plain__DOT__u_counters__DOT__##signal)
#define COMBINE(n, signal) PMU(n, u_counting__DOT__g_combine__DOT__u_combine__DOT__##signal)
#define GOLDEN(n, signal) GOLDEN_(n, signal)
#define GOLDEN_(n, signal) root->tally_sim_top__DOT__g_golden__BRA__##n##__KET____DOT__u_golden__DOT__##signal

// Cycle events may be wider than a word
inline void copy_words(uint64_t *to, uint64_t from) { to[0] = from; }
template <std::size_t N> inline void copy_words(uint64_t *to, const VlWide<N> &from) {
    for (std::size_t i = 0; i < N; i += 2)
        to[i / 2] = from[i] | static_cast<uint64_t>(i + 1 < N ? from[i + 1] : 0) << 32;
}

struct Machine : sim {
    explicit Machine(const sim &config) : sim(config), top(&context), root(top.rootp) {
        context.traceEverOn(config.wave);
        context.timeunit(-9);
        context.timeprecision(-9);
        std::memset(&pmu_in, 0, sizeof pmu_in);
        std::memset(&pmu_out, 0, sizeof pmu_out);
    }
    ~Machine() {
        if (open)
            fst.close();
        top.final();
    }

    VerilatedContext context;
    SIM_CLASS top;
    decltype(top.rootp) root;
    VerilatedFstC fst;
    bool open = false;    // the wave file
    bool hooked = false;  // ... is known to the model
    bool running = false; // within run()
    bool settled = false; // the current cycle's signals stand (after SIM_WATCHED)
    sim_probe probe[SIM_HARTS];
    gp_in pmu_in[SIM_HARTS];
    gp_out pmu_out[SIM_HARTS];
    sim_golden golden[SOC_HARTS_MAX];
    bool golden_new[SOC_HARTS_MAX] = {};   // said in this cycle, to be shown behind it
    bool golden_shown[SOC_HARTS_MAX] = {}; // stands beside the RTL's state of this cycle
};

// --- Probes --------------------------------------------------------------------------------------

#define PER_HART(hart, F)                                                                                    \
    do {                                                                                                     \
        if ((hart) == 0) {                                                                                   \
            F(0);                                                                                            \
        } else {                                                                                             \
            F(SIM_LAST);                                                                                     \
        }                                                                                                    \
    } while (0)
#if SIM_HARTS == 1
#define SIM_LAST 0
#else
#define SIM_LAST 1
#endif

#if SIM_HARTS == 1
#define OF_HART(hart, signal) ((void)(hart), HART(0, signal))
#else
#define OF_HART(hart, signal) ((hart) == 0 ? HART(0, signal) : HART(1, signal))
#endif

inline bool has_event(const Machine *m, unsigned hart) {
    const auto *root = m->root;
    return OF_HART(hart, probe_retire) | OF_HART(hart, probe_trap);
}

inline bool retires(const Machine *m, unsigned hart) {
    const auto *root = m->root;
    return OF_HART(hart, probe_retire);
}

inline uint64_t pc_of(const Machine *m, unsigned hart) {
    const auto *root = m->root;
    return OF_HART(hart, probe_pc);
}

void read_probe(const Machine *m, unsigned hart, sim_probe *p) {
    const auto *root = m->root;
#define FILL0(field, signal) p->field = HART(0, signal);
#define FILL1(field, signal) p->field = HART(SIM_LAST, signal);
    if (hart == 0) {
        PROBE_HART(FILL0)
    } else {
        PROBE_HART(FILL1)
    }
#undef FILL0
#undef FILL1
}

void read_flow(const Machine *m, unsigned hart, oracle_in *flow) {
    const auto *root = m->root;
#define FLOW(field, signal) flow->field = OF_HART(hart, signal);
    PROBE_FLOW(FLOW)
#undef FLOW
}

void read_crosses(const Machine *m, unsigned hart, crosses_in *in) {
    const auto *root = m->root;
#define CROSS(field, signal) in->field = OF_HART(hart, signal);
    PROBE_CROSSES(CROSS)
#undef CROSS
#define STORES(field, signal)                                                                                \
    for (unsigned i = 0; i < CROSSES_STORES; i++)                                                            \
        in->field[i] = OF_HART(hart, signal)[i];
    if (in->load) {
        PROBE_CROSSES_STORES(STORES)
    }
#undef STORES
}

void read_pmu(const Machine *m, unsigned hart, gp_in *in, gp_out *out) {
    const auto *root = m->root;
#define IN0(field, signal) in->field = PMU(0, signal);
#define IN1(field, signal) in->field = PMU(SIM_LAST, signal);
#define OUT0(field, signal, valid) out->field = PMU(0, signal);
#define OUT1(field, signal, valid) out->field = PMU(SIM_LAST, signal);
    if (hart == 0) {
        PROBE_PMU_IN(IN0)
        PROBE_PMU_OUT(OUT0)
        copy_words(in->ev_cycle, PMU(0, ev_cycle_i));
    } else {
        PROBE_PMU_IN(IN1)
        PROBE_PMU_OUT(OUT1)
        copy_words(in->ev_cycle, PMU(SIM_LAST, ev_cycle_i));
    }
#undef IN0
#undef IN1
#undef OUT0
#undef OUT1
    if (!in->retire[0].valid) // then the events are what the oldest instruction would have
        in->ev_retire[0] = 0;
}

bool read_csr(const sim *s, unsigned hart, unsigned num, uint64_t *value) {
    const auto *root = static_cast<const Machine *>(s)->root;
#define CASE0(csr, signal)                                                                                   \
    case csr:                                                                                                \
        *value = OF_HART(hart, u_csr__DOT__##signal);                                                        \
        return true;
    switch (num) {
        PROBE_CSR(CASE0)
    default:
        return false;
    }
#undef CASE0
}

uint64_t read_reg(const sim *s, unsigned hart, unsigned i) {
    const auto *root = static_cast<const Machine *>(s)->root;
    return OF_HART(hart, u_issue__DOT__u_regfile__DOT__x_q)[i];
}

// --- Golden state in waves -----------------------------------------------------------------------

// Behind the edge that ended the cycle
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
        for (int i = 0; i < 32; i++) {                                                                       \
            GOLDEN(n, x)[i] = g->x[i];                                                                       \
            GOLDEN(n, mhpmcounter)[i] = g->mhpmcounter[i];                                                   \
            GOLDEN(n, mhpmevent)[i] = g->mhpmevent[i];                                                       \
        }                                                                                                    \
    } while (0)
    PER_HART(hart, SHOW);
#undef SHOW
}

// What the golden models say of this cycle is shown in it; their state when the RTL has it too (show_state).
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
        GOLDEN(n, ret_max) = g->out.ret_max;                                                                 \
        GOLDEN(n, dec_sample) = g->out.dec_sample;                                                           \
        GOLDEN(n, rec_valid) = g->out.rec_valid;                                                             \
        GOLDEN(n, rec_addr) = g->out.rec_addr;                                                               \
        GOLDEN(n, rec_data) = g->out.rec_data;                                                               \
        GOLDEN(n, mismatch_outputs) = g->outputs_differ;                                                     \
    } while (0)
    PER_HART(hart, SHOW);
#undef SHOW
    if (!m->running) // a window opens: what stands now is what the RTL has in its first cycle
        show_state(m, hart);
}

bool differs_hart(const Machine *m, unsigned hart) {
    const auto *root = m->root;
    bool differs = OF_HART(hart, u_commit__DOT__npc_q) != m->golden[hart].pc ||
                   OF_HART(hart, probe_priv) != m->golden[hart].priv;
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

// A field of a vector, which Verilator keeps in an integer, or in words if it is wider than 64 bits.
inline uint64_t field(uint64_t vector, unsigned at, unsigned width) {
    return vector >> at & ((UINT64_C(1) << width) - 1);
}

template <std::size_t N> uint64_t field(const VlWide<N> &vector, unsigned at, unsigned width) {
    uint64_t value = 0;
    for (unsigned i = 0; i < width; i++)
        value |= static_cast<uint64_t>(vector[(at + i) / 32] >> (at + i) % 32 & 1) << i;
    return value;
}

// The RTL keeps a counter in two parts, those of the low bits as fields of one vector.
void join_counters(Machine *m, unsigned hart) {
    auto *root = m->root;
#define JOIN(n)                                                                                              \
    for (unsigned i = 0; i < 32; i++)                                                                        \
        GOLDEN(n, rtl_count)                                                                                 \
    [i] = static_cast<uint64_t>(COUNTER(n, high_q)[i]) << COUNTER(n, LOW) |                                  \
          field(COUNTER(n, low), i * COUNTER(n, LOW), COUNTER(n, LOW))
    PER_HART(hart, JOIN);
#undef JOIN
}

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

// The RTL keeps eight bits of a selector, and a combination field by field.
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
        const uint8_t kept = PMU(n, u_counting__DOT__u_select__DOT__event_q)[i];                             \
        selector = FIELD(TYPE, kept >> 7) | (kept & 0x7F);                                                   \
        COMBINED(n);                                                                                         \
    } while (0)
    PER_HART(hart, SELECTOR);
#undef SELECTOR
#undef COMBINED
#undef FIELD
    return selector;
}

// ... and a bit of all the events together.
bool differs_events(const Machine *m, unsigned hart) {
    const auto *root = m->root;
    const sim_golden *g = &m->golden[hart];
    bool differs =
        (OF_HART(hart, u_pmu__DOT__inhibit) | OF_HART(hart, u_pmu__DOT__pdis_inhibit)
                                                  << TALLY_MCOUNTINHIBIT_PDIS_LSB) != g->mcountinhibit;
    for (unsigned i = 3; i < 32; i++) {
        uint64_t event = selector_of(m, hart, i);
#define BIT_OF(vector, bit)                                                                                  \
    event |= static_cast<uint64_t>(OF_HART(hart, u_pmu__DOT__##vector) >> i & 1)                             \
             << TALLY_MHPMEVENT_##bit##_LSB
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
    return OF_HART(hart, u_pmu__DOT__pesa_pc) != g->shpmspc ||
           OF_HART(hart, u_pmu__DOT__pesa_cntrid) != g->shpmsdata ||
           OF_HART(hart, u_pmu__DOT__pdisctl) != g->mpdisctl ||
           OF_HART(hart, u_pmu__DOT__pdiscounter) != g->spdiscounter;
}

// The RTL's state of the current cycle beside what is shown; before the observer says what comes behind it
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

void sum_up(Machine *m, unsigned hart) {
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

// --- Running -------------------------------------------------------------------------------------

// RAM in the current cycle: the word to show in the next
inline uint64_t serve_memory(Machine *m, uint64_t previous) {
    auto &top = m->top;
    if (!top.mem_en_o)
        return previous;
    if (top.mem_addr_o >=
        m->ram_size) // the bus never asks for it; reads of a damaged design must not leave the array
        return 0;
    uint8_t *at = m->ram + top.mem_addr_o;
    uint64_t word;
    std::memcpy(&word, at, sizeof word);
    if (top.mem_we_o) {
        uint64_t mask = 0;
        if (top.mem_wstrb_o == 0xFF) {
            mask = ~0ull;
        } else {
            for (int i = 0; i < 8; i++)
                mask |= (top.mem_wstrb_o >> i & 1) ? 0xFFull << (8 * i) : 0;
        }
        word = (word & ~mask) | (top.mem_wdata_o & mask);
        std::memcpy(at, &word, sizeof word);
    }
    return word;
}

// The UART's line in the current cycle
inline bool serve_uart(Machine *m) {
    auto &top = m->top;
    bool stop = false;
    if (VL_UNLIKELY(top.uart_tx_valid_o))
        stop = m->uart_tx(m->uart_ctx, top.uart_tx_data_o);
    if (VL_UNLIKELY(top.uart_rx_valid_i && top.uart_rx_ready_o)) { // taken at the coming edge
        m->uart_rx_head = (m->uart_rx_head + 1) % sizeof m->uart_rx;
        m->uart_rx_n--;
    }
    return stop;
}

inline void drive_uart(Machine *m) {
    if (VL_UNLIKELY(m->uart_rx_n | m->top.uart_rx_valid_i)) {
        m->top.uart_rx_valid_i = m->uart_rx_n != 0;
        m->top.uart_rx_data_i = m->uart_rx[m->uart_rx_head];
    }
}

inline void settle(Machine *m) {
    m->top.clk = 0;
    m->top.eval();
}

inline void drive_tag(Machine *m, unsigned hart) {
    auto *root = m->root;
#define TAG(n) HART(n, probe_tag) = m->tag[hart]
    PER_HART(hart, TAG);
#undef TAG
}

inline void edge(Machine *m) {
    const uint64_t rdata = serve_memory(m, m->top.mem_rdata_i);
    m->top.clk = 1;
    m->top.eval();
    m->top.mem_rdata_i = rdata;
    drive_uart(m);
}

bool observe(Machine *m, unsigned flags) {
    bool go_on = true;
    for (unsigned h = 0; h < SIM_HARTS; h++) {
        const sim_probe *event = nullptr;
        if (has_event(m, h)) {
            read_probe(m, h, &m->probe[h]);
            event = &m->probe[h];
        }
        if (flags & SIM_PMU) {
            read_pmu(m, h, &m->pmu_in[h], &m->pmu_out[h]);
            read_flow(m, h, &m->flow[h]);
        }
        if (flags & SIM_CROSSES)
            read_crosses(m, h, &m->crosses[h]);
        go_on &= m->observer.cycle(m->observer.ctx, h, event, &m->pmu_in[h], &m->pmu_out[h]);
        drive_tag(m, h);
    }
    return go_on;
}

unsigned watched(const Machine *m) {
    unsigned hit = 0;
    for (unsigned h = 0; h < SIM_HARTS; h++) {
        for (unsigned i = 0; i < SIM_WATCHES; i++) {
            if (m->watch >> i & 1 && retires(m, h) && pc_of(m, h) == m->watch_pc[i])
                hit |= 1u << i;
        }
    }
    return hit;
}

void dump_settled(Machine *m) {
    for (unsigned h = 0; h < SIM_HARTS; h++)
        sum_up(m, h);
    m->fst.dump(m->cycle * kTicks + kTicks / 2);
}

void compare_all(Machine *m) {
    for (unsigned h = 0; h < SIM_HARTS; h++)
        compare_golden(m, h);
}

void dump_edge(Machine *m) {
    for (unsigned h = 0; h < SIM_HARTS; h++) {
        show_state(m, h);
        join_counters(m, h);
    }
    m->fst.dump(m->cycle * kTicks);
}

// One loop for each need, so that what is off costs nothing.
template <bool kWave, bool kWatch, bool kObserve>
enum sim_stop loop(Machine *m, uint64_t until, unsigned flags) {
    auto &top = m->top;
    while (m->cycle < until) {
        if (!m->settled)
            settle(m);
        m->settled = false;
        if (kWatch && (m->watched = watched(m))) {
            m->settled = true;
            return SIM_WATCHED;
        }
        bool go_on = true;
        if (kWave)
            compare_all(m);
        if (kObserve)
            go_on = observe(m, flags);
        if (kWave)
            dump_settled(m);
        const bool printed = serve_uart(m);
        for (unsigned h = 0; h < SIM_HARTS; h++)
            m->retired[h] += retires(m, h);
        const bool ended = top.exit_valid_o;
        edge(m);
        m->cycle++;
        if (kWave)
            dump_edge(m);
        if (kObserve && !go_on) {
            if (kWave) { // what the last cycle has led to
                settle(m);
                m->settled = true;
                compare_all(m);
                dump_settled(m);
            }
            return SIM_OBSERVER;
        }
        if (VL_UNLIKELY(ended) && !(flags & SIM_PAST_EXIT)) {
            m->exit_kind = static_cast<enum sim_exit>(top.exit_kind_o);
            m->exit_code = top.exit_code_o;
            return SIM_EXIT;
        }
        if (VL_UNLIKELY(printed))
            return SIM_PRINTED;
    }
    return SIM_LIMIT;
}

enum sim_stop run(sim *s, uint64_t until, unsigned flags) {
    static enum sim_stop (*const loops[8])(Machine *, uint64_t, unsigned) = {
        loop<false, false, false>, loop<true, false, false>, loop<false, true, false>,
        loop<true, true, false>,   loop<false, false, true>, loop<true, false, true>,
        loop<false, true, true>,   loop<true, true, true>,
    };
    auto *m = static_cast<Machine *>(s);
    m->running = true;
    const enum sim_stop stop = loops[flags & 7](m, until, flags);
    m->running = false;
    return stop;
}

// The reset that the machine sees ends an edge after the port's; the boot ROM's words are written in it.
void hold_reset(Machine *m, unsigned rom_words) {
    auto &top = m->top;
    m->cycle = 0;
    std::memset(m->retired, 0, sizeof m->retired);
    std::memset(m->tag, 0, sizeof m->tag);
    m->uart_rx_head = m->uart_rx_n = 0;
    m->settled = false;
    top.ram_size_i = m->ram_size;
    top.uart_rx_valid_i = 0;
    for (unsigned i = 0; i <= rom_words + kResetCycles; i++) {
        top.rst = i < rom_words + kResetCycles;
        top.rom_we_i = i < rom_words;
        top.rom_addr_i = i;
        top.rom_wdata_i = i < rom_words ? m->rom[i] : 0;
        top.clk = 0;
        top.eval();
        top.clk = 1;
        top.eval();
    }
}

sim *create(const sim *config) {
    Machine *m = new (std::nothrow) Machine(*config);
    if (!m)
        return nullptr;
    m->ops = &SIM_OPS;
    m->harts = SIM_HARTS;
    hold_reset(m, SOC_ROM_WORDS);
    return m;
}

void destroy(sim *s) { delete static_cast<Machine *>(s); }

void reset(sim *s) { hold_reset(static_cast<Machine *>(s), 0); }

bool wave_open(sim *s, const char *path) {
    Machine *m = static_cast<Machine *>(s);
    if (!m->wave || m->open)
        return false;
    if (!m->hooked)
        m->top.trace(&m->fst, 99);
    m->hooked = true;
    m->fst.open(path);
    m->open = m->fst.isOpen();
    for (unsigned h = 0; h < SIM_HARTS; h++)
        join_counters(m, h);
    return m->open;
}

void wave_close(sim *s) {
    Machine *m = static_cast<Machine *>(s);
    if (m->open)
        m->fst.close();
    m->open = false;
}

} // namespace

const struct sim_ops SIM_OPS = {
    SIM_HARTS, SIM_MEM_LATENCY, SIM_TIME_RATIO, create,    destroy,    reset,
    run,       read_csr,        read_reg,       wave_open, wave_close, show_golden,
};
