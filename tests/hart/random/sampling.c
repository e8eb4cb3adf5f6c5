/* SPDX-License-Identifier: Apache-2.0 */
/* Precise sampling: its registers, its buffer, its acknowledgement */
#include "units.h"

/* The buffer: one, two or four pages of those for it, the pointer sometimes near the end of a page. */
void sample_buffer(struct code *c) {
    uint64_t at = SAMPLES_BASE + (uint64_t)below(c, SAMPLES_SIZE / 4096) * 4096;
    uint64_t cs = (uint64_t)below(c, 3) << TALLY_SPDISAMBCS_SIZE_LSB | (uint64_t)below(c, 4)
                                                                           << TALLY_SPDISAMBCS_BMITH_LSB;

    if (chance(c, 4))
        load_immediate(c, SAMPLES, 0x10000000); /* no main memory */
    else
        load_address(c, SAMPLES, chance(c, 50) ? at : at + 4096 - (1 + below(c, 8)) * 64);
    csr(c, 1, TALLY_CSR_SPDISAMBADDR, 0, SAMPLES);
    cs |= chance(c, 90) ? TALLY_SPDISAMBCS_EN_MASK : 0;
    cs |= chance(c, 60) ? TALLY_SPDISAMBCS_BMIEN_MASK : 0;
    cs |= chance(c, 25) ? TALLY_SPDISAMBCS_SOF_MASK : 0;
    cs |= chance(c, 10) ? TALLY_SPDISAMBCS_WRAP_MASK : 0;
    load_immediate(c, T1, cs);
    csr(c, 1, TALLY_CSR_SPDISAMBCS, near_destination(c), T1);
}

/* Short periods, often shorter than an instruction's way through the pipeline */
void sample_counter(struct code *c) {
    uint64_t period = chance(c, 30) ? 1 + below(c, 6) : 1 + below(c, 80);

    load_immediate(c, T1, (0 - period) << TALLY_SPDISCOUNTER_INITVAL_LSB | (uint32_t)(0 - below(c, 30) - 1));
    csr(c, 1, TALLY_CSR_SPDISCOUNTER, near_destination(c), T1);
}

void sample_control(struct code *c) {
    uint64_t ctl = chance(c, 60) ? 0 : below(c, 8);

    ctl |= rng_next(c->rng) & 0xf8; /* HPM3 to 7 */
    ctl |= rng_dense(c->rng) & (TALLY_MPDISCTL_TS_MASK | TALLY_MPDISCTL_PA_MASK | TALLY_MPDISCTL_EPT_MASK |
                                TALLY_MPDISCTL_U_MASK | TALLY_MPDISCTL_S_MASK | TALLY_MPDISCTL_M_MASK);
    ctl |= chance(c, 65) ? TALLY_MPDISCTL_MEM_MASK : 0;
    ctl |= chance(c, 25) ? TALLY_MPDISCTL_ACC_MASK : 0;
    ctl |= chance(c, 40) ? TALLY_MPDISCTL_OF_MASK : 0;
    load_immediate(c, T1, ctl);
    csr(c, 1, chance(c, 70) ? TALLY_CSR_MPDISCTL : TALLY_CSR_SPDISCTL, near_destination(c), T1);
}

static void sample_filters(struct code *c) {
    bool all = chance(c, 50);
    uint64_t mask = all ? 0 : 1ull << below(c, 56) | (chance(c, 30) ? 7 : 0);

    load_immediate(c, T1, mask);
    csr(c, 1, TALLY_CSR_SPDISEVMASK, near_destination(c), T1);
    load_immediate(c, T1, chance(c, 60) ? below(c, 5) : rng_next(c->rng) & mask);
    csr(c, 1, TALLY_CSR_SPDISEVMATCH, near_destination(c), T1);
    load_immediate(c, T1, all || chance(c, 50) ? 0 : below(c, 40) | (uint64_t)below(c, 16) << 12);
    csr(c, 1, TALLY_CSR_SPDISFILTER, near_destination(c), T1);
}

/* The sample registers */
static void sample_access(struct code *c) {
    static const uint16_t window[] = {TALLY_CSR_SIREG,  TALLY_CSR_SIREG2, TALLY_CSR_SIREG3,
                                      TALLY_CSR_SIREG4, TALLY_CSR_SIREG5, TALLY_CSR_SIREG6};

    load_immediate(c, T1, TALLY_RECORD_SELECT + chance(c, 10));
    csr(c, 1, TALLY_CSR_SISELECT, near_destination(c), T1);
    for (unsigned n = 1 + below(c, 6); n > 0; n--)
        csr(c, chance(c, 80) ? 2 : 1, window[below(c, COUNT(window))], near_destination(c),
            chance(c, 80) ? 0 : source(c));
}

/* The interrupts that a handler acknowledges */
static void sample_acknowledge(struct code *c) {
    load_immediate(c, T1, TALLY_SPDISAMBCS_TF_MASK | TALLY_SPDISAMBCS_BMI_MASK | TALLY_SPDISAMBCS_WRAP_MASK);
    csr(c, 3, TALLY_CSR_SPDISAMBCS, near_destination(c), T1);
    load_immediate(c, T1, TALLY_MPDISCTL_OF_MASK);
    csr(c, 3, chance(c, 50) ? TALLY_CSR_MPDISCTL : TALLY_CSR_SPDISCTL, near_destination(c), T1);
}

/* Instructions are sampled from here on: set up by M-mode, or by a mode with the right. */
void unit_sampling(struct code *c) {
    static void (*const parts[])(struct code *) = {sample_buffer,  sample_counter,    sample_counter,
                                                   sample_control, sample_control,    sample_filters,
                                                   sample_access,  sample_acknowledge};
    unsigned which = below(c, COUNT(parts) + 1);

    if (!c->sampling)
        return;
    if (which < COUNT(parts))
        parts[which](c);
    else /* stop, or go on */
        csr(c, chance(c, 35) ? 6 : 7, chance(c, 70) ? TALLY_CSR_MCOUNTINHIBIT : TALLY_CSR_SCOUNTINHIBIT,
            near_destination(c), 2);
}
