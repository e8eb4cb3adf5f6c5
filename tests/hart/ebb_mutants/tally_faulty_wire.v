// SPDX-License-Identifier: Apache-2.0
// tally_faulty_wire - a wire of the machine of which one bit can be wrong (tests/hart/ebb_mutants).
//
// Mutants have numbers; those of this wire begin at FIRST: four a bit, the KINDS of ebb_mutants.py. The
// number of the mutant that is switched on is in the file fault.hex of the folder that the simulator runs in.

`default_nettype none

module tally_faulty_wire #(
    parameter W     = 1,
    parameter FIRST = 1
) (
    input  wire         clk,
    input  wire [W-1:0] in_i,
    output reg  [W-1:0] out_o
);
  reg [15:0] mutant[0:0];
  initial $readmemh("fault.hex", mutant);

  wire [15:0]  at   = mutant[0] - FIRST[15:0];
  wire [W-1:0] mask = at < 4 * W ? {{W - 1{1'b0}}, 1'b1} << at[15:2] : {W{1'b0}};

  reg  [W-1:0] late_q;
  always @(posedge clk) late_q <= in_i;

  always @*
    case (at[1:0])
      2'd0:    out_o = in_i & ~mask;
      2'd1:    out_o = in_i | mask;
      2'd2:    out_o = in_i ^ mask;
      default: out_o = in_i & ~mask | late_q & mask;
    endcase
endmodule

`default_nettype wire
