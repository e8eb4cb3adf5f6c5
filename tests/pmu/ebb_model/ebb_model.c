/* SPDX-License-Identifier: Apache-2.0 */
#include "ebb_model.h"

#include <string.h>

static uint32_t bit(unsigned n) { return UINT32_C(1) << n; }

static uint64_t xlen_mask(const struct ebb_config *c) { return c->xlen == 64 ? UINT64_MAX : UINT32_MAX; }

static uint64_t width_mask(const struct ebb_config *c) {
    return c->width == 64 ? UINT64_MAX : (UINT64_C(1) << c->width) - 1;
}

static uint64_t pc_mask(const struct ebb_config *c) {
    return xlen_mask(c) & ~((UINT64_C(1) << c->pc_zeros) - 1);
}

void ebb_reset(struct ebb_state *s) { memset(s, 0, sizeof *s); }

/* Gates (docs/rulings.md, EBB gates) */

static bool supervisor_gate(const struct ebb_config *c, const struct ebb_state *s, const struct ebb_env *e) {
    return s->mebbctl_en && (!c->smstateen || e->mstateen_c);
}

/* "while it is closed sebbctl keeps its value and acts as 0": so EN is 0 then, too. */
static bool user_gate(const struct ebb_config *c, const struct ebb_state *s, const struct ebb_env *e) {
    return supervisor_gate(c, s, e) && s->sebbctl_en && (!c->smstateen || e->sstateen_c);
}

/* Delegated (privileged manual, Smcdeleg/Ssccfg): mcounteren n and CDE. A counter that is not built has no
   bit anywhere (Absent counters). */
static uint32_t delegated(const struct ebb_config *c, const struct ebb_state *s, const struct ebb_env *e) {
    return e->cde ? s->mcounteren & c->counters : 0;
}

/* Routed: the bit acts, that is S-mode's gate is open, and the counter is delegated. Neither EN nor sstateen0
   nor WIN plays a part: EBB gates gives them access and delivery, and only the closed gate of S-mode makes
   all of sebbctl 0. */
uint32_t ebb_routed(const struct ebb_config *c, const struct ebb_state *s, const struct ebb_env *e) {
    return supervisor_gate(c, s, e) ? s->sebbctl_route & delegated(c, s, e) : 0;
}

/* uebbcnth "on RV32, else illegal in every mode" (EBB window): it does not exist, so with V=1 it is illegal
   as well. uebbspc "with Sspesa only": the same. */
bool ebb_exists(const struct ebb_config *c, unsigned number) {
    switch (number) {
    case EBB_UBESCR:
    case EBB_UEBBHR:
    case EBB_UEBBRR:
    case EBB_UEBBOVF:
    case EBB_UEBBINH:
    case EBB_UEBBSEL:
    case EBB_UEBBCNT:
    case EBB_SEBBCTL:
    case EBB_MEBBCTL:
        return true;
    case EBB_UEBBCNTH:
        return c->xlen == 32;
    case EBB_UEBBSPC:
        return c->sspesa;
    default:
        return false;
    }
}

enum ebb_verdict ebb_rights(const struct ebb_config *c, const struct ebb_state *s, const struct ebb_env *e,
                            const struct ebb_access *a) {
    if (!ebb_exists(c, a->number))
        return EBB_ILLEGAL;
    if (a->v) {
        /* mebbctl "is M-mode's alone": for HS-mode it is illegal, so it is no virtual instruction in V=1
           (privileged manual, Hypervisor Extension, Trap Cause Codes), although EBB gates says "every
           access". */
        if (a->number == EBB_MEBBCTL)
            return EBB_ILLEGAL;
        return supervisor_gate(c, s, e) ? EBB_VIRTUAL : EBB_ILLEGAL;
    }
    switch (a->priv) {
    case EBB_M:
        return EBB_ALLOWED;
    case EBB_S:
        return a->number != EBB_MEBBCTL && supervisor_gate(c, s, e) ? EBB_ALLOWED : EBB_ILLEGAL;
    case EBB_U:
        break;
    }
    if (!user_gate(c, s, e))
        return EBB_ILLEGAL;
    switch (a->number) {
    case EBB_UBESCR:
    case EBB_UEBBHR:
    case EBB_UEBBRR:
        return EBB_ALLOWED;
    case EBB_SEBBCTL:
    case EBB_MEBBCTL:
        return EBB_ILLEGAL;
    default: /* the window */
        return s->sebbctl_win ? EBB_ALLOWED : EBB_ILLEGAL;
    }
}

