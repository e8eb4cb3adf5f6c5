// SPDX-License-Identifier: Apache-2.0
#include "stacks.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { DEPTH = 512, OP_JAL = 0x6F, OP_JALR = 0x67, NAME = 128, LINE = 4096, SP = 2 };
#define MRET 0x30200073u
#define SRET 0x10200073u

enum kind { CALL, TRAP, LEAF };

/* A frame below another one, or, at the end, an instruction in the innermost function */
struct node {
    uint32_t parent; /* index; 0 is the root */
    uint8_t kind;
    uint64_t pc; /* of the call, of the interrupted instruction, of the instruction */
    uint64_t cycles;
};

struct frame {
    uint32_t node;
    uint64_t returns; /* where it returns to */
    uint64_t sp;      /* at the call */
    bool trap;
};

struct stacks {
    struct node *nodes;
    uint32_t nodes_n, room;
    uint32_t *table; /* index of a node, 0: free; twice `room` */
    struct frame frame[DEPTH];
    unsigned depth, lost; /* frames; those above DEPTH */
    uint64_t last;        /* cycle of the last event */
    uint64_t sp;
    FILE *interrupts;
};

static uint32_t *slot_of(const struct stacks *s, uint32_t parent, unsigned kind, uint64_t pc) {
    const uint32_t mask = 2 * s->room - 1;
    uint64_t hash = (pc ^ (uint64_t)parent << 20 ^ (uint64_t)kind << 60) * 0x9e3779b97f4a7c15u;
    uint32_t i = (uint32_t)(hash >> 32) & mask;
    for (; s->table[i]; i = (i + 1) & mask) {
        const struct node *n = &s->nodes[s->table[i]];
        if (n->parent == parent && n->kind == kind && n->pc == pc)
            break;
    }
    return &s->table[i];
}

static bool grow(struct stacks *s) {
    const uint32_t room = s->room ? 2 * s->room : 1 << 12;
    struct node *nodes = realloc(s->nodes, room * sizeof *nodes);
    uint32_t *table = calloc(2 * room, sizeof *table);
    if (nodes)
        s->nodes = nodes;
    if (!nodes || !table) {
        free(table);
        return false;
    }
    free(s->table);
    s->table = table;
    s->room = room;
    for (uint32_t i = 1; i < s->nodes_n; i++)
        *slot_of(s, nodes[i].parent, nodes[i].kind, nodes[i].pc) = i;
    return true;
}

/* The node for this below `parent`; 0: memory is short. */
static uint32_t below(struct stacks *s, uint32_t parent, enum kind kind, uint64_t pc) {
    if (s->nodes_n == s->room && !grow(s))
        return 0;
    uint32_t *slot = slot_of(s, parent, kind, pc);
    if (!*slot) {
        s->nodes[s->nodes_n] = (struct node){.parent = parent, .kind = kind, .pc = pc};
        *slot = s->nodes_n++;
    }
    return *slot;
}

struct stacks *stacks_new(FILE *interrupts) {
    struct stacks *s = calloc(1, sizeof *s);
    if (s && grow(s)) {
        s->interrupts = interrupts;
        s->nodes[0] = (struct node){0};
        s->nodes_n = 1;
        return s;
    }
    stacks_free(s);
    return NULL;
}

void stacks_free(struct stacks *s) {
    if (!s)
        return;
    free(s->nodes);
    free(s->table);
    free(s);
}

static uint32_t top(const struct stacks *s) { return s->depth ? s->frame[s->depth - 1].node : 0; }

static void push(struct stacks *s, enum kind kind, uint64_t pc, uint64_t returns) {
    if (s->depth == DEPTH)
        s->lost++;
    else
        s->frame[s->depth] = (struct frame){below(s, top(s), kind, pc), returns, s->sp, kind == TRAP};
    s->depth += s->depth < DEPTH;
}

/* Down to the frame that returns to `pc`, within the innermost trap; of a trap return, to its trap. If none
 * returns there, as with longjmp(), those whose stack has gone are left. */
static void pop(struct stacks *s, uint64_t pc, bool trap) {
    if (s->lost && !trap) {
        s->lost--;
        return;
    }
    for (unsigned i = s->depth; i-- > 0;) {
        if (s->frame[i].trap == trap && (trap || s->frame[i].returns == pc)) {
            s->depth = i;
            s->lost = 0;
            return;
        }
        if (s->frame[i].trap)
            break;
    }
    while (!trap && s->depth && !s->frame[s->depth - 1].trap && s->frame[s->depth - 1].sp <= s->sp)
        s->depth--;
}

