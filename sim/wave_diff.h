/* SPDX-License-Identifier: Apache-2.0 */
/* The first difference between two wave files. */
#ifndef TALLY_WAVE_DIFF_H
#define TALLY_WAVE_DIFF_H

#include "wave_file.h"

struct wave_diff_options {
    const char *const *ignore; /* patterns of names, as of a shell */
    size_t ignored;
};

enum wave_diff { WAVE_SAME, WAVE_DIFFERENT, WAVE_FAILED };

/* Compare the signals of both files over the time that both cover. Prints what was compared, the signals that
 * only one file has, and every signal that differs at the time of the first difference. */
enum wave_diff wave_diff(struct wave *a, struct wave *b, const struct wave_diff_options *options,
                         struct error *error);

#endif
