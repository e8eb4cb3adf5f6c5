# SPDX-License-Identifier: Apache-2.0
"""Carry cells of an ECP5 without constant-0 inputs.

Synthesis ties unused inputs of carry cells (CCU2C) to 0, three thousand of them in the machine. An unconnected input
reads 1 in this family, so a constant 1 costs no wire, while a 0 is one more end of a net that crosses the chip. Here
each such input becomes 1, and the cell's table is changed to match.
"""

PAIRS = ("0", "1")         # the two halves of a cell
INPUTS = ("A", "B", "C", "D")  # bits 0 to 3 of a table's index


def table_without(table, constants):
    """The table of half a cell, as a number, in which `constants` (input: 0 or 1) no longer matter: they are 1.

    The cell looks up its sum by all four inputs, and its generated carry by A and B in the first four entries. The sum
    uses these entries too only while neither C nor D is a constant, which here is a 1.
    """
    known = [(INPUTS.index(name), value) for name, value in constants.items()]

    def entry(index, bits):
        for bit, value in known:
            if bit in bits:
                index = index & ~(1 << bit) | value << bit
        return table >> index & 1

    apart = any(bit >= 2 for bit, _ in known)
    return sum(entry(i, (0, 1) if apart and i < 4 else (0, 1, 2, 3)) << i for i in range(16))


def free_constants(module):
    """Change the carry cells of a netlist's module (Yosys' JSON); return the number of inputs that were 0."""
    freed = 0
    for cell in module["cells"].values():
        if cell["type"] != "CCU2C":
            continue
        for half in PAIRS:
            pins = {name: cell["connections"][name + half] for name in INPUTS}
            constants = {name: int(bits[0] == "1") for name, bits in pins.items() if bits[0] in ("0", "1", "x")}
            if 0 not in constants.values():
                continue
            init = f"INIT{half}"
            cell["parameters"][init] = f"{table_without(int(cell['parameters'][init], 2), constants):016b}"
            for name in constants:
                freed += pins[name][0] != "1"
                cell["connections"][name + half] = ["1"]
    return freed
