/* SPDX-License-Identifier: Apache-2.0 */
/* Sv39: the table of permissions with Svade and Svadu, superpages, addresses, faults of the walk itself,
 * ASIDs. */
#include "sv39.h"

ROUTINE(r_load, "ld a0, 8(a0)\necall");
ROUTINE(r_store, "sd a1, 16(a0)\necall");
ROUTINE(r_amo, "addi a0, a0, 16\namoswap.d a0, a1, (a0)\necall");
ROUTINE(r_jump, "jr a0");
/* M-mode with MPRV: a1 is the mstatus to do it with */
ROUTINE(r_load_mprv, "csrw mstatus, a1\nld a0, 8(a0)\necall");
ROUTINE(r_store_mprv, "csrw mstatus, a1\nsd a1, 16(a0)\necall");

enum access { FETCH, LOAD, STORE, AMO };

static const uint64_t page_fault[] = {TALLY_EXC_INSN_PAGE, TALLY_EXC_LOAD_PAGE, TALLY_EXC_STORE_PAGE,
                                      TALLY_EXC_STORE_PAGE};
static const uint64_t access_fault[] = {TALLY_EXC_INSN_ACCESS, TALLY_EXC_LOAD_ACCESS, TALLY_EXC_STORE_ACCESS,
                                        TALLY_EXC_STORE_ACCESS};

#define ECALL_INSN 0x00000073u
#define CONTENT 0x0123456789abcdefull

static uint64_t frame[512] __attribute__((aligned(4096)));

struct setting {
    unsigned mode; /* effective: U or S */
    bool mprv, sum, mxr, adue;
};

static void set_adue(bool on) {
    if (on)
        csr_set(menvcfg, TALLY_MENVCFG_ADUE_MASK);
    else
        csr_clear(menvcfg, TALLY_MENVCFG_ADUE_MASK);
}

/* May this access be made through a leaf with these flags (A and D apart)? Privileged ISA, "Virtual Address
 * Translation". */
static bool permitted(uint64_t flags, enum access access, const struct setting *s) {
    bool readable = flags & PTE_R || (s->mxr && flags & PTE_X);

    if (!(flags & PTE_V) || (flags & (PTE_R | PTE_W)) == PTE_W || !(flags & (PTE_R | PTE_X)))
        return false;
    if (s->mode == PRIV_U && !(flags & PTE_U))
        return false;
    if (s->mode == PRIV_S && flags & PTE_U && (access == FETCH || !s->sum))
        return false;
    switch (access) {
    case FETCH:
        return flags & PTE_X;
    case LOAD:
        return readable;
    case STORE:
        return flags & PTE_W;
    default:
        return flags & PTE_W; /* W without R was sorted out above */
    }
}

static struct trap_info attempt(uint64_t va, enum access access, const struct setting *s) {
    static const char *const routines[] = {r_jump, r_load, r_store, r_amo};
    uint64_t status = (s->sum ? MSTATUS_SUM : 0) | (s->mxr ? MSTATUS_MXR : 0);
    struct trap_info t;

    set_adue(s->adue);
    if (s->mprv)
        probe_from(&t, status_for(PRIV_M), access == LOAD ? r_load_mprv : r_store_mprv, va,
                   status | MSTATUS_MPRV | status_for(s->mode), 0);
    else
        probe_from(&t, status | status_for(s->mode), routine_for(s->mode, routines[access]), va, CONTENT, 0);
    set_adue(false);
    return t;
}

static uint64_t tval_of(uint64_t va, enum access access) {
    return va + (access == FETCH ? 0 : access == LOAD ? 8 : 16);
}

/* Fetches land on an ecall in the page, which is at `va` then. */
static void check_success(const struct trap_info *t, uint64_t va, enum access access,
                          const struct setting *s) {
    CHECK_EQ(t->cause, ecall_from(s->mprv ? PRIV_M : s->mode));
    if (access == FETCH)
        CHECK_EQ(t->epc, va);
    if (access == LOAD)
        CHECK_EQ(t->a0, CONTENT);
}

