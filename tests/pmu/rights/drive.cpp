// SPDX-License-Identifier: Apache-2.0
// The rights of every CSR access: the unit against a model of rights (rights.h) that is written from the
// specifications alone. Each access has a random number, mode and operation under random enables; the answer
// (allowed, illegal or virtual instruction) and the bits of scountovf are compared. Accesses of M-, S- and
// VS-mode that set enables are performed; of the others only the answer is read.
// Nothing counts, so OF changes by writes alone.
//
//     pmu_rights_<configuration> [--seed N] [--accesses N] [--first]
//
// The same seed gives the same run; --first ends it at the first difference. Exit status 0: no difference,
// every number asked for in every mode by a read and a write, and every answer that the model can give for a
// class of registers in a mode was given.

#include "Vtally_pmu.h"

#include "random.h"
#include "rights.h"
#include "tally_spec.h"

#include <array>
#include <bitset>
#include <cinttypes>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace {

constexpr unsigned kNumbers = 4096;
constexpr uint64_t kSelector = PMU_XLEN == 64 ? (UINT64_C(1) << 56) - 1 : UINT32_MAX; // of shpmevent
constexpr unsigned kPatience = 64; // cycles that an access may wait, the first after reset included
constexpr unsigned kOfTry = 4;     // enables change once in so many accesses
constexpr unsigned kOfViews = 8;   // one access in so many is to a register that shows bits of M-mode's
constexpr unsigned kOftener = 4;   // sireg*, which has most to say, than other registers
constexpr unsigned kSweep = 4;     // one access in so many is the next of all numbers, modes and operations

rights_unit built() {
    rights_unit u{};
    u.xlen = PMU_XLEN;
    u.hpm_n = PMU_HPM_N;
    u.pdis_mem = PMU_PDIS_MEM;
    u.sscofpmf = PMU_SSCOFPMF;
    u.smcntrpmf = PMU_SMCNTRPMF;
    u.smcsrind = PMU_SMCSRIND;
    u.smcdeleg = PMU_SMCDELEG;
    u.smstateen = PMU_SMSTATEEN;
    u.hyp = PMU_HYP;
    u.andes = PMU_ANDES;
    u.andes_swrite = PMU_ANDES_SWRITE;
    u.swevent = PMU_SWEVENT;
    u.pcrange = PMU_PCRANGE;
    u.sspesa = PMU_SSPESA;
    u.smpdis = PMU_SMPDIS;
    return u;
}

constexpr unsigned kModes = PMU_HYP ? RIGHTS_MODES : RIGHTS_VS; // without H there is no V=1

struct access {
    unsigned num;
    rights_mode mode;
    unsigned op; // 0 reads only; 1 writes, 2 sets, 3 clears bits
    uint64_t data;
};

struct answer {
    rights_answer rights;
    uint64_t data;
};

// The unit, as a host sees it.
class Unit {
  public:
    Unit() {
        rtl_.mode_stopcount_i = 1; // nothing counts
        rtl_.rst = 1;
        for (int i = 0; i < 4; i++)
            clock();
        rtl_.rst = 0;
    }

    void enables(const rights_enables &e) {
        ask_nothing(); // rights do not change during an access
        rtl_.env_cde_i = e.cde;
        rtl_.env_mstateen0_i = e.mstateen0;
        rtl_.env_hstateen0_i = e.hstateen0;
        rtl_.env_hcounteren_i = e.hcounteren;
    }

    answer ask(const access &a) {
        rtl_.csr_num_i = a.num;
        rtl_.csr_op_i = a.op;
        rtl_.csr_wdata_i = static_cast<decltype(+rtl_.csr_wdata_i)>(a.data);
        rtl_.csr_priv_i = a.mode == RIGHTS_M ? 3 : a.mode == RIGHTS_S || a.mode == RIGHTS_VS ? 1 : 0;
        rtl_.csr_v_i = a.mode == RIGHTS_VS || a.mode == RIGHTS_VU;
        rtl_.eval();
        for (unsigned waited = 0; rtl_.ret_max_o == 0; waited++) {
            if (waited == kPatience) {
                std::printf("%s: access to %03x has no answer\n", PMU_NAME, a.num);
                std::exit(1);
            }
            clock();
        }
        if (rtl_.csr_illegal_o && rtl_.csr_virtual_o)
            return {RIGHTS_ANSWERS, 0};
        return {!rtl_.csr_hit_o      ? RIGHTS_ABSENT
                : rtl_.csr_illegal_o ? RIGHTS_ILLEGAL
                : rtl_.csr_virtual_o ? RIGHTS_VIRTUAL
                                     : RIGHTS_ALLOWED,
                rtl_.csr_rdata_o};
    }

