// SPDX-License-Identifier: Apache-2.0
// tally_operands - the two operands of a unit's instruction in EX, which may have issued before a load that
// it depends on had its value.
//
// A load from the D cache gives its value in the cycle in which it ends: the operand is that value. Any
// other value is taken then, and is the operand from the next cycle on.

`default_nettype none

module tally_operands #(
    parameter XLEN = 64
) (
    input  wire            clk,

    // from IS
    input  wire            take_i,       // take the operands of the instruction there, which may issue:
    input  wire            a_in_m_i,     // a is the value of the load in M,
    input  wire            b_in_m_i,
    input  wire [XLEN-1:0] a_i,          // else this
    input  wire [XLEN-1:0] b_i,

    // that load
    input  wire            load_done_i,  // it ends,
    input  wire [XLEN-1:0] load_value_i, // with this value (late-arriving),
    input  wire [XLEN-1:0] hit_value_i,  // also here if it comes from the D cache

    // to the unit
    output wire            from_load_o,  // an operand comes from a load that had not ended before this cycle
    output wire [XLEN-1:0] a_o,          // such an operand is valid if the load ends now, from the D cache
    output wire [XLEN-1:0] b_o
);
  reg            a_from_load_q, b_from_load_q;
  reg [XLEN-1:0] a_q, b_q;

  assign from_load_o = a_from_load_q || b_from_load_q;
  assign a_o         = a_from_load_q ? hit_value_i : a_q;
  assign b_o         = b_from_load_q ? hit_value_i : b_q;

  always @(posedge clk) begin
    if (take_i) begin
      a_from_load_q <= a_in_m_i;
      b_from_load_q <= b_in_m_i;
      a_q           <= a_i;
      b_q           <= b_i;
    end else if (load_done_i) begin
      a_from_load_q <= 1'b0;
      b_from_load_q <= 1'b0;
      if (a_from_load_q) a_q <= load_value_i;
      if (b_from_load_q) b_q <= load_value_i;
    end
  end
endmodule

`default_nettype wire
