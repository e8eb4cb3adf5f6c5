// SPDX-License-Identifier: Apache-2.0
// Stands before rtl/prim/tally_idle.vh in tally-sim-board, which works in every cycle as hardware does.

`ifndef TALLY_ACTIVE
`define TALLY_ACTIVE(condition) (1'b1 | |(condition))
`endif
