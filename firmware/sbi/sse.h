/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Supervisor software events: their state and their delivery. ext_sse.c has the calls.
 *
 * A local event is the hart's own; other harts only make it pending. The global event is everybody's, behind
 * a lock that nobody holds for long: no memory of a supervisor is touched meanwhile.
 */
#ifndef FW_SSE_H
#define FW_SSE_H

#include <stdbool.h>
#include <stdint.h>

#include "sse_state.h"

/* The supervisor's registers that an event changes. The others stay where they are. */
struct interrupted {
    unsigned long epc, status, a6, a7;
};

/* By event_id, so that the lower one of equal priority is the first */
enum sse_index { SSE_LOCAL_PMU, SSE_LOCAL_SOFTWARE, SSE_GLOBAL_SOFTWARE, SSE_EVENTS };

/* The event as this hart sees it */
struct sse_event *sse_event(enum sse_index index);
static inline bool sse_is_global(enum sse_index index) { return index == SSE_GLOBAL_SOFTWARE; }

/* Around every access to the event; nothing for a local one. */
void sse_lock(enum sse_index index);
void sse_unlock(enum sse_index index);

bool sse_pending(enum sse_index index);
/* The PMU event needs LCOFI. */
bool sse_supported(enum sse_index index);

/* The running event of this hart with the highest priority; -1: none. */
int sse_running(void);
/* Resume what that event interrupted; it is enabled again, or registered if it is one-shot. */
void sse_leave(enum sse_index index, struct interrupted *at);

/* After every change: take the event that may be taken now, if there is one, and ask other harts to take the
 * global event. */
void sse_settle(struct interrupted *at);

/* Once at boot. */
void sse_setup(void);
/* On every hart before it enters the supervisor: masked, local events unused. */
void sse_setup_hart(void);
/* The hart goes on elsewhere, as after a start: events wait until it unmasks itself. */
void sse_mask_hart(void);
/* The hart stops: the global event does not run here any more. */
void sse_stop_hart(void);

struct trap_frame;
/* LCOFI, or mail of another hart, has interrupted the supervisor. */
void sse_trap(struct trap_frame *frame);

#endif
