// SPDX-License-Identifier: Apache-2.0
// Event-based branches: the unit, the golden model and a third model (ebb_model.h, from the rulings alone)
// side by side. A random host (scene.h) accesses, retires, counts, changes modes and enables, delivers
// branches and returns; in every cycle all three agree, or the run ends with the answer of each.
//
//     pmu_ebb_<configuration> [--seed N] [--accesses N] [--cycles]
//
// The same seed gives the same run; accesses are those to registers of event-based branches. --cycles prints
// the inputs of every cycle before a difference. Exit status 0: no difference, and every situation
// of situations.h and every answer that a register can give in a mode was there; 1: not; 2: a wrong call.

#include "ebb_model.h"
#include "scene.h"
#include "situations.h"
#include "tally_pmu_model.h"
#include "tally_spec.h"
#include "unit.h"

#include <cinttypes>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <string>

namespace {

constexpr bool kWaits = PMU_CSR_PIPELINE || PMU_COUNTER_RAM;
constexpr unsigned kPatience = 8;            // cycles that an access may wait
constexpr unsigned kReset = 40;              // ... after a reset
constexpr unsigned kResets = 30000;          // cycles between two
constexpr unsigned kModes = PMU_HYP ? 5 : 3; // M, S, U, VS, VU
const char *const kModeNames[] = {"M", "S", "U", "VS", "VU"};
const char *const kVerdicts[] = {"allowed", "illegal", "virtual"};

constexpr struct {
    unsigned number;
    const char *name;
} kRegisters[] = {{EBB_UBESCR, "ubescr"},   {EBB_UEBBHR, "uebbhr"},    {EBB_UEBBRR, "uebbrr"},
                  {EBB_UEBBOVF, "uebbovf"}, {EBB_UEBBINH, "uebbinh"},  {EBB_UEBBSEL, "uebbsel"},
                  {EBB_UEBBCNT, "uebbcnt"}, {EBB_UEBBSPC, "uebbspc"},  {EBB_SEBBCTL, "sebbctl"},
                  {EBB_MEBBCTL, "mebbctl"}, {EBB_UEBBCNTH, "uebbcnth"}};
constexpr unsigned kRegisterN = sizeof kRegisters / sizeof *kRegisters;

enum situation {
#define EBB_ENUM(name, text) name,
    EBB_SITUATIONS(EBB_ENUM) kSituations
#undef EBB_ENUM
};

const char *const kSituationTexts[] = {
#define EBB_TEXT(name, text) text,
    EBB_SITUATIONS(EBB_TEXT)
#undef EBB_TEXT
};

// Not in this configuration.
bool impossible(situation s) {
    switch (s) {
    case by_a_later_lane:
        return PMU_RETIRE_W == 1;
    case cause_of_another_mode:
        return false;
    case beside_andes:
    case routed_in_mcounterinen:
        return !PMU_ANDES;
    case spc_written_by_an_event:
        return !PMU_SSPESA;
    case routed_without_sstateen:
        return !PMU_SMSTATEEN;
    default:
        return false;
    }
}

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

ebb_config modelled(const gp_config &c) {
    ebb_config m{};
    m.xlen = c.xlen;
    m.counters = static_cast<uint32_t>(((UINT64_C(1) << c.hpm_n) - 1) << 3);
    m.width = c.hpm_w;
    m.pc_zeros = 1;
    m.sspesa = c.sspesa;
    m.smstateen = c.smstateen;
    return m;
}

class Bench {
  public:
    Bench(uint64_t seed, bool tell)
        : cfg_(configuration()), model_(modelled(cfg_)), golden_(gp_new(&cfg_)),
          scene_(cfg_, model_, &state_, seed), tell_(tell) {
        if (!golden_) {
            std::fprintf(stderr, "the golden model does not know this configuration\n");
            std::exit(2);
        }
        reset();
    }
    ~Bench() { gp_free(golden_); }

    // false: a difference, or an access without an answer.
    bool run(uint64_t accesses) {
        while (asked_ < accesses) {
            if (now_ % kResets == kResets - 1) {
                reset();
                scene_.reset();
            }
            if (!step())
                return false;
            now_++;
        }
        return true;
    }

