# SPDX-License-Identifier: Apache-2.0
"""tally-farm profile: a program's counts, CPI, top-down slots and profile from windows on the RTL (docs/farm.md)."""

import collections
import concurrent.futures
import json
import os
import pathlib
import shlex
import shutil
import subprocess
import tempfile
import threading
import time

from farm_statistics import Estimate, Sample, Window

WRONG = 2
CYCLES, RETIRED = 0, 6  # columns of --where
# Slots, one a cycle (spec/events.yaml)
TOPDOWN = {"retiring": lambda events: events["INST"], "front end": lambda events: events["TD_FE"],
           "back end": lambda events: events["TD_BE"],
           "bad speculation": lambda events: events["TD_BADSPEC"] + events["DISPATCH"] - events["INST"]}
POLL = 0.02  # seconds
HOTTEST = 10
NEW_CODE = 5000  # executions after which an instruction gets a window, if the sample has none


class Wrong(Exception):
    """An error, in a line"""


def run(command):
    """(exit status, output, processor time in seconds)"""
    with tempfile.TemporaryFile() as said:
        with subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=said) as process:
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
            else:
                events[words[2]] += int(words[3])
    return first, places, events


def read_window(path):
    _, places, events = read_where(path)
    return Window(events["INST"], events["CYCLE"], events,
                  {place: (counts[CYCLES], counts[RETIRED]) for place, counts in places.items()
                   if counts[CYCLES] or counts[RETIRED]})


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
    """The golden run and its windows. Checkpoints are used as they come, and removed after their window."""

    def __init__(self, machine, args, folder):
        self.machine, self.args, self.folder = machine, args, folder
        self.begin = max(0, args.head - args.warm_up)  # no window counts instructions of the head
        self.done = threading.Event()
        self.golden_time = self.window_time = 0.0

    def golden(self):
        args = self.args
        more = ["--max-instructions", args.max_instructions] if args.max_instructions else []
        try:
            more += ["--stored", "--warm", "--pace", args.pace, *(["--copy-files"] if self.machine.files else [])]
            more += ["--checkpoint", self.folder / "cut", "--at", f"random:{args.period}+{self.begin}+{args.seed}"]
            more += ["--checkpoint", self.folder / "new", "--at", f"new:{NEW_CODE}+{args.warm_up}+{args.window}"]
            command = self.machine.command("tally-iss", "--where", self.folder / "golden", *more)
            status, said, self.golden_time = run(command)
        finally:
            self.done.set()
        limited = status == 4 and args.max_instructions
        if not (self.folder / "golden").exists() or (status and not limited):
            raise Wrong(f"the golden machine ended with exit status {status}: {said or 'nothing said'}\n"
                        f"{shlex.join(command)}")

    def window(self, cut):
        warm = ["--warm-up", self.args.warm_up] if self.args.warm_up else []
        files = cut.with_name(cut.name + ".files")
        try:
            return self.count(f"the window from instruction {cut.name.split('.')[1]} on", files, "--restore", cut,
                              *warm, "--window", self.args.window, "--max-cycles", self.args.max_cycles)
        finally:
            cut.unlink()
            shutil.rmtree(files, ignore_errors=True)

    def chosen(self, sample):
        """[Window] at code that the sample has met at most once"""
        found = []
        for cut in sorted(self.folder.glob("new.*.0x*"), key=lambda path: int(path.name.split(".")[1])):
            if cut.suffix != ".files":
                _, _, hart, mode, pc = cut.name.split(".")
                if sample.met_once((int(hart), int(mode), int(pc, 16))):
                    found.append(cut)
        with concurrent.futures.ThreadPoolExecutor(self.args.jobs) as pool:
            return list(pool.map(self.window, found))

    def head(self):
        """The beginning of the run"""
        return self.count("the head", self.folder / "head.files", "--window", self.args.head)

    def count(self, what, files, *options):
        """Run a window on the RTL, with its own folder."""
        where = files.with_suffix(".where")
        command = self.machine.command("tally-sim", *options, "--where", where, files=files)
        status, said, seconds = run(command)
        if not where.exists() or status == 4:
            raise Wrong(f"{what}: exit status {status}: {said}\n{shlex.join(command)}")
        window = read_window(where)
        where.unlink()
        self.window_time += seconds  # safe: under the interpreter's lock
        return window

    def cuts(self):
        """Checkpoints in order as they are written"""
        last = -1
        while True:
            finished = self.done.is_set()
            found = {path.name[4:]: path for path in self.folder.glob("cut.*")}  # some are not complete yet
            found = {int(name): path for name, path in found.items() if name.isdigit()}
            new = sorted(number for number in found if number > last)
            yield from (found[number] for number in new)
            last = max([last, *new])
            if finished and not new:
                return
            time.sleep(POLL)

    def run(self):
        """(Window of the head, or None; [Window])"""
        if self.machine.files and self.machine.files.is_dir() and self.args.head:
            shutil.copytree(self.machine.files, self.folder / "head.files", symlinks=True)
        with concurrent.futures.ThreadPoolExecutor(self.args.jobs) as pool:
            golden = pool.submit(self.golden)
            head = pool.submit(self.head) if self.args.head else None
            windows = [pool.submit(self.window, cut) for cut in self.cuts()]
            golden.result()
            try:
                return head and head.result(), [window.result() for window in windows]
            finally:
                pool.shutdown(cancel_futures=True)


