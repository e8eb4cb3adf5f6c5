/* SPDX-License-Identifier: Apache-2.0 */
#include "profile.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

const char *short_name(const char *path) {
    const char *slash = path ? strrchr(path, '/') : NULL;
    return slash ? slash + 1 : path ? path : "?";
}

static int spot_by_pc(const void *key, const void *member) {
    const uint64_t pc = *(const uint64_t *)key, other = ((const struct spot *)member)->pc;
    return pc < other ? -1 : pc > other;
}

const struct spot *profile_spot(const struct profile *p, uint64_t pc) {
    return p->spots_n ? bsearch(&pc, p->spots, p->spots_n, sizeof *p->spots, spot_by_pc) : NULL;
}

const struct spot *profile_spot_of(const struct profile *p, const struct sample *s) {
    return p->events == sample_is_event(s) ? profile_spot(p, p->interrupted ? s->adr1 : s->pc) : NULL;
}

const char *profile_name(const struct profile *p) {
    return p->records->name[0] ? p->records->name : short_name(program_path(p->program));
}

const char *profile_modes(const struct profile *p) {
    static const char *const names[MODES + 1] = {"",     "U",    "S",      "U, S", [MODE_M] = "M",
                                                 "U, M", "S, M", "U, S, M"};
    return names[p->records->modes];
}

bool profile_left_out(const struct profile *p, struct buffer *out) {
    enum { SHOWN = 4 };
    uint64_t samples = 0;
    for (size_t i = 0; i < p->left_out_n; i++)
        samples += p->left_out[i].samples;
    if (!samples)
        return false;
    buffer_print(out, "not shown: %" PRIu64 " samples in M-mode", samples);
    for (size_t i = 0; i < p->left_out_n && i < SHOWN; i++)
        buffer_print(out, "%s %s %" PRIu64, i ? "," : ":", p->left_out[i].name, p->left_out[i].samples);
    return true;
}

/* How much of the run the samples cover, in percent: by time if it is known, else by samples. */
static double covered(const struct profile *p, bool *by_time) {
    const struct records *r = p->records;
    *by_time = r->begin < r->end && p->newest > r->begin && p->newest <= r->end;
    if (*by_time)
        return 100.0 * (double)(p->newest - r->begin) / (double)(r->end - r->begin);
    return 100.0 * (double)p->read / ((double)p->read + (double)r->lost);
}

bool profile_lost(const struct profile *p, char *text, size_t size) {
    bool by_time;
    if (!p->records->lost)
        return false;
    const double share = covered(p, &by_time);
    snprintf(text, size, "the log was full: %" PRIu64 " samples lost, only the first %.1f %% of the %s shown",
             p->records->lost, share, by_time ? "run is" : "samples are");
    return true;
}
