/* SPDX-License-Identifier: Apache-2.0 */
/* Bytes that grow: everything that is written out is made in memory first, so that no file is ever half a
 * file. */
#ifndef TALLY_BUFFER_H
#define TALLY_BUFFER_H

#include "error.h"

#include <stddef.h>
#include <stdint.h>

struct buffer {
    uint8_t *bytes;
    size_t size, room;
    /* Of one that is written while it grows (buffer_open) */
    char *unfinished; /* the file's name until it is whole, NULL: all is in memory */
    int fd, failed;   /* errno */
    uint64_t written; /* already in the file */
};

/* Memory or the end of the program: `old` resized to n elements of `size` bytes. */
void *resize(void *old, size_t n, size_t size);

void buffer_free(struct buffer *b);
void buffer_add(struct buffer *b, const void *bytes, size_t n);
void buffer_zeros(struct buffer *b, size_t n);
void buffer_print(struct buffer *b, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Little-endian. */
void buffer_u16(struct buffer *b, uint16_t value);
void buffer_u32(struct buffer *b, uint32_t value);
void buffer_u64(struct buffer *b, uint64_t value);
/* Overwrite a number, `at` bytes from the beginning. */
void buffer_set_u64(struct buffer *b, uint64_t at, uint64_t value);
/* `text` as it is, without what commands a terminal, escaped for a string of JSON, and for HTML. Bytes that
 * are not UTF-8 become '?'. */
void buffer_text(struct buffer *b, const char *text);
void buffer_terminal(struct buffer *b, const char *text);
void buffer_json(struct buffer *b, const char *text);
void buffer_html(struct buffer *b, const char *text);

/* As JSON, a list of numbers without the zeros at its end: "[1,0,3]" */
void buffer_numbers(struct buffer *b, const uint64_t *list, size_t n);

/* For output that may exceed the memory: a file beside `path`, to which buffer_spill() moves the buffer if
 * it is large. buffer_write() to the same path completes it, and buffer_free() before that removes
 * it. */
bool buffer_open(struct buffer *b, const char *path, struct error *error);
void buffer_spill(struct buffer *b);
/* Bytes added, here or in the file */
uint64_t buffer_length(const struct buffer *b);
/* The whole buffer into `path`: under another name first, so that an old file stays whole if this fails. */
bool buffer_write(struct buffer *b, const char *path, struct error *error);

#endif
