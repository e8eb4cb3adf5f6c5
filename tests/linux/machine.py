# SPDX-License-Identifier: Apache-2.0
"""A command under Linux on the machine (scripts/linux.py), with a folder of the host."""

import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
COLOUR = re.compile(r"\x1b\[[\d;]*m")  # perf colours what it finds high


class Machine(unittest.TestCase):
    """A folder of the host, and commands on the machine."""

    build = pathlib.Path("build")

    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="tally-linux-")
        self.addCleanup(folder.cleanup)
        self.files = pathlib.Path(folder.name)

    def run_linux(self, command, *options, status=0):
        done = subprocess.run([sys.executable, str(ROOT / "scripts/linux.py"), "--build", str(self.build), "--files",
                               str(self.files), "--run", command, *options], stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, text=True, errors="replace", check=False)
        self.assertEqual(done.returncode, status, done.stdout)
        return COLOUR.sub("", done.stdout.replace("\r", ""))

    def run_from_boot(self, command, *options, rtl=()):
        """The golden machine boots, and the RTL goes on in lockstep with `command`."""
        checkpoint, script = self.files / "checkpoint", self.files / "script"
        wait = "echo booted; host get script && . ./script"
        script.unlink(missing_ok=True)
        self.run_linux(wait, *options, "--iss", "--", "--checkpoint", str(checkpoint), "--at", "text:booted",
                       status=1)
        script.write_text(command + "\n", encoding="utf-8")
        out = self.run_linux(wait, *options, "--lockstep", "--", "--restore", str(checkpoint), *rtl)
        self.assertIn("lockstep: no difference", out)
        return out


class HostPerf(Machine):
    """... and Debian's perf on the host"""

    def host_perf(self, *options):
        """Debian's perf on the host, with the symbols of the machine's programs."""
        perf = shutil.which("perf")
        if not perf:
            self.skipTest("perf is not installed")
        done = subprocess.run([perf, *map(str, options)], cwd=self.files, stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, errors="replace", check=False)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        return done.stdout

    def convert(self, name):
        """Twice: a converted file stays as it is."""
        for _ in range(2):
            done = subprocess.run([sys.executable, str(ROOT / "scripts/perf_data.py"), str(self.files / name)],
                                  check=False)
            self.assertEqual(done.returncode, 0)


def main(argv):
    """argv: the build folder, then names of tests"""
    Machine.build = pathlib.Path(argv[1]).resolve()
    unittest.main(module="__main__", argv=[argv[0], *argv[2:]])
