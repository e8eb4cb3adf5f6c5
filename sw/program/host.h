/* SPDX-License-Identifier: Apache-2.0 */
/* The host device of the simulator (docs/host.md), by the window of hart 0. */
#ifndef SW_HOST_H
#define SW_HOST_H

#include <stddef.h>
#include <stdint.h>

#include "host_device.h"

#define HOST_BASE 0x10010000ul

/* Where the window is: HOST_BASE, or where a program of Linux has mapped it. */
extern uintptr_t host_base;

/* A call with `n` bytes of data; its result, negative if it failed. */
long host_call(enum host_call call, uint64_t a0, uint64_t a1, uint64_t a2, const void *data, size_t n);
/* The next bytes of its answer */
void host_answer(void *to, size_t n);

#endif
