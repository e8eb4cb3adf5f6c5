// SPDX-License-Identifier: Apache-2.0
// Directed tests of the bus: latencies, the memory map, errors
#include "machine.h"

void latencies() {
    Machine m;
    Request r;
    r.addr = kRamBase + 0x40;
    Done d = access(m, 0, r);
    check(d.first == kLatency, "latency of a read", d.first, kLatency);
    r.op = kLine;
    d = access(m, 1, r);
    check(d.first == kLatency, "latency of a line's first beat", d.first, kLatency);
    check(d.cycles == kLatency + 7, "a beat a cycle", d.cycles, kLatency + 7);
    r.op = kWrite;
    d = access(m, 0, r);
    check(d.first == kLatency, "latency of a write", d.first, kLatency);
    // Sixteen reads back to back are answered back to back
    r.op = kRead;
    uint64_t start = m.cycle, last = 0;
    unsigned sent = 0, got = 0;
    for (int i = 0; i < 200 && got < 16; i++) {
        m.drive(0, sent < 16 ? &r : nullptr);
        m.settle();
        if (m.answer(0).valid) {
            got++;
            last = m.cycle;
        }
        if (sent < 16 && m.ready(0))
            sent++;
        m.tick();
    }
    check(last - start == kLatency + 15, "sixteen reads overlap", last - start, kLatency + 15);
}

void map_and_errors() {
    Machine m;
    bool err;
    static const uint64_t holes[] = {0x0,
                                     0xFF8,
                                     0x10000,
                                     0xFF000,
                                     0x101000,
                                     0x1FFFFF8,
                                     0x2010000,
                                     0xBFFFFF8,
                                     0xC600000,
                                     0x10000100,
                                     0x7FFFFFF8,
                                     kRamBase + kRamSize,
                                     0x100000000,
                                     0x80000080000000,
                                     0xFFFFFFFFFFFFF8};
    for (uint64_t a : holes) {
        load(m, a, 4, &err);
        check(err, "load outside the map is an error", a);
        store(m, a, 4, 0, &err);
        check(err, "store outside the map is an error", a);
    }
    static const uint64_t devices[] = {0x1000, 0x100000, 0x2000000, 0xC000000, 0x10000000};
    for (uint64_t a : devices) {
        Request r;
        for (Op op : {kAmo, kLr, kSc}) {
            r.op = op;
            r.size = 2;
            r.addr = a;
            check(access(m, 0, r).err, "atomic on a device is an error", a);
        }
        r.op = kLine;
        check(access(m, 0, r).err == (a != 0x1000), "only the boot ROM gives lines", a);
    }
    load(m, kRamBase + kRamSize - 8, 8, &err);
    check(!err, "last word of RAM");
    check(load(m, 0x1000, 8) == 0xB007000000000000u, "boot ROM, first word");
    check(load(m, 0x11F8, 8) == 0xB00700000000003Fu, "boot ROM, last word");
    check(load(m, 0x11FE, 2) == 0xB007, "boot ROM, half word");
    check(load(m, 0x1200, 8) == 0 && load(m, 0xFFF8, 8) == 0, "the rest of the boot ROM's window reads 0");
    store(m, 0x1000, 4, 1, &err);
    check(err, "the boot ROM cannot be written");
    Request r;
    r.op = kLine;
    r.addr = 0x1040;
    check(access(m, 1, r).data == 0xB00700000000000Fu, "line of the boot ROM, last beat");
}
