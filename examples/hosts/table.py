#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The unit's cost for each example host, as a table for docs/cores.md: examples/hosts/table.py --build DIR [HOST...]

Lines of our files for a host (limits: run.py). LUT4 and flip-flops on an ECP5: of the host without its RVFI, what RVFI
adds, and what unit and sockets add (without the checker of RVFI); of hosts that Yosys does not read those of unit and
sockets alone, of Rocket those of its own module (rocket_tally.v). Simulated kHz of one core of this machine: without
the unit, with it, and (not Rocket) in lockstep with the golden unit.
"""

import argparse
import pathlib
import re
import subprocess
import sys
import tempfile

import yaml

import run as hosts
from rocket import rocket

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
FLOW = "synth_ecp5 -abc9 -nowidelut"
# LUT4 of a cell: a carry cell has two, a distributed RAM takes four.
LUTS = {"LUT4": 1, "CCU2C": 2, "TRELLIS_DPR16X4": 4}


def area(build, top, sources, *commands, defines=()):
    """LUT4 and flip-flops of a module. commands: Yosys' between reading and synthesis."""
    includes = [f"-I{path}" for path in (build / "generated", ROOT / "rtl/pmu", ROOT / "rtl/prim")]
    unit = (build / "generated" / "adapt.f").read_text(encoding="utf-8").split()
    with tempfile.TemporaryDirectory() as scratch:
        ram = pathlib.Path(scratch) / "ram.v"  # its ports alone: it stays as it is
        ram.write_text(re.search(r"^module.*?;$", (HERE / "host_ram.v").read_text(encoding="utf-8"),
                                 flags=re.M | re.S)[0] + " endmodule\n", encoding="utf-8")
        script = "; ".join([f"read_verilog -lib {ram}",
                            f"read_verilog {' '.join([*defines, *includes, *map(str, sources), *unit])}", *commands,
                            f"hierarchy -top {top}", "setattr -mod -unset keep_hierarchy", f"{FLOW} -top {top}",
                            f"tee -q -o {scratch}/stat stat"])
        done = subprocess.run(["yosys", "-q", "-p", script], text=True, check=False, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT)
        if done.returncode:
            raise hosts.Failure(f"Yosys: {done.stdout[-2000:]}")
        stat = (pathlib.Path(scratch) / "stat").read_text(encoding="utf-8")
    cells = {name: int(number) for name, number in re.findall(r"^ +(\w+) +(\d+)$", stat, flags=re.M)}
    return sum(cells.get(name, 0) * cost for name, cost in LUTS.items()), cells.get("TRELLIS_FF", 0)


def host_area(build, host):
    """Without RVFI, what RVFI adds, what the unit adds."""
    top = pathlib.Path(host["top"]).stem
    core = hosts.package(host)
    sources = [path for pattern in host["sources"] for path in sorted(core.glob(pattern))]
    sources += [HERE / host["top"], HERE / "host_soc.v"]

    def of(tally, *commands):
        defines = [option for option in host["options"] if option.startswith("-D")]
        return area(build, top, sources, f"chparam -set TALLY {tally} {top}", *commands, defines=defines)

    bare = of(0, f"delete -port {top}/o:rvfi_*")  # unread logic goes
    rvfi, unit = of(0), of(2)
    return bare, minus(rvfi, bare), minus(unit, rvfi)


def minus(a, b):
    return a[0] - b[0], a[1] - b[1]


def row(build, name, host, alone):
    ours = hosts.lines(host, name)
    verilog = not any(source.endswith(".sv") for source in host["sources"])
    bare, rvfi, unit = host_area(build, host) if verilog else (None, None, alone)
    pairs = [f"{pair[0]:,}, {pair[1]:,}" if pair else "" for pair in (bare, rvfi, unit)]
    return f"| {name} | {ours[0]} + {ours[1]} | {' | '.join(pairs)} | {', '.join(hosts.speeds(build, name, host))} |"


def rocket_row(build):
    ours = [HERE / "rocket" / name for name in ("rocket_tally.v", "entry.S")]
    counts = [len(path.read_text(encoding="utf-8").splitlines()) for path in ours]
    luts, ffs = area(build, "rocket_tally", ours[:1])
    return f"| rocket | {counts[0]} + {counts[1]} |  |  | {luts:,}, {ffs:,} | {', '.join(rocket.speeds(build))}, none |"


def main(argv):
    known = yaml.safe_load((HERE / "hosts.yaml").read_text(encoding="utf-8"))
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--build", type=pathlib.Path, required=True)
    parser.add_argument("host", nargs="*", choices=[*known, "rocket", []])
    args = parser.parse_args(argv)
    build = args.build.resolve()
    alone = area(build, "lite_top", [ROOT / "tests/adapt/lite_top.v"])
    print("| | lines: core, entry | host | its RVFI | unit and sockets | kHz: without, with, in lockstep |\n"
          "|---|---|---|---|---|---|")
    for name in args.host or [*known, "rocket"]:
        try:
            if name == "rocket":
                print(rocket_row(build), flush=True)
                continue
            hosts.run([ROOT / "scripts" / "setup", "--with", name])
            print(row(build, name, known[name], alone), flush=True)
        except hosts.Failure as failure:
            print(f"{name}: {failure}", file=sys.stderr)
            return 1
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
