/* SPDX-License-Identifier: Apache-2.0 */
/* Supervisor software events (SSE): states, attributes, errors, a handler's state at entry and return. */
#include "events_use.h"

#include <string.h>

#define SETUP()                                                                                              \
    NEED(sse_offered());                                                                                     \
    reset_events()

static const unsigned long software_events[] = {LOCAL_SOFTWARE, GLOBAL_SOFTWARE};
#define FOR_SOFTWARE_EVENTS(event)                                                                           \
    for (unsigned i_ = 0; i_ < 2; i_++)                                                                      \
        for (unsigned long event = software_events[i_], once_ = 1; once_; once_ = 0)

/* --- events, states ------------------------------------------------------------------------------- */

TEST(sse_event_ids) {
    static const unsigned long unsupported[] = {0x0, 0x1, 0x8000, 0x100000, 0x108000};
    static const unsigned long invalid[] = {0x2,        0x3fff,     0x4000,     0x8001,     0xc000,
                                            0x10001,    0x14000,    0x18000,    0x20000,    0x100001,
                                            0xffff0001, 0xffff4000, 0xffff8001, 0xffffc000, 0xffffffff};
    unsigned long value;

    SETUP();
    for (unsigned i = 0; i < sizeof unsupported / sizeof *unsupported; i++) {
        EXPECT(sse_attributes(SSE_READ, unsupported[i], 0, 1, &value), SBI_ERR_NOT_SUPPORTED);
        for (unsigned long fid = SSE_REGISTER; fid <= SSE_INJECT; fid++)
            if (fid != SSE_COMPLETE)
                EXPECT(sse(fid, unsupported[i], 0, 0), SBI_ERR_NOT_SUPPORTED);
    }
    for (unsigned i = 0; i < sizeof invalid / sizeof *invalid; i++) {
        EXPECT(sse_attributes(SSE_READ, invalid[i], 0, 1, &value), SBI_ERR_INVALID_PARAM);
        EXPECT(sse_attributes(SSE_WRITE, invalid[i], 1, 1, &value), SBI_ERR_INVALID_PARAM);
        for (unsigned long fid = SSE_REGISTER; fid <= SSE_INJECT; fid++)
            if (fid != SSE_COMPLETE)
                EXPECT(sse(fid, invalid[i], 0, 0), SBI_ERR_INVALID_PARAM);
    }
}

TEST(sse_states_and_their_errors) {
    SETUP();
    FOR_SOFTWARE_EVENTS(event) {
        EXPECT(sse_get(event, STATUS), UNUSED | INJECTABLE);
        EXPECT(sse(SSE_UNREGISTER, event, 0, 0), SBI_ERR_INVALID_STATE);
        EXPECT(sse(SSE_ENABLE, event, 0, 0), SBI_ERR_INVALID_STATE);
        EXPECT(sse(SSE_DISABLE, event, 0, 0), SBI_ERR_INVALID_STATE);
        EXPECT(sse(SSE_REGISTER, event, (unsigned long)event_entry + 1, 0), SBI_ERR_INVALID_PARAM);
        EXPECT(sse_get(event, STATUS), UNUSED | INJECTABLE);
        EXPECT(sse(SSE_REGISTER, event, (unsigned long)event_entry, 0x1234), SBI_SUCCESS);
        EXPECT(sse_get(event, STATUS), REGISTERED | INJECTABLE);
        EXPECT(sse_get(event, ENTRY_PC), (unsigned long)event_entry);
        EXPECT(sse_get(event, ENTRY_ARG), 0x1234);
        EXPECT(sse(SSE_REGISTER, event, (unsigned long)event_entry, 0), SBI_ERR_INVALID_STATE);
        EXPECT(sse(SSE_DISABLE, event, 0, 0), SBI_ERR_INVALID_STATE);
        EXPECT(sse(SSE_ENABLE, event, 0, 0), SBI_SUCCESS);
        EXPECT(sse_get(event, STATUS), ENABLED | INJECTABLE);
        EXPECT(sse(SSE_REGISTER, event, (unsigned long)event_entry, 0), SBI_ERR_INVALID_STATE);
        EXPECT(sse(SSE_UNREGISTER, event, 0, 0), SBI_ERR_INVALID_STATE);
        EXPECT(sse(SSE_ENABLE, event, 0, 0), SBI_ERR_INVALID_STATE);
        EXPECT(sse(SSE_DISABLE, event, 0, 0), SBI_SUCCESS);
        EXPECT(sse(SSE_UNREGISTER, event, 0, 0), SBI_SUCCESS);
        EXPECT(sse_get(event, STATUS), UNUSED | INJECTABLE);
    }
}

