// SPDX-License-Identifier: Apache-2.0
// tally_mux16 for ECP5: one of sixteen inputs. Inputs outside MASK are don't-care.
//
// Eight LUTs select between two inputs each, followed by the hard multiplexers of their slices, which cost
// no LUT and no general routing. With fewer inputs a half of it, a quarter or an eighth. Yosys maps to
// these multiplexers only functions of up to seven inputs.
//
// Combinational.

`default_nettype none

module tally_mux16 #(
    parameter [15:0] MASK = 16'hFFFF
) (
    input  wire [3:0]  sel_i,
    input  wire [15:0] in_i,
    output wire        out_o
);
  // An absent input has its neighbour's value, and an empty half the other half's.
  localparam TOP8 = |MASK[15:8], LOW8 = |MASK[7:0], BOTH8 = TOP8 && LOW8;
  localparam [7:0] IN8 = BOTH8 ? MASK[15:8] | MASK[7:0] : TOP8 ? MASK[15:8] : MASK[7:0];
  localparam BOTH4 = BOTH8 || (|IN8[7:4] && |IN8[3:0]);
  localparam [3:0] IN4 = BOTH4 ? IN8[7:4] | IN8[3:0] : |IN8[7:4] ? IN8[7:4] : IN8[3:0];
  localparam BOTH2 = BOTH4 || (|IN4[3:2] && |IN4[1:0]);
  localparam FIRST = (BOTH8 || LOW8 ? 0 : 8) + (BOTH4 || |IN8[3:0] ? 0 : 4) + (BOTH2 || |IN4[1:0] ? 0 : 2);
  localparam PAIRS = BOTH8 ? 8 : BOTH4 ? 4 : BOTH2 ? 2 : 1;

  wire [7:0] two;
  wire [3:0] four;
  wire [1:0] eight;
  genvar n;
  generate
    for (n = 0; n < 8; n = n + 1) begin : g_two
      localparam AT = FIRST + 2 * n;
      if (n < PAIRS) begin : g_lut
        LUT4 #(.INIT(16'hCACA)) u_two (
            .A(in_i[AT + (MASK[AT] ? 0 : 1)]), .B(in_i[AT + (MASK[AT + 1] ? 1 : 0)]),
            .C(sel_i[0]), .D(1'b0), .Z(two[n])
        );
      end else begin : g_none
        assign two[n] = 1'b0;
      end
    end
    for (n = 0; n < 4; n = n + 1) begin : g_four
      if (BOTH2 && 2 * n < PAIRS) begin : g_mux
        PFUMX u_four (.ALUT(two[2*n+1]), .BLUT(two[2*n]), .C0(sel_i[1]), .Z(four[n]));
      end else begin : g_none
        assign four[n] = two[2*n];
      end
    end
    for (n = 0; n < 2; n = n + 1) begin : g_eight
      if (BOTH4 && 4 * n < PAIRS) begin : g_mux
        L6MUX21 u_eight (.D1(four[2*n+1]), .D0(four[2*n]), .SD(sel_i[2]), .Z(eight[n]));
      end else begin : g_none
        assign eight[n] = four[2*n];
      end
    end
    if (BOTH8) begin : g_sixteen
      L6MUX21 u_sixteen (.D1(eight[1]), .D0(eight[0]), .SD(sel_i[3]), .Z(out_o));
    end else begin : g_all
      assign out_o = eight[0];
    end
  endgenerate
endmodule

`default_nettype wire