static void check_fault(const struct trap_info *t, uint64_t va, enum access access, const uint64_t *causes) {
    CHECK_EQ(t->cause, causes[access]);
    CHECK_EQ(t->tval, tval_of(va, access));
}

/* One row: `*entry` maps `va` with `flags`. */
static void check_entry(uint64_t *entry, uint64_t physical, uint64_t va, uint64_t flags, enum access access,
                        const struct setting *s) {
    uint64_t needed = PTE_A | (access >= STORE ? PTE_D : 0);
    bool ok = permitted(flags, access, s) && (s->adue || (flags & needed) == needed);
    struct trap_info t;

    context(flags, access | s->mode << 4 | s->mprv << 8 | s->sum << 9 | s->mxr << 10 | s->adue << 11, va);
    *entry = pte(physical, flags);
    frame[2] = 0;
    sfence();
    t = attempt(va, access, s);
    if (ok) {
        check_success(&t, va, access, s);
        CHECK_EQ(*entry, pte(physical, flags | (s->adue ? needed : 0)));
        if (access >= STORE)
            CHECK(frame[2] != 0);
    } else {
        check_fault(&t, va, access, page_fault);
        CHECK_EQ(*entry, pte(physical, flags));
        CHECK_EQ(frame[2], 0);
    }
}

static void check_table(void) {
    for (uint64_t flags = 0; flags < 0x100; flags += 2) {
        if (flags & PTE_G)
            continue;
        for (unsigned bits = 0; bits < 16; bits++) {
            struct setting s = {bits & 1, false, bits & 2, bits & 4, bits & 8};

            check_entry(&leaf[0], (uintptr_t)frame, WINDOW, flags | PTE_V, LOAD, &s);
            if (!s.mxr) {
                check_entry(&leaf[0], (uintptr_t)frame, WINDOW, flags | PTE_V, STORE, &s);
                check_entry(&leaf[0], (uintptr_t)frame, WINDOW, flags | PTE_V, FETCH, &s);
            }
            if (s.mxr == s.sum)
                check_entry(&leaf[0], (uintptr_t)frame, WINDOW, flags | PTE_V, AMO, &s);
            s.mprv = true;
            check_entry(&leaf[0], (uintptr_t)frame, WINDOW, flags | PTE_V, LOAD, &s);
            if (!s.mxr)
                check_entry(&leaf[0], (uintptr_t)frame, WINDOW, flags | PTE_V, STORE, &s);
        }
    }
}

static const struct setting plain = {PRIV_S, false, false, false, false};

static void check_invalid(void) {
    for (enum access access = FETCH; access <= AMO; access++) {
        check_entry(&leaf[0], (uintptr_t)frame, WINDOW, PTE_ALL & ~PTE_V, access, &plain);
        check_entry(&leaf[0], (uintptr_t)frame, WINDOW, 0, access, &plain);
    }
}

/* One bit too many in an entry that would be good: page fault at every level. */
static void check_bad_bit(uint64_t *entry, unsigned bit) {
    uint64_t good = *entry;

    for (enum access access = FETCH; access <= AMO; access++) {
        struct trap_info t;

        context(bit, access, (uintptr_t)entry);
        *entry = good | BIT(bit);
        sfence();
        t = attempt(WINDOW, access, &plain);
        check_fault(&t, WINDOW, access, page_fault);
        *entry = good;
        sfence();
        t = attempt(WINDOW, access, &plain);
        check_success(&t, WINDOW, access, &plain);
    }
}

