/* SPDX-License-Identifier: Apache-2.0 */
/* Hart masks of SBI calls. */
#include "hart_set.h"

#include "bits.h"
#include "hart_state.h"

unsigned long hart_present;
bool hart_mask_decode(unsigned long mask, unsigned long base, unsigned long *set) {
    if (base == ~0ul) { /* all of them, whatever the mask says */
        *set = hart_present;
        return true;
    }
    if (base >= 8 * sizeof mask || !(hart_present >> base)) /* no hart has it, or a higher one */
        return false;
    *set = mask << base;
    return *set >> base == mask && !(*set & ~hart_present);
}

unsigned long hart_interruptible(unsigned long set) {
    unsigned long able = 0;

    for (; set; set &= set - 1) {
        const struct hart *hart = hart_of(lowest_bit(set));

        if (hart->state == HART_STARTED || hart->state == HART_SUSPENDED)
            able |= 1ul << hart->id;
    }
    return able;
}
