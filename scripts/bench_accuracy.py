#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The accuracy of profiles: sampling policies against an oracle that records every cycle.

    scripts/bench_accuracy.py [--build DIR] [--jobs N] [--check] [--update] [WORKLOAD...]

Every workload runs three times: without sampling, with every cycle recorded (tally-sim --cycles, --where), and with
interrupts and sample records. docs/accuracy.md explains the tables. --check: exit status 1 if a cycle or event is
attributed to another pc than the oracle's, if sampling by interrupts is worse than 1.1 times chance, or if the
selection of instructions is not uniform. --update: writes the tables into docs/accuracy.md.
"""

import argparse
import array
import collections
import concurrent.futures
import math
import pathlib
import random
import struct
import subprocess
import sys
import tempfile

import marked

ROOT = pathlib.Path(__file__).resolve().parent.parent
KIND_OFF, KIND_COUNTER, KIND_REGISTERS, KIND_RECORD, KIND_BATCHES = range(5)
MODES = {"pages": 1}  # the mode that works; others in U
ORACLE, PORTS, LAST, NEXT, INTERRUPTED, DECODED, RETIRED, ENTERED = range(8)
STREAM_WORDS = 7
PERIODS = (300, 1000, 3000)  # cycles
PHASES = 30
REAL_PERIOD, REAL_JITTER = 100, 127  # cycles, between two interrupts
STARVED = {"storm"}  # its own interrupts and those of samples leave no time to the computation
INSTRUCTION_PERIODS = (100, 400)     # decoded instructions
INSTRUCTION_JITTER = 31
CHANCE_LIMIT = 1.1
P_LIMIT = 0.001


# --- running ----------------------------------------------------------------------------------------------------------

def simulate(build, name, folder, tag, settings, extra=()):
    """Run a sampled workload; the paths of its output."""
    where, records = folder / f"{name}.{tag}.where", folder / f"{name}.{tag}.records"
    command = [str(build / "tally-sim"), "-bios", str(build / "sw" / "firmware.elf"), "-kernel",
               str(build / "sw" / f"sampled_{name}.elf"), "--delegate", "0x8", "--quiet", "--max-cycles", "100000000",
               "--where", str(where), *extra]
    for symbol, value in settings.items():
        command += ["--set", f"sampled_{symbol}={value}"]
    if settings["kind"] != KIND_OFF:
        command += ["--records", str(records)]
    done = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          text=True, check=False)
    if done.returncode != 0:
        raise RuntimeError(f"{name}, {tag}: exit status {done.returncode}\n{done.stdout}")
    return where, records


def read_where(path):
    """({mode: {pc: counts}}, {event: occurrences})"""
    places, events = collections.defaultdict(dict), {}
    with open(path, encoding="utf-8") as lines:
        for line in lines:
            words = line.split()
            if words[0] == "pc":
                places[int(words[2])][int(words[3], 16)] = [int(word) for word in words[4:]]
            elif words[0] == "event":
                events[words[2]] = int(words[3])
    return places, events


def read_records(path):
    """[(pdishdrev, pc, pdislat, adr1)]"""
    data = path.read_bytes()
    begin, size, count = struct.unpack_from("<I", data, 12)[0], 64, struct.unpack_from("<Q", data, 24)[0]
    rows = (struct.unpack_from("<QQQQQ", data, begin + i * size) for i in range(count))
    return [(header, pc, latency, address) for header, pc, _, latency, address in rows]


# --- profiles ---------------------------------------------------------------------------------------------------------

class Levels:
    """Names of a pc: itself, its basic block, its function."""

    def __init__(self, elf, places):
        symbols = subprocess.run(["riscv64-unknown-elf-nm", "-n", elf], stdout=subprocess.PIPE, text=True, check=True)
        self.functions = sorted(int(line.split()[0], 16) for line in symbols.stdout.splitlines()
                                if line.split()[1] in "tTdDbB")
        leaders = {pc for pc, counts in places.items() if counts[ENTERED]}
        self.blocks = sorted(leaders.union(self.functions))

    @staticmethod
    def _at_most(values, pc):
        low, high = 0, len(values)
        while low < high:
            middle = (low + high) // 2
            if values[middle] <= pc:
                low = middle + 1
            else:
                high = middle
        return values[low - 1] if low else 0

    def raise_to(self, profile):
        """The profile at the three levels."""
        levels = [profile, collections.Counter(), collections.Counter()]
        for pc, weight in profile.items():
            levels[1][self._at_most(self.blocks, pc)] += weight
            levels[2][self._at_most(self.functions, pc)] += weight
        return levels


def error(found, true):
    """1 - sum of minima of two profiles' shares"""
    all_found, all_true = sum(found.values()), sum(true.values())
    common = sum(min(weight * all_true, true.get(key, 0) * all_found) for key, weight in found.items())
    return (all_found * all_true - common) / (all_found * all_true) if all_found else 1.0


