// SPDX-License-Identifier: Apache-2.0
/*
 * The golden PMU alone: the buffer of records in memory (Ssamb; docs/sampling.md). One test for each rule.
 */
#include "pmu_sampling.h"

#define SIZE(n) ((uint64_t)(n) << TALLY_SPDISAMBCS_SIZE_LSB)
#define BMITH(n) ((uint64_t)(n) << TALLY_SPDISAMBCS_BMITH_LSB)

/* A host that allows every page: requests without translation get their own address. */
static void settle(void) {
    for (unsigned k = 0; k < 8; k++) {
        tick();
        in.xlat_done = out.xlat_req && !in.xlat_done;
        in.xlat_paddr = out.xlat_vaddr;
    }
    in.xlat_done = false;
}

static void buffer(uint64_t addr, uint64_t cs) {
    w(TALLY_CSR_SPDISAMBADDR, addr);
    w(TALLY_CSR_SPDISAMBCS, cs);
    if (cfg.xlen == 32)
        w(TALLY_CSR_SPDISAMBCSH, cs >> 32);
    if (!in.env.pdiss)
        settle();
}

static void to_memory(uint64_t addr, uint64_t cs) {
    sampler(64, 1);
    control(ANYWHERE | MASK(MEM) | MASK(OF));
    buffer(addr, cs);
}

static uint64_t cs(void) { return csr(M, GP_READ, TALLY_CSR_SPDISAMBCS, 0); }
static uint64_t where(void) { return csr(M, GP_READ, TALLY_CSR_SPDISAMBADDR, 0); }

static enum gp_end one_more(void) {
    w(TALLY_CSR_SPDISCOUNTER, ALL_ONES);
    decodes(OTHER, 0x100);
    retires();
    return out.end;
}

/* Write the whole queue to memory: one word a cycle, each done a cycle later. Returns whether LAMBI was
 * requested. */
static bool flush_queue(void) {
    bool lambi = false, sent = false;

    in.rec_ready = true;
    do {
        in.rec_done = sent;
        tick();
        lambi |= out.irq_lambi;
        sent = out.rec_valid;
    } while (sent || in.rec_done);
    in.rec_ready = in.rec_done = false;
    return lambi;
}

static bool answered(uint64_t vaddr, uint64_t paddr, bool fault) {
    tick(); /* the request follows a cycle later */
    tick();
    CHECK_EQ(out.xlat_req, true);
    CHECK_EQ(out.xlat_vaddr, vaddr);
    in.xlat_done = true;
    in.xlat_fault = fault;
    in.xlat_paddr = paddr;
    tick();
    clear_ports();
    return out.irq_lambi;
}

static void a_record_is_written_word_by_word(void) {
    to_memory(0x80001000, CS(EN));
    CHECK_EQ(cs(), CS(EN) | CS(TRV) | CS(EMPTY));
    CHECK_EQ(one_more(), GP_END_KEPT);
    CHECK_EQ(out.rec_valid, false);
    CHECK_EQ(cs() & CS(EMPTY), 0);
    in.rec_ready = true;
    for (unsigned k = 0; k < 8; k++) {
        tick();
        CHECK_EQ(out.rec_valid, true);
        CHECK_EQ(out.rec_addr, 0x80001000 + 8 * k);
        CHECK_EQ(out.rec_data, k == 1 ? 0x100 : k == 3 ? 1 : 0);
        in.rec_done = true; /* in the cycle of the next word */
    }
    CHECK_EQ(where(), 0x80001000); /* the last word is done in this cycle */
    CHECK_EQ(where(), 0x80001040);
    CHECK_EQ(cs(), CS(EN) | CS(TRV) | CS(EMPTY));
}

static void a_record_of_rv32(void) {
    static const uint64_t words[] = {OTHER, UINT64_C(0x7700000100), 1, UINT64_C(0)};

    sampler(32, 1);
    in.env.mstateen0 &= ~PDIS_BIT;
    in.env.time = 0x77;
    control(ANYWHERE | MASK(MEM) | MASK(OF) | MASK(TS));
    buffer(0x80001020, CS(EN));
    CHECK_EQ(one_more(), GP_END_KEPT);
    in.rec_ready = true;
    for (unsigned k = 0; k < 4; k++) {
        in.rec_done = true; /* in the word's own cycle */
        tick();
        CHECK_EQ(out.rec_addr, 0x80001020 + 8 * k);
        CHECK_EQ(out.rec_data, words[k]);
    }
    clear_ports();
    CHECK_EQ(where(), 0x80001040);
}

