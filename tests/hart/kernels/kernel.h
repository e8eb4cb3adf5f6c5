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

#include "input.h" /* input_next(), mix() */

struct kernel {
    const char *name;
    uint64_t (*work)(void);
    uint64_t result;
};
extern const struct kernel the_kernel;

#define KERNEL(name, work, result) const struct kernel the_kernel = {name, work, result};

#endif
