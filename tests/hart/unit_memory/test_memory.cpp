// SPDX-License-Identifier: Apache-2.0
// Unit test of tally_lsu. The bench plays the back end (ROB, retirement, flushes), the front end's side of
// the walker, the bus with RAM and devices, and another hart that writes. Every instruction that retires is
// executed by the model (model.h) and compared: value, exception, flags. Compared too: RAM and the devices'
// writes after every phase, event counts with the activity of the ports, the order in which the other hart's
// writes become visible. Then the times of docs/hart.md.
//
// usage: test_memory [seeds [cycles [first seed]]]
//        test_memory --mutants: every event output wrong in every way must fail a run

#include "bench.h"

#include <algorithm>
#include <string>

namespace {

const char *const wire_names[W_N] = {"L1D_LD_SPEC", "L1D_LD_MISS_SPEC", "L1D_MERGE", "L1D_REFILL",
                                     "L2TLB_RD",    "L2TLB_MISS",       "WALK_CYC",  "SQ_FULL",
                                     "lc_l1miss",   "lc_tlbmiss",       "lc_l2miss", "lc_fwd"};
const char *const cover_names[C_N] = {"load hit",
                                      "load miss",
                                      "load merged",
                                      "load forwarded",
                                      "device access",
                                      "SC done",
                                      "SC failed",
                                      "A/D update",
                                      "A/D retry",
                                      "page fault",
                                      "access fault",
                                      "misaligned",
                                      "DTLB miss",
                                      "L2 TLB hit",
                                      "PTE raised",
                                      "stores merged",
                                      "flush",
                                      "store queue full",
                                      "fetch walk",
                                      "fetch fault",
                                      "fetch A set",
                                      "fetch walk cancelled",
                                      "other hart's write seen",
                                      "fetch A needed",
                                      "record page",
                                      "record page denied",
                                      "record page denied inside",
                                      "fetch asked PMP",
                                      "... and was denied"};

uint64_t total_retired, total_cycles;

bool random_run(uint64_t seed, uint64_t cycles) {
    Bench b(seed);
    Random &r = b.rnd;
    bool faults = seed % 4 != 0;
    b.clean = !faults;
    static const unsigned readies[] = {100, 80, 30}, latencies[] = {0, 0, 8, 40};
    b.p_ready = readies[r.below(3)];
    b.p_answer = readies[r.below(3)];
    b.p_retire = readies[r.below(3)];
    b.p_dispatch = readies[r.below(2)];
    b.latency = latencies[r.below(4)];
    b.p_flush = r.percent(50) ? 1 : 0;
    b.p_other = static_cast<unsigned>(r.below(3)) * 7;
    b.p_fetch = static_cast<unsigned>(r.below(3)) * 3;
    b.p_device = static_cast<unsigned>(r.below(3)) * 4;
    b.p_atomic = static_cast<unsigned>(r.below(3)) * 6;
    b.p_store = 10 + static_cast<unsigned>(r.below(4)) * 15;
    b.p_odd = faults ? 2 : 0;
    b.p_wild = seed % 4 == 1 ? 100 : 10;
    b.p_raise = static_cast<unsigned>(r.below(3)) * 5;
    b.p_hot = static_cast<unsigned>(r.below(3)) * 25;
    b.p_near = static_cast<unsigned>(r.below(3)) * 40;
    if (seed % 5 == 0) { // like programs: everything at full speed, few lines
        b.p_ready = b.p_answer = b.p_retire = b.p_dispatch = 100;
        b.p_near = 85;
        b.p_wild = b.p_device = b.p_atomic = b.p_flush = 0;
        b.p_fetch = 1;
        b.p_hot = 10;
        b.latency = 6;
    }
    b.build_world(faults);
    b.random_context(faults);
    while (b.cycle < cycles && !b.failed) {
        uint64_t phase = b.cycle + 200 + r.below(5000);
        while (b.cycle < phase && !b.failed)
            b.clock();
        b.settle();
        if (b.failed)
            break;
        if (r.percent(30))
            b.fetch_alone();
        if (b.failed)
            break;
        if (r.percent(30)) { // software changes a page table, and fences
            unsigned t = r.percent(50) ? L0_A : L0_B;
            uint64_t pa = table_page(t + static_cast<unsigned>(r.below(2))) + r.below(RAISE_FROM / 2) * 16;
            b.poke(pa, b.random_leaf(faults));
            b.break_reservations(pa);
            b.invalidate(pa);
            b.settle();
            b.fence_tlb();
            b.random_context(faults);
        } else {
            b.flush();
            uint64_t pmp = b.ctx.pmp_cfg;
            b.random_context(faults);
            if (pmp != b.ctx.pmp_cfg || pmp << 8)
                b.fence_tlb(); // walks may have been remembered with the PMP of their PTEs
        }
    }
    total_retired += b.retired;
    total_cycles += b.cycle;
    if (b.failed && faulty.wire < 0)
        printf("seed %" PRIu64 " failed; again: test_memory 1 %" PRIu64 " %" PRIu64 "\n", seed, cycles, seed);
    return !b.failed;
}

// Data accesses through page tables, in short phases and hardly one beside another, so that few are flushed:
// where none is, all event counts are exact
bool translated_run(uint64_t seed, uint64_t cycles) {
    Bench b(seed);
    b.clean = true;
    b.p_flush = b.p_fetch = b.p_other = b.latency = 0;
    b.p_dispatch = 5;
    b.build_world(false);
    do
        b.random_context(false);
    while (!b.ctx.sv39());
    while (b.cycle < cycles && !b.failed) {
        for (unsigned n = 0; n < 100; n++)
            b.clock();
        b.settle();
        b.fence_tlb();
    }
    return !b.failed;
}

// ----------------------------------------------------------------------------------------------
// Times

struct Timed : Bench {
    Timed() : Bench(1) {
        p_ready = p_answer = p_retire = p_dispatch = 100;
        p_fetch = p_other = p_flush = 0;
        latency = 0;
        script_only = clean = true;
    }
    void add(Op op, uint64_t va, unsigned size = 3) {
        Insn i;
        i.mem = true;
        i.op = op;
        i.va = va;
        i.size = size;
        i.data = rnd.next();
        script.push_back(i);
    }
    uint64_t run() {
        uint64_t from = cycle;
        while ((!script.empty() || !rob.empty()) && !failed && cycle < from + 10000)
            clock();
        return cycle - from;
    }
};

bool expect(const char *what, uint64_t cycles, uint64_t low, uint64_t high) {
    bool ok = cycles >= low && cycles <= high;
    if (faulty.wire < 0)
        printf("%-44s %4" PRIu64 "%s\n", what, cycles, ok ? "" : "  OUT OF RANGE");
    return ok;
}

bool times() {
    bool ok = true;
    auto warm = [](Timed &b) {
        for (unsigned n = 0; n < 16; n++)
            b.add(LOAD, PRIVATE + n * 64);
        b.run();
        b.settle();
    };
    {
        Timed b;
        warm(b);
        for (unsigned n = 0; n < 200; n++)
            b.add(LOAD, PRIVATE + n * 8 % 1024);
        ok &= expect("200 load hits", b.run(), 200, 206) && !b.failed;
    }
    {
        Timed b;
        warm(b);
        for (unsigned n = 0; n < 200; n++)
            b.add(n % 2 ? LOAD : STORE, PRIVATE + n * 40 % 1024);
        ok &= expect("100 load hits and 100 stores in turn", b.run(), 200, 212) && !b.failed;
    }
    {
        Timed b;
        warm(b);
        for (unsigned n = 0; n < 200; n++)
            b.add(STORE, PRIVATE + n * 8 % 1024);
        ok &= expect("200 stores to different words", b.run(), 200, 215) && !b.failed;
    }
    {
        Timed b;
        warm(b);
        b.latency = 0;
        b.add(LOAD, PRIVATE + 8 * PAGE);
        uint64_t one = b.run();
        ok &= expect("a load miss (bus answers in 2 cycles)", one, 6, 12);
        b.settle();
        b.add(LOAD, PRIVATE + 9 * PAGE);
        b.add(LOAD, PRIVATE + 10 * PAGE);
        // the second line's eight beats come behind the first's
        ok &= expect("two load misses (together)", b.run(), one, one + 11) && !b.failed;
    }
    {
        Timed b;
        warm(b);
        b.p_ready = 5; // a busy bus: stores wait, and merge
        uint64_t before = b.retired;
        for (unsigned n = 0; n < 64; n++)
            b.add(STORE, PRIVATE + n, 0);
        b.run();
        b.settle();
        ok &= b.retired == before + 64 && !b.failed;
    }
    {
        Timed b;
        warm(b);
        b.p_ready = 0; // no store leaves: one waits for room, from some cycle on in every one
        for (unsigned n = 0; n < 32; n++)
            b.add(STORE, PRIVATE + n * 8);
        for (unsigned n = 0; n < 100; n++)
            b.clock();
        uint64_t before = b.count[E_FULL];
        for (unsigned n = 0; n < 100; n++)
            b.clock();
        ok &= expect("SQ_FULL in 100 cycles without room", b.count[E_FULL] - before, 100, 100);
        b.p_ready = 100;
        b.run();
        b.settle();
        ok &= !b.failed;
    }
    return ok;
}

// A load of any word completes, however often another hart writes the line. Lines invalidated on the way are
// requested again, at most a few times.
bool progress() {
    constexpr unsigned WORDS = 8, SHORTEST = 8, LONGEST = 48;
    Timed b;
    b.latency = 8;
    uint64_t slowest = 0, line = PRIVATE;
    for (b.hammer_period = SHORTEST; b.hammer_period <= LONGEST && !b.failed; b.hammer_period++)
        for (unsigned word = 0; word < WORDS; word++, line += 64) {
            b.hammered = line;
            b.add(LOAD, line + word * 8);
            slowest = std::max(slowest, b.run());
        }
    return expect("a load miss, the line written all the time", slowest, 6, 100) && !b.failed;
}

// Every event output wrong in every way: runs of some seeds must see it.
int mutants() {
    unsigned alive = 0;
    for (faulty.wire = 0; faulty.wire < W_N; faulty.wire++)
        for (faulty.kind = 0; faulty.kind < FaultyWire::KINDS; faulty.kind++) {
            uint64_t seed = 1;
            bool killed = !times() || !translated_run(seed, 10000);
            while (!killed && seed <= 40)
                killed = !random_run(seed++, 10000);
            if (killed)
                continue;
            printf("alive: %s %s\n", wire_names[faulty.wire], FaultyWire::names[faulty.kind]);
            alive++;
        }
    printf("%u of %u mutants of the event outputs killed\n", W_N * FaultyWire::KINDS - alive,
           W_N * FaultyWire::KINDS);
    return alive != 0;
}

} // namespace

