/* SPDX-License-Identifier: Apache-2.0 */
/* Event-based branches and sampled instructions beside each other and beside the overflow interrupt, which is
 * the stock driver's in split delegation, and ours in whole. */
#include "ring.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { LCOFI = 13, LAMBI = 14 };

/* How often the harts have taken a local interrupt */
static uint64_t interrupts(unsigned number) {
    FILE *file = fopen("/proc/interrupts", "r");
    char line[256], name[32];
    uint64_t sum = 0;
    bool found = false;

    EXPECT(file);
    snprintf(name, sizeof name, " RISC-V INTC %3u ", number);
    while (fgets(line, sizeof line, file)) {
        if (!strstr(line, name))
            continue;
        found = true;
        strtok(line, " ");
        for (char *count; (count = strtok(NULL, " ")) && *count >= '0' && *count <= '9';)
            sum += strtoull(count, NULL, 10);
    }
    fclose(file);
    EXPECT(found);
    return sum;
}

static void branches_raise_no_interrupt(void) {
    const uint64_t overflow = interrupts(LCOFI), batch = interrupts(LAMBI);

    count_stores(C0, 100);
    enable_branches();
    stores(200 * 100 + 50);
    EXPECT_IS(calls[C0], 200);
    EXPECT_IS(interrupts(LCOFI), overflow);
    EXPECT_IS(interrupts(LAMBI), batch);
}

static void batches_raise_no_overflow(void) {
    struct ring ring = ring_open(sampling(97), 0, -1);
    const uint64_t overflow = interrupts(LCOFI), batch = interrupts(LAMBI);

    run_known(&ring, 20000);
    EXPECT(interrupts(LAMBI) > batch);
    EXPECT_IS(interrupts(LCOFI), overflow);
}

/* The handler is sampled too; it is none of the loop. */
static void branches_beside_sampled_instructions(void) {
    enum { PERIOD = 97, STORES = 40000, OF_A_STORE = 3 };
    struct ring ring = ring_open(sampling(PERIOD), 0, -1);
    const uintptr_t begin = (uintptr_t)(void *)stores;
    const struct sample *sample;
    uint64_t inside = 0, outside = 0;

    must_enable(ring.fd);
    count_stores(C0, 100);
    enable_branches();
    stores(STORES);
    must_disable(ring.fd);
    EXPECT_IS(calls[C0], STORES / 100);
    EXPECT_IS(strays, 0);
    while ((sample = next_sample(&ring))) {
        const bool in = sample->ip >= begin && sample->ip < begin + 4 * 6;

        inside += in;
        outside += !in;
    }
    inside += lost_samples(&ring);
    EXPECT(inside * PERIOD > STORES * OF_A_STORE * 9ull / 10);
    EXPECT(inside * PERIOD < STORES * OF_A_STORE * 11ull / 10);
    EXPECT(outside * PERIOD > STORES / 100 * 10);
}

const struct test together_tests[] = {
    {"branches-raise-no-interrupt", branches_raise_no_interrupt},
    {"batches-raise-no-overflow", batches_raise_no_overflow},
    {"branches-beside-sampled-instructions", branches_beside_sampled_instructions},
    {0},
};
