// SPDX-License-Identifier: Apache-2.0
// The times of docs/hart.md: loops, calls, predictions, global pages
#include "bench.h"

double ratio(uint64_t a, uint64_t b) { return b == 0 ? 0 : static_cast<double>(a) / static_cast<double>(b); }

namespace {

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

// An unpredictable branch in a function with two callers: instructions fetched behind it by mistake
// return, and the return stack has to be repaired.
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

// Direct jumps, more than the target buffer has entries: each costs what an early redirect does, and none
// waits for its execution.
void many_jumps() {
    Profile p;
    p.calm = true;
    p.ex_delay = 8;
    Bench b(1, p);
    constexpr uint64_t N = 1024;
    b.w.mem.fill_with(0x000100010001a021); // c.j to the next group
    const uint32_t back = static_cast<uint32_t>(-static_cast<int64_t>((N - 1) * 8));
    b.w.mem.ram[N - 1] = (back >> 20 & 1) << 31 | (back >> 1 & 0x3ff) << 21 | (back >> 11 & 1) << 20 |
                         (back >> 12 & 0xff) << 12 | 0x6f; // jal to the first
    b.redirect_now(RAM_BASE);
    b.run(20000);
    Stats before = b.s;
    b.run(20000);
    expect_at_most("direct jumps out of 1024: cycles each",
                   ratio(b.s.cycles - before.cycles, b.s.insns - before.insns), 4.01);
    expect_at_most("... mispredicted", static_cast<double>(b.s.mispredicts), 0);
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
        call[in(1024, 1)] = CALL; // 6 instructions with the callee
        call[in(1024, 3)] = RET;
        call[in(2048, 1)] = RET;
        expect_at_most("two calls of a function that calls: cycles a turn", (27 + odd) * steady(call, odd),
                       (27 + odd) * 1.01);
    }
}

} // namespace

void check_times() {
    speed();
    repair();
    biased();
    many_jumps();
    global_pages();
}
