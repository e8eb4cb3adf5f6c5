/* SPDX-License-Identifier: Apache-2.0 */
/* The extensions other than the PMU's: answers and errors. */
#include "suite.h"

#define ALL_ONES (~0ul)

static struct sbiret call(unsigned long eid, unsigned long fid, unsigned long a0, unsigned long a1,
                          unsigned long a2) {
    return sbi_call6(eid, fid, a0, a1, a2, 0, 0, 0);
}

/* --- calls in general ----------------------------------------------------------------------------- */

TEST(chapter_3_unknown_extensions_and_functions) {
    static const unsigned long eids[] = {SBI_EXT_TIME, SBI_EXT_IPI,  SBI_EXT_RFENCE, SBI_EXT_HSM,
                                         SBI_EXT_SRST, SBI_EXT_SUSP, SBI_EXT_FWFT,   SBI_EXT_SSE};

    EXPECT(call(0x09, 0, 0, 0, 0).error, SBI_ERR_NOT_SUPPORTED);
    EXPECT(call(0x0a000000, 0, 0, 0, 0).error, SBI_ERR_NOT_SUPPORTED);
    EXPECT(call(ALL_ONES, 0, 0, 0, 0).error, SBI_ERR_NOT_SUPPORTED);
    for (unsigned i = 0; i < sizeof eids / sizeof *eids; i++)
        EXPECT(call(eids[i], 99, 0, 0, 0).error, SBI_ERR_NOT_SUPPORTED);
}

TEST(chapter_3_registers_are_preserved) {
    unsigned long before[24], after[24];

    /* s and t registers, gp, tp, a2 to a7: none but a0 and a1 may change */
    __asm__ volatile(
        "li a7, 0x10\nli a6, 0\nli a2, 12\nli a3, 13\nli a4, 14\nli a5, 15\n"
        "li t0, 1\nli t1, 2\nli t2, 3\nli t3, 4\nli t4, 5\nli t5, 6\nli t6, 7\n"
        "ecall\n"
        "xori t0, t0, 1\nxori t1, t1, 2\nxori t2, t2, 3\nxori t3, t3, 4\nxori t4, t4, 5\nxori t5, t5, 6\n"
        "xori t6, t6, 7\nxori a2, a2, 12\nxori a3, a3, 13\nxori a4, a4, 14\nxori a5, a5, 15\nxori a6, a6, 0\n"
        "xori a7, a7, 0x10\n"
        "or t0, t0, t1\nor t0, t0, t2\nor t0, t0, t3\nor t0, t0, t4\nor t0, t0, t5\nor t0, t0, t6\n"
        "or t0, t0, a2\nor t0, t0, a3\nor t0, t0, a4\nor t0, t0, a5\nor t0, t0, a6\nor %0, t0, a7\n"
        : "=r"(after[0])::"a0", "a1", "a2", "a3", "a4", "a5", "a6", "a7", "t0", "t1", "t2", "t3", "t4", "t5",
          "t6", "memory");
    before[0] = 0;
    EXPECT(after[0], before[0]);
}

/* --- base --------------------------------------------------------------------------------------- */

TEST(base_every_function) {
    EXPECT(call(SBI_EXT_BASE, 0, 0, 0, 0).value >> 31, 0);
    EXPECT(call(SBI_EXT_BASE, 1, 0, 0, 0).error, SBI_SUCCESS);
    EXPECT(call(SBI_EXT_BASE, 2, 0, 0, 0).error, SBI_SUCCESS);
    EXPECT(call(SBI_EXT_BASE, 4, 0, 0, 0).error, SBI_SUCCESS);
    EXPECT(call(SBI_EXT_BASE, 5, 0, 0, 0).error, SBI_SUCCESS);
    EXPECT(call(SBI_EXT_BASE, 6, 0, 0, 0).error, SBI_SUCCESS);
}

TEST(base_version_3_0) {
    NEED(at_least(3, 0));
    EXPECT(call(SBI_EXT_BASE, 0, 0, 0, 0).value, 0x03000000);
}

