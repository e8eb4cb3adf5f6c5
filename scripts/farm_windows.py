# SPDX-License-Identifier: Apache-2.0
"""Windows of a sampled simulation: the golden run that writes their checkpoints, their runs on the RTL here, or as a
campaign (docs/farm.md)."""

import collections
import concurrent.futures
import json
import os
import pathlib
import secrets
import shlex
import shutil
import subprocess
import tempfile
import threading
import time
from shlex import quote

from farm_statistics import Golden, Window

WRONG = 2
LIMIT = 4  # exit status of the simulators at --max-cycles
CYCLES, RETIRED = 0, 6  # columns of tally-sim --where
GOLDEN_COLUMNS = 5      # of tally-iss --timed --where
POLL = 0.02  # seconds
NEW_CODE = 5000  # executions after which an instruction gets a window, if the sample has none
HEAD = "head"
CAMPAIGN, ARGUMENTS = "windows.toml", "arguments.json"
KEPT = ("period", "window", "warm_up", "head", "seed")


class Wrong(Exception):
    """An error, in a line"""


def run(command):
    """(exit status, output, processor time in seconds)"""
    with tempfile.TemporaryFile() as said:
        try:
            process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=said)
        except OSError as error:
            raise Wrong(f"{command[0]}: {error.strerror}") from None
        with process:
            _, status, usage = os.wait4(process.pid, 0)
            process.returncode = os.waitstatus_to_exitcode(status)
        said.seek(0)
        return process.returncode, said.read().decode(errors="replace").strip(), usage.ru_utime + usage.ru_stime


def read_where(path):
    """(first line, {(hart, mode, pc): [counts]}, {event: occurrences, of all harts})"""
    places, events = {}, collections.Counter()
    with open(path, encoding="utf-8") as lines:
        first = next(lines)
        for line in lines:
            words = line.split()
            if words[0] == "pc":
                places[int(words[1]), int(words[2]), int(words[3], 16)] = [int(word) for word in words[4:]]
            elif words[0] in ("event", "cycle"):
                events[words[2]] += int(words[3])
    return first, places, events


def lines_of(path, kind):
    """The other words of such lines"""
    with open(path, encoding="utf-8") as lines:
        return [line.split()[1:] for line in lines if line.startswith(f"{kind} ")]


def sums_of(words):
    """From NAME=SUM..."""
    return {name: int(count) for name, count in (word.split("=") for word in words)}


def read_golden(path):
    """(first line, Golden)"""
    first, places, _ = read_where(path)
    if any(len(counts) != GOLDEN_COLUMNS for counts in places.values()):
        raise Wrong(f"{path}: of another version of tally-iss")
    windows = {int(at): sums_of(words) for at, *words in lines_of(path, "window")}
    sampled = [sums_of(words) for words in lines_of(path, "sampled")]
    return first, Golden(places, windows, sampled[0] if sampled else {})


def read_window(path, name):
    _, places, events = read_where(path)
    loads = {}
    for _, source, count, cycles in lines_of(path, "latency"):  # of each hart
        others = loads.get(source, (0, 0))
        loads[source] = others[0] + int(count), others[1] + int(cycles)
    return Window(0 if name == HEAD else place_of(name), events["INST"], events["CYCLE"], events,
                  {place: (counts[CYCLES], counts[RETIRED]) for place, counts in places.items()
                   if counts[CYCLES] or counts[RETIRED]}, loads)


def place_of(name):
    """Instructions before a window"""
    return int(name.split(".")[1])


def sample_windows(folder):
    """Names of the windows of the sample that there are"""
    found = [path.name for path in folder.glob("cut.*") if path.name[4:].isdigit()]  # some are not complete
    return sorted(found, key=place_of)


def new_code(folder):
    """{window of new code: the place at which it begins}"""
    found = {}
    for path in folder.glob("new.*.0x*"):
        words = path.name.split(".")
        if len(words) == 5:
            found[path.name] = int(words[2]), int(words[3]), int(words[4], 16)
    return {name: found[name] for name in sorted(found, key=place_of)}


def title(name):
    return "the head" if name == HEAD else f"the window from instruction {place_of(name)} on"


