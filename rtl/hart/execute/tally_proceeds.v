// SPDX-License-Identifier: Apache-2.0
// tally_proceeds - what the oldest instruction is ready for happens, unless an interrupt comes before it.
//
// Whether one is pending is known last, for what the PMU asks for must precede the next retirement; all else
// is worked out beside it. The boundary stays: a mapper would share what leads to several of these, and put
// it behind what is late.
//
// Combinational.

`default_nettype none

(* keep_hierarchy *)
module tally_proceeds (
    input  wire pending_i,     // late
    input  wire open_i,        // an interrupt may be taken
    input  wire ready_i,
    output wire out_o
);
  assign out_o = ready_i & ~(pending_i & open_i);
endmodule

`default_nettype wire
