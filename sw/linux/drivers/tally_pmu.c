// SPDX-License-Identifier: GPL-2.0
/* The PMU "tally": counters, by perf's calls. */
#include <linux/module.h>

#include "tally.h"

static int tally_pmu_event_init(struct perf_event *event)
{
	struct hw_perf_event *hwc = &event->hw;
	struct perf_event_attr *attr = &event->attr;
	u64 selector;
	int ret;

	/* perf's general events are the PMU's that has all counters. */
	if (attr->type != event->pmu->type &&
	    !(tally.general && attr->type == PERF_TYPE_HARDWARE) &&
	    !(tally.general && attr->type == PERF_TYPE_HW_CACHE))
		return -ENOENT;
	if (has_branch_stack(event))
		return -EOPNOTSUPP;
	ret = tally_event_selector(event, &selector);
	if (ret)
		return ret;
	if (!tally_counters_know(selector))
		return -EOPNOTSUPP;

	hwc->flags &= ~PERF_EVENT_FLAG_ARCH;
	hwc->idx = -1;
	hwc->config_base = selector | (attr->exclude_user ? TALLY_MHPMEVENT_UINH_MASK : 0) |
			   (attr->exclude_kernel ? TALLY_MHPMEVENT_SINH_MASK : 0);
	if (attr->type == event->pmu->type && attr->config & TALLY_CONFIG_EBB)
		hwc->flags |= TALLY_EVENT_EBB;
	if (!tally_counters_fit(event))
		return -EINVAL;
	/* Event-based branches last: it is the only one that takes something. */
	if (!tally_is_ebb(event)) {
		ret = tally_overflow_event_init(event);
		if (ret)
			return ret;
	}
	return tally_ebb_event_init(event);
}

/* Add the counts since the last read */
void tally_pmu_update(struct perf_event *event)
{
	struct hw_perf_event *hwc = &event->hw;
	const u64 now = sign_extend64(tally_read_value(hwc->idx), tally.width - 1);
	const u64 delta = (now - local64_read(&hwc->prev_count)) & GENMASK_ULL(tally.width - 1, 0);

	/* Interrupts are disabled. Only the count has another writer, IOC_RESET. */
	local64_set(&hwc->prev_count, now);
	local64_set(&hwc->period_left, local64_read(&hwc->period_left) - delta);
	local64_add(delta, &event->count);
}

static void tally_pmu_read(struct perf_event *event)
{
	/* The task may write its routed counter. A stopped one has been read. */
	if (!tally_is_ebb(event) && !(event->hw.state & PERF_HES_UPTODATE))
		tally_pmu_update(event);
}

static void tally_pmu_start(struct perf_event *event, int flags)
{
	struct tally_cpu *cpu = this_cpu_ptr(&tally_cpus);
	struct hw_perf_event *hwc = &event->hw;

	if (WARN_ON_ONCE(!(hwc->state & PERF_HES_STOPPED)))
		return;
	hwc->state = 0;
	if (!tally_is_ebb(event))
		tally_overflow_arm(event);
	cpu->running |= BIT(hwc->idx);
	if (!cpu->held)
		csr_clear(TALLY_CSR_SCOUNTINHIBIT, BIT(hwc->idx));
	perf_event_update_userpage(event);
}

static void tally_pmu_stop(struct perf_event *event, int flags)
{
	struct tally_cpu *cpu = this_cpu_ptr(&tally_cpus);
	struct hw_perf_event *hwc = &event->hw;

	if (hwc->state & PERF_HES_STOPPED)
		return;
	csr_set(TALLY_CSR_SCOUNTINHIBIT, BIT(hwc->idx));
	cpu->running &= ~BIT(hwc->idx);
	tally_pmu_read(event);
	hwc->state = PERF_HES_STOPPED | PERF_HES_UPTODATE;
	if (tally.overflow && !tally_is_ebb(event) && csr_read(CSR_SCOUNTOVF) & BIT(hwc->idx))
		tally_overflow_drop(cpu, event);
}

