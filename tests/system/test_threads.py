#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Lockstep in line with the machine, and on a thread of its own: the same first difference, the same ends.

    test_threads.py BUILD [-v] [TEST...]

Faults are planted in the machine's outputs (tests/waves/planted.c).
"""

import contextlib
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
TRAPS = ["-bios", SW / "hart_traps.elf"]
ATOMICS = ["-bios", SW / "hart_atomics.elf"]
SORT = ["-bios", SW / "firmware.elf", "-kernel", SW / "workload_sort.elf"]
STATUS_USAGE, STATUS_LOCKSTEP, STATUS_LIMIT, STATUS_INTERRUPTED = 2, 3, 4, 130
# "stuck" hides retirements from models on a thread, which count them by what they see
HIDDEN = re.compile(r", \d+ instructions \([0-9.]+ a cycle\)")
SPEED = re.compile(r", [0-9.]+ s, \d+ kHz")
LAG = 4096  # RELAY_LAG

# fault, from this cycle on, program, a part of the report
FAULTS = [
    ("value", 3000, TRAPS, "value written to the register"),
    ("value", 9, TRAPS, "value written to the register"),
    ("pc", 4095, TRAPS, "pc 0x"),
    ("store", 2500, TRAPS, "data stored"),
    ("amo", 1500, ATOMICS, "result of the AMO in RAM"),
    ("epc", 2000, TRAPS, "attributed"),
    ("mode", 2047, TRAPS, "mode at the PMU"),
    ("irq", 1024, TRAPS, "PMU output irq_lcofi_o"),
    ("wire", 1025, TRAPS, "event wire L1I_RD"),
    ("tag", 1023, TRAPS, "tagged instruction"),
    ("port", 1500, TRAPS, "attribute"),
    ("csr", 2600, TRAPS, "CSR 0x341"),
    ("ram", 3000, TRAPS, "RAM at 0x84000000 after the end"),
    ("stuck", 3000, TRAPS, "pc"),
]


def run(threads, *options, fault=None, simulator="tally-sim"):
    """(status, output, errors without the speed)"""
    command = [str(part) for part in (BUILD / simulator, *options, "--lockstep", "--lockstep-threads", threads)]
    environment = {**os.environ, "PLANTED": f"{fault[0]}:{fault[1]}"} if fault else None
    done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, env=environment, check=False)
    return done.returncode, done.stdout.decode(), SPEED.sub("", done.stderr.decode())


def names_of_threads(process, awaited):
    """Seen until one is the awaited, or the process has ended."""
    tasks, names = pathlib.Path(f"/proc/{process.pid}/task"), set()
    while process.poll() is None and awaited not in names:
        with contextlib.suppress(OSError):  # a thread, or the process, has just ended
            names |= {(task / "comm").read_text().strip() for task in tasks.iterdir()}
        time.sleep(0.05)
    return names


class Threads(unittest.TestCase):
    maxDiff = None

    def planted(self, fault, *options):
        """The report, of both"""
        (status, _, err), apart = (run(n, *options, fault=fault, simulator="tally-sim-planted") for n in (0, 1))
        self.assertEqual(status, STATUS_LOCKSTEP, err)
        said = [HIDDEN.sub("", text) if fault[0] == "stuck" else text for text in (apart[2], err)]
        self.assertEqual((apart[0], said[0]), (status, said[1]))
        return err

    def test_differences(self):
        for kind, cycle, program, says in FAULTS:
            with self.subTest(kind=kind, cycle=cycle):
                err = self.planted((kind, cycle), *program)
                self.assertIn(says, err)
                self.assertEqual(err.count("lockstep:"), 1, err)
                self.assertNotIn("no difference", err)

    def test_two_harts(self):
        """Both harts differ in the same cycle, and both are reported."""
        err = self.planted(("irq", 3001), *TRAPS, "-smp", "2")
        self.assertEqual(len(re.findall(r"difference in cycle 3001, hart [01]", err)), 2, err)

    def test_cycle(self):
        """A difference in the last cycles before an end is found before the end is."""
        for options in (["--max-cycles", "3002"], ["--stop", "3002"]):
            self.assertIn("in cycle 3001, hart 0", self.planted(("irq", 3001), *TRAPS, *options))
            for n in (0, 1):
                status, _, err = run(n, *TRAPS, *options, fault=("irq", 3002), simulator="tally-sim-planted")
                self.assertEqual(status, STATUS_LIMIT if "--max-cycles" in options else 0, err)
                self.assertIn("3002 cycles", err)

    def test_lag(self):
        """Traces and logs go on for the lag at most."""
        with tempfile.TemporaryDirectory() as folder:
            trace = pathlib.Path(folder) / "trace"
            self.planted(("irq", 5000), *SORT, "--trace", trace)
            last = int(trace.read_text(encoding="utf-8").splitlines()[-1].split()[0])
            self.assertLessEqual(last, 5000 + LAG)

    def test_waves(self):
        """A window of waves is in line: it ends with the difference, and begins in no run that has had one."""
        with tempfile.TemporaryDirectory() as folder:
            for begin, there in (2000, True), (3005, False):
                files = [pathlib.Path(folder) / f"{begin}-{n}.fst" for n in (0, 1)]
                for n, file in enumerate(files):
                    status, _, err = run(n, *TRAPS, "--wave", file, "--wave-from", begin, fault=("irq", 3001),
                                         simulator="tally-sim-planted")
                    self.assertEqual(status, STATUS_LOCKSTEP, err)
                    self.assertIn("in cycle 3001, hart 0", err)
                    self.assertEqual(file.exists(), there)
                if there:
                    done = subprocess.run([BUILD / "tally-wave", "diff", *files], capture_output=True, text=True,
                                          check=False)
                    self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    def test_same_ends(self):
        """Runs without a difference: output, end and counts"""
        with tempfile.TemporaryDirectory() as folder:
            for options in (TRAPS, ATOMICS, [*TRAPS, "-smp", "2"], [*SORT, "--max-cycles", "300000"],
                            [*SORT, "--stop", "text:sort", "--max-cycles", "400000"]):
                wheres = [pathlib.Path(folder) / f"where{n}" for n in (0, 1)]
                line, apart = (run(n, *options, "--where", where) for n, where in enumerate(wheres))
                self.assertIn(line[0], (0, STATUS_LIMIT), line[2])
                self.assertIn("lockstep: no difference", line[2])
                self.assertEqual(line, apart)
                self.assertEqual(*(re.sub(r"where[01]", "", where.read_text()) for where in wheres))

    def test_window(self):
        """Counts of a window of instructions begin where they do in line."""
        with tempfile.TemporaryDirectory() as folder:
            wheres = [pathlib.Path(folder) / f"where{n}" for n in (0, 1)]
            for n, where in enumerate(wheres):
                status, _, err = run(n, *SORT, "--where", where, "--warm-up", "50001", "--window", "30001")
                self.assertEqual(status, 0, err)
            self.assertEqual(*(where.read_text() for where in wheres))

    def test_interrupt(self):
        """Ctrl-C ends the run, and the thread with it."""
        command = [str(part) for part in (BUILD / "tally-sim", *SORT, "--lockstep", "--lockstep-threads", "1")]
        with subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                              stderr=subprocess.PIPE) as process:
            time.sleep(1)
            process.send_signal(signal.SIGINT)
            _, err = process.communicate(timeout=120)
        self.assertEqual(process.returncode, STATUS_INTERRUPTED, err)
        self.assertIn(b"interrupted", err)
        self.assertIn(b"lockstep: no difference", err)

    def test_choice(self):
        """One processor: in line; more: on a thread, unless the machine acts on the models' answers. A number that is
        none is refused."""
        for cpus, options, apart in ((1, [], False), (1, ["--lockstep-threads", "1"], True), (2, [], True),
                                     (2, ["--lockstep-threads", "0"], False), (2, ["--tags"], False),
                                     (2, ["--tags", "--lockstep-threads", "1"], False)):
            may = sorted(os.sched_getaffinity(0))
            if len(may) < cpus:
                continue
            command = [str(part) for part in (BUILD / "tally-sim", *SORT, "--lockstep", "--quiet", *options)]
            with self.subTest(cpus=cpus, options=options), subprocess.Popen(
                    command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                    preexec_fn=lambda cpus=cpus, may=may: os.sched_setaffinity(0, may[:cpus])) as process:
                self.assertEqual("lockstep" in names_of_threads(process, "lockstep"), apart)
                self.assertIn(process.poll(), (None, 0))
                process.kill()
        for wrong in "2", "-1", "one":
            status, _, err = run(wrong, *TRAPS)
            self.assertEqual(status, STATUS_USAGE)
            self.assertIn("0 or 1 threads", err)
        done = subprocess.run([BUILD / "tally-sim", *TRAPS, "--lockstep-threads", "1"], capture_output=True, text=True,
                              check=False)
        self.assertEqual((done.returncode, done.stdout), (STATUS_USAGE, ""))
        self.assertIn("--lockstep-threads needs --lockstep", done.stderr)


if __name__ == "__main__":
    unittest.main()
