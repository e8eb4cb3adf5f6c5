// SPDX-License-Identifier: Apache-2.0
// Directed tests of ACLINT, UART, PLIC and finisher
#include "machine.h"

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
