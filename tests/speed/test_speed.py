#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Has the machine, or its simulation, become slower?

    test_speed.py BUILD [--update] [cycles] [host]

  cycles  simulated cycles of each workload, from reset to its end
  host    instructions of the host for a simulated cycle, alone and in lockstep (in line), counted by Valgrind between
          two points of a run that begins at a checkpoint of the golden machine

Exit status 1 if a figure is more than 5 % above that of speed.yaml. --update writes today's figures there instead.
They are of a build with default options. The host's depend on the compiler of the models: with another than the
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
CHECKPOINT = 150_000      # instructions: inside of each workload
FROM, TO = 4_000, 16_000  # cycles; state is put in before, and caches have content
LIMIT = 4                 # exit status of tally-sim at --max-cycles

HEAD = """# SPDX-License-Identifier: Apache-2.0
# Figures of the machine as it is, written by tests/speed/test_speed.py --update; a change that makes one of them
# 5 % worse fails. cycles: of a workload, from reset to its end; host: instructions of the host for a cycle, models
# compiled as said.
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
                counts = []
                for limit in (FROM, TO):
                    status, said = run(["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null",
                                        build / "tally-sim", *images(build, name), "--restore", state,
                                        "--max-cycles", limit, *options])
                    check(status == LIMIT, f"{name}, {mode}, reaches cycle {limit}", f"{status}\n{said[-2000:]}")
                    counts.append((number(r"Collected : (\d+)", said, "valgrind"),
                                   number(r"tally-sim: (\d+) cycles", said, "tally-sim")))
                (begin, first), (end, last) = counts
                figures[name][mode] = round((end - begin) / (last - first))
    return figures


def compiler(build):
    said = run([setting(build, "TALLY_MODEL_CXX"), "--version"])[1].splitlines()[0]
    found = re.search(r"clang version \d+", said)
    return found[0] if found else said


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
    parser = argparse.ArgumentParser(description="Cycles of the workloads, and host instructions for a cycle.")
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("what", nargs="*", help="cycles, host; default: both")
    parser.add_argument("--update", action="store_true", help=f"write the figures into {RECORD.name}")
    args = parser.parse_args()
    measures = {"cycles": cycles, "host": host}
    for what in args.what:
        if what not in measures:
            parser.error(f"no figures of {what}; there are: {', '.join(measures)}")
    build = args.build.resolve()
    record = yaml.safe_load(RECORD.read_text(encoding="utf-8")) if RECORD.exists() else {}
    better = False
    for what in args.what or measures:
        if what == "host" and not args.update and record.get("compiler") != compiler(build):
            print(f"skipped: figures are of {record.get('compiler')}, models of this build of {compiler(build)}")
            return SKIPPED
        now = measures[what](build)
        if args.update:
            record[what] = now
            record["compiler"] = compiler(build)
        else:
            print(f"{what}, and against {RECORD.name}:")
            better |= compare(what, now, record.get(what, {}))
    if args.update:
        RECORD.write_text(HEAD + yaml.safe_dump(record, sort_keys=True), encoding="utf-8")
    elif better:
        print(f"Some are 5 % better: {pathlib.Path(__file__).name} --update keeps it so.")
    return verdict()


if __name__ == "__main__":
    sys.exit(main())
