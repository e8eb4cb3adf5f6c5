// SPDX-License-Identifier: GPL-2.0
/* The PMU "tally": counters, their events, and who may have them. */
#include <linux/cpumask.h>
#include <linux/device.h>
#include <linux/module.h>

#include "tally.h"

/* attr.config: the selector of mhpmevent, bit 63 for event-based branches; config1: counter */
#define CONFIG_SELECTOR		GENMASK_ULL(55, 0)
#define CONFIG_EBB		BIT_ULL(63)
#define CONFIG1_COUNTER		GENMASK_ULL(4, 0)

/* Selectors of the SBI's general events, which are perf's from 1, and of cache events */
#define SELECTOR_CYCLES		1
#define SELECTOR_INSTRUCTIONS	2
#define SELECTOR_CACHE		0x10000

static unsigned int tally_named(const struct perf_event *event)
{
	return event->attr.config1 & CONFIG1_COUNTER;
}

static int tally_selector(const struct perf_event *event, u64 *selector)
{
	u64 config = event->attr.config, id, op, result;

	switch (event->attr.type) {
	case PERF_TYPE_HARDWARE:
		if (config >= PERF_COUNT_HW_MAX)
			return -EINVAL;
		*selector = config + 1;
		return 0;
	case PERF_TYPE_HW_CACHE:
		id = config & 0xff;
		op = config >> 8 & 0xff;
		result = config >> 16;
		if (id >= PERF_COUNT_HW_CACHE_MAX || op >= PERF_COUNT_HW_CACHE_OP_MAX ||
		    result >= PERF_COUNT_HW_CACHE_RESULT_MAX)
			return -EINVAL;
		*selector = SELECTOR_CACHE | id << 3 | op << 1 | result;
		return 0;
	default:
		if (config & ~(CONFIG_SELECTOR | CONFIG_EBB) ||
		    event->attr.config1 & ~CONFIG1_COUNTER || event->attr.config2)
			return -EINVAL;
		*selector = config & CONFIG_SELECTOR;
		return 0;
	}
}

/* A counter for this event that is not in `used`. The fixed ones have no overflow. */
static int tally_find_counter(struct perf_event *event, u32 used)
{
	const u64 selector = event->hw.config_base & CONFIG_SELECTOR;
	const bool may_be_fixed = !is_sampling_event(event) && !(event->hw.flags & TALLY_EVENT_EBB);
	u32 free = tally.delegated & ~used;

	if (tally_named(event))
		free &= BIT(tally_named(event));
	else if (may_be_fixed && selector == SELECTOR_CYCLES && free & BIT(TALLY_CYCLE))
		return TALLY_CYCLE;
	else if (may_be_fixed && selector == SELECTOR_INSTRUCTIONS && free & BIT(TALLY_INSTRET))
		return TALLY_INSTRET;
	free &= TALLY_HPM;
	return free ? __ffs(free) : -EAGAIN;
}

/* Events of a group are counted together, or never: each needs a counter of its own. */
static int tally_group_fits(struct perf_event *event)
{
	struct perf_event *leader = event->group_leader, *sibling;
	u32 used = 0;
	int n;

	if (leader == event)
		return tally_find_counter(event, 0) < 0 ? -EINVAL : 0;
	if (leader->pmu == &tally_pmu)
		used |= BIT(tally_find_counter(leader, used));
	for_each_sibling_event(sibling, leader) {
		if (sibling->pmu != &tally_pmu)
			continue;
		n = tally_find_counter(sibling, used);
		if (n < 0)
			return -EINVAL;
		used |= BIT(n);
	}
	return tally_find_counter(event, used) < 0 ? -EINVAL : 0;
}

/* Does the hardware know this selector? One that it does not know reads back as another. */
static bool tally_has_event(u64 selector)
{
	struct tally_cpu *cpu;
	unsigned long flags;
	u32 free;
	bool has = true;

	local_irq_save(flags);
	cpu = this_cpu_ptr(&tally_cpus);
	free = tally.delegated & TALLY_HPM & ~cpu->used & ~cpu->reserved;
	if (free) {
		tally_write_event(__ffs(free), selector);
		has = (tally_read_event(__ffs(free)) & CONFIG_SELECTOR) == selector;
		tally_write_event(__ffs(free), 0);
	}
	local_irq_restore(flags);
	return has;
}

static int tally_pmu_event_init(struct perf_event *event)
{
	struct hw_perf_event *hwc = &event->hw;
	struct perf_event_attr *attr = &event->attr;
	u64 selector;
	int ret;

	/* perf's general events are the PMU's that has all counters. */
	if (attr->type != event->pmu->type &&
	    !(tally.whole && attr->type == PERF_TYPE_HARDWARE) &&
	    !(tally.whole && attr->type == PERF_TYPE_HW_CACHE))
		return -ENOENT;
	if (has_branch_stack(event))
		return -EOPNOTSUPP;
	ret = tally_selector(event, &selector);
	if (ret)
		return ret;
	if (!tally_has_event(selector))
		return -EOPNOTSUPP;

	hwc->flags &= ~PERF_EVENT_FLAG_ARCH;
	hwc->idx = -1;
	hwc->config_base = selector | (attr->exclude_user ? TALLY_MHPMEVENT_UINH_MASK : 0) |
			   (attr->exclude_kernel ? TALLY_MHPMEVENT_SINH_MASK : 0);
	if (attr->type == event->pmu->type && attr->config & CONFIG_EBB)
		hwc->flags |= TALLY_EVENT_EBB;
	/* Event-based branches last: it is the only one that takes something. */
	ret = tally_group_fits(event);
	if (ret)
		return ret;
	if (!is_sampling_event(event)) {
		/* The period of a counter that does not interrupt: all of it */
		hwc->sample_period = tally.width >> 1;
		hwc->last_period = hwc->sample_period;
		local64_set(&hwc->period_left, hwc->sample_period);
	}
	return tally_ebb_event_init(event);
}

