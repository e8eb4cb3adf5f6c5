// SPDX-License-Identifier: GPL-2.0
/*
 * The PMU "tally_pdis": instructions that the unit selects at decode and
 * follows to their end. Records come in batches, by a buffer of the CPU and
 * the LAMBI interrupt; each becomes an ordinary sample.
 *
 * spdisctl.OF stays 1, so that no sample raises the overflow interrupt, which
 * may be the stock driver's. A batch is of one task: it is read out when
 * another comes.
 */
#include <linux/bitfield.h>
#include <linux/delay.h>
#include <linux/device.h>
#include <linux/gfp.h>
#include <linux/module.h>
#include <linux/sched/clock.h>

#include "tally.h"

#define LAMBI		14
#define INHIBIT		2	/* bit 1 of scountinhibit is sampling's */
#define BUFFER_ORDER	2
#define PERIOD_MIN	16

/* attr.config; config1: event mask, config2: event match, which pdishdrev has */
#define CONFIG_TYPE	GENMASK_ULL(2, 0)	/* spdisctl.SEL */
#define CONFIG_TARGET	BIT_ULL(3)		/* spdisctl.EPT */
#define CONFIG_JITTER	GENMASK_ULL(12, 8)	/* the period is up to 2^n - 1 longer */
#define CONFIG_LATENCY	GENMASK_ULL(31, 16)	/* spdisfilter: THRESH, INV, LATSEL */
#define CONFIG_ALL	(CONFIG_TYPE | CONFIG_TARGET | CONFIG_JITTER | CONFIG_LATENCY)

/* Events of the unit */
#define PDIS_COLLISIONS	0x26	/* overflows that found a sample under way */
#define PDIS_DROPPED	0x28	/* samples for which the buffer had no room */

/* TYPE of a record, and where its data came from (the reference hart's codes) */
enum { TYPE_OTHER, TYPE_LOAD, TYPE_STORE, TYPE_LOAD_STORE, TYPE_TRANSFER };
enum { SOURCE_NONE, SOURCE_L1, SOURCE_STORE_QUEUE, SOURCE_COMING, SOURCE_MEMORY, SOURCE_DEVICE };

struct tally_record {
	u64 header, pc, time, latency, address, address2, unused[2];
};

/* Sample types that need the registers of the instruction, which nobody has kept */
#define REFUSED	(PERF_SAMPLE_CALLCHAIN | PERF_SAMPLE_REGS_USER | PERF_SAMPLE_STACK_USER |	\
		 PERF_SAMPLE_REGS_INTR | PERF_SAMPLE_RAW | PERF_SAMPLE_AUX)

#ifdef CONFIG_64BIT

static struct pmu tally_pdis;
static int tally_pdis_irq;

/* --- from record to sample ----------------------------------------------- */

static u64 tally_data_source(u64 header)
{
	static const u64 sources[16] = {
		[SOURCE_L1] = PERF_MEM_S(LVL, L1) | PERF_MEM_S(LVL, HIT) | PERF_MEM_S(LVLNUM, L1),
		[SOURCE_STORE_QUEUE] = PERF_MEM_S(LVL, L1) | PERF_MEM_S(LVL, HIT) |
				       PERF_MEM_S(LVLNUM, L1) | PERF_MEM_S(SNOOPX, FWD),
		[SOURCE_COMING] = PERF_MEM_S(LVL, LFB) | PERF_MEM_S(LVL, HIT) |
				  PERF_MEM_S(LVLNUM, LFB),
		[SOURCE_MEMORY] = PERF_MEM_S(LVL, LOC_RAM) | PERF_MEM_S(LVL, HIT) |
				  PERF_MEM_S(LVLNUM, RAM),
		[SOURCE_DEVICE] = PERF_MEM_S(LVL, UNC) | PERF_MEM_S(LVL, HIT) |
				  PERF_MEM_S(LVLNUM, UNC),
	};
	const u64 source = FIELD_GET(TALLY_PDISHDREV_DSRC_MASK, header);
	u64 result;

	switch (FIELD_GET(TALLY_PDISHDREV_TYPE_MASK, header)) {
	case TYPE_LOAD:
		result = PERF_MEM_S(OP, LOAD);
		break;
	case TYPE_STORE:
		result = PERF_MEM_S(OP, STORE);
		break;
	case TYPE_LOAD_STORE:
		result = PERF_MEM_S(OP, LOAD) | PERF_MEM_S(OP, STORE) | PERF_MEM_S(LOCK, LOCKED);
		break;
	default:
		return PERF_MEM_NA;
	}
	if (header & TALLY_PDISHDREV_FLUSHED_MASK)
		return result | PERF_MEM_S(LVL, NA) | PERF_MEM_S(TLB, NA) | PERF_MEM_S(SNOOP, NA);
	/* A store has no source, but hits the cache or misses it. */
	if (source < ARRAY_SIZE(sources) && sources[source])
		result |= sources[source];
	else if (header & TALLY_PDISHDREV_L1MISS_MASK)
		result |= PERF_MEM_S(LVL, L1) | PERF_MEM_S(LVL, MISS);
	else
		result |= PERF_MEM_S(LVL, L1) | PERF_MEM_S(LVL, HIT) | PERF_MEM_S(LVLNUM, L1);
	if (header & TALLY_PDISHDREV_LLTLBMISS_MASK)
		result |= PERF_MEM_S(TLB, L2) | PERF_MEM_S(TLB, MISS);
	else if (header & TALLY_PDISHDREV_L1TLBMISS_MASK)
		result |= PERF_MEM_S(TLB, L2) | PERF_MEM_S(TLB, HIT);
	else
		result |= PERF_MEM_S(TLB, L1) | PERF_MEM_S(TLB, HIT);
	return result | PERF_MEM_S(SNOOP, NONE);
}