    uint64_t cycles() const { return now_; }

    // How many situations, and answers, were never there.
    unsigned report() const {
        unsigned missing = 0;

        for (unsigned s = 0; s < kSituations; s++) {
            bool none = !seen_[s] && !impossible(static_cast<situation>(s));
            missing += none;
            std::printf("%10" PRIu64 "%s %s\n", seen_[s], none ? "!" : " ", kSituationTexts[s]);
        }
        for (unsigned r = 0; r <= kRegisterN; r++) {
            const char *name = r < kRegisterN ? kRegisters[r].name : "uebret";
            std::printf("%-9s", name);
            for (unsigned m = 0; m < kModes; m++)
                for (unsigned v = 0; v < 3; v++) {
                    if (!possible(r, m, v))
                        continue;
                    missing += !answers_[r][m][v];
                    std::printf("  %s %s %" PRIu64 "%s", kModeNames[m], kVerdicts[v], answers_[r][m][v],
                                answers_[r][m][v] ? "" : "!");
                }
            std::printf("\n");
        }
        if (missing)
            std::printf("%u situations or answers were never there (marked !)\n", missing);
        return missing;
    }

  private:
    const gp_config cfg_;
    const ebb_config model_;
    ebb_state state_{};
    gp *golden_;
    Unit unit_;
    Scene scene_;
    const bool tell_;
    uint64_t now_ = 0, asked_ = 0, ready_ = 0;
    unsigned waited_ = 0;
    bool waits_ = false;
    unsigned differences_ = 0;
    uint64_t seen_[kSituations] = {};
    uint64_t answers_[kRegisterN + 1][5][3] = {};

    void reset() {
        ebb_reset(&state_);
        gp_reset(golden_);
        unit_.drive(gp_in{});
        unit_.reset();
        waits_ = false;
        ready_ = now_ + (PMU_COUNTER_RAM ? kReset : 0);
    }

    static unsigned mode_of(unsigned priv, bool v) {
        return priv == EBB_M ? 0 : (priv == EBB_S ? 1 : 2) + (v ? 2 : 0);
    }

    // Can the register (or uebret) give this answer in the mode, with any enables?
    bool possible(unsigned r, unsigned mode, unsigned verdict) const {
        static const ebb_priv privs[] = {EBB_M, EBB_S, EBB_U, EBB_S, EBB_U};
        for (unsigned bits = 0; bits < 32; bits++) {
            ebb_state s{};
            ebb_env e{true, (bits & 1) != 0, (bits & 2) != 0, privs[mode], mode > 2, false, false};
            s.mebbctl_en = bits & 4;
            s.sebbctl_en = bits & 8;
            s.sebbctl_win = bits & 16;
            ebb_access a{r < kRegisterN ? kRegisters[r].number : 0, EBB_READ, 0, privs[mode], mode > 2};
            if ((r < kRegisterN ? ebb_rights(&model_, &s, &e, &a) : ebb_uebret(&model_, &s, &e)) ==
                static_cast<ebb_verdict>(verdict))
                return r == kRegisterN || ebb_exists(&model_, a.number);
        }
        return false;
    }

    void check(const char *what, bool known, uint64_t model, uint64_t golden, uint64_t unit) {
        if ((!known || model == golden) && golden == unit)
            return;
        if (!differences_++)
            std::printf("cycle %" PRIu64 ": they differ\n", now_);
        if (known)
            std::printf("  %-14s third model %016" PRIx64 ", golden model %016" PRIx64 ", unit %016" PRIx64
                        "\n",
                        what, model, golden, unit);
        else
            std::printf("  %-14s golden model %016" PRIx64 ", unit %016" PRIx64 "\n", what, golden, unit);
    }

    ebb_verdict verdict() const {
        return scene_.branch ? ebb_rights(&model_, &state_, &scene_.cycle.env, &scene_.access)
                             : scene_.expected();
    }

