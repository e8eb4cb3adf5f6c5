// SPDX-License-Identifier: Apache-2.0
/* The predictor's tables (rtl/hart/fetch/tally_bpred.v), trained by the transfers that retire. */
#include "iss_predictor.h"

#include "insn.h"
#include "tally_spec.h"

enum { GROUP = 8 /* bytes that are fetched together */ };
enum { COND, JUMP, CALL, RET, SWAP, IND, MANY }; /* TALLY_BU_... (rtl/hart/tally_frontend.vh) */
enum {
    TAG_AT = 9,
    TAG_BITS = 16,
    MARK_AT = 6,
    KIND_AT = 2,
    ENTRY_TAG_AT = 5,
    VALID = 1 << (WARM_ENTRY_BITS - 1)
};

static uint64_t field(uint64_t value, unsigned lsb, unsigned bits) {
    return value >> lsb & ((UINT64_C(1) << bits) - 1);
}

/* Branches, jal, jalr, and what the compressed ones begin with: others need not be decoded. */
static bool may_transfer(uint32_t insn) {
    if ((insn & 3) == 3)
        return (insn & 0x7f) == 0x63 || (insn & 0x77) == 0x67;
    const unsigned funct3 = insn >> 13;
    return ((insn & 3) == 1 && funct3 >= 5) || ((insn & 3) == 2 && funct3 == 4 && !(insn & 0x7c));
}

static int kind_of(const struct insn *insn) {
    switch (insn_transfer(insn, true)) {
    case TALLY_ITYPE_BR_TK:
        return COND;
    case TALLY_ITYPE_DIR_JMP:
    case TALLY_ITYPE_DIR_LJMP:
        return JUMP;
    case TALLY_ITYPE_DIR_CALL:
    case TALLY_ITYPE_IND_CALL:
        return CALL;
    case TALLY_ITYPE_RETURN:
        return RET;
    case TALLY_ITYPE_CORSWAP:
        return SWAP;
    default:
        return IND;
    }
}

/* Upper part of the group's address, marked with mode and address space */
static uint32_t tag_of(const struct gh_retire *step, uint64_t last, uint64_t satp) {
    const bool spaces = step->priv == TALLY_PRIV_U && satp >> 60;
    const uint32_t space = spaces ? (uint32_t)(field(satp, 52, 8) ^ field(satp, 44, 8)) : 0;
    return (uint32_t)field(last, TAG_AT, TAG_BITS) ^ (step->priv << 8 | space) << MARK_AT;
}

/* A number in btb_entry and btb_target, or -1 */
static int find(const struct warm *w, unsigned set, uint32_t tag, uint64_t last) {
    const uint32_t key = VALID | tag << ENTRY_TAG_AT | (uint32_t)field(last, 1, 2);
    for (unsigned way = 0; way < 2; way++)
        if ((w->btb_entry[way * WARM_BTB_SETS + set] & ~(7u << KIND_AT)) == key)
            return (int)(way * WARM_BTB_SETS + set);
    return -1;
}

static bool indirect_missed(const struct warm *w, int at, int kind, unsigned row, uint64_t target) {
    if (at < 0 || (kind != IND && kind != CALL))
        return false;
    const bool many = (w->btb_entry[at] >> KIND_AT & 7) == MANY;
    const uint64_t said = many ? w->indirect[row] : w->btb_target[at];
    return many ? said != field(target, 1, WARM_INDIRECT_BITS) : said != field(target, 1, WARM_TARGET_BITS);
}

/* Would the predictor be wrong, or decoding redirect fetch? `row` is of the indirect targets. */
static void compare(struct warm *w, int at, int kind, unsigned row, bool counted, bool taken, bool direct,
                    uint64_t target) {
    const bool known = at >= 0;
    bool right = direct;
    if (kind == COND)
        right = counted == taken;
    else if (kind == RET)
        right = w->returns[w->top] == field(target, 1, WARM_TARGET_BITS);
    else if (!direct)
        right = known && !indirect_missed(w, at, kind, row, target);
    w->seen.mispredicted = !right;
    w->seen.resteered = right && taken && !known;
}

static void enter(struct warm *w, int at, unsigned set, uint32_t tag, int kind, uint64_t last,
                  uint64_t target) {
    if (at < 0) {
        at = (int)(w->turn * WARM_BTB_SETS + set);
        w->turn ^= 1;
    }
    w->btb_entry[at] = VALID | tag << ENTRY_TAG_AT | (uint32_t)kind << KIND_AT | (uint32_t)field(last, 1, 2);
    w->btb_target[at] = field(target, 1, WARM_TARGET_BITS);
}

static void count(uint8_t *stored, bool taken) {
    const unsigned counter = *stored ^ 1u;
    *stored = (uint8_t)((taken ? counter + (counter < 3) : counter - (counter > 0)) ^ 1u);
}

static void move_top(struct warm *w, int kind, uint64_t link) {
    const unsigned pushes = kind == CALL || kind == SWAP, pops = kind == RET || kind == SWAP;
    w->top = (uint8_t)((w->top + pushes - pops) % WARM_RAS_ENTRIES);
    if (pushes)
        w->returns[w->top] = field(link, 1, WARM_TARGET_BITS);
}

void iss_predictor_learn(struct warm *w, const struct gh_retire *step, uint64_t satp) {
    if (!may_transfer(step->insn))
        return;
    const struct insn insn = insn_decode(step->insn);
    if (insn.kind != INSN_BRANCH && insn.kind != INSN_JAL && insn.kind != INSN_JALR)
        return;
    const uint64_t last = step->pc + insn.length - 2, link = step->pc + insn.length;
    const int kind = kind_of(&insn);
    const bool taken = kind != COND || step->next_pc != link;
    const unsigned set = last / GROUP % WARM_BTB_SETS;
    const unsigned counters = (last / GROUP ^ (unsigned)w->history << 4) % WARM_BHT_ROWS;
    const unsigned row = (last / GROUP ^ w->history) % WARM_ITB_ROWS;
    uint8_t *counter = &w->counter[field(last, 1, 2) * WARM_BHT_ROWS + counters];
    const uint32_t tag = tag_of(step, last, satp);
    const int at = taken ? find(w, set, tag, last) : -1;

    compare(w, at, kind, row, (*counter ^ 1u) >= 2, taken, insn.kind == INSN_JAL, step->next_pc);
    if (kind == COND)
        count(counter, taken);
    if (taken) {
        const bool missed = indirect_missed(w, at, kind, row, step->next_pc);
        if (at < 0 || missed)
            enter(w, at, set, tag, kind == IND && missed ? MANY : kind, last, step->next_pc);
        w->history = (uint8_t)(w->history << 1 ^ ((unsigned)field(last, 2, 3) << 1 | 1));
    }
    if (kind == IND)
        w->indirect[row] = field(step->next_pc, 1, WARM_INDIRECT_BITS);
    move_top(w, kind, link);
}
