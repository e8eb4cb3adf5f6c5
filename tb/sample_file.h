// SPDX-License-Identifier: Apache-2.0
/* The sample records that a program left in memory, to a file. */
#ifndef TALLY_SAMPLE_FILE_H
#define TALLY_SAMPLE_FILE_H

#include "machine.h"

/* Write what stands at the symbol tally_records: the file of docs/profile.md, header and records, as the
 * program has it; only the clocks, which the machine knows, are filled in. */
bool sample_file_write(const struct machine *machine, uint64_t core_clock, unsigned time_ratio,
                       const char *path, struct error *error);

#endif
