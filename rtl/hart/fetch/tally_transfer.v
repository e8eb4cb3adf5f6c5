// SPDX-License-Identifier: Apache-2.0
// tally_transfer - which transfers may redirect fetch before they execute.
//
// Combinational. Direct jumps and calls (jal, c.j), conditional branches, and returns (jr to a link
// register); unprivileged manual, "C" extension and Unconditional Jumps. Both lengths at once, since the
// length of an instruction is late-arriving. RV64: c.jal is RV32's.

`default_nettype none

module tally_transfer (
    input  wire [15:0] first_i,      // halfwords of the instruction
    input  wire [3:0]  second_i,     // ... its lowest bits, of an instruction of 32 bits
    output wire [1:0]  jump_o,       // bit 0: if it is compressed, bit 1: if it is not
    output wire [1:0]  branch_o,
    output wire [1:0]  return_o
);
  // rs1 is x1 or x5
  wire link_short = first_i[11:10] == 2'd0 && !first_i[8] && first_i[7];
  wire link_long  = {second_i[3:2], second_i[0], first_i[15]} == 4'b0001;

  wire unused_ok  = &{1'b0, second_i[1], 1'b0};

  assign jump_o   = {first_i[6:0] == 7'h6f,
                     {first_i[15:13], first_i[1:0]} == 5'b10101};
  assign branch_o = {first_i[6:0] == 7'h63,
                     {first_i[15:14], first_i[1:0]} == 4'b1101};
  assign return_o = {first_i[14:0] == 15'h0067 && link_long,                            // jalr x0, 0(rs1)
                     {first_i[15:12], first_i[6:0]} == 11'b1000_0000010 && link_short}; // c.jr rs1
endmodule

`default_nettype wire