TEST(base_probe) {
    static const unsigned long there[] = {SBI_EXT_BASE, SBI_EXT_TIME, SBI_EXT_IPI, SBI_EXT_RFENCE,
                                          SBI_EXT_HSM,  SBI_EXT_SRST, SBI_EXT_PMU};

    for (unsigned i = 0; i < sizeof there / sizeof *there; i++)
        EXPECT(call(SBI_EXT_BASE, 3, there[i], 0, 0).value != 0, true);
    EXPECT(call(SBI_EXT_BASE, 3, 0x09, 0, 0).value, 0);
    EXPECT(call(SBI_EXT_BASE, 3, ALL_ONES, 0, 0).value, 0);
    EXPECT(call(SBI_EXT_BASE, 3, 0x43505043, 0, 0).value, 0); /* CPPC */
}

TEST(base_probe_of_what_version_3_0_adds) {
    NEED(at_least(3, 0));
    EXPECT(call(SBI_EXT_BASE, 3, SBI_EXT_DBCN, 0, 0).value, 1);
    EXPECT(call(SBI_EXT_BASE, 3, SBI_EXT_SUSP, 0, 0).value, 1);
    EXPECT(call(SBI_EXT_BASE, 3, SBI_EXT_FWFT, 0, 0).value, 1);
    EXPECT(call(SBI_EXT_BASE, 3, SBI_EXT_SSE, 0, 0).value, 1);
}

/* --- timer -------------------------------------------------------------------------------------- */

static uint64_t now(void) {
#if __riscv_xlen == 64
    return csr_read(time);
#else
    uint32_t high, low;

    do {
        high = csr_read(timeh);
        low = csr_read(time);
    } while (high != csr_read(timeh));
    return (uint64_t)high << 32 | low;
#endif
}

static void set_timer(uint64_t when) {
    if (__riscv_xlen == 64)
        call(SBI_EXT_TIME, 0, (unsigned long)when, 0, 0);
    else
        call(SBI_EXT_TIME, 0, (unsigned long)when, (unsigned long)(when >> 32), 0);
}

static bool pending(unsigned long bit) { return csr_read(sip) & bit; }

TEST(time_set_timer_pends_and_clears) {
    set_timer(0);
    for (int i = 0; i < 1000 && !pending(INTERRUPT_BIT(STI)); i++)
        ;
    EXPECT(pending(INTERRUPT_BIT(STI)), true);
    set_timer(~0ull);
    EXPECT(pending(INTERRUPT_BIT(STI)), false);
    set_timer(now() + 50);
    while (!pending(INTERRUPT_BIT(STI)))
        ;
    EXPECT(pending(INTERRUPT_BIT(STI)), true);
    set_timer(~0ull);
}

/* --- IPI ---------------------------------------------------------------------------------------- */

TEST(ipi_to_itself) {
    csr_clear(sip, INTERRUPT_BIT(SSI));
    EXPECT(call(SBI_EXT_IPI, 0, 1, boot_hart, 0).error, SBI_SUCCESS);
    for (int i = 0; i < 1000 && !pending(INTERRUPT_BIT(SSI)); i++)
        ;
    EXPECT(pending(INTERRUPT_BIT(SSI)), true);
    csr_clear(sip, INTERRUPT_BIT(SSI));
    EXPECT(pending(INTERRUPT_BIT(SSI)), false);
}

TEST(ipi_mask_of_no_hart_is_a_success) { EXPECT(call(SBI_EXT_IPI, 0, 0, 0, 0).error, SBI_SUCCESS); }

TEST(ipi_base_all_ones_is_every_hart) {
    EXPECT(call(SBI_EXT_IPI, 0, 0, ALL_ONES, 0).error, SBI_SUCCESS);
    for (int i = 0; i < 1000 && !pending(INTERRUPT_BIT(SSI)); i++)
        ;
    EXPECT(pending(INTERRUPT_BIT(SSI)), true);
    csr_clear(sip, INTERRUPT_BIT(SSI));
}

TEST(ipi_invalid_harts) {
    NEED(at_least(3, 0));
    EXPECT(call(SBI_EXT_IPI, 0, 1, hart_count, 0).error, SBI_ERR_INVALID_PARAM);
    EXPECT(call(SBI_EXT_IPI, 0, 1ul << hart_count | 1, 0, 0).error, SBI_ERR_INVALID_PARAM);
    EXPECT(call(SBI_EXT_IPI, 0, 1, 1000, 0).error, SBI_ERR_INVALID_PARAM);
    EXPECT(call(SBI_EXT_IPI, 0, 3, ALL_ONES - 1, 0).error, SBI_ERR_INVALID_PARAM);
    EXPECT(pending(INTERRUPT_BIT(SSI)), false);
}

