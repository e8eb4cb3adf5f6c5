// SPDX-License-Identifier: Apache-2.0
#include "golden_state.h"

#include "tally_spec.h"

void golden_state(const struct gh *m, const struct gp *pmu, struct sim_golden *v) {
    bool known;
#define CSR_OF(name) gh_csr_peek(m, TALLY_CSR_##name, &known)
    v->pc = gh_pc(m);
    v->priv = (uint8_t)gh_priv(m);
    for (unsigned i = 0; i < 32; i++)
        v->x[i] = gh_reg(m, i);
    v->mstatus = CSR_OF(MSTATUS);
    v->mip = CSR_OF(MIP);
    v->mie = CSR_OF(MIE);
    v->mideleg = CSR_OF(MIDELEG);
    v->mepc = CSR_OF(MEPC);
    v->mcause = CSR_OF(MCAUSE);
    v->mtval = CSR_OF(MTVAL);
    v->sepc = CSR_OF(SEPC);
    v->scause = CSR_OF(SCAUSE);
    v->stval = CSR_OF(STVAL);
    v->satp = CSR_OF(SATP);
#undef CSR_OF
    v->mcountinhibit = gp_peek(pmu, TALLY_CSR_MCOUNTINHIBIT);
    v->mhpmcounter[0] = gp_peek(pmu, TALLY_CSR_MCYCLE);
    v->mhpmcounter[2] = gp_peek(pmu, TALLY_CSR_MINSTRET);
    for (unsigned i = 3; i < 32; i++) {
        v->mhpmcounter[i] = gp_peek(pmu, TALLY_CSR_MCYCLE + i);
        v->mhpmevent[i] = gp_peek(pmu, TALLY_CSR_MCOUNTINHIBIT + i);
    }
    v->shpmspc = gp_peek(pmu, TALLY_CSR_SHPMSPC);
    v->shpmsdata = gp_peek(pmu, TALLY_CSR_SHPMSDATA);
    v->mpdisctl = gp_peek(pmu, TALLY_CSR_MPDISCTL);
    v->ubescr = gp_peek(pmu, TALLY_CSR_UBESCR);
    v->uebbhr = gp_peek(pmu, TALLY_CSR_UEBBHR);
    v->uebbrr = gp_peek(pmu, TALLY_CSR_UEBBRR);
    v->sebbctl = gp_peek(pmu, TALLY_CSR_SEBBCTL);
    v->spdiscounter = gp_peek(pmu, TALLY_CSR_SPDISCOUNTER);
}
