// SPDX-License-Identifier: Apache-2.0
#include "scene.h"

#include "tally_spec.h"

#include <cstring>

namespace {

uint32_t bit(unsigned n) { return UINT32_C(1) << n; }

uint64_t ones(unsigned width) { return width == 64 ? UINT64_MAX : (UINT64_C(1) << width) - 1; }

constexpr uint64_t kFilters = TALLY_MHPMEVENT_MINH_MASK | TALLY_MHPMEVENT_SINH_MASK |
                              TALLY_MHPMEVENT_UINH_MASK | TALLY_MHPMEVENT_VSINH_MASK |
                              TALLY_MHPMEVENT_VUINH_MASK;

} // namespace

Scene::Scene(const gp_config &unit, const ebb_config &model, const ebb_state *state, uint64_t seed)
    : unit_(unit), model_(model), state_(state) {
    rng_seed(&rng_, seed);
    built_.xlen = unit.xlen;
    built_.hpm_n = unit.hpm_n;
    built_.pdis_mem = unit.pdis_mem;
    built_.sscofpmf = unit.sscofpmf;
    built_.smcntrpmf = unit.smcntrpmf;
    built_.smcsrind = unit.smcsrind;
    built_.smcdeleg = unit.smcdeleg;
    built_.smstateen = unit.smstateen;
    built_.hyp = unit.hyp;
    built_.andes = unit.andes;
    built_.andes_swrite = unit.andes_swrite;
    built_.swevent = unit.swevent;
    built_.pcrange = unit.pcrange;
    built_.sspesa = unit.sspesa;
    built_.smpdis = unit.smpdis;
    reset();
}

void Scene::reset() {
    in.mode = {};
    in.mode.priv = GP_M;
    std::memset(event_, 0, sizeof event_);
    enables_ = {};
    asks = false;
    plan_ = user_ = 0;
    change_env();
}

// ---- modes and enables

gp_priv Scene::some_priv(bool *v) {
    unsigned which = below(32);

    *v = unit_.hyp && which >= 28;
    return which < 17 || which >= 30 ? GP_U : which < 22 || which >= 28 ? GP_S : GP_M;
}

void Scene::change_mode() {
    bool v;

    if (user_) {
        user_--;
        in.mode = {};
        in.mode.priv = GP_U;
    } else if (chance(32)) {
        in.mode.priv = some_priv(&v);
        in.mode.v = v;
    }
    if (chance(8))
        in.mode.stopcount = chance(64);
    if (chance(16))
        in.mode.debug = chance(64);
    if (chance(16))
        in.mode.halted = chance(48);
}

// Mostly open; a closed gate is opened again soon.
void Scene::change_env() {
    in.env.cde = unit_.smcdeleg && chance(232);
    in.env.mstateen0 = (dense(8) & ~UINT64_C(1)) | chance(232) | (chance(232) ? UINT64_C(1) << 60 : 0);
    in.env.hstateen0 = in.env.mstateen0 & dense(12);
    in.env.sstateen0 = static_cast<uint32_t>((dense(8) & ~UINT64_C(1)) | chance(232));
    in.env.hcounteren = static_cast<uint32_t>(dense(8));
    enables_.cde = in.env.cde;
    enables_.mstateen0 = in.env.mstateen0;
    enables_.hstateen0 = in.env.hstateen0;
    enables_.hcounteren = in.env.hcounteren;
}

void Scene::open_env() {
    in.env.cde = enables_.cde = unit_.smcdeleg;
    in.env.mstateen0 = enables_.mstateen0 |= 1;
    in.env.sstateen0 |= chance(240);
}

void Scene::next(bool waits) {
    in.env.lcofip = lcofip_;
    in.env.time++;
    if (waits)
        return; // the access stays, and the mode of its instruction
    change_mode();
    choose_access();
    cycle.env = {in.env.cde,
                 static_cast<bool>(in.env.mstateen0 & 1),
                 static_cast<bool>(in.env.sstateen0 & 1),
                 static_cast<ebb_priv>(in.mode.priv),
                 in.mode.v,
                 in.mode.debug,
                 in.mode.stopcount};
    if (asks)
        return;
    if (chance(user_ ? 4 : 24)) // enables are stable during an access
        change_env();
    cycle.env.cde = in.env.cde;
    cycle.env.mstateen_c = in.env.mstateen0 & 1;
    cycle.env.sstateen_c = in.env.sstateen0 & 1;
    wants_uebret_ = chance(48);
}

