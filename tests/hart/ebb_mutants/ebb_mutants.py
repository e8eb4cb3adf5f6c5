#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Mutants of the wires between the reference hart and the unit for event-based branches: does lockstep catch them?

    ebb_mutants.py --rtl FOLDER                            write the faulty form of the two files
    ebb_mutants.py --run SIMULATOR [options] PROGRAM...    run the mutants

Each bit of each wire is stuck at 0, stuck at 1, inverted, or a cycle late: in the RTL, so that the hart, or the unit
and the golden model beside it, continue with the wrong value. A mutant dies when the simulator ends one of the programs
with a failure; the machine without a mutant must pass them all.

  --least PERCENT  that must die (99)
  --jobs N         simulators at a time
  --verbose        say what killed each

Bits that are always the same in this hart have no mutants that keep them so, and wires that a delay does not
affect, for the reason given beside them, none that are late. Exit status 0 if enough die; those alive are named.
"""

import argparse
import concurrent.futures
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[3]
KINDS = ("stuck at 0", "stuck at 1", "inverted", "a cycle late")
LIMITS = ["--quiet", "--lockstep", "--max-cycles", "40000000"]
SECONDS = 600  # a program

UNIT, COMMIT = "tally_pmu_adapter.v", "tally_commit.v"


class Wire:
    """`where` it is: of the file UNIT a port of the unit, of COMMIT a net; `always`: {bit: its value in this hart};
    `steady`: why a cycle makes no difference."""

    def __init__(self, name, where, width=1, always=None, steady=""):
        self.name, self.where, self.width, self.steady = name, where, width, steady
        self.always = always or {}
        self.first = 0

    def mutants(self):
        """(number, bit, kind)"""
        for bit in range(self.width):
            for number, kind in enumerate(KINDS):
                if bit in self.always and kind not in ("inverted", f"stuck at {1 - self.always[bit]}"):
                    continue
                if not (kind == "a cycle late" and self.steady):
                    yield self.first + 4 * bit + number, bit, kind


WIRES = [
    Wire("ebb_req_o", UNIT),
    Wire("ebb_target_o", UNIT, 64, {0: 0}, "set by an instruction before that which sets GE"),
    Wire("ebb_return_o", UNIT, 64, {0: 0}, "set before uebret is decoded"),
    Wire("uebret_illegal_o", UNIT, steady="what changes it refills the pipeline"),
    Wire("uebret_virtual_o", UNIT, always={0: 0}),  # no hypervisor
    Wire("ebb_ack_i", UNIT),
    Wire("ret_uebret_i", UNIT),
    Wire("ret_uebret_ge_i", UNIT, steady="uebret is the oldest for two cycles before it retires"),
    Wire("ret_next_pc_i", UNIT, 64, {0: 0}, "where nothing retires it stays, but for a trap, which changes the mode"),
    Wire("ret_mode_i", UNIT, 2),                    # no hypervisor: bit 2 means nothing
    Wire("mode_debug_i", UNIT, always={0: 0}),      # no Debug Mode
    Wire("env_sstateen0_i", UNIT, 1),               # C, bit 0; the unit reads no other
    Wire("probe_ebb", COMMIT),
]
FIRST = 1
for w in WIRES:
    w.first, FIRST = FIRST, FIRST + 4 * w.width


def port_faulty(text, wire):
    """Put the wire between the port of the unit and the hart's signal."""
    found = re.search(rf"\.{wire.name}\s*\((.*)\),\n", text)
    other = found.group(1)
    to_unit = wire.name.endswith("_i")
    whole = {"ret_mode_i": 3, "env_sstateen0_i": 32}.get(wire.name, wire.width)
    near, far = f"near_{wire.name}", f"far_{wire.name}"  # hart's end, unit's end
    bits = f"[{wire.width - 1}:0]"
    lines = [f"  wire [{whole - 1}:0] {near}, {far};"]
    if to_unit:
        lines += [f"  assign {near} = {other};"]
        if whole > wire.width:
            lines += [f"  assign {far}[{whole - 1}:{wire.width}] = {near}[{whole - 1}:{wire.width}];"]
    else:
        lines += [f"  assign {other} = {near};"]
    source, sink = (near, far) if to_unit else (far, near)
    lines += [f"  tally_faulty_wire #(.W({wire.width}), .FIRST({wire.first})) u_faulty_{wire.name} (",
              f"      .clk(clk), .in_i({source}{bits}), .out_o({sink}{bits})", "  );", ""]
    text = text.replace(found.group(0), f".{wire.name}({far}),\n")
    return text.replace("  tally_pmu #(\n", "\n".join(lines) + "\n  tally_pmu #(\n", 1)


def net_faulty(text, wire):
    found = re.search(rf"\n  wire +{wire.name} += (.*);\n", text)
    return text.replace(found.group(0), f"""
  wire {wire.name};
  tally_faulty_wire #(.W(1), .FIRST({wire.first})) u_faulty_{wire.name} (
      .clk(clk), .in_i({found.group(1)}), .out_o({wire.name})
  );
""")


def write_rtl(folder):
    for where, change in ((UNIT, port_faulty), (COMMIT, net_faulty)):
        path, = (ROOT / "rtl" / "hart").rglob(where)
        text = path.read_text(encoding="utf-8")
        for wire in WIRES:
            if wire.where == where:
                text = change(text, wire)
        (folder / where).write_text(text, encoding="utf-8")


def killer(simulator, programs, number):
    """The name of the first program that fails, or None."""
    with tempfile.TemporaryDirectory() as scratch:
        (pathlib.Path(scratch) / "fault.hex").write_text(f"{number:x}\n", encoding="utf-8")
        for program in programs:
            try:
                run = subprocess.run([simulator, "-bios", program, *LIMITS], cwd=scratch, stdin=subprocess.DEVNULL,
                                     stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, check=False,
                                     timeout=SECONDS)
            except subprocess.TimeoutExpired:
                return program.stem + ": time"
            if run.returncode:
                return program.stem + ": " + run.stderr.strip().split("\n")[0]
    return None


def run_all(args):
    programs = [path.resolve() for path in args.program]
    wrong = killer(args.run.resolve(), programs, 0)
    if wrong:
        print(f"ebb_mutants: the machine without a mutant fails: {wrong}")
        return 1
    mutants = [(wire, *mutant) for wire in WIRES for mutant in wire.mutants()]
    dead = 0
    with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
        for (wire, _, bit, kind), why in zip(mutants, pool.map(
                lambda mutant: killer(args.run.resolve(), programs, mutant[1]), mutants)):
            dead += why is not None
            if why is None or args.verbose:
                print(f"{'killed' if why else 'alive'}: {wire.name}[{bit}] {kind}" + (f" by {why}" if why else ""))
    print(f"ebb_mutants: {dead} of {len(mutants)} mutants killed")
    return 0 if dead * 100 >= len(mutants) * args.least else 1


def main():
    parser = argparse.ArgumentParser(description="Mutants of the hart's wires for event-based branches.")
    parser.add_argument("--rtl", type=pathlib.Path)
    parser.add_argument("--run", type=pathlib.Path)
    parser.add_argument("--least", type=float, default=99)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--verbose", action="store_true")
    parser.add_argument("program", nargs="*", type=pathlib.Path)
    args = parser.parse_args()
    if args.rtl:
        write_rtl(args.rtl)
        return 0
    return run_all(args)


if __name__ == "__main__":
    sys.exit(main())