class Machine:
    """The command line of the machine and its program"""

    def __init__(self, args):
        self.build = args.build
        program = args.program[1:] if args.program[:1] == ["--"] else args.program
        if not program:
            raise Wrong("nothing to run: a program, or the machine's options behind --")
        if program[0].startswith("-"):
            self.options, self.arguments = program, []
            if "--" in program:
                at = program.index("--")
                self.options, self.arguments = program[:at], program[at:]
        else:
            path = pathlib.Path(program[0])
            if not path.is_file():
                raise Wrong(f"{path}: there is no such file")
            self.options = ["-bios", str(args.build / "sw/firmware.elf"), "-kernel",
                            str(args.build / "sw/program.elf"), "-m", args.memory, "--set", "program_mode=0",
                            *(["--files", str(args.files)] if args.files else []), "--program", str(path)]
            self.arguments = ["--", *program[1:]]
        for option in ("--restore", "--where", "--checkpoint"):
            if option in self.options or option[1:] in self.options:
                raise Wrong(f"{option}: not in sampled runs")
        self.files_at = next((i + 1 for i, word in enumerate(self.options[:-1]) if word in ("-files", "--files")), None)

    @property
    def files(self):
        """The program's folder, or None"""
        return self.files_at and pathlib.Path(self.options[self.files_at])

    def command(self, tool, *more, files=None):
        options = list(self.options)
        if files and self.files_at:
            options[self.files_at] = str(files)
        return [str(self.build / tool), *options, *map(str, more), *self.arguments]


class Windows:
    """The golden run, and the windows on the RTL, each with a checkpoint and a folder of its own"""

    def __init__(self, machine, args, folder):
        self.machine, self.args, self.folder = machine, args, folder
        self.begin = max(0, args.head - args.warm_up)  # no window counts instructions of the head
        self.golden_time = 0.0

    def warm_up(self):
        return ["--warm-up", self.args.warm_up] if self.args.warm_up else []

    def golden(self):
        args = self.args
        more = ["--max-instructions", args.max_instructions] if args.max_instructions else []
        more += ["--stored", "--timed", *self.warm_up(), "--window", args.window,
                 *(["--copy-files"] if self.machine.files else [])]
        more += ["--checkpoint", self.folder / "cut", "--at", f"random:{args.period}+{self.begin}+{args.seed}"]
        more += ["--checkpoint", self.folder / "new", "--at", f"new:{NEW_CODE}+{args.warm_up}+{args.window}"]
        command = self.machine.command("tally-iss", "--where", self.folder / "golden", *more)
        status, said, self.golden_time = run(command)
        limited = status == LIMIT and args.max_instructions
        if not (self.folder / "golden").exists() or (status and not limited):
            raise Wrong(f"the golden machine ended with exit status {status}: {said or 'nothing said'}\n"
                        f"{shlex.join(command)}")

    def prepare(self):
        """The head's files: before the golden run changes them"""
        if self.machine.files and self.machine.files.is_dir() and self.args.head:
            shutil.copytree(self.machine.files, self.folder / f"{HEAD}.files", symlinks=True)

    def command(self, name, files):
        """Of a window, or of the head"""
        args, options = self.args, ["--window", self.args.head]
        if name != HEAD:
            options = ["--restore", self.folder / name, *self.warm_up(), "--window", args.window, "--max-cycles",
                       args.max_cycles]
        return self.machine.command("tally-sim", *options, "--where", self.folder / f"{name}.where", files=files)


