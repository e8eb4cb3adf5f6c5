// SPDX-License-Identifier: Apache-2.0
#include "restore.h"

#include "bytes.h"
#include "iss_machine.h"
#include "state_copy.h"

#include "tally_spec.h"

#include <stdlib.h>
#include <string.h>

enum { PAGE = 4096, DEVICE_CYCLES = 3, PMPS = 8, COUNTERS = 32 };

struct restore {
    const char *path;
    struct machine *machine;
    struct iss iss;
    struct held held;
    struct state_copy hart, pmu; /* of the current hart */
};

/* --- reading -------------------------------------------------------------------------------------- */

struct restore *restore_read(const char *path, struct machine *machine, const struct sim_ops *ops,
                             struct host_device *host, struct error *error) {
    const struct iss_config config = {.xlen = 64,
                                      .harts = ops->harts,
                                      .time_ratio = ops->time_ratio,
                                      .smepmp = ops->smepmp,
                                      .ram = machine->memory.bytes,
                                      .ram_size = machine->memory.size,
                                      .rom = machine->rom,
                                      .host = host};
    struct restore *r = calloc(1, sizeof *r);
    if (!r || !iss_open(&r->iss, &config)) {
        free(r);
        error_set(error, "not enough memory");
        return NULL;
    }
    const struct checkpoint checkpoint = iss_checkpoint(&r->iss);
    r->path = path;
    r->machine = machine;
    if (checkpoint_read(path, &checkpoint, error) &&
        (r->iss.finisher.end == ISS_RUNS || error_set(error, "%s: the program had ended", path)))
        return r;
    restore_free(r);
    return NULL;
}

void restore_free(struct restore *r) {
    if (!r)
        return;
    state_copy_free(&r->hart);
    state_copy_free(&r->pmu);
    iss_close(&r->iss);
    free(r);
}

/* --- CSRs of a hart ------------------------------------------------------------------------------- */

/* A write: number i of the field of this name, or a value (NULL) */
struct put {
    uint16_t csr;
    unsigned i;
    const char *field;
    uint64_t value;
};

/* While all gates are open: state that they hide; ubescr before the overflow flags, which would be an event
 * otherwise */
static const struct put gated[] = {
    {TALLY_CSR_MCOUNTINHIBIT, 0, NULL, UINT32_MAX},
    {TALLY_CSR_MENVCFG, 0, NULL, TALLY_MENVCFG_CDE_MASK},
    {TALLY_CSR_MSTATEEN0, 0, NULL, UINT64_MAX},
    {TALLY_CSR_MCOUNTEREN, 0, NULL, UINT32_MAX},
    {TALLY_CSR_MEBBCTL, 0, NULL, TALLY_MEBBCTL_WMASK},
    {TALLY_CSR_SEBBCTL, 0, NULL, UINT32_MAX},
    {TALLY_CSR_UEBBINH, 0, "ebb.inhibit", 0},
    {TALLY_CSR_UEBBSEL, 0, "ebb.select", 0},
    {TALLY_CSR_UEBBHR, 0, "ebb.handler", 0},
    {TALLY_CSR_UEBBRR, 0, "ebb.ret", 0},
    {TALLY_CSR_UEBBSPC, 0, "ebb.pc", 0},
    {TALLY_CSR_UBESCR, 0, "ebb.scr", 0},
    {TALLY_CSR_SEBBCTL, 0, "ebb.sctl", 0},
    {TALLY_CSR_MEBBCTL, 0, "ebb.mctl", 0},
    {TALLY_CSR_SISELECT, 0, NULL, TALLY_RECORD_SELECT},
    {TALLY_CSR_SIREG, 0, "pdis.registers.word", 0},
    {TALLY_CSR_SIREG2, 1, "pdis.registers.word", 0},
    {TALLY_CSR_SIREG3, 2, "pdis.registers.word", 0},
    {TALLY_CSR_SIREG4, 3, "pdis.registers.word", 0},
    {TALLY_CSR_SIREG5, 4, "pdis.registers.word", 0},
    {TALLY_CSR_SIREG6, 5, "pdis.registers.word", 0},
    {TALLY_CSR_SSTATEEN0, 0, "sstateen0", 0},
    {TALLY_CSR_MIP, 0, "mip_soft", 0},
};

