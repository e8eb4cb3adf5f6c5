#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Mutants of the unit: would the tests see it if rtl/pmu were wrong?

    scripts/mutants.py --build DIR [--config NAME...] [--mutants N] [--seed N] [--cycles N] [--jobs N] [--least PERCENT]

Yosys `mutate` makes one-bit errors all over rtl/pmu. All mutants of a configuration are in one netlist, chosen by an
input, so that one simulator runs them all, each in random lockstep with the golden model (tests/pmu) until the first
difference. For those that nothing saw in a short run, Yosys `sat` tries to prove that they behave as the unit does; for
the rest the run goes on to --cycles with other seeds. A mutant is

    killed      the suite saw it
    equivalent  proved: with equal registers, outputs and next registers are equal, whatever the inputs (what the host
                promises about them is assumed, see HOST). A register bit that differs may be left out of "equal" if
                the outputs do not depend on it
    alive       neither

What it found is in DIR/mutants/CONFIG/result.json. Exit status 0 if at least --least percent of the mutants that are
not equivalent were killed, 1 if not, 2 for a wrong call.
"""

import argparse
import concurrent.futures
import json
import os
import pathlib
import re
import shlex
import statistics
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
TOP = "tally_pmu"

# Small enough to be quick; together they have every feature on and off.
CONFIGS = {
    "rv64": "HPM_N=6",
    "rv32_l2_lazy_hyp_andes":
        "XLEN=32 HPM_N=6 HPM_W=48 RETIRE_W=2 DECODE_W=2 EVC_W=2 HYP=1 ANDES=1 ANDES_SILICON=1 LAZY=1",
    "rv64_l2_hyp_andes": "HPM_N=5 HPM_W=32 RETIRE_W=2 DECODE_W=1 EVC_W=1 HYP=1 ANDES=1",
    "rv64_lazy": "HPM_N=6 DECODE_W=2 LAZY=1",
}

QUICK_CYCLES = 20_000
SANE_CYCLES = 200_000  # the netlist without a mutant must agree for so long
LONG_SEEDS = 4         # the long run is cut into so many, each with a seed of its own
SAT_SECONDS = 60
WEAKENINGS = 12        # rounds in which differing registers are left out of "equal"

# What every host promises (docs/pmu.md, tally_pmu.v), as Verilog over the ports of the unit.
HOST = """
  always @* begin
    assume (csr_priv_i != 2'd2);                          // no such mode
    assume (mode_priv_i != 2'd2);
    assume (!(csr_valid_i & mode_halted_i));              // nothing retires while the clock is halted
    assume (!(csr_valid_i & gold_ret_max_o == 4'd0));     // ... nor when the unit forbids it
    assume (ev_cycle_i[0] == !mode_halted_i);             // the cycle event
  end
"""


def fail(text):
    print(f"mutants: {text}", file=sys.stderr)
    sys.exit(1)


def run(command, log, **kwargs):
    """A command whose output goes into the file `log`; it must succeed."""
    with open(log, "w", encoding="utf-8") as file:
        done = subprocess.run([str(word) for word in command], stdout=file, stderr=subprocess.STDOUT, check=False,
                              **kwargs)
    if done.returncode:
        tail = "\n".join(pathlib.Path(log).read_text(encoding="utf-8", errors="replace").split("\n")[-15:])
        fail(f"{command[0]} failed, see {log}:\n{tail}")


class Mutant:
    """One line of `mutate -list`."""

    def __init__(self, number, line):
        self.number = number
        self.line = line
        words = shlex.split(line.replace("\\", "\\\\"))
        self.mode = words[words.index("-mode") + 1]
        sources = [words[i + 1] for i, word in enumerate(words) if word == "-src"]
        self.port = self.word(words, "-port")
        self.bit = self.word(words, "-portbit")
        self.wire = self.word(words, "-wire")
        self.where = self.location(sources)
        self.verdict = "alive"
        self.how = ""

    @staticmethod
    def word(words, key):
        return words[words.index(key) + 1] if key in words else ""

    @staticmethod
    def location(sources):
        """The source that says most: the last one that is a place in a file."""
        places = [s for s in sources if ":0.0" not in s]
        inner = [s for s in places if not s.rsplit("/", 1)[-1].startswith(TOP + ".v")]
        return (inner or places or sources or ["?"])[-1].rsplit("/", 1)[-1]

    def on(self, module):
        """The command that makes this mutant in a module, for good."""
        line = re.sub(r"-ctrl \S+ \S+ \S+ ", "", self.line)
        return line.replace(f"-module {TOP} ", f"-module {module} ")

    def describe(self):
        wire = f" ({self.wire})" if self.wire else ""
        return f"{self.where}: {self.mode} at {self.port}[{self.bit}]{wire}"


class Campaign:
    """The mutants of one configuration."""

    def __init__(self, args, name):
        self.args = args
        self.name = name
        self.dir = args.build / "mutants" / name
        self.dir.mkdir(parents=True, exist_ok=True)
        self.generated = args.build / "generated"
        self.params = dict(word.split("=") for word in
                           (args.build / "tests/pmu/defaults.txt").read_text(encoding="utf-8").split())
        self.params.update(word.split("=") for word in CONFIGS[name].split())
        self.mutants = []
        self.lines = []

    def say(self, text):
        print(f"{self.name}: {text}", flush=True)

    # ---- netlists

    def yosys(self, name, script):
        path = self.dir / f"{name}.ys"
        path.write_text(script, encoding="utf-8")
        run(["yosys", "-q", "-T", path], self.dir / f"{name}.log", cwd=self.dir)

    def prepare(self):
        """flat.il: the unit as one module of word-level cells, its registers named; list.txt: the mutants."""
        includes = " ".join(f"-I{path}" for path in (self.generated / "includes.f").read_text().split())
        sources = (self.generated / "pmu.f").read_text().replace("\n", " ")
        params = " ".join(f"-chparam {key} {value}" for key, value in self.params.items())
        # What is dead or constant in this configuration is no place for a mutant.
        self.yosys("flatten", f"read_verilog {includes} {sources}\nhierarchy -check -top {TOP} {params}\n"
                              "proc\nflatten\nmemory\nopt -full -nodffe -nosdff\nopt_clean -purge\n"
                              "write_json raw.json\n")
        self.name_registers()
        digits = len(bin(self.args.mutants))
        self.yosys("list", f"read_json flat.json\nwrite_rtlil flat.il\nmutate -list {self.args.mutants} "
                           f"-seed {self.args.seed} -ctrl mutant_i {digits} 1 -o list.txt\n")
        lines = (self.dir / "list.txt").read_text(encoding="utf-8").split("\n")
        self.mutants = [Mutant(i + 1, line) for i, line in enumerate(line for line in lines if line)]
        # Vectors that are put together from several cells look like loops to Verilator, which then evaluates them
        # wrongly (5.006), so every net gets one driver.
        self.yosys("mutate", "read_rtlil flat.il\nscript list.txt\nopt_clean -purge\nsplitnets -driver\n"
                             "write_verilog -noattr mutated.v\n")

    def name_registers(self):
        """Give every flip-flop the name of the register that it is."""
        design = json.loads((self.dir / "raw.json").read_text(encoding="utf-8"))
        design["modules"] = {TOP: design["modules"][TOP]}
        module = design["modules"][TOP]
        names = {}
        for name, net in module["netnames"].items():
            if not net.get("hide_name"):
                for bit in net["bits"]:
                    names.setdefault(bit, name)
        self.registers = {}
        cells = {}
        for name, cell in module["cells"].items():
            if cell["type"].startswith("$") and "dff" in cell["type"]:
                if cell["type"] != "$dff":
                    fail(f"{self.name}: a register of the kind {cell['type']}")
                wire = names.get(cell["connections"]["Q"][0], name)
                name = "ff_" + re.sub(r"\W", "_", wire)
                while name in cells:
                    name += "_"
                self.registers[name] = (wire, cell["connections"]["Q"])
                cell["hide_name"] = 0
            cells[name] = cell
        module["cells"] = cells
        self.ports = module["ports"]
        (self.dir / "flat.json").write_text(json.dumps(design), encoding="utf-8")

    # ---- simulation

    def build(self):
        """The simulator of all mutants: the bench of tests/pmu around mutated.v."""
        defines = [f"-DPMU_{key}={value}" for key, value in self.params.items()]
        includes = [f"-I{ROOT}/tests/pmu", f"-I{ROOT}/tb/golden", f"-I{self.generated}"]
        flags = ["-std=c++17", "-DPMU_MUTANTS", f'-DPMU_NAME=\\"{self.name}\\"'] + includes + defines
        command = ["verilator", "--cc", "--exe", "-O3", "--x-assign", "fast", "--x-initial", "fast", "--noassert"]
        command += ["-Wno-lint", "-Wno-fatal", "--top-module", TOP, "-Mdir", self.dir / "obj", "-o", "mutants"]
        command += ["-CFLAGS", " ".join(flags), self.dir / "mutated.v", ROOT / "tests/pmu/lockstep.cpp"]
        command += [self.args.build / "tests/pmu/libpmu_bench.a", self.args.build / "tb/golden/libtally_golden_pmu.a"]
        run(command, self.dir / "verilator.log")
        if "UNOPTFLAT" in (self.dir / "verilator.log").read_text(encoding="utf-8"):
            fail(f"{self.name}: Verilator sees a combinational loop, see {self.dir}/verilator.log")
        run(["make", "-C", self.dir / "obj", "-f", f"V{TOP}.mk", "OPT_FAST=-O1", "OPT_GLOBAL=-O1"],
            self.dir / "make.log")

    def simulate(self, mutants, cycles, seed):
        """Run them; the verdict of those that are seen changes."""
        by_number = {mutant.number: mutant for mutant in mutants}
        command = [str(self.dir / "obj/mutants"), "--mutants", "--cycles", str(cycles), "--seed", str(seed)]
        done = subprocess.run(command, input="\n".join(map(str, by_number)), text=True, stdout=subprocess.PIPE,
                              check=False)
        answers = [line.split(" ", 2) for line in done.stdout.split("\n") if line]
        if done.returncode or len(answers) != len(mutants):
            fail(f"{self.name}: {shlex.join(command)} ended with {done.returncode} after {len(answers)} mutants")
        for number, cycle, *what in answers:
            if cycle != "alive":
                mutant = by_number[int(number)]
                mutant.verdict, mutant.how = "killed", f"seed {seed}, cycle {cycle}: {what[0]}"
                mutant.cycle = int(cycle)

    def alive(self):
        return [mutant for mutant in self.mutants if mutant.verdict == "alive"]

    # ---- proofs

    def prepare_proofs(self):
        """proof.il: the unit twice, as `gold` and `gate`; registers are inputs (Q) and outputs (D) of gold, and
        instances of black boxes in gate, to be turned into the same once the mutant is in."""
        design = json.loads((self.dir / "flat.json").read_text(encoding="utf-8"))
        boxes = ""
        for width in {len(bits) for _, bits in self.registers.values()}:
            boxes += (f"(* blackbox *) module cut{width}(input CLK, input [{width - 1}:0] D, "
                      f"output [{width - 1}:0] Q); endmodule\n")
        for register, (_, bits) in self.registers.items():
            cell = design["modules"][TOP]["cells"][register]
            cell["type"], cell["parameters"] = f"cut{len(bits)}", {}
        (self.dir / "cut.json").write_text(json.dumps(design), encoding="utf-8")
        (self.dir / "boxes.v").write_text(boxes, encoding="utf-8")
        self.yosys("proof", f"read_verilog boxes.v\nread_json cut.json\nrename {TOP} gold\ncopy gold gate\n"
                            "expose -evert -dff -sep _ gold\nwrite_rtlil proof.il\n")

    def miter(self, free):
        """Verilog: gold and gate side by side. `free`: register -> bits that need not be equal."""
        declare, gold, gate, differ = [], [], [], []
        for name, port in self.ports.items():
            width = f"[{len(port['bits']) - 1}:0]"
            if port["direction"] == "input":
                declare.append(f"input {width} {name}")
                gold.append(f".{name}({name})")
                gate.append(f".{name}({name})")
            else:
                declare.append(f"output {width} gold_{name}, output {width} gate_{name}")
                gold.append(f".{name}(gold_{name})")
                gate.append(f".{name}(gate_{name})")
                # With LAZY=1 what is read counts only in the cycle of the access.
                care = "{XLEN{csr_valid_i}} & " if name == "csr_rdata_o" and self.params["LAZY"] == "1" else ""
                care = care.replace("XLEN", self.params["XLEN"])
                differ.append((f"out_{name}", width, f"{care}(gold_{name} ^ gate_{name})"))
        for name, (_, bits) in self.registers.items():
            width = f"[{len(bits) - 1}:0]"
            mask = f"{len(bits)}'h{sum(1 << bit for bit in free.get(name, ())):x}"
            declare.append(f"input {width} {name}_Q, output {width} {name}_Dg, output {width} {name}_Dh")
            gold.append(f".{name}_Q({name}_Q), .{name}_D({name}_Dg)")
            gate.append(f".{name}_D({name}_Dh)")
            if name in free:
                declare.append(f"input {width} {name}_F")
                gate.append(f".{name}_Q(({name}_Q & ~{mask}) | ({name}_F & {mask}))")
                differ.append((f"reg_{name}", width, f"({name}_Dg ^ {name}_Dh) & ~{mask}"))
            else:
                gate.append(f".{name}_Q({name}_Q)")
                differ.append((f"reg_{name}", width, f"{name}_Dg ^ {name}_Dh"))
        text = f"module miter(output trigger, {', '.join(declare)}"
        text += "".join(f", output {width} {name}" for name, width, _ in differ) + ");\n"
        text += f"  gold g({', '.join(gold)});\n  gate h({', '.join(gate)});\n"
        text += "".join(f"  assign {name} = {value};\n" for name, _, value in differ)
        text += "  assign trigger = |{" + ", ".join(name for name, _, _ in differ) + "};\n" + HOST
        return text + "endmodule\n"

    def sat(self, mutants, free, name):
        """One Yosys for several mutants with the same miter. -> {mutant: None if proved, else what differs, or {}}"""
        (self.dir / f"{name}.v").write_text(self.miter(free), encoding="utf-8")
        script = f"read_rtlil proof.il\nread_verilog -formal {name}.v\ndesign -save base\n"
        for mutant in mutants:
            script += f"log ==== {mutant.number}\ndesign -load base\n{mutant.on('gate')}\n"
            script += "expose -evert -dff -sep _ gate\nhierarchy -check -top miter\nproc\nflatten\n"
            script += "opt_expr\nopt_merge\nopt_clean\nopt_expr\nopt_merge\nopt_clean -purge\n"
            script += f"sat -timeout {SAT_SECONDS} -set-assumes -prove trigger 0 -show-outputs miter\n"
        path = self.dir / f"{name}.ys"
        path.write_text(script, encoding="utf-8")
        run(["yosys", "-l", self.dir / f"{name}.txt", "-T", path], self.dir / f"{name}.log", cwd=self.dir)
        answers = {}
        text = (self.dir / f"{name}.txt").read_text(encoding="utf-8", errors="replace")
        for part in re.split(r"^(?:==== |.*?log ==== )", text, flags=re.M)[1:]:
            number = re.match(r"\d+", part)
            if not number:
                continue
            mutant = next(m for m in mutants if m.number == int(number.group()))
            if "no model found: SUCCESS" in part:
                answers[mutant] = None
            elif "model found: FAIL" in part:
                rows = re.findall(r"^\s+\\(reg_|out_)(\S+)\s+\S+\s+\S+\s+([01x]+)\s*$", part, flags=re.M)
                answers[mutant] = {(kind, wire): value for kind, wire, value in rows if "1" in value}
            else:
                answers.setdefault(mutant, {})
        return answers

    def prove(self, mutants):
        """Change the verdict of those that are proved equivalent."""
        for mutant, answer in self.sat(mutants, {}, "sat").items():
            free = {}
            for _ in range(WEAKENINGS):
                if answer is None or not answer or any(kind == "out_" for kind, _ in answer):
                    break
                for (_, register), value in answer.items():
                    bits = {at for at, digit in enumerate(reversed(value)) if digit == "1"}
                    free[register] = free.get(register, set()) | bits
                answer = self.sat([mutant], free, f"sat_{mutant.number}")[mutant]
            if answer is None:
                mutant.verdict = "equivalent"
                mutant.how = "sat, one step" + (f", not compared: {', '.join(sorted(free))}" if free else "")
            else:
                mutant.how = "differs in " + ", ".join(sorted(wire for _, wire in answer)) if answer else "no answer"

    # ---- all of it

    def go(self):
        self.prepare()
        self.build()
        nobody = Mutant(0, "mutate -mode none")
        self.simulate([nobody], SANE_CYCLES, 1)
        if nobody.verdict != "alive":
            fail(f"{self.name}: the netlist without a mutant differs from the golden model: {nobody.how}")
        self.simulate(self.mutants, QUICK_CYCLES, self.args.traffic_seed)
        self.say(f"{len(self.mutants)} mutants, {len(self.alive())} alive after {QUICK_CYCLES} cycles")
        self.prepare_proofs()
        self.prove(self.alive())
        self.say(f"{len(self.alive())} of them not equivalent")
        for seed in range(1, LONG_SEEDS + 1):
            self.simulate(self.alive(), self.args.cycles // LONG_SEEDS, self.args.traffic_seed + seed)
        self.report()
        return self

    def report(self):
        keys = ("number", "verdict", "how", "where", "mode", "port", "bit", "wire", "line")
        rows = [{key: getattr(mutant, key) for key in keys} for mutant in self.mutants]
        (self.dir / "result.json").write_text(json.dumps(rows, indent=1), encoding="utf-8")
        for mutant in self.alive():
            self.say(f"alive: {mutant.number} {mutant.describe()}; {mutant.how}")


def table(campaigns):
    """Print it; -> percent killed of those that are not equivalent."""
    heads = ("mutants", "killed", "equivalent", "alive", "score", "median")
    print(f"\n{'configuration':24}" + "".join(f"{head:>11}" for head in heads))
    everything = [mutant for c in campaigns for mutant in c.mutants]
    for name, mutants in [(c.name, c.mutants) for c in campaigns] + [("all", everything)]:
        killed, equivalent, alive = (sum(m.verdict == v for m in mutants) for v in ("killed", "equivalent", "alive"))
        score = 100.0 * killed / max(1, killed + alive)
        median = statistics.median_low([m.cycle for m in mutants if m.verdict == "killed"] or [0])
        print(f"{name:24}{len(mutants):11}{killed:11}{equivalent:11}{alive:11}{score:10.1f}%{median:11}")
    print("score: killed of those that are not equivalent; median: cycles until a killed one was seen")
    return score


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=pathlib.Path, required=True)
    parser.add_argument("--config", action="append", choices=sorted(CONFIGS), help="default: all")
    parser.add_argument("--mutants", type=int, default=400, help="in each configuration")
    parser.add_argument("--seed", type=int, default=1, help="of the choice of mutants")
    parser.add_argument("--traffic-seed", type=int, default=1)
    parser.add_argument("--cycles", type=int, default=1_000_000, help="of the long run")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--least", type=float, default=98.0)
    args = parser.parse_args()
    args.build = args.build.resolve()
    os.nice(10)
    print(f"mutants: --seed {args.seed} --traffic-seed {args.traffic_seed} --mutants {args.mutants} "
          f"--cycles {args.cycles}", flush=True)
    with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
        campaigns = list(pool.map(lambda name: Campaign(args, name).go(), args.config or CONFIGS))
    return 0 if table(campaigns) >= args.least else 1


if __name__ == "__main__":
    sys.exit(main())
