// SPDX-License-Identifier: Apache-2.0
// Runs Rocket (ExampleRocketSystem, Verilated) with the unit beside its CSR file:
//
//     rocket CYCLES FILE@ADDRESS...
//
// FILE: a raw image, in RAM before the reset. Two AXI slaves: RAM, and devices.h. Counts that a program
// reports are compared with those of the trace from a write of mcountinhibit that opens it to the next. A
// process whose first instruction and last are marks has its own counted, and they are printed at the end.
// Exit status: the program's; 3 a difference, 4 out of cycles, 2 wrong use. CSRFILE: the Verilated name of
// the module.

#include "Vrocket.h"
#include "Vrocket___024root.h"
#include "axi.h"
#include "devices.h"

#include <chrono>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <memory>
#include <string>

namespace {

constexpr uint64_t RAM_BASE = 0x80000000, RAM_BYTES = 64 << 20;
constexpr uint32_t START = 0x32001073, INHIBIT = 0x32001073, INHIBIT_MASK = 0xfff0707f;
constexpr uint32_t MARK_FIRST = 0x00102013, MARK_LAST = 0x00202013; // slti zero, zero, 1 and 2: custom hints
enum { U_MODE = 0 };

#define JOIN(path, name) path##__DOT__##name
#define SIGNAL(path, name) rtl->rootp->JOIN(path, name)
#define CSR(name) SIGNAL(CSRFILE, io_##name)

bool load(Ram &ram, const std::string &word) {
    const size_t split = word.rfind('@');
    std::ifstream file(word.substr(0, split), std::ios::binary);
    std::vector<char> bytes((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
    const uint64_t at = split == std::string::npos ? 0 : std::strtoull(word.c_str() + split + 1, nullptr, 0);
    if (bytes.empty() || at < RAM_BASE || at % 8 || at - RAM_BASE > RAM_BYTES ||
        bytes.size() > RAM_BASE + RAM_BYTES - at) {
        std::fprintf(stderr, "rocket: %s: no such file, or not within the RAM\n", word.c_str());
        return false;
    }
    std::memcpy(ram.at(at), bytes.data(), bytes.size());
    return true;
}

// Which part of what retires the harness counts
class Follower {
  public:
    explicit Follower(Trace &trace) : trace_(trace) {}
    bool marked() const { return marked_; }

    void step(uint64_t pc, uint32_t insn, bool trap, bool interrupt, bool user, uint64_t table) {
        if (counted_)
            trace_.add(insn_, pc_, pc);
        if (!trap && user && insn == MARK_FIRST) {
            trace_.clear();
            marked_ = in_mark_ = true, judged_ = false, table_ = table;
        }
        const bool counts = judged_ || (in_mark_ && user && table == table_);
        if (trap && counts && interrupt)
            trace_.interrupt();
        else if (trap && counts)
            trace_.trap();
        counted_ = !trap && counts, insn_ = insn, pc_ = pc;
        if (counts && insn == MARK_LAST)
            in_mark_ = false;
        if (!trap && !marked_ && (insn & INHIBIT_MASK) == INHIBIT) {
            if (insn == START)
                trace_.clear();
            judged_ = insn == START;
        }
    }

  private:
    Trace &trace_;
    bool counted_ = false, judged_ = false, marked_ = false, in_mark_ = false;
    uint32_t insn_ = 0;
    uint64_t pc_ = 0, table_ = 0; // the root of the page table tells processes apart
};

void print_marked(Trace &trace) {
    for (const tally_event &event : tally_events)
        if (event.name && trace.of(static_cast<uint32_t>(event.selector)))
            std::printf("marked: %" PRIu64 " %s\n", trace.of(static_cast<uint32_t>(event.selector)),
                        event.name);
}

int run(uint64_t cycles, Ram &ram) {
    auto rtl = std::make_unique<Vrocket>();
    Devices devices;
    Slave<Ram> memory(PINS(mem_axi4_0), ram);
    Slave<Devices> mmio(PINS(mmio_axi4_0), devices);
    Follower follower(devices.trace);
    uint64_t pc = 0, now = 0, instructions = 0;
    auto begin = std::chrono::steady_clock::now();
    for (; now < cycles && devices.status < 0; now++) {
        const bool reset = now < 100;
        rtl->reset = rtl->resetctrl_hartIsInReset_0 = rtl->debug_reset = rtl->debug_clockeddmi_dmiReset =
            reset;
        rtl->interrupts = devices.uart.interrupt();
        rtl->clock = 0;
        rtl->eval();
        if (!reset) {
            if (CSR(trace_0_valid)) {
                pc = CSR(trace_0_iaddr);
                instructions += !CSR(trace_0_exception);
                follower.step(pc, CSR(trace_0_insn), CSR(trace_0_exception), CSR(cause) >> 63,
                              CSR(status_prv) == U_MODE, CSR(ptbr_ppn));
            }
            memory.sample();
            mmio.sample();
        }
        rtl->clock = 1;
        rtl->eval();
        memory.drive();
        mmio.drive();
    }
    std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
    if (follower.marked())
        print_marked(devices.trace);
    if (devices.status < 0)
        std::printf("no end within %" PRIu64 " cycles; pc %" PRIx64 "\n", now, pc);
    std::printf("%" PRIu64 " instructions, %" PRIu64 " cycles, %.0f kHz\n", instructions, now,
                static_cast<double>(now) / took.count() / 1000);
    return devices.status < 0 ? 4 : devices.status;
}

} // namespace

int main(int argc, char **argv) {
    const uint64_t cycles = argc > 2 ? std::strtoull(argv[1], nullptr, 0) : 0;
    Ram ram(RAM_BYTES);
    if (!cycles) {
        std::fprintf(stderr, "usage: %s CYCLES FILE@ADDRESS...\n", argv[0]);
        return 2;
    }
    for (int i = 2; i < argc; i++)
        if (!load(ram, argv[i]))
            return 2;
    Verilated::commandArgs(argc, argv);
    return run(cycles, ram);
}
