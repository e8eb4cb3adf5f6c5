// SPDX-License-Identifier: Apache-2.0
// Fields of ports of any width in a Verilated model

#ifndef VERILATED_PORTS_H
#define VERILATED_PORTS_H

#include <cstddef>
#include <cstdint>

#include "verilated.h"

template <typename T> void put(T &port, unsigned at, unsigned width, uint64_t value) {
    uint64_t mask = (width == 64 ? ~UINT64_C(0) : (UINT64_C(1) << width) - 1) << at;
    port = static_cast<T>((static_cast<uint64_t>(port) & ~mask) | ((value << at) & mask));
}

template <std::size_t N> void put(VlWide<N> &port, unsigned at, unsigned width, uint64_t value) {
    for (unsigned bit = 0; bit < width; bit++) {
        uint32_t mask = 1u << (at + bit) % 32;
        port[(at + bit) / 32] = (port[(at + bit) / 32] & ~mask) | (value >> bit & 1 ? mask : 0);
    }
}

template <typename T> uint64_t get(const T &port, unsigned at, unsigned width) {
    return static_cast<uint64_t>(port) >> at & (width == 64 ? ~UINT64_C(0) : (UINT64_C(1) << width) - 1);
}

template <std::size_t N> uint64_t get(const VlWide<N> &port, unsigned at, unsigned width) {
    uint64_t value = 0;
    for (unsigned bit = 0; bit < width; bit++)
        value |= static_cast<uint64_t>(port[(at + bit) / 32] >> (at + bit) % 32 & 1) << bit;
    return value;
}

#endif
