/* SPDX-License-Identifier: Apache-2.0 */
#include "events_use.h"

volatile unsigned events_seen;

void note_event(struct handler *handler, unsigned long hart) {
    handler->hart = hart;
    handler->sepc = csr_read(sepc);
    handler->status = csr_read(sstatus);
    handler->seen++;
    handler->order = events_seen++;
}

long use_event(struct handler *handler, unsigned long event) {
    long error = sse(SSE_REGISTER, event, (unsigned long)event_entry, (unsigned long)handler);

    handler->event = event;
    return error ? error : sse(SSE_ENABLE, event, 0, 0);
}

void reset_events(void) {
    static const unsigned long events[] = {LOCAL_PMU, LOCAL_SOFTWARE, GLOBAL_SOFTWARE};

    events_seen = 0;
    sse(SSE_MASK, 0, 0, 0);
    for (unsigned i = 0; i < sizeof events / sizeof *events; i++) {
        sse(SSE_DISABLE, events[i], 0, 0);
        sse(SSE_UNREGISTER, events[i], 0, 0);
        sse_set(events[i], PRIORITY, 0);
        sse_set(events[i], CONFIG, 0);
    }
    sse_set(GLOBAL_SOFTWARE, PREFERRED_HART, boot_hart);
}
