// SPDX-License-Identifier: Apache-2.0
// The machine around the harts, with stand-ins for the harts: random traffic of two masters against a model
// of the bus in acceptance order, and directed tests of every device.
//
// usage: test_soc [transactions [seed]]

#include "Vsoc.h"
#include "Vsoc___024root.h"
#include "verilated.h"

#include <cinttypes>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <memory>
#include <string>
#include <vector>

namespace {

constexpr uint64_t kRamBase = 0x80000000;
constexpr uint64_t kRamSize = 64 * 1024;
constexpr unsigned kLatency = 40;
constexpr unsigned kTimeRatio = 10;

enum Op { kLine, kRead, kWrite, kAmo, kLr, kSc };
constexpr unsigned kRecord = 4; // id of writes that the hart's own cache does not know of

struct Request {
    Op op = kRead;
    uint64_t addr = 0;
    unsigned size = 3;
    uint64_t wdata = 0; // in its lanes
    unsigned wstrb = 0;
    unsigned f5 = 0;
    unsigned id = 0;
};

struct Answer {
    bool valid = false, last = false, err = false, inv = false;
    unsigned id = 0;
    uint64_t data = 0, line = 0;
};

int failures;

void check(bool ok, const char *what, uint64_t found = 0, uint64_t expected = 0) {
    if (ok)
        return;
    std::fprintf(stderr, "FAIL: %s (found 0x%" PRIx64 ", expected 0x%" PRIx64 ")\n", what, found, expected);
    if (++failures > 20)
        std::exit(1);
}

// The Verilated machine, clocked; its RAM is an array here. The two stand-ins are reached through `port()`.
class Machine {
  public:
    Machine() : ram_(kRamSize / 8) {
        model_.reset(new Vsoc(&context_));
        for (size_t i = 0; i < ram_.size(); i++)
            ram_[i] = 0x0101010101010101u * (i * 37 + 11) ^ (i << 40);
        model_->ram_size_i = kRamSize;
        model_->uart_tx_ready_i = 1;
        model_->rst = 1;
        for (unsigned i = 0; i < 64; i++) {
            model_->rom_we_i = 1;
            model_->rom_addr_i = i;
            model_->rom_wdata_i = 0xB007000000000000u + i;
            tick();
        }
        model_->rom_we_i = 0;
        tick();
        model_->rst = 0;
        tick();
    }
    ~Machine() { model_->final(); }

    void tick() {
        model_->clk = 0;
        model_->eval();
        if (model_->uart_tx_valid_o && model_->uart_tx_ready_i)
            sent.push_back(model_->uart_tx_data_o);
        const bool taken = model_->uart_rx_valid_i && model_->uart_rx_ready_o;
        model_->clk = 1;
        model_->eval();
        cycle++;
        if (taken)
            model_->uart_rx_valid_i = 0;
        model_->mem_rdata_i = rdata_;
        if (model_->mem_en_o) {
            uint64_t *word = &ram_.at(model_->mem_addr_o / 8);
            rdata_ = *word;
            for (int i = 0; model_->mem_we_o && i < 8; i++)
                if (model_->mem_wstrb_o >> i & 1)
                    reinterpret_cast<uint8_t *>(word)[i] =
                        static_cast<uint8_t>(model_->mem_wdata_o >> (8 * i));
        }
    }

