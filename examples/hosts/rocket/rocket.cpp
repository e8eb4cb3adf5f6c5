// SPDX-License-Identifier: Apache-2.0
// Runs Rocket (ExampleRocketSystem, Verilated) with the unit beside its CSR file: rocket IMAGE
//
// IMAGE: a raw image for 0x80000000. Two AXI slaves: RAM, and devices as those of host_soc.v at 0x10000000,
// where reads get a jump to the RAM. Counts that the program reports are compared with those of the trace.
// Exit status: the program's; 3 a difference, 4 out of cycles, 2 wrong use. CSRS: the Verilated name of
// rocket_tally.

#include "Vrocket.h"
#include "Vrocket___024root.h"
#include "trace.h"

#include <chrono>
#include <cinttypes>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <iterator>
#include <memory>
#include <vector>

namespace {

enum device { PUTC, EXIT, RESULT_EVENT, RESULT_COUNT };
constexpr uint64_t RAM = 0x80000000, RAM_BYTES = 1 << 20, CYCLES = 20000000;
constexpr uint32_t START = 0x32001073, INHIBIT = 0x32001073, INHIBIT_MASK = 0xfff0707f;

// The pins of an AXI slave
struct Pins {
    CData &aw_ready, &w_ready, &b_valid, &b_id, &ar_ready, &r_valid, &r_id, &r_last;
    QData &r_data;
    const CData &aw_valid, &aw_id, &w_valid, &w_strb, &w_last, &b_ready, &ar_valid, &ar_id, &ar_len, &r_ready;
    const IData &aw_addr, &ar_addr;
    const QData &w_data;
};

#define PINS(p)                                                                                              \
    {                                                                                                        \
        rtl->p##_aw_ready, rtl->p##_w_ready, rtl->p##_b_valid, rtl->p##_b_bits_id, rtl->p##_ar_ready,        \
            rtl->p##_r_valid, rtl->p##_r_bits_id, rtl->p##_r_bits_last, rtl->p##_r_bits_data,                \
            rtl->p##_aw_valid, rtl->p##_aw_bits_id, rtl->p##_w_valid, rtl->p##_w_bits_strb,                  \
            rtl->p##_w_bits_last, rtl->p##_b_ready, rtl->p##_ar_valid, rtl->p##_ar_bits_id,                  \
            rtl->p##_ar_bits_len, rtl->p##_r_ready, rtl->p##_aw_bits_addr, rtl->p##_ar_bits_addr,            \
            rtl->p##_w_bits_data                                                                             \
    }

// One read and one write at a time, incrementing bursts of 64 bits
template <class Target> class Slave {
  public:
    Slave(Pins pins, Target &target) : p_(pins), target_(target) {}

    // What the edge takes, before it
    void sample() {
        ar_ = p_.ar_valid && p_.ar_ready, r_ = p_.r_valid && p_.r_ready;
        aw_ = p_.aw_valid && p_.aw_ready, w_ = p_.w_valid && p_.w_ready, b_ = p_.b_valid && p_.b_ready;
        if (ar_)
            read_ = p_.ar_addr & ~7u, beats_ = p_.ar_len + 1u, p_.r_id = p_.ar_id;
        if (aw_)
            write_ = p_.aw_addr & ~7u, p_.b_id = p_.aw_id, writing_ = true;
        if (w_) {
            target_.write(write_, p_.w_data, p_.w_strb);
            write_ += 8;
            if (p_.w_last)
                writing_ = false, answer_ = true;
        }
        if (r_)
            read_ += 8, beats_--;
        if (b_)
            answer_ = false;
    }

    // Pins for the next cycle
    void drive() {
        p_.ar_ready = !beats_;
        p_.r_valid = beats_ != 0;
        p_.r_last = beats_ == 1;
        p_.r_data = beats_ ? target_.read(read_) : 0;
        p_.aw_ready = !writing_ && !answer_;
        p_.w_ready = writing_;
        p_.b_valid = answer_;
    }

  private:
    Pins p_;
    Target &target_;
    uint64_t read_ = 0, write_ = 0;
    unsigned beats_ = 0;
    bool writing_ = false, answer_ = false, ar_ = false, r_ = false, aw_ = false, w_ = false, b_ = false;
};

struct Ram {
    std::vector<uint8_t> bytes = std::vector<uint8_t>(RAM_BYTES);

