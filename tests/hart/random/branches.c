/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Event-based branches: U-mode's handlers, which re-arm, let another one interrupt them, return, and meet the
 * next event at their uebret; gates and routes that come and go. A handler changes x20 to x23 only, whose
 * values that no code relies on.
 */
#include "units.h"

#include "tally_events.h"

enum { PERIOD = 20, BITS = 21, FREE = 22, RETURN = 23 };
enum { ROUTED = 0xF8 /* counters 3 to 7 */, INNER = 2 /* handlers that let no other interrupt them */ };
enum { GE = 1u << TALLY_UBESCR_GE_LSB, PMEO = 1 << TALLY_UBESCR_PMEO_LSB, PME = 1 << TALLY_UBESCR_PME_LSB };
enum { FZ = 1 << TALLY_UBESCR_FZ_LSB };

static void uebret(struct code *c, unsigned ge) { put(c, ge ? TALLY_INSN_UEBRET_1 : TALLY_INSN_UEBRET_0); }

/* Events that U-mode causes often, and loads that miss */
static uint64_t some_event(struct code *c) {
    static const uint64_t events[] = {TALLY_EV_INST_RET, TALLY_EV_INST_RET, TALLY_EV_CYCLES_HART,
                                      TALLY_EV_INST_LOAD_RET, TALLY_EV_INST_STORE_RET};

    return chance(c, 85) ? events[below(c, COUNT(events))]
                         : tally_events[below(c, COUNT(tally_events))].selector;
}

/* The next period follows from the last one, so that no two rounds are the same, and the handler is left
 * behind. */
static void rearm(struct code *c) {
    load_immediate(c, BITS, UINT32_MAX);
    csr(c, 3, TALLY_CSR_UEBBOVF, 0, BITS);
    load_immediate(c, BITS, PMEO);
    csr(c, 3, TALLY_CSR_UBESCR, 0, BITS);
    put(c, i_type(OP_IMM, 0, PERIOD, PERIOD, 37 + 2 * (int32_t)below(c, 50)));
    put(c, i_type(OP_IMM, 7, PERIOD, PERIOD, chance(c, 70) ? 0x7f : 0x1f));
    put(c, i_type(OP_IMM, 0, BITS, PERIOD, chance(c, 80) ? 12 : 1));
    put(c, r_type(OP_OP, 0, 0x20, BITS, 0, BITS));
    csr(c, 1, TALLY_CSR_UEBBCNT, 0, BITS);
    load_immediate(c, BITS, PME);
    csr(c, 2, TALLY_CSR_UBESCR, 0, BITS);
}

static void handler_address(struct code *c, uint64_t handler) {
    load_address(c, BITS, handler);
    csr(c, 1, TALLY_CSR_UEBBHR, 0, BITS);
}

static void some_load(struct code *c) { put(c, i_type(OP_LOAD, 3, FREE, DATA, (int32_t)below(c, 200) * 8)); }

/* The handler `self` is open to events, with another handler: an inner one, which leaves RETURN alone. GE is
 * cleared without a value in a register that could change before. */
static void nest(struct code *c, uint64_t self) {
    csr(c, 2, TALLY_CSR_UEBBRR, RETURN, 0);
    handler_address(c, c->handler[below(c, INNER)]);
    load_immediate(c, BITS, GE);
    csr(c, 2, TALLY_CSR_UBESCR, 0, BITS);
    for (unsigned n = below(c, 4); n > 0; n--)
        some_load(c);
    csr(c, 1, TALLY_CSR_UBESCR, BITS, 0);
    put(c, i_type(OP_IMM, 1, BITS, BITS, 33));
    put(c, i_type(OP_IMM, 5, BITS, BITS, 33));
    csr(c, 1, TALLY_CSR_UBESCR, 0, BITS);
    csr(c, 1, TALLY_CSR_UEBBRR, 0, RETURN);
    handler_address(c, self);
}

/* One handler; it may fault in a page, miss, or call the system. */
static void handler(struct code *c, uint64_t *at) {
    *at = code_address(c);
    if (chance(c, 40))
        csr(c, 2, chance(c, 50) ? TALLY_CSR_UEBBSPC : TALLY_CSR_UEBBRR, FREE, 0);
    if (chance(c, 25))
        some_load(c);
    if (chance(c, 8))
        put(c, OP_SYSTEM);                         /* ecall */
    if (at >= c->handler + INNER && chance(c, 90)) /* before rearm(): the next event is to meet the program */
        nest(c, *at);
    bool again = chance(c, 90); /* else the event stays: uebret 1 would lead here for ever */
    if (again)
        rearm(c);
    if (chance(c, 10)) {
        load_immediate(c, BITS, FZ);
        csr(c, 2 + below(c, 2), TALLY_CSR_UBESCR, 0, BITS);
    }
    uebret(c, again && chance(c, 90));
    put(c, i_type(OP_JALR, 0, 0, TP, 0)); /* in another mode */
}

void branch_handlers(struct code *c) {
    for (size_t i = 0; i < COUNT(c->handler); i++)
        handler(c, &c->handler[i]);
}