static void a_full_queue_drops(void) {
    to_memory(0x80001000, CS(EN));
    program(3, 0, TALLY_EV_PDIS_DROPPED);
    for (unsigned k = 0; k < 4; k++)
        CHECK_EQ(one_more(), GP_END_KEPT);
    CHECK_EQ(one_more(), GP_END_DROPPED);
    tick();
    CHECK_EQ(peek(counter(3)), 1);
    flush_queue();
    CHECK_EQ(where(), 0x80001100);
    CHECK_EQ(one_more(), GP_END_KEPT);
}

static void a_disabled_buffer_drops_and_finishes(void) {
    to_memory(0x80001000, CS(EN));
    CHECK_EQ(one_more(), GP_END_KEPT);
    w(TALLY_CSR_SPDISAMBCS, 0);
    CHECK_EQ(one_more(), GP_END_DROPPED);
    flush_queue();
    CHECK_EQ(where(), 0x80001040);
    CHECK_EQ(cs(), CS(EMPTY));
}

static void the_pointer_comes_round(void) {
    to_memory(0x80001F80, CS(EN));
    one_more();
    flush_queue();
    CHECK_EQ(where(), 0x80001FC0);
    CHECK_EQ(cs() & CS(WRAP), 0);
    one_more();
    flush_queue();
    CHECK_EQ(where(), 0x80001000);
    CHECK_EQ(cs() & CS(WRAP), CS(WRAP));
}

static void a_buffer_that_stops_takes_what_fills_it(void) {
    to_memory(0x80001F80, CS(EN) | CS(SOF));
    CHECK_EQ(one_more(), GP_END_KEPT);
    CHECK_EQ(one_more(), GP_END_KEPT);
    CHECK_EQ(one_more(), GP_END_DROPPED); /* both are still in the queue */
    flush_queue();
    CHECK_EQ(where(), 0x80001000);
    CHECK_EQ(one_more(), GP_END_DROPPED);
    csr(M, GP_CLEAR, TALLY_CSR_SPDISAMBCS, CS(WRAP));
    CHECK_EQ(one_more(), GP_END_KEPT);
}

static void the_threshold(void) {
    for (unsigned quarter = 0; quarter < 4; quarter++) {
        uint64_t last = (quarter ? quarter * 0x400 : 0x1000) - 0x40;

        to_memory(0x80000000 + last - 0x40, CS(EN) | CS(BMIEN) | BMITH(quarter));
        one_more();
        CHECK_EQ(flush_queue(), false);
        one_more();
        CHECK_EQ(flush_queue(), true);
        CHECK_EQ(cs() & CS(BMI), CS(BMI));
        w(TALLY_CSR_SPDISAMBCS, CS(EN) | BMITH(quarter)); /* without BMIEN */
        w(TALLY_CSR_SPDISAMBADDR, 0x80000000 + last);
        settle();
        one_more();
        CHECK_EQ(flush_queue(), false);
        CHECK_EQ(cs() & CS(BMI), 0);
    }
}

static void two_pages_are_translated(void) {
    sampler(64, 1);
    in.env.pdiss = true;
    control(ANYWHERE | MASK(MEM) | MASK(OF));
    buffer(0x40001FC0, CS(EN) | SIZE(1)); /* 0x40000000 to 0x40001FFF */
    CHECK_EQ(one_more(), GP_END_DROPPED); /* no page is translated */
    in.rec_ready = false;
    CHECK_EQ(out.xlat_mode, 1);
    in.xlat_done = true;
    in.xlat_paddr = 0x80005000;
    tick();
    clear_ports();
    CHECK_EQ(cs() & CS(TRV), 0);
    answered(0x40000000, 0x80009000, false); /* the page after the last is the first */
    CHECK_EQ(cs() & CS(TRV), CS(TRV));
    CHECK_EQ(one_more(), GP_END_KEPT);
    CHECK_EQ(one_more(), GP_END_KEPT); /* in the other page */
    in.rec_ready = true;
    tick();
    CHECK_EQ(out.rec_addr, 0x80005FC0);
    ticks(7);
    tick();
    CHECK_EQ(out.rec_addr, 0x80009000);
}

