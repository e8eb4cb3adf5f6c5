// SPDX-License-Identifier: Apache-2.0
/*
 * The golden PMU alone: gp_clock_many() and gp_clock_quiet() are that many calls of gp_clock(), for a unit in
 * any state; gp_is_still() says what one would do; and gp_eval() before it makes no difference.
 */
#include "pmu_rig.h"
#include "tally_state.h"

enum { ROUNDS = 2000, STATE_BYTES = 1 << 14 };

/* ---- a unit's state, in bytes */

struct bytes {
    struct tally_state state; /* the first member */
    size_t n;
    uint8_t byte[STATE_BYTES];
};

static void append(struct tally_state *s, const char *name, void *at, unsigned bytes, uint64_t n) {
    struct bytes *b = (struct bytes *)s;

    (void)name;
    if (b->n + bytes * n > STATE_BYTES) {
        printf("a state has more than %d bytes\n", STATE_BYTES);
        exit(1);
    }
    memcpy(b->byte + b->n, at, bytes * n);
    b->n += bytes * n;
}

static struct bytes state_of(struct gp *unit) {
    struct bytes b = {.state.numbers = append};

    gp_state(unit, &b.state);
    return b;
}

static void take(struct tally_state *s, const char *name, void *at, unsigned bytes, uint64_t n) {
    struct bytes *b = (struct bytes *)s;

    (void)name;
    memcpy(at, b->byte + b->n, bytes * n);
    b->n += bytes * n;
}

static void restore(struct gp *unit, const struct bytes *from) {
    struct bytes b = *from;

    b.n = 0;
    b.state.reads = true;
    b.state.numbers = take;
    gp_state(unit, &b.state);
    CHECK_EQ(*b.state.why != 0, false);
}

static bool same(const struct bytes *one, const struct bytes *two) {
    return one->n == two->n && memcmp(one->byte, two->byte, one->n) == 0;
}

/* ---- random inputs */

static uint64_t seed = 1;

static uint64_t any(void) {
    uint64_t x = seed += 0x9e3779b97f4a7c15u; /* splitmix64 */

    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
    x = (x ^ x >> 27) * 0x94d049bb133111ebu;
    return x ^ x >> 31;
}

static bool one_in(unsigned n) { return any() % n == 0; }

/* A few wires, often none */
static uint64_t wires(void) {
    uint64_t bits = one_in(2) ? 0 : any();

    bits &= any();
    return bits & any();
}

/* A write in the next cycle, of a register on which the unit's edges depend */
static void any_write(void) {
    static const uint64_t selectors[] = {TALLY_EV_INST_RET, TALLY_EV_INST_LOAD_RET, TALLY_EV_CYCLES_HART, 0};
    const unsigned i = 3 + (unsigned)(any() % 29), fixed = one_in(2) ? 0 : 2;

    in.csr = (struct gp_csr){.valid = true, .op = GP_WRITE, .priv = GP_M};
    switch (any() % 5) {
    case 0:
        in.csr.num = (uint16_t)event(i);
        in.csr.wdata = selectors[any() % 4] | (any() & (OF | MINH));
        break;
    case 1: /* some edges before a wrap */
        in.csr.num = (uint16_t)counter(one_in(2) ? i : fixed);
        in.csr.wdata = -(any() % 600);
        break;
    case 2:
        in.csr.num = TALLY_CSR_MCOUNTINHIBIT;
        in.csr.wdata = one_in(2) ? 0 : any();
        break;
    case 3:
        in.csr.num = TALLY_CSR_MPDISCTL;
        in.csr.wdata = one_in(2) ? 0 : any();
        break;
    default:
        in.csr.num = TALLY_CSR_SPDISAMBCS;
        in.csr.wdata = any() & TALLY_SPDISAMBCS_EN_MASK;
        break;
    }
}

static void any_inputs(void) {
    in.mode.halted = one_in(8);
    in.mode.priv = one_in(2) ? GP_M : GP_U;
    in.ev_cycle[0] = 1 | wires();
    for (unsigned lane = 0; lane < cfg.retire_w; lane++) {
        in.ev_retire[lane] = one_in(3) ? 0 : INST | wires();
        in.retire[lane] =
            (struct gp_retire_lane){.valid = in.ev_retire[lane], .mode = in.mode.priv, .pc = any()};
        in.decode[lane] = (struct gp_decode){.valid = one_in(2), .mode = in.mode.priv, .pc = any()};
    }
    in.ret_next_pc = any() & ~UINT64_C(1);
    in.track.retired = one_in(4);
    in.rec_ready = in.rec_done = one_in(2);
    in.env.lcofip = one_in(2);
}

