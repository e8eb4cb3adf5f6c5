/* SPDX-License-Identifier: Apache-2.0 */
/* Interrupts at any time: the work that they interrupt, and their sources */
#include "units.h"

#include "tally_events.h"

/* Work that takes many cycles, or blocks other work */
enum { SCENES = 15, SCENE_STORES = 4 };

static void scene(struct code *c, unsigned kind) {
    unsigned n = 2 + below(c, 5);

    switch (kind) {
    case 0:
        for (; n > 0; n--)
            put(c, r_type(OP_OP, 4 + below(c, 4), 1, 10 + below(c, 6), 10 + below(c, 6), 10 + below(c, 6)));
        break;
    case 1:
        for (; n > 0; n--)
            put(c, r_type(OP_OP, below(c, 4), 1, 10, 10, 10 + below(c, 6)));
        break;
    case 2: /* AMOs that wait for stores */
        for (; n > 0; n--) {
            put(c, s_type(OP_STORE, 3, S0, source(c), (int32_t)below(c, 8) * 8));
            if (chance(c, 70))
                unit_amo(c);
            else
                unit_lr_sc(c);
        }
        break;
    case 3: /* of the UART, which has nothing to say */
        load_immediate(c, DEVICE, 0x10000005);
        for (; n > 0; n--)
            put(c, i_type(OP_LOAD, 4, 10 + below(c, 6), DEVICE, 2 * (int32_t)below(c, 2)));
        break;
    case SCENE_STORES:
    case 12:
    case 13:
        cold_line(c); /* more stores than there is room for, on the bus and in the queue */
        for (unsigned loads = below(c, 3); loads > 0; loads--)
            cold_load(c, 16 + loads);
        for (n = 40; n > 0; n--)
            put(c, s_type(OP_STORE, 3, DATA, source(c), cold_offset(c, 8)));
        break;
    case 5:
    case 6:
        cold_line(c);
        for (; n > 0; n--)
            cold_load(c, 16 + below(c, 4));
        for (n = 8; n > 0; n--)
            put(c, r_type(OP_OP, 0, 0, 10 + below(c, 6), 10 + below(c, 6), 10 + below(c, 6)));
        break;
    case 7:
        for (; n > 0; n--)
            csr(c, 2, chance(c, 50) ? TALLY_CSR_SSCRATCH : TALLY_CSR_CYCLE, near_destination(c), 0);
        break;
    case 8:
        cold_line(c);
        put(c, s_type(OP_STORE, 3, DATA, source(c), 0));
        for (; n > 0; n--)
            put(c, i_type(OP_MISC_MEM, chance(c, 20), 0, 0, chance(c, 20) ? 0 : 0xff));
        break;
    case 9:
        for (n += 4; n > 0; n--) /* of pages far from each other */ {
            load_address(c, T2, DATA_BASE + below(c, DATA_SIZE / 8) * 8);
            put(c, i_type(OP_LOAD, 3, 10 + below(c, 6), T2, 0));
        }
        break;
    case 10:
        for (; n > 0; n--) {
            put(c, b_type(below(c, 2), 10 + below(c, 6), 10 + below(c, 6), 8));
            put(c, r_type(OP_OP, 4, 0, 10 + below(c, 6), 10 + below(c, 6), 10 + below(c, 6)));
        }
        break;
    case 11:
        for (n = 4; n > 0; n--) { /* to M-mode */
            load_immediate(c, T1, 3ull << 11 | 1ull << 7);
            csr(c, 2, TALLY_CSR_MSTATUS, 0, T1);
            load_label(c, T2, 4);
            csr(c, 1, TALLY_CSR_MEPC, 0, T2);
            put(c, 0x30200073);
        }
        break;
    default:
        put(c, 0x10500073); /* wfi */
        for (n = below(c, 3); n > 0; n--)
            put(c, OP_SYSTEM); /* ecall */
    }
}

