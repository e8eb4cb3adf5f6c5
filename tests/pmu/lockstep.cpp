// SPDX-License-Identifier: Apache-2.0
// The PMU alone against its golden model: constrained-random traffic on every port, every output compared in
// every cycle, and from time to time all of the state that M-mode can read.
//
//     pmu_random_<configuration> [--seed N] [--cycles N | --long] [--no-cover] [--cells]
//
// The same seed gives the same run. Exit status 0: no difference, every cell of the coverage table that is
// possible hit, and no other. --cells prints every cell, for a campaign that adds up runs: one of them may
// miss some.
//
// Built with PMU_MUTANTS around a netlist with mutants (scripts/mutants.py), it takes --mutants: their
// numbers from standard input, and a line for each: number, and the cycle of the first difference with its
// name or `alive`.

#include "Vtally_pmu.h"

#include "cover.h"
#include "rows.h"
#include "tally_pmu_model.h"
#include "tally_spec.h"
#include "traffic.h"

#if VM_COVERAGE
#include <verilated_cov.h> // of the RTL's lines, by scripts/coverage.py
#endif

#include <cinttypes>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <string>

namespace {

// Cycles of --long, from which on seldom cells must be hit: more where every access waits
constexpr uint64_t kLongRun = PMU_COUNTER_RAM && PMU_CSR_PIPELINE ? 24000000 : 9000000;

// An access may have to wait: its answer is good when it need not.
constexpr bool kWaits = PMU_CSR_PIPELINE || PMU_COUNTER_RAM;

// Numbers of state in a RAM with COUNTER_RAM: counters and their events, directly or through a window.
bool may_rest(unsigned num) {
    switch (num & ~0x1Fu) {
    case TALLY_CSR_CYCLE:
    case TALLY_CSR_CYCLEH:
    case TALLY_CSR_MCYCLE:
    case TALLY_CSR_MCYCLEH:
    case ROW_EVENTH:
        return true;
    case TALLY_CSR_SCOUNTERINHIBIT: // shpmevent*, and the two unused numbers between
        return num != TALLY_CSR_SCOUNTERINHIBIT;
    case TALLY_CSR_MCOUNTINHIBIT:
        return num != TALLY_CSR_MCOUNTINHIBIT;
    default:
        if (num == TALLY_CSR_UEBBCNT || num == TALLY_CSR_UEBBCNTH)
            return PMU_EBB;
        switch (num & ~7u) {
        case TALLY_CSR_MISELECT:
        case TALLY_CSR_SISELECT:
        case TALLY_CSR_VSISELECT:
            return true;
        default:
            return false;
        }
    }
}

// ---- configuration: the parameters that this executable's RTL was built with

gp_config configuration() {
    gp_config c{};
    c.xlen = PMU_XLEN;
    c.retire_w = PMU_RETIRE_W;
    c.decode_w = PMU_DECODE_W;
    c.hpm_n = PMU_HPM_N;
    c.hpm_w = PMU_HPM_W;
    c.evc_w = PMU_EVC_W;
    c.sscofpmf = PMU_SSCOFPMF;
    c.smcntrpmf = PMU_SMCNTRPMF;
    c.smcsrind = PMU_SMCSRIND;
    c.smcdeleg = PMU_SMCDELEG;
    c.smstateen = PMU_SMSTATEEN;
    c.hyp = PMU_HYP;
    c.andes = PMU_ANDES;
    c.andes_silicon = PMU_ANDES_SILICON;
    c.andes_swrite = PMU_ANDES_SWRITE;
    c.swevent = PMU_SWEVENT;
    c.small_events = PMU_SMALL_EVENTS;
    c.comb_n = PMU_COMB_N;
    c.pcrange = PMU_PCRANGE;
    c.sspesa = PMU_SSPESA;
    c.spesa_next = PMU_SPESA_NEXT;
    c.smpdis = PMU_SMPDIS;
    c.pdis_mem = PMU_PDIS_MEM;
    c.pdis_acc = PMU_PDIS_ACC;
    c.pdis_queue = PMU_PDIS_QUEUE;
    c.ebb = PMU_EBB;
    return c;
}

// ---- ports of any width

// Bits [at, at + width) of a port; the rest keeps its value. width <= 64.
template <typename T> void put(T &port, unsigned at, unsigned width, uint64_t value) {
    uint64_t mask = (width == 64 ? ~UINT64_C(0) : (UINT64_C(1) << width) - 1) << at;
    port = static_cast<T>((static_cast<uint64_t>(port) & ~mask) | ((value << at) & mask));
}

template <std::size_t N> void put(VlWide<N> &port, unsigned at, unsigned width, uint64_t value) {
    while (width) {
        unsigned word = at / 32, shift = at % 32, n = 32 - shift < width ? 32 - shift : width;
        uint32_t mask = static_cast<uint32_t>(((UINT64_C(1) << n) - 1) << shift);
        port[word] = (port[word] & ~mask) | (static_cast<uint32_t>(value << shift) & mask);
        at += n;
        width -= n;
        value = n == 64 ? 0 : value >> n;
    }
}

class Bench {
  public:
    Bench(uint64_t seed, bool with_cover, unsigned mutant = 0)
        : cfg_(configuration()), golden_(gp_new(&cfg_)), cover_(with_cover ? cover_new(&cfg_) : nullptr),
          quiet_(mutant != 0) {
        if (!golden_) {
            std::fprintf(stderr, "the golden model does not know this configuration\n");
            std::exit(2);
        }
#ifdef PMU_MUTANTS
        rtl_.mutant_i = mutant;
#endif
        traffic_init(&traffic_, &cfg_, seed);
        traffic_.waits = kWaits;
        traffic_.pipelined = PMU_CSR_PIPELINE;
        reset();
    }

