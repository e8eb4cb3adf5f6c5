/* SPDX-License-Identifier: Apache-2.0 */
#include "rights.h"

#include "tally_spec.h"

const char *const rights_class_names[RIGHTS_CLASSES] = {
    [RIGHTS_NONE] = "not the unit's",
    [RIGHTS_MACHINE] = "machine level",
    [RIGHTS_MACHINE_READ_ONLY] = "machine level, read-only",
    [RIGHTS_MACHINE_WINDOW] = "mireg*",
    [RIGHTS_USER_COUNTER] = "cycle, instret, hpmcounter",
    [RIGHTS_USER_TIME] = "time",
    [RIGHTS_SCOUNTEREN] = "scounteren",
    [RIGHTS_SCOUNTINHIBIT] = "scountinhibit",
    [RIGHTS_SCOUNTOVF] = "scountovf",
    [RIGHTS_SISELECT] = "siselect",
    [RIGHTS_WINDOW_COUNTER] = "sireg*: counter",
    [RIGHTS_WINDOW_SAMPLE] = "sireg*: sample",
    [RIGHTS_WINDOW_OTHER] = "sireg*: nothing",
    [RIGHTS_VSISELECT] = "vsiselect",
    [RIGHTS_VS_WINDOW_COUNTER] = "vsireg*: counter",
    [RIGHTS_VS_WINDOW_SAMPLE] = "vsireg*: sample",
    [RIGHTS_VS_WINDOW_OTHER] = "vsireg*: nothing",
    [RIGHTS_ANDES_VIEW] = "Andes S views",
    [RIGHTS_CUSTOM] = "shpmswinc, shpmpc*",
    [RIGHTS_OVERFLOW_PC] = "shpmspc, shpmsdata",
    [RIGHTS_SAMPLING] = "spdis*",
    [RIGHTS_VS_SAMPLING] = "vspdisctl",
};

const char *const rights_mode_names[RIGHTS_MODES] = {"M", "S", "U", "VS", "VU"};
const char *const rights_answer_names[RIGHTS_ANSWERS] = {"allowed", "illegal", "virtual", "absent"};

/* mstateen0, and hstateen0 */
#define STATEEN_C TALLY_MSTATEEN0_C_MASK
#define STATEEN_PDIS TALLY_MSTATEEN0_PDIS_MASK
#define STATEEN_CSRIND TALLY_MSTATEEN0_CSRIND_MASK

enum { SELECT_COUNTER = TALLY_COUNTER_SELECT, SELECT_TIME = SELECT_COUNTER + 1, FIRST_HPM = 3 };
enum { SELECT_SAMPLE = TALLY_RECORD_SELECT, SELECT_END = SELECT_SAMPLE + 2 };

/* Without Smstateen all state is accessible as its extension defines. */
static bool state_m(const struct rights_unit *u, const struct rights_enables *e, uint64_t bit) {
    return !u->smstateen || (e->mstateen0 & bit);
}

static bool state_h(const struct rights_unit *u, const struct rights_enables *e, uint64_t bit) {
    return !u->smstateen || (e->hstateen0 & bit);
}

static bool delegation(const struct rights_unit *u, const struct rights_enables *e) {
    return u->smcdeleg && e->cde;
}

static bool bit(uint32_t bits, unsigned n) { return bits >> n & 1; }

uint32_t rights_counters(const struct rights_unit *u) {
    return (uint32_t)(((UINT64_C(1) << u->hpm_n) - 1) << FIRST_HPM) | 7;
}

/* ---- which registers there are */

static bool in(unsigned num, unsigned first, unsigned last) { return num >= first && num <= last; }

/* Rows of counters: cycle, a number of its own, instret, hpmcounter3 to 31. A counter that is not built reads
 * 0. */
static bool is_row(const struct rights_unit *u, unsigned num, unsigned low, unsigned high) {
    return in(num, low, low + 31) || (u->xlen == 32 && in(num, high, high + 31));
}

