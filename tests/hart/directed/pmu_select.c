/* SPDX-License-Identifier: Apache-2.0 */
/* Event selection: combinations, the program counter range, the software event (docs/pmu.md). */
#include "rules.h"

#define IX(name) ((uint64_t)TALLY_EVX_##name)
#define A_(x) ((x) << TALLY_SEL_COMB_A_LSB)
#define B_(x) ((x) << TALLY_SEL_COMB_B_LSB)
#define C_(x) ((x) << TALLY_SEL_COMB_C_LSB)
#define D_(x) ((x) << TALLY_SEL_COMB_D_LSB)
#define COMB (4ull << TALLY_SEL_TYPE_LSB)
#define OR (COMB | 0ull << TALLY_SEL_COMB_OP_LSB)
#define AND (COMB | 1ull << TALLY_SEL_COMB_OP_LSB)
#define XOR (COMB | 2ull << TALLY_SEL_COMB_OP_LSB)
#define ADD (COMB | 3ull << TALLY_SEL_COMB_OP_LSB)
#define EDGE BIT(TALLY_SEL_COMB_EDGE_LSB)
#define INV BIT(TALLY_SEL_COMB_INV_LSB)
#define THR(n) ((uint64_t)(n) << TALLY_SEL_COMB_THR_LSB)

enum { LD = 0x00053783 /* ld a5, 0(a0) */, SD = 0x00f53423 /* sd a5, 8(a0) */ };
enum { LOADS = 7, STORES = 5, OTHERS = 11, ALL_OF_THEM = LOADS + STORES + OTHERS };

static uint64_t data[4];

/* In U-mode; the counters that are read afterwards have MINH. */
static struct trap_info run_mix(void) {
    code_begin();
    for (unsigned i = 0; i < OTHERS; i++) {
        code(NOP);
        if (i < LOADS)
            code(LD);
        if (i < STORES)
            code(SD);
    }
    return run_code(PRIV_U, (uintptr_t)data, 0, 0);
}

static uint64_t count_of(uint64_t selector) {
    put(PRIV_M, event(3), selector | MINH);
    CHECK_EQ(get(PRIV_M, event(3)), selector | MINH);
    put(PRIV_M, counter(3), 0);
    run_mix();
    return get(PRIV_M, counter(3));
}

static void combination_reads_back_where_it_is_built(void) {
    const uint64_t full = XOR | A_(IX(INST_LOAD_RET)) | B_(IX(CYCLES_BUS)) | C_(IX(BUS_WR)) |
                          D_(IX(CACHE_L1D_RD_MISS_RET)) | EDGE | INV | THR(0xA5);

    for (unsigned n = 3; n < 32; n++) {
        put(PRIV_M, event(n), full | OF);
        CHECK_EQ(get(PRIV_M, event(n)), n < 7 ? full | OF : OF);
    }
}

static void combination_with_an_unknown_event_reads_0(void) {
    static const uint64_t bad[] = {A_(53ull),  B_(63ull), C_(126ull), D_(255ull),
                                   A_(128ull), BIT(48),   BIT(55)};

    for (size_t i = 0; i < COUNT(bad); i++) {
        put(PRIV_M, event(4), OR | B_(IX(INST_RET)));
        put(PRIV_M, event(4), OR | bad[i]);
        CHECK_EQ(get(PRIV_M, event(4)), 0);
    }
}

static void combination_or_and_xor_of_retire_events(void) {
    CHECK_EQ(count_of(OR | A_(IX(INST_LOAD_RET)) | D_(IX(INST_STORE_RET))), LOADS + STORES);
    CHECK_EQ(count_of(AND | B_(IX(INST_LDST_RET)) | C_(IX(INST_LOAD_RET))), LOADS);
    CHECK_EQ(count_of(AND | A_(IX(INST_STORE_RET)) | C_(IX(INST_LOAD_RET))), 0);
    CHECK_EQ(count_of(AND | C_(IX(INST_LOAD_RET))), LOADS);
    CHECK_EQ(count_of(XOR | A_(IX(INST_RET)) | D_(IX(INST_LDST_RET))), OTHERS);
    CHECK_EQ(count_of(XOR | A_(IX(INST_RET)) | B_(IX(INST_LDST_RET)) | C_(IX(INST_LOAD_RET))),
             OTHERS + LOADS);
    CHECK_EQ(count_of(OR), 0);
    CHECK_EQ(count_of(AND), 0);
}

