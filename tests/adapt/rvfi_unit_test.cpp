// SPDX-License-Identifier: Apache-2.0
// tally_rvfi with tally_pmu behind it (rvfi_unit_top.v), under random RVFI streams and accesses of CSRs: in
// every cycle the unit is compared with the golden one, and the counts with the stream
// itself.
//
//     adapt_rvfi_unit_<xlen>_<lanes> [--seed N] [--cycles N]

#include "Vrvfi_unit_top.h"

#include "random.h"
#include "tally_pmu_model.h"
#include "tally_spec.h"
#include "verilated_ports.h"

#include <cinttypes>
#include <cstdio>
#include <cstdlib>
#include <string>

namespace {

constexpr unsigned kXlen = RVFI_XLEN, kLanes = RVFI_NRET;
constexpr unsigned kEvcBits = kLanes == 1 ? 1 : kLanes <= 3 ? 2 : 3;
constexpr uint64_t kBegin = 2; // counter 6 is set up, and nothing traps
constexpr uint64_t kTop = kXlen == 32 ? 0xffffffffu : ~UINT64_C(0);

// Codes, and the event that each is besides an instruction
const struct {
    uint32_t insn;
    uint64_t event;
} codes[] = {{0x00000013, 0},
             {0x0000a083, TALLY_EV_INST_LOAD_RET},
             {0x0010a023, TALLY_EV_INST_STORE_RET},
             {0x02208033, TALLY_EV_INST_MUL_RET},
             {0x00000001, TALLY_EV_INST_RVC_RET},
             {0x00008067, TALLY_EV_INST_BRJMP_RETURN_RET}};
constexpr unsigned kCodes = sizeof codes / sizeof *codes;
const uint64_t events[] = {TALLY_EV_CYCLES_HART,   TALLY_EV_INST_RET,      TALLY_EV_CYCLES_STALL_BACKEND,
                           TALLY_EV_INST_LOAD_RET, TALLY_EV_INST_LDST_RET, TALLY_EV_INST_MUL_RET,
                           TALLY_EV_INST_RVC_RET,  TALLY_EV_EXCEPTION,     TALLY_EV_INTERRUPT,
                           TALLY_EV_INST_BRJMP_RET};
constexpr unsigned kEvents = sizeof events / sizeof *events;

class Bench {
  public:
    explicit Bench(uint64_t seed) {
        rng_seed(&random_, seed);
        gp_config c{};
        c.xlen = kXlen;
        c.retire_w = kLanes;
        c.decode_w = 1;
        c.evc_w = kEvcBits;
        c.hpm_n = 4;
        c.hpm_w = 64;
        c.sscofpmf = c.sspesa = c.small_events = c.andes_swrite = true;
        golden_ = gp_new(&c);
        if (!golden_)
            std::exit(2);
    }

    ~Bench() { gp_free(golden_); }

    int run(uint64_t cycles) {
        for (now_ = 0; now_ < cycles && !wrong_; now_++)
            cycle(now_ < 2);
        // instret has neither been written nor inhibited, and counter 6 has counted exceptions from the start
        check("instret", gp_peek(golden_, TALLY_CSR_MINSTRET), retired_);
        check("exceptions", gp_peek(golden_, TALLY_CSR_MHPMCOUNTER6), exceptions_);
        check("interrupts of counters", overflows_ > cycles / 1000, 1);
        check("wraps by each lane", wraps_, (1u << kLanes) - 1);
        return wrong_;
    }

  private:
    Vrvfi_unit_top rtl_;
    gp *golden_;
    rng random_;
    uint64_t now_ = 0, retired_ = 0, exceptions_ = 0, overflows_ = 0, next_ = 0x80000000;
    unsigned mode_ = 3, wraps_ = 0;
    bool lcofip_ = false;
    int wrong_ = 0;

    unsigned draw(unsigned n) { return rng_below(&random_, n); }

    void check(const char *what, uint64_t found, uint64_t expected) {
        if (found == expected || wrong_)
            return;
        std::printf("cycle %" PRIu64 ": %s: expected %" PRIx64 ", found %" PRIx64 "\n", now_, what, expected,
                    found);
        std::printf("  access: valid %d num %03x op %d wdata %" PRIx64 "; retires %x\n", rtl_.csr_valid_i,
                    rtl_.csr_num_i, rtl_.csr_op_i, static_cast<uint64_t>(rtl_.csr_wdata_i), rtl_.ret_valid_o);
        wrong_ = 1;
    }

    void stream(bool reset) {
        if (draw(40) == 0)
            mode_ = static_cast<unsigned>("\0\1\3"[draw(3)]);
        for (unsigned l = 0; l < kLanes; l++) {
            bool valid = draw(3) != 0, trap = now_ != kBegin && draw(12) == 0;
            uint32_t insn = codes[draw(kCodes)].insn;
            uint64_t pc = next_, next = (pc + ((insn & 3) == 3 ? 4 : 2)) & kTop;
            if (trap || insn == 0x00008067)
                next = rng_64(&random_) & kTop & ~UINT64_C(1);
            put(rtl_.rvfi_valid_i, l, 1, valid);
            put(rtl_.rvfi_insn_i, l * 32, 32, insn);
            put(rtl_.rvfi_trap_i, l, 1, trap);
            put(rtl_.rvfi_intr_i, l, 1, draw(20) == 0);
            put(rtl_.rvfi_mode_i, l * 2, 2, mode_);
            put(rtl_.rvfi_pc_rdata_i, l * kXlen, kXlen, pc);
            put(rtl_.rvfi_pc_wdata_i, l * kXlen, kXlen, next);
            if (valid)
                next_ = next;
            retired_ += valid && !trap && !reset;
            exceptions_ += valid && trap && !reset;
        }
    }

