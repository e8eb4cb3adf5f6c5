// SPDX-License-Identifier: Apache-2.0
// tally_player - a host for tally_pmu without a hart: it plays events out of a small program memory, and a
// serial line loads the program, starts it and accesses the unit's CSRs. For FPGAs too small for a hart.
//
// A word of the program is {kind[1:0], what[5:0], times[7:0]}; it takes times + 1 cycles:
//   0 stall   nothing retires; what = 63: the program ends here
//   1 retire  an instruction retires each cycle, with retire event `what` of spec/events.yaml (INST always)
//   2 count   cycle event `what` happens each cycle, nothing retires
//   3 mode    what = 0 U, 1 S, 3 M (from the next word on)
// The pc starts at 0 and grows by 4 with every instruction. Between programs the unit is in debug mode with
// stopcount: nothing counts, not even cycles, and an access of the line retires no instruction.
//
// The line: commands are a letter and fixed bytes, numbers little-endian; each is answered.
//   W addr word[2]               write a word of the program            answer: status
//   G                            play from word 0, in M-mode            answer: status, at the end
//   L                            clear LCOFIP                           answer: status
//   C op num[2] data[8]          access CSR num; op[1:0] as csr_op_i,   answer: status, old value[8]
//                                op[5:4] the mode that asks
// status: bit 0 illegal, bit 1 the unit has the CSR, bit 2 LCOFIP, bits 7:4 = 5. Other letters are ignored.
// Implemented to docs/integration.md.

`include "tally_spec.vh"

`default_nettype none

