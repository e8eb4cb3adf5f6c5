/* SPDX-License-Identifier: Apache-2.0 */
/* The order of a read, a write and the increment of one cycle (docs/rulings.md, Counter writes). */
#include "rules.h"

#define INSTRETCFG TALLY_CSR_MINSTRETCFG

/* ---- order of read, write and increment
 *
 * A counter and how a mode writes it: open_counter(n) opens the ways of S-mode. */

struct way {
    unsigned mode, n, num;
};

#define INSTRET 2
#define HPM3 3
#define EACH_WAY(way) (const struct way *way = ways; way < ways + COUNT(ways); way++)

static const struct way ways[] = {
    {PRIV_M, INSTRET, TALLY_CSR_MINSTRET}, {PRIV_M, HPM3, TALLY_CSR_MCYCLE + 3},
    {PRIV_S, INSTRET, TALLY_CSR_SIREG},    {PRIV_S, HPM3, TALLY_CSR_SIREG},
    {PRIV_S, INSTRET, TALLY_CSR_INSTRET},  {PRIV_S, HPM3, TALLY_CSR_CYCLE + 3},
};

/* minstret counts everything, counter 3 the same. */
static void prepare(const struct way *way) {
    open_counter(way->n);
    if (way->n == HPM3)
        put(PRIV_M, event(HPM3), TALLY_EV_INST_RET);
    context(way->mode, way->n, way->num);
}

static uint64_t code_in(unsigned mode, uint64_t a1) { return run_code(mode, 0, a1, 0).a0; }

static void written_counter_is_what_the_next_instruction_reads(void) {
    for
        EACH_WAY(way) {
            const unsigned reads[] = {way->num,
                                      user_counter(way->n)}; /* by the number written, by the user's */

            prepare(way);
            for (size_t i = 0; i < COUNT(reads); i++) {
                code_begin();
                code(csr_insn(WRITE, way->num, X0, A1));
                code(csr_insn(READ, reads[i], A0, 0));
                CHECK_EQ(code_in(way->mode, 0x5555), 0x5555);
                code_begin();
                code(csr_insn(WRITE, way->num, X0, A1));
                nops(4);
                code(csr_insn(READ, reads[i], A0, 0)); /* all older instructions, not itself */
                CHECK_EQ(code_in(way->mode, 0x5555), 0x5555 + 4);
            }
        }
}

/* U-mode writes no counter, and reads one that counts in U-mode alone: after k instructions, k. */
static void user_read_has_all_older_instructions_not_itself(void) {
    static const unsigned numbers[] = {INSTRET, HPM3};

    for (size_t i = 0; i < COUNT(numbers); i++) {
        unsigned n = numbers[i];

        open_counter(n);
        for (unsigned older = 0; older < 10; older++) {
            put(PRIV_M, n == INSTRET ? INSTRETCFG : event(HPM3),
                only_in(PRIV_U) | (n == INSTRET ? 0 : TALLY_EV_INST_RET));
            put(PRIV_M, counter(n), 1000);
            code_begin();
            nops(older);
            code(csr_insn(READ, user_counter(n), A0, 0));
            nops(2);
            CHECK_EQ(code_in(PRIV_U, 0), 1000 + older);
            CHECK_EQ(get(PRIV_M, counter(n)), 1000 + older + 3);
        }
    }
}

static void reading_by_csrrs_x0_counts_as_any_instruction(void) {
    for
        EACH_WAY(way) {
            prepare(way);
            code_begin();
            code(csr_insn(WRITE, way->num, X0, A1));
            code(csr_insn(READ, way->num, A2, 0));
            code(csr_insn(READ, way->num, A2, 0));
            code(csr_insn(READ, way->num, A0, 0));
            CHECK_EQ(code_in(way->mode, 100), 102);
        }
}

/* CSRRS and CSRRC with a register are writes, even of nothing: the increment of that instruction is gone. */
static void setting_no_bit_is_a_write_all_the_same(void) {
    static const enum csr_op ops[] = {SET, CLEAR};

    for
        EACH_WAY(way)
    for (size_t i = 0; i < COUNT(ops); i++) {
        prepare(way);
        code_begin();
        code(csr_insn(WRITE, way->num, X0, A1));
        code(csr_insn(ops[i], way->num, X0, A2)); /* a2 = 0 */
        code(csr_insn(READ, way->num, A0, 0));
        CHECK_EQ(code_in(way->mode, 100), 100);
    }
}

/* mcycle while it runs: the counter holds the value in the cycle of the write, and counts on from there.
 * The number of cycles until the next read depends on the pipeline; it is small, for any value and any
 * view. */
static void written_mcycle_counts_on_from_the_value(void) {
    static const struct way cycles[] = {{PRIV_M, 0, TALLY_CSR_MCYCLE},
                                        {PRIV_S, 0, TALLY_CSR_SIREG},
                                        {PRIV_S, 0, TALLY_CSR_CYCLE},
                                        {PRIV_M, HPM3, TALLY_CSR_MCYCLE + 3},
                                        {PRIV_S, HPM3, TALLY_CSR_SIREG}};
    static const uint64_t values[] = {0, 1000, 0xfffffff0, 0x123456789abcdef0, UINT64_MAX};
    enum { FEW = 64 };

    for (const struct way *way = cycles; way < cycles + COUNT(cycles); way++)
        for (size_t i = 0; i < COUNT(values); i++) {
            struct trap_info t;

            open_counter(way->n);
            if (way->n == HPM3)
                put(PRIV_M, event(HPM3), TALLY_EV_CYCLES_HART);
            code_begin();
            code(csr_insn(WRITE, way->num, X0, A1));
            code(csr_insn(READ, way->num, A0, 0));
            code(csr_insn(READ, way->num, A1, 0));
            t = run_code(way->mode, 0, values[i], 0);
            context(values[i], t.a0, t.a1);
            CHECK(t.a0 - values[i] < FEW);
            CHECK(t.a1 != t.a0 && t.a1 - t.a0 < FEW);
        }
}

