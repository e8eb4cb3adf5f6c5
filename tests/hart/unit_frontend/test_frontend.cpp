// SPDX-License-Identifier: Apache-2.0
// Unit test of tally_frontend: a random program over random bytes, followed as the back end would follow it.
//
// Every instruction delivered, on the right path or not, must have the bits, or the exception, that its pc
// has in the World; its pc must be what the instruction before it predicted, and after a redirect the
// redirect's pc. On top of that: bus and walker protocol, events against what is seen on the ports, and the
// times that docs/hart.md promises.
//
// usage: test_frontend [seeds [cycles [first seed]]]

#include "Vtally_frontend.h"
#include "world.h"

#include <cinttypes>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <memory>
#include <sys/wait.h>
#include <unistd.h>

namespace {

enum Type { COND, JUMP, CALL, RET, SWAP, INDIRECT, NONE };

struct Insn {
    uint64_t pc, next, target;
    bool rvc, taken, mispredicted;
    Type type;
    uint64_t meta;
    int age;
};

struct Stats {
    uint64_t cycles = 0, insns = 0, transfers = 0, mispredicts = 0, stale = 0, exceptions = 0, redirects = 0,
             lost_returns = 0;
    uint64_t lookups = 0, misses = 0, itlb_lookups = 0, itlb_misses = 0;
    unsigned fastest = 99; // redirect to valid
};

// What the runs together have to have met
enum Cover {
    ACCESS,
    ACCESS_HALF,
    PAGE,
    PAGE_HALF,
    AD,
    AD_HALF,
    AD_SET,
    CROSS_PAGE,
    CROSS_LINE,
    ROM,
    ICMISS,
    ITMISS,
    COVERS
};
const char *const cover_names[COVERS] = {
    "access fault",     "... of a second half",  "page fault", "... of a second half",
    "A needed",         "... for a second half", "A set",      "instruction across pages",
    "... across lines", "... in the boot ROM",   "ICMISS",     "ITMISS"};
uint64_t covered[COVERS];

// An event output that is wrong on purpose (--mutants)
enum Wire { W_L1I_RD, W_L1I_RD_MISS, W_ITLB_RD, W_ITLB_MISS, W_ICMISS, W_ITMISS, W_N };
const char *const wire_names[W_N] = {"L1I_RD",    "L1I_RD_MISS", "ITLB_RD",
                                     "ITLB_MISS", "fq_icmiss",   "fq_itmiss"};
enum Kind { STUCK_0, STUCK_1, INVERTED, SPARSE, KINDS };
const char *const kind_names[KINDS] = {"stuck at 0", "stuck at 1", "inverted", "1 of 16 lost"};
int mutant_wire = -1, mutant_kind;

bool seen(Wire wire, bool value) {
    static unsigned events;
    if (wire != mutant_wire)
        return value;
    switch (mutant_kind) {
    case STUCK_0:
        return false;
    case STUCK_1:
        return true;
    case INVERTED:
        return !value;
    default:
        return value && events++ % 16 != 0;
    }
}

// How the world behaves in one run
struct Profile {
    bool calm = false;        // no traps, no changes, no noise: for speed
    unsigned ready = 8;       // of 8
    unsigned bus_latency = 8; // at most
    bool bus_gaps = true;
    unsigned ex_delay = 2; // from the queue to EX, in cycles
    uint64_t footprint = RAM_SIZE;
};

class Bench {
  public:
    Bench(uint64_t seed, const Profile &profile) : r(seed), p(profile), seed(seed), behaviour(hash(seed)) {
        w.mem.fill(r, ROM_BASE, ROM_END);
        for (uint64_t pa = RAM_BASE; pa < RAM_BASE + RAM_SIZE; pa += 4096)
            w.mem.fill(r, pa, pa + 4096);
        w.tables.randomize(r);
        if (!p.calm)
            for (int i = 0; i < 6; i++)
                w.mem.bad_lines[(RAM_BASE + r.below(RAM_SIZE)) >> 6] = r.chance(2);
        top.clk = 0;
        top.rst = 1;
        top.ram_size_i = RAM_SIZE;
        clear_inputs();
        apply_context();
        for (int i = 0; i < 3; i++)
            tick();
        top.rst = 0;
        want_pc = 0x1000;
        last_pc = redirect_pc = 0x1000;
    }

    World w;
    Stats s;
    std::vector<Type> program; // if not empty: the type of the instruction at RAM_BASE + 2 n
    unsigned taken_share = 50; // ... and how many of 100 conditional branches are taken

