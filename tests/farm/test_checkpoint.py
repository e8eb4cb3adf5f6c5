#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checkpoints of tally-iss: a run that goes on from one is the rest of the whole run.

usage: test_checkpoint.py BUILD [SEED] [CUTS] [short | NAME...]

A program runs whole, and is cut after random numbers of instructions. From each cut on the trace (every instruction,
value and address), the console and the checkpoint at the end (memory, registers, CSRs, the unit's state, devices) must
be those of the whole run, byte by byte; and a run that is stopped at the cut must end in the same checkpoint. Those of
RV64 have what caches and predictor would hold, which makes time in some runs.
"""
import pathlib
import random
import struct
import subprocess
import sys
import tempfile
import zlib

ARGUMENTS = {
    "sort": "-bios firmware.elf -kernel workload_sort.elf",
    "suite": "-m 64M -dtb {trees}/snapshot.dtb -bios firmware.elf -kernel firmware_suite.elf",
    "suite32": "-dtb {trees}/snapshot.dtb -bios firmware32.elf -kernel firmware_suite32.elf",
    "two harts": "-smp 2 -bios hart_contention.elf",
    "start a hart": "-smp 2 --delegate 0x78 -bios firmware.elf -kernel firmware_tree_delegated_harts.elf",
    "sampling": "-bios firmware.elf --delegate 0x78 -kernel sampling_batches.elf",
    "tasks that sample": "-bios firmware.elf --delegate 0x78 -kernel sampling_switch.elf",
    "branches": "-bios firmware.elf --delegate 0x78 --ebb -kernel ebb_library.elf",
    "tasks with branches": "-bios firmware.elf --delegate 0x78 --ebb -kernel ebb_tasks.elf",
    "interrupts": "-bios hart_interrupts.elf",
    "waits": "-bios hart_wfi.elf",
}
RV32 = ("suite32",)
LONG = ("suite", "suite32")
LIMIT = 20_000_000
TRACED = 1_000_000  # instructions: traces of longer programs are left out, their consoles and states are not


class Machine:
    def __init__(self, build, folder):
        self.build = build
        self.folder = folder

    def run(self, arguments, *more, status=None):
        """Exit status, console, errors, and the instructions that the summary has"""
        programs = self.build / "sw"
        words = [str(programs / word) if word.endswith(".elf") else word
                 for word in arguments.format(trees=self.build / "tests/firmware/trees").split()]
        command = [str(self.build / "tally-iss"), *words, *[str(word) for word in more]]
        if "--max-instructions" not in more:
            command += ["--max-instructions", str(LIMIT)]
        done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, check=False)
        errors = done.stderr.decode()
        if "MIPS" not in errors or (status is not None and done.returncode != status):
            sys.exit(f"{' '.join(command)}: exit status {done.returncode}: {errors}")
        return done.returncode, done.stdout, int(errors.split("tally-iss: ")[-1].split()[0])

    def file(self, name):
        return self.folder / name


def records(path):
    """Fields of a checkpoint (docs/farm.md): name, bytes of a number, numbers"""
    stream = zlib.decompress(path.read_bytes()[24:])
    at = 0
    while at < len(stream):
        name = stream[at + 1:at + 1 + stream[at]].decode()
        at += 1 + stream[at]
        size, count = struct.unpack_from("<BQ", stream, at)
        at += 9 + size * count
        yield name, size, stream[at - size * count:at]


def same_state(what, one, other):
    if one.read_bytes() == other.read_bytes():
        return
    for a, b in zip(records(one), records(other)):
        if a != b:
            sys.exit(f"{what}: {a[0]} is {a[2][:64].hex()}, and {b[0]} {b[2][:64].hex()}")
    sys.exit(f"{what}: the files differ")


def cycles(path):
    return next(int.from_bytes(number, "little") for name, _, number in records(path) if name == "machine.cycles")


def lines(path):
    with open(path, "rb") as trace:
        next(trace)  # the heading
        return trace.readlines()


def differs(what, one, other):
    sys.exit(f"{what}: the rest of the whole run and the run from the checkpoint differ:\n{one}\n{other}")


def compare_traces(what, whole, rest):
    if whole == rest:
        return
    for one, other in zip(whole, rest):
        if one != other:
            differs(what, one.decode(), other.decode())
    differs(what, f"{len(whole)} lines", f"{len(rest)} lines")


def test(machine, name, dice, cuts):
    arguments = ARGUMENTS[name]
    end, other = machine.file("end"), machine.file("other")
    warm, timed = [] if name in RV32 else ["--warm"], name not in RV32 and dice.random() < 0.5
    arguments += timed * " --timed"
    status, console, count = machine.run(arguments, "--checkpoint", end, *warm)
    at = sorted(dice.sample(range(1, count), cuts))
    traced = ["--trace", machine.file("trace")] if count < TRACED else []
    written = [word for k, n in enumerate(at) for word in ("--checkpoint", machine.file(f"cut{k}"), "--at", n)]
    if machine.run(arguments, *written, "--checkpoint", other, *warm, *traced) != (status, console, count):
        sys.exit(f"{name}: a run that writes checkpoints is not the run that does not")
    same_state(f"{name}, checkpoints written", end, other)
    whole = lines(machine.file("trace")) if traced else []
    for k, n in enumerate(at):
        what = f"{name}, cut after {n} of {count} instructions"
        cut = machine.file(f"cut{k}")
        last = machine.run(arguments, "--restore", cut, "--checkpoint", other, *traced, status=status)
        same_state(what, end, other)
        cycle = cycles(cut)
        if traced:
            rest = [line for line in whole if int(line.split()[0]) >= cycle]
            compare_traces(what, rest, lines(machine.file("trace")))
        first = machine.run(arguments, "--max-instructions", cycle, "--checkpoint", other, *warm, status=4)
        same_state(f"{what}, and ended there", cut, other)
        if first[1] + last[1] != console or last[2] != count:
            differs(what, console, first[1] + last[1])
    places = ", ".join(map(str, at))
    print(f"{name}{timed * ', timed'}: {count} instructions, cut after {places}: no difference; "
          f"{cut.stat().st_size} bytes", flush=True)


def main():
    build = pathlib.Path(sys.argv[1])
    seed = int(sys.argv[2]) if len(sys.argv) > 2 else 1
    cuts = int(sys.argv[3]) if len(sys.argv) > 3 else 2
    names = sys.argv[4:] or list(ARGUMENTS)
    if names == ["short"]:
        names = [name for name in ARGUMENTS if name not in LONG]
    print(f"seed {seed}")
    with tempfile.TemporaryDirectory() as folder:
        machine = Machine(build, pathlib.Path(folder))
        for name in names:
            test(machine, name, random.Random(f"{seed} {name}"), cuts)


if __name__ == "__main__":
    main()
