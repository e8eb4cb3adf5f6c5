// SPDX-License-Identifier: Apache-2.0
/* Writes the sample records in a program's memory to a file. */
#ifndef TALLY_SAMPLE_FILE_H
#define TALLY_SAMPLE_FILE_H

#include "host_device.h"
#include "machine.h"

#include <stdio.h>

/* Write the memory at the symbol tally_records to the file of --records (docs/profile.md): header and records
 * as the program left them, behind those that it gave to the host device, with the machine's clocks filled
 * in. With --program the file has that program's name and build id. */
bool sample_file_write(const struct machine *machine, const struct options *options, struct host_device *host,
                       unsigned time_ratio, struct error *error);
/* The first line of --where, for tally-profile: clocks, and the program's build id and name (docs/profile.md)
 */
void sample_file_where(FILE *out, const struct machine *machine, const struct options *options,
                       unsigned time_ratio);

#endif
