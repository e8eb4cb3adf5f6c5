/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Tally's unit under Linux: shared declarations of the driver.
 *
 * Counters are delegated by the firmware (Smcdeleg/Ssccfg), so that everything
 * is done by CSR. All of it runs on the CPU that it is about, with interrupts
 * disabled: nothing else writes siselect in between.
 */
#ifndef _RISCV_TALLY_H
#define _RISCV_TALLY_H

#include <linux/bits.h>
#include <linux/hrtimer.h>
#include <linux/interrupt.h>
#include <linux/irq_work.h>
#include <linux/percpu.h>
#include <linux/perf_event.h>
#include <linux/perf/riscv_pmu.h>
#include <asm/asm-extable.h>
#include <asm/csr.h>

#include "tally_csr.h"

#define TALLY_COUNTERS	32
#define TALLY_CYCLE	0
#define TALLY_INSTRET	2
#define TALLY_SAMPLING	1	/* time has no counter: its bit is that of sampled instructions */
/* the others: programmable, with overflow interrupt and event-based branches */
#define TALLY_HPM	GENMASK(31, 3)

struct tally_task;

/* The unit's record of a sampled instruction (RV64) */
struct tally_record {
	u64 header, pc, time, latency, address, address2, unused[2];
};

/* The buffer of a CPU. An AUX area has two: one can be written while the other is read. */
#define TALLY_BUFFER_ORDER	2
#define TALLY_AUX_MIN		(2 * PAGE_SIZE << TALLY_BUFFER_ORDER)

/* Samples without a record */
struct tally_losses {
	u64 collisions;		/* another one was under way */
	u64 dropped;		/* the buffer had no room */
};

/* The unit of one CPU. Masks have a bit a counter. */
struct tally_cpu {
	bool online;		/* takes events */

	/* tally_counters.c */
	struct perf_event *events[TALLY_COUNTERS];
	u32 used;		/* has an event */
	u32 reserved;		/* counts losses of sampled instructions */

	u32 running;		/* has an event which is started */
	u32 routed;		/* ... of event-based branches */
	u32 displaced;		/* routed, until this rescheduling took it off */
	bool held;		/* everything, by pmu_disable() */
	u32 throttled;		/* stopped until the timer starts it again */
	struct hrtimer unthrottle;
	u64 tick, sampled_nsec;	/* time that samples have taken since this tick */
	struct tally_task *task; /* whose registers the CPU has; NULL: none's */

	/* sampled instructions */
	struct perf_event *sampled;
	struct tally_record *records;	/* the buffer */
	struct tally_losses lost; /* the reserved counters, as they were read last */
	u32 seed;		/* of the period's jitter */
	const char *problem;	/* message of report */
	struct irq_work report;
};

DECLARE_PER_CPU(struct tally_cpu, tally_cpus);

struct tally {
	u32 delegated;		/* counters that are the driver's */
	u32 fixed;		/* ... cycle and instret, if they have filters */
	unsigned int width;	/* bits of a counter */
	bool branches;		/* event-based branches */
	bool stateen;		/* sstateen0, which gates them */
	bool whole;		/* no SBI PMU: all counters and the overflow interrupt are ours */
	bool general;		/* ... and perf's general events */
	bool overflow;		/* ... counters have overflows */
	bool precise;		/* shpmspc: the cause of an overflow */
	bool sampling;		/* spdisctl and its buffer */
};

extern struct tally tally;
extern struct riscv_pmu tally_pmu;

/* hw_perf_event.flags */
#define TALLY_EVENT_EBB		BIT(0)	/* event-based branches */
#define TALLY_EVENT_OVERFLOWED	BIT(1)	/* its OF while it is off the counter */

static inline bool tally_is_ebb(const struct perf_event *event)
{
	return event->pmu == &tally_pmu.pmu && event->hw.flags & TALLY_EVENT_EBB;
}

/* attr.config: the selector of mhpmevent, bit 63 for event-based branches; config1: counter */
#define TALLY_SELECTOR		GENMASK_ULL(55, 0)
#define TALLY_CONFIG_EBB	BIT_ULL(63)
#define TALLY_CONFIG1_COUNTER	GENMASK_ULL(4, 0)

/* The counter that an event asks for; 0: any */
static inline unsigned int tally_named(const struct perf_event *event)
{
	return event->attr.config1 & TALLY_CONFIG1_COUNTER;
}

/* Counter n by siselect: value in sireg, event in sireg2, their high halves in sireg4 and sireg5 */
static inline void tally_select(unsigned int n)
{
	csr_write(TALLY_CSR_SISELECT, TALLY_COUNTER_SELECT + n);
}

static inline u64 tally_read_value(unsigned int n)
{
	tally_select(n);
#ifdef CONFIG_64BIT
	return csr_read(TALLY_CSR_SIREG);
#else
	u32 low, high, again;

	do {
		high = csr_read(TALLY_CSR_SIREG4);
		low = csr_read(TALLY_CSR_SIREG);
		again = csr_read(TALLY_CSR_SIREG4);
	} while (high != again);
	return (u64)high << 32 | low;
#endif
}

/* The counter is inhibited. */
static inline void tally_write_value(unsigned int n, u64 value)
{
	tally_select(n);
#ifdef CONFIG_64BIT
	csr_write(TALLY_CSR_SIREG, value);
#else
	csr_write(TALLY_CSR_SIREG, lower_32_bits(value));
	csr_write(TALLY_CSR_SIREG4, upper_32_bits(value));
#endif
}