static void combination_add_is_the_sum(void) {
    CHECK_EQ(count_of(ADD | A_(IX(INST_RET)) | B_(IX(INST_LDST_RET)) | C_(IX(INST_LOAD_RET)) |
                      D_(IX(INST_LOAD_RET))),
             ALL_OF_THEM + LOADS + STORES + 2 * LOADS);
}

static void combination_threshold_counts_cycles(void) {
    const uint64_t sum = ADD | A_(IX(INST_RET)) | B_(IX(INST_LDST_RET)) | C_(IX(INST_LOAD_RET));

    CHECK_EQ(count_of(sum | THR(1)), ALL_OF_THEM);
    CHECK_EQ(count_of(sum | THR(2)), LOADS + STORES);
    CHECK_EQ(count_of(sum | THR(3)), LOADS);
    CHECK_EQ(count_of(sum | THR(4)), 0);
    CHECK_EQ(count_of(sum | THR(255)), 0);
    CHECK_EQ(count_of(sum | INV), count_of(sum)); /* no threshold: no inversion */
}

/* Cycles with at least one, and cycles with less than one, are all cycles. */
static void combination_inverted_threshold_is_the_rest(void) {
    put(PRIV_M, TALLY_CSR_MCOUNTINHIBIT, UINT64_MAX);
    put(PRIV_M, event(3), OR | A_(IX(INST_LOAD_RET)) | THR(1) | INV);
    put(PRIV_M, event(4), OR | A_(IX(INST_LOAD_RET)) | THR(1));
    put(PRIV_M, event(5), TALLY_EV_CYCLES_HART);
    put(PRIV_M, TALLY_CSR_MCOUNTINHIBIT, 0);
    run_mix();
    put(PRIV_M, TALLY_CSR_MCOUNTINHIBIT, UINT64_MAX);
    CHECK(get(PRIV_M, counter(4)) >= LOADS);
    CHECK_EQ(get(PRIV_M, counter(3)) + get(PRIV_M, counter(4)), get(PRIV_M, counter(5)));
}

/* Software events are some cycles apart: each is an edge; a cycle event that is always there has none. */
static void combination_edge_counts_beginnings(void) {
    put(PRIV_M, event(3), OR | A_(IX(SOFTWARE)) | EDGE);
    put(PRIV_M, event(4), OR | A_(IX(CYCLES_HART)) | EDGE);
    put(PRIV_M, counter(4), 0);
    for (unsigned i = 0; i < 9; i++)
        put(PRIV_M, TALLY_CSR_SHPMSWINC, 1);
    CHECK_EQ(get(PRIV_M, counter(3)), 9);
    CHECK_EQ(get(PRIV_M, counter(4)), 0);
}

static void combination_of_a_cycle_and_a_retire_event(void) {
    CHECK_EQ(count_of(AND | A_(IX(CYCLES_HART)) | B_(IX(INST_LOAD_RET))), LOADS);
    CHECK_EQ(count_of(AND | A_(IX(EXCEPTION_MISALIGNED_LOAD)) | B_(IX(INST_LOAD_RET))), 0);
}

static void combination_overflows_by_its_carry(void) {
    put(PRIV_M, event(5), ADD | A_(IX(INST_RET)) | B_(IX(INST_RET)) | C_(IX(INST_RET)) | MINH);
    put(PRIV_M, counter(5), -5ull);
    put(PRIV_M, TALLY_CSR_MIE, LCOFIP);
    code_begin();
    nops(9);
    struct trap_info t = run_code(PRIV_U, 0, 0, 0);
    put(PRIV_M, TALLY_CSR_MIE, 0);
    CHECK_EQ(t.cause, INTERRUPT(TALLY_INT_LCOFI));
    CHECK_EQ(t.epc, code_at(2));
    CHECK_EQ(get(PRIV_M, counter(5)), 1);
    CHECK_EQ(get(PRIV_M, TALLY_CSR_SCOUNTOVF), BIT(5));
}

