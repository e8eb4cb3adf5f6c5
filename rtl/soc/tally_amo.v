// tally_amo - what an AMO writes (unprivileged ISA, "A"): old value and operand to new value.
//
// Combinational. Data stand in the lanes of their address; a 32-bit AMO works on one half and copies its
// result to both, the writer's strobes choose.

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

  // Words are widened by their sign: signed and unsigned order of 32-bit values survive that.
  wire [31:0] old_word = high_i ? old_i[63:32] : old_i[31:0];
  wire [31:0] arg_word = high_i ? arg_i[63:32] : arg_i[31:0];
  wire [63:0] a = word_i ? {{32{old_word[31]}}, old_word} : old_i;
  wire [63:0] b = word_i ? {{32{arg_word[31]}}, arg_word} : arg_i;

  wire less_u = a < b;
  wire less_s = (a[63] != b[63]) ? a[63] : less_u;

  reg [63:0] result;
  always @* begin
    case (f5_i)
      AMOADD:  result = a + b;
      AMOSWAP: result = b;
      AMOXOR:  result = a ^ b;
      AMOOR:   result = a | b;
      AMOAND:  result = a & b;
      AMOMIN:  result = less_s ? a : b;
      AMOMAX:  result = less_s ? b : a;
      AMOMINU: result = less_u ? a : b;
      AMOMAXU: result = less_u ? b : a;
      default: result = a;
    endcase
  end

  assign new_o = word_i ? {result[31:0], result[31:0]} : result;
endmodule

`default_nettype wire
