#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Operations under way at a checkpoint (across.S), and files of a program, on the golden machine and the RTL.

usage: test_across.py BUILD
"""
import pathlib
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
CUTS = ("waiting", "reserved", "pending", "claimed", "half", "served", "completed")
TOOLS = {"tally-iss": [], "tally-sim": ["--lockstep"]}

PROGRAM = r"""
#include <stdio.h>
#include <string.h>
int main(void) {
    char line[64];
    FILE *in = fopen("in", "r"), *out = fopen("out", "w");
    if (!in || !out || !fgets(line, sizeof line, in)) return 1;
    fputs(line, out);
    fflush(out);
    puts("here");
    fflush(stdout);
    while (fgets(line, sizeof line, in)) fputs(line, out);
    fclose(out);
    puts("there");
    return strcmp(line, "last\n") == 0 ? 7 : 2;
}
"""
TEXT = "first\nsecond\nlast\n"


class Machine:
    def __init__(self, build, folder):
        self.build, self.folder = build, folder

    def run(self, tool, *options, text=b""):
        command = [str(word) for word in (self.build / tool, *options, *TOOLS[tool])]
        done = subprocess.run(command, input=text, capture_output=True, check=False, timeout=300)
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
        # the other way round: without what was under way it does not pass
        if machine.run(writer, *start)[0] != 1:
            sys.exit(f"{writer}: it passes without input")
    print(f"{len(CUTS)} cuts, two machines that write, two that go on: passed")


def files(machine):
    """Files that a program has open are open again."""
    (machine.folder / "host.c").write_text(PROGRAM, encoding="utf-8")
    folder = machine.folder / "files"
    folder.mkdir()
    subprocess.run([machine.build / "tally-cc", "-O2", machine.folder / "host.c", "-o", machine.folder / "host.elf"],
                   check=True)
    start = ["-bios", machine.build / "sw/firmware.elf", "-kernel", machine.build / "sw/program.elf", "-m", "16M",
             "--program", machine.folder / "host.elf", "--set", "program_mode=0", "--files", folder, "--quiet"]
    for writer in TOOLS:
        (folder / "in").write_text(TEXT, encoding="utf-8")
        cut = machine.folder / f"{writer}.files"
        machine.expect(writer, 7, writer, *start, "--checkpoint", cut, "--at", "text:here\n")
        for reader in TOOLS:
            (folder / "out").write_text("first\n", encoding="utf-8")  # as it was
            said = machine.expect(f"{writer}, files, {reader}", 7, reader, *start, "--restore", cut)
            if said != "there\n" or (folder / "out").read_text(encoding="utf-8") != TEXT:
                sys.exit(f"{writer}, {reader}: {said!r}, {(folder / 'out').read_text(encoding='utf-8')!r}")
    print("a program with open files: passed")


def main():
    with tempfile.TemporaryDirectory() as folder:
        machine = Machine(pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(folder))
        across(machine)
        files(machine)


if __name__ == "__main__":
    main()