def chance(true, n):
    """The mean error of n independent draws from the true profile: half of the sum of the mean absolute
    deviations of binomial variables, in de Moivre's closed form."""
    total, everything = 0.0, sum(true.values())
    for weight in true.values():
        p = weight / everything
        if p >= 1:
            continue
        v = int(n * p) + 1
        total += math.exp(math.lgamma(n + 1) - math.lgamma(v + 1) - math.lgamma(n - v + 1) + math.log(v)
                          + v * math.log(p) + (n - v + 1) * math.log1p(-p)) / n
    return total


def column(places, index):
    return collections.Counter({pc: counts[index] for pc, counts in places.items() if counts[index]})


def own(places):
    """Without the cycles that an interrupt's return costs: the flush is by an instruction of another mode."""
    return {pc: counts for pc, counts in places.items() if counts[RETIRED]}


# --- studies ----------------------------------------------------------------------------------------------------------

def work_region(places, elf):
    """Only the workload's own pcs: in S-mode the supervisor's set-up and console run too."""
    symbols = subprocess.run(["riscv64-unknown-elf-nm", "-S", elf], stdout=subprocess.PIPE, text=True, check=True)
    ranges = [(int(words[0], 16), int(words[0], 16) + int(words[1], 16))
              for words in map(str.split, symbols.stdout.splitlines())
              if len(words) == 4 and words[3] in ("work", "touch", "mix", "input_next")]
    return {pc: counts for pc, counts in places.items() if any(low <= pc < high for low, high in ranges)}