TEST(sse_mask_and_unmask) {
    SETUP();
    EXPECT(sse(SSE_MASK, 0, 0, 0), SBI_ERR_ALREADY_STOPPED);
    EXPECT(sse(SSE_UNMASK, 0, 0, 0), SBI_SUCCESS);
    EXPECT(sse(SSE_UNMASK, 0, 0, 0), SBI_ERR_ALREADY_STARTED);
    EXPECT(sse(SSE_MASK, 0, 0, 0), SBI_SUCCESS);
}

TEST(sse_complete_without_a_running_event_does_nothing) {
    SETUP();
    EXPECT(sse(SSE_COMPLETE, 7, 8, 9), SBI_SUCCESS);
}

/* --- attributes ---------------------------------------------------------------------------------- */

TEST(sse_attributes_after_reset) {
    unsigned long values[ATTRIBUTES];

    SETUP();
    EXPECT(sse_attributes(SSE_READ, LOCAL_SOFTWARE, 0, ATTRIBUTES, values), SBI_SUCCESS);
    EXPECT(values[STATUS], UNUSED | INJECTABLE);
    EXPECT(values[PRIORITY], 0);
    EXPECT(values[CONFIG], 0);
    EXPECT(values[PREFERRED_HART], boot_hart);
}

TEST(sse_read_attrs_errors) {
    unsigned long values[ATTRIBUTES];

    SETUP();
    EXPECT(sse_attributes(SSE_READ, LOCAL_SOFTWARE, 0, 0, values), SBI_ERR_INVALID_PARAM);
    EXPECT(sse_attributes(SSE_READ, LOCAL_SOFTWARE, 0, ATTRIBUTES + 1, values), SBI_ERR_BAD_RANGE);
    EXPECT(sse_attributes(SSE_READ, LOCAL_SOFTWARE, ATTRIBUTES, 1, values), SBI_ERR_BAD_RANGE);
    EXPECT(sse_attributes(SSE_READ, LOCAL_SOFTWARE, 0xffffffff, 2, values), SBI_ERR_BAD_RANGE);
    EXPECT(sse_attributes(SSE_READ, LOCAL_SOFTWARE, 1, 0xffffffff, values), SBI_ERR_BAD_RANGE);
    EXPECT(sse_attributes(SSE_READ, LOCAL_SOFTWARE, 0, 1, (void *)((char *)values + 1)),
           SBI_ERR_INVALID_ADDRESS);
    EXPECT(sse_attributes(SSE_READ, LOCAL_SOFTWARE, 0, 1, (void *)RAM_BASE), SBI_ERR_INVALID_ADDRESS);
    EXPECT(sse_attributes(SSE_READ, LOCAL_SOFTWARE, 0, 1, (void *)UART_BASE), SBI_ERR_INVALID_ADDRESS);
    EXPECT(sbi_call6(SBI_EXT_SSE, SSE_READ, LOCAL_SOFTWARE, 0, 1, (unsigned long)values, 1, 0).error,
           SBI_ERR_INVALID_ADDRESS);
}

