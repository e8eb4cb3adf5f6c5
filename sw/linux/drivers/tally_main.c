// SPDX-License-Identifier: GPL-2.0
/*
 * Driver of Tally's unit, for counters that the firmware delegates.
 *
 * Split: the SBI has counters too, the stock driver serves them and the
 * overflow interrupt. Ours has event-based branches, sampled instructions and
 * counting, which do not need it. Whole: there is no SBI PMU, all of it is ours.
 */
#include <linux/cpuhotplug.h>
#include <linux/irq.h>
#include <linux/irqdomain.h>
#include <linux/module.h>
#include <linux/of.h>
#include <linux/platform_device.h>
#include <asm/sbi.h>

#include "tally.h"

#define pr_tally(fmt, ...) pr_info("riscv_tally: " fmt, ##__VA_ARGS__)

DEFINE_PER_CPU(struct tally_cpu, tally_cpus);
struct tally tally;

static enum cpuhp_state tally_cpuhp;

static bool tally_isa_has(const char *extension)
{
	struct device_node *node;
	bool all = true;

	for_each_of_cpu_node(node)
		if (of_property_match_string(node, "riscv,isa-extensions", extension) < 0)
			all = false;
	return all;
}

/* The stock driver where the SBI has no PMU. It reads cycle and instret, which never stop. */
static bool tally_has_legacy(void)
{
	struct device *device = bus_find_device_by_name(&platform_bus_type, NULL,
							RISCV_PMU_LEGACY_PDEV_NAME);
	const bool bound = device && device->driver;

	put_device(device);
	return bound;
}

/* Features that the tree lists; a line for each that is missing. */
static int tally_probe(void)
{
	static const char * const needed[] = { "smcsrind", "sscsrind", "smcdeleg", "ssccfg" };
	struct device_node *node;
	int i;

	for (i = 0; i < ARRAY_SIZE(needed); i++) {
		if (!tally_isa_has(needed[i])) {
			pr_tally("no %s\n", needed[i]);
			return -ENODEV;
		}
	}
	node = of_find_compatible_node(NULL, NULL, "riscv,pmu");
	if (!node || of_property_read_u32(node, "tally,delegated-counters", &tally.delegated)) {
		pr_tally("the device tree delegates no counters (tally,delegated-counters)\n");
		of_node_put(node);
		return -ENODEV;
	}
	tally.branches = of_property_read_bool(node, "tally,event-based-branches") &&
			 tally_isa_has("xtallyebb");
	of_node_put(node);
	tally.stateen = tally_csr_exists(TALLY_CSR_SSTATEEN0);
	if (!tally.branches)
		pr_tally("no event-based branches (xtallyebb, tally,event-based-branches)\n");
	tally.sampling = IS_ENABLED(CONFIG_64BIT) && tally_csr_exists(TALLY_CSR_SPDISCTL) &&
			 tally_csr_exists(TALLY_CSR_SPDISAMBCS);
	if (!tally.sampling)
		pr_tally("no sampled instructions (spdisctl, spdisambcs)\n");
	tally.whole = sbi_probe_extension(SBI_EXT_PMU) <= 0;
	tally.general = tally.whole && !tally_has_legacy();
	if (tally.whole && !tally.general)
		pr_tally("the legacy driver has the general events (CONFIG_RISCV_PMU_LEGACY)\n");
	tally.overflow = tally.whole && tally_csr_exists(CSR_SCOUNTOVF);
	tally.precise = tally_csr_exists(TALLY_CSR_SHPMSPC);
	if (tally.whole && !tally.overflow)
		pr_tally("no overflow interrupt (scountovf)\n");
	else if (tally.whole && !tally.precise)
		pr_tally("no precise events (shpmspc)\n");
	return 0;
}

/* A fixed counter has an event, and maybe filters. */
static bool tally_fixed_has_filter(unsigned int n)
{
	const u64 filter = TALLY_MHPMEVENT_UINH_MASK | TALLY_MHPMEVENT_SINH_MASK;
	bool has;

	tally_write_event(n, filter);
	has = (tally_read_event(n) & filter) == filter;
	tally_write_event(n, 0);
	return has;
}

/* The existing counters and their width. None counts yet. */
static void tally_find_counters(void)
{
	const u32 fixed = BIT(TALLY_CYCLE) | BIT(TALLY_INSTRET);
	u32 found = 0, candidates = tally.delegated & (TALLY_HPM | fixed);
	unsigned long flags;
	unsigned int n;
	u64 width = ~0ULL;

	if (tally.whole && !tally.general)
		candidates &= ~fixed;
	local_irq_save(flags);
	for (n = 0; n < TALLY_COUNTERS; n++) {
		u64 ones;

		if (!(candidates & BIT(n)))
			continue;
		csr_set(TALLY_CSR_SCOUNTINHIBIT, BIT(n));
		tally_write_value(n, ~0ULL);
		ones = tally_read_value(n);
		tally_write_value(n, 0);
		if (!ones)
			continue;
		found |= BIT(n);
		width &= ones;
		if (n < 3 && tally_fixed_has_filter(n))
			tally.fixed |= BIT(n);
	}
	local_irq_restore(flags);
	tally.delegated = found;
	tally.width = fls64(width);
}

