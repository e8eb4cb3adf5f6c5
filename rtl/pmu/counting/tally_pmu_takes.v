// SPDX-License-Identifier: Apache-2.0
// tally_pmu_takes - tally_pmu_stop and tally_pmu_run for a fast clock: what keeps a counter from taking what
// it has chosen in this cycle, in three parts of one level of LUTs each.
//
// A bit a counter: it takes it while gate_o is 1 and the other two are 0. What is built upon that, and upon
// the state of the counter, is one level more; behind tally_pmu_run it would be three.

`default_nettype none

(* keep_hierarchy *)
module tally_pmu_takes #(
    parameter [31:0] MASK = 32'hFFFF_FFFF,
    parameter [0:0] HYP   = 1'b0,
    parameter [0:0] LIMIT = 1'b0        // limit_i matters
) (
    input  wire [1:0]  mode_i,          // as tally_pmu_stop has them
    input  wire        user_i,
    input  wire        v_i,
    input  wire [31:0] inhibit_i,
    input  wire [31:0] minh_i,
    input  wire [31:0] sinh_i,
    input  wire [31:0] uinh_i,
    input  wire [31:0] vsinh_i,
    input  wire [31:0] vuinh_i,
    input  wire [31:0] high_i,          // as tally_pmu_run has them
    input  wire [31:0] low_i,
    input  wire [31:0] limit_i,
    input  wire        running_i,
    input  wire        retires_i,
    input  wire        in_range_i,
    input  wire        software_i,
    output wire [31:0] privileged_o,    // filtered in M-, S- or VS-mode, or all of them
    output wire [31:0] idle_o,          // inhibited, or filtered in U- or VU-mode
    output wire [31:0] gate_o
);
  wire [31:0] s = HYP && v_i ? vsinh_i : sinh_i;
  wire [31:0] u = HYP && v_i ? vuinh_i : uinh_i;
  wire [31:0] retires = LIMIT ? limit_i & {32{in_range_i}} | ~limit_i & {32{retires_i}} : {32{retires_i}};
  assign privileged_o = MASK & (mode_i == 2'd3 ? 32'hFFFF_FFFF : mode_i == 2'd2 ? s
                                 : mode_i == 2'd1 ? minh_i : 32'd0);
  assign idle_o       = MASK & (inhibit_i | u & {32{user_i}});
  assign gate_o       = MASK & (high_i & (low_i | {32{software_i}})
                                 | ~high_i & (low_i & retires | ~low_i & {32{running_i}}));
endmodule

`default_nettype wire
