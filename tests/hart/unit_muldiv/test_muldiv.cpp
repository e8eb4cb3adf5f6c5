// SPDX-License-Identifier: Apache-2.0
// Unit test of tally_muldiv: random operations, many on operands at a border, held against the host's
// arithmetic of 128 bits.
//
// Results wait to be taken, operations are dropped by a flush, and the latencies are those that the module's
// header states.
//
// usage: test_muldiv [operations [seed]]

#include "Vtally_muldiv.h"

#include <cinttypes>
#include <cstdio>
#include <cstdlib>
#include <random>

namespace {

enum Kind { MUL, MULH, MULHSU, MULHU, DIV, DIVU, REM, REMU, CLZ, CTZ, CPOP, KINDS };
const char *const names[KINDS] = {"mul", "mulh", "mulhsu", "mulhu", "div", "divu",
                                  "rem", "remu", "clz",    "ctz",   "cpop"};

struct Operation {
    Kind kind;
    bool word;
    uint64_t a, b;
};

__extension__ using Wide = __int128;

uint64_t sext32(uint64_t v) { return static_cast<uint64_t>(static_cast<int64_t>(static_cast<int32_t>(v))); }

// An operand or result of `width` bits as a number
Wide number(uint64_t v, unsigned width, bool is_signed) {
    Wide n = width == 64 ? Wide(v) : Wide(v & 0xFFFFFFFF);
    return is_signed && n >> (width - 1) ? n - (Wide(1) << width) : n;
}

uint64_t count(Kind kind, uint64_t v, unsigned width) {
    unsigned n = 0;
    switch (kind) {
    case CLZ:
        while (n < width && !(v >> (width - 1 - n) & 1))
            n++;
        return n;
    case CTZ:
        while (n < width && !(v >> n & 1))
            n++;
        return n;
    default:
        for (unsigned i = 0; i < width; i++)
            n += v >> i & 1;
        return n;
    }
}

// Unprivileged manual, "M" (with its table of division by zero and overflow) and Zbb
uint64_t result(const Operation &o) {
    unsigned width = o.word ? 32 : 64;
    if (o.kind >= CLZ)
        return count(o.kind, o.a, width);
    bool a_signed = o.kind == MULH || o.kind == MULHSU || o.kind == DIV || o.kind == REM;
    bool b_signed = o.kind == MULH || o.kind == DIV || o.kind == REM;
    Wide a = number(o.a, width, a_signed), b = number(o.b, width, b_signed), r;
    switch (o.kind) {
    case MUL:
        r = static_cast<Wide>(static_cast<unsigned __int128>(a) * static_cast<unsigned __int128>(b));
        break;
    case MULH:
    case MULHSU:
        r = a * b >> width;
        break;
    case MULHU:
        r = static_cast<Wide>(static_cast<unsigned __int128>(a) * static_cast<unsigned __int128>(b) >> width);
        break;
    case DIV:
    case DIVU:
        r = b == 0 ? -1 : a / b;
        break;
    default:
        r = b == 0 ? a : a % b;
        break;
    }
    uint64_t v = static_cast<uint64_t>(r);
    return o.word ? sext32(v) : v;
}

class Traffic {
  public:
    explicit Traffic(uint64_t seed) : random(seed) {}
    uint64_t below(uint64_t n) { return random() % n; }

    // Few bits, borders, their neighbours, or anything
    uint64_t operand() {
        uint64_t v = random();
        switch (below(6)) {
        case 0:
            return v >> below(64);
        case 1:
            return 0 - (v >> below(64));
        case 2:
            return (uint64_t(1) << below(64)) - below(3) + 1;
        case 3:
            return sext32(v);
        case 4:
            return below(5) - 2;
        default:
            return v;
        }
    }

    Operation operation() {
        Operation o;
        o.kind = static_cast<Kind>(below(KINDS));
        o.word = (o.kind == MUL || o.kind >= DIV) && below(3) == 0;
        o.a = operand();
        o.b = below(8) == 0 ? o.a + below(3) - 1 : operand();
        return o;
    }

  private:
    std::mt19937_64 random;
};

class Bench {
  public:
    explicit Bench(uint64_t seed) : traffic(seed) {
        m.rst = 1;
        m.flush_i = m.valid_i = m.take_i = 0;
        cycle();
        m.rst = 0;
    }

