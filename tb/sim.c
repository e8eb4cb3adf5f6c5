// SPDX-License-Identifier: Apache-2.0
#include "sim.h"

#include <stddef.h>

extern const struct sim_ops sim_ops_1, sim_ops_2;

const struct sim_ops *sim_ops(unsigned harts) {
    switch (harts) {
    case 1:
        return &sim_ops_1;
    case 2:
        return &sim_ops_2;
    default:
        return NULL;
    }
}
