// SPDX-License-Identifier: Apache-2.0
/*
 * The golden PMU alone: registers of sampling and access to them (docs/sampling.md). One test for each rule.
 */
#include "pmu_sampling.h"

static void the_sample_registers_of_rv32(void) {
    sampler(32, 1);
    control(ANYWHERE | MASK(PA) | MASK(TS));
    in.env.time = UINT64_C(0x123456789);
    in.env.mstateen0 &= ~PDIS_BIT;
    in.track.vaddr = 0x1238;
    in.track.paddr = UINT64_C(0x380001238);
    in.track.l1miss = true;
    sample(LOAD, 0x104);
    CHECK_EQ(reg(TALLY_RECORD_SELECT, 1), LOAD);
    CHECK_EQ(reg(TALLY_RECORD_SELECT, 2), HDR(L1MISS) >> 32);
    CHECK_EQ(reg(TALLY_RECORD_SELECT, 3), 0x104);
    CHECK_EQ(reg(TALLY_RECORD_SELECT, 4), 0x23456789);
    CHECK_EQ(reg(TALLY_RECORD_SELECT, 5), 1);
    CHECK_EQ(reg(TALLY_RECORD_SELECT, 6), 0);
    CHECK_EQ(reg(TALLY_RECORD_SELECT + 1, 1), 0x1238);
    CHECK_EQ(reg(TALLY_RECORD_SELECT + 1, 2), 0x80001238);
    CHECK_EQ(reg(TALLY_RECORD_SELECT + 1, 3), 0);
}

static void the_sample_registers_hold_what_is_written(void) {
    sampler(64, 1);
    w(TALLY_CSR_SISELECT, TALLY_RECORD_SELECT);
    w(TALLY_CSR_SIREG, UINT64_MAX);
    w(TALLY_CSR_SIREG2, UINT64_MAX);
    w(TALLY_CSR_SIREG6, UINT64_MAX);
    CHECK_EQ(hdrev(), ((UINT64_C(1) << 53) - 1) & ~(UINT64_C(3) << 35));
    CHECK_EQ(reg(TALLY_RECORD_SELECT, 2), ~UINT64_C(1));
    CHECK_EQ(reg(TALLY_RECORD_SELECT, 6), UINT64_MAX);
    CHECK_EQ(reg(TALLY_RECORD_SELECT + 1, 1), 0);
    control(MASK(MEM));
    CHECK_EQ(reg(TALLY_RECORD_SELECT, 6), 0);
    w(TALLY_CSR_SISELECT, TALLY_RECORD_SELECT);
    w(TALLY_CSR_SIREG6, 5);
    control(0);
    CHECK_EQ(reg(TALLY_RECORD_SELECT, 6), 0);
}

static void who_may_touch_sampling(void) {
    static const uint16_t registers[] = {
        TALLY_CSR_SPDISCTL,    TALLY_CSR_SPDISCOUNTER, TALLY_CSR_SPDISEVMASK,  TALLY_CSR_SPDISEVMATCH,
        TALLY_CSR_SPDISFILTER, TALLY_CSR_SPDISAMBCS,   TALLY_CSR_SPDISAMBADDR, TALLY_CSR_SIREG};
    /* by P + Q: M, S, U, VS, VU */
    static const enum gp_answer want[3][5] = {
        {GP_CSR_OK, GP_CSR_ILLEGAL, GP_CSR_ILLEGAL, GP_CSR_ILLEGAL, GP_CSR_ILLEGAL},
        {GP_CSR_OK, GP_CSR_OK, GP_CSR_ILLEGAL, GP_CSR_VIRTUAL, GP_CSR_VIRTUAL},
        {GP_CSR_OK, GP_CSR_OK, GP_CSR_ILLEGAL, GP_CSR_OK, GP_CSR_VIRTUAL}};

    sampler(64, 1);
    cfg.hyp = true;
    start();
    w(TALLY_CSR_SISELECT, TALLY_RECORD_SELECT);
    w(TALLY_CSR_VSISELECT, TALLY_RECORD_SELECT);
    for (unsigned pq = 0; pq < 3; pq++) {
        in.env.mstateen0 = pq ? UINT64_MAX : ~PDIS_BIT;
        in.env.hstateen0 = pq == 2 ? UINT64_MAX : ~PDIS_BIT;
        for (unsigned mode = M; mode <= VU; mode++) {
            bool window_of_vu = mode == VU; /* CSRIND's rule comes first */

            for (unsigned k = 0; k < sizeof(registers) / sizeof(registers[0]); k++)
                CHECK_EQ(answer(mode, GP_READ, registers[k]),
                         registers[k] == TALLY_CSR_SIREG && window_of_vu ? GP_CSR_VIRTUAL : want[pq][mode]);
            CHECK_EQ(answer(mode, GP_READ, TALLY_CSR_VSPDISCTL),
                     mode == VS && pq ? GP_CSR_VIRTUAL : want[pq][mode]);
            CHECK_EQ(answer(mode, GP_READ, TALLY_CSR_MPDISCTL), mode == M ? GP_CSR_OK : GP_CSR_ILLEGAL);
            CHECK_EQ(answer(mode, GP_READ, TALLY_CSR_SPDISCTLH), GP_CSR_NOT_MINE); /* RV64 */
        }
    }
}

