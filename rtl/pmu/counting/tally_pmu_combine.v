// SPDX-License-Identifier: Apache-2.0
// tally_pmu_combine - selectors that put up to four events together, with threshold and edge (docs/pmu.md).
//
// Counters 3 .. 3+COMB_N-1 have one each. Here are their registers, layout, legality and evaluation; the
// counter itself only adds what count_o says (0 unless its selector is a combination). A selector that this
// module does not take (any other type, an index that is no event) leaves it at no combination.
//
// Combinational, but for the edge's memory of the cycle before. A combination that is not selected costs no
// simulation time.

`include "tally_spec.vh"

`default_nettype none

module tally_pmu_combine #(
    parameter COMB_N   = 1,
    parameter RETIRE_W = 1,
    parameter LINE_W   = 1,          // bits of the largest count of an event
    parameter INC_W    = LINE_W + 2  // bits of the largest sum of four
) (
    input  wire                    clk,
    input  wire                    rst,

    input  wire                    halted_i,       // the core clock is: none counts, only bus cycles happen
    input  wire [RETIRE_W*64-1:0]  lane_event_i,   // tally_pmu_events: one lane: of what retires if it does
    input  wire [LINE_W*64-1:0]    cycle_event_i,  // ... software's in every cycle
    input  wire                    retires_i,      // ... it does; more lanes: 1
    input  wire                    software_i,     // software raises its event
    input  wire [RETIRE_W-1:0]     inside_i,       // the lane's pc lies in the range ...
    input  wire [COMB_N-1:0]       range_i,        // ... which matters to this counter
    input  wire [COMB_N-1:0]       still_i,        // the counter does not count
    // terms of one bit (one lane, counts up to one): the counters' three lowest bits, whether their low bits
    // above hand on what they are handed; they do
    input  wire [COMB_N*3-1:0]     low_i,
    input  wire [COMB_N-1:0]       brim_i,
    output wire [COMB_N-1:0]       over_o,
    output wire [COMB_N-1:0]       on_o,           // there is a combination; its selector is no event then
    output reg  [COMB_N*INC_W-1:0] count_o,

    // access: the whole selector of one counter; 0 if that is no combination
    input  wire [4:0]              index_i,
    input  wire                    we_i,
    input  wire [55:0]             selector_i,
    output reg  [55:0]             selector_o
);
  `include "tally_event_fn.vh"

  localparam [3:0] COMBINED = `TALLY_SEL_TYPE_IS_COMBINED;

  // ---- registers, field by field
  reg [COMB_N-1:0]         on_q;             // the selector is a combination
  (* mem2reg *) reg [27:0] term_q [0:COMB_N-1];  // four indices of seven bits, A in the low ones
  (* mem2reg *) reg [1:0]  op_q [0:COMB_N-1];
  (* mem2reg *) reg [7:0]  thr_q [0:COMB_N-1];
  reg [COMB_N-1:0]         edge_q, inv_q;
  reg [COMB_N*5-1:0]       table_q;          // tally_pmu_combine_table, of the above
  reg [COMB_N-1:0]         number_q;
  reg [COMB_N-1:0]         was_q, is;        // the result is not 0: in the cycle before, now

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

  wire new_on = selector_i[`TALLY_SEL_TYPE_MSB:`TALLY_SEL_TYPE_LSB] == COMBINED &&
                selector_i[55:`TALLY_SEL_COMB_THR_MSB+1] == 8'd0 &&
                allowed(new_a) && allowed(new_b) && allowed(new_c) && allowed(new_d);

  wire [4:0] new_table;
  wire       new_number;
  tally_pmu_combine_table u_table (
      .some_i({|new_d, |new_c, |new_b, |new_a}),
      .op_i(selector_i[`TALLY_SEL_COMB_OP_MSB:`TALLY_SEL_COMB_OP_LSB]),
      .thr_i(selector_i[`TALLY_SEL_COMB_THR_MSB:`TALLY_SEL_COMB_THR_LSB]),
      .inv_i(selector_i[`TALLY_SEL_COMB_INV_LSB]),
      .is_o(new_table),
      .number_o(new_number)
  );

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
        {table_q[w*5 +: 5], number_q[w]} <= 6'd0;
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
          {table_q[w*5 +: 5], number_q[w]} <= {new_table, new_number};
        end
      end
    end
  end

  integer r;
  always @* begin
    selector_o = 56'd0;
    for (r = 0; r < COMB_N; r = r + 1) begin
      if (on_q[r] & index_i == r[4:0] + 5'd3) begin
        selector_o[`TALLY_SEL_TYPE_MSB:`TALLY_SEL_TYPE_LSB]         = COMBINED;
        selector_o[`TALLY_SEL_COMB_A_MSB:`TALLY_SEL_COMB_A_LSB]     = {1'b0, term_q[r][6:0]};
        selector_o[`TALLY_SEL_COMB_B_MSB:`TALLY_SEL_COMB_B_LSB]     = {1'b0, term_q[r][13:7]};
        selector_o[`TALLY_SEL_COMB_C_MSB:`TALLY_SEL_COMB_C_LSB]     = {1'b0, term_q[r][20:14]};
        selector_o[`TALLY_SEL_COMB_D_MSB:`TALLY_SEL_COMB_D_LSB]     = {1'b0, term_q[r][27:21]};
        selector_o[`TALLY_SEL_COMB_OP_MSB:`TALLY_SEL_COMB_OP_LSB]   = op_q[r];
        selector_o[`TALLY_SEL_COMB_EDGE_LSB]                        = edge_q[r];
        selector_o[`TALLY_SEL_COMB_INV_LSB]                         = inv_q[r];
        selector_o[`TALLY_SEL_COMB_THR_MSB:`TALLY_SEL_COMB_THR_LSB] = thr_q[r];
      end
    end
  end

  // ---- evaluation
  localparam [6:0] SOFTWARE = `TALLY_EVX_SOFTWARE, BUS = `TALLY_EVX_CYCLES_BUS;
  generate
    if (RETIRE_W == 1 && LINE_W == 1) begin : g_bits
      // Each term is one bit: it is chosen here, tally_pmu_combine_bits does the rest.
      reg [COMB_N*4-1:0] happens;
      integer            i, j;
`ifdef SYNTHESIS
      function [255:0] known;
        input   fn_unused;
        integer f;
        for (f = 0; f < 256; f = f + 1) known[f] = f < 128 && tally_event_known(f[7:0]);
      endfunction
      wire [COMB_N*4-1:0] chosen;
      always @* happens = chosen;
`else
      reg [6:0]          event_index;
      reg [COMB_N*4-1:0] of_retire, of_software, of_bus;
      always @* begin
        {i, j}      = 64'd0;
        event_index = 7'd0;
        happens     = {COMB_N * 4{1'b0}};
        of_retire   = {COMB_N * 4{1'b0}};
        of_software = {COMB_N * 4{1'b0}};
        of_bus      = {COMB_N * 4{1'b0}};
        for (i = 0; i < COMB_N; i = i + 1) begin
          if (on_q[i]) begin
            for (j = 0; j < 4; j = j + 1) begin
              event_index          = term_q[i][j*7 +: 7];
              happens[i*4 + j]     = event_index[6] ? cycle_event_i[event_index[5:0]]
                                                    : lane_event_i[event_index[5:0]];
              of_retire[i*4 + j]   = ~event_index[6];
              of_software[i*4 + j] = event_index == SOFTWARE;
              of_bus[i*4 + j]      = event_index == BUS;
            end
          end
        end
      end
`endif
      wire [COMB_N-1:0]       is_bits;
      wire [COMB_N*INC_W-1:0] count_bits;
      genvar k;
`ifdef SYNTHESIS
      genvar t;
`endif
      for (k = 0; k < COMB_N; k = k + 1) begin : g_counter
`ifdef SYNTHESIS
        wire [3:0] retire, software, bus;
        for (t = 0; t < 4; t = t + 1) begin : g_term
          wire [6:0] number = term_q[k][t*7 +: 7];
          assign retire[t]   = ~number[6];
          assign software[t] = number == SOFTWARE;
          assign bus[t]      = number == BUS;
          tally_mux256 #(.MASK(known(1'b0))) u_choose (
              .sel_i({1'b0, number}), .in_i({128'd0, cycle_event_i, lane_event_i}),
              .out_o(chosen[k*4 + t])
          );
        end
`else
        wire [3:0] retire   = of_retire[k*4 +: 4];
        wire [3:0] software = of_software[k*4 +: 4];
        wire [3:0] bus      = of_bus[k*4 +: 4];
`endif
        tally_pmu_combine_bits u_bits (
            .on_i(on_q[k]),
            .halted_i(halted_i),
            .still_i(still_i[k]),
            .retires_i(retires_i & (inside_i[0] | ~range_i[k])),
            .software_i(software_i),
            .retire_i(retire),
            .of_software_i(software),
            .of_bus_i(bus),
            .happens_i(happens[k*4 +: 4]),
            .table_i(table_q[k*5 +: 5]),
            .number_i(number_q[k]),
            .edge_i(edge_q[k]),
            .was_i(was_q[k]),
            .low_i(low_i[k*3 +: 3]),
            .brim_i(brim_i[k]),
            .is_o(is_bits[k]),
            .count_o(count_bits[k*INC_W +: INC_W]),
            .over_o(over_o[k])
        );
      end
      always @* {is, count_o} = {is_bits, count_bits};

    end else begin : g_counts
      assign over_o  = {COMB_N{1'b0}};
      wire unused_ok = &{1'b0, table_q, number_q, low_i, brim_i};
      localparam [1:0] OP_OR = 2'd0, OP_AND = 2'd1, OP_XOR = 2'd2;
      reg [3:0]              some, truth;      // a bit a term: there is one; it is true in the lane at hand
      reg                    happens;          // the term may, in this cycle
      reg [6:0]              event_index;
      reg [31:0]             bit_index;
      reg                    any_retire, outcome;
      reg [4*LINE_W-1:0]     counts;           // of cycle events
      reg [4*RETIRE_W-1:0]   has;              // of retire events
      reg [LINE_W-1:0]       count;
      reg [INC_W-1:0]        lanes, sum, result;
      integer                k, t, l, b;
      always @* begin
        {t, l, b}   = 96'd0;
        count_o     = {COMB_N * INC_W{1'b0}};
        is          = {COMB_N{1'b0}};
        some        = 4'd0;
        truth       = 4'd0;
        happens     = 1'b0;
        event_index = 7'd0;
        bit_index   = 32'd0;
        any_retire  = 1'b0;
        outcome     = 1'b0;
        counts      = {4 * LINE_W{1'b0}};
        has         = {4 * RETIRE_W{1'b0}};
        count       = {LINE_W{1'b0}};
        lanes       = {INC_W{1'b0}};
        sum         = {INC_W{1'b0}};
        result      = {INC_W{1'b0}};
        for (k = 0; k < COMB_N; k = k + 1) begin
          if (on_q[k]) begin
            any_retire = 1'b0;
            for (t = 0; t < 4; t = t + 1) begin
              event_index = term_q[k][t*7 +: 7];
              bit_index   = {26'd0, event_index[5:0]};
              some[t]     = event_index != 7'd0;
              happens     = (~halted_i | event_index == BUS) & (software_i | event_index != SOFTWARE);
              any_retire  = any_retire | some[t] & ~event_index[6];
              for (b = 0; b < LINE_W; b = b + 1)
                counts[t*LINE_W + b] = cycle_event_i[b*64 + bit_index] & event_index[6] & happens;
              for (l = 0; l < RETIRE_W; l = l + 1)
                has[l*4 + t] = lane_event_i[l*64 + bit_index] & ~event_index[6] & happens & retires_i
                             & (inside_i[l] | ~range_i[k]);
            end
            lanes = {INC_W{1'b0}};
            sum   = {INC_W{1'b0}};
            for (l = 0; l < RETIRE_W; l = l + 1) begin
              for (t = 0; t < 4; t = t + 1) begin
                count    = counts[t*LINE_W +: LINE_W];
                count[0] = count[0] | has[l*4 + t];
                truth[t] = |count;
                if (l == 0 || some[t] & ~term_q[k][t*7 + 6]) sum = sum + {{INC_W - LINE_W{1'b0}}, count};
              end
              case (op_q[k])
                OP_OR:   outcome = |truth;
                OP_AND:  outcome = &(truth | ~some) & |some;
                default: outcome = ^truth;
              endcase
              if (l == 0 || any_retire) lanes = lanes + {{INC_W - 1{1'b0}}, outcome};
            end
            result = op_q[k] <= OP_XOR ? lanes : sum;
            if (thr_q[k] != 8'd0)
              result = {{INC_W - 1{1'b0}}, ({{16 - INC_W{1'b0}}, result} >= {8'd0, thr_q[k]}) ^ inv_q[k]};
            is[k] = result != {INC_W{1'b0}};
            if (edge_q[k]) result = {{INC_W - 1{1'b0}}, is[k] & ~was_q[k]};
            count_o[k*INC_W +: INC_W] = result & {INC_W{~halted_i & ~still_i[k]}};
          end
        end
      end
    end
  endgenerate

  always @(posedge clk) was_q <= rst ? {COMB_N{1'b0}} : is;

`ifdef FORMAL
  // What is kept beside a selector is what it says.
  wire [COMB_N-1:0] kept_right;
  genvar f;
  generate
    for (f = 0; f < COMB_N; f = f + 1) begin : g_formal
      wire [27:0] terms = term_q[f];
      wire [4:0]  table_is;
      wire        number_is;
      tally_pmu_combine_table u_table (
          .some_i({|terms[27:21], |terms[20:14], |terms[13:7], |terms[6:0]}),
          .op_i(op_q[f]), .thr_i(thr_q[f]), .inv_i(inv_q[f]), .is_o(table_is), .number_o(number_is)
      );
      assign kept_right[f] = ~on_q[f] | (table_q[f*5 +: 5] == table_is && number_q[f] == number_is);
    end
  endgenerate
  always @* if (!rst) table_is_table: assert (&kept_right);

  // The state of one counter as software knows it, and what the edge remembers, for tests/formal.
  wire [4:0]  formal_index;
  wire [4:0]  formal_at    = formal_index - 5'd3;
  wire        formal_on    = formal_index >= 5'd3 && formal_at < COMB_N && on_q[formal_at];
  wire        formal_was   = formal_index >= 5'd3 && formal_at < COMB_N && was_q[formal_at];
  wire [27:0] formal_terms = term_q[formal_at];
  wire [55:0] formal_selector = !formal_on ? 56'd0 :
      {8'd0, thr_q[formal_at], inv_q[formal_at], edge_q[formal_at], op_q[formal_at],
       1'b0, formal_terms[27:21], 1'b0, formal_terms[20:14], COMBINED,
       1'b0, formal_terms[13:7], 1'b0, formal_terms[6:0]};
`endif
endmodule

`default_nettype wire