static void check_reserved_bits(void) {
    leaf[0] = pte((uintptr_t)frame, PTE_ALL);
    for (unsigned bit = 54; bit < 64; bit++)
        check_bad_bit(&leaf[0], bit);
    check_bad_bit(&middle[0], 54);
    check_bad_bit(&middle[0], 63);
    check_bad_bit(&root[WINDOW >> 30], 60);
    /* A, D and U of a pointer are reserved too */
    check_bad_bit(&middle[0], 4);
    check_bad_bit(&middle[0], 6);
    check_bad_bit(&root[WINDOW >> 30], 7);
    /* software's two bits, and G, are not */
    leaf[0] = pte((uintptr_t)frame, PTE_ALL | PTE_G | 0x300);
    sfence();
    for (enum access access = FETCH; access <= AMO; access++) {
        struct trap_info t = attempt(WINDOW, access, &plain);

        check_success(&t, WINDOW, access, &plain);
    }
}

static void check_superpages(void) {
    static const unsigned flag_sets[] = {
        PTE_ALL,          PTE_ALL | PTE_U,  PTE_ALL & ~PTE_W,     PTE_ALL & ~PTE_X,
        PTE_ALL & ~PTE_A, PTE_ALL & ~PTE_D, PTE_V | PTE_X | PTE_A};
    uint64_t mega = (uintptr_t)frame & ~0x1fffffull, giga = (uintptr_t)frame & ~0x3fffffffull;
    uint64_t in_mega = (uintptr_t)frame - mega, in_giga = (uintptr_t)frame - giga;

    for (size_t i = 0; i < COUNT(flag_sets); i++)
        for (unsigned bits = 0; bits < 16; bits++) {
            struct setting s = {bits & 1, bits & 2, bits & 4, false, bits & 8};

            for (enum access access = s.mprv ? LOAD : FETCH; access <= STORE; access++) {
                check_entry(&middle[1], mega, WINDOW + 0x200000 + in_mega, flag_sets[i], access, &s);
                check_entry(&root[5], giga, (5ull << 30) + in_giga, flag_sets[i], access, &s);
                /* the top half of the address space */
                check_entry(&root[511], giga, -(1ull << 30) + in_giga, flag_sets[i], access, &s);
            }
        }
    /* Misaligned superpages fault, however little of the lower PPN is set. */
    for (enum access access = FETCH; access <= AMO; access++) {
        for (unsigned bit = 12; bit < 30; bit++) {
            struct trap_info t;

            context(bit, access, 0);
            root[5] = pte(giga | BIT(bit), PTE_ALL);
            middle[1] = pte(mega | BIT(bit), PTE_ALL);
            sfence();
            t = attempt((5ull << 30) + in_giga, access, &plain);
            check_fault(&t, (5ull << 30) + in_giga, access, page_fault);
            if (bit >= 21)
                continue;
            t = attempt(WINDOW + 0x200000 + in_mega, access, &plain);
            check_fault(&t, WINDOW + 0x200000 + in_mega, access, page_fault);
        }
    }
    root[5] = middle[1] = root[511] = 0;
    sfence();
}

/* Bits 63:39 must equal bit 38. */
static void check_canonical(void) {
    leaf[0] = pte((uintptr_t)frame, PTE_ALL);
    sfence();
    for (unsigned bit = 38; bit < 64; bit++)
        for (enum access access = FETCH; access <= AMO; access++) {
            uint64_t va = WINDOW | BIT(bit);
            struct trap_info t = attempt(va, access, &plain);

            context(bit, access, 0);
            check_fault(&t, va, access, page_fault);
            va = ~0ull << 38 & ~BIT(bit);
            t = attempt(va, access, &plain);
            check_fault(&t, va, access, page_fault);
        }
}

