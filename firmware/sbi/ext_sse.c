/* SPDX-License-Identifier: Apache-2.0 */
/* Supervisor software events: the calls. sse.c delivers. */
#include <stdint.h>

#include "csr.h"
#include "hart_set.h"
#include "hart_state.h"
#include "mailbox.h"
#include "memory_map.h"
#include "sbi.h"
#include "sse.h"
#include "trap_frame.h"

/* FLAGS: SPP, SPIE, SPV, SPVP, SPELP, SDT; the hart may lack what one of them is about */
enum { CONFIG_BITS = 1, FLAGS_BITS = 0x3f, STATUS_PENDING = 1 << 2, STATUS_INJECTABLE = 1 << 3 };

static const uint32_t ids[SSE_EVENTS] = {
    [SSE_LOCAL_PMU] = 0x00010000,
    [SSE_LOCAL_SOFTWARE] = 0xffff0000,
    [SSE_GLOBAL_SOFTWARE] = 0xffff8000,
};
/* Known to the SBI, and to nothing here: RAS and double traps */
static const uint32_t unsupported_ids[] = {0x00000000, 0x00000001, 0x00008000, 0x00100000, 0x00108000};

static enum sbi_error find(uint32_t id, enum sse_index *index) {
    for (unsigned i = 0; i < SSE_EVENTS; i++) {
        if (ids[i] != id)
            continue;
        *index = i;
        return sse_supported(i) ? SBI_SUCCESS : SBI_ERR_NOT_SUPPORTED;
    }
    for (unsigned i = 0; i < sizeof unsupported_ids / sizeof *unsupported_ids; i++)
        if (unsupported_ids[i] == id)
            return SBI_ERR_NOT_SUPPORTED;
    return SBI_ERR_INVALID_PARAM;
}

static bool is_injectable(enum sse_index index) { return index != SSE_LOCAL_PMU; }

/* --- attributes ---------------------------------------------------------------------------------- */

static enum sbi_error check_range(uint32_t base, uint32_t count, unsigned long lo, unsigned long hi,
                                  uintptr_t *at) {
    if (!count)
        return SBI_ERR_INVALID_PARAM;
    if (base >= SSE_ATTRIBUTES || count > SSE_ATTRIBUTES - base)
        return SBI_ERR_BAD_RANGE;
    if (lo % sizeof(unsigned long) || !memory_map_shared(lo, hi, count * sizeof(unsigned long), at))
        return SBI_ERR_INVALID_ADDRESS;
    return SBI_SUCCESS;
}

static enum sbi_error read_attrs(enum sse_index index, uint32_t base, uint32_t count, unsigned long lo,
                                 unsigned long hi) {
    const struct sse_event *event = sse_event(index);
    unsigned long values[SSE_ATTRIBUTES];
    uintptr_t at;
    const enum sbi_error error = check_range(base, count, lo, hi, &at);

    if (error)
        return error;
    sse_lock(index);
    for (unsigned i = 0; i < SSE_ATTRIBUTES; i++)
        values[i] = event->attribute[i];
    values[SSE_STATUS] = (unsigned long)event->status | (sse_pending(index) ? STATUS_PENDING : 0) |
                         (is_injectable(index) ? STATUS_INJECTABLE : 0);
    sse_unlock(index);
    return shared_write(at, values + base, count * sizeof *values) ? SBI_SUCCESS : SBI_ERR_INVALID_ADDRESS;
}

/* May the attribute be written now, with this value? (table of event attributes) */
static enum sbi_error check_write(enum sse_index index, unsigned attribute, unsigned long value) {
    const struct sse_event *event = sse_event(index);
    const bool configurable = event->status == SSE_UNUSED || event->status == SSE_REGISTERED;
    const bool handled_here = event->status == SSE_RUNNING && event->runs_on == this_hart->id;
    bool now, legal;

    switch (attribute) {
    case SSE_PRIORITY:
        now = configurable;
        legal = !((uint64_t)value >> 32);
        break;
    case SSE_CONFIG:
        now = configurable;
        legal = !(value & ~(unsigned long)CONFIG_BITS);
        break;
    case SSE_PREFERRED_HART:
        if (!sse_is_global(index))
            return SBI_ERR_DENIED;
        now = configurable;
        legal = value < HARTS_MAX && hart_present >> value & 1;
        break;
    case SSE_INTERRUPTED_FLAGS:
        now = handled_here;
        legal = !(value & ~(unsigned long)FLAGS_BITS);
        break;
    case SSE_INTERRUPTED_SEPC:
    case SSE_INTERRUPTED_A6:
    case SSE_INTERRUPTED_A7:
        now = handled_here;
        legal = true;
        break;
    default:
        return SBI_ERR_DENIED;
    }
    return !now ? SBI_ERR_INVALID_STATE : legal ? SBI_SUCCESS : SBI_ERR_INVALID_PARAM;
}

static enum sbi_error write_attrs(enum sse_index index, uint32_t base, uint32_t count, unsigned long lo,
                                  unsigned long hi) {
    unsigned long values[SSE_ATTRIBUTES];
    uintptr_t at;
    enum sbi_error error = check_range(base, count, lo, hi, &at);

    if (error)
        return error;
    if (!shared_read(values, at, count * sizeof *values))
        return SBI_ERR_INVALID_ADDRESS;
    sse_lock(index);
    for (unsigned i = 0; i < count && !error; i++)
        error = check_write(index, base + i, values[i]);
    for (unsigned i = 0; i < count && !error; i++)
        sse_event(index)->attribute[base + i] = values[i];
    sse_unlock(index);
    return error;
}

