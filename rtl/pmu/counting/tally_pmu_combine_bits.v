// SPDX-License-Identifier: Apache-2.0
// tally_pmu_combine_bits - a combination of terms of one bit each: one retire lane, counts up to one.
//
// How many terms are true is all that matters, so what each number makes is a table (tally_pmu_combine_table,
// and the edge); tally_pmu_combine_pick looks there. Whether the counter's low bits hand one on is looked up
// as well, so that no adder stands behind what is chosen last.
//
// Combinational. A combination that is not selected costs no simulation time.

`default_nettype none

module tally_pmu_combine_bits (
    input  wire             on_i,           // there is a combination
    input  wire             halted_i,       // the core clock is
    input  wire             still_i,        // the counter does not count
    input  wire             retires_i,      // retire events happen
    input  wire             software_i,     // software's event happens
    // the terms
    input  wire [3:0]       retire_i,       // its event is a retire event,
    input  wire [3:0]       of_software_i,  // ... software's,
    input  wire [3:0]       of_bus_i,       // ... bus cycles, which happen always,
    input  wire [3:0]       happens_i,      // ... and would happen if the above does
    input  wire [4:0]       table_i,        // for 0 to 4 that are true: the result is not 0;
    input  wire             number_i,       // ... it is that number
    input  wire             edge_i,
    input  wire             was_i,          // the result of the cycle before was not 0
    // the counter: its three lowest bits, and whether those above them hand on what they are handed
    input  wire [2:0]       low_i,
    input  wire             brim_i,
    output wire             is_o,           // the result of this cycle is not 0
    output wire [2:0]       count_o,
    output wire             over_o          // the low bits hand one on
);
  function passes;    // the sum is more than 7
    input [2:0] fn_low;
    input [2:0] fn_count;
    passes = fn_count[2] ? fn_low[2]
           : fn_count[1] ? fn_low[2] & (fn_low[1] | fn_count[0] & fn_low[0])
                         : fn_count[0] & (&fn_low);
  endfunction

  // ---- what each number of terms that are true makes
  wire      runs = ~halted_i & ~still_i;
  reg [4:0] one, over;                      // the low bit of its count, and whether that passes the end
  reg [2:0] number, result;
  integer   n;
  always @* begin
    n      = 0;
    one    = 5'd0;
    over   = 5'd0;
    number = 3'd0;
    result = 3'd0;
    if (on_i) begin
      for (n = 0; n < 5; n = n + 1) begin
        number  = n[2:0];
        result  = edge_i   ? {2'd0, table_i[n] & ~was_i}
                : number_i ? number : {2'd0, table_i[n]};
        over[n] = passes(low_i, result) & brim_i & runs;
        one[n]  = result[0] & runs;
      end
    end
  end

  wire [3:0] may = (of_bus_i | {4{~halted_i}}) & (~of_software_i | {4{software_i}});
  tally_pmu_combine_pick u_pick (
      .on_i(on_i),
      .retires_i(retires_i),
      .happens_i(happens_i),
      .with_i(may),
      .without_i(may & ~retire_i),
      .is_i(table_i & {5{on_i}}),
      .one_i(one),
      .over_i(over),
      .number_i(on_i & number_i & ~edge_i & runs),
      .is_o(is_o),
      .count_o(count_o),
      .over_o(over_o)
  );
endmodule

`default_nettype wire
