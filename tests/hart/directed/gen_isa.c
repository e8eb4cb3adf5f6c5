/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Host program: prints isa_cases.S, every computational, branch, load, store and jump instruction of RV64IMC,
 * Zba and Zbb with corner operands and the results that it must have.
 *
 * A case is a row {routine, a, b, expected}: the test calls routine(a, b, buffer) and compares its
 * result.
 */
#include "isa_formulas.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static const uint64_t values[] = {
    0,
    1,
    2,
    0x12345678,
    0x7fffffff,
    0x80000000,
    0xffffffff,
    0x100000000,
    0x123456789abcdef0,
    0x7fffffffffffffff,
    0x8000000000000000,
    0x8000000000000001,
    0xffffffff00000000,
    0xffffffff80000000,
    0xfffffffffffffffe,
    0xffffffffffffffff,
};

static const int immediates[] = {0, 1, -1, 2, 5, 31, 32, -32, 0x555, -0x556, 2047, -2048};

struct op {
    const char *name;
    formula *f;
};

static const struct op register_ops[] = {
    {"add", f_add},
    {"sub", f_sub},
    {"sll", f_sll},
    {"slt", f_slt},
    {"sltu", f_sltu},
    {"xor", f_xor},
    {"srl", f_srl},
    {"sra", f_sra},
    {"or", f_or},
    {"and", f_and},
    {"addw", f_addw},
    {"subw", f_subw},
    {"sllw", f_sllw},
    {"srlw", f_srlw},
    {"sraw", f_sraw},
    {"mul", f_mul},
    {"mulh", f_mulh},
    {"mulhsu", f_mulhsu},
    {"mulhu", f_mulhu},
    {"div", f_div},
    {"divu", f_divu},
    {"rem", f_rem},
    {"remu", f_remu},
    {"mulw", f_mulw},
    {"divw", f_divw},
    {"divuw", f_divuw},
    {"remw", f_remw},
    {"remuw", f_remuw},
    {"sh1add", f_sh1add},
    {"sh2add", f_sh2add},
    {"sh3add", f_sh3add},
    {"add.uw", f_add_uw},
    {"sh1add.uw", f_sh1add_uw},
    {"sh2add.uw", f_sh2add_uw},
    {"sh3add.uw", f_sh3add_uw},
    {"andn", f_andn},
    {"orn", f_orn},
    {"xnor", f_xnor},
    {"min", f_min},
    {"max", f_max},
    {"minu", f_minu},
    {"maxu", f_maxu},
    {"rol", f_rol},
    {"ror", f_ror},
    {"rolw", f_rolw},
    {"rorw", f_rorw},
};

static const struct op unary_ops[] = {
    {"clz", f_clz},       {"clzw", f_clzw},   {"ctz", f_ctz},       {"ctzw", f_ctzw},
    {"cpop", f_cpop},     {"cpopw", f_cpopw}, {"sext.b", f_sext_b}, {"sext.h", f_sext_h},
    {"zext.h", f_zext_h}, {"rev8", f_rev8},   {"orc.b", f_orc_b},
};

/* rd = rs1, both of x8..x15 */
static const struct op compressed_ops[] = {
    {"c.add", f_add}, {"c.sub", f_sub},   {"c.and", f_and},   {"c.or", f_or},
    {"c.xor", f_xor}, {"c.mv", f_second}, {"c.addw", f_addw}, {"c.subw", f_subw},
};

static const struct op immediate_ops[] = {
    {"addi", f_add}, {"slti", f_slt}, {"sltiu", f_sltu}, {"xori", f_xor},
    {"ori", f_or},   {"andi", f_and}, {"addiw", f_addw},
};

static const struct op shifts[] = {
    {"slli", f_sll}, {"srli", f_srl}, {"srai", f_sra}, {"rori", f_ror}, {"slli.uw", f_slli_uw}};
static const struct op word_shifts[] = {
    {"slliw", f_sllw}, {"srliw", f_srlw}, {"sraiw", f_sraw}, {"roriw", f_rorw}};
static const struct op compressed_shifts[] = {{"c.slli", f_sll}, {"c.srli", f_srl}, {"c.srai", f_sra}};

static const struct op branches[] = {
    {"beq", f_eq}, {"bne", f_ne}, {"blt", f_slt}, {"bge", f_ge}, {"bltu", f_sltu}, {"bgeu", f_geu},
};

