// SPDX-License-Identifier: Apache-2.0
// Random traffic of two masters against a model of the bus in acceptance order
#include "machine.h"

#include <deque>

namespace {

uint64_t rng_state;
uint64_t rnd() {
    rng_state ^= rng_state << 13;
    rng_state ^= rng_state >> 7;
    rng_state ^= rng_state << 17;
    return rng_state * 0x2545F4914F6CDD1Du;
}

struct Expected {
    unsigned hart;
    Answer own; // that hart's
    bool inv_other;
};

class BusModel {
  public:
    explicit BusModel(const std::vector<uint64_t> &ram) : mem(ram) {}

    // Performs a request in acceptance order and appends the expected answers
    void accept(unsigned hart, const Request &r) {
        const uint64_t line = r.addr >> 6;
        const unsigned self = (r.id & 8 ? 2 : 0) + hart;
        Answer a;
        a.valid = a.last = true;
        a.id = r.id;
        a.line = line;
        if (r.addr < kRamBase || r.addr - kRamBase >= kRamSize) {
            a.err = true;
            emit(hart, a, r.op == kLine ? 8 : 1);
            return;
        }
        uint64_t *word = &mem[(r.addr - kRamBase) / 8];
        bool write = false;
        switch (r.op) {
        case kLine:
            for (int i = 0; i < 8; i++) {
                a.last = i == 7;
                a.data = mem[(r.addr - kRamBase) / 8 + i];
                emit(hart, a, 1);
            }
            return;
        case kRead:
            a.data = *word;
            break;
        case kLr:
            a.data = *word;
            held[self] = true;
            held_line[self] = line;
            break;
        case kWrite:
            write = true;
            store(word, r.wdata, r.wstrb);
            break;
        case kSc:
            write = held[self] && held_line[self] == line;
            held[self] = false;
            a.data = !write;
            if (write)
                store(word, r.wdata, r.wstrb);
            sc_done[write]++;
            break;
        case kAmo:
            write = true;
            a.data = *word;
            amo(word, r);
            break;
        }
        if (write) {
            for (unsigned i = 0; i < 4; i++)
                if (i != self && held_line[i] == line)
                    held[i] = false;
            a.inv = r.op != kWrite || r.id == kRecord;
        }
        queue.push_back({hart, a, write});
    }

    std::vector<uint64_t> mem;
    std::deque<Expected> queue;
    uint64_t sc_done[2] = {0, 0};

  private:
    bool held[4] = {};
    uint64_t held_line[4] = {};

    void emit(unsigned hart, Answer a, int beats) {
        for (int i = 0; i < beats; i++) {
            if (beats > 1)
                a.last = i == beats - 1;
            queue.push_back({hart, a, false});
        }
    }
    static void store(uint64_t *word, uint64_t data, unsigned strb) {
        for (int i = 0; i < 8; i++)
            if (strb >> i & 1)
                reinterpret_cast<uint8_t *>(word)[i] = static_cast<uint8_t>(data >> (8 * i));
    }
    template <typename S, typename U> static U apply(unsigned f5, U old, U arg) {
        const S so = static_cast<S>(old), sa = static_cast<S>(arg);
        switch (f5) {
        case 0x00:
            return old + arg;
        case 0x01:
            return arg;
        case 0x04:
            return old ^ arg;
        case 0x08:
            return old | arg;
        case 0x0C:
            return old & arg;
        case 0x10:
            return so < sa ? old : arg;
        case 0x14:
            return so > sa ? old : arg;
        case 0x18:
            return old < arg ? old : arg;
        default:
            return old > arg ? old : arg;
        }
    }
    static void amo(uint64_t *word, const Request &r) {
        if (r.size == 3) {
            *word = apply<int64_t, uint64_t>(r.f5, *word, r.wdata);
        } else {
            const unsigned shift = r.addr & 4 ? 32 : 0;
            const uint32_t v = apply<int32_t, uint32_t>(r.f5, static_cast<uint32_t>(*word >> shift),
                                                        static_cast<uint32_t>(r.wdata >> shift));
            *word = (*word & ~(0xFFFFFFFFull << shift)) | static_cast<uint64_t>(v) << shift;
        }
    }
};

Request random_request() {
    static const unsigned f5s[] = {0x00, 0x01, 0x04, 0x08, 0x0C, 0x10, 0x14, 0x18, 0x1C};
    Request r;
    const unsigned kind = rnd() % 16;
    r.op = kind < 2 ? kLine : kind < 5 ? kRead : kind < 8 ? kWrite : kind < 11 ? kAmo : kind < 13 ? kLr : kSc;
    r.size = r.op == kLine ? 3 : r.op >= kAmo ? 2 + rnd() % 2 : rnd() % 4;
    // Few lines, so that masters meet
    r.addr = kRamBase + (rnd() % 8 ? rnd() % 256 : rnd() % kRamSize);
    if (rnd() % 64 == 0)
        r.addr = rnd() % 2 ? kRamBase + kRamSize + rnd() % 4096 : 0x40000000 + rnd() % 4096;
    r.addr &= r.op == kLine ? ~63ull : ~((1ull << r.size) - 1);
    r.wdata = rnd() % 4 ? rnd() : rnd() % 2 ? 0x8000000080000000u : 0;
    r.wstrb = (((1u << (1 << r.size)) - 1) << (r.addr & 7)) & 0xFF;
    r.f5 = f5s[rnd() % 9];
    r.id = rnd() % 16;
    return r;
}

} // namespace

