#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""tally_litex.py of the package in a LiteX SoC, in a clean folder: test_litex.py BUILD [NAME=VALUE]

The SoC (litex/soc.py, PicoRV32 with RVFI) is generated, linted by Verilator, and runs litex/demo.c, compiled with the
headers that LiteX and the unit's module made. Registers of tally.h answer, and others do not. NAME=VALUE: a parameter
of tally_pmu_lite."""

import json
import pathlib
import re
import shutil
import subprocess
import sys
import sysconfig
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
HERE = pathlib.Path(__file__).resolve().parent / "litex"
# The program's output: a counter that was written, loads, overflows, how far shpmspc is from the store
VALUES = [0x12345678, 0x9ABCDEF0, 50, 1, 0]


def run(command, folder):
    done = subprocess.run([str(word) for word in command], cwd=folder, text=True, check=False, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT)
    if done.returncode:
        raise SystemExit(f"{' '.join(map(str, command))[:150]}: status {done.returncode}\n{done.stdout[-3000:]}")
    return done.stdout


def program(folder, include):
    """The words of demo.c."""
    software = pathlib.Path(sysconfig.get_paths()["purelib"]) / "litex/soc/software"
    run(["riscv64-unknown-elf-gcc", "-march=rv32im", "-mabi=ilp32", "-O2", "-std=gnu11", "-Wall", "-Wextra",
         "-ffreestanding", "-nostdlib", "-static", "-nostartfiles", "-Wl,--build-id=none,--no-warn-rwx-segments",
         f"-I{include}", f"-I{software / 'include'}", f"-I{software.parent / 'cores/cpu/picorv32'}", f"-L{include}",
         f"-T{HERE / 'demo.ld'}", ROOT / "examples/hosts/picorv32/entry.S", HERE / "demo.c", "-lgcc",
         "-o", "demo.elf"], folder)
    run(["riscv64-unknown-elf-objcopy", "-O", "verilog", "--verilog-data-width=4", "demo.elf", "demo.hex"], folder)
    return folder / "demo.hex"


def lint(sources, folder):
    """No warning in the unit's sources, nor of its ports. Those of others are theirs."""
    done = subprocess.run(["verilator", "--lint-only", "--timing", "-Wall", *map(str, sources)], cwd=folder, text=True,
                          check=False, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    ours = [line for line in done.stdout.splitlines()
            if re.search(r"%.*tally/rtl/|%Error(?!: Exiting)|PIN.*_[io]'", line)]
    if ours or "%Warning" not in done.stdout:
        raise SystemExit("\n".join(ours) or f"nothing was read: {done.stdout}")


def check(said, header, spec):
    """tally.h has all that answer, but for RV32's halves, counters that are always 0, and registers by a select."""
    values = [int(value) for value in re.findall(r"^value +(\d+)", said, flags=re.M)]
    if values != VALUES or "no end" in said:
        raise SystemExit(f"the program says {values}, not {VALUES}\n{said[-500:]}")
    refused = {int(address) >> 1 for address in re.findall(r"^refused +(\d+)", said, flags=re.M)}
    there = {int(offset, 16) >> 3 for offset in re.findall(r"TALLY_REG_\w+ 0x(\w+)", header)}
    select = {csr["number"] for csr in spec["registers"] if re.match("[ms]ireg", csr["name"])}
    more = {csr.get("half") for csr in spec["registers"]}
    more |= {csr["number"] for csr in spec["registers"] if re.match(r"m?hpm(counter|event)\d", csr["name"])}
    answered = set(range(1, 4096)) - refused
    if there - select - answered or answered - there - more:
        raise SystemExit(f"in tally.h, but refused: {[f'{n:03X}' for n in sorted(there - select - answered)]}; "
                         f"answered, but not there: {[f'{n:03X}' for n in sorted(answered - there - more)]}")
    return len(there)


def main(build, *parameters):
    for section in ("litex", "picorv32"):
        subprocess.run([ROOT / "scripts" / "setup", "--with", section], check=True)
    with tempfile.TemporaryDirectory() as scratch:
        folder = pathlib.Path(scratch)
        package = folder / "tally"
        run([sys.executable, ROOT / "scripts" / "package.py", "--build", build, "--out", package], ROOT)
        soc = [sys.executable, shutil.copy(HERE / "soc.py", folder), package, "soc", *parameters]
        include = folder / "soc" / "software" / "include"
        run(soc, folder)
        run([*soc, program(folder, include)], folder)
        sources = ["-DRISCV_FORMAL", "--top", "bench", "-f", folder / "soc/gateware/files", HERE / "bench.v"]
        lint(sources, folder)
        for name in ("soc_rom.init", "soc_sram.init"):
            shutil.copy(folder / "soc" / "gateware" / name, folder)
        # Without warnings: lint() has shown all of ours; the rest is LiteX' and PicoRV32's, which are as they come.
        run(["verilator", "--binary", "-O3", "-j", "1", "-Wno-fatal", "-Wno-lint", *sources], folder)
        said = run([folder / "obj_dir" / "Vbench"], folder)
        header = (include / "generated" / "tally.h").read_text(encoding="utf-8")
        spec = json.loads((package / "tally.json").read_text(encoding="utf-8"))
        print(f"the SoC counts; {check(said, header, spec)} registers in tally.h")
    return 0


if __name__ == "__main__":
    raise SystemExit(main(pathlib.Path(sys.argv[1]).resolve(), *sys.argv[2:]))
