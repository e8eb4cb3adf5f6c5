/* SPDX-License-Identifier: Apache-2.0 */
/* tally-translate: a filter process of GTKWave (Data Format, Translate Filter Process). Reads one hexadecimal
 * value per line, writes its meaning. */
#include "disassemble.h"
#include "error.h"
#include "symbols.h"

#include "tally_events.h"
#include "tally_names.h"
#include "tally_spec.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LINE = 512, WORDS_MAX = 16, PROGRAM_MAX = 64 << 20 };
#define INTERRUPT (UINT64_C(1) << 63)

struct text {
    char line[LINE];
    size_t n;
};

static void __attribute__((format(printf, 2, 3))) append(struct text *t, const char *format, ...) {
    va_list args;
    va_start(args, format);
    const int n = vsnprintf(t->line + t->n, sizeof t->line - t->n, format, args);
    va_end(args);
    t->n += n > 0 ? (size_t)n : 0;
    if (t->n >= sizeof t->line)
        t->n = sizeof t->line - 1;
}

static void append_word(struct text *t, const char *word) { append(t, "%s%s", t->n ? " " : "", word); }

/* The translation of a kind of value */
struct how {
    struct symbols symbols;
    const struct tally_register *layout;
};

static void instruction(const struct how *how, uint64_t value, struct text *t) {
    char line[128];
    (void)how;
    append(t, "%s", disassemble((uint32_t)value, line, sizeof line));
}

static void program_counter(const struct how *how, uint64_t value, struct text *t) {
    char name[256];
    symbols_name(&how->symbols, value, name, sizeof name);
    append(t, "%s", name);
    if (!*name)
        append(t, "%" PRIx64, value);
}

/* Names of the bits that are set; nothing for none */
static void bits(uint64_t value, const char *const *names, size_t n, struct text *t) {
    for (size_t i = 0; i < 64; i++) {
        if (!(value >> i & 1))
            continue;
        if (i < n && names[i])
            append_word(t, names[i]);
        else
            append(t, "%s%zu", t->n ? " " : "", i);
    }
    if (!t->n)
        append(t, "-");
}

#define NAMES(list) (list), sizeof(list) / sizeof *(list)

static void retire_wires(const struct how *how, uint64_t value, struct text *t) {
    (void)how;
    bits(value, NAMES(tally_retire_wires), t);
}

static void cycle_wires(const struct how *how, uint64_t value, struct text *t) {
    (void)how;
    bits(value, NAMES(tally_cycle_wires), t);
}

static void interrupts(const struct how *how, uint64_t value, struct text *t) {
    (void)how;
    bits(value, NAMES(tally_interrupts), t);
}

static void cause(const struct how *how, uint64_t value, struct text *t) {
    const uint64_t code = value & ~INTERRUPT;
    const char *const *names = value & INTERRUPT ? tally_interrupts : tally_exceptions;
    const size_t n = value & INTERRUPT ? sizeof tally_interrupts / sizeof *tally_interrupts
                                       : sizeof tally_exceptions / sizeof *tally_exceptions;
    (void)how;
    if (value & INTERRUPT)
        append(t, "irq ");
    if (code < n && names[code])
        append(t, "%s", names[code]);
    else
        append(t, "%" PRIu64, code);
}

/* mhpmevent: the event, the modes in which it is not counted, OF */
static void event(const struct how *how, uint64_t value, struct text *t) {
    const uint64_t selector = value << 8 >> 8;
    (void)how;
    if (!selector)
        append(t, "none");
    for (size_t i = 0; i < sizeof tally_events / sizeof *tally_events; i++) {
        if (selector && tally_events[i].name && tally_events[i].selector == selector)
            append(t, "%s", tally_events[i].name);
    }
    if (!t->n)
        append(t, "%" PRIx64, selector);
    if (value & TALLY_MHPMEVENT_MINH_MASK)
        append(t, " !M");
    if (value & TALLY_MHPMEVENT_SINH_MASK)
        append(t, " !S");
    if (value & TALLY_MHPMEVENT_UINH_MASK)
        append(t, " !U");
    if (value & TALLY_MHPMEVENT_OF_MASK)
        append(t, " OF");
}

/* The fields that are not 0 */
static void fields(const struct how *how, uint64_t value, struct text *t) {
    const struct tally_field *const first = &tally_fields[how->layout->fields];
    const unsigned type = 1u << (value & 7); /* of a sample record's header */
    for (const struct tally_field *f = first; f->name; f++) {
        const uint64_t v = value >> f->lsb & (UINT64_MAX >> (63 - (f->msb - f->lsb)));
        if (!v || (f->types && !(f->types & type)))
            continue;
        if (f->lsb == f->msb)
            append_word(t, f->name);
        else
            append(t, v < 10 ? "%s%s=%" PRIx64 : "%s%s=0x%" PRIx64, t->n ? " " : "", f->name, v);
    }
    if (!t->n)
        append(t, "-");
}