    void run(uint64_t cycles) {
        for (uint64_t n = 0; n < cycles; n++)
            step();
    }
    void redirect_now(uint64_t pc) {
        forced = true;
        forced_pc = pc;
        step();
    }
    // Train a transfer that is none
    void mislead(uint64_t pc, uint64_t target) {
        clear_inputs();
        top.bu_valid_i = 1;
        top.bu_pc_i = pc;
        top.bu_rvc_i = 0;
        top.bu_taken_i = 1;
        top.bu_target_i = target;
        top.bu_type_i = JUMP;
        top.bu_mispred_i = 0;
        top.bu_meta_i = 0;
        tick();
        top.bu_valid_i = 0;
    }
    void finish() {
        check(s.misses == bus_lines, "L1I_RD_MISS %" PRIu64 ", lines asked for %" PRIu64, s.misses,
              bus_lines);
        check(s.itlb_misses == walks, "ITLB_MISS %" PRIu64 ", walks %" PRIu64, s.itlb_misses, walks);
        check(s.itlb_misses <= s.itlb_lookups, "more misses of the ITLB than lookups");
        check(translated_lookups <= s.itlb_lookups, "more lookups of the I cache than translations");
        check(icmiss_seen <= s.misses, "more instructions with ICMISS than misses");
        check(itmiss_seen <= s.itlb_misses, "more instructions with ITMISS than misses");
        top.final();
    }

  private:
    struct Answer {
        uint64_t data;
        bool last, err;
        uint64_t when;
    };

    Vtally_frontend top;
    Random r;
    Profile p;
    uint64_t seed, behaviour;

    // back end
    std::array<uint64_t, 24> places{};
    std::deque<Insn> pipe;
    std::vector<uint64_t> stack;
    std::map<uint64_t, unsigned> loops;
    uint64_t turned = 0; // a transfer seen taken
    uint64_t want_pc = 0, last_pc = 0, redirect_pc = 0;
    bool wrong_path = false, stopped = false, forced = false;
    uint64_t forced_pc = 0;
    int doomed = -1;  // a redirect comes in so many cycles, and what leaves until then is not looked at
    int trap_in = -1; // an exception was delivered: redirect then
    uint64_t trap_pc = 0;
    bool trap_ad = false, ad_allowed = false, ad_level = false;
    uint64_t since_redirect = 0, quiet = 0;
    bool held = false;
    uint64_t held_pc = 0;
    uint32_t held_insn = 0;
    Insn resolved{};
    bool resolved_valid = false;
    int halted = 0;

    // bus
    std::deque<Answer> answers;
    bool req_held = false;
    uint64_t req_addr = 0, bus_lines = 0, bus_free = 0;

    // walker
    bool walking = false, done_seen = false;
    uint64_t walk_done_at = 0, walk_va = 0, walks = 0;
    bool walk_ad = false;
    Page walk_page;
    uint64_t icmiss_seen = 0, itmiss_seen = 0, translated_lookups = 0;
    bool group_translated = false; // ... since the last group was looked up in the I cache
    // line and page that were asked for since the last redirect, until an instruction comes out of them; 0:
    // none
    uint64_t missed_line = 0, missed_page = 0;

    template <typename... A> void check(bool ok, const char *format, A... args) {
        if (ok)
            return;
        std::printf("seed %" PRIu64 " cycle %" PRIu64 ": ", seed, s.cycles);
        std::printf(format, args...);
        std::printf("\n");
        std::exit(1);
    }

    void clear_inputs() {
        top.fq_ready_i = 0;
        top.rd_valid_i = top.rd_mispred_i = top.ad_ok_i = 0;
        top.bu_valid_i = 0;
        top.flush_icache_i = top.flush_tlb_i = 0;
        top.iw_done_i = 0;
        top.ib_rsp_valid_i = 0;
        top.ib_req_ready_i = 0;
        top.halt_i = 0;
    }

    void apply_context() {
        top.ctx_priv_i = static_cast<CData>(w.ctx.priv);
        top.ctx_satp_i = w.ctx.satp();
        top.ctx_adue_i = w.ctx.adue;
        top.pmp_fine_i = w.pmp.fine();
    }

    void tick() {
        // the memory room's PMP, when it has nothing to do itself
        top.fp_free_i = p.calm || !r.chance(3);
        top.fp_fail_i = !(w.pmp.may_execute(top.fp_first_o << 2, top.fp_priv_o) &&
                          w.pmp.may_execute(top.fp_last_o << 2, top.fp_priv_o)) ||
                        !top.fp_free_i;
        top.clk = 1;
        top.eval();
        top.clk = 0;
        top.eval();
    }

