// SPDX-License-Identifier: Apache-2.0
// tally_rvfi: random RVFI streams against a model that decodes instructions by the tables of the ISA manuals
// (mask and match), and streams that break a rule, which must be named.
//
//     adapt_rvfi_<xlen>_<lanes> [--seed N] [--cycles N]

#include "Vtally_rvfi.h"

#include "random.h"
#include "tally_spec.h"
#include "verilated_ports.h"

#include <cinttypes>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

namespace {

constexpr unsigned kXlen = RVFI_XLEN, kLanes = RVFI_NRET;
constexpr unsigned kEvcBits = kLanes == 1 ? 1 : kLanes <= 3 ? 2 : 3;

enum { RV32 = 1, RV64 = 2, BOTH = 3 };

struct Kind {
    uint32_t mask, match;
    int event; // TALLY_EVR_x; -1: none of its own. Control transfers: by TALLY_ITYPE_x
    int xlens;
    int itype;
};

constexpr int kNone = -1;
#define TRANSFER(itype) kNone, BOTH, itype

// The first row that fits holds; illegal codes do not retire, so some rows fit them too.
// Registers that link are x1 and x5.
const Kind kinds[] = {
    // RVC (manual, "Instruction Set Listings"; Zcb)
    {0xffffe003, 0x2000, TALLY_EVR_LOAD, BOTH, 0},  // c.fld
    {0xffffe003, 0x4000, TALLY_EVR_LOAD, BOTH, 0},  // c.lw
    {0xffffe003, 0x6000, TALLY_EVR_LOAD, BOTH, 0},  // c.flw, c.ld
    {0xfffff803, 0x8000, TALLY_EVR_LOAD, BOTH, 0},  // c.lbu, c.lhu, c.lh
    {0xfffff803, 0x8800, TALLY_EVR_STORE, BOTH, 0}, // c.sb, c.sh
    {0xffffe003, 0xa000, TALLY_EVR_STORE, BOTH, 0}, // c.fsd
    {0xffffe003, 0xc000, TALLY_EVR_STORE, BOTH, 0}, // c.sw
    {0xffffe003, 0xe000, TALLY_EVR_STORE, BOTH, 0}, // c.fsw, c.sd
    {0xffffe003, 0x2001, kNone, RV32, TALLY_ITYPE_DIR_CALL},
    {0xffffe003, 0xa001, TRANSFER(TALLY_ITYPE_DIR_JMP)},
    {0xffffe003, 0xc001, TRANSFER(TALLY_ITYPE_BR_NT)},
    {0xffffe003, 0xe001, TRANSFER(TALLY_ITYPE_BR_NT)},
    {0xfffffc63, 0x9c41, TALLY_EVR_MUL, BOTH, 0}, // c.mul
    {0xffffe003, 0x2002, TALLY_EVR_LOAD, BOTH, 0},
    {0xffffe003, 0x4002, TALLY_EVR_LOAD, BOTH, 0},
    {0xffffe003, 0x6002, TALLY_EVR_LOAD, BOTH, 0},
    {0xffffffff, 0x8002, kNone, BOTH, 0},                 // reserved
    {0xffffffff, 0x9002, kNone, BOTH, 0},                 // c.ebreak
    {0xffffffff, 0x8082, TRANSFER(TALLY_ITYPE_RETURN)},   // c.jr x1
    {0xffffffff, 0x8282, TRANSFER(TALLY_ITYPE_RETURN)},   // c.jr x5
    {0xfffff07f, 0x8002, TRANSFER(TALLY_ITYPE_IND_JMP)},  // c.jr
    {0xffffffff, 0x9282, TRANSFER(TALLY_ITYPE_CORSWAP)},  // c.jalr x5
    {0xfffff07f, 0x9002, TRANSFER(TALLY_ITYPE_IND_CALL)}, // c.jalr
    {0xffffe003, 0xa002, TALLY_EVR_STORE, BOTH, 0},
    {0xffffe003, 0xc002, TALLY_EVR_STORE, BOTH, 0},
    {0xffffe003, 0xe002, TALLY_EVR_STORE, BOTH, 0},
    // RV32/64GC
    {0x0000007f, 0x03, TALLY_EVR_LOAD, BOTH, 0},
    {0x0000007f, 0x07, TALLY_EVR_LOAD, BOTH, 0},
    {0x0000007f, 0x23, TALLY_EVR_STORE, BOTH, 0},
    {0x0000007f, 0x27, TALLY_EVR_STORE, BOTH, 0},
    {0xf800007f, 0x1000002f, TALLY_EVR_LOAD, BOTH, 0},  // lr
    {0xf800007f, 0x1800002f, TALLY_EVR_STORE, BOTH, 0}, // sc
    {0x0000007f, 0x2f, TALLY_EVR_AMO, BOTH, 0},
    {0xfe004077, 0x02000033, TALLY_EVR_MUL, BOTH, 0}, // 0x33 and 0x3b
    {0xfe004077, 0x02004033, TALLY_EVR_DIV, BOTH, 0},
    {0x0000007f, 0x0f, TALLY_EVR_FENCE, BOTH, 0},
    {0xfe00707f, 0x12000073, TALLY_EVR_FENCE, BOTH, 0}, // sfence.vma
    {0xfff0707f, 0x30200073, TRANSFER(TALLY_ITYPE_TRET)},
    {0xfff0707f, 0x10200073, TRANSFER(TALLY_ITYPE_TRET)},
    {0xfff0707f, 0x70200073, TRANSFER(TALLY_ITYPE_TRET)},
    {0x0000707f, 0x0073, kNone, BOTH, 0}, // ecall, wfi, ...
    {0x0000707f, 0x4073, kNone, BOTH, 0}, // hypervisor loads: not for a hart behind RVFI
    {0x0000007f, 0x73, TALLY_EVR_CSR, BOTH, 0},
    {0x0000007f, 0x63, TRANSFER(TALLY_ITYPE_BR_NT)},
    {0x00000fff, 0x0ef, TRANSFER(TALLY_ITYPE_DIR_CALL)},
    {0x00000fff, 0x2ef, TRANSFER(TALLY_ITYPE_DIR_CALL)},
    {0x00000fff, 0x06f, TRANSFER(TALLY_ITYPE_DIR_JMP)},
    {0x0000007f, 0x6f, TRANSFER(TALLY_ITYPE_DIR_LJMP)},
    {0x000f8fff, 0x280e7, TRANSFER(TALLY_ITYPE_CORSWAP)}, // jalr x1, x5
    {0x000f8fff, 0x082e7, TRANSFER(TALLY_ITYPE_CORSWAP)}, // jalr x5, x1
    {0x00000fff, 0x0e7, TRANSFER(TALLY_ITYPE_IND_CALL)},
    {0x00000fff, 0x2e7, TRANSFER(TALLY_ITYPE_IND_CALL)},
    {0x000f807f, 0x08067, TRANSFER(TALLY_ITYPE_RETURN)},
    {0x000f807f, 0x28067, TRANSFER(TALLY_ITYPE_RETURN)},
    {0x00000fff, 0x067, TRANSFER(TALLY_ITYPE_IND_JMP)},
    {0x0000007f, 0x67, TRANSFER(TALLY_ITYPE_IND_LJMP)},
};

// TALLY_EVR_x of a kind of transfer; their order is that of the codes
int transfer_event(int itype) {
    switch (itype) {
    case TALLY_ITYPE_TRET:
        return TALLY_EVR_TRET;
    case TALLY_ITYPE_BR_NT:
        return TALLY_EVR_BR_NT;
    case TALLY_ITYPE_BR_TK:
        return TALLY_EVR_BR_TK;
    default:
        return TALLY_EVR_IND_CALL + itype - TALLY_ITYPE_IND_CALL;
    }
}

struct Insn {
    bool valid, trap, halt, intr;
    uint32_t code;
    unsigned mode, ixl;
    uint64_t order, pc, next, addr, rmask, wmask;
};

bool compressed(uint32_t code) { return (code & 3) != 3; }

struct Expected {
    uint64_t events;
    unsigned type, itype;
};

Expected judge(const Insn &insn) {
    const Kind *kind = nullptr;
    uint32_t code = compressed(insn.code) ? insn.code & 0xffff : insn.code;
    for (const Kind &k : kinds)
        if ((code & k.mask) == k.match && k.xlens & (kXlen == 32 ? RV32 : RV64)) {
            kind = &k;
            break;
        }
    Expected e{UINT64_C(1) << TALLY_EVR_INST, TALLY_TYPE_OTHER, TALLY_ITYPE_NONE};
    if (compressed(insn.code))
        e.events |= UINT64_C(1) << TALLY_EVR_RVC;
    if (!kind)
        return e;
    if (kind->event >= 0)
        e.events |= UINT64_C(1) << kind->event;
    if (kind->match == 0x1800002f && !insn.wmask)
        e.events |= UINT64_C(1) << TALLY_EVR_SC_FAIL;
    e.itype = static_cast<unsigned>(kind->itype);
    // a branch goes no further than 4 KiB, to an even address
    if (e.itype == TALLY_ITYPE_BR_NT && ((insn.next ^ (insn.pc + (compressed(insn.code) ? 2 : 4))) & 0x1ffe))
        e.itype = TALLY_ITYPE_BR_TK;
    if (e.itype)
        e.events |= UINT64_C(1) << transfer_event(static_cast<int>(e.itype));
    e.type = kind->event == TALLY_EVR_AMO     ? TALLY_TYPE_LOAD_STORE
             : kind->event == TALLY_EVR_LOAD  ? TALLY_TYPE_LOAD
             : kind->event == TALLY_EVR_STORE ? TALLY_TYPE_STORE
             : e.itype                        ? TALLY_TYPE_TRANSFER
                                              : TALLY_TYPE_OTHER;
    return e;
}

const char *const rules[] = {"ORDER", "TRAP", "MODE", "IXL", "PC", "HALT", "INSN", "LANES"};
enum : unsigned { R_ORDER, R_TRAP, R_MODE, R_IXL, R_PC, R_HALT, R_INSN, R_LANES, R_NONE };

class Bench {
  public:
    explicit Bench(uint64_t seed) { rng_seed(&random_, seed); }

