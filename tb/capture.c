// SPDX-License-Identifier: Apache-2.0
#include "capture.h"

#include "held.h"
#include "iss_checkpoints.h"
#include "state_copy.h"

#include <stdlib.h>
#include <string.h>

struct capture {
    struct iss iss; /* is filled when a checkpoint is due */
    struct iss_checkpoints checkpoints;
    struct sim *sim;
    struct held held; /* the golden models, and two harts */
};

/* --- a hart and its unit -------------------------------------------------------------------------- */

/* Gives the fields of a copy in their order. */
struct pourer {
    struct tally_state state;
    const struct state_copy *from;
    unsigned next;
};

static void pour_numbers(struct tally_state *s, const char *name, void *at, unsigned bytes, uint64_t n) {
    struct pourer *p = (struct pourer *)s;
    const struct state_field *f = p->next < p->from->fields ? &p->from->field[p->next++] : NULL;
    if (!f || strcmp(f->name, name) != 0 || f->bytes != bytes || f->n != n)
        tally_state_refuse(s, name, "is not next in the golden model");
    else
        memcpy(at, f->numbers, bytes * n);
}

static struct pourer pourer(const struct state_copy *from) {
    return (struct pourer){.state = {.reads = true, .numbers = pour_numbers}, .from = from};
}

/* No sample is under way, and records are in memory. */
static bool samples_rest(const struct state_copy *pmu) {
    return !state_copy_get(pmu, "pdis.active", 0) && !state_copy_get(pmu, "amb.used", 0);
}

static bool pour_hart(struct capture *c, unsigned h) {
    const struct lockstep_state *golden = &c->held.golden[h];
    struct iss_hart *to = &c->iss.hart[h];
    struct state_copy hart, pmu;
    state_copy_init(&hart, "hart");
    state_copy_init(&pmu, "pmu");
    gh_state(golden->hart, &hart.state);
    gp_state(golden->pmu, &pmu.state);
    bool ok = !hart.failed && !pmu.failed && samples_rest(&pmu);
    if (ok) {
        struct pourer from_hart = pourer(&hart), from_pmu = pourer(&pmu);
        gh_state(to->core, &from_hart.state);
        gp_state(to->pmu, &from_pmu.state);
        ok = !*from_hart.state.why && !*from_pmu.state.why;
    }
    to->waiting = golden->done->wfi;
    state_copy_free(&hart);
    state_copy_free(&pmu);
    return ok;
}

/* --- devices -------------------------------------------------------------------------------------- */

static void pour_devices(struct capture *c, const struct sim_devices *d) {
    struct iss *iss = &c->iss;
    iss->aclint.mtime = d->mtime;
    iss->divider = d->divider;
    for (unsigned h = 0; h < c->sim->harts; h++) {
        iss->aclint.msip[h] = d->msip[h];
        iss->aclint.mtimecmp[h] = d->mtimecmp[h];
    }
    iss->plic.pending = d->pending;
    iss->plic.claimed = d->claimed;
    memcpy(iss->plic.priority, d->priority, sizeof d->priority);
    memcpy(iss->plic.enable, d->enable, sizeof d->enable);
    memcpy(iss->plic.threshold, d->threshold, sizeof d->threshold);
    iss->uart.ier = d->ier;
    iss->uart.fcr = d->fcr;
    iss->uart.lcr = d->lcr;
    iss->uart.mcr = d->mcr;
    iss->uart.scr = d->scr;
    iss->uart.dll = d->dll;
    iss->uart.dlm = d->dlm;
    iss->uart.thre_pending = d->thre;
    memcpy(iss->uart.rx, d->rx, sizeof d->rx);
    iss->uart.rx_head = 0;
    iss->uart.rx_n = d->rx_n;
}

/* The harts are between two instructions: the next ones have had no effects that they would repeat. */
static bool between(struct capture *c) {
    if (c->sim->harts == 1)
        return c->held.event[0] || c->sim->ops->may_hold(c->sim, 0);
    return c->held.flags && held_begin(&c->held) && !c->held.exited; /* not before the run */
}