enum ebb_verdict ebb_uebret(const struct ebb_config *c, const struct ebb_state *s, const struct ebb_env *e) {
    if (e->priv == EBB_M)
        return EBB_ILLEGAL;
    if (e->v)
        return supervisor_gate(c, s, e) ? EBB_VIRTUAL : EBB_ILLEGAL;
    return e->priv == EBB_U && user_gate(c, s, e) ? EBB_ALLOWED : EBB_ILLEGAL;
}

bool ebb_request(const struct ebb_config *c, const struct ebb_state *s, const struct ebb_env *e) {
    return e->priv == EBB_U && !e->v && !e->debug && user_gate(c, s, e) && s->ge && s->pmeo;
}

/* Views */

static uint32_t ubescr(const struct ebb_state *s) {
    return (uint32_t)s->ge << 31 | (uint32_t)s->fz << 18 | (uint32_t)s->pme << 16 | (uint32_t)s->pmeo;
}

uint64_t ebb_read(const struct ebb_config *c, const struct ebb_state *s, const struct ebb_env *e,
                  unsigned number) {
    uint32_t routed = ebb_routed(c, s, e);
    uint64_t shown = routed & bit(s->uebbsel) ? s->value[s->uebbsel] : 0;

    switch (number) {
    case EBB_UBESCR:
        return ubescr(s);
    case EBB_UEBBHR:
        return s->uebbhr;
    case EBB_UEBBRR:
        return s->uebbrr;
    case EBB_UEBBOVF:
        return s->of & routed;
    case EBB_UEBBINH:
        return s->uebbinh & routed;
    case EBB_UEBBSEL:
        return s->uebbsel;
    case EBB_UEBBCNT:
        return shown & xlen_mask(c);
    case EBB_UEBBCNTH:
        return shown >> 32;
    case EBB_UEBBSPC:
        return s->uebbspc;
    case EBB_SEBBCTL:
        /* While S-mode's gate is closed only M-mode gets here, and sees the kept value. */
        return (uint32_t)s->sebbctl_en | (uint32_t)s->sebbctl_win << 2 |
               (s->sebbctl_route & delegated(c, s, e));
    case EBB_MEBBCTL:
        return s->mebbctl_en;
    default:
        return 0;
    }
}

/* Counting */

static bool filter_counts(uint8_t filter, const struct ebb_env *e) {
    if (e->priv == EBB_M)
        return !(filter & EBB_MINH);
    if (e->priv == EBB_S)
        return !(filter & (e->v ? EBB_VSINH : EBB_SINH));
    return !(filter & (e->v ? EBB_VUINH : EBB_UINH));
}

bool ebb_counts(const struct ebb_config *c, const struct ebb_state *s, const struct ebb_env *e, unsigned n) {
    if (!(c->counters & bit(n)) || e->stopcount || (s->inhibit & bit(n)) || !filter_counts(s->filter[n], e))
        return false;
    if (!(ebb_routed(c, s, e) & bit(n)))
        return true;
    return e->priv == EBB_U && !e->v && !(s->uebbinh & bit(n)) && !(s->fz && s->pmeo);
}

struct count {
    uint64_t value;
    bool wrap;
    int cause;
    uint64_t pc;
    bool user;
};

/* One counter's steps, one after the other: lanes in order, then what no instruction causes. The pc of the
   latter is that of the oldest instruction that retires, else of the next (EBB overflow: also with an empty
   pipeline). */