static const struct put plain[] = {
    {TALLY_CSR_SHPMPCLO, 0, "pclo", 0},
    {TALLY_CSR_SHPMPCHI, 0, "pchi", 0},
    {TALLY_CSR_SHPMPCSEL, 0, "pcsel", 0},
    {TALLY_CSR_SHPMSPC, 0, "spc", 0},
    {TALLY_CSR_SHPMSDATA, 0, "sdata", 0},
    {TALLY_CSR_SPDISEVMASK, 0, "pdis.mask", 0},
    {TALLY_CSR_SPDISEVMATCH, 0, "pdis.match", 0},
    {TALLY_CSR_SPDISFILTER, 0, "pdis.filter", 0},
    {TALLY_CSR_MCOUNTERWEN, 0, "wen", 0},
    {TALLY_CSR_MCOUNTERINEN, 0, "inten", 0},
    {TALLY_CSR_SCOUNTEREN, 0, "scounteren", 0},
    {TALLY_CSR_MISELECT, 0, "miselect", 0},
    {TALLY_CSR_SISELECT, 0, "siselect", 0},
    {TALLY_CSR_MCYCLECFG, 0, "event", 0},
    {TALLY_CSR_MINSTRETCFG, 2, "event", 0},
    {TALLY_CSR_MEDELEG, 0, "medeleg", 0},
    {TALLY_CSR_MIDELEG, 0, "mideleg", 0},
    {TALLY_CSR_MIE, 0, "mie", 0},
    {TALLY_CSR_MTVEC, 0, "mtvec", 0},
    {TALLY_CSR_MSCRATCH, 0, "mscratch", 0},
    {TALLY_CSR_MEPC, 0, "mepc", 0},
    {TALLY_CSR_MCAUSE, 0, "mcause", 0},
    {TALLY_CSR_MTVAL, 0, "mtval", 0},
    {TALLY_CSR_STVEC, 0, "stvec", 0},
    {TALLY_CSR_SSCRATCH, 0, "sscratch", 0},
    {TALLY_CSR_SEPC, 0, "sepc", 0},
    {TALLY_CSR_SCAUSE, 0, "scause", 0},
    {TALLY_CSR_STVAL, 0, "stval", 0},
    {TALLY_CSR_SENVCFG, 0, "senvcfg", 0},
    {TALLY_CSR_STIMECMP, 0, "stimecmp", 0},
    {TALLY_CSR_MSTATUS, 0, "mstatus", 0},
    {TALLY_CSR_SATP, 0, "satp", 0},
    {TALLY_CSR_MCOUNTEREN, 0, "mcounteren", 0},
    {TALLY_CSR_MSTATEEN0, 0, "mstateen0", 0},
    {TALLY_CSR_MENVCFG, 0, "menvcfg", 0},
};

/* Sampling, after all state that controls it */
static const struct put sampling[] = {
    {TALLY_CSR_MPDISCTL, 0, "pdis.ctl", 0},
    {TALLY_CSR_SPDISAMBADDR, 0, "amb.addr", 0},
    {TALLY_CSR_SPDISAMBCS, 0, "amb.cs", 0},
};

static uint64_t get(const struct restore *r, const char *field, unsigned i) {
    return state_copy_get(state_copy_has(&r->pmu, field) ? &r->pmu : &r->hart, field, i);
}

/* One that does not exist need not be written with 0; with another value it is missed when states are
 * compared. */
static bool put_csr(struct restore *r, unsigned hart, unsigned csr, uint64_t value) {
    return held_csr(&r->held, hart, csr, value) || !r->held.failed;
}

static bool put_list(struct restore *r, unsigned hart, const struct put *put, size_t n) {
    for (size_t i = 0; i < n; i++)
        if (!put_csr(r, hart, put[i].csr, put[i].field ? get(r, put[i].field, put[i].i) : put[i].value))
            return false;
    return true;
}
#define PUT_LIST(r, hart, list) put_list(r, hart, list, sizeof(list) / sizeof *(list))

static bool put_counters(struct restore *r, unsigned hart) {
    bool ok =
        put_csr(r, hart, TALLY_CSR_SPDISCOUNTER, get(r, "pdis.initval", 0) << 32 | get(r, "pdis.count", 0));
    for (unsigned i = 3; i < COUNTERS; i++)
        ok = ok && put_csr(r, hart, TALLY_CSR_MCOUNTINHIBIT + i, get(r, "event", i));
    for (unsigned i = 0; i < COUNTERS; i++)
        ok = ok && (i == 1 || put_csr(r, hart, TALLY_CSR_MCYCLE + i, get(r, "counter", i)));
    return ok;
}

/* Rules that are locked, or that mseccfg.MML gives their meaning, are written while RLB lets them. */
static bool put_pmp(struct restore *r, unsigned hart) {
    const uint64_t seccfg = get(r, "mseccfg", 0);
    uint64_t rules = 0;
    bool ok = put_csr(r, hart, TALLY_CSR_MSECCFG, (seccfg & TALLY_MSECCFG_MML_MASK) | TALLY_MSECCFG_RLB_MASK);
    for (unsigned i = 0; i < PMPS; i++) {
        rules |= get(r, "pmpcfg", i) << 8 * i;
        ok = ok && put_csr(r, hart, TALLY_CSR_PMPADDR0 + i, get(r, "pmpaddr", i));
    }
    return ok && put_csr(r, hart, TALLY_CSR_PMPCFG0, rules) && put_csr(r, hart, TALLY_CSR_MSECCFG, seccfg);
}

