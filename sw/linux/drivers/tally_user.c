// SPDX-License-Identifier: GPL-2.0
/*
 * Counters that a task reads by itself (rdpmc by the event's page): whole
 * delegation, where perf's general and raw events are ours.
 *
 * The kernel says on the page which counter it is, and for how long. For that
 * long scounteren opens it: also while the event is stopped, or a task that is
 * throttled would get SIGILL.
 */
#include <linux/smp.h>
#include <linux/sysctl.h>

#include "tally.h"

/* bit 1, time, is always readable */
#define TIME	BIT(1)

static unsigned int tally_user_access = 1;

/* The event has the counter from now on, or no more. */
void tally_user_open(const struct perf_event *event)
{
	if (tally_user_reads(event))
		csr_set(CSR_SCOUNTEREN, BIT(event->hw.idx));
}

/* Also if the event has just been unmapped: then nobody else closes it. */
void tally_user_close(const struct perf_event *event)
{
	if (tally.general)
		csr_clear(CSR_SCOUNTEREN, BIT(event->hw.idx));
}

/* As perf's page has it: 0 for none */
int tally_user_index(struct perf_event *event)
{
	return tally_user_reads(event) && event->hw.idx >= 0 ? event->hw.idx + 1 : 0;
}

static void tally_user_refresh(void *event)
{
	struct tally_cpu *cpu = this_cpu_ptr(&tally_cpus);
	const struct perf_event *changed = event;
	u32 rest;

	for (rest = cpu->used; rest; rest &= rest - 1) {
		const int n = __ffs(rest);

		if (cpu->events[n] != changed)
			continue;
		if (tally_user_reads(changed))
			csr_set(CSR_SCOUNTEREN, BIT(n));
		else
			csr_clear(CSR_SCOUNTEREN, BIT(n));
	}
}

/*
 * Events of the mapping's own task only: others, and what its children inherit,
 * would open the counter to tasks without a page. All CPUs are told: after an
 * exec mm_cpumask() may lack the own one.
 */
void tally_user_mapped(struct perf_event *event, struct mm_struct *mm)
{
	if (!READ_ONCE(tally_user_access) || tally_is_ebb(event) || event->attr.inherit ||
	    !(event->attach_state & PERF_ATTACH_TASK) || event->hw.target->mm != mm)
		return;
	event->hw.flags |= PERF_EVENT_FLAG_USER_READ_CNT;
	on_each_cpu(tally_user_refresh, event, 1);
	perf_event_update_userpage(event);
}

/* mmap_count still has this one. */
void tally_user_unmapped(struct perf_event *event, struct mm_struct *mm)
{
	if (!tally_user_reads(event) || atomic_read(&event->mmap_count) > 1)
		return;
	event->hw.flags &= ~PERF_EVENT_FLAG_USER_READ_CNT;
	on_each_cpu(tally_user_refresh, event, 1);
	perf_event_update_userpage(event);
}

/* --- set-up -------------------------------------------------------------- */

/* The stock driver's, which is not there. Events that are mapped already stay as they are. */
static struct ctl_table tally_sysctls[] = {
	{
		.procname = "perf_user_access",
		.data = &tally_user_access,
		.maxlen = sizeof(tally_user_access),
		.mode = 0644,
		.proc_handler = proc_dointvec_minmax,
		.extra1 = SYSCTL_ZERO,
		.extra2 = SYSCTL_ONE,
	},
};

static struct ctl_table_header *tally_sysctl_header;

void tally_user_starting_cpu(void)
{
	if (tally.general)
		csr_write(CSR_SCOUNTEREN, TIME);
}

void tally_user_dying_cpu(void)
{
	if (tally.general)
		csr_write(CSR_SCOUNTEREN, TIME);
}

int tally_user_setup(void)
{
	if (!tally.general)
		return 0;
	tally_sysctl_header = register_sysctl("kernel", tally_sysctls);
	return tally_sysctl_header ? 0 : -ENOMEM;
}

void tally_user_remove(void)
{
	if (tally.general)
		unregister_sysctl_table(tally_sysctl_header);
}
