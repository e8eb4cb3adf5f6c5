// SPDX-License-Identifier: Apache-2.0
/*
 * The golden PMU in a simulator of one's own: the program of docs/golden.md. A toy machine runs a loop of
 * three instructions, one a cycle; it samples with a counter overflow and reads the counters as its software
 * would.
 */
#include "tally_pmu_model.h"
#include "tally_spec.h"

#include <stdio.h>
#include <string.h>

struct machine {
    struct gp *pmu;
    struct gp_in in;
    bool lcofip; /* mip.LCOFIP is the hart's */
};

/* One cycle of the machine; its inputs are in m->in. */
static uint64_t cycle(struct machine *m) {
    struct gp_out out;

    gp_eval(m->pmu, &m->in, &out);
    gp_clock(m->pmu, &m->in);
    m->lcofip |= out.irq_lcofi;
    m->in.env.time++;
    m->in.env.lcofip = m->lcofip;
    return out.csr_rdata;
}

/* An instruction that retires, with the events that it causes. */
static void retire(struct machine *m, uint64_t pc, uint64_t events) {
    m->in.ev_retire[0] = events | UINT64_C(1) << TALLY_EVR_INST;
    m->in.retire[0] = (struct gp_retire_lane){.valid = true, .mode = m->in.mode.priv, .pc = pc};
    cycle(m);
    m->in.ev_retire[0] = 0;
    m->in.retire[0].valid = false;
}

/* A CSR instruction. One that gp_csr_answer() refuses traps and does not retire. */
static bool csr(struct machine *m, enum gp_op op, unsigned num, uint64_t *value) {
    m->in.csr =
        (struct gp_csr){.op = (uint8_t)op, .priv = m->in.mode.priv, .num = (uint16_t)num, .wdata = *value};
    if (gp_csr_answer(m->pmu, &m->in.csr, &m->in.env, NULL) != GP_CSR_OK)
        return false;
    m->in.csr.valid = true;
    m->in.ev_retire[0] = UINT64_C(1) << TALLY_EVR_INST | UINT64_C(1) << TALLY_EVR_CSR;
    *value = cycle(m);
    m->in.csr.valid = false;
    m->in.ev_retire[0] = 0;
    return true;
}

static void write(struct machine *m, unsigned num, uint64_t value) { csr(m, GP_WRITE, num, &value); }

int main(void) {
    struct machine m = {.pmu = NULL};
    struct gp_config config;
    uint64_t loads = 0, refused = 0;
    unsigned samples = 0;

    gp_config_default(&config);
    m.pmu = gp_new(&config);
    if (!m.pmu)
        return 1;
    m.in.mode.priv = GP_M;
    write(&m, TALLY_CSR_MHPMEVENT3, TALLY_EV_INST_LOAD_RET);
    write(&m, TALLY_CSR_MHPMCOUNTER3, -UINT64_C(10));
    for (unsigned n = 0; n < 100; n++) {
        retire(&m, 0x1000, UINT64_C(1) << TALLY_EVR_LOAD);
        if (m.lcofip) { /* the tenth load: the work of a handler */
            samples++;
            m.lcofip = false;
            write(&m, TALLY_CSR_MHPMCOUNTER3, -UINT64_C(10));
            write(&m, TALLY_CSR_MHPMEVENT3, TALLY_EV_INST_LOAD_RET);
        }
        retire(&m, 0x1004, 0);
        retire(&m, 0x1008, UINT64_C(1) << TALLY_EVR_BR_TK);
    }
    csr(&m, GP_READ, TALLY_CSR_MHPMCOUNTER3, &loads);
    m.in.mode.priv = GP_U; /* the counter is not open to it */
    bool let = csr(&m, GP_READ, TALLY_CSR_HPMCOUNTER3, &refused);

    printf("%u samples, counter 3 stands %d before its end, U-mode %s\n", samples, (int)-loads,
           let ? "reads it" : "is refused");
    gp_free(m.pmu);
    return samples == 10 && loads == -UINT64_C(10) && !let ? 0 : 1;
}
