#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Structural coverage of rtl/pmu by the suite of tests/pmu.

    scripts/coverage.py --build DIR [--config NAME...] [--all] [--cycles N] [--jobs N] [--collect]

Every configuration of tests/pmu/configurations.txt that is marked `test` (--all: the others too) is built with
`verilator --coverage` and run; a point is covered if any of them covers it. Targets: all lines, all branches, and 95 %
of the signal bits seen to change. A point that cannot be covered is in tests/pmu/coverage_waivers.txt with its reason;
a waiver without a point is an error. Printed are the share of all points and that of the points not waived, for which
the targets are. --collect: evaluate the last runs. Exit status 0 if the targets are met.
"""

import argparse
import collections
import concurrent.futures
import fnmatch
import pathlib
import re
import sys

import cover_points
import pmu_bench
from pmu_bench import ROOT, fail

TARGETS = {"line": 100.0, "branch": 100.0, "toggle": 95.0}
WAIVERS = ROOT / "tests/pmu/coverage_waivers.txt"


def numbers(text):
    """{1, 2, 3, 7} of "1-3,7"."""
    ends = [[int(end) for end in part.split("-")] for part in text.split(",")]
    return {number for first, *last in ends for number in range(first, (last or [first])[0] + 1)}


class Waiver:
    """A line of the file: kind, file, pattern: reason. The pattern is of the signal, or part of the line of source."""

    def __init__(self, line):
        found = re.match(r"(line|branch|toggle) (\S+) (.+?): (.+)$", line)
        if not found:
            fail(f"{WAIVERS.name}: not understood: {line}")
        self.kind, self.file, self.pattern, self.reason = found.groups()
        self.points = 0
        self.bits = None
        bits = re.fullmatch(r"(.+)\{([\d,-]+)(?: of (\d+))?(?: from (\d+))?\}", self.pattern)
        if bits and self.kind == "toggle":
            self.pattern, self.bits = bits.group(1), numbers(bits.group(2))
            self.every, self.first = int(bits.group(3) or 1 << 30), int(bits.group(4) or 0)

    def matches(self, point, text):
        if point.kind != self.kind or not fnmatch.fnmatchcase(point.file, self.file):
            return False
        if self.kind == "toggle" and self.bits is not None:
            name, _, bit = point.what.removesuffix("]").rpartition("[")
            if not bit.isdigit() or int(bit) < self.first or int(bit) % self.every not in self.bits:
                return False
            return re.fullmatch(self.pattern, name) is not None
        if self.kind == "toggle":
            return re.fullmatch(self.pattern, point.what) is not None
        return "".join(self.pattern.split()) in "".join(text.split())


def points(path):
    """(point, count) of rtl/pmu, in a coverage file of Verilator."""
    for point, source, count in cover_points.structural(path.read_text(encoding="utf-8", errors="replace")):
        if "pmu" in source.parts:
            yield point, count


def measure(args, name, params):
    """How often each point was hit, in all instances of its module."""
    folder = args.build / "coverage" / name
    data = folder / "coverage.dat"
    if not args.collect:
        folder.mkdir(parents=True, exist_ok=True)
        # In split blocks a branch would be counted after its own changes, by the changed condition.
        options = ["--coverage", "--coverage-max-width", "100000", "-fno-split", *pmu_bench.includes(args.build)]
        options += [f"-G{key}={value}" for key, value in params.items()]
        bench = pmu_bench.build_bench(args.build, folder, name, params, pmu_bench.sources(args.build), options)
        data.unlink(missing_ok=True)
        pmu_bench.run([bench, "--cycles", args.cycles, "--no-cover"], folder / "run.log", cwd=folder)
    count = collections.Counter()
    for point, hits in points(data):
        count[point] += hits
    return count


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=pathlib.Path, required=True)
    parser.add_argument("--config", action="append", help="default: those marked `test`")
    parser.add_argument("--all", action="store_true")
    parser.add_argument("--cycles", type=int, default=300_000)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--collect", action="store_true")
    args = parser.parse_args()
    args.build = args.build.resolve()
    if args.jobs < 1:
        parser.error(f"--jobs {args.jobs}: at least 1")

    defaults, rows = pmu_bench.configurations()
    for name in args.config or ():
        if name not in rows:
            parser.error(f"no configuration {name}; tests/pmu/configurations.txt has: {', '.join(rows)}")
    chosen = args.config or [name for name, (when, _) in rows.items() if when == "test" or args.all]
    count = collections.Counter()
    with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
        for found in pool.map(lambda name: measure(args, name, defaults | rows[name][1]), chosen):
            for point, hits in found.items():
                count[point] += hits

    waivers = [Waiver(line) for line in WAIVERS.read_text(encoding="utf-8").split("\n") if line and line[0] != "#"]
    source = {path.name: path.read_text(encoding="utf-8").split("\n") for path in (ROOT / "rtl/pmu").rglob("*.v")}
    wrong = 0
    holes = collections.defaultdict(list)
    covered, total, waived = collections.Counter(), collections.Counter(), collections.Counter()
    for point in sorted(count):
        text = source[point.file][point.line - 1]
        waiver = next((w for w in waivers if w.matches(point, text)), None)
        if waiver:
            waiver.points += 1
        if waiver and not count[point]:
            waived[point.kind] += 1
            continue
        total[point.kind] += 1
        covered[point.kind] += count[point] > 0
        if not count[point]:
            name, _, bit = point.what.partition("[")
            holes[point.kind, point.file, point.line, name, text.strip()].append(bit.rstrip("]"))
    for (kind, file, line, what, text), bits in holes.items():
        which = f"[{', '.join(bits)}]" if any(bits) else ""
        print(f"not covered: {kind:6} {file}:{line}: {what}{which}: {text}")
    for waiver in waivers:
        if not waiver.points:
            print(f"waiver without a point: {waiver.kind} {waiver.file} {waiver.pattern}")
            wrong += 1

    print(f"\n{len(chosen)} configurations, {args.cycles} cycles each")
    print(f"{'':8}{'points':>10}{'waived':>10}{'of all':>10}{'of others':>10}{'target':>10}")
    for kind, target in TARGETS.items():
        points_of = total[kind] + waived[kind]
        raw, share = (100.0 * covered[kind] / max(1, number) for number in (points_of, total[kind]))
        print(f"{kind:8}{points_of:10}{waived[kind]:10}{raw:9.2f}%{share:9.2f}%{target:9.0f}%")
        wrong += share < target
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
