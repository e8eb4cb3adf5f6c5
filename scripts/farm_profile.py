# SPDX-License-Identifier: Apache-2.0
"""tally-farm profile: a program's counts, CPI, top-down slots and profile from windows on the RTL (docs/farm.md)."""

import collections
import concurrent.futures
import json
import os
import pathlib
import random
import shlex
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


class Wrong(Exception):
    """What is wrong, in a line"""


def run(command):
    """(exit status, what it said, processor time in seconds)"""
    with tempfile.TemporaryFile() as said:
        with subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=said) as process:
            _, status, usage = os.wait4(process.pid, 0)
            process.returncode = os.waitstatus_to_exitcode(status)
        said.seek(0)
        return process.returncode, said.read().decode(errors="replace").strip(), usage.ru_utime + usage.ru_stime


def read_where(path):
    """(first line, {(mode, pc): [counts]}, {event: occurrences})"""
    places, events = {}, collections.Counter()
    with open(path, encoding="utf-8") as lines:
        first = next(lines)
        for line in lines:
            words = line.split()
            if words[0] == "pc":
                places[int(words[2]), int(words[3], 16)] = [int(word) for word in words[4:]]
            else:
                events[words[2]] = int(words[3])
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
                            "--program", str(path)]
            self.arguments = ["--", *program[1:]]
        for option in ("-smp", "--smp", "--files", "--restore", "--where"):
            if option in self.options:
                raise Wrong(f"{option}: not in sampled runs")

    def command(self, tool, *more):
        return [str(self.build / tool), *self.options, *map(str, more), *self.arguments]


class Windows:
    """The golden run and its windows. Checkpoints are taken as they come; a window's file goes when it has run."""

    def __init__(self, machine, args, folder):
        self.machine, self.args, self.folder = machine, args, folder
        self.first = random.Random(args.seed).randrange(args.period)
        self.done = threading.Event()
        self.golden_time = self.window_time = 0.0

    def golden(self):
        args = self.args
        more = ["--max-instructions", args.max_instructions] if args.max_instructions else []
        try:
            command = self.machine.command("tally-iss", "--where", self.folder / "golden", "--checkpoint",
                                           self.folder / "cut", "--at", f"every:{args.period}+{self.first}", *more)
            status, said, self.golden_time = run(command)
        finally:
            self.done.set()
        limited = status == 4 and args.max_instructions
        if not (self.folder / "golden").exists() or (status and not limited):
            raise Wrong(f"the golden machine ended with exit status {status}: {said or 'nothing said'}\n"
                        f"{shlex.join(command)}")

    def window(self, cut):
        args, where = self.args, cut.with_name(cut.name.replace("cut", "where"))
        warm = ["--warm-up", args.warm_up] if args.warm_up else []
        command = self.machine.command("tally-sim", "--restore", cut, *warm, "--window", args.window, "--where", where,
                                       "--max-cycles", args.max_cycles)
        status, said, seconds = run(command)
        if not where.exists() or status == 4:
            raise Wrong(f"the window from instruction {cut.suffix[1:]} on: exit status {status}: {said}\n"
                        f"{shlex.join(command)}")
        window = read_window(where)
        cut.unlink()
        where.unlink()
        self.window_time += seconds  # one thread adds at a time: the lock of the interpreter
        return window

    def cuts(self):
        """Checkpoints in order as they are written"""
        at = self.first
        while True:
            finished = self.done.is_set()
            path = self.folder / f"cut.{at}"
            if path.exists():
                yield path
                at += self.args.period
            elif finished:
                return
            else:
                time.sleep(POLL)

    def run(self):
        """[Window]"""
        with concurrent.futures.ThreadPoolExecutor(self.args.jobs) as pool:
            golden = pool.submit(self.golden)
            windows = [pool.submit(self.window, cut) for cut in self.cuts()]
            golden.result()
            try:
                return [window.result() for window in windows]
            finally:
                pool.shutdown(cancel_futures=True)


# --- what comes of it -------------------------------------------------------------------------------------------------


