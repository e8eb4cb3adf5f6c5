/* SPDX-License-Identifier: Apache-2.0 */
/* Tests of the hart: one program each, in M-mode from the first instruction; ends at the first check that
 * fails.
 */
#ifndef HART_TEST_H
#define HART_TEST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "csr.h"
#include "platform.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

void test_main(void); /* written by the test; calls pass() at its end */

__attribute__((noreturn)) void pass(void);
/* The finisher's code is the line; the console has both values and what the test last called context(). */
__attribute__((noreturn)) void fail_at(unsigned line, uint64_t found, uint64_t expected);
__attribute__((noreturn)) void test_unexpected(uint64_t cause, uint64_t epc, uint64_t tval);

/* Failures name it. */
void rule_begins(const char *name);

/* Three numbers that say which case of a loop it is. */
void context(uint64_t a, uint64_t b, uint64_t c);

#define CHECK_EQ(found, expected)                                                                            \
    do {                                                                                                     \
        uint64_t found_ = (uint64_t)(found), expected_ = (uint64_t)(expected);                               \
        if (found_ != expected_)                                                                             \
            fail_at(__LINE__, found_, expected_);                                                            \
    } while (0)
#define CHECK(condition) CHECK_EQ(!!(condition), 1)

/* The trap that ended a probe. Layout known to entry.S. */
struct trap_info {
    uint64_t cause, epc, tval;
    uint64_t a0;      /* at the trap */
    uint64_t status;  /* mstatus as M-mode's handler found it */
    uint64_t handler; /* mode of the handler: PRIV_M or PRIV_S */
    uint64_t a1;
    uint64_t t6; /* entry of m_vectors or s_vectors */
};

/* Run `routine` (it gets a0, a1, a2) in the mode that `mstatus`.MPP names, until it traps. */
void probe_from(struct trap_info *info, uint64_t mstatus, const void *routine, uint64_t a0, uint64_t a1,
                uint64_t a2);

static inline uint64_t status_for(unsigned mode) { return (uint64_t)mode << TALLY_MSTATUS_MPP_LSB; }

static inline struct trap_info probe(unsigned mode, const void *routine, uint64_t a0, uint64_t a1) {
    struct trap_info info;

    probe_from(&info, status_for(mode), routine, a0, a1, 0);
    return info;
}

/* Cause of the ecall that a routine ends with in this mode: nothing else happened. */
static inline uint64_t ecall_from(unsigned mode) { return TALLY_EXC_ECALL_U + mode; }

extern char m_trap[], s_trap[], m_vectors[], s_vectors[];
extern void (*volatile second_hart)(void);

/* All of memory for S and U; stvec = s_trap. */
void open_memory(void);
/* Is it the project's own hart? QEMU leaves some choices another way. */
bool is_tally(void);

#define ROUTINE(name, text)                                                                                  \
    extern const char name[];                                                                                \
    __asm__(".pushsection .text.routines, \"ax\"\n.balign 4\n.globl " #name "\n" #name ":\n" text            \
            "\n.popsection")

#define BIT(n) (1ull << (n))
#define INTERRUPT(code) (1ull << 63 | (code))

#define MTIME (ACLINT_BASE + 0xbff8ull)
#define MTIMECMP (ACLINT_BASE + 0x4000ull)
#define MSIP (ACLINT_BASE + 0ull)

#endif
