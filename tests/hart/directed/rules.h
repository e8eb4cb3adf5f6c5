/* SPDX-License-Identifier: Apache-2.0 */
/* Rules of the PMU as tests: each a function whose name is the rule (docs/rules.md), run in a unit in reset
 * state. A rule asks for CSRs by number, from any mode, and runs instructions that it puts together itself.
 */
#ifndef DIRECTED_RULES_H
#define DIRECTED_RULES_H

#include "test.h"

struct rule {
    const char *name;
    void (*run)(void);
};
#define RULE(name)                                                                                           \
    { #name, name }

/* Each rule begins with every register of the unit, and its gates, as after reset. `behind_each` resets
 * registers that not every unit has; NULL: none. */
void run_rules(const struct rule *rules, size_t n);
void run_rules_with(const struct rule *rules, size_t n, void (*behind_each)(void));

/* ---- CSR accesses */

enum csr_op { WRITE = 1, SET = 2, CLEAR = 3, READ = 4 }; /* READ: CSRRS with x0 */

struct answer {
    uint64_t cause; /* ecall_from(mode) if the access was legal */
    uint64_t value; /* old value */
    uint64_t tval;
};

struct answer access(unsigned mode, enum csr_op op, unsigned num, uint64_t operand);

/* These fail the test, at the line of the caller, if the access is not legal. */
uint64_t legal_at(unsigned line, unsigned mode, enum csr_op op, unsigned num, uint64_t operand);
#define get(mode, num) legal_at(__LINE__, mode, READ, num, 0)
#define put(mode, num, value) legal_at(__LINE__, mode, WRITE, num, value)
#define set_bits(mode, num, value) legal_at(__LINE__, mode, SET, num, value)
#define clear_bits(mode, num, value) legal_at(__LINE__, mode, CLEAR, num, value)

#define CHECK_ILLEGAL(mode, op, num) CHECK_EQ(access(mode, op, num, 0).cause, TALLY_EXC_ILLEGAL)
#define CHECK_LEGAL(mode, op, num) CHECK_EQ(access(mode, op, num, 0).cause, ecall_from(mode))

/* ---- instructions put together at run time */

enum { X0 = 0, T6 = 31, A0 = 10, A1 = 11, A2 = 12 };

enum { NOP = 0x13, ECALL = 0x73, MRET = 0x30200073, WFI = 0x10500073 };

/* op READ needs no operand register */
static inline uint32_t csr_insn(enum csr_op op, unsigned num, unsigned rd, unsigned rs1) {
    return (uint32_t)num << 20 | (op == READ ? 0 : rs1) << 15 | (op == READ ? SET : (unsigned)op) << 12 |
           rd << 7 | 0x73;
}

void code_begin(void);
void code(uint32_t insn);
void nops(unsigned n);
/* Adds the ecall at the end, and runs it. */
struct trap_info run_code(unsigned mode, uint64_t a0, uint64_t a1, uint64_t a2);
struct trap_info run_code_from(uint64_t mstatus, uint64_t a0, uint64_t a1, uint64_t a2);
uint64_t code_at(unsigned insn); /* address */

/* ---- counter n */

static inline unsigned counter(unsigned n) { return TALLY_CSR_MCYCLE + n; }
static inline unsigned user_counter(unsigned n) { return TALLY_CSR_CYCLE + n; }
static inline unsigned event(unsigned n) { return TALLY_CSR_MCOUNTINHIBIT + n; }

#define OF TALLY_MHPMEVENT_OF_MASK
#define MINH TALLY_MHPMEVENT_MINH_MASK
#define SINH TALLY_MHPMEVENT_SINH_MASK
#define UINH TALLY_MHPMEVENT_UINH_MASK

#define CDE TALLY_MENVCFG_CDE_MASK
#define CSRIND TALLY_MSTATEEN0_CSRIND_MASK
#define CUSTOM TALLY_MSTATEEN0_C_MASK

#define LCOFIP BIT(TALLY_INT_LCOFI)
#define ANDESIP BIT(TALLY_INT_ANDES)

/* The filters that leave one mode */
static inline uint64_t only_in(unsigned mode) {
    return (MINH | SINH | UINH) & ~(mode == PRIV_M ? MINH : mode == PRIV_S ? SINH : UINH);
}

/* Counter n for S-mode, by every way there is: sireg and sireg2 (siselect is set), the numbers of the Andes
 * view, the user's number; and for U-mode. LCOFI is the supervisor's. */
void open_counter(unsigned n);

static const unsigned all_modes[] = {PRIV_M, PRIV_S, PRIV_U};
#define EACH_MODE(mode) (unsigned at_ = 0, mode = PRIV_M; at_ < 3; at_++, mode = all_modes[at_ % 3])

#endif
