// SPDX-License-Identifier: Apache-2.0
// Devices of Rocket's MMIO port (rocket.dts): boot ROM, UART, finisher; and those of host_soc.v that programs
// report counts to, which the ROM's addresses take.

#ifndef DEVICES_H
#define DEVICES_H

#include "trace.h"

#include <cinttypes>
#include <cstdint>
#include <cstdio>

// A 16550's transmitter. It is never busy, and nothing is ever received.
class Uart {
  public:
    bool interrupt() const { return ier_ & THRI && empty_; }

    uint8_t read(unsigned at) {
        switch (at) {
        case IER:
            return ier_;
        case IIR: {
            const bool pending = interrupt();
            empty_ = empty_ && !pending;
            return pending ? 0xc2 : 0xc1;
        }
        case LCR:
            return lcr_;
        case LSR:
            return 0x60;
        case MSR:
            return 0xb0;
        default:
            return 0;
        }
    }
    void write(unsigned at, uint8_t value) {
        const bool divisor = lcr_ & 0x80;
        if (at == LCR)
            lcr_ = value;
        else if (at == IER && !divisor) {
            empty_ = empty_ || (value & ~ier_ & THRI);
            ier_ = value & 0xf;
        } else if (at == THR && !divisor) {
            empty_ = true;
            std::putchar(value);
            if (value == '\n')
                std::fflush(stdout);
        }
    }

  private:
    enum { THR = 0, IER = 1, IIR = 2, LCR = 3, LSR = 5, MSR = 6, THRI = 2 };
    uint8_t ier_ = 0, lcr_ = 0;
    bool empty_ = false; // since IIR was read
};

class Devices {
  public:
    enum { UART = 1, FINISHER = 2 }; // pages
    Trace trace{64};
    Uart uart;
    int status = -1;

    uint64_t read(uint64_t address) {
        // a0 the hart, a1 the device tree at 0x83000000, a2 the structure 64 bytes below it; to 0x80000000
        static const uint64_t rom[] = {0x01f2929300100293, 0x005585b3030005b7, 0xfc058613f1402573,
                                       0x00028067};
        const uint64_t page = address >> 12 & 0xffff;
        if (page == UART)
            return static_cast<uint64_t>(uart.read(address & 7)) << 8 * (address & 7);
        return page == 0 && address % 4096 < sizeof rom ? rom[address % 4096 / 8] : 0;
    }

    void write(uint64_t address, uint64_t data, unsigned strobe) {
        const uint64_t page = address >> 12 & 0xffff;
        for (unsigned n = 0; n < 8 && page == UART; n++)
            if (strobe >> n & 1)
                uart.write(n, static_cast<uint8_t>(data >> 8 * n));
        for (unsigned n = 0; n < 2 && page != UART; n++) {
            const uint32_t value = static_cast<uint32_t>(data >> 32 * n);
            if ((strobe >> 4 * n & 0xf) != 0xf)
                continue; // the firmware's first look for a UART, at QEMU's address
            if (page == FINISHER && status < 0)
                status = (value & 0xffff) == 0x5555 ? 0 : (value & 0xffff) == 0x3333 ? value >> 16 & 0xff : 5;
            else if (page == 0)
                report(address / 4 % 8 + n, value);
        }
    }

  private:
    enum { PUTC, EXIT, RESULT_EVENT, RESULT_COUNT };
    uint32_t event_ = 0;

    void report(uint64_t number, uint32_t value) {
        if (number == PUTC)
            std::putchar(static_cast<int>(value & 0xff));
        else if (number == EXIT && status < 0)
            status = static_cast<int>(value);
        else if (number == RESULT_EVENT)
            event_ = value;
        else if (number == RESULT_COUNT && value != trace.of(event_)) {
            std::printf("%s: expected %" PRIu64 ", found %u\n", name_of(event_).c_str(), trace.of(event_),
                        value);
            status = 3;
        }
    }
};

#endif
