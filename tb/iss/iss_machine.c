// SPDX-License-Identifier: Apache-2.0
#include "iss_machine.h"

#include "iss_events.h"
#include "iss_samples.h"
#include "tally_spec.h"

#include <string.h>

#define BIT(n) (UINT64_C(1) << (n))

/* --- interrupt lines --- */

static uint64_t lines(const struct iss *iss) {
    uint64_t l = 0;

    if (iss->aclint.msip)
        l |= BIT(TALLY_INT_MSI);
    if (iss->aclint.mtime >= iss->aclint.mtimecmp)
        l |= BIT(TALLY_INT_MTI);
    if (iss_plic_line(&iss->plic, 0))
        l |= BIT(TALLY_INT_MEI);
    if (iss_plic_line(&iss->plic, 1))
        l |= BIT(TALLY_INT_SEI);
    return l;
}

static void update_lines(struct iss *iss, uint64_t set) {
    iss_plic_source(&iss->plic, SOC_UART_IRQ, iss_uart_irq(&iss->uart));
    gh_set_mip(iss->hart, lines(iss), set);
}

/* --- services for the hart --- */

static bool within(uint64_t addr, uint64_t base, uint64_t size) { return addr >= base && addr - base < size; }

static uint64_t rom_load(const struct iss *iss, uint64_t offset, unsigned size) {
    uint64_t word = offset / 8 < SOC_ROM_WORDS ? iss->cfg.rom[offset / 8] : 0;
    return word >> 8 * (offset % 8) & (size == 8 ? UINT64_MAX : BIT(8 * size) - 1);
}

static bool dev_load(void *ctx, uint64_t addr, unsigned size, uint64_t *value) {
    struct iss *iss = ctx;
    bool ok = true;

    *value = 0;
    if (within(addr, SOC_ROM_BASE, SOC_ROM_SIZE)) {
        *value = rom_load(iss, addr - SOC_ROM_BASE, size);
        return true;
    }
    if (within(addr, SOC_UART_BASE, SOC_UART_SIZE))
        *value = iss_uart_load(&iss->uart, addr - SOC_UART_BASE);
    else if (within(addr, SOC_ACLINT_BASE, SOC_ACLINT_SIZE))
        ok = iss_aclint_load(&iss->aclint, addr - SOC_ACLINT_BASE, size, value);
    else if (within(addr, SOC_PLIC_BASE, SOC_PLIC_SIZE))
        ok = iss_plic_load(&iss->plic, addr - SOC_PLIC_BASE, size, value);
    else if (within(addr, SOC_HOST_BASE, SOC_HOST_SIZE))
        *value = host_load(iss->cfg.host, addr - SOC_HOST_BASE, size);
    else
        ok = within(addr, SOC_FINISHER_BASE, SOC_FINISHER_SIZE);
    update_lines(iss, 0);
    return ok;
}

static bool dev_store(void *ctx, uint64_t addr, unsigned size, uint64_t value) {
    struct iss *iss = ctx;
    bool ok = true;

    if (within(addr, SOC_UART_BASE, SOC_UART_SIZE))
        iss_uart_store(&iss->uart, addr - SOC_UART_BASE, (uint8_t)value);
    else if (within(addr, SOC_ACLINT_BASE, SOC_ACLINT_SIZE))
        ok = iss_aclint_store(&iss->aclint, addr - SOC_ACLINT_BASE, size, value);
    else if (within(addr, SOC_PLIC_BASE, SOC_PLIC_SIZE))
        ok = iss_plic_store(&iss->plic, addr - SOC_PLIC_BASE, size, value);
    else if (within(addr, SOC_FINISHER_BASE, SOC_FINISHER_SIZE))
        ok = iss_finisher_store(&iss->finisher, addr - SOC_FINISHER_BASE, size, value);
    else if (within(addr, SOC_HOST_BASE, SOC_HOST_SIZE))
        host_store(iss->cfg.host, addr - SOC_HOST_BASE, size, value);
    else
        ok = false;
    update_lines(iss, 0);
    return ok;
}

static bool dev_exec(void *ctx, uint64_t addr) {
    (void)ctx;
    return within(addr, SOC_ROM_BASE, SOC_ROM_SIZE);
}

static uint64_t hart_csr(const struct iss *iss, unsigned low, unsigned high) {
    bool ok;
    uint64_t value = gh_csr_peek(iss->hart, low, &ok);

    if (iss->cfg.xlen == 32 && high)
        value |= gh_csr_peek(iss->hart, high, &ok) << 32;
    return value;
}

