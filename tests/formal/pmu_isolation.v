// SPDX-License-Identifier: Apache-2.0
// pmu_isolation - no access reveals counters to which the modes below M have no right: two
// units side by side.
//
// M-mode may have given them different values. From then on they get the same inputs and agree in
// everything but counter `i`, to which mcounteren gives no mode below M a right (privileged manual,
// Counter-Enable registers; Sscofpmf; Smcdeleg/Ssccfg): its value, selector, filters, inhibit and flag may
// be different. Then every answer to an access from below M is the same in both, and they agree again in
// the next cycle: so for ever, as long as M-mode does nothing. (The overflow interrupt is no access. With
// the Andes view S-mode reads the controls of every counter, so this is about the standard views.)
//
// `j` is any other counter: if it agrees, all agree. For an access to a counter j is that one.

`include "tally_spec.vh"

`default_nettype none

module pmu_isolation #(
    parameter XLEN  = 64,
    parameter RETIRE_W = 1,
    parameter DECODE_W = 1,
    parameter EVC_W = 1,
    parameter HPM_N = 29,
    parameter [0:0] HYP  = 1,
    parameter [0:0] CSR_PIPELINE = 0,
    parameter [0:0] COUNTER_RAM = 0
) (
    input wire [XLEN-1:0]         csr_wdata_1,    // of the second unit, in M-mode
`include "host.vh"
);
  (* anyconst *) wire [4:0] i;
  (* anyconst *) wire [4:0] j;

  wire m = csr_priv == 2'd3;

  localparam ANSWER = XLEN + 3, OPEN = 4*32 + 3*12 + 4*DECODE_W + 129, SECRET = 7*32, COUNTER = 64 + 56;
  wire [1:0]           busy;
  wire [2*ANSWER-1:0]  answer;
  wire [2*OPEN-1:0]    open;
  wire [2*SECRET-1:0]  secret;
  wire [2*COUNTER-1:0] other;
  wire [63:0]          mcounteren;
  wire [23:0]          siselect;
  genvar c;
  generate
    for (c = 0; c < 2; c = c + 1) begin : g_unit
      wire            hit, illegal, virt;
      wire [XLEN-1:0] rdata;
      wire [3:0]      ret_max;
      wire [31:0]     enable, scounteren, wen, inten, inhibit, flags, minh, sinh, uinh, vsinh, vuinh;
      wire [11:0]     miselect, select, vsiselect;
      wire [63:0]     count;
      wire [55:0]     selector;
      wire [DECODE_W-1:0]   decoded;
      wire [DECODE_W*3-1:0] decoded_type;
      wire [128:0]          way;
      pmu_state #(
          .XLEN(XLEN), .RETIRE_W(RETIRE_W), .DECODE_W(DECODE_W), .EVC_W(EVC_W), .HPM_N(HPM_N), .HYP(HYP),
          .CSR_PIPELINE(CSR_PIPELINE), .COUNTER_RAM(COUNTER_RAM)
      ) state (
          .clk(clk), .rst(rst), .csr_valid(csr_valid), .csr_num(csr_num), .csr_op(csr_op),
          .csr_wdata(c == 1 & m ? csr_wdata_1 : csr_wdata), .csr_priv(csr_priv), .csr_v(csr_v),
          .env_cde(env_cde),
          .env_mstateen0(env_mstateen0), .env_hstateen0(env_hstateen0), .env_hcounteren(env_hcounteren),
          .env_time(env_time), .env_htimedelta(env_htimedelta), .mode_priv(mode_priv), .mode_v(mode_v),
          .mode_stopcount(mode_stopcount), .mode_halted(mode_halted), .ev_retire(ev_retire),
          .ev_cycle(ev_cycle),
          .dec_valid(dec_valid), .dec_type(dec_type), .ret_valid(ret_valid), .ret_pc(ret_pc),
          .hit(hit), .illegal(illegal), .virt(virt), .rdata(rdata), .ret_max(ret_max),
          .mcounteren(enable), .scounteren(scounteren), .wen(wen), .inten(inten), .inhibit(inhibit),
          .flags(flags), .minh(minh), .sinh(sinh), .uinh(uinh), .vsinh(vsinh), .vuinh(vuinh),
          .miselect(miselect), .siselect(select), .vsiselect(vsiselect),
          .index_i(j), .count(count), .simple(selector),
          .decoded(decoded), .decoded_type(decoded_type), .way(way)
      );
      assign busy[c] = ret_max == 4'd0;
      assign answer[c*ANSWER +: ANSWER]   = {hit, illegal, virt, rdata};
      assign open[c*OPEN +: OPEN]         = {enable, scounteren, wen, inten, miselect, select, vsiselect,
                                             decoded, decoded_type, way};
      assign secret[c*SECRET +: SECRET]   = {inhibit, flags, minh, sinh, uinh, vsinh, vuinh};
      assign other[c*COUNTER +: COUNTER]  = {count, selector};
      assign mcounteren[c*32 +: 32] = enable;
      assign siselect[c*12 +: 12]   = select;
    end
  endgenerate

  reg up = 1'b0;  // have been reset
  always @(posedge clk) up <= up | rst;
  always @* begin
    if (!up) assume (rst);
    assume (i != j);
    assume (csr_priv != 2'd2 & mode_priv != 2'd2);
    if (!HYP) assume (!csr_v & !mode_v);
    assume (~(m & csr_v) & ~(mode_priv == 2'd3 & mode_v));
    if (busy != 2'd0) assume (!csr_valid);
    if (CSR_PIPELINE && csr_num == 12'd0) assume (!csr_valid);
  end

  // The counter that an access is to, if it is to one.
  wire numbered = csr_num[11:5] == 7'b1100_000 | csr_num[11:5] == 7'b1100_100   // cycle ..., cycleh ...
                | csr_num[11:5] == 7'b1011_000 | csr_num[11:5] == 7'b1011_100   // mcycle ...
                | csr_num[11:5] == 7'b0011_001 & csr_num[4:0] != 5'd0 | csr_num[11:5] == 7'b0111_001;
  wire windowed = csr_num[11:3] == 9'b0001_0101_0;                              // sireg ...
  wire [4:0] at = numbered ? csr_num[4:0] : siselect[4:0];

  wire counterless = ~numbered & ~windowed;

  wire [31:0]       of_i    = 32'd1 << i, of_j = 32'd1 << j;
  wire [SECRET-1:0] differ  = secret[0 +: SECRET] ^ secret[SECRET +: SECRET];
  wire              agree_j = open[0 +: OPEN] == open[OPEN +: OPEN] & ~mcounteren[i]
                            & other[0 +: COUNTER] == other[COUNTER +: COUNTER] & (differ
                            & {7{of_j}}) == {SECRET{1'b0}};
  wire              agree   = agree_j & (differ & {7{~of_i}}) == {SECRET{1'b0}};
  wire              below_m = up & ~rst & ~m;

  // "No access from a mode without the right reveals": the answer is the same for every secret.
  wire same_answer = answer[0 +: ANSWER] == answer[ANSWER +: ANSWER];
  wire asked       = (counterless | at == i | at == j) & busy == 2'd0 & (!CSR_PIPELINE | answer[ANSWER-1]);
  prop_holds answers_do_not_depend (.when_i(below_m & agree & asked), .holds_i(same_answer));
  prop_holds answers_hide_the_difference (.when_i(below_m & agree & asked & differ != {SECRET{1'b0}}),
      .holds_i(same_answer));
  // ... "or changes": the secret reaches no state that others may read.
  prop_becomes nothing_leaks (.clk(clk), .when_i(below_m & agree), .value_i(agree_j), .then_i(1'b1));
endmodule

`default_nettype wire