// ---- accesses

unsigned Scene::some_counter() {
    return chance(244) ? 3 + below(unit_.hpm_n < 4 ? unit_.hpm_n : 4) : 3 + below(29);
}

// Near its end, as a rule.
uint64_t Scene::count_value() {
    return chance(224) ? ones(unit_.hpm_w) - below(chance(128) ? 2 : 6) : rng_64(&rng_) & ones(unit_.hpm_w);
}

void Scene::ask(unsigned num, gp_op op, uint64_t data, gp_priv priv, bool v) {
    in.csr.num = static_cast<uint16_t>(num);
    in.csr.op = static_cast<uint8_t>(op);
    in.csr.wdata = data & ones(unit_.xlen);
    in.csr.priv = priv;
    in.csr.v = v;
    asks = true;
}

void Scene::choose_access() {
    asks = branch = false;
    std::memset(&in.csr, 0, sizeof in.csr);
    in.csr.priv = in.mode.priv;
    in.csr.v = in.mode.v;
    if (in.mode.halted || chance(user_ ? 176 : 80))
        return;
    if (!plan_ && chance(3))
        plan_ = 1;
    if (plan_)
        follow_plan();
    else if (chance(128) && choose_at_wrap())
        return;
    else if (chance(168))
        choose_branch_register();
    else
        choose_other_register();
}

uint64_t Scene::branch_data(unsigned num) {
    const uint64_t noise = chance(64) ? rng_64(&rng_) : 0;

    switch (num) {
    case EBB_UBESCR: {
        static const uint64_t flags[] = {UINT64_C(1) << 31, UINT64_C(1) << 18, UINT64_C(1) << 16, 1};
        uint64_t data = noise & ~UINT64_C(0x80050001);
        for (uint64_t flag : flags)
            data |= chance(flag == flags[1] ? 40 : flag == flags[3] ? 72 : 150) ? flag : 0;
        return data;
    }
    case EBB_SEBBCTL:
        return dense(12) | chance(240) | (chance(232) ? 4 : 0);
    case EBB_MEBBCTL:
        return (noise & ~UINT64_C(1)) | chance(240);
    case EBB_UEBBOVF:
        return dense(chance(128) ? 3 : 10);
    case EBB_UEBBINH:
        return dense(1);
    case EBB_UEBBSEL:
        return (noise & ~UINT64_C(31)) | (chance(224) ? some_counter() : below(32));
    case EBB_UEBBCNT:
        return count_value();
    case EBB_UEBBCNTH:
        return chance(192) ? ones(unit_.hpm_w) >> 32 : rng_64(&rng_);
    default:
        return rng_64(&rng_);
    }
}

// Its own register, or now and then one of the numbers beside.
void Scene::choose_branch_register() {
    static const unsigned numbers[] = {EBB_UBESCR,  EBB_UBESCR,  EBB_UBESCR,  EBB_UEBBHR,
                                       EBB_UEBBRR,  EBB_UEBBOVF, EBB_UEBBOVF, EBB_UEBBINH,
                                       EBB_UEBBSEL, EBB_UEBBCNT, EBB_UEBBCNT, EBB_UEBBCNT,
                                       EBB_UEBBSPC, EBB_SEBBCTL, EBB_MEBBCTL, EBB_UEBBCNTH};
    static const unsigned beside[] = {0x8c8, 0x8c9, 0x8cb, 0x8bf, 0x6c9, 0x9c9, 0x4c9, 0x7e8};
    unsigned num = chance(250) ? numbers[below(16)] : beside[below(8)];
    bool v = in.mode.v, closed = num == EBB_SEBBCTL || num == EBB_MEBBCTL;
    gp_priv priv = static_cast<gp_priv>(in.mode.priv);
    gp_op op = static_cast<gp_op>(below(4));
    uint64_t data = branch_data(num);

    if (chance(closed ? 128 : 24)) // a hart that executes ahead
        priv = some_priv(&v);
    if (op == GP_SET || op == GP_CLEAR) {
        if (chance(96))
            data &= dense(8);
        if (closed && op == GP_CLEAR && !chance(16))
            data &= dense(1);
        if (num == EBB_UEBBCNT)
            data &= dense(2);
    }
    ask_branch(num, op, data, priv, v);
}

void Scene::ask_branch(unsigned num, gp_op op, uint64_t data, gp_priv priv, bool v) {
    ask(num, op, data, priv, v);
    branch = true;
    access = {num, static_cast<ebb_op>(op), in.csr.wdata, static_cast<ebb_priv>(priv), v};
}

