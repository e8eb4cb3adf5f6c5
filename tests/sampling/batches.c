/* SPDX-License-Identifier: Apache-2.0 */
/* Batches by LAMBI: the buffer where it is and translated by satp, read half by half into the log, or left to
 * go round. Nothing is lost, M-mode never runs, a page that is not there is said so. */
#include "check.h"
#include "sbi_call.h"

enum { CAPACITY = 1024, PERIOD = 61, LOOPS = 5000, RECORDS = 128, PAGE = 4096 };

struct turns turns_data __attribute__((aligned(64))) = {.data = {7}, .turns = LOOPS};
SAMPLING_LOG(tally_records, CAPACITY);
TURNS(turns);
static struct sampling_record buffer[RECORDS] __attribute__((aligned(2 * PAGE)));

static struct sampling_setup setup = {.user = true,
                                      .period = PERIOD,
                                      .control = TALLY_SPDISCTL_TS_MASK,
                                      .buffer = buffer,
                                      .buffer_size = sizeof buffer,
                                      .log = &tally_records.log,
                                      .capacity = CAPACITY};

/* The buffer's two pages at WINDOW, in the wrong order; U-mode has all of memory in a gigapage of its own. */
#define WINDOW 0x40000000ul
#define USER_ALIAS 0x40000000ul
enum { PTE_V = 1, PTE_R = 2, PTE_W = 4, PTE_X = 8, PTE_U = 0x10, PTE_A = 0x40, PTE_D = 0x80 };
enum { PTE_LEAF = PTE_V | PTE_R | PTE_W | PTE_X | PTE_A | PTE_D };
static uint64_t root[512] __attribute__((aligned(PAGE)));
static uint64_t middle[512] __attribute__((aligned(PAGE)));
static uint64_t leaf[512] __attribute__((aligned(PAGE)));

static uint64_t pte(const void *physical, uint64_t flags) { return (uintptr_t)physical >> 12 << 10 | flags; }

static void fence(void) { __asm__ volatile("sfence.vma" ::: "memory"); }

static void translate(void) {
    root[WINDOW >> 30] = pte(middle, PTE_V);
    root[2] = pte((void *)0x80000000, PTE_LEAF);
    middle[0] = pte(leaf, PTE_V);
    leaf[0] = pte((char *)buffer + PAGE, PTE_LEAF);
    leaf[1] = pte(buffer, PTE_LEAF);
    csr_write(satp, 8ul << 60 | (uintptr_t)root >> 12);
    fence();
}

static size_t sampled(uint64_t (*run)(uint64_t (*)(void))) {
    watch_machine_mode();
    count(SAMPLES, TALLY_EV_PDIS_SAMPLES);
    count(DROPPED, TALLY_EV_PDIS_DROPPED);
    CHECK(sampling_start(&setup, "batches"));
    run(turns);
    const size_t n = sampling_stop();
    CHECK_EQ(counted(MACHINE), 0);
    CHECK_EQ(counted(DROPPED), 0);
    CHECK_EQ(sampling_status()->lost, 0);
    CHECK_EQ(sampling_status()->faults, 0);
    return n;
}

static void check_log(size_t n) {
    size_t ours = 0;

    CHECK_EQ(n, counted(SAMPLES));
    CHECK(n > 6 * LOOPS / (PERIOD + setup.jitter) / 2);
    CHECK_EQ(sampling_status()->interrupts, n / (RECORDS / 2));
    for (size_t i = 0; i < n; i++) {
        const struct sampling_record *r = &tally_records.log.records[i];

        if (setup.user)
            ours += check_record(r, turns_load, turns_branch);
        CHECK(i == 0 || r->time >= r[-1].time);
    }
    CHECK(ours + 4 >= n || !setup.user);
}

static void every_record_reaches_the_log(void) {
    setup.kind = SAMPLING_BATCHES;
    for (setup.jitter = 0; setup.jitter < 32; setup.jitter += 31)
        check_log(sampled(user_call));
    setup.jitter = 0;
}

static uint64_t turns_and_a_call(void) {
    static const char dot[] = ".";

    turns();
    CHECK_EQ(sbi_call3(SBI_EXT_DBCN, 0, 1, (uintptr_t)dot, 0).error, 0);
    return turns();
}

/* With paging the work is the supervisor's, mapped to the same addresses. */
static void the_buffer_may_be_translated(void) {
    translate();
    setup.buffer = (struct sampling_record *)WINDOW;
    setup.user = false;
    setup.supervisor = true;
    check_log(sampled(in_s_mode));

    /* The firmware copies with satp 0, which is not the buffer's. */
    count(DROPPED, TALLY_EV_PDIS_DROPPED);
    CHECK(sampling_start(&setup, "batches"));
    in_s_mode(turns_and_a_call);
    sampling_stop();
    CHECK_EQ(counted(DROPPED), 0);
    CHECK_EQ(sampling_status()->faults, 0);

    leaf[1] = 0;
    fence();
    CHECK(!sampling_start(&setup, "fault"));
    leaf[1] = pte(buffer, PTE_LEAF);
    fence();
    check_log(sampled(in_s_mode));
    csr_write(satp, 0);
    fence();
    setup.buffer = buffer;
    setup.user = true;
    setup.supervisor = false;
}

/* Overflows of a counter by LCOFI meanwhile: each kind is as complete as alone. */
static void a_counter_is_sampled_beside(void) {
    const uint64_t every = 50;
    size_t overflows = 0;

    setup.kind = SAMPLING_TOGETHER;
    setup.counter = SAMPLED;
    setup.event = TALLY_EV_INST_LOAD_RET;
    setup.period = every;
    setup.instructions = PERIOD;
    const size_t n = sampled(user_call);

    for (size_t i = 0; i < n; i++) {
        const struct sampling_record *r = &tally_records.log.records[i];

        if (r->hdrev == 1ul << SAMPLED && !r->lat) {
            CHECK_EQ(r->pc, (uintptr_t)turns_load);
            overflows++;
        } else {
            check_record(r, turns_load, turns_branch);
        }
    }
    CHECK_EQ(overflows, (LOOPS + 1) / every);
    CHECK_EQ(n - overflows, counted(SAMPLES));
    setup.period = PERIOD;
}

static void a_recorder_keeps_the_newest(void) {
    setup.kind = SAMPLING_RECORDER;
    setup.log = NULL;
    CHECK_EQ(sampled(user_call), RECORDS);
    const size_t newest = (size_t)(sampling_newest() - buffer);

    CHECK_EQ(newest, counted(SAMPLES) % RECORDS);
    CHECK_EQ(sampling_status()->interrupts, counted(SAMPLES) / (RECORDS / 2));
    for (size_t i = 0; i < RECORDS; i++) {
        const struct sampling_record *r = &buffer[(newest + i) % RECORDS];

        CHECK(check_record(r, turns_load, turns_branch) || i + 4 > RECORDS);
        CHECK(i == 0 || r->time >= buffer[(newest + i - 1) % RECORDS].time);
    }
    setup.log = &tally_records.log;
}

int main(void) {
    CHECK(sampling_available(SAMPLING_BATCHES));
    every_record_reaches_the_log();
    the_buffer_may_be_translated();
    a_counter_is_sampled_beside();
    a_recorder_keeps_the_newest();
    setup.kind = SAMPLING_BATCHES;
    sampled(user_call); /* for --records */
    con_printf("PASS: batches of samples\n");
    return 0;
}
