#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The area of lite_top.v, four counters with RVFI and Wishbone: area.py BUILD [ice40|ecp5]

Prints LUT4, flip-flops and memory blocks, counted by Yosys. Exit status 1 if it is an iCE40 and above its limit of LUT4
(docs/cores.md, A small core)."""

import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
HERE = pathlib.Path(__file__).resolve().parent
LIMIT = 1200
# Cells that count as LUT4, flip-flop, memory. Boundaries for depth are dropped: they cost LUTs.
FLOWS = {"ice40": ("synth_ice40 -dff", "SB_LUT4", r"SB_DFF\w*", r"SB_RAM40_4K"),
         "ecp5": ("synth_ecp5 -nowidelut", "LUT4", r"TRELLIS_FF", r"TRELLIS_DPR16X4|DP16KD")}


def main(build, flow="ice40"):
    command, *kinds = FLOWS[flow]
    sources = (pathlib.Path(build) / "generated" / "adapt.f").read_text(encoding="utf-8").split()
    includes = (pathlib.Path(build) / "generated", ROOT / "rtl/pmu", ROOT / "rtl/prim")
    with tempfile.TemporaryDirectory() as scratch:
        script = (f"read_verilog {' '.join(f'-I{path}' for path in includes)} {' '.join(sources)} "
                  f"{HERE / 'lite_top.v'}; "
                  f"hierarchy -top lite_top; setattr -mod -unset keep_hierarchy; {command} -top lite_top; "
                  f"tee -q -o {scratch}/stat.txt stat")
        done = subprocess.run(["yosys", "-q", "-p", script], text=True, check=False, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT)
        if done.returncode:
            raise SystemExit(f"area: Yosys failed\n{done.stdout[-2000:]}")
        stat = (pathlib.Path(scratch) / "stat.txt").read_text(encoding="utf-8")
    lut, flip_flop, blocks = (sum(int(n) for n in re.findall(rf"^ +(?:{kind}) +(\d+)$", stat, flags=re.M))
                              for kind in kinds)
    print(f"{command}: {lut} LUT4, {flip_flop} flip-flops, {blocks} memories")
    if not lut or flow == "ice40" and lut > LIMIT:
        print(f"area: {lut} LUT4, the limit is {LIMIT}")
        return 1
    return 0


if __name__ == "__main__":
    if len(sys.argv) not in (2, 3) or len(sys.argv) == 3 and sys.argv[2] not in FLOWS:
        raise SystemExit("usage: area.py BUILD [ice40|ecp5]")
    raise SystemExit(main(*sys.argv[1:]))
