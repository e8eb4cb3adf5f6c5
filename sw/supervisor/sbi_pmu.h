/* SPDX-License-Identifier: Apache-2.0 */
/* Calls of the PMU extension, its numbers of events, and reading counters, from S-mode. */
#ifndef SW_SBI_PMU_H
#define SW_SBI_PMU_H

#include <stdint.h>

#include "sbi_call.h"

#define PMU(fid, a0, a1, a2, a3, a4, a5)                                                                     \
    sbi_call6(SBI_EXT_PMU, fid, (unsigned long)(a0), (unsigned long)(a1), (unsigned long)(a2),               \
              (unsigned long)(a3), (unsigned long)(a4), (unsigned long)(a5))

static inline struct sbiret pmu_num_counters(void) { return PMU(0, 0, 0, 0, 0, 0, 0); }

static inline struct sbiret pmu_get_info(unsigned long index) { return PMU(1, index, 0, 0, 0, 0, 0); }

/* 64-bit arguments take two registers on RV32, the low half first. */
static inline struct sbiret pmu_config(unsigned long base, unsigned long mask, unsigned long flags,
                                       unsigned long event, uint64_t data) {
#if __riscv_xlen == 64
    return PMU(2, base, mask, flags, event, data, 0);
#else
    return PMU(2, base, mask, flags, event, (uint32_t)data, (uint32_t)(data >> 32));
#endif
}

static inline struct sbiret pmu_start(unsigned long base, unsigned long mask, unsigned long flags,
                                      uint64_t value) {
#if __riscv_xlen == 64
    return PMU(3, base, mask, flags, value, 0, 0);
#else
    return PMU(3, base, mask, flags, (uint32_t)value, (uint32_t)(value >> 32), 0);
#endif
}

static inline struct sbiret pmu_stop(unsigned long base, unsigned long mask, unsigned long flags) {
    return PMU(4, base, mask, flags, 0, 0, 0);
}

static inline struct sbiret pmu_fw_read(unsigned long index) { return PMU(5, index, 0, 0, 0, 0, 0); }

static inline struct sbiret pmu_fw_read_hi(unsigned long index) { return PMU(6, index, 0, 0, 0, 0, 0); }

static inline struct sbiret pmu_set_shmem(unsigned long lo, unsigned long hi, unsigned long flags) {
    return PMU(7, lo, hi, flags, 0, 0, 0);
}

static inline struct sbiret pmu_event_info(unsigned long lo, unsigned long hi, unsigned long entries,
                                           unsigned long flags) {
    return PMU(8, lo, hi, entries, flags, 0, 0);
}

enum { /* of pmu_config */
       SKIP_MATCH = 1,
       CLEAR_VALUE = 2,
       AUTO_START = 4,
       SET_VUINH = 8,
       SET_VSINH = 16,
       SET_UINH = 32,
       SET_SINH = 64,
       SET_MINH = 128
};
enum { SET_INIT_VALUE = 1, INIT_SNAPSHOT = 2 };
enum { RESET = 1, TAKE_SNAPSHOT = 2 };

/* event_idx */
#define HW(code) (code)
#define CACHE(id, op, result) (0x10000ul | (id) << 3 | (op) << 1 | (result))
#define RAW 0x20000ul
#define RAW_V2 0x30000ul
#define FW(code) (0xf0000ul | (code))
#define FW_PLATFORM_EVENT FW(0xffff)

/* counter_info of pmu_get_info: the firmware's, or the hart's with this number of its CSR from cycle's */
#define COUNTER_IS_FIRMWARE(info) ((info) >> (__riscv_xlen - 1))
#define COUNTER_NUMBER(info) ((unsigned)(info)&0x1f)

unsigned long counter_low(unsigned n); /* counter_read.S */
unsigned long counter_high(unsigned n);

/* cycle, instret, hpmcounter n of the hart. On RV32 it should not count meanwhile. */
static inline uint64_t read_counter(unsigned n) {
#if __riscv_xlen == 64
    return counter_low(n);
#else
    return (uint64_t)counter_high(n) << 32 | counter_low(n);
#endif
}

#endif
