// The ULX3S's top in simulation: it boots out of its block RAM, and what it says on its serial line is
// compared.
//
//   test_ulx3s CYCLES_A_BIT TEXT SEED...
// Every seed stands for other values in all registers and memories that have no initial value; reset must
// make them meaningless: the run ends with TEXT on the line, the light for "pass", and to the cycle at the
// same time for each seed.

#include "Vtally_ulx3s.h"
#include "verilated.h"

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>

namespace {

constexpr uint64_t limit = 5'000'000; // cycles

enum led { BEAT, RUNS, SENDS, RECEIVES, ENDED, PASS, FAIL, LOCKED };

struct result {
    uint64_t cycles = 0;
    std::string text;
    unsigned led = 0;
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
    const auto top = std::make_unique<Vtally_ulx3s>(&context);
    result r;
    Line line(bit);
    top->btn = 1; // PWR is low when pressed
    top->ftdi_txd = 1;
    // The program ends before the last bytes have left the machine.
    uint64_t quiet = 0;
    while (r.cycles < limit && quiet < 20 * bit) {
        top->clk_25mhz = 0;
        top->eval();
        top->clk_25mhz = 1;
        top->eval();
        r.led = top->led;
        line.sample(top->ftdi_rxd, r.text);
        const bool done = (r.led >> ENDED & 1) && !(r.led >> SENDS & 1);
        quiet = done ? quiet + 1 : 0;
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
        const bool pass = r.led >> PASS & 1, fail = r.led >> FAIL & 1, locked = r.led >> LOCKED & 1;
        std::printf("seed %s: %llu cycles, lights 0x%02x\n", argv[i],
                    static_cast<unsigned long long>(r.cycles), r.led);
        if (r.text.find(wanted) == std::string::npos || !pass || fail || !locked ||
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
