#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Follow docs/first-hour.md, word for word, and compare its output; numbers may differ.

    test_first_hour.py BUILD                    with a build directory that is there: without the blocks of set-up
    test_first_hour.py --clean FOLDER [--again] in a clean Debian 12 in FOLDER, with everything, and how much work it is
                                                (--again: with the packages that an earlier run has installed there)

The work: reading README's first lines and the page, and the time of typing; not that of the blocks of set-up,
which download and build. Up to the first profile it is at most five minutes.
"""

import os
import pathlib
import re
import subprocess
import sys
import time

from clean_root import CleanRoot

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
WORDS_A_MINUTE = 200
MINUTES = 5


def steps(text):
    """(kind, what, where in the text it begins): files to write, commands to type, output to see."""
    name = None
    for block in re.finditer(r"^([^\n]*)\n+```(\w+(?: setup)?)\n(.*?)^```$", text, re.M | re.S):
        line, kind, content = block.groups()
        if kind == "c":
            name = re.search(r"Write this to `([^`]+)`", line)[1]
            yield "file", (name, content), block.start()
        else:
            yield kind, content, block.start()
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


class Here:
    """A build directory of this tree"""

    def __init__(self, build):
        self.folder, self.build = ROOT, build
        self.env = {**os.environ, "BUILD": "build" if build == ROOT / "build" else str(build), "LC_ALL": "C"}
        self.env.pop("MAKEFLAGS", None)

    def text(self, text):
        return text if self.build == ROOT / "build" else re.sub(r"(?<![\w/])build/", f"{self.build}/", text)

    def run(self, text):
        return subprocess.run(["bash", "-ec", self.text(text)], cwd=ROOT, env=self.env, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, text=True, errors="replace", timeout=3600, check=False)


class There:
    """A clone in a clean root"""

    def __init__(self, clean):
        self.clean, self.folder = clean, clean.clone()

    @staticmethod
    def text(text):
        return text

    def run(self, text):
        return self.clean.run(text, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace",
                              timeout=7200)


def minutes_to_read(text):
    return len(re.findall(r"\w+", re.sub(r"^```.*?^```$", "", text, flags=re.M | re.S))) / WORDS_A_MINUTE


def follow(place, with_setup):
    """Lines that were not shown, or that a command failed; minutes of work up to the first profile, up to the end, and
    of set-up"""
    page = (place.folder / "docs" / "first-hour.md").read_text(encoding="utf-8")
    first_screen = (place.folder / "README.md").read_text(encoding="utf-8").split("![", 1)[0]
    output, wrong, setup, typed, profiled = "", 0, 0.0, 0.0, None
    for kind, what, at in steps(page):
        if kind == "file":
            (place.folder / place.text(what[0])).write_text(what[1], encoding="utf-8")
        elif kind == "text":
            missing = shown(place.text(what), output)
            wrong += len(missing)
            for line in missing:
                print(f"not shown: {line}")
            if missing:
                print(output)
        elif kind == "sh" or with_setup:
            begin = time.monotonic()
            done = place.run(what)
            took = (time.monotonic() - begin) / 60
            setup, typed = setup + took * (kind != "sh"), typed + took * (kind == "sh")
            output = done.stdout
            print(f"{what.strip()}\n    status {done.returncode}, {60 * took:.1f} s", flush=True)
            if done.returncode:
                print(output)
                return wrong + 1, None, None, setup
            if "make profile" in what and profiled is None:
                profiled = typed + minutes_to_read(first_screen + page[:at])
    return wrong, profiled, typed + minutes_to_read(first_screen + page), setup


def main(argv):
    if argv[0] != "--clean":
        wrong = follow(Here(pathlib.Path(argv[0]).resolve()), False)[0]
    else:
        clean = CleanRoot(pathlib.Path(argv[1]).resolve(), ROOT)
        if "--again" not in argv:
            clean.make()
        wrong, profiled, whole, setup = follow(There(clean), True)
        if profiled is not None:
            print(f"minutes of work: {profiled:.1f} to the first profile, {whole:.1f} to the end of the page; "
                  f"of set-up, downloads and builds: {setup:.1f}")
            wrong += profiled > MINUTES
        if not wrong and "--again" not in argv:
            clean.remove()
    print("ok" if not wrong else f"{wrong} wrong")
    return wrong != 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
