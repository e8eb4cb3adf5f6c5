# SPDX-License-Identifier: Apache-2.0
"""The Verilog in a second SystemVerilog front end, slang (used by scripts/lint.py)."""

import re

try:
    import pyslang
    from pyslang import ast, driver
except ImportError:
    pyslang = None


def problems(top, sources, includes, params):
    """Errors of parsing and elaboration, and multiplied indices, [(file, text)]; each file is a compilation unit of its
    own, so a macro must come from an include of its file."""
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
    compilation = slang.createCompilation()
    said = pyslang.DiagnosticEngine.reportAll(slang.sourceManager, compilation.getAllDiagnostics())
    errors = [(match[1], match[0]) for match in re.finditer(r"^(\S+?):\d+:\d+: (?:fatal )?error: .*$", said, re.M)]
    return errors or multiplied_indices(compilation, slang.sourceManager)


def multiplied_indices(compilation, manager):
    """Part selects [a*W +: W] of a signal a and a width that is no power of two: a multiplier and a wide shifter."""
    loops, found = set(), []

    def is_signal(node):
        return (isinstance(node, ast.NamedValueExpression) and node.symbol.kind != ast.SymbolKind.Parameter
                and node.symbol.hierarchicalPath not in loops)

    def multiplies(node):
        if not isinstance(node, ast.BinaryExpression) or node.op != ast.BinaryOperator.Multiply:
            return False
        for index, width in ((node.left, node.right), (node.right, node.left)):
            if width.constant is not None and int(width.constant.value).bit_count() != 1 and inside(index, is_signal):
                return True
        return False

    def visit(node):
        if isinstance(node, ast.ForLoopStatement):
            loops.update(start.left.symbol.hierarchicalPath for start in node.initializers)
        elif (isinstance(node, ast.RangeSelectExpression) and node.selectionKind != ast.RangeSelectionKind.Simple
              and inside(node.left, multiplies)):
            at = node.sourceRange.start
            name = manager.getFileName(at)
            found.append((name, f"{name}:{manager.getLineNumber(at)}:{manager.getColumnNumber(at)}: error: "
                                f"[{str(node.left.syntax).strip()} ...] multiplies a signal by no power of two"))

    compilation.getRoot().visit(visit)
    return found


def inside(node, wanted):
    """Whether `wanted` holds for the expression or a part of it."""
    found = []
    node.visit(lambda part: found.append(part) if wanted(part) else None)
    return bool(found)
