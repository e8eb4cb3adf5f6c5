// SPDX-License-Identifier: Apache-2.0
#include "program.h"

#include <inttypes.h>
#include <string.h>

static const char *cause_name(uint64_t cause) {
    static const char *const names[] = {
        [0] = "jump to an odd address",
        [1] = "jump to an address without memory",
        [2] = "illegal instruction",
        [3] = "breakpoint",
        [4] = "misaligned load",
        [5] = "load from an address without memory",
        [6] = "misaligned store",
        [7] = "store to an address without memory",
        [12] = "jump to an address outside of the program's code",
        [13] = "load from an address outside of the program's memory",
        [15] = "store to memory that is not the program's, or is read-only",
        [HOST_STACK_OVERFLOW] = "stack overflow (--stack makes it larger)",
        [HOST_HEAP_EXHAUSTED] = "heap exhausted: malloc() fails from here on (--heap, -m)",
    };
    const bool known = cause < sizeof names / sizeof *names && names[cause];
    return known ? names[cause] : "unexpected trap";
}

static void fault(const void *ctx, uint64_t cause, uint64_t pc, uint64_t value) {
    const struct machine *machine = ctx;
    char name[128];
    fflush(stdout);
    fprintf(stderr, "program: %s, at 0x%" PRIx64, cause_name(cause), pc);
    if (*symbols_name(&machine->symbols, pc, name, sizeof name))
        fprintf(stderr, " (%s)", name);
    fprintf(stderr, cause == 2 ? ": %08" PRIx64 "\n" : ", address 0x%" PRIx64 "\n", value);
}

struct host_device *program_host(const struct machine *machine, const struct options *o,
                                 bool (*print)(void *ctx, uint8_t byte), void *ctx, struct error *error) {
    const char *slash = o->program ? strrchr(o->program, '/') : NULL;
    const struct host_config config = {
        .files = o->files,
        .name = slash        ? slash + 1
                : o->program ? o->program
                             : "",
        .args = o->args,
        .args_n = o->args_n,
        .env = o->env.text,
        .env_n = o->env.n,
        .program = machine->program,
        .program_words = machine->program_words,
        .print = print,
        .print_ctx = ctx,
        .fault = fault,
        .fault_ctx = machine,
    };
    return host_new(&config, error);
}