class Study:
    def __init__(self, build, name, folder):
        self.build, self.name, self.folder = build, name, folder
        self.elf = str(build / "sw" / f"sampled_{name}.elf")
        self.mode = MODES.get(name, 0)

    def places(self, where):
        places, events = read_where(where)
        mine = places[self.mode]
        return (work_region(mine, self.elf) if self.mode else mine), events

    def passive(self):
        """Every cycle, and samples of the cycles by jittered periods; nothing is interrupted."""
        stream = self.folder / f"{self.name}.cycles"
        where, _ = simulate(self.build, self.name, self.folder, "passive", {"kind": KIND_OFF},
                            ["--cycles", str(stream)])
        places, events = self.places(where)
        levels = Levels(self.elf, places)
        true = levels.raise_to(column(places, ORACLE))
        whole = {policy: [error(found, level) for found, level in zip(levels.raise_to(column(places, policy)), true)]
                 for policy in (INTERRUPTED, LAST, NEXT, PORTS, DECODED)}
        wrong = sum(abs(counts[ORACLE] - counts[PORTS]) for mine in read_where(where)[0].values()
                    for counts in mine.values())
        return {"wrong": wrong, "cycles": sum(true[0].values()), "pcs": len(true[0]), "whole": whole,
                "events": sum(events.values()), "sampled": self._sampled(stream, places, levels, true)}

    def _sampled(self, stream, places, levels, true):
        words = array.array("Q")
        words.frombytes(stream.read_bytes())
        stream.unlink()
        flags = words[6::STREAM_WORDS]
        mine = [i for i, flag in enumerate(flags) if flag >> 4 & 3 == self.mode and not flag >> 8 & 1
                and words[i * STREAM_WORDS] in places]
        dice, result = random.Random(1), {}
        for period in PERIODS:
            sums, n = {policy: [0.0] * 3 for policy in (INTERRUPTED, LAST, NEXT, PORTS)}, 0
            for _ in range(PHASES):
                at, picks = dice.randrange(period), []
                while at < len(mine):
                    picks.append(mine[at] * STREAM_WORDS)
                    at += period - period // 8 + dice.randrange(period // 4)
                n += len(picks)
                for policy, total in sums.items():
                    found = levels.raise_to(collections.Counter(words[pick + policy] for pick in picks))
                    for level in range(3):
                        total[level] += error(found[level], true[level]) / PHASES
            result[period] = (n // PHASES, sums, [chance(level, max(n // PHASES, 1)) for level in true])
        return result

    def interrupts(self):
        """Real interrupts of a cycle counter: every 30th sample is one phase's. None: too few for that."""
        where, path = simulate(self.build, self.name, self.folder, "interrupts",
                               {"kind": KIND_COUNTER, "period": REAL_PERIOD, "jitter": REAL_JITTER})
        places, _ = self.places(where)
        places = own(places)
        levels = Levels(self.elf, places)
        true = levels.raise_to(column(places, ORACLE))
        records = [row for row in read_records(path) if row[1] in places]
        n = len(records) // PHASES
        if not n:
            return None
        means = {"Sspesa": [0.0] * 3, "sepc": [0.0] * 3}
        for phase in range(PHASES):
            picks = records[phase::PHASES][:n]
            for what, index in (("Sspesa", 1), ("sepc", 3)):
                found = levels.raise_to(collections.Counter(row[index] for row in picks))
                for level in range(3):
                    means[what][level] += error(found[level], true[level]) / PHASES
        return {"n": n, "means": means, "chance": [chance(level, n) for level in true]}

    def instructions(self):
        """PDIS, batches: each retired sample counted once, and by the cycles in which it was the oldest."""
        result = {}
        for period in INSTRUCTION_PERIODS:
            where, path = simulate(self.build, self.name, self.folder, f"pdis{period}",
                                   {"kind": KIND_BATCHES, "period": period, "jitter": INSTRUCTION_JITTER})
            places, _ = self.places(where)
            levels = Levels(self.elf, places)
            true = levels.raise_to(column(own(places), ORACLE))
            once, weighed, n = collections.Counter(), collections.Counter(), 0
            for header, pc, latency, _ in read_records(path):
                if header >> 32 & 1 or not latency >> 63 or pc not in places:
                    continue
                once[pc] += 1
                weighed[pc] += (latency >> 48 & 0xFFF) + 1
                n += 1
            result[period] = (n, *[[error(found, level) for found, level in zip(levels.raise_to(profile), true)]
                                   for profile in (once, weighed)])
        return result


# --- uniformity -------------------------------------------------------------------------------------------------------

def upper_gamma(a, x):
    """Q(a, x), the regularized upper incomplete gamma function"""
    if x <= 0:
        return 1.0
    scale = math.exp(a * math.log(x) - x - math.lgamma(a))
    if x < a + 1:
        term = total = 1 / a
        n = a
        while abs(term) > 1e-15 * abs(total):
            n += 1
            term *= x / n
            total += term
        return max(0.0, 1 - total * scale)
    b, c = x + 1 - a, 1e300
    d = 1 / b
    result = d
    for i in range(1, 10000):
        step = -i * (i - a)
        b += 2
        d = 1 / (step * d + b)
        c = b + step / c
        result *= d * c
        if abs(d * c - 1) < 1e-15:
            break
    return result * scale


def uniformity(build, name, folder, tag, settings):
    """(samples, bins, chi-square, probability, most frequent pc's share, its share of what was decoded)"""
    where, path = simulate(build, name, folder, tag, settings)
    places = read_where(where)[0][MODES.get(name, 0)]
    population = column(places, DECODED)
    found = collections.Counter(pc for _, pc, _, _ in read_records(path) if pc in population)
    n, everything = sum(found.values()), sum(population.values())
    rest_found = rest_expected = statistic = 0.0
    bins = 0
    for pc, weight in population.items():
        expected = n * weight / everything
        if expected < 5:
            rest_found, rest_expected = rest_found + found[pc], rest_expected + expected
            continue
        statistic += (found[pc] - expected) ** 2 / expected
        bins += 1
    if rest_expected >= 5:
        statistic += (rest_found - rest_expected) ** 2 / rest_expected
        bins += 1
    pc, most = found.most_common(1)[0]
    return n, bins, statistic, upper_gamma((bins - 1) / 2, statistic / 2), most / n, population[pc] / everything


UNIFORMITY = (("interrupt a sample, jitter 0 to 127", "recursion",
               {"kind": KIND_REGISTERS, "period": 64, "jitter": 127}),
              ("the same in a tight loop", "crc", {"kind": KIND_REGISTERS, "period": 64, "jitter": 127}),
              ("batches, the same loop, no jitter", "crc", {"kind": KIND_BATCHES, "period": 110, "jitter": 0}))


# --- tables -----------------------------------------------------------------------------------------------------------

POLICIES = ((INTERRUPTED, "interrupted pc"), (LAST, "last committed"), (NEXT, "next committed"), (PORTS, "Sspesa"))


def cell(values):
    """instruction / block / function, in %"""
    return " / ".join(f"{100 * value:.2f}" for value in values)


def mean_row(rows, first):
    """The mean over the rows, of the columns from `first` on"""
    columns = zip(*(row[first:] for row in rows))
    means = [cell([sum(level) / len(rows) / 100 for level in zip(*(map(float, text.split(" / ")) for text in column))])
             for column in columns]
    return ["mean", *[""] * (first - 1), *means]


def passive_tables(names, passive):
    policies = [text for _, text in POLICIES]
    rows = [[name, f"{passive[name]['cycles']:,}", passive[name]["pcs"],
             *(cell(passive[name]["whole"][policy]) for policy, _ in (*POLICIES, (DECODED, "")))] for name in names]
    whole = marked.table(["workload", "cycles", "pcs", *policies, "every decoded instruction"],
                         [*rows, mean_row(rows, 3)])
    rows = [[name, period, n, *(cell(sums[policy]) for policy, _ in POLICIES), cell(alone)]
            for name in names for period, (n, sums, alone) in passive[name]["sampled"].items()]
    return whole, marked.table(["workload", "period", "N", *policies, "chance alone"], rows)


def instructions_table(names, pdis):
    rows = [[name, period, n, cell(once), cell(weighed)]
            for name in names for period, (n, once, weighed) in pdis[name].items()]
    return marked.table(["workload", "period", "N", "each counts 1", "each counts OLDEST + 1"],
                        [*rows, mean_row(rows, 3)])


def interrupts_table(real):
    rows = [[name, study["n"], cell(study["means"]["Sspesa"]), cell(study["means"]["sepc"]), cell(study["chance"]),
             f"{study['means']['Sspesa'][0] / study['chance'][0]:.3f}"] if study else [name, 0, *4 * ["-"]]
            for name, study in real.items()]
    return marked.table(["workload", "N", "Sspesa", "interrupted pc (sepc)", "chance alone", "Sspesa / chance"], rows)


def uniformity_table(uniform):
    rows = [[text, name, n, bins, f"{statistic:.1f}", f"{p:.3g}", f"{100 * most:.1f}", f"{100 * share:.1f}"]
            for (text, name, _), (n, bins, statistic, p, most, share) in zip(UNIFORMITY, uniform)]
    return marked.table(["selection", "workload", "samples", "bins", "chi-square", "probability", "most sampled pc, %",
                         "of what was decoded, %"], rows)


TITLES = {"oracle": "The unit's rules against the oracle",
          "policies": "Every cycle is a sample; errors in %: instruction / basic block / function",
          "samples": f"N samples of cycles, nothing disturbed, mean of {PHASES} phases",
          "instructions": "Instructions sampled by PDIS, taken for a profile of time",
          "interrupts": f"Real interrupts, mean of {PHASES} phases",
          "uniformity": "Selection over decoded instructions"}


def main(argv):
    parser = argparse.ArgumentParser(description="How true profiles are.")
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--check", action="store_true", help="exit status 1 if a target is missed")
    parser.add_argument("--short", action="store_true", help="real interrupts and uniformity only")
    parser.add_argument("--update", action="store_true", help="write the tables into docs/accuracy.md")
    parser.add_argument("workloads", nargs="*", metavar="WORKLOAD")
    args = parser.parse_args(argv)
    if args.update and (args.short or args.workloads):
        parser.error("--update: the document's tables are of all workloads and all studies")
    names = args.workloads or (args.build / "sw" / "workloads.txt").read_text(encoding="utf-8").split()
    with tempfile.TemporaryDirectory(prefix="accuracy.", dir=args.build) as scratch, \
            concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
        folder = pathlib.Path(scratch)
        studies = {name: Study(args.build, name, folder) for name in names}
        real = {name: pool.submit(study.interrupts) for name, study in studies.items()}
        uniform = [pool.submit(uniformity, args.build, name, folder, f"uniform{i}", settings)
                   for i, (_, name, settings) in enumerate(UNIFORMITY)]
        passive = {name: pool.submit(study.passive) for name, study in studies.items() if not args.short}
        pdis = {name: pool.submit(study.instructions) for name, study in studies.items() if not args.short}
        real, passive, pdis = [{name: one.result() for name, one in group.items()} for group in (real, passive, pdis)]
        uniform = [one.result() for one in uniform]
    tables = {}
    if not args.short:
        cycles, events, differ = (sum(study[what] for study in passive.values())
                                  for what in ("cycles", "events", "wrong"))
        # The simulator checks each cycle and each event, and ends with another exit status at the first difference.
        tables["oracle"] = [f"> {cycles:,} cycles of {len(names)} workloads, {differ} of them attributed to another pc "
                            f"than the oracle's; {events:,} occurrences of precise events, none beside another pc."]
        tables["policies"], tables["samples"] = passive_tables(names, passive)
        tables["instructions"] = instructions_table(names, pdis)
    tables["interrupts"] = interrupts_table(real)
    tables["uniformity"] = uniformity_table(uniform)
    for name, lines in tables.items():
        print(f"\n## {TITLES[name]}\n\n" + "\n".join(lines))
        if args.update:
            marked.write(ROOT / "docs" / "accuracy.md", name, lines)
    wrong = [f"{name}: no samples" for name, study in real.items() if not study and name not in STARVED]
    wrong += [f"{name}: {study['means']['Sspesa'][0] / study['chance'][0]:.2f} times chance" for name, study
              in real.items() if study and study["means"]["Sspesa"][0] > CHANCE_LIMIT * study["chance"][0]]
    wrong += [f"{text}: probability {one[3]:.2g}" for (text, _, settings), one in zip(UNIFORMITY, uniform)
              if settings["jitter"] and one[3] < P_LIMIT]
    wrong += [f"{text}: probability {one[3]:.2g}, which was to be none" for (text, _, settings), one
              in zip(UNIFORMITY, uniform) if not settings["jitter"] and one[3] > P_LIMIT]
    for line in wrong:
        print(f"missed: {line}")
    print(f"{'FAIL' if wrong else 'PASS'}: accuracy of {len(names)} workloads")
    return 1 if wrong and args.check else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
