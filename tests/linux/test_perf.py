#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The real perf and a shell under Linux on the machine (make linux), and their files read by Debian's perf.

    test_perf.py BUILD [CLASS...]
"""

import os
import pathlib
import pty
import re
import struct
import subprocess
import sys
import tempfile
import unittest

from machine import ROOT, HostPerf, main

# On the golden machine it is the drivers' kernel, the only one that continuous integration builds.
GOLDEN = ("--drivers", "split", "--iss")


class Shell(HostPerf):
    def test_the_status_is_that_of_the_command(self):
        self.run_linux("exit 7", *GOLDEN, status=7)

    def test_programs_work(self):
        out = self.run_linux("seq 3 | awk '{sum += $1} END {print sum / 4}'; seq 9 | sort -r | head -n 1; "
                             "echo text | gzip | zcat | sed s/x/s/; seq 4 | xargs -n 2 | tail -n 1 | tr 3 x; "
                             "date -u -d @0 +%Y; expr 6 '*' 7", *GOLDEN)
        self.assertIn("1.5\n9\ntest\nx 4\n1970\n42\n", out)

    def test_files_come_and_leave(self):
        (self.files / "in").write_bytes(bytes(range(256)) * 700)
        out = self.run_linux("host get in && wc -c in && md5sum in && host put in back/../out; host put in out && "
                             "host rm in && host get nothing; echo status $?; host env RUN | cut -c1-11; host exit 256",
                             *GOLDEN, status=2)
        self.assertIn("179200 in", out)
        self.assertEqual((self.files / "out").read_bytes(), bytes(range(256)) * 700)
        self.assertFalse((self.files / "in").exists())
        self.assertIn("host: nothing: No such file or directory\nstatus 1\nhost get in", out)
        self.assertIn("host: 256: the status is a number from 0 to 255", out)
        self.assertEqual([path.name for path in self.files.iterdir()], ["out"])


class Prompt(HostPerf):
    """Without a command"""

    def session(self, *lines):
        """Type each line at a prompt of its own; -> (exit status, the console)"""
        command = [sys.executable, str(ROOT / "scripts/linux.py"), "--build", str(self.build), "--files",
                   str(self.files), *GOLDEN]
        process, terminal = pty.fork()
        if not process:
            os.execv(command[0], command)
        said, rest, seen = "", list(lines), 0
        while chunk := self.read(terminal):
            said += chunk
            if rest and "\n# " in said[seen:]:
                os.write(terminal, rest.pop(0).encode())
                seen = len(said)
        _, status = os.waitpid(process, 0)
        os.close(terminal)
        return os.waitstatus_to_exitcode(status), said.replace("\r", "")

    @staticmethod
    def read(terminal):
        try:
            return os.read(terminal, 4096).decode(errors="replace")
        except OSError:  # the other side has closed it
            return ""

    def test_a_prompt_takes_commands(self):
        for end in ("poweroff\n", "\4"):
            status, said = self.session("echo $((6 * 7)); perf stat -e instructions:u true\n", end)
            self.assertEqual(status, 0, said)
            self.assertIn("\n42\n", said)
            self.assertRegex(said, r"\n +\d+ +instructions:u")


class Golden(HostPerf):
    """On the golden machine: everything but caches."""

    def test_perf_counts_records_and_lists(self):
        out = self.run_linux(
            "perf stat -e instructions:u,INST.LOAD.RET:u,inst.ret:u true && "
            "perf record -q -e instructions:u -c 2003 -o data "
            "sh -c 'i=0; while [ $i -lt 800 ]; do i=$((i + 1)); done' && "
            "perf report -i data --stdio --sort comm,dso 2>/dev/null | grep % && host put data perf.data && "
            "perf list | grep -c -i -E 'inst\\.mispred\\.ret|topdown\\.slots' && "
            "perf list metric | grep bad_speculation", *GOLDEN)
        counts = {name.lower(): int(count.replace(",", ""))
                  for count, name in re.findall(r"^ +([\d,]+) +([\w.]+):u", out, re.M)}
        self.assertEqual(counts["instructions"], counts["inst.ret"])  # once, not by both drivers
        self.assertTrue(0 < counts["inst.load.ret"] < counts["inst.ret"], counts)
        self.assertRegex(out, r"\d\d\.\d\d% +sh +busybox")
        self.assertIn("bad_speculation", out)
        self.check_report()

    def check_report(self):
        """Debian's perf finds the shell's functions in the recording, and annotates one."""
        (self.files / "symbols").symlink_to(self.build / "linux/symbols")
        self.convert("perf.data")
        report = self.host_perf("report", "-i", "perf.data", "--stdio", "--symfs", "symbols", "--sort", "dso,sym")
        shares = [float(share) for share in re.findall(r"^ +(\d+\.\d+)% +busybox +\[\.\] [a-z_]", report, re.M)]
        self.assertGreater(sum(shares), 90, report)
        script = self.host_perf("script", "-i", "perf.data", "--symfs", "symbols", "-F", "ip,sym,period")
        self.assertGreater(script.count(" 2003 "), 50, script)


class Data(unittest.TestCase):
    """scripts/perf_data.py with files that are none."""

    def test_bad_files_are_left_alone(self):
        header = struct.pack("<8sQQQQ", b"PERFILE2", 104, 152, 104, 152)
        with tempfile.TemporaryDirectory(prefix="tally-linux-") as folder:
            path = pathlib.Path(folder) / "data"
            for content, why in ((b"ELF", "not a perf.data file"), (header, "cut short"),
                                 (header + bytes(64) + b"\1" * 152, "older perf lacks")):
                path.write_bytes(content)
                done = subprocess.run([sys.executable, str(ROOT / "scripts/perf_data.py"), str(path)], text=True,
                                      stderr=subprocess.PIPE, check=False)
                self.assertEqual(done.returncode, 2)
                self.assertIn(why, done.stderr)
                self.assertEqual(path.read_bytes(), content)


class Rtl(HostPerf):
    """On the RTL, in lockstep: caches, and metrics that add up."""

    def test_perf_stat_in_lockstep(self):
        out = self.run_linux("perf stat -M TopdownL1 ls / && perf stat ls /", "--lockstep")
        self.assertIn("lockstep: no difference", out)
        shares = [float(share) for share in re.findall(r"# +(-?[\d.]+) +%? +(?:retiring|frontend_bound|backend_bound|"
                                                       r"bad_speculation)", out)]
        self.assertEqual(len(shares), 4, out)
        self.assertAlmostEqual(sum(shares), 100, delta=0.4)
        self.assertRegex(out, r"branch-misses +# +\d+\.\d+% of all branches")


if __name__ == "__main__":
    main(sys.argv)
