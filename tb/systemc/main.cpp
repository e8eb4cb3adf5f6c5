// SPDX-License-Identifier: Apache-2.0
// tally-systemc: the machine in a SystemC platform. One hart; loads what tally-sim loads, and ends as it
// does, after the same number of cycles.
#include "devices.h"
#include "soc.h"

#include <chrono>
#include <cinttypes>
#include <cstdio>
#include <cstring>

extern "C" {
#include "machine.h"
#include "terminal.h"
}

namespace {

// Exit statuses, as tally-sim's
enum { STATUS_USAGE = 2, STATUS_MAX_CYCLES = 4, STATUS_INTERRUPTED = 130 };

constexpr unsigned kInputCycles = 16384; // between polls of the keyboard

struct Platform : sc_core::sc_module {
    sc_core::sc_clock clk;
    tally::Soc soc;
    tally::Ram ram;
    tally::Console console;

    Platform(const sc_core::sc_module_name &name, const struct machine &machine, bool dmi)
        : sc_module(name), clk("clk", 1e9 / SOC_CORE_CLOCK, sc_core::SC_NS),
          soc("soc", machine.rom, SOC_ROM_WORDS, machine.memory.size, dmi),
          ram("ram", machine.memory.bytes, machine.memory.size),
          console("console", kInputCycles * clk.period()) {
        soc.clk(clk);
        soc.memory.bind(ram.socket);
        soc.uart_tx.bind(console.from_machine);
        console.to_machine.bind(soc.uart_rx);
        SC_HAS_PROCESS(Platform);
        SC_METHOD(stop);
        sensitive << soc.ended_event();
        dont_initialize();
    }

  private:
    void stop() { sc_core::sc_stop(); }
};

int fail(const struct error &error) {
    std::fprintf(stderr, "tally-systemc: %s\n", error.text);
    return STATUS_USAGE;
}

// Take --no-dmi out of the arguments: the others are tally-sim's.
bool take_no_dmi(int &argc, char **argv) {
    for (int i = 1; i < argc; i++) {
        if (std::strcmp(argv[i], "--no-dmi"))
            continue;
        for (; i < argc; i++)
            argv[i] = argv[i + 1];
        argc--;
        return true;
    }
    return false;
}

// The first option that only tally-sim has; NULL: there is none.
const char *not_here(const struct options &o) {
    return o.harts != 1    ? "-smp 2"
           : o.lockstep    ? "--lockstep"
           : o.tags        ? "--tags"
           : o.wave        ? "--wave"
           : o.reset_after ? "--reset-after"
           : o.stop        ? "--stop"
           : o.trace       ? "--trace"
           : o.crosses     ? "--crosses"
           : o.dump_dtb    ? "--dump-dtb"
                           : nullptr;
}

int status(const Platform &platform) {
    if (!platform.soc.ended())
        return terminal_interrupted() ? STATUS_INTERRUPTED : STATUS_MAX_CYCLES;
    const unsigned code = platform.soc.exit_code();
    if (platform.soc.exit_kind() != 1)
        return 0;
    return code == 0 ? 1 : code > 255 ? 255 : static_cast<int>(code);
}

void print_summary(const Platform &platform, double seconds) {
    const uint64_t n = platform.soc.cycles();
    std::fprintf(stderr,
                 "tally-systemc: %" PRIu64 " cycles, %.2f s, %.0f kHz, %" PRIu64 " calls of the RAM\n", n,
                 seconds, seconds > 0 ? static_cast<double>(n) / seconds / 1e3 : 0, platform.ram.calls());
}

} // namespace

int sc_main(int argc, char **argv) {
    struct options options;
    struct error error;
    static struct machine machine;
    const bool dmi = !take_no_dmi(argc, argv);

    if (!options_parse(&options, argc, argv, &error))
        return fail(error);
    if (options.help) {
        std::printf(
            "usage: tally-systemc -bios FILE [-kernel FILE ...] [--no-dmi]: one hart, images and limits as "
            "tally-sim's\n");
        return 0;
    }
    if (const char *option = not_here(options)) {
        std::fprintf(stderr, "tally-systemc: %s: only tally-sim has it\n", option);
        return STATUS_USAGE;
    }
    if (!machine_load(&machine, &options, TIME_RATIO, &error))
        return fail(error);
    sc_core::sc_report_handler::set_actions("/OSCI/SystemC", sc_core::SC_DO_NOTHING); // "stopped by user"

    Platform platform("platform", machine, dmi);
    const auto start = std::chrono::steady_clock::now();
    terminal_open(true);
    if (options.max_cycles)
        sc_core::sc_start((platform.soc.reset_edges() + options.max_cycles) * platform.clk.period());
    else
        sc_core::sc_start();
    terminal_close();
    if (!options.quiet)
        print_summary(platform,
                      std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
    machine_free(&machine);
    return status(platform);
}
