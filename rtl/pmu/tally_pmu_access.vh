// SPDX-License-Identifier: Apache-2.0
// Words of state and rules: what tally_pmu_decode finds in the number of an access, and tally_pmu_rights
// decides about. And what tally_pmu_access says of an access as a whole.

/* verilator lint_off UNUSEDPARAM */  // no module has a use for all of them

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

// In the order in which they are handed over. The widths: 18 bits three times, 1 each, 5 bits.
`define TALLY_PMU_ASKED {word, read, change, hit, granted, refused, high, upper, raise, mmsc, enabled, own, \
                         no_write, window, overflow, guest, write, writable, has_count, has_event, \
                         has_filter, index}
localparam ASKED = 3 * WORDS + 18 + 5;
// hit, granted
localparam [ASKED-1:0] ASKED_HIT = {{ASKED - 2{1'b0}}, 2'd3} << (ASKED - 3 * WORDS - 2);

/* verilator lint_on UNUSEDPARAM */