static const struct op atomics[] = {
    {"amoswap", f_second}, {"amoadd", f_add}, {"amoxor", f_xor},   {"amoand", f_and},   {"amoor", f_or},
    {"amomin", f_min},     {"amomax", f_max}, {"amominu", f_minu}, {"amomaxu", f_maxu},
};

static unsigned routines;

/* The rows go to their own section, so that a routine and its rows are printed together. */
static void row(const char *a, uint64_t b, uint64_t expected) {
    printf("    .pushsection .rodata.rows, \"a\"\n    .dword routine%u, %s, 0x%" PRIx64 ", 0x%" PRIx64
           "\n    .popsection\n",
           routines, a, b, expected);
}

static void row_value(uint64_t a, uint64_t b, uint64_t expected) {
    char text[32];

    snprintf(text, sizeof(text), "0x%" PRIx64, a);
    row(text, b, expected);
}

static void begin(void) { printf("routine%u:\n", ++routines); }

static void register_cases(const struct op *op, bool compressed) {
    begin();
    printf(compressed ? "    %s a0, a1\n    ret\n" : "    %s a0, a0, a1\n    ret\n", op->name);
    for (size_t i = 0; i < COUNT(values); i++)
        for (size_t j = 0; j < COUNT(values); j++)
            row_value(values[i], values[j], op->f(values[i], values[j]));
}

static void immediate_case(const struct op *op, int imm, bool compressed) {
    begin();
    printf(compressed ? "    %s a0, %d\n    ret\n" : "    %s a0, a0, %d\n    ret\n", op->name, imm);
    for (size_t i = 0; i < COUNT(values); i++)
        row_value(values[i], 0, op->f(values[i], (uint64_t)(int64_t)imm));
}

/* Instructions that count bits see each bit alone, and with all below it. */
static void unary_case(const struct op *op) {
    begin();
    printf("    %s a0, a0\n    ret\n", op->name);
    for (size_t i = 0; i < COUNT(values); i++)
        row_value(values[i], 0, op->f(values[i], 0));
    for (unsigned n = 0; n < 64; n++) {
        row_value((uint64_t)two_to(n), 0, op->f((uint64_t)two_to(n), 0));
        row_value((uint64_t)(two_to(n) - 1), 0, op->f((uint64_t)(two_to(n) - 1), 0));
        row_value((uint64_t)-two_to(n), 0, op->f((uint64_t)-two_to(n), 0));
    }
}

static void shift_cases(const struct op *op, int limit, bool compressed) {
    for (int n = compressed; n < limit; n += n % 8 == 0 || n % 8 == 7 ? 1 : 6)
        immediate_case(op, n, compressed);
}

static void branch_case(const char *insn, formula *f, bool backward, bool one_operand) {
    const char *operands = one_operand ? "a0" : "a0, a1";

    begin();
    if (backward)
        printf("    j 2f\n1:  li a0, 1\n    ret\n2:  %s %s, 1b\n    li a0, 0\n    ret\n", insn, operands);
    else
        printf("    %s %s, 1f\n    li a0, 0\n    ret\n1:  li a0, 1\n    ret\n", insn, operands);
    for (size_t i = 0; i < COUNT(values); i++) {
        if (one_operand) {
            row_value(values[i], 0, f(values[i], 0));
            continue;
        }
        for (size_t j = 0; j < COUNT(values); j++)
            row_value(values[i], values[j], f(values[i], values[j]));
    }
}

/* Memory that loads read: byte n of the pattern. The top bits of both halves of everything vary. */
static unsigned pattern(int n) { return (unsigned)(n * 37 + 0x9b + n / 3 * 0x40) & 0xff; }

enum { PATTERN_N = 64, PATTERN_MIDDLE = 32 };

static uint64_t pattern_value(int at, unsigned size, bool is_signed) {
    uint64_t v = 0;

    for (unsigned i = 0; i < size; i++)
        v += (uint64_t)pattern(at + (int)i) * (uint64_t)two_to(8 * i);
    return is_signed ? (uint64_t)as_signed(v, 8 * size) : v;
}

static void load_case(const char *insn, unsigned size, bool is_signed, int at, int offset) {
    char address[64];

    begin();
    printf("    %s a0, %d(a0)\n    ret\n", insn, offset);
    snprintf(address, sizeof(address), "isa_pattern + %d", at - offset);
    row(address, 0, pattern_value(at, size, is_signed));
}

