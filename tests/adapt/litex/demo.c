// SPDX-License-Identifier: Apache-2.0
// A program of the test's LiteX SoC, by LiteX' headers and tally.h: it writes and reads a counter, counts
// loads, is interrupted by an overflow, and reads every CSR number. test_litex.py has the expected output.

#include <generated/csr.h>
#include <generated/soc.h>
#include <generated/tally.h>

#if TALLY_INTERRUPT != 3
#error the entry enables interrupt 3 for the unit
#endif

enum { LOADS = 50, STORES = 10 };

extern const char the_store[];
static volatile uint32_t overflows, cell;

static void say(uint32_t value) { *(volatile uint32_t *)CSR_BENCH_VALUE_ADDR = value; }

// PicoRV32 latches its interrupts in this SoC, so a second one follows whose cause has gone.
void overflow_handler(void) {
    if (!(*tally_word(TALLY_REG_MIP) & 1 << 13))
        return;
    tally_clear_mip(1 << 13);
    *tally_word(TALLY_REG_MCOUNTINHIBIT) = ~0u;
    overflows++;
}

int main(void) {
    // the SRAM is not cleared
    overflows = 0;
    *tally_word(TALLY_REG_MCOUNTINHIBIT) = ~0u;

    tally_write(TALLY_REG_MHPMCOUNTER6, 0x123456789ABCDEF0);
    uint64_t back = tally_read(TALLY_REG_MHPMCOUNTER6);
    say((uint32_t)(back >> 32));
    say((uint32_t)back);

    tally_write(TALLY_REG_MHPMEVENT3, TALLY_EV_INST_LOAD_RET);
    tally_write(TALLY_REG_MHPMCOUNTER3, 0);
    *tally_word(TALLY_REG_MCOUNTINHIBIT) = 0;
    for (unsigned n = 0; n < LOADS; n++)
        (void)cell;
    *tally_word(TALLY_REG_MCOUNTINHIBIT) = ~0u;
    say((uint32_t)tally_read(TALLY_REG_MHPMCOUNTER3));

    tally_write(TALLY_REG_MHPMEVENT4, TALLY_EV_INST_STORE_RET);
    tally_write(TALLY_REG_MHPMCOUNTER4, -(uint64_t)STORES);
    *tally_word(TALLY_REG_MCOUNTINHIBIT) = ~(1u << 4);
    for (unsigned n = 0; n < 2 * STORES; n++)
        __asm__ volatile(".globl the_store\nthe_store: sw zero, 0(%0)" ::"r"(&cell) : "memory");
    say(overflows);
    say(*tally_word(TALLY_REG_SHPMSPC) - (uint32_t)(uintptr_t)the_store);

    for (uint32_t number = 1; number < 4096; number++)
        (void)*tally_word(number << 3);
    *(volatile uint32_t *)CSR_BENCH_END_ADDR = 1;
    return 0;
}
