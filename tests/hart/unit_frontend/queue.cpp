// SPDX-License-Identifier: Apache-2.0
// The fetch queue's output, compared with the World
#include "bench.h"

// A transfer that the target buffer did not predict (in its meta data) and that redirects fetch nevertheless:
// younger lookups are discarded.
bool Bench::early() const {
    constexpr unsigned RAS_TOP = 38, RAS_POINTER = 4, HISTORY = 8, COUNTER = 2, HIT = 1, WAY = 1;
    return top.fq_taken_o && !(top.fq_meta_o >> (RAS_TOP + RAS_POINTER + HISTORY + COUNTER + HIT + WAY) & 1);
}

void Bench::take(bool redirecting) {
    top.fq_ready_i = r.below(8) < p.ready;
    if (halted)
        top.fq_ready_i = 0;
    top.eval();
    bool valid = top.fq_valid_o;
    if (held && !redirecting)
        check(valid && top.fq_pc_o == held_pc && top.fq_insn_o == held_insn, "queue head changed while held");
    since_early++;
    early_seen = valid && !waiting && early();
    if (early_seen) {
        since_early = 0;
        missed_line = missed_page = 0;
    }
    waiting = valid && !top.fq_ready_i;
    held = waiting && !redirecting;
    held_pc = top.fq_pc_o;
    held_insn = top.fq_insn_o;
    if (redirecting)
        return;
    since_redirect++;
    if (valid && since_redirect < s.fastest && quiet != 0)
        s.fastest = static_cast<unsigned>(since_redirect);
    if (!valid) {
        check(stopped || halted || doomed >= 0 || ++quiet < 1000, "nothing comes, waiting for %" PRIx64,
              want_pc);
        return;
    }
    quiet = 1;
    if (!top.fq_ready_i || doomed >= 0)
        return;
    check(!stopped, "something after an exception");
    accept();
}

void Bench::accept() {
    uint64_t pc = top.fq_pc_o;
    last_pc = pc;
    bool may_set_a = ad_allowed; // the redirect's first instruction only
    ad_allowed = false;
    s.insns++;
    bool icmiss = faulty(W_ICMISS, top.fq_icmiss_o), itmiss = faulty(W_ITMISS, top.fq_itmiss_o);
    icmiss_seen += icmiss;
    itmiss_seen += itmiss;
    check(pc == redirect_pc, "pc %" PRIx64 ", expected %" PRIx64, pc, redirect_pc);
    Expected e = expect(w, pc);
    unsigned cause = top.fq_exc_o ? top.fq_cause_o : 0;
    check(cause == e.cause, "pc %" PRIx64 ": cause %u, expected %u (priv %u)", pc, cause, e.cause,
          w.ctx.priv);
    if (cause) {
        check(top.fq_half_o == e.half, "pc %" PRIx64 ": half %d", pc, top.fq_half_o);
        check(cause != 14 || !may_set_a, "pc %" PRIx64 ": A was not set although it may be", pc);
        s.exceptions++;
        covered[(cause == 1 ? ACCESS : cause == 12 ? PAGE : AD) + (e.half ? 1 : 0)]++;
        stopped = true;
        trap_in = 1 + static_cast<int>(r.below(6));
        trap_pc = pc;
        trap_ad = cause == 14;
        if (wrong_path)
            trap_in = -1; // the older mispredict redirects
        return;
    }
    check(top.fq_insn_o == e.insn, "pc %" PRIx64 ": insn %x, expected %x", pc, top.fq_insn_o, e.insn);
    check(top.fq_rvc_o == e.rvc, "pc %" PRIx64 ": rvc", pc);
    uint64_t last = pc + (e.rvc ? 0 : 2);
    if (missed_line != 0 && (pc / 64 == missed_line || last / 64 == missed_line)) {
        check(icmiss, "pc %" PRIx64 ": the first one out of a line that missed, without ICMISS", pc);
        missed_line = 0;
    }
    if (missed_page != 0 && (pc / 4096 == missed_page || last / 4096 == missed_page)) {
        check(itmiss, "pc %" PRIx64 ": the first one out of a page that missed, without ITMISS", pc);
        missed_page = 0;
    }
    covered[CROSS_PAGE] += !e.rvc && pc % 4096 == 4094;
    covered[CROSS_LINE] += !e.rvc && pc % 64 == 62;
    covered[ROM] += !w.ctx.translates() && Memory::in_rom(pc);
    covered[ICMISS] += icmiss;
    covered[ITMISS] += itmiss;
    uint64_t predicted = top.fq_taken_o ? top.fq_target_o : pc + (e.rvc ? 2 : 4);
    redirect_pc = predicted;
    if (wrong_path)
        return;
    check(pc == want_pc, "pc %" PRIx64 " on the right path, expected %" PRIx64, pc, want_pc);
    Insn i{};
    i.pc = pc;
    i.rvc = e.rvc;
    i.insn = e.insn;
    i.meta = top.fq_meta_o;
    const uint64_t jumps = s.jumps;
    resolve(i);
    check(jumps == s.jumps || top.fq_taken_o, "pc %" PRIx64 ": a direct jump is not predicted", pc);
    i.mispredicted = i.next != predicted || (i.type == NONE && top.fq_taken_o);
    want_pc = i.next;
    wrong_path = i.mispredicted;
    if (i.taken && (pc & 4) == 0 && r.chance(4))
        turned = pc;
    pipe.push_back(i);
}
