// SPDX-License-Identifier: Apache-2.0
/* The golden state as a debugger asks for it: CSRs by number, memory by the addresses of a hart. */
#ifndef TALLY_GDB_STATE_H
#define TALLY_GDB_STATE_H

#include "gdb_machine.h"

#include <stdio.h>

enum { GDB_PC = 32, GDB_GENERAL, GDB_MODE = GDB_GENERAL, GDB_CSR }; /* registers: x0 to x31, pc, mode, CSRs */

/* A CSR without side effects; false: there is none. */
bool gdb_state_csr(const struct gdb_machine *m, unsigned hart, unsigned num, uint64_t *value);
/* The place in RAM of an address as the hart sees it now; false: it is not mapped, or not RAM. In M-mode an
 * address outside of all memory is translated too, so that a kernel's symbols can be read there. */
bool gdb_state_ram(const struct gdb_machine *m, unsigned hart, uint64_t address, uint64_t *offset);
/* A byte of RAM or boot ROM at the address; devices are not read. */
bool gdb_state_byte(const struct gdb_machine *m, unsigned hart, uint64_t address, uint8_t *byte);

/* The registers, as GDB's target description; false: it could not be written. */
bool gdb_state_describe(const struct gdb_machine *m, FILE *f);

#endif