/* Writes that stop a counter and let it run again, from each mode. */
static const struct {
    struct way way;
    unsigned num;
    enum csr_op stop, go;
    uint64_t operand;
} stops[] = {
    {{PRIV_M, INSTRET, TALLY_CSR_MINSTRET}, TALLY_CSR_MCOUNTINHIBIT, SET, CLEAR, BIT(INSTRET)},
    {{PRIV_M, INSTRET, TALLY_CSR_MINSTRET}, INSTRETCFG, SET, CLEAR, MINH},
    {{PRIV_M, INSTRET, TALLY_CSR_MINSTRET}, TALLY_CSR_MCOUNTERMASK_M, CLEAR, SET, BIT(INSTRET)},
    {{PRIV_M, HPM3, TALLY_CSR_MCYCLE + 3}, TALLY_CSR_MCOUNTINHIBIT, SET, CLEAR, BIT(HPM3)},
    {{PRIV_M, HPM3, TALLY_CSR_MCYCLE + 3}, TALLY_CSR_MCOUNTINHIBIT + 3, SET, CLEAR, MINH},
    {{PRIV_M, HPM3, TALLY_CSR_MCYCLE + 3}, TALLY_CSR_MCOUNTINHIBIT + 3, CLEAR, SET, TALLY_EV_INST_RET},
    {{PRIV_S, INSTRET, TALLY_CSR_SIREG}, TALLY_CSR_SCOUNTINHIBIT, SET, CLEAR, BIT(INSTRET)},
    {{PRIV_S, INSTRET, TALLY_CSR_SIREG}, TALLY_CSR_SIREG2, SET, CLEAR, SINH},
    {{PRIV_S, INSTRET, TALLY_CSR_INSTRET}, TALLY_CSR_SCOUNTERINHIBIT, SET, CLEAR, BIT(INSTRET)},
    {{PRIV_S, HPM3, TALLY_CSR_SIREG}, TALLY_CSR_SCOUNTINHIBIT, SET, CLEAR, BIT(HPM3)},
    {{PRIV_S, HPM3, TALLY_CSR_SIREG}, TALLY_CSR_SIREG2, SET, CLEAR, SINH},
    {{PRIV_S, HPM3, TALLY_CSR_SIREG}, TALLY_CSR_SIREG2, CLEAR, SET, TALLY_EV_INST_RET},
    {{PRIV_S, HPM3, TALLY_CSR_CYCLE + 3}, TALLY_CSR_SCOUNTERMASK_S, CLEAR, SET, BIT(HPM3)},
    {{PRIV_S, HPM3, TALLY_CSR_CYCLE + 3}, TALLY_CSR_SHPMEVENT3, CLEAR, SET, TALLY_EV_INST_RET},
};

static void writer_of_inhibit_and_filter_counts_under_the_old_value(void) {
    for (size_t i = 0; i < COUNT(stops); i++) {
        const struct way *way = &stops[i].way;

        prepare(way);
        code_begin();
        code(csr_insn(WRITE, way->num, X0, X0));
        code(csr_insn(stops[i].stop, stops[i].num, X0, A1)); /* is counted */
        nops(2);
        code(csr_insn(READ, way->num, A0, 0));
        CHECK_EQ(code_in(way->mode, stops[i].operand), 1);
        code_begin();
        code(csr_insn(WRITE, way->num, X0, X0));
        code(csr_insn(stops[i].go, stops[i].num, X0, A1)); /* is not */
        nops(2);
        code(csr_insn(READ, way->num, A0, 0));
        CHECK_EQ(code_in(way->mode, stops[i].operand), 2);
    }
}

static void wfi_retires_once(void) {
    csr_set(mip, BIT(TALLY_INT_SSI));
    csr_write(mie, BIT(TALLY_INT_SSI));
    for
        EACH_WAY(way) {
            prepare(way);
            csr_set(mideleg, BIT(TALLY_INT_SSI)); /* in S-mode it wakes, and is not taken */
            code_begin();
            code(csr_insn(WRITE, way->num, X0, X0));
            code(WFI);
            code(csr_insn(READ, way->num, A0, 0));
            CHECK_EQ(code_in(way->mode, 0), 1);
        }
    csr_write(mie, 0);
    csr_clear(mip, BIT(TALLY_INT_SSI));
}

static const struct rule rules[] = {
    RULE(written_counter_is_what_the_next_instruction_reads),
    RULE(user_read_has_all_older_instructions_not_itself),
    RULE(reading_by_csrrs_x0_counts_as_any_instruction),
    RULE(setting_no_bit_is_a_write_all_the_same),
    RULE(written_mcycle_counts_on_from_the_value),
    RULE(writer_of_inhibit_and_filter_counts_under_the_old_value),
    RULE(wfi_retires_once),
};

void test_main(void) { run_rules(rules, COUNT(rules)); }
