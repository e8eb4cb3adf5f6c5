// SPDX-License-Identifier: Apache-2.0
// The bench around tally_lsu: it plays the back end (ROB, retirement, flushes), the front end's side of
// the walker, the bus with RAM and devices, and another hart that writes.
//
// bench.cpp    coverage of runs, and failures
// cycle.cpp    a clock cycle, the back end's ports, event counts
// world.cpp    page tables, PMP, contexts
// program.cpp  random instructions and addresses
// retire.cpp   the model executes retired instructions, and compares
// bus.cpp      RAM, devices, the other hart's writes
// walks.cpp    the front end's walks, sample records' pages, PMP for fetches
#ifndef TALLY_TEST_MEMORY_BENCH_H
#define TALLY_TEST_MEMORY_BENCH_H

#include "Vtally_lsu.h"
#include "faulty_wire.h"
#include "model.h"

#include <cinttypes>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <deque>
#include <map>
#include <memory>
#include <vector>

constexpr unsigned ROB = 8;
enum BusOp { B_LINE, B_READ, B_WRITE, B_AMO, B_LR, B_SC };
// The event outputs, each of which can be made wrong on purpose
enum Wire { W_EVM, W_L1MISS = W_EVM + 8, W_TLBMISS, W_L2MISS, W_FWD, W_N };
extern FaultyWire faulty;

enum Event { E_LD, E_LD_MISS, E_MERGE, E_REFILL, E_L2_RD, E_L2_MISS, E_WALK, E_FULL, E_N };

// Situations that all runs together must reach
enum Cover {
    C_HIT,
    C_MISS,
    C_MERGE,
    C_FORWARD,
    C_DEVICE,
    C_SC_OK,
    C_SC_FAIL,
    C_AD_UPDATE,
    C_AD_RETRY,
    C_PAGE_FAULT,
    C_ACCESS_FAULT,
    C_MISALIGNED,
    C_TLB_MISS,
    C_L2_HIT,
    C_RAISE,
    C_MERGED_STORE,
    C_FLUSH,
    C_FULL,
    C_I_WALK,
    C_I_FAULT,
    C_I_AD,
    C_I_CANCEL,
    C_OTHER_SEEN,
    C_FETCH_AD_NEEDED,
    C_PAGE,
    C_PAGE_DENIED,
    C_PAGE_INSIDE,
    C_LENT,
    C_LENT_DENIED,
    C_N
};
extern uint64_t cover[C_N];

struct Insn {
    bool mem = false;
    Op op = LOAD;
    unsigned f5 = 0, size = 0; // log2 of bytes
    bool uns = false;
    uint64_t va = 0, data = 0;
    // pipeline
    bool issued = false, done = false;
    unsigned delay = 0;
    uint64_t value = 0, paddr = 0;
    bool exc = false, l1acc = false, l1miss = false, tlbacc = false, tlbmiss = false, l2miss = false;
    bool uncached = false, fwd = false;
    unsigned cause = 0, dsrc = 0;
    uint32_t known = 0; // newest write of the other hart that was known when it was issued
};

struct Request {
    unsigned op, size, f5, id, strobes;
    uint64_t addr, data, ready_at;
};

struct Answer { // of the bus, in order: a response beat or an invalidation
    bool inv;
    unsigned id;
    uint64_t data;
    bool last, err;
};

constexpr uint64_t PRIVATE = RAM_BASE, SHARED = RAM_BASE + 16 * PAGE, SHARED_END = RAM_BASE + 24 * PAGE;
constexpr uint64_t TABLES = RAM_BASE + 32 * PAGE, TABLES_END = RAM_BASE + 48 * PAGE;
constexpr unsigned ROOT_A = 0, ROOT_B = 1, L1_A = 2, L1_B = 3, L1_MEGA = 4, L0_A = 5, L0_B = 7,
                   RAISE_FROM = 64, RAISE_TO = 96;
constexpr uint64_t VA_GIGA = 1ull << 30, VA_MEGA = 2ull << 30, VA_PAGES = 3ull << 30;

inline uint64_t table_page(unsigned n) { return TABLES + n * PAGE; }
inline bool is_shared(uint64_t pa) { return pa >= SHARED && pa < SHARED_END; }
inline bool is_table(uint64_t pa) { return pa >= TABLES && pa < TABLES_END; }

class Bench {
  public:
    explicit Bench(uint64_t seed);
    ~Bench();

    Random rnd;
    uint64_t fetch_pa = 0;
    unsigned fetch_size = 4;
    std::unique_ptr<Vtally_lsu> top;
    Memory mem, gold; // as the bus sees it; as the program does
    Devices dev, gold_dev;
    Context ctx;
    uint64_t cycle = 0;
    bool failed = false;

