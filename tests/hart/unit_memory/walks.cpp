// SPDX-License-Identifier: Apache-2.0
// Walks for the front end and for sample records' pages, and PMP checks for fetches
#include "bench.h"

// PMP, lent to fetch while M holds nothing: one word or two
void Bench::ask_pmp() {
    uint64_t pa = (ctx.pmp_addr[rnd.below(8)] << 2) + 8 * rnd.below(3) - 8;
    unsigned words = 1 + static_cast<unsigned>(rnd.below(2));
    fetch_pa = words == 2 ? pa & ~7ull & ((1ull << 36) - 1) : pa & ~3ull & ((1ull << 36) - 1);
    fetch_size = 4 * words;
    top->fp_ask_i = 1;
    top->fp_first_i = fetch_pa >> 2;
    top->fp_last_i = (fetch_pa + fetch_size - 1) >> 2;
    top->fp_priv_i = static_cast<uint8_t>(rnd.below(2) * (1 + 2 * rnd.below(2)));
}

void Bench::check_pmp() {
    if (!top->fp_free_o)
        return;
    bool ok = ctx.pmp_ok(fetch_pa, fetch_size, EXEC, top->fp_priv_i);
    cover[C_LENT]++;
    cover[C_LENT_DENIED] += !ok;
    if (top->fp_fail_o == ok)
        fail("PMP says that a fetch from %" PRIx64 " is %s", fetch_pa, ok ? "denied" : "allowed");
}

void Bench::fetch() {
    bool started = false;
    if (!fetch_on && !fetch_pause && ctx.satp && !force_flush && rnd.percent(p_fetch)) {
        fetch_on = started = true;
        do
            fetch_va = random_va();
        while (!ctx.sv39() && fetch_va > (4ull << 30));
        fetch_va = static_cast<uint64_t>(static_cast<int64_t>(fetch_va << 25) >>
                                         25); // the front end checks that itself
        fetch_user = rnd.percent(50);
        fetch_ad = false;
        fetch_changes = tables_changed;
    }
    if (fetch_pause)
        fetch_pause--;
    if (fetch_on && !started && !clean && !stop && rnd.below(1000) < 3) {
        fetch_on = false;
        fetch_pause = 1;
        dropped++;
        cover[C_I_CANCEL]++;
    }
    fetch_was_on = top->iw_req_i; // the walker may answer in the cycle in which the request goes
    top->iw_req_i = fetch_on;
    top->iw_va_i = fetch_va;
    top->iw_priv_i = fetch_user ? 0 : 1;
    top->iw_ad_i = fetch_ad;
}

void Bench::fetch_done() {
    fetch_end = true;
    fetch_pause = 1;
    fetch_fault = top->iw_fault_o;
    fetch_denied = top->iw_accfault_o;
    tlb_misses++;
    l2_misses += top->iw_l2miss_o;
    cover[C_I_WALK]++;
    if (tables_changed != fetch_changes)
        return;
    if (fetch_va >= VA_PAGES && (fetch_va >> 12 & 511) >= RAISE_FROM)
        return; // may be raised at any time
    Translation t = walk(mem, ctx, fetch_va, EXEC, fetch_user ? U : S);
    bool ad = t.ad_needed && ctx.adue && !t.page_fault && !t.access_fault;
    if (top->iw_fault_o != t.page_fault || top->iw_accfault_o != t.access_fault ||
        (!fetch_ad && top->iw_adneed_o != ad)) {
        fail("fetch walk %" PRIx64 ": fault %d access %d A %d, expected %d %d %d", fetch_va, top->iw_fault_o,
             top->iw_accfault_o, top->iw_adneed_o, t.page_fault, t.access_fault, ad);
        return;
    }
    cover[C_FETCH_AD_NEEDED] += ad;
    cover[C_I_FAULT] += t.page_fault || t.access_fault;
    if (t.page_fault || t.access_fault || top->iw_adneed_o)
        return;
    uint64_t low = (1ull << (12 + 9 * top->iw_level_o)) - 1;
    uint64_t pa = ((static_cast<uint64_t>(top->iw_ppn_o) << 12) & ~low) | (fetch_va & low);
    if (pa != t.pa)
        fail("fetch walk %" PRIx64 ": pa %" PRIx64 ", expected %" PRIx64, fetch_va, pa, t.pa);
    if (top->iw_x_o != 1 || top->iw_u_o != !!(t.pte & PU) || top->iw_r_o != !!(t.pte & PR) ||
        top->iw_w_o != !!(t.pte & PW) || top->iw_g_o != t.global || top->iw_level_o != t.level)
        fail("fetch walk %" PRIx64 ": attributes", fetch_va);
}

// Sample records' side of it: pages that S-mode writes. With ADUE the walk would change A and D at a
// time of its own, which the golden memory does not model.
void Bench::page() {
    bool started = false;
    if (!page_on && !page_pause && !ctx.adue && !force_flush && rnd.percent(p_fetch)) {
        page_on = started = true;
        page_machine = rnd.percent(25);
        page_va =
            page_machine ? RAM_BASE + rnd.below(48) * PAGE : random_va() & ~static_cast<uint64_t>(PAGE - 1);
        page_changes = tables_changed;
    }
    if (page_pause)
        page_pause--;
    if (page_on && !started && !clean && !stop && rnd.below(1000) < 3) {
        page_on = false;
        page_pause = 1;
    }
    page_was_on = top->rw_req_i;
    top->rw_req_i = page_on;
    top->rw_va_i = page_va >> 12;
    top->rw_machine_i = page_machine;
}

void Bench::page_done() {
    page_end = true;
    page_pause = 1;
    if ((!page_machine && tables_changed != page_changes) ||
        (page_va >= VA_PAGES && (page_va >> 12 & 511) >= RAISE_FROM))
        return;
    Context as_s = ctx;
    as_s.sum = as_s.mxr = false;
    Translation t;
    t.pa = page_va;
    t.page_fault = page_va >> 56;
    if (ctx.satp && !page_machine)
        t = walk(mem, as_s, page_va, WRITE, S);
    bool denied = t.page_fault || t.access_fault || !in_ram(t.pa), refused = false;
    for (uint64_t at = 0; at < PAGE && !refused; at += 8)
        refused = !ctx.pmp_ok(t.pa + at, 8, WRITE, page_machine ? M : S);
    cover[C_PAGE]++;
    cover[C_PAGE_INSIDE] += !denied && refused && ctx.pmp_ok(t.pa, 8, WRITE, page_machine ? M : S);
    denied = denied || refused;
    cover[C_PAGE_DENIED] += denied;
    if (top->rw_fault_o != denied || (!denied && static_cast<uint64_t>(top->rw_page_o) << 12 != t.pa))
        fail("record page %" PRIx64 ": fault %d page %" PRIx64 ", expected %d %" PRIx64, page_va,
             top->rw_fault_o, static_cast<uint64_t>(top->rw_page_o) << 12, denied, t.pa);
}
