// SPDX-License-Identifier: Apache-2.0
// tally_pmu_count_stop - the counters that do not count in the current mode: inhibited, filtered (Sscofpmf
// 1.1; Smcntrpmf 1.0), or all of them in debug mode.
//
// One bit per counter. Without V=1 two 4-input LUTs each; the kept boundary preserves this.
//
// Combinational.

`default_nettype none

(* keep_hierarchy *)
module tally_pmu_count_stop #(
    parameter [31:0] MASK = 32'hFFFF_FFFF,   // counters for which the output is used
    parameter [0:0] HYP = 1'b0
) (
    input  wire [1:0]  mode_i,      // 0 user, 1 machine, 2 supervisor, 3 debug: none counts
    input  wire        user_i,      // mode_i is 0
    input  wire        v_i,
    input  wire [31:0] inhibit_i,
    input  wire [31:0] minh_i,
    input  wire [31:0] sinh_i,
    input  wire [31:0] uinh_i,
    input  wire [31:0] vsinh_i,
    input  wire [31:0] vuinh_i,
    output wire [31:0] stop_o
);
  wire [31:0] s = HYP && v_i ? vsinh_i : sinh_i;
  wire [31:0] u = HYP && v_i ? vuinh_i : uinh_i;
  wire [31:0] privileged = mode_i == 2'd3 ? 32'hFFFF_FFFF : mode_i == 2'd2 ? s
                         : mode_i == 2'd1 ? minh_i : 32'd0;
  assign stop_o = (privileged | inhibit_i | u & {32{user_i}}) & MASK;
endmodule

`default_nettype wire
