// SPDX-License-Identifier: Apache-2.0
#include "lockstep.h"

#include "golden_state.h"
#include "probe.h"
#include "samples.h"
#include "tally_hart.h"
#include "tally_spec.h"
#include "trace.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum {
    HISTORY = 32,         /* events shown before a difference */
    IRQ_BOUND = 4096,     /* cycles in which an enabled interrupt must be taken */
    STUCK_BOUND = 200000, /* cycles in which an instruction must retire, unless the hart is in WFI */
    WORDS_MAX = 256,      /* words of sample records not yet in memory */
    CLEARING = 32,        /* cycles after reset in which ret_max_o is 0: counters in a RAM */
};

static const uint64_t irq_lines = 1u << 3 | 1u << 5 | 1u << 7 | 1u << 9 | 1u << 11;
static const uint64_t interrupt_bit = 1ull << 63;

struct record {
    uint64_t cycle;
    struct sim_probe event;
};

/* 64 bits of a sample record that the bus has accepted and not yet performed */
struct word {
    uint64_t address, data;
};

struct hart {
    struct lockstep *all;
    unsigned id;
    struct gh *model;
    struct gp *pmu;
    struct gp_out pmu_out;      /* golden */
    const struct gp_in *pmu_in; /* of this cycle */
    const struct sim_probe *event;
    struct gh_retire done; /* the golden hart's last step */
    bool pmu_access;       /* the golden hart accessed the PMU in this step */
    bool retire_differs, outputs_differ;
    bool csrs_due; /* compare them in the next cycle, when the RTL has them */
    uint32_t mip;
    uint64_t irq_since;  /* cycle of the first check with an interrupt due; 0: none */
    uint64_t last_event; /* cycle */
    uint64_t boundary;   /* cycle of the event before */
    uint64_t ebb_since;  /* first cycle of the golden PMU's request of a branch; 0: none */
    struct record history[HISTORY];
    uint64_t events;
    struct gp_ledger ledger; /* of its samples */
    struct samples samples;
    struct word words[WORDS_MAX];
    unsigned taken, performed; /* words, ever */
};

struct lockstep {
    const struct machine *machine;
    const struct sim *sim;
    unsigned harts;
    uint8_t *ram;
    uint64_t last_store; /* cycle */
    struct hart hart[SOC_HARTS_MAX];
};

/* --- Reporting -------------------------------------------------------------------------------- */

static void print_pc(const struct lockstep *l, const char *what, uint64_t pc) {
    char name[256];
    symbols_name(&l->machine->symbols, pc, name, sizeof name);
    fprintf(stderr, "  %s 0x%" PRIx64 "%s%s%s\n", what, pc, *name ? " <" : "", name, *name ? ">" : "");
}

static void print_history(const struct hart *h) {
    char line[256], name[128];
    const uint64_t first = h->events > HISTORY ? h->events - HISTORY : 0;
    fprintf(stderr, "  last %" PRIu64 " instructions and traps of hart %u (RTL), the newest last:\n",
            h->events - first, h->id);
    for (uint64_t i = first; i < h->events; i++) {
        const struct record *r = &h->history[i % HISTORY];
        trace_line(line, sizeof line, r->cycle, h->id, &r->event);
        symbols_name(&h->all->machine->symbols, r->event.pc, name, sizeof name);
        fprintf(stderr, "  %s%s%s%s\n", line, *name ? "  <" : "", name, *name ? ">" : "");
    }
}

/* The head of a report. Every difference goes through here and returns false. */
static bool differ(const struct hart *h, const char *what, uint64_t expected, uint64_t found) {
    const struct lockstep *l = h->all;
    flockfile(stderr); /* another thread may print its progress */
    fprintf(stderr, "\ntally-sim: lockstep: difference in cycle %" PRIu64 ", hart %u: %s\n", l->sim->cycle,
            h->id, what);
    fprintf(stderr, "  expected 0x%016" PRIx64 " (golden model)\n  found    0x%016" PRIx64 " (RTL)\n",
            expected, found);
    if (h->event) {
        print_pc(l, "pc in the RTL:      ", h->event->pc);
        print_pc(l, "pc in the golden one:", h->done.pc);
    }
    print_history(h);
    funlockfile(stderr);
    return false;
}

