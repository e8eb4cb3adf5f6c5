// SPDX-License-Identifier: Apache-2.0
#include "options.h"

#include "soc.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

enum kind { TEXT, TEXTS, AT, FLAG, SIZE, HARTS, THREADS, NUMBER };

static const struct option {
    const char *name;
    enum kind kind;
    size_t offset;
    const char *argument, *help;
} table[] = {
    {"bios", TEXT, offsetof(struct options, bios), "FILE", "firmware: ELF, or a raw image at 0x80000000"},
    {"kernel", TEXT, offsetof(struct options, kernel), "FILE",
     "started by the firmware: ELF, Linux Image, or raw; without -bios started in M-mode"},
    {"initrd", TEXT, offsetof(struct options, initrd), "FILE", "initial RAM disk"},
    {"dtb", TEXT, offsetof(struct options, dtb), "FILE", "device tree blob instead of the generated one"},
    {"append", TEXT, offsetof(struct options, append), "TEXT", "kernel command line"},
    {"m", SIZE, offsetof(struct options, memory), "SIZE", "RAM, in MiB or with suffix K, M, G (128M)"},
    {"smp", HARTS, offsetof(struct options, harts), "N", "harts, 1 or 2 (1)"},
    {"s", FLAG, offsetof(struct options, debug), NULL, "as --gdb 1234"},
    {"S", FLAG, offsetof(struct options, wait), NULL, "wait for the debugger before the first instruction"},
    {"gdb", TEXT, offsetof(struct options, gdb), "PORT",
     "GDB may connect, at a port or at the path of a socket; includes --lockstep (docs/gdb.md)"},
    {"clock", NUMBER, offsetof(struct options, core_clock), "HZ",
     "core clock in the device tree (100000000)"},
    {"timed", FLAG, offsetof(struct options, timed), NULL,
     "instructions take about as many cycles as on the RTL (tally-iss, which else takes 1)"},
    {"delegate", NUMBER, offsetof(struct options, delegated), "BITMAP",
     "counters that the device tree delegates to the supervisor (tally,delegated-counters)"},
    {"ebb", FLAG, offsetof(struct options, branches), NULL,
     "... and lets the supervisor route to its programs (tally,event-based-branches)"},
    {"no-smepmp", FLAG, offsetof(struct options, no_smepmp), NULL,
     "a hart without Smepmp: the golden machine, or a tally-sim that is built without"},
    {"max-cycles", NUMBER, offsetof(struct options, max_cycles), "N",
     "stop after that many cycles, exit status 4"},
    {"reset-after", NUMBER, offsetof(struct options, reset_after), "N",
     "first run that many cycles, load everything again and reset: the run starts with old contents"},
    {"stop", TEXT, offsetof(struct options, stop), "COND", "end the run at COND, exit status 0"},
    {"lockstep", FLAG, offsetof(struct options, lockstep), NULL,
     "run the golden models too and stop at the first difference, exit status 3"},
    {"lockstep-threads", THREADS, offsetof(struct options, lockstep_threads), "N",
     "... the models on a thread of their own, 1, or in line with the machine, 0 (1 if there are two "
     "processors)"},
    {"tags", FLAG, offsetof(struct options, tags), NULL,
     "with lockstep: tag instructions at random and check the hart's reports of them"},
    {"wave", TEXT, offsetof(struct options, wave), "FILE",
     "write waves (FST), 10 ns for each cycle: a choice of signals (docs/waves.md)"},
    {"wave-all", FLAG, offsetof(struct options, wave_all), NULL,
     "... of all signals: several times as slow as none (docs/performance.md)"},
    {"wave-scope", TEXTS, offsetof(struct options, wave_scope), "SCOPE",
     "... of all signals of a part of the machine, as u_lsu.u_dcache; may be repeated"},
    {"wave-from", TEXT, offsetof(struct options, wave_from), "COND", "... from COND on"},
    {"wave-to", TEXT, offsetof(struct options, wave_to), "COND", "... until COND"},
    {"wave-last", NUMBER, offsetof(struct options, wave_last), "N",
     "... of the last N cycles, and only if the run ends with an exit status that is not 0"},
    {"trace", TEXT, offsetof(struct options, trace), "FILE",
     "write every retired instruction and trap, one per line"},
    {"konata", TEXT, offsetof(struct options, konata), "FILE", "write the pipeline for the viewer Konata"},
    {"stacks", TEXT, offsetof(struct options, stacks), "FILE",
     "write cycles by call stack, for flame graphs (docs/profile.md)"},
    {"interrupt-stacks", TEXT, offsetof(struct options, interrupts), "FILE",
     "write the call stack that each interrupt met (tb/stacks.h)"},
    {"sample-log", TEXT, offsetof(struct options, sample_log), "FILE",
     "write the instructions that sampling selects, and its records (tb/sample_log.h)"},
    {"crosses", TEXT, offsetof(struct options, crosses), "FILE",
     "count the situations of the pipeline that were reached, one per line"},
    {"program", TEXT, offsetof(struct options, program), "FILE",
     "ELF that runs in U-mode above -kernel program.elf (docs/programs.md); its arguments follow --"},
    {"files", TEXT, offsetof(struct options, files), "DIR", "the folder whose files the program may use"},
    {"stack", SIZE, offsetof(struct options, stack), "SIZE", "of the program, as -m has it (1M)"},
    {"heap", SIZE, offsetof(struct options, heap), "SIZE", "... and its limit (all of RAM)"},
    {"env", TEXTS, offsetof(struct options, env), "NAME=TEXT", "an environment variable; may be repeated"},
    {"set", TEXTS, offsetof(struct options, set), "SYM=N",
     "write the number into the 64-bit variable of a program before it runs; may be repeated"},
    {"cycles", TEXT, offsetof(struct options, cycles), "FILE",
     "write the instruction to which each cycle is attributed (tb/cycles.h)"},
    {"where", TEXT, offsetof(struct options, where), "FILE", "... summed by pc"},
    {"warm-up", NUMBER, offsetof(struct options, warm_up), "N",
     "--where counts from instruction N of the run on"},
    {"window", NUMBER, offsetof(struct options, window), "N",
     "end the run after N instructions more, exit status 0"},
    {"records", TEXT, offsetof(struct options, records), "FILE",
     "at the end write the sample records that the program left at tally_records (docs/profile.md)"},
    {"checkpoint", TEXTS, offsetof(struct options, checkpoint), "FILE",
     "write the machine's state when --at says (tally-iss: or at the end); may be repeated (docs/farm.md)"},
    {"at", AT, offsetof(struct options, at), "COND",
     "... of the --checkpoint before it; a number counts instructions; every:N+FIRST"},
    {"stored", FLAG, offsetof(struct options, stored), NULL, "... not compressed: larger, and faster"},
    {"warm", FLAG, offsetof(struct options, warm), NULL,
     "... with what predictor, caches and translations of the RTL would hold (tally-iss)"},
    {"copy-files", FLAG, offsetof(struct options, copy_files), NULL,
     "... with a copy of the folder of --files, FILE.files (tally-iss)"},
    {"restore", TEXT, offsetof(struct options, restore), "FILE",
     "go on from a checkpoint of the same machine"},
    {"dump-dtb", TEXT, offsetof(struct options, dump_dtb), "FILE", "write the device tree and stop"},
    {"nographic", FLAG, offsetof(struct options, nographic), NULL, "accepted: it is always so"},
    {"version", FLAG, offsetof(struct options, version), NULL, "say which version this is"},
    {"completion", FLAG, offsetof(struct options, completion), NULL,
     "a bash completion: source <(tally-sim --completion)"},
    {"quiet", FLAG, offsetof(struct options, quiet), NULL, "no summary, no progress"},
    {"help", FLAG, offsetof(struct options, help), NULL, "this text"},
};
enum { OPTIONS = sizeof table / sizeof *table, QEMUS = 9 /* with one dash */ };