static void load_cases(void) {
    static const struct {
        const char *name;
        unsigned size;
        bool is_signed;
    } loads[] = {{"lb", 1, true}, {"lbu", 1, false}, {"lh", 2, true}, {"lhu", 2, false},
                 {"lw", 4, true}, {"lwu", 4, false}, {"ld", 8, true}};
    static const int offsets[] = {0, 8, -8, 2040, -2048};

    for (size_t i = 0; i < COUNT(loads); i++) {
        for (size_t k = 0; k < COUNT(offsets); k++)
            for (int at = 0; at < 16; at += (int)loads[i].size)
                load_case(loads[i].name, loads[i].size, loads[i].is_signed, at, offsets[k]);
    }
    for (int offset = 0; offset < 128; offset += 12)
        load_case("c.lw", 4, true, PATTERN_MIDDLE, offset);
    for (int offset = 0; offset < 256; offset += 40)
        load_case("c.ld", 8, true, PATTERN_MIDDLE, offset);
}

/* The test fills the 16 bytes at `buffer` with 0xa5; the routine returns the doubleword that it stored into.
 */
static void store_case(const char *insn, unsigned size, int at, int offset) {
    begin();
    printf("    addi a2, a2, %d\n    %s a1, %d(a2)\n    ld a0, %d(a2)\n    ret\n", at - offset, insn, offset,
           offset - at + at / 8 * 8);
    for (size_t i = 0; i < COUNT(values); i += 3) {
        uint64_t v = 0;

        for (int k = 7; k >= 0; k--) {
            int into = at / 8 * 8 + k - at;
            bool stored = into >= 0 && into < (int)size;

            v = v * 256 + (stored ? values[i] / (uint64_t)two_to(8 * (unsigned)into) % 256 : 0xa5);
        }
        row_value(0, values[i], v);
    }
}

static void store_cases(void) {
    static const struct {
        const char *name;
        unsigned size;
    } stores[] = {{"sb", 1}, {"sh", 2}, {"sw", 4}, {"sd", 8}};
    static const int offsets[] = {0, 24, -64, 1024, -1000};

    for (size_t i = 0; i < COUNT(stores); i++)
        for (size_t k = 0; k < COUNT(offsets); k++)
            for (int at = 0; at < 16; at += (int)stores[i].size)
                store_case(stores[i].name, stores[i].size, at, offsets[k]);
    for (int offset = 0; offset < 128; offset += 20)
        store_case("c.sw", 4, 4, offset);
    for (int offset = 0; offset < 256; offset += 56)
        store_case("c.sd", 8, 8, offset);
}

/* Through sp: c.lwsp, c.ldsp, c.swsp, c.sdsp, and addresses made from it */
static void sp_cases(void) {
    char address[64];

    for (int offset = 0; offset < 256; offset += 28) {
        begin();
        printf("    mv t0, sp\n    mv sp, a0\n    c.lwsp a0, %d(sp)\n    mv sp, t0\n    ret\n", offset);
        snprintf(address, sizeof(address), "isa_pattern + %d", PATTERN_MIDDLE - offset);
        row(address, 0, pattern_value(PATTERN_MIDDLE, 4, true));
        begin();
        printf("    mv t0, sp\n    addi sp, a2, %d\n    c.swsp a1, %d(sp)\n    lwu a0, 0(a2)\n    mv sp, "
               "t0\n    ret\n",
               -offset, offset);
        row_value(0, 0x8badf00ddeadbeef, 0xdeadbeef);
    }
    for (int offset = 0; offset < 512; offset += 56) {
        begin();
        printf("    mv t0, sp\n    mv sp, a0\n    c.ldsp a0, %d(sp)\n    mv sp, t0\n    ret\n", offset);
        snprintf(address, sizeof(address), "isa_pattern + %d", PATTERN_MIDDLE - offset);
        row(address, 0, pattern_value(PATTERN_MIDDLE, 8, true));
        begin();
        printf("    mv t0, sp\n    addi sp, a2, %d\n    c.sdsp a1, %d(sp)\n    ld a0, 0(a2)\n    mv sp, t0\n "
               "   ret\n",
               -offset, offset);
        row_value(0, 0x8badf00ddeadbeef, 0x8badf00ddeadbeef);
    }
    for (int n = 4; n < 1024; n += 68) {
        begin();
        printf("    mv t0, sp\n    mv sp, a0\n    c.addi4spn a0, sp, %d\n    mv sp, t0\n    ret\n", n);
        row_value(0x7ffffff0, 0, 0x7ffffff0u + (uint64_t)n);
    }
    for (int n = -512; n < 512; n += 112) {
        begin();
        printf("    mv t0, sp\n    mv sp, a0\n    c.addi16sp sp, %d\n    mv a0, sp\n    mv sp, t0\n    ret\n",
               n);
        row_value(0x80000000, 0, 0x80000000u + (uint64_t)n);
    }
}

