#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""docs/rules.md: every test and property that it names exists, and it names every rule of the directed programs."""

import pathlib
import re
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]


def names(pattern, folder, *globs):
    files = [path for glob in globs for path in (ROOT / folder).glob(glob)]
    return {name for path in files for name in re.findall(pattern, path.read_text(encoding="utf-8"))}


PROGRAMS = {path.stem for path in (ROOT / "tests/hart/directed").glob("*.c")}
RULES = names(r"\bRULE\((\w+)\)", "tests/hart/directed", "pmu_*.c")
UNIT = names(r"\bTEST\((\w+)\)", "tests/golden", "pmu_*.c")
PROOFS = names(r"(?m)^\s*prop_(?:holds|becomes)\s+(?:#\(.*?\)\s+)?(\w+)\s*\(", "tests/formal", "*.v", "*.vh")
SAMPLING = names(r"(?m)^static void (\w+)\(void\) \{", "tests/hart/directed", "sspesa.c", "pdis*.c")
COLUMNS = {"Machine": RULES | SAMPLING | PROGRAMS, "Unit": UNIT, "Proof": PROOFS}


def table():
    """(line number, column, name) of every name in the page's tables."""
    header = []
    for number, line in enumerate((ROOT / "docs/rules.md").read_text(encoding="utf-8").splitlines(), 1):
        if not line.startswith("|"):
            header = []
            continue
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if not header:
            header = cells
            continue
        for column, cell in zip(header, cells):
            if column in COLUMNS:
                yield from ((number, column, name) for name in re.findall(r"`(\w+)`", cell))


class Rules(unittest.TestCase):
    def test_every_name_exists(self):
        for number, column, name in table():
            self.assertIn(name, COLUMNS[column], f"docs/rules.md:{number}")

    def test_every_rule_of_the_programs_is_there(self):
        self.assertEqual(RULES - {name for _, _, name in table()}, set())


if __name__ == "__main__":
    unittest.main()
