// SPDX-License-Identifier: Apache-2.0
// Unit test of tally_memory. The bench plays the back end (ROB, retirement, flushes), the front end's side of
// the walker, the bus with RAM and devices, and another hart that writes. Every instruction that retires is
// executed by the model (model.h) and compared: value, exception, flags. Compared too: RAM and the devices'
// writes after every phase, event counts with what was seen on the ports, the order in which the other hart's
// writes become visible. Then the times that docs/hart.md promises.
//
// usage: test_memory [seeds [cycles [first seed]]]
//        test_memory --mutants: is it seen if one of the event outputs is wrong?

#include "Vtally_memory.h"
#include "model.h"
#include "verilated.h"

#include <algorithm>
#include <cinttypes>
#include <cstdio>
#include <cstdlib>
#include <deque>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace {

// What tally_csr says to tally_pmp of an address, for memory below 2^36
uint64_t pmp_shape(uint64_t addr) {
    const uint64_t napot = addr ^ (addr + 1), word = 1ull << 34;
    const uint64_t near = ((addr & ~napot) / word) == 0, far = addr / word != 0;
    return near << 35 | far << 34 | napot % word;
}

constexpr unsigned ROB = 8;
enum BusOp { B_LINE, B_READ, B_WRITE, B_AMO, B_LR, B_SC };
// An event output that is wrong on purpose
enum Wire { W_EVM, W_L1MISS = W_EVM + 8, W_TLBMISS, W_L2MISS, W_FWD, W_N };
const char *const wire_names[W_N] = {"L1D_LD_SPEC", "L1D_LD_MISS_SPEC", "L1D_MERGE", "L1D_REFILL",
                                     "L2TLB_RD",    "L2TLB_MISS",       "WALK_CYC",  "SQ_FULL",
                                     "lc_l1miss",   "lc_tlbmiss",       "lc_l2miss", "lc_fwd"};
enum Kind { STUCK_0, STUCK_1, INVERTED, SPARSE, KINDS };
const char *const kind_names[KINDS] = {"stuck at 0", "stuck at 1", "inverted", "1 of 16 lost"};
int mutant_wire = -1, mutant_kind; // -1: none; else what fails is no news

