/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Interrupts: every kind x delegation x mode x enables, priorities, vectors, the sources (ACLINT, PLIC with
 * the UART, Sstc, software), and a timer interrupt at every phase of a loop.
 */
#include "test.h"

ROUTINE(r_nothing, "ecall");
ROUTINE(r_wait, "1: addi a0, a0, 1\nxor a1, a1, a0\nj 1b\necall");
/* a1 turns of one cycle or so first; then work with every unit until the interrupt */
ROUTINE(r_work, "1: addi a1, a1, -1\nbgtz a1, 1b\n"
                "2: addi a0, a0, 1\nmul t0, a0, a0\nsd t0, -8(sp)\ndivu t1, t0, a0\nld t2, -8(sp)\n"
                "bne t2, t0, 3f\nbne t1, a0, 3f\nj 2b\n3: ebreak");
ROUTINE(r_enable_m, "csrsi mstatus, 8\nnop\necall");
ROUTINE(r_enable_s, "csrsi sstatus, 2\nnop\necall");

static const unsigned by_priority[] = {TALLY_INT_MEI,   TALLY_INT_MSI,   TALLY_INT_MTI,
                                       TALLY_INT_SEI,   TALLY_INT_SSI,   TALLY_INT_STI,
                                       TALLY_INT_LCOFI, TALLY_INT_LAMBI, TALLY_INT_ANDES};

static bool delegable(unsigned code) {
    return code != TALLY_INT_MEI && code != TALLY_INT_MSI && code != TALLY_INT_MTI;
}

static bool present(unsigned code) { return is_tally() || code <= TALLY_INT_MEI; }

/* Cause in the supervisor's register: the Andes interrupt has another number there. */
static uint64_t cause_for(unsigned code, unsigned handler) {
    return INTERRUPT(code == TALLY_INT_ANDES && handler == PRIV_S ? 256 + code : code);
}

#define UART_IRQ 10
#define PLIC_PRIORITY(n) (PLIC_BASE + 4ull * (n))
#define PLIC_ENABLE(c) (PLIC_BASE + 0x2000ull + 0x80ull * (c))
#define PLIC_LIMIT(c) (PLIC_BASE + 0x200000ull + 0x1000ull * (c))
#define PLIC_CLAIM(c) (PLIC_LIMIT(c) + 4)

/* The UART asks for an interrupt as long as it may and its transmitter is empty. */
static void uart_interrupt(unsigned context_number, bool on) {
    write32(PLIC_PRIORITY(UART_IRQ), on);
    write32(PLIC_LIMIT(context_number), 0);
    write32(PLIC_ENABLE(context_number), on ? BIT(UART_IRQ) : 0);
    write8(UART_BASE + 1, on ? 2 : 0);
    if (!on) {
        uint32_t source = read32(PLIC_CLAIM(context_number));

        if (source)
            write32(PLIC_CLAIM(context_number), source);
    }
}

static void wait_pending(unsigned code, bool on) {
    while (!!(csr_read(mip) & BIT(code)) != on)
        ;
}

static void set_pending(unsigned code, bool on) {
    switch (code) {
    case TALLY_INT_MSI:
        write32(MSIP, on);
        break;
    case TALLY_INT_MTI:
        write64(MTIMECMP, on ? 0 : UINT64_MAX);
        break;
    case TALLY_INT_MEI:
        uart_interrupt(0, on);
        break;
    default:
        if (on)
            csr_set(mip, BIT(code));
        else
            csr_clear(mip, BIT(code));
    }
    wait_pending(code, on);
}

static void check_matrix(unsigned code) {
    set_pending(code, true);
    for (unsigned bits = 0; bits < 16; bits++)
        for (unsigned mode = 0; mode <= 3; mode += 1 + (mode == 1)) {
            bool delegate = bits & 1, mie = bits & 2, sie = bits & 4, enable = bits & 8;
            unsigned handler = delegate && delegable(code) ? PRIV_S : PRIV_M;
            bool taken = enable && (mode < handler || (mode == handler && (handler == PRIV_M ? mie : sie)));
            struct trap_info t;

            context(code, bits, mode);
            csr_write(mideleg, delegate ? BIT(code) : 0);
            csr_write(mie, enable ? BIT(code) : ~BIT(code));
            probe_from(&t, status_for(mode) | (mie ? MSTATUS_MPIE : 0) | (sie ? MSTATUS_SIE : 0), r_nothing,
                       0, 0, 0);
            csr_write(mie, 0);
            CHECK_EQ(t.cause, taken ? cause_for(code, handler) : ecall_from(mode));
            CHECK_EQ(t.epc, (uintptr_t)r_nothing);
            CHECK_EQ(t.tval, 0);
            CHECK_EQ(t.handler, taken ? handler : PRIV_M);
        }
    csr_write(mideleg, 0);
    set_pending(code, false);
}