static int tally_pmu_add(struct perf_event *event, int flags)
{
	struct tally_cpu *cpu = this_cpu_ptr(&tally_cpus);
	struct hw_perf_event *hwc = &event->hw;
	int ret;

	/* perf adds events of a CPU before and after it is ours. */
	if (!cpu->online)
		return -EAGAIN;
	/*
	 * Event-based branches have the PMU alone. perf's core sees to it within a context;
	 * here are the events of a CPU. Of two that are pinned the first stays, even where
	 * the core takes it off to begin anew.
	 */
	if (tally_is_ebb(event) ? cpu->used & ~cpu->routed
				: cpu->routed || (event->attr.pinned && cpu->displaced))
		return -EAGAIN;
	ret = tally_counter_take(cpu, event);
	if (ret)
		return ret;
	hwc->state = PERF_HES_STOPPED | PERF_HES_UPTODATE;
	if (tally_is_ebb(event)) {
		ret = tally_ebb_add(cpu, event);
		if (ret) {
			tally_counter_release(cpu, event);
			return ret;
		}
	}
	tally_user_open(event);
	if (flags & PERF_EF_START)
		tally_pmu_start(event, PERF_EF_RELOAD);
	perf_event_update_userpage(event);
	return 0;
}

static void tally_pmu_del(struct perf_event *event, int flags)
{
	struct tally_cpu *cpu = this_cpu_ptr(&tally_cpus);

	tally_pmu_stop(event, PERF_EF_UPDATE);
	if (tally_is_ebb(event))
		tally_ebb_del(cpu, event);
	cpu->throttled &= ~BIT(event->hw.idx);
	tally_user_close(event);
	tally_counter_release(cpu, event);
	perf_event_update_userpage(event);
}

static void tally_pmu_disable(struct pmu *pmu)
{
	struct tally_cpu *cpu = this_cpu_ptr(&tally_cpus);

	cpu->held = true;
	csr_set(TALLY_CSR_SCOUNTINHIBIT, cpu->used);
}

static void tally_pmu_enable(struct pmu *pmu)
{
	struct tally_cpu *cpu = this_cpu_ptr(&tally_cpus);

	cpu->held = false;
	cpu->displaced = 0;
	csr_clear(TALLY_CSR_SCOUNTINHIBIT, cpu->running);
}

/* perf's core asks it for the page of an event that a task reads itself. */
static int tally_pmu_last_bit(int n)
{
	return tally.width - 1;
}

struct riscv_pmu tally_pmu = {
	.ctr_get_width = tally_pmu_last_bit,
	.pmu = {
		.module = THIS_MODULE,
		.task_ctx_nr = perf_hw_context,
		.attr_groups = tally_attr_groups,
		.event_init = tally_pmu_event_init,
		.event_idx = tally_user_index,
		.pmu_enable = tally_pmu_enable,
		.pmu_disable = tally_pmu_disable,
		.add = tally_pmu_add,
		.del = tally_pmu_del,
		.start = tally_pmu_start,
		.stop = tally_pmu_stop,
		.read = tally_pmu_read,
	},
};

int tally_pmu_setup(void)
{
	struct pmu *pmu = &tally_pmu.pmu;
	int ret;

	if (!tally.delegated)
		return 0;
	if (!tally.overflow)
		pmu->capabilities |= PERF_PMU_CAP_NO_INTERRUPT;
	/* Only the PMU of the general events has a page that says how to read. */
	if (tally.general) {
		pmu->event_mapped = tally_user_mapped;
		pmu->event_unmapped = tally_user_unmapped;
	}
	ret = tally_events_setup();
	if (ret)
		return ret;
	ret = perf_pmu_register(pmu, "tally", tally.general ? PERF_TYPE_RAW : -1);
	if (ret)
		tally_events_remove();
	return ret;
}

void tally_pmu_remove(void)
{
	if (!tally.delegated)
		return;
	perf_pmu_unregister(&tally_pmu.pmu);
	tally_events_remove();
}
