/* SPDX-License-Identifier: Apache-2.0 */
#include "disassemble.h"

#include "tally_hart.h"
#include "tally_names.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

/*
 * An instruction belongs to the first row with (insn & mask) == match: common aliases of an instruction
 * precede it. Operands: d rd, s rs1, t rs2; i immediate of I, o the same and m that of S as an offset; b and
 * j targets; u upper immediate; > and < shifts of 6 and of 5 bits; c CSR, z its immediate; p and r
 * predecessors and successors of a fence; ~ ordering of an atomic instruction, after its name. Other
 * characters are copied.
 */
struct row {
    uint32_t mask, match;
    const char *name, *operands;
};

static const struct row rows[] = {
    {0xFFFFFFFF, 0x00000013, "nop", ""},
    {0x000FF07F, 0x00000013, "li", "d,i"},
    {0xFFF0707F, 0x00000013, "mv", "d,s"},
    {0x0000707F, 0x00000013, "addi", "d,s,i"},
    {0xFFF0707F, 0x00103013, "seqz", "d,s"},
    {0xFFF0707F, 0xFFF04013, "not", "d,s"},
    {0xFFF0707F, 0x0FF07013, "zext.b", "d,s"},
    {0x0000707F, 0x00002013, "slti", "d,s,i"},
    {0x0000707F, 0x00003013, "sltiu", "d,s,i"},
    {0x0000707F, 0x00004013, "xori", "d,s,i"},
    {0xFFF0707F, 0x28705013, "orc.b", "d,s"},
    {0xFFF0707F, 0x6B805013, "rev8", "d,s"},
    {0x0000707F, 0x00006013, "ori", "d,s,i"},
    {0x0000707F, 0x00007013, "andi", "d,s,i"},
    {0xFFF0707F, 0x60001013, "clz", "d,s"},
    {0xFFF0707F, 0x60101013, "ctz", "d,s"},
    {0xFFF0707F, 0x60201013, "cpop", "d,s"},
    {0xFFF0707F, 0x60401013, "sext.b", "d,s"},
    {0xFFF0707F, 0x60501013, "sext.h", "d,s"},
    {0xFC00707F, 0x00001013, "slli", "d,s,>"},
    {0xFC00707F, 0x00005013, "srli", "d,s,>"},
    {0xFC00707F, 0x40005013, "srai", "d,s,>"},
    {0xFC00707F, 0x60005013, "rori", "d,s,>"},
    {0xFFF0707F, 0x0000001B, "sext.w", "d,s"},
    {0x0000707F, 0x0000001B, "addiw", "d,s,i"},
    {0xFFF0707F, 0x6000101B, "clzw", "d,s"},
    {0xFFF0707F, 0x6010101B, "ctzw", "d,s"},
    {0xFFF0707F, 0x6020101B, "cpopw", "d,s"},
    {0xFC00707F, 0x0800101B, "slli.uw", "d,s,>"},
    {0xFE00707F, 0x0000101B, "slliw", "d,s,<"},
    {0xFE00707F, 0x0000501B, "srliw", "d,s,<"},
    {0xFE00707F, 0x4000501B, "sraiw", "d,s,<"},
    {0xFE00707F, 0x6000501B, "roriw", "d,s,<"},
    {0xFE0FF07F, 0x40000033, "neg", "d,t"},
    {0xFE0FF07F, 0x00003033, "snez", "d,t"},
    {0xFFF0707F, 0x00002033, "sltz", "d,s"},
    {0xFE0FF07F, 0x00002033, "sgtz", "d,t"},
    {0xFE0FF07F, 0x00000033, "mv", "d,t"},
    {0xFE00707F, 0x00000033, "add", "d,s,t"},
    {0xFE00707F, 0x00001033, "sll", "d,s,t"},
    {0xFE00707F, 0x00002033, "slt", "d,s,t"},
    {0xFE00707F, 0x00003033, "sltu", "d,s,t"},
    {0xFE00707F, 0x00004033, "xor", "d,s,t"},
    {0xFE00707F, 0x00005033, "srl", "d,s,t"},
    {0xFE00707F, 0x00006033, "or", "d,s,t"},
    {0xFE00707F, 0x00007033, "and", "d,s,t"},
    {0xFE00707F, 0x02000033, "mul", "d,s,t"},
    {0xFE00707F, 0x02001033, "mulh", "d,s,t"},
    {0xFE00707F, 0x02002033, "mulhsu", "d,s,t"},
    {0xFE00707F, 0x02003033, "mulhu", "d,s,t"},
    {0xFE00707F, 0x02004033, "div", "d,s,t"},
    {0xFE00707F, 0x02005033, "divu", "d,s,t"},
    {0xFE00707F, 0x02006033, "rem", "d,s,t"},
    {0xFE00707F, 0x02007033, "remu", "d,s,t"},
    {0xFE00707F, 0x40000033, "sub", "d,s,t"},
    {0xFE00707F, 0x40004033, "xnor", "d,s,t"},
    {0xFE00707F, 0x40005033, "sra", "d,s,t"},
    {0xFE00707F, 0x40006033, "orn", "d,s,t"},
    {0xFE00707F, 0x40007033, "andn", "d,s,t"},
    {0xFE00707F, 0x20002033, "sh1add", "d,s,t"},
    {0xFE00707F, 0x20004033, "sh2add", "d,s,t"},
    {0xFE00707F, 0x20006033, "sh3add", "d,s,t"},
    {0xFE00707F, 0x0A004033, "min", "d,s,t"},
    {0xFE00707F, 0x0A005033, "minu", "d,s,t"},
    {0xFE00707F, 0x0A006033, "max", "d,s,t"},
    {0xFE00707F, 0x0A007033, "maxu", "d,s,t"},
    {0xFE00707F, 0x60001033, "rol", "d,s,t"},
    {0xFE00707F, 0x60005033, "ror", "d,s,t"},
    {0xFE0FF07F, 0x4000003B, "negw", "d,t"},
    {0xFFF0707F, 0x0800003B, "zext.w", "d,s"},
    {0xFFF0707F, 0x0800403B, "zext.h", "d,s"},
    {0xFE00707F, 0x0000003B, "addw", "d,s,t"},
    {0xFE00707F, 0x0000103B, "sllw", "d,s,t"},
    {0xFE00707F, 0x0000503B, "srlw", "d,s,t"},
    {0xFE00707F, 0x0200003B, "mulw", "d,s,t"},
    {0xFE00707F, 0x0200403B, "divw", "d,s,t"},
    {0xFE00707F, 0x0200503B, "divuw", "d,s,t"},
    {0xFE00707F, 0x0200603B, "remw", "d,s,t"},
    {0xFE00707F, 0x0200703B, "remuw", "d,s,t"},
    {0xFE00707F, 0x4000003B, "subw", "d,s,t"},
    {0xFE00707F, 0x4000503B, "sraw", "d,s,t"},
    {0xFE00707F, 0x0800003B, "add.uw", "d,s,t"},
    {0xFE00707F, 0x2000203B, "sh1add.uw", "d,s,t"},
    {0xFE00707F, 0x2000403B, "sh2add.uw", "d,s,t"},
    {0xFE00707F, 0x2000603B, "sh3add.uw", "d,s,t"},
    {0xFE00707F, 0x6000103B, "rolw", "d,s,t"},
    {0xFE00707F, 0x6000503B, "rorw", "d,s,t"},
    {0x0000707F, 0x00000003, "lb", "d,o(s)"},
    {0x0000707F, 0x00001003, "lh", "d,o(s)"},
    {0x0000707F, 0x00002003, "lw", "d,o(s)"},
    {0x0000707F, 0x00003003, "ld", "d,o(s)"},
    {0x0000707F, 0x00004003, "lbu", "d,o(s)"},
    {0x0000707F, 0x00005003, "lhu", "d,o(s)"},
    {0x0000707F, 0x00006003, "lwu", "d,o(s)"},
    {0x0000707F, 0x00000023, "sb", "t,m(s)"},
    {0x0000707F, 0x00001023, "sh", "t,m(s)"},
    {0x0000707F, 0x00002023, "sw", "t,m(s)"},
    {0x0000707F, 0x00003023, "sd", "t,m(s)"},
    {0x01F0707F, 0x00000063, "beqz", "s,b"},
    {0x01F0707F, 0x00001063, "bnez", "s,b"},
    {0x000FF07F, 0x00005063, "blez", "t,b"},
    {0x01F0707F, 0x00005063, "bgez", "s,b"},
    {0x01F0707F, 0x00004063, "bltz", "s,b"},
    {0x000FF07F, 0x00004063, "bgtz", "t,b"},
    {0x0000707F, 0x00000063, "beq", "s,t,b"},
    {0x0000707F, 0x00001063, "bne", "s,t,b"},
    {0x0000707F, 0x00004063, "blt", "s,t,b"},
    {0x0000707F, 0x00005063, "bge", "s,t,b"},
    {0x0000707F, 0x00006063, "bltu", "s,t,b"},
    {0x0000707F, 0x00007063, "bgeu", "s,t,b"},
    {0x00000FFF, 0x0000006F, "j", "j"},
    {0x00000FFF, 0x000000EF, "jal", "j"},
    {0x0000007F, 0x0000006F, "jal", "d,j"},
    {0xFFFFFFFF, 0x00008067, "ret", ""},
    {0xFFF07FFF, 0x00000067, "jr", "s"},
    {0x00007FFF, 0x00000067, "jr", "o(s)"},
    {0xFFF07FFF, 0x000000E7, "jalr", "s"},
    {0x00007FFF, 0x000000E7, "jalr", "o(s)"},
    {0xFFF0707F, 0x00000067, "jalr", "d,s"},
    {0x0000707F, 0x00000067, "jalr", "d,o(s)"},
    {0x0000007F, 0x00000037, "lui", "d,u"},
    {0x0000007F, 0x00000017, "auipc", "d,u"},
    {0xFFFFFFFF, 0x0FF0000F, "fence", ""},
    {0xFFFFFFFF, 0x8330000F, "fence.tso", ""},
    {0xFFFFFFFF, 0x0100000F, "pause", ""},
    {0xF00FFFFF, 0x0000000F, "fence", "p,r"},
    {0xFFFFFFFF, 0x0000100F, "fence.i", ""},
    {0xF9F0707F, 0x1000202F, "lr.w", "~d,(s)"},
    {0xF9F0707F, 0x1000302F, "lr.d", "~d,(s)"},
    {0xF800707F, 0x1800202F, "sc.w", "~d,t,(s)"},
    {0xF800707F, 0x1800302F, "sc.d", "~d,t,(s)"},
    {0xF800707F, 0x0800202F, "amoswap.w", "~d,t,(s)"},
    {0xF800707F, 0x0800302F, "amoswap.d", "~d,t,(s)"},
    {0xF800707F, 0x0000202F, "amoadd.w", "~d,t,(s)"},
    {0xF800707F, 0x0000302F, "amoadd.d", "~d,t,(s)"},
    {0xF800707F, 0x2000202F, "amoxor.w", "~d,t,(s)"},
    {0xF800707F, 0x2000302F, "amoxor.d", "~d,t,(s)"},
    {0xF800707F, 0x6000202F, "amoand.w", "~d,t,(s)"},
    {0xF800707F, 0x6000302F, "amoand.d", "~d,t,(s)"},
    {0xF800707F, 0x4000202F, "amoor.w", "~d,t,(s)"},
    {0xF800707F, 0x4000302F, "amoor.d", "~d,t,(s)"},
    {0xF800707F, 0x8000202F, "amomin.w", "~d,t,(s)"},
    {0xF800707F, 0x8000302F, "amomin.d", "~d,t,(s)"},
    {0xF800707F, 0xA000202F, "amomax.w", "~d,t,(s)"},
    {0xF800707F, 0xA000302F, "amomax.d", "~d,t,(s)"},
    {0xF800707F, 0xC000202F, "amominu.w", "~d,t,(s)"},
    {0xF800707F, 0xC000302F, "amominu.d", "~d,t,(s)"},
    {0xF800707F, 0xE000202F, "amomaxu.w", "~d,t,(s)"},
    {0xF800707F, 0xE000302F, "amomaxu.d", "~d,t,(s)"},
    {0xFFFFFFFF, 0x00000073, "ecall", ""},
    {0xFFFFFFFF, 0x00100073, "ebreak", ""},
    {0xFFFFFFFF, 0x30200073, "mret", ""},
    {0xFFFFFFFF, 0x10200073, "sret", ""},
    {0xFFFFFFFF, 0x10500073, "wfi", ""},
    {0xFFFFFFFF, 0x12000073, "sfence.vma", ""},
    {0xFFF07FFF, 0x12000073, "sfence.vma", "s"},
    {0xFE007FFF, 0x12000073, "sfence.vma", "s,t"},
    {0xFFFFF07F, 0xC0002073, "rdcycle", "d"},
    {0xFFFFF07F, 0xC0102073, "rdtime", "d"},
    {0xFFFFF07F, 0xC0202073, "rdinstret", "d"},
    {0x000FF07F, 0x00002073, "csrr", "d,c"},
    {0x00007FFF, 0x00001073, "csrw", "c,s"},
    {0x00007FFF, 0x00002073, "csrs", "c,s"},
    {0x00007FFF, 0x00003073, "csrc", "c,s"},
    {0x00007FFF, 0x00005073, "csrwi", "c,z"},
    {0x00007FFF, 0x00006073, "csrsi", "c,z"},
    {0x00007FFF, 0x00007073, "csrci", "c,z"},
    {0x0000707F, 0x00001073, "csrrw", "d,c,s"},
    {0x0000707F, 0x00002073, "csrrs", "d,c,s"},
    {0x0000707F, 0x00003073, "csrrc", "d,c,s"},
    {0x0000707F, 0x00005073, "csrrwi", "d,c,z"},
    {0x0000707F, 0x00006073, "csrrsi", "d,c,z"},
    {0x0000707F, 0x00007073, "csrrci", "d,c,z"},
};