    // mcounteren.TM, which gives a right to stimecmp.
    bool time_enable() const { return rtl_.csr_tm_o; }

    // The access that was asked for last.
    void perform() {
        rtl_.csr_valid_i = 1;
        rtl_.eval();
        clock();
        ask_nothing();
    }

  private:
    Vtally_pmu rtl_;

    void clock() {
        rtl_.clk = 1;
        rtl_.eval();
        rtl_.clk = 0;
        rtl_.eval();
    }

    void ask_nothing() {
        rtl_.csr_valid_i = 0;
        rtl_.csr_num_i = 0;
        rtl_.csr_op_i = 0;
        clock();
    }
};

// Numbers of event-based branches have an oracle of their own, tests/pmu/ebb_model.
bool of_branches(unsigned num) {
    return (num >= TALLY_CSR_UBESCR && num <= TALLY_CSR_UEBBCNTH) || num == TALLY_CSR_UEBBSPC ||
           num == TALLY_CSR_SEBBCTL || num == TALLY_CSR_MEBBCTL;
}

class Bench {
  public:
    explicit Bench(uint64_t seed) : u_(built()) {
        rng_seed(&rng_, seed);
        for (unsigned num = 0; num < kNumbers; num++)
            numbers_[rights_class_of(&u_, &e_, RIGHTS_M, num)].push_back(num);
        rights_view view;
        for (unsigned num = 0; num < kNumbers; num++)
            if (rights_view_of(&u_, &e_, RIGHTS_S, num, &view))
                views_.push_back(num);
        for (unsigned c = 0; c < RIGHTS_CLASSES; c++)
            if (!numbers_[c].empty())
                classes_.insert(classes_.end(), c == RIGHTS_WINDOW_OTHER ? kOftener : 1, c);
    }

    void run(uint64_t accesses, bool first) {
        for (now_ = 0; now_ < accesses && !(first && !differences_.empty()); now_++) {
            if (now_ % kOfTry == 0)
                change();
            if (now_ % kOfViews == 1 && !views_.empty())
                ask_view();
            else
                ask(next());
        }
    }

    // false: a difference, or something that was never seen.
    bool report() {
        print_cells();
        unsigned numbers = 0;
        for (auto &mode : asked_)
            for (auto &write : mode)
                numbers += static_cast<unsigned>(kNumbers - write.count());
        if (numbers -= (RIGHTS_MODES - kModes) * 2 * kNumbers)
            std::printf("%u numbers never asked for in a mode\n", numbers);
        for (auto &d : differences_)
            std::printf("%8" PRIu64 " x %s\n", d.second, d.first.c_str());
        return differences_.empty() && !missing_ && !numbers;
    }

  private:
    const rights_unit u_;
    Unit unit_;
    rng rng_{};
    rights_enables e_{};
    uint32_t of_ = 0; // of the counters; bit 1: mpdisctl.OF
    uint64_t now_ = 0, sweep_ = 0;
    uint64_t shown_[3][RIGHTS_MODES] = {}; // scountovf; views read and written
    unsigned missing_ = 0;
    std::vector<unsigned> numbers_[RIGHTS_CLASSES], classes_, views_;
    uint64_t seen_[RIGHTS_CLASSES][RIGHTS_MODES][2][RIGHTS_ANSWERS] = {};
    bool possible_[RIGHTS_CLASSES][RIGHTS_MODES][2][RIGHTS_ANSWERS] = {};
    std::array<std::array<std::bitset<kNumbers>, 2>, RIGHTS_MODES> asked_;
    std::map<std::string, uint64_t> differences_; // how often each kind
    bool print_first_ = false;

