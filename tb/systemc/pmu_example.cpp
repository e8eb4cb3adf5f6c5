// SPDX-License-Identifier: Apache-2.0
// tally-systemc-pmu: the PMU alone with a stub hart. The program counts loads, lets a counter overflow,
// limits a counter to a mode, and tries illegal accesses. Every number is known beforehand and checked.
#include "stub_hart.h"

#include "Vtally_pmu.h"

#include <cinttypes>
#include <cstdio>

extern "C" {
#include "tally_spec.h"
}

namespace {

using tally::Mode;
using tally::StubHart;

constexpr unsigned kCounter = TALLY_CSR_MHPMCOUNTER3, kEvent = TALLY_CSR_MHPMEVENT3, kBit = 1u << 3;
constexpr uint64_t kLoad = uint64_t{1} << TALLY_EVR_LOAD, kOther = 0;

bool failed;

void expect(const char *what, uint64_t value, uint64_t expected) {
    std::printf("%-64s %6" PRIu64 "\n", what, value);
    if (value == expected)
        return;
    std::printf("FAIL: expected %" PRIu64 "\n", expected);
    failed = true;
}

// Every third instruction is a load.
void work(StubHart &hart, unsigned instructions) {
    for (unsigned i = 0; i < instructions; i++)
        hart.retire(i % 3 ? kOther : kLoad, 0x1000 + 4 * i);
}

void count_loads(StubHart &hart) {
    hart.csr_write(kEvent, TALLY_EV_INST_LOAD_RET);
    hart.csr_write(kCounter, 0);
    work(hart, 300);
    expect("loads among 300 instructions", hart.csr_read(kCounter).value, 100);
    const uint64_t instructions = hart.csr_read(TALLY_CSR_MINSTRET).value;
    hart.stall(20);
    expect("instructions in 20 cycles of stall, the read itself included",
           hart.csr_read(TALLY_CSR_MINSTRET).value - instructions, 1);
}

void overflow(StubHart &hart) {
    unsigned loads = 0;

    hart.csr_write(kCounter, ~uint64_t{4}); // -5
    for (; !hart.lcofip() && loads < 10; loads++)
        hart.retire(kLoad);
    expect("loads until a counter preset to -5 asks for the interrupt", loads, 5);
    expect("scountovf", hart.csr_read(TALLY_CSR_SCOUNTOVF).value, kBit);
    hart.clear_lcofip();
    work(hart, 30);
    expect("interrupts while OF is set", hart.lcofip(), 0);
}

void filter(StubHart &hart) {
    hart.csr_write(kEvent, TALLY_EV_INST_LOAD_RET | TALLY_MHPMEVENT_MINH_MASK);
    hart.csr_write(kCounter, 0);
    work(hart, 30);
    hart.set_mode(Mode::user);
    work(hart, 60);
    hart.set_mode(Mode::machine);
    expect("loads in U-mode, MINH set, with 10 in M-mode before", hart.csr_read(kCounter).value, 20);
}

void rights(StubHart &hart) {
    hart.csr_write(TALLY_CSR_MCOUNTEREN, 0);
    hart.set_mode(Mode::supervisor);
    expect("S-mode may read hpmcounter3 with mcounteren[3] = 0", hart.csr_read(TALLY_CSR_HPMCOUNTER3).legal,
           0);
    hart.set_mode(Mode::machine);
    hart.csr_write(TALLY_CSR_MCOUNTEREN, kBit);
    hart.set_mode(Mode::supervisor);
    expect("S-mode may read hpmcounter3 with mcounteren[3] = 1", hart.csr_read(TALLY_CSR_HPMCOUNTER3).legal,
           1);
    expect("S-mode may write mhpmcounter3", hart.csr_write(kCounter, 0).legal, 0);
    hart.set_mode(Mode::machine);
}

void program(StubHart &hart) {
    count_loads(hart);
    overflow(hart);
    filter(hart);
    rights(hart);
}

} // namespace

int sc_main(int, char **) {
    sc_core::sc_report_handler::set_actions("/OSCI/SystemC", sc_core::SC_DO_NOTHING); // "stopped by user"
    sc_core::sc_clock clk("clk", 10, sc_core::SC_NS);
    Vtally_pmu pmu("pmu");
    StubHart hart("hart", pmu, program);
    hart.clk(clk);
    sc_core::sc_start();
    std::printf("%s\n", failed ? "FAIL" : "ok");
    return failed;
}
