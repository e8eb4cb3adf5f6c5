#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Build a program of your own, run it in U-mode on the simulated machine, count and sample it, and show its profile.

    scripts/profile.py [options] PROGRAM... [-- ARGUMENTS]

PROGRAM: C or C++ or assembler sources; or one ELF file that is linked with sw/user; or a folder with a makefile, which
is run with CC=tally-cc (docs/programs.md). Everything is written to OUT: NAME.elf, NAME.samples, NAME.html.
An ELF file that is linked below sw/user is a freestanding one: at the beginning of RAM it runs in M-mode, elsewhere
behind the firmware in S-mode, and each of its cycles is counted (NAME.where).

Exit status: the program's own; 2 wrong options or a bad file, 3 lockstep, 4 too many cycles, 5 it does not compile or
link, 6 it cannot be sampled.
"""

import argparse
import difflib
import os
import pathlib
import re
import shlex
import shutil
import struct
import subprocess
import sys
import tempfile
import threading

from cmake_cache import setting

ROOT = pathlib.Path(__file__).resolve().parent.parent
WRONG, NOT_BUILT, NOT_SAMPLED = 2, 5, 6
SOURCES = {".c", ".s", ".S", ".cc", ".cpp", ".cxx"}
RAM, USER = 0x80000000, 0x80400000  # an ELF file at RAM is M-mode's, behind it S-mode's, from USER on U-mode's
FRAME_POINTERS = "-fno-omit-frame-pointer"
TABLE = 16384  # bytes, more than the table of counts has
SLOTS = ["TOPDOWN.SLOTS", *(f"TOPDOWN.{part}.SLOTS" for part in ("RETIRING", "FRONTEND_BOUND", "BACKEND_BOUND",
                                                                "BAD_SPECULATION"))]
MORE_EVENTS = 10  # besides those of the table (sw/common/perf.h)


class Wrong(Exception):
    """An error, in a line, and the exit status."""

    def __init__(self, text, status=WRONG):
        super().__init__(text)
        self.status = status


class Parser(argparse.ArgumentParser):
    def error(self, message):
        self.exit(WRONG, f"profile: {message}; see --help\n")


# --- the program ------------------------------------------------------------------------------------------------


def is_elf(path):
    with open(path, "rb") as file:
        return file.read(4) == b"\x7fELF"


def lowest(path):
    """The lowest address of an ELF file that is loaded; None: it is no ELF file of RV64."""
    with open(path, "rb") as file:
        head = file.read(64)
        if len(head) < 64 or head[:6] != b"\x7fELF\x02\x01" or struct.unpack_from("<H", head, 18)[0] != 243:
            return None
        at, = struct.unpack_from("<Q", head, 32)
        size, number = struct.unpack_from("<HH", head, 54)
        file.seek(at)
        table = file.read(size * number)
    loaded = [struct.unpack_from("<I4xQQQQ", table, size * i) for i in range(len(table) // size if size >= 56 else 0)]
    return min((address for kind, _, _, address, bytes_ in loaded if kind == 1 and bytes_), default=None)


def explain(output):
    """The most telling line of the compiler's or linker's output."""
    lines = output.splitlines()
    if any("undefined reference to `main'" in line for line in lines):
        return "there is no main()"
    undefined = [line.split("undefined reference to", 1)[1].strip(" `'") for line in lines
                 if "undefined reference to" in line]
    if undefined:
        return f"{undefined[0]}() is nowhere defined"
    if any("can't link" in line and "float" in line for line in lines):
        return "a file was compiled for a hart with floating-point registers: compile for rv64imac, lp64"
    lines = [line for line in lines if not re.match(r"make(\[\d+\])?: (Entering|Leaving) directory", line)]
    errors = [line for line in lines if " error: " in line or "Error: " in line]
    return errors[0] if errors else lines[-1] if lines else "no message"


def compile_sources(build, sources, cflags, elf):
    command = [str(build / "tally-cc"), "-O2", "-g", "-o", str(elf), *cflags, *map(str, sources)]
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace",
                          check=False)
    sys.stderr.write(done.stdout)
    if done.returncode:
        raise Wrong(f"{sources[0]}: not compiled: {explain(done.stdout)}", NOT_BUILT)


def make_folder(build, folder, cflags, wanted, frame_pointers):
    """Run its makefile; the executable that it made."""
    before = {path: path.stat().st_mtime_ns for path in folder.rglob("*") if path.is_file()}
    compiler = str(build / "tally-cc") + (" " + FRAME_POINTERS if frame_pointers else "")
    command = ["make", "-C", str(folder), f"CC={compiler}", f"LD={compiler}"]
    if cflags:
        command.append("CFLAGS=" + shlex.join(cflags))
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace",
                          check=False)
    sys.stderr.write(done.stdout)
    if done.returncode:
        raise Wrong(f"{folder}: make failed: {explain(done.stdout)}", NOT_BUILT)
    if wanted:
        if not (folder / wanted).is_file() or not is_elf(folder / wanted):
            raise Wrong(f"{folder / wanted}: the makefile made no ELF file of this name", NOT_BUILT)
        return folder / wanted
    made = [path for path in folder.rglob("*") if path.is_file() and path.suffix not in (".o", ".a") and is_elf(path)]
    new = [path for path in made if path.stat().st_mtime_ns != before.get(path)] or made
    if len(new) != 1:
        names = ", ".join(str(path.relative_to(folder)) for path in new) or "none"
        raise Wrong(f"{folder}: which executable? There are: {names}; --elf NAME says it", NOT_BUILT)
    return new[0]


def program_of(args):
    """The ELF file to run; it is built if it has to be."""
    for path in args.program:
        if not path.exists():
            raise Wrong(f"{path}: there is no such file")
    first = args.program[0]
    args.out.mkdir(parents=True, exist_ok=True)
    if first.is_dir():
        if len(args.program) > 1:
            raise Wrong(f"{first}: one folder, or files")
        return make_folder(args.build, first, args.cflags, args.elf, args.frame_pointers)
    if all(path.suffix in SOURCES for path in args.program):
        elf = args.out / f"{first.stem}.elf"
        more = [FRAME_POINTERS] if args.frame_pointers else []
        compile_sources(args.build, args.program, [*args.cflags, *more], elf)
        return elf
    if len(args.program) > 1:
        raise Wrong(f"{first}: sources end in {', '.join(sorted(SOURCES))}; an ELF file must be the only one")
    if not is_elf(first):
        raise Wrong(f"{first}: neither a source ({', '.join(sorted(SOURCES))}), nor an ELF file, nor a folder")
    return first


# --- events -----------------------------------------------------------------------------------------------------


def events_variable(names):
    """TALLY_EVENTS of sw/program: names with their selectors."""
    if not names:
        return ""
    from spec_read import load_yaml  # an installed script needs PyYAML only now
    known = {event["name"]: event["code"] for event in load_yaml(ROOT / "spec" / "events.yaml")["events"]}
    for name in names:
        if name not in known:
            near = difflib.get_close_matches(name.upper(), known, 3, 0.4)
            raise Wrong(f"EVENTS: no event {name}" + (f"; near it: {', '.join(near)}" if near else "") +
                        " (build/generated/reference.md has all)")
    if len(names) > MORE_EVENTS:
        raise Wrong(f"EVENTS: {len(names)} of them; at most {MORE_EVENTS} besides those of the table")
    return ",".join(f"{name}={known[name]:x}" for name in names)


# --- runs -------------------------------------------------------------------------------------------------------


def simulator(args, elf, mode, folder):
    command = [str(args.build / "tally-sim"), "-bios", str(args.build / "sw" / "firmware.elf"),
               "-kernel", str(args.build / "sw" / "program.elf"), "--program", str(elf), "--files", str(folder),
               "-m", args.memory, "--stack", args.stack, "--set", f"program_mode={mode}", "--quiet"]
    if args.heap:
        command += ["--heap", args.heap]
    if args.max_cycles:
        command += ["--max-cycles", str(args.max_cycles)]
    for variable in args.env:
        command += ["--env", variable]
    return command


def tee(command, stdin):
    """Run it, and show its output as it comes. Its status, and the end of its output"""
    end = b""
    sys.stdout.flush()
    with subprocess.Popen(command, stdin=stdin, stdout=subprocess.PIPE) as process:
        while piece := os.read(process.stdout.fileno(), 1 << 16):
            sys.stdout.buffer.write(piece)
            sys.stdout.buffer.flush()
            end = (end + piece)[-TABLE:]
    return process.returncode, end.decode(errors="replace")


def count(args, elf, stdin):
    """Its status; the table of counts, which the page's slots come from, goes to a file."""
    command = simulator(args, elf, 1, args.files)
    if args.lockstep:
        command.append("--lockstep")
    if args.stacks:
        command += ["--stacks", str(args.out / f"{elf.stem}.stacks")]
    slots = SLOTS if len({*args.events, *SLOTS}) <= MORE_EVENTS else []
    events = [*args.events, *(name for name in slots if name not in args.events)]
    if events:
        command += ["--env", "TALLY_EVENTS=" + events_variable(events)]
    status, end = tee([*command, "--", *args.arguments], stdin)
    table = end[max(end.rfind("Performance counter stats for"), 0):]
    counts = args.out / f"{elf.stem}.counts"
    counts.unlink(missing_ok=True)
    if all(re.search(rf"  {name}$", table, re.M) for name in SLOTS):
        counts.write_text(table, encoding="utf-8")
    return status


