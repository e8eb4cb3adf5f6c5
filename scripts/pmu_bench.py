# SPDX-License-Identifier: Apache-2.0
"""Builds the benches of tests/pmu around another tally_pmu (used by scripts)."""

import os
import pathlib
import subprocess
import sys

import yaml

from cmake_cache import setting

ROOT = pathlib.Path(__file__).resolve().parent.parent
TOP = "tally_pmu"


def fail(text):
    print(f"{pathlib.Path(sys.argv[0]).stem}: {text}", file=sys.stderr, flush=True)
    os._exit(1)  # from any thread


def run(command, log, **kwargs):
    """A command whose output goes into the file `log`; it must succeed."""
    with open(log, "w", encoding="utf-8") as file:
        done = subprocess.run([str(word) for word in command], stdout=file, stderr=subprocess.STDOUT, check=False,
                              **kwargs)
    if done.returncode:
        tail = "\n".join(pathlib.Path(log).read_text(encoding="utf-8", errors="replace").split("\n")[-15:])
        fail(f"{command[0]} failed, see {log}:\n{tail}")


def parameters(text):
    """A=1 B=2 -> a dictionary"""
    return dict(word.split("=") for word in text.split())


def configurations():
    """tests/pmu/configurations.txt: (all parameters with their defaults, {name: (when, differences)})"""
    defaults, rows = {}, {}
    for line in (ROOT / "tests/pmu/configurations.txt").read_text(encoding="utf-8").split("\n"):
        when, _, rest = line.partition(" ")
        if when == "defaults":
            defaults = parameters(rest)
        elif when in ("test", "long"):
            name, _, differs = rest.partition(" ")
            rows[name] = (when, parameters(differs))
    return defaults, rows


def retire_wires():
    """Names of the retire event wires, in the order of the port."""
    spec = yaml.safe_load((ROOT / "spec/events.yaml").read_text(encoding="utf-8"))
    return [wire["name"] for wire in spec["wires"]["retire"]]


def sources(build):
    return (build / "generated/pmu.f").read_text(encoding="utf-8").split()


def includes(build):
    return [f"-I{path}" for path in (build / "generated/includes.f").read_text(encoding="utf-8").split()]


LOCKSTEP = ("lockstep.cpp", "tests/pmu/libpmu_bench.a", "tb/golden/libtally_golden_pmu.a")
RIGHTS = ("rights/drive.cpp", "tests/pmu/libpmu_rights.a")


def build_bench(build, folder, name, params, verilog, verilator=(), defines=(), bench=LOCKSTEP):
    """folder/obj/bench: a bench of tests/pmu around these Verilog files. Its libraries must be built."""
    main, *libraries = bench
    flags = ["-std=c++17", f'-DPMU_NAME=\\"{name}\\"', f"-I{ROOT}/tests/pmu", f"-I{ROOT}/tb/golden"]
    flags += [f"-I{build}/generated"] + [f"-D{define}" for define in defines]
    flags += [f"-DPMU_{key}={value}" for key, value in params.items()]
    command = ["verilator", "--cc", "--exe", "-O3", "--x-assign", "fast", "--x-initial", "fast", "--noassert"]
    command += ["-Wno-lint", "-Wno-fatal", "--top-module", TOP, "-Mdir", folder / "obj", "-o", "bench", *verilator]
    command += ["-CFLAGS", " ".join(flags), *verilog, ROOT / "tests/pmu" / main]
    command += [build / library for library in libraries]
    run(command, folder / "verilator.log")
    run(["make", "-C", folder / "obj", "-f", f"V{TOP}.mk", f"CXX={setting(build, 'TALLY_MODEL_CXX')}",
         "OPT_FAST=-O1", "OPT_GLOBAL=-O1"], folder / "make.log")
    return folder / "obj/bench"