static struct count count_steps(const struct ebb_config *c, const struct ebb_cycle *in, uint64_t value,
                                unsigned n) {
    struct count r = {value, false, EBB_NOBODY, 0, false};
    uint64_t oldest = in->next_pc;
    bool oldest_user = in->next_user;

    for (unsigned l = EBB_LANES; l-- > 0;) {
        if (in->lane[l].valid) {
            oldest = in->lane[l].pc;
            oldest_user = in->lane[l].user;
        }
    }
    for (unsigned l = 0; l < EBB_LANES; l++) {
        if (!in->lane[l].valid || !(in->lane[l].counters & bit(n)))
            continue;
        r.value = (r.value + 1) & width_mask(c);
        if (r.value == 0 && !r.wrap) {
            r.wrap = true;
            r.cause = (int)l;
            r.pc = in->lane[l].pc;
            r.user = in->lane[l].user;
        }
    }
    for (unsigned i = 0; i < in->steps[n]; i++) {
        r.value = (r.value + 1) & width_mask(c);
        if (r.value == 0 && !r.wrap) {
            r.wrap = true;
            r.pc = oldest;
            r.user = oldest_user;
        }
    }
    return r;
}

/* The next state of the registers that only software and ubescr's flags change; nothing here reads new
 * state */

static uint64_t write_value(uint64_t old, const struct ebb_access *a) {
    switch (a->op) {
    case EBB_SET:
        return old | a->data;
    case EBB_CLEAR:
        return old & ~a->data;
    case EBB_WRITE:
        return a->data;
    case EBB_READ:
        break;
    }
    return old;
}

/* uebbcnt is a counter's view, written as by another view (Counter writes). Of a counter
   that is not routed it writes nothing, which does not stop the counter either. */
static void write_count(const struct ebb_config *c, const struct ebb_state *s, const struct ebb_access *a,
                        uint64_t value, struct ebb_other *o) {
    uint64_t old = s->value[s->uebbsel];

    if (a->number == EBB_UEBBCNTH)
        value = (old & UINT32_MAX) | value << 32;
    else if (c->xlen == 32)
        value = (old & ~(uint64_t)UINT32_MAX) | (value & UINT32_MAX);
    o->value_written |= bit(s->uebbsel);
    o->value[s->uebbsel] = value & width_mask(c);
}

/* uebbovf: CSRRC names flags that are cleared before a wrap of the cycle (OF cleared in the cycle of a wrap).
   CSRRW writes all routed ones, and "also overwrites newer flags" (rulings, EBB window). CSRRS names flags,
   and of the others Zicsr says that they are not written: a newer flag stays. */
static void write_overflow(const struct ebb_access *a, uint32_t routed, struct ebb_other *o) {
    uint32_t data = (uint32_t)a->data & routed;

    if (a->op == EBB_CLEAR) {
        o->of_cleared |= data;
    } else if (a->op == EBB_SET) {
        o->of_set |= data;
    } else {
        o->of_written |= routed;
        o->of_value |= data;
    }
}

static void write_register(const struct ebb_config *c, const struct ebb_state *s, const struct ebb_env *e,
                           const struct ebb_access *a, struct ebb_state *next, struct ebb_other *o) {
    uint32_t routed = ebb_routed(c, s, e), open = delegated(c, s, e);
    uint64_t value = write_value(ebb_read(c, s, e, a->number), a);

    switch (a->number) {
    case EBB_UBESCR:
        next->ge = value >> 31 & 1;
        next->fz = value >> 18 & 1;
        next->pme = value >> 16 & 1;
        next->pmeo = value & 1;
        break;
    case EBB_UEBBHR:
        next->uebbhr = value & pc_mask(c);
        break;
    case EBB_UEBBRR:
        next->uebbrr = value & pc_mask(c);
        break;
    case EBB_UEBBOVF:
        write_overflow(a, routed, o);
        break;
    case EBB_UEBBINH:
        next->uebbinh = (s->uebbinh & ~routed) | ((uint32_t)value & routed);
        break;
    case EBB_UEBBSEL:
        next->uebbsel = value & 31;
        break;
    case EBB_UEBBCNT:
    case EBB_UEBBCNTH:
        if (routed & bit(s->uebbsel))
            write_count(c, s, a, value, o);
        break;
    case EBB_UEBBSPC:
        next->uebbspc = value & pc_mask(c);
        break;
    case EBB_SEBBCTL:
        next->sebbctl_en = value & 1;
        next->sebbctl_win = value >> 2 & 1;
        next->sebbctl_route = (s->sebbctl_route & ~open) | ((uint32_t)value & open);
        break;
    case EBB_MEBBCTL:
        next->mebbctl_en = value & 1;
        break;
    default:
        break;
    }
}

