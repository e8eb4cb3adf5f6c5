/* SPDX-License-Identifier: Apache-2.0 */
/* Hart state management. */
#include "csr.h"
#include "hart.h"
#include "hart_set.h"
#include "hart_state.h"
#include "mailbox.h"
#include "pmu.h"
#include "sbi.h"
#include "sse.h"

#define SUSPEND_RETENTIVE 0x00000000u
#define SUSPEND_NON_RETENTIVE 0x80000000u

static bool exists(unsigned long id) { return id < HARTS_MAX && hart_present >> id & 1; }

static enum sbi_error start(unsigned long id, unsigned long addr, unsigned long opaque) {
    struct hart *hart;
    int stopped = HART_STOPPED;

    if (!exists(id))
        return SBI_ERR_INVALID_PARAM;
    hart = hart_of(id);
    if (hart->state == HART_STARTED || hart->state == HART_SUSPENDED)
        return SBI_ERR_ALREADY_AVAILABLE;
    if (!hart_may_enter(addr))
        return SBI_ERR_INVALID_ADDRESS;
    /* Only one caller may win, and only its address may be seen. */
    if (!__atomic_compare_exchange_n(&hart->state, &stopped, HART_STOP_PENDING, false, __ATOMIC_ACQUIRE,
                                     __ATOMIC_RELAXED))
        return stopped == HART_START_PENDING ? SBI_ERR_ALREADY_AVAILABLE : SBI_ERR_FAILED;
    hart->start_addr = addr;
    hart->start_opaque = opaque;
    __atomic_store_n(&hart->state, HART_START_PENDING, __ATOMIC_RELEASE);
    mailbox_post(1ul << id, MAIL_WAKE);
    return SBI_SUCCESS;
}

__attribute__((noreturn)) static void stop(void) {
    csr_write(mie, 0);
    sse_stop_hart();
    pmu_stop_hart();
    __atomic_store_n(&this_hart->state, HART_STOPPED, __ATOMIC_RELEASE);
    hart_restart(hart_wait);
}

static enum sbi_error suspend(uint32_t type, unsigned long addr, unsigned long opaque) {
    struct hart *hart = this_hart;

    if (type != SUSPEND_RETENTIVE && type != SUSPEND_NON_RETENTIVE)
        return SBI_ERR_INVALID_PARAM;
    if (type == SUSPEND_NON_RETENTIVE && !hart_may_enter(addr))
        return SBI_ERR_INVALID_ADDRESS;
    hart->state = HART_SUSPENDED;
    hart_sleep();
    hart->state = HART_STARTED;
    if (type == SUSPEND_RETENTIVE)
        return SBI_SUCCESS;
    hart_resume_at(addr, opaque);
}

struct sbiret hsm_call(SBI_ARGUMENTS) {
    SBI_UNUSED;
    switch (fid) {
    case 0:
        return sbi_error(start(a0, a1, a2));
    case 1:
        stop();
    case 2:
        return exists(a0) ? sbi_value((unsigned long)hart_of(a0)->state) : sbi_error(SBI_ERR_INVALID_PARAM);
    case 3:
        return sbi_error(suspend((uint32_t)a0, a1, a2)); /* uint32_t, says the SBI */
    default:
        return sbi_error(SBI_ERR_NOT_SUPPORTED);
    }
}
