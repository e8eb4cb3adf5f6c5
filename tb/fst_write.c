// SPDX-License-Identifier: Apache-2.0
/*
 * The file format as GTKWave's fstapi.c reads it: a header, blocks of value changes, the widths ("geometry"),
 * the hierarchy. A block has the values before it ("frame"), a chain of changes for each signal, the position
 * of each chain, and the times.
 */
#include "fst_write.h"

#include <lz4.h>

#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <zlib.h>

enum {
    LOG_WORDS = 4 << 20, /* of a block */
    TIMES_MAX = 1 << 20, /* ... so that four bytes hold a distance in time */
    DISTANCE_MAX = 4,
    COMPRESS_FROM = 32, /* bytes of a chain, as fstapi.c has it */
    HEADER = 329,
    VERSION_BYTES = 128,
    DATE_BYTES = 119,
};

enum section { SECTION_HEADER = 0, SECTION_GEOMETRY = 3, SECTION_HIERARCHY = 6, SECTION_CHANGES = 8 };
enum entry { ENTRY_SCOPE = 254, ENTRY_UPSCOPE = 255 };

struct bytes {
    uint8_t *at;
    size_t n, room;
};

struct block {
    uint32_t *words;
    size_t n;
    uint64_t *times;
    uint32_t times_n;
    bool filled; /* the thread's turn */
};

struct signal {
    uint32_t bits, bytes, words;
    uint32_t frame;         /* place of its value there */
    uint32_t at, begin;     /* in `chains`: the end, the beginning */
    uint32_t size;          /* of its chain */
    uint32_t time;          /* of the last change */
    uint32_t twin;          /* handle of an earlier signal with the same chain; 0: none */
    const uint32_t *latest; /* value of the last change in a block */
};

struct fst_write {
    FILE *file;
    bool failed;
    struct bytes hierarchy, geometry;
    uint64_t scopes, signals, sections;
    struct signal *signal; /* [handle - 1] */
    uint32_t handles, room;
    uint64_t first, last; /* times */
    bool begun;
    struct fst_log log;
    struct block block[2];
    unsigned filling;
    size_t full; /* words from which on a block is handed over */

    /* of the thread */
    pthread_t thread;
    pthread_mutex_t mutex;
    pthread_cond_t changed;
    bool ends;
    struct bytes out, frame, chains, packed;
    uint32_t *twins, twins_n; /* a table of handles by the hash of their chains */
    uint64_t block_begin;
};

/* --- Bytes ---------------------------------------------------------------------------------------- */

static void more(struct bytes *b, size_t n) {
    if (b->n + n <= b->room)
        return;
    b->room = 2 * (b->n + n);
    b->at = realloc(b->at, b->room);
    if (!b->at) {
        fputs("fst: not enough memory for the waves\n", stderr);
        abort();
    }
}

static void put(struct bytes *b, const void *from, size_t n) {
    more(b, n);
    if (n)
        memcpy(b->at + b->n, from, n);
    b->n += n;
}

static void put_byte(struct bytes *b, unsigned byte) {
    const uint8_t value = (uint8_t)byte;
    put(b, &value, 1);
}

static void put_text(struct bytes *b, const char *text) { put(b, text, strlen(text) + 1); }

static void set_u64(uint8_t *at, uint64_t value) {
    for (int i = 0; i < 8; i++)
        at[i] = (uint8_t)(value >> (56 - 8 * i));
}

static void put_u64(struct bytes *b, uint64_t value) {
    uint8_t at[8];
    set_u64(at, value);
    put(b, at, sizeof at);
}

static uint8_t *varint(uint8_t *at, uint64_t value) {
    while (value > 127) {
        *at++ = (uint8_t)(value | 128);
        value >>= 7;
    }
    *at++ = (uint8_t)value;
    return at;
}

static void put_varint(struct bytes *b, uint64_t value) {
    more(b, 10);
    b->n = (size_t)(varint(b->at + b->n, value) - b->at);
}

/* With a sign: the last byte's bit 6 is it */
static void put_svarint(struct bytes *b, int64_t value) {
    while (value < -64 || value > 63) {
        put_byte(b, (unsigned)(value & 127) | 128);
        value >>= 7;
    }
    put_byte(b, (unsigned)(value & 127));
}

