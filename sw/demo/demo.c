/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A profile that the machine makes of itself and prints, for boards, which have no harness beside them: a
 * workload is sampled by both means at once, overflows of a delegated cycle counter (Sspesa) and decoded
 * instructions in batches (Sspdis). The log of a board's memory is short, so the work is done several times,
 * and each time's records are added up by pc.
 */
#include "console.h"
#include "sampling.h"
#include "supervisor.h"
#include "workload.h"

enum { CAPACITY = 96, SPOTS = 128, LINES = 12, COUNTER = 3 };
/* A round's samples fit the log. */
enum { CYCLES_PERIOD = 12011, INSTRUCTIONS_PERIOD = 7001, JITTER = 1023 };

__attribute__((section(".rodata.set"))) const volatile uint64_t demo_rounds = 16; /* by --set */

struct spot {
    uint64_t pc;
    uint32_t overflows, instructions, latency, flushed, mispredicted, missed;
};

static SAMPLING_LOG(records, CAPACITY) __attribute__((section(".noinit")));
static struct sampling_record buffer[64] __attribute__((aligned(4096), section(".bss.first")));
static struct spot spots[SPOTS] __attribute__((section(".noinit"))); /* by pc */
static size_t spots_n;
static uint64_t overflows, instructions, elsewhere, lost; /* samples; those for which there was no spot */

static struct spot *spot_of(uint64_t pc) {
    size_t at = 0;

    while (at < spots_n && spots[at].pc < pc)
        at++;
    if (at < spots_n && spots[at].pc == pc)
        return &spots[at];
    if (spots_n == SPOTS)
        return NULL;
    for (size_t i = spots_n++; i > at; i--)
        spots[i] = spots[i - 1];
    spots[at] = (struct spot){.pc = pc};
    return &spots[at];
}

static void add(const struct sampling_record *r) {
    const bool overflow = r->hdrev & TALLY_PDISHDREV_HPM_MASK;
    struct spot *s = spot_of(r->pc);

    *(overflow ? &overflows : &instructions) += 1;
    if (!s) {
        elsewhere++;
    } else if (overflow) {
        s->overflows++;
    } else {
        s->instructions++;
        s->latency += (r->lat & TALLY_PDISLAT_TOTAL_MASK) >> TALLY_PDISLAT_TOTAL_LSB;
        s->flushed += (r->hdrev & TALLY_PDISHDREV_FLUSHED_MASK) != 0;
        s->mispredicted += (r->hdrev & TALLY_PDISHDREV_MISPRED_MASK) != 0;
        s->missed += (r->hdrev & TALLY_PDISHDREV_L1MISS_MASK) != 0;
    }
}

/* Tenths, for a column of con_printf */
static void put_tenths(uint64_t part, uint64_t whole, const char *unit) {
    const uint64_t tenths = whole ? (part * 10 + whole / 2) / whole : 0;

    con_printf("%7lu.%lu%s", tenths / 10, tenths % 10, unit);
}

static void table(void) {
    con_printf("\n%9s %11s %9s %9s %8s %13s %9s\n", "cycles", "pc", "decoded", "latency", "flushed",
               "mispredicted", "L1D miss");
    for (int line = 0; line < LINES; line++) {
        struct spot *most = &spots[0];

        for (size_t i = 1; i < spots_n; i++) {
            if (spots[i].overflows > most->overflows)
                most = &spots[i];
        }
        if (!most->overflows)
            return;
        put_tenths(most->overflows * 100, overflows, " %");
        con_printf("  0x%08lx %9u", most->pc, most->instructions);
        put_tenths(most->latency, most->instructions, "");
        con_printf(" %8u %13u %9u\n", most->flushed, most->mispredicted, most->missed);
        most->overflows = 0; /* said */
    }
}

static bool sample(uint64_t seed, uint64_t *result) {
    const struct sampling_setup setup = {.kind = SAMPLING_TOGETHER,
                                         .user = true,
                                         .period = CYCLES_PERIOD,
                                         .instructions = INSTRUCTIONS_PERIOD,
                                         .jitter = JITTER,
                                         .seed = seed,
                                         .counter = COUNTER,
                                         .event = TALLY_EV_CYCLES_HART,
                                         .buffer = buffer,
                                         .buffer_size = sizeof buffer,
                                         .log = &records.log,
                                         .capacity = CAPACITY};
    size_t n;

    the_workload.setup();
    if (!sampling_start(&setup, the_workload.name))
        return false;
    *result = user_call(the_workload.work);
    n = sampling_stop();
    lost += sampling_status()->lost;
    for (size_t i = 0; i < n; i++)
        add(&records.log.records[i]);
    return true;
}

int main(void) {
    uint64_t result = the_workload.expected;

    if (!sampling_available(SAMPLING_TOGETHER)) {
        con_printf("demo: no sampling, or counter %d is not delegated (tally-image --delegate 0x8)\n",
                   COUNTER);
        return 1;
    }
    for (uint64_t round = 1; round <= demo_rounds && result == the_workload.expected; round++) {
        if (!sample(round, &result)) {
            con_puts("demo: the buffer of samples is not mapped\n");
            return 1;
        }
    }
    con_printf("%s, %lu times in U-mode: cycles from %lu overflows, each where its cause is; %lu decoded\n"
               "instructions, what became of them (latency: mean cycles); %lu lost, %lu not in the table\n",
               the_workload.name, demo_rounds, overflows, instructions, lost, elsewhere);
    table();
    return workload_verdict(the_workload.name, result, the_workload.expected);
}