static const struct option *find(const char *word) {
    if (word[0] != '-')
        return NULL;
    const char *name = word + (word[1] == '-' ? 2 : 1);
    for (unsigned i = 0; i < OPTIONS; i++) {
        if (strcmp(table[i].name, name) == 0)
            return &table[i];
    }
    return NULL;
}

static bool number(const char *text, uint64_t *value, const char **rest) {
    char *end;
    errno = 0;
    if (!isdigit((unsigned char)*text))
        return false;
    *value = strtoull(text, &end, 0);
    *rest = end;
    return errno == 0;
}

static bool parse_size(const char *text, uint64_t *bytes) {
    const char *rest;
    uint64_t v;
    unsigned shift = 20;
    if (!number(text, &v, &rest))
        return false;
    switch (toupper((unsigned char)*rest)) {
    case 'K':
        shift = 10;
        rest++;
        break;
    case 'M':
        shift = 20;
        rest++;
        break;
    case 'G':
        shift = 30;
        rest++;
        break;
    default:
        break;
    }
    if (*rest || v == 0 || v > SOC_RAM_MAX >> shift)
        return false;
    *bytes = v << shift;
    return true;
}

static bool set_value(struct options *o, const struct option *option, const char *text, struct error *error) {
    void *field = (char *)o + option->offset;
    struct option_texts *texts;
    const char *rest = "";
    uint64_t v = 0;
    switch (option->kind) {
    case TEXT:
        *(const char **)field = text;
        return true;
    case TEXTS:
        texts = field;
        if (texts->n == OPTIONS_TEXTS_MAX)
            return error_set(error, "--%s: at most %d of them", option->name, OPTIONS_TEXTS_MAX);
        texts->text[texts->n++] = text;
        return true;
    case AT:
        if (!o->checkpoint.n || o->at[o->checkpoint.n - 1])
            return error_set(error, "--at '%s': it needs a --checkpoint of its own before it", text);
        o->at[o->checkpoint.n - 1] = text;
        return true;
    case SIZE:
        if (!parse_size(text, field) || *(uint64_t *)field % 4096)
            return error_set(error, "-%s: '%s' is not a size of 4K to 16G in pages of 4K", option->name,
                             text);
        return true;
    case HARTS:
        if (!number(text, &v, &rest) || *rest || v < 1 || v > SOC_HARTS_MAX)
            return error_set(error, "-%s: '%s': there can be 1 or 2 harts", option->name, text);
        *(unsigned *)field = (unsigned)v;
        return true;
    case THREADS:
        if (!number(text, &v, &rest) || *rest || v > 1)
            return error_set(error, "--%s: '%s': golden models have 0 or 1 threads of their own",
                             option->name, text);
        *(int *)field = (int)v;
        return true;
    case NUMBER:
        if (!number(text, field, &rest) || *rest || *(uint64_t *)field == 0)
            return error_set(error, "--%s: '%s' is not a positive number", option->name, text);
        return true;
    case FLAG:
        break;
    }
    *(bool *)field = true;
    return true;
}

