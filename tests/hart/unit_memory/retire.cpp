// SPDX-License-Identifier: Apache-2.0
// Retirement: the model executes each instruction that retires, and compares
#include "bench.h"

// Returns false if the instruction trapped (or has to run again)
bool Bench::retire(Insn &i) {
    if (!i.mem)
        return true;
    unsigned bytes = 1u << i.size;
    bool writes = i.op == STORE || i.op == SC || i.op == AMO;
    bool loadlike = i.op == LOAD || i.op == LR;
    bool exc = false;
    unsigned cause = 0;
    uint64_t pa = i.va;
    bool wild = false;
    auto raise = [&](unsigned c) {
        if (!exc)
            cause = c;
        exc = true;
    };
    if (i.va % bytes)
        raise(loadlike ? LD_MISAL : ST_MISAL);
    if (!exc && ctx.sv39()) {
        Translation t = walk(gold, ctx, i.va, writes ? WRITE : READ, ctx.priv);
        wild = static_cast<uint64_t>(static_cast<int64_t>(i.va << 25) >> 25) != i.va;
        if (t.page_fault)
            raise(loadlike ? LD_PAGE : ST_PAGE);
        if (t.access_fault)
            raise(loadlike ? LD_ACC : ST_ACC);
        if (!exc && t.ad_needed) {
            if (!ad_ok) {
                raise(AD_NEEDED);
            } else if (!ctx.pmp_ok(t.pte_pa, 8, WRITE, S)) {
                raise(loadlike ? LD_ACC : ST_ACC);
            } else {
                gold.write(t.pte_pa, 8, t.pte | PA | (writes ? PD : 0));
                cover[C_AD_UPDATE]++;
            }
        }
        pa = t.pa;
    } else if (!exc && pa >> 56) {
        raise(loadlike ? LD_ACC : ST_ACC);
    }
    if (!exc) {
        bool ok = in_ram(pa) ||
                  (in_device(pa) && i.op <= STORE && !(i.op == STORE && in_rom(pa)) && width_fits(pa, bytes));
        ok = ok && ctx.pmp_ok(pa, bytes, writes ? WRITE : READ, ctx.priv);
        if (!ok)
            raise(loadlike ? LD_ACC : ST_ACC);
    }
    bool device = !exc && !in_ram(pa);
    uint64_t raw = 0;
    if (!exc && device && i.op == LOAD) {
        raw = gold_dev.read(pa) >> pa % 8 * 8;
        if (device_fails(pa))
            raise(LD_ACC);
    }
    if (i.exc != exc || (exc && i.cause != cause)) {
        fail("op %d size %u va %" PRIx64 ": exception %d cause %u, expected %d cause %u (pa %" PRIx64
             ", ad_ok %d)",
             i.op, bytes, i.va, i.exc, i.cause, exc, cause, pa, ad_ok);
        return true;
    }
    bool tlb = ctx.sv39() && !(i.va % bytes) && !wild;
    if (i.tlbacc != tlb)
        fail("tlbacc %d", i.tlbacc);
    if ((i.tlbmiss && !i.tlbacc) || (i.l2miss && !i.tlbmiss))
        fail("miss without access");
    cover[C_TLB_MISS] += i.tlbmiss;
    cover[C_L2_HIT] += i.tlbmiss && !i.l2miss;
    if (exc) {
        cover[cause == LD_PAGE || cause == ST_PAGE ? C_PAGE_FAULT
              : cause == LD_ACC || cause == ST_ACC ? C_ACCESS_FAULT
                                                   : C_MISALIGNED] += cause != AD_NEEDED;
        return false;
    }
    if (i.paddr != pa)
        fail("paddr %" PRIx64 ", expected %" PRIx64, i.paddr, pa);
    if (i.uncached != device || i.l1acc == device)
        fail("uncached %d l1acc %d at %" PRIx64, i.uncached, i.l1acc, pa);
    unsigned bits = 8 * bytes;
    uint64_t mask = bits == 64 ? ~0ull : (1ull << bits) - 1, care = ~0ull;
    if (!device)
        raw = gold.read(pa, bytes);
    raw &= mask;
    uint64_t expected = i.uns || bits == 64 || !(raw >> (bits - 1) & 1) ? raw : raw | ~mask;
    if (!device && is_shared(pa) && pa % 8 + bytes > 4 && i.op != SC) { // has bytes of the other hart's
        if (pa % 8 < 4)
            care = 0xFFFFFFFF >> pa % 8 * 8;
        else
            care = 0;
        if (pa % 8 + bytes == 8 && (bytes == 8 || pa % 8 == 4))
            other_seen(i, pa & ~7ull, static_cast<uint32_t>(i.value >> (bytes == 8 ? 32 : 0)));
    }
    if (!device && pa >= table_page(L0_A) &&
        pa < table_page(L0_B + 2)) { // the other hart writes here, see other_hart()
        care = pa / 8 % 2 == 0 && (pa % 8 > 1 || (pa % 8 == 0 && bytes == 1)) ? ~0ull : 0;
    }
    switch (i.op) {
    case LOAD:
    case LR:
        if ((i.value ^ expected) & care)
            fail("op %d size %u va %" PRIx64 " pa %" PRIx64 ": %" PRIx64 ", expected %" PRIx64 " (dsrc %u)",
                 i.op, bytes, i.va, pa, i.value, expected, i.dsrc);
        break;
    case STORE:
        if (device)
            gold_dev.writes.push_back({pa, i.data & mask, bytes});
        else
            gold.write(pa, bytes, i.data);
        break;
    case SC:
        if (i.value > 1 || i.value != sc_result)
            fail("SC gave %" PRIx64 ", the bus said %d", i.value, sc_result);
        if (!sc_result)
            gold.write(pa, bytes, i.data);
        cover[sc_result ? C_SC_FAIL : C_SC_OK]++;
        break;
    case AMO:
        if (i.value != expected)
            fail("AMO va %" PRIx64 ": %" PRIx64 ", expected %" PRIx64, i.va, i.value, expected);
        gold.write(pa, bytes, amo(i.f5, i.size == 3, expected, i.data));
        break;
    }
    unsigned dsrc = i.op == STORE  ? 0
                    : device       ? 5
                    : i.op != LOAD ? 4
                    : i.fwd        ? 2
                    : !i.l1miss    ? 1
                    : i.dsrc == 3  ? 3
                                   : 4;
    if (i.dsrc != dsrc)
        fail("dsrc %u, expected %u", i.dsrc, dsrc);
    if (i.op == LOAD)
        cover[device ? C_DEVICE : i.fwd ? C_FORWARD : i.dsrc == 3 ? C_MERGE : i.l1miss ? C_MISS : C_HIT]++;
    return true;
}

void Bench::other_seen(const Insn &i, uint64_t dword, uint32_t v) {
    const auto &h = history[dword];
    uint32_t low = last_seen[dword], newest = 0;
    bool written = v == 0;
    for (uint32_t w : h) {
        written = written || w == v;
        if (w <= i.known)
            newest = w;
    }
    if (!written)
        fail("%" PRIx64 ": value %x of the other hart was never written", dword, v);
    if (v < low)
        fail("%" PRIx64 ": saw %x after %x", dword, v, low);
    if (v < newest)
        fail("%" PRIx64 ": saw %x, but %x was known", dword, v, newest);
    last_seen[dword] = v;
    cover[C_OTHER_SEEN] += v != 0;
}
