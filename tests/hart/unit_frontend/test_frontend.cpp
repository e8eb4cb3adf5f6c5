// SPDX-License-Identifier: Apache-2.0
// Unit test of tally_frontend: a random program over random bytes, followed as the back end would follow it.
//
// Every instruction delivered, on the right path or not, must have the bits, or the exception, that its pc
// has in the World; its pc must be what the instruction before it predicted, and after a redirect the
// redirect's pc. On top of that: bus and walker protocol, events against the activity of the ports, and the
// times of docs/hart.md.
//
// usage: test_frontend [seeds [cycles [first seed]]]

#include "bench.h"

#include <cstring>
#include <memory>
#include <sys/wait.h>
#include <unistd.h>

namespace {

const char *const wire_names[W_N] = {"L1I_RD",       "L1I_RD_MISS", "ITLB_RD",  "ITLB_MISS",
                                     "DEC_REDIRECT", "fq_icmiss",   "fq_itmiss"};
const char *const cover_names[COVERS] = {
    "access fault",     "... of a second half",  "page fault", "... of a second half",
    "A needed",         "... for a second half", "A set",      "instruction across pages",
    "... across lines", "... in the boot ROM",   "ICMISS",     "ITMISS"};

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

// 0: everything as it should be; a check that fails ends the program.
int all(uint64_t first, uint64_t seeds, uint64_t cycles, const std::vector<Cover> &must_meet) {
    check_times();
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
    for (faulty.wire = 0; faulty.wire < W_N; faulty.wire++)
        for (faulty.kind = 0; faulty.kind < FaultyWire::KINDS; faulty.kind++)
            if (!sees()) {
                std::printf("alive: %s %s\n", wire_names[faulty.wire], FaultyWire::names[faulty.kind]);
                alive++;
            }
    std::printf("%u of %u mutants of the event outputs killed\n", W_N * FaultyWire::KINDS - alive,
                W_N * FaultyWire::KINDS);
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
