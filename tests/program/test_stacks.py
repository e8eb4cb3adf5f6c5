#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Cycles by call stack, of a program of which all stacks are known; their sum is the run.

    test_stacks.py BUILD
"""

import pathlib
import re
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
from verdict import check, verdict  # noqa: E402

DEEP = ";".join(["deep"] * 6)
STACKS = {DEEP + ";work": 100, "around;leave;work": 200, "behind;work": 400, "by_pointer;work": 800}


def main(argv):
    build = pathlib.Path(argv[0]).resolve()
    with tempfile.TemporaryDirectory(prefix="tally-stacks-") as name:
        elf, out = pathlib.Path(name) / "stacks.elf", pathlib.Path(name) / "stacks"
        subprocess.run([build / "tally-cc", "-O1", "-g", HERE / "stacks.c", "-o", elf], check=True)
        done = subprocess.run([build / "tally-sim", "-bios", build / "sw/firmware.elf", "-kernel",
                               build / "sw/program.elf", "--program", elf, "--set", "program_mode=0", "--stacks", out],
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                              check=False)
        check(done.returncode == 0, done.stderr)
        lines = [line.rsplit(" ", 1) for line in out.read_text(encoding="utf-8").splitlines()]
    cycles = {stack: int(count) for stack, count in lines}
    check(len(cycles) == len(lines) and list(cycles) == sorted(cycles), "each stack once, in order")
    total = int(re.search(r"tally-sim: (\d+) cycles", done.stderr)[1])
    check(0 <= total - sum(cycles.values()) < 100, f"{sum(cycles.values())} of {total} cycles")
    seen = {stack.split(";main;")[-1]: count for stack, count in cycles.items() if stack.endswith(";work")}
    check(set(seen) == set(STACKS), f"the stacks of work(): {sorted(seen)}")
    per_round = {stack: seen.get(stack, 0) / rounds for stack, rounds in STACKS.items()}
    check(max(per_round.values()) < 1.6 * min(per_round.values()), f"cycles a round: {per_round}")
    check(any("printf" in stack and "[trap]" in stack for stack in cycles), "the supervisor's part of a call")
    check(all(stack.count("[trap]") <= 2 for stack in cycles), "trap returns end what traps began")
    depth = max(stack.count(";") for stack in cycles)
    check(depth < 40, f"stacks do not grow: {depth}")
    return verdict()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
