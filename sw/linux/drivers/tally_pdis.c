// SPDX-License-Identifier: GPL-2.0
/*
 * The PMU "tally_pdis": instructions that the unit selects at decode and
 * follows to their end. Records come in batches, by a buffer of the CPU and
 * the LAMBI interrupt.
 *
 * spdisctl.OF stays 1, so that no sample raises the overflow interrupt, which
 * may be the stock driver's. A batch is of one task: it is read out when
 * another comes. Its records become samples (tally_record.c), or with aux=1 go as
 * they are into the AUX area (tally_aux.c).
 */
#include <linux/bitfield.h>
#include <linux/delay.h>
#include <linux/device.h>
#include <linux/gfp.h>
#include <linux/module.h>
#include <linux/sched/clock.h>

#include "tally.h"

#define LAMBI		14
#define INHIBIT		BIT(TALLY_SAMPLING)	/* of scountinhibit */
#define PERIOD_MIN	16

/* attr.config; config1: event mask, config2: event match, which pdishdrev has */
#define CONFIG_TYPE	GENMASK_ULL(2, 0)	/* spdisctl.SEL */
#define CONFIG_TARGET	BIT_ULL(3)		/* spdisctl.EPT */
#define CONFIG_AUX	BIT_ULL(4)		/* records into the AUX area */
#define CONFIG_JITTER	GENMASK_ULL(12, 8)	/* the period is up to 2^n - 1 longer */
#define CONFIG_LATENCY	GENMASK_ULL(31, 16)	/* spdisfilter: THRESH, INV, LATSEL */
#define CONFIG_ALL	(CONFIG_TYPE | CONFIG_TARGET | CONFIG_AUX | CONFIG_JITTER | CONFIG_LATENCY)

/* Events of the unit */
#define PDIS_COLLISIONS	0x26	/* overflows that found a sample under way */
#define PDIS_DROPPED	0x28	/* samples for which the buffer had no room */

/* Sample types that need the registers of the instruction, which are not saved */
#define REFUSED	(PERF_SAMPLE_CALLCHAIN | PERF_SAMPLE_REGS_USER | PERF_SAMPLE_STACK_USER |	\
		 PERF_SAMPLE_REGS_INTR | PERF_SAMPLE_RAW | PERF_SAMPLE_AUX)

#ifdef CONFIG_64BIT

static struct pmu tally_pdis;
static int tally_pdis_irq;

/* --- problems ------------------------------------------------------------ */

static void tally_pdis_report(struct irq_work *work)
{
	const struct tally_cpu *cpu = container_of(work, struct tally_cpu, report);

	pr_warn_ratelimited("riscv_tally: %s\n", cpu->problem);
}

/* A line in the log, but not here: the scheduler's locks may be held, which printk() may need. */
static void tally_pdis_problem(struct tally_cpu *cpu, const char *problem)
{
	cpu->problem = problem;
	irq_work_queue(&cpu->report);
}

/* --- a batch ------------------------------------------------------------- */

/* Since this was called last; none are known while no counter is free for them. */
static struct tally_losses tally_pdis_losses(struct tally_cpu *cpu)
{
	u64 collisions = 0, dropped = 0;
	struct tally_losses since;
	u32 rest;

	for (rest = cpu->reserved; rest; rest &= rest - 1) {
		const unsigned int n = __ffs(rest);
		const u64 value = tally_read_value(n);

		if ((tally_read_event(n) & TALLY_SELECTOR) == PDIS_COLLISIONS)
			collisions = value;
		else
			dropped = value;
	}
	since.collisions = collisions - cpu->lost.collisions;
	since.dropped = dropped - cpu->lost.dropped;
	cpu->lost.collisions = collisions;
	cpu->lost.dropped = dropped;
	return since;
}

/* Wait for a bit of the buffer's status, which takes microseconds. */
static bool tally_pdis_wait(u64 mask)
{
	const u64 start = csr_read(CSR_TIME);

	while (!(csr_read(TALLY_CSR_SPDISAMBCS) & mask)) {
		if (csr_read(CSR_TIME) - start > riscv_timebase / MSEC_PER_SEC)
			return false;
		cpu_relax();
	}
	return true;
}