# Mount $0 at $3 for the rest of the command, changes in $1
OVERLAY = ('mount -t overlay overlay -o "lowerdir=$0,upperdir=$1,workdir=$2,userxattr" "$3" && shift 3 && exec "$@"')


def copied(files, scratch):
    """The folder `scratch`/files with the contents of `files`, and the prefix of a command that uses it: an overlay
    where the system lets users mount one, else a copy."""
    parts = [scratch / name for name in ("changes", "work", "files")]
    for part in parts:
        part.mkdir()
    before = ["unshare", "--user", "--map-root-user", "--mount", "sh", "-c", OVERLAY, str(files.resolve()),
              *map(str, parts)]
    special = re.search(r"[:,\\]", str(files.resolve()) + str(scratch))  # in the options of mount
    if not special and shutil.which("unshare") and subprocess.run(
            [*before, "ls", str(parts[2])], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL, check=False).returncode == 0:
        return parts[2], before
    shutil.copytree(files, parts[2], symlinks=True, dirs_exist_ok=True)
    return parts[2], []


class Sampling(threading.Thread):
    """The second run, beside the first: in a copy of the files, its output dropped."""

    def __init__(self, args, elf, records, stdin):
        super().__init__()
        self.scratch = tempfile.TemporaryDirectory(prefix="tally-profile-", ignore_cleanup_errors=True)
        folder, before = copied(args.files, pathlib.Path(self.scratch.name))
        self.command = [*before, *simulator(args, elf, 2, folder), "--delegate", "0x8", "--records", str(records),
                        "--set", f"sampled_stacks={int(args.frame_pointers)}", "--set", "sampled_kind=6",
                        "--set", f"sampled_period={args.period}",
                        "--set", f"sampled_instructions={max(1, args.period // 4)}", "--set", "sampled_jitter=255",
                        "--", *args.arguments]
        self.stdin = stdin
        self.done = None

    def run(self):
        self.done = subprocess.run(self.command, stdin=self.stdin, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                                   text=True, errors="replace", check=False)
        self.scratch.cleanup()


