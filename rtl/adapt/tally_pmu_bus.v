// SPDX-License-Identifier: Apache-2.0
// tally_pmu_bus - the registers of tally_pmu as memory, for harts whose CSR file has no socket
// (docs/cores.md, The registers on a bus).
//
// A request of 32 bits becomes an access of the unit, which judges it as the CSR instruction of the window's
// mode. It must be stable until its answer: rsp_valid_o is 1 for one cycle, and with all of the answer a
// register.
//
// A request that is withdrawn before gets no answer, or one in the cycle behind it, and the next one gets its
// own. It may have been performed: a read then has changed `high`, a write its register. Of a register of 64
// bits of XLEN 32 a part may have been written: word 0 is 0 first, then of a counter word 1 is new, of an
// event word 0, then both are.
//
//   addr_i[18:17]  0 reads, writes; 2 reads, sets bits; 3 reads, clears bits
//   addr_i[16:15]  0 M, 1 S, 2 U window (WINDOWS: how many there are)
//   addr_i[14:3]   CSR number
//   addr_i[2]      0 low, 1 high word
//
// 64-bit registers are not torn. A read of the low word keeps the high one in `high`, which a read of the
// high word shows; a write of the high word goes to `high`, and that of the low word writes both. XLEN 32:
// the high word is the register with the number of the `h` register; a read looks at it before and after the
// low word, a write holds the low word at 0 meanwhile. Number 0 is `high` itself and its window, for
// handlers to save: a value left by a more privileged window is refused. 0x344 (mip; 0x144: sip, in S and M)
// are the requests for interrupts.

`include "tally_spec.vh"

`default_nettype none

