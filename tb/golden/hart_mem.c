// SPDX-License-Identifier: Apache-2.0
/*
 * Memory accesses of instructions: alignment, translation, protection, then main memory or a device.
 *
 * The fast path is the cache of translations (hart_tlb.c). Everything else (devices, pages that PMP divides,
 * faults) is checked on every access.
 */
#include "hart_internal.h"

static uint64_t truncate(uint64_t v, unsigned size) { return size == 8 ? v : v & (BIT(8 * size) - 1); }

/* --- destination of an access --- */

static const uint8_t perm_of[ACC_N] = {PMP_X, PMP_R, PMP_W};

/* Fast path: main memory that the access may touch, or NULL if the cache has no entry. */
static inline uint8_t *cached(struct gh *h, uint64_t va, enum access acc, unsigned priv) {
    struct tlb_entry *e = tlb_slot(h, va, acc, priv);
    return e->page == (va & ~(PAGE_BYTES - 1)) ? e->host + (va & (PAGE_BYTES - 1)) : NULL;
}

static uint64_t paddr_of(const struct gh *h, const uint8_t *host) {
    return h->cfg.ram_base + (uint64_t)(host - h->cfg.ram);
}

/* All checks. *host is set for main memory; NULL: there may be a device at *pa. */
static bool locate(struct gh *h, uint64_t va, unsigned size, enum access acc, unsigned priv, uint64_t *pa,
                   uint8_t **host) {
    *host = NULL;
    if (!gh_translate(h, va, acc, priv, pa))
        return false;
    if (!gh_pmp_allows(h, *pa, size, perm_of[acc], priv))
        return gh_raise_access_fault(h, acc, va);
    if (gh_in_ram(h, *pa, size)) {
        uint64_t page = *pa & ~(PAGE_BYTES - 1);

        *host = ram_at(h, *pa);
        if (gh_pmp_allows(h, page, PAGE_BYTES, perm_of[acc], priv))
            gh_tlb_fill(h, va, acc, priv, page);
    }
    return true;
}

static bool find(struct gh *h, uint64_t va, unsigned size, enum access acc, uint64_t *pa, uint8_t **host) {
    unsigned priv = data_priv(h);

    *host = cached(h, va, acc, priv);
    if (!*host)
        return locate(h, va, size, acc, priv, pa, host);
    *pa = paddr_of(h, *host);
    return true;
}

/* --- instructions --- */

static bool fetch_half(struct gh *h, uint64_t va, uint16_t *half) {
    uint8_t *host = cached(h, va, ACC_FETCH, h->priv);
    uint64_t pa, value;

    if (!host && !locate(h, va, 2, ACC_FETCH, h->priv, &pa, &host))
        return false;
    if (host) {
        *half = (uint16_t)read_bytes(host, 2);
        return true;
    }
    if (!h->host.dev_exec(h->host.ctx, pa) || !h->host.dev_load(h->host.ctx, pa, 2, &value))
        return gh_raise_access_fault(h, ACC_FETCH, va);
    *half = (uint16_t)value;
    return true;
}

static bool is_short(uint32_t raw) { return (raw & 3) != 3; }

static bool fetch_halves(struct gh *h) {
    uint16_t low = 0, high = 0;

    if (!fetch_half(h, h->pc, &low))
        return false;
    h->raw = low;
    if (is_short(low))
        return true;
    if (!fetch_half(h, (h->pc + 2) & h->xmask, &high))
        return false;
    h->raw |= (uint32_t)high << 16;
    return true;
}

/* Reads the instruction at pc into h->raw and sets h->next_pc. */
bool gh_fetch(struct gh *h) {
    const uint8_t *host = cached(h, h->pc, ACC_FETCH, h->priv);

    if (host && h->pc % PAGE_BYTES <= PAGE_BYTES - 4) { /* both halves are on this page */
        const uint32_t word = (uint32_t)read_bytes(host, 4);

        h->raw = is_short(word) ? (uint16_t)word : word;
    } else if (!fetch_halves(h)) {
        return false;
    }
    h->next_pc = (h->pc + (is_short(h->raw) ? 2 : 4)) & h->xmask;
    return true;
}

/* --- data --- */

static void note_access(struct gh *h, enum gh_mem kind, uint64_t va, uint64_t pa, unsigned size,
                        bool device) {
    h->out->mem = kind;
    h->out->mem_size = size;
    h->out->mem_vaddr = va;
    h->out->mem_paddr = pa;
    h->out->mem_device = device;
}

static uint64_t loaded(const struct gh *h, const uint8_t *host, unsigned size) {
    return h->hint->load_forced ? truncate(h->hint->load_value, size) : read_bytes(host, size);
}

