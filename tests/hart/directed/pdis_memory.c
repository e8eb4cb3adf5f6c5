/* SPDX-License-Identifier: Apache-2.0 */
/* Samples in memory: the buffer's registers, threshold and interrupt, full and circular, physical and
 * translated, faults; and the records that are read are those written (docs/sampling.md, "The buffer").
 */
#include "pdis.h"
#include "sv39.h"

enum { RECORDS = 64 };

/* a0: memory, a1: turns of six instructions, one of them a load */
ROUTINE(r_turns, ".option push\n.option norvc\n"
                 "turns: ld t0, 0(a0)\n add t1, t0, a1\n xor t1, t1, t0\n add t2, t2, t1\n"
                 " addi a1, a1, -1\n bnez a1, turns\n ecall\n.option pop");
extern const char turns[];

static uint64_t data[8] __attribute__((aligned(64)));
static struct record area[RECORDS] __attribute__((aligned(4096)));

#define CS_EN TALLY_SPDISAMBCS_EN_MASK
#define CS_TRV TALLY_SPDISAMBCS_TRV_MASK
#define CS_EMPTY TALLY_SPDISAMBCS_EMPTY_MASK
#define CS_BMIEN TALLY_SPDISAMBCS_BMIEN_MASK
#define CS_SOF TALLY_SPDISAMBCS_SOF_MASK
#define CS_WRAP TALLY_SPDISAMBCS_WRAP_MASK
#define CS_BMI TALLY_SPDISAMBCS_BMI_MASK
#define CS_TF TALLY_SPDISAMBCS_TF_MASK

static void wait_for(uint64_t bit) {
    for (unsigned i = 0; i < 1000; i++)
        if (csr_read(TALLY_CSR_SPDISAMBCS) & bit)
            return;
    CHECK_EQ(csr_read(TALLY_CSR_SPDISAMBCS) & bit, bit);
}

/* All of the area in the cache, and zero */
static void clear_area(void) {
    volatile uint64_t *word = (volatile uint64_t *)area;

    for (unsigned i = 0; i < sizeof area / 8; i++)
        word[i] = 0;
    for (unsigned i = 0; i < sizeof area / 8; i++)
        CHECK_EQ(word[i], 0);
}

static void start(uint64_t address, uint64_t control, uint64_t period) {
    clear_area();
    csr_clear(mip, BIT(TALLY_INT_LAMBI));
    csr_write(TALLY_CSR_SPDISAMBADDR, address);
    csr_write(TALLY_CSR_SPDISAMBCS, CS_EN | control);
    wait_for(CS_TRV);
    csr_write(mhpmevent3, TALLY_EV_PDIS_SAMPLES);
    csr_write(mhpmevent4, TALLY_EV_PDIS_DROPPED);
    csr_write(mhpmcounter3, 0);
    csr_write(mhpmcounter4, 0);
    pdis_count(period, period);
    csr_write(TALLY_CSR_MPDISCTL, TALLY_MPDISCTL_S_MASK | CTL_MEM | CTL_OF | TALLY_PDISSEL_ALL);
}

static struct trap_info run(unsigned n) {
    struct trap_info t;

    probe_from(&t, status_for(PRIV_S), r_turns, (uintptr_t)data, n, 0);
    csr_write(TALLY_CSR_MPDISCTL, CTL_MEM | CTL_OF);
    wait_for(CS_EMPTY);
    return t;
}

static void check_record(const struct record *r, uint64_t address) {
    uint64_t step = r->pc - (uintptr_t)turns;

    CHECK(step <= 24 && step % 4 == 0);
    CHECK_EQ(FIELD(r->hdrev, PDISHDREV_TYPE), step == 0    ? TALLY_TYPE_LOAD
                                              : step == 20 ? TALLY_TYPE_TRANSFER
                                                           : TALLY_TYPE_OTHER);
    CHECK_EQ(r->adr1, FIELD(r->hdrev, PDISHDREV_FLUSHED) ? (uintptr_t)turns + 20
                      : step == 0                        ? (uintptr_t)data
                      : step == 20 && r->adr1            ? address
                                                         : 0);
    CHECK_EQ(r->zero[0], 0);
    CHECK_EQ(r->zero[1], 0);
}

