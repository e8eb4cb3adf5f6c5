// SPDX-License-Identifier: GPL-2.0
/*
 * Records of sampled instructions as perf's samples, with what perf has a field
 * for. Codes of data sources are the reference hart's.
 */
#include <linux/bitfield.h>
#include <linux/delay.h>
#include <linux/sched/clock.h>

#include "tally.h"

static u64 tally_data_source(u64 header)
{
	static const u64 sources[16] = {
		[TALLY_DSRC_L1] = PERF_MEM_S(LVL, L1) | PERF_MEM_S(LVL, HIT) |
				  PERF_MEM_S(LVLNUM, L1),
		[TALLY_DSRC_STQ] = PERF_MEM_S(LVL, L1) | PERF_MEM_S(LVL, HIT) |
				   PERF_MEM_S(LVLNUM, L1) | PERF_MEM_S(SNOOPX, FWD),
		[TALLY_DSRC_COMING] = PERF_MEM_S(LVL, LFB) | PERF_MEM_S(LVL, HIT) |
				      PERF_MEM_S(LVLNUM, LFB),
		[TALLY_DSRC_MEM] = PERF_MEM_S(LVL, LOC_RAM) | PERF_MEM_S(LVL, HIT) |
				   PERF_MEM_S(LVLNUM, RAM),
		[TALLY_DSRC_DEVICE] = PERF_MEM_S(LVL, UNC) | PERF_MEM_S(LVL, HIT) |
				      PERF_MEM_S(LVLNUM, UNC),
	};
	const u64 source = FIELD_GET(TALLY_PDISHDREV_DSRC_MASK, header);
	u64 result;

	switch (FIELD_GET(TALLY_PDISHDREV_TYPE_MASK, header)) {
	case TALLY_TYPE_LOAD:
		result = PERF_MEM_S(OP, LOAD);
		break;
	case TALLY_TYPE_STORE:
		result = PERF_MEM_S(OP, STORE);
		break;
	case TALLY_TYPE_LOAD_STORE:
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

/* Common values of a batch, taken when it is read out */
struct tally_batch {
	struct perf_event *event;
	u64 clock, time;
};

/* False: it was the last that the event may have. */
static bool tally_sample(const struct tally_batch *batch, const struct tally_record *record)
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

/* A batch. False: the event has had all that it may have. */
bool tally_samples(struct perf_event *event, const struct tally_record *record,
		   const struct tally_record *end)
{
	const struct tally_batch batch = {
		.event = event,
		.clock = local_clock(),
		.time = csr_read(CSR_TIME),
	};
	bool more = true;

	for (; record < end && more; record++)
		more = tally_sample(&batch, record);
	return more;
}
