// SPDX-License-Identifier: Apache-2.0
// tally_uart - 16550A UART without the wires: bytes enter and leave by handshakes, a serialiser for a board
// goes outside. Enough of the 16550A for the 8250 drivers of Linux and OpenSBI.
//
// Registers a byte apart (no shift): RBR/THR, IER, IIR/FCR, LCR, MCR, LSR, MSR, SCR, DLL/DLM behind LCR.DLAB.
// FIFOs of 16 bytes both ways, kept also when FCR switches them off (then the trigger is one byte). Divisor
// and format are stored without effect. An access of any size touches the register of its address only;
// read data a cycle later. Loop-back (MCR bit 4) connects transmitter to receiver and the
// modem outputs to the modem inputs.

`default_nettype none

module tally_uart (
    input  wire        clk,
    input  wire        rst,

    // bus
    input  wire        en_i,
    input  wire        we_i,
    input  wire [7:0]  addr_i,
    input  wire [63:0] wdata_i,
    output wire [63:0] rdata_o,

    // interrupt, a level
    output wire        irq_o,

    // the line
    output wire        tx_valid_o,
    input  wire        tx_ready_i,
    output wire [7:0]  tx_data_o,
    input  wire        rx_valid_i,
    output wire        rx_ready_o,
    input  wire [7:0]  rx_data_i
);
  localparam [2:0] RBR_THR = 3'd0, IER = 3'd1, IIR_FCR = 3'd2, LCR = 3'd3, MCR = 3'd4, LSR = 3'd5, MSR = 3'd6,
                   SCR = 3'd7;

  reg  [3:0]  ier_q;
  reg         fifo_on_q;
  reg  [1:0]  trigger_q;
  reg  [7:0]  lcr_q, scr_q, dll_q, dlm_q;
  reg  [4:0]  mcr_q;

  wire        hit   = en_i & (addr_i[7:3] == 5'd0);
  wire [2:0]  which = addr_i[2:0];
  wire [7:0]  wbyte = wdata_i[8*which +: 8];
  wire        dlab  = lcr_q[7];
  wire        loop  = mcr_q[4];
  wire        write = hit & we_i;
  wire        read  = hit & ~we_i;

  // ---------------------------------------------------------------------------------------------------------
  // Transmitter
  // ---------------------------------------------------------------------------------------------------------
  reg  [7:0]  tx_fifo [0:15];
  reg  [4:0]  tx_wr_q, tx_rd_q;
  wire        tx_empty  = (tx_wr_q == tx_rd_q);
  wire        tx_full   = (tx_wr_q[3:0] == tx_rd_q[3:0]) & ~tx_empty;
  wire        tx_push   = write & (which == RBR_THR) & ~dlab;
  wire        tx_pop    = ~tx_empty & (loop | tx_ready_i);
  wire        fcr_write = write & (which == IIR_FCR);
  wire [7:0]  tx_byte   = tx_fifo[tx_rd_q[3:0]];

  always @(posedge clk) begin
    if (tx_push & ~tx_full) begin
      tx_fifo[tx_wr_q[3:0]] <= wbyte;
      tx_wr_q               <= tx_wr_q + 5'd1;
    end
    if (tx_pop) tx_rd_q <= tx_rd_q + 5'd1;
    if (rst | (fcr_write & wbyte[2])) begin
      tx_wr_q <= 5'd0;
      tx_rd_q <= 5'd0;
    end
  end

  // ---------------------------------------------------------------------------------------------------------
  // Receiver
  // ---------------------------------------------------------------------------------------------------------
  reg  [7:0]  rx_fifo [0:15];
  reg  [4:0]  rx_wr_q, rx_rd_q;
  reg  [7:0]  rx_idle_q;           // cycles since the receiver last moved: the character timeout
  wire [4:0]  rx_level  = rx_wr_q - rx_rd_q;
  wire        rx_full   = rx_level[4];
  wire        rx_some   = (rx_level != 5'd0);
  wire        rx_push   = ~rx_full & (loop ? ~tx_empty : rx_valid_i);
  wire        rx_pop    = read & (which == RBR_THR) & ~dlab & rx_some;

  always @(posedge clk) begin
    if (rx_push) begin
      rx_fifo[rx_wr_q[3:0]] <= loop ? tx_byte : rx_data_i;
      rx_wr_q               <= rx_wr_q + 5'd1;
    end
    if (rx_pop) rx_rd_q <= rx_rd_q + 5'd1;
    if (rx_push | rx_pop | ~rx_some) rx_idle_q <= 8'd0;
    else if (rx_idle_q != 8'hFF) rx_idle_q <= rx_idle_q + 8'd1;
    if (rst | (fcr_write & wbyte[1])) begin
      rx_wr_q <= 5'd0;
      rx_rd_q <= 5'd0;
    end
  end

  // ---------------------------------------------------------------------------------------------------------
  // Interrupts
  // ---------------------------------------------------------------------------------------------------------
  reg  [4:0]  rx_trigger;
  always @* begin
    case ({fifo_on_q, trigger_q})
      3'b101:  rx_trigger = 5'd4;
      3'b110:  rx_trigger = 5'd8;
      3'b111:  rx_trigger = 5'd14;
      default: rx_trigger = 5'd1;
    endcase
  end

  reg         thre_q;              // the transmitter ran empty, or its interrupt was switched on while empty
  wire        want_rx    = ier_q[0] & (rx_level >= rx_trigger);
  wire        want_tmo   = ier_q[0] & (rx_idle_q == 8'hFF);
  wire        want_thre  = ier_q[1] & thre_q;
  wire [3:0]  cause      = want_rx ? 4'h4 : want_tmo ? 4'hC : want_thre ? 4'h2 : 4'h1;
  wire        ier_write  = write & (which == IER) & ~dlab;
  reg         irq_q;

  always @(posedge clk) begin
    irq_q <= ~rst & ~cause[0];
    if (rst | tx_push) thre_q <= 1'b0;
    else if (tx_pop & (tx_rd_q + 5'd1 == tx_wr_q)) thre_q <= 1'b1;
    else if (ier_write & wbyte[1] & ~ier_q[1] & tx_empty) thre_q <= 1'b1;
    else if (read & (which == IIR_FCR) & (cause == 4'h2)) thre_q <= 1'b0;
  end

  // ---------------------------------------------------------------------------------------------------------
  // Registers
  // ---------------------------------------------------------------------------------------------------------
  always @(posedge clk) begin
    if (rst) begin
      ier_q     <= 4'd0;
      fifo_on_q <= 1'b0;
      trigger_q <= 2'd0;
      lcr_q     <= 8'd0;
      mcr_q     <= 5'd0;
      scr_q     <= 8'd0;
      dll_q     <= 8'd0;
      dlm_q     <= 8'd0;
    end else if (write) begin
      case (which)
        RBR_THR: if (dlab) dll_q <= wbyte;
        IER:     if (dlab) dlm_q <= wbyte; else ier_q <= wbyte[3:0];
        IIR_FCR: begin
          fifo_on_q <= wbyte[0];
          trigger_q <= wbyte[7:6];
        end
        LCR:     lcr_q <= wbyte;
        MCR:     mcr_q <= wbyte[4:0];
        SCR:     scr_q <= wbyte;
        default: ;
      endcase
    end
  end

  // A terminal is always there: carrier, data set ready, clear to send. Looped back: OUT2, OUT1, DTR, RTS.
  wire [7:0]  msr = loop ? {mcr_q[3], mcr_q[2], mcr_q[0], mcr_q[1], 4'd0} : 8'hB0;
  wire [7:0]  lsr = {1'b0, tx_empty, tx_empty, 4'd0, rx_some};

  reg  [63:0] rdata_q;
  reg  [7:0]  value;
  always @* begin
    value = 8'd0;
    if (read) begin
      case (which)
        RBR_THR: value = dlab ? dll_q : rx_some ? rx_fifo[rx_rd_q[3:0]] : 8'd0;
        IER:     value = dlab ? dlm_q : {4'd0, ier_q};
        IIR_FCR: value = {fifo_on_q, fifo_on_q, 2'd0, cause};
        LCR:     value = lcr_q;
        MCR:     value = {3'd0, mcr_q};
        LSR:     value = lsr;
        MSR:     value = msr;
        SCR:     value = scr_q;
        default: value = 8'd0;
      endcase
    end
  end

  always @(posedge clk) rdata_q <= {56'd0, value} << {which, 3'd0};

  assign rdata_o    = rdata_q;
  assign irq_o      = irq_q;
  assign tx_valid_o = ~tx_empty & ~loop;
  assign tx_data_o  = tx_byte;
  assign rx_ready_o = ~rx_full & ~loop;
endmodule

`default_nettype wire
