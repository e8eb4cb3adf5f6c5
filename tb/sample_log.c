// SPDX-License-Identifier: Apache-2.0
#include "sample_log.h"

#include "soc.h"
#include "tally_spec.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WORDS = TALLY_RECORD_BYTES_RV64 / 8, UNDER_WAY = 256 /* words that the bus has accepted, at most */ };

struct sample_log {
    FILE *file;
    struct words {
        uint64_t address[UNDER_WAY], data[UNDER_WAY];
        unsigned accepted, performed; /* ever; records are whole and in order */
    } hart[SOC_HARTS_MAX];
};

struct sample_log *sample_log_open(const char *path, struct error *error) {
    struct sample_log *log = calloc(1, sizeof *log);
    if (!log) {
        error_set(error, "%s: not enough memory", path);
        return NULL;
    }
    log->file = fopen(path, "w");
    if (!log->file) {
        error_set(error, "%s: %s", path, strerror(errno));
        free(log);
        return NULL;
    }
    return log;
}

static void show_record(struct sample_log *log, uint64_t cycle, unsigned hart) {
    const struct words *w = &log->hart[hart];
    const unsigned first = w->performed - WORDS;

    char text[WORDS * 17 + 1];
    size_t n = 0;

    for (unsigned i = 0; i < WORDS; i++)
        n += (size_t)snprintf(text + n, sizeof text - n, " %" PRIx64, w->data[(first + i) % UNDER_WAY]);
    fprintf(log->file, "record %" PRIu64 " %u %" PRIx64 "%s\n", cycle, hart, w->address[first % UNDER_WAY],
            text);
}

void sample_log_cycle(struct sample_log *log, uint64_t cycle, unsigned hart, const struct gp_in *in,
                      const struct gp_out *out) {
    struct words *w = &log->hart[hart];

    for (unsigned lane = 0; out->dec_sample >> lane; lane++)
        if (out->dec_sample >> lane & 1)
            fprintf(log->file, "sample %" PRIu64 " %u %" PRIx64 "\n", cycle, hart, in->decode[lane].pc);
    if (out->rec_valid && in->rec_ready) {
        w->address[w->accepted % UNDER_WAY] = out->rec_addr;
        w->data[w->accepted++ % UNDER_WAY] = out->rec_data;
    }
    if (in->rec_done && ++w->performed % WORDS == 0)
        show_record(log, cycle, hart);
}

void sample_log_overflows(struct sample_log *log, uint64_t cycle, unsigned hart, const struct gp_in *in,
                          const struct gp_out *golden) {
    for (unsigned i = 0; golden->wraps >> i; i++)
        if (golden->wraps >> i & 1 && golden->cause[i] != GP_NO_LANE)
            fprintf(log->file, "overflow %" PRIu64 " %u %x %" PRIx64 "\n", cycle, hart, i,
                    in->retire[golden->cause[i]].pc);
}

bool sample_log_close(struct sample_log *log) {
    if (!log)
        return true;
    const bool failed = ferror(log->file);
    const bool ok = !fclose(log->file) && !failed;
    free(log);
    return ok;
}
