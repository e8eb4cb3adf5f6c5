/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Smepmp (privileged manual, Smepmp): the truth table of MML in every mode, accesses without a match, sticky
 * bits, and which rules can be added. QEMU runs it too (-cpu rv64,x-epmp=true), as a second opinion.
 *
 * Entries: 0 under test; 2 the program's text (from pmpaddr1), shared code; 3 its data and 5 the devices,
 * shared data.
 */
#include "test.h"

ROUTINE(r_load, "ld a0, 0(a0)\necall");
ROUTINE(r_store, "sd a1, 0(a0)\necall");
ROUTINE(r_amo, "amoadd.d a0, a1, (a0)\necall");
ROUTINE(r_lr, "lr.d a0, (a0)\necall");
ROUTINE(r_sc, "sc.d a0, a1, (a0)\necall");
ROUTINE(r_jump, "jr a0");
ROUTINE(r_load_mprv, "csrw mstatus, a1\nld a0, 0(a0)\necall");
ROUTINE(r_store_mprv, "csrw mstatus, a1\nsd a1, 0(a0)\necall");
ROUTINE(r_mseccfg, "csrr a0, " CSR_STRING(TALLY_CSR_MSECCFG) "\necall");
ROUTINE(r_mseccfgh, "csrr a0, " CSR_STRING(TALLY_CSR_MSECCFGH) "\necall");

enum { R = 1, W = 2, X = 4, TOR = 8, NAPOT = 0x18, L = 0x80, MML = 1, MMWP = 2, RLB = 4 };

/* not in the assembler */
#define mseccfg TALLY_CSR_MSECCFG

extern char _start[], __data_start[];
static uint64_t area[512] __attribute__((aligned(4096)));

static uint64_t base(void) { return (uintptr_t)area; }
static uint64_t napot(uint64_t address, uint64_t size) { return address >> 2 | (size / 8 - 1); }

/* pmpcfg of the program and the devices, and of the entry tested */
static uint64_t with_program(unsigned entry0) {
    const uint64_t shared_data = NAPOT | W | X, shared_code = TOR | L | W | X;

    return shared_data << 40 | shared_data << 24 | shared_code << 16 | entry0;
}

static void expect(unsigned mode, const char *routine, uint64_t address, bool allowed) {
    const uint64_t fault = routine == r_jump                      ? TALLY_EXC_INSN_ACCESS
                           : routine == r_load || routine == r_lr ? TALLY_EXC_LOAD_ACCESS
                                                                  : TALLY_EXC_STORE_ACCESS;
    struct trap_info t = probe(mode, routine, address, 3);

    /* QEMU reports an AMO that may not even read as a load. */
    if (!is_tally() && routine == r_amo && t.cause == TALLY_EXC_LOAD_ACCESS)
        t.cause = TALLY_EXC_STORE_ACCESS;
    if (!allowed)
        CHECK_EQ(t.tval, address);
    CHECK_EQ(t.cause, allowed ? ecall_from(mode) : fault);
}

static void a_register_of_m_mode(void) {
    CHECK_EQ(csr_read(mseccfg), 0);
    if (is_tally()) { /* QEMU keeps any bit */
        csr_write(mseccfg, ~7ul);
        CHECK_EQ(csr_read(mseccfg), 0);
    }
    open_memory();
    for (unsigned mode = 0; mode < 2; mode++)
        CHECK_EQ(probe(mode, r_mseccfg, 0, 0).cause, TALLY_EXC_ILLEGAL);
    CHECK_EQ(probe(PRIV_M, r_mseccfgh, 0, 0).cause, TALLY_EXC_ILLEGAL);
    csr_write(pmpcfg0, 0);
}

static void rlb_can_be_written_while_nothing_is_locked(void) {
    csr_write(mseccfg, RLB);
    CHECK_EQ(csr_read(mseccfg), RLB);
    csr_write(mseccfg, 0);
    CHECK_EQ(csr_read(mseccfg), 0);
    csr_write(mseccfg, RLB);
    CHECK_EQ(csr_read(mseccfg), RLB);
}

