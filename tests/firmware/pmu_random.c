/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Random calls of the PMU extension against a model: the answer and everything that a supervisor can observe
 * (counters, overflow flags, the pending interrupt, shared memory) after each. The model is written from the
 * specification: sets of counters and the effects of the calls on them.
 *
 * The test controls when its events happen: the unit's software event, timer calls (a firmware
 * event), and one that cannot happen here. Cycles are among them too; a value that they have counted is not
 * compared.
 */
#include "suite.h"

#include <string.h>

#ifndef RANDOM_CALLS
#define RANDOM_CALLS 3000
#endif
#ifndef RANDOM_SEED
#define RANDOM_SEED 1
#endif

#define EVENT_CYCLES 1ul
#define EVENT_NEVER CACHE(3, 0, 1) /* data TLB misses: there is no translation */
#define EVENT_TIMER FW(5)

enum kind { NONE, CYCLES, NEVER, SOFTWARE, TIMER, OTHER_FIRMWARE };

struct snapshot {
    uint64_t overflow;
    uint64_t value[64];
    uint64_t reserved[447];
};

static struct snapshot page __attribute__((aligned(4096)));

static struct {
    uint64_t exists, held, started;
    uint64_t overflow; /* OF by counter */
    bool pending;      /* LCOFIP */
    bool snapshot_set, snapshot_offered;
    struct {
        enum kind kind;
        bool filtered; /* not in S-mode */
        bool known;
        uint64_t value;
    } counter[64];
    struct snapshot page;
} model;

/* --- random numbers ----------------------------------------------------------------------------- */

static uint64_t state;

static uint64_t random64(void) {
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return state * 0x2545f4914f6cdd1dull;
}

static unsigned below(unsigned n) { return (unsigned)((random64() >> 32) % n); }

static bool one_in(unsigned n) { return below(n) == 0; }

/* --- operations ----------------------------------------------------------------------------------- */

static void count(unsigned n) {
    if (++model.counter[n].value == 0 && (hardware_set >> n & 1) && model.counter[n].known) {
        if (!(model.overflow >> n & 1))
            model.pending = true;
        model.overflow |= 1ull << n;
    }
}

static void happen(enum kind kind) {
    for (uint64_t set = model.started; set; set &= set - 1)
        if (model.counter[lowest(set)].kind == kind && !model.counter[lowest(set)].filtered)
            count(lowest(set));
}

/* `served`: with a value, so an overflow of before has been served */
static void run_counter(unsigned n, bool served) {
    const uint64_t bit = 1ull << n;

    if (hardware_set >> n & 1 && (served || !model.pending))
        model.overflow &= ~bit;
    model.started |= bit;
    if (model.counter[n].kind == CYCLES && !model.counter[n].filtered)
        model.counter[n].known = false;
}

/* --- expectations -------------------------------------------------------------------------------- */

static bool set_of(unsigned long base, unsigned long mask, uint64_t *set) {
    *set = 0;
    for (unsigned i = 0; i < __riscv_xlen; i++) {
        if (!(mask >> i & 1))
            continue;
        if (base + i < base || base + i > 63 || !(model.exists >> (base + i) & 1))
            return false;
        *set |= 1ull << (base + i);
    }
    return mask != 0;
}

struct event {
    unsigned long event_idx;
    uint64_t data;
    enum kind kind;
};

static bool can_count(unsigned n, enum kind kind) {
    if (kind == TIMER || kind == OTHER_FIRMWARE)
        return firmware_set >> n & 1;
    return kind != NONE && (PROGRAMMABLE >> n & 1 || (n == 0 && kind == CYCLES));
}

static struct sbiret expect_config(unsigned long base, unsigned long mask, unsigned long flags,
                                   const struct event *event) {
    int chosen = -1;
    uint64_t set;

    if (!set_of(base, mask, &set) || flags >> 8)
        return sbi_error(SBI_ERR_INVALID_PARAM);
    if (flags & SKIP_MATCH) {
        set = 1ull << lowest(set);
        if (set & model.started)
            return sbi_error(SBI_ERR_INVALID_PARAM);
    } else {
        set &= ~model.held;
    }
    for (int n = 63; n >= 0; n--)
        if (set >> n & 1 && can_count((unsigned)n, event->kind) &&
            (n >= (int)lowest(PROGRAMMABLE) || chosen < 0))
            chosen = n;
    if (chosen < 0)
        return sbi_error(SBI_ERR_NOT_SUPPORTED);
    model.held |= 1ull << chosen;
    model.counter[chosen].kind = event->kind;
    model.counter[chosen].filtered = flags & SET_SINH && hardware_set >> chosen & 1;
    model.overflow &= ~(1ull << chosen);
    if (flags & CLEAR_VALUE) {
        model.counter[chosen].value = 0;
        model.counter[chosen].known = true;
    }
    if (flags & AUTO_START)
        run_counter((unsigned)chosen, false);
    return sbi_value((unsigned long)chosen);
}

