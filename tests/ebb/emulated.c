/* SPDX-License-Identifier: Apache-2.0 */
/* Misaligned stores are emulated by the firmware, which counts them: for a routed counter those of U-mode
 * alone that the program does not hold, and their overflow calls the program. */
#include "check.h"
#include "ebb.h"

enum { PERIOD = 5, TURNS = 100, FEW = 3, ALL = 0x38 };

EBB_PROGRAM(program);

/* `turns` stores of a half word */
void stores(void *to, uint64_t turns);
extern const char stores_at[];
__asm__(".pushsection .text.stores, \"ax\"\n.balign 4\n.globl stores\n.globl stores_at\n"
        "stores: stores_at: sh a1, 0(a0)\n addi a1, a1, -1\n bnez a1, stores_at\n ret\n.popsection");

static char data[8] __attribute__((aligned(8)));
static volatile unsigned attached, calls, wrong;

static void on_store(unsigned counter, uintptr_t pc) {
    calls++;
    wrong += counter != attached || pc != (uintptr_t)stores_at;
}

static uint64_t opens(void) {
    if (!ebb_open(&program, program_entry, on_store))
        return 1;
    attached = ebb_attach(&program, TALLY_EV_INST_STORE_RET, PERIOD);
    ebb_hold(ALL);
    return !attached;
}

static uint64_t runs(void) {
    const unsigned n = attached;

    ebb_write(n, 0 - (uint64_t)PERIOD);
    ebb_hold(0);
    stores(data + 1, TURNS);
    ebb_hold(ALL);
    return wrong;
}

/* Held still it does not count; the value stays the program's. */
static uint64_t is_held(void) {
    const unsigned n = attached;

    ebb_write(n, 7);
    stores(data + 1, FEW);
    return ebb_read(n) != 7;
}

int main(void) {
    CHECK(ebb_available());
    ebb_serve_calls(ALL);
    CHECK_EQ(user_call(opens), 0);
    CHECK_EQ(user_call(runs), 0);
    CHECK_EQ(calls, TURNS / PERIOD);
    CHECK_EQ(user_call(is_held), 0);
    const uint64_t before = ebb_read(attached);
    stores(data + 1, FEW); /* the supervisor's */
    CHECK_EQ(ebb_read(attached), before);
    CHECK_EQ(calls, TURNS / PERIOD);
    CHECK_EQ(csr_read(sip) & INTERRUPT_BIT(LCOFI), 0);
    con_printf("PASS: emulated stores are a program's events\n");
    return 0;
}
