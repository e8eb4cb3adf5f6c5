/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Event-based branches, a third time: rights, views and the state machine, written from docs/rulings.md,
 * "Event-based branches" (and Counter writes, Several events in a cycle, OF cleared in the cycle of a wrap,
 * Cycle attribution) by a reader of neither the golden model nor the RTL. Not cycle-exact by construction but
 * by the rules: writes act from the next cycle, and all decisions of a cycle use the state at its
 * beginning.
 *
 * Of the rest of the unit the model has the state of these rules only: value, OF, filters and inhibition of
 * the counters, mcounteren and mcounterinen. Which counters an event reaches is the caller's business.
 */
#ifndef EBB_MODEL_H
#define EBB_MODEL_H

#include "tally_spec.h"

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { EBB_COUNTERS = 32, EBB_LANES = 8, EBB_NOBODY = -1 };
enum ebb_priv { EBB_U = 0, EBB_S = 1, EBB_M = 3 };
enum ebb_verdict { EBB_ALLOWED, EBB_ILLEGAL, EBB_VIRTUAL };
/* A write by CSRRS or CSRRC may name no bit: with a register other than x0 it is a write all the same
 * (Zicsr). */
enum ebb_op { EBB_READ, EBB_WRITE, EBB_SET, EBB_CLEAR };

enum ebb_number {
    EBB_UBESCR = TALLY_CSR_UBESCR,
    EBB_UEBBHR = TALLY_CSR_UEBBHR,
    EBB_UEBBRR = TALLY_CSR_UEBBRR,
    EBB_UEBBOVF = TALLY_CSR_UEBBOVF,
    EBB_UEBBINH = TALLY_CSR_UEBBINH,
    EBB_UEBBSEL = TALLY_CSR_UEBBSEL,
    EBB_UEBBCNT = TALLY_CSR_UEBBCNT,
    EBB_UEBBCNTH = TALLY_CSR_UEBBCNTH,
    EBB_UEBBSPC = TALLY_CSR_UEBBSPC,
    EBB_SEBBCTL = TALLY_CSR_SEBBCTL,
    EBB_MEBBCTL = TALLY_CSR_MEBBCTL
};

struct ebb_config {
    unsigned xlen;     /* 32 or 64 */
    uint32_t counters; /* bit n: hpmcounter n is built; 2:0 are 0 */
    unsigned width;    /* bits of a counter */
    unsigned pc_zeros; /* bits of a pc that are 0: 1, without C 2 */
    bool sspesa, smstateen;
};

/* Of a counter, xINH as mhpmevent has them */
enum ebb_filter { EBB_MINH = 16, EBB_SINH = 8, EBB_UINH = 4, EBB_VSINH = 2, EBB_VUINH = 1 };

struct ebb_state {
    bool mebbctl_en;
    bool sebbctl_en, sebbctl_win;
    uint32_t sebbctl_route; /* as written, delegated or not */
    bool ge, fz, pme, pmeo;
    uint64_t uebbhr, uebbrr, uebbspc;
    uint32_t uebbinh;
    unsigned uebbsel;
    /* counters */
    uint64_t value[EBB_COUNTERS];
    uint32_t of, inhibit;
    uint8_t filter[EBB_COUNTERS];
    uint32_t mcounteren, mcounterinen;
};

/* State of the hart and its mode in this cycle */
struct ebb_env {
    bool cde, mstateen_c, sstateen_c; /* the latter two: unused without Smstateen */
    enum ebb_priv priv;
    bool v, debug, stopcount;
};

struct ebb_access {
    unsigned number;
    enum ebb_op op;
    uint64_t data;
    enum ebb_priv priv;
    bool v;
};

struct ebb_lane {
    bool valid;
    uint64_t pc;
    bool user;         /* retires in U-mode with V=0 */
    uint32_t counters; /* bit n: one step of counter n */
};

/* Effects of an access to another register on the model's counters */
struct ebb_other {
    uint32_t value_written;       /* bit n: counter n, or a half of it, is written ... */
    uint64_t value[EBB_COUNTERS]; /* ... and is this afterwards */
    uint32_t of_cleared;          /* named by CSRRC, or by an Andes write-1-to-clear */
    uint32_t of_set;              /* named by CSRRS */
    uint32_t of_written;          /* bit n: CSRRW of a register with OF n ... */
    uint32_t of_value;            /* ... writes this */
    uint32_t filter_written;
    uint8_t filter[EBB_COUNTERS];
    bool inhibit_written, mcounteren_written, mcounterinen_written;
    uint32_t inhibit, mcounteren, mcounterinen;
};

struct ebb_cycle {
    struct ebb_env env;
    struct ebb_lane lane[EBB_LANES]; /* the oldest first */
    unsigned steps[EBB_COUNTERS];    /* steps of counter n that no retiring instruction causes */
    uint64_t next_pc;                /* of the next instruction to retire */
    bool next_user;                  /* which is of U-mode with V=0 */
    const struct ebb_access *access; /* to a register of this file, or NULL */
    const struct ebb_other *other;   /* or to another one, or NULL */
    bool uebret, uebret_ge;          /* a legal uebret retires */
    bool ack;                        /* the host delivers a branch */
};

struct ebb_result {
    uint32_t wraps;     /* counters that wrap */
    uint32_t lcofi;     /* ... and request LCOFI, */
    uint32_t andes;     /* ... the Andes interrupt */
    uint32_t routed;    /* ... are routed, and OF becomes 1 from 0 */
    unsigned events;    /* of these, events made: 0 or 1 */
    unsigned missed;    /* ... that found PME 0 */
    int cause;          /* of the event: the lane that retires it, or EBB_NOBODY */
    bool cause_is_user; /* its pc is of U-mode with V=0 */
    bool delivered;
};

void ebb_reset(struct ebb_state *s);

/* The numbers of this file that exist in this configuration */
bool ebb_exists(const struct ebb_config *c, unsigned number);
/* The answer to an access, for any operation: no register is read-only */
enum ebb_verdict ebb_rights(const struct ebb_config *c, const struct ebb_state *s, const struct ebb_env *e,
                            const struct ebb_access *a);
/* The value that an allowed access reads */
uint64_t ebb_read(const struct ebb_config *c, const struct ebb_state *s, const struct ebb_env *e,
                  unsigned number);
/* The answer to uebret in the mode of the cycle */
enum ebb_verdict ebb_uebret(const struct ebb_config *c, const struct ebb_state *s, const struct ebb_env *e);
/* Does the unit request a branch before the next instruction? */
bool ebb_request(const struct ebb_config *c, const struct ebb_state *s, const struct ebb_env *e);
/* Counters that are routed */
uint32_t ebb_routed(const struct ebb_config *c, const struct ebb_state *s, const struct ebb_env *e);
/* Does counter n count in this cycle, if its event happens? */
bool ebb_counts(const struct ebb_config *c, const struct ebb_state *s, const struct ebb_env *e, unsigned n);
/* One cycle. A refused access changes nothing and must not be given as one. */
struct ebb_result ebb_step(const struct ebb_config *c, struct ebb_state *s, const struct ebb_cycle *in);

#ifdef __cplusplus
}
#endif
#endif
