// SPDX-License-Identifier: Apache-2.0
// tally_amo - the new value of an AMO, from old value and operand (unprivileged ISA, "A").
//
// Combinational. Data are in the lanes of their address: of a 32-bit AMO only its half of
// the result means anything, the writer's strobes choose.

`default_nettype none

module tally_amo (
    input  wire [4:0]  f5_i,      // funct5 of the instruction
    input  wire        word_i,    // 32 bits
    input  wire        high_i,    // ... in the upper half
    input  wire [63:0] old_i,
    input  wire [63:0] arg_i,
    output wire [63:0] new_o
);
  localparam [4:0] AMOADD = 5'h00, AMOSWAP = 5'h01, AMOXOR = 5'h04, AMOOR = 5'h08, AMOAND = 5'h0C,
                   AMOMIN = 5'h10, AMOMAX = 5'h14, AMOMINU = 5'h18, AMOMAXU = 5'h1C;

  // Both halves by themselves, and the logic that joins them in 64 bits
  wire [32:0] low    = {1'b0, old_i[31:0]} + {1'b0, arg_i[31:0]};
  wire [31:0] high   = old_i[63:32] + arg_i[63:32] + {31'd0, low[32] && !word_i};
  wire        low_u  = old_i[31:0] < arg_i[31:0];
  wire        high_u = old_i[63:32] < arg_i[63:32];
  wire        same   = old_i[63:32] == arg_i[63:32];

  wire at_low   = word_i && !high_i;
  wire less_u   = at_low ? low_u : high_u || (same && low_u && !word_i);
  wire old_sign = at_low ? old_i[31] : old_i[63];
  wire arg_sign = at_low ? arg_i[31] : arg_i[63];
  wire less_s   = (old_sign != arg_sign) ? old_sign : less_u;

  // A bit of the result by those of old and operand, but for sums
  reg [3:1] bits;
  always @* begin
    case (f5_i)
      AMOSWAP: bits = 3'b101;
      AMOXOR:  bits = 3'b011;
      AMOOR:   bits = 3'b111;
      AMOAND:  bits = 3'b100;
      AMOMIN:  bits = less_s ? 3'b110 : 3'b101;
      AMOMAX:  bits = less_s ? 3'b101 : 3'b110;
      AMOMINU: bits = less_u ? 3'b110 : 3'b101;
      AMOMAXU: bits = less_u ? 3'b101 : 3'b110;
      default: bits = 3'b110;
    endcase
  end

  assign new_o = (f5_i == AMOADD) ? {high, low[31:0]} :
                 (old_i & arg_i & {64{bits[3]}}) | (old_i & ~arg_i & {64{bits[2]}}) |
                 (~old_i & arg_i & {64{bits[1]}});
endmodule

`default_nettype wire