TEST(sse_read_attrs_writes_the_range_and_nothing_else) {
    unsigned long values[6];

    SETUP();
    EXPECT(sse(SSE_REGISTER, LOCAL_SOFTWARE, (unsigned long)event_entry, 0x77), SBI_SUCCESS);
    memset(values, 0x5a, sizeof values);
    EXPECT(sse_attributes(SSE_READ, LOCAL_SOFTWARE, PREFERRED_HART, 3, values + 1), SBI_SUCCESS);
    EXPECT(values[0], (unsigned long)0x5a5a5a5a5a5a5a5aull);
    EXPECT(values[1], boot_hart);
    EXPECT(values[2], (unsigned long)event_entry);
    EXPECT(values[3], 0x77);
    EXPECT(values[4], (unsigned long)0x5a5a5a5a5a5a5a5aull);
}

TEST(sse_write_attrs_errors) {
    static const enum attribute read_only[] = {STATUS, ENTRY_PC, ENTRY_ARG};
    unsigned long values[ATTRIBUTES] = {0};

    SETUP();
    FOR_SOFTWARE_EVENTS(event) {
        EXPECT(sse_attributes(SSE_WRITE, event, 1, 0, values), SBI_ERR_INVALID_PARAM);
        EXPECT(sse_attributes(SSE_WRITE, event, ATTRIBUTES, 1, values), SBI_ERR_BAD_RANGE);
        EXPECT(sse_attributes(SSE_WRITE, event, 1, ATTRIBUTES, values), SBI_ERR_BAD_RANGE);
        EXPECT(sse_attributes(SSE_WRITE, event, 1, 1, (void *)((char *)values + 2)), SBI_ERR_INVALID_ADDRESS);
        EXPECT(sse_attributes(SSE_WRITE, event, 1, 1, (void *)RAM_BASE), SBI_ERR_INVALID_ADDRESS);
        for (unsigned i = 0; i < sizeof read_only / sizeof *read_only; i++)
            EXPECT(sse_set(event, read_only[i], 0), SBI_ERR_DENIED);
        for (enum attribute a = INTERRUPTED_SEPC; a <= INTERRUPTED_A7; a++)
            EXPECT(sse_set(event, a, 0), SBI_ERR_INVALID_STATE);
        EXPECT(sse_set(event, CONFIG, 2), SBI_ERR_INVALID_PARAM);
#if __riscv_xlen == 64
        EXPECT(sse_set(event, PRIORITY, 1ul << 32), SBI_ERR_INVALID_PARAM);
#endif
    }
    EXPECT(sse_set(LOCAL_SOFTWARE, PREFERRED_HART, boot_hart), SBI_ERR_DENIED);
    EXPECT(sse_set(GLOBAL_SOFTWARE, PREFERRED_HART, 1000), SBI_ERR_INVALID_PARAM);
    EXPECT(sse_set(GLOBAL_SOFTWARE, PREFERRED_HART, hart_count), SBI_ERR_INVALID_PARAM);
}

TEST(sse_write_attrs_gives_the_first_error_and_writes_nothing_then) {
    unsigned long values[ATTRIBUTES] = {0};

    SETUP();
    values[PRIORITY] = 5;
    values[CONFIG] = 2;                 /* invalid */
    values[PREFERRED_HART] = boot_hart; /* denied */
    EXPECT(sse_attributes(SSE_WRITE, LOCAL_SOFTWARE, PRIORITY, 3, values + PRIORITY), SBI_ERR_INVALID_PARAM);
    EXPECT(sse_get(LOCAL_SOFTWARE, PRIORITY), 0);
    values[CONFIG] = 1;
    EXPECT(sse_attributes(SSE_WRITE, LOCAL_SOFTWARE, PRIORITY, 3, values + PRIORITY), SBI_ERR_DENIED);
    EXPECT(sse_get(LOCAL_SOFTWARE, PRIORITY), 0);
    EXPECT(sse_attributes(SSE_WRITE, LOCAL_SOFTWARE, PRIORITY, 2, values + PRIORITY), SBI_SUCCESS);
    EXPECT(sse_get(LOCAL_SOFTWARE, PRIORITY), 5);
    EXPECT(sse_get(LOCAL_SOFTWARE, CONFIG), 1);
}