/* Compressed if that is shorter; returns its length. */
static size_t put_deflated(struct bytes *b, const struct bytes *from, int level) {
    uLongf n = compressBound(from->n);
    more(b, n);
    if (compress2(b->at + b->n, &n, from->at, from->n, level) != Z_OK || n >= from->n) {
        put(b, from->at, from->n);
        return from->n;
    }
    b->n += n;
    return n;
}

static void write_out(struct fst_write *f, const struct bytes *b) {
    if (fwrite(b->at, 1, b->n, f->file) != b->n)
        f->failed = true;
}

/* --- A block of changes ------------------------------------------------------------------------------ */

/* Room for the chain of each signal: 8 bytes more than it can need, because values are stored as 8 bytes. */
static void measure_chains(struct fst_write *f, const struct block *block) {
    uint32_t total = 0;
    for (uint32_t h = 0; h < f->handles; h++)
        f->signal[h].at = 0;
    for (size_t i = 0; i < block->n;) {
        struct signal *s = &f->signal[block->words[i] - 1];
        s->at += DISTANCE_MAX + (s->bits > 1 ? s->bytes : 0);
        i += 2 + s->words;
    }
    for (uint32_t h = 0; h < f->handles; h++) {
        struct signal *s = &f->signal[h];
        const uint32_t size = s->at;
        s->at = s->begin = total;
        s->time = 0;
        s->latest = NULL;
        total += size ? size + 8 : 0;
    }
    f->chains.n = 0;
    more(&f->chains, total + 8);
}

/* The highest bit first, in the highest bit of the first byte */
static uint8_t *put_wide(uint8_t *at, const struct signal *s, const uint32_t *value) {
    for (uint32_t i = 0; i < s->bytes; i++) {
        const int32_t low = (int32_t)s->bits - 8 * ((int32_t)i + 1);
        uint64_t window;
        if (low < 0) {
            window = (uint64_t)value[0] << -low;
        } else {
            window = value[low / 32] >> low % 32;
            if (low % 32 > 24)
                window |= (uint64_t)value[low / 32 + 1] << (32 - low % 32);
        }
        *at++ = (uint8_t)window;
    }
    return at;
}

static void fill_chains(struct fst_write *f, const struct block *block) {
    for (size_t i = 0; i < block->n;) {
        struct signal *s = &f->signal[block->words[i] - 1];
        const uint32_t time = block->words[i + 1], *value = &block->words[i + 2];
        uint8_t *at = f->chains.at + s->at;
        const uint32_t distance = time - s->time;
        if (s->bits == 1) {
            at = varint(at, distance << 2 | (value[0] & 1) << 1);
        } else {
            at = varint(at, distance << 1);
            if (s->bits <= 64) {
                const uint64_t v = s->words == 2 ? (uint64_t)value[1] << 32 | value[0] : value[0];
                const uint64_t swapped = __builtin_bswap64(v << (64 - s->bits));
                memcpy(at, &swapped, 8);
                at += s->bytes;
            } else {
                at = put_wide(at, s, value);
            }
        }
        s->at = (uint32_t)(at - f->chains.at);
        s->time = time;
        s->latest = value;
        i += 2 + s->words;
    }
}

/* The handle of the first signal with this chain: its own, if there was none before. */
static uint32_t first_with(struct fst_write *f, uint32_t handle, const uint8_t *chain, uint32_t n) {
    uint32_t hash = n;
    for (uint32_t i = 0; i < n; i++)
        hash = (hash ^ chain[i]) * 16777619u;
    for (uint32_t at = hash ^ hash >> 15;; at++) {
        uint32_t *slot = &f->twins[at & (f->twins_n - 1)];
        if (!*slot)
            return *slot = handle;
        const struct signal *s = &f->signal[*slot - 1];
        if (s->size == n && memcmp(f->chains.at + s->at - n, chain, n) == 0)
            return *slot;
    }
}