static void upper_cases(void) {
    static const uint32_t tops[] = {0, 1, 0x7ffff, 0x80000, 0xfffff, 0xabcde};
    static const int short_tops[] = {1, 2, 31, -32, -1};

    for (size_t i = 0; i < COUNT(tops); i++) {
        begin();
        printf("    lui a0, 0x%x\n    ret\n", tops[i]);
        row_value(0, 0, word((uint64_t)tops[i] * 4096));
        begin();
        printf("1:  auipc a0, 0x%x\n    la a1, 1b\n    sub a0, a0, a1\n    ret\n", tops[i]);
        row_value(0, 0, word((uint64_t)tops[i] * 4096));
    }
    for (size_t i = 0; i < COUNT(short_tops); i++) {
        begin();
        printf("    c.lui a0, 0x%x\n    ret\n", (unsigned)short_tops[i] & 0xfffff);
        row_value(0, 0, (uint64_t)((int64_t)short_tops[i] * 4096));
    }
    for (int n = -32; n < 32; n += 9) {
        begin();
        printf("    c.li a0, %d\n    ret\n", n);
        row_value(0, 0, (uint64_t)(int64_t)n);
    }
}

/* Link registers and targets. Each returns 0 if all is well. */
static void jump_cases(void) {
    static const char *const routines_text[] = {
        /* jal: the link is the next instruction's address */
        "    jal a0, 1f\n3:  li a0, 99\n    ret\n1:  la a1, 3b\n    sub a0, a0, a1\n    ret\n",
        /* backward */
        "    j 2f\n1:  la a1, 3f\n    sub a0, a0, a1\n    ret\n2:  .option push\n    .option norvc\n    jal "
        "a0, 1b\n"
        "    .option pop\n3:  li a0, 99\n    ret\n",
        /* jalr with rd = rs1, offset, and an odd sum whose bit 0 is dropped */
        "    la a0, 1f - 35\n    .option push\n    .option norvc\n    jalr a0, a0, 36\n    .option pop\n"
        "3:  li a0, 99\n    ret\n1:  la a1, 3b\n    sub a0, a0, a1\n    ret\n",
        /* negative offset */
        "    la t0, 1f + 2047\n    jalr t1, t0, -2047\n3:  li a0, 99\n    ret\n1:  la a1, 3b\n    sub a0, "
        "t1, a1\n    ret\n",
        /* x0 is not written */
        "    la t0, 1f\n    jalr x0, 0(t0)\n    li a0, 99\n    ret\n1:  mv a0, x0\n    ret\n",
        /* compressed jumps */
        "    mv t2, ra\n    la t0, 1f\n    c.jalr t0\n3:  li a0, 99\n    jr t2\n1:  la a1, 3b\n    sub a0, "
        "ra, a1\n"
        "    jr t2\n",
        "    la t0, 1f\n    c.jr t0\n    li a0, 99\n    ret\n1:  li a0, 0\n    ret\n",
        "    c.j 1f\n    li a0, 99\n    ret\n1:  li a0, 0\n    ret\n",
        "    c.j 2f\n1:  li a0, 0\n    ret\n2:  c.j 1b\n    li a0, 99\n    ret\n",
        /* an instruction of 32 bits at an address that is 2 modulo 4 */
        "    .balign 4\n    c.nop\n    .option push\n    .option norvc\n    addi a0, x0, 0\n    .option "
        "pop\n    ret\n",
    };

    for (size_t i = 0; i < COUNT(routines_text); i++) {
        begin();
        fputs(routines_text[i], stdout);
        row_value(7, 0, 0);
    }
}

/* One routine returns the AMO's old value, another its result. The word forms work on the upper half too,
 * which has the same value, and must leave the other half alone. */