/* --- RFENCE -------------------------------------------------------------------------------------- */

TEST(rfence_every_function) {
    for (unsigned long fid = 0; fid <= 2; fid++) {
        EXPECT(sbi_call6(SBI_EXT_RFENCE, fid, 1, boot_hart, 0, 0, 0, 0).error, SBI_SUCCESS);
        EXPECT(sbi_call6(SBI_EXT_RFENCE, fid, 0, ALL_ONES, 0x80200000, 0x3000, 1, 0).error, SBI_SUCCESS);
        EXPECT(sbi_call6(SBI_EXT_RFENCE, fid, 1, boot_hart, 0, ALL_ONES, 0, 0).error, SBI_SUCCESS);
    }
}

TEST(rfence_invalid_harts_and_ranges) {
    NEED(at_least(3, 0));
    for (unsigned long fid = 0; fid <= 2; fid++)
        EXPECT(sbi_call6(SBI_EXT_RFENCE, fid, 1ul << hart_count, 0, 0, 0, 0, 0).error, SBI_ERR_INVALID_PARAM);
    for (unsigned long fid = 1; fid <= 2; fid++)
        EXPECT(sbi_call6(SBI_EXT_RFENCE, fid, 1, boot_hart, ALL_ONES - 100, 4096, 0, 0).error,
               SBI_ERR_INVALID_ADDRESS);
    for (unsigned long fid = 3; fid <= 6; fid++) /* no hypervisor extension */
        EXPECT(sbi_call6(SBI_EXT_RFENCE, fid, 1, boot_hart, 0, 0, 0, 0).error, SBI_ERR_NOT_SUPPORTED);
}

TEST(rfence_of_the_top_page_is_a_range_like_any) {
    for (unsigned long fid = 1; fid <= 2; fid++) {
        EXPECT(sbi_call6(SBI_EXT_RFENCE, fid, 1, boot_hart, ALL_ONES - 4095, 4096, 0, 0).error, SBI_SUCCESS);
        EXPECT(sbi_call6(SBI_EXT_RFENCE, fid, 1, boot_hart, ALL_ONES - 8191, 4097, 0, 0).error, SBI_SUCCESS);
    }
}

/* --- HSM ---------------------------------------------------------------------------------------- */

TEST(hsm_status_and_errors) {
    EXPECT(call(SBI_EXT_HSM, 2, boot_hart, 0, 0).value, 0);
    EXPECT(call(SBI_EXT_HSM, 2, 1000, 0, 0).error, SBI_ERR_INVALID_PARAM);
    EXPECT(call(SBI_EXT_HSM, 0, 1000, 0x80200000, 0).error, SBI_ERR_INVALID_PARAM);
    EXPECT(call(SBI_EXT_HSM, 0, ALL_ONES, 0x80200000, 0).error, SBI_ERR_INVALID_PARAM);
    EXPECT(call(SBI_EXT_HSM, 0, boot_hart, 0x80200000, 0).error, SBI_ERR_ALREADY_AVAILABLE);
    EXPECT(call(SBI_EXT_HSM, 3, 1, 0, 0).error, SBI_ERR_INVALID_PARAM);
    EXPECT(call(SBI_EXT_HSM, 3, 0x0fffffff, 0, 0).error, SBI_ERR_INVALID_PARAM);
}

TEST(hsm_start_refuses_addresses_that_cannot_be_executed) {
    NEED(at_least(3, 0));
    NEED(hart_count > 1);
    EXPECT(call(SBI_EXT_HSM, 0, other_hart(), 0x80000000, 0).error, SBI_ERR_INVALID_ADDRESS);
    EXPECT(call(SBI_EXT_HSM, 0, other_hart(), 0x10000000, 0).error, SBI_ERR_INVALID_ADDRESS);
    EXPECT(call(SBI_EXT_HSM, 2, other_hart(), 0, 0).value, 1);
}

