#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The cost of waves.

    scripts/bench_waves.py [--build DIR] [--cycles N] [--rounds N] [--update] [WORKLOAD...]

Runs the first cycles of workloads above the firmware without waves and with each choice of signals, in turn, alone and
in lockstep. Prints ratios against the run without waves: of processor time, of all threads, and of wall time, for which
the machine needs two idle cores; medians of the rounds. --update writes the table into docs/performance.md.
"""

import argparse
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

import marked

ROOT = pathlib.Path(__file__).resolve().parent.parent
DOCUMENT = ROOT / "docs" / "performance.md"
CHOICES = [("none", []), ("the default set", []), ("`u_lsu`", ["--wave-scope", "u_lsu"]),
           ("`u_adapter.u_pmu`", ["--wave-scope", "u_adapter.u_pmu"]), ("all signals", ["--wave-all"]),
           ("the last 10,000 cycles", ["--wave-last", "10000"])]


def measure(build, name, cycles, options):
    """Seconds of processor time and of wall time, bytes of the file."""
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder) / "bench.fst"
        command = [build / "tally-sim", "-bios", build / "sw" / "firmware.elf", "-kernel",
                   build / "sw" / f"workload_{name}.elf", "--quiet", "--stop", cycles,
                   *(file if option == "FILE" else option for option in options)]
        began = time.monotonic()
        run = subprocess.Popen([str(part) for part in command], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
        _, status, used = os.wait4(run.pid, 0)
        wall = time.monotonic() - began
        run.returncode = os.waitstatus_to_exitcode(status)
        if run.returncode:
            raise SystemExit(f"bench_waves: {name} {' '.join(options)}: status {run.returncode}")
        return used.ru_utime + used.ru_stime, wall, file.stat().st_size if file.exists() else 0


def table(build, name, cycles, rounds):
    """Rows of one workload."""
    modes = [(choice, lockstep, lockstep + (["--wave", "FILE", *options] if choice != "none" else []))
             for lockstep in ([], ["--lockstep"]) for choice, options in CHOICES]
    seen = [[] for _ in modes]
    for _ in range(rounds):
        for i, (_, _, options) in enumerate(modes):
            seen[i].append(measure(build, name, cycles, options))
    rows, base = [], None
    for (choice, lockstep, _), runs in zip(modes, seen):
        cpu, wall, size = (statistics.median(column) for column in zip(*runs))
        base = (cpu, wall) if choice == "none" else base
        rows.append((name, "lockstep" if lockstep else "alone", choice, f"{cpu / cycles * 1e9:,.0f}",
                     f"{cpu / base[0]:.2f}", f"{wall / base[1]:.2f}", f"{size / cycles:,.1f}"))
    return rows


def main(argv):
    parser = argparse.ArgumentParser(description="The cost of waves.")
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build")
    parser.add_argument("--cycles", type=int, default=600_000, help="of one run")
    parser.add_argument("--rounds", type=int, default=3, help="runs of each kind, of which the median counts")
    parser.add_argument("--update", action="store_true", help="write the table into docs/performance.md")
    parser.add_argument("workloads", nargs="*", metavar="WORKLOAD", default=["sort"])
    args = parser.parse_args(argv)
    build = args.build.resolve()
    for file in (build / "tally-sim", *(build / "sw" / f"workload_{name}.elf" for name in args.workloads)):
        if not file.exists():
            parser.error(f"{file} is not there; build first (make build)")
    heads = ("workload", "run", "waves", "ns a cycle, all threads", "against none", "wall time, against none",
             "bytes a cycle")
    load = os.getloadavg()[0]
    rows = [row for name in args.workloads for row in table(build, name, args.cycles, args.rounds)]
    lines = [f"{args.cycles:,} cycles; the machine's load was {load:.1f} on {os.cpu_count()} cores when the "
             "measurement began.", "", *marked.table(heads, rows)]
    print("\n".join(lines))
    if args.update:
        marked.write(DOCUMENT, "waves", lines)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
