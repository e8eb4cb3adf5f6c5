/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The functions of the PMU extension. Every set of counters is checked whole before anything changes; then
 * every counter of the set is served, and only at the end the call says that some were in the wanted state
 * already.
 */
#include "bits.h"
#include "csr.h"
#include "hart.h"
#include "memory_map.h"
#include "pmu.h"
#include "pmu_firmware.h"
#include "sbi.h"
#include "tree.h"

enum {
    CFG_SKIP_MATCH = 1 << 0,
    CFG_CLEAR_VALUE = 1 << 1,
    CFG_AUTO_START = 1 << 2,
    CFG_FILTERS = 0xf8, /* VUINH VSINH UINH SINH MINH */
    CFG_FILTERS_LSB = 3,
    CFG_ALL = 0xff,

    START_SET_INIT_VALUE = 1 << 0,
    START_INIT_SNAPSHOT = 1 << 1,
    START_ALL = 3,

    STOP_RESET = 1 << 0,
    STOP_TAKE_SNAPSHOT = 1 << 1,
    STOP_ALL = 3,
};

enum { SNAPSHOT_SIZE = 4096, FILTERS_LSB = TALLY_MHPMEVENT_VUINH_LSB };

bool pmu_offered;
static bool snapshot_offered;
static uint64_t all_counters; /* logical indices that exist */

#define FIRMWARE_COUNTERS ((1ull << PMU_FW_COUNTERS) - 1)

/* Hardware counters of a set; the rest is the firmware's. */
static inline uint32_t hardware_part(uint64_t set) { return (uint32_t)(set & pmu_hardware.counters); }

static inline unsigned firmware_part(uint64_t set) {
    return (unsigned)(set >> pmu_hardware.first_free & FIRMWARE_COUNTERS);
}

static inline bool is_firmware(unsigned index) { return index >= pmu_hardware.first_free; }

/* The set that base and mask name; false if it is empty or a counter of it does not exist. */
static bool decode_set(unsigned long base, unsigned long mask, uint64_t *set) {
    if (!mask || base > 63)
        return false;
    *set = (uint64_t)mask << base;
    return *set >> base == mask && !(*set & ~all_counters);
}

/* --- configuration ------------------------------------------------------------------------------- */

/* Let counters run; their values and overflow flags are as they shall be. */
static void run(uint64_t set) {
    struct pmu_state *pmu = &this_hart->pmu;
    unsigned firmware = firmware_part(set);

    pmu->started |= set;
    pmu->fresh &= ~set;
    for (; firmware; firmware &= firmware - 1) {
        unsigned k = lowest_bit(firmware);

        pmu->fw_counting[pmu->fw_event[k]] |= (uint16_t)(1u << k);
    }
    csr_clear(mcountinhibit, hardware_part(set));
}

/* Clear OF before a counter runs: always after a configuration; later only if no overflow waits to be served.
 */
static void clear_overflows(uint32_t set) {
    const struct pmu_state *pmu = &this_hart->pmu;

    set &= ~PMU_FIXED;
    if (csr_read(mip) & INTERRUPT_BIT(LCOFI))
        set &= (uint32_t)pmu->fresh;
    for (; set; set &= set - 1)
        pmu_overflow_clear(lowest_bit(set));
}

/* The first counter of the set that can have the selector; -1: none. Programmable ones first: only they
 * overflow. */
static int choose(const struct pmu_event *event, uint32_t set, bool raw) {
    uint32_t candidates = event->counters & set;
    uint32_t programmable = candidates & ~PMU_FIXED;

    for (; programmable; programmable &= programmable - 1) {
        unsigned n = lowest_bit(programmable);

        if (!raw || pmu_selector_holds(n, event->selector))
            return (int)n;
    }
    return candidates & PMU_FIXED ? (int)lowest_bit(candidates & PMU_FIXED) : -1;
}

static void configure_hardware(unsigned n, const struct pmu_event *event, unsigned long flags) {
    uint64_t filters = (uint64_t)(flags & CFG_FILTERS) << (FILTERS_LSB - CFG_FILTERS_LSB);

    csr_set(mcountinhibit, 1ul << n);
    filters |= PMU_EVENT_MINH;
    if (!(PMU_FIXED >> n & 1))
        pmu_selector_write(n, event->selector | filters | PMU_EVENT_OF);
    else if (pmu_hardware.fixed_filter)
        pmu_selector_write(n, filters);
    if (flags & CFG_CLEAR_VALUE)
        pmu_counter_write(n, 0);
}