bool options_parse(struct options *o, int argc, char *const *argv, struct error *error) {
    *o = (struct options){.memory = 128 << 20,
                          .stack = 1 << 20,
                          .core_clock = SOC_CORE_CLOCK,
                          .harts = 1,
                          .xlen = 64,
                          .lockstep_threads = OPTIONS_UNSET};
    for (int i = 1; i < argc; i++) {
        const struct option *option = find(argv[i]);
        const char *value = NULL;
        if (strcmp(argv[i], "--") == 0) {
            o->args = argv + i + 1;
            o->args_n = (unsigned)(argc - i - 1);
            break;
        }
        if (!option)
            return error_set(error, "'%s' is not an option; see --help", argv[i]);
        if (option->kind != FLAG && !(value = argv[++i]))
            return error_set(error, "%s needs a %s", argv[i - 1], option->argument);
        if (!set_value(o, option, value, error))
            return false;
    }
    if (o->help || o->version || o->completion)
        return true;
    if (o->debug && !o->gdb)
        o->gdb = "1234";
    if (o->wait && !o->gdb)
        return error_set(error, "-S waits for a debugger: it needs -s or --gdb");
    o->lockstep |= o->gdb != NULL;
    if (!o->bios && !o->kernel && !o->dump_dtb && !o->restore)
        return error_set(error, "nothing to run: give -bios or -kernel; see --help");
    if ((o->wave_from || o->wave_to) && !o->wave)
        return error_set(error, "--wave-from and --wave-to need --wave");
    if ((o->wave_all || o->wave_scope.n || o->wave_last) && !o->wave)
        return error_set(error, "--wave-all, --wave-scope and --wave-last need --wave");
    if (o->lockstep_threads != OPTIONS_UNSET && !o->lockstep && !o->checkpoint.n)
        return error_set(error, "--lockstep-threads needs --lockstep");
    if (o->wave_all && o->wave_scope.n)
        return error_set(error, "--wave-all has every part already: it goes without --wave-scope");
    if (o->wave_last && (o->wave_from || o->wave_to))
        return error_set(error,
                         "--wave-last is a window of its own: it goes without --wave-from and --wave-to");
    if (o->wave_last > OPTIONS_WAVE_LAST_MAX)
        return error_set(error, "--wave-last %" PRIu64 ": at most %d cycles", o->wave_last,
                         OPTIONS_WAVE_LAST_MAX);
    if (o->wave_last && o->gdb)
        return error_set(error, "--wave-last: not with a debugger, whose stops cannot be repeated");
    if (o->reset_after && (o->program || o->files))
        return error_set(error, "--reset-after: not with --program or --files, whose host is not reset");
    if (o->delegated > UINT32_MAX)
        return error_set(error, "--delegate 0x%" PRIx64 ": a bitmap of 32 counters", o->delegated);
    if (o->core_clock > UINT32_MAX)
        return error_set(error, "--clock %" PRIu64 ": at most %" PRIu32 ", as the device tree has it",
                         o->core_clock, UINT32_MAX);
    if (o->warm_up && !o->where)
        return error_set(error, "--warm-up is for --where");
    if (o->cycles && o->harts != 1)
        return error_set(error, "--cycles: of one hart only");
    if (o->args_n && !o->program)
        return error_set(error, "arguments behind -- are for --program");
    if (o->env.n && !o->program && !o->files)
        return error_set(error, "--env is for --program or --files");
    for (unsigned i = 0; i < o->env.n; i++) {
        if (!strchr(o->env.text[i], '='))
            return error_set(error, "--env '%s': it must be NAME=TEXT", o->env.text[i]);
    }
    return true;
}

