// SPDX-License-Identifier: Apache-2.0
/*
 * The golden PMU alone: precise sampling (docs/sampling.md). A test a rule.
 */
#include "pmu_rig.h"

#include "tally_events.h"

#define MASK(field) TALLY_MPDISCTL_##field##_MASK
#define CS(field) TALLY_SPDISAMBCS_##field##_MASK
#define HDR(field) TALLY_PDISHDREV_##field##_MASK
#define PDIS_BIT TALLY_MSTATEEN0_PDIS_MASK
#define ANYWHERE (MASK(U) | MASK(S) | MASK(M))
#define PERIOD(n) (UINT64_C(0x100000000) - (n))

enum { OTHER, LOAD, STORE, LOAD_STORE, TRANSFER };
enum { ALL_ONES = 0xFFFFFFFF };

/* ---- a unit that samples */

static void sampler(unsigned xlen, unsigned lanes) {
    gp_config_default(&cfg);
    cfg.xlen = xlen;
    cfg.decode_w = cfg.retire_w = lanes;
    cfg.sspesa = cfg.smpdis = true;
    start();
}

static void control(uint64_t ctl) {
    w(TALLY_CSR_MPDISCTL, ctl);
    if (cfg.xlen == 32)
        w(TALLY_CSR_MPDISCTLH, ctl >> 32);
}

static void period(uint64_t initval, uint64_t count) {
    w(TALLY_CSR_SPDISCOUNTER, cfg.xlen == 32 ? count : initval << 32 | count);
    if (cfg.xlen == 32)
        w(TALLY_CSR_SPDISCOUNTERH, initval);
}

static void decode(unsigned lane, unsigned type, uint64_t pc) {
    in.decode[lane] = (struct gp_decode){
        .valid = true, .type = (uint8_t)type, .mode = in.mode.priv | (in.mode.v ? 4 : 0), .pc = pc};
}

static void quiet(void) {
    memset(in.decode, 0, sizeof(in.decode));
    memset(in.retire, 0, sizeof(in.retire));
    memset(in.ev_retire, 0, sizeof(in.ev_retire));
    memset(&in.track, 0, sizeof(in.track));
    in.xlat_done = in.xlat_fault = in.rec_done = false;
}

/* One instruction is decoded; returns whether it is the sample. */
static bool decodes(unsigned type, uint64_t pc) {
    decode(0, type, pc);
    tick();
    quiet();
    return out.dec_sample & 1;
}

/* ... and is judged, in the next cycle. */
static void retires(void) {
    in.track.retired = true;
    tick();
    quiet();
    tick();
}

/* A sample of this type, from its selection to its retirement; what the ports say at its end is in in.track.
 */
static void sample(unsigned type, uint64_t pc) {
    struct gp_track track = in.track;

    quiet();
    w(TALLY_CSR_SPDISCOUNTER, peek(TALLY_CSR_SPDISCOUNTER) | ALL_ONES);
    CHECK_EQ(decodes(type, pc), true);
    in.track = track;
    retires();
}

static uint64_t reg(unsigned select, unsigned window) {
    unsigned num = window <= 3 ? TALLY_CSR_SISELECT + window : TALLY_CSR_SISELECT + window + 1;

    w(TALLY_CSR_SISELECT, select);
    return csr(M, GP_READ, num, 0);
}

static uint64_t word(unsigned window) { return reg(TALLY_RECORD_SELECT, window); }

static uint64_t hdrev(void) { return word(1); }
static uint64_t lat(void) { return word(4); }

static bool of(void) { return peek(TALLY_CSR_MPDISCTL) >> TALLY_MPDISCTL_OF_LSB & 1; }

static uint64_t latency_of(unsigned lsb) { return lat() >> lsb & 0xFFF; }

/* ---- Sspesa */

static void overflow_in(unsigned i, uint64_t selector) { program(i, UINT64_MAX, selector); }

static void retire(unsigned lane, uint64_t pc, uint64_t events) {
    in.retire[lane] = (struct gp_retire_lane){.valid = true, .mode = in.mode.priv, .pc = pc};
    in.ev_retire[lane] = INST | events;
}

static void the_cause_is_the_lane_that_wraps(void) {
    sampler(64, 4);
    program(5, UINT64_MAX - 1, TALLY_EV_INST_LOAD_RET);
    retire(0, 0x100, UINT64_C(1) << TALLY_EVR_LOAD);
    retire(1, 0x104, 0);
    retire(2, 0x108, UINT64_C(1) << TALLY_EVR_LOAD);
    retire(3, 0x10C, UINT64_C(1) << TALLY_EVR_LOAD);
    tick();
    CHECK_EQ(out.irq_lcofi, true);
    CHECK_EQ(peek(TALLY_CSR_SHPMSPC), 0x108);
    CHECK_EQ(peek(TALLY_CSR_SHPMSDATA), 5);
}

static void the_lowest_counter_is_recorded(void) {
    sampler(64, 2);
    w(TALLY_CSR_MCOUNTINHIBIT, ALL_ONES);
    overflow_in(9, TALLY_EV_INST_RET);
    overflow_in(5, TALLY_EV_INST_LOAD_RET);
    w(TALLY_CSR_MCOUNTINHIBIT, 0);
    retire(0, 0x100, 0);
    retire(1, 0x104, UINT64_C(1) << TALLY_EVR_LOAD);
    tick();
    CHECK_EQ(peek(TALLY_CSR_SHPMSDATA), 5);
    CHECK_EQ(peek(TALLY_CSR_SHPMSPC), 0x104);
}

