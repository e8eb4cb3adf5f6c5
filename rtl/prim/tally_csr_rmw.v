// SPDX-License-Identifier: Apache-2.0
// tally_csr_rmw - the new value of a register: CSRRW, CSRRS, CSRRC (unprivileged manual, Zicsr), or
// unchanged.
//
// One 4-input LUT a bit. The boundary keeps a mapper from merging it with the logic around it.
//
// Combinational.

`default_nettype none

(* keep_hierarchy *)
module tally_csr_rmw #(
    parameter W = 32
) (
    input  wire [1:0]   op_i,      // 0 unchanged, 1 write, 2 set, 3 clear
    input  wire [W-1:0] old_i,
    input  wire [W-1:0] data_i,
    output wire [W-1:0] new_o
);
  assign new_o = op_i == 2'd1 ? data_i : op_i == 2'd2 ? old_i | data_i
               : op_i == 2'd3 ? old_i & ~data_i : old_i;
endmodule

`default_nettype wire
