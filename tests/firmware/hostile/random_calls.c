/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Random calls of every extension, on this hart and, if there is one, on another at the same time. The
 * firmware is built with a shadow: M-mode's memory and registers stay as they were, and so do the
 * supervisor's registers and the memory that no argument names. Calls that would end the run or jump to a
 * random address are left out: reset, stop, suspend, and handlers of events that are not ours.
 */
#include "events_use.h"

#include <string.h>

#ifndef RANDOM_CALLS
#define RANDOM_CALLS 20000
#endif
#ifndef RANDOM_SEED
#define RANDOM_SEED 1
#endif

enum { GUARD = 0x5a, SHARED = 16 << 10 };

/* Calls may write `shared`; the memory around it is compared. */
static struct {
    unsigned char before[4096];
    unsigned char shared[SHARED];
    unsigned char behind[4096];
} memory[2] __attribute__((aligned(4096)));

struct source {
    uint64_t state;
    unsigned which;
    unsigned long hart;
};

static uint32_t random32(struct source *source) {
    source->state ^= source->state << 13;
    source->state ^= source->state >> 7;
    source->state ^= source->state << 17;
    return (uint32_t)(source->state * 0x2545f4914f6cdd1dull >> 32);
}

static unsigned long random_word(struct source *source) {
    const unsigned long word = random32(source);

    return __riscv_xlen == 64 ? word << (__riscv_xlen / 2) | random32(source) : word;
}

static unsigned below(struct source *source, unsigned n) { return random32(source) % n; }

static unsigned long address(struct source *source) {
    return (unsigned long)memory[source->which].shared + (below(source, SHARED) & ~7u);
}

static unsigned long argument(struct source *source) {
    switch (below(source, 12)) {
    case 0:
        return 0;
    case 1:
        return ~0ul;
    case 2:
        return source->hart;
    case 3:
        return (unsigned long)memory[source->which].shared; /* a whole page */
    case 4:
        return address(source);
    case 5:
        return RAM_BASE + below(source, 1 << FIRMWARE_LOG);
    case 6:
        return LOCAL_SOFTWARE;
    case 7:
        return below(source, 2) ? GLOBAL_SOFTWARE : LOCAL_PMU;
    case 8:
        return 1ul << below(source, __riscv_xlen);
    case 9:
        return random_word(source);
    default:
        return below(source, 70);
    }
}

void null_event(void);
__asm__(".text\n.balign 4\n.globl null_event\nnull_event: li a7, 0x535345\nli a6, 6\necall\nunimp\n");

/* Those that end the run, or the hart; and bytes on the console */
static bool left_out(unsigned long eid, unsigned long fid) {
    return eid == 1 || eid == 8 || (eid == SBI_EXT_HSM && fid != 2) || eid == SBI_EXT_SRST ||
           eid == SBI_EXT_SUSP || (eid == SBI_EXT_DBCN && fid != 1);
}

static bool random_call(struct source *source) {
    static const unsigned long eids[] = {SBI_EXT_BASE,
                                         SBI_EXT_TIME,
                                         SBI_EXT_IPI,
                                         SBI_EXT_RFENCE,
                                         SBI_EXT_HSM,
                                         SBI_EXT_DBCN,
                                         SBI_EXT_FWFT,
                                         SBI_EXT_SSE,
                                         SBI_EXT_SSE,
                                         SBI_EXT_PMU,
                                         SBI_EXT_PMU,
                                         SBI_EXT_PMU,
                                         0,
                                         2,
                                         3,
                                         4,
                                         5,
                                         6,
                                         7,
                                         9};
    const unsigned long eid = eids[below(source, sizeof eids / sizeof *eids)];
    const unsigned long fid = below(source, 16) ? below(source, 11) : argument(source);
    unsigned long a[6];
    struct sbiret ret;

    for (unsigned i = 0; i < 6; i++)
        a[i] = argument(source);
    if (left_out(eid, fid))
        return true;
    if (eid == SBI_EXT_SSE && fid == SSE_REGISTER)
        a[1] = (unsigned long)null_event + below(source, 2);
    if (eid == SBI_EXT_SSE && fid == SSE_COMPLETE)
        a[0] = 0;
    /* The other hart's memory is not ours: calls that write get addresses of our own, or refused ones. */
    ret = sbi_call6(eid, fid, a[0], a[1], a[2], a[3], a[4], a[5]);
    if (eid > 8 && (ret.error > 0 || ret.error < SBI_ERR_DENIED_LOCKED)) {
        print("  %lx %lx (%lx %lx %lx %lx %lx %lx): %ld\n", eid, fid, a[0], a[1], a[2], a[3], a[4], a[5],
              ret.error);
        return false;
    }
    return true;
}

static bool guards_whole(unsigned which) {
    for (unsigned i = 0; i < 4096; i++)
        if (memory[which].before[i] != GUARD || memory[which].behind[i] != GUARD)
            return false;
    return true;
}

static bool run(unsigned which, unsigned long hart, unsigned calls) {
    struct source source = {(RANDOM_SEED + which) * 0x9e3779b97f4a7c15ull + 1, which, hart};
    const unsigned long vector = csr_read(stvec), scratch = csr_read(sscratch), satp = csr_read(satp);

    for (unsigned i = 0; i < calls; i++) {
        bool good = random_call(&source);

        if (i % 256 == 0)
            good = good && intact() && guards_whole(which);
        good = good && csr_read(stvec) == vector && csr_read(sscratch) == scratch && csr_read(satp) == satp;
        if (!good) {
            print("  seed %u, hart %lu, call %u\n", RANDOM_SEED, hart, i);
            return false;
        }
    }
    return intact() && guards_whole(which);
}

static volatile bool other_good;

static void run_other(unsigned long hart) { other_good = run(1, hart, RANDOM_CALLS); }

TEST(random_calls_of_every_extension) {
    memset(memory, GUARD, sizeof memory);
    trap_expected = true; /* legacy calls with a mask that cannot be read */
    other_good = hart_count < 2 || !other_start(run_other);
    EXPECT(run(0, boot_hart, RANDOM_CALLS), true);
    if (hart_count > 1)
        other_finish();
    trap_expected = false;
    EXPECT(other_good, true);
    EXPECT(guards_whole(0) && guards_whole(1), true);
    reset_events();
}
