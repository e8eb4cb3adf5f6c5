// SPDX-License-Identifier: Apache-2.0
#include "gdb.h"

#include "gdb_link.h"
#include "gdb_state.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BREAKPOINTS = 64, WATCHPOINTS = 32, TEXT = GDB_PACKET_MAX };
enum { TRAP = 5, INTERRUPT = 2 }; /* signals */

enum step { STEP_NONE, STEP_ONE, STEP_RANGE };

struct watch {
    uint64_t start, size;
    char kind; /* of a Z packet: '2' write, '3' read, '4' both */
};

struct gdb {
    struct gdb_machine m;
    struct gdb_link *link;
    uint64_t breakpoint[BREAKPOINTS];
    unsigned breakpoints;
    struct watch watch[WATCHPOINTS];
    unsigned watches;
    unsigned thread;       /* hart of registers and memory */
    unsigned stopped_hart; /* ... that stopped */
    int signal;
    bool running;     /* the debugger waits for a stop */
    bool moved;       /* it has written to a pc */
    struct watch hit; /* size 0: none */
    uint64_t hit_at;
    enum step step[SOC_HARTS_MAX];
    uint64_t range_start[SOC_HARTS_MAX], range_end[SOC_HARTS_MAX];
    char *features; /* target.xml */
    size_t features_n;
    char packet[GDB_PACKET_MAX + 1], out[TEXT];
    size_t out_n;
};

/* --- answers --- */

__attribute__((format(printf, 2, 3))) static void put(struct gdb *g, const char *format, ...) {
    va_list args;
    va_start(args, format);
    /* NOLINTNEXTLINE(clang-analyzer-valist.Uninitialized): va_start is the line above */
    const int n = vsnprintf(g->out + g->out_n, sizeof g->out - g->out_n, format, args);
    va_end(args);
    if (n > 0)
        g->out_n = g->out_n + (size_t)n < sizeof g->out ? g->out_n + (size_t)n : sizeof g->out - 1;
}

static void put_hex(struct gdb *g, const uint8_t *bytes, size_t n) {
    for (size_t i = 0; i < n; i++)
        put(g, "%02x", bytes[i]);
}

static void put_word(struct gdb *g, uint64_t value) { put_hex(g, (const uint8_t *)&value, sizeof value); }

static void answer_ok(struct gdb *g, bool ok) { put(g, "%s", ok ? "OK" : "E01"); }

/* --- numbers of packets --- */

static uint64_t take(const char **at) {
    char *end;
    const uint64_t value = strtoull(*at, &end, 16);
    *at = end;
    return value;
}

static bool take_char(const char **at, char c) {
    if (**at != c)
        return false;
    ++*at;
    return true;
}

/* `n` bytes from pairs of digits; false: there are fewer. */
static bool take_bytes(const char *at, uint8_t *bytes, size_t n) {
    for (size_t i = 0; i < n; i++) {
        char pair[3] = {at[2 * i], at[2 * i] ? at[2 * i + 1] : 0, 0}, *end;
        bytes[i] = (uint8_t)strtoul(pair, &end, 16);
        if (end != pair + 2)
            return false;
    }
    return true;
}

/* A thread's number as hart; -1 (all) and 0 (any) are the hart that stopped. */
static bool take_hart(struct gdb *g, const char **at, unsigned *hart) {
    const bool all = take_char(at, '-');
    const uint64_t thread = take(at);
    *hart = all || thread == 0 ? g->stopped_hart : (unsigned)thread - 1;
    return all || thread <= g->m.harts;
}

/* --- registers --- */

static bool read_register(const struct gdb *g, unsigned i, uint64_t *value) {
    const struct gh *hart = g->m.hart[g->thread];
    if (i < GDB_GENERAL)
        *value = i == GDB_PC ? gh_pc(hart) : gh_reg(hart, i);
    else if (i == GDB_MODE)
        *value = gh_priv(hart);
    else
        return gdb_state_csr(&g->m, g->thread, i - GDB_CSR, value);
    return true;
}