/* What a batch has in common: when it is read out */
struct tally_batch {
	struct perf_event *event;
	u64 clock, time;
};

/* False: it was the last that the event may have. */
static bool tally_pdis_sample(const struct tally_batch *batch, const struct tally_record *record)
{
	struct perf_event *event = batch->event;
	const u64 latency = record->latency;
	const bool flushed = record->header & TALLY_PDISHDREV_FLUSHED_MASK;
	struct perf_sample_data data;
	struct pt_regs regs = {
		.epc = record->pc,
		.status = record->pc >= TASK_SIZE ? SR_SPP : 0,
	};

	perf_sample_data_init(&data, record->address, event->hw.last_period);
	data.ip = record->pc;
	data.weight.full = 0;
	if (event->attr.sample_type & PERF_SAMPLE_WEIGHT_STRUCT) {
		data.weight.var1_dw = FIELD_GET(TALLY_PDISLAT_EXECUTION_MASK, latency);
		data.weight.var2_w = FIELD_GET(TALLY_PDISLAT_TOTAL_MASK, latency);
		data.weight.var3_w = FIELD_GET(TALLY_PDISLAT_ISSUE_MASK, latency);
	} else {
		data.weight.full = FIELD_GET(TALLY_PDISLAT_EXECUTION_MASK, latency);
	}
	data.data_src.val = tally_data_source(record->header);
	/* Flags and events, where others have the code of an abort */
	data.txn = record->header & ~(u64)U32_MAX;
	data.sample_flags |= PERF_SAMPLE_IP | PERF_SAMPLE_WEIGHT_TYPE | PERF_SAMPLE_DATA_SRC |
			     PERF_SAMPLE_TRANSACTION;
	if (event->attr.sample_type & PERF_SAMPLE_PHYS_ADDR) {
		data.phys_addr = flushed ? 0 : record->address2;
		data.sample_flags |= PERF_SAMPLE_PHYS_ADDR;
	}
	if (!event->attr.use_clockid) {
		data.time = batch->clock -
			    (batch->time - record->time) * NSEC_PER_SEC / riscv_timebase;
		data.sample_flags |= PERF_SAMPLE_TIME;
	}
	local64_add(event->hw.last_period, &event->count);
	return tally_output(event, &data, &regs);
}

/* Until a bit of the buffer's status says so: what it waits for takes microseconds. */
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

