// SPDX-License-Identifier: Apache-2.0
// A clock cycle of the bench: the back end's ports, event counts
#include "bench.h"

#include "verilated.h"

namespace {

// Inputs of tally_pmp that tally_csr derives from an address, for memory below 2^36
uint64_t pmp_shape(uint64_t addr) {
    const uint64_t napot = addr ^ (addr + 1), word = 1ull << 34;
    const uint64_t near = ((addr & ~napot) / word) == 0, far = addr / word != 0;
    return near << 35 | far << 34 | napot % word;
}

} // namespace

Bench::Bench(uint64_t seed) : rnd(seed), seed_(seed) {
    Verilated::randReset(2); // registers without a reset start with anything
    Verilated::randSeed(static_cast<int>(seed));
    top = std::make_unique<Vtally_lsu>();
    top->rst = 1;
    top->ram_size_i = RAM_SIZE;
    set_context();
    stop = true;
    p_fetch = p_other = 0;
    for (int i = 0; i < 3; i++)
        clock();
    stop = false;
    top->rst = 0;
}

Bench::~Bench() { top->final(); }

void Bench::set_context() {
    top->ls_priv_i = static_cast<uint8_t>(ctx.priv);
    top->ls_sum_i = ctx.sum;
    top->ls_mxr_i = ctx.mxr;
    top->ls_adue_i = ctx.adue;
    top->ls_satp_i = ctx.satp;
    top->pmp_cfg_i = ctx.pmp_cfg;
    top->pmp_mml_i = ctx.mml;
    top->pmp_mmwp_i = ctx.mmwp;
    top->pmp_fine_i = ctx.pmp_fine();
    for (unsigned i = 0; i < 14; i++)
        top->pmp_addr_i[i] = 0;
    for (unsigned i = 0; i < 9; i++)
        top->pmp_shape_i[i] = 0;
    for (unsigned n = 0; n < 8; n++) {
        const uint64_t shape = pmp_shape(ctx.pmp_addr[n]);
        for (unsigned b = 0; b < 54; b++) {
            const unsigned at = n * 54 + b;
            top->pmp_addr_i[at / 32] |= static_cast<uint32_t>(ctx.pmp_addr[n] >> b & 1) << at % 32;
        }
        for (unsigned b = 0; b < 36; b++) {
            const unsigned at = n * 36 + b;
            top->pmp_shape_i[at / 32] |= static_cast<uint32_t>(shape >> b & 1) << at % 32;
        }
    }
}

// One clock cycle
void Bench::clock() {
    drive();
    ask_pmp();
    top->clk = 0;
    top->eval();
    decide();
    top->eval();
    sample();
    nonspec = top->lsu_nonspec_o;
    top->clk = 1;
    top->eval();
    advance();
    cycle++;
}

bool Bench::idle() const {
    return rob.empty() && script.empty() && queue.empty() && answers.empty() && !fetch_on && !page_on &&
           !top->db_req_valid_o;
}

// Runs until the pipeline is empty and everything is performed, then compares
void Bench::settle() {
    unsigned fetch = p_fetch;
    stop = true;
    p_fetch = 0;
    for (int quiet = 0, n = 0; quiet < 20 && !failed; n++) {
        clock();
        quiet = idle() && top->mem_idle_o ? quiet + 1 : 0;
        if (n > 20000)
            fail("does not come to rest: rob %zu queue %zu answers %zu", rob.size(), queue.size(),
                 answers.size());
    }
    stop = false;
    p_fetch = fetch;
    known = other_time;
    compare();
}

