#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Generate everything that follows from spec/: headers, event tables, reference pages, viewer filters.

    scripts/gen_spec.py --out DIR [--spec DIR] [--check]

Into DIR:
    tally_spec.vh        Verilog macros: CSR numbers, fields, reset values, causes, event selectors and wires
    tally_event_fn.vh    Verilog functions, to be included inside a module: selector <-> index, wires -> event lines
    tally_spec.h         the macros again, in C
    tally_events.h       the event table, in C
    tally_names.h        names of registers and their fields, modes and causes, in C
    pmu-events/          event list and map file in the form of Linux' tools/perf/pmu-events
    reference.md         CSR and event reference
    gtkwave/*.txt        GTKWave translate filter files

A specification that contradicts itself is refused: one line an error, exit status 1, no file written.
The schema is described in spec/README.md.
"""

import argparse
import pathlib
import sys

from spec_headers import c_events, c_header, c_names, check_definitions, verilog_functions, verilog_header
from spec_pages import gtkwave_filters, perf_json, perf_mapfile, perf_metrics, reference_page
from spec_read import Spec, SpecError


def outputs(spec):
    """Relative path -> text of every generated file."""
    files = {
        "tally_spec.vh": verilog_header(spec),
        "tally_event_fn.vh": verilog_functions(spec),
        "tally_spec.h": c_header(spec),
        "tally_events.h": c_events(spec),
        "tally_names.h": c_names(spec),
        "reference.md": reference_page(spec),
        "pmu-events/tally/tally/events.json": perf_json(spec),
        "pmu-events/tally/tally/metrics.json": perf_metrics(spec),
        "pmu-events/mapfile.csv": perf_mapfile(spec),
    }
    files.update({f"gtkwave/{name}": text for name, text in gtkwave_filters(spec).items()})
    return files


def write_if_changed(path, text):
    """Leave an unchanged file's time stamp alone, so that nothing is built again for it."""
    if path.exists() and path.read_text(encoding="utf-8") == text:
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


def main(argv):
    root = pathlib.Path(__file__).resolve().parent.parent
    parser = argparse.ArgumentParser(description="Generate headers, tables and pages from spec/.")
    parser.add_argument("--out", type=pathlib.Path, help="directory to write into")
    parser.add_argument("--spec", type=pathlib.Path, default=root / "spec", help="directory to read")
    parser.add_argument("--check", action="store_true", help="only check the specification")
    args = parser.parse_args(argv)
    if not args.check and args.out is None:
        parser.error("--out or --check")
    try:
        spec = Spec(args.spec)
        check_definitions(spec)
    except SpecError as err:
        for line in str(err).splitlines():
            print(f"gen_spec.py: {line}", file=sys.stderr)
        return 1
    if not args.check:
        for name, text in outputs(spec).items():
            write_if_changed(args.out / name, text)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