TEST(hsm_retentive_suspend_wakes_by_an_interrupt) {
    set_timer(now() + 100);
    csr_write(sie, INTERRUPT_BIT(STI)); /* SIE is 0: it only wakes */
    EXPECT(call(SBI_EXT_HSM, 3, 0, 0, 0).error, SBI_SUCCESS);
    EXPECT(pending(INTERRUPT_BIT(STI)), true);
    csr_write(sie, 0);
    set_timer(~0ull);
}

/* entry.S: suspend with this type by a function of an extension; 1 if the hart came back at its resume
 * address, 0 if the call returned. */
unsigned long suspend_and_resume(unsigned long type, unsigned long fid, unsigned long eid);

TEST(hsm_non_retentive_suspend_resumes_at_the_address) {
    NEED(at_least(3, 0));
    set_timer(now() + 100);
    csr_write(sie, INTERRUPT_BIT(STI));
    EXPECT(suspend_and_resume(0x80000000, 3, SBI_EXT_HSM), 1);
    EXPECT(csr_read(sie), 0);
    EXPECT(csr_read(satp), 0);
    set_timer(~0ull);
}

/* HSM, SUSP and SRST say uint32_t: the upper half of a register plays no part, sign-extended or not. On RV32
 * there is none. SRST that succeeds: reset_32_bits.S. */
TEST(parameters_of_32_bits_are_cut_to_them) {
    const unsigned long above = (unsigned long)(1ull << 32);

    NEED(at_least(3, 0));
    set_timer(now() + 100);
    csr_write(sie, INTERRUPT_BIT(STI));
    EXPECT(call(SBI_EXT_HSM, 3, above, 0, 0).error, SBI_SUCCESS);
    EXPECT(pending(INTERRUPT_BIT(STI)), true);
    EXPECT(suspend_and_resume((unsigned long)0xffffffff80000000ull, 3, SBI_EXT_HSM), 1);
    csr_write(sie, INTERRUPT_BIT(STI));
    EXPECT(suspend_and_resume(above, 0, SBI_EXT_SUSP), 1);
    EXPECT(call(SBI_EXT_SUSP, 0, above | 1, 0x80200000, 0).error, SBI_ERR_INVALID_PARAM);
    EXPECT(call(SBI_EXT_SRST, 0, above | 3, 0, 0).error, SBI_ERR_INVALID_PARAM);
    EXPECT(call(SBI_EXT_SRST, 0, 0, above | 2, 0).error, SBI_ERR_INVALID_PARAM);
    set_timer(~0ull);
}

static volatile unsigned long seen_hart;

static void note_hart(unsigned long hart) { seen_hart = hart; }

TEST(hsm_start_and_stop_of_another_hart) {
    NEED(hart_count > 1);
    seen_hart = ALL_ONES;
    EXPECT(on_other_hart(note_hart), true);
    EXPECT(seen_hart, other_hart());
    EXPECT(call(SBI_EXT_HSM, 2, other_hart(), 0, 0).value, 1);
    EXPECT(on_other_hart(note_hart), true); /* and again */
}

/* --- SUSP --------------------------------------------------------------------------------------- */

TEST(susp_errors) {
    NEED(call(SBI_EXT_BASE, 3, SBI_EXT_SUSP, 0, 0).value);
    EXPECT(call(SBI_EXT_SUSP, 0, 1, 0x80200000, 0).error, SBI_ERR_INVALID_PARAM);
    EXPECT(call(SBI_EXT_SUSP, 0, 0x7fffffff, 0x80200000, 0).error, SBI_ERR_INVALID_PARAM);
    EXPECT(call(SBI_EXT_SUSP, 0, 0x80000000, 0x80200000, 0).error, SBI_ERR_INVALID_PARAM);
    EXPECT(call(SBI_EXT_SUSP, 0, 0, 0x80000000, 0).error, SBI_ERR_INVALID_ADDRESS);
    EXPECT(call(SBI_EXT_SUSP, 0, 0, 0x10000000, 0).error, SBI_ERR_INVALID_ADDRESS);
    EXPECT(call(SBI_EXT_SUSP, 0, 0, ALL_ONES, 0).error, SBI_ERR_INVALID_ADDRESS);
}

