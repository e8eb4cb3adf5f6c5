// SPDX-License-Identifier: Apache-2.0
#include "crosses.h"

#include <inttypes.h>
#include <stdlib.h>

#include "tally_spec.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

enum { ROWS = 24, COLUMNS = 24, HANDLERS = 4 };

/* Codes of rtl/hart/tally_hart.vh */
enum { U_MUL = 2, U_DIV = 3, U_MEM = 4, U_SYS = 5 };
enum { LS_LOAD, LS_STORE, LS_LR, LS_SC, LS_AMO };
enum { SYS_CSR = 0, SYS_MRET = 3, SYS_SRET = 4, SYS_WFI = 5, SYS_FENCE = 6, SYS_FENCEI = 7, SYS_SFENCE = 8 };

enum name { INTERRUPT, MISS, OLDER, YOUNGER, FORWARD, NEIGHBOUR, CSR, BRANCH, HANDLER, NAMES };

/* --- rows and columns --- */

enum { I_SOFTWARE, I_TIMER, I_EXTERNAL, I_LCOFI, I_LAMBI, I_ANDES };
static const char *const interrupt_rows[] = {"software", "timer", "external", "LCOFI", "LAMBI", "Andes"};

enum {
    S_EMPTY,
    S_TRAP,
    S_MISPREDICT,
    S_ROB_FULL,
    S_STORES_FULL,
    S_WFI,
    S_AMO,
    S_DEVICE,
    S_LOAD,
    S_DONE,
    S_CSR,
    S_FENCE,
    S_RETURN,
    S_MULTIPLY,
    S_DIVIDE,
    S_WALK,
    S_FETCH,
    S_ONE_MISS,
    S_TWO_MISSES
};
static const char *const state_columns[] = {"nothing in the ROB", "trap entry",       "after a misprediction",
                                            "ROB full",           "store queue full", "behind a WFI",
                                            "AMO, LR or SC",      "device read",      "load waits",
                                            "oldest is done",     "CSR access",       "fence",
                                            "trap return",        "multiplying",      "dividing",
                                            "page walk",          "fetch refill",     "one miss",
                                            "two misses"};

enum {
    M_RETIRE_ALU,
    M_RETIRE_MEMORY,
    M_RETIRE_BRANCH,
    M_ALU,
    M_BRANCH,
    M_MULDIV,
    M_LOAD,
    M_FORWARD,
    M_STORE,
    M_MISPREDICT,
    M_EXCEPTION,
    M_INTERRUPT,
    M_WALK,
    M_FETCH,
    M_DIVIDES,
    M_STORES_FULL,
    M_ROB_FULL
};
static const char *const miss_rows[] = {"ALU instruction retires",
                                        "memory access retires",
                                        "branch retires",
                                        "ALU instruction completes",
                                        "branch resolves",
                                        "mul, div completes",
                                        "load completes",
                                        "load is forwarded",
                                        "store completes",
                                        "misprediction",
                                        "exception",
                                        "interrupt",
                                        "page walk",
                                        "fetch refill",
                                        "divider works",
                                        "store queue full",
                                        "ROB full"};
static const char *const miss_columns[] = {"no miss", "one miss", "two misses"};

enum {
    F_FETCH_PAGE,
    F_FETCH_ACCESS,
    F_ILLEGAL,
    F_LOAD_PAGE,
    F_STORE_PAGE,
    F_LOAD_ACCESS,
    F_STORE_ACCESS,
    F_LOAD_MISALIGNED,
    F_STORE_MISALIGNED
};
static const char *const fault_rows[] = {"fetch page fault",   "fetch access fault", "illegal instruction",
                                         "load page fault",    "store page fault",   "load access fault",
                                         "store access fault", "load misaligned",    "store misaligned"};
static const char *const waiting_columns[] = {"one waits", "two or more wait"};

static const char *const forward_rows[] = {
    "lb of sb", "lb of sh", "lb of sw", "lb of sd", "lh of sb", "lh of sh", "lh of sw", "lh of sd",
    "lw of sb", "lw of sh", "lw of sw", "lw of sd", "ld of sb", "ld of sh", "ld of sw", "ld of sd"};
enum { W_WHOLE, W_WHOLE_RETIRED, W_PART, W_PART_RETIRED, W_BESIDE, W_BESIDE_RETIRED };
static const char *const forward_columns[] = {"all of it",     "all, retired", "part of it",
                                              "part, retired", "beside it",    "beside, retired"};
static const char *const neighbour_columns[] = {"line before", "line behind"};

