#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Databases that are kept (tally-farm trim, report --document), and those that are kept here.

usage: test_trim.py BUILD
"""
import pathlib
import re
import shutil
import sys
import tempfile

from test_campaign import ROOT, Farm, subprocess_run
from verdict import check, verdict

HALF = """
[[task]]
name = "a"
seeds = "1-8"
command = "echo {seed} cycles; echo {seed} >>LOG; test {seed} != 2"
figures = {cycles = '(\\d+) cycles'}
until = {cycles = LIMIT}
"""


def trimmed(farm):
    farm.write(HALF.replace("LIMIT", "6"))
    status, _, err = farm.run("--jobs", 1)
    check(status == 1 and farm.ended() == [1, 2, 3], "three tasks of eight run, one fails", (status, err))
    status, out, err = subprocess_run(farm.command("trim", farm.database))
    check(status == 0 and "bytes" in out and not err, "trim", (status, out, err))
    found = farm.rows("SELECT seed, verdict, said FROM task ORDER BY seed")
    check(found == [(1, "pass", ""), (2, "fail", "2 cycles\n"), (3, "pass", "")], "what is left of the tasks", found)
    farm.write(HALF.replace("LIMIT", "20"))
    status, _, err = farm.run("--jobs", 1)
    check(status == 1 and farm.ended() == [1, 2, 3, 4, 5, 6], "the campaign goes on from there", (farm.ended(), err))
    check(farm.rows("SELECT sum(value), count(*) FROM figure") == [(21.0, 6)], "each counts once")


def running(farm):
    farm.write('[[task]]\nname = "a"\nseeds = "1"\ncommand = "echo {seed} >>LOG; sleep 30"\n')
    with farm.begin() as process:
        farm.until(farm.ended, "the task begins")
        status, _, err = subprocess_run(farm.command("trim", farm.database))
        check(status == 2 and "a campaign is running with it" in err, "not under a campaign", (status, err))
        process.terminate()
        process.communicate(timeout=30)
    check(farm.rows("SELECT count(*) FROM task") == [(1,)], "nothing is removed")
    status, _, err = subprocess_run(farm.command("trim", farm.folder / "none.sqlite"))
    check(status == 2 and err.count("\n") == 1 and not (farm.folder / "none.sqlite").exists(), "no such file", err)


def document(farm):
    farm.write(HALF.replace("LIMIT", "6"))
    farm.run("--jobs", 1)
    page = farm.folder / "page.md"
    page.write_text("before\n<!-- c -->\nold\n<!-- end of c -->\nbehind\n", encoding="utf-8")
    status, _, err = subprocess_run(farm.command("report", farm.database, "--document", page))
    text = page.read_text(encoding="utf-8")
    check(status == 1 and not err and "| `a` | 2 | 1 | 6 | - | 0.0 |" in text and "old" not in text, "a table",
          (status, err, text))
    page.write_text("nothing\n", encoding="utf-8")
    status, _, err = subprocess_run(farm.command("report", farm.database, "--document", page))
    check(status == 2 and "no place for c" in err, "a page without a place for it", (status, err))
    status, _, err = subprocess_run(farm.command("report", farm.database, "--document", farm.folder / "none.md"))
    check(status == 2 and err.count("\n") == 1, "no such page", (status, err))


def kept(build):
    """docs/verification.md says what the databases of tests/campaigns say, and all of their tasks have passed."""
    databases = sorted((ROOT / "tests" / "campaigns").glob("*.sqlite"))
    page = ROOT / "docs" / "verification.md"
    with tempfile.TemporaryDirectory() as folder:
        copy = pathlib.Path(folder) / "page.md"
        shutil.copy(page, copy)
        for database in databases:
            mine = shutil.copy(database, folder)
            status, out, err = subprocess_run([sys.executable, str(ROOT / "scripts" / "farm.py"), "--build", str(build),
                                               "report", mine, "--document", str(copy)])
            check(status == 0, f"{database.name}: all passed", (status, out, err))
        tables = re.findall(r"<!-- (\w+) -->", page.read_text(encoding="utf-8"))
        check(sorted(tables) == [database.stem for database in databases], "a table has its database", tables)
        check(copy.read_text(encoding="utf-8") == page.read_text(encoding="utf-8"),
              "docs/verification.md is of the databases (tally-farm report --document)")


def main():
    build = pathlib.Path(sys.argv[1]).resolve()
    for part in (trimmed, running, document):
        with tempfile.TemporaryDirectory() as folder:
            part(Farm(build, pathlib.Path(folder)))
    kept(build)
    sys.exit(verdict())


if __name__ == "__main__":
    main()
