// SPDX-License-Identifier: Apache-2.0
#include "stub_hart.h"

#include "Vtally_pmu.h"

#include <vector>

extern "C" {
#include "tally_spec.h"
}

namespace tally {

namespace {

enum Op { OP_READ, OP_WRITE }; // csr_op_i

constexpr unsigned kResetCycles = 2;
constexpr uint64_t kOne = 1;

// Unused ports need a signal too.
class TieOff {
  public:
    explicit TieOff(sc_core::sc_module &module) {
        for (sc_core::sc_object *object : module.get_child_objects())
            if (auto *port = dynamic_cast<sc_core::sc_port_base *>(object))
                if (port->bind_count() == 0)
                    tie<bool>(object) || tie<uint32_t>(object) || tie<uint64_t>(object);
    }

  private:
    std::vector<std::unique_ptr<sc_core::sc_interface>> signals_;

    template <typename T> bool tie(sc_core::sc_object *object) {
        auto *in = dynamic_cast<sc_core::sc_in<T> *>(object);
        auto *out = dynamic_cast<sc_core::sc_out<T> *>(object);
        if (!in && !out)
            return false;
        auto signal = std::make_unique<sc_core::sc_signal<T>>(sc_core::sc_gen_unique_name("unused"));
        if (in)
            (*in)(*signal);
        else
            (*out)(*signal);
        signals_.push_back(std::move(signal));
        return true;
    }
};

} // namespace

struct StubHart::Pins {
    template <typename T> using Signal = sc_core::sc_signal<T>;
    Signal<bool> rst, csr_valid, csr_illegal, csr_hit, ret_valid, lcofi, lcofip;
    Signal<uint32_t> csr_num, csr_op, priv, csr_priv, ret_mode;
    Signal<uint64_t> csr_wdata, csr_rdata, mstateen0, ev_retire, ev_cycle, ret_pc;
    TieOff others;

    Pins(Vtally_pmu &pmu, sc_core::sc_in<bool> &clk) : others(bind(pmu, clk)) {}

    Vtally_pmu &bind(Vtally_pmu &pmu, sc_core::sc_in<bool> &clk) {
        pmu.clk(clk);
        pmu.rst(rst);
        pmu.csr_valid_i(csr_valid);
        pmu.csr_num_i(csr_num);
        pmu.csr_op_i(csr_op);
        pmu.csr_wdata_i(csr_wdata);
        pmu.csr_priv_i(csr_priv);
        pmu.csr_hit_o(csr_hit);
        pmu.csr_illegal_o(csr_illegal);
        pmu.csr_rdata_o(csr_rdata);
        pmu.env_mstateen0_i(mstateen0);
        pmu.env_lcofip_i(lcofip);
        pmu.mode_priv_i(priv);
        pmu.ev_retire_i(ev_retire);
        pmu.ev_cycle_i(ev_cycle);
        pmu.ret_valid_i(ret_valid);
        pmu.ret_pc_i(ret_pc);
        pmu.ret_mode_i(ret_mode);
        pmu.irq_lcofi_o(lcofi);
        return pmu;
    }
};

StubHart::StubHart(const sc_core::sc_module_name &name, Vtally_pmu &pmu,
                   std::function<void(StubHart &)> program)
    : sc_module(name), clk("clk"), pins_(new Pins(pmu, clk)), program_(std::move(program)) {
    SC_HAS_PROCESS(StubHart);
    SC_THREAD(run);
}

StubHart::~StubHart() = default;

void StubHart::run() {
    pins_->rst.write(true);
    for (unsigned i = 0; i < kResetCycles; i++)
        wait(clk.posedge_event());
    pins_->rst.write(false);
    pins_->mstateen0.write(~uint64_t{0}); // everything is open to less privileged modes
    program_(*this);
    sc_core::sc_stop();
}

// Waits for the end of the cycle, after its pins have been written. An interrupt that the unit requests in it
// is pending afterwards.
void StubHart::cycle() {
    const uint32_t mode = static_cast<uint32_t>(mode_);

    pins_->priv.write(mode);
    pins_->csr_priv.write(mode);
    pins_->ret_mode.write(mode);
    pins_->ev_cycle.write(kOne << TALLY_EVC_CYCLE);
    pins_->lcofip.write(lcofip_);
    wait(clk.posedge_event());
    lcofip_ |= pins_->lcofi.read();
    pins_->csr_valid.write(false);
    pins_->ret_valid.write(false);
    pins_->ev_retire.write(0);
}

void StubHart::drive_retirement(uint64_t events, uint64_t pc) {
    pins_->ev_retire.write(events | kOne << TALLY_EVR_INST);
    pins_->ret_valid.write(true);
    pins_->ret_pc.write(pc);
}

void StubHart::retire(uint64_t events, uint64_t pc) {
    drive_retirement(events, pc);
    cycle();
}

void StubHart::stall(unsigned cycles) {
    for (unsigned i = 0; i < cycles; i++)
        cycle();
}

// The answer comes in the cycle of the access. It is read first, so that an illegal access does not retire.
StubHart::Access StubHart::access(unsigned number, unsigned op, uint64_t value) {
    pins_->csr_num.write(number);
    pins_->csr_op.write(op);
    pins_->csr_wdata.write(value);
    pins_->csr_priv.write(static_cast<uint32_t>(mode_));
    wait(clk.negedge_event());
    const Access answer = {pins_->csr_rdata.read(), pins_->csr_hit.read() && !pins_->csr_illegal.read()};
    if (answer.legal) {
        pins_->csr_valid.write(true);
        drive_retirement(kOne << TALLY_EVR_CSR, 0);
    }
    cycle();
    return answer;
}

StubHart::Access StubHart::csr_read(unsigned number) { return access(number, OP_READ, 0); }

StubHart::Access StubHart::csr_write(unsigned number, uint64_t value) {
    return access(number, OP_WRITE, value);
}

} // namespace tally
