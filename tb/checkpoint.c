// SPDX-License-Identifier: Apache-2.0
#include "checkpoint.h"

#include "bytes.h"
#include "file.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#if __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
#error "numbers are written as they are in memory: little-endian"
#endif

/* The header: magic, version, CRC-32 of the rest of the file, its length. Then a zlib stream of records:
 * length of the name (1 byte), the name, bytes of a number (1), how many numbers (8), the numbers. */
static const uint64_t magic = UINT64_C(0x504B43594C4C4154); /* "TALLYCKP" */
enum { AT_VERSION = 8, AT_CRC = 12, AT_LENGTH = 16, HEADER = 24 };
enum { PAGE = 4096, CHUNK = 1 << 16, NAME_MAX_BYTES = 120, RECORD_MAX = 1 + NAME_MAX_BYTES + 1 + 8 };
#define LAST_PAGE UINT64_MAX
#define SIZE_LIMIT (UINT64_C(1) << 40)

/* A record without its numbers. The name is "part.field", of "h->field" or "(h->structure).field". Returns
 * its length. */
static unsigned describe(const struct tally_state *s, const char *name, unsigned bytes, uint64_t n,
                         uint8_t record[RECORD_MAX]) {
    const char *arrow = strstr(name, "->");
    char text[NAME_MAX_BYTES + 1];
    unsigned length = (unsigned)snprintf(text, sizeof text, "%.23s.", s->part);
    for (const char *c = arrow ? arrow + 2 : name; *c && length < NAME_MAX_BYTES; c++)
        if (c[0] != ')' || c[1] != '.')
            text[length++] = *c;
    record[0] = (uint8_t)length;
    memcpy(record + 1, text, length);
    record[1 + length] = (uint8_t)bytes;
    bytes_put(record + 2 + length, n, 8);
    return length + 10;
}

static bool is_zero(const uint8_t *page) { return !page[0] && memcmp(page, page + 1, PAGE - 1) == 0; }

/* --- writing -------------------------------------------------------------------------------------- */

struct writer {
    struct tally_state state; /* the first member */
    FILE *file;
    z_stream z;
    int failed; /* errno; 0: no */
    uint32_t crc;
    uint64_t length;
    uint8_t chunk[CHUNK];
};

static void deflate_out(struct writer *w, int flush) {
    int end;
    do {
        w->z.next_out = w->chunk;
        w->z.avail_out = CHUNK;
        end = deflate(&w->z, flush);
        const unsigned n = CHUNK - w->z.avail_out;
        w->crc = (uint32_t)crc32(w->crc, w->chunk, n);
        w->length += n;
        if (!w->failed && fwrite(w->chunk, 1, n, w->file) != n)
            w->failed = errno;
    } while (w->z.avail_out == 0 || (flush == Z_FINISH && end != Z_STREAM_END));
}

static void write_bytes(struct writer *w, const void *at, uint64_t n) {
    const uint8_t *from = at;
    while (n && !w->failed) {
        const unsigned part = n < CHUNK ? (unsigned)n : CHUNK;
        w->z.next_in = (z_const Bytef *)from;
        w->z.avail_in = part;
        deflate_out(w, Z_NO_FLUSH);
        from += part;
        n -= part;
    }
}

static void write_numbers(struct tally_state *s, const char *name, void *at, unsigned bytes, uint64_t n) {
    struct writer *w = (struct writer *)s;
    uint8_t record[RECORD_MAX];
    write_bytes(w, record, describe(s, name, bytes, n, record));
    write_bytes(w, at, n * bytes);
}

static void write_memory(struct writer *w, const struct checkpoint *c) {
    snprintf(w->state.part, sizeof w->state.part, "memory");
    for (uint64_t page = 0; page < c->ram_size / PAGE && !w->failed; page++) {
        if (is_zero(c->ram + page * PAGE))
            continue;
        STATE(&w->state, page);
        w->state.numbers(&w->state, "bytes", c->ram + page * PAGE, 1, PAGE);
    }
    uint64_t page = LAST_PAGE;
    STATE(&w->state, page);
}

