#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Run the conformance suite on QEMU and compare the failures with a list.

    second_opinion.py SUITE [--bios FIRMWARE] [--bits 32|64] [--smp N] [--cpu CPU] [--memory SIZE]
                      [--differences PAGE]

Without --bios QEMU brings Debian's OpenSBI. PAGE is a document with a table whose rows begin with "| `test name` |":
these tests must fail, all others must not. So the page cannot go stale.
"""

import argparse
import pathlib
import re
import subprocess
import sys


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("suite")
    parser.add_argument("--bios")
    parser.add_argument("--bits", default="64")
    parser.add_argument("--smp", default="1")
    parser.add_argument("--memory", default="128M")
    parser.add_argument("--cpu", help="QEMU's word for the hart")
    parser.add_argument("--differences", type=pathlib.Path)
    args = parser.parse_args()

    expected = set()
    if args.differences:
        expected = set(re.findall(r"^\| `(\w+)` \|", args.differences.read_text(encoding="utf-8"), re.MULTILINE))
    command = [f"qemu-system-riscv{args.bits}", "-M", "virt", "-nographic", "-smp", args.smp, "-m", args.memory,
               "-kernel", args.suite]
    if args.cpu:
        command += ["-cpu", args.cpu]
    if args.bios:
        command += ["-bios", args.bios]
    done = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          timeout=300, check=False)
    text = done.stdout.decode(errors="replace")
    end = re.search(r"(\d+) tests, (\d+) failed, (\d+) skipped", text)
    if not end:
        print(text)
        sys.exit("the suite did not come to its end")
    failed = set(re.findall(r"^FAIL (\w+)\r?$", text, re.MULTILINE))
    for name in sorted(failed - expected):
        print(text[max(0, text.find(f"FAIL {name}") - 300):text.find(f"FAIL {name}")])
        print(f"{name} fails, and is not in the list of differences")
    for name in sorted(expected - failed):
        print(f"{name} is in the list of differences, but did not fail")
    print(f"{end.group(0)}, {len(expected)} differences known")
    sys.exit(0 if failed == expected else 1)


if __name__ == "__main__":
    main()
