// SPDX-License-Identifier: Apache-2.0
// The state of the Verilated machine, and access to signals of its harts. model_devices.cpp,
// model_golden.cpp, model_run.cpp, model_warm.cpp and model_waves.cpp are compiled once for each number of
// harts, with
//   SIM_CLASS   the Verilated class            SIM_HARTS   its number of harts
//   SIM_HEADER, SIM_ROOT_HEADER  its headers
//   SIM_COUNTER_RAM  its counters are in a RAM
//   SIM_WARM  predictor, caches and TLBs have the default sizes
#ifndef TALLY_MODEL_H
#define TALLY_MODEL_H

#include "sim.h"
#include "wave_trace.h"

#include SIM_HEADER
#include SIM_ROOT_HEADER
#include "verilated.h"

#include <cstring>
#include <memory>
#include <string>
#include <vector>

// Machines with different numbers of harts are in one program.
#define MODEL_SPACE MODEL_SPACE_(SIM_HARTS)
#define MODEL_SPACE_(harts) MODEL_SPACE__(harts)
#define MODEL_SPACE__(harts) model_##harts

// A signal inside hart n; inside its CSRs, its PMU, its golden view
#define HART(n, signal) HART_(n, signal)
#define HART_(n, signal)                                                                                     \
    root->tally_sim_top__DOT__u_soc__DOT__g_hart__BRA__##n##__KET____DOT__u_hart__DOT__##signal
#define PMU(n, signal) HART(n, u_adapter__DOT__u_pmu__DOT__##signal)
#if SIM_COUNTER_RAM
#define COUNTER(n, signal) PMU(n, u_counting__DOT__g_ram__DOT__u_counters__DOT__##signal)
#else
#define COUNTER(n, signal) PMU(n, u_counting__DOT__g_plain__DOT__u_counters__DOT__##signal)
#endif
#define COMBINE(n, signal) PMU(n, u_counting__DOT__g_combine__DOT__u_combine__DOT__##signal)
#define GOLDEN(n, signal) GOLDEN_(n, signal)
#define GOLDEN_(n, signal) root->tally_sim_top__DOT__g_golden__BRA__##n##__KET____DOT__u_golden__DOT__##signal

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
#define OF_PMU(hart, signal) OF_HART(hart, u_adapter__DOT__u_pmu__DOT__##signal)

namespace MODEL_SPACE {

struct Machine : sim {
    explicit Machine(const sim &config) : sim(config), top(&context), root(top.rootp) {
        context.timeunit(-9);
        context.timeprecision(-9);
        std::memset(&pmu_in, 0, sizeof pmu_in);
        std::memset(&pmu_out, 0, sizeof pmu_out);
    }
    ~Machine() {
        if (fst)
            fst_close(fst);
        top.final();
    }

    VerilatedContext context;
    SIM_CLASS top;
    decltype(top.rootp) root;
    fst_write *fst = nullptr; // the wave file
    std::unique_ptr<WaveBuffer> waves;
    bool wave_first = false;             // nothing was written to it
    bool wave_all = false;               // it has all signals,
    std::vector<std::string> wave_parts; // ... or those of these scopes, or (none) the default set
    bool running = false;                // within run()
    bool settled = false;                // the current cycle is evaluated (after SIM_WATCHED),
    bool observed = false;               // ... and observed (after SIM_PAUSED)
    sim_probe probe[SIM_HARTS] = {};
    gp_in pmu_in[SIM_HARTS];
    gp_out pmu_out[SIM_HARTS];
    sim_golden golden[SOC_HARTS_MAX];
    bool golden_new[SOC_HARTS_MAX] = {};   // given in this cycle, shown after its clock edge
    bool golden_shown[SOC_HARTS_MAX] = {}; // shown beside the RTL's state of this cycle
};

// model_devices.cpp
void devices(sim *s, sim_devices *d, bool put);

// model_warm.cpp
bool put_warm(sim *s, unsigned hart, const warm *w);

// model_waves.cpp
bool wave_select(sim *s, const sim_wave_set *set, error *e);
bool wave_open(sim *s, const char *path);
bool wave_close(sim *s);
void wave_dump(Machine *m, uint64_t time); // the values of now

// model_golden.cpp: golden state in waves

// The outputs of the golden models for this cycle; their state is shown after the clock edge (show_state).
void show_golden(sim *s, unsigned hart, const sim_golden *g);
// After the clock edge: the state behind it
void show_state(Machine *m, unsigned hart);
// Before the observer runs: compares the RTL's state of the current cycle with the golden state that is
// shown.
void compare_golden(Machine *m, unsigned hart);
// Counters of the RTL as words of 64 bits
void join_counters(Machine *m, unsigned hart);
// The one mismatch signal
void combine_mismatches(Machine *m, unsigned hart);

} // namespace MODEL_SPACE

#endif