    int run(uint64_t cycles) {
        for (uint64_t now = 0; now < cycles && !wrong_; now++)
            cycle(now);
        for (unsigned rule = R_ORDER; rule <= R_LANES && !wrong_; rule++)
            if (!flagged_[rule] && !(rule == R_LANES && kLanes == 1))
                fail("a rule was never broken", 0, rule);
        return wrong_;
    }

  private:
    Vtally_rvfi rtl_;
    rng random_;
    Insn lanes_[kLanes];
    uint64_t order_ = 5, next_ = 0x80000000;
    bool begun_ = false, trap_ = false, halt_ = false;
    unsigned mode_ = 3, stream_mode_ = 3;
    uint64_t flagged_[R_NONE] = {};
    uint64_t now_ = 0;
    int wrong_ = 0;

    uint64_t draw(uint64_t n) { return rng_64(&random_) % n; }

    void fail(const char *what, uint64_t found, uint64_t expected) {
        std::printf("cycle %" PRIu64 ": %s: expected %" PRIx64 ", found %" PRIx64 "\n", now_, what, expected,
                    found);
        for (const Insn &i : lanes_)
            std::printf("  valid %d trap %d insn %08x pc %" PRIx64 " next %" PRIx64 "\n", i.valid, i.trap,
                        i.code, i.pc, i.next);
        wrong_ = 1;
    }

