// SPDX-License-Identifier: Apache-2.0
/*
 * Integer computation: every instruction of I, M, Zba, Zbb on pairs of corner values, against formulas that
 * share nothing with the model (alu_reference.h).
 */
#include "alu_reference.h"
#include "rig.h"

/* Operations on operands of w = XLEN bits */
enum op {
    ADD,
    SUB,
    SLL,
    SLT,
    SLTU,
    XOR,
    SRL,
    SRA,
    OR,
    AND,
    MUL,
    MULH,
    MULHSU,
    MULHU,
    DIV,
    DIVU,
    REM,
    REMU,
    ADDW,
    SUBW,
    SLLW,
    SRLW,
    SRAW,
    MULW,
    DIVW,
    DIVUW,
    REMW,
    REMUW,
    SH1ADD,
    SH2ADD,
    SH3ADD,
    ADDUW,
    SH1ADDUW,
    SH2ADDUW,
    SH3ADDUW,
    ANDN,
    ORN,
    XNOR,
    MIN,
    MINU,
    MAX,
    MAXU,
    ROL,
    ROR,
    ROLW,
    RORW,
    CLZ,
    CTZ,
    CPOP,
    SEXTB,
    SEXTH,
    ZEXTH,
    ORCB,
    REV8,
    CLZW,
    CTZW,
    CPOPW,
    SLLIUW
};

static uint64_t ref_zext_shift(uint64_t a, unsigned n) { return ref_shift(cut(a, 32), n, 64, 'l'); }

static uint64_t reference(enum op op, uint64_t a, uint64_t b, unsigned w) {
    switch (op) {
    case ADD:
        return ref_add(a, b, w, 0);
    case SUB:
        return ref_sub(a, b, w);
    case SLL:
        return ref_shift(a, b, w, 'l');
    case SLT:
        return ref_less(a, b, w, true);
    case SLTU:
        return ref_less(a, b, w, false);
    case XOR:
        return ref_logic(a, b, w, 6);
    case SRL:
        return ref_shift(a, b, w, 'r');
    case SRA:
        return ref_shift(a, b, w, 'a');
    case OR:
        return ref_logic(a, b, w, 14);
    case AND:
        return ref_logic(a, b, w, 8);
    case MUL:
        return ref_mul(a, b, w, false, false, false);
    case MULH:
        return ref_mul(a, b, w, true, true, true);
    case MULHSU:
        return ref_mul(a, b, w, true, false, true);
    case MULHU:
        return ref_mul(a, b, w, false, false, true);
    case DIV:
        return ref_div(a, b, w, true, false);
    case DIVU:
        return ref_div(a, b, w, false, false);
    case REM:
        return ref_div(a, b, w, true, true);
    case REMU:
        return ref_div(a, b, w, false, true);
    case ADDW:
        return extend(ref_add(a, b, 32, 0), 32, 64);
    case SUBW:
        return extend(ref_sub(a, b, 32), 32, 64);
    case SLLW:
        return extend(ref_shift(a, b, 32, 'l'), 32, 64);
    case SRLW:
        return extend(ref_shift(a, b, 32, 'r'), 32, 64);
    case SRAW:
        return extend(ref_shift(a, b, 32, 'a'), 32, 64);
    case MULW:
        return extend(ref_mul(a, b, 32, false, false, false), 32, 64);
    case DIVW:
        return extend(ref_div(a, b, 32, true, false), 32, 64);
    case DIVUW:
        return extend(ref_div(a, b, 32, false, false), 32, 64);
    case REMW:
        return extend(ref_div(a, b, 32, true, true), 32, 64);
    case REMUW:
        return extend(ref_div(a, b, 32, false, true), 32, 64);
    case SH1ADD:
        return ref_add(ref_shift(a, 1, w, 'l'), b, w, 0);
    case SH2ADD:
        return ref_add(ref_shift(a, 2, w, 'l'), b, w, 0);
    case SH3ADD:
        return ref_add(ref_shift(a, 3, w, 'l'), b, w, 0);
    case ADDUW:
        return ref_add(ref_zext_shift(a, 0), b, 64, 0);
    case SH1ADDUW:
        return ref_add(ref_zext_shift(a, 1), b, 64, 0);
    case SH2ADDUW:
        return ref_add(ref_zext_shift(a, 2), b, 64, 0);
    case SH3ADDUW:
        return ref_add(ref_zext_shift(a, 3), b, 64, 0);
    case ANDN:
        return ref_logic(a, b, w, 4);
    case ORN:
        return ref_logic(a, b, w, 13);
    case XNOR:
        return ref_logic(a, b, w, 9);
    case MIN:
        return ref_less(a, b, w, true) ? a : b;
    case MINU:
        return ref_less(a, b, w, false) ? a : b;
    case MAX:
        return ref_less(a, b, w, true) ? b : a;
    case MAXU:
        return ref_less(a, b, w, false) ? b : a;
    case ROL:
        return ref_shift(a, w - b % w, w, 'R');
    case ROR:
        return ref_shift(a, b, w, 'R');
    case ROLW:
        return extend(ref_shift(a, 32 - b % 32, 32, 'R'), 32, 64);
    case RORW:
        return extend(ref_shift(a, b, 32, 'R'), 32, 64);
    case CLZ:
        return ref_count(a, w, 'l');
    case CTZ:
        return ref_count(a, w, 't');
    case CPOP:
        return ref_count(a, w, 'p');
    case SEXTB:
        return extend(a, 8, w);
    case SEXTH:
        return extend(a, 16, w);
    case ZEXTH:
        return cut(a, 16);
    case ORCB:
        return ref_bytes(a, w, 'o');
    case REV8:
        return ref_bytes(a, w, 'r');
    case CLZW:
        return ref_count(a, 32, 'l');
    case CTZW:
        return ref_count(a, 32, 't');
    case CPOPW:
        return ref_count(a, 32, 'p');
    case SLLIUW:
        return ref_zext_shift(a, (unsigned)(b % 64));
    }
    return 0;
}