    // Knobs
    unsigned p_ready = 80, p_answer = 90, p_retire = 70, p_flush = 1, p_other = 3, p_dispatch = 90,
             latency = 20;
    unsigned p_fetch = 5, p_device = 5, p_atomic = 6, p_store = 35, p_odd = 6, p_wild = 100, p_near = 0,
             p_raise = 4, p_hot = 0;
    bool clean = false; // no interrupts, no cancelled walks: event counts are exact
    bool script_only = false;

    std::deque<Insn> script; // instructions to run before any random ones

    // ----------------------------------------------------------------------------------------------
    void fail(const char *format, ...) __attribute__((format(printf, 2, 3)));
    void set_context();
    void clock();
    bool idle() const;
    void settle();
    void compare();
    void range(const char *name, uint64_t got, uint64_t low, uint64_t slack);
    void fence_tlb();
    void flush();

    // ----------------------------------------------------------------------------------------------
    // The world

    uint64_t pte(uint64_t pa, unsigned flags) { return pa >> 12 << 10 | flags; }
    void poke(uint64_t pa, uint64_t v) {
        mem.write(pa, 8, v);
        gold.write(pa, 8, v);
    }
    uint64_t raised_pte(unsigned i) { return pte(PRIVATE + i % 16 * PAGE, 0xCF | (i & 1 ? PU : 0)); }

    void build_world(bool faults);
    unsigned random_flags(bool faults);
    uint64_t random_leaf(bool faults);
    void random_context(bool faults);

    // ----------------------------------------------------------------------------------------------
    // The program

    uint64_t hot_shared();
    uint64_t random_offset();
    uint64_t random_va();
    uint64_t near[8] = {}, follow_up_va = 0;
    unsigned follow_up = 0;
    uint64_t fresh_va();
    uint64_t physical(uint64_t va) const;
    Insn random_insn();

    // ----------------------------------------------------------------------------------------------
    // Retirement: the model executes, and judges

    bool retire(Insn &i);
    void other_seen(const Insn &i, uint64_t dword, uint32_t v);

    // ----------------------------------------------------------------------------------------------
    // Cycle

    void drive();
    void decide();
    void ask_pmp();
    void check_pmp();
    void sample();
    void check_levels();
    void check_early(const Insn &i);
    void advance();

    // ----------------------------------------------------------------------------------------------
    // Bus

    void accept_request();

    void invalidate(uint64_t pa) { answers.push_back({true, 0, pa, false, false}); }

    void write_seen(uint64_t pa, bool walker);
    void perform(const Request &r);
    void change_software_bits(uint64_t pte_pa);
    void other_hart();
    void break_reservations(uint64_t pa);
    void bus();

    // ----------------------------------------------------------------------------------------------
    // Front end's side of the walker

    void fetch();
    void fetch_done();
    void page();
    void page_done();
    void fetch_alone();

    // ----------------------------------------------------------------------------------------------
    std::deque<Insn> rob;
    unsigned head = 0;
    uint64_t retired = 0;
    bool ls_up = false, accepted = false, completed = false, do_retire = false, do_flush = false;
    bool load_in_m = false; // in the cycle before
    unsigned tag_in_m = 0;
    size_t ls_index = 0, completed_at = 0;
    bool stop = false, force_flush = false, force_flush_tlb = false;
    bool nonspec = false; // the memory unit's answer in the cycle before
    bool ad_ok = false, ad_next = false, rerun_valid = false;
    Insn rerun;
    uint64_t last_lr = 0;
    bool sc_result = false;

    std::deque<Request> queue;
    std::deque<Answer> answers;
    int writes_under_way = 0, writes_acked = 0;
    bool reserved[2] = {false, false};
    uint64_t reserved_line[2] = {0, 0};

    uint32_t other_time = 0, known = 0, known_next = 0;
    uint64_t hammered = 0, hammer_period = 1; // a line that the other hart writes again and again
    std::map<uint64_t, std::vector<uint32_t>> history;
    std::map<uint64_t, uint32_t> last_seen;

    bool fetch_on = false, fetch_end = false, fetch_was_on = false, fetch_fault = false, fetch_denied = false,
         fetch_user = false, fetch_ad = false;
    unsigned fetch_pause = 0;
    uint64_t fetch_va = 0, fetch_changes = 0, tables_changed = 0;
    bool page_on = false, page_end = false, page_was_on = false;
    unsigned page_pause = 0;
    bool page_machine = false;
    uint64_t page_va = 0, page_changes = 0;

    uint64_t count[E_N] = {}, loads = 0, load_misses = 0, load_merges = 0, tlb_misses = 0, l2_misses = 0,
             dropped = 0, lines = 0, full_slack = 0;
    bool event[E_N] = {};  // of this cycle
    unsigned unwanted = 0; // cycles in which nothing needed a walk

  private:
    uint64_t seed_;
};

#endif
