#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The unit and its sockets as a folder for other projects: scripts/package.py --build DIR --out FOLDER

FOLDER has the sources of rtl/pmu, rtl/prim and rtl/adapt, the generated headers, and descriptions of them with
relative paths: tally.f and tally_sim.f (file lists of Verilator, Icarus and others), tally.core (FuseSoC), Bender.yml,
tally_litex.py (LiteX), which makes a C header from tally.json: registers and events. C headers for others are in
include: tally_spec.h, their numbers, and tally_events.h, a table of the events. Nothing in it refers to this tree.
"""

import argparse
import json
import pathlib
import shutil
import sys

import yaml

from spec_read import Spec, macro

ROOT = pathlib.Path(__file__).resolve().parent.parent
HEADERS = ("tally_spec.vh", "tally_event_fn.vh")
C_HEADERS = ("tally_spec.h", "tally_events.h")
VERSION = "1.0.0"


def copy(source, folder):
    """Copy a file of rtl, and return its path in the package."""
    name = pathlib.Path("rtl") / source.relative_to(ROOT / "rtl")
    (folder / name).parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(source, folder / name)
    return str(name)


def sources(build, form):
    paths = (build / "generated" / f"adapt{form}.f").read_text(encoding="utf-8").split()
    return [ROOT / "rtl" / path.partition("/rtl/")[2] for path in paths]


def fusesoc(hardware, simulation, includes):
    files = [{name: {"is_include_file": True, "include_path": str(pathlib.PurePath(name).parent)}} for name in includes]
    return "CAPI=2:\n" + yaml.safe_dump({
        "name": f"tally::tally:{VERSION}",
        "description": "Tally: a performance monitoring unit for RISC-V harts, and its sockets",
        "filesets": {
            "headers": {"files": files, "file_type": "verilogSource"},
            "rtl": {"files": hardware, "file_type": "verilogSource"},
            "rtl_sim": {"files": simulation, "file_type": "verilogSource"},
        },
        "targets": {
            "default": {"filesets": ["headers", "rtl"]},
            "sim": {"filesets": ["headers", "rtl_sim"]},
            "lint": {
                "filesets": ["headers", "rtl"], "default_tool": "verilator", "toplevel": "tally_pmu_lite",
                "tools": {"verilator": {"mode": "lint-only", "verilator_options": ["-Wall"]}},
            },
        },
    }, sort_keys=False)


def bender(hardware, simulation, includes):
    """Cells of which there are two forms are chosen by Bender's target `simulation`."""
    def group(files, **target):
        return {**target, "include_dirs": [*includes], "files": files}

    return yaml.safe_dump({
        "package": {"name": "tally", "authors": ["the Tally project"]},
        "export_include_dirs": includes,
        "sources": [group([name for name in hardware if name in simulation]),
                    group([name for name in hardware if name not in simulation], target="not(simulation)"),
                    group([name for name in simulation if name not in hardware], target="simulation")],
    }, sort_keys=False)


def description():
    """Registers and events of spec/, for a header."""
    spec = Spec(ROOT / "spec")
    registers = []
    for csr in spec.csrs:
        halves = {n: number for _, number, n in csr.high_members()}
        for name, number, n in csr.members() if csr.built else []:
            register = {"name": name, "number": number, "extensions": csr.defined_by, "n": n or 0}
            registers.append({**register, "half": halves[n]} if halves else register)
    events = [{"macro": macro(event.name), "selector": event.code, "small": spec.events.is_small(event)}
              for event in spec.events.events]
    return json.dumps({"registers": registers, "events": events}, indent=1) + "\n"


def package(build, folder):
    headers = [copy(path, folder) for path in sorted((ROOT / "rtl").glob("p*/*.vh"))]
    (folder / "include").mkdir(parents=True, exist_ok=True)
    for name in HEADERS:
        shutil.copyfile(build / "generated" / name, folder / "include" / name)
        headers.append(f"include/{name}")
    for name in C_HEADERS:
        shutil.copyfile(build / "generated" / name, folder / "include" / name)
    hardware = [copy(path, folder) for path in sources(build, "")]
    simulation = [copy(path, folder) for path in sources(build, "_sim")]
    includes = sorted({str(pathlib.PurePath(name).parent) for name in headers})
    for name, files in (("tally.f", hardware), ("tally_sim.f", simulation)):
        lines = [*(f"+incdir+{path}" for path in includes), *files]
        (folder / name).write_text("\n".join(lines) + "\n", encoding="utf-8")
    (folder / "tally.core").write_text(fusesoc(hardware, simulation, headers), encoding="utf-8")
    (folder / "Bender.yml").write_text(bender(hardware, simulation, includes), encoding="utf-8")
    (folder / "tally.json").write_text(description(), encoding="utf-8")
    shutil.copyfile(ROOT / "rtl/adapt/litex/tally_litex.py", folder / "tally_litex.py")
    shutil.copyfile(ROOT / "LICENSE", folder / "LICENSE")
    return len(hardware)


def main(argv):
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--build", type=pathlib.Path, required=True)
    parser.add_argument("--out", type=pathlib.Path, required=True)
    args = parser.parse_args(argv)
    if args.out.exists() and any(args.out.iterdir()):
        print(f"package: {args.out} is not empty", file=sys.stderr)
        return 2
    print(f"{package(args.build.resolve(), args.out)} sources in {args.out}")
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
