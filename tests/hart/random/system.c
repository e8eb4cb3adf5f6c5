/* SPDX-License-Identifier: Apache-2.0 */
/* CSRs, counters, address translation, fences, traps and returns */
#include "units.h"

#include "tally_events.h"

void csr(struct code *c, unsigned funct3, unsigned number, unsigned rd, unsigned rs1) {
    put(c, i_type(OP_SYSTEM, funct3, rd, rs1, (int32_t)number));
}

static const uint16_t counters[] = {TALLY_CSR_MCYCLE,           TALLY_CSR_MINSTRET,
                                    TALLY_CSR_MHPMCOUNTER3,     TALLY_CSR_MHPMCOUNTER3 + 1,
                                    TALLY_CSR_MHPMCOUNTER3 + 2, TALLY_CSR_MHPMCOUNTER3 + 15,
                                    TALLY_CSR_MHPMCOUNTER3 + 28};

static const uint16_t readable[] = {TALLY_CSR_CYCLE,
                                    TALLY_CSR_TIME,
                                    TALLY_CSR_INSTRET,
                                    TALLY_CSR_HPMCOUNTER3,
                                    TALLY_CSR_HPMCOUNTER3 + 1,
                                    TALLY_CSR_HPMCOUNTER3 + 28,
                                    TALLY_CSR_MCYCLE,
                                    TALLY_CSR_MINSTRET,
                                    TALLY_CSR_MHPMCOUNTER3,
                                    TALLY_CSR_MHPMCOUNTER3 + 2,
                                    TALLY_CSR_SCOUNTOVF,
                                    TALLY_CSR_MSTATUS,
                                    TALLY_CSR_SSTATUS,
                                    TALLY_CSR_MIP,
                                    TALLY_CSR_SIP,
                                    TALLY_CSR_MIE,
                                    TALLY_CSR_SIE,
                                    TALLY_CSR_MEPC,
                                    TALLY_CSR_MCAUSE,
                                    TALLY_CSR_MTVAL,
                                    TALLY_CSR_SEPC,
                                    TALLY_CSR_SCAUSE,
                                    TALLY_CSR_STVAL,
                                    TALLY_CSR_SATP,
                                    TALLY_CSR_MISA,
                                    TALLY_CSR_MHARTID,
                                    TALLY_CSR_PMPCFG0,
                                    TALLY_CSR_MSECCFG,
                                    TALLY_CSR_MEDELEG,
                                    TALLY_CSR_MIDELEG,
                                    TALLY_CSR_STIMECMP,
                                    TALLY_CSR_SHPMSPC,
                                    TALLY_CSR_SHPMSDATA,
                                    TALLY_CSR_MPDISCTL,
                                    TALLY_CSR_SPDISCTL,
                                    TALLY_CSR_SPDISCOUNTER,
                                    TALLY_CSR_SPDISEVMASK,
                                    TALLY_CSR_SPDISEVMATCH,
                                    TALLY_CSR_SPDISFILTER,
                                    TALLY_CSR_SPDISAMBCS,
                                    TALLY_CSR_SPDISAMBADDR};

void unit_csr_read(struct code *c) {
    unsigned number = chance(c, 80) ? readable[below(c, COUNT(readable))] : below(c, 4096);

    if (chance(c, 50))
        csr(c, 2, number, near_destination(c), 0); /* csrr */
    else
        csr(c, 6 + below(c, 2), number, near_destination(c), 0); /* csrrsi, csrrci 0 */
}