# --- the results ------------------------------------------------------------------------------------------------------


class Result:
    def __init__(self, sample, first_line):
        self.sample, self.first_line = sample, first_line
        self.places, self.cycles = sample.profile()
        self.cpi = self.cycles.scaled(1 / sample.instructions)
        self.plain_cpi = sample.total("CYCLE").scaled(1 / sample.instructions)
        self.topdown = {name: self.share(slots) for name, slots in TOPDOWN.items()}
        names = sorted({name for window in [*sample.windows, sample.head] for name in window.events})
        self.events = {name: sample.total(name) for name in names}
        self.events["INST"] = Estimate(sample.instructions, 0.0)
        self.events["CYCLE"] = self.cycles

    def share(self, slots):
        """Of all cycles"""
        head = self.sample.head
        estimate = self.sample.ratio(lambda window: slots(window.events), lambda window: window.cycles)
        rest = 1 - head.cycles / self.cycles.value
        return Estimate(estimate.value * rest + slots(head.events) / self.cycles.value, estimate.bound * rest)

    def hottest(self):
        return sorted(self.places.items(), key=lambda item: -item[1].value)[:HOTTEST]

    def write_where(self, path):
        """As tally-sim --where, for tally-profile"""
        with open(path, "w", encoding="utf-8") as file:
            file.write(self.first_line)
            for (hart, mode, pc), estimate in self.places.items():
                file.write(f"pc {hart} {mode} 0x{pc:x} {round(estimate.value)}\n")
            for name, estimate in self.events.items():
                file.write(f"event 0 {name} {round(estimate.value)}\n")

    def as_dictionary(self):
        def pair(estimate):
            return [estimate.value, estimate.bound]
        sample = self.sample
        return {"instructions": sample.instructions, "windows": len(sample.windows), "counted": sample.counted,
                "counted_cycles": sum(window.cycles for window in sample.windows),
                "chosen": sample.chosen_windows, "unmet": sample.unmet(), "head": sample.head.instructions,
                "head_cycles": sample.head.cycles,
                "cycles": pair(self.cycles), "cpi": pair(self.cpi), "plain_cpi": pair(self.plain_cpi),
                "topdown": {name: pair(estimate) for name, estimate in self.topdown.items()},
                "events": {name: pair(estimate) for name, estimate in self.events.items()}}

    def show(self, confidence):
        sample = self.sample
        print(f"{sample.instructions:,} instructions; {len(sample.windows)} windows, {sample.counted:,} instructions "
              f"on the RTL; {100 * confidence:g} % confidence")
        if sample.chosen_windows:
            print(f"{sample.chosen_windows} windows besides, where code begins that less than two of them have met")
        print(f"{sample.head.instructions:,} instructions from reset on were all counted; "
              f"{100 * sample.unmet():.2f} % of all are code in no window")
        print(f"{'cycles':<20}{self.cycles.value:>16,.0f} ± {self.cycles.bound:,.0f}")
        print(f"{'cycles/instruction':<20}{self.cpi.value:>16.4f} ± {self.cpi.bound:.4f}")
        print("\nslots")
        for name, estimate in self.topdown.items():
            print(f"  {name:<18}{100 * estimate.value:>14.2f} % ± {100 * estimate.bound:.2f}")
        print("\nevents")
        for name, estimate in self.events.items():
            if estimate.value and name not in ("CYCLE", "INST"):
                print(f"  {name:<18}{estimate.value:>16,.0f} ± {estimate.bound:,.0f}")
        print("\nhottest instructions, of all cycles")
        for (_, mode, pc), estimate in self.hottest():
            share = estimate.scaled(100 / self.cycles.value)
            print(f"  {'USHM'[mode]} 0x{pc:x}{share.value:>14.2f} % ± {share.bound:.2f}")


