// SPDX-License-Identifier: Apache-2.0
// tally_plic - platform-level interrupt controller (RISC-V PLIC specification 1.0), level-triggered sources.
//
//   0x000000 + 4s     priority of source s (3 bits; 0 = never)
//   0x001000          pending bits
//   0x002000 + 0x80c  enable bits of context c
//   0x200000 + 0x1000c      threshold of context c
//   0x200004 + 0x1000c      claim (read) and completion (write)
// Contexts: 2n = M-mode of hart n, 2n+1 = its S-mode. 4-byte accesses; others are errors. Read data a cycle
// after the access. A change of pending, enable, priority or threshold reaches the interrupt lines and the
// claim register two cycles later; a claim whose source another context took in between answers 0.

`default_nettype none

module tally_plic #(
    parameter NHARTS  = 1,
    parameter SOURCES = 15,        // sources 1..SOURCES, at most 31
    parameter [SOURCES:1] WIRED = {SOURCES{1'b1}}   // those that a device drives: no other is ever pending
) (
    input  wire                clk,
    input  wire                rst,

    // bus
    input  wire                en_i,
    input  wire                we_i,
    input  wire [22:0]         addr_i,
    input  wire [1:0]          size_i,
    input  wire [63:0]         wdata_i,
    output wire [63:0]         rdata_o,
    output wire                err_o,

    // devices
    input  wire [SOURCES:1]    irq_i,

    // harts
    output wire [2*NHARTS-1:0] ext_o   // one line a context
);
  localparam CONTEXTS = 2 * NHARTS;
  localparam ID_W     = $clog2(SOURCES + 1);

  reg  [2:0]          priority_q [0:SOURCES];
  reg  [SOURCES:0]    pending_q;
  reg  [SOURCES:0]    busy_q;                     // claimed, not completed
  reg  [SOURCES:0]    enable_q [0:CONTEXTS-1];
  reg  [2:0]          threshold_q [0:CONTEXTS-1];
  reg  [ID_W-1:0]     best_q [0:CONTEXTS-1];      // source to be claimed, 0 = none
  reg  [CONTEXTS-1:0] ext_q;
  reg  [63:0]         rdata_q;
  reg                 err_q;

  // ---------------------------------------------------------------------------------------------------------
  // Which register
  // ---------------------------------------------------------------------------------------------------------
  wire        ok          = en_i & (size_i == 2'd2);
  wire [31:0] wdata       = addr_i[2] ? wdata_i[63:32] : wdata_i[31:0];
  wire        at_priority = (addr_i[22:7] == 16'd0);
  wire        at_pending  = (addr_i[22:2] == 21'h000400);
  wire        at_enable   = (addr_i[22:12] == 11'h002) & (addr_i[6:2] == 5'd0);
  wire        at_context  = addr_i[21] & (addr_i[11:3] == 9'd0);
  wire        is_source   = ({27'd0, addr_i[6:2]} <= SOURCES);
  wire [ID_W-1:0] source  = addr_i[2 +: ID_W];
  wire [ID_W-1:0] done    = wdata[ID_W-1:0];
  wire [4:0]  enable_ctx  = addr_i[11:7];
  wire [8:0]  reg_ctx     = addr_i[20:12];

  // ---------------------------------------------------------------------------------------------------------
  // Claim and completion
  // ---------------------------------------------------------------------------------------------------------
  reg  [ID_W-1:0] claimed;  // claimed by a read of this context's claim register
  reg         complete;    // the completion names a source that is enabled for the context
  integer     c;
  always @* begin
    c        = 0;
    claimed  = {ID_W{1'b0}};
    complete = 1'b0;
    if (ok & at_context & addr_i[2]) begin
      for (c = 0; c < CONTEXTS; c = c + 1) begin
        if ({23'd0, reg_ctx} == c) begin
          if (~we_i & pending_q[best_q[c]]) claimed = best_q[c];     // source 0 is never pending
          if (we_i & (wdata <= SOURCES)) complete = enable_q[c][done];
        end
      end
    end
  end

  always @(posedge clk) begin
    pending_q <= (pending_q | ({irq_i, 1'b0} & ~busy_q)) & {WIRED, 1'b0};
    if (claimed != {ID_W{1'b0}}) begin
      pending_q[claimed] <= 1'b0;
      busy_q[claimed]    <= 1'b1;
    end
    if (complete) busy_q[done] <= 1'b0;
    if (rst) begin
      pending_q <= {(SOURCES+1){1'b0}};
      busy_q    <= {(SOURCES+1){1'b0}};
    end
  end

  // ---------------------------------------------------------------------------------------------------------
  // Selection: highest priority, then lowest number. Nothing to do while nothing is pending
  // ---------------------------------------------------------------------------------------------------------
  reg  [ID_W-1:0]     best [0:CONTEXTS-1];
  reg  [2:0]          level [0:CONTEXTS-1];
  reg  [ID_W-1:0]     id [0:(1<<ID_W)-1];     // a round of the comparison: number and priority
  reg  [2:0]          high [0:(1<<ID_W)-1];
  integer             x, s, round;
  always @* begin
    round = 0;
    for (s = 0; s < (1 << ID_W); s = s + 1) begin
      id[s]   = s[ID_W-1:0];
      high[s] = 3'd0;
    end
    for (x = 0; x < CONTEXTS; x = x + 1) begin
      best[x]  = {ID_W{1'b0}};
      level[x] = 3'd0;
      if (pending_q != {(SOURCES+1){1'b0}}) begin
        for (s = 0; s < (1 << ID_W); s = s + 1) begin
          id[s]   = s[ID_W-1:0];
          high[s] = 3'd0;
          if (s >= 1 && s <= SOURCES)
            if (WIRED[s]) high[s] = priority_q[s] & {3{pending_q[s] & enable_q[x][s]}};
        end
        for (round = ID_W - 1; round >= 0; round = round - 1) begin
          for (s = 0; s < (1 << round); s = s + 1) begin
            if (high[2*s+1] > high[2*s]) begin
              id[s]   = id[2*s+1];
              high[s] = high[2*s+1];
            end else begin
              id[s]   = id[2*s];
              high[s] = high[2*s];
            end
          end
        end
        if (high[0] != 3'd0) best[x] = id[0];
        level[x] = high[0];
      end
    end
  end

  integer y;
  always @(posedge clk) begin
    for (y = 0; y < CONTEXTS; y = y + 1) begin
      best_q[y] <= best[y];
      ext_q[y]  <= ~rst & (level[y] > threshold_q[y]);
    end
  end

  // ---------------------------------------------------------------------------------------------------------
  // Registers
  // ---------------------------------------------------------------------------------------------------------
  integer k;
  always @(posedge clk) begin
    if (rst) begin
      for (k = 0; k <= SOURCES; k = k + 1) priority_q[k] <= 3'd0;
      for (k = 0; k < CONTEXTS; k = k + 1) begin
        enable_q[k]    <= {(SOURCES+1){1'b0}};
        threshold_q[k] <= 3'd0;
      end
    end else if (ok & we_i) begin
      for (k = 1; k <= SOURCES; k = k + 1) begin
        if (at_priority & (addr_i[6:2] == k[4:0])) priority_q[k] <= wdata[2:0];
      end
      for (k = 0; k < CONTEXTS; k = k + 1) begin
        if (at_enable & (enable_ctx == k[4:0])) enable_q[k] <= {wdata[SOURCES:1], 1'b0};
        if (at_context & ~addr_i[2] & (reg_ctx == k[8:0])) threshold_q[k] <= wdata[2:0];
      end
    end
  end

  reg  [31:0] value;
  integer     r;
  always @* begin
    r     = 0;
    value = 32'd0;
    if (ok & ~we_i) begin
      if (at_priority & is_source) value[2:0] = priority_q[source];
      if (at_pending) value[SOURCES:0] = pending_q;
      for (r = 0; r < CONTEXTS; r = r + 1) begin
        if (at_enable & (enable_ctx == r[4:0])) value[SOURCES:0] = enable_q[r];
        if (at_context & ~addr_i[2] & (reg_ctx == r[8:0])) value[2:0] = threshold_q[r];
      end
      if (at_context & addr_i[2]) value[ID_W-1:0] = claimed;
    end
  end

  always @(posedge clk) begin
    rdata_q <= {value, value};
    err_q   <= en_i & (size_i != 2'd2);
  end

  assign rdata_o = rdata_q;
  assign err_o   = err_q;
  assign ext_o   = ext_q;

  wire _unused = &{1'b0, addr_i[1:0]};
endmodule

`default_nettype wire