enum {
    C_COUNTER,
    C_EVENT,
    C_MODE_FILTER,
    C_MCOUNTINHIBIT,
    C_SCOUNTINHIBIT,
    C_SCOUNTOVF,
    C_SISELECT,
    C_SIREG,
    C_USER_COUNTER,
    C_STIMECMP,
    C_COUNTEREN
};
static const char *const csr_rows[] = {"mcycle, mhpmcounter",
                                       "mhpmevent",
                                       "mcyclecfg, minstretcfg",
                                       "mcountinhibit",
                                       "scountinhibit",
                                       "scountovf",
                                       "siselect",
                                       "sireg",
                                       "cycle, hpmcounter",
                                       "stimecmp",
                                       "scounteren"};
enum { A_M, A_S, A_S_DENIED, A_U, A_U_DENIED };
static const char *const access_columns[] = {"M", "S", "S denied", "U", "U denied"};

/* Event-based branches: the instruction before a delivery, and events between it and uebret */
enum { B_RETIRED, B_TRAP_RETURN, B_UEBRET, B_UEBRET_GE };
static const char *const branch_rows[] = {"an instruction of U", "a trap return", "uebret 0", "uebret 1"};
static const char *const branch_columns[] = {"outside of a handler", "inside a handler"};
enum { H_UEBRET, H_PAGE_FAULT, H_EXCEPTION, H_TIMER, H_LCOFI, H_INTERRUPT };
static const char *const handler_rows[] = {"uebret",          "page fault", "another exception",
                                           "timer interrupt", "LCOFI",      "another interrupt"};
static const char *const handler_columns[] = {"outside of a handler", "inside a handler", "nested"};

#define TABLE(t) t, COUNT(t)
static const struct {
    const char *name;
    const char *const *row;
    size_t rows;
    const char *const *column;
    size_t columns;
} table[NAMES] = {
    [INTERRUPT] = {"interrupt x state", TABLE(interrupt_rows), TABLE(state_columns)},
    [MISS] = {"event x misses", TABLE(miss_rows), TABLE(miss_columns)},
    [OLDER] = {"fault x older loads", TABLE(fault_rows), TABLE(waiting_columns)},
    [YOUNGER] = {"fault x younger loads", TABLE(fault_rows), TABLE(waiting_columns)},
    [FORWARD] = {"load x store", TABLE(forward_rows), TABLE(forward_columns)},
    [NEIGHBOUR] = {"load x store of another line", TABLE(forward_rows), TABLE(neighbour_columns)},
    [CSR] = {"counter CSR x mode", TABLE(csr_rows), TABLE(access_columns)},
    [BRANCH] = {"event-based branch after x handler", TABLE(branch_rows), TABLE(branch_columns)},
    [HANDLER] = {"event in U x handler", TABLE(handler_rows), TABLE(handler_columns)},
};

/* A load of 1 << l bytes and a store of 1 << s, both aligned */
static bool forward_possible(unsigned l, unsigned s, unsigned column) {
    switch (column) {
    case W_WHOLE:
    case W_WHOLE_RETIRED:
        return s >= l;
    case W_PART:
    case W_PART_RETIRED:
        return s < l;
    default:
        return l < 3 && s < 3;
    }
}

/* Only a CSR write raises LAMBI here, so it is taken after one, or after the trap return that enables it. */
static bool interrupt_possible(unsigned row, unsigned column) {
    return row != I_LAMBI || column == S_EMPTY || column == S_FETCH;
}

static bool csr_possible(unsigned row, unsigned column) {
    bool machines = row <= C_MCOUNTINHIBIT, users = row == C_USER_COUNTER;

    switch (column) {
    case A_S:
        return !machines;
    case A_S_DENIED: /* scounteren always exists */
        return row != C_COUNTEREN;
    case A_U:
        return users;
    default:
        return true;
    }
}

static bool possible(unsigned name, unsigned row, unsigned column) {
    switch (name) {
    case INTERRUPT:
        return interrupt_possible(row, column);
    case YOUNGER: /* nothing is dispatched after an instruction with an exception */
        return row > F_ILLEGAL;
    case FORWARD:
        return forward_possible(row / 4, row % 4, column);
    case CSR:
        return csr_possible(row, column);
    case BRANCH: /* uebret 0 leaves GE at 0 */
        return row != B_UEBRET;
    default:
        return true;
    }
}

/* --- counting --- */