    ~Bench() {
        gp_free(golden_);
        if (cover_)
            cover_free(cover_);
    }

    // false: a difference, which has been reported.
    bool cycle(uint64_t now) {
        now_ = now;
        traffic_next(&traffic_);
        branch();
        drive(traffic_.in);
        rtl_.rst = traffic_.rst;
        rtl_.clk = 0;
        rtl_.eval();
        react();
        if (!traffic_.rst && !compare())
            return false;
        if (cover_ && !traffic_.rst)
            cover_sample(cover_, golden_, &traffic_.in);
        log();
        rtl_.clk = 1;
        rtl_.eval();
        if (traffic_.rst)
            open_books();
        else
            gp_clock(golden_, &traffic_.in);
        if (now % 64)
            return true;
        if (!kWaits)
            return compare_state() && compare_numbers();
        traffic_look(&traffic_); // takes cycles: one register at a time
        return true;
    }

    unsigned report(bool every_cell, bool short_run) {
        return cover_ ? cover_report(cover_, every_cell, short_run) : 0;
    }

    // The first difference.
    const std::string &difference() const { return difference_; }

  private:
    gp_config cfg_;
    Vtally_pmu rtl_;
    gp *golden_;
    cover *cover_;
    traffic traffic_;
    gp_ledger ledger_{};
    uint64_t now_ = 0;
    bool stalls_ = false; // the unit lets nothing retire
    gp_csr asked_{};      // of the cycle before
    bool performed_ = false, promised_ = false;
    unsigned waited_ = 0; // cycles in a row in which the unit made it wait
    uint64_t ready_ = 0;  // the cycle from which on a reset is over
    static constexpr unsigned kNumbersALook = 16;
    static constexpr unsigned kResetCycles = 34; // of a RAM of 32 words
    unsigned differences_ = 0;
    std::string difference_;
    bool quiet_; // a mutant's difference is no news

    static constexpr unsigned kLog = 12;
    struct {
        uint64_t cycle;
        gp_csr csr;
        bool rst;
    } log_[kLog] = {};
    unsigned logged_ = 0;

    void reset() {
        drive(traffic_.in);
        rtl_.rst = 1;
        for (int i = 0; i < 4; i++) {
            rtl_.clk = i & 1;
            rtl_.eval();
        }
        open_books();
    }

    // Every overflow of the sampling counter is accounted for, in every cycle since the last reset.
    void open_books() {
        ready_ = now_ + (PMU_COUNTER_RAM ? kResetCycles : 0);
        gp_reset(golden_);
        ledger_ = gp_ledger{};
    }

    void drive_csr(const gp_csr &c) {
        rtl_.csr_valid_i = c.valid;
        rtl_.csr_num_i = c.num;
        rtl_.csr_op_i = c.op;
        rtl_.csr_wdata_i = static_cast<decltype(+rtl_.csr_wdata_i)>(c.wdata);
        rtl_.csr_priv_i = c.priv;
        rtl_.csr_v_i = c.v;
    }

