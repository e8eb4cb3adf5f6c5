#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What perf's samples say, beside what the unit did: the RTL in lockstep logs the instructions that sampling selects,
the records that it writes, and the golden model's overflows (tb/sample_log.h); Debian's perf prints the samples.

    test_samples.py BUILD [NAME...]
"""

import functools
import re
import sys

from machine import Machine, main
from test_drivers import Drivers

LOOP = "sh -c 'i=0; while [ $i -lt 20 ]; do i=$((i + 1)); done'"
TICK, CYCLE = 100, 10  # nanoseconds of mtime, also in perf's clock, and of a cycle
HANDLER = 20_000  # cycles between an overflow and perf's sample of it, at most
PATTERNS = {
    "sample": re.compile(r"^ *(?P<time>[\d.]+): +(?P<addr>[0-9a-f]+) +(?P<source>[0-9a-f]+) (?P<said>\|.*?) +"
                         r"(?P<weight>\d+) +(?P<ip>[0-9a-f]+) +(?P<phys>[0-9a-f]+)$", re.M),
    "precise": re.compile(r"^ *(?P<time>[\d.]+): +(?P<ip>[0-9a-f]+)$", re.M)}


@functools.cache
def bits_of(name):
    """Of a field of a record: (lowest, highest)"""
    text = (Machine.build / "generated/tally_spec.h").read_text(encoding="utf-8")
    return tuple(int(re.search(rf"TALLY_{name}_{end} (\d+)", text)[1]) for end in ("LSB", "MSB"))


def field(name, word):
    lsb, msb = bits_of(name)
    return word >> lsb & (1 << msb + 1 - lsb) - 1


class Log:
    """The simulator's"""

    def __init__(self, path):
        self.samples, self.records, self.overflows = [], [], []
        for line in path.read_text(encoding="ascii").splitlines():
            what, cycle, _, *words = line.split()
            getattr(self, what + "s").append((int(cycle), *(int(word, 16) for word in words)))
        self.records = [(cycle, words) for cycle, _, *words in self.records]


def nanoseconds(time):
    seconds, fraction = time.split(".")
    return int(seconds) * 1_000_000_000 + int(fraction.ljust(9, "0"))


