// SPDX-License-Identifier: GPL-2.0
/*
 * Allocation of a CPU's counters: to events of the PMU "tally", with or without
 * event-based branches, and to counts of losses of sampled instructions.
 *
 * An event that names its counter has that one; the others move out of its
 * way. So a group of which each event can have a counter of its own fits on
 * every CPU that is free, in any order of its events.
 */
#include <linux/bitops.h>

#include "tally.h"

/* Selectors of the SBI's general events that cycle and instret count */
#define SELECTOR_CYCLES		1
#define SELECTOR_INSTRUCTIONS	2

/* Counters that can have this event. The fixed ones have no overflow. */
static u32 tally_suitable(const struct perf_event *event)
{
	u32 suitable = tally.delegated & TALLY_HPM;

	if (tally_named(event))
		return suitable & BIT(tally_named(event));
	if (event->attr.sample_period || event->hw.flags & TALLY_EVENT_EBB)
		return suitable;
	if ((event->hw.config_base & TALLY_SELECTOR) == SELECTOR_CYCLES)
		suitable |= tally.fixed & BIT(TALLY_CYCLE);
	if ((event->hw.config_base & TALLY_SELECTOR) == SELECTOR_INSTRUCTIONS)
		suitable |= tally.fixed & BIT(TALLY_INSTRET);
	return suitable;
}

/* --- groups -------------------------------------------------------------- */

/* Counters that the events of a group need together */
struct tally_need {
	u32 counters;		/* certain ones */
	unsigned int any;	/* programmable ones besides */
};

static bool tally_need_one(struct tally_need *need, const struct perf_event *event)
{
	const u32 suitable = tally_suitable(event), fixed = suitable & ~TALLY_HPM;

	if (tally_named(event)) {
		if (!suitable || suitable & need->counters)
			return false;
		need->counters |= suitable;
	} else if (fixed & ~need->counters) {
		need->counters |= fixed;
	} else {
		need->any++;
	}
	return need->any <= hweight32(tally.delegated & TALLY_HPM & ~need->counters);
}

/* Events of a group are counted together, or never. Can it be, with this event as its last? */
bool tally_counters_fit(const struct perf_event *event)
{
	const struct perf_event *leader = event->group_leader, *sibling;
	struct tally_need need = {};

	if (leader != event) {
		if (leader->pmu == event->pmu && !tally_need_one(&need, leader))
			return false;
		for_each_sibling_event(sibling, leader)
			if (sibling->pmu == event->pmu && !tally_need_one(&need, sibling))
				return false;
	}
	return tally_need_one(&need, event);
}

/* --- counters of a CPU, with interrupts disabled -------------------------- */

static int tally_counter_free(const struct tally_cpu *cpu, const struct perf_event *event)
{
	const u32 free = tally_suitable(event) & ~cpu->used & ~cpu->reserved;

	/* cycle and instret come first. */
	return free ? __ffs(free) : -EAGAIN;
}

/* Value, event and OF. Both are inhibited afterwards. */
static void tally_counter_copy(int from, int to)
{
	u64 selector;

	csr_set(TALLY_CSR_SCOUNTINHIBIT, BIT(from) | BIT(to));
	tally_write_value(to, tally_read_value(from));
	selector = tally_read_event(from);
	tally_write_event(from, 0);
	tally_write_event(to, selector);
}

static bool tally_event_move(struct tally_cpu *cpu, struct perf_event *event)
{
	const int from = event->hw.idx, to = tally_counter_free(cpu, event);

	if (to < 0)
		return false;
	tally_counter_copy(from, to);
	tally_user_close(event);
	event->hw.idx = to;
	tally_user_open(event);
	cpu->events[from] = NULL;
	cpu->events[to] = event;
	cpu->used = (cpu->used & ~BIT(from)) | BIT(to);
	if (cpu->throttled & BIT(from))
		cpu->throttled = (cpu->throttled & ~BIT(from)) | BIT(to);
	if (cpu->running & BIT(from)) {
		cpu->running = (cpu->running & ~BIT(from)) | BIT(to);
		if (!cpu->held)
			csr_clear(TALLY_CSR_SCOUNTINHIBIT, BIT(to));
	}
	perf_event_update_userpage(event);
	return true;
}