    void drive(unsigned hart, const Request *r) {
        auto *s = model_->rootp;
#define PORT(n, f) s->tally_soc__DOT__g_hart__BRA__##n##__KET____DOT__u_hart__DOT__##f
#define DRIVE(n)                                                                                             \
    do {                                                                                                     \
        PORT(n, valid) = r != nullptr;                                                                       \
        if (r) {                                                                                             \
            PORT(n, op) = r->op;                                                                             \
            PORT(n, addr) = r->addr;                                                                         \
            PORT(n, size) = r->size;                                                                         \
            PORT(n, wdata) = r->wdata;                                                                       \
            PORT(n, wstrb) = r->wstrb;                                                                       \
            PORT(n, f5) = r->f5;                                                                             \
            PORT(n, id) = r->id;                                                                             \
        }                                                                                                    \
    } while (0)
        if (hart == 0)
            DRIVE(0);
        else
            DRIVE(1);
    }
    // Let the driven signals settle within the cycle
    void settle() {
        model_->clk = 0;
        model_->eval();
    }
    bool ready(unsigned hart) const {
        auto *s = model_->rootp;
        return hart == 0 ? PORT(0, ready) : PORT(1, ready);
    }
    Answer answer(unsigned hart) const {
        auto *s = model_->rootp;
        Answer a;
#define TAKE(n)                                                                                              \
    do {                                                                                                     \
        a.valid = PORT(n, rsp);                                                                              \
        a.id = PORT(n, rsp_id);                                                                              \
        a.data = PORT(n, rsp_data);                                                                          \
        a.last = PORT(n, rsp_last);                                                                          \
        a.err = PORT(n, rsp_err);                                                                            \
        a.inv = PORT(n, inv);                                                                                \
        a.line = PORT(n, inv_line);                                                                          \
    } while (0)
        if (hart == 0)
            TAKE(0);
        else
            TAKE(1);
        return a;
    }
    unsigned irqs(unsigned hart) const {
        auto *s = model_->rootp;
        return hart == 0 ? PORT(0, irqs) : PORT(1, irqs);
    }
    uint64_t mtime() const {
        auto *s = model_->rootp;
        return PORT(0, mtime);
    }
    void receive(uint8_t byte) {
        while (model_->uart_rx_valid_i)
            tick();
        model_->uart_rx_valid_i = 1;
        model_->uart_rx_data_i = byte;
    }
    Vsoc &top() { return *model_; }
    std::vector<uint64_t> &ram() { return ram_; }

    uint64_t cycle = 0;
    std::vector<uint8_t> sent;

  private:
    VerilatedContext context_;
    std::unique_ptr<Vsoc> model_;
    std::vector<uint64_t> ram_;
    uint64_t rdata_ = 0;
};

uint64_t rng_state;
uint64_t rnd() {
    rng_state ^= rng_state << 13;
    rng_state ^= rng_state >> 7;
    rng_state ^= rng_state << 17;
    return rng_state * 0x2545F4914F6CDD1Du;
}

// --- Model of the bus ----------------------------------------------------------------------------

struct Expected {
    unsigned hart;
    Answer own; // what that hart sees
    bool inv_other;
};

class BusModel {
  public:
    explicit BusModel(const std::vector<uint64_t> &ram) : mem(ram) {}