// If a counter is about to wrap: one of the writes that meet its overflow.
bool Scene::choose_at_wrap() {
    static const unsigned here[] = {EBB_UEBBCNT, EBB_UEBBOVF, EBB_UBESCR, EBB_UEBBSPC};
    unsigned n = 3;

    while (n < EBB_COUNTERS && !(model_.counters & bit(n) && state_->value[n] == ones(unit_.hpm_w)))
        n++;
    if (n == EBB_COUNTERS)
        return false;
    const gp_priv priv = chance(224) ? static_cast<gp_priv>(in.mode.priv) : GP_M;
    const gp_op op = static_cast<gp_op>(1 + below(3));
    const unsigned which = below(8);
    if (which == 0 && state_->uebbsel != n)
        ask_branch(EBB_UEBBSEL, GP_WRITE, n, priv, in.mode.v && priv != GP_M);
    else if (which < 5)
        ask_branch(here[which & 3], op, branch_data(here[which & 3]), priv, in.mode.v && priv != GP_M);
    else if (which == 5)
        ask_branch(EBB_SEBBCTL, op, bit(n) | (op == GP_WRITE ? dense(8) | 5 : 0), GP_M, false);
    else
        write_event(n, false, unit_.xlen == 32 && chance(192), op, below(EBB_EVENTS),
                    chance(128) ? uint64_t{TALLY_MHPMEVENT_OF_MASK} : 0);
    return true;
}

// Arm: open the gates, route everything, four counters near their end, PME. Then U-mode for a while.
void Scene::follow_plan() {
    enum { GATE = 1, ENABLE, ROUTE, RUN, GO, EACH };
    const unsigned step = plan_++, armed = EACH + 5 * (unit_.hpm_n < 4 ? unit_.hpm_n : 4);

    if (step == GATE) {
        ask_branch(EBB_MEBBCTL, GP_WRITE, 1, GP_M, false);
    } else if (step == ENABLE) {
        ask(TALLY_CSR_MCOUNTEREN, GP_WRITE, UINT32_MAX, GP_M, false);
    } else if (step == ROUTE) {
        ask_branch(EBB_SEBBCTL, GP_WRITE, 5 | dense(chance(128) ? 16 : 8), GP_M, false);
    } else if (step == RUN) {
        ask(TALLY_CSR_MCOUNTINHIBIT, GP_WRITE, 0, GP_M, false);
    } else if (step == GO) {
        ask_branch(EBB_UEBBINH, GP_WRITE, 0, GP_M, false);
    } else if (step == armed) {
        ask_branch(EBB_UEBBOVF, chance(224) ? GP_CLEAR : GP_SET, chance(224) ? UINT32_MAX : dense(8), GP_M,
                   false);
    } else if (step > armed) {
        ask_branch(EBB_UBESCR, GP_WRITE,
                   (chance(224) ? 1 << 16 : 0) | (chance(48) ? 1 << 18 : 0) | (chance(40) ? 1 : 0) |
                       (chance(192) ? UINT64_C(1) << 31 : 0),
                   GP_M, false);
        plan_ = 0;
        user_ = below(48);
        if (!chance(32))
            open_env();
    } else {
        const unsigned n = 3 + (step - EACH) / 5;
        switch ((step - EACH) % 5) {
        case 0:
            write_event(n, false, unit_.xlen == 32, GP_WRITE, 1 + below(EBB_EVENTS - 1), 0);
            break;
        case 1:
            write_event(n, false, false, GP_WRITE, 1 + below(EBB_EVENTS - 1), 0);
            break;
        case 2:
            ask_branch(EBB_UEBBSEL, GP_WRITE, n, GP_M, false);
            break;
        case 3:
            ask_branch(unit_.xlen == 32 ? EBB_UEBBCNTH : EBB_UEBBCNT, GP_WRITE, UINT64_MAX, GP_M, false);
            break;
        default:
            ask_branch(EBB_UEBBCNT, GP_WRITE, ones(unit_.xlen) - below(chance(128) ? 3 : 12), GP_M, false);
        }
    }
}

// mhpmevent n, of which RV32 has OF and the filters in the high half.
void Scene::other_event(unsigned n, bool through_window) {
    const uint64_t flags = (chance(64) ? TALLY_MHPMEVENT_OF_MASK : 0) | (dense(1) & kFilters);

    write_event(n, through_window, unit_.xlen == 32 && chance(128), static_cast<gp_op>(below(4)),
                below(EBB_EVENTS), flags);
}

