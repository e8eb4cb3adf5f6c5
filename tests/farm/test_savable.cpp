// SPDX-License-Identifier: Apache-2.0
// A run of the RTL that is cut (Verilator's --savable): the whole model, every flip-flop and memory, is
// written to a file, read by another one, and goes on. Every output of every later cycle, and all bits of the
// model and of RAM at each later cut and at the end, must be those of the run that was not cut.
//
//     test_savable SEED CUTS OPTIONS...     as tally-sim's, for a program that does not use the host device
#include SIM_HEADER
#include SIM_ROOT_HEADER

extern "C" {
#include "machine.h"
}

#include "verilated.h"
#include "verilated_save.h"

#include <algorithm>
#include <cinttypes>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include <unistd.h>

namespace {

constexpr unsigned kResetCycles = 8;
constexpr uint64_t kMostCycles = 20'000'000;

#define MTIME tally_sim_top__DOT__u_soc__DOT__u_aclint__DOT__mtime_q

[[noreturn]] void fail(const std::string &why) {
    std::fprintf(stderr, "test_savable: %s\n", why.c_str());
    std::exit(1);
}

// The model and its surroundings
struct Run {
    Run() : top(&context) {}
    ~Run() { top.final(); }

    void begin(const machine &m) {
        ram.assign(m.memory.bytes, m.memory.bytes + m.memory.size);
        top.ram_size_i = ram.size();
        for (unsigned i = 0; i <= SOC_ROM_WORDS + kResetCycles; i++) {
            top.rst = i < SOC_ROM_WORDS + kResetCycles;
            top.rom_we_i = i < SOC_ROM_WORDS;
            top.rom_addr_i = i;
            top.rom_wdata_i = i < SOC_ROM_WORDS ? m.rom[i] : 0;
            clock();
        }
    }

    void clock() {
        top.clk = 0;
        top.eval();
        top.clk = 1;
        top.eval();
    }

    void mix(uint64_t value) { seen = (seen ^ value) * 0x9e3779b97f4a7c15u + 1; }

    // RAM in this cycle: the word to show in the next
    uint64_t serve_memory() {
        uint64_t word = top.mem_rdata_i;
        if (!top.mem_en_o)
            return word;
        if (top.mem_addr_o > ram.size() - sizeof word)
            fail("an access outside of RAM");
        uint8_t *at = ram.data() + top.mem_addr_o;
        std::memcpy(&word, at, sizeof word);
        if (top.mem_we_o) {
            for (unsigned i = 0; i < sizeof word; i++)
                if (top.mem_wstrb_o >> i & 1)
                    at[i] = static_cast<uint8_t>(top.mem_wdata_o >> 8 * i);
            std::memcpy(&word, at, sizeof word);
        }
        return word;
    }

    // One cycle. `seen` is a sum of all outputs so far.
    void cycle() {
        top.clk = 0;
        top.eval();
        mix(top.mem_en_o | top.mem_we_o << 1 | top.mem_wstrb_o << 2 | top.uart_tx_valid_o << 10 |
            top.uart_tx_data_o << 11 | top.uart_rx_ready_o << 19 | top.exit_valid_o << 20 |
            top.exit_kind_o << 21);
        mix(top.mem_addr_o);
        mix(top.mem_wdata_o);
        if (top.host_en_o)
            fail("the program uses the host device");
        if (top.uart_tx_valid_o)
            console.push_back(static_cast<char>(top.uart_tx_data_o));
        ended = top.exit_valid_o;
        const uint64_t word = serve_memory();
        top.clk = 1;
        top.eval();
        top.mem_rdata_i = word;
        cycles++;
    }

    VerilatedContext context;
    Vtally1 top;
    std::vector<uint8_t> ram;
    std::string console;
    uint64_t cycles = 0, seen = 0;
    bool ended = false;
};

// All of the model, and where the run was
struct Cut {
    std::vector<char> model;
    std::vector<uint8_t> ram;
    std::string console;
    uint64_t cycles, seen;
};

class Folder {
  public:
    Folder() {
        const char *tmp = std::getenv("TMPDIR");
        name_ = std::string(tmp ? tmp : "/tmp") + "/savable-XXXXXX";
        if (!mkdtemp(name_.data()))
            fail("no folder for files");
    }
    ~Folder() {
        std::remove(file().c_str());
        rmdir(name_.c_str());
    }
    std::string file() const { return name_ + "/model"; }

