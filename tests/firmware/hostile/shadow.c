/* SPDX-License-Identifier: Apache-2.0 */
/*
 * For a build of the firmware that is watched (FW_SHADOW): a call of the experimental space that compares
 * M-mode's memory and registers with their state at the hart's first call. Its value has a bit for
 * each difference. Parts that calls may change are left out: stacks, variables in .bss.shared, and the bits
 * of registers that an extension hands out.
 */
#include "shadow.h"

#include <stdint.h>
#include <string.h>

#include "csr.h"
#include "hart_state.h"

enum { TEXT, DATA, EMERGENCY_STACK, FIRST_CSR, CSRS = 24 };

extern char _start[], __rodata_end[], __data_start[], __data_end[], __shared_end[], __bss_end[];

/* In .bss.shared, which is not compared */
#define OUTSIDE __attribute__((section(".bss.shared")))
static uint64_t text_then OUTSIDE, data_then OUTSIDE;
static bool taken OUTSIDE;
static struct {
    bool taken;
    uint64_t emergency;
    unsigned long csr[CSRS];
} hart_then[HARTS_MAX] OUTSIDE;

static uint64_t hash(const char *from, const char *to) {
    uint64_t value = 0xcbf29ce484222325;

    for (; from < to; from += 4)
        value = (value ^ *(const uint32_t *)(const void *)from) * 0x100000001b3;
    return value;
}

static unsigned read_csrs(unsigned long *csr) {
    const unsigned long status = csr_read(mstatus), epc = csr_read(mepc);
    /* FWFT; SSE; bits of sie, and the machine timer; FWFT (in menvcfgh on RV32) */
    const unsigned long exceptions = EXCEPTION_BIT(LOAD_MISALIGNED) | EXCEPTION_BIT(STORE_MISALIGNED);
    const unsigned long interrupts = INTERRUPT_BIT(LCOFI);
    unsigned n = 0;

#define TAKE(value) csr[n++] = (value)
#define TAKE_IF_THERE(name, mask)                                                                            \
    do {                                                                                                     \
        unsigned long value_ = 0;                                                                            \
        csr[n++] = csr_try_read(name, value_) ? value_ & ~(unsigned long)(mask) : 0;                         \
    } while (0)
    TAKE(csr_read(mtvec));
    TAKE(csr_read(medeleg) & ~exceptions);
    TAKE(csr_read(mideleg) & ~interrupts);
    TAKE(csr_read(mie) & INTERRUPT_BIT(MSI));
    TAKE(csr_read(mscratch));
    TAKE(status & (MSTATUS_MIE | MSTATUS_MPRV | MSTATUS_TVM | MSTATUS_TW | MSTATUS_TSR));
    TAKE(csr_read(pmpcfg0));
    TAKE(csr_read(pmpaddr0));
    TAKE(csr_read(pmpaddr1));
    TAKE(csr_read(pmpaddr2));
    TAKE(csr_read(pmpaddr3));
    TAKE(csr_read(pmpaddr4));
    TAKE(csr_read(pmpaddr5));
    TAKE(csr_read(pmpaddr6));
    TAKE(csr_read(pmpaddr7));
    TAKE_IF_THERE(mcounteren, 0);
    TAKE_IF_THERE(TALLY_CSR_MSECCFG, 0);
    TAKE_IF_THERE(TALLY_CSR_MSTATEEN0, 0);
    TAKE_IF_THERE(TALLY_CSR_MEBBCTL, 0);
#if __riscv_xlen == 64
    TAKE_IF_THERE(TALLY_CSR_MENVCFG, TALLY_MENVCFG_ADUE_MASK);
#else
    TAKE_IF_THERE(TALLY_CSR_MENVCFG, 0);
    TAKE_IF_THERE(TALLY_CSR_MENVCFGH, TALLY_MENVCFG_ADUE_MASK >> 32);
    TAKE(csr_read(pmpcfg1));
#endif
    csr_write(mstatus, status);
    csr_write(mepc, epc);
    return n;
}

static uint64_t data(void) { return hash(__data_start, __data_end) ^ hash(__shared_end, __bss_end); }

/* The stack for reports of faults: it is unused. */
static uint64_t emergency(void) {
    const char *stack = hart_stacks + (this_hart->id << HART_STACK_LOG);

    return hash(stack, stack + EMERGENCY_SIZE);
}

unsigned long shadow_differences(void) {
    const unsigned long id = this_hart->id;
    unsigned long csr[CSRS], differences = 0;
    const unsigned csrs = read_csrs(csr);

    if (!taken) {
        data_then = data();
        text_then = hash(_start, __rodata_end);
        taken = true;
    }
    if (!hart_then[id].taken) {
        hart_then[id].taken = true;
        hart_then[id].emergency = emergency();
        memcpy(hart_then[id].csr, csr, sizeof *csr * csrs);
    }
    differences |= (unsigned long)(hash(_start, __rodata_end) != text_then) << TEXT;
    differences |= (unsigned long)(data() != data_then) << DATA;
    differences |= (unsigned long)(emergency() != hart_then[id].emergency) << EMERGENCY_STACK;
    for (unsigned n = 0; n < csrs; n++)
        differences |= (unsigned long)(csr[n] != hart_then[id].csr[n]) << (FIRST_CSR + n);
    return differences;
}