static inline u64 tally_read_event(unsigned int n)
{
	u64 event;

	tally_select(n);
	event = csr_read(TALLY_CSR_SIREG2);
#ifndef CONFIG_64BIT
	event |= (u64)csr_read(TALLY_CSR_SIREG5) << 32;
#endif
	return event;
}

static inline void tally_write_event(unsigned int n, u64 event)
{
	tally_select(n);
#ifdef CONFIG_64BIT
	csr_write(TALLY_CSR_SIREG2, event);
#else
	csr_write(TALLY_CSR_SIREG2, lower_32_bits(event));
	csr_write(TALLY_CSR_SIREG5, upper_32_bits(event));
#endif
}

/* Is there a register of that number, that the supervisor may read? */
#define tally_csr_exists(csr)						\
({									\
	unsigned long __there, __value;					\
									\
	asm volatile("li %0, 0\n"					\
		     "1: csrr %1, " __ASM_STR(csr) "\n"		\
		     "li %0, 1\n"					\
		     "2:\n" _ASM_EXTABLE(1b, 2b)			\
		     : "=&r" (__there), "=&r" (__value));		\
	__there != 0;							\
})

/* tally_main.c: the hart's local interrupts */
int tally_irq_request(unsigned int number, irq_handler_t handler, const char *name);
void tally_irq_free(int irq);

/* tally_counters.c: allocation of counters */
bool tally_counters_fit(const struct perf_event *event);
int tally_counter_take(struct tally_cpu *cpu, struct perf_event *event);
void tally_counter_release(struct tally_cpu *cpu, struct perf_event *event);
void tally_counter_reserve(struct tally_cpu *cpu, u64 selector);
void tally_counters_unreserve(struct tally_cpu *cpu);
bool tally_counters_know(u64 selector);

/* tally_events.c: events, and their sysfs files */
extern const struct attribute_group *tally_attr_groups[];
int tally_events_setup(void);
void tally_events_remove(void);
int tally_event_selector(const struct perf_event *event, u64 *selector);
bool tally_event_is_precise(u64 selector);

/* tally_overflow.c: counters that interrupt (whole delegation) */
int tally_overflow_setup(void);
void tally_overflow_remove(void);
void tally_overflow_starting_cpu(struct tally_cpu *cpu);
void tally_overflow_dying_cpu(struct tally_cpu *cpu);
int tally_overflow_event_init(struct perf_event *event);
bool tally_overflow_arm(struct perf_event *event);
void tally_overflow_drop(struct tally_cpu *cpu, struct perf_event *event);
bool tally_output(struct perf_event *event, struct perf_sample_data *data, struct pt_regs *regs);

/* tally_throttle.c: events that interrupt too often */
bool tally_throttle(struct tally_cpu *cpu, const struct perf_event *event, u32 bit, u64 start);
void tally_throttle_starting_cpu(struct tally_cpu *cpu);
void tally_throttle_dying_cpu(struct tally_cpu *cpu);

/* tally_user.c: counters that a task reads itself (whole delegation) */
static inline bool tally_user_reads(const struct perf_event *event)
{
	return event->hw.flags & PERF_EVENT_FLAG_USER_READ_CNT;
}

int tally_user_setup(void);
void tally_user_remove(void);
void tally_user_starting_cpu(void);
void tally_user_dying_cpu(void);
void tally_user_open(const struct perf_event *event);
void tally_user_close(const struct perf_event *event);
int tally_user_index(struct perf_event *event);
void tally_user_mapped(struct perf_event *event, struct mm_struct *mm);
void tally_user_unmapped(struct perf_event *event, struct mm_struct *mm);

/* tally_trace.c */
struct tally_probe {
	const char *name;
	void *function;
	struct tracepoint *point;
};

int tally_probes_register(struct tally_probe *probes, int count);
void tally_probes_unregister(struct tally_probe *probes, int count);

/* tally_pdis.c: sampled instructions */
int tally_pdis_irq_setup(void);
void tally_pdis_irq_remove(void);
int tally_pdis_setup(void);
void tally_pdis_remove(void);
int tally_pdis_starting_cpu(struct tally_cpu *cpu);
void tally_pdis_dying_cpu(struct tally_cpu *cpu);

/* tally_record.c: their records as samples */
bool tally_samples(struct perf_event *event, const struct tally_record *record,
		   const struct tally_record *end);

/* tally_aux.c: their records as they are */
void *tally_aux_setup(void **pages, int count, bool overwrite);
void tally_aux_free(void *area);
bool tally_aux_output(struct perf_event *event, const struct tally_record *record,
		      const struct tally_record *end, const struct tally_losses *losses);

/* tally_pmu.c */
void tally_pmu_update(struct perf_event *event);
int tally_pmu_setup(void);
void tally_pmu_remove(void);

/* tally_ebb.c: registers of tasks, and rules for events of event-based branches */
int tally_ebb_setup(void);
void tally_ebb_remove(void);
void tally_ebb_starting_cpu(struct tally_cpu *cpu);
void tally_ebb_dying_cpu(struct tally_cpu *cpu);
int tally_ebb_event_init(struct perf_event *event);
int tally_ebb_add(struct tally_cpu *cpu, struct perf_event *event);
void tally_ebb_del(struct tally_cpu *cpu, struct perf_event *event);

#endif