def standard_input(scratch):
    """Two readers need a file; a terminal is left to the run that shows its output."""
    if sys.stdin is None or sys.stdin.isatty():
        return None
    path = scratch / "stdin"
    with open(path, "wb") as file:
        shutil.copyfileobj(sys.stdin.buffer, file)
    return path


def show(args, elf, records, with_):
    tool, page = str(args.build / "tally-profile"), args.out / f"{elf.stem}.html"
    brief = subprocess.run([tool, "--brief", "--top", "10", *with_, str(records), str(elf)], check=False)
    stacks = args.out / f"{elf.stem}.stacks"
    callers = ["--stacks", str(stacks)] if args.stacks and stacks.exists() else []
    counts = args.out / f"{elf.stem}.counts"
    more = [*callers, *(["--counts", str(counts)] if counts.exists() else [])]
    html = subprocess.run([tool, "--quiet", "--html", str(page), *more, *with_, str(records), str(elf)], check=False)
    if brief.returncode or html.returncode:
        raise Wrong("the samples cannot be shown (above)", NOT_SAMPLED)
    print(f"\nThe profile: {os.path.relpath(page)}")
    if callers:
        print(f"Cycles by call stack, for flame graph tools: {os.path.relpath(args.out / elf.stem)}.stacks")
    opener = shutil.which("xdg-open")
    if args.open and opener and sys.stdout.isatty():
        subprocess.Popen([opener, str(page)], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def freestanding(args, elf, at):
    """Every cycle of an ELF file of M- or S-mode, which runs once."""
    for name in ("arguments", "events", "env", "heap"):
        if getattr(args, name):
            raise Wrong(f"{elf}: it is linked to 0x{at:x}, so it runs without a supervisor: there are no {name}")
    where = args.out / f"{elf.stem}.where"
    for path in (where, args.out / f"{elf.stem}.counts"):
        path.unlink(missing_ok=True)
    firmware = str(args.build / "sw" / "firmware.elf")
    images = ["-bios", str(elf)] if at == RAM else ["-bios", firmware, "-kernel", str(elf)]
    command = [str(args.build / "tally-sim"), *images, "-m", args.memory, "--where", str(where), "--quiet"]
    if args.max_cycles:
        command += ["--max-cycles", str(args.max_cycles)]
    if args.lockstep:
        command.append("--lockstep")
    if args.stacks:
        command += ["--stacks", str(args.out / f"{elf.stem}.stacks")]
    status = subprocess.run(command, check=False).returncode
    if not where.exists():
        return status
    counted = [line.split() for line in where.read_text(encoding="utf-8").splitlines() if line.startswith("event ")]
    print(f"\n{'event':<20}{'count':>14}")
    for _, hart, name, count in counted:
        if hart == "0" and count != "0":
            print(f"{name:<20}{count:>14}")
    print()
    show(args, elf, where, ["--firmware", firmware] if at > RAM else [])
    return status


def profile(args):
    elf = program_of(args)
    at = lowest(elf)
    if at is not None and RAM <= at < USER:
        return freestanding(args, elf, at)
    events_variable(args.events)
    records = args.out / f"{elf.stem}.samples"
    records.unlink(missing_ok=True)
    with tempfile.TemporaryDirectory(prefix="tally-profile-") as scratch:
        text = standard_input(pathlib.Path(scratch))
        streams = [open(text, "rb") if text else default for default in (None, subprocess.DEVNULL)]
        sampling = Sampling(args, elf, records, streams[1])
        sampling.start()
        status = count(args, elf, streams[0])
        sampling.join()
    if status in (WRONG, 3, 4) and not records.exists():
        return status
    if not records.exists():
        raise Wrong(f"not sampled, status {sampling.done.returncode}: {sampling.done.stdout.strip()[-300:]}",
                    NOT_SAMPLED)
    show(args, elf, records, ["--firmware", str(args.build / "sw" / "firmware.elf"),
                              "--with", str(args.build / "sw" / "program.elf")])
    return status


def words(option, text):
    """As a shell would split them."""
    try:
        return shlex.split(text)
    except ValueError as reason:
        raise Wrong(f"{option} {text}: {reason}") from reason


def main(argv):
    arguments = []
    if "--" in argv:
        at = argv.index("--")
        argv, arguments = argv[:at], argv[at + 1:]
    parser = Parser(description="Profile a program of your own on the simulated machine.",
                    usage="profile.py [options] PROGRAM... [-- ARGUMENTS]")
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build")
    parser.add_argument("--out", type=pathlib.Path, help="folder of the output (build/profile)")
    parser.add_argument("--args", default="", help="its arguments, as a shell would split them; or behind --")
    parser.add_argument("--cflags", default="", help="for the compiler, after -O2 -g")
    parser.add_argument("--elf", help="the executable that a folder's makefile makes")
    parser.add_argument("--events", default="", help="events to count besides, with commas between; "
                        "build/generated/reference.md has all")
    parser.add_argument("--period", type=int, default=997, help="cycles a sample (997)")
    parser.add_argument("--files", type=pathlib.Path, default=pathlib.Path("."),
                        help="the folder whose files it may use (the one you are in)")
    parser.add_argument("--env", action="append", default=[], metavar="NAME=TEXT")
    parser.add_argument("--memory", default="128M", help="RAM of the machine (128M)")
    parser.add_argument("--stack", default="1M")
    parser.add_argument("--heap", default="", help="at most (all of RAM)")
    parser.add_argument("--max-cycles", type=int, default=0, help="stop after so many, exit status 4")
    parser.add_argument("--lockstep", action="store_true", help="beside the golden models: three times as long")
    parser.add_argument("--stacks", action=argparse.BooleanOptionalAction, default=True,
                        help="callers: cycles by call stack (NAME.stacks), in the page's flame graph too")
    parser.add_argument("--frame-pointers", action="store_true",
                        help="callers of the samples instead, by frame pointers: sources are compiled with them")
    parser.add_argument("--no-open", dest="open", action="store_false", help="do not open the page")
    parser.add_argument("program", type=pathlib.Path, nargs="+", metavar="PROGRAM")
    args = parser.parse_args(argv)
    args.build = args.build.resolve()
    args.out = args.out or args.build / "profile"
    args.stacks &= not args.frame_pointers
    args.events = [name for name in args.events.replace(" ", ",").split(",") if name]
    try:
        args.arguments = arguments or words("--args", args.args)
        args.cflags = words("--cflags", args.cflags)
        if args.period < 2:
            raise Wrong(f"PERIOD {args.period}: at least 2 cycles")
        if not args.files.is_dir():
            raise Wrong(f"--files {args.files}: there is no such folder")
        if not (args.build / "tally-sim").exists():
            raise Wrong(f"{args.build}: build first (make build)")
        if setting(args.build, "TALLY_SAMPLING") not in ("ON", "1", "TRUE"):
            raise Wrong(f"{args.build}: built without TALLY_SAMPLING", NOT_SAMPLED)
        return profile(args)
    except Wrong as wrong:
        print(f"profile: {wrong}", file=sys.stderr)
        return wrong.status


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
