/* SPDX-License-Identifier: Apache-2.0 */
/*
 * CSRs: the forms of the instructions, writable bits of registers (spec/csr), legal numbers by mode,
 * and mstatus' controls TVM, TSR and MPRV.
 */
#include "test.h"

#include "sv39.h"

/* 4096 routines of eight bytes: read CSR n, ecall; and 1024 that write a read-only number */
ROUTINE(r_read, ".option push\n.option norvc\n.set number, 0\n.rept 4096\ncsrr a0, number\necall\n"
                ".set number, number + 1\n.endr\n.option pop");
ROUTINE(r_write_ro, ".option push\n.option norvc\n.set number, 0xc00\n.rept 1024\ncsrw number, a0\necall\n"
                    ".set number, number + 1\n.endr\n.option pop");
ROUTINE(r_sret, "sret\necall");
ROUTINE(r_mret, "mret\necall");
ROUTINE(r_sfence, "sfence.vma\necall");
ROUTINE(r_read_satp, "csrr a0, satp\necall");
ROUTINE(r_write_satp, "csrw satp, a0\necall");
ROUTINE(r_ecall, "ecall");
/* M-mode: return to `a0` by mret or sret with mstatus = a1 */
ROUTINE(r_do_mret, "csrw mstatus, a1\ncsrw mepc, a0\nmret");
ROUTINE(r_do_sret, "csrw mstatus, a1\ncsrw sepc, a0\nsret");
ROUTINE(r_sret_to, "csrw sstatus, a1\ncsrw sepc, a0\nsret");

#define WRITE_READ(csr, value)                                                                               \
    __extension__({                                                                                          \
        csr_write(csr, value);                                                                               \
        csr_read(csr);                                                                                       \
    })

static void check_forms(void) {
    static const uint64_t values[] = {0, 1, 0x5555555555555555, 0xaaaaaaaaaaaaaaaa, UINT64_MAX, 1ull << 63};
    uint64_t old;

    for (size_t i = 0; i < COUNT(values); i++)
        for (size_t j = 0; j < COUNT(values); j++) {
            uint64_t a = values[i], b = values[j];

            context(i, j, 0);
            csr_write(mscratch, a);
            __asm__ volatile("csrrw %0, mscratch, %1" : "=r"(old) : "r"(b));
            CHECK_EQ(old, a);
            CHECK_EQ(csr_read(mscratch), b);
            csr_write(mscratch, a);
            __asm__ volatile("csrrs %0, mscratch, %1" : "=r"(old) : "r"(b));
            CHECK_EQ(old, a);
            CHECK_EQ(csr_read(mscratch), a | b);
            csr_write(mscratch, a);
            __asm__ volatile("csrrc %0, mscratch, %1" : "=r"(old) : "r"(b));
            CHECK_EQ(old, a);
            CHECK_EQ(csr_read(mscratch), a & ~b);
            csr_write(mscratch, a);
            __asm__ volatile("csrrwi %0, mscratch, 21" : "=r"(old));
            CHECK_EQ(old, a);
            CHECK_EQ(csr_read(mscratch), 21);
            csr_write(mscratch, a);
            __asm__ volatile("csrrsi %0, mscratch, 21" : "=r"(old));
            CHECK_EQ(csr_read(mscratch), a | 21);
            csr_write(mscratch, a);
            __asm__ volatile("csrrci %0, mscratch, 21" : "=r"(old));
            CHECK_EQ(csr_read(mscratch), a & ~21ull);
            csr_write(mscratch, a);
            __asm__ volatile("mv %0, %1\ncsrrw %0, mscratch, %0" : "=&r"(old) : "r"(b)); /* rd = rs1 */
            CHECK_EQ(old, a);
            CHECK_EQ(csr_read(mscratch), b);
        }
    csr_write(mscratch, 0); /* no probe is under way */
}

#define NONE 0
#define ALL UINT64_MAX