    // The model's value of a register of counters.
    bool shown(uint64_t *value) const {
        const unsigned num = scene_.in.csr.num, n = num & 31;
        const bool high = (num & ~31u) == TALLY_CSR_MCYCLEH;

        if (scene_.branch) {
            *value = ebb_read(&model_, &state_, &scene_.cycle.env, num);
            return true;
        }
        if (num == TALLY_CSR_SCOUNTOVF) {
            *value = state_.of;
            return true;
        }
        if (((num & ~31u) != TALLY_CSR_MCYCLE && !high) || n < 3)
            return false;
        *value = high             ? state_.value[n] >> 32
                 : PMU_XLEN == 64 ? state_.value[n]
                                  : state_.value[n] & UINT32_MAX;
        return true;
    }

    void compare_answer(const gp_out &golden, const gp_out &unit) {
        const bool exists = !scene_.branch || ebb_exists(&model_, scene_.in.csr.num);
        const ebb_verdict expected = verdict();
        uint64_t value = 0;

        check("csr_hit", true, exists, golden.csr_hit, unit.csr_hit);
        if (!exists)
            return;
        check("csr_illegal", true, expected == EBB_ILLEGAL, golden.csr_illegal, unit.csr_illegal);
        check("csr_virtual", true, expected == EBB_VIRTUAL, golden.csr_virtual, unit.csr_virtual);
        bool known = expected != EBB_ALLOWED || shown(&value);
        check("csr_rdata", known, value, golden.csr_rdata, unit.csr_rdata);
    }

    void compare(const ebb_result &r, const gp_out &golden, const gp_out &unit) {
        const ebb_env &e = scene_.cycle.env;
        const ebb_verdict returns = ebb_uebret(&model_, &state_, &e);

        check("ebb_req", true, ebb_request(&model_, &state_, &e), golden.ebb_req, unit.ebb_req);
        check("ebb_target", true, state_.uebbhr, golden.ebb_target, unit.ebb_target);
        check("ebb_return", true, state_.uebbrr, golden.ebb_return, unit.ebb_return);
        check("uebret_illegal", true, returns == EBB_ILLEGAL, golden.uebret_illegal, unit.uebret_illegal);
        check("uebret_virtual", true, returns == EBB_VIRTUAL, golden.uebret_virtual, unit.uebret_virtual);
        check("irq_lcofi", true, r.lcofi != 0, golden.irq_lcofi, unit.irq_lcofi);
        check("irq_andes", true, r.andes != 0, golden.irq_andes, unit.irq_andes);
        answers_[kRegisterN][mode_of(e.priv, e.v)][returns]++;
        // With Sspesa the cause is the last that retires in its cycle, so that the branch follows it.
        int last = EBB_NOBODY;
        for (int lane = 0; lane < EBB_LANES; lane++)
            last = scene_.cycle.lane[lane].valid ? lane : last;
        if (PMU_SSPESA && r.cause != EBB_NOBODY)
            check("last of its cycle", true, static_cast<uint64_t>(last), static_cast<uint64_t>(r.cause),
                  static_cast<uint64_t>(r.cause));
    }

    // Counters by name, of the golden model alone: the unit's are seen when they are read.
    void compare_counters() {
        for (unsigned n = 3; n < 3 + PMU_HPM_N; n++) {
            char what[16];
            const uint64_t event = gp_peek(golden_, TALLY_CSR_MHPMEVENT3 + n - 3);
            const uint64_t count = gp_peek(golden_, TALLY_CSR_MHPMCOUNTER3 + n - 3);
            std::snprintf(what, sizeof what, "counter %u", n);
            check(what, true, state_.value[n], count, count);
            std::snprintf(what, sizeof what, "OF %u", n);
            check(what, true, state_.of >> n & 1, event >> 63, event >> 63);
        }
    }

