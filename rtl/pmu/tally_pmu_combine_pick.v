// tally_pmu_combine_pick - how many terms of a combination are true, and what that number makes, by a table.
//
// Whether an instruction retires and whether software raises its event is known late in a cycle: in hardware
// the terms are counted for each of the four cases, and one is chosen last. The boundary keeps it as few
// levels deep as it is: the mapper does not see that the terms come late, and the table early.
//
// Combinational.

`default_nettype none

(* keep_hierarchy *)
module tally_pmu_combine_pick (
    input  wire       on_i,            // there is a combination; if not, the table is 0
    input  wire       retires_i,       // retire events happen
    input  wire       software_i,      // software's event happens
    // the terms
    input  wire [3:0] awake_i,         // its event may happen in this cycle;
    input  wire [3:0] retire_i,        // it is a retire event,
    input  wire [3:0] of_software_i,   // ... software's
    input  wire [3:0] happens_i,       // ... and would happen if the above does
    // what 0 to 4 of them make: a result that is not 0, the bits of the count, a carry out of the low bits
    input  wire [4:0] is_i,
    input  wire [4:0] one_i,
    input  wire [4:0] two_i,
    input  wire [4:0] four_i,
    input  wire [4:0] over_i,
    output reg        is_o,
    output reg  [2:0] count_o,
    output reg        over_o
);
  localparam       CASES = 4;
  wire [1:0]       now = {software_i, retires_i};
`ifdef SYNTHESIS
  localparam [0:0] ALL = 1'b1;
  wire unused_ok = &{1'b0, on_i};
`else
  localparam [0:0] ALL = 1'b0;   // a simulator makes the one result that it needs
`endif

  function [2:0] sum;
    input [3:0] fn_bits;
    sum = {&fn_bits, ~&fn_bits & (|fn_bits[3:2] & |fn_bits[1:0] | &fn_bits[3:2] | &fn_bits[1:0]), ^fn_bits};
  endfunction

  function choose;
    input [4:0] fn_table;
    input [2:0] fn_number;
    choose = fn_number[2] ? fn_table[4]
           : fn_number[1] ? (fn_number[0] ? fn_table[3] : fn_table[2])
                          : (fn_number[0] ? fn_table[1] : fn_table[0]);
  endfunction

  reg [2:0]         true;                  // terms that are
  reg [CASES-1:0]   case_is, case_over;
  reg [CASES*3-1:0] case_count;
  integer           c;
  always @* begin
    c          = 0;
    true       = 3'd0;
    case_is    = {CASES{1'b0}};
    case_over  = {CASES{1'b0}};
    case_count = {CASES * 3{1'b0}};
    if (ALL || on_i) begin
      for (c = 0; c < CASES; c = c + 1) begin
        if (ALL || now == c[1:0]) begin
          true = sum(happens_i & awake_i & ~(retire_i & {4{c % 2 == 0}}) & ~(of_software_i & {4{c < 2}}));
          case_is[c]           = choose(is_i, true);
          case_over[c]         = choose(over_i, true);
          case_count[c*3 +: 3] = {choose(four_i, true), choose(two_i, true), choose(one_i, true)};
        end
      end
    end
    is_o    = case_is[now];
    count_o = case_count[now*3 +: 3];
    over_o  = case_over[now];
  end
endmodule

`default_nettype wire
