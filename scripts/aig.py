# SPDX-License-Identifier: Apache-2.0
"""And-inverter graphs: read and build AIGER files; find constant outputs and reachable states with ABC.

A literal is 2 * node + inverted; 0 is false, 1 is true.
"""

import re
import subprocess


class Aig:
    """A sequential network from a binary AIGER file with symbols."""

    def __init__(self, path):
        data = path.read_bytes()
        end = data.index(b"\n")
        _, _, inputs, latches, outputs, ands = data[:end].split()
        inputs, latches, outputs, ands = int(inputs), int(latches), int(outputs), int(ands)
        lines = data[end + 1:].split(b"\n", latches + outputs)
        self.next = [int(line.split()[0]) for line in lines[:latches]]
        outs = [int(line) for line in lines[latches:latches + outputs]]
        rest = lines[-1]
        at = 0

        def number():
            nonlocal at
            value = shift = 0
            while True:
                byte = rest[at]
                at += 1
                value |= (byte & 127) << shift
                shift += 7
                if byte < 128:
                    return value

        self.ands = []  # (left, right), of the nodes after inputs and latches
        for node in range(inputs + latches + 1, inputs + latches + ands + 1):
            left = 2 * node - number()
            self.ands.append((left, left - number()))
        self.inputs, self.latches, self.outputs = {}, [None] * latches, {}
        for line in rest[at:].split(b"\nc")[0].decode().split("\n"):
            found = re.match(r"([ilo])(\d+) (.*)", line)
            if found:
                kind, index, name = found.group(1), int(found.group(2)), found.group(3)
                if kind == "i":
                    self.inputs[name] = index
                elif kind == "l":
                    self.latches[index] = name
                else:
                    self.outputs[name] = outs[index]

    def evaluate(self, build, inputs, latches):
        """This network as part of `build`; a literal of it for every input and latch. -> literal of any node here"""
        value = [0] + inputs + latches
        conjunction = build.conjunction
        for left, right in self.ands:
            value.append(conjunction(value[left >> 1] ^ left & 1, value[right >> 1] ^ right & 1))
        return lambda literal: value[literal >> 1] ^ literal & 1


class Build:
    """A combinational network under construction; equal nodes are one."""

    def __init__(self, inputs):
        self.inputs = inputs
        self.nodes = []
        self.known = {}

    def copy(self):
        other = Build(self.inputs)
        other.nodes, other.known = list(self.nodes), dict(self.known)
        return other

    def input(self, index):
        return 2 * (index + 1)

    def conjunction(self, a, b):
        if a > b:
            a, b = b, a
        if a == 0 or a == b ^ 1:
            return 0
        if a == 1 or a == b:
            return b
        literal = self.known.get((a, b))
        if literal is None:
            self.nodes.append((a, b))
            literal = self.known[a, b] = 2 * (self.inputs + len(self.nodes))
        return literal

    def all(self, literals):
        result = 1
        for literal in literals:
            result = self.conjunction(result, literal)
        return result

    def differ(self, a, b):
        return self.conjunction(self.conjunction(a, b ^ 1) ^ 1, self.conjunction(a ^ 1, b) ^ 1) ^ 1

    def write(self, path, outputs, latches=0):
        """The nodes that the outputs need, as binary AIGER. The last `latches` inputs are registers, which begin as 0;
        the first `latches` outputs are their next values."""
        needed = set()
        stack = [literal >> 1 for literal in outputs]
        while stack:
            node = stack.pop()
            if node > self.inputs and node not in needed:
                needed.add(node)
                stack += [literal >> 1 for literal in self.nodes[node - self.inputs - 1]]
        rename = {node: node for node in range(self.inputs + 1)}
        for at, node in enumerate(sorted(needed)):
            rename[node] = self.inputs + 1 + at

        def literal_of(literal):
            return 2 * rename[literal >> 1] + (literal & 1)

        data = bytearray(f"aig {self.inputs + len(needed)} {self.inputs - latches} {latches} {len(outputs) - latches} "
                         f"{len(needed)}\n".encode())
        for literal in outputs:
            data += f"{literal_of(literal)}\n".encode()
        for node in sorted(needed):
            left, right = sorted((literal_of(literal) for literal in self.nodes[node - self.inputs - 1]), reverse=True)
            for delta in (2 * rename[node] - left, left - right):
                while delta > 127:
                    data.append(delta & 127 | 128)
                    delta >>= 7
                data.append(delta)
        path.write_bytes(data)


def never(build, literals, path, seconds):
    """Literals that can never be 1, as a list of bools (false also where ABC needed more processor time)."""
    if not any(literals):
        return [True] * len(literals)
    answer = path.with_suffix(".out.aig")
    answer.unlink(missing_ok=True)
    build.write(path, literals)
    subprocess.run(["prlimit", f"--cpu={seconds}", "yosys-abc", "-c",
                    f"read_aiger {path}; &get; &fraig -y; &put; write_aiger {answer}"],
                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
    if not answer.exists():
        return [literal == 0 for literal in literals]
    lines = answer.read_bytes().split(b"\n", len(literals) + 1)
    return [line == b"0" for line in lines[1:len(literals) + 1]]


def reach(build, becomes, bad, path, seconds):
    """Can `bad` become 1? The last inputs are registers, which begin as 0 and become `becomes`. -> None if it is proved
    that it cannot; how many cycles it takes; -1 if that took ABC more processor time. Registers that are always equal
    are made one first."""
    reduced = path.with_suffix(".out.aig")
    reduced.unlink(missing_ok=True)
    build.write(path, [*becomes, bad], len(becomes))
    for way in (f"read_aiger {path}; scorr; dc2; write_aiger {reduced}; bmc3 -T {seconds}",
                f"read_aiger {reduced}; pdr -T {2 * seconds}"):
        done = subprocess.run(["prlimit", f"--cpu={4 * seconds}", "yosys-abc", "-c", way], stdout=subprocess.PIPE,
                              stderr=subprocess.DEVNULL, text=True, check=False)
        found = re.search(r"asserted in frame (\d+)", done.stdout)
        if found:
            return int(found.group(1)) + 1
        if "Property proved" in done.stdout:
            return None
    return -1