    bool step() {
        gp_out golden, unit;

        scene_.next(waits_);
        scene_.in.csr.valid = false;
        std::memset(scene_.in.retire, 0, sizeof scene_.in.retire);
        std::memset(scene_.in.ev_retire, 0, sizeof scene_.in.ev_retire);
        scene_.in.ret_uebret = scene_.in.ebb_ack = false;
        unit_.drive(scene_.in);
        unit = unit_.outputs();
        gp_eval(golden_, &scene_.in, &golden);
        const bool stalls = kWaits && unit.ret_max == 0;
        if (!stalls || !scene_.asks)
            waited_ = 0;
        else if (++waited_ > kPatience && now_ > ready_) {
            std::printf("cycle %" PRIu64 ": access to %03x has no answer\n", now_, scene_.in.csr.num);
            return false;
        }
        waits_ = stalls && scene_.asks;
        if (!stalls) {
            check("ret_max", false, 0, golden.ret_max, unit.ret_max);
            if (scene_.asks)
                compare_answer(golden, unit);
        }
        scene_.react(unit.ret_max, !stalls && verdict() == EBB_ALLOWED,
                     ebb_request(&model_, &state_, &scene_.cycle.env));
        unit_.drive(scene_.in);
        unit = unit_.outputs();
        gp_eval(golden_, &scene_.in, &golden);

        ebb_state after = state_;
        const ebb_result r = ebb_step(&model_, &after, &scene_.cycle);
        compare(r, golden, unit);
        observe(r, after);
        if (tell_)
            tell(r);
        if (now_ % 8 == 0)
            compare_counters();
        if (differences_) {
            describe();
            return false;
        }
        if (scene_.asks && !stalls && scene_.branch)
            count_answer();
        state_ = after;
        scene_.performed();
        gp_clock(golden_, &scene_.in);
        unit_.clock();
        return true;
    }

    void count_answer() {
        asked_++;
        for (unsigned r = 0; r < kRegisterN; r++)
            if (kRegisters[r].number == scene_.access.number)
                answers_[r][mode_of(scene_.access.priv, scene_.access.v)][verdict()]++;
    }

    void see(situation s, bool happens) { seen_[s] += happens; }

    // Steps that counter n would make if nothing stopped it
    unsigned steps(unsigned n) const {
        unsigned found = scene_.cycle.steps[n];
        for (const ebb_lane &lane : scene_.cycle.lane)
            found += lane.valid && lane.counters >> n & 1;
        return found;
    }

    void observe(const ebb_result &r, const ebb_state &after) {
        const ebb_state &s = state_;
        const ebb_cycle &c = scene_.cycle;
        const ebb_access *a = c.access && c.access->op != EBB_READ ? c.access : nullptr;
        const unsigned number = a ? a->number : 0;
        const uint32_t data = a ? static_cast<uint32_t>(a->data) : 0,
                       routed = ebb_routed(&model_, &s, &c.env);
        const bool user = c.env.priv == EBB_U && !c.env.v, retires = c.lane[0].valid;

        see(routed_overflow_with_pme, r.events);
        see(routed_overflow_without_pme, r.missed);
        observe_cause(r);
        see(two_events, (r.routed & (r.routed - 1)) != 0);
        see(beside_lcofi, r.routed && r.lcofi);
        see(beside_andes, r.routed && r.andes);
        see(routed_in_mcounterinen, (r.routed & s.mcounterinen) != 0);
        see(second_overflow, (r.wraps & routed & ~r.routed) != 0);
        observe_flags(r, after, number, data, routed);
        observe_counters(after, number, routed);
        if (number == EBB_SEBBCTL) {
            see(route_closed_by_event, r.events && (r.routed & ~ebb_routed(&model_, &after, &c.env)));
            see(route_opened_by_wrap, (r.wraps & ~routed & ebb_routed(&model_, &after, &c.env)) != 0);
        }
        see(route_kept_undelegated, (s.sebbctl_route & model_.counters & ~s.mcounteren) != 0);
        see(route_kept_closed, (s.sebbctl_route & model_.counters) && !routed && c.env.cde);
        see(routed_without_en, r.routed && !s.sebbctl_en);
        see(routed_without_sstateen, r.routed && s.sebbctl_en && !c.env.sstateen_c);
        see(delivered, r.delivered);
        see(delivered_by_event, r.delivered && r.events);
        see(delivered_by_missed, r.delivered && r.missed);
        see(ack_without_request, c.ack && !r.delivered);
        see(waits_for_user_mode, s.ge && s.pmeo && !user);
        see(waits_in_debug_mode, s.ge && s.pmeo && user && c.env.debug);
        see(waits_for_the_gate, s.ge && s.pmeo && user && ebb_uebret(&model_, &s, &c.env) != EBB_ALLOWED);
        see(uebret_0, c.uebret && !c.uebret_ge);
        see(uebret_1_delivers, c.uebret && c.uebret_ge && s.pmeo);
        see(uebret_by_event, c.uebret && r.events && retires && r.cause == 0);
    }

