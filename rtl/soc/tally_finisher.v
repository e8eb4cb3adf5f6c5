// SPDX-License-Identifier: Apache-2.0
// tally_finisher - ends a program (the register of QEMU's `virt` machine and SiFive's test device).
//
// A write of 2 or 4 bytes at offset 0: 0x5555 = pass, 0x3333 with the code in bits 31:16 = fail, 0x7777 =
// reset. The outputs stay until reset; the first write with a meaning wins. Reads as 0. What happens
// then is up to the machine around the SoC.

`default_nettype none

module tally_finisher (
    input  wire        clk,
    input  wire        rst,

    // bus
    input  wire        en_i,
    input  wire        we_i,
    input  wire [11:0] addr_i,
    input  wire [63:0] wdata_i,
    input  wire [7:0]  wstrb_i,

    // the world
    output wire        exit_valid_o,
    output wire [1:0]  exit_kind_o,    // 0 pass, 1 fail, 2 reset
    output wire [15:0] exit_code_o     // of a failure
);
  reg         valid_q;
  reg  [1:0]  kind_q;
  reg  [15:0] code_q;

  always @(posedge clk) begin
    if (rst) begin
      valid_q <= 1'b0;
      kind_q  <= 2'd0;
      code_q  <= 16'd0;
    end else if (en_i & we_i & ~valid_q & (addr_i == 12'd0) & (wstrb_i[1:0] == 2'b11)) begin
      code_q <= wstrb_i[2] ? wdata_i[31:16] : 16'd0;
      case (wdata_i[15:0])
        16'h5555: {valid_q, kind_q} <= {1'b1, 2'd0};
        16'h3333: {valid_q, kind_q} <= {1'b1, 2'd1};
        16'h7777: {valid_q, kind_q} <= {1'b1, 2'd2};
        default:  valid_q <= 1'b0;
      endcase
    end
  end

  assign exit_valid_o = valid_q;
  assign exit_kind_o  = kind_q;
  assign exit_code_o  = code_q;

  wire _unused = &{1'b0, wdata_i[63:32], wstrb_i[7:3]};
endmodule

`default_nettype wire
