// SPDX-License-Identifier: Apache-2.0
// Codes at the interface of tally_frontend.

`ifndef TALLY_FRONTEND_VH
`define TALLY_FRONTEND_VH

// Bits of path history: eight, however many counters there are, or as many as address a small table
`define TALLY_FE_HIS_W(bht) ((bht) > 1024 ? 8 : $clog2((bht) / 4))

// Width of fq_meta, rd_meta and bu_meta for given numbers of BTB entries, BHT counters and RAS entries:
// RAS top (38), RAS pointer, history, counter (2), BTB hit, BTB way, predicted taken, BTB set.
`define TALLY_FE_META_W(btb, bht, ras) (43 + $clog2(ras) + `TALLY_FE_HIS_W(bht) + $clog2((btb) / 2))

// Width of what the predictor says of a fetch group (tally_bpred)
`define TALLY_FE_GM_W(bht, ras) (52 + $clog2(ras) + `TALLY_FE_HIS_W(bht))

// bu_type: kind of a control transfer, as the predictor distinguishes them
`define TALLY_BU_COND  3'd0   // conditional branch
`define TALLY_BU_JUMP  3'd1
`define TALLY_BU_CALL  3'd2   // writes a link register
`define TALLY_BU_RET   3'd3   // jumps through a link register
`define TALLY_BU_SWAP  3'd4   // both: return, then call
`define TALLY_BU_IND   3'd5   // any other indirect jump
`define TALLY_BU_MANY  3'd6   // ... that has had more than one target: in the target buffer only

// evf_o: one bit an event
`define TALLY_EVF_L1I_RD       0
`define TALLY_EVF_L1I_RD_MISS  1
`define TALLY_EVF_ITLB_RD      2
`define TALLY_EVF_ITLB_MISS    3
`define TALLY_EVF_DEC_REDIRECT 4
`define TALLY_EVF_N            5

`endif
