// SPDX-License-Identifier: Apache-2.0
#include "iss_where.h"

#include "iss_events.h"
#include "sample_file.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { EXECUTED, KNOWN }; /* columns; KNOWN: it is in the window of a checkpoint of new code */

struct iss_where *iss_where_new(unsigned harts) {
    struct iss_where *w = calloc(1, sizeof *w);
    for (unsigned h = 0; w && h < harts; h++)
        if (!places_open(&w->hart[h])) {
            iss_where_free(w);
            return NULL;
        }
    return w;
}

void iss_where_free(struct iss_where *w) {
    for (unsigned h = 0; w && h < SOC_HARTS_MAX; h++)
        places_close(&w->hart[h]);
    free(w);
}

bool iss_where_cycle(struct iss_where *w, unsigned moved, const struct gh_retire *step,
                     struct iss_checkpoints *checkpoints, struct error *error) {
    for (unsigned h = 0; moved >> h; h++) {
        if (!(moved >> h & 1) || !iss_retires(&step[h]))
            continue;
        struct place *p = places_add(&w->hart[h], step[h].pc, (unsigned)step[h].priv, EXECUTED);
        if (!checkpoints->code || !p || p->count[KNOWN])
            continue;
        if (!iss_checkpoints_code(checkpoints, h, p->mode, p->pc, p->count[EXECUTED], error))
            return false;
        p->count[KNOWN] = checkpoints->known;
    }
    return true;
}

bool iss_where_write(const struct iss_where *w, const struct machine *machine, const struct options *o,
                     unsigned time_ratio, struct error *error) {
    FILE *f = fopen(o->where, "w");
    if (f)
        sample_file_where(f, machine, o, time_ratio);
    for (unsigned h = 0; f && h < o->harts; h++)
        for (size_t i = 0; i < w->hart[h].room; i++) {
            const struct place *p = &w->hart[h].place[i];
            if (p->used)
                fprintf(f, "pc %u %u 0x%" PRIx64 " %" PRIu64 "\n", h, p->mode, p->pc, p->count[0]);
        }
    const bool ok = f && !ferror(f);
    return (f && fclose(f) == 0 && ok) || error_set(error, "%s: %s", o->where, strerror(errno));
}
