/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The supervisor above which `tally-sim --program` runs a program in U-mode: memory by Sv39, arguments, calls
 * of the host device, and counting or sampling around it (docs/programs.md).
 */
#include <string.h>

#include "console.h"
#include "csr.h"
#include "host.h"
#include "paging.h"
#include "perf.h"
#include "platform.h"
#include "sampled.h"
#include "supervisor.h"
#include "syscalls.h"

enum { SEGMENTS = 32, STRINGS = 512, GUARD = 64 << 10 };

/* Mode of the program: 0 run, 1 count, 2 sample (tally-sim --set program_mode=2) */
volatile uint64_t program_mode = 1;

extern char program_memory_end[], user_nothing[]; /* program.ld, nothing.S */

static char name[64];
static uint64_t info[PROGRAM_SEGMENT + PROGRAM_SEGMENT_WORDS * SEGMENTS];
static struct user_memory memory;
static struct { uint64_t entry, sp, argc, argv, envp; } start;

__attribute__((noreturn)) static void end(unsigned status) {
    write32(FINISHER_BASE, status ? FINISHER_FAIL | status << 16 : FINISHER_PASS);
    for (;;)
        __asm__ volatile("wfi");
}

__attribute__((noreturn)) static void refuse(const char *why) {
    con_printf("program: %s\n", why);
    end(2);
}

/* --- memory --------------------------------------------------------------------------------------- */

static uint64_t page_up(uint64_t address) { return (address + PAGE - 1) & -(uint64_t)PAGE; }

static bool map_segments(void) {
    const uint64_t *segment = info + PROGRAM_SEGMENT;

    for (uint64_t i = 0; i < info[PROGRAM_SEGMENTS]; i++, segment += PROGRAM_SEGMENT_WORDS) {
        const unsigned flags = (unsigned)segment[2];
        const unsigned rights =
            PAGE_USER | PAGE_READ | (flags & 1 ? PAGE_EXECUTE : 0) | (flags & 2 ? PAGE_WRITE : 0);

        if (!memory.start || segment[0] < memory.start)
            memory.start = segment[0];
        if (segment[1] > memory.heap)
            memory.heap = segment[1];
        if (!paging_map(segment[0], segment[1], rights))
            return false;
    }
    return true;
}

/* Segments, heap, a guard page without access, and the stack up to the end of memory */
static bool map_program(void) {
    memory.end = info[PROGRAM_RAM_END];
    memory.stack = (memory.end - info[PROGRAM_STACK]) & -(uint64_t)PAGE;
    memory.guard = memory.stack - GUARD;
    if (!map_segments())
        return false;
    memory.heap_end = memory.guard;
    if (info[PROGRAM_HEAP] && page_up(memory.heap) + info[PROGRAM_HEAP] < memory.heap_end)
        memory.heap_end = page_up(memory.heap) + info[PROGRAM_HEAP];
    return paging_map(page_up(memory.heap), memory.heap_end, PAGE_USER | PAGE_READ | PAGE_WRITE) &&
           paging_map(memory.stack, memory.end, PAGE_USER | PAGE_READ | PAGE_WRITE);
}

static bool map_supervisor(void) {
    const unsigned rights = PAGE_READ | PAGE_WRITE | PAGE_EXECUTE | PAGE_GLOBAL;
    const uint64_t stub = (uintptr_t)user_nothing;

    return paging_map(stub, stub + PAGE, PAGE_USER | PAGE_READ | PAGE_EXECUTE) &&
           paging_map(NEXT_STAGE, stub, rights) &&
           paging_map(stub + PAGE, (uintptr_t)program_memory_end, rights) &&
           paging_map(HOST_BASE, HOST_BASE + PAGE, PAGE_READ | PAGE_WRITE | PAGE_GLOBAL) &&
           paging_map(FINISHER_BASE, FINISHER_BASE + PAGE, PAGE_READ | PAGE_WRITE | PAGE_GLOBAL);
}

/* --- arguments ------------------------------------------------------------------------------------- */

