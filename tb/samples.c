// SPDX-License-Identifier: Apache-2.0
#include "samples.h"

#include <inttypes.h>

#include "tally_spec.h"

enum { PAGE = 4096, WORDS = TALLY_RECORD_BYTES_RV64 / 8 };

enum fate { REGISTERS, MEMORY, FILTERED, DROPPED, INHIBITED };
static const char *const fates[SAMPLES_FATES] = {"kept in registers", "kept in memory", "filtered", "dropped",
                                                 "inhibited"};
enum end { RETIRED, TRAPPED, FLUSHED, MISPREDICTED };
static const char *const ends[SAMPLES_ENDS] = {"retired", "trapped", "flushed at commit",
                                               "flushed by a misprediction"};
enum stage { DECODED, DISPATCHED, ISSUED, COMPLETED };
static const char *const stages[SAMPLES_STAGES] = {"decoded", "dispatched", "issued", "completed"};
enum reason { BUFFER_OFF, FAULT, UNTRANSLATED, STOPPED, QUEUE_FULL };
static const char *const reasons[SAMPLES_REASONS] = {
    "buffer disabled", "page fault", "page not translated yet", "stopped on full", "queue full"};
static const char *const modes[2] = {"physical", "translated"};
enum place { INSIDE, FILLS_PAGE, FILLS_BUFFER };
static const char *const places[SAMPLES_PLACES] = {"inside a page", "fills its page", "fills the buffer"};
enum fill { NONE, SOME, LAST };
static const char *const fills[SAMPLES_FILLS] = {"nothing under way", "some under way",
                                                 "the queue's last slot"};

/* A sample that retires has completed. One that traps has completed too, unless it is refused or cannot be
 * translated: it never issues then. One that a misprediction flushes has not left IS. */
static bool possible(enum stage stage, enum end end) {
    switch (end) {
    case RETIRED:
        return stage == COMPLETED;
    case TRAPPED:
        return stage == DISPATCHED || stage == COMPLETED;
    case MISPREDICTED:
        return stage == DECODED || stage == DISPATCHED;
    default:
        return true;
    }
}

static enum fate fate_of(const struct gp *pmu, const struct gp_out *out) {
    switch (out->end) {
    case GP_END_INHIBITED:
        return INHIBITED;
    case GP_END_FILTERED:
        return FILTERED;
    case GP_END_DROPPED:
        return DROPPED;
    default:
        return gp_peek(pmu, TALLY_CSR_MPDISCTL) & TALLY_MPDISCTL_MEM_MASK ? MEMORY : REGISTERS;
    }
}

static enum end end_of(const struct gp_track *track) {
    if (track->flushed)
        return track->flush_why ? MISPREDICTED : FLUSHED;
    return track->trapped ? TRAPPED : RETIRED;
}

static enum reason reason_of(uint64_t cs, unsigned used, unsigned queue) {
    if (!(cs & TALLY_SPDISAMBCS_EN_MASK))
        return BUFFER_OFF;
    if (used == queue)
        return QUEUE_FULL;
    if (cs & TALLY_SPDISAMBCS_TRV_MASK)
        return STOPPED;
    return cs & TALLY_SPDISAMBCS_TF_MASK ? FAULT : UNTRANSLATED;
}

/* The address of a record after `used` others */
static enum place place_of(const struct gp *pmu, uint64_t cs, unsigned used) {
    const unsigned size = (cs & TALLY_SPDISAMBCS_SIZE_MASK) >> TALLY_SPDISAMBCS_SIZE_LSB;
    const uint64_t behind = gp_peek(pmu, TALLY_CSR_SPDISAMBADDR) + (used + 1) * TALLY_RECORD_BYTES_RV64;

    if (behind % PAGE)
        return INSIDE;
    return behind % ((uint64_t)PAGE << size) ? FILLS_PAGE : FILLS_BUFFER;
}

static enum stage stage_of(enum stage before, const struct gp_track *track) {
    const enum stage now = track->completed    ? COMPLETED
                           : track->issued     ? ISSUED
                           : track->dispatched ? DISPATCHED
                                               : DECODED;

    return now > before ? now : before;
}

static void ended(struct samples *s, const struct gp *pmu, const struct gp_in *in, const struct gp_out *out) {
    const enum fate fate = fate_of(pmu, out);
    const enum end end = end_of(&s->seen);
    const uint64_t cs = gp_peek(pmu, TALLY_CSR_SPDISAMBCS);
    const unsigned used = (unsigned)(s->kept - s->words / WORDS);

    s->fate[fate][end]++;
    s->stages[s->stage][end]++;
    if (fate == DROPPED)
        s->dropped[reason_of(cs, used, s->queue)][in->env.pdiss]++;
    if (fate == MEMORY) {
        s->place[place_of(pmu, cs, used)][!used ? NONE : used + 1 == s->queue ? LAST : SOME]++;
        s->kept++;
    }
    s->active = false;
}

void samples_cycle(struct samples *samples, const struct gp *pmu, const struct gp_in *in,
                   const struct gp_out *out) {
    if (samples->active)
        samples->stage = stage_of(samples->stage, &samples->seen);
    if (out->end != GP_END_NONE)
        ended(samples, pmu, in, out);
    samples->words += in->rec_done;
    if (out->dec_sample) {
        samples->active = true;
        samples->stage = DECODED;
    }
    samples->seen = in->track;
}

void samples_report(const struct samples *samples, FILE *out) {
    /* No sample is inhibited: the write that inhibits empties the pipeline after it. */
    for (unsigned f = 0; f < INHIBITED; f++)
        for (unsigned e = 0; e < SAMPLES_ENDS; e++)
            fprintf(out, "cross what became of a sample / %s / %s %" PRIu64 "\n", fates[f], ends[e],
                    samples->fate[f][e]);
    for (unsigned s = 0; s < SAMPLES_STAGES; s++)
        for (unsigned e = 0; e < SAMPLES_ENDS; e++)
            if (possible(s, e))
                fprintf(out, "cross how far a sample had come / %s / %s %" PRIu64 "\n", stages[s], ends[e],
                        samples->stages[s][e]);
    for (unsigned r = 0; r < SAMPLES_REASONS; r++)
        for (unsigned m = 0; m < 2; m++)
            fprintf(out, "cross why a record was dropped / %s / %s %" PRIu64 "\n", reasons[r], modes[m],
                    samples->dropped[r][m]);
    for (unsigned p = 0; p < SAMPLES_PLACES; p++)
        for (unsigned f = 0; f < SAMPLES_FILLS; f++)
            fprintf(out, "cross where a record went / %s / %s %" PRIu64 "\n", places[p], fills[f],
                    samples->place[p][f]);
}
