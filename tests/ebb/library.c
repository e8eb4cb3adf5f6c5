/* SPDX-License-Identifier: Apache-2.0 */
/* A program opens event-based branches, attaches counters, is called by them without a call of its own, and
 * closes them: then it is called no more, and the window is gone. */
#include "check.h"
#include "stores.h"

enum { PERIOD = 7, TURNS = 700, ALL = 0x38 };

STORES(work);
EBB_PROGRAM(program);

static volatile uint64_t cell;
static unsigned calls[32], attached, second;
static uint64_t wrong, expected;

/* It is called directly behind the PERIODth, 2 * PERIODth... store. */
static void on_store(unsigned counter, uintptr_t pc) {
    calls[counter]++;
    if (counter != attached)
        return;
    expected += PERIOD;
    wrong += cell != expected || pc != (uintptr_t)work_store;
}

static uint64_t one_counter(void) {
    if (!ebb_open(&program, program_entry, on_store))
        return 1;
    attached = ebb_attach(&program, TALLY_EV_INST_STORE_RET, PERIOD);
    cell = expected = 0;
    ebb_write(attached, 0 - (uint64_t)PERIOD); /* the store above was one */
    work(&cell, TURNS);
    return wrong;
}

/* A second one that overflows with every store of a kind that the first does not count */
static uint64_t two_counters(void) {
    second = ebb_attach(&program, TALLY_EV_INST_MUL_RET, 1);
    cell = expected = 0;
    ebb_write(attached, 0 - (uint64_t)PERIOD);
    work(&cell, TURNS);
    return wrong;
}

/* Inhibited, it does not count; the other does. */
static uint64_t one_is_held(void) {
    ebb_hold(1ul << second);
    work(&cell, TURNS);
    ebb_hold(0);
    return 0;
}

static uint64_t none_is_free(void) {
    return ebb_attach(&program, TALLY_EV_INST_MUL_RET, 1000) != 5 ||
           ebb_attach(&program, TALLY_EV_INST_MUL_RET, 1000) != 0;
}

static uint64_t closes(void) {
    ebb_close();
    work(&cell, TURNS);
    return csr_read(TALLY_CSR_UBESCR); /* usable, without a route */
}

static uint64_t looks_through_the_window(void) { return csr_read(TALLY_CSR_UEBBOVF); }

static unsigned illegal;

static void skip(struct trap_frame *frame) {
    illegal++;
    frame->epc += 4;
}

static uint64_t no_call(void) {
    cell++;
    return 0;
}

int main(void) {
    CHECK(ebb_available());
    watch_machine_mode();
    csr_write(scounteren, 0); /* no counter but the routed ones is U-mode's */
    ebb_serve_calls(ALL);
    CHECK_EQ(user_call(no_call), 0);
    CHECK_EQ(user_call(one_counter), 0);
    CHECK_EQ(attached, 3);
    CHECK_EQ(calls[3], TURNS / PERIOD);
    CHECK_EQ(program.branches, TURNS / PERIOD);
    CHECK_EQ(user_call(two_counters), 0);
    CHECK_EQ(calls[3], 2 * TURNS / PERIOD);
    CHECK_EQ(calls[4], TURNS);
    CHECK_EQ(user_call(one_is_held), 0);
    CHECK_EQ(calls[4], TURNS);
    CHECK_EQ(calls[3], 3 * TURNS / PERIOD);
    CHECK_EQ(user_call(none_is_free), 0);
    CHECK_EQ(user_call(closes), 0);
    CHECK_EQ(calls[3], 3 * TURNS / PERIOD);
    CHECK_EQ(counted(MACHINE), 0); /* no call of the firmware */
    trap_set_exception(TALLY_EXC_ILLEGAL, skip);
    user_call(looks_through_the_window);
    CHECK_EQ(illegal, 1);
    /* Without permission ubescr is refused too: in ebb_close(), and behind it. */
    ebb_permit(false);
    user_call(closes);
    CHECK_EQ(illegal, 3);
    trap_set_exception(TALLY_EXC_ILLEGAL, NULL);
    CHECK_EQ(csr_read(sip) & INTERRUPT_BIT(LCOFI), 0);
    con_printf("PASS: a program is called by its counters\n");
    return 0;
}
