/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The functions of the PMU extension. Every set of counters is checked whole before anything changes; then
 * every counter of the set is served, and only at the end the call says that some were in the wanted state
 * already.
 */
#include <stddef.h>

#include "bits.h"
#include "console.h"
#include "csr.h"
#include "hart_state.h"
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

/* EVENTS_MAX: entries of event_get_info, so that interrupts do not wait for long */
enum { SNAPSHOT_SIZE = 4096, FILTERS_LSB = TALLY_MHPMEVENT_VUINH_LSB, EVENTS_MAX = 1024 };

bool pmu_offered;
static bool whole; /* every counter is delegated */
static bool snapshot_offered;
/* Together, so that a call finds them by one address */
static struct {
    uint64_t all;   /* bit n: counter n of the hart, then the firmware's */
    uint64_t none;  /* bits of a set of indices that are no counter's */
    unsigned count; /* of indices; below 64 */
    bool gapless;   /* `all` has no gap but that of `time` */
} indices;

#define FIRMWARE_COUNTERS ((1ull << PMU_FW_COUNTERS) - 1)

/* Hardware counters of a set; the rest is the firmware's. */
static inline uint32_t hardware_part(uint64_t set) { return (uint32_t)(set & pmu_hardware.counters); }

static inline unsigned firmware_part(uint64_t set) {
    return (unsigned)(set >> pmu_hardware.first_free & FIRMWARE_COUNTERS);
}

static inline bool is_firmware(unsigned index) { return index >= pmu_hardware.first_free; }

/*
 * The SBI's counter indices are dense (docs/rulings.md, SBI counter numbers); here counter n of the hart is
 * bit n. The i-th counter that exists has index i.
 */
static unsigned counter_at(unsigned index) {
    uint64_t rest = indices.all;

    if (__builtin_expect(indices.gapless, true))
        return index + (index > 0);
    while (index--)
        rest &= rest - 1;
    return lowest_bit(rest);
}

static unsigned index_of(unsigned counter) {
    unsigned index = 0;

    if (__builtin_expect(indices.gapless, true))
        return counter - (counter > 0);
    for (uint64_t rest = indices.all & ((1ull << counter) - 1); rest; rest &= rest - 1)
        index++;
    return index;
}

static uint64_t counters_at(uint64_t named) {
    uint64_t set = 0;

    if (__builtin_expect(indices.gapless, true))
        return (named & 1) | (named & ~1ull) << 1;
    for (uint64_t rest = indices.all; named; named >>= 1, rest &= rest - 1)
        if (named & 1)
            set |= rest & -rest;
    return set;
}

/* The set that base and mask name; false if it is empty or a counter of it does not exist. */
static bool decode_set(unsigned long base, unsigned long mask, uint64_t *set) {
    uint64_t named = (uint64_t)mask << (base & 63);

    *set = counters_at(named);
    return mask && base < 64 && named >> (base & 63) == mask && !(named & indices.none);
}

/* --- configuration ------------------------------------------------------------------------------- */

/* Let counters run; their values and overflow flags are as they shall be. */
static void run(uint64_t set) {
    struct pmu_state *pmu = &this_hart->pmu;
    unsigned firmware = firmware_part(set);

    pmu->started |= set;
    for (; firmware; firmware &= firmware - 1) {
        unsigned k = lowest_bit(firmware);

        pmu->fw_counting[pmu->fw_event[k]] |= (uint16_t)(1u << k);
    }
    csr_clear(mcountinhibit, hardware_part(set));
}

/* Clear OF before a counter runs: always with a value, its overflow has been served; else only if no overflow
 * waits to be served. */
static void clear_overflows(uint32_t set, bool served) {
    set &= ~PMU_FIXED;
    if (!pmu_hardware.overflow || (!served && csr_read(mip) & INTERRUPT_BIT(LCOFI)))
        return;
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
        pmu_selector_write(n, event->selector | (pmu_hardware.overflow ? filters : 0));
    else if (pmu_hardware.fixed_filter)
        pmu_selector_write(n, filters);
    if (flags & CFG_CLEAR_VALUE)
        pmu_counter_write(n, 0);
}

