/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Tally's unit under Linux: what the parts of the driver share.
 *
 * Counters are delegated by the firmware (Smcdeleg/Ssccfg), so that everything
 * is done by CSR. All of it runs on the CPU that it is about, with interrupts
 * disabled: nothing else writes siselect in between.
 */
#ifndef _RISCV_TALLY_H
#define _RISCV_TALLY_H

#include <linux/bits.h>
#include <linux/percpu.h>
#include <linux/perf_event.h>
#include <asm/asm-extable.h>
#include <asm/csr.h>

#include "tally_csr.h"

#define TALLY_COUNTERS	32
#define TALLY_CYCLE	0
#define TALLY_INSTRET	2
/* the others: programmable, with overflow interrupt and event-based branches */
#define TALLY_HPM	GENMASK(31, 3)

struct tally_task;

/* The unit of one CPU. Masks have a bit a counter. */
struct tally_cpu {
	struct perf_event *events[TALLY_COUNTERS];
	u32 used;		/* has an event */
	u32 running;		/* ... which is started */
	u32 routed;		/* ... of event-based branches */
	u32 displaced;		/* routed, until this rescheduling took it off */
	bool held;		/* everything, by pmu_disable() */
	struct tally_task *task; /* whose registers the CPU has; NULL: nobody's */

	/* sampled instructions */
	struct perf_event *sampled;
	struct tally_record *records;	/* the buffer */
	u32 reserved;		/* counters of what is lost */
	u64 lost;		/* ... as they were read last */
	u32 seed;		/* of the period's jitter */
};

DECLARE_PER_CPU(struct tally_cpu, tally_cpus);

struct tally {
	u32 delegated;		/* counters that are the driver's */
	u64 width;		/* ones: bits of a counter */
	bool branches;		/* event-based branches */
	bool whole;		/* no SBI PMU: all counters are ours */
	bool sampling;		/* spdisctl and its buffer */
};

extern struct tally tally;
extern struct pmu tally_pmu;

/* hw_perf_event.flags */
#define TALLY_EVENT_EBB		BIT(0)	/* event-based branches */
#define TALLY_EVENT_OVERFLOWED	BIT(1)	/* its OF while it is off the counter */

static inline bool tally_is_ebb(const struct perf_event *event)
{
	return event->pmu == &tally_pmu && event->hw.flags & TALLY_EVENT_EBB;
}

/* Counter n by siselect: value in sireg, event in sireg2, their high halves in sireg4 and sireg5 */
#define TALLY_COUNTER_SELECT	0x40

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
	csr_write(TALLY_CSR_SIREG, value);
#ifndef CONFIG_64BIT
	csr_write(TALLY_CSR_SIREG4, value >> 32);
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
	csr_write(TALLY_CSR_SIREG2, event);
#ifndef CONFIG_64BIT
	csr_write(TALLY_CSR_SIREG5, event >> 32);
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

/* tally_pmu.c */
int tally_pmu_setup(void);
void tally_pmu_remove(void);

/* tally_ebb.c: registers of tasks, and what events of event-based branches need besides */
int tally_ebb_setup(void);
void tally_ebb_remove(void);
void tally_ebb_starting_cpu(struct tally_cpu *cpu);
void tally_ebb_dying_cpu(struct tally_cpu *cpu);
int tally_ebb_event_init(struct perf_event *event);
int tally_ebb_add(struct tally_cpu *cpu, struct perf_event *event);
void tally_ebb_del(struct tally_cpu *cpu, struct perf_event *event);

#endif
