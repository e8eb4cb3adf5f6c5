/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Events and who counts them. The device tree's tables are turned into arrays once, so that a call looks its
 * event up by index; only raw events are compared with the rows of their table.
 *
 * Without a table the selector of an event is its event_idx, as the SBI suggests, and every programmable
 * counter may count it. A row that makes no sense, or that contradicts an earlier one, is left out with a
 * warning.
 */
#include "bits.h"
#include "console.h"
#include "csr.h"
#include "pmu.h"
#include "tree.h"

enum { GENERAL_EVENTS = 11, CACHE_EVENTS = 7 << 3, EVENT_ROWS = 64, RAW_ROWS = 32 };

static struct pmu_event general[GENERAL_EVENTS]; /* [0] stays empty: event_idx is never 0 */
static struct pmu_event cache[CACHE_EVENTS];     /* by event_idx.code */

static struct raw_row {
    uint64_t match, mask;
    uint32_t counters;
} raw_rows[RAW_ROWS];
static unsigned raw_count;

/* The fixed counter that counts the event by itself. */
static uint32_t fixed_counter(unsigned long event_idx) {
    if (event_idx == 1)
        return 1u << PMU_CYCLE;
    return event_idx == 2 ? 1u << PMU_INSTRET : 0;
}

static struct pmu_event *event_entry(unsigned long event_idx) {
    unsigned code = event_idx & 0xffff;

    switch (PMU_EVENT_TYPE(event_idx)) {
    case PMU_TYPE_GENERAL:
        return code > 0 && code < GENERAL_EVENTS ? &general[code] : 0;
    case PMU_TYPE_CACHE: /* there are three operations: 0, 1, 2 */
        return code < CACHE_EVENTS && (code >> 1 & 3) != 3 ? &cache[code] : 0;
    default:
        return 0;
    }
}

/* --- the device tree's tables -------------------------------------------------------------------- */

static void reject(const char *property, unsigned row, const char *why) {
    con_printf("pmu: %s row %u: %s\n", property, row, why);
}

/* Whole rows of a table; a broken last one is warned of. */
static unsigned rows_of(const struct tree_table *table, unsigned cells, const char *property) {
    if (table->count % cells || table->rest)
        reject(property, table->count / cells, "incomplete");
    return table->count / cells;
}

static uint64_t cell_pair(const struct tree_table *table, unsigned i) {
    return (uint64_t)tree_cell(table, i) << 32 | tree_cell(table, i + 1);
}

static void read_selectors(const struct tree_table *table) {
    static const char property[] = "riscv,event-to-mhpmevent";
    bool seen_general[GENERAL_EVENTS] = {0}, seen_cache[CACHE_EVENTS] = {0};
    unsigned rows = rows_of(table, 3, property);

    for (unsigned row = 0; row < rows; row++) {
        uint32_t event_idx = tree_cell(table, 3 * row);
        uint64_t selector = cell_pair(table, 3 * row + 1);
        struct pmu_event *event = event_entry(event_idx);
        bool *seen;

        if (!event) {
            reject(property, row, "not a general or cache event");
            continue;
        }
        seen = event < cache || event >= cache + CACHE_EVENTS ? &seen_general[event - general]
                                                              : &seen_cache[event - cache];
        if (*seen) {
            reject(property, row, "its event has a selector already");
        } else if (selector & ~PMU_EVENT_SELECTOR) {
            reject(property, row, "a selector has 56 bits");
        } else {
            event->selector = selector;
            *seen = true;
        }
    }
}

/* The bitmap of a row for the events from first to last, without what it may not have. */
static uint32_t row_counters(const char *property, unsigned row, uint32_t first, uint32_t last,
                             uint32_t bitmap) {
    uint32_t allowed = ~PMU_FIXED | (first == last ? fixed_counter(first) : 0);

    if (bitmap & ~allowed)
        reject(property, row, "counters 0 and 2 count events 1 and 2 only; taken without");
    return bitmap & allowed & pmu_hardware.counters;
}

/* Ranges of the rows that were taken */
struct range {
    uint32_t first, last;
};

static bool overlaps(const struct range *ranges, unsigned count, const struct range *new) {
    for (unsigned i = 0; i < count; i++)
        if (ranges[i].first <= new->last && ranges[i].last >= new->first)
            return true;
    return false;
}

static void set_counters(const struct range *range, uint32_t counters) {
    for (uint32_t event_idx = range->first; event_idx - range->first <= range->last - range->first;
         event_idx++) {
        struct pmu_event *event = event_entry(event_idx);

        if (event)
            event->counters = counters;
    }
}

