#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Run random programs in lockstep with the golden models.

    scripts/run_random.py --build DIR [--first SEED] [--seeds N | --instructions N] [--length UNITS] [--jobs N]
                          [--iss | --simulator NAME] [--covered] [--crosses [--thin CELLS]
                          [--crosses-file FILE]] [--keep DIR] [--no-smepmp]

A program depends on its seed and length alone. --seeds: the number of programs; --instructions: run until as many have
retired. --iss: on the golden hart alone; --simulator: on another simulator than tally-sim. --covered: count the
executed instructions and traps (by the golden hart), and fail if one never occurred. --crosses: count the situations
of the pipeline named in tb/crosses.c, and fail if more than CELLS of them (0) never occurred; --crosses-file: write
them, too. The first failure prints the command that repeats it. Exit status 0, 1 for a failure, 2 for a wrong call.
"""

import argparse
import collections
import concurrent.futures
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile
import time

import cover_points

ROOT = pathlib.Path(__file__).resolve().parent.parent
MAX_CYCLES = 50_000_000
TIME_LIMIT = 900  # seconds, a program
RETIRED = re.compile(r"(\d[\d,]*) instructions")
CYCLES = re.compile(r"(\d[\d,]*) cycles")


class Run:
    def __init__(self, seed, status, output, coverage, crosses):
        self.seed, self.status, self.output = seed, status, output
        self.retired, self.cycles = (
            int(found[1].replace(",", "")) if (found := count.search(output)) else 0 for count in (RETIRED, CYCLES))
        self.coverage, self.crosses = coverage, crosses


class Runner:
    def __init__(self, args, folder):
        self.args = args
        self.folder = folder

    def generate_command(self, seed, elf):
        generator = self.args.build / "tally-rand"
        extensions = ["--no-smepmp"] if self.args.no_smepmp else []
        return [str(generator), *extensions, "--seed", str(seed), "--length", str(self.args.length), "-o", str(elf)]

    def simulate_command(self, seed, elf):
        if self.args.iss:
            return [str(self.find("tally-iss")), "-bios", str(elf), "--max-instructions", str(MAX_CYCLES)]
        tags = [] if seed % 2 else ["--tags"]  # a program of an odd seed has its instructions sampled by the PMU
        if seed % 16 == 13:  # ... and those of a second hart
            tags = ["-smp", "2"]
        counted = ["--crosses", str(elf) + ".crosses"] if self.args.crosses else []
        return [str(self.find(self.args.simulator)), "-bios", str(elf), "--lockstep", "--max-cycles", str(MAX_CYCLES)] \
            + tags + counted

    def find(self, name):
        """The simulators are in the build directory or in a folder of it."""
        for folder in ("", "tb", "tb/iss"):
            path = self.args.build / folder / name
            if path.is_file():
                return path
        return self.args.build / name

    def one(self, seed):
        elf = self.folder / f"random-{seed}.elf"
        subprocess.run(self.generate_command(seed, elf), check=True)
        try:
            done = subprocess.run(self.simulate_command(seed, elf), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                  stderr=subprocess.STDOUT, timeout=TIME_LIMIT, check=False)
            status, output = done.returncode, done.stdout.decode(errors="replace")
        except subprocess.TimeoutExpired as late:
            status, output = "time limit", (late.stdout or b"").decode(errors="replace")
        coverage = self.cover(elf) if self.args.covered and status == 0 else collections.Counter()
        crosses = self.crosses(elf) if self.args.crosses and status == 0 else collections.Counter()
        if status == 0 and not self.args.keep:
            elf.unlink()
        return Run(seed, status, output, coverage, crosses)

    @staticmethod
    def crosses(elf):
        path = pathlib.Path(str(elf) + ".crosses")
        counts = collections.Counter(dict(cover_points.crosses(path.read_text(encoding="utf-8"))))
        path.unlink()
        return counts

    def cover(self, elf):
        trace = subprocess.Popen([self.find("tally-iss"), "-bios", elf, "--quiet", "--trace", "/dev/stdout"],
                                 stdin=subprocess.DEVNULL, stdout=subprocess.PIPE)
        counted = subprocess.run([self.args.build / "tally-cover"], stdin=trace.stdout, stdout=subprocess.PIPE,
                                 check=True)
        trace.stdout.close()
        trace.wait()
        counts = collections.Counter()
        for line in counted.stdout.decode().splitlines():
            name, value = line.rsplit(" ", 1)
            counts[name] += int(value)
        return counts

    def repeat(self, seed):
        elf = f"random-{seed}.elf"
        commands = self.generate_command(seed, elf), self.simulate_command(seed, elf)
        return " && ".join(shlex.join(command) for command in commands)


def print_coverage(counts):
    """Three lines of the coverage: modes, traps, instructions. Returns those that never occurred."""
    def listed(kind):
        return [(name.split(" ", 1)[1], value) for name, value in counts.items() if name.startswith(kind + " ")]

    print("modes:        " + ", ".join(f"{name} {value:,}" for name, value in listed("mode")))
    for kind in ("exception", "interrupt"):
        print(f"{kind}s:   " + ", ".join(f"{name} {value:,}" for name, value in listed(kind)))
    print("instructions: " + ", ".join(f"{name} {value:,}" for name, value in listed("insn")))
    missing = [f"instruction {name}" for name, value in listed("insn") if value == 0]
    # Exceptions 0, 10 and 14 do not exist here; interrupts: those that the hart can raise.
    for kind, codes in (("exception", (1, 2, 3, 4, 5, 6, 7, 8, 9, 11, 12, 13, 15)),
                        ("interrupt", (1, 3, 5, 7, 9, 11, 13, 14, 18))):
        seen = {int(name.split()[0]) for name, _ in listed(kind)}
        missing += [f"{kind} {code}" for code in codes if code not in seen]
    return missing


def print_crosses(counts):
    """A table a cross: a line a row. Returns the cells that were never reached."""
    tables = {}
    for name, value in counts.items():
        table, row, column = name.split(" / ")
        tables.setdefault(table, {}).setdefault(row, {})[column] = value
    for table, rows in tables.items():
        print(f"{table}:")
        for row, cells in rows.items():
            print(f"  {row}: " + ", ".join(f"{column} {value:,}" for column, value in cells.items()))
    missing = [name for name, value in counts.items() if value == 0]
    print(f"{len(counts) - len(missing)} of {len(counts)} situations of the pipeline reached")
    return missing


def seeds_wanted(args):
    seed = args.first
    while args.instructions or seed < args.first + args.seeds:
        yield seed
        seed += 1


def run_all(args, runner):
    """All the runs, in the order of their seeds, until there are enough or one fails."""
    runs, retired = [], 0
    with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
        waiting = collections.deque()
        seeds = seeds_wanted(args)
        enough = False
        while True:
            while not enough and len(waiting) < 2 * args.jobs:
                seed = next(seeds, None)
                if seed is None:
                    break
                waiting.append(pool.submit(runner.one, seed))
            if not waiting:
                return runs
            run = waiting.popleft().result()
            runs.append(run)
            retired += run.retired
            enough = enough or run.status != 0 or bool(args.instructions and retired >= args.instructions)
            if sys.stdout.isatty():
                print(f"\r{len(runs)} programs, {retired:,} instructions", end="", flush=True)


def main(argv):
    parser = argparse.ArgumentParser(description="Run random programs in lockstep with the golden models.")
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build")
    parser.add_argument("--first", type=int, default=1, help="the first seed")
    parser.add_argument("--seeds", type=int, default=100, help="how many programs")
    parser.add_argument("--instructions", type=int, default=0, help="go on until so many have retired")
    parser.add_argument("--length", type=int, default=1500, help="units of a program")
    parser.add_argument("--jobs", type=int, default=2)
    machine = parser.add_mutually_exclusive_group()
    machine.add_argument("--iss", action="store_true", help="the golden hart alone")
    machine.add_argument("--simulator", default="tally-sim", help="whose machine runs the programs")
    parser.add_argument("--covered", action="store_true", help="count executed instructions and traps; all must occur")
    parser.add_argument("--crosses", action="store_true", help="count situations of the pipeline")
    parser.add_argument("--thin", type=int, default=0, help="... but for so many of them")
    parser.add_argument("--crosses-file", type=pathlib.Path, help="... and write how often each occurred")
    parser.add_argument("--no-smepmp", action="store_true", help="programs for a hart without mseccfg")
    parser.add_argument("--keep", type=pathlib.Path, help="leave the programs there")
    args = parser.parse_args(argv)
    args.build = args.build.resolve()
    for name in ("seeds", "jobs"):
        if getattr(args, name) < 1:
            parser.error(f"--{name} {getattr(args, name)}: at least 1")
    if args.crosses and args.iss:
        parser.error("--crosses counts in the pipeline, which --iss has not")
    for name in ("thin", "crosses_file"):
        if getattr(args, name) and not args.crosses:
            parser.error(f"--{name.replace('_', '-')} needs --crosses")
    tools = ["tally-rand", "tally-iss" if args.iss else args.simulator] + ["tally-iss", "tally-cover"] * args.covered
    for path in map(Runner(args, None).find, tools):
        if not path.is_file():
            parser.error(f"{path} is not there: build first (make build)")

    start = time.monotonic()
    with tempfile.TemporaryDirectory() as scratch:
        if args.keep:
            args.keep.mkdir(parents=True, exist_ok=True)
        runner = Runner(args, args.keep or pathlib.Path(scratch))
        runs = run_all(args, runner)
    if sys.stdout.isatty():
        print()
    counts, crosses = collections.Counter(), collections.Counter()
    for run in runs:
        counts.update(run.coverage)
        crosses.update(run.crosses)
    missing = print_coverage(counts) if args.covered else []
    unreached = print_crosses(crosses) if args.crosses else []
    if args.crosses_file:
        args.crosses_file.write_text("".join(f"cross {name} {count}\n" for name, count in crosses.items()),
                                     encoding="utf-8")
    for run in runs:
        if run.status != 0:
            print(f"seed {run.seed} failed (status {run.status}):\n{run.output.rstrip()}")
            print(f"again: {runner.repeat(run.seed)}")
    if missing:
        print("never occurred: " + ", ".join(missing))
    if unreached:
        print("never reached:\n  " + "\n  ".join(unreached))
    passed = not missing and len(unreached) <= args.thin and all(run.status == 0 for run in runs)
    where = "on the golden hart" if args.iss else "in lockstep"
    print(f"{'PASS' if passed else 'FAIL'}: seeds {args.first}..{args.first + len(runs) - 1} {where}, "
          f"{sum(run.retired for run in runs):,} instructions retired, {sum(run.cycles for run in runs):,} cycles, "
          f"{time.monotonic() - start:.0f} s")
    return 0 if passed else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
