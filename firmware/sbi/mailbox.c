/* SPDX-License-Identifier: Apache-2.0 */
/* Mail between harts. */
#include "mailbox.h"

#include "bits.h"
#include "hart_state.h"

uintptr_t aclint_base = ACLINT_BASE;

#define MSIP(hart) (aclint_base + 4 * (hart))

void mailbox_post(unsigned long set, unsigned mail) {
    for (; set; set &= set - 1) {
        struct hart *hart = hart_of(lowest_bit(set));

        __atomic_fetch_or(&hart->mail, mail, __ATOMIC_RELEASE);
        __asm__ volatile("fence rw, ow" ::: "memory");
        write32(MSIP(hart->id), 1);
    }
}

void mailbox_clear(void) {
    write32(MSIP(this_hart->id), 0);
    __asm__ volatile("fence o, rw" ::: "memory"); /* mail posted after the clearing interrupts again */
}

unsigned mailbox_take(void) { return __atomic_exchange_n(&this_hart->mail, 0, __ATOMIC_ACQUIRE); }
