/*
 * The golden PMU alone: a directed test a rule. Random lockstep shows that model and RTL agree; these show
 * that what they agree on is what the documents say. Each test is named after its rule.
 */
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

#define OF (UINT64_C(1) << 63)
#define MINH (UINT64_C(1) << 62)
#define SINH (UINT64_C(1) << 61)
#define UINH (UINT64_C(1) << 60)
#define VSINH (UINT64_C(1) << 59)
#define INST (UINT64_C(1) << TALLY_EVR_INST)

/* ---- a unit on the bench */

static struct gp_config cfg;
static struct gp *pmu;
static struct gp_in in;
static struct gp_out out;

enum mode { M, S, U, VS, VU };

static void start(void) {
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

static void defaults(void) {
    gp_config_default(&cfg);
    start();
}

static void set_priv(enum mode mode, uint8_t *priv, bool *v) {
    *priv = mode == M ? GP_M : mode == S || mode == VS ? GP_S : GP_U;
    *v = mode >= VS;
}

static void run_in(enum mode mode) { set_priv(mode, &in.mode.priv, &in.mode.v); }

/* A clock cycle; `out` is what the unit showed in it. */
static void tick(void) {
    gp_eval(pmu, &in, &out);
    gp_clock(pmu, &in);
}

static void ticks(unsigned n) {
    while (n--)
        tick();
}

/* A CSR instruction in its cycle, with whatever else `in` says. Returns the old value. */
static uint64_t csr(enum mode mode, unsigned op, unsigned num, uint64_t wdata) {
    in.csr = (struct gp_csr){.valid = true, .op = (uint8_t)op, .num = (uint16_t)num, .wdata = wdata};
    set_priv(mode, &in.csr.priv, &in.csr.v);
    tick();
    in.csr.valid = false;
    return out.csr_rdata;
}

static void w(unsigned num, uint64_t value) { csr(M, GP_WRITE, num, value); }

static enum gp_answer answer(enum mode mode, unsigned op, unsigned num) {
    struct gp_csr c = {.op = (uint8_t)op, .num = (uint16_t)num};

    set_priv(mode, &c.priv, &c.v);
    return gp_csr_answer(pmu, &c, &in.env, NULL);
}

static uint64_t peek(unsigned num) { return gp_peek(pmu, num); }

static unsigned event(unsigned i) { return TALLY_CSR_MCOUNTINHIBIT + i; }

static unsigned counter(unsigned i) { return TALLY_CSR_MCYCLE + i; }

/* Counter i stands at `value` and counts `selector`. */
static void program(unsigned i, uint64_t value, uint64_t selector) {
    w(event(i), selector);
    w(counter(i), value);
}

/* ---- facts 1 and 13: base */

static void reset_is_all_zero(void) {
    defaults();
    ticks(5);
    w(event(3), TALLY_EV_INST_RET | OF);
    gp_reset(pmu);
    for (unsigned i = 0; i < 32; i++) {
        CHECK_EQ(peek(counter(i)), 0);
        CHECK_EQ(peek(event(i)), 0);
    }
    CHECK_EQ(peek(TALLY_CSR_MCOUNTEREN), 0);
}

static void cycle_counts_and_stops_while_halted(void) {
    defaults();
    ticks(10);
    CHECK_EQ(peek(TALLY_CSR_MCYCLE), 10);
    in.mode.halted = true;
    ticks(10);
    CHECK_EQ(peek(TALLY_CSR_MCYCLE), 10);
}

static void bus_cycles_count_while_halted_and_reference_cycles_do_not(void) {
    defaults();
    program(3, 0, TALLY_EV_CYCLES_BUS);
    program(4, 0, TALLY_EV_CYCLES_REF);
    w(counter(3), 0);
    in.mode.halted = true;
    uint64_t ref = peek(counter(4));
    ticks(7);
    CHECK_EQ(peek(counter(3)), 7);
    CHECK_EQ(peek(counter(4)), ref);
}

static void debug_mode_freezes_everything(void) {
    defaults();
    program(3, 0, TALLY_EV_CYCLES_BUS);
    uint64_t cycles = peek(TALLY_CSR_MCYCLE), bus = peek(counter(3));
    in.mode.debug = true;
    in.ev_retire[0] = INST;
    ticks(5);
    CHECK_EQ(peek(TALLY_CSR_MCYCLE), cycles);
    CHECK_EQ(peek(TALLY_CSR_MINSTRET), 0);
    CHECK_EQ(peek(counter(3)), bus);
}

static void written_minstret_is_what_the_next_instruction_reads(void) {
    defaults();
    in.ev_retire[0] = INST; /* every instruction here is a CSR instruction that retires */
    w(TALLY_CSR_MINSTRET, 1000);
    CHECK_EQ(csr(M, GP_READ, TALLY_CSR_MINSTRET, 0), 1000);
    CHECK_EQ(csr(M, GP_READ, TALLY_CSR_MINSTRET, 0), 1001);
}

static void reads_with_op_read_are_no_writes(void) {
    defaults();
    in.ev_retire[0] = INST;
    w(TALLY_CSR_MINSTRET, 5);
    csr(M, GP_READ, TALLY_CSR_MINSTRET, UINT64_MAX);
    CHECK_EQ(peek(TALLY_CSR_MINSTRET), 6);
    csr(M, GP_SET, TALLY_CSR_MINSTRET, 0); /* a non-x0 register that holds 0: a write */
    CHECK_EQ(peek(TALLY_CSR_MINSTRET), 6);
}

static void writer_of_mcountinhibit_is_counted_under_the_old_value(void) {
    defaults();
    in.ev_retire[0] = INST;
    w(TALLY_CSR_MCOUNTINHIBIT, 4);
    CHECK_EQ(peek(TALLY_CSR_MINSTRET), 1);
    w(TALLY_CSR_MCOUNTINHIBIT, 0);
    CHECK_EQ(peek(TALLY_CSR_MINSTRET), 1);
    tick();
    CHECK_EQ(peek(TALLY_CSR_MINSTRET), 2);
}

static void writable_bits_of_the_enables(void) {
    defaults();
    cfg.hpm_n = 6;
    start();
    w(TALLY_CSR_MCOUNTEREN, UINT64_MAX);
    w(TALLY_CSR_SCOUNTEREN, UINT64_MAX);
    w(TALLY_CSR_MCOUNTINHIBIT, UINT64_MAX);
    CHECK_EQ(peek(TALLY_CSR_MCOUNTEREN), 0x1FF);
    CHECK_EQ(peek(TALLY_CSR_SCOUNTEREN), 0x1FF); /* Sscounterenw */
    CHECK_EQ(peek(TALLY_CSR_MCOUNTINHIBIT), 0x1FD);
}

static void absent_counters_read_0(void) {
    defaults();
    cfg.hpm_n = 6;
    start();
    program(9, 5, TALLY_EV_CYCLES_HART);
    tick();
    CHECK_EQ(answer(M, GP_READ, counter(9)), GP_CSR_OK);
    CHECK_EQ(peek(counter(9)), 0);
    CHECK_EQ(peek(event(9)), 0);
}

static void width_bounds_the_counter_and_its_overflow(void) {
    static const unsigned widths[] = {1, 2, 31, 32, 33, 48, 63, 64};

    for (unsigned k = 0; k < sizeof(widths) / sizeof(widths[0]); k++) {
        defaults();
        cfg.hpm_w = widths[k];
        start();
        uint64_t max = UINT64_MAX >> (64 - widths[k]);
        program(3, UINT64_MAX, TALLY_EV_CYCLES_HART);
        CHECK_EQ(peek(counter(3)), max);
        tick();
        CHECK_EQ(out.irq_lcofi, 1);
        CHECK_EQ(peek(counter(3)), 0);
        CHECK_EQ(peek(event(3)) >> 63, 1);
    }
}

static void rv32_halves(void) {
    defaults();
    cfg.xlen = 32;
    start();
    w(TALLY_CSR_MCOUNTINHIBIT, 1);
    w(TALLY_CSR_MCYCLE, 0x11111111);
    w(TALLY_CSR_MCYCLEH, 0x22222222);
    CHECK_EQ(peek(TALLY_CSR_MCYCLE), UINT64_C(0x2222222211111111));
    CHECK_EQ(csr(M, GP_READ, TALLY_CSR_MCYCLEH, 0), 0x22222222);
    CHECK_EQ(csr(M, GP_READ, TALLY_CSR_MCYCLE, 0), 0x11111111);
    w(TALLY_CSR_MCOUNTINHIBIT, 0);
    w(TALLY_CSR_MCYCLE, UINT32_MAX);
    w(TALLY_CSR_MCYCLEH, 0); /* a write of either half suppresses the increment of both */
    CHECK_EQ(peek(TALLY_CSR_MCYCLE), UINT32_MAX);
    tick();
    CHECK_EQ(peek(TALLY_CSR_MCYCLE), UINT64_C(0x100000000));
}

static void high_halves_exist_on_rv32_only(void) {
    defaults();
    for (enum mode m = M; m <= U; m++) {
        CHECK_EQ(answer(m, GP_READ, TALLY_CSR_MCYCLEH), GP_CSR_NOT_MINE);
        CHECK_EQ(answer(m, GP_READ, TALLY_CSR_CYCLEH), GP_CSR_NOT_MINE);
        CHECK_EQ(answer(m, GP_READ, TALLY_CSR_MHPMEVENT3H), GP_CSR_NOT_MINE);
    }
    cfg.xlen = 32;
    cfg.sscofpmf = false;
    start();
    CHECK_EQ(answer(M, GP_READ, TALLY_CSR_MHPMEVENT3H), GP_CSR_NOT_MINE);
    CHECK_EQ(answer(M, GP_READ, TALLY_CSR_MCYCLECFGH), GP_CSR_OK);
}

/* Facts 1.3, every row of the table. */
static void who_may_read_a_user_counter(void) {
    defaults();
    cfg.hyp = true;
    start();
    for (unsigned bits = 0; bits < 8; bits++) {
        bool mc = bits & 1, hc = bits & 2, sc = bits & 4;

        w(TALLY_CSR_MCOUNTEREN, mc ? 8 : 0);
        w(TALLY_CSR_SCOUNTEREN, sc ? 8 : 0);
        in.env.hcounteren = hc ? 8 : 0;
        CHECK_EQ(answer(M, GP_READ, 0xC03), GP_CSR_OK);
        CHECK_EQ(answer(S, GP_READ, 0xC03), mc ? GP_CSR_OK : GP_CSR_ILLEGAL);
        CHECK_EQ(answer(U, GP_READ, 0xC03), mc && sc ? GP_CSR_OK : GP_CSR_ILLEGAL);
        CHECK_EQ(answer(VS, GP_READ, 0xC03), !mc ? GP_CSR_ILLEGAL : hc ? GP_CSR_OK : GP_CSR_VIRTUAL);
        CHECK_EQ(answer(VU, GP_READ, 0xC03), !mc ? GP_CSR_ILLEGAL : hc && sc ? GP_CSR_OK : GP_CSR_VIRTUAL);
        for (enum mode m = M; m <= VU; m++)
            CHECK_EQ(answer(m, GP_WRITE, 0xC03), GP_CSR_ILLEGAL);
    }
}

static void time_has_htimedelta_in_guests(void) {
    defaults();
    cfg.hyp = true;
    start();
    in.env.time = 100;
    in.env.htimedelta = 23;
    in.env.hcounteren = 2;
    w(TALLY_CSR_MCOUNTEREN, 2);
    CHECK_EQ(csr(S, GP_READ, TALLY_CSR_TIME, 0), 100);
    CHECK_EQ(csr(VS, GP_READ, TALLY_CSR_TIME, 0), 123);
    CHECK_EQ(answer(M, GP_READ, 0xB01), GP_CSR_NOT_MINE);
}

static void unsupported_selectors_read_back_0(void) {
    defaults();
    w(event(3), TALLY_EV_INST_RET);
    CHECK_EQ(peek(event(3)), TALLY_EV_INST_RET);
    w(event(3), 0x19);
    CHECK_EQ(peek(event(3)), 0);
    w(event(3), TALLY_EV_INST_RET | UINT64_C(1) << 55 | MINH);
    CHECK_EQ(peek(event(3)), MINH);
    w(event(3), UINT64_C(3) << 56); /* 57:56 are nothing */
    CHECK_EQ(peek(event(3)), 0);
}

/* ---- lanes and counts */

static void lanes_are_added(void) {
    defaults();
    cfg.retire_w = 4;
    start();
    program(3, 0, TALLY_EV_INST_LDST_RET);
    in.ev_retire[0] = INST | UINT64_C(1) << TALLY_EVR_LOAD;
    in.ev_retire[1] = INST | UINT64_C(1) << TALLY_EVR_LOAD | UINT64_C(1) << TALLY_EVR_STORE; /* once a lane */
    in.ev_retire[2] = INST;
    in.ev_retire[3] = INST | UINT64_C(1) << TALLY_EVR_AMO;
    tick();
    CHECK_EQ(peek(counter(3)), 3);
    CHECK_EQ(peek(TALLY_CSR_MINSTRET), 4);
}

static void cycle_events_add_their_counts(void) {
    defaults();
    cfg.evc_w = 3;
    start();
    program(3, 0, TALLY_EV_BUS_WR);
    for (unsigned n = 0; n < 8; n++) {
        unsigned at = TALLY_EVC_BUS_WR * 3;
        uint64_t before = peek(counter(3));

        memset(in.ev_cycle, 0, sizeof(in.ev_cycle));
        in.ev_cycle[at / 64] |= (uint64_t)n << at % 64;
        if (at % 64 > 61)
            in.ev_cycle[at / 64 + 1] |= (uint64_t)n >> (64 - at % 64);
        tick();
        CHECK_EQ(peek(counter(3)) - before, n);
    }
}

static void events_with_conditions(void) {
    defaults();
    program(3, 0, TALLY_EV_INST_MISPRED_BRANCH_RET);
    program(4, 0, TALLY_EV_CACHE_L1D_RW_HIT_RET);
    in.ev_retire[0] = INST | UINT64_C(1) << TALLY_EVR_BR_TK;
    tick();
    CHECK_EQ(peek(counter(3)), 0);
    in.ev_retire[0] |= UINT64_C(1) << TALLY_EVR_MISPRED;
    tick();
    CHECK_EQ(peek(counter(3)), 1);
    in.ev_retire[0] = INST | UINT64_C(1) << TALLY_EVR_L1D_RD;
    tick();
    CHECK_EQ(peek(counter(4)), 1);
    in.ev_retire[0] |= UINT64_C(1) << TALLY_EVR_L1D_RD_MISS;
    tick();
    CHECK_EQ(peek(counter(4)), 1);
}

static void software_event_counts_the_write_that_raises_it(void) {
    defaults();
    program(3, UINT64_MAX, TALLY_EV_SOFTWARE);
    csr(S, GP_WRITE, TALLY_CSR_SHPMSWINC, 2);
    CHECK_EQ(out.irq_lcofi, 0);
    csr(S, GP_SET, TALLY_CSR_SHPMSWINC, 1);
    CHECK_EQ(out.irq_lcofi, 1);
    CHECK_EQ(out.csr_rdata, 0);
    CHECK_EQ(peek(counter(3)), 0);
    CHECK_EQ(answer(U, GP_WRITE, TALLY_CSR_SHPMSWINC), GP_CSR_ILLEGAL);
    in.env.mstateen0 = ~UINT64_C(1);
    CHECK_EQ(answer(S, GP_WRITE, TALLY_CSR_SHPMSWINC), GP_CSR_ILLEGAL);
}

/* ---- facts 2: Sscofpmf */

static void overflow_requests_once(void) {
    defaults();
    program(3, UINT64_MAX, TALLY_EV_CYCLES_HART);
    tick();
    CHECK_EQ(out.irq_lcofi, 1);
    CHECK_EQ(peek(TALLY_CSR_SCOUNTOVF), 8);
    w(counter(3), UINT64_MAX);
    tick(); /* OF is 1 already */
    CHECK_EQ(out.irq_lcofi, 0);
    CHECK_EQ(peek(counter(3)), 0);
    csr(M, GP_CLEAR, event(3), OF);
    w(counter(3), UINT64_MAX);
    tick();
    CHECK_EQ(out.irq_lcofi, 1);
}

static void writes_never_overflow(void) {
    defaults();
    program(3, UINT64_MAX, TALLY_EV_CYCLES_HART);
    w(counter(3), 0); /* in the very cycle in which it would have wrapped */
    CHECK_EQ(out.irq_lcofi, 0);
    CHECK_EQ(peek(event(3)) >> 63, 0);
    w(event(3), OF);
    CHECK_EQ(out.irq_lcofi, 0);
}

static void increments_above_one_overflow_by_the_carry(void) {
    for (unsigned distance = 1; distance <= 10; distance++) {
        defaults();
        cfg.retire_w = 8;
        start();
        program(3, -(uint64_t)distance, TALLY_EV_INST_RET);
        for (unsigned lane = 0; lane < 8; lane++)
            in.ev_retire[lane] = INST;
        tick();
        CHECK_EQ(out.irq_lcofi, distance <= 8);
        CHECK_EQ(peek(counter(3)), 8 - (uint64_t)distance);
    }
}

static void event_written_as_it_overflows(void) {
    defaults();
    program(3, UINT64_MAX, TALLY_EV_CYCLES_HART);
    w(event(3), TALLY_EV_CYCLES_HART); /* OF written 0: wins, and the request still pends */
    CHECK_EQ(out.irq_lcofi, 1);
    CHECK_EQ(peek(event(3)), TALLY_EV_CYCLES_HART);
    CHECK_EQ(peek(counter(3)), 0);
    program(3, UINT64_MAX, TALLY_EV_CYCLES_HART);
    csr(M, GP_SET, event(3), MINH); /* OF not written: the hardware's stays */
    CHECK_EQ(peek(event(3)), TALLY_EV_CYCLES_HART | MINH | OF);
}

static void rv32_low_half_of_an_event_leaves_of_alone(void) {
    defaults();
    cfg.xlen = 32;
    start();
    w(event(3), TALLY_EV_CYCLES_HART);
    w(TALLY_CSR_MHPMCOUNTER3H, UINT32_MAX);
    w(counter(3), UINT32_MAX);
    w(event(3), TALLY_EV_INST_RET);
    CHECK_EQ(out.irq_lcofi, 1);
    CHECK_EQ(peek(event(3)), TALLY_EV_INST_RET | OF);
    w(TALLY_CSR_MHPMEVENT3H, 0x7FFFFFFF); /* selector bits are not there */
    CHECK_EQ(peek(event(3)), TALLY_EV_INST_RET | MINH | SINH | UINH);
}

static void mcycle_and_minstret_never_request(void) {
    defaults();
    w(TALLY_CSR_MCYCLE, UINT64_MAX);
    tick();
    CHECK_EQ(out.irq_lcofi, 0);
    CHECK_EQ(peek(TALLY_CSR_MCYCLE), 0);
}

static void scountovf_shows_what_the_mode_may_see(void) {
    defaults();
    cfg.hyp = true;
    start();
    w(event(3), OF);
    w(event(4), OF);
    w(event(5), OF);
    w(TALLY_CSR_MCOUNTEREN, 0x18);
    in.env.hcounteren = 0x30;
    CHECK_EQ(csr(M, GP_READ, TALLY_CSR_SCOUNTOVF, 0), 0x38);
    CHECK_EQ(csr(S, GP_READ, TALLY_CSR_SCOUNTOVF, 0), 0x18);
    CHECK_EQ(csr(VS, GP_READ, TALLY_CSR_SCOUNTOVF, 0), 0x10);
    CHECK_EQ(answer(U, GP_READ, TALLY_CSR_SCOUNTOVF), GP_CSR_ILLEGAL);
    CHECK_EQ(answer(VU, GP_READ, TALLY_CSR_SCOUNTOVF), GP_CSR_VIRTUAL);
    for (enum mode m = M; m <= VU; m++)
        CHECK_EQ(answer(m, GP_SET, TALLY_CSR_SCOUNTOVF), GP_CSR_ILLEGAL);
    in.env.cde = true;
    CHECK_EQ(answer(VS, GP_READ, TALLY_CSR_SCOUNTOVF), GP_CSR_VIRTUAL);
}

static void filters_by_mode(void) {
    static const uint64_t filter[] = {MINH, SINH, UINH, VSINH, UINT64_C(1) << 58};

    defaults();
    cfg.hyp = true;
    start();
    for (enum mode f = M; f <= VU; f++) {
        run_in(M);
        program(3, 0, TALLY_EV_CYCLES_HART | filter[f]);
        w(TALLY_CSR_MCYCLECFG, filter[f]);
        for (enum mode m = M; m <= VU; m++) {
            uint64_t before = peek(counter(3)), cycles = peek(TALLY_CSR_MCYCLE);

            run_in(m);
            tick();
            CHECK_EQ(peek(counter(3)) - before, m != f);
            CHECK_EQ(peek(TALLY_CSR_MCYCLE) - cycles, m != f);
        }
    }
}

static void filters_of_missing_modes_are_read_only_0(void) {
    defaults();
    w(event(3), UINT64_C(0x7C) << 56);
    CHECK_EQ(peek(event(3)), MINH | SINH | UINH);
    w(TALLY_CSR_MCYCLECFG, UINT64_MAX);
    CHECK_EQ(peek(TALLY_CSR_MCYCLECFG), MINH | SINH | UINH);
}

/* ---- facts 4 and 5: indirect access, delegation */

static void indirect_access_exceptions_in_order(void) {
    defaults();
    cfg.hyp = true;
    start();
    in.env.cde = true;
    w(TALLY_CSR_MCOUNTEREN, 8);
    w(TALLY_CSR_SISELECT, 0x43);
    w(TALLY_CSR_VSISELECT, 0x43);
    CHECK_EQ(answer(S, GP_READ, TALLY_CSR_SIREG), GP_CSR_OK);
    CHECK_EQ(answer(M, GP_READ, TALLY_CSR_SIREG), GP_CSR_OK);
    CHECK_EQ(answer(U, GP_READ, TALLY_CSR_SIREG), GP_CSR_ILLEGAL);
    CHECK_EQ(answer(VU, GP_READ, TALLY_CSR_SIREG), GP_CSR_VIRTUAL);
    CHECK_EQ(answer(VS, GP_READ, TALLY_CSR_SIREG), GP_CSR_VIRTUAL);
    CHECK_EQ(answer(VS, GP_READ, TALLY_CSR_SISELECT), GP_CSR_OK);
    CHECK_EQ(answer(VS, GP_READ, TALLY_CSR_VSISELECT), GP_CSR_VIRTUAL);
    CHECK_EQ(answer(S, GP_READ, TALLY_CSR_VSISELECT), GP_CSR_OK);
    CHECK_EQ(answer(S, GP_READ, TALLY_CSR_VSIREG), GP_CSR_ILLEGAL);
    CHECK_EQ(answer(M, GP_READ, TALLY_CSR_MIREG), GP_CSR_ILLEGAL);
    in.env.hstateen0 = 0;
    CHECK_EQ(answer(VS, GP_READ, TALLY_CSR_SISELECT), GP_CSR_VIRTUAL);
    in.env.mstateen0 = 0;
    CHECK_EQ(answer(VS, GP_READ, TALLY_CSR_SISELECT), GP_CSR_ILLEGAL);
    CHECK_EQ(answer(VU, GP_READ, TALLY_CSR_SIREG), GP_CSR_ILLEGAL);
    CHECK_EQ(answer(S, GP_READ, TALLY_CSR_SISELECT), GP_CSR_ILLEGAL);
    CHECK_EQ(answer(M, GP_READ, TALLY_CSR_SISELECT), GP_CSR_OK);
}

static void siselect_with_v_is_vsiselect(void) {
    defaults();
    cfg.hyp = true;
    start();
    csr(VS, GP_WRITE, TALLY_CSR_SISELECT, 0x123);
    csr(S, GP_WRITE, TALLY_CSR_SISELECT, UINT64_MAX);
    CHECK_EQ(peek(TALLY_CSR_VSISELECT), 0x123);
    CHECK_EQ(peek(TALLY_CSR_SISELECT), 0xFFF);
}

static void delegated_windows(void) {
    static const enum gp_answer want64[] = {GP_CSR_OK,      GP_CSR_OK,      GP_CSR_ILLEGAL,
                                            GP_CSR_ILLEGAL, GP_CSR_ILLEGAL, GP_CSR_ILLEGAL};
    static const enum gp_answer want32[] = {GP_CSR_OK, GP_CSR_OK, GP_CSR_ILLEGAL,
                                            GP_CSR_OK, GP_CSR_OK, GP_CSR_ILLEGAL};
    static const uint16_t window[] = {0x151, 0x152, 0x153, 0x155, 0x156, 0x157};

    for (cfg.xlen = 32; cfg.xlen <= 64; cfg.xlen += 32) {
        unsigned xlen = cfg.xlen;

        gp_config_default(&cfg);
        cfg.xlen = xlen;
        start();
        w(TALLY_CSR_MCOUNTEREN, UINT32_MAX);
        for (unsigned i = 0; i < 32; i++) {
            w(TALLY_CSR_SISELECT, 0x40 + i);
            for (unsigned k = 0; k < 6; k++) {
                enum gp_answer want = i == 1 ? GP_CSR_ILLEGAL : (xlen == 64 ? want64 : want32)[k];

                in.env.cde = true;
                CHECK_EQ(answer(S, GP_READ, window[k]), want);
                CHECK_EQ(answer(M, GP_WRITE, window[k]), want);
                in.env.cde = false;
                CHECK_EQ(answer(S, GP_READ, window[k]), GP_CSR_ILLEGAL);
                CHECK_EQ(answer(M, GP_READ, window[k]), GP_CSR_ILLEGAL);
            }
        }
    }
}

static void delegated_views_alias_the_machine_registers(void) {
    defaults();
    in.env.cde = true;
    w(TALLY_CSR_MCOUNTEREN, 9);
    w(event(3), MINH | TALLY_EV_INST_RET);
    csr(S, GP_WRITE, TALLY_CSR_SISELECT, 0x43);
    CHECK_EQ(csr(S, GP_READ, TALLY_CSR_SIREG2, 0), TALLY_EV_INST_RET); /* MINH is hidden */
    csr(S, GP_WRITE, TALLY_CSR_SIREG2, OF | SINH | TALLY_EV_CYCLES_HART);
    CHECK_EQ(peek(event(3)), OF | MINH | SINH | TALLY_EV_CYCLES_HART); /* ... and kept */
    csr(S, GP_WRITE, TALLY_CSR_SIREG, 77);
    CHECK_EQ(peek(counter(3)), 77);
    csr(S, GP_WRITE, TALLY_CSR_SISELECT, 0x40);
    csr(S, GP_WRITE, TALLY_CSR_SIREG2, UINT64_MAX);
    CHECK_EQ(peek(TALLY_CSR_MCYCLECFG), SINH | UINH);
}

static void scountinhibit_touches_delegated_bits_only(void) {
    defaults();
    cfg.hyp = true;
    start();
    CHECK_EQ(answer(M, GP_READ, TALLY_CSR_SCOUNTINHIBIT), GP_CSR_ILLEGAL);
    CHECK_EQ(answer(VS, GP_READ, TALLY_CSR_SCOUNTINHIBIT), GP_CSR_ILLEGAL);
    in.env.cde = true;
    CHECK_EQ(answer(VS, GP_READ, TALLY_CSR_SCOUNTINHIBIT), GP_CSR_VIRTUAL);
    CHECK_EQ(answer(VU, GP_READ, TALLY_CSR_SCOUNTINHIBIT), GP_CSR_VIRTUAL);
    CHECK_EQ(answer(U, GP_READ, TALLY_CSR_SCOUNTINHIBIT), GP_CSR_ILLEGAL);
    w(TALLY_CSR_MCOUNTEREN, 0x0F);
    w(TALLY_CSR_MCOUNTINHIBIT, 0xF4);
    CHECK_EQ(csr(S, GP_WRITE, TALLY_CSR_SCOUNTINHIBIT, 0x18), 4);
    CHECK_EQ(peek(TALLY_CSR_MCOUNTINHIBIT), 0xF8);
    CHECK_EQ(csr(S, GP_READ, TALLY_CSR_SCOUNTINHIBIT, 0), 8);
}

/* ---- the Andes view: rulings 1 and 2 */

static void andes_masks_count_where_they_are_1(void) {
    defaults();
    cfg.andes = true;
    start();
    CHECK_EQ(peek(TALLY_CSR_MCOUNTERMASK_S), 0xFFFFFFFD);
    w(TALLY_CSR_MCOUNTERMASK_S, 0xFFFFFFF5);
    CHECK_EQ(peek(event(3)), SINH);
    w(event(4), SINH);
    CHECK_EQ(peek(TALLY_CSR_MCOUNTERMASK_S), 0xFFFFFFE5);
    cfg.andes_silicon = true;
    start();
    CHECK_EQ(peek(TALLY_CSR_MCOUNTERMASK_U), 0);
    w(TALLY_CSR_MCOUNTERMASK_U, 0x5);
    CHECK_EQ(peek(TALLY_CSR_MCYCLECFG), UINH);
    CHECK_EQ(peek(TALLY_CSR_MINSTRETCFG), UINH);
}

static void andes_enable_takes_the_request_from_lcofi(void) {
    defaults();
    cfg.andes = true;
    start();
    program(3, UINT64_MAX, TALLY_EV_CYCLES_HART);
    w(TALLY_CSR_MCOUNTERINEN, 0); /* the counter wraps in this cycle: the old value, 0, sends it to LCOFI */
    CHECK_EQ(out.irq_lcofi, 1);
    CHECK_EQ(out.irq_andes, 0);
    w(TALLY_CSR_MCOUNTEROVF, 8);
    w(TALLY_CSR_MCOUNTERINEN, 9);
    program(3, UINT64_MAX, TALLY_EV_CYCLES_HART);
    tick();
    CHECK_EQ(out.irq_lcofi, 0);
    CHECK_EQ(out.irq_andes, 1);
    w(TALLY_CSR_MCYCLE, UINT64_MAX);
    tick();
    CHECK_EQ(out.irq_andes, 1);
    CHECK_EQ(peek(TALLY_CSR_MCOUNTEROVF), 9);
}

static void andes_flags_clear_by_both_idioms(void) {
    defaults();
    cfg.andes = true;
    start();
    w(event(3), OF);
    w(event(4), OF);
    w(event(5), OF);
    csr(M, GP_SET, TALLY_CSR_MCOUNTEROVF, 0x38);
    CHECK_EQ(peek(TALLY_CSR_MCOUNTEROVF), 0x38);
    csr(M, GP_WRITE, TALLY_CSR_MCOUNTEROVF, 0x08);
    CHECK_EQ(peek(TALLY_CSR_MCOUNTEROVF), 0x30);
    csr(M, GP_CLEAR, TALLY_CSR_MCOUNTEROVF, 0x10);
    CHECK_EQ(peek(TALLY_CSR_MCOUNTEROVF), 0x20);
    CHECK_EQ(peek(event(5)), OF);
    csr(S, GP_WRITE, TALLY_CSR_SCOUNTEROVF, 0x20); /* not without mcounterwen */
    CHECK_EQ(peek(TALLY_CSR_MCOUNTEROVF), 0x20);
}

/* Seed 002, interrupt handling: which overflowed, stop, preset, (pc,) enable - all from S-mode. */
static void andes_supervisor_walks_the_five_steps(void) {
    defaults();
    cfg.andes = true;
    start();
    w(TALLY_CSR_MCOUNTEREN, 8);
    CHECK_EQ(answer(S, GP_WRITE, 0xC03), GP_CSR_ILLEGAL);
    w(TALLY_CSR_MCOUNTERWEN, 8);
    csr(S, GP_WRITE, TALLY_CSR_SCOUNTERINEN, UINT32_MAX);
    CHECK_EQ(peek(TALLY_CSR_MCOUNTERINEN), 8);
    csr(S, GP_WRITE, TALLY_CSR_SHPMEVENT3, TALLY_EV_INST_RET);
    csr(S, GP_WRITE, TALLY_CSR_SHPMEVENT4, TALLY_EV_INST_RET);
    CHECK_EQ(peek(event(3)), TALLY_EV_INST_RET);
    CHECK_EQ(peek(event(4)), 0);
    csr(S, GP_WRITE, TALLY_CSR_HPMCOUNTER3, UINT64_MAX);
    in.ev_retire[0] = INST;
    tick();
    CHECK_EQ(out.irq_andes, 1);
    CHECK_EQ(csr(S, GP_READ, TALLY_CSR_SCOUNTEROVF, 0), 8);
    csr(S, GP_SET, TALLY_CSR_SCOUNTERINHIBIT, UINT32_MAX);
    CHECK_EQ(peek(TALLY_CSR_MCOUNTINHIBIT), 8);
    csr(S, GP_WRITE, TALLY_CSR_HPMCOUNTER3, -(uint64_t)10);
    csr(S, GP_CLEAR, TALLY_CSR_SCOUNTEROVF, 8);
    csr(S, GP_CLEAR, TALLY_CSR_SCOUNTERINHIBIT, 8);
    CHECK_EQ(peek(counter(3)), -(uint64_t)10);
    for (unsigned n = 1; n <= 10; n++) {
        tick();
        CHECK_EQ(out.irq_andes, n == 10);
    }
}

static void andes_supervisor_never_writes_mask_m(void) {
    defaults();
    cfg.andes = true;
    start();
    w(TALLY_CSR_MCOUNTERWEN, UINT32_MAX);
    csr(S, GP_WRITE, TALLY_CSR_SCOUNTERMASK_M, 0);
    CHECK_EQ(peek(TALLY_CSR_MCOUNTERMASK_M), 0xFFFFFFFD);
    csr(S, GP_WRITE, TALLY_CSR_SCOUNTERMASK_U, 0xFFFFFFF7);
    CHECK_EQ(peek(event(3)), UINH);
    csr(S, GP_WRITE, TALLY_CSR_SHPMEVENT3, UINT64_MAX & ~UINH); /* the selector alone */
    CHECK_EQ(peek(event(3)), UINH);
    in.env.mstateen0 = ~UINT64_C(1);
    CHECK_EQ(answer(S, GP_READ, TALLY_CSR_SCOUNTERMASK_U), GP_CSR_ILLEGAL);
}

static void andes_is_not_there_unless_built(void) {
    defaults();
    CHECK_EQ(answer(M, GP_READ, TALLY_CSR_MCOUNTERWEN), GP_CSR_NOT_MINE);
    CHECK_EQ(answer(S, GP_READ, TALLY_CSR_SCOUNTEROVF), GP_CSR_NOT_MINE);
}

int main(void) {
#define TEST(f)                                                                                              \
    { #f, f }
    static const struct {
        const char *name;
        void (*run)(void);
    } tests[] = {
        TEST(reset_is_all_zero),
        TEST(cycle_counts_and_stops_while_halted),
        TEST(bus_cycles_count_while_halted_and_reference_cycles_do_not),
        TEST(debug_mode_freezes_everything),
        TEST(written_minstret_is_what_the_next_instruction_reads),
        TEST(reads_with_op_read_are_no_writes),
        TEST(writer_of_mcountinhibit_is_counted_under_the_old_value),
        TEST(writable_bits_of_the_enables),
        TEST(absent_counters_read_0),
        TEST(width_bounds_the_counter_and_its_overflow),
        TEST(rv32_halves),
        TEST(high_halves_exist_on_rv32_only),
        TEST(who_may_read_a_user_counter),
        TEST(time_has_htimedelta_in_guests),
        TEST(unsupported_selectors_read_back_0),
        TEST(lanes_are_added),
        TEST(cycle_events_add_their_counts),
        TEST(events_with_conditions),
        TEST(software_event_counts_the_write_that_raises_it),
        TEST(overflow_requests_once),
        TEST(writes_never_overflow),
        TEST(increments_above_one_overflow_by_the_carry),
        TEST(event_written_as_it_overflows),
        TEST(rv32_low_half_of_an_event_leaves_of_alone),
        TEST(mcycle_and_minstret_never_request),
        TEST(scountovf_shows_what_the_mode_may_see),
        TEST(filters_by_mode),
        TEST(filters_of_missing_modes_are_read_only_0),
        TEST(indirect_access_exceptions_in_order),
        TEST(siselect_with_v_is_vsiselect),
        TEST(delegated_windows),
        TEST(delegated_views_alias_the_machine_registers),
        TEST(scountinhibit_touches_delegated_bits_only),
        TEST(andes_masks_count_where_they_are_1),
        TEST(andes_enable_takes_the_request_from_lcofi),
        TEST(andes_flags_clear_by_both_idioms),
        TEST(andes_supervisor_walks_the_five_steps),
        TEST(andes_supervisor_never_writes_mask_m),
        TEST(andes_is_not_there_unless_built),
    };

    for (unsigned i = 0; i < sizeof(tests) / sizeof(tests[0]); i++) {
        test_name = tests[i].name;
        tests[i].run();
    }
    gp_free(pmu);
    printf("golden_pmu: %u tests, %d checks, %d failed\n", (unsigned)(sizeof(tests) / sizeof(tests[0])),
           checks, failures);
    return failures ? 1 : 0;
}
