// SPDX-License-Identifier: Apache-2.0
// The world around a front end: memory, page tables, PMP, and a program over random bytes. Written from
// docs/hart.md; gives the instruction or exception that must be delivered for any pc.
#ifndef TALLY_TEST_FRONTEND_WORLD_H
#define TALLY_TEST_FRONTEND_WORLD_H

#include <array>
#include <cstdint>
#include <map>
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
    bool chance(unsigned one_in) { return below(one_in) == 0; }

  private:
    uint64_t s;
};

inline uint64_t hash(uint64_t x) {
    x ^= x >> 31;
    x *= 0x7FB5D329728EA185ull;
    x ^= x >> 27;
    x *= 0x81DADEF4BC2DD44Dull;
    return x ^ x >> 33;
}

constexpr uint64_t RAM_BASE = 0x80000000, RAM_SIZE = 192 * 1024;
constexpr uint64_t ROM_BASE = 0x1000, ROM_END = 0x10000;

struct Memory {
    std::vector<uint64_t> ram = std::vector<uint64_t>(RAM_SIZE / 8);
    std::vector<uint64_t> rom = std::vector<uint64_t>(ROM_END / 8);
    std::map<uint64_t, bool> bad_lines; // the bus answers with an error; value: in one beat

    static bool in_ram(uint64_t pa) { return pa >= RAM_BASE && pa < RAM_BASE + RAM_SIZE; }
    static bool in_rom(uint64_t pa) { return pa >= ROM_BASE && pa < ROM_END; }
    uint64_t word(uint64_t pa) const { return in_ram(pa) ? ram[(pa - RAM_BASE) / 8] : rom[pa / 8]; }
    uint16_t half(uint64_t pa) const { return static_cast<uint16_t>(word(pa) >> (pa % 8 * 8)); }
    static uint64_t random_word(Random &r, unsigned long_of_8) {
        uint64_t w = r.next();
        for (int i = 0; i < 4; i++) {
            uint64_t low = r.below(8) < long_of_8 ? 3 : r.below(3);
            w = (w & ~(3ull << 16 * i)) | low << 16 * i;
            if ((w >> 16 * i & 0x7f) == 0x6f && !r.chance(8)) // most of jal's targets are nowhere
                w ^= 4ull << 16 * i;
        }
        return w;
    }
    void fill_with(uint64_t word) {
        for (uint64_t &each : ram)
            each = word;
    }
    void fill(Random &r, uint64_t from, uint64_t to) {
        unsigned mix = 1 + static_cast<unsigned>(r.below(7));
        for (uint64_t pa = from; pa < to; pa += 8)
            (in_ram(pa) ? ram[(pa - RAM_BASE) / 8] : rom[pa / 8]) = random_word(r, mix);
    }
};

struct Pmp {
    uint64_t cfg = 0;
    std::array<uint64_t, 8> addr{};

    bool may_execute(uint64_t pa, unsigned priv) const {
        uint64_t w = pa >> 2, prev = 0;
        for (int n = 0; n < 8; n++) {
            unsigned c = cfg >> 8 * n & 0xff, mode = c >> 3 & 3;
            bool match = false;
            if (mode == 1) {
                match = w >= prev && w < addr[n];
            } else if (mode == 2) {
                match = w == addr[n];
            } else if (mode == 3) {
                uint64_t ones = addr[n] ^ (addr[n] + 1);
                match = (w & ~ones) == (addr[n] & ~ones);
            }
            prev = addr[n];
            if (match)
                return (c & 4) || (priv == 3 && !(c & 0x80));
        }
        return priv == 3;
    }
    bool fine() const { // a region begins or ends inside a page
        for (int n = 0; n < 8; n++) {
            unsigned mode = cfg >> (8 * n + 3) & 3;
            bool odd = addr[n] & 0x3ff, odd_below = n > 0 && addr[n - 1] & 0x3ff;
            if ((mode == 1 && (odd || odd_below)) || mode == 2 || (mode == 3 && (addr[n] & 0x1ff) != 0x1ff))
                return true;
        }
        return false;
    }
    void deny_word(int n, uint64_t pa) {
        addr[n] = pa >> 2 & ~0ull >> 10;
        cfg = (cfg & ~(0xffull << 8 * n)) | 0x90ull << 8 * n;
    }
    void randomize(Random &r) {
        cfg = 0;
        for (int n = 0; n < 7; n++) {
            addr[n] = (RAM_BASE >> 2) + r.below(RAM_SIZE >> 2);
            if (!r.chance(4))
                continue;
            unsigned mode = 1 + static_cast<unsigned>(r.below(3));
            if (mode == 3)
                addr[n] = (addr[n] & ~7ull) | ((1u << r.below(4)) - 1);
            if (mode == 1 && n > 0)
                addr[n] = addr[n - 1] + 1 + r.below(40);
            uint64_t c = mode << 3 | (r.chance(4) ? 7 : r.below(8)) | (r.chance(3) ? 0x80 : 0);
            cfg |= c << 8 * n;
        }
        addr[7] = ~0ull >> 10;
        cfg |= (r.chance(30) ? 0ull : 0x1full) << 56;
    }
};

