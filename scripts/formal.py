#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Prove the properties of rtl/pmu, of rtl/adapt and of the reference hart's PMP.

    scripts/formal.py --build DIR [options] [PROOF...]

A proof is one configuration of tests/formal/proofs.yaml; the default is all. Each is proved by Yosys and yosys-smtbmc
with k-induction: the base case (no property fails in the first cycles after reset) and the step. Then the condition of
each property is shown to be reachable, so that no property holds vacuously.

  --bound       the bounded form: base case and step, no reachability
  --reached     instead: what proofs have reached that were run one by one: every property must happen in one of them
  --fits        only check that the proofs fit the RTL: ports, names of registers, lines that mutations change
  --mutants     instead: break the RTL by each entry of tests/formal/mutations.yaml; its property must fail
  --only NAME   with --mutants: only the mutations for this property; more than once for several
  --trace FILE  write the trace of a failure as VCD
  --jobs N      solvers at a time

A table of the proofs with engines and times is printed; that of all is written to DIR/formal/report.md. Exit status 1
if anything fails, 2 for a wrong call.
"""

import argparse
import concurrent.futures
import functools
import json
import os
import pathlib
import re
import subprocess
import sys
import time

import yaml

ROOT = pathlib.Path(__file__).resolve().parent.parent
FOLDER = ROOT / "tests" / "formal"
SOLVER = "yices"
# Proofs of parts other than the unit
OTHERS = [ROOT / name for name in (
    "rtl/hart/commit/tally_pmp_registers.v", "rtl/hart/memory/tally_pmp.v", "rtl/adapt/tally_pmu_bus.v",
    "rtl/adapt/tally_bus_axil.v", "rtl/adapt/tally_bus_wb.v", "rtl/adapt/tally_bus_apb.v", "rtl/adapt/tally_records.v",
    "rtl/adapt/tally_records_axil.v", "rtl/adapt/tally_records_wb.v", "rtl/adapt/tally_records_apb.v")]
# Yosys' message about small arrays of registers, which are meant to become registers.
HARMLESS = re.compile("Replacing memory .* with list of registers")

# How the events that the unit makes by itself count (spec/events.yaml, `internal`). Those of precise sampling never
# happen: it is not in this build.
INTERNAL = {
    "BUS_CYC": "64'd1",
    "REF_CYC": "mode_halted ? 64'd0 : 64'd1",
    "SLOTS": "mode_halted ? 64'd0 : DECODE_W",
    "DEC_INST": "formal_decoded(8'hFF)",
    "DEC_BRJMP": "formal_decoded(8'h10)",
    "DEC_LOAD": "formal_decoded(8'h0A)",
    "DEC_STORE": "formal_decoded(8'h0C)",
    "DEC_LDST": "formal_decoded(8'h0E)",
    "SOFTWARE": "software & ~mode_halted ? 64'd1 : 64'd0",
    "EBB_BRANCH": "mode_halted ? 64'd0 : {63'd0, ebb_events[1]}",
    "EBB_UNHEARD": "mode_halted ? 64'd0 : {63'd0, ebb_events[0]}",
    **{f"PDIS_{what}": "64'd0" for what in ("SAMPLE", "COLLISION", "FILTERED", "DROPPED", "INHIBITED")},
}


def function(head, declarations, cases, default):
    """A Verilog function that is one case statement over its first argument."""
    name = head.split()[-1]
    lines = [f"function {head};", *(f"  {line}" for line in declarations), "  case (sel)"]
    lines += [f"    {label}: {name} = {value};" for label, value in cases]
    return "\n".join([*lines, f"    default: {name} = {default};", "  endcase", "endfunction", ""])


def events_text(spec):
    """The count of each selector in a cycle, as Verilog functions, straight from spec/events.yaml."""
    retire = [wire["name"] for wire in spec["wires"]["retire"]]
    cycle = [wire["name"] for wire in spec["wires"]["cycle"]]

    def any_of(names):
        return "(" + " | ".join(f"lane[{retire.index(name)}]" for name in names) + ")"

    codes, indices, lanes, counts, of_retire = [("56'd0", "1'b1")], [], [], [], []
    for event in spec["events"]:
        code = f"56'h{event['code']:x}"
        codes.append((code, "1'b1"))
        indices.append((f"8'd{event['index']}", code))
        if event["kind"] == "retire":
            term = any_of(event["from"])
            term += f" & {any_of(event['when'])}" if "when" in event else ""
            term += f" & ~{any_of(event['unless'])}" if "unless" in event else ""
            lanes.append((code, term))
            of_retire.append((code, "1'b1"))
        elif event["kind"] == "cycle":
            field = f"ev_cycle[{cycle.index(event['from'][0])}*EVC_W +: EVC_W]"
            counts.append((code, f"mode_halted ? 64'd0 : {field}"))
        else:
            counts.append((code, INTERNAL[event["from"][0]]))
    return "\n".join([
        "// Made by scripts/formal.py from spec/events.yaml.",
        "// Instructions whose type is in the set, of those whose decoding counts in this cycle.",
        "function [63:0] formal_decoded;",
        "  input [7:0] types;",
        "  integer d;",
        "  begin",
        "    formal_decoded = 64'd0;",
        "    for (d = 0; d < DECODE_W; d = d + 1)",
        "      if (decoded[d] & ~mode_halted & types[decoded_type[d*3 +: 3]])",
        "        formal_decoded = formal_decoded + 64'd1;",
        "  end",
        "endfunction",
        "// A selector of the list.",
        function("formal_legal", ["input [55:0] sel;"], codes, "1'b0"),
        "// ... that is a retire event's.",
        function("formal_is_retire", ["input [55:0] sel;"], of_retire, "1'b0"),
        "// The selector of an index; 0 if there is none.",
        function("[55:0] formal_selector", ["input [7:0] sel;"], indices, "56'd0"),
        "// An instruction with these wires has the retire event.",
        function("formal_has", ["input [55:0] sel;", "input [`TALLY_EVR_N-1:0] lane;"], lanes, "1'b0"),
        "// The count of a cycle or internal event in this cycle.",
        function("[63:0] formal_counts", ["input [55:0] sel;"], counts, "64'd0"),
    ])


class Failure(Exception):
    pass


def yosys(script):
    run = subprocess.run(["yosys", "-q", "-p", "; ".join(script)], text=True, check=False,
                         stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    said = [line for line in run.stdout.split("\n") if line and not HARMLESS.search(line)]
    if run.returncode or said:
        raise Failure("yosys:\n" + "\n".join(said))


def design_sources(args):
    return [pathlib.Path(name) for name in (args.build / "generated" / "pmu.f").read_text().split()] + OTHERS


def read_design(args, rtl=None):
    """Yosys' command that reads the design, or a copy of it, and the proofs."""
    generated = args.build / "generated"
    sources = design_sources(args)
    if rtl:
        sources = [rtl / name.name for name in sources]
    return (f"read_verilog -formal -DFORMAL -I{generated} -I{ROOT / 'rtl/pmu'} -I{ROOT / 'rtl/prim'} -I{FOLDER} "
            f"-I{args.build / 'formal'} "
            + " ".join(str(name) for name in [*sources, *sorted(FOLDER.glob("*.v"))]))