typedef void translator(const struct how *how, uint64_t value, struct text *t);

static const struct {
    const char *name;
    translator *translate;
    const char *argument, *help;
} kinds[] = {
    {"insn", instruction, NULL, "an instruction, disassembled"},
    {"pc", program_counter, "ELF...", "an address, as the symbol of a program and the distance from it"},
    {"retire", retire_wires, NULL, "ev_retire_i: the wires that are 1"},
    {"cycle", cycle_wires, NULL, "ev_cycle_i with EVC_W=1: the wires that are 1"},
    {"event", event, NULL, "mhpmevent: the event, modes in which it is not counted, OF"},
    {"irqs", interrupts, NULL, "mip, mie, mideleg: the interrupts whose bits are 1"},
    {"cause", cause, NULL, "mcause, scause"},
    {"fields", fields, "NAME", "a register or a word of the sample record: the fields that are not 0"},
};
enum { KINDS = sizeof kinds / sizeof *kinds };

static int usage(FILE *out, int status) {
    fputs("usage: tally-translate KIND [ARGUMENT...]\n\n"
          "Reads hexadecimal values, one per line, and answers each with a line. Anything else is returned "
          "unchanged.\n\n",
          out);
    for (unsigned i = 0; i < KINDS; i++)
        fprintf(out, "  %-7s %-7s %s\n", kinds[i].name, kinds[i].argument ? kinds[i].argument : "",
                kinds[i].help);
    return status;
}

static bool load_symbols(struct symbols *symbols, char **paths, int n, struct error *error) {
    for (int i = 0; i < n; i++) {
        struct file file;
        if (!file_read(&file, paths[i], PROGRAM_MAX, error))
            return false;
        symbols_add(symbols, &file);
        file_free(&file);
    }
    symbols_sort(symbols);
    return true;
}

static const struct tally_register *layout_of(const char *name) {
    for (size_t i = 0; i < sizeof tally_registers / sizeof *tally_registers; i++) {
        if (strcmp(tally_registers[i].name, name) == 0)
            return &tally_registers[i];
    }
    return NULL;
}

static void answer(const struct how *how, translator *translate, const char *line) {
    struct text t = {"", 0};
    char *end;
    errno = 0;
    const uint64_t value = strtoull(line + (*line == '$'), &end, 16);
    if (end == line || *end || errno)
        append(&t, "%s", line);
    else
        translate(how, value, &t);
    puts(t.line);
    fflush(stdout);
}

static int translate(int argc, char **argv) {
    struct error error = {""};
    struct how how = {0};
    char line[LINE];
    unsigned kind = 0;
    if (argc == 2 && strcmp(argv[1], "--help") == 0)
        return usage(stdout, EXIT_SUCCESS);
    while (argc > 1 && kind < KINDS && strcmp(kinds[kind].name, argv[1]) != 0)
        kind++;
    if (argc < 2 || kind == KINDS ||
        (kinds[kind].translate == fields) != (argc == 3 && kinds[kind].translate != program_counter))
        return usage(stderr, 2);
    if (kinds[kind].translate == fields && !(how.layout = layout_of(argv[2])))
        error_set(&error, "%s: not a register of the specification", argv[2]);
    else if (kinds[kind].translate == program_counter)
        load_symbols(&how.symbols, argv + 2, argc - 2, &error);
    if (*error.text) {
        fprintf(stderr, "tally-translate: %s\n", error.text);
        return 2;
    }
    while (fgets(line, sizeof line, stdin)) {
        line[strcspn(line, "\r\n")] = 0;
        answer(&how, kinds[kind].translate, line);
    }
    symbols_free(&how.symbols);
    return EXIT_SUCCESS;
}

/* GTKWave passes everything after the program's name as one argument. */
static int split(char *text, char **words, int n) {
    int count = 0;
    for (char *word = strtok(text, " "); word && count < n; word = strtok(NULL, " "))
        words[count++] = word;
    return count;
}

int main(int argc, char **argv) {
    char *words[WORDS_MAX + 1] = {argv[0]};
    if (argc == 2) {
        argc = 1 + split(argv[1], words + 1, WORDS_MAX);
        argv = words;
    }
    return translate(argc, argv);
}