    // ------------------------------------------------------------ the program
    Type type_of(uint64_t pc) const {
        if (!program.empty()) {
            uint64_t n = (pc - RAM_BASE) / 2;
            return n < program.size() ? program[n] : NONE;
        }
        static const Type kinds[32] = {COND, COND, COND, COND, JUMP, CALL, RET, SWAP, INDIRECT};
        uint64_t h = hash(pc ^ behaviour) % 32;
        return h < 9 ? kinds[h] : NONE;
    }
    uint64_t place(uint64_t pc, uint64_t h) const {
        int64_t near = static_cast<int64_t>(h % 512) * 2 - 512;
        uint64_t page = pc & ~(p.footprint - 1);
        if (h >> 32 & 7)
            return p.calm ? page | ((pc + near) & (p.footprint - 1)) : pc + near;
        return page | (h >> 20 & (p.footprint - 1) & ~1ull);
    }
    bool decide(uint64_t pc) {
        uint64_t h = hash(pc + behaviour);
        if (!program.empty())
            return r.below(100) < taken_share;
        switch (h & 3) {
        case 0:
            return r.below(100) < 95;
        case 1:
            return r.below(100) < 4;
        default: {
            unsigned &n = loops[pc];
            n = n == 0 ? 2 + (h >> 8 & 15) : n - 1;
            return n != 0;
        }
        }
    }

    // What the back end finds out about an instruction on the right path
    void resolve(Insn &i) {
        uint64_t link = i.pc + (i.rvc ? 2 : 4);
        i.type = type_of(i.pc);
        if (program.empty() && (i.type == RET || i.type == SWAP) && stack.empty())
            i.type = INDIRECT;
        i.next = link;
        i.taken = i.type != NONE && (i.type != COND || decide(i.pc));
        i.target = link;
        if (!i.taken)
            return;
        if (program.empty())
            i.target = place(i.pc, hash(i.pc * 3 + behaviour + (i.type == INDIRECT ? r.below(3) : 0)));
        else
            i.target = i.type == JUMP   ? RAM_BASE
                       : i.type == CALL ? (i.pc < RAM_BASE + 4096 ? RAM_BASE + 4096 : RAM_BASE + 8192)
                                        : link + 4; // COND; RET: below
        if (i.type == RET || i.type == SWAP) {
            i.target = stack.back();
            stack.pop_back();
        }
        if (i.type == CALL || i.type == SWAP)
            stack.push_back(link);
        if (stack.size() > 32)
            stack.erase(stack.begin());
        i.next = i.target;
    }

    // ------------------------------------------------------------ traps and changes of context
    // Half of the time a place where fetch has been before, maybe in another context
    uint64_t random_pc() {
        uint64_t &known = places[r.below(places.size())];
        if (r.chance(3))
            known = fresh_pc();
        return known;
    }
    uint64_t fresh_pc() {
        uint64_t off = r.below(RAM_SIZE) & ~1ull;
        if (r.chance(3))
            off = r.below(24) * 4096 - r.below(4) * 2; // page ends
        if (r.chance(200))
            return r.next() & ~1ull;
        if (r.chance(60)) // one bit too far up
            return places[r.below(places.size())] ^ 1ull << (38 + r.below(26));
        if (!w.ctx.translates())
            return r.chance(12) ? (r.below(ROM_END) & ~1ull) : RAM_BASE + off;
        switch (r.below(6)) {
        case 0:
            return Tables::MEGA + off;
        case 1:
            return Tables::GIGA + (r.chance(4) ? r.below(4) << 21 : 0) + off;
        case 2:
        case 3:
            return Tables::HIGH + off;
        default:
            return Tables::LOW + off;
        }
    }
    // With the redirect
    void change_context() {
        if (r.chance(2)) {
            w.ctx.priv = r.chance(3) ? 3 : static_cast<unsigned>(r.below(2));
            w.ctx.sv39 = !r.chance(5);
            w.ctx.asid = Tables::asids[r.below(Tables::SPACES)];
            w.ctx.adue = r.chance(2);
        }
        if (r.chance(6)) {
            w.pmp.randomize(r);
            for (int n = 0; n < 3; n++) { // words near a place that will be fetched
                uint64_t pa;
                w.fetch(places[r.below(places.size())] + r.below(16) * 2, pa);
                if (r.chance(2))
                    w.pmp.deny_word(n, pa);
            }
            uint64_t pa; // and behind a transfer in the first half of its fetch group
            w.fetch((turned & ~7ull) + 4, pa);
            if (r.chance(2))
                w.pmp.deny_word(3, pa);
            places[0] = places[1] = turned;
        }
    }
    // With the redirect, or before it: what still leaves the queue then may be old
    void change_memory() {
        if (r.chance(30))
            w.tables.raise_one(r);
        if (r.chance(walking ? 2 : 20)) {
            for (int i = 0; i < 10; i++)
                w.tables.change_one(r);
            Page *walked = walking ? w.tables.find(w.ctx, walk_va) : nullptr;
            if (walked != nullptr)
                w.tables.change(r, *walked);
            top.flush_tlb_i = 1;
        }
        if (r.chance(12)) {
            for (int i = 0; i < 4; i++) {
                uint64_t page = RAM_BASE + (r.below(RAM_SIZE) & ~4095ull);
                w.mem.fill(r, page, page + 4096);
            }
            behaviour = r.chance(4) ? r.next() : behaviour;
            top.flush_icache_i = 1;
        }
    }