static bool write_register(struct gdb *g, unsigned i, uint64_t value) {
    bool ok;

    if (i == 0)
        ok = value == 0;
    else if (i < GDB_CSR)
        ok = g->m.write_reg(g->m.ctx, g->thread, i, value);
    else
        ok = g->m.write_csr(g->m.ctx, g->thread, i - GDB_CSR, value);
    g->moved |= ok && i == GDB_PC;
    return ok;
}

static void read_all(struct gdb *g) {
    for (unsigned i = 0; i < GDB_GENERAL; i++) {
        uint64_t value = 0;
        read_register(g, i, &value);
        put_word(g, value);
    }
}

static void write_all(struct gdb *g, const char *at) {
    uint64_t value[GDB_GENERAL], old = 0;
    bool ok = take_bytes(at, (uint8_t *)value, sizeof value);
    for (unsigned i = 0; ok && i < GDB_GENERAL; i++)
        ok = (read_register(g, i, &old) && old == value[i]) || write_register(g, i, value[i]);
    answer_ok(g, ok);
}

static void read_one(struct gdb *g, const char *at) {
    uint64_t value;
    if (read_register(g, (unsigned)take(&at), &value))
        put_word(g, value);
    else
        answer_ok(g, false);
}

static void write_one(struct gdb *g, const char *at) {
    uint64_t value;
    const unsigned i = (unsigned)take(&at);
    if (!take_char(&at, '=') || !take_bytes(at, (uint8_t *)&value, sizeof value))
        answer_ok(g, false);
    else if (write_register(g, i, value))
        answer_ok(g, true);
    else
        put(g, "E.%s", i == 0 ? "x0 is 0" : g->m.why(g->m.ctx));
}

/* --- memory --- */

static void read_memory(struct gdb *g, const char *at) {
    static uint8_t bytes[TEXT / 2];
    const uint64_t address = take(&at);
    take_char(&at, ',');
    uint64_t n = take(&at), got = 0;
    if (n > sizeof bytes - 1)
        n = sizeof bytes - 1;
    while (got < n && gdb_state_byte(&g->m, g->thread, address + got, &bytes[got]))
        got++;
    if (got || !n)
        put_hex(g, bytes, got);
    else
        answer_ok(g, false);
}

static void write_memory(struct gdb *g, const char *at, bool binary, const char *end) {
    static uint8_t bytes[TEXT];
    const uint64_t address = take(&at);
    take_char(&at, ',');
    const uint64_t n = take(&at);
    bool ok = n <= sizeof bytes && take_char(&at, ':');
    if (ok && binary)
        ok = (uint64_t)(end - at) == n && memcpy(bytes, at, n);
    else if (ok)
        ok = take_bytes(at, bytes, n);
    for (uint64_t i = 0; ok && i < n;) { /* page by page */
        uint64_t offset, part = 4096 - (address + i) % 4096;
        part = part < n - i ? part : n - i;
        ok = gdb_state_ram(&g->m, g->thread, address + i, &offset) && part <= g->m.ram_size - offset &&
             g->m.write_ram(g->m.ctx, offset, bytes + i, part);
        i += part;
    }
    answer_ok(g, ok);
}

/* --- break- and watchpoints --- */

static bool set_breakpoint(struct gdb *g, uint64_t at) {
    if (g->breakpoints == BREAKPOINTS)
        return false;
    g->breakpoint[g->breakpoints++] = at;
    return true;
}

static bool clear_breakpoint(struct gdb *g, uint64_t at) {
    for (unsigned i = 0; i < g->breakpoints; i++) {
        if (g->breakpoint[i] == at) {
            g->breakpoint[i] = g->breakpoint[--g->breakpoints];
            return true;
        }
    }
    return false;
}

static bool set_watch(struct gdb *g, struct watch w) {
    if (g->watches == WATCHPOINTS || w.size == 0)
        return false;
    g->watch[g->watches++] = w;
    return true;
}

static bool clear_watch(struct gdb *g, struct watch w) {
    for (unsigned i = 0; i < g->watches; i++) {
        const struct watch *o = &g->watch[i];
        if (o->start == w.start && o->size == w.size && o->kind == w.kind) {
            g->watch[i] = g->watch[--g->watches];
            return true;
        }
    }
    return false;
}

