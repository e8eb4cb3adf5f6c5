/* SPDX-License-Identifier: Apache-2.0 */
#include "reset.h"

#include "platform.h"

uintptr_t finisher_base = FINISHER_BASE;

enum { FINISH_PASS = 0x5555, FINISH_FAIL = 0x3333, FINISH_RESET = 0x7777 };

__attribute__((noreturn)) static void finish(unsigned word) {
    write32(finisher_base, word);
    for (;;)
        __asm__ volatile("wfi");
}

void fw_exit(unsigned code) { finish(code == 0 ? FINISH_PASS : FINISH_FAIL | (code & 0xffff) << 16); }

void fw_reboot(void) { finish(FINISH_RESET); }
