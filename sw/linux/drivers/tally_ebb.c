// SPDX-License-Identifier: GPL-2.0
/*
 * Event-based branches: a counter of a task jumps to a handler of the task.
 *
 * The registers by which a task enables them (ubescr, uebbhr, uebbrr) are its
 * own as soon as the driver is loaded, with or without an event, and are
 * switched with it. The kernel does not switch them, so tracepoints of the
 * scheduler do it: sched_switch comes before perf removes the events of the
 * old task, and long before it schedules those of the new one.
 *
 * A routed counter counts in U-mode only. Nothing overflows while the kernel
 * runs, and the order of the steps matters to writes only: no route
 * may be open to counters of another task when ubescr is.
 */
#include <linux/hashtable.h>
#include <linux/rculist.h>
#include <linux/refcount.h>
#include <linux/sched/signal.h>
#include <linux/sched/task.h>
#include <linux/slab.h>
#include <linux/smp.h>

#include "tally.h"

#define EN	((unsigned long)TALLY_SEBBCTL_EN_MASK)
#define WIN	((unsigned long)TALLY_SEBBCTL_WIN_MASK)
#define ROUTES	((unsigned long)TALLY_SEBBCTL_HPM_MASK)
#define PMEO	((unsigned long)TALLY_UBESCR_PMEO_MASK)
#define OF	TALLY_MHPMEVENT_OF_MASK

/* Registers of a user task, from its creation to its end */
struct tally_task {
	struct hlist_node node;
	struct rcu_head rcu;
	refcount_t references;	/* the table's, and one an event */
	struct task_struct *task;
	atomic_t events;	/* that are open */
	unsigned long forget;	/* bit 0: the pending event will not be served */
	bool pending;		/* kept back until an event is on a counter again */
	unsigned long status, handler, resume, select, inhibit, pc;
};

static DEFINE_HASHTABLE(tally_tasks, 8);
static DEFINE_RAW_SPINLOCK(tally_tasks_lock);
static struct kmem_cache *tally_task_cache;

static struct tally_task *tally_task_find(const struct task_struct *task)
{
	struct tally_task *t;

	hash_for_each_possible_rcu(tally_tasks, t, node, (unsigned long)task)
		if (t->task == task)
			return t;
	return NULL;
}

static void tally_task_free(struct rcu_head *rcu)
{
	kmem_cache_free(tally_task_cache, container_of(rcu, struct tally_task, rcu));
}

static void tally_task_put(struct tally_task *t)
{
	if (refcount_dec_and_test(&t->references))
		call_rcu(&t->rcu, tally_task_free);
}

/* A task without registers cannot have events, and the CPU's are 0 while it runs. */
static void tally_task_create(struct task_struct *task)
{
	struct tally_task *t;
	unsigned long flags;

	if (task->flags & (PF_KTHREAD | PF_EXITING))
		return;
	t = kmem_cache_zalloc(tally_task_cache, GFP_ATOMIC | __GFP_NOWARN);
	if (!t) {
		pr_warn_ratelimited("riscv_tally: no memory for registers of %s[%d]\n", task->comm,
				    task_pid_nr(task));
		return;
	}
	refcount_set(&t->references, 1);
	t->task = task;
	raw_spin_lock_irqsave(&tally_tasks_lock, flags);
	if (tally_task_find(task)) {
		raw_spin_unlock_irqrestore(&tally_tasks_lock, flags);
		kmem_cache_free(tally_task_cache, t);
		return;
	}
	hash_add_rcu(tally_tasks, &t->node, (unsigned long)task);
	raw_spin_unlock_irqrestore(&tally_tasks_lock, flags);
}

static void tally_task_remove(struct tally_task *t)
{
	unsigned long flags;
	bool there;

	raw_spin_lock_irqsave(&tally_tasks_lock, flags);
	there = !hlist_unhashed(&t->node);
	if (there)
		hash_del_rcu(&t->node);
	raw_spin_unlock_irqrestore(&tally_tasks_lock, flags);
	if (there)
		tally_task_put(t);
}

/* --- registers of the CPU ------------------------------------------------ */

/* Interrupts are disabled. */
static void tally_close(struct tally_cpu *cpu)
{
	csr_set(TALLY_CSR_SCOUNTINHIBIT, cpu->routed);
	csr_clear(TALLY_CSR_SEBBCTL, WIN | ROUTES);
}

/* With no event on a counter a handler could not serve it: its window is shut. */
static void tally_keep_back(struct tally_task *t)
{
	if (!atomic_read(&t->events))
		return;
	t->pending |= !!(t->status & PMEO);
	t->status &= ~PMEO;
}

static void tally_save(struct tally_cpu *cpu, struct tally_task *t)
{
	t->status = csr_read(TALLY_CSR_UBESCR);
	t->handler = csr_read(TALLY_CSR_UEBBHR);
	t->resume = csr_read(TALLY_CSR_UEBBRR);
	t->select = csr_read(TALLY_CSR_UEBBSEL);
	if (tally.precise) /* else there is no such register */
		t->pc = csr_read(TALLY_CSR_UEBBSPC);
	if (cpu->routed) {
		t->inhibit = csr_read(TALLY_CSR_UEBBINH);
		tally_close(cpu);
	}
	tally_keep_back(t);
}

