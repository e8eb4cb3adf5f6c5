// SPDX-License-Identifier: Apache-2.0
// records_formal - a word of a sample record becomes two writes, the low half first, each once, and is done
// with the second; nothing else is written (docs/cores.md, Sample records on a bus): tally_records behind
// tally_records_axil (FRONT 0), _wb (1), _apb (2).
//
// Assumed: reset first; the unit keeps its word until it is taken; the slave keeps the rules of its bus and
// answers within WAIT cycles.

`default_nettype none

module records_formal #(
    parameter FRONT = 0,
    parameter WAIT  = 2,
    parameter LIMIT = 6 * (WAIT + 1) + 2   // cycles of a word, at most
) (
    input wire        clk,
    input wire        rst,
    input wire        valid, ready, ready_data, answer, error,
    input wire [55:0] addr,
    input wire [63:0] data,
    input wire        xlat_req,
    input wire [31:0] xlat_vaddr,
    input wire [1:0]  xlat_mode
);
  wire        taken, done, inval, write_valid, write_done, write_error, xlat_done, xlat_fault;
  wire [31:2] write_addr;
  wire [31:0] write_data;
  wire [55:0] xlat_paddr;
  tally_records records (
      .clk(clk), .rst(rst), .rec_valid_i(valid), .rec_ready_o(taken), .rec_addr_i(addr), .rec_data_i(data),
      .rec_done_o(done), .xlat_req_i(xlat_req), .xlat_vaddr_i(xlat_vaddr), .xlat_mode_i(xlat_mode),
      .xlat_done_o(xlat_done), .xlat_fault_o(xlat_fault), .xlat_paddr_o(xlat_paddr), .tlb_inval_o(inval),
      .write_valid_o(write_valid), .write_addr_o(write_addr), .write_data_o(write_data),
      .write_done_i(write_done), .write_error_i(write_error)
  );

  reg up = 1'b0;
  always @(posedge clk) up <= up | rst;
  wire on = up & ~rst;
  always @* if (!up) assume (rst);

  // ---- the unit's word stays
  reg         holds_q = 1'b0;
  reg [119:0] word_q;
  always @(posedge clk) begin
    holds_q <= ~rst & valid & ~taken;
    word_q  <= {addr, data};
  end
  always @* if (holds_q & ~rst) assume (valid && {addr, data} == word_q);

  // ---- the bus: the address and the data of a write, and its answer
  wire        sees_addr, sees_data, sees_answer, sees_error;
  wire [31:0] bus_addr, bus_data;
  // halves of the first word that are written, and the accepted part of the next
  reg         half_q = 1'b0, addr_q = 1'b0, data_q = 1'b0;
  always @(posedge clk) begin
    half_q <= ~rst & (half_q ^ sees_answer);
    addr_q <= ~rst & (sees_addr | addr_q) & ~sees_answer;
    data_q <= ~rst & (sees_data | data_q) & ~sees_answer;
  end
  prop_holds addr_of_the_half (.when_i(on & sees_addr),
      .holds_i(valid && !addr_q && bus_addr == {addr[31:3], half_q, 2'd0}));
  prop_holds data_of_the_half (.when_i(on & sees_data),
      .holds_i(valid && !data_q && bus_data == (half_q ? data[63:32] : data[31:0])));
  prop_holds taken_when_written (.when_i(on), .holds_i(taken == (sees_answer & half_q) && done == taken));
  prop_holds half_needs_a_word (.when_i(on & (half_q | addr_q | data_q)), .holds_i(valid));

  reg [7:0] age = 8'd0;
  always @(posedge clk) age <= rst | ~valid | taken ? 8'd0 : age + 8'd1;
  prop_holds written_in_time (.when_i(on & valid), .holds_i(age <= LIMIT));

  // ---- an error takes the pages away, and refuses one answer after that
  // (more errors of the same queue do not refuse another), unless it comes in the cycle of that answer, void
  reg failed_q = 1'b0, refused_q = 1'b0;
  always @(posedge clk) begin
    if (rst) failed_q <= 1'b0;
    else if (inval && !refused_q) failed_q <= 1'b1;
    else if (xlat_done && !inval) failed_q <= 1'b0;
    if (rst) refused_q <= 1'b0;
    else if (xlat_done) refused_q <= failed_q;
  end
  // why: registers of the design are those of this file
  (* hierconn *) wire \records.high_q , \records.failed_q , \records.refused_q ;
  prop_holds half_is_half (.when_i(on), .holds_i(\records.high_q == half_q));
  prop_holds failed_is_failed (.when_i(on),
      .holds_i(\records.failed_q == failed_q && \records.refused_q == refused_q));
  prop_holds error_takes_pages (.when_i(on), .holds_i(inval == (sees_answer & sees_error)));
  prop_holds error_is_a_fault (.when_i(on & xlat_done & failed_q), .holds_i(xlat_fault));
  prop_holds pages_of_m (.when_i(on & xlat_req),
      .holds_i(xlat_done && (xlat_fault || xlat_mode == 2'd3 && xlat_paddr == {24'd0, xlat_vaddr})));

  generate
    if (FRONT == 0) begin : g_axil
      wire        awvalid, wvalid, bready;
      wire [2:0]  awprot;
      wire [3:0]  wstrb;
      tally_records_axil front (
          .clk(clk), .rst(rst), .axil_awvalid_o(awvalid), .axil_awready_i(ready), .axil_awaddr_o(bus_addr),
          .axil_awprot_o(awprot), .axil_wvalid_o(wvalid), .axil_wready_i(ready_data), .axil_wdata_o(bus_data),
          .axil_wstrb_o(wstrb), .axil_bvalid_i(answer), .axil_bready_o(bready), .axil_bresp_i({error, 1'b0}),
          .write_valid_i(write_valid), .write_addr_i(write_addr), .write_data_i(write_data),
          .write_done_o(write_done), .write_error_o(write_error)
      );
      assign sees_addr = awvalid & ready, sees_data = wvalid & ready_data, sees_answer = answer & bready;
      assign sees_error = error;
      // an answer follows both, and stays
      reg [7:0] waits_addr = 8'd0, waits_data = 8'd0, waits_answer = 8'd0;
      reg       answers_q = 1'b0;
      always @(posedge clk) begin
        answers_q    <= ~rst & answer & ~bready;
        waits_addr   <= ~rst & awvalid & ~ready ? waits_addr + 8'd1 : 8'd0;
        waits_data   <= ~rst & wvalid & ~ready_data ? waits_data + 8'd1 : 8'd0;
        waits_answer <= ~rst & bready & ~answer ? waits_answer + 8'd1 : 8'd0;
      end
      always @* begin
        if (answer & ~rst) assume (addr_q & data_q);
        if (answers_q & ~rst) assume (answer);
        if (waits_addr >= WAIT) assume (ready);
        if (waits_data >= WAIT) assume (ready_data);
        if (waits_answer >= WAIT) assume (answer);
      end
      (* hierconn *) wire \front.addressed_q , \front.sent_q ;
      prop_holds taken_is_taken (.when_i(on),
          .holds_i(\front.addressed_q == addr_q && \front.sent_q == data_q));
      prop_holds valid_stays (.when_i(on & holds_q), .holds_i((awvalid | addr_q) & (wvalid | data_q)));
      prop_holds whole_words (.when_i(on & wvalid), .holds_i(wstrb == 4'hF));
    end
    if (FRONT == 1) begin : g_wb
      wire        cyc, stb, we;
      wire [31:2] adr;
      wire [3:0]  sel;
      tally_records_wb front (
          .wb_cyc_o(cyc), .wb_stb_o(stb), .wb_we_o(we), .wb_adr_o(adr), .wb_sel_o(sel), .wb_dat_o(bus_data),
          .wb_ack_i(answer & ~error), .wb_err_i(answer & error), .write_valid_i(write_valid),
          .write_addr_i(write_addr), .write_data_i(write_data), .write_done_o(write_done),
          .write_error_o(write_error)
      );
      assign bus_addr  = {adr, 2'd0};
      assign sees_addr   = cyc & stb & answer, sees_data = sees_addr;
      assign sees_answer = sees_addr, sees_error = error;
      reg [7:0] waits = 8'd0;
      always @(posedge clk) waits <= ~rst & stb & ~answer ? waits + 8'd1 : 8'd0;
      always @* if (waits >= WAIT) assume (answer);
      prop_holds whole_words (.when_i(on & stb), .holds_i(cyc && we && sel == 4'hF));
    end
    if (FRONT == 2) begin : g_apb
      wire        sel, enable, write;
      wire [2:0]  prot;
      wire [3:0]  strb;
      tally_records_apb front (
          .clk(clk), .rst(rst), .apb_psel_o(sel), .apb_penable_o(enable), .apb_pwrite_o(write),
          .apb_paddr_o(bus_addr), .apb_pprot_o(prot), .apb_pstrb_o(strb), .apb_pwdata_o(bus_data),
          .apb_pready_i(answer), .apb_pslverr_i(error), .write_valid_i(write_valid),
          .write_addr_i(write_addr), .write_data_i(write_data), .write_done_o(write_done),
          .write_error_o(write_error)
      );
      assign sees_addr   = sel & enable & answer, sees_data = sees_addr;
      assign sees_answer = sees_addr, sees_error = error;
      // one cycle of set-up, then enable until it is taken, and never without sel
      reg       setup_q = 1'b0;
      reg [7:0] waits = 8'd0;
      always @(posedge clk) begin
        setup_q <= ~rst & sel & ~(enable & answer);
        waits   <= ~rst & enable & ~answer ? waits + 8'd1 : 8'd0;
      end
      always @* if (waits >= WAIT) assume (answer);
      prop_holds phases (.when_i(on), .holds_i(enable == setup_q && (!enable || sel)));
      prop_holds whole_words (.when_i(on & sel), .holds_i(write && strb == 4'hF));
    end
  endgenerate
endmodule

`default_nettype wire