static void set_point(struct gdb *g, const char *at, bool set) {
    const char kind = *at++;
    take_char(&at, ',');
    const uint64_t address = take(&at);
    take_char(&at, ',');
    const struct watch w = {.start = address, .size = take(&at), .kind = kind};
    if (kind == '0' || kind == '1')
        answer_ok(g, set ? set_breakpoint(g, address) : clear_breakpoint(g, address));
    else if (kind >= '2' && kind <= '4')
        answer_ok(g, set ? set_watch(g, w) : clear_watch(g, w));
}

static const struct watch *watched(const struct gdb *g, const struct gh_retire *done) {
    for (unsigned i = 0; i < g->watches; i++) {
        const struct watch *w = &g->watch[i];
        const bool loads = done->mem != GH_MEM_STORE, stores = done->mem != GH_MEM_LOAD;
        if (done->mem_vaddr < w->start + w->size && w->start < done->mem_vaddr + done->mem_size &&
            ((w->kind != '3' && stores) || (w->kind != '2' && loads)))
            return w;
    }
    return NULL;
}

static bool steps(const struct gdb *g, unsigned hart, uint64_t next_pc) {
    if (g->step[hart] == STEP_RANGE)
        return next_pc < g->range_start[hart] || next_pc >= g->range_end[hart];
    return g->step[hart] == STEP_ONE;
}

/* A debugger that moves a hart to a breakpoint wants it to stop there. */
static bool at_breakpoint(struct gdb *g) {
    bool there = false;
    for (unsigned i = 0; g->moved && i < g->breakpoints; i++)
        there |= g->breakpoint[i] == gh_pc(g->m.hart[g->thread]);
    g->moved = false;
    if (there) {
        g->signal = TRAP;
        g->stopped_hart = g->thread;
    }
    return there;
}

bool gdb_event(struct gdb *g, unsigned hart, const struct gh_retire *done) {
    const struct watch *hit;
    bool stop = steps(g, hart, done->next_pc);
    if (!gdb_link_connected(g->link))
        return false;
    if (done->mem != GH_MEM_NONE && !done->trap && (hit = watched(g, done))) {
        g->hit = *hit;
        g->hit_at = done->mem_vaddr > hit->start ? done->mem_vaddr : hit->start;
        stop = true;
    }
    for (unsigned i = 0; i < g->breakpoints; i++)
        stop |= g->breakpoint[i] == done->next_pc;
    if (stop) {
        g->signal = TRAP;
        g->stopped_hart = hart;
    }
    return stop;
}

/* The debugger has gone, or detaches: the next one begins anew. */
static void forget(struct gdb *g) {
    g->breakpoints = g->watches = 0;
    g->hit.size = 0;
    for (unsigned h = 0; h < g->m.harts; h++)
        g->step[h] = STEP_NONE;
    g->running = false;
    gdb_link_close(g->link);
}

bool gdb_asks(struct gdb *g) {
    g->signal = INTERRUPT;
    const bool interrupted = gdb_link_connected(g->link) && gdb_link_interrupted(g->link);
    if (gdb_link_connected(g->link))
        return interrupted;
    forget(g); /* wherever its loss was noticed */
    return gdb_link_accept(g->link, false, g->m.quit);
}

/* --- target description --- */

static bool describe(struct gdb *g) {
    FILE *f = open_memstream(&g->features, &g->features_n);
    const bool ok = f && gdb_state_describe(&g->m, f);
    return f && fclose(f) == 0 && ok;
}

static void send_features(struct gdb *g, const char *at) {
    const uint64_t offset = take(&at);
    take_char(&at, ',');
    uint64_t n = take(&at);
    const uint64_t left = offset < g->features_n ? g->features_n - offset : 0;
    if (n > TEXT / 2)
        n = TEXT / 2;
    put(g, "%c", n < left ? 'm' : 'l');
    for (uint64_t i = 0; i < n && i < left; i++)
        g->out[g->out_n++] = g->features[offset + i];
}

/* --- commands --- */

