// SPDX-License-Identifier: Apache-2.0
// A clock cycle of the bench, and the events
#include "bench.h"

Bench::Bench(uint64_t seed, const Profile &profile) : r(seed), p(profile), seed(seed), behaviour(hash(seed)) {
    w.mem.fill(r, ROM_BASE, ROM_END);
    for (uint64_t pa = RAM_BASE; pa < RAM_BASE + RAM_SIZE; pa += 4096)
        w.mem.fill(r, pa, pa + 4096);
    w.tables.randomize(r);
    if (!p.calm)
        for (int i = 0; i < 6; i++)
            w.mem.bad_lines[(RAM_BASE + r.below(RAM_SIZE)) >> 6] = r.chance(2);
    top.clk = 0;
    top.rst = 1;
    top.ram_size_i = RAM_SIZE;
    clear_inputs();
    apply_context();
    for (int i = 0; i < 3; i++)
        tick();
    top.rst = 0;
    want_pc = 0x1000;
    last_pc = redirect_pc = 0x1000;
}

void Bench::run(uint64_t cycles) {
    for (uint64_t n = 0; n < cycles; n++)
        step();
}

void Bench::redirect_now(uint64_t pc) {
    forced = true;
    forced_pc = pc;
    step();
}

// Train a transfer that is none
void Bench::mislead(uint64_t pc, uint64_t target) {
    clear_inputs();
    top.bu_valid_i = 1;
    top.bu_pc_i = pc;
    top.bu_rvc_i = 0;
    top.bu_taken_i = 1;
    top.bu_target_i = target;
    top.bu_type_i = JUMP;
    top.bu_mispred_i = 0;
    top.bu_meta_i = 0;
    tick();
    top.bu_valid_i = 0;
}

void Bench::finish() {
    check(s.misses == bus_lines, "L1I_RD_MISS %" PRIu64 ", lines asked for %" PRIu64, s.misses, bus_lines);
    check(s.itlb_misses == walks, "ITLB_MISS %" PRIu64 ", walks %" PRIu64, s.itlb_misses, walks);
    check(s.itlb_misses <= s.itlb_lookups, "more misses of the ITLB than lookups");
    check(translated_lookups <= s.itlb_lookups, "more lookups of the I cache than translations");
    check(icmiss_seen <= s.misses, "more instructions with ICMISS than misses");
    check(itmiss_seen <= s.itlb_misses, "more instructions with ITMISS than misses");
    top.final();
}

void Bench::clear_inputs() {
    top.fq_ready_i = 0;
    top.rd_valid_i = top.rd_mispred_i = top.ad_ok_i = 0;
    top.bu_valid_i = 0;
    top.flush_icache_i = top.flush_tlb_i = 0;
    top.iw_done_i = 0;
    top.ib_rsp_valid_i = 0;
    top.ib_req_ready_i = 0;
    top.halt_i = 0;
}

void Bench::apply_context() {
    top.ctx_priv_i = static_cast<CData>(w.ctx.priv);
    top.ctx_satp_i = w.ctx.satp();
    top.ctx_adue_i = w.ctx.adue;
    top.pmp_fine_i = w.pmp.fine();
}

void Bench::tick() {
    // the memory unit's PMP, when it has nothing to do itself
    top.fp_free_i = p.calm || !r.chance(3);
    top.fp_fail_i = !(w.pmp.may_execute(top.fp_first_o << 2, top.fp_priv_o) &&
                      w.pmp.may_execute(top.fp_last_o << 2, top.fp_priv_o)) ||
                    !top.fp_free_i;
    top.clk = 1;
    top.eval();
    top.clk = 0;
    top.eval();
}

void Bench::step() {
    top.ad_ok_i = ad_level;
    top.rd_valid_i = top.rd_mispred_i = top.flush_icache_i = top.flush_tlb_i = 0;
    if (!p.calm && halted == 0 && r.chance(500))
        halted = 1 + static_cast<int>(r.below(40));
    top.halt_i = halted > 0;
    halted_for = halted > 0 ? halted_for + 1 : 0;
    walker_outputs();
    bus_outputs();
    bool new_context = back_end();
    take(top.rd_valid_i);
    bus_inputs();
    walker_inputs();
    bool lookup = faulty(W_L1I_RD, top.evf_o & 1), itlb_lookup = faulty(W_ITLB_RD, top.evf_o >> 2 & 1);
    bool settled = since_redirect >= 6; // the outputs are of the new context
    s.lookups += lookup;
    translated_lookups += lookup && settled && w.ctx.translates();
    s.misses += faulty(W_L1I_RD_MISS, top.evf_o >> 1 & 1);
    s.itlb_lookups += itlb_lookup;
    check(!itlb_lookup || !settled || w.ctx.translates(), "ITLB_RD without translation");
    group_translated |= itlb_lookup || !settled;
    if (lookup && settled && w.ctx.translates()) {
        check(group_translated, "a group is looked up in the I cache and was not in the ITLB");
        group_translated = false;
    }
    s.itlb_misses += faulty(W_ITLB_MISS, top.evf_o >> 3 & 1);
    tick();
    // Registered: of the cycle before this clock edge
    check(faulty(W_DEC_REDIRECT, top.evf_o >> 4 & 1) == early_seen, "DEC_REDIRECT %d, seen %d", !early_seen,
          early_seen);
    if (halted > 0)
        halted--;
    if (new_context) {
        apply_context();
        top.eval();
    }
    s.cycles++;
}