    bool run(uint64_t operations, uint64_t seed) {
        for (uint64_t n = 0; n < operations; n++)
            if (!one(traffic.operation())) {
                std::fprintf(stderr, "test_muldiv: seed %" PRIu64 ", operation %" PRIu64 "\n", seed, n);
                return false;
            }
        return shown();
    }

  private:
    void cycle() {
        m.clk = 0;
        m.eval();
        m.clk = 1;
        m.eval();
    }

    bool wrong(const Operation &o, const char *what, uint64_t is, uint64_t wanted) {
        std::fprintf(stderr, "%s%s(0x%" PRIx64 ", 0x%" PRIx64 "): %s 0x%" PRIx64 ", not 0x%" PRIx64 "\n",
                     names[o.kind], o.word ? "w" : "", o.a, o.b, what, is, wanted);
        return false;
    }

    bool one(const Operation &o) {
        uint64_t dropped = traffic.below(16) == 0 ? traffic.below(12) : ~uint64_t(0);
        m.eval();
        if (!m.ready_o)
            return wrong(o, "ready", 0, 1);
        m.valid_i = 1;
        m.div_i = o.kind >= DIV && o.kind < CLZ;
        m.count_i = o.kind >= CLZ;
        m.op_i = o.kind >= CLZ ? o.kind - CLZ : o.kind & 3;
        m.word_i = o.word;
        m.tag_i = traffic.below(8);
        m.a_i = o.a;
        m.b_i = o.b;
        unsigned tag = m.tag_i;
        m.flush_i = dropped == 0;
        cycle();
        m.take_i = 0;
        m.valid_i = 0;
        m.a_i = m.b_i = 0;
        m.tag_i = 0;

        unsigned latency = 1;
        for (; !m.flush_i && !m.done_o; latency++) {
            if (latency > 100)
                return wrong(o, "latency", latency, 100);
            m.flush_i = latency == dropped;
            cycle();
        }
        if (!m.flush_i)
            for (uint64_t wait = traffic.below(3); wait > 0; wait--)
                cycle();
        if (!m.flush_i && dropped < 12) { // while the result waits
            m.flush_i = 1;
            cycle();
        }
        if (m.flush_i) {
            m.flush_i = 0;
            return m.done_o ? wrong(o, "done after a flush", 1, 0) : true;
        }
        if (!m.done_o)
            return wrong(o, "done", 0, 1);
        if (m.value_o != result(o))
            return wrong(o, "value", m.value_o, result(o));
        if (m.tag_o != tag)
            return wrong(o, "tag", m.tag_o, tag);
        m.take_i = 1;
        if (traffic.below(2)) { // else with the next operation
            cycle();
            m.take_i = 0;
        }
        if (o.kind >= DIV && o.kind < CLZ && number(o.b, o.word ? 32 : 64, false) == 0)
            return latency == 2 || wrong(o, "latency", latency, 2);
        if (shortest[o.kind] == 0 || latency < shortest[o.kind])
            shortest[o.kind] = latency;
        if (latency > longest[o.kind])
            longest[o.kind] = latency;
        return true;
    }

    // The header's latencies are met exactly.
    bool shown() {
        bool ok = true;
        for (unsigned k = 0; k < KINDS; k++) {
            bool divides = k >= DIV && k < CLZ;
            unsigned low = divides ? 8 : k == MUL ? 2 : k > REMU ? 3 : 3;
            unsigned high = divides ? 37 : k < DIV ? 3 : 3;
            std::printf("%-6s latency %2u to %2u\n", names[k], shortest[k], longest[k]);
            if (shortest[k] != low || longest[k] != high) {
                std::fprintf(stderr, "test_muldiv: %s: latency %u to %u, not %u to %u\n", names[k],
                             shortest[k], longest[k], low, high);
                ok = false;
            }
        }
        return ok;
    }

    Vtally_muldiv m;
    Traffic traffic;
    unsigned shortest[KINDS] = {}, longest[KINDS] = {};
};

} // namespace

int main(int argc, char **argv) {
    uint64_t operations = argc > 1 ? std::strtoull(argv[1], nullptr, 0) : 1000000;
    uint64_t seed = argc > 2 ? std::strtoull(argv[2], nullptr, 0) : 1;
    std::printf("seed %" PRIu64 "\n", seed);
    return Bench(seed).run(operations, seed) ? 0 : 1;
}
