// SPDX-License-Identifier: Apache-2.0
// tally_csr - the CSR file: reads, writes, legality. Traps, interrupts and PMP are its parts.
//
// An access is answered in its own cycle; state changes at the clock edge. The unit answers for its CSRs
// itself (pmu_hit_i) and decides who may access them. Privileged manual, Control and Status Registers; Sstc;
// Smstateen; docs/hart.md. mslideleg, slie, slip: docs/rulings.md, Andes and Sscofpmf.

`default_nettype none
`include "tally_spec.vh"

module tally_csr #(
    parameter XLEN   = 64,
    parameter HARTID = 0,
    parameter MEM_W  = 36, // there is no memory above 2^MEM_W
    parameter SMEPMP = 1,  // mseccfg
    parameter ANDES  = 1   // mslideleg, slie, slip: interrupt 18 by the numbers of AndeStar V5
) (
    input  wire            clk,
    input  wire            rst,

    // access: performed when valid; the answers hold for number and mode without it too
    input  wire            acc_valid_i,    // late-arriving; number and operation are a cycle old
    input  wire [11:0]     acc_num_i,
    input  wire [1:0]      acc_op_i,       // 0 read only, 1 write, 2 set, 3 clear
    input  wire [XLEN-1:0] acc_wdata_i,
    output wire            acc_illegal_o,
    output wire [XLEN-1:0] acc_rdata_o,
    output wire            acc_context_o,  // a write changes the context of fetch or memory accesses: refetch
    output wire            satp_write_o,   // satp is written

    // the unit's answer to the same access
    input  wire            pmu_hit_i,
    input  wire            pmu_illegal_i,
    input  wire            pmu_virtual_i,
    input  wire [XLEN-1:0] pmu_rdata_i,
    input  wire            pmu_tm_i,       // mcounteren.TM: S-mode may touch stimecmp

    // traps and returns, at most one a cycle (late-arriving)
    input  wire            trap_i,
    input  wire            trap_irq_i,
    input  wire [3:0]      trap_cause_i,   // of an exception
    input  wire [XLEN-1:0] trap_epc_i,
    input  wire [XLEN-1:0] trap_tval_i,
    output wire [XLEN-1:0] trap_target_o,
    input  wire            mret_i,
    input  wire            sret_i,
    output wire [XLEN-1:0] mepc_o,
    output wire [XLEN-1:0] sepc_o,

    // interrupts
    input  wire            irq_msip_i,
    input  wire            irq_mtip_i,
    input  wire            irq_meip_i,
    input  wire            irq_seip_i,
    input  wire            set_lcofip_i,
    input  wire            set_lambip_i,
    input  wire            set_andes_i,
    input  wire [63:0]     time_i,
    output wire            irq_o,          // an interrupt is to be taken before the next instruction;
                                           // void in the cycle after a trap, a return or a write
    output wire            write_o,        // a register of this module is written (late-arriving)
    output wire            wake_o,         // mip & mie is not zero; the unit's bits of it a cycle later

    // state that other modules obey
    output wire [1:0]      priv_o,
    output wire            tvm_o,
    output wire            tw_o,
    output wire            tsr_o,
    output wire [XLEN-1:0] satp_o,
    output wire            adue_o,
    output wire [1:0]      ls_priv_o,      // mode of explicit memory accesses, MPRV applied; a cycle later
    output wire            ls_mxr_o,
    output wire            ls_sum_o,
    output wire [63:0]     pmp_cfg_o,
    output wire            pmp_mml_o,      // mseccfg
    output wire            pmp_mmwp_o,
    output wire [8*54-1:0] pmp_addr_o,
    output wire [8*MEM_W-1:0] pmp_shape_o, // {near, far, mask} of each entry (tally_pmp); a cycle later
    output wire            pmp_fine_o,     // a region may begin or end inside a page; a cycle later
    output wire            pmp_write_o,    // PMP has been written in the cycle before
    output wire            cde_o,
    output wire            pdiss_o,
    output wire [63:0]     mstateen0_o,
    output wire            sstateen_c_o,   // sstateen0.C, as S-mode reads it
    output wire            lcofip_o
);
  localparam [11:0] PMPCFG0   = `TALLY_CSR_PMPCFG0;
  localparam [11:0] PMPADDR0  = `TALLY_CSR_PMPADDR0;
  localparam [11:0] PMPADDR63 = `TALLY_CSR_PMPADDR63;
  localparam        ANDES_INT = `TALLY_INT_ANDES;

  wire [1:0]      priv;
  wire [XLEN-1:0] mstatus, mtvec, mepc, mcause, mtval, stvec, sepc, scause, stval;
  wire [31:0]     medeleg, mideleg, mie, mip, mip_written;

  reg [XLEN-1:0] mscratch_q, sscratch_q, satp_q;
  reg [63:0]     stimecmp_q;
  reg            stce_q, adue_q, cde_q, pdiss_q, mfiom_q;      // menvcfg
  reg            sfiom_q;                                      // senvcfg
  reg            se0_q, envcfg_q, csrind_q, pdis_q, custom_q;  // mstateen0
  reg            scustom_q;                                    // sstateen0.C

  // ---------------------------------------------------------------------------------------------------------
  // Views

  localparam [XLEN-1:0] SSTATUS_MASK = `TALLY_SSTATUS_WMASK | 64'd3 << `TALLY_SSTATUS_UXL_LSB;
  wire [XLEN-1:0] sstatus = mstatus & SSTATUS_MASK;

  reg [63:0] menvcfg, mstateen0;
  always @* begin
    menvcfg                                = 64'b0;
    menvcfg[`TALLY_MENVCFG_STCE_LSB]       = stce_q;
    menvcfg[`TALLY_MENVCFG_ADUE_LSB]       = adue_q;
    menvcfg[`TALLY_MENVCFG_CDE_LSB]        = cde_q;
    menvcfg[`TALLY_MENVCFG_PDISS_LSB]      = pdiss_q;
    menvcfg[`TALLY_MENVCFG_FIOM_LSB]       = mfiom_q;
    mstateen0                              = 64'b0;
    mstateen0[`TALLY_MSTATEEN0_SE0_LSB]    = se0_q;
    mstateen0[`TALLY_MSTATEEN0_ENVCFG_LSB] = envcfg_q;
    mstateen0[`TALLY_MSTATEEN0_CSRIND_LSB] = csrind_q;
    mstateen0[`TALLY_MSTATEEN0_PDIS_LSB]   = pdis_q;
    mstateen0[`TALLY_MSTATEEN0_C_LSB]      = custom_q;
  end

  // ---------------------------------------------------------------------------------------------------------
  // Reads: one entry gives legality and data, so that the two can't drift apart

  reg            legal;
  reg [XLEN-1:0] rdata;
  wire [2:0]     pmp_n = acc_num_i[2:0];
  // One of eight by a multiplexer: a part select by 54 * n is a multiplier and a shifter in hardware.
  wire [53:0]    pmp_addr [0:7];
  genvar e;
  generate
    for (e = 0; e < 8; e = e + 1) begin : g_pmp_addr
      assign pmp_addr[e] = pmp_addr_o[54*e +: 54];
    end
  endgenerate
  wire           pmp_rlb;

  wire below_m = priv != 2'd3;

  always @* begin
    legal = 1'b1;
    rdata = {XLEN{1'b0}};
    case (acc_num_i)
      `TALLY_CSR_SSTATUS:    rdata = sstatus;
      `TALLY_CSR_SIE:        rdata = {32'b0, mie & mideleg};
      `TALLY_CSR_STVEC:      rdata = stvec;
      `TALLY_CSR_SENVCFG: begin
        legal    = !(below_m && !envcfg_q);
        rdata[0] = sfiom_q;
      end
      `TALLY_CSR_SSTATEEN0: begin
        legal    = !(below_m && !se0_q);
        rdata[0] = sstateen_c_o;
      end
      `TALLY_CSR_SSTATEEN1,
      `TALLY_CSR_SSTATEEN2,
      `TALLY_CSR_SSTATEEN3:  legal = !below_m;
      `TALLY_CSR_SSCRATCH:   rdata = sscratch_q;
      `TALLY_CSR_SEPC:       rdata = sepc;
      `TALLY_CSR_SCAUSE:     rdata = scause;
      `TALLY_CSR_STVAL:      rdata = stval;
      `TALLY_CSR_SIP:        rdata = {32'b0, mip & mideleg};
      `TALLY_CSR_STIMECMP: begin
        legal = !(below_m && !(stce_q && pmu_tm_i));
        rdata = stimecmp_q;
      end
      `TALLY_CSR_SATP: begin
        legal = !(priv == 2'd1 && tvm_o);
        rdata = satp_q;
      end
      `TALLY_CSR_MSTATUS:    rdata = mstatus;
      `TALLY_CSR_MISA:       rdata = `TALLY_MISA_RESET;
      `TALLY_CSR_MEDELEG:    rdata = {32'b0, medeleg};
      `TALLY_CSR_MIDELEG:    rdata = {32'b0, mideleg};
      `TALLY_CSR_MIE:        rdata = {32'b0, mie};
      `TALLY_CSR_MTVEC:      rdata = mtvec;
      `TALLY_CSR_MENVCFG:    rdata = menvcfg;
      `TALLY_CSR_MSTATEEN0:  rdata = mstateen0;
      `TALLY_CSR_MSCRATCH:   rdata = mscratch_q;
      `TALLY_CSR_MEPC:       rdata = mepc;
      `TALLY_CSR_MCAUSE:     rdata = mcause;
      `TALLY_CSR_MTVAL:      rdata = mtval;
      `TALLY_CSR_MIP:        rdata = {32'b0, mip};
      `TALLY_CSR_PMPCFG0:    rdata = pmp_cfg_o;
      `TALLY_CSR_MSECCFG: begin
        legal                        = SMEPMP != 0;
        rdata[`TALLY_MSECCFG_MML_LSB]  = pmp_mml_o;
        rdata[`TALLY_MSECCFG_MMWP_LSB] = pmp_mmwp_o;
        rdata[`TALLY_MSECCFG_RLB_LSB]  = pmp_rlb;
      end
      `TALLY_CSR_MSLIDELEG: begin
        legal     = ANDES != 0;
        rdata[ANDES_INT] = mideleg[ANDES_INT];
      end
      `TALLY_CSR_SLIE: begin
        legal     = ANDES != 0 && !(below_m && !custom_q);
        rdata[ANDES_INT] = mie[ANDES_INT] && mideleg[ANDES_INT];
      end
      `TALLY_CSR_SLIP: begin
        legal     = ANDES != 0 && !(below_m && !custom_q);
        rdata[ANDES_INT] = mip[ANDES_INT] && mideleg[ANDES_INT];
      end
      `TALLY_CSR_MIMPID:     rdata = `TALLY_MIMPID_RESET;
      `TALLY_CSR_MHARTID:    rdata = HARTID;
      `TALLY_CSR_MVENDORID, `TALLY_CSR_MARCHID, `TALLY_CSR_MCONFIGPTR,
      `TALLY_CSR_MSTATEEN1, `TALLY_CSR_MSTATEEN2, `TALLY_CSR_MSTATEEN3,
      `TALLY_CSR_TSELECT, `TALLY_CSR_TDATA1, `TALLY_CSR_TDATA2, `TALLY_CSR_TDATA3: ;
      default: begin
        if (acc_num_i[11:4] == PMPCFG0[11:4]) legal = !acc_num_i[0];  // pmpcfg2, 4 .. 14
        else if (acc_num_i >= PMPADDR0 && acc_num_i <= PMPADDR63) begin
          if (acc_num_i[11:3] == PMPADDR0[11:3]) rdata = {10'b0, pmp_addr[pmp_n]};
        end else legal = 1'b0;
      end
    endcase
    if (priv < acc_num_i[9:8] || (acc_op_i != 2'd0 && acc_num_i[11:10] == 2'b11)) legal = 1'b0;
  end

  assign acc_illegal_o = pmu_hit_i ? pmu_illegal_i || pmu_virtual_i : !legal;
  assign acc_rdata_o   = pmu_hit_i ? pmu_rdata_i : rdata;
  assign acc_context_o = acc_op_i != 2'd0 &&
                         (acc_num_i == `TALLY_CSR_SATP || acc_num_i == `TALLY_CSR_MSTATUS ||
                          acc_num_i == `TALLY_CSR_SSTATUS || acc_num_i == `TALLY_CSR_MENVCFG ||
                          acc_num_i == `TALLY_CSR_MSECCFG ||
                          (acc_num_i >= PMPCFG0 && acc_num_i <= PMPADDR63));

  assign sstateen_c_o  = scustom_q && custom_q;

  // ---------------------------------------------------------------------------------------------------------
  // Writes

  // Legality is registered: nothing but the access itself could change it.
  reg             writes_q;
  always @(posedge clk) writes_q <= acc_op_i != 2'd0 && legal && !pmu_hit_i;

  wire            we   = acc_valid_i && writes_q;
  wire [XLEN-1:0] wold = acc_num_i == `TALLY_CSR_MIP ? {32'b0, mip_written} : rdata;
  wire [XLEN-1:0] wnew = acc_op_i == 2'd1 ? acc_wdata_i :
                         acc_op_i == 2'd2 ? wold | acc_wdata_i : wold & ~acc_wdata_i;

  assign write_o      = we;
  assign satp_write_o = we && acc_num_i == `TALLY_CSR_SATP;

  always @(posedge clk) begin
    if (rst) begin
      mscratch_q <= {XLEN{1'b0}};
      sscratch_q <= {XLEN{1'b0}};
      satp_q     <= {XLEN{1'b0}};
      stimecmp_q <= 64'b0;
      stce_q     <= 1'b0;
      adue_q     <= 1'b0;
      cde_q      <= 1'b0;
      pdiss_q    <= 1'b0;
      mfiom_q    <= 1'b0;
      sfiom_q    <= 1'b0;
      se0_q      <= 1'b0;
      envcfg_q   <= 1'b0;
      csrind_q   <= 1'b0;
      pdis_q     <= 1'b0;
      custom_q   <= 1'b0;
      scustom_q  <= 1'b0;
    end else if (we) begin
      case (acc_num_i)
        `TALLY_CSR_MSCRATCH:  mscratch_q <= wnew;
        `TALLY_CSR_SSCRATCH:  sscratch_q <= wnew;
        `TALLY_CSR_STIMECMP:  stimecmp_q <= wnew;
        `TALLY_CSR_SATP:      if (wnew[62:60] == 3'd0) satp_q <= wnew;  // Bare or Sv39
        `TALLY_CSR_MENVCFG: begin
          stce_q  <= wnew[`TALLY_MENVCFG_STCE_LSB];
          adue_q  <= wnew[`TALLY_MENVCFG_ADUE_LSB];
          cde_q   <= wnew[`TALLY_MENVCFG_CDE_LSB];
          pdiss_q <= wnew[`TALLY_MENVCFG_PDISS_LSB];
          mfiom_q <= wnew[`TALLY_MENVCFG_FIOM_LSB];
        end
        `TALLY_CSR_MSTATEEN0: begin
          se0_q    <= wnew[`TALLY_MSTATEEN0_SE0_LSB];
          envcfg_q <= wnew[`TALLY_MSTATEEN0_ENVCFG_LSB];
          csrind_q <= wnew[`TALLY_MSTATEEN0_CSRIND_LSB];
          pdis_q   <= wnew[`TALLY_MSTATEEN0_PDIS_LSB];
          custom_q <= wnew[`TALLY_MSTATEEN0_C_LSB];
        end
        `TALLY_CSR_SENVCFG:   sfiom_q    <= wnew[`TALLY_SENVCFG_FIOM_LSB];
        `TALLY_CSR_SSTATEEN0: if (custom_q) scustom_q <= wnew[`TALLY_SSTATEEN0_C_LSB];
        default: ;
      endcase
    end
  end

  // ---------------------------------------------------------------------------------------------------------
  // Parts

  wire            irq_to_s;
  wire [4:0]      irq_cause;
  /* verilator lint_off UNUSEDSIGNAL */
  wire [XLEN-1:0] probe_cause;   // the new value of mcause or scause; for the harness alone
  /* verilator lint_on UNUSEDSIGNAL */

  tally_trap #(
      .XLEN(XLEN)
  ) u_trap (
      .clk(clk), .rst(rst),
      .trap_i(trap_i), .trap_irq_i(trap_irq_i), .trap_cause_i(trap_cause_i), .trap_epc_i(trap_epc_i),
      .trap_tval_i(trap_tval_i), .irq_to_s_i(irq_to_s), .irq_cause_i(irq_cause),
      .trap_target_o(trap_target_o), .trap_xcause_o(probe_cause), .mret_i(mret_i), .sret_i(sret_i),
      .we_i(we), .num_i(acc_num_i), .wdata_i(wnew),
      .priv_o(priv), .mstatus_o(mstatus),
      .mtvec_o(mtvec), .mepc_o(mepc), .mcause_o(mcause), .mtval_o(mtval),
      .stvec_o(stvec), .sepc_o(sepc), .scause_o(scause), .stval_o(stval), .medeleg_o(medeleg)
  );

  tally_interrupts u_interrupts (
      .clk(clk), .rst(rst),
      .irq_msip_i(irq_msip_i), .irq_mtip_i(irq_mtip_i), .irq_meip_i(irq_meip_i), .irq_seip_i(irq_seip_i),
      .time_i(time_i), .stimecmp_i(stimecmp_q), .stce_i(stce_q),
      .set_lcofip_i(set_lcofip_i), .set_lambip_i(set_lambip_i), .set_andes_i(set_andes_i),
      .mip_we_i(we && acc_num_i == `TALLY_CSR_MIP), .sip_we_i(we && acc_num_i == `TALLY_CSR_SIP),
      .slip_we_i(we && acc_num_i == `TALLY_CSR_SLIP),
      .mie_we_i(we && acc_num_i == `TALLY_CSR_MIE), .sie_we_i(we && acc_num_i == `TALLY_CSR_SIE),
      .slie_we_i(we && acc_num_i == `TALLY_CSR_SLIE),
      .mideleg_we_i(we && acc_num_i == `TALLY_CSR_MIDELEG),
      .mslideleg_we_i(we && acc_num_i == `TALLY_CSR_MSLIDELEG), .wdata_i(wnew[31:0]),
      .priv_i(priv), .mstatus_mie_i(mstatus[`TALLY_MSTATUS_MIE_LSB]),
      .mstatus_sie_i(mstatus[`TALLY_MSTATUS_SIE_LSB]),
      .mip_o(mip), .mip_written_o(mip_written), .mie_o(mie), .mideleg_o(mideleg), .lcofip_o(lcofip_o),
      .irq_o(irq_o), .irq_to_s_o(irq_to_s), .irq_cause_o(irq_cause), .wake_o(wake_o)
  );

  tally_pmp_registers #(
      .MEM_W(MEM_W), .SMEPMP(SMEPMP)
  ) u_pmp (
      .clk(clk), .rst(rst),
      .we_i(we), .num_i(acc_num_i), .wdata_i(wnew),
      .cfg_o(pmp_cfg_o), .mml_o(pmp_mml_o), .mmwp_o(pmp_mmwp_o), .rlb_o(pmp_rlb), .addr_o(pmp_addr_o),
      .shape_o(pmp_shape_o), .fine_o(pmp_fine_o),
      .write_o(pmp_write_o)
  );

  // ---------------------------------------------------------------------------------------------------------
  // State that other modules obey

  // A change of it refetches, so it is known before the first cycle of the next access.
  reg [1:0] ls_priv_q;
  always @(posedge clk)
    ls_priv_q <= priv == 2'd3 && mstatus[`TALLY_MSTATUS_MPRV_LSB] ?
                 mstatus[`TALLY_MSTATUS_MPP_MSB:`TALLY_MSTATUS_MPP_LSB] : priv;

  assign priv_o      = priv;
  assign mepc_o      = mepc;
  assign sepc_o      = sepc;
  assign tvm_o       = mstatus[`TALLY_MSTATUS_TVM_LSB];
  assign tw_o        = mstatus[`TALLY_MSTATUS_TW_LSB];
  assign tsr_o       = mstatus[`TALLY_MSTATUS_TSR_LSB];
  assign satp_o      = satp_q;
  assign adue_o      = adue_q;
  assign ls_priv_o   = ls_priv_q;
  assign ls_mxr_o    = mstatus[`TALLY_MSTATUS_MXR_LSB];
  assign ls_sum_o    = mstatus[`TALLY_MSTATUS_SUM_LSB];
  assign cde_o       = cde_q;
  assign pdiss_o     = pdiss_q;
  assign mstateen0_o = mstateen0;

  // ---------------------------------------------------------------------------------------------------------
  // Compared by the harness, by name; no logic depends on it

  /* verilator lint_off UNUSEDSIGNAL */ // read from outside by name only
  wire        probe_translated = ls_priv_q != 2'd3 && satp_q[63:60] == 4'd8;
  wire [63:0] probe_mstatus   = mstatus;
  wire [63:0] probe_mtvec     = mtvec;
  wire [63:0] probe_mepc      = mepc;
  wire [63:0] probe_mcause    = mcause;
  wire [63:0] probe_mtval     = mtval;
  wire [63:0] probe_mscratch  = mscratch_q;
  wire [63:0] probe_medeleg   = {32'b0, medeleg};
  wire [63:0] probe_mideleg   = {32'b0, mideleg};
  wire [63:0] probe_mie       = {32'b0, mie};
  wire [63:0] probe_mip       = {32'b0, mip};
  wire [63:0] probe_satp      = satp_q;
  wire [63:0] probe_stvec     = stvec;
  wire [63:0] probe_sepc      = sepc;
  wire [63:0] probe_scause    = scause;
  wire [63:0] probe_stval     = stval;
  wire [63:0] probe_sscratch  = sscratch_q;
  wire [63:0] probe_menvcfg   = menvcfg;
  wire [63:0] probe_mstateen0 = mstateen0;
  wire [63:0] probe_sstateen0 = {63'b0, scustom_q && custom_q};
  wire [63:0] probe_stimecmp  = stimecmp_q;
  wire [63:0] probe_mseccfg   = {61'b0, pmp_rlb, pmp_mmwp_o, pmp_mml_o};
  wire [63:0] probe_pmpcfg0   = pmp_cfg_o;
  wire [63:0] probe_pmpaddr0  = {10'b0, pmp_addr_o[54*0 +: 54]};
  wire [63:0] probe_pmpaddr1  = {10'b0, pmp_addr_o[54*1 +: 54]};
  wire [63:0] probe_pmpaddr2  = {10'b0, pmp_addr_o[54*2 +: 54]};
  wire [63:0] probe_pmpaddr3  = {10'b0, pmp_addr_o[54*3 +: 54]};
  wire [63:0] probe_pmpaddr4  = {10'b0, pmp_addr_o[54*4 +: 54]};
  wire [63:0] probe_pmpaddr5  = {10'b0, pmp_addr_o[54*5 +: 54]};
  wire [63:0] probe_pmpaddr6  = {10'b0, pmp_addr_o[54*6 +: 54]};
  wire [63:0] probe_pmpaddr7  = {10'b0, pmp_addr_o[54*7 +: 54]};
  /* verilator lint_on UNUSEDSIGNAL */
endmodule

`default_nettype wire
