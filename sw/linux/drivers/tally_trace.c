// SPDX-License-Identifier: GPL-2.0
/* Tracepoints of the scheduler, which is not patched. They are not exported, but found by name. */
#include <linux/string.h>
#include <linux/tracepoint.h>

#include "tally.h"

struct tally_search {
	struct tally_probe *probes;
	int count;
};

static void tally_probe_match(struct tracepoint *point, void *data)
{
	const struct tally_search *search = data;
	int i;

	for (i = 0; i < search->count; i++)
		if (!strcmp(point->name, search->probes[i].name))
			search->probes[i].point = point;
}

/* Afterwards no probe is running any more. */
void tally_probes_unregister(struct tally_probe *probes, int count)
{
	while (count--)
		tracepoint_probe_unregister(probes[count].point, probes[count].function, NULL);
	tracepoint_synchronize_unregister();
}

int tally_probes_register(struct tally_probe *probes, int count)
{
	struct tally_search search = { probes, count };
	int i, ret;

	for_each_kernel_tracepoint(tally_probe_match, &search);
	for (i = 0; i < count; i++) {
		ret = probes[i].point ? tracepoint_probe_register(probes[i].point,
								  probes[i].function, NULL)
				      : -ENOENT;
		if (ret) {
			pr_err("riscv_tally: tracepoint %s: %d\n", probes[i].name, ret);
			tally_probes_unregister(probes, i);
			return ret;
		}
	}
	return 0;
}