static bool write_file(FILE *file, const char *path, const struct checkpoint *c, struct error *error) {
    struct writer *w = calloc(1, sizeof *w);
    uint8_t header[HEADER] = {0};
    if (!w || deflateInit(&w->z, c->stored ? Z_NO_COMPRESSION : Z_BEST_SPEED) != Z_OK) {
        free(w);
        return error_set(error, "%s: not enough memory", path);
    }
    w->state.numbers = write_numbers;
    w->file = file;
    bool ok = fwrite(header, 1, HEADER, file) == HEADER;
    c->state(c->ctx, &w->state);
    if (!*w->state.why)
        write_memory(w, c);
    deflate_out(w, Z_FINISH);
    deflateEnd(&w->z);
    bytes_put(header, magic, 8);
    bytes_put(header + AT_VERSION, CHECKPOINT_VERSION, 4);
    bytes_put(header + AT_CRC, w->crc, 4);
    bytes_put(header + AT_LENGTH, w->length, 8);
    ok = ok && !w->failed && fseek(file, 0, SEEK_SET) == 0 && fwrite(header, 1, HEADER, file) == HEADER &&
         fflush(file) == 0;
    if (*w->state.why)
        ok = error_set(error, "%s: %s", path, w->state.why);
    else if (!ok)
        error_set(error, "%s: %s", path, strerror(w->failed ? w->failed : errno));
    free(w);
    return ok;
}

/* With the rights of a new file */
static int new_file(char *template) {
    const mode_t mask = umask(0);
    umask(mask);
    const int fd = mkstemp(template);
    if (fd >= 0 && fchmod(fd, 0666 & ~mask) != 0) {
        close(fd);
        unlink(template);
        return -1;
    }
    return fd;
}

bool checkpoint_write(const char *path, const struct checkpoint *c, struct error *error) {
    const size_t size = strlen(path) + sizeof ".XXXXXX";
    struct stat st;
    if (stat(path, &st) == 0 && !S_ISREG(st.st_mode))
        return error_set(error, "%s: not a regular file", path);
    char *temporary = malloc(size);
    if (!temporary)
        return error_set(error, "%s: not enough memory", path);
    snprintf(temporary, size, "%s.XXXXXX", path);
    const int fd = new_file(temporary);
    FILE *file = fd >= 0 ? fdopen(fd, "w+b") : NULL;
    bool ok = file ? write_file(file, path, c, error) : error_set(error, "%s: %s", path, strerror(errno));
    if (file && fclose(file) != 0 && ok)
        ok = error_set(error, "%s: %s", path, strerror(errno));
    if (ok && rename(temporary, path) != 0)
        ok = error_set(error, "%s: %s", path, strerror(errno));
    if (!ok && fd >= 0)
        unlink(temporary);
    free(temporary);
    return ok;
}

/* --- reading -------------------------------------------------------------------------------------- */

struct reader {
    struct tally_state state; /* the first member */
    z_stream z;
    const uint8_t *next; /* of the stream, `left` bytes, behind what zlib has */
    size_t left;
    int end; /* Z_STREAM_END: at the end */
};

static void feed(struct reader *r) {
    const uInt part = r->left < CHUNK ? (uInt)r->left : CHUNK;
    r->z.next_in = (z_const Bytef *)r->next;
    r->z.avail_in = part;
    r->next += part;
    r->left -= part;
}

/* Fewer bytes: the stream has ended, or is invalid. */
static uint64_t read_bytes(struct reader *r, void *at, uint64_t n) {
    uint64_t done = 0;
    while (done < n && r->end == Z_OK) {
        const uInt part = n - done < CHUNK ? (uInt)(n - done) : CHUNK;
        r->z.next_out = (Bytef *)at + done;
        r->z.avail_out = part;
        if (!r->z.avail_in)
            feed(r);
        r->end = inflate(&r->z, Z_NO_FLUSH); /* without input: Z_BUF_ERROR */
        done += part - r->z.avail_out;
    }
    return done;
}

static bool is_text(const uint8_t *bytes, unsigned n) {
    while (n && bytes[n - 1] >= ' ' && bytes[n - 1] <= '~')
        n--;
    return n == 0;
}

