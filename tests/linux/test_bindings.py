#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The documents of the drivers of the unit: bindings of what they find in the device tree, with the trees of the
simulator, and the page of the kernel's admin guide.

    test_bindings.py BUILD

test_drivers.py checks the trees that Linux has got from the firmware.
"""

import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

from bindings import OURS, ROOT, Bindings, read, tool
from machine import Machine, main

sys.path.insert(0, str(ROOT / "scripts"))
from linux import DELEGATED  # noqa: E402 pylint: disable=wrong-import-position,import-error


DRIVERS = ROOT / "sw/linux/drivers"


class Guide(unittest.TestCase):
    """tally.rst"""

    def test_it_is_restructured_text(self):
        self.assertEqual(tool("docutils", "--report=1", "--halt=5", DRIVERS / "tally.rst", os.devnull), "")

    def test_it_has_every_file_of_sysfs(self):
        page = (DRIVERS / "tally.rst").read_text(encoding="utf-8")
        sources = "".join(path.read_text(encoding="utf-8") for path in sorted(DRIVERS.glob("*.c")))
        fields = re.findall(r'PMU_FORMAT_ATTR\((\w+), "([^"]+)"\)', sources)
        self.assertGreater(len(fields), 10)
        for name, bits in fields:
            self.assertRegex(page, rf"(?m)^``{name}`` +{bits} ")
        caps = set(re.findall(r"DEVICE_ATTR_RO\((\w+)\)", sources)) - {"cpus"}
        self.assertGreater(len(caps), 5)
        for name in caps:
            self.assertRegex(page, rf"(?m)^``{name}`` ")


class Trees(Machine):
    """dt-schema's judgement"""

    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory(prefix="tally-bindings-")
        cls.addClassCleanup(cls.folder.cleanup)
        cls.bindings = Bindings(cls.build, cls.folder.name)

    def tree(self, *options):
        """A tree of the simulator, as the firmware finds it"""
        path = self.files / "tree.dtb"
        subprocess.run([str(self.build / "tally-sim"), "-bios", str(self.build / "sw/firmware.elf"), "--files",
                        str(self.files), *options, "--dump-dtb", str(path)], check=True)
        return path

    def test_bindings_are_bindings(self):
        self.assertEqual(tool("dt-doc-validate", "-u", OURS, OURS), "")

    def test_the_kernels_properties_are_unchanged(self):
        ours = read(OURS / "perf/tally,pmu.yaml")
        theirs = read(self.bindings.kernel / "perf/riscv,pmu.yaml")
        self.assertEqual(ours["properties"]["compatible"], theirs["properties"]["compatible"])
        for name, theirs_of in theirs["properties"].items():
            if name.startswith("riscv,"):
                self.assertEqual(ours["properties"][name]["$ref"], theirs_of["$ref"])
                self.assertEqual(len(ours["properties"][name]["items"]["items"]), len(theirs_of["items"]["items"]))
        self.assertLessEqual(set(theirs["properties"]), set(ours["properties"]))
        self.assertLessEqual(theirs["dependencies"].items(), ours["dependencies"].items())

    def test_all_that_the_driver_asks_for_is_described(self):
        pmu = read(OURS / "perf/tally,pmu.yaml")["properties"]
        listed = read(OURS / "riscv/tally,extensions.yaml")["properties"]["riscv,isa-extensions"]["items"]["anyOf"]
        source = (ROOT / "sw/linux/drivers/tally_main.c").read_text(encoding="utf-8")
        asked = set(re.findall(r'of_property_read_\w+\(node, "([^"]+)"', source))
        needed = re.search(r"needed\[\] = \{([^}]*)\}", source)[1] + "".join(re.findall(r"isa_has\((\".*?\")", source))
        self.assertEqual(asked, {"tally,delegated-counters", "tally,event-based-branches"})
        self.assertLessEqual(asked, set(pmu))
        extensions = set(re.findall(r'"(\w+)"', needed))
        self.assertGreaterEqual(len(extensions), 5)
        self.assertLessEqual(extensions, {item["const"] for item in listed})

    def test_the_simulators_trees_are_valid(self):
        for options in ([], ["-smp", "2"], *(["--delegate", mask, "--ebb"] for mask in DELEGATED.values())):
            with self.subTest(options=options):
                self.assertEqual(self.bindings.complaints(self.tree(*options)), "")

    def test_what_is_wrong_is_seen(self):
        wrong = (("/pmu tally,delegated-counters 0", "should not be valid under"),
                 ("/pmu tally,delegated-counters 1 2", "is not of type 'integer'"),
                 ("/pmu tally,delegated 1", "'tally,delegated' does not match"),
                 ("-d /pmu tally,delegated-counters", "'tally,delegated-counters' is a dependency of"),
                 ("-t s /pmu tally,event-based-branches yes", "is not of type 'boolean'"),
                 ("-t s /cpus/cpu@0 riscv,isa-extensions i m a c zicsr smcdeleg ssccfg", "does not contain"),
                 ("-t s /cpus/cpu@0 riscv,isa-extensions i m a c zicsr xtally", "'xtally' is not one of"))
        for change, complaint in wrong:
            with self.subTest(change=change):
                tree = self.tree("--delegate", DELEGATED["split"], "--ebb")
                options, change = re.fullmatch(r"((?:-d |-t \w )?)(.*)", change).groups()
                subprocess.run(["fdtput", *options.split(), str(tree), *change.split()], check=True)
                self.assertRegex(self.bindings.complaints(tree), complaint)


if __name__ == "__main__":
    assert pathlib.Path(sys.argv[1]).is_dir(), "the build folder"
    main(sys.argv)
