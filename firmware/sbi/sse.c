/* SPDX-License-Identifier: Apache-2.0 */
#include "sse.h"

#include "bits.h"
#include "csr.h"
#include "hart_set.h"
#include "hart_state.h"
#include "mailbox.h"
#include "pmu.h"
#include "redirect.h"
#include "trap_frame.h"

enum { CONFIG_ONE_SHOT = 1, FLAG_SPP = 1, FLAG_SPIE = 2, FLAGS_GUEST_LSB = 2, NOBODY = -1 };

static struct sse_event global FW_SHARED;
static volatile int lock FW_SHARED;

struct sse_event *sse_event(enum sse_index index) {
    return sse_is_global(index) ? &global : &this_hart->sse.local[index];
}

void sse_lock(enum sse_index index) {
    if (sse_is_global(index))
        while (__atomic_exchange_n(&lock, 1, __ATOMIC_ACQUIRE))
            ;
}

void sse_unlock(enum sse_index index) {
    if (sse_is_global(index))
        __atomic_store_n(&lock, 0, __ATOMIC_RELEASE);
}

bool sse_pending(enum sse_index index) {
    return index == SSE_LOCAL_PMU ? csr_read(mip) & INTERRUPT_BIT(LCOFI) : sse_event(index)->pending;
}

bool sse_supported(enum sse_index index) {
    return index != SSE_LOCAL_PMU || (pmu_found && pmu_hardware.overflow);
}

/* --- who is first -------------------------------------------------------------------------------- */

static bool before(enum sse_index a, enum sse_index b) {
    const unsigned long first = sse_event(a)->attribute[SSE_PRIORITY];
    const unsigned long second = sse_event(b)->attribute[SSE_PRIORITY];

    return first < second || (first == second && a < b);
}

static bool runs_here(enum sse_index index) {
    const struct sse_event *event = sse_event(index);

    return event->status == SSE_RUNNING && (!sse_is_global(index) || event->runs_on == this_hart->id);
}

int sse_running(void) {
    int best = -1;

    for (unsigned i = 0; i < SSE_EVENTS; i++)
        if (runs_here(i) && (best < 0 || before(i, (enum sse_index)best)))
            best = (int)i;
    return best;
}

/* --- who handles the global event ------------------------------------------------------------------ */

static bool is_ready(unsigned long id) {
    const struct hart *hart = hart_of(id);

    return hart->sse.unmasked && hart_interruptible(1ul << id);
}

/* The preferred hart if it is ready, this one if it is, else any */
static int handler(void) {
    const unsigned long preferred = global.attribute[SSE_PREFERRED_HART];

    if (is_ready(preferred))
        return (int)preferred;
    if (is_ready(this_hart->id))
        return (int)this_hart->id;
    for (unsigned long rest = hart_present; rest; rest &= rest - 1)
        if (is_ready(lowest_bit(rest)))
            return (int)lowest_bit(rest);
    return NOBODY;
}

/* --- delivery ------------------------------------------------------------------------------------ */

/* `running`: what runs here, or -1 */
static bool may_run(enum sse_index index, int running) {
    return this_hart->sse.unmasked && sse_event(index)->status == SSE_ENABLED &&
           (running < 0 || before(index, (enum sse_index)running));
}

static void take(enum sse_index index, struct interrupted *at) {
    struct sse_event *event = sse_event(index);
    unsigned long *attribute = event->attribute;

    event->status = SSE_RUNNING;
    event->runs_on = this_hart->id;
    if (index == SSE_LOCAL_PMU)
        csr_clear(mip, INTERRUPT_BIT(LCOFI));
    else
        (void)__atomic_exchange_n(&event->pending, 0, __ATOMIC_ACQUIRE);
    attribute[SSE_INTERRUPTED_FLAGS] = (at->status & MSTATUS_SPP ? FLAG_SPP : 0) |
                                       (at->status & MSTATUS_SPIE ? FLAG_SPIE : 0) |
                                       (unsigned long)redirect_guest_before() << FLAGS_GUEST_LSB;
    attribute[SSE_INTERRUPTED_SEPC] = csr_read(sepc);
    attribute[SSE_INTERRUPTED_A6] = at->a6;
    attribute[SSE_INTERRUPTED_A7] = at->a7;
    csr_write(sepc, at->epc);
    redirect_to_event(&at->status);
    at->a6 = this_hart->id;
    at->a7 = attribute[SSE_ENTRY_ARG];
    at->epc = attribute[SSE_ENTRY_PC];
}