static void tally_pmu_read(struct perf_event *event)
{
	struct hw_perf_event *hwc = &event->hw;
	u64 before, now;

	/* What the task writes there is its own. */
	if (tally_is_ebb(event))
		return;
	do {
		before = local64_read(&hwc->prev_count);
		now = tally_read_value(hwc->idx);
	} while (local64_cmpxchg(&hwc->prev_count, before, now) != before);
	local64_add((now - before) & tally.width, &event->count);
	local64_sub((now - before) & tally.width, &hwc->period_left);
}

static void tally_pmu_start(struct perf_event *event, int flags)
{
	struct tally_cpu *cpu = this_cpu_ptr(&tally_cpus);
	struct hw_perf_event *hwc = &event->hw;

	if (WARN_ON_ONCE(!(hwc->state & PERF_HES_STOPPED)))
		return;
	hwc->state = 0;
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
}

static int tally_pmu_add(struct perf_event *event, int flags)
{
	struct tally_cpu *cpu = this_cpu_ptr(&tally_cpus);
	struct hw_perf_event *hwc = &event->hw;
	int n, ret;

	/*
	 * Event-based branches have the PMU alone. perf's core sees to it within a context;
	 * here are the events of a CPU. Of two that are pinned the first stays, even where
	 * the core takes it off to begin anew.
	 */
	if (tally_is_ebb(event) ? cpu->used & ~cpu->routed
				: cpu->routed || (event->attr.pinned && cpu->displaced))
		return -EAGAIN;
	n = tally_find_counter(event, cpu->used | cpu->reserved);
	if (n < 0)
		return n;
	csr_set(TALLY_CSR_SCOUNTINHIBIT, BIT(n));
	hwc->idx = n;
	hwc->state = PERF_HES_STOPPED | PERF_HES_UPTODATE;
	if (tally_is_ebb(event)) {
		ret = tally_ebb_add(cpu, event);
		if (ret) {
			hwc->idx = -1;
			return ret;
		}
	} else {
		tally_write_value(n, 0);
		tally_write_event(n, hwc->config_base);
		local64_set(&hwc->prev_count, 0);
	}
	cpu->used |= BIT(n);
	cpu->events[n] = event;
	if (flags & PERF_EF_START)
		tally_pmu_start(event, PERF_EF_RELOAD);
	perf_event_update_userpage(event);
	return 0;
}

static void tally_pmu_del(struct perf_event *event, int flags)
{
	struct tally_cpu *cpu = this_cpu_ptr(&tally_cpus);
	struct hw_perf_event *hwc = &event->hw;

	tally_pmu_stop(event, PERF_EF_UPDATE);
	if (tally_is_ebb(event))
		tally_ebb_del(cpu, event);
	tally_write_event(hwc->idx, 0);
	cpu->used &= ~BIT(hwc->idx);
	cpu->events[hwc->idx] = NULL;
	hwc->idx = -1;
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

PMU_FORMAT_ATTR(event, "config:0-55");
PMU_FORMAT_ATTR(ebb, "config:63");
PMU_FORMAT_ATTR(counter, "config1:0-4");

static struct attribute *tally_format_attrs[] = {
	&format_attr_event.attr,
	&format_attr_ebb.attr,
	&format_attr_counter.attr,
	NULL
};

static umode_t tally_format_visible(struct kobject *kobj, struct attribute *attr, int n)
{
	return attr == &format_attr_ebb.attr && !tally.branches ? 0 : attr->mode;
}

static const struct attribute_group tally_format_group = {
	.name = "format",
	.attrs = tally_format_attrs,
	.is_visible = tally_format_visible,
};

static ssize_t counters_show(struct device *dev, struct device_attribute *attr, char *buf)
{
	return sysfs_emit(buf, "0x%x\n", tally.delegated);
}
static DEVICE_ATTR_RO(counters);

static ssize_t branches_show(struct device *dev, struct device_attribute *attr, char *buf)
{
	return sysfs_emit(buf, "%d\n", tally.branches);
}
static DEVICE_ATTR_RO(branches);

static struct attribute *tally_caps_attrs[] = {
	&dev_attr_counters.attr,
	&dev_attr_branches.attr,
	NULL
};

static const struct attribute_group tally_caps_group = {
	.name = "caps",
	.attrs = tally_caps_attrs,
};

static const struct attribute_group *tally_attr_groups[] = {
	&tally_format_group,
	&tally_caps_group,
	NULL
};

struct pmu tally_pmu = {
	.module = THIS_MODULE,
	.task_ctx_nr = perf_hw_context,
	.capabilities = PERF_PMU_CAP_NO_INTERRUPT,
	.attr_groups = tally_attr_groups,
	.event_init = tally_pmu_event_init,
	.pmu_enable = tally_pmu_enable,
	.pmu_disable = tally_pmu_disable,
	.add = tally_pmu_add,
	.del = tally_pmu_del,
	.start = tally_pmu_start,
	.stop = tally_pmu_stop,
	.read = tally_pmu_read,
};

int tally_pmu_setup(void)
{
	if (!tally.delegated)
		return 0;
	return perf_pmu_register(&tally_pmu, "tally", tally.whole ? PERF_TYPE_RAW : -1);
}

void tally_pmu_remove(void)
{
	if (tally.delegated)
		perf_pmu_unregister(&tally_pmu);
}
