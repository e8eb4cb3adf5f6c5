#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Boards: synthesis, place and route, bitstream.

    scripts/fpga.py area [BOARD...]     LUT, FF, BRAM, DSP, fmax and the worst path
    scripts/fpga.py bitstream BOARD     the same with a program in the block RAM, to a file that can be loaded
    scripts/fpga.py collect [BOARD...]  the same results from the logs of a run that has not ended, or was stopped
    scripts/fpga.py table [BOARD...]    docs/boards.md from the last reports of `area`, `bitstream` and `collect`
    scripts/fpga.py check [BOARD...]    every pin has its place; no latch, no loop, no second driver; clocks of small
                                        boards; every cache and TLB array is block or distributed RAM. --quick: no
                                        clocks and arrays, and the machine in one board only

A board is a folder of constraints/ with a board.yaml. Results: BUILD/fpga/BOARD/ (report.json, summary.json, logs).
Without place and route (--no-pnr, or where it cannot be installed) the area is Yosys'; without routes (--no-route) the
clock is the tool's estimate after placement.
"""

import argparse
import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import time

import yaml

import boards_page
import carries
import critical_path
import pnr
from boards_page import COLUMNS

ROOT = pathlib.Path(__file__).resolve().parent.parent
BIN = ROOT / ".venv" / "bin"
TIME_LIMIT = 4 * 3600  # seconds, a tool
TRIES = 8              # seeds of place and route
ENOUGH = 1.1           # of the clock: tally-refine does no more for paths when it expects so much

# Differences between families. forms: modules of its own, instead of those of the same name; cells: Yosys' models;
# cost: cells (expressions) and their cost; used: names in the report of place and route; pins: how it is told where
# they are; first: the step of synthesis that comes behind reading; package: Python's, with the tools that the seeds of
# the boards are meant for; place, route: more options; refine: tally-refine works on the placement, and seeds are
# tried until one meets the clock. A machine that fills half of an ECP5 runs out of wires in the middle of the chip.
# Therefore no wide multiplexers, which tie LUTs together, and the static placer, whose wires are a fifth shorter in
# all. router2 ends sooner at the cost of long paths, or does not end.
FAMILIES = {
    # A carry cell has two LUT4; a distributed RAM of 16x4 takes four.
    "ecp5": {"synth": "synth_ecp5 -abc9 -nowidelut", "forms": "rtl/prim/ecp5",
             "cells": "+/ecp5/cells_sim.v +/ecp5/cells_bb.v", "pins": "--lpf", "result": "--textcfg",
             "first": "coarse", "package": "fpga", "place": "--placer static",
             "route": "--router router1", "refine": True,
             "cost": {"LUT4": ("LUT", 1), "CCU2C": ("LUT", 2), "TRELLIS_DPR16X4": ("LUT", 4), "TRELLIS_FF": ("FF", 1),
                      "DP16KD|PDPW16KD": ("BRAM", 1), "MULT18X18D": ("DSP", 1)},
             "used": {"TRELLIS_COMB": "LUT", "TRELLIS_FF": "FF", "DP16KD": "BRAM", "MULT18X18D": "DSP"}},
    # A logic cell is a LUT4, its carry and a flip-flop.
    "ice40": {"synth": "synth_ice40 -abc9", "forms": None, "cells": "+/ice40/cells_sim.v",
              "first": "flatten", "pins": "--pcf", "result": "--asc", "package": None,
              "place": "", "route": "",
              "cost": {"SB_LUT4": ("LUT", 1), r"SB_DFF\w*": ("FF", 1), r"SB_RAM40\w*": ("BRAM", 1),
                       "SB_MAC16": ("DSP", 1)},
              "used": {"ICESTORM_LC": "LUT", "ICESTORM_RAM": "BRAM", "ICESTORM_DSP": "DSP"}},
    # LUT6; no place and route but the vendor's
    "xilinx": {"synth": "synth_xilinx -family xc7", "forms": None,
               "cells": "+/xilinx/cells_sim.v +/xilinx/cells_xtra.v", "first": "prepare", "pins": None, "result": None,
               "package": None, "place": "", "route": "",
               "cost": {r"LUT[1-6]": ("LUT", 1), r"RAM\d+\w+": ("LUT", 4), r"FD\w+": ("FF", 1), "RAMB18E1": ("BRAM", 1),
                        "RAMB36E1": ("BRAM", 2), "DSP48E1": ("DSP", 1)},
               "used": {}},
}

# Arrays of the SoC, and their required memories. Others may be anything but flip-flops, unless ALLOWED
# says that they are small.
ARRAYS = {r"u_ram\.mem": "block RAM",
          r"u_icache\.gen_way\[\d\]\.u_way\.u_data\.mem": "block RAM",
          r"u_icache\.gen_way\[\d\]\.u_way\.tag_mem": "RAM",
          r"u_dcache\.g_way\[\d\]\.u_data\.mem": "block RAM",
          r"u_dcache\.g_way\[\d\]\.tag2?_mem": "RAM",
          r"u_l2tlb\.(tag|data)_mem": "block RAM",
          r"u_itlb\.page_q": "RAM",
          r"u_bpred\.gen_way\[\d\]\.hot_mem": "RAM",
          r"u_bpred\.gen_way\[\d\]\.u_target\.mem": "block RAM",
          r"u_bpred\.gen_bht\[\d\]\.u_bht\.mem": "block RAM",
          r"u_bpred\.u_indirect\.mem": "block RAM",
          r"u_stq\.(data|strb|addr|set)_mem": "RAM",
          r"u_dtlb\.page_mem": "RAM",
          r"u_fetchq\.(data|info|gm)_q": "RAM",
          r"u_commit\.u_scoreboard\.(ex|res|insn|next)_q": "RAM",
          r"u_issue\.(pc|target|meta|imm|op)_q": "RAM",
          r"u_regfile\.x_q": "RAM",
          r"u_pdis\.u_data\.g_word\[\d\]\.g_memory\.g_queue\.queue_q": "block RAM"}
ALLOWED = re.compile(r"u_bus\.held_line$")

# Script lines. Behind `proc` a latch is a cell; modules that only the mapper has to keep apart would hide loops.
NO_LATCH = ["select -assert-none t:$dlatch t:$adlatch t:$sr t:$dlatchsr", "select -clear"]
# Yosys' invented names contain source locations. Cells and nets are renamed, so that the netlist, and with it the
# clock, does not depend on the project's folder or the length of a comment.
NAMELESS = ["proc", "rename -enumerate"]
FLAT = ["setattr -mod -unset keep_hierarchy *", "flatten"]


class Failure(Exception):
    pass


def run(command, log=None, **kwargs):
    """Run a tool; its output is written to `log`, as it comes, and returned."""
    with open(log, "w+", encoding="utf-8") if log else tempfile.TemporaryFile("w+", encoding="utf-8") as said:
        try:
            done = subprocess.run([str(word) for word in command], stdout=said, stderr=subprocess.STDOUT,
                                  check=False, timeout=TIME_LIMIT, **kwargs)
        except FileNotFoundError as missing:
            raise Failure(f"{missing.filename} is not there: run scripts/setup") from missing
        except subprocess.TimeoutExpired as late:
            raise Failure(f"{pathlib.Path(str(command[0])).name}: not done after {TIME_LIMIT} s") from late
        said.seek(0)
        text = said.read()
    check_status(command[0], done.returncode, text)
    return text


def check_status(tool, status, text):
    if status:
        tail = "\n".join(text.split("\n")[-15:])
        raise Failure(f"{pathlib.Path(str(tool)).name}: status {status}\n{tail}")


def boards():
    return sorted(path.parent.name for path in (ROOT / "constraints").glob("*/board.yaml"))


def load_board(name):
    path = ROOT / "constraints" / name / "board.yaml"
    if not path.exists():
        raise Failure(f"no board {name}; there are: {', '.join(boards())}")
    return {**yaml.safe_load(path.read_text(encoding="utf-8")), "folder": name}


def family(board):
    return FAMILIES[board["family"]]


def seeds(board, args):
    """Those that place and route tries: the one that was asked for, or the board's and others."""
    if args.seed is not None:
        return [args.seed]
    first = board.get("seed", 1)
    return [first] + [seed for seed in range(1, TRIES + 1) if seed != first][:TRIES - 1]