static void read_counters(const struct tree_table *table) {
    static const char property[] = "riscv,event-to-mhpmcounters";
    unsigned rows = rows_of(table, 3, property);
    struct range ranges[EVENT_ROWS];
    unsigned count = 0;

    for (unsigned row = 0; row < rows; row++) {
        struct range new = {tree_cell(table, 3 * row), tree_cell(table, 3 * row + 1)};

        if (new.first > new.last || PMU_EVENT_TYPE(new.first) != PMU_EVENT_TYPE(new.last) ||
            PMU_EVENT_TYPE(new.first) > PMU_TYPE_CACHE) {
            reject(property, row, "not a range of general or cache events");
        } else if (overlaps(ranges, count, &new)) {
            reject(property, row, "overlaps an earlier row");
        } else if (count == EVENT_ROWS) {
            reject(property, row, "too many rows");
            return;
        } else {
            set_counters(&new,
                         row_counters(property, row, new.first, new.last, tree_cell(table, 3 * row + 2)));
            ranges[count++] = new;
        }
    }
}

static void read_raw(const struct tree_table *table) {
    static const char property[] = "riscv,raw-event-to-mhpmcounters";
    unsigned rows = rows_of(table, 5, property);

    for (unsigned row = 0; row < rows; row++) {
        struct raw_row new = {cell_pair(table, 5 * row), cell_pair(table, 5 * row + 2),
                              tree_cell(table, 5 * row + 4)};
        unsigned i = 0;

        if (new.match & ~new.mask) {
            reject(property, row, "selector bits outside of the mask match nothing");
            continue;
        }
        while (i < raw_count && ((raw_rows[i].match ^ new.match) & raw_rows[i].mask & new.mask))
            i++;
        if (i < raw_count) {
            reject(property, row, "overlaps an earlier row");
            continue;
        }
        if (raw_count == RAW_ROWS) {
            reject(property, row, "too many rows");
            return;
        }
        new.counters = row_counters(property, row, 0, 1, new.counters);
        raw_rows[raw_count++] = new;
    }
}

/* --- set-up -------------------------------------------------------------------------------------- */

static void for_each_event(void (*function)(unsigned long event_idx, struct pmu_event *event)) {
    for (unsigned code = 1; code < GENERAL_EVENTS; code++)
        function(code, &general[code]);
    for (unsigned code = 0; code < CACHE_EVENTS; code++)
        if (event_entry(PMU_TYPE_CACHE << 16 | code))
            function(PMU_TYPE_CACHE << 16 | code, &cache[code]);
}

static void default_selector(unsigned long event_idx, struct pmu_event *event) {
    event->selector = event_idx;
}

static void default_counters(unsigned long event_idx, struct pmu_event *event) {
    event->counters =
        (pmu_hardware.counters & ~PMU_FIXED) | (pmu_hardware.counters & fixed_counter(event_idx));
}

bool pmu_selector_holds(unsigned n, uint64_t selector) {
    uint64_t old = pmu_selector_read(n);
    bool holds;

    pmu_selector_write(n, selector | (old & ~PMU_EVENT_SELECTOR));
    holds = (pmu_selector_read(n) & PMU_EVENT_SELECTOR) == selector;
    pmu_selector_write(n, old);
    return holds;
}

/* Take away counters whose hardware does not know the selector (it is WARL). Counters that all behave alike
 * are the rule: the first one speaks for them. */
static void ask_hardware(unsigned long event_idx, struct pmu_event *event) {
    uint32_t programmable = event->counters & ~PMU_FIXED;

    (void)event_idx;
    if (programmable && !pmu_selector_holds(lowest_bit(programmable), event->selector))
        event->counters &= PMU_FIXED;
}

void pmu_event_setup(const struct tree_pmu *tree) {
    for_each_event(default_selector);
    if (tree->selectors.cells)
        read_selectors(&tree->selectors);
    if (tree->counters.cells) {
        read_counters(&tree->counters);
    } else {
        if (tree->selectors.cells)
            con_printf(
                "pmu: riscv,event-to-mhpmevent without riscv,event-to-mhpmcounters: every counter serves\n");
        for_each_event(default_counters);
    }
    if (tree->raw_counters.cells) {
        read_raw(&tree->raw_counters);
    } else if (!tree->present) {
        raw_rows[0] = (struct raw_row){0, 0, pmu_hardware.counters & ~PMU_FIXED};
        raw_count = 1;
    }
    for_each_event(ask_hardware);
}

/* --- look-up ------------------------------------------------------------------------------------- */

/* `bits`: those that the event's data may have. A row may ask for more of them; such bits match anything. */
static const struct pmu_event *find_raw(uint64_t selector, uint64_t bits, struct pmu_event *raw) {
    selector &= bits;
    for (unsigned i = 0; i < raw_count; i++) {
        if (!((selector ^ raw_rows[i].match) & raw_rows[i].mask & bits)) {
            raw->selector = selector;
            raw->counters = raw_rows[i].counters;
            return raw;
        }
    }
    return 0;
}

const struct pmu_event *pmu_event_find(unsigned long event_idx, uint64_t event_data, struct pmu_event *raw) {
    switch (event_idx) {
    case (unsigned long)PMU_TYPE_RAW << 16:
        return find_raw(event_data, (1ull << 48) - 1, raw);
    case (unsigned long)PMU_TYPE_RAW_V2 << 16:
        return find_raw(event_data, PMU_EVENT_SELECTOR, raw);
    default:
        return event_entry(event_idx);
    }
}
