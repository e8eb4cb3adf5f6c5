/* SPDX-License-Identifier: Apache-2.0 */
/* Traps that are not delegated: misaligned accesses are emulated, everything else reaches the supervisor as
 * if it were delegated. */
#include "suite.h"

#include <string.h>

#include "platform.h"

static unsigned char bytes[64] __attribute__((aligned(64)));

static void fill(void) {
    for (unsigned i = 0; i < sizeof bytes; i++)
        bytes[i] = (unsigned char)(0x81 + 7 * i);
}

static uint64_t expected_bytes(unsigned at, unsigned size, bool is_signed) {
    uint64_t value = 0;

    for (unsigned i = 0; i < size; i++)
        value |= (uint64_t)bytes[at + i] << (8 * i);
    if (is_signed && size < 8 && value >> (8 * size - 1))
        value |= ~0ull << (8 * size);
    return value;
}

#define LOAD(instruction, offset)                                                                            \
    __extension__({                                                                                          \
        unsigned long value_;                                                                                \
        __asm__ volatile(instruction " %0, 0(%1)" : "=r"(value_) : "r"(bytes + (offset)) : "memory");        \
        value_;                                                                                              \
    })
#define STORE(instruction, offset, value)                                                                    \
    __asm__ volatile(instruction " %1, 0(%0)" ::"r"(bytes + (offset)), "r"(value) : "memory")

TEST(misaligned_loads_of_every_width_at_every_offset) {
    fill();
    for (unsigned at = 0; at < 16; at++) {
        EXPECT(LOAD("lh", at), (unsigned long)expected_bytes(at, 2, true));
        EXPECT(LOAD("lhu", at), (unsigned long)expected_bytes(at, 2, false));
        EXPECT(LOAD("lw", at), (unsigned long)expected_bytes(at, 4, true));
#if __riscv_xlen == 64
        EXPECT(LOAD("lwu", at), expected_bytes(at, 4, false));
        EXPECT(LOAD("ld", at), expected_bytes(at, 8, false));
#endif
    }
}

/* The bytes around must stay. */
static bool stored(unsigned at, unsigned size, uint64_t value) {
    for (unsigned i = 0; i < 32; i++) {
        const unsigned char expected = i >= at && i < at + size ? (unsigned char)(value >> (8 * (i - at)))
                                                                : (unsigned char)(0x81 + 7 * i);

        if (bytes[i] != expected)
            return false;
    }
    return true;
}

TEST(misaligned_stores_of_every_width_at_every_offset) {
    const uint64_t value = 0x0123456789abcdefull;

    for (unsigned at = 0; at < 16; at++) {
        fill();
        STORE("sh", at, (unsigned long)value);
        EXPECT(stored(at, 2, value), true);
        fill();
        STORE("sw", at, (unsigned long)value);
        EXPECT(stored(at, 4, value), true);
#if __riscv_xlen == 64
        fill();
        STORE("sd", at, value);
        EXPECT(stored(at, 8, value), true);
#endif
    }
}

TEST(misaligned_compressed_accesses) {
    unsigned long value;

    fill();
    __asm__ volatile("mv a4, %1\nc.lw a5, 0(a4)\nmv %0, a5"
                     : "=r"(value)
                     : "r"(bytes + 3)
                     : "a4", "a5", "memory");
    EXPECT(value, (unsigned long)expected_bytes(3, 4, true));
    __asm__ volatile("mv a4, %0\nmv a5, %1\nc.sw a5, 0(a4)" ::"r"(bytes + 5), "r"(0x11223344ul)
                     : "a4", "a5", "memory");
    EXPECT(stored(5, 4, 0x11223344), true);
    fill();
    __asm__ volatile("mv t0, sp\nmv sp, %1\nc.lwsp a5, 4(sp)\nmv sp, t0\nmv %0, a5"
                     : "=r"(value)
                     : "r"(bytes + 1)
                     : "a5", "t0", "memory");
    EXPECT(value, (unsigned long)expected_bytes(5, 4, true));
#if __riscv_xlen == 64
    fill();
    __asm__ volatile("mv a4, %1\nc.ld a5, 0(a4)\nmv %0, a5"
                     : "=r"(value)
                     : "r"(bytes + 1)
                     : "a4", "a5", "memory");
    EXPECT(value, expected_bytes(1, 8, false));
    __asm__ volatile("mv t0, sp\nmv sp, %1\nc.ldsp a5, 8(sp)\nmv sp, t0\nmv %0, a5"
                     : "=r"(value)
                     : "r"(bytes + 1)
                     : "a5", "t0", "memory");
    EXPECT(value, expected_bytes(9, 8, false));
    __asm__ volatile(
        "mv t0, sp\nmv sp, %0\nmv a5, %1\nc.sdsp a5, 8(sp)\nc.swsp a5, 0(sp)\nmv sp, t0" ::"r"(bytes + 1),
        "r"(0x1122334455667788ul)
        : "a5", "t0", "memory");
    EXPECT(expected_bytes(9, 8, false), 0x1122334455667788ul);
    EXPECT(expected_bytes(1, 4, false), 0x55667788ul);
#endif
}