/* The texts of a list go below `sp`, and their addresses into `list`. Returns how many; *sp moves. */
static uint64_t put_texts(enum host_call call, uint64_t *sp, uint64_t *list) {
    const long n = host_call(call, 0, 0, 0, NULL, 0);
    const uint64_t bytes = *(volatile uint64_t *)(HOST_BASE + HOST_LEFT);

    if (n < 0 || n >= STRINGS || bytes > info[PROGRAM_STACK] / 4)
        refuse("too many arguments, or too long for the stack (--stack)");
    *sp -= bytes;
    host_answer((void *)*sp, bytes);
    for (long i = 0, at = (long)*sp; i < n; i++, at += (long)strlen((const char *)at) + 1)
        list[i] = (uint64_t)at;
    list[n] = 0;
    return (uint64_t)n;
}

static uint64_t put_list(uint64_t *sp, const uint64_t *list, uint64_t n) {
    *sp = (*sp - (n + 1) * sizeof *list) & -16ul;
    memcpy((void *)*sp, list, (n + 1) * sizeof *list);
    return *sp;
}

static void put_arguments(void) {
    static uint64_t argv[STRINGS], envp[STRINGS];
    uint64_t sp = memory.end;
    const uint64_t argc = put_texts(HOST_GETARGS, &sp, argv), variables = put_texts(HOST_GETENV, &sp, envp);

    start.argc = argc;
    start.envp = put_list(&sp, envp, variables);
    start.argv = put_list(&sp, argv, argc);
    start.sp = sp;
    start.entry = info[PROGRAM_ENTRY];
}

/* --- events --------------------------------------------------------------------------------------- */

static uint64_t hexadecimal(const char **at) {
    uint64_t value = 0;

    for (;; (*at)++) {
        const char c = **at;

        if (c >= '0' && c <= '9')
            value = value << 4 | (uint64_t)(c - '0');
        else if (c >= 'a' && c <= 'f')
            value = value << 4 | (uint64_t)(c - 'a' + 10);
        else
            return value;
    }
}

/* The variable TALLY_EVENTS names further events: NAME=SELECTOR in hexadecimal, with commas between. */
static void add_events(const uint64_t *envp) {
    static const char variable[] = "TALLY_EVENTS=";
    static char names[PERF_MORE + 1][48];
    const char *at = NULL;

    for (; *envp; envp++)
        if (strncmp((const char *)*envp, variable, sizeof variable - 1) == 0)
            at = (const char *)*envp + sizeof variable - 1;
    for (unsigned n = 0; at && *at; n++) {
        size_t length = 0;

        while (at[length] && at[length] != '=' && length < sizeof *names - 1)
            length++;
        memcpy(names[n], at, length);
        at += length + (at[length] == '=');
        if (!perf_more(names[n], hexadecimal(&at)))
            refuse("too many events: at most 10 besides those of the table");
        at += *at == ',';
    }
}

static bool give_records(const struct sampling_record *records, size_t n) {
    return host_call(HOST_RECORDS, 0, 0, 0, records, n * sizeof *records) == 0;
}

/* --- the run ---------------------------------------------------------------------------------------- */

/* Stands for the program where perf.c and sampled.c want a function. */
static uint64_t the_program(void) { return 0; }

static uint64_t run(perf_work *work) {
    syscalls_open(&memory);
    if (work != the_program)
        return user_enter((uintptr_t)user_nothing, start.sp, 0, 0, 0);
    return user_enter(start.entry, start.sp, start.argc, start.argv, start.envp);
}

int main(void) {
    uint64_t status;

    const long words = host_call(HOST_PROGRAM, 0, 0, 0, NULL, 0);
    if (words < 0 || (size_t)words > sizeof info / sizeof *info)
        refuse("there is none: tally-sim --program FILE");
    host_answer(info, (size_t)words * sizeof *info);
    if (!map_supervisor() || !map_program())
        refuse("its memory needs too many page tables");
    memory.clock = info[PROGRAM_CLOCK];
    csr_set(sstatus, MSTATUS_SUM);
    csr_write(scounteren, 7); /* cycle, time, instret */
    paging_on();
    put_arguments();
    strncpy(name, start.argc ? *(const char **)start.argv : "", sizeof name - 1);
    if (program_mode == 1) {
        add_events((const uint64_t *)start.envp);
        perf_setup(run);
        if (perf_without_counter()) {
            con_printf("program: no counter is left for %s\n", perf_without_counter());
            end(2);
        }
        status = perf_count(the_program);
        perf_report(name);
    } else if (program_mode == 2) {
        sampled_sink = give_records;
        sampled_stack = memory.stack;
        sampled_stack_end = memory.end;
        status = sampled_run(run, the_program, name);
    } else {
        status = run(the_program);
    }
    end((unsigned)status & 255);
}