static struct gp_env pmu_env(const struct iss *iss) {
    uint64_t menvcfg = hart_csr(iss, TALLY_CSR_MENVCFG, TALLY_CSR_MENVCFGH);
    struct gp_env env = {0};

    env.cde = menvcfg & TALLY_MENVCFG_CDE_MASK;
    env.pdiss = menvcfg & TALLY_MENVCFG_PDISS_MASK;
    env.lcofip = hart_csr(iss, TALLY_CSR_MIP, 0) & BIT(TALLY_INT_LCOFI);
    env.mstateen0 = hart_csr(iss, TALLY_CSR_MSTATEEN0, TALLY_CSR_MSTATEEN0H);
    env.sstateen0 = (uint32_t)hart_csr(iss, TALLY_CSR_SSTATEEN0, 0);
    env.time = iss->aclint.mtime;
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
    struct iss *iss = ctx;
    struct gp_csr csr = {true, false, (uint8_t)op, (uint8_t)priv, (uint16_t)num, wdata};
    struct gp_env env = pmu_env(iss);

    enum gh_csr_answer answer = for_hart(gp_csr_answer(iss->pmu, &csr, &env, rdata));

    if (answer == GH_CSR_OK && op != 0) {
        iss->pmu_in.csr = csr;
        iss->pmu_in.env = env;
        iss->pmu_written = true;
    }
    return answer;
}

static bool ebb(void *ctx, unsigned priv, uint64_t *target) {
    struct iss *iss = ctx;
    const struct gp_mode mode = {.priv = (uint8_t)priv};

    iss->pmu_in.ebb_ack = gp_ebb_request(iss->pmu, &mode, &iss->pmu_in.env, target);
    return iss->pmu_in.ebb_ack;
}

static enum gh_csr_answer uebret(void *ctx, unsigned priv, bool ge, uint64_t *target) {
    struct iss *iss = ctx;
    const struct gp_mode mode = {.priv = (uint8_t)priv};
    enum gh_csr_answer answer = for_hart(gp_uebret_answer(iss->pmu, &mode, &iss->pmu_in.env, target));

    iss->pmu_in.ret_uebret = answer == GH_CSR_OK;
    iss->pmu_in.ret_uebret_ge = ge;
    return answer;
}

static uint64_t time_now(void *ctx) { return ((struct iss *)ctx)->aclint.mtime; }

/* --- a cycle --- */

static void tick(struct iss *iss) {
    iss->cycles++;
    if (++iss->divider < iss->cfg.time_ratio)
        return;
    iss->divider = 0;
    iss->aclint.mtime++;
    if (iss->aclint.mtime == iss->aclint.mtimecmp)
        update_lines(iss, 0);
}

/* Does this cycle need more than the counts of cycle and instruction? */
static bool pmu_is_armed(const struct iss *iss) {
    if (gp_peek(iss->pmu, TALLY_CSR_MCOUNTERINEN)) /* cycle and instret may interrupt then */
        return true;
    for (unsigned n = 3; n < 32; n++)
        if (gp_peek(iss->pmu, TALLY_CSR_MHPMEVENT3 + n - 3))
            return true;
    return iss_samples_armed(iss);
}

/* Overflow interrupts of this cycle are pending in the next. `step`: NULL while the hart waits. */
static void pmu_evaluate(struct iss *iss, const struct gh_retire *step, struct gp_out *out) {
    uint64_t set = 0;

    iss_samples_decode(iss, step);
    gp_eval(iss->pmu, &iss->pmu_in, out);
    if (out->irq_lcofi)
        set |= BIT(TALLY_INT_LCOFI);
    if (out->irq_lambi)
        set |= BIT(TALLY_INT_LAMBI);
    if (out->irq_andes)
        set |= BIT(TALLY_INT_ANDES);
    if (set)
        update_lines(iss, set);
    iss_samples_report(iss, step, out);
}

static void pmu_edge(struct iss *iss, const struct gh_retire *step) {
    const bool evaluated = iss->pmu_armed || iss->pmu_written;
    struct gp_out out;

    if (evaluated)
        pmu_evaluate(iss, step, &out);
    gp_clock(iss->pmu, &iss->pmu_in);
    if (evaluated)
        iss_samples_answer(iss, &out);
    if (iss->pmu_written) {
        iss->pmu_in.csr.valid = false;
        iss->pmu_written = false;
        iss->pmu_armed = pmu_is_armed(iss);
    }
    iss->pmu_in.ebb_ack = iss->pmu_in.ret_uebret = false;
}

