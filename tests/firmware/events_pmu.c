/* SPDX-License-Identifier: Apache-2.0 */
/* The local PMU event (SSE): overflows reach the supervisor where its interrupts are off. */
#include "events_use.h"

static struct handler overflow;
static unsigned long counter;

#define SETUP()                                                                                              \
    NEED(sse_offered());                                                                                     \
    reset_events();                                                                                          \
    NEED(sse_get(LOCAL_PMU, STATUS) != ~0ul) /* Sscofpmf */

static bool count_software_event(uint64_t from) {
    const struct sbiret ret = pmu_config(0, (unsigned long)PROGRAMMABLE, 0, RAW, SOFTWARE_EVENT);

    counter = ret.value;
    return !ret.error && !pmu_start(counter, 1, SET_INIT_VALUE, from).error;
}

TEST(sse_pmu_event_cannot_be_injected) {
    SETUP();
    EXPECT(sse_get(LOCAL_PMU, STATUS), UNUSED);
    EXPECT(sse(SSE_INJECT, LOCAL_PMU, boot_hart, 0), SBI_ERR_FAILED);
    EXPECT(sse(SSE_INJECT, LOCAL_PMU, 1000, 0), SBI_ERR_INVALID_PARAM);
}

TEST(sse_pmu_event_comes_while_interrupts_are_off) {
    struct sbiret ret;

    SETUP();
    overflow = (struct handler){.handle = note_event};
    EXPECT(use_event(&overflow, LOCAL_PMU), SBI_SUCCESS);
    EXPECT(sse(SSE_UNMASK, 0, 0, 0), SBI_SUCCESS);
    csr_clear(sstatus, MSTATUS_SIE);
    ret = pmu_config(0, (unsigned long)PROGRAMMABLE, 0, HW(1), 0);
    EXPECT(ret.error, SBI_SUCCESS);
    EXPECT(pmu_start(ret.value, 1, SET_INIT_VALUE, (uint64_t)-2000ll).error, SBI_SUCCESS);
    for (unsigned i = 0; i < 10000000 && !*(volatile unsigned long *)&overflow.seen; i++)
        ;
    EXPECT(overflow.seen, 1);
    EXPECT(overflow.status & MSTATUS_SPP, MSTATUS_SPP);
    EXPECT(overflow.status & MSTATUS_SPIE, 0);
    EXPECT(overflown((unsigned)ret.value), true);
    EXPECT(pmu_stop(ret.value, 1, RESET).error, SBI_SUCCESS);
    EXPECT(sse(SSE_DISABLE, LOCAL_PMU, 0, 0), SBI_SUCCESS);
}

TEST(sse_pmu_event_takes_lcofi_from_the_supervisor_until_it_is_disabled) {
    SETUP();
    NEED(has_software_event());
    overflow = (struct handler){.handle = note_event};
    csr_set(sie, INTERRUPT_BIT(LCOFI));
    EXPECT(use_event(&overflow, LOCAL_PMU), SBI_SUCCESS);
    EXPECT(csr_read(sie) & INTERRUPT_BIT(LCOFI), 0);
    EXPECT(count_software_event(~0ull), true);
    software_event();
    EXPECT(csr_read(sip) & INTERRUPT_BIT(LCOFI), 0);
    EXPECT(sse_get(LOCAL_PMU, STATUS), ENABLED | PENDING); /* masked */
    EXPECT(overflow.seen, 0);
    EXPECT(sse(SSE_DISABLE, LOCAL_PMU, 0, 0), SBI_SUCCESS);
    EXPECT(csr_read(sie) & INTERRUPT_BIT(LCOFI), INTERRUPT_BIT(LCOFI));
    EXPECT(csr_read(sip) & INTERRUPT_BIT(LCOFI), INTERRUPT_BIT(LCOFI));
    EXPECT(sse(SSE_ENABLE, LOCAL_PMU, 0, 0), SBI_SUCCESS);
    EXPECT(sse(SSE_UNMASK, 0, 0, 0), SBI_SUCCESS);
    EXPECT(overflow.seen, 1);
    EXPECT(sse(SSE_DISABLE, LOCAL_PMU, 0, 0), SBI_SUCCESS);
    EXPECT(csr_read(sip) & INTERRUPT_BIT(LCOFI), 0);
}

TEST(sse_pmu_event_of_one_shot_gives_lcofi_back) {
    SETUP();
    NEED(has_software_event());
    overflow = (struct handler){.handle = note_event};
    EXPECT(sse_set(LOCAL_PMU, CONFIG, 1), SBI_SUCCESS);
    EXPECT(use_event(&overflow, LOCAL_PMU), SBI_SUCCESS);
    EXPECT(sse(SSE_UNMASK, 0, 0, 0), SBI_SUCCESS);
    EXPECT(count_software_event(~0ull), true);
    software_event();
    EXPECT(overflow.seen, 1);
    EXPECT(pmu_stop(counter, 1, 0).error, SBI_SUCCESS);
    EXPECT(pmu_start(counter, 1, SET_INIT_VALUE, ~0ull).error, SBI_SUCCESS);
    software_event();
    EXPECT(overflow.seen, 1);
    EXPECT(csr_read(sip) & INTERRUPT_BIT(LCOFI), INTERRUPT_BIT(LCOFI));
}

