// SPDX-License-Identifier: Apache-2.0
// An output of the design that is wrong on purpose: --mutants of the unit benches.
#ifndef TALLY_TEST_FAULTY_WIRE_H
#define TALLY_TEST_FAULTY_WIRE_H

struct FaultyWire {
    enum Kind { STUCK_0, STUCK_1, INVERTED, SPARSE, KINDS };
    static constexpr const char *names[KINDS] = {"stuck at 0", "stuck at 1", "inverted", "1 of 16 lost"};

    int wire = -1; // -1: none; else failures of the run are expected, and not reported
    int kind = STUCK_0;

    // The value of `number` as the bench gets to see it
    bool operator()(int number, bool value) {
        if (number != wire)
            return value;
        switch (kind) {
        case STUCK_0:
            return false;
        case STUCK_1:
            return true;
        case INVERTED:
            return !value;
        default:
            return value && events++ % 16 != 0;
        }
    }

  private:
    unsigned events = 0;
};

#endif
