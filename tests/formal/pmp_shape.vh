// SPDX-License-Identifier: Apache-2.0
// Properties of an address for tally_pmp: the bits below MEM_W that NAPOT does not compare, whether the
// address is above 2^MEM_W, and whether its NAPOT region has addresses below
`define TALLY_PMP_SHAPE(MEM_W) \
  function [MEM_W-1:0] pmp_shape; \
    input [53:0] at; \
    reg [53:0] ignored; \
    begin \
      ignored = at ^ (at + 54'd1); \
      pmp_shape = {(at | ignored) >> (MEM_W - 2) == ignored >> (MEM_W - 2), at >> (MEM_W - 2) != 54'd0, \
                   ignored[MEM_W-3:0]}; \
    end \
  endfunction
