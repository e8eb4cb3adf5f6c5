// SPDX-License-Identifier: Apache-2.0
// The host's report of the sample and of retirement (port groups track and retire of tally_pmu) as one
// vector: the lowest bit of each field. Wide fields come first, so that a simulator finds them at word
// boundaries. Include it after the parameters XLEN and RETIRE_W.

/* verilator lint_off UNUSEDPARAM */  // no module uses all of them
localparam REPORT_PADDR       = 0;
localparam REPORT_VADDR       = REPORT_PADDR + 64;
localparam REPORT_TARGET      = REPORT_VADDR + XLEN;
localparam REPORT_FLUSH_PC    = REPORT_TARGET + XLEN;
localparam REPORT_RET_NEXT_PC = REPORT_FLUSH_PC + XLEN;
localparam REPORT_RET_PC      = REPORT_RET_NEXT_PC + XLEN;
localparam REPORT_RET_MODE    = REPORT_RET_PC + RETIRE_W*XLEN;
localparam REPORT_FLUSH_WHY   = REPORT_RET_MODE + RETIRE_W*3;
localparam REPORT_ITYPE       = REPORT_FLUSH_WHY + 2;
localparam REPORT_DSRC        = REPORT_ITYPE + 4;
localparam REPORT_MISPRED     = REPORT_DSRC + 4;
localparam REPORT_ITMISS      = REPORT_MISPRED + 1;
localparam REPORT_ICMISS      = REPORT_ITMISS + 1;
localparam REPORT_L1MISS      = REPORT_ICMISS + 1;
localparam REPORT_LLMISS      = REPORT_L1MISS + 1;
localparam REPORT_L1TLBMISS   = REPORT_LLMISS + 1;
localparam REPORT_LLTLBMISS   = REPORT_L1TLBMISS + 1;
// pulses: each of the fields above is valid together with one of these
localparam REPORT_PULSES      = REPORT_LLTLBMISS + 1;
localparam REPORT_DISPATCHED  = REPORT_PULSES;
localparam REPORT_ISSUED      = REPORT_DISPATCHED + 1;
localparam REPORT_COMPLETED   = REPORT_ISSUED + 1;
localparam REPORT_OLDEST      = REPORT_COMPLETED + 1;
localparam REPORT_RETIRED     = REPORT_OLDEST + 1;
localparam REPORT_TRAPPED     = REPORT_RETIRED + 1;
localparam REPORT_FLUSHED     = REPORT_TRAPPED + 1;
localparam REPORT_RET_VALID   = REPORT_FLUSHED + 1;
localparam REPORT_WIDTH       = REPORT_RET_VALID + RETIRE_W;
/* verilator lint_on UNUSEDPARAM */
