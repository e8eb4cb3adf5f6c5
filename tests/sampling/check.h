/* SPDX-License-Identifier: Apache-2.0 */
/* Shared by the tests of the sampling driver: checks, and a counter that says whether M-mode ran. */
#ifndef TESTS_SAMPLING_CHECK_H
#define TESTS_SAMPLING_CHECK_H

#include "console.h"
#include "csr.h"
#include "delegated.h"
#include "sampling.h"
#include "supervisor.h"

/* Counters 3 to 6 are the supervisor's in these tests. */
enum { SAMPLED = 3, SAMPLES = 4, DROPPED = 5, MACHINE = 6 };

#define CHECK_EQ(found, expected)                                                                            \
    do {                                                                                                     \
        const uint64_t found_ = (uint64_t)(found), expected_ = (uint64_t)(expected);                         \
        if (found_ != expected_) {                                                                           \
            con_printf("%s:%d: %s is %lx, not %lx\n", __FILE_NAME__, __LINE__, #found, found_, expected_);   \
            program_exit(1);                                                                                 \
        }                                                                                                    \
    } while (0)
#define CHECK(condition) CHECK_EQ(!!(condition), 1)

#define FIELD(value, name) (((value)&TALLY_##name##_MASK) >> TALLY_##name##_LSB)

/* Instructions that M-mode retires: an SBI call has some */
static inline void watch_machine_mode(void) {
    count(MACHINE, TALLY_EV_INST_RET | TALLY_MHPMEVENT_SINH_MASK | TALLY_MHPMEVENT_UINH_MASK);
}

/* A pc of the loop that begins at `load` and has its branch at its end */
static inline bool within(uint64_t pc, const char *load, const char *branch) {
    return pc >= (uintptr_t)load && pc <= (uintptr_t)branch;
}

/* A loop of six instructions, one of them a load and one a branch; a0: turns */
#define TURNS(name)                                                                                          \
    extern const char name##_load[], name##_branch[];                                                        \
    uint64_t name(void);                                                                                     \
    __asm__(".pushsection .text.turns, \"ax\"\n.balign 64\n.globl " #name                                    \
            "\n.option push\n.option norvc\n" #name                                                          \
            ": lla a1, turns_data\n lw a0, 64(a1)\n li a2, 0\n" #name                                        \
            "_load: ld t0, 0(a1)\n add t1, t0, a0\n xor t1, t1, t0\n add a2, a2, t1\n"                       \
            " addi a0, a0, -1\n" #name "_branch: bnez a0, " #name "_load\n"                                  \
            " mv a0, a2\n ret\n.option pop\n.popsection")
extern struct turns {
    uint64_t data[8];
    uint32_t turns;
} turns_data;

/* True: a record of the loop, as sampling of instructions may make it. Records outside of it: a few before
 * and behind, and of wrong fetches at its end. */
static inline bool check_record(const struct sampling_record *r, const char *load, const char *branch) {
    const bool flushed = FIELD(r->hdrev, PDISHDREV_FLUSHED);

    CHECK_EQ(r->zero[0] | r->zero[1], 0);
    if (r->pc == (uintptr_t)load) {
        CHECK_EQ(FIELD(r->hdrev, PDISHDREV_TYPE), TALLY_TYPE_LOAD);
        if (!flushed)
            CHECK_EQ(r->adr1, (uintptr_t)turns_data.data);
    }
    if (r->pc == (uintptr_t)branch)
        CHECK_EQ(FIELD(r->hdrev, PDISHDREV_TYPE), TALLY_TYPE_TRANSFER);
    if (!flushed && within(r->pc, load, branch))
        CHECK(FIELD(r->lat, PDISLAT_OLDV) && FIELD(r->lat, PDISLAT_TOTAL) >= FIELD(r->lat, PDISLAT_OLDEST));
    return within(r->pc, load, branch);
}

/* Run in S-mode, with interrupts. */
static inline uint64_t in_s_mode(uint64_t (*work)(void)) {
    csr_set(sstatus, MSTATUS_SIE);
    const uint64_t result = work();
    csr_clear(sstatus, MSTATUS_SIE);
    return result;
}

#endif
