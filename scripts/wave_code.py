#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Rewrites the wave functions of a Verilated model.

    scripts/wave_code.py FOLDER PREFIX

Verilator's functions compare every signal of the design in every cycle, and write through its own classes. Afterwards
they call those of tb/wave_trace.h, and compare signals by groups, each of which can be off: group 0 has the signals of
the default set (signals of the stories of sim/stories, and of sim/default.yaml), each other group those of an instance.
Verilator's own files are kept beside them (*.verilator), so that a second run starts from the same.
"""

import collections
import pathlib
import re
import sys

import yaml

ROOT = pathlib.Path(__file__).resolve().parent.parent
SIM = ROOT / "sim"
MARK = "// Rewritten by scripts/wave_code.py\n"
NO_GROUP = 0xFFFF
HART = "TOP.tally_sim_top.u_soc.g_hart[{}].u_hart."
GOLDEN = "TOP.tally_sim_top.g_golden[{}].u_golden."


class CodeError(Exception):
    """Verilator's text has another form than expected."""


def original(path):
    """What Verilator wrote."""
    text, kept = path.read_text(encoding="utf-8"), path.with_name(path.name + ".verilator")
    if text.startswith(MARK):
        return kept.read_text(encoding="utf-8")
    kept.write_text(text, encoding="utf-8")
    return text


def functions(text):
    """(begin, end) of each function's body by its name, braces included."""
    found = {}
    for match in re.finditer(r"^(?:VL_ATTR_COLD )?void (\w+)\([^;{]*\) \{$", text, re.M):
        end = text.index("\n}\n", match.end())
        found[match[1]] = (match.end(), end)
    return found


# ------------------------------------------------------------------------------------------------ default set


def story_signals():
    """Names from the hart on, golden ones with `golden.` before, as in the stories."""
    rows, names = [], set()
    for path in sorted((SIM / "stories").glob("*.yaml")):
        story = yaml.safe_load(path.read_text(encoding="utf-8"))
        names |= set(story.get("signals", {}).values())
        rows += [row for group in story["view"] if isinstance(group, dict) for row in group["rows"]]
    groups = yaml.safe_load((SIM / "groups.yaml").read_text(encoding="utf-8"))
    rows += [row for group in groups.values() for row in group["rows"]]
    for row in rows:
        names |= {row["show"]} if "show" in row else set(row.get("pair", []))
        names |= {f"golden.mismatch_{row['mismatch']}"} if "mismatch" in row else set()
    return names | set(yaml.safe_load((SIM / "default.yaml").read_text(encoding="utf-8")))


def default_names(harts):
    full = set()
    for name in story_signals():
        for hart in range(harts):
            golden = name.startswith("golden.")
            full.add(GOLDEN.format(hart) + name[len("golden."):] if golden else HART.format(hart) + name)
    return full


# ------------------------------------------------------------------------------------------------ declarations


class Names:
    """Scopes of every code, and the codes of the default set, from the functions that declare signals."""

    DECLARE = re.compile(r'tracep->decl(\w+)\(c\+(\d+)(?:\+i\*(\d+))?,"([^"]+)",.*?, ?(true|false),')
    LOOP = re.compile(r"for \(int i = 0; i < (\d+); \+\+i\) \{")
    CALL = re.compile(r"^(\w+trace_init_sub\w+)\(")

    def __init__(self, text, prefix):
        self.text, self.functions = text, functions(text)
        self.scopes = collections.defaultdict(list)  # by code
        self.names = collections.defaultdict(list)   # by code: full names
        self.scope = ["TOP"]
        self.times = 1
        self.read(f"{prefix}___024root__trace_init_top")

    def read(self, function):
        begin, end = self.functions[function]
        for line in self.text[begin:end].split("\n"):
            line = line.strip()
            if match := re.match(r'tracep->pushNamePrefix\("(.*) "\);', line):
                self.scope.append(match[1])
            elif match := re.match(r"tracep->popNamePrefix\((\d*)\);", line):
                del self.scope[-int(match[1] or 1):]
            elif match := self.LOOP.match(line):
                self.times = int(match[1])
            elif line == "}":
                self.times = 1
            elif match := self.DECLARE.match(line):
                self.declare(match)
            elif match := self.CALL.match(line):
                self.read(match[1])
            elif "tracep" in line and "VL_DEBUG" not in line:
                raise CodeError(f"a declaration of another form: {line[:120]}")

    def declare(self, match):
        scope = ".".join(self.scope)
        for i in range(self.times):
            code = int(match[2]) + i * int(match[3] or 0)
            element = f"[{i}]" if match[5] == "true" else ""
            self.scopes[code].append(scope)
            self.names[code].append(f"{scope}.{match[4]}{element}")

    def groups(self, harts):
        """The group of each code, and their number."""
        wanted = default_names(harts)
        wanted |= {"TOP.clk"}
        places = {}
        found = {}
        for code, names in self.names.items():
            if any(name in wanted or re.sub(r"\[\d+\]$", "", name) in wanted for name in names):
                found[code] = 0
            else:
                found[code] = places.setdefault(self.scopes[code][0], len(places) + 1)
        return found, len(places) + 1


# ------------------------------------------------------------------------------------------------ comparison


def statements(text):
    """The statements of a block, each with its end."""
    depth, begin, found = 0, 0, []
    for i, char in enumerate(text):
        depth += (char in "({") - (char in ")}")
        if depth == 0 and char in ";}":
            found.append(text[begin:i + 1].strip())
            begin = i + 1
    if text[begin:].strip():
        raise CodeError(f"text behind the last statement: {text[begin:].strip()[:120]}")
    return found


