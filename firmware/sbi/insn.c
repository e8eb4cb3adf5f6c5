/* SPDX-License-Identifier: Apache-2.0 */
#include "insn.h"

#include "csr.h"
#include "guarded.h"
#include "trap_frame.h"

/* Execute-only pages are readable with MXR. */
bool insn_fetch(const struct trap_frame *frame, uint32_t *insn) {
    const unsigned long how = MSTATUS_MPRV | MSTATUS_MXR;
    struct guarded word = {0};

    guarded_load(frame->epc, 2, how, &word);
    if (!word.cause && insn_length((uint32_t)word.value) == 4) {
        uint64_t low = word.value;

        word.value = 0;
        guarded_load(frame->epc + 2, 2, how, &word);
        word.value = word.value << 16 | low;
    }
    *insn = (uint32_t)word.value;
    return !word.cause;
}
