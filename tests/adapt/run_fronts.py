#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Run a bench of cocotb's under Icarus: run_fronts.py BUILD fronts|records|rules FRONT XLEN [NAME=VALUE...]

NAME: a parameter of the bench's top, or SEED. Installs cocotb and its bus libraries first (scripts/requirements.txt,
[buses]). Exit status 1 unless all of its tests were run and passed."""

import os
import pathlib
import subprocess
import sys
import xml.etree.ElementTree

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
HERE = pathlib.Path(__file__).resolve().parent
TOPS = {"fronts": "front_top", "records": "records_top", "rules": "front_top"}
FRONTS = ("axil", "wb", "apb")
# Parameters, where a bench's top has them
DEFAULTS = {"fronts": {"WINDOWS": 3, "ALIASES": 1, "COUNTER_RAM": 1}, "records": {},
            "rules": {"WINDOWS": 3, "ALIASES": 0, "COUNTER_RAM": 1, "CHECK": 1}}


def simulator(build, bench, front, xlen, params):
    """The compiled bench."""
    generated, top = build / "generated", TOPS[bench]
    image = build / "tests" / "adapt" / f"{'_'.join((bench, front, xlen, *map(str, params.values())))}.vvp"
    image.parent.mkdir(parents=True, exist_ok=True)
    includes = (generated, ROOT / "rtl/pmu", ROOT / "rtl/prim")
    sources = (generated / "adapt_sim.f").read_text(encoding="utf-8").split()
    subprocess.run(["iverilog", "-g2005", *(f"-I{path}" for path in includes),
                    f"-P{top}.FRONT={FRONTS.index(front)}", f"-P{top}.XLEN={xlen}",
                    *(f"-P{top}.{name}={value}" for name, value in params.items()), "-s", top, "-o", image,
                    HERE / f"{top}.v", *sources], check=True)
    return image


def main(build, bench, front, xlen, *words):
    params = dict(DEFAULTS[bench])
    for word in words:
        name, _, value = word.partition("=")
        if name != "SEED" and name not in params or not value.isdigit():
            print(f"run_fronts: {word}: not NAME=NUMBER, NAME of {' '.join(('SEED', *params))}", file=sys.stderr)
            return 2
        params[name] = value
    seed = params.pop("SEED", "1")
    subprocess.run([ROOT / "scripts" / "setup", "--with", "buses"], check=True)
    image = simulator(pathlib.Path(build).resolve(), bench, front, xlen, params)
    results = image.with_suffix(".xml")
    results.unlink(missing_ok=True)

    def config(*words):
        command = [pathlib.Path(sys.executable).parent / "cocotb-config", *words]
        return subprocess.run(command, text=True, check=True, stdout=subprocess.PIPE).stdout.strip()

    environment = {
        **os.environ, **{name: str(value) for name, value in params.items()}, "FRONT": front, "XLEN": xlen,
        "SEED": seed, "COCOTB_RANDOM_SEED": seed, "PYTHONPATH": str(HERE),
        "COCOTB_TEST_MODULES": bench, "COCOTB_TOPLEVEL": TOPS[bench], "TOPLEVEL_LANG": "verilog",
        "PYGPI_PYTHON_BIN": sys.executable, "COCOTB_RESULTS_FILE": str(results),
        "GPI_USERS": f"{config('--libpython')};{config('--pygpi-entry-point')}",
    }
    subprocess.run(["vvp", "-m", config("--lib-name-path", "vpi", "icarus"), image], env=environment, check=False)
    suite = xml.etree.ElementTree.parse(results).getroot()
    cases = list(suite.iter("testcase"))
    bad = [case.get("name") for case in cases if case.find("failure") is not None or case.find("error") is not None]
    what = ", ".join((bench, front, f"XLEN {xlen}", *(f"{name} {value}" for name, value in params.items())))
    print(f"{what}, seed {seed}: {len(cases)} tests, failed: {' '.join(bad) or 'none'}")
    return 1 if bad or not cases else 0


if __name__ == "__main__":
    choices = (TOPS, FRONTS, ("32", "64"))
    if len(sys.argv) < 5 or any(word not in there for word, there in zip(sys.argv[2:5], choices)):
        print("usage: run_fronts.py BUILD fronts|records|rules axil|wb|apb 32|64 [NAME=VALUE...]", file=sys.stderr)
        raise SystemExit(2)
    raise SystemExit(main(*sys.argv[1:]))
