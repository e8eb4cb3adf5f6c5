// SPDX-License-Identifier: Apache-2.0
// A random host of a unit with event-based branches: modes, enables, accesses, retirements, events. It keeps
// a host's contract (docs/integration.md) and is otherwise as rough as possible. It decodes the registers
// through which it changes counters, and tells the model the effects of accesses to them on the
// counters.
#ifndef EBB_SCENE_H
#define EBB_SCENE_H

#include "ebb_model.h"
#include "others.h"
#include "random.h"
#include "rights.h"
#include "tally_pmu_model.h"

#include <cstdint>

class Scene {
  public:
    Scene(const gp_config &unit, const ebb_config &model, const ebb_state *state, uint64_t seed);

    // Modes, enables, and an access or none. `waits`: the previous access still waits; it stays, and so do
    // its rights.
    void next(bool waits);
    // The other inputs, once the limit of retirement and the answer to the access are
    // known.
    void react(unsigned ret_max, bool allowed, bool request);
    // A reset of software's state
    void reset();

    gp_in in{};                   // of the cycle, for the unit
    ebb_cycle cycle{};            // ... for the model
    bool asks = false;            // an access is at the ports,
    bool branch = false;          // ... to a register of the model's
    ebb_access access{};          // if so
    ebb_verdict expected() const; // of the access, if it is another one

    // After the cycle: changes of enables by a performed access to another register.
    void performed();

  private:
    const gp_config &unit_;
    const ebb_config &model_;
    const ebb_state *state_;
    rights_unit built_{};
    rights_enables enables_{};
    rng rng_{};
    ebb_effects effects_{};
    unsigned event_[EBB_COUNTERS] = {};
    uint64_t pc_ = 0x1000;
    unsigned plan_ = 0; // the next step of arming everything; 0: there is no plan
    unsigned user_ = 0; // cycles in which U-mode goes on
    bool lcofip_ = false;
    bool wants_uebret_ = false;

    bool chance(unsigned of_256) { return rng_chance(&rng_, of_256); }
    unsigned below(unsigned n) { return rng_below(&rng_, n); }
    uint64_t dense(unsigned of_16) { return rng_dense(&rng_, of_16); }

    void change_mode();
    void change_env();
    void open_env();
    void choose_access();
    void choose_branch_register();
    void choose_other_register();
    void other_event(unsigned n, bool through_window);
    void write_event(unsigned n, bool through_window, bool high, gp_op op, unsigned event, uint64_t flags);
    void other_count(unsigned n, bool through_window);
    void ask_branch(unsigned num, gp_op op, uint64_t data, gp_priv priv, bool v);
    bool choose_at_wrap();
    void follow_plan();
    uint64_t count_value();
    uint64_t branch_data(unsigned num);
    unsigned some_counter();
    gp_priv some_priv(bool *v);
    void ask(unsigned num, gp_op op, uint64_t data, gp_priv priv, bool v);
    void retire(unsigned ret_max);
    void count();
};

#endif