bool seen(int wire, bool value) {
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

enum Event { E_LD, E_LD_MISS, E_MERGE, E_REFILL, E_L2_RD, E_L2_MISS, E_WALK, E_FULL, E_N };

// What the runs together have to have met
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
uint64_t cover[C_N];

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

uint64_t table_page(unsigned n) { return TABLES + n * PAGE; }
bool is_shared(uint64_t pa) { return pa >= SHARED && pa < SHARED_END; }
bool is_table(uint64_t pa) { return pa >= TABLES && pa < TABLES_END; }

class Bench {
  public:
    explicit Bench(uint64_t seed) : rnd(seed), seed_(seed) {
        Verilated::randReset(2); // registers without a reset start with anything
        Verilated::randSeed(static_cast<int>(seed));
        top = std::make_unique<Vtally_memory>();
        top->rst = 1;
        top->ram_size_i = RAM_SIZE;
        set_context();
        stop = true;
        p_fetch = p_other = 0;
        for (int i = 0; i < 3; i++)
            clock();
        stop = false;
        top->rst = 0;
    }
    ~Bench() { top->final(); }

    Random rnd;
    uint64_t fetch_pa = 0;
    unsigned fetch_size = 4;
    std::unique_ptr<Vtally_memory> top;
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
    void fail(const char *format, ...) __attribute__((format(printf, 2, 3))) {
        va_list args;
        va_start(args, format);
        if (!failed && mutant_wire < 0) {
            printf("seed %" PRIu64 ", cycle %" PRIu64 ": ", seed_, cycle);
            vprintf(format, args);
            printf("\n");
        }
        failed = true;
        va_end(args);
    }

    void set_context() {
        top->ls_priv_i = static_cast<uint8_t>(ctx.priv);
        top->ls_sum_i = ctx.sum;
        top->ls_mxr_i = ctx.mxr;
        top->ls_adue_i = ctx.adue;
        top->ls_satp_i = ctx.satp;
        top->pmp_cfg_i = ctx.pmp_cfg;
        top->pmp_fine_i = ctx.pmp_fine();
        for (unsigned i = 0; i < 14; i++)
            top->pmp_addr_i[i] = 0;
        for (unsigned i = 0; i < 9; i++)
            top->pmp_shape_i[i] = 0;
        for (unsigned n = 0; n < 8; n++) {
            const uint64_t shape = pmp_shape(ctx.pmp_addr[n]);
            for (unsigned b = 0; b < 54; b++) {
                const unsigned at = n * 54 + b;
                top->pmp_addr_i[at / 32] |= static_cast<uint32_t>(ctx.pmp_addr[n] >> b & 1) << at % 32;
            }
            for (unsigned b = 0; b < 36; b++) {
                const unsigned at = n * 36 + b;
                top->pmp_shape_i[at / 32] |= static_cast<uint32_t>(shape >> b & 1) << at % 32;
            }
        }
    }

    // One clock cycle
    void clock() {
        drive();
        ask_pmp();
        top->clk = 0;
        top->eval();
        decide();
        top->eval();
        sample();
        nonspec = top->lsu_nonspec_o;
        top->clk = 1;
        top->eval();
        advance();
        cycle++;
    }

    bool idle() const {
        return rob.empty() && script.empty() && queue.empty() && answers.empty() && !fetch_on && !page_on &&
               !top->db_req_valid_o;
    }

    // Runs until the pipeline is empty and everything is performed, then compares
    void settle() {
        unsigned fetch = p_fetch;
        stop = true;
        p_fetch = 0;
        for (int quiet = 0, n = 0; quiet < 20 && !failed; n++) {
            clock();
            quiet = idle() && top->mem_idle_o ? quiet + 1 : 0;
            if (n > 20000)
                fail("does not come to rest: rob %zu queue %zu answers %zu", rob.size(), queue.size(),
                     answers.size());
        }
        stop = false;
        p_fetch = fetch;
        known = other_time;
        compare();
    }

    void compare() {
        if (failed)
            return;
        if (mem.bytes != gold.bytes) {
            for (size_t i = 0; i < mem.bytes.size(); i++)
                if (mem.bytes[i] != gold.bytes[i]) {
                    fail("memory at %" PRIx64 " is %02x, not %02x", RAM_BASE + i, mem.bytes[i],
                         gold.bytes[i]);
                    break;
                }
        }
        if (dev.reads != gold_dev.reads || !(dev.writes == gold_dev.writes))
            fail("device accesses differ");
        // Events. `dropped`: flushed on the way, so that nobody knows how far they got.
        range("L1D_LD_SPEC", count[E_LD], loads, dropped);
        range("L1D_LD_MISS_SPEC", count[E_LD_MISS], load_misses, dropped);
        range("L1D_MERGE", count[E_MERGE], load_merges, dropped);
        range("L2TLB_RD", count[E_L2_RD], tlb_misses, dropped);
        range("L2TLB_MISS", count[E_L2_MISS], l2_misses, dropped);
        range("L1D_REFILL", count[E_REFILL], lines, 0);
        if (count[E_LD_MISS] > count[E_REFILL] + count[E_MERGE] + full_slack)
            fail("more misses than lines and merges");
        if (count[E_FULL])
            cover[C_FULL]++;
        for (auto &c : count)
            c = 0;
        loads = load_misses = load_merges = tlb_misses = l2_misses = dropped = lines = full_slack = 0;
    }

    void range(const char *name, uint64_t got, uint64_t low, uint64_t slack) {
        if (got < low || got > low + slack)
            fail("%s counted %" PRIu64 ", expected %" PRIu64 "..%" PRIu64, name, got, low, low + slack);
    }

    // A pulse on flush_i and flush_tlb_i, as sfence.vma gives
    void fence_tlb() {
        force_flush = force_flush_tlb = true;
        clock();
    }
    void flush() {
        force_flush = true;
        clock();
    }

    // ----------------------------------------------------------------------------------------------
    // The world

    uint64_t pte(uint64_t pa, unsigned flags) { return pa >> 12 << 10 | flags; }
    void poke(uint64_t pa, uint64_t v) {
        mem.write(pa, 8, v);
        gold.write(pa, 8, v);
    }
    uint64_t raised_pte(unsigned i) { return pte(PRIVATE + i % 16 * PAGE, 0xCF | (i & 1 ? PU : 0)); }

    void build_world(bool faults) {
        for (uint64_t pa = RAM_BASE; pa < RAM_BASE + RAM_SIZE; pa += 8)
            poke(pa, rnd.next());
        for (uint64_t pa = SHARED; pa < SHARED_END; pa += 8)
            poke(pa, rnd.next() & 0xFFFFFFFF);
        for (uint64_t pa = TABLES; pa < TABLES_END; pa += 8)
            poke(pa, 0);
        for (unsigned root : {ROOT_A, ROOT_B}) {
            uint64_t r = table_page(root);
            poke(r + 1 * 8, pte(RAM_BASE, 0xEF)); // 1 GiB, global, S
            poke(r + 2 * 8, pte(table_page(L1_MEGA), PV | PG));
            poke(r + 3 * 8, pte(table_page(root == ROOT_A ? L1_A : L1_B), PV));
            poke(r + 511 * 8, pte(table_page(root == ROOT_A ? L1_A : L1_B), PV));
            poke(r + 4 * 8, pte(RAM_BASE + 0x200000, 0xCF));    // misplaced
            poke(r + 5 * 8, pte(table_page(L1_MEGA), PV | PA)); // reserved
            poke(r + 6 * 8, pte(RAM_BASE + RAM_SIZE, PV));      // table outside RAM
            poke(r + 7 * 8, pte(0x10000000, PV));               // table in a device
            poke(r + 8 * 8, pte(RAM_BASE, 0xCF) | 1ull << (54 + rnd.below(10)));
        }
        uint64_t mega = table_page(L1_MEGA);
        poke(mega + 0 * 8, pte(RAM_BASE, 0xCF | (rnd.percent(50) ? PU : 0)));
        poke(mega + 1 * 8, pte(RAM_BASE + 0x1000, 0xCF)); // misplaced
        poke(mega + 2 * 8, pte(0x10000000, 0xC7 | (rnd.percent(50) ? PU : 0)));
        poke(mega + 3 * 8, pte(RAM_BASE, PV | random_flags(faults)));
        for (unsigned space = 0; space < 2; space++) {
            uint64_t l1 = table_page(space ? L1_B : L1_A);
            unsigned l0 = space ? L0_B : L0_A;
            poke(l1, pte(table_page(l0), PV));
            poke(l1 + 8, pte(table_page(l0 + 1), PV));
            poke(l1 + 24, pte(table_page(l0), PV | PW)); // reserved
            for (unsigned t = 0; t < 2; t++)
                for (unsigned i = 0; i < RAISE_FROM; i += 2)
                    poke(table_page(l0 + t) + i * 8, random_leaf(faults));
        }
    }
    unsigned random_flags(bool faults) {
        unsigned f = PR | PW | PA | PD | (rnd.percent(40) ? PU : 0) | (rnd.percent(50) ? PX : 0);
        if (faults) {
            if (rnd.percent(20))
                f &= ~static_cast<unsigned>(PD);
            if (rnd.percent(12))
                f &= ~static_cast<unsigned>(PA);
            if (rnd.percent(10))
                f &= ~static_cast<unsigned>(PW);
            if (rnd.percent(5))
                f &= ~static_cast<unsigned>(PR);
        }
        return f;
    }
    uint64_t random_leaf(bool faults) {
        uint64_t pa = PRIVATE + rnd.below(16) * PAGE;
        unsigned k = static_cast<unsigned>(rnd.below(100));
        if (k < 15)
            pa = SHARED + rnd.below(8) * PAGE;
        else if (k < 20)
            pa = 0x10000000;
        else if (k < 23)
            pa = 0x3000;
        else if (k < 25)
            pa = 0xD000000;
        else if (k < 28 && faults)
            pa = RAM_BASE + RAM_SIZE + rnd.below(4) * PAGE;
        else if (k < 33)
            pa = TABLES + rnd.below(16) * PAGE;
        return pte(pa, PV | random_flags(faults)) | (rnd.below(4) << 8);
    }

    void random_context(bool faults) {
        for (auto &a : near)
            a = 0;
        ctx.priv = rnd.percent(30) ? M : rnd.percent(60) ? S : U;
        ctx.sum = rnd.percent(60);
        ctx.mxr = rnd.percent(40);
        ctx.adue = rnd.percent(60);
        unsigned root = static_cast<unsigned>(rnd.below(2));
        ctx.satp = rnd.percent(15) ? 0 : 8ull << 60 | (5ull + root) << 44 | table_page(root) >> 12;
        ctx.pmp_cfg = 0x1Full << 56;
        ctx.pmp_addr.fill(0);
        ctx.pmp_addr[7] = (1ull << 54) - 1;
        if (faults && rnd.percent(50)) {
            for (unsigned n = 0; n < 4; n++) {
                static const uint64_t modes[4] = {0x00, 0x08, 0x10, 0x18};
                uint64_t mode = modes[rnd.below(4)], rwx = rnd.below(8),
                         at = RAM_BASE + rnd.below(48) * PAGE + rnd.below(1024) * 4;
                if (rnd.percent(50))
                    at = PRIVATE + rnd.below(8) * PAGE + rnd.below(16) * 8 + 4;
                if ((rwx & 3) == 2)
                    rwx |= 1;
                if (mode == 0x18 && rnd.percent(50))
                    at |= (8ull << rnd.below(8)) - 1;
                ctx.pmp_addr[n] = at >> 2;
                ctx.pmp_cfg |= (mode | rwx | (rnd.percent(30) ? 0x80 : 0)) << 8 * n;
            }
        }
        set_context();
    }

    // ----------------------------------------------------------------------------------------------
    // The program

    // A few words that both harts use all the time, in lines that compete for one set with private ones
    uint64_t hot_shared() { return SHARED + rnd.below(3) * PAGE + rnd.below(3) * 8; }
    uint64_t random_offset() {
        uint64_t k = rnd.below(100);
        if (k < 45)
            return rnd.below(16) * 8;
        if (k < 60)
            return 0x340 + rnd.below(64);
        return rnd.below(PAGE / 8) * 8;
    }
    uint64_t random_va() {
        if (follow_up && --follow_up == 0 && ctx.sv39())
            return follow_up_va;
        if (rnd.percent(p_near) && near[0])
            return near[rnd.below(8)];
        return near[rnd.below(8)] = fresh_va() & ~7ull;
    }
    uint64_t near[8] = {}, follow_up_va = 0;
    unsigned follow_up = 0;
    uint64_t fresh_va() {
        if (rnd.percent(p_hot)) {
            uint64_t pa = hot_shared();
            if (!ctx.sv39())
                return pa;
            return pa - RAM_BASE + (rnd.percent(50) ? VA_GIGA : VA_MEGA);
        }
        uint64_t k = rnd.below(1000), off = random_offset();
        bool clean = this->clean || !rnd.percent(p_wild);
        if (!ctx.sv39()) {
            if (k < 600)
                return PRIVATE + rnd.below(8) * PAGE + off;
            if (k < 800)
                return SHARED + rnd.below(2) * PAGE + off;
            if (k < 850)
                return TABLES + rnd.below(9) * PAGE + off;
            if (k < 900 || !clean) {
                if (k >= 970)
                    return rnd.next();
                if (k >= 940)
                    return RAM_BASE + RAM_SIZE + off;
            }
            if (rnd.below(100) >= p_device * 5)
                return PRIVATE + off;
            static const uint64_t devices[] = {0x10000000, 0x1000, 0x2000000, 0xC000000, 0xD000000, 0x100000};
            return devices[rnd.below(6)] + (off & 0xF8);
        }
        if (k < 150)
            return VA_GIGA + (rnd.percent(60) ? 0 : 16 * PAGE) + rnd.below(8) * PAGE + off;
        if (k < 300)
            return VA_MEGA + (rnd.percent(80) ? 0 : 3ull << 21) + rnd.below(24) * PAGE + off;
        if (k < 320 && rnd.percent(p_device * 10))
            return VA_MEGA + (2ull << 21) + (off & 0xF8);
        if (k < 350 && !clean)
            return (rnd.below(12) << 30) + off;
        if (k < 365 && !clean)
            return rnd.next();
        if (k < 450 && !clean)
            return VA_PAGES + (RAISE_FROM + rnd.below(RAISE_TO - RAISE_FROM)) * PAGE + off;
        uint64_t page = rnd.percent(60) ? rnd.below(6) * 2 : rnd.below(RAISE_FROM / 2) * 2;
        uint64_t va = VA_PAGES + (rnd.percent(25) ? 0x200000 : 0) + page * PAGE + off;
        return rnd.percent(20) ? va | ~((1ull << 38) - 1) : va;
    }

    uint64_t physical(uint64_t va) const { // where it would lead, permissions aside
        if (!ctx.sv39())
            return va;
        Context c = ctx;
        c.sum = c.mxr = c.adue = true;
        for (unsigned priv : {U, S})
            for (Access a : {WRITE, READ, EXEC}) {
                Translation t = walk(gold, c, va, a, priv);
                if (!t.page_fault && !t.access_fault)
                    return t.pa;
            }
        return 0;
    }

    Insn random_insn() {
        Insn i;
        if (rnd.percent(20)) {
            i.delay = static_cast<unsigned>(rnd.below(6));
            return i;
        }
        i.mem = true;
        unsigned k = static_cast<unsigned>(rnd.below(100));
        i.op = k < p_store                  ? STORE
               : k < p_store + p_atomic     ? AMO
               : k < p_store + 2 * p_atomic ? (rnd.percent(50) ? LR : SC)
                                            : LOAD;
        static const uint8_t f5s[9] = {0, 1, 4, 8, 0xC, 0x10, 0x14, 0x18, 0x1C};
        i.f5 = f5s[rnd.below(9)];
        i.size = static_cast<unsigned>(rnd.below(4));
        if (i.op >= LR)
            i.size |= 2;
        i.uns = i.op == LOAD && i.size < 3 && rnd.percent(50);
        i.data = rnd.next();
        i.va = random_va();
        if (i.op == SC && rnd.percent(70))
            i.va = last_lr;
        i.va += rnd.below(8);
        if (rnd.below(100) >= p_odd || clean)
            i.va &= ~((1ull << i.size) - 1);
        if (i.op == LR)
            last_lr = i.va & ~7ull;
        bool writes = i.op != LOAD && i.op != LR;
        if (writes) {
            uint64_t pa = physical(i.va);
            if (is_table(pa)) {
                i.op = LOAD;
            } else if (is_shared(pa)) { // its lower half is ours, the upper the other hart's
                i.va &= ~4ull;
                if (i.size == 3)
                    i.size = 2;
                if (i.va % 8 + (1u << i.size) > 4)
                    i.va &= ~7ull;
            }
        }
        if (!clean && i.op == LOAD && rnd.percent(p_raise) && ctx.priv != U &&
            ctx.satp) { // raise a permission: no fence follows
            unsigned n = RAISE_FROM + static_cast<unsigned>(rnd.below(RAISE_TO - RAISE_FROM));
            uint64_t pa = table_page((ctx.satp >> 44 & 1 ? L0_A : L0_B)) + n * 8;
            i.op = STORE;
            i.size = 3;
            i.va = ctx.sv39() ? pa - RAM_BASE + VA_GIGA : pa;
            i.data = raised_pte(n);
            cover[C_RAISE]++;
            if (rnd.percent(70))
                follow_up = 1 + static_cast<unsigned>(rnd.below(3)),
                follow_up_va = VA_PAGES + n * PAGE + random_offset();
        }
        return i;
    }

    // ----------------------------------------------------------------------------------------------
    // Retirement: the model executes, and judges

    // Returns false if the instruction trapped (or has to run again)
    bool retire(Insn &i) {
        if (!i.mem)
            return true;
        unsigned bytes = 1u << i.size;
        bool writes = i.op == STORE || i.op == SC || i.op == AMO;
        bool loadlike = i.op == LOAD || i.op == LR;
        bool exc = false;
        unsigned cause = 0;
        uint64_t pa = i.va;
        bool wild = false;
        auto raise = [&](unsigned c) {
            if (!exc)
                cause = c;
            exc = true;
        };
        if (i.va % bytes)
            raise(loadlike ? LD_MISAL : ST_MISAL);
        if (!exc && ctx.sv39()) {
            Translation t = walk(gold, ctx, i.va, writes ? WRITE : READ, ctx.priv);
            wild = static_cast<uint64_t>(static_cast<int64_t>(i.va << 25) >> 25) != i.va;
            if (t.page_fault)
                raise(loadlike ? LD_PAGE : ST_PAGE);
            if (t.access_fault)
                raise(loadlike ? LD_ACC : ST_ACC);
            if (!exc && t.ad_needed) {
                if (!ad_ok) {
                    raise(AD_NEEDED);
                } else if (!ctx.pmp_ok(t.pte_pa, 8, WRITE, S)) {
                    raise(loadlike ? LD_ACC : ST_ACC);
                } else {
                    gold.write(t.pte_pa, 8, t.pte | PA | (writes ? PD : 0));
                    cover[C_AD_UPDATE]++;
                }
            }
            pa = t.pa;
        } else if (!exc && pa >> 56) {
            raise(loadlike ? LD_ACC : ST_ACC);
        }
        if (!exc) {
            bool ok = in_ram(pa) || (in_device(pa) && i.op <= STORE && !(i.op == STORE && in_rom(pa)) &&
                                     width_fits(pa, bytes));
            ok = ok && ctx.pmp_ok(pa, bytes, writes ? WRITE : READ, ctx.priv);
            if (!ok)
                raise(loadlike ? LD_ACC : ST_ACC);
        }
        bool device = !exc && !in_ram(pa);
        uint64_t raw = 0;
        if (!exc && device && i.op == LOAD) {
            raw = gold_dev.read(pa) >> pa % 8 * 8;
            if (device_fails(pa))
                raise(LD_ACC);
        }
        if (i.exc != exc || (exc && i.cause != cause)) {
            fail("op %d size %u va %" PRIx64 ": exception %d cause %u, expected %d cause %u (pa %" PRIx64
                 ", ad_ok %d)",
                 i.op, bytes, i.va, i.exc, i.cause, exc, cause, pa, ad_ok);
            return true;
        }
        bool tlb = ctx.sv39() && !(i.va % bytes) && !wild;
        if (i.tlbacc != tlb)
            fail("tlbacc %d", i.tlbacc);
        if ((i.tlbmiss && !i.tlbacc) || (i.l2miss && !i.tlbmiss))
            fail("miss without access");
        cover[C_TLB_MISS] += i.tlbmiss;
        cover[C_L2_HIT] += i.tlbmiss && !i.l2miss;
        if (exc) {
            cover[cause == LD_PAGE || cause == ST_PAGE ? C_PAGE_FAULT
                  : cause == LD_ACC || cause == ST_ACC ? C_ACCESS_FAULT
                                                       : C_MISALIGNED] += cause != AD_NEEDED;
            return false;
        }
        if (i.paddr != pa)
            fail("paddr %" PRIx64 ", expected %" PRIx64, i.paddr, pa);
        if (i.uncached != device || i.l1acc == device)
            fail("uncached %d l1acc %d at %" PRIx64, i.uncached, i.l1acc, pa);
        unsigned bits = 8 * bytes;
        uint64_t mask = bits == 64 ? ~0ull : (1ull << bits) - 1, care = ~0ull;
        if (!device)
            raw = gold.read(pa, bytes);
        raw &= mask;
        uint64_t expected = i.uns || bits == 64 || !(raw >> (bits - 1) & 1) ? raw : raw | ~mask;
        if (!device && is_shared(pa) && pa % 8 + bytes > 4 && i.op != SC) { // has bytes of the other hart's
            if (pa % 8 < 4)
                care = 0xFFFFFFFF >> pa % 8 * 8;
            else
                care = 0;
            if (pa % 8 + bytes == 8 && (bytes == 8 || pa % 8 == 4))
                other_seen(i, pa & ~7ull, static_cast<uint32_t>(i.value >> (bytes == 8 ? 32 : 0)));
        }
        if (!device && pa >= table_page(L0_A) &&
            pa < table_page(L0_B + 2)) { // the other hart writes here, see other_hart()
            care = pa / 8 % 2 == 0 && (pa % 8 > 1 || (pa % 8 == 0 && bytes == 1)) ? ~0ull : 0;
        }
        switch (i.op) {
        case LOAD:
        case LR:
            if ((i.value ^ expected) & care)
                fail("op %d size %u va %" PRIx64 " pa %" PRIx64 ": %" PRIx64 ", expected %" PRIx64
                     " (dsrc %u)",
                     i.op, bytes, i.va, pa, i.value, expected, i.dsrc);
            break;
        case STORE:
            if (device)
                gold_dev.writes.push_back({pa, i.data & mask, bytes});
            else
                gold.write(pa, bytes, i.data);
            break;
        case SC:
            if (i.value > 1 || i.value != sc_result)
                fail("SC gave %" PRIx64 ", the bus said %d", i.value, sc_result);
            if (!sc_result)
                gold.write(pa, bytes, i.data);
            cover[sc_result ? C_SC_FAIL : C_SC_OK]++;
            break;
        case AMO:
            if (i.value != expected)
                fail("AMO va %" PRIx64 ": %" PRIx64 ", expected %" PRIx64, i.va, i.value, expected);
            gold.write(pa, bytes, amo(i.f5, i.size == 3, expected, i.data));
            break;
        }
        unsigned dsrc = i.op == STORE  ? 0
                        : device       ? 5
                        : i.op != LOAD ? 4
                        : i.fwd        ? 2
                        : !i.l1miss    ? 1
                        : i.dsrc == 3  ? 3
                                       : 4;
        if (i.dsrc != dsrc)
            fail("dsrc %u, expected %u", i.dsrc, dsrc);
        if (i.op == LOAD)
            cover[device        ? C_DEVICE
                  : i.fwd       ? C_FORWARD
                  : i.dsrc == 3 ? C_MERGE
                  : i.l1miss    ? C_MISS
                                : C_HIT]++;
        return true;
    }

    void other_seen(const Insn &i, uint64_t dword, uint32_t v) {
        const auto &h = history[dword];
        uint32_t low = last_seen[dword], newest = 0;
        bool written = v == 0;
        for (uint32_t w : h) {
            written = written || w == v;
            if (w <= i.known)
                newest = w;
        }
        if (!written)
            fail("%" PRIx64 ": value %x of the other hart was never written", dword, v);
        if (v < low)
            fail("%" PRIx64 ": saw %x after %x", dword, v, low);
        if (v < newest)
            fail("%" PRIx64 ": saw %x, but %x was known", dword, v, newest);
        last_seen[dword] = v;
        cover[C_OTHER_SEEN] += v != 0;
    }

    // ----------------------------------------------------------------------------------------------
    // Cycle

    void drive() {
        // Back end: dispatch, issue
        bool alone = ad_ok && !rob.empty();
        if (!alone && rob.size() < ROB &&
            (!script.empty() || (!stop && !script_only && rnd.percent(p_dispatch)))) {
            if (rerun_valid) {
                rob.push_back(rerun);
                rerun_valid = false;
            } else if (!script.empty()) {
                rob.push_back(script.front());
                script.pop_front();
            } else {
                rob.push_back(random_insn());
            }
        } else if (rerun_valid && rob.empty()) {
            rob.push_back(rerun);
            rerun_valid = false;
        }
        if (!ls_up) {
            for (size_t n = 0; n < rob.size(); n++) {
                if (!rob[n].mem || rob[n].issued)
                    continue;
                if (!rnd.percent(p_dispatch))
                    break;
                const Insn &i = rob[n];
                uint64_t off = rnd.below(4096);
                ls_up = true;
                ls_index = n;
                top->ls_op_i = static_cast<uint8_t>(i.op);
                top->ls_f5_i = static_cast<uint8_t>(i.f5);
                top->ls_size_i = static_cast<uint8_t>(i.size);
                top->ls_uns_i = i.uns;
                top->ls_off_i = static_cast<uint16_t>(off);
                top->ls_base_i = i.va - static_cast<uint64_t>(static_cast<int64_t>(off << 52) >> 52);
                top->ls_wdata_i = i.data;
                top->ls_tag_i = static_cast<uint8_t>((head + n) % ROB);
                break;
            }
        }
        top->ls_valid_i = ls_up;
        top->head_valid_i = !rob.empty();
        top->head_tag_i = static_cast<uint8_t>(head);
        top->ad_ok_i = ad_ok;
        top->st_commit_i = top->retire_i = top->flush_i = top->flush_tlb_i = 0;
        bus();
        fetch();
        page();
    }

    void decide() {
        do_retire = do_flush = false;
        bool irq = !stop && !clean && !script_only && !ad_ok && rnd.below(1000) < p_flush * 10 && !nonspec;
        if (irq || force_flush) {
            do_flush = true;
            cover[C_FLUSH]++;
            if (force_flush_tlb)
                top->flush_tlb_i = 1;
            force_flush = force_flush_tlb = false;
        } else if (!rob.empty() && rob[0].done && rnd.percent(p_retire)) {
            do_retire = true;
            Insn &i = rob[0];
            bool ok = retire(i);
            if (!ok)
                do_flush = true;
            if (!ok && i.exc && i.cause == AD_NEEDED) {
                rerun = Insn();
                rerun.mem = true;
                rerun.op = i.op;
                rerun.f5 = i.f5;
                rerun.size = i.size;
                rerun.uns = i.uns;
                rerun.va = i.va;
                rerun.data = i.data;
                rerun_valid = true;
            }
            ad_next = rerun_valid;
            top->retire_i = ok;
            if (ok && i.mem && i.op == STORE)
                top->st_commit_i = 1;
        }
        top->flush_i = do_flush;
    }

    // PMP, lent to fetch while M holds nothing: one word or two
    void ask_pmp() {
        uint64_t pa = (ctx.pmp_addr[rnd.below(8)] << 2) + 8 * rnd.below(3) - 8;
        unsigned words = 1 + static_cast<unsigned>(rnd.below(2));
        fetch_pa = words == 2 ? pa & ~7ull & ((1ull << 36) - 1) : pa & ~3ull & ((1ull << 36) - 1);
        fetch_size = 4 * words;
        top->fp_first_i = fetch_pa >> 2;
        top->fp_last_i = (fetch_pa + fetch_size - 1) >> 2;
        top->fp_priv_i = static_cast<uint8_t>(rnd.below(2) * (1 + 2 * rnd.below(2)));
    }

    void check_pmp() {
        if (!top->fp_free_o)
            return;
        bool ok = ctx.pmp_ok(fetch_pa, fetch_size, EXEC, top->fp_priv_i);
        cover[C_LENT]++;
        cover[C_LENT_DENIED] += !ok;
        if (top->fp_fail_o == ok)
            fail("PMP says that a fetch from %" PRIx64 " is %s", fetch_pa, ok ? "denied" : "allowed");
    }

    void sample() {
        if (top->rst)
            return;
        check_pmp();
        for (unsigned e = 0; e < E_N; e++)
            if ((event[e] = seen(W_EVM + static_cast<int>(e), top->evm_o >> e & 1)))
                count[e]++;
        check_levels();
        accepted = ls_up && top->ls_ready_o;
        if (top->mem_idle_o && writes_under_way)
            fail("mem_idle_o with %d writes on the bus", writes_under_way);
        if (top->lc_sure_o > top->lc_valid_o || top->lc_valid_o > top->lc_turn_o)
            fail("completion: lc_turn_o %d, lc_sure_o %d, lc_valid_o %d", top->lc_turn_o, top->lc_sure_o,
                 top->lc_valid_o);
        if (top->lc_valid_o > top->lc_sure_o && !top->lc_exc_o)
            fail("PMP's no completes tag %u without an exception", top->lc_tag_o);
        if (top->lc_valid_o) {
            size_t n = (top->lc_tag_o + ROB - head) % ROB;
            if (n >= rob.size() || !rob[n].mem || !rob[n].issued || rob[n].done) {
                fail("completion of tag %u, which waits for none", top->lc_tag_o);
            } else {
                Insn &i = rob[n];
                completed = true;
                completed_at = n;
                i.value = top->lc_value_o;
                i.exc = top->lc_exc_o;
                i.cause = top->lc_cause_o;
                i.paddr = top->lc_paddr_o;
                i.l1acc = top->lc_l1acc_o;
                i.l1miss = seen(W_L1MISS, top->lc_l1miss_o);
                i.tlbacc = top->lc_tlbacc_o;
                i.tlbmiss = seen(W_TLBMISS, top->lc_tlbmiss_o);
                i.l2miss = seen(W_L2MISS, top->lc_l2tlbmiss_o);
                i.uncached = top->lc_uncached_o;
                i.fwd = seen(W_FWD, top->lc_fwd_o);
                i.dsrc = top->lc_dsrc_o;
                if (top->lc_vaddr_o != i.va || (i.exc && top->lc_tval_o != i.va))
                    fail("vaddr %" PRIx64, static_cast<uint64_t>(top->lc_vaddr_o));
                i.delay = 0;
                if (i.op == LOAD && i.l1acc) {
                    loads++;
                    load_misses += i.l1miss;
                    load_merges += i.dsrc == 3;
                }
                tlb_misses += i.tlbmiss;
                l2_misses += i.l2miss;
                if ((i.op == LOAD || i.op == LR) && !i.exc && is_shared(i.paddr) &&
                    i.paddr % 8 + (1u << i.size) == 8 && i.size >= 2 && (i.size == 3 || i.paddr % 8 == 4))
                    known_next = static_cast<uint32_t>(i.value >> (i.size == 3 ? 32 : 0));
            }
        }
        if (top->db_req_valid_o && top->db_req_ready_i)
            accept_request();
        if (fetch_on && top->iw_done_o)
            fetch_done();
        if (page_on && top->rw_done_o)
            page_done();
        if (!page_on && !page_was_on && top->rw_done_o)
            fail("record page answered that nobody asked for");
        if (!fetch_on && !fetch_was_on && top->iw_done_o)
            fail("walk answered that nobody asked for");
    }

    // The events that are states: what must be so, seen from outside
    void check_levels() {
        bool on_bus = false, wanted = fetch_on || fetch_was_on, store = false;
        for (const auto &r : queue)
            on_bus |= r.id == 8;
        for (const auto &a : answers)
            on_bus |= !a.inv && a.id == 8;
        for (const auto &i : rob) {
            wanted |= i.mem && i.issued && !i.done;
            store |= i.mem && i.issued && !i.done && i.op != LOAD && i.op != LR;
        }
        unwanted = wanted || on_bus ? 0 : unwanted + 1;
        if (on_bus && !event[E_WALK])
            fail("WALK_CYC is not set while the walker waits for the bus");
        if (event[E_WALK] && unwanted > 4)
            fail("WALK_CYC is set, and nothing needs a walk");
        if (event[E_FULL] && !store)
            fail("SQ_FULL is set, and no store waits");
    }

    void advance() {
        writes_under_way -= writes_acked;
        writes_acked = 0;
        if (completed) {
            rob[completed_at].done = true;
            if (known_next > known)
                known = known_next;
            known_next = 0;
            completed = false;
        }
        if (accepted) {
            rob[ls_index].issued = true;
            rob[ls_index].known = known;
            rob[ls_index].delay = 0;
            ls_up = false;
        }
        for (auto &i : rob) {
            if (!i.mem && !i.done)
                i.done = i.delay == 0 || --i.delay == 0;
            if (i.mem && i.issued && !i.done && ++i.delay > 5000)
                fail("no completion: op %d va %" PRIx64, i.op, i.va);
        }
        if (do_retire && !do_flush) {
            rob.pop_front();
            head = (head + 1) % ROB;
            if (ls_up)
                ls_index--;
            retired++;
            ad_ok = false;
        }
        if (do_flush) {
            for (const auto &i : rob)
                dropped += i.mem && i.issued && !i.done;
            rob.clear();
            ls_up = false;
            ad_ok = rerun_valid;
        }
        if (fetch_end)
            fetch_on = fetch_end = false;
        if (page_end)
            page_on = page_end = false;
    }

    // ----------------------------------------------------------------------------------------------
    // Bus

    void accept_request() {
        Request r;
        r.op = top->db_req_op_o;
        r.addr = top->db_req_addr_o;
        r.size = top->db_req_size_o;
        r.data = top->db_req_wdata_o;
        r.strobes = top->db_req_wstrb_o;
        r.f5 = top->db_req_f5_o;
        r.id = top->db_req_id_o;
        r.ready_at = cycle + 2 + (latency ? rnd.below(latency) : 0);
        bool ram = in_ram(r.addr);
        if (!ram && (r.op > B_WRITE || r.op == B_LINE || !in_device(r.addr)))
            fail("request %u of %" PRIx64, r.op, r.addr);
        if (r.op == B_WRITE)
            writes_under_way++;
        if (r.op == B_LINE && (r.addr % 64 || r.id > 1))
            fail("line request");
        if (r.op == B_LINE)
            lines++;
        if (r.op == B_LINE)
            full_slack += 8; // loads that found no free miss register may wait for this one
        if (r.op == B_WRITE && ram && __builtin_popcount(r.strobes) > 1)
            cover[C_MERGED_STORE] += r.strobes & (r.strobes - 1) ? 1 : 0;
        queue.push_back(r);
    }

    void invalidate(uint64_t pa) { answers.push_back({true, 0, pa, false, false}); }

    void write_seen(uint64_t pa, bool walker) { // reservations that a write breaks; own writes keep one's own
        if (reserved[1] && reserved_line[1] == pa / 64)
            reserved[1] = false;
        if (walker && reserved[0] && reserved_line[0] == pa / 64)
            reserved[0] = false;
    }

    void perform(const Request &r) {
        bool ram = in_ram(r.addr);
        unsigned bytes = 1u << r.size;
        uint64_t shift = r.addr % 8 * 8;
        Answer a{false, r.id, 0, true, false};
        switch (r.op) {
        case B_LINE:
            for (unsigned n = 0; n < 8; n++)
                answers.push_back({false, r.id, mem.read(r.addr + 8 * n, 8), n == 7, false});
            return;
        case B_READ:
            a.data = ram ? mem.read(r.addr & ~7ull, 8) : dev.read(r.addr);
            a.err = !ram && device_fails(r.addr);
            break;
        case B_WRITE:
            if (ram) {
                mem.write_lanes(r.addr, r.data, r.strobes);
                write_seen(r.addr, false);
            } else {
                dev.writes.push_back(
                    {r.addr, r.data >> shift & (bytes == 8 ? ~0ull : (1ull << 8 * bytes) - 1), bytes});
            }
            break;
        case B_LR:
            if (r.id == 8 && rnd.percent(20))
                change_software_bits(r.addr);
            a.data = mem.read(r.addr & ~7ull, 8);
            reserved[r.id >> 3] = true;
            reserved_line[r.id >> 3] = r.addr / 64;
            if (r.id == 8 && rnd.percent(20))
                change_software_bits(r.addr);
            break;
        case B_AMO: {
            uint64_t old = mem.read(r.addr, bytes);
            a.data = old << shift;
            mem.write(r.addr, bytes, amo(r.f5, bytes == 8, old, r.data >> shift));
            write_seen(r.addr, false);
            break;
        }
        default: {
            bool ok = reserved[r.id >> 3] && reserved_line[r.id >> 3] == r.addr / 64;
            reserved[r.id >> 3] = false;
            a.data = (rnd.next() & ~1ull) | !ok;
            if (r.id == 8) {
                cover[C_AD_RETRY] += !ok;
                tables_changed++;
            } else {
                sc_result = !ok;
            }
            if (!ok)
                break;
            mem.write_lanes(r.addr, r.data, r.strobes);
            write_seen(r.addr, r.id == 8);
        }
        }
        bool own_inv = r.op == B_AMO || r.op == B_SC, first = rnd.percent(50);
        if (own_inv && first)
            invalidate(r.addr);
        answers.push_back(a);
        if (own_inv && !first)
            invalidate(r.addr);
    }

    void change_software_bits(uint64_t pte_pa) {
        if (pte_pa < table_page(L0_A) || pte_pa >= table_page(L0_B + 2))
            return;
        uint64_t b = (mem.read(pte_pa + 1, 1) & 0xFC) | rnd.below(4);
        mem.write(pte_pa + 1, 1, b);
        gold.write(pte_pa + 1, 1, b);
        break_reservations(pte_pa);
        invalidate(pte_pa);
    }

    void other_hart() {
        if (hammered && cycle % hammer_period == 0)
            invalidate(hammered);
        if (script_only || !rnd.percent(p_other) || (stop && !rnd.percent(10)))
            return;
        if (rnd.percent(30)) { // a PTE's software bits, or an unused PTE
            unsigned t = rnd.percent(50) ? L0_A : L0_B;
            uint64_t pa = table_page(t + static_cast<unsigned>(rnd.below(2))) +
                          rnd.below(rnd.percent(50) ? 8 : RAISE_FROM) * 8;
            if (pa / 8 % 2) {
                poke(pa, rnd.next());
            } else {
                change_software_bits(pa);
                return;
            }
            break_reservations(pa);
            invalidate(pa);
            return;
        }
        uint64_t pa =
            SHARED + rnd.below(8) * PAGE / (rnd.percent(70) ? 8 : 1) / 8 * 8 + random_offset() / 8 * 8;
        if (rnd.percent(p_hot * 2))
            pa = hot_shared();
        if (!is_shared(pa))
            return;
        uint32_t v = ++other_time;
        mem.write(pa + 4, 4, v);
        gold.write(pa + 4, 4, v);
        history[pa].push_back(v);
        break_reservations(pa);
        invalidate(pa);
    }
    void break_reservations(uint64_t pa) {
        for (int n = 0; n < 2; n++)
            if (reserved_line[n] == pa / 64)
                reserved[n] = false;
    }

    void bus() {
        top->db_req_ready_i = rnd.percent(p_ready) && queue.size() < 16;
        other_hart();
        if (!queue.empty() && queue.front().ready_at <= cycle) {
            perform(queue.front());
            queue.pop_front();
        }
        top->db_rsp_valid_i = top->inv_valid_i = 0;
        top->db_rsp_data_i = rnd.next();
        if (!rnd.percent(p_answer))
            return;
        bool rsp = false, inv = false;
        while (!answers.empty() && (answers.front().inv ? !inv : !rsp)) {
            const Answer &a = answers.front();
            if (a.inv) {
                inv = true;
                top->inv_valid_i = 1;
                top->inv_addr_i = a.data >> 6;
            } else {
                rsp = true;
                top->db_rsp_valid_i = 1;
                top->db_rsp_id_i = static_cast<uint8_t>(a.id);
                top->db_rsp_data_i = a.data;
                top->db_rsp_last_i = a.last;
                top->db_rsp_err_i = a.err;
                if (a.id == 2)
                    writes_acked++;
            }
            answers.pop_front();
            if (rnd.percent(30))
                break;
        }
    }

    // ----------------------------------------------------------------------------------------------
    // Front end's side of the walker

    void fetch() {
        bool started = false;
        if (!fetch_on && !fetch_pause && ctx.satp && !force_flush && rnd.percent(p_fetch)) {
            fetch_on = started = true;
            do
                fetch_va = random_va();
            while (!ctx.sv39() && fetch_va > (4ull << 30));
            fetch_va = static_cast<uint64_t>(static_cast<int64_t>(fetch_va << 25) >>
                                             25); // the front end checks that itself
            fetch_user = rnd.percent(50);
            fetch_ad = false;
            fetch_changes = tables_changed;
        }
        if (fetch_pause)
            fetch_pause--;
        if (fetch_on && !started && !clean && !stop && rnd.below(1000) < 3) {
            fetch_on = false;
            fetch_pause = 1;
            dropped++;
            cover[C_I_CANCEL]++;
        }
        fetch_was_on = top->iw_req_i; // the walker may answer in the cycle in which the request goes
        top->iw_req_i = fetch_on;
        top->iw_va_i = fetch_va;
        top->iw_user_i = fetch_user;
        top->iw_ad_i = fetch_ad;
    }

    void fetch_done() {
        fetch_end = true;
        fetch_pause = 1;
        fetch_fault = top->iw_fault_o;
        fetch_denied = top->iw_accfault_o;
        tlb_misses++;
        l2_misses += top->iw_l2miss_o;
        cover[C_I_WALK]++;
        if (tables_changed != fetch_changes)
            return;
        if (fetch_va >= VA_PAGES && (fetch_va >> 12 & 511) >= RAISE_FROM)
            return; // may be raised at any time
        Translation t = walk(mem, ctx, fetch_va, EXEC, fetch_user ? U : S);
        bool ad = t.ad_needed && ctx.adue && !t.page_fault && !t.access_fault;
        if (top->iw_fault_o != t.page_fault || top->iw_accfault_o != t.access_fault ||
            (!fetch_ad && top->iw_adneed_o != ad)) {
            fail("fetch walk %" PRIx64 ": fault %d access %d A %d, expected %d %d %d", fetch_va,
                 top->iw_fault_o, top->iw_accfault_o, top->iw_adneed_o, t.page_fault, t.access_fault, ad);
            return;
        }
        cover[C_FETCH_AD_NEEDED] += ad;
        cover[C_I_FAULT] += t.page_fault || t.access_fault;
        if (t.page_fault || t.access_fault || top->iw_adneed_o)
            return;
        uint64_t low = (1ull << (12 + 9 * top->iw_level_o)) - 1;
        uint64_t pa = ((static_cast<uint64_t>(top->iw_ppn_o) << 12) & ~low) | (fetch_va & low);
        if (pa != t.pa)
            fail("fetch walk %" PRIx64 ": pa %" PRIx64 ", expected %" PRIx64, fetch_va, pa, t.pa);
        if (top->iw_x_o != 1 || top->iw_u_o != !!(t.pte & PU) || top->iw_r_o != !!(t.pte & PR) ||
            top->iw_w_o != !!(t.pte & PW) || top->iw_g_o != t.global || top->iw_level_o != t.level)
            fail("fetch walk %" PRIx64 ": attributes", fetch_va);
    }

    // Sample records' side of it: pages that S-mode writes. With ADUE the walk would change A and D in its
    // own time, which the golden memory does not know.
    void page() {
        bool started = false;
        if (!page_on && !page_pause && !ctx.adue && !force_flush && rnd.percent(p_fetch)) {
            page_on = started = true;
            page_machine = rnd.percent(25);
            page_va = page_machine ? RAM_BASE + rnd.below(48) * PAGE
                                   : random_va() & ~static_cast<uint64_t>(PAGE - 1);
            page_changes = tables_changed;
        }
        if (page_pause)
            page_pause--;
        if (page_on && !started && !clean && !stop && rnd.below(1000) < 3) {
            page_on = false;
            page_pause = 1;
        }
        page_was_on = top->rw_req_i;
        top->rw_req_i = page_on;
        top->rw_va_i = page_va >> 12;
        top->rw_machine_i = page_machine;
    }

    void page_done() {
        page_end = true;
        page_pause = 1;
        if ((!page_machine && tables_changed != page_changes) ||
            (page_va >= VA_PAGES && (page_va >> 12 & 511) >= RAISE_FROM))
            return;
        Context as_s = ctx;
        as_s.sum = as_s.mxr = false;
        Translation t;
        t.pa = page_va;
        t.page_fault = page_va >> 56;
        if (ctx.satp && !page_machine)
            t = walk(mem, as_s, page_va, WRITE, S);
        bool denied = t.page_fault || t.access_fault || !in_ram(t.pa), refused = false;
        for (uint64_t at = 0; at < PAGE && !refused; at += 8)
            refused = !ctx.pmp_ok(t.pa + at, 8, WRITE, page_machine ? M : S);
        cover[C_PAGE]++;
        cover[C_PAGE_INSIDE] += !denied && refused && ctx.pmp_ok(t.pa, 8, WRITE, page_machine ? M : S);
        denied = denied || refused;
        cover[C_PAGE_DENIED] += denied;
        if (top->rw_fault_o != denied || (!denied && static_cast<uint64_t>(top->rw_page_o) << 12 != t.pa))
            fail("record page %" PRIx64 ": fault %d page %" PRIx64 ", expected %d %" PRIx64, page_va,
                 top->rw_fault_o, static_cast<uint64_t>(top->rw_page_o) << 12, denied, t.pa);
    }

    // A fetch that may set A: nothing else runs
    void fetch_alone() {
        if (!ctx.satp || !ctx.adue)
            return;
        settle();
        if (failed)
            return;
        fetch_on = true;
        fetch_ad = true;
        Translation t;
        for (int n = 0; n < 30 && !t.ad_needed; n++) {
            fetch_va = VA_PAGES + rnd.below(RAISE_FROM / 2) * 2 * PAGE;
            fetch_user = rnd.percent(50);
            t = walk(gold, ctx, fetch_va, EXEC, fetch_user ? U : S);
        }
        bool change = !t.page_fault && !t.access_fault && t.ad_needed,
             denied = change && !ctx.pmp_ok(t.pte_pa, 8, WRITE, S);
        fetch_changes = ~0ull; // judged here
        stop = true;
        for (int n = 0; fetch_on && !failed; n++) {
            clock();
            if (n > 3000)
                fail("fetch walk does not end");
        }
        stop = false;
        if (failed)
            return;
        if (fetch_fault != t.page_fault || fetch_denied != (t.access_fault || denied))
            fail("fetch with A: fault %d access %d", fetch_fault, fetch_denied);
        if (change && !denied) {
            gold.write(t.pte_pa, 1, gold.read(t.pte_pa, 1) | PA);
            cover[C_I_AD]++;
        }
        settle();
    }

    // ----------------------------------------------------------------------------------------------
    std::deque<Insn> rob;
    unsigned head = 0;
    uint64_t retired = 0;
    bool ls_up = false, accepted = false, completed = false, do_retire = false, do_flush = false;
    size_t ls_index = 0, completed_at = 0;
    bool stop = false, force_flush = false, force_flush_tlb = false;
    bool nonspec = false; // what the memory room said in the cycle before
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
    if (seed % 5 == 0) { // close to what programs do: everything at full speed, few lines
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
        if (r.percent(30)) { // software changes a page table, and says so
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
    if (b.failed && mutant_wire < 0)
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
    if (mutant_wire < 0)
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

// A load gets its word, whichever it is, however often another hart writes the line. What comes too late is
// asked for again, at most a few times.
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
    for (mutant_wire = 0; mutant_wire < W_N; mutant_wire++)
        for (mutant_kind = 0; mutant_kind < KINDS; mutant_kind++) {
            uint64_t seed = 1;
            bool killed = !times() || !translated_run(seed, 10000);
            while (!killed && seed <= 40)
                killed = !random_run(seed++, 10000);
            if (killed)
                continue;
            printf("alive: %s %s\n", wire_names[mutant_wire], kind_names[mutant_kind]);
            alive++;
        }
    printf("%u of %u mutants of the event outputs killed\n", W_N * KINDS - alive, W_N * KINDS);
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
