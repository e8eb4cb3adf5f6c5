#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Operations under way at a checkpoint (across.S), and files of a program, on the golden machine and the RTL.

usage: test_across.py BUILD
"""
import pathlib
import subprocess
import sys
import tempfile

from open_files import AT, REST, STATUS, OpenFiles

HERE = pathlib.Path(__file__).resolve().parent
CUTS = ("waiting", "reserved", "pending", "claimed", "half", "served", "completed")
TOOLS = {"tally-iss": [], "tally-sim": ["--lockstep"]}


class Machine:
    def __init__(self, build, folder):
        self.build, self.folder = build, folder

    def run(self, tool, *options, text=b""):
        command = [str(word) for word in (self.build / tool, *options, *TOOLS[tool])]
        # All input is there when the machine begins: it has both bytes in its first milliseconds.
        with tempfile.TemporaryFile() as given:
            given.write(text)
            given.seek(0)
            done = subprocess.run(command, stdin=given, capture_output=True, check=False, timeout=300)
        return done.returncode, done.stdout.decode(), done.stderr.decode()

    def expect(self, what, status, tool, *options, text=b""):
        found = self.run(tool, *options, text=text)
        if found[0] != status:
            sys.exit(f"{what}: exit status {found[0]}, not {status}: {found[1]}{found[2]}")
        return found[1]


def across(machine):
    """From each cut to the end, on both; input that has come is in the file, and no other comes."""
    made, elf = machine.folder / "across.o", machine.folder / "across.elf"
    subprocess.run([machine.build / "tally-cc", "-c", HERE / "across.S", "-o", made], check=True)
    subprocess.run(["riscv64-unknown-elf-ld", "-n", "-Ttext=0x80000000", made, "-o", elf], check=True)
    start = ["-bios", elf, "-m", "1M", "--max-cycles", 1000000]
    for writer in TOOLS:
        wanted = [word for cut in CUTS
                  for word in ("--checkpoint", machine.folder / f"{writer}.{cut}", "--at", f"cut_{cut}")]
        machine.expect(f"{writer}", 0, writer, *start, *wanted, text=b"ab")
        for cut in CUTS:
            for reader in TOOLS:
                machine.expect(f"{writer}, {cut}, {reader}", 0, reader, *start, "--restore",
                               machine.folder / f"{writer}.{cut}")
        # the other way round: without the work in progress it fails
        if machine.run(writer, *start)[0] != 1:
            sys.exit(f"{writer}: it passes without input")
    print(f"{len(CUTS)} cuts, two machines that write, two that go on: passed")


def files(machine):
    """Files that a program has open are open again."""
    program = OpenFiles(machine.build, machine.folder)
    start = [*program.start, "-m", "16M"]
    for writer in TOOLS:
        cut = machine.folder / f"{writer}.files"
        machine.expect(writer, STATUS, writer, *start, "--checkpoint", cut, "--at", AT)
        for reader in TOOLS:
            program.rewind()
            said = machine.expect(f"{writer}, files, {reader}", STATUS, reader, *start, "--restore", cut)
            if said != REST or not program.is_copied():
                sys.exit(f"{writer}, {reader}: {said!r}, {program.output.read_text(encoding='utf-8')!r}")
    print("a program with open files: passed")


def main():
    with tempfile.TemporaryDirectory() as folder:
        machine = Machine(pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(folder))
        across(machine)
        files(machine)


if __name__ == "__main__":
    main()
