// SPDX-License-Identifier: Apache-2.0
/* Plans and accesses of precise sampling */
#include "traffic_parts.h"

/* Accesses of a driver while sampling is on */
void serve_sampling(struct traffic *t) {
    static const uint64_t status[] = {TALLY_SPDISAMBCS_TF_MASK, TALLY_SPDISAMBCS_BMI_MASK,
                                      TALLY_SPDISAMBCS_WRAP_MASK, TALLY_SPDISAMBCS_EN_MASK};
    unsigned pick = rng_below(&t->rng, 4);

    switch (rng_below(&t->rng, 8)) {
    case 0:
        csr_access(t, TALLY_CSR_MCOUNTINHIBIT, rng_chance(&t->rng, 64) ? GP_SET : GP_CLEAR, 2);
        break;
    case 1:
    case 2:
        change_wide(t, TALLY_CSR_MPDISCTL, TALLY_CSR_MPDISCTLH, rng_chance(&t->rng, 200) ? GP_CLEAR : GP_SET,
                    TALLY_MPDISCTL_OF_MASK);
        break;
    case 3:
        csr_access(t, TALLY_CSR_SPDISCOUNTER, GP_WRITE,
                   (t->cfg->xlen == 32 ? 0 : ~(uint64_t)rng_below(&t->rng, 9) << 32) |
                       (uint32_t)~rng_below(&t->rng, 9));
        break;
    case 4:
        csr_access(t, rng_chance(&t->rng, 128) ? TALLY_CSR_SISELECT : TALLY_CSR_VSISELECT, GP_WRITE,
                   TALLY_RECORD_SELECT + rng_below(&t->rng, 2));
        break;
    default:
        change_wide(t, TALLY_CSR_SPDISAMBCS, TALLY_CSR_SPDISAMBCSH,
                    pick == 3 || rng_chance(&t->rng, 16) ? GP_SET : GP_CLEAR, status[pick]);
        break;
    }
}

/* Samples in quick succession, into registers or into a buffer whose pointer is near an edge. */
static void plan_buffer(struct traffic *t) {
    uint64_t record = t->cfg->xlen == 32 ? TALLY_RECORD_BYTES_RV32 : TALLY_RECORD_BYTES_RV64;
    uint64_t cs = TALLY_SPDISAMBCS_EN_MASK |
                  (rng_64(&t->rng) & (TALLY_SPDISAMBCS_BMITH_MASK | TALLY_SPDISAMBCS_BMIEN_MASK));
    uint64_t size = rng_chance(&t->rng, 200) ? rng_below(&t->rng, 3) : rng_below(&t->rng, 32);
    uint64_t bytes = UINT64_C(4096) << (size < 20 ? size : 20), base = rng_64(&t->rng) & ~(bytes - 1);
    uint64_t edge = rng_chance(&t->rng, 128) ? bytes / 4 * (1 + rng_below(&t->rng, 4))
                                             : UINT64_C(4096) * (1 + rng_below(&t->rng, 4));

    if (rng_chance(&t->rng, 96))
        cs |= TALLY_SPDISAMBCS_SOF_MASK;
    if (rng_chance(&t->rng, 16))
        cs |= TALLY_SPDISAMBCS_WRAP_MASK;
    if (rng_chance(&t->rng, 16))
        cs &= ~TALLY_SPDISAMBCS_EN_MASK;
    t->in.env.pdiss = rng_chance(&t->rng, 160);
    t->in.env.pdisv = rng_chance(&t->rng, 128);
    plan(t, TALLY_CSR_SPDISAMBADDR, GP_WRITE,
         base | ((edge - record * (1 + rng_below(&t->rng, 4))) & (bytes - 1)));
    plan_wide(t, TALLY_CSR_SPDISAMBCS, TALLY_CSR_SPDISAMBCSH, cs | size << TALLY_SPDISAMBCS_SIZE_LSB);
}

static void plan_filters(struct traffic *t) {
    uint64_t mask = 0, match = rng_64(&t->rng), filter = 0;

    if (rng_chance(&t->rng, 80))
        mask = rng_dense(&t->rng, 1) & (7 | UINT64_C(3) << 37 | UINT64_C(0xFFFF) << 39);
    if (rng_chance(&t->rng, 112)) /* some bits of all that there are, which are mostly 0 */
        for (unsigned n = 1 + rng_below(&t->rng, 4); n; n--) {
            unsigned at = rng_below(&t->rng, 56);

            mask |= UINT64_C(1) << at;
            match &= ~((uint64_t)rng_chance(&t->rng, 192) << at);
        }
    if (rng_chance(&t->rng, 16))
        mask = rng_64(&t->rng);
    if (rng_chance(&t->rng, 80))
        filter = rng_below(&t->rng, rng_chance(&t->rng, 64) ? 1 << rng_below(&t->rng, 13) : 12) |
                 (uint64_t)rng_below(&t->rng, 16) << TALLY_SPDISFILTER_INV_LSB;
    plan_wide(t, TALLY_CSR_SPDISEVMASK, TALLY_CSR_SPDISEVMASKH, mask);
    plan_wide(t, TALLY_CSR_SPDISEVMATCH, TALLY_CSR_SPDISEVMATCHH, match);
    plan(t, TALLY_CSR_SPDISFILTER, GP_WRITE, filter);
}

