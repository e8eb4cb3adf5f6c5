# SPDX-License-Identifier: Apache-2.0
"""tally-profile against records with known contents, and its exports against their readers.

test_profile.py TALLY_PROFILE RV64_ELF RV32_ELF
"""

import glob
import gzip
import json
import os
import pathlib
import pty
import re
import select
import shutil
import subprocess
import sys
import time
import unittest

import pprof_file
import records
from known import ELF32, ELF64, HERE, OBJCOPY, TOOL, UNKNOWN_PC, Work, build_id_of, known, line, run, samples


class Report(Work):
    def lines(self, *args):
        done = run(*args)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        return [" ".join(text.split()) for text in done.stdout.split("\n")]

    def check_tables(self, said, pcs):
        at = f"program.c:{line('sum')}"
        for text in (
                "test: 19 samples, one of 1000 decoded instructions; core 100.000 MHz, time 10.000 MHz",
                "other 3 (15.8 %), loads 6 (31.6 %), stores 1 (5.3 %), atomics 0 (0.0 %), transfers 9 (47.4 %)",
                "flushed 1 (5.3 %), branch misprediction 1",
                # 4 * 10 + 2 * 60 cycles and 4 + 2 * 38 as the oldest, of 80 + 3 + 24 + 0
                "6 31.58 % 0 26.7 13.3 74.77 % sum",
                "3 15.79 % 0 8.0 1.0 2.80 % twice",
                "9 47.37 % 1 6.6 3.0 22.43 % spin",
                "1 5.26 % 0 5.0 0.0 0.00 % [unknown]",
                f"6 31.58 % 0 26.7 13.3 74.77 % {at}",
                f"3 15.79 % 0 8.0 1.0 2.80 % program.c:{line('twice')}",
                f"6 31.58 % 0 26.7 13.3 74.77 % {pcs['sum']:#x} sum+0x0 {at}",
                f"3 15.79 % 0 8.0 1.0 2.80 % {pcs['twice']:#x} sum+{pcs['twice'] - pcs['sum']:#x} "
                f"program.c:{line('twice')} (twice, inlined)",
                f"1 5.26 % 0 5.0 0.0 0.00 % {UNKNOWN_PC:#x} [unknown]",
                "execution: 6 valid, mean 14.7, longest 40",
                "2-3 4 ########################################",
                "32-63 2 ####################",
                "dispatch: 8 valid, mean 1.0, longest 1",
                "L1I 1 of 19 instructions (5.26 %)",
                "L1D 2 of 7 accesses (28.57 %)",
                "DTLB 1 of 7 accesses (14.29 %)",
                "none 1 (14.29 %)",
                "L1 4 (57.14 %)",
                "memory 2 (28.57 %)",
                f"6 2 2 1 14.7 {pcs['sum']:#x} sum+0x0 {at}",
                "Control transfers: 9, mispredicted 2 (22.22 %)",
                "branch taken 5",
                "branch not taken 3",
                f"9 5 3 22.22 % {pcs['spin']:#x} spin+0x0 program.c:{line('spin')}"):
            self.assertIn(text, said)

    def test_tables(self):
        self.check_tables(self.lines(self.records, ELF64), self.pcs)

    def test_rv32(self):
        path = self.file("rv32", records.whole(32, samples(32, ELF32)))
        self.check_tables(self.lines(path, ELF32), known(ELF32))

    def test_loaded_elsewhere(self):
        bias = 0x100000
        moved = [dict(pc=pc + bias, TOTAL=1) for pc in self.pcs.values()]
        path = self.file("moved", records.whole(64, [records.pack(64, **fields) for fields in moved], bias=bias))
        said = self.lines(path, ELF64)
        for name in self.pcs:
            self.assertIn(f"1 33.33 % 0 1.0 0.0 0.00 % {name}", said)

    def test_symbols(self):
        """Of a function within another, and of the outer one behind it; names command no terminal."""
        source = self.file("nested.S", b".globl outer, inner, _start\n.type outer, @function\n.type inner, @function\n"
                           b".option norvc\n_start: outer: nop\ninner: nop\n.size inner, . - inner\nnop\n"
                           b".size outer, . - outer\n")
        elf = self.work / "nested"
        subprocess.run(["riscv64-unknown-elf-gcc", "-march=rv64imac", "-mabi=lp64", "-g", "-nostdlib",
                        "-Wl,-Ttext=0x10000", source, "-o", elf], check=True)
        subprocess.run([OBJCOPY, "--strip-symbol=_start", "--redefine-sym", "inner=\33[31m\u009b1minner", elf],
                       check=True)
        path = self.file("nested.records", records.whole(64, [
            records.pack(64, pc=0x10000 + 4 * n, time=n, TYPE=0, TOTAL=5) for n in range(3)]))
        done = run(path, elf)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertRegex(done.stdout, r"0x10004  \?\[31m\?\?1minner\+0x0 .*\n.*0x10008  outer\+0x8 ")
        self.assertNotRegex(done.stdout, "[\0-\b\v-\37\177-\u009f]")

    def test_top(self):
        said = self.lines("--top", "1", "--latencies", "0", self.records, ELF64)
        self.assertIn("9 47.37 % 1 6.6 3.0 22.43 % spin", said)
        self.assertNotIn("6 31.58 % 0 26.7 13.3 74.77 % sum", said)
        self.assertNotIn("Latencies in cycles", said)

    def overflows(self):
        return self.file("overflows", records.whole(64, [records.pack(64, self.pcs["sum"], HPM=1, time=n)
                                                         for n in range(3)], name="overflows"))

    def test_brief(self):
        said = self.lines("--brief", "--top", "2", self.records, ELF64, self.overflows(), ELF64)
        self.assertEqual(said[:2], ["test 19 samples: 47.4 % spin, 31.6 % sum", "overflows 3 samples: 100.0 % sum"])

    def test_full_log(self):
        """19 samples at 1000 to 1180 of 1000 to 1720; without the time, 19 of 76"""
        for name, times, words in (("time", dict(begin=1000, end=1720), "25.0 % of the run is"),
                                   ("count", {}, "25.0 % of the samples are"),
                                   ("wrong", dict(begin=1, end=5), "25.0 % of the samples are")):
            with self.subTest(name):
                self.records = self.file(name, records.whole(64, samples(64, ELF64), lost=57, **times))
                text = f"the log was full: 57 samples lost, only the first {words} shown"
                self.assertIn(text, self.lines(self.records, ELF64))
                self.assertEqual(self.lines("--brief", self.records, ELF64)[1], text)
                self.assertEqual(self.page(self.export("html"))["runs"][0]["lostText"], text)
                self.assertIn(text, json.loads(self.export("speedscope").read_text(encoding="utf-8"))["name"])
                pprof = pprof_file.Proto(gzip.decompress(self.export("pprof").read_bytes()), pprof_file.PROFILE)
                self.assertEqual([pprof["string"][index].decode() for index in pprof["comment"]], [text])
        self.records = self.file("whole", records.whole(64, samples(64, ELF64), begin=1000, end=1720))
        self.assertNotIn("lost", "\n".join(self.lines(self.records, ELF64)))

    def firmware(self, elf=ELF64, by=0x100000):
        """The program elsewhere, its function spin renamed and without DWARF"""
        path = self.work / "firmware.elf"
        subprocess.run([OBJCOPY, "--strip-debug", "--remove-section=.note.gnu.build-id", f"--change-addresses={by:#x}",
                        "--redefine-sym", "spin=served", elf, path], check=True)
        return path

    def test_firmware(self):
        moved = [records.pack(64, pc=self.pcs["spin"] + 0x100000, TOTAL=1)] * 5
        for modes, said in ((3, "modes: U, S"), (11, "modes: U, S, M")):
            with self.subTest(said):
                self.records = self.file("modes", records.whole(64, samples(64, ELF64) + moved, modes=modes))
                lines = self.lines("--firmware", self.firmware(), self.records, ELF64)
                self.assertIn(said, lines)
                shown = modes == 11
                self.assertEqual("not shown: 5 samples in M-mode: served 5" in lines, not shown)
                self.assertEqual(any(text.endswith("% served") for text in lines), shown)
                self.assertEqual(any(text.startswith("test: 24 samples") for text in lines), shown)
                brief = self.lines("--brief", "--firmware", self.firmware(), self.records, ELF64)
                self.assertTrue(brief[0].startswith(f"test {24 if shown else 19} samples ({said[7:]}):"), brief)
        only = self.file("only", records.whole(64, moved, modes=1))
        lines = self.lines("--html", self.work / "page", "--firmware", self.firmware(), only, ELF64)
        self.assertIn("not shown: 5 samples in M-mode: served 5", lines)
        self.assertEqual(self.page(self.work / "page")["runs"][0]["leftOut"],
                         "not shown: 5 samples in M-mode: served 5")

    def test_with_another_file(self):
        moved = [records.pack(64, pc=self.pcs["spin"] + 0x100000, TOTAL=1)] * 5
        path = self.file("moved", records.whole(64, moved, modes=3))
        self.assertIn("5 100.00 % 0 1.0 0.0 0.00 % served", self.lines("--with", self.firmware(), path, ELF64))
        self.assertIn("5 100.00 % 0 1.0 0.0 0.00 % [unknown]", self.lines(path, ELF64))

    def test_first_version(self):
        old = self.file("old", records.whole(64, samples(64, ELF64), version=1))
        self.check_tables(self.lines(old, ELF64), self.pcs)

    def test_overflows_have_no_latencies(self):
        said = self.lines("--annotate", self.overflows(), ELF64)
        self.assertIn("3 100.00 % sum", said)
        self.assertIn("overflows: 3 samples, one of 1000 events of a counter; core 100.000 MHz, time 10.000 MHz", said)
        self.assertRegex("\n".join(said), rf"(?m)^3 100\.00 % {self.pcs['sum']:x}: (c\.)?lw ")
        for word in ("Latencies in cycles", "Misses", "flushed", "oldest", "loads"):
            self.assertNotIn(word, "\n".join(said))

    def test_interrupts(self):
        """Overflows of sum whose interrupts came at spin, two instructions of samples beside them"""
        data = [records.pack(64, self.pcs["sum"], HPM=1, time=n, adr1=self.pcs["spin"]) for n in range(3)]
        path = self.file("met", records.whole(64, data + samples(64, ELF64)[:2], name="met"))
        said = self.lines("--interrupts", path, ELF64)
        begin = [said.index(text) for text in said if text.startswith("met")]
        self.assertEqual([said[at].split(" samples")[0] for at in begin],
                         ["met: 3", "met, where the interrupts came: 3", "met: 2"])
        self.assertIn("3 100.00 % sum", said[begin[0]:begin[1]])
        self.assertIn("3 100.00 % spin", said[begin[1]:begin[2]])
        self.assertNotIn("where the interrupts came", "\n".join(self.lines(path, ELF64)))
        page = self.work / "page"
        self.lines("--interrupts", "--html", page, "--perf", self.work / "perf", path, ELF64)
        self.assertEqual([(one["interrupted"], one["all"][0]) for one in self.page(page)["runs"]],
                         [(False, 3), (True, 3), (False, 2)])

    def test_both_kinds_in_a_file(self):
        both = self.file("both", records.whole(64, samples(64, ELF64)
                                               + [records.pack(64, self.pcs["twice"], HPM=1, time=5)], name="both"))
        self.assertEqual(self.lines("--brief", both, ELF64)[:1], ["both 1 samples: 100.0 % twice"])
        said = self.lines(both, ELF64)
        self.assertIn("both: 1 samples, one of 1000 events of a counter; core 100.000 MHz, time 10.000 MHz", said)
        self.assertIn("both: 19 samples; core 100.000 MHz, time 10.000 MHz", said)
        self.assertIn("6 31.58 % 0 26.7 13.3 74.77 % sum", said)

    def test_pairs_share_a_page(self):
        path = self.work / "page"
        self.lines("--html", path, self.records, ELF64, self.overflows(), ELF64)
        page = self.page(path)
        self.assertEqual([(one["name"], one["events"]) for one in page["runs"]], [("test", False), ("overflows", True)])
        self.assertFalse(page["compare"])

    def test_annotate(self):
        said = self.lines("--annotate", self.records, ELF64)
        self.assertIn(f"; program.c:{line('twice')} twice", said)
        text = "\n".join(said)
        self.assertRegex(text, rf"(?m)^6 31\.58 % 26\.7 13\.3 {self.pcs['sum']:x}: (c\.)?lw x\d+,0\(x10\)$")
        self.assertRegex(text, rf"(?m)^9 47\.37 % 6\.6 3\.0 {self.pcs['spin']:x}: (c\.)?bnez? x10,")
        self.assertNotRegex(text, r"(?m)^_start$")
        only = self.lines("--annotate=spin", "--latencies", "0", self.records, ELF64)
        self.assertIn("spin", only)
        self.assertNotIn("sum", only)