/* The walk itself is refused: the access faults by its own type, not as a load. */
static void check_walk_faults(void) {
    static const uint64_t nowhere[] = {0x40000000, UART_BASE, 1ull << 55};
    struct trap_info t;

    leaf[0] = pte((uintptr_t)frame, PTE_ALL);
    for (size_t i = 0; i < COUNT(nowhere); i++)
        for (enum access access = FETCH; access <= AMO; access++) {
            context(i, access, 1);
            middle[0] = pte(nowhere[i], PTE_V);
            sfence();
            t = attempt(WINDOW, access, &plain);
            check_fault(&t, WINDOW, access, access_fault);
            middle[0] = pte((uintptr_t)leaf, PTE_V);

            /* a leaf that points nowhere (the UART has no code and no atomics, but loads and stores) */
            leaf[0] = pte(nowhere[i], PTE_ALL);
            sfence();
            if (nowhere[i] != UART_BASE || access == FETCH || access == AMO) {
                t = attempt(WINDOW, access, &plain);
                check_fault(&t, WINDOW, access, access_fault);
            }
            leaf[0] = pte((uintptr_t)frame, PTE_ALL);
        }

    /* PMP forbids S-mode the table: entry 0 in front of the one for everything */
    csr_write(pmpaddr1, csr_read(pmpaddr0));
    csr_write(pmpaddr0, (uintptr_t)leaf >> 2 | 0x1ff);
    csr_write(pmpcfg0, 0x1f18);
    sfence();
    for (enum access access = FETCH; access <= AMO; access++) {
        context(access, 0, 2);
        t = attempt(WINDOW, access, &plain);
        check_fault(&t, WINDOW, access, access_fault);
    }
    csr_write(pmpcfg0, 0x1f19); /* readable: enough without Svadu */
    sfence();
    for (enum access access = FETCH; access <= AMO; access++) {
        context(access, 0, 3);
        t = attempt(WINDOW, access, &plain);
        check_success(&t, WINDOW, access, &plain);
    }
    open_memory();
    sfence();
}

/* An instruction of 32 bits across a page border: the fault is at the second half. */
static void check_fetch_crossing(void) {
    static uint16_t two[4096] __attribute__((aligned(4096)));
    uint64_t va = WINDOW + PAGE - 2;
    struct trap_info t;

    two[2047] = (uint16_t)ECALL_INSN;
    two[2048] = (uint16_t)(ECALL_INSN >> 16);
    __asm__ volatile("fence.i" ::: "memory");
    leaf[0] = pte((uintptr_t)two, PTE_ALL);
    leaf[1] = pte((uintptr_t)two + PAGE, PTE_ALL);
    sfence();
    t = attempt(va, FETCH, &plain);
    CHECK_EQ(t.cause, TALLY_EXC_ECALL_S);
    CHECK_EQ(t.epc, va);
    for (unsigned what = 0; what < 4; what++) {
        static const unsigned flags[] = {0, PTE_ALL & ~PTE_X, PTE_ALL | PTE_U, PTE_ALL & ~PTE_A};

        context(what, 0, 0);
        leaf[1] = pte((uintptr_t)two + PAGE, flags[what]);
        sfence();
        t = attempt(va, FETCH, &plain);
        CHECK_EQ(t.cause, TALLY_EXC_INSN_PAGE);
        CHECK_EQ(t.epc, va);
        CHECK_EQ(t.tval, va + 2);
    }
    leaf[1] = pte(0x40000000, PTE_ALL);
    sfence();
    t = attempt(va, FETCH, &plain);
    CHECK_EQ(t.cause, TALLY_EXC_INSN_ACCESS);
    CHECK_EQ(t.tval, va + 2);
    leaf[0] = 0; /* the first half's page decides first */
    sfence();
    t = attempt(va, FETCH, &plain);
    CHECK_EQ(t.cause, TALLY_EXC_INSN_PAGE);
    CHECK_EQ(t.tval, va);
    leaf[1] = 0;
    sfence();
}

/* Rights that software has added need no fence. */
static void check_raise(void) {
    static const unsigned steps[][2] = {
        {0, LOAD},
        {PTE_V | PTE_R, LOAD},
        {PTE_V | PTE_R | PTE_A, STORE},
        {PTE_ALL & ~PTE_D, STORE},
        {PTE_ALL & ~PTE_X, FETCH},
    };

    for (size_t i = 0; i < COUNT(steps); i++) {
        enum access access = (enum access)steps[i][1];
        struct trap_info t;

        context(i, 0, 0);
        leaf[0] = pte((uintptr_t)frame, steps[i][0]);
        sfence();
        t = attempt(WINDOW, access, &plain);
        check_fault(&t, WINDOW, access, page_fault);
        leaf[0] = pte((uintptr_t)frame, PTE_ALL);
        t = attempt(WINDOW, access, &plain);
        check_success(&t, WINDOW, access, &plain);
    }
}

