# SPDX-License-Identifier: Apache-2.0
"""The page of tally-profile as two arrays of C: the parts before and behind its data.

pack.py NODE_MODULES OUT.c
"""

import json
import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent
# In the order in which they are needed
LIBRARIES = [("d3-" + name, f"dist/d3-{name}.min.js") for name in (
    "array", "color", "dispatch", "ease", "format", "interpolate", "time", "time-format", "timer", "selection",
    "hierarchy", "scale", "transition")]
LIBRARIES += [("d3-flame-graph", "dist/d3-flamegraph.umd.min.js"), ("uplot", "dist/uPlot.iife.min.js")]
LIBRARY_STYLES = [("uplot", "dist/uPlot.min.css")]
SCRIPTS = ("base", "data", "charts", "summary", "flame", "table", "code", "timeline", "memory", "latency", "compare",
           "main")
LIBRARY_MAX = 250_000


def library(modules, name, path):
    """The text of a package's file, headed by name, version and licence."""
    package = json.loads((modules / name / "package.json").read_text(encoding="utf-8"))
    text = (modules / name / path).read_text(encoding="utf-8")
    return f"/* {name} {package['version']}, {package['license']} */\n{text}\n"


def licences(modules):
    """The licences of the packages, each text once below the packages that it holds for."""
    texts = {}
    for name in sorted({name for name, _ in LIBRARIES + LIBRARY_STYLES}):
        (path,) = [each for each in (modules / name).iterdir() if each.name.lower().startswith("licen")]
        holder, _, rest = path.read_text(encoding="utf-8").strip().partition("\n\n")
        if not holder.startswith("Copyright"):
            holder, rest = "", f"{holder}\n\n{rest}"
        texts.setdefault(rest, []).append(f"{name}: {' '.join(holder.split())}".strip(" :"))
    parts = ["\n".join(names) + "\n\n" + text for text, names in texts.items()]
    return "/*\n" + "\n\n".join(parts).replace("*/", "* /") + "\n*/\n"


def script(name):
    text = (HERE / f"{name}.js").read_text(encoding="utf-8")
    return f"/* ---- {name}.js */\n" + "\n".join(line.strip() for line in text.split("\n"))


def page(modules):
    """The page with @data@ where its data goes."""
    libraries = licences(modules) + "".join(library(modules, *entry) for entry in LIBRARIES)
    assert len(libraries) <= LIBRARY_MAX, f"libraries of {len(libraries)} bytes"
    scripts = "(() => {\n\"use strict\"\n" + "\n".join(map(script, SCRIPTS)) + "\n})()\n"
    styles = "".join(library(modules, *entry) for entry in LIBRARY_STYLES)
    styles += (HERE / "page.css").read_text(encoding="utf-8")
    text = (HERE / "page.html").read_text(encoding="utf-8")
    for mark, part in (("@style@", styles), ("@library@", libraries), ("@script@", scripts)):
        assert "</script" not in part.lower(), mark
        before, behind = text.split(mark)
        text = before + part + behind
    return text


def array(name, text):
    data = text.encode()
    rows = [",".join(map(str, data[at:at + 32])) for at in range(0, len(data), 32)]
    return (f"const unsigned char {name}[] = {{\n" + ",\n".join(rows) + "};\n"
            f"const size_t {name}_size = sizeof {name};\n")


def main(modules, out):
    modules = pathlib.Path(modules)
    if not modules.is_dir():
        sys.exit(f"{modules} is not there: run scripts/setup")
    before, behind = page(modules).split("@data@")
    pathlib.Path(out).write_text('#include "page_parts.h"\n' + array("page_before", before)
                                 + array("page_behind", behind), encoding="utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
