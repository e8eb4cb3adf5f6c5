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
    parameter [0:0] PCRANGE       = 1'b0
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
    output wire [4:0]      index_o,
    input  wire [63:0]     count_i,
    output wire            count_access_o,  // ... one of them is read or written in this cycle
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
    input  wire [31:0]     vsinh_i,
    input  wire [31:0]     vuinh_i,
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
    output wire            filter_we_o,
    output wire [4:0]      filter_o
);
  `include "tally_event_fn.vh"

  localparam RV32 = XLEN == 32;
  localparam [31:0] HPM      = ((32'd1 << HPM_N) - 32'd1) << 3;
  localparam [31:0] COUNTERS = HPM | 32'h5;
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
  wire [31:0] delegated = mcounteren_i & COUNTERS & {32{cde}};

  // ---- indirect selects
  reg [11:0] miselect_q, siselect_q, vsiselect_q;
  localparam [6:0] SEL_DELEG = 7'h02;  // selects 0x40..0x5F, upper bits
  wire s_deleg  = siselect_q[11:5] == SEL_DELEG;
  wire vs_deleg = vsiselect_q[11:5] == SEL_DELEG;

  // ---- decoding: which word of state, in which view
  localparam [4:0] W_ZERO = 5'd0, W_COUNT = 5'd1, W_TIME = 5'd2, W_EVENT = 5'd3, W_INHIBIT = 5'd4,
                   W_FLAGS = 5'd5, W_MCOUNTEREN = 5'd6, W_SCOUNTEREN = 5'd7, W_MISELECT = 5'd8,
                   W_SISELECT = 5'd9, W_VSISELECT = 5'd10, W_WEN = 5'd11, W_INTEN = 5'd12,
                   W_MASK_M = 5'd13, W_MASK_S = 5'd14, W_MASK_U = 5'd15, W_PC_RANGE = 5'd16,
                   W_PC_LOW = 5'd17, W_PC_HIGH = 5'd18;

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

  reg [4:0]  word;
  reg [3:0]  rule;
  reg [4:0]  index;
  reg        high;       // upper half, RV32
  reg        window_ok;  // sireg*: the selected register exists
  reg        upper;      // mhpmevent and the like: the view has the upper byte
  reg        swinc, mmsc;
  reg [31:0] see, may;   // bits of a vector that the view shows, may write

  localparam [11:0] A_USER = `TALLY_CSR_CYCLE, A_USERH = `TALLY_CSR_CYCLEH, A_MCOUNT = `TALLY_CSR_MCYCLE,
                    A_MCOUNTH = `TALLY_CSR_MCYCLEH, A_MEVENT = `TALLY_CSR_MCOUNTINHIBIT,
                    A_MEVENTH = `TALLY_CSR_MCYCLECFGH, A_SEVENT = `TALLY_CSR_SCOUNTERINHIBIT;

  wire [4:0] low = csr_num_i[4:0];

  always @* begin
    csr_hit_o = 1'b0;
    word      = W_ZERO;
    rule      = R_M;
    index     = low;
    high      = 1'b0;
    window_ok = 1'b0;
    upper     = 1'b1;
    swinc     = 1'b0;
    mmsc      = 1'b0;
    see       = ALL;
    may       = ALL;
    case (csr_num_i[11:5])
      A_USER[11:5], A_USERH[11:5]: begin
        high      = csr_num_i[11:5] == A_USERH[11:5];
        csr_hit_o = RV32 | ~high;
        word      = low == 5'd1 ? W_TIME : W_COUNT;
        rule      = R_USER;
      end
      A_MCOUNT[11:5], A_MCOUNTH[11:5]: begin
        high      = csr_num_i[11:5] == A_MCOUNTH[11:5];
        csr_hit_o = (RV32 | ~high) & low != 5'd1;
        word      = W_COUNT;
      end
      A_MEVENT[11:5], A_MEVENTH[11:5]: begin
        high = csr_num_i[11:5] == A_MEVENTH[11:5];
        word = W_EVENT;
        if (low == 5'd0) begin
          csr_hit_o = ~high;
          word      = W_INHIBIT;
        end else if (low < 5'd3) begin
          csr_hit_o = SMCNTRPMF & (RV32 | ~high);
          index     = low == 5'd1 ? 5'd0 : 5'd2;
        end else begin
          csr_hit_o = ~high | (RV32 && SSCOFPMF);
        end
      end
      A_SEVENT[11:5]: begin
        csr_hit_o = ANDES & low != 5'd1 & low != 5'd2;
        word      = low == 5'd0 ? W_INHIBIT : W_EVENT;
        rule      = R_ANDES;
        upper     = 1'b0;
        may       = wen_i;
      end
      default:
        case (csr_num_i)
          `TALLY_CSR_MCOUNTEREN: begin
            csr_hit_o = 1'b1;
            word      = W_MCOUNTEREN;
          end
          `TALLY_CSR_SCOUNTEREN: begin
            csr_hit_o = 1'b1;
            word      = W_SCOUNTEREN;
            rule      = R_S;
          end
          `TALLY_CSR_SCOUNTOVF: begin
            csr_hit_o = SSCOFPMF;
            word      = W_FLAGS;
            rule      = R_OVERFLOW;
            see       = HPM & (m ? ALL : mcounteren_i) & (v ? env_hcounteren_i : ALL);
          end
          `TALLY_CSR_SCOUNTINHIBIT: begin
            csr_hit_o = SMCDELEG;
            word      = W_INHIBIT;
            rule      = R_DELEGATED;
            see       = delegated;
            may       = delegated;
          end

          `TALLY_CSR_MISELECT: begin
            csr_hit_o = SMCSRIND;
            word      = W_MISELECT;
          end
          `TALLY_CSR_MIREG, `TALLY_CSR_MIREG2, `TALLY_CSR_MIREG3,
          `TALLY_CSR_MIREG4, `TALLY_CSR_MIREG5, `TALLY_CSR_MIREG6: begin
            csr_hit_o = SMCSRIND;
            rule      = R_NEVER;
          end
          `TALLY_CSR_SISELECT: begin
            csr_hit_o = SMCSRIND;
            word      = v ? W_VSISELECT : W_SISELECT;
            rule      = R_SELECT;
          end
          `TALLY_CSR_SIREG, `TALLY_CSR_SIREG4: begin
            csr_hit_o = SMCSRIND;
            word      = W_COUNT;
            rule      = R_WINDOW;
            index     = siselect_q[4:0];
            high      = csr_num_i == `TALLY_CSR_SIREG4;
            window_ok = RV32 | ~high;
          end
          `TALLY_CSR_SIREG2, `TALLY_CSR_SIREG5: begin
            csr_hit_o = SMCSRIND;
            word      = W_EVENT;
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
            word      = W_VSISELECT;
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
            word      = W_PC_RANGE;
            rule      = R_CUSTOM;
          end
          `TALLY_CSR_SHPMPCLO: begin
            csr_hit_o = PCRANGE;
            word      = W_PC_LOW;
            rule      = R_CUSTOM;
          end
          `TALLY_CSR_SHPMPCHI: begin
            csr_hit_o = PCRANGE;
            word      = W_PC_HIGH;
            rule      = R_CUSTOM;
          end

          `TALLY_CSR_MCOUNTERWEN: begin
            csr_hit_o = ANDES;
            word      = W_WEN;
          end
          `TALLY_CSR_MCOUNTERINEN, `TALLY_CSR_SCOUNTERINEN: begin
            csr_hit_o = ANDES;
            word      = W_INTEN;
            rule      = csr_num_i == `TALLY_CSR_SCOUNTERINEN ? R_ANDES : R_M;
            may       = csr_num_i == `TALLY_CSR_SCOUNTERINEN ? wen_i : ALL;
          end
          `TALLY_CSR_MCOUNTERMASK_M, `TALLY_CSR_SCOUNTERMASK_M: begin
            csr_hit_o = ANDES;
            word      = W_MASK_M;
            rule      = csr_num_i == `TALLY_CSR_SCOUNTERMASK_M ? R_ANDES : R_M;
            may       = csr_num_i == `TALLY_CSR_SCOUNTERMASK_M ? 32'd0 : ALL;
          end
          `TALLY_CSR_MCOUNTERMASK_S, `TALLY_CSR_SCOUNTERMASK_S: begin
            csr_hit_o = ANDES;
            word      = W_MASK_S;
            rule      = csr_num_i == `TALLY_CSR_SCOUNTERMASK_S ? R_ANDES : R_M;
            may       = csr_num_i == `TALLY_CSR_SCOUNTERMASK_S ? wen_i : ALL;
          end
          `TALLY_CSR_MCOUNTERMASK_U, `TALLY_CSR_SCOUNTERMASK_U: begin
            csr_hit_o = ANDES;
            word      = W_MASK_U;
            rule      = csr_num_i == `TALLY_CSR_SCOUNTERMASK_U ? R_ANDES : R_M;
            may       = csr_num_i == `TALLY_CSR_SCOUNTERMASK_U ? wen_i : ALL;
          end
          `TALLY_CSR_MCOUNTEROVF, `TALLY_CSR_SCOUNTEROVF: begin
            csr_hit_o = ANDES;
            word      = W_FLAGS;
            rule      = csr_num_i == `TALLY_CSR_SCOUNTEROVF ? R_ANDES : R_M;
            may       = csr_num_i == `TALLY_CSR_SCOUNTEROVF ? wen_i : ALL;
          end
          `TALLY_CSR_MMSC_CFG: begin
            csr_hit_o = ANDES;
            mmsc      = 1'b1;
          end
          default: ;
        endcase
    endcase
  end

  // ---- the rules. An access that is neither ok nor virtual is illegal.
  wire mc = mcounteren_i[index], sc = scounteren_i[index], hc = env_hcounteren_i[index];
  wire read_only  = csr_num_i[11:10] == 2'b11;
  // Andes: the user's counter numbers are also where S-mode writes counters
  wire user_write = ANDES && ANDES_SWRITE ? wen_i[index] & (mc | m) : 1'b0;

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
        ok   = (m | m_ind & s) & s_deleg & window_ok & delegated[index];
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

  wire        has_filter = index < 5'd3 ? SMCNTRPMF : SSCOFPMF;
  wire        has_flag   = index < 5'd3 ? 1'b0 : SSCOFPMF;
  wire [4:0]  filter     = {minh_i[index], sinh_i[index], uinh_i[index], vsinh_i[index], vuinh_i[index]};
  // S-mode must not see or change whether its counters run in M-mode
  wire [4:0]  filter_see = {5{has_filter & upper}} & {rule != R_WINDOW, 4'hF};
  wire [63:0] selector   = {8'd0, tally_event_long(event_i) | comb_i};

  reg [31:0] vector;  // as it is behind the view
  always @* begin
    case (word)
      W_INHIBIT:    vector = inhibit_i;
      W_FLAGS:      vector = of_i;
      W_MCOUNTEREN: vector = mcounteren_i;
      W_SCOUNTEREN: vector = scounteren_i;
      W_MISELECT:   vector = {20'd0, miselect_q};
      W_SISELECT:   vector = {20'd0, siselect_q};
      W_VSISELECT:  vector = {20'd0, vsiselect_q};
      W_WEN:        vector = wen_i;
      W_INTEN:      vector = inten_i;
      W_MASK_M:     vector = minh_i ^ POLARITY;
      W_MASK_S:     vector = sinh_i ^ POLARITY;
      W_MASK_U:     vector = uinh_i ^ POLARITY;
      W_PC_RANGE:   vector = pc_range_i;
      default:      vector = {16'd0, mmsc, 15'd0};
    endcase
  end

  wire [63:0] time_now = env_time_i + (v ? env_htimedelta_i : 64'd0);

  // What is not granted reads 0.
  wire is_count  = granted & word == W_COUNT;
  wire is_time   = granted & word == W_TIME;
  wire is_event  = granted & word == W_EVENT;
  wire is_pc     = granted & (word == W_PC_LOW | word == W_PC_HIGH);
  wire is_vector = granted & ~(word == W_COUNT | word == W_TIME | word == W_EVENT | is_pc);
  wire [63:0] old = count_i & {64{is_count}} | time_now & {64{is_time}}
                  | (selector | {of_i[index] & has_flag & upper, filter & filter_see, 58'd0}) & {64{is_event}}
                  | {{64 - XLEN{1'b0}}, (word == W_PC_LOW ? pc_low_i : pc_high_i) & {XLEN{is_pc}}}
                  | {32'd0, vector & see & {32{is_vector}}};
  assign csr_rdata_o = high ? old[63:64-XLEN] : old[XLEN-1:0];

  // ---- write: `touch` has the bits that the instruction writes explicitly, `bits` their values
  wire [63:0] data  = {64 / XLEN{csr_wdata_i}};
  wire [63:0] half  = !RV32 ? ~64'd0 : high ? 64'hFFFF_FFFF_0000_0000 : 64'h0000_0000_FFFF_FFFF;
  wire [63:0] touch = half & (csr_op_i == OP_WRITE ? ~64'd0 : data);
  wire [63:0] bits  = csr_op_i == OP_CLEAR ? 64'd0 : data;
  wire [63:0] value = (old & ~touch) | (bits & touch);
  wire        we    = csr_valid_i & granted & write;

  assign index_o    = index;
  assign count_access_o = csr_valid_i & word == W_COUNT;
  assign count_we_o = we & word == W_COUNT;
  assign count_o    = value;

  // One write of the event register: selector, filter and flag, each where the view has it. A selector is
  // legal as a whole or not at all. Only a combination has bits in the upper half of RV32: that half leaves
  // any other selector alone, and the lower half, when it makes another of it, takes them away.
  wire event_we = we & word == W_EVENT & (rule != R_ANDES | may[index]);
  wire [4:0] filter_touch = touch[62:58] & filter_see;
  wire combined = value[`TALLY_SEL_TYPE_MSB:`TALLY_SEL_TYPE_LSB] == `TALLY_SEL_TYPE_IS_COMBINED;
  wire [55:0] selector_new = {value[55:32] & {24{~RV32 | combined}}, value[31:0]};
  assign event_we_o  = event_we & (~high | combined) & HPM[index];
  assign event_o     = tally_event_short(selector_new);
  assign comb_o      = selector_new;
  assign filter_we_o = event_we & |filter_touch;
  assign filter_o    = (filter & ~filter_touch) | (bits[62:58] & filter_touch);
  assign of_we_o     = event_we & touch[63] & has_flag & upper;
  assign of_o        = bits[63];

  assign vector_mask_o = may & touch[31:0];
  wire [31:0] vector_new = (vector & ~vector_mask_o) | (bits[31:0] & vector_mask_o);
  wire masks = word == W_MASK_M | word == W_MASK_S | word == W_MASK_U;
  assign vector_o        = vector_new ^ (masks ? POLARITY : 32'd0);
  assign mcounteren_we_o = we & word == W_MCOUNTEREN;
  assign scounteren_we_o = we & word == W_SCOUNTEREN;
  assign inhibit_we_o    = we & word == W_INHIBIT;
  assign wen_we_o        = we & word == W_WEN;
  assign inten_we_o      = we & word == W_INTEN;
  assign minh_we_o       = we & word == W_MASK_M;
  assign sinh_we_o       = we & word == W_MASK_S;
  assign uinh_we_o       = we & word == W_MASK_U;
  assign pc_range_we_o   = we & word == W_PC_RANGE;
  assign pc_low_we_o     = we & word == W_PC_LOW;
  assign pc_high_we_o    = we & word == W_PC_HIGH;
  assign pc_bound_o      = value[XLEN-1:1];
  // mcounterovf, scounterovf: a 1 clears, by CSRRW and by CSRRC alike (Andes' two idioms); CSRRS does nothing
  assign of_clear_o      = {32{we & word == W_FLAGS & csr_op_i != OP_SET}} & may & data[31:0];
  assign software_o      = we & swinc & touch[0] & bits[0];

  always @(posedge clk) begin
    if (rst) begin
      miselect_q  <= 12'd0;
      siselect_q  <= 12'd0;
      vsiselect_q <= 12'd0;
    end else if (we) begin
      if (word == W_MISELECT) miselect_q <= value[11:0];
      if (word == W_SISELECT) siselect_q <= value[11:0];
      if (word == W_VSISELECT && HYP) vsiselect_q <= value[11:0];
    end
  end
endmodule

`default_nettype wire