/* Those that may hold anything */
void unit_csr_write(struct code *c) {
    static const uint16_t any[] = {
        TALLY_CSR_SSTATUS,  TALLY_CSR_MCOUNTEREN,   TALLY_CSR_SCOUNTEREN,    TALLY_CSR_MCOUNTINHIBIT,
        TALLY_CSR_SSCRATCH, TALLY_CSR_SEPC,         TALLY_CSR_SCAUSE,        TALLY_CSR_STVAL,
        TALLY_CSR_MEPC,     TALLY_CSR_MCAUSE,       TALLY_CSR_MTVAL,         TALLY_CSR_MIP,
        TALLY_CSR_SIP,      TALLY_CSR_SIE,          TALLY_CSR_STIMECMP,      TALLY_CSR_SENVCFG,
        TALLY_CSR_MISA,     TALLY_CSR_MHARTID,      TALLY_CSR_CYCLE,         TALLY_CSR_MCYCLE,
        TALLY_CSR_MINSTRET, TALLY_CSR_MHPMCOUNTER3, TALLY_CSR_MCYCLECFG,     TALLY_CSR_MINSTRETCFG,
        TALLY_CSR_SISELECT, TALLY_CSR_SIREG,        TALLY_CSR_SCOUNTINHIBIT, TALLY_CSR_SHPMSPC,
        TALLY_CSR_SHPMSDATA};
    unsigned number = any[below(c, COUNT(any))], funct3 = 1 + below(c, 3);

    if (chance(c, 50))
        csr(c, funct3, number, near_destination(c), source(c));
    else
        csr(c, funct3 | 4, number, near_destination(c), below(c, 32));
}

/* Event, mode bits and OF of a counter; or a counter itself, often close to its overflow */
void unit_counter(struct code *c) {
    unsigned n = below(c, 5);

    if (chance(c, 50)) {
        const struct tally_event *event = &tally_events[below(c, COUNT(tally_events))];

        load_immediate(c, T1, event->selector);
        load_immediate(c, T2, below(c, 64));
        put(c, i_type(OP_IMM, 1, T2, T2, 58));
        put(c, r_type(OP_OP, 6, 0, T1, T1, T2));
        csr(c, 1, TALLY_CSR_MHPMEVENT3 + n, near_destination(c), T1);
    } else {
        put(c, i_type(OP_IMM, 0, T1, 0, -1 - (int32_t)below(c, 60)));
        csr(c, 1, counters[below(c, COUNT(counters))], near_destination(c), T1);
    }
}

/* Bit 62, PBMTE, is read-only 0 here. */
#define MENVCFG_BITS (TALLY_MENVCFG_STCE_MASK | 1ull << 62 | TALLY_MENVCFG_ADUE_MASK | TALLY_MENVCFG_CDE_MASK)
#define MSTATEEN0_BITS (TALLY_MSTATEEN0_SE0_MASK | TALLY_MSTATEEN0_CSRIND_MASK | TALLY_MSTATEEN0_PDIS_MASK)

/* Registers in which some bits must stay as they are: set or clear bits of a mask. */
void unit_csr_bits(struct code *c) {
    static const struct {
        uint16_t number;
        uint64_t set, clear;
    } fields[] = {
        {TALLY_CSR_MSTATUS, 0x7e19aa, 0x7e19aa},
        {TALLY_CSR_MSTATUS, 0x0c19aa, 0x7e19aa},
        {TALLY_CSR_MIE, 0x46aaa, 0x46a2a},   /* MTIE stays, so that WFI ends */
        {TALLY_CSR_MEDELEG, 0xb1ff, 0xb1ff}, /* the supervisor's ecall is the way to M-mode */
        {TALLY_CSR_MIDELEG, 0x46222, 0x46222},
        {TALLY_CSR_MENVCFG, MENVCFG_BITS, MENVCFG_BITS},
        {TALLY_CSR_MENVCFG, TALLY_MENVCFG_PDISS_MASK, TALLY_MENVCFG_PDISS_MASK},
        {TALLY_CSR_MSTATEEN0, MSTATEEN0_BITS, MSTATEEN0_BITS},
    };
    size_t which = below(c, COUNT(fields));
    bool set = chance(c, 55);
    uint64_t mask = set ? fields[which].set : fields[which].clear;

    load_immediate(c, T1, mask & rng_dense(c->rng));
    csr(c, set ? 2 : 3, fields[which].number, near_destination(c), T1);
}