/* An interrupt soon, at any instruction. Setting it up mostly needs M-mode. */
void unit_interrupt(struct code *c) {
    load_immediate(c, T1, 0x46aaa & rng_dense(c->rng));
    csr(c, 2, TALLY_CSR_MIE, 0, T1);
    if (chance(c, 60))
        csr(c, 6, chance(c, 70) ? TALLY_CSR_MSTATUS : TALLY_CSR_SSTATUS, 0, chance(c, 50) ? 10 : 8);
    if (chance(c, 40)) /* down to S- or U-mode, in which M-mode's interrupts are always on */
        unit_return(c);
    if (chance(c, 30))
        scene(c, SCENE_STORES);
    switch (below(c, 8)) {
    case 0: /* a store that takes its way to the ACLINT */
        load_immediate(c, DEVICE, 0x02000000);
        put(c, i_type(OP_IMM, 0, T1, 0, 1));
        put(c, s_type(OP_STORE, 2, DEVICE, T1, 0));
        break;
    case 1:
        load_immediate(c, DEVICE, 0x0200bff8);
        put(c, i_type(OP_LOAD, 3, T1, DEVICE, 0));
        put(c, i_type(OP_IMM, 0, T1, T1, 1 + (int32_t)below(c, 20)));
        load_immediate(c, DEVICE, 0x02004000);
        put(c, s_type(OP_STORE, 3, DEVICE, T1, 0));
        break;
    case 2: /* the UART's, by way of the PLIC: to M-mode or S-mode */
    {
        unsigned context = below(c, 2), stores = chance(c, 50) ? 40 : 0;

        if (stores)
            cold_line(c);
        load_immediate(c, DEVICE, 0x0c000000);
        put(c, i_type(OP_IMM, 0, T1, 0, 1));
        put(c, s_type(OP_STORE, 2, DEVICE, T1, 40));
        load_immediate(c, DEVICE, 0x0c002000 + 0x80 * context);
        put(c, i_type(OP_IMM, 0, T1, 0, 1 << 10));
        put(c, s_type(OP_STORE, 2, DEVICE, T1, 0));
        load_immediate(c, DEVICE, 0x0c200000 + 0x1000 * context);
        put(c, s_type(OP_STORE, 2, DEVICE, 0, 0));
        load_immediate(c, DEVICE, 0x10000000);
        put(c, i_type(OP_IMM, 0, T1, 0, 2));
        for (unsigned n = stores; n > 0; n--) /* the UART's turn comes when the queue is full */
            put(c, s_type(OP_STORE, 3, DATA, source(c), cold_offset(c, 8)));
        put(c, s_type(OP_STORE, 0, DEVICE, T1, 1));
        for (unsigned n = stores; n > 0; n--) /* ... and stays so */
            put(c, s_type(OP_STORE, 3, DATA, source(c), cold_offset(c, 8)));
        break;
    }
    case 3: /* set by software: at once, or when it is let through */
        load_immediate(c, T1, 1ull << (chance(c, 50) ? 14 : 18));
        csr(c, 2, chance(c, 70) ? TALLY_CSR_MIP : TALLY_CSR_SIP, 0, T1);
        break;
    default: { /* an overflow, of cycles or of anything */
        const struct tally_event *event = &tally_events[below(c, COUNT(tally_events))];

        load_immediate(c, T1,
                       chance(c, 40)   ? TALLY_EV_CYCLES_HART
                       : chance(c, 40) ? TALLY_EV_CYCLES_BUS
                                       : event->selector);
        csr(c, 1, TALLY_CSR_MHPMEVENT3, 0, T1);
        csr(c, 6 + below(c, 2), TALLY_CSR_MCOUNTERINEN, 0, 8); /* LCOFI, or the Andes interrupt */
        put(c, i_type(OP_IMM, 0, T1, 0, -1 - (int32_t)below(c, 120)));
        csr(c, 1, TALLY_CSR_MHPMCOUNTER3, 0, T1);
    }
    }
    for (unsigned n = 1 + below(c, 3); n > 0; n--)
        scene(c, below(c, SCENES));
}
