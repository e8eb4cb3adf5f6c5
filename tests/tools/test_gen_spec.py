#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The generator refuses every specification that contradicts itself, names the place, and writes nothing then."""

import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "scripts"))

import bench_area  # noqa: E402  pylint: disable=wrong-import-position

REGISTER = """- name: {name}
  long_name: A register
  address: {address}
  priv_mode: {priv}
  length: {length}
  definedBy: Xtest
  description: For the test.
{more}  fields:
    A: {{location: {location}, type: {type}, reset_value: {reset}}}
"""
DEFAULTS = {"name": "mtest", "address": "0x7C8", "priv": "M", "length": "64", "more": "", "location": "3-0",
            "type": "RW", "reset": "0"}


def register(**changes):
    return REGISTER.format(**{**DEFAULTS, **changes})


class Refusal(unittest.TestCase):
    def setUp(self):
        self.dir = pathlib.Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.dir)
        self.spec = self.dir / "spec"
        shutil.copytree(ROOT / "spec", self.spec)
        self.out = self.dir / "out"

    def generate(self):
        command = [sys.executable, str(ROOT / "scripts/gen_spec.py"), "--spec", str(self.spec), "--out", str(self.out)]
        return subprocess.run(command, capture_output=True, text=True, check=False)

    def refused(self, *texts):
        done = self.generate()
        self.assertEqual(done.returncode, 1, done.stderr)
        for text in texts:
            self.assertIn(text, done.stderr)
        self.assertNotIn("Traceback", done.stderr)
        self.assertFalse(self.out.exists(), "something was written")

    def csr(self, text):
        (self.spec / "csr" / "test.yaml").write_text(text)

    def edit(self, old, new, name="events.yaml"):
        path = self.spec / name
        text = path.read_text()
        self.assertEqual(text.count(old), 1, f"{old!r} is not there once")
        path.write_text(text.replace(old, new))

    def test_accepts_the_specification(self):
        self.csr(register())
        done = self.generate()
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertIn("`define TALLY_CSR_MTEST 12'h7C8", (self.out / "tally_spec.vh").read_text())

    def test_leaves_unchanged_files_alone(self):
        self.generate()
        header = self.out / "tally_spec.h"
        before = header.stat().st_mtime_ns
        self.generate()
        self.assertEqual(header.stat().st_mtime_ns, before)

    # CSRs
    def test_duplicate_csr_number(self):
        self.csr(register(address="0x300"))
        self.refused("number 0x300 is already that of")

    def test_duplicate_csr_number_of_a_high_half(self):
        self.csr(register(more="  high: 0x31A\n"))
        self.refused("mtesth: number 0x31a is already that of")

    def test_duplicate_csr_number_in_an_array(self):
        self.csr(register(name='"mtest{n}"', address="0x7C8 + n", more="  range: 4-8\n"))
        self.refused("is already that of mcounterwen")

    def test_duplicate_csr_name(self):
        self.csr(register(name="mstatus"))
        self.refused("mstatus is already defined in")

    def test_overlapping_fields(self):
        self.csr(register() + "    B: {location: 5-3, type: RW, reset_value: 0}\n")
        self.refused("fields A and B overlap in bit 3")

    def test_overlapping_fields_on_rv32_only(self):
        self.csr(register() + "    B: {location_rv32: 0, location_rv64: 60, type: RW, reset_value: 0}\n")
        self.refused("fields A and B overlap in bit 0 (RV32)")

    def test_field_outside_the_register(self):
        self.csr(register(length="32", location="32"))
        self.refused("bit 32 is outside the register")

    def test_field_location_upside_down(self):
        self.csr(register(location="3-7"))
        self.refused("mtest.A: location is neither a bit nor 'msb-lsb'")

    def test_field_type(self):
        self.csr(register(type="WARL"))
        self.refused("type 'WARL' is none of")

    def test_field_reset_too_wide(self):
        self.csr(register(reset="16"))
        self.refused("reset value 16 does not fit into 4 bits")

    def test_field_without_type(self):
        self.csr(register().replace("type: RW, ", ""))
        self.refused("mtest.A: missing: type")

    def test_built_is_yes_or_no(self):
        self.csr(register(more="  built: later\n"))
        self.refused("mtest: built 'later' is neither yes nor no")

    def test_privilege_against_number(self):
        self.csr(register(priv="S"))
        self.refused("number 0x7c8 belongs to mode M, priv_mode is S")

    def test_number_too_wide(self):
        self.csr(register(address="0x17C8"))
        self.refused("has more than 12 bits")

    def test_address_no_number(self):
        self.csr(register(address="m+1"))
        self.refused("address is neither a number nor 'number + n'")

    def test_array_without_index(self):
        self.csr(register(more="  range: 3-31\n"))
        self.refused("an array needs both a range and {n} in its name")

    def test_missing_and_unknown_keys(self):
        self.csr(register().replace("long_name", "longname"))
        self.refused("unknown key 'longname'", "missing: long_name")

    def test_length(self):
        self.csr(register(length="48"))
        self.refused("length '48' is none of")

    def test_key_twice(self):
        self.csr(register(more="  length: 32\n"))
        self.refused("key 'length' is there twice")

    def test_not_yaml(self):
        self.csr("- name: [")
        self.refused("not YAML")

    def test_not_a_list(self):
        self.csr("name: mtest")
        self.refused("is not a list of registers")

    def test_no_files(self):
        shutil.rmtree(self.spec)
        self.refused("events.yaml: No such file")

    def test_all_errors_in_one_run(self):
        self.csr(register(address="0x300", length="48") + register(name="mother", reset="99"))
        self.refused("length '48'", "reset value 99")

    # Events
    def test_duplicate_event_code(self):
        self.edit("code: 0x30, ", "code: 0x31, ")
        self.refused("INST.STORE.RET: code 0x31 is already that of INST.LOAD.RET")

    def test_duplicate_event_index(self):
        self.edit("code: 0x30, index: 2,", "code: 0x30, index: 3,")
        self.refused("index 3 is already that of")

    def test_duplicate_event_name(self):
        self.edit("name: INST.LOAD.RET", "name: INST.STORE.RET")
        self.refused("name INST_STORE_RET is already that of")

    def test_index_of_the_wrong_kind(self):
        self.edit("code: 0x30, index: 2,", "code: 0x30, index: 120,")
        self.refused("index 120 of a retire event is outside 1..63")

    def test_unknown_wire(self):
        self.edit("from: [LOAD], precise", "from: [LOADS], precise")
        self.refused("INST.LOAD.RET: unknown retire wire 'LOADS'")

    def test_wire_of_the_wrong_kind(self):
        self.edit("from: [LOAD], precise", "from: [CYCLE], precise")
        self.refused("unknown retire wire 'CYCLE'")

    def test_unknown_wire_in_a_condition(self):
        self.edit("unless: [L1D_RD_MISS, L1D_WR_MISS]", "unless: [L1D_MISS]")
        self.refused("unknown retire wire 'L1D_MISS'")

    def test_cycle_event_of_two_wires(self):
        self.edit("from: [DISPATCH]", "from: [DISPATCH, ISSUE]")
        self.refused("UOP.DISPATCH.SPEC: a cycle event takes exactly one wire")

    def test_no_wires(self):
        self.edit("from: [LOAD], precise", "from: [], precise")
        self.refused("INST.LOAD.RET: no wire in 'from'")

    def test_imprecise_retire_event(self):
        self.edit("from: [LOAD], precise: true", "from: [LOAD], precise: false")
        self.refused("events are precise if and only if their kind is retire")

    def test_kind(self):
        self.edit("index: 2, kind: retire", "index: 2, kind: commit")
        self.refused("kind 'commit' is none of")

    def test_code_zero(self):
        self.edit("code: 0x30, ", "code: 0, ")
        self.refused("code 0 is no selector")

    def test_code_that_counters_cannot_store(self):
        for code in ("0x80", "0x10040", "0x20030"):
            with self.subTest(code):
                shutil.copy(ROOT / "spec" / "events.yaml", self.spec)
                self.edit("code: 0x30, ", f"code: {code}, ")
                self.refused(f"code {code} is outside what a counter can store")

    def test_wire_twice(self):
        self.edit("- {name: STORE, ", "- {name: LOAD, ")
        self.refused("retire wires: LOAD is there twice")

    # Traps
    def test_interrupt_number_twice(self):
        self.edit("name: LAMBI, number: 14", "name: LAMBI, number: 13", "traps.yaml")
        self.refused("13 of LAMBI is already that of LCOFI")

    # Encodings
    def test_instruction_twice(self):
        self.edit("number: 0x8C100073", "number: 0x8C000073", "encodings.yaml")
        self.refused("2348810355 of UEBRET_1 is already that of UEBRET_0")

    def test_select_that_does_not_fit(self):
        self.edit("number: 0x40,", "number: 0x1000,", "encodings.yaml")
        self.refused("0x1000 of COUNTER has more than 12 bits")

    def test_select_of_the_record(self):
        self.edit("name: COUNTER,", "name: RECORD,", "encodings.yaml")
        self.refused("two things want the macro TALLY_RECORD_SELECT")

    # Sample record
    def test_record_fields_that_overlap(self):
        self.edit("name: LLMISS, location: 40", "name: LLMISS, location: 39", "record.yaml")
        self.refused("fields L1MISS and LLMISS overlap")

    def test_record_field_over_one_of_every_type(self):
        self.edit("name: TRET, location: 39", "name: TRET, location: 38", "record.yaml")
        self.refused("fields ICMISS and TRET overlap")

    def test_record_field_outside_the_word(self):
        self.edit("name: OLDV, location: 63", "name: OLDV, location: 64", "record.yaml")
        self.refused("needs name, location (bits of 64) and desc")

    def test_record_fields_of_no_word(self):
        self.edit("  pdislat:\n", "  pdislots:\n", "record.yaml")
        self.refused("pdislots: no such word")

    def test_types_with_a_gap(self):
        self.edit("name: TRANSFER, code: 4", "name: TRANSFER, code: 5", "record.yaml")
        self.refused("types: codes count from 0")

    def test_selection_without_a_code(self):
        self.edit("name: LOADS, code: 1, desc", "name: LOADS, desc", "record.yaml")
        self.refused("selections: an entry needs name, code and desc")

    def test_sources_with_a_gap(self):
        self.edit("name: DEVICE, code: 5", "name: DEVICE, code: 6", "record.yaml")
        self.refused("codes count from 0")

    def test_event_lists_of_the_benchmarks(self):
        for lines in (64, 127):
            with self.subTest(lines=lines), tempfile.TemporaryDirectory() as folder:
                self.assertTrue((bench_area.generated(pathlib.Path(folder), lines) / "tally_spec.vh").exists())

    def test_the_benchmarks_generate_anew(self):
        """... in a folder that an older process left, or one that was killed."""
        with tempfile.TemporaryDirectory() as folder:
            for name in ("spec64/events.yaml", "generated64/tally_spec.vh"):
                old = pathlib.Path(folder) / name
                old.parent.mkdir()
                old.write_text("old", encoding="utf-8")
            made = bench_area.generated(pathlib.Path(folder), 64) / "tally_spec.vh"
            self.assertIn("TALLY_EVENT_LINES", made.read_text(encoding="utf-8"))


if __name__ == "__main__":
    unittest.main()
