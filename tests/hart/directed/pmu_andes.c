/* SPDX-License-Identifier: Apache-2.0 */
/* The Andes view in the machine (docs/rulings.md, The Andes view): its registers and the standard ones are
 * one state, S-mode writes where mcounterwen lets it, interrupt 18; and the counter proposal's interrupt
 * handler, step by step, in S-mode. */
#include "rules.h"

#define COUNTERS 0xfffffffdull /* cycle, instret and 29 programmable ones */

static void enable(uint64_t wen) {
    put(PRIV_M, TALLY_CSR_MSTATEEN0, CUSTOM);
    put(PRIV_M, TALLY_CSR_MCOUNTEREN, UINT64_MAX);
    put(PRIV_M, TALLY_CSR_MCOUNTERWEN, wen);
}

static void andes_presence_bit(void) {
    CHECK_EQ(get(PRIV_M, TALLY_CSR_MMSC_CFG), BIT(15));
    CHECK_ILLEGAL(PRIV_M, WRITE, TALLY_CSR_MMSC_CFG);
    CHECK_ILLEGAL(PRIV_S, READ, TALLY_CSR_MMSC_CFG);
}

static void andes_masks_are_all_ones_after_reset(void) {
    CHECK_EQ(get(PRIV_M, TALLY_CSR_MCOUNTERMASK_M), COUNTERS);
    CHECK_EQ(get(PRIV_M, TALLY_CSR_MCOUNTERMASK_S), COUNTERS);
    CHECK_EQ(get(PRIV_M, TALLY_CSR_MCOUNTERMASK_U), COUNTERS);
    CHECK_EQ(get(PRIV_M, TALLY_CSR_MCOUNTERWEN), 0);
    CHECK_EQ(get(PRIV_M, TALLY_CSR_MCOUNTERINEN), 0);
    CHECK_EQ(get(PRIV_M, TALLY_CSR_MCOUNTEROVF), 0);
}

/* A mask's bit i is the counter's filter of that mode: 1 counts. */
static void andes_masks_are_the_filters(void) {
    static const struct {
        unsigned num;
        uint64_t filter;
    } table[] = {
        {TALLY_CSR_MCOUNTERMASK_M, MINH}, {TALLY_CSR_MCOUNTERMASK_S, SINH}, {TALLY_CSR_MCOUNTERMASK_U, UINH}};

    for (size_t i = 0; i < COUNT(table); i++)
        for (unsigned n = 0; n < 32; n++) {
            unsigned cfg = n == 0 ? TALLY_CSR_MCYCLECFG : n == 2 ? TALLY_CSR_MINSTRETCFG : event(n);

            if (n == 1)
                continue;
            clear_bits(PRIV_M, table[i].num, BIT(n));
            CHECK_EQ(get(PRIV_M, cfg), table[i].filter);
            CHECK_EQ(get(PRIV_M, table[i].num), COUNTERS & ~BIT(n));
            put(PRIV_M, cfg, 0);
            CHECK_EQ(get(PRIV_M, table[i].num), COUNTERS);
            put(PRIV_M, cfg, table[i].filter);
            CHECK_EQ(get(PRIV_M, table[i].num), COUNTERS & ~BIT(n));
            set_bits(PRIV_M, table[i].num, BIT(n));
            CHECK_EQ(get(PRIV_M, cfg), 0);
        }
}

