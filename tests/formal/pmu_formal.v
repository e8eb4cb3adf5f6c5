// SPDX-License-Identifier: Apache-2.0
// pmu_formal - the properties of tally_pmu as a whole: the unit with free inputs, its architectural state,
// and around them the documents' rules.
//
// `i` is a counter that the solver chooses and keeps: a proof for it holds for every counter.
//
// A property is an instance of prop_holds (in one cycle) or prop_becomes (from one cycle to the next), named
// after the sentence above it. They are written as the documents are, table for table, not as the unit is.
//
// Assumed of the host (docs/integration.md): reset first; no reserved privilege; no V=1 in M-mode or without
// the H extension; no access is performed while ret_max_o is 0, and its answer then does not matter; none to
// number 0 with CSR_PIPELINE. With CSR_PIPELINE the host's inputs that give rights (env_cde, mstateen0,
// hstateen0, sstateen0, hcounteren) do not change during an access: tally_pmu_access assumes that under
// FORMAL.

`include "tally_spec.vh"

`default_nettype none

module pmu_formal #(
`include "configuration.vh"
) (
`include "host.vh"
);
  localparam RV32 = XLEN == 32;

  // ---- the unit and its state
  (* anyconst *) wire [4:0] i;
  wire            hit, illegal, virt, tm, lcofi, andes;
  wire [XLEN-1:0] rdata;
  wire [3:0]      ret_max;
  wire [31:0]     mcounteren, scounteren, inhibit, wen, inten, flags, minh, sinh, uinh, vsinh, vuinh, wrap;
  wire [11:0]     miselect, siselect, vsiselect;
  wire [31:0]     pc_range;
  wire [XLEN-1:0] pc_low, pc_high;
  wire [63:0]     count;
  wire [55:0]     simple, combination;
  wire            was;
  wire [DECODE_W-1:0]   decoded;
  wire [DECODE_W*3-1:0] decoded_type;
  wire ebb_men;
  wire ebb_en;
  wire ebb_win;
  wire [31:0] ebb_route;
  wire [31:0] ebb_inh;
  wire [4:0] ebb_sel;
  wire ebb_ge;
  wire ebb_fz;
  wire ebb_pme;
  wire ebb_pmeo;
  wire [XLEN-1:0] ebb_hr;
  wire [XLEN-1:0] ebb_rr;
  wire [XLEN-1:0] ebb_spc;
  wire [1:0] ebb_events;
  wire ebb_req;
  wire [XLEN-1:0] ebb_target;
  wire [XLEN-1:0] ebb_return;
  wire uebret_illegal;
  wire uebret_virtual;
  pmu_state #(
      .XLEN(XLEN), .RETIRE_W(RETIRE_W), .DECODE_W(DECODE_W), .HPM_N(HPM_N), .HPM_W(HPM_W), .EVC_W(EVC_W),
      .SSCOFPMF(SSCOFPMF), .SMCNTRPMF(SMCNTRPMF), .SMCSRIND(SMCSRIND), .SMCDELEG(SMCDELEG),
      .SMSTATEEN(SMSTATEEN), .HYP(HYP), .ANDES(ANDES), .ANDES_SILICON(ANDES_SILICON),
      .ANDES_SWRITE(ANDES_SWRITE), .SWEVENT(SWEVENT), .COMB_N(COMB_N), .PCRANGE(PCRANGE),
      .SSPESA(SSPESA), .EBB(EBB), .CSR_PIPELINE(CSR_PIPELINE), .COUNTER_RAM(COUNTER_RAM)
  ) state (
      .clk(clk), .rst(rst), .csr_valid(csr_valid), .csr_num(csr_num),
      .csr_op(csr_op), .csr_wdata(csr_wdata), .csr_priv(csr_priv), .csr_v(csr_v),
      .env_cde(env_cde), .env_mstateen0(env_mstateen0), .env_hstateen0(env_hstateen0),
      .env_sstateen0(env_sstateen0), .env_hcounteren(env_hcounteren),
      .env_time(env_time), .env_htimedelta(env_htimedelta), .mode_priv(mode_priv), .mode_v(mode_v),
      .mode_stopcount(mode_stopcount), .mode_debug(mode_debug), .mode_halted(mode_halted),
          .ev_retire(ev_retire), .ev_cycle(ev_cycle),
      .dec_valid(dec_valid), .dec_type(dec_type), .ret_valid(ret_valid), .ret_pc(ret_pc),
      .ret_mode(ret_mode), .ret_next_pc(ret_next_pc), .ret_flushed(ret_flushed), .ret_uebret(ret_uebret),
      .ret_uebret_ge(ret_uebret_ge), .ebb_ack(ebb_ack),
      .hit(hit),
      .illegal(illegal), .virt(virt), .rdata(rdata), .tm(tm),
      .ret_max(ret_max), .lcofi(lcofi), .andes(andes), .mcounteren(mcounteren), .scounteren(scounteren),
      .inhibit(inhibit), .wen(wen), .inten(inten), .flags(flags),
      .minh(minh), .sinh(sinh), .uinh(uinh), .vsinh(vsinh),
      .vuinh(vuinh), .wrap(wrap), .miselect(miselect), .siselect(siselect),
      .vsiselect(vsiselect), .pc_range(pc_range), .pc_low(pc_low), .pc_high(pc_high),
      .index_i(i), .count(count), .simple(simple), .combination(combination), .was(was),
      .decoded(decoded), .decoded_type(decoded_type),
      .ebb_men(ebb_men), .ebb_en(ebb_en), .ebb_win(ebb_win), .ebb_route(ebb_route), .ebb_inh(ebb_inh),
          .ebb_sel(ebb_sel), .ebb_ge(ebb_ge), .ebb_fz(ebb_fz), .ebb_pme(ebb_pme), .ebb_pmeo(ebb_pmeo),
          .ebb_hr(ebb_hr), .ebb_rr(ebb_rr), .ebb_spc(ebb_spc), .ebb_events(ebb_events), .ebb_req(ebb_req),
          .ebb_target(ebb_target), .ebb_return(ebb_return), .uebret_illegal(uebret_illegal),
          .uebret_virtual(uebret_virtual)
  );
  wire [55:0] selector = simple | combination;
  wire [4:0]  filter   = {minh[i], sinh[i], uinh[i], vsinh[i], vuinh[i]};

  // ---- the host
  wire ready = ret_max != 4'd0;
  reg up = 1'b0;  // has been reset
  always @(posedge clk) up <= up | rst;
  wire on = up & ~rst;
  wire answers = on & ready;  // the access need not wait
  always @* begin
    if (!up) assume (rst);
    assume (csr_priv != 2'd2 & mode_priv != 2'd2);
    if (!HYP || csr_priv == 2'd3) assume (!csr_v);
    if (!HYP || mode_priv == 2'd3) assume (!mode_v);
    if (!ready) assume (!csr_valid);
    if (CSR_PIPELINE && csr_num == 12'd0) assume (!csr_valid);
    // uebret retires alone, where it is legal; nothing retires in the cycle of a delivery
    if (ret_uebret) assume (ret_valid == 1'b1 & !csr_valid & !ebb_ack & ready & !uebret_illegal
        & !uebret_virtual);
    if (EBB && ebb_ack) assume (ret_valid == {RETIRE_W{1'b0}} & !csr_valid);
  end

  // ---- existence
  localparam COMB = COMB_N < HPM_N ? COMB_N : HPM_N;
  localparam [31:0] HPM      = ((32'd1 << HPM_N) - 32'd1) << 3;
  localparam [31:0] COUNTERS = HPM | 32'h5;
  localparam [31:0] HAS_FLAG   = (SSCOFPMF || ANDES ? HPM : 32'd0) | (ANDES ? 32'h5 : 32'd0);
  localparam [31:0] HAS_FILTER = (SSCOFPMF || ANDES ? HPM : 32'd0) | (SMCNTRPMF || ANDES ? 32'h5 : 32'd0);
  wire programmable = HPM[i];
  wire exists       = COUNTERS[i];
  wire [63:0] width = i < 5'd3 ? ~64'd0 : ~64'd0 >> (64 - HPM_W);

  // ---- the access
  wire m  = csr_priv == 2'd3;
  wire s  = csr_priv == 2'd1 & ~csr_v;
  wire u  = csr_priv == 2'd0 & ~csr_v;
  wire vs = csr_priv == 2'd1 & csr_v;
  wire vu = csr_priv == 2'd0 & csr_v;
  wire rd = csr_op == 2'd0;
  wire wr = ~rd;

  localparam [1:0] NONE = 2'd0, OK = 2'd1, ILLEGAL = 2'd2, VIRTUAL = 2'd3;
  wire [1:0] answer = ~hit ? NONE : illegal ? ILLEGAL : virt ? VIRTUAL : OK;
  wire       ok     = answer == OK;
  wire       done   = csr_valid & ok & on;         // performed in this cycle
  wire       write  = done & wr;

  wire cde    = SMCDELEG & env_cde;
  // Smstateen
  wire csrind  = !SMSTATEEN || env_mstateen0[`TALLY_MSTATEEN0_CSRIND_LSB];
  wire hcsrind = !SMSTATEEN || env_hstateen0[`TALLY_MSTATEEN0_CSRIND_LSB];
  wire custom  = !SMSTATEEN || env_mstateen0[`TALLY_MSTATEEN0_C_LSB];
  wire hcustom = !SMSTATEEN || env_hstateen0[`TALLY_MSTATEEN0_C_LSB];
  wire [31:0] delegated = cde ? mcounteren & COUNTERS : 32'd0;
  // Counters of which modes below M share the custom controls (docs/rulings.md, Custom counter controls below
  // M-mode); those that the Andes S views show.
  wire [31:0] shared    = delegated | wen;
  wire [31:0] andes_see = m ? ~32'd0 : mcounteren | wen;

  // Event-based branches: gates, what is routed, and the mode that counts it (docs/rulings.md, EBB gates; EBB
  // overflow). S-mode's gate closed: sebbctl acts as 0.
  wire s_gate = EBB & ebb_men & custom;
  wire u_gate = s_gate & ebb_en & (!SMSTATEEN || env_sstateen0[`TALLY_SSTATEEN0_C_LSB]);
  wire [31:0] routes    = s_gate ? ebb_route & delegated & HPM : 32'd0;
  wire        routed    = routes[i];
  wire        user_mode = mode_priv == 2'd0 & ~mode_v;
  wire is_ubescr  = EBB & csr_num == `TALLY_CSR_UBESCR,  is_uebbhr  = EBB & csr_num == `TALLY_CSR_UEBBHR;
  wire is_uebbrr  = EBB & csr_num == `TALLY_CSR_UEBBRR,  is_uebbovf = EBB & csr_num == `TALLY_CSR_UEBBOVF;
  wire is_uebbinh = EBB & csr_num == `TALLY_CSR_UEBBINH, is_uebbsel = EBB & csr_num == `TALLY_CSR_UEBBSEL;
  wire is_uebbcnt = EBB & csr_num == `TALLY_CSR_UEBBCNT, is_uebbcnth = EBB & RV32
      & csr_num == `TALLY_CSR_UEBBCNTH;
  wire is_uebbspc = EBB & SSPESA & csr_num == `TALLY_CSR_UEBBSPC;
  wire is_sebbctl = EBB & csr_num == `TALLY_CSR_SEBBCTL, is_mebbctl = EBB & csr_num == `TALLY_CSR_MEBBCTL;
  wire ebb_user   = is_ubescr | is_uebbhr | is_uebbrr;
  wire ebb_window = is_uebbovf | is_uebbinh | is_uebbsel | is_uebbcnt | is_uebbcnth | is_uebbspc;
  wire ebb_register = ebb_user | ebb_window | is_sebbctl | is_mebbctl;

  // Numbers: number n of a block of 32 belongs to counter n.
  wire [4:0] n = csr_num[4:0];
  wire user_low   = csr_num[11:5] == 7'b1100_000;
  wire user_high  = csr_num[11:5] == 7'b1100_100;
  wire count_low  = csr_num[11:5] == 7'b1011_000;
  wire count_high = csr_num[11:5] == 7'b1011_100;
  wire event_low  = csr_num[11:5] == 7'b0011_001;
  wire event_high = csr_num[11:5] == 7'b0111_001;
  wire andes_s    = csr_num[11:5] == 7'b1001_111;

  wire user       = user_low | user_high & RV32;
  wire mcount     = (count_low | count_high & RV32) & n != 5'd1;
  // mcyclecfg and minstretcfg have the numbers of events 1 and 2
  wire mcfg       = SMCNTRPMF & (event_low | event_high & RV32) & (n == 5'd1 | n == 5'd2);
  wire mevent     = (event_low | event_high & RV32 & SSCOFPMF) & n > 5'd2;
  wire [4:0] configured = n == 5'd1 ? 5'd0 : n;
  wire mcountinhibit = csr_num == `TALLY_CSR_MCOUNTINHIBIT;
  wire shpmevent  = ANDES & andes_s & n > 5'd2;

  wire sireg  = csr_num == `TALLY_CSR_SIREG,  sireg2 = csr_num == `TALLY_CSR_SIREG2;
  wire sireg3 = csr_num == `TALLY_CSR_SIREG3, sireg4 = csr_num == `TALLY_CSR_SIREG4;
  wire sireg5 = csr_num == `TALLY_CSR_SIREG5, sireg6 = csr_num == `TALLY_CSR_SIREG6;
  wire sireg_any = sireg | sireg2 | sireg3 | sireg4 | sireg5 | sireg6;
  wire vsireg_any = csr_num == `TALLY_CSR_VSIREG | csr_num == `TALLY_CSR_VSIREG2
      | csr_num == `TALLY_CSR_VSIREG3
                  | csr_num == `TALLY_CSR_VSIREG4 | csr_num == `TALLY_CSR_VSIREG5
                  | csr_num == `TALLY_CSR_VSIREG6;
  wire mireg_any = csr_num == `TALLY_CSR_MIREG | csr_num == `TALLY_CSR_MIREG2 | csr_num == `TALLY_CSR_MIREG3
                 | csr_num == `TALLY_CSR_MIREG4 | csr_num == `TALLY_CSR_MIREG5 | csr_num == `TALLY_CSR_MIREG6;
  wire window      = (siselect & 12'hFE0) == `TALLY_COUNTER_SELECT;   // of a delegated counter
  wire [4:0] at    = siselect[4:0];

  // An access to the value or to the event register of counter i, whatever the view.
  wire at_count = user & n == i & i != 5'd1 | mcount & n == i | SMCSRIND & (sireg | sireg4) & at == i
                | (is_uebbcnt | is_uebbcnth) & ebb_sel == i & routed;
  wire at_event = mevent & n == i | mcfg & configured == i | SMCSRIND & (sireg2 | sireg5) & at == i;
  wire high     = user_high | count_high | event_high | sireg4 | sireg5 | is_uebbcnth;

  // CSRRW, CSRRS, CSRRC (Unprivileged ISA, Zicsr), on a register of 64 bits of which RV32 shows a half.
  wire [63:0] data    = {64 / XLEN{csr_wdata}};
  wire [63:0] visible = !RV32 ? ~64'd0 : high ? 64'hFFFF_FFFF_0000_0000 : 64'h0000_0000_FFFF_FFFF;
  function [63:0] written;
    input [63:0] old;
    written = (old & ~visible)
            | (visible & (csr_op == 2'd1 ? data : csr_op == 2'd2 ? old | data : old & ~data));
  endfunction
  // the bits that the instruction writes explicitly
  wire [63:0] touched = visible & (csr_op == 2'd1 ? ~64'd0 : data);
  function [63:0] seen;  // rdata of a register of 64 bits
    input [63:0] value;
    seen = !RV32 ? value : high ? {32'd0, value[63:32]} : {32'd0, value[31:0]};
  endfunction
  wire [63:0] answer_data = {{64 - XLEN{1'b0}}, rdata};

  `include "count.vh"
  `include "access.vh"
  `include "views.vh"
  `include "writes.vh"
  `include "ebb.vh"
endmodule

`default_nettype wire