static bool fill(void *ctx) {
    struct capture *c = ctx;
    struct sim_devices devices = {0};
    if (!between(c))
        return false;
    c->sim->ops->devices(c->sim, &devices, false);
    bool ok = !devices.tx_n;
    c->iss.retired = 0;
    for (unsigned h = 0; h < c->sim->harts; h++) {
        ok = ok && pour_hart(c, h);
        c->iss.retired += c->sim->retired[h];
    }
    if (!ok)
        return false;
    pour_devices(c, &devices);
    c->iss.cycles = c->sim->cycle;
    iss_follow(&c->iss);
    return true;
}

/* --- interface ------------------------------------------------------------------------------------ */

struct capture *capture_open(const struct machine *machine, const struct options *o, struct sim *sim,
                             struct lockstep *lockstep, struct cycles *const *cycles,
                             struct host_device *host, struct error *error) {
    struct capture *c = calloc(1, sizeof *c);
    if (!c) {
        error_set(error, "not enough memory for checkpoints");
        return NULL;
    }
    c->sim = sim;
    held_init(&c->held, sim, lockstep, cycles);
    const struct iss_config config = {.xlen = 64,
                                      .harts = sim->harts,
                                      .time_ratio = sim->ops->time_ratio,
                                      .smepmp = sim->ops->smepmp,
                                      .ram = sim->harts == 1 ? c->held.golden[0].ram : sim->ram,
                                      .ram_size = machine->memory.size,
                                      .rom = (uint64_t *)machine->rom,
                                      .host = host};
    const bool opened = iss_open(&c->iss, &config) || error_set(error, "not enough memory for checkpoints");
    for (unsigned h = 0; h < sim->harts; h++)
        c->iss.retired += sim->retired[h];
    struct options own = *o; /* a window of tally-sim is no window of checkpoints */
    own.warm_up = own.window = 0;
    if (opened && iss_checkpoints_open(&c->checkpoints, machine, &own, error)) {
        c->checkpoints.fill = fill;
        c->checkpoints.ctx = c;
        if (iss_checkpoints_begin(&c->checkpoints, &c->iss, NULL, error))
            return c;
    }
    capture_free(c);
    return NULL;
}

void capture_free(struct capture *c) {
    if (c)
        iss_close(&c->iss);
    free(c);
}

void capture_printed(struct capture *c, uint8_t byte) { iss_checkpoints_printed(&c->checkpoints, byte); }

bool capture_cycle(struct capture *c, unsigned hart, const struct sim_probe *event) {
    c->held.event[hart] = event;
    if (!event || c->held.on)
        return false;
    c->iss.retired = event->retire;
    for (unsigned h = 0; h < c->sim->harts; h++)
        c->iss.retired += c->sim->retired[h];
    return iss_checkpoints_due(&c->checkpoints, 1, c->held.golden[hart].done);
}

bool capture_write(struct capture *c, unsigned flags, enum sim_stop *stop, struct error *error) {
    c->held.flags = flags & ~(unsigned)SIM_WATCH;
    if (c->sim->harts == 1) {
        *stop = c->sim->ops->run(c->sim, c->sim->cycle + 1, flags);
        if (*stop == SIM_EXIT || *stop == SIM_OBSERVER)
            return true;
        c->held.event[0] = true;
    } else {
        *stop = SIM_LIMIT; /* the machine goes on */
    }
    const bool ok = iss_checkpoints_write(&c->checkpoints, error);
    if (c->held.on)
        held_end(&c->held);
    *stop = c->held.failed ? SIM_OBSERVER : c->held.exited ? SIM_EXIT : *stop;
    return ok;
}

bool capture_end(struct capture *c, struct error *error) {
    return iss_checkpoints_end(&c->checkpoints, error);
}
