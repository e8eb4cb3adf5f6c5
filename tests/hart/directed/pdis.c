/* SPDX-License-Identifier: Apache-2.0 */
/* Sampling of decoded instructions into the sample registers: the chosen instruction, its interrupt, its
 * record, the filters, and that no overflow is unaccounted for (docs/sampling.md). */
#include "pdis.h"

/* a0: memory, a2: 1 */
ROUTINE(r_loads, ".option push\n.option norvc\n"
                 "l0: ld t0, 0(a0)\n add t0, t0, a2\n"
                 "l1: ld t1, 8(a0)\n sd t1, 16(a0)\n"
                 "l2: lw t2, 64(a0)\n add t0, t0, t2\n ecall\n.option pop");
ROUTINE(r_calls, ".option push\n.option norvc\n"
                 "c0: jal ra, c1\n"
                 "c3: ecall\n"
                 "c1: beq a2, zero, c0\n"
                 "c2: ret\n.option pop");
extern const char l0[], l1[], l2[], c0[], c1[], c2[], c3[];

/* a0: memory; sepc: k_end */
ROUTINE(r_kinds, ".option push\n.option norvc\n"
                 "kinds: add t0, a0, zero\n ld t0, 0(a0)\n sd t0, 8(a0)\n amoadd.d t0, t0, (a0)\n"
                 " lr.d t0, (a0)\n sc.d t0, t0, (a0)\n sret\n"
                 "k_end: ecall\n.option pop");
extern const char kinds[], k_end[];

/* An unpredictable branch, and loads behind it both ways. a0: memory, a1: turns, a2: seed */
ROUTINE(r_maze, ".option push\n.option norvc\n"
                "1: slli t0, a2, 13\n xor a2, a2, t0\n srli t0, a2, 7\n xor a2, a2, t0\n"
                " slli t0, a2, 17\n xor a2, a2, t0\n andi t0, a2, 1\n"
                " div t1, a2, t0\n and t1, t1, zero\n add t0, t0, t1\n"
                "maze_branch: beqz t0, 2f\n ld t1, 0(a0)\n j 3f\n"
                "2: ld t1, 8(a0)\n"
                "3: addi a1, a1, -1\n bnez a1, 1b\n ecall\n.option pop");
extern const char maze_branch[];

static uint64_t buffer[64] __attribute__((aligned(64)));

static struct trap_info run(const char *routine, uint64_t a1, uint64_t a2) {
    struct trap_info t;

    csr_clear(mip, BIT(TALLY_INT_LCOFI));
    probe_from(&t, status_for(PRIV_S), routine, (uintptr_t)buffer, a1, a2);
    return t;
}

static void a_load_is_sampled_and_interrupts_at_once(void) {
    static const struct {
        const char *pc;
        unsigned offset;
    } loads[] = {{l0, 0}, {l1, 8}, {l2, 64}};

    csr_write(mhpmevent3, TALLY_EV_INST_LOAD_RET);
    csr_write(mhpmevent4, TALLY_EV_INST_STORE_RET);
    for (unsigned i = 0; i < COUNT(loads); i++) {
        context(i, 0, 0);
        uint64_t before = csr_read(time);
        pdis_count(i + 1, 1000);
        csr_write(TALLY_CSR_MPDISCTL, CTL_S | TALLY_PDISSEL_LOADS | BIT(3) | BIT(4) | TALLY_MPDISCTL_TS_MASK |
                                          TALLY_MPDISCTL_PA_MASK);
        struct trap_info t = run(r_loads, 0, 1);
        struct record r = pdis_registers();
        CHECK_EQ(t.cause, INTERRUPT(TALLY_INT_LCOFI));
        CHECK_EQ(t.epc, (uintptr_t)loads[i].pc + 4);
        CHECK_EQ(csr_read(TALLY_CSR_SCOUNTOVF) & 2, 2);
        CHECK(csr_read(TALLY_CSR_MPDISCTL) & CTL_OF);
        CHECK_EQ(r.pc, (uintptr_t)loads[i].pc);
        CHECK_EQ(FIELD(r.hdrev, PDISHDREV_TYPE), TALLY_TYPE_LOAD);
        CHECK_EQ(FIELD(r.hdrev, PDISHDREV_FLUSHED), 0);
        CHECK_EQ(FIELD(r.hdrev, PDISHDREV_HPM), 1); /* counter 3, not 4 */
        CHECK(FIELD(r.hdrev, PDISHDREV_DSRC) != 0);
        CHECK_EQ(r.adr1, (uintptr_t)buffer + loads[i].offset);
        CHECK_EQ(r.adr2, r.adr1);
        CHECK(r.time >= before && r.time <= csr_read(time));
        CHECK_EQ(r.lat >> TALLY_PDISLAT_DISPV_LSB, 0xf);
        CHECK(FIELD(r.lat, PDISLAT_TOTAL) >=
              FIELD(r.lat, PDISLAT_DISPATCH) + FIELD(r.lat, PDISLAT_ISSUE) + FIELD(r.lat, PDISLAT_EXECUTION));
        CHECK(FIELD(r.lat, PDISLAT_EXECUTION) > 0);
    }
    csr_write(mhpmevent3, 0);
    csr_write(mhpmevent4, 0);
}

