/* SPDX-License-Identifier: Apache-2.0 */
/* The boot hart's way from the reset entry to the supervisor. */
#include "console.h"
#include "csr.h"
#include "hart.h"
#include "hart_set.h"
#include "hart_state.h"
#include "mailbox.h"
#include "pmu.h"
#include "reset.h"
#include "sse.h"
#include "tree.h"

/* The structure that a loader may pass in a2 (OpenSBI's fw_dynamic interface) */
struct dynamic_info {
    unsigned long magic, version, next_addr, next_mode, options, boot_hart;
};

enum { DYNAMIC_MAGIC = 0x4942534f, EXIT_NO_TREE = 0x7e };

static unsigned long next_stage(const struct dynamic_info *info) {
    if (info && info->magic == DYNAMIC_MAGIC && info->version >= 1 && info->next_addr)
        return info->next_addr;
    return NEXT_STAGE;
}

static void use_devices(const struct tree_devices *devices) {
    if (devices->aclint)
        aclint_base = devices->aclint;
    if (devices->finisher)
        finisher_base = devices->finisher;
    if (devices->uart && devices->uart != con_base) {
        con_base = devices->uart;
        con_init();
    }
}

/* Called by start.S on the first hart; tp points to its struct hart. */
void fw_boot(unsigned long id, void *blob, const struct dynamic_info *info);

void fw_boot(unsigned long id, void *blob, const struct dynamic_info *info) {
    static struct tree tree;

    con_init();
    if (!tree_read(blob, &tree)) {
        con_printf("firmware: no device tree at %lx\n", (unsigned long)blob);
        fw_exit(EXIT_NO_TREE);
    }
    use_devices(&tree.devices);
    hart_present |= 1ul << id;
    for (unsigned i = 0; i < HARTS_MAX; i++) {
        hart_of(i)->id = i;
        hart_of(i)->state = HART_STOPPED;
        hart_of(i)->mail = 0;
        hart_of(i)->sse.unmasked = false;
    }
    pmu_delegates_counters = tree.pmu.delegate;
    pmu_setup(&tree.pmu);
    pmu_has_branches = pmu_branches(&tree.pmu);
    sse_setup();
    if (!tree_fix(blob, &tree))
        con_printf("firmware: the device tree cannot be changed: no reservation is added\n");
    this_hart->start_addr = next_stage(info);
    this_hart->start_opaque = (unsigned long)blob;
    hart_release_others();
    hart_restart(hart_enter);
}
