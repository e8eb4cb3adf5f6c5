/* SPDX-License-Identifier: Apache-2.0 */
#include "syscalls.h"

#include <errno.h>
#include <stdbool.h>
#include <string.h>

#include "calls.h"
#include "csr.h"
#include "host.h"

enum { PATH_LIMIT = 1024, SIGNAL_ILL = 4, SIGNAL_TRAP = 5, SIGNAL_BUS = 7, SIGNAL_SEGV = 11 };

static struct user_memory memory;

static bool is_users(uint64_t address, uint64_t n) {
    return address >= memory.start && address <= memory.end && n <= memory.end - address;
}

/* Length of the text at `address`, its 0 not included; PATH_LIMIT: too long, or not the program's */
static size_t text_length(uint64_t address) {
    size_t n = 0;

    while (n < PATH_LIMIT && is_users(address + n, 1) && *(const char *)(address + n))
        n++;
    return is_users(address, n + 1) ? n : PATH_LIMIT;
}

static long with_path(enum host_call call, uint64_t path, uint64_t a0) {
    const size_t n = text_length(path);

    return n == PATH_LIMIT ? -EFAULT : host_call(call, a0, 0, 0, (const char *)path, n);
}

static long with_paths(uint64_t from, uint64_t to) {
    char both[2 * PATH_LIMIT];
    const size_t n = text_length(from), k = text_length(to);

    if (n == PATH_LIMIT || k == PATH_LIMIT)
        return -EFAULT;
    memcpy(both, (const char *)from, n + 1);
    memcpy(both + n + 1, (const char *)to, k);
    return host_call(HOST_RENAME, 0, 0, 0, both, n + 1 + k);
}

static long read_into(uint64_t file, uint64_t buffer, uint64_t n) {
    if (!is_users(buffer, n))
        return -EFAULT;
    const long got = host_call(HOST_READ, file, n, 0, NULL, 0);

    if (got > 0)
        host_answer((void *)buffer, (size_t)got);
    return got;
}

static long write_from(uint64_t file, uint64_t buffer, uint64_t n) {
    if (!is_users(buffer, n))
        return -EFAULT;
    if (n > HOST_REQUEST_MAX)
        n = HOST_REQUEST_MAX; /* the caller goes on */
    return host_call(HOST_WRITE, file, 0, 0, (const void *)buffer, n);
}

static long set_break(struct trap_frame *frame, uint64_t end) {
    static bool told;

    if (end >= memory.heap_end || (end && end < memory.start)) {
        if (!told)
            host_call(HOST_FAULT, HOST_HEAP_EXHAUSTED, frame->epc, end, NULL, 0);
        told = true;
    } else if (end) {
        memory.heap = end;
    }
    return (long)memory.heap;
}

static long clock_now(void) {
    const uint64_t now = csr_read(time);

    return (long)(now / memory.clock * 1000000000 + now % memory.clock * 1000000000 / memory.clock);
}

static long serve(struct trap_frame *frame) {
    const unsigned long a0 = frame->x[10], a1 = frame->x[11], a2 = frame->x[12];

    switch (frame->x[17]) {
    case CALL_EXIT:
        user_leave(frame, a0);
    case CALL_OPEN:
        return with_path(HOST_OPEN, a0, a1);
    case CALL_CLOSE:
        return host_call(HOST_CLOSE, a0, 0, 0, NULL, 0);
    case CALL_READ:
        return read_into(a0, a1, a2);
    case CALL_WRITE:
        return write_from(a0, a1, a2);
    case CALL_SEEK:
        return host_call(HOST_SEEK, a0, a1, a2, NULL, 0);
    case CALL_SIZE:
        return host_call(HOST_SIZE, a0, 0, 0, NULL, 0);
    case CALL_REMOVE:
        return with_path(HOST_REMOVE, a0, 0);
    case CALL_RENAME:
        return with_paths(a0, a1);
    case CALL_BREAK:
        return set_break(frame, a0);
    case CALL_CLOCK:
        return clock_now();
    default:
        return -ENOSYS;
    }
}

static struct trap_frame *calling; /* the program, of a call */

static void user_call_trap(struct trap_frame *frame) {
    calling = frame;
    frame->x[10] = (unsigned long)serve(frame);
    frame->epc += 4;
}

/* The program ends as a shell would tell it: 128 and the number of a signal. A fault of ours is that of the
 * call that gave us the address. */
static void fault(struct trap_frame *frame) {
    struct trap_frame *const program = frame->status & TALLY_SSTATUS_SPP_MASK ? calling : frame;
    const bool overflow = frame->tval >= memory.guard && frame->tval < memory.stack;
    const int signal = frame->cause == TALLY_EXC_ILLEGAL      ? SIGNAL_ILL
                       : frame->cause == TALLY_EXC_BREAKPOINT ? SIGNAL_TRAP
                       : frame->cause < TALLY_EXC_ECALL_U     ? SIGNAL_BUS
                                                              : SIGNAL_SEGV;

    host_call(HOST_FAULT, overflow ? HOST_STACK_OVERFLOW : frame->cause, program->epc, frame->tval, NULL, 0);
    user_leave(program, 128 + signal);
}

void syscalls_open(const struct user_memory *m) {
    memory = *m;
    for (unsigned cause = 0; cause < 16; cause++)
        trap_set_exception(cause, fault);
    trap_set_exception(TALLY_EXC_ECALL_U, user_call_trap);
    user_calls = true;
}
