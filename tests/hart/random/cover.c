/* SPDX-License-Identifier: Apache-2.0 */
/*
 * tally-cover: counts of executed instructions and traps. Reads traces (tally-iss --trace, tally-sim --trace)
 * from standard input, many in a row if need be, and counts instructions by mnemonic, traps by cause and
 * mode, and instructions by mode.
 *
 * The output has a line a count: "insn add 123", "exception 2 U 5", "interrupt 7 M 3", "mode S 77".
 */
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

struct pattern {
    const char *name;
    uint32_t mask, match;
};

/* First fit: the narrower pattern is first. */
static const struct pattern patterns[] = {
    {"lui", 0x7f, 0x37},
    {"auipc", 0x7f, 0x17},
    {"jal", 0x7f, 0x6f},
    {"jalr", 0x707f, 0x67},
    {"beq", 0x707f, 0x63},
    {"bne", 0x707f, 0x1063},
    {"blt", 0x707f, 0x4063},
    {"bge", 0x707f, 0x5063},
    {"bltu", 0x707f, 0x6063},
    {"bgeu", 0x707f, 0x7063},
    {"lb", 0x707f, 0x03},
    {"lh", 0x707f, 0x1003},
    {"lw", 0x707f, 0x2003},
    {"ld", 0x707f, 0x3003},
    {"lbu", 0x707f, 0x4003},
    {"lhu", 0x707f, 0x5003},
    {"lwu", 0x707f, 0x6003},
    {"sb", 0x707f, 0x23},
    {"sh", 0x707f, 0x1023},
    {"sw", 0x707f, 0x2023},
    {"sd", 0x707f, 0x3023},
    {"addi", 0x707f, 0x13},
    {"slti", 0x707f, 0x2013},
    {"sltiu", 0x707f, 0x3013},
    {"xori", 0x707f, 0x4013},
    {"ori", 0x707f, 0x6013},
    {"andi", 0x707f, 0x7013},
    {"slli", 0xfc00707f, 0x1013},
    {"srli", 0xfc00707f, 0x5013},
    {"srai", 0xfc00707f, 0x40005013},
    {"addiw", 0x707f, 0x1b},
    {"slliw", 0xfe00707f, 0x101b},
    {"srliw", 0xfe00707f, 0x501b},
    {"sraiw", 0xfe00707f, 0x4000501b},
    {"add", 0xfe00707f, 0x33},
    {"sub", 0xfe00707f, 0x40000033},
    {"sll", 0xfe00707f, 0x1033},
    {"slt", 0xfe00707f, 0x2033},
    {"sltu", 0xfe00707f, 0x3033},
    {"xor", 0xfe00707f, 0x4033},
    {"srl", 0xfe00707f, 0x5033},
    {"sra", 0xfe00707f, 0x40005033},
    {"or", 0xfe00707f, 0x6033},
    {"and", 0xfe00707f, 0x7033},
    {"addw", 0xfe00707f, 0x3b},
    {"subw", 0xfe00707f, 0x4000003b},
    {"sllw", 0xfe00707f, 0x103b},
    {"srlw", 0xfe00707f, 0x503b},
    {"sraw", 0xfe00707f, 0x4000503b},
    {"mul", 0xfe00707f, 0x2000033},
    {"mulh", 0xfe00707f, 0x2001033},
    {"mulhsu", 0xfe00707f, 0x2002033},
    {"mulhu", 0xfe00707f, 0x2003033},
    {"div", 0xfe00707f, 0x2004033},
    {"divu", 0xfe00707f, 0x2005033},
    {"rem", 0xfe00707f, 0x2006033},
    {"remu", 0xfe00707f, 0x2007033},
    {"mulw", 0xfe00707f, 0x200003b},
    {"divw", 0xfe00707f, 0x200403b},
    {"divuw", 0xfe00707f, 0x200503b},
    {"remw", 0xfe00707f, 0x200603b},
    {"remuw", 0xfe00707f, 0x200703b},
    {"sh1add", 0xfe00707f, 0x20002033},
    {"sh2add", 0xfe00707f, 0x20004033},
    {"sh3add", 0xfe00707f, 0x20006033},
    {"add.uw", 0xfe00707f, 0x800003b},
    {"sh1add.uw", 0xfe00707f, 0x2000203b},
    {"sh2add.uw", 0xfe00707f, 0x2000403b},
    {"sh3add.uw", 0xfe00707f, 0x2000603b},
    {"slli.uw", 0xfc00707f, 0x800101b},
    {"andn", 0xfe00707f, 0x40007033},
    {"orn", 0xfe00707f, 0x40006033},
    {"xnor", 0xfe00707f, 0x40004033},
    {"min", 0xfe00707f, 0xa004033},
    {"minu", 0xfe00707f, 0xa005033},
    {"max", 0xfe00707f, 0xa006033},
    {"maxu", 0xfe00707f, 0xa007033},
    {"rol", 0xfe00707f, 0x60001033},
    {"ror", 0xfe00707f, 0x60005033},
    {"rolw", 0xfe00707f, 0x6000103b},
    {"rorw", 0xfe00707f, 0x6000503b},
    {"rori", 0xfc00707f, 0x60005013},
    {"roriw", 0xfe00707f, 0x6000501b},
    {"clz", 0xfff0707f, 0x60001013},
    {"ctz", 0xfff0707f, 0x60101013},
    {"cpop", 0xfff0707f, 0x60201013},
    {"clzw", 0xfff0707f, 0x6000101b},
    {"ctzw", 0xfff0707f, 0x6010101b},
    {"cpopw", 0xfff0707f, 0x6020101b},
    {"sext.b", 0xfff0707f, 0x60401013},
    {"sext.h", 0xfff0707f, 0x60501013},
    {"zext.h", 0xfff0707f, 0x800403b},
    {"rev8", 0xfff0707f, 0x6b805013},
    {"orc.b", 0xfff0707f, 0x28705013},
    {"lr.w", 0xf9f0707f, 0x1000202f},
    {"sc.w", 0xf800707f, 0x1800202f},
    {"amoswap.w", 0xf800707f, 0x800202f},
    {"amoadd.w", 0xf800707f, 0x202f},
    {"amoxor.w", 0xf800707f, 0x2000202f},
    {"amoand.w", 0xf800707f, 0x6000202f},
    {"amoor.w", 0xf800707f, 0x4000202f},
    {"amomin.w", 0xf800707f, 0x8000202f},
    {"amomax.w", 0xf800707f, 0xa000202f},
    {"amominu.w", 0xf800707f, 0xc000202f},
    {"amomaxu.w", 0xf800707f, 0xe000202f},
    {"lr.d", 0xf9f0707f, 0x1000302f},
    {"sc.d", 0xf800707f, 0x1800302f},
    {"amoswap.d", 0xf800707f, 0x800302f},
    {"amoadd.d", 0xf800707f, 0x302f},
    {"amoxor.d", 0xf800707f, 0x2000302f},
    {"amoand.d", 0xf800707f, 0x6000302f},
    {"amoor.d", 0xf800707f, 0x4000302f},
    {"amomin.d", 0xf800707f, 0x8000302f},
    {"amomax.d", 0xf800707f, 0xa000302f},
    {"amominu.d", 0xf800707f, 0xc000302f},
    {"amomaxu.d", 0xf800707f, 0xe000302f},
    {"fence", 0x707f, 0x0f},
    {"fence.i", 0x707f, 0x100f},
    {"csrrw", 0x707f, 0x1073},
    {"csrrs", 0x707f, 0x2073},
    {"csrrc", 0x707f, 0x3073},
    {"csrrwi", 0x707f, 0x5073},
    {"csrrsi", 0x707f, 0x6073},
    {"csrrci", 0x707f, 0x7073},
    {"mret", 0xffffffff, 0x30200073},
    {"sret", 0xffffffff, 0x10200073},
    {"wfi", 0xffffffff, 0x10500073},
    {"sfence.vma", 0xfe007fff, 0x12000073},
    {"c.addi4spn", 0xe003, 0x0000},
    {"c.lw", 0xe003, 0x4000},
    {"c.ld", 0xe003, 0x6000},
    {"c.sw", 0xe003, 0xc000},
    {"c.sd", 0xe003, 0xe000},
    {"c.nop", 0xef83, 0x0001},
    {"c.addi", 0xe003, 0x0001},
    {"c.addiw", 0xe003, 0x2001},
    {"c.li", 0xe003, 0x4001},
    {"c.addi16sp", 0xef83, 0x6101},
    {"c.lui", 0xe003, 0x6001},
    {"c.srli", 0xec03, 0x8001},
    {"c.srai", 0xec03, 0x8401},
    {"c.andi", 0xec03, 0x8801},
    {"c.sub", 0xfc63, 0x8c01},
    {"c.xor", 0xfc63, 0x8c21},
    {"c.or", 0xfc63, 0x8c41},
    {"c.and", 0xfc63, 0x8c61},
    {"c.subw", 0xfc63, 0x9c01},
    {"c.addw", 0xfc63, 0x9c21},
    {"c.j", 0xe003, 0xa001},
    {"c.beqz", 0xe003, 0xc001},
    {"c.bnez", 0xe003, 0xe001},
    {"c.slli", 0xe003, 0x0002},
    {"c.lwsp", 0xe003, 0x4002},
    {"c.ldsp", 0xe003, 0x6002},
    {"c.jr", 0xf07f, 0x8002},
    {"c.mv", 0xf003, 0x8002},
    {"c.jalr", 0xf07f, 0x9002},
    {"c.add", 0xf003, 0x9002},
    {"c.swsp", 0xe003, 0xc002},
    {"c.sdsp", 0xe003, 0xe002},
};

