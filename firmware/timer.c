/* SPDX-License-Identifier: Apache-2.0 */
#include "timer.h"

#include "csr.h"
#include "platform.h"

#define MSIP (ACLINT_BASE)
#define MTIMECMP (ACLINT_BASE + 0x4000)
#define MTIME (ACLINT_BASE + 0xbff8)

struct mailbox {
    void (*volatile function)(uint64_t hart, void *argument);
    void *volatile argument;
};

extern struct mailbox fw_mailbox[HARTS_MAX]; /* start.S */

uint64_t timer_now(void) { return read64(MTIME); }

void timer_set(uint64_t when) { write64(MTIMECMP + 8 * csr_read(mhartid), when); }

void ipi_send(unsigned hart) {
    __asm__ volatile("fence rw, ow" ::: "memory");
    write32(MSIP + 4 * hart, 1);
}

void ipi_clear(unsigned hart) { write32(MSIP + 4 * hart, 0); }

void hart_start(unsigned hart, void (*function)(uint64_t hart, void *argument), void *argument) {
    fw_mailbox[hart].argument = argument;
    __asm__ volatile("fence w, w" ::: "memory");
    fw_mailbox[hart].function = function;
    ipi_send(hart);
}
