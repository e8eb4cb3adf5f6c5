// tally_pmu_readout - what an access reads of counters, time and vectors, in the view's bits.
//
// The r_ inputs say which, at most one of them is 1. Five LUTs for a bit of the lower half, one for one of
// the upper half; the boundary keeps the mapper from trading LUTs for the last bit of depth.

`default_nettype none

(* keep_hierarchy *)
module tally_pmu_readout #(
    parameter [0:0] MASKED = 1'b0,       // see_i matters
    parameter [0:0] STAGED = 1'b0        // without the counters: they join later (tally_pmu_late)
) (
    input  wire        r_count_i,
    input  wire        r_time_i,
    input  wire        r_inhibit_i,
    input  wire        r_flags_i,
    input  wire        r_mcounteren_i,
    input  wire        r_scounteren_i,
    input  wire [63:0] count_i,
    input  wire [63:0] time_i,
    input  wire [31:0] inhibit_i,
    input  wire [31:0] flags_i,
    input  wire [31:0] mcounteren_i,
    input  wire [31:0] scounteren_i,
    input  wire [31:0] other_i,       // one of the other vectors, or 0
    input  wire        enabled_i,     // only what mcounteren has
    input  wire [31:0] see_i,         // only that
    output wire [31:0] vector_o,      // the vector as it is behind the view
    output wire [63:0] data_o
);
  assign vector_o = inhibit_i & {32{r_inhibit_i}} | flags_i & {32{r_flags_i}}
                  | mcounteren_i & {32{r_mcounteren_i}} | scounteren_i & {32{r_scounteren_i}} | other_i;
  assign data_o   = (STAGED ? 64'd0 : count_i & {64{r_count_i}}) | time_i & {64{r_time_i}}
                  | {32'd0, vector_o & (mcounteren_i | {32{~enabled_i}}) & (MASKED ? see_i : 32'hFFFF_FFFF)};
endmodule

`default_nettype wire
