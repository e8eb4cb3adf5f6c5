/* SPDX-License-Identifier: Apache-2.0 */
/* The SBI as a supervisor sees it: binary encoding, error codes, extension ids (SBI v3.0). */
#ifndef FW_SBI_H
#define FW_SBI_H

#define SBI_EXT_BASE 0x10
#define SBI_EXT_TIME 0x54494D45
#define SBI_EXT_IPI 0x735049
#define SBI_EXT_RFENCE 0x52464E43
#define SBI_EXT_HSM 0x48534D
#define SBI_EXT_SRST 0x53525354
#define SBI_EXT_PMU 0x504D55
#define SBI_EXT_DBCN 0x4442434E
#define SBI_EXT_SUSP 0x53555350
#define SBI_EXT_FWFT 0x46574654
#define SBI_EXT_SSE 0x535345
#define SBI_EXT_LEGACY_LAST 0x08

#define SBI_SPEC_VERSION 0x03000000ul
#define SBI_IMPLEMENTATION_ID 0x504D55ul /* not one of the registered ones */
#define SBI_IMPLEMENTATION_VERSION 0x00010000ul

/* Extensions besides the PMU's, and who serves them; those called often come first (trap_entry.S) */
#define SBI_EXTENSIONS(X)                                                                                    \
    X(SBI_EXT_TIME, time_call)                                                                               \
    X(SBI_EXT_BASE, base_call)                                                                               \
    X(SBI_EXT_IPI, ipi_call)                                                                                 \
    X(SBI_EXT_RFENCE, rfence_call)                                                                           \
    X(SBI_EXT_DBCN, dbcn_call)                                                                               \
    X(SBI_EXT_HSM, hsm_call)                                                                                 \
    X(SBI_EXT_SRST, srst_call)                                                                               \
    X(SBI_EXT_SUSP, susp_call)                                                                               \
    X(SBI_EXT_FWFT, fwft_call)                                                                               \
    X(SBI_EXT_SSE, sse_call)

#ifndef __ASSEMBLER__
#include <stdbool.h>

enum sbi_error {
    SBI_SUCCESS = 0,
    SBI_ERR_FAILED = -1,
    SBI_ERR_NOT_SUPPORTED = -2,
    SBI_ERR_INVALID_PARAM = -3,
    SBI_ERR_DENIED = -4,
    SBI_ERR_INVALID_ADDRESS = -5,
    SBI_ERR_ALREADY_AVAILABLE = -6,
    SBI_ERR_ALREADY_STARTED = -7,
    SBI_ERR_ALREADY_STOPPED = -8,
    SBI_ERR_NO_SHMEM = -9,
    SBI_ERR_INVALID_STATE = -10,
    SBI_ERR_BAD_RANGE = -11,
    SBI_ERR_DENIED_LOCKED = -14,
};

/* a0 and a1 of the return */
struct sbiret {
    long error;
    unsigned long value;
};

static inline struct sbiret sbi_value(unsigned long value) { return (struct sbiret){SBI_SUCCESS, value}; }

static inline struct sbiret sbi_error(enum sbi_error error) { return (struct sbiret){error, 0}; }

/* A call: its arguments are the registers a0 to a7 as they come, so that nothing has to be moved. */
#define SBI_ARGUMENTS                                                                                        \
    unsigned long a0, unsigned long a1, unsigned long a2, unsigned long a3, unsigned long a4,                \
        unsigned long a5, unsigned long fid, unsigned long eid
#define SBI_UNUSED (void)a0, (void)a1, (void)a2, (void)a3, (void)a4, (void)a5, (void)fid, (void)eid

typedef struct sbiret sbi_call(SBI_ARGUMENTS);

/* True if the extension is there. */
bool sbi_probe(unsigned long eid);

/* Called by trap_entry.S for an ecall of S-mode; other_call serves all other ids. */
sbi_call base_call, time_call, ipi_call, rfence_call, hsm_call, srst_call, dbcn_call, susp_call, fwft_call,
    sse_call, legacy_call, pmu_call, other_call;

#endif

#endif