static void a_fault_stops_translation_until_it_is_cleared(void) {
    sampler(64, 1);
    in.env.pdiss = true;
    control(ANYWHERE | MASK(MEM) | MASK(OF));
    buffer(0x40001000, CS(EN) | SIZE(2));
    answered(0x40001000, 0x80005000, false);
    CHECK_EQ(answered(0x40002000, 0, true), true);
    CHECK_EQ(cs() & ~CS(EMPTY), CS(EN) | SIZE(2) | CS(TF) | UINT64_C(2) << TALLY_SPDISAMBCS_TFPTR_LSB);
    CHECK_EQ(one_more(), GP_END_KEPT); /* a translated page stays in use */
    ticks(5);
    CHECK_EQ(out.xlat_req, false);
    csr(M, GP_CLEAR, TALLY_CSR_SPDISAMBCS, CS(TF));
    answered(0x40002000, 0x80006000, false);
    CHECK_EQ(cs() & CS(TRV), CS(TRV));
}

/* Without translation the host is asked too: locked PMP entries hold for M-mode. */
static void a_physical_page_may_be_refused(void) {
    sampler(64, 1);
    control(ANYWHERE | MASK(MEM) | MASK(OF));
    w(TALLY_CSR_SPDISAMBADDR, 0x80001000);
    w(TALLY_CSR_SPDISAMBCS, CS(EN) | SIZE(1));
    CHECK_EQ(one_more(), GP_END_DROPPED);
    CHECK_EQ(out.xlat_mode, 3);
    CHECK_EQ(out.xlat_vaddr, 0x80001000);
    in.xlat_done = true;
    in.xlat_paddr = 0x80001000;
    tick();
    clear_ports();
    CHECK_EQ(answered(0x80000000, 0, true), true);
    CHECK_EQ(cs() & ~CS(EMPTY), CS(EN) | SIZE(1) | CS(TF));
    CHECK_EQ(one_more(), GP_END_KEPT);
}

static void what_makes_translations_void(void) {
    for (unsigned how = 0; how < 6; how++) {
        sampler(64, 1);
        cfg.hyp = true;
        start();
        in.env.pdiss = true;
        control(ANYWHERE | MASK(MEM) | MASK(OF));
        buffer(0x40000000, CS(EN) | CS(BMI));
        answered(0x40000000, 0x80005000, false);
        CHECK_EQ(cs() & CS(TRV), CS(TRV));
        CHECK_EQ(one_more(), GP_END_KEPT);
        switch (how) {
        case 0:
            in.env.tlb_inval = true;
            tick();
            in.env.tlb_inval = false;
            break;
        case 1:
            w(TALLY_CSR_SPDISAMBADDR, 0x40000000);
            break;
        case 2:
            w(TALLY_CSR_SPDISAMBCS, CS(EN) | SIZE(1));
            break;
        case 3:
            w(TALLY_CSR_SPDISAMBCS, 0);
            w(TALLY_CSR_SPDISAMBCS, CS(EN));
            break;
        case 4:
            in.env.pdisv = true;
            tick();
            break;
        default: /* no reason */
            csr(M, GP_CLEAR, TALLY_CSR_SPDISAMBCS, CS(BMI));
            break;
        }
        CHECK_EQ(cs() & CS(TRV), how == 5 ? CS(TRV) : 0);
        /* An accepted record is written to its old address. */
        in.rec_ready = true;
        tick();
        CHECK_EQ(out.rec_addr, 0x80005000 + 0 * 8);
        in.rec_ready = false;
    }
}