static bool is_machine_counter(const struct rights_unit *u, unsigned num) {
    return is_row(u, num, TALLY_CSR_MCYCLE, TALLY_CSR_MCYCLEH) && (num & 31) != 1;
}

static bool is_machine_event(const struct rights_unit *u, unsigned num) {
    if (!is_row(u, num, TALLY_CSR_MCOUNTINHIBIT, TALLY_CSR_MCYCLECFGH - 1))
        return false;
    if ((num & 31) == 0)
        return num == TALLY_CSR_MCOUNTINHIBIT;
    if ((num & 31) < FIRST_HPM)
        return u->smcntrpmf;
    return num < TALLY_CSR_MCYCLECFGH || u->sscofpmf; /* without OF and xINH there are no upper bits */
}

static bool is_window(unsigned num, unsigned select) {
    return in(num, select + 1, select + 7) && num != select + 4;
}

static bool is_machine(const struct rights_unit *u, unsigned num) {
    switch (num) {
    case TALLY_CSR_MCOUNTEREN:
        return true;
    case TALLY_CSR_MISELECT:
        return u->smcsrind;
    case TALLY_CSR_MCOUNTERWEN:
    case TALLY_CSR_MCOUNTERINEN:
    case TALLY_CSR_MCOUNTERMASK_M:
    case TALLY_CSR_MCOUNTERMASK_S:
    case TALLY_CSR_MCOUNTERMASK_U:
    case TALLY_CSR_MCOUNTEROVF:
        return u->andes;
    case TALLY_CSR_MPDISCTL:
        return u->smpdis;
    case TALLY_CSR_MPDISCTLH:
        return u->smpdis && u->xlen == 32;
    default:
        return is_machine_counter(u, num) || is_machine_event(u, num);
    }
}

static bool is_andes_view(unsigned num) {
    switch (num) {
    case TALLY_CSR_SCOUNTERINEN:
    case TALLY_CSR_SCOUNTERMASK_M:
    case TALLY_CSR_SCOUNTERMASK_S:
    case TALLY_CSR_SCOUNTERMASK_U:
    case TALLY_CSR_SCOUNTEROVF:
    case TALLY_CSR_SCOUNTERINHIBIT:
        return true;
    default:
        return in(num, TALLY_CSR_SHPMEVENT3, TALLY_CSR_SHPMEVENT31);
    }
}

static bool is_custom(const struct rights_unit *u, unsigned num) {
    return num == TALLY_CSR_SHPMSWINC ? u->swevent
                                      : in(num, TALLY_CSR_SHPMPCSEL, TALLY_CSR_SHPMPCHI) && u->pcrange;
}

static bool is_sampling(const struct rights_unit *u, unsigned num) {
    switch (num) {
    case TALLY_CSR_SPDISCTL:
    case TALLY_CSR_SPDISCOUNTER:
    case TALLY_CSR_SPDISEVMASK:
    case TALLY_CSR_SPDISEVMATCH:
    case TALLY_CSR_SPDISFILTER:
        return true;
    case TALLY_CSR_SPDISCTLH:
    case TALLY_CSR_SPDISCOUNTERH:
    case TALLY_CSR_SPDISEVMASKH:
    case TALLY_CSR_SPDISEVMATCHH:
        return u->xlen == 32;
    case TALLY_CSR_SPDISAMBCS:
    case TALLY_CSR_SPDISAMBADDR:
        return u->pdis_mem != 0;
    case TALLY_CSR_SPDISAMBCSH:
        return u->pdis_mem != 0 && u->xlen == 32;
    default:
        return false;
    }
}

static bool is_vs_sampling(const struct rights_unit *u, unsigned num) {
    return num == TALLY_CSR_VSPDISCTL || (num == TALLY_CSR_VSPDISCTLH && u->xlen == 32);
}

