/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Kernels of CoreMark's and Embench's kind: small programs that say what the reference hart makes of ordinary
 * code. Each is one file, and uses neither libc nor anything of the machine. work() makes its input, so that
 * every call does the same; its result is the same on any machine of 64 bits, little-endian.
 */
#ifndef HART_KERNEL_H
#define HART_KERNEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct kernel {
    const char *name;
    uint64_t (*work)(void);
    uint64_t result;
};
extern const struct kernel the_kernel;

#define KERNEL(name, work, result) const struct kernel the_kernel = {name, work, result};

/* Knuth's MMIX generator; the high half is the random part. */
static inline uint32_t next(uint64_t *state) {
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(*state >> 32);
}

/* Accumulates results in which every value and its place matter. */
static inline uint64_t mix(uint64_t sum, uint64_t value) { return (sum ^ value) * 0x9e3779b97f4a7c15u + 1; }

#endif