TEST(sse_priority_and_config_are_fixed_while_enabled) {
    struct handler handler = {.handle = note_event};

    SETUP();
    FOR_SOFTWARE_EVENTS(event) {
        EXPECT(sse(SSE_REGISTER, event, (unsigned long)event_entry, (unsigned long)&handler), SBI_SUCCESS);
        EXPECT(sse_set(event, PRIORITY, 0xffffffff), SBI_SUCCESS);
        EXPECT(sse_get(event, PRIORITY), 0xffffffff);
        EXPECT(sse(SSE_ENABLE, event, 0, 0), SBI_SUCCESS);
        EXPECT(sse_set(event, PRIORITY, 1), SBI_ERR_INVALID_STATE);
        EXPECT(sse_set(event, CONFIG, 1), SBI_ERR_INVALID_STATE);
    }
    EXPECT(sse_set(GLOBAL_SOFTWARE, PREFERRED_HART, boot_hart), SBI_ERR_INVALID_STATE);
}

/* --- injection ----------------------------------------------------------------------------------- */

static struct handler plain, higher, lower;

/* Inject with marks in registers; gives those registers afterwards. */
struct registers {
    unsigned long a0, a1, a6, a7, t0, s1, pc;
};

static struct registers inject_marked(unsigned long event) {
    struct registers r;
    register unsigned long a0 __asm__("a0") = event;
    register unsigned long a1 __asm__("a1") = boot_hart;
    register unsigned long a6 __asm__("a6") = SSE_INJECT;
    register unsigned long a7 __asm__("a7") = SBI_EXT_SSE;
    register unsigned long t0 __asm__("t0") = 0x1111;
    register unsigned long s1 __asm__("s1") = 0x2222;

    __asm__ volatile("ecall\n1: lla %0, 1b"
                     : "=&r"(r.pc), "+r"(a0), "+r"(a1), "+r"(a6), "+r"(a7), "+r"(t0), "+r"(s1)::"memory");
    r.a0 = a0;
    r.a1 = a1;
    r.a6 = a6;
    r.a7 = a7;
    r.t0 = t0;
    r.s1 = s1;
    return r;
}

static unsigned long inside[ATTRIBUTES];
static volatile long inside_error;

static void note_attributes(struct handler *handler, unsigned long hart) {
    note_event(handler, hart);
    inside_error = sse_attributes(SSE_READ, handler->event, 0, ATTRIBUTES, inside);
}

TEST(sse_handler_finds_what_it_interrupted_and_leaves_it) {
    SETUP();
    FOR_SOFTWARE_EVENTS(event) {
        struct registers r;

        plain = (struct handler){.handle = note_attributes};
        EXPECT(use_event(&plain, event), SBI_SUCCESS);
        EXPECT(sse(SSE_UNMASK, 0, 0, 0), SBI_SUCCESS);
        csr_write(sepc, 0x1234);
        csr_clear(sstatus, MSTATUS_SPP | MSTATUS_SIE);
        csr_set(sstatus, MSTATUS_SPIE);
        r = inject_marked(event);
        EXPECT(plain.seen, 1);
        EXPECT(plain.hart, boot_hart);
        EXPECT(plain.sepc, r.pc);
        EXPECT(plain.status & MSTATUS_SPP, MSTATUS_SPP); /* from S-mode, where interrupts were off */
        EXPECT(plain.status & (MSTATUS_SPIE | MSTATUS_SIE), 0);
        EXPECT(inside_error, SBI_SUCCESS);
        EXPECT(inside[STATUS], RUNNING | INJECTABLE);
        EXPECT(inside[INTERRUPTED_SEPC], 0x1234);
        EXPECT(inside[INTERRUPTED_FLAGS], 2); /* SPIE was 1, SPP 0 */
        EXPECT(inside[INTERRUPTED_A6], SSE_INJECT);
        EXPECT(inside[INTERRUPTED_A7], SBI_EXT_SSE);
        EXPECT(r.a0, SBI_SUCCESS);
        EXPECT(r.a6, SSE_INJECT);
        EXPECT(r.a7, SBI_EXT_SSE);
        EXPECT(r.t0, 0x1111);
        EXPECT(r.s1, 0x2222);
        EXPECT(csr_read(sepc), 0x1234);
        EXPECT(csr_read(sstatus) & (MSTATUS_SPP | MSTATUS_SPIE | MSTATUS_SIE), MSTATUS_SPIE);
        EXPECT(sse_get(event, STATUS), ENABLED | INJECTABLE);
        reset_events();
    }
}

