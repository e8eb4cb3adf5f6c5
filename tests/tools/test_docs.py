#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""scripts/docs.py finds what a page says wrongly, and links and draws what it should."""

import pathlib
import sys
import tempfile
import unittest

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "scripts"))
import docs  # noqa: E402

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
        self.check("```\nmake nonsense X=1\n```\n", "no target nonsense")
        self.check("\n    scripts/none.py --help\n", "no scripts/none.py")
        self.check("\n    build/tally-none -bios x\n", "the build makes no tally-none")

    def test_pages_become_links(self):
        pages = self.pages("see `docs/b.md`, or [b](b.md#a-heading)")
        text = docs.rendered(pages["docs/a.md"], pages)
        self.assertIn('<a href="b.html"><code>docs/b.md</code></a>', text)
        self.assertIn('href="b.html#a-heading"', text)

    def test_registers_are_drawn(self):
        text = "| Bits | Field | Type |\n|---|---|---|\n| 63 (RV32: 31) | OF | RW |\n| 4:0 | CNTRID | RW |\n"
        pages = self.pages(text)
        drawn = docs.draw_registers(pages["docs/a.md"].html)
        self.assertEqual(drawn.count("<svg"), 1)
        self.assertIn(">CNTRID<", drawn)
        self.assertIn(">63<", drawn)


if __name__ == "__main__":
    unittest.main()
