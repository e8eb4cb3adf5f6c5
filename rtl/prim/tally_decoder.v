// SPDX-License-Identifier: Apache-2.0
// tally_pmu_onehot - bit i is 1 if index_i is i and en_i is 1; all bits are 1 while all_i is.
//
// Two levels of LUTs, the first of them shared by all 32 bits; the boundary keeps it so. With CSR_PIPELINE
// the index is decoded already.

`default_nettype none

(* keep_hierarchy *)
module tally_pmu_onehot #(
    parameter N = 1,                // enables: that many answers
    parameter [0:0] CSR_PIPELINE = 1'b0
) (
    input  wire [4:0]      index_i,
    input  wire [31:0]     hot_i,       // the index, a bit each: CSR_PIPELINE
    input  wire [N-1:0]    en_i,
    input  wire            all_i,
    output wire [32*N-1:0] hit_o       // 32 bits for each enable
);
  genvar k;
  generate
    if (CSR_PIPELINE) begin : g_pipelined
      for (k = 0; k < N; k = k + 1) begin : g_enable
        assign hit_o[k*32 +: 32] = hot_i & {32{en_i[k]}} | {32{all_i}};
      end
      wire unused_ok = &{1'b0, index_i};
    end else begin : g_index
`ifdef SYNTHESIS
      wire [7:0] column = 8'd1 << index_i[2:0] | {8{all_i}};
      for (k = 0; k < N; k = k + 1) begin : g_enable
        genvar i;
        wire [3:0] row = {3'd0, en_i[k]} << index_i[4:3] | {4{all_i}};
        for (i = 0; i < 32; i = i + 1) begin : g_bit
          assign hit_o[k*32 + i] = row[i / 8] & column[i % 8];
        end
      end
`else
      for (k = 0; k < N; k = k + 1) begin : g_enable
        assign hit_o[k*32 +: 32] = {31'd0, en_i[k]} << index_i | {32{all_i}};
      end
`endif
      wire unused_ok = &{1'b0, hot_i};
    end
  endgenerate
endmodule

`default_nettype wire
