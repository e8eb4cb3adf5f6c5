# SPDX-License-Identifier: Apache-2.0
"""The tables of docs/boards.md, out of the results of scripts/fpga.py."""

import re

COLUMNS = ("LUT", "FF", "BRAM", "DSP")


def updated(text, results):
    """The page with the rows and worst paths of `results`, (board, summary) each; the others stay as they are."""
    rows = {line.split(" | ")[0]: line for line in re.findall(r"^\| .* \|$", part(text, "table"), re.M)[1:]}
    worst = dict(re.findall(r"^([^\n:]+): (\d.*?)(?=\n+\S|\Z)", part(text, "worst"), re.M | re.S))
    for board, s in results:
        rows[f"| {s['board']}"] = row(board, s)
        if s.get("worst"):
            w = s["worst"]
            worst[s["board"]] = (f"{w['ns']} ns, {w['logic']} of it logic and {w['routing']} routing:\n\n" +
                                 "\n".join(f"    {signal}" for signal in w["way"]))
    head = ("| board | LUT | FF | BRAM | DSP | fmax, MHz | clock, MHz | tools | date | state |\n"
            "|---|---|---|---|---|---|---|---|---|---|")
    text = between(text, "table", "\n".join([head, *rows.values()]))
    return between(text, "worst", "\n\n".join(f"{name}: {path}" for name, path in worst.items()))


def row(board, s):
    counts = s.get("placed", s["yosys"])
    cells = " | ".join(f"{counts[c]:,} ({100 * counts[c] / board['has'][c]:.0f} %)" for c in COLUMNS)
    clock = s.get("fmax", f"{s['expected']} expected after placement" if s.get("expected") else "not run")
    return (f"| {s['board']} | {cells} | {clock} | {s['clock']} | {', '.join(s['tools'])} | {s['date']} | "
            f"{s.get('state', '-')} |")


def part(text, mark):
    """The text between the two comments of this name."""
    return re.search(rf"<!-- {mark} -->\n(.*?)<!-- end {mark} -->", text, re.S)[1].rstrip("\n")


def between(text, mark, new):
    """Replace the text between the two comments of this name."""
    return re.sub(rf"(<!-- {mark} -->\n).*?(<!-- end {mark} -->)", lambda m: m[1] + new + "\n" + m[2], text, flags=re.S)
