// SPDX-License-Identifier: Apache-2.0
// The fate of a sample. Part of pdis_formal.

// In this order, in the cycle of the end (docs/sampling.md): filtered, inhibited, dropped, kept; once and
// one of them.
wire [2:0]  select = filter[15:13];
wire [11:0] latency = select == 3'd1 ? \dut.lat [23:12] : select == 3'd2 ? \dut.lat [35:24]
                    : select == 3'd3 ? \dut.lat [47:36] : select == 3'd4 ? \dut.lat [59:48] : \dut.lat [11:0];
// "spdisevmatch & spdisevmask == pdishdrev & spdisevmask"; INV=0 and latency >= THRESH, or INV=1 and latency
// < THRESH (event sampling draft, Sample Filtering)
wire same_events = (evmatch & evmask) == (\dut.hdrev [55:0] & evmask);
wire in_time     = filter[12] ? latency < filter[11:0] : latency >= filter[11:0];
wire passes      = ends & same_events & in_time;
wire qualified   = passes & ~inhibit;

prop_holds one_fate (.when_i(on & ends),
    .holds_i({3'd0, ev_sample} + {3'd0, ev_filtered} + {3'd0, ev_dropped} + {3'd0, ev_inhibited} == 4'd1));
prop_holds no_end_no_fate (.when_i(on & ~ends),
    .holds_i(!ev_sample && !ev_filtered && !ev_dropped && !ev_inhibited));
// "If the filter criteria are not met, the sample is discarded. Otherwise, if the PDIS counter is not
// inhibited, the sample is qualified" (event sampling draft, mpdisctl)
prop_holds filtered_is_discarded (.when_i(on & ends), .holds_i(ev_filtered == !passes));
prop_holds inhibited_is_not_recorded (.when_i(on & passes & inhibit), .holds_i(ev_inhibited));
prop_holds registers_take_every_qualified_sample (.when_i(on & qualified & ~mem), .holds_i(ev_sample));
prop_holds only_the_buffer_drops (.when_i(on & ev_dropped), .holds_i(qualified && mem));
// Assumed by buffer_formal and buffer_queue_formal: a record comes only where a slot is free.
prop_holds kept_where_there_is_room (.when_i(on & qualified & mem),
    .holds_i(ev_sample == \dut.accept && ev_dropped == !\dut.accept ));

// "If OF=0 and a sample is qualified, OF transitions to 1 and a local counter overflow interrupt is pended"
// (event sampling draft, mpdisctl); samples pass filters and back-pressure. A write of OF wins
// (docs/sampling.md).
prop_holds lcofi_with_of (.when_i(on), .holds_i(lcofi == (ev_sample && !of)));
prop_becomes of_is_set_by_a_sample (.clk(clk), .when_i(on & ~(ctl_we & wmask[`TALLY_MPDISCTL_OF_LSB])),
    .value_i(of), .then_i(of | ev_sample));

// The sample data registers: "populated only when a sampled instruction is a qualified sample" (event
// sampling draft); a sample wins over a write; while MEM=1 they read 0 and ignore writes
// (docs/sampling.md).
localparam WORDS = XLEN == 64 ? 6 : 8;
(* anyconst *) wire [3:0] word;
always @* assume (data_word == word);
wire there = MEM != 1 && word < WORDS;
wire [XLEN-1:0] recorded = record[word*XLEN +: XLEN];
prop_becomes #(.W(XLEN)) register_takes_the_record (.clk(clk),
    .when_i(on & ev_sample & ~mem & there & ~ctl_we), .value_i(data), .then_i(recorded));
prop_becomes #(.W(XLEN)) register_is_kept (.clk(clk), .when_i(on & ~ev_sample & ~data_we & ~ctl_we),
    .value_i(data), .then_i(data));
prop_holds no_registers_with_mem (.when_i(on & mem), .holds_i(data == {XLEN{1'b0}}));
prop_holds nothing_behind_the_record (.when_i(on & ~there), .holds_i(data == {XLEN{1'b0}}));

// "TYPE, FLUSHED, FMT, and SFMT are required; unimplemented fields should always report 0" (event sampling
// draft, pdishdrev)
prop_holds header_of_the_record (.when_i(on & ends),
    .holds_i(\dut.hdrev [63:53] == 11'd0 && \dut.hdrev [36:35] == 2'd0 && \dut.hdrev [32] == flushed
             && (flushed || \dut.hdrev [34:33] == 2'd0)));

// Recorded are events of retirement (docs/rulings.md, What did not happen is not reported).
prop_holds nothing_is_recorded_as_retired_that_did_not (.when_i(on & ends & ~retired),
    .holds_i(\dut.hdrev [31:3] == 29'd0));

// "Total latency = Dispatch latency + Issue latency + Execution latency + Retire latency" (event sampling
// draft, pdislat): the parts that are known are within the whole, which is exact until it saturates.
wire [11:0] total = \dut.lat [11:0];
wire [13:0] parts = {2'd0, \dut.lat [23:12]} + {2'd0, \dut.lat [35:24]} + {2'd0, \dut.lat [47:36]};
(* hierconn *) wire [11:0] \dut.u_track.total_q , \dut.u_track.stage_q ;
(* hierconn *) wire [11:0] \dut.u_track.dispatch_q , \dut.u_track.issue_q , \dut.u_track.execution_q ;
(* hierconn *) wire \dut.u_track.dispatched_q , \dut.u_track.issued_q , \dut.u_track.completed_q ;
wire [13:0] known = (\dut.u_track.dispatched_q ? {2'd0, \dut.u_track.dispatch_q } : 14'd0)
                  + (\dut.u_track.issued_q ? {2'd0, \dut.u_track.issue_q } : 14'd0)
                  + (\dut.u_track.completed_q ? {2'd0, \dut.u_track.execution_q } : 14'd0);
reg [11:0] age = 12'd0;
always @(posedge clk) age <= !active ? 12'd0 : age + {11'd0, ~&age};   // of the observed sample
prop_holds total_is_the_age (.when_i(up & active), .holds_i(\dut.u_track.total_q == age));
prop_holds stages_make_up_the_total (.when_i(up & active & ~&age),
    .holds_i(known + {2'd0, \dut.u_track.stage_q } == {2'd0, age}));
prop_holds stages_come_in_order (.when_i(up & active),
    .holds_i((\dut.u_track.dispatched_q || !\dut.u_track.issued_q )
             && (\dut.u_track.issued_q || !\dut.u_track.completed_q )));
prop_holds parts_within_the_total (.when_i(on & ends & ~&total), .holds_i(parts <= {2'd0, total}));
prop_holds no_latency_without_its_bit (.when_i(on & ends),
    .holds_i((\dut.lat [60] || \dut.lat [23:12] == 12'd0) && (\dut.lat [61] || \dut.lat [35:24] == 12'd0)
             && (\dut.lat [62] || \dut.lat [47:36] == 12'd0)
             && (\dut.lat [63] || \dut.lat [59:48] == 12'd0)));
