// SPDX-License-Identifier: Apache-2.0
// tally-player: the player's board (rtl/board) in simulation, its serial line on standard input and output.
// Ends when the input ends. Used by scripts/player.py --simulate. Built with BOARD_HX8K or
// BOARD_ICEBREAKER.

#if defined BOARD_HX8K
#include "Vtally_hx8k.h"
#elif defined BOARD_ICEBREAKER
#include "Vtally_icebreaker.h"
#endif
#include "verilated.h"

#include <cstdint>
#include <deque>
#include <memory>
#include <poll.h>
#include <unistd.h>

namespace {

constexpr unsigned kFrame = 10; // start bit, eight bits, stop bit
constexpr unsigned kReset = 64; // cycles after power-up without input

// Bytes onto the line, one after the other
class Sender {
  public:
    explicit Sender(unsigned bit) : bit_(bit) {}
    void put(uint8_t byte) { bytes_.push_back(byte); }
    bool idle() const { return bytes_.empty() && left_ == 0; }

    bool level() {
        if (left_ == 0) {
            if (bytes_.empty())
                return true;
            frame_ = 1u << 9 | static_cast<unsigned>(bytes_.front()) << 1;
            bytes_.pop_front();
            left_ = kFrame * bit_;
        }
        const unsigned at = kFrame - (left_ + bit_ - 1) / bit_;
        left_--;
        return frame_ >> at & 1;
    }

  private:
    unsigned bit_, frame_ = 0, left_ = 0;
    std::deque<uint8_t> bytes_;
};

// Bytes from the line, each bit taken in its middle
class Receiver {
  public:
    explicit Receiver(unsigned bit) : bit_(bit) {}

    // true: a byte is complete
    bool sample(bool level, uint8_t &byte) {
        if (time_ == 0) {
            if (!level)
                time_ = 1;
            return false;
        }
        const unsigned number = time_ / bit_;
        const bool middle = time_ % bit_ == bit_ / 2;
        time_++;
        if (!middle)
            return false;
        if (number > 0 && number < kFrame - 1)
            byte_ = static_cast<uint8_t>(byte_ >> 1 | (level ? 0x80 : 0));
        if (number < kFrame - 1)
            return false;
        time_ = 0;
        byte = byte_;
        return true;
    }

  private:
    unsigned bit_, time_ = 0;
    uint8_t byte_ = 0;
};

#if defined BOARD_HX8K
using Top = Vtally_hx8k;
constexpr unsigned kClocks = 1; // of the crystal, for one of the unit

void rest(Top &) {}
bool plays(const Top &top) { return top.led & 1; }
#elif defined BOARD_ICEBREAKER
using Top = Vtally_icebreaker;
constexpr unsigned kClocks = 2;

void rest(Top &top) { top.btn_n = 1; }
bool plays(const Top &top) { return !top.ledg_n; }
#endif

void cycle(Top &top) {
    for (unsigned i = 0; i < kClocks; i++) {
        top.clk = 0;
        top.eval();
        top.clk = 1;
        top.eval();
    }
}

} // namespace

int main() {
    const unsigned bit = PLAYER_BIT; // cycles, as the model was built
    VerilatedContext context;
    const auto top = std::make_unique<Top>(&context);
    Sender sender(bit);
    Receiver receiver(bit);
    bool open = true;
    uint64_t quiet = 0; // cycles since something was on the line

    rest(*top);
    top->rx = 1;
    for (unsigned i = 0; i < kReset; i++)
        cycle(*top);
    while (open) {
        // With nothing under way there is nothing to simulate: wait for the other side.
        const bool busy = !sender.idle() || quiet < 4ull * kFrame * bit || plays(*top);
        struct pollfd in = {STDIN_FILENO, POLLIN, 0};
        if ((quiet % 256 == 0 || !busy) && poll(&in, 1, busy ? 0 : -1) > 0) {
            uint8_t bytes[64];
            const ssize_t n = read(STDIN_FILENO, bytes, sizeof bytes);
            open = n > 0;
            for (ssize_t i = 0; i < n; i++)
                sender.put(bytes[i]);
        }
        top->rx = sender.level();
        cycle(*top);
        uint8_t byte;
        quiet++;
        if (!sender.idle() || !top->tx)
            quiet = 1;
        if (receiver.sample(top->tx, byte) && write(STDOUT_FILENO, &byte, 1) != 1)
            return 1;
    }
    top->final();
    return 0;
}
