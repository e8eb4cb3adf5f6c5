# SPDX-License-Identifier: Apache-2.0
"""Carry cells without constants are equivalent to the original ones: a sample of tables, all constants, all inputs."""

import itertools
import pathlib
import random
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "scripts"))

import carries  # noqa: E402  pylint: disable=wrong-import-position


def half(table, a, b, c, d, cin):
    """Half a CCU2C as Yosys' model has it: sum and carry."""
    lut4 = table >> (a | b << 1 | c << 2 | d << 3) & 1
    lut2 = table >> (a | b << 1) & 1
    return lut4 ^ cin, (not lut4) and lut2 or (lut4 and cin)


class Carries(unittest.TestCase):
    def test_same_function(self):
        seed = 1
        rng = random.Random(seed)
        choices = [dict(zip(carries.INPUTS, values)) for values in itertools.product((None, 0, 1), repeat=4)]
        for choice in choices:
            constants = {name: value for name, value in choice.items() if value is not None}
            if 0 not in constants.values():
                continue
            for _ in range(20):
                table = rng.getrandbits(16)
                changed = carries.table_without(table, constants)
                for bits in itertools.product((0, 1), repeat=5):
                    was = [constants.get(name, bit) for name, bit in zip(carries.INPUTS, bits)]
                    now = [1 if name in constants else bit for name, bit in zip(carries.INPUTS, bits)]
                    self.assertEqual(half(table, *was, bits[4]), half(changed, *now, bits[4]),
                                     f"seed {seed}, table {table:016b}, constants {constants}")

    def test_netlist(self):
        pins = {name + number: ["0" if name in "AC" else 7] for name in carries.INPUTS for number in "01"}
        cell = {"type": "CCU2C", "connections": {**pins, "D1": ["1"]},
                "parameters": {"INIT0": f"{0x96AA:016b}", "INIT1": f"{0x96AA:016b}"}}
        other = {"type": "LUT4", "connections": {"A": ["0"]}, "parameters": {}}
        self.assertEqual(carries.free_constants({"cells": {"carry": cell, "lut": other}}), 4)
        self.assertEqual(cell["connections"]["A0"], ["1"])
        self.assertEqual(cell["connections"]["B0"], [7])
        self.assertEqual(other["connections"]["A"], ["0"])
        self.assertEqual(int(cell["parameters"]["INIT1"], 2), carries.table_without(0x96AA, {"A": 0, "C": 0, "D": 1}))


if __name__ == "__main__":
    unittest.main()