class Result:
    def __init__(self, sample, first_line):
        self.sample, self.first_line = sample, first_line
        self.places, self.cycles = sample.profile()
        self.cpi = self.cycles.scaled(1 / sample.instructions)
        self.plain_cpi = sample.ratio(lambda window: window.cycles, lambda window: window.instructions)
        self.topdown = {name: sample.ratio(lambda window, slots=slots: slots(window.events),
                                           lambda window: window.cycles) for name, slots in TOPDOWN.items()}
        names = sorted({name for window in sample.windows for name in window.events})
        self.events = {name: sample.rate(name).scaled(sample.instructions) for name in names}
        self.events["INST"] = Estimate(sample.instructions, 0.0)
        self.events["CYCLE"] = self.cycles

    def hottest(self):
        return sorted(self.places.items(), key=lambda item: -item[1].value)[:HOTTEST]

    def write_where(self, path):
        """As tally-sim --where, for tally-profile"""
        with open(path, "w", encoding="utf-8") as file:
            file.write(self.first_line)
            for (mode, pc), estimate in self.places.items():
                file.write(f"pc 0 {mode} 0x{pc:x} {round(estimate.value)}\n")
            for name, estimate in self.events.items():
                file.write(f"event 0 {name} {round(estimate.value)}\n")

    def as_dictionary(self):
        def pair(estimate):
            return [estimate.value, estimate.bound]
        sample = self.sample
        return {"instructions": sample.instructions, "windows": len(sample.windows), "counted": sample.counted,
                "counted_cycles": sum(window.cycles for window in sample.windows),
                "cycles": pair(self.cycles), "cpi": pair(self.cpi), "plain_cpi": pair(self.plain_cpi),
                "topdown": {name: pair(estimate) for name, estimate in self.topdown.items()},
                "events": {name: pair(estimate) for name, estimate in self.events.items()}}

    def show(self, confidence):
        sample = self.sample
        print(f"{sample.instructions:,} instructions; {len(sample.windows)} windows, {sample.counted:,} instructions "
              f"on the RTL; {100 * confidence:g} % confidence")
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
        for (mode, pc), estimate in self.hottest():
            share = estimate.scaled(100 / self.cycles.value)
            print(f"  {'USHM'[mode]} 0x{pc:x}{share.value:>14.2f} % ± {share.bound:.2f}")


def profile(args):
    check(args)
    machine = Machine(args)
    args.out.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=args.out, prefix="windows-") as name:
        folder = pathlib.Path(name)
        windows = Windows(machine, args, folder)
        found = windows.run()
        first_line, executed, _ = read_where(folder / "golden")
    executions = {place: counts[0] for place, counts in executed.items()}
    instructions = sum(executions.values())
    if not any(window.instructions for window in found):
        raise Wrong(f"no window: the program has {instructions:,} instructions; --period, --window and --warm-up "
                    "say where they are")
    result = Result(Sample(found, instructions, executions, args.confidence), first_line)
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
    numbers = {"--period": (2000000, "instructions from one window to the next"),
               "--window": (10000, "instructions that a window counts"),
               "--warm-up": (30000, "instructions before them"),
               "--seed": (1, "chooses where the first window begins"),
               "--jobs": (2, "processes at a time"),
               "--max-instructions": (0, "the run ends there"),
               "--max-cycles": (10000000, "a window that needs more has failed")}
    for name, (default, text) in numbers.items():
        command.add_argument(name, type=int, default=default, metavar="N", help=f"{text} ({default})")
    command.add_argument("--confidence", type=float, default=0.95, metavar="P", help="of the bounds (0.95)")
    command.add_argument("--memory", default="128M", metavar="SIZE", help="RAM of the program's machine (128M)")
    command.add_argument("--out", type=pathlib.Path, default=pathlib.Path("build/farm"), metavar="DIR",
                         help="what is written goes there (build/farm)")
    command.add_argument("program", nargs="...", help="an ELF file that runs above sw/program, and its arguments")
    command.set_defaults(run=profile)


def check(args):
    """What is wrong with the numbers"""
    for name in ("period", "window", "jobs"):
        if getattr(args, name) < 1:
            raise Wrong(f"--{name}: at least 1")
    if min(args.warm_up, args.max_instructions) < 0 or not 0 < args.confidence < 1:
        raise Wrong("--warm-up, --max-instructions: not below 0; --confidence: between 0 and 1")
    if args.warm_up + args.window > args.period:
        raise Wrong("--period: windows overlap")