class Proof:
    """One configuration, and the folder of its files."""

    def __init__(self, entry, args):
        self.name = entry["name"]
        self.params = entry.get("params", {})
        self.top = entry.get("top", "pmu_formal")
        self.depth = entry.get("k", 1)
        self.reach = entry.get("reach", 6)
        self.args = args
        self.folder = args.build / "formal" / self.name
        self.folder.mkdir(parents=True, exist_ok=True)
        self.kept = self.folder / "reached.json"  # of its last search for reachable conditions

    def hierarchy(self):
        params = " ".join(f"-chparam {key} {value}" for key, value in self.params.items())
        return f"hierarchy -check -top {self.top} {params}"

    def model(self, keep, rtl=None, only=None):
        """Write the SMT-LIB model with the `assert` or the `cover` statements; return its path and its properties."""
        path = self.folder / f"{keep}{'-' + rtl.name if rtl else ''}.smt2"
        script = [
            read_design(self.args, rtl),
            self.hierarchy(),
            # A case statement must not become a memory: its contents would be free in the step of induction.
            "setattr -mod -unset keep_hierarchy *; proc -norom",
        ]
        if only:  # first, for there is less to do then
            script.append(f"flatten; chformal -{keep} -remove t:${keep} c:{only}.* c:*.{only} %u %d; opt_clean")
        script += [f"prep -flatten -top {self.top}", f"chformal -{'cover' if keep == 'assert' else 'assert'} -remove",
                   "opt_clean", f"write_smt2 -wires {path}"]
        yosys(script)
        statements = re.findall(rf"^; yosys-smt2-{keep} \d+ (\S+)", path.read_text(encoding="utf-8"), re.M)
        if not statements:
            raise Failure(f"no {keep} statement")
        return path, {re.sub(r"\.(claim|reach)$", "", name) for name in statements}

    def solve(self, model, *options):
        """Run the solver; return its result, its output, and the seconds."""
        options = [*options, "--dump-vcd", self.args.trace] if self.args.trace else options
        command = ["yosys-smtbmc", "-s", SOLVER, *map(str, options), str(model)]
        start = time.monotonic()
        # yices comes with the Python environment
        path = f"{pathlib.Path(sys.executable).parent}:{os.environ['PATH']}"
        run = subprocess.run(command, text=True, check=False, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                             env={**os.environ, "PATH": path})
        lines = [line for line in re.split(r"[\r\b\n]+", run.stdout) if line.startswith("##")]
        if not any("Status:" in line for line in lines):
            raise Failure(f"{SOLVER} gave up:\n{run.stdout[-2000:]}")
        return run.returncode == 0, "\n".join(lines), time.monotonic() - start

    def prove(self):
        """Base case, step, and reachability: results for the table."""
        self.kept.unlink(missing_ok=True)
        model, claims = self.model("assert")
        step_ok, said, step_time = self.solve(model, "-i", "-t", self.depth)
        if not step_ok:
            raise Failure(f"the step of induction fails:\n{said}")
        base_ok, said, base_time = self.solve(model, "-t", self.depth + 1)
        if not base_ok:
            raise Failure(f"the base case fails:\n{said}")
        reached, reach_time = None, None
        if self.reach and not self.args.bound:
            model, points = self.model("cover")
            _, said, reach_time = self.solve(model, "-c", "-t", self.reach)
            reached = {re.sub(r"\.reach$", "", name)
                       for name in re.findall(r"Reached cover statement at (\S+) in step", said)}
            reached = reached & points
            self.kept.write_text(json.dumps({"claims": sorted(claims), "reached": sorted(reached)}), encoding="utf-8")
        return Result(self, claims, reached, step_time, base_time, reach_time)


