// SPDX-License-Identifier: Apache-2.0
/*
 * The Verilated machine behind a C interface: one `struct sim_ops` for each number of harts.
 *
 * Cycle c begins after the clock edge that ends cycle c-1; cycle 0 is the first without reset. Signals of a
 * cycle are those after they have settled, before the edge that ends it.
 */
#ifndef TALLY_SIM_H
#define TALLY_SIM_H

#include "crosses.h"
#include "error.h"
#include "host_device.h"
#include "oracle.h"
#include "soc.h"
#include "tally_pmu_model.h"
#include "track.h"
#include "warm.h"

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum sim_mem { SIM_MEM_NONE, SIM_MEM_LOAD, SIM_MEM_STORE, SIM_MEM_AMO, SIM_MEM_LR, SIM_MEM_SC };

/* The instruction that retires or traps in a hart in one cycle, or before which an event-based branch is
 * delivered (the probes of tally_hart) */
struct sim_probe {
    bool retire, trap, ebb;
    bool rd_we, sc_fail, csr_changed;
    uint8_t priv, rd;
    uint8_t mem_op;   /* enum sim_mem */
    uint8_t mem_size; /* log2 of bytes */
    uint32_t insn, mip;
    uint64_t pc, next_pc, rd_val;
    uint64_t mem_vaddr, mem_paddr, mem_wdata;
    uint64_t cause, epc, tval;
    uint64_t mem_result; /* an AMO that retires: RAM where it was performed, now */
};

/* Called in every cycle for every hart, `pmu_in` and `pmu_out` only with SIM_PMU: the RTL PMU's ports.
 * Returns false to stop the run after this cycle. */
struct sim_observer {
    void *ctx;
    bool (*cycle)(void *ctx, unsigned hart, const struct sim_probe *event, const struct gp_in *pmu_in,
                  const struct gp_out *pmu_out);
};

enum sim_flags {
    SIM_WAVE = 1, /* dump waves */
    SIM_WATCH =
        2, /* stop when an instruction at one of sim.watch_pc retires, before its cycle's waves are written */
    SIM_OBSERVE = 4,    /* call the observer: `event` is NULL in cycles without one */
    SIM_PMU = 8,        /* ... with the PMU's ports */
    SIM_PAST_EXIT = 16, /* go on although the finisher was written */
    SIM_CROSSES = 32,   /* with SIM_OBSERVE: fill sim.crosses */
};

enum { SIM_WATCHES = 2 };

enum sim_stop {
    SIM_LIMIT,    /* reached the requested cycle */
    SIM_EXIT,     /* the finisher was written */
    SIM_WATCHED,  /* SIM_WATCH; the cycle is not finished: run again to go on */
    SIM_PRINTED,  /* uart_tx or the host device's print() returned true; the cycle is finished */
    SIM_OBSERVER, /* the observer returned false */
    SIM_PAUSED,   /* the observer has set sim.pause (void with SIM_PAST_EXIT); the cycle is observed, but not
                     finished: run again to go on */
};

enum sim_exit { SIM_EXIT_PASS, SIM_EXIT_FAIL, SIM_EXIT_RESET };

/* State and outputs of the golden models, for waves (tally_golden_view.v) */
struct sim_golden {
    /* of this cycle */
    uint64_t ret_pc; /* pc of the instruction that retired or trapped last */
    uint32_t ret_insn;
    bool retire_differs, outputs_differ; /* lockstep has found a difference */
    struct gp_out out;
    /* after the current cycle */
    uint64_t pc, x[32];
    uint8_t priv;
    uint64_t mstatus, mip, mie, mideleg, mepc, mcause, mtval, sepc, scause, stval, satp;
    uint64_t mip_known; /* bits of mip that are the golden model's own */
    uint64_t mcountinhibit, mhpmcounter[32], mhpmevent[32];
    uint64_t shpmspc, shpmsdata, mpdisctl, spdiscounter;
    uint64_t ubescr, uebbhr, uebbrr, sebbctl;
};