static void stored(struct gh *h, uint8_t *host, unsigned size, uint64_t value) {
    write_bytes(host, size, value);
    h->out->mem_wdata = truncate(value, size);
}

bool gh_load(struct gh *h, uint64_t va, unsigned size, uint64_t *raw) {
    uint8_t *host;
    uint64_t pa;

    if (va & (size - 1))
        return raise_exc(h, TALLY_EXC_LOAD_MISALIGNED, va);
    if (!find(h, va, size, ACC_LOAD, &pa, &host))
        return false;
    if (host)
        *raw = loaded(h, host, size);
    else if (!h->host.dev_load(h->host.ctx, pa, size, raw))
        return gh_raise_access_fault(h, ACC_LOAD, va);
    else
        *raw = truncate(*raw, size);
    note_access(h, GH_MEM_LOAD, va, pa, size, !host);
    return true;
}

bool gh_store(struct gh *h, uint64_t va, unsigned size, uint64_t value) {
    uint8_t *host;
    uint64_t pa;

    if (va & (size - 1))
        return raise_exc(h, TALLY_EXC_STORE_MISALIGNED, va);
    if (!find(h, va, size, ACC_STORE, &pa, &host))
        return false;
    if (host)
        stored(h, host, size, value);
    else if (!h->host.dev_store(h->host.ctx, pa, size, truncate(value, size)))
        return gh_raise_access_fault(h, ACC_STORE, va);
    else
        h->out->mem_wdata = truncate(value, size);
    note_access(h, GH_MEM_STORE, va, pa, size, !host);
    return true;
}

/* Atomics: main memory only. */
static bool find_atomic(struct gh *h, uint64_t va, unsigned size, enum access acc, uint64_t *pa,
                        uint8_t **host) {
    if (va & (size - 1))
        return raise_exc(h, acc == ACC_LOAD ? TALLY_EXC_LOAD_MISALIGNED : TALLY_EXC_STORE_MISALIGNED, va);
    if (!find(h, va, size, acc, pa, host))
        return false;
    if (*host)
        return true;
    gh_raise_access_fault(h, acc, va);
    return false;
}

bool gh_lr(struct gh *h, uint64_t va, unsigned size, uint64_t *raw) {
    uint8_t *host;
    uint64_t pa;

    if (!find_atomic(h, va, size, ACC_LOAD, &pa, &host))
        return false;
    *raw = loaded(h, host, size);
    h->linked = h->reserved = true;
    h->reserved_line = line_of(pa);
    note_access(h, GH_MEM_LOAD, va, pa, size, false);
    return true;
}

bool gh_sc(struct gh *h, uint64_t va, unsigned size, uint64_t value, bool *failed) {
    uint8_t *host;
    uint64_t pa;

    if (!find_atomic(h, va, size, ACC_STORE, &pa, &host))
        return false;
    *failed = !(h->reserved && h->reserved_line == line_of(pa));
    if (h->hint->sc_forced) {
        /* The machine decides whether another hart's store came first; the model checks that there was an LR.
         */
        if (!h->hint->sc_failed && !(h->linked && h->reserved_line == line_of(pa)))
            h->out->error = "SC succeeded without an LR of its line";
        *failed = h->hint->sc_failed;
    }
    h->linked = h->reserved = false;
    note_access(h, *failed ? GH_MEM_NONE : GH_MEM_STORE, va, pa, size, false);
    if (!*failed)
        stored(h, host, size, value);
    return true;
}

static uint64_t amo_result(unsigned funct5, uint64_t old, uint64_t operand) {
    switch (funct5) {
    case 0x00:
        return old + operand;
    case 0x01:
        return operand; /* swap */
    case 0x04:
        return old ^ operand;
    case 0x08:
        return old | operand;
    case 0x0C:
        return old & operand;
    case 0x10:
        return (int64_t)old < (int64_t)operand ? old : operand;
    case 0x14:
        return (int64_t)old > (int64_t)operand ? old : operand;
    case 0x18:
        return old < operand ? old : operand;
    default:
        return old > operand ? old : operand;
    }
}

bool gh_amo(struct gh *h, uint64_t va, unsigned size, unsigned funct5, uint64_t operand, uint64_t *raw) {
    uint8_t *host;
    uint64_t pa;

    if (!find_atomic(h, va, size, ACC_STORE, &pa, &host))
        return false;
    *raw = loaded(h, host, size);
    /* Sign-extending both sides keeps the order of unsigned words too. */
    stored(h, host, size, amo_result(funct5, sext(*raw, 8 * size), sext(operand, 8 * size)));
    note_access(h, GH_MEM_AMO, va, pa, size, false);
    return true;
}