static void check_machine_registers(void) {
    CHECK_EQ(csr_read(mvendorid), 0);
    CHECK_EQ(csr_read(marchid), 0);
    CHECK_EQ(csr_read(mhartid), 0);
    CHECK_EQ(csr_read(mconfigptr), 0);
    CHECK_EQ(WRITE_READ(misa, NONE), 0x8000000000141105); /* A C I M S U, read-only */
    CHECK_EQ(WRITE_READ(medeleg, ALL), 0xb3fe);           /* 0: with C no instruction is misaligned */
    CHECK_EQ(WRITE_READ(medeleg, NONE), 0);
    CHECK_EQ(WRITE_READ(mideleg, ALL), BIT(1) | BIT(5) | BIT(9) | BIT(13) | BIT(14) | BIT(18));
    CHECK_EQ(WRITE_READ(mideleg, NONE), 0);
    CHECK_EQ(WRITE_READ(mie, ALL),
             BIT(1) | BIT(3) | BIT(5) | BIT(7) | BIT(9) | BIT(11) | BIT(13) | BIT(14) | BIT(18));
    CHECK_EQ(WRITE_READ(mie, NONE), 0);
    csr_write(mip, ALL);
    CHECK_EQ(csr_read(mip) & ~BIT(7), BIT(1) | BIT(5) | BIT(9) | BIT(13) | BIT(14) | BIT(18));
    csr_write(mip, NONE);
    CHECK_EQ(csr_read(mip) & ~BIT(7), 0);
    CHECK_EQ(WRITE_READ(mepc, ALL), ALL - 1);
    CHECK_EQ(WRITE_READ(mscratch, NONE), 0);
    CHECK_EQ(WRITE_READ(mtval, ALL), ALL);
    CHECK_EQ(WRITE_READ(menvcfg, ALL), TALLY_MENVCFG_STCE_MASK | TALLY_MENVCFG_ADUE_MASK |
                                           TALLY_MENVCFG_CDE_MASK | TALLY_MENVCFG_PDISS_MASK |
                                           TALLY_MENVCFG_FIOM_MASK);
    CHECK_EQ(WRITE_READ(menvcfg, NONE), 0);
    CHECK_EQ(WRITE_READ(senvcfg, ALL), 1);
    CHECK_EQ(WRITE_READ(tselect, ALL), 0);
    CHECK_EQ(WRITE_READ(tdata1, ALL), 0);
    CHECK_EQ(WRITE_READ(tdata2, ALL), 0);
    CHECK_EQ(WRITE_READ(tdata3, ALL), 0);
    CHECK_EQ(WRITE_READ(TALLY_CSR_MSTATEEN0, ALL), TALLY_MSTATEEN0_SE0_MASK | TALLY_MSTATEEN0_ENVCFG_MASK |
                                                       TALLY_MSTATEEN0_CSRIND_MASK |
                                                       TALLY_MSTATEEN0_PDIS_MASK | TALLY_MSTATEEN0_C_MASK);
    CHECK_EQ(WRITE_READ(TALLY_CSR_MSTATEEN0, NONE), 0);
    CHECK_EQ(WRITE_READ(TALLY_CSR_MSTATEEN1, ALL), 0);
    CHECK_EQ(WRITE_READ(TALLY_CSR_MSTATEEN3, ALL), 0);
}

static void check_vectors(void) {
    uint64_t handler = csr_read(mtvec);

    for (unsigned low = 0; low < 4; low++) {
        context(low, 0, 0);
        csr_write(stvec, 0x1230 | low);
        CHECK_EQ(csr_read(stvec), 0x1230 | (low & 1));
        csr_write(mtvec, (handler & ~3ull) | low);
        CHECK_EQ(csr_read(mtvec), (handler & ~3ull) | (low & 1));
    }
    csr_write(mtvec, handler);
    csr_write(stvec, (uintptr_t)s_trap);
}

static void check_status(void) {
    const uint64_t fixed = 2ull << TALLY_MSTATUS_UXL_LSB | 2ull << TALLY_MSTATUS_SXL_LSB;
    const uint64_t writable = MSTATUS_SIE | MSTATUS_MIE | MSTATUS_SPIE | MSTATUS_MPIE | MSTATUS_SPP |
                              MSTATUS_MPRV | MSTATUS_SUM | MSTATUS_MXR | MSTATUS_TVM | MSTATUS_TW |
                              MSTATUS_TSR;

    csr_write(mie, 0);
    /* ones everywhere, MPP = 3: MPRV has no effect with that */
    CHECK_EQ(WRITE_READ(mstatus, ALL), writable | MSTATUS_MPP | fixed);
    CHECK_EQ(csr_read(sstatus), (fixed & TALLY_MSTATUS_UXL_MASK) | MSTATUS_SIE | MSTATUS_SPIE | MSTATUS_SPP |
                                    MSTATUS_SUM | MSTATUS_MXR);
    CHECK_EQ(WRITE_READ(mstatus, NONE), fixed);
    for (unsigned mpp = 0; mpp < 4; mpp++) {
        csr_write(mstatus, status_for(PRIV_S));
        csr_write(mstatus, status_for(mpp));
        context(mpp, 0, 0);
        CHECK_EQ(previous_mode(csr_read(mstatus)), mpp == 2 ? PRIV_S : mpp);
    }
    csr_write(mstatus, 0);
    CHECK_EQ(WRITE_READ(sstatus, ALL), (fixed & TALLY_MSTATUS_UXL_MASK) | MSTATUS_SIE | MSTATUS_SPIE |
                                           MSTATUS_SPP | MSTATUS_SUM | MSTATUS_MXR);
    CHECK_EQ(csr_read(mstatus), fixed | MSTATUS_SIE | MSTATUS_SPIE | MSTATUS_SPP | MSTATUS_SUM | MSTATUS_MXR);
    csr_write(mstatus, 0);
}