/* State of the devices, and the harts' reservations */
struct sim_devices {
    uint64_t mtime, mtimecmp[SOC_HARTS_MAX];
    unsigned divider; /* cycles since the last tick */
    bool msip[SOC_HARTS_MAX];
    uint32_t pending, claimed, enable[2 * SOC_HARTS_MAX]; /* PLIC: a bit a source */
    uint8_t priority[SOC_PLIC_SOURCES + 1], threshold[2 * SOC_HARTS_MAX];
    uint8_t ier, fcr, lcr, mcr, scr, dll, dlm; /* UART; fcr: stored bits 0, 6 and 7 */
    bool thre;                                 /* transmitter-empty interrupt not yet acknowledged */
    uint8_t rx[16];
    unsigned rx_n; /* at most all of rx */
    unsigned tx_n; /* bytes that have not left; only read */
    bool reserved[SOC_HARTS_MAX];
    uint64_t reserved_line[SOC_HARTS_MAX]; /* physical address */
};

/* Signals of a wave file: all, those of parts of the machine, or else the default set (sim/default.yaml). A
 * part is named in full (TOP...), from the SoC or from hart 0 on. */
struct sim_wave_set {
    bool all;
    const char *const *scope;
    unsigned scopes;
};

struct sim_ops;

/* Visible state of a machine. The owner fills the members above the line before create(); RAM and the
 * receiver of the UART may change with a reset(). */
struct sim {
    uint8_t *ram;
    uint64_t ram_size;
    const uint64_t *rom; /* SOC_ROM_WORDS words */
    bool wave;           /* waves may be opened */
    struct sim_observer observer;
    bool (*uart_tx)(void *ctx, uint8_t byte); /* true: stop after this cycle */
    void *uart_ctx;
    struct host_device *host;
    uint64_t watch_pc[SIM_WATCHES];
    unsigned watch; /* bit i: watch watch_pc[i] */
    /* --- */
    const struct sim_ops *ops;
    unsigned harts;
    uint64_t cycle; /* the cycle that is next to run */
    uint64_t retired[SOC_HARTS_MAX];
    bool pause;                           /* stop before the clock edge of this cycle */
    bool tag[SOC_HARTS_MAX];              /* tag the instruction that decode shows in the next cycle */
    struct oracle_in flow[SOC_HARTS_MAX]; /* with SIM_PMU: PROBE_FLOW of the current cycle */
    struct track_in track[SOC_HARTS_MAX]; /* with SIM_PMU: PROBE_TRACK of the current cycle */
    struct crosses_in crosses[SOC_HARTS_MAX];
    enum sim_exit exit_kind;
    unsigned exit_code;
    unsigned watched;    /* at SIM_WATCHED, bit i: watch_pc[i] retires */
    uint8_t uart_rx[64]; /* bytes for the guest, oldest at uart_rx_head */
    unsigned uart_rx_head, uart_rx_n;
};