class Result:
    def __init__(self, proof, claims, reached, step_time, base_time, reach_time):
        self.proof, self.claims, self.reached = proof, claims, reached
        self.step_time, self.base_time, self.reach_time = step_time, base_time, reach_time

    def row(self):
        reached = "-" if self.reached is None else str(len(self.reached))
        times = ["-" if seconds is None else f"{seconds:.0f}"
                 for seconds in (self.step_time, self.base_time, self.reach_time)]
        params = " ".join(f"{key}={value}" for key, value in self.proof.params.items()) or "defaults"
        return (self.proof.name, params, str(len(self.claims)), reached, str(self.proof.depth), *times)


HEAD = ("proof", "parameters", "properties", "reached", "k", "step s", "base s", "reach s")


def print_table(rows):
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    for row in rows:
        print("  ".join(cell.ljust(width) for cell, width in zip(row, widths)).rstrip())


def write_report(path, results):
    """The table, and every property with the words that it is named after and the proofs that reach it."""
    lines = [f"Engine: Yosys and yosys-smtbmc with {SOLVER}, k-induction.", "", f"| {' | '.join(HEAD)} |",
             "|" + "---|" * len(HEAD)]
    lines += [f"| {' | '.join(result.row())} |" for result in results] + [""]
    for name in sorted(set().union(*(result.claims for result in results))):
        where = ", ".join(result.proof.name for result in results if result.reached is None or name in result.reached)
        lines.append(f"- `{name}`: {where or 'local to its module'}")
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")