static void check_records(unsigned n) {
    for (unsigned i = 0; i < n; i++) {
        context(i, n, 0);
        check_record(&area[i], (uintptr_t)turns);
    }
    for (unsigned i = n; i < RECORDS; i++)
        CHECK_EQ(area[i].pc, 0);
}

static void none_is_lost_at_a_modest_period(void) {
    start((uintptr_t)area, 0, 97);
    CHECK_EQ(run(600).cause, TALLY_EXC_ECALL_S);
    uint64_t n = csr_read(mhpmcounter3);
    CHECK_EQ(csr_read(mhpmcounter4), 0);
    CHECK(n >= 3600 / 97 && n < RECORDS);
    CHECK_EQ(csr_read(TALLY_CSR_SPDISAMBADDR), (uintptr_t)(area + n));
    CHECK_EQ(csr_read(TALLY_CSR_SPDISAMBCS), CS_EN | CS_TRV | CS_EMPTY);
    check_records((unsigned)n);
}

static void each_quarter_interrupts(void) {
    for (unsigned quarter = 0; quarter < 4; quarter++) {
        unsigned n = quarter ? quarter * RECORDS / 4 : RECORDS;

        context(quarter, 0, 0);
        start((uintptr_t)area, CS_BMIEN | (uint64_t)quarter << TALLY_SPDISAMBCS_BMITH_LSB, 91);
        csr_write(mie, BIT(TALLY_INT_LAMBI));
        struct trap_info t = run(2000);
        csr_write(mie, 0);
        CHECK_EQ(t.cause, INTERRUPT(TALLY_INT_LAMBI));
        CHECK_EQ(csr_read(TALLY_CSR_SPDISAMBCS) & CS_BMI, CS_BMI);
        CHECK_EQ(csr_read(TALLY_CSR_SPDISAMBCS) & CS_WRAP, quarter ? 0 : CS_WRAP);
        CHECK_EQ(csr_read(mhpmcounter4), 0);
        CHECK_EQ(csr_read(mhpmcounter3), n);
        CHECK_EQ(csr_read(TALLY_CSR_SPDISAMBADDR), (uintptr_t)(quarter ? area + n : area));
        check_records(n);
    }
}

static void a_full_buffer_stops_or_goes_round(void) {
    for (unsigned stop = 0; stop < 2; stop++) {
        context(stop, 0, 0);
        start((uintptr_t)area, stop ? CS_SOF : 0, 83);
        CHECK_EQ(run(1200).cause, TALLY_EXC_ECALL_S);
        uint64_t n = csr_read(mhpmcounter3);
        CHECK_EQ(csr_read(TALLY_CSR_SPDISAMBCS) & CS_WRAP, CS_WRAP);
        CHECK_EQ(csr_read(mhpmcounter4) != 0, stop);
        if (stop)
            CHECK_EQ(n, RECORDS);
        CHECK_EQ(csr_read(TALLY_CSR_SPDISAMBADDR), (uintptr_t)(area + n % RECORDS));
        check_records(RECORDS);
    }
}

/* A period that memory cannot follow: records that are not lost are whole. */
static void what_is_dropped_is_counted(void) {
    start((uintptr_t)area, 0, 5);
    CHECK_EQ(run(200).cause, TALLY_EXC_ECALL_S);
    CHECK(csr_read(mhpmcounter4) > 0);
    CHECK_EQ(csr_read(TALLY_CSR_SPDISAMBADDR), (uintptr_t)(area + csr_read(mhpmcounter3) % RECORDS));
    check_records(csr_read(mhpmcounter3) < RECORDS ? (unsigned)csr_read(mhpmcounter3) : RECORDS);
}

