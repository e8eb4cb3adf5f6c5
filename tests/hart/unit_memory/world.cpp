// SPDX-License-Identifier: Apache-2.0
// The world of a run: page tables, PMP, contexts
#include "bench.h"

void Bench::build_world(bool faults) {
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

unsigned Bench::random_flags(bool faults) {
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

uint64_t Bench::random_leaf(bool faults) {
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

void Bench::random_context(bool faults) {
    for (auto &a : near)
        a = 0;
    ctx.priv = rnd.percent(30) ? M : rnd.percent(60) ? S : U;
    ctx.sum = rnd.percent(60);
    ctx.mxr = rnd.percent(40);
    ctx.adue = rnd.percent(60);
    unsigned root = static_cast<unsigned>(rnd.below(2));
    ctx.satp = rnd.percent(15) ? 0 : 8ull << 60 | (5ull + root) << 44 | table_page(root) >> 12;
    ctx.mml = faults && rnd.percent(30);
    ctx.mmwp = faults && rnd.percent(30);
    // The rest of memory: every mode's. With MML one rule cannot let M and S do everything
    static const uint64_t rests[] = {0x1F, 0x1F, 0x1E, 0x9B, 0x9F};
    ctx.pmp_cfg = (ctx.mml ? rests[rnd.below(5)] : 0x1F) << 56;
    ctx.pmp_addr.fill(0);
    ctx.pmp_addr[7] = (1ull << 54) - 1;
    if (faults && rnd.percent(50)) {
        for (unsigned n = 0; n < 4; n++) {
            static const uint64_t modes[4] = {0x00, 0x08, 0x10, 0x18};
            uint64_t mode = modes[rnd.below(4)], rwx = rnd.below(8),
                     at = RAM_BASE + rnd.below(48) * PAGE + rnd.below(1024) * 4;
            if (rnd.percent(50))
                at = PRIVATE + rnd.below(8) * PAGE + rnd.below(16) * 8 + 4;
            if ((rwx & 3) == 2 && !ctx.mml)
                rwx |= 1;
            if (mode == 0x18 && rnd.percent(50))
                at |= (8ull << rnd.below(8)) - 1;
            ctx.pmp_addr[n] = at >> 2;
            ctx.pmp_cfg |= (mode | rwx | (rnd.percent(30) ? 0x80 : 0)) << 8 * n;
        }
    }
    set_context();
}
