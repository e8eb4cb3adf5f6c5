#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What perf's events cost under Linux, by the kernel's own driver and by ours: docs/linux.md.

    scripts/bench_linux.py [--build DIR] [--update] [NAME...]

Boots the drivers' kernel to sw/bench/linux.c on the golden machine, and runs that from a checkpoint on the RTL.
Cycles are those between retired instructions of user mode. NAME: stock, opensbi, tally (default: all). --update
writes the table, of all. Exit status 1: a row is empty (then nothing is written), a sample by ours costs more than half
of the stock driver's, or an event-based branch more than a twentieth of a signal.
"""

import argparse
import collections
import pathlib
import re
import statistics
import subprocess
import sys
import tempfile

import linux
import marked

ROOT = pathlib.Path(__file__).resolve().parent.parent
OPENSBI = pathlib.Path("/usr/share/qemu/opensbi-riscv64-generic-fw_dynamic.elf")
# name: text, firmware, more options of the simulator
DRIVERS = {"opensbi": ("stock, OpenSBI", OPENSBI, ()),
           "stock": ("stock, our firmware", None, ()),
           "tally": ("`riscv_tally`", None, ("--delegate", linux.DELEGATED["whole"], "--ebb"))}
BATCH = 128  # records
# The first of each kind, before caches and predictors are warm
WARM = collections.defaultdict(lambda: 16, batch=2)
LCOFI, LAMBI, ECALL, BRANCH = "interrupt 13", "interrupt 14", "trap 8", "branch"
# name: what is measured, and between which functions
ROWS = (("getppid", "`getppid()`, for comparison", ECALL, ("getppid", "getppid")),
        ("read", "`read()` of an event", ECALL, ("read", "read")),
        ("read_group", "`read()` of a group of four", ECALL, ("read_group", "read_group")),
        ("yield0", "task switch, no events", ECALL, ("yield0_a", "yield0_b")),
        ("yield1", "task switch, an event each", ECALL, ("yield1_a", "yield1_b")),
        ("yield4", "task switch, four events each", ECALL, ("yield4_a", "yield4_b")),
        ("sample", "sample of a counter", LCOFI, ("sample", "sample")),
        ("signal", "... with a signal, to its handler and back", LCOFI, ("signal", "signal")),
        ("batch", f"batch of {BATCH} sampled instructions", LAMBI, ("batch", "batch")),
        ("branch", "event-based branch, to its handler and back", BRANCH, ("branch", "branch")))
# Medians: kind and driver, and that it is so many times cheaper than another
TARGETS = (("sample", "tally", 2, "sample", "stock"), ("sample", "tally", 2, "sample", "opensbi"),
           ("branch", "tally", 20, "signal", "tally"))
LINE = re.compile(r" *(\d+) 0 U ([0-9a-f]{16}):(?:.* (interrupt|trap): cause (\d+)|.* event-based (branch))?")


def regions(build):
    """[(first pc, pc behind the last, name)] of the program's functions."""
    text = subprocess.run(["riscv64-linux-gnu-nm", build / "linux/drivers/tally-costs"], check=True,
                          stdout=subprocess.PIPE, text=True).stdout
    places = {name: int(at, 16) for at, name in re.findall(r"^([0-9a-f]+) . cost_(\w+)$", text, re.M)}
    return [(at, places[name + "_end"], name) for name, at in places.items() if name + "_end" in places]


def measure(lines, places):
    """{(cause, function before, function behind): cycles of each} in a trace of user mode."""
    where = {pc: name for first, end, name in places for pc in range(first, end, 2)}
    result = collections.defaultdict(list)
    retired, left, first = 0, None, False
    for line in lines:
        match = LINE.match(line)
        if not match:
            print(line, end="", file=sys.stderr)
            continue
        cycle, pc, kind, cause, branch = match.groups()
        cycle, name = int(cycle), where.get(int(pc, 16))
        if kind or branch:
            # A call begins with itself, an interrupt behind the last instruction. Handlers are no functions of ours.
            # Of several interrupts with no instruction between them (a signal's overflow and its work behind it, a
            # batch and a tick), the first counts.
            if name and not first:
                left = (f"{kind} {cause}" if kind else BRANCH, name, cycle if kind == "trap" else retired)
                first = True
            continue
        if name and left:
            result[left[0], left[1], name].append(cycle - left[2])
            left = None
        retired, first = cycle, False
    return result


