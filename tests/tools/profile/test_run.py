# SPDX-License-Identifier: Apache-2.0
"""Workloads, sampled on the machine, through tally-profile.

test_run.py TALLY_PROFILE TALLY_SIM FOLDER_OF_PROGRAMS
"""

import base64
import gzip
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

TOOL, SIM = sys.argv[1:3]
PROGRAMS = pathlib.Path(sys.argv[3])
FIRMWARE = PROGRAMS / "firmware.elf"
TOGETHER, BATCHES = 6, 4  # sw/sampling/sampling.h


def elf(name):
    return PROGRAMS / f"sampled_{name}.elf"


class Run(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.work = pathlib.Path(folder.name)

    def sample(self, name, **settings):
        records = self.work / name
        command = [SIM, "-bios", FIRMWARE, "-kernel", elf(name), "--max-cycles", "20000000", "--quiet",
                   "--delegate", "0x8", "--records", records, "--stacks", self.work / f"{name}.stacks"]
        for key, value in settings.items():
            command += ["--set", f"sampled_{key}={value}"]
        done = subprocess.run(command, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              stdin=subprocess.DEVNULL, check=False)
        self.assertEqual(done.returncode, 0, done.stdout)
        return records

    def profile(self, *args, status=0):
        done = subprocess.run([TOOL, *args], text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)
        self.assertEqual(done.returncode, status, done.stderr)
        return done.stdout + done.stderr

    def test_interrupts(self):
        """Storm's table counts U and S: so does its profile, and the firmware has its names."""
        records = self.sample("storm", kind=TOGETHER, period=249, instructions=251, jitter=1023)
        said = self.profile("--latencies", "0", "--firmware", FIRMWARE, records, elf("storm"))
        self.assertIn("\n  modes: U, S\n", said)
        self.assertRegex(said, r"not shown: \d+ samples in M-mode: \w+ \d+")
        functions = said.split("Hottest lines")[0]
        for name in ("supervisor_trap", "tick", "compute"):
            self.assertRegex(functions, rf"% +{name}\n")
        self.assertNotIn("[unknown]", said)

    def test_driver_is_not_sampled(self):
        """Of the instructions, but for the two or three before it holds the sampling."""
        records = self.sample("smc", kind=TOGETHER, period=997, instructions=51, jitter=15)
        said = self.profile("--firmware", FIRMWARE, records, elf("smc")).split("smc: ")[2]  # the second profile
        rows = [text.split() for text in said.split("Hottest lines")[0].split("\n") if "%" in text]
        share = sum(float(row[1]) for row in rows if row[-1].startswith("on_counter"))
        self.assertLess(share, 10)  # it was 24 with the whole handler

    def test_generated_code(self):
        records = self.sample("smc", kind=BATCHES, period=251, jitter=63)
        self.assertRegex(self.profile("--latencies", "0", records, elf("smc")), r"% +\[\.bss\]\n")

    def test_full_log(self):
        records = self.sample("sort", kind=BATCHES, period=17, jitter=7)
        said = self.profile("--brief", records, elf("sort"))
        self.assertIn(" 8192 samples (U, S): ", said)
        self.assertRegex(said, r"the log was full: [1-9]\d* samples lost, "
                               r"only the first \d\d\.\d % of the run is shown")

    def test_page_is_small(self):
        """A page of ten workloads with callers stays below 600 kB, also if each has a full log."""
        records, page = self.sample("sort", kind=BATCHES, period=17, jitter=7), self.work / "page.html"
        self.profile("--quiet", "--html", page, "--stacks", self.work / "sort.stacks", records, elf("sort"))
        text = page.read_text(encoding="utf-8")
        data = re.search(r'<script id="data"[^>]*>([^<]*)</script>', text)[1]
        self.assertLess(len(text) + 9 * len(data), 600_000)
        names = re.search(r'"callers":\[', gzip.decompress(base64.b64decode(data)).decode())
        self.assertTrue(names, "no callers")

    def test_another_program(self):
        records = self.sample("crc", kind=BATCHES, period=997)
        self.assertIn("not the program that was sampled", self.profile(records, elf("sort"), status=6))

    @unittest.skipUnless(shutil.which("perf"), "perf is not installed")
    def test_perf_report(self):
        records, data = self.sample("sort", kind=BATCHES, period=997, jitter=255), self.work / "perf.data"
        self.profile("--quiet", "--firmware", FIRMWARE, "--perf", data, records, elf("sort"))
        said = subprocess.run(["perf", "report", "-i", data, "--stdio", "--sort", "sym"], text=True, check=True,
                              stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, stdin=subprocess.DEVNULL,
                              cwd=self.work, env={"HOME": str(self.work), "PATH": "/usr/bin:/bin"}).stdout
        self.assertNotIn("$x", said)
        self.assertRegex(said, r"[89]\d\.\d\d% +\[\.\] quicksort")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