static void only_the_first_overflow_before_the_trap_is_recorded(void) {
    sampler(64, 1);
    overflow_in(5, TALLY_EV_INST_RET);
    in.env.lcofip = true;
    retire(0, 0x100, 0);
    tick();
    CHECK_EQ(out.irq_lcofi, true);
    CHECK_EQ(peek(TALLY_CSR_SHPMSPC), 0);
}

static void a_second_overflow_of_the_same_counter_records_nothing(void) {
    sampler(64, 1);
    program(5, UINT64_MAX, TALLY_EV_INST_RET | OF);
    retire(0, 0x100, 0);
    tick();
    CHECK_EQ(peek(TALLY_CSR_SHPMSPC), 0);
}

static void under_delegation_machine_counters_record_nothing(void) {
    sampler(64, 1);
    in.env.cde = true;
    w(TALLY_CSR_MCOUNTEREN, 1 << 9);
    w(TALLY_CSR_MCOUNTINHIBIT, ALL_ONES);
    overflow_in(5, TALLY_EV_INST_RET);
    overflow_in(9, TALLY_EV_INST_RET);
    w(TALLY_CSR_MCOUNTINHIBIT, 0);
    retire(0, 0x100, 0);
    tick();
    CHECK_EQ(peek(TALLY_CSR_SHPMSDATA), 9);
}

static void an_andes_overflow_records_nothing(void) {
    sampler(64, 1);
    w(TALLY_CSR_MCOUNTERINEN, 1 << 5);
    overflow_in(5, TALLY_EV_INST_RET);
    retire(0, 0x100, 0);
    tick();
    CHECK_EQ(out.irq_andes, true);
    CHECK_EQ(peek(TALLY_CSR_SHPMSPC), 0);
}

static uint64_t pc_of_a_cycle_overflow(bool retiring, bool flushed) {
    w(event(3), TALLY_EV_CYCLES_HART);
    w(counter(3), UINT64_MAX - 1); /* the write's own cycle is not counted, the next two are */
    tick();
    if (retiring) {
        retire(1, 0x104, 0);
        retire(2, 0x108, 0);
    }
    in.ret_next_pc = 0x200;
    in.ret_flush_pc = 0x300;
    in.ret_flushed = flushed;
    tick();
    CHECK_EQ(out.irq_lcofi, true);
    quiet();
    return peek(TALLY_CSR_SHPMSPC);
}

static void cycles_belong_to_who_exposes_them(void) {
    sampler(64, 4);
    CHECK_EQ(pc_of_a_cycle_overflow(true, true), 0x104);
    start();
    CHECK_EQ(pc_of_a_cycle_overflow(false, false), 0x200);
    start();
    CHECK_EQ(pc_of_a_cycle_overflow(false, true), 0x300);
    cfg.spesa_next = true;
    start();
    CHECK_EQ(pc_of_a_cycle_overflow(false, true), 0x200);
}

static void a_write_of_shpmspc_wins(void) {
    sampler(64, 1);
    overflow_in(5, TALLY_EV_INST_RET);
    retire(0, 0x100, 0);
    w(TALLY_CSR_SHPMSPC, 0x4321);
    CHECK_EQ(peek(TALLY_CSR_SHPMSPC), 0x4320); /* bit 0 is 0 */
    CHECK_EQ(peek(TALLY_CSR_SHPMSDATA), 5);
}

static void who_may_read_shpmspc(void) {
    sampler(64, 1);
    cfg.hyp = true;
    start();
    in.env.mstateen0 = 0;
    CHECK_EQ(answer(M, GP_READ, TALLY_CSR_SHPMSPC), GP_CSR_OK);
    for (unsigned mode = S; mode <= VU; mode++)
        CHECK_EQ(answer(mode, GP_READ, TALLY_CSR_SHPMSDATA), GP_CSR_ILLEGAL);
    in.env.cde = true;
    CHECK_EQ(answer(S, GP_WRITE, TALLY_CSR_SHPMSPC), GP_CSR_OK);
    CHECK_EQ(answer(U, GP_READ, TALLY_CSR_SHPMSPC), GP_CSR_ILLEGAL);
    CHECK_EQ(answer(VS, GP_READ, TALLY_CSR_SHPMSPC), GP_CSR_VIRTUAL);
    CHECK_EQ(answer(VU, GP_READ, TALLY_CSR_SHPMSPC), GP_CSR_VIRTUAL);
    gp_config_default(&cfg);
    start();
    CHECK_EQ(answer(M, GP_READ, TALLY_CSR_SHPMSPC), GP_CSR_NOT_MINE);
    CHECK_EQ(answer(M, GP_READ, TALLY_CSR_MPDISCTL), GP_CSR_NOT_MINE);
}

/* Ssplcofi: so many lanes that the one that wraps can only be the last. */
static void retirement_is_limited_before_a_wrap(void) {
    sampler(64, 4);
    tick();
    CHECK_EQ(out.ret_max, 4);
    program(5, UINT64_MAX - 2, TALLY_EV_INST_LOAD_RET);
    tick();
    CHECK_EQ(out.ret_max, 3);
    program(6, UINT64_MAX, TALLY_EV_INST_STORE_RET);
    tick();
    CHECK_EQ(out.ret_max, 1);
    w(event(6), TALLY_EV_INST_STORE_RET | OF);
    tick();
    CHECK_EQ(out.ret_max, 3);
    w(TALLY_CSR_MCOUNTINHIBIT, 1 << 5);
    tick();
    CHECK_EQ(out.ret_max, 4);
    w(event(5), TALLY_EV_CYCLES_BUS); /* not precise */
    tick();
    CHECK_EQ(out.ret_max, 4);
}

