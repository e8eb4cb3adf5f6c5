#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Programs of one's own on the machine: what they may use, what is said when they are wrong, and their profile.

    test_program.py BUILD {iss|lockstep|mistakes|records|profile|freestanding}
"""

import base64
import gzip
import json
import os
import pathlib
import re
import struct
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
sys.path.insert(0, str(HERE.parent))
from verdict import check, verdict  # noqa: E402

MUL = 0x34  # INST.MUL.RET (spec/events.yaml)


def run(command, stdin=b"", env=None):
    done = subprocess.run([str(word) for word in command], input=stdin, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          env=env, timeout=500, check=False)
    return done.returncode, done.stdout.decode(), done.stderr.decode()


class Machine:
    def __init__(self, build, simulator):
        self.build, self.simulator = build, simulator

    def compile(self, source, folder, *options):
        elf = folder / f"{source.stem}.elf"
        status, out, err = run([self.build / "tally-cc", "-O2", "-g", *options, source, "-o", elf])
        check(status == 0, f"{source.name} compiles", out + err)
        return elf

    def run(self, elf, *options, arguments=(), stdin=b""):
        return run([self.build / self.simulator, "-bios", self.build / "sw/firmware.elf", "-kernel",
                    self.build / "sw/program.elf", "--program", elf, "--set", "program_mode=0", "--quiet", *options,
                    "--", *arguments], stdin)


def everything(machine, folder, *options):
    elf = machine.compile(HERE / "everything.c", folder)
    (folder / "files").mkdir()
    (folder / "outside").write_text("secret", encoding="utf-8")
    status, out, err = machine.run(elf, "--files", folder / "files", "--env", "COLOUR=blue", *options,
                                   arguments=["one", "two words"], stdin=b"first line\nlast\n")
    check(status == 42, f"the exit status is the program's: {status}", err)
    expected = (HERE / "everything.txt").read_text(encoding="utf-8")
    check(out == expected, "the output of everything.c", out + err)
    check((folder / "files/kept.txt").read_text(encoding="utf-8") == "written 42\nmore\n", "its file")
    check(os.listdir(folder / "files") == ["kept.txt"], "no other file")


def strings(machine, folder):
    status, out, err = machine.run(folder / "everything.elf", "--files", folder / "files",
                                   arguments=["a", "b", "c"])
    check(status == 42 and "wrong copies: 0\n" in out, "memcpy and memset of every length and offset", out + err)


# source, options, exit status, what is said, in one line
RUN_MISTAKES = [
    ("heap.c", ["--heap", "8M"], 0, r"^program: heap exhausted: .*\(--heap, -m\), at 0x\w+ \(\w+.*\)"),
    ("jump_to_0.c", [], 139, r"^program: jump to an address outside of the program's code, at 0x0, address 0x0$"),
    ("endless.c", ["--max-cycles", "2000000"], 4, None),
    ("stack.c", ["--stack", "64K"], 139, r"^program: stack overflow \(--stack makes it larger\), at .*\(deeper"),
    ("fpu.c", [], 132, r"^program: illegal instruction, at 0x\w+ \(main(\+0x\w+)?\): 02007053$"),
    ("read_constant.c", ["--files", HERE], 139, r"^program: store to memory that is not .* read-only, at 0x\w+ \(.*\), "
     r"address 0x\w+$"),
    ("constant.c", [], 139, r"^program: store to memory that is not .* read-only, at 0x\w+ \(main.*\), address 0x\w+$"),
]


def mistakes(machine, folder):
    for name, options, expected, line in RUN_MISTAKES:
        elf = machine.compile(HERE / "mistakes" / name, folder)
        status, out, err = machine.run(elf, *options)
        check(status == expected, f"{name}: status {status}, not {expected}", out + err)
        if line:
            said = [text for text in err.splitlines() if re.match(line, text)]
            check(len(said) == 1 and len(err.splitlines()) == 1, f"{name}: one line that says it", err)
    good = machine.compile(HERE / "everything.c", folder)
    syntax = folder / "syntax.c"
    syntax.write_text("int main(void) { return 0\n", encoding="utf-8")
    foreign = folder / "host.o"
    foreign.write_bytes(open("/bin/true", "rb").read())
    hard = folder / "hard.elf"
    hard.write_bytes(good.read_bytes()[:48] + struct.pack("<I", 0x5) + good.read_bytes()[52:])
    for options, status, line in [
            (["--program", foreign], 2, "for another machine"), (["--program", hard], 2, "floating-point registers"),
            (["--program", good, "--stack", "100M", "--heap", "100M"], 2, "--stack and --heap"),
            (["--program", good, "--files", "/nonexistent"], 2, "--files /nonexistent"),
            (["--program", good, "--env", "NAME"], 2, "NAME=TEXT")]:
        seen, out, err = run([machine.build / machine.simulator, "-bios", machine.build / "sw/firmware.elf", "-kernel",
                              machine.build / "sw/program.elf", *options])
        check(seen == status and line in err and len(err.splitlines()) == 1, f"{line}: {seen}", out + err)
    script = [sys.executable, ROOT / "scripts/profile.py", "--build", machine.build, "--out", folder / "out",
              "--no-open"]
    for options, status, line in [
            ([syntax], 5, "syntax.c: not compiled: "),
            ([HERE / "mistakes/no_main.c"], 5, "there is no main()"),
            (["--events", "INST.LOADS", good], 2, "no event INST.LOADS; near it: INST.LOAD.RET"),
            (["--events", ",".join(["INST.LOAD.RET"] * 11), good], 2, "11 of them; at most 10"),
            (["--frobnicate", good], 2, "--frobnicate; see --help"), (["--period", "x", good], 2, "invalid int value"),
            (["--period", "1", good], 2, "PERIOD 1: at least 2"), ([folder / "none.c"], 2, "there is no such file"),
            ([HERE / "everything.txt"], 2, "neither a source"), (["--args", "it's", good], 2, "No closing quotation"),
            (["--files", "/nonexistent", good], 2, "no such folder")]:
        seen, out, err = run([*script, *options])
        last = err.splitlines()[-1] if err else ""
        check(seen == status and err.count("\nprofile: ") + err.startswith("profile: ") == 1 and "usage:" not in err and
              last.startswith("profile: ") and line in last, f"profile.py {line}: {seen}", out + err)


def header(records):
    data = records.read_bytes()
    return len(data), struct.unpack_from("<I", data, 12)[0], struct.unpack_from("<Q", data, 24)[0], \
        struct.unpack_from("<Q", data, 72)[0]


def records(machine, folder):
    """More samples than the log in memory holds: none is lost."""
    elf = machine.compile(HERE / "busy.c", folder)
    path = folder / "busy.samples"
    settings = {"program_mode": 2, "sampled_kind": 1, "sampled_event": MUL, "sampled_period": 5, "sampled_jitter": 0}
    options = [word for name, value in settings.items() for word in ("--set", f"{name}={value}")]
    status, out, err = machine.run(elf, *options, "--delegate", "0x8", "--records", path, arguments=["50000"])
    check(status == 0, f"busy.c: status {status}", out + err)
    size, first, n, lost = header(path)
    check(10000 <= n <= 10009 and lost == 0 and size == first + 64 * n, f"{n} records, {lost} lost, {size} bytes", out)
    status, out, err = run([machine.build / "tally-profile", "--brief", "--with", machine.build / "sw/program.elf",
                            path, elf])
    check(status == 0 and "busy" in out, "tally-profile reads them, and finds the program by its build id", out + err)


def profile(machine, folder):
    env = {**os.environ, "LC_ALL": "C"}
    status, out, err = run([sys.executable, ROOT / "scripts/profile.py", "--build", machine.build, "--out", folder,
                            "--files", folder, "--events", "INST.MUL.RET", "--no-open", "--lockstep",
                            HERE / "busy.c", "--", "20000"], env=env)
    check(status == 0, f"profile.py: status {status}", out + err)
    check(re.search(r"Performance counter stats for 'busy.elf'", out), "the table", out)
    check(re.search(r"^ +20,0[0-4][0-9]  INST.MUL.RET$", out, re.M), "an event of one's choice", out)
    check(re.search(r"busy.elf +\d+ samples.*: +9[0-9].[0-9] % mix", out), "the hottest function", out)
    page = folder / "busy.html"
    check(page.exists() and page.stat().st_size > 50000, "the page")
    packed = re.search(r'id="data"[^>]*>([^<]+)<', page.read_text(encoding="utf-8")).group(1)
    data = json.loads(gzip.decompress(base64.b64decode(packed)))
    stacks = [[data["names"][name] for name in names] for names, _ in data["runs"][0]["callers"]]
    check(any(names[-1] == "mix" and "main" in names for names in stacks), "the page has callers", str(stacks[:5]))
    slots = data["runs"][0].get("slots", [0] * 5)
    shown = re.search(r"^ +([\d,]+)  TOPDOWN.RETIRING.SLOTS$", out, re.M)
    check(shown and slots[1] == int(shown[1].replace(",", "")) and sum(slots[1:]) <= slots[0], "its slots", out)
    lines = (folder / "busy.stacks").read_text(encoding="utf-8").splitlines()
    cycles = sum(int(line.rsplit(" ", 1)[1]) for line in lines)
    check(sum(count for _, count in data["runs"][0]["callers"]) == cycles, "all cycles of the stacks")
    status, out, err = run([machine.build / "tally-profile", "--stacks", HERE / "busy.c", folder / "busy.samples",
                            folder / "busy.elf"])
    check(status == 3 and "line 1 is not of tally-sim --stacks" in err, f"not stacks: {status}", err)


COUNTS_ITS_RUNS = """#include <stdio.h>
int main(void) {
    int n = 0;
    FILE *f = fopen("runs", "r");
    if (f) { fscanf(f, "%d", &n); fclose(f); }
    f = fopen("runs", "w");
    fprintf(f, "%d\\n", n + 1);
    fclose(f);
    return remove("once") ? 9 : n;
}
"""


def two_runs(machine, folder):
    """The sampled run sees the files as they were and leaves them so: by an overlay, and (comma in the name) a copy."""
    source = folder / "runs.c"
    source.write_text(COUNTS_ITS_RUNS, encoding="utf-8")
    for name in ("files", "fi,les"):
        (folder / name).mkdir()
        (folder / name / "runs").write_text("40\n", encoding="utf-8")
        (folder / name / "once").touch()
        status, out, err = run([sys.executable, ROOT / "scripts/profile.py", "--build", machine.build, "--out",
                                folder / "runs", "--no-open", "--files", folder / name, source])
        check(status == 40 and "samples (U, S)" in out, f"{name}: status {status}", out + err)
        check((folder / name / "runs").read_text(encoding="utf-8") == "41\n", "one run has changed the files")
        check(os.listdir(folder / name) == ["runs"], "and removed one")


def makefile(machine, folder):
    """A folder with a makefile, from another folder, and the ELF file that it made"""
    (folder / "mine/part").mkdir(parents=True)
    (folder / "mine/part/main.c").write_text('#include <stdio.h>\nint main(int n, char **v) '
                                             '{ (void)v; printf("made %d\\n", n); return n; }\n', encoding="utf-8")
    (folder / "mine/Makefile").write_text("CFLAGS = -O2 -g\nall:\n\t$(CC) $(CFLAGS) -o prog part/main.c\n",
                                          encoding="utf-8")
    script = [sys.executable, ROOT / "scripts/profile.py", "--build", os.path.relpath(machine.build), "--no-open",
              "--out", folder / "out", "--files", folder / "mine"]
    for program, text in ((folder / "mine", "samples (U, S)"), (folder / "mine/prog", "samples (U, S)")):
        status, out, err = run([*script, "--frame-pointers", program, "--", "x"])
        check(status == 2 and "made 2\n" in out and text in out, f"{program.name}: status {status}", out + err)
    (folder / "mine/spoilt").write_bytes(b"\x7fELf" + (folder / "mine/prog").read_bytes()[4:])
    for name in ("spoilt", "none"):
        status, out, err = run([*script, "--elf", name, folder / "mine"])
        check(status == 5 and err.splitlines()[-1].endswith(f"mine/{name}: the makefile made no ELF file of this name"),
              f"--elf {name}: status {status}", out + err)
    sys.path.insert(0, str(ROOT / "scripts"))
    from profile import lowest  # pylint: disable=import-outside-toplevel,no-name-in-module
    seen = [lowest(folder / "mine" / name) for name in ("prog", "spoilt")]
    check(seen == [0x80400000, None], "an ELF file without its magic number is none", str(seen))
    (folder / "mine/part/main.c").write_text("int main(void) { return }\n", encoding="utf-8")
    status, out, err = run([*script, folder / "mine"])
    said = err.splitlines()[-1] if err else ""
    check(status == 5 and "make failed: part/main.c:1" in said, f"a makefile whose compiler fails: {status}", out + err)


def freestanding(machine, folder):
    """ELF files of S- and M-mode: every cycle of the run has its place."""
    script = [sys.executable, ROOT / "scripts/profile.py", "--build", machine.build, "--out", folder, "--no-open"]
    tool, elf = machine.build / "tally-profile", machine.build / "sw/workload_sort.elf"
    where = folder / "workload_sort.where"
    status, out, err = run([*script, elf])
    check(status == 0 and re.search(r"^LOAD +[0-9]{5,}$", out, re.M), f"S-mode: {status}, its events", out + err)
    rows = [line.split() for line in where.read_text(encoding="utf-8").splitlines() if line.startswith("pc ")]
    cycles = sum(int(row[4]) for row in rows)
    check(f"workload_sort.elf {cycles} cycles (U, S, M): " in out and "quicksort" in out, "the sum of all cycles", out)
    check("guarded_read" in out, "the firmware's functions are there by their names", out)
    _, out, err = run([machine.build / "tally-sim", "-bios", machine.build / "sw/firmware.elf", "-kernel", elf])
    total = int(re.search(r"tally-sim: (\d+) cycles", err).group(1))
    check(0.995 * total < cycles <= total, f"{cycles} of {total} cycles; the others wait for the end", err)
    script_data = folder / "perf.data"
    status, out, err = run([tool, "--quiet", "--perf", script_data, where, elf])
    check(status == 0, f"perf.data of it: {status}", err)
    status, out, err = run(["perf", "report", "-i", script_data, "--stdio"])
    check(re.search(rf"^# Event count \(approx.\): {cycles}$", out, re.M), "perf counts as many cycles", out + err)
    status, out, err = run([*script, "--max-cycles", "100000", machine.build / "sw/hart_wfi.elf"])
    check(status in (0, 4) and re.search(r"hart_wfi.elf +\d+ cycles \([US, ]*M\)", out), f"M-mode: {status}", out + err)
    status, out, err = run([*script, elf, "--", "argument"])
    check(status == 2 and "there are no arguments" in err, f"arguments: {status}", err)
    broken = folder / "broken.where"
    broken.write_text(where.read_text(encoding="utf-8").replace("pc 0", "qc 0", 1), encoding="utf-8")
    for options, text in [([broken], "line 2 is not of tally-sim --where"),
                          (["--interrupts", where], "--interrupts is of records")]:
        status, out, err = run([tool, *options, elf])
        check(status in (2, 3) and text in err and err.count("\n") == 1, text, err)


def main(argv):
    build, what = pathlib.Path(argv[0]).resolve(), argv[1]
    with tempfile.TemporaryDirectory(prefix="tally-program-") as name:
        folder = pathlib.Path(name)
        if what == "iss":
            everything(Machine(build, "tally-iss"), folder)
            strings(Machine(build, "tally-iss"), folder)
        elif what == "lockstep":
            everything(Machine(build, "tally-sim"), folder, "--lockstep")
        elif what == "mistakes":
            mistakes(Machine(build, "tally-iss"), folder)
        elif what == "records":
            records(Machine(build, "tally-sim"), folder)
        elif what == "freestanding":
            freestanding(Machine(build, "tally-sim"), folder)
        else:
            profile(Machine(build, "tally-sim"), folder)
            makefile(Machine(build, "tally-sim"), folder)
            two_runs(Machine(build, "tally-sim"), folder)
    return verdict()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
