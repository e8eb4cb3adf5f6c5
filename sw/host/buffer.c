/* SPDX-License-Identifier: Apache-2.0 */
#include "buffer.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

void *resize(void *old, size_t n, size_t size) {
    void *p = reallocarray(old, n ? n : 1, size);
    if (!p) {
        fprintf(stderr, "tally-profile: not enough memory\n");
        exit(1);
    }
    return p;
}

void buffer_free(struct buffer *b) {
    if (b->unfinished) {
        close(b->fd);
        unlink(b->unfinished);
        free(b->unfinished);
    }
    free(b->bytes);
    *b = (struct buffer){0};
}

static uint8_t *more(struct buffer *b, size_t n) {
    if (b->room - b->size < n) {
        b->room = b->room * 2 + n + 256;
        b->bytes = resize(b->bytes, b->room, 1);
    }
    b->size += n;
    return b->bytes + b->size - n;
}

void buffer_add(struct buffer *b, const void *bytes, size_t n) {
    if (n)
        memcpy(more(b, n), bytes, n);
}

void buffer_zeros(struct buffer *b, size_t n) {
    if (n)
        memset(more(b, n), 0, n);
}

void buffer_print(struct buffer *b, const char *format, ...) {
    va_list args, again;
    va_start(args, format);
    va_copy(again, args);
    const int n = vsnprintf(NULL, 0, format, args);
    va_end(args);
    if (n > 0) {
        vsnprintf((char *)more(b, (size_t)n + 1), (size_t)n + 1, format, again);
        b->size--; /* the 0 at the end */
    }
    va_end(again);
}

static void little(uint8_t *to, uint64_t value, unsigned n) {
    for (unsigned i = 0; i < n; i++)
        to[i] = (uint8_t)(value >> 8 * i);
}

void buffer_u16(struct buffer *b, uint16_t value) { little(more(b, 2), value, 2); }
void buffer_u32(struct buffer *b, uint32_t value) { little(more(b, 4), value, 4); }
void buffer_u64(struct buffer *b, uint64_t value) { little(more(b, 8), value, 8); }
uint64_t buffer_length(const struct buffer *b) { return b->written + b->size; }

void buffer_set_u64(struct buffer *b, uint64_t at, uint64_t value) {
    uint8_t bytes[8];
    if (at >= b->written) {
        little(b->bytes + (at - b->written), value, 8);
        return;
    }
    little(bytes, value, 8);
    if (pwrite(b->fd, bytes, sizeof bytes, (off_t)at) != sizeof bytes && !b->failed)
        b->failed = errno;
}

/* How many bytes the UTF-8 character at `s` has; 0: it is none. */
static unsigned utf8(const unsigned char *s) {
    const unsigned n = s[0] < 0x80             ? 1
                       : (s[0] & 0xe0) == 0xc0 ? 2
                       : (s[0] & 0xf0) == 0xe0 ? 3
                       : (s[0] & 0xf8) == 0xf0 ? 4
                                               : 0;
    for (unsigned i = 1; i < n; i++) {
        if ((s[i] & 0xc0) != 0x80)
            return 0;
    }
    /* Longer than needed, a control character of Latin 1, a surrogate, or beyond the last character */
    if ((n == 2 && (s[0] < 0xc2 || (s[0] == 0xc2 && s[1] < 0xa0))) ||
        (n == 3 && s[0] == 0xe0 && s[1] < 0xa0) || (n == 3 && s[0] == 0xed && s[1] > 0x9f) ||
        (n == 4 && s[0] == 0xf0 && s[1] < 0x90) || (n == 4 && (s[0] > 0xf4 || (s[0] == 0xf4 && s[1] > 0x8f))))
        return 0;
    return n;
}

static void escaped(struct buffer *b, const char *text, const char *(*escape)(char c)) {
    for (const char *s = text; *s;) {
        const unsigned n = utf8((const unsigned char *)s);
        const char *other = n == 1 ? escape(*s) : n == 0 ? "?" : NULL;
        if (other)
            buffer_add(b, other, strlen(other));
        else
            buffer_add(b, s, n);
        s += n ? n : 1;
    }
}

static const char *no_escape(char c) {
    (void)c;
    return NULL;
}

static const char *json_escape(char c) {
    return c == '"' ? "\\\"" : c == '\\' ? "\\\\" : (unsigned char)c < 0x20 || c == 0x7f ? "?" : NULL;
}

static const char *terminal_escape(char c) {
    return ((unsigned char)c < 0x20 && c != '\n' && c != '\t') || c == 0x7f ? "?" : NULL;
}

static const char *html_escape(char c) {
    switch (c) {
    case '&':
        return "&amp;";
    case '<':
        return "&lt;";
    case '>':
        return "&gt;";
    case '"':
        return "&quot;";
    default:
        return (unsigned char)c < 0x20 || c == 0x7f ? "?" : NULL;
    }
}

void buffer_text(struct buffer *b, const char *text) { escaped(b, text, no_escape); }
void buffer_json(struct buffer *b, const char *text) { escaped(b, text, json_escape); }
void buffer_terminal(struct buffer *b, const char *text) { escaped(b, text, terminal_escape); }
void buffer_html(struct buffer *b, const char *text) { escaped(b, text, html_escape); }

/* ------------------------------------------------------------------------------------------------- files */

void buffer_numbers(struct buffer *b, const uint64_t *list, size_t n) {
    while (n && !list[n - 1])
        n--;
    buffer_print(b, "[");
    for (size_t i = 0; i < n; i++)
        buffer_print(b, "%s%" PRIu64, i ? "," : "", list[i]);
    buffer_print(b, "]");
}

bool buffer_open(struct buffer *b, const char *path, struct error *error) {
    struct stat st;
    if (stat(path, &st) == 0 && !S_ISREG(st.st_mode))
        return error_set(error, "%s: is not a regular file, and would be replaced", path);
    const size_t length = strlen(path) + sizeof ".XXXXXX";
    char *other = resize(NULL, length, 1);
    snprintf(other, length, "%s.XXXXXX", path);
    b->fd = mkstemp(other);
    if (b->fd < 0) {
        free(other);
        return error_set(error, "%s: %s", path, strerror(errno));
    }
    b->unfinished = other;
    return true;
}

static void write_out(struct buffer *b) {
    for (size_t done = 0; !b->failed && done < b->size;) {
        const ssize_t n = write(b->fd, b->bytes + done, b->size - done);
        if (n < 0 && errno != EINTR)
            b->failed = errno;
        done += n > 0 ? (size_t)n : 0;
    }
    b->written += b->size;
    b->size = 0;
}

void buffer_spill(struct buffer *b) {
    enum { MUCH = 1 << 20 };
    if (b->unfinished && b->size >= MUCH)
        write_out(b);
}

bool buffer_write(struct buffer *b, const char *path, struct error *error) {
    const mode_t mask = umask(077);
    umask(mask);
    if (!b->unfinished && !buffer_open(b, path, error))
        return false;
    write_out(b);
    if (!b->failed && (fchmod(b->fd, 0666 & ~mask) != 0 || rename(b->unfinished, path) != 0))
        b->failed = errno;
    if (b->failed)
        return error_set(error, "%s: %s", path, strerror(b->failed));
    const int closed = close(b->fd) == 0 ? 0 : errno;
    free(b->unfinished); /* it is whole: no longer to be removed */
    b->unfinished = NULL;
    return closed ? error_set(error, "%s: %s", path, strerror(closed)) : true;
}
