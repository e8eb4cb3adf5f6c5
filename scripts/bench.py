#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""How fast the simulation is.

    scripts/bench.py [--build DIR] [--cycles N] [--profile] [WORKLOAD...]

Runs workloads with lockstep off and on and waves off and on, one at a time, and prints simulated clock rate,
instructions a second and instructions a cycle. --profile builds a second time with Verilator's --prof-cfuncs and says
which Verilog module and which part of the harness the host's time goes to (needs perf).
"""

import argparse
import collections
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
DEFAULT_WORKLOADS = ["sort", "chase", "scanner"]
MODES = [("alone", []), ("lockstep", ["--lockstep"]), ("waves", ["--wave"]),
         ("lockstep, waves", ["--lockstep", "--wave"])]
SUMMARY = re.compile(r"tally-sim: (\d+) cycles, (\d+) instructions \([0-9.]+ a cycle\), ([0-9.]+) s")
TIMED_OUT = 4  # tally-sim's exit status at --max-cycles: here that is the intended end


def simulator(build, name, cycles, options):
    return [str(build / "tally-sim"), "-bios", str(build / "sw" / f"workload_{name}.elf"), "--max-cycles", str(cycles),
            *options]


def measure(build, name, cycles, options):
    """(cycles, instructions, seconds) of one run."""
    with tempfile.TemporaryDirectory() as scratch:
        options = [part for option in options
                   for part in ([option, f"{scratch}/bench.fst"] if option == "--wave" else [option])]
        done = subprocess.run(simulator(build, name, cycles, options), stdin=subprocess.DEVNULL, capture_output=True,
                              text=True, errors="replace", check=False)
    found = SUMMARY.search(done.stderr)
    if done.returncode not in (0, TIMED_OUT) or not found:
        raise SystemExit(f"bench: {name} {' '.join(options)}: status {done.returncode}\n{done.stderr}")
    return int(found[1]), int(found[2]), max(float(found[3]), 0.01)


def speed_table(build, names, cycles):
    print(f"{'workload':12} {'mode':16} {'kHz':>8} {'MIPS':>8} {'IPC':>6} {'seconds':>8}")
    for name in names:
        for mode, options in MODES:
            clocks, instructions, seconds = measure(build, name, cycles, options)
            print(f"{name:12} {mode:16} {clocks / seconds / 1e3:8.0f} {instructions / seconds / 1e6:8.3f} "
                  f"{instructions / clocks:6.2f} {seconds:8.2f}", flush=True)


def place(symbol):
    """What a function of the simulator belongs to: a Verilog module, or a part of the harness."""
    found = re.search(r"__PROF__(\w+?)__l?\d+", symbol)
    if found:
        return f"verilog {found[1]}"
    if re.match(r"(gh_|hart_)", symbol):
        return "golden hart"
    if re.match(r"gp_", symbol):
        return "golden PMU"
    if re.search(r"Vtally|Verilated|VL_", symbol):
        return "Verilator's own"
    return "harness, libraries"


def profile(build, name, cycles):
    folder = build.parent / (build.name + "-profile")
    for command in (["cmake", "-S", str(ROOT), "-B", str(folder), "-DTALLY_PROFILE=ON"],
                    ["cmake", "--build", str(folder), "--target", "tally-sim", f"riscv_workload_{name}"]):
        if subprocess.run(command, stdout=subprocess.DEVNULL, check=False).returncode:
            raise SystemExit(f"bench: {' '.join(command)} failed")
    data = folder / "perf.data"
    for options in ([], ["--lockstep"]):
        record = ["perf", "record", "-q", "-o", str(data), "--"]
        done = subprocess.run(record + simulator(folder, name, cycles, options), capture_output=True, check=False)
        if done.returncode not in (0, TIMED_OUT):
            raise SystemExit(f"bench: perf record: {done.stderr.decode(errors='replace')}")
        report = subprocess.run(["perf", "report", "-i", str(data), "--stdio", "-q", "--sort", "symbol"],
                                capture_output=True, text=True, errors="replace", check=True).stdout
        shares = collections.Counter()
        for percent, symbol in re.findall(r"^\s*([0-9.]+)%\s+\[.\]\s+(.*\S)", report, re.M):
            shares[place(symbol)] += float(percent)
        print(f"\nhost time of {name} {' '.join(options) or 'alone'}:")
        for what, share in shares.most_common():
            if share >= 0.5:
                print(f"  {share:5.1f} %  {what}")


def main(argv):
    parser = argparse.ArgumentParser(description="How fast the simulation is.")
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build")
    parser.add_argument("--cycles", type=int, default=3_000_000, help="limit of one run")
    parser.add_argument("--profile", action="store_true", help="also say where the host's time goes")
    parser.add_argument("workloads", nargs="*", metavar="WORKLOAD", default=DEFAULT_WORKLOADS)
    args = parser.parse_args(argv)
    build = args.build.resolve()
    if not (build / "tally-sim").exists():
        parser.error(f"{args.build}: no tally-sim; build first (make build)")
    for name in args.workloads:
        if not (build / "sw" / f"workload_{name}.elf").exists():
            parser.error(f"no workload {name}")
    speed_table(build, args.workloads, args.cycles)
    if args.profile:
        profile(build, args.workloads[0], args.cycles)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
