// SPDX-License-Identifier: Apache-2.0
// Byte lanes of a 64-bit bus. Included in the body of a module.

// Data in the byte lanes of its address: repeated over all of them
function [63:0] spread;
  input [1:0]  size;
  input [63:0] data;
  begin
    case (size)
      2'd0:    spread = {8{data[7:0]}};
      2'd1:    spread = {4{data[15:0]}};
      2'd2:    spread = {2{data[31:0]}};
      default: spread = data;
    endcase
  end
endfunction

// One bit a byte of the access
function [7:0] lanes;
  input [1:0] size;
  input [2:0] addr;
  begin
    case (size)
      2'd0:    lanes = 8'h01 << addr;
      2'd1:    lanes = 8'h03 << addr;
      2'd2:    lanes = 8'h0F << addr;
      default: lanes = 8'hFF;
    endcase
  end
endfunction
