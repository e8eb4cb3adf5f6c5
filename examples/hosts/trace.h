// SPDX-License-Identifier: Apache-2.0
// Counts from the trace of what retires, made by the harness from the core's own ports, and nothing of the
// unit.

#ifndef TRACE_H
#define TRACE_H

#include "tally_events.h"
#include "tally_spec.h"

#include <cstdint>
#include <map>
#include <string>

// The class of an instruction, by mask and match; the first line that fits
struct Class {
    uint32_t event, mask, match;
    int xlen = 0; // of which hart; 0 of any
};

inline const Class classes[] = {
    {TALLY_EV_INST_LOAD_RET, 0x7f, 0x03},
    {TALLY_EV_INST_LOAD_RET, 0xe003, 0x4000}, // c.lw
    {TALLY_EV_INST_LOAD_RET, 0xe003, 0x4002}, // c.lwsp
    {TALLY_EV_INST_STORE_RET, 0x7f, 0x23},
    {TALLY_EV_INST_STORE_RET, 0xe003, 0xc000},
    {TALLY_EV_INST_STORE_RET, 0xe003, 0xc002},
    {TALLY_EV_INST_LOAD_RET, 0xe003, 0x6000, 64}, // c.ld
    {TALLY_EV_INST_LOAD_RET, 0xe003, 0x6002, 64}, // c.ldsp
    {TALLY_EV_INST_STORE_RET, 0xe003, 0xe000, 64},
    {TALLY_EV_INST_STORE_RET, 0xe003, 0xe002, 64},
    {TALLY_EV_INST_MUL_RET, 0xfe004077, 0x02000033}, // and their words
    {TALLY_EV_INST_DIV_RET, 0xfe004077, 0x02004033},
    {TALLY_EV_INST_LOAD_RET, 0xf800007f, 0x1000002f},  // lr
    {TALLY_EV_INST_STORE_RET, 0xf800007f, 0x1800002f}, // sc
    {TALLY_EV_INST_AMO_RET, 0x7f, 0x2f},
    {TALLY_EV_INST_MO_RET, 0x7f, 0x0f},             // fence, fence.i
    {TALLY_EV_INST_MO_RET, 0xfe007fff, 0x12000073}, // sfence.vma
    {TALLY_EV_INST_TRETURN_RET, 0xffffffff, 0x30200073},
    {TALLY_EV_INST_TRETURN_RET, 0xffffffff, 0x10200073},
    {TALLY_EV_INST_CSR_RET, 0x107f, 0x1073},                // csrrw, csrrc and their immediates
    {TALLY_EV_INST_CSR_RET, 0x307f, 0x2073},                // csrrs
    {TALLY_EV_INST_BRJMP_DIR_CALL_RET, 0xfff, 0x0ef},       // jal ra
    {TALLY_EV_INST_BRJMP_DIR_CALL_RET, 0xfff, 0x2ef},       // jal t0
    {TALLY_EV_INST_BRJMP_DIR_CALL_RET, 0xe003, 0x2001, 32}, // c.jal
    {TALLY_EV_INST_BRJMP_DIR_JUMP_RET, 0xfff, 0x06f},       // j
    {TALLY_EV_INST_BRJMP_DIR_JUMP_RET, 0xe003, 0xa001},     // c.j
    {TALLY_EV_INST_BRJMP_RETURN_RET, 0xfffff, 0x08067},     // jr ra
    {TALLY_EV_INST_BRJMP_RETURN_RET, 0xfffff, 0x28067},     // jr t0
    {TALLY_EV_INST_BRJMP_RETURN_RET, 0xffffffff, 0x8082},   // c.jr ra
    {TALLY_EV_INST_BRJMP_RETURN_RET, 0xffffffff, 0x8282},   // c.jr t0
    {TALLY_EV_INST_BRJMP_IND_JUMP_RET, 0xfff, 0x067},       // jr
    {TALLY_EV_INST_BRJMP_CORSWAP_RET, 0xfffff, 0x280e7},    // jalr ra, t0
    {TALLY_EV_INST_BRJMP_CORSWAP_RET, 0xfffff, 0x082e7},    // jalr t0, ra
    {TALLY_EV_INST_BRJMP_IND_CALL_RET, 0xfff, 0x0e7},       // jalr ra
    {TALLY_EV_INST_BRJMP_IND_CALL_RET, 0xfff, 0x2e7},       // jalr t0
    {TALLY_EV_INST_BRJMP_BRANCH_RET, 0x7f, 0x63},
    {TALLY_EV_INST_BRJMP_BRANCH_RET, 0xc003, 0xc001}, // c.beqz, c.bnez
};

