// SPDX-License-Identifier: Apache-2.0
// Called by the wave functions of a Verilated model, in place of Verilator's own classes:
// scripts/wave_code.py makes these functions out of those that Verilator writes. Signals are numbered by
// Verilator's codes; a group is a set of signals that is compared or left out as a whole.
#ifndef TALLY_WAVE_TRACE_H
#define TALLY_WAVE_TRACE_H

#include "fst_write.h"

#include "verilated.h"

#include <cstring>
#include <functional>
#include <string>
#include <vector>

// One signal, by its full name: words with a dot between, array elements with [index]
struct WaveSignal {
    uint32_t code;
    const std::vector<std::string> *scope;
    std::string name, bits; // bits: "[msb:lsb]", or nothing
    int type, direction;
    unsigned width;
};

// Receives the declarations of a model.
class WaveNames {
  public:
    explicit WaveNames(std::function<void(const WaveSignal &)> receiver) : receive(std::move(receiver)) {}

    void pushNamePrefix(const std::string &prefix) {
        scope.push_back(prefix.substr(0, prefix.size() - 1)); // a blank ends it
    }
    void popNamePrefix(unsigned n = 1) { scope.resize(scope.size() - n); }

    void declBit(uint32_t code, const char *name, int, int direction, int type, bool array, int index) {
        declare(code, name, direction, type, array, index, "", 1);
    }
    void declBus(uint32_t code, const char *name, int, int direction, int type, bool array, int index,
                 int msb, int lsb) {
        const unsigned width = static_cast<unsigned>(msb > lsb ? msb - lsb : lsb - msb) + 1;
        declare(code, name, direction, type, array, index,
                "[" + std::to_string(msb) + ":" + std::to_string(lsb) + "]", width);
    }
    template <class... T> void declQuad(T... arguments) { declBus(arguments...); }
    template <class... T> void declArray(T... arguments) { declBus(arguments...); }

  private:
    void declare(uint32_t code, const char *name, int direction, int type, bool array, int index,
                 const std::string &bits, unsigned width) {
        const std::string element = array ? "[" + std::to_string(index) + "]" : "";
        receive({code, &scope, name + element, bits, type, direction, width});
    }

    std::function<void(const WaveSignal &)> receive;
    std::vector<std::string> scope;
};

// Receives values: full... in any case, chg... if they have changed.
class WaveBuffer {
  public:
    WaveBuffer(uint32_t codes, unsigned groups) : old(codes + 1), handle(codes + 1), group(groups) {}

    uint32_t *oldp(uint32_t code) { return &old[code]; }
    bool on(unsigned n) const { return group[n]; }

    void fullBit(uint32_t *at, CData value) { full32(at, value); }
    void fullCData(uint32_t *at, CData value, int) { full32(at, value); }
    void fullSData(uint32_t *at, SData value, int) { full32(at, value); }
    void fullIData(uint32_t *at, IData value, int) { full32(at, value); }
    void fullQData(uint32_t *at, QData value, int) { full64(at, value); }
    VL_ATTR_NOINLINE void fullWData(uint32_t *at, const WData *value, int bits) {
        const unsigned n = static_cast<unsigned>(VL_WORDS_I(bits));
        std::memcpy(at, value, n * sizeof *value);
        if (const uint32_t h = handle[at - old.data()])
            fst_change(log, h, value, n);
    }

    void chgBit(uint32_t *at, CData value) { change32(at, value); }
    void chgCData(uint32_t *at, CData value, int) { change32(at, value); }
    void chgSData(uint32_t *at, SData value, int) { change32(at, value); }
    void chgIData(uint32_t *at, IData value, int) { change32(at, value); }
    void chgQData(uint32_t *at, QData value, int) {
        uint64_t before;
        std::memcpy(&before, at, sizeof before);
        if (VL_UNLIKELY(before != value))
            full64(at, value);
    }
    void chgWData(uint32_t *at, const WData *value, int bits) {
        if (VL_UNLIKELY(std::memcmp(at, value, VL_WORDS_I(bits) * sizeof *value)))
            fullWData(at, value, bits);
    }

    std::vector<uint32_t> old;    // by code: the value, in words
    std::vector<uint32_t> handle; // by code: the signal in the file; 0: not shown
    std::vector<char> group;      // by number: compared
    fst_log *log = nullptr;

  private:
    // Not inline: there are thousands of calls.
    VL_ATTR_NOINLINE void full32(uint32_t *at, uint32_t value) {
        *at = value;
        if (const uint32_t h = handle[at - old.data()])
            fst_change32(log, h, value);
    }
    VL_ATTR_NOINLINE void full64(uint32_t *at, uint64_t value) {
        std::memcpy(at, &value, sizeof value);
        if (const uint32_t h = handle[at - old.data()]) {
            const uint32_t words[2] = {static_cast<uint32_t>(value), static_cast<uint32_t>(value >> 32)};
            fst_change(log, h, words, 2);
        }
    }
    void change32(uint32_t *at, uint32_t value) {
        if (VL_UNLIKELY(*at != value))
            full32(at, value);
    }
};

// The wave functions of one model (VPREFIX_waves)
struct WaveModel {
    void (*names)(void *root, WaveNames *names);
    void (*full)(void *root, WaveBuffer *buffer);
    void (*change)(void *root, WaveBuffer *buffer); // ... of the groups that are on
    const uint16_t *group; // by code; 0 is the default set, codes without one have UINT16_MAX
    unsigned codes, groups;
};

#endif
