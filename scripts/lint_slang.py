# SPDX-License-Identifier: Apache-2.0
"""The Verilog in a second SystemVerilog front end, slang (used by scripts/lint.py)."""

import re

try:
    import pyslang
    from pyslang import driver
except ImportError:
    pyslang = None


def problems(top, sources, includes, params):
    """Errors of parsing and elaboration, [(file, text)]; each file is a compilation unit of its own, so a macro must
    come from an include of its file."""
    if pyslang is None:
        return [("", "pyslang is missing: run scripts/setup and use .venv/bin/python")]
    command = ["slang", f"--top={top}", "--error-limit=0", "-Wnone", *(f"-I{name}" for name in includes),
               *(f"-G{name}={value}" for name, value in params.items()), *sources]
    slang = driver.Driver()
    slang.addStandardArgs()
    if not slang.parseCommandLine(" ".join(map(str, command))) or not slang.processOptions():
        return [("", f"slang does not take: {' '.join(map(str, command))}")]
    if not slang.parseAllSources():
        return [("", "slang cannot read every file")]
    diagnostics = slang.createCompilation().getAllDiagnostics()
    said = pyslang.DiagnosticEngine.reportAll(slang.sourceManager, diagnostics)
    return [(match[1], match[0]) for match in re.finditer(r"^(\S+?):\d+:\d+: (?:fatal )?error: .*$", said, re.M)]