/* Sampling is inhibited: pending samples arrive, and are read out. False: it must not go on. */
static bool tally_pdis_drain(struct tally_cpu *cpu)
{
	struct perf_event *event = cpu->sampled;
	const u64 start = local_clock();
	const struct tally_record *end;
	struct tally_losses losses;
	bool more = true;

	if (!tally_pdis_wait(TALLY_SPDISAMBCS_EMPTY_MASK)) {
		tally_pdis_problem(cpu, "a record does not arrive");
		more = false;
	}
	end = (const struct tally_record *)csr_read(TALLY_CSR_SPDISAMBADDR);
	/* Full: it has begun anew, and stopped there. */
	if (csr_read(TALLY_CSR_SPDISAMBCS) & TALLY_SPDISAMBCS_WRAP_MASK)
		end = (const void *)cpu->records + (PAGE_SIZE << TALLY_BUFFER_ORDER);
	losses = tally_pdis_losses(cpu);
	/* read() with PERF_FORMAT_LOST has it, from which perf makes PERF_RECORD_LOST_SAMPLES. */
	atomic64_add(losses.collisions + losses.dropped, &event->lost_samples);
	if (event->attr.config & CONFIG_AUX)
		more &= tally_aux_output(event, cpu->records, end, &losses);
	else
		more &= tally_samples(event, cpu->records, end);
	return more && !tally_throttle(cpu, event, INHIBIT, start);
}

/* --- the unit ------------------------------------------------------------ */

/* Sampling is inhibited. False: the buffer cannot be translated. */
static bool tally_pdis_open_buffer(struct tally_cpu *cpu)
{
	csr_write(TALLY_CSR_SPDISAMBADDR, (unsigned long)cpu->records);
	csr_write(TALLY_CSR_SPDISAMBCS, TALLY_SPDISAMBCS_EN_MASK | TALLY_SPDISAMBCS_SOF_MASK |
		  TALLY_SPDISAMBCS_BMIEN_MASK | FIELD_PREP(TALLY_SPDISAMBCS_BMITH_MASK, 2) |
		  FIELD_PREP(TALLY_SPDISAMBCS_SIZE_MASK, TALLY_BUFFER_ORDER));
	if (tally_pdis_wait(TALLY_SPDISAMBCS_TF_MASK | TALLY_SPDISAMBCS_TRV_MASK) &&
	    !(csr_read(TALLY_CSR_SPDISAMBCS) & TALLY_SPDISAMBCS_TF_MASK))
		return true;
	tally_pdis_problem(cpu, "buffer cannot be written");
	return false;
}

/* Sampling is inhibited. The event can be started again. */
static void tally_pdis_off(struct perf_event *event)
{
	csr_write(TALLY_CSR_SPDISCTL, 0);
	csr_write(TALLY_CSR_SPDISAMBCS, 0);
	csr_clear(CSR_SIP, BIT(LAMBI));
	event->hw.state = PERF_HES_STOPPED | PERF_HES_UPTODATE;
}

/* INITVAL for the next batch. */
static u32 tally_pdis_initval(struct tally_cpu *cpu, struct perf_event *event)
{
	const u32 mask = BIT(FIELD_GET(CONFIG_JITTER, event->attr.config)) - 1;

	cpu->seed ^= cpu->seed << 13;
	cpu->seed ^= cpu->seed >> 17;
	cpu->seed ^= cpu->seed << 5;
	/* With a frequency the core sets the period. */
	event->hw.last_period = clamp_t(u64, event->hw.sample_period, PERIOD_MIN, S32_MAX) +
				(cpu->seed & mask);
	return -(u32)event->hw.last_period;
}

static void tally_pdis_count(struct tally_cpu *cpu, u32 count)
{
	const u64 initval = tally_pdis_initval(cpu, cpu->sampled);

	csr_write(TALLY_CSR_SPDISCOUNTER, initval << 32 | (count ?: (u32)initval));
}