static void rlb_opens_locked_entries(void) {
    csr_write(pmpaddr0, napot(base(), 64));
    csr_write(pmpcfg0, NAPOT | L | R);
    if (is_tally()) /* QEMU: with RLB no rule binds M-mode */
        expect(PRIV_M, r_store, base() + 8, false);
    csr_write(pmpaddr0, napot(base() + 64, 64));
    CHECK_EQ(csr_read(pmpaddr0), napot(base() + 64, 64));
    expect(PRIV_M, r_store, base() + 8, true);
    if (is_tally())
        expect(PRIV_M, r_store, base() + 64, false);
    csr_write(pmpcfg0, (uint64_t)(TOR | L | R) << 8);
    csr_write(pmpaddr1, 1);
    CHECK_EQ(csr_read(pmpaddr1), 1);
    if (is_tally()) { /* QEMU locks the address below all the same */
        csr_write(pmpaddr0, 0);
        CHECK_EQ(csr_read(pmpaddr0), 0);
    }
    csr_write(pmpcfg0, 0);
    CHECK_EQ(csr_read(pmpcfg0), 0);
    if (is_tally()) { /* without MML QEMU keeps reserved values */
        csr_write(pmpcfg0, W | X);
        CHECK_EQ(csr_read(pmpcfg0), X);
    }
}

/* First a rule that lets M-mode go on, in both meanings of L; then MML; then the program's own rules. */
static void lock_down(void) {
    csr_write(pmpaddr1, (uintptr_t)_start >> 2);
    csr_write(pmpaddr2, (uintptr_t)__data_start >> 2);
    csr_write(pmpaddr3, napot(RAM_BASE, 8 << 20));
    csr_write(pmpaddr5, napot(0, 1u << 31));
    csr_write(pmpcfg0, (uint64_t)(TOR | L | R | X) << 16);
    csr_write(mseccfg, MML | RLB);
    CHECK_EQ(csr_read(mseccfg), MML | RLB);
    csr_write(pmpcfg0, with_program(0));
    CHECK_EQ(csr_read(pmpcfg0), with_program(0));
}

static void the_truth_table(void) {
    /* by L, R, W, X: M-mode, the modes below */
    static const char *const table[16][2] = {
        {"", ""}, {"", "x"}, {"rw", "r"}, {"rw", "rw"}, {"", "r"}, {"", "rx"}, {"", "rw"}, {"", "rwx"},
        {"", ""}, {"x", ""}, {"x", "x"},  {"rx", "x"},  {"r", ""}, {"rx", ""}, {"rw", ""}, {"r", "r"},
    };

    csr_write(pmpaddr0, napot(base(), 4096));
    for (unsigned lrwx = 0; lrwx < 16; lrwx++) {
        const unsigned config =
            (lrwx & 8 ? L : 0) | (lrwx & 4 ? R : 0) | (lrwx & 2 ? W : 0) | (lrwx & 1 ? X : 0);

        csr_write(pmpcfg0, with_program(NAPOT | config));
        CHECK_EQ(csr_read(pmpcfg0), with_program(NAPOT | config));
        for (unsigned mode = 0; mode <= 3; mode += 1 + (mode == 1)) {
            bool r = false, w = false, x = false;

            for (const char *right = table[lrwx][mode != PRIV_M]; *right; right++) {
                r |= *right == 'r';
                w |= *right == 'w';
                x |= *right == 'x';
            }
            context(lrwx, mode, 0);
            expect(mode, r_load, base() + 64, r);
            expect(mode, r_lr, base() + 64, r);
            expect(mode, r_store, base() + 64, w);
            expect(mode, r_amo, base() + 64, w);
            if (is_tally()) /* QEMU: an SC that must fail is not checked */
                expect(mode, r_sc, base() + 64, w);
            expect(mode, r_jump, base(), x);
        }
    }
}

static void mprv_takes_the_rights_of_mpp(void) {
    struct trap_info t;

    for (unsigned locked = 0; locked < 2; locked++) {
        csr_write(pmpcfg0, with_program(NAPOT | R | W | (locked ? L : 0)));
        context(locked, 0, 0);
        probe_from(&t, status_for(PRIV_M), r_load_mprv, base(), MSTATUS_MPRV | status_for(PRIV_S), 0);
        CHECK_EQ(t.cause, locked ? TALLY_EXC_LOAD_ACCESS : TALLY_EXC_ECALL_M);
        probe_from(&t, status_for(PRIV_M), r_store_mprv, base() + 8, MSTATUS_MPRV | status_for(PRIV_U), 0);
        CHECK_EQ(t.cause, locked ? TALLY_EXC_STORE_ACCESS : TALLY_EXC_ECALL_M);
        probe_from(&t, status_for(PRIV_M), r_load_mprv, base(), MSTATUS_MPRV | status_for(PRIV_M), 0);
        CHECK_EQ(t.cause, locked ? TALLY_EXC_ECALL_M : TALLY_EXC_LOAD_ACCESS);
    }
}

