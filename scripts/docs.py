#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The documentation as a small static site, and checks of its links, paths and commands.

    scripts/docs.py --build DIR            BUILD/site/index.html and the rest
    scripts/docs.py --build DIR --check    only the checks: links and their anchors, paths of the project in the text,
                                           commands (targets and variables of make, programs of the build, scripts),
                                           names and labels of tests, sections that a script should have filled

Pages are README.md, docs/, the folders' own READMEs and the generated reference, whose registers are drawn.
"""

import argparse
import fnmatch
import html
import pathlib
import re
import shlex
import shutil
import subprocess
import sys

try:
    import markdown
except ImportError:
    sys.exit("docs.py: Markdown is missing: run scripts/setup and use .venv/bin/python")

ROOT = pathlib.Path(__file__).resolve().parent.parent
SECTIONS = {  # of the sidebar; pages that are in none come last
    "Start": ["README.md", "docs/programs.md", "docs/gdb.md"],
    "The unit": ["docs/pmu.md", "docs/integration.md", "docs/sampling.md", "docs/ebb.md", "docs/events.md",
                 "reference.md", "docs/golden.md", "docs/standards.md", "docs/rulings.md", "docs/glossary.md"],
    "The machine": ["docs/hart.md", "docs/firmware.md", "docs/linux.md", "docs/systemc.md", "docs/waves.md",
                    "docs/boards.md", "docs/host.md", "docs/security.md"],
    "What it showed": ["docs/verification.md", "docs/rules.md", "docs/sbi-differences.md", "docs/performance.md",
                       "docs/accuracy.md", "docs/compare.md", "docs/overhead.md", "docs/profile.md", "docs/history.md"],
}
FOLDERS = ("rtl", "tb", "docs", "scripts", "tests", "sw", "firmware", "spec", "sim", "cmake", "constraints", ".ci")
STYLE = """
body { margin: 0; font: 16px/1.5 system-ui, sans-serif; color: #1c2530; display: flex; }
nav { width: 14rem; flex: none; padding: 1.5rem; background: #f3f5f7; min-height: 100vh; box-sizing: border-box; }
nav b { display: block; margin-top: 1rem; } nav a { display: block; } nav .here { font-weight: 600; color: #1c2530; }
main { padding: 1.5rem 2.5rem; max-width: 62rem; min-width: 0; }
a { color: #0a5fb4; text-decoration: none; } a:hover { text-decoration: underline; }
pre { background: #f3f5f7; padding: .8rem 1rem; overflow-x: auto; line-height: 1.35; }
code { font: 14px ui-monospace, monospace; } p code, li code, td code { background: #f3f5f7; padding: 0 .2em; }
table { border-collapse: collapse; display: block; overflow-x: auto; } img { max-width: 100%; }
th, td { border: 1px solid #d5dbe1; padding: .25rem .6rem; text-align: left; vertical-align: top; }
svg text { font: 11px ui-monospace, monospace; } svg rect { fill: #fff; stroke: #8c98a4; } svg .gap { fill: #e6eaee; }
"""


def git_files():
    out = subprocess.run(["git", "ls-files", "--cached", "--others", "--exclude-standard"], cwd=ROOT, text=True,
                         stdout=subprocess.PIPE, check=True).stdout.split("\n")
    return {name for name in out if name and (ROOT / name).exists()}


# --- Pages ----------------------------------------------------------------------------------------------------------

class Page:
    def __init__(self, name, path):
        self.name = name                      # in the project; reference.md for the generated one
        self.text = path.read_text(encoding="utf-8")
        stem = "index" if name == "README.md" else re.sub(r"(^docs/|/README)?\.md$", "", name).removeprefix("docs/")
        self.file = stem.replace("/", "-") + ".html"
        reader = markdown.Markdown(extensions=["tables", "fenced_code", "toc"])
        self.html = reader.convert(self.text)
        self.title = html.unescape(re.sub("<.*?>", "", re.search(r"<h1.*?>(.*?)</h1>", self.html)[1]))
        self.anchors = set(re.findall(r' id="([^"]+)"', self.html))
        self.folder = pathlib.PurePosixPath(name).parent


def load(build, files):
    more = re.compile(r"docs/[^/]+\.md|(sim|spec|constraints(/\w+)?)/README\.md")
    found = ["README.md", *filter(more.fullmatch, files)]
    pages = {name: Page(name, ROOT / name) for name in sorted(found)}
    pages["reference.md"] = Page("reference.md", build / "generated" / "reference.md")
    return pages


def without_code(text):
    """Prose alone: neither fenced nor indented blocks."""
    text = re.sub(r"^```.*?^```", "", text, flags=re.M | re.S)
    return re.sub(r"(?:(?<=\n\n)|^)(?: {4}.*\n|\n)+", "\n", text)


def blocks(text):
    """Lines of code blocks."""
    fenced = re.findall(r"^```\w*\n(.*?)^```", text, re.M | re.S)
    indented = re.findall(r"(?:(?<=\n\n)|^)((?: {4}.*\n|\n)+)", re.sub(r"^```.*?^```", "", text, flags=re.M | re.S))
    return [line.strip() for block in fenced + indented for line in block.split("\n") if line.strip()]


def words(line):
    """The commands of a line of shell, each as its words."""
    lexer = shlex.shlex(line, posix=True, punctuation_chars=True)
    lexer.whitespace_split = True
    try:
        found = list(lexer)
    except ValueError:  # a quotation that ends on another line, or no shell at all
        found = line.split()
    commands = [[]]
    for word in found:
        if re.fullmatch(r"[();<>|&]+", word):
            commands.append([])
        else:
            commands[-1].append(word)
    return commands


def ctest(build, *options):
    """What `ctest --test-dir BUILD` says; nothing where no build is configured."""
    if not (build / "CTestTestfile.cmake").exists():
        return ""
    return subprocess.run(["ctest", "--test-dir", str(build), *options], text=True, check=True,
                          stdout=subprocess.PIPE, stderr=subprocess.DEVNULL).stdout


# --- Checks ---------------------------------------------------------------------------------------------------------

class Checks:
    def __init__(self, pages, files, build):
        self.pages, self.files, self.build = pages, files, build
        self.folders = {str(parent) for name in files for parent in pathlib.PurePosixPath(name).parents}
        self.basenames = {pathlib.PurePosixPath(name).name for name in files}
        makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
        self.targets = set(re.findall(r"^([a-z-]+):", makefile, re.M))
        self.variables = set(re.findall(r"\$\((?:or \$\()?([A-Z_]+)\b", makefile))
        ninja = build / "build.ninja"
        text = ninja.read_text(encoding="utf-8") if ninja.exists() else ""
        self.programs = set(re.findall(r"^build ([\w./-]+?)(?: \|.*)?:", text, re.M))
        self.basenames |= {pathlib.PurePosixPath(name).name for name in self.programs}
        self.tests = set(re.findall(r"^ *Test +#\d+: (\S+)", ctest(build, "-N"), re.M))
        self.labels = set(re.findall(r"^  (\S+)$", ctest(build, "--print-labels"), re.M))
        self.problems = []
        self.counted = dict.fromkeys(("links", "paths", "commands", "tests"), 0)

    def wrong(self, page, what):
        self.problems.append(f"{page.name}: {what}")

    def run(self):
        for page in self.pages.values():
            self.links(page)
            self.paths(page)
            self.sections(page)
            self.named_tests(page)
            for line in [*blocks(page.text), *re.findall(r"`([^`\n]+)`", without_code(page.text))]:
                self.command(page, line)
        return self.problems

    def links(self, page):
        for target in re.findall(r"!?\[[^\]]*\]\(([^)\s]+)\)", without_code(page.text)):
            if re.match(r"https?:", target):
                continue
            self.counted["links"] += 1
            path, _, anchor = target.partition("#")
            name = resolve(page, path) if path else page.name
            if name not in self.files and name not in self.folders and name not in self.pages:
                self.wrong(page, f"link to {target}: there is no {name}")
            elif anchor and name in self.pages and anchor not in self.pages[name].anchors:
                self.wrong(page, f"link to {target}: no such heading")

    def exists(self, path):
        path = path.rstrip("/")
        if "*" in path or "<" in path or "{" in path:
            pattern = re.sub(r"<\w+>", "*", path)
            pattern = re.sub(r"\{(\w+),.*?\}", r"\1", pattern)
            return any(pathlib.PurePosixPath(name).match(pattern) for name in self.files | self.folders)
        return path in self.files or path in self.folders

    def paths(self, page):
        folders = "|".join(re.escape(name) for name in FOLDERS)
        for path in re.findall(rf"`((?:{folders})/[\w./*<>{{}},-]*)`", without_code(page.text)):
            self.counted["paths"] += 1
            if not self.exists(path):
                self.wrong(page, f"`{path}` is not there")

    def sections(self, page):
        """What a script writes between `<!-- name -->` and `<!-- end of name -->` is there."""
        for name in re.findall(r"<!-- (?!end\b)(.*?) -->\s*<!-- end\b", page.text):
            self.wrong(page, f"<!-- {name} -->: nothing is in it")

    def named_tests(self, page):
        """`formal.fits`, and whatever follows the word test."""
        groups = "|".join(sorted({name.split(".")[0] for name in self.tests if "." in name})) or "(?!)"
        text = without_code(page.text)
        found = {*re.findall(rf"`((?:{groups})\.[\w*]+)`", text), *re.findall(r"\btests? `(\w+[._][\w.*]+)`", text)}
        for name in sorted(found - self.basenames if self.tests else ()):
            self.counted["tests"] += 1
            if not fnmatch.filter(self.tests, name):
                self.wrong(page, f"`{name}`: there is no such test")

    def ctest(self, page, line, command):
        """Each alternative of -R, -E, -L, -LE is in some test's name or in some label."""
        for option, pattern in zip(command, command[1:]):
            kind = {"-R": "test", "-E": "test", "-L": "label", "-LE": "label"}.get(option)
            there = self.tests if kind == "test" else self.labels
            for part in filter(None, re.split(r"[()|^$]", pattern)) if kind and there else ():
                self.counted["tests"] += 1
                if not any(re.search(part, name) for name in there):
                    self.wrong(page, f"`{line}`: no {kind} {part}")

    def variable(self, page, line, setting):
        self.counted["commands"] += 1
        name = setting.split("=")[0]
        if name not in self.variables:
            self.wrong(page, f"`{line}`: the Makefile has no variable {name}")

    def make(self, page, line, command):
        for word in command:
            if re.match(r"\w+=", word):
                self.variable(page, line, word)
            elif re.fullmatch(r"[a-z][a-z-]*", word):
                self.counted["commands"] += 1
                if word not in self.targets:
                    self.wrong(page, f"`{line}`: make has no target {word}")

    def command(self, page, line):
        line = re.sub(r"^\$ ", "", line)
        for command in words(line):
            while command and re.fullmatch(r"\w+=.*|nice|time", command[0]):
                if "make" in command and "=" in command[0]:
                    self.variable(page, line, command[0])
                command = command[1:]
            if command and command[0] == "make":
                self.make(page, line, command[1:])
            elif command and command[0] == "ctest":
                self.ctest(page, line, command[1:])
        for script in re.findall(r"(?:^|[ /])(scripts/[\w.-]+)", line):
            self.counted["commands"] += 1
            if not self.exists(script):
                self.wrong(page, f"`{line}`: no {script}")
        for program in re.findall(r"(?:^|\s)build/((?:sw/)?[\w.-]+)(?=\s|$)", line):
            if self.programs:
                self.counted["commands"] += 1
                made = program.split("/")[0] in ("generated", "site", "linux", "fpga", "profile")
                if program not in self.programs and not made:
                    self.wrong(page, f"`{line}`: the build makes no {program}")


def resolve(page, path):
    """A link's target as a name of the project."""
    parts = []
    for part in (page.folder / path).parts:
        if part == "..":
            parts = parts[:-1]
        elif part != ".":
            parts.append(part)
    return "/".join(parts)


# --- The site -------------------------------------------------------------------------------------------------------

def register(rows, wide):
    """A drawing of a register; rows: (msb, lsb, name)."""
    box, height = 27, 40
    out = []
    for top, first in enumerate([63, 31] if wide else [31]):
        y = 16 + top * (height + 28)
        edges = []
        bit = first
        while bit > first - 32:
            row = next(((m, l, n) for m, l, n in rows if l <= bit <= m), None)
            low = max(row[1], first - 31) if row else max([m + 1 for m, _, _ in rows if m < bit] + [first - 31])
            edges.append((bit, low, row[2] if row else ""))
            bit = low - 1
        for high, low, name in edges:
            x, w = (first - high) * box, (high - low + 1) * box
            fits = len(name) * 7 <= w - 2
            out.append(f'<rect x="{x}" y="{y}" width="{w}" height="{height}"{"" if name else " class=gap"}/>')
            turn = "" if fits else f' transform="rotate(-90 {x + w / 2} {y + height / 2})" font-size="8"'
            if name and (fits or w <= 2 * box):
                label = name if fits else name[:8]
                out.append(f'<text x="{x + w / 2}" y="{y + height / 2 + 4}" text-anchor="middle"{turn}>'
                           f'{html.escape(label)}<title>{html.escape(name)}</title></text>')
            out.append(f'<text x="{x + 3}" y="{y - 4}">{high}</text>')
            if low != high:
                out.append(f'<text x="{x + w - 3}" y="{y - 4}" text-anchor="end">{low}</text>')
    total = 16 + (2 if wide else 1) * (height + 28) - 20
    return f'<svg viewBox="-1 0 {32 * box + 2} {total}" width="100%" role="img">{"".join(out)}</svg>'


def draw_registers(text):
    """Put a drawing before every table of bits."""
    def with_drawing(match):
        rows = re.findall(r"<td>(\d+)(?::(\d+))?.*?</td>\s*<td>(.*?)</td>", match[0])
        fields = [(int(m), int(l or m), name) for m, l, name in rows]
        return register(fields, max(m for m, _, _ in fields) > 31) + match[0] if fields else match[0]
    return re.sub(r"<table>\s*<thead>\s*<tr>\s*<th>Bits</th>.*?</table>", with_drawing, text, flags=re.S)


def rendered(page, pages):
    """The page's HTML, its links to other pages, and names of pages in the text as links."""
    def relink(match):
        path, hash_, anchor = match[2].partition("#")
        name = resolve(page, path) if path else page.name
        return f'{match[1]}"{pages[name].file}{hash_}{anchor}"' if name in pages else match[0]

    def mention(match):
        return f'<a href="{pages[match[1]].file}">{match[0]}</a>' if match[1] in pages else match[0]

    text = re.sub(r'(<a href=)"((?!https?:)[^"]*)"', relink, page.html)
    text = re.sub(r"(?<!>)<code>([\w./-]+\.md)</code>", mention, text)
    text = re.sub(r'(<img [^>]*src=)"((?!https?:)[^"]*)"',
                  lambda m: f'{m[1]}"images/{pathlib.PurePosixPath(m[2]).name}"', text)
    return draw_registers(text) if page.name == "reference.md" else text


def sidebar(pages, here):
    named = {name for names in SECTIONS.values() for name in names}
    sections = {**SECTIONS, "Folders": [name for name in pages if name not in named]}
    out = []
    for title, names in sections.items():
        entries = [pages[name] for name in names if name in pages]
        out.append(f"<b>{title}</b>" if entries else "")
        for page in entries:
            mark = ' class="here"' if page is here else ""
            out.append(f'<a href="{page.file}"{mark}>{html.escape(page.title)}</a>')
    return "".join(out)


def write(pages, files, out):
    shutil.rmtree(out, ignore_errors=True)
    (out / "images").mkdir(parents=True)
    for page in pages.values():
        body = rendered(page, pages)
        (out / page.file).write_text(
            f'<!DOCTYPE html><html lang="en"><meta charset="utf-8"><title>{html.escape(page.title)}</title>'
            f"<style>{STYLE}</style><nav>{sidebar(pages, page)}</nav><main>{body}</main></html>\n", encoding="utf-8")
    for name in files:
        if re.fullmatch(r"docs/.*\.(png|svg)", name):
            shutil.copy(ROOT / name, out / "images")


def main(argv):
    parser = argparse.ArgumentParser(description="The documentation as a site.")
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build", help="configured build directory")
    parser.add_argument("--check", action="store_true", help="only check")
    args = parser.parse_args(argv)
    if not (args.build / "generated" / "reference.md").exists():
        parser.error(f"{args.build} has no generated/reference.md: build first")
    files = git_files()
    pages = load(args.build, files)
    checks = Checks(pages, files, args.build)
    problems = checks.run()
    for problem in problems:
        print(f"docs: {problem}", file=sys.stderr)
    if not args.check:
        write(pages, files, args.build / "site")
        print(f"{len(pages)} pages: {args.build / 'site' / 'index.html'}")
    counts = ", ".join(f"{n} {what}" for what, n in checks.counted.items())
    print(f"docs: {counts} checked, {len(problems) or 'no'} problems")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
