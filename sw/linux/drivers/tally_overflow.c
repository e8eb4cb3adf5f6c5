// SPDX-License-Identifier: GPL-2.0
/*
 * Counters that interrupt: whole delegation, where the overflow interrupt is
 * the driver's. A counter begins so far below its end as the period is long.
 *
 * The unit notes the instruction that made a counter overflow if no other
 * overflow is waiting to be served (Sspesa). That is the instruction of a
 * precise sample; one whose cause was not noted is lost, and counted as lost.
 */
#include <linux/delay.h>
#include <linux/irq_work.h>
#include <linux/math64.h>
#include <linux/sched/clock.h>
#include <asm/irq_regs.h>

#include "tally.h"

static int tally_overflow_irq;

/* --- one period ---------------------------------------------------------- */

/* The counter is inhibited; OF becomes 0. Did a period end? */
bool tally_overflow_arm(struct perf_event *event)
{
	struct hw_perf_event *hwc = &event->hw;
	const s64 most = GENMASK_ULL(tally.width - 1, 0) >> 1;
	s64 left = local64_read(&hwc->period_left);
	const s64 period = hwc->sample_period;
	bool ended = false;

	if (left <= 0) {
		left = left <= -period ? period : left + period;
		local64_set(&hwc->period_left, left);
		hwc->last_period = period;
		ended = true;
	}
	left = min(left, most);
	local64_set(&hwc->prev_count, -left);
	tally_write_value(hwc->idx, -left);
	tally_write_event(hwc->idx, hwc->config_base);
	return ended;
}

/* Event as it has to be before it is put on a counter */
int tally_overflow_event_init(struct perf_event *event)
{
	const struct perf_event_attr *attr = &event->attr;
	struct hw_perf_event *hwc = &event->hw;

	if (!is_sampling_event(event)) {
		if (attr->precise_ip)
			return -EINVAL;
		/* Read often enough */
		hwc->sample_period = GENMASK_ULL(tally.width - 1, 0) >> 1;
	} else {
		/* The kernel does not export the functions of synchronous signals. */
		if (attr->sigtrap)
			return -EOPNOTSUPP;
		if (attr->precise_ip && !tally_event_is_precise(hwc->config_base & TALLY_SELECTOR))
			return -EOPNOTSUPP;
		/* A first guess; perf's core corrects it with each tick. */
		if (attr->freq)
			hwc->sample_period =
				max_t(u64, div64_u64(riscv_timebase, attr->sample_freq), 1);
	}
	hwc->last_period = hwc->sample_period;
	local64_set(&hwc->period_left, hwc->sample_period);
	return 0;
}

/* --- samples ------------------------------------------------------------- */

/*
 * The work of perf_event_overflow(), which is not exported: a sample, the limit
 * of IOC_REFRESH, and the signal if requested. False: the event has reached its
 * limit, and is disabled as soon as this interrupt ends.
 */
bool tally_output(struct perf_event *event, struct perf_sample_data *data, struct pt_regs *regs)
{
	const perf_overflow_handler_t output = READ_ONCE(event->overflow_handler);
	bool more = true;

	event->pending_kill = POLL_IN;
	if (atomic_read(&event->event_limit) && atomic_dec_and_test(&event->event_limit)) {
		more = false;
		event->pending_kill = POLL_HUP;
		event->pending_disable = 1;
		irq_work_queue(&event->pending_disable_irq);
	}
	output(event, data, regs);
	if ((event->parent ?: event)->fasync && event->pending_kill) {
		event->pending_wakeup = 1;
		irq_work_queue(&event->pending_irq);
	}
	return more;
}

/* An interrupt, and the unit's capture of the first overflow since the previous one */
struct tally_interrupt {
	struct pt_regs *regs;
	unsigned long cause;
	unsigned int counter;	/* that has the cause; 0: none */
};

static void tally_take_cause(struct tally_interrupt *interrupt)
{
	if (!tally.precise)
		return;
	interrupt->cause = csr_read(TALLY_CSR_SHPMSPC);
	interrupt->counter = csr_read(TALLY_CSR_SHPMSDATA) & TALLY_SHPMSDATA_CNTRID_MASK;
	csr_write(TALLY_CSR_SHPMSDATA, 0);
}