class Here(Windows):
    """Windows that begin while the golden machine still runs. Checkpoints are removed after their window."""

    def __init__(self, machine, args, folder):
        super().__init__(machine, args, folder)
        self.done = threading.Event()
        self.window_time = 0.0

    def golden(self):
        try:
            super().golden()
        finally:
            self.done.set()

    def count(self, name):
        files = self.folder / f"{name}.files"
        where, command = self.folder / f"{name}.where", self.command(name, files)
        status, said, seconds = run(command)
        if not where.exists() or status == LIMIT:
            raise Wrong(f"{title(name)}: exit status {status}: {said}\n{shlex.join(command)}")
        window = read_window(where, name)
        for path in (where, self.folder / name):
            path.unlink(missing_ok=True)
        shutil.rmtree(files, ignore_errors=True)
        self.window_time += seconds  # safe: under the interpreter's lock
        return window

    def as_they_come(self):
        seen = -1
        while True:
            finished = self.done.is_set()
            new = [name for name in sample_windows(self.folder) if place_of(name) > seen]
            yield from new
            seen = max([seen, *map(place_of, new)])
            if finished and not new:
                return
            time.sleep(POLL)

    def run(self):
        """(Window of the head, or None; [Window])"""
        self.prepare()
        with concurrent.futures.ThreadPoolExecutor(self.args.jobs) as pool:
            golden = pool.submit(self.golden)
            head = pool.submit(self.count, HEAD) if self.args.head else None
            windows = [pool.submit(self.count, name) for name in self.as_they_come()]
            golden.result()
            try:
                return head and head.result(), [window.result() for window in windows]
            finally:
                pool.shutdown(cancel_futures=True)

    def chosen(self, sample):
        """[Window] at code that the sample has met at most once"""
        names = [name for name, place in new_code(self.folder).items() if sample.met_once(place)]
        with concurrent.futures.ThreadPoolExecutor(self.args.jobs) as pool:
            return list(pool.map(self.count, names))


class Campaign(Windows):
    """Windows as tasks of a campaign, which may run on other machines. A task that runs again has fresh files."""

    def script(self, name):
        """What a task does. The result gets its name when the window is complete."""
        files, fresh, part, where = (quote(str(self.folder / f"{name}.{end}"))
                                     for end in ("files", "fresh", "where.part", "where"))
        command = self.command(name, self.folder / f"{name}.fresh")
        command[command.index("--where") + 1] = str(self.folder / f"{name}.where.part")
        lines = ["set -e", f"cd {quote(os.getcwd())}"]
        lines += [f"rm -rf {fresh}", f"cp -a {files} {fresh}"] if self.machine.files else []
        lines += ["status=0", f"{shlex.join(command)} >/dev/null || status=$?", f"test $status -ne {LIMIT}",
                  f"mv {part} {where}", f"rm -rf {fresh}"]
        return "\n".join(lines) + "\n"

    def write(self):
        """The golden run, and the campaign's file; the number of tasks"""
        self.prepare()
        self.golden()
        names = [*([HEAD] if self.args.head else []), *sample_windows(self.folder), *new_code(self.folder)]
        for name in names:
            (self.folder / f"{name}.sh").write_text(self.script(name), encoding="utf-8")
        own = secrets.token_hex(4)  # no task of another campaign has its name
        (self.folder / CAMPAIGN).write_text(
            f'[[task]]\nname = "{{each}}.{own}"\neach = {json.dumps(names)}\nseeds = "1"\n'
            f"command = {json.dumps(f'sh {quote(str(self.folder))}/{{each}}.sh', ensure_ascii=False)}\n",
            encoding="utf-8")
        kept = {name: getattr(self.args, name) for name in KEPT} | {"golden_seconds": self.golden_time}
        (self.folder / ARGUMENTS).write_text(json.dumps(kept), encoding="utf-8")
        return len(names)


class Collected:
    """The results of a campaign of windows"""

    def __init__(self, folder, args):
        self.folder = folder
        try:
            kept = json.loads((folder / ARGUMENTS).read_text(encoding="utf-8"))
        except OSError:
            raise Wrong(f"{folder}: no campaign of windows; --campaign writes one") from None
        self.golden_time, self.window_time = kept.pop("golden_seconds"), 0.0
        for name, value in kept.items():
            setattr(args, name, value)
        self.args = args

    def result(self, name):
        path = self.folder / f"{name}.where"
        if not path.exists():
            raise Wrong(f"{title(name)} has no result: run {self.folder / CAMPAIGN}")
        return read_window(path, name)

    def run(self):
        """As Here's"""
        return self.args.head and self.result(HEAD), [self.result(name) for name in sample_windows(self.folder)]

    def chosen(self, sample):
        return [self.result(name) for name, place in new_code(self.folder).items() if sample.met_once(place)]