struct sim_ops {
    unsigned harts;
    unsigned mem_latency, time_ratio;
    bool smepmp, ebb, counter_ram; /* the harts have it */
    /* A machine with its boot ROM loaded, just out of reset. NULL if memory is short. The config is copied.
     */
    struct sim *(*create)(const struct sim *config);
    void (*destroy)(struct sim *sim);
    /* A board's reset button, held for some cycles. The boot ROM and the hart's arrays keep their contents.
     * Cycle 0 is next. */
    void (*reset)(struct sim *sim);
    /* Run until the cycle `until`, or until something stops it. `flags` of enum sim_flags. */
    enum sim_stop (*run)(struct sim *sim, uint64_t until, unsigned flags);
    /* A CSR of the hart (not of the PMU) in the current cycle; false: it has no probe. */
    bool (*csr)(const struct sim *sim, unsigned hart, unsigned num, uint64_t *value);
    /* x1 to x31 in the current cycle */
    uint64_t (*reg)(const struct sim *sim, unsigned hart, unsigned i);
    /* Which signals the next wave file has. False: there is no such scope. */
    bool (*wave_select)(struct sim *sim, const struct sim_wave_set *set, struct error *error);
    /* Start, or go on after wave_close() with another file; false: the model was not created for waves, or
     * `errno` says why. */
    bool (*wave_open)(struct sim *sim, const char *path);
    bool (*wave_close)(struct sim *sim); /* false: not everything could be written */
    /* A debugger's writes (debug.c). After SIM_PAUSED the harts may be held between two instructions, unless
     * one of them can't take back an action of its oldest instruction. Meanwhile nothing retires or
     * traps, and registers may be written: 1 to 31, 32 the pc, 33 the mode. It takes some cycles until they
     * are seen. */
    bool (*may_hold)(const struct sim *sim, unsigned hart);
    void (*hold)(struct sim *sim, bool hold);
    bool (*idle)(const struct sim *sim); /* held harts: stores have left, no fetch is under way */
    void (*set_reg)(struct sim *sim, unsigned hart, unsigned i, uint64_t value);
    /* ... and a CSR, as the hart in its mode would: first the number (0: none) and the value for three
     * cycles, then `write` for one. */
    void (*drive_csr)(struct sim *sim, unsigned hart, unsigned num, uint64_t value, bool write);
    /* ... and empty caches and translations, for one cycle. */
    void (*forget)(struct sim *sim, bool forget);
    /* State of devices is read, or put. Their logic takes some cycles to see it, and counters go on
     * meanwhile: put it in three cycles one after the other, with the time of each. Harts are held. */
    void (*devices)(struct sim *sim, struct sim_devices *devices, bool put);
    /* Predictor, caches (with RAM's contents) and TLBs of a held hart, which are empty. False: this machine's
     * have other sizes, and stay empty. */
    bool (*put_warm)(struct sim *sim, unsigned hart, const struct warm *warm);
    /* Called by the observer while waves are on, and after they have been opened */
    void (*show_golden)(struct sim *sim, unsigned hart, const struct sim_golden *golden);
};

/* NULL if there is no model with so many harts. */
const struct sim_ops *sim_ops(unsigned harts);

/* Inputs of the oracle of the event wires, in the cycle that the observer was called for */
static inline const struct oracle_in *
sim_oracle_in(struct sim *sim, unsigned hart, const struct sim_probe *event, const struct gp_in *pmu_in) {
    struct oracle_in *in = &sim->flow[hart];
    in->retire = event && event->retire;
    in->halted = pmu_in->mode.halted;
    in->ev_retire = pmu_in->ev_retire[0];
    in->ev_cycle = pmu_in->ev_cycle[0];
    if (event) {
        in->pc = event->pc;
        in->next_pc = event->next_pc;
        in->insn = event->insn;
        in->cause = event->cause;
        in->rd_value = event->rd_val;
        in->paddr = event->mem_paddr;
    }
    return in;
}

/* Inputs of the oracle of the tagged instruction, likewise */
static inline const struct track_in *sim_track_in(struct sim *sim, unsigned hart,
                                                  const struct sim_probe *event, const struct gp_in *pmu_in) {
    struct track_in *in = &sim->track[hart];
    in->shown = pmu_in->decode[0].valid;
    in->retire = event && event->retire;
    in->next_pc = event ? event->next_pc : 0;
    return in;
}

/* Returns the number of bytes accepted; the others do not fit now. */
static inline unsigned sim_uart_send(struct sim *sim, const uint8_t *bytes, unsigned n) {
    unsigned i = 0;
    for (; i < n && sim->uart_rx_n < sizeof sim->uart_rx; i++)
        sim->uart_rx[(sim->uart_rx_head + sim->uart_rx_n++) % sizeof sim->uart_rx] = bytes[i];
    return i;
}

#ifdef __cplusplus
}
#endif

#endif