static void tally_restore(const struct tally_task *t)
{
	static const struct tally_task none;

	if (!t)
		t = &none;
	csr_write(TALLY_CSR_UBESCR, t->status);
	csr_write(TALLY_CSR_UEBBHR, t->handler);
	csr_write(TALLY_CSR_UEBBRR, t->resume);
	csr_write(TALLY_CSR_UEBBSEL, t->select);
	if (tally.precise)
		csr_write(TALLY_CSR_UEBBSPC, t->pc);
}

static void tally_forget_pending(struct tally_task *t)
{
	t->pending = false;
	t->status &= ~PMEO;
}

/* The last event of a task is closed: nothing more is delivered. */
static void tally_forget_here(void *data)
{
	struct tally_task *t = data;

	if (this_cpu_ptr(&tally_cpus)->task != t || !test_and_clear_bit(0, &t->forget))
		return;
	tally_forget_pending(t);
	csr_clear(TALLY_CSR_UBESCR, PMEO);
}

static void tally_forget(struct tally_task *t)
{
	int cpu;

	set_bit(0, &t->forget);
	/* A CPU that switches to it after this sees the bit (sched_switch). */
	smp_mb__after_atomic();
	preempt_disable();
	for_each_online_cpu(cpu)
		if (READ_ONCE(per_cpu(tally_cpus, cpu).task) == t)
			smp_call_function_single(cpu, tally_forget_here, t, 1);
	preempt_enable();
}

/* --- tracepoints --------------------------------------------------------- */

static void tally_sched_switch(void *unused, bool preempt, struct task_struct *prev,
			       struct task_struct *next, unsigned int prev_state)
{
	struct tally_cpu *cpu = this_cpu_ptr(&tally_cpus);
	struct tally_task *t = cpu->task;

	cpu->displaced = 0;
	if (t)
		tally_save(cpu, t);
	if (next->flags & PF_KTHREAD) {
		cpu->task = NULL;
		return;
	}
	t = tally_task_find(next);
	WRITE_ONCE(cpu->task, t);
	/* Pairs with tally_forget(). */
	smp_mb();
	if (t && test_and_clear_bit(0, &t->forget))
		tally_forget_pending(t);
	tally_restore(t);
}

static void tally_sched_process_fork(void *unused, struct task_struct *parent,
				     struct task_struct *child)
{
	tally_task_create(child);
}

/* Events and their routes stay, as perf's do; the new program begins without a handler. */
static void tally_sched_process_exec(void *unused, struct task_struct *task, pid_t old_pid,
				     struct linux_binprm *bprm)
{
	struct tally_task *t;
	unsigned long flags;

	local_irq_save(flags);
	t = this_cpu_ptr(&tally_cpus)->task;
	if (t) {
		t->pending = false;
		t->inhibit = 0;
		tally_restore(NULL);
		csr_write(TALLY_CSR_UEBBINH, 0);
	}
	local_irq_restore(flags);
}

/* perf has let go of the task's events already. */
static void tally_sched_process_exit(void *unused, struct task_struct *task)
{
	struct tally_task *t;
	unsigned long flags;

	local_irq_save(flags);
	t = this_cpu_ptr(&tally_cpus)->task;
	WRITE_ONCE(this_cpu_ptr(&tally_cpus)->task, NULL);
	local_irq_restore(flags);
	if (t)
		tally_task_remove(t);
}

static struct tally_probe tally_ebb_probes[] = {
	{ "sched_switch", tally_sched_switch },
	{ "sched_process_fork", tally_sched_process_fork },
	{ "sched_process_exec", tally_sched_process_exec },
	{ "sched_process_exit", tally_sched_process_exit },
};

/* --- events -------------------------------------------------------------- */

static void tally_ebb_destroy(struct perf_event *event)
{
	struct tally_task *t = event->pmu_private;

	if (atomic_dec_and_test(&t->events))
		tally_forget(t);
	tally_task_put(t);
}

int tally_ebb_event_init(struct perf_event *event)
{
	const struct perf_event_attr *attr = &event->attr;
	const struct perf_event *leader = event->group_leader;
	struct tally_task *t;

	if (tally_is_ebb(leader) != tally_is_ebb(event))
		return -EINVAL;
	if (!tally_is_ebb(event))
		return 0;
	if (!tally.branches)
		return -EOPNOTSUPP;
	if (!(event->attach_state & PERF_ATTACH_TASK))
		return -EINVAL;
	if (!leader->attr.pinned || !leader->attr.exclusive)
		return -EINVAL;
	/* The event names the counter: its handler finds it in uebbovf. */
	if (!attr->config1)
		return -EINVAL;
	if (attr->inherit || attr->sample_period || attr->freq || attr->enable_on_exec ||
	    attr->sample_type)
		return -EINVAL;

	rcu_read_lock();
	t = tally_task_find(event->hw.target);
	if (t && !refcount_inc_not_zero(&t->references))
		t = NULL;
	rcu_read_unlock();
	if (!t)
		return -ESRCH;
	atomic_inc(&t->events);
	event->pmu_private = t;
	event->destroy = tally_ebb_destroy;
	local64_set(&event->hw.prev_count, 0);
	return 0;
}