static bool put_registers(struct restore *r, unsigned hart) {
    bool ok = true;
    for (unsigned i = 1; i < HELD_PC; i++)
        ok = ok && held_reg(&r->held, hart, i, get(r, "x", i));
    return ok && held_reg(&r->held, hart, HELD_PC, get(r, "pc", 0)) &&
           held_reg(&r->held, hart, HELD_MODE, get(r, "priv", 0));
}

/* --- comparison ----------------------------------------------------------------------------------- */

/* Translations and lines of the RTL, and the reservation, which comes later */
static const char *const not_hart[] = {"mip_line", "tlb.", "linked", "reserved", NULL};
/* The last cycle's events; addresses that the buffer has translated and records that have left it; the sample
 * before, and counters that are still held */
static const char *const not_pmu[] = {
    "decoded",    "history",     "ebb.delivered", "ebb.unheard",  "pdis.seen", "pdis.prior",
    "pdis.ended", "collided",    "pdis.age",      "pdis.pc",      "pdis.type", "pdis.mode",
    "stages",     "amb.current", "amb.next",      "amb.asks",     "amb.mode",  "amb.queue",
    "amb.first",  "amb.sent",    "amb.done",      "pmu->inhibit", NULL};

static bool refuse(const struct restore *r, unsigned hart, const char *field, const char *why,
                   struct error *error) {
    const char *arrow = strstr(field, "->");
    return error_set(error, "%s: hart %u: %s cannot be given to the RTL: %s", r->path, hart,
                     arrow ? arrow + 2 : field, why);
}

static bool same(const struct restore *r, unsigned hart, const struct state_copy *file, struct state_copy *is,
                 const char *const *except, struct error *error) {
    char why[128];
    unsigned i = 0;
    const struct state_field *f = state_copy_differs(file, is, except, &i);
    if (is->failed || file->failed)
        return error_set(error, "not enough memory");
    if (!f)
        return true;
    const char *name = strstr(f->name, "->") ? strstr(f->name, "->") + 2 : f->name;
    if (strcmp(name, "pdis.active") == 0 || strcmp(name, "amb.used") == 0)
        return refuse(r, hart, f->name, "a sample is under way; take the checkpoint some instructions later",
                      error);
    snprintf(why, sizeof why, "number %u is 0x%llx, the machine has 0x%llx", i,
             (unsigned long long)state_copy_get(file, name, i),
             (unsigned long long)state_copy_get(is, name, i));
    return refuse(r, hart, f->name, why, error);
}

static bool compare(const struct restore *r, unsigned hart, struct error *error) {
    const struct lockstep_state *golden = &r->held.golden[hart];
    struct state_copy is[2];
    state_copy_init(&is[0], "hart");
    state_copy_init(&is[1], "pmu");
    gh_state(golden->hart, &is[0].state);
    gp_state(golden->pmu, &is[1].state);
    const bool ok =
        same(r, hart, &r->hart, &is[0], not_hart, error) && same(r, hart, &r->pmu, &is[1], not_pmu, error);
    state_copy_free(&is[0]);
    state_copy_free(&is[1]);
    return ok;
}

/* --- reservation, devices ------------------------------------------------------------------------- */

struct giver {
    struct tally_state state;
    const struct state_copy *from;
};

static void give(struct tally_state *s, const char *name, void *at, unsigned bytes, uint64_t n) {
    const char *field = strstr(name, "->");
    if (n == 1 && field && (strstr(name, "linked") || strstr(name, "reserved")))
        bytes_put(at, state_copy_get(((struct giver *)s)->from, field + 2, 0), bytes);
}

/* Of an LR, which no CSR shows */
static void put_reservation(struct restore *r, unsigned hart, struct sim_devices *d) {
    struct giver giver = {.state = {.reads = true, .numbers = give}, .from = &r->hart};
    gh_state(r->held.golden[hart].hart, &giver.state);
    d->reserved[hart] = get(r, "reserved", 0);
    d->reserved_line[hart] = get(r, "reserved_line", 0);
}

