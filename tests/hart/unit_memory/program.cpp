// SPDX-License-Identifier: Apache-2.0
// The program: random instructions and addresses
#include "bench.h"

// A few words that both harts use all the time, in lines that compete for one set with private ones
uint64_t Bench::hot_shared() { return SHARED + rnd.below(3) * PAGE + rnd.below(3) * 8; }

uint64_t Bench::random_offset() {
    uint64_t k = rnd.below(100);
    if (k < 45)
        return rnd.below(16) * 8;
    if (k < 60)
        return 0x340 + rnd.below(64);
    return rnd.below(PAGE / 8) * 8;
}

uint64_t Bench::random_va() {
    if (follow_up && --follow_up == 0 && ctx.sv39())
        return follow_up_va;
    if (rnd.percent(p_near) && near[0])
        return near[rnd.below(8)];
    return near[rnd.below(8)] = fresh_va() & ~7ull;
}

uint64_t Bench::fresh_va() {
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

uint64_t Bench::physical(uint64_t va) const { // where it would lead, permissions aside
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

Insn Bench::random_insn() {
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
