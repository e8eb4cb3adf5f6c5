#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checkpoints that cannot be read, or not be written: one line, exit status 2, and nothing half-written.

usage: test_files.py BUILD [SEED]
"""
import os
import pathlib
import random
import resource
import signal
import struct
import subprocess
import sys
import tempfile
import zlib

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
from open_files import AT, STATUS, OpenFiles  # noqa: E402
from verdict import check, verdict  # noqa: E402


class Iss:
    def __init__(self, build, folder):
        self.build, self.folder = build, folder

    def run(self, *options, before=None, tool="tally-iss"):
        command = [str(word) for word in (self.build / tool, *options)]
        done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, cwd=self.folder, check=False,
                              timeout=60, preexec_fn=before)
        return done.returncode, done.stdout.decode(), done.stderr.decode()

    def refuses(self, what, pattern, *options, before=None, tool="tally-iss"):
        status, out, err = self.run(*options, "--max-cycles", 50000, "--quiet", before=before, tool=tool)
        check(status == 2 and not out and err.count("\n") == 1 and pattern in err, what, (status, out, err))


def small_files():
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096))


def reading(iss, good, dice):
    data = (iss.folder / good).read_bytes()
    bad = iss.folder / "bad"

    def refuse(what, pattern, content):
        bad.write_bytes(content)
        iss.refuses(what, pattern, "--restore", "bad")

    refuse("text", "not a checkpoint", b"hello\n" * 10)
    refuse("a shorter header", "not a checkpoint", data[:23])
    refuse("another version", "of version 1, this program reads version 2", data[:8] + b"\1" + data[9:])
    refuse("more at the end", "too long", data + b"\0")
    for size in (24, 25, len(data) - 1, dice.randrange(26, len(data))):
        refuse(f"{size} of its bytes", "truncated", data[:size])
    for _ in range(20):
        at, bit = dice.randrange(24, len(data)), dice.randrange(8)
        refuse(f"byte {at}, bit {bit} changed", "corrupted", data[:at] + bytes([data[at] ^ 1 << bit]) + data[at + 1:])
    for at in range(24):
        refuse(f"byte {at} of the header changed", "bad: ", data[:at] + bytes([data[at] ^ 1 << dice.randrange(8)]) +
               data[at + 1:])
    iss.refuses("no file", "No such file", "--restore", "missing")
    iss.refuses("a folder", "directory", "--restore", ".")
    for name, bits in ("pmu0.ebb.select", 64), ("pmu0.pdis.seen.track.itype", 16):
        bad.write_bytes(changed(data, name, bits))
        iss.refuses(f"{name} out of range", "does not hold", "--restore", "bad", "-m", "64M")


def other_machines(iss, good, program):
    iss.refuses("another size of RAM", "bytes of RAM (-m) is 67108864, of this machine 134217728", "--restore", good)
    iss.refuses("another number of harts", "harts (-smp) is 1, of this machine 2", "--restore", good,
                "-m", "64M", "-smp", 2)
    iss.refuses("no Smepmp", "Smepmp is 1, of this machine 0", "--restore", good, "-m", "64M", "--no-smepmp")
    iss.refuses("RV32", "xlen is 64, of this machine 32", "--restore", good, "-m", "64M", "-bios",
                iss.build / "sw/firmware32.elf")
    iss.refuses("a count that has passed", "the run begins after 20000 instructions", "--restore", good, "-m", "64M",
                "--checkpoint", "new", "--at", 19999)


def rtl(iss, good, program):
    """tally-sim refuses the files that tally-iss refuses, and states that the RTL cannot have"""
    if not (iss.build / "tally-sim").exists():
        return
    data = (iss.folder / good).read_bytes()
    bad = iss.folder / "bad"

    def refuses(what, pattern, *options):
        iss.refuses(f"RTL: {what}", pattern, *options, tool="tally-sim")

    bad.write_bytes(data[:-1])
    refuses("truncated", "truncated", "--restore", "bad")
    bad.write_bytes(data[:100] + bytes([data[100] ^ 1]) + data[101:])
    refuses("corrupted", "corrupted", "--restore", "bad")
    refuses("no file", "No such file", "--restore", "missing")
    refuses("another size of RAM", "bytes of RAM (-m) is 67108864, of this machine 134217728", "--restore", good)
    refuses("another number of harts", "harts (-smp) is 1, of this machine 2", "--restore", good, "-m", "64M", "-smp",
            2)
    refuses("a reset", "--reset-after", "--restore", good, "-m", "64M", "--reset-after", 100)
    iss.run("-bios", iss.build / "sw/firmware32.elf", "-m", "64M", "--checkpoint", "rv32", "--max-instructions", 1000)
    refuses("RV32", "xlen is 32, of this machine 64", "--restore", "rv32", "-m", "64M")
    iss.run("-bios", iss.build / "sw/firmware.elf", "-m", "64M", "--no-smepmp", "--checkpoint", "without",
            "--max-instructions", 1000)
    refuses("no Smepmp", "Smepmp is 0, of this machine 1", "--restore", "without", "-m", "64M")
    iss.run("-bios", iss.build / "sw/hart_fencei.elf", "-m", "64M", "--checkpoint", "ended")
    refuses("a program that has ended", "the program had ended", "--restore", "ended", "-m", "64M")
    bad.write_bytes(changed(data, "hart0.mtvec", 2))
    refuses("a value that no register has", "mtvec cannot be given to the RTL: number 0 is 0x", "--restore", "bad",
            "-m", "64M")
    small = "tb/tally-sim-small"
    if (iss.build / small).exists():
        run = ("-bios", iss.build / "sw/hart_fencei.elf", "-m", "64M", "--no-smepmp")
        iss.run(*run, "--warm", "--checkpoint", "warm", "--at", 2000)
        status, _, err = iss.run(*run, "--restore", "warm", "--lockstep", tool=small)
        check(status == 0 and "predictor and caches stay empty" in err and "lockstep: no difference" in err,
              "a machine of other sizes", (status, err))
    refuses("a checkpoint at the end", "--checkpoint new: it needs an --at", "-bios", program, "--checkpoint", "new")
    refuses("a checkpoint beside a debugger", "not with a debugger", "-bios", program, "--checkpoint", "new", "--at", 5,
            "--gdb", "5000")
    refuses("waves of the last cycles of two harts", "cannot be repeated", "-bios", program, "--checkpoint", "new",
            "--at", 5, "-smp", 2, "--wave", "waves", "--wave-last", 100)
    status, _, err = iss.run("-bios", program, "--checkpoint", "within", "--at", 1000, "--where", "where", "--warm-up",
                             500, "--window", 1000, tool="tally-sim")
    check(status == 0 and (iss.folder / "within").exists(), "a window of the run beside a checkpoint", err)
    refuses("a count that does not come", "the run ended before '99999999' came", "-bios", program, "--checkpoint",
            "new", "--at", 99999999)


def changed(data, name, bits):
    """The checkpoint with these bits of a number changed"""
    stream = bytearray(zlib.decompress(data[24:]))
    at = stream.index(bytes([len(name)]) + name.encode()) + 1 + len(name) + 9
    stream[at] ^= bits
    packed = zlib.compress(bytes(stream), 1)
    return data[:12] + struct.pack("<IQ", zlib.crc32(packed), len(packed)) + packed


def writing(iss, program):
    run = ["-bios", program, "-m", "64M"]
    (iss.folder / "old").write_text("old")
    before = sorted(os.listdir(iss.folder))
    iss.refuses("no folder", "No such file", *run, "--checkpoint", "missing/new", "--at", 1000)
    iss.refuses("a folder of that name", "not a regular file", *run, "--checkpoint", ".", "--at", 1000)
    iss.refuses("a device", "not a regular file", *run, "--checkpoint", "/dev/full", "--at", 1000)
    os.mkfifo(iss.folder / "fifo")
    iss.refuses("a FIFO to run", "not a regular file", "-kernel", "fifo")
    (iss.folder / "fifo").unlink()
    iss.refuses("no room", "File too large", *run, "--checkpoint", "old", "--at", 20000, before=small_files)
    check((iss.folder / "old").read_text() == "old", "a file that cannot be replaced stays")
    iss.refuses("a condition that does not come", "before 'pc:0x4' came", *run, "--checkpoint", "new", "--at", "pc:0x4")
    iss.refuses("a condition that is none", "is not a number, pc:ADDRESS", *run, "--checkpoint", "new", "--at",
                "nowhere")
    iss.refuses("a condition of nothing", "a --checkpoint of its own", *run, "--at", "100")
    iss.refuses("two conditions", "a --checkpoint of its own", *run, "--checkpoint", "new", "--at", "1", "--at", "2")
    check(sorted(os.listdir(iss.folder)) == before, "nothing new is left", os.listdir(iss.folder))


def conditions(iss, kernel):
    """By pc, symbol and text: each after the cycle in which it comes"""
    run = ["-bios", iss.build / "sw/firmware.elf", "-kernel", kernel, "--quiet"]
    entry = int.from_bytes(kernel.read_bytes()[24:32], "little")  # of its ELF header
    status, out, err = iss.run(*run, "--checkpoint", "entry", "--at", f"pc:{entry:#x}", "--checkpoint", "main", "--at",
                               "main", "--checkpoint", "text", "--at", "text:result", "--checkpoint", "none", "--at", 0)
    check(status == 0, "several conditions", err)
    status, rest, err = iss.run("--restore", "text", "--quiet")
    check(status == 0 and out.endswith("result" + rest) and rest, "the rest of the console", (rest, err))
    for name in ("entry", "main", "none"):
        status, rest, err = iss.run("--restore", name, "--quiet")
        check(status == 0 and out.endswith(rest) and "as computed" in rest, f"from {name} on", (rest, err))
    check(iss.run("--restore", "none", "--quiet")[1] == out, "from reset on: all of the console")
    iss.run(*run, "--checkpoint", "again", "--at", "text:result")
    check((iss.folder / "again").read_bytes() == (iss.folder / "text").read_bytes(), "equal states are equal files")
    for at in ("every:0", "every:", "every:-5", "every:10+x", "every:10+5,", "every:99999999999999999999"):
        iss.refuses(at, "is not every:N", *run, "--checkpoint", "new", "--at", at)
    for at in ("random:0+1+1", "random:", "random:9+1+x"):
        iss.refuses(at, "is not random:N+FIRST+SEED", *run, "--checkpoint", "new", "--at", at)
    for at in ("new:0+1+1", "new:5", "new:5+1", "new:5+1+0", "new:5+1+-1"):
        iss.refuses(at, "is not new:N+SKIP+WINDOW", *run, "--where", "where", "--checkpoint", "new", "--at", at)
    iss.refuses("new code, not counted", "with --where only", *run, "--checkpoint", "new", "--at", "new:5+1+1")
    iss.run(*run, "--checkpoint", "part", "--at", "every:30000+1000", "--checkpoint", "one", "--at", 61000,
            "--max-instructions", 70000)
    check(sorted(path.name for path in iss.folder.glob("part.*")) == ["part.1000", "part.31000", "part.61000"],
          "every 30,000", list(iss.folder.glob("part.*")))
    check((iss.folder / "part.61000").read_bytes() == (iss.folder / "one").read_bytes(), "... is a checkpoint like any")
    iss.run("--restore", "part.31000", "--checkpoint", "later", "--at", "every:30000+1000", "--max-instructions", 70000)
    check(sorted(path.name for path in iss.folder.glob("later.*")) == ["later.31000", "later.61000"],
          "... from a checkpoint on", list(iss.folder.glob("later.*")))


def host_files(iss):
    """Files that a program has open are open again, at their positions; one that is gone is said."""
    program = OpenFiles(iss.build, iss.folder)
    status, _, err = iss.run(*program.start, "--checkpoint", "open", "--at", AT, "--checkpoint", "end")
    check(status == STATUS and program.is_copied(), "a program with files", (status, err))
    program.rewind()
    before = sorted(path.name for path in (iss.folder / "files").iterdir())
    status, _, err = iss.run(*program.start, "--copy-files", "--checkpoint", "files/new", "--at", AT)
    check(status == 2 and "cannot be inside it" in err, "a copy inside of what it copies", err)
    check(sorted(path.name for path in (iss.folder / "files").iterdir()) == before, "... and nothing is left")
    program.rewind()
    status, _, err = iss.run(*program.start, "--restore", "open", "--checkpoint", "end2")
    check(status == STATUS and program.is_copied(), "it goes on with them", (status, err))
    check((iss.folder / "end").read_bytes() == (iss.folder / "end2").read_bytes(), "... to the same end")
    program.input.unlink()
    iss.refuses("a file that is gone", "'in' cannot be opened again", *program.start, "--restore", "open")


def main():
    build = pathlib.Path(sys.argv[1]).resolve()
    seed = int(sys.argv[2]) if len(sys.argv) > 2 else 1
    print(f"seed {seed}")
    with tempfile.TemporaryDirectory() as folder:
        iss = Iss(build, pathlib.Path(folder))
        kernel = build / "sw/workload_sort.elf"
        status, _, err = iss.run("-bios", build / "sw/firmware.elf", "-kernel", kernel, "-m", "64M", "--checkpoint",
                                 "good", "--at", 20000, "--max-instructions", 30000)
        check(status == 4, "a good one", err)
        reading(iss, "good", random.Random(seed))
        other_machines(iss, "good", build / "sw/firmware.elf")
        rtl(iss, "good", build / "sw/firmware.elf")
        writing(iss, build / "sw/firmware.elf")
        conditions(iss, kernel)
        host_files(iss)
    return verdict()


if __name__ == "__main__":
    sys.exit(main())
