#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Longest paths of a synthesised netlist, estimated before placement or before routing: seconds instead of an hour.

    scripts/timing.py [NETLIST] [-n PATHS] [--skip REGEX] [--placed FILE]

NETLIST is what scripts/fpga.py gives to place and route (build/fpga/ulx3s/netlist.json). Delays of cells are those of
an ECP5-6; the delay of a wire follows from its fan-out. Routed paths are slower, by half where a path crosses the chip:
this ranks paths and shows the effect of a change, no more. Of paths between the same registers, indices aside, only the
longest is shown, with its signals and their arrival times (ns). --skip: leave out paths with signals of matching names.
The last line is a histogram of the ends of paths by nanosecond.

--placed: nextpnr's file of the placed design (--no-route --write FILE). Then the delay of a wire follows from the
distance of its ends, and the position of each signal is shown too.
"""

import argparse
import collections
import json
import math
import pathlib
import re
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import critical_path  # pylint: disable=wrong-import-position

ROOT = pathlib.Path(__file__).resolve().parent.parent

# Nanoseconds; nextpnr's for the -6 grade, rounded
LUT, WIDE_MUX, CARRY_IN, CARRY = 0.24, 0.2, 0.44, 0.07
FF_OUT, RAM_OUT, DSP, SETUP = 0.52, 5.7, 3.9, 0.2
WIRE, WIRE_FAN = 0.55, 0.13

# A wire between two tiles: for the first tiles of a direction, for those beyond. Fitted to estimates of nextpnr 0.11.
WIRE_START, WIRE_NEAR, WIRE_FAR, NEAR = 0.4, 0.17, 0.085, 5

BLOCK_RAM = ("DP16KD", "PDPW16KD")
PARTS = ("", "$CCU2_COMB0", "$DPRAM_COMB0")  # nextpnr's suffixes of the name of a cell's first part


def wire(fan_out):
    return WIRE + WIRE_FAN * math.log2(1 + fan_out)


def distance(a, b):
    far = [abs(p - q) for p, q in zip(a, b)]
    near = sum(min(d, NEAR) for d in far)
    return WIRE_START + WIRE_NEAR * near + WIRE_FAR * (sum(far) - near) if near else 0.0


def read_places(path):
    """Positions of the cells, by their names after packing."""
    module = next(iter(json.loads(path.read_text(encoding="utf-8"))["modules"].values()))
    bels = {name: re.match(r"X(\d+)/Y(\d+)/", cell["attributes"].get("NEXTPNR_BEL", ""))
            for name, cell in module["cells"].items()}
    return {name: (int(bel[1]), int(bel[2])) for name, bel in bels.items() if bel}


class Netlist:
    """Arcs between nets with their delays, where paths begin, and where they end."""

    def __init__(self, path, places=None):
        modules = json.loads(path.read_text(encoding="utf-8"))["modules"].values()
        top = next(module for module in modules if module.get("attributes", {}).get("top"))
        self.names = self.name_nets(top["netnames"])
        self.arcs = collections.defaultdict(list)     # net -> [(net, delay of the cell, delay of the wire)]
        self.starts = {}                              # net -> arrival time
        self.ends = []                                # (net, its sink, wire and setup)
        self.fan_out = collections.Counter()
        self.driven_at = {}                           # net -> the place of its driver
        self.here = None                              # the place of the current cell
        self.places = places or {}
        for name, cell in top["cells"].items():
            for net in self.inputs(cell):
                self.fan_out[net] += 1
            self.driven_at.update((net, self.place(name)) for net in self.outputs(cell))
        for name, cell in top["cells"].items():
            self.here = self.place(name)
            self.add(name, cell)

    def place(self, cell):
        return next((self.places[cell + part] for part in PARTS if cell + part in self.places), None)

    def wire(self, net):
        """From the net's driver to the current cell."""
        if self.here and self.driven_at.get(net):
            return distance(self.driven_at[net], self.here)
        return wire(self.fan_out[net])

    @staticmethod
    def name_nets(netnames):
        """The shortest name in the sources."""
        best = {}
        for name, entry in netnames.items():
            shown = critical_path.short(name) if "$" not in name else name
            for n, net in enumerate(entry["bits"]):
                if isinstance(net, int):
                    bit = shown if len(entry["bits"]) == 1 else f"{shown}[{n}]"
                    best[net] = min(best.get(net, (True, 1 << 20, "")), ("$" in name, len(bit), bit))
        return {net: name for net, (_, _, name) in best.items()}

    def at(self, net):
        where = self.driven_at.get(net)
        return f"({where[0]},{where[1]})" if where else ""

    def name(self, net):
        return self.names.get(net, str(net))

    @staticmethod
    def nets(cell, direction, ports):
        return [net for port, nets in cell["connections"].items()
                if cell["port_directions"][port] == direction and (ports is None or port in ports)
                for net in nets if isinstance(net, int)]

    def inputs(self, cell, ports=None):
        return self.nets(cell, "input", ports)

    def outputs(self, cell, ports=None):
        return self.nets(cell, "output", ports)

    def arc(self, source, target, delay, routed=True):
        self.arcs[source].append((target, delay + (self.wire(source) if routed else 0)))

    def end(self, name, cell, ports=None, setup=SETUP):
        self.ends += [(net, name, self.wire(net) + setup) for net in self.inputs(cell, ports)]

    def add(self, name, cell):
        kind, connections = cell["type"], cell["connections"]
        if kind in ("LUT4", "PFUMX", "L6MUX21"):
            within = {"PFUMX": ("ALUT", "BLUT"), "L6MUX21": ("D0", "D1")}.get(kind, ())
            for port in connections:
                for net in self.inputs(cell, (port,)):
                    self.arc(net, connections["Z"][0], LUT if kind == "LUT4" else WIDE_MUX, port not in within)
        elif kind == "CCU2C":
            for port in connections:
                for net in self.inputs(cell, (port,)):
                    for out in ("S0", "S1", "COUT"):
                        if not (port[-1] == "1" and out == "S0"):
                            for target in self.outputs(cell, (out,)):
                                chain = port == "CIN" and out == "COUT"
                                self.arc(net, target, CARRY if chain else CARRY_IN, port != "CIN")
        elif kind == "TRELLIS_DPR16X4":
            for net in self.inputs(cell, ("RAD",)):
                for target in self.outputs(cell):
                    self.arc(net, target, LUT)
            self.end(name, cell, ("DI", "WAD", "WRE"))
        elif kind == "TRELLIS_FF":
            register = self.name(connections["Q"][0])
            self.starts[connections["Q"][0]] = FF_OUT
            self.end(register, cell, ("DI",), 0.0)
            self.end(register, cell, ("CE", "LSR"))
        elif kind in BLOCK_RAM:
            self.starts.update((net, RAM_OUT) for net in self.outputs(cell))
            self.end(name, cell)
        elif kind == "MULT18X18D":
            for net in self.inputs(cell):
                for target in self.outputs(cell):
                    self.arc(net, target, DSP)

    def arrivals(self):
        """Arrival time of each net, and the net before it on its longest path."""
        waits = collections.Counter(target for arcs in self.arcs.values() for target, _ in arcs)
        when = dict(self.starts)
        before = {}
        ready = [net for net in set(self.arcs) | set(when) if not waits[net]]
        while ready:
            net = ready.pop()
            for target, delay in self.arcs[net]:
                then = when.get(net, 0.0) + delay
                if then > when.get(target, -1.0):
                    when[target] = then
                    before[target] = net
                waits[target] -= 1
                if not waits[target]:
                    ready.append(target)
        return when, before