static void hold(unsigned index, unsigned long flags) {
    struct pmu_state *pmu = &this_hart->pmu;
    uint64_t set = 1ull << index;

    pmu->held |= set;
    pmu->fresh |= set;
    if (flags & CFG_AUTO_START) {
        clear_overflows(hardware_part(set));
        run(set);
    }
}

static struct sbiret configure_firmware(uint64_t set, unsigned long flags, int event) {
    unsigned free = firmware_part(set);
    unsigned k;

    if (!free)
        return sbi_error(SBI_ERR_NOT_SUPPORTED);
    k = lowest_bit(free);
    this_hart->pmu.fw_event[k] = (uint8_t)event;
    if (flags & CFG_CLEAR_VALUE)
        this_hart->pmu.fw_value[k] = 0;
    hold(pmu_hardware.first_free + k, flags);
    return sbi_value(pmu_hardware.first_free + k);
}

static struct sbiret config_matching(unsigned long base, unsigned long mask, unsigned long flags,
                                     unsigned long event_idx, uint64_t event_data) {
    const struct pmu_state *pmu = &this_hart->pmu;
    const struct pmu_event *event;
    struct pmu_event raw;
    uint64_t set;
    int n;

    if (!decode_set(base, mask, &set) || flags & ~(unsigned long)CFG_ALL)
        return sbi_error(SBI_ERR_INVALID_PARAM);
    if (flags & CFG_SKIP_MATCH) {
        set &= -set;
        if (pmu->started & set)
            return sbi_error(SBI_ERR_INVALID_PARAM);
    } else {
        set &= ~pmu->held;
    }
    n = pmu_fw_event_find(event_idx, event_data);
    if (n >= 0)
        return configure_firmware(set, flags, n);
    event = pmu_event_find(event_idx, event_data, &raw);
    n = event ? choose(event, hardware_part(set), event == &raw) : -1;
    if (n < 0)
        return sbi_error(SBI_ERR_NOT_SUPPORTED);
    configure_hardware((unsigned)n, event, flags);
    hold((unsigned)n, flags);
    return sbi_value((unsigned long)n);
}

/* --- start --------------------------------------------------------------------------------------- */

static void set_value(unsigned index, uint64_t value) {
    if (is_firmware(index))
        this_hart->pmu.fw_value[index - pmu_hardware.first_free] = value;
    else
        pmu_counter_write(index, value);
}

static uint64_t get_value(unsigned index) {
    if (is_firmware(index))
        return this_hart->pmu.fw_value[index - pmu_hardware.first_free];
    return pmu_counter_read(index);
}

static struct sbiret start(unsigned long base, unsigned long mask, unsigned long flags, uint64_t value) {
    const struct pmu_state *pmu = &this_hart->pmu;
    uint64_t set, stopped;

    if (!decode_set(base, mask, &set) || flags & ~(unsigned long)START_ALL || flags == START_ALL ||
        set & ~pmu->held)
        return sbi_error(SBI_ERR_INVALID_PARAM);
    if (flags & START_SET_INIT_VALUE && set & (set - 1))
        return sbi_error(SBI_ERR_INVALID_PARAM);
    if (flags & START_INIT_SNAPSHOT && !pmu->snapshot)
        return sbi_error(SBI_ERR_NO_SHMEM);

    stopped = set & ~pmu->started;
    if (flags)
        for (uint64_t rest = stopped; rest; rest &= rest - 1) {
            unsigned index = lowest_bit(rest);

            set_value(index, flags & START_INIT_SNAPSHOT ? pmu->snapshot->value[index - base] : value);
        }
    clear_overflows(hardware_part(stopped));
    run(stopped);
    return sbi_error(stopped == set ? SBI_SUCCESS : SBI_ERR_ALREADY_STARTED);
}

/* --- stop ---------------------------------------------------------------------------------------- */

static void halt(uint64_t set) {
    struct pmu_state *pmu = &this_hart->pmu;
    unsigned firmware = firmware_part(set);

    csr_set(mcountinhibit, hardware_part(set));
    for (; firmware; firmware &= firmware - 1) {
        unsigned k = lowest_bit(firmware);

        if (pmu->held >> pmu_hardware.first_free >> k & 1)
            pmu->fw_counting[pmu->fw_event[k]] &= (uint16_t) ~(1u << k);
    }
    pmu->started &= ~set;
}