void random_traffic(uint64_t transactions, uint64_t seed) {
    rng_state = seed * 0x9E3779B97F4A7C15u + 1;
    Machine m;
    BusModel bus(m.ram());
    Request want[2];
    bool wants[2] = {false, false};
    uint64_t accepted[2] = {0, 0}, ties = 0, tie_wins[2] = {0, 0};
    unsigned idle_rate = 1;

    while (accepted[0] + accepted[1] < transactions || !bus.queue.empty()) {
        const bool more = accepted[0] + accepted[1] < transactions;
        if (m.cycle % 1000 == 0)
            idle_rate = 1 + rnd() % 30;
        for (unsigned h = 0; h < 2; h++) {
            if (!wants[h] && more && rnd() % idle_rate == 0) {
                want[h] = random_request();
                wants[h] = true;
            }
            m.drive(h, wants[h] ? &want[h] : nullptr);
        }
        m.settle();
        // answers of this cycle
        const Answer a[2] = {m.answer(0), m.answer(1)};
        check(!(a[0].valid && a[1].valid), "one answer a cycle");
        if (a[0].valid || a[1].valid) {
            if (bus.queue.empty()) {
                check(false, "an answer without a request");
            } else {
                const Expected e = bus.queue.front();
                bus.queue.pop_front();
                const Answer &own = a[e.hart], &other = a[!e.hart];
                check(own.valid, "answer to the hart that asked", 1 - e.hart, e.hart);
                check(own.id == e.own.id, "id", own.id, e.own.id);
                check(own.last == e.own.last, "last", own.last, e.own.last);
                check(own.err == e.own.err, "error", own.err, e.own.err);
                check(e.own.err || own.data == e.own.data, "data", own.data, e.own.data);
                check(own.inv == e.own.inv, "invalidation of the own line", own.inv, e.own.inv);
                check(other.inv == e.inv_other, "invalidation in the other hart", other.inv, e.inv_other);
                check(!e.inv_other || other.line == e.own.line, "invalidated line", other.line, e.own.line);
            }
        } else {
            check(!a[0].inv && !a[1].inv, "no invalidation without a write's answer");
        }
        // acceptance in this cycle
        const bool both = wants[0] && wants[1];
        unsigned taken = 0;
        for (unsigned h = 0; h < 2; h++) {
            if (wants[h] && m.ready(h)) {
                bus.accept(h, want[h]);
                accepted[h]++;
                wants[h] = false;
                taken++;
                if (both) {
                    ties++;
                    tie_wins[h]++;
                }
            }
        }
        check(taken <= 1, "one acceptance a cycle", taken, 1);
        m.tick();
        if (m.cycle > transactions * 100 + 10000) {
            check(false, "the bus answers everything");
            break;
        }
    }
    check(m.ram() == bus.mem, "memory at the end");
    check(ties < 100 || (tie_wins[0] > ties / 3 && tie_wins[1] > ties / 3), "fair", tie_wins[0], ties / 2);
    check(transactions < 1000 || (bus.sc_done[0] > 10 && bus.sc_done[1] > 10), "SC fails and succeeds");
    std::printf("random traffic: %" PRIu64 " + %" PRIu64 " requests in %" PRIu64 " cycles, SC %" PRIu64
                " failed %" PRIu64 " succeeded\n",
                accepted[0], accepted[1], m.cycle, bus.sc_done[0], bus.sc_done[1]);
}
