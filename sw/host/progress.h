/* SPDX-License-Identifier: Apache-2.0 */
/* A bar on standard error while a file is read, if that is a terminal. */
#ifndef TALLY_PROGRESS_H
#define TALLY_PROGRESS_H

#include <stddef.h>

/* For struct progress; `name`, the file's, is its context. */
void progress_step(void *name, size_t done, size_t all);
void progress_clear(void);

#endif