static bool is_link(unsigned reg) { return reg == 1 || reg == 5; }

/* rd and rs1 of a jump; false: it is none. */
static bool jump_of(uint32_t insn, unsigned *rd, unsigned *rs1) {
    *rs1 = insn >> 15 & 31;
    *rd = insn >> 7 & 31;
    if ((insn & 3) == 3) {
        if ((insn & 127) == OP_JAL)
            *rs1 = 0;
        return (insn & 127) == OP_JAL || (insn & 127) == OP_JALR;
    }
    *rs1 = insn >> 7 & 31;
    *rd = insn >> 12 & 1; /* c.jalr, else c.jr */
    return (insn & 0xE07F) == 0x8002 && *rs1 != 0;
}

/* The interrupted code's calls, from the innermost on */
static void interrupt(const struct stacks *s, const struct sim_probe *e) {
    fprintf(s->interrupts, "%" PRIu64 " %u %" PRIx64, e->cause & UINT64_MAX >> 1, e->priv, e->epc);
    for (unsigned i = s->depth; i-- > 0 && !s->frame[i].trap;)
        fprintf(s->interrupts, " %" PRIx64, s->frame[i].returns);
    fputc('\n', s->interrupts);
}

void stacks_event(struct stacks *s, uint64_t cycle, const struct sim_probe *e) {
    unsigned rd, rs1;
    const uint32_t leaf = below(s, top(s), LEAF, e->pc);
    s->nodes[leaf].cycles += cycle + 1 - s->last;
    s->last = cycle + 1;
    if (e->rd_we && e->rd == SP)
        s->sp = e->rd_val;
    if (e->trap && e->cause >> 63 && s->interrupts)
        interrupt(s, e);
    if (e->trap)
        push(s, TRAP, e->pc, e->epc);
    if (e->trap)
        return;
    if (e->insn == MRET || e->insn == SRET)
        pop(s, e->next_pc, true);
    if (!jump_of(e->insn, &rd, &rs1))
        return;
    if (is_link(rs1) && !(is_link(rd) && rd == rs1))
        pop(s, e->next_pc, false);
    if (is_link(rd))
        push(s, CALL, e->pc, e->pc + ((e->insn & 3) == 3 ? 4 : 2));
}

/* --- report --- */

struct line {
    char *text;
    uint64_t cycles;
};

static void function(char *name, const struct symbols *symbols, uint64_t pc) {
    if (!*symbols_name(symbols, pc, name, NAME))
        snprintf(name, NAME, "0x%" PRIx64, pc);
    name[strcspn(name, "+")] = 0;
}

/* The stack of a leaf, the outermost first; a frame's function is where its call is. */
static char *text_of(const struct stacks *s, const struct symbols *symbols, uint32_t leaf) {
    uint32_t path[DEPTH + 1];
    unsigned n = 0;
    char text[LINE], name[NAME];
    size_t at = 0;
    for (uint32_t i = leaf; i && n < DEPTH + 1; i = s->nodes[i].parent)
        path[n++] = i;
    while (n-- > 0 && at < LINE - 2 * NAME) {
        const struct node *node = &s->nodes[path[n]];
        function(name, symbols, node->pc);
        at += (size_t)snprintf(text + at, LINE - at, "%s%s%s", at ? ";" : "", name,
                               node->kind == TRAP ? ";[trap]" : "");
    }
    return strdup(text);
}

static int by_text(const void *a, const void *b) {
    return strcmp(((const struct line *)a)->text, ((const struct line *)b)->text);
}

void stacks_report(const struct stacks *s, const struct symbols *symbols, FILE *out) {
    struct line *lines = calloc(s->nodes_n, sizeof *lines);
    size_t n = 0;
    for (uint32_t i = 1; lines && i < s->nodes_n; i++) {
        if (s->nodes[i].kind == LEAF && (lines[n].text = text_of(s, symbols, i)))
            lines[n++].cycles = s->nodes[i].cycles;
    }
    if (n)
        qsort(lines, n, sizeof *lines, by_text);
    for (size_t i = 0; i < n;) {
        const size_t first = i;
        uint64_t cycles = 0;
        for (; i < n && strcmp(lines[i].text, lines[first].text) == 0; i++)
            cycles += lines[i].cycles;
        fprintf(out, "%s %" PRIu64 "\n", lines[first].text, cycles);
    }
    for (size_t i = 0; i < n; i++)
        free(lines[i].text);
    free(lines);
}