struct crosses {
    uint64_t cell[NAMES][ROWS][COLUMNS];
    bool ebb;              /* the hart has event-based branches */
    uint64_t at[HANDLERS]; /* pc of the handler that runs, behind those that it interrupted */
    unsigned handlers;
    unsigned before;   /* the last retired instruction, a row of BRANCH */
    bool trapped;      /* nothing has retired since a trap */
    bool mispredicted; /* nothing has been dispatched since the front end was redirected */
    bool slept;        /* a WFI was the last to retire */
};

struct crosses *crosses_new(bool ebb) {
    struct crosses *c = calloc(1, sizeof(*c));
    if (c)
        c->ebb = ebb;
    return c;
}

void crosses_free(struct crosses *c) { free(c); }

static unsigned ones(unsigned v) {
    unsigned n = 0;
    for (; v; v &= v - 1)
        n++;
    return n;
}

/* The states that hold in this cycle, a bit each */
static uint32_t states(const struct crosses *c, const struct crosses_in *in) {
    bool head = in->rob_used != 0, sys = head && in->head_unit == U_SYS, mem = head && in->head_unit == U_MEM;
    unsigned misses = ones(in->misses);
    const bool state[] = {
        [S_EMPTY] = !head && !c->trapped && !c->mispredicted,
        [S_TRAP] = c->trapped,
        [S_MISPREDICT] = c->mispredicted,
        [S_ROB_FULL] = in->rob_used == 8,
        [S_STORES_FULL] = in->stores == (1u << CROSSES_STORES) - 1,
        [S_WFI] = c->slept,
        [S_AMO] = mem && !in->head_done && in->head_op >= LS_LR,
        [S_DEVICE] = in->device_read && !in->head_done,
        [S_LOAD] = mem && in->head_op == LS_LOAD && in->waits >> in->head_tag & 1,
        [S_DONE] = head && in->head_done && !sys,
        [S_CSR] = sys && in->head_sys == SYS_CSR,
        [S_FENCE] = sys && in->head_sys >= SYS_FENCE,
        [S_RETURN] = sys && (in->head_sys == SYS_MRET || in->head_sys == SYS_SRET),
        [S_MULTIPLY] = in->multiplies,
        [S_DIVIDE] = in->divides,
        [S_WALK] = in->walks,
        [S_FETCH] = in->fetch_waits,
        [S_ONE_MISS] = misses == 1,
        [S_TWO_MISSES] = misses == 2,
    };
    uint32_t bits = 0;
    for (size_t s = 0; s < COUNT(state); s++)
        bits |= (uint32_t)state[s] << s;
    return bits;
}

static void interrupt(struct crosses *c, const struct crosses_in *in, uint64_t code) {
    unsigned row;
    switch (code & 255) {
    case TALLY_INT_SSI:
    case TALLY_INT_MSI:
        row = I_SOFTWARE;
        break;
    case TALLY_INT_STI:
    case TALLY_INT_MTI:
        row = I_TIMER;
        break;
    case TALLY_INT_SEI:
    case TALLY_INT_MEI:
        row = I_EXTERNAL;
        break;
    case TALLY_INT_LCOFI:
        row = I_LCOFI;
        break;
    case TALLY_INT_LAMBI:
        row = I_LAMBI;
        break;
    default:
        row = I_ANDES;
    }
    uint32_t now = states(c, in);
    for (unsigned s = 0; s < COUNT(state_columns); s++)
        c->cell[INTERRUPT][row][s] += now >> s & 1;
}

static int fault_row(uint64_t cause) {
    switch (cause) {
    case TALLY_EXC_INSN_PAGE:
        return F_FETCH_PAGE;
    case TALLY_EXC_INSN_ACCESS:
        return F_FETCH_ACCESS;
    case TALLY_EXC_ILLEGAL:
        return F_ILLEGAL;
    case TALLY_EXC_LOAD_PAGE:
        return F_LOAD_PAGE;
    case TALLY_EXC_STORE_PAGE:
        return F_STORE_PAGE;
    case TALLY_EXC_LOAD_ACCESS:
        return F_LOAD_ACCESS;
    case TALLY_EXC_STORE_ACCESS:
        return F_STORE_ACCESS;
    case TALLY_EXC_LOAD_MISALIGNED:
        return F_LOAD_MISALIGNED;
    case TALLY_EXC_STORE_MISALIGNED:
        return F_STORE_MISALIGNED;
    default:
        return -1;
    }
}

static bool page_fault(uint64_t cause) {
    return cause == TALLY_EXC_INSN_PAGE || cause == TALLY_EXC_LOAD_PAGE || cause == TALLY_EXC_STORE_PAGE;
}