/* ---- selection */

static void the_overflowing_instruction_is_the_sample(void) {
    sampler(64, 1);
    control(ANYWHERE);
    period(PERIOD(3), PERIOD(2));
    CHECK_EQ(decodes(OTHER, 0x100), false);
    CHECK_EQ(decodes(OTHER, 0x104), true);
    CHECK_EQ(out.overflows, 1);
    CHECK_EQ(peek(TALLY_CSR_SPDISCOUNTER), PERIOD(3) << 32 | PERIOD(3));
}

static void no_decode_is_lost_at_an_overflow(void) {
    sampler(64, 4);
    control(ANYWHERE);
    period(PERIOD(2), PERIOD(1));
    for (unsigned lane = 0; lane < 4; lane++)
        decode(lane, OTHER, 0x100 + 4 * lane);
    tick(); /* overflows in lanes 0 and 2 */
    CHECK_EQ(out.dec_sample, 1);
    CHECK_EQ(out.overflows, 2);
    CHECK_EQ(out.collisions, 1);
    CHECK_EQ(peek(TALLY_CSR_SPDISCOUNTER) & ALL_ONES, PERIOD(1));
}

static void the_type_is_selected(void) {
    static const uint8_t counted[] = {0x1F, 0x0A, 0x0C, 0x0E, 0x10}; /* by SEL: types */

    sampler(64, 1);
    for (unsigned sel = 0; sel < 5; sel++) {
        control(ANYWHERE | sel);
        for (unsigned type = 0; type < 5; type++) {
            period(0, 7);
            decodes(type, 0x100);
            CHECK_EQ(peek(TALLY_CSR_SPDISCOUNTER), 7 + (counted[sel] >> type & 1));
        }
    }
    control(ANYWHERE | 5);
    CHECK_EQ(peek(TALLY_CSR_MPDISCTL) & MASK(SEL), 0);
}

static void the_mode_is_selected(void) {
    static const uint64_t ctl[] = {MASK(M), MASK(S), MASK(U), 0, 0}, guest[] = {0, 0, 0, MASK(S), MASK(U)};

    sampler(64, 1);
    cfg.hyp = true;
    start();
    for (unsigned wanted = M; wanted <= VU; wanted++) {
        control(ctl[wanted]);
        w(TALLY_CSR_VSPDISCTL, guest[wanted]);
        for (unsigned mode = M; mode <= VU; mode++) {
            period(0, 7);
            run_in(mode);
            decodes(OTHER, 0x100);
            CHECK_EQ(peek(TALLY_CSR_SPDISCOUNTER), 7 + (mode == wanted));
        }
    }
}

static void nothing_is_counted_while_inhibited_halted_or_in_debug_mode(void) {
    sampler(64, 1);
    control(ANYWHERE);
    period(0, ALL_ONES);
    w(TALLY_CSR_MCOUNTINHIBIT, 2);
    CHECK_EQ(decodes(OTHER, 0x100), false);
    w(TALLY_CSR_MCOUNTINHIBIT, 0);
    in.mode.halted = true;
    CHECK_EQ(decodes(OTHER, 0x100), false);
    in.mode.halted = false;
    in.mode.debug = true;
    CHECK_EQ(decodes(OTHER, 0x100), false);
    in.mode.debug = false;
    CHECK_EQ(peek(TALLY_CSR_SPDISCOUNTER), ALL_ONES);
    CHECK_EQ(decodes(OTHER, 0x100), true);
}

static void an_overflow_during_a_sample_is_a_collision(void) {
    sampler(64, 1);
    control(ANYWHERE);
    period(PERIOD(1), PERIOD(1));
    program(3, 0, TALLY_EV_PDIS_COLLISIONS);
    CHECK_EQ(decodes(OTHER, 0x100), true);
    CHECK_EQ(decodes(OTHER, 0x104), false);
    CHECK_EQ(out.collisions, 1);
    in.track.retired = true; /* up to and with the cycle in which its end is judged */
    CHECK_EQ(decodes(OTHER, 0x108), false);
    CHECK_EQ(decodes(OTHER, 0x10C), false);
    CHECK_EQ(out.collisions, 1);
    CHECK_EQ(peek(counter(3)), 2); /* each counts in the next cycle */
    CHECK_EQ(decodes(OTHER, 0x110), true);
    CHECK_EQ(peek(counter(3)), 3);
}

static void a_write_of_count_wins(void) {
    sampler(64, 1);
    control(ANYWHERE);
    period(0, ALL_ONES);
    decode(0, OTHER, 0x100);
    w(TALLY_CSR_SPDISCOUNTER, 5);
    CHECK_EQ(out.dec_sample, 0);
    CHECK_EQ(out.overflows, 0);
    CHECK_EQ(peek(TALLY_CSR_SPDISCOUNTER), 5);
    quiet();

    sampler(32, 1); /* the high half is INITVAL, and nothing else */
    control(ANYWHERE);
    period(PERIOD(4), ALL_ONES);
    decode(0, OTHER, 0x100);
    w(TALLY_CSR_SPDISCOUNTERH, 9);
    CHECK_EQ(out.dec_sample, 1);
    CHECK_EQ(peek(TALLY_CSR_SPDISCOUNTER), UINT64_C(9) << 32 | PERIOD(4));
}