static void pmu_step(struct iss *iss, const struct gh_retire *step) {
    struct gp_in *in = &iss->pmu_in;

    in->mode.priv = (uint8_t)step->priv;
    in->mode.halted = false;
    in->ev_retire[0] = iss_retires(step) ? BIT(TALLY_EVR_INST) : 0;
    in->ret_next_pc = iss_retires(step) ? step->next_pc : step->pc;
    if (iss->pmu_armed) {
        in->ev_retire[0] = iss_retire_events(iss->cfg.xlen, step);
        in->ev_cycle[0] = iss_cycle_events(iss->cfg.xlen, step);
        in->retire[0].valid = iss_retires(step);
        in->retire[0].mode = (uint8_t)step->priv;
        in->retire[0].pc = step->pc;
    }
    pmu_edge(iss, step);
}

static void pmu_wait(struct iss *iss) {
    struct gp_in *in = &iss->pmu_in;

    in->mode.priv = (uint8_t)gh_priv(iss->hart);
    in->mode.halted = true;
    in->ev_retire[0] = 0;
    in->ev_cycle[0] = 0;
    in->retire[0].valid = false;
    pmu_edge(iss, NULL);
}

bool iss_cycle(struct iss *iss, struct gh_retire *step) {
    if (iss->waiting && !gh_wakes(iss->hart)) {
        pmu_wait(iss);
        tick(iss);
        return false;
    }
    iss->waiting = false;
    if (iss->pmu_armed)
        iss->pmu_in.env.lcofip = hart_csr(iss, TALLY_CSR_MIP, 0) & BIT(TALLY_INT_LCOFI);
    gh_step(iss->hart, NULL, step);
    pmu_step(iss, step);
    if (step->csr_changed) /* a register of the hart that the PMU obeys, perhaps */
        iss->pmu_in.env = pmu_env(iss);
    iss->retired += iss_retires(step);
    iss->waiting = step->wfi;
    tick(iss);
    return true;
}

/* Ticks until `when`; 0 if it has passed or never comes. */
static uint64_t ticks_until(const struct iss *iss, uint64_t when) {
    return when > iss->aclint.mtime && when != UINT64_MAX ? when - iss->aclint.mtime : 0;
}

bool iss_skip(struct iss *iss, uint64_t limit) {
    uint64_t m = ticks_until(iss, iss->aclint.mtimecmp);
    uint64_t s = ticks_until(iss, hart_csr(iss, TALLY_CSR_STIMECMP, TALLY_CSR_STIMECMPH));
    uint64_t ticks = m && (!s || m < s) ? m : s;
    uint64_t cycles =
        ticks > 1 ? (ticks - 1) * iss->cfg.time_ratio : 0; /* the last tick is left to iss_cycle() */

    if (!iss->waiting || gh_wakes(iss->hart) || iss->pmu_armed)
        return true;
    if (limit && (cycles > limit - iss->cycles || !ticks))
        cycles = limit - iss->cycles;
    iss->aclint.mtime += (cycles + iss->divider) / iss->cfg.time_ratio;
    iss->divider = (unsigned)((cycles + iss->divider) % iss->cfg.time_ratio);
    iss->cycles += cycles;
    return ticks != 0;
}

void iss_receive(struct iss *iss, uint8_t byte) {
    iss_uart_receive(&iss->uart, byte);
    update_lines(iss, 0);
}

/* --- creation --- */

bool iss_open(struct iss *iss, const struct iss_config *config) {
    struct gh_host host = {iss, dev_load, dev_store, dev_exec, pmu_csr, time_now, ebb, uebret};
    struct gh_config hart = {0};
    struct gp_config pmu;

    memset(iss, 0, sizeof *iss);
    iss->cfg = *config;
    iss->aclint.mtimecmp = UINT64_MAX;
    iss->uart.transmit = config->transmit;
    iss->uart.ctx = config->ctx;
    hart.xlen = config->xlen;
    hart.reset_pc = SOC_ROM_BASE;
    hart.ram_base = SOC_RAM_BASE;
    hart.ram_size = config->ram_size;
    hart.ram = config->ram;
    hart.andes = true;
    hart.zba_zbb = true;
    hart.smepmp = config->smepmp;
    gp_config_default(&pmu);
    pmu.xlen = config->xlen;
    pmu.hpm_n = SOC_HPM_N;
    pmu.sspesa = pmu.smpdis = SOC_SAMPLING;
    pmu.ebb = true;
    iss->hart = gh_new(&hart, &host);
    iss->pmu = gp_new(&pmu);
    if (iss->hart && iss->pmu)
        return true;
    iss_close(iss);
    return false;
}

void iss_close(struct iss *iss) {
    gh_free(iss->hart);
    gp_free(iss->pmu);
}
