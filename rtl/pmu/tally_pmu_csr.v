// tally_pmu_csr - the one place that decides who may touch what.
//
// An access comes in by number; direct CSRs, their RV32 halves, the sireg windows, the delegated and the
// Andes views are all decoded to one of a few `word`s of state, a counter index, a half, and two masks:
// which bits this view shows and which it may write. Then one set of rules says ok, illegal or virtual, one
// multiplexer reads, and one read-modify-write makes the new value. No view keeps state of its own, so none
// can disagree with another.
//
// Combinational, except for the three select registers. Sections: facts 1.3 (user counters), 2.3 (scountovf),
// 4 (indirect access), 5 (delegation), 6.2 (state enable), 8.3 (Andes); rulings 1, 2, 12.

`include "tally_spec.vh"

`default_nettype none

module tally_pmu_csr #(
    parameter XLEN          = 64,
    parameter HPM_N         = 29,
    parameter [0:0] SSCOFPMF      = 1'b1,
    parameter [0:0] SMCNTRPMF     = 1'b1,
    parameter [0:0] SMCSRIND      = 1'b1,
    parameter [0:0] SMCDELEG      = 1'b1,
    parameter [0:0] SMSTATEEN     = 1'b1,
    parameter [0:0] HYP           = 1'b0,
    parameter [0:0] ANDES         = 1'b0,
    parameter [0:0] ANDES_SILICON = 1'b0,
    parameter [0:0] ANDES_SWRITE  = 1'b1,
    parameter [0:0] SWEVENT       = 1'b1,
    parameter [0:0] PCRANGE       = 1'b0,
    parameter [0:0] LAZY          = 1'b0   // count_o is count_i in a cycle without a write
) (
    input  wire            clk,
    input  wire            rst,

    input  wire            csr_valid_i,
    input  wire [11:0]     csr_num_i,
    input  wire [1:0]      csr_op_i,
    input  wire [XLEN-1:0] csr_wdata_i,
    input  wire [1:0]      csr_priv_i,
    input  wire            csr_v_i,
    output reg             csr_hit_o,
    output wire            csr_illegal_o,
    output wire            csr_virtual_o,
    output wire [XLEN-1:0] csr_rdata_o,

    input  wire            env_cde_i,
    input  wire            mstateen_csrind_i,
    input  wire            hstateen_csrind_i,
    input  wire            mstateen_c_i,
    input  wire            hstateen_c_i,
    input  wire [31:0]     env_hcounteren_i,
    input  wire [63:0]     env_time_i,
    input  wire [63:0]     env_htimedelta_i,

    // counters
    output wire [11:0]     siselect_o,
    output wire [11:0]     vsiselect_o,
    output wire [4:0]      index_o,
    input  wire [63:0]     count_i,
    output wire            count_access_o,  // ... the number is that of its value or its event register
    output wire            count_we_o,
    output wire [63:0]     count_o,
    input  wire [7:0]      event_i,
    output wire            event_we_o,
    output wire [7:0]      event_o,
    input  wire [55:0]     comb_i,          // its selector, if that is a combination; else 0
    output wire [55:0]     comb_o,          // what is written, of whatever kind
    output wire            software_o,      // one software event

    // program counter range
    input  wire [XLEN-1:0] pc_low_i,
    input  wire [XLEN-1:0] pc_high_i,
    input  wire [31:0]     pc_range_i,
    output wire            pc_low_we_o,
    output wire            pc_high_we_o,
    output wire [XLEN-1:1] pc_bound_o,
    output wire            pc_range_we_o,

    // control
    input  wire [31:0]     mcounteren_i,
    input  wire [31:0]     scounteren_i,
    input  wire [31:0]     inhibit_i,
    input  wire [31:0]     wen_i,
    input  wire [31:0]     inten_i,
    input  wire [31:0]     of_i,
    input  wire [31:0]     minh_i,
    input  wire [31:0]     sinh_i,
    input  wire [31:0]     uinh_i,
    output wire            mcounteren_we_o,
    output wire            scounteren_we_o,
    output wire            inhibit_we_o,
    output wire            wen_we_o,
    output wire            inten_we_o,
    output wire            minh_we_o,
    output wire            sinh_we_o,
    output wire            uinh_we_o,
    output wire [31:0]     vector_o,
    output wire [31:0]     vector_mask_o,
    output wire [31:0]     of_clear_o,
    output wire            of_we_o,
    output wire            of_o,
    input  wire [4:0]      filter_i,        // of counter index_o; written with its event
    output wire [4:0]      filter_o
);
  `include "tally_event_fn.vh"

  localparam RV32 = XLEN == 32;
  localparam [31:0] HPM      = ((32'd1 << HPM_N) - 32'd1) << 3;
  localparam [31:0] COUNTERS = HPM | 32'h5;
  localparam [31:0] ENABLES  = HPM | 32'h7;
  localparam [31:0] ALL      = 32'hFFFF_FFFF;

  // ---- who asks. M-mode has no V=1, and without the H extension no mode has.
  wire m  = csr_priv_i == 2'd3;
  wire v  = HYP ? csr_v_i & ~m : 1'b0;
  wire s  = csr_priv_i == 2'd1 & ~v;
  wire u  = csr_priv_i == 2'd0 & ~v;
  wire vs = csr_priv_i == 2'd1 & v;
  wire vu = csr_priv_i == 2'd0 & v;

  localparam [1:0] OP_READ = 2'd0, OP_WRITE = 2'd1, OP_SET = 2'd2, OP_CLEAR = 2'd3;
  wire write = csr_op_i != OP_READ;

  // ---- what the environment allows
  wire cde   = SMCDELEG ? env_cde_i : 1'b0;
  wire m_ind = SMSTATEEN ? mstateen_csrind_i : 1'b1;
  wire h_ind = SMSTATEEN ? hstateen_csrind_i : 1'b1;
  wire m_cus = SMSTATEEN ? mstateen_c_i : 1'b1;
  wire h_cus = SMSTATEEN ? hstateen_c_i : 1'b1;

  // ---- indirect selects
  reg [11:0] miselect_q, siselect_q, vsiselect_q;
  localparam [6:0] SEL_DELEG = 7'h02;  // selects 0x40..0x5F, upper bits
  assign siselect_o  = siselect_q;
  assign vsiselect_o = vsiselect_q;
  wire s_deleg  = siselect_q[11:5] == SEL_DELEG;
  wire vs_deleg = vsiselect_q[11:5] == SEL_DELEG;

  // ---- decoding: which word of state, in which view
  // a bit each, none: there is nothing behind the number
  localparam WORDS = 18;
  localparam [WORDS-1:0] W_ZERO = 18'd0, W_COUNT = 18'd1 << 0, W_TIME = 18'd1 << 1, W_EVENT = 18'd1 << 2,
                   W_INHIBIT = 18'd1 << 3, W_FLAGS = 18'd1 << 4, W_MCOUNTEREN = 18'd1 << 5,
                   W_SCOUNTEREN = 18'd1 << 6, W_MISELECT = 18'd1 << 7, W_SISELECT = 18'd1 << 8,
                   W_VSISELECT = 18'd1 << 9, W_WEN = 18'd1 << 10, W_INTEN = 18'd1 << 11,
                   W_MASK_M = 18'd1 << 12, W_MASK_S = 18'd1 << 13, W_MASK_U = 18'd1 << 14,
                   W_PC_RANGE = 18'd1 << 15, W_PC_LOW = 18'd1 << 16, W_PC_HIGH = 18'd1 << 17;

  localparam [3:0] R_M = 4'd0,          // machine CSR
                   R_S = 4'd1,          // supervisor CSR, one for V=0 and V=1
                   R_ANDES = 4'd2,      // supervisor CSR of the Andes view: custom state, not for guests
                   R_USER = 4'd3,       // counter of the user
                   R_OVERFLOW = 4'd4,   // scountovf
                   R_DELEGATED = 4'd5,  // scountinhibit
                   R_SELECT = 4'd6,     // siselect
                   R_WINDOW = 4'd7,     // sireg*
                   R_VSELECT = 4'd8,    // vsiselect
                   R_VWINDOW = 4'd9,    // vsireg*
                   R_CUSTOM = 4'd10,    // the unit's own supervisor CSR: custom state
                   R_NEVER = 4'd11;     // exists, but nothing is behind it

  reg [WORDS-1:0] named;   // what the number stands for, in a unit that has everything
  reg [3:0]  rule;
  reg [4:0]  index;
  reg        high;       // upper half, RV32
  reg        window_ok;  // sireg*: the selected register exists
  reg        upper;      // mhpmevent and the like: the view has the upper byte
  reg        swinc, mmsc;
  reg        enabled;    // a vector's view shows only bits that mcounteren has, and may write only those
  reg        enabled_v;  // ... and hcounteren, for guests
  reg        own;        // a vector's view may write only bits that mcounterwen has
  reg        no_write;   // ... or none at all

  localparam [11:0] A_USER = `TALLY_CSR_CYCLE, A_USERH = `TALLY_CSR_CYCLEH, A_MCOUNT = `TALLY_CSR_MCYCLE,
                    A_MCOUNTH = `TALLY_CSR_MCYCLEH, A_MEVENT = `TALLY_CSR_MCOUNTINHIBIT,
                    A_MEVENTH = `TALLY_CSR_MCYCLECFGH, A_SEVENT = `TALLY_CSR_SCOUNTERINHIBIT;

  wire [4:0] low = csr_num_i[4:0];

  always @* begin
    csr_hit_o = 1'b0;
    named     = W_ZERO;
    rule      = R_M;
    index     = low;
    high      = 1'b0;
    window_ok = 1'b0;
    upper     = 1'b1;
    swinc     = 1'b0;
    mmsc      = 1'b0;
    enabled   = 1'b0;
    enabled_v = 1'b0;
    own       = 1'b0;
    no_write  = 1'b0;
    case (csr_num_i[11:5])
      A_USER[11:5], A_USERH[11:5]: begin
        high      = csr_num_i[11:5] == A_USERH[11:5];
        csr_hit_o = RV32 | ~high;
        named     = low == 5'd1 ? W_TIME : W_COUNT;
        rule      = R_USER;
      end
      A_MCOUNT[11:5], A_MCOUNTH[11:5]: begin
        high      = csr_num_i[11:5] == A_MCOUNTH[11:5];
        csr_hit_o = (RV32 | ~high) & low != 5'd1;
        named     = W_COUNT;
      end
      A_MEVENT[11:5], A_MEVENTH[11:5]: begin
        high = csr_num_i[11:5] == A_MEVENTH[11:5];
        named = W_EVENT;
        if (low == 5'd0) begin
          csr_hit_o = ~high;
          named     = W_INHIBIT;
        end else if (low < 5'd3) begin
          csr_hit_o = SMCNTRPMF & (RV32 | ~high);
          index     = low == 5'd1 ? 5'd0 : 5'd2;
        end else begin
          csr_hit_o = ~high | (RV32 && SSCOFPMF);
        end
      end
      A_SEVENT[11:5]: begin
        csr_hit_o = ANDES & low != 5'd1 & low != 5'd2;
        named     = low == 5'd0 ? W_INHIBIT : W_EVENT;
        rule      = R_ANDES;
        upper     = 1'b0;
        own       = 1'b1;
      end
      default:
        case (csr_num_i)
          `TALLY_CSR_MCOUNTEREN: begin
            csr_hit_o = 1'b1;
            named     = W_MCOUNTEREN;
          end
          `TALLY_CSR_SCOUNTEREN: begin
            csr_hit_o = 1'b1;
            named     = W_SCOUNTEREN;
            rule      = R_S;
          end
          `TALLY_CSR_SCOUNTOVF: begin
            csr_hit_o = SSCOFPMF;
            named     = W_FLAGS;
            rule      = R_OVERFLOW;
            enabled   = ~m;
            enabled_v = v;
          end
          `TALLY_CSR_SCOUNTINHIBIT: begin
            csr_hit_o = SMCDELEG;
            named     = W_INHIBIT;
            rule      = R_DELEGATED;
            enabled   = 1'b1;
          end

          `TALLY_CSR_MISELECT: begin
            csr_hit_o = SMCSRIND;
            named     = W_MISELECT;
          end
          `TALLY_CSR_MIREG, `TALLY_CSR_MIREG2, `TALLY_CSR_MIREG3,
          `TALLY_CSR_MIREG4, `TALLY_CSR_MIREG5, `TALLY_CSR_MIREG6: begin
            csr_hit_o = SMCSRIND;
            rule      = R_NEVER;
          end
          `TALLY_CSR_SISELECT: begin
            csr_hit_o = SMCSRIND;
            named     = v ? W_VSISELECT : W_SISELECT;
            rule      = R_SELECT;
          end
          `TALLY_CSR_SIREG, `TALLY_CSR_SIREG4: begin
            csr_hit_o = SMCSRIND;
            named     = W_COUNT;
            rule      = R_WINDOW;
            index     = siselect_q[4:0];
            high      = csr_num_i == `TALLY_CSR_SIREG4;
            window_ok = RV32 | ~high;
          end
          `TALLY_CSR_SIREG2, `TALLY_CSR_SIREG5: begin
            csr_hit_o = SMCSRIND;
            named     = W_EVENT;
            rule      = R_WINDOW;
            index     = siselect_q[4:0];
            high      = csr_num_i == `TALLY_CSR_SIREG5;
            window_ok = index < 5'd3 ? SMCNTRPMF & (RV32 | ~high) : ~high | (RV32 && SSCOFPMF);
          end
          `TALLY_CSR_SIREG3, `TALLY_CSR_SIREG6: begin
            csr_hit_o = SMCSRIND;
            rule      = R_WINDOW;
          end
          `TALLY_CSR_VSISELECT: begin
            csr_hit_o = SMCSRIND && HYP;
            named     = W_VSISELECT;
            rule      = R_VSELECT;
          end
          `TALLY_CSR_VSIREG, `TALLY_CSR_VSIREG2, `TALLY_CSR_VSIREG3,
          `TALLY_CSR_VSIREG4, `TALLY_CSR_VSIREG5, `TALLY_CSR_VSIREG6: begin
            csr_hit_o = SMCSRIND && HYP;
            rule      = R_VWINDOW;
          end

          `TALLY_CSR_SHPMSWINC: begin
            csr_hit_o = SWEVENT;
            swinc     = 1'b1;
            rule      = R_CUSTOM;
          end
          `TALLY_CSR_SHPMPCSEL: begin
            csr_hit_o = PCRANGE;
            named     = W_PC_RANGE;
            rule      = R_CUSTOM;
          end
          `TALLY_CSR_SHPMPCLO: begin
            csr_hit_o = PCRANGE;
            named     = W_PC_LOW;
            rule      = R_CUSTOM;
          end
          `TALLY_CSR_SHPMPCHI: begin
            csr_hit_o = PCRANGE;
            named     = W_PC_HIGH;
            rule      = R_CUSTOM;
          end

          `TALLY_CSR_MCOUNTERWEN: begin
            csr_hit_o = ANDES;
            named     = W_WEN;
          end
          `TALLY_CSR_MCOUNTERINEN, `TALLY_CSR_SCOUNTERINEN: begin
            csr_hit_o = ANDES;
            named     = W_INTEN;
            rule      = csr_num_i == `TALLY_CSR_SCOUNTERINEN ? R_ANDES : R_M;
            own       = csr_num_i == `TALLY_CSR_SCOUNTERINEN;
          end
          `TALLY_CSR_MCOUNTERMASK_M, `TALLY_CSR_SCOUNTERMASK_M: begin
            csr_hit_o = ANDES;
            named     = W_MASK_M;
            rule      = csr_num_i == `TALLY_CSR_SCOUNTERMASK_M ? R_ANDES : R_M;
            no_write  = csr_num_i == `TALLY_CSR_SCOUNTERMASK_M;
          end
          `TALLY_CSR_MCOUNTERMASK_S, `TALLY_CSR_SCOUNTERMASK_S: begin
            csr_hit_o = ANDES;
            named     = W_MASK_S;
            rule      = csr_num_i == `TALLY_CSR_SCOUNTERMASK_S ? R_ANDES : R_M;
            own       = csr_num_i == `TALLY_CSR_SCOUNTERMASK_S;
          end
          `TALLY_CSR_MCOUNTERMASK_U, `TALLY_CSR_SCOUNTERMASK_U: begin
            csr_hit_o = ANDES;
            named     = W_MASK_U;
            rule      = csr_num_i == `TALLY_CSR_SCOUNTERMASK_U ? R_ANDES : R_M;
            own       = csr_num_i == `TALLY_CSR_SCOUNTERMASK_U;
          end
          `TALLY_CSR_MCOUNTEROVF, `TALLY_CSR_SCOUNTEROVF: begin
            csr_hit_o = ANDES;
            named     = W_FLAGS;
            rule      = csr_num_i == `TALLY_CSR_SCOUNTEROVF ? R_ANDES : R_M;
            own       = csr_num_i == `TALLY_CSR_SCOUNTEROVF;
          end
          `TALLY_CSR_MMSC_CFG: begin
            csr_hit_o = ANDES;
            mmsc      = 1'b1;
          end
          default: ;
        endcase
    endcase
  end

  // Without these the number is not the unit's. Said once more, because synthesis does not see it.
  localparam [WORDS-1:0] ABSENT = (ANDES ? W_ZERO : W_WEN | W_INTEN | W_MASK_M | W_MASK_S | W_MASK_U)
                                | (PCRANGE ? W_ZERO : W_PC_RANGE | W_PC_LOW | W_PC_HIGH)
                                | (HYP ? W_ZERO : W_VSISELECT)
                                | (SMCSRIND ? W_ZERO : W_MISELECT | W_SISELECT);
  wire [WORDS-1:0] word = named & ~ABSENT;

  // ---- the rules. An access that is neither ok nor virtual is illegal.
  wire enable, sc, hc;
  wire mc = enable & ENABLES[index];
  tally_pmu_bit #(.THERE(ENABLES)) u_mc (.index_i(index), .vector_i(mcounteren_i), .bit_o(enable));
  tally_pmu_bit #(.THERE(ENABLES)) u_sc (.index_i(index), .vector_i(scounteren_i), .bit_o(sc));
  tally_pmu_bit #(.THERE(HYP ? ALL : 32'd0)) u_hc (.index_i(index), .vector_i(env_hcounteren_i), .bit_o(hc));
  wire read_only  = csr_num_i[11:10] == 2'b11;
  // Andes: the user's counter numbers are also where S-mode writes counters. What they held is shown to who
  // may read them.
  wire user_write = ANDES && ANDES_SWRITE ? wen_i[index] : 1'b0;
  wire user_blind = ANDES && ANDES_SWRITE ? rule == R_USER & write & ~mc & ~m : 1'b0;

  reg ok, virt;
  always @* begin
    case (rule)
      R_S: begin
        ok   = m | s | vs;
        virt = vu;
      end
      R_ANDES: begin
        ok   = m | m_cus & s;
        virt = m_cus & v;
      end
      R_USER: begin
        ok   = write ? (m | s) & user_write : m | mc & (s | u & sc | vs & hc | vu & hc & sc);
        virt = v & ~ok & (write ? user_write : mc);
      end
      R_OVERFLOW: begin
        ok   = ~write & (m | s | vs & ~cde);
        virt = ~write & (vu | vs & cde);
      end
      R_DELEGATED: begin
        ok   = cde & (m | s);
        virt = cde & v;
      end
      R_SELECT: begin
        ok   = m | m_ind & (s | vs & h_ind);
        virt = m_ind & (vu | vs & ~h_ind);
      end
      R_WINDOW: begin
        ok   = (m | m_ind & s) & s_deleg & window_ok & cde & mc & index != 5'd1;
        virt = m_ind & (vu | vs & (~h_ind | vs_deleg & cde));
      end
      R_VSELECT: begin
        ok   = m | m_ind & s;
        virt = m_ind & v;
      end
      R_VWINDOW: begin
        ok   = 1'b0;
        virt = m_ind & v;
      end
      R_CUSTOM: begin
        ok   = m | m_cus & (s | vs & h_cus);
        virt = m_cus & (vu | vs & ~h_cus);
      end
      R_NEVER: begin
        ok   = 1'b0;
        virt = 1'b0;
      end
      default: begin  // R_M
        ok   = m & ~(write & read_only);
        virt = 1'b0;
      end
    endcase
  end

  wire granted = csr_hit_o & ok;
  assign csr_virtual_o = csr_hit_o & virt;
  assign csr_illegal_o = csr_hit_o & ~ok & ~csr_virtual_o;

  // ---- read
  // mask bit 1 = count, in the proposal's words
  localparam [31:0] POLARITY = ANDES_SILICON ? 32'd0 : COUNTERS;

  wire        has_count  = COUNTERS[index];
  wire        has_event  = HPM[index];
  wire        has_filter = index < 5'd3 ? SMCNTRPMF : SSCOFPMF & has_event;
  wire        has_flag   = SSCOFPMF & has_event;
  wire        flag;
  tally_pmu_bit #(.THERE(SSCOFPMF ? HPM : 32'd0)) u_flag (.index_i(index), .vector_i(of_i), .bit_o(flag));
  // S-mode must not see or change whether its counters run in M-mode
  wire [4:0]  filter_see = {5{has_filter & upper}} & {rule != R_WINDOW, 4'hF};
  wire [55:0] selector   = tally_event_long(event_i & {8{has_event}}) | comb_i;

  // What is not granted reads 0.
  wire [WORDS-1:0] read = word & {WORDS{granted & ~user_blind}};
  wire [31:0] r_miselect = {32{|(read & W_MISELECT)}};
  wire [31:0] r_siselect = {32{|(read & W_SISELECT)}};
  wire [31:0] r_vsiselect = {32{|(read & W_VSISELECT)}};
  wire [31:0] r_wen = {32{|(read & W_WEN)}};
  wire [31:0] r_inten = {32{|(read & W_INTEN)}};
  wire [31:0] r_mask_m = {32{|(read & W_MASK_M)}};
  wire [31:0] r_mask_s = {32{|(read & W_MASK_S)}};
  wire [31:0] r_mask_u = {32{|(read & W_MASK_U)}};
  wire [31:0] r_pc_range = {32{|(read & W_PC_RANGE)}};
  wire [31:0] selects = {20'd0, miselect_q} & r_miselect
                      | {20'd0, siselect_q} & r_siselect
                      | {20'd0, vsiselect_q} & r_vsiselect;
  wire [31:0] andes   = wen_i & r_wen
                      | inten_i & r_inten
                      | (minh_i ^ POLARITY) & r_mask_m
                      | (sinh_i ^ POLARITY) & r_mask_s
                      | (uinh_i ^ POLARITY) & r_mask_u
                      | {16'd0, granted & mmsc, 15'd0};
  // Only scountovf takes counters away that have a flag (with the Andes view): cycle and instret.
  wire [31:0] see = (env_hcounteren_i | {32{~(HYP & enabled_v)}}) & (HPM | {32{~ANDES | rule != R_OVERFLOW}});

  wire [63:0] time_now = env_time_i + (v ? env_htimedelta_i : 64'd0);

  wire [63:0] readout, old;
  wire [31:0] vector;  // as it is behind the view
  tally_pmu_readout #(.MASKED(ANDES | HYP)) u_readout (
      .r_count_i(|(read & W_COUNT) & has_count),
      .r_time_i(|(read & W_TIME)),
      .r_inhibit_i(|(read & W_INHIBIT)),
      .r_flags_i(|(read & W_FLAGS)),
      .r_mcounteren_i(|(read & W_MCOUNTEREN)),
      .r_scounteren_i(|(read & W_SCOUNTEREN)),
      .count_i(count_i),
      .time_i(time_now),
      .inhibit_i(inhibit_i),
      .flags_i(of_i),
      .mcounteren_i(mcounteren_i),
      .scounteren_i(scounteren_i),
      .other_i(selects | andes | pc_range_i & r_pc_range),
      .enabled_i(enabled),
      .see_i(see),
      .vector_o(vector),
      .data_o(readout)
  );
  assign old = readout
             | {flag & has_flag & upper, filter_i & filter_see, 2'd0, selector} & {64{|(read & W_EVENT)}}
             | {{64 - XLEN{1'b0}}, pc_low_i & {XLEN{|(read & W_PC_LOW)}}}
             | {{64 - XLEN{1'b0}}, pc_high_i & {XLEN{|(read & W_PC_HIGH)}}};
  assign csr_rdata_o = high ? old[63:64-XLEN] : old[XLEN-1:0];

  // ---- write: what becomes of 32 bits of state
  function [31:0] written;
    input [1:0]  fn_op;
    input [31:0] fn_old, fn_data;
    case (fn_op)
      OP_WRITE: written = fn_data;
      OP_SET:   written = fn_old | fn_data;
      OP_CLEAR: written = fn_old & ~fn_data;
      default:  written = fn_old;
    endcase
  endfunction

  wire        we      = csr_valid_i & granted & write;
  wire [63:0] data    = {64 / XLEN{csr_wdata_i}};
  wire [1:0]  op_low  = RV32 ? csr_op_i & {2{~high}} : csr_op_i;  // for the lower half of a word
  wire [1:0]  op_high = RV32 ? csr_op_i & {2{high}} : csr_op_i;

  assign index_o        = index;
  assign count_access_o = |(word & (W_COUNT | W_EVENT));
  assign count_we_o     = we & |(word & W_COUNT);
  wire hold = LAZY & ~count_we_o;
  tally_pmu_written #(.W(32)) u_count_low (
      .op_i(op_low & {2{~hold}}), .old_i(count_i[31:0]), .data_i(data[31:0]), .new_o(count_o[31:0])
  );
  tally_pmu_written #(.W(32)) u_count_high (
      .op_i(op_high & {2{~hold}}), .old_i(count_i[63:32]), .data_i(data[63:32]), .new_o(count_o[63:32])
  );

  // One write of the event register: selector, filter and flag, each where the view has it; what it does not
  // have is written as it was. A selector is legal as a whole or not at all. Only a combination has bits in
  // the upper half of RV32: any other that is there has none, and the lower half, when it makes another of
  // it, takes them away.
  wire [63:0] event_value = {written(op_high, {1'b0, filter_i, 2'd0, selector[55:32]}, data[63:32]),
                             written(op_low, selector[31:0], data[31:0])};
  wire combined = event_value[`TALLY_SEL_TYPE_MSB:`TALLY_SEL_TYPE_LSB] == `TALLY_SEL_TYPE_IS_COMBINED;
  wire [55:0] selector_new = {event_value[55:32] & {24{~RV32 | combined}}, event_value[31:0]};
  assign event_we_o  = we & |(word & W_EVENT) & ~(ANDES & own & ~wen_i[index]);
  assign event_o     = tally_event_short(selector_new) & {8{has_event}};
  assign comb_o      = selector_new;
  assign filter_o    = (filter_i & ~filter_see) | (event_value[62:58] & filter_see);
  assign of_we_o     = event_we_o & has_flag & upper & (op_high == OP_WRITE | op_high != OP_READ & data[63]);
  assign of_o        = op_high != OP_CLEAR & data[63];

  wire [31:0] vector_new;
  tally_pmu_written #(.W(32)) u_vector (
      .op_i(op_low), .old_i(vector), .data_i(data[31:0]), .new_o(vector_new)
  );
  wire [31:0] may        = (mcounteren_i | {32{~enabled}})
                         & (wen_i | {32{~(ANDES & own)}}) & {32{~(ANDES & no_write)}};
  wire        masks      = |(word & (W_MASK_M | W_MASK_S | W_MASK_U));
  assign vector_mask_o   = may & (data[31:0] | {32{op_low == OP_WRITE}});
  assign vector_o        = (may & vector_new | ~may & vector) ^ (masks ? POLARITY : 32'd0);
  assign mcounteren_we_o = we & |(word & W_MCOUNTEREN);
  assign scounteren_we_o = we & |(word & W_SCOUNTEREN);
  assign inhibit_we_o    = we & |(word & W_INHIBIT);
  assign wen_we_o        = we & |(word & W_WEN);
  assign inten_we_o      = we & |(word & W_INTEN);
  assign minh_we_o       = we & |(word & W_MASK_M);
  assign sinh_we_o       = we & |(word & W_MASK_S);
  assign uinh_we_o       = we & |(word & W_MASK_U);
  assign pc_range_we_o   = we & |(word & W_PC_RANGE);
  assign pc_low_we_o     = we & |(word & W_PC_LOW);
  assign pc_high_we_o    = we & |(word & W_PC_HIGH);
  wire [63:0] pc_old     = {{64 - XLEN{1'b0}}, |(word & W_PC_LOW) ? pc_low_i : pc_high_i};
  wire [63:0] pc_value   = {written(op_low, pc_old[63:32], data[63:32]),
                            written(op_low, pc_old[31:0], data[31:0])};
  assign pc_bound_o      = pc_value[XLEN-1:1];
  // mcounterovf, scounterovf: a 1 clears, by CSRRW and by CSRRC alike (Andes' two idioms); CSRRS does nothing
  assign of_clear_o      = {32{ANDES & we & |(word & W_FLAGS) & csr_op_i != OP_SET}} & may & data[31:0];
  assign software_o      = we & swinc & csr_op_i != OP_CLEAR & data[0];

  wire unused_ok = &{1'b0, enabled_v, own, no_write, event_value[63], event_value[57:56], pc_value[0],
      pc_value[63:32]};

  always @(posedge clk) begin
    if (rst) begin
      miselect_q  <= 12'd0;
      siselect_q  <= 12'd0;
      vsiselect_q <= 12'd0;
    end else if (we) begin
      if (|(word & W_MISELECT)) miselect_q <= vector_new[11:0];
      if (|(word & W_SISELECT)) siselect_q <= vector_new[11:0];
      if (|(word & W_VSISELECT) && HYP) vsiselect_q <= vector_new[11:0];
    end
  end
endmodule

`default_nettype wire
