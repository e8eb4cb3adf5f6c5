# SPDX-License-Identifier: Apache-2.0
"""Files of coverage: Verilator's, of lines, branches and signals, and tables of crosses (`tally-sim --crosses`,
`random.py --crosses`)."""

import collections
import pathlib
import re

Point = collections.namedtuple("Point", "kind file line column what")
KINDS = ("line", "branch", "toggle")
VERILATOR = "# SystemC::Coverage"


def structural(text):
    """(Point, path of its file, count) of a coverage file of Verilator."""
    for line in text.split("\n"):
        found = re.match(r"C '(.*)' (\d+)$", line)
        if not found:
            continue
        field = dict(part.split("\x02", 1) for part in found.group(1).split("\x01") if "\x02" in part)
        kind = field["page"].split("/")[0].removeprefix("v_")
        if kind in KINDS:
            path = pathlib.Path(field["f"])
            yield Point(kind, path.name, int(field["l"]), int(field["n"]), field["o"]), path, int(found.group(2))


def crosses(text):
    """(name, count) of lines `cross NAME COUNT`; others are skipped."""
    for name, count in re.findall(r"^cross (.+) (\d+)$", text, re.M):
        yield name, int(count)


def read(path):
    """Counter: how often each point of a file was hit, 0 included. A point of a module counts for all its instances."""
    text = path.read_text(encoding="utf-8", errors="replace")
    hits = collections.Counter()
    if text.startswith(VERILATOR):
        for point, _, count in structural(text):
            hits[f"{point.kind} {point.file}:{point.line}:{point.column} {point.what}".rstrip()] += count
    else:
        for name, count in crosses(text):
            hits[f"cross {name}"] += count
    if not hits:
        raise ValueError(f"{path}: neither Verilator's coverage nor lines 'cross NAME COUNT'")
    return hits
