// SPDX-License-Identifier: Apache-2.0
// Selection of the sampled instruction. Part of pdis_formal.

// "The PDIS counter value is incremented for each decoded instruction that matches the instruction type
// selected in SEL, while in a privilege mode enabled in mpdisctl/vspdisctl. Counting is inhibited when
// mcountinhibit[1]=1." (event sampling draft, spdiscounter). Types: loads 1, stores 2, both 3, transfers 4
// (draft, SEL).
wire [DECODE_W-1:0] matches;
genvar lane;
generate
  for (lane = 0; lane < DECODE_W; lane = lane + 1) begin : g_matches
    wire [2:0] kind  = dec_type[lane*3 +: 3];
    wire [1:0] level = dec_mode[lane*3 +: 2];
    wire       guest = HYP && dec_mode[lane*3 + 2] && level != 2'd3;
    wire loads     = kind == 3'd1 || kind == 3'd3, stores = kind == 3'd2 || kind == 3'd3;
    reg  type_in, mode_in;
    always @* begin
      case (ctl[2:0])
        3'd0:    type_in = 1'b1;
        3'd1:    type_in = loads;
        3'd2:    type_in = stores;
        3'd3:    type_in = loads || stores;
        default: type_in = kind == 3'd4;
      endcase
      case (level)
        2'd3:    mode_in = ctl[`TALLY_MPDISCTL_M_LSB];
        2'd1:    mode_in = guest ? vmodes[1] : ctl[`TALLY_MPDISCTL_S_LSB];
        default: mode_in = guest ? vmodes[0] : ctl[`TALLY_MPDISCTL_U_LSB];
      endcase
    end
    assign matches[lane] = dec_valid[lane] && type_in && mode_in && !inhibit && !mode_stopcount
                           && !mode_halted;
  end
endgenerate

// "5..7: Reserved" (event sampling draft, SEL, and LATSEL alike): they read back 0.
prop_holds reserved_selections_read_0 (.when_i(up),
    .holds_i(ctl[2:0] <= 3'd4 && filter[15:13] <= 3'd4));

// COUNT goes lane by lane; past 2^32-1 it is an overflow, and COUNT is INITVAL. A write of spdiscounter:
// nothing of this cycle is counted or overflows (docs/sampling.md).
reg [31:0]         count;
reg [DECODE_W-1:0] over;
reg [3:0]          overflows;
integer            k;
always @* begin
  count     = counter[31:0];
  over      = {DECODE_W{1'b0}};
  overflows = 4'd0;
  for (k = 0; k < DECODE_W; k = k + 1) begin
    if (matches[k] && !count_we) begin
      over[k]   = &count;
      overflows = overflows + {3'd0, &count};
      count     = &count ? counter[63:32] : count + 32'd1;
    end
  end
end
prop_becomes #(.W(32)) count_follows_what_is_decoded (.clk(clk), .when_i(on), .value_i(counter[31:0]),
    .then_i(count_we ? wdata[31:0] : count));
prop_becomes #(.W(32)) initval_is_written_only (.clk(clk), .when_i(on), .value_i(counter[63:32]),
    .then_i(initval_we ? wdata[63:32] : counter[63:32]));
prop_becomes #(.W(64)) inhibited_counter_holds (.clk(clk), .when_i(on & inhibit & ~count_we & ~initval_we),
    .value_i(counter), .then_i(counter));

// "A sampled instruction remains active until it either retires, traps, or is flushed" (event sampling
// draft, Instruction Selection)
wire selects = |sample;
wire ends    = \dut.active && (retired || trapped || flushed);
reg  active  = 1'b0;
always @(posedge clk) active <= !rst && (selects || active && !(retired || trapped || flushed));
prop_holds active_until_its_end (.when_i(up), .holds_i(\dut.active == active));

// One sample at a time: "the PDIS counter overflows while there is no PDIS sample active" selects (event
// sampling draft).
prop_holds one_sample_at_a_time (.when_i(on & selects),
    .holds_i(!active && (sample & (sample - 1'b1)) == {DECODE_W{1'b0}}));
prop_holds sample_is_one_that_matches (.when_i(on & selects),
    .holds_i((sample & ~matches) == {DECODE_W{1'b0}}));

// The first overflow, no sample is active: that instruction is the sample, in the same cycle. An overflow, a
// sample is active or has been selected in this cycle: a collision (docs/sampling.md). With ACC, once a
// sample was discarded, the first that matches: "2. A sample is discarded, due to backpressure or sample
// filtering, and ACC=1" (event sampling draft).
reg accelerated = 1'b0;
always @(posedge clk) accelerated <= !rst && acc && (ev_filtered || ev_dropped || accelerated && !selects);
wire [DECODE_W-1:0] wanted = accelerated && acc ? matches | over : over;
wire [DECODE_W-1:0] first  = wanted & (~wanted + 1'b1);
prop_holds acceleration_is_tracked (.when_i(up),
    .holds_i(active ? !accelerated : \dut.accelerate_q == accelerated));
prop_holds first_overflow_is_the_sample (.when_i(on & ~(accelerated & count_we)),
    .holds_i(sample == (active ? {DECODE_W{1'b0}} : first)));
prop_holds without_acc_only_overflows_select (.when_i(on & ~acc & selects), .holds_i(|(sample & over)));
wire by_overflow = |(sample & over);
prop_holds every_further_overflow_collides (.when_i(on & |over),
    .holds_i(collisions == overflows - {3'd0, by_overflow}));
prop_holds no_overflow_no_collision (.when_i(on & ~|over), .holds_i(collisions == 4'd0));

// "The total number of PDIS counter overflows can be inferred from PDIS.SAMPLES + PDIS.COLLISIONS +
// PDIS.FILTERED + PDIS.DROPPED" (event sampling draft, Performance Events), and with PDIS.INHIBITED and the
// one under way it is exact (docs/sampling.md). With ACC its selections beside the overflows are
// added to these: none while ACC=0.
reg [3:0] unaccounted = 4'd0;  // overflows and accelerated selections, less their outcomes
always @(posedge clk)
  unaccounted <= rst ? 4'd0 : unaccounted + overflows + {3'd0, selects & ~by_overflow}
      - collisions - {3'd0, ev_sample} - {3'd0, ev_filtered} - {3'd0, ev_dropped} - {3'd0, ev_inhibited};
prop_holds overflows_are_conserved (.when_i(up), .holds_i(unaccounted == {3'd0, active}));
