#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""scripts/docs.py finds wrong links, paths and commands of a page, and renders pages."""

import pathlib
import sys
import tempfile
import unittest

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "scripts"))
import docs  # noqa: E402
import docs_site  # noqa: E402

FILES = {"docs/a.md", "docs/b.md", "rtl/pmu/tally_pmu.v", "scripts/fpga.py"}


class Site(unittest.TestCase):
    def pages(self, text):
        with tempfile.TemporaryDirectory() as folder:
            at = pathlib.Path(folder)
            (at / "a.md").write_text(f"# Page\n\n{text}\n", encoding="utf-8")
            (at / "b.md").write_text("# Other\n\n## A heading\n", encoding="utf-8")
            return {name: docs.Page(name, at / pathlib.Path(name).name) for name in ("docs/a.md", "docs/b.md")}

    def check(self, text, *expected):
        checks = docs.Checks(self.pages(text), FILES, pathlib.Path("/nonexistent"))
        checks.programs = {"tally-sim", "sw/firmware.elf"}
        checks.basenames |= {"firmware.elf"}
        checks.tests = {"formal.fits", "formal.bound", "pmu_netlist_rv64", "firmware.tree_delegated"}
        checks.labels = {"long", "ci", "linux_ci"}
        found = checks.run()
        self.assertEqual(len(found), len(expected), found)
        for problem, part in zip(found, expected):
            self.assertIn(part, problem)

    def test_good(self):
        self.check("[b](b.md#a-heading), `rtl/pmu/tally_pmu.v`, `rtl/pmu/*.v`, `make test`, `docs/b.md`\n\n"
                   "    build/tally-sim -bios build/sw/firmware.elf\n    scripts/fpga.py check\n")

    def test_links(self):
        self.check("[c](c.md)", "there is no docs/c.md")
        self.check("[b](b.md#another)", "no such heading")
        self.check("[here](#nowhere)", "no such heading")

    def test_paths(self):
        self.check("`rtl/pmu/tally_none.v`", "is not there")
        self.check("`rtl/none/*.v`", "is not there")

    def test_commands(self):
        self.check("`make nonsense`", "no target nonsense")
        self.check("```\nmake nonsense BOARD=arty\n```\n", "no target nonsense")
        self.check("\n    scripts/none.py --help\n", "no scripts/none.py")
        self.check("\n    build/tally-none -bios x\n", "the build makes no tally-none")

    def test_good_commands(self):
        self.check("`BOARD=arty make fpga`, `JOBS=1 nice make test build`, `make bench WORKLOADS=\"sort crc\"`\n\n"
                   "    make setup && make fpga BOARD=arty    # not make nonsense\n    make test-ci | tail\n")

    def test_variables_of_make(self):
        self.check("`NONSENSE=1 make test`", "no variable NONSENSE")
        self.check("`make test NONSENSE=1`", "no variable NONSENSE")
        self.check("`BOARD=arty make nonsense`", "no target nonsense")
        self.check("\n    make test && BOARD=arty make nonsense\n", "no target nonsense")
        self.check("`make test nonsense`", "no target nonsense")

    def test_tests(self):
        self.check("`ctest -R formal.fits`, `ctest --test-dir build -R '^(formal|pmu_netlist)'`, `firmware.elf`\n\n"
                   "tests `pmu_*`, test `formal.bound`, `formal.fits`, `formal.*`\n\n"
                   "    ctest --test-dir build -LE '^(long|ci)$'\n")
        self.check("`ctest -R formal.none`", "no test formal.none")
        self.check("`ctest -R '^(formal|pmu_none)$'`", "no test pmu_none")
        self.check("\n    ctest --test-dir build -L longer\n", "no label longer")
        self.check("`ctest -LE '^(long|cd)$'`", "no label cd")
        self.check("`formal.none`", "`formal.none`: there is no such test")
        self.check("the tests `pmu_none*`", "`pmu_none*`: there is no such test")

    def test_empty_sections(self):
        self.check("<!-- speed -->\n\nfast\n\n<!-- end of speed -->")
        self.check("<!-- speed -->\n<!-- end of speed -->", "<!-- speed -->: nothing is in it")
        self.check("<!-- speed -->\n\n<!-- end speed -->", "<!-- speed -->: nothing is in it")

    def test_stage(self):
        pages = self.pages("see `docs/b.md`")
        with tempfile.TemporaryDirectory() as folder:
            out = pathlib.Path(folder) / "site-pages"
            docs_site.stage(pages, FILES, out)
            self.assertLessEqual({"a.md", "b.md", "images", "site.css"}, {path.name for path in out.iterdir()})
            self.assertIn("see [`docs/b.md`](b.md)", (out / "a.md").read_text(encoding="utf-8"))

    def test_pages_become_links(self):
        pages = self.pages("see `docs/b.md`, or [b](b.md#a-heading), [no page](../LICENSE), `docs/a.md`\n\n"
                           "    `docs/b.md`")
        text = docs_site.relinked(pages["docs/a.md"], pages)
        self.assertIn("see [`docs/b.md`](b.md), or [b](b.md#a-heading), no page, `docs/a.md`\n\n    `docs/b.md`", text)

    def test_registers_are_drawn(self):
        text = "| Bits | Field | Type |\n|---|---|---|\n| 63 (RV32: 31) | OF | RW |\n| 4:0 | CNTRID | RW |\n"
        drawn = docs_site.draw_registers(f"Before.\n\n{text}\nAfter.\n")
        self.assertEqual(drawn.count("<svg"), 1)
        self.assertIn(">CNTRID<", drawn)
        self.assertIn(">63<", drawn)
        self.assertIn(text, drawn)


if __name__ == "__main__":
    unittest.main()