void options_help(FILE *out) {
    fputs("usage: tally-sim [-bios FILE] [-kernel FILE] [options]\n\n", out);
    for (unsigned i = 0; i < OPTIONS; i++) {
        char left[40];
        snprintf(left, sizeof left, "%s%s%s%s", i < QEMUS ? "-" : "--", table[i].name,
                 table[i].argument ? " " : "", table[i].argument ? table[i].argument : "");
        fprintf(out, "  %-18s %s\n", left, table[i].help);
    }
    fputs("\nCOND is a cycle (1000), a program counter (pc:0x80000000), an ELF symbol (main) or a text that "
          "the "
          "program\n"
          "prints (text:login:).\n"
          "A raw image has Linux's header or a name that ends in .bin; everything else must be ELF.\n"
          "Exit status: the program's own (above 255: 255); 2 usage or bad file, 3 lockstep, 4 --max-cycles, "
          "130 "
          "Ctrl-C.\n",
          out);
}

void options_completion(const char *program, FILE *out) {
    fprintf(out, "_tally_%s() {\n  local words=\"", program + sizeof "tally");
    for (unsigned i = 0; i < OPTIONS; i++)
        fprintf(out, "%s%s%s", i ? " " : "", i < QEMUS ? "-" : "--", table[i].name);
    fprintf(out,
            "\"\n"
            "  case $2 in\n"
            "  -*) COMPREPLY=($(compgen -W \"$words\" -- \"$2\")) ;;\n"
            "  *) COMPREPLY=($(compgen -f -- \"$2\")) ;;\n"
            "  esac\n"
            "}\n"
            "complete -o filenames -F _tally_%s %s\n",
            program + sizeof "tally", program);
}
