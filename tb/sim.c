// SPDX-License-Identifier: Apache-2.0
#include "sim.h"

#include <stddef.h>

/* Weak: a program has the models that it is linked with. */
extern const struct sim_ops sim_ops_1 __attribute__((weak)), sim_ops_2 __attribute__((weak));

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
