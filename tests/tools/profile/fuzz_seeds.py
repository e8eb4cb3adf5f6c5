# SPDX-License-Identifier: Apache-2.0
"""Writes the fuzzer's first corpus into a folder: good files of records of both sizes."""

import pathlib
import sys

import records

PCS = range(0x10144, 0x10178, 4)  # around the program


def sample(xlen, n, pc):
    memory, transfer = 1 <= n % 5 <= 3, n % 5 == 4
    fields = {"DSRC": n % 6, "L1MISS": n & 1} if memory else {"TKBR": 1, "MISPRED": n & 1} if transfer else {}
    return records.pack(xlen, pc, time=n * 100, adr1=pc, adr2=pc, TYPE=n % 5, FLUSHED=n % 7 == 6, TOTAL=n * 17,
                        OLDEST=n, OLDV=1, **fields)


for bits in (32, 64):
    samples = [sample(bits, n, pc) for n, pc in enumerate(PCS)]
    if bits == 64:
        event = records.pack(bits, PCS[0], time=100, HPM=1, adr1=PCS[1])
        calls = [event, records.stack([PCS[2] + 2, 0x8000, 0x8100, *PCS[:3], 2]), records.stack([PCS[0]]), event]
        (pathlib.Path(sys.argv[1]) / "calls").write_bytes(records.whole(bits, calls + samples, version=3))
    for version in (1, 2):
        good = records.whole(bits, samples, version=version, lost=9, begin=100, end=5000, modes=3, build_id=b"id")
        (pathlib.Path(sys.argv[1]) / f"rv{bits}-{version}").write_bytes(good)