static void acceleration_takes_the_next_one_after_a_discarded_sample(void) {
    sampler(64, 2);
    control(ANYWHERE | MASK(ACC) | 1);
    w(TALLY_CSR_SPDISEVMASK, HDR(L1MISS));
    w(TALLY_CSR_SPDISEVMATCH, HDR(L1MISS));
    period(0, ALL_ONES);
    CHECK_EQ(decodes(LOAD, 0x100), true);
    retires();
    CHECK_EQ(out.end, GP_END_FILTERED);
    CHECK_EQ(decodes(STORE, 0x104), false); /* does not match SEL */
    decode(0, STORE, 0x108);
    decode(1, LOAD, 0x10C);
    tick();
    CHECK_EQ(out.dec_sample, 2);
    CHECK_EQ(out.overflows, 0);
    quiet();
    w(TALLY_CSR_MCOUNTINHIBIT, 2); /* inhibition discards too, and is no reason */
    retires();
    CHECK_EQ(out.end, GP_END_INHIBITED);
    w(TALLY_CSR_MCOUNTINHIBIT, 0);
    CHECK_EQ(decodes(LOAD, 0x110), false);
}

/* ---- latencies */

static void latencies_are_differences_of_cycles(void) {
    sampler(64, 1);
    control(ANYWHERE);
    period(0, ALL_ONES);
    decodes(OTHER, 0x100); /* cycle 0 */
    ticks(2);
    in.track.dispatched = true; /* 3 */
    tick();
    quiet();
    in.track.issued = true; /* 4 */
    tick();
    quiet();
    ticks(4);
    in.track.completed = true; /* 9 */
    tick();
    quiet();
    in.track.oldest = true; /* 10 */
    tick();
    quiet();
    ticks(1);
    retires(); /* 12 */
    CHECK_EQ(latency_of(TALLY_PDISLAT_TOTAL_LSB), 12);
    CHECK_EQ(latency_of(TALLY_PDISLAT_DISPATCH_LSB), 3);
    CHECK_EQ(latency_of(TALLY_PDISLAT_ISSUE_LSB), 1);
    CHECK_EQ(latency_of(TALLY_PDISLAT_EXECUTION_LSB), 5);
    CHECK_EQ(latency_of(TALLY_PDISLAT_OLDEST_LSB), 2);
    CHECK_EQ(lat() >> 60, 0xF);
}

static void a_stage_may_be_reached_in_the_cycle_of_selection(void) {
    sampler(64, 1);
    control(ANYWHERE);
    period(0, ALL_ONES);
    in.track.dispatched = in.track.issued = true;
    decodes(OTHER, 0x100);
    in.track.completed = true; /* in the cycle of its end */
    retires();
    CHECK_EQ(lat(), TALLY_PDISLAT_DISPV_MASK | TALLY_PDISLAT_ISSV_MASK | TALLY_PDISLAT_EXECV_MASK | 1 |
                        UINT64_C(1) << TALLY_PDISLAT_EXECUTION_LSB);
}

static void a_stage_that_is_reported_again_changes_nothing(void) {
    sampler(64, 1);
    control(ANYWHERE);
    period(0, ALL_ONES);
    decodes(OTHER, 0x100); /* cycle 0 */
    ticks(1);
    for (unsigned time = 0; time < 2; time++) { /* 2, 3, 4, 5; then all of them again */
        in.track.dispatched = true;
        tick();
        quiet();
        in.track.issued = true;
        tick();
        quiet();
        in.track.completed = true;
        tick();
        quiet();
        in.track.oldest = true;
        tick();
        quiet();
    }
    retires(); /* 10 */
    CHECK_EQ(latency_of(TALLY_PDISLAT_TOTAL_LSB), 10);
    CHECK_EQ(latency_of(TALLY_PDISLAT_DISPATCH_LSB), 2);
    CHECK_EQ(latency_of(TALLY_PDISLAT_ISSUE_LSB), 1);
    CHECK_EQ(latency_of(TALLY_PDISLAT_EXECUTION_LSB), 1);
    CHECK_EQ(latency_of(TALLY_PDISLAT_OLDEST_LSB), 5);
}

static void what_was_not_reached_is_not_valid(void) {
    sampler(64, 1);
    control(ANYWHERE);
    period(0, ALL_ONES);
    decodes(OTHER, 0x100);
    in.track.completed = true; /* not issued: it carries an exception */
    tick();
    quiet();
    in.track.oldest = true;
    tick();
    quiet();
    in.track.trapped = true; /* does not retire: no OLDEST */
    tick();
    quiet();
    CHECK_EQ(lat(), 3);
}

static void latencies_saturate_each_by_itself(void) {
    sampler(64, 1);
    control(ANYWHERE);
    period(0, ALL_ONES);
    decodes(OTHER, 0x100);
    ticks(4999);
    in.track.dispatched = true;
    tick();
    quiet();
    ticks(2);
    in.track.issued = true;
    tick();
    quiet();
    retires();
    CHECK_EQ(latency_of(TALLY_PDISLAT_TOTAL_LSB), 0xFFF);
    CHECK_EQ(latency_of(TALLY_PDISLAT_DISPATCH_LSB), 0xFFF);
    CHECK_EQ(latency_of(TALLY_PDISLAT_ISSUE_LSB), 3);
}

/* ---- the record */

static void what_a_load_did(void) {
    sampler(64, 1);
    control(ANYWHERE | MASK(PA) | MASK(TS));
    in.env.time = 77;
    in.env.mstateen0 &= ~PDIS_BIT; /* it is M-mode's, which reads time */
    in.track.l1miss = in.track.lltlbmiss = in.track.icmiss = true;
    in.track.mispred = true; /* of control transfers only */
    in.track.dsrc = 4;
    in.track.itype = 5;
    in.track.vaddr = 0x1238;
    in.track.paddr = 0x80001238;
    sample(LOAD, 0x100);
    CHECK_EQ(hdrev(),
             LOAD | HDR(L1MISS) | HDR(LLTLBMISS) | HDR(ICMISS) | UINT64_C(4) << TALLY_PDISHDREV_DSRC_LSB);
    CHECK_EQ(word(2), 0x100);
    CHECK_EQ(word(3), 77);
    CHECK_EQ(word(5), 0x1238);
    CHECK_EQ(word(6), 0x80001238);
}

