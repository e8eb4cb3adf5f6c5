// SPDX-License-Identifier: Apache-2.0
// prop_becomes - a property of two cycles: if `when` is true in a cycle, then `value` is in the next cycle
// what `then` is in this one. The cover statement shows that `when` can happen at all.

`default_nettype none

module prop_becomes #(
    parameter W = 1
) (
    input wire         clk,
    input wire         when_i,
    input wire [W-1:0] then_i,
    input wire [W-1:0] value_i
);
  reg         armed_q = 1'b0;
  reg [W-1:0] then_q;
  always @(posedge clk) begin
    armed_q <= when_i;
    then_q  <= then_i;
  end
  (* anyseq *) wire own;  // see prop_holds
  always @* begin
    if (armed_q) begin
      claim: assert (value_i == then_q);
      reach: cover (own);
    end
  end
endmodule

`default_nettype wire
