/* SPDX-License-Identifier: Apache-2.0 */
/* The machine: QEMU's `virt` memory map. */
#ifndef FW_PLATFORM_H
#define FW_PLATFORM_H

#define FINISHER_BASE 0x00100000
#define FINISHER_FAIL 0x3333 /* and a code, from bit 16 on */
#define FINISHER_PASS 0x5555
#define FINISHER_RESET 0x7777
#define ACLINT_BASE 0x02000000
#define ACLINT_LOG 16 /* 1 << ACLINT_LOG bytes */
#define PLIC_BASE 0x0c000000
#define DEVICES_LOG 29 /* 1 << DEVICES_LOG bytes from 0 hold all devices that the firmware uses */
#define UART_BASE 0x10000000
#define RAM_BASE 0x80000000

/* The firmware's memory, and the default address of the supervisor */
#define FIRMWARE_LOG 17 /* 1 << FIRMWARE_LOG bytes from RAM_BASE, one PMP entry */
#if __riscv_xlen == 64
#define NEXT_STAGE 0x80200000
#else
#define NEXT_STAGE 0x80400000
#endif

#define HARTS_MAX 8

#ifndef __ASSEMBLER__
#include <stdint.h>

static inline uint8_t read8(uintptr_t addr) { return *(volatile uint8_t *)addr; }

static inline void write8(uintptr_t addr, uint8_t value) { *(volatile uint8_t *)addr = value; }

static inline uint32_t read32(uintptr_t addr) { return *(volatile uint32_t *)addr; }

static inline void write32(uintptr_t addr, uint32_t value) { *(volatile uint32_t *)addr = value; }

static inline uint64_t read64(uintptr_t addr) { return *(volatile uint64_t *)addr; }

static inline void write64(uintptr_t addr, uint64_t value) { *(volatile uint64_t *)addr = value; }
#endif

#endif