static void atomic_cases(const struct op *op) {
    static const char *const orders[] = {"", ".aq", ".rl", ".aqrl"};
    static unsigned turn;

    for (unsigned part = 0; part < 2; part++) {
        const char *result = part ? "ld a0, 0(a2)" : "mv a0, a3";

        begin();
        printf("    sd a0, 0(a2)\n    %s.d%s a3, a1, (a2)\n    %s\n    ret\n", op->name, orders[turn++ % 4],
               result);
        for (size_t i = 0; i < COUNT(values); i++)
            for (size_t j = 0; j < COUNT(values); j++)
                row_value(values[i], values[j], part ? op->f(values[i], values[j]) : values[i]);
        for (unsigned high = 0; high < 2; high++) {
            begin();
            printf("    sd a0, 0(a2)\n    addi a4, a2, %u\n    %s.w%s a3, a1, (a4)\n    %s\n    ret\n",
                   4 * high, op->name, orders[turn++ % 4], result);
            for (size_t i = 0; i < COUNT(values); i++)
                for (size_t j = 0; j < COUNT(values); j += 2) {
                    uint64_t half[2] = {(uint64_t)UW(values[i]), values[i] / (uint64_t)two_to(32)};
                    uint64_t old = word(half[high]);

                    half[high] = (uint64_t)UW(op->f(old, word(values[j])));
                    row_value(values[i], values[j], part ? half[1] * (uint64_t)two_to(32) + half[0] : old);
                }
        }
    }
}

/* Writes to x0 vanish; all 31 registers hold 64 bits of their own. */
static void register_file_cases(void) {
    begin();
    puts("    mv t0, a0\n    addi x0, a0, 1\n    lui x0, 1\n    mul x0, a0, a0\n    ld x0, 0(a2)\n    mv a0, "
         "x0\n    ret");
    row_value(5, 0, 0);
}

int main(void) {
    puts("/* Generated by gen_isa.c */\n    .option arch, rv64imac_zba_zbb\n    .text\n    .balign 4");
    puts("    .pushsection .rodata.rows, \"a\"\n    .balign 8\n    .globl isa_rows\nisa_rows:\n    "
         ".popsection");
    for (size_t i = 0; i < COUNT(register_ops); i++)
        register_cases(&register_ops[i], false);
    for (size_t i = 0; i < COUNT(compressed_ops); i++)
        register_cases(&compressed_ops[i], true);
    for (size_t i = 0; i < COUNT(immediate_ops); i++)
        for (size_t k = 0; k < COUNT(immediates); k++)
            immediate_case(&immediate_ops[i], immediates[k], false);
    for (int imm = -32; imm < 32; imm += 7) {
        immediate_case(&(struct op){"c.addi", f_add}, imm, true);
        immediate_case(&(struct op){"c.addiw", f_addw}, imm, true);
        immediate_case(&(struct op){"c.andi", f_and}, imm, true);
    }
    for (size_t i = 0; i < COUNT(shifts); i++)
        shift_cases(&shifts[i], 64, false);
    for (size_t i = 0; i < COUNT(word_shifts); i++)
        shift_cases(&word_shifts[i], 32, false);
    for (size_t i = 0; i < COUNT(compressed_shifts); i++)
        shift_cases(&compressed_shifts[i], 64, true);
    for (size_t i = 0; i < COUNT(unary_ops); i++)
        unary_case(&unary_ops[i]);
    for (size_t i = 0; i < COUNT(branches); i++) {
        branch_case(branches[i].name, branches[i].f, false, false);
        branch_case(branches[i].name, branches[i].f, true, false);
    }
    branch_case("c.beqz", f_eq, false, true);
    branch_case("c.beqz", f_eq, true, true);
    branch_case("c.bnez", f_ne, false, true);
    branch_case("c.bnez", f_ne, true, true);
    for (size_t i = 0; i < COUNT(atomics); i++)
        atomic_cases(&atomics[i]);
    load_cases();
    store_cases();
    sp_cases();
    upper_cases();
    jump_cases();
    register_file_cases();

    puts("    .pushsection .rodata.rows, \"a\"\n    .globl isa_rows_end\nisa_rows_end:\n    .popsection");
    puts("    .section .rodata.pattern, \"a\"\n    .balign 64\nisa_pattern:");
    for (int i = 0; i < PATTERN_N; i++)
        printf("    .byte 0x%02x\n", pattern(i));
    return 0;
}
