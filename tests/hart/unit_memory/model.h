// SPDX-License-Identifier: Apache-2.0
// The memory model, one instruction after the other: bytes, devices, PMP, Sv39. Written from docs/hart.md,
// without caches, queues or TLBs.
#ifndef TALLY_TEST_MEMORY_MODEL_H
#define TALLY_TEST_MEMORY_MODEL_H

#include <array>
#include <cstdint>
#include <cstring>
#include <vector>

class Random {
  public:
    explicit Random(uint64_t seed) : s(seed * 0x9E3779B97F4A7C15ull + 1) {}
    uint64_t next() {
        s ^= s << 13;
        s ^= s >> 7;
        s ^= s << 17;
        return s * 0x2545F4914F6CDD1Dull;
    }
    uint64_t below(uint64_t n) { return (next() >> 16) % n; }
    bool percent(unsigned p) { return below(100) < p; }

  private:
    uint64_t s;
};

constexpr uint64_t RAM_BASE = 0x80000000, RAM_SIZE = 512 * 1024, PAGE = 4096;

enum Op { LOAD, STORE, LR, SC, AMO };
enum Priv { U = 0, S = 1, M = 3 };
enum Access { READ, WRITE, EXEC };
enum Cause { LD_MISAL = 4, LD_ACC, ST_MISAL, ST_ACC, LD_PAGE = 13, AD_NEEDED = 14, ST_PAGE = 15 };
enum PteBit { PV = 1, PR = 2, PW = 4, PX = 8, PU = 16, PG = 32, PA = 64, PD = 128 };

inline bool in_ram(uint64_t pa) { return pa >= RAM_BASE && pa < RAM_BASE + RAM_SIZE; }
inline bool in_rom(uint64_t pa) { return pa >= 0x1000 && pa < 0x10000; }
inline bool in_device(uint64_t pa) {
    return in_rom(pa) || (pa >= 0x100000 && pa < 0x101000) || (pa >= 0x2000000 && pa < 0x2010000) ||
           (pa >= 0xC000000 && pa < 0x10000000) || (pa >= 0x10000000 && pa < 0x10000100);
}
// Widths that the device there takes
inline bool width_fits(uint64_t pa, unsigned bytes) {
    if (pa >= 0x2000000 && pa < 0x2010000)
        return bytes >= 4;
    return pa < 0xC000000 || pa >= 0x10000000 || bytes == 4;
}
inline bool device_fails(uint64_t pa) { return pa >= 0xD000000 && pa < 0xE000000; } // the bus answers "error"

inline uint64_t amo(unsigned f5, bool dword, uint64_t old, uint64_t x) {
    if (!dword) {
        old = static_cast<uint64_t>(static_cast<int32_t>(old));
        x = static_cast<uint64_t>(static_cast<int32_t>(x));
    }
    auto so = static_cast<int64_t>(old), sx = static_cast<int64_t>(x);
    switch (f5) {
    case 0x00:
        return old + x;
    case 0x01:
        return x;
    case 0x04:
        return old ^ x;
    case 0x08:
        return old | x;
    case 0x0C:
        return old & x;
    case 0x10:
        return so < sx ? old : x;
    case 0x14:
        return so > sx ? old : x;
    case 0x18:
        return old < x ? old : x;
    default:
        return old > x ? old : x;
    }
}

struct Memory {
    std::vector<uint8_t> bytes = std::vector<uint8_t>(RAM_SIZE);

    uint64_t read(uint64_t pa, unsigned size) const {
        uint64_t v = 0;
        memcpy(&v, &bytes[pa - RAM_BASE], size);
        return v;
    }
    void write(uint64_t pa, unsigned size, uint64_t v) { memcpy(&bytes[pa - RAM_BASE], &v, size); }
    // Data in byte lanes
    void write_lanes(uint64_t pa, uint64_t data, unsigned strobes) {
        for (unsigned i = 0; i < 8; i++)
            if (strobes >> i & 1)
                bytes[(pa & ~7ull) + i - RAM_BASE] = static_cast<uint8_t>(data >> 8 * i);
    }
};

// Every read has a side effect: the next one reads something else. Data in byte lanes.
struct Devices {
    struct Write {
        uint64_t pa, data;
        unsigned size;
        bool operator==(const Write &o) const { return pa == o.pa && data == o.data && size == o.size; }
    };
    uint64_t reads = 0;
    std::vector<Write> writes;

    uint64_t read(uint64_t pa) {
        return (pa / 8 + 77) * 0x9E3779B97F4A7C15ull + ++reads * 0xD6E8FEB86659FD93ull;
    }
};

struct Context {
    unsigned priv = M;
    bool sum = false, mxr = false, adue = false;
    uint64_t satp = 0;
    bool mml = false, mmwp = false; // mseccfg
    uint64_t pmp_cfg = 0x1F;        // entry 0: NAPOT, everything, RWX
    std::array<uint64_t, 8> pmp_addr{(1ull << 54) - 1};

