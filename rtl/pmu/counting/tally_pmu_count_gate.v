// SPDX-License-Identifier: Apache-2.0
// tally_pmu_count_gate - the counters that count their event in this cycle: its class happens, and they are
// not stopped (tally_pmu_count_stop).
//
// One bit per counter. Without ranges two 4-input LUTs each; the kept boundary preserves this.
//
// Combinational.

`default_nettype none

(* keep_hierarchy *)
module tally_pmu_count_gate #(
    parameter [0:0] RANGE = 1'b0        // range_i is used
) (
    input  wire [31:0] class_high_i,    // of counter i's event: 0 running, 1 retires, 2 software, 3 always
    input  wire [31:0] class_low_i,
    input  wire [31:0] stop_i,
    input  wire [31:0] range_i,         // class retires: only in_range_i
    input  wire        running_i,
    input  wire        retires_i,
    input  wire        in_range_i,
    input  wire        software_i,
    output wire [31:0] enable_o
);
  wire [31:0] retires = RANGE ? range_i & {32{in_range_i}} | ~range_i & {32{retires_i}} : {32{retires_i}};
  // For the classes software and always the first LUT passes the lower bit on to the second.
  wire [31:0] first = class_high_i & class_low_i
                    | ~class_high_i & (class_low_i & retires | ~class_low_i & {32{running_i}});
  assign enable_o = ~stop_i & (first | class_high_i & {32{software_i}});
endmodule

`default_nettype wire