static void what_a_control_transfer_did(void) {
    static const unsigned lsb[16] = {[3] = TALLY_PDISHDREV_TRET_LSB,    [4] = TALLY_PDISHDREV_NTBR_LSB,
                                     [5] = TALLY_PDISHDREV_TKBR_LSB,    [8] = TALLY_PDISHDREV_INDCALL_LSB,
                                     [9] = TALLY_PDISHDREV_DIRCALL_LSB, [10] = TALLY_PDISHDREV_INDJMP_LSB,
                                     [11] = TALLY_PDISHDREV_DIRJMP_LSB, [12] = TALLY_PDISHDREV_CORSWAP_LSB,
                                     [13] = TALLY_PDISHDREV_RET_LSB,    [14] = TALLY_PDISHDREV_INDLJMP_LSB,
                                     [15] = TALLY_PDISHDREV_DIRLJMP_LSB};

    sampler(64, 1);
    control(ANYWHERE);
    for (unsigned itype = 0; itype < 16; itype++) {
        in.track.itype = (uint8_t)itype;
        in.track.mispred = itype & 1;
        in.track.l1miss = true; /* of memory accesses only */
        in.track.target = 0x2000;
        sample(TRANSFER, 0x100);
        CHECK_EQ(hdrev(),
                 TRANSFER | (lsb[itype] ? UINT64_C(1) << lsb[itype] : 0) | (itype & 1 ? HDR(MISPRED) : 0));
        CHECK_EQ(word(5), lsb[itype] && itype != 4 ? 0x2000 : 0);
    }
}

static void who_flushed_it(void) {
    sampler(64, 1);
    control(ANYWHERE | MASK(PA));
    period(0, ALL_ONES);
    decodes(STORE, 0x100);
    in.track.flushed = true;
    in.track.flush_why = 1;
    in.track.flush_pc = 0xF0;
    in.track.vaddr = 0x1238;
    in.track.paddr = 0x80001238;
    tick();
    quiet();
    CHECK_EQ(hdrev(), STORE | HDR(FLUSHED) | UINT64_C(1) << TALLY_PDISHDREV_FLUSH_LSB);
    CHECK_EQ(word(5), 0xF0);
    CHECK_EQ(word(6), 0x1238);
}

static void the_prior_target_is_that_of_the_youngest_older_transfer(void) {
    sampler(64, 4);
    control(ANYWHERE | MASK(EPT));
    in.track.itype = 4;
    sample(TRANSFER, 0x100);
    CHECK_EQ(word(6), 0); /* there was none */

    retire(0, 0x100, UINT64_C(1) << TALLY_EVR_DIR_CALL); /* to 0x200 */
    retire(1, 0x200, UINT64_C(1) << TALLY_EVR_BR_NT);
    in.ret_next_pc = 0x204;
    tick();
    in.track.itype = 4;
    sample(TRANSFER, 0x210);
    CHECK_EQ(word(6), 0x200);

    /* Beside it in the cycle in which it retires, of which it is the last: 0x304 is the sample itself. */
    w(TALLY_CSR_SPDISCOUNTER, ALL_ONES);
    CHECK_EQ(decodes(TRANSFER, 0x304), true);
    retire(0, 0x220, UINT64_C(1) << TALLY_EVR_BR_TK);
    retire(2, 0x304, UINT64_C(1) << TALLY_EVR_BR_TK);
    in.ret_next_pc = 0x400;
    in.track.itype = 5;
    retires();
    CHECK_EQ(word(6), 0x304);

    /* Then it is the prior one; not that of a mode that is not sampled. */
    control(MASK(S) | MASK(EPT));
    retire(0, 0x400, UINT64_C(1) << TALLY_EVR_RETURN);
    tick();
    quiet();
    control(ANYWHERE | MASK(EPT));
    sample(TRANSFER, 0x500);
    CHECK_EQ(word(6), 0x400);
}

static uint64_t recorded_event(void) {
    in.track.ev = UINT64_C(1) << TALLY_EVR_LOAD;
    sample(LOAD, 0x100);
    return hdrev() >> 5 & 1;
}

static void events_of_counters_of_the_same_owner(void) {
    sampler(64, 1);
    control(ANYWHERE | 1 << 5);
    w(event(5), TALLY_EV_INST_LOAD_RET);
    in.env.mstateen0 = UINT64_MAX & ~PDIS_BIT;
    CHECK_EQ(recorded_event(), 1); /* both are M-mode's */
    in.env.mstateen0 = UINT64_MAX;
    CHECK_EQ(recorded_event(), 0);
    w(TALLY_CSR_MCOUNTEREN, 1 << 5);
    CHECK_EQ(recorded_event(), 0);
    in.env.cde = true; /* both are S-mode's */
    CHECK_EQ(recorded_event(), 1);
    in.env.mstateen0 = UINT64_MAX & ~PDIS_BIT;
    CHECK_EQ(recorded_event(), 0);
    in.env.mstateen0 = UINT64_MAX;
    w(TALLY_CSR_MCOUNTINHIBIT, 1 << 5);
    CHECK_EQ(recorded_event(), 0);
    w(TALLY_CSR_MCOUNTINHIBIT, 0);
    w(event(5), TALLY_EV_INST_LOAD_RET | MINH);
    CHECK_EQ(recorded_event(), 0);
    w(event(5), TALLY_EV_INST_STORE_RET);
    CHECK_EQ(recorded_event(), 0);
    w(event(5), TALLY_EV_INST_LOAD_RET);
    control(ANYWHERE);
    CHECK_EQ(recorded_event(), 0);
}

