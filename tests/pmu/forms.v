// What the choices that synthesis makes of trees must be: `differ` is never 1 (tests/pmu/CMakeLists.txt).

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
  tally_pmu_choose #(.LINES(`TALLY_EVENT_LINES)) u_choose (
      .sel_i(sel), .low_line_i(low_line), .mid_line_i(mid_line), .cache_line_i(cache_line), .out_o(chosen)
  );

  localparam [31:0] THERE = 32'h0000_7FFD;  // of a unit with twelve programmable counters
  wire one;
  tally_pmu_bit #(.THERE(THERE)) u_bit (
      .index_i(sel[4:0]), .hot_i(32'd0), .vector_i(low_line[31:0]), .bit_o(one)
  );
  wire one_staged;
  tally_pmu_bit #(.THERE(THERE), .STAGED(1)) u_bit_staged (
      .index_i(sel[4:0]), .hot_i(32'd1 << sel[4:0]), .vector_i(low_line[31:0]), .bit_o(one_staged)
  );

  wire [31:0] hit;
  tally_pmu_onehot u_onehot (.index_i(sel[4:0]), .hot_i(32'd0), .en_i(en), .all_i(all), .hit_o(hit));

  assign differ = LINES[sel] & chosen != line[sel]
                | THERE[sel[4:0]] & (one != low_line[sel[4:0]] | one_staged != one)
                | hit != ({31'd0, en} << sel[4:0] | {32{all}});
endmodule

`default_nettype wire
