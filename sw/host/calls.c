/* SPDX-License-Identifier: Apache-2.0 */
#include "calls.h"

#include "buffer.h"

#include <stdlib.h>
#include <string.h>

#define RET 0x00008067u
#define C_RET 0x8082u
#define SRET 0x10200073u
#define MRET 0x30200073u

static bool is_return(uint32_t insn) {
    return insn == RET || (insn & 0xffff) == C_RET || insn == SRET || insn == MRET;
}

/* Has the function a frame of its own at the interrupted instruction? At its begin and end, where the frame
 * is found by sp, the frame pointer is still, or again, the caller's, which is above the frame. */
static bool has_frame(const struct unwind *u, const uint64_t *stack) {
    const uint64_t size = stack[STACK_FP] - stack[STACK_SP];
    return u->by_fp || (u->by_sp && size - 1 < u->offset);
}

/* The driver has found ra, and calls by frame pointers. Without a frame of its own the function's call is in
 * ra, unless it has no frame pointer at all and has saved ra. With one its call is the first by frame
 * pointers once ra is saved, and in ra before and afterwards; but a leaf function never saves ra, and has its
 * caller's frame pointer in that place, which the driver skips. Returns how many calls,
 * from the innermost on. */
static size_t repair(const struct program *p, const struct sample *s, uint64_t calls[STACK_MAX]) {
    const struct unwind u = program_unwind(p, s->adr1);
    const uint64_t *const stack = s->stack, fp = stack[STACK_FP];
    const uint64_t end = (u.by_fp ? fp : stack[STACK_SP]) + u.offset;
    const bool own = has_frame(&u, stack), calls_none = own && u.fp_saved && end + u.fp_at == fp - 8;
    const bool in_ra = own ? !u.ra_saved : !u.ra_saved || u.fp_saved;
    size_t n = 0;
    if (in_ra)
        calls[n++] = stack[STACK_RA];
    for (size_t i = STACK_CALLS + (in_ra && own && !calls_none); i < s->stack_n; i++)
        calls[n++] = stack[i];
    return n;
}

size_t calls_of(const struct program *p, const struct sample *s, bool interrupted,
                uint64_t stack[CALLS_MAX]) {
    uint64_t calls[STACK_MAX];
    size_t n = 0, next = 0;
    const uint64_t met = s->adr1;
    stack[n++] = interrupted ? met : s->pc;
    if (s->stack_n < STACK_CALLS)
        return n;
    const size_t calls_n = repair(p, s, calls);
    if (!interrupted && s->pc != met) {
        const uint64_t length = calls_n ? calls[0] - s->pc : 0;
        if (length == 2 || length == 4) /* the call */
            next++;
        else if (is_return(program_instruction(p, s->pc)) || program_at(p, s->pc) != program_at(p, met))
            stack[n++] = met - 1;
    }
    while (next < calls_n)
        stack[n++] = calls[next++] - 1;
    return n;
}

/* --- the tree ----------------------------------------------------------------------------------------- */

static size_t *slot_of(const struct calls *c, size_t parent, uint64_t address) {
    const size_t mask = 4 * c->room - 1;
    size_t i = (size_t)((address ^ (uint64_t)parent << 32) * 0x9e3779b97f4a7c15u >> 20) & mask;
    for (; c->table[i]; i = (i + 1) & mask) {
        const struct call *at = &c->list[c->table[i]];
        if (at->parent == parent && at->address == address)
            break;
    }
    return &c->table[i];
}

static void grow(struct calls *c) {
    c->room = c->room ? 2 * c->room : 256;
    c->list = resize(c->list, c->room, sizeof *c->list);
    free(c->table);
    c->table = resize(NULL, 4 * c->room, sizeof *c->table);
    memset(c->table, 0, 4 * c->room * sizeof *c->table);
    if (!c->n)
        c->list[c->n++] = (struct call){0};
    for (size_t i = 1; i < c->n; i++)
        *slot_of(c, c->list[i].parent, c->list[i].address) = i;
}

void calls_add(struct calls *c, const uint64_t *stack, size_t n, uint64_t weight) {
    size_t at = 0;
    while (n-- > 0) {
        if (c->n == c->room)
            grow(c);
        size_t *slot = slot_of(c, at, stack[n]);
        if (!*slot) {
            c->list[c->n] = (struct call){.parent = at, .address = stack[n]};
            *slot = c->n++;
        }
        at = *slot;
    }
    c->list[at].samples += weight;
}

void calls_free(struct calls *c) {
    free(c->list);
    free(c->table);
    *c = (struct calls){0};
}

/* --- by name ------------------------------------------------------------------------------------------ */

/* Behind the names of its callers those of a call, the outermost function first */
static void add_names(struct call_stack *to, const struct program *p, uint64_t address) {
    struct frame frames[FRAMES_MAX];
    size_t n = program_frames(p, address, frames);
    to->names = resize(to->names, to->names_n + n, sizeof *to->names);
    while (n-- > 0)
        to->names[to->names_n++] = frames[n].function;
}

/* Stacks of the same names become one. */
static void merge(struct callers *c) {
    size_t n = 0;
    qsort(c->list, c->n, sizeof *c->list, callers_by_names);
    for (size_t i = 0; i < c->n; i++) {
        if (n && callers_by_names(&c->list[n - 1], &c->list[i]) == 0) {
            c->list[n - 1].weight += c->list[i].weight;
            free(c->list[i].names);
        } else {
            c->list[n++] = c->list[i];
        }
    }
    c->n = n;
}

void calls_names(const struct calls *c, const struct program *p, size_t most, struct callers *out) {
    /* A call is behind its callers in the list. */
    struct call_stack *all = resize(NULL, c->n + 1, sizeof *all);
    *out = (struct callers){.list = resize(NULL, c->n + 1, sizeof *out->list)};
    memset(all, 0, (c->n + 1) * sizeof *all);
    for (size_t i = 1; i < c->n; i++) {
        const struct call_stack *parent = &all[c->list[i].parent];
        all[i].names = resize(NULL, parent->names_n + 1, sizeof *all[i].names);
        if (parent->names_n)
            memcpy(all[i].names, parent->names, parent->names_n * sizeof *all[i].names);
        all[i].names_n = parent->names_n;
        add_names(&all[i], p, c->list[i].address);
        all[i].weight = c->list[i].samples;
    }
    for (size_t i = 0; i < c->n; i++) {
        if (all[i].weight)
            out->list[out->n++] = all[i];
        else
            free(all[i].names);
    }
    free(all);
    if (out->n)
        merge(out);
    callers_cut(out, most);
}