static void the_views_of_the_control_register(void) {
    sampler(64, 1);
    cfg.hyp = true;
    start();
    control(UINT64_MAX);
    CHECK_EQ(peek(TALLY_CSR_MPDISCTL), TALLY_MPDISCTL_WMASK & ~MASK(SEL));
    CHECK_EQ(csr(S, GP_READ, TALLY_CSR_SPDISCTL, 0), TALLY_MPDISCTL_WMASK & ~(MASK(SEL) | MASK(M)));
    csr(S, GP_WRITE, TALLY_CSR_SPDISCTL, 0);
    CHECK_EQ(peek(TALLY_CSR_MPDISCTL), MASK(M)); /* stays */
    csr(VS, GP_WRITE, TALLY_CSR_SPDISCTL, UINT64_MAX);
    CHECK_EQ(peek(TALLY_CSR_MPDISCTL), TALLY_MPDISCTL_WMASK & ~(MASK(SEL) | MASK(S) | MASK(U) | MASK(PA)));
    CHECK_EQ(csr(VS, GP_READ, TALLY_CSR_SPDISCTL, 0),
             TALLY_MPDISCTL_WMASK & ~(MASK(SEL) | MASK(M) | MASK(PA)));
    CHECK_EQ(csr(S, GP_READ, TALLY_CSR_VSPDISCTL, 0), csr(VS, GP_READ, TALLY_CSR_SPDISCTL, 0));
}

static void hardwired_fields(void) {
    sampler(64, 1);
    cfg.pdis_mem = 1;
    cfg.pdis_acc = 0;
    start();
    CHECK_EQ(peek(TALLY_CSR_MPDISCTL), MASK(MEM));
    control(MASK(ACC));
    CHECK_EQ(peek(TALLY_CSR_MPDISCTL), MASK(MEM));
    w(TALLY_CSR_SISELECT, TALLY_RECORD_SELECT);
    CHECK_EQ(answer(M, GP_READ, TALLY_CSR_SIREG), GP_CSR_ILLEGAL); /* no such registers */
    cfg.pdis_mem = 0;
    cfg.pdis_acc = 1;
    start();
    control(0);
    CHECK_EQ(peek(TALLY_CSR_MPDISCTL), MASK(ACC));
    CHECK_EQ(answer(M, GP_READ, TALLY_CSR_SPDISAMBCS), GP_CSR_NOT_MINE);
}