static enum rights_class window_class(unsigned select, enum rights_class counter) {
    if (in(select, SELECT_COUNTER, SELECT_SAMPLE - 1))
        return counter;
    return counter + (in(select, SELECT_SAMPLE, SELECT_END - 1) ? 1 : 2);
}

static bool is_virtual(enum rights_mode mode) { return mode == RIGHTS_VS || mode == RIGHTS_VU; }

enum rights_class rights_class_of(const struct rights_unit *u, const struct rights_enables *e,
                                  enum rights_mode mode, unsigned num) {
    if (is_machine(u, num))
        return RIGHTS_MACHINE;
    if (num == TALLY_CSR_MMSC_CFG && u->andes)
        return RIGHTS_MACHINE_READ_ONLY;
    if (is_row(u, num, TALLY_CSR_CYCLE, TALLY_CSR_CYCLEH))
        return (num & 31) == 1 ? RIGHTS_USER_TIME : RIGHTS_USER_COUNTER;
    if (num == TALLY_CSR_SCOUNTEREN)
        return RIGHTS_SCOUNTEREN;
    if (num == TALLY_CSR_SCOUNTINHIBIT && u->smcdeleg)
        return RIGHTS_SCOUNTINHIBIT;
    if (num == TALLY_CSR_SCOUNTOVF && u->sscofpmf)
        return RIGHTS_SCOUNTOVF;
    if (u->smcsrind) {
        if (is_window(num, TALLY_CSR_MISELECT))
            return RIGHTS_MACHINE_WINDOW;
        if (num == TALLY_CSR_SISELECT)
            return RIGHTS_SISELECT;
        if (is_window(num, TALLY_CSR_SISELECT))
            return window_class(is_virtual(mode) ? e->vsiselect : e->siselect, RIGHTS_WINDOW_COUNTER);
        if (num == TALLY_CSR_VSISELECT && u->hyp)
            return RIGHTS_VSISELECT;
        if (is_window(num, TALLY_CSR_VSISELECT) && u->hyp)
            return window_class(e->vsiselect, RIGHTS_VS_WINDOW_COUNTER);
    }
    if (u->andes && is_andes_view(num))
        return RIGHTS_ANDES_VIEW;
    if (is_custom(u, num))
        return RIGHTS_CUSTOM;
    if (u->sspesa && in(num, TALLY_CSR_SHPMSPC, TALLY_CSR_SHPMSDATA))
        return RIGHTS_OVERFLOW_PC;
    if (u->smpdis && is_sampling(u, num))
        return RIGHTS_SAMPLING;
    if (u->smpdis && u->hyp && is_vs_sampling(u, num))
        return RIGHTS_VS_SAMPLING;
    return RIGHTS_NONE;
}

/* ---- rules */

static enum rights_answer legal(bool allowed) { return allowed ? RIGHTS_ALLOWED : RIGHTS_ILLEGAL; }

/* Hypervisor extension, virtual-instruction exception: a refusal with V=1 is one if HS-mode might do the
 * same, and else an illegal instruction. */
static enum rights_answer refused_virtual(bool hs) { return hs ? RIGHTS_VIRTUAL : RIGHTS_ILLEGAL; }

/* A register of S-mode. `hs`: S-mode may access it; `vs`: VS-mode may, if S-mode may. */
static enum rights_answer supervisor(enum rights_mode mode, bool hs, bool vs) {
    switch (mode) {
    case RIGHTS_M:
        return RIGHTS_ALLOWED;
    case RIGHTS_S:
        return legal(hs);
    case RIGHTS_VS:
        return hs && vs ? RIGHTS_ALLOWED : refused_virtual(hs);
    case RIGHTS_VU:
        return refused_virtual(hs);
    default:
        return RIGHTS_ILLEGAL;
    }
}

/* Zicntr and Zihpm with mcounteren, scounteren; the hypervisor extension's hcounteren. */
static enum rights_answer read_counter(const struct rights_enables *e, enum rights_mode mode, unsigned i) {
    bool m = bit(e->mcounteren, i), h = bit(e->hcounteren, i), s = bit(e->scounteren, i);