/* Loads that wait and are older than the entry `tag` */
static unsigned older_loads(const struct crosses_in *in, unsigned tag) {
    unsigned n = 0;
    for (unsigned t = in->head_tag; t != tag; t = (t + 1) % 8)
        n += in->waits >> t & 1;
    return n;
}

static void fault(struct crosses *c, enum name name, uint64_t cause, unsigned loads) {
    int row = fault_row(cause);
    if (row >= 0 && loads)
        c->cell[name][row][loads > 1]++;
}

static void faults(struct crosses *c, const struct crosses_in *in, const struct crosses_event *e) {
    if (in->dispatch && in->dispatch_exc)
        fault(c, OLDER, in->dispatch_cause, older_loads(in, (in->head_tag + in->rob_used) % 8u));
    if (in->lc_valid && in->lc_exc)
        fault(c, OLDER, in->lc_cause, older_loads(in, in->lc_tag));
    if (e && e->trap && !(e->cause >> 63))
        fault(c, YOUNGER, e->cause, ones(in->waits));
}

static void misses(struct crosses *c, const struct crosses_in *in, const struct crosses_event *e) {
    bool retire = e && e->retire, memory = in->head_unit == U_MEM;
    bool branch = retire && ((e->insn & 0x7f) == 0x63 || (e->insn & 0xc003) == 0xc001);
    bool access = in->lc_valid && !in->lc_exc;
    const bool happens[] = {
        [M_RETIRE_ALU] = retire && !memory && !branch && in->head_unit != U_SYS,
        [M_RETIRE_MEMORY] = retire && memory,
        [M_RETIRE_BRANCH] = branch,
        [M_ALU] = in->ex_done && !in->ex_branch,
        [M_BRANCH] = in->ex_done && in->ex_branch,
        [M_MULDIV] = in->md_done,
        [M_LOAD] = access && in->lc_load && !in->lc_fwd,
        [M_FORWARD] = access && in->lc_fwd,
        [M_STORE] = access && !in->lc_load,
        [M_MISPREDICT] = in->redirect,
        [M_EXCEPTION] = e && e->trap && !(e->cause >> 63),
        [M_INTERRUPT] = e && e->trap && e->cause >> 63,
        [M_WALK] = in->walks,
        [M_FETCH] = in->fetch_waits,
        [M_DIVIDES] = in->divides,
        [M_STORES_FULL] = in->stores == (1u << CROSSES_STORES) - 1,
        [M_ROB_FULL] = in->rob_used == 8,
    };
    unsigned n = ones(in->misses);
    for (size_t r = 0; r < COUNT(happens); r++)
        c->cell[MISS][r][n] += happens[r];
}

/* log2 of a number of bytes; -1: several stores in one */
static int size_of(unsigned lanes) {
    static const int8_t log2[9] = {-1, 0, 1, -1, 2, -1, -1, -1, 3};
    return log2[ones(lanes)];
}

/* A load x the youngest store that overlaps it, or else is in its 8 bytes or beside its line */
static void load(struct crosses *c, const struct crosses_in *in) {
    unsigned lanes = ((1u << (1u << in->load_size)) - 1) << (in->load_paddr & 7);
    uint64_t word = in->load_paddr >> 3;
    bool overlapped = false;

    for (unsigned age = CROSSES_STORES; age-- > 0;) {
        unsigned i = (in->oldest_store + age) % CROSSES_STORES;
        if (!(in->stores >> i & 1) || size_of(in->store_bytes[i]) < 0)
            continue;
        uint64_t other = in->store_word[i];
        unsigned row = in->load_size * 4u + (unsigned)size_of(in->store_bytes[i]);
        unsigned retired = in->retired_stores >> i & 1;
        if (other == word) {
            unsigned both = in->store_bytes[i] & lanes;
            unsigned column = both == lanes ? W_WHOLE : both ? W_PART : W_BESIDE;
            if (!overlapped)
                c->cell[FORWARD][row][column + retired]++;
            overlapped |= both != 0;
        } else if (other + 1 == word && word % 8 == 0) {
            c->cell[NEIGHBOUR][row][0]++;
        } else if (other == word + 1 && other % 8 == 0) {
            c->cell[NEIGHBOUR][row][1]++;
        }
    }
}

