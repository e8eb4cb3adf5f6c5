#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Sampled simulation (tally-farm profile) beside whole runs on the RTL, in which every cycle is attributed.

usage: test_whole.py BUILD [--samples N] [--seeds SEED...] [NAME...]

Programs of long.c have at least 50 million instructions, Linux with perf at least 200 million. N samples of each (20)
are compared with the whole run in cycles per instruction, profile and processor time. Their seeds are drawn anew and
printed, unless given. The table is printed as docs/farm.md has it. TALLY_WHOLE: the folder that keeps whole runs.
"""
import argparse
import os
import pathlib
import random
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path[:0] = [str(ROOT / "scripts"), str(ROOT / "tests")]
from bench_accuracy import chance, error  # noqa: E402
from farm_windows import read_where  # noqa: E402
from test_profile import CONFIDENCE, Farm, column  # noqa: E402
from verdict import check, verdict  # noqa: E402

ROUNDS = {"records": 15, "graph": 11, "text": 27, "numbers": 42, "interpreter": 45}
CPI_LIMIT, EXCESS_LIMIT, TIME_LIMIT = 0.02, 0.01, 1 / 20
ODDS = 0.001  # of a right bound to fail

LINUX = "; ".join((
    "head -c 200000 /bin/perf >/tmp/p", "perf record -q -F 500 -o /tmp/d -- gzip -k /tmp/p",
    "perf report -i /tmp/d --stdio --sort sym >/tmp/r", "perf stat ls -lR /bin /tmp", "gunzip -c /tmp/p.gz | md5sum",
    "head -n 2000 /proc/kallsyms | sort -k 3 | "
    'awk "{ n[\\$1 % 97] += NR } END { for (k in n) print k, n[k] }" | sort -n | tail -3'))


class Program:
    """A program of long.c"""
    least = 50_000_000

    def __init__(self, farm, name):
        self.name, self.key = name, f"{name}.{ROUNDS[name]}"
        self.words = [*farm.machine_of(farm.program), "--", name, ROUNDS[name]]


class Linux:
    """Boot, perf record, stat and report, and what they watch. It reads time, so instructions differ between runs."""
    name, key, least = "linux", "linux", 200_000_000

    def __init__(self, farm):
        files = farm.folder / "files"
        files.mkdir()
        linux = farm.build / "linux"
        self.words = ["-bios", farm.build / "sw/firmware.elf", "-kernel", linux / "Image", "-initrd",
                      linux / "user.cpio", "-append", "console=ttyS0 quiet", "-m", "64M", "--files", files, "--env",
                      f"RUN={LINUX}"]


def allowed(samples):
    """As many intervals may miss the truth, by the binomial distribution."""
    chance_of, miss, sum_of = CONFIDENCE ** samples, 1 - CONFIDENCE, 0.0
    for misses in range(samples + 1):
        sum_of += chance_of
        if sum_of >= 1 - ODDS:
            return misses
        chance_of *= (samples - misses) / (misses + 1) * miss / CONFIDENCE
    return samples


class Whole:
    """The run on the RTL"""

    def __init__(self, farm, program):
        kept = pathlib.Path(os.environ.get("TALLY_WHOLE", farm.folder))
        where, note = kept / f"{program.key}.where", kept / f"{program.key}.time"
        if not note.exists():
            at = program.words.index("--") if "--" in program.words else len(program.words)
            _, seconds = farm.run("tally-sim", *program.words[:at], "--where", where, *program.words[at:])
            note.write_text(str(seconds), encoding="utf-8")
        self.seconds = float(note.read_text(encoding="utf-8"))
        _, places, events = read_where(where)
        self.cycles, self.instructions = column(places, 0), events["INST"]
        self.cpi = events["CYCLE"] / self.instructions


def compare(farm, program, seeds):
    whole = Whole(farm, program)
    name, samples = program.name, len(seeds)
    check(whole.instructions >= program.least, f"{name} is long", whole.instructions)
    errors, bounds, excesses, shares = [], [], [], []
    for seed in seeds:
        figures, profile = farm.result("--seed", seed, "--", *program.words)
        if program.name != Linux.name:
            check(figures["instructions"] == whole.instructions, f"{name}: instructions", figures["instructions"])
        estimate, bound = figures["cpi"]
        errors.append(estimate / whole.cpi - 1)
        bounds.append(bound / whole.cpi)
        excesses.append(error(profile, whole.cycles) - chance(whole.cycles, figures["counted_cycles"]))
        shares.append((figures["golden_seconds"] + figures["window_seconds"]) / whole.seconds)
    outside = sum(abs(e) > bound for e, bound in zip(errors, bounds))
    over = sum(abs(e) > CPI_LIMIT for e in errors)
    share = sum(shares) / samples
    print(f"| {name} | {whole.instructions:,} | {whole.cpi:.4f} | {100 * sum(map(abs, errors)) / samples:.2f}, "
          f"{100 * max(map(abs, errors)):.2f} | {over} of {samples} | ± {100 * sum(bounds) / samples:.2f} % | "
          f"{outside} of {samples} | {100 * sum(excesses) / samples:.2f}, {100 * max(excesses):.2f} | "
          f"1/{1 / share:.1f} of {whole.seconds:.0f} s |", flush=True)
    check(over <= (1 - CONFIDENCE) * samples, f"{name}: cycles/instruction within 2 %", errors)
    check(outside <= allowed(samples), f"{name}: bounds", list(zip(errors, bounds)))
    check(sum(excesses) / samples < EXCESS_LIMIT, f"{name}: profile", excesses)
    check(share <= TIME_LIMIT, f"{name}: processor time", shares)


def main():
    parser = argparse.ArgumentParser(usage=__doc__.split("\n\n")[1].removeprefix("usage: "))
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("--samples", type=int, default=20)
    parser.add_argument("--seeds", type=int, nargs="+")
    parser.add_argument("name", nargs="*", metavar="NAME", help=", ".join((*ROUNDS, Linux.name)))
    args = parser.parse_args()
    names = args.name or [*ROUNDS, *([Linux.name] if (args.build / "linux/user.cpio").exists() else [])]
    if unknown := set(names) - {*ROUNDS, Linux.name}:
        parser.error(f"{unknown.pop()}: not one of {', '.join((*ROUNDS, Linux.name))}")
    seeds = args.seeds or random.SystemRandom().sample(range(1, 1_000_000), args.samples)
    print("seeds:", *seeds)
    print("| program | instructions | cycles/instruction | error of a sample in %: mean, largest | over 2 % | "
          "bound, mean | intervals that miss | profile's error beyond chance in %: mean, largest | processor time |\n"
          "|---|---|---|---|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as folder:
        farm = Farm(args.build.resolve(), pathlib.Path(folder))
        for name in names:
            compare(farm, Linux(farm) if name == Linux.name else Program(farm, name), seeds)
    sys.exit(verdict())


if __name__ == "__main__":
    main()