/* One value opens both: CDE and STCE of menvcfg, CSRIND and SE0 of mstateen0. */
#define DELEGATION_BITS                                                                                      \
    (TALLY_MENVCFG_STCE_MASK | TALLY_MENVCFG_CDE_MASK | TALLY_MSTATEEN0_SE0_MASK |                           \
     TALLY_MSTATEEN0_CSRIND_MASK)
_Static_assert(DELEGATION_BITS == (TALLY_MENVCFG_STCE_MASK | TALLY_MENVCFG_CDE_MASK), "the same bits");

/* Counters that are delegated: the window of siselect, open or not */
void unit_delegated_counter(struct code *c) {
    static const uint16_t window[] = {TALLY_CSR_SIREG, TALLY_CSR_SIREG2, TALLY_CSR_SIREG3, TALLY_CSR_SIREG5};
    static const uint16_t others[] = {TALLY_CSR_SCOUNTINHIBIT, TALLY_CSR_SCOUNTOVF, TALLY_CSR_STIMECMP,
                                      TALLY_CSR_SCOUNTEREN};

    if (chance(c, 25)) { /* open or shut it, in M-mode */
        bool set = chance(c, 75);

        load_immediate(c, T1, DELEGATION_BITS);
        csr(c, set ? 2 : 3, TALLY_CSR_MENVCFG, 0, T1);
        csr(c, set ? 2 : 3, TALLY_CSR_MSTATEEN0, 0, T1);
        put(c, i_type(OP_IMM, 0, T1, 0, -1));
        csr(c, 1, TALLY_CSR_MCOUNTEREN, 0, T1);
    }
    if (chance(c, 70)) {
        load_immediate(c, T1, TALLY_COUNTER_SELECT + below(c, 33));
        csr(c, 1, TALLY_CSR_SISELECT, near_destination(c), T1);
    }
    for (unsigned n = 1 + below(c, 3); n > 0; n--) {
        unsigned number = chance(c, 70) ? window[below(c, COUNT(window))] : others[below(c, COUNT(others))];

        if (chance(c, 50))
            csr(c, 2, number, near_destination(c), 0);
        else
            csr(c, 1 + below(c, 3), number, near_destination(c), source(c));
    }
}

void unit_vectors(struct code *c) {
    bool machine = chance(c, 50);

    load_address(c, T1, RUNTIME_BASE + (machine ? RUNTIME_M_VECTORS : RUNTIME_S_VECTORS) + below(c, 2));
    csr(c, 1, machine ? TALLY_CSR_MTVEC : TALLY_CSR_STVEC, near_destination(c), T1);
}

void unit_satp(struct code *c) {
    static const uint8_t modes[] = {8, 8, 8, 8, 0, 0, 9, 1};

    load_immediate(c, T1,
                   (uint64_t)modes[below(c, COUNT(modes))] << 60 | (uint64_t)below(c, 4) << 44 |
                       TABLES_BASE >> 12);
    csr(c, 1, TALLY_CSR_SATP, near_destination(c), T1);
    if (chance(c, 70))
        put(c, r_type(OP_SYSTEM, 0, 9, 0, chance(c, 50) ? 0 : source(c), chance(c, 50) ? 0 : source(c)));
}

void unit_fence(struct code *c) {
    switch (below(c, 4)) {
    case 0:
        put(c, i_type(OP_MISC_MEM, 1, 0, 0, 0)); /* fence.i */
        break;
    case 1:
        put(c, r_type(OP_SYSTEM, 0, 9, 0, chance(c, 50) ? 0 : source(c), chance(c, 50) ? 0 : source(c)));
        break;
    default:
        put(c, i_type(OP_MISC_MEM, 0, 0, 0,
                      chance(c, 10) ? -0x7cd : (int32_t)below(c, 256))); /* fence, fence.tso */
    }
}