static void tally_pdis_start(struct perf_event *event, int flags)
{
	struct tally_cpu *cpu = this_cpu_ptr(&tally_cpus);
	const struct perf_event_attr *attr = &event->attr;
	struct hw_perf_event *hwc = &event->hw;
	u64 control = TALLY_SPDISCTL_OF_MASK | TALLY_SPDISCTL_MEM_MASK | TALLY_SPDISCTL_TS_MASK;

	if (WARN_ON_ONCE(!(hwc->state & PERF_HES_STOPPED)))
		return;
	if (!cpu->records) /* the CPU is going offline */
		return;
	/* Each start allows a batch: an event that is often restarted waits too. */
	if (tally_throttle(cpu, event, INHIBIT, local_clock()))
		return;
	control |= FIELD_GET(CONFIG_TYPE, attr->config);
	if (!attr->exclude_user)
		control |= TALLY_SPDISCTL_U_MASK;
	if (!attr->exclude_kernel)
		control |= TALLY_SPDISCTL_S_MASK;
	if (attr->config & CONFIG_TARGET)
		control |= TALLY_SPDISCTL_EPT_MASK;
	if (attr->sample_type & PERF_SAMPLE_PHYS_ADDR)
		control |= TALLY_SPDISCTL_PA_MASK;

	csr_set(TALLY_CSR_SCOUNTINHIBIT, INHIBIT);
	/* MEM first: the buffer is the sample's destination from then on. */
	csr_write(TALLY_CSR_SPDISCTL, TALLY_SPDISCTL_OF_MASK | TALLY_SPDISCTL_MEM_MASK);
	if (!tally_pdis_open_buffer(cpu)) {
		tally_pdis_off(event);
		return;
	}
	csr_write(TALLY_CSR_SPDISEVMASK, attr->config1);
	csr_write(TALLY_CSR_SPDISEVMATCH, attr->config2);
	csr_write(TALLY_CSR_SPDISFILTER, FIELD_GET(CONFIG_LATENCY, attr->config));
	tally_pdis_count(cpu, flags & PERF_EF_RELOAD ? 0 : local64_read(&hwc->prev_count));
	csr_write(TALLY_CSR_SPDISCTL, control);
	hwc->state = 0;
	csr_clear(TALLY_CSR_SCOUNTINHIBIT, INHIBIT | cpu->reserved);
}

static void tally_pdis_stop(struct perf_event *event, int flags)
{
	struct tally_cpu *cpu = this_cpu_ptr(&tally_cpus);
	struct hw_perf_event *hwc = &event->hw;

	if (hwc->state & PERF_HES_STOPPED)
		return;
	csr_set(TALLY_CSR_SCOUNTINHIBIT, INHIBIT | cpu->reserved);
	hwc->state = PERF_HES_STOPPED | PERF_HES_UPTODATE;
	tally_pdis_drain(cpu);
	/* Where the period goes on */
	local64_set(&hwc->prev_count, (u32)csr_read(TALLY_CSR_SPDISCOUNTER));
	tally_pdis_off(event);
}

/* Sampling goes on in an empty buffer. */
static void tally_pdis_next_batch(struct tally_cpu *cpu)
{
	csr_set(TALLY_CSR_SCOUNTINHIBIT, INHIBIT);
	if (!tally_pdis_drain(cpu) || !tally_pdis_open_buffer(cpu)) {
		csr_set(TALLY_CSR_SCOUNTINHIBIT, cpu->reserved);
		local64_set(&cpu->sampled->hw.prev_count, (u32)csr_read(TALLY_CSR_SPDISCOUNTER));
		tally_pdis_off(cpu->sampled);
		return;
	}
	csr_clear(CSR_SIP, BIT(LAMBI));
	tally_pdis_count(cpu, csr_read(TALLY_CSR_SPDISCOUNTER));
	csr_clear(TALLY_CSR_SCOUNTINHIBIT, INHIBIT);
}

static irqreturn_t tally_pdis_interrupt(int irq, void *data)
{
	struct tally_cpu *cpu = data;

	if (!cpu->sampled || cpu->sampled->hw.state & PERF_HES_STOPPED) {
		csr_clear(CSR_SIP, BIT(LAMBI));
		return IRQ_NONE;
	}
	tally_pdis_next_batch(cpu);
	return IRQ_HANDLED;
}

/*
 * The records are the old task's. Events of a CPU go on, and so do those of a
 * task that its children inherit, for perf's core may hand them over as they are;
 * others are stopped.
 */
static void tally_pdis_sched_switch(void *unused, bool preempt, struct task_struct *prev,
				    struct task_struct *next, unsigned int prev_state)
{
	struct tally_cpu *cpu = this_cpu_ptr(&tally_cpus);
	struct perf_event *event = cpu->sampled;

	if (event && (event->attr.inherit || !(event->attach_state & PERF_ATTACH_TASK)) &&
	    !(event->hw.state & PERF_HES_STOPPED))
		tally_pdis_next_batch(cpu);
}

static struct tally_probe tally_pdis_probes[] = {
	{ "sched_switch", tally_pdis_sched_switch },
};

/* --- the PMU ------------------------------------------------------------- */

static int tally_pdis_check_period(struct perf_event *event, u64 period)
{
	return period < PERIOD_MIN || period > S32_MAX ? -EINVAL : 0;
}

