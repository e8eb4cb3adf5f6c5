// SPDX-License-Identifier: Apache-2.0
// The bus: RAM, devices, reservations, the other hart's writes
#include "bench.h"

void Bench::accept_request() {
    Request r;
    r.op = top->db_req_op_o;
    r.addr = top->db_req_addr_o;
    r.size = top->db_req_size_o;
    r.data = top->db_req_wdata_o;
    r.strobes = top->db_req_wstrb_o;
    r.f5 = top->db_req_f5_o;
    r.id = top->db_req_id_o;
    r.ready_at = cycle + 2 + (latency ? rnd.below(latency) : 0);
    bool ram = in_ram(r.addr);
    if (!ram && (r.op > B_WRITE || r.op == B_LINE || !in_device(r.addr)))
        fail("request %u of %" PRIx64, r.op, r.addr);
    if (r.op == B_WRITE)
        writes_under_way++;
    if (r.op == B_LINE && (r.addr % 64 || r.id > 1))
        fail("line request");
    if (r.op == B_LINE)
        lines++;
    if (r.op == B_LINE)
        full_slack += 8; // loads that found no free miss register may wait for this one
    if (r.op == B_WRITE && ram && __builtin_popcount(r.strobes) > 1)
        cover[C_MERGED_STORE] += r.strobes & (r.strobes - 1) ? 1 : 0;
    queue.push_back(r);
}

void Bench::write_seen(uint64_t pa,
                       bool walker) { // reservations that a write breaks; own writes keep one's own
    if (reserved[1] && reserved_line[1] == pa / 64)
        reserved[1] = false;
    if (walker && reserved[0] && reserved_line[0] == pa / 64)
        reserved[0] = false;
}

void Bench::perform(const Request &r) {
    bool ram = in_ram(r.addr);
    unsigned bytes = 1u << r.size;
    uint64_t shift = r.addr % 8 * 8;
    Answer a{false, r.id, 0, true, false};
    switch (r.op) {
    case B_LINE:
        for (unsigned n = 0; n < 8; n++)
            answers.push_back({false, r.id, mem.read(r.addr + 8 * n, 8), n == 7, false});
        return;
    case B_READ:
        a.data = ram ? mem.read(r.addr & ~7ull, 8) : dev.read(r.addr);
        a.err = !ram && device_fails(r.addr);
        break;
    case B_WRITE:
        if (ram) {
            mem.write_lanes(r.addr, r.data, r.strobes);
            write_seen(r.addr, false);
        } else {
            dev.writes.push_back(
                {r.addr, r.data >> shift & (bytes == 8 ? ~0ull : (1ull << 8 * bytes) - 1), bytes});
        }
        break;
    case B_LR:
        if (r.id == 8 && rnd.percent(20))
            change_software_bits(r.addr);
        a.data = mem.read(r.addr & ~7ull, 8);
        reserved[r.id >> 3] = true;
        reserved_line[r.id >> 3] = r.addr / 64;
        if (r.id == 8 && rnd.percent(20))
            change_software_bits(r.addr);
        break;
    case B_AMO: {
        uint64_t old = mem.read(r.addr, bytes);
        a.data = old << shift;
        mem.write(r.addr, bytes, amo(r.f5, bytes == 8, old, r.data >> shift));
        write_seen(r.addr, false);
        break;
    }
    default: {
        bool ok = reserved[r.id >> 3] && reserved_line[r.id >> 3] == r.addr / 64;
        reserved[r.id >> 3] = false;
        a.data = (rnd.next() & ~1ull) | !ok;
        if (r.id == 8) {
            cover[C_AD_RETRY] += !ok;
            tables_changed++;
        } else {
            sc_result = !ok;
        }
        if (!ok)
            break;
        mem.write_lanes(r.addr, r.data, r.strobes);
        write_seen(r.addr, r.id == 8);
    }
    }
    bool own_inv = r.op == B_AMO || r.op == B_SC, first = rnd.percent(50);
    if (own_inv && first)
        invalidate(r.addr);
    answers.push_back(a);
    if (own_inv && !first)
        invalidate(r.addr);
}

void Bench::change_software_bits(uint64_t pte_pa) {
    if (pte_pa < table_page(L0_A) || pte_pa >= table_page(L0_B + 2))
        return;
    uint64_t b = (mem.read(pte_pa + 1, 1) & 0xFC) | rnd.below(4);
    mem.write(pte_pa + 1, 1, b);
    gold.write(pte_pa + 1, 1, b);
    break_reservations(pte_pa);
    invalidate(pte_pa);
}

void Bench::other_hart() {
    if (hammered && cycle % hammer_period == 0)
        invalidate(hammered);
    if (script_only || !rnd.percent(p_other) || (stop && !rnd.percent(10)))
        return;
    if (rnd.percent(30)) { // a PTE's software bits, or an unused PTE
        unsigned t = rnd.percent(50) ? L0_A : L0_B;
        uint64_t pa = table_page(t + static_cast<unsigned>(rnd.below(2))) +
                      rnd.below(rnd.percent(50) ? 8 : RAISE_FROM) * 8;
        if (pa / 8 % 2) {
            poke(pa, rnd.next());
        } else {
            change_software_bits(pa);
            return;
        }
        break_reservations(pa);
        invalidate(pa);
        return;
    }
    uint64_t pa = SHARED + rnd.below(8) * PAGE / (rnd.percent(70) ? 8 : 1) / 8 * 8 + random_offset() / 8 * 8;
    if (rnd.percent(p_hot * 2))
        pa = hot_shared();
    if (!is_shared(pa))
        return;
    uint32_t v = ++other_time;
    mem.write(pa + 4, 4, v);
    gold.write(pa + 4, 4, v);
    history[pa].push_back(v);
    break_reservations(pa);
    invalidate(pa);
}

void Bench::break_reservations(uint64_t pa) {
    for (int n = 0; n < 2; n++)
        if (reserved_line[n] == pa / 64)
            reserved[n] = false;
}

void Bench::bus() {
    top->db_req_ready_i = rnd.percent(p_ready) && queue.size() < 16;
    other_hart();
    if (!queue.empty() && queue.front().ready_at <= cycle) {
        perform(queue.front());
        queue.pop_front();
    }
    top->db_rsp_valid_i = top->inv_valid_i = 0;
    top->db_rsp_data_i = rnd.next();
    if (!rnd.percent(p_answer))
        return;
    bool rsp = false, inv = false;
    while (!answers.empty() && (answers.front().inv ? !inv : !rsp)) {
        const Answer &a = answers.front();
        if (a.inv) {
            inv = true;
            top->inv_valid_i = 1;
            top->inv_addr_i = a.data >> 6;
        } else {
            rsp = true;
            top->db_rsp_valid_i = 1;
            top->db_rsp_id_i = static_cast<uint8_t>(a.id);
            top->db_rsp_data_i = a.data;
            top->db_rsp_err_i = a.err;
            if (a.id == 2)
                writes_acked++;
        }
        answers.pop_front();
        if (rnd.percent(30))
            break;
    }
}
