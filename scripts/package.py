#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The unit and its sockets as a folder for other projects: scripts/package.py --build DIR --out FOLDER

FOLDER has the sources of rtl/pmu, rtl/prim and rtl/adapt, the generated headers, and descriptions of them with
relative paths: tally.f and tally_sim.f (file lists of Verilator, Icarus and others), tally.core (FuseSoC), Bender.yml
(no test uses it yet). Nothing in it refers to this tree.
"""

import argparse
import pathlib
import shutil
import sys

import yaml

ROOT = pathlib.Path(__file__).resolve().parent.parent
HEADERS = ("tally_spec.vh", "tally_event_fn.vh")
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


def bender(hardware, includes):
    return yaml.safe_dump({
        "package": {"name": "tally", "authors": ["the Tally project"]},
        "export_include_dirs": includes,
        "sources": [{"include_dirs": includes, "files": hardware}],
    }, sort_keys=False)


def package(build, folder):
    headers = [copy(path, folder) for path in sorted((ROOT / "rtl").glob("p*/*.vh"))]
    (folder / "include").mkdir(parents=True, exist_ok=True)
    for name in HEADERS:
        shutil.copyfile(build / "generated" / name, folder / "include" / name)
        headers.append(f"include/{name}")
    hardware = [copy(path, folder) for path in sources(build, "")]
    simulation = [copy(path, folder) for path in sources(build, "_sim")]
    includes = sorted({str(pathlib.PurePath(name).parent) for name in headers})
    for name, files in (("tally.f", hardware), ("tally_sim.f", simulation)):
        lines = [*(f"+incdir+{path}" for path in includes), *files]
        (folder / name).write_text("\n".join(lines) + "\n", encoding="utf-8")
    (folder / "tally.core").write_text(fusesoc(hardware, simulation, headers), encoding="utf-8")
    (folder / "Bender.yml").write_text(bender(hardware, includes), encoding="utf-8")
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