static int csr_row(unsigned n) {
    if (n == TALLY_CSR_MCYCLECFG || n == TALLY_CSR_MINSTRETCFG)
        return C_MODE_FILTER;
    if (n >= TALLY_CSR_MCYCLE && n < TALLY_CSR_MCYCLE + 32)
        return C_COUNTER;
    if (n >= TALLY_CSR_MHPMEVENT3 && n < TALLY_CSR_MHPMEVENT3 + 29)
        return C_EVENT;
    if (n >= TALLY_CSR_CYCLE && n < TALLY_CSR_CYCLE + 32)
        return C_USER_COUNTER;
    switch (n) {
    case TALLY_CSR_MCOUNTINHIBIT:
        return C_MCOUNTINHIBIT;
    case TALLY_CSR_SCOUNTINHIBIT:
        return C_SCOUNTINHIBIT;
    case TALLY_CSR_SCOUNTOVF:
        return C_SCOUNTOVF;
    case TALLY_CSR_SISELECT:
        return C_SISELECT;
    case TALLY_CSR_SIREG:
    case TALLY_CSR_SIREG2:
    case TALLY_CSR_SIREG3:
    case TALLY_CSR_SIREG5:
        return C_SIREG;
    case TALLY_CSR_STIMECMP:
        return C_STIMECMP;
    case TALLY_CSR_SCOUNTEREN:
        return C_COUNTEREN;
    default:
        return -1;
    }
}

static void csr(struct crosses *c, const struct crosses_event *e) {
    if ((e->insn & 0x7f) != 0x73 || !(e->insn >> 12 & 3))
        return;
    int row = csr_row(e->insn >> 20);
    bool denied = e->trap && e->cause == TALLY_EXC_ILLEGAL;
    if (row < 0 || (e->trap && !denied))
        return;
    if (e->priv != TALLY_PRIV_M)
        c->cell[CSR][row][(e->priv == TALLY_PRIV_S ? A_S : A_U) + denied]++;
    else if (!denied)
        c->cell[CSR][row][A_M]++;
}

/* Handlers of the random programs are straight-line code, from the branch's target to uebret. Any other step
 * in U-mode means that the handler has been left. */
static void branches(struct crosses *c, const struct crosses_event *e) {
    enum { MRET = 0x30200073, SRET = 0x10200073 };
    const uint32_t insn = e->insn;
    const bool uebret = e->retire && (insn == TALLY_INSN_UEBRET_0 || insn == TALLY_INSN_UEBRET_1);

    if (e->priv == TALLY_PRIV_U && c->handlers) {
        uint64_t *at = &c->at[c->handlers - 1];
        if (e->pc - *at <= 4)
            *at = e->pc;
        else
            c->handlers = 0;
    }
    if (e->ebb) {
        c->cell[BRANCH][c->before][c->handlers != 0]++;
        c->handlers += c->handlers < HANDLERS;
        c->at[c->handlers - 1] = e->next_pc;
        c->before = B_RETIRED;
        return;
    }
    if (e->priv == TALLY_PRIV_U && (e->trap || uebret)) {
        const bool interrupt = e->trap && e->cause >> 63;
        const unsigned code = e->cause & 255;
        const unsigned row = uebret       ? H_UEBRET
                             : !interrupt ? page_fault(e->cause) ? H_PAGE_FAULT : H_EXCEPTION
                             : code == TALLY_INT_STI || code == TALLY_INT_MTI ? H_TIMER
                             : code == TALLY_INT_LCOFI                        ? H_LCOFI
                                                                              : H_INTERRUPT;
        c->cell[HANDLER][row][c->handlers > 2 ? 2 : c->handlers]++;
    }
    if (uebret && c->handlers)
        c->handlers--;
    if (e->retire)
        c->before = uebret                         ? insn == TALLY_INSN_UEBRET_1 ? B_UEBRET_GE : B_UEBRET
                    : insn == MRET || insn == SRET ? B_TRAP_RETURN
                                                   : B_RETIRED;
}

void crosses_cycle(struct crosses *c, const struct crosses_in *in, const struct crosses_event *e) {
    misses(c, in, e);
    faults(c, in, e);
    if (in->load)
        load(c, in);
    if (e) {
        if (!e->ebb)
            csr(c, e);
        branches(c, e);
        if (e->trap && e->cause >> 63)
            interrupt(c, in, e->cause);
        c->slept = e->retire && e->insn == 0x10500073;
        c->trapped = e->trap;
    }
    c->mispredicted = in->redirect || (c->mispredicted && !in->dispatch);
}

void crosses_report(const struct crosses *c, FILE *out) {
    for (unsigned n = 0; n < NAMES; n++)
        for (unsigned row = 0; row < table[n].rows; row++)
            for (unsigned column = 0; column < table[n].columns; column++)
                if (possible(n, row, column) && (n < BRANCH || c->ebb))
                    fprintf(out, "cross %s / %s / %s %" PRIu64 "\n", table[n].name, table[n].row[row],
                            table[n].column[column], c->cell[n][row][column]);
}
