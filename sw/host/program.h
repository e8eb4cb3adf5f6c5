/* SPDX-License-Identifier: Apache-2.0 */
/* The profiled program: functions, lines and inlining of a pc, from the symbols and the DWARF of its ELF
 * file. */
#ifndef TALLY_PROGRAM_H
#define TALLY_PROGRAM_H

#include "error.h"
#include "records.h"

#include <stddef.h>
#include <stdint.h>

enum { FRAMES_MAX = 16 };

/* Strings belong to the program. `file` is NULL and `line` 0 where nothing is known. */
struct frame {
    const char *function, *file;
    int line;
};

/* Code as it was loaded. */
struct segment {
    uint64_t address, size, offset;
};

struct program;

/* Open a RISC-V executable of `xlen` bits with DWARF, loaded `bias` bytes above its own addresses. NULL:
 * refused. */
struct program *program_open(const char *path, unsigned xlen, uint64_t bias, struct error *error);
void program_close(struct program *p);

const char *program_path(const struct program *p); /* absolute */
const struct segment *program_segments(const struct program *p, size_t *n);
const uint8_t *program_build_id(const struct program *p, size_t *n); /* n = 0: it has none */
/* False: another program was sampled. Records without a build id fit any. */
bool program_fits(const struct program *p, const struct records *r, struct error *error);

/* Who executes at `pc`: the innermost (inlined) function first, at most FRAMES_MAX, at least one. Inlined
 * ones and lines come from DWARF; outside of it the symbol is the function, and "[unknown]" where there is
 * none. */
size_t program_frames(struct program *p, uint64_t pc, struct frame *frames);
/* The symbol that holds `pc` and the distance from it, NULL if there is none. */
const char *program_symbol(const struct program *p, uint64_t pc, uint64_t *offset);

#endif
