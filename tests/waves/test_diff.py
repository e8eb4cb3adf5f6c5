#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Differences of wave files (make waves-diff): test_diff.py BUILD"""

import os
import pathlib
import subprocess
import sys
import tempfile
import unittest
from unittest import mock

BUILD = pathlib.Path(sys.argv.pop(1)).resolve()
ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "scripts"))
import waves  # noqa: E402


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


TALLY_WAVE = """#!/bin/sh
if [ $1 = list ]; then echo 'TOP.x[3:0]'; exit; fi
printf 'first difference at 10, of 1 signals:\\n  TOP.x[3:0] A=0 B=1\\n'
exit 1
"""


class Shown(unittest.TestCase):
    """With a display GTKWave shows two files that differ. It and tally-wave are stand-ins."""

    def setUp(self):
        holder = tempfile.TemporaryDirectory()
        self.addCleanup(holder.cleanup)
        self.dir = pathlib.Path(holder.name)
        self.tool("tally-wave", TALLY_WAVE)

    def tool(self, name, text):
        (self.dir / name).write_text(text, encoding="utf-8")
        (self.dir / name).chmod(0o755)

    def waves(self, *options):
        env = {**os.environ, "DISPLAY": ":99", "PATH": str(self.dir)}
        return subprocess.run([sys.executable, ROOT / "scripts" / "waves.py", "--build", self.dir, *options], env=env,
                              cwd=self.dir, capture_output=True, text=True, check=False)

    def test_the_status_is_the_difference(self):
        for end in "exit 0", "exit 7":
            self.tool("gtkwave", f"#!/bin/sh\necho shown\n{end}\n")
            done = self.waves("--diff", "a.fst", "b.fst")
            self.assertEqual(done.returncode, 1, done.stderr)
            self.assertTrue(done.stdout.endswith("shown\n"), done.stdout)
            self.assertEqual(done.stderr, "" if end == "exit 0" else "waves.py: GTKWave, status 7\n")

    def test_what_is_not_there(self):
        done = self.waves("--diff", "a.fst", "b.fst")
        self.assertEqual((done.returncode, done.stderr), (1, "waves.py: gtkwave is missing: run scripts/setup\n"))
        for options, said in ((("overflow",), "tally-sim cannot be run: No such file"),
                              (("--build", "/none", "overflow"), "/none: there is no such folder"),
                              (("--build", "/none", "--diff", "a", "b"), "/none: there is no such folder"),
                              (("overflow", "--set", "x"), "--set x: not NAME=VALUE")):
            done = self.waves(*options)
            self.assertEqual(done.returncode, 2, done.stderr)
            self.assertEqual(len(done.stderr.splitlines()), 1, done.stderr)
            self.assertIn(said, done.stderr)

    def test_a_picture_that_takes_too_long(self):
        self.tool("Xvfb", "#!/bin/sh\necho 99 >&$2\nexec sleep 60\n")
        self.tool("gtkwave", "#!/bin/sh\nexec sleep 60\n")
        with mock.patch.object(waves, "TIME_LIMIT", 0.1), \
                mock.patch.dict(os.environ, {"PATH": f"{self.dir}:{os.environ['PATH']}"}), \
                self.assertRaisesRegex(waves.WavesError, "gtkwave: not done after 0.1 s"):
            waves.picture(self.dir / "a.gtkw", self.dir / "a.png")


if __name__ == "__main__":
    unittest.main()
