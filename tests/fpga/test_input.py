#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Input that tally-refine refuses: each rule of its text, wrong options, results that cannot be written. One line names
the thing, exit status 2, and no file of the result's name that was not there before.

    test_input.py BUILD"""

import pathlib
import re
import resource
import subprocess
import sys
import tempfile
import unittest

TOOL = pathlib.Path(sys.argv.pop(1)).resolve() / "tally-refine" if len(sys.argv) > 1 else None

GOOD = """\
tally-refine 1 4 3
2 5 3 3 3
0 0
1 0
0 0 0 1 0 0 0 0
0 0 1 1 0 0 1 1
1 0 1 1 1 2 1 1
3 2 -1 2 2 0 0 0
2 2 -1 0 -1 0 0 0
2 0.5
0 -1
4 0
0 0 0 -1 1 1 0.24
1 1 1 0.0 0
2 3 0 0.2 0
"""
HEAD, COUNTS, TILE, LUT, FF, FF2, SITE, PIN, NET, ARC, ARC2, ARC3 = 1, 2, 4, 5, 6, 7, 8, 9, 10, 13, 14, 15
LAST = 16  # the line behind the last

# {line: new text}, the line that is named (0: none), what is said
REFUSED = [
    ({HEAD: "tally-rewind 1 4 3"}, HEAD, 'not a placement: it begins with "tally-refine 1"'),
    ({HEAD: "tally-refine 2 4 3"}, HEAD, "not a placement"),
    ({HEAD: "tally-refine 15 4 3"}, HEAD, "not a placement"),
    ({HEAD: "tally-refine 1 0 3"}, HEAD, "width: 0, must be an integer of 1 to 1024"),
    ({HEAD: "tally-refine 1 1025 3"}, HEAD, "width: 1025, must be an integer of 1 to 1024"),
    ({HEAD: "tally-refine 1 4 0"}, HEAD, "height: 0, must be an integer of 1 to 1024"),
    ({HEAD: "tally-refine 1 four 3"}, HEAD, "width: not a number"),
    ({HEAD: "tally-refine 1 4x 3"}, HEAD, "width: not a number"),
    ({HEAD: "tally-refine 1 4\t3"}, HEAD, "width: not a number"),
    ({COUNTS: "-1 5 3 3 3"}, COUNTS, r"tiles: -1, must be an integer of 0 to \d+"),
    ({COUNTS: "2 0 3 3 3"}, COUNTS, r"cells: 0, must be an integer of 1 to \d+"),
    ({COUNTS: "2 1000000 3 3 3"}, COUNTS, r"cells: 1e\+06, must be an integer of 1 to \d+"),
    ({COUNTS: "2 5 -3 3 3"}, COUNTS, "nets: -3"),
    ({COUNTS: "2 5 3 9999999 3"}, COUNTS, r"arcs: 1e\+07"),
    ({COUNTS: "2 5 3 3 2.5"}, COUNTS, r"bundles: 2\.5, must be an integer"),
    ({TILE: "4 0"}, TILE, "tile x: 4, must be an integer of 0 to 3"),
    ({TILE: "1 3"}, TILE, "tile y: 3, must be an integer of 0 to 2"),
    ({LUT: "4 0 0 1 0 0 0 0"}, LUT, "cell x: 4"),
    ({LUT: "0 -1 0 1 0 0 0 0"}, LUT, "cell y: -1"),
    ({LUT: "0 0 17 1 0 0 0 0"}, LUT, "slot: 17, must be an integer of -1 to 16"),
    ({LUT: "0 0 0 3 0 0 0 0"}, LUT, "kind: 3, must be an integer of 0 to 2"),
    ({LUT: "0 0 0 1 3 0 0 0"}, LUT, "bundle: 3, must be an integer of -1 to 2"),
    ({LUT: "0 0 0 1 0 64 0 0"}, LUT, "flags: 64, must be an integer of 0 to 63"),
    ({FF: "0 0 1 1 0 0 -1 1"}, FF, "tile set: -1"),
    ({FF: "0 0 1 1 0 0 1 0.5"}, FF, "slice set: 0.5"),
    ({LUT: "0 0 0 1 -1 0 0 0"}, LUT, "cell 0: has a bundle if and only if it is not fixed"),
    ({PIN: "2 2 -1 0 1 0 0 0"}, PIN, "cell 4: has a bundle if and only if it is not fixed"),
    ({FF2: "1 0 -1 1 1 2 1 1"}, FF2, "cell 2: logic without a slot"),
    ({SITE: "1 0 5 2 2 0 0 0"}, SITE, "cell 3: a site in a slot"),
    ({FF2: "1 1 1 1 1 2 1 1"}, FF2, "cell 2: no slots at 1, 1"),
    ({FF2: "0 0 1 1 1 2 1 1"}, FF2, "cell 2: slot 1 at 0, 0 is taken by cell 1"),
    ({NET: "5 0.5"}, NET, "driver: 5, must be an integer of 0 to 4"),
    ({NET: "2 nan"}, NET, "start: not a number"),
    ({NET: "2 inf"}, NET, "start: not a number"),
    ({NET: "2 1e9"}, NET, "start: not a number"),
    ({NET: "2 0.5.5"}, NET, "start: not a number"),
    ({ARC: "3 0 0 -1 1 1 0.24"}, ARC, "net: 3, must be an integer of 0 to 2"),
    ({ARC: "0 5 0 -1 1 1 0.24"}, ARC, "sink: 5, must be an integer of 0 to 4"),
    ({ARC: "0 0 2 -1 1 1 0.24"}, ARC, "dedicated: 2, must be an integer of 0 to 1"),
    ({ARC: "0 0 1 -1 1 1 0.24"}, ARC, "arc 0: a dedicated wire between bundles"),
    ({ARC: "0 0 0 - 1 1 0.24"}, ARC, "end: not a number"),
    ({ARC: "0 0 0 -1 65 1 0.24"}, ARC, "ways: 65, must be an integer of 0 to 64"),
    ({ARC: "0 0 0 -1 1 3 0.24"}, ARC, "net: 3"),
    ({ARC: "0 0 0 -1 1 1 -"}, ARC, "delay: not a number"),
    ({ARC3: "2 3 0 0.2"}, LAST, "ways: not a number"),
    ({ARC3: "2 3 0 0.2 0 7"}, ARC3, "more than its counts say"),
    ({COUNTS: "2 5 3 3 4"}, LAST, "bundle 3: no cell"),
    ({SITE: "3 2 -1 2 1 0 0 0", COUNTS: "2 5 3 3 2"}, LAST, "bundle 1: cells of several kinds, or several sites"),
    ({COUNTS: "2 6 3 3 3", SITE: "3 2 -1 2 2 0 0 0\n3 1 -1 2 2 0 0 0"}, LAST + 1, "bundle 2: cells of several kinds"),
    ({COUNTS: "2 6 3 3 4", SITE: "3 2 -1 2 2 0 0 0\n1 0 3 1 3 0 1 2"}, LAST + 1,
     "the cells at 1, 0 must not be in one tile"),
    ({ARC: "0 0 0 -1 1 0 0.24"}, LAST, "1 nets depend on themselves"),
    ({NET: "2 -1", 12: "4 -1"}, 0, "no path begins at a register and ends at one"),
    ({ARC3: "2 3 0 -1 0", ARC2: "1 1 1 -1 0"}, 0, "no path begins at a register and ends at one"),
    ({NET: "2 80"}, 0, r"a path of 80\.9 ns: at most 75 are accepted"),
]


def edited(changes):
    return "".join(changes.get(n, line) + "\n" for n, line in enumerate(GOOD.splitlines(), 1))


class Input(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()  # pylint: disable=consider-using-with
        self.addCleanup(self.folder.cleanup)
        self.path = pathlib.Path(self.folder.name)

    def refine(self, *words, **how):
        return subprocess.run([TOOL, *words], cwd=self.path, capture_output=True, text=True, check=False, **how)

    def write(self, text):
        (self.path / "placed").write_text(text, encoding="utf-8")

    def refused(self, done, said, files=("placed",)):
        self.assertEqual(done.returncode, 2, done.stderr)
        self.assertRegex(done.stderr, said)
        self.assertEqual(sorted(file.name for file in self.path.iterdir()), sorted(files))

    def test_what_is_good(self):
        for words in (), ("--rounds", "3"), ("--rounds", "0"), ("--settle", "0"), ("--seed", "4294967295"):
            self.write(GOOD)
            done = self.refine("--quiet", "--rounds", "2", *words, "placed", "refined")
            self.assertEqual((done.returncode, done.stderr), (0, ""))
            self.assertRegex(done.stdout,
                             r"\Arefined: [\d.]+ MHz expected, before [\d.]+; \d+ tiles of wire, before \d+\n\Z")
            places = (self.path / "refined").read_text(encoding="utf-8")
            self.assertRegex(places, r"\A(-?\d+ -?\d+ -?\d+\n){5}\Z")
        self.write(edited({COUNTS: "2 5 3 3 3\n"}))  # blank lines are nothing
        self.assertEqual(self.refine("--settle", "0", "--rounds", "0", "placed", "refined").returncode, 0)
        self.assertEqual((self.path / "refined").read_text(encoding="utf-8"),
                         "0 0 0\n0 0 1\n1 0 1\n3 2 -1\n2 2 -1\n")

    def test_progress(self):
        self.write(GOOD)
        now = r"[\d.]+ MHz expected, \d+ tiles of wire, \d+ of \d+ moves kept\n"
        self.assertRegex(self.refine("--settle", "50", "--rounds", "50", "placed", "refined").stdout,
                         rf"\A  50 rounds for wires: {now}  50 rounds for paths: {now}refined: ")

    def test_enough(self):
        """Nothing is done for the paths of a placement that is good enough."""
        self.write(GOOD)
        self.assertEqual(self.refine("--settle", "50", "--rounds", "0", "placed", "refined").returncode, 0)
        places = (self.path / "refined").read_text(encoding="utf-8")
        words = "--settle", "50", "--rounds", "50", "placed", "refined"
        done = self.refine("--enough", "1", *words)
        self.assertEqual((done.returncode, (self.path / "refined").read_text(encoding="utf-8")), (0, places))
        self.assertNotIn("for paths:", done.stdout)
        self.assertIn("50 rounds for paths:", self.refine("--enough", "10000", *words).stdout)

    def test_what_is_bad(self):
        everything = ""
        for changes, line, said in REFUSED:
            with self.subTest(changes):
                self.write(edited(changes))
                done = self.refine("--rounds", "2", "placed", "refined")
                self.refused(done, rf"\Atally-refine: placed:{f'{line}:' if line else ''} {said}.*\n\Z")
                self.assertEqual(done.stdout, "")
                everything += done.stderr
        # Is each rule among them?
        source = (pathlib.Path(__file__).resolve().parents[2] / "fpga" / "placement_text.c").read_text(encoding="utf-8")
        rules = re.findall(r'reject\(&?r,\s*"((?:[^"\\]|\\.)*)"', source)
        self.assertGreater(len(rules), 10)
        for rule in rules:
            parts = re.split("%[dgs]", rule.replace('\\"', '"'))
            self.assertRegex(everything, ".*".join(map(re.escape, parts)), f"no case for: {rule}")

    def test_cut_anywhere(self):
        """A text that ends within any of its lines is refused, but that the last word may lack its line's end."""
        for size in range(1, len(GOOD) - 1):
            self.write(GOOD[:size])
            if not GOOD[size - 1:].strip() or GOOD[size:].strip():
                self.refused(self.refine("--rounds", "0", "placed", "refined"), r"\Atally-refine: placed:\d+: .*\n\Z")

    def test_files(self):
        self.refused(self.refine("placed", "refined"), "placed: No such file", ())
        self.write("")
        self.refused(self.refine("placed", "refined"), "placed: empty file")
        self.refused(self.refine(".", "refined"), "is a directory")

    def test_options(self):
        self.write(GOOD)
        for words, said in ((("--rounds", "many"), "--rounds many: must be a number up to 1000000"),
                            (("--rounds", "-1"), "--rounds -1: must be a number"),
                            (("--rounds", ""), "--rounds : must be a number"),
                            (("--rounds", "1000001"), "--rounds 1000001: must be"),
                            (("--settle", "1e3"), "--settle 1e3: must be a number up to 1000000"),
                            (("--seed", "4294967296"), "--seed 4294967296: must be a number up to 4294967295"),
                            (("--seed", "1x"), "--seed 1x: must be"),
                            (("--enough", "0"), "--enough 0: must be a frequency of 1 to 10000 MHz"),
                            (("--enough", "nan"), "--enough nan: must be"),
                            (("--enough", "40x"), "--enough 40x: must be"),
                            (("--fast",), "usage:"), (("more",), "usage:")):
            with self.subTest(words):
                self.refused(self.refine(*words, "placed", "refined"), said)
        self.refused(self.refine("placed"), "usage:")
        self.assertEqual(self.refine("--help").returncode, 0)

    def test_results_that_cannot_be_written(self):
        self.write(GOOD)
        self.refused(self.refine("--rounds", "0", "placed", "none/refined"), "none/refined.*: No such file")
        (self.path / "folder").mkdir()
        self.refused(self.refine("--rounds", "0", "placed", "folder"), "folder: Is a directory", ("placed", "folder"))

    def test_no_half_of_a_result(self):
        """A result that breaks off leaves the older one as it was."""
        self.write(GOOD)
        (self.path / "refined").write_text("older\n", encoding="utf-8")
        done = self.refine("--rounds", "0", "placed", "refined", restore_signals=False,
                           preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (8, 8)))
        self.refused(done, "refined: File too large", ("placed", "refined"))
        self.assertEqual((self.path / "refined").read_text(encoding="utf-8"), "older\n")


if __name__ == "__main__":
    unittest.main()
