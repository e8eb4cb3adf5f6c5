// SPDX-License-Identifier: Apache-2.0
// tally_muldiv - multiply, divide and count, one operation at a time, variable latency.
//
// Operands become magnitudes; one 32x32 multiplier works through the partial products that are not zero (1,
// 2 or 4 cycles, 3 for the low half), the divider is radix 2 and skips the dividend's leading zeros; a last
// cycle puts the sign on. Latency from issue to completion: multiply 3..6, divide 4..67. "M" extension,
// including division by zero and overflow. Zbb's clz, ctz and cpop (by parameter) make a mask of the zeros to
// count, then count ones: latency 3. The result waits until it is taken.

`default_nettype none
`include "tally_hart.vh"

module tally_muldiv #(
    parameter XLEN    = 64,
    parameter TAG_W   = 3,
    parameter ZBA_ZBB = 1
) (
    input  wire             clk,
    input  wire             rst,
    input  wire             flush_i,      // late-arriving: drop the operation

    output wire             ready_o,
    input  wire             valid_i,      // late-arriving; the inputs below are registered while idle
    input  wire             div_i,
    input  wire             count_i,
    input  wire [1:0]       op_i,         // funct3[1:0], or which count
    input  wire             word_i,
    input  wire [TAG_W-1:0] tag_i,
    input  wire [XLEN-1:0]  a_i,
    input  wire [XLEN-1:0]  b_i,

    output wire             done_o,
    input  wire             take_i,
    output wire [TAG_W-1:0] tag_o,
    output wire [XLEN-1:0]  value_o
);
  localparam [2:0] IDLE = 3'd0, PREP = 3'd1, MUL = 3'd2, SKIP = 3'd3, DIV = 3'd4, SIGN = 3'd5, DONE = 3'd6,
                   COUNT = 3'd7;

  reg [2:0]       state_q;
  reg             div_q;
  reg             cnt_q;
  reg [1:0]       op_q;         // funct3[1:0]: mul mulh mulhsu mulhu, div divu rem remu
  reg             word_q;
  reg [TAG_W-1:0] tag_q;
  reg [63:0]      a_q;         // magnitude of a; dividend on its way to the quotient
  reg [63:0]      b_q;         // magnitude of b
  reg             neg_q;       // negate the result
  reg [63:0]      lo_q;        // product, low; remainder
  reg [63:0]      hi_q;        // product, high
  reg [6:0]       count_q;     // quotient bits to go
  reg [1:0]       step_q;      // partial product
  reg [31:0]      pa_q;        // its operands, chosen a cycle ahead: the multiplier needs most of a cycle
  reg [31:0]      pb_q;

  wire a_signed = div_q ? !op_q[0] : op_q == 2'd1 || op_q == 2'd2;
  wire b_signed = div_q ? !op_q[0] : op_q == 2'd1;
  wire upper    = !div_q && op_q != 2'd0;  // the upper XLEN bits of the product
  wire high     = upper && XLEN == 64;     // RV32 products fit lo_q
  wire rem      = op_q[1];

  // 32-bit operations work on operands extended by their signedness (division), or on the low halves
  // (multiply).
  function [63:0] extend(input word, input sign, input [XLEN-1:0] x);
    extend = word ? {{32{sign && x[31]}}, x[31:0]} : {{(64 - XLEN){sign && x[XLEN-1]}}, x};
  endfunction

  // In PREP: the operands, which are registered as they come
  wire        x_signed = div_q && !op_q[0];
  wire [63:0] a_x      = extend(word_q, x_signed || XLEN == 32 && !div_q && op_q != 2'd3, a_q[XLEN-1:0]);
  wire [63:0] b_x      = extend(word_q, x_signed || XLEN == 32 && !div_q && op_q == 2'd1, b_q[XLEN-1:0]);
  wire        a_neg    = a_signed && a_x[63];
  wire        b_neg    = b_signed && b_x[63];

  wire [63:0] a_mag    = a_neg ? -a_x : a_x;
  wire [63:0] b_mag    = b_neg ? -b_x : b_x;

  wire [63:0] pp       = {32'b0, pa_q} * {32'b0, pb_q};
  wire        a_wide   = a_q[63:32] != 32'd0;
  wire        b_wide   = b_q[63:32] != 32'd0;

  // product += pp << 32 for the middle steps
  wire [32:0] mid_sum  = {1'b0, lo_q[63:32]} + {1'b0, pp[31:0]};
  wire [63:0] mid_lo   = {mid_sum[31:0], lo_q[31:0]};
  wire        mid_cy   = mid_sum[32];
  wire [63:0] mid_hi   = hi_q + {32'b0, pp[63:32]} + {63'b0, mid_cy};

  // division step
  wire [63:0] shifted  = {lo_q[62:0], a_q[63]};
  wire        fits     = lo_q[63] || shifted >= b_q;
  wire [63:0] reduced  = shifted - b_q;

  wire [63:0] chosen   = div_q ? (rem ? lo_q : a_q) : high ? hi_q : lo_q;
  // Negating a product's high half carries from its low half only if that is zero.
  wire        neg_cy   = high ? lo_q == 64'd0 : 1'b1;
  wire [63:0] signed_r = neg_q ? ~chosen + {63'b0, neg_cy} : chosen;

  // next partial product that is not zero: 0 = lo*lo, 1 = hi*lo, 2 = lo*hi, 3 = hi*hi
  reg       last;
  reg [1:0] next_step;
  always @* begin
    last      = 1'b0;
    next_step = step_q + 2'd1;
    case (step_q)
      2'd0: begin
        if (a_wide)      next_step = 2'd1;
        else if (b_wide) next_step = 2'd2;
        else             last = 1'b1;
      end
      2'd1: begin
        if (b_wide) next_step = 2'd2;
        else        last = 1'b1;
      end
      2'd2:    last = !(a_wide && high);
      default: last = 1'b1;
    endcase
  end

  // Counting. Zeros before the first one become ones, and those behind it zeros; a word has a one behind it.
  function [63:0] zeros_below(input [63:0] x);
    zeros_below = ~x & (x - 64'd1);
  endfunction

  function [63:0] mirror(input [63:0] x);
    integer i;
    for (i = 0; i < 64; i = i + 1) mirror[i] = x[63-i];
  endfunction

  wire short = word_q || XLEN == 32;

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

  assign ready_o = state_q == IDLE;
  assign done_o  = state_q == DONE;
  assign tag_o   = tag_q;
  assign value_o = word_q ? {{XLEN-32{lo_q[31]}}, lo_q[31:0]}
                 : XLEN == 32 && upper ? lo_q[63:64-XLEN] : lo_q[XLEN-1:0];

  // Read by a test bench, by name; no logic depends on it
  /* verilator lint_off UNUSEDSIGNAL */
  wire probe_divides    = state_q != IDLE && div_q;
  wire probe_multiplies = state_q != IDLE && !div_q;
  /* verilator lint_on UNUSEDSIGNAL */

  always @(posedge clk) begin
    case (state_q)
      IDLE: begin
        if (valid_i) state_q <= PREP;
        div_q  <= div_i;
        cnt_q  <= count_i && ZBA_ZBB != 0;
        op_q   <= op_i;
        word_q <= word_i;
        tag_q  <= tag_i;
        a_q    <= {{64-XLEN{1'b0}}, a_i};
        b_q    <= {{64-XLEN{1'b0}}, b_i};
      end

      PREP: begin  // magnitudes; division by zero ends here: quotient all ones, remainder the dividend
        a_q     <= a_mag;
        b_q     <= b_mag;
        pa_q    <= a_mag[31:0];
        pb_q    <= b_mag[31:0];
        lo_q    <= 64'd0;
        hi_q    <= 64'd0;
        step_q  <= 2'd0;
        count_q <= 7'd64;
        neg_q   <= rem && div_q ? a_neg : a_neg != b_neg;
        state_q <= div_q ? SKIP : MUL;
        if (div_q && b_x == 64'd0) begin
          lo_q    <= rem ? a_x : {64{1'b1}};
          state_q <= DONE;
        end
        if (ZBA_ZBB != 0 && cnt_q) begin
          case (op_q)
            `TALLY_CNT_CLZ: a_q <= zeros_below(mirror(short ? {a_q[31:0], 32'h8000_0000} : a_q));
            `TALLY_CNT_CTZ: a_q <= zeros_below(short ? {32'd1, a_q[31:0]} : a_q);
            default:        a_q <= a_x;
          endcase
          state_q <= COUNT;
        end
      end

      MUL: begin
        step_q <= next_step;
        pa_q   <= next_step[0] ? a_q[63:32] : a_q[31:0];
        pb_q   <= next_step[1] ? b_q[63:32] : b_q[31:0];
        case (step_q)
          2'd0:       lo_q <= pp;
          2'd1, 2'd2: begin
            lo_q <= mid_lo;
            hi_q <= mid_hi;
          end
          default:    hi_q <= hi_q + pp;
        endcase
        if (last) state_q <= SIGN;
      end

      SKIP: begin  // leading zeros of the dividend, in a few coarse steps
        if (a_q[63:32] == 32'd0 && count_q > 7'd32) begin
          a_q     <= {a_q[31:0], 32'b0};
          count_q <= count_q - 7'd32;
        end else if (a_q[63:48] == 16'd0 && count_q > 7'd16) begin
          a_q     <= {a_q[47:0], 16'b0};
          count_q <= count_q - 7'd16;
        end else begin
          if (a_q[63:56] == 8'd0 && count_q > 7'd8) begin
            a_q     <= {a_q[55:0], 8'b0};
            count_q <= count_q - 7'd8;
          end
          state_q <= DIV;
        end
      end

      DIV: begin
        a_q     <= {a_q[62:0], fits};
        lo_q    <= fits ? reduced : shifted;
        count_q <= count_q - 7'd1;
        if (count_q == 7'd1) state_q <= SIGN;
      end

      COUNT: begin
        if (ZBA_ZBB != 0) lo_q <= {57'b0, ones_of_64(a_q)};
        state_q <= DONE;
      end

      SIGN: begin
        lo_q    <= signed_r;
        state_q <= DONE;
      end

      default: if (take_i) state_q <= IDLE;  // DONE
    endcase
    if (rst || flush_i) state_q <= IDLE;
  end
endmodule

`default_nettype wire