    // Performs a request in acceptance order and appends what will be seen
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

void random_traffic(uint64_t transactions) {
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
                check(false, "an answer that nobody asked for");
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

// --- Directed ------------------------------------------------------------------------------------

struct Done {
    uint64_t data;
    bool err;
    uint64_t cycles; // acceptance to last beat
    uint64_t first;
};

Done access(Machine &m, unsigned hart, const Request &r) {
    Done d = {0, false, 0, 0};
    m.drive(hart, &r);
    m.settle();
    while (!m.ready(hart)) {
        m.tick();
        m.settle();
    }
    const uint64_t start = m.cycle;
    m.tick();
    m.drive(hart, nullptr);
    m.settle();
    for (int i = 0; i < 1000; i++) {
        const Answer a = m.answer(hart);
        if (a.valid && !d.first)
            d.first = m.cycle - start;
        if (a.valid && a.last) {
            d.data = a.data;
            d.err = a.err;
            d.cycles = m.cycle - start;
            m.tick();
            return d;
        }
        m.tick();
    }
    check(false, "an answer within 1000 cycles", 0, r.addr);
    return d;
}

// Load and store with data at bit 0, as software sees them
uint64_t load(Machine &m, uint64_t addr, unsigned bytes, bool *err = nullptr, unsigned hart = 0) {
    Request r;
    r.addr = addr;
    r.size = bytes == 1 ? 0 : bytes == 2 ? 1 : bytes == 4 ? 2 : 3;
    const Done d = access(m, hart, r);
    if (err)
        *err = d.err;
    else
        check(!d.err, "load without an error", addr);
    const uint64_t v = d.data >> (8 * (addr & 7));
    return bytes == 8 ? v : v & ((1ull << (8 * bytes)) - 1);
}

void store(Machine &m, uint64_t addr, unsigned bytes, uint64_t value, bool *err = nullptr,
           unsigned hart = 0) {
    Request r;
    r.op = kWrite;
    r.addr = addr;
    r.size = bytes == 1 ? 0 : bytes == 2 ? 1 : bytes == 4 ? 2 : 3;
    r.wdata = value << (8 * (addr & 7));
    r.wstrb = (((1u << bytes) - 1) << (addr & 7)) & 0xFF;
    const Done d = access(m, hart, r);
    if (err)
        *err = d.err;
    else
        check(!d.err, "store without an error", addr);
}

void latencies() {
    Machine m;
    Request r;
    r.addr = kRamBase + 0x40;
    Done d = access(m, 0, r);
    check(d.first == kLatency, "latency of a read", d.first, kLatency);
    r.op = kLine;
    d = access(m, 1, r);
    check(d.first == kLatency, "latency of a line's first beat", d.first, kLatency);
    check(d.cycles == kLatency + 7, "a beat a cycle", d.cycles, kLatency + 7);
    r.op = kWrite;
    d = access(m, 0, r);
    check(d.first == kLatency, "latency of a write", d.first, kLatency);
    // Sixteen reads back to back are answered back to back
    r.op = kRead;
    uint64_t start = m.cycle, last = 0;
    unsigned sent = 0, got = 0;
    for (int i = 0; i < 200 && got < 16; i++) {
        m.drive(0, sent < 16 ? &r : nullptr);
        m.settle();
        if (m.answer(0).valid) {
            got++;
            last = m.cycle;
        }
        if (sent < 16 && m.ready(0))
            sent++;
        m.tick();
    }
    check(last - start == kLatency + 15, "sixteen reads overlap", last - start, kLatency + 15);
}

void map_and_errors() {
    Machine m;
    bool err;
    static const uint64_t holes[] = {0x0,
                                     0xFF8,
                                     0x10000,
                                     0xFF000,
                                     0x101000,
                                     0x1FFFFF8,
                                     0x2010000,
                                     0xBFFFFF8,
                                     0xC600000,
                                     0x10000100,
                                     0x7FFFFFF8,
                                     kRamBase + kRamSize,
                                     0x100000000,
                                     0x80000080000000,
                                     0xFFFFFFFFFFFFF8};
    for (uint64_t a : holes) {
        load(m, a, 4, &err);
        check(err, "load outside the map is an error", a);
        store(m, a, 4, 0, &err);
        check(err, "store outside the map is an error", a);
    }
    static const uint64_t devices[] = {0x1000, 0x100000, 0x2000000, 0xC000000, 0x10000000};
    for (uint64_t a : devices) {
        Request r;
        for (Op op : {kAmo, kLr, kSc}) {
            r.op = op;
            r.size = 2;
            r.addr = a;
            check(access(m, 0, r).err, "atomic on a device is an error", a);
        }
        r.op = kLine;
        check(access(m, 0, r).err == (a != 0x1000), "only the boot ROM gives lines", a);
    }
    load(m, kRamBase + kRamSize - 8, 8, &err);
    check(!err, "last word of RAM");
    check(load(m, 0x1000, 8) == 0xB007000000000000u, "boot ROM, first word");
    check(load(m, 0x11F8, 8) == 0xB00700000000003Fu, "boot ROM, last word");
    check(load(m, 0x11FE, 2) == 0xB007, "boot ROM, half word");
    check(load(m, 0x1200, 8) == 0 && load(m, 0xFFF8, 8) == 0, "the rest of the boot ROM's window reads 0");
    store(m, 0x1000, 4, 1, &err);
    check(err, "the boot ROM cannot be written");
    Request r;
    r.op = kLine;
    r.addr = 0x1040;
    check(access(m, 1, r).data == 0xB00700000000000Fu, "line of the boot ROM, last beat");
}

void aclint() {
    Machine m;
    bool err;
    const uint64_t base = 0x2000000;
    // time runs at the ratio
    const uint64_t t0 = m.mtime(), c0 = m.cycle;
    for (int i = 0; i < 1000; i++)
        m.tick();
    check(m.mtime() - t0 == 1000 / kTimeRatio, "ticks", m.mtime() - t0, (m.cycle - c0) / kTimeRatio);
    check(load(m, base + 0x4000, 8) == ~0ull, "mtimecmp resets to its maximum");
    store(m, base + 0xBFF8, 8, 0x123456789ABC0000);
    const uint64_t t = load(m, base + 0xBFF8, 8);
    check(t >= 0x123456789ABC0000 && t < 0x123456789ABC0010, "mtime written", t);
    store(m, base + 0xBFFC, 4, 5);
    check(load(m, base + 0xBFFC, 4) == 5 && load(m, base + 0xBFF8, 4) >> 16 == 0x9ABC, "mtime by halves");
    for (unsigned h = 0; h < 2; h++) {
        check(m.irqs(h) == 0, "no interrupt", m.irqs(h));
        store(m, base + 0x4000 + 8 * h, 4, 0x77);
        check(load(m, base + 0x4000 + 8 * h, 8) == 0xFFFFFFFF00000077, "low half of mtimecmp");
        store(m, base + 0x4004 + 8 * h, 4, 0);
        check(m.irqs(h) == 2, "timer interrupt", m.irqs(h), 2);
        store(m, base + 0x4000 + 8 * h, 8, m.mtime() + 4);
        check(m.irqs(h) == 0, "timer interrupt taken back", m.irqs(h));
        for (unsigned i = 0; i < 6 * kTimeRatio; i++)
            m.tick();
        check(m.irqs(h) == 2, "timer interrupt when the time comes", m.irqs(h), 2);
        store(m, base + 0x4000 + 8 * h, 8, ~0ull);
        store(m, base + 4 * h, 4, 0xFFFFFFFF);
        check(load(m, base + 4 * h, 4) == 1, "msip has one bit");
        check(m.irqs(h) == 1 && m.irqs(!h) == 0, "software interrupt of one hart", m.irqs(h), 1);
        store(m, base + 4 * h, 4, 0);
        check(m.irqs(h) == 0, "software interrupt cleared", m.irqs(h));
    }
    store(m, base, 8, 0x100000001);
    check(m.irqs(0) == 1 && m.irqs(1) == 1, "both by one 8-byte store");
    check(load(m, base, 8) == 0x100000001, "both by one 8-byte load");
    check(load(m, base + 0x4010, 8) == 0 && load(m, base + 8, 4) == 0, "harts that are not there read 0");
    load(m, base, 1, &err);
    check(err, "byte access to the ACLINT is an error");
    store(m, base, 2, 0, &err);
    check(err, "half-word access to the ACLINT is an error");
}

void uart() {
    Machine m;
    const uint64_t u = 0x10000000;
    for (const char *p = "tally"; *p; p++)
        store(m, u, 1, static_cast<uint8_t>(*p));
    for (int i = 0; i < 20; i++)
        m.tick();
    check(std::string(m.sent.begin(), m.sent.end()) == "tally", "bytes sent");
    check(load(m, u + 5, 1) == 0x60, "transmitter empty", load(m, u + 5, 1), 0x60);
    check(load(m, u + 2, 1) == 0x01, "no interrupt");
    store(m, u + 2, 1, 0x07);
    check(load(m, u + 2, 1) == 0xC1, "16550A by its FIFO bits");
    store(m, u + 3, 1, 0x83);
    store(m, u, 1, 0x34);
    store(m, u + 1, 1, 0x12);
    check(load(m, u, 1) == 0x34 && load(m, u + 1, 1) == 0x12, "divisor");
    store(m, u + 3, 1, 0x03);
    store(m, u + 7, 1, 0xA5);
    check(load(m, u + 7, 1) == 0xA5, "scratch");
    // a driver's loop-back probe
    store(m, u + 4, 1, 0x1A);
    check((load(m, u + 6, 1) & 0xF0) == 0x90, "modem lines looped back", load(m, u + 6, 1), 0x90);
    store(m, u, 1, 'L');
    check(load(m, u, 1) == 'L', "byte looped back");
    store(m, u + 4, 1, 0x0B);
    check(load(m, u + 6, 1) == 0xB0, "modem lines of a terminal");
    // transmitter's interrupt: on enabling, gone by reading IIR, again by running empty
    check(load(m, u + 1, 1) == 0, "IER");
    store(m, u + 1, 1, 2);
    check(load(m, u + 2, 1) == 0xC2, "THRE when switched on");
    check(load(m, u + 2, 1) == 0xC1, "THRE gone by reading IIR");
    store(m, u + 1, 1, 0);
    store(m, u + 1, 1, 2);
    check(load(m, u + 2, 1) == 0xC2, "THRE when switched on again");
    store(m, u, 1, 'x');
    check(load(m, u + 2, 1) == 0xC2, "THRE after the byte left");
    // the FIFO holds sixteen while the line is busy
    m.top().uart_tx_ready_i = 0;
    m.sent.clear();
    for (int i = 0; i < 18; i++)
        store(m, u, 1, 'a' + i);
    check(load(m, u + 5, 1) == 0, "transmitter busy");
    check(load(m, u + 2, 1) == 0xC1, "no THRE while busy");
    m.top().uart_tx_ready_i = 1;
    for (int i = 0; i < 40; i++)
        m.tick();
    check(std::string(m.sent.begin(), m.sent.end()) == "abcdefghijklmnop", "sixteen bytes of the FIFO");
    // receiver, through the PLIC to both contexts of both harts
    const uint64_t p = 0xC000000;
    store(m, u + 1, 1, 1);
    store(m, p + 4 * 10, 4, 3);
    for (unsigned c = 0; c < 4; c++)
        store(m, p + 0x2000 + 0x80 * c, 4, 1 << 10);
    m.receive('R');
    for (int i = 0; i < 10; i++)
        m.tick();
    check(load(m, p + 0x1000, 4) == 1 << 10, "pending", load(m, p + 0x1000, 4), 1 << 10);
    check(m.irqs(0) == 0xC && m.irqs(1) == 0xC, "external interrupts", m.irqs(0), 0xC);
    store(m, p + 0x200000, 4, 3);
    check(m.irqs(0) == 0x8, "threshold masks", m.irqs(0), 8);
    check(load(m, u + 5, 1) == 0x61, "data ready");
    check(load(m, u + 2, 1) == 0xC4, "receive interrupt");
    check(load(m, p + 0x201004, 4) == 10, "claim");
    check(m.irqs(0) == 0 && m.irqs(1) == 0, "claimed: no lines");
    check(load(m, p + 0x203004, 4) == 0, "claimed only once");
    store(m, p + 0x201004, 4, 10);
    for (int i = 0; i < 5; i++)
        m.tick();
    check(m.irqs(1) == 0xC, "a level still there is pending again");
    check(load(m, p + 0x202004, 4, nullptr, 1) == 10, "claim by hart 1");
    check(load(m, u, 1) == 'R', "byte received");
    check(load(m, u + 5, 1) == 0x60, "nothing more");
    store(m, p + 0x202004, 4, 10);
    for (int i = 0; i < 5; i++)
        m.tick();
    check(m.irqs(0) == 0 && m.irqs(1) == 0, "served");
    // trigger and character timeout
    store(m, u + 2, 1, 0x81);
    m.receive('1');
    m.receive('2');
    check(load(m, u + 2, 1) == 0xC1, "below the trigger");
    for (int i = 0; i < 300; i++)
        m.tick();
    check(load(m, u + 2, 1) == 0xCC, "character timeout");
    check(load(m, u, 1) == '1' && load(m, u, 1) == '2', "in order");
    check(load(m, u + 2, 1) == 0xC1, "timeout gone");
}

void plic() {
    Machine m;
    bool err;
    const uint64_t p = 0xC000000;
    check(load(m, p, 4) == 0, "source 0 has no priority");
    store(m, p, 4, 7);
    check(load(m, p, 4) == 0, "source 0 has no priority to write");
    for (unsigned s = 1; s < 16; s++) {
        store(m, p + 4 * s, 4, s);
        check(load(m, p + 4 * s, 4) == (s & 7), "priority of three bits");
    }
    store(m, p + 4 * 20, 4, 7);
    check(load(m, p + 4 * 20, 4) == 0, "sources that are not there read 0");
    for (unsigned c = 0; c < 4; c++) {
        store(m, p + 0x2000 + 0x80 * c, 4, 0xFFFFFFFF - c * 2);
        check(load(m, p + 0x2000 + 0x80 * c, 4) == (0xFFFEu - c * 2), "enable bits of a context");
        store(m, p + 0x200000 + 0x1000 * c, 4, c + 1);
        check(load(m, p + 0x200000 + 0x1000 * c, 4) == c + 1, "threshold of a context");
        check(load(m, p + 0x200004 + 0x1000 * c, 4) == 0, "nothing to claim");
    }
    check(load(m, p + 0x200000 + 0x4000, 4) == 0, "contexts that are not there read 0");
    load(m, p, 1, &err);
    check(err, "byte access to the PLIC is an error");
    load(m, p, 8, &err);
    check(err, "8-byte access to the PLIC is an error");
}

void finisher() {
    static const struct {
        uint32_t word;
        unsigned bytes;
        bool ends;
        unsigned kind, code;
    } cases[] = {{0x5555, 4, true, 0, 0}, {0x3333 | 42 << 16, 4, true, 1, 42},
                 {0x7777, 4, true, 2, 0}, {0x5555, 2, true, 0, 0},
                 {0x3333, 2, true, 1, 0}, {0x1234, 4, false, 0, 0},
                 {0x55, 1, false, 0, 0},  {0xFFFF3333, 4, true, 1, 0xFFFF}};
    for (const auto &c : cases) {
        Machine m;
        check(load(m, 0x100000, 4) == 0, "reads 0");
        store(m, 0x100000, c.bytes, c.word);
        check(m.top().exit_valid_o == c.ends, "end", m.top().exit_valid_o, c.ends);
        check(m.top().exit_kind_o == c.kind, "kind of end", m.top().exit_kind_o, c.kind);
        check(m.top().exit_code_o == c.code, "code", m.top().exit_code_o, c.code);
        store(m, 0x100000, 4, 0x7777);
        check(!c.ends || m.top().exit_kind_o == c.kind, "the first end holds");
    }
}

} // namespace

int main(int argc, char **argv) {
    const uint64_t transactions = argc > 1 ? std::strtoull(argv[1], nullptr, 0) : 100000;
    rng_state = argc > 2 ? std::strtoull(argv[2], nullptr, 0) : 1;
    rng_state = rng_state * 0x9E3779B97F4A7C15u + 1;
    latencies();
    map_and_errors();
    aclint();
    uart();
    plic();
    finisher();
    random_traffic(transactions);
    std::printf("%s\n", failures ? "FAIL" : "ok");
    return failures ? 1 : 0;
}