    uint64_t read(uint64_t at) const {
        uint64_t value;
        std::memcpy(&value, &bytes[at % RAM_BYTES], 8);
        return value;
    }
    void write(uint64_t at, uint64_t data, unsigned strobe) {
        for (unsigned n = 0; n < 8; n++)
            if (strobe >> n & 1)
                bytes[at % RAM_BYTES + n] = static_cast<uint8_t>(data >> 8 * n);
    }
};

struct Devices {
    Trace trace{64};
    uint32_t event = 0;
    int status = -1;

    uint64_t read(uint64_t at) const {
        return at & 8 ? 0x00028067 : 0x01f2929300100293; // li t0, 1; slli t0, t0, 31; jr t0
    }
    void write(uint64_t at, uint64_t data, unsigned strobe) {
        unsigned number = at / 4 % 8 + (strobe >> 4 != 0);
        uint32_t value = static_cast<uint32_t>(data >> (strobe >> 4 ? 32 : 0));
        if (number == PUTC)
            std::putchar(static_cast<int>(value & 0xff));
        else if (number == EXIT && status < 0)
            status = static_cast<int>(value);
        else if (number == RESULT_EVENT)
            event = value;
        else if (number == RESULT_COUNT && value != trace.of(event)) {
            std::printf("%s: expected %" PRIu64 ", found %u\n", name_of(event).c_str(), trace.of(event),
                        value);
            status = 3;
        }
    }
};

#define JOIN(path, name) path##__DOT__##name
#define SIGNAL(path, name) rtl->rootp->JOIN(path, name)

int run(const char *image) {
    auto rtl = std::make_unique<Vrocket>();
    Ram ram;
    Devices devices;
    std::ifstream file(image, std::ios::binary);
    std::vector<char> bytes((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
    if (bytes.empty() || bytes.size() > RAM_BYTES)
        return 2;
    std::memcpy(ram.bytes.data(), bytes.data(), bytes.size());
    Slave<Ram> memory(PINS(mem_axi4_0), ram);
    Slave<Devices> mmio(PINS(mmio_axi4_0), devices);

    bool counting = false, pending = false, pending_counts = false;
    uint32_t insn = 0;
    uint64_t pc = 0, now = 0;
    auto begin = std::chrono::steady_clock::now();
    for (; now < CYCLES && devices.status < 0; now++) {
        bool reset = now < 100;
        rtl->reset = rtl->resetctrl_hartIsInReset_0 = rtl->debug_reset = rtl->debug_clockeddmi_dmiReset =
            reset;
        rtl->clock = 0;
        rtl->eval();
        if (!reset && SIGNAL(CSRS, trace_valid_i)) {
            uint64_t here = SIGNAL(CSRS, trace_pc_i);
            uint32_t code = SIGNAL(CSRS, trace_insn_i);
            bool trap = SIGNAL(CSRS, trace_exception_i);
            if (pending && pending_counts)
                devices.trace.add(insn, pc, here);
            if (trap && counting && SIGNAL(CSRS, cause_i) >> 63)
                devices.trace.interrupt();
            else if (trap && counting)
                devices.trace.trap();
            pending = !trap, pending_counts = counting, insn = code, pc = here;
            if (!trap && (code & INHIBIT_MASK) == INHIBIT) {
                if (code == START)
                    devices.trace.clear();
                counting = code == START;
            }
        }
        if (!reset) {
            memory.sample();
            mmio.sample();
        }
        rtl->clock = 1;
        rtl->eval();
        memory.drive();
        mmio.drive();
    }
    std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
    if (devices.status < 0) {
        std::printf("no end within %" PRIu64 " cycles; pc %" PRIx64 "\n", now, pc);
        return 4;
    }
    std::printf("%" PRIu64 " cycles, %.0f kHz\n", now, static_cast<double>(now) / took.count() / 1000);
    return devices.status;
}

} // namespace

int main(int argc, char **argv) {
    if (argc != 2) {
        std::fprintf(stderr, "usage: %s IMAGE\n", argv[0]);
        return 2;
    }
    Verilated::commandArgs(argc, argv);
    return run(argv[1]);
}
