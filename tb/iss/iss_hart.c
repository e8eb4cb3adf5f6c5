// SPDX-License-Identifier: Apache-2.0
#include "iss_hart.h"

void iss_written(const struct iss_hart *by, uint64_t addr) {
    struct iss *iss = by->iss;

    for (unsigned i = 0; i < iss->cfg.harts; i++)
        if (&iss->hart[i] != by)
            gh_reservation_break(iss->hart[i].core, addr);
}
