#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A fault inside the firmware is reported on the firmware's own stack, and stops the machine.

    faults.py FIRMWARE PAYLOAD [--kinds N,...] [--paths NAME,...] [--no-smepmp] [--other-hart] --machine COMMAND...

FIRMWARE is a build with a deliberate fault in the path of every call (deliberate_fault.S). PAYLOAD asks for one of
them, with registers that point nowhere. Each kind in each path must end with the firmware's report: the right cause,
the supervisor not running again. --other-hart: on a machine with two harts it is asked for by the one that did not
boot, while the other one calls too.
"""

import argparse
import re
import subprocess
import sys

# The trap's cause (privileged manual, mcause), by kind
CAUSES = {1: 5, 2: 7, 3: 1, 4: 2, 5: 7, 6: 7, 7: 7, 8: 5, 9: 5, 10: 11, 11: 1, 12: 7,
          13: 1, 14: 1, 15: 5}
# Without Smepmp M-mode may do these
SMEPMP = {13, 14, 15}

# The misaligned access that is emulated (0), and extensions of the SBI
PATHS = {"emulated access": 0, "legacy": 1, "base": 0x10, "time": 0x54494D45, "ipi": 0x735049, "rfence": 0x52464E43,
         "hsm": 0x48534D, "srst": 0x53525354, "pmu": 0x504D55, "dbcn": 0x4442434E, "susp": 0x53555350,
         "fwft": 0x46574654, "sse": 0x535345}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("firmware")
    parser.add_argument("payload")
    parser.add_argument("--kinds", default=",".join(map(str, CAUSES)))
    parser.add_argument("--no-smepmp", action="store_true", help="the machine has none: leave out its tests")
    parser.add_argument("--other-hart", action="store_true")
    parser.add_argument("--paths", default=",".join(PATHS))
    parser.add_argument("--machine", nargs=argparse.REMAINDER, required=True)
    args = parser.parse_args()

    wrong = runs = 0
    for path in args.paths.split(","):
        for kind in map(int, args.kinds.split(",")):
            if args.no_smepmp and kind in SMEPMP:
                continue
            command = [*args.machine, "-bios", args.firmware, "-kernel", args.payload,
                       "-append", f"fault={kind:x}:{PATHS[path]:x}{':2' if args.other_hart else ''};"]
            done = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                                  timeout=120, check=False)
            text = done.stdout.decode(errors="replace")
            report = re.search(r"trap inside the firmware: cause (\w+)", text)
            runs += 1
            if not report or int(report.group(1), 16) != CAUSES[kind]:
                wrong += 1
                print(f"{path}, fault {kind}: expected a report of cause {CAUSES[kind]:x}, status {done.returncode}:")
                print(text)
    print(f"{runs} faults, {wrong} wrong")
    sys.exit(wrong != 0)


if __name__ == "__main__":
    main()