static void andes_s_mode_writes_where_mcounterwen_allows(void) {
    static const struct {
        unsigned s, m;
        bool writable;
    } table[] = {{TALLY_CSR_SCOUNTERINEN, TALLY_CSR_MCOUNTERINEN, true},
                 {TALLY_CSR_SCOUNTERMASK_M, TALLY_CSR_MCOUNTERMASK_M, false},
                 {TALLY_CSR_SCOUNTERMASK_S, TALLY_CSR_MCOUNTERMASK_S, true},
                 {TALLY_CSR_SCOUNTERMASK_U, TALLY_CSR_MCOUNTERMASK_U, true},
                 {TALLY_CSR_SCOUNTERINHIBIT, TALLY_CSR_MCOUNTINHIBIT, true}};
    static const uint64_t wens[] = {0, 1, 4, 8, 0xfffffff8, 0x5555555d, 0xffffffff};

    for (size_t w = 0; w < COUNT(wens); w++) {
        enable(wens[w]);
        for (size_t i = 0; i < COUNT(table); i++) {
            uint64_t before = get(PRIV_M, table[i].m), mine = table[i].writable ? wens[w] & COUNTERS : 0;

            CHECK_EQ(get(PRIV_S, table[i].s), table[i].writable ? before : 0);
            CHECK_EQ(get(PRIV_M, table[i].s), before);
            put(PRIV_S, table[i].s, ~before);
            CHECK_EQ(get(PRIV_M, table[i].m), before ^ mine);
            CHECK_ILLEGAL(PRIV_U, READ, table[i].s);
            put(PRIV_M, table[i].m, before);
        }
        for (unsigned n = 3; n < 32; n += 4) {
            put(PRIV_M, event(n), MINH);
            put(PRIV_S, TALLY_CSR_SHPMEVENT3 - 3 + n, TALLY_EV_INST_LOAD_RET);
            CHECK_EQ(get(PRIV_M, event(n)), wens[w] >> n & 1 ? MINH | TALLY_EV_INST_LOAD_RET : MINH);
            CHECK_EQ(get(PRIV_S, TALLY_CSR_SHPMEVENT3 - 3 + n),
                     wens[w] >> n & 1 ? TALLY_EV_INST_LOAD_RET : 0);
            put(PRIV_M, event(n), 0);
        }
    }
}

/* mcounteren or mcounterwen; MINH in no case */
static void andes_s_mode_sees_shared_counters_alone(void) {
    static const unsigned views[] = {TALLY_CSR_SCOUNTERINEN, TALLY_CSR_SCOUNTERMASK_S,
                                     TALLY_CSR_SCOUNTERMASK_U, TALLY_CSR_SCOUNTERINHIBIT};

    enable(BIT(3) | BIT(6));
    put(PRIV_M, TALLY_CSR_MCOUNTEREN, BIT(3) | BIT(5));
    put(PRIV_M, TALLY_CSR_MCOUNTERINEN, UINT64_MAX);
    put(PRIV_M, TALLY_CSR_MCOUNTINHIBIT, UINT64_MAX);
    for (size_t i = 0; i < COUNT(views); i++)
        CHECK_EQ(get(PRIV_S, views[i]), BIT(3) | BIT(5) | BIT(6));
    CHECK_EQ(get(PRIV_S, TALLY_CSR_SCOUNTERMASK_M), 0);
    for (unsigned n = 3; n < 8; n++) {
        put(PRIV_M, event(n), OF | TALLY_EV_INST_RET);
        CHECK_EQ(get(PRIV_S, TALLY_CSR_SHPMEVENT3 - 3 + n),
                 n == 3 || n == 5 || n == 6 ? TALLY_EV_INST_RET : 0);
    }
    CHECK_EQ(get(PRIV_S, TALLY_CSR_SCOUNTEROVF), BIT(3) | BIT(5) | BIT(6));
}

static void andes_s_mode_counter_writes_need_mstateen0_c(void) {
    enable(BIT(3));
    put(PRIV_S, user_counter(3), 5);
    put(PRIV_M, TALLY_CSR_MSTATEEN0, ~CUSTOM);
    CHECK_ILLEGAL(PRIV_S, WRITE, user_counter(3));
    CHECK_LEGAL(PRIV_S, READ, user_counter(3));
}

