// SPDX-License-Identifier: Apache-2.0
/* Copies of folders. */
#ifndef TALLY_FOLDER_H
#define TALLY_FOLDER_H

#include "error.h"

/* `to`, which does not exist yet and is not inside `from`, becomes a copy of the folder `from`: files,
 * folders and symbolic links. Anything else in it is left out. */
bool folder_copy(const char *from, const char *to, struct error *error);

#endif