struct Page {
    bool fault = true, accfault = false;
    bool x = false, u = false, g = false, a = false;
    unsigned level = 0;
    uint64_t ppn = 0;
};

struct Context {
    unsigned priv = 3;
    bool sv39 = false;
    unsigned asid = 0;
    bool adue = false;
    uint64_t satp() const { return sv39 ? 8ull << 60 | uint64_t{asid} << 44 | 0x12345 : 0; }
    bool translates() const { return priv != 3 && sv39; }
};

// Page tables of a few address spaces: windows of 4 KiB pages low and high (the high ones global), and one
// page each of 2 MiB and 1 GiB.
class Tables {
  public:
    static constexpr uint64_t LOW = 0x100000, HIGH = 0xFFFFFFC000100000, MEGA = 0x200000, GIGA = 0x40000000;
    static constexpr unsigned PAGES = 48, SPACES = 4;
    static constexpr std::array<unsigned, SPACES> asids{0, 1, 0x101, 0xfffe};

    Page *find(const Context &c, uint64_t va) {
        unsigned s = 0;
        while (s < SPACES - 1 && asids[s] != c.asid)
            s++;
        uint64_t p = va >> 12;
        if (p - (LOW >> 12) < PAGES)
            return &low[s][p - (LOW >> 12)];
        if (p - (HIGH >> 12) < PAGES)
            return &high[p - (HIGH >> 12)];
        if (va >> 21 == MEGA >> 21)
            return &mega[s];
        if (va >> 30 == GIGA >> 30)
            return &giga[s];
        return nullptr;
    }
    static uint64_t physical(const Page &p, uint64_t va) {
        uint64_t mask = (1ull << (12 + 9 * p.level)) - 1;
        return (p.ppn << 12 & ~mask) | (va & mask);
    }
    void randomize(Random &r) {
        for (auto &space : low)
            for (Page &p : space)
                small(r, p);
        for (Page &p : high) {
            small(r, p);
            p.g = true;
        }
        for (auto *row : {&mega, &giga})
            for (Page &p : *row) {
                small(r, p);
                p.level = row == &mega ? 1 : 2;
                p.ppn = RAM_BASE >> 12;
            }
    }
    void change(Random &r, Page &p) {
        Page was = p;
        small(r, p);
        p.g = was.g;
        p.level = was.level;
        if (p.level != 0)
            p.ppn = was.ppn;
    }
    void change_one(Random &r) {
        change(r, r.chance(3) ? high[r.below(PAGES)] : low[r.below(SPACES)][r.below(PAGES)]);
    }
    // More than before is allowed: needs no fence
    void raise_one(Random &r) {
        Page &p = low[r.below(SPACES)][r.below(PAGES)];
        if (p.fault || p.accfault) {
            small(r, p);
            p.fault = p.accfault = false;
        }
        p.x = true;
    }

  private:
    std::array<std::array<Page, PAGES>, SPACES> low;
    std::array<Page, PAGES> high;
    std::array<Page, SPACES> mega, giga;

    static void small(Random &r, Page &p) {
        p = Page();
        p.fault = r.chance(25);
        p.accfault = !p.fault && r.chance(40);
        p.x = !r.chance(20);
        p.u = r.chance(2);
        p.a = !r.chance(3);
        p.ppn = (RAM_BASE >> 12) + r.below(RAM_SIZE >> 12);
        if (r.chance(20))
            p.ppn = 1 + r.below(15); // boot ROM
        if (r.chance(40))
            p.ppn = r.chance(2) ? 0x10000 : r.next() >> 20; // devices, nowhere
    }
};

struct World {
    Memory mem;
    Pmp pmp;
    Tables tables;
    Context ctx;

    // A fetch of the halfword at va: cause, or 0 and its physical address
    unsigned fetch(uint64_t va, uint64_t &pa) {
        pa = va;
        if (ctx.translates()) {
            if (static_cast<int64_t>(va << 25) >> 25 != static_cast<int64_t>(va))
                return 12;
            const Page *p = tables.find(ctx, va);
            if (p == nullptr || p->fault)
                return 12;
            if (p->accfault)
                return 1;
            if (!p->x || p->u != (ctx.priv == 0))
                return 12;
            if (!p->a)
                return ctx.adue ? 14 : 12;
            pa = Tables::physical(*p, va);
        }
        if (!Memory::in_ram(pa) && !Memory::in_rom(pa))
            return 1;
        if (!pmp.may_execute(pa, ctx.priv))
            return 1;
        return mem.bad_lines.count(pa >> 6) ? 1 : 0;
    }
};

struct Expected {
    unsigned cause = 0;
    bool half = false;
    bool rvc = false;
    uint32_t insn = 0;
};

inline Expected expect(World &w, uint64_t pc) {
    Expected e;
    uint64_t pa;
    e.cause = w.fetch(pc, pa);
    if (e.cause)
        return e;
    e.insn = w.mem.half(pa);
    e.rvc = (e.insn & 3) != 3;
    if (e.rvc)
        return e;
    e.cause = w.fetch(pc + 2, pa);
    e.half = e.cause != 0;
    if (!e.cause)
        e.insn |= static_cast<uint32_t>(w.mem.half(pa)) << 16;
    return e;
}

#endif
