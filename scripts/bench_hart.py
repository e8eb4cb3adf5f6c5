#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What the reference hart makes of ordinary code: kernels of CoreMark's and Embench's kind (tests/hart/kernels).

    scripts/bench_hart.py [--build DIR] [--jobs N] [--against FILE] [--save FILE] [--update]

Each kernel runs on the simulator, in M-mode; its second run is counted, with caches and predictors warm. Nothing is
timed: the counts are the simulated machine's own. Prints instructions, instructions a cycle, the share of cycles in
which nothing was dispatched, by cause (front end, back end, recovery from a misprediction), mispredicted branches and
jumps for a thousand instructions, the geometric mean of instructions a cycle, and CoreMark's score for a megahertz if
its sources were there when the program was built (tests/hart/coremark; scripts/setup --with ibex).
  --save FILE     write the cycles as JSON
  --against FILE  compare with cycles saved before
  --update        write the table into docs/hart.md
"""

import argparse
import concurrent.futures
import json
import os
import pathlib
import re
import statistics
import subprocess
import sys

import marked

ROOT = pathlib.Path(__file__).resolve().parent.parent
DOCUMENT = ROOT / "docs" / "hart.md"
MOST_CYCLES = 20_000_000
LINE = re.compile(r"kernel \w+: (\d+) cycles, (\d+) instructions (\d+) (\d+) (\d+) (\d+)")
COREMARK = re.compile(r"coremark: (\d+) cycles, (\d+) instructions, (\d+) iterations")
HEADS = ("kernel", "instructions", "a cycle", "front end", "back end", "recovery", "mispredicted a thousand")


def kernels(build):
    """{name: whether the hart is never tuned to it}"""
    listed = (build / "sw" / "kernels.txt").read_text(encoding="utf-8").split("\n")
    return {line.split()[0]: line.endswith(" held out") for line in listed if line}


def counts_of(build, program, line):
    """The numbers of the line that the program prints."""
    command = [build / "tally-sim", "-bios", build / "sw" / f"{program}.elf", "--max-cycles", str(MOST_CYCLES)]
    run = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
    found = line.search(run.stdout)
    if run.returncode or not found:
        raise SystemExit(f"bench_hart: {program}: status {run.returncode}\n{run.stdout}{run.stderr}")
    return tuple(map(int, found.groups()))


def measure(build, name):
    """(cycles, instructions, slots lost by the front end, back end, recovery, mispredicted)"""
    return counts_of(build, f"kernel_{name}", LINE)


def coremark(build):
    """A line, or none."""
    if not (build / "sw" / "coremark.elf").exists():
        return []
    cycles, instructions, iterations = counts_of(build, "coremark", COREMARK)
    return ["", f"CoreMark: {iterations / cycles * 1e6:.2f} a megahertz, {instructions / cycles:.2f} instructions a "
            f"cycle ({iterations} iterations: EEMBC's rules ask for a longer run)."]


def row(name, counts):
    cycles, instructions, *lost, mispredicted = counts
    return (name, f"{instructions:,}", f"{instructions / cycles:.2f}", *(f"{n / cycles:.1%}" for n in lost),
            f"{mispredicted / instructions * 1000:.1f}")


def mean_of(counts, names):
    return statistics.geometric_mean(counts[name][1] / counts[name][0] for name in names)


def compare(counts, before):
    """Lines: cycles against those saved before, of kernels that both have."""
    ratios = {name: counts[name][0] / before[name] for name in counts if name in before}
    if not ratios:
        raise SystemExit("bench_hart: the saved cycles are of other kernels")
    return ["", *(f"{name}: {ratio:.3f} of the cycles before" for name, ratio in ratios.items()),
            f"geometric mean: {statistics.geometric_mean(ratios.values()):.3f}"]


def main(argv):
    parser = argparse.ArgumentParser(description="The reference hart's instructions a cycle.")
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="runs at a time")
    parser.add_argument("--against", type=pathlib.Path, metavar="FILE", help="cycles saved before")
    parser.add_argument("--save", type=pathlib.Path, metavar="FILE", help="write the cycles")
    parser.add_argument("--update", action="store_true", help="write the table into docs/hart.md")
    args = parser.parse_args(argv)
    if args.jobs < 1:
        parser.error(f"--jobs {args.jobs}: at least 1")
    build = args.build.resolve()
    if not (build / "tally-sim").exists():
        parser.error(f"{build / 'tally-sim'} is not there; build first (make build)")
    held = kernels(build)
    with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
        counts = dict(zip(held, pool.map(lambda name: measure(build, name), held)))
    lines = marked.table(HEADS, [row(name + (" *" if held[name] else ""), counts[name]) for name in held])
    lines += ["", f"Geometric mean: {mean_of(counts, held):.2f} instructions a cycle; of the held out (*) "
              f"{mean_of(counts, [name for name in held if held[name]]):.2f}.", *coremark(build)]
    print("\n".join(lines))
    if args.against:
        print("\n".join(compare(counts, json.loads(args.against.read_text(encoding="utf-8")))))
    if args.save:
        args.save.write_text(json.dumps({name: counts[name][0] for name in counts}, indent=1) + "\n", encoding="utf-8")
    if args.update:
        marked.write(DOCUMENT, "kernels", lines)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
