// tally_pmu_counters - the counters: value, increment, wrap.
//
// Counter 0 is mcycle, 2 minstret, 3.. the programmable ones; all of them are one loop. A counter takes its
// events at the clock edge; what is read is the value before (Unprivileged ISA, Zicsr; facts section 13). An
// explicit write replaces the increment of its cycle, and so cannot wrap the counter.
//
// Cost: a bit of a counter is one 4-input LUT on its carry chain, because the load shares the adder's free
// operand: while a counter is loaded, its operand is all ones, the sum is garbage, and nobody looks at it.
// (Which counter is loaded comes over a boundary that the mapper keeps, so it cannot undo that.) And it is
// its share of the read multiplexer.

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
  // A sum of two numbers shows its carry in its top bit if one of them is less than half of the range.
  localparam        TOP_BIT_TELLS = HPM_W > INC_W;

  (* mem2reg *) reg [63:0] count_q [0:31];
  (* mem2reg *) reg [63:0] count_d [0:31];

  // ---- read
`ifdef SYNTHESIS
  genvar c, k;
  generate
    for (c = 0; c < 64; c = c + 1) begin : g_column
      wire [31:0] column;
      for (k = 0; k < 32; k = k + 1) begin : g_counter
        wire [63:0] count = count_q[k];
        assign column[k] = count[c];
      end
      tally_pmu_bit #(.THERE(PRESENT)) u_read (.index_i(index_i), .vector_i(column), .bit_o(count_o[c]));
    end
  endgenerate
`else
  assign count_o = count_q[index_i];
`endif

  // ---- next value of every counter
  wire [31:0] load;
  tally_pmu_onehot u_load (.index_i(index_i), .en_i(count_we_i), .all_i(1'b0), .hit_o(load));

  reg [INC_W-1:0] inc;
  reg [63:0]      sum, mask;
  integer         i;
  always @* begin
    for (i = 0; i < 32; i = i + 1) begin
      inc  = inc_i[i*INC_W +: INC_W];
      mask = i < 3 ? 64'hFFFF_FFFF_FFFF_FFFF : WIDTH;
      sum  = count_q[i] + {{64 - INC_W{load[i]}}, inc};
      if (!PRESENT[i]) begin
        count_d[i] = 64'd0;
        wrap_o[i]  = 1'b0;
      end else begin
        count_d[i] = (load[i] ? count_i : sum) & mask;
        if (i < 3)
          wrap_o[i] = count_q[i][63] & ~sum[63] & ~load[i];
        else if (TOP_BIT_TELLS)
          wrap_o[i] = count_q[i][HPM_W-1] & ~sum[HPM_W-1] & ~load[i];
        else
          wrap_o[i] = |(sum & ~WIDTH) & ~load[i];
      end
    end
  end

  // ---- how near to the wrap
  localparam [63:0] LOW = 64'd7;
  integer n;
  always @* begin
    for (n = 0; n < 32; n = n + 1) begin
      low_o[n*3 +: 3] = count_q[n][2:0];
      near_o[n]       = &(count_q[n] | ~WIDTH | LOW);
    end
  end

  integer r;
  always @(posedge clk) begin
    for (r = 0; r < 32; r = r + 1) count_q[r] <= rst ? 64'd0 : count_d[r];
  end

`ifdef FORMAL
  // The state of one counter as software knows it, for tests/formal.
  wire [4:0]  formal_index;
  wire [63:0] formal_count = count_q[formal_index];
`endif
endmodule

`default_nettype wire
