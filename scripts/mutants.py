#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Mutants of the unit: which injected faults do the tests catch?

    scripts/mutants.py --build DIR [--config NAME]... [--mutants N] [--seed N] [--cycles N] [--search SECONDS]
                       [--jobs N] [--least PERCENT]

Yosys `mutate` makes one-bit errors all over rtl/pmu. All mutants of a configuration are in one netlist, chosen by an
input, so that one simulator runs them all, each in random lockstep with the golden model (tests/pmu) until the first
difference. For those that a short run does not kill, ABC tries to prove that they are equivalent to the unit; the
others run for --cycles with further seeds. The survivors are searched once more, cycle by cycle from reset. A mutant is

    killed      the suite saw a difference
    equivalent  proved: with equal registers, outputs and next registers are equal for any inputs (assumed: the host's
                promises about them, register bits that can never become 1, and that counters have
                events of the list). A register bit that differs may be left out of "equal" if the outputs do not
                depend on it, or do not as long as it means nothing (Campaign.meaning). Or: no traffic of a host that
                keeps its promises shows it, from reset on (registers that reset leaves alone being 0)
    alive       neither; with the length of traffic that shows it, if any was found

Results: DIR/mutants/CONFIG/result.json. Exit status 0 if at least --least percent of the mutants that are
not equivalent were killed, 1 if not, 2 for a wrong call.
"""

import argparse
import concurrent.futures
import json
import pathlib
import re
import shlex
import statistics
import subprocess
import sys

import aig
import pmu_bench
import spec_read
from pmu_bench import TOP, fail

# Small enough to be quick; together they have every feature on and off.
CONFIGS = {
    "rv64": "HPM_N=6",
    "rv32_l2_ram_hyp_andes":
        "XLEN=32 HPM_N=6 HPM_W=48 RETIRE_W=2 DECODE_W=2 EVC_W=2 HYP=1 ANDES=1 ANDES_SILICON=1 COUNTER_RAM=1",
    "rv64_l2_hyp_andes": "HPM_N=5 HPM_W=32 RETIRE_W=2 HYP=1 ANDES=1",
    "rv64_ram_comb_pcrange": "HPM_N=6 DECODE_W=2 COMB_N=2 PCRANGE=1 COUNTER_RAM=1 CSR_PIPELINE=1",
    "rv32_l2_comb_pcrange": "XLEN=32 HPM_N=4 RETIRE_W=2 COMB_N=2 PCRANGE=1",
    "rv64_sampling": "HPM_N=2 HPM_W=32 RETIRE_W=2 DECODE_W=2 HYP=1 SSPESA=1 SMPDIS=1 PDIS_QUEUE=2",
    "rv32_sampling": "XLEN=32 HPM_N=2 HPM_W=32 SSPESA=1 SPESA_NEXT=1 SMPDIS=1 PDIS_QUEUE=4",
    "rv64_branches": "HPM_N=3 HPM_W=32 RETIRE_W=2 HYP=1 SSPESA=1 EBB=1",
    "rv32_branches": "XLEN=32 HPM_N=4 HPM_W=40 CSR_PIPELINE=1 EBB=1",
}
# The modules of precise sampling. In configurations that have it mutants are made there alone: the rest of the unit is
# in the others.
SAMPLING = " ".join(f"a:src=*tally_pmu_{name}*" for name in ("attribution", "retire_limit", "pdis", "buffer"))
# ... likewise of event-based branches, and the drivers of their wires elsewhere.
BRANCHES = "a:src=*tally_pmu_ebb* c:*g_ebb* w:*ebb* %ci1:-$mem_v2"

QUICK_CYCLES = 20_000
SANE_CYCLES = 200_000  # the netlist without a mutant must agree for so long
LONG_SEEDS = 4         # the long run is cut into so many, each with a seed of its own
PROOF_SECONDS = 60     # of processor time
WEAKENINGS = 12        # rounds in which differing registers are left out of "equal"

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
        self.params = pmu_bench.configurations()[0] | pmu_bench.parameters(CONFIGS[name])
        self.mutants = []

    def say(self, text):
        print(f"{self.name}: {text}", flush=True)

    # ---- netlists

    def yosys(self, name, script):
        path = self.dir / f"{name}.ys"
        path.write_text(script, encoding="utf-8")
        pmu_bench.run(["yosys", "-q", "-T", path], self.dir / f"{name}.log", cwd=self.dir)

    def prepare(self):
        """flat.il: the unit as one module of word-level cells, its registers named; list.txt: the mutants."""
        includes = " ".join(pmu_bench.includes(self.args.build))
        sources = " ".join(pmu_bench.sources(self.args.build))
        params = " ".join(f"-chparam {key} {value}" for key, value in self.params.items())
        # Memories stay whole: faults are in their inputs and outputs, which are ports of other cells.
        # Dead or constant logic of this configuration gets no mutants. Vectors that are put together from
        # several cells look like loops to Verilator, which then evaluates them wrongly (5.006): every net gets one
        # driver, and outputs that are read inside get a buffer.
        digits = len(bin(self.args.mutants))
        where = SAMPLING if self.params["SMPDIS"] == "1" else BRANCHES if self.params["EBB"] == "1" else "t:*"
        self.yosys("flatten", f"read_verilog {includes} {sources}\n"
                              f"hierarchy -check -top {TOP} {params}\n"
                              "setattr -mod -unset keep_hierarchy *\n"
                              "proc\nflatten\nmemory -nordff -nomap\nopt -full -nodffe -nosdff\nopt_clean -purge\n"
                              f"select -set places {where}\nselect -set places @places t:$mem* %d\n"
                              f"mutate -list {self.args.mutants} -seed {self.args.seed} -ctrl mutant_i {digits} 1 "
                              "-o list.txt @places\n"
                              "script list.txt\nopt_clean -purge\nwrite_rtlil mutated.il\n"
                              "iopadmap -bits -outpad buffer A:Y\nsplitnets -driver\nwrite_verilog -noattr mutated.v\n")
        with open(self.dir / "mutated.v", "a", encoding="utf-8") as file:
            file.write("module buffer(input A, output Y); assign Y = A; endmodule\n")
        lines = (self.dir / "list.txt").read_text(encoding="utf-8").split("\n")
        self.mutants = [Mutant(i + 1, line) for i, line in enumerate(line for line in lines if line)]

    # ---- simulation

    def build(self):
        """The simulator of all mutants: the bench of tests/pmu around mutated.v."""
        self.bench = pmu_bench.build_bench(self.args.build, self.dir, self.name, self.params,
                                           [self.dir / "mutated.v"], defines=["PMU_MUTANTS"])
        if "UNOPTFLAT" in (self.dir / "verilator.log").read_text(encoding="utf-8"):
            fail(f"{self.name}: Verilator sees a combinational loop, see {self.dir}/verilator.log")

    def simulate(self, mutants, cycles, seed):
        """Run them; the verdict of those that are seen changes."""
        by_number = {mutant.number: mutant for mutant in mutants}
        command = [str(self.bench), "--mutants", "--cycles", str(cycles), "--seed", str(seed)]
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
        """The netlist with all mutants as an and-inverter graph, and the unit without mutant out of it."""
        # A graph has no undefined constants; unused bits of a default may be 0.
        self.yosys("graph", "read_rtlil mutated.il\nmemory_map\ntechmap\nopt_expr\nopt_merge\nopt_clean -purge\n"
                            "setundef -zero\naigmap\nopt_clean -purge\nwrite_aiger -symbols mutated.aig\n")
        self.net = aig.Aig(self.dir / "mutated.aig")
        self.unit = aig.Build(len(self.net.inputs) + 2 * len(self.net.latches) + 2)
        self.constant = self.constants()
        self.gold = self.net.evaluate(self.unit, self.input_literals(self.unit, 0), self.register_literals(()))
        self.promises = self.host()
        if self.keeps_invariant():
            self.promises = self.unit.all([self.promises, *self.invariant(self.unit, self.now())])
        else:
            self.say("not proved that counters have events of the list")

    def input_literals(self, build, mutant):
        """The ports; the number of the mutant is fixed."""
        literals = [build.input(index) for index in range(len(self.net.inputs))]
        for name, index in self.net.inputs.items():
            if name.startswith("mutant_i["):
                literals[index] = mutant >> int(name[len("mutant_i["):-1]) & 1
        return literals

    def register_literals(self, free):
        """0 for a register bit that is always 0, else a variable; another one for those that need not be equal."""
        first, latches = len(self.net.inputs), len(self.net.latches)
        return [0 if index in self.constant and index not in free
                else self.unit.input(first + (latches if index in free else 0) + index) for index in range(latches)]

    def constants(self):
        """Register bits that a reset makes 0 and that stay 0 as long as all of these are."""
        def zero_next(reset):
            build = aig.Build(self.unit.inputs)
            inputs = self.input_literals(build, 0)
            if reset:
                inputs[self.net.inputs["rst"]] = 1
            literal = self.net.evaluate(build, inputs, self.register_literals(()))
            some = sorted(self.constant) if not reset else range(len(self.net.latches))
            zero = aig.never(build, [literal(self.net.next[index]) for index in some], self.dir / "constant.aig",
                             PROOF_SECONDS)
            return {index for index, is_zero in zip(some, zero) if is_zero}

        self.constant = set()
        found = zero_next(True)
        while found != self.constant:
            self.constant = found
            found = zero_next(False)
        return self.constant

    def host(self):
        """The promises of every host (tally_pmu.v, docs/integration.md), as one literal."""
        build, net = self.unit, self.net

        def port(name):
            return build.input(net.inputs[name])

        def never(*literals):
            return build.all(literals) ^ 1

        def bit(name, index):  # of a port that may be a single one
            return port(f"{name}[{index}]" if f"{name}[{index}]" in net.inputs else name)

        retire = pmu_bench.retire_wires()
        waits = self.params["CSR_PIPELINE"] == "1" or self.params["COUNTER_RAM"] == "1"
        nothing = build.all(port(f"csr_num_i[{bit}]") ^ 1 for bit in range(12))
        types = [port(f"dec_type_i[{bit}]") for bit in range(3 * int(self.params["DECODE_W"]))]
        forbidden = build.all(self.gold(net.outputs[f"ret_max_o[{bit}]"]) ^ 1 for bit in range(4))
        return build.all([
            never(port("csr_priv_i[1]"), port("csr_priv_i[0]") ^ 1),  # there is no mode 2
            never(port("mode_priv_i[1]"), port("mode_priv_i[0]") ^ 1),
            never(port("csr_valid_i"), port("mode_halted_i")),        # nothing retires while the clock is halted
            never(port("csr_valid_i"), forbidden),                    # ... nor where the unit forbids it
            *([never(port("csr_valid_i"), nothing)] if waits else []),  # 0 is no access
            build.differ(port("ev_cycle_i[0]"), port("mode_halted_i")),
            *(never(types[at + 2], types[at + low])                   # there are no types of instructions above 4
              for at in range(0, len(types), 3) for low in range(2)),
            *(never(bit("ret_valid_i", lane),                         # a retired lane has an instruction
                    port(f"ev_retire_i[{lane * len(retire) + retire.index('INST')}]") ^ 1)
              for lane in range(int(self.params["RETIRE_W"]))),
            *(never(bit("ret_valid_i", lane), forbidden) for lane in range(int(self.params["RETIRE_W"]))),
            *self.host_of_branches(port, never, bit),
        ])

    def host_of_branches(self, port, never, bit):
        """... of event-based branches: nothing happens beside a delivery, and uebret is legal and alone."""
        if self.params["EBB"] == "0":
            return []
        answer = {name: self.gold(self.net.outputs[name])
                  for name in ("ebb_req_o", "uebret_illegal_o", "uebret_virtual_o")}
        delivered, uebret = self.unit.conjunction(port("ebb_ack_i"), answer["ebb_req_o"]), port("ret_uebret_i")
        lanes = [bit("ret_valid_i", lane) for lane in range(int(self.params["RETIRE_W"]))]
        beside = [port("csr_valid_i"), port("mode_halted_i"), port("mode_debug_i"), delivered, lanes[0] ^ 1, *lanes[1:],
                  answer["uebret_illegal_o"], answer["uebret_virtual_o"]]
        return [*(never(delivered, literal) for literal in [port("csr_valid_i"), *lanes]),
                *(never(uebret, literal) for literal in beside)]

    # ---- states

    def now(self):
        """The registers of the unit before a step, ..."""
        literals = self.register_literals(())
        return literals.__getitem__

    def then(self):
        """... and after it."""
        return lambda index: self.gold(self.net.next[index])

    def registers(self, pattern):
        """{numbers in its name: index} of the register bits whose names match."""
        found = {}
        for index, name in enumerate(self.net.latches):
            match = name and re.fullmatch(pattern, name)
            if match:
                found[tuple(map(int, match.groups()))] = index
        return found

    def events(self, state):
        """{counter: the bits of its event's number, the lowest first}, but for those of which a mutant has a bit, which
        takes its name."""
        bits = {divmod(number, 8): index
                for (number,), index in self.registers(r"u_counting\.u_select\.event_q\[(\d+)\]").items()}
        return {counter: [state(bits[counter, bit]) for bit in range(8)]
                for counter in sorted({counter for counter, _ in bits})
                if all((counter, bit) in bits for bit in range(8))}

    def invariant(self, build, state):
        """The events of counters are those of the list, or none. (Counters in a RAM also have them there, of which
        this says nothing: there it is not proved.)"""
        numbers = [0, *map(spec_read.short_number, spec_read.Spec(pmu_bench.ROOT / "spec").events.events)]
        return [self.one_of(build, bits, numbers) for bits in self.events(state).values()]

    @staticmethod
    def one_of(build, bits, numbers):
        return build.all(build.all(bit ^ 1 ^ (number >> n & 1) for n, bit in enumerate(bits)) ^ 1
                         for number in numbers) ^ 1

    def keeps_invariant(self):
        """A reset brings it about, and a step keeps it."""
        build = self.unit.copy()
        within = build.all([self.promises, *self.invariant(build, self.now())])
        reset = build.input(self.net.inputs["rst"])
        broken = [build.conjunction(when, literal ^ 1)
                  for literal in self.invariant(build, self.then()) for when in (reset, within)]
        return all(aig.never(build, broken, self.dir / "invariant.aig", PROOF_SECONDS))

    def meaning(self, build, state):
        """{index: literal} of register bits that have a meaning only sometimes. Sound for any answer: bits
        that it leaves out of "equal" must not reach an output."""
        found = {}
        for counter, bits in self.events(state).items():  # without an event its filters have no meaning
            for index in self.registers(rf".*\b(?:low|high)_i\[({counter})\]").values():
                found[index] = build.all(bit ^ 1 for bit in bits) ^ 1
        return found

    def differences(self, mutant, free, weigh):
        """Compare one step, registers being equal but for those in `free`, and with `weigh` those that mean nothing.
        -> (some output differs, indices of the registers that differ after the step); others count
        as different."""
        build = self.unit.copy()
        start = self.register_literals(free)
        then = {}
        if weigh:
            anything = self.register_literals(range(len(self.net.latches)))
            for index, means in self.meaning(build, self.now()).items():
                if index not in free:  # equal if it means something, else anything
                    start[index] = build.conjunction(build.conjunction(means, start[index] ^ 1) ^ 1,
                                                     build.conjunction(means ^ 1, anything[index] ^ 1) ^ 1)
            then = self.meaning(build, self.then())
        gate = self.net.evaluate(build, self.input_literals(build, mutant.number), start)
        registers = {index: build.conjunction(build.differ(self.gold(literal), gate(literal)), then.get(index, 1))
                     for index, literal in enumerate(self.net.next) if index not in free}
        some = build.all(literal ^ 1 for literal in self.outputs_differ(build, gate)) ^ 1
        literals = [build.conjunction(literal, self.promises) for literal in [some, *registers.values()]]
        equal = aig.never(build, literals, self.dir / f"proof_{mutant.number}.aig", PROOF_SECONDS)
        return not equal[0], {index for index, same in zip(registers, equal[1:]) if not same}

    def prove(self, mutant):
        """Change the verdict if it is proved equivalent."""
        for weigh in (False, True):
            free = set()
            for _ in range(WEAKENINGS):
                output, registers = self.differences(mutant, free, weigh)
                if output or not registers:
                    break
                free |= registers
            if not output and not registers:
                break
        names = sorted({(self.net.latches[index] or "a register").rsplit("[", 1)[0] for index in free})
        if output or registers:
            mutant.how = "differs in an output" + (f" after {', '.join(names)}" if names else "")
        else:
            mutant.verdict, mutant.how = "equivalent", "one step" + (f", whatever {', '.join(names)}" if names else "")

    def search(self, mutant):
        """From reset on: change the verdict if nothing shows it, else say how much does."""
        build, net = self.unit.copy(), self.net
        first, latches = len(net.inputs), len(net.latches)
        was_reset, broken = (build.input(first + 2 * latches + index) for index in range(2))
        reset = build.input(net.inputs["rst"])
        gate = net.evaluate(build, self.input_literals(build, mutant.number),
                            [build.input(first + latches + index) for index in range(latches)])
        differ = build.all(literal ^ 1 for literal in self.outputs_differ(build, gate)) ^ 1
        becomes = [*(self.gold(literal) for literal in net.next), *(gate(literal) for literal in net.next),
                   build.conjunction(was_reset ^ 1, reset ^ 1) ^ 1,
                   build.conjunction(broken ^ 1, self.promises) ^ 1]
        bad = build.all([differ, self.promises, broken ^ 1, was_reset, reset ^ 1])
        cycles = aig.reach(build, becomes, bad, self.dir / f"search_{mutant.number}.aig", self.args.search)
        if cycles is None:
            mutant.verdict, mutant.how = "equivalent", "from reset on"
        else:
            mutant.how += f"; {cycles} cycles show it" if cycles > 0 else "; nothing found that shows it"

    def outputs_differ(self, build, gate):
        """A literal for each output."""
        in_ram = self.params["COUNTER_RAM"] == "1"  # then a read value matters only in the cycle of the access
        valid = build.input(self.net.inputs["csr_valid_i"])
        return [build.conjunction(build.differ(self.gold(literal), gate(literal)),
                                  valid if in_ram and name.startswith("csr_rdata_o") else 1)
                for name, literal in self.net.outputs.items()]

    # ---- all of it

    def go(self):
        self.prepare()
        self.build()
        unchanged = Mutant(0, "mutate -mode none")
        self.simulate([unchanged], SANE_CYCLES, 1)
        if unchanged.verdict != "alive":
            fail(f"{self.name}: the netlist without a mutant differs from the golden model: {unchanged.how}")
        self.simulate(self.mutants, QUICK_CYCLES, self.args.traffic_seed)
        self.say(f"{len(self.mutants)} mutants, {len(self.alive())} alive after {QUICK_CYCLES} cycles")
        self.prepare_proofs()
        for mutant in self.alive():
            self.prove(mutant)
        self.say(f"{len(self.alive())} of them not equivalent")
        for seed in range(1, LONG_SEEDS + 1):
            self.simulate(self.alive(), self.args.cycles // LONG_SEEDS, self.args.traffic_seed + seed)
        self.say(f"{len(self.alive())} of them alive after {self.args.cycles} more")
        for mutant in self.alive():
            self.search(mutant)
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
    parser.add_argument("--search", type=int, default=40, help="seconds from reset on, for each that is left")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--least", type=float, default=98.0)
    args = parser.parse_args()
    args.build = args.build.resolve()
    print(f"mutants: --seed {args.seed} --traffic-seed {args.traffic_seed} --mutants {args.mutants} "
          f"--cycles {args.cycles}", flush=True)
    with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
        campaigns = list(pool.map(lambda name: Campaign(args, name).go(), args.config or CONFIGS))
    return 0 if table(campaigns) >= args.least else 1


if __name__ == "__main__":
    sys.exit(main())
