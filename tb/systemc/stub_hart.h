// SPDX-License-Identifier: Apache-2.0
// A hart that is none: its program is C++, and what it does to the PMU is what docs/integration.md asks of a
// hart, to the cycle. For virtual platforms whose processor model has no PMU of its own, and as an example of
// a host.
#ifndef TALLY_SYSTEMC_STUB_HART_H
#define TALLY_SYSTEMC_STUB_HART_H

#include <cstdint>
#include <functional>
#include <memory>
#include <systemc>

class Vtally_pmu;

namespace tally {

enum class Mode : unsigned { user = 0, supervisor = 1, machine = 3 };

class StubHart : public sc_core::sc_module {
  public:
    sc_core::sc_in<bool> clk;

    // `program` runs in a thread of its own, from the first cycle after reset; sc_stop() comes when it
    // returns. pmu: RV64, one lane.
    StubHart(const sc_core::sc_module_name &name, Vtally_pmu &pmu, std::function<void(StubHart &)> program);
    ~StubHart() override;

    // What a program can do. Each takes the cycles it says.
    struct Access {
        uint64_t value; // old value of the register, if the access is legal
        bool legal;
    };
    Access csr_read(unsigned number);                  // one cycle, retires
    Access csr_write(unsigned number, uint64_t value); // one cycle, retires
    void retire(uint64_t events, uint64_t pc = 0);     // one cycle; bit by TALLY_EVR_*, INST is added
    void stall(unsigned cycles);                       // nothing retires
    void set_mode(Mode mode) { mode_ = mode; }         // from the next cycle on

    // mip.LCOFIP: set by the unit, cleared here
    bool lcofip() const { return lcofip_; }
    void clear_lcofip() { lcofip_ = false; }

  private:
    struct Pins;
    std::unique_ptr<Pins> pins_;
    std::function<void(StubHart &)> program_;
    Mode mode_ = Mode::machine;
    bool lcofip_ = false;

    void run();
    void cycle();
    Access access(unsigned number, unsigned op, uint64_t value);
    void drive_retirement(uint64_t events, uint64_t pc);
};

} // namespace tally

#endif