/* A counter of whose event a sample may tell: one that the owner of sampling has, and that counts in the mode
 * of the sample. */
static void plan_told(struct traffic *t) {
    unsigned i = 3 + rng_below(&t->rng, t->cfg->hpm_n);

    plan_wide(t, TALLY_CSR_MCOUNTINHIBIT + i, ROW_EVENTH + i,
              tally_events[some_retire_event(t)].selector | (rng_dense(&t->rng, 5) & UINT64_C(0x7C) << 56));
    plan(t, TALLY_CSR_MCOUNTEREN, rng_chance(&t->rng, 128) ? GP_SET : GP_CLEAR, UINT32_C(1) << i);
    plan(t, TALLY_CSR_MCOUNTINHIBIT, GP_CLEAR, UINT32_C(1) << i);
}

/* Writes of registers that the hardware is about to change */
static void plan_races(struct traffic *t) {
    static const uint64_t status[] = {TALLY_SPDISAMBCS_BMI_MASK, TALLY_SPDISAMBCS_WRAP_MASK, 0};
    unsigned what = rng_below(&t->rng, 5);

    if (what == 4)
        plan(t, TALLY_CSR_SISELECT, GP_WRITE, TALLY_RECORD_SELECT + rng_below(&t->rng, 2));
    for (unsigned n = rng_below(&t->rng, 30); n; n--)
        switch (what) {
        case 3:
            plan_clear(t, TALLY_CSR_MPDISCTL, TALLY_CSR_MPDISCTLH,
                       rng_chance(&t->rng, 128) ? TALLY_MPDISCTL_HPM_MASK : TALLY_MPDISCTL_OF_MASK);
            break;
        case 4:
            plan(t, TALLY_CSR_SISELECT + 1 + rng_below(&t->rng, 7), GP_WRITE, rng_64(&t->rng));
            break;
        default:
            plan_clear(t, TALLY_CSR_SPDISAMBCS, TALLY_CSR_SPDISAMBCSH, status[what]);
            break;
        }
}

void plan_sampling(struct traffic *t) {
    uint64_t ctl = rng_64(&t->rng),
             all = TALLY_MPDISCTL_M_MASK | TALLY_MPDISCTL_S_MASK | TALLY_MPDISCTL_U_MASK;
    uint32_t longest = rng_chance(&t->rng, 128) ? 6 : 60;

    if (t->cfg->hpm_n && rng_chance(&t->rng, 96)) {
        plan_told(t);
        ctl |= TALLY_MPDISCTL_HPM_MASK;
    }
    if (rng_chance(&t->rng, 200))
        ctl |= all;
    if (rng_chance(&t->rng, 128))
        ctl &= ~TALLY_MPDISCTL_SEL_MASK;
    plan(t, TALLY_CSR_MCOUNTINHIBIT, rng_chance(&t->rng, 128) ? GP_WRITE : GP_CLEAR,
         0x2 & -rng_below(&t->rng, 2));
    plan_filters(t);
    plan_buffer(t);
    if (t->cfg->hyp)
        plan_wide(t, TALLY_CSR_VSPDISCTL, TALLY_CSR_VSPDISCTLH, rng_64(&t->rng) | all);
    plan_wide(t, TALLY_CSR_SPDISCOUNTER, TALLY_CSR_SPDISCOUNTERH,
              ~(uint64_t)rng_below(&t->rng, longest) << 32 | (uint32_t)~rng_below(&t->rng, 6));
    plan_wide(t, TALLY_CSR_MPDISCTL, TALLY_CSR_MPDISCTLH, ctl);
    plan(t, TALLY_CSR_MCOUNTINHIBIT, GP_CLEAR, 2);
    if (rng_chance(&t->rng, 96))
        plan_races(t);
}

/* Anybody, under any enables, and the registers of sampling. */
void plan_sampling_rights(struct traffic *t) {
    static const uint16_t numbers[] = {
        TALLY_CSR_MPDISCTL,    TALLY_CSR_SPDISCTL,    TALLY_CSR_VSPDISCTL,  TALLY_CSR_SPDISCOUNTER,
        TALLY_CSR_SPDISEVMASK, TALLY_CSR_SPDISFILTER, TALLY_CSR_SPDISAMBCS, TALLY_CSR_SPDISAMBADDR,
        TALLY_CSR_SHPMSPC,     TALLY_CSR_SHPMSDATA,   TALLY_CSR_SIREG,      TALLY_CSR_SIREG6,
    };
    struct gp_mode mode = {.priv = GP_M};

    some_mode(t, &mode);
    t->in.env.cde = rng_chance(&t->rng, 128);
    t->in.env.mstateen0 = rng_64(&t->rng);
    t->in.env.hstateen0 = rng_64(&t->rng);
    plan(t, mode.v ? TALLY_CSR_VSISELECT : TALLY_CSR_SISELECT, GP_WRITE,
         TALLY_RECORD_SELECT + rng_below(&t->rng, 2));
    for (unsigned n = 1 + rng_below(&t->rng, 6); n; n--)
        plan_in(t, &mode, numbers[rng_below(&t->rng, sizeof(numbers) / sizeof(numbers[0]))],
                rng_chance(&t->rng, 128) ? GP_READ : rng_below(&t->rng, 4), some_value(t));
}
