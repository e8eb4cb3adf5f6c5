/* SPDX-License-Identifier: Apache-2.0 */
/* State of the extension SSE of an event, and of a hart. */
#ifndef FW_SSE_STATE_H
#define FW_SSE_STATE_H

#include <stdbool.h>

/* Of an event; the numbers are the SBI's, as are those of the attributes. */
enum sse_status { SSE_UNUSED, SSE_REGISTERED, SSE_ENABLED, SSE_RUNNING };

enum sse_attribute {
    SSE_STATUS,
    SSE_PRIORITY,
    SSE_CONFIG,
    SSE_PREFERRED_HART,
    SSE_ENTRY_PC,
    SSE_ENTRY_ARG,
    SSE_INTERRUPTED_SEPC,
    SSE_INTERRUPTED_FLAGS,
    SSE_INTERRUPTED_A6,
    SSE_INTERRUPTED_A7,
    SSE_ATTRIBUTES
};

struct sse_event {
    unsigned long attribute[SSE_ATTRIBUTES]; /* not SSE_STATUS, which is made of: */
    enum sse_status status;
    volatile unsigned int pending; /* other harts set it; the PMU event's is LCOFIP instead */
    unsigned long runs_on;         /* of a running global event: the hart */
};

struct sse_state {
    struct sse_event local[2];
    volatile bool unmasked; /* others read it */
    bool lcofi_enabled;     /* sie.LCOFIE of the supervisor while LCOFI is the firmware's */
};

#endif
