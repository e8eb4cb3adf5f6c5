// SPDX-License-Identifier: Apache-2.0
#include "iss_machine.h"

#include "iss_events.h"
#include "iss_samples.h"
#include "tally_spec.h"

#include <stdlib.h>
#include <string.h>

#define BIT(n) (UINT64_C(1) << (n))

/* --- interrupt lines --- */

static uint64_t lines(const struct iss *iss, unsigned hart) {
    uint64_t l = 0;

    if (iss->aclint.msip[hart])
        l |= BIT(TALLY_INT_MSI);
    if (iss->aclint.mtime >= iss->aclint.mtimecmp[hart])
        l |= BIT(TALLY_INT_MTI);
    if (iss_plic_line(&iss->plic, 2 * hart))
        l |= BIT(TALLY_INT_MEI);
    if (iss_plic_line(&iss->plic, 2 * hart + 1))
        l |= BIT(TALLY_INT_SEI);
    return l;
}

static void update_lines(struct iss *iss) {
    iss_plic_source(&iss->plic, SOC_UART_IRQ, iss_uart_irq(&iss->uart));
    for (unsigned i = 0; i < iss->cfg.harts; i++)
        gh_set_mip(iss->hart[i].core, lines(iss, i), 0);
}

/* --- services for the hart --- */

static uint64_t rom_load(const struct iss *iss, uint64_t offset, unsigned size) {
    uint64_t word = offset / 8 < SOC_ROM_WORDS ? iss->cfg.rom[offset / 8] : 0;
    return word >> 8 * (offset % 8) & (size == 8 ? UINT64_MAX : BIT(8 * size) - 1);
}

static bool dev_load(void *ctx, uint64_t addr, unsigned size, uint64_t *value) {
    struct iss *iss = ((struct iss_hart *)ctx)->iss;
    bool ok = true;

    *value = 0;
    if (soc_in(addr, SOC_ROM_BASE, SOC_ROM_SIZE)) {
        *value = rom_load(iss, addr - SOC_ROM_BASE, size);
        return true;
    }
    if (soc_in(addr, SOC_UART_BASE, SOC_UART_SIZE))
        *value = iss_uart_load(&iss->uart, addr - SOC_UART_BASE);
    else if (soc_in(addr, SOC_ACLINT_BASE, SOC_ACLINT_SIZE))
        ok = iss_aclint_load(&iss->aclint, addr - SOC_ACLINT_BASE, size, value);
    else if (soc_in(addr, SOC_PLIC_BASE, SOC_PLIC_SIZE))
        ok = iss_plic_load(&iss->plic, addr - SOC_PLIC_BASE, size, value);
    else if (soc_in(addr, SOC_HOST_BASE, SOC_HOST_SIZE))
        *value = host_load(iss->cfg.host, addr - SOC_HOST_BASE, size);
    else
        ok = soc_in(addr, SOC_FINISHER_BASE, SOC_FINISHER_SIZE);
    update_lines(iss);
    return ok;
}

static bool dev_store(void *ctx, uint64_t addr, unsigned size, uint64_t value) {
    struct iss *iss = ((struct iss_hart *)ctx)->iss;
    bool ok = true;

    if (soc_in(addr, SOC_UART_BASE, SOC_UART_SIZE))
        iss_uart_store(&iss->uart, addr - SOC_UART_BASE, (uint8_t)value);
    else if (soc_in(addr, SOC_ACLINT_BASE, SOC_ACLINT_SIZE))
        ok = iss_aclint_store(&iss->aclint, addr - SOC_ACLINT_BASE, size, value);
    else if (soc_in(addr, SOC_PLIC_BASE, SOC_PLIC_SIZE))
        ok = iss_plic_store(&iss->plic, addr - SOC_PLIC_BASE, size, value);
    else if (soc_in(addr, SOC_FINISHER_BASE, SOC_FINISHER_SIZE))
        ok = iss_finisher_store(&iss->finisher, addr - SOC_FINISHER_BASE, size, value);
    else if (soc_in(addr, SOC_HOST_BASE, SOC_HOST_SIZE))
        host_store(iss->cfg.host, addr - SOC_HOST_BASE, size, value);
    else
        ok = false;
    update_lines(iss);
    return ok;
}

