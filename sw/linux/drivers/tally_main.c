// SPDX-License-Identifier: GPL-2.0
/*
 * Driver of Tally's unit, for counters that the firmware delegates.
 *
 * Split: the SBI has counters too, the stock driver serves them and the
 * overflow interrupt. Ours has event-based branches and counting, which need
 * no interrupt. Whole: there is no SBI PMU, and all of it is ours.
 */
#include <linux/cpuhotplug.h>
#include <linux/module.h>
#include <linux/of.h>
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

/* What the tree says is there. A line for what is not. */
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
	if (!tally.branches)
		pr_tally("no event-based branches (xtallyebb, tally,event-based-branches)\n");
	tally.sampling = IS_ENABLED(CONFIG_64BIT) && tally_csr_exists(TALLY_CSR_SPDISCTL) &&
			 tally_csr_exists(TALLY_CSR_SPDISAMBCS);
	if (!tally.sampling)
		pr_tally("no sampled instructions (spdisctl, spdisambcs)\n");
	tally.whole = sbi_probe_extension(SBI_EXT_PMU) <= 0;
	return 0;
}

/* Which of them there are, and how wide. Nobody counts yet. */
static void tally_find_counters(void)
{
	unsigned long flags;
	unsigned int n;
	u32 found = 0;

	tally.width = ~0ULL;
	local_irq_save(flags);
	for (n = 0; n < TALLY_COUNTERS; n++) {
		u64 ones;

		if (!(tally.delegated & BIT(n)) || n == 1)
			continue;
		csr_set(TALLY_CSR_SCOUNTINHIBIT, BIT(n));
		tally_write_value(n, ~0ULL);
		ones = tally_read_value(n);
		tally_write_value(n, 0);
		if (!ones)
			continue;
		found |= BIT(n);
		tally.width &= ones;
	}
	local_irq_restore(flags);
	tally.delegated = found;
}

static int tally_starting_cpu(unsigned int id)
{
	struct tally_cpu *cpu = this_cpu_ptr(&tally_cpus);
	unsigned long flags;
	u32 rest;

	local_irq_save(flags);
	memset(cpu, 0, sizeof(*cpu));
	csr_set(TALLY_CSR_SCOUNTINHIBIT, tally.delegated);
	for (rest = tally.delegated; rest; rest &= rest - 1)
		tally_write_event(__ffs(rest), 0);
	tally_ebb_starting_cpu(cpu);
	local_irq_restore(flags);
	return tally_pdis_starting_cpu(cpu);
}

static int tally_dying_cpu(unsigned int id)
{
	unsigned long flags;

	local_irq_save(flags);
	csr_set(TALLY_CSR_SCOUNTINHIBIT, tally.delegated);
	tally_ebb_dying_cpu(this_cpu_ptr(&tally_cpus));
	local_irq_restore(flags);
	tally_pdis_dying_cpu(this_cpu_ptr(&tally_cpus));
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
	pr_tally("%s delegation, counters 0x%08x of %u bits%s%s\n",
		 tally.whole ? "whole" : "split", tally.delegated, fls64(tally.width),
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
	tally_ebb_remove();
	return ret;
}

static void __exit tally_exit(void)
{
	tally_pdis_remove();
	tally_pmu_remove();
	cpuhp_remove_state(tally_cpuhp);
	tally_pdis_irq_remove();
	tally_ebb_remove();
}

module_init(tally_init);
module_exit(tally_exit);

MODULE_DESCRIPTION("Tally: delegated counters and event-based branches");
MODULE_LICENSE("GPL");
