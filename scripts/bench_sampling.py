#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The overhead of a sample, and the share of lost samples: docs/overhead.md.

    scripts/bench_sampling.py [--build DIR] [--check] [--update]

Runs sw/bench/sampling.c under our firmware with delegated counters, and under Debian's OpenSBI. --check: exit status 1
if a limit is exceeded. Limits: with delegation a tenth of OpenSBI's path and a fifth of our firmware's; in batches 20
cycles a sample if the records are not read, 150 if the handler reads them. --update: writes the tables there.

Where the machine has event-based branches sw/bench/branches.c runs too; cycles are read from the trace of retired
instructions. Limits: the handler's first instruction retires at most 11 cycles behind the cause (a misprediction,
6, and 5), the program's next one at most 60, caches warm.
"""

import argparse
import concurrent.futures
import pathlib
import statistics
import subprocess
import sys
import tempfile

import marked
from cmake_cache import setting

ROOT = pathlib.Path(__file__).resolve().parent.parent
OPENSBI = pathlib.Path("/usr/share/qemu/opensbi-riscv64-generic-fw_dynamic.elf")
ROWS = (("sbi", "counter overflow, by calls of our firmware", 16),
        ("counter", "counter overflow, delegated (Sspesa)", 64),
        ("registers", "instruction, interrupt a sample, MEM=0", 64),
        ("record", "instruction, interrupt a sample, MEM=1", 64),
        ("batches", "instruction, batches of 32, every record read", 64),
        ("recorder", "instruction, batches of 32, left in the buffer", 64))


def measure(build, bios, options=()):
    """{(kind, period): (cycles lost a sample, samples, dropped, collisions)}"""
    command = [build / "tally-sim", "-bios", bios, "-kernel", build / "sw" / "bench_sampling.elf", "--quiet",
               "--max-cycles", "100000000", *options]
    done = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, check=False, text=True)
    if done.returncode != 0:
        sys.exit(f"{bios}: exit status {done.returncode}\n{done.stdout}")
    plain, result = 0, {}
    for words in map(str.split, done.stdout.splitlines()):
        if len(words) != 6 or not all(word.isdigit() for word in words[1:]):
            continue
        period, cycles, samples, dropped, collisions = map(int, words[1:])
        if words[0] == "none":
            plain = cycles
        else:
            result[words[0], period] = ((cycles - plain) / max(samples, 1), samples, dropped, collisions)
    return result


WARM = 8  # services of an overflow before caches and predictors are warm
MISPREDICTION = 6  # docs/hart.md, cycles
SERVICES = (("branch", "event-based branch, U-mode"), ("interrupt", "delegated LCOFI, S-mode"))


def services(trace, entry, last):
    """(cycles from the cause to the handler's first instruction, to the program's next one) of each service."""
    delays, trips = [], []
    before, cause, returned = 0, None, False
    for line in trace:
        words = line.split(None, 5)
        if words[0] == "#" or "event-based branch" in line or "interrupt:" in line:
            continue
        cycle, pc = int(words[0]), int(words[3][:-1], 16)
        if pc == entry:
            cause = before
            delays.append(cycle - cause)
        elif returned:
            trips.append(cycle - cause)
        returned = pc == last
        before = cycle
    return delays[WARM:], trips[WARM:]


def measure_services(build):
    """{kind: (delays, round trips)}; nothing if the machine has no event-based branches."""
    if any(setting(build, name) not in ("ON", "1", "TRUE") for name in ("TALLY_EBB", "TALLY_SAMPLING")):
        return {}
    with tempfile.TemporaryDirectory(dir=build) as folder:
        trace = pathlib.Path(folder) / "trace"
        done = subprocess.run([build / "tally-sim", "-bios", build / "sw" / "firmware.elf", "-kernel",
                               build / "sw" / "bench_branches.elf", "--delegate", "0x8", "--ebb", "--quiet",
                               "--max-cycles", "20000000", "--trace", trace],
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, check=False, text=True)
        if done.returncode != 0:
            sys.exit(f"bench_branches: exit status {done.returncode}\n{done.stdout}")
        result = {}
        for kind, entry, last in (words for words in map(str.split, done.stdout.splitlines()) if len(words) == 3):
            with trace.open(encoding="utf-8") as lines:
                result[kind] = services(lines, int(entry, 16), int(last, 16))
    return result


def distribution(values):
    """least, median, nine of ten, ninety-nine of a hundred, most"""
    values = sorted(values)
    return [values[0], round(statistics.median(values)), values[len(values) * 9 // 10],
            values[len(values) * 99 // 100], values[-1]]


def service_rows(measured):
    for kind, text in SERVICES:
        for what, values in zip(("to the handler", "and back"), measured[kind]):
            yield [f"{text}: {what}", len(values), *distribution(values)]


def main(argv):
    parser = argparse.ArgumentParser(description="The cost of a sample.")
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build")
    parser.add_argument("--check", action="store_true", help="exit status 1 if a target is missed")
    parser.add_argument("--update", action="store_true", help="write the tables into docs/overhead.md")
    args = parser.parse_args(argv)
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        theirs = pool.submit(measure, args.build, OPENSBI) if OPENSBI.exists() else None
        ours = measure(args.build, args.build / "sw" / "firmware.elf", ["--delegate", "0x78"])
        theirs = theirs.result() if theirs else {}
    services_measured = measure_services(args.build)
    periods = sorted(period for kind, period in ours if kind == "sbi")
    rows = [[text, *(f"{ours[kind, p][0]:,.1f}" for p in periods), size] for kind, text, size in ROWS]
    if theirs:
        rows.insert(0, ["counter overflow, by calls of OpenSBI", *(f"{theirs['sbi', p][0]:,.0f}" for p in periods), 16])
    crowded = [[period, samples, dropped, collisions,
                f"{100 * (dropped + collisions) / (samples + dropped + collisions):.1f}", f"{cost:.1f}"]
               for (kind, period), (cost, samples, dropped, collisions) in sorted(ours.items(), key=lambda r: r[0][1])
               if kind == "recorder" and period not in periods]
    tables = {"costs": marked.table(["cycles lost a sample, period in instructions", *map(str, periods),
                                     "bytes a sample"], rows),
              "crowded": marked.table(["period", "samples", "dropped", "collisions", "lost, %",
                                       "cycles lost a sample"], crowded)}
    if services_measured:
        tables["services"] = marked.table(["cycles", "overflows", "least", "median", "90 %", "99 %", "most"],
                                          list(service_rows(services_measured)))
    print("\n\n".join("\n".join(lines) for lines in tables.values()))
    if args.update:
        for name, lines in tables.items():
            marked.write(ROOT / "docs" / "overhead.md", name, lines)
    worst = {kind: max(ours[kind, p][0] for p in periods) for kind, _, _ in ROWS}
    targets = [("delegated, of our path", worst["counter"] / min(ours["sbi", p][0] for p in periods), 0.2),
               ("batches, not read: cycles a sample", worst["recorder"], 20),
               ("batches, read: cycles a sample", worst["batches"], 150)]
    if theirs:
        targets.insert(0, ("delegated, of OpenSBI's path",
                           worst["counter"] / min(theirs["sbi", p][0] for p in periods), 0.1))
    if services_measured:
        delays, trips = map(distribution, services_measured["branch"])
        targets += [("event-based branch, cause to handler: cycles, most", delays[-1], MISPREDICTION + 5),
                    ("event-based branch, round trip: cycles, median", trips[1], 60)]
    missed = [target for target in targets if target[1] > target[2]]
    print()
    for text, value, limit in targets:
        print(f"{text}: {value:.2f}, target at most {limit}")
    print(f"{'FAIL' if missed else 'PASS'}: overhead of sampling")
    return 1 if missed and args.check else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