static int tally_pdis_event_init(struct perf_event *event)
{
	const struct perf_event_attr *attr = &event->attr;
	struct perf_event *sibling;

	if (attr->type != event->pmu->type)
		return -ENOENT;
	if (has_branch_stack(event) || attr->sample_type & REFUSED || attr->sigtrap)
		return -EOPNOTSUPP;
	if (attr->config & ~CONFIG_ALL || attr->config1 & ~TALLY_SPDISEVMASK_WMASK ||
	    attr->config2 & ~TALLY_SPDISEVMATCH_WMASK || FIELD_GET(CONFIG_TYPE, attr->config) > 4)
		return -EINVAL;
	/* One word of the record has both. */
	if (attr->config & CONFIG_TARGET && attr->sample_type & PERF_SAMPLE_PHYS_ADDR)
		return -EINVAL;
	/* The transfer before the first sample may be another owner's, also the kernel's. */
	if (attr->config & CONFIG_TARGET && !perfmon_capable())
		return -EACCES;
	if (!is_sampling_event(event) || (attr->exclude_user && attr->exclude_kernel))
		return -EINVAL;
	if (!attr->freq && tally_pdis_check_period(event, attr->sample_period))
		return -EINVAL;
	/* A CPU samples for one event. */
	if (event->group_leader != event) {
		if (event->group_leader->pmu == event->pmu)
			return -EINVAL;
		for_each_sibling_event(sibling, event->group_leader)
			if (sibling->pmu == event->pmu)
				return -EINVAL;
	}
	local64_set(&event->hw.prev_count, 0);
	return 0;
}

static int tally_pdis_add(struct perf_event *event, int flags)
{
	struct tally_cpu *cpu = this_cpu_ptr(&tally_cpus);
	struct hw_perf_event *hwc = &event->hw;

	if (cpu->sampled || !cpu->records)
		return -EAGAIN;
	cpu->sampled = event;
	cpu->lost = (struct tally_losses){};
	tally_counter_reserve(cpu, PDIS_COLLISIONS);
	tally_counter_reserve(cpu, PDIS_DROPPED);
	hwc->state = PERF_HES_STOPPED | PERF_HES_UPTODATE;
	if (flags & PERF_EF_START)
		tally_pdis_start(event, 0);
	return 0;
}

static void tally_pdis_del(struct perf_event *event, int flags)
{
	struct tally_cpu *cpu = this_cpu_ptr(&tally_cpus);

	tally_pdis_stop(event, PERF_EF_UPDATE);
	tally_counters_unreserve(cpu);
	cpu->throttled &= ~INHIBIT;
	cpu->sampled = NULL;
}

/* perf's core makes ENOMEM of NULL, the only error that there is. */
static void *tally_pdis_setup_aux(struct perf_event *event, void **pages, int count, bool overwrite)
{
	return event->attr.config & CONFIG_AUX ? tally_aux_setup(pages, count, overwrite) : NULL;
}

/* Counts samples. */
static void tally_pdis_read(struct perf_event *event)
{
}

PMU_FORMAT_ATTR(type, "config:0-2");
PMU_FORMAT_ATTR(target, "config:3");
PMU_FORMAT_ATTR(aux, "config:4");
PMU_FORMAT_ATTR(jitter, "config:8-12");
PMU_FORMAT_ATTR(threshold, "config:16-27");
PMU_FORMAT_ATTR(below, "config:28");
PMU_FORMAT_ATTR(latency, "config:29-31");
PMU_FORMAT_ATTR(mask, "config1:0-55");
PMU_FORMAT_ATTR(match, "config2:0-55");

static struct attribute *tally_pdis_format_attrs[] = {
	&format_attr_type.attr,
	&format_attr_target.attr,
	&format_attr_aux.attr,
	&format_attr_jitter.attr,
	&format_attr_threshold.attr,
	&format_attr_below.attr,
	&format_attr_latency.attr,
	&format_attr_mask.attr,
	&format_attr_match.attr,
	NULL
};

static const struct attribute_group tally_pdis_format_group = {
	.name = "format",
	.attrs = tally_pdis_format_attrs,
};

static ssize_t period_min_show(struct device *dev, struct device_attribute *attr, char *buf)
{
	return sysfs_emit(buf, "%d\n", PERIOD_MIN);
}
static DEVICE_ATTR_RO(period_min);