/* All at once: they come in the order of priority. */
static void check_priority(bool delegate) {
    uint64_t all = 0;
    uint64_t delegated = delegate ? UINT64_MAX : 0;

    for (size_t i = 0; i < COUNT(by_priority); i++) {
        if (!present(by_priority[i]))
            continue;
        set_pending(by_priority[i], true);
        all |= BIT(by_priority[i]);
    }
    csr_write(mideleg, delegated);
    csr_write(mie, all);
    for (size_t i = 0; i < COUNT(by_priority); i++) {
        unsigned code = by_priority[i], handler = delegate && delegable(code) ? PRIV_S : PRIV_M;
        struct trap_info t;

        if (!present(code))
            continue;
        context(i, code, delegate);
        t = probe(PRIV_U, r_nothing, 0, 0);
        CHECK_EQ(t.cause, cause_for(code, handler));
        csr_clear(mie, BIT(code));
    }
    csr_write(mideleg, 0);
    for (size_t i = 0; i < COUNT(by_priority); i++)
        if (present(by_priority[i]))
            set_pending(by_priority[i], false);
}

static void check_vectored(void) {
    csr_write(mtvec, (uintptr_t)m_vectors | 1);
    csr_write(stvec, (uintptr_t)s_vectors | 1);
    for (size_t i = 0; i < COUNT(by_priority); i++)
        for (unsigned delegate = 0; delegate < 2; delegate++) {
            unsigned code = by_priority[i];
            struct trap_info t;

            if (!present(code) || (delegate && (!delegable(code) || code == TALLY_INT_ANDES)))
                continue;
            context(code, delegate, 0);
            set_pending(code, true);
            csr_write(mideleg, delegate ? BIT(code) : 0);
            csr_write(mie, BIT(code));
            t = probe(PRIV_U, r_nothing, 0, 0);
            csr_write(mie, 0);
            csr_write(mideleg, 0);
            set_pending(code, false);
            CHECK_EQ(t.cause, INTERRUPT(code));
            CHECK_EQ(t.t6,
                     delegate ? 0 : code); /* the supervisor's way over to M-mode is an exception: entry 0 */
        }
    /* the supervisor's own vector, seen before it hands over: M-mode not vectored */
    csr_write(mtvec, (uintptr_t)m_trap);
    for (size_t i = 0; i < COUNT(by_priority); i++) {
        unsigned code = by_priority[i];
        struct trap_info t;

        if (!present(code) || !delegable(code) || code == TALLY_INT_ANDES)
            continue;
        context(code, 2, 0);
        csr_set(mip, BIT(code));
        csr_write(mideleg, BIT(code));
        csr_write(mie, BIT(code));
        t = probe(PRIV_U, r_nothing, 0, 0);
        csr_write(mie, 0);
        csr_write(mideleg, 0);
        csr_clear(mip, BIT(code));
        CHECK_EQ(t.t6, code);
    }
    csr_write(stvec, (uintptr_t)s_trap);
}

/* An enable that an instruction sets acts before the next one. */
static void check_enable_at_once(void) {
    struct trap_info t;

    csr_set(mip, BIT(TALLY_INT_SSI));
    csr_write(mie, BIT(TALLY_INT_SSI));
    t = probe(PRIV_M, r_enable_m, 0, 0);
    CHECK_EQ(t.cause, INTERRUPT(TALLY_INT_SSI));
    CHECK_EQ(t.epc, (uintptr_t)r_enable_m + 4);
    csr_write(mideleg, BIT(TALLY_INT_SSI));
    t = probe(PRIV_S, r_enable_s, 0, 0);
    CHECK_EQ(t.cause, INTERRUPT(TALLY_INT_SSI));
    CHECK_EQ(t.epc, (uintptr_t)r_enable_s + 4);
    CHECK_EQ(t.handler, PRIV_S);
    csr_write(mideleg, 0);
    csr_write(mie, 0);
    csr_clear(mip, BIT(TALLY_INT_SSI));
}