TEST(sse_interrupts_are_off_in_the_handler_and_on_again_behind_it) {
    SETUP();
    plain = (struct handler){.handle = note_event};
    EXPECT(use_event(&plain, LOCAL_SOFTWARE), SBI_SUCCESS);
    EXPECT(sse(SSE_UNMASK, 0, 0, 0), SBI_SUCCESS);
    csr_write(sie, 0);
    csr_set(sstatus, MSTATUS_SIE);
    EXPECT(sse(SSE_INJECT, LOCAL_SOFTWARE, boot_hart, 0), SBI_SUCCESS);
    EXPECT(plain.status & (MSTATUS_SPIE | MSTATUS_SIE), MSTATUS_SPIE);
    EXPECT(csr_read(sstatus) & MSTATUS_SIE, MSTATUS_SIE);
    csr_clear(sstatus, MSTATUS_SIE);
}

static volatile long set_errors;
extern char resumed_elsewhere[];

static void resume_elsewhere(struct handler *handler, unsigned long hart) {
    static const struct {
        enum attribute attribute;
        unsigned long value;
    } changes[] = {
        {INTERRUPTED_SEPC, 0x5678}, {INTERRUPTED_FLAGS, 3}, {INTERRUPTED_A6, 66}, {INTERRUPTED_A7, 77}};

    note_event(handler, hart);
    set_errors = 0;
    for (unsigned i = 0; i < sizeof changes / sizeof *changes; i++) {
        set_errors |= sse_set(handler->event, changes[i].attribute, changes[i].value);
        set_errors |= sse_get(handler->event, changes[i].attribute) != changes[i].value;
    }
    set_errors |= sse_set(handler->event, INTERRUPTED_FLAGS, 64) != SBI_ERR_INVALID_PARAM;
    set_errors |= sse_set(handler->event, PRIORITY, 1) != SBI_ERR_INVALID_STATE;
    csr_write(sepc, resumed_elsewhere);
}

TEST(sse_handler_may_change_where_and_how_it_returns) {
    unsigned long mark, a6, a7;

    SETUP();
    plain = (struct handler){.handle = resume_elsewhere};
    EXPECT(use_event(&plain, LOCAL_SOFTWARE), SBI_SUCCESS);
    EXPECT(sse(SSE_UNMASK, 0, 0, 0), SBI_SUCCESS);
    __asm__ volatile("mv a0, %3\nmv a1, %4\nli a6, 7\nmv a7, %5\nli %0, 1\necall\nli %0, 2\n"
                     ".globl resumed_elsewhere\nresumed_elsewhere: mv %1, a6\nmv %2, a7"
                     : "=&r"(mark), "=&r"(a6), "=&r"(a7)
                     : "r"(LOCAL_SOFTWARE), "r"(boot_hart), "r"((unsigned long)SBI_EXT_SSE)
                     : "a0", "a1", "a6", "a7", "memory");
    EXPECT(set_errors, 0);
    EXPECT(mark, 1);
    EXPECT(a6, 66);
    EXPECT(a7, 77);
    EXPECT(csr_read(sepc), 0x5678);
    EXPECT(csr_read(sstatus) & (MSTATUS_SPP | MSTATUS_SPIE), MSTATUS_SPP | MSTATUS_SPIE);
    csr_clear(sstatus, MSTATUS_SPP);
}