static void every_kind_of_instruction_has_its_type(void) {
    static const uint8_t types[] = {TALLY_TYPE_OTHER,      TALLY_TYPE_LOAD, TALLY_TYPE_STORE,
                                    TALLY_TYPE_LOAD_STORE, TALLY_TYPE_LOAD, TALLY_TYPE_STORE,
                                    TALLY_TYPE_TRANSFER};

    for (unsigned i = 0; i < COUNT(types); i++) {
        context(i, 0, 0);
        csr_write(sepc, (uintptr_t)k_end);
        pdis_count(i + 1, 1000);
        csr_write(TALLY_CSR_MPDISCTL, CTL_S | TALLY_PDISSEL_ALL);
        struct trap_info t = run(r_kinds, 0, 0);
        struct record r = pdis_registers();
        CHECK_EQ(t.cause, INTERRUPT(TALLY_INT_LCOFI));
        CHECK_EQ(r.pc, (uintptr_t)kinds + 4 * i);
        CHECK_EQ(t.epc, r.pc + 4);
        CHECK_EQ(FIELD(r.hdrev, PDISHDREV_TYPE), types[i]);
    }
}

static void a_transfer_has_its_kind_target_and_predecessor(void) {
    static const struct {
        const char *pc, *target, *prior;
        uint64_t kind;
    } steps[] = {{c0, c1, NULL, TALLY_PDISHDREV_DIRCALL_MASK},
                 {c1, NULL, c1, TALLY_PDISHDREV_NTBR_MASK},
                 {c2, c3, c1, TALLY_PDISHDREV_RET_MASK}};

    for (unsigned i = 0; i < COUNT(steps); i++) {
        context(i, 0, 0);
        pdis_count(i + 1, 1000);
        csr_write(TALLY_CSR_MPDISCTL, CTL_S | TALLY_PDISSEL_TRANSFERS | TALLY_MPDISCTL_EPT_MASK);
        struct trap_info t = run(r_calls, 0, 1);
        struct record r = pdis_registers();
        CHECK_EQ(t.cause, INTERRUPT(TALLY_INT_LCOFI));
        CHECK_EQ(r.pc, (uintptr_t)steps[i].pc);
        CHECK_EQ(t.epc, (uintptr_t)(steps[i].target ? steps[i].target : c2));
        CHECK_EQ(FIELD(r.hdrev, PDISHDREV_TYPE), TALLY_TYPE_TRANSFER);
        CHECK_EQ(r.hdrev & (0x1fffull << 39) & ~TALLY_PDISHDREV_MISPRED_MASK, steps[i].kind);
        CHECK_EQ(r.adr1, (uintptr_t)steps[i].target);
        if (steps[i].prior)
            CHECK_EQ(r.adr2, (uintptr_t)steps[i].prior);
    }
}

static void the_filters_discard_what_they_should(void) {
    pdis_count(1, 1);
    csr_write(TALLY_CSR_SPDISEVMASK, TALLY_PDISHDREV_TYPE_MASK);
    csr_write(TALLY_CSR_SPDISEVMATCH, 2);
    csr_write(TALLY_CSR_MPDISCTL, CTL_S | TALLY_PDISSEL_ALL | TALLY_MPDISCTL_ACC_MASK);
    struct trap_info t = run(r_loads, 0, 1);
    CHECK(t.cause == TALLY_EXC_ECALL_S || t.cause == INTERRUPT(TALLY_INT_LCOFI));
    csr_write(TALLY_CSR_SPDISEVMASK, 0);
    csr_write(TALLY_CSR_SPDISEVMATCH, 0);
    /* no instruction takes 4095 cycles here */
    csr_write(TALLY_CSR_SPDISFILTER, 0xfff);
    pdis_count(1, 1);
    csr_write(TALLY_CSR_MPDISCTL, CTL_S | TALLY_PDISSEL_LOADS);
    CHECK_EQ(run(r_loads, 0, 1).cause, TALLY_EXC_ECALL_S);
    CHECK_EQ(csr_read(TALLY_CSR_MPDISCTL) & CTL_OF, 0);
    csr_write(TALLY_CSR_SPDISFILTER, 0);
}