/* Values and overflow flags of the set, and nothing else. */
static void take_snapshot(uint64_t set, unsigned long base) {
    struct pmu_snapshot *snapshot = this_hart->pmu.snapshot;
    uint64_t overflow = 0;

    for (uint64_t rest = set; rest; rest &= rest - 1) {
        unsigned index = lowest_bit(rest);

        snapshot->value[index - base] = get_value(index);
        if (pmu_hardware.overflow && !is_firmware(index) && !(PMU_FIXED >> index & 1) &&
            pmu_selector_read(index) & PMU_EVENT_OF)
            overflow |= 1ull << index;
    }
    snapshot->overflow = (snapshot->overflow & ~(set >> base)) | overflow >> base;
}

/* Take the events away. */
static void release(uint64_t set) {
    this_hart->pmu.held &= ~set;
    for (uint32_t rest = hardware_part(set); rest; rest &= rest - 1) {
        unsigned n = lowest_bit(rest);

        if (!(PMU_FIXED >> n & 1) || pmu_hardware.fixed_filter)
            pmu_selector_write(n, 0);
    }
}

static struct sbiret stop(unsigned long base, unsigned long mask, unsigned long flags) {
    const struct pmu_state *pmu = &this_hart->pmu;
    uint64_t set, running;

    if (!decode_set(base, mask, &set) || flags & ~(unsigned long)STOP_ALL)
        return sbi_error(SBI_ERR_INVALID_PARAM);
    if (flags & STOP_TAKE_SNAPSHOT && !pmu->snapshot)
        return sbi_error(SBI_ERR_NO_SHMEM);

    running = set & pmu->started;
    halt(set);
    if (flags & STOP_TAKE_SNAPSHOT)
        take_snapshot(set, base);
    if (flags & STOP_RESET)
        release(set);
    return sbi_error(running == set ? SBI_SUCCESS : SBI_ERR_ALREADY_STOPPED);
}

/* --- information --------------------------------------------------------------------------------- */

static struct sbiret get_info(unsigned long index) {
    const unsigned long type = 1ul << (__riscv_xlen - 1), csr = TALLY_CSR_CYCLE;

    if (index > 63 || !(all_counters >> index & 1))
        return sbi_error(SBI_ERR_INVALID_PARAM);
    if (is_firmware((unsigned)index))
        return sbi_value(type | 63ul << 12);
    return sbi_value((csr + index) | (pmu_hardware.width[index] - 1ul) << 12);
}

/* The value of a firmware counter; false: the index names none. */
static bool read_firmware(unsigned long index, uint64_t *value) {
    if (index > 63 || !(all_counters >> index & 1) || !is_firmware((unsigned)index))
        return false;
    *value = get_value((unsigned)index);
    return true;
}

static struct sbiret set_shmem(unsigned long lo, unsigned long hi, unsigned long flags) {
    uintptr_t at;

    if (!snapshot_offered)
        return sbi_error(SBI_ERR_NOT_SUPPORTED);
    if (flags)
        return sbi_error(SBI_ERR_INVALID_PARAM);
    if (lo == ~0ul && hi == ~0ul) {
        this_hart->pmu.snapshot = 0;
        return sbi_error(SBI_SUCCESS);
    }
    if (lo % SNAPSHOT_SIZE)
        return sbi_error(SBI_ERR_INVALID_PARAM);
    if (!memory_map_shared(lo, hi, SNAPSHOT_SIZE, &at))
        return sbi_error(SBI_ERR_INVALID_ADDRESS);
    this_hart->pmu.snapshot = (struct pmu_snapshot *)at;
    return sbi_error(SBI_SUCCESS);
}

/* An entry of event_get_info (table 47) */
struct event_info {
    uint32_t event_idx;
    uint32_t output;
    uint64_t event_data;
};

static bool supported(const struct event_info *entry) {
    const struct pmu_event *event;
    struct pmu_event raw;

    if (pmu_fw_event_find(entry->event_idx, entry->event_data) >= 0)
        return true;
    event = pmu_event_find(entry->event_idx, entry->event_data, &raw);
    if (!event || event != &raw)
        return event && event->counters;
    for (uint32_t rest = raw.counters; rest; rest &= rest - 1) {
        unsigned n = lowest_bit(rest);

        /* A counter that is in use keeps its selector; others of its kind answer for it. */
        if (!(this_hart->pmu.held >> n & 1) && pmu_selector_holds(n, raw.selector))
            return true;
    }
    return false;
}

