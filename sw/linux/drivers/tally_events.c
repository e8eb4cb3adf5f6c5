// SPDX-License-Identifier: GPL-2.0
/* Events of the PMU "tally": selectors, precision, and sysfs files. */
#include <linux/cpumask.h>
#include <linux/device.h>
#include <linux/slab.h>

#include "tally.h"

struct tally_event {
	const char *name;
	u32 selector;
	bool precise;		/* one instruction is its cause */
};

#include "tally_event_list.h"

/* Selectors of the SBI's general events are perf's from 1; of cache events: */
#define SELECTOR_CACHE		0x10000

/* attr.precise_ip */
#define MAX_PRECISE		3

int tally_event_selector(const struct perf_event *event, u64 *selector)
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
		if (config & ~(TALLY_SELECTOR | TALLY_CONFIG_EBB) ||
		    event->attr.config1 & ~TALLY_CONFIG1_COUNTER || event->attr.config2)
			return -EINVAL;
		*selector = config & TALLY_SELECTOR;
		return 0;
	}
}

/* A combination has no cause. */
bool tally_event_is_precise(u64 selector)
{
	int i;

	for (i = 0; tally.precise && i < ARRAY_SIZE(tally_event_list); i++)
		if (tally_event_list[i].selector == selector)
			return tally_event_list[i].precise;
	return false;
}

/* --- sysfs --------------------------------------------------------------- */

static struct perf_pmu_events_attr *tally_event_attrs;

static ssize_t tally_event_show(struct device *dev, struct device_attribute *attr, char *buf)
{
	return sysfs_emit(buf, "event=0x%llx\n",
			  container_of(attr, struct perf_pmu_events_attr, attr)->id);
}

static struct attribute *tally_event_pointers[ARRAY_SIZE(tally_event_list) + 1];

/*
 * In the split perf's own list has these names for the stock driver's PMU. It
 * would count a name that both have on both, and show the sum.
 */
static umode_t tally_events_visible(struct kobject *kobj, struct attribute *attr, int n)
{
	return tally.general ? attr->mode : 0;
}

static const struct attribute_group tally_events_group = {
	.name = "events",
	.attrs = tally_event_pointers,
	.is_visible = tally_events_visible,
};

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

/* A handler may read uebbspc. */
static ssize_t branch_cause_show(struct device *dev, struct device_attribute *attr, char *buf)
{
	return sysfs_emit(buf, "%d\n", tally.branches && tally.precise);
}
static DEVICE_ATTR_RO(branch_cause);

/* perf begins with it where it is asked for the best (:P). */
static ssize_t max_precise_show(struct device *dev, struct device_attribute *attr, char *buf)
{
	return sysfs_emit(buf, "%d\n", tally.overflow && tally.precise ? MAX_PRECISE : 0);
}
static DEVICE_ATTR_RO(max_precise);

static struct attribute *tally_caps_attrs[] = {
	&dev_attr_counters.attr,
	&dev_attr_branches.attr,
	&dev_attr_branch_cause.attr,
	&dev_attr_max_precise.attr,
	NULL
};

static const struct attribute_group tally_caps_group = {
	.name = "caps",
	.attrs = tally_caps_attrs,
};

/* A PMU with this file is the CPUs' own to perf: it has the general events. */
static ssize_t cpus_show(struct device *dev, struct device_attribute *attr, char *buf)
{
	return cpumap_print_to_pagebuf(true, buf, cpu_possible_mask);
}
static DEVICE_ATTR_RO(cpus);

static struct attribute *tally_cpus_attrs[] = {
	&dev_attr_cpus.attr,
	NULL
};

static umode_t tally_cpus_visible(struct kobject *kobj, struct attribute *attr, int n)
{
	return tally.general ? attr->mode : 0;
}

static const struct attribute_group tally_cpus_group = {
	.attrs = tally_cpus_attrs,
	.is_visible = tally_cpus_visible,
};

const struct attribute_group *tally_attr_groups[] = {
	&tally_format_group,
	&tally_events_group,
	&tally_caps_group,
	&tally_cpus_group,
	NULL
};

int tally_events_setup(void)
{
	int i;

	tally_event_attrs = kcalloc(ARRAY_SIZE(tally_event_list), sizeof(*tally_event_attrs),
				    GFP_KERNEL);
	if (!tally_event_attrs)
		return -ENOMEM;
	for (i = 0; i < ARRAY_SIZE(tally_event_list); i++) {
		struct perf_pmu_events_attr *attr = &tally_event_attrs[i];

		sysfs_attr_init(&attr->attr.attr);
		attr->attr.attr.name = tally_event_list[i].name;
		attr->attr.attr.mode = 0444;
		attr->attr.show = tally_event_show;
		attr->id = tally_event_list[i].selector;
		tally_event_pointers[i] = &attr->attr.attr;
	}
	return 0;
}

void tally_events_remove(void)
{
	kfree(tally_event_attrs);
}
