#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The checks of scripts/lint.py find the errors that they are for."""

import contextlib
import io
import pathlib
import subprocess
import sys
import tempfile
import unittest
from unittest import mock

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "scripts"))
import lint  # noqa: E402
import lint_circles  # noqa: E402
import lint_slang  # noqa: E402
import lint_sources  # noqa: E402

GOOD = """// A module.
`default_nettype none
module tally_good (input wire clk);
endmodule
`default_nettype wire
"""


class Style(unittest.TestCase):
    def check(self, text, *expected, name="rtl/x/tally_good.v"):
        found = lint_sources.line_problems(name, text) + lint_sources.verilog_problems(name, text)
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


class Sources(unittest.TestCase):
    LICENCE = "// SPDX-License-Identifier: Apache-2.0\n"

    def check(self, text, *expected, name="rtl/pmu/tally_good.v"):
        found = lint_sources.source_problems(name, text, pathlib.Path("/somewhere/tally"))
        self.assertEqual(len(found), len(expected), found)
        for problem, part in zip(found, expected):
            self.assertIn(part, problem)

    def test_good(self):
        self.check(self.LICENCE + GOOD)

    def test_too_long(self):
        self.check(self.LICENCE + "//\n" * 599)
        self.check(self.LICENCE + "//\n" * 600, "601 lines, more than 600")

    def test_pages_may_be_long(self):
        self.check("line\n" * 1000, name="docs/page.md")

    def test_no_licence(self):
        self.check(GOOD, "no line SPDX")
        self.check("#!/bin/bash\necho\n", "no line SPDX", name="scripts/setup")
        self.check("// SPDX-License-Identifier: Apache-2.0\n", "GPL-2.0", name="sw/linux/drivers/a.c")
        self.check("// SPDX-License-Identifier: GPL-2.0\n", name="sw/linux/drivers/a.c")
        for name in ("constraints/a/a.lpf", "tests/a.dts", "tests/a.toml", "sw/host/page.html", ".clang-format"):
            self.check("text\n", "no line SPDX", name=name)
        for name in ("LICENSE", "README.md", "tests/program/everything.txt"):
            self.check("text\n", name=name)

    def test_licence_behind_the_interpreter(self):
        self.check("#!/bin/bash\n# SPDX-License-Identifier: Apache-2.0\n", name="scripts/setup")

    def test_form_by_tool(self):
        for line in ("`ifdef SYNTHESIS", "`ifndef SYNTHESIS", "`elsif SYNTHESIS"):
            self.check(self.LICENCE + line + "\n", "SYNTHESIS")
        self.check(self.LICENCE + "// SYNTHESIS is not asked\n")
        self.check(self.LICENCE + "`ifdef SYNTHESIS\n", name="rtl/prim/sim/tally_good.v")

    def test_citations(self):
        for text in ("fac" "ts 2.2", "Fac" "ts section 13", "the fact" " sheet", "ruling" " 7", "Rulings" " 1 and 2"):
            self.check(self.LICENCE + f"// As in {text}.\n", ":2: not a citation")
        self.check(self.LICENCE + "// docs/rulings.md, Counter writes; Sscofpmf 1.1; two facts.\n")

    def test_citation_over_two_lines(self):
        self.check(self.LICENCE + "// All of it (facts\n//   2.2).\n", ":2: not a citation")
        self.check("/* SPDX-License-Identifier: Apache-2.0 */\n/* As said (ruling\n * 7) */\n", ":2: not a citation",
                   name="a.c")

    def test_paths_of_a_machine(self):
        for path in ("home/somebody/tally", "root/x", "work/wt"):
            self.check(self.LICENCE + f"// /{path}\n", ":2: a machine's path")
        self.check(self.LICENCE + "// /somewhere/tally/build\n", "a machine's path")
        self.check(self.LICENCE + "// docs/home/x, build/work/x, /tmp/x\n")


