// SPDX-License-Identifier: Apache-2.0
// `TALLY_ACTIVE(condition) guards logic whose result is used only while the condition holds: a sample ends, a
// record is queued, a counter overflows. In hardware the guard is 1 and the logic works in every cycle: the
// condition is often late-arriving and would only add a level of gates or a clock enable. A simulator skips
// the logic while it is idle. That is Verilator, which alone defines VERILATOR; proofs, mutants, synthesis
// and Icarus read the form that hardware is made of.
//
// Guard only logic that nothing observes while the condition is 0. A register behind a guard keeps an old
// value in a simulator where hardware loads a new one: no output may depend on it before the next active
// cycle.

`ifndef TALLY_ACTIVE
`ifdef VERILATOR
`define TALLY_ACTIVE(condition) (condition)
`else
`define TALLY_ACTIVE(condition) 1'b1
`endif
`endif
