/* SPDX-License-Identifier: Apache-2.0 */
/* From the reset entry to the program. */
#include <stdint.h>

#include "console.h"
#include "csr.h"
#include "reset.h"
#include "timer.h"
#include "trap.h"

int main(void);
void fw_boot(uint64_t hart, uint64_t fdt);

/* Lower modes may use all memory until somebody says otherwise. */
static void open_pmp(void) {
    csr_write(pmpaddr0, UINT64_MAX >> 10);
    csr_write(pmpcfg0, 0x1f); /* NAPOT, R W X */
}

void fw_boot(uint64_t hart, uint64_t fdt) {
    (void)hart;
    (void)fdt;
    csr_write(mtvec, (uintptr_t)fw_trap_entry);
    open_pmp();
    con_init();
    timer_set(TIMER_NEVER);
    trap_set_exception(TALLY_EXC_LOAD_MISALIGNED, misaligned_emulate);
    trap_set_exception(TALLY_EXC_STORE_MISALIGNED, misaligned_emulate);
    fw_exit((unsigned)main());
}