  private:
    std::string name_;
};

std::vector<char> save(Run &run, const Folder &folder) {
    VerilatedSave stream;
    stream.open(folder.file());
    if (!stream.isOpen())
        fail("the model cannot be written");
    stream << run.top;
    stream.close();
    std::ifstream in(folder.file(), std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

Cut cut(Run &run, const Folder &folder) {
    return {save(run, folder), run.ram, run.console, run.cycles, run.seen};
}

void restore(Run &run, const Cut &from, const Folder &folder) {
    std::ofstream out(folder.file(), std::ios::binary);
    out.write(from.model.data(), static_cast<std::streamsize>(from.model.size()));
    out.close();
    VerilatedRestore stream;
    stream.open(folder.file());
    if (!stream.isOpen())
        fail("the model cannot be read");
    stream >> run.top;
    stream.close();
    run.ram = from.ram;
    run.console = from.console;
    run.cycles = from.cycles;
    run.seen = from.seen;
}

struct Whole {
    std::vector<uint64_t> seen; // after each cycle
    std::vector<Cut> cuts;      // in order; the last one is the end
};

Whole run_whole(const machine &m, uint64_t until, const std::vector<uint64_t> &cuts, const Folder &folder) {
    Run run;
    Whole whole;
    auto next = cuts.begin();
    run.begin(m);
    while (!run.ended) {
        if (run.cycles == until)
            fail("the program does not end");
        if (next != cuts.end() && run.cycles == *next) {
            whole.cuts.push_back(cut(run, folder));
            ++next;
        }
        run.cycle();
        whole.seen.push_back(run.seen);
    }
    whole.cuts.push_back(cut(run, folder));
    return whole;
}

// Differences after the cut; empty: none
std::string differs(Run &run, const Whole &whole, size_t cut, const Folder &folder) {
    for (size_t next = cut + 1; next < whole.cuts.size(); next++) {
        const Cut &there = whole.cuts[next];
        while (run.cycles < there.cycles) {
            run.cycle();
            if (run.seen != whole.seen[run.cycles - 1])
                return "an output of cycle " + std::to_string(run.cycles - 1);
        }
        const std::string when = " in cycle " + std::to_string(run.cycles);
        if (save(run, folder) != there.model)
            return "the model" + when;
        if (run.ram != there.ram || run.console != there.console)
            return "RAM or console" + when;
    }
    return run.ended ? "" : "the end";
}

} // namespace

int main(int argc, char **argv) {
    options o;
    machine m;
    error e = {""};
    if (argc < 4) {
        std::fprintf(stderr, "usage: test_savable SEED CUTS OPTIONS...\n");
        return 2;
    }
    if (!options_parse(&o, argc - 2, argv + 2, &e))
        fail(e.text);
    o.no_ebb = !SIM_EBB;
    if (!machine_load(&m, &o, SIM_TIME_RATIO, &e))
        fail(e.text);
    const Folder folder;
    std::mt19937_64 dice(std::strtoull(argv[1], nullptr, 10));
    const uint64_t length = run_whole(m, kMostCycles, {}, folder).seen.size();
    std::vector<uint64_t> cuts;
    for (unsigned long n = std::strtoul(argv[2], nullptr, 10); cuts.size() < n;) {
        const uint64_t at = dice() % length;
        if (std::find(cuts.begin(), cuts.end(), at) == cuts.end())
            cuts.push_back(at);
    }
    std::sort(cuts.begin(), cuts.end());
    const Whole whole = run_whole(m, length, cuts, folder);
    for (size_t i = 0; i < cuts.size(); i++) {
        auto run = std::make_unique<Run>();
        restore(*run, whole.cuts[i], folder);
        const std::string what = differs(*run, whole, i, folder);
        if (!what.empty())
            fail("cut before cycle " + std::to_string(cuts[i]) + ": " + what + " differs");
        // A bit of a register that is another is seen.
        run = std::make_unique<Run>();
        restore(*run, whole.cuts[i], folder);
        run->top.rootp->MTIME ^= 1;
        if (differs(*run, whole, i, folder).empty())
            fail("cut before cycle " + std::to_string(cuts[i]) + ": another mtime is not seen");
    }
    machine_free(&m);
    std::printf("%zu cuts, %" PRIu64 " cycles, %zu bytes of model: every output and every bit are equal\n",
                cuts.size(), length, whole.cuts.back().model.size());
    return 0;
}
