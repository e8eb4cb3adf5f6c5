// SPDX-License-Identifier: Apache-2.0
// An AXI slave on the pins of a Verilated model, and memory behind it.

#ifndef AXI_H
#define AXI_H

#include "verilated.h"

#include <cstdint>
#include <cstring>
#include <vector>

// The pins of an AXI slave
struct Pins {
    CData &aw_ready, &w_ready, &b_valid, &b_id, &ar_ready, &r_valid, &r_id, &r_last;
    QData &r_data;
    const CData &aw_valid, &aw_id, &w_valid, &w_strb, &w_last, &b_ready, &ar_valid, &ar_id, &ar_len, &r_ready;
    const IData &aw_addr, &ar_addr;
    const QData &w_data;
};

#define PINS(p)                                                                                              \
    {                                                                                                        \
        rtl->p##_aw_ready, rtl->p##_w_ready, rtl->p##_b_valid, rtl->p##_b_bits_id, rtl->p##_ar_ready,        \
            rtl->p##_r_valid, rtl->p##_r_bits_id, rtl->p##_r_bits_last, rtl->p##_r_bits_data,                \
            rtl->p##_aw_valid, rtl->p##_aw_bits_id, rtl->p##_w_valid, rtl->p##_w_bits_strb,                  \
            rtl->p##_w_bits_last, rtl->p##_b_ready, rtl->p##_ar_valid, rtl->p##_ar_bits_id,                  \
            rtl->p##_ar_bits_len, rtl->p##_r_ready, rtl->p##_aw_bits_addr, rtl->p##_ar_bits_addr,            \
            rtl->p##_w_bits_data                                                                             \
    }

// One read and one write at a time, incrementing bursts of 64 bits. Target: read(address) once a beat, with
// the byte's address in the first one, and write(address of 8 bytes, data, strobe).
template <class Target> class Slave {
  public:
    Slave(Pins pins, Target &target) : p_(pins), target_(target) {}

    // Transfers of the coming clock edge
    void sample() {
        const bool r = p_.r_valid && p_.r_ready, b = p_.b_valid && p_.b_ready;
        if (p_.ar_valid && p_.ar_ready) {
            read_ = p_.ar_addr, beats_ = p_.ar_len + 1u, p_.r_id = p_.ar_id;
            data_ = target_.read(read_);
        }
        if (p_.aw_valid && p_.aw_ready)
            write_ = p_.aw_addr & ~7u, p_.b_id = p_.aw_id, writing_ = true;
        if (p_.w_valid && p_.w_ready) {
            target_.write(write_, p_.w_data, p_.w_strb);
            write_ += 8;
            if (p_.w_last)
                writing_ = false, answer_ = true;
        }
        if (r && --beats_) {
            read_ = (read_ & ~7ull) + 8;
            data_ = target_.read(read_);
        }
        if (b)
            answer_ = false;
    }

    // Pins for the next cycle
    void drive() {
        p_.ar_ready = !beats_;
        p_.r_valid = beats_ != 0;
        p_.r_last = beats_ == 1;
        p_.r_data = data_;
        p_.aw_ready = !writing_ && !answer_;
        p_.w_ready = writing_;
        p_.b_valid = answer_;
    }

  private:
    Pins p_;
    Target &target_;
    uint64_t read_ = 0, write_ = 0, data_ = 0;
    unsigned beats_ = 0;
    bool writing_ = false, answer_ = false;
};

// A power of two of bytes
class Ram {
  public:
    explicit Ram(size_t bytes) : bytes_(bytes) {}

    uint8_t *at(uint64_t address) { return &bytes_[address & (bytes_.size() - 8)]; }
    uint64_t read(uint64_t address) {
        uint64_t value;
        std::memcpy(&value, at(address), 8);
        return value;
    }
    void write(uint64_t address, uint64_t data, unsigned strobe) {
        if (strobe == 0xff) {
            std::memcpy(at(address), &data, 8);
            return;
        }
        for (unsigned n = 0; n < 8; n++)
            if (strobe >> n & 1)
                at(address)[n] = static_cast<uint8_t>(data >> 8 * n);
    }

  private:
    std::vector<uint8_t> bytes_;
};

#endif
