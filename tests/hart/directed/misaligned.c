/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The firmware's emulation of misaligned loads and stores: every width, sign and encoding at every offset,
 * from M-mode and from S-mode under Sv39, across a page border, and with a fault in the second page.
 */
#include <stdbool.h>
#include <stddef.h>

#include "console.h"
#include "csr.h"
#include "supervisor.h"
#include "trap.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))
#define PAGE 4096u
#define WINDOW 0x40000000u

static uint8_t area[2 * PAGE] __attribute__((aligned(4096)));
static uint64_t root[512] __attribute__((aligned(4096)));
static uint64_t middle[512] __attribute__((aligned(4096)));
static uint64_t leaf[512] __attribute__((aligned(4096)));
static unsigned faults, failed_line;
static uint64_t fault_tval;

#define CHECK(condition)                                                                                     \
    do {                                                                                                     \
        if (!(condition) && !failed_line)                                                                    \
            failed_line = __LINE__;                                                                          \
    } while (0)

/* `insn` works on a0 (a1: value to store). */
#define LOAD(name, insn)                                                                                     \
    static uint64_t name(const void *at) {                                                                   \
        register uint64_t a0 __asm__("a0") = (uintptr_t)at;                                                  \
        __asm__ volatile(insn : "+r"(a0)::"memory", "t0");                                                   \
        return a0;                                                                                           \
    }
#define STORE(name, insn)                                                                                    \
    static void name(void *at, uint64_t value) {                                                             \
        register uint64_t a0 __asm__("a0") = (uintptr_t)at;                                                  \
        register uint64_t a1 __asm__("a1") = value;                                                          \
        __asm__ volatile(insn ::"r"(a0), "r"(a1) : "memory", "t0");                                          \
    }
#define LONG(insn) ".option push\n.option norvc\n" insn "\n.option pop"
#define WITH_SP(insn) "mv t0, sp\nmv sp, a0\n" insn "\nmv sp, t0"

LOAD(do_lh, LONG("lh a0, 0(a0)"))
LOAD(do_lhu, LONG("lhu a0, 0(a0)"))
LOAD(do_lw, LONG("lw a0, 0(a0)"))
LOAD(do_lwu, LONG("lwu a0, 0(a0)"))
LOAD(do_ld, LONG("ld a0, 0(a0)"))
LOAD(do_c_lw, "c.lw a0, 0(a0)")
LOAD(do_c_ld, "c.ld a0, 0(a0)")
LOAD(do_offset, "addi a0, a0, 100\nld a0, -100(a0)")
LOAD(do_c_lwsp, WITH_SP("c.lwsp a0, 0(sp)"))
LOAD(do_c_ldsp, WITH_SP("c.ldsp a0, 0(sp)"))
STORE(do_sh, LONG("sh a1, 0(a0)"))
STORE(do_sw, LONG("sw a1, 0(a0)"))
STORE(do_sd, LONG("sd a1, 0(a0)"))
STORE(do_c_sw, "c.sw a1, 0(a0)")
STORE(do_c_sd, "c.sd a1, 0(a0)")
STORE(do_c_swsp, WITH_SP("c.swsp a1, 0(sp)"))
STORE(do_c_sdsp, WITH_SP("c.sdsp a1, 0(sp)"))

static const struct {
    uint64_t (*run)(const void *at);
    unsigned size;
    bool is_signed;
} loads[] = {{do_lh, 2, true},     {do_lhu, 2, false},  {do_lw, 4, true},   {do_lwu, 4, false},
             {do_ld, 8, true},     {do_c_lw, 4, true},  {do_c_ld, 8, true}, {do_offset, 8, true},
             {do_c_lwsp, 4, true}, {do_c_ldsp, 8, true}};

static const struct {
    void (*run)(void *at, uint64_t value);
    unsigned size;
} stores[] = {{do_sh, 2}, {do_sw, 4}, {do_sd, 8}, {do_c_sw, 4}, {do_c_sd, 8}, {do_c_swsp, 4}, {do_c_sdsp, 8}};

