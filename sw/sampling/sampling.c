/* SPDX-License-Identifier: Apache-2.0 */
#include "sampling.h"

#include <string.h>

#include "csr.h"
#include "layout.h"
#include "supervisor.h"

#if __riscv_xlen != 64
#error "handler.S keeps records of RV64"
#endif

#define NOW_AT(field, offset)                                                                                \
    _Static_assert(offsetof(struct sampling_now, field) == (offset), "layout.h: " #field)
NOW_AT(next, NOW_NEXT);
NOW_AT(end, NOW_END);
NOW_AT(seed, NOW_SEED);
NOW_AT(jitter, NOW_JITTER);
NOW_AT(preset, NOW_PRESET);
NOW_AT(event, NOW_EVENT);
NOW_AT(header, NOW_HEADER);
NOW_AT(lost, NOW_LOST);
NOW_AT(tail, NOW_TAIL);
NOW_AT(control, NOW_CONTROL);
NOW_AT(size, NOW_SIZE);
NOW_AT(interrupts, NOW_INTERRUPTS);
NOW_AT(faults, NOW_FAULTS);
NOW_AT(instructions, NOW_INSTRUCTIONS);
NOW_AT(sources, NOW_SOURCES);
NOW_AT(full, NOW_FULL);
NOW_AT(walk, NOW_WALK);
_Static_assert(sizeof(struct sampling_record) == RECORD_BYTES && RECORD_BYTES == TALLY_RECORD_BYTES_RV64,
               "layout.h: record");

#define CS_EN TALLY_SPDISAMBCS_EN_MASK
#define CS_TF TALLY_SPDISAMBCS_TF_MASK
#define CS_BMI TALLY_SPDISAMBCS_BMI_MASK
#define CS_EMPTY TALLY_SPDISAMBCS_EMPTY_MASK
#define CS_TRV TALLY_SPDISAMBCS_TRV_MASK
#define CS_BMIEN TALLY_SPDISAMBCS_BMIEN_MASK
#define CS_HALF (2ull << TALLY_SPDISAMBCS_BMITH_LSB) /* BMITH: at the middle; 0: at the end */

enum { INHIBIT_PDIS = 1 }; /* bit of scountinhibit */
#define SEED 0x9e3779b97f4a7c15u
#define SAMPLE_INTERRUPTS (INTERRUPT_BIT(LCOFI) | INTERRUPT_BIT(LAMBI))

extern const char sampling_counter_vectors[], sampling_registers_vectors[], sampling_record_vectors[],
    sampling_batches_vectors[], sampling_recorder_vectors[], sampling_together_vectors[],
    sampling_together_s_vectors[], supervisor_trap[];

/* handler.S works on it */
struct sampling_now sampling_now;
static enum sampling_kind kind;
static struct sampling_setup setup;

static bool has_counter(void) { return kind == SAMPLING_COUNTER || kind == SAMPLING_TOGETHER; }
static bool has_instructions(void) { return kind != SAMPLING_COUNTER; }
static bool has_buffer(void) { return kind >= SAMPLING_RECORD; }
static bool has_batches(void) { return kind == SAMPLING_BATCHES || kind == SAMPLING_TOGETHER; }

/* --- the machine's side --------------------------------------------------------------------------- */

static void vectors(enum sampling_kind k) {
    static const char *const tables[] = {
        [SAMPLING_COUNTER] = sampling_counter_vectors,   [SAMPLING_REGISTERS] = sampling_registers_vectors,
        [SAMPLING_RECORD] = sampling_record_vectors,     [SAMPLING_BATCHES] = sampling_batches_vectors,
        [SAMPLING_RECORDER] = sampling_recorder_vectors, [SAMPLING_TOGETHER] = sampling_together_vectors};
    const uintptr_t vectored = 1;

    const bool hidden = k == SAMPLING_TOGETHER && setup.supervisor;
    const char *table = hidden ? sampling_together_s_vectors : tables[k];

    csr_write(stvec, k == SAMPLING_OFF ? (uintptr_t)supervisor_trap : (uintptr_t)table | vectored);
}

static unsigned long sources(void) {
    return (has_counter() ? 1ul << setup.counter : 0) | (has_instructions() ? 1ul << INHIBIT_PDIS : 0);
}

static void hold(void) { csr_set(TALLY_CSR_SCOUNTINHIBIT, sources()); }

static void go(void) {
    csr_write(TALLY_CSR_SISELECT,
              has_counter() ? TALLY_COUNTER_SELECT + setup.counter : (unsigned)TALLY_RECORD_SELECT);
    vectors(kind);
    csr_set(sie, SAMPLE_INTERRUPTS);
    csr_clear(TALLY_CSR_SCOUNTINHIBIT, sources());
}

static void silence(void) {
    csr_clear(sie, SAMPLE_INTERRUPTS);
    csr_clear(sip, SAMPLE_INTERRUPTS);
    vectors(SAMPLING_OFF);
    kind = SAMPLING_OFF;
}

/* The source is held: samples under way arrive. */
static void wait_empty(void) {
    while (!(csr_read(TALLY_CSR_SPDISAMBCS) & CS_EMPTY))
        ;
}

/* False: it cannot be translated. The address is inside the buffer. */
static bool open_buffer(uint64_t address, uint64_t control) {
    csr_write(TALLY_CSR_SPDISAMBADDR, address);
    csr_write(TALLY_CSR_SPDISAMBCS, control);
    for (;;) {
        const uint64_t status = csr_read(TALLY_CSR_SPDISAMBCS);

        if (status & CS_TF) {
            csr_write(TALLY_CSR_SPDISAMBCS, 0);
            return false;
        }
        if (status & CS_TRV)
            return true;
    }
}

/* The log is full: its records go to the sink. Handlers write some fields of a record; others must be 0. */
static void empty_log(void) {
    struct sampling_record *const first = setup.log->records;
    const size_t n = (size_t)(sampling_now.next - first);
    const unsigned long held = csr_read(TALLY_CSR_SCOUNTINHIBIT);

    hold();
    if (!setup.sink(first, n))
        sampling_now.lost += n;
    memset(first, 0, n * sizeof *first);
    sampling_now.next = first;
    csr_write(TALLY_CSR_SCOUNTINHIBIT, held);
}

/* Batches: the records that the next interrupt's handler would take */
static void drain(void) {
    const struct sampling_record *head = (struct sampling_record *)csr_read(TALLY_CSR_SPDISAMBADDR);
    const struct sampling_record *end = setup.buffer + setup.buffer_size / sizeof *end;

    while (sampling_now.tail != head) {
        if (sampling_now.next == sampling_now.end && sampling_now.full)
            sampling_now.full();
        if (sampling_now.next < sampling_now.end)
            *sampling_now.next++ = *sampling_now.tail;
        else
            sampling_now.lost++;
        if (++sampling_now.tail == end)
            sampling_now.tail = setup.buffer;
    }
}

static bool refused;

static void skip(struct trap_frame *frame) {
    refused = true;
    frame->epc += 4; /* a CSR instruction */
}

bool sampling_available(enum sampling_kind k) {
    refused = false;
    trap_set_exception(TALLY_EXC_ILLEGAL, skip);
    if (k == SAMPLING_COUNTER || k == SAMPLING_TOGETHER)
        csr_read(TALLY_CSR_SHPMSPC);
    if (k != SAMPLING_COUNTER)
        csr_read(TALLY_CSR_SPDISCTL);
    trap_set_exception(TALLY_EXC_ILLEGAL, NULL);
    return !refused;
}

/* --- the log --------------------------------------------------------------------------------------- */

/* The note of --build-id, as program.ld places it: sizes of name and id, type, the name "GNU", the id. */
extern const uint8_t build_id_note[], build_id_note_end[];

static void put_build_id(struct sampling_log *log) {
    enum { ID_AT = 16 };
    const size_t there = (size_t)(build_id_note_end - build_id_note);

    if (there <= ID_AT || there - ID_AT > sizeof log->build_id)
        return;
    log->build_id_length = (uint32_t)(there - ID_AT);
    memcpy(log->build_id, build_id_note + ID_AT, there - ID_AT);
}

/* Handlers write some fields of a record; others must be 0 already. */
static void open_log(struct sampling_log *log, const char *name) {
    const size_t length = strnlen(name, SAMPLING_NAME - 1);

    if (memcmp(log->magic, "TALLYREC", sizeof log->magic) == 0)
        memset(log->records, 0, log->count * sizeof *log->records);
    *log = (struct sampling_log){.version = setup.walk ? 3 : 2,
                                 .header_size = sizeof *log,
                                 .xlen = __riscv_xlen,
                                 .record_size = sizeof *log->records,
                                 .period = setup.period + setup.jitter / 2,
                                 .name_length = (uint32_t)length,
                                 .modes = setup.user | setup.supervisor << 1,
                                 .begin = csr_read(time)};
    memcpy(log->magic, "TALLYREC", sizeof log->magic);
    memcpy(log->name, name, length);
    put_build_id(log);
    sampling_now.next = log->records;
    sampling_now.end = log->records + setup.capacity;
}

/* --- start and stop -------------------------------------------------------------------------------- */

/* The first sample comes later by a part of the jitter that the seed decides. */
static uint64_t first_delay(void) { return sampling_now.seed >> 32 & sampling_now.jitter; }

static void start_counter(void) {
    uint64_t filter = TALLY_MHPMEVENT_SINH_MASK | TALLY_MHPMEVENT_UINH_MASK;

    if (setup.user)
        filter &= ~TALLY_MHPMEVENT_UINH_MASK;
    if (setup.supervisor)
        filter &= ~TALLY_MHPMEVENT_SINH_MASK;
    sampling_now.event = setup.event | filter;
    sampling_now.header = 1ull << setup.counter; /* HPM n is bit n */
    sampling_now.preset = 0 - setup.period;
    csr_write(TALLY_CSR_SISELECT, TALLY_COUNTER_SELECT + setup.counter);
    csr_write(TALLY_CSR_SIREG, sampling_now.preset - first_delay());
    csr_write(TALLY_CSR_SIREG2, sampling_now.event);
}

static bool start_instructions(void) {
    const uint64_t period = kind == SAMPLING_TOGETHER ? setup.instructions : setup.period;
    uint64_t control = setup.control;

    if (setup.user)
        control |= TALLY_SPDISCTL_U_MASK;
    if (setup.supervisor)
        control |= TALLY_SPDISCTL_S_MASK;
    if (has_buffer()) {
        const uint64_t size = (uint64_t)__builtin_ctzll(setup.buffer_size) - 12;
        const uint64_t interrupt = kind == SAMPLING_RECORD ? 0 : CS_BMIEN | CS_HALF;

        sampling_now.tail = setup.buffer;
        sampling_now.size = setup.buffer_size;
        sampling_now.control = CS_EN | size << TALLY_SPDISAMBCS_SIZE_LSB | interrupt;
        control |= TALLY_SPDISCTL_MEM_MASK;
        if (!open_buffer((uintptr_t)setup.buffer, sampling_now.control))
            return false;
        if (interrupt) {
            control |= TALLY_SPDISCTL_OF_MASK;
            sampling_now.control ^= CS_HALF; /* from the first interrupt on */
        }
    }
    sampling_now.instructions = (0 - period) << 32 | ((0 - period) & 0xffffffff);
    csr_write(TALLY_CSR_SPDISEVMASK, setup.mask);
    csr_write(TALLY_CSR_SPDISEVMATCH, setup.match);
    csr_write(TALLY_CSR_SPDISFILTER, setup.filter);
    csr_write(TALLY_CSR_SPDISCOUNTER, sampling_now.instructions - first_delay());
    csr_write(TALLY_CSR_SPDISCTL, control);
    return true;
}

bool sampling_start(const struct sampling_setup *s, const char *name) {
    sampling_now = (struct sampling_now){.seed = (s->seed + 1) * SEED, .jitter = s->jitter};
    setup = *s;
    kind = s->kind;
    hold();
    csr_clear(sip, SAMPLE_INTERRUPTS);
    if (setup.log)
        open_log(setup.log, name);
    sampling_now.sources = sources();
    sampling_now.full = setup.log && setup.sink ? empty_log : NULL;
    sampling_now.walk = setup.walk;
    if (has_counter())
        start_counter();
    if (has_instructions() && !start_instructions()) {
        silence();
        return false;
    }
    go();
    return true;
}

size_t sampling_stop(void) {
    hold();
    if (has_instructions()) {
        wait_empty();
        if (has_batches())
            drain();
        if (kind == SAMPLING_RECORDER)
            sampling_now.tail = (struct sampling_record *)csr_read(TALLY_CSR_SPDISAMBADDR);
        csr_write(TALLY_CSR_SPDISCTL, 0);
    }
    silence();
    if (!setup.log)
        return sampling_now.interrupts ? setup.buffer_size / sizeof *setup.buffer
                                       : (size_t)(sampling_now.tail - setup.buffer);
    setup.log->count = (uint64_t)(sampling_now.next - setup.log->records);
    setup.log->lost = sampling_now.lost;
    setup.log->end = csr_read(time);
    return setup.log->count;
}

const struct sampling_now *sampling_status(void) { return &sampling_now; }

const struct sampling_record *sampling_newest(void) { return sampling_now.tail; }

/* --- context switch -------------------------------------------------------------------------------- */

#define WORDS(X) X(0, SIREG) X(1, SIREG2) X(2, SIREG3) X(3, SIREG4) X(4, SIREG5) X(5, SIREG6)

static void save_instructions(struct sampling_state *s) {
    wait_empty();
    if (has_batches())
        drain();
    s->control = csr_read(TALLY_CSR_SPDISCTL);
    s->counter = csr_read(TALLY_CSR_SPDISCOUNTER);
    s->mask = csr_read(TALLY_CSR_SPDISEVMASK);
    s->match = csr_read(TALLY_CSR_SPDISEVMATCH);
    s->filter = csr_read(TALLY_CSR_SPDISFILTER);
    csr_write(TALLY_CSR_SISELECT, TALLY_RECORD_SELECT);
#define SAVE(n, csr) s->words[n] = csr_read(TALLY_CSR_##csr);
    WORDS(SAVE)
    if (has_buffer()) {
        s->buffer_address = csr_read(TALLY_CSR_SPDISAMBADDR);
        s->buffer_control = csr_read(TALLY_CSR_SPDISAMBCS);
        csr_write(TALLY_CSR_SPDISAMBCS, 0);
        if (s->buffer_control & CS_BMI) { /* answer the interrupt here: silence() takes it back */
            s->buffer_control = sampling_now.control;
            sampling_now.control ^= CS_HALF;
            sampling_now.interrupts++;
        }
    }
    csr_write(TALLY_CSR_SPDISCTL, 0);
}

/* Its fields of the hardware's side are read-only. */
static void restore_instructions(const struct sampling_state *s) {
    if (has_buffer() && !open_buffer(s->buffer_address, s->buffer_control))
        sampling_now.faults++;
    csr_write(TALLY_CSR_SPDISEVMASK, s->mask);
    csr_write(TALLY_CSR_SPDISEVMATCH, s->match);
    csr_write(TALLY_CSR_SPDISFILTER, s->filter);
    csr_write(TALLY_CSR_SPDISCOUNTER, s->counter);
    csr_write(TALLY_CSR_SISELECT, TALLY_RECORD_SELECT);
#define RESTORE(n, csr) csr_write(TALLY_CSR_##csr, s->words[n]);
    WORDS(RESTORE)
    csr_write(TALLY_CSR_SPDISCTL, s->control);
}

static void save_counter(struct sampling_state *s) {
    csr_write(TALLY_CSR_SISELECT, TALLY_COUNTER_SELECT + setup.counter);
    s->value = csr_read(TALLY_CSR_SIREG);
    s->event = csr_read(TALLY_CSR_SIREG2);
    s->pc = csr_read(TALLY_CSR_SHPMSPC);
    s->data = csr_read(TALLY_CSR_SHPMSDATA);
}

static void restore_counter(const struct sampling_state *s) {
    csr_write(TALLY_CSR_SISELECT, TALLY_COUNTER_SELECT + setup.counter);
    csr_write(TALLY_CSR_SIREG, s->value);
    csr_write(TALLY_CSR_SIREG2, s->event);
    csr_write(TALLY_CSR_SHPMSPC, s->pc);
    csr_write(TALLY_CSR_SHPMSDATA, s->data);
}

void sampling_save(struct sampling_state *s) {
    s->kind = kind;
    if (kind == SAMPLING_OFF)
        return;
    hold();
    if (has_counter())
        save_counter(s);
    if (has_instructions())
        save_instructions(s);
    s->pending = csr_read(sip) & INTERRUPT_BIT(LCOFI);
    s->now = sampling_now;
    s->setup = setup;
    silence();
}

void sampling_restore(const struct sampling_state *s) {
    if (s->kind == SAMPLING_OFF)
        return;
    kind = s->kind;
    setup = s->setup;
    sampling_now = s->now;
    if (has_counter())
        restore_counter(s);
    if (has_instructions())
        restore_instructions(s);
    if (s->pending)
        csr_set(sip, INTERRUPT_BIT(LCOFI));
    go();
}