static void stop_reason(struct gdb *g) {
    put(g, "T%02xthread:%x;", (unsigned)g->signal, g->stopped_hart + 1);
    if (g->hit.size) {
        static const char *const names[] = {"watch", "rwatch", "awatch"};
        put(g, "%s:%" PRIx64 ";", names[g->hit.kind - '2'], g->hit_at);
    }
}

static void monitor(struct gdb *g, const char *at) {
    char text[200];
    uint8_t word[16] = {0};
    const size_t n = strlen(at) / 2;
    if (n >= sizeof word || !take_bytes(at, word, n))
        memset(word, 0, sizeof word);
    if (strcmp((const char *)word, "cycle") == 0)
        snprintf(text, sizeof text, "cycle %" PRIu64 "\n", g->m.cycle(g->m.ctx));
    else if (strcmp((const char *)word, "why") == 0)
        snprintf(text, sizeof text, "%s\n", g->m.why(g->m.ctx));
    else
        snprintf(text, sizeof text,
                 "monitor cycle: the cycle in which the machine has stopped\n"
                 "monitor why: why the last write was refused\n");
    put_hex(g, (const uint8_t *)text, strlen(text));
}

static void threads(struct gdb *g) {
    put(g, "m");
    for (unsigned h = 0; h < g->m.harts; h++)
        put(g, h ? ",%x" : "%x", h + 1);
}

static void about_thread(struct gdb *g, const char *at) {
    static const char modes[] = "US?M";
    unsigned hart;
    char text[40];
    if (!take_hart(g, &at, &hart)) {
        answer_ok(g, false);
        return;
    }
    snprintf(text, sizeof text, "hart %u, %c-mode", hart, modes[gh_priv(g->m.hart[hart]) & 3]);
    put_hex(g, (const uint8_t *)text, strlen(text));
}

static void query(struct gdb *g, const char *p) {
    static const char features[] = "Xfer:features:read:target.xml:", extra[] = "ThreadExtraInfo,",
                      command[] = "Rcmd,";
#define BEGINS(what) (strncmp(p, what, sizeof(what) - 1) == 0)
    if (BEGINS("Supported"))
        put(g, "PacketSize=%x;QStartNoAckMode+;qXfer:features:read+;vContSupported+", TEXT / 2);
    else if (BEGINS(features))
        send_features(g, p + sizeof features - 1);
    else if (BEGINS("fThreadInfo"))
        threads(g);
    else if (BEGINS("sThreadInfo"))
        put(g, "l");
    else if (BEGINS(extra))
        about_thread(g, p + sizeof extra - 1);
    else if (BEGINS(command))
        monitor(g, p + sizeof command - 1);
    else if (strcmp(p, "C") == 0)
        put(g, "QC%x", g->thread + 1);
    else if (BEGINS("Attached"))
        put(g, "1");
#undef BEGINS
}

/* vCont: the harts of the machine always run together; a step ends after an instruction of its hart. */
static bool resume(struct gdb *g, const char *p) {
    for (unsigned h = 0; h < g->m.harts; h++)
        g->step[h] = STEP_NONE;
    while (take_char(&p, ';')) {
        const char what = *p++;
        uint64_t start = 0, end = 0;
        unsigned hart = g->stopped_hart;
        if (what == 'C' || what == 'S')
            take(&p);
        if (what == 'r') {
            start = take(&p);
            take_char(&p, ',');
            end = take(&p);
        }
        if (take_char(&p, ':') && !take_hart(g, &p, &hart))
            return false;
        if (what == 'r') {
            g->step[hart] = STEP_RANGE;
            g->range_start[hart] = start;
            g->range_end[hart] = end;
        } else if (what == 's' || what == 'S') {
            g->step[hart] = STEP_ONE;
        }
    }
    g->hit.size = 0;
    return true;
}

enum next { NEXT_COMMAND, NEXT_RUN, NEXT_DETACH, NEXT_KILL };

static enum next run_command(struct gdb *g, const char *p) {
    if (strcmp(p, "Cont?") == 0)
        put(g, "vCont;c;C;s;S;r");
    else if (strncmp(p, "Cont;", 5) == 0 && resume(g, p + 4))
        return NEXT_RUN;
    else if (strncmp(p, "Cont", 4) == 0)
        answer_ok(g, false);
    else if (strncmp(p, "Kill", 4) == 0)
        return NEXT_KILL;
    return NEXT_COMMAND;
}

