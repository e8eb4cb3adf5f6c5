// tally_pmu_onehot - bit i is 1 if index_i is i and en_i is 1; all bits are 1 while all_i is.
//
// Two levels of LUTs, the first of them shared by all 32 bits; the boundary keeps it so. With STAGED the
// index is decoded already.

`default_nettype none

(* keep_hierarchy *)
module tally_pmu_onehot #(
    parameter [0:0] STAGED = 1'b0
) (
    input  wire [4:0]  index_i,
    input  wire [31:0] hot_i,       // the index, a bit each: STAGED
    input  wire        en_i,
    input  wire        all_i,
    output wire [31:0] hit_o
);
  generate
    if (STAGED) begin : g_staged
      assign hit_o   = hot_i & {32{en_i}} | {32{all_i}};
      wire unused_ok = &{1'b0, index_i};
    end else begin : g_index
`ifdef SYNTHESIS
      wire [7:0] column = 8'd1 << index_i[2:0] | {8{all_i}};
      wire [3:0] row    = {3'd0, en_i} << index_i[4:3] | {4{all_i}};
      genvar i;
      for (i = 0; i < 32; i = i + 1) begin : g_bit
        assign hit_o[i] = row[i / 8] & column[i % 8];
      end
`else
      assign hit_o = {31'd0, en_i} << index_i | {32{all_i}};
`endif
      wire unused_ok = &{1'b0, hot_i};
    end
  endgenerate
endmodule

`default_nettype wire