/* ---- the tests */

/* `pmu`, and another unit of the same kind */
static struct gp *start_two(unsigned retire_w, unsigned hpm_w, unsigned evc_w) {
    gp_config_default(&cfg);
    cfg.retire_w = cfg.decode_w = (uint8_t)retire_w;
    cfg.hpm_w = (uint8_t)hpm_w;
    cfg.evc_w = (uint8_t)evc_w;
    cfg.sspesa = cfg.smpdis = cfg.ebb = true;
    start();
    struct gp *other = gp_new(&cfg);
    CHECK_EQ(other != NULL, true);
    return other;
}

/* Two units with the same past: the edges one by one, and at once. */
static void compare(unsigned retire_w, unsigned hpm_w, unsigned evc_w) {
    struct gp *other = start_two(retire_w, hpm_w, evc_w);
    unsigned differ = 0;

    for (unsigned round = 0; round < ROUNDS && other && !differ; round++) {
        const uint64_t n = one_in(2) ? any() % 4 : any() % 1000;

        any_inputs();
        any_write();
        if (!one_in(4)) { /* once, else with each edge */
            gp_clock(pmu, &in);
            gp_clock(other, &in);
            in.csr.valid = false;
        }
        for (uint64_t k = 0; k < n; k++)
            gp_clock(pmu, &in);
        gp_clock_many(other, &in, n);
        const struct bytes one = state_of(pmu), two = state_of(other);
        differ += !same(&one, &two);
        CHECK_EQ(differ, 0);
    }
    gp_free(other);
}

static void as_edges_one_by_one(void) { compare(1, 64, 1); }

static void lanes_and_wide_events(void) { compare(4, 40, 3); }

/* Counters wrap within a few edges. */
static void narrow_counters(void) {
    compare(1, 4, 1);
    compare(2, 3, 8);
}

/* More edges than could be made one by one: nothing else changes, and each wrap is seen. */
static void very_many(void) {
    const uint64_t n = UINT64_C(1) << 50;

    defaults();
    in.ev_retire[0] = INST;
    w(TALLY_CSR_MCYCLE, 0);
    w(TALLY_CSR_MINSTRET, -(n / 2));
    gp_clock_many(pmu, &in, n);
    CHECK_EQ(peek(TALLY_CSR_MCYCLE), n + 1);
    CHECK_EQ(peek(TALLY_CSR_MINSTRET), n / 2);
    CHECK_EQ(peek(TALLY_CSR_MCOUNTEROVF), 1 << 2);
    program(3, -(n / 2), TALLY_EV_INST_RET);
    gp_clock_many(pmu, &in, n);
    CHECK_EQ(peek(counter(3)), n / 2);
    CHECK_EQ(peek(event(3)) & OF, OF);
    gp_clock_many(pmu, &in, 0);
    CHECK_EQ(peek(counter(3)), n / 2);
}

/* Nothing but the counter changes, at the first edge alone. */
static void a_write_with_each(void) {
    defaults();
    ticks(3);
    in.csr =
        (struct gp_csr){.valid = true, .op = GP_WRITE, .priv = GP_M, .num = TALLY_CSR_MCYCLE, .wdata = 1000};
    gp_clock_many(pmu, &in, 5);
    CHECK_EQ(peek(TALLY_CSR_MCYCLE), 1000);
}

static bool asks(void) {
    struct gp_out out;

    gp_eval(pmu, &in, &out);
    return out.irq_lcofi || out.irq_lambi || out.irq_andes || out.wraps || out.overflows || out.end;
}