    void check(const char *what, uint64_t found, uint64_t expected) {
        if (found != expected && !wrong_)
            fail(what, found, expected);
    }

    // An instruction of a row of the table, or any code.
    uint32_t code() {
        constexpr std::size_t n = sizeof kinds / sizeof *kinds;
        uint64_t row = draw(n + 4);
        uint32_t any = static_cast<uint32_t>(draw(UINT64_C(1) << 32));
        uint32_t made = row < n ? (any & ~kinds[row].mask) | kinds[row].match : any;
        return compressed(made) ? made & 0xffff : made;
    }

    Insn instruction() {
        Insn i{};
        uint64_t top = kXlen == 32 ? 0xffffffffu : ~UINT64_C(0);
        i.valid = true;
        i.code = code();
        i.order = order_++;
        i.mode = stream_mode_;
        i.ixl = kXlen / 32;
        i.trap = draw(8) == 0;
        i.intr = draw(8) == 0 || (trap_ && draw(2));
        i.pc = i.intr || trap_ ? draw(top) & ~UINT64_C(1) & top : next_;
        i.next = draw(2) ? (i.pc + (compressed(i.code) ? 2 : 4)) & top : (i.pc + 2 * draw(300)) & top;
        i.addr = draw(top);
        if (draw(2))
            i.rmask = draw(1 << (kXlen / 8));
        if (draw(2) && !i.trap)
            i.wmask = draw(1 << (kXlen / 8));
        return i;
    }