    void drive_env(const gp_env &e) {
        rtl_.env_cde_i = e.cde;
        rtl_.env_pdiss_i = e.pdiss;
        rtl_.env_pdisv_i = e.pdisv;
        rtl_.env_mstateen0_i = e.mstateen0;
        rtl_.env_hstateen0_i = e.hstateen0;
        rtl_.env_sstateen0_i = e.sstateen0;
        rtl_.env_hcounteren_i = e.hcounteren;
        rtl_.env_lcofip_i = e.lcofip;
        rtl_.env_time_i = e.time;
        rtl_.env_htimedelta_i = e.htimedelta;
        rtl_.env_tlb_inval_i = e.tlb_inval;
    }

    void drive(const gp_in &in) {
        drive_csr(in.csr);
        drive_env(in.env);
        rtl_.mode_priv_i = in.mode.priv;
        rtl_.mode_v_i = in.mode.v;
        rtl_.mode_stopcount_i = in.mode.stopcount;
        rtl_.mode_debug_i = in.mode.debug;
        rtl_.mode_halted_i = in.mode.halted;
        for (unsigned lane = 0; lane < cfg_.retire_w; lane++) {
            // An instruction that does not retire may have any events.
            put(rtl_.ev_retire_i, lane * TALLY_EVR_N, TALLY_EVR_N,
                in.retire[lane].valid ? in.ev_retire[lane] : in.track.ev);
            put(rtl_.ret_valid_i, lane, 1, in.retire[lane].valid);
            put(rtl_.ret_pc_i, lane * PMU_XLEN, PMU_XLEN, in.retire[lane].pc);
            put(rtl_.ret_mode_i, lane * 3, 3, in.retire[lane].mode);
        }
        for (unsigned at = 0, bits = TALLY_EVC_N * PMU_EVC_W; at < bits; at += 64)
            put(rtl_.ev_cycle_i, at, bits - at < 64 ? bits - at : 64, in.ev_cycle[at / 64]);
        for (unsigned lane = 0; lane < cfg_.decode_w; lane++) {
            put(rtl_.dec_valid_i, lane, 1, in.decode[lane].valid);
            put(rtl_.dec_pc_i, lane * PMU_XLEN, PMU_XLEN, in.decode[lane].pc);
            put(rtl_.dec_type_i, lane * 3, 3, in.decode[lane].type);
            put(rtl_.dec_mode_i, lane * 3, 3, in.decode[lane].mode);
        }
        rtl_.ret_next_pc_i = static_cast<decltype(+rtl_.ret_next_pc_i)>(in.ret_next_pc);
        rtl_.ret_flush_pc_i = static_cast<decltype(+rtl_.ret_flush_pc_i)>(in.ret_flush_pc);
        rtl_.ret_flushed_i = in.ret_flushed;
        rtl_.ret_uebret_i = in.ret_uebret;
        rtl_.ret_uebret_ge_i = in.ret_uebret_ge;
        rtl_.ebb_ack_i = in.ebb_ack;
        rtl_.rec_ready_i = in.rec_ready;
        rtl_.rec_done_i = in.rec_done;
        rtl_.xlat_done_i = in.xlat_done;
        rtl_.xlat_fault_i = in.xlat_fault;
        rtl_.xlat_paddr_i = in.xlat_paddr;
        drive_track(in.track);
    }

    void drive_track(const gp_track &k) {
        rtl_.trk_dispatched_i = k.dispatched;
        rtl_.trk_issued_i = k.issued;
        rtl_.trk_completed_i = k.completed;
        rtl_.trk_oldest_i = k.oldest;
        rtl_.trk_retired_i = k.retired;
        rtl_.trk_trapped_i = k.trapped;
        rtl_.trk_flushed_i = k.flushed;
        rtl_.trk_flush_why_i = k.flush_why;
        rtl_.trk_flush_pc_i = static_cast<decltype(+rtl_.trk_flush_pc_i)>(k.flush_pc);
        rtl_.trk_itype_i = k.itype;
        rtl_.trk_mispred_i = k.mispred;
        rtl_.trk_itmiss_i = k.itmiss;
        rtl_.trk_icmiss_i = k.icmiss;
        rtl_.trk_l1miss_i = k.l1miss;
        rtl_.trk_llmiss_i = k.llmiss;
        rtl_.trk_l1tlbmiss_i = k.l1tlbmiss;
        rtl_.trk_lltlbmiss_i = k.lltlbmiss;
        rtl_.trk_dsrc_i = k.dsrc;
        rtl_.trk_ev_i = k.ev;
        rtl_.trk_vaddr_i = static_cast<decltype(+rtl_.trk_vaddr_i)>(k.vaddr);
        rtl_.trk_paddr_i = k.paddr;
        rtl_.trk_target_i = static_cast<decltype(+rtl_.trk_target_i)>(k.target);
    }

