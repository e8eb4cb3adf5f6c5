# SPDX-License-Identifier: Apache-2.0
"""tally-farm report: results of a campaign, as text or as a page (docs/farm.md)."""

import collections
import dataclasses
import pathlib

import marked
from farm_database import Database
from farm_page import write_page
from farm_tasks import DONE, FAIL, HANG, LOST, PASS
from farm_windows import Wrong

FAILED = 1  # exit status
SHOWN = 10  # failures, entries of a list, and holes


@dataclasses.dataclass
class Row:
    """Tasks of a kind, on one commit"""
    kind: str
    tasks: int
    done: int
    verdicts: dict  # verdict: tasks
    deaths: int
    processor: float
    figures: dict   # name: sum
    lists: dict     # name: [text]
    cover: dict     # kind of point: (hit, all)
    holes: list     # points that were never hit


def cover_of(database, kind, revision):
    shares, holes = {}, []
    for point, hits in database.sql.execute("SELECT point, hits FROM cover WHERE kind = ? AND revision = ? "
                                            "ORDER BY point", (kind, revision)):
        group = point.split(" ", 1)[0]
        hit, number = shares.get(group, (0, 0))
        shares[group] = hit + (hits > 0), number + 1
        if not hits:
            holes.append(point)
    return shares, holes


def rows_of(database, revision):
    found = []
    for row in database.sql.execute(
            "SELECT kind, count(*) AS tasks, sum(state = 'done') AS done, sum(verdict = 'pass') AS pass, "
            "sum(verdict = 'fail') AS fail, sum(verdict = 'hang') AS hang, sum(verdict = 'lost') AS lost, "
            "sum(deaths) AS deaths, sum(processor_seconds) AS processor FROM task WHERE revision = ? GROUP BY kind "
            "ORDER BY min(id)", (revision,)).fetchall():
        lists = collections.defaultdict(list)
        for name, text in database.sql.execute(
                "SELECT list, text FROM item JOIN task ON task.id = item.task WHERE kind = ? AND revision = ? "
                "ORDER BY item.rowid", (row["kind"], revision)):
            lists[name].append(text)
        found.append(Row(row["kind"], row["tasks"], row["done"],
                         {name: row[name] or 0 for name in (PASS, FAIL, HANG, LOST)}, row["deaths"],
                         row["processor"] or 0, database.sums(row["kind"], revision), dict(lists),
                         *cover_of(database, row["kind"], revision)))
    return found


def failures_of(database, revision):
    """[(heading, command that repeats it, end of its output)]"""
    return [(f"{row['kind']}, seed {row['seed']}: {row['verdict']}, exit status {row['status']}",
             row["command"].replace("{build}", "build").replace("{cover}", "/tmp"),
             (row["said"] or "").strip().split("\n")[-3:])
            for row in database.sql.execute(
                "SELECT * FROM task WHERE revision = ? AND state = ? AND verdict != ? ORDER BY ended",
                (revision, DONE, PASS))]


def print_some(lines, indent):
    for line in lines[:SHOWN]:
        print(indent + line)
    if len(lines) > SHOWN:
        print(f"{indent}... and {len(lines) - SHOWN} more")


def report_text(database, revision):
    """The exit status: 1 if a task has not passed"""
    rows, failures = rows_of(database, revision), failures_of(database, revision)
    sittings = database.sql.execute("SELECT count(*) FROM sitting WHERE revision = ?", (revision,)).fetchone()[0]
    print(f"commit {revision}, {sittings} sitting{'s' if sittings != 1 else ''}\n")
    print(f"{'task':<20}{'of':>7}{'done':>7}{PASS:>7}{FAIL:>7}{HANG:>7}{LOST:>7}{'deaths':>8}{'processor s':>13}")
    for row in rows:
        counts = "".join(f"{count:>7}" for count in (row.tasks, row.done, *row.verdicts.values()))
        print(f"{row.kind:<20}{counts}{row.deaths:>8}{row.processor:>13.1f}")
    for row in rows:
        for name, value in row.figures.items():
            print(f"{row.kind}: {name} {value:,.0f}")
        for name, (hit, number) in row.cover.items():
            print(f"{row.kind}: {name} coverage {hit} of {number}, {100 * hit / number:.2f} %")
        if row.holes:
            print(f"{row.kind}: never hit:")
            print_some(row.holes, "  ")
        for name, entries in row.lists.items():
            print(f"{row.kind}: {name}:")
            print_some(entries, "  ")
    for heading, command, said in failures[:SHOWN]:
        print(f"\n{heading}\n  {command}")
        for line in said:
            print(f"  | {line}")
    if len(failures) > SHOWN:
        print(f"\n... and {len(failures) - SHOWN} more")
    return FAILED if failures else 0


def document_lines(database, revision):
    """For a page of the documentation"""
    rows = rows_of(database, revision)
    names = list(dict.fromkeys(name for row in rows for name in row.figures))
    heads = ["task", "passed", "not passed", *names, "coverage", "processor hours"]
    commit, plus, changes = revision.partition("+")
    return [f"Commit {commit[:8]}{plus}{changes}:", "", *marked.table(heads, [
        (f"`{row.kind}`", row.verdicts[PASS], sum(row.verdicts.values()) - row.verdicts[PASS],
         *(f"{row.figures[name]:,.0f}" if name in row.figures else "-" for name in names),
         ", ".join(f"{name} {hit:,} of {number:,}" for name, (hit, number) in row.cover.items()) or "-",
         f"{row.processor / 3600:.1f}") for row in rows])]


def report(args):
    database = Database(args.database, False)
    known = [row[0] for row in database.sql.execute("SELECT revision FROM sitting GROUP BY revision ORDER BY max(id)")]
    if not known:
        raise Wrong(f"{args.database}: no sitting")
    if args.all and args.revision:
        raise Wrong("--all: not with --revision")
    wanted = known if args.all else [args.revision or known[-1]]
    if wanted[0] not in known:
        raise Wrong(f"{args.database}: nothing of {wanted[0]}; there is {', '.join(known)}")
    if args.page:
        last = wanted[-1]
        trend = [(name, rows_of(database, name)) for name in known[:known.index(last) + 1]]
        write_page(args.page, args.database.stem, trend, failures_of(database, last))
    if args.document:
        try:
            marked.write(args.document, args.database.stem, document_lines(database, wanted[-1]))
        except (OSError, SystemExit) as error:
            raise Wrong(error) from None
    return max(report_text(database, name) for name in wanted)


def add_to(commands):
    command = commands.add_parser("report", help="results of a campaign")
    command.add_argument("database", type=pathlib.Path, metavar="FILE")
    command.add_argument("--revision", metavar="TEXT", help="of this commit (the last)")
    command.add_argument("--all", action="store_true", help="of all commits")
    command.add_argument("--page", type=pathlib.Path, metavar="FILE.html", help="a page, too, with earlier commits")
    command.add_argument("--document", type=pathlib.Path, metavar="FILE.md",
                         help="a table, too, between its lines <!-- STEM --> and <!-- end of STEM -->")
    command.set_defaults(run=report)