static void andes_s_mode_writes_counters_at_the_users_numbers(void) {
    for (unsigned n = 0; n < 32; n++)
        for (unsigned on = 0; on < 2; on++) {
            enable(on ? BIT(n) : ~BIT(n));
            put(PRIV_M, TALLY_CSR_MCOUNTINHIBIT, UINT64_MAX);
            if (on && n != 1) {
                put(PRIV_S, user_counter(n), 0x1122334455667788);
                CHECK_EQ(get(PRIV_M, counter(n)), 0x1122334455667788);
            } else {
                CHECK_ILLEGAL(PRIV_S, WRITE, user_counter(n));
            }
            put(PRIV_M, TALLY_CSR_SCOUNTEREN, UINT64_MAX);
            CHECK_ILLEGAL(PRIV_U, WRITE, user_counter(n));
        }
}

/* mcounterwen alone lets S-mode write; the old value takes mcounteren, as a read does
 * (docs/rulings.md, Andes counter writes). */
static void andes_s_mode_writes_what_it_may_not_read(void) {
    enable(UINT64_MAX);
    put(PRIV_M, TALLY_CSR_MCOUNTINHIBIT, UINT64_MAX);
    put(PRIV_M, TALLY_CSR_MCOUNTEREN, ~BIT(3));
    put(PRIV_M, counter(3), 0x50);
    put(PRIV_M, counter(4), 0x50);
    CHECK_ILLEGAL(PRIV_S, READ, user_counter(3));
    for (unsigned n = 3; n < 5; n++) {
        CHECK_EQ(legal_at(__LINE__, PRIV_S, SET, user_counter(n), 0x0F), n == 3 ? 0 : 0x50);
        CHECK_EQ(legal_at(__LINE__, PRIV_S, CLEAR, user_counter(n), 0x11), n == 3 ? 0 : 0x5F);
        CHECK_EQ(get(PRIV_M, counter(n)), 0x4E);
        CHECK_EQ(legal_at(__LINE__, PRIV_S, WRITE, user_counter(n), 7), n == 3 ? 0 : 0x4E);
        CHECK_EQ(get(PRIV_M, counter(n)), 7);
    }
}

/* CSRRW clears the bits written 1, CSRRC those of its mask, CSRRS none; in S-mode only where it may. */
static void andes_overflow_flags_are_cleared_by_both_idioms(void) {
    const uint64_t three = BIT(3) | BIT(4) | BIT(5);

    for (unsigned mode = PRIV_S; mode <= PRIV_M; mode += 2) {
        unsigned num = mode == PRIV_M ? TALLY_CSR_MCOUNTEROVF : TALLY_CSR_SCOUNTEROVF;
        uint64_t may = mode == PRIV_M ? three : three & ~BIT(5);

        enable(~BIT(5));
        for (unsigned op = WRITE; op <= CLEAR; op++) {
            for (unsigned n = 3; n < 6; n++)
                put(PRIV_M, event(n), OF);
            CHECK_EQ(get(mode, num), three);
            legal_at(__LINE__, mode, op, num, BIT(4) | BIT(5));
            CHECK_EQ(get(PRIV_M, TALLY_CSR_SCOUNTOVF),
                     op == SET ? three : three & ~((BIT(4) | BIT(5)) & may));
        }
    }
}