static void fill_devices(const struct restore *r, struct sim_devices *d) {
    const struct iss *iss = &r->iss;
    for (unsigned h = 0; h < iss->cfg.harts; h++) {
        d->msip[h] = iss->aclint.msip[h];
        d->mtimecmp[h] = iss->aclint.mtimecmp[h];
    }
    d->pending = iss->plic.pending;
    d->claimed = iss->plic.claimed;
    memcpy(d->priority, iss->plic.priority, sizeof d->priority);
    memcpy(d->enable, iss->plic.enable, sizeof d->enable);
    memcpy(d->threshold, iss->plic.threshold, sizeof d->threshold);
    d->ier = iss->uart.ier;
    d->fcr = iss->uart.fcr;
    d->lcr = iss->uart.lcr;
    d->mcr = iss->uart.mcr;
    d->scr = iss->uart.scr;
    d->dll = iss->uart.dll;
    d->dlm = iss->uart.dlm;
    d->thre = iss->uart.thre_pending;
    d->rx_n = iss->uart.rx_n;
    for (unsigned i = 0; i < d->rx_n; i++)
        d->rx[i] = iss->uart.rx[(iss->uart.rx_head + i) % sizeof d->rx];
}

/* So that the harts are let go at the file's time */
static bool put_devices(struct restore *r, struct sim_devices *d) {
    struct sim *sim = r->held.sim;
    const int before = DEVICE_CYCLES + HELD_FOLLOW, ratio = (int)sim->ops->time_ratio;
    bool ok = true;
    fill_devices(r, d);
    for (int i = 0; i < DEVICE_CYCLES; i++) {
        int cycles = (int)r->iss.divider - before + i;
        d->mtime = r->iss.aclint.mtime;
        for (; cycles < 0 && d->mtime; cycles += ratio)
            d->mtime--;
        d->divider = cycles < 0 ? 0 : (unsigned)cycles;
        sim->ops->devices(sim, d, true);
        ok = ok && held_run(&r->held, 1);
    }
    return ok;
}

/* Behind all that empties it */
static void put_warm(struct restore *r) {
    struct sim *sim = r->held.sim;
    for (unsigned h = 0; r->iss.warm && h < sim->harts; h++)
        if (!sim->ops->put_warm(sim, h, &r->iss.warm[h])) {
            fprintf(stderr,
                    "tally-sim: %s: predictor and caches stay empty: this machine's have other sizes\n",
                    r->path);
            return;
        }
}

/* --- the whole ------------------------------------------------------------------------------------ */

static void take(struct restore *r, unsigned hart) {
    state_copy_free(&r->hart);
    state_copy_free(&r->pmu);
    state_copy_init(&r->hart, "hart");
    state_copy_init(&r->pmu, "pmu");
    gh_state(r->iss.hart[hart].core, &r->hart.state);
    gp_state(r->iss.hart[hart].pmu, &r->pmu.state);
}

static bool put_hart(struct restore *r, unsigned hart) {
    take(r, hart);
    return PUT_LIST(r, hart, gated) && put_counters(r, hart) && put_pmp(r, hart) &&
           PUT_LIST(r, hart, plain) && PUT_LIST(r, hart, sampling) && put_registers(r, hart);
}

static void copy_ram(uint8_t *to, const uint8_t *from, uint64_t size) {
    for (uint64_t at = 0; at < size; at += PAGE)
        if (memcmp(to + at, from + at, PAGE) != 0)
            memcpy(to + at, from + at, PAGE);
}

static bool put_all(struct restore *r, struct error *error) {
    struct sim_devices devices = {0};
    struct held *held = &r->held;
    const unsigned harts = held->sim->harts;
    bool ok = held_begin(held);
    for (unsigned h = 0; h < harts; h++)
        ok = ok && put_hart(r, h);
    for (unsigned h = 0; h < harts && ok; h++) {
        take(r, h);
        if (!compare(r, h, error))
            return false;
        /* counters go on from here */
        ok = put_csr(r, h, TALLY_CSR_MCOUNTINHIBIT, get(r, "inhibit", 0));
        put_reservation(r, h, &devices);
    }
    held_forget(held);
    if (ok && put_devices(r, &devices)) {
        put_warm(r);
        held_end(held);
    }
    return (ok && !held->failed) || error_set(error, "%s: %s", r->path, held->refusal);
}

bool restore_put(struct restore *r, struct sim *sim, struct lockstep *lockstep, struct cycles *const *cycles,
                 unsigned flags, struct error *error) {
    held_init(&r->held, sim, lockstep, cycles);
    r->held.flags = flags & ~(unsigned)SIM_WATCH;
    copy_ram(r->held.golden[0].ram, sim->ram, sim->ram_size);
    if (!put_all(r, error))
        return false;
    lockstep_begin(lockstep);
    sim->cycle = 0;
    sim->retired[0] = r->iss.retired;
    return true;
}
