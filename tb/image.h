// SPDX-License-Identifier: Apache-2.0
/*
 * Programs and data for the machine's RAM: ELF executables and raw images.
 *
 * A file is checked completely before a byte of RAM changes. Loaded ranges are remembered, so that two
 * images cannot overlap and so that a second RAM (the golden model's) can be filled with the same.
 */
#ifndef TALLY_IMAGE_H
#define TALLY_IMAGE_H

#include "error.h"
#include "file.h"

enum { MEMORY_EXTENTS = 160, IMAGE_SEGMENTS = 32, IMAGE_BUILD_ID = 20 };

struct extent {
    uint64_t start, end; /* physical addresses, end not included */
    const char *name;    /* of the file or object there */
};

struct memory {
    uint8_t *bytes; /* `size` bytes, zero at first */
    uint64_t base;  /* physical address of the first */
    uint64_t size;
    unsigned elf_bits; /* class of ELF files that are accepted: 64 or 32 */
    struct extent used[MEMORY_EXTENTS];
    unsigned used_n;
};

struct image_segment {
    uint64_t start, end;
    unsigned flags; /* PF_R, PF_W, PF_X */
};

struct image {
    uint64_t entry;
    uint64_t start, end; /* the memory that it occupies, cleared memory included */
    unsigned elf_flags;  /* e_flags; of an ELF file, as the next ones */
    unsigned segments_n;
    struct image_segment segment[IMAGE_SEGMENTS];
    unsigned build_id_n; /* bytes; 0: it has none */
    uint8_t build_id[IMAGE_BUILD_ID];
};

/* Has one image all of these bytes? */
bool memory_is_used(const struct memory *memory, uint64_t address, uint64_t size);
/* Copy `size` bytes to `address`; they must be in RAM and overlap nothing. */
bool memory_place(struct memory *memory, const char *name, uint64_t address, const void *bytes, uint64_t size,
                  struct error *error);

/* Is this an ELF file, by its first bytes? */
bool image_is_elf(const struct file *file);

/* Static RISC-V executable of memory->elf_bits, little-endian: its PT_LOAD segments go to their physical
 * addresses. */
bool image_load_elf(struct memory *memory, const struct file *file, struct image *image, struct error *error);

/* Linux's header for RISC-V ("Image"): false if the file has none. The kernel requests `offset` from the
 * start of RAM and `size` in memory. */
bool image_linux_header(const struct file *file, uint64_t *offset, uint64_t *size);

/* The unchanged file at `address`; it occupies `occupied` bytes (at least its size). */
bool image_load_raw(struct memory *memory, const struct file *file, uint64_t address, uint64_t occupied,
                    struct image *image, struct error *error);

#endif