/* An overflow goes to one interrupt or the other, by mcounterinen; cycle and instret too. */
static void andes_enable_chooses_the_interrupt(void) {
    static const unsigned numbers[] = {0, 2, 3, 17, 31};

    for (size_t i = 0; i < COUNT(numbers); i++)
        for (unsigned on = 0; on < 2; on++) {
            unsigned n = numbers[i];
            uint64_t pending;

            context(n, on, 0);
            put(PRIV_M, TALLY_CSR_MCOUNTERINEN, on ? BIT(n) : ~BIT(n));
            put(PRIV_M, TALLY_CSR_MCOUNTEROVF, UINT64_MAX);
            put(PRIV_M, TALLY_CSR_MIP, 0);
            if (n >= 3)
                put(PRIV_M, event(n), TALLY_EV_INST_RET);
            put(PRIV_M, counter(n), UINT64_MAX - 4);
            code_begin();
            nops(20);
            run_code(PRIV_M, 0, 0, 0);
            pending = get(PRIV_M, TALLY_CSR_MIP) & (LCOFIP | ANDESIP);
            CHECK_EQ(pending, on ? ANDESIP : n >= 3 ? LCOFIP : 0);
            CHECK_EQ(get(PRIV_M, TALLY_CSR_MCOUNTEROVF), BIT(n));
            /* only the first: the flag is still set */
            put(PRIV_M, TALLY_CSR_MIP, 0);
            put(PRIV_M, counter(n), UINT64_MAX - 4);
            code_begin();
            nops(20);
            run_code(PRIV_M, 0, 0, 0);
            CHECK_EQ(get(PRIV_M, TALLY_CSR_MIP) & (LCOFIP | ANDESIP), 0);
            if (n >= 3)
                put(PRIV_M, event(n), 0);
        }
}

static void andes_local_interrupt_registers_are_bit_18(void) {
    put(PRIV_M, TALLY_CSR_MSTATEEN0, CUSTOM);
    put(PRIV_M, TALLY_CSR_MSLIDELEG, UINT64_MAX);
    CHECK_EQ(get(PRIV_M, TALLY_CSR_MSLIDELEG), ANDESIP);
    CHECK_EQ(get(PRIV_M, TALLY_CSR_MIDELEG), ANDESIP);
    CHECK_ILLEGAL(PRIV_S, READ, TALLY_CSR_MSLIDELEG);
    for (unsigned delegated = 0; delegated < 2; delegated++) {
        put(PRIV_M, TALLY_CSR_MSLIDELEG, delegated ? ANDESIP : 0);
        put(PRIV_M, TALLY_CSR_MIE, 0);
        put(PRIV_M, TALLY_CSR_MIP, 0);
        put(PRIV_S, TALLY_CSR_SLIE, UINT64_MAX);
        CHECK_EQ(get(PRIV_M, TALLY_CSR_MIE), delegated ? ANDESIP : 0);
        put(PRIV_M, TALLY_CSR_MIE, 0);
        put(PRIV_S, TALLY_CSR_SLIP, UINT64_MAX);
        CHECK_EQ(get(PRIV_M, TALLY_CSR_MIP), delegated ? ANDESIP : 0);
        put(PRIV_M, TALLY_CSR_MIP, LCOFIP | ANDESIP);
        CHECK_EQ(get(PRIV_S, TALLY_CSR_SLIP), delegated ? ANDESIP : 0);
        put(PRIV_S, TALLY_CSR_SLIP, 0);
        CHECK_EQ(get(PRIV_M, TALLY_CSR_MIP), delegated ? LCOFIP : LCOFIP | ANDESIP);
    }
    CHECK_ILLEGAL(PRIV_U, READ, TALLY_CSR_SLIE);
    CHECK_ILLEGAL(PRIV_U, READ, TALLY_CSR_SLIP);
    put(PRIV_M, TALLY_CSR_MIP, 0);
    put(PRIV_M, TALLY_CSR_MIE, 0);
}

/* Cause 18 in M-mode, 256 + 18 in S-mode; right behind the instruction that overflowed. */
static void andes_interrupt_follows_its_cause(void) {
    for (unsigned delegated = 0; delegated < 2; delegated++)
        for (unsigned n = 1; n < 20; n++) {
            struct trap_info t;

            context(delegated, n, 0);
            put(PRIV_M, TALLY_CSR_MSLIDELEG, delegated ? ANDESIP : 0);
            put(PRIV_M, TALLY_CSR_MIP, 0);
            put(PRIV_M, TALLY_CSR_MCOUNTERINEN, BIT(3));
            put(PRIV_M, counter(3), 0);
            put(PRIV_M, event(3), TALLY_EV_INST_RET | MINH);
            put(PRIV_M, counter(3), -(uint64_t)n);
            put(PRIV_M, TALLY_CSR_MIE, ANDESIP | LCOFIP);
            code_begin();
            nops(30);
            t = run_code(PRIV_U, 0, 0, 0);
            put(PRIV_M, TALLY_CSR_MIE, 0);
            CHECK_EQ(t.cause, INTERRUPT(delegated ? 256 + 18 : 18));
            CHECK_EQ(t.handler, delegated ? PRIV_S : PRIV_M);
            CHECK_EQ(t.epc, code_at(n));
        }
}

