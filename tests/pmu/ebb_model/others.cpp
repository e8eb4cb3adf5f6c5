// SPDX-License-Identifier: Apache-2.0
#include "others.h"

#include "tally_spec.h"

const uint64_t ebb_selectors[EBB_EVENTS] = {0, TALLY_EV_INST_RET, TALLY_EV_INST_LOAD_RET,
                                            TALLY_EV_CYCLES_HART, TALLY_EV_BUS_RD};

namespace {

uint32_t bit(unsigned n) { return UINT32_C(1) << n; }

uint64_t written(const gp_csr &csr, uint64_t old, uint64_t data) {
    return csr.op == GP_WRITE ? data : csr.op == GP_SET ? old | data : old & ~data;
}

// A half of 64 bits, or all of them
struct part {
    uint64_t mask;
    unsigned shift;
};

void write_count(const ebb_config &c, const ebb_state &s, const gp_csr &csr, unsigned n, part p,
                 ebb_other *o) {
    const uint64_t old = s.value[n], width = c.width == 64 ? UINT64_MAX : (UINT64_C(1) << c.width) - 1;

    o->value_written = bit(n);
    o->value[n] = ((old & ~p.mask) | (written(csr, old, csr.wdata << p.shift) & p.mask)) & width;
}

// OF, filters and selector; through the window MINH stays.
void write_event(const ebb_state &s, const gp_csr &csr, unsigned n, part p, bool window, ebb_effects *e) {
    const uint64_t data = csr.wdata << p.shift & p.mask;
    ebb_other &o = e->other;

    if ((p.mask & UINT32_MAX) && csr.op == GP_WRITE) {
        e->counter = n;
        while (e->event < EBB_EVENTS && ebb_selectors[e->event] != (data & ((UINT64_C(1) << 56) - 1)))
            e->event++;
    }
    if (!(p.mask >> 63))
        return;
    const uint64_t keeps = window ? EBB_MINH : 0;
    o.filter_written = bit(n);
    o.filter[n] = static_cast<uint8_t>(
        (written(csr, s.filter[n], data >> TALLY_MHPMEVENT_VUINH_LSB & 31) & ~keeps) | (s.filter[n] & keeps));
    if (csr.op == GP_WRITE) {
        o.of_written = bit(n);
        o.of_value = data >> 63 ? bit(n) : 0;
    } else if (data >> 63) {
        (csr.op == GP_SET ? o.of_set : o.of_cleared) = bit(n);
    }
}

uint32_t write_vector(const gp_csr &csr, uint32_t old, uint32_t visible) {
    return (old & ~visible) | (static_cast<uint32_t>(written(csr, old & visible, csr.wdata)) & visible);
}

} // namespace

ebb_effects other_effects(const ebb_config &c, const ebb_state &s, const gp_csr &csr, unsigned siselect) {
    ebb_effects e{};
    const part whole = {c.xlen == 64 ? UINT64_MAX : UINT32_MAX, 0}, high = {UINT64_MAX << 32, 32};
    const bool window = (csr.num & ~7u) == TALLY_CSR_SISELECT;
    const unsigned n = window ? siselect & 31 : csr.num & 31;
    const bool there = c.counters >> n & 1;

    if (csr.op == GP_READ)
        return e;
    switch (csr.num) {
    case TALLY_CSR_MCOUNTINHIBIT:
        e.other.inhibit_written = true;
        e.other.inhibit = write_vector(csr, s.inhibit, c.counters);
        return e;
    case TALLY_CSR_SCOUNTINHIBIT:
        e.other.inhibit_written = true;
        e.other.inhibit = write_vector(csr, s.inhibit, c.counters & s.mcounteren);
        return e;
    case TALLY_CSR_MCOUNTEREN:
        e.other.mcounteren_written = true;
        e.other.mcounteren = write_vector(csr, s.mcounteren, c.counters);
        return e;
    case TALLY_CSR_MCOUNTERINEN:
        e.other.mcounterinen_written = true;
        e.other.mcounterinen = write_vector(csr, s.mcounterinen, c.counters);
        return e;
    case TALLY_CSR_MCOUNTEROVF: // a 1 written by CSRRW, or named by CSRRC, clears
        if (csr.op != GP_SET)
            e.other.of_cleared = static_cast<uint32_t>(csr.wdata) & c.counters;
        return e;
    case TALLY_CSR_SIREG:
        if (there)
            write_count(c, s, csr, n, whole, &e.other);
        return e;
    case TALLY_CSR_SIREG4:
        if (there)
            write_count(c, s, csr, n, high, &e.other);
        return e;
    case TALLY_CSR_SIREG2:
        if (there)
            write_event(s, csr, n, whole, true, &e);
        return e;
    case TALLY_CSR_SIREG5:
        if (there)
            write_event(s, csr, n, high, true, &e);
        return e;
    default:
        break;
    }
    if (!there)
        return e;
    switch (csr.num & ~31u) {
    case TALLY_CSR_MCYCLE:
        write_count(c, s, csr, n, whole, &e.other);
        break;
    case TALLY_CSR_MCYCLEH:
        write_count(c, s, csr, n, high, &e.other);
        break;
    case TALLY_CSR_MCOUNTINHIBIT & ~31u:
        write_event(s, csr, n, whole, false, &e);
        break;
    case TALLY_CSR_MHPMEVENT3H & ~31u:
        write_event(s, csr, n, high, false, &e);
        break;
    default:
        break;
    }
    return e;
}
