#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What calls of the SBI cost on the simulated machine: our firmware beside Debian's OpenSBI.

    scripts/bench_sbi.py [--build DIR] [--iss]

Prints cycles and instructions of each call, from the ecall to the instruction behind it, and the ratios to OpenSBI's.
`pmu_overflow` is what Linux asks for at an overflow interrupt: stop, start, start. --iss counts on the golden machine,
which is quick and has one cycle an instruction.
"""

import argparse
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
OPENSBI = pathlib.Path("/usr/share/qemu/opensbi-riscv64-generic-fw_dynamic.elf")


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
    parser = argparse.ArgumentParser(description="What calls of the SBI cost, side by side.")
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build")
    parser.add_argument("--iss", action="store_true", help="on the golden machine instead of the RTL")
    args = parser.parse_args()

    simulator = args.build / ("tally-iss" if args.iss else "tally-sim")
    program = args.build / "sw" / "bench_sbi.elf"
    ours = costs(simulator, args.build / "sw" / "firmware.elf", program)
    theirs = costs(simulator, OPENSBI, program) if OPENSBI.exists() else {}
    print(f"{'':30}{'Tally':>18}{'OpenSBI':>18}{'ratio':>18}")
    print(f"{'call':30}" + f"{'cycles':>9}{'insns':>9}" * 3)
    for call, (cycles, instructions) in ours.items():
        line = f"{call:30}{cycles:9}{instructions:9}"
        if call in theirs:
            line += f"{theirs[call][0]:9}{theirs[call][1]:9}"
            line += f"{cycles / theirs[call][0]:9.2f}{instructions / theirs[call][1]:9.2f}"
        print(line)


if __name__ == "__main__":
    main()
