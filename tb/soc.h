// SPDX-License-Identifier: Apache-2.0
/* Memory map and constants of the machine (rtl/soc), for software, device tree and models. */
#ifndef TALLY_SOC_H
#define TALLY_SOC_H

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

#endif
