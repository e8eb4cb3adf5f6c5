// SPDX-License-Identifier: Apache-2.0
// tally_and_nand - an enable that a late-arriving bit blocks under a mask.
//
// One LUT between the late-arriving bit and the output; the boundary keeps it so. A mapper that may merge the
// cell shares logic between several of them and puts it behind the late-arriving bit.
//
// Combinational.

`default_nettype none

(* keep_hierarchy *)
module tally_and_nand (
    input  wire en_i,
    input  wire mask_i,
    input  wire last_i,
    output wire out_o
);
  assign out_o = en_i & ~(mask_i & last_i);
endmodule

`default_nettype wire