def parameters(board):
    """Of the top: boards with a machine have its clock and RAM, the others none."""
    if "ram" not in board:
        return {}
    return {"CLK_MHZ": board["clock"], "RAM_WORDS": int(board["ram"].rstrip("K")) * 1024 // 8}


# --- Yosys -------------------------------------------------------------------------------------------------------

def read_design(build, part="board"):
    """Script lines that read the sources of a part of rtl."""
    generated = build / "generated"
    includes = " ".join(f"-I{name}" for name in (generated / "includes.f").read_text().split())
    return [f"read_verilog {includes} {name}" for name in (generated / f"{part}.f").read_text().split()]


def yosys(script, log):
    """Run a script in the project's root: paths in it are relative (see NAMELESS)."""
    said = log.with_suffix(".ys")
    said.write_text("\n".join(script).replace(f"{ROOT}/", "") + "\n", encoding="utf-8")
    return run(["yosys", "-q", "-l", log, said], cwd=ROOT)


def examine(board, script, log):
    """Run Yosys. Latches are named by the log: later they are LUTs that feed themselves and look like any other."""
    failed = ""
    try:
        yosys(script, log)
    except Failure as reason:
        failed = str(reason)
    said = log.read_text(encoding="utf-8") if log.exists() else ""
    latches = re.findall(r"^Latch inferred for signal `\\?(\S+)'", said, re.M)
    if latches:
        failed = f"latches: {', '.join(latches)}\n{failed}".rstrip()
    if failed:
        raise Failure(f"{board['name']}: {failed}")


def synthesize(board, build, out, files):
    """Netlist for place and route; the cells that it has."""
    examine(board, read_board(board, build, files) + mapping(board, out), out / "yosys.log")
    if family(board).get("refine"):
        finish_netlist(out / "netlist.json", board["top"])
    return count_cells(out)


def mapping(board, out):
    """Script lines that make the netlist of the design."""
    # up to its last check, without the step that only invents names and takes minutes for it
    options = " ".join(board.get("synth", []))
    return [f"hierarchy -top {board['top']}", *NAMELESS,
            f"{family(board)['synth']} {options} -top {board['top']} -run :check",
            *FLAT, f"tee -q -o {out}/cells.txt stat", "check -assert -noinit",
            "blackbox =A:whitebox", f"write_json {out}/netlist.json"]


def finish_netlist(netlist, top):
    """Carry cells without constants, which would be routed to them."""
    design = json.loads(netlist.read_text(encoding="utf-8"))
    carries.free_constants(design["modules"][top])
    netlist.write_text(json.dumps(design), encoding="utf-8")


def read_forms(board):
    """Script lines that replace modules already read by the family's own."""
    forms = family(board)["forms"]
    return [f"read_verilog -overwrite {path}" for path in sorted((ROOT / forms).glob("*.v"))] if forms else []


def read_board(board, build, files):
    """Script lines: sources, parameters of the top."""
    values = {**parameters(board), **{name: f'"{file}"' for name, file in files.items()}}
    script = read_design(build) + read_forms(board)
    if values:
        script += [f"chparam {' '.join(f'-set {name} {value}' for name, value in values.items())} {board['top']}"]
    return script


def count_cells(out):
    """Yosys' counts. Newer versions write the number before the name."""
    text = (out / "cells.txt").read_text(encoding="utf-8")
    counts = re.findall(r"^ +([A-Z]\w+) +(\d+)$", text, re.M)
    swapped = re.findall(r"^ +(\d+) +([A-Z]\w+)$", text, re.M)
    return {name: int(n) for name, n in counts + [(name, n) for n, name in swapped]}


def cost(board, cells):
    total = dict.fromkeys(COLUMNS, 0)
    for cell, n in cells.items():
        for kind, (column, each) in family(board)["cost"].items():
            if re.fullmatch(kind, cell):
                total[column] += n * each
    return total


def memories(log):
    """(array, kind) of every memory that Yosys found: block RAM, distributed RAM or flip-flops.

    A truth table that Yosys took for a ROM ($auto$proc_rom) becomes logic, whatever the log calls it, and no memory."""
    found = []
    kinds = {"$__ECP5_": "block RAM", "$__TRELLIS_DPR16X4_": "distributed RAM", "$__XILINX_BLOCKRAM_": "block RAM",
             "$__XILINX_LUTRAM_": "distributed RAM"}
    for name, kind in re.findall(r"^mapping memory (\S+) via (\S+)", log, re.M):
        found.append((name, next((known for start, known in kinds.items() if kind.startswith(start)), kind)))
    for name in re.findall(r"^using FF mapping for memory (\S+)", log, re.M):
        if "$auto$proc_rom" not in name:
            found.append((name, "flip-flops"))
    return found


# --- Place and route ---------------------------------------------------------------------------------------------

def packaged(board, name):
    """The tool's path: that of the family's Python package, which the seeds of its boards are meant for; where it has
    none, or it cannot be had, the machine's own; None if neither."""
    package = family(board)["package"]
    tool = BIN / f"yowasp-{name}"
    if package and not tool.exists():
        try:
            print(run([ROOT / "scripts" / "setup", "--with", package]), end="", flush=True)
        except Failure as reason:
            print(f"fpga: PyPI's {name} cannot be had here: {reason}")
    if package and tool.exists():
        return tool
    native = shutil.which(name)
    if not native and not package:
        raise Failure(f"{name} is not there: run scripts/setup")
    return native


def pnr_tool(board):
    """Place and route, or None if it cannot be had."""
    return packaged(board, f"nextpnr-{board['family']}") if family(board)["pins"] else None


def pnr_steps(board, tool, args):
    """Commands, one after the other: where the family's placement is made better, it is a step of its own."""
    common = [tool, *board["device"], family(board)["pins"], board["pins"], "--freq", board["clock"],
              "--timing-allow-fail", "--seed", pnr.SEED]
    place, route = family(board)["place"].split(), family(board)["route"].split()
    result = ["--report", "report.json", family(board)["result"], "config.txt"]
    whole = [*common, "--json", "netlist.json", *place, *route]
    if args.no_route:
        return [[*whole, "--no-route", "--report", "report.json"]]
    if not family(board).get("refine"):
        return [[*whole, *result]]
    return [[*common, "--json", "netlist.json", *place, "--no-route", "--write", "placed.json"],
            [sys.executable, ROOT / "scripts" / "placement.py", "placed.json", "refined.json",
             "--tool", args.build / "tally-refine", "--enough", f"{ENOUGH * board['clock']:.1f}"],
            [*common, "--json", "refined.json", "--no-pack", "--no-place", *route, *result]]


def place_and_route(board, tool, out, args):
    # The packaged tools run in a sandbox that does not see every folder: everything by its name in this one.
    shutil.copy(ROOT / "constraints" / board["folder"] / board["pins"], out / board["pins"])
    log = out / "pnr.log"
    goal = board["clock"] if family(board).get("refine") and not args.no_route else None
    _, status = pnr.search(pnr_steps(board, tool, args), seeds(board, args), log, out, goal,
                           lambda seed: (out / "seed.txt").write_text(f"{seed}\n", encoding="utf-8"))
    check_status(tool, status, log.read_text(encoding="utf-8"))  # a port without a place is an error
    return json.loads((out / "report.json").read_text(encoding="utf-8"))


def state():
    """The commit that is checked out, -dirty if sources of a board differ from it, or None outside git."""
    if not (ROOT / ".git").exists():  # nor has a copy in another project's working tree
        return None
    try:
        commit = run(["git", "-C", ROOT, "describe", "--always", "--exclude", "*"]).strip()
        changed = run(["git", "-C", ROOT, "status", "--porcelain", "--", ":!docs", ":!tests"]).strip()
        return commit + "-dirty" * bool(changed)
    except Failure:
        return None


def summarize(board, cells, report, log=""):
    result = {"board": board["name"], "yosys": cost(board, cells), "clock": board["clock"],
              "date": time.strftime("%Y-%m-%d"), "tools": [run(["yosys", "-V"]).split(" (")[0]]}
    commit = state()
    if commit:
        result["state"] = commit
    used = {name: int(n) for name, n in re.findall(r"^Info:\s+(\w+):\s+(\d+)/", log, re.M)}
    if report is not None:
        used = {name: entry["used"] for name, entry in report["utilization"].items()}
    if used:
        placed = {column: used.get(name, 0) for name, column in family(board)["used"].items()}
        result["placed"] = {**result["yosys"], **placed}
    if report is None or not report["fmax"]:  # without routes it has none
        result["expected"] = pnr.expected(log)
        return result
    clocks = report["fmax"]
    crystal = board.get("crystal")  # a clock of its own, if a PLL makes the core's
    core = max(clocks, key=lambda name: 0 if crystal and crystal in name else report["fmax"][name]["constraint"])
    result["fmax"] = round(clocks[core]["achieved"], 2)
    result["worst"] = critical_path.worst(report)
    return result


def show(board, summary):
    has = board["has"]
    counts = summary.get("placed", summary["yosys"])
    print(f"{summary['board']}: " + ", ".join(f"{counts[c]:,} {c} ({100 * counts[c] / has[c]:.0f} %)" for c in COLUMNS))
    met = True
    if "fmax" in summary:
        met = summary["fmax"] >= summary["clock"]
        verdict = "reaches" if met else "MISSES"
        print(f"fmax: {summary['fmax']} MHz, {verdict} the {summary['clock']} MHz of its clock")
    elif summary.get("expected"):
        print(f"fmax: not known; after placement, without routes, the tool expects {summary['expected']} MHz")
    else:
        print("fmax: not known, place and route was not run; the area is Yosys' alone")
    worst = summary.get("worst")
    if worst:
        print(f"worst path: {worst['ns']} ns ({worst['logic']} logic, {worst['routing']} routing)")
        for name in worst["way"]:
            print(f"  {name}")
    return met


def implement(board, args, routed=False):
    """Synthesis, and place and route if it is there; routed: it has to be, unless --no-pnr says otherwise."""
    tool = None if args.no_pnr else pnr_tool(board)
    if routed and family(board)["pins"] and not args.no_pnr and not tool:
        raise Failure(f"{board['name']}: no place and route, so no bitstream; --no-pnr gives the area alone")
    out = args.build / "fpga" / board["folder"]
    out.mkdir(parents=True, exist_ok=True)
    # With the program, whether or not a bitstream is wanted: the boot ROM is logic, so another netlist without it.
    files = memory_files(board, args, out) if "ram" in board else {}
    print(f"{board['name']}: synthesis (some minutes)", flush=True)
    cells = synthesize(board, args.build, out, files)
    report = None
    if tool:
        print("place and route (longer)", flush=True)
        report = place_and_route(board, tool, out, args)
    return out, conclude(board, args, out, cells, report, tool)


def in_order(*paths):
    """Are these files there, each as new as the one before it?"""
    times = [path.stat().st_mtime for path in paths if path.exists()]
    return len(times) == len(paths) and times == sorted(times)


def conclude(board, args, out, cells, report, tool):
    """Write the summary of existing results."""
    log = out / "pnr.log"
    said = log.read_text(encoding="utf-8") if tool and in_order(out / "cells.txt", log) else ""
    summary = summarize(board, cells, report, said)
    if tool:
        version = re.search(r"\(Version (?:nextpnr-)?([^)\s]+)\)", run([tool, "--version"])).group(1)
        summary["tools"].append(f"nextpnr {version}")
    if report is not None:
        summary["seed"] = int((out / "seed.txt").read_text(encoding="utf-8"))
    (out / "memories.txt").write_text("".join(f"{kind}: {name}\n" for name, kind in
                                              memories((out / "yosys.log").read_text(encoding="utf-8"))))
    (out / "summary.json").write_text(json.dumps(summary, indent=1) + "\n", encoding="utf-8")
    return summary


# --- Commands ----------------------------------------------------------------------------------------------------

def area(args):
    good = True
    for name in args.boards or boards():
        board = load_board(name)
        _, summary = implement(board, args)
        good = show(board, summary) and good
    return good


def bitstream(args):
    if len(args.boards) != 1:
        raise Failure(f"one board is needed: {', '.join(boards())}")
    board = load_board(args.boards[0])
    out, summary = implement(board, args, routed=True)
    good = show(board, summary)
    if "fmax" in summary:
        print(f"bitstream: {pack(board, out)} (constraints/{board['folder']}/README.md says how to load it)")
    return good


def memory_files(board, args, out):
    """The memories' content, as parameters of the top."""
    load = [args.build / word if (args.build / word).exists() else word for word in args.image or board["image"]]
    run([args.build / "tally-image", out / "ram.hex", out / "rom.hex", *load, "-m", board["ram"],
         "--clock", board["clock"] * 1_000_000])
    return {"RAM_FILE": out / "ram.hex", "ROM_FILE": out / "rom.hex"}


def pack(board, out):
    """The file to load, from the output of place and route."""
    if board["family"] == "ice40":
        bit = f"{board['folder']}.bin"
        run([packaged(board, "icepack"), "config.txt", bit], cwd=out)
    else:
        bit = f"{board['folder']}.bit"
        tool = packaged(board, "ecppack")
        if not tool:
            raise Failure(f"no bitstream, ecppack is missing; its input is {out / 'config.txt'}")
        run([tool, "--compress", "--input", "config.txt", "--bit", bit], cwd=out)
    return out / bit


def collect(args):
    for name in args.boards or boards():
        board = load_board(name)
        out = args.build / "fpga" / name
        if not (out / "cells.txt").exists():
            raise Failure(f"no logs for {name}: run `make fpga BOARD={name}` or `make fpga-area` first")
        report = out / "report.json"
        # Of this netlist, and its seed is known: the next may be under way.
        newest = in_order(out / "cells.txt", report, out / "seed.txt")
        show(board, conclude(board, args, out, count_cells(out),
                             json.loads(report.read_text(encoding="utf-8")) if newest else None,
                             pnr_tool(board)))
    return True


def table(args):
    """Rows of boards that have a new result; the others keep theirs."""
    results = []
    for name in args.boards or boards():
        path = args.build / "fpga" / name / "summary.json"
        if path.exists():
            results.append((load_board(name), json.loads(path.read_text(encoding="utf-8"))))
        elif args.boards:
            raise Failure(f"no result for {name}: run `make fpga BOARD={name}` or `make fpga-area` first")
    page = ROOT / "docs" / "boards.md"
    page.write_text(boards_page.updated(page.read_text(encoding="utf-8"), results), encoding="utf-8")
    return True


def check(args):
    """Errors that no board may have. Small boards are implemented, of others the memories are checked. With --quick
    neither, nor is the machine looked into."""
    named = [load_board(name) for name in args.boards or boards()]
    for board in named:
        check_pins(board, args.build)
    good = True
    for board in named:
        if board.get("memories") and not args.quick:
            check_memories(board, args.build)
        else:
            check_structure(board, args.build, around=args.quick and "ram" in board)
        if board.get("small") and not args.quick:
            good = check_small(board, args) and good
    return good


def checked(board, build):
    out = build / "fpga" / board["folder"]
    out.mkdir(parents=True, exist_ok=True)
    return out


def check_pins(board, build):
    """Every bit of every port of the top has its place in the file of pins, and no place is for nothing."""
    out = checked(board, build)
    source = ROOT / "rtl" / "board" / f"{board['top']}.v"
    yosys([f"read_verilog {source}", "proc", f"write_json {out}/ports.json"], out / "ports.log")
    ports = json.loads((out / "ports.json").read_text(encoding="utf-8"))["modules"][board["top"]]["ports"]
    wanted = {f"{name}[{i}]" if len(port["bits"]) > 1 else name for name, port in ports.items()
              for i in range(len(port["bits"]))}
    text = (ROOT / "constraints" / board["folder"] / board["pins"]).read_text(encoding="utf-8")
    placed = set(re.findall(r'^(?:set_io +|LOCATE COMP +"|.*PACKAGE_PIN.*get_ports *\{ *)([\w\[\]]+)', text, re.M))
    if wanted != placed:
        raise Failure(f"{board['name']}: {board['pins']}: without a place: {sorted(wanted - placed) or 'none'}; "
                      f"places for nothing: {sorted(placed - wanted) or 'none'}")
    print(f"{board['name']}: {len(wanted)} pins, all placed")


def structure(board, build, around=False):
    """Script lines: the whole design (or all around the SoC) as one flat module, in which latches, loops and second
    drivers are errors."""
    return [f"read_verilog -lib {family(board)['cells']}", *read_board(board, build, {}),
            *["blackbox tally_soc"] * around, f"hierarchy -check -top {board['top']}", "proc", *NO_LATCH, *FLAT,
            "opt_clean", "check -assert"]


def check_structure(board, build, around=False):
    examine(board, structure(board, build, around), checked(board, build) / "check.log")
    print(f"{board['name']}: no latch, no loop, one driver each{' around the machine' * around}", flush=True)


def check_small(board, args):
    _, summary = implement(board, args)
    if "fmax" not in summary and not (args.no_pnr or args.no_route):
        raise Failure(f"{board['name']}: no fmax in the report of place and route")
    return show(board, summary)


def check_memories(board, build):
    """The structure, and the memories of the machine's arrays, without the long steps of synthesis."""
    log = checked(board, build) / "check.log"
    steps = f"{family(board)['synth']} -top {board['top']} -run {family(board)['first']}:map_ffram"
    examine(board, structure(board, build) + [steps, "check -assert"], log)
    print(f"{board['name']}: no latch, no loop, one driver each", flush=True)
    found = memories(log.read_text(encoding="utf-8"))
    bad = [f"{critical_path.short(name)} became {kind}" for name, kind in found
           if kind == "flip-flops" and not ALLOWED.search(name)]
    for array, wanted in ARRAYS.items():
        kinds = [kind for name, kind in found if re.search(array + "$", name)]
        if not kinds or not all(kind.endswith(wanted) for kind in kinds):
            bad.append(f"{array} should be {wanted}: {', '.join(kinds) or 'it is none any more'}")
    for name, kind in sorted(set(found), key=lambda entry: (entry[1], entry[0])):
        print(f"{kind}: {critical_path.short(name)}")
    if bad:
        raise Failure(f"{board['name']}: memories:\n" + "\n".join(bad))


def main(argv):
    parser = argparse.ArgumentParser(description="Boards: synthesis, place and route, bitstream.")
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build", help="configured build directory")
    parser.add_argument("--no-pnr", action="store_true", help="Yosys alone")
    parser.add_argument("--no-route", action="store_true", help="placement, and the clock estimated from it")
    parser.add_argument("--quick", action="store_true", help="check: pins, latches, loops and drivers only")
    parser.add_argument("--native", action="store_true", help="the machine's own place and route, not PyPI's")
    parser.add_argument("--seed", type=int, help="of place and route (default: the board's)")
    parser.add_argument("--image", type=str.split, help="image to load, as options of tally-sim (-bios FILE ...)")
    parser.add_argument("command", choices=("area", "bitstream", "collect", "table", "check"))
    parser.add_argument("boards", nargs="*", metavar="BOARD", help=f"some of: {', '.join(boards())}")
    args = parser.parse_args(argv)
    args.build = args.build.resolve()
    if args.quick and args.command != "check":
        parser.error("--quick belongs to check")
    if args.native:
        for entry in FAMILIES.values():
            entry["package"] = None
    if not (args.build / "generated" / "board.f").exists():
        parser.error(f"{args.build} is not configured")
    try:
        good = {"area": area, "bitstream": bitstream, "collect": collect, "table": table,
                "check": check}[args.command](args)
    except Failure as reason:
        print(f"fpga: {reason}", file=sys.stderr)
        return 1
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