/* --- states -------------------------------------------------------------------------------------- */

/* One step of the state machine */
static enum sbi_error move(enum sse_index index, enum sse_status from, enum sse_status to) {
    struct sse_event *event = sse_event(index);
    enum sbi_error error = SBI_SUCCESS;

    sse_lock(index);
    if (event->status == from)
        event->status = to;
    else
        error = SBI_ERR_INVALID_STATE;
    sse_unlock(index);
    return error;
}

static enum sbi_error register_handler(enum sse_index index, unsigned long pc, unsigned long arg) {
    struct sse_event *event = sse_event(index);
    enum sbi_error error = SBI_ERR_INVALID_STATE;

    if (pc & 1)
        return SBI_ERR_INVALID_PARAM;
    sse_lock(index);
    if (event->status == SSE_UNUSED) {
        event->attribute[SSE_ENTRY_PC] = pc;
        event->attribute[SSE_ENTRY_ARG] = arg;
        event->status = SSE_REGISTERED;
        error = SBI_SUCCESS;
    }
    sse_unlock(index);
    return error;
}

static enum sbi_error inject(enum sse_index index, unsigned long hart) {
    if (sse_is_global(index)) {
        sse_lock(index);
        sse_event(index)->pending = 1;
        sse_unlock(index);
        return SBI_SUCCESS;
    }
    if (hart >= HARTS_MAX || !(hart_present >> hart & 1))
        return SBI_ERR_INVALID_PARAM;
    if (!is_injectable(index) || !hart_interruptible(1ul << hart))
        return SBI_ERR_FAILED;
    __atomic_store_n(&hart_of(hart)->sse.local[index].pending, 1, __ATOMIC_RELEASE);
    if (hart != this_hart->id)
        mailbox_post(1ul << hart, MAIL_SSE);
    return SBI_SUCCESS;
}

static enum sbi_error set_unmasked(bool unmasked) {
    enum sbi_error error = SBI_SUCCESS;

    sse_lock(SSE_GLOBAL_SOFTWARE);
    if (this_hart->sse.unmasked == unmasked)
        error = unmasked ? SBI_ERR_ALREADY_STARTED : SBI_ERR_ALREADY_STOPPED;
    this_hart->sse.unmasked = unmasked;
    sse_unlock(SSE_GLOBAL_SOFTWARE);
    return error;
}

/* --- the calls ------------------------------------------------------------------------------------ */

enum { READ, WRITE, REGISTER, UNREGISTER, ENABLE, DISABLE, COMPLETE, INJECT, HART_UNMASK, HART_MASK };

static enum sbi_error call_of_event(unsigned long fid, uint32_t id, unsigned long a1, unsigned long a2,
                                    unsigned long a3, unsigned long a4) {
    enum sse_index index;
    const enum sbi_error error = find(id, &index);

    if (error)
        return error;
    switch (fid) {
    case READ:
        return read_attrs(index, (uint32_t)a1, (uint32_t)a2, a3, a4);
    case WRITE:
        return write_attrs(index, (uint32_t)a1, (uint32_t)a2, a3, a4);
    case REGISTER:
        return register_handler(index, a1, a2);
    case UNREGISTER:
        return move(index, SSE_REGISTERED, SSE_UNUSED);
    case ENABLE:
        return move(index, SSE_REGISTERED, SSE_ENABLED);
    case DISABLE:
        return move(index, SSE_ENABLED, SSE_REGISTERED);
    default:
        return inject(index, a1);
    }
}

/* The registers that a call has interrupted: a6 and a7 are in its frame. */
static struct interrupted caller(void) {
    const struct call_frame *frame = call_frame();

    return (struct interrupted){csr_read(mepc), csr_read(mstatus), frame->a6, frame->a7};
}

static void resume(const struct interrupted *at) {
    struct call_frame *frame = call_frame();

    csr_write(mepc, at->epc);
    csr_write(mstatus, at->status);
    frame->a6 = at->a6;
    frame->a7 = at->a7;
}

struct sbiret sse_call(SBI_ARGUMENTS) {
    struct interrupted at = caller();
    struct sbiret ret = {SBI_SUCCESS, 0};
    int running;

    SBI_UNUSED;
    switch (fid) {
    case COMPLETE:
        sse_lock(SSE_GLOBAL_SOFTWARE);
        running = sse_running();
        if (running >= 0) {
            sse_leave((enum sse_index)running, &at);
            ret = (struct sbiret){(long)a0, a1}; /* what the handler has put there for whom it interrupted */
        }
        sse_unlock(SSE_GLOBAL_SOFTWARE);
        break;
    case HART_UNMASK:
        ret.error = set_unmasked(true);
        break;
    case HART_MASK:
        ret.error = set_unmasked(false);
        break;
    default:
        ret.error =
            fid > HART_MASK ? SBI_ERR_NOT_SUPPORTED : call_of_event(fid, (uint32_t)a0, a1, a2, a3, a4);
        break;
    }
    sse_settle(&at);
    resume(&at);
    return ret;
}
