// SPDX-License-Identifier: Apache-2.0
/*
 * A golden PMU for directed tests: CSR instructions, modes, clock cycles. Each test program has one file,
 * which includes this header; its main() is run_tests() over a table.
 */
#ifndef PMU_RIG_H
#define PMU_RIG_H

#include "tally_pmu_model.h"
#include "tally_spec.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int failures, checks;
static const char *test_name;

#define CHECK_EQ(got, want)                                                                                  \
    do {                                                                                                     \
        uint64_t got_ = (got), want_ = (want);                                                               \
        checks++;                                                                                            \
        if (got_ != want_) {                                                                                 \
            failures++;                                                                                      \
            printf("%s:%d: %s: %s is 0x%llx, expected 0x%llx\n", __FILE__, __LINE__, test_name, #got,        \
                   (unsigned long long)got_, (unsigned long long)want_);                                     \
        }                                                                                                    \
    } while (0)

#define OF TALLY_MHPMEVENT_OF_MASK
#define MINH TALLY_MHPMEVENT_MINH_MASK
#define SINH TALLY_MHPMEVENT_SINH_MASK
#define UINH TALLY_MHPMEVENT_UINH_MASK
#define VSINH TALLY_MHPMEVENT_VSINH_MASK
#define INST (UINT64_C(1) << TALLY_EVR_INST)

/* ---- a unit on the bench */

static struct gp_config cfg;
static struct gp *pmu;
static struct gp_in in;
static struct gp_out out;

enum mode { M, S, U, VS, VU };

static inline void start(void) {
    gp_free(pmu);
    pmu = gp_new(&cfg);
    if (!pmu) {
        printf("%s: no unit of this configuration\n", test_name);
        exit(1);
    }
    memset(&in, 0, sizeof(in));
    in.mode.priv = GP_M;
    in.env.mstateen0 = in.env.hstateen0 = UINT64_MAX;
    in.ev_cycle[0] = 1; /* wire CYCLE: the core clock runs */
}

static inline void defaults(void) {
    gp_config_default(&cfg);
    start();
}

static inline void set_priv(enum mode mode, uint8_t *priv, bool *v) {
    *priv = mode == M ? GP_M : mode == S || mode == VS ? GP_S : GP_U;
    *v = mode >= VS;
}

static inline void run_in(enum mode mode) { set_priv(mode, &in.mode.priv, &in.mode.v); }

/* A clock cycle; `out` has the outputs of that cycle. */
static inline void tick(void) {
    gp_eval(pmu, &in, &out);
    gp_clock(pmu, &in);
}

static inline void ticks(unsigned n) {
    while (n--)
        tick();
}

/* A CSR instruction and the other inputs of `in` in one cycle. Returns the old value. */
static inline uint64_t csr(enum mode mode, unsigned op, unsigned num, uint64_t wdata) {
    in.csr = (struct gp_csr){.valid = true, .op = (uint8_t)op, .num = (uint16_t)num, .wdata = wdata};
    set_priv(mode, &in.csr.priv, &in.csr.v);
    tick();
    in.csr.valid = false;
    return out.csr_rdata;
}

static inline void w(unsigned num, uint64_t value) { csr(M, GP_WRITE, num, value); }

static inline enum gp_answer answer(enum mode mode, unsigned op, unsigned num) {
    struct gp_csr c = {.op = (uint8_t)op, .num = (uint16_t)num};

    set_priv(mode, &c.priv, &c.v);
    return gp_csr_answer(pmu, &c, &in.env, NULL);
}

static inline uint64_t peek(unsigned num) { return gp_peek(pmu, num); }

static inline unsigned event(unsigned i) { return TALLY_CSR_MCOUNTINHIBIT + i; }

static inline unsigned counter(unsigned i) { return TALLY_CSR_MCYCLE + i; }

/* Counter i has `value` and counts `selector`. */
static inline void program(unsigned i, uint64_t value, uint64_t selector) {
    w(event(i), selector);
    w(counter(i), value);
}

/* ---- running them */

struct test {
    const char *name;
    void (*run)(void);
};

#define TEST(f)                                                                                              \
    { #f, f }

static int run_tests(const char *suite, const struct test *tests, unsigned n) {
    for (unsigned i = 0; i < n; i++) {
        test_name = tests[i].name;
        tests[i].run();
    }
    gp_free(pmu);
    printf("%s: %u tests, %d checks, %d failed\n", suite, n, checks, failures);
    return failures ? 1 : 0;
}

#endif