enum width { ANY, ONLY64, ONLY32 };

static const struct {
    const char *name;
    enum op op;
    unsigned opcode, funct3, funct7; /* rs2 field: register operand */
    enum width width;
} reg_ops[] = {
    {"add", ADD, 0x33, 0, 0x00, ANY},
    {"sub", SUB, 0x33, 0, 0x20, ANY},
    {"sll", SLL, 0x33, 1, 0x00, ANY},
    {"slt", SLT, 0x33, 2, 0x00, ANY},
    {"sltu", SLTU, 0x33, 3, 0x00, ANY},
    {"xor", XOR, 0x33, 4, 0x00, ANY},
    {"srl", SRL, 0x33, 5, 0x00, ANY},
    {"sra", SRA, 0x33, 5, 0x20, ANY},
    {"or", OR, 0x33, 6, 0x00, ANY},
    {"and", AND, 0x33, 7, 0x00, ANY},
    {"mul", MUL, 0x33, 0, 0x01, ANY},
    {"mulh", MULH, 0x33, 1, 0x01, ANY},
    {"mulhsu", MULHSU, 0x33, 2, 0x01, ANY},
    {"mulhu", MULHU, 0x33, 3, 0x01, ANY},
    {"div", DIV, 0x33, 4, 0x01, ANY},
    {"divu", DIVU, 0x33, 5, 0x01, ANY},
    {"rem", REM, 0x33, 6, 0x01, ANY},
    {"remu", REMU, 0x33, 7, 0x01, ANY},
    {"addw", ADDW, 0x3B, 0, 0x00, ONLY64},
    {"subw", SUBW, 0x3B, 0, 0x20, ONLY64},
    {"sllw", SLLW, 0x3B, 1, 0x00, ONLY64},
    {"srlw", SRLW, 0x3B, 5, 0x00, ONLY64},
    {"sraw", SRAW, 0x3B, 5, 0x20, ONLY64},
    {"mulw", MULW, 0x3B, 0, 0x01, ONLY64},
    {"divw", DIVW, 0x3B, 4, 0x01, ONLY64},
    {"divuw", DIVUW, 0x3B, 5, 0x01, ONLY64},
    {"remw", REMW, 0x3B, 6, 0x01, ONLY64},
    {"remuw", REMUW, 0x3B, 7, 0x01, ONLY64},
    {"sh1add", SH1ADD, 0x33, 2, 0x10, ANY},
    {"sh2add", SH2ADD, 0x33, 4, 0x10, ANY},
    {"sh3add", SH3ADD, 0x33, 6, 0x10, ANY},
    {"add.uw", ADDUW, 0x3B, 0, 0x04, ONLY64},
    {"sh1add.uw", SH1ADDUW, 0x3B, 2, 0x10, ONLY64},
    {"sh2add.uw", SH2ADDUW, 0x3B, 4, 0x10, ONLY64},
    {"sh3add.uw", SH3ADDUW, 0x3B, 6, 0x10, ONLY64},
    {"andn", ANDN, 0x33, 7, 0x20, ANY},
    {"orn", ORN, 0x33, 6, 0x20, ANY},
    {"xnor", XNOR, 0x33, 4, 0x20, ANY},
    {"min", MIN, 0x33, 4, 0x05, ANY},
    {"minu", MINU, 0x33, 5, 0x05, ANY},
    {"max", MAX, 0x33, 6, 0x05, ANY},
    {"maxu", MAXU, 0x33, 7, 0x05, ANY},
    {"rol", ROL, 0x33, 1, 0x30, ANY},
    {"ror", ROR, 0x33, 5, 0x30, ANY},
    {"rolw", ROLW, 0x3B, 1, 0x30, ONLY64},
    {"rorw", RORW, 0x3B, 5, 0x30, ONLY64},
};