    access next() {
        access a{};
        if (now_ % kSweep == 0) {
            uint64_t at = sweep_++;
            a.op = at % 2 ? 1 + rng_below(&rng_, 3) : 0;
            a.mode = static_cast<rights_mode>(at / 2 % kModes);
            a.num = at / 2 / kModes % kNumbers;
        } else {
            const auto &group = numbers_[classes_[rng_below(&rng_, classes_.size())]];
            a.op = rng_chance(&rng_, 128) ? 0 : 1 + rng_below(&rng_, 3);
            a.mode = static_cast<rights_mode>(rng_below(&rng_, kModes));
            a.num = group[rng_below(&rng_, group.size())];
        }
        a.data = rng_64(&rng_);
        return a;
    }

    bool ask(const access &a, uint64_t *data = nullptr) {
        bool write = a.op != 0;
        rights_class c = rights_class_of(&u_, &e_, a.mode, a.num);
        rights_answer expected = rights(&u_, &e_, a.mode, a.num, write);
        asked_[a.mode][write].set(a.num);
        if (of_branches(a.num))
            return true;
        answer found = unit_.ask(a);
        if (unit_.time_enable() != (e_.mcounteren >> 1 & 1))
            differ(a, c, "csr_tm_o is not mcounteren.TM");
        seen_[c][a.mode][write][expected]++;
        if (found.rights != expected) {
            differ(
                a, c,
                std::string("expected ") + rights_answer_names[expected] + ", found " +
                    (found.rights == RIGHTS_ANSWERS ? "both exceptions" : rights_answer_names[found.rights]));
            return false;
        }
        if (expected != RIGHTS_ALLOWED) {
            if (found.data && expected != RIGHTS_ABSENT)
                differ(a, c, "refused, and shows what is not 0");
            return false;
        }
        uint64_t value;
        if (shown(a, &value))
            same(a, "shows another value", value, found.data);
        if (data)
            *data = found.data;
        if (a.num == TALLY_CSR_SCOUNTOVF)
            shown_[0][a.mode]++;
        return true;
    }

    // The values that M-mode reads.
    uint64_t machine(unsigned num) { return unit_.ask({num, RIGHTS_M, 0, 0}).data; }

    // An access to a register that shows and changes some bits of one of M-mode; performed if it is allowed.
    void ask_view() {
        access a{views_[rng_below(&rng_, views_.size())], some_mode(), rng_below(&rng_, 4), some_bits()};
        rights_view view{};
        rights_view_of(&u_, &e_, a.mode, a.num, &view);
        bool event = view.machine >= TALLY_CSR_MHPMEVENT3 && view.machine <= TALLY_CSR_MHPMEVENT31;
        uint64_t selector = event ? kSelector : UINT32_MAX;
        uint64_t shown = view.shown ? event ? selector : view.shown : 0;
        uint64_t changed = view.changed ? event ? selector : view.changed : 0;
        uint64_t before = machine(view.machine);
        uint64_t value;
        if (!ask(a, &value))
            return;
        shown_[1 + (a.op != 0)][a.mode]++;
        same(a, "shows other bits", before & shown, value);
        unit_.perform();
        uint64_t after = machine(view.machine);
        same(a, "changes other bits", before & ~changed, after & ~changed);
        if (!event) // a selector may be of no event
            same(a, "changes bits to another value", written(a, before) & changed, after & changed);
        if (a.num == TALLY_CSR_SCOUNTEROVF)
            of_ = (of_ & 2) | (static_cast<uint32_t>(after) & ~UINT32_C(7));
    }

    // The new value of a register of ordinary bits, or of flags that a 1 clears.
    static uint64_t written(const access &a, uint64_t before) {
        bool flags = a.num == TALLY_CSR_SCOUNTEROVF;
        switch (a.op) {
        case 0:
            return before;
        case 1:
            return flags ? before & ~a.data : a.data;
        case 2:
            return flags ? before : before | a.data;
        default:
            return before & ~a.data;
        }
    }

