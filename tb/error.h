// SPDX-License-Identifier: Apache-2.0
/*
 * Why something failed, as one line for the user. Functions that can fail take a `struct error *` and return
 * false after filling it.
 */
#ifndef TALLY_ERROR_H
#define TALLY_ERROR_H

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>

struct error {
    char text[512];
};

/* Fill `e` and return false, so that callers can say `return error_set(e, ...)`. */
static inline bool __attribute__((format(printf, 2, 3))) error_set(struct error *e, const char *format, ...) {
    va_list args;
    va_start(args, format);
    vsnprintf(e->text, sizeof e->text, format, args);
    va_end(args);
    return false;
}

#endif