class Trace {
  public:
    explicit Trace(int xlen) : xlen_(xlen) {}

    void clear() {
        counts_.clear();
        cycles_ = stalls_ = 0;
    }

    // An instruction that traps does not retire.
    void trap() { counts_[TALLY_EV_EXCEPTION]++; }
    void interrupt() { counts_[TALLY_EV_INTERRUPT]++; }

    // A cycle of the clock, in which an instruction retires or not
    void cycle(bool retires) {
        cycles_++;
        stalls_ += !retires;
    }

    void add(uint32_t insn, uint64_t pc, uint64_t next) {
        bool compressed = (insn & 3) != 3, taken = next != pc + (compressed ? 2 : 4);
        counts_[TALLY_EV_INST_RET]++;
        counts_[TALLY_EV_INST_RVC_RET] += compressed;
        uint32_t event = classify(insn);
        if (!event)
            return;
        counts_[event]++;
        bool branch = event == TALLY_EV_INST_BRJMP_BRANCH_RET;
        if (branch)
            counts_[taken ? TALLY_EV_INST_BRJMP_BRANCH_TK_RET : TALLY_EV_INST_BRJMP_BRANCH_NT_RET]++;
        if (branch || is_direct(event) || is_indirect(event)) {
            counts_[TALLY_EV_INST_BRJMP_RET]++;
            counts_[TALLY_EV_INST_BRJMP_TK_RET] += taken || !branch;
        }
        counts_[TALLY_EV_INST_BRJMP_DIR_RET] += is_direct(event);
        counts_[TALLY_EV_INST_BRJMP_IND_RET] += is_indirect(event);
        counts_[TALLY_EV_INST_LDST_RET] += event == TALLY_EV_INST_LOAD_RET ||
                                           event == TALLY_EV_INST_STORE_RET || event == TALLY_EV_INST_AMO_RET;
    }

    uint64_t of(uint32_t event) {
        return event == TALLY_EV_CYCLES_HART            ? cycles_
               : event == TALLY_EV_CYCLES_STALL_BACKEND ? stalls_
                                                        : counts_[event];
    }

  private:
    int xlen_;
    std::map<uint32_t, uint64_t> counts_;
    uint64_t cycles_ = 0, stalls_ = 0;

    static bool is_direct(uint32_t event) {
        return event == TALLY_EV_INST_BRJMP_DIR_CALL_RET || event == TALLY_EV_INST_BRJMP_DIR_JUMP_RET ||
               event == TALLY_EV_INST_BRJMP_DIR_LJUMP_RET;
    }

    static bool is_indirect(uint32_t event) {
        return event == TALLY_EV_INST_BRJMP_IND_CALL_RET || event == TALLY_EV_INST_BRJMP_IND_JUMP_RET ||
               event == TALLY_EV_INST_BRJMP_IND_LJUMP_RET || event == TALLY_EV_INST_BRJMP_CORSWAP_RET ||
               event == TALLY_EV_INST_BRJMP_RETURN_RET;
    }

    uint32_t classify(uint32_t insn) const {
        for (const Class &c : classes)
            if ((insn & c.mask) == c.match && (!c.xlen || c.xlen == xlen_))
                return c.event;
        uint32_t rd = insn >> 7 & 31;
        if ((insn & 0x7f) == 0x6f)
            return TALLY_EV_INST_BRJMP_DIR_LJUMP_RET;
        if ((insn & 0x7f) == 0x67)
            return (insn >> 15 & 31) == 1 || (insn >> 15 & 31) == 5 ? TALLY_EV_INST_BRJMP_RETURN_RET
                                                                    : TALLY_EV_INST_BRJMP_IND_LJUMP_RET;
        if ((insn & 0xffffe07f) == 0x8002 && rd) // c.jr, c.jalr
            return !(insn & 0x1000) ? TALLY_EV_INST_BRJMP_IND_JUMP_RET
                   : rd == 5        ? TALLY_EV_INST_BRJMP_CORSWAP_RET
                                    : TALLY_EV_INST_BRJMP_IND_CALL_RET;
        return 0;
    }
};

inline std::string name_of(uint32_t selector) {
    for (const tally_event &event : tally_events)
        if (event.name && event.selector == selector)
            return std::string("count of ") + event.name + "; the trace has";
    return "count of no event";
}

#endif