static bool dev_exec(void *ctx, uint64_t addr) {
    (void)ctx;
    return soc_in(addr, SOC_ROM_BASE, SOC_ROM_SIZE);
}

static uint64_t hart_csr(const struct iss_hart *hart, unsigned low, unsigned high) {
    bool ok;
    uint64_t value = gh_csr_peek(hart->core, low, &ok);

    if (hart->iss->cfg.xlen == 32 && high)
        value |= gh_csr_peek(hart->core, high, &ok) << 32;
    return value;
}

static struct gp_env pmu_env(const struct iss_hart *hart) {
    uint64_t menvcfg = hart_csr(hart, TALLY_CSR_MENVCFG, TALLY_CSR_MENVCFGH);
    struct gp_env env = {0};

    env.cde = menvcfg & TALLY_MENVCFG_CDE_MASK;
    env.pdiss = menvcfg & TALLY_MENVCFG_PDISS_MASK;
    env.lcofip = hart_csr(hart, TALLY_CSR_MIP, 0) & BIT(TALLY_INT_LCOFI);
    env.mstateen0 = hart_csr(hart, TALLY_CSR_MSTATEEN0, TALLY_CSR_MSTATEEN0H);
    env.sstateen0 = (uint32_t)hart_csr(hart, TALLY_CSR_SSTATEEN0, 0);
    env.time = hart->iss->aclint.mtime;
    return env;
}

static enum gh_csr_answer for_hart(enum gp_answer answer) {
    switch (answer) {
    case GP_CSR_OK:
        return GH_CSR_OK;
    case GP_CSR_NOT_MINE:
        return GH_CSR_NOT_MINE;
    case GP_CSR_VIRTUAL:
        return GH_CSR_VIRTUAL;
    default:
        return GH_CSR_ILLEGAL;
    }
}

/* Answered from the state before this cycle; a write is performed by the clock edge that ends it. */
static enum gh_csr_answer pmu_csr(void *ctx, unsigned num, unsigned op, uint64_t wdata, unsigned priv,
                                  uint64_t *rdata) {
    struct iss_hart *hart = ctx;

    iss_settle(hart);
    struct gp_csr csr = {true, false, (uint8_t)op, (uint8_t)priv, (uint16_t)num, wdata};
    struct gp_env env = pmu_env(hart);

    enum gh_csr_answer answer = for_hart(gp_csr_answer(hart->pmu, &csr, &env, rdata));

    if (answer == GH_CSR_OK && op != 0) {
        hart->pmu_in.csr = csr;
        hart->pmu_in.env = env;
        hart->pmu_written = true;
    }
    return answer;
}

static bool ebb(void *ctx, unsigned priv, uint64_t *target) {
    struct iss_hart *hart = ctx;
    const struct gp_mode mode = {.priv = (uint8_t)priv};

    /* the edges that the unit is owed change no request */
    if (!gp_ebb_request(hart->pmu, &mode, &hart->pmu_in.env, target))
        return false;
    iss_settle(hart);
    hart->pmu_in.ebb_ack = true;
    return true;
}

static enum gh_csr_answer uebret(void *ctx, unsigned priv, bool ge, uint64_t *target) {
    struct iss_hart *hart = ctx;
    const struct gp_mode mode = {.priv = (uint8_t)priv};

    iss_settle(hart);
    enum gh_csr_answer answer = for_hart(gp_uebret_answer(hart->pmu, &mode, &hart->pmu_in.env, target));

    hart->pmu_in.ret_uebret = answer == GH_CSR_OK;
    hart->pmu_in.ret_uebret_ge = ge;
    return answer;
}

static void entry_marked(void *ctx, uint64_t addr) { iss_written(ctx, addr); }

