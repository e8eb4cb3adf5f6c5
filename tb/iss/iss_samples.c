// SPDX-License-Identifier: Apache-2.0
#include "iss_samples.h"

#include "iss_events.h"

#include "insn.h"
#include "soc.h"
#include "tally_spec.h"

#include <string.h>

enum { MODE_SATP = 1, SFENCE = 0x12000073 };

bool iss_samples_armed(const struct iss_hart *hart) {
    return gp_peek(hart->pmu, TALLY_CSR_MPDISCTL) ||
           gp_peek(hart->pmu, TALLY_CSR_SPDISAMBCS) & TALLY_SPDISAMBCS_EN_MASK;
}

static bool is_interrupt(const struct iss_hart *hart, const struct gh_retire *step) {
    return step->trap && step->cause >> (hart->iss->cfg.xlen - 1);
}

static uint8_t type_of(const struct insn *insn) {
    if (insn_reads(insn))
        return insn_writes(insn) && insn->kind == INSN_AMO ? TALLY_TYPE_LOAD_STORE : TALLY_TYPE_LOAD;
    if (insn_writes(insn))
        return TALLY_TYPE_STORE;
    switch (insn->kind) {
    case INSN_BRANCH:
    case INSN_JAL:
    case INSN_JALR:
    case INSN_TRET:
        return TALLY_TYPE_TRANSFER;
    default:
        return TALLY_TYPE_OTHER;
    }
}

/* The unit's translations are the hart's. */
static bool forgets_translations(const struct gh_retire *step) {
    const uint32_t csr = step->insn >> 20;

    return (!step->trap && (step->insn & 0xFE007FFF) == SFENCE) ||
           (step->csr_changed && (step->insn & 0x7F) == 0x73 && step->insn >> 12 & 3 &&
            (csr == TALLY_CSR_SATP || (csr >= TALLY_CSR_PMPCFG0 && csr <= TALLY_CSR_PMPADDR0 + 63)));
}

void iss_samples_decode(struct iss_hart *hart, const struct gh_retire *step) {
    struct gp_in *in = &hart->pmu_in;

    in->env.time = hart->iss->aclint.mtime;
    in->env.tlb_inval = step && forgets_translations(step);
    in->rec_ready = true;
    memset(&in->decode[0], 0, sizeof in->decode[0]);
    memset(&in->track, 0, sizeof in->track);
    if (!step || step->ebb || !step->insn || is_interrupt(hart, step))
        return;
    const struct insn insn = insn_decode(step->insn);
    in->decode[0] = (struct gp_decode){
        .valid = true, .type = type_of(&insn), .mode = (uint8_t)step->priv, .pc = step->pc};
}

void iss_samples_report(struct iss_hart *hart, const struct gh_retire *step, const struct gp_out *out) {
    struct gp_track *t = &hart->pmu_in.track;

    if (!out->dec_sample || !step)
        return;
    const struct insn insn = insn_decode(step->insn);
    const bool taken = step->next_pc != step->pc + insn.length;
    const bool memory = insn_reads(&insn) || insn_writes(&insn);

    t->dispatched = t->oldest = true;
    t->issued = t->completed = !(step->trap && memory);
    t->trapped = step->trap;
    t->retired = !step->trap;
    t->ev = iss_retire_events(hart->iss->cfg.xlen, step);
    t->itype = (uint8_t)insn_transfer(&insn, taken);
    t->target = step->next_pc;
    if (!memory || step->trap)
        return;
    t->vaddr = step->mem_vaddr;
    t->paddr = step->mem_paddr;
    t->dsrc = !insn_reads(&insn) ? TALLY_DSRC_NONE : step->mem_device ? TALLY_DSRC_DEVICE : TALLY_DSRC_L1;
}

static void translate(struct iss_hart *hart, const struct gp_out *out) {
    struct gp_in *in = &hart->pmu_in;

    in->xlat_paddr = out->xlat_vaddr;
    in->xlat_fault =
        (out->xlat_mode == MODE_SATP && !gh_record_page(hart->core, out->xlat_vaddr, &in->xlat_paddr)) ||
        in->xlat_paddr - SOC_RAM_BASE >= hart->iss->cfg.ram_size;
}

void iss_samples_answer(struct iss_hart *hart, const struct gp_out *out) {
    struct gp_in *in = &hart->pmu_in;
    const uint64_t offset = out->rec_addr - SOC_RAM_BASE;

    /* A request that has just been answered is still there. */
    in->xlat_done = out->xlat_req && !in->xlat_done;
    if (in->xlat_done)
        translate(hart, out);
    in->rec_done = out->rec_valid;
    if (!out->rec_valid || offset >= hart->iss->cfg.ram_size)
        return;
    memcpy(hart->iss->cfg.ram + offset, &out->rec_data, sizeof out->rec_data);
    iss_written(hart, out->rec_addr);
}