static void a_request_is_taken_back(void) {
    sampler(64, 1);
    in.env.pdiss = true;
    buffer(0x40000000, CS(EN));
    ticks(2);
    CHECK_EQ(out.xlat_req, true);
    in.env.tlb_inval = in.xlat_done = true; /* the answer is obsolete */
    tick();
    in.env.tlb_inval = false;
    clear_ports();
    tick();
    CHECK_EQ(out.xlat_req, false);
    CHECK_EQ(cs() & CS(TRV), 0);
    CHECK_EQ(out.xlat_req, true);
}

static void the_size_is_clamped(void) {
    sampler(64, 1);
    w(TALLY_CSR_SPDISAMBCS, UINT64_MAX);
    CHECK_EQ(cs(), (TALLY_SPDISAMBCS_WMASK & ~CS(SIZE)) | SIZE(20) | CS(EMPTY));
    w(TALLY_CSR_SPDISAMBADDR, UINT64_MAX);
    CHECK_EQ(where(), UINT64_MAX & ~UINT64_C(63));
}

static void a_write_of_the_address_replaces_the_advance(void) {
    to_memory(0x80001FC0, CS(EN) | CS(BMIEN));
    one_more();
    in.rec_ready = true;
    for (unsigned k = 0; k < 7; k++) {
        in.rec_done = true;
        tick();
    }
    w(TALLY_CSR_SPDISAMBADDR, 0x80002000); /* in the cycle of the last rec_done */
    clear_ports();
    CHECK_EQ(out.irq_lambi, false);
    CHECK_EQ(where(), 0x80002000);
    CHECK_EQ(cs(), CS(EN) | CS(BMIEN) | CS(EMPTY));
}

/* ---- conservation */

static void every_overflow_ends_somewhere(void) {
    static const uint64_t kinds[] = {TALLY_EV_PDIS_SAMPLES, TALLY_EV_PDIS_FILTERED, TALLY_EV_PDIS_DROPPED,
                                     TALLY_EV_PDIS_INHIBITED, TALLY_EV_PDIS_COLLISIONS};
    uint64_t overflows = 0, sum = 0, seed = 1;
    bool active = false;

    sampler(64, 4);
    control(ANYWHERE | MASK(MEM) | MASK(OF));
    buffer(0x80000000, CS(EN));
    w(TALLY_CSR_SPDISEVMASK, 1);
    period(PERIOD(5), PERIOD(5));
    for (unsigned k = 0; k < 5; k++)
        program(3 + k, 0, kinds[k]);
    for (unsigned n = 0; n < 20000; n++) {
        seed = seed * UINT64_C(6364136223846793005) + 1442695040888963407u;
        for (unsigned lane = 0; lane < 4; lane++)
            decode(lane, seed >> (40 + lane) & 1 ? LOAD : OTHER, 0x100);
        in.track.retired = active && (seed >> 50 & 7) == 0;
        in.rec_ready = seed >> 54 & 1;
        if ((seed >> 33 & 0x3F) == 0)
            w(TALLY_CSR_MCOUNTINHIBIT, seed >> 60 & 2);
        else
            tick();
        overflows += out.overflows;
        active = (active && !out.end) || out.dec_sample;
        in.rec_done = out.rec_valid && in.rec_ready; /* a cycle after */
        in.track.retired = false;
    }
    for (unsigned k = 0; k < 5; k++) {
        CHECK_EQ(peek(counter(3 + k)) > 0, true);
        sum += peek(counter(3 + k));
    }
    CHECK_EQ(sum + active, overflows);
}

static const struct test tests[] = {
    TEST(a_record_is_written_word_by_word),
    TEST(a_record_of_rv32),
    TEST(a_full_queue_drops),
    TEST(a_disabled_buffer_drops_and_finishes),
    TEST(the_pointer_comes_round),
    TEST(a_buffer_that_stops_takes_what_fills_it),
    TEST(the_threshold),
    TEST(two_pages_are_translated),
    TEST(a_fault_stops_translation_until_it_is_cleared),
    TEST(a_physical_page_may_be_refused),
    TEST(what_makes_translations_void),
    TEST(a_request_is_taken_back),
    TEST(the_size_is_clamped),
    TEST(a_write_of_the_address_replaces_the_advance),
    TEST(every_overflow_ends_somewhere),
};

int main(void) { return run_tests("golden_pmu_sample_buffer", tests, sizeof(tests) / sizeof(tests[0])); }