/* Sampling is inhibited: what is under way arrives, and is read out. False: it cannot go on. */
static bool tally_pdis_drain(struct tally_cpu *cpu)
{
	struct tally_batch batch = { .event = cpu->sampled };
	const struct tally_record *record, *end;
	bool more = true;
	u64 lost = 0;
	u32 rest;

	if (!tally_pdis_wait(TALLY_SPDISAMBCS_EMPTY_MASK)) {
		pr_warn_ratelimited("riscv_tally: a record does not arrive\n");
		more = false;
	}
	end = (const struct tally_record *)csr_read(TALLY_CSR_SPDISAMBADDR);
	/* Full: it has begun anew, and stopped there. */
	if (csr_read(TALLY_CSR_SPDISAMBCS) & TALLY_SPDISAMBCS_WRAP_MASK)
		end = (const void *)cpu->records + (PAGE_SIZE << BUFFER_ORDER);
	batch.clock = local_clock();
	batch.time = csr_read(CSR_TIME);
	for (record = cpu->records; record < end && more; record++)
		more = tally_pdis_sample(&batch, record);

	for (rest = cpu->reserved; rest; rest &= rest - 1)
		lost += tally_read_value(__ffs(rest));
	/* read() with PERF_FORMAT_LOST has it, from which perf makes PERF_RECORD_LOST_SAMPLES. */
	atomic64_add(lost - cpu->lost, &batch.event->lost_samples);
	cpu->lost = lost;
	return more;
}

/* --- the unit ------------------------------------------------------------ */

/* Sampling is inhibited. False: the buffer cannot be translated. */
static bool tally_pdis_open_buffer(struct tally_cpu *cpu)
{
	csr_write(TALLY_CSR_SPDISAMBADDR, (unsigned long)cpu->records);
	csr_write(TALLY_CSR_SPDISAMBCS, TALLY_SPDISAMBCS_EN_MASK | TALLY_SPDISAMBCS_SOF_MASK |
		  TALLY_SPDISAMBCS_BMIEN_MASK | FIELD_PREP(TALLY_SPDISAMBCS_BMITH_MASK, 2) |
		  FIELD_PREP(TALLY_SPDISAMBCS_SIZE_MASK, BUFFER_ORDER));
	if (tally_pdis_wait(TALLY_SPDISAMBCS_TF_MASK | TALLY_SPDISAMBCS_TRV_MASK) &&
	    !(csr_read(TALLY_CSR_SPDISAMBCS) & TALLY_SPDISAMBCS_TF_MASK))
		return true;
	pr_warn_ratelimited("riscv_tally: buffer cannot be written\n");
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

/* Events of a CPU: the records are those of who leaves. (Events of a task are stopped.) */
static void tally_pdis_sched_switch(void *unused, bool preempt, struct task_struct *prev,
				    struct task_struct *next, unsigned int prev_state)
{
	struct tally_cpu *cpu = this_cpu_ptr(&tally_cpus);
	struct perf_event *event = cpu->sampled;

	if (event && !(event->attach_state & PERF_ATTACH_TASK) &&
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
	cpu->lost = 0;
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
	cpu->sampled = NULL;
}

/* Counts what was sampled. */
static void tally_pdis_read(struct perf_event *event)
{
}

PMU_FORMAT_ATTR(type, "config:0-2");
PMU_FORMAT_ATTR(target, "config:3");
PMU_FORMAT_ATTR(jitter, "config:8-12");
PMU_FORMAT_ATTR(threshold, "config:16-27");
PMU_FORMAT_ATTR(below, "config:28");
PMU_FORMAT_ATTR(latency, "config:29-31");
PMU_FORMAT_ATTR(mask, "config1:0-55");
PMU_FORMAT_ATTR(match, "config2:0-55");

static struct attribute *tally_pdis_format_attrs[] = {
	&format_attr_type.attr,
	&format_attr_target.attr,
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
			  (PAGE_SIZE << BUFFER_ORDER) / 2 / sizeof(struct tally_record));
}
static DEVICE_ATTR_RO(batch);

static struct attribute *tally_pdis_caps_attrs[] = {
	&dev_attr_period_min.attr,
	&dev_attr_batch.attr,
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
};

/* --- set-up -------------------------------------------------------------- */

int tally_pdis_starting_cpu(struct tally_cpu *cpu)
{
	if (!tally.sampling)
		return 0;
	cpu->records = (void *)__get_free_pages(GFP_KERNEL | __GFP_ZERO, BUFFER_ORDER);
	if (!cpu->records)
		return -ENOMEM;
	cpu->seed = get_random_u32() | 1;
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
	records = (unsigned long)cpu->records;
	cpu->records = NULL;
	local_irq_enable();
	free_pages(records, BUFFER_ORDER);
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
