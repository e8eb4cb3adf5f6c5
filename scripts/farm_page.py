# SPDX-License-Identifier: Apache-2.0
"""The page of a campaign: one file without scripts, for light and dark screens."""

import html
import os
import pathlib

from farm_windows import Wrong

STYLE = """
:root { color-scheme: light dark; --ink: #1b1f24; --faint: #6a737d; --paper: #fff; --line: #d8dee4;
  --good: #1a7f37; --bad: #b42318; --curve: #0b62c4; }
@media (prefers-color-scheme: dark) { :root { --ink: #e6edf3; --faint: #8b949e; --paper: #0d1117; --line: #30363d;
  --good: #3fb950; --bad: #ff7b72; --curve: #58a6ff; } }
body { font: 15px/1.5 system-ui, sans-serif; color: var(--ink); background: var(--paper); max-width: 70rem;
  margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.5rem; } h2 { font-size: 1.15rem; margin-top: 2.2rem; }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; }
th, td { text-align: right; padding: .25rem .7rem; border-bottom: 1px solid var(--line); white-space: nowrap; }
th:first-child, td:first-child { text-align: left; }
code, pre { font: 13px/1.45 ui-monospace, monospace; }
pre { overflow-x: auto; border-left: 3px solid var(--line); padding-left: .8rem; }
.faint { color: var(--faint); } .good { color: var(--good); } .bad { color: var(--bad); }
svg { vertical-align: middle; } polyline { fill: none; stroke: var(--curve); stroke-width: 1.5; }
circle { fill: var(--curve); } details { margin: .4rem 0; }
"""
VERDICTS = ("pass", "fail", "hang", "lost")
WIDTH, HEIGHT, EDGE = 160, 28, 4


def said(text):
    return html.escape(str(text))


def number(value):
    return f"{value:,.2f}".rstrip("0").rstrip(".")


def short(revision):
    """The first digits of a commit, and whether files differed from it"""
    return revision[:9] + ("+" if "+" in revision else "")


def curve(values):
    """Of the commits that have a value (others None), from 0 up."""
    top = max((value for value in values if value is not None), default=0) or 1
    step = (WIDTH - 2 * EDGE) / max(1, len(values) - 1)
    points = [(EDGE + i * step, HEIGHT - EDGE - (HEIGHT - 2 * EDGE) * value / top)
              for i, value in enumerate(values) if value is not None]
    line = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
    x, y = points[-1]
    return (f'<svg width="{WIDTH}" height="{HEIGHT}" role="img" aria-label="from 0 to {number(top)}">'
            f'<polyline points="{line}"/><circle cx="{x:.1f}" cy="{y:.1f}" r="2.5"/></svg>')


def table(heads, rows):
    """Cells of rows are markup."""
    yield '<div class="scroll"><table><tr>' + "".join(f"<th>{said(head)}</th>" for head in heads) + "</tr>"
    for row in rows:
        yield "<tr>" + "".join(f"<td>{cell}</td>" for cell in row) + "</tr>"
    yield "</table></div>"


def tasks(rows):
    def cells(row):
        for verdict in VERDICTS:
            count = row.verdicts[verdict]
            yield f'<span class="{"good" if verdict == "pass" else "bad"}">{count}</span>' if count else "0"

    yield from table(["task", "of", "done", *VERDICTS, "deaths of workers", "processor time, s"],
                     ([said(row.kind), row.tasks, row.done, *cells(row), row.deaths, number(row.processor)]
                      for row in rows))


def values(row):
    """{what: value} of everything that has a trend"""
    found = {"passed, %": 100 * row.verdicts["pass"] / row.done if row.done else None,
             "processor time a task, s": row.processor / row.done if row.done else None}
    found |= {f"{name} covered, %": 100 * hit / of for name, (hit, of) in row.cover.items()}
    found |= row.figures
    found |= {f"{name}, how many": len(entries) for name, entries in row.lists.items()}
    return found


def trends(trend):
    """A line for each value, over all commits"""
    by_commit = [{row.kind: values(row) for row in rows} for _, rows in trend]
    wanted = [(row.kind, what) for row in trend[-1][1] for what in values(row)]

    def lines():
        for kind, what in wanted:
            series = [commit.get(kind, {}).get(what) for commit in by_commit]
            if any(value is not None for value in series):
                first = next(value for value in series if value is not None)
                last = "" if series[-1] is None else number(series[-1])
                yield [f"{said(kind)}: {said(what)}", number(first), curve(series), last]

    yield "<p>" + " → ".join(f"<code>{said(short(name))}</code>" for name, _ in trend) + "</p>"
    yield from table(["value", "first", "", "last"], lines())


def holes(rows):
    for row in rows:
        if not row.cover:
            continue
        yield f"<h3>{said(row.kind)}</h3>"
        yield from table(["points", "hit", "of", "%"], ([said(name), hit, of, f"{100 * hit / of:.2f}"]
                                                      for name, (hit, of) in row.cover.items()))
        groups = {}
        for point in row.holes:
            kind, _, rest = point.partition(" ")
            groups.setdefault(rest.split(":")[0] if kind != "cross" else rest.split(" / ")[0], []).append(point)
        for name, points in groups.items():
            yield f"<details><summary>{said(name)}: {len(points)} never hit</summary><pre>"
            yield from (said(point) for point in points)
            yield "</pre></details>"


def lists(rows):
    for row in rows:
        for name, entries in row.lists.items():
            yield f"<details open><summary>{said(row.kind)}: {said(name)}, {len(entries)}</summary><pre>"
            yield from (said(entry) for entry in entries)
            yield "</pre></details>"


def failures(found):
    for heading, command, tail in found:
        yield f'<h3 class="bad">{said(heading)}</h3><p>Again: <code>{said(command)}</code></p><pre>'
        yield from (said(line) for line in tail)
        yield "</pre>"


def write_page(path, title, trend, failed):
    """trend: [(commit, its rows)], the last one is shown in full; failed: its failures"""
    revision, rows = trend[-1]
    parts = [("Tasks", tasks(rows)), ("Failures", failures(failed)), ("Over commits", trends(trend)),
             ("Coverage", holes(rows)), ("Lists", lists(rows))]
    lines = ["<!DOCTYPE html>", '<html lang="en"><meta charset="utf-8">',
             '<meta name="viewport" content="width=device-width">', f"<title>{said(title)}</title>",
             f"<style>{STYLE}</style>", f"<h1>{said(title)}</h1>",
             f'<p class="faint">commit <code>{said(revision)}</code></p>']
    for heading, part in parts:
        body = list(part)
        if body:
            lines += [f"<h2>{heading}</h2>", *body]
    new = pathlib.Path(f"{path}.part")
    try:
        new.write_text("\n".join(lines) + "\n</html>\n", encoding="utf-8")
        os.replace(new, path)
    except OSError as error:
        new.unlink(missing_ok=True)
        raise Wrong(f"{path}: {error.strerror}") from None
