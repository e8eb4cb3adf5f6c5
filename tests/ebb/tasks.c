/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Two tasks in U-mode, switched by the timer and by themselves, each with event-based branches of its own on
 * the same counter: to each its own handler, its own events, none lost, none of the other's. An event that is
 * pending when its task is switched away is delivered when the task goes on.
 */
#include "check.h"
#include "stores.h"

enum { TURNS = 6000, TICKS = 53, ROUTED = 3, PENDING_TURNS = 40 };

STORES(red);
STORES(blue);
EBB_PROGRAM(red_branches);
EBB_PROGRAM(blue_branches);

static uint8_t blue_stack[2048] __attribute__((aligned(16)));
static struct task {
    struct trap_frame frame; /* while it does not run */
    struct ebb_task ebb;
    bool done;
    unsigned switched_in_handler, switched_pending;
    volatile uint64_t cell;
    uint64_t period, expected, wrong, held_back;
} tasks[2];
static volatile unsigned running;
static unsigned switches;
static bool red_is_through;

static void set_timer(void) { csr_write(TALLY_CSR_STIMECMP, csr_read(time) + TICKS); }

static void change(struct trap_frame *frame) {
    struct task *t = &tasks[running];

    ebb_save(&t->ebb);
    if (t->ebb.status & TALLY_UBESCR_PMEO_MASK)
        *(t->held_back ? &t->switched_pending : &t->switched_in_handler) += 1;
    t->frame = *frame;
    running ^= 1;
    *frame = tasks[running].frame;
    ebb_restore(&tasks[running].ebb);
    switches++;
}

static void tick(struct trap_frame *frame) {
    if (!tasks[running ^ 1].done)
        change(frame);
    set_timer();
}

/* ebreak: the task gives way. */
static void give_way(struct trap_frame *frame) {
    frame->epc += 4;
    if (!tasks[running ^ 1].done)
        change(frame);
    set_timer();
}

static void yield(void) { __asm__ volatile(".option push\n.option norvc\nebreak\n.option pop"); }

static void on_event(struct task *t, unsigned counter, uintptr_t pc, const char *store) {
    t->expected += t->period;
    if (t->held_back) /* it waited for GE: the program went on meanwhile, but with FZ nothing was counted */
        t->held_back = t->cell;
    else
        t->wrong += t->cell != t->expected;
    t->wrong += counter != ROUTED || pc != (uintptr_t)store;
}

static void on_red(unsigned counter, uintptr_t pc) { on_event(&tasks[0], counter, pc, red_store); }
static void on_blue(unsigned counter, uintptr_t pc) { on_event(&tasks[1], counter, pc, blue_store); }

/* TURNS stores; then, with GE=0, an event that waits while the other task runs. */
static void run_task(struct task *t, struct ebb *ebb, const char *entry, ebb_handler *handler,
                     void (*stores)(volatile uint64_t *, uint64_t)) {
    t->wrong += csr_read(TALLY_CSR_UBESCR) || csr_read(TALLY_CSR_UEBBHR) || csr_read(TALLY_CSR_UEBBRR);
    t->wrong += !ebb_open(ebb, entry, handler);
    t->wrong += ebb_attach(ebb, TALLY_EV_INST_STORE_RET, t->period) != ROUTED;
    ebb_write(ROUTED, 0 - t->period);
    stores(&t->cell, TURNS);
    t->wrong += ebb->branches != TURNS / t->period;
    csr_clear(TALLY_CSR_UBESCR, TALLY_UBESCR_GE_MASK);
    ebb_write(ROUTED, 0 - t->period);
    t->held_back = 1;
    ebb_write(ROUTED, 0 - t->period);
    stores(&t->cell, t->period + PENDING_TURNS);
    yield();
    t->wrong += ebb->branches != TURNS / t->period || t->held_back != 1;
    csr_set(TALLY_CSR_UBESCR, TALLY_UBESCR_GE_MASK);
    t->wrong += ebb->branches != TURNS / t->period + 1;
    t->wrong += t->held_back != TURNS + t->period + PENDING_TURNS;
}

static uint64_t red_task(void) {
    run_task(&tasks[0], &red_branches, red_branches_entry, on_red, red);
    red_is_through = true;
    while (!*(volatile bool *)&tasks[1].done)
        yield();
    return tasks[0].wrong;
}

static void blue_task(void) {
    run_task(&tasks[1], &blue_branches, blue_branches_entry, on_blue, blue);
    while (!*(volatile bool *)&red_is_through)
        yield();
    tasks[1].done = true;
    for (;;)
        yield();
}

int main(void) {
    CHECK(ebb_available());
    trap_set_interrupt(TALLY_INT_STI, tick);
    trap_set_exception(TALLY_EXC_BREAKPOINT, give_way);
    ebb_serve_calls(1ul << ROUTED);
    tasks[0].period = 8;
    tasks[1].period = 15;
    /* A new task has EN, and no window and no routes. */
    tasks[1].ebb.control = TALLY_SEBBCTL_EN_MASK;
    tasks[1].frame = (struct trap_frame){.epc = (uintptr_t)blue_task, .status = MSTATUS_SPIE};
    tasks[1].frame.x[2] = (uintptr_t)(blue_stack + sizeof blue_stack);
    ebb_permit(true);
    set_timer();
    csr_set(sie, INTERRUPT_BIT(STI));
    CHECK_EQ(user_call(red_task), 0);
    csr_clear(sie, INTERRUPT_BIT(STI));
    CHECK_EQ(tasks[1].wrong, 0);
    CHECK(switches > 20);
    for (unsigned i = 0; i < 2; i++) {
        CHECK_EQ(tasks[i].cell, TURNS + tasks[i].period + PENDING_TURNS);
        CHECK(tasks[i].switched_in_handler > 0);
        CHECK(tasks[i].switched_pending > 0);
    }
    CHECK_EQ(csr_read(sip) & INTERRUPT_BIT(LCOFI), 0);
    con_printf("PASS: each task its own event-based branches, %u switches, %u and %u of them in a handler\n",
               switches, tasks[0].switched_in_handler, tasks[1].switched_in_handler);
    return 0;
}