    void drive_redirect(uint64_t pc, bool ad) {
        top.rd_valid_i = 1;
        top.rd_pc_i = pc;
        ad_allowed = ad;
        ad_level = ad || (ad_level &&
                          r.chance(2)); // a mispredicted branch may be the oldest: no leave for what follows
        redirect_pc = want_pc = pc;
        missed_line = missed_page = 0;
        wrong_path = stopped = false;
        since_redirect = 0;
        s.redirects++;
        held = false;
    }
    void doom() {
        change_memory();
        pipe.clear();
        trap_in = -1;
        doomed = r.chance(2) ? 0 : static_cast<int>(r.below(10));
    }
    void trap(uint64_t pc, bool ad) {
        ad_level = false;
        drive_redirect(pc, ad);
        pipe.clear();
        stack.clear();
        trap_in = doomed = -1;
    }

    // EX and commit: may redirect in this cycle. Returns true if the context has to change after the
    // edge.
    bool back_end() {
        top.bu_valid_i = resolved_valid;
        if (resolved_valid) {
            top.bu_pc_i = resolved.pc;
            top.bu_rvc_i = resolved.rvc;
            top.bu_taken_i = resolved.taken;
            top.bu_target_i = resolved.target;
            top.bu_type_i = resolved.type;
            top.bu_mispred_i = resolved.mispredicted;
            top.bu_meta_i = resolved.meta;
        } else if (!p.calm && r.chance(200)) { // noise: whatever is trained, nothing may break
            top.bu_valid_i = 1;
            top.bu_pc_i = last_pc + r.below(32) * 2 - 16;
            top.bu_rvc_i = r.chance(2);
            top.bu_taken_i = !r.chance(4);
            top.bu_target_i = r.chance(8) ? r.next() & ~1ull : last_pc + r.below(256) * 2 - 256;
            top.bu_type_i = r.below(6);
            top.bu_mispred_i = r.chance(3);
            top.bu_meta_i = r.next();
        }
        resolved_valid = false;

        for (Insn &i : pipe)
            i.age++;
        bool redirected = false;
        if (!pipe.empty() && pipe.front().age >= static_cast<int>(p.ex_delay)) {
            Insn i = pipe.front();
            pipe.pop_front();
            if (i.type != NONE) {
                resolved = i;
                resolved_valid = true;
                s.transfers++;
            }
            if (i.mispredicted) {
                drive_redirect(i.next, false);
                top.rd_mispred_i = 1;
                top.rd_meta_i = i.meta;
                pipe.clear();
                trap_in = -1;
                i.type == NONE ? s.stale++ : s.mispredicts++;
                s.lost_returns += i.type == RET;
                redirected = true;
            }
        }
        if (trap_in > 0)
            trap_in--;
        if (forced) {
            forced = false;
            trap(forced_pc, false);
            return true;
        }
        if (redirected)
            return false;
        if (trap_in == 0 && pipe.empty()) {
            if (trap_ad) {
                trap(trap_pc, true);
                return false;
            }
            doom();
        } else if (!p.calm && doomed < 0 && quiet < 60 && r.chance(300)) { // what hangs is not helped
            doom();
            resolved_valid = false;
        }
        if (doomed < 0 || doomed-- > 0)
            return false;
        change_context();
        trap(random_pc(), r.chance(3));
        return true;
    }

