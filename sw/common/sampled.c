/* SPDX-License-Identifier: Apache-2.0 */
#include "sampled.h"

#include "console.h"
#include "csr.h"
#include "sampling.h"
#include "supervisor.h"

enum { CAPACITY = 8192, COUNTER = 3, PERIOD = 256, JITTER = 63 };

volatile uint64_t sampled_kind = SAMPLING_BATCHES, sampled_event = TALLY_EV_CYCLES_HART,
                  sampled_period = PERIOD, sampled_jitter = JITTER, sampled_instructions = PERIOD,
                  sampled_seed = 1;
/* not in .bss: start.S would clear the values of tally-sim --set */
volatile uint64_t sampled_control __attribute__((section(".data"))),
    sampled_stacks __attribute__((section(".data")));
uintptr_t sampled_stack, sampled_stack_end;

bool (*sampled_sink)(const struct sampling_record *records, size_t n);

/* Not cleared by start.S, which would take as long as a workload: memory is 0 when the machine starts. */
static SAMPLING_LOG(tally_records, CAPACITY) __attribute__((used, section(".noinit")));
static struct sampling_record buffer[128] __attribute__((aligned(8192)));

uint64_t sampled_here(perf_work *work) {
    csr_set(sstatus, MSTATUS_SIE);
    const uint64_t result = work();
    csr_clear(sstatus, MSTATUS_SIE);
    return result;
}

uint64_t sampled_run(perf_runner *runner, perf_work *work, const char *name) {
    const struct sampling_setup setup = {
        .kind = sampled_kind,
        .user = true,
        .supervisor = true,
        .period = sampled_period,
        .instructions = sampled_instructions,
        .jitter = sampled_jitter,
        .seed = sampled_seed,
        .counter = COUNTER,
        .event = sampled_event,
        .control = TALLY_SPDISCTL_TS_MASK | sampled_control,
        .buffer = buffer,
        .buffer_size = sizeof buffer,
        .log = &tally_records.log,
        .capacity = CAPACITY,
        .walk = sampled_stacks ? sampling_stacks(sampled_stack, sampled_stack_end) : NULL,
        .sink = sampled_sink};
    uint64_t result;
    size_t n;

    if (setup.kind == SAMPLING_OFF || !sampling_available(setup.kind) || !sampling_start(&setup, name)) {
        con_printf("%s: not sampled\n", name);
        return runner(work);
    }
    result = runner(work);
    n = sampling_stop();
    con_printf("%s: %lu samples, %lu lost\n", name, n, sampling_status()->lost);
    return result;
}