    void same(const access &a, const char *what, uint64_t expected, uint64_t found) {
        if (expected == found)
            return;
        differ(a, rights_class_of(&u_, &e_, a.mode, a.num), what);
        if (print_first_)
            std::printf("  expected %" PRIx64 ", found %" PRIx64 "\n", expected, found);
    }

    // The value that a register of the model reads.
    bool shown(const access &a, uint64_t *value) {
        switch (a.num) {
        case TALLY_CSR_SCOUNTOVF:
            *value = rights_scountovf(&u_, &e_, a.mode, of_);
            return true;
        case TALLY_CSR_MCOUNTEREN:
            *value = e_.mcounteren;
            return true;
        case TALLY_CSR_SCOUNTEREN:
            *value = e_.scounteren;
            return true;
        case TALLY_CSR_MCOUNTERWEN:
            *value = e_.mcounterwen;
            return true;
        case TALLY_CSR_SISELECT:
            *value = a.mode == RIGHTS_VS ? e_.vsiselect : e_.siselect;
            return true;
        case TALLY_CSR_VSISELECT:
            *value = e_.vsiselect;
            return true;
        default:
            return false;
        }
    }

    // ---- enables

    uint64_t some_bits() {
        static const unsigned dense[] = {0, 4, 8, 12, 14, 16};
        return rng_dense(&rng_, dense[rng_below(&rng_, 6)]);
    }

    unsigned some_select() {
        switch (rng_below(&rng_, 8)) {
        case 0:
            return rng_word(&rng_) & 0xFFF;
        case 1:
            return 0x3E + rng_below(&rng_, 4);
        case 2:
        case 3:
            return 0x5F + rng_below(&rng_, 4);
        case 4:
        case 5:
            return TALLY_COUNTER_SELECT + rng_below(&rng_, 32);
        default: // of existing counters, and the next
            return TALLY_COUNTER_SELECT + rng_below(&rng_, PMU_HPM_N < 29 ? PMU_HPM_N + 4 : 32);
        }
    }

    void change() {
        switch (rng_below(&rng_, 10)) {
        case 0:
        case 1:
            e_.cde = rng_chance(&rng_, 128);
            e_.mstateen0 = rng_dense(&rng_, 11);
            e_.hstateen0 = rng_dense(&rng_, 11) & e_.mstateen0;
            e_.hcounteren = static_cast<uint32_t>(some_bits());
            unit_.enables(e_);
            break;
        case 2:
            set(RIGHTS_M, TALLY_CSR_MCOUNTEREN, some_bits());
            break;
        case 3:
            set(some_mode(), TALLY_CSR_SCOUNTEREN, some_bits());
            break;
        case 4:
            set(some_mode(), rng_chance(&rng_, 128) ? TALLY_CSR_SISELECT : TALLY_CSR_VSISELECT,
                some_select());
            break;
        case 5:
            set(some_mode(), TALLY_CSR_SISELECT, some_select());
            break;
        case 6:
            set(RIGHTS_M, TALLY_CSR_MCOUNTERWEN, some_bits());
            break;
        case 7:
        case 8:
            fill();
            break;
        default:
            set_overflow();
        }
    }

    rights_mode some_mode() { return static_cast<rights_mode>(rng_below(&rng_, kModes)); }

    // OF of a counter or of sampling, and on RV64 with it the selector.
    void set_overflow() {
        bool of = rng_chance(&rng_, 128);
        unsigned n = 2 + rng_below(&rng_, 30);
        unsigned num;
        if (n == 2)
            num = PMU_XLEN == 64 ? TALLY_CSR_MPDISCTL : TALLY_CSR_MPDISCTLH;
        else
            num = (PMU_XLEN == 64 ? TALLY_CSR_MHPMEVENT3 : TALLY_CSR_MHPMEVENT3H) + n - 3;
        set(RIGHTS_M, num,
            static_cast<uint64_t>(of) << (PMU_XLEN - 1) | (PMU_XLEN == 64 && n > 2 ? some_event() : 0));
    }

