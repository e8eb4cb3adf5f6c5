#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Options of tally-sim about waves: which signals a file has, and the last cycles of a run that fails.

    test_options.py BUILD [-v] [TEST...]

Files are compared signal by signal over their common time (tally-wave diff).
"""

import os
import pathlib
import re
import signal
import subprocess
import sys
import tempfile
import time
import unittest

BUILD = pathlib.Path(sys.argv.pop(1)).resolve()
SW = BUILD / "sw"
HART = "TOP.tally_sim_top.u_soc.g_hart[0].u_hart."
PAGES = ["-bios", SW / "firmware.elf", "-kernel", SW / "workload_pages.elf"]
SHORT = ["-bios", SW / "hart_traps.elf", "--wave-to", "3000", "--stop", "3000"]
INTERVAL = 524288  # cycles between two copies of --wave-last
STATUS_USAGE, STATUS_LOCKSTEP, STATUS_LIMIT, STATUS_INTERRUPTED = 2, 3, 4, 130


def run(*options, simulator="tally-sim", given=b""):
    done = subprocess.run([str(part) for part in (BUILD / simulator, *options)], input=given, capture_output=True,
                          check=False)
    return done.returncode, done.stdout.decode(errors="replace"), done.stderr.decode(errors="replace")


def names(path):
    return subprocess.run([BUILD / "tally-wave", "list", path], capture_output=True, text=True,
                          check=True).stdout.split()


def value_times(path, name):
    """Times at which a signal changes."""
    done = subprocess.run([BUILD / "tally-wave", "values", path, name], capture_output=True, text=True, check=True)
    return [int(line.split()[0]) for line in done.stdout.splitlines()]


class Waves(unittest.TestCase):
    def setUp(self):
        self.holder = tempfile.TemporaryDirectory()
        self.dir = pathlib.Path(self.holder.name)

    def tearDown(self):
        self.holder.cleanup()

    def same(self, a, b, signals):
        """Equal in at least so many signals."""
        done = subprocess.run([BUILD / "tally-wave", "diff", a, b], capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertGreaterEqual(len(set(names(a)) & set(names(b))), signals)

    def refused(self, said, *options):
        file = self.dir / "refused.fst"
        status, out, err = run("--wave", file, *options)
        self.assertEqual((status, out), (STATUS_USAGE, ""), err)
        self.assertEqual(len(err.splitlines()), 1, err)
        self.assertIn(said, err)
        self.assertEqual(list(self.dir.iterdir()), [])


class Choice(Waves):
    def test_sets(self):
        """The default set, a part and both together have the values that the file of all signals has."""
        every, default, part, two = (self.dir / f"{name}.fst" for name in ("every", "default", "part", "two"))
        for options in (["--wave", every, "--wave-all"], ["--wave", default], ["--wave", part, "--wave-scope", "u_lsu"],
                        ["--wave", two, "--wave-scope", "u_bus", "--wave-scope", HART + "u_adapter.u_pmu"]):
            self.assertEqual(run(*SHORT, "--lockstep", "--quiet", *options)[0], 0)
        self.assertGreater(len(names(every)), 8000)
        self.assertTrue(400 < len(names(default)) < 1000, len(names(default)))
        self.same(default, every, len(set(names(default))))
        self.assertIn("TOP.tally_sim_top.g_golden[0].u_golden.mhpmcounter[3][63:0]", names(default))
        lsu = [name for name in names(every) if name.startswith(HART + "u_lsu.")]
        self.assertGreater(len(lsu), 500)
        self.assertEqual(sorted(names(part)), sorted(lsu))
        self.same(part, every, len(lsu))
        scopes = ("TOP.tally_sim_top.u_soc.u_bus.", HART + "u_adapter.u_pmu.")
        self.assertEqual(sorted(names(two)), sorted(name for name in names(every) if name.startswith(scopes)))
        self.same(two, every, len(names(two)))

    def test_two_harts(self):
        file = self.dir / "two.fst"
        status, _, err = run(*SHORT, "-smp", "2", "--wave", file)
        self.assertEqual(status, 0, err)
        for hart in range(2):
            self.assertIn(HART.replace("[0]", f"[{hart}]") + "u_commit.npc_q[63:0]", names(file))

    def test_values(self):
        """A clock edge at each half cycle, from the first to the last of the window."""
        file = self.dir / "clock.fst"
        self.assertEqual(run(*SHORT, "--wave", file, "--wave-from", "1000")[0], 0)
        times = value_times(file, "TOP.clk")
        self.assertEqual(times, list(range(10005, 30001, 5)))

    def test_refused(self):
        self.refused("'u_lsi': the machine has no such part; the nearest names: u_lsu", *SHORT, "--wave-scope", "u_lsi")
        self.refused("u_adapter.u_pmu.u_counting", *SHORT, "--wave-scope", "u_counters")
        self.refused("no such part", *SHORT, "--wave-scope", "")
        self.refused("without --wave-scope", *SHORT, "--wave-all", "--wave-scope", "u_lsu")
        for option in (["--wave-all"], ["--wave-scope", "u_lsu"], ["--wave-last", "5"]):
            status, _, err = run("-bios", SW / "hart_traps.elf", *option)
            self.assertEqual((status, len(err.splitlines())), (STATUS_USAGE, 1))
            self.assertIn("need --wave", err)


class Last(Waves):
    def check(self, file, last, *options, simulator="tally-sim", given=b""):
        """The file of a run with --wave-last equals the last cycles of an ordinary one."""
        whole = self.dir / "whole.fst"
        clock = value_times(file, "TOP.clk")
        first = clock[0] // 10
        self.assertLessEqual(last - 2, clock[-1] // 10 - first)
        self.assertLessEqual(clock[-1] // 10 - first, last + 1)
        run(*options, "--wave", whole, "--wave-from", str(first), simulator=simulator, given=given)
        self.same(file, whole, 400)
        self.assertLessEqual(abs(value_times(whole, "TOP.clk")[-1] - clock[-1]), 10)

    def test_difference(self):
        """... of lockstep, which is planted"""
        file = self.dir / "last.fst"
        file.write_text("an older one")
        options = [*PAGES, "--lockstep", "--quiet"]
        status, _, err = run(*options, "--wave", file, "--wave-last", "3000", simulator="tally-sim-planted")
        self.assertEqual(status, STATUS_LOCKSTEP, err)
        self.assertEqual(err.count("lockstep:"), 1, err)  # the copy says nothing
        self.check(file, 3000, *options, simulator="tally-sim-planted")

    def test_limit(self):
        """A run that takes too long, all signals; the copy that is used is neither the first nor the last"""
        file = self.dir / "last.fst"
        options = [*PAGES, "--max-cycles", str(2 * INTERVAL + 1000), "--wave-all"]
        status, _, err = run(*options, "--wave", file, "--wave-last", "2000")
        self.assertEqual(status, STATUS_LIMIT, err)
        self.assertRegex(err, r"last\.fst: waves of cycles 1047576 to 1049576")
        self.check(file, 2000, *options)

    def test_failed_program(self):
        """A program that reads files and the console, and fails: the copy is given the same again."""
        folder = self.dir / "files"
        folder.mkdir()
        source, elf = self.dir / "reads.c", self.dir / "reads.elf"
        source.write_text(READS, encoding="utf-8")
        subprocess.run([BUILD / "tally-cc", "-O2", source, "-o", elf], check=True)
        file = self.dir / "last.fst"
        options = ["-bios", SW / "firmware.elf", "-kernel", SW / "program.elf", "--quiet", "--files", folder,
                   "--set", "program_mode=0", "--program", elf]
        (folder / "words").write_text("some words\n" * 50, encoding="utf-8")
        status, out, err = run("--wave", file, "--wave-last", "1500", *options, given=b"typed\n")
        self.assertEqual(status, 7, err)
        self.assertEqual(out, "550 bytes, typed: typed\n")  # once
        self.assertEqual((folder / "log").read_text(encoding="utf-8"), "once\n")
        self.assertFalse((self.dir / "last.fst.part").exists())
        (folder / "log").unlink()
        self.check(file, 1500, *options, given=b"typed\n")

    def test_good(self):
        """Nothing is left of a run that does not fail, not even of an older one."""
        file = self.dir / "last.fst"
        file.write_text("an older one")
        status, _, err = run(*SHORT[:2], "--stop", "3000", "--wave", file, "--wave-last", "100")
        self.assertEqual(status, 0, err)
        self.assertEqual(list(self.dir.iterdir()), [])

    def test_interrupted(self):
        """Ctrl-C, which the copies get too"""
        file = self.dir / "last.fst"
        command = [str(part) for part in (BUILD / "tally-sim", *PAGES, "--wave", file, "--wave-last", "500")]
        with subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
                              start_new_session=True) as process:
            time.sleep(1)
            os.killpg(process.pid, signal.SIGINT)
            err = process.communicate()[1].decode()
        self.assertEqual(process.returncode, STATUS_INTERRUPTED, err)
        end = int(re.search(r"waves of cycles \d+ to (\d+)", err)[1])
        clock = value_times(file, "TOP.clk")
        self.assertTrue(10 * (end - 500) <= clock[0] and clock[-1] <= 10 * end and len(clock) >= 998, clock[:2])
        with self.assertRaises(ProcessLookupError):  # no copy is left
            for _ in range(50):
                os.killpg(process.pid, 0)
                time.sleep(0.1)

    def test_refused(self):
        for value in ("0", "-5", "many", "100000001", "7 "):
            self.refused("--wave-last", *SHORT[:2], "--wave-last", value)
        self.refused("without --wave-from and --wave-to", *SHORT, "--wave-last", "100")
        self.refused("not with a debugger", *SHORT[:2], "--wave-last", "100", "--gdb", self.dir / "socket")
        self.refused("no/such.fst: No such file", *SHORT[:2], "--wave-last", "100", "--wave", self.dir / "no/such.fst")


READS = r"""
#include <stdio.h>

int main(void) {
    char word[64];
    long n = 0;
    FILE *words = fopen("words", "r"), *log = fopen("log", "a");
    while (words && fgetc(words) != EOF)
        n++;
    fputs("once\n", log);
    fclose(log);
    if (!fgets(word, sizeof word, stdin))
        return 1;
    printf("%ld bytes, typed: %s", n, word);
    return 7;
}
"""

if __name__ == "__main__":
    unittest.main()