void unit_ecall(struct code *c) { put(c, OP_SYSTEM); }

void unit_trap(struct code *c) {
    static const uint32_t illegal[] = {0xffffffff,
                                       0x0000007f,
                                       0x00007003 /* LOAD 7 */,
                                       0x00004023 /* STORE 4 */,
                                       0x00002063 /* BRANCH 2 */,
                                       0x00001067 /* JALR 1 */,
                                       0x00004073 /* SYSTEM 4 */,
                                       0x0000200b /* custom-0 */,
                                       0x00002007 /* flw */,
                                       0x00003027 /* fsd */,
                                       0x00000053 /* fadd.s */,
                                       0x00000043 /* fmadd.s */,
                                       0x0000302f | 5u << 27 /* AMO 5 */,
                                       0x0000102f /* AMO, 2 bytes */,
                                       0xfe000033 /* OP, funct7 */,
                                       0x7e00003b,
                                       0x00200073 /* uret */,
                                       0x00300073,
                                       0x10101073 /* csrw of nothing */,
                                       0x00007013 | 0x3b /* OP-32 */,
                                       0x8000101b /* slliw, bit 31 */};
    static const uint16_t short_illegal[] = {0x0000,
                                             0x0004 /* c.addi4spn 0, rd x9 */,
                                             0x2000 /* c.fld */,
                                             0xa000,
                                             0x2002,
                                             0xa002,
                                             0x8000,
                                             0x6001 /* c.lui 0 */,
                                             0x2001 /* c.addiw x0 */,
                                             0x4002 /* c.lwsp x0 */,
                                             0x6002,
                                             0x8002 /* c.jr x0 */,
                                             0x9c41,
                                             0x9c61};

    switch (below(c, 4)) {
    case 0:
        put16(c, short_illegal[below(c, COUNT(short_illegal))]);
        break;
    case 1:
        if (chance(c, 50))
            put(c, 0x00100073); /* ebreak */
        else
            put16(c, 0x9002);
        break;
    default:
        put(c, illegal[below(c, COUNT(illegal))]);
    }
}

void unit_wfi(struct code *c) { put(c, 0x10500073); }

/* A return to the next instruction, in the status' mode */
void unit_return(struct code *c) {
    bool machine = chance(c, 50);

    if (chance(c, 70)) {
        load_immediate(c, T1,
                       machine ? (uint64_t)below(c, 4) << 11 | below(c, 2) << 7
                               : below(c, 2) << 8 | below(c, 2) << 5);
        csr(c, 2 + below(c, 2), machine ? TALLY_CSR_MSTATUS : TALLY_CSR_SSTATUS, 0, T1);
    }
    load_label(c, T2, 4);
    csr(c, 1, machine ? TALLY_CSR_MEPC : TALLY_CSR_SEPC, 0, T2);
    put(c, machine ? 0x30200073 : 0x10200073);
}

/* A slot of 32 bits that is written (to one fixed instruction, or two short ones) before it is executed */
void unit_self_modifying(struct code *c) {
    size_t at = c->used, slot;
    uint32_t fresh =
        chance(c, 50) ? random_alu(c) : random_compressed(c) | (uint32_t)random_compressed(c) << 16;

    put(c, 0);
    put(c, 0);
    load_immediate(c, T1, (uint64_t)(int64_t)(int32_t)fresh);
    put(c, s_type(OP_STORE, 2, T2, T1, 0));
    put(c, i_type(OP_MISC_MEM, 1, 0, 0, 0)); /* fence.i */
    if (chance(c, 50))
        unit_alu(c);
    if (c->used % 2)
        put16(c, 1); /* c.nop */
    slot = c->used;
    put(c, random_alu(c));
    patch32(c, at, u_type(OP_AUIPC, T2, 0));
    patch32(c, at + 2, i_type(OP_IMM, 0, T2, T2, 2 * (int32_t)(slot - at)));
}
