/* SPDX-License-Identifier: Apache-2.0 */
/* Units for where flow leads */
#include "units.h"

/* Short, and without labels of their own: branches jump over them */
void simple_unit(struct code *c) {
    static const struct weighted table[] = {
        {unit_alu, 40},   {unit_compressed, 20},       {unit_load, 14},   {unit_store, 10},
        {unit_muldiv, 8}, {unit_compressed_memory, 8}, {unit_csr_read, 1}};

    pick(c, table, COUNT(table));
}
