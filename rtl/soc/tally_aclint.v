// SPDX-License-Identifier: Apache-2.0
// tally_aclint - machine timer and software interrupts (RISC-V ACLINT specification: MSWI and MTIMER devices,
// placed as in the SiFive CLINT, so that software for either finds them).
//
//   0x0000 + 4n  msip of hart n, bit 0
//   0x4000 + 8n  mtimecmp of hart n
//   0xBFF8       mtime
// 4- and 8-byte accesses; others are errors. Read data a cycle after the access. mtimecmp resets to its
// maximum.

`default_nettype none

module tally_aclint #(
    parameter NHARTS     = 1,
    parameter TIME_RATIO = 10      // core clock cycles a tick of mtime, 1..65535
) (
    input  wire              clk,
    input  wire              rst,

    // bus
    input  wire              en_i,
    input  wire              we_i,
    input  wire [15:0]       addr_i,
    input  wire [1:0]        size_i,
    input  wire [63:0]       wdata_i,
    input  wire [7:0]        wstrb_i,
    output wire [63:0]       rdata_o,
    output wire              err_o,

    // harts
    output wire [63:0]       time_o,
    output wire [NHARTS-1:0] msip_o,
    output wire [NHARTS-1:0] mtip_o
);
  localparam integer TICK = TIME_RATIO - 1;
  localparam [15:0]  LAST = TICK[15:0];

  reg  [NHARTS-1:0] msip_q;
  reg  [63:0]       mtimecmp_q [0:NHARTS-1];
  reg  [63:0]       mtime_q;
  reg  [15:0]       divider_q;
  reg  [NHARTS-1:0] mtip_q;
  reg  [63:0]       rdata_q;
  reg               err_q;

  wire [63:0] lanes = {{8{wstrb_i[7]}}, {8{wstrb_i[6]}}, {8{wstrb_i[5]}}, {8{wstrb_i[4]}},
                       {8{wstrb_i[3]}}, {8{wstrb_i[2]}}, {8{wstrb_i[1]}}, {8{wstrb_i[0]}}};
  wire        write    = en_i & we_i & size_i[1];
  wire        at_time  = (addr_i[15:3] == 13'h17FF);
  wire        tick     = (divider_q == LAST);

  always @(posedge clk) begin
    divider_q <= tick ? 16'd0 : divider_q + 16'd1;
    if (write & at_time) mtime_q <= (mtime_q & ~lanes) | (wdata_i & lanes);
    else if (tick) mtime_q <= mtime_q + 64'd1;
    if (rst) begin
      divider_q <= 16'd0;
      mtime_q   <= 64'd0;
    end
  end

  genvar h;
  generate
    for (h = 0; h < NHARTS; h = h + 1) begin : g_hart
      wire at_cmp  = (addr_i[15:3] == 13'h0800 + h);
      wire at_msip = (addr_i[15:3] == h / 2);
      always @(posedge clk) begin
        mtip_q[h] <= ~rst & (mtime_q >= mtimecmp_q[h]);
        if (rst) begin
          msip_q[h]     <= 1'b0;
          mtimecmp_q[h] <= {64{1'b1}};
        end else if (write) begin
          if (at_cmp) mtimecmp_q[h] <= (mtimecmp_q[h] & ~lanes) | (wdata_i & lanes);
          if (at_msip & wstrb_i[4*(h%2)]) msip_q[h] <= wdata_i[32*(h%2)];
        end
      end
    end
  endgenerate

  integer i;
  always @(posedge clk) begin
    rdata_q <= 64'd0;
    err_q   <= en_i & ~size_i[1];
    if (en_i & ~we_i) begin
      if (at_time) rdata_q <= mtime_q;
      for (i = 0; i < NHARTS; i = i + 1) begin
        if ({16'd0, addr_i[15:3]} == 29'h0800 + i[28:0]) rdata_q <= mtimecmp_q[i];
        if ({16'd0, addr_i[15:3]} == i[29:1]) rdata_q[32*(i%2)] <= msip_q[i];
      end
    end
  end

  assign rdata_o = rdata_q;
  assign err_o   = err_q;
  assign time_o  = mtime_q;
  assign msip_o  = msip_q;
  assign mtip_o  = mtip_q;

  wire _unused = &{1'b0, addr_i[2:0], size_i[0]};
endmodule

`default_nettype wire
