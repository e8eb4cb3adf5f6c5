#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Run the workloads on the simulated machine, above the firmware, in lockstep with the golden models.

    scripts/run.py [--build DIR] [--jobs N] [--no-lockstep] [WORKLOAD...]

Each program checks its own result and prints what it read from the counters; in lockstep the golden unit answers every
such read, so a count that is printed is a count that both agree on. The last line says PASS or FAIL, and so does the
exit status.
"""

import argparse
import concurrent.futures
import pathlib
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
MAX_CYCLES = 200_000_000
TIME_LIMIT = 600  # seconds, a workload


def simulate(build, name, lockstep):
    """(exit status or None if it took too long, output, seconds) of one workload."""
    command = [str(build / "tally-sim"), "-bios", str(build / "sw" / "firmware.elf"),
               "-kernel", str(build / "sw" / f"workload_{name}.elf"), "--max-cycles", str(MAX_CYCLES), "--quiet"]
    if lockstep:
        command.append("--lockstep")
    start = time.monotonic()
    try:
        done = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              timeout=TIME_LIMIT, check=False)
        return done.returncode, done.stdout.decode(errors="replace"), time.monotonic() - start
    except subprocess.TimeoutExpired as late:
        return None, (late.stdout or b"").decode(errors="replace"), time.monotonic() - start


def main(argv):
    parser = argparse.ArgumentParser(description="Run the workloads in lockstep with the golden models.")
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--no-lockstep", action="store_true", help="the machine alone")
    parser.add_argument("workloads", nargs="*", metavar="WORKLOAD", help="all of them if none is named")
    args = parser.parse_args(argv)

    listed = args.build / "sw" / "workloads.txt"
    if not listed.exists():
        parser.error(f"{listed} is not there: build first (make build)")
    known = listed.read_text(encoding="utf-8").split()
    unknown = [name for name in args.workloads if name not in known]
    if unknown:
        parser.error(f"no workload {unknown[0]}; there are: {', '.join(known)}")
    names = args.workloads or known

    failed = []
    start = time.monotonic()
    with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
        runs = [pool.submit(simulate, args.build, name, not args.no_lockstep) for name in names]
        for name, one in zip(names, runs):
            status, output, seconds = one.result()
            print(output.rstrip())
            verdict = "ok" if status == 0 else "timed out" if status is None else f"FAILED, status {status}"
            if status != 0:
                failed.append(name)
            print(f"{name}: {verdict} ({seconds:.1f} s)", flush=True)
    how = "alone" if args.no_lockstep else "in lockstep with the golden models"
    seconds = time.monotonic() - start
    if failed:
        print(f"FAIL: {len(failed)} of {len(names)} workloads {how}: {', '.join(failed)} ({seconds:.0f} s)")
        return 1
    print(f"PASS: {len(names)} workloads {how} ({seconds:.0f} s)")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