void Bench::compare() {
    if (failed)
        return;
    if (mem.bytes != gold.bytes) {
        for (size_t i = 0; i < mem.bytes.size(); i++)
            if (mem.bytes[i] != gold.bytes[i]) {
                fail("memory at %" PRIx64 " is %02x, not %02x", RAM_BASE + i, mem.bytes[i], gold.bytes[i]);
                break;
            }
    }
    if (dev.reads != gold_dev.reads || !(dev.writes == gold_dev.writes))
        fail("device accesses differ");
    // Events. `dropped`: flushed on the way, at an unknown stage.
    range("L1D_LD_SPEC", count[E_LD], loads, dropped);
    range("L1D_LD_MISS_SPEC", count[E_LD_MISS], load_misses, dropped);
    range("L1D_MERGE", count[E_MERGE], load_merges, dropped);
    range("L2TLB_RD", count[E_L2_RD], tlb_misses, dropped);
    range("L2TLB_MISS", count[E_L2_MISS], l2_misses, dropped);
    range("L1D_REFILL", count[E_REFILL], lines, 0);
    if (count[E_LD_MISS] > count[E_REFILL] + count[E_MERGE] + full_slack)
        fail("more misses than lines and merges");
    if (count[E_FULL])
        cover[C_FULL]++;
    for (auto &c : count)
        c = 0;
    loads = load_misses = load_merges = tlb_misses = l2_misses = dropped = lines = full_slack = 0;
}

void Bench::range(const char *name, uint64_t got, uint64_t low, uint64_t slack) {
    if (got < low || got > low + slack)
        fail("%s counted %" PRIu64 ", expected %" PRIu64 "..%" PRIu64, name, got, low, low + slack);
}

// A pulse on flush_i and flush_tlb_i, as sfence.vma gives
void Bench::fence_tlb() {
    force_flush = force_flush_tlb = true;
    clock();
}

void Bench::flush() {
    force_flush = true;
    clock();
}

void Bench::drive() {
    // Back end: dispatch, issue
    bool alone = ad_ok && !rob.empty();
    if (!alone && rob.size() < ROB &&
        (!script.empty() || (!stop && !script_only && rnd.percent(p_dispatch)))) {
        if (rerun_valid) {
            rob.push_back(rerun);
            rerun_valid = false;
        } else if (!script.empty()) {
            rob.push_back(script.front());
            script.pop_front();
        } else {
            rob.push_back(random_insn());
        }
    } else if (rerun_valid && rob.empty()) {
        rob.push_back(rerun);
        rerun_valid = false;
    }
    if (!ls_up) {
        for (size_t n = 0; n < rob.size(); n++) {
            if (!rob[n].mem || rob[n].issued)
                continue;
            if (!rnd.percent(p_dispatch))
                break;
            const Insn &i = rob[n];
            uint64_t off = rnd.below(4096);
            ls_up = true;
            ls_index = n;
            top->ls_op_i = static_cast<uint8_t>(i.op);
            top->ls_f5_i = static_cast<uint8_t>(i.f5);
            top->ls_size_i = static_cast<uint8_t>(i.size);
            top->ls_uns_i = i.uns;
            top->ls_off_i = static_cast<uint16_t>(off);
            top->ls_base_i = i.va - static_cast<uint64_t>(static_cast<int64_t>(off << 52) >> 52);
            top->ls_wdata_i = i.data;
            top->ls_tag_i = static_cast<uint8_t>((head + n) % ROB);
            break;
        }
    }
    top->ls_valid_i = ls_up;
    top->head_valid_i = !rob.empty();
    top->head_tag_i = static_cast<uint8_t>(head);
    top->ad_ok_i = ad_ok;
    top->st_commit_i = top->retire_i = top->flush_i = top->flush_tlb_i = 0;
    bus();
    fetch();
    page();
}

void Bench::decide() {
    do_retire = do_flush = false;
    bool irq = !stop && !clean && !script_only && !ad_ok && rnd.below(1000) < p_flush * 10 && !nonspec;
    if (irq || force_flush) {
        do_flush = true;
        cover[C_FLUSH]++;
        if (force_flush_tlb)
            top->flush_tlb_i = 1;
        force_flush = force_flush_tlb = false;
    } else if (!rob.empty() && rob[0].done && rnd.percent(p_retire)) {
        do_retire = true;
        Insn &i = rob[0];
        bool ok = retire(i);
        if (!ok)
            do_flush = true;
        if (!ok && i.exc && i.cause == AD_NEEDED) {
            rerun = Insn();
            rerun.mem = true;
            rerun.op = i.op;
            rerun.f5 = i.f5;
            rerun.size = i.size;
            rerun.uns = i.uns;
            rerun.va = i.va;
            rerun.data = i.data;
            rerun_valid = true;
        }
        ad_next = rerun_valid;
        top->retire_i = ok;
        if (ok && i.mem && i.op == STORE)
            top->st_commit_i = 1;
    }
    top->flush_i = do_flush;
}

