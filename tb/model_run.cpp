// SPDX-License-Identifier: Apache-2.0
// The Verilated machine behind sim.h. Compiled as model.h says, and with
//   SIM_OPS     the name of the table defined here
//   SIM_MEM_LATENCY, SIM_TIME_RATIO, SIM_SMEPMP, SIM_EBB, SIM_COUNTER_RAM  the parameters of the machine
#include "model.h"

#include "probe.h"

#include <new>

extern "C" const struct sim_ops SIM_OPS;

namespace MODEL_SPACE {
namespace {

constexpr unsigned kResetCycles = 8;
constexpr uint64_t kTicks = 10; // nanoseconds per cycle in a wave file

// Cycle events may be wider than a word
inline void copy_words(uint64_t *to, uint64_t from) { to[0] = from; }
template <std::size_t N> inline void copy_words(uint64_t *to, const VlWide<N> &from) {
    for (std::size_t i = 0; i < N; i += 2)
        to[i / 2] = from[i] | static_cast<uint64_t>(i + 1 < N ? from[i + 1] : 0) << 32;
}

// --- Probes --------------------------------------------------------------------------------------

inline bool has_event(const Machine *m, unsigned hart) {
    const auto *root = m->root;
    bool ebb = false;
#define DELIVERED(field, signal) field = OF_HART(hart, signal);
    PROBE_EBB(DELIVERED)
#undef DELIVERED
    return OF_HART(hart, u_commit__DOT__probe_retire) | OF_HART(hart, u_commit__DOT__probe_trap) | ebb;
}

inline bool retires(const Machine *m, unsigned hart) {
    const auto *root = m->root;
    return OF_HART(hart, u_commit__DOT__probe_retire);
}

inline uint64_t pc_of(const Machine *m, unsigned hart) {
    const auto *root = m->root;
    return OF_HART(hart, u_commit__DOT__probe_pc);
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

// An AMO is performed on the bus before it retires, so its result is in RAM.
void read_result(const Machine *m, sim_probe *p) {
    const uint64_t at = p->mem_paddr - SOC_RAM_BASE, n = 1u << (p->mem_size & 3);
    p->mem_result = 0;
    if (p->mem_op == SIM_MEM_AMO && at < m->ram_size && n <= m->ram_size - at)
        std::memcpy(&p->mem_result, m->ram + at, n);
}

void read_flow(const Machine *m, unsigned hart, oracle_in *flow) {
    const auto *root = m->root;
#define FLOW(field, signal) flow->field = OF_HART(hart, signal);
    PROBE_FLOW(FLOW)
#undef FLOW
}

void read_track(const Machine *m, unsigned hart, track_in *track) {
    const auto *root = m->root;
#define TRACK(field, signal) track->field = OF_HART(hart, signal);
    PROBE_TRACK(TRACK)
#undef TRACK
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
    if (!in->retire[0].valid) // the port then shows events that the oldest instruction would have
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

// --- A debugger's writes -----------------------------------------------------------------------------

// Registers that keep their value may be written between two cycles; derived signals follow at the
// next clock edge.

bool may_hold(const sim *s, unsigned hart) {
    const auto *root = static_cast<const Machine *>(s)->root;
    return !OF_HART(hart, u_commit__DOT__probe_closes);
}

void hold(sim *s, bool on) {
    auto *root = static_cast<Machine *>(s)->root;
    HART(0, u_commit__DOT__probe_halt) = on;
    HART(SIM_LAST, u_commit__DOT__probe_halt) = on;
}

bool idle(const sim *s) {
    const auto *root = static_cast<const Machine *>(s)->root;
    bool all = true;
    for (unsigned h = 0; h < SIM_HARTS; h++)
        all &=
            OF_HART(h, u_commit__DOT__probe_mem_idle) && !OF_HART(h, u_frontend__DOT__u_icache__DOT__busy_q);
    return all;
}

void set_reg(sim *s, unsigned hart, unsigned i, uint64_t value) {
    auto *root = static_cast<Machine *>(s)->root;
#define SET(n)                                                                                               \
    if (i < 32)                                                                                              \
        HART(n, u_issue__DOT__u_regfile__DOT__x_q)[i] = value;                                               \
    else if (i == 32)                                                                                        \
        HART(n, u_commit__DOT__npc_q) = value;                                                               \
    else                                                                                                     \
        HART(n, u_csr__DOT__u_trap__DOT__priv_q) = static_cast<CData>(value)
    PER_HART(hart, SET);
#undef SET
}

void drive_csr(sim *s, unsigned hart, unsigned num, uint64_t value, bool write) {
    auto *root = static_cast<Machine *>(s)->root;
#define DRIVE(n)                                                                                             \
    HART(n, u_commit__DOT__u_system__DOT__probe_num) = static_cast<SData>(num);                              \
    HART(n, u_commit__DOT__u_system__DOT__probe_wdata) = value;                                              \
    HART(n, u_commit__DOT__u_system__DOT__probe_write) = write
    PER_HART(hart, DRIVE);
#undef DRIVE
}

// Translations, instructions, and the data cache, which empties itself as it does after a reset
void forget(sim *s, bool on) {
    auto *root = static_cast<Machine *>(s)->root;
    HART(0, u_commit__DOT__probe_sync) = on;
    HART(SIM_LAST, u_commit__DOT__probe_sync) = on;
    if (on) {
        HART(0, u_lsu__DOT__u_dcache__DOT__sweep_q) = 0;
        HART(SIM_LAST, u_lsu__DOT__u_dcache__DOT__sweep_q) = 0;
    }
}

// --- Running -------------------------------------------------------------------------------------

// RAM in the current cycle: the word to show in the next
inline uint64_t serve_memory(Machine *m, uint64_t previous) {
    auto &top = m->top;
    if (!top.mem_en_o)
        return previous;
    if (top.mem_addr_o >=
        m->ram_size) // never on a sound bus; a broken design must not read outside the array
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

// The host device in the current cycle: its outputs in the next
inline uint64_t serve_host(Machine *m, bool *printed) {
    auto &top = m->top;
    if (!VL_UNLIKELY(top.host_en_o))
        return 0;
    if (!top.host_we_o)
        return host_load(m->host, top.host_addr_o, 1u << top.host_size_o);
    *printed |= host_store(m->host, top.host_addr_o, 1u << top.host_size_o, top.host_wdata_o);
    return 0;
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
#define TAG(n) HART(n, u_adapter__DOT__probe_tag) = m->tag[hart]
    PER_HART(hart, TAG);
#undef TAG
}

inline void edge(Machine *m, uint64_t host_rdata) {
    const uint64_t rdata = serve_memory(m, m->top.mem_rdata_i);
    m->top.clk = 1;
    m->top.eval();
    m->top.mem_rdata_i = rdata;
    if (VL_UNLIKELY(m->top.host_rdata_i != host_rdata))
        m->top.host_rdata_i = host_rdata;
    drive_uart(m);
}

bool observe(Machine *m, unsigned flags) {
    bool go_on = true;
    for (unsigned h = 0; h < SIM_HARTS; h++) {
        const sim_probe *event = nullptr;
        if (has_event(m, h)) {
            read_probe(m, h, &m->probe[h]);
            read_result(m, &m->probe[h]);
            event = &m->probe[h];
        }
        if (flags & SIM_PMU) {
            read_pmu(m, h, &m->pmu_in[h], &m->pmu_out[h]);
            read_flow(m, h, &m->flow[h]);
            read_track(m, h, &m->track[h]);
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
        combine_mismatches(m, h);
    wave_dump(m, m->cycle * kTicks + kTicks / 2);
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
    wave_dump(m, m->cycle * kTicks);
}

// A loop for each combination of options, so that unused ones cost nothing.
template <bool kWave, bool kWatch, bool kObserve>
enum sim_stop loop(Machine *m, uint64_t until, unsigned flags) {
    auto &top = m->top;
    while (m->cycle < until) {
        if (!m->settled)
            settle(m);
        m->settled = false;
        if (kWatch && !m->observed && (m->watched = watched(m))) {
            m->settled = true;
            return SIM_WATCHED;
        }
        bool go_on = true;
        if (!kObserve || !m->observed) {
            if (kWave)
                compare_all(m);
            if (kObserve)
                go_on = observe(m, flags);
            if (kWave)
                dump_settled(m);
        }
        m->observed = false;
        if (kObserve && VL_UNLIKELY(m->pause) && go_on && !(flags & SIM_PAST_EXIT)) {
            m->pause = false;
            m->settled = m->observed = true;
            return SIM_PAUSED;
        }
        bool printed = serve_uart(m);
        const uint64_t host_rdata = serve_host(m, &printed);
        for (unsigned h = 0; h < SIM_HARTS; h++)
            m->retired[h] += retires(m, h);
        const bool ended = top.exit_valid_o;
        edge(m, host_rdata);
        m->cycle++;
        if (kWave)
            dump_edge(m);
        if (kObserve && !go_on) {
            if (kWave) { // show the state after the last cycle
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

// The machine's internal reset ends one clock edge after the port's. The boot ROM is written during it.
void hold_reset(Machine *m, unsigned rom_words) {
    auto &top = m->top;
    m->cycle = 0;
    std::memset(m->retired, 0, sizeof m->retired);
    std::memset(m->tag, 0, sizeof m->tag);
    m->uart_rx_head = m->uart_rx_n = 0;
    m->settled = m->observed = m->pause = false;
    top.ram_size_i = m->ram_size;
    top.uart_rx_valid_i = 0;
    top.host_rdata_i = 0;
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

} // namespace
} // namespace MODEL_SPACE

using namespace MODEL_SPACE;

const struct sim_ops SIM_OPS = {
    SIM_HARTS,   SIM_MEM_LATENCY, SIM_TIME_RATIO, SIM_SMEPMP, SIM_EBB,  SIM_COUNTER_RAM,
    create,      destroy,         reset,          run,        read_csr, read_reg,
    wave_select, wave_open,       wave_close,     may_hold,   hold,     idle,
    set_reg,     drive_csr,       forget,         devices,    put_warm, show_golden,
};