def prove_all(proofs, args):
    results, wrong = [], []
    with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
        for proof, future in [(proof, pool.submit(proof.prove)) for proof in proofs]:
            try:
                results.append(future.result())
                print(f"{proof.name}: proved", flush=True)
            except Failure as failure:
                wrong.append(proof.name)
                print(f"{proof.name}: FAILED: {failure}", flush=True)
    if results:
        print_table([HEAD, *(result.row() for result in results)])
    # Every property must be able to happen somewhere; of some of the proofs it cannot be said.
    if not args.proof and results:
        write_report(args.build / "formal" / "report.md", results)
    if not (args.bound or args.proof or wrong):
        wrong += check_reached(proofs, args)
    return wrong


def check_reached(proofs, _):
    """Does every property happen in a proof? Each that looks for it has been run."""
    looked = [proof for proof in proofs if proof.reach]
    missing = [proof.name for proof in looked if not proof.kept.exists()]
    if missing:
        print(f"not proved here yet, or only in the bounded form: {', '.join(missing)}")
        return missing
    kept = [json.loads(proof.kept.read_text(encoding="utf-8")) for proof in looked]
    claims, reached = (set().union(*(one[what] for one in kept)) for what in ("claims", "reached"))
    vacuous = sorted(name for name in claims - reached if "." not in name)
    print(f"{len(claims)} properties, {len(looked)} proofs that look: " +
          (f"never happens: {', '.join(vacuous)}" if vacuous else "each happens, but for those of modules"))
    return vacuous


def mutated_sources(mutation, args):
    """The design's texts by name, with the mutation's line changed."""
    texts = {source.name: source.read_text(encoding="utf-8") for source in design_sources(args)}
    found = texts.get(mutation["file"], "").count(mutation["old"])
    if found != 1:
        raise Failure(f"{mutation['file']} has {found} places, not one, with: {mutation['old']}")
    texts[mutation["file"]] = texts[mutation["file"]].replace(mutation["old"], mutation["new"])
    return texts


def kill(mutation, proofs, args):
    """Whether the mutation's property fails within a few cycles of reset; a property of two cycles needs three."""
    proof = proofs[mutation["proof"]]
    rtl = args.build / "formal" / "mutants" / f"{mutation['property']}-{mutation['number']}"
    rtl.mkdir(parents=True, exist_ok=True)
    for name, text in mutated_sources(mutation, args).items():
        (rtl / name).write_text(text, encoding="utf-8")
    model, _ = proof.model("assert", rtl=rtl, only=mutation["property"])
    passed, said, seconds = proof.solve(model, "-t", mutation.get("depth", 6))
    return not passed, said, seconds


def read_mutations():
    """One entry for each property that the mutation must break."""
    return [{**entry, "property": name}
            for entry in yaml.safe_load((FOLDER / "mutations.yaml").read_text(encoding="utf-8"))
            for name in entry["property"].split()]


def check_names(args):
    """Yosys leaves a wire of another module's register without a driver, and says nothing, if the register is gone."""
    known = set(re.findall(r"\w+", "".join(path.read_text(encoding="utf-8") for path in design_sources(args))))
    gone = {f"{path.name}: {name}" for path in FOLDER.glob("*.v")
            for name in re.findall(r"\\(\w+\.\S+)", path.read_text(encoding="utf-8"))
            if not set(re.findall(r"[a-zA-Z_]\w*", name)[1:]) <= known}
    if gone:
        raise Failure(f"the design has no such name: {', '.join(sorted(gone))}")