int main(int argc, char **argv) {
    if (argc > 1 && std::string(argv[1]) == "--mutants")
        return mutants();
    uint64_t seeds = argc > 1 ? strtoull(argv[1], nullptr, 0) : 20,
             cycles = argc > 2 ? strtoull(argv[2], nullptr, 0) : 30000;
    uint64_t first = argc > 3 ? strtoull(argv[3], nullptr, 0) : 1, failures = 0;
    bool ok = seeds < 2 || (times() && progress() && translated_run(first, cycles));
    for (uint64_t s = first; s < first + seeds && failures < 5; s++)
        failures += !random_run(s, cycles);
    if (seeds >= 10)
        for (unsigned c = 0; c < C_N; c++)
            if (!cover[c]) {
                printf("never met: %s\n", cover_names[c]);
                ok = false;
            }
    printf("seeds %" PRIu64 "..%" PRIu64 ": %" PRIu64 " cycles, %" PRIu64 " instructions retired\n", first,
           first + seeds - 1, total_cycles, total_retired);
    if (seeds >= 10)
        for (unsigned c = 0; c < C_N; c++)
            printf("  %-26s %10" PRIu64 "\n", cover_names[c], cover[c]);
    printf("%" PRIu64 " passed, %" PRIu64 " failed\n", seeds - failures + ok, failures + !ok);
    return failures || !ok;
}