TEST(sse_inject_errors) {
    SETUP();
    EXPECT(sse(SSE_INJECT, LOCAL_SOFTWARE, 1000, 0), SBI_ERR_INVALID_PARAM);
    EXPECT(sse(SSE_INJECT, LOCAL_SOFTWARE, ~0ul, 0), SBI_ERR_INVALID_PARAM);
}

TEST(sse_event_waits_while_masked_or_disabled) {
    SETUP();
    FOR_SOFTWARE_EVENTS(event) {
        plain = (struct handler){.handle = note_event};
        EXPECT(sse(SSE_REGISTER, event, (unsigned long)event_entry, (unsigned long)&plain), SBI_SUCCESS);
        EXPECT(sse(SSE_UNMASK, 0, 0, 0), SBI_SUCCESS);
        EXPECT(sse(SSE_INJECT, event, boot_hart, 0), SBI_SUCCESS);
        EXPECT(plain.seen, 0);
        EXPECT(sse_get(event, STATUS), REGISTERED | PENDING | INJECTABLE);
        EXPECT(sse(SSE_ENABLE, event, 0, 0), SBI_SUCCESS);
        EXPECT(plain.seen, 1);
        EXPECT(sse(SSE_MASK, 0, 0, 0), SBI_SUCCESS);
        EXPECT(sse(SSE_INJECT, event, boot_hart, 0), SBI_SUCCESS);
        EXPECT(plain.seen, 1);
        EXPECT(sse_get(event, STATUS), ENABLED | PENDING | INJECTABLE);
        EXPECT(sse(SSE_UNMASK, 0, 0, 0), SBI_SUCCESS);
        EXPECT(plain.seen, 2);
        EXPECT(sse_get(event, STATUS), ENABLED | INJECTABLE);
        reset_events();
    }
}

TEST(sse_one_shot_event_is_registered_behind_its_handler) {
    SETUP();
    FOR_SOFTWARE_EVENTS(event) {
        plain = (struct handler){.handle = note_event};
        EXPECT(sse_set(event, CONFIG, 1), SBI_SUCCESS);
        EXPECT(use_event(&plain, event), SBI_SUCCESS);
        EXPECT(sse(SSE_UNMASK, 0, 0, 0), SBI_SUCCESS);
        EXPECT(sse(SSE_INJECT, event, boot_hart, 0), SBI_SUCCESS);
        EXPECT(plain.seen, 1);
        EXPECT(sse_get(event, STATUS), REGISTERED | INJECTABLE);
        reset_events();
    }
}

/* --- priority ------------------------------------------------------------------------------------ */

static unsigned long injected;
/* Handlers run where the compiler sees no call. */
static volatile unsigned order_behind;
static volatile long running_errors;

/* Injects another event; notes how many events there were when that call came back. */
static void inject_inside(struct handler *handler, unsigned long hart) {
    note_event(handler, hart);
    sse(SSE_INJECT, injected, boot_hart, 0);
    order_behind = events_seen;
    running_errors = sse(SSE_DISABLE, handler->event, 0, 0) != SBI_ERR_INVALID_STATE;
    running_errors |= sse(SSE_UNREGISTER, handler->event, 0, 0) != SBI_ERR_INVALID_STATE;
    running_errors |= sse(SSE_ENABLE, handler->event, 0, 0) != SBI_ERR_INVALID_STATE;
}

