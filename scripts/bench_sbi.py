#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The cost of SBI calls on the simulated machine: our firmware and Debian's OpenSBI.

    scripts/bench_sbi.py [--build DIR] [--iss] [--update]

Prints cycles and instructions of each call, from the ecall to the next instruction, and the ratios to OpenSBI's.
--iss: on the golden machine, with one cycle an instruction. --update: writes the table into docs/firmware.md.
"""

import argparse
import pathlib
import subprocess
import sys

import marked

ROOT = pathlib.Path(__file__).resolve().parent.parent
OPENSBI = pathlib.Path("/usr/share/qemu/opensbi-riscv64-generic-fw_dynamic.elf")

# The program's names of calls, and ours where they need one
CALLS = {"null": "a call that reads a constant (BASE)",
         "pmu_counter_start": "`counter_start` with a value",
         "pmu_counter_stop_reset": "`counter_stop`, RESET",
         "pmu_overflow": "an overflow as Linux serves it: stop, start, start",
         "time_set_timer": "`set_timer`"}


def costs(simulator, bios, program):
    """{call: (cycles, instructions)} under one firmware."""
    done = subprocess.run([simulator, "-bios", bios, "-kernel", program, "--quiet", "--max-cycles", "100000000"],
                          stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, check=False, text=True)
    if done.returncode != 0:
        sys.exit(f"{bios}: exit status {done.returncode}\n{done.stdout}")
    rows = (line.split() for line in done.stdout.splitlines())
    return {row[0]: (int(row[1]), int(row[2])) for row in rows
            if len(row) == 3 and row[1].isdigit() and row[2].isdigit()}


def main():
    parser = argparse.ArgumentParser(description="The cost of SBI calls, side by side.")
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build")
    parser.add_argument("--iss", action="store_true", help="on the golden machine instead of the RTL")
    parser.add_argument("--update", action="store_true", help="write the table into docs/firmware.md")
    args = parser.parse_args()
    if args.iss and args.update:
        parser.error("--update: the document's table is of the RTL")

    simulator = args.build / ("tally-iss" if args.iss else "tally-sim")
    program = args.build / "sw" / "bench_sbi.elf"
    ours = costs(simulator, args.build / "sw" / "firmware.elf", program)
    theirs = costs(simulator, OPENSBI, program) if OPENSBI.exists() else {}
    rows = []
    for call, (cycles, instructions) in ours.items():
        row = [CALLS.get(call, f"`{call.removeprefix('pmu_')}`"), f"{cycles:,}", "", "", f"{instructions:,}", "", ""]
        if call in theirs:
            row[2:4] = f"{theirs[call][0]:,}", f"{cycles / theirs[call][0]:.2f}"
            row[5:7] = f"{theirs[call][1]:,}", f"{instructions / theirs[call][1]:.2f}"
        rows.append(row)
    lines = marked.table(["call", "cycles", "OpenSBI", "ratio", "instructions", "OpenSBI", "ratio"], rows)
    print("\n".join(lines))
    if args.update:
        marked.write(ROOT / "docs" / "firmware.md", "calls", lines)


if __name__ == "__main__":
    main()
