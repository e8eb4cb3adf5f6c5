/* SPDX-License-Identifier: Apache-2.0 */
/* A delegated counter, sampled by LCOFI: the log names the causes (Sspesa), the interrupt follows each at
 * once (Ssplcofi), nothing but the counter decides how many there are, and M-mode never runs. */
#include "check.h"
#include "sbi_call.h"

enum { CAPACITY = 256, PERIOD = 50, LOOPS = 2000 };

struct turns turns_data __attribute__((aligned(64))) = {.data = {7}, .turns = LOOPS};
SAMPLING_LOG(tally_records, CAPACITY);
TURNS(turns);

static struct sampling_setup setup = {.kind = SAMPLING_COUNTER,
                                      .user = true,
                                      .counter = SAMPLED,
                                      .period = PERIOD,
                                      .log = &tally_records.log,
                                      .capacity = CAPACITY};

static size_t sampled(uint64_t event, const char *name) {
    setup.event = event;
    watch_machine_mode();
    CHECK(sampling_start(&setup, name));
    user_call(turns);
    const size_t n = sampling_stop();
    CHECK_EQ(counted(MACHINE), 0);
    CHECK_EQ(sampling_status()->lost, 0);
    return n;
}

/* `pc` has the event, once in each turn. */
static void check_event(uint64_t event, const char *pc, const char *next) {
    const size_t n = sampled(event, "event");

    CHECK_EQ(n, LOOPS / PERIOD);
    for (size_t i = 0; i < n; i++) {
        const struct sampling_record *r = &tally_records.log.records[i];

        CHECK_EQ(r->hdrev, 1ul << SAMPLED);
        CHECK_EQ(r->pc, (uintptr_t)pc);
        if (i + 1 < n) /* the last turn may be the loop's last */
            CHECK_EQ(r->adr1, (uintptr_t)next);
        CHECK(i == 0 || r->time >= r[-1].time);
    }
}

static void the_nth_event_is_the_cause(void) {
    check_event(TALLY_EV_INST_LOAD_RET, turns_load, turns_load + 4);
    check_event(TALLY_EV_INST_BRJMP_RET, turns_branch, turns_load);
}

/* Six instructions a turn, behind four: each sample's place is known. */
static void instructions_are_taken_in_turn(void) {
    const size_t n = sampled(TALLY_EV_INST_RET, "instructions");

    CHECK_EQ(n, (4 + 6 * LOOPS + 2) / PERIOD);
    for (size_t i = 0; i < n; i++)
        CHECK_EQ(tally_records.log.records[i].pc,
                 (uintptr_t)turns_load + ((i + 1) * PERIOD - 1 - 4) % 6 * sizeof(uint32_t));
}

static void a_full_log_counts_what_is_lost(void) {
    setup.capacity = 10;
    setup.event = TALLY_EV_INST_LOAD_RET;
    CHECK(sampling_start(&setup, "full"));
    user_call(turns);
    CHECK_EQ(sampling_stop(), 10);
    CHECK_EQ(sampling_status()->lost, LOOPS / PERIOD - 10);
    setup.capacity = CAPACITY;
}

static void the_supervisor_is_sampled_too(void) {
    setup.user = false;
    setup.supervisor = true;
    setup.event = TALLY_EV_INST_BRJMP_TK_RET;
    CHECK(sampling_start(&setup, "supervisor"));
    in_s_mode(turns);
    const size_t n = sampling_stop();

    CHECK(n >= LOOPS / PERIOD - 1 && n <= LOOPS / PERIOD);
    for (size_t i = 0; i < n; i++)
        CHECK_EQ(tally_records.log.records[i].pc, (uintptr_t)turns_branch);
    setup.user = true;
    setup.supervisor = false;
}

/* The others show 0 because there is none, not because it is not seen. */
static void a_call_of_the_sbi_would_be_seen(void) {
    watch_machine_mode();
    sbi_call3(SBI_EXT_BASE, 1, 0, 0, 0);
    CHECK(counted(MACHINE) > 0);
}

int main(void) {
    a_call_of_the_sbi_would_be_seen();
    CHECK(sampling_available(SAMPLING_COUNTER));
    the_nth_event_is_the_cause();
    instructions_are_taken_in_turn();
    a_full_log_counts_what_is_lost();
    the_supervisor_is_sampled_too();
    check_event(TALLY_EV_INST_LOAD_RET, turns_load, turns_load + 4); /* for --records */
    con_printf("PASS: sampling by counter overflow\n");
    return 0;
}
