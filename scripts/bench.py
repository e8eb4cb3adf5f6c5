#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The speed of the simulation.

    scripts/bench.py [--build DIR] [--cycles N] [--rounds N] [--pmu] [--guided] [--profile]
                     [--update] [WORKLOAD...]

Runs workloads above the firmware, boot included, alone and with lockstep, its models in line with the machine and on a
thread of their own (scripts/bench_waves.py: with waves). Prints the simulated clock rate, instructions a second, and
the slowdown against the run alone. Times are medians of processor time, so that other work on the machine disturbs them
less; the thread's gain is wall time, on two idle processors.
  --pmu      also builds the machine without sampling, and without counters; prints the cost of each part
  --guided   also builds the machine with a profile of the workloads (TALLY_GUIDED), and compares
  --profile  builds with Verilator's --prof-cfuncs; prints the host's time by Verilog module and part of the harness
             (needs perf)
  --update   writes the tables into docs/performance.md
"""

import argparse
import collections
import os
import pathlib
import platform
import re
import statistics
import subprocess
import sys
import tempfile
import textwrap
import time

import marked
from cmake_cache import setting

ROOT = pathlib.Path(__file__).resolve().parent.parent
DOCUMENT = ROOT / "docs" / "performance.md"
DEFAULT_WORKLOADS = ["sort", "chase", "scanner"]
IN_LINE = ["--lockstep", "--lockstep-threads", "0"]
MODES = [("alone", []), ("lockstep", IN_LINE)]
THREAD = ("lockstep, on a thread", ["--lockstep", "--lockstep-threads", "1"])
SUMMARY = re.compile(r"tally-sim: (\d+) cycles, (\d+) instructions")
TIMED_OUT = 4  # tally-sim's exit status at --max-cycles: here that is the intended end


def simulator(build, name, cycles, options):
    return [str(build / "tally-sim"), "-bios", str(build / "sw" / "firmware.elf"),
            "-kernel", str(build / "sw" / f"workload_{name}.elf"), "--max-cycles", str(cycles), *options]


def measure(build, name, cycles, options):
    """(cycles, instructions, seconds of processor time, of wall time) of one run."""
    with tempfile.TemporaryFile("w+") as said:
        command = simulator(build, name, cycles, options)
        begin = time.monotonic()
        run = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=said)
        _, status, used = os.wait4(run.pid, 0)
        wall = time.monotonic() - begin
        run.returncode = os.waitstatus_to_exitcode(status)
        said.seek(0)
        text = said.read()
    found = SUMMARY.search(text)
    if run.returncode not in (0, TIMED_OUT) or not found:
        raise SystemExit(f"bench: {name} {' '.join(options)}: status {run.returncode}\n{text}")
    return int(found[1]), int(found[2]), max(used.ru_utime + used.ru_stime, 0.01), wall


def medians(runs, rounds):
    """The median nanoseconds a cycle of each of several (build, workload, cycles, options), run in turn; the
    instructions a cycle; and the nanoseconds of wall time."""
    times, walls, per_cycle = [[] for _ in runs], [[] for _ in runs], [0.0] * len(runs)
    for _ in range(rounds):
        for i, run in enumerate(runs):
            clocks, instructions, seconds, wall = measure(*run)
            times[i].append(seconds / clocks * 1e9)
            walls[i].append(wall / clocks * 1e9)
            per_cycle[i] = instructions / clocks
    return [statistics.median(t) for t in times], per_cycle, [statistics.median(t) for t in walls]


def speed_table(build, names, cycles, rounds):
    lines = ["| workload | run | kHz | MIPS | instructions a cycle | processor time a cycle, against alone "
             "| wall time |",
             "|---|---|---|---|---|---|---|"]
    modes = [*MODES, THREAD]
    for name in names:
        times, ipc, walls = medians([(build, name, cycles, options) for _, options in modes], rounds)
        for mode, spent, wall, rate in zip(modes, times, walls, ipc):
            took = wall if mode is THREAD else spent
            lines.append(f"| {name} | {mode[0]} | {1e6 / took:,.0f} | {rate * 1e3 / took:.2f} | {rate:.2f} | "
                         f"{spent / times[0]:.2f} | {wall / walls[0]:.2f} |")
            print(lines[-1] if len(lines) > 3 else "\n".join(lines), flush=True)
    return lines


def second_build(build, suffix, options, names):
    """Another build directory beside `build`, by the same compilers."""
    folder = build.parent / (build.name + suffix)
    same = [f"-D{name}={setting(build, name)}" for name in ("CMAKE_CXX_COMPILER", "TALLY_MODEL_CXX")]
    for command in (["cmake", "-S", str(ROOT), "-B", str(folder), "-G", setting(build, "CMAKE_GENERATOR"), *same,
                     *options],
                    ["cmake", "--build", str(folder), "--target", "tally-sim", "riscv_firmware",
                     *(f"riscv_workload_{name}" for name in names)]):
        if subprocess.run(command, stdout=subprocess.DEVNULL, check=False).returncode:
            raise SystemExit(f"bench: {' '.join(command)} failed")
    return folder


def pmu_table(build, names, cycles, rounds):
    """The cost of the programmable counters, and of precise sampling."""
    bare = second_build(build, "-nosampling", ["-DTALLY_SAMPLING=OFF"], names)
    none = second_build(build, "-nocounters", ["-DTALLY_SAMPLING=OFF", "-DTALLY_HPM_N=0"], names)
    lines = ["| workload | whole, ns a cycle | without sampling | and without counters | 29 counters | sampling |",
             "|---|---|---|---|---|---|"]
    print("\n" + "\n".join(lines))
    for name in names:
        (full, counting, idle), _, _ = medians([(folder, name, cycles, []) for folder in (build, bare, none)], rounds)
        lines.append(f"| {name} | {full:,.0f} | {counting:,.0f} | {idle:,.0f} | {counting - idle:,.0f} "
                     f"| {full - counting:,.0f} |")
        print(lines[-1], flush=True)
    return lines


def guided_table(build, names, cycles, rounds):
    """The gain of a build guided by a profile."""
    guided = second_build(build, "-guided", ["-DTALLY_GUIDED=ON"], names)
    lines = ["| workload | kHz | guided by a profile | ratio |", "|---|---|---|---|"]
    print("\n" + "\n".join(lines))
    for name in names:
        (plain, fast), ipc, _ = medians([(build, name, cycles, []), (guided, name, cycles, [])], rounds)
        if ipc[0] != ipc[1]:
            raise SystemExit(f"bench: {name}: {ipc[0]} instructions a cycle, guided {ipc[1]}: not the same machine")
        lines.append(f"| {name} | {1e6 / plain:,.0f} | {1e6 / fast:,.0f} | {plain / fast:.2f} |")
        print(lines[-1], flush=True)
    return lines


def place(symbol):
    """The part that a function of the simulator belongs to: a Verilog module, or a part of the harness."""
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
    folder = second_build(build, "-profile", ["-DTALLY_PROFILE=ON"], [name])
    data = folder / "perf.data"
    lines = []
    for mode, options in MODES:
        record = ["perf", "record", "-q", "-o", str(data), "--"]
        done = subprocess.run(record + simulator(folder, name, cycles, options), capture_output=True, check=False)
        if done.returncode not in (0, TIMED_OUT):
            raise SystemExit(f"bench: perf record: {done.stderr.decode(errors='replace')}")
        report = subprocess.run(["perf", "report", "-i", str(data), "--stdio", "-q", "--sort", "symbol"],
                                capture_output=True, text=True, errors="replace", check=True).stdout
        shares = collections.Counter()
        for percent, symbol in re.findall(r"^\s*([0-9.]+)%\s+\[.\]\s+(.*\S)", report, re.M):
            shares[place(symbol)] += float(percent)
        unit = sum(share for what, share in shares.items() if what.startswith("verilog tally_pmu"))
        lines += ["", f"{name}, {mode}: rtl/pmu takes {unit:.0f} % of the host's time.", "", "```",
                  *(f"{share:5.1f} %  {what}" for what, share in shares.most_common() if share >= 1), "```"]
    print("\n".join(lines))
    return lines[1:]


def machine(build):
    """Processor, compilers and load of the machine, for the tables."""
    cpu = re.search(r"^model name\s*: (.*)$", pathlib.Path("/proc/cpuinfo").read_text(encoding="utf-8"), re.M)
    versions = [subprocess.run([tool, "--version"], capture_output=True, text=True, check=False).stdout.split("\n")[0]
                for tool in (setting(build, "TALLY_MODEL_CXX"), "verilator")]
    load = os.getloadavg()[0]
    said = (f"{cpu[1] if cpu else platform.machine()}, one core; {'; '.join(versions)}. "
            f"The machine's load was {load:.1f} on {os.cpu_count()} cores when the measurement began.")
    return textwrap.fill(said, 118)


def main(argv):
    parser = argparse.ArgumentParser(description="How fast the simulation is.")
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build")
    parser.add_argument("--cycles", type=int, default=3_000_000, help="limit of one run")
    parser.add_argument("--rounds", type=int, default=3, help="runs of each kind, of which the median counts")
    parser.add_argument("--pmu", action="store_true", help="also the cost of the counters")
    parser.add_argument("--guided", action="store_true", help="also the gain of a build guided by a profile")
    parser.add_argument("--profile", action="store_true", help="also say where the host's time goes")
    parser.add_argument("--update", action="store_true", help="write the tables into docs/performance.md")
    parser.add_argument("workloads", nargs="*", metavar="WORKLOAD", default=DEFAULT_WORKLOADS)
    args = parser.parse_args(argv)
    build = args.build.resolve()
    if not (build / "tally-sim").exists():
        parser.error(f"{args.build}: no tally-sim; build first (make build)")
    for name in args.workloads:
        if not (build / "sw" / f"workload_{name}.elf").exists():
            parser.error(f"no workload {name}")
    tables = {"speed": [machine(build), "", *speed_table(build, args.workloads, args.cycles, args.rounds)]}
    if args.pmu:
        tables["pmu"] = pmu_table(build, args.workloads, args.cycles, args.rounds)
    if args.guided:
        tables["guided"] = guided_table(build, args.workloads, args.cycles, args.rounds)
    if args.profile:
        tables["profile"] = profile(build, args.workloads[0], args.cycles)
    if args.update:
        for name, lines in tables.items():
            marked.write(DOCUMENT, name, lines)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