static const char *const registers[32] = {
    "zero", "ra", "sp", "gp", "tp", "t0", "t1", "t2", "s0", "s1", "a0",  "a1",  "a2", "a3", "a4", "a5",
    "a6",   "a7", "s2", "s3", "s4", "s5", "s6", "s7", "s8", "s9", "s10", "s11", "t3", "t4", "t5", "t6"};

/* By aq and rl */
static const char *const orders[4] = {"", ".rl", ".aq", ".aqrl"};

/* Bits msb..lsb of the instruction, the highest of them its sign, times 2 to the power of `shift` */
static int32_t field(uint32_t insn, unsigned msb, unsigned lsb, unsigned shift) {
    return (int32_t)((insn << (31 - msb)) & (UINT32_MAX << (31 - msb + lsb))) >> (31 - msb + lsb) << shift;
}

static uint32_t bits(uint32_t insn, unsigned msb, unsigned lsb) {
    return insn >> lsb & (UINT32_MAX >> (31 - (msb - lsb)));
}

static int32_t branch_offset(uint32_t insn) {
    return field(insn, 31, 31, 12) |
           (int32_t)(bits(insn, 7, 7) << 11 | bits(insn, 30, 25) << 5 | bits(insn, 11, 8) << 1);
}

static int32_t jump_offset(uint32_t insn) {
    return field(insn, 31, 31, 20) |
           (int32_t)(bits(insn, 19, 12) << 12 | bits(insn, 20, 20) << 11 | bits(insn, 30, 21) << 1);
}

