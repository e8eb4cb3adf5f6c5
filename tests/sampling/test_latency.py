#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Latencies of loads that tally-sim --where counts (tb/latency.h), beside those in records of sampled instructions.

usage: test_latency.py BUILD

The harness follows every load by handshakes of the pipeline; the unit measures those that it samples (EXECUTION) by
the hart's reports. Every load that retires must be in one of the counts.
"""
import collections
import pathlib
import statistics
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path[:0] = [str(ROOT / "scripts"), str(ROOT / "tests")]
from bench_accuracy import KIND_BATCHES, read_records, simulate  # noqa: E402
from verdict import check, verdict  # noqa: E402

LOAD = 1  # TYPE, and codes of DSRC (spec/record.yaml)
SOURCES = {1: "L1", 2: "STQ", 3: "MEM", 4: "MEM", 5: "DEVICE"}
NEAR = {"L1": 0.3, "STQ": 0.3, "MEM": 1.5, "DEVICE": 1.5}  # cycles: waits for a translation are in the counts only
FEW = 100  # samples: where a program seldom misses, the loads of the handler, which is not sampled, outweigh its own


def counted(where):
    """({source: (loads, cycles)}, {event: occurrences})"""
    latencies, events = {}, {}
    for line in where.read_text(encoding="utf-8").splitlines():
        words = line.split()
        if words[0] == "latency":
            latencies[words[2]] = int(words[3]), int(words[4])
        elif words[0] == "event":
            events[words[2]] = int(words[3])
    return latencies, events


def sampled(records):
    """{source: [EXECUTION]}"""
    found = collections.defaultdict(list)
    for header, _, latency, _ in read_records(records):
        if header & 7 == LOAD and not header >> 32 & 1 and latency >> 62 & 1:
            found[SOURCES[header >> 41 & 15]].append(latency >> 36 & 0xFFF)
    return found


def main():
    build, compared = pathlib.Path(sys.argv[1]).resolve(), collections.Counter()
    with tempfile.TemporaryDirectory() as folder:
        for name in ("chase", "sort", "storm"):
            where, records = simulate(build, name, pathlib.Path(folder), "latency",
                                      {"kind": KIND_BATCHES, "period": 30, "jitter": 7})
            (latencies, events), samples = counted(where), sampled(records)
            loads = sum(count for count, _ in latencies.values())
            check(events["LOAD"] <= loads <= 1.02 * events["LOAD"], f"{name}: every load", (loads, events["LOAD"]))
            for source, values in samples.items():
                count, cycles = latencies[source]
                mean, own = cycles / max(1, count), sum(values) / len(values)
                print(f"{name}, {source}: {mean:.2f} cycles of {count} loads, {own:.2f} of {len(values)} samples")
                if len(values) >= FEW:
                    compared[source] += 1
                    chance = 3 * statistics.stdev(values) / len(values) ** 0.5
                    check(abs(mean - own) < NEAR[source] + chance, f"{name}, {source}", (mean, own, chance))
    check(compared["L1"] >= 2 and compared["MEM"], "there are hits and misses", compared)
    sys.exit(verdict())


if __name__ == "__main__":
    main()
