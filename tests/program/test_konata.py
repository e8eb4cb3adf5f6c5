#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The pipeline log of tally-sim beside its trace: the same instructions in the same cycles, stages in their order.

    test_konata.py BUILD
"""

import pathlib
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
from verdict import check, verdict  # noqa: E402

STAGES = ["ID", "IS", "EX", "CM"]
CYCLES = 60000


def read(path, harts):
    """(hart, pc, cycle) of retired instructions, in order; the number of flushed ones."""
    lines = path.read_text(encoding="utf-8").splitlines()
    check(lines[0] == "Kanata\t0004", "its first line")
    cycle, live, retired, flushed, order = 0, {}, [], 0, [-1] * harts
    for line in lines[1:]:
        kind, *rest = line.split("\t")
        if kind == "C=":
            cycle = int(rest[0])
        elif kind == "C":
            check(int(rest[0]) > 0, line)
            cycle += int(rest[0])
        elif kind == "I":
            check(rest[0] not in live, f"a new number: {line}")
            live[rest[0]] = {"hart": int(rest[2]), "stages": [], "pc": None}
        elif kind == "L" and rest[1] == "0":
            live[rest[0]]["pc"] = int(rest[2].split(":")[0], 16)
        elif kind == "S":
            live[rest[0]]["stages"].append(rest[2])
        elif kind == "R":
            entry = live.pop(rest[0])
            stages = entry["stages"]
            check(stages == [name for name in STAGES if name in stages], f"stages of {rest[0]}: {stages}")
            if rest[2] == "0":
                check(stages[:2] == STAGES[:2] and stages[-1] in ("EX", "CM"), f"{rest[0]} retired from {stages}")
                check(int(rest[0]) > order[entry["hart"]], f"{rest[0]} retires in order")
                order[entry["hart"]] = int(rest[0])
                retired.append((entry["hart"], entry["pc"], cycle))
            else:
                flushed += 1
    check(len(live) <= 20 * harts, f"{len(live)} are in the pipeline at the end")
    return retired, flushed


def traced(path):
    found = []
    for line in path.read_text(encoding="utf-8").splitlines():
        match = re.match(r" *(\d+) (\d) . (\w+):(.*)", line)
        if match and " cause " not in match[4]:
            found.append((int(match[2]), int(match[3], 16), int(match[1])))
    return found


def main(argv):
    build = pathlib.Path(argv[0]).resolve()
    for harts in (1, 2):
        with tempfile.TemporaryDirectory(prefix="tally-konata-") as name:
            log, trace = pathlib.Path(name) / "log", pathlib.Path(name) / "trace"
            done = subprocess.run([build / "tally-sim", "-bios", build / "sw/firmware.elf", "-smp", str(harts),
                                   "--konata", log, "--trace", trace, "--max-cycles", str(CYCLES), "--quiet"],
                                  stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
            check(done.returncode == 4, f"status {done.returncode}: {done.stdout}")
            retired, flushed = read(log, harts)
            expected = traced(trace)
            check(len(expected) > 1000, f"{len(expected)} instructions")
            check(retired == expected, f"{len(retired)} retired, {len(expected)} in the trace; " +
                  str(next(((a, b) for a, b in zip(retired, expected) if a != b), "the same so far")))
            check(flushed > 100, f"{flushed} flushed")
    return verdict()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