def grouped(block, base, groups):
    """Statements of a block, those that compare a signal under the condition of its group. Those that need
    a variable of the function stay in their order, and are compared in any case."""
    free, by_group = [], collections.defaultdict(list)
    for statement in statements(block):
        match = re.match(r"bufp->chg\w+\(oldp\+(\d+),", statement)
        if match and "__Vtemp" not in statement:
            by_group[groups.get(base + int(match[1]), NO_GROUP)].append(statement)
        else:
            free.append(statement)
    lines = list(free)
    for group, texts in sorted(by_group.items()):
        if group == NO_GROUP:  # no name
            continue
        lines += [f"if (bufp->on({group})) {{", *texts, "}"]
    return "\n".join(lines)


def compare_by_group(text, groups):
    """The functions that compare: ..._trace_chg_sub_N"""
    for name, (begin, end) in reversed(functions(text).items()):
        if "__trace_chg_sub_" not in name:
            continue
        body = text[begin:end]
        head, rest = body.split("    // Body\n", 1)
        base = int(re.search(r"__Vm_baseCode \+ (\d+)\)", head)[1]) if "__Vm_baseCode + " in head else 0
        lines = []
        for statement in statements(rest):
            if match := re.match(r"(if \(VL_UNLIKELY\([^{]*\) \{)(.*)\}$", statement, re.S):
                lines += [match[1], grouped(match[2], base, groups), "}"]
            else:
                lines.append(statement)
        plain = [line for line in lines if line.startswith("bufp->") or "__Vtemp" in line.split("\n")[0]]
        nested = "\n".join(line for line in lines if line not in plain)
        body = f"{head}    // Body\n{nested}\n{grouped(chr(10).join(plain), base, groups)}"
        text = text[:begin] + body + text[end:]
    return text


def retarget(text):
    """Verilator's classes become those of tb/wave_trace.h."""
    text = text.replace('#include "verilated_fst_c.h"\n', '#include "verilated_fst_c.h"\n#include "wave_trace.h"\n', 1)
    return text.replace("VerilatedFst::Buffer", "WaveBuffer").replace("VerilatedFst*", "WaveNames*")


def without_register(text, prefix):
    """The function that tells Verilator's classes of the others is not needed."""
    begin, end = functions(text)[f"{prefix}___024root__trace_register"]
    return text[:begin] + "\n    // not used" + text[end:]


TABLE = """
static void wave_names(void* root, WaveNames* names) {{
    auto* const self = static_cast<{prefix}___024root*>(root);
    self->vlSymsp->__Vm_baseCode = 0;
    names->pushNamePrefix("TOP ");
    {prefix}___024root__trace_init_top(self, names);
    names->popNamePrefix();
}}

static void wave_change(void* root, WaveBuffer* buffer) {{
    {prefix}___024root__trace_chg_top_0(root, buffer);
    {prefix}___024root__trace_cleanup(root, nullptr);
}}

static void wave_full(void* root, WaveBuffer* buffer) {{
    {prefix}___024root__trace_full_top_0(root, buffer);
    {prefix}___024root__trace_cleanup(root, nullptr);
}}

static const uint16_t wave_group[] = {{{groups}}};

extern const WaveModel {prefix}_waves;
const WaveModel {prefix}_waves = {{wave_names, wave_full, wave_change, wave_group, {codes}, {number}}};
"""


def rewrite(folder, prefix):
    paths = sorted(folder.glob(f"{prefix}__Trace__*.cpp"))
    texts = {path: original(path) for path in paths}
    slow = next((path for path, text in texts.items() if "trace_register(" in text), None)
    if slow is None:
        raise CodeError(f"{folder}: no {prefix}__Trace__*.cpp with a function trace_register")
    if any("__trace_chg_top_1" in text for text in texts.values()):
        raise CodeError("more than one function trace_chg_top: is the model made with threads?")
    everything = "\n".join(texts.values())
    names = Names(everything, prefix)
    harts = len({name for code in names.names.values() for name in code if name.endswith(".u_hart.clk")})
    groups, number = names.groups(harts)
    codes = 1 + max(int(code) for code in re.findall(r"c\+(\d+)", everything)) + 64  # a wide one may be the last
    codes = max(codes, 1 + max(groups) + 64)
    for path, text in texts.items():
        if path == slow:
            table = ", ".join(str(groups.get(code, NO_GROUP)) for code in range(codes))
            text = without_register(text, prefix)
            text += TABLE.format(prefix=prefix, groups=table, codes=codes, number=number)
        path.write_text(MARK + retarget(compare_by_group(text, groups)), encoding="utf-8")
    main = folder / f"{prefix}.cpp"
    text = original(main)
    before, rest = text.split("// Trace configuration\n", 1)
    trace = re.search(r"^VL_ATTR_COLD void \w+::trace\([^)]*\) \{$", rest, re.M)
    main.write_text(MARK + before + "// Trace configuration\n\n" + trace[0] + "}\n", encoding="utf-8")


def main(argv):
    if len(argv) != 2:
        print(__doc__, file=sys.stderr)
        return 2
    try:
        rewrite(pathlib.Path(argv[0]), argv[1])
    except (CodeError, OSError) as err:
        print(f"wave_code.py: {err}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