    void check(const char *what, uint64_t found, uint64_t expected) {
        if (found == expected)
            return;
        if (!differences_)
            difference_ = what;
        if (quiet_) {
            differences_++;
            return;
        }
        if (!differences_++)
            std::printf("cycle %" PRIu64 ": the RTL differs from the golden model\n", now_);
        std::printf("  %-14s expected %016" PRIx64 ", found %016" PRIx64 "\n", what, expected, found);
    }

    bool compare() {
        gp_out out;
        gp_eval(golden_, &traffic_.in, &out);
        bool acc = out.dec_sample && gp_peek(golden_, TALLY_CSR_MPDISCTL) & TALLY_MPDISCTL_ACC_MASK;
        check("conservation", gp_ledger_add(&ledger_, &out, acc), true);
        if (!stalls_) {
            check("csr_hit", rtl_.csr_hit_o, out.csr_hit);
            check("csr_illegal", rtl_.csr_illegal_o, out.csr_illegal);
            check("csr_virtual", rtl_.csr_virtual_o, out.csr_virtual);
            if (!PMU_CSR_PIPELINE || out.csr_hit)
                check("csr_rdata", rtl_.csr_rdata_o, out.csr_rdata); // 0 if the answer is no
        }
        check("dec_sample", rtl_.dec_sample_o, out.dec_sample);
        check("ret_max", rtl_.ret_max_o, stalls_ ? 0 : out.ret_max);
        check("irq_lcofi", rtl_.irq_lcofi_o, out.irq_lcofi);
        check("irq_lambi", rtl_.irq_lambi_o, out.irq_lambi);
        check("irq_andes", rtl_.irq_andes_o, out.irq_andes);
        check("ebb_req", rtl_.ebb_req_o, out.ebb_req);
        check("ebb_target", rtl_.ebb_target_o, out.ebb_target);
        check("ebb_return", rtl_.ebb_return_o, out.ebb_return);
        check("uebret_illegal", rtl_.uebret_illegal_o, out.uebret_illegal);
        check("uebret_virtual", rtl_.uebret_virtual_o, out.uebret_virtual);
        check("rec_valid", rtl_.rec_valid_o, out.rec_valid);
        check("rec_addr", rtl_.rec_addr_o, out.rec_addr);
        check("rec_data", rtl_.rec_data_o, out.rec_data);
        check("xlat_req", rtl_.xlat_req_o, out.xlat_req);
        check("xlat_vaddr", rtl_.xlat_vaddr_o, out.xlat_vaddr);
        check("xlat_mode", rtl_.xlat_mode_o, out.xlat_mode);
        return agreed();
    }

    // Everything that M-mode can read, without a clock edge.
    bool compare_state() {
        rtl_.clk = 0;
        for (const uint16_t *num = traffic_state; *num != 0xFFFF; num++) {
            gp_csr csr{};
            uint64_t expected;
            csr.num = *num;
            csr.priv = GP_M;
            csr.valid = true; // a read: it changes nothing
            drive_csr(csr);
            rtl_.eval();
            if (gp_csr_answer(golden_, &csr, &traffic_.in.env, &expected) != GP_CSR_OK ||
                rtl_.csr_rdata_o == expected)
                continue;
            char what[32];
            std::snprintf(what, sizeof what, "state of %03x", *num);
            check(what, rtl_.csr_rdata_o, expected);
        }
        return agreed();
    }

