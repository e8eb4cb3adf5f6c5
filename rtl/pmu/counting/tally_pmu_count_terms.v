// SPDX-License-Identifier: Apache-2.0
// tally_pmu_count_terms - tally_pmu_count_stop and tally_pmu_count_gate for a fast clock: the enable of a
// counter as three terms of one level of LUTs each.
//
// A counter counts its event while class_active_o is 1 and the other two are 0. The overflow logic combines
// the terms with the counter's state in one more level; after tally_pmu_count_gate it would be the third.
//
// Combinational.

`default_nettype none

(* keep_hierarchy *)
module tally_pmu_count_terms #(
    parameter [31:0] MASK = 32'hFFFF_FFFF,
    parameter [0:0] HYP   = 1'b0,
    parameter [0:0] RANGE = 1'b0        // range_i is used
) (
    input  wire [1:0]  mode_i,          // tally_pmu_count_stop
    input  wire        user_i,
    input  wire        v_i,
    input  wire [31:0] inhibit_i,
    input  wire [31:0] minh_i,
    input  wire [31:0] sinh_i,
    input  wire [31:0] uinh_i,
    input  wire [31:0] vsinh_i,
    input  wire [31:0] vuinh_i,
    input  wire [31:0] class_high_i,    // tally_pmu_count_gate
    input  wire [31:0] class_low_i,
    input  wire [31:0] range_i,
    input  wire        running_i,
    input  wire        retires_i,
    input  wire        in_range_i,
    input  wire        software_i,
    output wire [31:0] stop_priv_o,     // filtered in M-, S- or VS-mode, or debug mode
    output wire [31:0] stop_user_o,     // inhibited, or filtered in U- or VU-mode
    output wire [31:0] class_active_o   // the class of its event is active
);
  wire [31:0] s = HYP && v_i ? vsinh_i : sinh_i;
  wire [31:0] u = HYP && v_i ? vuinh_i : uinh_i;
  wire [31:0] retires = RANGE ? range_i & {32{in_range_i}} | ~range_i & {32{retires_i}} : {32{retires_i}};
  assign stop_priv_o = MASK & (mode_i == 2'd3 ? 32'hFFFF_FFFF : mode_i == 2'd2 ? s
                               : mode_i == 2'd1 ? minh_i : 32'd0);
  assign stop_user_o = MASK & (inhibit_i | u & {32{user_i}});
  assign class_active_o = MASK & (class_high_i & (class_low_i | {32{software_i}})
                                  | ~class_high_i & (class_low_i & retires | ~class_low_i & {32{running_i}}));
endmodule

`default_nettype wire