/* Vectored: M-mode by entry 18, S-mode by entry 256 + 18. Each entry of the supervisor's table is a jump that
 * links, so that t6 says which it was. */
static void andes_interrupt_goes_by_its_vector(void) {
    enum { ENTRIES = 256 + 32, S_ENTRY = 256 + 18 };
    static uint32_t table[ENTRIES] __attribute__((aligned(4096)));
    const uint64_t direct = csr_read(mtvec);
    struct trap_info t;

    for (unsigned i = 0; i < ENTRIES; i++) { /* jal t6, s_trap */
        uint32_t by = (uint32_t)((uintptr_t)s_trap - (uintptr_t)&table[i]);

        table[i] = (by >> 20 & 1) << 31 | (by >> 1 & 0x3ff) << 21 | (by >> 11 & 1) << 20 |
                   (by >> 12 & 0xff) << 12 | T6 << 7 | 0x6f;
    }
    for (unsigned delegated = 0; delegated < 2; delegated++) {
        put(PRIV_M, TALLY_CSR_MSLIDELEG, delegated ? ANDESIP : 0);
        put(PRIV_M, TALLY_CSR_MIP, ANDESIP);
        put(PRIV_M, TALLY_CSR_MIE, ANDESIP);
        if (delegated)
            csr_write(stvec, (uintptr_t)table | 1);
        else
            csr_write(mtvec, (uintptr_t)m_vectors | 1);
        code_begin();
        t = run_code(PRIV_U, 0, 0, 0);
        csr_write(mtvec, direct);
        csr_write(stvec, (uintptr_t)s_trap);
        put(PRIV_M, TALLY_CSR_MIE, 0);
        put(PRIV_M, TALLY_CSR_MIP, 0);
        context(delegated, t.t6, 0);
        CHECK_EQ(t.cause, INTERRUPT(delegated ? S_ENTRY : TALLY_INT_ANDES));
        CHECK_EQ(t.handler, delegated ? PRIV_S : PRIV_M);
        CHECK_EQ(t.epc, code_at(0));
        CHECK_EQ(t.t6, delegated ? (uintptr_t)&table[S_ENTRY + 1] : TALLY_INT_ANDES);
    }
}

/* ---- the proposal's handler: an S-mode driver that samples itself, without a call of M-mode */

enum { SAMPLES = 12, PERIOD = 50 };

static volatile uint64_t sampled_pc[SAMPLES];
static volatile unsigned samples, strangers;

__attribute__((interrupt("supervisor"), aligned(4))) static void driver_interrupt(void) {
    if (csr_read(scause) != INTERRUPT(256 + 18) ||
        csr_read(TALLY_CSR_SCOUNTEROVF) != BIT(3)) { /* 1. which counter */
        strangers++;
        csr_write(TALLY_CSR_SLIE, 0);
        return;
    }
    csr_set(TALLY_CSR_SCOUNTERINHIBIT, BIT(3));          /* 2. stop it */
    csr_write(TALLY_CSR_HPMCOUNTER3, -(uint64_t)PERIOD); /* 3. MAX - period */
    sampled_pc[samples++] = csr_read(sepc);              /* 4. sample the pc */
    csr_write(TALLY_CSR_SCOUNTEROVF, BIT(3));            /* 5. enable its interrupt again */
    csr_clear(TALLY_CSR_SLIP, ANDESIP);
    if (samples < SAMPLES) {
        csr_set(TALLY_CSR_SCOUNTERINEN, BIT(3));
        csr_clear(TALLY_CSR_SCOUNTERINHIBIT, BIT(3));
    }
}

