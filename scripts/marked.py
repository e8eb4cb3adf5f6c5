# SPDX-License-Identifier: Apache-2.0
"""Parts of documents that scripts write: the lines between <!-- NAME --> and <!-- end of NAME -->."""


def write(document, name, lines):
    """Put `lines` between the marks of that name in `document` (a path)."""
    begin, end = f"<!-- {name} -->\n", f"<!-- end of {name} -->"
    text = document.read_text(encoding="utf-8")
    if begin not in text or end not in text.split(begin, 1)[1]:
        raise SystemExit(f"{document}: no place for {name}: {begin.strip()} ... {end}")
    before, rest = text.split(begin, 1)
    document.write_text(before + begin + "\n".join(lines) + "\n" + end + rest.split(end, 1)[1], encoding="utf-8")


def table(heads, rows):
    """Lines of a table."""
    return [f"| {' | '.join(heads)} |", "|" + "---|" * len(heads),
            *(f"| {' | '.join(map(str, row))} |" for row in rows)]