static void put_chains(struct fst_write *f) {
    struct bytes *out = &f->out;
    memset(f->twins, 0, f->twins_n * sizeof *f->twins);
    for (uint32_t h = 0; h < f->handles; h++) {
        struct signal *s = &f->signal[h];
        const uint8_t *chain = f->chains.at + s->begin;
        const uint32_t n = s->at - s->begin;
        if (!n)
            continue;
        s->size = n;
        s->twin = first_with(f, h + 1, chain, n);
        if (s->twin != h + 1)
            continue;
        s->twin = 0;
        s->begin = (uint32_t)out->n; /* from here on: its place in the block */
        if (n > COMPRESS_FROM) {
            f->packed.n = 0;
            more(&f->packed, (size_t)LZ4_compressBound((int)n));
            const int m =
                LZ4_compress_default((const char *)chain, (char *)f->packed.at, (int)n, (int)f->packed.room);
            if (m > 0 && (uint32_t)m < n) {
                put_varint(out, n);
                put(out, f->packed.at, (size_t)m);
                continue;
            }
        }
        put_varint(out, 0);
        put(out, chain, n);
    }
}

/* The position of each chain, from `origin` on: signals without changes by their number */
static void put_index(struct fst_write *f, size_t origin) {
    struct bytes *out = &f->out;
    const size_t begin = out->n;
    uint64_t previous = 0;
    uint32_t without = 0;
    for (uint32_t h = 0; h < f->handles; h++) {
        const struct signal *s = &f->signal[h];
        if (!s->latest) {
            without++;
            continue;
        }
        if (without)
            put_varint(out, (uint64_t)without << 1);
        without = 0;
        if (s->twin) {
            put_svarint(out, 1 - 2 * (int64_t)s->twin);
            continue;
        }
        put_svarint(out, (int64_t)((s->begin - origin - previous) << 1 | 1));
        previous = s->begin - origin;
    }
    if (without)
        put_varint(out, (uint64_t)without << 1);
    put_u64(out, out->n - begin);
}

static void put_times(struct fst_write *f, const struct block *block) {
    struct bytes *list = &f->packed;
    uint64_t previous = 0;
    list->n = 0;
    for (uint32_t i = 0; i < block->times_n; i++) {
        put_varint(list, block->times[i] - previous);
        previous = block->times[i];
    }
    const size_t n = put_deflated(&f->out, list, 4);
    put_u64(&f->out, list->n);
    put_u64(&f->out, n);
    put_u64(&f->out, block->times_n);
}

/* Values after the block */
static void update_frame(struct fst_write *f) {
    for (uint32_t h = 0; h < f->handles; h++) {
        const struct signal *s = &f->signal[h];
        for (uint32_t i = 0; s->latest && i < s->bits; i++)
            f->frame.at[s->frame + s->bits - 1 - i] = '0' + (s->latest[i / 32] >> i % 32 & 1);
    }
}

static void write_block(struct fst_write *f, const struct block *block) {
    struct bytes *out = &f->out;
    measure_chains(f, block);
    fill_chains(f, block);
    uint64_t used = 0;
    for (uint32_t h = 0; h < f->handles; h++)
        used += f->signal[h].at - f->signal[h].begin;

    out->n = 0;
    put_byte(out, SECTION_CHANGES);
    put_u64(out, 0); /* its length */
    put_u64(out, block->times[0]);
    put_u64(out, block->times[block->times_n - 1]);
    put_u64(out, used);
    f->packed.n = 0;
    const size_t n = put_deflated(&f->packed, &f->frame, 1);
    put_varint(out, f->frame.n);
    put_varint(out, n);
    put_varint(out, f->handles);
    put(out, f->packed.at, n);
    put_varint(out, f->handles);
    const size_t origin = out->n;
    put_byte(out, '4'); /* LZ4 */
    put_chains(f);
    put_index(f, origin);
    put_times(f, block);
    set_u64(out->at + 1, out->n - 1);
    write_out(f, out);
    f->sections++;
    update_frame(f);
}

/* --- The thread ------------------------------------------------------------------------------------- */

