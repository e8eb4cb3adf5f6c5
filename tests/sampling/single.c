/* SPDX-License-Identifier: Apache-2.0 */
/* One instruction at a time by LCOFI: out of the sample registers (MEM=0), and out of the buffer (MEM=1). No
 * sample is lost, all are accounted for, and M-mode never runs. */
#include "check.h"

enum { CAPACITY = 256, PERIOD = 100, LOOPS = 2000 };

struct turns turns_data __attribute__((aligned(64))) = {.data = {7}, .turns = LOOPS};
SAMPLING_LOG(tally_records, CAPACITY);
TURNS(turns);
static struct sampling_record buffer[64] __attribute__((aligned(4096)));

static struct sampling_setup setup = {.user = true,
                                      .period = PERIOD,
                                      .control = TALLY_SPDISCTL_TS_MASK | TALLY_SPDISCTL_PA_MASK,
                                      .buffer = buffer,
                                      .buffer_size = sizeof buffer,
                                      .log = &tally_records.log,
                                      .capacity = CAPACITY};

static size_t sampled(uint64_t (*run)(uint64_t (*)(void))) {
    watch_machine_mode();
    count(SAMPLES, TALLY_EV_PDIS_SAMPLES);
    count(DROPPED, TALLY_EV_PDIS_DROPPED);
    CHECK(sampling_start(&setup, "single"));
    run(turns);
    const size_t n = sampling_stop();
    CHECK_EQ(counted(MACHINE), 0);
    CHECK_EQ(counted(DROPPED), 0);
    CHECK_EQ(sampling_status()->lost, 0);
    return n;
}

/* `n` of them, and the unit's own count agrees. */
static void check_log(size_t n) {
    size_t loads = 0, ours = 0;

    CHECK_EQ(n, counted(SAMPLES));
    for (size_t i = 0; i < n; i++) {
        const struct sampling_record *r = &tally_records.log.records[i];

        ours += check_record(r, turns_load, turns_branch);
        CHECK(i == 0 || r->time >= r[-1].time);
        if (r->pc == (uintptr_t)turns_load && !FIELD(r->hdrev, PDISHDREV_FLUSHED)) {
            CHECK_EQ(r->adr2, r->adr1);
            loads++;
        }
    }
    CHECK(loads > 0 || setup.jitter == 0);
    CHECK(ours + 4 >= n);
}

/* In S-mode a handful of the handler's own instructions may be decoded before it has stopped the source. */
static void check_supervisor(size_t n) {
    size_t ours = 0;

    for (size_t i = 0; i < n; i++)
        ours += within(tally_records.log.records[i].pc, turns_load, turns_branch);
    CHECK(ours >= n - n / 10);
    CHECK(ours >= 6 * LOOPS / (2 * PERIOD));
}

int main(void) {
    static const enum sampling_kind kinds[] = {SAMPLING_REGISTERS, SAMPLING_RECORD};

    CHECK(sampling_available(SAMPLING_REGISTERS));
    for (unsigned k = 0; k < 2; k++)
        for (unsigned jitter = 0; jitter < 2; jitter++) {
            setup.kind = kinds[k];
            setup.jitter = jitter ? 63 : 0;
            setup.user = true;
            setup.supervisor = false;
            const size_t n = sampled(user_call);

            CHECK(n >= 6 * LOOPS / (PERIOD + setup.jitter) && n <= 6 * LOOPS / PERIOD + 60);
            check_log(n);
            setup.user = false;
            setup.supervisor = true;
            check_supervisor(sampled(in_s_mode));
        }
    setup.user = true;
    setup.supervisor = false;
    sampled(user_call); /* for --records */
    con_printf("PASS: one sample at a time\n");
    return 0;
}