/* The immediate is a 12-bit constant, or for shifts the amount under `funct`. */
static const struct {
    const char *name;
    enum op op;
    unsigned opcode, funct3;
    char kind; /* 'i' immediate, 's' shift of XLEN, 'w' shift of 32, 'u' unary: the immediate is `funct` */
    unsigned funct;
    enum width width;
} imm_ops[] = {
    {"addi", ADD, 0x13, 0, 'i', 0, ANY},
    {"slti", SLT, 0x13, 2, 'i', 0, ANY},
    {"sltiu", SLTU, 0x13, 3, 'i', 0, ANY},
    {"xori", XOR, 0x13, 4, 'i', 0, ANY},
    {"ori", OR, 0x13, 6, 'i', 0, ANY},
    {"andi", AND, 0x13, 7, 'i', 0, ANY},
    {"slli", SLL, 0x13, 1, 's', 0x000, ANY},
    {"srli", SRL, 0x13, 5, 's', 0x000, ANY},
    {"srai", SRA, 0x13, 5, 's', 0x400, ANY},
    {"rori", ROR, 0x13, 5, 's', 0x600, ANY},
    {"addiw", ADDW, 0x1B, 0, 'i', 0, ONLY64},
    {"slliw", SLLW, 0x1B, 1, 'w', 0x000, ONLY64},
    {"srliw", SRLW, 0x1B, 5, 'w', 0x000, ONLY64},
    {"sraiw", SRAW, 0x1B, 5, 'w', 0x400, ONLY64},
    {"roriw", RORW, 0x1B, 5, 'w', 0x600, ONLY64},
    {"slli.uw", SLLIUW, 0x1B, 1, 's', 0x080, ONLY64},
    {"clz", CLZ, 0x13, 1, 'u', 0x600, ANY},
    {"ctz", CTZ, 0x13, 1, 'u', 0x601, ANY},
    {"cpop", CPOP, 0x13, 1, 'u', 0x602, ANY},
    {"sext.b", SEXTB, 0x13, 1, 'u', 0x604, ANY},
    {"sext.h", SEXTH, 0x13, 1, 'u', 0x605, ANY},
    {"orc.b", ORCB, 0x13, 5, 'u', 0x287, ANY},
    {"rev8", REV8, 0x13, 5, 'u', 0x6B8, ONLY64},
    {"rev8", REV8, 0x13, 5, 'u', 0x698, ONLY32},
    {"clzw", CLZW, 0x1B, 1, 'u', 0x600, ONLY64},
    {"ctzw", CTZW, 0x1B, 1, 'u', 0x601, ONLY64},
    {"cpopw", CPOPW, 0x1B, 1, 'u', 0x602, ONLY64},
    {"zext.h", ZEXTH, 0x3B, 4, 'u', 0x080, ONLY64},
    {"zext.h", ZEXTH, 0x33, 4, 'u', 0x080, ONLY32},
};

static bool exists(enum width width, unsigned xlen) {
    return width == ANY || (width == ONLY64) == (xlen == 64);
}

static void run_one(struct rig *r, const char *name, enum op op, uint32_t insn, uint64_t a, uint64_t b) {
    unsigned w = r->h->cfg.xlen;
    const struct gh_retire *out;

    rig_set_reg(r, 1, a);
    out = rig_exec(r, insn);
    CHECK_EQ(out->trap, 0, "%s traps, RV%u", name, w);
    CHECK_EQ(out->rd_value, reference(op, cut(a, w), cut(b, w), w), "%s of %llx, %llx, RV%u", name,
             (unsigned long long)a, (unsigned long long)b, w);
    CHECK_EQ(gh_reg(r->h, 3), out->rd_value, "%s: register and report agree", name);
    CHECK_EQ(out->next_pc, out->pc + 4, "%s", name);
}

static void test_reg_ops(struct rig *r) {
    for (unsigned i = 0; i < sizeof reg_ops / sizeof reg_ops[0]; i++) {
        uint32_t insn = enc_r(reg_ops[i].opcode, reg_ops[i].funct3, reg_ops[i].funct7, 3, 1, 2);
        if (!exists(reg_ops[i].width, r->h->cfg.xlen)) {
            CHECK_EQ(rig_exec(r, insn)->cause, TALLY_EXC_ILLEGAL, "%s does not exist here", reg_ops[i].name);
            continue;
        }
        for (unsigned j = 0; j < CORNERS; j++)
            for (unsigned k = 0; k < CORNERS; k++) {
                rig_set_reg(r, 2, corner[k]);
                run_one(r, reg_ops[i].name, reg_ops[i].op, insn, corner[j], corner[k]);
            }
    }
}

