#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Deliberate faults in access rights: the rights oracle must find each of them.

    mutants.py BUILD

Every entry of mutations.yaml gives one assignment of rtl/pmu another right side. All are in one simulator; the number
of the one that holds is in the environment. Exit status 0 if the oracle finds no difference without a fault, and one
with each.
"""

import os
import pathlib
import re
import subprocess
import sys

import yaml

FOLDER = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(FOLDER.parents[2] / "scripts"))

import pmu_bench  # noqa: E402
from pmu_bench import fail  # noqa: E402

# Everything is built, and little of it.
DIFFERS = "HPM_N=3 HYP=1 ANDES=1 PCRANGE=1 SSPESA=1 SMPDIS=1 PDIS_QUEUE=2"
HEADER = """#include <stdlib.h>
static inline int tally_mutant(void) {
    static const int number = atoi(getenv("TALLY_MUTANT"));
    return number;
}
"""


def mutated(text, mutations):
    """The text of a file in which each of its mutations holds while tally_mutant() is its number."""
    for number, mutation in mutations:
        target, old = (r"\s+".join(map(re.escape, mutation[key].split())) for key in ("target", "old"))
        place = re.compile(rf"(\b{target}\s*=\s*){old};")
        if len(place.findall(text)) != 1:
            fail(f"{mutation['file']} has no such assignment, or several: {mutation['target']} = {mutation['old']};")
        text = place.sub(lambda found, n=number, m=mutation:
                         f"{found[1]}$c32(\"tally_mutant()\") == 32'd{n} ? ({m['new']}) : ({m['old']});", text)
    return text


def build(folder, mutations, where):
    defaults, _ = pmu_bench.configurations()
    params = defaults | pmu_bench.parameters(DIFFERS)
    (folder / "mutant.h").write_text(HEADER, encoding="utf-8")
    verilog = []
    for source in (where / "generated/pmu_sim.f").read_text(encoding="utf-8").split():
        mine = [(n, m) for n, m in enumerate(mutations, 1) if m["file"] == pathlib.Path(source).name]
        if mine:
            copy = folder / pathlib.Path(source).name
            copy.write_text(mutated(pathlib.Path(source).read_text(encoding="utf-8"), mine), encoding="utf-8")
            source = copy
        verilog.append(source)
    options = [*pmu_bench.includes(where), "-CFLAGS", f"-include {folder / 'mutant.h'}"]
    options += [f"-G{key}={value}" for key, value in params.items()]
    return pmu_bench.build_bench(where, folder, "mutants", params, verilog, options, bench=pmu_bench.RIGHTS)


def first_difference(bench, number):
    """The number of the access that shows the fault."""
    done = subprocess.run([bench, "--first"], text=True, stdout=subprocess.PIPE, check=False,
                          env=os.environ | {"TALLY_MUTANT": str(number)})
    if "--accesses" not in done.stdout:
        fail(f"{bench} ended with {done.returncode}")
    found = re.search(r"^access (\d+): (.*)", done.stdout, re.MULTILINE)
    return found and (int(found[1]), found[2])


def main():
    if len(sys.argv) != 2:
        print(__doc__, file=sys.stderr)
        return 2
    where = pathlib.Path(sys.argv[1]).resolve()
    folder = where / "tests/pmu/rights_mutants"
    folder.mkdir(parents=True, exist_ok=True)
    mutations = yaml.safe_load((FOLDER / "mutations.yaml").read_text(encoding="utf-8"))
    bench = build(folder, mutations, where)
    if difference := first_difference(bench, 0):
        fail(f"a difference without a fault: access {difference[0]}, {difference[1]}")
    alive = 0
    for number, mutation in enumerate(mutations, 1):
        difference = first_difference(bench, number)
        alive += difference is None
        print(f"{mutation['fault']}: " + (f"access {difference[0]}, {difference[1]}" if difference else "not found"))
    print(f"{len(mutations)} faults, {alive} not found")
    return 1 if alive else 0


if __name__ == "__main__":
    sys.exit(main())
