#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""docs/rules.md and docs/standards.md name only things that exist; the first names every rule, unit test and property.
docs/verification.md: a row for every proof, numbers of properties and configurations. Sources
cite existing headings of docs/rulings.md."""

import pathlib
import re
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]


def texts(folder, *globs):
    files = [path for glob in globs for path in (ROOT / folder).glob(glob)]
    return "\n".join(path.read_text(encoding="utf-8") for path in files)


def names(pattern, folder, *globs):
    return set(re.findall(pattern, texts(folder, *globs)))


def calls(folder, *globs):
    """Functions of the programs that their test_main calls."""
    text = texts(folder, *globs)
    mains = re.findall(r"(?ms)^void test_main\(void\) \{(.*?)^\}", text)
    called = {name for main in mains for name in re.findall(r"(?m)^    (\w+)\(\);", main)}
    return called & set(re.findall(r"(?m)^static void (\w+)\(void\) \{", text))


PROGRAMS = {path.stem for path in (ROOT / "tests/hart/directed").glob("*.c")}
RULES = names(r"\bRULE\((\w+)\)", "tests/hart/directed", "*.c")
UNIT = names(r"\bTEST\((\w+)\)", "tests/golden", "pmu_*.c")
FIRMWARE = names(r"(?m)^TEST\((\w+)\)", "tests/firmware", "*.c")
PROOFS = names(r"(?m)^\s*prop_(?:holds|becomes)\s+(?:#\(.*?\)\s+)?(\w+)\s*\(", "tests/formal", "*.v", "*.vh")
SAMPLING = calls("tests/hart/directed", "sspesa.c", "pdis*.c")
COLUMNS = {"Machine": RULES | SAMPLING | PROGRAMS, "Unit": UNIT, "Proof": PROOFS}
# docs/standards.md names modules, and files that are none; docs/rules.md modules without `tally_` and `tally_pmu_`,
# and what is no module
MODULES = {path.stem for path in (ROOT / "rtl").rglob("*.v")}
SHORT = {re.sub("^tally_(pmu_)?", "", name) for name in MODULES} | {"all", "events.yaml"}
# docs/standards.md: a row without a property says why there is none
NO_PROOF = re.compile(r"software: none$|not built: none$|not proved: \w")


def rows(page):
    """(line number, header, cells) of every row of the page's tables."""
    header = []
    for number, line in enumerate((ROOT / page).read_text(encoding="utf-8").splitlines(), 1):
        if not line.startswith("|"):
            header = []
            continue
        cells = [cell.strip() for cell in line[1:-1].split("|")]
        if header and not set(line) <= set("|-"):
            yield number, header, cells
        header = header or cells


def table():
    """(line number, column, name) of every name in the tables of docs/rules.md."""
    for number, header, cells in rows("docs/rules.md"):
        for column, cell in zip(header, cells):
            if column in COLUMNS:
                yield from ((number, column, name) for name in re.findall(r"`(\w+)`", cell))


class Rules(unittest.TestCase):
    def test_every_name_exists(self):
        for number, column, name in table():
            self.assertIn(name, COLUMNS[column], f"docs/rules.md:{number}")

    def test_every_module_exists(self):
        for number, header, cells in rows("docs/rules.md"):
            for name in filter(None, cells[header.index("Module")].split(", ")):
                self.assertIn(name, SHORT, f"docs/rules.md:{number}")

    def test_rows_are_whole(self):
        for number, header, cells in rows("docs/rules.md"):
            self.assertEqual(len(cells), len(header), f"docs/rules.md:{number}")
            tested = [cell for column, cell in zip(header, cells) if column in COLUMNS and cell]
            self.assertTrue(tested, f"docs/rules.md:{number}: a rule that nothing shows")

    def test_nothing_is_left_out(self):
        for column, there in (("Machine", RULES | SAMPLING), ("Unit", UNIT), ("Proof", PROOFS)):
            self.assertTrue(there, column)
            named = {name for _, where, name in table() if where == column}
            self.assertEqual(there - named, set(), f"docs/rules.md, {column}")


