/* SPDX-License-Identifier: Apache-2.0 */
/* The profiled program: functions, lines and inlining of a pc, from the symbols and the DWARF of its ELF
 * file; and the ELF files of other code: firmware, a kernel. */
#ifndef TALLY_PROGRAM_H
#define TALLY_PROGRAM_H

#include "buffer.h"
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
/* Another ELF file of the same run, at its own addresses; it needs no DWARF. `machine`: it is M-mode's. */
bool program_add(struct program *p, const char *path, unsigned xlen, bool machine, struct error *error);
/* The next file of the run, NULL behind the last. Functions below with const are of one file. */
struct program *program_next(const struct program *p);

const char *program_path(const struct program *p); /* absolute */
/* Where other tools shall read it, absolute: a copy, or itself. The string is copied. */
const char *program_copy_path(const struct program *p);
void program_set_copy_path(struct program *p, const char *path);
/* Append the file without the names of its RISC-V mapping symbols ($x, $d, $x<isa>), which some tools
 * take for functions. False: it has none, and nothing is appended. */
bool program_without_mapping(const struct program *p, struct buffer *out);
const struct segment *program_segments(const struct program *p, size_t *n);
const uint8_t *program_build_id(const struct program *p, size_t *n); /* n = 0: it has none */
/* False: another program was sampled. Records without a build id fit any. */
bool program_fits(const struct program *p, const struct records *r, struct error *error);

/* The file of the run that has code at pc, NULL: none */
const struct program *program_at(const struct program *p, uint64_t pc);
/* Whether pc is in a file of M-mode's. */
bool program_is_machine(const struct program *p, uint64_t pc);
/* The functions at `pc`, in any file: the innermost (inlined) function first, at most FRAMES_MAX, at least
 * one. Inlined ones and lines come from DWARF; outside of it the symbol is the function. Code that was
 * generated has the name of its section, as "[.bss]", other pcs "[unknown]". */
size_t program_frames(const struct program *p, uint64_t pc, struct frame *frames);
/* Registers that a function has saved at a pc, by the call frame information of any file, if there is some */
struct unwind {
    bool ra_saved, fp_saved; /* its caller's ra and frame pointer (s0) */
    bool by_fp, by_sp;       /* the frame is found by its frame pointer; by sp: it ends `offset` above */
    uint64_t offset, fp_at;  /* fp_at: where the caller's frame pointer is, from the frame's end on */
};
struct unwind program_unwind(const struct program *p, uint64_t pc);
/* The four bytes at `pc`, in any file, 0 if there are none. */
uint32_t program_instruction(const struct program *p, uint64_t pc);
/* The symbol that holds `pc`, in any file, and the distance from it, NULL if there is none. */
const char *program_symbol(const struct program *p, uint64_t pc, uint64_t *offset);
/* The object at an address of data, in any file: a variable, else the section, as "[.bss]"; NULL: neither. */
const char *program_object(const struct program *p, uint64_t address);
/* The offset added to the file's own addresses. */
uint64_t program_bias(const struct program *p);

#endif
