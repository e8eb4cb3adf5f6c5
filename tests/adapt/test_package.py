#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""scripts/package.py, used from a clean folder: test_package.py BUILD

Verilator and Icarus read the file lists there, FuseSoC (scripts/requirements.txt, [fusesoc]) runs its lint target, and
the tutorial's program is compiled with the C headers."""

import pathlib
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent


def run(command, folder):
    done = subprocess.run([str(word) for word in command], cwd=folder, text=True, check=False, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT)
    if done.returncode:
        raise SystemExit(f"{' '.join(map(str, command))[:150]}: status {done.returncode}\n{done.stdout[-3000:]}")


def main(build):
    subprocess.run([ROOT / "scripts" / "setup", "--with", "fusesoc"], check=True)
    package = [sys.executable, ROOT / "scripts" / "package.py", "--build", build]
    with tempfile.TemporaryDirectory() as scratch:
        folder = pathlib.Path(scratch) / "elsewhere"
        run([*package, "--out", folder], ROOT)
        for path in folder.rglob("*"):
            if path.is_file() and str(ROOT) in path.read_text(encoding="utf-8"):
                raise SystemExit(f"{path.name} refers to {ROOT}")
        run(["verilator", "--lint-only", "-Wall", "--top", "tally_pmu_lite", "-f", "tally.f"], folder)
        run(["iverilog", "-g2005", "-s", "tally_pmu_lite", "-o", scratch + "/lite.vvp", "-f", "tally_sim.f"], folder)
        run(["riscv64-unknown-elf-gcc", "-march=rv32i", "-mabi=ilp32", "-ffreestanding", "-Wall", "-Wextra", "-Werror",
             "-Iinclude", "-include", "tally_events.h", "-c", ROOT / "examples/hosts/tutorial.c",
             "-o", f"{scratch}/tutorial.o"], folder)
        fusesoc = pathlib.Path(sys.executable).parent / "fusesoc"
        work = pathlib.Path(scratch) / "work"
        work.mkdir()
        run([fusesoc, "--cores-root", folder, "run", "--target", "lint", "tally::tally"], work)
        again = subprocess.run([*map(str, package), "--out", str(folder)], check=False, stderr=subprocess.PIPE)
        if again.returncode != 2:
            raise SystemExit(f"a folder that is not empty: status {again.returncode}, not 2")
        shutil.rmtree(folder)
    print("the package stands alone")
    return 0


if __name__ == "__main__":
    raise SystemExit(main(pathlib.Path(sys.argv[1]).resolve()))
