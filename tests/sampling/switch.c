/* SPDX-License-Identifier: Apache-2.0 */
/* Two tasks in U-mode, switched by the timer, each with its own way of being sampled: no sample of one is
 * ever found with the other, none is lost in a switch, and M-mode never runs (stimecmp is the supervisor's).
 */
#include "check.h"

enum { CAPACITY = 1024, LOOPS = 6000, TICKS = 150, PAIRS = 6 };

struct turns turns_data __attribute__((aligned(64))) = {.data = {7}, .turns = LOOPS};
TURNS(red);
TURNS(blue);
typedef SAMPLING_LOG(any_log, CAPACITY);
static any_log logs[2];
static struct sampling_record buffers[2][64] __attribute__((aligned(4096)));
static uint8_t blue_stack[1024] __attribute__((aligned(16)));

static struct task {
    struct trap_frame frame; /* while it does not run */
    struct sampling_state sampling;
    bool done;
} tasks[2];
static unsigned running, switches;

static void set_timer(void) { csr_write(TALLY_CSR_STIMECMP, csr_read(time) + TICKS); }

static void change(struct trap_frame *frame) {
    sampling_save(&tasks[running].sampling);
    tasks[running].frame = *frame;
    running ^= 1;
    *frame = tasks[running].frame;
    sampling_restore(&tasks[running].sampling);
    switches++;
}

static void tick(struct trap_frame *frame) {
    if (!tasks[running ^ 1].done)
        change(frame);
    set_timer();
}

/* ebreak: the blue task is at its end, and never runs again */
static void ends(struct trap_frame *frame) {
    tasks[running].done = true;
    change(frame);
}

static uint64_t red_and_wait(void) {
    const uint64_t sum = red();

    while (!*(volatile bool *)&tasks[1].done)
        ;
    return sum;
}

static void blue_task(void) {
    blue();
    __asm__ volatile("ebreak");
}

static void start_blue(const struct sampling_setup *setup) {
    CHECK(sampling_start(setup, "blue"));
    sampling_save(&tasks[1].sampling);
    tasks[1].frame = (struct trap_frame){.epc = (uintptr_t)blue_task, .status = MSTATUS_SPIE};
    tasks[1].frame.x[2] = (uintptr_t)(blue_stack + sizeof blue_stack);
    tasks[1].done = false;
}

static void check_log(const struct sampling_log *log, const char *begin, const char *end, const char *alien,
                      const char *alien_end, uint64_t at_least) {
    size_t ours = 0;

    for (size_t i = 0; i < log->count; i++) {
        ours += within(log->records[i].pc, begin, end);
        CHECK(!within(log->records[i].pc, alien, alien_end));
    }
    CHECK(ours >= at_least);
}

/* Records that a counter made: they name it. (A sample that is flushed at once has no latencies either.) */
static uint64_t of_counter(const struct sampling_log *log) {
    uint64_t n = 0;

    for (size_t i = 0; i < log->count; i++)
        n += log->records[i].hdrev == 1ul << SAMPLED;
    return n;
}

static struct sampling_setup setup_of(unsigned task, enum sampling_kind kind, uint64_t period) {
    return (struct sampling_setup){.kind = kind,
                                   .user = true,
                                   .period = period,
                                   .instructions = 2 * period, /* with a counter at once */
                                   .counter = SAMPLED,
                                   .event = TALLY_EV_INST_RET,
                                   .control = TALLY_SPDISCTL_TS_MASK,
                                   .buffer = buffers[task],
                                   .buffer_size = sizeof buffers[task],
                                   .log = &logs[task].log,
                                   .capacity = CAPACITY};
}

static void run(enum sampling_kind red_kind, enum sampling_kind blue_kind) {
    const struct sampling_setup red_setup = setup_of(0, red_kind, 100),
                                blue_setup = setup_of(1, blue_kind, 150);
    size_t n;

    switches = 0;
    running = 0;
    start_blue(&blue_setup);
    watch_machine_mode();
    CHECK(sampling_start(&red_setup, "red"));
    set_timer();
    csr_set(sie, INTERRUPT_BIT(STI));
    user_call(red_and_wait);
    csr_clear(sie, INTERRUPT_BIT(STI));
    n = sampling_stop();
    CHECK(n > 0);
    CHECK_EQ(counted(MACHINE), 0);
    CHECK(switches > 20);
    sampling_restore(&tasks[1].sampling);
    sampling_stop();
    check_log(&logs[0].log, red_load, red_branch, blue_load, blue_branch, 6 * LOOPS / 100 * 9 / 10);
    check_log(&logs[1].log, blue_load, blue_branch, red_load, red_branch, 6 * LOOPS / 150 * 9 / 10);
    /* a counter's events are the task's own, to the last one: nothing is lost in a switch */
    if (blue_kind == SAMPLING_COUNTER || blue_kind == SAMPLING_TOGETHER)
        CHECK_EQ(of_counter(&logs[1].log), (4 + 6 * LOOPS + 2 + 10) / 150);
    if (blue_kind == SAMPLING_TOGETHER)
        CHECK(logs[1].log.count - of_counter(&logs[1].log) >= 6 * LOOPS / 300 * 9 / 10);
}

int main(void) {
    static const enum sampling_kind pairs[PAIRS][2] = {
        {SAMPLING_BATCHES, SAMPLING_COUNTER},   {SAMPLING_REGISTERS, SAMPLING_BATCHES},
        {SAMPLING_COUNTER, SAMPLING_COUNTER},   {SAMPLING_RECORD, SAMPLING_REGISTERS},
        {SAMPLING_TOGETHER, SAMPLING_TOGETHER}, {SAMPLING_REGISTERS, SAMPLING_TOGETHER}};

    trap_set_interrupt(TALLY_INT_STI, tick);
    trap_set_exception(TALLY_EXC_BREAKPOINT, ends);
    for (unsigned i = 0; i < PAIRS; i++)
        run(pairs[i][0], pairs[i][1]);
    con_printf("PASS: each task its own samples\n");
    return 0;
}