static bool tally_overflow_sample(struct perf_event *event, u64 period,
				  const struct tally_interrupt *interrupt)
{
	struct perf_sample_data data;

	perf_sample_data_init(&data, 0, period);
	if (event->attr.precise_ip) {
		if (interrupt->counter != event->hw.idx) {
			atomic64_inc(&event->lost_samples);
			return true;
		}
		data.ip = interrupt->cause;
		data.sample_flags |= PERF_SAMPLE_IP;
	}
	return tally_output(event, &data, interrupt->regs);
}

/* False: the event stays stopped. */
static bool tally_overflow_one(struct tally_cpu *cpu, struct perf_event *event,
			       const struct tally_interrupt *interrupt)
{
	const u64 period = event->hw.last_period;
	/* Only what counts the kernel is throttled. */
	const u64 start = event->attr.exclude_kernel ? 0 : local_clock();
	bool more = true;

	tally_pmu_update(event);
	if (tally_overflow_arm(event) && is_sampling_event(event))
		more = tally_overflow_sample(event, period, interrupt) &&
		       !tally_throttle(cpu, event, BIT(event->hw.idx), start);
	/* Who reads the counter itself needs the new offset; others find index 0 there. */
	if (tally_user_reads(event))
		perf_event_update_userpage(event);
	return more;
}

static irqreturn_t tally_overflow_interrupt(int irq, void *data)
{
	struct tally_cpu *cpu = data;
	struct tally_interrupt interrupt = { .regs = get_irq_regs() };
	const u32 ours = cpu->running & ~cpu->routed;
	u32 overflowed, rest;

	/* While nothing counts nothing overflows: this interrupt serves all that did. */
	csr_set(TALLY_CSR_SCOUNTINHIBIT, ours);
	overflowed = csr_read(CSR_SCOUNTOVF) & ours;
	tally_take_cause(&interrupt);
	csr_clear(CSR_SIP, BIT(RV_IRQ_PMU));
	for (rest = overflowed; rest; rest &= rest - 1) {
		struct perf_event *event = cpu->events[__ffs(rest)];

		if (!tally_overflow_one(cpu, event, &interrupt))
			event->pmu->stop(event, 0);
	}
	if (!cpu->held)
		csr_clear(TALLY_CSR_SCOUNTINHIBIT, cpu->running & ours);
	return overflowed ? IRQ_HANDLED : IRQ_NONE;
}

/*
 * An event is stopped with OF set, for the kernel has had interrupts disabled
 * since. The interrupt would not find it: its sample is lost.
 */
void tally_overflow_drop(struct tally_cpu *cpu, struct perf_event *event)
{
	struct hw_perf_event *hwc = &event->hw;
	const u32 others = cpu->running & ~cpu->routed;

	csr_set(TALLY_CSR_SCOUNTINHIBIT, others);
	tally_write_event(hwc->idx, hwc->config_base);
	if (!(csr_read(CSR_SCOUNTOVF) & others))
		csr_clear(CSR_SIP, BIT(RV_IRQ_PMU));
	if (tally.precise &&
	    (csr_read(TALLY_CSR_SHPMSDATA) & TALLY_SHPMSDATA_CNTRID_MASK) == hwc->idx)
		csr_write(TALLY_CSR_SHPMSDATA, 0);
	if (!cpu->held)
		csr_clear(TALLY_CSR_SCOUNTINHIBIT, others);
	if (is_sampling_event(event) && (s64)local64_read(&hwc->period_left) <= 0)
		atomic64_inc(&event->lost_samples);
}

/* --- set-up -------------------------------------------------------------- */

void tally_overflow_starting_cpu(struct tally_cpu *cpu)
{
	if (!tally.overflow)
		return;
	csr_clear(CSR_SIP, BIT(RV_IRQ_PMU));
	enable_percpu_irq(tally_overflow_irq, IRQ_TYPE_NONE);
}

void tally_overflow_dying_cpu(struct tally_cpu *cpu)
{
	if (!tally.overflow)
		return;
	disable_percpu_irq(tally_overflow_irq);
	csr_clear(CSR_SIP, BIT(RV_IRQ_PMU));
}

int tally_overflow_setup(void)
{
	int irq;

	if (!tally.overflow)
		return 0;
	irq = tally_irq_request(RV_IRQ_PMU, tally_overflow_interrupt, "tally");
	if (irq < 0)
		return irq;
	tally_overflow_irq = irq;
	return 0;
}

void tally_overflow_remove(void)
{
	if (tally.overflow)
		tally_irq_free(tally_overflow_irq);
}
