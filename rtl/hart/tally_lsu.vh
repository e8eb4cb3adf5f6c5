// SPDX-License-Identifier: Apache-2.0
// Codes at the interface of tally_lsu and on the bus.

`ifndef TALLY_LSU_VH
`define TALLY_LSU_VH

// evm_o: one bit an event
`define TALLY_EVM_L1D_LD_SPEC       0
`define TALLY_EVM_L1D_LD_MISS_SPEC  1
`define TALLY_EVM_L1D_MERGE         2
`define TALLY_EVM_L1D_REFILL        3
`define TALLY_EVM_L2TLB_RD          4
`define TALLY_EVM_L2TLB_MISS        5
`define TALLY_EVM_WALK_CYC          6
`define TALLY_EVM_SQ_FULL           7
`define TALLY_EVM_N                 8

// db_req_op_o
`define TALLY_BUS_LINE   3'd0
`define TALLY_BUS_READ   3'd1
`define TALLY_BUS_WRITE  3'd2
`define TALLY_BUS_AMO    3'd3
`define TALLY_BUS_LR     3'd4
`define TALLY_BUS_SC     3'd5

// db_req_id_o
`define TALLY_DID_LINE0  4'd0  // line for miss register 0; 1: for miss register 1
`define TALLY_DID_WRITE  4'd2
`define TALLY_DID_SINGLE 4'd3  // AMO, LR, SC, uncached read
`define TALLY_DID_RECORD 4'd4  // write of a sample record: the bus invalidates this hart's own line too
`define TALLY_DID_FETCH  4'd5  // lines and single reads of the I side
`define TALLY_DID_WALK   4'd8  // LR and SC of the walker

`endif
