// SPDX-License-Identifier: Apache-2.0
// tally_pmu_ebb_gates - rights to event-based branches, and the routed counters (docs/rulings.md, EBB
// gates).
//
// mebbctl opens S-mode's gate, sebbctl U-mode's and the window. A counter is routed if S-mode's gate is open
// and sebbctl has its bit, which counts only while the counter is delegated (mcounteren, CDE); else the bit
// is kept, but reads 0 and ignores writes. A write acts from the next cycle.

`include "tally_spec.vh"

`default_nettype none

module tally_pmu_ebb_gates #(
    parameter HPM_N = 29,
    parameter [0:0] SMSTATEEN = 1'b1
) (
    input  wire        clk,
    input  wire        rst,

    // registers of the hart and of counting
    input  wire        mstateen_c_i,
    input  wire        sstateen_c_i,
    input  wire        cde_i,
    input  wire [31:0] mcounteren_i,

    output wire        s_open_o,
    output wire        u_open_o,
    output wire        window_open_o,
    output wire        enabled_next_o,  // mebbctl.EN and sebbctl.EN, in the next cycle
    output wire [31:0] routed_o,

    // access
    input  wire        machine_we_i,
    input  wire        supervisor_we_i,
    input  wire [31:0] wdata_i,
    output wire [31:0] machine_o,       // mebbctl
    output wire [31:0] supervisor_o     // sebbctl, in the bits of delegated counters
);
  localparam [31:0] HPM = ((32'd1 << HPM_N) - 32'd1) << 3;

  reg        machine_en_q, en_q, window_q;
  reg [31:0] route_q;

  wire        machine_en_next = machine_we_i ? wdata_i[`TALLY_MEBBCTL_EN_LSB] : machine_en_q;
  wire        en_next         = supervisor_we_i ? wdata_i[`TALLY_SEBBCTL_EN_LSB] : en_q;
  wire [31:0] delegated = mcounteren_i & {32{cde_i}};
  wire [31:0] routes    = route_q & delegated;

  always @(posedge clk) begin
    if (rst) begin
      machine_en_q <= 1'b0;
      en_q         <= 1'b0;
      window_q     <= 1'b0;
      route_q      <= 32'd0;
    end else begin
      machine_en_q <= machine_en_next;
      en_q         <= en_next;
      if (supervisor_we_i) begin
        window_q <= wdata_i[`TALLY_SEBBCTL_WIN_LSB];
        route_q  <= (wdata_i & delegated | route_q & ~delegated) & HPM;
      end
    end
  end

  assign s_open_o       = machine_en_q & (mstateen_c_i | !SMSTATEEN);
  assign u_open_o       = s_open_o & en_q & (sstateen_c_i | !SMSTATEEN);
  assign window_open_o  = u_open_o & window_q;
  assign enabled_next_o = machine_en_next & en_next;
  assign routed_o       = routes & {32{s_open_o}};

  reg [31:0] machine, supervisor;
  always @* begin
    machine                            = 32'd0;
    machine[`TALLY_MEBBCTL_EN_LSB]     = machine_en_q;
    supervisor                         = routes;
    supervisor[`TALLY_SEBBCTL_EN_LSB]  = en_q;
    supervisor[`TALLY_SEBBCTL_WIN_LSB] = window_q;
  end
  assign machine_o    = machine;
  assign supervisor_o = supervisor;

  wire unused_ok = &{1'b0, mstateen_c_i, sstateen_c_i, wdata_i};
endmodule

`default_nettype wire
