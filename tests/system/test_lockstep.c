// SPDX-License-Identifier: Apache-2.0
/*
 * Mutants of the lockstep: every difference must be reported. A second pair of golden models plays the RTL
 * and runs a program; with no change there must be no difference, and with one field of one retirement
 * changed there must be one, for every field.
 *
 * usage: test_lockstep everything.elf
 */
#include "lockstep.h"
#include "probe.h"
#include "tally_hart.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { STEPS = 3000 };

/* The machine that plays the RTL: one instruction a cycle. */
struct player {
    struct gh *hart;
    struct gp *pmu;
    struct gp_in in;
    struct gp_out out;
    struct sim_probe probe;
    uint8_t *ram;
    const struct machine *machine;
    uint64_t csr[4096]; /* before this cycle's step */
    bool csr_known[4096];
    unsigned spoilt_csr; /* shown wrong to the lockstep; 0: none */
};

static struct player *current;

static bool player_load(void *ctx, uint64_t address, unsigned size, uint64_t *value) {
    const struct player *p = ctx;
    *value = 0;
    if (address >= SOC_ROM_BASE && address < SOC_ROM_BASE + 8 * SOC_ROM_WORDS)
        memcpy(value, (const uint8_t *)p->machine->rom + (address - SOC_ROM_BASE), size);
    else if (address == SOC_UART_BASE + 5)
        *value = 0x60; /* ready to send */
    return address >= SOC_ROM_BASE && address < SOC_UART_BASE + SOC_UART_SIZE;
}

static bool player_store(void *ctx, uint64_t address, unsigned size, uint64_t value) {
    (void)ctx, (void)size, (void)value;
    return address >= SOC_FINISHER_BASE && address < SOC_UART_BASE + SOC_UART_SIZE;
}

static bool player_exec(void *ctx, uint64_t address) {
    (void)ctx;
    return address >= SOC_ROM_BASE && address < SOC_ROM_BASE + SOC_ROM_SIZE;
}

static enum gh_csr_answer player_pmu(void *ctx, unsigned num, unsigned op, uint64_t wdata, unsigned priv,
                                     uint64_t *rdata) {
    static const enum gh_csr_answer answers[] = {GH_CSR_OK, GH_CSR_ILLEGAL, GH_CSR_VIRTUAL, GH_CSR_NOT_MINE};
    struct player *p = ctx;
    p->in.csr =
        (struct gp_csr){.op = (uint8_t)op, .priv = (uint8_t)priv, .num = (uint16_t)num, .wdata = wdata};
    const enum gh_csr_answer answer = answers[gp_csr_answer(p->pmu, &p->in.csr, &p->in.env, rdata)];
    p->in.csr.valid = answer == GH_CSR_OK;
    return answer;
}

static bool player_csr(const struct sim *sim, unsigned hart, unsigned num, uint64_t *value) {
    (void)sim, (void)hart;
    *value = current->csr[num] ^ (num == current->spoilt_csr);
    return current->csr_known[num];
}

static uint64_t player_reg(const struct sim *sim, unsigned hart, unsigned i) {
    (void)sim, (void)hart;
    return gh_reg(current->hart, i);
}

static const struct sim_ops player_ops = {.harts = 1, .csr = player_csr, .reg = player_reg};

static struct player *player_new(const struct machine *machine) {
    struct player *p = calloc(1, sizeof *p);
    p->machine = machine;
    p->ram = machine_ram(machine->memory.size);
    memcpy(p->ram, machine->memory.bytes, machine->memory.size);
    const struct gh_host host = {.ctx = p,
                                 .dev_load = player_load,
                                 .dev_store = player_store,
                                 .dev_exec = player_exec,
                                 .pmu_csr = player_pmu};
    const struct gh_config config = {.xlen = 64,
                                     .reset_pc = SOC_ROM_BASE,
                                     .ram_base = SOC_RAM_BASE,
                                     .ram_size = machine->memory.size,
                                     .ram = p->ram,
                                     .lockstep = true,
                                     .smepmp = true};
    struct gp_config pmu;
    gp_config_default(&pmu);
    pmu.sspesa = pmu.smpdis = SOC_SAMPLING;
    p->hart = gh_new(&config, &host);
    p->pmu = gp_new(&pmu);
    return p;
}

static void player_free(struct player *p) {
    gh_free(p->hart);
    gp_free(p->pmu);
    machine_ram_free(p->ram, p->machine->memory.size);
    free(p);
}

static unsigned log2_of(unsigned bytes) { return bytes == 8 ? 3 : bytes >> 1; }

