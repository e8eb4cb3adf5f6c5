/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Event-based branches (docs/ebb.md): a program in U-mode is called by its own counter. First the program's
 * side, then the supervisor's. RV64 only.
 */
#ifndef SW_EBB_H
#define SW_EBB_H

#include <stdbool.h>
#include <stdint.h>

#include "csr.h"

/* Calls of U-mode, in a7; their result is in a0 */
enum { EBB_CALL_OPEN = 0x454242, EBB_CALL_ATTACH, EBB_CALL_CLOSE };

/* --- the program's side: U-mode -------------------------------------------------------------------- */

/* Called between two instructions of the program, like a signal handler: by the overflow of `counter`, whose
 * cause is the instruction at `pc` (0: none of the program's). Without causes `pc` is where the program goes
 * on. Routed counters are stopped meanwhile. */
typedef void ebb_handler(unsigned counter, uintptr_t pc);

struct ebb {
    ebb_handler *handler;
    bool without_cause;  /* the machine has no uebbspc (no Sspesa) */
    uint64_t period[32]; /* of counter n; a change acts when it is armed again, which follows the handler */
    uint64_t branches;   /* deliveries */
};

/* A `struct ebb` and its entry, for uebbhr: it saves the registers that C may clobber. */
#define EBB_PROGRAM(name)                                                                                    \
    struct ebb name;                                                                                         \
    extern const char name##_entry[];                                                                        \
    __asm__(".pushsection .text.ebb, \"ax\"\n.balign 4\n.globl " #name "_entry\n" #name                      \
            "_entry: addi sp, sp, -144\n sd a0, 0(sp)\n lla a0, " #name "\n j ebb_frame\n.popsection")

/* Asks the supervisor, who must serve calls (ebb_serve_calls). False: there are none for this program. Then
 * overflows of attached counters call `handler` until ebb_close(). */
bool ebb_open(struct ebb *ebb, const char *entry, ebb_handler *handler);
/* The number of a counter that overflows with the `period`th event of this selector, then with each `period`
 * more; 0: none is free. */
unsigned ebb_attach(struct ebb *ebb, uint64_t selector, uint64_t period);
/* No more deliveries; the window is closed. */
void ebb_close(void);

/* Without a call: a counter's value, or a new one; `held` counters are stopped (a mask). */
static inline uint64_t ebb_read(unsigned counter) {
    csr_write(TALLY_CSR_UEBBSEL, counter);
    return csr_read(TALLY_CSR_UEBBCNT);
}
static inline void ebb_write(unsigned counter, uint64_t value) {
    csr_write(TALLY_CSR_UEBBSEL, counter);
    csr_write(TALLY_CSR_UEBBCNT, value);
}
static inline void ebb_hold(unsigned long held) { csr_write(TALLY_CSR_UEBBINH, held); }

/* --- the supervisor's side ------------------------------------------------------------------------- */

/* The registers of a task that does not run. All 0: a new task, without permission. */
struct ebb_task {
    unsigned long control; /* sebbctl: permission, window, routes */
    unsigned long status, handler, resume, select, inhibit, pc;
    unsigned long running; /* routed counters that the supervisor did not hold */
    uint64_t value[32], event[32];
};

/* Does the firmware let this supervisor have them? */
bool ebb_available(void);

/* Of the task that runs: permission (sebbctl.EN); its registers stay as they are. */
void ebb_permit(bool permitted);
/* Counter n, delegated and unused, counts `selector` in U-mode, is routed to the task, and
 * overflows with the `period`th event. */
void ebb_route(unsigned n, uint64_t selector, uint64_t period);
/* Close the window and all routes: nothing is delivered any more. */
void ebb_unroute(void);
/* Routed counters: an LCOFI handler ignores their bits of scountovf. */
unsigned long ebb_routed(void);

/* Context switch, in the order of docs/rulings.md, EBB and context switches */
void ebb_save(struct ebb_task *task);
void ebb_restore(const struct ebb_task *task);

/* From now on calls of U-mode are served: ebb_open, ebb_attach with the counters of `free`, ebb_close. */
void ebb_serve_calls(unsigned long free);

#endif