/* Nothing matches behind the 8 MiB of entry 3. */
static void what_matches_no_entry(bool mmwp) {
    const uint64_t behind = RAM_BASE + (8u << 20);

    csr_write(pmpcfg0, with_program(0));
    for (unsigned mode = 0; mode <= 3; mode += 1 + (mode == 1)) {
        const bool may = mode == PRIV_M && !mmwp;

        context(mode, mmwp, 0);
        expect(mode, r_load, behind, may);
        expect(mode, r_store, behind, may);
        expect(mode, r_amo, behind, may);
        expect(mode, r_jump, behind, false);
    }
}

static void bits_stay(void) {
    csr_write(mseccfg, RLB);
    CHECK_EQ(csr_read(mseccfg), MML | MMWP | RLB);
    csr_write(mseccfg, 0);
    CHECK_EQ(csr_read(mseccfg), MML | MMWP);
    csr_write(mseccfg, RLB);
    CHECK_EQ(csr_read(mseccfg), MML | MMWP);
}

/* Entry 6, with each mode of matching; those that are taken and lock it come last. */
static void rules_that_let_m_mode_execute_are_ignored(void) {
    static const uint8_t refused[] = {L | X, L | W, L | W | X, L | R | X},
                         taken[] = {0, X, W, W | X, R, R | X, R | W, R | W | X};
    uint64_t others = csr_read(pmpcfg0) & ~(0xffull << 48);

    for (unsigned a = 0; a < 4; a++) {
        for (unsigned i = 0; i < COUNT(taken); i++) {
            const uint64_t config = taken[i] | a << 3;

            /* QEMU has an older draft here: it refuses shared data that both may write too. */
            if (!is_tally() && taken[i] == (W | X))
                continue;
            context(a, taken[i], 0);
            csr_write(pmpcfg0, others | config << 48);
            CHECK_EQ(csr_read(pmpcfg0), others | config << 48);
            for (unsigned j = 0; j < COUNT(refused); j++) {
                /* ... and takes shared code without R and X. */
                if (!is_tally() && refused[j] == (L | W))
                    continue;
                context(a, taken[i], refused[j]);
                csr_write(pmpcfg0, others | (uint64_t)(refused[j] | a << 3) << 48);
                CHECK_EQ(csr_read(pmpcfg0), others | config << 48);
            }
        }
    }
    csr_write(pmpcfg0, others);
}

static void locked_rules_stay(void) {
    const uint64_t others = csr_read(pmpcfg0);

    csr_write(pmpaddr2, 0);
    CHECK_EQ(csr_read(pmpaddr2), (uintptr_t)__data_start >> 2);
    csr_write(pmpaddr1, 0); /* below a locked TOR */
    CHECK_EQ(csr_read(pmpaddr1), (uintptr_t)_start >> 2);
    if (!is_tally()) /* QEMU lets a locked entry be written with MML if the new value has no X */
        return;
    csr_write(pmpcfg0, others & ~0xff0000ull);
    CHECK_EQ(csr_read(pmpcfg0), others);
    /* each of the four that lock and are taken, in entries 0, 4, 6 and 7 */
    static const struct {
        uint8_t config, entry;
    } locks[] = {{L, 0}, {L | R, 4}, {L | R | W, 6}, {L | R | W | X, 7}};
    for (unsigned i = 0; i < COUNT(locks); i++) {
        const uint64_t before = csr_read(pmpcfg0), at = 8ull * locks[i].entry;

        context(i, 0, 0);
        csr_write(pmpcfg0, before | (uint64_t)locks[i].config << at);
        CHECK_EQ(csr_read(pmpcfg0), before | (uint64_t)locks[i].config << at);
        csr_write(pmpcfg0, before);
        CHECK_EQ(csr_read(pmpcfg0), before | (uint64_t)locks[i].config << at);
    }
}

void test_main(void) {
    area[0] = 0x73; /* ecall */
    __asm__ volatile("fence.i" ::: "memory");
    csr_write(medeleg, 0);
    a_register_of_m_mode();
    rlb_can_be_written_while_nothing_is_locked();
    rlb_opens_locked_entries();
    lock_down();
    the_truth_table();
    mprv_takes_the_rights_of_mpp();
    what_matches_no_entry(false);
    csr_write(mseccfg, MML | MMWP | RLB);
    what_matches_no_entry(true);
    bits_stay();
    rules_that_let_m_mode_execute_are_ignored();
    locked_rules_stay();
    pass();
}
