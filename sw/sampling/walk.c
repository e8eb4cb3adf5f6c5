/* SPDX-License-Identifier: Apache-2.0 */
#include "csr.h"
#include "sampling.h"
#include "tally_spec.h"

static uintptr_t stack, stack_end;

/* A record of a call stack: its header, and addresses, as many as SFMT says (docs/profile.md) */
enum { STACK_RECORDS = 9, STACK_WORDS = 7 };
#define STACK_HEADER (7ull << TALLY_PDISHDREV_FMT_LSB)

static void append(unsigned n, uint64_t address) {
    if (n % STACK_WORDS == 0)
        sampling_now.next++;
    uint64_t *const words = (uint64_t *)(sampling_now.next - 1);

    words[0] = STACK_HEADER | (uint64_t)(n % STACK_WORDS + 1) << TALLY_PDISHDREV_SFMT_LSB;
    words[1 + n % STACK_WORDS] = address;
}

/* May this be a frame pointer: the address above the two words that a function saved? */
static bool is_frame(uint64_t fp, uint64_t above) {
    return fp % sizeof fp == 0 && fp >= above + 2 * sizeof fp && fp <= stack_end;
}

/* The interrupted state of U-mode: three registers, by which a reader can tell whether ra is a call and fp
 * the function's own, then return addresses by frame pointers. A function that calls none saves only its
 * caller's frame pointer, where others have the return address. */
static void walk(uintptr_t ra, uintptr_t fp, uintptr_t sp) {
    uint64_t above = stack;
    unsigned n = 0;

    if (sampling_now.end - sampling_now.next < STACK_RECORDS && sampling_now.full)
        sampling_now.full();
    if (sampling_now.end - sampling_now.next < STACK_RECORDS)
        return;
    append(n++, ra);
    append(n++, sp);
    append(n++, fp);
    if (is_frame(fp, above) && is_frame(((const uint64_t *)fp)[-1], fp))
        fp = ((const uint64_t *)fp)[-1];
    while (n < STACK_RECORDS * STACK_WORDS && is_frame(fp, above)) {
        append(n++, ((const uint64_t *)fp)[-1]);
        above = fp;
        fp = ((const uint64_t *)fp)[-2];
    }
}

sampling_walker *sampling_stacks(uintptr_t from, uintptr_t end) {
    stack = from;
    stack_end = end;
    return from < end ? walk : NULL;
}