static void a_sample_on_the_wrong_path_names_the_culprit(void) {
    bool seen = false;

    csr_write(TALLY_CSR_SPDISEVMASK, TALLY_PDISHDREV_FLUSHED_MASK);
    csr_write(TALLY_CSR_SPDISEVMATCH, TALLY_PDISHDREV_FLUSHED_MASK);
    csr_write(TALLY_CSR_SPDISFILTER, 1); /* TOTAL: it went a step before it was flushed */
    for (unsigned period = 5; period < 12 && !seen; period++) {
        context(period, 0, 0);
        pdis_count(period, period);
        csr_write(TALLY_CSR_MPDISCTL, CTL_S | TALLY_PDISSEL_ALL);
        struct trap_info t = run(r_maze, 200, 0x9e3779b97f4a7c15);
        if (t.cause != INTERRUPT(TALLY_INT_LCOFI))
            continue;
        struct record r = pdis_registers();
        CHECK_EQ(FIELD(r.hdrev, PDISHDREV_FLUSHED), 1);
        CHECK_EQ(FIELD(r.lat, PDISLAT_OLDEST), 0);
        CHECK(FIELD(r.lat, PDISLAT_TOTAL) >= 1);
        if (FIELD(r.hdrev, PDISHDREV_FLUSH) == 1 && r.adr1 == (uintptr_t)maze_branch)
            seen = true;
    }
    CHECK(seen);
    csr_write(TALLY_CSR_SPDISEVMASK, 0);
    csr_write(TALLY_CSR_SPDISEVMATCH, 0);
    csr_write(TALLY_CSR_SPDISFILTER, 0);
}

/* overflows = SAMPLES + FILTERED + DROPPED + INHIBITED + COLLISIONS, none being active */
static void every_overflow_is_accounted_for(void) {
    csr_write(mie, 0);
    for (unsigned filtered = 0; filtered < 2; filtered++) {
        csr_write(mhpmevent3, TALLY_EV_PDIS_SAMPLES);
        csr_write(mhpmevent4, TALLY_EV_PDIS_FILTERED);
        csr_write(mhpmevent5, TALLY_EV_PDIS_COLLISIONS);
        csr_write(mhpmevent6, TALLY_EV_PDIS_DROPPED);
        csr_write(mhpmevent7, TALLY_EV_PDIS_INHIBITED);
        csr_write(mhpmevent8, TALLY_EV_INST_DEC_SPEC | TALLY_MHPMEVENT_MINH_MASK);
        csr_write(mhpmcounter3, 0);
        csr_write(mhpmcounter4, 0);
        csr_write(mhpmcounter5, 0);
        csr_write(mhpmcounter6, 0);
        csr_write(mhpmcounter7, 0);
        csr_write(mhpmcounter8, 0);
        csr_write(TALLY_CSR_SPDISFILTER, filtered ? 12 : 0);
        pdis_count(1, 1);
        csr_write(TALLY_CSR_MPDISCTL, CTL_S | TALLY_PDISSEL_ALL | CTL_OF);
        CHECK_EQ(run(r_maze, 100, 0x9e3779b97f4a7c15).cause, TALLY_EXC_ECALL_S);
        csr_write(TALLY_CSR_MPDISCTL, 0);
        context(csr_read(mhpmcounter3), csr_read(mhpmcounter4), csr_read(mhpmcounter5));
        CHECK_EQ(csr_read(mhpmcounter3) + csr_read(mhpmcounter4) + csr_read(mhpmcounter5) +
                     csr_read(mhpmcounter6) + csr_read(mhpmcounter7),
                 csr_read(mhpmcounter8));
        CHECK(csr_read(mhpmcounter3) > 10);
        CHECK_EQ(csr_read(mhpmcounter4) != 0, filtered);
    }
    csr_write(TALLY_CSR_SPDISFILTER, 0);
}

static void nothing_is_sampled_while_inhibited(void) {
    csr_set(mcountinhibit, 2);
    CHECK_EQ(csr_read(mcountinhibit) & 2, 2);
    pdis_count(1, 1);
    csr_write(TALLY_CSR_MPDISCTL, CTL_S | TALLY_PDISSEL_ALL);
    CHECK_EQ(run(r_loads, 0, 1).cause, TALLY_EXC_ECALL_S);
    CHECK_EQ(csr_read(TALLY_CSR_MPDISCTL) & CTL_OF, 0);
    CHECK_EQ(csr_read(TALLY_CSR_SPDISCOUNTER) & 0xffffffff, 0xffffffff);
    csr_clear(mcountinhibit, 2);
    csr_write(TALLY_CSR_MPDISCTL, 0);
}

void test_main(void) {
    open_memory();
    if (!is_tally())
        pass();
    csr_write(mie, BIT(TALLY_INT_LCOFI));
    a_load_is_sampled_and_interrupts_at_once();
    every_kind_of_instruction_has_its_type();
    a_transfer_has_its_kind_target_and_predecessor();
    the_filters_discard_what_they_should();
    a_sample_on_the_wrong_path_names_the_culprit();
    nothing_is_sampled_while_inhibited();
    every_overflow_is_accounted_for();
    pass();
}
