// SPDX-License-Identifier: Apache-2.0
#include "trace.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { BUFFER = 1 << 16 };

struct trace {
    FILE *file;
    char buffer[BUFFER];
};

struct trace *trace_open(const char *path, struct error *error) {
    struct trace *t = malloc(sizeof *t);
    if (!t) {
        error_set(error, "%s: not enough memory", path);
        return NULL;
    }
    t->file = fopen(path, "w");
    if (!t->file) {
        error_set(error, "%s: %s", path, strerror(errno));
        free(t);
        return NULL;
    }
    setvbuf(t->file, t->buffer, _IOFBF, BUFFER);
    fputs("# cycle hart mode pc: instruction, then its effects\n", t->file);
    return t;
}

static size_t append_memory(char *text, size_t size, const struct sim_probe *e) {
    static const char *const names[8] = {"", "load", "store", "amo", "lr", "sc", "", ""};
    if (e->mem_op == SIM_MEM_NONE)
        return 0;
    size_t n = (size_t)snprintf(text, size, " %s%u [%016" PRIx64 " %014" PRIx64 "]", names[e->mem_op & 7],
                                8u << e->mem_size, e->mem_vaddr, e->mem_paddr);
    if (e->mem_op == SIM_MEM_SC && e->sc_fail)
        n += (size_t)snprintf(text + n, size - n, " failed");
    else if (e->mem_op != SIM_MEM_LOAD && e->mem_op != SIM_MEM_LR)
        n += (size_t)snprintf(text + n, size - n, "=%" PRIx64,
                              e->mem_wdata & (UINT64_MAX >> (64 - (8u << e->mem_size))));
    return n;
}

const char *trace_line(char *text, size_t size, uint64_t cycle, unsigned hart, const struct sim_probe *e) {
    static const char modes[4] = {'U', 'S', '?', 'M'};
    const bool interrupt = e->trap && e->cause >> 63;
    size_t n = (size_t)snprintf(text, size, "%10" PRIu64 " %u %c %016" PRIx64 ":", cycle, hart,
                                modes[e->priv & 3], e->pc);
    if (e->ebb) {
        snprintf(text + n, size - n, " event-based branch -> %" PRIx64, e->next_pc);
        return text;
    }
    if (!interrupt)
        n += (size_t)snprintf(text + n, size - n, (e->insn & 3) == 3 ? " %08" PRIx32 : " %04" PRIx32 "    ",
                              e->insn);
    if (e->trap) {
        snprintf(text + n, size - n, "%s cause %" PRIu64 " epc %" PRIx64 " tval %" PRIx64 " -> %" PRIx64,
                 interrupt ? " interrupt:" : " trap:", e->cause & (UINT64_MAX >> 1), e->epc, e->tval,
                 e->next_pc);
        return text;
    }
    if (e->rd_we)
        n += (size_t)snprintf(text + n, size - n, " x%u=%016" PRIx64, e->rd, e->rd_val);
    append_memory(text + n, size - n, e);
    return text;
}

void trace_event(struct trace *t, uint64_t cycle, unsigned hart, const struct sim_probe *e) {
    char line[256];
    fputs_unlocked(trace_line(line, sizeof line, cycle, hart, e), t->file);
    putc_unlocked('\n', t->file);
}

bool trace_close(struct trace *t) {
    if (!t)
        return true;
    const bool ok = !ferror(t->file);
    const bool closed = fclose(t->file) == 0;
    free(t);
    return ok && closed;
}