static struct sbiret event_get_info(unsigned long lo, unsigned long hi, unsigned long entries,
                                    unsigned long flags) {
    struct event_info *info;
    uintptr_t at;

    if (flags || lo % sizeof *info || !entries)
        return sbi_error(SBI_ERR_INVALID_PARAM);
    if (entries > ~0ul / sizeof *info || !memory_map_shared(lo, hi, entries * sizeof *info, &at))
        return sbi_error(SBI_ERR_INVALID_ADDRESS);
    info = (struct event_info *)at;
    for (unsigned long i = 0; i < entries; i++)
        if (info[i].event_idx >> 20)
            return sbi_error(SBI_ERR_INVALID_PARAM);
    for (unsigned long i = 0; i < entries; i++)
        info[i].output = supported(&info[i]);
    return sbi_error(SBI_SUCCESS);
}

/* --- the calls ----------------------------------------------------------------------------------- */

static struct sbiret call_num_counters(SBI_ARGUMENTS) {
    SBI_UNUSED;
    return sbi_value(pmu_hardware.first_free + PMU_FW_COUNTERS);
}

static struct sbiret call_get_info(SBI_ARGUMENTS) {
    SBI_UNUSED;
    return get_info(a0);
}

/* 64-bit arguments take two registers on RV32, the low half first. */
static struct sbiret call_config_matching(SBI_ARGUMENTS) {
    SBI_UNUSED;
#if __riscv_xlen == 64
    return config_matching(a0, a1, a2, a3, a4);
#else
    return config_matching(a0, a1, a2, a3, (uint64_t)a5 << 32 | a4);
#endif
}

static struct sbiret call_start(SBI_ARGUMENTS) {
    SBI_UNUSED;
#if __riscv_xlen == 64
    return start(a0, a1, a2, a3);
#else
    return start(a0, a1, a2, (uint64_t)a4 << 32 | a3);
#endif
}

static struct sbiret call_stop(SBI_ARGUMENTS) {
    SBI_UNUSED;
    return stop(a0, a1, a2);
}

static struct sbiret call_fw_read(SBI_ARGUMENTS) {
    uint64_t value;

    SBI_UNUSED;
    return read_firmware(a0, &value) ? sbi_value((unsigned long)value) : sbi_error(SBI_ERR_INVALID_PARAM);
}

static struct sbiret call_fw_read_hi(SBI_ARGUMENTS) {
    uint64_t value;

    SBI_UNUSED;
    if (!read_firmware(a0, &value))
        return sbi_error(SBI_ERR_INVALID_PARAM);
    return sbi_value(__riscv_xlen == 64 ? 0 : (unsigned long)(value >> 32));
}

static struct sbiret call_set_shmem(SBI_ARGUMENTS) {
    SBI_UNUSED;
    return set_shmem(a0, a1, a2);
}

static struct sbiret call_event_get_info(SBI_ARGUMENTS) {
    SBI_UNUSED;
    return event_get_info(a0, a1, a2, a3);
}

struct sbiret pmu_call(SBI_ARGUMENTS) {
    static sbi_call *const functions[] = {call_num_counters, call_get_info,  call_config_matching,
                                          call_start,        call_stop,      call_fw_read,
                                          call_fw_read_hi,   call_set_shmem, call_event_get_info};

    if (fid >= sizeof functions / sizeof *functions)
        return sbi_error(SBI_ERR_NOT_SUPPORTED);
    return functions[fid](a0, a1, a2, a3, a4, a5, fid, eid);
}

/* --- set-up -------------------------------------------------------------------------------------- */

void pmu_setup(const struct tree_pmu *tree) {
    pmu_offered = pmu_hardware_find();
    if (!pmu_offered)
        return;
    snapshot_offered = !tree->no_snapshot;
    if (tree->delegate)
        pmu_hardware.counters &= ~tree->delegated;
    pmu_event_setup(tree);
    all_counters = pmu_hardware.counters | FIRMWARE_COUNTERS << pmu_hardware.first_free;
}

void pmu_setup_hart(void) {
    this_hart->pmu = (struct pmu_state){0};
    if (!pmu_offered)
        return;
    for (uint32_t rest = pmu_hardware.counters & ~PMU_FIXED; rest; rest &= rest - 1) {
        unsigned n = lowest_bit(rest);

        pmu_selector_write(n, 0);
        pmu_counter_write(n, 0);
    }
    if (pmu_hardware.fixed_filter) {
        pmu_selector_write(PMU_CYCLE, 0);
        pmu_selector_write(PMU_INSTRET, 0);
    }
    csr_write(mcountinhibit, ~(unsigned long)PMU_FIXED & 0xfffffff8ul);
    csr_write(mcounteren, ~0ul);
}