/* Two spaces under two ASIDs; neither sees the other's pages; both see a global entry. */
static void check_asid(void) {
    static page_table other_root __attribute__((aligned(4096)));
    static page_table other_middle __attribute__((aligned(4096)));
    static page_table other_leaf __attribute__((aligned(4096)));
    static uint64_t other_frame[512] __attribute__((aligned(4096)));
    uint64_t first = SATP_SV39 | 1ull << TALLY_SATP_ASID_LSB | (uintptr_t)root >> 12;
    uint64_t second = SATP_SV39 | 2ull << TALLY_SATP_ASID_LSB | (uintptr_t)other_root >> 12;

    for (unsigned i = 0; i < 512; i++)
        other_root[i] = root[i];
    other_root[WINDOW >> 30] = pte((uintptr_t)other_middle, PTE_V);
    other_middle[0] = pte((uintptr_t)other_leaf, PTE_V);
    other_leaf[0] = pte((uintptr_t)other_frame, PTE_ALL);
    leaf[0] = pte((uintptr_t)frame, PTE_ALL);
    other_frame[1] = ~CONTENT;
    sfence();
    for (unsigned i = 0; i < 6; i++) {
        struct trap_info t;

        context(i, 0, 0);
        csr_write(satp, i % 2 ? second : first);
        t = attempt(WINDOW, LOAD, &plain);
        CHECK_EQ(t.cause, TALLY_EXC_ECALL_S);
        CHECK_EQ(t.a0, i % 2 ? ~CONTENT : CONTENT);
    }
    /* sfence.vma of an address and of a space after a change of its table */
    for (unsigned i = 0; i < 4; i++) {
        uint64_t asid = 2, va = WINDOW;
        struct trap_info t;

        context(i, 1, 0);
        other_leaf[0] = pte(i % 2 ? (uintptr_t)other_frame : (uintptr_t)frame, PTE_ALL);
        if (i == 0)
            __asm__ volatile("sfence.vma %0, %1" ::"r"(va), "r"(asid) : "memory");
        else if (i == 1)
            __asm__ volatile("sfence.vma zero, %0" ::"r"(asid) : "memory");
        else if (i == 2)
            __asm__ volatile("sfence.vma %0, zero" ::"r"(va) : "memory");
        else
            sfence();
        t = attempt(WINDOW, LOAD, &plain);
        CHECK_EQ(t.a0, i % 2 ? ~CONTENT : CONTENT);
    }
    csr_write(satp, SATP_SV39 | (uintptr_t)root >> 12);
    sfence();
}

/* A MODE that is not implemented changes nothing; with Bare all other bits are taken. */
static void check_satp(void) {
    uint64_t good = csr_read(satp);

    for (unsigned mode = 1; mode < 16; mode++) {
        if (mode == 8)
            continue;
        csr_write(satp, (uint64_t)mode << TALLY_SATP_MODE_LSB | 0x1234);
        context(mode, 0, 0);
        CHECK_EQ(csr_read(satp), good);
    }
    csr_write(satp, SATP_SV39 | 0xffffull << TALLY_SATP_ASID_LSB | 0x80123);
    CHECK_EQ(csr_read(satp), SATP_SV39 | 0xffffull << TALLY_SATP_ASID_LSB | 0x80123);
    csr_write(satp, good);
    sfence();
}

void test_main(void) {
    open_memory();
    frame[0] = ECALL_INSN;
    frame[1] = CONTENT;
    __asm__ volatile("fence.i" ::: "memory");
    translation_on();
    check_invalid();
    check_table();
    check_reserved_bits();
    check_superpages();
    check_canonical();
    check_walk_faults();
    check_fetch_crossing();
    check_raise();
    check_asid();
    check_satp();
    pass();
}
