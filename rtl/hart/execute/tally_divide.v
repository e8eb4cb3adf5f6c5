// SPDX-License-Identifier: Apache-2.0
// tally_divide - a step of a division of magnitudes: two bits of the quotient, or a test whether the next 32
// or 8 of them are zeros.
//
// The remainder, with the dividend behind it, moves to the left; the quotient follows the dividend. The two
// bits say how often the divisor goes into the remainder: what is left is computed for each case, side by
// side. Bits of the quotient are zeros where what the remainder would be after them is still less than the
// divisor: then it only moves. Nothing moves out of it: it is at most the dividend without the bits that are
// still to come, less than 2^62 before the last two of them. Combinational; the divisor is not zero.

`default_nettype none

module tally_divide (
    input  wire        skip32_i,    // test for 32 zeros,
    input  wire        skip8_i,     // or 8, or take two bits
    input  wire [63:0] dividend_i,  // what is left of it, on top of the quotient so far
    input  wire [61:0] rem_i,
    input  wire [63:0] divisor_i,
    input  wire [65:0] triple_i,    // of the divisor, when two bits are taken

    output wire        moved_o,     // by two bits, or by zeros that were found
    output wire [63:0] dividend_o,  // after that
    output wire [63:0] rem_o
);
  wire        skip    = skip32_i || skip8_i;
  wire [63:0] shifted = skip32_i ? {rem_i[31:0], dividend_i[63:32]} :
                        skip8_i  ? {rem_i[55:0], dividend_i[63:56]} : {rem_i, dividend_i[63:62]};
  wire [64:0] twice   = {divisor_i, 1'b0};
  wire        fits1   = shifted >= divisor_i;
  wire        fits2   = shifted >= twice[63:0] && !twice[64];
  wire        fits3   = shifted >= triple_i[63:0] && triple_i[65:64] == 2'd0;
  wire        bit0    = fits3 || (fits1 && !fits2);

  assign moved_o    = !skip || !fits1;
  assign rem_o      = skip || !fits1 ? shifted :
                      fits3 ? shifted - triple_i[63:0] : fits2 ? shifted - twice[63:0] : shifted - divisor_i;
  assign dividend_o = skip32_i ? {dividend_i[31:0], 32'b0} :
                      skip8_i  ? {dividend_i[55:0], 8'b0} : {dividend_i[61:0], fits2, bit0};
endmodule

`default_nettype wire