static bool run_nested(unsigned long first, unsigned long first_priority, unsigned long second,
                       unsigned long second_priority) {
    reset_events();
    plain = (struct handler){.handle = inject_inside};
    higher = (struct handler){.handle = note_event};
    injected = second;
    return !sse_set(first, PRIORITY, first_priority) && !sse_set(second, PRIORITY, second_priority) &&
           !use_event(&plain, first) && !use_event(&higher, second) && !sse(SSE_UNMASK, 0, 0, 0) &&
           !sse(SSE_INJECT, first, boot_hart, 0) && !running_errors && plain.seen == 1 && higher.seen == 1;
}

TEST(sse_higher_priority_preempts_and_lower_waits) {
    SETUP();
    EXPECT(run_nested(LOCAL_SOFTWARE, 7, GLOBAL_SOFTWARE, 6), true);
    EXPECT(order_behind, 2);
    EXPECT(run_nested(LOCAL_SOFTWARE, 6, GLOBAL_SOFTWARE, 7), true);
    EXPECT(order_behind, 1);
    EXPECT(run_nested(GLOBAL_SOFTWARE, 0xffffffff, LOCAL_SOFTWARE, 0), true);
    EXPECT(order_behind, 2);
}

TEST(sse_of_equal_priority_the_lower_event_id_is_first) {
    SETUP();
    EXPECT(run_nested(GLOBAL_SOFTWARE, 3, LOCAL_SOFTWARE, 3), true);
    EXPECT(order_behind, 2);
    EXPECT(run_nested(LOCAL_SOFTWARE, 3, GLOBAL_SOFTWARE, 3), true);
    EXPECT(order_behind, 1);
}

TEST(sse_of_several_pending_events_the_first_is_taken_first) {
    SETUP();
    plain = (struct handler){.handle = note_event};
    lower = (struct handler){.handle = note_event};
    EXPECT(sse_set(LOCAL_SOFTWARE, PRIORITY, 2), SBI_SUCCESS);
    EXPECT(sse_set(GLOBAL_SOFTWARE, PRIORITY, 1), SBI_SUCCESS);
    EXPECT(use_event(&lower, LOCAL_SOFTWARE), SBI_SUCCESS);
    EXPECT(use_event(&plain, GLOBAL_SOFTWARE), SBI_SUCCESS);
    EXPECT(sse(SSE_INJECT, LOCAL_SOFTWARE, boot_hart, 0), SBI_SUCCESS);
    EXPECT(sse(SSE_INJECT, GLOBAL_SOFTWARE, boot_hart, 0), SBI_SUCCESS);
    EXPECT(sse(SSE_UNMASK, 0, 0, 0), SBI_SUCCESS);
    EXPECT(plain.order, 0);
    EXPECT(lower.order, 1);
    EXPECT(events_seen, 2);
}

static void inject_itself(struct handler *handler, unsigned long hart) {
    note_event(handler, hart);
    if (handler->seen < 3)
        sse(SSE_INJECT, handler->event, boot_hart, 0);
    order_behind = events_seen;
}

TEST(sse_running_event_that_is_signalled_again_is_taken_behind_its_handler) {
    SETUP();
    FOR_SOFTWARE_EVENTS(event) {
        plain = (struct handler){.handle = inject_itself};
        EXPECT(use_event(&plain, event), SBI_SUCCESS);
        EXPECT(sse(SSE_UNMASK, 0, 0, 0), SBI_SUCCESS);
        EXPECT(sse(SSE_INJECT, event, boot_hart, 0), SBI_SUCCESS);
        EXPECT(plain.seen, 3);
        EXPECT(order_behind, 3);
        reset_events();
    }
}

/* --- two harts ----------------------------------------------------------------------------------- */

static volatile bool other_ready;
static struct {
    long used, unmasked;
    unsigned long status;
} on_other;
static volatile unsigned long *volatile awaited;