/* Bus cycles go on in WFI, a combination of them does not. */
static void combination_stands_while_the_core_clock_does(void) {
    csr_write(mie, BIT(TALLY_INT_MTI));
    put(PRIV_M, TALLY_CSR_MCOUNTINHIBIT, UINT64_MAX);
    put(PRIV_M, event(3), OR | A_(IX(CYCLES_BUS)));
    put(PRIV_M, event(4), TALLY_EV_CYCLES_BUS);
    put(PRIV_M, event(5), TALLY_EV_CYCLES_HART);
    write64(MTIMECMP, read64(MTIME) + 200);
    code_begin();
    code(csr_insn(WRITE, TALLY_CSR_MCOUNTINHIBIT, X0, X0));
    code(WFI);
    code(csr_insn(WRITE, TALLY_CSR_MCOUNTINHIBIT, X0, A1));
    run_code(PRIV_M, 0, UINT64_MAX, 0);
    csr_write(mie, 0);
    write64(MTIMECMP, UINT64_MAX);
    CHECK_EQ(get(PRIV_M, counter(3)), get(PRIV_M, counter(5)));
    CHECK(get(PRIV_M, counter(4)) > get(PRIV_M, counter(5)));
}

/* ---- program counter range */

/* The range acts on counters that S-mode shares. */
static void limit(uint64_t low, uint64_t high, uint64_t counters) {
    put(PRIV_M, TALLY_CSR_MCOUNTERWEN, UINT64_MAX);
    put(PRIV_M, TALLY_CSR_SHPMPCLO, low);
    put(PRIV_M, TALLY_CSR_SHPMPCHI, high);
    put(PRIV_M, TALLY_CSR_SHPMPCSEL, counters);
}

static uint64_t nops_counted(uint64_t selector, unsigned low, unsigned high) {
    put(PRIV_M, event(3), selector | MINH);
    limit(code_at(low), code_at(high), BIT(3));
    put(PRIV_M, counter(3), 0);
    code_begin();
    nops(30);
    run_code(PRIV_U, 0, 0, 0);
    return get(PRIV_M, counter(3));
}

static void pc_range_limits_retire_events(void) {
    static const unsigned ends[] = {0, 1, 2, 7, 29, 30, 31, 40};

    for (size_t i = 0; i < COUNT(ends); i++)
        for (size_t j = 0; j < COUNT(ends); j++) {
            unsigned low = ends[i] < 30 ? ends[i] : 30, high = ends[j] < 30 ? ends[j] : 30;

            context(i, j, 0);
            CHECK_EQ(nops_counted(TALLY_EV_INST_RET, ends[i], ends[j]), high > low ? high - low : 0);
        }
}

static void pc_range_limits_retire_terms_of_a_combination(void) {
    CHECK_EQ(nops_counted(ADD | A_(IX(INST_RET)) | B_(IX(INST_RET)), 10, 14), 8);
    CHECK_EQ(nops_counted(AND | A_(IX(INST_RET)) | B_(IX(CYCLES_HART)), 10, 14), 4);
    CHECK_EQ(nops_counted(OR | A_(IX(INST_LOAD_RET)), 0, 30), 0);
}

/* Not cycle events, nor instret, nor counters that are not chosen. */
static void pc_range_limits_nothing_else(void) {
    put(PRIV_M, event(3), TALLY_EV_CYCLES_HART);
    put(PRIV_M, event(4), TALLY_EV_INST_RET | MINH);
    put(PRIV_M, TALLY_CSR_MINSTRETCFG, MINH);
    limit(code_at(5), code_at(5), UINT64_MAX & ~BIT(4));
    put(PRIV_M, counter(2), 0);
    put(PRIV_M, counter(4), 0);
    code_begin();
    nops(30);
    run_code(PRIV_U, 0, 0, 0);
    CHECK(get(PRIV_M, counter(3)) > 30);
    CHECK_EQ(get(PRIV_M, counter(4)), 30);
    CHECK_EQ(get(PRIV_M, counter(2)), 30);
}

