#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The documentation as a site (scripts/docs_site.py), and checks of its links, paths and commands.

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
import subprocess
import sys

import docs_site

try:
    import markdown
except ImportError:
    sys.exit("docs.py: Markdown is missing: run scripts/setup and use .venv/bin/python")

ROOT = pathlib.Path(__file__).resolve().parent.parent
FOLDERS = ("rtl", "tb", "docs", "scripts", "tests", "sw", "firmware", "spec", "sim", "cmake", "constraints", ".ci")


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
        self.source = stem.replace("/", "-") + ".md"  # in the site
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
    except ValueError:  # an open quotation, or no shell at all
        found = line.split()
    commands = [[]]
    for word in found:
        if re.fullmatch(r"[();<>|&]+", word):
            commands.append([])
        else:
            commands[-1].append(word)
    return commands


def ctest(build, *options):
    """The output of `ctest --test-dir BUILD`; empty where no build is configured."""
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
            name = docs_site.resolve(page, path) if path else page.name
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
        """Sections `<!-- name -->` to `<!-- end of name -->`, which a script writes, are not empty."""
        for name in re.findall(r"<!-- (?!end\b)(.*?) -->\s*<!-- end\b", page.text):
            self.wrong(page, f"<!-- {name} -->: nothing is in it")

    def named_tests(self, page):
        """`formal.fits`, and names after the word test."""
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
                written = program == "tally-farm"   # when the build is configured
                if program not in self.programs and not made and not written:
                    self.wrong(page, f"`{line}`: the build makes no {program}")


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
        docs_site.write(pages, files, args.build)
        print(f"{len(pages)} pages: {args.build / 'site' / 'index.html'}")
    counts = ", ".join(f"{n} {what}" for what, n in checks.counted.items())
    print(f"docs: {counts} checked, {len(problems) or 'no'} problems")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
