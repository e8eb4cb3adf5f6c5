// tally_pmu_counters - the counters: value, increment, wrap.
//
// Counter 0 is mcycle, 2 minstret, 3.. the programmable ones; all of them are one loop. A counter takes its
// events at the clock edge; what is read is the value before (Unprivileged ISA, Zicsr; facts section 13). An
// explicit write replaces the increment of its cycle, and so cannot wrap the counter.
//
// What comes late in a cycle, the increment, has little left to do. It meets only the INC_W low bits of a
// counter. The bits above count by one or stand: their sum, its carry out included, follows from registers.
// So the way from an event to the next value ends in a clock enable, the one to the wrap in a gate.
//
// Cost: a bit of a counter is one 4-input LUT on its carry chain, which the load shares, and its share of the
// read multiplexer.

`default_nettype none

module tally_pmu_counters #(
    parameter HPM_N = 29,
    parameter HPM_W = 64,
    parameter INC_W = 1  // bits of the largest increment
) (
    input  wire                 clk,
    input  wire                 rst,

    input  wire [INC_W*32-1:0]  inc_i,         // counter i counts by inc_i[i*INC_W +: INC_W]
    output reg  [31:0]          wrap_o,        // is incremented past the end of its width at this clock edge
    // as they stand: the three lowest bits of each, and whether all others are ones
    output reg  [32*3-1:0]      low_o,
    output reg  [31:0]          near_o,

    // access: one counter a cycle
    input  wire [4:0]           index_i,
    output wire [63:0]          count_o,       // of a counter that is there
    input  wire                 count_we_i,
    input  wire [63:0]          count_i
);
  localparam [31:0] HPM     = ((32'd1 << HPM_N) - 32'd1) << 3;
  localparam [31:0] PRESENT = HPM | 32'h5;
  localparam [63:0] WIDTH   = 64'hFFFF_FFFF_FFFF_FFFF >> (64 - HPM_W);
  // The bits above the low ones, and those of them that programmable counters have.
  localparam            HIGH     = 64 - INC_W;
  localparam            SHORT    = HPM_W <= INC_W;  // none
  localparam [HIGH-1:0] HPM_HIGH = WIDTH[63:INC_W];

  (* mem2reg *) reg [INC_W-1:0] low_q [0:31];
  (* mem2reg *) reg [HIGH-1:0]  high_q [0:31];

  // ---- read
`ifdef SYNTHESIS
  genvar c, k;
  generate
    for (c = 0; c < 64; c = c + 1) begin : g_column
      wire [31:0] column;
      for (k = 0; k < 32; k = k + 1) begin : g_counter
        wire [63:0] count = {high_q[k], low_q[k]};
        assign column[k] = count[c];
      end
      tally_pmu_bit #(.THERE(PRESENT)) u_read (.index_i(index_i), .vector_i(column), .bit_o(count_o[c]));
    end
  endgenerate
`else
  assign count_o = {high_q[index_i], low_q[index_i]};
`endif

  // ---- increment
  wire [31:0] load;      // all of them in reset
  tally_pmu_onehot u_load (.index_i(index_i), .en_i(count_we_i), .all_i(rst), .hit_o(load));

  (* mem2reg *) reg [INC_W:0] low_d [0:31];
  (* mem2reg *) reg [HIGH:0]  high_d [0:31];
  reg [31:0] carry;      // the low bits hand one to the high ones
  reg        last;       // the high bits are all ones
  integer    i;
  always @* begin
    for (i = 0; i < 32; i = i + 1) begin
      low_d[i]  = {1'b0, low_q[i]} + {1'b0, inc_i[i*INC_W +: INC_W]};
      high_d[i] = {1'b0, high_q[i]} + 1'b1;
      carry[i]  = low_d[i][INC_W];
`ifdef SYNTHESIS
      last      = i < 3 ? high_d[i][HIGH] : high_d[i][SHORT ? 0 : HPM_W - INC_W];  // the end of the carry
`else
      last      = i < 3 ? &high_q[i] : &(high_q[i] | ~HPM_HIGH);
`endif
      wrap_o[i] = PRESENT[i] & ~load[i]
                & (i >= 3 && SHORT ? |(low_d[i] & ~WIDTH[INC_W:0]) : carry[i] & last);
    end
  end

  // ---- how near to the wrap
  localparam [63:0] LOW = 64'd7;
  reg  [63:0] whole;
  integer     n;
  always @* begin
    for (n = 0; n < 32; n = n + 1) begin
      whole           = {high_q[n], low_q[n]};
      low_o[n*3 +: 3] = whole[2:0];
      near_o[n]       = &(whole | ~WIDTH | LOW);
    end
  end

  // ---- state
  wire [63:0] load_value = count_i & {64{~rst}};
  integer     r;
  always @(posedge clk) begin
    for (r = 0; r < 32; r = r + 1) begin
      if (!PRESENT[r]) begin
        low_q[r]  <= {INC_W{1'b0}};
        high_q[r] <= {HIGH{1'b0}};
      end else begin
        low_q[r] <= (load[r] ? load_value[INC_W-1:0] : low_d[r][INC_W-1:0])
                  & (r < 3 ? {INC_W{1'b1}} : WIDTH[INC_W-1:0]);
        if (load[r] | carry[r])
          high_q[r] <= (load[r] ? load_value[63:INC_W] : high_d[r][HIGH-1:0])
                     & (r < 3 ? {HIGH{1'b1}} : HPM_HIGH);
      end
    end
  end

`ifdef FORMAL
  // The state of one counter as software knows it, for tests/formal.
  wire [4:0]  formal_index;
  wire [63:0] formal_count = {high_q[formal_index], low_q[formal_index]};
`endif
endmodule

`default_nettype wire