static void some_handler(struct code *c) { handler_address(c, c->handler[below(c, COUNT(c->handler))]); }

static void some_status(struct code *c) {
    uint64_t value = (chance(c, 85) ? GE : 0) | (chance(c, 85) ? PME : 0) | (chance(c, 15) ? FZ : 0) |
                     (chance(c, 25) ? PMEO : 0);

    load_immediate(c, BITS, value);
    csr(c, 1, TALLY_CSR_UBESCR, near_destination(c), BITS);
}

static void some_counter(struct code *c) {
    unsigned n = 3 + below(c, 5);

    load_immediate(c, BITS, n);
    csr(c, 1, TALLY_CSR_UEBBSEL, 0, BITS);
    put(c, i_type(OP_IMM, 0, BITS, 0, -1 - (int32_t)below(c, 60)));
    csr(c, 1, TALLY_CSR_UEBBCNT, near_destination(c), BITS);
}

/* In M- or S-mode: routes and permissions */
static void some_control(struct code *c) {
    load_immediate(c, BITS,
                   (chance(c, 95) ? TALLY_SEBBCTL_EN_MASK : 0) |
                       (chance(c, 92) ? TALLY_SEBBCTL_WIN_MASK : 0) | (ROUTED & rng_dense(c->rng)));
    csr(c, 1, TALLY_CSR_SEBBCTL, near_destination(c), BITS);
}

static void enables(struct code *c) {
    load_immediate(c, BITS, TALLY_MENVCFG_CDE_MASK);
    csr(c, 2, TALLY_CSR_MENVCFG, 0, BITS);
    load_immediate(c, BITS, TALLY_MSTATEEN0_C_MASK);
    csr(c, 2, TALLY_CSR_MSTATEEN0, 0, BITS);
    csr(c, 2, TALLY_CSR_SSTATEEN0, 0, BITS);
    load_immediate(c, BITS, ROUTED);
    csr(c, 2, TALLY_CSR_MCOUNTEREN, 0, BITS);
    csr(c, 5, TALLY_CSR_MEBBCTL, 0, 1);
}

static void some_closing(struct code *c) {
    static const uint16_t gates[] = {TALLY_CSR_SEBBCTL, TALLY_CSR_SEBBCTL, TALLY_CSR_MEBBCTL,
                                     TALLY_CSR_SSTATEEN0, TALLY_CSR_MSTATEEN0};
    unsigned gate = gates[below(c, COUNT(gates))], bit = gate == TALLY_CSR_SEBBCTL ? 1 + 3 * below(c, 2) : 1;

    csr(c, chance(c, 40) ? 7 : 6, gate, near_destination(c), bit);
}

/* Any access, by anybody */
static void some_access(struct code *c) {
    static const uint16_t numbers[] = {TALLY_CSR_UBESCR,  TALLY_CSR_UEBBRR,  TALLY_CSR_UEBBOVF,
                                       TALLY_CSR_UEBBINH, TALLY_CSR_UEBBSEL, TALLY_CSR_UEBBCNT,
                                       TALLY_CSR_UEBBSPC, TALLY_CSR_SEBBCTL};

    csr(c, chance(c, 60) ? 2 : 1 + below(c, 3), numbers[below(c, COUNT(numbers))], near_destination(c),
        chance(c, 60) ? 0 : 1 + below(c, 31));
}

/* uebret as a jump */
static void some_return(struct code *c) {
    load_immediate(c, BITS, GE); /* no branch may come in between */
    csr(c, 3, TALLY_CSR_UBESCR, 0, BITS);
    load_label(c, BITS, 4);
    csr(c, 1, TALLY_CSR_UEBBRR, 0, BITS);
    uebret(c, below(c, 2));
}

static void some_routed_event(struct code *c) {
    unsigned n = below(c, 5);

    load_immediate(c, BITS, some_event(c));
    csr(c, 1, TALLY_CSR_MHPMEVENT3 + n, 0, BITS);
    put(c, i_type(OP_IMM, 0, BITS, 0, -1 - (int32_t)below(c, 60)));
    csr(c, 1, TALLY_CSR_MHPMCOUNTER3 + n, 0, BITS);
}

/* Everything, from M-mode, and on to U-mode */
void branches_begin(struct code *c) {
    if (!c->branches)
        return;
    enables(c);
    for (unsigned n = 0; n < 4; n++)
        some_routed_event(c);
    some_control(c);
    some_handler(c);
    some_counter(c);
    some_status(c);
    load_immediate(c, BITS, 3ull << 11);
    csr(c, 3, TALLY_CSR_MSTATUS, 0, BITS);
    load_label(c, BITS, 4);
    csr(c, 1, TALLY_CSR_MEPC, 0, BITS);
    put(c, 0x30200073);
}

void unit_event_branch(struct code *c) {
    static void (*const parts[])(struct code *) = {
        some_handler, some_status, some_status, some_counter,      some_counter, some_counter,  some_control,
        some_closing, some_access, some_return, some_routed_event, enables,      branches_begin};

    if (c->branches)
        parts[below(c, COUNT(parts))](c);
}
