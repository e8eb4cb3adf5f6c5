#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Differences of wave files (make waves-diff): test_diff.py BUILD"""

import pathlib
import subprocess
import sys
import tempfile
import unittest

BUILD = pathlib.Path(sys.argv.pop(1)).resolve()
ROOT = pathlib.Path(__file__).resolve().parents[2]


def simulate(program, path, first, last, *options):
    subprocess.run([BUILD / "tally-sim", "-bios", BUILD / "sw" / f"{program}.elf", "--quiet", "--wave", path,
                    "--wave-from", str(first), "--wave-to", str(last), "--stop", str(last), *options], check=True,
                   stdout=subprocess.DEVNULL)


class Diff(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.holder = tempfile.TemporaryDirectory()
        cls.dir = pathlib.Path(cls.holder.name)
        simulate("hart_traps", cls.dir / "traps.fst", 0, 600)
        simulate("hart_traps", cls.dir / "later.fst", 200, 900)
        simulate("hart_traps", cls.dir / "apart.fst", 700, 800)
        simulate("hart_traps", cls.dir / "two.fst", 0, 600, "-smp", "2")
        simulate("hart_csr", cls.dir / "csr.fst", 0, 600)
        (cls.dir / "text.fst").write_text("no waves\n" * 100)
        (cls.dir / "short.fst").write_bytes((cls.dir / "traps.fst").read_bytes()[:2000])

    @classmethod
    def tearDownClass(cls):
        cls.holder.cleanup()

    def diff(self, a, b, *options):
        return subprocess.run([sys.executable, ROOT / "scripts" / "waves.py", "--build", BUILD, "--no-view", "--diff",
                               self.dir / a, self.dir / b, *options], capture_output=True, text=True, check=False)

    def test_same(self):
        done = self.diff("traps.fst", "traps.fst")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertRegex(done.stdout, r"no difference in \d{3} signals from \d+ to 6000")

    def test_only_the_common_time_is_compared(self):
        done = self.diff("traps.fst", "later.fst")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertRegex(done.stdout, r"no difference in \d+ signals from 20\d\d to 6000")

    def test_lockstep_shows_the_same_whenever_waves_begin(self):
        simulate("hart_traps", self.dir / "golden.fst", 0, 600, "--lockstep")
        simulate("hart_traps", self.dir / "golden_later.fst", 200, 900, "--lockstep")
        done = self.diff("golden.fst", "golden_later.fst")
        self.assertEqual((done.returncode, done.stderr), (0, ""), done.stdout)

    def test_no_common_time(self):
        done = self.diff("traps.fst", "apart.fst")
        self.assertEqual(done.returncode, 2)
        self.assertIn("no time in common", done.stderr)

    def test_different_programs(self):
        done = self.diff("traps.fst", "csr.fst")
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertRegex(done.stdout, r"first difference at \d+, of \d+ signals:\n  TOP\.\S+ A=[0-9a-f]+ B=[0-9a-f]+")
        when = done.stdout.split("first difference at ")[1].split(",")[0]
        name = done.stdout.split("signals:\n  ")[1].split(" ")[0]
        for path in (self.dir / "traps-diff-a.gtkw", self.dir / "csr-diff-b.gtkw"):
            save = path.read_text()
            self.assertIn(name, save)
            self.assertRegex(save, rf"\n\*-?[0-9.]+ {when} {when} ")  # zoom, cursor, first marker

    def test_ignored_signals(self):
        done = self.diff("traps.fst", "csr.fst", "--ignore", "*")
        self.assertEqual(done.returncode, 2)
        self.assertIn("no signal in common", done.stderr)
        patterns = ("TOP.tally_sim_top.u_soc.*", "TOP.*.rtl_count*", "TOP.m*", "TOP.tally_sim_top.m*",
                    "TOP.host_*", "TOP.tally_sim_top.host_*")
        done = self.diff("traps.fst", "csr.fst", *(word for p in patterns for word in ("--ignore", p)))
        self.assertEqual(done.returncode, 0, done.stdout)

    def test_signals_of_one_file_only_are_named(self):
        done = self.diff("traps.fst", "two.fst")
        self.assertIn("only in B: TOP.tally_sim_top.g_golden[1].u_golden.", done.stdout)
        self.assertRegex(done.stdout, r"only in B: \.\.\. and \d+ more")

    def test_bad_files(self):
        for name in ("text.fst", "missing.fst", "short.fst"):
            for pair in ((name, "traps.fst"), ("traps.fst", name)):
                done = self.diff(*pair)
                self.assertEqual(done.returncode, 2, f"{pair}: {done.stdout}")
                self.assertIn(name, done.stderr)


if __name__ == "__main__":
    unittest.main()