static void bits_one_of_the_counters_words(void) {
    sampler(64, 1);
    in.env.cde = true;
    csr(S, GP_SET, TALLY_CSR_SCOUNTINHIBIT, 2);
    CHECK_EQ(peek(TALLY_CSR_MCOUNTINHIBIT), 2);
    control(MASK(OF));
    CHECK_EQ(csr(S, GP_READ, TALLY_CSR_SCOUNTOVF, 0), 2);
    in.env.mstateen0 &= ~PDIS_BIT;
    CHECK_EQ(csr(S, GP_READ, TALLY_CSR_SCOUNTOVF, 0), 0);
    CHECK_EQ(csr(M, GP_READ, TALLY_CSR_SCOUNTOVF, 0), 2);
    csr(S, GP_CLEAR, TALLY_CSR_SCOUNTINHIBIT, 2);
    CHECK_EQ(csr(M, GP_READ, TALLY_CSR_SCOUNTINHIBIT, 0), 0);
    CHECK_EQ(peek(TALLY_CSR_MCOUNTINHIBIT), 2);
}

static void sampling_goes_on_where_access_is_refused(void) {
    for (unsigned v = 0; v < 2; v++) {
        sampler(64, 1);
        cfg.hyp = true;
        start();
        control(ANYWHERE);
        w(TALLY_CSR_VSPDISCTL, ANYWHERE);
        in.mode.priv = GP_S;
        in.mode.v = v;
        (v ? &in.env.hstateen0 : &in.env.mstateen0)[0] &= ~PDIS_BIT;
        sample(LOAD, 0x4000);
        CHECK_EQ(out.end, GP_END_KEPT);
        CHECK_EQ(word(2), 0x4000);
    }
}

static void registers_hold_what_they_can(void) {
    static const unsigned high[] = {TALLY_CSR_SPDISEVMASKH, TALLY_CSR_SPDISEVMATCHH};
    static const unsigned low[] = {TALLY_CSR_SPDISEVMASK, TALLY_CSR_SPDISEVMATCH};

    for (unsigned xlen = 32; xlen <= 64; xlen += 32) {
        sampler(xlen, 1);
        w(TALLY_CSR_SHPMSPC, UINT64_MAX);
        CHECK_EQ(csr(M, GP_READ, TALLY_CSR_SHPMSPC, 0), (xlen == 32 ? ALL_ONES : UINT64_MAX) & ~UINT64_C(1));
        w(TALLY_CSR_SHPMSDATA, UINT64_MAX);
        CHECK_EQ(csr(M, GP_READ, TALLY_CSR_SHPMSDATA, 0), 0x1F); /* CNTRID */
        for (unsigned k = 0; k < 2; k++) {
            w((uint16_t)low[k], UINT64_MAX);
            if (xlen == 32)
                w((uint16_t)high[k], UINT64_MAX);
            CHECK_EQ(csr(M, GP_READ, (uint16_t)low[k], 0), xlen == 32 ? ALL_ONES : UINT64_MAX >> 8);
            if (xlen == 32)
                CHECK_EQ(csr(M, GP_READ, (uint16_t)high[k], 0), ALL_ONES >> 8);
        }
        w(TALLY_CSR_SPDISFILTER, UINT64_MAX);
        CHECK_EQ(csr(M, GP_READ, TALLY_CSR_SPDISFILTER, 0) & ~UINT64_C(0xFFFF), 0);
        CHECK_EQ(csr(M, GP_READ, TALLY_CSR_SPDISFILTER, 0) & 0x1FFF, 0x1FFF); /* THRESH, INV */
        w(TALLY_CSR_SPDISAMBADDR, UINT64_MAX);
        CHECK_EQ(csr(M, GP_READ, TALLY_CSR_SPDISAMBADDR, 0),
                 (xlen == 32 ? ALL_ONES : UINT64_MAX) & ~(uint64_t)(xlen == 32 ? 31 : 63));
    }
}

static const struct test tests[] = {
    TEST(the_sample_registers_of_rv32),
    TEST(the_sample_registers_hold_what_is_written),
    TEST(who_may_touch_sampling),
    TEST(the_views_of_the_control_register),
    TEST(sampling_goes_on_where_access_is_refused),
    TEST(registers_hold_what_they_can),
    TEST(hardwired_fields),
    TEST(bits_one_of_the_counters_words),
};

int main(void) { return run_tests("golden_pmu_sample_registers", tests, sizeof(tests) / sizeof(tests[0])); }