static void read_numbers(struct tally_state *s, const char *name, void *at, unsigned bytes, uint64_t n) {
    struct reader *r = (struct reader *)s;
    uint8_t mine[RECORD_MAX], theirs[RECORD_MAX];
    const unsigned length = describe(s, name, bytes, n, mine);
    char what[160];
    if (*s->why)
        return;
    const uint64_t got = read_bytes(r, theirs, length);
    if (got == length && memcmp(mine, theirs, length) == 0 && read_bytes(r, at, n * bytes) == n * bytes)
        return;
    if (got == length && theirs[0] == mine[0] && is_text(theirs + 1, theirs[0]))
        snprintf(what, sizeof what, "is '%.*s' in a file of another build", theirs[0],
                 (const char *)theirs + 1);
    else
        snprintf(what, sizeof what, "is not next in a file of another build");
    tally_state_refuse(s, name, what);
}

static void clear_memory(const struct checkpoint *c, uint64_t from, uint64_t to) {
    for (uint64_t page = from; page < to; page++)
        if (!is_zero(c->ram + page * PAGE))
            memset(c->ram + page * PAGE, 0, PAGE);
}

static void read_memory(struct reader *r, const struct checkpoint *c) {
    struct tally_state *s = &r->state;
    const uint64_t pages = c->ram_size / PAGE;
    uint64_t page = 0, next = 0;
    snprintf(s->part, sizeof s->part, "memory");
    for (;;) {
        STATE(s, page);
        if (*s->why || page == LAST_PAGE || !STATE_LIMIT(s, page >= next && page < pages))
            break;
        clear_memory(c, next, page);
        s->numbers(s, "bytes", c->ram + page * PAGE, 1, PAGE);
        next = page + 1;
    }
    clear_memory(c, next, pages);
}

static bool read_stream(const uint8_t *bytes, size_t size, const char *name, const struct checkpoint *c,
                        struct error *error) {
    struct reader r = {.state = {.reads = true, .numbers = read_numbers}, .next = bytes, .left = size};
    uint8_t more;
    if (inflateInit(&r.z) != Z_OK)
        return error_set(error, "%s: not enough memory", name);
    c->state(c->ctx, &r.state);
    read_memory(&r, c);
    if (!*r.state.why && (read_bytes(&r, &more, 1) != 0 || r.end != Z_STREAM_END || r.z.avail_in || r.left))
        tally_state_refuse(&r.state, "file", "has more than the state of this machine");
    inflateEnd(&r.z);
    return !*r.state.why || error_set(error, "%s: %s", name, r.state.why);
}

bool checkpoint_parse(const uint8_t *bytes, size_t size, const char *name, const struct checkpoint *c,
                      struct error *error) {
    if (size < HEADER || bytes_get(bytes, 8) != magic)
        return error_set(error, "%s: not a checkpoint", name);
    if (bytes_get(bytes + AT_VERSION, 4) != CHECKPOINT_VERSION)
        return error_set(error, "%s: a checkpoint of version %u, this program reads version %u", name,
                         (unsigned)bytes_get(bytes + AT_VERSION, 4), CHECKPOINT_VERSION);
    if (bytes_get(bytes + AT_LENGTH, 8) != size - HEADER)
        return error_set(error, "%s: %s: its header says %llu bytes, there are %llu", name,
                         bytes_get(bytes + AT_LENGTH, 8) > size - HEADER ? "truncated" : "too long",
                         (unsigned long long)bytes_get(bytes + AT_LENGTH, 8),
                         (unsigned long long)(size - HEADER));
    if (crc32_z(0, bytes + HEADER, size - HEADER) != bytes_get(bytes + AT_CRC, 4))
        return error_set(error, "%s: corrupted: its checksum is wrong", name);
    return read_stream(bytes + HEADER, size - HEADER, name, c, error);
}

bool checkpoint_read(const char *path, const struct checkpoint *c, struct error *error) {
    struct file file;
    if (!file_read(&file, path, SIZE_LIMIT, error))
        return false;
    const bool ok = checkpoint_parse(file.bytes, file.size, path, c, error);
    file_free(&file);
    return ok;
}
