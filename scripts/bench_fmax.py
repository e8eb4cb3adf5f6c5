#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The clock of tally_pmu alone on an ECP5-85F, speed grade 6, placed and routed: fmax and the worst path.

    scripts/bench_fmax.py [--out DIR] [--lines N] [--placer NAME] [--seed N] [-p NAME=VALUE]...

The unit with its default parameters (and those of -p) and an event list of N lines as in scripts/bench_area.py, between
registers: one chain of flip-flops drives its inputs, another samples its outputs. Measured is the longest path through
the unit, combinational paths from input to output included; a host adds its own delay. Exit status 0 if the path is at
most 10 ns (100 MHz).
"""

import argparse
import json
import pathlib
import sys

import bench_area
import critical_path
import fpga
import pnr

GOAL = 100  # MHz
DEVICE = {"family": "ecp5", "device": ["--85k", "--package", "CABGA381", "--speed", "6"]}


def ports(netlist):
    """({input: width}, {output: width}) without clock."""
    found = {"input": {}, "output": {}}
    for name, port in json.loads(netlist.read_text(encoding="utf-8"))["modules"]["tally_pmu"]["ports"].items():
        if name != "clk":
            found[port["direction"]][name] = len(port["bits"])
    return found["input"], found["output"]


def wrapper(inputs, outputs):
    """A module with four pins around the unit."""
    text, slices = [], []
    for vector, group in (("in_q", inputs), ("answer", outputs)):
        at = 0
        for name, width in group.items():
            slices.append(f"    .{name}({vector}[{at} +: {width}])")
            at += width
    n, m = sum(inputs.values()), sum(outputs.values())
    text += ["module tally_pmu_between_registers (input clk, input pin, input take, output reg out);",
             f"  reg  [{n - 1}:0] in_q;", f"  reg  [{m - 1}:0] out_q, chain_q;", f"  wire [{m - 1}:0] answer;",
             "  always @(posedge clk) begin", f"    in_q <= {{in_q[{n - 2}:0], pin}};", "    out_q <= answer;",
             f"    chain_q <= take ? out_q : {{chain_q[{m - 2}:0], 1'b0}};", f"    out <= chain_q[{m - 1}];", "  end",
             "  tally_pmu dut (.clk(clk),", ",\n".join(slices), "  );", "endmodule", ""]
    return "\n".join(text)


def main(argv):
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--out", type=pathlib.Path, default=bench_area.ROOT / "build" / "fmax")
    parser.add_argument("--lines", type=int, default=64, help="0: spec/events.yaml as it is")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--placer", default="heap", help="nextpnr's")
    parser.add_argument("--no-route", action="store_true", help="the clock that the tool expects after placement")
    parser.add_argument("-p", dest="params", action="append", default=[], metavar="NAME=VALUE")
    args = parser.parse_args(argv)
    out = args.out.resolve()
    out.mkdir(parents=True, exist_ok=True)
    tool = fpga.pnr_tool(DEVICE)
    if not tool:
        return 2
    rtl = bench_area.ROOT / "rtl"
    include = f"-I{bench_area.generated(out, args.lines)} -I{rtl / 'pmu'} -I{rtl / 'prim'}"
    chparams = " ".join(f"-chparam {name} {value}" for name, value in (param.split("=") for param in args.params))
    fpga.yosys([f"read_verilog {include} {' '.join(bench_area.sources())}", f"hierarchy -top tally_pmu {chparams}",
                "proc", f"write_json {out}/ports.json"], out / "ports.log")
    (out / "wrapper.v").write_text(wrapper(*ports(out / "ports.json")), encoding="utf-8")
    fpga.yosys([f"read_verilog {include} {' '.join(bench_area.sources())} {out}/wrapper.v",
                *fpga.read_forms(DEVICE),
                *([f"chparam {chparams.replace('-chparam', '-set')} tally_pmu"] if chparams else []),
                "hierarchy -top tally_pmu_between_registers", *fpga.NAMELESS,
                "synth_ecp5 -abc9 -top tally_pmu_between_registers -run :check", f"tee -q -o {out}/cells.txt stat",
                "blackbox =A:whitebox", f"write_json {out}/netlist.json"], out / "yosys.log")
    command = [tool, *DEVICE["device"], "--json", "netlist.json", "--lpf-allow-unconstrained", "--freq", GOAL,
               "--timing-allow-fail", "--placer", args.placer, "--seed", args.seed, "--report", "report.json"]
    fpga.run([*command, *(["--no-route"] if args.no_route else [])], out / "pnr.log", cwd=out)
    report = json.loads((out / "report.json").read_text(encoding="utf-8"))
    counts = fpga.cost(DEVICE, fpga.count_cells(out))
    print(", ".join(f"{counts[column]:,} {column}" for column in fpga.COLUMNS))
    fmax = max((clock["achieved"] for clock in report["fmax"].values()), default=None) \
        or pnr.expected((out / "pnr.log").read_text(encoding="utf-8"))
    worst = critical_path.worst(report)
    print(f"fmax: {fmax:.1f} MHz, goal {GOAL}")
    if worst:
        print(f"worst path: {worst['ns']} ns ({worst['logic']} logic, {worst['routing']} routing)")
        for name in worst["way"]:
            print(f"  {name}")
    return 0 if fmax >= GOAL else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
