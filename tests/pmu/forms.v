// SPDX-License-Identifier: Apache-2.0
// Cells of rtl/prim in every form must equal the functions here: `differ` is never 1
// (tests/pmu/CMakeLists.txt).

`include "tally_spec.vh"

`default_nettype none

module pmu_forms (
    input  wire [7:0]  sel,
    input  wire [63:0] low_line,
    input  wire [63:0] mid_line,
    input  wire [63:0] cache_line,
    input  wire        en,
    input  wire        all,
    output wire        differ
);
  localparam [255:0] LINES = `TALLY_EVENT_LINES | 256'd1;
  wire [255:0] line = {64'd0, cache_line, mid_line, low_line};

  wire chosen;
  tally_mux256 #(.MASK(`TALLY_EVENT_LINES)) u_mux256 (
      .sel_i(sel), .in_i({64'd0, cache_line, mid_line, low_line}), .out_o(chosen)
  );

  // Other shapes of the multiplexer: the events of a small unit, and retire events alone.
  localparam [255:0] SMALL = `TALLY_SMALL_LINES | 256'd1, RETIRE = `TALLY_RETIRE_LINES | 256'd1;
  wire of_small, of_retire;
  tally_mux256 #(.MASK(`TALLY_SMALL_LINES)) u_small (.sel_i(sel), .in_i(line), .out_o(of_small));
  tally_mux256 #(.MASK(`TALLY_RETIRE_LINES)) u_retire (.sel_i(sel), .in_i(line), .out_o(of_retire));

  // ... and of units with four counters and with none.
  localparam [31:0] FOUR = 32'h7D, NONE = 32'h3;
  wire of_four, of_none;
  tally_mux32 #(.MASK(FOUR)) u_four (.sel_i(sel[4:0]), .hot_i(32'd0), .in_i(low_line[31:0]), .out_o(of_four));
  tally_mux32 #(.MASK(NONE)) u_none (.sel_i(sel[4:0]), .hot_i(32'd0), .in_i(low_line[31:0]), .out_o(of_none));

  localparam [31:0] MASK = 32'h0000_7FFD;  // of a unit with twelve programmable counters
  wire one;
  tally_mux32 #(.MASK(MASK)) u_mux32 (
      .sel_i(sel[4:0]), .hot_i(32'd0), .in_i(low_line[31:0]), .out_o(one)
  );
  wire one_pipelined;
  tally_mux32 #(.MASK(MASK), .ONE_HOT(1)) u_mux32_pipelined (
      .sel_i(sel[4:0]), .hot_i(32'd1 << sel[4:0]), .in_i(low_line[31:0]), .out_o(one_pipelined)
  );

  // One of 32 words of two bits.
  wire [1:0] word, word_pipelined;
  tally_mux_word #(.W(2), .MASK(MASK)) u_word (
      .sel_i(sel[4:0]), .hot_i(32'd0), .in_i(low_line), .out_o(word)
  );
  tally_mux_word #(.W(2), .MASK(MASK), .ONE_HOT(1)) u_word_pipelined (
      .sel_i(sel[4:0]), .hot_i(32'd1 << sel[4:0]), .in_i(low_line), .out_o(word_pipelined)
  );
  wire        masked;
  wire [1:0]  word_masked;
  tally_mux32 #(.MASK(0)) u_masked (.sel_i(sel[4:0]), .hot_i(32'd0), .in_i(low_line[31:0]), .out_o(masked));
  tally_mux_word #(.W(2), .MASK(0)) u_word_masked (
      .sel_i(sel[4:0]), .hot_i(32'd0), .in_i(low_line), .out_o(word_masked)
  );

  wire [31:0] hit, hit_other;
  tally_decoder #(.N(2)) u_decoder (
      .sel_i(sel[4:0]), .hot_i(32'd0), .en_i({sel[5], en}), .all_i(all), .out_o({hit_other, hit})
  );

  wire [31:0] hit_pipelined;
  tally_decoder #(.ONE_HOT(1)) u_decoder_pipelined (
      .sel_i(5'd0), .hot_i(32'd1 << sel[4:0]), .en_i(en), .all_i(all), .out_o(hit_pipelined)
  );

  // One of six vectors, a selector or none, by a number.
  wire [7:0]  one_of = 8'd1 << sel[2:0];
  wire [31:0] vector;
  wire [63:0] vector_read;
  tally_csr_read u_read (
      .r_count_i(1'b0), .r_time_i(1'b0),
      .r_inhibit_i(one_of[0]), .r_flags_i(one_of[1]), .r_mcounteren_i(one_of[2]), .r_scounteren_i(one_of[3]),
      .r_miselect_i(one_of[4]), .r_siselect_i(one_of[5]), .r_event_i(one_of[6]),
      .count_i(low_line), .time_i(mid_line),
      .inhibit_i(low_line[31:0]), .flags_i(low_line[63:32]), .mcounteren_i(mid_line[31:0]),
      .scounteren_i(mid_line[63:32]), .miselect_i(cache_line[11:0]), .siselect_i(cache_line[43:32]),
      .event_i(cache_line[63:56]), .other_i(32'd0), .enabled_i(1'b0), .read_mask_i(32'd0),
      .vector_o(vector), .data_o(vector_read)
  );
  wire [31:0] vector_want = sel[2:0] == 3'd0 ? low_line[31:0] : sel[2:0] == 3'd1 ? low_line[63:32]
                          : sel[2:0] == 3'd2 ? mid_line[31:0] : sel[2:0] == 3'd3 ? mid_line[63:32]
                          : sel[2:0] == 3'd4 ? {20'd0, cache_line[11:0]}
                          : sel[2:0] == 3'd5 ? {20'd0, cache_line[43:32]}
                          : sel[2:0] == 3'd6 ? {15'd0, cache_line[63], 9'd0, cache_line[62:56]} : 32'd0;

  wire both, first, alone;
  tally_and_or #(.MASK(MASK)) u_both (.a_i(low_line[31:0]), .b_i(mid_line[31:0]), .out_o(both));
  tally_and_or #(.MASK(MASK), .NOT_B(1)) u_first (.a_i(low_line[31:0]), .b_i(mid_line[31:0]), .out_o(first));
  tally_or #(.W(32), .MASK(MASK)) u_alone (.in_i(low_line[31:0]), .out_o(alone));

  assign differ = LINES[sel] & chosen != line[sel]
                | SMALL[sel] & of_small != line[sel] | RETIRE[sel] & of_retire != line[sel]
                | FOUR[sel[4:0]] & of_four != low_line[sel[4:0]]
                | NONE[sel[4:0]] & of_none != low_line[sel[4:0]]
                | MASK[sel[4:0]] & (one != low_line[sel[4:0]] | one_pipelined != one)
                | hit != ({31'd0, en} << sel[4:0] | {32{all}})
                | hit_other != ({31'd0, sel[5]} << sel[4:0] | {32{all}})
                | MASK[sel[4:0]] & (word != low_line[2*sel[4:0] +: 2] | word_pipelined != word)
                | masked | |word_masked
                | hit_pipelined != hit
                | vector != vector_want | vector_read != {32'd0, vector_want}
                | both != |(low_line[31:0] & mid_line[31:0] & MASK)
                | first != |(low_line[31:0] & ~mid_line[31:0] & MASK)
                | alone != |(low_line[31:0] & MASK);
endmodule

`default_nettype wire