    // The next of all CSR numbers, in the end each by every operation in every mode: does the unit answer
    // exactly its own, with the right permissions?
    bool compare_numbers() {
        for (unsigned n = 0; n < kNumbersALook; n++) {
            gp_csr csr = traffic_numbers(&traffic_);
            uint64_t expected;
            drive_csr(csr);
            rtl_.eval();
            gp_answer answer = gp_csr_answer(golden_, &csr, &traffic_.in.env, &expected);
            char what[48];
            std::snprintf(what, sizeof what, "%03x op %d priv %d v %d", csr.num, csr.op, csr.priv, csr.v);
            check(what, rtl_.csr_hit_o << 2 | rtl_.csr_illegal_o << 1 | rtl_.csr_virtual_o,
                  (answer != GP_CSR_NOT_MINE) << 2 | (answer == GP_CSR_ILLEGAL) << 1 |
                      (answer == GP_CSR_VIRTUAL));
            check(what, rtl_.csr_rdata_o, expected);
        }
        return agreed();
    }

    bool agreed() {
        if (!differences_)
            return true;
        if (quiet_)
            return false;
        const gp_in &in = traffic_.in;
        std::printf("  csr: valid %d num %03x op %d priv %d v %d wdata %016" PRIx64 "\n", in.csr.valid,
                    in.csr.num, in.csr.op, in.csr.priv, in.csr.v, in.csr.wdata);
        std::printf("  env: cde %d mstateen0 %016" PRIx64 " hstateen0 %016" PRIx64 " hcounteren %08x\n",
                    in.env.cde, in.env.mstateen0, in.env.hstateen0, in.env.hcounteren);
        std::printf("  mode: priv %d v %d debug %d halted %d\n", in.mode.priv, in.mode.v, in.mode.stopcount,
                    in.mode.halted);
        for (unsigned lane = 0; lane < cfg_.retire_w; lane++)
            std::printf("  lane %u: events %016" PRIx64 "\n", lane, in.ev_retire[lane]);
        std::printf("  cycle events: %016" PRIx64 " %016" PRIx64 "\n", in.ev_cycle[0], in.ev_cycle[1]);
        std::printf("  golden: inhibit %08" PRIx64 " mcounteren %08" PRIx64 " siselect %03" PRIx64 "\n",
                    gp_peek(golden_, TALLY_CSR_MCOUNTINHIBIT), gp_peek(golden_, TALLY_CSR_MCOUNTEREN),
                    gp_peek(golden_, TALLY_CSR_SISELECT));
        for (unsigned i = 0; i < 3 + cfg_.hpm_n; i++)
            std::printf("  counter %2u: %016" PRIx64 " event %016" PRIx64 "\n", i,
                        gp_peek(golden_, TALLY_CSR_MCYCLE + i),
                        gp_peek(golden_, TALLY_CSR_MCOUNTINHIBIT + i));
        std::printf("  CSR accesses performed before, newest last:\n");
        for (unsigned k = logged_ > kLog ? logged_ - kLog : 0; k < logged_; k++) {
            const auto &l = log_[k % kLog];
            if (l.rst)
                std::printf("    cycle %" PRIu64 ": reset\n", l.cycle);
            else
                std::printf("    cycle %" PRIu64 ": num %03x op %d priv %d v %d wdata %016" PRIx64 "\n",
                            l.cycle, l.csr.num, l.csr.op, l.csr.priv, l.csr.v, l.csr.wdata);
        }
        return false;
    }

    // docs/integration.md, "Accesses that wait": nothing may retire for so many cycles in a row.
    unsigned patience() const {
        unsigned num = traffic_.in.csr.num;
        return num ? PMU_CSR_PIPELINE + (PMU_COUNTER_RAM && may_rest(num) ? 2 : 0) : 0;
    }

    // `limited`: it may let nothing retire for another reason.
    void check_wait(bool limited) {
        const gp_csr &now = traffic_.in.csr;
        bool same =
            now.num == asked_.num && now.op == asked_.op && now.priv == asked_.priv && now.v == asked_.v;
        waited_ = stalls_ && !limited ? (same ? waited_ : 0) + 1 : 0;
        check("cycles to wait", waited_ <= patience() || now_ <= ready_, 1);
        // The promise of csr_ready_next_o a cycle ago, of an access that has not been performed since.
        const bool stays = same && !performed_;
        check("ret_max_o after csr_ready_next_o", !promised_ || !stays || !stalls_ || limited, 1);
        promised_ = rtl_.csr_ready_next_o && !traffic_.rst && (stays || !PMU_CSR_PIPELINE);
        performed_ = now.valid && !stalls_ && !limited;
        asked_ = now;
    }