/* Waits for an event with interrupts off. */
static void wait_for_event(unsigned long hart) {
    (void)hart;
    on_other.status = sse_get(LOCAL_SOFTWARE, STATUS);
    on_other.used = use_event(&lower, LOCAL_SOFTWARE);
    on_other.unmasked = sse(SSE_UNMASK, 0, 0, 0);
    __asm__ volatile("fence rw, rw" ::: "memory");
    other_ready = true;
    while (!*awaited)
        ;
}

/* Run function() on the other hart, and wait until it is ready for events. */
static long start_other(void (*function)(unsigned long)) {
    other_ready = false;
    if (!other_start(function))
        return -1;
    while (!other_ready)
        ;
    return 0;
}

TEST(sse_local_event_of_another_hart) {
    SETUP();
    NEED(hart_count > 1);
    lower = (struct handler){.handle = note_event};
    awaited = &lower.seen;
    EXPECT(sse(SSE_INJECT, LOCAL_SOFTWARE, other_hart(), 0), SBI_ERR_FAILED); /* it is stopped */
    for (unsigned i = 1; i <= 2; i++) { /* a start of the hart resets its events */
        lower.seen = 0;
        EXPECT(start_other(wait_for_event), 0);
        EXPECT(sse(SSE_INJECT, LOCAL_SOFTWARE, other_hart(), 0), SBI_SUCCESS);
        other_finish();
        EXPECT(on_other.status, UNUSED | INJECTABLE);
        EXPECT(on_other.used, 0);
        EXPECT(on_other.unmasked, 0);
        EXPECT(lower.hart, other_hart());
    }
}

static void wait_for_global(unsigned long hart) {
    (void)hart;
    on_other.unmasked = sse(SSE_UNMASK, 0, 0, 0);
    __asm__ volatile("fence rw, rw" ::: "memory");
    other_ready = true;
    while (!*awaited)
        ;
}

TEST(sse_global_event_goes_to_the_preferred_hart) {
    SETUP();
    NEED(hart_count > 1);
    lower = (struct handler){.handle = note_event};
    awaited = &lower.seen;
    EXPECT(sse_set(GLOBAL_SOFTWARE, PREFERRED_HART, other_hart()), SBI_SUCCESS);
    EXPECT(use_event(&lower, GLOBAL_SOFTWARE), SBI_SUCCESS);
    EXPECT(sse(SSE_UNMASK, 0, 0, 0), SBI_SUCCESS);
    EXPECT(start_other(wait_for_global), 0);
    EXPECT(sse(SSE_INJECT, GLOBAL_SOFTWARE, 0, 0), SBI_SUCCESS);
    other_finish();
    EXPECT(lower.hart, other_hart());
    EXPECT(sse_get(GLOBAL_SOFTWARE, PREFERRED_HART), other_hart());
    /* The preferred one has stopped: a hart that is ready takes it. */
    EXPECT(sse(SSE_INJECT, GLOBAL_SOFTWARE, 0, 0), SBI_SUCCESS);
    EXPECT(lower.seen, 2);
    EXPECT(lower.hart, boot_hart);
}

static void leave_running(struct handler *handler, unsigned long hart) {
    note_event(handler, hart);
    __asm__ volatile("fence rw, rw" ::: "memory");
    other_stop();
}

TEST(sse_global_event_of_a_hart_that_stops_is_enabled_again) {
    SETUP();
    NEED(hart_count > 1);
    lower = (struct handler){.handle = leave_running};
    awaited = &lower.seen;
    EXPECT(sse_set(GLOBAL_SOFTWARE, PREFERRED_HART, other_hart()), SBI_SUCCESS);
    EXPECT(use_event(&lower, GLOBAL_SOFTWARE), SBI_SUCCESS);
    EXPECT(start_other(wait_for_global), 0);
    EXPECT(sse(SSE_INJECT, GLOBAL_SOFTWARE, 0, 0), SBI_SUCCESS);
    other_finish();
    EXPECT(lower.hart, other_hart());
    EXPECT(sse_get(GLOBAL_SOFTWARE, STATUS), ENABLED | INJECTABLE);
}
