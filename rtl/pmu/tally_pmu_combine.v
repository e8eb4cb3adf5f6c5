// tally_pmu_combine - selectors that put up to four events together, with threshold and edge (docs/pmu.md).
//
// Counters 3 .. 3+COMB_N-1 have one each. Here are their registers, layout, legality and evaluation; the
// counter itself only adds what count_o says (0 unless its selector is a combination). A selector that this
// module does not take (any other type, an index that is no event) leaves it at no combination.
//
// Whether an instruction retires (with one lane) and whether software raises its event is known late in a
// cycle: in hardware the result is made for each of the four cases, and chosen last.
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

    input  wire                    halted_i,       // the core clock is: no combination counts
    input  wire [RETIRE_W*64-1:0]  lane_event_i,   // tally_pmu_events: one lane: of what retires if it does
    input  wire [LINE_W*64-1:0]    cycle_event_i,  // ... software's in every cycle
    input  wire                    retires_i,      // ... it does; more lanes: 1
    input  wire                    software_i,     // software raises its event
    input  wire [RETIRE_W-1:0]     inside_i,       // the lane's pc lies in the range ...
    input  wire [COMB_N-1:0]       range_i,        // ... which matters to this counter
    output reg  [COMB_N*INC_W-1:0] count_o,

    // access: the whole selector of one counter; 0 if that is no combination
    input  wire [4:0]              index_i,
    input  wire                    we_i,
    input  wire [55:0]             selector_i,
    output reg  [55:0]             selector_o
);
  `include "tally_event_fn.vh"

  localparam [3:0] COMBINED = `TALLY_SEL_TYPE_IS_COMBINED;
  localparam [1:0] OP_OR = 2'd0, OP_AND = 2'd1, OP_XOR = 2'd2;

  // ---- registers, field by field
  reg [COMB_N-1:0]         on_q;             // the selector is a combination
  (* mem2reg *) reg [27:0] term_q [0:COMB_N-1];  // four indices of seven bits, A in the low ones
  (* mem2reg *) reg [1:0]  op_q [0:COMB_N-1];
  (* mem2reg *) reg [7:0]  thr_q [0:COMB_N-1];
  reg [COMB_N-1:0]         edge_q, inv_q;
  reg [COMB_N-1:0]         was_q, is;        // the result is not 0: in the cycle before, now

  // ---- write and read
  wire [7:0] new_a = selector_i[`TALLY_SEL_COMB_A_MSB:`TALLY_SEL_COMB_A_LSB];
  wire [7:0] new_b = selector_i[`TALLY_SEL_COMB_B_MSB:`TALLY_SEL_COMB_B_LSB];
  wire [7:0] new_c = selector_i[`TALLY_SEL_COMB_C_MSB:`TALLY_SEL_COMB_C_LSB];
  wire [7:0] new_d = selector_i[`TALLY_SEL_COMB_D_MSB:`TALLY_SEL_COMB_D_LSB];

  function allowed;
    input [7:0] fn_index;
    allowed = fn_index == 8'd0 || tally_event_known(fn_index);
  endfunction

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
      end
    end else if (we_i) begin
      for (w = 0; w < COMB_N; w = w + 1) begin
        if (index_i == w[4:0] + 5'd3) begin
          on_q[w]   <= selector_i[`TALLY_SEL_TYPE_MSB:`TALLY_SEL_TYPE_LSB] == COMBINED &&
                       selector_i[55:`TALLY_SEL_COMB_THR_MSB+1] == 8'd0 &&
                       allowed(new_a) && allowed(new_b) && allowed(new_c) && allowed(new_d);
          term_q[w] <= {new_d[6:0], new_c[6:0], new_b[6:0], new_a[6:0]};
          op_q[w]   <= selector_i[`TALLY_SEL_COMB_OP_MSB:`TALLY_SEL_COMB_OP_LSB];
          edge_q[w] <= selector_i[`TALLY_SEL_COMB_EDGE_LSB];
          inv_q[w]  <= selector_i[`TALLY_SEL_COMB_INV_LSB];
          thr_q[w]  <= selector_i[`TALLY_SEL_COMB_THR_MSB:`TALLY_SEL_COMB_THR_LSB];
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
  localparam       CASES = 4;
  localparam [6:0] SOFTWARE = `TALLY_EVX_SOFTWARE;
  wire [1:0] now = {software_i, retires_i};
`ifdef SYNTHESIS
  localparam [0:0] ALL = 1'b1;
`else
  localparam [0:0] ALL = 1'b0;   // a simulator makes the one result that it needs
`endif

  reg [3:0]              some, truth;      // a bit a term: there is one; it is true in the lane at hand
  reg [3:0]              software;         // ... it is software's event
  reg [6:0]              event_index;
  reg [31:0]             bit_index;
  reg                    any_retire, outcome;
  reg [4*LINE_W-1:0]     counts;           // of cycle events
  reg [4*RETIRE_W-1:0]   has;              // of retire events
  reg [LINE_W-1:0]       count;
  reg [INC_W-1:0]        lanes, sum, result;
  reg [CASES-1:0]        case_is;
  reg [CASES*INC_W-1:0]  case_count;
  integer                k, t, l, b, c;
  always @* begin
    {t, l, b, c} = 128'd0;
    count_o     = {COMB_N * INC_W{1'b0}};
    is          = {COMB_N{1'b0}};
    some        = 4'd0;
    truth       = 4'd0;
    software    = 4'd0;
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
    case_is     = {CASES{1'b0}};
    case_count  = {CASES * INC_W{1'b0}};
    for (k = 0; k < COMB_N; k = k + 1) begin
      if (on_q[k]) begin
        any_retire = 1'b0;
        for (t = 0; t < 4; t = t + 1) begin
          event_index = term_q[k][t*7 +: 7];
          bit_index   = {26'd0, event_index[5:0]};
          some[t]     = event_index != 7'd0;
          software[t] = event_index == SOFTWARE;
          any_retire  = any_retire | some[t] & ~event_index[6];
          for (b = 0; b < LINE_W; b = b + 1)
            counts[t*LINE_W + b] = cycle_event_i[b*64 + bit_index] & event_index[6];
          for (l = 0; l < RETIRE_W; l = l + 1)
            has[l*4 + t] = lane_event_i[l*64 + bit_index] & ~event_index[6] & (inside_i[l] | ~range_i[k]);
        end
        for (c = 0; c < CASES; c = c + 1) begin
          if (ALL || now == c[1:0]) begin
            lanes = {INC_W{1'b0}};
            sum   = {INC_W{1'b0}};
            for (l = 0; l < RETIRE_W; l = l + 1) begin
              for (t = 0; t < 4; t = t + 1) begin
                count    = counts[t*LINE_W +: LINE_W] & {LINE_W{c >= 2 || !software[t]}};
                count[0] = count[0] | has[l*4 + t] & (c % 2 != 0);
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
            case_is[c] = result != {INC_W{1'b0}};
            if (edge_q[k]) result = {{INC_W - 1{1'b0}}, case_is[c] & ~was_q[k]};
            case_count[c*INC_W +: INC_W] = result & {INC_W{~halted_i}};
          end
        end
        is[k]                      = case_is[now];
        count_o[k*INC_W +: INC_W]  = case_count[now*INC_W +: INC_W];
      end
    end
  end

  always @(posedge clk) was_q <= rst ? {COMB_N{1'b0}} : is;

`ifdef FORMAL
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