/* Quiet edges are those before the first that does more than to count, in which nothing is reported. */
static void quiet_ones(void) {
    unsigned differ = 0, all = 0, some = 0, none = 0;

    struct gp *other = start_two(1, 9, 1);
    for (unsigned round = 0; round < ROUNDS && other && !differ; round++) {
        const uint64_t n = any() % 1000;

        any_inputs();
        any_write();
        CHECK_EQ(gp_clock_quiet(other, &in, n), 0); /* a write is none */
        gp_clock(pmu, &in);
        gp_clock(other, &in);
        in.csr.valid = false;
        const uint64_t quiet = gp_clock_quiet(other, &in, n);
        CHECK_EQ(quiet <= n, true);
        for (uint64_t k = 0; k < quiet; k++) {
            differ += asks();
            gp_clock(pmu, &in);
        }
        const struct bytes one = state_of(pmu), two = state_of(other);
        differ += !same(&one, &two);
        CHECK_EQ(differ, 0);
        if (quiet < n) /* at the edge of a wrap, or of something else */
            CHECK_EQ(gp_clock_quiet(other, &in, 1), 0);
        all += n && quiet == n;
        some += quiet && quiet < n;
        none += n && !quiet;
    }
    CHECK_EQ(all > ROUNDS / 20 && some > ROUNDS / 20 && none > ROUNDS / 20, true);
    gp_free(other);
}

/* The clock of a hart that waits is halted. One that is still stays so, whatever the time; one that is not
 * changes. */
static void still_ones(void) {
    unsigned still = 0, moving = 0, differ = 0;

    gp_config_default(&cfg);
    cfg.sspesa = cfg.smpdis = cfg.ebb = true;
    start();
    for (unsigned round = 0; round < ROUNDS && !differ; round++) {
        any_inputs();
        any_write();
        if (one_in(2)) {
            gp_clock(pmu, &in);
            in.csr.valid = false;
        }
        if (one_in(2)) {
            in.mode.halted = true;
            in.ev_cycle[0] = 0;
            in.ev_retire[0] = 0;
            in.retire[0].valid = in.decode[0].valid = false;
        }
        ticks((unsigned)(any() % 4));
        const struct bytes before = state_of(pmu);
        const bool is_still = gp_is_still(pmu, &in);
        const struct bytes asked = state_of(pmu);
        const unsigned edges = is_still ? 100 : 1;

        for (unsigned k = 0; k < edges; k++) {
            in.env.time += is_still;
            gp_clock(pmu, &in);
        }
        const struct bytes after = state_of(pmu);

        differ += !same(&before, &asked) || same(&before, &after) != is_still;
        CHECK_EQ(differ, 0);
        still += is_still;
        moving += !is_still;
    }
    CHECK_EQ(still > ROUNDS / 20 && moving > ROUNDS / 20, true);
}

/* An edge is the same whether its inputs, or others, were evaluated before it or not, and outputs are those
 * of the present state: also behind a reset, or a state that was put in. */
static void evaluated_before(void) {
    struct gp_out out, again;
    unsigned differ = 0, wraps = 0;

    struct gp *other = start_two(1, 9, 1);
    struct bytes past = state_of(pmu);
    for (unsigned round = 0; round < 20 * ROUNDS && other && !differ; round++) {
        if (one_in(3)) {
            any_inputs();
            in.csr.valid = false;
            if (one_in(4))
                any_write();
        }
        if (!one_in(4))
            gp_eval(pmu, &in, &out);
        if (one_in(4)) {
            any_inputs();
            gp_eval(pmu, &in, &out);
        }
        if (one_in(1000)) {
            gp_reset(pmu);
            gp_reset(other);
        } else if (one_in(300)) {
            restore(pmu, &past);
            restore(other, &past);
        } else if (one_in(100)) {
            past = state_of(pmu);
        }
        gp_eval(pmu, &in, &out);
        struct gp *fresh = gp_new(&cfg);
        const struct bytes now = state_of(other);
        CHECK_EQ(fresh != NULL, true);
        restore(fresh, &now);
        gp_eval(fresh, &in, &again);
        gp_free(fresh);
        /* NOLINTNEXTLINE(bugprone-suspicious-memory-comparison): gp_eval() clears all, padding too, first */
        differ += memcmp(&out, &again, sizeof(out)) != 0;
        wraps += out.wraps != 0;
        gp_clock(pmu, &in);
        gp_clock(other, &in);
        const struct bytes one = state_of(pmu), two = state_of(other);
        differ += !same(&one, &two);
        CHECK_EQ(differ, 0);
    }
    CHECK_EQ(wraps > ROUNDS / 20, true);
    gp_free(other);
}

static const struct test tests[] = {
    TEST(as_edges_one_by_one), TEST(lanes_and_wide_events), TEST(narrow_counters),
    TEST(very_many),           TEST(a_write_with_each),     TEST(quiet_ones),
    TEST(still_ones),          TEST(evaluated_before),
};

int main(void) { return run_tests("golden_pmu_many", tests, sizeof(tests) / sizeof(tests[0])); }
