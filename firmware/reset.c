/* SPDX-License-Identifier: Apache-2.0 */
#include "reset.h"

#include "platform.h"

uintptr_t finisher_base = FINISHER_BASE;

__attribute__((noreturn)) static void finish(unsigned word) {
    write32(finisher_base, word);
    for (;;)
        __asm__ volatile("wfi");
}

void fw_exit(unsigned code) { finish(code == 0 ? FINISHER_PASS : FINISHER_FAIL | (code & 0xffff) << 16); }

void fw_reboot(void) { finish(FINISHER_RESET); }