static enum next command(struct gdb *g, const char *p, long n) {
    unsigned hart;
    switch (*p++) {
    case '?':
        stop_reason(g);
        break;
    case 'g':
        read_all(g);
        break;
    case 'G':
        write_all(g, p);
        break;
    case 'p':
        read_one(g, p);
        break;
    case 'P':
        write_one(g, p);
        break;
    case 'm':
        read_memory(g, p);
        break;
    case 'M':
    case 'X':
        write_memory(g, p, p[-1] == 'X', p - 1 + n);
        break;
    case 'Z':
    case 'z':
        set_point(g, p, p[-1] == 'Z');
        break;
    case 'H':
        p++;
        if (take_hart(g, &p, &hart))
            g->thread = hart;
        answer_ok(g, hart < g->m.harts);
        break;
    case 'T':
        answer_ok(g, take_hart(g, &p, &hart));
        break;
    case 'q':
        query(g, p);
        break;
    case 'Q':
        if (strcmp(p, "StartNoAckMode") == 0)
            answer_ok(g, true);
        break;
    case 'c':
        resume(g, "");
        return NEXT_RUN;
    case 's':
        resume(g, ";s");
        return NEXT_RUN;
    case 'v':
        return run_command(g, p);
    case 'D':
        answer_ok(g, true);
        return NEXT_DETACH;
    case 'k':
        return NEXT_KILL;
    default:
        break;
    }
    return NEXT_COMMAND;
}

/* The answer of the command */
static void send_answer(struct gdb *g) {
    gdb_link_put(g->link, g->out, g->out_n);
    g->out_n = 0;
}

static enum gdb_order serve(struct gdb *g) {
    for (;;) {
        const long n = gdb_link_get(g->link, g->packet, g->m.quit);
        if (n < 0) {
            forget(g);
            return GDB_RUN;
        }
        const enum next next = command(g, g->packet, n);
        if (next == NEXT_RUN && !at_breakpoint(g))
            return GDB_RUN;
        if (next == NEXT_RUN)
            stop_reason(g);
        if (next == NEXT_KILL) {
            answer_ok(g, true);
            if (g->packet[0] == 'v')
                send_answer(g);
            return GDB_KILL;
        }
        send_answer(g);
        if (strcmp(g->packet, "QStartNoAckMode") == 0)
            gdb_link_no_acknowledge(g->link);
        if (next == NEXT_DETACH) {
            forget(g);
            return GDB_RUN;
        }
    }
}

enum gdb_order gdb_stopped(struct gdb *g, bool wait) {
    const bool was_there = gdb_link_connected(g->link) && !wait;
    if (!gdb_link_connected(g->link) && (!wait || !gdb_link_accept(g->link, true, g->m.quit)))
        return GDB_RUN;
    g->thread = g->stopped_hart;
    if (was_there && g->running) {
        stop_reason(g);
        send_answer(g);
    }
    g->running = false;
    const enum gdb_order order = serve(g);
    g->running = order == GDB_RUN && gdb_link_connected(g->link);
    return order;
}

void gdb_ended(struct gdb *g, int status) {
    if (!gdb_link_connected(g->link) || !g->running)
        return;
    put(g, "W%02x", (unsigned)status & 255);
    send_answer(g);
}

struct gdb *gdb_new(const char *address, const struct gdb_machine *machine, struct error *error) {
    struct gdb *g = calloc(1, sizeof *g);
    if (!g || !(g->m = *machine, g->signal = TRAP, describe(g))) {
        error_set(error, "not enough memory for the debugger");
        gdb_free(g);
        return NULL;
    }
    g->link = gdb_link_listen(address, error);
    if (g->link)
        return g;
    gdb_free(g);
    return NULL;
}

void gdb_free(struct gdb *g) {
    if (!g)
        return;
    gdb_link_free(g->link);
    free(g->features);
    free(g);
}
