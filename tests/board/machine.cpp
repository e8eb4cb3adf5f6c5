// SPDX-License-Identifier: Apache-2.0
// The top of a board with the machine in simulation: it boots from its block RAM, and its serial output is
// compared. Built with BOARD_ULX3S, BOARD_ORANGECRAB or BOARD_ARTY.
//
//   test_BOARD CYCLES_A_BIT TEXT SEED...
// A seed gives values to all registers and memories without an initial value. After reset they must not
// matter: for each seed the run ends in the same cycle, with TEXT on the line and the light for "pass".

#if defined BOARD_ULX3S
#include "Vtally_ulx3s.h"
#elif defined BOARD_ORANGECRAB
#include "Vtally_orangecrab.h"
#elif defined BOARD_ARTY
#include "Vtally_arty.h"
#endif
#include "verilated.h"

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>

namespace {

constexpr uint64_t limit = 5'000'000; // cycles

// The lights of a board: the program has ended, and how
struct lights {
    bool runs = false, ended = false, pass = false, fail = false;
};

// ---- the boards: their model, constant inputs, clock, serial line, lights

#if defined BOARD_ULX3S
using Top = Vtally_ulx3s;

void rest(Top &top) {
    top.btn = 1; // PWR is low when pressed
    top.ftdi_txd = 1;
}
void clock(Top &top, bool level) { top.clk_25mhz = level; }
bool line_out(const Top &top) { return top.ftdi_rxd; }
lights shown(const Top &top) {
    enum { BEAT, RUNS, SENDS, RECEIVES, ENDED, PASS, FAIL, LOCKED };
    const unsigned led = top.led;
    return {(led >> RUNS & 1) && (led >> LOCKED & 1), static_cast<bool>(led >> ENDED & 1),
            static_cast<bool>(led >> PASS & 1), static_cast<bool>(led >> FAIL & 1)};
}
#elif defined BOARD_ORANGECRAB
using Top = Vtally_orangecrab;

void rest(Top &top) {
    top.usr_btn_n = 1;
    top.gpio_0 = 1;
}
void clock(Top &top, bool level) { top.clk48 = level; }
bool line_out(const Top &top) { return top.gpio_1; }
lights shown(const Top &top) {
    const bool pass = !top.led_green_n, fail = !top.led_red_n;
    return {!top.led_blue_n || pass || fail, pass || fail, pass, fail};
}
#elif defined BOARD_ARTY
using Top = Vtally_arty;

void rest(Top &top) {
    top.ck_rst_n = 1;
    top.uart_txd_in = 1;
}
void clock(Top &top, bool level) { top.clk100 = level; }
bool line_out(const Top &top) { return top.uart_rxd_out; }
lights shown(const Top &top) {
    enum { RUNS, ENDED, PASS, FAIL };
    const unsigned led = top.led;
    return {static_cast<bool>(led >> RUNS & 1), static_cast<bool>(led >> ENDED & 1),
            static_cast<bool>(led >> PASS & 1), static_cast<bool>(led >> FAIL & 1)};
}
#endif

struct result {
    uint64_t cycles = 0;
    std::string text;
    lights led;
};

// 8 data bits, least significant first, between a start bit (0) and a stop bit (1)
class Line {
  public:
    explicit Line(unsigned bit) : bit(bit) {}

    void sample(bool level, std::string &text) {
        if (left == 0) {
            if (level)
                return;
            left = 10;
            wait = bit / 2;
            byte = 0;
        }
        if (wait-- > 0)
            return;
        wait = static_cast<int>(bit) - 1;
        left--;
        if (left == 0)
            text += level ? static_cast<char>(byte) : '?'; // the stop bit is missing
        else if (left < 9)
            byte = byte >> 1 | (level ? 0x80u : 0u);
    }

  private:
    unsigned bit, left = 0, byte = 0;
    int wait = 0;
};

result run(unsigned bit, int seed) {
    VerilatedContext context;
    context.randReset(2);
    context.randSeed(seed);
    const auto top = std::make_unique<Top>(&context);
    result r;
    Line line(bit);
    rest(*top);
    // The program ends before the last bytes have left the machine: until the line is quiet.
    uint64_t quiet = 0;
    while (r.cycles < limit && quiet < 20 * bit) {
        clock(*top, false);
        top->eval();
        clock(*top, true);
        top->eval();
        r.led = shown(*top);
        const bool level = line_out(*top);
        line.sample(level, r.text);
        quiet = r.led.ended && level ? quiet + 1 : 0;
        r.cycles++;
    }
    top->final();
    return r;
}

} // namespace

int main(int argc, char **argv) {
    if (argc < 4)
        return 2;
    const unsigned bit = static_cast<unsigned>(std::atoi(argv[1]));
    const std::string wanted = argv[2];
    uint64_t cycles = 0;
    for (int i = 3; i < argc; i++) {
        const result r = run(bit, std::atoi(argv[i]));
        if (i == 3)
            std::fputs(r.text.c_str(), stdout);
        const lights &led = r.led;
        std::printf("seed %s: %llu cycles, lights: runs %d, ended %d, pass %d, fail %d\n", argv[i],
                    static_cast<unsigned long long>(r.cycles), led.runs, led.ended, led.pass, led.fail);
        if (r.text.find(wanted) == std::string::npos || !led.runs || !led.ended || !led.pass || led.fail ||
            (i > 3 && r.cycles != cycles)) {
            std::printf(
                "FAIL: expected '%s', the light for pass, and the same time for each seed; got:\n%s\n",
                wanted.c_str(), r.text.c_str());
            return 1;
        }
        cycles = r.cycles;
    }
    return 0;
}
