# SPDX-License-Identifier: Apache-2.0
"""The documentation's pages as a site, by MkDocs with the theme Material: BUILD/site, from BUILD/site-pages."""

import html
import json
import pathlib
import re
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
SHIM = ROOT / ".npm" / "node_modules" / "iframe-worker" / "shim" / "index.js"  # workers for a site read from files
SECTIONS = {  # of the contents; pages that are in none come last
    "Start": ["README.md", "docs/first-hour.md", "docs/paths.md", "docs/programs.md", "docs/profile.md", "docs/gdb.md",
              "docs/waves.md"],
    "The unit": ["docs/pmu.md", "docs/integration.md", "docs/cores.md", "docs/sampling.md", "docs/ebb.md",
                 "docs/events.md", "reference.md", "docs/golden.md", "docs/standards.md", "docs/rulings.md",
                 "docs/glossary.md"],
    "The machine": ["docs/hart.md", "docs/firmware.md", "docs/linux.md", "docs/systemc.md", "docs/boards.md",
                    "docs/host.md", "docs/farm.md", "docs/security.md"],
    "What it showed": ["docs/verification.md", "docs/rules.md", "docs/sbi-differences.md", "docs/performance.md",
                       "docs/accuracy.md", "docs/compare.md", "docs/overhead.md", "docs/history.md"],
}
SETTINGS = {
    "site_name": "Tally",
    "site_description": "An open performance monitoring unit for RISC-V",
    "site_url": "",
    "use_directory_urls": False,  # the site is read from files too
    "theme": {
        "name": "material",
        "font": False,
        "features": ["navigation.instant.prefetch", "navigation.tabs", "navigation.top", "navigation.footer",
                     "search.suggest", "search.highlight", "toc.follow", "content.code.copy"],
        "palette": [
            {"media": "(prefers-color-scheme)", "toggle": {"icon": "material/brightness-auto", "name": "Light"}},
            {"media": "(prefers-color-scheme: light)", "scheme": "default", "primary": "indigo",
             "toggle": {"icon": "material/brightness-7", "name": "Dark"}},
            {"media": "(prefers-color-scheme: dark)", "scheme": "slate", "primary": "indigo",
             "toggle": {"icon": "material/brightness-4", "name": "As the system has it"}},
        ],
        "icon": {"logo": "material/counter"},
    },
    "plugins": ["search", "offline"],
    "markdown_extensions": ["tables", "fenced_code", "attr_list", {"toc": {"permalink": True}},
                            {"pymdownx.highlight": {"use_pygments": True}}, "pymdownx.superfences"],
    "extra": {"generator": False, "polyfills": ["iframe-worker.js"]},
    "extra_css": ["site.css"],
    "validation": {"links": {"not_found": "warn", "anchors": "warn", "absolute_links": "warn"}},
}
STYLE = """
.md-grid { max-width: 76rem; }
.md-typeset table:not([class]) { font-size: .68rem; display: block; overflow-x: auto; }
.md-typeset table:not([class]) th { min-width: 0; }
.md-typeset svg.register { width: 100%; max-width: 46rem; }
svg.register text { font: 11px ui-monospace, monospace; fill: var(--md-default-fg-color); }
svg.register rect { fill: var(--md-default-bg-color); stroke: var(--md-default-fg-color--light); }
svg.register .gap { fill: var(--md-default-fg-color--lightest); }
"""


def resolve(page, path):
    """A link's target as a name of the project."""
    parts = []
    for part in (page.folder / path).parts:
        if part == "..":
            parts = parts[:-1]
        elif part != ".":
            parts.append(part)
    return "/".join(parts)



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
    return f'<svg class="register" viewBox="-1 0 {32 * box + 2} {total}" role="img">{"".join(out)}</svg>'


def draw_registers(text):
    """Put a drawing before every table of bits."""
    def with_drawing(match):
        rows = re.findall(r"^\| *(\d+)(?::(\d+))?[^|]*\| *([^|]*?) *\|", match[0], re.M)
        fields = [(int(m), int(l or m), name) for m, l, name in rows]
        return f"{register(fields, max(m for m, _, _ in fields) > 31)}\n\n{match[0]}" if fields else match[0]
    return re.sub(r"^\| *Bits *\|.*\n(?:\|.*\n?)+", with_drawing, text, flags=re.M)


def relinked(page, pages):
    """The page's text with links to other pages as they are in the site, and their names in it as links."""
    def link(match):
        path, hash_, anchor = match[3].partition("#")
        if re.match(r"https?:", match[3]) or not path:
            return match[0]
        name = resolve(page, path)
        if match[1]:
            return f"{match[1]}[{match[2]}](images/{pathlib.PurePosixPath(name).name})"
        return f"[{match[2]}]({pages[name].source}{hash_}{anchor})" if name in pages else match[2]

    def mention(match):
        return f"[`{match[1]}`]({pages[match[1]].source})" if match[1] in pages and match[1] != page.name else match[0]

    lines, fenced, code = [], False, False
    for line in page.text.split("\n"):
        fenced ^= line.startswith("```")
        code = not fenced and line.startswith("    ") and (code or not lines or not lines[-1].strip())
        if not fenced and not code:
            line = re.sub(r"(!?)\[([^\]]*)\]\(([^)\s]+)\)", link, line)
            line = re.sub(r"(?<!\[)`([\w./-]+\.md)`", mention, line)
        lines.append(line)
    text = "\n".join(lines)
    return draw_registers(text) if page.name == "reference.md" else text


def contents(pages):
    named = {name for names in SECTIONS.values() for name in names}
    sections = {**SECTIONS, "Folders": [name for name in pages if name not in named]}
    return [{title: [{pages[name].title: pages[name].source} for name in names if name in pages]}
            for title, names in sections.items() if any(name in pages for name in names)]


def stage(pages, files, folder):
    """The pages as MkDocs reads them."""
    shutil.rmtree(folder, ignore_errors=True)
    (folder / "images").mkdir(parents=True)
    for page in pages.values():
        (folder / page.source).write_text(relinked(page, pages), encoding="utf-8")
    for name in files:
        if re.fullmatch(r"docs/.*\.(png|svg)", name):
            shutil.copy(ROOT / name, folder / "images")
    (folder / "site.css").write_text(STYLE, encoding="utf-8")
    if SHIM.exists():
        shutil.copy(SHIM, folder / "iframe-worker.js")


def write(pages, files, build):
    stage(pages, files, build / "site-pages")
    settings = {**SETTINGS, "docs_dir": "site-pages", "site_dir": "site", "nav": contents(pages)}
    (build / "site.yml").write_text(json.dumps(settings, indent=1), encoding="utf-8")  # JSON is YAML too
    command = [sys.executable, "-m", "mkdocs", "build", "--quiet", "--strict", "-f", str(build / "site.yml")]
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    if "No module named mkdocs" in done.stdout:
        sys.exit("docs.py: MkDocs is missing: run scripts/setup --with docs and use .venv/bin/python")
    if done.returncode:
        sys.exit(f"docs.py: MkDocs failed:\n{done.stdout}")