extern const char driver_loop[], driver_loop_end[];

/* Runs in S-mode, on the same stack; ends by ecall. */
__attribute__((noinline)) static void driver(void) {
    csr_write(stvec, (uintptr_t)driver_interrupt);
    csr_set(TALLY_CSR_SCOUNTERINHIBIT, BIT(3));
    csr_write(TALLY_CSR_SHPMEVENT3, TALLY_EV_INST_RET);
    csr_clear(TALLY_CSR_SCOUNTERMASK_U, BIT(3));
    csr_write(TALLY_CSR_HPMCOUNTER3, -(uint64_t)PERIOD);
    csr_write(TALLY_CSR_SCOUNTEROVF, BIT(3));
    csr_write(TALLY_CSR_SCOUNTERINEN, BIT(3));
    csr_write(TALLY_CSR_SLIE, ANDESIP);
    csr_clear(TALLY_CSR_SCOUNTERINHIBIT, BIT(3));
    __asm__ volatile("csrsi sstatus, 2\n"
                     ".globl driver_loop, driver_loop_end\n"
                     "driver_loop: lw t0, %0\nli t1, %1\nadd t2, t2, t0\nbne t0, t1, driver_loop\n"
                     "driver_loop_end: csrci sstatus, 2\necall"
                     :
                     : "m"(samples), "i"(SAMPLES)
                     : "t0", "t1", "t2", "memory");
    __builtin_unreachable();
}

static void andes_handler_walks_the_five_steps_in_s_mode(void) {
    struct trap_info t;

    enable(BIT(3));
    put(PRIV_M, TALLY_CSR_MSLIDELEG, ANDESIP);
    clear_bits(PRIV_M, TALLY_CSR_MCOUNTERMASK_M, BIT(3));
    samples = strangers = 0;
    t = probe(PRIV_S, (const void *)driver, 0, 0);
    csr_write(stvec, (uintptr_t)s_trap);
    CHECK_EQ(t.cause, TALLY_EXC_ECALL_S); /* M-mode was not asked for anything */
    CHECK_EQ(strangers, 0);
    CHECK_EQ(samples, SAMPLES);
    for (unsigned i = 0; i < SAMPLES; i++) {
        context(i, sampled_pc[i], 0);
        CHECK(sampled_pc[i] >= (uintptr_t)driver_loop && sampled_pc[i] <= (uintptr_t)driver_loop_end);
    }
    CHECK_EQ(get(PRIV_M, counter(3)), -(uint64_t)PERIOD); /* stopped and armed at the end */
    CHECK_EQ(get(PRIV_M, TALLY_CSR_MCOUNTINHIBIT), BIT(3));
    CHECK_EQ(get(PRIV_M, TALLY_CSR_MIP), 0);
}

static const struct rule rules[] = {
    RULE(andes_presence_bit),
    RULE(andes_masks_are_all_ones_after_reset),
    RULE(andes_masks_are_the_filters),
    RULE(andes_s_mode_writes_where_mcounterwen_allows),
    RULE(andes_s_mode_sees_shared_counters_alone),
    RULE(andes_s_mode_counter_writes_need_mstateen0_c),
    RULE(andes_s_mode_writes_counters_at_the_users_numbers),
    RULE(andes_s_mode_writes_what_it_may_not_read),
    RULE(andes_overflow_flags_are_cleared_by_both_idioms),
    RULE(andes_enable_chooses_the_interrupt),
    RULE(andes_local_interrupt_registers_are_bit_18),
    RULE(andes_interrupt_follows_its_cause),
    RULE(andes_interrupt_goes_by_its_vector),
    RULE(andes_handler_walks_the_five_steps_in_s_mode),
};

void test_main(void) { run_rules(rules, COUNT(rules)); }
