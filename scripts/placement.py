#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The placement of a design on an ECP5, as nextpnr writes it (--no-route --write), made better by tally-refine.

    scripts/placement.py PLACED REFINED [--tool FILE] [--seed N] [--enough MHZ]

REFINED is PLACED with other places: nextpnr routes it (--no-pack --no-place). The input and output of tally-refine
stay beside it (placement.txt, places.txt); fpga/placement.h has the format.
"""

import argparse
import collections
import json
import pathlib
import re
import subprocess
import sys

from timing import CARRY, CARRY_IN, DSP, FF_OUT, LUT, RAM_OUT, SETUP, WIDE_MUX

# Nanoseconds, beside those of timing.py: through a look-up table and its multiplexer, and out of a carry chain. A carry
# cell is two here.
TO_MUX, OUT_OF_CARRY, HALF_CARRY = 0.4, 0.4, CARRY / 2

FIXED, LOGIC, SITE = range(3)                                          # enum cell_kind
FLAG_MUX, FLAG_M, FLAG_RAM, FLAG_CLKINV, FLAG_LSRINV, FLAG_CARRY = (1 << n for n in range(6))  # enum cell_flag
RAM_PORT = 16

DEDICATED = {"F1", "FXA", "FXB", "FCI"}  # inputs with a wire of their own from the neighbour
WRITE = {"WD", "WAD0", "WAD1", "WAD2", "WAD3", "WRE", "WCK"}
CLOCKS = {"CLK", "CLKA", "CLKB", "CLKI", "CLKFB", "WCK", "CLK0", "CLK1", "CLK2", "CLK3"}
# Of the port of a RAM: which input is which output
RAM_PORT_OUTPUT = {"D1": "WDO3", "C1": "WDO1", "A1": "WDO0", "B1": "WDO2",
                   "D0": "WADO0", "B0": "WADO1", "C0": "WADO2", "A0": "WADO3"}


class Cell:
    """A cell of the placed design: its place, and its bonds to others."""

    def __init__(self, name, entry):
        self.name = name
        self.type = entry["type"]
        self.set = {key: value.strip() for key, value in entry["parameters"].items() if isinstance(value, str)}
        self.mode = self.set.get("MODE", "LOGIC")
        self.inputs = {port: bit for port, bit in self.bits(entry, "input")}
        self.outputs = {port: bit for port, bit in self.bits(entry, "output")}
        where = re.match(r"X(\d+)/Y(\d+)/(.*)", entry["attributes"].get("NEXTPNR_BEL", ""))
        if not where:
            raise ValueError(f"cell {name} has no place: it needs a NEXTPNR_BEL, from nextpnr --write")
        self.x, self.y, self.site = int(where[1]), int(where[2]), where[3]
        self.slot = self.find_slot()
        self.kind = LOGIC if self.slot >= 0 else SITE if self.type == "DP16KD" else FIXED
        self.flags = self.find_flags()

    @staticmethod
    def bits(entry, direction):
        return [(port, bits[0]) for port, bits in entry["connections"].items()
                if bits and isinstance(bits[0], int) and entry["port_directions"][port] == direction]

    def find_slot(self):
        found = re.match(r"SLICE([A-D])\.(K|FF|RAMW)(\d?)", self.site)
        if not found:
            return -1
        return RAM_PORT if found[2] == "RAMW" else ("ABCD".index(found[1]) * 2 + int(found[3])) * 2 + (found[2] == "FF")

    def find_flags(self):
        flags = 0
        if self.type == "TRELLIS_COMB":
            flags |= FLAG_MUX * any(port in self.inputs for port in ("F1", "FXA", "FXB"))
            flags |= FLAG_CARRY * (self.mode == "CCU2")
            if self.mode == "DPRAM":
                flags |= FLAG_RAM | FLAG_CLKINV * (self.set.get("WCKMUX") == "INV")
                flags |= FLAG_LSRINV * (self.set.get("WREMUX") in ("INV", "0"))
        elif self.type == "TRELLIS_FF":
            flags |= FLAG_M * ("M" in self.inputs) | FLAG_CLKINV * (self.set.get("CLKMUX") in ("INV", "0"))
            flags |= FLAG_LSRINV * (self.set.get("LSRMUX") == "INV")
        return flags

    def tile_set(self):
        """Common settings of the flip-flops of one tile."""
        return (self.inputs.get("CLK"), self.inputs.get("LSR"), self.flags & (FLAG_CLKINV | FLAG_LSRINV),
                self.set.get("SRMODE") == "ASYNC")

    def slice_set(self):
        """And those of one slice."""
        enable = self.set.get("CEMUX", "CE")
        return self.set.get("GSR", "ENABLED"), self.inputs.get("CE"), enable if enable != "CE" else ""

    def start(self):
        return {"TRELLIS_FF": FF_OUT, "DP16KD": RAM_OUT, "TRELLIS_IO": 0.0}.get(self.type, -1)

    def ways(self, port):
        """From an input: ([(output's net, delay)], the setup time if paths end here, else -1)."""
        out = self.outputs
        if self.type == "TRELLIS_FF":
            return [], 0.0 if port in ("DI", "M") else SETUP
        if self.type == "DP16KD":
            return [], SETUP
        if self.type == "MULT18X18D":
            return [(bit, DSP) for bit in out.values()], -1
        if self.type == "TRELLIS_RAMW":
            through = RAM_PORT_OUTPUT[port]
            return [(out[through], 0.0)] if through in out else [], -1
        if self.type != "TRELLIS_COMB":
            return [], -1
        if port in WRITE:
            return [], SETUP if port == "WRE" else 0.0
        if self.mode == "CCU2":
            chain = port == "FCI"
            delays = {"F": OUT_OF_CARRY if chain else CARRY_IN, "FCO": HALF_CARRY if chain else CARRY_IN}
        else:
            delays = {"F": LUT, "OFX": TO_MUX} if port in "ABCD" else {"OFX": WIDE_MUX}
        return [(out[name], delay) for name, delay in delays.items() if name in out], -1


class Bundles:
    """Cells that keep their places relative to each other."""

    def __init__(self, cells, driver):
        self.parent = list(range(len(cells)))
        index = {cell.name: i for i, cell in enumerate(cells)}
        rams = {}
        for i, cell in enumerate(cells):
            for port, bit in cell.inputs.items():
                if cell.type == "TRELLIS_COMB" and port in DEDICATED or \
                        cell.type == "TRELLIS_FF" and port == "DI" and cells[driver[bit]].type == "TRELLIS_COMB":
                    self.join(i, driver[bit])
            if cell.name.endswith("$CCU2_COMB1") and cell.name[:-1] + "0" in index:
                self.join(i, index[cell.name[:-1] + "0"])
            if cell.type == "TRELLIS_RAMW" or cell.mode in ("DPRAM", "RAMW_BLOCK"):
                self.join(i, rams.setdefault((cell.x, cell.y), i))

    def find(self, i):
        while self.parent[i] != i:
            self.parent[i] = self.parent[self.parent[i]]
            i = self.parent[i]
        return i

    def join(self, i, j):
        self.parent[self.find(i)] = self.find(j)

    def number(self, cells):
        """A bundle's number for each cell, -1 for those that are fixed, or hang on a cell that is."""
        fixed = {self.find(i) for i, cell in enumerate(cells) if cell.kind == FIXED}
        numbers = {}
        return [-1 if self.find(i) in fixed else numbers.setdefault(self.find(i), len(numbers))
                for i in range(len(cells))], len(numbers)


class Design:
    def __init__(self, path):
        top = next(iter(json.loads(path.read_text(encoding="utf-8"))["modules"].values()))
        self.cells = [Cell(name, entry) for name, entry in top["cells"].items()]
        self.driver = {bit: i for i, cell in enumerate(self.cells) for bit in cell.outputs.values()}
        self.bundle, self.bundles_n = Bundles(self.cells, self.driver).number(self.cells)
        clocks = {bit for cell in self.cells for port, bit in cell.inputs.items() if port in CLOCKS}
        # Clocks and their drivers have wires of their own.
        self.timed = {bit for bit, i in self.driver.items()
                      if bit not in clocks and self.cells[i].type not in ("DCCA", "EHXPLLL")}
        self.nets = {}

    def net(self, bit):
        return self.nets.setdefault(bit, len(self.nets))

    def arcs(self):
        """(net, cell, dedicated, end, {net: delay}) of each net and cell that it enters."""
        for i, cell in enumerate(self.cells):
            ports = collections.defaultdict(list)
            for port, bit in cell.inputs.items():
                if bit in self.timed and port not in CLOCKS:
                    ports[bit].append(port)
            for bit, names in ports.items():
                source = self.cells[self.driver[bit]].type
                dedicated = source == "TRELLIS_RAMW" or any(
                    name in DEDICATED or name == "DI" and source == "TRELLIS_COMB" for name in names)
                end, through = -1, {}
                for name in names:
                    ways, setup = cell.ways(name)
                    end = max(end, setup)
                    for out, delay in ways:
                        through[out] = max(through.get(out, 0), delay)
                if end >= 0 or through:
                    yield self.net(bit), i, dedicated, end, {self.net(out): delay for out, delay in through.items()}

    def write(self, path):
        """For tally-refine; see fpga/placement.h."""
        arcs = list(self.arcs())
        tiles = sorted({(cell.x, cell.y) for cell in self.cells if cell.slot >= 0})
        width, height = (max(at) + 2 for at in zip(*((cell.x, cell.y) for cell in self.cells)))
        sets = [{None: 0}, {None: 0}]

        def number(which, cell):
            key = (cell.tile_set, cell.slice_set)[which]() if cell.type == "TRELLIS_FF" else None
            return sets[which].setdefault(key, len(sets[which]))

        lines = [f"tally-refine 1 {width} {height}",
                 f"{len(tiles)} {len(self.cells)} {len(self.nets)} {len(arcs)} {self.bundles_n}"]
        lines += [f"{x} {y}" for x, y in tiles]
        lines += [f"{cell.x} {cell.y} {cell.slot} {cell.kind if bundle >= 0 else FIXED} {bundle} {cell.flags} "
                  f"{number(0, cell)} {number(1, cell)}" for cell, bundle in zip(self.cells, self.bundle)]
        lines += [f"{self.driver[bit]} {self.cells[self.driver[bit]].start()}" for bit in self.nets]
        lines += [" ".join(map(str, [net, sink, int(dedicated), end, len(through),
                                     *[word for way in through.items() for word in way]]))
                  for net, sink, dedicated, end, through in arcs]
        path.write_text("\n".join(lines) + "\n", encoding="utf-8")

    def places(self, path):
        """Names of cells and of their new places, as tally-refine wrote them."""
        sites = {(cell.x, cell.y): cell.site for cell in self.cells if cell.kind == SITE}
        rows = path.read_text(encoding="utf-8").splitlines()
        if len(rows) != len(self.cells):
            raise ValueError(f"{path}: {len(rows)} places of {len(self.cells)} cells")
        for cell, row in zip(self.cells, rows):
            x, y, slot = map(int, row.split())
            site = sites[x, y] if cell.kind == SITE else cell.site
            if 0 <= slot < RAM_PORT:
                site = f"SLICE{'ABCD'[slot // 4]}.{'FF' if slot % 2 else 'K'}{slot // 2 % 2}"
            yield cell.name, f"X{x}/Y{y}/{site}"


def replace(placed, places, refined):
    """nextpnr's file with other places. Line by line: it is too long to be written by Python's library in little time,
    and nextpnr's own form stays."""
    places = dict(places)
    cell = None
    with open(placed, encoding="utf-8") as source, open(refined, "w", encoding="utf-8") as target:
        for line in source:
            if line.startswith('        "') and line.endswith('": {\n'):
                cell = json.loads(line[:-4])
            elif '"NEXTPNR_BEL": "' in line:
                line = re.sub(r'(: ")[^"]*"', lambda found, place=places[cell]: f'{found[1]}{place}"', line)
            target.write(line)


def refine(placed, refined, command):
    """The command is tally-refine with its options. Gives its status. A bad file is a ValueError."""
    before, after = placed.with_name("placement.txt"), placed.with_name("places.txt")
    try:
        design = Design(placed)
        design.write(before)
    except (ValueError, LookupError, TypeError, AttributeError, StopIteration) as reason:
        raise ValueError(f"{placed}: not what nextpnr writes: {reason!r}") from reason
    status = subprocess.run([*command, before, after], check=False).returncode
    if status == 0:
        replace(placed, design.places(after), refined)
    return status


def main(argv):
    parser = argparse.ArgumentParser(description="Make nextpnr's placement on an ECP5 better.")
    parser.add_argument("placed", type=pathlib.Path)
    parser.add_argument("refined", type=pathlib.Path)
    parser.add_argument("--tool", type=pathlib.Path, default="build/tally-refine", help="tally-refine")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--enough", metavar="MHZ", help="clock at which tally-refine ends, by its estimate")
    args = parser.parse_args(argv)
    try:
        return refine(args.placed, args.refined,
                      [args.tool.resolve(), "--seed", str(args.seed),
                       *(["--enough", args.enough] if args.enough else [])])
    except (OSError, ValueError) as reason:
        print(f"placement: {reason}", file=sys.stderr)
        return 2


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