static int tally_last_free(const struct tally_cpu *cpu)
{
	return fls(tally.delegated & TALLY_HPM & ~cpu->used & ~cpu->reserved) - 1;
}

static bool tally_reserved_move(struct tally_cpu *cpu, int from)
{
	const bool counts = !(csr_read(TALLY_CSR_SCOUNTINHIBIT) & BIT(from));
	const int to = tally_last_free(cpu);

	if (to < 0)
		return false;
	tally_counter_copy(from, to);
	cpu->reserved = (cpu->reserved & ~BIT(from)) | BIT(to);
	if (counts)
		csr_clear(TALLY_CSR_SCOUNTINHIBIT, BIT(to));
	return true;
}

/* Its event moves, unless that names it too. */
static bool tally_make_way(struct tally_cpu *cpu, int n)
{
	if (cpu->reserved & BIT(n))
		return tally_reserved_move(cpu, n);
	return cpu->events[n] && !tally_named(cpu->events[n]) &&
	       tally_event_move(cpu, cpu->events[n]);
}

/* The counter is inhibited, and its event not written yet. */
int tally_counter_take(struct tally_cpu *cpu, struct perf_event *event)
{
	int n = tally_counter_free(cpu, event);

	if (n < 0) {
		n = tally_named(event);
		if (!n || !tally_make_way(cpu, n))
			return -EAGAIN;
	}
	csr_set(TALLY_CSR_SCOUNTINHIBIT, BIT(n));
	cpu->used |= BIT(n);
	cpu->events[n] = event;
	event->hw.idx = n;
	return 0;
}

/* It is inhibited. */
void tally_counter_release(struct tally_cpu *cpu, struct perf_event *event)
{
	const int n = event->hw.idx;

	tally_write_event(n, 0);
	cpu->used &= ~BIT(n);
	cpu->events[n] = NULL;
	event->hw.idx = -1;
}

/* For a count of the driver's own, if one is free: the last, for others begin with the first. */
void tally_counter_reserve(struct tally_cpu *cpu, u64 selector)
{
	const int n = tally_last_free(cpu);

	if (n < 0)
		return;
	csr_set(TALLY_CSR_SCOUNTINHIBIT, BIT(n));
	tally_write_value(n, 0);
	tally_write_event(n, selector);
	cpu->reserved |= BIT(n);
}

void tally_counters_unreserve(struct tally_cpu *cpu)
{
	csr_set(TALLY_CSR_SCOUNTINHIBIT, cpu->reserved);
	for (; cpu->reserved; cpu->reserved &= cpu->reserved - 1)
		tally_write_event(__ffs(cpu->reserved), 0);
}

/*
 * Does the hardware have this selector? One that it does not have reads back as
 * another. If every counter is busy, one of them misses events meanwhile.
 */
bool tally_counters_know(u64 selector)
{
	struct tally_cpu *cpu;
	unsigned long flags;
	bool counts, known;
	u64 before;
	int n;

	if (!(tally.delegated & TALLY_HPM))
		return true;
	local_irq_save(flags);
	cpu = this_cpu_ptr(&tally_cpus);
	n = tally_last_free(cpu);
	if (n < 0)
		n = fls(tally.delegated) - 1;
	counts = !(csr_read(TALLY_CSR_SCOUNTINHIBIT) & BIT(n));
	csr_set(TALLY_CSR_SCOUNTINHIBIT, BIT(n));
	before = tally_read_event(n);
	tally_write_event(n, selector | (before & TALLY_MHPMEVENT_OF_MASK));
	known = (tally_read_event(n) & TALLY_SELECTOR) == selector;
	tally_write_event(n, before);
	if (counts)
		csr_clear(TALLY_CSR_SCOUNTINHIBIT, BIT(n));
	local_irq_restore(flags);
	return known;
}
