/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Remote fences. One request is on its way at a time; the hart that makes it waits until every other one has
 * fenced. A hart that waits, for its turn or for others, serves requests, so two harts cannot wait for
 * each other.
 */
#include <stdint.h>

#include "hart_set.h"
#include "hart_state.h"
#include "mailbox.h"
#include "pmu_firmware.h"
#include "rfence.h"

enum { PAGE = 4096, FLUSH_ALL_PAGES = 16 };

static struct rfence request FW_SHARED;
static volatile int busy FW_SHARED;              /* the request's lock */
static volatile unsigned long pending FW_SHARED; /* harts that have not served it yet */

static const struct {
    enum pmu_fw_event sent, received;
} events[RFENCE_KINDS] = {
    [RFENCE_FENCE_I] = {FW_FENCE_I_SENT, FW_FENCE_I_RECEIVED},
    [RFENCE_SFENCE_VMA] = {FW_SFENCE_VMA_SENT, FW_SFENCE_VMA_RECEIVED},
    [RFENCE_SFENCE_VMA_ASID] = {FW_SFENCE_VMA_ASID_SENT, FW_SFENCE_VMA_ASID_RECEIVED},
};

/* size 0 and size ~0 with start 0: the whole address space */
static bool everything(const struct rfence *f) {
    return (f->start == 0 && f->size == 0) || f->size == ~0ul || f->size > FLUSH_ALL_PAGES * PAGE;
}

static void fence_pages(const struct rfence *f) {
    unsigned long first = f->start & ~(PAGE - 1ul);
    unsigned long pages = f->size ? ((f->start - first) + f->size + PAGE - 1) / PAGE : 0;

    for (unsigned long i = 0; i < pages; i++) {
        if (f->kind == RFENCE_SFENCE_VMA)
            __asm__ volatile("sfence.vma %0, zero" ::"r"(first + i * PAGE) : "memory");
        else
            __asm__ volatile("sfence.vma %0, %1" ::"r"(first + i * PAGE), "r"(f->asid) : "memory");
    }
}

static void fence(const struct rfence *f) {
    pmu_count(events[f->kind].received);
    if (f->kind == RFENCE_FENCE_I)
        __asm__ volatile("fence.i" ::: "memory");
    else if (!everything(f))
        fence_pages(f);
    else if (f->kind == RFENCE_SFENCE_VMA)
        __asm__ volatile("sfence.vma" ::: "memory");
    else
        __asm__ volatile("sfence.vma zero, %0" ::"r"(f->asid) : "memory");
}

/* There may be no request left: the hart then served it while it waited for its own turn. */
void rfence_serve(void) {
    unsigned long self = 1ul << this_hart->id;

    if (!(__atomic_load_n(&pending, __ATOMIC_ACQUIRE) & self))
        return;
    fence(&request);
    __atomic_fetch_and(&pending, ~self, __ATOMIC_RELEASE);
}

static void ask_others(unsigned long others, const struct rfence *f) {
    while (__atomic_exchange_n(&busy, 1, __ATOMIC_ACQUIRE))
        rfence_serve();
    request = *f;
    __atomic_store_n(&pending, others, __ATOMIC_RELEASE);
    mailbox_post(others, MAIL_RFENCE);
    while (__atomic_load_n(&pending, __ATOMIC_ACQUIRE))
        ;
    __atomic_store_n(&busy, 0, __ATOMIC_RELEASE);
}

enum sbi_error rfence_send(unsigned long mask, unsigned long base, const struct rfence *f) {
    unsigned long set, self = 1ul << this_hart->id;

    if (!hart_mask_decode(mask, base, &set))
        return SBI_ERR_INVALID_PARAM;
    if (f->kind != RFENCE_FENCE_I && f->size && f->size != ~0ul && f->start + (f->size - 1) < f->start)
        return SBI_ERR_INVALID_ADDRESS;
    set = hart_interruptible(set);
    for (unsigned long rest = set; rest; rest &= rest - 1)
        pmu_count(events[f->kind].sent);
    if (set & ~self)
        ask_others(set & ~self, f);
    if (set & self)
        fence(f);
    return SBI_SUCCESS;
}

/* FIDs 3 to 6 need the hypervisor extension. */
struct sbiret rfence_call(SBI_ARGUMENTS) {
    struct rfence f = {(enum rfence_kind)fid, a2, a3, a4};

    SBI_UNUSED;
    return sbi_error(fid < RFENCE_KINDS ? rfence_send(a0, a1, &f) : SBI_ERR_NOT_SUPPORTED);
}
