// SPDX-License-Identifier: Apache-2.0
// tally_muldiv - multiply, divide and count, one operation at a time, variable latency.
//
// Multiply: 64 x 32 bits a cycle, the upper half of b only if something is in it; division: two bits a cycle,
// most leading zeros of the quotient left out, a last cycle puts the sign on. "M" extension, including
// division by zero and overflow. Zbb's clz, ctz and cpop (by parameter) make a mask of the zeros to count,
// then count ones. Latency from issue to completion: multiply 2 or 3, count 3, divide 8 to 37, by zero 2. The
// result waits until it is taken.

`default_nettype none
`include "tally_hart.vh"

module tally_muldiv #(
    parameter TAG_W   = 3,
    parameter ZBA_ZBB = 1
) (
    input  wire             clk,
    input  wire             rst,
    input  wire             flush_i,      // late-arriving: drop the operation

    output wire             ready_o,
    input  wire             valid_i,      // late-arriving; the inputs below are registered while ready
    input  wire             div_i,
    input  wire             count_i,
    input  wire [1:0]       op_i,         // funct3[1:0], or which count
    input  wire             word_i,
    input  wire [TAG_W-1:0] tag_i,
    input  wire [63:0]      a_i,
    input  wire [63:0]      b_i,

    output wire             done_o,
    input  wire             take_i,
    output wire [TAG_W-1:0] tag_o,
    output wire [63:0]      value_o
);
  localparam [2:0] IDLE = 3'd0, PREP = 3'd1, MUL = 3'd2, MORE = 3'd3, DIV = 3'd4, SIGN = 3'd5, COUNT = 3'd6,
                   DONE = 3'd7;

  reg [2:0]       state_q;
  reg             div_q;
  reg             cnt_q;
  reg [1:0]       op_q;         // funct3[1:0]: mul mulh mulhsu mulhu, div divu rem remu
  reg             word_q;
  reg [TAG_W-1:0] tag_q;
  reg [63:0]      a_q;          // a; its magnitude, on its way to the quotient
  reg [63:0]      b_q;          // b; its magnitude,
  reg [65:0]      triple_q;     // and three times that
  reg             neg_q;        // negate the quotient or remainder
  reg             part_q;       // the result is the product with b's lower half, for the upper one is empty
  reg [63:0]      lo_q;         // remainder; result
  reg             skip32_q;     // the quotient's leading zeros are skipped: 32 of them,
  reg             skip8_q;      // or 8 as often as there are
  reg [5:0]       pairs_q;      // bits of the quotient to go, by twos

  wire a_signed = div_q ? !op_q[0] : op_q == 2'd1 || op_q == 2'd2;
  wire b_signed = div_q ? !op_q[0] : op_q == 2'd1;
  wire high     = op_q != 2'd0;  // of a product: the upper 64 bits
  wire rem      = op_q[1];

  // For a division: a word is extended by its signedness
  function [63:0] extend(input word, input sign, input [63:0] x);
    extend = word ? {{32{sign && x[31]}}, x[31:0]} : x;
  endfunction

  // In PREP
  wire [63:0] a_x   = extend(word_q, a_signed, a_q);
  wire [63:0] b_x   = extend(word_q, b_signed, b_q);
  wire        a_neg = a_signed && a_x[63];
  wire        b_neg = b_signed && b_x[63];

  // Multiplication. The upper half of b takes the place of the lower one.
  wire        b_wide = !word_q && b_q[63:32] != 32'd0 || high;
  wire [63:0] part;
  wire [95:0] rest;

  tally_multiply u_multiply (
      .clk    (clk),
      .en_i   (state_q == MUL || state_q == MORE),
      .a_i    ({a_signed && a_q[63], a_q}),
      .b_i    (b_q[31:0]),
      .b_neg_i(b_signed && b_q[31]),
      .lower_o(part),
      .upper_o(rest)
  );

  // Division
  wire [5:0]  pairs = skip32_q ? 6'd16 : skip8_q ? 6'd4 : 6'd1;
  wire        moved;
  wire [63:0] a_next;
  wire [63:0] rem_next;

  tally_divide u_divide (
      .skip32_i  (skip32_q),
      .skip8_i   (skip8_q),
      .dividend_i(a_q),
      .rem_i     (lo_q[61:0]),
      .divisor_i (b_q),
      .triple_i  (triple_q),
      .moved_o   (moved),
      .dividend_o(a_next),
      .rem_o     (rem_next)
  );

  wire [63:0] chosen = rem ? lo_q : a_q;
  wire [63:0] value  = part_q ? part : div_q || cnt_q ? lo_q : high ? rest[95:32] : {rest[31:0], lo_q[31:0]};

  // Counting. Zeros before the first one become ones, and those behind it zeros; a word has a one behind it.
  function [63:0] zeros_below(input [63:0] x);
    zeros_below = ~x & (x - 64'd1);
  endfunction

  function [63:0] mirror(input [63:0] x);
    integer i;
    for (i = 0; i < 64; i = i + 1) mirror[i] = x[63-i];
  endfunction

  function [3:0] ones_of_8(input [7:0] x);
    ones_of_8 = (({3'b0, x[0]} + {3'b0, x[1]}) + ({3'b0, x[2]} + {3'b0, x[3]})) +
                (({3'b0, x[4]} + {3'b0, x[5]}) + ({3'b0, x[6]} + {3'b0, x[7]}));
  endfunction

  function [4:0] ones_of_16(input [15:0] x);
    ones_of_16 = {1'b0, ones_of_8(x[7:0])} + {1'b0, ones_of_8(x[15:8])};
  endfunction

  function [6:0] ones_of_64(input [63:0] x);
    ones_of_64 = ({2'b0, ones_of_16(x[15:0])} + {2'b0, ones_of_16(x[31:16])}) +
                 ({2'b0, ones_of_16(x[47:32])} + {2'b0, ones_of_16(x[63:48])});
  endfunction

  assign ready_o = state_q == IDLE || done_o && take_i;
  assign done_o  = state_q == DONE;
  assign tag_o   = tag_q;
  assign value_o = word_q ? {{32{value[31]}}, value[31:0]} : value;

  // Read by a test bench, by name; no logic depends on it
  /* verilator lint_off UNUSEDSIGNAL */
  wire probe_divides    = state_q != IDLE && div_q;
  wire probe_multiplies = state_q != IDLE && !div_q;
  /* verilator lint_on UNUSEDSIGNAL */

  always @(posedge clk) begin
    case (state_q)
      MUL: begin
        b_q     <= {32'b0, b_q[63:32]};
        part_q  <= !b_wide;
        state_q <= b_wide ? MORE : DONE;
      end

      MORE: begin
        lo_q[31:0] <= part[31:0];
        state_q    <= DONE;
      end

      PREP: begin  // magnitudes; division by zero ends here: quotient all ones, remainder the dividend
        a_q      <= a_neg ? -a_x : a_x;
        b_q      <= b_neg ? -b_x : b_x;
        lo_q     <= 64'd0;
        pairs_q  <= 6'd32;
        skip32_q <= 1'b1;
        skip8_q  <= 1'b0;
        neg_q    <= rem ? a_neg : a_neg != b_neg;
        state_q  <= DIV;
        if (b_x == 64'd0) begin
          lo_q    <= rem ? a_x : {64{1'b1}};
          state_q <= DONE;
        end
        if (ZBA_ZBB != 0 && cnt_q) begin
          case (op_q)
            `TALLY_CNT_CLZ: a_q <= zeros_below(mirror(word_q ? {a_q[31:0], 32'h8000_0000} : a_q));
            `TALLY_CNT_CTZ: a_q <= zeros_below(word_q ? {32'd1, a_q[31:0]} : a_q);
            default:        a_q <= word_q ? {32'b0, a_q[31:0]} : a_q;
          endcase
          state_q <= COUNT;
        end
      end

      DIV: begin
        triple_q <= {2'b0, b_q} + {1'b0, b_q, 1'b0};  // in time: the first cycle only tests
        skip32_q <= 1'b0;
        skip8_q  <= skip32_q || skip8_q && moved;
        if (moved) begin
          a_q     <= a_next;
          lo_q    <= rem_next;
          pairs_q <= pairs_q - pairs;
          if (pairs_q == pairs) state_q <= SIGN;
        end
      end

      COUNT: begin
        if (ZBA_ZBB != 0) lo_q <= {57'b0, ones_of_64(a_q)};
        state_q <= DONE;
      end

      SIGN: begin
        lo_q    <= neg_q ? -chosen : chosen;
        state_q <= DONE;
      end

      default: ;  // IDLE, DONE
    endcase
    if (ready_o) begin
      state_q <= !valid_i ? IDLE : div_i || count_i && ZBA_ZBB != 0 ? PREP : MUL;
      div_q   <= div_i;
      cnt_q   <= count_i && ZBA_ZBB != 0;
      op_q    <= op_i;
      word_q  <= word_i;
      tag_q   <= tag_i;
      part_q  <= 1'b0;
      a_q     <= a_i;
      b_q     <= b_i;
    end
    if (rst || flush_i) state_q <= IDLE;
  end
endmodule

`default_nettype wire