class Samples(Drivers):
    def samples_of(self, name, kind):
        """[{field: text}] as perf script prints them"""
        self.convert(name)
        fields = {"sample": "time,addr,data_src,weight,ip,phys_addr", "precise": "time,ip"}[kind]
        said = self.host_perf("script", "-i", name, "-F", fields, "--ns")
        found = [match.groupdict() for match in PATTERNS[kind].finditer(said)]
        self.assertEqual(len(found), len(said.splitlines()), said)
        if kind == "sample":
            flags = re.findall(r"(?m)^\.\.\. transaction: ([0-9a-f]+)$", self.host_perf("script", "-D", "-i", name))
            self.assertEqual(len(flags), len(found))
            for sample, each in zip(found, flags):
                sample["flags"] = each
        return found

    def lost(self, name):
        """Samples that the file says are lost"""
        said = self.host_perf("script", "-D", "-i", name)
        return sum(int(n) for n in re.findall(r"PERF_RECORD_LOST_SAMPLES.* lost samples :(\d+)", said))

    def test_samples_are_what_the_unit_wrote(self):
        # Without the kernel's symbols, which user code needs not, perf begins with a tenth of the instructions.
        quick = "echo 2 >/proc/sys/kernel/kptr_restrict"
        record = "perf record -q -N -B -m 8"
        memory = f"{record} -d -W --phys-data --transaction"
        counts = " ".join(f"-e tally/PDIS.{name}/" for name in ("SAMPLES", "COLLISIONS", "DROPPED", "INHIBITED"))
        out = self.without_complaints(self.run_from_boot(
            f"{quick} && {memory} -e tally_pdis/type=3,jitter=4/u -c 100 -o data {LOOP} && host put data && "
            f"{memory} -e tally_pdis/type=1,latency=3,threshold=4/u -c 30 -o slow {LOOP} && host put slow && "
            f"perf stat -x ' ' {counts} {memory} -e tally_pdis/type=0/u -c 16 -o all true && host put all && "
            f"{record} -e INST.LOAD.RET:upp -c 100 -o precise {LOOP} && host put precise && dmesg",
            "--drivers", "whole", rtl=["--sample-log", str(self.files / "log")]))
        log = Log(self.files / "log")
        ahead = self.check_records(log)
        parts = {name: self.samples_of(name, "sample") for name in ("data", "slow", "all")}
        behind = self.check_samples(log, [sample for part in parts.values() for sample in part])
        self.check_values(parts)
        self.check_losses(out, log, parts)
        self.check_precise(log, ahead + behind // CYCLE)

    def check_records(self, log):
        """In order, each record is of an instruction that was selected, and its time lies between the two. -> cycles of
        the run minus mtime's"""
        self.assertGreater(len(log.records), 300)
        earliest, latest, selections = -1 << 64, 1 << 64, iter(log.samples)
        for cycle, words in log.records:
            selected = next((at for at, pc in selections if pc == words[1]), cycle)
            self.assertLess(selected, cycle)
            self.assertLess(field("PDISLAT_TOTAL", words[3]), cycle - selected)
            earliest = max(earliest, selected - TICK // CYCLE * (words[2] + 1))
            latest = min(latest, cycle - TICK // CYCLE * words[2])
        self.assertLess(earliest, latest, "mtime and cycles")
        return earliest

    def check_samples(self, log, samples):
        """Each record is a sample, in order, with its pc, addresses, latencies and time: none left over. -> nanoseconds
        that perf's clock is behind mtime"""
        self.assertEqual([int(sample["ip"], 16) for sample in samples], [words[1] for _, words in log.records])
        behind = set()
        for sample, (_, words) in zip(samples, log.records):
            self.assertEqual(int(sample["addr"], 16), words[4])
            self.assertEqual(int(sample["weight"]), field("PDISLAT_EXECUTION", words[3]))
            self.assertEqual(int(sample["flags"], 16), words[0] >> 32 << 32)
            flushed = field("PDISHDREV_FLUSHED", words[0])  # the second address is not a physical one
            self.assertEqual(int(sample["phys"], 16), 0 if flushed else words[5])
            behind.add(TICK * words[2] - nanoseconds(sample["time"]))
        # The driver reads both clocks once a batch, one after the other.
        self.assertLessEqual(max(behind) - min(behind), 10 * TICK)
        return min(behind)

    def check_values(self, parts):
        self.assertTrue(all(int(sample["weight"]) >= 4 for sample in parts["slow"]))
        self.assertGreater(len(parts["slow"]), 5)
        self.assertTrue(any(int(sample["weight"]) < 4 for sample in parts["data"]))
        for level in ("L1 or L1 hit", "L1 miss|LVL (RAM|L1 or L1 miss|Local RAM)"):
            self.assertTrue(any(re.search(level, sample["said"]) for sample in parts["data"]), level)

    def check_losses(self, out, log, parts):
        """Ordinary counters count what became of each sample; perf's numbers are the driver's."""
        counts = {name: int(count) for count, name in re.findall(r"(?m)^(\d+)  tally/PDIS\.(\w+)/", out)}
        self.assertEqual(len(parts["all"]), counts["SAMPLES"])
        self.assertGreater(counts["COLLISIONS"] + counts["DROPPED"], 0)
        self.assertEqual(self.lost("all"), counts["COLLISIONS"] + counts["DROPPED"])
        self.assertEqual(self.lost("data"), 0)

    def check_precise(self, log, offset):
        """A sample's ip is the instruction that let the golden counter wrap; the sample comes soon after. offset:
        cycles of the run minus those of perf's clock"""
        samples = self.samples_of("precise", "precise")
        ips = [int(sample["ip"], 16) for sample in samples]
        self.assertGreater(len(ips), 50)
        begin = log.records[-1][0]
        wraps = {}
        for cycle, counter, pc in log.overflows:
            if cycle > begin:
                wraps.setdefault(counter, []).append((cycle, pc))
        found = [each for each in wraps.values() if [pc for _, pc in each] == ips]
        self.assertEqual(len(found), 1, (ips, wraps))
        for sample, (cycle, _) in zip(samples, found[0]):
            since = nanoseconds(sample["time"]) // CYCLE + offset - cycle
            self.assertTrue(-2 * TICK // CYCLE <= since <= HANDLER, since)


if __name__ == "__main__":
    main(sys.argv)
