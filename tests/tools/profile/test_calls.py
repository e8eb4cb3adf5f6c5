# SPDX-License-Identifier: Apache-2.0
"""Callers in tally-profile's output: of tally-sim --stacks, and of records with call stacks.

test_calls.py TALLY_PROFILE RV64_ELF RV32_ELF
"""

import gzip
import shutil
import subprocess
import sys
import unittest

import pprof_file
import records
from known import ELF64, Work, run


class Calls(Work):
    def stacks(self, *args):
        """Names of each stack, the outermost first, and values; types of the values"""
        path = self.work / "pprof"
        done = run("--quiet", "--pprof", path, *args)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        profile = pprof_file.Proto(gzip.decompress(path.read_bytes()), pprof_file.PROFILE)
        text = [value.decode() for value in profile["string"]]
        functions = {value.one("id"): text[value.one("name")] for value in profile["function"]}
        self.assertEqual(len(functions), len(set(functions.values())))
        places = {value.one("id"): [functions[each.one("function")] for each in value["line"]]
                  for value in profile["location"]}
        self.assertEqual(len(places), len(profile["location"]))
        found = {}
        for sample in profile["sample"]:
            names = ";".join(name for place in reversed(sample["location"]) for name in reversed(places[place]))
            found.setdefault(names, []).append(sample["value"])
        types = [text[value.one("type")] for value in profile["sample_type"]]
        return found, types, text[profile.one("default_sample_type")]

    def test_pprof_has_callers_of_all_cycles(self):
        """Of tally-sim --stacks: locations leaf first, by name"""
        stacks = self.file("stacks", b"main;spin 100\nmain;sum;twice 300\nmain;sum 7\n")
        found, types, first = self.stacks("--stacks", stacks, self.records, ELF64)
        self.assertEqual(found, {"main;spin": [[100]], "main;sum;twice": [[300]], "main;sum": [[7]]})
        self.assertEqual((types, first), (["cycles"], "cycles"))

    def test_pairs_have_stacks_each(self):
        stacks = [self.file(name, f"main;{name} 100\n".encode()) for name in ("one", "two")]
        pairs, page = (self.records, ELF64, self.records, ELF64), self.work / "page"
        done = run("--quiet", "--html", page, *(word for path in stacks for word in ("--stacks", path)), *pairs)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        page = self.page(page)
        self.assertEqual([[page["names"][name] for name in one["callers"][0][0]] for one in page["runs"]],
                         [["main", "one"], ["main", "two"]])
        done = run(*["--stacks", stacks[0]] * 3, *pairs)
        self.assertEqual((done.returncode, done.stderr),
                         (2, "tally-profile: --stacks: one a pair; there are 3, and 2 pairs\n"))

    def test_stacks_that_are_wrong(self):
        most = 2**63 - 1
        done = run("--stacks", self.file("most", f"main;spin {most - 1}\nmain 1\n".encode()), self.records, ELF64)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        for number, (text, line) in enumerate((
                (f"main {2**64}\n", "line 1 has more cycles than a run can have (2^63 in all)"),
                (f"main {10**30}\n", "line 1 has more cycles than a run can have (2^63 in all)"),
                (f"main {most}\nmain;spin 1\n", "line 2 has more cycles than a run can have (2^63 in all)"),
                ("main -1\n", "line 1 is not of tally-sim --stacks"),
                ("main 1x\n", "line 1 is not of tally-sim --stacks"), ("main 1\nspin 2", "line 2 is not whole"))):
            path = self.file(f"stacks{number}", text.encode())
            done = run("--stacks", path, self.records, ELF64)
            self.assertEqual((done.returncode, done.stderr), (3, f"tally-profile: {path}: {line}\n"))

    def test_page_has_slots(self):
        table = ("  12,000  cycles\n  12,000  TOPDOWN.SLOTS\n  6,000  TOPDOWN.RETIRING.SLOTS\n"
                 "  3,000  TOPDOWN.FRONTEND_BOUND.SLOTS\n  1,500  TOPDOWN.BACKEND_BOUND.SLOTS\n"
                 "  1,000  TOPDOWN.BAD_SPECULATION.SLOTS\n")
        page = self.work / "page"
        done = run("--quiet", "--html", page, "--counts", self.file("counts", table.encode()), self.records, ELF64)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertEqual(self.page(page)["runs"][0]["slots"], [12000, 6000, 3000, 1500, 1000])
        for wrong, text in ((table.replace("BACKEND", "BECKEND"), "no count of TOPDOWN.BACKEND_BOUND.SLOTS"),
                            (table.replace("6,000", "60,000"), "more slots in the parts than in all")):
            done = run("--counts", self.file("wrong", wrong.encode()), self.records, ELF64)
            self.assertEqual((done.returncode, done.stderr.count("\n")), (3, 1))
            self.assertIn(text, done.stderr)

    def test_pprof_has_callers_of_samples(self):
        """Of overflows with call stacks: sum called by spin, twice; alone, once"""
        spin, total = self.pcs["spin"], self.pcs["sum"]
        event = records.pack(64, total, HPM=1, time=5, adr1=total)
        stack = records.stack([spin + 2, 0x8000, 0x8100])
        data = [event, stack, event, stack, event, records.stack([spin + 2, 0x8000, 0x8100, spin + 2]), event]
        path = self.file("calls", records.whole(64, data, version=3))
        found, types, first = self.stacks(path, ELF64)
        self.assertEqual(found, {"spin;sum": [[2, 2000]], "spin;spin;sum": [[1, 1000]], "sum": [[1, 1000]]})
        self.assertEqual((types, first), (["samples", "events"], "samples"))
        page = self.work / "page"
        self.assertEqual(run("--quiet", "--html", page, path, ELF64).returncode, 0)
        page = self.page(page)
        callers = {";".join(page["names"][name] for name in names): weight
                   for names, weight in page["runs"][0]["callers"]}
        self.assertEqual(callers, {"spin;sum": 2, "spin;spin;sum": 1, "sum": 1})

    @unittest.skipUnless(shutil.which("perf"), "perf is not installed")
    def test_perf_has_callers_of_samples(self):
        event = records.pack(64, self.pcs["sum"], HPM=1, time=5, adr1=self.pcs["sum"])
        data = [event, records.stack([self.pcs["spin"] + 2, 0x8000, 0x8100])] * 3
        self.records = self.file("calls", records.whole(64, data, version=3))
        done = subprocess.run(["perf", "script", "-i", self.export("perf"), "--no-inline", "-F", "ip,sym"], text=True,
                              check=True, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, stdin=subprocess.DEVNULL,
                              cwd=self.work)
        self.assertEqual([text.split()[-1] for text in done.stdout.splitlines() if text.strip()], ["sum", "spin"] * 3)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