static uint64_t recorded_time(void) {
    in.env.time = 1000;
    in.env.htimedelta = 5;
    sample(OTHER, 0x100);
    return word(3);
}

static void time_is_that_of_who_samples(void) {
    sampler(64, 1);
    cfg.hyp = true;
    start();
    control(ANYWHERE | MASK(TS));
    in.env.mstateen0 &= ~PDIS_BIT;
    CHECK_EQ(recorded_time(), 1000); /* M */
    in.env.mstateen0 |= PDIS_BIT;
    in.env.hstateen0 &= ~PDIS_BIT;
    CHECK_EQ(recorded_time(), 0); /* S, which may not read it */
    w(TALLY_CSR_MCOUNTEREN, 2);
    CHECK_EQ(recorded_time(), 1000);
    in.env.hstateen0 |= PDIS_BIT;
    CHECK_EQ(recorded_time(), 0); /* VS */
    in.env.hcounteren = 2;
    CHECK_EQ(recorded_time(), 1005);
    control(ANYWHERE);
    CHECK_EQ(recorded_time(), 0);
}

/* ---- the end */

static void a_qualified_sample_interrupts_once(void) {
    sampler(64, 1);
    control(ANYWHERE);
    program(3, 0, TALLY_EV_PDIS_SAMPLES);
    sample(OTHER, 0x100);
    CHECK_EQ(out.irq_lcofi, true);
    CHECK_EQ(of(), true);
    CHECK_EQ(csr(M, GP_READ, TALLY_CSR_SCOUNTOVF, 0), 2);
    sample(OTHER, 0x108);
    CHECK_EQ(out.irq_lcofi, false);
    CHECK_EQ(of(), true);
    CHECK_EQ(word(2), 0x108); /* the newest */
    CHECK_EQ(peek(counter(3)), 2);
}

/* What waits to be counted when the core clock stops counts when it runs again: no sample is lost, none
 * twice.
 */
static void samples_are_counted_when_the_clock_runs(void) {
    sampler(64, 1);
    control(ANYWHERE);
    program(3, 0, TALLY_EV_PDIS_SAMPLES);
    period(0, ALL_ONES);
    decodes(OTHER, 0x100);
    in.track.retired = true;
    tick();
    quiet();
    in.mode.halted = true; /* a WFI */
    tick();
    CHECK_EQ(out.irq_lcofi, true);
    tick();
    CHECK_EQ(peek(counter(3)), 0);
    in.mode.halted = false;
    tick();
    CHECK_EQ(peek(counter(3)), 1);
    tick();
    CHECK_EQ(peek(counter(3)), 1);
}

/* "The LCOFI is taken before the next instruction in the same privilege mode retires" (draft, mpdisctl):
 * until it is pending, none may. */
static void nothing_retires_while_a_sample_is_judged(void) {
    sampler(64, 4);
    control(ANYWHERE);
    period(0, ALL_ONES);
    decodes(OTHER, 0x100);
    in.track.retired = true;
    tick();
    CHECK_EQ(out.ret_max, 4);
    CHECK_EQ(out.irq_lcofi, false);
    quiet();
    tick();
    CHECK_EQ(out.ret_max, 0);
    CHECK_EQ(out.irq_lcofi, true);
    tick();
    CHECK_EQ(out.ret_max, 4);
}

static void a_sample_may_end_in_the_cycle_of_its_selection(void) {
    sampler(64, 1);
    control(ANYWHERE);
    period(0, ALL_ONES);
    in.track.flushed = true;
    CHECK_EQ(decodes(OTHER, 0x100), true);
    tick();
    CHECK_EQ(out.end, GP_END_KEPT);
    CHECK_EQ(hdrev(), HDR(FLUSHED));
    CHECK_EQ(lat(), 0);
}

static void of_and_lcofi_are_set_together_and_a_written_of_wins(void) {
    sampler(64, 1);
    control(ANYWHERE);
    period(0, ALL_ONES);
    decodes(OTHER, 0x100);
    in.track.retired = true;
    tick();
    quiet();
    csr(M, GP_CLEAR, TALLY_CSR_MPDISCTL, MASK(OF));
    CHECK_EQ(out.irq_lcofi, true);
    CHECK_EQ(of(), false);
    period(0, ALL_ONES);
    decodes(OTHER, 0x100);
    in.track.retired = true;
    tick();
    quiet();
    csr(M, GP_SET, TALLY_CSR_MPDISCTL, MASK(TS)); /* not OF's bit */
    CHECK_EQ(of(), true);
}

static enum gp_end end_of(unsigned type) {
    struct gp_track track = in.track;

    quiet();
    w(TALLY_CSR_SPDISCOUNTER, ALL_ONES);
    decodes(type, 0x100);
    ticks(3);
    in.track = track;
    retires();
    return out.end;
}

static void the_event_filter(void) {
    sampler(64, 1);
    control(ANYWHERE);
    w(TALLY_CSR_SPDISEVMASK, 7 | HDR(L1MISS));
    w(TALLY_CSR_SPDISEVMATCH, LOAD | HDR(L1MISS) | HDR(DSRC));
    CHECK_EQ(end_of(LOAD), GP_END_FILTERED);
    in.track.l1miss = true;
    CHECK_EQ(end_of(STORE), GP_END_FILTERED);
    in.track.l1miss = true;
    CHECK_EQ(end_of(LOAD), GP_END_KEPT);
    w(TALLY_CSR_SPDISEVMASK, UINT64_MAX);
    CHECK_EQ(peek(TALLY_CSR_SPDISEVMASK), (UINT64_C(1) << 56) - 1);
}

