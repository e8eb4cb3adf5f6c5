// SPDX-License-Identifier: Apache-2.0
// tally_pmu_combine_pick - how many terms of a combination are true, and what that number makes, by a table.
//
// Which terms would be true and whether an instruction retires is known late in a cycle: they meet in one LUT
// a term, and then choose among what each number makes, which is there. The boundary keeps it so: the mapper
// does not see that the terms come late, and the table early.
//
// Combinational.

`default_nettype none

(* keep_hierarchy *)
module tally_pmu_combine_pick (
    input  wire       on_i,            // there is a combination; if not, the table is 0
    input  wire       retires_i,       // retire events happen
    // the terms
    input  wire [3:0] happens_i,       // its event would happen,
    input  wire [3:0] with_i,          // ... and may if retire events do,
    input  wire [3:0] without_i,       // ... or if they do not
    // what 0 to 4 of them make: a result that is not 0, the low bit of the count, a carry out of the low bits
    input  wire [4:0] is_i,
    input  wire [4:0] one_i,
    input  wire [4:0] over_i,
    input  wire       number_i,        // the count is that number
    output reg        is_o,
    output reg  [2:0] count_o,
    output reg        over_o
);
`ifdef SYNTHESIS
  wire [3:0] true = happens_i & (retires_i ? with_i : without_i);

  // by the terms themselves
  function [15:0] by_terms;
    input [4:0] fn_table;
    integer     f;
    reg [3:0]   terms;
    for (f = 0; f < 16; f = f + 1) begin
      terms       = f[3:0];
      by_terms[f] = fn_table[{2'd0, terms[0]} + {2'd0, terms[1]} + {2'd0, terms[2]} + {2'd0, terms[3]}];
    end
  endfunction

  wire is, one, over;
  tally_mux16 u_is (.sel_i(true), .in_i(by_terms(is_i)), .out_o(is));
  tally_mux16 u_one (.sel_i(true), .in_i(by_terms(one_i)), .out_o(one));
  tally_mux16 u_over (.sel_i(true), .in_i(by_terms(over_i)), .out_o(over));
  wire two = ~&true & (true[0] & true[1] | true[2] & true[3] | (true[0] | true[1]) & (true[2] | true[3]));
  always @* {is_o, count_o, over_o} = {is, &true & number_i, two & number_i, one, over};
  wire unused_ok = &{1'b0, on_i};
`else
  reg [3:0] true;                      // terms that are
  reg [2:0] number;
  always @* begin
    true    = 4'd0;
    number  = 3'd0;
    is_o    = 1'b0;
    count_o = 3'd0;
    over_o  = 1'b0;
    if (on_i) begin                    // else a simulator has nothing to do
      true    = happens_i & (retires_i ? with_i : without_i);
      number  = {2'd0, true[0]} + {2'd0, true[1]} + {2'd0, true[2]} + {2'd0, true[3]};
      is_o    = is_i[number];
      count_o = {number[2:1] & {2{number_i}}, one_i[number]};
      over_o  = over_i[number];
    end
  end
`endif
endmodule

`default_nettype wire
