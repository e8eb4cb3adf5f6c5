// SPDX-License-Identifier: Apache-2.0
// tally_pmu_combine_table - what a combination of terms of one bit each makes of the number that are true.
//
// Operator and threshold as the selector has them; the edge comes later. With op add and no threshold the
// result is the number itself, else it is 0 or 1.
//
// Combinational: it is made when a selector is written, and kept beside it.

`default_nettype none

module tally_pmu_combine_table (
    input  wire [3:0] some_i,     // the terms that there are
    input  wire [1:0] op_i,
    input  wire [7:0] thr_i,
    input  wire       inv_i,
    output reg  [4:0] is_o,       // for 0 to 4: the result is not 0
    output wire       number_o    // ... it is the number
);
  localparam [1:0] OP_OR = 2'd0, OP_AND = 2'd1, OP_XOR = 2'd2;

  wire [2:0] terms = {2'd0, some_i[0]} + {2'd0, some_i[1]} + {2'd0, some_i[2]} + {2'd0, some_i[3]};
  assign     number_o = op_i > OP_XOR & thr_i == 8'd0;

  reg [2:0]  number, result;
  integer    n;
  always @* begin
    n      = 0;
    number = 3'd0;
    result = 3'd0;
    for (n = 0; n < 5; n = n + 1) begin
      number = n[2:0];
      case (op_i)
        OP_OR:   result = {2'd0, n != 0};
        OP_AND:  result = {2'd0, n != 0 && number == terms};
        OP_XOR:  result = {2'd0, number[0]};
        default: result = number;
      endcase
      is_o[n] = thr_i == 8'd0 ? result != 3'd0 : ({5'd0, result} >= thr_i) ^ inv_i;
    end
  end
endmodule

`default_nettype wire