    switch (mode) {
    case RIGHTS_M:
        return RIGHTS_ALLOWED;
    case RIGHTS_S:
        return legal(m);
    case RIGHTS_U:
        return legal(m && s);
    case RIGHTS_VS:
        return m && h ? RIGHTS_ALLOWED : refused_virtual(m);
    default:
        return m && h && s ? RIGHTS_ALLOWED : refused_virtual(m);
    }
}

/* Counter proposal, and docs/rulings.md, Andes counter writes: M- and S-mode may write counter i where
 * mcounterwen[i] is 1. That is custom, so below M-mode it needs mstateen0.C. Otherwise the number is a
 * read-only one. */
static enum rights_answer write_counter(const struct rights_unit *u, const struct rights_enables *e,
                                        enum rights_mode mode, unsigned i) {
    bool m = u->andes && u->andes_swrite && bit(e->mcounterwen, i), s = m && state_m(u, e, STATEEN_C);

    return mode == RIGHTS_M   ? legal(m)
           : mode == RIGHTS_S ? legal(s)
           : is_virtual(mode) ? refused_virtual(s)
                              : RIGHTS_ILLEGAL;
}

/* Smcdeleg/Ssccfg, table of indirect state and the text below it: register `n` (sireg is 1) of siselect. */
static bool delegated_register(const struct rights_unit *u, const struct rights_enables *e, unsigned n) {
    unsigned i = e->siselect - SELECT_COUNTER;

    if (!delegation(u, e) || e->siselect == SELECT_TIME || !bit(e->mcounteren, i))
        return false;
    switch (n) {
    case 1:
        return true;
    case 2:
        return i >= FIRST_HPM || u->smcntrpmf;
    case 4:
        return u->xlen == 32;
    case 5:
        return u->xlen == 32 && (i >= FIRST_HPM ? u->sscofpmf : u->smcntrpmf);
    default:
        return false;
    }
}

static bool samples_in_registers(const struct rights_unit *u) { return u->smpdis && u->pdis_mem != 1; }

/* sireg1 to sireg6 have the numbers after the select register's, but for the fourth. */
static unsigned window_number(unsigned num) { return (num & 7) > 4 ? (num & 7) - 1 : num & 7; }

/* Sscsrind: sireg*. HS-qualification does not matter; mstateen0 and hstateen0 come first. */
static enum rights_answer window(const struct rights_unit *u, const struct rights_enables *e,
                                 enum rights_mode mode, unsigned num, enum rights_class class) {
    bool p = state_m(u, e, STATEEN_PDIS);

    if (mode != RIGHTS_M && !state_m(u, e, STATEEN_CSRIND))
        return RIGHTS_ILLEGAL;
    if (mode == RIGHTS_U)
        return RIGHTS_ILLEGAL;
    if (mode == RIGHTS_VU || (mode == RIGHTS_VS && !state_h(u, e, STATEEN_CSRIND)))
        return RIGHTS_VIRTUAL;
    if (class == RIGHTS_WINDOW_COUNTER)
        return mode == RIGHTS_VS ? refused_virtual(delegation(u, e))
                                 : legal(delegated_register(u, e, window_number(num)));
    if (class == RIGHTS_WINDOW_OTHER || !samples_in_registers(u))
        return RIGHTS_ILLEGAL;
    if (mode == RIGHTS_VS && p)
        return state_h(u, e, STATEEN_PDIS) ? RIGHTS_ALLOWED : RIGHTS_VIRTUAL;
    return legal(mode == RIGHTS_M || p);
}

/* vsireg* by its own number: refused while vsiselect selects a counter. */
static enum rights_answer vs_window(const struct rights_unit *u, const struct rights_enables *e,
                                    enum rights_mode mode, enum rights_class class) {
    if (mode != RIGHTS_M && !state_m(u, e, STATEEN_CSRIND))
        return RIGHTS_ILLEGAL;
    if (is_virtual(mode))
        return RIGHTS_VIRTUAL;
    if (mode == RIGHTS_U || class != RIGHTS_VS_WINDOW_SAMPLE || !samples_in_registers(u))
        return RIGHTS_ILLEGAL;
    return legal(mode == RIGHTS_M || state_m(u, e, STATEEN_PDIS));
}

