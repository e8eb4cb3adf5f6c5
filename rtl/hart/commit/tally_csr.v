// SPDX-License-Identifier: Apache-2.0
// tally_csr - the hart's own CSRs, privilege mode, trap entry and return, interrupt selection.
//
// An access is answered in its own cycle; state changes at the clock edge. What the PMU owns is answered by
// the PMU: it says so by pmu_hit_i, and decides itself who may touch it. Privileged manual (machine,
// supervisor, Sstc, Smstateen), docs/hart.md; mslideleg, slie, slip: facts 8.3.

`default_nettype none
`include "tally_hart.vh"

module tally_csr #(
    parameter XLEN   = 64,
    parameter HARTID = 0,
    parameter MEM_W  = 36, // there is no memory above 2^MEM_W
    parameter ANDES  = 1   // mslideleg, slie, slip: interrupt 18 by the numbers of AndeStar V5
) (
    input  wire            clk,
    input  wire            rst,

    // access: performed when valid; the answers hold for number and mode without it too
    input  wire            acc_valid_i,    // late; number and operation have stood for a cycle
    input  wire [11:0]     acc_num_i,
    input  wire [1:0]      acc_op_i,       // 0 read only, 1 write, 2 set, 3 clear
    input  wire [XLEN-1:0] acc_wdata_i,
    output wire            acc_illegal_o,
    output wire [XLEN-1:0] acc_rdata_o,
    output wire            acc_context_o,  // a write changes what fetch or memory accesses mean: refetch
    output wire            satp_write_o,   // satp is written

    // the PMU's answer to the same access
    input  wire            pmu_hit_i,
    input  wire            pmu_illegal_i,
    input  wire            pmu_virtual_i,
    input  wire [XLEN-1:0] pmu_rdata_i,
    input  wire            pmu_tm_i,         // mcounteren.TM: S-mode may touch stimecmp

    // traps and returns, at most one a cycle (late)
    input  wire            trap_i,
    input  wire            trap_irq_i,
    input  wire [3:0]      trap_cause_i,      // of an exception; which interrupt is known here
    input  wire [XLEN-1:0] trap_epc_i,
    input  wire [XLEN-1:0] trap_tval_i,
    output wire [XLEN-1:0] trap_target_o,
    output wire [XLEN-1:0] trap_word_o,    // what xcause takes
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
    output wire            write_o,        // a register of this room is written (late)
    output wire            wake_o,         // mip & mie is not zero; the PMU's bits of it a cycle later

    // what others obey
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
    output wire [8*54-1:0] pmp_addr_o,
    output wire [8*MEM_W-1:0] pmp_shape_o, // what tally_pmp wants to know of the addresses; a cycle later
    output wire            pmp_fine_o,     // a region may begin or end inside a page; a cycle later
    output wire            pmp_write_o,    // PMP has been written in the cycle before
    output wire            cde_o,
    output wire            pdiss_o,
    output wire [63:0]     mstateen0_o,
    output wire [31:0]     mideleg_o,
    output wire            lcofip_o,
    output wire [31:0]     mip_o
);
  localparam [31:0] MIDELEG_MASK = 32'h0004_6222;  // 1 5 9 13 14 18
  localparam [31:0] MIE_MASK     = 32'h0004_6aaa;  // and 3 7 11
  localparam [31:0] MEDELEG_MASK = 32'h0000_b3ff;  // 0-9 12 13 15

  reg [1:0]      priv_q;

  // mstatus, field by field
  reg            sie_q, mie_bit_q, spie_q, mpie_q, spp_q, mprv_q, sum_q, mxr_q, tvm_q, tw_q, tsr_q;
  reg [1:0]      mpp_q;

  reg [XLEN-1:0] mtvec_q, mscratch_q, mepc_q, mcause_q, mtval_q;
  reg [XLEN-1:0] stvec_q, sscratch_q, sepc_q, scause_q, stval_q, satp_q;
  reg [31:0]     medeleg_q, mideleg_q, mie_q;
  reg            ssip_q, stip_q, seip_q, lcofip_q, lambip_q, andesip_q;  // the software-writable pending bits
  reg            stce_q, adue_q, cde_q, pdiss_q, mfiom_q;                // menvcfg
  reg            sfiom_q;                                                // senvcfg
  reg [63:0]     stimecmp_q;
  reg            timer_q;                                                // time >= stimecmp
  reg            msip_q, mtip_q, meip_q, seip_line_q;                    // lines of devices
  reg            se0_q, envcfg_q, csrind_q, pdis_q, custom_q;            // mstateen0
  reg            scustom_q;                                              // sstateen0.C
  reg [7:0]      pmpcfg_q  [0:7];
  reg [53:0]     pmpaddr_q [0:7];

  // ---------------------------------------------------------------------------------------------------------
  // Views

  wire [XLEN-1:0] mstatus = {28'b0, 4'b1010, 9'b0, tsr_q, tw_q, tvm_q, mxr_q, sum_q, mprv_q, 4'b0,
                             mpp_q, 2'b0, spp_q, mpie_q, 1'b0, spie_q, 1'b0, mie_bit_q, 1'b0, sie_q, 1'b0};
  wire [XLEN-1:0] sstatus = mstatus & 64'h0000_0003_000c_0122;

  wire            stip    = stce_q ? timer_q : stip_q;
  wire [31:0]     mip     = {13'b0, andesip_q, 3'b0, lambip_q, lcofip_q, 1'b0, meip_q, 1'b0,
                             seip_q | seip_line_q, 1'b0, mtip_q, 1'b0, stip, 1'b0, msip_q, 1'b0,
                             ssip_q, 1'b0};
  // CSRRS and CSRRC change SEIP's software bit by its own old value, not by what the PLIC adds.
  wire [31:0]     mip_sw  = {mip[31:10], seip_q, mip[8:0]};

  wire [63:0]     menvcfg   = {stce_q, 1'b0, adue_q, cde_q, 2'b0, pdiss_q, 56'b0, mfiom_q};
  wire [63:0]     mstateen0 = {se0_q, envcfg_q, 1'b0, csrind_q, 6'b0, pdis_q, 52'b0, custom_q};

  wire [63:0]     pmpcfg0   = {pmpcfg_q[7], pmpcfg_q[6], pmpcfg_q[5], pmpcfg_q[4],
                               pmpcfg_q[3], pmpcfg_q[2], pmpcfg_q[1], pmpcfg_q[0]};

  // ---------------------------------------------------------------------------------------------------------
  // Reads: one entry gives legality and data, so that the two can't drift apart

  reg            legal;
  reg [XLEN-1:0] rdata;
  wire [2:0]     pmp_n = acc_num_i[2:0];

  wire below_m = priv_q != 2'd3;

  always @* begin
    legal = 1'b1;
    rdata = {XLEN{1'b0}};
    case (acc_num_i)
      `TALLY_CSR_SSTATUS:    rdata = sstatus;
      `TALLY_CSR_SIE:        rdata = {32'b0, mie_q & mideleg_q};
      `TALLY_CSR_STVEC:      rdata = stvec_q;
      `TALLY_CSR_SENVCFG: begin
        legal    = !(below_m && !envcfg_q);
        rdata[0] = sfiom_q;
      end
      `TALLY_CSR_SSTATEEN0: begin
        legal    = !(below_m && !se0_q);
        rdata[0] = scustom_q && custom_q;
      end
      `TALLY_CSR_SSTATEEN1,
      `TALLY_CSR_SSTATEEN2,
      `TALLY_CSR_SSTATEEN3:  legal = !below_m;
      `TALLY_CSR_SSCRATCH:   rdata = sscratch_q;
      `TALLY_CSR_SEPC:       rdata = sepc_q;
      `TALLY_CSR_SCAUSE:     rdata = scause_q;
      `TALLY_CSR_STVAL:      rdata = stval_q;
      `TALLY_CSR_SIP:        rdata = {32'b0, mip & mideleg_q};
      `TALLY_CSR_STIMECMP: begin
        legal = !(below_m && !(stce_q && pmu_tm_i));
        rdata = stimecmp_q;
      end
      `TALLY_CSR_SATP: begin
        legal = !(priv_q == 2'd1 && tvm_q);
        rdata = satp_q;
      end
      `TALLY_CSR_MSTATUS:    rdata = mstatus;
      `TALLY_CSR_MISA:       rdata = 64'h8000_0000_0014_1105;  // RV64 A C I M S U
      `TALLY_CSR_MEDELEG:    rdata = {32'b0, medeleg_q};
      `TALLY_CSR_MIDELEG:    rdata = {32'b0, mideleg_q};
      `TALLY_CSR_MIE:        rdata = {32'b0, mie_q};
      `TALLY_CSR_MTVEC:      rdata = mtvec_q;
      `TALLY_CSR_MENVCFG:    rdata = menvcfg;
      `TALLY_CSR_MSTATEEN0:  rdata = mstateen0;
      `TALLY_CSR_MSCRATCH:   rdata = mscratch_q;
      `TALLY_CSR_MEPC:       rdata = mepc_q;
      `TALLY_CSR_MCAUSE:     rdata = mcause_q;
      `TALLY_CSR_MTVAL:      rdata = mtval_q;
      `TALLY_CSR_MIP:        rdata = {32'b0, mip};
      `TALLY_CSR_PMPCFG0:    rdata = pmpcfg0;
      `TALLY_CSR_MSLIDELEG: begin
        legal     = ANDES != 0;
        rdata[18] = mideleg_q[18];
      end
      `TALLY_CSR_SLIE: begin
        legal     = ANDES != 0 && !(below_m && !custom_q);
        rdata[18] = mie_q[18] && mideleg_q[18];
      end
      `TALLY_CSR_SLIP: begin
        legal     = ANDES != 0 && !(below_m && !custom_q);
        rdata[18] = andesip_q && mideleg_q[18];
      end
      `TALLY_CSR_MIMPID:     rdata = 64'h5441_4c4c;
      `TALLY_CSR_MHARTID:    rdata = HARTID;
      `TALLY_CSR_MVENDORID, `TALLY_CSR_MARCHID, `TALLY_CSR_MCONFIGPTR,
      `TALLY_CSR_MSTATEEN1, `TALLY_CSR_MSTATEEN2, `TALLY_CSR_MSTATEEN3,
      `TALLY_CSR_TSELECT, `TALLY_CSR_TDATA1, `TALLY_CSR_TDATA2, `TALLY_CSR_TDATA3: ;
      default: begin
        if (acc_num_i[11:4] == 8'h3a) legal = !acc_num_i[0];  // pmpcfg2, 4 .. 14
        else if (acc_num_i >= 12'h3b0 && acc_num_i < 12'h3f0) begin
          if (acc_num_i < 12'h3b8) rdata = {10'b0, pmpaddr_q[pmp_n]};
        end else legal = 1'b0;
      end
    endcase
    if (priv_q < acc_num_i[9:8] || (acc_op_i != 2'd0 && acc_num_i[11:10] == 2'b11)) legal = 1'b0;
  end

  assign acc_illegal_o = pmu_hit_i ? pmu_illegal_i || pmu_virtual_i : !legal;
  assign acc_rdata_o   = pmu_hit_i ? pmu_rdata_i : rdata;
  assign acc_context_o = acc_op_i != 2'd0 &&
                         (acc_num_i == `TALLY_CSR_SATP || acc_num_i == `TALLY_CSR_MSTATUS ||
                          acc_num_i == `TALLY_CSR_SSTATUS || acc_num_i == `TALLY_CSR_MENVCFG ||
                          (acc_num_i[11:8] == 4'h3 && acc_num_i[7:0] >= 8'ha0 && acc_num_i[7:0] < 8'hf0));

  // ---------------------------------------------------------------------------------------------------------
  // Interrupts: those for M first, then those delegated to S; within each MEI MSI MTI SEI SSI STI LCOFI
  // LAMBI, Andes last

  // Which of them may be taken is registered: it changes only with a trap, a return or a CSR access, and in
  // the cycle after one nothing can retire that an interrupt would have to precede. Until it is known,
  // tally_commit takes none.
  reg  [31:0] may_m_q, may_s_q, may_q;
  reg         wake_q;
  wire        wen;
  wire [31:0] may_m = mie_q & ~mideleg_q & {32{priv_q != 2'd3 || mie_bit_q}};
  wire [31:0] may_s = mie_q & mideleg_q & {32{priv_q == 2'd0 || (priv_q == 2'd1 && sie_q)}};

  always @(posedge clk) begin
    may_m_q   <= may_m;
    may_s_q   <= may_s;
    may_q     <= may_m | may_s;
  end

  // So is that one is pending, and the first of them, with the registers that hold them. But what the PMU
  // asks for is known late, and must precede the next retirement; it comes last in the order.
  wire        timer    = time_i >= stimecmp_q;
  wire [31:0] mip_soon = {20'b0, irq_meip_i, 1'b0, seip_q | irq_seip_i, 1'b0, irq_mtip_i, 1'b0,
                          stce_q ? timer : stip_q, 1'b0, irq_msip_i, 1'b0, ssip_q, 1'b0};
  wire [31:0] mip_pmu  = {13'b0, andesip_q, 3'b0, lambip_q, lcofip_q, 13'b0};

  wire [31:0] chosen   = (mip_soon & may_m) != 32'b0 ? mip_soon & may_m : mip_soon & may_s;
  reg  [4:0]  first;
  always @* begin
    if      (chosen[11]) first = 5'd11;
    else if (chosen[3])  first = 5'd3;
    else if (chosen[7])  first = 5'd7;
    else if (chosen[9])  first = 5'd9;
    else if (chosen[1])  first = 5'd1;
    else                 first = 5'd5;
  end

  reg         for_m_q, for_s_q, for_q;   // one of them is to be taken in M; in S; at all
  reg  [4:0]  first_q;

  always @(posedge clk) begin
    msip_q      <= irq_msip_i && !rst;
    mtip_q      <= irq_mtip_i && !rst;
    meip_q      <= irq_meip_i && !rst;
    seip_line_q <= irq_seip_i && !rst;
    timer_q     <= timer && !rst;
    for_m_q     <= (mip_soon & may_m) != 32'b0;
    for_s_q     <= (mip_soon & may_s) != 32'b0;
    for_q       <= (mip_soon & (may_m | may_s)) != 32'b0;
    first_q     <= first;
    wake_q      <= ((mip_soon | mip_pmu) & mie_q) != 32'b0;
  end

  wire [31:0] pmu_m  = mip_pmu & may_m_q;
  wire [31:0] pmu_s  = mip_pmu & may_s_q;
  wire        for_m  = for_m_q || pmu_m != 32'b0;
  wire [31:0] pmu    = pmu_m != 32'b0 ? pmu_m : pmu_s;
  wire [4:0]  irq_cause = for_m_q || (for_s_q && !for_m) ? first_q :
                          pmu[13] ? 5'd13 : pmu[14] ? 5'd14 : 5'd18;

  wire unused_ok = &{1'b0, chosen, pmu};

  assign irq_o       = for_q || (mip_pmu & may_q) != 32'b0;
  assign wake_o      = wake_q;

  // ---------------------------------------------------------------------------------------------------------
  // Writes

  // Whether one may be is registered: nothing but the access itself could change it.
  reg             writes_q;
  always @(posedge clk) writes_q <= acc_op_i != 2'd0 && legal && !pmu_hit_i;

  assign          wen   = acc_valid_i && writes_q;
  wire [XLEN-1:0] wold  = acc_num_i == `TALLY_CSR_MIP ? {32'b0, mip_sw} : rdata;
  wire [XLEN-1:0] wnew  = acc_op_i == 2'd1 ? acc_wdata_i :
                          acc_op_i == 2'd2 ? wold | acc_wdata_i : wold & ~acc_wdata_i;

  wire w_mstatus = wen && acc_num_i == `TALLY_CSR_MSTATUS;
  wire w_sstatus = wen && acc_num_i == `TALLY_CSR_SSTATUS;
  wire w_mip     = wen && acc_num_i == `TALLY_CSR_MIP;
  wire w_sip     = wen && acc_num_i == `TALLY_CSR_SIP;

  assign write_o      = wen;
  assign satp_write_o = wen && acc_num_i == `TALLY_CSR_SATP;

  // Traps: where to, and from where the return leads
  // Where an interrupt would lead is worked out before it is known whether it is taken.
  wire            irq_to_s = !for_m;
  wire            to_s     = trap_irq_i ? irq_to_s : priv_q != 2'd3 && medeleg_q[{1'b0, trap_cause_i}];
  // The Andes interrupt is 18 in M and 256+18 in S.
  wire [8:0]      irq_code = {irq_to_s && irq_cause == 5'd18, 3'b0, irq_cause};
  wire            irq_vec  = irq_to_s ? stvec_q[0] : mtvec_q[0];
  wire [XLEN-1:2] irq_base = irq_to_s ? stvec_q[XLEN-1:2] : mtvec_q[XLEN-1:2];
  wire [XLEN-1:0] irq_to   = {irq_base + (irq_vec ? {{XLEN-11{1'b0}}, irq_code} : {XLEN-2{1'b0}}), 2'b00};
  wire [XLEN-1:0] exc_to   = {to_s ? stvec_q[XLEN-1:2] : mtvec_q[XLEN-1:2], 2'b00};

  wire [XLEN-1:0] cause_word = {trap_irq_i, {XLEN-10{1'b0}}, trap_irq_i ? irq_code : {5'b0, trap_cause_i}};

  assign trap_target_o = trap_irq_i ? irq_to : exc_to;
  assign trap_word_o   = cause_word;
  assign mepc_o        = mepc_q;
  assign sepc_o        = sepc_q;


  always @(posedge clk) begin
    if (rst) begin
      priv_q    <= 2'd3;
      sie_q     <= 1'b0;
      mie_bit_q <= 1'b0;
      spie_q    <= 1'b0;
      mpie_q    <= 1'b0;
      spp_q     <= 1'b0;
      mpp_q     <= 2'd0;
      mprv_q    <= 1'b0;
      sum_q     <= 1'b0;
      mxr_q     <= 1'b0;
      tvm_q     <= 1'b0;
      tw_q      <= 1'b0;
      tsr_q     <= 1'b0;
    end else if (trap_i && to_s) begin
      priv_q <= 2'd1;
      spie_q <= sie_q;
      sie_q  <= 1'b0;
      spp_q  <= priv_q[0];
    end else if (trap_i) begin
      priv_q    <= 2'd3;
      mpie_q    <= mie_bit_q;
      mie_bit_q <= 1'b0;
      mpp_q     <= priv_q;
    end else if (mret_i) begin
      priv_q    <= mpp_q;
      mie_bit_q <= mpie_q;
      mpie_q    <= 1'b1;
      mpp_q     <= 2'd0;
      if (mpp_q != 2'd3) mprv_q <= 1'b0;
    end else if (sret_i) begin
      priv_q <= {1'b0, spp_q};
      sie_q  <= spie_q;
      spie_q <= 1'b1;
      spp_q  <= 1'b0;
      mprv_q <= 1'b0;
    end else if (w_mstatus || w_sstatus) begin
      sie_q  <= wnew[1];
      spie_q <= wnew[5];
      spp_q  <= wnew[8];
      sum_q  <= wnew[18];
      mxr_q  <= wnew[19];
      if (w_mstatus) begin
        mie_bit_q <= wnew[3];
        mpie_q    <= wnew[7];
        if (wnew[12:11] != 2'd2) mpp_q <= wnew[12:11];
        mprv_q    <= wnew[17];
        tvm_q     <= wnew[20];
        tw_q      <= wnew[21];
        tsr_q     <= wnew[22];
      end
    end
  end

  always @(posedge clk) begin
    if (trap_i && !to_s) begin
      mepc_q   <= trap_epc_i;
      mcause_q <= cause_word;
      mtval_q  <= trap_tval_i;
    end else if (wen) begin
      case (acc_num_i)
        `TALLY_CSR_MEPC:   mepc_q   <= {wnew[XLEN-1:1], 1'b0};
        `TALLY_CSR_MCAUSE: mcause_q <= wnew;
        `TALLY_CSR_MTVAL:  mtval_q  <= wnew;
        default: ;
      endcase
    end
    if (trap_i && to_s) begin
      sepc_q   <= trap_epc_i;
      scause_q <= cause_word;
      stval_q  <= trap_tval_i;
    end else if (wen) begin
      case (acc_num_i)
        `TALLY_CSR_SEPC:   sepc_q   <= {wnew[XLEN-1:1], 1'b0};
        `TALLY_CSR_SCAUSE: scause_q <= wnew;
        `TALLY_CSR_STVAL:  stval_q  <= wnew;
        default: ;
      endcase
    end
    if (rst) begin
      mepc_q   <= {XLEN{1'b0}};
      mcause_q <= {XLEN{1'b0}};
      mtval_q  <= {XLEN{1'b0}};
      sepc_q   <= {XLEN{1'b0}};
      scause_q <= {XLEN{1'b0}};
      stval_q  <= {XLEN{1'b0}};
    end
  end

  always @(posedge clk) begin
    if (rst) begin
      mtvec_q    <= {XLEN{1'b0}};
      stvec_q    <= {XLEN{1'b0}};
      mscratch_q <= {XLEN{1'b0}};
      sscratch_q <= {XLEN{1'b0}};
      satp_q     <= {XLEN{1'b0}};
      medeleg_q  <= 32'b0;
      mideleg_q  <= 32'b0;
      mie_q      <= 32'b0;
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
    end else if (wen) begin
      case (acc_num_i)
        `TALLY_CSR_MTVEC:     mtvec_q    <= {wnew[XLEN-1:2], 1'b0, wnew[0]};
        `TALLY_CSR_STVEC:     stvec_q    <= {wnew[XLEN-1:2], 1'b0, wnew[0]};
        `TALLY_CSR_MSCRATCH:  mscratch_q <= wnew;
        `TALLY_CSR_SSCRATCH:  sscratch_q <= wnew;
        `TALLY_CSR_MEDELEG:   medeleg_q  <= wnew[31:0] & MEDELEG_MASK;
        `TALLY_CSR_MIDELEG:   mideleg_q  <= wnew[31:0] & MIDELEG_MASK;
        `TALLY_CSR_MIE:       mie_q      <= wnew[31:0] & MIE_MASK;
        `TALLY_CSR_SIE:       mie_q      <= (mie_q & ~mideleg_q) | (wnew[31:0] & mideleg_q);
        `TALLY_CSR_MSLIDELEG: mideleg_q[18] <= wnew[18];
        `TALLY_CSR_SLIE:      if (mideleg_q[18]) mie_q[18] <= wnew[18];
        `TALLY_CSR_STIMECMP:  stimecmp_q <= wnew;
        `TALLY_CSR_SATP:      if (wnew[62:60] == 3'd0) satp_q <= wnew;  // Bare or Sv39
        `TALLY_CSR_MENVCFG: begin
          stce_q  <= wnew[63];
          adue_q  <= wnew[61];
          cde_q   <= wnew[60];
          pdiss_q <= wnew[57];
          mfiom_q <= wnew[0];
        end
        `TALLY_CSR_MSTATEEN0: begin
          se0_q    <= wnew[63];
          envcfg_q <= wnew[62];
          csrind_q <= wnew[60];
          pdis_q   <= wnew[53];
          custom_q <= wnew[0];
        end
        `TALLY_CSR_SENVCFG:   sfiom_q    <= wnew[0];
        `TALLY_CSR_SSTATEEN0: if (custom_q) scustom_q <= wnew[0];
        default: ;
      endcase
    end
  end

  // Pending bits: what hardware sets in the cycle of a software clear stays set (ruling 7).
  always @(posedge clk) begin
    if (w_mip) begin
      ssip_q    <= wnew[1];
      if (!stce_q) stip_q <= wnew[5];
      seip_q    <= wnew[9];
      lcofip_q  <= wnew[13];
      lambip_q  <= wnew[14];
      andesip_q <= wnew[18];
    end else if (w_sip) begin
      if (mideleg_q[1])  ssip_q    <= wnew[1];
      if (mideleg_q[13]) lcofip_q  <= wnew[13];
      if (mideleg_q[14]) lambip_q  <= wnew[14];
      if (mideleg_q[18]) andesip_q <= wnew[18];
    end else if (wen && acc_num_i == `TALLY_CSR_SLIP) begin
      if (mideleg_q[18]) andesip_q <= wnew[18];
    end
    if (set_lcofip_i) lcofip_q  <= 1'b1;
    if (set_lambip_i) lambip_q  <= 1'b1;
    if (set_andes_i)  andesip_q <= 1'b1;
    if (rst) begin
      ssip_q    <= 1'b0;
      stip_q    <= 1'b0;
      seip_q    <= 1'b0;
      lcofip_q  <= 1'b0;
      lambip_q  <= 1'b0;
      andesip_q <= 1'b0;
    end
  end

  // PMP: locked entries, and the address below a locked TOR entry, keep their value. R=0 with W=1 is
  // reserved: W reads 0.
  wire w_pmpcfg  = wen && acc_num_i == `TALLY_CSR_PMPCFG0;
  wire w_pmpaddr = wen && acc_num_i[11:3] == 9'h076;

  reg [7:0] pmpaddr_we;
  always @* begin : pmpaddr_writes
    integer e;
    for (e = 0; e < 8; e = e + 1)
      pmpaddr_we[e] = w_pmpaddr && pmp_n == e[2:0] && !pmpcfg_q[e][7] &&
                      !(e != 7 && pmpcfg_q[(e+1)&7][7] && pmpcfg_q[(e+1)&7][4:3] == 2'd1);
  end

  always @(posedge clk) begin : pmp_registers
    integer e;
    for (e = 0; e < 8; e = e + 1) begin
      if (w_pmpcfg && !pmpcfg_q[e][7]) begin
        pmpcfg_q[e] <= {wnew[8*e+7], 2'b00, wnew[8*e+3 +: 2], wnew[8*e+2],
                        wnew[8*e+1] && wnew[8*e], wnew[8*e]};
      end
      if (pmpaddr_we[e]) pmpaddr_q[e] <= wnew[53:0];
      if (rst) begin
        pmpcfg_q[e]  <= 8'b0;
        pmpaddr_q[e] <= 54'b0;
      end
    end
  end

  // What PMP asks of an address (tally_pmp) is worked out in the cycle after the write: nobody looks before
  // the refetch that the write causes has reached F2.
  localparam        PMP_W = MEM_W - 2;
  reg  [7:0]        shape_we_q;
  reg  [53:0]       shape_addr_q;
  reg  [MEM_W-1:0]  pmpshape_q [0:7];
  wire [53:0]       napot = shape_addr_q ^ (shape_addr_q + 54'd1);
  wire              far   = |shape_addr_q[53:PMP_W];
  wire              near  = (shape_addr_q[53:PMP_W] & ~napot[53:PMP_W]) == {54-PMP_W{1'b0}};

  always @(posedge clk) begin : pmp_shapes
    integer e;
    shape_we_q <= rst ? 8'd0 : pmpaddr_we;
    if (|pmpaddr_we) shape_addr_q <= wnew[53:0];
    for (e = 0; e < 8; e = e + 1) begin
      if (shape_we_q[e]) pmpshape_q[e] <= {near, far, napot[PMP_W-1:0]};
      if (rst) pmpshape_q[e] <= {2'b10, {PMP_W-1{1'b0}}, 1'b1};
    end
  end

  // A region ends inside a page: who wants to know of a whole page has to ask for each of its words.
  reg  [7:0] uneven;                      // pmpaddr of this entry, as the end of a region
  reg  [7:0] fine;
  reg        pmp_fine_q, pmp_write_q;
  always @* begin : pmp_ends
    integer e;
    for (e = 0; e < 8; e = e + 1) uneven[e] = |pmpaddr_q[e][9:0];
    for (e = 0; e < 8; e = e + 1)
      case (pmpcfg_q[e][4:3])
        2'd0:    fine[e] = 1'b0;
        2'd1:    fine[e] = uneven[e] | (e != 0 & uneven[(e+7)&7]);
        2'd2:    fine[e] = 1'b1;
        default: fine[e] = ~&pmpaddr_q[e][8:0];
      endcase
  end
  always @(posedge clk) begin
    pmp_fine_q  <= |fine;
    pmp_write_q <= w_pmpcfg | w_pmpaddr;
  end

  // ---------------------------------------------------------------------------------------------------------
  // What others obey

  assign priv_o      = priv_q;
  assign tvm_o       = tvm_q;
  assign tw_o        = tw_q;
  assign tsr_o       = tsr_q;
  assign satp_o      = satp_q;
  assign adue_o      = adue_q;
  // What changes it refetches: no access is in its first cycle before it is known.
  reg [1:0] ls_priv_q;
  always @(posedge clk) ls_priv_q <= priv_q == 2'd3 && mprv_q ? mpp_q : priv_q;
  assign ls_priv_o   = ls_priv_q;
  assign ls_mxr_o    = mxr_q;
  assign ls_sum_o    = sum_q;
  assign pmp_cfg_o   = pmpcfg0;
  assign pmp_addr_o  = {pmpaddr_q[7], pmpaddr_q[6], pmpaddr_q[5], pmpaddr_q[4],
                        pmpaddr_q[3], pmpaddr_q[2], pmpaddr_q[1], pmpaddr_q[0]};
  assign pmp_fine_o  = pmp_fine_q;
  assign pmp_write_o = pmp_write_q;
  assign pmp_shape_o = {pmpshape_q[7], pmpshape_q[6], pmpshape_q[5], pmpshape_q[4],
                        pmpshape_q[3], pmpshape_q[2], pmpshape_q[1], pmpshape_q[0]};
  assign cde_o       = cde_q;
  assign pdiss_o     = pdiss_q;
  assign mstateen0_o = mstateen0;
  assign mideleg_o   = mideleg_q;
  assign lcofip_o    = lcofip_q;
  assign mip_o       = mip;

  // ---------------------------------------------------------------------------------------------------------
  // What a test bench compares (no logic depends on it)

  /* verilator lint_off UNUSEDSIGNAL */ // read from outside by name only
  wire [63:0] probe_mstatus   = mstatus;
  wire [63:0] probe_mtvec     = mtvec_q;
  wire [63:0] probe_mepc      = mepc_q;
  wire [63:0] probe_mcause    = mcause_q;
  wire [63:0] probe_mtval     = mtval_q;
  wire [63:0] probe_mscratch  = mscratch_q;
  wire [63:0] probe_medeleg   = {32'b0, medeleg_q};
  wire [63:0] probe_mideleg   = {32'b0, mideleg_q};
  wire [63:0] probe_mie       = {32'b0, mie_q};
  wire [63:0] probe_mip       = {32'b0, mip};
  wire [63:0] probe_satp      = satp_q;
  wire [63:0] probe_stvec     = stvec_q;
  wire [63:0] probe_sepc      = sepc_q;
  wire [63:0] probe_scause    = scause_q;
  wire [63:0] probe_stval     = stval_q;
  wire [63:0] probe_sscratch  = sscratch_q;
  wire [63:0] probe_menvcfg   = menvcfg;
  wire [63:0] probe_mstateen0 = mstateen0;
  wire [63:0] probe_sstateen0 = {63'b0, scustom_q && custom_q};
  wire [63:0] probe_stimecmp  = stimecmp_q;
  wire [63:0] probe_pmpcfg0   = pmpcfg0;
  wire [63:0] probe_pmpaddr0  = {10'b0, pmpaddr_q[0]};
  wire [63:0] probe_pmpaddr1  = {10'b0, pmpaddr_q[1]};
  wire [63:0] probe_pmpaddr2  = {10'b0, pmpaddr_q[2]};
  wire [63:0] probe_pmpaddr3  = {10'b0, pmpaddr_q[3]};
  wire [63:0] probe_pmpaddr4  = {10'b0, pmpaddr_q[4]};
  wire [63:0] probe_pmpaddr5  = {10'b0, pmpaddr_q[5]};
  wire [63:0] probe_pmpaddr6  = {10'b0, pmpaddr_q[6]};
  wire [63:0] probe_pmpaddr7  = {10'b0, pmpaddr_q[7]};
  /* verilator lint_on UNUSEDSIGNAL */
endmodule

`default_nettype wire
