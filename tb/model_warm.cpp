// SPDX-License-Identifier: Apache-2.0
// Predictor, caches and TLBs get what a checkpoint has of them (warm.h).
#include "model.h"

#include "bytes.h"

#include <type_traits>

namespace MODEL_SPACE {
#if SIM_WARM
namespace {

// Element g of a generate loop
#define LOOP(loop, g, signal) loop##__BRA__##g##__KET____DOT__##signal
#define BPRED(n, signal) HART(n, u_frontend__DOT__u_bpred__DOT__##signal)
#define BPRED_LOOP(n, loop, g, signal) BPRED_LOOP_(n, LOOP(loop, g, signal))
#define BPRED_LOOP_(n, signal) BPRED(n, signal)
#define ICACHE(n, signal) HART(n, u_frontend__DOT__u_icache__DOT__##signal)
#define ICACHE_WAY(n, g, signal) ICACHE(n, gen_way__BRA__##g##__KET____DOT__u_way__DOT__##signal)
#define DCACHE(n, signal) HART(n, u_lsu__DOT__u_dcache__DOT__##signal)
#define DCACHE_WAY(n, g, signal) DCACHE(n, g_way__BRA__##g##__KET____DOT__##signal)
#define ITLB(n, signal) HART(n, u_frontend__DOT__u_itlb__DOT__##signal)
#define DTLB(n, signal) HART(n, u_lsu__DOT__u_pipeline__DOT__u_dtlb__DOT__##signal)
#define L2TLB(n, signal) HART(n, u_lsu__DOT__u_walker__DOT__u_l2tlb__DOT__##signal)

constexpr unsigned kLine = 64, kWords = kLine / 8, kValid = 1u << 24; // of a tag, above line / sets

// The array has as many elements.
template <unsigned kCount, class Array> constexpr void check_size(const Array &array) {
    static_assert(sizeof array == kCount * sizeof array[0], "the sizes of warm.h");
}

template <unsigned kCount, class Array, class T> void copy(Array &array, const T *from) {
    check_size<kCount>(array);
    for (unsigned i = 0; i < kCount; i++)
        array[i] = static_cast<std::remove_reference_t<decltype(array[0])>>(from[i]);
}

template <class Tags, class Data>
void fill_way(const Machine *m, const warm_cache &cache, unsigned way, Tags &tags, Data &data) {
    check_size<WARM_SETS>(tags);
    check_size<WARM_SETS * kWords>(data);
    for (unsigned set = 0; set < WARM_SETS; set++) {
        const uint64_t line = cache.line[set * WARM_WAYS + way] - 1, offset = line * kLine - SOC_RAM_BASE;
        if (offset >= m->ram_size)
            continue; // an empty one
        tags[set] = static_cast<IData>(kValid | line / WARM_SETS);
        for (unsigned word = 0; word < kWords; word++)
            data[set * kWords + word] = bytes_get(m->ram + offset + 8 * word, 8);
    }
}

#define PUT_WAY(n, g)                                                                                        \
    fill_way(m, w->icache, g, ICACHE_WAY(n, g, tag_mem), ICACHE_WAY(n, g, u_data__DOT__mem));                \
    fill_way(m, w->dcache, g, DCACHE_WAY(n, g, tag_mem), DCACHE_WAY(n, g, u_data__DOT__mem));                \
    fill_way(m, w->dcache, g, DCACHE_WAY(n, g, tag2_mem), DCACHE_WAY(n, g, u_data__DOT__mem))

#define PUT_CACHES(n)                                                                                        \
    PUT_WAY(n, 0);                                                                                           \
    PUT_WAY(n, 1);                                                                                           \
    PUT_WAY(n, 2);                                                                                           \
    PUT_WAY(n, 3);                                                                                           \
    ICACHE(n, turn_q) = w->icache.turn;                                                                      \
    DCACHE(n, turn_q) = w->dcache.turn

#define PUT_TARGETS(n, g)                                                                                    \
    copy<WARM_BTB_SETS>(BPRED_LOOP(n, gen_way, g, hot_mem), w->btb_entry + g * WARM_BTB_SETS);               \
    copy<WARM_BTB_SETS>(BPRED_LOOP(n, gen_way, g, u_target__DOT__mem), w->btb_target + g * WARM_BTB_SETS)

#define PUT_COUNTERS(n, g)                                                                                   \
    copy<WARM_BHT_ROWS>(BPRED_LOOP(n, gen_bht, g, u_bht__DOT__mem), w->counter + g * WARM_BHT_ROWS)

#define PUT_PREDICTOR(n)                                                                                     \
    PUT_TARGETS(n, 0);                                                                                       \
    PUT_TARGETS(n, 1);                                                                                       \
    PUT_COUNTERS(n, 0);                                                                                      \
    PUT_COUNTERS(n, 1);                                                                                      \
    PUT_COUNTERS(n, 2);                                                                                      \
    PUT_COUNTERS(n, 3);                                                                                      \
    copy<WARM_ITB_ROWS>(BPRED(n, u_indirect__DOT__mem), w->indirect);                                        \
    copy<WARM_RAS_ENTRIES>(BPRED(n, ras_q), w->returns);                                                     \
    BPRED(n, history_q) = w->history;                                                                        \
    BPRED(n, ptr_q) = w->top;                                                                                \
    BPRED(n, turn_q) = w->turn

// An entry of a first-level TLB, as both have it
struct Page {
    Page(const warm_tlb &t, unsigned i)
        : valid(t.entry[i] != 0), mega(t.level[i] > 0), giga(t.level[i] > 1),
          key(static_cast<IData>(t.va[i] >> 12 & 0x7ffffff)), rights(t.entry[i] & 0xff) {
        const QData fixed = giga ? ~QData(0x3ffff) : mega ? ~QData(0x1ff) : ~QData(0);
        number = t.entry[i] >> 10 & 0xfffffffffff & fixed;
    }
    bool valid, mega, giga;
    IData key;
    unsigned rights; // {D, A, G, U, X, W, R, V}
    QData number;
};

template <class Bits> void put_bit(Bits &bits, unsigned i, bool value) {
    bits = static_cast<Bits>((bits & ~(1u << i)) | static_cast<unsigned>(value) << i);
}

template <class Valid, class Keys, class Spaces, class Kinds, class Pages>
void fill_itlb(const warm_tlb &t, Valid &valid, Keys &key, Spaces &asid, Kinds &kind, Pages &page) {
    check_size<WARM_TLB_ENTRIES>(key);
    for (unsigned i = 0; i < WARM_TLB_ENTRIES; i++) {
        const Page p(t, i);
        put_bit(valid, i, p.valid);
        key[i] = p.key;
        asid[i] = t.asid[i];
        kind[i] = static_cast<CData>(p.mega << 3 | p.giga << 2 | (p.rights >> 4 & 3));
        page[i] = QData(p.mega) << 45 | QData(p.giga) << 44 | p.number;
    }
}

template <class Valid, class Keys, class Rights, class Bits, class Pages>
void fill_dtlb(const warm_tlb &t, Valid &valid, Keys &key, Rights &rights, Bits &mega, Bits &giga,
               Pages &page) {
    check_size<WARM_TLB_ENTRIES>(key);
    for (unsigned i = 0; i < WARM_TLB_ENTRIES; i++) {
        const Page p(t, i);
        put_bit(valid, i, p.valid);
        put_bit(mega, i, p.mega);
        put_bit(giga, i, p.giga);
        key[i] = p.key;
        rights[i] = static_cast<CData>((p.rights >> 7 & 1) << 4 | (p.rights >> 1 & 15));
        page[i] = QData(p.giga) << 45 | QData(p.mega) << 44 | p.number;
    }
}

#define PUT_FIRST_LEVEL(n)                                                                                   \
    fill_itlb(w->itlb, ITLB(n, valid_q), ITLB(n, va_q), ITLB(n, asid_q), ITLB(n, attr_q), ITLB(n, page_q));  \
    fill_dtlb(w->dtlb, DTLB(n, valid_q), DTLB(n, key_q), DTLB(n, perm_q), DTLB(n, mega_q), DTLB(n, giga_q),  \
              DTLB(n, page_mem));                                                                            \
    ITLB(n, turn_q) = w->itlb.turn;                                                                          \
    DTLB(n, turn_q) = w->dtlb.turn

// The sweep would empty the entries again.
#define PUT_TRANSLATIONS(n)                                                                                  \
    copy<WARM_PAGES>(L2TLB(n, tag_mem), w->page_tag);                                                        \
    copy<WARM_PAGES>(L2TLB(n, data_mem), w->page_data);                                                      \
    L2TLB(n, sweep_q) = WARM_PAGES

} // namespace

bool put_warm(sim *s, unsigned hart, const warm *w) {
    auto *m = static_cast<Machine *>(s);
    auto *root = m->root;
#define PUT(n)                                                                                               \
    PUT_PREDICTOR(n);                                                                                        \
    PUT_CACHES(n);                                                                                           \
    PUT_FIRST_LEVEL(n);                                                                                      \
    PUT_TRANSLATIONS(n)
    PER_HART(hart, PUT);
    return true;
}
#else
bool put_warm(sim *, unsigned, const warm *) { return false; }
#endif
} // namespace MODEL_SPACE
