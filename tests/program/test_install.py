#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""`cmake --install`, then a program in a folder of its own with find_package(Tally): built, run, profiled.

    test_install.py BUILD
"""

import pathlib
import subprocess
import sys
import tempfile

LISTS = """cmake_minimum_required(VERSION 3.25)
project(mine LANGUAGES NONE)
find_package(Tally REQUIRED)
tally_program(mine main.c twice.c CFLAGS -DWORD="said" ARGS one)
"""
MAIN = """#include <stdio.h>
#include "twice.h"
int main(int argc, char **argv) {
    printf("%s %s %d\\n", WORD, argc > 1 ? argv[1] : "", twice(21));
    return 0;
}
"""


def run(*command):
    done = subprocess.run([str(word) for word in command], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True, timeout=300, check=False)
    if done.returncode:
        sys.exit(f"WRONG: {command}: status {done.returncode}\n{done.stdout}")
    return done.stdout


def main(argv):
    build = pathlib.Path(argv[0]).resolve()
    with tempfile.TemporaryDirectory(prefix="tally-install-") as name:
        prefix, mine = pathlib.Path(name) / "prefix", pathlib.Path(name) / "mine"
        mine.mkdir()
        run("cmake", "--install", build, "--prefix", prefix)
        moved = pathlib.Path(name) / "moved"  # no file may contain the original path
        prefix.rename(moved)
        for path, text in {"CMakeLists.txt": LISTS, "main.c": MAIN, "twice.h": "int twice(int n);\n",
                           "twice.c": "#include \"twice.h\"\nint twice(int n) { return 2 * n; }\n"}.items():
            (mine / path).write_text(text, encoding="utf-8")
        run("cmake", "-S", mine, "-B", mine / "build", "-G", "Unix Makefiles", f"-DCMAKE_PREFIX_PATH={moved}")
        run("cmake", "--build", mine / "build")
        wrong = 0
        for target, expected in (("run_mine", "said one 42"),
                                 ("profile_mine", "Performance counter stats for 'mine.elf'")):
            out = run("cmake", "--build", mine / "build", "--target", target)
            if expected not in out:
                print(f"WRONG: {target} does not say: {expected}\n{out}")
                wrong += 1
        wrong += not (mine / "build" / "mine.html").exists()
        (mine / "twice.h").write_text("int twice(int n);\n#error not seen\n", encoding="utf-8")
        again = subprocess.run(["cmake", "--build", mine / "build"], stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                               text=True, check=False)
        if "not seen" not in again.stdout:
            print("WRONG: a changed header is not seen\n" + again.stdout)
            wrong += 1
        for word in ("--version", "-nographic --version"):
            wrong += not run(moved / "bin" / "tally-sim", *word.split()).startswith("tally-sim ")
        completed = run("bash", "-c", f"source <({moved}/bin/tally-sim --completion); complete -p tally-sim; "
                        "_tally_sim tally-sim --konat tally-sim; echo ${COMPREPLY[@]}")
        wrong += completed != "complete -o filenames -F _tally_sim tally-sim\n--konata\n"
    print("ok" if not wrong else f"{wrong} wrong")
    return wrong != 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
