# SPDX-License-Identifier: Apache-2.0
"""The parameters and ports of tally_pmu, as its source declares them."""

import pathlib
import re

SOURCE = pathlib.Path(__file__).resolve().parents[2] / "rtl" / "pmu" / "tally_pmu.v"

# The form of a port's name, in a document too
NAME = r"(?:csr|env|mode|ev|dec|trk|ret|irq|ebb|uebret|rec|xlat)_[a-z0-9_]+_[io]"


def header():
    text = SOURCE.read_text(encoding="utf-8")
    return text[text.index("module tally_pmu #("):text.index("\n);\n")]


def ports():
    """Name, direction, width as it is written (1 of a single bit), in the order of the source."""
    found = re.findall(r"^ *(input|output) +wire +(?:\[(.+?):0\] +)?(\w+)", header(), re.M)
    return [(name, direction, re.sub(r"-1$", "", width) if re.search(r"-1$", width) else str(int(width or 0) + 1))
            for direction, width, name in found]


def parameters():
    """Names and defaults."""
    return re.findall(r"^ *parameter (\w+) += ([^,\s]+)", header(), re.M)
