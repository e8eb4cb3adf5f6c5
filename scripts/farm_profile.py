# SPDX-License-Identifier: Apache-2.0
"""tally-farm profile: a program's counts, CPI, top-down slots and profile from windows on the RTL (docs/farm.md)."""

import json
import os
import pathlib
import shutil
import tempfile

from farm_statistics import Estimate, Sample
from farm_windows import CAMPAIGN, KEPT, Campaign, Collected, Here, Machine, Wrong, read_golden

# Slots, one a cycle (spec/events.yaml)
TOPDOWN = {"retiring": lambda events: events["INST"], "front end": lambda events: events["TD_FE"],
           "back end": lambda events: events["TD_BE"],
           "bad speculation": lambda events: events["TD_BADSPEC"] + events["DISPATCH"] - events["INST"]}
SOURCES = {"L1": "L1", "STQ": "store queue", "MEM": "not in the cache", "DEVICE": "device"}  # tb/latency.h
HOTTEST = 10


# --- the results ------------------------------------------------------------------------------------------------------


class Result:
    def __init__(self, sample, first_line):
        self.sample, self.first_line = sample, first_line
        self.places, self.cycles = sample.profile()
        self.cpi = self.cycles.scaled(1 / sample.instructions)
        self.topdown = {name: sample.quotient(lambda window, slots=slots: slots(window.events),
                                              lambda window: window.cycles) for name, slots in TOPDOWN.items()}
        self.latencies = {source: sample.quotient(lambda window, source=source: window.loads.get(source, (0, 0))[1],
                                                  lambda window, source=source: window.loads.get(source, (0, 0))[0])
                          for source in SOURCES}
        names = sorted({name for window in [*sample.windows, sample.head] for name in window.events})
        self.events = {name: sample.total(lambda window, name=name: window.events[name]) for name in names}
        self.events["INST"] = Estimate(sample.instructions, 0.0)
        self.events["CYCLE"] = self.cycles

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
                "cycles": pair(self.cycles), "cpi": pair(self.cpi),
                "topdown": {name: pair(estimate) for name, estimate in self.topdown.items()},
                "latencies": {source: pair(estimate) for source, estimate in self.latencies.items()},
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
        print("\ncycles of a load, by where its data came from")
        for source, estimate in self.latencies.items():
            if estimate.value:
                print(f"  {SOURCES[source]:<18}{estimate.value:>14.2f} ± {estimate.bound:.2f}")
        print("\nevents")
        for name, estimate in self.events.items():
            if estimate.value and name not in ("CYCLE", "INST"):
                print(f"  {name:<18}{estimate.value:>16,.0f} ± {estimate.bound:,.0f}")
        print("\nhottest instructions, of all cycles")
        for (_, mode, pc), estimate in self.hottest():
            share = estimate.scaled(100 / self.cycles.value)
            print(f"  {'USHM'[mode]} 0x{pc:x}{share.value:>14.2f} % ± {share.bound:.2f}")


NUMBERS = {  # options: default, and text
    "--period": (1200000, "instructions from one window to the next"),
    "--window": (15000, "instructions that a window counts"),
    "--warm-up": (2000, "instructions before them"),
    "--head": (500000, "instructions from reset on, all counted"),
    "--seed": (1, "chooses where in their periods windows are"),
    "--jobs": (2, "processes at a time"),
    "--max-instructions": (0, "the run ends there"),
    "--max-cycles": (10000000, "a window that needs more has failed")}


def profile(args):
    folder = args.out / "windows"
    check(args)
    if args.collect:
        if args.program or args.campaign:
            raise Wrong("--collect: neither with a program nor with --campaign")
        for name in KEPT:
            if getattr(args, name) != NUMBERS[f"--{name}".replace("_", "-")][0]:
                raise Wrong(f"--{name.replace('_', '-')}: the campaign that is collected has its own")
        return estimate(args, folder, Collected(folder, args))
    machine = Machine(args)
    if machine.files and machine.files.resolve() in (args.out.resolve(), *args.out.resolve().parents):
        raise Wrong(f"--files {machine.files}: --out is within it")
    try:
        args.out.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise Wrong(f"--out {args.out}: {error.strerror}") from None
    if args.campaign:
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir()
        count = Campaign(machine, args, folder.resolve()).write()
        campaign = pathlib.Path(os.path.relpath(folder / CAMPAIGN))
        print(f"{count} windows: tally-farm run {campaign} --database {campaign.with_suffix('.sqlite')}, then "
              f"tally-farm profile --collect --out {os.path.relpath(args.out)}")
        return 0
    with tempfile.TemporaryDirectory(dir=args.out, prefix="windows-") as name:
        return estimate(args, pathlib.Path(name), Here(machine, args, pathlib.Path(name)))


def estimate(args, folder, windows):
    """From windows, the run's figures"""
    head, found = windows.run()
    first_line, golden = read_golden(folder / "golden")
    chosen = windows.chosen(Sample(found, golden, args.confidence, head))
    instructions = sum(counts[0] for counts in golden.places.values())
    if not any(window.instructions for window in found) and instructions > args.head:
        raise Wrong(f"no window: the program has {instructions:,} instructions; --period, --window and --warm-up "
                    "say where they are")
    result = Result(Sample(found, golden, args.confidence, head, chosen), first_line)
    result.show(args.confidence)
    print(f"\nprocessor time: golden machine {windows.golden_time:.1f} s" +
          (f", windows {windows.window_time:.1f} s" if windows.window_time else ""))
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
    for name, (default, text) in NUMBERS.items():
        command.add_argument(name, type=int, default=default, metavar="N", help=f"{text} ({default})")
    command.add_argument("--confidence", type=float, default=0.95, metavar="P", help="of the bounds (0.95)")
    command.add_argument("--memory", default="128M", metavar="SIZE", help="RAM of the program's machine (128M)")
    command.add_argument("--files", type=pathlib.Path, metavar="DIR", help="the folder whose files the program may use")
    command.add_argument("--out", type=pathlib.Path, default=pathlib.Path("build/farm"), metavar="DIR",
                         help="folder of the output (build/farm)")
    command.add_argument("--campaign", action="store_true",
                         help="only write the windows, as a campaign in OUT/windows")
    command.add_argument("--collect", action="store_true", help="the results of that campaign")
    command.add_argument("program", nargs="...", help="an ELF file that runs above sw/program, and its arguments")
    command.set_defaults(run=profile)


def check(args):
    """An error of the numbers"""
    for name in ("period", "window", "jobs"):
        if getattr(args, name) < 1:
            raise Wrong(f"--{name}: at least 1")
    if min(args.warm_up, args.head, args.max_instructions) < 0 or not 0 < args.confidence < 1:
        raise Wrong("--warm-up, --head, --max-instructions: not below 0; --confidence: between 0 and 1")
    if args.warm_up + args.window > args.period:
        raise Wrong("--period: windows overlap")
    if 0 < args.head < args.warm_up:
        raise Wrong("--head: 0, or not below --warm-up")