    // ------------------------------------------------------------ what leaves the queue
    void take(bool redirecting) {
        top.fq_ready_i = r.below(8) < p.ready;
        if (halted)
            top.fq_ready_i = 0;
        top.eval();
        bool valid = top.fq_valid_o;
        if (held && !redirecting)
            check(valid && top.fq_pc_o == held_pc && top.fq_insn_o == held_insn,
                  "queue head changed while held");
        held = valid && !top.fq_ready_i && !redirecting;
        held_pc = top.fq_pc_o;
        held_insn = top.fq_insn_o;
        if (redirecting)
            return;
        since_redirect++;
        if (valid && since_redirect < s.fastest && quiet != 0)
            s.fastest = static_cast<unsigned>(since_redirect);
        if (!valid) {
            check(stopped || halted || doomed >= 0 || ++quiet < 1000, "nothing comes, waiting for %" PRIx64,
                  want_pc);
            return;
        }
        quiet = 1;
        if (!top.fq_ready_i || doomed >= 0)
            return;
        check(!stopped, "something after an exception");
        accept();
    }
    void accept() {
        uint64_t pc = top.fq_pc_o;
        last_pc = pc;
        bool may_set_a = ad_allowed; // the redirect's first instruction only
        ad_allowed = false;
        s.insns++;
        bool icmiss = seen(W_ICMISS, top.fq_icmiss_o), itmiss = seen(W_ITMISS, top.fq_itmiss_o);
        icmiss_seen += icmiss;
        itmiss_seen += itmiss;
        check(pc == redirect_pc, "pc %" PRIx64 ", expected %" PRIx64, pc, redirect_pc);
        Expected e = expect(w, pc);
        unsigned cause = top.fq_exc_o ? top.fq_cause_o : 0;
        check(cause == e.cause, "pc %" PRIx64 ": cause %u, expected %u (priv %u)", pc, cause, e.cause,
              w.ctx.priv);
        if (cause) {
            check(top.fq_half_o == e.half, "pc %" PRIx64 ": half %d", pc, top.fq_half_o);
            check(cause != 14 || !may_set_a, "pc %" PRIx64 ": A was not set although it may be", pc);
            s.exceptions++;
            covered[(cause == 1 ? ACCESS : cause == 12 ? PAGE : AD) + (e.half ? 1 : 0)]++;
            stopped = true;
            trap_in = 1 + static_cast<int>(r.below(6));
            trap_pc = pc;
            trap_ad = cause == 14;
            if (wrong_path)
                trap_in = -1; // the older mispredict redirects
            return;
        }
        check(top.fq_insn_o == e.insn, "pc %" PRIx64 ": insn %x, expected %x", pc, top.fq_insn_o, e.insn);
        check(top.fq_rvc_o == e.rvc, "pc %" PRIx64 ": rvc", pc);
        uint64_t last = pc + (e.rvc ? 0 : 2);
        if (missed_line != 0 && (pc / 64 == missed_line || last / 64 == missed_line)) {
            check(icmiss, "pc %" PRIx64 ": the first one out of a line that missed, without ICMISS", pc);
            missed_line = 0;
        }
        if (missed_page != 0 && (pc / 4096 == missed_page || last / 4096 == missed_page)) {
            check(itmiss, "pc %" PRIx64 ": the first one out of a page that missed, without ITMISS", pc);
            missed_page = 0;
        }
        covered[CROSS_PAGE] += !e.rvc && pc % 4096 == 4094;
        covered[CROSS_LINE] += !e.rvc && pc % 64 == 62;
        covered[ROM] += !w.ctx.translates() && Memory::in_rom(pc);
        covered[ICMISS] += icmiss;
        covered[ITMISS] += itmiss;
        uint64_t predicted = top.fq_taken_o ? top.fq_target_o : pc + (e.rvc ? 2 : 4);
        redirect_pc = predicted;
        if (wrong_path)
            return;
        check(pc == want_pc, "pc %" PRIx64 " on the right path, expected %" PRIx64, pc, want_pc);
        Insn i{};
        i.pc = pc;
        i.rvc = e.rvc;
        i.meta = top.fq_meta_o;
        resolve(i);
        i.mispredicted = i.next != predicted || (i.type == NONE && top.fq_taken_o);
        want_pc = i.next;
        wrong_path = i.mispredicted;
        if (i.taken && (pc & 4) == 0 && r.chance(4))
            turned = pc;
        pipe.push_back(i);
    }

    // ------------------------------------------------------------ bus
    void bus_outputs() {
        top.ib_req_ready_i = !r.chance(3);
        top.ib_rsp_valid_i = 0;
        top.ib_rsp_data_i = r.next();
        top.ib_rsp_last_i = r.chance(2);
        top.ib_rsp_err_i = r.chance(2);
        if (!answers.empty() && answers.front().when <= s.cycles && !(p.bus_gaps && r.chance(4))) {
            top.ib_rsp_valid_i = 1;
            top.ib_rsp_data_i = answers.front().data;
            top.ib_rsp_last_i = answers.front().last;
            top.ib_rsp_err_i = answers.front().err;
            answers.pop_front();
        }
    }
    void bus_inputs() {
        uint64_t addr = top.ib_req_addr_o;
        if (req_held)
            check(top.ib_req_valid_o && addr == req_addr, "bus request changed before it was accepted");
        if (top.ib_req_valid_o && !req_held) {
            bus_lines += !top.ib_req_single_o;
            if (p.calm && !top.ib_req_single_o && !w.ctx.translates() && since_redirect >= 3)
                missed_line = addr / 64;
            check(halted == 0 || halted_for < 2, "bus request while halted");
        }
        req_held = top.ib_req_valid_o && !top.ib_req_ready_i;
        req_addr = addr;
        if (!top.ib_req_valid_o || !top.ib_req_ready_i)
            return;
        bool single = top.ib_req_single_o;
        check(single ? Memory::in_rom(addr) && addr % 8 == 0 : Memory::in_ram(addr) && addr % 64 == 0,
              "bus request for %" PRIx64, addr);
        uint64_t when = s.cycles + 1 + r.below(p.bus_latency);
        auto bad = w.mem.bad_lines.find(addr >> 6);
        unsigned beats = single || (bad != w.mem.bad_lines.end() && bad->second) ? 1 : 8;
        for (unsigned b = 0; b < beats; b++)
            answers.push_back({w.mem.word(addr + 8 * b), b + 1 == beats, bad != w.mem.bad_lines.end(), when});
    }
    int halted_for = 0;