static uint64_t bytes_at(const uint8_t *p, unsigned size, bool is_signed) {
    uint64_t v = 0;

    for (unsigned i = size; i-- > 0;)
        v = v << 8 | p[i];
    if (is_signed && size < 8 && p[size - 1] & 0x80)
        v |= UINT64_MAX << 8 * size;
    return v;
}

/* All accesses around the middle of `at`'s two pages, which `physical` shows as bytes */
static void check_all(uint8_t *at, uint8_t *physical) {
    for (unsigned i = 0; i < 2 * PAGE; i++)
        physical[i] = (uint8_t)(i * 37 + 11);
    for (unsigned offset = PAGE - 9; offset < PAGE + 9; offset++) {
        for (size_t i = 0; i < COUNT(loads); i++)
            CHECK(loads[i].run(at + offset) ==
                  bytes_at(physical + offset, loads[i].size, loads[i].is_signed));
        for (size_t i = 0; i < COUNT(stores); i++) {
            uint64_t value = 0x8796a5b4c3d2e1f0u + offset;
            uint8_t before = physical[offset - 1], after = physical[offset + stores[i].size];

            stores[i].run(at + offset, value);
            CHECK(bytes_at(physical + offset, stores[i].size, false) ==
                  (stores[i].size == 8 ? value : value & ((1ull << 8 * stores[i].size) - 1)));
            CHECK(physical[offset - 1] == before && physical[offset + stores[i].size] == after);
        }
    }
}

static uint64_t in_supervisor(void *argument) {
    (void)argument;
    check_all((uint8_t *)(uintptr_t)WINDOW, area);
    return 0;
}

/* The supervisor's own trap handler: notes the fault and skips the instruction (32 bits). */
extern char supervisor_trap[];
__asm__(".text\n.balign 4\nsupervisor_trap:\n"
        "csrw sscratch, t0\ncsrr t0, sepc\naddi t0, t0, 4\ncsrw sepc, t0\n"
        "csrr a0, stval\ncsrr a1, scause\ncsrr t0, sscratch\nsret");

static uint64_t second_page_faults(void *argument) {
    register uint64_t a0 __asm__("a0") = WINDOW + PAGE - 3;
    register uint64_t a1 __asm__("a1") = 0;

    (void)argument;
    __asm__ volatile(LONG("lw a0, 0(a0)") : "+r"(a0), "+r"(a1)::"memory");
    fault_tval = a0;
    faults += a1 == TALLY_EXC_LOAD_PAGE;
    a0 = WINDOW + PAGE - 3;
    a1 = 0;
    __asm__ volatile(LONG("sd a1, 0(a0)") : "+r"(a0), "+r"(a1)::"memory");
    faults += a1 == TALLY_EXC_STORE_PAGE && a0 >= WINDOW + PAGE;
    return 0;
}

int main(void) {
    enum { PTE_V = 1, PTE_RWAD = 0xc7, PTE_RWXAD = 0xcf };

    check_all(area, area);

    root[1] = (uintptr_t)middle >> 2 | PTE_V;
    root[2] = 0x80000000u >> 2 | PTE_RWXAD;
    middle[0] = (uintptr_t)leaf >> 2 | PTE_V;
    leaf[0] = (uintptr_t)area >> 2 | PTE_RWAD;
    leaf[1] = ((uintptr_t)area + PAGE) >> 2 | PTE_RWAD;
    csr_write(satp, 8ull << 60 | (uintptr_t)root >> 12);
    __asm__ volatile("sfence.vma" ::: "memory");
    supervisor_call(in_supervisor, NULL);

    leaf[1] = 0;
    __asm__ volatile("sfence.vma" ::: "memory");
    csr_write(stvec, supervisor_trap);
    area[PAGE - 1] = 0x5a;
    supervisor_call(second_page_faults, NULL);
    CHECK(faults == 2);
    CHECK(fault_tval >= WINDOW + PAGE && fault_tval < WINDOW + PAGE + 4);
    CHECK(area[PAGE - 1] == 0x5a); /* nothing of the store was done */
    if (failed_line)
        con_printf("misaligned.c:%u: check failed\n", failed_line);
    return (int)failed_line;
}