static void the_buffer_is_translated_for_the_supervisor(void) {
    static const uint64_t bad[] = {0, PTE_V | PTE_R | PTE_A | PTE_D, PTE_ALL | PTE_U,
                                   PTE_V | PTE_R | PTE_W | PTE_A};

    leaf[0] = pte((uintptr_t)area, PTE_ALL);
    translation_on();
    csr_set(menvcfg, TALLY_MENVCFG_PDISS_MASK);
    start(WINDOW, 0, 97);
    CHECK_EQ(run(600).cause, TALLY_EXC_ECALL_S);
    CHECK_EQ(csr_read(mhpmcounter4), 0);
    CHECK_EQ(csr_read(TALLY_CSR_SPDISAMBADDR), WINDOW + 64 * csr_read(mhpmcounter3));
    check_records((unsigned)csr_read(mhpmcounter3));

    for (unsigned i = 0; i < COUNT(bad); i++) {
        context(i, 0, 0);
        csr_write(TALLY_CSR_SPDISAMBCS, 0);
        csr_clear(mip, BIT(TALLY_INT_LAMBI));
        leaf[0] = bad[i] ? pte((uintptr_t)area, bad[i]) : 0;
        sfence();
        csr_write(TALLY_CSR_SPDISAMBADDR, WINDOW);
        csr_write(TALLY_CSR_SPDISAMBCS, CS_EN);
        wait_for(CS_TF);
        CHECK(csr_read(mip) & BIT(TALLY_INT_LAMBI));
        CHECK_EQ(csr_read(TALLY_CSR_SPDISAMBCS), CS_EN | CS_TF | CS_EMPTY);
        leaf[0] = pte((uintptr_t)area, PTE_ALL);
        sfence();
        csr_clear(TALLY_CSR_SPDISAMBCS, CS_TF);
        wait_for(CS_TRV);
    }

    /* the mode of records is fixed: that S may use U's pages now does not open one for them, nor mark it */
    csr_write(TALLY_CSR_SPDISAMBCS, 0);
    leaf[0] = pte((uintptr_t)area, PTE_V | PTE_R | PTE_W | PTE_A | PTE_U);
    sfence();
    csr_set(menvcfg, TALLY_MENVCFG_ADUE_MASK);
    csr_set(mstatus, MSTATUS_SUM);
    csr_write(TALLY_CSR_SPDISAMBCS, CS_EN);
    wait_for(CS_TF);
    CHECK_EQ(leaf[0], pte((uintptr_t)area, PTE_V | PTE_R | PTE_W | PTE_A | PTE_U));
    csr_clear(mstatus, MSTATUS_SUM);
    csr_clear(menvcfg, TALLY_MENVCFG_ADUE_MASK);
    leaf[0] = pte((uintptr_t)area, PTE_ALL);
    sfence();

    /* two pages, the second of them not there: its number is TFPTR */
    leaf[1] = 0;
    csr_write(TALLY_CSR_SPDISAMBCS, 0);
    csr_write(TALLY_CSR_SPDISAMBADDR, WINDOW);
    csr_write(TALLY_CSR_SPDISAMBCS, CS_EN | 1ull << TALLY_SPDISAMBCS_SIZE_LSB);
    wait_for(CS_TF);
    CHECK_EQ(FIELD(csr_read(TALLY_CSR_SPDISAMBCS), SPDISAMBCS_TFPTR), 1);
    CHECK_EQ(csr_read(TALLY_CSR_SPDISAMBCS) & CS_TRV, 0);
    csr_write(TALLY_CSR_SPDISAMBCS, 0);
    csr_clear(menvcfg, TALLY_MENVCFG_PDISS_MASK);
    csr_write(satp, 0);
}

enum { PMP_NA4 = 0x10, PMP_NAPOT = 0x18, PMP_L = 0x80, PMP_R = 1, PMP_W = 2, PMP_ALL = 0x1f };

/* Entry 0 before one that permits everything. */
static void pmp_entry(uint64_t address, uint64_t config) {
    csr_write(pmpaddr1, UINT64_MAX >> 10);
    csr_write(pmpcfg0, PMP_ALL << 8);
    csr_write(pmpaddr0, address >> 2);
    csr_write(pmpcfg0, (uint64_t)PMP_ALL << 8 | config);
}