TEST(misaligned_load_into_x0_does_nothing) {
    __asm__ volatile("lw zero, 1(%0)" ::"r"(bytes));
    EXPECT(0, 0);
}

TEST(misaligned_atomics_are_the_supervisors) {
    NEED(has_software_event()); /* QEMU performs them */
    trap_expected = true;
    trap_cause = 0;
    __asm__ volatile("amoadd.w zero, zero, (%0)" ::"r"(bytes + 1) : "memory");
    EXPECT(trap_cause == 6 || trap_cause == 7, true);
    EXPECT(trap_value, (unsigned long)bytes + 1);
}

TEST(illegal_instructions_come_with_their_bits) {
    trap_expected = true;
    __asm__ volatile(".4byte 0xffffffff");
    EXPECT(trap_cause, 2);
    EXPECT(trap_value == 0xffffffff || trap_value == ~0ul || trap_value == 0, true);
    csr_write(0x7c0, 0); /* a machine register */
    EXPECT(trap_cause, 2);
    EXPECT(trap_status >> 8 & 1, 1); /* SPP: from S-mode */
}

/* Only M-mode writes any of it. Its text and constants may be read (docs/firmware.md), its data may
 * not. */
TEST(firmware_memory_is_protected) {
    const unsigned long end = RAM_BASE + (1ul << FIRMWARE_LOG), text_most = 64 << 10;
    unsigned long value;

    trap_expected = true;
    for (unsigned long at = RAM_BASE; at < end; at += 0x1fc0) {
        trap_cause = 0;
        __asm__ volatile("lw %0, 0(%1)" : "=r"(value) : "r"(at));
        if (at >= RAM_BASE + text_most) {
            EXPECT(trap_cause, 5);
            EXPECT(trap_value, at);
        }
        trap_cause = 0;
        __asm__ volatile("sw zero, 0(%0)" ::"r"(at));
        EXPECT(trap_cause, 7);
    }
}

TEST(aclint_belongs_to_the_firmware) {
    unsigned long value;

    trap_expected = true;
    for (unsigned long at = ACLINT_BASE; at < ACLINT_BASE + (1ul << ACLINT_LOG); at += 0x3ffc) {
        trap_cause = 0;
        __asm__ volatile("lw %0, 0(%1)" : "=r"(value) : "r"(at));
        EXPECT(trap_cause, 5);
        trap_cause = 0;
        __asm__ volatile("sw zero, 0(%0)" ::"r"(at));
        EXPECT(trap_cause, 7);
    }
}

/* --- with translation: an access that crosses into a page that faults -------------------------------- */

#if __riscv_xlen == 64
enum { PTE_V = 1, PTE_R = 2, PTE_W = 4, PTE_X = 8, PTE_A = 64, PTE_D = 128, PTE_ALL = 0xcf };

static uint64_t root[512] __attribute__((aligned(4096)));
static uint64_t middle[512] __attribute__((aligned(4096)));
static uint64_t leaves[512] __attribute__((aligned(4096)));
static unsigned char two_pages[8192] __attribute__((aligned(4096)));

static uint64_t pointer(const void *table) { return (uint64_t)(uintptr_t)table >> 12 << 10 | PTE_V; }

/* Addresses are physical ones, but for two_pages at 0xc0000000 with the second page's rights as given. */
static void translate(uint64_t first, uint64_t second) {
    memset(root, 0, sizeof root);
    root[0] = 0ull >> 2 | PTE_ALL;
    root[2] = (0x80000000ull >> 2) | PTE_ALL;
    root[3] = pointer(middle);
    middle[0] = pointer(leaves);
    leaves[0] = (uint64_t)(uintptr_t)two_pages >> 12 << 10 | first;
    leaves[1] = (uint64_t)(uintptr_t)(two_pages + 4096) >> 12 << 10 | second;
    csr_write(satp, 8ul << 60 | (uintptr_t)root >> 12);
    __asm__ volatile("sfence.vma" ::: "memory");
}

