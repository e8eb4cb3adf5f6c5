/* SPDX-License-Identifier: Apache-2.0 */
/* Sampling a piece of a program with the driver of sw/sampling; the log is tally_records. The settings are
 * variables, chosen when the program runs (tally-sim --set sampled_period=1000). */
#ifndef SW_SAMPLED_H
#define SW_SAMPLED_H

#include <stdint.h>

#include "perf.h"
#include "sampling.h"

extern volatile uint64_t sampled_kind;   /* enum sampling_kind; SAMPLING_OFF: none, but the same program */
extern volatile uint64_t sampled_event;  /* SAMPLING_COUNTER: its selector */
extern volatile uint64_t sampled_period; /* ... in events, others in decoded instructions */
extern volatile uint64_t sampled_instructions; /* SAMPLING_TOGETHER: decoded instructions a sample */
extern volatile uint64_t sampled_jitter;       /* 2^n - 1 */
extern volatile uint64_t sampled_control;      /* bits of spdisctl besides SEL_ALL and TS */
extern volatile uint64_t sampled_seed;         /* not 0 */

extern volatile uint64_t sampled_stacks;           /* 1: call stacks by frame pointers, of the stack below */
extern uintptr_t sampled_stack, sampled_stack_end; /* U-mode's; equal at first: not known */

/* Takes a full log (struct sampling_setup); NULL at first. */
extern bool (*sampled_sink)(const struct sampling_record *records, size_t n);

/* perf_here with interrupts on: S-mode can be sampled only then. */
perf_runner sampled_here;

/* Run `work` by `runner`, and sample the modes that perf_count() counts: U and S. Says on the console how
 * many samples there are. */
uint64_t sampled_run(perf_runner *runner, perf_work *work, const char *name);

#endif