// Selectors are written by CSRRW alone.
void Scene::write_event(unsigned n, bool through_window, bool high, gp_op op, unsigned event,
                        uint64_t flags) {
    uint64_t data = op == GP_WRITE ? flags | ebb_selectors[event] : flags;

    if (unit_.xlen == 32)
        data = high ? data >> 32 : data & UINT32_MAX;
    if (through_window)
        ask(high ? TALLY_CSR_SIREG5 : TALLY_CSR_SIREG2, op, data, GP_S, false);
    else
        ask((high ? TALLY_CSR_MHPMEVENT3H : TALLY_CSR_MHPMEVENT3) + n - 3, op, data, GP_M, false);
}

void Scene::other_count(unsigned n, bool through_window) {
    const gp_op op = static_cast<gp_op>(below(4));
    const bool high = unit_.xlen == 32 && chance(128);
    uint64_t data = (count_value() & (op == GP_WRITE ? UINT64_MAX : dense(3))) >> (high ? 32 : 0);

    if (through_window)
        ask(high ? TALLY_CSR_SIREG4 : TALLY_CSR_SIREG, op, data, GP_S, false);
    else
        ask((high ? TALLY_CSR_MHPMCOUNTER3H : TALLY_CSR_MHPMCOUNTER3) + n - 3, op, data, GP_M, false);
}

void Scene::choose_other_register() {
    const unsigned n = some_counter(), at = enables_.siselect & 31;
    const bool window = enables_.siselect >> 5 == 2 && at > 2;
    const gp_op op = static_cast<gp_op>(below(4));

    switch (below(16)) {
    case 0:
        ask(TALLY_CSR_MCOUNTINHIBIT, op, dense(1), GP_M, false);
        break;
    case 1: // not for S-mode where it is not delegated
        ask(TALLY_CSR_SCOUNTINHIBIT, op, dense(1), chance(128) ? GP_S : GP_M, false);
        break;
    case 2:
        ask(TALLY_CSR_MCOUNTEREN, op, dense(op == GP_CLEAR ? 2 : 14), GP_M, false);
        break;
    case 3:
        if (unit_.andes)
            ask(TALLY_CSR_MCOUNTERINEN, op, dense(6) & ~UINT64_C(7), GP_M, false);
        else
            other_count(n, false);
        break;
    case 4:
        if (unit_.andes)
            ask(TALLY_CSR_MCOUNTEROVF, op, dense(6), GP_M, false);
        else
            other_event(n, false);
        break;
    case 5:
    case 6:
        ask(TALLY_CSR_SISELECT, GP_WRITE, TALLY_COUNTER_SELECT + some_counter(), chance(128) ? GP_M : GP_S,
            false);
        break;
    case 7:
    case 8:
        other_count(window ? at : n, window);
        break;
    case 9:
    case 10:
        other_event(window ? at : n, window);
        break;
    case 11:
        ask(TALLY_CSR_SCOUNTOVF, GP_READ, 0, GP_M, false);
        break;
    case 12:
    case 13:
        other_count(n, false);
        break;
    default:
        other_event(n, false);
    }
}

ebb_verdict Scene::expected() const {
    rights_mode mode = in.csr.priv == GP_M   ? RIGHTS_M
                       : in.csr.priv == GP_S ? in.csr.v ? RIGHTS_VS : RIGHTS_S
                       : in.csr.v            ? RIGHTS_VU
                                             : RIGHTS_U;

    switch (rights(&built_, &enables_, mode, in.csr.num, in.csr.op != GP_READ)) {
    case RIGHTS_ALLOWED:
        return EBB_ALLOWED;
    case RIGHTS_VIRTUAL:
        return EBB_VIRTUAL;
    default:
        return EBB_ILLEGAL;
    }
}

void Scene::performed() {
    if (!in.csr.valid || in.csr.op == GP_READ)
        return;
    if (cycle.other && effects_.counter)
        event_[effects_.counter] = effects_.event;
    if (cycle.other && effects_.other.mcounteren_written)
        enables_.mcounteren = effects_.other.mcounteren;
    if (in.csr.num == TALLY_CSR_SISELECT)
        enables_.siselect = static_cast<unsigned>(in.csr.wdata & 0xFFF);
}

// ---- what retires, and what is counted