static uint64_t time_now(void *ctx) { return ((struct iss_hart *)ctx)->iss->aclint.mtime; }

/* --- a cycle --- */

static void pass_time(struct iss *iss, unsigned cycles) {
    iss->divider += cycles;
    while (iss->divider >= iss->cfg.time_ratio) {
        iss->divider -= iss->cfg.time_ratio;
        iss->aclint.mtime++;
        for (unsigned i = 0; i < iss->cfg.harts; i++)
            if (iss->aclint.mtime == iss->aclint.mtimecmp[i])
                update_lines(iss);
    }
}

/* Does this cycle need more than the counts of cycle and instruction? */
static bool pmu_is_armed(const struct iss_hart *hart) {
    if (gp_peek(hart->pmu, TALLY_CSR_MCOUNTERINEN)) /* cycle and instret may interrupt then */
        return true;
    for (unsigned n = 3; n < 32; n++)
        if (gp_peek(hart->pmu, TALLY_CSR_MHPMEVENT3 + n - 3) & TALLY_MHPMEVENT_SEL_MASK)
            return true;
    return iss_samples_armed(hart);
}

static void see_lcofip(struct iss_hart *hart) {
    if (hart->pmu_armed)
        hart->pmu_in.env.lcofip = hart_csr(hart, TALLY_CSR_MIP, 0) & BIT(TALLY_INT_LCOFI);
}

/* Overflow interrupts of this cycle are pending in the next. `step`: NULL while the hart waits. */
static void pmu_evaluate(struct iss_hart *hart, const struct gh_retire *step, struct gp_out *out) {
    uint64_t set = 0;

    iss_samples_decode(hart, step);
    gp_eval(hart->pmu, &hart->pmu_in, out);
    if (out->irq_lcofi)
        set |= BIT(TALLY_INT_LCOFI);
    if (out->irq_lambi)
        set |= BIT(TALLY_INT_LAMBI);
    if (out->irq_andes)
        set |= BIT(TALLY_INT_ANDES);
    if (set)
        gh_set_mip(hart->core, lines(hart->iss, (unsigned)(hart - hart->iss->hart)), set);
    iss_samples_report(hart, step, out);
}

static void pmu_edge(struct iss_hart *hart, const struct gh_retire *step) {
    const bool evaluated = hart->pmu_armed || hart->pmu_written;
    struct gp_out out;

    if (evaluated)
        pmu_evaluate(hart, step, &out);
    gp_clock(hart->pmu, &hart->pmu_in);
    if (evaluated)
        iss_samples_answer(hart, &out);
    if (hart->pmu_written) {
        hart->pmu_in.csr = (struct gp_csr){0};
        hart->pmu_written = false;
        hart->pmu_armed = pmu_is_armed(hart);
    }
    hart->pmu_in.ebb_ack = hart->pmu_in.ret_uebret = false;
}

/* While only cycles and instructions count, and the step does nothing to the unit, its edge waits until the
 * inputs change, since many at once take less time. Of ret_next_pc the unit then needs the last one only:
 * without events it knows no control transfer, whose target that would be. */
static void pmu_step(struct iss_hart *hart, const struct gh_retire *step) {
    struct gp_in *in = &hart->pmu_in;
    const uint64_t retires = iss_retires(step) ? BIT(TALLY_EVR_INST) : 0;
    const bool acts = hart->pmu_armed || hart->pmu_written || in->ebb_ack || in->ret_uebret;

    if (acts || in->mode.priv != step->priv || in->mode.halted || in->ev_retire[0] != retires)
        iss_settle(hart);
    in->mode.priv = (uint8_t)step->priv;
    in->mode.halted = false;
    in->ev_retire[0] = retires;
    in->ret_next_pc = retires ? step->next_pc : step->pc;
    if (!acts) {
        hart->pmu_owed++;
        return;
    }
    if (hart->pmu_armed) {
        in->ev_retire[0] = iss_retire_events(hart->iss->cfg.xlen, step);
        in->ev_cycle[0] = iss_cycle_events(hart->iss->cfg.xlen, step);
        in->retire[0].valid = iss_retires(step);
        in->retire[0].mode = (uint8_t)step->priv;
        in->retire[0].pc = step->pc;
    }
    pmu_edge(hart, step);
}