static void hold(unsigned index, unsigned long flags) {
    struct pmu_state *pmu = &this_hart->pmu;
    uint64_t set = 1ull << index;

    pmu->held |= set;
    if (flags & CFG_AUTO_START)
        run(set);
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
    return sbi_value(index_of(pmu_hardware.first_free + k));
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
    return sbi_value(index_of((unsigned)n));
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

/* Each counter's value of the snapshot; false: its memory faults */
__attribute__((noinline, cold)) static bool set_from_snapshot(uint64_t set, unsigned long base) {
    struct pmu_snapshot copy;

    if (!shared_read(&copy, this_hart->pmu.snapshot, sizeof copy))
        return false;
    for (; set; set &= set - 1) {
        unsigned n = lowest_bit(set);

        set_value(n, copy.value[index_of(n) - base]);
    }
    return true;
}

/* The value of the call, or each counter's of the snapshot */
static inline bool set_values(uint64_t set, unsigned long base, unsigned long flags, uint64_t value) {
    if (flags & START_INIT_SNAPSHOT)
        return set_from_snapshot(set, base);
    for (; set; set &= set - 1)
        set_value(lowest_bit(set), value);
    return true;
}

/* Once more, now that they run: QEMU 7.2 plans the overflow when the value is written, and forgets it if the
 * counter is inhibited when its time comes. Our own unit needs no such thing. */
__attribute__((noinline, cold)) static void set_values_again(uint64_t set, unsigned long base,
                                                             unsigned long flags, uint64_t value) {
    (void)set_values(set & pmu_hardware.counters & ~(uint64_t)PMU_FIXED, base, flags, value);
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
    if (flags && !set_values(stopped, base, flags, value))
        return sbi_error(SBI_ERR_FAILED);
    clear_overflows(hardware_part(stopped), flags != 0);
    run(stopped);
    if (flags && !pmu_hardware.own_events)
        set_values_again(stopped, base, flags, value);
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

/* Values and overflow flags of the set, which base and mask name, and nothing else; false: its memory faults
 */
__attribute__((noinline, cold)) static bool take_snapshot(uint64_t set, unsigned long base,
                                                          unsigned long mask) {
    struct pmu_snapshot copy;
    uint64_t overflow = 0;

    if (!shared_read(&copy, this_hart->pmu.snapshot, sizeof copy))
        return false;

    for (uint64_t rest = set; rest; rest &= rest - 1) {
        unsigned n = lowest_bit(rest);
        unsigned at = index_of(n) - (unsigned)base;

        copy.value[at] = get_value(n);
        if (pmu_hardware.overflow && !is_firmware(n) && !(PMU_FIXED >> n & 1) &&
            pmu_selector_read(n) & PMU_EVENT_OF)
            overflow |= 1ull << at;
    }
    copy.overflow = (copy.overflow & ~(uint64_t)mask) | overflow;
    return shared_write(this_hart->pmu.snapshot, &copy, sizeof copy);
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
    bool written = true;
    uint64_t set, running;

    if (!decode_set(base, mask, &set) || flags & ~(unsigned long)STOP_ALL)
        return sbi_error(SBI_ERR_INVALID_PARAM);
    if (flags & STOP_TAKE_SNAPSHOT && !pmu->snapshot)
        return sbi_error(SBI_ERR_NO_SHMEM);

    running = set & pmu->started;
    halt(set);
    if (flags & STOP_TAKE_SNAPSHOT)
        written = take_snapshot(set, base, mask);
    if (flags & STOP_RESET)
        release(set);
    if (!written)
        return sbi_error(SBI_ERR_FAILED);
    return sbi_error(running == set ? SBI_SUCCESS : SBI_ERR_ALREADY_STOPPED);
}

/* --- information --------------------------------------------------------------------------------- */

static struct sbiret get_info(unsigned long index) {
    const unsigned long type = 1ul << (__riscv_xlen - 1), csr = TALLY_CSR_CYCLE;
    unsigned n;

    if (index >= indices.count)
        return sbi_error(SBI_ERR_INVALID_PARAM);
    n = counter_at((unsigned)index);
    if (is_firmware(n))
        return sbi_value(type | 63ul << 12);
    return sbi_value((csr + n) | (pmu_hardware.width[n] - 1ul) << 12);
}

/* The value of a firmware counter; false: the index names none. */
static bool read_firmware(unsigned long index, uint64_t *value) {
    unsigned n;

    if (index >= indices.count)
        return false;
    n = counter_at((unsigned)index);
    if (!is_firmware(n))
        return false;
    *value = get_value(n);
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
    if (!memory_map_shared(lo, hi, SNAPSHOT_SIZE, &at) || !shared_page(at))
        return sbi_error(SBI_ERR_INVALID_ADDRESS);
    this_hart->pmu.snapshot = at;
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

        /* Also one that runs: its filter keeps it from counting in M-mode. */
        if (pmu_selector_holds(n, raw.selector))
            return true;
    }
    return false;
}

static struct sbiret event_get_info(unsigned long lo, unsigned long hi, unsigned long entries,
                                    unsigned long flags) {
    struct event_info info;
    uintptr_t first;

    if (flags || lo % sizeof info || !entries)
        return sbi_error(SBI_ERR_INVALID_PARAM);
    if (entries > ~0ul / sizeof info || !memory_map_shared(lo, hi, entries * sizeof info, &first))
        return sbi_error(SBI_ERR_INVALID_ADDRESS);
    if (entries > EVENTS_MAX)
        return sbi_error(SBI_ERR_INVALID_PARAM);
    for (unsigned long i = 0; i < entries; i++) { /* the last byte may be the last of all addresses */
        if (!shared_read(&info, first + i * sizeof info, sizeof info))
            return sbi_error(SBI_ERR_INVALID_ADDRESS);
        if (info.event_idx >> 20)
            return sbi_error(SBI_ERR_INVALID_PARAM);
    }
    for (unsigned long i = 0; i < entries; i++) {
        if (!shared_read(&info, first + i * sizeof info, sizeof info))
            return sbi_error(SBI_ERR_INVALID_ADDRESS);
        info.output = supported(&info);
        if (!shared_write(first + i * sizeof info + offsetof(struct event_info, output), &info.output,
                          sizeof info.output))
            return sbi_error(SBI_ERR_INVALID_ADDRESS);
    }
    return sbi_error(SBI_SUCCESS);
}

/* --- the calls ----------------------------------------------------------------------------------- */

static struct sbiret call_num_counters(SBI_ARGUMENTS) {
    SBI_UNUSED;
    return sbi_value(indices.count);
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

static sbi_call *const functions[] = {
    call_num_counters, call_get_info,   call_config_matching, call_start,          call_stop,
    call_fw_read,      call_fw_read_hi, call_set_shmem,       call_event_get_info,
};
static unsigned long function_count; /* 0 if the extension is not offered */

struct sbiret pmu_call(SBI_ARGUMENTS) {
    if (fid >= function_count)
        return sbi_error(SBI_ERR_NOT_SUPPORTED);
    return functions[fid](a0, a1, a2, a3, a4, a5, fid, eid);
}

/* --- set-up -------------------------------------------------------------------------------------- */

void pmu_setup(const struct tree_pmu *tree) {
    pmu_found = pmu_hardware_find();
    if (!pmu_found)
        return;
    whole = tree->delegate && !(pmu_hardware.counters & ~tree->delegated);
    pmu_offered = !whole;
    function_count = pmu_offered ? sizeof functions / sizeof *functions : 0;
    snapshot_offered = !tree->no_snapshot;
    if (tree->delegate)
        pmu_hardware.counters &= ~tree->delegated;
    pmu_event_setup(tree);
    indices.all = pmu_hardware.counters | FIRMWARE_COUNTERS << pmu_hardware.first_free;
    for (uint64_t rest = indices.all; rest; rest &= rest - 1)
        indices.count++;
    indices.none = ~0ull << indices.count;
    indices.gapless = indices.all & 1 && indices.all >> 1 == ((1ull << indices.count) - 1) - 1;
}

bool pmu_branches(const struct tree_pmu *tree) {
    const bool routable = tree->delegate && tree->delegated & pmu_hardware.present & ~7u;

    if (!tree->branches)
        return false;
    if (!pmu_hardware.branches)
        con_puts("pmu: tally,event-based-branches: the hart has none\n");
    else if (!routable)
        con_puts("pmu: tally,event-based-branches: no counter is delegated that could be routed\n");
    return pmu_hardware.branches && routable;
}

/* A buffer that went on being written would be memory that is somebody else's by then. */
static void sampling_off(void) {
    csr_set(mcountinhibit, 1ul << PMU_TIME); /* that bit is sampling's */
    csr_write64(TALLY_CSR_MPDISCTL, TALLY_CSR_MPDISCTLH, 0);
    if (!pmu_hardware.buffer)
        return;
#if __riscv_xlen == 64
    while (!(csr_read(TALLY_CSR_SPDISAMBCS) & TALLY_SPDISAMBCS_EMPTY_MASK))
        ;
#else
    while (!(csr_read(TALLY_CSR_SPDISAMBCSH) & TALLY_SPDISAMBCS_EMPTY_MASK >> 32))
        ;
#endif
    csr_write64(TALLY_CSR_SPDISAMBCS, TALLY_CSR_SPDISAMBCSH, 0);
}

void pmu_stop_hart(void) {
    if (pmu_delegates_counters && pmu_hardware.sampling)
        sampling_off();
}

/* Delegated counters too: software before may have left them so. A supervisor that has all of them cannot
 * turn M-mode off (MINH): they leave it out, as those of the SBI do. */
void pmu_setup_hart(void) {
    const uint64_t filter = whole && pmu_hardware.overflow ? PMU_EVENT_MINH : 0;
    const uint64_t fixed_filter = whole ? PMU_EVENT_MINH : 0;

    this_hart->pmu = (struct pmu_state){0};
    csr_write(mcounteren, ~0ul); /* `time` is one of them */
    if (!pmu_found)
        return;
    pmu_stop_hart();
    if (pmu_delegates_counters && pmu_hardware.pc_range)
        csr_write(TALLY_CSR_SHPMPCSEL, 0);
    for (uint32_t rest = pmu_hardware.present & ~PMU_FIXED; rest; rest &= rest - 1) {
        unsigned n = lowest_bit(rest);

        pmu_selector_write(n, filter);
        pmu_counter_write(n, 0);
    }
    if (pmu_hardware.fixed_filter) {
        pmu_selector_write(PMU_CYCLE, fixed_filter);
        pmu_selector_write(PMU_INSTRET, fixed_filter);
    }
    csr_write(mcountinhibit, ~(unsigned long)PMU_FIXED & 0xfffffff8ul);
}
