#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The area of tally_pmu: a table of LUT, FF, carry cells and memory blocks, counted by Yosys.

    scripts/bench_area.py [--counters N,...] [--lines N,...] [--ram 0,1] [--flow ice40,ecp5,lut4] [-p NAME=VALUE]...

The whole unit with its default parameters and those of -p. --lines: 0 is the event list of spec/events.yaml; N is a
generated list of N events with one wire each, half of them retire events, and selectors 1, 2, 3, ... A LUT has four
inputs; levels are LUTs in series (levels.py).
"""

import argparse
import functools
import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

import yaml

import levels

ROOT = pathlib.Path(__file__).resolve().parent.parent
# events that the unit names
NEEDED = ("CYCLES.HART", "INST.RET", "CYCLES.BUS", "SOFTWARE", "EBB.BRANCHES", "EBB.UNHEARD")
FLOWS = {
    "ice40": ("synth_ice40", {"SB_LUT4"}, r"SB_DFF", {"SB_CARRY"}, r"SB_RAM40"),
    "ecp5": ("synth_ecp5 -nowidelut", {"LUT4"}, r"TRELLIS_FF", {"CCU2C"}, r"DP16KD|TRELLIS_DPR16X4"),
    "lut4": ("synth -flatten -lut 4", {"$lut"}, r"\$_S?DFF", set(), r"\$mem"),
}


def event_list(lines):
    """spec/events.yaml with `lines` events, each a wire of its own."""
    spec = yaml.safe_load((ROOT / "spec" / "events.yaml").read_text(encoding="utf-8"))
    events = [event for event in spec["events"] if event["name"] in NEEDED]
    codes = [code for code in [*range(1, 0x80), *range(0x10000, 0x10040)] if code not in {e["code"] for e in events}]
    indices = {event["index"] for event in events}
    cycle = [index for index in range(64, 128) if index not in indices]
    named = re.findall(r"`TALLY_EV[RC]_(\w+)", "".join(pathlib.Path(name).read_text() for name in sources()))
    named += [wire for event in events for wire in event["from"]]
    for kind in ("retire", "cycle"):
        spec["wires"][kind] = [wire for wire in spec["wires"][kind] if wire["name"] in named] or spec["wires"][kind][:1]
    # the wires that are kept for their names have events too: there are at most 64 retire wires
    used = {wire for event in events for wire in event["from"]}
    kept = {kind: [wire["name"] for wire in spec["wires"][kind] if wire["name"] not in used] for kind in spec["wires"]}
    retire = [index for index in range(1, 64) if index not in indices][:lines // 2 - 1]
    for index, code in zip((retire + cycle)[:lines - len(events)], codes):
        kind = "retire" if index < 64 else "cycle"
        if not kept[kind]:
            spec["wires"][kind].append({"name": f"LINE{index}", "desc": "made"})
            kept[kind].append(f"LINE{index}")
        events.append({"name": f"LINE.{index}", "code": code, "index": index, "kind": kind, "from": [kept[kind].pop(0)],
                       "precise": kind == "retire", "desc": "made"})
    for kind in ("retire", "cycle"):
        there = {wire["name"] for wire in spec["wires"][kind]}
        spec["small"][kind] = [wire for wire in spec["small"][kind] if wire in there]
    if len(events) != lines:
        raise SystemExit(f"bench_area: no event list of {lines} lines; {len(events)} is the most")
    return {**spec, "events": events}


@functools.cache
def generated(folder, lines):
    """Headers for an event list. Each process makes its own: the specification may have changed."""
    spec = folder / f"spec{lines}"
    out = folder / f"generated{lines}"
    for path in (spec, out):
        shutil.rmtree(path, ignore_errors=True)
    spec.mkdir()
    for path in (ROOT / "spec").iterdir():
        if path.name != "events.yaml" or not lines:
            (spec / path.name).symlink_to(path)
    if lines:
        (spec / "events.yaml").write_text(yaml.safe_dump(event_list(lines), sort_keys=False), encoding="utf-8")
    subprocess.run([sys.executable, str(ROOT / "scripts" / "gen_spec.py"), "--spec", str(spec), "--out", str(out)],
                   check=True)
    return out


def sources():
    lists = {part: (ROOT / "rtl" / part / "files.cmake").read_text(encoding="utf-8") for part in ("pmu", "prim")}
    return [str(ROOT / "rtl" / part / name) for part, text in lists.items()
            for name in re.findall(r"LIST_DIR\}/([\w/]+\.v)", text)]


def measure(folder, flow, lines, params):
    """LUT, FF, carry, memory blocks, LUT levels."""
    command, luts, flip_flops, carries, blocks = FLOWS[flow]
    chparams = " ".join(f"-chparam {name} {value}" for name, value in params.items())
    script = (f"read_verilog -I{generated(folder, lines)} -I{ROOT / 'rtl' / 'pmu'} -I{ROOT / 'rtl' / 'prim'} "
              f"{' '.join(sources())}; "
              f"hierarchy -top tally_pmu {chparams}; {command} -top tally_pmu; "
              # boundaries are dropped at the end
              "setattr -mod -unset keep_hierarchy *; flatten; opt_clean; "
              f"tee -q -o {folder}/stat.txt stat; write_json {folder}/netlist.json")
    done = subprocess.run(["yosys", "-q", "-p", script], capture_output=True, text=True, check=False)
    if done.returncode:
        raise SystemExit(f"bench_area: Yosys failed\n{done.stdout}{done.stderr}")
    stat = (folder / "stat.txt").read_text(encoding="utf-8")
    cells = {name: int(count) for name, count in re.findall(r"^ {5}(\S+) +(\d+)$", stat, flags=re.M)}
    netlist = json.loads((folder / "netlist.json").read_text(encoding="utf-8"))
    return (sum(cells.get(name, 0) for name in luts),
            sum(count for name, count in cells.items() if re.match(flip_flops, name)),
            sum(cells.get(name, 0) for name in carries),
            sum(count for name, count in cells.items() if re.match(blocks, name)),
            levels.depth(netlist["modules"]["tally_pmu"]))


def numbers(text):
    return [int(word) for word in text.split(",")]


def main(argv):
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--counters", type=numbers, default=[0, 4, 8, 16, 29])
    parser.add_argument("--lines", type=numbers, default=[64, 127, 0])
    parser.add_argument("--ram", type=numbers, default=[0, 1])
    parser.add_argument("--flow", type=lambda text: text.split(","), default=list(FLOWS))
    parser.add_argument("-p", dest="params", action="append", default=[], metavar="NAME=VALUE")
    args = parser.parse_args(argv)
    extra = dict(param.split("=") for param in args.params)
    print("| flow | `COUNTER_RAM` | lines | counters | LUT4 | a counter | FF | a counter | carry | blocks | levels |")
    print("|---|---|---|---|---|---|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as scratch:
        for flow in args.flow:
            for ram in args.ram:
                for lines in args.lines:
                    for count in args.counters:
                        lut, flip_flop, carry, blocks, depth = measure(
                            pathlib.Path(scratch), flow, lines, {"HPM_N": count, "COUNTER_RAM": ram, **extra})
                        each = [f"{value / count:.0f}" if count else "" for value in (lut, flip_flop)]
                        print(f"| {flow} | {ram} | {lines or 'list'} | {count} | {lut} | {each[0]} | {flip_flop} | "
                              f"{each[1]} | {carry} | {blocks} | {depth} |", flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