module tally_player #(
    parameter HPM_N      = 4,
    parameter ADDR_WIDTH = 8         // of the program memory, at most 8
) (
    input  wire       clk,
    input  wire       rst,

    // bytes of the line: tally_uart_line
    input  wire       rx_valid_i,
    input  wire [7:0] rx_data_i,
    output wire       tx_valid_o,
    input  wire       tx_ready_i,
    output wire [7:0] tx_data_o,

    // for lights
    output wire       playing_o,
    output wire       lcofip_o
);
  localparam [2:0] IDLE = 3'd0, ARGUMENTS = 3'd1, ACT = 3'd2, FETCH = 3'd3, DECODE = 3'd4,
                   PLAY = 3'd5, ANSWER = 3'd6;
  localparam [7:0] WRITE = "W", GO = "G", CLEAR = "L", CSR = "C";
  localparam [1:0] RETIRE = 2'd1, COUNT = 2'd2, MODE = 2'd3;
  localparam [5:0] END = 6'd63;
  localparam [`TALLY_EVR_N-1:0] EVR_ONE = 1, EVR_INST = EVR_ONE << `TALLY_EVR_INST;
  localparam [`TALLY_EVC_N-1:0] EVC_ONE = 1, EVC_CYCLE = EVC_ONE << `TALLY_EVC_CYCLE;

  // ---- commands: arguments come in at the top, so the last byte is there
  reg  [2:0]  state_q;
  reg  [7:0]  command_q;
  reg  [3:0]  left_q;                // bytes to come, or to go
  reg  [87:0] bytes_q;
  wire        acts = state_q == ACT;
  wire [7:0]  word_addr = bytes_q[71:64];
  wire [15:0] word_data = bytes_q[87:72];
  wire [7:0]  op        = bytes_q[7:0];
  wire [11:0] number    = bytes_q[19:8];
  wire [63:0] data      = bytes_q[87:24];

  // ---- the program
  reg  [15:0] words_q [0:(1 << ADDR_WIDTH) - 1];
  reg  [15:0] word_q;
  reg  [ADDR_WIDTH-1:0] at_q;
  reg  [7:0]  times_q;
  wire [1:0]  kind = word_q[15:14];
  wire [5:0]  what = word_q[13:8];
  wire        ends = kind == 2'd0 & what == END;
  wire        last = times_q == word_q[7:0];

  always @(posedge clk) begin
    if (acts & command_q == WRITE) words_q[word_addr[ADDR_WIDTH-1:0]] <= word_data;
    if (state_q == FETCH) word_q <= words_q[at_q];
  end

  // ---- the unit's host
  wire        hit, illegal, lcofi;
  wire [63:0] rdata;
  wire [3:0]  ret_max;
  wire        plays  = state_q == PLAY & ~ends & ret_max != 4'd0;
  wire        access = acts & command_q == CSR;
  wire        retire = plays & kind == RETIRE;
  reg  [1:0]  priv_q;
  reg  [31:2] pc_q;
  reg         lcofip_q;

  // A word's signals are decoded a cycle before it plays: the unit's paths from an event are long
  reg  [`TALLY_EVR_N-1:0] ev_retire_q;
  reg  [`TALLY_EVC_N-1:0] ev_cycle_q;
  always @(posedge clk)
    if (state_q == DECODE) begin
      ev_retire_q <= kind == RETIRE ? EVR_ONE << what | EVR_INST : {`TALLY_EVR_N{1'b0}};
      ev_cycle_q  <= kind == COUNT ? EVC_ONE << what | EVC_CYCLE : EVC_CYCLE;
    end

  // Outputs of the extensions that are left out
  // verilator lint_off PINCONNECTEMPTY
  tally_pmu #(
    .HPM_N     (HPM_N),
    .SMCSRIND  (0),
    .SMCDELEG  (0),
    .SMSTATEEN (0),
    .SWEVENT   (0),
    .SSPESA    (1)
  ) u_pmu (
    .clk               (clk),
    .rst               (rst),
    .csr_valid_i       (access & hit & ~illegal & ret_max != 4'd0),
    .csr_num_i         (number),
    .csr_op_i          (op[1:0]),
    .csr_wdata_i       (data),
    .csr_priv_i        (op[5:4]),
    .csr_v_i           (1'b0),
    .csr_hit_o         (hit),
    .csr_illegal_o     (illegal),
    .csr_virtual_o     (),
    .csr_rdata_o       (rdata),
    .csr_tm_o          (),
    .csr_ready_next_o  (),
    .env_cde_i         (1'b0),
    .env_pdiss_i       (1'b0),
    .env_pdisv_i       (1'b0),
    .env_mstateen0_i   (64'd0),
    .env_hstateen0_i   (64'd0),
    .env_sstateen0_i   (32'd0),
    .env_hcounteren_i  (32'd0),
    .env_lcofip_i      (lcofip_q),
    .env_time_i        (64'd0),
    .env_htimedelta_i  (64'd0),
    .env_tlb_inval_i   (1'b0),
    .mode_priv_i       (priv_q),
    .mode_v_i          (1'b0),
    .mode_stopcount_i  (~plays),
    .mode_debug_i      (1'b0),
    .mode_halted_i     (1'b0),
    .ev_retire_i       (ev_retire_q),
    .ev_cycle_i        (plays ? ev_cycle_q : {`TALLY_EVC_N{1'b0}}),
    .dec_valid_i       (1'b0),
    .dec_pc_i          (64'd0),
    .dec_type_i        (3'd0),
    .dec_mode_i        (3'd0),
    .dec_sample_o      (),
    .trk_dispatched_i  (1'b0),
    .trk_issued_i      (1'b0),
    .trk_completed_i   (1'b0),
    .trk_oldest_i      (1'b0),
    .trk_retired_i     (1'b0),
    .trk_trapped_i     (1'b0),
    .trk_flushed_i     (1'b0),
    .trk_flush_why_i   (2'd0),
    .trk_flush_pc_i    (64'd0),
    .trk_itype_i       (4'd0),
    .trk_mispred_i     (1'b0),
    .trk_itmiss_i      (1'b0),
    .trk_icmiss_i      (1'b0),
    .trk_l1miss_i      (1'b0),
    .trk_llmiss_i      (1'b0),
    .trk_l1tlbmiss_i   (1'b0),
    .trk_lltlbmiss_i   (1'b0),
    .trk_dsrc_i        (4'd0),
    .trk_ev_i          ({`TALLY_EVR_N{1'b0}}),
    .trk_vaddr_i       (64'd0),
    .trk_paddr_i       (64'd0),
    .trk_target_i      (64'd0),
    .ret_valid_i       (retire),
    .ret_pc_i          ({32'd0, pc_q, 2'b00}),
    .ret_mode_i        ({1'b0, priv_q}),
    .ret_next_pc_i     ({32'd0, pc_q, 2'b00}),
    .ret_flush_pc_i    (64'd0),
    .ret_flushed_i     (1'b0),
    .ret_uebret_i      (1'b0),
    .ret_uebret_ge_i   (1'b0),
    .ret_max_o         (ret_max),
    .irq_lcofi_o       (lcofi),
    .irq_lambi_o       (),
    .irq_andes_o       (),
    .ebb_req_o         (),
    .ebb_target_o      (),
    .ebb_ack_i         (1'b0),
    .ebb_return_o      (),
    .uebret_illegal_o  (),
    .uebret_virtual_o  (),
    .rec_valid_o       (),
    .rec_ready_i       (1'b0),
    .rec_addr_o        (),
    .rec_data_o        (),
    .rec_done_i        (1'b0),
    .xlat_req_o        (),
    .xlat_vaddr_o      (),
    .xlat_mode_o       (),
    .xlat_done_i       (1'b0),
    .xlat_fault_i      (1'b0),
    .xlat_paddr_i      (56'd0)
  );
  // verilator lint_on PINCONNECTEMPTY

  always @(posedge clk) lcofip_q <= ~rst & (lcofi | lcofip_q & ~(acts & command_q == CLEAR));

  // ---- playing
  always @(posedge clk) begin
    if (acts & command_q == GO) begin
      at_q    <= {ADDR_WIDTH{1'b0}};
      times_q <= 8'd0;
      pc_q    <= 30'd0;
      priv_q  <= 2'd3;
    end else if (state_q == FETCH) begin
      at_q <= at_q + 1'b1;
    end else if (plays) begin
      times_q <= last ? 8'd0 : times_q + 8'd1;
      if (retire) pc_q <= pc_q + 30'd1;
      if (last & kind == MODE) priv_q <= what[1:0];
    end
    if (rst) priv_q <= 2'd3;
  end

  // ---- the line
  function [3:0] arguments(input [7:0] letter);
    case (letter)
      WRITE:   arguments = 4'd3;
      CSR:     arguments = 4'd11;
      default: arguments = 4'd0;
    endcase
  endfunction

  wire known = rx_data_i == WRITE | rx_data_i == GO | rx_data_i == CLEAR | rx_data_i == CSR;

  always @(posedge clk) begin
    case (state_q)
      IDLE: if (rx_valid_i & known) begin
        command_q <= rx_data_i;
        left_q    <= arguments(rx_data_i);
        state_q   <= arguments(rx_data_i) == 4'd0 ? ACT : ARGUMENTS;
      end
      ARGUMENTS: if (rx_valid_i) begin
        bytes_q <= {rx_data_i, bytes_q[87:8]};
        left_q  <= left_q - 4'd1;
        if (left_q == 4'd1) state_q <= ACT;
      end
      ACT: if (~access | ret_max != 4'd0) begin
        bytes_q[7:0] <= {4'd5, 1'b0, lcofip_q & command_q != CLEAR, hit, illegal};
        left_q       <= command_q == CSR ? 4'd9 : 4'd1;
        state_q      <= command_q == GO ? FETCH : ANSWER;
        if (access) bytes_q[71:8] <= rdata;
      end
      FETCH: state_q <= DECODE;
      DECODE: state_q <= PLAY;
      PLAY: begin
        if (ends) begin
          bytes_q[2] <= lcofip_q;
          state_q    <= ANSWER;
        end else if (plays & last) begin
          state_q <= FETCH;
        end
      end
      default: if (tx_ready_i) begin    // ANSWER
        bytes_q <= {8'd0, bytes_q[87:8]};
        left_q  <= left_q - 4'd1;
        if (left_q == 4'd1) state_q <= IDLE;
      end
    endcase
    if (rst) state_q <= IDLE;
  end

  assign tx_valid_o = state_q == ANSWER;
  assign tx_data_o  = bytes_q[7:0];
  assign playing_o  = state_q == FETCH | state_q == DECODE | state_q == PLAY;
  assign lcofip_o   = lcofip_q;

  wire _unused = &{1'b0, op[7:6], op[3:2]};
endmodule

`default_nettype wire
