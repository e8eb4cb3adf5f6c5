// SPDX-License-Identifier: Apache-2.0
// Single accesses by one hart, and the check of a value
#include "machine.h"

int failures;

void check(bool ok, const char *what, uint64_t found, uint64_t expected) {
    if (ok)
        return;
    std::fprintf(stderr, "FAIL: %s (found 0x%" PRIx64 ", expected 0x%" PRIx64 ")\n", what, found, expected);
    if (++failures > 20)
        std::exit(1);
}

Done access(Machine &m, unsigned hart, const Request &r) {
    Done d = {0, false, 0, 0};
    m.drive(hart, &r);
    m.settle();
    while (!m.ready(hart)) {
        m.tick();
        m.settle();
    }
    const uint64_t start = m.cycle;
    m.tick();
    m.drive(hart, nullptr);
    m.settle();
    for (int i = 0; i < 1000; i++) {
        const Answer a = m.answer(hart);
        if (a.valid && !d.first)
            d.first = m.cycle - start;
        if (a.valid && a.last) {
            d.data = a.data;
            d.err = a.err;
            d.cycles = m.cycle - start;
            m.tick();
            return d;
        }
        m.tick();
    }
    check(false, "an answer within 1000 cycles", 0, r.addr);
    return d;
}

uint64_t load(Machine &m, uint64_t addr, unsigned bytes, bool *err, unsigned hart) {
    Request r;
    r.addr = addr;
    r.size = bytes == 1 ? 0 : bytes == 2 ? 1 : bytes == 4 ? 2 : 3;
    const Done d = access(m, hart, r);
    if (err)
        *err = d.err;
    else
        check(!d.err, "load without an error", addr);
    const uint64_t v = d.data >> (8 * (addr & 7));
    return bytes == 8 ? v : v & ((1ull << (8 * bytes)) - 1);
}

void store(Machine &m, uint64_t addr, unsigned bytes, uint64_t value, bool *err, unsigned hart) {
    Request r;
    r.op = kWrite;
    r.addr = addr;
    r.size = bytes == 1 ? 0 : bytes == 2 ? 1 : bytes == 4 ? 2 : 3;
    r.wdata = value << (8 * (addr & 7));
    r.wstrb = (((1u << bytes) - 1) << (addr & 7)) & 0xFF;
    const Done d = access(m, hart, r);
    if (err)
        *err = d.err;
    else
        check(!d.err, "store without an error", addr);
}
