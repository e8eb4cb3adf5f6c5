# SPDX-License-Identifier: Apache-2.0
"""Time and memory of tally-profile with many records; figures to read, not a test.

bench.py TALLY_PROFILE RV64_ELF [MILLIONS]
"""

import os
import pathlib
import random
import subprocess
import sys
import tempfile
import time

import records

TOOL, ELF = sys.argv[1:3]
N = int(float(sys.argv[3] if len(sys.argv) > 3 else 10) * 1_000_000)
BLOCK = 20_000
CODE = range(0x10000, 0x14000, 2)  # more places than a program's hot code has


def write(path):
    chance = random.Random(1)
    block = b"".join(records.pack(64, chance.choice(CODE), time=1000 + at, TYPE=chance.choice((0, 1, 2, 4)),
                                  TOTAL=chance.randrange(4096), EXECUTION=chance.randrange(64), EXECV=1,
                                  adr1=chance.randrange(1 << 20, 1 << 24), L1MISS=at & 1) for at in range(BLOCK))
    with path.open("wb") as out:
        out.write(records.header(64, N // BLOCK * BLOCK))
        for _ in range(N // BLOCK):
            out.write(block)


def measure(what, *args):
    begin = time.monotonic()
    with subprocess.Popen([TOOL, *map(str, args)], stdout=subprocess.DEVNULL) as process:
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    assert process.returncode == 0
    print(f"{what}: {time.monotonic() - begin:.1f} s, {usage.ru_maxrss / 1024:.0f} MB of memory at most")


with tempfile.TemporaryDirectory() as folder:
    work = pathlib.Path(folder)
    write(work / "records")
    print(f"{N // BLOCK * BLOCK} records, {(work / 'records').stat().st_size / 1e6:.0f} MB, {len(CODE)} places")
    measure("text", work / "records", ELF)
    measure("page", "--quiet", "--html", work / "page", work / "records", ELF)
    measure("perf.data", "--quiet", "--perf", work / "perf.data", work / "records", ELF)
    measure("pprof", "--quiet", "--pprof", work / "pprof", work / "records", ELF)