void Bench::sample() {
    if (top->rst)
        return;
    check_pmp();
    for (unsigned e = 0; e < E_N; e++)
        if ((event[e] = faulty(W_EVM + static_cast<int>(e), top->evm_o >> e & 1)))
            count[e]++;
    check_levels();
    accepted = ls_up && top->ls_ready_o;
    if (top->mem_idle_o && writes_under_way)
        fail("mem_idle_o with %d writes on the bus", writes_under_way);
    if (top->lc_certain_o > top->lc_valid_o || top->lc_valid_o > top->lc_possible_o)
        fail("completion: lc_possible_o %d, lc_certain_o %d, lc_valid_o %d", top->lc_possible_o,
             top->lc_certain_o, top->lc_valid_o);
    if (top->lc_valid_o > top->lc_certain_o && !top->lc_exc_o)
        fail("PMP's no completes tag %u without an exception", top->lc_tag_o);
    if (top->lc_valid_o) {
        size_t n = (top->lc_tag_o + ROB - head) % ROB;
        if (n >= rob.size() || !rob[n].mem || !rob[n].issued || rob[n].done) {
            fail("completion of tag %u, which waits for none", top->lc_tag_o);
        } else {
            Insn &i = rob[n];
            completed = true;
            completed_at = n;
            i.value = top->lc_value_o;
            i.exc = top->lc_exc_o;
            i.cause = top->lc_cause_o;
            i.paddr = top->lc_paddr_o;
            i.l1acc = top->lc_l1acc_o;
            i.l1miss = faulty(W_L1MISS, top->lc_l1miss_o);
            i.tlbacc = top->lc_tlbacc_o;
            i.tlbmiss = faulty(W_TLBMISS, top->lc_tlbmiss_o);
            i.l2miss = faulty(W_L2MISS, top->lc_l2tlbmiss_o);
            i.uncached = top->lc_uncached_o;
            i.fwd = faulty(W_FWD, top->lc_fwd_o);
            i.dsrc = top->lc_dsrc_o;
            check_early(i);
            if (top->lc_vaddr_o != i.va || (i.exc && top->lc_tval_o != i.va))
                fail("vaddr %" PRIx64, static_cast<uint64_t>(top->lc_vaddr_o));
            i.delay = 0;
            if (i.op == LOAD && i.l1acc) {
                loads++;
                load_misses += i.l1miss;
                load_merges += i.dsrc == 3;
            }
            tlb_misses += i.tlbmiss;
            l2_misses += i.l2miss;
            if ((i.op == LOAD || i.op == LR) && !i.exc && is_shared(i.paddr) &&
                i.paddr % 8 + (1u << i.size) == 8 && i.size >= 2 && (i.size == 3 || i.paddr % 8 == 4))
                known_next = static_cast<uint32_t>(i.value >> (i.size == 3 ? 32 : 0));
        }
    }
    load_in_m = top->m_load_o;
    tag_in_m = top->start_tag_o;
    if (top->db_req_valid_o && top->db_req_ready_i)
        accept_request();
    if (fetch_on && top->iw_done_o)
        fetch_done();
    if (page_on && top->rw_done_o)
        page_done();
    if (!page_on && !page_was_on && top->rw_done_o)
        fail("a record page is answered without a request");
    if (!fetch_on && !fetch_was_on && top->iw_done_o)
        fail("a walk is answered without a request");
}