    // The host's answers to the unit's outputs. A unit with accesses that wait lets nothing retire
    // meanwhile. The golden model never waits.
    void react() {
        stalls_ = kWaits && !traffic_.rst && rtl_.ret_max_o == 0;
        if (!kWaits && !PMU_SMPDIS && !PMU_EBB)
            return;
        gp_out out;
        gp_eval(golden_, &traffic_.in, &out);
        check_wait(!out.ret_max);
        if (!stalls_ && !PMU_SMPDIS && !PMU_EBB)
            return;
        bool may_retire = !stalls_ && out.ret_max;
        if (stalls_ || !out.ret_max) { // sampling depends on the accesses performed
            traffic_stall(&traffic_);
            gp_eval(golden_, &traffic_.in, &out);
            out.ret_max = 0;
        }
        traffic_react(&traffic_, &out);
        traffic_return(&traffic_, may_retire);
        drive(traffic_.in);
        rtl_.eval();
    }

    // A branch is delivered, or not: the request depends on the state, the mode and the environment alone.
    void branch() {
        if (!PMU_EBB)
            return;
        const gp_in &in = traffic_.in;
        uint64_t target;
        bool request = gp_ebb_request(golden_, &in.mode, &in.env, &target);
        bool returns = gp_uebret_answer(golden_, &in.mode, &in.env, &target) == GP_CSR_OK;
        traffic_branch(&traffic_, request, returns);
    }

    void log() {
        if (traffic_.rst || (traffic_.in.csr.valid && traffic_.in.csr.op != GP_READ))
            log_[logged_++ % kLog] = {now_, traffic_.in.csr, traffic_.rst};
    }
};

struct options {
    uint64_t seed = 1;
    uint64_t cycles = 1000000;
    bool cover = true;
    bool mutants = false;
    bool cells = false;
};

bool parse(int argc, char **argv, options *o) {
    for (int i = 1; i < argc; i++) {
        std::string arg = argv[i];
        if (arg == "--long")
            o->cycles = kLongRun;
        else if (arg == "--no-cover")
            o->cover = false;
        else if (arg == "--mutants")
            o->mutants = true;
        else if (arg == "--cells")
            o->cells = true;
        else if ((arg == "--seed" || arg == "--cycles") && i + 1 < argc)
            (arg == "--seed" ? o->seed : o->cycles) = std::strtoull(argv[++i], nullptr, 0);
        else
            return false;
    }
    return true;
}

// Each mutant against the same traffic, until it is seen or for o.cycles.
int run_mutants(const options &o) {
    for (unsigned mutant; std::scanf("%u", &mutant) == 1;) {
        auto bench = std::make_unique<Bench>(o.seed, false, mutant);
        uint64_t now = 0;
        while (now < o.cycles && bench->cycle(now))
            now++;
        if (now < o.cycles)
            std::printf("%u %" PRIu64 " %s\n", mutant, now, bench->difference().c_str());
        else
            std::printf("%u alive\n", mutant);
        std::fflush(stdout);
    }
    return 0;
}

} // namespace

int main(int argc, char **argv) {
    options o;
    if (!parse(argc, argv, &o)) {
        std::fprintf(stderr, "usage: %s [--seed N] [--cycles N | --long] [--no-cover] [--cells]\n", argv[0]);
        return 2;
    }
    if (o.mutants)
        return run_mutants(o);
    std::printf("%s: --seed %" PRIu64 " --cycles %" PRIu64 "\n", PMU_NAME, o.seed, o.cycles);
    auto bench = std::make_unique<Bench>(o.seed, o.cover);
    for (uint64_t now = 0; now < o.cycles; now++)
        if (!bench->cycle(now)) {
            std::printf("to see it again: %s --seed %" PRIu64 " --cycles %" PRIu64 "\n", argv[0], o.seed,
                        now + 1);
            return 1;
        }
#if VM_COVERAGE
    Verilated::threadContextp()->coveragep()->write("coverage.dat");
#endif
    unsigned wrong = bench->report(o.cells, o.cycles < kLongRun);
    std::printf("%s: %" PRIu64 " cycles without a difference, %u cells of coverage wrong\n", PMU_NAME,
                o.cycles, wrong);
    return wrong ? 1 : 0;
}
