// SPDX-License-Identifier: Apache-2.0
// tally_pmu_control - registers of a bit a counter: enables, inhibits, mode filters (privileged manual,
// Hardware Performance Monitor; Sscofpmf 1.1; Smcntrpmf 1.0; AndeStar V5 PMU).
//
// Every register is a vector with bit i for counter i, so that a filter is one operation for all counters.
// The CSRs that show them in another layout are decoding (tally_pmu_access_data). A write takes effect from
// the next clock.

`include "tally_idle.vh"

`default_nettype none

module tally_pmu_control #(
    parameter HPM_N     = 29,
    parameter [0:0] SSCOFPMF  = 1'b1,
    parameter [0:0] SMCNTRPMF = 1'b1,
    parameter [0:0] HYP       = 1'b0,
    parameter [0:0] ANDES     = 1'b0,
    parameter [0:0] CSR_PIPELINE = 1'b0
) (
    input  wire        clk,
    input  wire        rst,

    // state
    output reg  [31:0] mcounteren_o,
    output reg  [31:0] scounteren_o,
    output reg  [31:0] inhibit_o,
    output reg  [31:0] wen_o,
    output reg  [31:0] inten_o,
    output reg  [31:0] minh_o,
    output reg  [31:0] sinh_o,
    output reg  [31:0] uinh_o,
    output reg  [31:0] vsinh_o,
    output reg  [31:0] vuinh_o,

    // writes of a whole vector
    input  wire        mcounteren_we_i,
    input  wire        scounteren_we_i,
    input  wire        inhibit_we_i,
    input  wire        wen_we_i,
    input  wire        inten_we_i,
    input  wire        minh_we_i,
    input  wire        sinh_we_i,
    input  wire        uinh_we_i,
    input  wire [31:0] vector_i,
    // the bits of vector_i that the access writes; the others are the old value
    input  wire [31:0] vector_mask_i,
    // writes of one counter's bits
    input  wire [4:0]  index_i,
    input  wire [31:0] hot_i,           // CSR_PIPELINE: index_i decoded, from registers
    input  wire [31:0] filter_we_i,     // counter i's filter is written; all in reset
    input  wire [4:0]  filter_i,        // MINH, SINH, UINH, VSINH, VUINH
    output wire [4:0]  filter_o
);
  localparam [31:0] HPM      = ((32'd1 << HPM_N) - 32'd1) << 3;
  localparam [31:0] FIXED    = 32'h5;
  localparam [31:0] ENABLES  = HPM | 32'h7;
  localparam [31:0] INHIBITS = HPM | FIXED;
  localparam [31:0] FILTERS  = (SSCOFPMF || ANDES ? HPM : 32'd0) | (SMCNTRPMF || ANDES ? FIXED : 32'd0);
  localparam [31:0] VFILTERS = HYP ? FILTERS : 32'd0;
  localparam [31:0] ANDES_M  = ANDES ? INHIBITS : 32'd0;

  // ---- mode filters: read
  tally_mux32 #(.MASK(FILTERS), .ONE_HOT(CSR_PIPELINE)) u_minh (
      .sel_i(index_i), .hot_i(hot_i), .in_i(minh_o), .out_o(filter_o[4])
  );
  tally_mux32 #(.MASK(FILTERS), .ONE_HOT(CSR_PIPELINE)) u_sinh (
      .sel_i(index_i), .hot_i(hot_i), .in_i(sinh_o), .out_o(filter_o[3])
  );
  tally_mux32 #(.MASK(FILTERS), .ONE_HOT(CSR_PIPELINE)) u_uinh (
      .sel_i(index_i), .hot_i(hot_i), .in_i(uinh_o), .out_o(filter_o[2])
  );
  tally_mux32 #(.MASK(VFILTERS), .ONE_HOT(CSR_PIPELINE)) u_vsinh (
      .sel_i(index_i), .hot_i(hot_i), .in_i(vsinh_o), .out_o(filter_o[1])
  );
  tally_mux32 #(.MASK(VFILTERS), .ONE_HOT(CSR_PIPELINE)) u_vuinh (
      .sel_i(index_i), .hot_i(hot_i), .in_i(vuinh_o), .out_o(filter_o[0])
  );

  // ---- whole vectors
  always @(posedge clk) begin
    if (rst) begin
      mcounteren_o <= 32'd0;
      scounteren_o <= 32'd0;
      inhibit_o    <= 32'd0;
      wen_o        <= 32'd0;
      inten_o      <= 32'd0;
    end else begin
      if (mcounteren_we_i) mcounteren_o <= vector_i & ENABLES;
      if (scounteren_we_i) scounteren_o <= vector_i & ENABLES;
      if (inhibit_we_i)    inhibit_o    <= vector_i & INHIBITS;
      if (wen_we_i)        wen_o        <= vector_i & ANDES_M;
      if (inten_we_i)      inten_o      <= vector_i & ANDES_M;
    end
  end

  // ---- mode filters: written one counter at a time, or by the Andes masks one mode at a time
  wire [4:0] filter = filter_i & {5{~rst}};
  generate
    if (ANDES) begin : g_masks
      // In the Andes masks S includes VS, and U includes VU.
      wire [31:0] one     = filter_we_i;   // all of them in reset
      wire [31:0] vs_mask = vector_mask_i & {32{sinh_we_i}};
      wire [31:0] vu_mask = vector_mask_i & {32{uinh_we_i}};
      always @(posedge clk) begin
        minh_o  <= ((minh_we_i ? vector_i : minh_o) & ~one | {32{filter[4]}} & one) & FILTERS;
        sinh_o  <= ((sinh_we_i ? vector_i : sinh_o) & ~one | {32{filter[3]}} & one) & FILTERS;
        uinh_o  <= ((uinh_we_i ? vector_i : uinh_o) & ~one | {32{filter[2]}} & one) & FILTERS;
        vsinh_o <= ((vector_i & vs_mask | vsinh_o & ~vs_mask) & ~one | {32{filter[1]}} & one) & VFILTERS;
        vuinh_o <= ((vector_i & vu_mask | vuinh_o & ~vu_mask) & ~one | {32{filter[0]}} & one) & VFILTERS;
      end
    end else begin : g_one
      // Each counter's filter is a register of its own, with its enable.
      integer f;
      always @(posedge clk)
        if (`TALLY_ACTIVE(|filter_we_i))
          for (f = 0; f < 32; f = f + 1)
            if (filter_we_i[f]) begin
              {minh_o[f], sinh_o[f], uinh_o[f]} <= filter[4:2] & {3{FILTERS[f]}};
              {vsinh_o[f], vuinh_o[f]}          <= filter[1:0] & {2{VFILTERS[f]}};
            end
      wire unused_ok = &{1'b0, minh_we_i, sinh_we_i, uinh_we_i, vector_mask_i};
    end
  endgenerate
endmodule

`default_nettype wire