    uint64_t some_event() { return 1 + rng_below(&rng_, 6); } // existing codes

    // Views: the bits that they show.
    void fill() {
        static const unsigned nums[] = {TALLY_CSR_MCOUNTINHIBIT,  TALLY_CSR_MCOUNTERINEN,
                                        TALLY_CSR_MCOUNTERMASK_M, TALLY_CSR_MCOUNTERMASK_S,
                                        TALLY_CSR_MCOUNTERMASK_U, TALLY_CSR_SHPMPCSEL};
        unsigned k = rng_below(&rng_, PMU_XLEN == 32 ? 7 : 6);
        if (k < 6)
            perform({nums[k], RIGHTS_M, 1, some_bits()});
        else
            perform({TALLY_CSR_MHPMEVENT3 + rng_below(&rng_, 29), RIGHTS_M, 1, some_event()});
    }

    // If it is allowed.
    bool perform(const access &a) {
        if (!ask(a))
            return false;
        unit_.perform();
        return true;
    }

    // A write that the model follows.
    void set(rights_mode mode, unsigned num, uint64_t value) {
        if (!perform({num, mode, 1, value}))
            return;
        uint32_t low = static_cast<uint32_t>(value), there = rights_counters(&u_);
        switch (num) {
        case TALLY_CSR_MCOUNTEREN:
            e_.mcounteren = low & there;
            break;
        case TALLY_CSR_SCOUNTEREN:
            e_.scounteren = low & there;
            break;
        case TALLY_CSR_MCOUNTERWEN:
            e_.mcounterwen = low & there & ~UINT32_C(2);
            break;
        case TALLY_CSR_SISELECT:
            (mode == RIGHTS_VS ? e_.vsiselect : e_.siselect) = low & 0xFFF;
            break;
        case TALLY_CSR_VSISELECT:
            e_.vsiselect = low & 0xFFF;
            break;
        case TALLY_CSR_MPDISCTL:
        case TALLY_CSR_MPDISCTLH:
            of_ = value >> (PMU_XLEN - 1) ? of_ | 2 : of_ & ~UINT32_C(2);
            break;
        default: {
            uint32_t bit = UINT32_C(1) << num % 32;
            of_ = value >> (PMU_XLEN - 1) ? of_ | bit : of_ & ~bit;
        }
        }
    }

    // ---- report

    void differ(const access &a, rights_class c, const std::string &what) {
        std::string key = std::string(rights_class_names[c]) + ", " + rights_mode_names[a.mode] + ", " +
                          (a.op ? "write" : "read") + ": " + what;
        print_first_ = !differences_[key]++;
        if (!print_first_)
            return;
        std::printf("access %" PRIu64 ": %s\n", now_, key.c_str());
        std::printf("  number %03x, CDE %d, mstateen0 %016" PRIx64 ", hstateen0 %016" PRIx64 "\n", a.num,
                    e_.cde, e_.mstateen0, e_.hstateen0);
        std::printf("  mcounteren %08x, scounteren %08x, hcounteren %08x, mcounterwen %08x, siselect %03x, "
                    "vsiselect %03x\n",
                    e_.mcounteren, e_.scounteren, e_.hcounteren, e_.mcounterwen, e_.siselect, e_.vsiselect);
    }

    // The answers that the model can give, by every setting of the registers that give rights.
    void find_possible() {
        const uint64_t stateen[] = {TALLY_MSTATEEN0_C_MASK, TALLY_MSTATEEN0_PDIS_MASK,
                                    TALLY_MSTATEEN0_CSRIND_MASK};
        const uint32_t there = rights_counters(&u_);
        for (unsigned bits = 0; bits < 2048; bits++) {
            rights_enables e{};
            e.cde = bits & 1;
            e.mcounteren = bits & 2 ? there : 0;
            e.scounteren = bits & 4 ? there : 0;
            e.hcounteren = bits & 8 ? there : 0;
            e.mcounterwen = bits & 16 ? there & ~2u : 0;
            for (unsigned k = 0; k < 3; k++) {
                e.mstateen0 |= bits >> (5 + k) & 1 ? stateen[k] : 0;
                e.hstateen0 |= bits >> (8 + k) & 1 ? stateen[k] : 0;
            }
            e.hstateen0 &= e.mstateen0;
            for (unsigned select :
                 {0, TALLY_COUNTER_SELECT, TALLY_COUNTER_SELECT + 1, TALLY_COUNTER_SELECT + 3,
                  TALLY_COUNTER_SELECT + 31, TALLY_RECORD_SELECT}) {
                e.siselect = e.vsiselect = select;
                for (unsigned c : classes_)
                    for (unsigned num : numbers_[c])
                        if (!select || (num & 0xCF8) == (TALLY_CSR_SISELECT & 0xCF8))
                            find_possible(e, num);
            }
        }
    }

