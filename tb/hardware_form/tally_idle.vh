// SPDX-License-Identifier: Apache-2.0
// Found before rtl/prim/tally_idle.vh by tally-sim-board, which works in every cycle as hardware does. The
// condition is named only so that its signals are used.

`ifndef TALLY_ACTIVE
`define TALLY_ACTIVE(condition) (1'b1 | |(condition))
`endif
