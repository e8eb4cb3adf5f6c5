/* SPDX-License-Identifier: Apache-2.0 */
#include "rules.h"

static uint32_t words[128] __attribute__((aligned(64)));
static unsigned used;

void code_begin(void) { used = 0; }

void code(uint32_t insn) {
    CHECK(used < COUNT(words));
    words[used++] = insn;
}

void nops(unsigned n) {
    while (n--)
        code(NOP);
}

uint64_t code_at(unsigned insn) { return (uintptr_t)&words[insn]; }

struct trap_info run_code_from(uint64_t mstatus, uint64_t a0, uint64_t a1, uint64_t a2) {
    struct trap_info info;

    code(ECALL);
    __asm__ volatile("fence.i" ::: "memory");
    probe_from(&info, mstatus, words, a0, a1, a2);
    return info;
}

struct trap_info run_code(unsigned mode, uint64_t a0, uint64_t a1, uint64_t a2) {
    return run_code_from(status_for(mode), a0, a1, a2);
}

struct answer access(unsigned mode, enum csr_op op, unsigned num, uint64_t operand) {
    struct trap_info t;

    code_begin();
    code(csr_insn(op, num, A0, A1));
    t = run_code(mode, 0, operand, 0);
    return (struct answer){.cause = t.cause, .value = t.a0, .tval = t.tval};
}

uint64_t legal_at(unsigned line, unsigned mode, enum csr_op op, unsigned num, uint64_t operand) {
    struct answer answer = access(mode, op, num, operand);

    if (answer.cause != ecall_from(mode)) {
        context(mode, op, num);
        fail_at(line, answer.cause, ecall_from(mode));
    }
    return answer.value;
}

void open_counter(unsigned n) {
    put(PRIV_M, TALLY_CSR_MENVCFG, CDE);
    put(PRIV_M, TALLY_CSR_MSTATEEN0, CSRIND | CUSTOM);
    put(PRIV_M, TALLY_CSR_MCOUNTEREN, UINT64_MAX);
    put(PRIV_M, TALLY_CSR_SCOUNTEREN, UINT64_MAX);
    put(PRIV_M, TALLY_CSR_MCOUNTERWEN, BIT(n));
    put(PRIV_M, TALLY_CSR_MIDELEG, LCOFIP);
    put(PRIV_M, TALLY_CSR_SISELECT, TALLY_COUNTER_SELECT + n);
}

/* Everything is off before anything is cleared, so that nothing happens in between. */
static void reset_unit(void) {
    static const uint16_t zero[] = {
        TALLY_CSR_MIE,        TALLY_CSR_MIDELEG,    TALLY_CSR_MEDELEG,     TALLY_CSR_MENVCFG,
        TALLY_CSR_MCOUNTEREN, TALLY_CSR_SCOUNTEREN, TALLY_CSR_MCYCLECFG,   TALLY_CSR_MINSTRETCFG,
        TALLY_CSR_MISELECT,   TALLY_CSR_SISELECT,   TALLY_CSR_MCOUNTERWEN, TALLY_CSR_MCOUNTERINEN,
        TALLY_CSR_SHPMPCSEL,  TALLY_CSR_SHPMPCLO,   TALLY_CSR_SHPMPCHI,    TALLY_CSR_MSTATEEN0,
    };

    put(PRIV_M, TALLY_CSR_MCOUNTINHIBIT, UINT64_MAX);
    for (unsigned n = 3; n < 32; n++) {
        put(PRIV_M, event(n), 0);
        put(PRIV_M, counter(n), 0);
    }
    for (size_t i = 0; i < COUNT(zero); i++)
        put(PRIV_M, zero[i], 0);
    put(PRIV_M, TALLY_CSR_MCOUNTEROVF, UINT64_MAX);
    put(PRIV_M, TALLY_CSR_MIP, 0);
    put(PRIV_M, TALLY_CSR_MCOUNTINHIBIT, 0);
}

void run_rules(const struct rule *rules, size_t n) { run_rules_with(rules, n, NULL); }

void run_rules_with(const struct rule *rules, size_t n, void (*behind_each)(void)) {
    open_memory();
    write64(MTIMECMP, UINT64_MAX);
    for (size_t i = 0; i < n; i++) {
        rule_begins(rules[i].name);
        rules[i].run();
        if (behind_each)
            behind_each();
        reset_unit();
    }
    pass();
}