enum rights_answer rights(const struct rights_unit *u, const struct rights_enables *e, enum rights_mode mode,
                          unsigned num, bool write) {
    enum rights_class class = rights_class_of(u, e, mode, num);

    switch (class) {
    case RIGHTS_MACHINE:
        return legal(mode == RIGHTS_M);
    case RIGHTS_MACHINE_READ_ONLY:
        return legal(mode == RIGHTS_M && !write);
    case RIGHTS_MACHINE_WINDOW: /* nothing is at machine level */
        return RIGHTS_ILLEGAL;
    case RIGHTS_USER_COUNTER:
        return write ? write_counter(u, e, mode, num & 31) : read_counter(e, mode, num & 31);
    case RIGHTS_USER_TIME:
        return write ? RIGHTS_ILLEGAL : read_counter(e, mode, num & 31);
    case RIGHTS_SCOUNTEREN: /* has no VS copy */
        return supervisor(mode, true, true);
    case RIGHTS_SCOUNTINHIBIT:
        return delegation(u, e) ? supervisor(mode, true, false) : RIGHTS_ILLEGAL;
    case RIGHTS_SCOUNTOVF: /* with delegation a hypervisor emulates it */
        return write ? RIGHTS_ILLEGAL : supervisor(mode, true, !delegation(u, e));
    case RIGHTS_SISELECT:
        return supervisor(mode, state_m(u, e, STATEEN_CSRIND), state_h(u, e, STATEEN_CSRIND));
    case RIGHTS_VSISELECT:
        return supervisor(mode, state_m(u, e, STATEEN_CSRIND), false);
    case RIGHTS_WINDOW_COUNTER:
    case RIGHTS_WINDOW_SAMPLE:
    case RIGHTS_WINDOW_OTHER:
        return window(u, e, mode, num, class);
    case RIGHTS_VS_WINDOW_COUNTER:
    case RIGHTS_VS_WINDOW_SAMPLE:
    case RIGHTS_VS_WINDOW_OTHER:
        return vs_window(u, e, mode, class);
    case RIGHTS_ANDES_VIEW: /* docs/rulings.md, Andes and the hypervisor: not for guests */
        return supervisor(mode, state_m(u, e, STATEEN_C), false);
    case RIGHTS_CUSTOM: /* ... Custom state */
        return supervisor(mode, state_m(u, e, STATEEN_C), state_h(u, e, STATEEN_C));
    case RIGHTS_OVERFLOW_PC:
        return supervisor(mode, delegation(u, e), false);
    case RIGHTS_SAMPLING:
        return supervisor(mode, state_m(u, e, STATEEN_PDIS), state_h(u, e, STATEEN_PDIS));
    case RIGHTS_VS_SAMPLING:
        return supervisor(mode, state_m(u, e, STATEEN_PDIS), false);
    default:
        return RIGHTS_ABSENT;
    }
}

/* Sscofpmf: the OF of a counter below M-mode where mcounteren, in VS-mode also hcounteren, shows the counter.
 * Sspdis: bit 1 is mpdisctl.OF; mcounteren[1] is time's, so the state enables show it. */
uint32_t rights_scountovf(const struct rights_unit *u, const struct rights_enables *e, enum rights_mode mode,
                          uint32_t of) {
    uint32_t counters = of & rights_counters(u) & ~UINT32_C(7), sampling = u->smpdis ? of & 2 : 0;

    if (mode != RIGHTS_M) {
        counters &= e->mcounteren;
        sampling = state_m(u, e, STATEEN_PDIS) ? sampling : 0;
    }
    if (is_virtual(mode)) {
        counters &= e->hcounteren;
        sampling = state_h(u, e, STATEEN_PDIS) ? sampling : 0;
    }
    return counters | sampling;
}