static struct sbiret expect_start(unsigned long base, unsigned long mask, unsigned long flags,
                                  uint64_t value) {
    uint64_t set, todo;

    if (!set_of(base, mask, &set) || flags >> 2 || flags == 3 || set & ~model.held ||
        (flags & SET_INIT_VALUE && set & (set - 1)))
        return sbi_error(SBI_ERR_INVALID_PARAM);
    if (flags & INIT_SNAPSHOT && !model.snapshot_set)
        return sbi_error(SBI_ERR_NO_SHMEM);
    todo = set & ~model.started;
    for (uint64_t rest = todo; rest; rest &= rest - 1) {
        unsigned n = lowest(rest);

        if (flags) {
            model.counter[n].value = flags & INIT_SNAPSHOT ? model.page.value[n - base] : value;
            model.counter[n].known = true;
        }
        run_counter(n, flags != 0);
    }
    return sbi_error(todo == set ? SBI_SUCCESS : SBI_ERR_ALREADY_STARTED);
}

static struct sbiret expect_stop(unsigned long base, unsigned long mask, unsigned long flags) {
    uint64_t set, running;

    if (!set_of(base, mask, &set) || flags >> 2)
        return sbi_error(SBI_ERR_INVALID_PARAM);
    if (flags & TAKE_SNAPSHOT && !model.snapshot_set)
        return sbi_error(SBI_ERR_NO_SHMEM);
    running = set & model.started;
    model.started &= ~set;
    for (uint64_t rest = set; rest; rest &= rest - 1) {
        unsigned n = lowest(rest);

        if (flags & TAKE_SNAPSHOT) {
            const uint64_t bit = 1ull << (n - base);

            model.page.value[n - base] =
                model.counter[n].known ? model.counter[n].value : page.value[n - base];
            model.page.overflow = (model.page.overflow & ~bit) | (model.overflow >> n & 1 ? bit : 0);
        }
        if (flags & RESET) {
            model.held &= ~(1ull << n);
            model.overflow &= ~(1ull << n);
            model.counter[n].kind = NONE;
        }
    }
    return sbi_error(running == set ? SBI_SUCCESS : SBI_ERR_ALREADY_STOPPED);
}

/* --- random calls -------------------------------------------------------------------------------- */

static unsigned long random_flags(unsigned valid_bits) {
    unsigned long flags = (unsigned long)random64() & ((1ul << valid_bits) - 1);

    return one_in(40) ? flags | 1ul << below(__riscv_xlen) : flags;
}

/* Mostly of a few counters that exist, so that calls meet on them; now and then any. */
static void random_set(unsigned long *base, unsigned long *mask) {
    static const unsigned long odd_bases[] = {~0ul, ~0ul - 2, 64, 63, 1ul << (__riscv_xlen - 1), 1};
    const unsigned few_hardware = lowest(PROGRAMMABLE), few_firmware = lowest(firmware_set);

    if (one_in(8)) {
        *base = one_in(3) ? odd_bases[below(6)] : one_in(3) ? 0 : below((unsigned)counters + 2);
        *mask = (unsigned long)random64() & (one_in(2) ? (unsigned long)random64() : 31ul);
        return;
    }
    *base = one_in(8) ? 0 : one_in(3) ? few_firmware : few_hardware;
    *mask = one_in(2) ? 1ul << below(3) : 1ul + below(7);
    if (!*base)
        *mask = one_in(2) ? 1 : *mask << few_hardware;
}

static struct event random_event(void) {
    static const struct event events[] = {
        {EVENT_CYCLES, 0, CYCLES},          {EVENT_NEVER, 0, NEVER}, {RAW, SOFTWARE_EVENT, SOFTWARE},
        {RAW_V2, SOFTWARE_EVENT, SOFTWARE}, {EVENT_TIMER, 0, TIMER}, {EVENT_TIMER, 0, TIMER},
        {FW(14), 0, OTHER_FIRMWARE},        {FW(22), 0, NONE},       {0, 0, NONE},
        {RAW | 1, SOFTWARE_EVENT, NONE}};

    return events[below(one_in(8) ? 10 : 7)];
}

static uint64_t random_value(void) {
    return one_in(2) ? ~(uint64_t)below(4) : one_in(2) ? below(100) : random64();
}

static bool same(struct sbiret got, struct sbiret expected) {
    return got.error == expected.error && (got.error || got.value == expected.value);
}