/* Without delegation S-mode neither sees nor chooses, and no bound acts. */
static void pc_range_is_for_shared_counters_alone(void) {
    put(PRIV_M, TALLY_CSR_MSTATEEN0, CUSTOM);
    CHECK_EQ(nops_counted(TALLY_EV_INST_RET, 5, 10), 5);
    for (unsigned shared = 0; shared < 4; shared++) {
        put(PRIV_M, TALLY_CSR_MCOUNTERWEN, shared == 3 ? BIT(3) : 0);
        put(PRIV_M, TALLY_CSR_MCOUNTEREN, shared == 2 || shared == 1 ? BIT(3) : 0);
        put(PRIV_M, TALLY_CSR_MENVCFG, shared == 2 ? CDE : 0);
        CHECK_EQ(get(PRIV_M, TALLY_CSR_SHPMPCSEL), BIT(3));
        CHECK_EQ(get(PRIV_S, TALLY_CSR_SHPMPCSEL), shared > 1 ? BIT(3) : 0);
        put(PRIV_S, TALLY_CSR_SHPMPCHI, code_at(8));
        put(PRIV_M, counter(3), 0);
        code_begin();
        nops(30);
        run_code(PRIV_U, 0, 0, 0);
        CHECK_EQ(get(PRIV_M, counter(3)), shared > 1 ? 3 : 30);
        clear_bits(PRIV_S, TALLY_CSR_SHPMPCSEL, UINT64_MAX);
        CHECK_EQ(get(PRIV_M, TALLY_CSR_SHPMPCSEL), shared > 1 ? 0 : BIT(3));
        put(PRIV_M, TALLY_CSR_SHPMPCSEL, BIT(3));
    }
}

static void pc_range_registers_hold_what_they_can(void) {
    limit(UINT64_MAX, UINT64_MAX, UINT64_MAX);
    CHECK_EQ(get(PRIV_M, TALLY_CSR_SHPMPCLO), UINT64_MAX - 1);
    CHECK_EQ(get(PRIV_M, TALLY_CSR_SHPMPCHI), UINT64_MAX - 1);
    CHECK_EQ(get(PRIV_M, TALLY_CSR_SHPMPCSEL), 0xfffffff8);
}

/* ---- software event */

static void software_event_is_bit_0_of_a_write(void) {
    put(PRIV_M, TALLY_CSR_MSTATEEN0, CUSTOM);
    put(PRIV_M, event(9), TALLY_EV_SOFTWARE);
    put(PRIV_M, TALLY_CSR_SHPMSWINC, 1);
    put(PRIV_S, TALLY_CSR_SHPMSWINC, UINT64_MAX);
    set_bits(PRIV_S, TALLY_CSR_SHPMSWINC, 1);
    CHECK_EQ(get(PRIV_M, counter(9)), 3);
    put(PRIV_M, TALLY_CSR_SHPMSWINC, UINT64_MAX - 1);
    set_bits(PRIV_M, TALLY_CSR_SHPMSWINC, 0);
    clear_bits(PRIV_M, TALLY_CSR_SHPMSWINC, 1);
    CHECK_EQ(get(PRIV_S, TALLY_CSR_SHPMSWINC), 0);
    CHECK_EQ(get(PRIV_M, counter(9)), 3);
}

static const struct rule rules[] = {
    RULE(combination_reads_back_where_it_is_built),
    RULE(combination_with_an_unknown_event_reads_0),
    RULE(combination_or_and_xor_of_retire_events),
    RULE(combination_add_is_the_sum),
    RULE(combination_threshold_counts_cycles),
    RULE(combination_inverted_threshold_is_the_rest),
    RULE(combination_edge_counts_beginnings),
    RULE(combination_of_a_cycle_and_a_retire_event),
    RULE(combination_overflows_by_its_carry),
    RULE(combination_stands_while_the_core_clock_does),
    RULE(pc_range_limits_retire_events),
    RULE(pc_range_limits_retire_terms_of_a_combination),
    RULE(pc_range_limits_nothing_else),
    RULE(pc_range_is_for_shared_counters_alone),
    RULE(pc_range_registers_hold_what_they_can),
    RULE(software_event_is_bit_0_of_a_write),
};

void test_main(void) { run_rules(rules, COUNT(rules)); }
