/* SPDX-License-Identifier: Apache-2.0 */
/* Every computational, branch, load, store and jump instruction of RV64IMC, Zba and Zbb with corner values:
 * the rows of gen_isa.c. */
#include "test.h"

struct row {
    uint64_t (*routine)(uint64_t a, uint64_t b, void *buffer);
    uint64_t a, b, expected;
};

extern const struct row isa_rows[], isa_rows_end[];

static uint64_t buffer[64];

void test_main(void) {
    uint64_t *middle = buffer + COUNT(buffer) / 2;

    for (const struct row *r = isa_rows; r < isa_rows_end; r++) {
        context((uint64_t)(r - isa_rows), r->a, r->b);
        middle[0] = middle[1] = 0xa5a5a5a5a5a5a5a5;
        CHECK_EQ(r->routine(r->a, r->b, middle), r->expected);
        CHECK_EQ(middle[-1] | middle[2], 0);
    }
    pass();
}
