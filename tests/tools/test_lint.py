#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The checks of scripts/lint.py that are ours, not a tool's, find what they are for."""

import pathlib
import sys
import unittest

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "scripts"))
import lint  # noqa: E402

GOOD = """// A module.
`default_nettype none
module tally_good (input wire clk);
endmodule
`default_nettype wire
"""


class Style(unittest.TestCase):
    def check(self, text, *expected, name="rtl/x/tally_good.v"):
        found = lint.line_problems(name, text) + lint.verilog_problems(name, text)
        self.assertEqual(len(found), len(expected), found)
        for problem, part in zip(found, expected):
            self.assertIn(part, problem)

    def test_good(self):
        self.check(GOOD)

    def test_long_line(self):
        self.check(GOOD.replace("A module", "A" * 120), "more than 110")

    def test_tab_and_blanks(self):
        self.check(GOOD.replace("endmodule", "\tendmodule "), "tab", "blank at the end")

    def test_no_newline(self):
        self.check(GOOD.rstrip(), "no newline at the end")

    def test_two_modules(self):
        self.check(GOOD.replace("endmodule", "endmodule\nmodule second;\nendmodule"), "modules")

    def test_other_name(self):
        self.check(GOOD, "modules", name="rtl/x/tally_bad.v")

    def test_module_in_a_comment_is_none(self):
        self.check(GOOD.replace("// A module.", "// A module.\n/*\nmodule ghost;\n*/"))

    def test_nettype(self):
        self.check(GOOD.replace("`default_nettype wire\n", ""), "default_nettype")

    def test_head(self):
        self.check(GOOD.replace("// A module.\n", ""), "no head comment")


if __name__ == "__main__":
    unittest.main()
