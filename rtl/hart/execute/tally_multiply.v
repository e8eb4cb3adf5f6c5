// SPDX-License-Identifier: Apache-2.0
// tally_multiply - a product of 65 x 32 bits a cycle: a, whose top bit is a sign, and half of an unsigned b.
//
// Eight products of 17 x 17 bits at most, one block of multiplication each on an FPGA. Those of every other
// part of a lie side by side, so that four sums are left of a half, added in two steps. The product is
// registered; the next half's is added to what is left of it above 32 bits.

`default_nettype none

module tally_multiply (
    input  wire        clk,
    input  wire        en_i,      // a half of b is there
    input  wire [64:0] a_i,
    input  wire [31:0] b_i,       // the lower half of b, a cycle later the upper half
    input  wire        b_neg_i,   // with the upper half: b is negative

    output wire [63:0] lower_o,   // a cycle after the lower half: its product with a
    output wire [95:0] upper_o    // a cycle after the upper half: a * b without its lower 32 bits
);
  // One row for each part of b, signed
  function [81:0] row(input [64:0] a, input [16:0] b);
    reg        [33:0] p0, p1, p2;
    reg signed [30:0] p3;
    begin
      p0  = {17'b0, a[16:0]}  * {17'b0, b};
      p1  = {17'b0, a[33:17]} * {17'b0, b};
      p2  = {17'b0, a[50:34]} * {17'b0, b};
      p3  = $signed({{17{a[64]}}, a[64:51]}) * $signed({14'b0, b});
      row = {14'b0, p2, p0} + {p3, p1, 17'b0};
    end
  endfunction

  function [96:0] product(input [64:0] a, input [31:0] b);
    reg [81:0] row0;
    reg [79:0] row1;
    reg [1:0]  unused;   // b's upper part has two bits less
    begin
      row0           = row(a, b[16:0]);
      {unused, row1} = row(a, {2'b0, b[31:17]});
      product        = {{15{row0[81]}}, row0} + {row1, 17'b0};
    end
  endfunction

  reg [96:0] part_q;
  reg [95:0] rest_q;   // what is left of the lower half's, less a << 32 if b is negative

  always @(posedge clk) begin
    if (en_i) begin
      part_q        <= product(a_i, b_i);
      rest_q[31:0]  <= part_q[63:32];
      rest_q[95:32] <= {{31{part_q[96]}}, part_q[96:64]} - (b_neg_i ? a_i[63:0] : 64'd0);
    end
  end

  assign lower_o = part_q[63:0];
  assign upper_o = part_q[95:0] + rest_q;
endmodule

`default_nettype wire