void Scene::retire(unsigned ret_max) {
    const bool alone = in.csr.valid || in.ret_uebret;
    unsigned left = in.mode.halted || in.ebb_ack || in.ret_flushed ? 0 : alone ? 1 : ret_max;

    for (unsigned lane = 0; lane < EBB_LANES; lane++) {
        gp_retire_lane &l = in.retire[lane];
        bool valid = lane < unit_.retire_w && left && (alone ? lane == 0 : !asks && chance(160));

        left -= valid;
        l.valid = valid;
        l.pc = pc_ & ones(unit_.xlen);
        l.mode = static_cast<uint8_t>(in.mode.priv | (in.mode.v ? 4 : 0));
        if (!alone && chance(8)) { // a hart whose lanes are not of the mode of the cycle
            bool v;
            l.mode = static_cast<uint8_t>(some_priv(&v));
            l.mode |= static_cast<uint8_t>(v ? 4 : 0);
        }
        pc_ += valid ? 4 : 0;
        in.ev_retire[lane] =
            !valid ? 0 : UINT64_C(1) << TALLY_EVR_INST | (dense(6) & UINT64_C(1) << TALLY_EVR_LOAD);
    }
    if (chance(32))
        pc_ = rng_64(&rng_) & ~UINT64_C(1);
    in.ret_next_pc = pc_ & ones(unit_.xlen);
}

void Scene::count() {
    const unsigned reads = below(1u << unit_.evc_w);
    uint64_t fields[TALLY_EVC_N] = {};

    fields[TALLY_EVC_CYCLE] = in.mode.halted ? 0 : 1;
    fields[TALLY_EVC_BUS_RD] = chance(96) ? reads : 0;
    std::memset(in.ev_cycle, 0, sizeof in.ev_cycle);
    for (unsigned f = 0; f < TALLY_EVC_N; f++)
        for (unsigned b = 0; b < unit_.evc_w; b++)
            if (fields[f] >> b & 1)
                in.ev_cycle[(f * unit_.evc_w + b) / 64] |= UINT64_C(1) << (f * unit_.evc_w + b) % 64;
    std::memset(cycle.steps, 0, sizeof cycle.steps);
    for (unsigned lane = 0; lane < EBB_LANES; lane++) {
        const gp_retire_lane &l = in.retire[lane];
        cycle.lane[lane] = {l.valid, l.pc, l.mode == GP_U, 0};
    }
    for (unsigned n = 3; n < EBB_COUNTERS; n++) {
        const unsigned event = event_[n];
        for (unsigned lane = 0; lane < EBB_LANES && (event == EVENT_INST || event == EVENT_LOAD); lane++)
            if (in.ev_retire[lane] >> (event == EVENT_INST ? TALLY_EVR_INST : TALLY_EVR_LOAD) & 1)
                cycle.lane[lane].counters |= bit(n);
        if (!in.mode.halted &&
            (event == EVENT_CYCLE || event == EVENT_BUS_RD)) // halted: bus cycles alone count
            cycle.steps[n] =
                static_cast<unsigned>(fields[event == EVENT_CYCLE ? TALLY_EVC_CYCLE : TALLY_EVC_BUS_RD]);
    }
}

void Scene::react(unsigned ret_max, bool allowed, bool request) {
    // With the pipeline empty after a flush nothing can retire.
    in.ret_flushed = !asks && chance(24);
    const bool runs = ret_max && !in.mode.halted && !in.ret_flushed;

    in.csr.valid = asks && allowed && runs && chance(224);
    in.ebb_ack = !in.csr.valid && (request ? runs && chance(144) : chance(4));
    in.ret_uebret = !asks && !in.ebb_ack && runs && wants_uebret_ &&
                    ebb_uebret(&model_, state_, &cycle.env) == EBB_ALLOWED;
    in.ret_uebret_ge = chance(160);
    in.ret_flush_pc = rng_64(&rng_) & ones(unit_.xlen);
    retire(ret_max);
    count();
    cycle.next_pc = in.ret_next_pc;
    cycle.next_user = in.retire[0].mode == GP_U; // if nothing retires, lane 0 shows the mode of the next
    cycle.uebret = in.ret_uebret;
    cycle.uebret_ge = in.ret_uebret_ge;
    cycle.ack = in.ebb_ack;
    cycle.access = in.csr.valid && branch ? &access : nullptr;
    cycle.other = nullptr;
    if (in.csr.valid && !branch) {
        effects_ = other_effects(model_, *state_, in.csr, enables_.siselect);
        cycle.other = &effects_.other;
    }
    lcofip_ = chance(128);
}
