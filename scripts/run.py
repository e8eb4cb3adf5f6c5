#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Run the workloads on the simulated machine, above the firmware, in lockstep with the golden models, and profile them.

    scripts/run.py [--build DIR] [--jobs N] [--no-lockstep] [--no-profile] [WORKLOAD...]

Each program checks its own result and prints its counters; in lockstep the golden unit answers every read too, so both
agree on each printed count. Then each runs once more with sampling: each cycle attributed to the instruction that
caused it, and the fate of sampled instructions, as text and as a page in the build directory. Without names the
examples of event-based branches (docs/ebb.md) run too. The last line is PASS or FAIL, and the exit status agrees.
"""

import argparse
import concurrent.futures
import pathlib
import subprocess
import sys
import time

from cmake_cache import setting

ROOT = pathlib.Path(__file__).resolve().parent.parent
MAX_CYCLES = 200_000_000
TIME_LIMIT = 600  # seconds, a workload


def simulate(build, program, options, lockstep, threads):
    """(exit status or None if it took too long, output, seconds) of one program."""
    command = [str(build / "tally-sim"), "-bios", str(build / "sw" / "firmware.elf"),
               "-kernel", str(build / "sw" / f"{program}.elf"), "--max-cycles", str(MAX_CYCLES), "--quiet", *options]
    if lockstep:
        command += ["--lockstep", "--lockstep-threads", str(threads)]
    start = time.monotonic()
    try:
        done = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              timeout=TIME_LIMIT, check=False)
        return done.returncode, done.stdout.decode(errors="replace"), time.monotonic() - start
    except subprocess.TimeoutExpired as late:
        return None, (late.stdout or b"").decode(errors="replace"), time.monotonic() - start


# Kinds of samples, in terms of sw/common/sampled.h: cycles by overflows, and instructions by batches
SAMPLED = {"kind": 6, "period": 997, "instructions": 251, "jitter": 255}


def can_sample(build):
    return setting(build, "TALLY_SAMPLING") in ("ON", "1", "TRUE")


def sample(build, name):
    """The file of records of one workload, with its call stacks beside it; None if it failed, which has been said."""
    records = build / "profile" / f"{name}.samples"
    command = [str(build / "tally-sim"), "-bios", str(build / "sw" / "firmware.elf"),
               "-kernel", str(build / "sw" / f"sampled_{name}.elf"), "--max-cycles", str(MAX_CYCLES), "--quiet",
               "--delegate", "0x8", "--records", str(records), "--stacks", str(records.with_suffix(".stacks"))]
    for parameter, value in SAMPLED.items():
        command += ["--set", f"sampled_{parameter}={value}"]
    done = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          text=True, check=False)
    if done.returncode == 0:
        return records
    print(f"{name}, sampled: FAILED, status {done.returncode}\n{done.stdout}")
    return None


def profile(build, names, jobs):
    """Where the cycles went: text, and a page. False if anything failed."""
    (build / "profile").mkdir(exist_ok=True)
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        files = list(pool.map(lambda name: sample(build, name), names))
    if not all(files):
        return False
    pairs = [str(path) for name, records in zip(names, files)
             for path in (records, build / "sw" / f"sampled_{name}.elf")]
    page = build / "profile.html"
    tool = str(build / "tally-profile")
    firmware = ["--firmware", str(build / "sw" / "firmware.elf")]
    print("\nWhere the cycles went, by function (samples of the cycle counter, each attributed to its cause),\n"
          "in the modes that the tables above count:\n", flush=True)
    brief = subprocess.run([tool, "--brief", "--top", "4", *firmware, *pairs], check=False)
    stacks = [word for records in files for word in ("--stacks", str(records.with_suffix(".stacks")))]
    html = subprocess.run([tool, "--quiet", "--interrupts", "--html", str(page), *stacks, *firmware, *pairs],
                          check=False)
    print(f"\nFlame graphs, lines, instructions and their latencies: {page}")
    return brief.returncode == 0 and html.returncode == 0


def main(argv):
    parser = argparse.ArgumentParser(description="Run the workloads in lockstep with the golden models.")
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--no-lockstep", action="store_true", help="the machine alone")
    parser.add_argument("--no-profile", action="store_true", help="do not sample them")
    parser.add_argument("workloads", nargs="*", metavar="WORKLOAD", help="all of them if none is named")
    args = parser.parse_args(argv)

    if args.jobs < 1:
        parser.error(f"--jobs {args.jobs}: at least 1")
    listed = args.build / "sw" / "workloads.txt"
    if not listed.exists():
        parser.error(f"{listed} is not there: build first (make build)")
    known = listed.read_text(encoding="utf-8").split()
    unknown = [name for name in args.workloads if name not in known]
    if unknown:
        parser.error(f"no workload {unknown[0]}; there are: {', '.join(known)}")
    names = args.workloads or known
    examples = [] if args.workloads else (args.build / "sw" / "examples.txt").read_text(encoding="utf-8").split()
    programs = [(name, f"workload_{name}", ()) for name in names]
    programs += [(name, f"example_{name}", ("--delegate", "0x8", "--ebb")) for name in examples]

    failed = []
    start = time.monotonic()
    with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
        threads = int(args.jobs == 1)  # a second thread pays where a processor is idle
        runs = [pool.submit(simulate, args.build, program, options, not args.no_lockstep, threads)
                for _, program, options in programs]
        for (name, _, _), one in zip(programs, runs):
            status, output, seconds = one.result()
            print(output.rstrip())
            verdict = "ok" if status == 0 else "timed out" if status is None else f"FAILED, status {status}"
            if status != 0:
                failed.append(name)
            print(f"{name}: {verdict} ({seconds:.1f} s)", flush=True)
    if not args.no_profile and can_sample(args.build) and not profile(args.build, names, args.jobs):
        failed.append("profile")
    how = "alone" if args.no_lockstep else "in lockstep with the golden models"
    what = f"{len(names)} workloads" + (f" and {len(examples)} examples" if examples else "")
    seconds = time.monotonic() - start
    if failed:
        print(f"FAIL: {what} {how}; failed: {', '.join(failed)} ({seconds:.0f} s)")
        return 1
    print(f"PASS: {what} {how} ({seconds:.0f} s)")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
