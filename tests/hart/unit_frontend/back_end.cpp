// SPDX-License-Identifier: Apache-2.0
// The back end: the program's transfers, redirects, traps and changes of context
#include "bench.h"

Type Bench::type_of(uint64_t pc) const {
    if (!program.empty()) {
        uint64_t n = (pc - RAM_BASE) / 2;
        return n < program.size() ? program[n] : NONE;
    }
    static const Type kinds[32] = {COND, COND, COND, COND, JUMP, CALL, RET, SWAP, INDIRECT};
    uint64_t h = hash(pc ^ behaviour) % 32;
    return h < 9 ? kinds[h] : NONE;
}

uint64_t Bench::place(uint64_t pc, uint64_t h) const {
    int64_t near = static_cast<int64_t>(h % 512) * 2 - 512;
    uint64_t page = pc & ~(p.footprint - 1);
    if (h >> 32 & 7)
        return p.calm ? page | ((pc + near) & (p.footprint - 1)) : pc + near;
    return page | (h >> 20 & (p.footprint - 1) & ~1ull);
}

bool Bench::decide(uint64_t pc) {
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

static int64_t sign_extend(uint64_t value, unsigned bits) {
    return static_cast<int64_t>(value << (64 - bits)) >> (64 - bits);
}

// Transfers that the front end decodes go where their bits say; the outcome of the others is random, whatever
// their bits.
void Bench::resolve_bits(Insn &i) {
    const uint32_t n = i.insn, rd = n >> 7 & 31;
    auto bits = [n](unsigned from, unsigned count, unsigned to) {
        return uint64_t{n >> from & ((1u << count) - 1)} << to;
    };
    auto direct = [&i](Type type, uint64_t offset, unsigned width) {
        i.type = type;
        i.target = i.pc + static_cast<uint64_t>(sign_extend(offset, width));
    };
    if ((n & 0x7f) == 0x6f) // jal
        direct(rd == 1 || rd == 5 ? CALL : JUMP,
               bits(31, 1, 20) | bits(12, 8, 12) | bits(20, 1, 11) | bits(21, 10, 1), 21);
    else if ((n & 0x7f) == 0x63) // branches
        direct(COND, bits(31, 1, 12) | bits(7, 1, 11) | bits(25, 6, 5) | bits(8, 4, 1), 13);
    else if (i.rvc && (n & 0xe003) == 0xa001) // c.j
        direct(JUMP,
               bits(12, 1, 11) | bits(11, 1, 4) | bits(9, 2, 8) | bits(8, 1, 10) | bits(7, 1, 6) |
                   bits(6, 1, 7) | bits(3, 3, 1) | bits(2, 1, 5),
               12);
    else if (i.rvc && (n & 0xc003) == 0xc001) // c.beqz, c.bnez
        direct(COND, bits(12, 1, 8) | bits(10, 2, 3) | bits(5, 2, 6) | bits(3, 2, 1) | bits(2, 1, 5), 9);
    else if (((n & 0xfffff) >> 15 == 1 || (n & 0xfffff) >> 15 == 5) &&
             (n & 0x7fff) == 0x67) // jalr x0, (link)
        i.type = RET;
    else if (i.rvc && (n & 0xf07f) == 0x8002 && (rd == 1 || rd == 5)) // c.jr
        i.type = RET;
}

// The outcome of an instruction on the right path
void Bench::resolve(Insn &i) {
    uint64_t link = i.pc + (i.rvc ? 2 : 4);
    i.type = NONE;
    if (program.empty())
        resolve_bits(i);
    const bool known = i.type != NONE && i.type != RET;
    if (i.type == NONE)
        i.type = type_of(i.pc);
    if (program.empty() && (i.type == RET || i.type == SWAP) && stack.empty())
        i.type = INDIRECT;
    i.next = link;
    i.taken = i.type != NONE && (i.type != COND || decide(i.pc));
    if (!i.taken) {
        i.target = link;
        return;
    }
    if (known)
        s.jumps += i.type != COND;
    else if (program.empty())
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

// Half of the time a place where fetch has been before, maybe in another context
uint64_t Bench::random_pc() {
    uint64_t &known = places[r.below(places.size())];
    if (r.chance(3))
        known = fresh_pc();
    return known;
}

// An instruction across two pages, of which the second one alone needs its A bit set, if one is found
bool Bench::second_needs_a(uint64_t &pc) {
    for (int tries = 0; tries < 64; tries++) {
        pc = (r.chance(2) ? Tables::LOW : Tables::HIGH) + (1 + r.below(Tables::PAGES - 1)) * 4096 - 2;
        const Expected e = expect(w, pc);
        if (e.cause == 14 && e.half)
            return true;
    }
    return false;
}

uint64_t Bench::fresh_pc() {
    uint64_t straddling;
    if (w.ctx.translates() && w.ctx.adue && r.chance(8) && second_needs_a(straddling))
        return straddling;
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
void Bench::change_context() {
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

// With the redirect, or before it: instructions that leave the queue then may be old
void Bench::change_memory() {
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

void Bench::drive_redirect(uint64_t pc, bool ad) {
    top.rd_valid_i = 1;
    top.rd_pc_i = pc;
    ad_allowed = ad;
    ad_level = ad || (ad_level &&
                      r.chance(2)); // a mispredicted branch may be the oldest: younger ones may not set A
    redirect_pc = want_pc = pc;
    missed_line = missed_page = 0;
    wrong_path = stopped = false;
    since_redirect = 0;
    s.redirects++;
    held = false;
}

void Bench::doom() {
    change_memory();
    pipe.clear();
    trap_in = -1;
    doomed = r.chance(2) ? 0 : static_cast<int>(r.below(10));
}

void Bench::trap(uint64_t pc, bool ad) {
    ad_level = false;
    drive_redirect(pc, ad);
    pipe.clear();
    stack.clear();
    trap_in = doomed = -1;
}

// EX and commit: may redirect in this cycle. Returns true if the context has to change after the
// edge.
bool Bench::back_end() {
    top.bu_valid_i = resolved_valid;
    if (resolved_valid) {
        top.bu_pc_i = resolved.pc;
        top.bu_rvc_i = resolved.rvc;
        top.bu_taken_i = resolved.taken;
        top.bu_target_i = resolved.target;
        top.bu_type_i = resolved.type;
        top.bu_mispred_i = resolved.mispredicted;
        top.bu_meta_i = resolved.meta;
    } else if (!p.calm && r.chance(200)) { // noise: no training may break anything
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
    } else if (!p.calm && doomed < 0 && quiet < 60 && r.chance(300)) { // a hang must not be ended
        doom();
        resolved_valid = false;
    }
    if (doomed < 0 || doomed-- > 0)
        return false;
    change_context();
    trap(random_pc(), r.chance(3));
    return true;
}
