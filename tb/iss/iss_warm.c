// SPDX-License-Identifier: Apache-2.0
#include "iss_warm.h"

#include "iss_events.h"
#include "iss_predictor.h"
#include "tally_spec.h"

#include <string.h>

#define NOWHERE UINT64_MAX
enum { LINE = 64, PAGE_BITS = 12, LEVEL_BITS = 9, INDEX_BITS = 8, HINT_BITS = 6 };
enum { PTE_G = 1 << 5, PTE_D = 1 << 7, PTE_PPN_AT = 10 };
enum { DATA_D = 1 << 4, DATA_VALID_AT = 49, DATA_PPN_AT = 5 };

static uint64_t field(uint64_t value, unsigned lsb, unsigned bits) {
    return value >> lsb & ((UINT64_C(1) << bits) - 1);
}

/* --- caches --------------------------------------------------------------------------------------- */

static uint64_t *find_line(struct warm_cache *c, uint64_t pa) {
    uint64_t *set = &c->line[pa / LINE % WARM_SETS * WARM_WAYS];
    for (unsigned way = 0; way < WARM_WAYS; way++)
        if (set[way] == pa / LINE + 1)
            return &set[way];
    return NULL;
}

/* A line that is missing replaces an empty one, or else the next in turn. Returns how many were missing. */
static uint8_t read_line(struct warm_cache *c, uint64_t pa) {
    uint64_t *set = &c->line[pa / LINE % WARM_SETS * WARM_WAYS];
    unsigned way = c->turn;
    if (find_line(c, pa))
        return 0;
    for (unsigned i = WARM_WAYS; i--;)
        if (!set[i])
            way = i;
    set[way] = pa / LINE + 1;
    c->turn = (uint8_t)((c->turn + 1) % WARM_WAYS);
    return 1;
}

static void drop_line(struct warm_cache *c, uint64_t pa) {
    uint64_t *line = find_line(c, pa);
    if (line)
        *line = 0;
}

/* --- translations --------------------------------------------------------------------------------- */

struct space {
    const struct gh *hart;
    struct warm *warm;
    uint16_t asid;
};

static uint16_t asid_of(uint64_t satp) { return (uint16_t)field(satp, 44, 16); }

/* `entry` is never 0 in one that is used. */
static bool matches(const struct warm_tlb *t, unsigned i, uint64_t va, uint16_t asid) {
    return t->entry[i] && (va ^ t->va[i]) >> (PAGE_BITS + LEVEL_BITS * t->level[i]) == 0 &&
           (t->asid[i] == asid || t->entry[i] & PTE_G);
}

static bool second_level(const struct warm *w, uint64_t va, uint16_t asid, bool store, uint64_t *entry) {
    const unsigned at = (unsigned)field(va, PAGE_BITS, INDEX_BITS);
    const uint64_t tag = w->page_tag[at], data = w->page_data[at];
    if (!(data >> DATA_VALID_AT) || tag >> 17 != field(va, PAGE_BITS + INDEX_BITS, 19) ||
        !(tag & 1 || field(tag, 1, 16) == asid) || (store && !(data & DATA_D)))
        return false;
    *entry = field(data, DATA_PPN_AT, 44) << PTE_PPN_AT | (data & DATA_D ? PTE_D : 0) |
             (tag & 1 ? PTE_G : 0) | field(data, 0, 4) << 1 | 1;
    return true;
}

/* Permissions {D, U, X, W, R} from a page table's entry {D, A, G, U, X, W, R, V} */
static void enter_page(struct warm *w, uint64_t va, uint16_t asid, uint64_t entry) {
    const unsigned at = (unsigned)field(va, PAGE_BITS, INDEX_BITS);
    w->page_tag[at] =
        field(va, PAGE_BITS + INDEX_BITS, 19) << 17 | (uint64_t)asid << 1 | (entry & PTE_G ? 1 : 0);
    w->page_data[at] = UINT64_C(1) << DATA_VALID_AT | field(entry, PTE_PPN_AT, 44) << DATA_PPN_AT |
                       (entry & PTE_D ? DATA_D : 0) | field(entry, 1, 4);
}

/* The entry that has `va`; -1: none */
static int find_entry(struct warm_tlb *t, uint64_t va, uint16_t asid) {
    uint8_t *hint = &t->hint[field(va, PAGE_BITS, HINT_BITS)];
    for (unsigned i = 0; i < WARM_TLB_ENTRIES && !matches(t, *hint, va, asid); i++)
        *hint = (uint8_t)i;
    return matches(t, *hint, va, asid) ? *hint : -1;
}

/* PTEs are read through the D cache; pages of 4 KiB enter the second level. */
static bool walk(const struct space *s, uint64_t va, struct gh_leaf *leaf) {
    if (!gh_find_leaf(s->hart, va, leaf))
        return false;
    s->warm->seen.walks++;
    for (unsigned i = 0; i < leaf->reads; i++)
        s->warm->seen.walk_lines += read_line(&s->warm->dcache, leaf->read[i]);
    if (leaf->level == 0)
        enter_page(s->warm, va, s->asid, leaf->entry);
    return true;
}

/* A free entry, or else the next in turn */
static int victim(const struct warm_tlb *t) {
    for (int i = 0; i < WARM_TLB_ENTRIES; i++)
        if (!t->entry[i])
            return i;
    return t->turn;
}

/* No address of a space has two entries, also if software changes the size of a page without a fence. */
static void drop_overlaps(struct warm_tlb *t, unsigned but) {
    for (unsigned i = 0; i < WARM_TLB_ENTRIES; i++)
        if (i != but && (t->asid[i] == t->asid[but] || (t->entry[i] | t->entry[but]) & PTE_G) &&
            warm_pages_overlap(t->va[but], t->level[but], t->va[i], t->level[i]))
            t->entry[i] = 0;
}

