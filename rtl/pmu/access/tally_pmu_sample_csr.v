// SPDX-License-Identifier: Apache-2.0
// tally_pmu_sample_csr - who may touch what of precise sampling (Sspesa, Smpdis/Sspdis, Ssamb).
//
// As tally_pmu_csr, and beside it: an access is decoded to a word of state and a half, one set of rules says
// ok, illegal or virtual, and one read-modify-write makes the new value. The select registers and the
// windows' numbers are that module's; with select 0x60 or 0x61 the windows are answered here (own_o).
//
// Combinational; with CSR_PIPELINE the number and the rights are decoded in one cycle and answered in the
// next, as there. Access: docs/sampling.md, facts 8.2.

`include "tally_spec.vh"

`default_nettype none

module tally_pmu_sample_csr #(
    parameter XLEN = 64,
    parameter [0:0] SSPESA    = 1'b0,
    parameter [0:0] SMPDIS    = 1'b0,
    parameter       PDIS_MEM  = 2,
    parameter [0:0] SMCDELEG  = 1'b1,
    parameter [0:0] SMSTATEEN = 1'b1,
    parameter [0:0] HYP       = 1'b0,
    parameter [0:0] CSR_PIPELINE    = 1'b0
) (
    input  wire            clk,
    input  wire            rst,

    input  wire            csr_valid_i,
    input  wire [11:0]     csr_num_i,      // as they are offered: with CSR_PIPELINE a cycle before ...
    input  wire [1:0]      csr_priv_i,
    input  wire            csr_v_i,
    input  wire            decoded_i,      // ... these, which stand in tally_pmu_csr
    input  wire [1:0]      op_i,
    input  wire [1:0]      priv_i,
    input  wire            v_i,
    input  wire [XLEN-1:0] csr_wdata_i,
    output wire            own_o,          // the access is answered here
    output wire            illegal_o,
    output wire            virtual_o,
    output wire [XLEN-1:0] rdata_o,        // 0 if it is not

    // bit 1 of mcountinhibit, scountinhibit and scountovf, beside tally_pmu_csr's view of the other bits
    input  wire            view_ok_i,      // the access is allowed there
    input  wire            inhibit_i,
    output wire            inhibit_we_o,
    output wire            inhibit_o,

    input  wire            env_cde_i,
    input  wire            mstateen_csrind_i,
    input  wire            hstateen_csrind_i,
    input  wire            mstateen_pdis_i,
    input  wire            hstateen_pdis_i,
    input  wire [11:0]     siselect_i,
    input  wire [11:0]     vsiselect_i,

    // state as it is, and which word takes `value_o`, where `touch_o` has the bits that are written
    input  wire [XLEN-1:0] pesa_pc_i,
    input  wire [4:0]      pesa_cntrid_i,
    input  wire [63:0]     ctl_i,
    input  wire [1:0]      vmodes_i,
    input  wire [63:0]     counter_i,
    input  wire [55:0]     evmask_i,
    input  wire [55:0]     evmatch_i,
    input  wire [15:0]     filter_i,
    input  wire [63:0]     ambcs_i,
    input  wire [XLEN-1:0] ambaddr_i,
    output wire [3:0]      data_word_o,    // of the sample registers; none: beyond the last one
    input  wire [XLEN-1:0] data_i,
    output wire            pesa_pc_we_o,
    output wire            pesa_data_we_o,
    output wire            ctl_we_o,
    output wire            ctl_machine_o,  // as mpdisctl, or
    output wire            ctl_guest_o,    // as vspdisctl
    output wire            count_we_o,
    output wire            initval_we_o,
    output wire            evmask_we_o,
    output wire            evmatch_we_o,
    output wire            filter_we_o,
    output wire            ambcs_we_o,
    output wire            ambaddr_we_o,
    output wire            data_we_o,
    output wire [63:0]     value_o,
    output wire [63:0]     touch_o
);
  localparam RV32  = XLEN == 32;
  localparam AMB   = SMPDIS && PDIS_MEM != 0;
  localparam SLOTS = SMPDIS && PDIS_MEM != 1;    // there are sample registers

  // ---- who asks, what the environment allows
  wire m  = priv_i == 2'd3;
  wire v  = HYP ? v_i & ~m : 1'b0;
  localparam [1:0] OP_READ = 2'd0, OP_WRITE = 2'd1, OP_CLEAR = 2'd3;
  wire cde    = SMCDELEG ? env_cde_i : 1'b0;
  wire m_ind  = SMSTATEEN ? mstateen_csrind_i : 1'b1;
  wire h_ind  = SMSTATEEN ? hstateen_csrind_i : 1'b1;
  wire m_pdis = SMSTATEEN ? mstateen_pdis_i : 1'b1;
  wire h_pdis = SMSTATEEN ? hstateen_pdis_i : 1'b1;

  // ---- the windows: six words behind select 0x60, six behind 0x61
  reg [2:0] nth;        // sireg, sireg2, ...
  reg       s_window, vs_window;
  always @* begin
    s_window  = 1'b1;
    vs_window = 1'b0;
    nth       = 3'd0;
    case (csr_num_i)
      `TALLY_CSR_SIREG:   nth = 3'd0;
      `TALLY_CSR_SIREG2:  nth = 3'd1;
      `TALLY_CSR_SIREG3:  nth = 3'd2;
      `TALLY_CSR_SIREG4:  nth = 3'd3;
      `TALLY_CSR_SIREG5:  nth = 3'd4;
      `TALLY_CSR_SIREG6:  nth = 3'd5;
      `TALLY_CSR_VSIREG:  {s_window, vs_window, nth} = {2'b01, 3'd0};
      `TALLY_CSR_VSIREG2: {s_window, vs_window, nth} = {2'b01, 3'd1};
      `TALLY_CSR_VSIREG3: {s_window, vs_window, nth} = {2'b01, 3'd2};
      `TALLY_CSR_VSIREG4: {s_window, vs_window, nth} = {2'b01, 3'd3};
      `TALLY_CSR_VSIREG5: {s_window, vs_window, nth} = {2'b01, 3'd4};
      `TALLY_CSR_VSIREG6: {s_window, vs_window, nth} = {2'b01, 3'd5};
      default:            s_window = 1'b0;
    endcase
  end
  wire        v_now  = HYP ? csr_v_i & csr_priv_i != 2'd3 : 1'b0;
  wire [11:0] select = v_now | vs_window ? vsiselect_i : siselect_i;
  localparam [3:0] NO_WORD = 4'd15;

  // ---- decoding
  localparam [3:0] W_PESA_PC = 4'd0, W_PESA_DATA = 4'd1, W_CTL = 4'd2, W_COUNTER = 4'd3, W_EVMASK = 4'd4,
                   W_EVMATCH = 4'd5, W_FILTER = 4'd6, W_AMBCS = 4'd7, W_AMBADDR = 4'd8, W_DATA = 4'd9;
  localparam [2:0] R_M = 3'd0,          // machine CSR
                   R_S = 3'd1,          // spdis*
                   R_VCTL = 3'd2,       // vspdisctl by its own number
                   R_WINDOW = 3'd3, R_VWINDOW = 3'd4,
                   R_PESA = 3'd5;

  reg       own_now, high_now, guest_now;
  reg [3:0] word_now;
  reg [2:0] rule_now;
  always @* begin
    own_now   = 1'b0;
    high_now  = 1'b0;
    guest_now = 1'b0;
    word_now  = W_DATA;
    rule_now  = R_S;
    case (csr_num_i)
      `TALLY_CSR_SHPMSPC: begin
        own_now  = SSPESA;
        word_now = W_PESA_PC;
        rule_now = R_PESA;
      end
      `TALLY_CSR_SHPMSDATA: begin
        own_now  = SSPESA;
        word_now = W_PESA_DATA;
        rule_now = R_PESA;
      end
      `TALLY_CSR_MPDISCTL, `TALLY_CSR_MPDISCTLH: begin
        high_now = csr_num_i == `TALLY_CSR_MPDISCTLH;
        own_now  = SMPDIS & (RV32 | ~high_now);
        word_now = W_CTL;
        rule_now = R_M;
      end
      `TALLY_CSR_SPDISCTL, `TALLY_CSR_SPDISCTLH: begin
        high_now  = csr_num_i == `TALLY_CSR_SPDISCTLH;
        own_now   = SMPDIS & (RV32 | ~high_now);
        word_now  = W_CTL;
        guest_now = v_now;
      end
      `TALLY_CSR_VSPDISCTL, `TALLY_CSR_VSPDISCTLH: begin
        high_now  = csr_num_i == `TALLY_CSR_VSPDISCTLH;
        own_now   = SMPDIS & HYP & (RV32 | ~high_now);
        word_now  = W_CTL;
        guest_now = 1'b1;
        rule_now  = R_VCTL;
      end
      `TALLY_CSR_SPDISCOUNTER, `TALLY_CSR_SPDISCOUNTERH: begin
        high_now = csr_num_i == `TALLY_CSR_SPDISCOUNTERH;
        own_now  = SMPDIS & (RV32 | ~high_now);
        word_now = W_COUNTER;
      end
      `TALLY_CSR_SPDISEVMASK, `TALLY_CSR_SPDISEVMASKH: begin
        high_now = csr_num_i == `TALLY_CSR_SPDISEVMASKH;
        own_now  = SMPDIS & (RV32 | ~high_now);
        word_now = W_EVMASK;
      end
      `TALLY_CSR_SPDISEVMATCH, `TALLY_CSR_SPDISEVMATCHH: begin
        high_now = csr_num_i == `TALLY_CSR_SPDISEVMATCHH;
        own_now  = SMPDIS & (RV32 | ~high_now);
        word_now = W_EVMATCH;
      end
      `TALLY_CSR_SPDISFILTER: begin
        own_now  = SMPDIS;
        word_now = W_FILTER;
      end
      `TALLY_CSR_SPDISAMBCS, `TALLY_CSR_SPDISAMBCSH: begin
        high_now = csr_num_i == `TALLY_CSR_SPDISAMBCSH;
        own_now  = AMB & (RV32 | ~high_now);
        word_now = W_AMBCS;
      end
      `TALLY_CSR_SPDISAMBADDR: begin
        own_now  = AMB;
        word_now = W_AMBADDR;
      end
      default: begin
        own_now  = SLOTS & (s_window | vs_window & HYP) & select[11:1] == 11'h030;
        word_now = W_DATA;
        rule_now = vs_window ? R_VWINDOW : R_WINDOW;
      end
    endcase
  end

  wire [3:0] part_now = word_now != W_DATA ? NO_WORD : select[0] ? {1'b0, nth} + 4'd6 : {1'b0, nth};
  wire [2:0] beside_now = {csr_num_i == `TALLY_CSR_MCOUNTINHIBIT, csr_num_i == `TALLY_CSR_SCOUNTINHIBIT,
                           csr_num_i == `TALLY_CSR_SCOUNTOVF};

  // ---- the rules. An access that is neither ok nor virtual is illegal. With CSR_PIPELINE they are decoded
  // with the rest: the inputs that give rights do not change during an access.
  wire m_now  = csr_priv_i == 2'd3;
  wire s_now  = csr_priv_i == 2'd1 & ~v_now;
  wire vs_now = csr_priv_i == 2'd1 & v_now;
  wire vu_now = csr_priv_i == 2'd0 & v_now;
  reg  ok_now, virt_now;
  always @* begin
    ok_now   = 1'b0;
    virt_now = 1'b0;
    if (own_now) case (rule_now)
      R_S: begin
        ok_now   = m_now | m_pdis & (s_now | vs_now & h_pdis);
        virt_now = m_pdis & (vu_now | vs_now & ~h_pdis);
      end
      R_VCTL: begin
        ok_now   = m_now | m_pdis & s_now;
        virt_now = m_pdis & v_now;
      end
      R_WINDOW: begin
        ok_now   = m_now | m_ind & m_pdis & (s_now | vs_now & h_ind & h_pdis);
        virt_now = m_ind & (vu_now | vs_now & (~h_ind | m_pdis & ~h_pdis));
      end
      R_VWINDOW: begin
        ok_now   = m_now | m_ind & m_pdis & s_now;
        virt_now = m_ind & v_now;
      end
      R_PESA: begin
        ok_now   = m_now | cde & s_now;
        virt_now = cde & v_now;
      end
      default: begin  // R_M
        ok_now   = m_now;
        virt_now = 1'b0;
      end
    endcase
  end

  localparam HELD = 1 + 1 + 1 + 1 + 1 + 4 + 1 + 4 + 3;
  wire [HELD-1:0] now = {own_now, ok_now, virt_now, high_now, guest_now, word_now, rule_now == R_M, part_now,
                         beside_now};
  wire [HELD-1:0] held;
  generate
    if (CSR_PIPELINE) begin : g_pipelined
      reg [HELD-1:0] held_q;
      always @(posedge clk) held_q <= now & {~rst, {HELD - 1{1'b1}}};   // after it none is held
      assign held = held_q;
    end else begin : g_direct
      assign held = now;
      wire unused_ok = &{1'b0, clk, rst};
    end
  endgenerate
  wire       own, ok, virt, high, guest, machine, at_mcountinhibit, at_scountinhibit, at_scountovf;
  wire [3:0] word, part;
  assign {own, ok, virt, high, guest, word, machine, part,
          at_mcountinhibit, at_scountinhibit, at_scountovf} = held;

  assign data_word_o = part;
  assign own_o     = own & decoded_i;
  assign virtual_o = virt & decoded_i;
  assign illegal_o = own & ~ok & ~virt & decoded_i;

  // ---- read: the supervisor's view has no M, the guest's has modes of its own and no PA
  localparam [63:0] NO_M     = ~(64'd1 << `TALLY_MPDISCTL_M_LSB);
  localparam [63:0] NO_MODES = ~(64'd1 << `TALLY_MPDISCTL_M_LSB | 64'd1 << `TALLY_MPDISCTL_S_LSB |
                                 64'd1 << `TALLY_MPDISCTL_U_LSB | 64'd1 << `TALLY_MPDISCTL_PA_LSB);
  wire [63:0] ctl_guest = (ctl_i & NO_MODES) | {2'd0, vmodes_i, 60'd0};
  wire [63:0] ctl       = guest ? ctl_guest : machine ? ctl_i : ctl_i & NO_M;

  // What the new value is made of does not wait for the right to it.
  reg [63:0] old;
  always @* begin
    old = 64'd0;
    if (own) case (word)
      W_PESA_PC:   old = {{64 - XLEN{1'b0}}, pesa_pc_i};
      W_PESA_DATA: old = {59'd0, pesa_cntrid_i};
      W_CTL:       old = ctl;
      W_COUNTER:   old = counter_i;
      W_EVMASK:    old = {8'd0, evmask_i};
      W_EVMATCH:   old = {8'd0, evmatch_i};
      W_FILTER:    old = {48'd0, filter_i};
      W_AMBCS:     old = ambcs_i;
      W_AMBADDR:   old = {{64 - XLEN{1'b0}}, ambaddr_i};
      default:     old = {{64 - XLEN{1'b0}}, data_i};   // W_DATA
    endcase
  end

  // bit 1 of the counters' vectors: where the view has it
  reg has_inhibit, beside;
  always @* begin
    has_inhibit = 1'b0;
    beside      = 1'b0;
    if (SMPDIS & view_ok_i) begin
      has_inhibit = at_mcountinhibit | at_scountinhibit & m_pdis;
      beside      = at_scountovf & (m | m_pdis & (~v | h_pdis)) & ctl_i[`TALLY_MPDISCTL_OF_LSB];
      if (has_inhibit) beside = inhibit_i;
    end
  end
  assign rdata_o = (high ? old[63:64-XLEN] : old[XLEN-1:0]) & {XLEN{ok}} | {{XLEN - 2{1'b0}}, beside, 1'b0};

  // ---- write
  wire [63:0] data = {64 / XLEN{csr_wdata_i}};
  wire [63:0] half = !RV32 ? ~64'd0 : high ? 64'hFFFF_FFFF_0000_0000 : 64'h0000_0000_FFFF_FFFF;
  reg [63:0]  touch, value;
  reg [9:0]   we;                            // by word
  always @* begin
    touch = 64'd0;
    value = 64'd0;
    we    = 10'd0;
    if (own) begin
      touch = half & (op_i == OP_WRITE ? ~64'd0 : data);
      value = (old & ~touch) | ((op_i == OP_CLEAR ? 64'd0 : data) & touch);
      if (csr_valid_i & ok & op_i != OP_READ) we[word] = 1'b1;
    end
  end
  assign touch_o = touch;
  assign value_o = value;

  reg inhibit_touched;
  always @* begin
    inhibit_touched = 1'b0;
    if (has_inhibit)
      inhibit_touched = csr_valid_i & (op_i == OP_WRITE | op_i != OP_READ & csr_wdata_i[1]);
  end
  assign inhibit_we_o = inhibit_touched;
  assign inhibit_o    = op_i != OP_CLEAR & csr_wdata_i[1];

  assign pesa_pc_we_o   = we[W_PESA_PC];
  assign pesa_data_we_o = we[W_PESA_DATA];
  assign ctl_we_o       = we[W_CTL];
  assign ctl_machine_o  = machine;
  assign ctl_guest_o    = guest;
  assign count_we_o     = we[W_COUNTER] & ~high;
  assign initval_we_o   = we[W_COUNTER] & (high | !RV32);
  assign evmask_we_o    = we[W_EVMASK];
  assign evmatch_we_o   = we[W_EVMATCH];
  assign filter_we_o    = we[W_FILTER];
  assign ambcs_we_o     = we[W_AMBCS];
  assign ambaddr_we_o   = we[W_AMBADDR];
  assign data_we_o      = we[W_DATA];
endmodule

`default_nettype wire