TEST(susp_resumes_at_the_address) {
    NEED(call(SBI_EXT_BASE, 3, SBI_EXT_SUSP, 0, 0).value);
    set_timer(now() + 100);
    csr_write(sie, INTERRUPT_BIT(STI));
    EXPECT(suspend_and_resume(0, 0, SBI_EXT_SUSP), 1);
    EXPECT(pending(INTERRUPT_BIT(STI)), true); /* it did sleep */
    EXPECT(csr_read(satp), 0);
    EXPECT(csr_read(sstatus) & MSTATUS_SIE, 0);
    set_timer(~0ull);
}

static struct sbiret susp_with_others;

static void suspend_beside_another(unsigned long hart) {
    (void)hart;
    susp_with_others = call(SBI_EXT_SUSP, 0, 0, 0x80200000, 0);
}

TEST(susp_is_denied_while_another_hart_runs) {
    NEED(call(SBI_EXT_BASE, 3, SBI_EXT_SUSP, 0, 0).value);
    NEED(hart_count > 1);
    EXPECT(on_other_hart(suspend_beside_another), true);
    EXPECT(susp_with_others.error, SBI_ERR_DENIED);
}

/* --- SRST --------------------------------------------------------------------------------------- */

TEST(srst_reserved_types_and_reasons) {
    EXPECT(call(SBI_EXT_SRST, 0, 3, 0, 0).error, SBI_ERR_INVALID_PARAM);
    EXPECT(call(SBI_EXT_SRST, 0, 0xefffffff, 0, 0).error, SBI_ERR_INVALID_PARAM);
    EXPECT(call(SBI_EXT_SRST, 0, 0, 2, 0).error, SBI_ERR_INVALID_PARAM);
}

/* --- DBCN --------------------------------------------------------------------------------------- */

static const char text[] = "  (debug console)\n";

TEST(dbcn_every_function) {
    NEED(at_least(2, 0));
    EXPECT(call(SBI_EXT_DBCN, 0, sizeof text - 1, (unsigned long)text, 0).value, sizeof text - 1);
    EXPECT(call(SBI_EXT_DBCN, 0, 0, 0, 0).error, SBI_SUCCESS);
    EXPECT(call(SBI_EXT_DBCN, 2, ' ', 0, 0).error, SBI_SUCCESS);
    EXPECT(call(SBI_EXT_DBCN, 0, 1, 0x80000000, 0).error, SBI_ERR_INVALID_PARAM);
    EXPECT(call(SBI_EXT_DBCN, 0, 1, (unsigned long)text, 1).error, SBI_ERR_INVALID_PARAM);
    EXPECT(call(SBI_EXT_DBCN, 0, ALL_ONES, (unsigned long)text, 0).error, SBI_ERR_INVALID_PARAM);
    EXPECT(call(SBI_EXT_DBCN, 1, 1, 0x10000000, 0).error, SBI_ERR_INVALID_PARAM);
    EXPECT(call(SBI_EXT_DBCN, 3, 0, 0, 0).error, SBI_ERR_NOT_SUPPORTED);
}

/* --- legacy ------------------------------------------------------------------------------------- */

TEST(legacy_calls_leave_a1_alone) {
    EXPECT(call(0x01, 0, ' ', 0x1234, 0).value, 0x1234);
    EXPECT(call(0x01, 0, ' ', 0x1234, 0).error, 0);
    EXPECT(call(0x02, 0, 0, 0x1234, 0).value, 0x1234);
}

TEST(legacy_set_timer_and_ipi) {
    unsigned long mask = 1ul << boot_hart;

    call(0x00, 0, 0, 0, 0);
    for (int i = 0; i < 1000 && !pending(INTERRUPT_BIT(STI)); i++)
        ;
    EXPECT(pending(INTERRUPT_BIT(STI)), true);
    call(0x00, 0, ALL_ONES, ALL_ONES, 0);
    EXPECT(call(0x04, 0, (unsigned long)&mask, 0, 0).error, 0);
    for (int i = 0; i < 1000 && !pending(INTERRUPT_BIT(SSI)); i++)
        ;
    EXPECT(pending(INTERRUPT_BIT(SSI)), true);
    csr_clear(sip, INTERRUPT_BIT(SSI));
    EXPECT(call(0x05, 0, (unsigned long)&mask, 0, 0).error, 0);
    EXPECT(call(0x06, 0, (unsigned long)&mask, 0, 0).error, 0);
    EXPECT(call(0x07, 0, (unsigned long)&mask, 0, 0).error, 0);
}
