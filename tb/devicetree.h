// SPDX-License-Identifier: Apache-2.0
/* The machine described for its software (Devicetree specification 0.4; bindings of Linux and OpenSBI). */
#ifndef TALLY_DEVICETREE_H
#define TALLY_DEVICETREE_H

#include "error.h"
#include "file.h"

enum { DEVICETREE_ROOM = 64 * 1024 }; /* bytes above the tree for additions of the firmware */

struct devicetree_machine {
    unsigned harts;
    uint64_t ram_size;
    unsigned time_ratio; /* core clock cycles a tick of mtime */
    unsigned xlen;       /* 64 or 32 */
    uint64_t core_clock; /* Hz */
    bool host;           /* the host device is used (host_device.h) */
    uint32_t delegated;  /* bitmap of counters that are delegated to the supervisor */
    bool branches;       /* the supervisor may have event-based branches */
    bool smepmp, ebb;    /* the harts have it */
};

struct devicetree_chosen {
    const char *bootargs;              /* NULL: do not change */
    uint64_t initrd_start, initrd_end; /* equal: none */
};

/* A tree for the machine, packed, in a buffer that the caller frees; NULL if memory is short. */
void *devicetree_build(const struct devicetree_machine *machine, size_t *size);

/* Is this a whole, well-formed tree? */
bool devicetree_check(const struct file *file, struct error *error);

/* Set properties of /chosen. Returns a new packed tree; the old one is freed. */
bool devicetree_set_chosen(void **tree, size_t *size, const struct devicetree_chosen *chosen,
                           struct error *error);

#endif