    // ------------------------------------------------------------ walker
    void walker_outputs() {
        top.iw_done_i = walking && s.cycles >= walk_done_at;
        top.iw_fault_i = r.chance(2);
        top.iw_accfault_i = r.chance(2);
        top.iw_adneed_i = r.chance(2);
        top.iw_ppn_i = r.next() >> 20;
        top.iw_level_i = r.below(3);
        top.iw_g_i = r.chance(2);
        top.iw_u_i = r.chance(2);
        top.iw_x_i = r.chance(2);
        if (!top.iw_done_i)
            return;
        walking = false;
        const Page &g = walk_page;
        top.iw_accfault_i = g.accfault;
        top.iw_fault_i = g.fault;
        top.iw_adneed_i = 0;
        if (g.fault || g.accfault)
            return;
        top.iw_level_i = g.level;
        top.iw_g_i = g.g;
        top.iw_u_i = g.u;
        top.iw_x_i = g.x;
        top.iw_ppn_i = g.ppn;
        if (g.a)
            return;
        if (walk_ad) {
            Page *now = w.tables.find(w.ctx, walk_va);
            if (now != nullptr)
                now->a = true;
            covered[AD_SET]++;
        } else if (w.ctx.adue || r.chance(2)) {
            top.iw_adneed_i = 1;
        } else {
            top.iw_fault_i = 1;
        }
    }
    void walker_inputs() {
        if (walking && !top.iw_req_o) // withdrawn
            walking = false;
        if (walking)
            check(top.iw_va_o == walk_va && top.iw_ad_o == walk_ad, "walk request changed");
        if (walking || !top.iw_req_o)
            return;
        check(w.ctx.translates() || since_redirect < 3, "walk without translation");
        walking = true;
        walks++;
        walk_va = top.iw_va_o;
        // Where noise has the front end drop and fetch again, the TLB may know the page by then (as the cache
        // the line).
        if (p.calm && since_redirect >= 3)
            missed_page = walk_va / 4096;
        walk_ad = top.iw_ad_o;
        walk_done_at = s.cycles + 1 + r.below(12);
        const Page *page = w.tables.find(w.ctx, walk_va);
        walk_page = page == nullptr ? Page() : *page;
        if (!walk_ad || since_redirect < 3) // it is taken back
            return;
        uint64_t page_no = walk_va >> 12;
        check(!walk_page.fault && walk_page.x && walk_page.u == (w.ctx.priv == 0) && w.ctx.adue,
              "A would be set although the page may not be fetched from: %" PRIx64, walk_va);
        check(ad_allowed && (page_no == want_pc >> 12 || page_no == (want_pc + 2) >> 12),
              "leave to set A used for %" PRIx64 ", next is %" PRIx64, walk_va, want_pc);
    }

