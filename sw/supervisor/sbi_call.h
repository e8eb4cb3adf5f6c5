/* SPDX-License-Identifier: Apache-2.0 */
/* Calls of the SBI, from S-mode. */
#ifndef SW_SBI_CALL_H
#define SW_SBI_CALL_H

#include "sbi.h"

/* All of a0 to a5 are passed; a call ignores those that it does not have. */
static inline struct sbiret sbi_call6(unsigned long eid, unsigned long fid, unsigned long a0,
                                      unsigned long a1, unsigned long a2, unsigned long a3, unsigned long a4,
                                      unsigned long a5) {
    register unsigned long r0 __asm__("a0") = a0;
    register unsigned long r1 __asm__("a1") = a1;
    register unsigned long r2 __asm__("a2") = a2;
    register unsigned long r3 __asm__("a3") = a3;
    register unsigned long r4 __asm__("a4") = a4;
    register unsigned long r5 __asm__("a5") = a5;
    register unsigned long r6 __asm__("a6") = fid;
    register unsigned long r7 __asm__("a7") = eid;

    __asm__ volatile("ecall"
                     : "+r"(r0), "+r"(r1)
                     : "r"(r2), "r"(r3), "r"(r4), "r"(r5), "r"(r6), "r"(r7)
                     : "memory");
    return (struct sbiret){(long)r0, r1};
}

#define sbi_call3(eid, fid, a0, a1, a2) sbi_call6(eid, fid, a0, a1, a2, 0, 0, 0)

#endif
