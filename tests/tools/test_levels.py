#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""LUT levels of small netlists, by hand and by Yosys."""

import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "scripts"))
import levels  # noqa: E402

ADDER = """
module top (input clk, input [15:0] a, b, output reg [15:0] s, output reg any);
  always @(posedge clk) s <= a + b;
  always @(posedge clk) any <= |s;
endmodule
"""


def lut(out, *ins):
    return {"type": "SB_LUT4", "connections": {"O": [out], **{f"I{i}": [bit] for i, bit in enumerate(ins)}}}


class Levels(unittest.TestCase):
    def test_a_chain_of_luts(self):
        cells = {"a": lut(10, 1, 2), "b": lut(11, 10, 3), "c": lut(12, 11, 10)}
        self.assertEqual(levels.depth({"cells": cells}), 3)

    def test_a_register_ends_a_way(self):
        cells = {"a": lut(10, 1), "r": {"type": "SB_DFF", "connections": {"C": [0], "D": [10], "Q": [11]}},
                 "b": lut(12, 11)}
        self.assertEqual(levels.depth({"cells": cells}), 1)

    def test_a_carry_costs_nothing(self):
        cells = {f"c{i}": {"type": "SB_CARRY", "connections": {"I0": [1], "I1": [2], "CI": [20 + i], "CO": [21 + i]}}
                 for i in range(30)}
        cells["sum"] = lut(60, 1, 2, 50)
        self.assertEqual(levels.depth({"cells": cells}), 1)

    def test_a_loop_is_an_error(self):
        with self.assertRaisesRegex(ValueError, "loop"):
            levels.depth({"cells": {"a": lut(10, 11), "b": lut(11, 10)}})

    def test_what_yosys_maps(self):
        # An adder is a level; the OR of sixteen bits is two.
        for flow in ("synth_ice40", "synth_ecp5"):
            with tempfile.TemporaryDirectory() as folder:
                source, netlist = pathlib.Path(folder) / "top.v", pathlib.Path(folder) / "top.json"
                source.write_text(ADDER, encoding="utf-8")
                subprocess.run(["yosys", "-q", "-p", f"read_verilog {source}; {flow} -top top; write_json {netlist}"],
                               check=True)
                module = json.loads(netlist.read_text(encoding="utf-8"))["modules"]["top"]
                self.assertEqual(levels.depth(module), 2, flow)


if __name__ == "__main__":
    unittest.main()
