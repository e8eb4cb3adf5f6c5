#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checkpoints of runs on the RTL (tally-sim --checkpoint).

usage: test_capture.py BUILD [SEED] [CUTS] [short | NAME...]

A program runs on the RTL with checkpoints after random numbers of instructions. Registers, most CSRs and memory in each
must be those that the golden machine has after as many instructions. From each on the rest is executed on the golden
machine and on the RTL, and must be equal as in test_restore.py. Programs with two harts must run to the same end, on
the RTL without a difference in lockstep.
"""
import pathlib
import random
import sys
import tempfile
import zlib

from test_restore import LONG, PROGRAMS, READ_TIME, TIMED, Machine, fail, instructions, rests_are_equal

# Not compared: state that depends on time, or is the model's own
ELSEWHERE = ("mip_line", "tlb.", "reserved_line")


def state(path):
    """({name of a field of hart 0, or a page: its bytes}, instructions)"""
    stream, at, part, page, retired = zlib.decompress(path.read_bytes()[24:]), 0, {}, 0, 0
    while at < len(stream):
        name, at = stream[at + 1:at + 1 + stream[at]].decode(), at + 1 + stream[at]
        size, count = stream[at], int.from_bytes(stream[at + 1:at + 9], "little")
        value = stream[at + 9:at + 9 + size * count]
        at += 9 + size * count
        if name == "memory.page":
            page = int.from_bytes(value, "little")
        elif name == "memory.bytes":
            part[f"page {page}"] = value
        elif name == "machine.retired":
            retired = int.from_bytes(value, "little")
        elif name.startswith("hart0.") and not any(word in name for word in ELSEWHERE):
            part[name] = value
    return part, retired


def compare_states(machine, name, at):
    found = {n: state(machine.file(f"cut{n}")) for n in at}
    wanted = [word for n in at for word in ("--checkpoint", machine.file(f"golden{n}"), "--at", found[n][1])]
    machine.run("tally-iss", PROGRAMS[name], *wanted)
    for n in at:
        golden, count = state(machine.file(f"golden{n}"))
        if not n <= count == found[n][1] <= n + 1000:
            fail(f"{name}, {n}: instructions", count, found[n][1])
        differ = sorted(key for key in golden.keys() | found[n][0].keys() if golden.get(key) != found[n][0].get(key))
        if differ:
            fail(f"{name}, after {count} instructions: state", *differ)
    return [found[n][1] - n for n in at]


def capture(machine, name, dice, cuts, before=None):
    """The cuts are drawn before this instruction, else before the end."""
    whole = machine.run("tally-iss", PROGRAMS[name])
    end = instructions(whole[2])
    at = sorted(dice.sample(range(1, before or end), cuts))
    wanted = [word for n in at for word in ("--checkpoint", machine.file(f"cut{n}"), "--at", n)]
    undisturbed = machine.run("tally-sim", PROGRAMS[name])
    rtl = machine.run("tally-sim", PROGRAMS[name], *wanted)
    missed = [n for n in at if not machine.file(f"cut{n}").exists()]
    if missed and "the run ended before" in rtl[2] and end - missed[0] < 1000:
        at = [n for n in at if n not in missed]
        if not at and before:
            fail(f"{name}: the run ended before each cut", *missed)
        if not at:
            capture(machine, name, dice, cuts, max(end - 1000, end // 2))
            return
    elif rtl[:2] != undisturbed[:2] or rtl[2].split(" (")[0] != undisturbed[2].split(" (")[0]:
        fail(f"{name}: with checkpoints", undisturbed, rtl)
    late = [] if name in READ_TIME else compare_states(machine, name, at)
    print(f"{name}: cuts at {at}, late by {late}", flush=True)
    rests_are_equal(machine, name, whole, at)


def two_harts(machine, name, dice, cuts):
    arguments = TIMED[name]
    status, console, errors = machine.run("tally-sim", arguments, "--lockstep")
    at = sorted(dice.sample(range(1, instructions(errors) * 9 // 10), cuts))
    wanted = [word for n in at for word in ("--checkpoint", machine.file(f"cut{n}"), "--at", n)]
    late = []
    for n, tool, options in ((None, "tally-sim", wanted),
                             *((n, tool, ["--restore", machine.file(f"cut{n}")]) for n in at
                               for tool in ("tally-iss", "tally-sim"))):
        run = machine.run(tool, arguments, *options, *(["--lockstep"] if tool == "tally-sim" else []))
        printed = console.endswith(run[1]) if n else console == run[1]
        if run[0] != status or not printed or (tool == "tally-sim" and "no difference" not in run[2]):
            fail(f"{name}, {tool}, " + (f"from instruction {n} on" if n else "with checkpoints"), run)
    for n in at:
        late.append(state(machine.file(f"cut{n}"))[1] - n)
    print(f"{name}: cuts at {at}, late by {late}", flush=True)
    if max(late) > 20_000:
        fail(f"{name}: late", late)


def main():
    build = pathlib.Path(sys.argv[1])
    seed = int(sys.argv[2]) if len(sys.argv) > 2 else 1
    cuts = int(sys.argv[3]) if len(sys.argv) > 3 else 1
    pairs = [name for name, words in TIMED.items() if "-smp 2" in words]
    names = sys.argv[4:] or [*PROGRAMS, *pairs]
    if names == ["short"]:
        names = [name for name in [*PROGRAMS, *pairs] if name not in LONG]
    print(f"seed {seed}")
    with tempfile.TemporaryDirectory() as folder:
        machine = Machine(build, pathlib.Path(folder))
        for name in names:
            (two_harts if name in pairs else capture)(machine, name, random.Random(f"{seed} capture {name}"), cuts)


if __name__ == "__main__":
    main()