void sse_leave(enum sse_index index, struct interrupted *at) {
    struct sse_event *event = sse_event(index);
    const unsigned long *attribute = event->attribute;
    const unsigned long flags = attribute[SSE_INTERRUPTED_FLAGS];

    at->epc = csr_read(sepc);
    redirect_from_event(&at->status, flags & FLAG_SPP, flags & FLAG_SPIE,
                        (unsigned)(flags >> FLAGS_GUEST_LSB));
    at->a6 = attribute[SSE_INTERRUPTED_A6];
    at->a7 = attribute[SSE_INTERRUPTED_A7];
    csr_write(sepc, attribute[SSE_INTERRUPTED_SEPC]);
    event->status = attribute[SSE_CONFIG] & CONFIG_ONE_SHOT ? SSE_REGISTERED : SSE_ENABLED;
}

/* LCOFI is the firmware's from the moment that the PMU event is enabled, and interrupts when the event may be
 * taken: interrupts of M-mode do not ask for the supervisor's SIE. Until then LCOFIP stays, and with it the
 * cause of the first overflow (Sspesa). */
static void route_overflow(void) {
    struct sse_state *sse = &this_hart->sse;
    const bool wanted = sse->local[SSE_LOCAL_PMU].status >= SSE_ENABLED;
    const bool delegated = csr_read(mideleg) & INTERRUPT_BIT(LCOFI);
    bool enabled;

    if (!wanted && (delegated || !sse_supported(SSE_LOCAL_PMU)))
        return;
    if (wanted && delegated) {
        sse->lcofi_enabled = csr_read(mie) & INTERRUPT_BIT(LCOFI);
        csr_clear(mideleg, INTERRUPT_BIT(LCOFI));
    } else if (!wanted) {
        csr_set(mideleg, INTERRUPT_BIT(LCOFI));
    }
    enabled = wanted ? may_run(SSE_LOCAL_PMU, sse_running()) : sse->lcofi_enabled;
    csr_clear(mie, INTERRUPT_BIT(LCOFI));
    csr_set(mie, enabled ? INTERRUPT_BIT(LCOFI) : 0);
}

void sse_settle(struct interrupted *at) {
    int running, best = -1, other = NOBODY;

    sse_lock(SSE_GLOBAL_SOFTWARE);
    running = sse_running();
    if (global.status == SSE_ENABLED && global.pending)
        other = handler();
    for (unsigned i = 0; i < SSE_EVENTS; i++) {
        if (sse_is_global(i) && other != (int)this_hart->id)
            continue;
        if (sse_pending(i) && may_run(i, running) && (best < 0 || before(i, (enum sse_index)best)))
            best = (int)i;
    }
    if (best >= 0)
        take((enum sse_index)best, at);
    route_overflow();
    sse_unlock(SSE_GLOBAL_SOFTWARE);
    if (other != NOBODY && other != (int)this_hart->id)
        mailbox_post(1ul << other, MAIL_SSE);
}

void sse_trap(struct trap_frame *frame) {
    struct interrupted at = {frame->epc, frame->status, frame->x[16], frame->x[17]};

    sse_settle(&at);
    frame->epc = at.epc;
    frame->status = at.status;
    frame->x[16] = at.a6;
    frame->x[17] = at.a7;
}

/* --- set-up -------------------------------------------------------------------------------------- */

void sse_setup(void) { global.attribute[SSE_PREFERRED_HART] = this_hart->id; }

void sse_setup_hart(void) {
    struct sse_state *sse = &this_hart->sse;

    *sse = (struct sse_state){0};
    for (unsigned i = 0; i < sizeof sse->local / sizeof *sse->local; i++)
        sse->local[i].attribute[SSE_PREFERRED_HART] = this_hart->id;
}

void sse_mask_hart(void) {
    sse_lock(SSE_GLOBAL_SOFTWARE);
    this_hart->sse.unmasked = false;
    sse_unlock(SSE_GLOBAL_SOFTWARE);
}

void sse_stop_hart(void) {
    int other;

    sse_lock(SSE_GLOBAL_SOFTWARE);
    this_hart->sse.unmasked = false;
    if (runs_here(SSE_GLOBAL_SOFTWARE))
        global.status = global.attribute[SSE_CONFIG] & CONFIG_ONE_SHOT ? SSE_REGISTERED : SSE_ENABLED;
    other = global.status == SSE_ENABLED && global.pending ? handler() : NOBODY;
    sse_unlock(SSE_GLOBAL_SOFTWARE);
    if (other != NOBODY)
        mailbox_post(1ul << other, MAIL_SSE);
}