/* sie and sip show what mideleg delegates. */
static void check_supervisor_view(void) {
    const uint64_t some = BIT(TALLY_INT_SSI) | BIT(TALLY_INT_SEI);

    csr_write(mideleg, some);
    csr_write(mie, ALL);
    CHECK_EQ(csr_read(sie), some);
    csr_write(sie, 0);
    CHECK_EQ(csr_read(mie) & some, 0);
    CHECK(csr_read(mie) & BIT(TALLY_INT_MTI));
    csr_write(sie, ALL);
    CHECK_EQ(csr_read(sie), some);
    csr_write(mie, 0);
    csr_write(mip, BIT(TALLY_INT_SSI) | BIT(TALLY_INT_STI) | BIT(TALLY_INT_SEI));
    CHECK_EQ(csr_read(sip), some);
    csr_write(sip, 0); /* of these only SSIP is the supervisor's to write */
    CHECK_EQ(csr_read(sip), BIT(TALLY_INT_SEI));
    csr_write(sip, ALL);
    CHECK_EQ(csr_read(sip), some);
    csr_write(mideleg, 0);
    csr_write(sip, 0);
    CHECK_EQ(csr_read(mip) & BIT(TALLY_INT_SSI), BIT(TALLY_INT_SSI));
    csr_write(mip, 0);
}

/* A number whose bits 9:8 name a higher mode is illegal; so is a write to one whose bits 11:10 are both set.
 */
static void check_numbers(void) {
    for (unsigned number = 0; number < 4096; number++) {
        struct trap_info t;

        context(number, 0, 0);
        for (unsigned mode = PRIV_U; mode <= PRIV_S; mode++)
            if ((number >> 8 & 3) > mode && (mode == PRIV_S || number % 16 == 0)) {
                t = probe(mode, r_read + 8 * number, 0, 0);
                CHECK_EQ(t.cause, TALLY_EXC_ILLEGAL);
                CHECK_EQ(t.tval, (uint64_t)number << 20 | 0x2573);
            }
        t = probe(PRIV_M, r_read + 8 * number, 0, 0);
        if ((number >> 8 & 3) == 2) /* no hypervisor */
            CHECK_EQ(t.cause, TALLY_EXC_ILLEGAL);
        else
            CHECK(t.cause == TALLY_EXC_ILLEGAL || t.cause == TALLY_EXC_ECALL_M);
        if (number >= 0xc00) {
            t = probe(PRIV_M, r_write_ro + 8 * (number - 0xc00), 0, 0);
            CHECK_EQ(t.cause, TALLY_EXC_ILLEGAL);
        }
    }
    csr_write(mscratch, 0);
}

static uint64_t cause_with(unsigned mode, uint64_t bits, const void *routine) {
    struct trap_info t;

    probe_from(&t, status_for(mode) | bits, routine, 0, 0, 0);
    return t.cause;
}

static void check_tvm(void) {
    CHECK_EQ(cause_with(PRIV_S, 0, r_read_satp), TALLY_EXC_ECALL_S);
    CHECK_EQ(cause_with(PRIV_S, 0, r_write_satp), TALLY_EXC_ECALL_S);
    CHECK_EQ(cause_with(PRIV_S, 0, r_sfence), TALLY_EXC_ECALL_S);
    CHECK_EQ(cause_with(PRIV_S, MSTATUS_TVM, r_read_satp), TALLY_EXC_ILLEGAL);
    CHECK_EQ(cause_with(PRIV_S, MSTATUS_TVM, r_write_satp), TALLY_EXC_ILLEGAL);
    CHECK_EQ(cause_with(PRIV_S, MSTATUS_TVM, r_sfence), TALLY_EXC_ILLEGAL);
    CHECK_EQ(cause_with(PRIV_M, MSTATUS_TVM, r_read_satp), TALLY_EXC_ECALL_M);
    CHECK_EQ(cause_with(PRIV_M, MSTATUS_TVM, r_sfence), TALLY_EXC_ECALL_M);
    CHECK_EQ(cause_with(PRIV_U, 0, r_sfence), TALLY_EXC_ILLEGAL);
    CHECK_EQ(cause_with(PRIV_U, 0, r_read_satp), TALLY_EXC_ILLEGAL);
}