    void observe_cause(const ebb_result &r) {
        const bool retires = scene_.in.retire[0].valid || (PMU_RETIRE_W > 1 && any_retires());

        if (!r.events)
            return;
        see(by_an_instruction, r.cause != EBB_NOBODY);
        see(by_a_later_lane, r.cause > 0 && scene_.cycle.lane[0].valid);
        see(beside_an_instruction, r.cause == EBB_NOBODY && retires);
        see(by_nothing, r.cause == EBB_NOBODY && !retires && !scene_.in.ret_flushed);
        see(by_nothing_after_a_flush, r.cause == EBB_NOBODY && scene_.in.ret_flushed);
        see(cause_of_another_mode, !r.cause_is_user);
    }

    bool any_retires() const {
        for (const ebb_lane &lane : scene_.cycle.lane)
            if (lane.valid)
                return true;
        return false;
    }

    void observe_flags(const ebb_result &r, const ebb_state &after, unsigned number, uint32_t data,
                       uint32_t routed) {
        const ebb_state &s = state_;
        const uint32_t old = s.of & routed;
        const gp_csr &csr = scene_.in.csr;
        const bool writes_pme =
            number == EBB_UBESCR && ((csr.op == GP_CLEAR ? s.pme && !(data >> 16 & 1) : data >> 16 & 1) ||
                                     (csr.op == GP_SET && s.pme));

        if (number == EBB_UBESCR) {
            see(ubescr_written_by_an_event, r.events);
            see(pme_cleared_by_an_event, r.events && !writes_pme);
            see(pmeo_cleared_by_an_event, r.events && csr.op == GP_CLEAR && (data & 1));
            see(pme_meets_flag, !s.pme && writes_pme && old);
            see(pme_meets_new_flag, !s.pme && writes_pme && !old && r.routed);
            see(pme_meets_no_flag, !s.pme && writes_pme && after.pme);
            see(pme_meets_unrouted_flag, !s.pme && writes_pme && after.pme && s.of);
            see(pme_again_with_flag, s.pme && writes_pme && old && !r.events);
        }
        see(spc_written_by_an_event, number == EBB_UEBBSPC && r.events);
        if (number == EBB_UEBBOVF) {
            see(flag_cleared_by_its_wrap, csr.op == GP_CLEAR && (data & old & r.routed));
            see(other_flag_cleared_by_wrap, csr.op == GP_CLEAR && r.routed && (data & old & ~r.routed));
            see(other_flag_set_by_wrap, csr.op == GP_SET && (r.routed & ~data));
            see(flags_written_by_wrap, csr.op == GP_WRITE && (r.routed & ~data));
        }
        if (const ebb_other *o = scene_.cycle.other) {
            see(flag_cleared_elsewhere, (o->of_cleared & r.routed & s.of) != 0);
            see(event_written_by_wrap, (o->of_written & r.routed) != 0);
        }
    }

    void observe_counters(const ebb_state &after, unsigned number, uint32_t routed) {
        const ebb_state &s = state_;
        const ebb_cycle &c = scene_.cycle;
        const bool user = c.env.priv == EBB_U && !c.env.v;

        if (number == EBB_UEBBCNT) {
            bool here = routed >> s.uebbsel & 1;
            unsigned n = s.uebbsel;
            see(count_written_by_wrap, here && ebb_counts(&model_, &s, &c.env, n) &&
                                           steps(n) > (UINT64_MAX >> (64 - PMU_HPM_W)) - s.value[n]);
            see(count_of_no_route, !here && ebb_counts(&model_, &s, &c.env, n) && steps(n));
        }
        see(count_written_elsewhere, c.other && (c.other->value_written & routed));
        for (unsigned n = 3; n < 3 + PMU_HPM_N; n++) {
            const bool counts = ebb_counts(&model_, &s, &c.env, n);
            if (!steps(n))
                continue;
            if (!(routed >> n & 1)) {
                see(inhibit_kept, counts && (s.uebbinh >> n & 1) && after.value[n] != s.value[n]);
                continue;
            }
            const bool free = !(s.inhibit >> n & 1) && !c.env.stopcount;
            see(freeze_holds, free && user && s.fz && s.pmeo && !(s.uebbinh >> n & 1));
            see(inhibit_holds, free && user && !(s.fz && s.pmeo) && (s.uebbinh >> n & 1));
            see(mode_holds, free && !user && !counts);
            see(stopcount_holds, !(s.inhibit >> n & 1) && c.env.stopcount && user);
        }
    }

