#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The generated files are valid C, C++, Verilog and JSON, and the event functions agree with spec/events.yaml."""

import json
import pathlib
import random
import re
import subprocess
import sys
import tempfile
import unittest

import yaml

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.dont_write_bytecode = True
sys.path.insert(0, str(ROOT / "scripts"))
import spec_read  # noqa: E402

SPEC = spec_read.Spec(ROOT / "spec")

MODULE = """// All functions in one module, as a user would include them.
`default_nettype none
`include "tally_spec.vh"
module tally_probe (
    input  wire [55:0]             sel,
    input  wire [7:0]              index,
    input  wire [`TALLY_EVR_N-1:0] evr,
    input  wire [`TALLY_EVC_N-1:0] evc,
    input  wire [`TALLY_EVI_N-1:0] evi,
    output wire [7:0]              index_o,
    output wire [55:0]             sel_o,
    output wire [63:0]             retire_o,
    output wire [63:0]             cycle_o,
    output wire [7:0]              short_o,
    output wire [55:0]             long_o,
    output wire [191:0]            short_lines_o  // by stored number
);
  `include "tally_event_fn.vh"
  assign index_o = tally_event_index(sel);
  assign sel_o = tally_event_selector(index);
  assign retire_o = tally_retire_lines(evr);
  assign cycle_o = tally_cycle_lines(evc, evi);
  assign short_o = tally_event_short(sel);
  assign long_o = tally_event_long(index);
  assign short_lines_o = {tally_lines_cache(retire_o, cycle_o), tally_lines_mid(retire_o, cycle_o),
                          tally_lines_low(retire_o, cycle_o)};
endmodule
`default_nettype wire
"""

C_PROGRAM = """
#include "tally_events.h"
#include "tally_names.h"
#include "tally_spec.h"
#include <stdio.h>
int main(void) {
    for (unsigned i = 0; i < sizeof tally_events / sizeof tally_events[0]; i++) {
        const struct tally_event *e = &tally_events[i];
        if (e->name)
            printf("%u %s %llx %llx %llx %llx %d %d\\n", i, e->name, (unsigned long long)e->selector,
                   (unsigned long long)e->from, (unsigned long long)e->when, (unsigned long long)e->unless,
                   (int)e->kind, e->precise);
    }
    return !(sizeof tally_events / sizeof tally_events[0] == TALLY_EVX_N && TALLY_MSTATUS_MPP_MASK == 0x1800 &&
             TALLY_MHPMEVENT_OF_MASK == 0x8000000000000000 && tally_retire_wires[0] && tally_cycle_wires[0] &&
             tally_internal_wires[0] && tally_register_of(0x300) && !tally_register_of(0xFFF) &&
             tally_modes[0] && tally_exceptions[2] && tally_interrupts[13] && tally_fields[0].name);
}
"""


def run(*command, cwd):
    done = subprocess.run(command, cwd=cwd, capture_output=True, text=True, check=False)
    if done.returncode or done.stderr.strip():
        raise AssertionError(f"{' '.join(command)}\n{done.stdout}{done.stderr}")
    return done.stdout