enum { CODES = 512, MODES = 4 };

static uint64_t instructions[COUNT(patterns)], unknown, modes[MODES];
static uint64_t exceptions[CODES][MODES], interrupts[CODES][MODES];

static void count_instruction(uint32_t insn) {
    bool compressed = (insn & 3) != 3;

    for (size_t i = 0; i < COUNT(patterns); i++)
        if ((insn & patterns[i].mask) == patterns[i].match &&
            compressed == (patterns[i].name[1] == '.' && patterns[i].name[0] == 'c')) {
            instructions[i]++;
            return;
        }
    unknown++;
}

static unsigned code_after(const char *text, const char *words) {
    return (unsigned)strtoul(text + strlen(words), NULL, 10) % CODES;
}

/* "<cycle> <hart> <mode> <pc>: <insn> ...", the rest holding "trap: cause <n>" or "interrupt: cause <n>" if
 * it was one */
static void count_line(const char *line) {
    static const char mode_names[] = "US?M";
    char mode_name, rest[400];
    unsigned mode;
    const char *at;

    if (sscanf(line, "%*d %*d %c %*x: %399[^\n]", &mode_name, rest) != 2 || !strchr(mode_names, mode_name))
        return;
    mode = (unsigned)(strchr(mode_names, mode_name) - mode_names) % MODES;
    if ((at = strstr(rest, "trap: cause "))) {
        exceptions[code_after(at, "trap: cause ")][mode]++;
    } else if ((at = strstr(rest, "interrupt: cause "))) {
        interrupts[code_after(at, "interrupt: cause ")][mode]++;
    } else {
        modes[mode]++;
        count_instruction((uint32_t)strtoul(rest, NULL, 16));
    }
}

static void print_traps(const char *kind, uint64_t table[CODES][MODES]) {
    for (unsigned code = 0; code < CODES; code++)
        for (unsigned mode = 0; mode < MODES; mode++)
            if (table[code][mode])
                printf("%s %u %c %" PRIu64 "\n", kind, code, "US?M"[mode], table[code][mode]);
}

static void print_all(void) {
    for (size_t i = 0; i < COUNT(patterns); i++)
        printf("insn %s %" PRIu64 "\n", patterns[i].name, instructions[i]);
    if (unknown)
        printf("insn unknown %" PRIu64 "\n", unknown);
    print_traps("exception", exceptions);
    print_traps("interrupt", interrupts);
    for (unsigned mode = 0; mode < MODES; mode++)
        if (mode != 2)
            printf("mode %c %" PRIu64 "\n", "US?M"[mode], modes[mode]);
}

int main(int argc, char **argv) {
    char line[512];

    if (argc > 1) {
        fprintf(stderr, "usage: %s < TRACE\n", argv[0]);
        return 2;
    }
    while (fgets(line, sizeof(line), stdin))
        count_line(line);
    print_all();
    return 0;
}