static void *write_blocks(void *ctx) {
    struct fst_write *f = ctx;
    for (unsigned next = 0;; next ^= 1) {
        struct block *block = &f->block[next];
        pthread_mutex_lock(&f->mutex);
        while (!block->filled && !f->ends)
            pthread_cond_wait(&f->changed, &f->mutex);
        const bool filled = block->filled;
        pthread_mutex_unlock(&f->mutex);
        if (!filled)
            return NULL;
        write_block(f, block);
        pthread_mutex_lock(&f->mutex);
        block->filled = false;
        pthread_cond_signal(&f->changed);
        pthread_mutex_unlock(&f->mutex);
    }
}

static void hand_over(struct fst_write *f) {
    struct block *block = &f->block[f->filling];
    block->n = (size_t)(f->log.at - block->words);
    pthread_mutex_lock(&f->mutex);
    block->filled = true;
    pthread_cond_signal(&f->changed);
    f->filling ^= 1;
    block = &f->block[f->filling];
    while (block->filled)
        pthread_cond_wait(&f->changed, &f->mutex);
    pthread_mutex_unlock(&f->mutex);
    f->log.at = block->words;
    block->times_n = 0;
}

/* --- The log ---------------------------------------------------------------------------------------- */

struct fst_log *fst_log_of(struct fst_write *f) {
    return &f->log;
}

/* All signals are known: blocks can be made. */
static void begin(struct fst_write *f, uint64_t time) {
    size_t at_once = 0; /* words that one time can take */
    for (uint32_t h = 0; h < f->handles; h++)
        at_once += 2 + f->signal[h].words;
    f->full = LOG_WORDS;
    for (unsigned i = 0; i < 2; i++) {
        f->block[i].words = malloc((f->full + at_once) * sizeof *f->block[i].words);
        f->block[i].times = malloc(TIMES_MAX * sizeof *f->block[i].times);
        if (!f->block[i].words || !f->block[i].times) {
            fputs("fst: not enough memory for the waves\n", stderr);
            abort();
        }
    }
    for (f->twins_n = 64; f->twins_n < 2 * f->handles; f->twins_n *= 2)
        ;
    f->twins = malloc(f->twins_n * sizeof *f->twins);
    if (!f->twins)
        abort();
    f->log.at = f->block[0].words;
    more(&f->frame, f->frame.n);
    memset(f->frame.at, 'x', f->frame.n);
    f->first = time;
    f->begun = true;
    if (pthread_create(&f->thread, NULL, write_blocks, f) != 0) {
        fputs("fst: no thread for the waves\n", stderr);
        abort();
    }
}

void fst_time(struct fst_write *f, uint64_t time) {
    struct block *block = &f->block[f->filling];
    if (!f->begun) {
        begin(f, time);
    } else if ((size_t)(f->log.at - block->words) >= f->full || block->times_n == TIMES_MAX) {
        hand_over(f);
        block = &f->block[f->filling];
        block->times[block->times_n++] = f->last; /* the frame's */
    }
    f->log.time = block->times_n;
    block->times[block->times_n++] = time;
    f->last = time;
}

/* --- Names -------------------------------------------------------------------------------------------- */

void fst_scope(struct fst_write *f, const char *name) {
    put_byte(&f->hierarchy, ENTRY_SCOPE);
    put_byte(&f->hierarchy, 0); /* a module */
    put_text(&f->hierarchy, name);
    put_text(&f->hierarchy, ""); /* of which kind */
    f->scopes++;
}

void fst_upscope(struct fst_write *f) { put_byte(&f->hierarchy, ENTRY_UPSCOPE); }

uint32_t fst_signal(struct fst_write *f, int type, int direction, const char *name, unsigned bits,
                    uint32_t alias) {
    put_byte(&f->hierarchy, (unsigned)type);
    put_byte(&f->hierarchy, (unsigned)direction);
    put_text(&f->hierarchy, name);
    put_varint(&f->hierarchy, bits);
    put_varint(&f->hierarchy, alias);
    f->signals++;
    if (alias)
        return alias;
    if (f->handles == f->room) {
        f->room = f->room ? 2 * f->room : 1024;
        f->signal = realloc(f->signal, f->room * sizeof *f->signal);
        if (!f->signal) {
            fputs("fst: not enough memory for the waves\n", stderr);
            abort();
        }
    }
    f->signal[f->handles++] = (struct signal){
        .bits = bits, .bytes = (bits + 7) / 8, .words = (bits + 31) / 32, .frame = (uint32_t)f->frame.n};
    f->frame.n += bits;
    put_varint(&f->geometry, bits);
    return f->handles;
}

