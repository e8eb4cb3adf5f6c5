# SPDX-License-Identifier: Apache-2.0
"""The rule of scripts/lint.py about modules of C, C++ and assembly: none depends on itself through others.

A module is a header and the sources beside it that have its name. It depends on the modules whose headers it includes,
and on those that define the functions and variables that it uses. A use counts where an included header of the project
declares the name; it leads to the source that includes that header, too, and defines it. Assembly counts by its
includes and definitions: a trap's entry calls any server of traps.
"""

import collections
import posixpath
import re

SOURCES = (".c", ".cpp", ".S", ".inc")
SUFFIXES = (*SOURCES, ".h")
INCLUDE = re.compile(r'^\s*#\s*include\s+"([^"]+)"', re.M)
NOT_CODE = re.compile(r'/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\\n])*"', re.S)
CALL = re.compile(r"\b([A-Za-z_]\w*)\(")
EXTERN = re.compile(r"^extern\b([^;(]*);", re.M)
DECLARATOR = re.compile(r"(\w+)(?:\[[^\]]*\])*$")
INLINE = re.compile(r"\bstatic inline\b[^;{(]*?(\w+)\(")
MACRO = re.compile(r"#\s*define\s+(\w+)")
# At the beginning of a line, as clang-format has them: functions with a body and variables that are not static
OPENING = r"^(?!(?:static|typedef|extern|return|else|using|namespace|class|enum)\b)[A-Za-z_][\w *<>:&,]*?[\s*&:]"
FUNCTION = re.compile(OPENING + r"(~?\w+)\([^;{}]*?\)(?:\s*(?:const|noexcept|override))*\s*(?::[^;{]*)?\{", re.M)
CONSTRUCTOR = re.compile(r"^\w+::(\w+)\(", re.M)
VARIABLE = re.compile(OPENING + r"(\w+)(?:\[[^;=]*\])*\s*(?:=[^;]*)?;", re.M)
GLOBAL = re.compile(r"^\s*\.gl?oba?l\s+(\w+)", re.M)
ADDRESS = re.compile(r"(?<=[,={(:])\s*&?(\w+)\s*(?=[,;})])")
# Circles that are left, by folder, and why
LEFT = {
    "sw/linux/drivers/": "the driver's object is in the file of its entry points, which calls every part",
}
KEYWORDS = {"if", "while", "for", "switch", "return", "sizeof", "defined", "alignas", "__attribute__", "__asm__"}


def module(name):
    return name.rsplit(".", 1)[0]


def nearness(one, other):
    """Folders that two paths share."""
    return len(posixpath.commonpath([posixpath.dirname(one) or ".", posixpath.dirname(other) or "."]))


def nearest(name, candidates):
    best = max(nearness(name, other) for other in candidates)
    return sorted(other for other in candidates if nearness(name, other) == best)


def included(texts):
    """By file: the project's files that it includes, itself."""
    by_name = collections.defaultdict(list)
    for name in texts:
        by_name[posixpath.basename(name)].append(name)
    found = {}
    for name, text in texts.items():
        found[name] = set()
        for what in INCLUDE.findall(text):
            beside = posixpath.normpath(posixpath.join(posixpath.dirname(name), what))
            others = [other for other in by_name[posixpath.basename(what)] if f"/{other}".endswith(f"/{what}")]
            if beside in texts:
                found[name].add(beside)
            elif others:
                found[name].add(nearest(name, others)[0])
    return found


def reachable(graph, start):
    seen, left = set(), [start]
    while left:
        for other in graph[left.pop()] - seen:
            seen.add(other)
            left.append(other)
    return seen


def declared(code):
    """Names that a header declares for others to define; those that are variables."""
    parts = [part.strip() for text in EXTERN.findall(code) for part in text.split(",")]
    variables = {found[1] for found in map(DECLARATOR.search, parts) if found}
    here = set(INLINE.findall(code)) | set(MACRO.findall(code))
    return (set(CALL.findall(code)) | variables) - KEYWORDS - here, variables


def defined(name, code):
    if name.endswith(".S"):
        return set(GLOBAL.findall(code))
    return {found for pattern in (FUNCTION, CONSTRUCTOR, VARIABLE) for found in pattern.findall(code)}


def used(name, code, names, variables):
    """Names of `names` that the source calls, or whose address it takes."""
    calls = set(CALL.findall(code))
    words = set(re.findall(r"[A-Za-z_]\w*", code))
    found = (names & calls) | (variables & words)
    return found | (names & set(ADDRESS.findall(code)) if name.endswith(".c") else set())


def dependences(texts):
    """By module: the modules that it depends on, and for each of them why."""
    files = included(texts)
    code = {name: NOT_CODE.sub(" ", text) for name, text in texts.items()}
    seen = {name: reachable(files, name) for name in texts}
    headers = {name: declared(text) for name, text in code.items() if name.endswith(".h")}
    here = {name: defined(name, text) for name, text in code.items() if name.endswith((".c", ".cpp", ".S"))}
    homes = {name: collections.defaultdict(set) for name in headers}
    for name, names in here.items():
        for header in headers if name.endswith(".S") else seen[name] & headers.keys():
            for word in names & headers[header][0]:
                homes[header][word].add(name)
    found = collections.defaultdict(lambda: collections.defaultdict(set))
    for name, others in files.items():
        for other in others:
            found[module(name)][module(other)].add(posixpath.basename(other))
    for name, text in code.items():
        if not name.endswith((".c", ".cpp")):
            continue
        for header in seen[name] & headers.keys():
            names = homes[header].keys() - here[name]
            for word in used(name, text, names, headers[header][1] & names):
                for home in nearest(name, homes[header][word]):
                    found[module(name)][module(home)].add(word)
    return found


def components(graph):
    """Sets of two or more modules that reach each other (Tarjan)."""
    index, low, stack, found = {}, {}, [], []

    def visit(node):
        index[node] = low[node] = len(index)
        stack.append(node)
        for other in graph.get(node, ()):
            if other not in index:
                visit(other)
                low[node] = min(low[node], low[other])
            elif other in stack:
                low[node] = min(low[node], index[other])
        if low[node] == index[node]:
            at = stack.index(node)
            if len(stack) - at > 1:
                found.append(stack[at:])
            del stack[at:]

    for node in sorted(graph):
        if node not in index:
            visit(node)
    return found


def circle(graph, names):
    """The shortest way from the first of the names back to itself."""
    names = sorted(names)
    ways, left = {names[0]: [names[0]]}, collections.deque(names[:1])
    while left:
        node = left.popleft()
        for other in sorted(graph[node]):
            if other == names[0] and len(ways[node]) > 1:
                return ways[node]
            if other in names and other not in ways:
                ways[other] = ways[node] + [other]
                left.append(other)
    return names


def problems(texts):
    """Circles among these files, given by name."""
    graph = dependences(texts)
    said = []
    for names in components(graph):
        if any(all(name.startswith(folder) for name in names) for folder in LEFT):
            continue
        way = circle(graph, names)
        steps = [f"{one} -> {other} ({', '.join(sorted(graph[one][other])[:3])})"
                 for one, other in zip(way, way[1:] + way[:1])]
        said.append(f"{len(names)} modules depend on each other: {'; '.join(steps)}")
    return said