/* The counter is inhibited; its task runs here. */
int tally_ebb_add(struct tally_cpu *cpu, struct perf_event *event)
{
	struct hw_perf_event *hwc = &event->hw;
	struct tally_task *t = event->pmu_private;
	u64 of = hwc->flags & TALLY_EVENT_OVERFLOWED ? OF : 0;

	/* Not so on a CPU that goes offline. */
	if (cpu->task != t)
		return -ESRCH;
	tally_write_value(hwc->idx, local64_read(&hwc->prev_count));
	tally_write_event(hwc->idx, hwc->config_base | of);
	csr_set(TALLY_CSR_SEBBCTL, WIN | BIT(hwc->idx));
	csr_write(TALLY_CSR_UEBBINH, t->inhibit);
	cpu->routed |= BIT(hwc->idx);
	cpu->displaced = 0;
	if (t->pending) {
		t->pending = false;
		csr_set(TALLY_CSR_UBESCR, PMEO);
	}
	return 0;
}

/* Also after sched_switch: then routes are closed already, and registers are the next task's. */
void tally_ebb_del(struct tally_cpu *cpu, struct perf_event *event)
{
	struct hw_perf_event *hwc = &event->hw;
	const u32 bit = BIT(hwc->idx);

	local64_set(&hwc->prev_count, tally_read_value(hwc->idx));
	hwc->flags &= ~TALLY_EVENT_OVERFLOWED;
	if (tally_read_event(hwc->idx) & OF)
		hwc->flags |= TALLY_EVENT_OVERFLOWED;
	if (csr_read(TALLY_CSR_SEBBCTL) & bit) {
		struct tally_task *t = event->pmu_private;

		t->inhibit = (t->inhibit & ~bit) | (csr_read(TALLY_CSR_UEBBINH) & bit);
		csr_clear(TALLY_CSR_SEBBCTL, bit);
		cpu->displaced |= bit;
		if (!(cpu->routed & ~bit)) {
			csr_clear(TALLY_CSR_SEBBCTL, WIN);
			t->status = csr_read(TALLY_CSR_UBESCR);
			tally_keep_back(t);
			csr_write(TALLY_CSR_UBESCR, t->status);
		}
	}
	cpu->routed &= ~bit;
}

/* --- set-up -------------------------------------------------------------- */

/* Permission of every task, for it may come before any event. Interrupts are disabled. */
void tally_ebb_starting_cpu(struct tally_cpu *cpu)
{
	if (!tally.branches)
		return;
	csr_write(TALLY_CSR_SEBBCTL, 0);
	tally_restore(NULL);
	if (tally.stateen)
		csr_set(TALLY_CSR_SSTATEEN0, (unsigned long)TALLY_SSTATEEN0_C_MASK);
	csr_write(TALLY_CSR_SEBBCTL, EN);
	cpu->task = current->flags & PF_KTHREAD ? NULL : tally_task_find(current);
}

void tally_ebb_dying_cpu(struct tally_cpu *cpu)
{
	if (!tally.branches)
		return;
	csr_write(TALLY_CSR_SEBBCTL, 0);
	tally_restore(NULL);
	if (tally.stateen)
		csr_clear(TALLY_CSR_SSTATEEN0, (unsigned long)TALLY_SSTATEEN0_C_MASK);
	cpu->task = NULL;
}

int tally_ebb_setup(void)
{
	struct task_struct *process, *task;
	int ret;

	if (!tally.branches)
		return 0;
	tally_task_cache = KMEM_CACHE(tally_task, 0);
	if (!tally_task_cache)
		return -ENOMEM;
	/* First the probes, then the existing tasks. */
	ret = tally_probes_register(tally_ebb_probes, ARRAY_SIZE(tally_ebb_probes));
	if (ret) {
		kmem_cache_destroy(tally_task_cache);
		return ret;
	}
	rcu_read_lock();
	for_each_process_thread(process, task)
		tally_task_create(task);
	rcu_read_unlock();
	return 0;
}

/* No event and no CPU uses it any more. */
void tally_ebb_remove(void)
{
	struct tally_task *t;
	struct hlist_node *next;
	int bucket;

	if (!tally.branches)
		return;
	tally_probes_unregister(tally_ebb_probes, ARRAY_SIZE(tally_ebb_probes));
	hash_for_each_safe(tally_tasks, bucket, next, t, node)
		tally_task_remove(t);
	rcu_barrier();
	kmem_cache_destroy(tally_task_cache);
}
