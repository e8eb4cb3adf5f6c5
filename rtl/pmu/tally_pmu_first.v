// tally_pmu_first - a counter wraps whose overflow flag is 0.
//
// Two counters a LUT; the boundary keeps it so.

`default_nettype none

(* keep_hierarchy *)
module tally_pmu_first (
    input  wire [31:0] wrap_i,
    input  wire [31:0] of_i,     // those flags, and what else forbids the request
    output wire        first_o
);
  assign first_o = |(wrap_i & ~of_i);
endmodule

`default_nettype wire