    // Break one rule in lane `l`, the first that is valid: the rule, or R_NONE if it cannot be broken here.
    unsigned damage(Insn &i, unsigned rule) {
        switch (rule) {
        case R_ORDER:
            if (!begun_)
                return R_NONE;
            order_ = i.order = i.order + 1 + draw(1000);
            order_++;
            return rule;
        case R_TRAP:
            i.trap = true;
            i.wmask = 1 + draw((1 << (kXlen / 8)) - 1);
            return rule;
        case R_MODE:
            i.mode = 2;
            return rule;
        case R_IXL:
            i.ixl = kXlen == 32 ? 2 : 3 * draw(2);
            return rule;
        case R_PC:
            if (draw(2))
                i.pc |= 1;
            else if (begun_ && !trap_ && !i.intr)
                i.pc ^= 2;
            else
                return R_NONE;
            return rule;
        case R_INSN:
            i.code = (i.code & 0xfffc) | static_cast<uint32_t>(draw(3)) | 0x10000u << draw(16);
            return rule;
        case R_HALT: // the next instruction breaks it
            i.halt = true;
            return R_NONE;
        default:
            return R_NONE;
        }
    }

    void drive() {
        for (unsigned l = 0; l < kLanes; l++) {
            const Insn &i = lanes_[l];
            constexpr unsigned b = kXlen / 8;
            put(rtl_.rvfi_valid_i, l, 1, i.valid);
            put(rtl_.rvfi_order_i, l * 64, 64, i.order);
            put(rtl_.rvfi_insn_i, l * 32, 32, i.code);
            put(rtl_.rvfi_trap_i, l, 1, i.trap);
            put(rtl_.rvfi_halt_i, l, 1, i.halt);
            put(rtl_.rvfi_intr_i, l, 1, i.intr);
            put(rtl_.rvfi_mode_i, l * 2, 2, i.mode);
            put(rtl_.rvfi_ixl_i, l * 2, 2, i.ixl);
            put(rtl_.rvfi_pc_rdata_i, l * kXlen, kXlen, i.pc);
            put(rtl_.rvfi_pc_wdata_i, l * kXlen, kXlen, i.next);
            put(rtl_.rvfi_mem_addr_i, l * kXlen, kXlen, i.addr);
            put(rtl_.rvfi_mem_rmask_i, l * b, b, i.rmask);
            put(rtl_.rvfi_mem_wmask_i, l * b, b, i.wmask);
        }
    }

    void cycle(uint64_t now) {
        now_ = now;
        bool reset = now < 2 || draw(5000) == 0;
        bool sleeps = draw(4) == 0;
        unsigned rule = draw(8) == 0 ? static_cast<unsigned>(draw(R_NONE)) : unsigned{R_NONE}, broken = 0;
        if (draw(50) == 0)
            stream_mode_ = static_cast<unsigned>("\0\1\3"[draw(3)]);

        // ---- the stream of this cycle, and its meaning
        unsigned exceptions = 0, interrupts = 0, valid = 0, retires = 0, youngest = 0, oldest_mode = mode_;
        bool damaged = false, first_seen = false;
        unsigned first_mode = 0;
        Expected expected[kLanes] = {};
        for (unsigned l = 0; l < kLanes; l++) {
            Insn &i = lanes_[l];
            i = Insn{};
            if (draw(kLanes == 1 ? 2 : 3) == 0) {
                i.code = static_cast<uint32_t>(draw(UINT64_C(1) << 32)); // don't-care unless valid
                i.trap = i.intr = i.halt = draw(2);
                i.mode = static_cast<unsigned>(draw(4));
                i.wmask = draw(2);
                continue;
            }
            i = instruction();
            if (halt_)
                broken |= 1u << R_HALT;
            if (!damaged && rule < R_NONE) {
                unsigned done = damage(i, rule);
                damaged = true;
                if (done != R_NONE)
                    broken |= 1u << done;
                if (rule == R_LANES && first_seen)
                    i.mode = first_mode == 3 ? 0 : 3;
            }
            if (first_seen && i.mode != first_mode)
                broken |= 1u << R_LANES;
            if (!first_seen)
                first_mode = i.mode;
            unsigned known = i.mode == 2 ? 3 : i.mode;
            if (!first_seen)
                oldest_mode = known;
            first_seen = true;
            expected[l] = judge(i);
            exceptions += i.trap;
            interrupts += i.intr && !trap_;
            if (i.valid && !i.trap)
                retires |= 1u << l;
            valid |= 1u << l;
            youngest = l;
            mode_ = known;
            trap_ = i.trap;
            halt_ = i.halt;
            next_ = i.next;
            begun_ = true;
        }

        // ---- the socket's answer
        drive();
        rtl_.rst = reset;
        rtl_.halted_i = sleeps;
        rtl_.dec_sample_i = 0;
        rtl_.clk = 0;
        rtl_.eval();
        if (!reset) {
            compare(valid, retires, youngest, oldest_mode, exceptions, interrupts, sleeps && !valid,
                    expected);
            check("rules", rtl_.broken_o, broken);
            check_name(broken);
        }
        rtl_.clk = 1;
        rtl_.eval();
        if (reset) {
            begun_ = trap_ = halt_ = false;
            mode_ = 3;
            next_ = 0x80000000;
        }
    }

