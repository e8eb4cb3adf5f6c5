// SPDX-License-Identifier: Apache-2.0
#include "latency.h"

#include "insn.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { TAGS = 1 << 8 };
enum source { L1, STQ, MEM, DEVICE, SOURCES };
static const char *const names[SOURCES] = {"L1", "STQ", "MEM", "DEVICE"};

struct latency {
    uint64_t ram_base, ram_size, cycle;
    struct flight {
        bool load, began, device;
        uint64_t from;
    } flight[TAGS]; /* by entry of the scoreboard */
    struct {
        uint64_t loads, cycles;
    } of[SOURCES];
};

struct latency *latency_new(uint64_t ram_base, uint64_t ram_size) {
    struct latency *l = calloc(1, sizeof *l);
    if (l) {
        l->ram_base = ram_base;
        l->ram_size = ram_size;
    }
    return l;
}

void latency_free(struct latency *l) { free(l); }

void latency_clear(struct latency *l) { memset(l->of, 0, sizeof l->of); }

static void access_data(struct latency *l, struct flight *f, const struct track_in *in) {
    const uint64_t address = in->access_address;
    if (!f->began)
        f->from = l->cycle;
    f->began = true;
    if (!in->translates || in->tlb_hit)
        f->device =
            (in->translates ? in->tlb_page << 12 | (address & 0xfff) : address) - l->ram_base >= l->ram_size;
}

static void end(struct latency *l, struct flight *f, const struct track_in *in) {
    const enum source source = f->device ? DEVICE : in->ended_forwarded ? STQ : in->ended_missed ? MEM : L1;
    if (f->load && f->began && !in->ended_failed) {
        l->of[source].loads++;
        l->of[source].cycles += l->cycle - f->from;
    }
    f->load = false;
}

void latency_cycle(struct latency *l, const struct track_in *in) {
    l->cycle++;
    if (in->ended)
        end(l, &l->flight[in->ended_tag], in);
    if (in->access)
        access_data(l, &l->flight[in->access_tag], in);
    if (in->dispatch)
        l->flight[in->dispatch_tag] =
            (struct flight){.load = !in->refused && insn_decode(in->insn).kind == INSN_LOAD};
}

void latency_report(const struct latency *l, unsigned hart, FILE *out) {
    for (unsigned i = 0; i < SOURCES; i++)
        fprintf(out, "latency %u %s %" PRIu64 " %" PRIu64 "\n", hart, names[i], l->of[i].loads,
                l->of[i].cycles);
}