    void step() {
        top.ad_ok_i = ad_level;
        top.rd_valid_i = top.rd_mispred_i = top.flush_icache_i = top.flush_tlb_i = 0;
        if (!p.calm && halted == 0 && r.chance(500))
            halted = 1 + static_cast<int>(r.below(40));
        top.halt_i = halted > 0;
        halted_for = halted > 0 ? halted_for + 1 : 0;
        walker_outputs();
        bus_outputs();
        bool new_context = back_end();
        take(top.rd_valid_i);
        bus_inputs();
        walker_inputs();
        bool lookup = seen(W_L1I_RD, top.evf_o & 1), itlb_lookup = seen(W_ITLB_RD, top.evf_o >> 2 & 1);
        bool settled = since_redirect >= 6; // what is seen is not of the context before
        s.lookups += lookup;
        translated_lookups += lookup && settled && w.ctx.translates();
        s.misses += seen(W_L1I_RD_MISS, top.evf_o >> 1 & 1);
        s.itlb_lookups += itlb_lookup;
        check(!itlb_lookup || !settled || w.ctx.translates(), "ITLB_RD without translation");
        group_translated |= itlb_lookup || !settled;
        if (lookup && settled && w.ctx.translates()) {
            check(group_translated, "a group is looked up in the I cache and was not in the ITLB");
            group_translated = false;
        }
        s.itlb_misses += seen(W_ITLB_MISS, top.evf_o >> 3 & 1);
        tick();
        if (halted > 0)
            halted--;
        if (new_context) {
            apply_context();
            top.eval();
        }
        s.cycles++;
    }
};

double ratio(uint64_t a, uint64_t b) { return b == 0 ? 0 : static_cast<double>(a) / static_cast<double>(b); }

void report(const char *name, uint64_t seed, const Stats &s) {
    std::printf("%-10s seed %-4" PRIu64 " %8" PRIu64 " insns, %5.2f cycles each; transfers %7" PRIu64
                " mispredicted %5.2f%%, stale %" PRIu64 "; exceptions %" PRIu64
                "; I$ hits %6.2f%%, ITLB hits %6.2f%%; "
                "fastest redirect %u\n",
                name, seed, s.insns, ratio(s.cycles, s.insns), s.transfers,
                100 * ratio(s.mispredicts, s.transfers), s.stale, s.exceptions,
                100 - 100 * ratio(s.misses, s.lookups), 100 - 100 * ratio(s.itlb_misses, s.itlb_lookups),
                s.fastest);
}

void expect_at_most(const char *what, double value, double limit) {
    std::printf("%-52s %6.3f (at most %.3f)\n", what, value, limit);
    if (value <= limit)
        return;
    std::printf("too slow\n");
    std::exit(1);
}

// A small program in the cache and learned: cycles an instruction. It may begin with a compressed
// instruction, so that every other one of the rest straddles fetch groups.
double steady(const std::vector<Type> &program, bool odd = false, uint64_t *lookups = nullptr) {
    Profile p;
    p.calm = true;
    Bench b(1, p);
    b.program = program;
    b.w.mem.fill_with(odd ? 0x0013000000130000 : 0x0000001300000013);
    if (odd)
        b.w.mem.ram[0] = 0x0013000000130001;
    b.redirect_now(RAM_BASE);
    b.run(10000);
    for (int i = 0; i < 8; i++)
        b.mislead(RAM_BASE + 4 * i, RAM_BASE + 64);
    b.run(10000);
    Stats before = b.s;
    b.run(4000);
    if (!odd && b.s.fastest > 4) {
        std::printf("redirect takes %u cycles\n", b.s.fastest);
        std::exit(1);
    }
    if (lookups != nullptr)
        *lookups = b.s.lookups - before.lookups;
    return ratio(b.s.cycles - before.cycles, b.s.insns - before.insns);
}

// Instruction n of 4 bytes, behind a compressed one or not
size_t at(int n, bool odd) { return static_cast<size_t>(2 * n + (odd ? 1 : 0)); }

// A branch that nobody can predict, in a function with two callers: what is fetched behind it by mistake
// returns, and the return stack has to be repaired.
void repair() {
    Profile p;
    p.calm = true;
    Bench b(1, p);
    b.w.mem.fill_with(0x0000001300000013);
    b.program.assign(4096, NONE);
    b.program[at(3, false)] = CALL;
    b.program[at(8, false)] = CALL;
    b.program[at(12, false)] = JUMP;
    b.program[at(1024, false)] = COND; // over the first return
    b.program[at(1025, false)] = RET;
    b.program[at(1030, false)] = RET;
    b.redirect_now(RAM_BASE);
    b.run(5000);
    Stats before = b.s;
    b.run(10000);
    expect_at_most("unpredictable branches: at least some mispredicted",
                   -static_cast<double>(b.s.mispredicts - before.mispredicts), -100);
    expect_at_most("... and returns", static_cast<double>(b.s.lost_returns - before.lost_returns), 5);
}

// Branches that nearly always go one way
void biased() {
    for (unsigned share : {4u, 96u}) {
        Profile p;
        p.calm = true;
        Bench b(1, p);
        b.w.mem.fill_with(0x0000001300000013);
        b.program.assign(256, NONE);
        for (int n = 0; n < 40; n += 5)
            b.program[at(n, false)] = COND;
        b.program[at(41, false)] = JUMP;
        b.taken_share = share;
        b.redirect_now(RAM_BASE);
        b.run(3000);
        Stats before = b.s;
        b.run(20000);
        expect_at_most("branches taken 4% or 96% of the time: mispredicted %",
                       100 * ratio(b.s.mispredicts - before.mispredicts, b.s.transfers - before.transfers),
                       7);
    }
}

// A global page needs no second walk in another address space; any other does
void global_pages() {
    for (bool global : {true, false}) {
        Profile p;
        p.calm = true;
        Bench b(1, p);
        b.program.assign(64, NONE);
        b.w.mem.fill_with(0x0000001300000013);
        b.w.pmp.cfg = 0x1full << 56;
        b.w.pmp.addr[7] = ~0ull >> 10;
        b.w.ctx.priv = 1;
        b.w.ctx.sv39 = true;
        uint64_t pc = Tables::MEGA;
        for (unsigned asid : Tables::asids) {
            b.w.ctx.asid = asid;
            Page *page = b.w.tables.find(b.w.ctx, pc);
            page->fault = page->accfault = page->u = false;
            page->x = page->a = true;
            page->g = global;
            page->ppn = RAM_BASE >> 12;
            b.redirect_now(pc);
            b.run(200);
        }
        expect_at_most(global ? "walks for a global page in 4 spaces"
                              : "walks for a page of each of 4 spaces",
                       static_cast<double>(b.s.itlb_misses), global ? 1 : 4);
        expect_at_most("... and not fewer", -static_cast<double>(b.s.itlb_misses), global ? -1 : -4);
    }
}

void speed() {
    uint64_t lookups = 0;
    std::vector<Type> loop(512, NONE);
    loop[at(255, false)] = JUMP;
    expect_at_most("256 instructions of 4 bytes and a jump: cycles each", steady(loop, false, &lookups),
                   1.01);
    expect_at_most("... lookups of the I cache for 4000 of them", static_cast<double>(lookups), 2001);
    expect_at_most("... and not fewer", -static_cast<double>(lookups), -1999);
    for (int odd = 0; odd < 2; odd++) {
        std::printf(odd ? "behind a compressed instruction\n" : "aligned\n");
        for (int n : {2, 3, 4, 5, 8}) {
            std::vector<Type> small(64, NONE);
            small[at(n - 1, odd)] = JUMP;
            char what[80];
            std::snprintf(what, sizeof what, "loop of %d instructions: cycles a turn", n + odd);
            expect_at_most(what, (n + odd) * steady(small, odd), (n + odd) * 1.01);
        }
        // Instruction n (not the first) of a function, whose first is compressed or not
        auto in = [odd](int function, int n) { return at(function + n - odd, odd); };
        std::vector<Type> call(8192, NONE);
        call[at(5, odd)] = CALL;
        call[at(9, odd)] = CALL;
        call[at(14, odd)] = JUMP;
        call[in(1024, 1)] = CALL; // 6 instructions with what it calls
        call[in(1024, 3)] = RET;
        call[in(2048, 1)] = RET;
        expect_at_most("two calls of a function that calls: cycles a turn", (27 + odd) * steady(call, odd),
                       (27 + odd) * 1.01);
    }
}

// 0: everything as it should be; a check that fails ends the program.
int all(uint64_t first, uint64_t seeds, uint64_t cycles, const std::vector<Cover> &must_meet) {
    speed();
    repair();
    biased();
    global_pages();
    for (uint64_t seed = first; seed < first + seeds; seed++) {
        Random r(seed);
        Profile p;
        p.ready = r.chance(2) ? 8 : 2 + static_cast<unsigned>(r.below(6));
        p.bus_latency = r.chance(3) ? 1 : r.chance(2) ? 8 : 60;
        p.bus_gaps = r.chance(2);
        p.ex_delay = 1 + static_cast<unsigned>(r.below(4));
        p.calm = seed % 4 == 0;
        p.footprint = p.calm ? 8192 : 65536;
        auto bench = std::make_unique<Bench>(seed, p);
        if (p.calm)
            bench->redirect_now(RAM_BASE);
        bench->run(cycles);
        bench->finish();
        report(p.calm ? "calm" : "rough", seed, bench->s);
    }
    bool every = true;
    for (int c = 0; c < COVERS; c++)
        std::printf("met %8" PRIu64 " times: %s\n", covered[c], cover_names[c]);
    for (Cover c : must_meet)
        every = every && covered[c] != 0;
    return every ? 0 : 1;
}

// Does a process of its own see that something is wrong?
bool sees() {
    std::fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        bool silent = std::freopen("/dev/null", "w", stdout) != nullptr;
        std::exit(silent ? all(1, 8, 60000, {ICMISS, ITMISS}) : 0);
    }
    int status = 0;
    return child > 0 && waitpid(child, &status, 0) == child && status != 0;
}

