#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Do what docs/first-hour.md says, word for word, and see what it shows; numbers of the shown output may differ.

    test_first_hour.py BUILD            with a build directory that is there: without the blocks of set-up
    test_first_hour.py --clean FOLDER   from a clone of the sources in FOLDER, with everything
"""

import os
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent


def steps(text):
    """(kind, what): files to write, commands to type, output to see."""
    name = None
    for line, block_kind, block in re.findall(r"^([^\n]*)\n+```(\w+(?: setup)?)\n(.*?)^```$", text, re.M | re.S):
        named = re.search(r"Write this to `([^`]+)`", line)
        if block_kind == "c":
            name = named[1]
            yield "file", (name, block)
        else:
            yield block_kind, block
    assert name, "the page has a program"


def masked(text):
    return re.sub(r"\s+", " ", re.sub(r"0x[0-9a-f]+|\d[\d,.]*", "N", text)).strip()


def shown(expected, output):
    """The lines of `expected` that are not in the output, in this order."""
    lines = [masked(line) for line in output.splitlines()]
    missing, at = [], 0
    for line in map(masked, expected.splitlines()):
        found = next((i for i in range(at, len(lines)) if lines[i].startswith(line)), None)
        if found is None:
            missing.append(line)
        else:
            at = found + 1
    return missing


def main(argv):
    clean = argv[0] == "--clean"
    root = pathlib.Path(argv[1]).resolve() if clean else ROOT
    build = root / "build" if clean else pathlib.Path(argv[0]).resolve()
    env = {**os.environ, "BUILD": "build" if build == root / "build" else str(build), "LC_ALL": "C"}
    env.pop("MAKEFLAGS", None)

    def here(text):
        return text if build == root / "build" else re.sub(r"(?<![\w/])build/", f"{build}/", text)

    output, wrong = "", 0
    for kind, what in steps((ROOT / "docs" / "first-hour.md").read_text(encoding="utf-8")):
        if kind == "file":
            (root / here(what[0])).write_text(what[1], encoding="utf-8")
        elif kind == "text":
            missing = shown(here(what), output)
            wrong += len(missing)
            for line in missing:
                print(f"not shown: {line}")
            if missing:
                print(output)
        elif kind == "sh" or clean:
            done = subprocess.run(["bash", "-ec", here(what)], cwd=root, env=env, stdout=subprocess.PIPE,
                                  stderr=subprocess.STDOUT, text=True, errors="replace", timeout=3600, check=False)
            output = done.stdout
            print(f"{what.strip()}\n    status {done.returncode}", flush=True)
            if done.returncode:
                print(output)
                return 1
    print("ok" if not wrong else f"{wrong} lines are not as the page has them")
    return wrong != 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