static void remember(struct hart *h, const struct sim_probe *event) {
    struct record *r = &h->history[h->events++ % HISTORY];
    r->cycle = h->all->sim->cycle;
    r->event = *event;
}

/* --- Services for the golden hart ------------------------------------------------------------- */

static uint64_t truncate_to(uint64_t value, unsigned bytes) {
    return bytes == 8 ? value : value & ((1ull << (8 * bytes)) - 1);
}

static uint64_t rom_load(const struct hart *h, uint64_t address, unsigned size) {
    const uint64_t offset = address - SOC_ROM_BASE;
    if (offset / 8 >= SOC_ROM_WORDS)
        return 0;
    return truncate_to(h->all->machine->rom[offset / 8] >> (8 * (offset % 8)), size);
}

static bool dev_load(void *ctx, uint64_t address, unsigned size, uint64_t *value) {
    const struct hart *h = ctx;
    if (!soc_answers(address, size, false))
        return false;
    *value = soc_in(address, SOC_ROM_BASE, SOC_ROM_SIZE) ? rom_load(h, address, size)
                                                         : truncate_to(h->event->rd_val, size);
    return true;
}

static bool dev_store(void *ctx, uint64_t address, unsigned size, uint64_t value) {
    (void)ctx, (void)value;
    return soc_answers(address, size, true);
}

static bool dev_exec(void *ctx, uint64_t address) {
    (void)ctx;
    return soc_in(address, SOC_ROM_BASE, SOC_ROM_SIZE);
}

static enum gh_csr_answer for_hart(enum gp_answer answer) {
    static const enum gh_csr_answer answers[] = {[GP_CSR_OK] = GH_CSR_OK,
                                                 [GP_CSR_ILLEGAL] = GH_CSR_ILLEGAL,
                                                 [GP_CSR_VIRTUAL] = GH_CSR_VIRTUAL,
                                                 [GP_CSR_NOT_MINE] = GH_CSR_NOT_MINE};
    return answers[answer];
}

/* Is an event-based branch due at this boundary? By the golden PMU's state and the golden hart's mode. */
static bool ebb(void *ctx, unsigned priv, uint64_t *target) {
    const struct hart *h = ctx;
    const struct gp_mode mode = {.priv = (uint8_t)priv};
    return gp_ebb_request(h->pmu, &mode, &h->pmu_in->env, target);
}

static enum gh_csr_answer uebret(void *ctx, unsigned priv, bool ge, uint64_t *target) {
    const struct hart *h = ctx;
    const struct gp_mode mode = {.priv = (uint8_t)priv};
    (void)ge;
    return for_hart(gp_uebret_answer(h->pmu, &mode, &h->pmu_in->env, target));
}

static enum gh_csr_answer pmu_csr(void *ctx, unsigned num, unsigned op, uint64_t wdata, unsigned priv,
                                  uint64_t *rdata) {
    struct hart *h = ctx;
    const struct gp_csr access = {
        .valid = true, .op = (uint8_t)op, .priv = (uint8_t)priv, .num = (uint16_t)num, .wdata = wdata};
    const enum gh_csr_answer answer = for_hart(gp_csr_answer(h->pmu, &access, &h->pmu_in->env, rdata));
    /* An access to stimecmp also reads mcounteren.TM; the program does not access it. */
    if (answer == GH_CSR_OK && h->event->insn >> 20 == num)
        h->pmu_access = true;
    return answer;
}

/* --- The hart --------------------------------------------------------------------------------- */

#define CHECK(h, what, expected, found)                                                                      \
    do {                                                                                                     \
        const uint64_t expected_ = (expected), found_ = (found);                                             \
        if (expected_ != found_)                                                                             \
            return differ(h, what, expected_, found_);                                                       \
    } while (0)

/* An instruction that cannot be taken back once it has begun: LR, SC, AMO, loads of devices, those that act
 * at commit; also one that sets A or D, as the golden hart reports */