/* Runs a software event of the unit, so that the counter overflows while an event of a higher priority runs.
 */
static void overflow_inside(struct handler *handler, unsigned long hart) {
    note_event(handler, hart);
    software_event();
}

TEST(sse_pmu_event_waits_for_an_event_of_higher_priority) {
    static struct handler first;

    SETUP();
    NEED(has_software_event());
    overflow = (struct handler){.handle = note_event};
    first = (struct handler){.handle = overflow_inside};
    EXPECT(sse_set(LOCAL_PMU, PRIORITY, 2), SBI_SUCCESS);
    EXPECT(sse_set(LOCAL_SOFTWARE, PRIORITY, 1), SBI_SUCCESS);
    EXPECT(use_event(&overflow, LOCAL_PMU), SBI_SUCCESS);
    EXPECT(use_event(&first, LOCAL_SOFTWARE), SBI_SUCCESS);
    EXPECT(sse(SSE_UNMASK, 0, 0, 0), SBI_SUCCESS);
    EXPECT(count_software_event(~0ull), true);
    EXPECT(sse(SSE_INJECT, LOCAL_SOFTWARE, boot_hart, 0), SBI_SUCCESS);
    EXPECT(first.order, 0);
    EXPECT(overflow.order, 1);
    EXPECT(overflow.seen, 1);
}

/* In U-mode, which has no other way to be interrupted while sie is 0 */
uint64_t user_software_event(void);
__asm__(".text\n.option push\n.option norvc\n.balign 4\n.globl user_software_event\n"
        "user_software_event: lw a0, 0(sp)\nlw a0, 0(sp)\nlw a0, 0(sp)\nret\n.option pop");

TEST(sse_pmu_event_interrupts_user_mode) {
    struct sbiret ret;

    SETUP();
    NEED(has_software_event());
    overflow = (struct handler){.handle = note_event};
    EXPECT(use_event(&overflow, LOCAL_PMU), SBI_SUCCESS);
    EXPECT(sse(SSE_UNMASK, 0, 0, 0), SBI_SUCCESS);
    ret = pmu_config(0, (unsigned long)PROGRAMMABLE, SET_SINH, HW(2), 0);
    EXPECT(pmu_start(ret.value, 1, SET_INIT_VALUE, (uint64_t)-2ll).error, SBI_SUCCESS);
    user_call(user_software_event);
    EXPECT(overflow.seen, 1);
    EXPECT(overflow.sepc, (unsigned long)user_software_event + 8);
    EXPECT(overflow.status & MSTATUS_SPP, 0);
}

/* --- samples ------------------------------------------------------------------------------------- */

/* event_entry.S depends on the order. */
struct sampler {
    unsigned long index;
    unsigned long *next, *end;
    unsigned long minus_period;
    unsigned long registers[6];
};

enum { SAMPLER_TAIL = 10, LOOP_LENGTH = 8, SAMPLES = 40 };

void sampler_entry(void);
void sampled_loop(unsigned long turns);

/* Each sample is exactly a period behind the one before, in a loop that no interrupt can enter. */
TEST(sse_pmu_samples_fall_exactly_where_interrupts_are_off) {
    static const unsigned steps[] = {1, 2, 3, 5, 7, 8, 13};
    static unsigned long pcs[SAMPLES];
    static struct sampler sampler;

    SETUP();
    NEED(has_software_event());
    csr_clear(sstatus, MSTATUS_SIE);
    csr_set(sie, INTERRUPT_BIT(LCOFI) | INTERRUPT_BIT(SSI));
    EXPECT(sse(SSE_REGISTER, LOCAL_PMU, (unsigned long)sampler_entry, (unsigned long)&sampler), SBI_SUCCESS);
    EXPECT(sse(SSE_ENABLE, LOCAL_PMU, 0, 0), SBI_SUCCESS);
    EXPECT(sse(SSE_UNMASK, 0, 0, 0), SBI_SUCCESS);
    for (unsigned i = 0; i < sizeof steps / sizeof *steps; i++) {
        const struct sbiret ret = pmu_config(0, (unsigned long)PROGRAMMABLE, 0, HW(2), 0);
        unsigned long place;

        EXPECT(ret.error, SBI_SUCCESS);
        sampler = (struct sampler){.index = ret.value,
                                   .next = pcs,
                                   .end = pcs + SAMPLES,
                                   .minus_period = -(unsigned long)(SAMPLER_TAIL + steps[i])};
        /* The first one well inside of the loop */
        EXPECT(pmu_start(ret.value, 1, SET_INIT_VALUE, (uint64_t)-200ll).error, SBI_SUCCESS);
        sampled_loop(200 / LOOP_LENGTH + SAMPLES * 13 / LOOP_LENGTH + 10);
        EXPECT(sampler.next == pcs + SAMPLES, true);
        place = (pcs[0] - (unsigned long)sampled_loop) / 4;
        for (unsigned n = 0; n < SAMPLES; n++) {
            EXPECT(pcs[n], (unsigned long)sampled_loop + 4 * place);
            place = (place + steps[i]) % LOOP_LENGTH;
        }
        EXPECT(pmu_stop(ret.value, 1, RESET).error, SBI_ERR_ALREADY_STOPPED);
    }
    csr_write(sie, 0);
}