def check_fit(proofs, args):
    """Whether the proofs fit the modules under them, and whether each mutation finds its line. Of each top one proof is
    looked at, with counters as registers and in a RAM, which have other names."""
    elaborate = [read_design(args), "design -save read"]
    forms = {(proof.top, proof.params.get("COUNTER_RAM")): proof for proof in reversed(proofs)}
    for proof in forms.values():
        elaborate += ["design -load read", proof.hierarchy()]
    checks = [("proofs", functools.partial(yosys, elaborate)), ("names", functools.partial(check_names, args))]
    checks += [(mutation["property"], functools.partial(mutated_sources, mutation, args))
               for mutation in read_mutations()]
    wrong = []
    for name, check in checks:
        try:
            check()
        except Failure as failure:
            wrong.append(name)
            print(f"{name}: FAILED: {failure}")
    print(f"{len(forms)} of {len(proofs)} proofs, all names and {len(checks) - 2} mutations: "
          f"{'some do not' if wrong else 'all do'} fit")
    return wrong


def kill_all(proofs, args):
    wrong = []
    mutations = read_mutations()
    for number, mutation in enumerate(mutations):
        mutation["number"] = number
    if args.only:
        mutations = [mutation for mutation in mutations if mutation["property"] in args.only]
    proofs = {proof.name: proof for proof in proofs}
    with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
        for mutation, future in [(m, pool.submit(kill, m, proofs, args)) for m in mutations]:
            try:
                dead, said, seconds = future.result()
                text = f"fails in {seconds:.0f} s" if dead else f"HOLDS for broken RTL\n{said}"
            except Failure as failure:
                dead, text = False, f"FAILED: {failure}"
            if not dead:
                wrong.append(mutation["property"])
            print(f"{mutation['property']}: {text}", flush=True)
    print(f"{len(mutations)} mutations, {len(wrong)} survive")
    return wrong


def main(argv):
    parser = argparse.ArgumentParser(description="Prove the properties of the RTL.")
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build", help="configured build directory")
    parser.add_argument("--bound", action="store_true", help="leave out reachability")
    one = parser.add_mutually_exclusive_group()
    one.add_argument("--reached", action="store_true", help="prove nothing; what have the proofs reached?")
    one.add_argument("--fits", action="store_true", help="prove nothing; do the proofs fit the RTL?")
    one.add_argument("--mutants", action="store_true", help="break the RTL; properties must fail")
    parser.add_argument("--only", action="append", help="with --mutants: this property")
    parser.add_argument("--trace", help="VCD file for the trace of a failure")
    parser.add_argument("--jobs", type=int, default=1, help="solvers at a time")
    parser.add_argument("proof", nargs="*", help="names of tests/formal/proofs.yaml")
    args = parser.parse_args(argv)
    args.build = args.build.resolve()
    if not (args.build / "generated" / "pmu.f").exists():
        parser.error(f"{args.build} is not configured")
    entries = yaml.safe_load((FOLDER / "proofs.yaml").read_text(encoding="utf-8"))
    unknown = set(args.proof) - {entry["name"] for entry in entries}
    if unknown:
        parser.error(f"unknown proof {', '.join(sorted(unknown))}")
    if args.proof and (args.mutants or args.fits or args.reached):
        parser.error("--mutants, --fits and --reached are of all proofs")
    if args.only and not args.mutants:
        parser.error("--only needs --mutants")
    unknown = set(args.only or ()) - {mutation["property"] for mutation in read_mutations()}
    if unknown:
        parser.error(f"no mutation is for {', '.join(sorted(unknown))}")
    if args.jobs < 1:
        parser.error("--jobs: at least 1")
    if args.proof:
        entries = [entry for entry in entries if entry["name"] in args.proof]

    folder = args.build / "formal"
    folder.mkdir(exist_ok=True)
    spec = yaml.safe_load((ROOT / "spec" / "events.yaml").read_text(encoding="utf-8"))
    events = folder / "formal_events.vh"
    text = events_text(spec)
    if not events.exists() or events.read_text(encoding="utf-8") != text:  # other proofs may be reading it
        events.write_text(text, encoding="utf-8")
    proofs = [Proof(entry, args) for entry in entries]
    do = check_fit if args.fits else kill_all if args.mutants else check_reached if args.reached else prove_all
    wrong = do(proofs, args)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
