#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Bender.yml of the package, from a package that depends on it, in a clean folder: test_bender.py BUILD

Bender is built by cargo in BUILD/bender. Verilator lints its output for the two packages, in each form of the
cells."""

import pathlib
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
HERE = pathlib.Path(__file__).resolve().parent
VERSION = "0.32.1"
MANIFEST = """\
package:
  name: user
dependencies:
  tally: { path: ../tally }
sources:
  - lite_top.v
"""


def run(command, folder):
    done = subprocess.run([str(word) for word in command], cwd=folder, text=True, check=False, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE)
    if done.returncode:
        raise SystemExit(f"{' '.join(map(str, command))[:150]}: status {done.returncode}\n"
                         f"{(done.stdout + done.stderr)[-3000:]}")
    return done.stdout


def install(folder):
    """Bender, without its parser of SystemVerilog, whose build asks for sources of another host."""
    program = folder / "bin" / "bender"
    if not program.exists() or run([program, "--version"], ROOT).split() != ["bender", VERSION]:
        run(["cargo", "install", "--locked", "--no-default-features", "--version", VERSION, "--root", folder, "bender"],
            ROOT)
    return program


def main(build):
    bender = install(build / "bender")
    with tempfile.TemporaryDirectory() as scratch:
        user = pathlib.Path(scratch) / "user"
        user.mkdir()
        run([sys.executable, ROOT / "scripts/package.py", "--build", build, "--out", user.parent / "tally"], ROOT)
        shutil.copy(HERE / "lite_top.v", user)
        (user / "Bender.yml").write_text(MANIFEST, encoding="utf-8")
        for script, simulation in ((["verilator"], False), (["verilator", "-t", "simulation"], True),
                                   (["flist-plus"], False)):
            files = run([bender, "script", *script], user)
            if ("/prim/sim/" in files) != simulation or ("/prim/tally_decoder.v" in files) == simulation:
                raise SystemExit(f"bender script {' '.join(script)}: the wrong cells\n{files}")
            (user / "files").write_text(files, encoding="utf-8")
            run(["verilator", "--lint-only", "-Wall", "--top", "lite_top", "-f", "files"], user)
    print("Bender's lists are whole")
    return 0


if __name__ == "__main__":
    raise SystemExit(main(pathlib.Path(sys.argv[1]).resolve()))