    void check_name(unsigned broken) {
        char name[6] = {}, want[6] = {};
        for (unsigned k = 0, n = 0; k < 5; k++)
            if (char c = static_cast<char>(rtl_.broken_rule_o >> (32 - 8 * k) & 0xff))
                name[n++] = c;
        for (unsigned rule = 0; rule < R_NONE; rule++)
            if (broken >> rule & 1) {
                flagged_[rule]++;
                if (!*want)
                    std::memcpy(want, rules[rule], std::strlen(rules[rule]));
            }
        if (std::strcmp(name, want)) {
            std::printf("the rule's name: expected '%s', found '%s'\n", want, name);
            wrong_ = 1;
        }
    }

    void compare(unsigned valid, unsigned retires, unsigned youngest, unsigned oldest_mode,
                 unsigned exceptions, unsigned interrupts, bool halted, const Expected *expected) {
        check("ret_valid", rtl_.ret_valid_o, retires);
        check("mode_priv", rtl_.mode_priv_o, oldest_mode);
        check("mode_halted", rtl_.mode_halted_o, halted);
        uint64_t next = valid && lanes_[youngest].trap ? lanes_[youngest].pc : next_;
        check("next pc", rtl_.ret_next_pc_o, begun_ ? next : rtl_.ret_next_pc_o);
        auto field = [&](unsigned event) { return get(rtl_.ev_cycle_o, event * kEvcBits, kEvcBits); };
        check("CYCLE", field(TALLY_EVC_CYCLE), !halted);
        check("STALL_BE", field(TALLY_EVC_STALL_BE), !halted && !retires);
        check("EXCEPTION", field(TALLY_EVC_EXCEPTION), exceptions);
        check("INTERRUPT", field(TALLY_EVC_INTERRUPT), interrupts);
        for (unsigned l = 0; l < kLanes; l++) {
            if (!(valid >> l & 1))
                continue;
            check("events", get(rtl_.ev_retire_o, l * TALLY_EVR_N, TALLY_EVR_N), expected[l].events);
            check("ret_pc", get(rtl_.ret_pc_o, l * kXlen, kXlen), lanes_[l].pc);
            check("ret_mode", get(rtl_.ret_mode_o, l * 3, 3), lanes_[l].mode == 2 ? 3 : lanes_[l].mode);
        }
        check("dec_valid", rtl_.dec_valid_o, valid != 0);
        if (!valid)
            return;
        rtl_.dec_sample_i = 1;
        rtl_.eval();
        const Insn &i = lanes_[youngest];
        check("sample's end", rtl_.trk_retired_o * 2u + rtl_.trk_trapped_o, i.trap ? 1 : 2);
        check("sample's pc", rtl_.dec_pc_o, i.pc);
        check("sample's type", rtl_.dec_type_o, expected[youngest].type);
        check("sample's itype", rtl_.trk_itype_o, expected[youngest].itype);
        check("sample's events", rtl_.trk_ev_o, expected[youngest].events);
        check("sample's address", rtl_.trk_vaddr_o, i.rmask | i.wmask ? i.addr : 0);
        check("sample's target", rtl_.trk_target_o, i.next);
        rtl_.dec_sample_i = 0;
        rtl_.eval();
    }
};

} // namespace

int main(int argc, char **argv) {
    uint64_t seed = 1, cycles = 300000;
    for (int i = 1; i + 1 < argc; i += 2)
        (std::string(argv[i]) == "--seed" ? seed : cycles) = std::strtoull(argv[i + 1], nullptr, 0);
    Bench bench(seed);
    int wrong = bench.run(cycles);
    std::printf("tally_rvfi, XLEN %u, %u lanes, seed %" PRIu64 ": %s\n", kXlen, kLanes, seed,
                wrong ? "FAIL" : "as the model says");
    return wrong;
}
