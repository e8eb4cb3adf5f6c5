// SPDX-License-Identifier: Apache-2.0
/* Memory map and constants of the machine (rtl/soc), for software, device tree and models. */
#ifndef TALLY_SOC_H
#define TALLY_SOC_H

#include <stdbool.h>
#include <stdint.h>

enum {
    SOC_ROM_BASE = 0x1000,
    SOC_ROM_SIZE = 0xF000,
    SOC_ROM_WORDS = 64, /* that are used */
    SOC_FINISHER_BASE = 0x100000,
    SOC_FINISHER_SIZE = 0x1000,
    SOC_ACLINT_BASE = 0x2000000,
    SOC_ACLINT_SIZE = 0x10000,
    SOC_PLIC_BASE = 0xC000000,
    SOC_PLIC_SIZE = 0x600000,
    SOC_PLIC_SOURCES = 15,
    SOC_UART_BASE = 0x10000000,
    SOC_UART_SIZE = 0x100,
    SOC_UART_IRQ = 10,
    SOC_UART_CLOCK = 3686400,
    SOC_HOST_BASE = 0x10010000,
    SOC_HOST_SIZE = 0x2000, /* a window a hart (host_device.h) */
    SOC_HARTS_MAX = 2,
    SOC_CORE_CLOCK = 100000000, /* nominal; simulation has no other clock */
};
#define SOC_RAM_BASE UINT64_C(0x80000000)
#define SOC_RAM_MAX (UINT64_C(16) << 30)

static inline bool soc_in(uint64_t address, uint64_t base, uint64_t size) {
    return address >= base && address - base < size;
}

/* Does the machine answer such an access, or is it an access fault? */
static inline bool soc_answers(uint64_t a, unsigned size, bool write) {
    if (soc_in(a, SOC_ROM_BASE, SOC_ROM_SIZE))
        return !write;
    if (soc_in(a, SOC_FINISHER_BASE, SOC_FINISHER_SIZE) || soc_in(a, SOC_UART_BASE, SOC_UART_SIZE) ||
        soc_in(a, SOC_HOST_BASE, SOC_HOST_SIZE))
        return true;
    if (soc_in(a, SOC_ACLINT_BASE, SOC_ACLINT_SIZE))
        return size >= 4;
    return soc_in(a, SOC_PLIC_BASE, SOC_PLIC_SIZE) && size == 4;
}

#endif