class NoFiles(unittest.TestCase):
    """A check of nothing fails."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()  # pylint: disable=consider-using-with
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name)
        (self.root / "generated").mkdir()
        (self.root / "generated/includes.f").touch()
        patch = mock.patch.object(lint, "ROOT", self.root)
        patch.start()
        self.addCleanup(patch.stop)

    def check(self, expected, *names):
        with contextlib.redirect_stdout(io.StringIO()) as said:
            self.assertEqual(lint.main(["--build", str(self.root), *names]), 1)
        for name in names:
            self.assertRegex(said.getvalue(), rf"(?m)^-- {name}:\n{expected}")

    def test_outside_git(self):
        self.check("git lists no files .*: fatal: not a git repository", "style", "sources", "circles", "shell",
                   "format", "tidy")

    def test_nothing_is_compiled(self):
        subprocess.run(["git", "init", "-q", self.root], check=True)
        (self.root / "a.c").touch()
        self.check(".*compile_commands.json names no C file", "tidy")


class Circles(unittest.TestCase):
    ONE = {"x/one.h": "int one(int n);\n", "x/one.c": '#include "one.h"\nint one(int n) { return n; }\n'}

    def check(self, texts, *expected):
        found = lint_circles.problems(texts)
        self.assertEqual(len(found), len(expected), found)
        for problem, part in zip(found, expected):
            self.assertIn(part, problem)

    def test_good(self):
        self.check(self.ONE | {"y/two.c": '#include "one.h"\nint two(void) { return one(2); }\n'})

    def test_includes(self):
        self.check(self.ONE | {"x/one.h": '#include "two.h"\n', "x/two.h": '#include "three.h"\n',
                               "x/three.h": '#include "../x/one.h"\n'},
                   "3 modules depend on each other: x/one -> x/two (two.h); x/two -> x/three (three.h); ")

    def test_header_and_source_are_one(self):
        self.check(self.ONE | {"x/two.h": '#include "one.h"\n', "x/one.c": '#include "two.h"\n'}, "x/one -> x/two")

    def test_calls(self):
        shared = {"x/all.h": "void a(void);\nvoid b(void);\nextern int v[2], w;\n"}
        a = '#include "all.h"\nvoid a(void) {\n    b();\n}\n'
        self.check(shared | {"x/a.c": a, "x/b.c": '#include "all.h"\nvoid b(void) {}\n'})
        self.check(shared | {"x/a.c": a, "x/b.c": '#include "all.h"\nvoid b(void) {\n    a();\n}\n'}, "x/a -> x/b (b)")
        self.check(shared | {"x/a.c": a, "x/b.c": '#include "all.h"\nvoid b(void) {} /* a(); */\n'})

    def test_variables_and_addresses(self):
        shared = {"x/all.h": "void a(void);\nextern int v[2], w;\n"}
        a = '#include "all.h"\nvoid a(void) {\n    w = 1;\n}\n'
        b = '#include "all.h"\nint v[2], w;\nstatic void (*const table[])(void) = {a};\n'
        self.check(shared | {"x/a.c": a, "x/b.c": "int other;\n", "x/c.c": '#include "all.h"\nint w;\n'})
        self.check(shared | {"x/a.c": a, "x/b.c": b.replace("v[2], w", "w")}, "x/a -> x/b (w); x/b -> x/a (a)")

    def test_other_programs(self):
        """A function of the same name that another program has is another function."""
        one = {"x/all.h": "void a(void);\nvoid b(void);\n", "x/a.c": '#include "all.h"\nvoid a(void) {\n    b();\n}\n',
               "x/b.c": '#include "all.h"\nvoid b(void) {}\n'}
        self.check(one | {"y/all.h": "void a(void);\nvoid b(void);\n",
                          "y/b.c": '#include "all.h"\nvoid b(void) {\n    a();\n}\n'})

    def test_methods(self):
        shared = {"x/bench.h": "struct Bench {\n    void a();\n    int b() const;\n};\n"}
        self.check(shared | {"x/a.cpp": '#include "bench.h"\nvoid Bench::a() {\n    b();\n}\n',
                             "x/b.cpp": '#include "bench.h"\nint Bench::b() const {\n    a();\n}\n'}, "x/a -> x/b")

    def test_assembly_defines(self):
        self.check({"x/hart.h": "void enter(void);\nvoid wait(void);\n",
                    "x/enter.S": '#include "hart.h"\n    .globl enter\nenter:\n    ret\n',
                    "x/hart.c": '#include "hart.h"\nvoid wait(void) {\n    enter();\n}\n'}, "x/enter -> x/hart")


class Slang(unittest.TestCase):
    def check(self, expected, *texts, **params):
        with tempfile.TemporaryDirectory() as folder:
            files = [pathlib.Path(folder, f"file{n}.v") for n in range(len(texts))]
            for file, text in zip(files, texts):
                file.write_text(text)
            found = lint_slang.problems("tally_top", files, [folder], params)
        self.assertEqual([part for part in expected if not any(part in text for _, text in found)], [], found)
        self.assertEqual(len(found), len(expected), found)

    def test_good(self):
        self.check([], "module tally_top #(parameter W = 1) (input wire [W-1:0] a); endmodule\n", W=3)

    def test_use_before_declaration(self):
        self.check(["used before its declaration"], "module tally_top; wire a = b; wire b = 1'b0; endmodule\n")

    def test_each_file_is_a_unit(self):
        self.check(["unknown macro", "expected expression"], "`define ONE 1\nmodule tally_other; endmodule\n",
                   "module tally_top; wire a = `ONE; tally_other u_other (); endmodule\n")

    def test_missing_module(self):
        self.check(["unknown module"], "module tally_top; tally_none u_none (); endmodule\n")

    def test_parameters_are_set(self):
        text = "module tally_top #(parameter W = 1); generate if (W > 2) tally_none u_none (); endgenerate endmodule\n"
        self.check([], text)
        self.check(["unknown module"], text, W=3)

    def check_select(self, expected, index, width):
        self.check(expected, f"""module tally_top #(parameter W = 6) (
            input wire [4:0] a, input wire [511:0] words, output wire [W-1:0] one, output reg [W-1:0] any);
          genvar g; generate for (g = 0; g < 1; g = g + 1) begin : g_one assign one = words[g*W +: W]; end endgenerate
          integer k;
          always @* begin any = 0; for (k = 0; k < 4; k = k + 1) any = any | words[k*W +: W]; end
          wire [W-1:0] selected = words[{index} +: {width}];
          endmodule
          """)

    def test_multiplied_index(self):
        for index in ("a*W", "W*a", "(a+1)*6", "2 + (a & 3)*W"):
            self.check_select([":6:"], index, "W")
        self.check_select(["multiplies a signal by no power of two"], "a*W", "2")
        for index in ("a*8", "3*W", "a", "a + 2*W", "{a, 3'd0}"):
            self.check_select([], index, "W")


if __name__ == "__main__":
    unittest.main()