module tally_pmu_bus #(
    parameter XLEN     = 64,
    parameter WINDOWS  = 3,   // 3: M, S, U; 2: M, S; 1: M
    parameter ALIASES  = 1,   // 0: only 0x344 and 0x144 have aliases that set and clear bits
    parameter SSCOFPMF = 1,   // of the unit
    parameter ANDES    = 0,
    parameter SMPDIS   = 0
) (
    input  wire            clk,
    input  wire            rst,

    // request, from a front
    input  wire            req_valid_i,
    input  wire            req_write_i,
    input  wire            req_word_i,    // all of its four bytes, and nothing else wrong with it
    input  wire [18:2]     req_addr_i,
    input  wire [31:0]     req_wdata_i,
    output wire            rsp_valid_o,
    output wire            rsp_error_o,
    output wire [31:0]     rsp_rdata_o,   // 0 of an error or a write

    // tally_pmu
    output wire            csr_valid_o,
    output wire [11:0]     csr_num_o,
    output wire [1:0]      csr_op_o,
    output wire [XLEN-1:0] csr_wdata_o,
    output wire [1:0]      csr_priv_o,
    input  wire            csr_hit_i,
    input  wire            csr_illegal_i,
    input  wire            csr_virtual_i,
    input  wire [XLEN-1:0] csr_rdata_i,
    input  wire            ready_i,       // ret_max_o is not 0
    input  wire            irq_lcofi_i,
    input  wire            irq_lambi_i,
    input  wire            irq_andes_i,

    // mip.LCOFIP, LAMBIP, [18]: interrupts as levels
    output wire            lcofip_o,
    output wire            lambip_o,
    output wire            andesp_o
);
  localparam [1:0] IDLE = 2'd0, RUN = 2'd1, ANSWER = 2'd2;
  localparam [1:0] M = 2'd3;
  localparam RV32 = XLEN == 32;

  // ---- the request
  wire [1:0]  way    = req_addr_i[18:17];
  wire [1:0]  window = WINDOWS == 1 ? 2'd0 : req_addr_i[16:15];
  wire [11:0] num    = req_addr_i[14:3];
  wire        high   = req_addr_i[2];
  wire [1:0]  priv   = window == 2'd0 ? M : window == 2'd1 ? 2'd1 : 2'd0;
  wire        plain  = way == 2'd0;
  // registers of 64 bits: XLEN 32: counters, and events but mcountinhibit
  wire        counter = (num[11:8] == 4'hB | num[11:8] == 4'hC) & num[7:5] == 3'd0;
  wire        events  = SSCOFPMF != 0 & num[11:5] == 7'h19 & num[4:0] != 5'd0;
  wire        wide    = RV32 ? counter | events : 1'b1;
  wire        is_high = num == 12'd0;
  wire        is_ip   = num == `TALLY_CSR_MIP & window == 2'd0 | num == `TALLY_CSR_SIP & window != 2'd2;
  wire        outside = {30'd0, req_addr_i[16:15]} >= WINDOWS;
  wire        bad     = ~req_word_i | way == 2'd1 | ALIASES == 0 & ~plain & ~is_ip | outside
                      | high & ~wide & ~is_high;
  wire        own     = is_high | is_ip | high & plain;

  // ---- high, and the least mode that may see it
  reg  [31:0] high_q;
  reg  [1:0]  owner_q;
  wire        seen   = &priv | priv[0] & ~owner_q[1] | owner_q == 2'd0;  // priv >= owner_q
  wire [31:0] high_now = seen ? high_q : 32'd0;

  // ---- requests for interrupts
  reg         lcofip_q, lambip_q, andesp_q;
  localparam LCOFI = `TALLY_INT_LCOFI, LAMBI = `TALLY_INT_LAMBI, ANDESI = `TALLY_INT_ANDES;
  reg  [31:0] ip;
  always @* begin
    ip         = 32'd0;
    ip[LCOFI]  = lcofip_q;
    ip[LAMBI]  = lambip_q;
    ip[ANDESI] = andesp_q;
  end
  wire [31:0] ip_new  = plain ? req_wdata_i : way == 2'd2 ? ip | req_wdata_i : ip & ~req_wdata_i;
  wire        ip_we;
  always @(posedge clk) begin
    // a set by the unit wins over software in the same cycle
    lcofip_q <= ~rst & (irq_lcofi_i | (ip_we ? ip_new[LCOFI] : lcofip_q));
    lambip_q <= ~rst & SMPDIS != 0 & (irq_lambi_i | (ip_we ? ip_new[LAMBI] : lambip_q));
    andesp_q <= ~rst & ANDES != 0 & (irq_andes_i | (ip_we ? ip_new[ANDESI] : andesp_q));
  end
  assign {lcofip_o, lambip_o, andesp_o} = {lcofip_q, lambip_q, andesp_q};

  // ---- steps: XLEN 32 has three for a register of 64 bits
  reg  [1:0] state_q, step_q;
  wire       three = RV32 & wide & plain & ~own;
  wire       last  = ~three | step_q == 2'd2;
  // which half each step accesses: reads H, L, H; writes of counters L (0), H, L, of events L (0), L, H
  wire       at_high  = ~three ? RV32 & high
                      : req_write_i ? step_q == (counter ? 2'd1 : 2'd2) : step_q != 2'd1;
  wire       run      = state_q == RUN & req_valid_i;
  wire       give     = &priv | priv[0] & ~req_wdata_i[1] | req_wdata_i[1:0] == 2'd0;
  wire       secret  = req_write_i ? is_high & high & ~give : ~is_ip & ~seen;
  wire       refused  = bad | (own ? is_ip & high | secret : ~csr_hit_i | csr_illegal_i | csr_virtual_i);
  wire       step     = run & (ready_i | own | bad);
  wire       perform  = step & ~refused;

  assign csr_num_o   = own | bad | ~run ? 12'd0
                     : num | {1'b0, at_high & events, 2'd0, at_high & counter, 7'd0};
  assign csr_op_o    = ALIASES != 0 && !plain ? way & {2{req_write_i}} : {1'b0, req_write_i};
  assign csr_priv_o  = priv;
  assign csr_valid_o = perform & ~own;
  generate
    if (XLEN == 64) begin : g_wide
      assign csr_wdata_o = plain ? {high_now, req_wdata_i}
                         : high ? {req_wdata_i, 32'd0} : {32'd0, req_wdata_i};
    end else begin : g_halves
      assign csr_wdata_o = !three ? req_wdata_i : at_high ? high_now : step_q == 2'd0 ? 32'd0 : req_wdata_i;
    end
  endgenerate
  assign ip_we = perform & is_ip & req_write_i;

  // ---- the answer
  reg  [31:0] data_q;
  reg         error_q;
  wire [31:0] high_rdata = XLEN == 64 ? csr_rdata_i[XLEN-1:XLEN-32] : csr_rdata_i[31:0];
  wire [31:0] own_rdata  = is_ip ? ip : is_high & high ? {30'd0, owner_q} : high_q;
  wire        keep_high  = perform & ~own & ~req_write_i
                         & (RV32 ? three & (step_q == 2'd0 | step_q == 2'd2 & ~data_q[31]) : ~high);
  wire        write_high = perform & req_write_i & (is_high & ~high | ~is_high & ~is_ip & high & plain);
  always @(posedge clk) begin
    case (state_q)
      IDLE:    if (req_valid_i) state_q <= RUN;
      RUN:     if (!req_valid_i) state_q <= IDLE;
               else if (step & (last | refused)) state_q <= ANSWER;
      default: state_q <= IDLE;
    endcase
    step_q <= !run ? 2'd0 : step ? step_q + 2'd1 : step_q;
    if (step) begin
      error_q <= refused;
      if (refused | req_write_i) data_q <= 32'd0;
      else if (own) data_q <= own_rdata;
      else if (~three | step_q == 2'd1) data_q <= XLEN == 64 & high ? high_rdata : csr_rdata_i[31:0];
    end
    if (keep_high | write_high) {owner_q, high_q} <= {priv, write_high ? req_wdata_i : high_rdata};
    else if (perform & is_high & high & req_write_i) owner_q <= req_wdata_i[1:0];
    if (rst) {state_q, owner_q, high_q} <= {IDLE, 2'd0, 32'd0};
  end
  assign rsp_valid_o = state_q == ANSWER;
  assign rsp_error_o = error_q;
  assign rsp_rdata_o = data_q;

  wire unused_ok = &{1'b0, ip_new};
endmodule

`default_nettype wire