static void the_latency_filter(void) {
    sampler(64, 1);
    control(ANYWHERE);
    w(TALLY_CSR_SPDISFILTER, 4); /* TOTAL is 4 */
    CHECK_EQ(end_of(LOAD), GP_END_KEPT);
    w(TALLY_CSR_SPDISFILTER, 5);
    CHECK_EQ(end_of(LOAD), GP_END_FILTERED);
    w(TALLY_CSR_SPDISFILTER, 5 | TALLY_SPDISFILTER_INV_MASK);
    CHECK_EQ(end_of(LOAD), GP_END_KEPT);
    w(TALLY_CSR_SPDISFILTER, 4 | TALLY_SPDISFILTER_INV_MASK);
    CHECK_EQ(end_of(LOAD), GP_END_FILTERED);
    w(TALLY_CSR_SPDISFILTER, 1 | 3 << TALLY_SPDISFILTER_LATSEL_LSB); /* EXECUTION, not valid: 0 */
    CHECK_EQ(end_of(LOAD), GP_END_FILTERED);
    w(TALLY_CSR_SPDISFILTER, 9 | 5 << TALLY_SPDISFILTER_LATSEL_LSB);
    CHECK_EQ(peek(TALLY_CSR_SPDISFILTER), 9); /* 5 to 7 are 0 */
}

static void inhibition_comes_first(void) {
    sampler(64, 1);
    control(ANYWHERE);
    program(3, 0, TALLY_EV_PDIS_INHIBITED);
    w(TALLY_CSR_SPDISEVMASK, 7);
    period(0, ALL_ONES);
    decodes(LOAD, 0x100);
    w(TALLY_CSR_MCOUNTINHIBIT, 2);
    retires();
    CHECK_EQ(out.end, GP_END_INHIBITED);
    tick();
    CHECK_EQ(peek(counter(3)), 1);
}

/* ---- sample registers */

static void the_sample_registers_of_rv32(void) {
    sampler(32, 1);
    control(ANYWHERE | MASK(PA) | MASK(TS));
    in.env.time = UINT64_C(0x123456789);
    in.env.mstateen0 &= ~PDIS_BIT;
    in.track.vaddr = 0x1238;
    in.track.paddr = UINT64_C(0x380001238);
    in.track.l1miss = true;
    sample(LOAD, 0x104);
    CHECK_EQ(reg(0x60, 1), LOAD);
    CHECK_EQ(reg(0x60, 2), HDR(L1MISS) >> 32);
    CHECK_EQ(reg(0x60, 3), 0x104);
    CHECK_EQ(reg(0x60, 4), 0x23456789);
    CHECK_EQ(reg(0x60, 5), 1);
    CHECK_EQ(reg(0x60, 6), 0);
    CHECK_EQ(reg(0x61, 1), 0x1238);
    CHECK_EQ(reg(0x61, 2), 0x80001238);
    CHECK_EQ(reg(0x61, 3), 0);
}

static void the_sample_registers_hold_what_is_written(void) {
    sampler(64, 1);
    w(TALLY_CSR_SISELECT, 0x60);
    w(TALLY_CSR_SIREG, UINT64_MAX);
    w(TALLY_CSR_SIREG2, UINT64_MAX);
    w(TALLY_CSR_SIREG6, UINT64_MAX);
    CHECK_EQ(hdrev(), ((UINT64_C(1) << 53) - 1) & ~(UINT64_C(3) << 35));
    CHECK_EQ(reg(0x60, 2), ~UINT64_C(1));
    CHECK_EQ(reg(0x60, 6), UINT64_MAX);
    CHECK_EQ(reg(0x61, 1), 0);
    control(MASK(MEM));
    CHECK_EQ(reg(0x60, 6), 0);
    w(TALLY_CSR_SISELECT, 0x60);
    w(TALLY_CSR_SIREG6, 5);
    control(0);
    CHECK_EQ(reg(0x60, 6), 0);
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
    w(TALLY_CSR_SISELECT, 0x60);
    w(TALLY_CSR_VSISELECT, 0x60);
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
    w(TALLY_CSR_SISELECT, 0x60);
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

static void decoded_instructions_are_events(void) {
    static const uint64_t events[] = {TALLY_EV_INST_DEC_SPEC, TALLY_EV_INST_DEC_BRJMP_SPEC,
                                      TALLY_EV_INST_DEC_LOAD_SPEC, TALLY_EV_INST_DEC_STORE_SPEC,
                                      TALLY_EV_INST_DEC_LDST_SPEC};
    /* of one instruction of each type: other, load, store, both, transfer */
    static const uint64_t want[] = {5, 1, 2, 2, 3};

    sampler(64, 1);
    for (unsigned k = 0; k < 5; k++)
        program(3 + k, 0, events[k]);
    for (unsigned type = OTHER; type <= TRANSFER; type++)
        decodes(type, 0x100);
    tick(); /* they count a cycle later */
    for (unsigned k = 0; k < 5; k++)
        CHECK_EQ(peek(counter(3 + k)), want[k]);

    /* ... in which the core clock runs, and once. */
    decode(0, LOAD, 0x100);
    tick();
    quiet();
    in.mode.halted = true;
    tick();
    tick();
    CHECK_EQ(peek(counter(3)), want[0]);
    in.mode.halted = false;
    tick();
    CHECK_EQ(peek(counter(3)), want[0] + 1);
    tick();
    CHECK_EQ(peek(counter(3)), want[0] + 1);
}

/* ---- the buffer */

#define SIZE(n) ((uint64_t)(n) << TALLY_SPDISAMBCS_SIZE_LSB)
#define BMITH(n) ((uint64_t)(n) << TALLY_SPDISAMBCS_BMITH_LSB)

/* A host that lets every page be written: what is asked for without translation is answered. */
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

/* All that is in the queue goes to memory: one word a cycle, each done a cycle later. LAMBI on the way? */
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
    tick(); /* state shows the need, the request stands from the next cycle on */
    tick();
    CHECK_EQ(out.xlat_req, true);
    CHECK_EQ(out.xlat_vaddr, vaddr);
    in.xlat_done = true;
    in.xlat_fault = fault;
    in.xlat_paddr = paddr;
    tick();
    quiet();
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
        in.rec_done = true; /* each in the cycle of the next */
    }
    CHECK_EQ(where(), 0x80001000); /* not before the last is done: in this cycle */
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
    quiet();
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
    CHECK_EQ(one_more(), GP_END_DROPPED); /* nothing is translated */
    in.rec_ready = false;
    CHECK_EQ(out.xlat_mode, 1);
    in.xlat_done = true;
    in.xlat_paddr = 0x80005000;
    tick();
    quiet();
    CHECK_EQ(cs() & CS(TRV), 0);
    answered(0x40000000, 0x80009000, false); /* the page after the last is the first */
    CHECK_EQ(cs() & CS(TRV), CS(TRV));
    CHECK_EQ(one_more(), GP_END_KEPT);
    CHECK_EQ(one_more(), GP_END_KEPT); /* in the other page already */
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
    CHECK_EQ(one_more(), GP_END_KEPT); /* what is translated stays in use */
    ticks(5);
    CHECK_EQ(out.xlat_req, false);
    csr(M, GP_CLEAR, TALLY_CSR_SPDISAMBCS, CS(TF));
    answered(0x40002000, 0x80006000, false);
    CHECK_EQ(cs() & CS(TRV), CS(TRV));
}