static bool acts_early(const struct hart *h, const struct sim_probe *e) {
    const unsigned opcode = e->insn & 0x7F;
    return opcode == 0x2F || opcode == 0x73 || opcode == 0x0F || h->done.sets_ad ||
           (e->mem_op == SIM_MEM_LOAD && !soc_in(e->mem_paddr, SOC_RAM_BASE, h->all->sim->ram_size));
}

static struct gh_hint make_hint(const struct hart *h, const struct sim_probe *e) {
    struct gh_hint hint = {0};
    /* A branch that no instruction caused may come while such an instruction is under way: it precedes the
     * next. One that is due in the first cycle behind an instruction is delivered there. */
    hint.ebb_deferred = h->ebb_since > h->boundary + 1 && !e->ebb;
    if (e->trap && e->cause & interrupt_bit) {
        hint.irq = true;
        hint.irq_cause = e->cause & ~interrupt_bit;
    }
    if (h->all->harts > 1 && e->retire) {
        const unsigned bytes = 1u << e->mem_size;
        if (e->mem_op == SIM_MEM_SC) {
            hint.sc_forced = true;
            hint.sc_failed = e->sc_fail;
        } else if (e->mem_op == SIM_MEM_LOAD || e->mem_op == SIM_MEM_LR || e->mem_op == SIM_MEM_AMO) {
            /* the trace has no value of a load into x0, and none is needed; it always has that of an AMO */
            hint.load_forced = e->rd_we || e->mem_op == SIM_MEM_AMO;
            hint.load_value = truncate_to(e->rd_val, bytes);
        }
    }
    return hint;
}

static bool compare_trap(const struct hart *h, const struct sim_probe *e, const struct gh_retire *g) {
    CHECK(h, "trap cause", g->cause, e->cause);
    CHECK(h, "trap epc", g->epc, e->epc);
    CHECK(h, "trap tval", g->tval, e->tval);
    return true;
}

/* The golden model reports the access (a failed SC is none), the RTL the kind of instruction. */
static bool compare_memory(const struct hart *h, const struct sim_probe *e, const struct gh_retire *g) {
    static const enum gh_mem kinds[8] = {GH_MEM_NONE, GH_MEM_LOAD, GH_MEM_STORE,
                                         GH_MEM_AMO,  GH_MEM_LOAD, GH_MEM_STORE};
    const bool failed_sc = e->mem_op == SIM_MEM_SC && e->sc_fail;
    CHECK(h, "kind of memory access (0 none, 1 load, 2 store, 3 AMO)", g->mem,
          failed_sc ? GH_MEM_NONE : kinds[e->mem_op & 7]);
    if (g->mem == GH_MEM_NONE)
        return true;
    CHECK(h, "size of memory access", g->mem_size, 1u << e->mem_size);
    CHECK(h, "virtual address", g->mem_vaddr, e->mem_vaddr);
    CHECK(h, "physical address", g->mem_paddr, e->mem_paddr);
    if (g->mem == GH_MEM_STORE)
        CHECK(h, "data stored", g->mem_wdata, truncate_to(e->mem_wdata, g->mem_size));
    return true;
}

/* With one hart there are no other writers. */
static bool compare_amo_result(const struct hart *h, const struct sim_probe *e, const struct gh_retire *g) {
    const uint64_t size = h->all->machine->memory.size;
    if (g->mem == GH_MEM_AMO && h->all->harts == 1 && soc_in(g->mem_paddr, SOC_RAM_BASE, size))
        CHECK(h, "result of the AMO in RAM", g->mem_wdata, e->mem_result);
    return true;
}

static bool compare_retired(const struct hart *h, const struct sim_probe *e, const struct gh_retire *g) {
    CHECK(h, "instruction", g->insn, e->insn);
    CHECK(h, "writes a register", g->rd_we, e->rd_we && e->rd != 0);
    if (g->rd_we) {
        CHECK(h, "register written", g->rd, e->rd);
        CHECK(h, "value written to the register", g->rd_value, e->rd_val);
    }
    return compare_memory(h, e, g) && compare_amo_result(h, e, g);
}