/* ---- views: of which counters a mode below M sees and changes the controls */

/* Smcdeleg: delegated counters; bit 1 by mstateen0.PDIS (event sampling draft, scountinhibit). */
static uint32_t delegated(const struct rights_unit *u, const struct rights_enables *e) {
    return delegation(u, e) ? e->mcounteren & rights_counters(u) & ~UINT32_C(2) : 0;
}

static uint32_t writable(const struct rights_unit *u, const struct rights_enables *e) {
    return u->andes ? e->mcounterwen : 0;
}

/* Counter proposal, and docs/rulings.md, Custom counter controls below M-mode. */
static bool andes_view(const struct rights_unit *u, const struct rights_enables *e, enum rights_mode mode,
                       unsigned num, struct rights_view *view) {
    static const struct {
        unsigned num, machine;
    } views[] = {
        {TALLY_CSR_SCOUNTERINEN, TALLY_CSR_MCOUNTERINEN},
        {TALLY_CSR_SCOUNTERMASK_M, TALLY_CSR_MCOUNTERMASK_M},
        {TALLY_CSR_SCOUNTERMASK_S, TALLY_CSR_MCOUNTERMASK_S},
        {TALLY_CSR_SCOUNTERMASK_U, TALLY_CSR_MCOUNTERMASK_U},
        {TALLY_CSR_SCOUNTEROVF, TALLY_CSR_MCOUNTEROVF},
        {TALLY_CSR_SCOUNTERINHIBIT, TALLY_CSR_MCOUNTINHIBIT},
    };
    uint32_t counters = rights_counters(u) & ~UINT32_C(2);

    view->changed = writable(u, e);
    view->shown = mode == RIGHTS_M ? counters : counters & (e->mcounteren | view->changed);
    if (in(num, TALLY_CSR_SHPMEVENT3, TALLY_CSR_SHPMEVENT31)) {
        view->machine = TALLY_CSR_MHPMEVENT3 + num - TALLY_CSR_SHPMEVENT3;
        view->shown = bit(view->shown, num & 31) ? UINT32_MAX : 0;
        view->changed = bit(view->changed, num & 31) ? UINT32_MAX : 0;
        return true;
    }
    for (unsigned i = 0; i < sizeof views / sizeof *views; i++)
        if (views[i].num == num)
            view->machine = views[i].machine;
    if (in(num, TALLY_CSR_SCOUNTERMASK_M, TALLY_CSR_SCOUNTERMASK_U)) /* the masks are xINH */
        view->changed &= (u->smcntrpmf ? 7 : 0) | (u->sscofpmf ? ~UINT32_C(7) : 0);
    if (num == TALLY_CSR_SCOUNTERMASK_M) { /* MINH is M-mode's alone */
        view->changed = 0;
        view->shown = mode == RIGHTS_M ? view->shown : 0;
    }
    return true;
}

bool rights_view_of(const struct rights_unit *u, const struct rights_enables *e, enum rights_mode mode,
                    unsigned num, struct rights_view *view) {
    if (num == TALLY_CSR_SHPMPCSEL && u->pcrange) {
        view->machine = num;
        view->shown = rights_counters(u) & ~UINT32_C(7);
        if (mode != RIGHTS_M)
            view->shown &= delegated(u, e) | writable(u, e);
        view->changed = view->shown;
        return true;
    }
    if (num == TALLY_CSR_SCOUNTINHIBIT && u->smcdeleg) {
        view->machine = TALLY_CSR_MCOUNTINHIBIT;
        view->shown =
            delegated(u, e) | (u->smpdis && delegation(u, e) && state_m(u, e, STATEEN_PDIS) ? 2 : 0);
        view->changed = view->shown;
        return true;
    }
    return u->andes && is_andes_view(num) && andes_view(u, e, mode, num, view);
}