/* The buffer's beginning is at `address`: the outcome of the request for its page */
static uint64_t answer_at(uint64_t address) {
    csr_clear(mip, BIT(TALLY_INT_LAMBI));
    csr_write(TALLY_CSR_SPDISAMBCS, 0);
    csr_write(TALLY_CSR_SPDISAMBADDR, address);
    csr_write(TALLY_CSR_SPDISAMBCS, CS_EN);
    for (unsigned i = 0; i < 1000 && !(csr_read(TALLY_CSR_SPDISAMBCS) & (CS_TRV | CS_TF)); i++)
        ;
    return csr_read(TALLY_CSR_SPDISAMBCS) & (CS_TRV | CS_TF);
}

/* Each word of a record is a write, and PMP's regions may be four bytes. */
static void every_word_of_a_page_is_checked(void) {
    static const uint64_t at[] = {0, 4, 8, 0x7f8, 0xa04, 0xff0, 0xff8, 0xffc};
    uint64_t page = (uintptr_t)area;

    csr_set(menvcfg, TALLY_MENVCFG_PDISS_MASK);
    for (unsigned i = 0; i < COUNT(at); i++) {
        context(i, 0, 0);
        pmp_entry(page + at[i], PMP_NA4 | PMP_R);
        CHECK_EQ(answer_at(page), CS_TF);
        CHECK(csr_read(mip) & BIT(TALLY_INT_LAMBI));
        pmp_entry(page + at[i], PMP_NA4 | PMP_R | PMP_W); /* half of a word is no permission */
        CHECK_EQ(answer_at(page), CS_TF);
        pmp_entry(page + (at[i] & ~7ull), PMP_NAPOT | PMP_R | PMP_W); /* 8 bytes */
        CHECK_EQ(answer_at(page), CS_TRV);
        pmp_entry(page + 4096 + at[i], PMP_NA4); /* in another page */
        CHECK_EQ(answer_at(page), CS_TRV);
    }
    /* PMP changes while the buffer is in use. */
    pmp_entry(page, 0);
    start(page, 0, 97);
    pmp_entry(page + 0xa00, PMP_NAPOT | PMP_R);
    wait_for(CS_TF);
    CHECK_EQ(run(600).cause, TALLY_EXC_ECALL_S);
    CHECK_EQ(csr_read(mhpmcounter3), 0);
    CHECK(csr_read(mhpmcounter4) > 0);
    check_records(0);
    csr_clear(menvcfg, TALLY_MENVCFG_PDISS_MASK);
}

/* Without PDISS the buffer is M-mode's, whom only locked entries bind. They stay: this is the last test. */
static void locked_regions_bind_the_machines_buffer(void) {
    uint64_t page = (uintptr_t)area;

    pmp_entry(page + 0x804, PMP_NA4 | PMP_R); /* half of a word fails in every mode */
    CHECK_EQ(answer_at(page), CS_TF);
    pmp_entry(page + 0x808, PMP_NAPOT | PMP_R);
    CHECK_EQ(answer_at(page), CS_TRV);
    pmp_entry(page + 0x808, PMP_NAPOT | PMP_R | PMP_L);
    CHECK_EQ(answer_at(page), CS_TF);
    CHECK(csr_read(mip) & BIT(TALLY_INT_LAMBI));
    CHECK_EQ(answer_at(0), CS_TF); /* not main memory */
    CHECK_EQ(answer_at(1ull << 60), CS_TF);
}

void test_main(void) {
    open_memory();
    if (!is_tally())
        pass();
    none_is_lost_at_a_modest_period();
    each_quarter_interrupts();
    a_full_buffer_stops_or_goes_round();
    what_is_dropped_is_counted();
    the_buffer_is_translated_for_the_supervisor();
    every_word_of_a_page_is_checked();
    locked_regions_bind_the_machines_buffer();
    pass();
}