static void player_step(struct player *p) {
    static const struct gh_hint nothing;
    struct gh_retire g;
    struct sim_probe *e = &p->probe;
    for (const uint16_t *num = gh_csr_list; *num != 0xFFFF; num++)
        p->csr[*num] = gh_csr_peek(p->hart, *num, &p->csr_known[*num]);
    p->in.csr = (struct gp_csr){0};
    p->in.mode.priv = (uint8_t)gh_priv(p->hart);
    gh_step(p->hart, &nothing, &g);
    p->in.retire[0] = (struct gp_retire_lane){!g.trap, (uint8_t)g.priv, g.pc};
    p->in.ev_retire[0] = !g.trap; /* INST */
    gp_eval(p->pmu, &p->in, &p->out);
    *e = (struct sim_probe){.retire = !g.trap,
                            .trap = g.trap,
                            .rd_we = g.rd_we,
                            .csr_changed = g.csr_changed,
                            .priv = (uint8_t)g.priv,
                            .rd = (uint8_t)g.rd,
                            .mem_op = (uint8_t)g.mem, /* load, store, AMO have the numbers of enum sim_mem */
                            .mem_size = (uint8_t)log2_of(g.mem_size),
                            .insn = g.insn,
                            .pc = g.pc,
                            .next_pc = g.next_pc,
                            .rd_val = g.rd_value,
                            .mem_vaddr = g.mem_vaddr,
                            .mem_paddr = g.mem_paddr,
                            .mem_wdata = g.mem_wdata,
                            .cause = g.cause,
                            .epc = g.epc,
                            .tval = g.tval};
    if (g.mem == GH_MEM_AMO)
        memcpy(&e->mem_result, p->ram + (g.mem_paddr - SOC_RAM_BASE), g.mem_size);
}

/* --- What is spoilt --------------------------------------------------------------------------- */

enum where { ANY, REGISTER, LOAD, STORE, AMO, TRAP, COUNTER_READ, CSR_CHANGE };

static bool is_at(const struct player *p, enum where where) {
    const struct sim_probe *e = &p->probe;
    switch (where) {
    case ANY:
        return e->retire;
    case REGISTER:
        return e->rd_we;
    case LOAD:
        return e->mem_op == SIM_MEM_LOAD;
    case STORE:
        return e->mem_op == SIM_MEM_STORE;
    case AMO:
        return e->mem_op == SIM_MEM_AMO;
    case TRAP:
        return e->trap;
    case COUNTER_READ:
        return p->in.csr.valid && e->rd_we;
    case CSR_CHANGE:
        return e->csr_changed && e->retire;
    }
    return false;
}

#define SPOIL(name, where, change)                                                                           \
    static void spoil_##name(struct player *p) { change; }
