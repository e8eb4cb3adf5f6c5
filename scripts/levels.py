# SPDX-License-Identifier: Apache-2.0
"""LUT levels of a mapped netlist (Yosys' JSON): the most LUTs on a path from a register or port to the next.

A carry chain counts as no level, its output as one LUT, as on the chips. Yosys' own `ltp -noff` counts the flip-flops
of a family as logic, because they are not its own cells.
"""

LUTS = {"SB_LUT4": "O", "LUT4": "Z", "$lut": "Y"}


def ways(cell):
    """(output bits, input bits, LUTs) of a cell that is logic: each output depends on each of the inputs."""
    kind, pins = cell["type"], cell["connections"]
    bits = [bit for name, wires in pins.items() if name != LUTS.get(kind) for bit in wires]
    if kind in LUTS:
        return [(pins[LUTS[kind]], bits, 1)]
    if kind == "SB_CARRY":
        return [(pins["CO"], pins["I0"] + pins["I1"] + pins["CI"], 0)]
    if kind == "CCU2C":
        entry = [bit for name in ("A0", "B0", "C0", "D0", "A1", "B1", "C1", "D1", "CIN") for bit in pins.get(name, [])]
        return [(pins.get("COUT", []), entry, 0), (pins.get("S0", []) + pins.get("S1", []), entry, 1)]
    if kind == "TRELLIS_DPR16X4":  # is read without a clock
        return [(pins["DO"], pins["RAD"], 1)]
    if kind in ("PFUMX", "L6MUX21"):
        return [(pins["Z"], [bit for name in pins if name != "Z" for bit in pins[name]], 0)]
    return []


def depth(module):
    """LUT levels of the module; ValueError for a loop."""
    drivers = {}
    for cell in module["cells"].values():
        for outputs, inputs, luts in ways(cell):
            for bit in outputs:
                drivers[bit] = (inputs, luts)
    level, open_bits = {}, set()
    for start in drivers:
        todo = [start]
        while todo:
            bit = todo[-1]
            if bit in level:
                todo.pop()
                continue
            inputs, luts = drivers[bit]
            missing = [b for b in inputs if b in drivers and b not in level]
            if not missing:
                level[bit] = luts + max((level.get(b, 0) for b in inputs), default=0)
                open_bits.discard(bit)
                todo.pop()
            elif bit in open_bits:
                raise ValueError(f"a loop through bit {bit}")
            else:
                open_bits.add(bit)
                todo += missing
    return max(level.values(), default=0)
