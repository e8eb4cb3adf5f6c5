/* SPDX-License-Identifier: Apache-2.0 */
/* A bar on standard error while a file is read, if that is a terminal. */
#ifndef TALLY_PROGRESS_H
#define TALLY_PROGRESS_H

#include <stddef.h>

/* For struct progress; `name`, the file's, is its context. With the last record the bar goes. */
void progress_step(void *name, size_t done, size_t all);
/* Before something else is said on standard error */
void progress_clear(void);

#endif
