// SPDX-License-Identifier: Apache-2.0
// The state of the machine's devices and the harts' reservations, written and read between two cycles.
#include "model.h"

#define DEVICE(device, signal) root->tally_sim_top__DOT__u_soc__DOT__u_##device##__DOT__##signal

namespace MODEL_SPACE {
namespace {

// Into the model, or out of it
struct Mover {
    bool put;
    template <class S, class F> void operator()(S &signal, F &field) const {
        if (put)
            signal = static_cast<S>(field);
        else
            field = static_cast<F>(signal);
    }
};

void move_aclint(Machine *m, const Mover &move, sim_devices *d) {
    auto *root = m->root;
    unsigned msip = 0;
    for (unsigned h = 0; h < SIM_HARTS; h++) {
        msip |= static_cast<unsigned>(d->msip[h]) << h;
        move(DEVICE(aclint, mtimecmp_q)[h], d->mtimecmp[h]);
    }
    move(DEVICE(aclint, msip_q), msip);
    for (unsigned h = 0; h < SIM_HARTS; h++)
        d->msip[h] = msip >> h & 1;
    move(DEVICE(aclint, mtime_q), d->mtime);
    move(DEVICE(aclint, divider_q), d->divider);
}

void move_plic(Machine *m, const Mover &move, sim_devices *d) {
    auto *root = m->root;
    move(DEVICE(plic, pending_q), d->pending);
    move(DEVICE(plic, busy_q), d->claimed);
    for (unsigned s = 1; s <= SOC_PLIC_SOURCES; s++)
        move(DEVICE(plic, priority_q)[s], d->priority[s]);
    for (unsigned c = 0; c < 2 * SIM_HARTS; c++) {
        move(DEVICE(plic, enable_q)[c], d->enable[c]);
        move(DEVICE(plic, threshold_q)[c], d->threshold[c]);
    }
}

void move_uart(Machine *m, const Mover &move, sim_devices *d) {
    auto *root = m->root;
    constexpr unsigned kFifo = sizeof d->rx;
    const uint8_t first = move.put ? 0 : DEVICE(uart, rx_rd_q);
    uint8_t fifo_on = d->fcr & 1, trigger = d->fcr >> 6;
    uint8_t last = d->rx_n; // pointers have a bit more than an index
    move(DEVICE(uart, ier_q), d->ier);
    move(DEVICE(uart, fifo_on_q), fifo_on);
    move(DEVICE(uart, trigger_q), trigger);
    d->fcr = static_cast<uint8_t>(trigger << 6 | fifo_on);
    move(DEVICE(uart, lcr_q), d->lcr);
    move(DEVICE(uart, mcr_q), d->mcr);
    move(DEVICE(uart, scr_q), d->scr);
    move(DEVICE(uart, dll_q), d->dll);
    move(DEVICE(uart, dlm_q), d->dlm);
    move(DEVICE(uart, thre_q), d->thre);
    if (move.put)
        DEVICE(uart, rx_rd_q) = 0;
    move(DEVICE(uart, rx_wr_q), last);
    d->rx_n = (last - first) % (2 * kFifo);
    if (!move.put)
        d->tx_n = (DEVICE(uart, tx_wr_q) - DEVICE(uart, tx_rd_q)) % (2 * kFifo);
    for (unsigned i = 0; i < d->rx_n; i++)
        move(DEVICE(uart, rx_fifo)[(first + i) % kFifo], d->rx[i]);
}

void move_reservations(Machine *m, const Mover &move, sim_devices *d) {
    auto *root = m->root;
    for (unsigned h = 0; h < SIM_HARTS; h++) {
        uint64_t line = d->reserved_line[h] >> 6;
        const auto bit = static_cast<CData>(1u << h);
        move(DEVICE(bus, held_line)[h], line);
        d->reserved_line[h] = line << 6;
        if (!move.put)
            d->reserved[h] = DEVICE(bus, held_q) & bit;
        else if (d->reserved[h])
            DEVICE(bus, held_q) |= bit;
        else
            DEVICE(bus, held_q) &= static_cast<CData>(~bit);
    }
}

} // namespace

void devices(sim *s, sim_devices *d, bool put) {
    auto *m = static_cast<Machine *>(s);
    const Mover move = {put};
    move_aclint(m, move, d);
    move_plic(m, move, d);
    move_uart(m, move, d);
    move_reservations(m, move, d);
}

} // namespace MODEL_SPACE
