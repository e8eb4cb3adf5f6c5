# SPDX-License-Identifier: Apache-2.0
"""The rules of scripts/lint.py for the text of single files: form of lines and modules, size, licence, citations."""

import pathlib
import re

LINE_MAX = {".v": 110, ".vh": 110, ".c": 110, ".h": 110, ".cpp": 110, ".py": 120, ".S": 110,
            ".js": 140, ".css": 140}
LINES_MAX = 600
SIZED = (".v", ".vh", ".c", ".h", ".cpp", ".py", ".js", ".css")
# Every text file has a licence line but pages, the licence itself and a test's expected output.
UNLICENSED = re.compile(r".*\.md$|LICENSE$|tests/program/everything\.txt$")
SPDX = "SPDX-License-Identifier: Apache-2.0"
# Linux' own style and licences: checkpatch and dt-schema check them (tests/linux).
KERNEL = re.compile(r"sw/linux/drivers/(\w+\.[ch]|Kbuild|tally\.rst)$")
KERNEL_SPDX = "SPDX-License-Identifier: GPL-2.0"
BINDING = re.compile(r"sw/linux/drivers/bindings/.*\.yaml$")
BINDING_SPDX = "SPDX-License-Identifier: (GPL-2.0-only OR BSD-2-Clause)"
# One form of each module: another form is a file of the same name in rtl/prim (docs/pmu.md).
ONE_FORM = ("rtl/pmu/", "rtl/hart/", "rtl/soc/")
# Citations must be public: a document and its section, or docs/rulings.md and a heading.
CITATION = re.compile(r"\bfacts,? (?:section )?\d|\bfact sheet\b|\brulings? \d", re.I)
MACHINE_PATH = re.compile(r"(?<![\w./-])/(?:home|root|work|Users)/\w")


def line_problems(name, text):
    """Lines that are too long, or end in a blank; tabs; no newline at the end."""
    limit = LINE_MAX[pathlib.Path(name).suffix]
    problems = []
    for number, line in enumerate(text.split("\n"), 1):
        if len(line) > limit:
            problems.append(f"{name}:{number}: {len(line)} columns, more than {limit}")
        if "\t" in line and not KERNEL.match(name):
            problems.append(f"{name}:{number}: tab")
        if line != line.rstrip():
            problems.append(f"{name}:{number}: blank at the end")
    if text and not text.endswith("\n"):
        problems.append(f"{name}: no newline at the end")
    return problems


def verilog_problems(name, text):
    """One module a file, named as the file; `default_nettype; a head comment."""
    problems = []
    code = verilog_code(text)
    modules = re.findall(r"^\s*module\s+(\w+)", code, re.M)
    if modules != [pathlib.Path(name).stem]:
        problems.append(f"{name}: modules {modules}, expected one named as the file")
    directives = re.findall(r"`default_nettype\s+(\w+)", code)
    if directives != ["none", "wire"]:
        problems.append(f"{name}: `default_nettype {directives}, expected none at the top and wire at the end")
    if not text.startswith("//"):
        problems.append(f"{name}: no head comment")
    return problems


def verilog_code(text):
    return re.sub(r"//[^\n]*", "", re.sub(r"/\*.*?\*/", "", text, flags=re.S))


def source_problems(name, text, root):
    """Size, licence, citations, forms by tool, paths of the machine on which the project is."""
    problems = []
    lines = text.count("\n")
    if name.endswith(SIZED) and lines > LINES_MAX:
        problems.append(f"{name}: {lines} lines, more than {LINES_MAX}")
    licence = KERNEL_SPDX if KERNEL.match(name) else BINDING_SPDX if BINDING.match(name) else SPDX
    if text and not UNLICENSED.match(name) and licence not in "\n".join(text.split("\n")[:2]):
        problems.append(f"{name}: no line {licence} at the top")
    if name.startswith(ONE_FORM) and name.endswith((".v", ".vh")) and \
            (tool := re.search(r"\b(SYNTHESIS|VERILATOR|YOSYS|__ICARUS__)\b", verilog_code(text))):
        problems.append(f"{name}: {tool[0]}: another form of a module is a file of its own in rtl/prim")
    for pattern, what in ((CITATION, "not a citation that a reader can look up"), (MACHINE_PATH, "a machine's path")):
        problems += [f"{name}:{number}: {what}: {found}" for number, found in places(pattern, text)]
    if str(root) in text:
        problems.append(f"{name}: a machine's path: {root}")
    return problems


def places(pattern, text):
    """(line, text) of every match; a comment that goes on in the next line is one text."""
    joined = re.sub(r"\n[ \t]*(?://|#|\*(?!/)|;)?[ \t]*", lambda m: "\n" + " " * (len(m[0]) - 1), text)
    flat = re.sub(r"\s", " ", joined)
    squeezed, origin = [], []
    for at, char in enumerate(flat):
        if char != " " or not squeezed or squeezed[-1] != " ":
            squeezed.append(char)
            origin.append(at)
    for match in pattern.finditer("".join(squeezed)):
        yield text.count("\n", 0, origin[match.start()]) + 1, match[0]