static void check_timer_phases(void) {
    uint64_t random = 12345;

    csr_write(mie, BIT(TALLY_INT_MTI));
    for (unsigned i = 0; i < 192; i++) {
        static const unsigned modes[] = {PRIV_U, PRIV_S, PRIV_M};
        unsigned mode = modes[i % 3];
        struct trap_info t;

        random = random * 6364136223846793005u + 1442695040888963407u;
        context(i, mode, 0);
        write64(MTIMECMP, read64(MTIME) + 8 + (random >> 60));
        probe_from(&t, status_for(mode) | MSTATUS_MPIE, i % 2 ? r_work : r_wait, i % 5, random >> 33 & 31, 0);
        CHECK_EQ(t.cause, INTERRUPT(TALLY_INT_MTI));
        CHECK(read64(MTIME) >= read64(MTIMECMP));
        write64(MTIMECMP, UINT64_MAX);
        wait_pending(TALLY_INT_MTI, false);
    }
    csr_write(mie, 0);
}

/* The UART through the PLIC to both contexts of hart 0: pending, claimed, completed, masked by threshold and
 * enable. */
static void check_external(void) {
    static const unsigned codes[] = {TALLY_INT_MEI, TALLY_INT_SEI};

    for (unsigned c = 0; c < 2; c++) {
        unsigned code = codes[c];
        struct trap_info t;

        context(c, 0, 0);
        uart_interrupt(c, true);
        wait_pending(code, true);
        csr_write(mie, BIT(code));
        csr_write(mideleg, BIT(TALLY_INT_SEI));
        t = probe(PRIV_U, r_nothing, 0, 0);
        csr_write(mie, 0);
        csr_write(mideleg, 0);
        CHECK_EQ(t.cause, INTERRUPT(code));
        CHECK_EQ(t.handler, c ? PRIV_S : PRIV_M);
        /* SEIP: CSR instructions that set and clear see the software bit alone, not the PLIC's line */
        if (c) {
            csr_set(mip, 0);
            csr_clear(mip, BIT(TALLY_INT_SEI));
            CHECK(csr_read(mip) & BIT(TALLY_INT_SEI));
        }
        write32(PLIC_LIMIT(c), 7);
        wait_pending(code, false);
        write32(PLIC_LIMIT(c), 0);
        wait_pending(code, true);
        CHECK_EQ(read32(PLIC_CLAIM(c)), UART_IRQ);
        wait_pending(code, false);
        CHECK_EQ(read32(PLIC_CLAIM(c)), 0);
        write8(UART_BASE + 1, 0);
        write32(PLIC_CLAIM(c), UART_IRQ);
        uart_interrupt(c, false);
        wait_pending(code, false);
    }
}

/* Sstc: STIP is the comparison, not software's. */
static void check_sstc(void) {
    struct trap_info t;

    csr_set(mip, BIT(TALLY_INT_STI));
    csr_write(stimecmp, UINT64_MAX);
    csr_set(menvcfg, TALLY_MENVCFG_STCE_MASK);
    wait_pending(TALLY_INT_STI, false);
    csr_set(mip, BIT(TALLY_INT_STI));
    CHECK_EQ(csr_read(mip) & BIT(TALLY_INT_STI), 0);
    csr_write(mideleg, BIT(TALLY_INT_STI));
    csr_write(mie, BIT(TALLY_INT_STI));
    csr_write(stimecmp, read64(MTIME) + 20);
    probe_from(&t, status_for(PRIV_S) | MSTATUS_SIE, r_wait, 0, 0, 0);
    CHECK_EQ(t.cause, INTERRUPT(TALLY_INT_STI));
    CHECK_EQ(t.handler, PRIV_S);
    csr_clear(mip, BIT(TALLY_INT_STI));
    CHECK(csr_read(mip) & BIT(TALLY_INT_STI));
    csr_write(stimecmp, UINT64_MAX);
    wait_pending(TALLY_INT_STI, false);
    csr_write(mie, 0);
    csr_write(mideleg, 0);
    csr_clear(menvcfg, TALLY_MENVCFG_STCE_MASK);
    csr_clear(mip, BIT(TALLY_INT_STI));
    wait_pending(TALLY_INT_STI, false);
}

void test_main(void) {
    open_memory();
    write64(MTIMECMP, UINT64_MAX);
    csr_write(medeleg, 0);
    for (size_t i = 0; i < COUNT(by_priority); i++)
        if (present(by_priority[i]))
            check_matrix(by_priority[i]);
    check_priority(false);
    check_priority(true);
    check_vectored();
    check_enable_at_once();
    check_timer_phases();
    check_external();
    check_sstc();
    pass();
}