/* A legal access to the PMU must reach it in this cycle, as the golden hart made it, and nothing else may. */
static bool compare_pmu_access(const struct hart *h, const struct gh_retire *g) {
    const struct gp_out *o = &h->pmu_out;
    CHECK(h, "CSR access at the PMU", h->pmu_access && !g->trap,
          h->pmu_in->csr.valid && o->csr_hit && !o->csr_illegal && !o->csr_virtual);
    return true;
}

/* Delivered exactly where the golden models say, after every interrupt that is due; uebret acts on the PMU.
 */
static bool compare_ebb(const struct hart *h, const struct gh_retire *g, bool interrupt_due) {
    CHECK(h, "event-based branch delivered although an interrupt is due", 0, g->ebb && interrupt_due);
    CHECK(h, "event-based branch acknowledged at the PMU", g->ebb, h->pmu_in->ebb_ack);
    if (g->ebb)
        CHECK(h, "pc of the branch at the PMU", g->pc, h->pmu_in->ret_next_pc);
    CHECK(h, "uebret at the PMU", g->uebret, h->pmu_in->ret_uebret);
    if (g->uebret)
        CHECK(h, "operand of uebret at the PMU", g->uebret_ge, h->pmu_in->ret_uebret_ge);
    return true;
}

static bool step_hart(struct hart *h, const struct sim_probe *e) {
    const struct gh_hint hint = make_hint(h, e);
    struct gh_retire *g = &h->done;

    h->pmu_access = false;
    gh_set_mip(h->model, e->mip & irq_lines, 0);
    const int64_t due = hint.irq || e->ebb ? gh_pending_interrupt(h->model) : -1;
    gh_step(h->model, &hint, g);

    CHECK(h, "pc", g->pc, e->pc);
    if (g->error)
        return differ(h, g->error, (uint64_t)due, hint.irq ? hint.irq_cause : 0);
    CHECK(h, "trap taken", g->trap, e->trap);
    CHECK(h, "event-based branch", g->ebb, e->ebb);
    if (hint.ebb_deferred && !hint.irq && !acts_early(h, e))
        return differ(h, "an instruction before which a branch was due", 0, 1);
    CHECK(h, "privilege", g->priv, e->priv);
    if (!(g->trap ? compare_trap(h, e, g) : g->ebb || compare_retired(h, e, g)))
        return false;
    if (SOC_EBB && !compare_ebb(h, g, due >= 0))
        return false;
    CHECK(h, "next pc", g->next_pc, e->next_pc);
    if (!compare_pmu_access(h, g))
        return false;
    CHECK(h, "mode at the PMU", g->priv, h->pmu_in->mode.priv);
    CHECK(h, "retirement at the PMU", !g->trap && !g->ebb, h->pmu_in->retire[0].valid);
    h->csrs_due = g->csr_changed || e->csr_changed;
    if (g->mem == GH_MEM_STORE || g->mem == GH_MEM_AMO) {
        h->all->last_store = h->all->sim->cycle;
        for (unsigned i = 0; i < h->all->harts; i++) {
            if (i != h->id)
                gh_reservation_break(h->all->hart[i].model, g->mem_paddr);
        }
    }
    return true;
}

/* The golden hart's registers at the PMU's environment ports */
static bool compare_env(struct hart *h) {
    const struct gp_env *env = &h->pmu_in->env;
    bool known;
    const uint64_t menvcfg = gh_csr_peek(h->model, TALLY_CSR_MENVCFG, &known);
    CHECK(h, "menvcfg.CDE at the PMU", (menvcfg & TALLY_MENVCFG_CDE_MASK) != 0, env->cde);
    CHECK(h, "mstateen0 at the PMU", gh_csr_peek(h->model, TALLY_CSR_MSTATEEN0, &known), env->mstateen0);
    if (SOC_EBB)
        CHECK(h, "sstateen0 at the PMU", gh_csr_peek(h->model, TALLY_CSR_SSTATEEN0, &known), env->sstateen0);
    return true;
}