/* Clock edges in which nothing retires. */
static void pmu_idle(struct iss_hart *hart, unsigned cycles, uint64_t events) {
    struct gp_in *in = &hart->pmu_in;

    in->ev_retire[0] = 0;
    in->ev_cycle[0] = events;
    in->retire[0].valid = false;
    while (cycles) {
        see_lcofip(hart);
        pmu_edge(hart, NULL);
        cycles--;
        cycles -= (unsigned)gp_clock_quiet(hart->pmu, in, cycles);
    }
}

/* It asks for nothing, and its next edge would change nothing. */
static bool pmu_is_still(struct iss_hart *hart) {
    struct gp_out out;

    see_lcofip(hart);
    gp_eval(hart->pmu, &hart->pmu_in, &out);
    return !out.irq_lcofi && !out.irq_lambi && !out.irq_andes && !out.xlat_req && !out.rec_valid &&
           gp_is_still(hart->pmu, &hart->pmu_in);
}

static void pmu_wait(struct iss_hart *hart) {
    iss_settle(hart);
    hart->pmu_in.mode.priv = (uint8_t)gh_priv(hart->core);
    hart->pmu_in.mode.halted = true;
    pmu_idle(hart, 1, 0);
    hart->pmu_still = pmu_is_still(hart);
}

/* Returns false while it waits. */
static bool hart_cycle(struct iss_hart *hart, struct gh_retire *step) {
    if (hart->waiting && !gh_wakes(hart->core)) {
        if (!hart->pmu_still)
            pmu_wait(hart);
        return false;
    }
    hart->pmu_still = false;
    see_lcofip(hart);
    gh_step(hart->core, NULL, step);
    pmu_step(hart, step);
    if (step->csr_changed) { /* a register of the hart that the PMU obeys, perhaps */
        iss_settle(hart);
        hart->pmu_in.env = pmu_env(hart);
    }
    if ((step->mem == GH_MEM_STORE || step->mem == GH_MEM_AMO) && !step->mem_device)
        iss_written(hart, step->mem_paddr);
    hart->iss->retired += iss_retires(step);
    hart->waiting = step->wfi;
    return true;
}

unsigned iss_cycle(struct iss *iss, struct gh_retire step[SOC_HARTS_MAX]) {
    unsigned moved = 0;

    for (unsigned i = 0; i < iss->cfg.harts; i++)
        moved |= (unsigned)hart_cycle(&iss->hart[i], &step[i]) << i;
    iss->cycles++;
    pass_time(iss, 1);
    return moved;
}

void iss_stall(struct iss *iss, unsigned moved, unsigned cycles) {
    for (unsigned i = 0; cycles && i < iss->cfg.harts; i++) {
        struct iss_hart *hart = &iss->hart[i];
        const bool moves = moved >> i & 1; /* else it waits, and its clock is halted */

        if (hart->pmu_armed)
            pmu_idle(hart, cycles, moves ? BIT(TALLY_EVC_CYCLE) : 0);
        else if (moves)
            hart->pmu_stalled += cycles;
    }
    pass_time(iss, cycles);
}

/* Ticks until the first timer of the hart; 0 if there is none that is still to come. */
static uint64_t ticks_until_timer(const struct iss *iss, unsigned i) {
    const uint64_t now = iss->aclint.mtime;
    const uint64_t when[2] = {iss->aclint.mtimecmp[i],
                              hart_csr(&iss->hart[i], TALLY_CSR_STIMECMP, TALLY_CSR_STIMECMPH)};
    uint64_t ticks = 0;

    for (unsigned k = 0; k < 2; k++)
        if (when[k] > now && when[k] != UINT64_MAX && (!ticks || when[k] - now < ticks))
            ticks = when[k] - now;
    return ticks;
}