static int csr_name(char *to, size_t size, uint32_t number) {
    const struct tally_register *r = tally_register_of(number);
    return r ? snprintf(to, size, "%s", r->name) : snprintf(to, size, "0x%" PRIx32, number);
}

static int fence_set(char *to, size_t size, uint32_t set) {
    return snprintf(to, size, "%s%s%s%s", set & 8 ? "i" : "", set & 4 ? "o" : "", set & 2 ? "r" : "",
                    set & 1 ? "w" : "");
}

static int operand(char *to, size_t size, uint32_t insn, char kind) {
    switch (kind) {
    case 'd':
        return snprintf(to, size, "%s", registers[bits(insn, 11, 7)]);
    case 's':
        return snprintf(to, size, "%s", registers[bits(insn, 19, 15)]);
    case 't':
        return snprintf(to, size, "%s", registers[bits(insn, 24, 20)]);
    case 'i':
    case 'o':
        return snprintf(to, size, "%" PRId32, field(insn, 31, 20, 0));
    case 'm':
        return snprintf(to, size, "%" PRId32, field(insn, 31, 25, 5) | (int32_t)bits(insn, 11, 7));
    case 'b':
        return snprintf(to, size, ".%+" PRId32, branch_offset(insn));
    case 'j':
        return snprintf(to, size, ".%+" PRId32, jump_offset(insn));
    case 'u':
        return snprintf(to, size, "0x%" PRIx32, bits(insn, 31, 12));
    case '>':
        return snprintf(to, size, "0x%" PRIx32, bits(insn, 25, 20));
    case '<':
        return snprintf(to, size, "0x%" PRIx32, bits(insn, 24, 20));
    case 'c':
        return csr_name(to, size, bits(insn, 31, 20));
    case 'z':
        return snprintf(to, size, "%" PRIu32, bits(insn, 19, 15));
    case 'p':
        return fence_set(to, size, bits(insn, 27, 24));
    case 'r':
        return fence_set(to, size, bits(insn, 23, 20));
    case '~':
        return snprintf(to, size, "%s ", orders[bits(insn, 26, 25)]);
    default:
        return snprintf(to, size, "%c", kind);
    }
}

static const struct row *row_of(uint32_t insn) {
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        if ((insn & rows[i].mask) == rows[i].match)
            return &rows[i];
    }
    return NULL;
}

const char *disassemble(uint32_t insn, char *text, size_t size) {
    const bool compressed = (insn & 3) != 3;
    const uint32_t whole = compressed ? gh_rvc_expand(64, (uint16_t)insn) : insn;
    const struct row *row = whole ? row_of(whole) : NULL;
    if (!row) {
        snprintf(text, size, compressed ? ".short 0x%04" PRIx32 : ".word 0x%08" PRIx32,
                 compressed ? insn & 0xFFFF : insn);
        return text;
    }
    size_t n =
        (size_t)snprintf(text, size, "%s%s", row->name, *row->operands && *row->operands != '~' ? " " : "");
    for (const char *o = row->operands; *o && n < size; o++)
        n += (size_t)operand(text + n, size - n, whole, *o);
    return text;
}