#define SPOILERS(X)                                                                                          \
    X(pc, ANY, p->probe.pc += 2)                                                                             \
    X(next_pc, ANY, p->probe.next_pc += 2)                                                                   \
    X(insn, ANY, p->probe.insn ^= 1u << 7)                                                                   \
    X(priv, ANY, p->probe.priv ^= 1)                                                                         \
    X(no_register, REGISTER, p->probe.rd_we = false)                                                         \
    X(rd, REGISTER, p->probe.rd ^= 1)                                                                        \
    X(rd_val, REGISTER, p->probe.rd_val ^= 1ull << 63)                                                       \
    X(rd_val_low, REGISTER, p->probe.rd_val ^= 1)                                                            \
    X(load_none, LOAD, p->probe.mem_op = SIM_MEM_NONE)                                                       \
    X(load_size, LOAD, p->probe.mem_size ^= 1)                                                               \
    X(load_vaddr, LOAD, p->probe.mem_vaddr ^= 8)                                                             \
    X(load_paddr, LOAD, p->probe.mem_paddr ^= 8)                                                             \
    X(store_data, STORE, p->probe.mem_wdata ^= 1)                                                            \
    X(store_paddr, STORE, p->probe.mem_paddr ^= 8)                                                           \
    X(store_as_load, STORE, p->probe.mem_op = SIM_MEM_LOAD)                                                  \
    X(amo_as_store, AMO, p->probe.mem_op = SIM_MEM_STORE)                                                    \
    X(amo_result, AMO, p->probe.mem_result ^= 1)                                                             \
    X(no_trap, TRAP, (p->probe.trap = false, p->probe.retire = true))                                        \
    X(cause, TRAP, p->probe.cause ^= 1)                                                                      \
    X(epc, TRAP, p->probe.epc ^= 2)                                                                          \
    X(tval, TRAP, p->probe.tval ^= 1)                                                                        \
    X(trap_instead, ANY, (p->probe.trap = true, p->probe.retire = false))                                    \
    X(interrupt, ANY, (p->probe.trap = true, p->probe.retire = false, p->probe.cause = 1ull << 63 | 7))      \
    X(counter, COUNTER_READ, p->probe.rd_val ^= 1)                                                           \
    X(counter_access, COUNTER_READ, p->in.csr.valid = false)                                                 \
    X(pmu_rdata, COUNTER_READ, p->out.csr_rdata ^= 1)                                                        \
    X(pmu_hit, COUNTER_READ, p->out.csr_hit = false)                                                         \
    X(pmu_mode, ANY, p->in.mode.priv ^= 1)                                                                   \
    X(pmu_retire, ANY, p->in.retire[0].valid = false)                                                        \
    X(lcofi, ANY, p->out.irq_lcofi = true)                                                                   \
    X(andes, ANY, p->out.irq_andes = true)                                                                   \
    X(ret_max, ANY, p->out.ret_max ^= 1)                                                                     \
    X(dec_sample, ANY, p->out.dec_sample ^= 1)                                                               \
    X(mstatus, CSR_CHANGE, p->spoilt_csr = TALLY_CSR_MSTATUS)                                                \
    X(mepc, CSR_CHANGE, p->spoilt_csr = TALLY_CSR_MEPC)                                                      \
    X(satp, CSR_CHANGE, p->spoilt_csr = TALLY_CSR_SATP)                                                      \
    X(pmpcfg0, CSR_CHANGE, p->spoilt_csr = TALLY_CSR_PMPCFG0)                                                \
    X(mseccfg, CSR_CHANGE, p->spoilt_csr = TALLY_CSR_MSECCFG)                                                \
    X(stimecmp, CSR_CHANGE, p->spoilt_csr = TALLY_CSR_STIMECMP)
SPOILERS(SPOIL)

static const struct spoiler {
    const char *name;
    enum where where;
    void (*change)(struct player *p);
} spoilers[] = {
#define ENTRY(name, where, change) {#name, where, spoil_##name},
    SPOILERS(ENTRY)};
enum { SPOILERS_N = sizeof spoilers / sizeof *spoilers };

/* Run with one change at the `skip`-th place where it fits. Returns the step of the first difference, 0 for
 * none; *done: the change was made. */
static unsigned run(const struct machine *machine, const struct spoiler *spoiler, unsigned skip, bool *done) {
    struct error error;
    struct lockstep *l = lockstep_new(machine, 1, &error);
    struct player *p = current = player_new(machine);
    struct sim sim = {.ram = p->ram, .ram_size = machine->memory.size, .ops = &player_ops, .harts = 1};
    unsigned found = 0;
    lockstep_attach(l, &sim);
    *done = false;
    for (unsigned step = 1; step <= STEPS && !found; step++, sim.cycle++) {
        player_step(p);
        const struct gp_in clean = p->in;
        if (spoiler && !*done && is_at(p, spoiler->where) && skip-- == 0) {
            spoiler->change(p);
            *done = true;
        }
        if (!lockstep_cycle(l, 0, &p->probe, &p->in, &p->out))
            found = step;
        gp_clock(p->pmu, &clean);
        p->in = clean;
    }
    player_free(p);
    lockstep_free(l);
    return found;
}

int main(int argc, char **argv) {
    struct options options;
    struct error error;
    struct machine machine;
    int failures = 0;
    bool done;
    char *const words[] = {argv[0], "-m", "4M", "-bios", argc > 1 ? argv[1] : ""};

    if (!options_parse(&options, 5, words, &error) || !machine_load(&machine, &options, 10, &error)) {
        fprintf(stderr, "%s\n", error.text);
        return 2;
    }
    if (run(&machine, NULL, 0, &done) != 0) {
        puts("FAIL: a difference between two equal models");
        failures++;
    }
    fputs("the following differences on standard error are intended\n", stderr);
    for (unsigned i = 0; i < SPOILERS_N; i++) {
        for (unsigned skip = 0; skip < 20; skip += 19) {
            const unsigned found = run(&machine, &spoilers[i], skip, &done);
            if (!done && skip)
                continue; /* not so many places */
            if (!done || !found) {
                printf("FAIL: %s: %s\n", spoilers[i].name,
                       done ? "not seen" : "no place for it in this program");
                failures++;
            }
        }
    }
    machine_free(&machine);
    printf("%u kinds of differences: %s\n", SPOILERS_N, failures ? "FAIL" : "all seen");
    return failures != 0;
}