static void check_returns(void) {
    struct trap_info t;

    CHECK_EQ(cause_with(PRIV_S, 0, r_mret), TALLY_EXC_ILLEGAL);
    CHECK_EQ(cause_with(PRIV_U, 0, r_mret), TALLY_EXC_ILLEGAL);
    CHECK_EQ(cause_with(PRIV_U, 0, r_sret), TALLY_EXC_ILLEGAL);
    CHECK_EQ(cause_with(PRIV_S, MSTATUS_TSR, r_sret), TALLY_EXC_ILLEGAL);
    for (unsigned bits = 0; bits < 16; bits++) {
        uint64_t pie = bits & 1 ? MSTATUS_SPIE : 0, ie = bits & 2 ? MSTATUS_SIE : 0,
                 spp = bits & 4 ? MSTATUS_SPP : 0;
        uint64_t mprv = bits & 8 ? MSTATUS_MPRV : 0;
        unsigned to = spp ? PRIV_S : PRIV_U;

        context(bits, 0, 0);
        /* sret in S-mode */
        probe_from(&t, status_for(PRIV_S), r_sret_to, (uintptr_t)r_ecall, pie | ie | spp, 0);
        CHECK_EQ(t.cause, ecall_from(to));
        CHECK_EQ(t.epc, (uintptr_t)r_ecall);
        CHECK_EQ(t.status & (MSTATUS_SIE | MSTATUS_SPIE | MSTATUS_SPP),
                 (pie ? MSTATUS_SIE : 0) | MSTATUS_SPIE);
        /* sret in M-mode; MPRV goes with any return to less than M */
        probe_from(&t, status_for(PRIV_M), r_do_sret, (uintptr_t)r_ecall,
                   pie | ie | spp | mprv | MSTATUS_MPP | MSTATUS_TSR, 0);
        CHECK_EQ(t.cause, ecall_from(to));
        CHECK_EQ(t.status & MSTATUS_MPRV, 0);
        CHECK_EQ(t.status & (MSTATUS_SIE | MSTATUS_SPIE | MSTATUS_SPP),
                 (pie ? MSTATUS_SIE : 0) | MSTATUS_SPIE);
        /* mret */
        for (unsigned mpp = 0; mpp <= 3; mpp += 1 + (mpp == 1)) {
            uint64_t mpie = bits & 1 ? MSTATUS_MPIE : 0;

            probe_from(&t, status_for(PRIV_M), r_do_mret, (uintptr_t)r_ecall, status_for(mpp) | mpie | mprv,
                       0);
            CHECK_EQ(t.cause, ecall_from(mpp));
            CHECK_EQ(t.status & MSTATUS_MPRV, mpp == PRIV_M ? mprv : 0);
            CHECK_EQ(t.status & MSTATUS_MPIE, mpie); /* MIE was MPIE, and the trap put it back */
        }
    }
    /* bit 0 of epc is not held: the return goes to the even address */
    csr_write(sepc, 0x1235);
    CHECK_EQ(csr_read(sepc), 0x1234);
}

/* MPRV takes MPP's mode and its translation for loads and stores, never for fetches. */
static void check_mprv(void) {
    static uint64_t word[2] __attribute__((aligned(4096)));
    uint64_t value = 0, aliased = (uintptr_t)word - 0x80000000 + WINDOW;

    word[0] = 0xfeed;
    translation_on();
    root[WINDOW >> 30] = pte(0x80000000, PTE_ALL | PTE_U);
    sfence();
    __asm__ volatile("csrw mstatus, %1\nld %0, 0(%2)\ncsrw mstatus, zero"
                     : "=&r"(value)
                     : "r"(MSTATUS_MPRV), "r"(aliased)
                     : "memory");
    CHECK_EQ(value, 0xfeed);
    csr_write(satp, 0);
    sfence();
}

void test_main(void) {
    open_memory();
    check_forms();
    check_machine_registers();
    check_vectors();
    check_status();
    check_supervisor_view();
    check_tvm();
    check_returns();
    check_mprv();
    check_numbers();
    pass();
}