static void other_registers(const struct ebb_other *o, struct ebb_state *next) {
    for (unsigned n = 0; n < EBB_COUNTERS; n++) {
        if (o->filter_written & bit(n))
            next->filter[n] = o->filter[n];
    }
    if (o->inhibit_written)
        next->inhibit = o->inhibit;
    if (o->mcounteren_written)
        next->mcounteren = o->mcounteren;
    if (o->mcounterinen_written)
        next->mcounterinen = o->mcounterinen;
}

/* ubescr after a cycle (EBB overflow). A software write of OF is no overflow; but it counts for a later PME.
 */
static void flags(const struct ebb_state *s, struct ebb_state *next, const struct ebb_cycle *in,
                  uint32_t routed, struct ebb_result *r) {
    if (in->uebret)
        next->ge = in->uebret_ge;
    if (r->delivered)
        next->ge = false;
    if (!r->routed) {
        /* Nothing overflows: only a write of PME from 0 to 1 meets flags already set. */
    } else if (s->pme) {
        r->events = 1;
        next->pme = false;
        next->pmeo = true;
        return;
    } else {
        r->missed = (unsigned)__builtin_popcount(r->routed);
    }
    if (!s->pme && next->pme && (routed & next->of)) {
        next->pme = false;
        next->pmeo = true;
    }
}

struct ebb_result ebb_step(const struct ebb_config *c, struct ebb_state *s, const struct ebb_cycle *in) {
    struct ebb_result r = {.cause = EBB_NOBODY};
    struct ebb_state next = *s;
    struct ebb_other o = {0};
    uint32_t routed = ebb_routed(c, s, &in->env);
    bool spc_written = false;

    if (in->other)
        o = *in->other;
    if (in->access && in->access->op != EBB_READ) {
        write_register(c, s, &in->env, in->access, &next, &o);
        spc_written = in->access->number == EBB_UEBBSPC;
    }
    other_registers(&o, &next);

    r.delivered = in->ack && ebb_request(c, s, &in->env);
    if (r.delivered)
        next.uebbrr = in->next_pc & pc_mask(c);

    for (unsigned n = EBB_COUNTERS; n-- > 3;) { /* downwards: the lowest has the last word on uebbspc */
        struct count count = {s->value[n], false, EBB_NOBODY, 0, false};
        bool before = s->of & ~o.of_cleared & bit(n); /* a clear comes before the wrap */

        if (!(c->counters & bit(n)))
            continue;
        if (o.value_written & bit(n))
            count.value = o.value[n];
        else if (ebb_counts(c, s, &in->env, n))
            count = count_steps(c, in, s->value[n], n);
        next.value[n] = count.value;

        next.of &= ~bit(n);
        if (o.of_written & bit(n))
            next.of |= o.of_value & bit(n);
        else if (before || count.wrap || (o.of_set & bit(n)))
            next.of |= bit(n);

        r.wraps |= count.wrap ? bit(n) : 0;
        if (!count.wrap || before)
            continue;
        if (routed & bit(n)) {
            r.routed |= bit(n);
            r.cause = count.cause;
            r.cause_is_user = count.user;
            if (s->pme && !spc_written)
                next.uebbspc = count.user ? count.pc & pc_mask(c) : 0;
        } else if (s->mcounterinen & bit(n)) {
            r.andes |= bit(n);
        } else {
            r.lcofi |= bit(n);
        }
    }
    flags(s, &next, in, routed, &r);
    *s = next;
    return r;
}
