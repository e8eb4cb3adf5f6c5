// SPDX-License-Identifier: Apache-2.0
// bench - the clock of the test's LiteX SoC, and an end to a program that has none.

`default_nettype none

module bench;
  reg clk = 1'b0;
  always #1 clk = ~clk;
  soc u_soc (.sys_clk(clk));
  initial begin
    #4_000_000 $display("no end");
    $finish;
  end
endmodule

`default_nettype wire
