// SPDX-License-Identifier: Apache-2.0
// tally_pmp_registers - pmpcfg0, pmpaddr0 to pmpaddr7, mseccfg, and their decoding for tally_pmp, registered.
//
// Privileged manual, Physical Memory Protection CSRs; Smepmp (SMEPMP=1). Granularity is four bytes.

`default_nettype none
`include "tally_spec.vh"
`include "tally_idle.vh"

module tally_pmp_registers #(
    parameter MEM_W  = 36, // there is no memory above 2^MEM_W
    parameter SMEPMP = 1   // mseccfg
) (
    input  wire               clk,
    input  wire               rst,

    // a CSR is written; wdata_i is its new value
    input  wire               we_i,
    input  wire [11:0]        num_i,
    input  wire [63:0]        wdata_i,

    output wire [63:0]        cfg_o,
    output wire               mml_o,   // mseccfg
    output wire               mmwp_o,
    output wire               rlb_o,
    output wire [8*54-1:0]    addr_o,
    output wire [8*MEM_W-1:0] shape_o, // {near, far, mask} of each entry (tally_pmp); a cycle later
    output wire               fine_o,  // a region may begin or end inside a page; a cycle later
    output wire               write_o  // PMP was written in the cycle before
);
  wire [7:0]  cfg  [0:7];
  wire [53:0] addr [0:7];

  // Locked entries, and the address below a locked TOR entry, keep their value, unless mseccfg.RLB is set.
  // R=0 with W=1 is reserved without mseccfg.MML: W reads 0. With it, rules that let M-mode execute are not
  // taken, unless RLB is set: their entry keeps its value.
  localparam [11:0] PMPADDR0 = `TALLY_CSR_PMPADDR0;

  wire cfg_we  = we_i && num_i == `TALLY_CSR_PMPCFG0;
  wire sec_we;
  wire addr_we = we_i && num_i[11:3] == PMPADDR0[11:3];

  reg [7:0] has_lock;      // pmpcfg.L
  reg [7:0] locked;        // ... and no bypass
  reg [7:0] adds_m_code;   // the value written lets M-mode execute, with MML
  reg [7:0] entry_we;
  always @* begin : writable
    integer e;
    has_lock    = 8'd0;
    locked      = 8'd0;
    adds_m_code = 8'd0;
    entry_we    = 8'd0;
    if (`TALLY_ACTIVE(we_i)) begin
      for (e = 0; e < 8; e = e + 1) begin
        has_lock[e]    = cfg[e][7];
        locked[e]      = has_lock[e] && !rlb_o;
        adds_m_code[e] = mml_o && !rlb_o && wdata_i[8*e+7] &&
                           (wdata_i[8*e+2] ? !(wdata_i[8*e+1] && wdata_i[8*e]) :
                                             wdata_i[8*e+1] && !wdata_i[8*e]);
      end
      for (e = 0; e < 8; e = e + 1)
        entry_we[e] = addr_we && num_i[2:0] == e[2:0] && !locked[e] &&
                        !(e != 7 && locked[(e+1)&7] && cfg[(e+1)&7][4:3] == 2'd1);
    end
  end

  generate
    if (SMEPMP != 0) begin : g_smepmp
      reg mml_q, mmwp_q, rlb_q;
      wire mseccfg_we = we_i && num_i == `TALLY_CSR_MSECCFG;
      always @(posedge clk)
        if (rst) begin
          mml_q  <= 1'b0;
          mmwp_q <= 1'b0;
          rlb_q  <= 1'b0;
        end else if (mseccfg_we) begin
          mml_q  <= mml_q || wdata_i[`TALLY_MSECCFG_MML_LSB];
          mmwp_q <= mmwp_q || wdata_i[`TALLY_MSECCFG_MMWP_LSB];
          rlb_q  <= wdata_i[`TALLY_MSECCFG_RLB_LSB] && (rlb_q || has_lock == 8'd0);
        end
      assign mml_o  = mml_q;
      assign mmwp_o = mmwp_q;
      assign rlb_o  = rlb_q;
      assign sec_we = mseccfg_we;
    end else begin : g_plain
      assign mml_o  = 1'b0;
      assign mmwp_o = 1'b0;
      assign rlb_o  = 1'b0;
      assign sec_we = 1'b0;
    end
  endgenerate

  genvar g;
  generate
    for (g = 0; g < 8; g = g + 1) begin : g_entry
      reg [7:0]  cfg_q;
      reg [53:0] addr_q;
      always @(posedge clk)
        if (rst) begin
          cfg_q  <= 8'b0;
          addr_q <= 54'b0;
        end else begin
          if (cfg_we && !locked[g] && !adds_m_code[g])
            cfg_q <= {wdata_i[8*g+7], 2'b00, wdata_i[8*g+3 +: 2], wdata_i[8*g+2],
                      wdata_i[8*g+1] && (wdata_i[8*g] || mml_o), wdata_i[8*g]};
          if (entry_we[g]) addr_q <= wdata_i[53:0];
        end
      assign cfg[g]  = cfg_q;
      assign addr[g] = addr_q;
    end
  endgenerate

  // The shape of a region follows from pmpaddr alone and is worked out in the cycle after the write: the
  // refetch that the write causes reaches F2, the first to use it, later.
  localparam        PMP_W = MEM_W - 2;
  reg  [7:0]        shape_we_q;
  reg  [53:0]       shape_addr_q;
  wire [53:0]       napot = shape_addr_q ^ (shape_addr_q + 54'd1);
  wire              far   = |shape_addr_q[53:PMP_W];
  wire              near  = (shape_addr_q[53:PMP_W] & ~napot[53:PMP_W]) == {54-PMP_W{1'b0}};

  always @(posedge clk) begin
    shape_we_q <= rst ? 8'd0 : entry_we;
    if (|entry_we) shape_addr_q <= wdata_i[53:0];
  end

  generate
    for (g = 0; g < 8; g = g + 1) begin : g_shape
      reg [MEM_W-1:0] shape_q;
      always @(posedge clk)
        if (rst) shape_q <= {2'b10, {PMP_W-1{1'b0}}, 1'b1};
        else if (shape_we_q[g]) shape_q <= {near, far, napot[PMP_W-1:0]};
      assign shape_o[MEM_W*g +: MEM_W] = shape_q;
      assign cfg_o[8*g +: 8]           = cfg[g];
      assign addr_o[54*g +: 54]        = addr[g];
    end
  endgenerate

  // Does a region end inside a page? Then the answer for a page needs each of its words.
  reg  [7:0] uneven;                      // pmpaddr of this entry, as the end of a region, is inside a page
  reg  [7:0] fine;
  reg        fine_q, write_q;
  always @* begin : pmp_ends
    integer e;
    uneven = 8'd0;
    fine   = 8'd0;
    if (`TALLY_ACTIVE(write_q)) begin
      for (e = 0; e < 8; e = e + 1) uneven[e] = |addr[e][9:0];
      for (e = 0; e < 8; e = e + 1)
        case (cfg[e][4:3])
          2'd0:    fine[e] = 1'b0;
          2'd1:    fine[e] = uneven[e] | (e != 0 & uneven[(e+7)&7]);
          2'd2:    fine[e] = 1'b1;
          default: fine[e] = ~&addr[e][8:0];
        endcase
    end
  end
  always @(posedge clk) begin
    if (rst) fine_q <= 1'b0;
    else if (`TALLY_ACTIVE(write_q)) fine_q <= |fine;
    write_q <= cfg_we | addr_we | sec_we;
  end

  assign fine_o  = fine_q;
  assign write_o = write_q;

  wire unused_ok = &{1'b0, PMPADDR0[2:0]};
endmodule

`default_nettype wire