bool iss_skip(struct iss *iss, uint64_t limit) {
    const unsigned ratio = iss->cfg.time_ratio;
    uint64_t ticks = 0, cycles;

    for (unsigned i = 0; i < iss->cfg.harts; i++) {
        const struct iss_hart *hart = &iss->hart[i];
        const uint64_t own = ticks_until_timer(iss, i);

        if (!hart->waiting || gh_wakes(hart->core) || !hart->pmu_still)
            return true;
        if (own && (!ticks || own < ticks))
            ticks = own;
    }
    cycles = ticks > 1 ? (ticks - 1) * ratio : 0; /* the last tick is left to iss_cycle() */
    if (limit && (cycles > limit - iss->cycles || !ticks))
        cycles = limit - iss->cycles;
    iss->aclint.mtime += (cycles + iss->divider) / ratio;
    iss->divider = (unsigned)((cycles + iss->divider) % ratio);
    iss->cycles += cycles;
    return ticks != 0;
}

void iss_receive(struct iss *iss, uint8_t byte) {
    iss_uart_receive(&iss->uart, byte);
    update_lines(iss);
}

void iss_follow(struct iss *iss) {
    update_lines(iss);
    for (unsigned i = 0; i < iss->cfg.harts; i++) {
        struct iss_hart *hart = &iss->hart[i];

        hart->pmu_in = (struct gp_in){.env = pmu_env(hart), .mode = {.priv = (uint8_t)gh_priv(hart->core)}};
        hart->pmu_armed = pmu_is_armed(hart);
        hart->pmu_still = false;
    }
}

/* --- creation --- */

static bool hart_open(struct iss *iss, unsigned id) {
    struct iss_hart *hart = &iss->hart[id];
    const struct gh_host host = {hart,     dev_load, dev_store, dev_exec,    pmu_csr,
                                 time_now, ebb,      uebret,    entry_marked};
    const struct gh_config core = {.xlen = iss->cfg.xlen,
                                   .hartid = id,
                                   .reset_pc = SOC_ROM_BASE,
                                   .ram_base = SOC_RAM_BASE,
                                   .ram_size = iss->cfg.ram_size,
                                   .ram = iss->cfg.ram,
                                   .andes = true,
                                   .zba_zbb = true,
                                   .smepmp = iss->cfg.smepmp};
    struct gp_config pmu;

    gp_config_default(&pmu);
    pmu.xlen = iss->cfg.xlen;
    pmu.hpm_n = SOC_HPM_N;
    pmu.sspesa = pmu.smpdis = SOC_SAMPLING;
    pmu.ebb = true;
    hart->iss = iss;
    hart->core = gh_new(&core, &host);
    hart->pmu = gp_new(&pmu);
    return hart->core && hart->pmu;
}

bool iss_open(struct iss *iss, const struct iss_config *config) {
    bool ok = true;

    memset(iss, 0, sizeof *iss);
    iss->cfg = *config;
    iss->aclint.harts = config->harts;
    iss->plic.contexts = 2 * config->harts;
    iss->uart.transmit = config->transmit;
    iss->uart.ctx = config->ctx;
    for (unsigned i = 0; i < SOC_HARTS_MAX; i++)
        iss->aclint.mtimecmp[i] = UINT64_MAX;
    for (unsigned i = 0; i < config->harts && ok; i++)
        ok = hart_open(iss, i);
    if (!ok)
        iss_close(iss);
    return ok;
}

void iss_close(struct iss *iss) {
    for (unsigned i = 0; i < SOC_HARTS_MAX; i++) {
        gh_free(iss->hart[i].core);
        gp_free(iss->hart[i].pmu);
        iss->hart[i].core = NULL;
        iss->hart[i].pmu = NULL;
    }
    free(iss->warm);
    iss->warm = NULL;
}

bool iss_keep_warm(struct iss *iss) {
    if (!iss->warm)
        iss->warm = calloc(iss->cfg.harts, sizeof *iss->warm);
    return iss->warm;
}
