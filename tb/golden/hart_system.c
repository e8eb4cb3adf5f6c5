// SPDX-License-Identifier: Apache-2.0
/*
 * Opcode SYSTEM: CSR instructions, calls, trap returns, WFI, SFENCE.VMA.
 */
#include "hart_internal.h"

enum { INSN_ECALL = 0x00000073, INSN_EBREAK = 0x00100073, INSN_SRET = 0x10200073, INSN_WFI = 0x10500073 };
enum { INSN_MRET = 0x30200073 };

static bool exec_csr(struct gh *h, uint32_t insn) {
    unsigned num = insn >> 20;
    unsigned rs1 = insn >> 15 & 31;
    unsigned op = insn >> 12 & 3; /* 1 write, 2 set, 3 clear */
    uint64_t operand = insn >> 14 & 1 ? rs1 : h->x[rs1] & h->xmask;
    uint64_t old;

    if (op != 1 && rs1 == 0)
        op = 0;
    if (!gh_csr_access(h, num, op, operand, &old))
        return raise_illegal(h);
    h->out->csr_changed = op != 0;
    set_rd(h, insn >> 7 & 31, old);
    return true;
}

static bool exec_sret(struct gh *h) {
    if (h->priv == TALLY_PRIV_U || (h->priv == TALLY_PRIV_S && h->mstatus & TALLY_MSTATUS_TSR_MASK))
        return raise_illegal(h);
    gh_sret(h);
    return true;
}

static bool exec_mret(struct gh *h) {
    if (h->priv != TALLY_PRIV_M)
        return raise_illegal(h);
    gh_mret(h);
    return true;
}

static bool exec_wfi(struct gh *h) {
    if (h->priv == TALLY_PRIV_U || (h->priv == TALLY_PRIV_S && h->mstatus & TALLY_MSTATUS_TW_MASK))
        return raise_illegal(h);
    h->out->wfi = true;
    return true;
}

static bool exec_sfence_vma(struct gh *h) {
    if (h->priv == TALLY_PRIV_U || (h->priv == TALLY_PRIV_S && h->mstatus & TALLY_MSTATUS_TVM_MASK))
        return raise_illegal(h);
    gh_tlb_flush(h);
    return true;
}

/* docs/rulings.md, uebret */
static bool exec_uebret(struct gh *h, bool ge) {
    uint64_t target;

    if (!h->host.uebret || h->host.uebret(h->host.ctx, h->priv, ge, &target) != GH_CSR_OK)
        return raise_illegal(h);
    h->out->uebret = true;
    h->out->uebret_ge = ge;
    h->linked = h->reserved = false;
    h->next_pc = target & h->xmask;
    return true;
}

bool gh_execute_system(struct gh *h, uint32_t insn) {
    unsigned funct3 = insn >> 12 & 7;

    if (funct3 == 4)
        return raise_illegal(h);
    if (funct3 != 0)
        return exec_csr(h, insn);
    switch (insn) {
    case INSN_ECALL:
        return raise_exc(h, TALLY_EXC_ECALL_U + h->priv, 0);
    case INSN_EBREAK:
        return raise_exc(h, TALLY_EXC_BREAKPOINT, h->pc);
    case INSN_SRET:
        return exec_sret(h);
    case INSN_MRET:
        return exec_mret(h);
    case INSN_WFI:
        return exec_wfi(h);
    case TALLY_INSN_UEBRET_0:
    case TALLY_INSN_UEBRET_1:
        return exec_uebret(h, insn == TALLY_INSN_UEBRET_1);
    default:
        if ((insn & 0xFE007FFF) == 0x12000073)
            return exec_sfence_vma(h);
        return raise_illegal(h);
    }
}