class Standards(unittest.TestCase):
    PAGE = "docs/standards.md"

    def setUp(self):
        self.rows = list(rows(self.PAGE))
        self.assertTrue(self.rows, f"{self.PAGE}: no rows")

    def test_rows_are_whole(self):
        """A section, its module, its tests and its proof, none of them left open."""
        for number, header, cells in self.rows:
            self.assertEqual(header, ["section", "module", "tests", "proof"], f"{self.PAGE}:{number}")
            self.assertEqual(len(cells), 4, f"{self.PAGE}:{number}")
            self.assertTrue(all(cells), f"{self.PAGE}:{number}: an empty cell")

    def test_modules_exist(self):
        for number, _, cells in self.rows:
            named = re.findall(r"`([^`]+)`", cells[1])
            self.assertTrue(named or re.match(r"none: \w", cells[1]), f"{self.PAGE}:{number}")
            for name in named:
                self.assertTrue(name in MODULES or (ROOT / name).is_file(), f"{self.PAGE}:{number}: {name}")

    def test_tests_exist(self):
        """Files, functions of the golden unit, of the directed programs, of the firmware's suite."""
        known = RULES | SAMPLING | UNIT | FIRMWARE
        for number, _, cells in self.rows:
            named = re.findall(r"`([^`]+)`", cells[2])
            self.assertTrue(named or re.match(r"none: \w", cells[2]), f"{self.PAGE}:{number}")
            for name in named:
                self.assertTrue(name in known or (ROOT / name).is_file(), f"{self.PAGE}:{number}: {name}")

    def test_properties_exist(self):
        for number, _, cells in self.rows:
            named = re.findall(r"`([^`]+)`", cells[3])
            self.assertTrue(named or NO_PROOF.match(cells[3]), f"{self.PAGE}:{number}")
            for name in named:
                self.assertIn(name, PROOFS, f"{self.PAGE}:{number}")


class Verification(unittest.TestCase):
    def test_every_proof_has_a_row(self):
        """docs/verification.md has a row for each entry of tests/formal/proofs.yaml, and no other."""
        entries = re.findall(r"(?m)^- \{name: (\w+)", texts("tests/formal", "proofs.yaml"))
        named = [cells[0].strip("`") for _, header, cells in rows("docs/verification.md") if header[0] == "proof"]
        self.assertEqual(sorted(named), sorted(entries))

    def test_properties_are_counted(self):
        page = (ROOT / "docs/verification.md").read_text(encoding="utf-8")
        self.assertEqual(re.findall(r"(?m)^(\d+) properties,", page), [str(len(PROOFS))])

    def test_configurations_are_counted(self):
        """The page's numbers of configurations are those of tests/pmu/configurations.txt."""
        kinds = re.findall(r"(?m)^(test|long) ", texts("tests/pmu", "configurations.txt"))
        page = {cells[0].split(",")[0].strip("`"): re.match(r"\d+", cells[1]) for _, header, cells in
                rows("docs/verification.md") if header[0] == "run"}
        self.assertEqual(int(page["make test"][0]), kinds.count("test"))
        self.assertEqual(int(page["make test-long"][0]), len(kinds))


class Citations(unittest.TestCase):
    PAGE = "docs/rulings.md"
    FOLDERS = ("rtl", "tb", "tests", "firmware", "sw", "scripts", "spec", "sim", "docs")
    SOURCES = {".v", ".vh", ".c", ".h", ".cpp", ".S", ".py", ".yaml", ".md", ".txt"}

    def test_headings_exist(self):
        """`docs/rulings.md, HEADING` names a heading, also where the line breaks inside a comment."""
        headings = tuple(re.findall(r"(?m)^##+ (.+)$", (ROOT / self.PAGE).read_text(encoding="utf-8")))
        self.assertTrue(headings)
        for path in sorted(path for folder in self.FOLDERS for path in (ROOT / folder).rglob("*")):
            if path.suffix in self.SOURCES and path.resolve() != pathlib.Path(__file__).resolve():
                text = re.sub(r"\s*\n\s*(?://+|[#*]+)?\s*", " ", path.read_text(encoding="utf-8", errors="replace"))
                for cited in re.findall(r"docs/rulings\.md`?, ?([A-Z].{60})", text):
                    self.assertTrue(cited.startswith(headings), f"{path.relative_to(ROOT)}: {self.PAGE}, {cited}")


if __name__ == "__main__":
    unittest.main()