static bool compare_csrs(struct hart *h) {
    const struct sim *sim = h->all->sim;
    uint64_t mip = 0;
    h->csrs_due = false;
    if (sim->ops->csr(sim, h->id, TALLY_CSR_MIP, &mip))
        gh_set_mip(h->model, mip & irq_lines, 0);
    for (const uint16_t *num = gh_csr_list; *num != 0xFFFF; num++) {
        uint64_t found;
        bool known;
        const uint64_t expected = gh_csr_peek(h->model, *num, &known);
        if (known && sim->ops->csr(sim, h->id, *num, &found) && found != expected) {
            char what[32];
            snprintf(what, sizeof what, "CSR 0x%03x", *num);
            return differ(h, what, expected, found);
        }
    }
    return compare_env(h);
}

static bool check_progress(struct hart *h, uint64_t cycle) {
    uint64_t mip = 0;
    if (h->all->sim->ops->csr(h->all->sim, h->id, TALLY_CSR_MIP, &mip))
        gh_set_mip(h->model, mip & irq_lines, 0);
    const bool held = h->all->sim->flow[h->id].held; /* by a debugger */
    h->last_event = held ? cycle : h->last_event;
    if (held || gh_pending_interrupt(h->model) < 0)
        h->irq_since = 0;
    else if (!h->irq_since)
        h->irq_since = cycle;
    if (h->irq_since && cycle - h->irq_since > IRQ_BOUND)
        return differ(h, "an enabled interrupt is pending and not taken",
                      (uint64_t)gh_pending_interrupt(h->model), 0);
    if (cycle - h->last_event > STUCK_BOUND && !h->pmu_in->mode.halted)
        return differ(h, "cycles without an instruction, and the hart is not in WFI", STUCK_BOUND,
                      cycle - h->last_event);
    return true;
}

/* --- The PMU ---------------------------------------------------------------------------------- */

