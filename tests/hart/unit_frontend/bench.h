// SPDX-License-Identifier: Apache-2.0
// The bench around tally_frontend: it plays program, page table, walker, bus and back end.
//
// bench.cpp     common code of all runs
// cycle.cpp     a clock cycle, events
// back_end.cpp  the program's branches, redirects, traps, changes of context
// queue.cpp     the fetch queue's output, compared with the World
// bus.cpp       bus and walker
#ifndef TALLY_TEST_FRONTEND_BENCH_H
#define TALLY_TEST_FRONTEND_BENCH_H

#include "Vtally_frontend.h"
#include "faulty_wire.h"
#include "world.h"

#include <cinttypes>
#include <cstdio>
#include <cstdlib>
#include <deque>

enum Type { COND, JUMP, CALL, RET, SWAP, INDIRECT, NONE };

struct Insn {
    uint64_t pc, next, target;
    bool rvc, taken, mispredicted;
    Type type;
    uint32_t insn;
    uint64_t meta;
    int age;
};

struct Stats {
    uint64_t cycles = 0, insns = 0, transfers = 0, jumps = 0, mispredicts = 0, stale = 0, exceptions = 0,
             redirects = 0, lost_returns = 0;
    uint64_t lookups = 0, misses = 0, itlb_lookups = 0, itlb_misses = 0;
    unsigned fastest = 99; // redirect to valid
};

// Situations that all runs together must reach
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
extern uint64_t covered[COVERS];

// The event outputs, each of which can be made wrong on purpose
enum Wire { W_L1I_RD, W_L1I_RD_MISS, W_ITLB_RD, W_ITLB_MISS, W_DEC_REDIRECT, W_ICMISS, W_ITMISS, W_N };
extern FaultyWire faulty;

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
    Bench(uint64_t seed, const Profile &profile);

    World w;
    Stats s;
    std::vector<Type> program; // if not empty: the type of the instruction at RAM_BASE + 2 n
    unsigned taken_share = 50; // ... and how many of 100 conditional branches are taken

    void run(uint64_t cycles);
    void redirect_now(uint64_t pc);
    void mislead(uint64_t pc, uint64_t target);
    void finish();

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
    int doomed = -1;  // a redirect comes in so many cycles; output until then is not checked
    int trap_in = -1; // an exception was delivered: redirect then
    uint64_t trap_pc = 0;
    bool trap_ad = false, ad_allowed = false, ad_level = false;
    uint64_t since_redirect = 0, since_early = 0, quiet = 0;
    bool waiting = false;    // the queue's head is that of the cycle before,
    bool held = false;       // ... and must be, since nothing redirects
    bool early_seen = false; // it is new, and redirects fetch
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

    void clear_inputs();
    void apply_context();
    void tick();

    // ------------------------------------------------------------ the program
    Type type_of(uint64_t pc) const;
    uint64_t place(uint64_t pc, uint64_t h) const;
    void resolve_bits(Insn &i);
    bool decide(uint64_t pc);
    void resolve(Insn &i);

    // ------------------------------------------------------------ traps and changes of context
    uint64_t random_pc();
    bool second_needs_a(uint64_t &pc);
    uint64_t fresh_pc();
    void change_context();
    void change_memory();
    void drive_redirect(uint64_t pc, bool ad);
    void doom();
    void trap(uint64_t pc, bool ad);
    bool back_end();

    // ------------------------------------------------------------ output of the queue
    bool early() const;
    void take(bool redirecting);
    void accept();

    // ------------------------------------------------------------ bus
    void bus_outputs();
    void bus_inputs();
    int halted_for = 0;

    // ------------------------------------------------------------ walker
    void walker_outputs();
    void walker_inputs();
    void step();
};

// speed.cpp: the times of docs/hart.md; one that is exceeded ends the program.
double ratio(uint64_t a, uint64_t b);
void check_times();

#endif
