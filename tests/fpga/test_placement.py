#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""scripts/placement.py on a small design in nextpnr's form: its output to tally-refine of each cell, net and arc, and
that nothing but places changes on the way back.

    test_placement.py BUILD"""

import contextlib
import io
import json
import pathlib
import re
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "scripts"))

import placement  # noqa: E402  pylint: disable=wrong-import-position

TOOL = pathlib.Path(sys.argv.pop(1)).resolve() / "tally-refine" if len(sys.argv) > 1 else None

CLOCK, PIN_CLOCK = 1, 2
IN, Q, D, QM, F1, OFX, F, SUM, CARRY, SUM1, CARRY1, SUM2, SUM3, WDO3, WADO3, RAM, DOA, P = range(10, 28)

# name: (type, place, parameters, inputs, outputs). GSR is the chip's global reset, which our netlists do not use.
CELLS = {
    "in$tr_io": ("TRELLIS_IO", "X5/Y0/PIOA", {}, {}, {"O": IN}),
    "$gbuf$clk": ("DCCA", "X6/Y0/TDCC0", {}, {"CLKI": PIN_CLOCK}, {"CLKO": CLOCK}),
    "clk$tr_io": ("TRELLIS_IO", "X7/Y0/PIOB", {}, {}, {"O": PIN_CLOCK}),
    "lut": ("TRELLIS_COMB", "X2/Y3/SLICEB.K1", {}, {"A": IN, "B": Q}, {"F": D, "OFX": None}),
    "ff": ("TRELLIS_FF", "X2/Y3/SLICEB.FF1", {"GSR": "DISABLED", "CEMUX": "CE", "CLKMUX": "CLK", "SD": "1 "},
           {"DI": D, "CLK": CLOCK, "CE": IN, "LSR": None}, {"Q": Q}),
    "ff_m": ("TRELLIS_FF", "X2/Y4/SLICEA.FF0",
             {"GSR": "DISABLED", "CEMUX": "1 ", "CLKMUX": "INV ", "LSRMUX": "INV", "SRMODE": "ASYNC"},
             {"M": Q, "CLK": CLOCK, "LSR": IN}, {"Q": QM}),
    "ff_same": ("TRELLIS_FF", "X3/Y4/SLICED.FF1", {"GSR": "DISABLED"}, {"M": Q, "CLK": CLOCK, "CE": IN}, {"Q": None}),
    "ff_gsr": ("TRELLIS_FF", "X3/Y4/SLICEB.FF0", {}, {"M": Q, "CLK": CLOCK, "CE": IN}, {"Q": None}),
    'mux "5\\': ("TRELLIS_COMB", "X3/Y3/SLICEC.K0", {}, {"F1": F1, "M": QM, "A": Q}, {"OFX": OFX, "F": F}),
    "mux5_odd": ("TRELLIS_COMB", "X3/Y3/SLICEC.K1", {}, {"A": QM}, {"F": F1}),
    "add$CCU2_COMB0": ("TRELLIS_COMB", "X4/Y3/SLICEA.K0", {"MODE": "CCU2"}, {"A": Q, "B": Q},
                       {"F": SUM, "FCO": CARRY}),
    "add$CCU2_COMB1": ("TRELLIS_COMB", "X4/Y3/SLICEA.K1", {"MODE": "CCU2"}, {"FCI": CARRY, "B": QM},
                       {"F": SUM1, "FCO": CARRY1}),
    "add2$CCU2_COMB0": ("TRELLIS_COMB", "X4/Y3/SLICEB.K0", {"MODE": "CCU2"}, {"FCI": CARRY1}, {"F": SUM2}),
    "add2$CCU2_COMB1": ("TRELLIS_COMB", "X4/Y3/SLICEB.K1", {"MODE": "CCU2"}, {"A": OFX}, {"F": SUM3}),
    "ram$RAMW_SLICE": ("TRELLIS_RAMW", "X2/Y5/SLICEC.RAMW", {}, {"D1": Q, "A0": QM, "B0": None},
                       {"WDO3": WDO3, "WADO3": WADO3}),
    "ram$DPRAM_COMB0": ("TRELLIS_COMB", "X2/Y5/SLICEA.K0", {"MODE": "DPRAM", "WCKMUX": "INV", "WREMUX": "WRE"},
                        {"WD": WDO3, "WAD3": WADO3, "WRE": QM, "WCK": CLOCK, "A": Q}, {"F": RAM}),
    "ram$RAMW_BLOCK0": ("TRELLIS_COMB", "X2/Y5/SLICEC.K0", {"MODE": "RAMW_BLOCK"}, {}, {}),
    "block0": ("DP16KD", "X8/Y6/EBR0", {}, {"ADA0": SUM1, "CLKA": CLOCK}, {"DOA0": DOA}),
    "block1": ("DP16KD", "X12/Y6/EBR2", {}, {"ADA0": F, "CLKB": CLOCK}, {"DOA0": None}),
    "mult": ("MULT18X18D", "X9/Y7/MULT18_0", {}, {"A0": DOA}, {"P0": P}),
    "out$tr_io": ("TRELLIS_IO", "X6/Y8/PIOB", {}, {"I": P}, {"O": None}),
}

FIXED, LOGIC, SITE = range(3)
MUX, M, RAM_BITS, CLKINV, LSRINV, CHAIN = 1, 2, 4, 8, 16, 32
# x, y, slot, kind, bundle (a letter: the same for cells that stay together), flags, tile set, slice set
EXPECTED = {
    "in$tr_io": (5, 0, -1, FIXED, None, 0, 0, 0),
    "$gbuf$clk": (6, 0, -1, FIXED, None, 0, 0, 0),
    "clk$tr_io": (7, 0, -1, FIXED, None, 0, 0, 0),
    "lut": (2, 3, 6, LOGIC, "a", 0, 0, 0),
    "ff": (2, 3, 7, LOGIC, "a", 0, 1, 1),
    "ff_m": (2, 4, 1, LOGIC, "b", M | CLKINV | LSRINV, 2, 2),
    "ff_same": (3, 4, 15, LOGIC, "c", M, 1, 1),
    "ff_gsr": (3, 4, 5, LOGIC, "d", M, 1, 3),
    'mux "5\\': (3, 3, 8, LOGIC, "e", MUX, 0, 0),
    "mux5_odd": (3, 3, 10, LOGIC, "e", 0, 0, 0),
    "add$CCU2_COMB0": (4, 3, 0, LOGIC, "f", CHAIN, 0, 0),
    "add$CCU2_COMB1": (4, 3, 2, LOGIC, "f", CHAIN, 0, 0),
    "add2$CCU2_COMB0": (4, 3, 4, LOGIC, "f", CHAIN, 0, 0),
    "add2$CCU2_COMB1": (4, 3, 6, LOGIC, "f", CHAIN, 0, 0),
    "ram$RAMW_SLICE": (2, 5, 16, LOGIC, "g", 0, 0, 0),
    "ram$DPRAM_COMB0": (2, 5, 0, LOGIC, "g", RAM_BITS | CLKINV, 0, 0),
    "ram$RAMW_BLOCK0": (2, 5, 8, LOGIC, "g", 0, 0, 0),
    "block0": (8, 6, -1, SITE, "h", 0, 0, 0),
    "block1": (12, 6, -1, SITE, "i", 0, 0, 0),
    "mult": (9, 7, -1, FIXED, None, 0, 0, 0),
    "out$tr_io": (6, 8, -1, FIXED, None, 0, 0, 0),
}

# net: ns after the clock, -1 for those of logic; not for clocks
STARTS = {IN: 0, Q: 0.52, QM: 0.52, D: -1, F1: -1, OFX: -1, F: -1, SUM: -1, CARRY: -1, SUM1: -1, CARRY1: -1, SUM2: -1,
          SUM3: -1, WDO3: -1, WADO3: -1, RAM: -1, DOA: 5.7, P: -1}

# (net, cell): dedicated, setup or -1, {net behind it: ns}
ARCS = {
    (IN, "lut"): (0, -1, {D: 0.24}), (Q, "lut"): (0, -1, {D: 0.24}),
    (D, "ff"): (1, 0, {}), (IN, "ff"): (0, 0.2, {}),
    (Q, "ff_m"): (0, 0, {}), (IN, "ff_m"): (0, 0.2, {}),
    (Q, "ff_same"): (0, 0, {}), (IN, "ff_same"): (0, 0.2, {}),
    (Q, "ff_gsr"): (0, 0, {}), (IN, "ff_gsr"): (0, 0.2, {}),
    (F1, 'mux "5\\'): (1, -1, {OFX: 0.2}), (QM, 'mux "5\\'): (0, -1, {OFX: 0.2}),
    (Q, 'mux "5\\'): (0, -1, {F: 0.24, OFX: 0.4}), (QM, "mux5_odd"): (0, -1, {F1: 0.24}),
    (Q, "add$CCU2_COMB0"): (0, -1, {SUM: 0.44, CARRY: 0.44}),
    (CARRY, "add$CCU2_COMB1"): (1, -1, {SUM1: 0.4, CARRY1: 0.035}),
    (QM, "add$CCU2_COMB1"): (0, -1, {SUM1: 0.44, CARRY1: 0.44}),
    (CARRY1, "add2$CCU2_COMB0"): (1, -1, {SUM2: 0.4}), (OFX, "add2$CCU2_COMB1"): (0, -1, {SUM3: 0.44}),
    (Q, "ram$RAMW_SLICE"): (0, -1, {WDO3: 0}), (QM, "ram$RAMW_SLICE"): (0, -1, {WADO3: 0}),
    (WDO3, "ram$DPRAM_COMB0"): (1, 0, {}), (WADO3, "ram$DPRAM_COMB0"): (1, 0, {}),
    (QM, "ram$DPRAM_COMB0"): (0, 0.2, {}), (Q, "ram$DPRAM_COMB0"): (0, -1, {RAM: 0.24}),
    (SUM1, "block0"): (0, 0.2, {}), (F, "block1"): (0, 0.2, {}), (DOA, "mult"): (0, -1, {P: 3.9}),
}


def entry(kind, place, parameters, inputs, outputs):
    ports = {**outputs, **inputs}
    return {"hide_name": 0, "type": kind, "parameters": parameters,
            "attributes": {"BEL_STRENGTH": "0001", "NEXTPNR_BEL": place, "src": 'a.v:1 \u00e9 "NEXTPNR_BEL"'},
            "port_directions": {port: "input" if port in inputs else "output" for port in ports},
            "connections": {port: [] if bit is None else [bit] for port, bit in ports.items()}}


def nextpnr_text():
    """Indented by two, bits in one line."""
    cells = {name: entry(*cell) for name, cell in CELLS.items()}
    top = {"settings": {"seed": "01"}, "attributes": {}, "ports": {"in": {"direction": "input", "bits": [IN]}},
           "cells": cells, "netnames": {"lut": {"hide_name": 0, "bits": [D], "attributes": {"ROUTING": ""}}}}
    text = json.dumps({"creator": "nextpnr", "modules": {"top": top}}, indent=2, ensure_ascii=False) + "\n"
    return re.sub(r"\[\s*(\d*)\s*\]", r"[ \1 ]", text)


class Placement(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()  # pylint: disable=consider-using-with
        self.addCleanup(self.folder.cleanup)
        self.path = pathlib.Path(self.folder.name)
        self.placed, self.refined = self.path / "placed.json", self.path / "refined.json"
        self.placed.write_text(nextpnr_text(), encoding="utf-8")

    def main(self, tool):
        with contextlib.redirect_stderr(io.StringIO()) as said:
            status = placement.main([str(self.placed), str(self.refined), "--tool", str(tool)])
        return status, said.getvalue()

    def tool(self, line):
        tool = self.path / "tool"
        tool.write_text(f"#!/bin/sh\ncd {self.path}\n{line}\n", encoding="utf-8")
        tool.chmod(0o755)
        return tool

    def graph(self):
        """The text in parts: tiles, cells, nets, arcs; and which net each is."""
        design = placement.Design(self.placed)
        design.write(self.path / "placement.txt")
        lines = (self.path / "placement.txt").read_text(encoding="utf-8").splitlines()
        counts = list(map(int, lines[1].split()))
        parts, at = [lines[0], counts], 2
        for n in counts[:4]:
            parts.append([tuple(map(float, line.split())) for line in lines[at:at + n]])
            at += n
        self.assertEqual(at, len(lines))
        return parts, {number: bit for bit, number in design.nets.items()}

    def test_counts_and_tiles(self):
        (head, counts, tiles, *_), _ = self.graph()
        magic, version, width, height = head.split()
        self.assertEqual((magic, version), ("tally-refine", "1"))
        self.assertTrue(int(width) > 12 and int(height) > 8)
        self.assertEqual(counts, [6, len(CELLS), len(STARTS), len(ARCS), 9])
        self.assertEqual(tiles, [(2, 3), (2, 4), (2, 5), (3, 3), (3, 4), (4, 3)])

    def test_cells(self):
        (_, _, _, cells, *_), _ = self.graph()
        bundles = {}
        for (name, wanted), found in zip(EXPECTED.items(), cells):
            with self.subTest(name):
                bundle = -1 if wanted[4] is None else bundles.setdefault(wanted[4], found[4])
                self.assertEqual(found, (*wanted[:4], bundle, *wanted[5:]))
        self.assertEqual(sorted(bundles.values()), list(range(9)))

    def test_nets_and_arcs(self):
        (_, _, _, _, nets, arcs), bit = self.graph()
        names = list(CELLS)
        driver = {out: name for name, cell in CELLS.items() for out in cell[4].values()}
        for number, (cell, start) in enumerate(nets):
            self.assertEqual((names[int(cell)], start), (driver[bit[number]], STARTS[bit[number]]))
        self.assertEqual(set(bit.values()), set(STARTS))
        found = {}
        for net, sink, dedicated, end, n, *ways in arcs:
            self.assertEqual(len(ways), 2 * n)
            key = (bit[int(net)], names[int(sink)])
            self.assertNotIn(key, found)
            found[key] = (dedicated, end, {bit[int(to)]: delay for to, delay in zip(ways[::2], ways[1::2])})
        self.assertEqual(found, ARCS)

    def test_only_places_change(self):
        design = placement.Design(self.placed)
        moved = {"lut": (3, 4, 12, "X3/Y4/SLICED.K0"), "ff": (3, 4, 13, "X3/Y4/SLICED.FF0"),
                 'mux "5\\': (4, 5, 2, "X4/Y5/SLICEA.K1"), "ram$RAMW_SLICE": (3, 3, 16, "X3/Y3/SLICEC.RAMW"),
                 "block0": (12, 6, -1, "X12/Y6/EBR2"), "block1": (8, 6, -1, "X8/Y6/EBR0")}
        rows = [moved.get(name, wanted)[:3] for name, wanted in EXPECTED.items()]
        places = self.path / "places.txt"
        places.write_text("".join("%d %d %d\n" % row for row in rows), encoding="utf-8")
        placement.replace(self.placed, design.places(places), self.refined)
        wanted = self.placed.read_bytes()
        for name, (*_, place) in moved.items():
            start = wanted.index(json.dumps(name).encode() + b": {\n          \"hide_name\": 0,\n          \"type\"")
            at = wanted.index(b'"NEXTPNR_BEL": "X', start)
            wanted = wanted[:at] + re.sub(rb'": "X[^"]*', b'": "' + place.encode(), wanted[at:], count=1)
        self.assertEqual(self.refined.read_bytes(), wanted)

    def test_nothing_changes(self):
        design = placement.Design(self.placed)
        places = self.path / "places.txt"
        places.write_text("".join("%d %d %d\n" % wanted[:3] for wanted in EXPECTED.values()), encoding="utf-8")
        placement.replace(self.placed, design.places(places), self.refined)
        self.assertEqual(self.refined.read_bytes(), self.placed.read_bytes())

    def test_wrong_number_of_places(self):
        for n in (0, len(CELLS) - 1, len(CELLS) + 1):
            status, said = self.main(self.tool(f"yes '2 3 6' | head -n {n} >$4"))
            self.assertEqual(status, 2)
            self.assertRegex(said, rf"places.txt: {n} places of {len(CELLS)} cells\n\Z")
            self.assertFalse(self.refined.exists())

    def test_status_of_the_tool(self):
        self.assertEqual(self.main(self.tool("exit 7")), (7, ""))
        self.assertFalse(self.refined.exists())

    def test_what_is_not_a_placement(self):
        bad = ("", "{}", "[]", "1", '{"modules": []}', '{"modules": {"top": {}}}',
               '{"modules": {"top": {"cells": {}}}}',
               nextpnr_text().replace('"type": "TRELLIS_FF"', '"kind": "TRELLIS_FF"'),
               nextpnr_text().replace('"cells": {', '"cells": {\n        "none": 5,'))
        for text, said in (*((text, "placed.json: not what nextpnr writes") for text in bad),
                           (nextpnr_text().replace('"NEXTPNR_BEL": "X2/Y4/SLICEA.FF0"', '"LOC": "X"'),
                            "cell ff_m has no place")):
            self.placed.write_text(text, encoding="utf-8")
            status, printed = self.main("/bin/false")
            self.assertEqual(status, 2)
            self.assertRegex(printed, rf"\Aplacement: .*{said}.*\n\Z")
            self.assertFalse(self.refined.exists())
        self.placed.unlink()
        self.assertEqual(self.main("/bin/false")[0], 2)

    def test_with_the_tool(self):
        """The written file is accepted, and cells of a bundle come back beside each other."""
        tool = self.tool(f'exec {TOOL} --rounds 5 --quiet "$@" >said')
        self.assertEqual(self.main(tool), (0, ""))
        cells = json.loads(self.refined.read_text(encoding="utf-8"))["modules"]["top"]["cells"]
        where = {name: cell["attributes"]["NEXTPNR_BEL"] for name, cell in cells.items()}
        self.assertEqual(where["lut"].replace(".K", ".FF"), where["ff"])
        self.assertEqual(where["mux5_odd"][:-1] + "0", where['mux "5\\'])
        for name, wanted in EXPECTED.items():
            if wanted[3] == FIXED:
                self.assertEqual(where[name], CELLS[name][1])
        self.assertEqual({where["block0"], where["block1"]}, {"X8/Y6/EBR0", "X12/Y6/EBR2"})


if __name__ == "__main__":
    unittest.main()
