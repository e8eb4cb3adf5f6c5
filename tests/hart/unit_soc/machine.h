// SPDX-License-Identifier: Apache-2.0
// The Verilated machine with stubs of its harts (tally_hart.v), and the checks of this test.
#ifndef TALLY_TEST_SOC_MACHINE_H
#define TALLY_TEST_SOC_MACHINE_H

#include "Vsoc.h"
#include "Vsoc___024root.h"
#include "verilated.h"

#include <cinttypes>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

constexpr uint64_t kRamBase = 0x80000000;
constexpr uint64_t kRamSize = 64 * 1024;
constexpr unsigned kLatency = 40;
constexpr unsigned kTimeRatio = 10;

enum Op { kLine, kRead, kWrite, kAmo, kLr, kSc };
constexpr unsigned kRecord = 4; // id of writes that bypass the hart's own cache

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

extern int failures;

void check(bool ok, const char *what, uint64_t found = 0, uint64_t expected = 0);

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

// The parts of the test
void random_traffic(uint64_t transactions, uint64_t seed);
void latencies();
void map_and_errors();
void aclint();
void uart();
void plic();
void finisher();

// One access from its acceptance to its last beat
struct Done {
    uint64_t data;
    bool err;
    uint64_t cycles; // acceptance to last beat
    uint64_t first;
};

Done access(Machine &m, unsigned hart, const Request &r);

// Load and store with data at bit 0, as software sees them
uint64_t load(Machine &m, uint64_t addr, unsigned bytes, bool *err = nullptr, unsigned hart = 0);
void store(Machine &m, uint64_t addr, unsigned bytes, uint64_t value, bool *err = nullptr, unsigned hart = 0);

#endif