    void find_possible(const rights_enables &e, unsigned num) {
        for (unsigned m = 0; m < kModes; m++)
            for (int write = 0; write < 2; write++) {
                rights_mode mode = static_cast<rights_mode>(m);
                possible_[rights_class_of(&u_, &e, mode, num)][m][write][rights(&u_, &e, mode, num, write)] =
                    true;
            }
    }

    void print_cells() {
        find_possible();
        std::printf("%-32s    %9s %9s %9s    %10s %9s %9s\n", "", "reads", "illegal", "virtual", "writes",
                    "illegal", "virtual");
        for (unsigned c = 0; c < RIGHTS_CLASSES; c++)
            for (unsigned m = 0; m < kModes; m++)
                print_row(c, m);
        if (missing_)
            std::printf("%u answers that are possible were never given (marked !)\n", missing_);
        static const char *const what[] = {"scountovf", "views read", "views written"};
        for (unsigned k = 0; k < 3; k++) {
            std::printf("%-27s", what[k]);
            for (unsigned m = 0; m < kModes; m++)
                std::printf("%s %" PRIu64 "%s", rights_mode_names[m], shown_[k][m],
                            m + 1 < kModes ? ", " : "\n");
        }
    }

    void print_row(unsigned c, unsigned m) {
        bool any = false;
        std::string line;
        for (int write = 0; write < 2; write++) {
            line += "   ";
            for (unsigned r = 0; r < RIGHTS_ANSWERS; r++) {
                char cell[16];
                uint64_t n = seen_[c][m][write][r];
                bool missing = possible_[c][m][write][r] && !n;
                if (r == RIGHTS_ABSENT && c != RIGHTS_NONE)
                    continue;
                if (r != RIGHTS_ABSENT && c == RIGHTS_NONE)
                    continue;
                any |= n || missing;
                missing_ += missing;
                std::snprintf(cell, sizeof cell, "%9s%s", !n && !missing ? "-" : std::to_string(n).c_str(),
                              missing ? "!" : " ");
                line += cell;
            }
        }
        if (any)
            std::printf("%-27s %-4s %s\n", rights_class_names[c], rights_mode_names[m], line.c_str());
    }
};

} // namespace

int main(int argc, char **argv) {
    uint64_t seed = 1, accesses = 200000;
    bool first = false;

    for (int i = 1; i < argc; i++) {
        std::string arg = argv[i];
        if (arg == "--first") {
            first = true;
        } else if ((arg == "--seed" || arg == "--accesses") && i + 1 < argc) {
            (arg == "--seed" ? seed : accesses) = std::strtoull(argv[++i], nullptr, 0);
        } else {
            std::fprintf(stderr, "usage: %s [--seed N] [--accesses N] [--first]\n", argv[0]);
            return 2;
        }
    }
    std::printf("%s: --seed %" PRIu64 " --accesses %" PRIu64 "\n", PMU_NAME, seed, accesses);
    auto bench = std::make_unique<Bench>(seed);
    bench->run(accesses, first);
    if (!bench->report()) {
        std::printf("to see it again: %s --seed %" PRIu64 " --accesses %" PRIu64 "\n", argv[0], seed,
                    accesses);
        return 1;
    }
    std::printf("%s: %" PRIu64 " accesses, no difference\n", PMU_NAME, accesses);
    return 0;
}