static bool compare_pmu(const struct hart *h, const struct gp_in *in, const struct gp_out *out,
                        const struct gp_out *rtl) {
#define COMPARE(field, signal, valid)                                                                        \
    if (out->field != rtl->field && (valid))                                                                 \
        return differ(h, "PMU output " #signal, out->field, rtl->field);
    const bool waits = in->csr.num || (h->all->sim->ops->counter_ram && h->all->sim->cycle < CLEARING);
    PROBE_PMU_OUT(COMPARE)
#undef COMPARE
    const bool exception = h->event && h->event->trap && !(h->event->cause >> 63);
    if (!rtl->ret_max && (in->retire[0].valid || in->csr.valid || exception))
        return differ(h, "retirement, CSR access or exception while ret_max_o is 0", 0, 1);
    if (in->csr.valid && !in->csr.num)
        return differ(h, "csr_valid_i beside csr_num_i 0", 0, 1);
    return true;
}

/* Every overflow of the sampling counter has one outcome: the ledger must balance in every cycle. */
static bool keep_books(struct hart *h, const struct gp_in *in) {
    const struct gp_out *o = &h->pmu_out;
    if (h->samples.active || o->dec_sample || in->rec_done)
        samples_cycle(&h->samples, h->pmu, in, o);
    if (!o->overflows && !o->dec_sample && o->end == GP_END_NONE)
        return true;
    const bool acc = gp_peek(h->pmu, TALLY_CSR_MPDISCTL) & TALLY_MPDISCTL_ACC_MASK;
    return gp_ledger_add(&h->ledger, o, acc) ||
           differ(h, "overflows of the sampling counter, against ends of samples", h->ledger.overflows,
                  h->ledger.selected);
}

/* Interrupts that the golden PMU raises at the next clock edge; they win over a clear in this cycle. */
static void raise_interrupts(struct hart *h) {
    const struct gp_out *o = &h->pmu_out;
    const uint64_t set = (uint64_t)o->irq_lcofi << TALLY_INT_LCOFI |
                         (uint64_t)o->irq_lambi << TALLY_INT_LAMBI |
                         (uint64_t)o->irq_andes << TALLY_INT_ANDES;
    if (set)
        gh_set_mip(h->model, h->mip & irq_lines, set);
}

/* A page of the golden PMU's buffer was translated: the walk may have set A and D, fault or not. */
static void walk_for_records(struct hart *h, const struct gp_in *in) {
    enum { MODE_SATP = 1 };
    if (in->xlat_done && h->pmu_out.xlat_req && h->pmu_out.xlat_mode == MODE_SATP)
        gh_record_page(h->model, h->pmu_out.xlat_vaddr, &(uint64_t){0});
}

/* A write of the golden PMU is in RAM when the bus reports it done. */
static void write_records(struct hart *h, const struct gp_in *in) {
    const struct gp_out *o = &h->pmu_out;
    if (o->rec_valid && in->rec_ready)
        h->words[h->taken++ % WORDS_MAX] = (struct word){o->rec_addr, o->rec_data};
    if (!in->rec_done)
        return;
    const struct word *w = &h->words[h->performed++ % WORDS_MAX];
    const uint64_t offset = w->address - SOC_RAM_BASE;
    if (offset < h->all->machine->memory.size)
        memcpy(h->all->ram + offset, &w->data, 8);
    for (unsigned i = 0; i < h->all->harts; i++) {
        if (i != h->id)
            gh_reservation_break(h->all->hart[i].model, w->address);
    }
    h->all->last_store = h->all->sim->cycle;
}

/* --- Interface -------------------------------------------------------------------------------- */

bool lockstep_cycle(struct lockstep *l, unsigned hart, const struct sim_probe *event,
                    const struct gp_in *pmu_in, const struct gp_out *pmu_out) {
    struct hart *h = &l->hart[hart];
    const uint64_t cycle = l->sim->cycle;

    h->pmu_in = pmu_in;
    h->event = event;
    if (h->csrs_due && !compare_csrs(h))
        return false;
    if (!l->sim->flow[hart].held) /* under a debugger the hart acts as M-mode */
        CHECK(h, "mode at the PMU of what retires, now or next", gh_priv(h->model), pmu_in->retire[0].mode);
    gp_eval(h->pmu, pmu_in, &h->pmu_out);
    h->ebb_since = h->pmu_out.ebb_req ? h->ebb_since ? h->ebb_since : cycle : 0;
    if (event) {
        h->boundary = h->last_event;
        h->last_event = cycle;
        h->mip = event->mip;
        remember(h, event);
        if (event->trap)
            h->irq_since = 0;
        if (!step_hart(h, event)) {
            h->retire_differs = true;
            return false;
        }
    } else if (pmu_in->ebb_ack || pmu_in->ret_uebret) {
        return differ(h, "event-based branch or uebret at the PMU without one in the hart", 0, 1);
    } else if (cycle % LOCKSTEP_MIP_INTERVAL == 0 && !check_progress(h, cycle)) {
        return false;
    }
    if (!compare_pmu(h, pmu_in, &h->pmu_out, pmu_out) || !keep_books(h, pmu_in)) {
        h->outputs_differ = true;
        return false;
    }
    raise_interrupts(h);
    walk_for_records(h, pmu_in);
    write_records(h, pmu_in);
    gp_clock(h->pmu, pmu_in);
    return true;
}

void lockstep_samples(const struct lockstep *l, unsigned hart, FILE *out) {
    if (SOC_SAMPLING)
        samples_report(&l->hart[hart].samples, out);
}

bool lockstep_quiet(const struct lockstep *l, uint64_t cycles) {
    return l->sim->cycle - l->last_store > cycles;
}

bool lockstep_compare_ram(struct lockstep *l) {
    const uint64_t size = l->machine->memory.size;
    if (l->harts > 1 || memcmp(l->ram, l->sim->ram, size) == 0)
        return true;
    for (uint64_t i = 0; i < size; i += 8) {
        uint64_t expected, found;
        memcpy(&expected, l->ram + i, 8);
        memcpy(&found, l->sim->ram + i, 8);
        if (expected != found) {
            char what[64];
            snprintf(what, sizeof what, "RAM at 0x%" PRIx64 " after the end", SOC_RAM_BASE + i);
            l->hart[0].event = NULL;
            return differ(&l->hart[0], what, expected, found);
        }
    }
    return true;
}

void lockstep_view(const struct lockstep *l, unsigned hart, struct sim_golden *v) {
    const struct hart *h = &l->hart[hart];
    v->ret_pc = h->done.pc;
    v->ret_insn = h->done.insn;
    v->retire_differs = h->retire_differs;
    v->outputs_differ = h->outputs_differ;
    v->out = h->pmu_out;
    v->mip_known = ~(irq_lines | 1u << TALLY_INT_STI);
    golden_state(h->model, h->pmu, v);
}

struct lockstep_state lockstep_state(struct lockstep *l, unsigned hart) {
    struct hart *h = &l->hart[hart];
    return (struct lockstep_state){h->model, h->pmu, &h->done, l->ram, &h->csrs_due, &h->pmu_out};
}

static bool new_hart(struct lockstep *l, unsigned id) {
    struct hart *h = &l->hart[id];
    const struct gh_host host = {.ctx = h,
                                 .dev_load = dev_load,
                                 .dev_store = dev_store,
                                 .dev_exec = dev_exec,
                                 .pmu_csr = pmu_csr,
                                 .ebb = SOC_EBB ? ebb : NULL,
                                 .uebret = SOC_EBB ? uebret : NULL};
    const struct gh_config config = {.xlen = 64,
                                     .hartid = id,
                                     .reset_pc = SOC_ROM_BASE,
                                     .ram_base = SOC_RAM_BASE,
                                     .ram_size = l->machine->memory.size,
                                     .ram = l->ram,
                                     .lockstep = true,
                                     .andes = true,
                                     .zba_zbb = true,
                                     .smepmp = l->machine->smepmp};
    struct gp_config pmu;
    gp_config_default(&pmu);
    pmu.hpm_n = SOC_HPM_N;
    pmu.sspesa = pmu.smpdis = SOC_SAMPLING;
    pmu.ebb = SOC_EBB;
    h->samples.queue = pmu.pdis_queue;
    h->all = l;
    h->id = id;
    h->model = gh_new(&config, &host);
    h->pmu = gp_new(&pmu);
    return h->model && h->pmu;
}

struct lockstep *lockstep_new(const struct machine *machine, unsigned harts, struct error *error) {
    const struct memory *m = &machine->memory;
    struct lockstep *l = calloc(1, sizeof *l);
    bool ok = l && (l->ram = machine_ram(m->size));
    if (ok) {
        l->machine = machine;
        l->harts = harts;
        for (unsigned i = 0; i < m->used_n; i++)
            memcpy(l->ram + (m->used[i].start - m->base), m->bytes + (m->used[i].start - m->base),
                   m->used[i].end - m->used[i].start);
        for (unsigned i = 0; i < harts; i++)
            ok &= new_hart(l, i);
    }
    if (ok)
        return l;
    lockstep_free(l);
    error_set(error, "not enough memory for the golden models");
    return NULL;
}

void lockstep_free(struct lockstep *l) {
    if (!l)
        return;
    for (unsigned i = 0; i < SOC_HARTS_MAX; i++) {
        gh_free(l->hart[i].model);
        gp_free(l->hart[i].pmu);
    }
    if (l->machine)
        machine_ram_free(l->ram, l->machine->memory.size);
    free(l);
}

void lockstep_attach(struct lockstep *l, const struct sim *sim) {
    l->sim = sim;
    for (unsigned h = 0; h < l->harts; h++)
        for (unsigned i = 1; i < 32; i++)
            gh_set_reg(l->hart[h].model, i, sim->ops->reg(sim, h, i));
}

void lockstep_follow(struct lockstep *l, const struct sim *sim) { l->sim = sim; }

void lockstep_begin(struct lockstep *l) {
    l->last_store = 0;
    for (unsigned i = 0; i < l->harts; i++) {
        struct hart *h = &l->hart[i];
        h->irq_since = h->last_event = h->boundary = h->ebb_since = h->events = 0;
    }
}
