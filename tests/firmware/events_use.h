/* SPDX-License-Identifier: Apache-2.0 */
/* Calls of the extension SSE, and handlers of events. */
#ifndef EVENTS_USE_H
#define EVENTS_USE_H

#include "suite.h"

#define LOCAL_PMU 0x00010000ul
#define LOCAL_SOFTWARE 0xffff0000ul
#define GLOBAL_SOFTWARE 0xffff8000ul

enum event_state { UNUSED, REGISTERED, ENABLED, RUNNING };
enum { PENDING = 4, INJECTABLE = 8 };
enum attribute {
    STATUS,
    PRIORITY,
    CONFIG,
    PREFERRED_HART,
    ENTRY_PC,
    ENTRY_ARG,
    INTERRUPTED_SEPC,
    INTERRUPTED_FLAGS,
    INTERRUPTED_A6,
    INTERRUPTED_A7,
    ATTRIBUTES
};
enum sse_function {
    SSE_READ,
    SSE_WRITE,
    SSE_REGISTER,
    SSE_UNREGISTER,
    SSE_ENABLE,
    SSE_DISABLE,
    SSE_COMPLETE,
    SSE_INJECT,
    SSE_UNMASK,
    SSE_MASK
};

static inline long sse(unsigned long fid, unsigned long a0, unsigned long a1, unsigned long a2) {
    return sbi_call3(SBI_EXT_SSE, fid, a0, a1, a2).error;
}

static inline long sse_attributes(enum sse_function fid, unsigned long event, unsigned long base,
                                  unsigned long count, unsigned long *values) {
    return sbi_call6(SBI_EXT_SSE, fid, event, base, count, (unsigned long)values, 0, 0).error;
}

static inline unsigned long sse_get(unsigned long event, enum attribute attribute) {
    unsigned long value = ~0ul;

    return sse_attributes(SSE_READ, event, attribute, 1, &value) ? ~0ul : value;
}

static inline long sse_set(unsigned long event, enum attribute attribute, unsigned long value) {
    return sse_attributes(SSE_WRITE, event, attribute, 1, &value);
}

static inline bool sse_offered(void) { return sbi_call3(SBI_EXT_BASE, 3, SBI_EXT_SSE, 0, 0).value; }

/* An event's argument: event_entry.S calls handle() on the interrupted code's stack. Its return
 * completes the event. */
struct handler {
    void (*handle)(struct handler *handler, unsigned long hart);
    unsigned long event;
    unsigned long seen; /* how often it came */
    unsigned long hart, sepc, status;
    unsigned order; /* of all events: the how many-th */
};

void event_entry(void);
/* The next event's order */
extern volatile unsigned events_seen;
/* Notes the state found by its handler. */
void note_event(struct handler *handler, unsigned long hart);
/* Register and enable; 0 or the first error */
long use_event(struct handler *handler, unsigned long event);
/* All events unused on this hart, with the attributes of reset; masked. */
void reset_events(void);

#endif
