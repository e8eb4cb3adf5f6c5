#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""docs/integration.md has every port of tally_pmu, with its width, and no other; the example host connects them all."""

import pathlib
import re
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))

import ports as rtl  # noqa: E402  pylint: disable=wrong-import-position

ROOT = pathlib.Path(__file__).resolve().parents[2]
GUIDE = (ROOT / "docs" / "integration.md").read_text(encoding="utf-8")
HOST = (ROOT / "tests" / "pmu" / "example_host.v").read_text(encoding="utf-8")
HOST_LINES = 100  # of code, as the guide says


def problems(guide):
    """Errors of the guide about ports."""
    found = []
    section = re.search(r"(?ms)^## Every port\n(.*?)^## ", guide)
    table = re.findall(r"(?m)^\| `(\w+)` \| `?([^|`]+?)`? \| ([^|]+) \| ([^|]*) \|$", section[1]) if section else []
    there = [(name, width) for name, _, width in rtl.ports()]
    for name, width in there:
        if name not in [row[0] for row in table]:
            found.append(f"{name} is not in the table")
        elif (name, width) not in [row[:2] for row in table]:
            found.append(f"{name} is not {dict(row[:2] for row in table)[name]} wide, but {width}")
    known = [name for name, _ in there]
    named = set(re.findall(rf"\b{rtl.NAME}\b", guide)) | {row[0] for row in table}
    found += [f"there is no port {name}" for name in sorted(named - set(known))]
    if not found and [row[0] for row in table] != known:
        found.append("the table is not in the order of the source, or has a port twice")
    return found


class Guide(unittest.TestCase):
    def test_ports(self):
        self.assertGreater(len(rtl.ports()), 80)
        self.assertEqual(problems(GUIDE), [])

    def test_it_is_seen(self):
        row = re.search(r"(?m)^\| `trk_dsrc_i` .*\n", GUIDE)[0]
        for text, problem in ((GUIDE.replace(row, ""), "trk_dsrc_i is not in the table"),
                              (GUIDE.replace(row, row.replace("| 4 |", "| 5 |")), "trk_dsrc_i is not 5 wide, but 4"),
                              (GUIDE.replace(row, row + row), "the table is not in the order of the source, or has a "
                                                              "port twice"),
                              (GUIDE + "\n`trk_source_i`\n", "there is no port trk_source_i")):
            self.assertEqual(problems(text), [problem])

    def test_example_host(self):
        instance = HOST[HOST.index("u_pmu ("):]
        connected = re.findall(r"\.(\w+)\(", instance[:instance.index(");\n\n")])
        self.assertEqual(sorted(connected), sorted(name for name, _, _ in rtl.ports()))

    def test_example_host_is_short(self):
        code = [line for line in HOST.splitlines() if line.split("//")[0].strip()]
        self.assertLessEqual(len(code), HOST_LINES)


if __name__ == "__main__":
    unittest.main()
