// SPDX-License-Identifier: Apache-2.0
// tally_bus - joins the harts to RAM and devices (docs/hart.md, Interfaces).
//
// Requests of all harts enter one queue and are performed strictly in the order in which they were accepted,
// so the queue is the memory order of the machine. A RAM request's first beat is answered MEM_LATENCY cycles
// after its acceptance, a device's DEVICE_LATENCY cycles after; later beats and later requests follow a cycle
// each.
//
// Pipeline: PERFORM (queue head) -> DRIVE (registers drive RAM or device, far away on a chip) -> DATA (read
// data arrives) -> answer registers. An AMO reads, waits, captures, and writes three cycles later with the
// queue held. Invalidations leave with the answer of the write that causes them, so a hart that sees answers
// and invalidations in the order of their cycles sees the memory order.

`default_nettype none

module tally_bus #(
    parameter NHARTS         = 1,    // 1 or 2; the ports of hart 1 are dead with 1
    parameter MEM_LATENCY    = 40,   // 3..500
    parameter DEVICE_LATENCY = 4,    // 3..500
    parameter QUEUE_W        = 4,    // log2 of the requests that may be outstanding
    parameter MEM_W          = 36,   // RAM and devices lie below 2^MEM_W
    parameter HOST           = 0     // a host device is there
) (
    input  wire        clk,
    input  wire        rst,

    input  wire [55:0] ram_size_i,       // bytes, a multiple of 64

    // hart 0: requests. Ready is late-arriving: it depends on the other hart's valid
    input  wire        h0_req_valid_i,
    output wire        h0_req_ready_o,
    input  wire [2:0]  h0_req_op_i,
    input  wire [55:0] h0_req_addr_i,
    input  wire [1:0]  h0_req_size_i,
    input  wire [63:0] h0_req_wdata_i,
    input  wire [7:0]  h0_req_wstrb_i,
    input  wire [4:0]  h0_req_f5_i,
    input  wire [3:0]  h0_req_id_i,
    input  wire        h0_lr_void_i,     // pulse: its reservation is lost; no LR or SC of it is under way
    output wire        h0_rsp_valid_o,
    output wire        h0_inv_valid_o,

    // hart 1
    input  wire        h1_req_valid_i,
    output wire        h1_req_ready_o,
    input  wire [2:0]  h1_req_op_i,
    input  wire [55:0] h1_req_addr_i,
    input  wire [1:0]  h1_req_size_i,
    input  wire [63:0] h1_req_wdata_i,
    input  wire [7:0]  h1_req_wstrb_i,
    input  wire [4:0]  h1_req_f5_i,
    input  wire [3:0]  h1_req_id_i,
    input  wire        h1_lr_void_i,
    output wire        h1_rsp_valid_o,
    output wire        h1_inv_valid_o,

    // answers and invalidations, seen by every hart; the valid bits above say whose they are
    output wire [3:0]  rsp_id_o,
    output wire [63:0] rsp_data_o,
    output wire        rsp_last_o,
    output wire        rsp_err_o,
    output wire [55:6] inv_addr_o,

    // RAM: read data follow a cycle later
    output reg         mem_en_o,
    output reg         mem_we_o,
    output wire [55:0] mem_addr_o,       // offset in RAM, a multiple of 8
    output reg  [63:0] mem_wdata_o,
    output reg  [7:0]  mem_wstrb_o,
    input  wire [63:0] mem_rdata_i,

    // devices: read data and error follow a cycle later; one select a device
    output reg         rom_en_o,
    output reg         finisher_en_o,
    output reg         aclint_en_o,
    output reg         plic_en_o,
    output reg         uart_en_o,
    output reg         host_en_o,
    output reg         dev_we_o,
    output wire [27:0] dev_addr_o,       // offset in the device's region, which is aligned to its size
    output reg  [1:0]  dev_size_o,
    output wire [63:0] dev_wdata_o,
    output wire [7:0]  dev_wstrb_o,
    input  wire [63:0] dev_rdata_i,
    input  wire        dev_err_i
);
  localparam [2:0] OP_LINE = 3'd0, OP_READ = 3'd1, OP_WRITE = 3'd2, OP_AMO = 3'd3, OP_LR = 3'd4, OP_SC = 3'd5;

  // Writes that bypass a hart's own cache: they invalidate its own line too
  localparam [3:0] ID_RECORD = 4'd4;

  // Where an address leads
  localparam [2:0] TO_NONE = 3'd0, TO_RAM = 3'd1, TO_ROM = 3'd2, TO_FINISHER = 3'd3, TO_ACLINT = 3'd4,
                   TO_PLIC = 3'd5, TO_UART = 3'd6, TO_HOST = 3'd7;

  // Where an answer's data come from
  localparam [1:0] FROM_NOTHING = 2'd0, FROM_RAM = 2'd1, FROM_DEVICE = 2'd2, FROM_AMO = 2'd3;

  localparam QUEUE_N = 1 << QUEUE_W;
  localparam AGE_W   = 10;   // MEM_LATENCY and eight beats of every request before fit

  // ---------------------------------------------------------------------------------------------------------
  // Arbiter: round robin between two
  // ---------------------------------------------------------------------------------------------------------
  reg                prefer_q;   // the hart that wins a tie
  reg  [QUEUE_W-1:0] wr_q, rd_q;
  reg  [QUEUE_W:0]   used_q;     // requests that wait,
  reg                some_q;     // and whether there are any
  wire               full = used_q[QUEUE_W];

  wire               h1_wants = (NHARTS > 1) & h1_req_valid_i;
  wire               grant    = h1_wants & (prefer_q | ~h0_req_valid_i);
  wire               accept   = ~full & (h0_req_valid_i | h1_wants);

  assign h0_req_ready_o = ~full & ~grant;
  assign h1_req_ready_o = ~full & (NHARTS > 1) & (prefer_q | ~h0_req_valid_i);

  wire [2:0]  in_op    = grant ? h1_req_op_i    : h0_req_op_i;
  wire [55:0] in_addr  = grant ? h1_req_addr_i  : h0_req_addr_i;
  wire [1:0]  in_size  = grant ? h1_req_size_i  : h0_req_size_i;
  wire [63:0] in_wdata = grant ? h1_req_wdata_i : h0_req_wdata_i;
  wire [7:0]  in_wstrb = grant ? h1_req_wstrb_i : h0_req_wstrb_i;
  wire [4:0]  in_f5    = grant ? h1_req_f5_i    : h0_req_f5_i;
  wire [3:0]  in_id    = grant ? h1_req_id_i    : h0_req_id_i;

  always @(posedge clk) begin
    if (rst) prefer_q <= 1'b0;
    else if (accept) prefer_q <= ~grant;
  end

  // The map: QEMU's `virt`. A line can be read from RAM and boot ROM only; devices have reads and writes
  function [2:0] target;
    input [55:0] addr;
    input [2:0]  op;
    input [55:0] ram_size;
    begin
      target = TO_NONE;
      if (addr[55:31] != 25'd0) begin
        if ({addr[55:31] - 25'd1, addr[30:0]} < ram_size) target = TO_RAM;
      end else if (op == OP_READ || op == OP_WRITE) begin
        if (addr[30:16] == 15'h0000 && addr[15:12] != 4'h0) target = TO_ROM;
        if (addr[30:12] == 19'h00100) target = TO_FINISHER;
        if (addr[30:16] == 15'h0200) target = TO_ACLINT;
        if (addr[30:23] == 8'h18 && addr[22:21] != 2'b11) target = TO_PLIC;
        if (addr[30:8] == 23'h100000) target = TO_UART;
        if (HOST != 0 && addr[30:13] == 18'h08008) target = TO_HOST;
      end else if (op == OP_LINE) begin
        if (addr[30:16] == 15'h0000 && addr[15:12] != 4'h0) target = TO_ROM;
      end
    end
  endfunction

  // ---------------------------------------------------------------------------------------------------------
  // Queue
  // ---------------------------------------------------------------------------------------------------------
  localparam CTL_W = 3 + 3 + 2 + 8 + 5 + 4 + 1 + AGE_W;

  reg [MEM_W-1:0] queue_addr  [0:QUEUE_N-1];
  reg [63:0]      queue_wdata [0:QUEUE_N-1];
  reg [CTL_W-1:0] queue_ctl   [0:QUEUE_N-1];
  reg [AGE_W-1:0] now_q;

  always @(posedge clk) begin
    if (accept) begin
      queue_addr[wr_q]  <= in_addr[MEM_W-1:0];
      queue_wdata[wr_q] <= in_wdata;
      queue_ctl[wr_q]   <= {target(in_addr, in_op, ram_size_i), in_op, in_size, in_wstrb, in_f5,
                            in_id, grant, now_q};
    end
  end

  wire [MEM_W-1:0] addr  = queue_addr[rd_q];
  wire [63:0]      wdata = queue_wdata[rd_q];
  wire [2:0]       to;
  wire [2:0]       op;
  wire [1:0]       size;
  wire [7:0]       wstrb;
  wire [4:0]       f5;
  wire [3:0]       id;
  wire             whose;
  wire             hart = (NHARTS > 1) & whose;
  wire [AGE_W-1:0] stamp;
  assign {to, op, size, wstrb, f5, id, whose, stamp} = queue_ctl[rd_q];

  // ---------------------------------------------------------------------------------------------------------
  // PERFORM
  // ---------------------------------------------------------------------------------------------------------
  localparam integer RAM_WAIT = MEM_LATENCY - 3, DEVICE_WAIT = DEVICE_LATENCY - 3;
  localparam [AGE_W-1:0] RAM_AGE = RAM_WAIT[AGE_W-1:0], DEVICE_AGE = DEVICE_WAIT[AGE_W-1:0];

  reg  [2:0]  beat_q;      // of a line
  reg  [1:0]  amo_q;       // 0 read, 1 wait, 2 capture, 3 write

  wire [AGE_W-1:0] age  = now_q - stamp;
  reg         sc_known_q, sc_fail_q;   // looked up in the cycle before, for the request that is performed now
  wire        due       = some_q & (age >= ((to == TO_RAM) ? RAM_AGE : DEVICE_AGE)) &
                          ((op != OP_SC) | sc_known_q);
  wire        ram       = due & (to == TO_RAM);
  wire        amo       = ram & (op == OP_AMO);
  wire        answer    = due & ~(amo & (amo_q != 2'd3));
  wire        last      = (op != OP_LINE) | (beat_q == 3'd7);
  wire        pop       = answer & last;

  wire [QUEUE_W:0] used = used_q + {{QUEUE_W{1'b0}}, accept} - {{QUEUE_W{1'b0}}, pop};
  always @(posedge clk) begin
    used_q <= rst ? {QUEUE_W+1{1'b0}} : used;
    some_q <= ~rst & used != {QUEUE_W+1{1'b0}};
  end

  // Reservations: one slot for the hart's LR, one for its walker's (id bit 3). Only performed requests change
  // them: the oldest request looks a cycle ahead whether an SC will fail, for which all of RAM would wait.
  reg  [3:0]  held_q;
  reg  [MEM_W-1:6] held_line [0:3];
  wire [1:0]  self    = {id[3], hart};
  wire [MEM_W-1:6] line = addr[MEM_W-1:6];
  wire        write   = ram & ((op == OP_WRITE) | ((op == OP_SC) & ~sc_fail_q)
                               | ((op == OP_AMO) & (amo_q == 2'd3)));

  always @(posedge clk) begin
    sc_known_q <= some_q & ~pop & ~rst;
    sc_fail_q  <= ~(held_q[self] & (held_line[self] == line));
  end

  integer i;
  always @(posedge clk) begin
    if (rst) held_q <= 4'd0;
    else if (ram) begin
      if (write) begin
        for (i = 0; i < 4; i = i + 1) begin
          if (i[1:0] != self && held_line[i] == line) held_q[i] <= 1'b0;
        end
      end
      if (op == OP_SC) held_q[self] <= 1'b0;
      if (op == OP_LR) begin
        held_q[self]    <= 1'b1;
        held_line[self] <= line;
      end
    end
    if (h0_lr_void_i) held_q[0] <= 1'b0;
    if (h1_lr_void_i) held_q[1] <= 1'b0;
  end

  reg  [63:0] amo_old_q;
  wire [63:0] amo_new;

  tally_amo u_amo (
    .f5_i   (f5),
    .word_i (size == 2'd2),
    .high_i (addr[2]),
    .old_i  (amo_old_q),
    .arg_i  (wdata),
    .new_o  (amo_new)
  );

  always @(posedge clk) begin
    now_q <= now_q + 1'b1;
    if (amo) amo_q <= amo_q + 2'd1;
    if (amo_q == 2'd2) amo_old_q <= mem_rdata_i;
    if (answer & (op == OP_LINE)) beat_q <= beat_q + 3'd1;
    if (pop) rd_q <= rd_q + 1'b1;
    if (accept) wr_q <= wr_q + 1'b1;
    if (rst) begin
      now_q  <= {AGE_W{1'b0}};
      amo_q  <= 2'd0;
      beat_q <= 3'd0;
      rd_q   <= {QUEUE_W{1'b0}};
      wr_q   <= {QUEUE_W{1'b0}};
    end
  end

  // ---------------------------------------------------------------------------------------------------------
  // DRIVE
  // ---------------------------------------------------------------------------------------------------------
  reg  [MEM_W-1:0] drive_addr_q;

  always @(posedge clk) begin
    mem_en_o      <= ~rst & ram & ((amo_q == 2'd0) | (amo_q == 2'd3));
    rom_en_o      <= ~rst & due & (to == TO_ROM);
    finisher_en_o <= ~rst & due & (to == TO_FINISHER);
    aclint_en_o   <= ~rst & due & (to == TO_ACLINT);
    plic_en_o     <= ~rst & due & (to == TO_PLIC);
    uart_en_o     <= ~rst & due & (to == TO_UART);
    host_en_o     <= ~rst & due & (to == TO_HOST);
    mem_we_o      <= write;
    if (due) begin
      drive_addr_q <= {line, (op == OP_LINE) ? {beat_q, 3'd0} : addr[5:0]};
      mem_wdata_o  <= (op == OP_AMO) ? amo_new : wdata;
      mem_wstrb_o  <= (op != OP_AMO) ? wstrb : (size != 2'd2) ? 8'hFF : addr[2] ? 8'hF0 : 8'h0F;
      dev_we_o     <= (op == OP_WRITE);
      dev_size_o   <= (op == OP_LINE) ? 2'd3 : size;
    end
  end

  assign mem_addr_o  = {{56-MEM_W{1'b0}}, drive_addr_q[MEM_W-1:31] - 1'b1, drive_addr_q[30:3], 3'd0};
  assign dev_addr_o  = drive_addr_q[27:0];
  assign dev_wdata_o = mem_wdata_o;
  assign dev_wstrb_o = mem_wstrb_o;

  // What belongs to it
  reg         drive_valid_q, drive_hart_q, drive_last_q, drive_none_q, drive_sc_fail_q, drive_inv_own_q;
  reg  [3:0]  drive_id_q;
  reg  [1:0]  drive_from_q;

  always @(posedge clk) begin
    drive_valid_q <= answer & ~rst;
    if (answer) begin
      drive_hart_q    <= hart;
      drive_id_q      <= id;
      drive_last_q    <= last;
      drive_none_q    <= (to == TO_NONE);
      drive_sc_fail_q <= ram & (op == OP_SC) & sc_fail_q;
      drive_inv_own_q <= (op == OP_AMO) | (op == OP_SC) | (id == ID_RECORD);
      drive_from_q    <= (op == OP_AMO) ? FROM_AMO
                         : (op == OP_WRITE || op == OP_SC || to == TO_NONE) ? FROM_NOTHING
                         : (to == TO_RAM) ? FROM_RAM : FROM_DEVICE;
    end
  end

  // ---------------------------------------------------------------------------------------------------------
  // DATA, and the answer registers behind it
  // ---------------------------------------------------------------------------------------------------------
  reg         data_valid_q, data_hart_q, data_last_q, data_none_q, data_sc_fail_q, data_inv_q, data_inv_own_q;
  reg  [3:0]  data_id_q;
  reg  [1:0]  data_from_q;
  reg  [MEM_W-1:6] data_line_q;

  always @(posedge clk) begin
    data_valid_q <= drive_valid_q & ~rst;
    data_inv_q   <= mem_en_o & mem_we_o & ~rst;
    if (drive_valid_q) begin
      data_hart_q    <= drive_hart_q;
      data_id_q      <= drive_id_q;
      data_last_q    <= drive_last_q;
      data_none_q    <= drive_none_q;
      data_sc_fail_q <= drive_sc_fail_q;
      data_inv_own_q <= drive_inv_own_q;
      data_line_q    <= drive_addr_q[MEM_W-1:6];
      data_from_q    <= drive_from_q;
    end
  end

  reg         h0_rsp_valid_q, h1_rsp_valid_q, rsp_last_q, rsp_err_q, h0_inv_valid_q, h1_inv_valid_q;
  reg  [3:0]  rsp_id_q;
  reg  [63:0] rsp_data_q;
  reg  [MEM_W-1:6] inv_line_q;

  always @(posedge clk) begin
    h0_rsp_valid_q <= data_valid_q & ~data_hart_q & ~rst;
    h1_rsp_valid_q <= data_valid_q & data_hart_q & ~rst;
    h0_inv_valid_q <= data_inv_q & (data_hart_q | data_inv_own_q) & ~rst;
    h1_inv_valid_q <= data_inv_q & (~data_hart_q | data_inv_own_q) & ~rst;
    if (data_valid_q) begin
      rsp_id_q   <= data_id_q;
      rsp_last_q <= data_last_q;
      rsp_err_q  <= data_none_q | dev_err_i;
      inv_line_q <= data_line_q;
      case (data_from_q)
        FROM_RAM:    rsp_data_q <= mem_rdata_i;
        FROM_DEVICE: rsp_data_q <= dev_rdata_i;
        FROM_AMO:    rsp_data_q <= amo_old_q;
        default:     rsp_data_q <= {63'd0, data_sc_fail_q};
      endcase
    end
  end

  assign h0_rsp_valid_o = h0_rsp_valid_q;
  assign h1_rsp_valid_o = h1_rsp_valid_q;
  assign h0_inv_valid_o = h0_inv_valid_q;
  assign h1_inv_valid_o = h1_inv_valid_q;
  assign rsp_id_o       = rsp_id_q;
  assign rsp_data_o     = rsp_data_q;
  assign rsp_last_o     = rsp_last_q;
  assign rsp_err_o      = rsp_err_q;
  assign inv_addr_o     = {{56-MEM_W{1'b0}}, inv_line_q};
endmodule

`default_nettype wire