// What IS and EX know of a load before it is done: that it is in M, and its value if the cache has it
void Bench::check_early(const Insn &i) {
    bool good_load = i.op == LOAD && !i.exc;
    if (good_load && !(load_in_m && tag_in_m == top->lc_tag_o))
        fail("a load completes that was not shown in M, tag %u", top->lc_tag_o);
    if (good_load && top->lc_hit_o == (top->lc_fwd_o || top->lc_uncached_o))
        fail("lc_hit_o %d, forwarded %d, uncached %d", top->lc_hit_o, top->lc_fwd_o, top->lc_uncached_o);
    if (good_load && top->lc_hit_o && top->lc_hit_value_o != top->lc_value_o)
        fail("a hit's value is %" PRIx64 ", and %" PRIx64, static_cast<uint64_t>(top->lc_hit_value_o),
             static_cast<uint64_t>(top->lc_value_o));
    if (top->lc_hit_o && !top->lc_certain_o)
        fail("lc_hit_o without lc_certain_o");
    if (!good_load && !i.exc && top->lc_hit_o)
        fail("op %d is said to be a load from the cache", i.op);
}

// Events that are states: their values, derived from outside
void Bench::check_levels() {
    bool on_bus = false, wanted = fetch_on || fetch_was_on, store = false;
    for (const auto &r : queue)
        on_bus |= r.id == 8;
    for (const auto &a : answers)
        on_bus |= !a.inv && a.id == 8;
    for (const auto &i : rob) {
        wanted |= i.mem && i.issued && !i.done;
        store |= i.mem && i.issued && !i.done && i.op != LOAD && i.op != LR;
    }
    unwanted = wanted || on_bus ? 0 : unwanted + 1;
    if (on_bus && !event[E_WALK])
        fail("WALK_CYC is not set while the walker waits for the bus");
    if (event[E_WALK] && unwanted > 4)
        fail("WALK_CYC is set, and nothing needs a walk");
    if (event[E_FULL] && !store)
        fail("SQ_FULL is set, and no store waits");
}

void Bench::advance() {
    writes_under_way -= writes_acked;
    writes_acked = 0;
    if (completed) {
        rob[completed_at].done = true;
        if (known_next > known)
            known = known_next;
        known_next = 0;
        completed = false;
    }
    if (accepted) {
        rob[ls_index].issued = true;
        rob[ls_index].known = known;
        rob[ls_index].delay = 0;
        ls_up = false;
    }
    for (auto &i : rob) {
        if (!i.mem && !i.done)
            i.done = i.delay == 0 || --i.delay == 0;
        if (i.mem && i.issued && !i.done && ++i.delay > 5000)
            fail("no completion: op %d va %" PRIx64, i.op, i.va);
    }
    if (do_retire && !do_flush) {
        rob.pop_front();
        head = (head + 1) % ROB;
        if (ls_up)
            ls_index--;
        retired++;
        ad_ok = false;
    }
    if (do_flush) {
        for (const auto &i : rob)
            dropped += i.mem && i.issued && !i.done;
        rob.clear();
        ls_up = false;
        ad_ok = rerun_valid;
    }
    if (fetch_end)
        fetch_on = fetch_end = false;
    if (page_end)
        page_on = page_end = false;
}

// A fetch that may set A: nothing else runs
void Bench::fetch_alone() {
    if (!ctx.satp || !ctx.adue)
        return;
    settle();
    if (failed)
        return;
    fetch_on = true;
    fetch_ad = true;
    Translation t;
    for (int n = 0; n < 30 && !t.ad_needed; n++) {
        fetch_va = VA_PAGES + rnd.below(RAISE_FROM / 2) * 2 * PAGE;
        fetch_user = rnd.percent(50);
        t = walk(gold, ctx, fetch_va, EXEC, fetch_user ? U : S);
    }
    bool change = !t.page_fault && !t.access_fault && t.ad_needed,
         denied = change && !ctx.pmp_ok(t.pte_pa, 8, WRITE, S);
    fetch_changes = ~0ull; // judged here
    stop = true;
    for (int n = 0; fetch_on && !failed; n++) {
        clock();
        if (n > 3000)
            fail("fetch walk does not end");
    }
    stop = false;
    if (failed)
        return;
    if (fetch_fault != t.page_fault || fetch_denied != (t.access_fault || denied))
        fail("fetch with A: fault %d access %d", fetch_fault, fetch_denied);
    if (change && !denied) {
        gold.write(t.pte_pa, 1, gold.read(t.pte_pa, 1) | PA);
        cover[C_I_AD]++;
    }
    settle();
}