    // Counters 3 to 5 and their events; counter 6 is set up once
    void access() {
        unsigned counter = draw(3), kind = draw(6);
        uint64_t data = rng_64(&random_);
        rtl_.csr_valid_i = draw(4) == 0;
        rtl_.csr_priv_i = 3;
        rtl_.csr_op_i = static_cast<uint8_t>(draw(4));
        if (now_ == kBegin) {
            rtl_.csr_valid_i = 1;
            rtl_.csr_op_i = GP_WRITE;
            rtl_.csr_num_i = TALLY_CSR_MHPMEVENT6;
            rtl_.csr_wdata_i = TALLY_EV_EXCEPTION;
            exceptions_ = 0;
            return;
        }
        switch (kind) {
        case 0: // an event with filters, and no overflow
            rtl_.csr_num_i = static_cast<uint16_t>(TALLY_CSR_MHPMEVENT3 + counter);
            rtl_.csr_op_i = rtl_.csr_op_i == GP_SET ? uint8_t{GP_WRITE} : rtl_.csr_op_i;
            data =
                events[draw(kEvents)] | (kXlen == 64 ? rng_64(&random_) & UINT64_C(0x7000000000000000) : 0);
            break;
        case 1: // a value just before the wrap
            rtl_.csr_num_i = static_cast<uint16_t>(TALLY_CSR_MHPMCOUNTER3 + counter);
            data = draw(2) ? ~UINT64_C(0) - draw(12) : data;
            break;
        case 2:
            rtl_.csr_num_i = TALLY_CSR_MCOUNTINHIBIT;
            data &= 0x38 & rng_64(&random_);
            break;
        case 3:
            rtl_.csr_num_i = static_cast<uint16_t>(draw(2) ? TALLY_CSR_SHPMSPC : TALLY_CSR_SHPMSDATA);
            break;
        case 4: // XLEN 32: the high halves
            rtl_.csr_num_i = static_cast<uint16_t>(draw(2) ? 0x723 + counter : 0xb83 + counter);
            data = rtl_.csr_num_i < 0x800 ? data & 0xf0000000 : draw(2) ? ~UINT64_C(0) : data;
            break;
        default: // any number, without effect
            rtl_.csr_num_i = static_cast<uint16_t>(draw(4096));
            rtl_.csr_op_i = GP_READ;
            rtl_.csr_priv_i = static_cast<uint8_t>("\0\1\3"[draw(3)]);
        }
        rtl_.csr_wdata_i = data & kTop;
    }

    void cycle(bool reset) {
        stream(reset);
        access();
        rtl_.rst = reset;
        rtl_.lcofip_i = lcofip_;
        rtl_.clk = 0;
        rtl_.eval();
        gp_in in{};
        drive(&in);
        if (!reset)
            compare(in);
        rtl_.clk = 1;
        rtl_.eval();
        if (reset)
            gp_reset(golden_);
        else
            gp_clock(golden_, &in);
    }

    void drive(gp_in *in) {
        in->csr.valid = rtl_.csr_valid_i;
        in->csr.num = rtl_.csr_num_i;
        in->csr.op = rtl_.csr_op_i;
        in->csr.priv = rtl_.csr_priv_i;
        in->csr.wdata = rtl_.csr_wdata_i;
        in->env.lcofip = lcofip_;
        in->mode.priv = rtl_.mode_priv_o;
        for (unsigned bit = 0; bit < TALLY_EVC_N * kEvcBits; bit++)
            in->ev_cycle[bit / 64] |= get(rtl_.ev_cycle_o, bit, 1) << bit % 64;
        for (unsigned l = 0; l < kLanes; l++) {
            in->retire[l].valid = rtl_.ret_valid_o >> l & 1;
            in->ev_retire[l] = in->retire[l].valid ? get(rtl_.ev_retire_o, l * TALLY_EVR_N, TALLY_EVR_N) : 0;
            in->retire[l].mode = static_cast<uint8_t>(get(rtl_.ret_mode_o, l * 3, 3));
            in->retire[l].pc = get(rtl_.ret_pc_o, l * kXlen, kXlen);
        }
        in->ret_next_pc = rtl_.ret_next_pc_o;
    }

    void compare(const gp_in &in) {
        gp_out out;
        gp_eval(golden_, &in, &out);
        check("irq_lcofi", rtl_.irq_lcofi_o, out.irq_lcofi);
        check("csr_hit", rtl_.csr_hit_o, out.csr_hit);
        if (out.csr_hit) {
            check("csr_illegal", rtl_.csr_illegal_o, out.csr_illegal);
            check("csr_rdata", rtl_.csr_rdata_o, out.csr_rdata);
        }
        for (unsigned n = 0; n < GP_COUNTERS; n++)
            if (out.wraps >> n & 1 && out.cause[n] != GP_NO_LANE)
                wraps_ |= 1u << out.cause[n];
        overflows_ += out.irq_lcofi;
        lcofip_ = out.irq_lcofi || (lcofip_ && draw(3));
    }
};

} // namespace

int main(int argc, char **argv) {
    uint64_t seed = 1, cycles = 300000;
    for (int i = 1; i + 1 < argc; i += 2)
        (std::string(argv[i]) == "--seed" ? seed : cycles) = std::strtoull(argv[i + 1], nullptr, 0);
    Bench bench(seed);
    int wrong = bench.run(cycles);
    std::printf("tally_rvfi and tally_pmu, XLEN %u, %u lanes, seed %" PRIu64 ": %s\n", kXlen, kLanes, seed,
                wrong ? "FAIL" : "as the golden unit and the stream say");
    return wrong;
}
