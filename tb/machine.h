// SPDX-License-Identifier: Apache-2.0
/* A machine ready to run: RAM, boot ROM and device tree are filled. */
#ifndef TALLY_MACHINE_H
#define TALLY_MACHINE_H

#include "host_device.h"
#include "image.h"
#include "options.h"
#include "soc.h"
#include "symbols.h"

struct machine {
    struct memory memory;
    uint64_t rom[SOC_ROM_WORDS]; /* from SOC_ROM_BASE */
    void *dtb;
    size_t dtb_size;
    struct symbols symbols;
    bool smepmp, ebb;                                                           /* the harts have it */
    uint64_t program[PROGRAM_SEGMENT + PROGRAM_SEGMENT_WORDS * IMAGE_SEGMENTS]; /* for the host device */
    unsigned program_words;                                                     /* 0: no --program */
    unsigned build_id_n;                                                        /* of the program */
    uint8_t build_id[IMAGE_BUILD_ID];
};

/* After a failure there is nothing to free. */
bool machine_load(struct machine *machine, const struct options *options, unsigned time_ratio,
                  struct error *error);
void machine_free(struct machine *machine);

/* RAM of `size` bytes that reads as zero; NULL if there is not enough. */
uint8_t *machine_ram(uint64_t size);
void machine_ram_free(uint8_t *ram, uint64_t size);

#endif