class Diff(Work):
    """sum has 6 of 19 samples before, 6 of 100 after; the rest is spin's"""

    def setUp(self):
        super().setUp()
        more = samples(64, ELF64) + [records.pack(64, self.pcs["spin"], TYPE=4, TKBR=1, TOTAL=7)] * 81
        self.after = self.file("after", records.whole(64, more, name="after"))

    def test_text(self):
        done = run("--diff", self.records, ELF64, self.after, ELF64)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        said = [" ".join(text.split()) for text in done.stdout.split("\n")]
        self.assertEqual(said[0], "test -> after: instructions, 19 -> 100 samples")
        self.assertIn("decoded instructions: about 19000 -> 100000 (samples times period)", said)
        # The bound of two shares p1, p2 of n1, n2: 1.96 sqrt(p (1-p) (1/n1 + 1/n2)), p of both together
        self.assertIn("31.58 % 6.00 % -25.58 14.77 * 74.77 % 74.77 % sum", said)
        self.assertIn("47.37 % 90.00 % +42.63 18.34 * 22.43 % 22.43 % spin", said)
        self.assertIn("5.26 % 1.00 % -4.26 6.31 0.00 % 0.00 % [unknown]", said)
        self.assertIn(f"31.58 % 6.00 % -25.58 14.77 * 74.77 % 74.77 % program.c:{line('sum')}", said)
        self.assertLess(said.index("47.37 % 90.00 % +42.63 18.34 * 22.43 % 22.43 % spin"),
                        said.index("31.58 % 6.00 % -25.58 14.77 * 74.77 % 74.77 % sum"))

    def test_page(self):
        page = self.work / "page"
        self.assertEqual(run("--diff", "--quiet", "--html", page, self.records, ELF64, self.after, ELF64).returncode, 0)
        data = self.page(page)
        self.assertEqual((data["compare"], [one["name"] for one in data["runs"]]), (True, ["test", "after"]))

    def test_kinds(self):
        other = self.file("other", records.whole(64, [records.pack(64, self.pcs["sum"], HPM=1)]))
        done = run("--diff", self.records, ELF64, other, ELF64)
        self.assertEqual(done.returncode, 3)
        self.assertIn("one of", done.stderr)


