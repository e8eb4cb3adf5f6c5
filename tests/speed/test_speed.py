#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Has the machine, or its simulation, become slower?

    test_speed.py BUILD [--update] [cycles] [host] [iss]

  cycles  simulated cycles of each workload, from reset to its end
  host    instructions of the host for a simulated cycle, alone and in lockstep (in line), counted by Valgrind between
          two points of a run that begins at a checkpoint of the golden machine
  iss     instructions of the host for one of the golden machine, counted in the same way

Exit status 1 if a figure is more than 5 % above that of speed.yaml. --update writes today's figures there instead.
They are of a build with default options. Instructions of the host depend on the compiler: with another than the
recorded one, in its major version, they say nothing about a change, and the status is 77.
"""

import argparse
import pathlib
import re
import subprocess
import sys
import tempfile

import yaml

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent), str(HERE.parent.parent / "scripts")]
from cmake_cache import setting  # noqa: E402
from verdict import check, verdict  # noqa: E402

RECORD = HERE / "speed.yaml"
ABOVE = 1.05
SKIPPED = 77
HOST_WORKLOADS = ["sort", "chase", "scanner"]
MODES = {"alone": [], "lockstep": ["--lockstep", "--lockstep-threads", "0"]}
ISS_MODES = {"plain": [], "timed": ["--timed"]}
CHECKPOINT = 150_000      # instructions: inside of each workload
FROM, TO = 4_000, 16_000  # cycles; state is put in before, and caches have content
LIMIT = 4                 # exit status at --max-cycles, --max-instructions
ISS_FROM, ISS_TO = 50_000, 200_000  # instructions
COMPILERS = {"host": "TALLY_MODEL_CXX", "iss": "CMAKE_C_COMPILER"}  # settings

HEAD = """# SPDX-License-Identifier: Apache-2.0
# Figures of the machine as it is, written by tests/speed/test_speed.py --update; a change that makes one of them
# 5 % worse fails. cycles: of a workload, from reset to its end; host: instructions of the host for a cycle; iss: for
# an instruction of the golden machine; compiled as said.
"""


def run(command):
    done = subprocess.run([str(part) for part in command], stdin=subprocess.DEVNULL, capture_output=True, text=True,
                          check=False)
    return done.returncode, done.stdout + done.stderr


def images(build, name):
    return ["-bios", build / "sw" / "firmware.elf", "-kernel", build / "sw" / f"workload_{name}.elf"]


def number(pattern, text, what):
    found = re.search(pattern, text)
    if not found:
        sys.exit(f"test_speed.py: {what} said no {pattern}:\n{text[-2000:]}")
    return int(found[1])


def cycles(build):
    """{workload: cycles}"""
    names = (build / "sw" / "workloads.txt").read_text(encoding="utf-8").split()
    figures = {}
    for name in names:
        status, said = run([build / "tally-sim", *images(build, name), "--max-cycles", 200_000_000])
        check(status == 0, f"{name} ends with 0", f"{status}\n{said[-2000:]}")
        figures[name] = number(r"tally-sim: (\d+) cycles", said, name)
    return figures


def host(build):
    """{workload: {mode: host instructions for a cycle}}"""
    figures = {}
    with tempfile.TemporaryDirectory() as folder:
        state = pathlib.Path(folder) / "state.ckp"
        for name in HOST_WORKLOADS:
            status, said = run([build / "tally-iss", *images(build, name), "--checkpoint", state, "--at", CHECKPOINT])
            check(status == 0, f"checkpoint of {name}", f"{status}\n{said[-2000:]}")
            figures[name] = {}
            for mode, options in MODES.items():
                command = [build / "tally-sim", *images(build, name), "--restore", state, *options, "--max-cycles"]
                begin, first = counted(command, FROM, "cycles")
                end, last = counted(command, TO, "cycles")
                figures[name][mode] = round((end - begin) / (last - first))
    return figures


def iss(build):
    """{workload: {mode: host instructions for one of the golden machine}}"""
    figures = {}
    for name in HOST_WORKLOADS:
        figures[name] = {}
        for mode, options in ISS_MODES.items():
            command = [build / "tally-iss", *images(build, name), *options, "--max-instructions"]
            begin, first = counted(command, ISS_FROM, "instructions")
            end, last = counted(command, ISS_TO, "instructions")
            figures[name][mode] = round((end - begin) / (last - first))
    return figures


def counted(command, limit, unit):
    """Run it to that limit: host instructions, and how many of the unit it has done."""
    what = " ".join(pathlib.Path(part).name for part in command)
    status, said = run(["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", *command, limit])
    check(status == LIMIT, f"{what} {limit}: reaches it", f"{status}\n{said[-2000:]}")
    return number(r"Collected : (\d+)", said, what), number(rf"tally-\w+: (\d+) {unit}", said, what)


def compiler(build, what):
    """Its name and major version."""
    said = run([setting(build, COMPILERS[what]), "--version"])[1].splitlines()[0]
    versions = re.findall(r"(\d+)\.\d+\.\d+", said)
    return f"{'clang' if 'clang' in said else 'gcc'} {versions[-1]}" if versions else said


def flat(figures, above=""):
    """{"sort alone": figure} of nested figures"""
    lines = {}
    for name, figure in figures.items():
        lines.update(flat(figure, f"{above}{name} ") if isinstance(figure, dict) else {above + name: figure})
    return lines


def compare(what, now, record):
    """Each figure of today beside the recorded one; True if some are better by as much as would fail."""
    better = False
    for name, figure in flat(now).items():
        before = flat(record).get(name)
        check(before is not None, f"{RECORD.name} has {what} of {name}: --update")
        if before is None:
            continue
        print(f"{name:20} {figure:12,} {figure / before:7.3f}")
        check(figure <= before * ABOVE, f"{what} of {name}: at most {ABOVE - 1:.0%} above {before:,}", f"{figure:,}")
        better |= figure * ABOVE < before
    return better


def main():
    parser = argparse.ArgumentParser(description="Has the machine, or its simulation, become slower?")
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("what", nargs="*", help="cycles, host, iss; default: all")
    parser.add_argument("--update", action="store_true", help=f"write the figures into {RECORD.name}")
    args = parser.parse_args()
    measures = {"cycles": cycles, "host": host, "iss": iss}
    for what in args.what:
        if what not in measures:
            parser.error(f"no figures of {what}; there are: {', '.join(measures)}")
    build = args.build.resolve()
    record = yaml.safe_load(RECORD.read_text(encoding="utf-8")) if RECORD.exists() else {}
    better = skipped = False
    for what in args.what or measures:
        by = compiler(build, what) if what in COMPILERS else None
        recorded = record.get("compilers", {}).get(what)
        if by != recorded and not args.update:
            print(f"skipped: figures of {what} are those of {recorded}, this build is {by}'s")
            skipped = True
            continue
        now = measures[what](build)
        if args.update:
            record[what] = now
            if by:
                record.setdefault("compilers", {})[what] = by
        else:
            print(f"{what}, and against {RECORD.name}:")
            better |= compare(what, now, record.get(what, {}))
    if args.update:
        RECORD.write_text(HEAD + yaml.safe_dump(record, sort_keys=True), encoding="utf-8")
    elif better:
        print(f"Some are 5 % better: {pathlib.Path(__file__).name} --update keeps it so.")
    return verdict() or (SKIPPED if skipped else 0)


if __name__ == "__main__":
    sys.exit(main())