    void tell(const ebb_result &r) const {
        const gp_in &in = scene_.in;
        std::printf("%8" PRIu64 " %s%s%s%s", now_, kModeNames[mode_of(in.mode.priv, in.mode.v)],
                    in.mode.debug ? " debug" : "", in.mode.stopcount ? " stopcount" : "",
                    in.mode.halted ? " halted" : "");
        if (scene_.asks)
            std::printf("  %s %03x op %d %016" PRIx64 " as %s: %s", in.csr.valid ? "access" : "asks",
                        in.csr.num, in.csr.op, in.csr.wdata, kModeNames[mode_of(in.csr.priv, in.csr.v)],
                        kVerdicts[verdict()]);
        for (unsigned lane = 0; lane < PMU_RETIRE_W; lane++)
            if (in.retire[lane].valid)
                std::printf("  lane %u pc %" PRIx64 " mode %u", lane, in.retire[lane].pc,
                            in.retire[lane].mode);
        if (in.ret_uebret)
            std::printf("  uebret %d", in.ret_uebret_ge);
        if (in.ebb_ack)
            std::printf("  ack");
        std::printf("  wraps %08x routed %08x lcofi %08x\n", r.wraps, r.routed, r.lcofi);
    }

    // All state of the third model
    void describe() const {
        const ebb_state &s = state_;
        std::printf(
            "  CDE %d, mstateen0.C %d, sstateen0.C %d; mebbctl.EN %d, sebbctl EN %d WIN %d routes %08x\n",
            scene_.cycle.env.cde, scene_.cycle.env.mstateen_c, scene_.cycle.env.sstateen_c, s.mebbctl_en,
            s.sebbctl_en, s.sebbctl_win, s.sebbctl_route);
        std::printf("  GE %d FZ %d PME %d PMEO %d, uebbspc %" PRIx64 ", next pc %" PRIx64 "\n", s.ge, s.fz,
                    s.pme, s.pmeo, s.uebbspc, scene_.in.ret_next_pc);
        std::printf("  uebbinh %08x, uebbsel %u, OF %08x, inhibit %08x, mcounteren %08x, mcounterinen %08x\n",
                    s.uebbinh, s.uebbsel, s.of, s.inhibit, s.mcounteren, s.mcounterinen);
        for (unsigned n = 3; n < 3 + PMU_HPM_N; n++)
            if (s.value[n])
                std::printf("  counter %u: %016" PRIx64 ", filter %02x, %u steps\n", n, s.value[n],
                            s.filter[n], steps(n));
        tell(ebb_result{});
    }
};

} // namespace

int main(int argc, char **argv) {
    uint64_t seed = 1, accesses = 200000;
    bool tell = false;

    for (int i = 1; i < argc; i++) {
        std::string arg = argv[i];
        if (arg == "--cycles") {
            tell = true;
        } else if ((arg == "--seed" || arg == "--accesses") && i + 1 < argc) {
            (arg == "--seed" ? seed : accesses) = std::strtoull(argv[++i], nullptr, 0);
        } else {
            std::fprintf(stderr, "usage: %s [--seed N] [--accesses N] [--cycles]\n", argv[0]);
            return 2;
        }
    }
    std::printf("%s: --seed %" PRIu64 " --accesses %" PRIu64 "\n", PMU_NAME, seed, accesses);
    auto bench = std::make_unique<Bench>(seed, tell);
    if (!bench->run(accesses)) {
        std::printf("to see it again: %s --seed %" PRIu64 " --accesses %" PRIu64 "\n", argv[0], seed,
                    accesses);
        return 1;
    }
    if (bench->report())
        return 1;
    std::printf("%s: %" PRIu64 " accesses in %" PRIu64 " cycles, no difference\n", PMU_NAME, accesses,
                bench->cycles());
    return 0;
}