static void untranslate(void) {
    csr_write(satp, 0);
    __asm__ volatile("sfence.vma" ::: "memory");
}

#define PAGE_END 0xc0000ffdul

/* Addresses of calls are physical: whether satp maps them plays no part (SBI 3.0, 3.2). */
TEST(shared_memory_is_physical) {
    const unsigned long page = RAM_BASE + (64ul << 20);
    struct sbiret snapshot, written, read;

    memset(root, 0, sizeof root);
    memset(middle, 0, sizeof middle);
    root[0] = 0ull >> 2 | PTE_ALL;
    root[2] = pointer(middle); /* the first 64 MiB alone */
    for (unsigned i = 0; i < 32; i++)
        middle[i] = (RAM_BASE + ((uint64_t)i << 21)) >> 2 | PTE_ALL;
    csr_write(satp, 8ul << 60 | (uintptr_t)root >> 12);
    __asm__ volatile("sfence.vma" ::: "memory");
    snapshot = sbi_call6(SBI_EXT_PMU, 7, page, 0, 0, 0, 0, 0);
    (void)sbi_call6(SBI_EXT_PMU, 7, ~0ul, ~0ul, 0, 0, 0, 0);
    written = sbi_call6(SBI_EXT_DBCN, 0, 1, page, 0, 0, 0, 0);
    read = sbi_call6(SBI_EXT_DBCN, 1, 1, page, 0, 0, 0, 0);
    untranslate();
    EXPECT(snapshot.error == SBI_SUCCESS || snapshot.error == SBI_ERR_NOT_SUPPORTED, true);
    EXPECT(written.error == SBI_SUCCESS || written.error == SBI_ERR_NOT_SUPPORTED, true);
    EXPECT(read.error == SBI_SUCCESS || read.error == SBI_ERR_NOT_SUPPORTED, true);
}

TEST(misaligned_access_across_pages) {
    unsigned long value;

    memset(two_pages, 0x5a, sizeof two_pages);
    translate(PTE_ALL, PTE_ALL);
    __asm__ volatile("sd %1, 0(%0)" ::"r"(PAGE_END), "r"(0x1122334455667788ul) : "memory");
    __asm__ volatile("ld %0, 0(%1)" : "=r"(value) : "r"(PAGE_END) : "memory");
    untranslate();
    EXPECT(value, 0x1122334455667788ul);
    EXPECT(two_pages[4095], 0x66);
    EXPECT(two_pages[4096], 0x55);
}

TEST(misaligned_load_whose_second_page_faults) {
    unsigned long value = 77;

    translate(PTE_ALL, 0);
    trap_expected = true;
    __asm__ volatile("ld %0, 0(%1)" : "+r"(value) : "r"(PAGE_END) : "memory");
    untranslate();
    EXPECT(trap_cause, 13);
    EXPECT(trap_value, 0xc0001000ul);
    EXPECT(value, 77);
}

TEST(misaligned_store_whose_second_page_faults_stores_nothing) {
    memset(two_pages, 0x5a, sizeof two_pages);
    translate(PTE_ALL, PTE_V | PTE_R | PTE_A);
    trap_expected = true;
    __asm__ volatile("sd zero, 0(%0)" ::"r"(PAGE_END) : "memory");
    untranslate();
    EXPECT(trap_cause, 15);
    EXPECT(trap_value, 0xc0001000ul);
    EXPECT(two_pages[4095], 0x5a);
    EXPECT(two_pages[4096], 0x5a);
}

TEST(misaligned_store_whose_first_page_faults_stores_nothing) {
    memset(two_pages, 0x5a, sizeof two_pages);
    translate(PTE_V | PTE_R | PTE_A, PTE_ALL);
    trap_expected = true;
    __asm__ volatile("sd zero, 0(%0)" ::"r"(PAGE_END) : "memory");
    untranslate();
    EXPECT(trap_cause, 15);
    EXPECT(trap_value, PAGE_END);
    EXPECT(two_pages[4096], 0x5a);
    EXPECT(two_pages[4095], 0x5a);
}
#endif