def profile(args):
    check(args)
    machine = Machine(args)
    if machine.files and machine.files.resolve() in (args.out.resolve(), *args.out.resolve().parents):
        raise Wrong(f"--files {machine.files}: --out is within it")
    args.out.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=args.out, prefix="windows-") as name:
        folder = pathlib.Path(name)
        windows = Windows(machine, args, folder)
        head, found = windows.run()
        first_line, executed, _ = read_where(folder / "golden")
        executions = {place: counts[0] for place, counts in executed.items()}
        chosen = windows.chosen(Sample(found, executions, args.confidence, head))
    instructions = sum(executions.values())
    if not any(window.instructions for window in found) and instructions > args.head:
        raise Wrong(f"no window: the program has {instructions:,} instructions; --period, --window and --warm-up "
                    "say where they are")
    result = Result(Sample(found, executions, args.confidence, head, chosen), first_line)
    result.show(args.confidence)
    print(f"\nprocessor time: golden machine {windows.golden_time:.1f} s, windows {windows.window_time:.1f} s")
    result.write_where(args.out / "profile.where")
    (args.out / "profile.json").write_text(json.dumps(
        {**result.as_dictionary(), "confidence": args.confidence, "seed": args.seed, "period": args.period,
         "window": args.window, "warm_up": args.warm_up, "golden_seconds": windows.golden_time,
         "window_seconds": windows.window_time}, indent=1) + "\n", encoding="utf-8")
    print(f"for tally-profile: {os.path.relpath(args.out / 'profile.where')}; "
          f"figures: {os.path.relpath(args.out / 'profile.json')}")
    return 0


def add_to(commands):
    command = commands.add_parser("profile", help="counts and profile of a program from windows on the RTL",
                                  usage="tally-farm profile [options] PROGRAM.elf [ARGUMENT...]\n"
                                        "       tally-farm profile [options] -- OPTIONS OF TALLY-ISS")
    numbers = {"--period": (800000, "instructions from one window to the next"),
               "--window": (10000, "instructions that a window counts"),
               "--warm-up": (2000, "instructions before them"),
               "--head": (500000, "instructions from reset on, all counted"),
               "--seed": (1, "chooses where in their periods windows are"),
               "--jobs": (2, "processes at a time"),
               "--pace": (1, "cycles of time that an instruction takes on the golden machine"),
               "--max-instructions": (0, "the run ends there"),
               "--max-cycles": (10000000, "a window that needs more has failed")}
    for name, (default, text) in numbers.items():
        command.add_argument(name, type=int, default=default, metavar="N", help=f"{text} ({default})")
    command.add_argument("--confidence", type=float, default=0.95, metavar="P", help="of the bounds (0.95)")
    command.add_argument("--memory", default="128M", metavar="SIZE", help="RAM of the program's machine (128M)")
    command.add_argument("--files", type=pathlib.Path, metavar="DIR", help="the folder whose files the program may use")
    command.add_argument("--out", type=pathlib.Path, default=pathlib.Path("build/farm"), metavar="DIR",
                         help="folder of the output (build/farm)")
    command.add_argument("program", nargs="...", help="an ELF file that runs above sw/program, and its arguments")
    command.set_defaults(run=profile)


def check(args):
    """An error of the numbers"""
    for name in ("period", "window", "jobs", "pace"):
        if getattr(args, name) < 1:
            raise Wrong(f"--{name}: at least 1")
    if min(args.warm_up, args.head, args.max_instructions) < 0 or not 0 < args.confidence < 1:
        raise Wrong("--warm-up, --head, --max-instructions: not below 0; --confidence: between 0 and 1")
    if args.warm_up + args.window > args.period:
        raise Wrong("--period: windows overlap")
