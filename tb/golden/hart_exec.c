// SPDX-License-Identifier: Apache-2.0
/*
 * Execution of one 32-bit (or expanded) instruction: control transfers, loads and stores, AMOs; hart_alu.c
 * and hart_system.c have the others.
 */
#include "hart_internal.h"

static unsigned rd_of(uint32_t insn) { return insn >> 7 & 31; }

static uint64_t rs1(const struct gh *h, uint32_t insn) { return h->x[insn >> 15 & 31]; }

static uint64_t rs2(const struct gh *h, uint32_t insn) { return h->x[insn >> 20 & 31]; }

static unsigned funct3(uint32_t insn) { return insn >> 12 & 7; }

static uint64_t imm_i(uint32_t insn) { return (uint64_t)((int64_t)(int32_t)insn >> 20); }

static uint64_t imm_s(uint32_t insn) { return (imm_i(insn) & ~UINT64_C(31)) | rd_of(insn); }

static uint64_t imm_b(uint32_t insn) {
    return sext(insn >> 31 << 12 | (insn >> 7 & 1) << 11 | (insn >> 25 & 0x3F) << 5 | (insn >> 8 & 0xF) << 1,
                13);
}

static uint64_t imm_u(uint32_t insn) { return (uint64_t)(int64_t)(int32_t)(insn & 0xFFFFF000); }

static uint64_t imm_j(uint32_t insn) {
    return sext(insn >> 31 << 20 | (insn >> 12 & 0xFF) << 12 | (insn >> 20 & 1) << 11 |
                    (insn >> 21 & 0x3FF) << 1,
                21);
}

static void jump(struct gh *h, uint64_t target) { h->next_pc = target & h->xmask & ~UINT64_C(1); }

static bool exec_branch(struct gh *h, uint32_t insn) {
    uint64_t a = rs1(h, insn), b = rs2(h, insn);
    bool taken;

    switch (funct3(insn)) {
    case 0:
        taken = a == b;
        break;
    case 1:
        taken = a != b;
        break;
    case 4:
        taken = (int64_t)a < (int64_t)b;
        break;
    case 5:
        taken = (int64_t)a >= (int64_t)b;
        break;
    case 6:
        taken = a < b;
        break;
    case 7:
        taken = a >= b;
        break;
    default:
        return raise_illegal(h);
    }
    if (taken)
        jump(h, h->pc + imm_b(insn));
    return true;
}

static bool exec_load(struct gh *h, uint32_t insn) {
    unsigned f3 = funct3(insn);
    unsigned size = 1U << (f3 & 3);
    bool is_unsigned = f3 & 4;
    uint64_t raw;

    if (f3 == 7 || (!rv64(h) && (f3 == 3 || f3 == 6)))
        return raise_illegal(h);
    if (!gh_load(h, (rs1(h, insn) + imm_i(insn)) & h->xmask, size, &raw))
        return false;
    set_rd(h, rd_of(insn), is_unsigned ? raw : sext(raw, 8 * size));
    return true;
}

static bool exec_store(struct gh *h, uint32_t insn) {
    unsigned f3 = funct3(insn);

    if (f3 > (rv64(h) ? 3U : 2U))
        return raise_illegal(h);
    return gh_store(h, (rs1(h, insn) + imm_s(insn)) & h->xmask, 1U << f3, rs2(h, insn));
}

static bool exec_amo(struct gh *h, uint32_t insn) {
    unsigned f3 = funct3(insn);
    unsigned funct5 = insn >> 27;
    unsigned size = 1U << f3;
    uint64_t va = rs1(h, insn) & h->xmask;
    uint64_t raw = 0;
    bool failed, ok;

    if (f3 != 2 && !(f3 == 3 && rv64(h)))
        return raise_illegal(h);
    switch (funct5) {
    case 0x02: /* LR */
        if ((insn >> 20 & 31) != 0)
            return raise_illegal(h);
        ok = gh_lr(h, va, size, &raw);
        break;
    case 0x03: /* SC */
        if (!gh_sc(h, va, size, rs2(h, insn), &failed))
            return false;
        set_rd(h, rd_of(insn), failed);
        return true;
    case 0x00:
    case 0x01:
    case 0x04:
    case 0x08:
    case 0x0C:
    case 0x10:
    case 0x14:
    case 0x18:
    case 0x1C:
        ok = gh_amo(h, va, size, funct5, rs2(h, insn), &raw);
        break;
    default:
        return raise_illegal(h);
    }
    if (ok)
        set_rd(h, rd_of(insn), sext(raw, 8 * size));
    return ok;
}

bool gh_execute(struct gh *h, uint32_t insn) {
    uint64_t link = h->next_pc; /* the caller set it to the following instruction */
    uint64_t value = 0;
    bool ok = true;

    switch (insn & 0x7F) {
    case 0x03:
        return exec_load(h, insn);
    case 0x0F: /* fence, fence.i: memory is always up to date here */
        return funct3(insn) <= 1 || raise_illegal(h);
    case 0x13:
        value = gh_alu_imm(h, insn, rs1(h, insn), &ok);
        break;
    case 0x17:
        value = h->pc + imm_u(insn);
        break;
    case 0x1B:
        value = gh_alu_imm32(h, insn, rs1(h, insn), &ok);
        break;
    case 0x23:
        return exec_store(h, insn);
    case 0x2F:
        return exec_amo(h, insn);
    case 0x33:
        value = gh_alu_op(h, insn, rs1(h, insn), rs2(h, insn), &ok);
        break;
    case 0x37:
        value = imm_u(insn);
        break;
    case 0x3B:
        value = gh_alu_op32(h, insn, rs1(h, insn), rs2(h, insn), &ok);
        break;
    case 0x63:
        return exec_branch(h, insn);
    case 0x67:
        if (funct3(insn) != 0)
            return raise_illegal(h);
        jump(h, rs1(h, insn) + imm_i(insn));
        value = link;
        break;
    case 0x6F:
        jump(h, h->pc + imm_j(insn));
        value = link;
        break;
    case 0x73:
        return gh_execute_system(h, insn);
    default:
        return raise_illegal(h);
    }
    if (!ok)
        return raise_illegal(h);
    set_rd(h, rd_of(insn), value);
    return true;
}
