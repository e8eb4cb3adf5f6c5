# SPDX-License-Identifier: Apache-2.0
"""The program whose instructions are known, samples of it, and a folder with both for a test.

Tests that import this are called with TALLY_PROFILE RV64_ELF RV32_ELF.
"""

import base64
import gzip
import json
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

import records

HERE = pathlib.Path(__file__).resolve().parent
TOOL, ELF64, ELF32 = sys.argv[1:4]
OBJCOPY = "riscv64-unknown-elf-objcopy"
UNKNOWN_PC = 0x4000  # in no segment


def known(elf):
    """Addresses of the known instructions, in the order of the program."""
    with tempfile.NamedTemporaryFile() as out:
        subprocess.run([OBJCOPY, "-O", "binary", "--only-section=known", "--set-section-flags", "known=alloc", elf,
                        out.name], check=True)
        data = pathlib.Path(out.name).read_bytes()
    pcs = [int.from_bytes(data[at:at + 4], "little") for at in range(0, len(data), 4)]
    return dict(zip(("sum", "twice", "spin"), pcs, strict=True))


def build_id_of(elf):
    with tempfile.NamedTemporaryFile() as out:
        subprocess.run([OBJCOPY, "-O", "binary", "--only-section=.note.gnu.build-id", elf, out.name], check=True)
        return pathlib.Path(out.name).read_bytes()[16:]


def line(name):
    """The number of the line of program.c that says so."""
    for number, text in enumerate((HERE / "program.c").read_text(encoding="utf-8").split("\n"), 1):
        if f"/* line: {name} */" in text:
            return number
    raise KeyError(name)


def samples(xlen, elf):
    pcs = known(elf)
    stages = {"DISPATCH": 1, "DISPV": 1, "ISSUE": 2, "ISSV": 1, "EXECV": 1, "OLDV": 1}
    out = []
    for _ in range(4):
        out.append(dict(pc=pcs["sum"], TYPE=1, DSRC=1, TOTAL=10, EXECUTION=2, OLDEST=1, adr1=0x11200, adr2=0x22200,
                        **stages))
    for tlb in range(2):
        out.append(dict(pc=pcs["sum"], TYPE=1, DSRC=4, L1MISS=1, L1TLBMISS=tlb, TOTAL=60, EXECUTION=40, OLDEST=38,
                        adr1=0x11300, adr2=0x22300, **stages))
    for _ in range(3):
        out.append(dict(pc=pcs["twice"], TYPE=0, TOTAL=8, EXECUTION=1, OLDEST=1, **stages))
    for n in range(8):
        taken = n < 5
        out.append(dict(pc=pcs["spin"], TYPE=4, TKBR=int(taken), NTBR=int(not taken), MISPRED=int(n >= 6), TOTAL=7,
                        EXECUTION=1, OLDEST=3, adr1=pcs["spin"] if taken else 0, **stages))
    out.append(dict(pc=pcs["spin"], TYPE=4, FLUSHED=1, FLUSH=1, TOTAL=3, adr1=pcs["sum"]))
    out.append(dict(pc=UNKNOWN_PC, TYPE=2, ICMISS=1, TOTAL=5, OLDEST=0, OLDV=1))
    return [records.pack(xlen, time=1000 + 10 * n, **fields) for n, fields in enumerate(out)]


def run(*args):
    return subprocess.run([TOOL, *map(str, args)], text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          stdin=subprocess.DEVNULL, check=False)


class Work(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.work = pathlib.Path(folder.name)
        self.pcs = known(ELF64)
        self.records = self.file("records", records.whole(64, samples(64, ELF64)))

    def file(self, name, data):
        path = self.work / name
        path.write_bytes(data)
        return path

    def export(self, kind):
        path = self.work / kind
        done = run("--quiet", f"--{kind}", path, self.records, ELF64)
        self.assertEqual((done.returncode, done.stdout, done.stderr), (0, "", ""))
        return path

    def page(self, path):
        """The data of a page"""
        found = re.search(r'<script id="data"[^>]*>([^<]*)</script>', path.read_text(encoding="utf-8"))
        return json.loads(gzip.decompress(base64.b64decode(found[1])))