/* The entry for `va`, which the second level or a walk gives if it is missing; -1: there is none. */
static int translate(const struct space *s, struct warm_tlb *t, uint64_t va, bool store) {
    int at = find_entry(t, va, s->asid);
    struct gh_leaf leaf = {0};
    if (at >= 0 && !(store && !(t->entry[at] & PTE_D)))
        return at;
    (t == &s->warm->itlb ? &s->warm->seen.itlb : &s->warm->seen.dtlb)[0]++;
    if (!second_level(s->warm, va, s->asid, store, &leaf.entry) && !walk(s, va, &leaf))
        return -1;
    if (at < 0)
        at = victim(t);
    t->turn = (uint8_t)((t->turn + 1) % WARM_TLB_ENTRIES);
    t->va[at] = va;
    t->entry[at] = leaf.entry;
    t->asid[at] = s->asid;
    t->level[at] = (uint8_t)leaf.level;
    drop_overlaps(t, (unsigned)at);
    t->hint[field(va, PAGE_BITS, HINT_BITS)] = (uint8_t)at;
    return at;
}

static uint64_t address(const struct warm_tlb *t, int at, uint64_t va) {
    const unsigned bits = PAGE_BITS + LEVEL_BITS * t->level[at];
    return field(t->entry[at], PTE_PPN_AT, 44) << PAGE_BITS >> bits << bits | field(va, 0, bits);
}

static void forget(struct warm *w) {
    memset(w->itlb.entry, 0, sizeof w->itlb.entry);
    memset(w->dtlb.entry, 0, sizeof w->dtlb.entry);
    memset(w->page_data, 0, sizeof w->page_data);
}

/* The data TLB keeps one address space. */
static void enter_space(struct warm_tlb *t, uint16_t asid) {
    for (unsigned i = 0; i < WARM_TLB_ENTRIES; i++)
        if (t->entry[i] && t->asid[i] != asid) {
            memset(t->entry, 0, sizeof t->entry);
            return;
        }
}

/* --- an instruction ------------------------------------------------------------------------------- */

static void fetch(const struct space *s, uint64_t pc, bool translated) {
    const int at = translated ? translate(s, &s->warm->itlb, pc, false) : -1;
    const uint64_t pa = at >= 0 ? address(&s->warm->itlb, at, pc) : pc;
    s->warm->fetched = pc / LINE;
    if ((at >= 0 || !translated) && pa >= SOC_RAM_BASE) /* the boot ROM is not cached */
        s->warm->seen.icache += read_line(&s->warm->icache, pa);
}

static bool is_atomic(uint32_t insn) { return (insn & 0x7f) == 0x2f; }

/* Stores write through, and bring no line; atomics work behind the cache. */
static void access_data(const struct space *s, const struct gh_retire *step, bool translated) {
    const bool store = step->mem != GH_MEM_LOAD;
    if (translated)
        translate(s, &s->warm->dtlb, step->mem_vaddr, store);
    if (step->mem == GH_MEM_LOAD && !is_atomic(step->insn))
        s->warm->seen.dcache += read_line(&s->warm->dcache, step->mem_paddr);
    else if (is_atomic(step->insn) && store)
        drop_line(&s->warm->dcache, step->mem_paddr);
}

/* Fences and CSR accesses. The next instruction's line is looked up again. */
static void fences(struct iss *iss, unsigned hart, const struct gh_retire *step) {
    struct warm *w = &iss->warm[hart];
    bool known;
    if ((step->insn & 0x707f) == 0x100f) /* fence.i */
        memset(w->icache.line, 0, sizeof w->icache.line);
    else if ((step->insn & 0xfe007fff) == 0x12000073) /* sfence.vma */
        forget(w);
    else if (!step->csr_changed)
        return;
    w->satp = gh_csr_peek(iss->hart[hart].core, TALLY_CSR_SATP, &known);
    enter_space(&w->dtlb, asid_of(w->satp));
    w->fetched = NOWHERE;
}

static void retired(struct iss *iss, unsigned hart, const struct gh_retire *step) {
    struct warm *w = &iss->warm[hart];
    const struct space s = {iss->hart[hart].core, w, asid_of(w->satp)};
    const bool translated = step->priv != TALLY_PRIV_M && w->satp >> 60;
    const uint64_t end = step->pc + ((step->insn & 3) == 3 ? 3 : 1);
    if (step->pc / LINE != w->fetched)
        fetch(&s, step->pc, translated);
    if (end / LINE != w->fetched)
        fetch(&s, end, translated);
    if (step->mem != GH_MEM_NONE && !step->mem_device)
        access_data(&s, step, translated);
    iss_predictor_learn(w, step, w->satp);
}

void iss_warm_begin(struct iss *iss) {
    const struct gh_retire none = {.csr_changed = true};
    for (unsigned h = 0; h < iss->cfg.harts; h++)
        fences(iss, h, &none);
}

void iss_warm_cycle(struct iss *iss, unsigned moved, const struct gh_retire *step) {
    for (unsigned h = 0; moved >> h; h++) {
        if (!(moved >> h & 1))
            continue;
        iss->warm[h].seen = (struct warm_seen){0};
        if (!iss_retires(&step[h]))
            continue;
        if (!step[h].csr_changed) /* it has changed satp, perhaps */
            retired(iss, h, &step[h]);
        fences(iss, h, &step[h]);
        const bool writes = step[h].mem == GH_MEM_STORE || step[h].mem == GH_MEM_AMO;
        for (unsigned other = 0; writes && other < iss->cfg.harts; other++)
            if (other != h)
                drop_line(&iss->warm[other].dcache, step[h].mem_paddr);
    }
}
