#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Prove that the configurations cover the dimensions pairwise: tests/pmu/pairs.py configurations.txt

A dimension is a set of parameters with its values. Each value of one together with each of another has to be in some
configuration of the list, but for the pairs that cannot be built. Also: the eight of `make test` that are not named
below have every value, and as many pairs as a search found that eight can have. Exit status 1 if not.
"""

import itertools
import sys

# Values are those of the parameters named, in their order.
DIMENSIONS = {
    "XLEN": (("XLEN",), ["32", "64"]),
    "retire lanes": (("RETIRE_W",), ["1", "2", "4", "8"]),
    "decode lanes": (("DECODE_W",), ["1", "2", "4", "8"]),
    "counters": (("HPM_N",), ["0", "1", "6", "29"]),
    "width": (("HPM_W",), ["1", "32", "48", "64"]),
    "count of a cycle event": (("EVC_W",), ["1", "2", "3", "8"]),
    "Andes view": (("ANDES", "ANDES_SILICON", "ANDES_SWRITE"), ["0 0 1", "1 0 1", "1 1 1", "1 0 0"]),
    "H extension": (("HYP",), ["0", "1"]),
    "counters in a RAM": (("COUNTER_RAM",), ["0", "1"]),
    "pipelined accesses": (("CSR_PIPELINE",), ["0", "1"]),
    "combined selectors": (("COMB_N",), ["0", "1", "4", "29"]),
    "pc range": (("PCRANGE",), ["0", "1"]),
    "overflow, filters": (("SSCOFPMF", "SMCNTRPMF"), ["0 0", "0 1", "1 0", "1 1"]),
    "indirect access": (("SMCSRIND", "SMCDELEG"), ["0 0", "1 0", "1 1"]),
    "state enable": (("SMSTATEEN",), ["0", "1"]),
    "software event": (("SWEVENT",), ["0", "1"]),
    "event-based branches": (("EBB",), ["0", "1"]),
}

# There for their own sake.
EXTRA = ("rv64_hart", "rv64_board", "rv64_bare", "rv64_full", "rv32_full", "rv32_small", "rv64_sampling_4", "rv64_six",
         "rv64_six_ram", "rv64_ram_pipelined")
EIGHT = 8
PAIRS_OF_EIGHT = 831  # a search, and event-based branches in two of them


def buildable(values):
    """The Andes view needs overflow flags and all filters, event-based branches flags and delegation."""
    flags = values.get("overflow, filters", "1 1")
    if values.get("event-based branches") == "1" and (flags[0] == "0" or values.get("indirect access", "1 1") != "1 1"):
        return False
    return values.get("Andes view", "0 0 1").startswith("0") or flags == "1 1"


def read(path):
    """Names of the configurations for `make test`, and of each one: value by dimension."""
    defaults, quick, rows = {}, [], {}
    for line in path:
        words = line.split("#")[0].split()
        if not words:
            continue
        if words[0] == "defaults":
            defaults = dict(word.split("=") for word in words[1:])
            continue
        given = dict(word.split("=") for word in words[2:])
        if set(given) - set(defaults):
            sys.exit(f"{words[1]}: no parameters: {' '.join(set(given) - set(defaults))}")
        parameters = defaults | given
        rows[words[1]] = {name: " ".join(parameters[key] for key in keys) for name, (keys, _) in DIMENSIONS.items()}
        for name, (_, values) in DIMENSIONS.items():
            if rows[words[1]][name] not in values:
                sys.exit(f"{words[1]}: {name}: {rows[words[1]][name]} is no value of the dimension")
        if words[0] == "test":
            quick.append(words[1])
    return quick, rows


def pairs_of(row):
    return {((a, row[a]), (b, row[b])) for a, b in itertools.combinations(DIMENSIONS, 2)}


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        quick, rows = read(file)
    wanted = {((a, x), (b, y)) for a, b in itertools.combinations(DIMENSIONS, 2)
              for x in DIMENSIONS[a][1] for y in DIMENSIONS[b][1] if buildable({a: x, b: y})}
    missing = wanted - set().union(*(pairs_of(row) for row in rows.values()))
    eight = [rows[name] for name in quick if name not in EXTRA]
    covered = len(set().union(*(pairs_of(row) for row in eight)))
    values = [(name, value) for name, (_, values) in DIMENSIONS.items() for value in values]
    absent = [pair for pair in values if not any(row[pair[0]] == pair[1] for row in eight)]

    print(f"{len(rows)} configurations: {len(wanted) - len(missing)} of {len(wanted)} pairs")
    print(f"{len(eight)} of them in `make test`: {covered} pairs, {len(values) - len(absent)} of {len(values)} values")
    for (a, x), (b, y) in sorted(missing):
        print(f"  not there: {a} {x} with {b} {y}")
    for name, value in absent:
        print(f"  not in `make test`: {name} {value}")
    good = not missing and not absent and len(eight) == EIGHT and covered >= PAIRS_OF_EIGHT
    return 0 if good and all(buildable(row) for row in rows.values()) else 1


if __name__ == "__main__":
    sys.exit(main())
