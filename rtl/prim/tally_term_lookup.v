// SPDX-License-Identifier: Apache-2.0
// tally_term_lookup - the number of four terms that are true, and the entry of three tables for that number.
//
// in_i and valid_i are late-arriving: they meet in one LUT a term, and then select from the tables, which are
// early. The boundary preserves this: the mapper does not know the arrival times.
//
// Combinational.

`default_nettype none

(* keep_hierarchy *)
module tally_term_lookup (
    input  wire [3:0] in_i,
    input  wire       valid_i,
    input  wire [3:0] with_i,          // in_i[n] is a term with valid_i=1
    input  wire [3:0] without_i,       // ... with valid_i=0
    // for 0 to 4 true terms
    input  wire [4:0] nonzero_i,
    input  wire [4:0] one_i,           // the low bit of count_o
    input  wire [4:0] carry_out_i,
    input  wire       sum_i,           // count_o is the number itself
    output wire       nonzero_o,
    output wire [2:0] count_o,
    output wire       carry_out_o
);
  wire [3:0] true = in_i & (valid_i ? with_i : without_i);

  // A table by number of terms becomes one by the terms themselves.
  function [15:0] by_terms;
    input [4:0] fn_table;
    integer     f;
    reg [3:0]   terms;
    for (f = 0; f < 16; f = f + 1) begin
      terms       = f[3:0];
      by_terms[f] = fn_table[{2'd0, terms[0]} + {2'd0, terms[1]} + {2'd0, terms[2]} + {2'd0, terms[3]}];
    end
  endfunction

  wire one;
  tally_mux16 u_nonzero (.sel_i(true), .in_i(by_terms(nonzero_i)), .out_o(nonzero_o));
  tally_mux16 u_one (.sel_i(true), .in_i(by_terms(one_i)), .out_o(one));
  tally_mux16 u_carry_out (.sel_i(true), .in_i(by_terms(carry_out_i)), .out_o(carry_out_o));
  wire two = ~&true & (true[0] & true[1] | true[2] & true[3] | (true[0] | true[1]) & (true[2] | true[3]));
  assign count_o = {&true & sum_i, two & sum_i, one};
endmodule

`default_nettype wire
