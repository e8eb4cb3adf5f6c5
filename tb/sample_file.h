// SPDX-License-Identifier: Apache-2.0
/* Writes the sample records in a program's memory to a file. */
#ifndef TALLY_SAMPLE_FILE_H
#define TALLY_SAMPLE_FILE_H

#include "machine.h"

/* Write the memory at the symbol tally_records to a file (docs/profile.md): header and records as the program
 * left them, with the machine's clocks filled in. */
bool sample_file_write(const struct machine *machine, uint64_t core_clock, unsigned time_ratio,
                       const char *path, struct error *error);

#endif