static ssize_t batch_show(struct device *dev, struct device_attribute *attr, char *buf)
{
	return sysfs_emit(buf, "%zu\n",
			  (PAGE_SIZE << TALLY_BUFFER_ORDER) / 2 / sizeof(struct tally_record));
}
static DEVICE_ATTR_RO(batch);

static ssize_t aux_min_show(struct device *dev, struct device_attribute *attr, char *buf)
{
	return sysfs_emit(buf, "%lu\n", TALLY_AUX_MIN);
}
static DEVICE_ATTR_RO(aux_min);

static struct attribute *tally_pdis_caps_attrs[] = {
	&dev_attr_period_min.attr,
	&dev_attr_batch.attr,
	&dev_attr_aux_min.attr,
	NULL
};

static const struct attribute_group tally_pdis_caps_group = {
	.name = "caps",
	.attrs = tally_pdis_caps_attrs,
};

static const struct attribute_group *tally_pdis_attr_groups[] = {
	&tally_pdis_format_group,
	&tally_pdis_caps_group,
	NULL
};

static struct pmu tally_pdis = {
	.module = THIS_MODULE,
	.task_ctx_nr = perf_hw_context,
	.attr_groups = tally_pdis_attr_groups,
	.event_init = tally_pdis_event_init,
	.add = tally_pdis_add,
	.del = tally_pdis_del,
	.start = tally_pdis_start,
	.stop = tally_pdis_stop,
	.read = tally_pdis_read,
	.check_period = tally_pdis_check_period,
	.setup_aux = tally_pdis_setup_aux,
	.free_aux = tally_aux_free,
};

/* --- set-up -------------------------------------------------------------- */

int tally_pdis_starting_cpu(struct tally_cpu *cpu)
{
	if (!tally.sampling)
		return 0;
	cpu->records = (void *)__get_free_pages(GFP_KERNEL | __GFP_ZERO, TALLY_BUFFER_ORDER);
	if (!cpu->records)
		return -ENOMEM;
	cpu->seed = get_random_u32() | 1;
	init_irq_work(&cpu->report, tally_pdis_report);
	csr_clear(CSR_SIP, BIT(LAMBI));
	enable_percpu_irq(tally_pdis_irq, IRQ_TYPE_NONE);
	return 0;
}

/* perf has events of an offline CPU removed, maybe later: they find no buffer. */
void tally_pdis_dying_cpu(struct tally_cpu *cpu)
{
	unsigned long records;

	if (!tally.sampling)
		return;
	disable_percpu_irq(tally_pdis_irq);
	local_irq_disable();
	if (cpu->sampled)
		tally_pdis_stop(cpu->sampled, PERF_EF_UPDATE);
	cpu->throttled &= ~INHIBIT;
	records = (unsigned long)cpu->records;
	cpu->records = NULL;
	local_irq_enable();
	irq_work_sync(&cpu->report);
	free_pages(records, TALLY_BUFFER_ORDER);
}

int tally_pdis_irq_setup(void)
{
	int irq;

	if (!tally.sampling)
		return 0;
	irq = tally_irq_request(LAMBI, tally_pdis_interrupt, "tally-pdis");
	if (irq < 0)
		return irq;
	tally_pdis_irq = irq;
	return 0;
}

void tally_pdis_irq_remove(void)
{
	if (tally.sampling)
		tally_irq_free(tally_pdis_irq);
}

int tally_pdis_setup(void)
{
	int ret;

	if (!tally.sampling)
		return 0;
	ret = tally_probes_register(tally_pdis_probes, ARRAY_SIZE(tally_pdis_probes));
	if (ret)
		return ret;
	ret = perf_pmu_register(&tally_pdis, "tally_pdis", -1);
	if (ret)
		tally_probes_unregister(tally_pdis_probes, ARRAY_SIZE(tally_pdis_probes));
	return ret;
}

void tally_pdis_remove(void)
{
	if (!tally.sampling)
		return;
	perf_pmu_unregister(&tally_pdis);
	tally_probes_unregister(tally_pdis_probes, ARRAY_SIZE(tally_pdis_probes));
}

#else /* records of RV32 are shorter, and have no driver yet: tally.sampling is false */

int tally_pdis_starting_cpu(struct tally_cpu *cpu)
{
	return 0;
}

void tally_pdis_dying_cpu(struct tally_cpu *cpu)
{
}

int tally_pdis_irq_setup(void)
{
	return 0;
}

void tally_pdis_irq_remove(void)
{
}

int tally_pdis_setup(void)
{
	return 0;
}

void tally_pdis_remove(void)
{
}

#endif
