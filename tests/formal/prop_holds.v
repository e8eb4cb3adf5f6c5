// SPDX-License-Identifier: Apache-2.0
// prop_holds - a property of one cycle: whenever `when` is true, `holds` is. The cover statement shows that
// `when` can happen at all.

`default_nettype none

module prop_holds (
    input wire when_i,
    input wire holds_i
);
  // a free bit of its own: Yosys merges equal cover statements
  (* anyseq *) wire own;
  always @* begin
    if (when_i) begin
      claim: assert (holds_i);
      reach: cover (own);
    end
  end
endmodule

`default_nettype wire
