// SPDX-License-Identifier: GPL-2.0
/*
 * An event that counts the kernel, and interrupts too often, is stopped until
 * the next tick, or the kernel would do nothing else. perf's own throttling is
 * not exported. One that counts user mode alone takes the time of its tasks.
 */
#include <linux/hrtimer.h>
#include <linux/jiffies.h>
#include <linux/sched/clock.h>

#include "tally.h"

/* Of a tick's time, as kernel.perf_cpu_time_max_percent is by default */
#define MAX_NSEC	(TICK_NSEC / 4)

/* Samples have been taken since then. Is it too much? Bit: of the event in cpu->throttled. */
bool tally_throttle(struct tally_cpu *cpu, const struct perf_event *event, u32 bit, u64 start)
{
	const u64 tick = get_jiffies_64();

	if (event->attr.exclude_kernel)
		return false;
	if (cpu->tick != tick) {
		cpu->tick = tick;
		cpu->sampled_nsec = 0;
	}
	cpu->sampled_nsec += local_clock() - start;
	if (cpu->sampled_nsec < MAX_NSEC)
		return false;
	cpu->throttled |= bit;
	if (!hrtimer_active(&cpu->unthrottle))
		hrtimer_start(&cpu->unthrottle, ns_to_ktime(TICK_NSEC),
			      HRTIMER_MODE_REL_PINNED_HARD);
	return true;
}

static enum hrtimer_restart tally_unthrottle(struct hrtimer *timer)
{
	struct tally_cpu *cpu = container_of(timer, struct tally_cpu, unthrottle);
	const u32 throttled = cpu->throttled;
	u32 rest;

	cpu->throttled = 0;
	for (rest = throttled & cpu->used & ~cpu->running; rest; rest &= rest - 1) {
		struct perf_event *event = cpu->events[__ffs(rest)];

		event->pmu->start(event, 0);
	}
	if (throttled & BIT(TALLY_SAMPLING) && cpu->sampled->hw.state & PERF_HES_STOPPED)
		cpu->sampled->pmu->start(cpu->sampled, 0);
	/* Another task's event may have taken this tick's time already. */
	if (!cpu->throttled)
		return HRTIMER_NORESTART;
	hrtimer_forward_now(timer, ns_to_ktime(TICK_NSEC));
	return HRTIMER_RESTART;
}

void tally_throttle_starting_cpu(struct tally_cpu *cpu)
{
	hrtimer_init(&cpu->unthrottle, CLOCK_MONOTONIC, HRTIMER_MODE_REL_PINNED_HARD);
	cpu->unthrottle.function = tally_unthrottle;
}

void tally_throttle_dying_cpu(struct tally_cpu *cpu)
{
	hrtimer_cancel(&cpu->unthrottle);
}
