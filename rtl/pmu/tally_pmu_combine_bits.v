// tally_pmu_combine_bits - a combination of terms of one bit each: one retire lane, counts up to one.
//
// How many terms are true is all that matters, so what each number makes (0 to 4: operator, threshold, edge)
// is a table, which follows from registers; tally_pmu_combine_pick looks there.
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
    input  wire [3:0]       some_i,         // there is one;
    input  wire [3:0]       retire_i,       // its event is a retire event,
    input  wire [3:0]       of_software_i,  // ... software's,
    input  wire [3:0]       of_bus_i,       // ... bus cycles, which happen always,
    input  wire [3:0]       happens_i,      // ... and would happen if the above does
    input  wire [1:0]       op_i,
    input  wire [7:0]       thr_i,
    input  wire             inv_i,
    input  wire             edge_i,
    input  wire             was_i,          // the result of the cycle before was not 0
    output wire             is_o,           // that of this one
    output wire [2:0]       count_o
);
  localparam [1:0] OP_OR = 2'd0, OP_AND = 2'd1, OP_XOR = 2'd2;

  function [2:0] sum;
    input [3:0] fn_bits;
    sum = {&fn_bits, ~&fn_bits & (|fn_bits[3:2] & |fn_bits[1:0] | &fn_bits[3:2] | &fn_bits[1:0]), ^fn_bits};
  endfunction

  // The threshold, which is not 0, is reached by a result from 0 to 4.
  function reaches;
    input [2:0] fn_result;
    input [7:0] fn_thr;
    reaches = fn_thr[7:3] == 5'd0
            & (fn_result[2] ? ~fn_thr[2] | fn_thr[1:0] == 2'd0
              : ~fn_thr[2] & (fn_result[1] ? fn_result[0] | ~&fn_thr[1:0] : fn_result[0] & ~fn_thr[1]));
  endfunction

  // ---- what each number of terms that are true makes
  reg [4:0]   is;
  reg [4:0]   one, two, four;               // the bits of its count
  reg [2:0]   number, result;
  integer     n;
  always @* begin
    n      = 0;
    is     = 5'd0;
    one    = 5'd0;
    two    = 5'd0;
    four   = 5'd0;
    number = 3'd0;
    result = 3'd0;
    if (on_i) begin
      for (n = 0; n < 5; n = n + 1) begin
        number = n[2:0];
        case (op_i)
          OP_OR:   result = {2'd0, n != 0};
          OP_AND:  result = {2'd0, n != 0 && number == sum(some_i)};
          OP_XOR:  result = {2'd0, number[0]};
          default: result = number;
        endcase
        if (thr_i != 8'd0) result = {2'd0, reaches(result, thr_i) ^ inv_i};
        is[n] = result != 3'd0;
        if (edge_i) result = {2'd0, is[n] & ~was_i};
        {four[n], two[n], one[n]} = result & {3{~halted_i & ~still_i}};
      end
    end
  end

  tally_pmu_combine_pick u_pick (
      .on_i(on_i),
      .retires_i(retires_i),
      .software_i(software_i),
      .awake_i(of_bus_i | {4{~halted_i}}),
      .retire_i(retire_i),
      .of_software_i(of_software_i),
      .happens_i(happens_i),
      .is_i(is),
      .one_i(one),
      .two_i(two),
      .four_i(four),
      .is_o(is_o),
      .count_o(count_o)
  );
endmodule

`default_nettype wire
