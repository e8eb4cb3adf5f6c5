// SPDX-License-Identifier: Apache-2.0
// The bus and the walker
#include "bench.h"

void Bench::bus_outputs() {
    top.ib_req_ready_i = !r.chance(3);
    top.ib_rsp_valid_i = 0;
    top.ib_rsp_data_i = r.next();
    top.ib_rsp_last_i = r.chance(2);
    top.ib_rsp_err_i = r.chance(2);
    if (!answers.empty() && answers.front().when <= s.cycles && !(p.bus_gaps && r.chance(4))) {
        top.ib_rsp_valid_i = 1;
        top.ib_rsp_data_i = answers.front().data;
        top.ib_rsp_last_i = answers.front().last;
        top.ib_rsp_err_i = answers.front().err;
        answers.pop_front();
    }
}

void Bench::bus_inputs() {
    uint64_t addr = top.ib_req_addr_o;
    if (req_held)
        check(top.ib_req_valid_o && addr == req_addr, "bus request changed before it was accepted");
    if (top.ib_req_valid_o && !req_held) {
        bus_lines += !top.ib_req_single_o;
        if (p.calm && !top.ib_req_single_o && !w.ctx.translates() && since_redirect >= 3 && since_early >= 3)
            missed_line = addr / 64;
        check(halted == 0 || halted_for < 2, "bus request while halted");
    }
    req_held = top.ib_req_valid_o && !top.ib_req_ready_i;
    req_addr = addr;
    if (!top.ib_req_valid_o || !top.ib_req_ready_i)
        return;
    bool single = top.ib_req_single_o;
    check(single ? Memory::in_rom(addr) && addr % 8 == 0 : Memory::in_ram(addr) && addr % 64 == 0,
          "bus request for %" PRIx64, addr);
    uint64_t when = s.cycles + 1 + r.below(p.bus_latency);
    auto bad = w.mem.bad_lines.find(addr >> 6);
    unsigned beats = single || (bad != w.mem.bad_lines.end() && bad->second) ? 1 : 8;
    for (unsigned b = 0; b < beats; b++)
        answers.push_back({w.mem.word(addr + 8 * b), b + 1 == beats, bad != w.mem.bad_lines.end(), when});
}

void Bench::walker_outputs() {
    top.iw_done_i = walking && s.cycles >= walk_done_at;
    top.iw_fault_i = r.chance(2);
    top.iw_accfault_i = r.chance(2);
    top.iw_adneed_i = r.chance(2);
    top.iw_ppn_i = r.next() >> 20;
    top.iw_level_i = r.below(3);
    top.iw_g_i = r.chance(2);
    top.iw_u_i = r.chance(2);
    top.iw_x_i = r.chance(2);
    if (!top.iw_done_i)
        return;
    walking = false;
    const Page &g = walk_page;
    top.iw_accfault_i = g.accfault;
    top.iw_fault_i = g.fault;
    top.iw_adneed_i = 0;
    if (g.fault || g.accfault)
        return;
    top.iw_level_i = g.level;
    top.iw_g_i = g.g;
    top.iw_u_i = g.u;
    top.iw_x_i = g.x;
    top.iw_ppn_i = g.ppn;
    if (g.a)
        return;
    if (walk_ad) {
        Page *now = w.tables.find(w.ctx, walk_va);
        if (now != nullptr)
            now->a = true;
        covered[AD_SET]++;
    } else if (w.ctx.adue || r.chance(2)) {
        top.iw_adneed_i = 1;
    } else {
        top.iw_fault_i = 1;
    }
}

void Bench::walker_inputs() {
    if (walking && !top.iw_req_o) // withdrawn
        walking = false;
    if (walking)
        check(top.iw_va_o == walk_va && top.iw_ad_o == walk_ad, "walk request changed");
    if (walking || !top.iw_req_o)
        return;
    check(w.ctx.translates() || since_redirect < 3, "walk without translation");
    walking = true;
    walks++;
    walk_va = top.iw_va_o;
    // When noise makes the front end fetch again, the TLB may have the page by then (and the cache
    // the line).
    if (p.calm && since_redirect >= 3 && since_early >= 3)
        missed_page = walk_va / 4096;
    walk_ad = top.iw_ad_o;
    walk_done_at = s.cycles + 1 + r.below(12);
    const Page *page = w.tables.find(w.ctx, walk_va);
    walk_page = page == nullptr ? Page() : *page;
    if (!walk_ad || since_redirect < 3) // it is taken back
        return;
    uint64_t page_no = walk_va >> 12;
    check(!walk_page.fault && walk_page.x && walk_page.u == (w.ctx.priv == 0) && w.ctx.adue,
          "A would be set although the page may not be fetched from: %" PRIx64, walk_va);
    check(ad_allowed && (page_no == want_pc >> 12 || page_no == (want_pc + 2) >> 12),
          "leave to set A used for %" PRIx64 ", next is %" PRIx64, walk_va, want_pc);
}
