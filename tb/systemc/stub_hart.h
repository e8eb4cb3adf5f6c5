// SPDX-License-Identifier: Apache-2.0
// A stub hart: its program is C++, and it drives the PMU as docs/integration.md requires of a hart, cycle by
// cycle. For virtual platforms with a processor model without a PMU, and as an example of a host.
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

    // `program` runs in its own thread, from the first cycle after reset; its return calls sc_stop(). pmu:
    // RV64, one lane.
    StubHart(const sc_core::sc_module_name &name, Vtally_pmu &pmu, std::function<void(StubHart &)> program);
    ~StubHart() override;

    // Operations of a program, with their cycles
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
