// SPDX-License-Identifier: Apache-2.0
// The unit that is built, driven by the structures of the golden model: what a host of event-based branches
// needs of it. Nothing is decoded, nothing is sampled.
#ifndef EBB_UNIT_H
#define EBB_UNIT_H

#include "Vtally_pmu.h"

#include "tally_pmu_model.h"
#include "tally_spec.h"

#include <cstddef>
#include <cstdint>

class Unit {
  public:
    void reset() {
        rtl_.rst = 1;
        for (int i = 0; i < 4; i++)
            clock();
        rtl_.rst = 0;
    }

    void drive(const gp_in &in) {
        rtl_.csr_valid_i = in.csr.valid;
        rtl_.csr_num_i = in.csr.num;
        rtl_.csr_op_i = in.csr.op;
        rtl_.csr_wdata_i = static_cast<Word>(in.csr.wdata);
        rtl_.csr_priv_i = in.csr.priv;
        rtl_.csr_v_i = in.csr.v;
        rtl_.env_cde_i = in.env.cde;
        rtl_.env_mstateen0_i = in.env.mstateen0;
        rtl_.env_hstateen0_i = in.env.hstateen0;
        rtl_.env_sstateen0_i = in.env.sstateen0;
        rtl_.env_hcounteren_i = in.env.hcounteren;
        rtl_.env_lcofip_i = in.env.lcofip;
        rtl_.env_time_i = in.env.time;
        rtl_.mode_priv_i = in.mode.priv;
        rtl_.mode_v_i = in.mode.v;
        rtl_.mode_debug_i = in.mode.debug;
        rtl_.mode_stopcount_i = in.mode.stopcount;
        rtl_.mode_halted_i = in.mode.halted;
        for (unsigned lane = 0; lane < PMU_RETIRE_W; lane++) {
            put(rtl_.ev_retire_i, lane * TALLY_EVR_N, TALLY_EVR_N, in.ev_retire[lane]);
            put(rtl_.ret_valid_i, lane, 1, in.retire[lane].valid);
            put(rtl_.ret_pc_i, lane * PMU_XLEN, PMU_XLEN, in.retire[lane].pc);
            put(rtl_.ret_mode_i, lane * 3, 3, in.retire[lane].mode);
        }
        for (unsigned at = 0, bits = TALLY_EVC_N * PMU_EVC_W; at < bits; at += 64)
            put(rtl_.ev_cycle_i, at, bits - at < 64 ? bits - at : 64, in.ev_cycle[at / 64]);
        rtl_.ret_next_pc_i = static_cast<Word>(in.ret_next_pc);
        rtl_.ret_flush_pc_i = static_cast<Word>(in.ret_flush_pc);
        rtl_.ret_flushed_i = in.ret_flushed;
        rtl_.ret_uebret_i = in.ret_uebret;
        rtl_.ret_uebret_ge_i = in.ret_uebret_ge;
        rtl_.ebb_ack_i = in.ebb_ack;
        rtl_.eval();
    }

    void clock() {
        rtl_.clk = 1;
        rtl_.eval();
        rtl_.clk = 0;
        rtl_.eval();
    }

    gp_out outputs() const {
        gp_out out{};
        out.csr_hit = rtl_.csr_hit_o;
        out.csr_illegal = rtl_.csr_illegal_o;
        out.csr_virtual = rtl_.csr_virtual_o;
        out.csr_rdata = rtl_.csr_rdata_o;
        out.ret_max = rtl_.ret_max_o;
        out.irq_lcofi = rtl_.irq_lcofi_o;
        out.irq_andes = rtl_.irq_andes_o;
        out.ebb_req = rtl_.ebb_req_o;
        out.ebb_target = rtl_.ebb_target_o;
        out.ebb_return = rtl_.ebb_return_o;
        out.uebret_illegal = rtl_.uebret_illegal_o;
        out.uebret_virtual = rtl_.uebret_virtual_o;
        return out;
    }

#ifdef PMU_MUTANTS
    void mutant(unsigned number) { rtl_.mutant_i = number; }
#endif

  private:
    using Word = decltype(+Vtally_pmu::csr_wdata_i); // of XLEN bits
    Vtally_pmu rtl_;

    // Bits [at, at + width) of a port; the rest keeps its value. width <= 64.
    template <typename T> static void put(T &port, unsigned at, unsigned width, uint64_t value) {
        uint64_t mask = (width == 64 ? ~UINT64_C(0) : (UINT64_C(1) << width) - 1) << at;
        port = static_cast<T>((static_cast<uint64_t>(port) & ~mask) | ((value << at) & mask));
    }

    template <std::size_t N> static void put(VlWide<N> &port, unsigned at, unsigned width, uint64_t value) {
        for (unsigned b = 0; b < width; b++) {
            uint32_t one = UINT32_C(1) << (at + b) % 32;
            port[(at + b) / 32] = value >> b & 1 ? port[(at + b) / 32] | one : port[(at + b) / 32] & ~one;
        }
    }
};

#endif