static void test_imm_op(struct rig *r, unsigned i, unsigned imm, uint64_t operand) {
    uint32_t insn = imm << 20 | 1 << 15 | imm_ops[i].funct3 << 12 | 3 << 7 | imm_ops[i].opcode;
    for (unsigned j = 0; j < CORNERS; j++)
        run_one(r, imm_ops[i].name, imm_ops[i].op, insn, corner[j], operand);
}

static void test_imm_ops(struct rig *r) {
    static const int imms[] = {0, 1, 2, 31, 63, 127, 1023, 2047, -1, -2, -1024, -2047, -2048};
    unsigned xlen = r->h->cfg.xlen;

    for (unsigned i = 0; i < sizeof imm_ops / sizeof imm_ops[0]; i++) {
        unsigned amounts = imm_ops[i].kind == 'w' ? 32 : xlen;
        if (!exists(imm_ops[i].width, xlen))
            continue;
        if (imm_ops[i].kind == 'u')
            test_imm_op(r, i, imm_ops[i].funct, 0);
        else if (imm_ops[i].kind == 'i')
            for (unsigned j = 0; j < sizeof imms / sizeof imms[0]; j++)
                test_imm_op(r, i, (unsigned)imms[j] & 0xFFF, (uint64_t)(int64_t)imms[j]);
        else
            for (unsigned n = 0; n < amounts; n++)
                test_imm_op(r, i, imm_ops[i].funct | n, n);
    }
}

static void test_illegal_shifts(struct rig *r) {
    unsigned op_imm32 = 0x1B;
    CHECK_EQ(rig_exec(r, enc_i(op_imm32, 1, 3, 1, 32))->cause, TALLY_EXC_ILLEGAL, "slliw by 32");
    CHECK_EQ(rig_exec(r, enc_i(op_imm32, 5, 3, 1, 32))->cause, TALLY_EXC_ILLEGAL, "srliw by 32");
    CHECK_EQ(rig_exec(r, enc_i(op_imm32, 5, 3, 1, 0x420))->cause, TALLY_EXC_ILLEGAL, "sraiw by 32");
    if (r->h->cfg.xlen == 32) {
        CHECK_EQ(rig_exec(r, enc_i(0x13, 1, 3, 1, 32))->cause, TALLY_EXC_ILLEGAL, "RV32 slli by 32");
        CHECK_EQ(rig_exec(r, enc_i(0x13, 5, 3, 1, 0x420))->cause, TALLY_EXC_ILLEGAL, "RV32 srai by 32");
    }
}

static void test_without_bitmanip(struct rig *r) {
    unsigned legal = 0;

    r->h->cfg.zba_zbb = false;
    for (unsigned i = 0; i < sizeof reg_ops / sizeof reg_ops[0]; i++) {
        unsigned cause =
            (unsigned)rig_exec(r, enc_r(reg_ops[i].opcode, reg_ops[i].funct3, reg_ops[i].funct7, 3, 1, 2))
                ->cause;
        if (reg_ops[i].op >= SH1ADD)
            CHECK_EQ(cause, TALLY_EXC_ILLEGAL, "%s is off", reg_ops[i].name);
    }
    for (unsigned f3 = 0; f3 < 8; f3++)
        for (unsigned f7 = 0; f7 < 128; f7++)
            legal += !rig_exec(r, enc_r(0x33, f3, f7, 3, 1, 2))->trap;
    CHECK_EQ(legal, 18, "legal encodings of opcode OP");
    r->h->cfg.zba_zbb = true;
}

static void test_upper(struct rig *r) {
    unsigned w = r->h->cfg.xlen;
    CHECK_EQ(rig_exec(r, 0x800001B7)->rd_value, extend(0x80000000, 32, w), "lui");
    CHECK_EQ(rig_exec(r, 0x7FFFF1B7)->rd_value, 0x7FFFF000, "lui");
    CHECK_EQ(rig_exec(r, 0xFFFFF197)->rd_value, RIG_RAM + 0x100 - 0x1000, "auipc");
    CHECK_EQ(rig_exec(r, 0x00001197)->rd_value, RIG_RAM + 0x1100, "auipc");
    CHECK_EQ(rig_exec(r, 0x00100013)->rd_we, 0, "x0 is not written");
    CHECK_EQ(gh_reg(r->h, 0), 0, "x0");
}

int main(void) {
    for (unsigned xlen = 32; xlen <= 64; xlen += 32) {
        struct rig r;
        rig_open(&r, xlen, false);
        test_reg_ops(&r);
        test_imm_ops(&r);
        test_illegal_shifts(&r);
        test_without_bitmanip(&r);
        test_upper(&r);
        rig_close(&r);
    }
    return rig_result("alu");
}