/* --- Opening and closing ------------------------------------------------------------------------------- */

static void put_padded(struct bytes *b, const char *text, size_t size) {
    char field[VERSION_BYTES] = "";
    snprintf(field, size, "%s", text);
    put(b, field, size);
}

static void write_header(struct fst_write *f) {
    const double e = 2.7182818284590452354; /* shows the byte order of doubles */
    const time_t now = time(NULL);
    char date[32] = "";
    struct tm parts;
    struct bytes *b = &f->out;
    b->n = 0;
    put_byte(b, SECTION_HEADER);
    put_u64(b, HEADER);
    put_u64(b, f->first);
    put_u64(b, f->last);
    put(b, &e, sizeof e);
    put_u64(b, LOG_WORDS * sizeof(uint32_t));
    put_u64(b, f->scopes);
    put_u64(b, f->signals);
    put_u64(b, f->handles);
    put_u64(b, f->sections);
    put_byte(b, (unsigned)-9 & 255); /* nanoseconds */
    put_padded(b, "tally-sim", VERSION_BYTES);
    if (localtime_r(&now, &parts))
        asctime_r(&parts, date);
    put_padded(b, date, DATE_BYTES);
    put_byte(b, 0); /* of Verilog */
    put_u64(b, 0);  /* the time that is shown as 0 */
    write_out(f, b);
}

static void write_geometry(struct fst_write *f) {
    struct bytes *b = &f->out;
    b->n = 0;
    put_byte(b, SECTION_GEOMETRY);
    put_u64(b, 0);
    put_u64(b, f->geometry.n);
    put_u64(b, f->handles);
    put_deflated(b, &f->geometry, 4);
    set_u64(b->at + 1, b->n - 1);
    write_out(f, b);
}

static void write_hierarchy(struct fst_write *f) {
    struct bytes *b = &f->out;
    b->n = 0;
    put_byte(b, SECTION_HIERARCHY);
    put_u64(b, 0);
    put_u64(b, f->hierarchy.n);
    const int room = LZ4_compressBound((int)f->hierarchy.n);
    more(b, (size_t)room);
    const int n =
        LZ4_compress_default((const char *)f->hierarchy.at, (char *)b->at + b->n, (int)f->hierarchy.n, room);
    b->n += (size_t)n;
    set_u64(b->at + 1, b->n - 1);
    write_out(f, b);
}

struct fst_write *fst_open(const char *path) {
    struct fst_write *f = calloc(1, sizeof *f);
    if (!f || !(f->file = fopen(path, "wb"))) {
        free(f);
        return NULL;
    }
    pthread_mutex_init(&f->mutex, NULL);
    pthread_cond_init(&f->changed, NULL);
    write_header(f); /* its room; the numbers follow */
    return f;
}

bool fst_close(struct fst_write *f) {
    if (f->begun) {
        hand_over(f);
        pthread_mutex_lock(&f->mutex);
        f->ends = true;
        pthread_cond_signal(&f->changed);
        pthread_mutex_unlock(&f->mutex);
        pthread_join(f->thread, NULL);
    }
    write_geometry(f);
    write_hierarchy(f);
    if (fseek(f->file, 0, SEEK_SET) != 0)
        f->failed = true;
    write_header(f);
    const bool ok = fclose(f->file) == 0 && !f->failed;
    pthread_cond_destroy(&f->changed);
    pthread_mutex_destroy(&f->mutex);
    for (unsigned i = 0; i < 2; i++) {
        free(f->block[i].words);
        free(f->block[i].times);
    }
    free(f->hierarchy.at);
    free(f->geometry.at);
    free(f->out.at);
    free(f->frame.at);
    free(f->chains.at);
    free(f->packed.at);
    free(f->twins);
    free(f->signal);
    free(f);
    return ok;
}