class Generated(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.holder = tempfile.TemporaryDirectory()
        cls.dir = pathlib.Path(cls.holder.name)
        run(sys.executable, str(ROOT / "scripts/gen_spec.py"), "--out", str(cls.dir), cwd=ROOT)
        (cls.dir / "tally_probe.v").write_text(MODULE)
        (cls.dir / "table.c").write_text(C_PROGRAM)
        cls.raw = yaml.safe_load((ROOT / "spec/events.yaml").read_text())
        cls.events = cls.raw["events"]
        cls.wires = {"retire": [w["name"] for w in cls.raw["wires"]["retire"]],
                     "cycle": [w["name"] for w in cls.raw["wires"]["cycle"]],
                     "internal": [w["name"] for w in cls.raw["internal"]]}

    @classmethod
    def tearDownClass(cls):
        cls.holder.cleanup()

    def mask(self, event, key):
        return sum(1 << self.wires[event["kind"]].index(name) for name in event.get(key, []))

    def lines(self, wires):
        """The event lines of a set of wires, from the specification: (retire, cycle)."""
        retire = cycle = 0
        for event in self.events:
            value = wires[event["kind"]]
            seen = value & self.mask(event, "from")
            if event["kind"] != "retire":
                cycle |= bool(seen) << event["index"] - 64
                continue
            when, unless = self.mask(event, "when"), self.mask(event, "unless")
            seen = seen and (not when or value & when) and not value & unless
            retire |= bool(seen) << event["index"]
        return retire, cycle

    @staticmethod
    def short(code):
        """The bits of a selector that a counter stores."""
        return code >> 16 << 7 | code & 0x7F

    def short_lines(self, retire, cycle):
        """The lines again, in the order of the counters' stored codes."""
        by_index = cycle << 64 | retire
        return sum((by_index >> event["index"] & 1) << self.short(event["code"]) for event in self.events)

    def test_verilog_parses_in_three_tools(self):
        run("verilator", "--lint-only", "-Wall", "-I.", "tally_probe.v", cwd=self.dir)
        run("iverilog", "-g2005", "-Wall", "-t", "null", "-I.", "tally_probe.v", cwd=self.dir)
        script = ("read_verilog -I. tally_probe.v; hierarchy -check -top tally_probe; proc; check -assert; "
                  "select -assert-none t:$dlatch")
        run("yosys", "-q", "-p", script, cwd=self.dir)

    def test_c_table_is_the_specification(self):
        for compiler, standard, language in (("gcc", "c11", "c"), ("g++", "c++17", "c++"), ("clang", "c11", "c")):
            run(compiler, f"-std={standard}", "-x", language, "-Wall", "-Wextra", "-Werror", "-pedantic", "-I.",
                "table.c", "-o", "table", cwd=self.dir)
            kinds = {"retire": 1, "cycle": 2, "internal": 3}
            expected = [f"{e['index']} {e['name']} {e['code']:x} {self.mask(e, 'from'):x} {self.mask(e, 'when'):x} "
                        f"{self.mask(e, 'unless'):x} {kinds[e['kind']]} {int(e['precise'])}"
                        for e in sorted(self.events, key=lambda e: e["index"])]
            self.assertEqual(run("./table", cwd=self.dir).split("\n")[:-1], expected)

    def test_verilog_functions_do_what_the_specification_says(self):
        rng = random.Random(1)
        steps, expected = [], []
        codes = [e["code"] for e in self.events]
        wrong = [0, 0x1F, 0xFFFF, 0x10006, 0x20001, 0xF0000, 1 << 55, (1 << 32) | 1]
        wrong += [code | 1 << rng.randrange(20, 56) for code in codes] + [rng.getrandbits(56) for _ in range(50)]
        by_code = {e["code"]: e["index"] for e in self.events}
        by_index = {e["index"]: e["code"] for e in self.events}
        for code in codes + wrong:
            steps.append(f"sel = 56'h{code:x}; #1 $display(\"%0d %0d\", index_o, short_o);")
            expected.append(f"{by_code.get(code, 0)} {self.short(code) if code in by_code else 0}")
        for index in range(256):
            steps.append(f"index = {index}; #1 $display(\"%h\", sel_o);")
            expected.append(f"{by_index.get(index, 0):014x}")
        for code in codes:
            steps.append(f"index = {self.short(code)}; #1 $display(\"%h\", long_o);")
            expected.append(f"{code:014x}")
        for number in range(400):
            # Few wires at first, one by one, then random ones.
            value = {kind: (1 << number % len(names) if number < 200 else rng.getrandbits(len(names)))
                     for kind, names in self.wires.items()}
            steps.append(f"evr = 64'h{value['retire']:x}; evc = 64'h{value['cycle']:x}; "
                         f"evi = 64'h{value['internal']:x}; "
                         f"#1 $display(\"%h %h %h\", retire_o, cycle_o, short_lines_o);")
            retire, cycle = self.lines(value)
            expected.append(f"{retire:016x} {cycle:016x} {self.short_lines(retire, cycle):048x}")
        bench = MODULE + "`include \"tally_spec.vh\"\nmodule bench;\n"
        bench += "reg [55:0] sel; reg [7:0] index; reg [`TALLY_EVR_N-1:0] evr; reg [`TALLY_EVC_N-1:0] evc;\n"
        bench += "reg [`TALLY_EVI_N-1:0] evi; wire [7:0] index_o; wire [55:0] sel_o; wire [63:0] retire_o, cycle_o;\n"
        bench += "wire [7:0] short_o; wire [55:0] long_o; wire [191:0] short_lines_o;\n"
        bench += "tally_probe probe(sel, index, evr, evc, evi, index_o, sel_o, retire_o, cycle_o, short_o, long_o,\n"
        bench += "                  short_lines_o);\ninitial begin\n"
        bench += "\n".join(steps) + "\nend\nendmodule\n"
        (self.dir / "bench.v").write_text(bench)
        run("iverilog", "-g2005", "-s", "bench", "-I.", "bench.v", "-o", "bench", cwd=self.dir)
        self.assertEqual(run("vvp", "bench", cwd=self.dir).split("\n")[:-1], expected)

    def test_headers_agree(self):
        def macros(name, pattern):
            text = (self.dir / name).read_text()
            found = re.findall(pattern, text, re.M)
            self.assertEqual(len(found), len({macro for macro, _ in found}), f"{name}: a macro is there twice")
            return dict(found)

        verilog = macros("tally_spec.vh", r"^`define (TALLY_\w+) (\S+)$")
        lines, retire, small = (int(verilog.pop(f"TALLY_{kind}_LINES").split("'h")[1], 16)  # wider than C's integers
                                for kind in ("EVENT", "RETIRE", "SMALL"))
        self.assertEqual(lines, sum(1 << self.short(e["code"]) for e in self.events))
        self.assertEqual(retire, sum(1 << self.short(e["code"]) for e in self.events if e["kind"] == "retire"))
        has = {kind: set(names) for kind, names in self.raw["small"].items()}
        self.assertEqual(small, sum(1 << self.short(e["code"]) for e in self.events if has[e["kind"]] & set(e["from"])
                                    and ("when" not in e or has[e["kind"]] & set(e["when"]))))
        c = macros("tally_spec.h", r"^#define (TALLY_\w+) ((?:0x)?[0-9A-F]+)(?:ULL)?$")
        self.assertEqual(set(verilog) - set(c), set())
        for name, text in verilog.items():
            value = int(text.split("'h")[1], 16) if "'h" in text else int(text)
            self.assertEqual(value, int(c[name], 0), name)

    def test_perf_events(self):
        entries = json.loads((self.dir / "pmu-events/tally/tally/events.json").read_text())
        self.assertEqual(len(entries), len(self.events))
        self.assertEqual(len({e["EventName"] for e in entries}), len(entries))
        self.assertEqual(len({e["EventCode"] for e in entries}), len(entries))
        precise = {e["name"] for e in self.events if e["precise"]}
        for entry in entries:
            self.assertLessEqual({"EventName", "EventCode", "BriefDescription"}, set(entry))
            self.assertEqual(entry.get("PesaSupported") == "1", entry["EventName"] in precise)
            self.assertEqual("PdisSupported" in entry, "PesaSupported" in entry)
            self.assertLessEqual(set(entry), {"EventName", "EventCode", "BriefDescription", "PesaSupported",
                                              "PdisSupported"})
            # Rules of perf's parser: a name, its config field of 56 bits, a string for every value
            self.assertRegex(entry["EventName"], r"^[A-Z][A-Z0-9_.]*$")
            self.assertRegex(entry["EventCode"], r"^0x[0-9a-f]{1,14}$")
            self.assertTrue(all(isinstance(value, str) for value in entry.values()))
        self.assertEqual(len({entry["EventName"].lower() for entry in entries}), len(entries))
        self.assertRegex((self.dir / "pmu-events/mapfile.csv").read_text(), r"(?m)^0x0-0x0-0x54414c4c,v1,")

    def test_gtkwave_filters(self):
        filters = list((self.dir / "gtkwave").glob("*.txt"))
        self.assertTrue(filters)
        for path in filters:
            lines = path.read_text().splitlines()
            values = [line.split()[0] for line in lines]
            self.assertTrue(lines and all(len(line.split()) >= 2 for line in lines), path)
            self.assertEqual(len(values), len(set(values)), path)
            self.assertEqual(len({len(value) for value in values}), 1, f"{path}: widths differ")

    def test_reference_names_every_event_and_register(self):
        page = (self.dir / "reference.md").read_text()
        for event in self.events:
            self.assertIn(f"| {event['name']} |", page)
        for name in ("`mhpmevent3 .. mhpmevent31`", "`scountovf`", "`mstateen0`", "`spdisambcs`", "`ubescr`"):
            self.assertIn(name, page)

    def test_reference_says_what_is_not_built(self):
        page = (self.dir / "reference.md").read_text()
        marked = set(re.findall(r"### `(\w+)`[^#]*?\*\*Not built; access is illegal\.\*\*", page))
        self.assertEqual(marked, {csr.raw_name for csr in SPEC.csrs if not csr.built})


class Built(unittest.TestCase):
    """A register is in the RTL exactly if spec/csr says so. tests/hart/directed/csr.c reads all 4096 numbers."""

    # Where rows of 32 registers begin, whose members are not named one by one
    ROWS = {0x320, 0x3A0, 0x3C0, 0x3E0, 0x9E0, 0xB00, 0xC00}

    def test_registers_are_in_the_rtl_or_not_built(self):
        sources = [path for path in (ROOT / "rtl").rglob("*") if path.suffix in (".v", ".vh")]
        named = {macro for path in sources
                 for macro in re.findall(r"`(TALLY_CSR_\w+)", path.read_text(encoding="utf-8"))}
        for csr in SPEC.csrs:
            for name, number, _ in csr.members():
                there = f"TALLY_CSR_{spec_read.macro(name)}" in named or number & ~0x1F in self.ROWS
                self.assertEqual(there, csr.built, name)


class SbiEncoding(unittest.TestCase):
    """Selectors that are SBI event numbers agree with the SBI specification."""

    def test_event_idx(self):
        general = ["CPU_CYCLES", "INSTRUCTIONS", "CACHE_REFERENCES", "CACHE_MISSES", "BRANCH_INSTRUCTIONS",
                   "BRANCH_MISSES", "BUS_CYCLES", "STALLED_CYCLES_FRONTEND", "STALLED_CYCLES_BACKEND", "REF_CPU_CYCLES"]
        caches = ["L1D", "L1I", "LL", "DTLB", "ITLB", "BPU", "NODE"]
        names = {f"SBI_PMU_HW_{name}": code for code, name in enumerate(general, 1)}
        for cache_id, cache in enumerate(caches):
            for op, operation in enumerate(("READ", "WRITE", "PREFETCH")):
                for result, outcome in enumerate(("ACCESS", "MISS")):
                    names[f"{cache} {operation} {outcome}"] = 0x10000 | cache_id << 3 | op << 1 | result
        seen = set()
        for event in yaml.safe_load((ROOT / "spec/events.yaml").read_text())["events"]:
            if "sbi" in event:
                self.assertEqual(event["code"], names[event["sbi"]], event["name"])
                seen.add(event["code"])
            else:
                self.assertNotIn(event["code"], names.values(), event["name"])
        self.assertLessEqual(set(range(1, 11)), seen, "every general event is there")


if __name__ == "__main__":
    unittest.main()