static bool random_call(void) {
    const unsigned which = below(20);
    unsigned long base, mask, flags = 0;
    struct sbiret got, expected;
    uint64_t value = random_value();

    random_set(&base, &mask);
    if (which < 5) {
        struct event event = random_event();

        flags = random_flags(8);
        got = pmu_config(base, mask, flags, event.event_idx, event.data);
        expected = expect_config(base, mask, flags, &event);
    } else if (which < 9) {
        flags = random_flags(2);
        got = pmu_start(base, mask, flags, value);
        expected = expect_start(base, mask, flags, value);
    } else if (which < 12) {
        flags = random_flags(2);
        got = pmu_stop(base, mask, flags);
        expected = expect_stop(base, mask, flags);
    } else if (which == 12) {
        const unsigned n = below(4);
        const unsigned long lo = n == 0 ? ~0ul : n == 1 ? (unsigned long)&page + 8 : (unsigned long)&page;

        got = pmu_set_shmem(lo, n ? 0 : ~0ul, 0);
        expected = sbi_error(!model.snapshot_offered ? SBI_ERR_NOT_SUPPORTED
                             : n == 1                ? SBI_ERR_INVALID_PARAM
                                                     : SBI_SUCCESS);
        if (model.snapshot_offered && n != 1)
            model.snapshot_set = n != 0;
    } else if (which == 13) {
        csr_clear(sip, INTERRUPT_BIT(LCOFI));
        model.pending = false;
        return true;
    } else if (which == 14) { /* the supervisor writes its memory */
        const unsigned n = below(64);

        page.value[n] = model.page.value[n] = value;
        page.overflow = model.page.overflow = random64();
        return true;
    } else if (which < 17) {
        sbi_call6(SBI_EXT_TIME, 0, ~0ul, ~0ul, 0, 0, 0, 0);
        happen(TIMER);
        return true;
    } else {
        software_event();
        happen(SOFTWARE);
        return true;
    }
    if (!same(got, expected))
        print("  call %u (base %lx, mask %lx, flags %lx): %ld, %lx; expected %ld, %lx\n", which, base, mask,
              flags, got.error, got.value, expected.error, expected.value);
    return same(got, expected);
}

/* --- comparison ---------------------------------------------------------------------------------- */

static bool same_value(unsigned n) {
    if (!model.counter[n].known || value_of(n) == model.counter[n].value)
        return true;
    print("  counter %u: %lx, expected %lx\n", n, (unsigned long)value_of(n),
          (unsigned long)model.counter[n].value);
    return false;
}

static bool same_state(bool all) {
    const uint64_t firmware = all ? firmware_set : firmware_set & (1ull << (counters - 1 - below(16)));

    for (uint64_t set = PROGRAMMABLE | firmware; set; set &= set - 1)
        if (!same_value(lowest(set)))
            return false;
    if (all_overflown() != (model.overflow & PROGRAMMABLE)) {
        /* cycles may overflow when they like */
        uint64_t odd = all_overflown() ^ (model.overflow & PROGRAMMABLE);

        for (; odd; odd &= odd - 1)
            if (model.counter[lowest(odd)].known) {
                print("  scountovf %lx, expected %lx\n", (unsigned long)all_overflown(),
                      (unsigned long)model.overflow);
                return false;
            }
        model.overflow = (model.overflow & ~PROGRAMMABLE) | all_overflown();
        model.pending = csr_read(sip) & INTERRUPT_BIT(LCOFI);
    }
    if (!!(csr_read(sip) & INTERRUPT_BIT(LCOFI)) != model.pending) {
        print("  LCOFIP is %u\n", !model.pending);
        return false;
    }
    for (unsigned i = 0; i < (all ? sizeof page / 8 : 65); i++) {
        const uint64_t got = ((const volatile uint64_t *)&page)[i], expected = ((uint64_t *)&model.page)[i];

        if (got != expected) {
            print("  shared memory, word %u: %lx, expected %lx\n", i, (unsigned long)got,
                  (unsigned long)expected);
            return false;
        }
    }
    return true;
}

TEST(random_calls_against_a_model) {
    NEED(at_least(3, 0));
    NEED(has_software_event());
    state = RANDOM_SEED * 0x9e3779b97f4a7c15ull + 1;
    memset(&model, 0, sizeof model);
    memset(&page, 0, sizeof page);
    model.exists = hardware_set | firmware_set;
    model.snapshot_offered = pmu_set_shmem(~0ul, ~0ul, 0).error == SBI_SUCCESS;
    for (uint64_t set = PROGRAMMABLE | firmware_set; set; set &= set - 1) {
        model.counter[lowest(set)].known = true;
        model.counter[lowest(set)].value = value_of(lowest(set));
    }
    for (unsigned i = 0; i < RANDOM_CALLS; i++) {
        bool ok = random_call() && same_state(i % 64 == 0);

        if (!ok)
            print("  seed %u, call %u\n", RANDOM_SEED, i);
        EXPECT(ok, true);
    }
}
