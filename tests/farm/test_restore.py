#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A checkpoint of the golden machine goes on on the RTL, in lockstep.

usage: test_restore.py BUILD [SEED] [CUTS] [short | NAME...]

A program runs whole on the golden machine, and is cut after random numbers of instructions. From each cut on the
RTL's trace (every instruction, value and address, but not its cycle), the console and the exit status must be those of
the golden machine, and the numbers of instructions equal; caches and predictor begin empty or filled. Programs that
look at time, or have two harts, must run to the same end without a difference in lockstep.
"""
import pathlib
import random
import re
import subprocess
import sys
import tempfile

USER = "-bios firmware.elf --delegate 0x78 --ebb -kernel "
PROGRAMS = {  # arguments
    "atomics": "-bios hart_atomics.elf",
    "fence.i": "-bios hart_fencei.elf",
    "overflows": "-bios hart_overflow.elf",
    "Sspesa": "-bios hart_sspesa.elf",
    "PMP": "-bios hart_pmp.elf",
    "Smepmp": "-bios hart_smepmp.elf",
    "locked rules": "-bios hart_smepmp_locked.elf",
    "traps": "-bios hart_traps.elf",
    "all of RAM": "-m 256M -bios hart_far.elf",
    "branches": "-bios hart_ebb_delivery.elf",
    "branches of a program": USER + "ebb_library.elf",
    "sampled counter": USER + "sampling_counter.elf",
    "CSRs": "-bios hart_csr.elf",
    "Sv39": "-bios hart_sv39.elf",
    "unit": "-bios hart_pmu_access.elf",
    "modes": "-bios hart_pmu_modes.elf",
}
# They read it, with no effect on their path: pcs and instructions are compared
READ_TIME = ("branches", "branches of a program", "sampled counter", "CSRs", "unit", "modes")
LONG = ("branches of a program", "CSRs", "Sv39", "unit", "modes", "tasks")
TIMED = {
    "interrupts": "-bios hart_interrupts.elf",
    "waits": "-bios hart_wfi.elf",
    "tasks": USER + "sampling_switch.elf",
    "two harts": "-smp 2 -bios hart_contention.elf",
    "a hart is started": "-smp 2 --delegate 0x78 -bios firmware.elf -kernel firmware_tree_delegated_harts.elf",
}
BOTH = ("fence.i", "PMP", "Sv39", "two harts")  # with empty and with filled caches; the others by chance
LIMIT = 2_000_000  # cycles of a program that need not end


class Machine:
    def __init__(self, build, folder):
        self.build, self.folder, self.warm = build, folder, False

    def run(self, tool, arguments, *more):
        """Exit status, console, errors"""
        words = [str(self.build / "sw" / word) if word.endswith(".elf") else word for word in arguments.split()]
        command = [str(self.build / tool), *words, *[str(word) for word in more]]
        done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, check=False)
        return done.returncode, done.stdout, done.stderr.decode()

    def file(self, name):
        return self.folder / name


def fail(what, *seen):
    sys.exit(f"{what}: {' / '.join(map(str, seen))}")


def instructions(errors):
    return int(re.search(r"(\d+) instructions", errors).group(1))


# A UART that cannot take a byte (bit 5 of LSR is 0), as the RTL's for some cycles, is asked again: three instructions.
BUSY = re.compile(rb" x\d+=[0-9a-f]+[0145cd89][0-9a-f] load8 \[0000000010000005 ")
POLL = 3


def lines(path):
    """Of a trace, without cycles and answers of a busy UART; of an AMO the golden machine has what it stores, the RTL
    its operand; of an instruction that cannot be fetched the RTL has any. And how many were left out."""
    unlike = re.compile(rb"( amo.*\]=).*|: \w+ +(trap: cause (?:1|12) )")
    found, left_out = [], 0
    with open(path, "rb") as trace:
        next(trace)  # the heading
        for line in trace:
            if BUSY.search(line):
                left_out += POLL
                for _ in range(POLL - 1):
                    next(trace, None)
            else:
                found.append(unlike.sub(rb"\1\2", line.split(None, 1)[1]))
    return found, left_out


def compare(what, whole, rest):
    for one, other in zip(whole, rest):
        if one != other:
            fail(what, one, other)
    if len(whole) != len(rest):
        fail(f"{what}: lines of the trace", len(whole), len(rest))


def cuts_of(machine, arguments, dice, cuts, *more):
    """The whole run on the golden machine, and again, with checkpoints at random places"""
    whole = machine.run("tally-iss", arguments, *more)
    if "MIPS" not in whole[2]:
        fail(arguments, whole)
    at = sorted(dice.sample(range(1, instructions(whole[2])), cuts))
    written = [word for n in at for word in ("--checkpoint", machine.file(f"cut{n}"), "--at", n)]
    machine.run("tally-iss", arguments, *written, *(["--warm"] if machine.warm else []), *more)
    return whole, at


def exact(machine, name, dice, cuts):
    rests_are_equal(machine, name, *cuts_of(machine, PROGRAMS[name], dice, cuts))


def rests_are_equal(machine, name, whole, at):
    """From each checkpoint on: on the golden machine, and on the RTL in lockstep"""
    arguments, traced = PROGRAMS[name], ["--trace", machine.file("trace")]
    status, console, errors = whole
    for n in at:
        what, cut = f"{name}, from instruction {n} on", ["--restore", machine.file(f"cut{n}"), *traced]
        rest = machine.run("tally-iss", arguments, *cut)
        golden, _ = lines(machine.file("trace"))
        rtl = machine.run("tally-sim", arguments, *cut, "--lockstep")
        if rest[:2] != rtl[:2] or rtl[0] != status or not console.endswith(rtl[1]):
            fail(what, rest, rtl)
        if "lockstep: no difference" not in rtl[2]:
            fail(what, rtl[2])
        rtl_lines, polls = lines(machine.file("trace"))
        if not instructions(errors) == instructions(rest[2]) == instructions(rtl[2]) - polls:
            fail(f"{what}: instructions", errors, rest[2], rtl[2])
        if name in READ_TIME:
            golden, rtl_lines = ([line.split()[:4] for line in side] for side in (golden, rtl_lines))
        compare(what, golden, rtl_lines)
    print(f"{name}: {instructions(errors)} instructions, from {', '.join(map(str, at))} on: equal", flush=True)


def timed(machine, name, dice, cuts):
    arguments = TIMED[name]
    (status, console, errors), at = cuts_of(machine, arguments, dice, cuts, "--max-instructions", LIMIT)
    for n in at:
        what = f"{name}, from instruction {n} on"
        rtl = machine.run("tally-sim", arguments, "--restore", machine.file(f"cut{n}"), "--lockstep", "--max-cycles",
                          LIMIT)
        if rtl[0] not in (status, 4) or "lockstep: no difference" not in rtl[2]:
            fail(what, rtl)
        if rtl[0] == status and not console.endswith(rtl[1]):
            fail(f"{what}: console", console, rtl[1])
    print(f"{name}: {instructions(errors)} instructions, from {', '.join(map(str, at))} on: no difference", flush=True)


def main():
    build = pathlib.Path(sys.argv[1])
    seed = int(sys.argv[2]) if len(sys.argv) > 2 else 1
    cuts = int(sys.argv[3]) if len(sys.argv) > 3 else 1
    names = sys.argv[4:] or [*PROGRAMS, *TIMED]
    if names == ["short"]:
        names = [name for name in [*PROGRAMS, *TIMED] if name not in LONG]
    print(f"seed {seed}")
    with tempfile.TemporaryDirectory() as folder:
        machine = Machine(build, pathlib.Path(folder))
        for name in names:
            chance = random.Random(f"{seed} {name} warm").random() < 0.5
            for machine.warm in (False, True) if name in BOTH else [chance]:
                (exact if name in PROGRAMS else timed)(machine, name, random.Random(f"{seed} {name}"), cuts)


if __name__ == "__main__":
    main()
