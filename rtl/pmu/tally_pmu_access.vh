// SPDX-License-Identifier: Apache-2.0
// The decoded access: state that tally_pmu_access_decode finds behind a number, rules of
// tally_pmu_access_rights, and the vector that both hand to tally_pmu_access_data.

/* verilator lint_off UNUSEDPARAM */  // no module uses all of them

// State of counting, one-hot. None: there is nothing behind the number, or a register of sampling.
localparam WORDS = 18;
localparam [WORDS-1:0] W_ZERO = 18'd0, W_COUNT = 18'd1 << 0, W_TIME = 18'd1 << 1, W_EVENT = 18'd1 << 2,
                 W_INHIBIT = 18'd1 << 3, W_FLAGS = 18'd1 << 4, W_MCOUNTEREN = 18'd1 << 5,
                 W_SCOUNTEREN = 18'd1 << 6, W_MISELECT = 18'd1 << 7, W_SISELECT = 18'd1 << 8,
                 W_VSISELECT = 18'd1 << 9, W_WEN = 18'd1 << 10, W_INTEN = 18'd1 << 11,
                 W_MASK_M = 18'd1 << 12, W_MASK_S = 18'd1 << 13, W_MASK_U = 18'd1 << 14,
                 W_PC_RANGE = 18'd1 << 15, W_PC_LOW = 18'd1 << 16, W_PC_HIGH = 18'd1 << 17;

// State of sampling.
localparam [3:0] S_PESA_PC = 4'd0, S_PESA_DATA = 4'd1, S_CTL = 4'd2, S_COUNTER = 4'd3, S_EVMASK = 4'd4,
                 S_EVMATCH = 4'd5, S_FILTER = 4'd6, S_AMBCS = 4'd7, S_AMBADDR = 4'd8, S_DATA = 4'd9;
// State of event-based branches, in the same place.
localparam [3:0] B_STATUS = 4'd0, B_HANDLER = 4'd1, B_RETURN = 4'd2, B_FLAGS = 4'd3, B_INHIBIT = 4'd4,
                 B_SELECT = 4'd5, B_PC = 4'd6, B_SUPERVISOR = 4'd7, B_MACHINE = 4'd8;
localparam [3:0] NO_PART = 4'd15;    // no word of S_DATA

// Rules: which modes may access it.
localparam [3:0] R_M = 4'd0,          // machine CSR
                 R_S = 4'd1,          // supervisor CSR, one for V=0 and V=1
                 R_ANDES = 4'd2,      // supervisor CSR of the Andes view: custom state, not for guests
                 R_USER = 4'd3,       // cycle, time, instret, hpmcounter
                 R_OVERFLOW = 4'd4,   // scountovf
                 R_DELEGATED = 4'd5,  // scountinhibit
                 R_SELECT = 4'd6,     // siselect
                 R_WINDOW = 4'd7,     // sireg*
                 R_VSELECT = 4'd8,    // vsiselect
                 R_VWINDOW = 4'd9,    // vsireg*
                 R_CUSTOM = 4'd10,    // the unit's own supervisor CSR: custom state
                 R_NEVER = 4'd11,     // mireg*: exists, but no select has a register
                 R_SAMPLING = 4'd12,  // spdis*
                 R_VSAMPLING = 4'd13, // vspdisctl
                 R_PESA = 4'd14;      // shpmspc, shpmsdata

// Rules of event-based branches: modes with a right besides M-mode.
localparam [1:0] E_NONE = 2'd0, E_SUPERVISOR = 2'd1, E_USER = 2'd2, E_WINDOW = 2'd3;

// Fields in order. The widths: 18 bits three times, 1 each up to ebb, 4 twice, 1 each, 5.
`define TALLY_PMU_ACCESS {word, read, change, hit, granted, refused, high, upper, raise, clears, \
                          clears_word, by_clear, mmsc, enabled, own, window, overflow, guest, write, \
                          writable, has_count, has_event, has_filter, sample, ebb, sample_word, \
                          sample_part, machine_view, guest_view, inhibit_bit, overflow_bit, limited, \
                          by_enable, index}
localparam ACCESS_W = 3 * WORDS + 20 + 16 + 5;
// hit, granted
localparam [ACCESS_W-1:0] ACCESS_HIT = {{ACCESS_W - 2{1'b0}}, 2'd3} << (ACCESS_W - 3 * WORDS - 2);

/* verilator lint_on UNUSEDPARAM */