def run(build, name):
    """The times of one driver."""
    _, firmware, options = DRIVERS[name]
    drivers = build / "linux/drivers"
    with tempfile.TemporaryDirectory(dir=build, prefix="costs-") as folder:
        checkpoint = f"{folder}/checkpoint"
        machine = ["-bios", firmware or build / "sw/firmware.elf", "-kernel", drivers / "Image", "-initrd",
                   drivers / "user.cpio", "-append", "console=ttyS0 quiet", "-m", "128M", "--files", folder,
                   "--env", "RUN=tally-costs", *options]
        subprocess.run([build / "tally-iss", *machine, "--checkpoint", checkpoint, "--at", "text:costs: begin",
                        "--quiet"], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, check=True)
        with subprocess.Popen([build / "tally-sim", *machine, "--restore", checkpoint, "--trace", "/dev/stderr",
                               "--quiet"], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                              text=True) as simulator:
            # grep is faster than a regular expression of ours; messages pass it too.
            with subprocess.Popen(["grep", "-a", "^tally-sim: \\| 0 U "], stdin=simulator.stderr,
                                  stdout=subprocess.PIPE, text=True) as user:
                simulator.stderr.close()
                result = measure(user.stdout, regions(build))
            text = simulator.stdout.read()
        if simulator.returncode or "costs: end" not in text:
            sys.exit(f"{name}: exit status {simulator.returncode}\n{text}")
    return result


def distribution(values):
    """least, median, nine of ten, ninety-nine of a hundred, most"""
    values = sorted(values)
    return [values[0], round(statistics.median(values)), values[len(values) * 9 // 10],
            values[len(values) * 99 // 100], values[-1]]


def times(measured, kind, name):
    """What one kind took by one driver."""
    _, _, cause, (before, behind) = next(row for row in ROWS if row[0] == kind)
    # A switch goes both ways.
    ways = {(before, behind), (behind, before)}
    return [cycles for way in ways for cycles in measured[name][(cause, *way)][WARM[kind]:]]


def table(measured):
    rows = []
    for kind, text, *_ in ROWS:
        for name in DRIVERS:
            values = times(measured, kind, name)
            if values:
                rows.append([text, DRIVERS[name][0], f"{len(values):,}", *(f"{n:,}" for n in distribution(values))])
    return marked.table(["cycles", "driver", "times", "least", "median", "90 %", "99 %", "most"], rows)


def unmeasured(measured):
    """Lines about rows without a value. Batches and event-based branches are ours alone."""
    return [f"{kind} ({name}): not measured" for name in measured for kind, *_ in ROWS
            if (name == "tally" or kind not in ("batch", "branch")) and not times(measured, kind, name)]


def missed(measured):
    """Lines about targets that are not reached."""
    lines = []
    for kind, name, factor, other_kind, other_name in TARGETS:
        ours, other = times(measured, kind, name), times(measured, other_kind, other_name)
        if ours and other and factor * statistics.median(ours) > statistics.median(other):
            lines.append(f"{kind} ({name}): median {statistics.median(ours):g} cycles; {factor} times as many must not "
                         f"exceed {other_kind} ({other_name}), {statistics.median(other):g}")
    return lines


def main(argv):
    parser = argparse.ArgumentParser(description="What perf's events cost under Linux.")
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build")
    parser.add_argument("--update", action="store_true", help="write the table into docs/linux.md")
    parser.add_argument("names", nargs="*", choices=[[], *DRIVERS], metavar="NAME", help=", ".join(DRIVERS))
    args = parser.parse_args(argv)
    if args.update and args.names:
        parser.error("--update: the table has all drivers; leave the names out")
    if "opensbi" in (args.names or DRIVERS) and not OPENSBI.exists():
        parser.error(f"{OPENSBI} is missing (Debian's package qemu-system-data); name the other drivers to go without")
    measured = collections.defaultdict(lambda: collections.defaultdict(list))
    for name in args.names or DRIVERS:
        measured[name] = run(args.build.resolve(), name)
    lines = table(measured)
    print("\n".join(lines))
    wrong = unmeasured(measured)
    if args.update and not wrong:
        marked.write(ROOT / "docs/linux.md", "costs", lines)
    wrong += missed(measured)
    print("\n".join(wrong), end="\n" if wrong else "", file=sys.stderr)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
