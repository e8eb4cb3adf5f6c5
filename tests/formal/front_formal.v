// SPDX-License-Identifier: Apache-2.0
// front_formal - every request to a front of rtl/adapt is answered once, within so many cycles, and nothing
// else is; a refused access gets an error and changes nothing, no other gets one (docs/cores.md, The
// registers on a bus): tally_bus_axil (FRONT 0), tally_bus_wb (1), tally_bus_apb (2), tally_pmu_bus behind
// them.
//
// Assumed: reset first; the host keeps the rules of its bus, so it withdraws no request; the unit lets an
// access wait for two cycles at most. The unit's answers are free; its rights stay the same during a request,
// for only requests change them.

`default_nettype none

module front_formal #(
    parameter FRONT = 0,
    parameter XLEN  = 32,
    parameter WINDOWS = 3,
    parameter ALIASES = 1,
    // cycles to the answer; AXI: to the acceptance, with reads and writes in turn
    parameter LIMIT = FRONT == 0 ? 26 : 14
) (
    input wire            clk,
    input wire            rst,
    input wire            ask, ask_read, enable, write, take, take_read,
    input wire [18:0]     addr, addr_read,
    input wire [3:0]      strobes,
    input wire [31:0]     wdata,
    input wire            hit, illegal, virtual, ready, lcofi,
    input wire [XLEN-1:0] rdata
);
  wire        req_valid, req_write, req_word, rsp_valid, rsp_error;
  wire [18:2] req_addr;
  wire [31:0] req_wdata, rsp_rdata;
  wire            csr_valid;
  wire [11:0]     csr_num;
  wire [1:0]      csr_op, csr_priv;
  wire [XLEN-1:0] csr_wdata;
  wire            lcofip, lambip, andesp;
  tally_pmu_bus #(.XLEN(XLEN), .WINDOWS(WINDOWS), .ALIASES(ALIASES)) bus (
      .clk(clk), .rst(rst), .req_valid_i(req_valid), .req_write_i(req_write), .req_word_i(req_word),
      .req_addr_i(req_addr), .req_wdata_i(req_wdata), .rsp_valid_o(rsp_valid), .rsp_error_o(rsp_error),
      .rsp_rdata_o(rsp_rdata), .csr_valid_o(csr_valid), .csr_num_o(csr_num), .csr_op_o(csr_op),
      .csr_wdata_o(csr_wdata), .csr_priv_o(csr_priv), .csr_hit_i(hit), .csr_illegal_i(illegal),
      .csr_virtual_i(virtual), .csr_rdata_i(rdata), .ready_i(ready), .irq_lcofi_i(lcofi), .irq_lambi_i(1'b0),
      .irq_andes_i(1'b0), .lcofip_o(lcofip), .lambip_o(lambip), .andesp_o(andesp)
  );

  reg       up = 1'b0;
  reg [1:0] waits = 2'd0;
  always @(posedge clk) begin
    up    <= up | rst;
    waits <= ready ? 2'd0 : waits + 2'd1;
  end
  wire on = up & ~rst;
  always @* begin
    if (!up) assume (rst);
    if (waits >= 2'd2) assume (ready);
  end

  // ---- a request stays until it is taken
  wire taken, taken_read;
  reg        asks_q = 1'b0, reads_q = 1'b0;
  reg [56:0] asked_q;
  reg [18:0] read_q;
  always @(posedge clk) begin
    asks_q  <= ~rst & ask & ~taken;
    reads_q <= ~rst & ask_read & ~taken_read;
    asked_q <= {enable, write, addr, strobes, wdata};
    read_q  <= addr_read;
  end
  always @* begin
    if (asks_q & ~rst) assume (ask && {write, addr, strobes, wdata} == asked_q[55:0]);
    if (reads_q & ~rst) assume (ask_read && addr_read == read_q);
  end
  reg [7:0] age = 8'd0, age_read = 8'd0;
  wire      wants, wants_read;
  always @(posedge clk) begin
    age      <= rst | ~wants | taken ? 8'd0 : age + 8'd1;
    age_read <= rst | ~wants_read | taken_read ? 8'd0 : age_read + 8'd1;
  end
  prop_holds answered_in_time (.when_i(on & wants), .holds_i(age <= LIMIT && age_read <= LIMIT));

  // ---- an access is performed only while it is asked for
  prop_holds performed_when_asked (.when_i(on & csr_valid), .holds_i(wants | wants_read));

  // ---- refusals: by size, address, the unit, or because `high` belongs to another window
  reg [3:0] rights_q = 4'd0;
  always @(posedge clk) rights_q <= {~rst & req_valid & ~rsp_valid, hit, illegal, virtual};
  always @* if (rights_q[3] & ~rst) assume ({hit, illegal, virtual} == rights_q[2:0]);

  wire        reads  = FRONT == 0 ? ~req_write : ~write;
  wire [18:0] where  = FRONT == 0 && reads ? addr_read : FRONT == 1 ? {addr[18:2], 2'd0} : addr;
  wire [1:0]  way    = where[18:17], mode = where[16:15] == 2'd0 ? 2'd3 : where[16:15] == 2'd1 ? 2'd1 : 2'd0;
  wire [11:0] num    = where[14:3];
  wire        word1  = where[2];
  wire        whole  = (&strobes | FRONT != 1 & reads) & where[1:0] == 2'd0;
  wire        is_ip  = num == 12'h344 & mode == 2'd3 | num == 12'h144 & mode != 2'd0;
  wire        number = num == 12'd0;              // `high` and its owner
  // XLEN 32: those that have a word 1
  wire        counts = num >= 12'hB00 & num <= 12'hB1F | num >= 12'hC00 & num <= 12'hC1F
                     | num > 12'h320 & num <= 12'h33F;
  (* hierconn *) wire [1:0]  \bus.owner_q ;
  (* hierconn *) wire [31:0] \bus.high_q ;
  wire        hidden = \bus.owner_q > mode;
  wire        absent = ~whole | way == 2'd1 | where[16:15] >= WINDOWS | ALIASES == 0 & way != 2'd0 & ~is_ip
                     | word1 & XLEN == 32 & ~counts & ~number;
  wire        refuse = absent | (number ? (reads ? hidden : word1 & wdata[1:0] > mode)
                                 : is_ip ? word1
                                 : word1 & way == 2'd0 ? reads & hidden
                                 : ~hit | illegal | virtual);
  prop_holds error_iff_refused (.when_i(on & rsp_valid), .holds_i(rsp_error == refuse));
  prop_holds performed_if_allowed (.when_i(on & csr_valid), .holds_i(~refuse & hit & ~illegal & ~virtual));
  // the number of its register, or of that register's high half
  wire [11:0] half = ~(XLEN == 32 & counts) ? 12'd0 : num[11:8] == 4'h3 ? 12'h400 : 12'h080;
  prop_holds judged_as_asked (.when_i(on & csr_valid),
      .holds_i((csr_num | half) == (num | half) && csr_priv == mode
               && csr_op == (reads ? 2'd0 : way == 2'd0 ? 2'd1 : way)));
  reg        touched_q = 1'b0, lcofip_q, lcofi_q, rst_q;
  reg [33:0] kept_q;
  wire       touches = csr_valid | ~rst_q & ({\bus.owner_q , \bus.high_q } != kept_q)
                     | ~rst_q & lcofip != lcofip_q & ~lcofi_q;
  always @(posedge clk) begin
    rst_q <= rst;
    {kept_q, lcofip_q, lcofi_q} <= {\bus.owner_q , \bus.high_q , lcofip, lcofi};
    touched_q <= ~rst & req_valid & ~rsp_valid & (touched_q | touches);
  end
  prop_holds refused_changes_nothing (.when_i(on & rsp_valid & rsp_error), .holds_i(~(touched_q | touches)));

  generate
    if (FRONT == 0) begin : g_axil
      wire awready, wready, bvalid, arready, rvalid;
      wire [1:0] bresp, rresp;
      wire [31:0] data;
      tally_bus_axil front (
          .clk(clk), .rst(rst), .axil_awvalid_i(ask), .axil_awready_o(awready), .axil_awaddr_i(addr),
          .axil_wvalid_i(enable), .axil_wready_o(wready), .axil_wdata_i(wdata), .axil_wstrb_i(strobes),
          .axil_bvalid_o(bvalid), .axil_bready_i(take), .axil_bresp_o(bresp), .axil_arvalid_i(ask_read),
          .axil_arready_o(arready), .axil_araddr_i(addr_read), .axil_rvalid_o(rvalid),
          .axil_rready_i(take_read), .axil_rdata_o(data), .axil_rresp_o(rresp), .req_valid_o(req_valid),
          .req_write_o(req_write), .req_word_o(req_word), .req_addr_o(req_addr), .req_wdata_o(req_wdata),
          .rsp_valid_i(rsp_valid), .rsp_error_i(rsp_error), .rsp_rdata_i(rsp_rdata)
      );
      // data may come before or after its address, and stays too
      always @* if (asks_q & asked_q[56] & ~rst) assume (enable);
      reg held_q = 1'b0;
      always @(posedge clk) held_q <= ~rst & enable & ~wready;
      always @* if (held_q & ~rst) assume (enable);
      assign taken = awready, taken_read = arready;
      // accepted and not answered
      reg owes = 1'b0, owes_read = 1'b0;
      reg [34:0] answer_q;
      always @(posedge clk) begin
        owes      <= ~rst & (awready & ask | owes & ~take);
        owes_read <= ~rst & (arready & ask_read | owes_read & ~take_read);
        answer_q  <= {take_read | ~rvalid, data, rresp};
      end
      assign wants = ask & enable & ~owes, wants_read = ask_read & ~owes_read;
      prop_holds address_with_data (.when_i(on & (awready | wready)),
          .holds_i(awready & wready & ask & enable));
      prop_holds only_what_is_asked (.when_i(on & arready), .holds_i(ask_read));
      prop_holds one_answer_to_a_write (.when_i(on), .holds_i(bvalid == owes && !(owes && awready)));
      prop_holds one_answer_to_a_read (.when_i(on), .holds_i(rvalid == owes_read && !(owes_read && arready)));
      prop_holds answer_is_stable (.when_i(on & owes_read & ~answer_q[34]),
                                   .holds_i({data, rresp} == answer_q[33:0]));
    end
    if (FRONT == 1) begin : g_wb
      wire ack, err;
      wire [31:0] data;
      tally_bus_wb front (
          .wb_cyc_i(ask), .wb_stb_i(ask), .wb_we_i(write), .wb_adr_i(addr[18:2]), .wb_sel_i(strobes),
          .wb_dat_i(wdata), .wb_ack_o(ack), .wb_err_o(err), .wb_dat_o(data), .req_valid_o(req_valid),
          .req_write_o(req_write), .req_word_o(req_word), .req_addr_o(req_addr), .req_wdata_o(req_wdata),
          .rsp_valid_i(rsp_valid), .rsp_error_i(rsp_error), .rsp_rdata_i(rsp_rdata)
      );
      assign taken = ack | err, taken_read = 1'b0, wants = ask, wants_read = 1'b0;
      prop_holds only_what_is_asked (.when_i(on & (ack | err)), .holds_i(ask & ~(ack & err)));
    end
    if (FRONT == 2) begin : g_apb
      wire pready, pslverr;
      wire [31:0] data;
      tally_bus_apb front (
          .apb_psel_i(ask), .apb_penable_i(enable), .apb_pwrite_i(write), .apb_paddr_i(addr),
          .apb_pstrb_i(strobes), .apb_pwdata_i(wdata), .apb_pready_o(pready), .apb_pslverr_o(pslverr),
          .apb_prdata_o(data), .req_valid_o(req_valid), .req_write_o(req_write), .req_word_o(req_word),
          .req_addr_o(req_addr), .req_wdata_o(req_wdata), .rsp_valid_i(rsp_valid), .rsp_error_i(rsp_error),
          .rsp_rdata_i(rsp_rdata)
      );
      // set-up is one cycle, then enable until it is taken
      reg setup_q = 1'b0;
      always @(posedge clk) setup_q <= ~rst & ask & ~taken;
      always @* assume (enable == (ask & setup_q));
      assign taken = pready & enable, taken_read = 1'b0, wants = ask & enable, wants_read = 1'b0;
      prop_holds only_what_is_asked (.when_i(on & pready), .holds_i(ask & enable));
      prop_holds error_with_the_answer (.when_i(on & pslverr), .holds_i(pready));
    end
  endgenerate
endmodule

`default_nettype wire