    bool sv39() const { return priv != M && satp >> 60 == 8; }

    bool pmp_word(uint64_t w, int n) const {
        uint64_t a = pmp_addr[static_cast<size_t>(n)], below = n ? pmp_addr[static_cast<size_t>(n) - 1] : 0;
        switch (pmp_cfg >> (8 * n + 3) & 3) {
        case 1:
            return w >= below && w < a;
        case 2:
            return w == a;
        case 3: {
            uint64_t size = 2;
            while (a & (size >> 1))
                size <<= 1;
            return w / size == a / size;
        }
        default:
            return false;
        }
    }
    // A region may begin or end inside a page.
    bool pmp_fine() const {
        for (unsigned n = 0; n < 8; n++) {
            uint64_t a = pmp_addr[n], below = n ? pmp_addr[n - 1] : 0, size = 2;
            switch (pmp_cfg >> (8 * n + 3) & 3) {
            case 1:
                if (a % 1024 || below % 1024)
                    return true;
                break;
            case 2:
                return true;
            case 3:
                while (a & (size >> 1))
                    size <<= 1;
                if (size < 1024)
                    return true;
                break;
            default:
                break;
            }
        }
        return false;
    }
    // Smepmp with MML=1: the rows of its table, by L, R, W, X
    static bool smepmp_ok(unsigned cfg, Access access, unsigned as) {
        static const char *const table[16][2] = {
            // M, S and U
            {"---", "---"}, {"---", "--x"}, {"rw-", "r--"}, {"rw-", "rw-"}, // 0000 to 0011
            {"---", "r--"}, {"---", "r-x"}, {"---", "rw-"}, {"---", "rwx"}, // 0100 to 0111
            {"---", "---"}, {"--x", "---"}, {"--x", "--x"}, {"r-x", "--x"}, // 1000 to 1011
            {"r--", "---"}, {"r-x", "---"}, {"rw-", "---"}, {"r--", "r--"}, // 1100 to 1111
        };
        const unsigned lrwx = (cfg >> 7 & 1) << 3 | (cfg & 1) << 2 | (cfg >> 1 & 1) << 1 | (cfg >> 2 & 1);
        return table[lrwx][as != M][access] != '-';
    }
    bool pmp_ok(uint64_t pa, unsigned size, Access access, unsigned as) const {
        for (int n = 0; n < 8; n++) {
            bool any = false, all = true;
            for (uint64_t b = pa; b < pa + size; b++) {
                bool hit = pmp_word(b >> 2, n);
                any = any || hit;
                all = all && hit;
            }
            if (!any)
                continue;
            unsigned cfg = pmp_cfg >> 8 * n & 0xff;
            if (mml)
                return all && smepmp_ok(cfg, access, as);
            return all && ((as == M && !(cfg & 0x80)) || (cfg >> access & 1));
        }
        return as == M && !mmwp && !(mml && access == EXEC);
    }
};

struct Translation {
    bool page_fault = false, access_fault = false, ad_needed = false;
    uint64_t pa = 0, pte = 0, pte_pa = 0;
    unsigned level = 0;
    bool global = false;
};

// Walks `mem`, sets no bits. A and D: ad_needed says that they would have to be set.
inline Translation walk(const Memory &mem, const Context &c, uint64_t va, Access access, unsigned priv) {
    Translation t;
    uint64_t table = (c.satp & ((1ull << 44) - 1)) << 12;
    if (static_cast<uint64_t>(static_cast<int64_t>(va << 25) >> 25) != va) {
        t.page_fault = true;
        return t;
    }
    for (int level = 2; level >= 0; level--) {
        t.pte_pa = table + (va >> (12 + 9 * level) & 511) * 8;
        t.level = static_cast<unsigned>(level);
        if (!in_ram(t.pte_pa) || !c.pmp_ok(t.pte_pa, 8, READ, S)) {
            t.access_fault = true;
            return t;
        }
        uint64_t pte = t.pte = mem.read(t.pte_pa, 8);
        bool r = pte & PR, w = pte & PW, x = pte & PX, u = pte & PU;
        t.page_fault = true;
        if (!(pte & PV) || (w && !r) || pte >> 54)
            return t;
        t.global = t.global || (pte & PG);
        table = (pte >> 10) << 12;
        if (!r && !x) {
            if (pte & (PA | PD | PU))
                return t;
            t.page_fault = level == 0;
            continue;
        }
        if (priv == U ? !u : u && (!c.sum || access == EXEC))
            return t;
        if (access == READ ? !(r || (c.mxr && x)) : access == WRITE ? !w : !x)
            return t;
        uint64_t low = (1ull << (12 + 9 * level)) - 1;
        if (table & low)
            return t;
        t.ad_needed = !(pte & PA) || (access == WRITE && !(pte & PD));
        if (t.ad_needed && !c.adue)
            return t;
        t.page_fault = false;
        t.pa = (table & ~low) | (va & low);
        return t;
    }
    return t;
}

#endif
