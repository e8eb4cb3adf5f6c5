// SPDX-License-Identifier: Apache-2.0
// tally_pmu_event_combine - combined selectors: up to four events with an operator, threshold and edge
// (docs/pmu.md).
//
// Counters 3 .. 3+COMB_N-1 have one each. This module holds their registers, layout and legality; each
// counter's result is evaluated in tally_pmu_event_combine_bits (one lane, counts up to one) or
// tally_pmu_event_combine_lanes. A counter adds count_o, which is 0 unless its selector is a combination. A
// selector of any other type, or with an index that is no event, leaves it without a combination.
//
// Combinational, but for the result of the cycle before, which the edge needs.

`include "tally_spec.vh"
`include "tally_idle.vh"

`default_nettype none

module tally_pmu_event_combine #(
    parameter COMB_N   = 1,
    parameter RETIRE_W = 1,
    parameter LINE_W   = 1,          // bits of the largest count of an event
    parameter INC_W    = LINE_W + 2, // bits of the largest sum of four
    parameter [0:0] CSR_PIPELINE = 1'b0  // selector_o follows next_index_i by a cycle
) (
    input  wire                    clk,
    input  wire                    rst,

    input  wire                    halted_i,       // core clock halted: only bus cycles happen
    input  wire [RETIRE_W*64-1:0]  lane_event_i,   // tally_pmu_events; one lane: if the instruction retires
    input  wire [LINE_W*64-1:0]    cycle_event_i,  // ... the software event in every cycle
    input  wire                    retires_i,      // one lane: it retires; several: 1
    input  wire                    software_i,     // software raises its event
    input  wire [RETIRE_W-1:0]     in_range_i,     // the lane's pc is in the range,
    input  wire [COMB_N-1:0]       range_i,        // ... to which the counter is limited
    input  wire [COMB_N-1:0]       stop_i,         // the counter does not count
    // one lane, counts up to one: each counter's three lowest bits, the low bit above them; the carry out
    // of these
    input  wire [COMB_N*3-1:0]     low_bits_i,
    input  wire [COMB_N-1:0]       low_rest_ones_i,
    output wire [COMB_N-1:0]       carry_out_o,
    output wire [COMB_N-1:0]       on_o,           // there is a combination; the counter's event is none then
    output wire [COMB_N*INC_W-1:0] count_o,

    // access: the whole selector of one counter; 0 if it is no combination
    input  wire [4:0]              index_i,
    input  wire [4:0]              next_index_i,   // CSR_PIPELINE: of the next cycle
    input  wire                    held_i,         // CSR_PIPELINE: an access uses selector_o
    input  wire                    we_i,
    input  wire [55:0]             selector_i,
    output wire [55:0]             selector_o
);
  `include "tally_event_fn.vh"

  localparam [3:0] COMBINED = `TALLY_SEL_TYPE_IS_COMBINED;

  // ---- registers, field by field
  reg [COMB_N-1:0]         on_q;             // the selector is a combination
  (* mem2reg *) reg [27:0] term_q [0:COMB_N-1];  // four indices of seven bits, A in the low ones
  (* mem2reg *) reg [1:0]  op_q [0:COMB_N-1];
  (* mem2reg *) reg [7:0]  thr_q [0:COMB_N-1];
  reg [COMB_N-1:0]         edge_q, inv_q;
  reg [COMB_N*5-1:0]       table_q;          // for 0 to 4 true terms of one bit: the result is not 0
  reg [COMB_N-1:0]         sum_q;            // ... it is their number
  reg [COMB_N-1:0]         before_q;         // the result of the cycle before was not 0
  wire [COMB_N-1:0]        nonzero;          // ... that of this cycle is not

  assign on_o = on_q;

  // ---- write and read
  wire [7:0] new_a = selector_i[`TALLY_SEL_COMB_A_MSB:`TALLY_SEL_COMB_A_LSB];
  wire [7:0] new_b = selector_i[`TALLY_SEL_COMB_B_MSB:`TALLY_SEL_COMB_B_LSB];
  wire [7:0] new_c = selector_i[`TALLY_SEL_COMB_C_MSB:`TALLY_SEL_COMB_C_LSB];
  wire [7:0] new_d = selector_i[`TALLY_SEL_COMB_D_MSB:`TALLY_SEL_COMB_D_LSB];

  function allowed;
    input [7:0] fn_index;
    allowed = fn_index == 8'd0 || tally_event_known(fn_index);
  endfunction

  // {sum_q, table_q} of a selector: the result of operator and threshold for 0 to 4 true terms of one bit
  // each. With operator ADD and no threshold the result is their number, else it is 0 or 1.
  localparam [1:0] OP_OR = 2'd0, OP_AND = 2'd1, OP_XOR = 2'd2;
  function [5:0] outcomes;
    input [3:0] fn_some;      // the terms that are an event
    input [1:0] fn_op;
    input [7:0] fn_thr;
    input       fn_inv;
    integer     f;
    reg [2:0]   terms, number, result;
    begin
      terms = {2'd0, fn_some[0]} + {2'd0, fn_some[1]} + {2'd0, fn_some[2]} + {2'd0, fn_some[3]};
      outcomes[5] = fn_op > OP_XOR & fn_thr == 8'd0;
      for (f = 0; f < 5; f = f + 1) begin
        number = f[2:0];
        case (fn_op)
          OP_OR:   result = {2'd0, f != 0};
          OP_AND:  result = {2'd0, f != 0 && number == terms};
          OP_XOR:  result = {2'd0, number[0]};
          default: result = number;
        endcase
        outcomes[f] = fn_thr == 8'd0 ? result != 3'd0 : ({5'd0, result} >= fn_thr) ^ fn_inv;
      end
    end
  endfunction

  reg       new_on;
  reg [5:0] new_outcomes;
  always @* begin
    new_on       = 1'b0;
    new_outcomes = 6'd0;
    if (`TALLY_ACTIVE(we_i)) begin
      new_on       = selector_i[`TALLY_SEL_TYPE_MSB:`TALLY_SEL_TYPE_LSB] == COMBINED &&
                     selector_i[55:`TALLY_SEL_COMB_THR_MSB+1] == 8'd0 &&
                     allowed(new_a) && allowed(new_b) && allowed(new_c) && allowed(new_d);
      new_outcomes = outcomes({|new_d, |new_c, |new_b, |new_a},
                              selector_i[`TALLY_SEL_COMB_OP_MSB:`TALLY_SEL_COMB_OP_LSB],
                              selector_i[`TALLY_SEL_COMB_THR_MSB:`TALLY_SEL_COMB_THR_LSB],
                              selector_i[`TALLY_SEL_COMB_INV_LSB]);
    end
  end

  integer w;
  always @(posedge clk) begin
    if (rst) begin
      for (w = 0; w < COMB_N; w = w + 1) begin
        on_q[w]   <= 1'b0;
        term_q[w] <= 28'd0;
        op_q[w]   <= 2'd0;
        edge_q[w] <= 1'b0;
        inv_q[w]  <= 1'b0;
        thr_q[w]  <= 8'd0;
        {sum_q[w], table_q[w*5 +: 5]} <= 6'd0;
      end
    end else if (we_i) begin
      for (w = 0; w < COMB_N; w = w + 1) begin
        if (index_i == w[4:0] + 5'd3) begin
          on_q[w]   <= new_on;
          term_q[w] <= {new_d[6:0], new_c[6:0], new_b[6:0], new_a[6:0]};
          op_q[w]   <= selector_i[`TALLY_SEL_COMB_OP_MSB:`TALLY_SEL_COMB_OP_LSB];
          edge_q[w] <= selector_i[`TALLY_SEL_COMB_EDGE_LSB];
          inv_q[w]  <= selector_i[`TALLY_SEL_COMB_INV_LSB];
          thr_q[w]  <= selector_i[`TALLY_SEL_COMB_THR_MSB:`TALLY_SEL_COMB_THR_LSB];
          {sum_q[w], table_q[w*5 +: 5]} <= new_outcomes;
        end
      end
    end
  end

  function [55:0] whole;   // the selector that these fields are of
    input [27:0] fn_terms;
    input [1:0]  fn_op;
    input [7:0]  fn_thr;
    input        fn_inv, fn_edge;
    whole = {8'd0, fn_thr, fn_inv, fn_edge, fn_op, 1'b0, fn_terms[27:21], 1'b0, fn_terms[20:14],
             COMBINED, 1'b0, fn_terms[13:7], 1'b0, fn_terms[6:0]};
  endfunction

  // The selector of the access's counter is chosen in the cycle in which it is decoded.
  wire [4:0] chosen = CSR_PIPELINE ? next_index_i : index_i;
  reg [55:0] selector;
  integer    s;
  always @* begin
    selector = 56'd0;
    if (`TALLY_ACTIVE(|on_q))
      for (s = 0; s < COMB_N; s = s + 1)
        selector = selector | whole(term_q[s], op_q[s], thr_q[s], inv_q[s], edge_q[s])
                              & {56{on_q[s] & chosen == s[4:0] + 5'd3}};
  end

  generate
    if (CSR_PIPELINE) begin : g_pipelined
      reg [55:0] selector_q;
      always @(posedge clk) selector_q <= selector;
      assign selector_o = selector_q;
`ifdef FORMAL
      reg [55:0] held;
      integer    h;
      always @* begin
        held = 56'd0;
        for (h = 0; h < COMB_N; h = h + 1)
          held = held | whole(term_q[h], op_q[h], thr_q[h], inv_q[h], edge_q[h])
                        & {56{on_q[h] & index_i == h[4:0] + 5'd3}};
        if (!rst) held_is_selector: assert (!held_i || selector_o == held);
      end
`endif
      wire unused_ok = &{1'b0, held_i, index_i};
    end else begin : g_direct
      assign selector_o = selector;
      wire unused_ok    = &{1'b0, held_i, next_index_i};
    end
  endgenerate

  // ---- evaluation
  genvar k, l;
  generate
    for (k = 0; k < COMB_N; k = k + 1) begin : g_counter
      wire [27:0]         terms = term_q[k];
      wire [RETIRE_W-1:0] retires;
      for (l = 0; l < RETIRE_W; l = l + 1) begin : g_lane
        assign retires[l] = retires_i & (in_range_i[l] | ~range_i[k]);
      end
      if (RETIRE_W == 1 && LINE_W == 1) begin : g_bits
        tally_pmu_event_combine_bits u_bits (
            .on_i(on_q[k]),
            .term_i(terms),
            .table_i(table_q[k*5 +: 5]),
            .sum_i(sum_q[k]),
            .edge_i(edge_q[k]),
            .before_i(before_q[k]),
            .halted_i(halted_i),
            .stop_i(stop_i[k]),
            .lane_event_i(lane_event_i),
            .cycle_event_i(cycle_event_i),
            .retires_i(retires),
            .software_i(software_i),
            .low_bits_i(low_bits_i[k*3 +: 3]),
            .low_rest_ones_i(low_rest_ones_i[k]),
            .nonzero_o(nonzero[k]),
            .count_o(count_o[k*INC_W +: INC_W]),
            .carry_out_o(carry_out_o[k])
        );
      end else begin : g_lanes
        tally_pmu_event_combine_lanes #(
            .RETIRE_W(RETIRE_W), .LINE_W(LINE_W), .INC_W(INC_W)
        ) u_lanes (
            .on_i(on_q[k]),
            .term_i(terms),
            .op_i(op_q[k]),
            .thr_i(thr_q[k]),
            .inv_i(inv_q[k]),
            .edge_i(edge_q[k]),
            .before_i(before_q[k]),
            .halted_i(halted_i),
            .stop_i(stop_i[k]),
            .lane_event_i(lane_event_i),
            .cycle_event_i(cycle_event_i),
            .retires_i(retires),
            .software_i(software_i),
            .nonzero_o(nonzero[k]),
            .count_o(count_o[k*INC_W +: INC_W])
        );
        assign carry_out_o[k] = 1'b0;
        wire   unused_ok      = &{1'b0, table_q, sum_q, low_bits_i, low_rest_ones_i};
      end
    end
  endgenerate

  always @(posedge clk) before_q <= rst ? {COMB_N{1'b0}} : nonzero;

`ifdef FORMAL
  // The table follows from the selector.
  wire [COMB_N-1:0] table_right;
  genvar f;
  generate
    for (f = 0; f < COMB_N; f = f + 1) begin : g_formal
      wire [27:0] terms = term_q[f];
      assign table_right[f] = ~on_q[f]
          | {sum_q[f], table_q[f*5 +: 5]} == outcomes(
              {|terms[27:21], |terms[20:14], |terms[13:7], |terms[6:0]}, op_q[f], thr_q[f], inv_q[f]);
    end
  endgenerate
  always @* if (!rst) table_of_selector: assert (&table_right);

  // The state of one counter as software sees it, and the result that the edge compares, for tests/formal.
  wire [4:0]  formal_index;
  wire [4:0]  formal_at       = formal_index - 5'd3;
  wire        formal_on       = formal_index >= 5'd3 && formal_at < COMB_N && on_q[formal_at];
  wire        formal_before   = formal_index >= 5'd3 && formal_at < COMB_N && before_q[formal_at];
  wire [27:0] formal_terms    = term_q[formal_at];
  wire [55:0] formal_selector = !formal_on ? 56'd0 :
      whole(formal_terms, op_q[formal_at], thr_q[formal_at], inv_q[formal_at], edge_q[formal_at]);
`endif
endmodule

`default_nettype wire