// Every event output wrong in every way: must be seen, and nothing where none is wrong.
int mutants() {
    unsigned alive = 0;
    if (sees())
        return 1;
    for (mutant_wire = 0; mutant_wire < W_N; mutant_wire++)
        for (mutant_kind = 0; mutant_kind < KINDS; mutant_kind++)
            if (!sees()) {
                std::printf("alive: %s %s\n", wire_names[mutant_wire], kind_names[mutant_kind]);
                alive++;
            }
    std::printf("%u of %u mutants of the event outputs killed\n", W_N * KINDS - alive, W_N * KINDS);
    return alive != 0;
}

} // namespace

int main(int argc, char **argv) {
    std::setvbuf(stdout, nullptr, _IOLBF, 0);
    if (argc > 1 && std::strcmp(argv[1], "--mutants") == 0)
        return mutants();
    uint64_t seeds = argc > 1 ? std::strtoull(argv[1], nullptr, 0) : 4;
    uint64_t cycles = argc > 2 ? std::strtoull(argv[2], nullptr, 0) : 200000;
    uint64_t first = argc > 3 ? std::strtoull(argv[3], nullptr, 0) : 1;
    std::vector<Cover> everything;
    for (int c = 0; c < COVERS; c++)
        everything.push_back(static_cast<Cover>(c));
    return all(first, seeds, cycles, everything);
}