/* --- local interrupts ---------------------------------------------------- */

/*
 * The interrupt's number in Linux, or an error. It is disabled. The mapping
 * stays, and a later call gets it again: irq_dispose_mapping() would not free
 * the mask that irq_set_percpu_devid() has allocated for it.
 */
int tally_irq_request(unsigned int number, irq_handler_t handler, const char *name)
{
	struct irq_domain *domain;
	int irq, ret;

	domain = irq_find_matching_fwnode(riscv_get_intc_hwnode(), DOMAIN_BUS_ANY);
	if (!domain)
		return -ENODEV;
	irq = irq_create_mapping(domain, number);
	if (!irq)
		return -ENODEV;
	ret = request_percpu_irq(irq, handler, name, &tally_cpus);
	return ret ? ret : irq;
}

void tally_irq_free(int irq)
{
	free_percpu_irq(irq, &tally_cpus);
}

/* --- CPUs ---------------------------------------------------------------- */

static int tally_starting_cpu(unsigned int id)
{
	struct tally_cpu *cpu = this_cpu_ptr(&tally_cpus);
	unsigned long flags;
	u32 rest;
	int ret;

	local_irq_save(flags);
	memset(cpu, 0, sizeof(*cpu));
	local_irq_restore(flags);
	ret = tally_pdis_starting_cpu(cpu); /* first: nothing has to be undone if it fails */
	if (ret)
		return ret;
	local_irq_save(flags);
	csr_set(TALLY_CSR_SCOUNTINHIBIT, tally.delegated);
	for (rest = tally.delegated; rest; rest &= rest - 1)
		tally_write_event(__ffs(rest), 0);
	tally_ebb_starting_cpu(cpu);
	tally_user_starting_cpu();
	local_irq_restore(flags);
	tally_throttle_starting_cpu(cpu);
	tally_overflow_starting_cpu(cpu);
	WRITE_ONCE(cpu->online, true);
	return 0;
}

static int tally_dying_cpu(unsigned int id)
{
	unsigned long flags;

	local_irq_save(flags);
	this_cpu_ptr(&tally_cpus)->online = false;
	csr_set(TALLY_CSR_SCOUNTINHIBIT, tally.delegated);
	tally_ebb_dying_cpu(this_cpu_ptr(&tally_cpus));
	tally_user_dying_cpu();
	local_irq_restore(flags);
	tally_overflow_dying_cpu(this_cpu_ptr(&tally_cpus));
	tally_pdis_dying_cpu(this_cpu_ptr(&tally_cpus));
	tally_throttle_dying_cpu(this_cpu_ptr(&tally_cpus));
	return 0;
}

static int __init tally_init(void)
{
	int ret;

	ret = tally_probe();
	if (ret)
		return ret;
	tally_find_counters();
	ret = tally_ebb_setup();
	if (ret)
		return ret;
	ret = tally_user_setup();
	if (ret)
		goto no_user;
	ret = tally_overflow_setup();
	if (ret)
		goto no_overflow;
	ret = tally_pdis_irq_setup();
	if (ret)
		goto no_irq;
	ret = cpuhp_setup_state(CPUHP_AP_ONLINE_DYN, "perf/riscv/tally:online", tally_starting_cpu,
				tally_dying_cpu);
	if (ret < 0)
		goto no_cpu;
	tally_cpuhp = ret;
	ret = tally_pmu_setup();
	if (ret)
		goto no_pmu;
	ret = tally_pdis_setup();
	if (ret)
		goto no_pdis;
	pr_tally("%s delegation, counters 0x%08x of %u bits%s%s%s\n",
		 tally.whole ? "whole" : "split", tally.delegated, tally.width,
		 tally.overflow && tally.precise ? ", precise events" : "",
		 tally.branches ? ", event-based branches" : "",
		 tally.sampling ? ", sampled instructions" : "");
	return 0;

no_pdis:
	tally_pmu_remove();
no_pmu:
	cpuhp_remove_state(tally_cpuhp);
no_cpu:
	tally_pdis_irq_remove();
no_irq:
	tally_overflow_remove();
no_overflow:
	tally_user_remove();
no_user:
	tally_ebb_remove();
	return ret;
}

static void __exit tally_exit(void)
{
	tally_pdis_remove();
	tally_pmu_remove();
	cpuhp_remove_state(tally_cpuhp);
	tally_pdis_irq_remove();
	tally_overflow_remove();
	tally_user_remove();
	tally_ebb_remove();
}

module_init(tally_init);
module_exit(tally_exit);

MODULE_DESCRIPTION("Tally: delegated counters and event-based branches");
MODULE_LICENSE("GPL");
