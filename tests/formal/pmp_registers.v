// SPDX-License-Identifier: Apache-2.0
// pmp_registers - contents of pmpcfg0, pmpaddr0 to pmpaddr7 and mseccfg (tally_pmp_registers) after any
// sequence of writes: locks, bypass, sticky bits, refused rules, and the shapes that tally_pmp is given
// (privileged manual, Physical Memory Protection CSRs; Smepmp). `n` is an entry that the solver chooses.

`include "tally_spec.vh"
`include "pmp_shape.vh"

`default_nettype none

module pmp_registers #(
    parameter MEM_W  = 36,
    parameter SMEPMP = 1
) (
    input wire        clk, rst,
    input wire        we,
    input wire [11:0] num,
    input wire [63:0] wdata
);
  `TALLY_PMP_SHAPE(MEM_W)

  wire [63:0]        cfg;
  wire [8*54-1:0]    addr;
  wire [8*MEM_W-1:0] shapes;
  wire               mml, mmwp, rlb, fine, write;
  tally_pmp_registers #(.MEM_W(MEM_W), .SMEPMP(SMEPMP)) dut (
      .clk(clk), .rst(rst), .we_i(we), .num_i(num), .wdata_i(wdata), .cfg_o(cfg), .mml_o(mml), .mmwp_o(mmwp),
      .rlb_o(rlb), .addr_o(addr), .shape_o(shapes), .fine_o(fine), .write_o(write)
  );
  (* hierconn *) wire [7:0]  \dut.shape_we_q ;
  (* hierconn *) wire [53:0] \dut.shape_addr_q ;

  (* anyconst *) wire [2:0] n;
  wire [2:0]  above    = n + 3'd1;
  wire [7:0]  entry    = cfg[8*n +: 8], next = cfg[8*above +: 8], written = wdata[8*n +: 8];
  wire [53:0] at       = addr[54*n +: 54];
  wire        some_lock = |(cfg & {8{8'h80}});
  wire        locked   = entry[7] & ~rlb;
  wire        held     = locked | (n != 3'd7 & next[7] & ~rlb & next[4:3] == 2'd1);

  // Rules that let M-mode execute, with MML: M-mode only, or locked shared code
  wire [3:0]  lrwx   = {written[7], written[0], written[1], written[2]};
  wire        m_code = lrwx == 4'b1001 | lrwx == 4'b1010 | lrwx == 4'b1011 | lrwx == 4'b1101;
  wire        refused = locked | (mml & ~rlb & m_code);

  reg up = 1'b0;
  always @(posedge clk) up <= up | rst;
  always @* if (!up) assume (rst);
  wire on = up & ~rst;

  wire cfg_we  = we & num == `TALLY_CSR_PMPCFG0;
  wire addr_we = we & num == `TALLY_CSR_PMPADDR0 + n;
  wire sec_we  = we & num == `TALLY_CSR_MSECCFG & SMEPMP != 0;

  prop_becomes #(.W(72)) pmp_reset_opens (.clk(clk), .when_i(rst), .value_i({cfg, 5'd0, mml, mmwp, rlb}),
      .then_i(72'd0));
  prop_becomes smepmp_mml_is_sticky (.clk(clk), .when_i(on & mml), .value_i(mml), .then_i(1'b1));
  prop_becomes smepmp_mmwp_is_sticky (.clk(clk), .when_i(on & mmwp), .value_i(mmwp), .then_i(1'b1));
  prop_becomes #(.W(2)) smepmp_bits_are_set (.clk(clk), .when_i(on & sec_we), .value_i({mmwp, mml}),
      .then_i({mmwp, mml} | wdata[1:0]));
  prop_becomes #(.W(3)) smepmp_bits_stay (.clk(clk), .when_i(on & ~sec_we), .value_i({rlb, mmwp, mml}),
      .then_i({rlb, mmwp, mml}));
  prop_becomes smepmp_rlb_stays_0_with_a_lock (.clk(clk), .when_i(on & ~rlb & some_lock), .value_i(rlb),
      .then_i(1'b0));
  prop_becomes smepmp_rlb_is_written_otherwise (.clk(clk), .when_i(on & sec_we & (rlb | ~some_lock)),
      .value_i(rlb), .then_i(wdata[2]));
  prop_becomes #(.W(62)) pmp_locked_entry_stays (.clk(clk), .when_i(on & locked), .value_i({entry, at}),
      .then_i({entry, at}));
  prop_becomes #(.W(54)) pmp_address_below_locked_tor_stays (.clk(clk), .when_i(on & held), .value_i(at),
      .then_i(at));
  prop_becomes #(.W(8)) smepmp_m_code_is_not_added (.clk(clk), .when_i(on & cfg_we & mml & ~rlb & m_code),
      .value_i(entry), .then_i(entry));
  prop_becomes #(.W(8)) pmp_configuration_is_taken (.clk(clk), .when_i(on & cfg_we & ~refused),
      .value_i(entry),
      .then_i({written[7], 2'b00, written[4:2], written[1] & (written[0] | mml), written[0]}));
  prop_becomes #(.W(54)) pmp_address_is_taken (.clk(clk), .when_i(on & addr_we & ~held), .value_i(at),
      .then_i(wdata[53:0]));
  prop_becomes #(.W(62)) pmp_stays_without_a_write (.clk(clk), .when_i(on & ~cfg_we & ~addr_we),
      .value_i({entry, at}), .then_i({entry, at}));
  prop_holds pmp_reserved_without_mml (.when_i(up & ~mml), .holds_i(~entry[1] | entry[0]));
  prop_becomes pmp_write_is_told (.clk(clk), .when_i(on & (cfg_we | addr_we | sec_we)), .value_i(write),
      .then_i(1'b1));
  // The shape follows an address a cycle later.
  prop_holds pmp_shape_is_due (.when_i(up & \dut.shape_we_q [n]), .holds_i(\dut.shape_addr_q == at));
  prop_holds pmp_shape_is_the_address_s (.when_i(up & ~\dut.shape_we_q [n]),
      .holds_i(shapes[MEM_W*n +: MEM_W] == pmp_shape(at)));
  // Without the extension there is no mseccfg.
  generate
    if (SMEPMP == 0) begin : g_plain
      prop_holds smepmp_absent (.when_i(up), .holds_i(~(mml | mmwp | rlb)));
    end
  endgenerate
endmodule

`default_nettype wire