/* Without translation the host is asked all the same: PMP holds for M-mode too, where it is locked. */
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
    quiet();
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
        default: /* not this */
            csr(M, GP_CLEAR, TALLY_CSR_SPDISAMBCS, CS(BMI));
            break;
        }
        CHECK_EQ(cs() & CS(TRV), how == 5 ? CS(TRV) : 0);
        /* What was accepted is written where it belonged. */
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
    in.env.tlb_inval = in.xlat_done = true; /* the answer comes too late */
    tick();
    in.env.tlb_inval = false;
    quiet();
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
    w(TALLY_CSR_SPDISAMBADDR, 0x80002000); /* in the cycle of the last done */
    quiet();
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

int main(void) {
    static const struct test tests[] = {
        TEST(the_cause_is_the_lane_that_wraps),
        TEST(the_lowest_counter_is_recorded),
        TEST(only_the_first_overflow_before_the_trap_is_recorded),
        TEST(a_second_overflow_of_the_same_counter_records_nothing),
        TEST(under_delegation_machine_counters_record_nothing),
        TEST(an_andes_overflow_records_nothing),
        TEST(cycles_belong_to_who_exposes_them),
        TEST(a_write_of_shpmspc_wins),
        TEST(who_may_read_shpmspc),
        TEST(retirement_is_limited_before_a_wrap),
        TEST(the_overflowing_instruction_is_the_sample),
        TEST(no_decode_is_lost_at_an_overflow),
        TEST(the_type_is_selected),
        TEST(the_mode_is_selected),
        TEST(nothing_is_counted_while_inhibited_halted_or_in_debug_mode),
        TEST(an_overflow_during_a_sample_is_a_collision),
        TEST(a_write_of_count_wins),
        TEST(acceleration_takes_the_next_one_after_a_discarded_sample),
        TEST(latencies_are_differences_of_cycles),
        TEST(a_stage_may_be_reached_in_the_cycle_of_selection),
        TEST(a_stage_that_is_reported_again_changes_nothing),
        TEST(what_was_not_reached_is_not_valid),
        TEST(latencies_saturate_each_by_itself),
        TEST(what_a_load_did),
        TEST(what_a_control_transfer_did),
        TEST(who_flushed_it),
        TEST(the_prior_target_is_that_of_the_youngest_older_transfer),
        TEST(events_of_counters_of_the_same_owner),
        TEST(time_is_that_of_who_samples),
        TEST(a_qualified_sample_interrupts_once),
        TEST(samples_are_counted_when_the_clock_runs),
        TEST(nothing_retires_while_a_sample_is_judged),
        TEST(a_sample_may_end_in_the_cycle_of_its_selection),
        TEST(of_and_lcofi_are_set_together_and_a_written_of_wins),
        TEST(the_event_filter),
        TEST(the_latency_filter),
        TEST(inhibition_comes_first),
        TEST(the_sample_registers_of_rv32),
        TEST(the_sample_registers_hold_what_is_written),
        TEST(who_may_touch_sampling),
        TEST(the_views_of_the_control_register),
        TEST(sampling_goes_on_where_access_is_refused),
        TEST(registers_hold_what_they_can),
        TEST(decoded_instructions_are_events),
        TEST(hardwired_fields),
        TEST(bits_one_of_the_counters_words),
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

    return run_tests("golden_pmu_sampling", tests, sizeof(tests) / sizeof(tests[0]));
}