def way(net, before):
    nets = [net]
    while nets[-1] in before:
        nets.append(before[nets[-1]])
    return nets[::-1]


def main(argv):
    parser = argparse.ArgumentParser(description="Longest paths of a synthesised netlist.")
    parser.add_argument("netlist", nargs="?", type=pathlib.Path, default=ROOT / "build/fpga/ulx3s/netlist.json")
    parser.add_argument("-n", type=int, default=20, help="paths to show (20)")
    parser.add_argument("--skip", type=re.compile, help="paths with a signal of such a name are left out")
    parser.add_argument("--placed", type=pathlib.Path, help="the placed design, by nextpnr's --write")
    args = parser.parse_args(argv)
    if not args.netlist.exists():
        parser.error(f"no {args.netlist}: `make fpga-area FPGA=--no-pnr` makes it")
    netlist = Netlist(args.netlist, args.placed and read_places(args.placed))
    when, before = netlist.arrivals()
    ends = sorted(((when.get(net, 0.0) + last, net, name)
                   for net, name, last in netlist.ends), key=lambda end: -end[0])
    seen = set()
    for total, net, end in ends:
        nets = way(net, before)
        kind = re.sub(r"\[?\d+\]?", "", netlist.name(nets[0])), re.sub(r"\[?\d+\]?", "", end)
        if kind in seen or (args.skip and any(args.skip.search(netlist.name(n)) for n in nets)):
            continue
        seen.add(kind)
        shown = [f"{netlist.name(n)}@{when.get(n, 0.0):.1f}{netlist.at(n)}" for n in nets if "$" not in netlist.name(n)]
        print(f"{total:5.1f} ns, {len(nets)} nets: {' '.join(shown)} -> {critical_path.short(end)}")
        if len(seen) == args.n:
            break
    count = collections.Counter(int(total) for total, _, _ in ends)
    print("ends: " + ", ".join(f"{ns} ns {n}" for ns, n in sorted(count.items(), reverse=True)))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