class Large(Work):
    def test_memory(self):
        """Records are added up while they are read, and perf.data is written while it is made."""
        n = 2_000_000  # 128 MB
        path = self.work / "large"
        with path.open("wb") as out:
            out.write(records.header(64, n))
            block = b"".join(records.pack(64, self.pcs["sum"], time=1000 + at, TYPE=1, TOTAL=at % 100)
                             for at in range(1000))
            for _ in range(n // 1000):
                out.write(block)
        for args in (["--html", self.work / "page", "--pprof", self.work / "pprof"],
                     ["--perf", self.work / "perf.data"]):
            with subprocess.Popen([TOOL, "--brief", *map(str, args), path, ELF64], text=True,
                                  stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
                said, complaint = process.stdout.read(), process.stderr.read()
                _, status, usage = os.wait4(process.pid, 0)
                process.returncode = os.waitstatus_to_exitcode(status)
            self.assertEqual((process.returncode, complaint), (0, ""))
            self.assertIn(f"test {n} samples: 100.0 % sum", " ".join(said.split()))
            self.assertLess(usage.ru_maxrss, 64 * 1024, args)  # KiB

    def test_progress(self):
        """A bar on a terminal, and not a byte of it elsewhere or with --quiet"""
        for quiet in (False, True):
            ours, theirs = pty.openpty()
            done = subprocess.run([TOOL, *["--quiet"] * quiet, self.records, ELF64], stdout=subprocess.DEVNULL,
                                  stderr=theirs, check=False)
            os.close(theirs)
            self.assertEqual(done.returncode, 0)
            said = b""
            while select.select([ours], [], [], 0.1)[0]:
                try:
                    said += os.read(ours, 4096)
                except OSError:
                    break
            os.close(ours)
            self.assertEqual(b"100 % of 19 records of records" in said, not quiet)
            self.assertTrue(quiet or said.endswith(b"\r\x1b[K"), said)


class Exports(Work):
    def test_speedscope(self):
        data = json.loads(self.export("speedscope").read_text(encoding="utf-8"))
        # Its schema's rules for a file of sampled profiles
        self.assertEqual(data["$schema"], "https://www.speedscope.app/file-format-schema.json")
        self.assertEqual(set(data), {"$schema", "name", "exporter", "activeProfileIndex", "shared", "profiles"})
        frames = data["shared"]["frames"]
        for frame in frames:
            self.assertLessEqual(set(frame), {"name", "file"})
            self.assertIsInstance(frame["name"], str)
        self.assertEqual(sorted(frame["name"] for frame in frames), ["[unknown]", "spin", "sum", "twice"])
        sums = {}
        for profile in data["profiles"]:
            self.assertEqual(set(profile), {"type", "name", "unit", "startValue", "endValue", "samples", "weights"})
            self.assertEqual((profile["type"], profile["unit"]), ("sampled", "none"))
            self.assertEqual(len(profile["samples"]), len(profile["weights"]))
            self.assertEqual(profile["endValue"] - profile["startValue"], sum(profile["weights"]))
            for stack, weight in zip(profile["samples"], profile["weights"], strict=True):
                names = ";".join(frames[index]["name"] for index in stack)
                sums[profile["name"], names] = sums.get((profile["name"], names), 0) + weight
        self.assertEqual(sums["samples", "sum;twice"], 3)
        self.assertEqual(sums["samples", "sum"], 6)
        self.assertEqual(sums["cycles of latency", "spin"], 8 * 7 + 3)
        self.assertEqual(sums["cycles as the oldest", "sum"], 80)

    def test_pprof(self):
        profile = pprof_file.Proto(gzip.decompress(self.export("pprof").read_bytes()), pprof_file.PROFILE)
        text = [value.decode() for value in profile["string"]]
        self.assertEqual(text[0], "")
        self.assertEqual(len(set(text)), len(text))
        types = [(text[value.one("type")], text[value.one("unit")]) for value in profile["sample_type"]]
        self.assertEqual(types, [("samples", "count"), ("instructions", "count"), ("latency", "cycles"),
                                 ("oldest", "cycles")])
        functions = {value.one("id"): value for value in profile["function"]}
        locations = {value.one("id"): value for value in profile["location"]}
        mappings = {value.one("id"): value for value in profile["mapping"]}
        self.assertNotIn(0, [*functions, *locations, *mappings])
        found = {}
        for sample in profile["sample"]:
            (place,) = sample["location"]
            location = locations[place]
            stack = [(text[functions[value.one("function")].one("name")], value.one("line"))
                     for value in location["line"]]
            if location.one("mapping"):
                mapping = mappings[location.one("mapping")]
                self.assertTrue(mapping.one("start") <= location.one("address") < mapping.one("limit"))
                self.assertEqual(text[mapping.one("file")], str(pathlib.Path(ELF64).resolve()))
            found[location.one("address")] = (stack, sample["value"])
        self.assertEqual(found, {
            self.pcs["sum"]: ([("sum", line("sum"))], [6, 6000, 160, 80]),
            self.pcs["twice"]: ([("twice", line("twice")), ("sum", line("call"))], [3, 3000, 24, 3]),
            self.pcs["spin"]: ([("spin", line("spin"))], [9, 9000, 59, 24]),
            UNKNOWN_PC: ([("[unknown]", 0)], [1, 1000, 5, 0])})
        self.assertEqual(profile.one("period"), 1000)

    def test_names_are_escaped(self):
        self.records = self.file("named", records.whole(64, samples(64, ELF64), name='<"&\\\x01>'))
        self.assertEqual(self.page(self.export("html"))["runs"][0]["name"], '<"&\\?>')
        self.assertEqual(json.loads(self.export("speedscope").read_text(encoding="utf-8"))["name"], '<"&\\?>')


class Pprof(Work):
    """By the reader that comes with Debian's Go."""

    TOOL = next(iter(glob.glob("/usr/lib/go/pkg/tool/*/pprof")), "pprof")

    def pprof(self, *args):
        done = subprocess.run([self.TOOL, *args, "-nodefraction=0", self.export("pprof")], text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, stdin=subprocess.DEVNULL, check=False,
                              cwd=self.work,  # it cuts paths at folders of the current one's name
                              env={"HOME": str(self.work), "PPROF_TMPDIR": str(self.work)})
        self.assertEqual(done.returncode, 0, done.stderr)
        return [" ".join(text.split()) for text in done.stdout.split("\n")]

    def test_top(self):
        said = self.pprof("-top", "-sample_index=samples")
        self.assertIn("Showing nodes accounting for 19, 100% of 19 total", said)
        for text in ("9 47.37% 47.37% 9 47.37% spin", "6 31.58% 78.95% 9 47.37% sum",
                     "3 15.79% 94.74% 3 15.79% twice (inline)"):
            self.assertIn(text, said)

    def test_other_values(self):
        self.assertIn("80cycles 74.77% 74.77% 83cycles 77.57% sum",
                      self.pprof("-top", "-sample_index=oldest"))
        self.assertIn("Showing nodes accounting for 19000, 100% of 19000 total",
                      self.pprof("-top", "-sample_index=instructions"))

    def test_lines(self):
        said = self.pprof("-top", "-lines", "-sample_index=samples")
        self.assertTrue(any(text.startswith("6 31.58%") and text.endswith(f"program.c:{line('sum')}")
                            for text in said), said)


    def test_source_and_inlining(self):
        """A line has code inlined there as its callees' share"""
        said = self.pprof("-list=sum", "-sample_index=samples")
        text = (HERE / "program.c").read_text(encoding="utf-8").split("\n")
        for name, share in (("sum", "6 6"), ("call", ". 3")):
            number = line(name)
            self.assertIn(f"{share} {number}: {' '.join(text[number - 1].split())}", said)


@unittest.skipUnless(shutil.which("perf"), "perf is not installed")
class Perf(Work):
    def perf(self, command, *args):
        data = self.export("perf")
        done = subprocess.run(["perf", command, "-i", data, *args], text=True, stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, stdin=subprocess.DEVNULL, check=False, cwd=self.work,
                              env={"HOME": str(self.work), "PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "PAGER": "cat"})
        self.assertEqual(done.returncode, 0, done.stderr)
        return [" ".join(text.split()) for text in done.stdout.split("\n")]

    def test_script(self):
        said = self.perf("script", "-F", "hw:comm,pid,time,event,ip,sym,addr,weight,period",
                         "-F", "raw:time,event,ip,sym,addr,phys_addr,weight,data_src,period")
        instructions = [text for text in said if "instructions:" in text]
        memory = [text for text in said if "memory:" in text]
        self.assertEqual((len(instructions), len(memory)), (19, 7))  # six loads, a store
        for part in (" test ", " 7 ", "0.000100:", f"{self.pcs['sum']:x} sum", " 11200 ", " 10 ", " 1000 "):
            self.assertIn(part, f" {instructions[0]} ")
        for part in (f"{self.pcs['sum']:x} sum", " 11200 ", " 22200 ", " 10 ", "LOAD", "L1 hit", " 1000 "):
            self.assertIn(part, f" {memory[0]} ")
        for part in (" 11300 ", " 22300 ", " 60 ", "RAM hit", "TLB L2 hit"):
            self.assertIn(part, f" {memory[5]} ")
        for part in (f"{self.pcs['spin']:x} spin", " 7 "):
            self.assertIn(part, f" {instructions[9]} ")

    def test_events_are_separate(self):
        """Overflows, instructions and memory accesses of one file"""
        overflows = [records.pack(64, self.pcs["twice"], HPM=1, time=5)] * 3
        self.records = self.file("both", records.whole(64, samples(64, ELF64) + overflows))
        said = "\n".join(self.perf("report", "--stdio", "--sort", "sym", "--show-nr-samples"))
        for name, n in (("cycles", 3), ("instructions", 19), ("memory", 7)):
            self.assertIn(f"# Samples: {n} of event '{name}'", said)
        out = self.work / "named.data"
        self.assertEqual(run("--quiet", "--event", "l1d-misses", "--perf", out, self.records, ELF64).returncode, 0)
        listed = subprocess.run(["perf", "evlist", "-i", out], text=True, check=True, stdout=subprocess.PIPE,
                                stderr=subprocess.DEVNULL, cwd=self.work).stdout
        self.assertEqual(listed.split()[:3], ["l1d-misses", "instructions", "memory"])

    def test_report(self):
        said = self.perf("report", "--stdio", "--sort", "sym", "--show-nr-samples")
        begin = said.index("# Samples: 19 of event 'instructions'")
        said = said[begin:said.index("# Samples: 7 of event 'memory'")]
        shares = {text.split()[-1]: text.split()[:2] for text in said if re.match(r"\d+\.\d+%", text)}
        # perf counts an inlined function as its caller
        self.assertEqual(shares["sum"], ["47.37%", "9"])
        self.assertEqual(shares["spin"], ["47.37%", "9"])

    def test_mapping_symbols(self):
        """Written over the name of spin, as perf 6.1 would take it"""
        named = self.work / "named.elf"
        subprocess.run([OBJCOPY, "--redefine-sym", "spin=$xrv64i2p1_c2p0", ELF64, named], check=True)
        out = self.work / "named.data"
        self.assertEqual(run("--quiet", "--perf", out, self.records, named).returncode, 0)
        said = subprocess.run(["perf", "report", "-i", out, "--stdio", "--sort", "sym"], text=True, check=True,
                              stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, cwd=self.work).stdout
        self.assertNotIn("$x", said)
        self.assertIn("sum", said)
        copy = self.work / "named.data.named.elf"
        self.assertEqual(copy.stat().st_size, named.stat().st_size)
        taken = run("--quiet", "--perf", out, "--html", copy, self.records, named)
        self.assertEqual(taken.returncode, 1)
        self.assertIn("is another file", taken.stderr)

    def test_lost(self):
        self.records = self.file("lost", records.whole(64, samples(64, ELF64), lost=57))
        said = self.perf("report", "--stdio", "--stats")
        self.assertTrue(any(re.match(r"LOST events: 1\b", text) for text in said), said)
        self.assertIn("57", "\n".join(self.perf("script", "-D")[-40:]))

    def test_annotate(self):
        said = self.perf("annotate", "--stdio", "--objdump", "riscv64-unknown-elf-objdump", "sum")
        self.assertRegex("\n".join(said), rf"(?m)^66\.67 .*{self.pcs['sum']:x}:")


class Errors(Work):
    def refused(self, status, word, *args):
        out = self.work / "out"
        done = run("--html", out, *args)
        self.assertEqual((done.returncode, done.stdout, done.stderr.count("\n")), (status, "", 1), done.stderr)
        self.assertIn(str(word), done.stderr)
        self.assertFalse(out.exists())
        self.assertEqual(list(self.work.glob("out*")), [])

    def test_options(self):
        self.refused(2, "'--frobnicate'", "--frobnicate", self.records, ELF64)
        self.refused(2, "two files", self.records)
        self.refused(2, "there are 3", self.records, ELF64, self.records)
        self.refused(2, "--perf: of one pair", "--perf", self.work / "other", self.records, ELF64, self.records, ELF64)
        self.refused(2, "--annotate: of one pair", "--annotate", self.records, ELF64, self.records, ELF64)
        self.refused(2, "--diff: of two pairs", "--diff", self.records, ELF64)
        self.refused(2, "--diff: of two pairs", "--diff", "--brief", self.records, ELF64, self.records, ELF64)
        self.refused(2, "--top 'x'", "--top", "x", self.records, ELF64)
        self.refused(2, "'--perf': needs a value", self.records, ELF64, "--perf")
        self.refused(2, "given to --", "--perf", self.work / "out", self.records, ELF64)
        self.refused(2, "is an input", "--perf", self.records, self.records, ELF64)
        self.refused(2, "is an input", "--perf", "firmware", "--firmware", "firmware", self.records, ELF64)
        self.refused(2, "at most 8", *["--with", ELF64] * 9, self.records, ELF64)
        self.refused(4, "its code is where", "--with", ELF64, self.records, ELF64)
        self.refused(4, "absent", "--firmware", self.work / "absent", self.records, ELF64)
        self.assertEqual(run("--help").returncode, 0)

    def test_records(self):
        good = records.whole(64, samples(64, ELF64))
        one, overflow = [records.pack(64, 0x1000)], records.pack(64, 0x1000, HPM=1)
        for word, data in (
                ("empty", b""), ("TALLYREC", b"no records at all" * 9), ("cut short: 40 bytes", good[:40]),
                ("cut short: 19 records of 64 bytes are promised, 18 are there", good[:-1]),
                ("1 bytes too many", good + b"\0"), ("version 4", records.header(64, 1, version=4) + one[0]),
                ("version 3 is of RV64", records.whole(32, [records.pack(32, 0x1000)], version=3)),
                ("behind no overflow", records.whole(64, [*one, records.stack([0x1000])], version=3)),
                ("FMT 7", records.whole(64, [records.stack([0x1000])], version=3)),
                ("FMT 7", records.whole(64, [overflow, records.stack([0x1000])], version=2)),
                ("without addresses", records.whole(64, [overflow, records.stack([])], version=3)),
                ("goes on behind its end", records.whole(64, [overflow, *[records.stack([2])] * 2], version=3)),
                ("too long", records.whole(64, [overflow] + [records.stack([2] * 7)] * 10, version=3)),
                ("XLEN 16", records.header(16, 1) + one[0]), ("records of 48 bytes", records.header(64, 1, size=48)),
                ("no records", records.header(64, 0)), ("a clock of 0 Hz", records.whole(64, one, time_clock=0)),
                ("multiple of 8", records.header(64, 1, header_size=137) + one[0]),
                ("before it begins", records.whole(64, one, begin=2, end=1)),
                ("modes 0x4", records.whole(64, one, modes=4)),
                ("build id of 21 bytes", records.whole(64, one, build_id=bytes(21))),
                ("not 0 behind the build id", records.whole(64, one, build_id=b"\1\1", id_size=1)),
                ("a period of", records.whole(64, one, period=1 << 33)),
                ("record 0, at byte 136: FMT 1, SFMT 0", records.whole(64, [records.pack(64, 0x1000, FMT=1)])),
                ("FMT 0, SFMT 3", records.whole(64, [records.pack(64, 0x1000, SFMT=3)])),
                ("record 1, at byte 200: TYPE 5", records.whole(64, [*one, records.pack(64, 0x1000, TYPE=5)])),
                ("pc 0x1001", records.whole(64, [records.pack(64, 0x1001)])),
                ("last two words", records.whole(64, [one[0][:-1] + b"\1"]))):
            with self.subTest(word):
                self.refused(3, word, self.file("bad", data), ELF64)
        self.refused(3, "absent", self.work / "absent", ELF64)
        self.refused(3, "is a directory", self.work, ELF64)
        self.refused(3, "not a regular file", "/dev/null", ELF64)

    def test_records_that_become_shorter(self):
        """Another process cuts the file while it is read; it is so long (and sparse) that reading takes seconds."""
        path, n = self.work / "long", 200_000_000
        path.write_bytes(records.header(64, n))
        os.truncate(path, path.stat().st_size + n * 64)
        with subprocess.Popen([TOOL, path, ELF64], text=True, stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE) as process:
            time.sleep(0.3)
            os.truncate(path, 1000)
            said = process.communicate()
        self.assertEqual((process.returncode, said[0], said[1].count("\n")), (3, "", 1), said)
        self.assertRegex(said[1], "became shorter while it was read|cut short")

    def test_program(self):
        bare = self.work / "bare.elf"
        subprocess.run([OBJCOPY, "--strip-debug", ELF64, bare], check=True)
        self.refused(4, "no DWARF", self.records, bare)
        self.refused(4, "is RV32, the records are of RV64", self.records, ELF32)
        self.refused(4, "not an ELF file", self.records, self.records)
        self.refused(4, "for another machine", self.records, sys.executable)
        self.refused(4, "absent", self.records, self.work / "absent")
        cut = self.file("cut.elf", pathlib.Path(ELF64).read_bytes()[:100])
        self.refused(4, "cut.elf", self.records, cut)

    def test_another_program(self):
        other = self.work / "other.elf"
        subprocess.run([OBJCOPY, "--remove-section=.note.gnu.build-id", ELF64, other], check=True)
        for build_id in (b"\1" * 20, build_id_of(ELF64)[:19]):
            path = self.file("of-another", records.whole(64, samples(64, ELF64), build_id=build_id))
            self.refused(6, f"is {build_id_of(ELF64).hex()}, that of the records {build_id.hex()}", path, ELF64)
        path = self.file("ours", records.whole(64, samples(64, ELF64), build_id=build_id_of(ELF64)))
        self.assertEqual(run("--quiet", path, ELF64).returncode, 0)
        self.refused(6, "its build id is none", path, other)

    def test_disassembly(self):
        self.refused(5, "no-such-objdump", "--annotate", "--objdump", "no-such-objdump", self.records, ELF64)
        self.refused(5, "nothing: no samples", "--annotate=nothing", self.records, ELF64)
        self.refused(5, "cannot disassemble", "--annotate", "--objdump", "false", self.records, ELF64)

    def test_output(self):
        done = run("--html", self.work / "absent" / "page", self.records, ELF64)
        self.assertEqual((done.returncode, done.stdout), (1, ""))
        done = run("--html", "/dev/null", self.records, ELF64)
        self.assertEqual((done.returncode, done.stdout), (1, ""))
        self.assertIn("not a regular file", done.stderr)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
