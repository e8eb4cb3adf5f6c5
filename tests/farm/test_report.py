#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Campaigns: coverage and lists are merged, a page shows them, and a full disk loses nothing.

usage: test_report.py BUILD
"""
import html.parser
import pathlib
import re
import sqlite3
import subprocess
import sys
import tempfile
import threading
import time

from test_campaign import Farm, subprocess_run
from farm_database import Database
from farm_room import with_room
from verdict import check, verdict

VOID = {"meta", "polyline", "circle"}
# Of the points a to c a task of seed N hits the first N; no task hits c. The file is of Verilator's form.
COVERED = r"""
[[task]]
name = "covered"
command = '''(echo "# SystemC::Coverage-3"; for at in 1 2 3; do
  printf "C '\\001f\\002../rtl/pmu/part.v\\001l\\002$at\\001n\\0025\\001page\\002v_line/part\\001o\\002block"
  printf "\\001h\\002top.u_one' $((at <= {seed}))\n"
  done) >{cover}/lines; (echo "cross mode / U / load {seed}"; echo "cross mode / M / load 0") >{cover}/crosses
  echo "alive: wire <{seed}>"; echo "alive: and another"'''
seeds = "1-2"
lists = {survivors = '^alive: (.*)$'}
figures = {lines = 'wire <(\d+)>'}
"""


class Balanced(html.parser.HTMLParser):
    """A page whose elements are closed in order, and its text."""

    def __init__(self):
        super().__init__()
        self.open, self.text, self.wrong = [], [], []

    def handle_starttag(self, tag, attrs):
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        pass

    def handle_endtag(self, tag):
        if not self.open or self.open.pop() != tag:
            self.wrong.append(tag)

    def handle_data(self, data):
        self.text.append(data)


def merged(farm):
    farm.write(COVERED)
    for revision in ("first", "second"):
        status, out, err = farm.run("--revision", revision)
        check(status == 0, f"{revision} runs", (status, out, err))
    for line in ("covered: line coverage 2 of 3, 66.67 %", "covered: cross coverage 1 of 2, 50.00 %",
                 "  line part.v:3:5 block", "  cross mode / M / load", "covered: survivors:\n  wire <"):
        check(line in out, f"the report says: {line}", out)
    found = dict(farm.rows("SELECT point, hits FROM cover WHERE revision = 'second'"))
    check(found == {"line part.v:1:5 block": 2, "line part.v:2:5 block": 1, "line part.v:3:5 block": 0,
                    "cross mode / U / load": 3, "cross mode / M / load": 0}, "hits of both tasks, each once", found)
    database = Database(farm.database, True)
    result = {"verdict": "pass", "status": 0, "seconds": 1, "processor_seconds": 1, "said": "", "cover": {"cross x": 1}}
    check(not database.finish(1, 1, result, {}, [("survivors", "twice")]), "a second result is not taken")
    check(not farm.rows("SELECT * FROM cover WHERE point = 'cross x'") and
          not farm.rows("SELECT * FROM item WHERE text = 'twice'"), "... nor its coverage and lists")
    check(not list(farm.database.with_suffix(".orders").glob("*.*")), "no files of coverage are left")


def unreadable(farm):
    farm.write('[[task]]\nname = "a"\nseeds = "1"\ncommand = "echo nothing >{cover}/file"\n')
    status, out, err = farm.run()
    check(status == 1 and "neither Verilator's coverage nor lines 'cross NAME COUNT'" in out,
          "a task whose coverage cannot be read fails", (status, out, err))


def page(farm):
    merged(farm)
    farm.write('[[task]]\nname = "wrong"\nseeds = "4"\ncommand = "echo \'a < b\'; exit 3 # {seed}"\n' + COVERED)
    status, _, err = farm.run("--revision", "0123456789abcdef")
    check(status == 1, "one fails", (status, err))
    file = farm.folder / "page.html"
    status, _, err = subprocess_run(farm.command("report", farm.database, "--page", file))
    check(status == 1 and not err, "report --page", (status, err))
    text = file.read_text(encoding="utf-8")
    found = Balanced()
    found.feed(text)
    check(not found.open[1:] and not found.wrong, "elements are closed", (found.open, found.wrong))
    shown = "\n".join(found.text)
    for part in ("wrong, seed 4: fail, exit status 3", "echo 'a < b'; exit 3 # 4", "a < b", "0123456789abcdef",
                 "cross mode / M / load", "part.v: 1 never hit", "covered: survivors, 4", "wire <1>"):
        check(part in shown, f"the page shows {part}", shown)
    check(len(re.findall("<polyline", text)) >= 4 and shown.index("first") < shown.index("second"), "trends")
    status, _, err = subprocess_run(farm.command("report", farm.database, "--page", farm.folder / "no" / "page.html"))
    check(status == 2 and err.count("\n") == 1 and "No such file" in err, "a page that cannot be written", err)
    check("<script" not in text and "http" not in text, "nothing is fetched")


def full_result(farm):
    """The disk has no room for a worker's result: it waits. The task itself lays /dev/full there: a campaign that
    begins removes what is no order of its own."""
    part = farm.database.with_suffix(".orders") / "1.1.part"
    farm.write("""
[[task]]
name = "a"
seeds = "1"
command = "ln -s /dev/full PART; echo 5 cycles; echo {seed} >>LOG"
figures = {cycles = '(\\d+) cycles'}
""".replace("PART", str(part)))
    with farm.begin() as process:
        farm.until(farm.ended, "the task's end")
        time.sleep(1.5)
        check(process.poll() is None and not farm.rows("SELECT * FROM figure"), "the campaign waits")
        part.unlink()
        _, err = process.communicate(timeout=30)
    check(process.returncode == 0 and "waits for room" in err, "it ends", (process.returncode, err))
    check(farm.ended() == [1] and farm.rows("SELECT value FROM figure") == [(5.0,)], "the task ran once",
          farm.rows("SELECT * FROM task"))


def full_database(farm):
    """... or for the campaign's own files: the result is taken later, whole and once."""
    database = Database(farm.database, True)
    with database.sql as sql:
        sql.execute("INSERT INTO task (id, kind, seed, revision, state, attempt) VALUES (1, 'x', 1, 'R', 'running', 1)")
    result = {"verdict": "pass", "status": 0, "seconds": 1, "processor_seconds": 1, "said": "long " * 20000,
              "cover": {f"cross {n}": 1 for n in range(1000)}}
    pages = sql.execute("PRAGMA page_count").fetchone()[0]
    sql.execute(f"PRAGMA max_page_count = {pages + 2}")
    tries = []

    def attempt():
        tries.append(farm.rows("SELECT (SELECT count(*) FROM figure), (SELECT count(*) FROM cover)")[0])
        if len(tries) == 3:
            sql.execute("PRAGMA max_page_count = 1000000")
        return database.finish(1, 1, result, {"cycles": 2.0})

    check(with_room(attempt), "the result is taken")
    check(tries == [(0, 0)] * 3, "nothing of it before", tries)
    check(farm.rows("SELECT value FROM figure") == [(2.0,)] and farm.rows("SELECT sum(hits) FROM cover") == [(1000,)],
          "all of it after")


def full_disk(farm):
    """A file system of a megabyte that something else has filled, while a campaign runs on it."""
    farm.write("""
[[task]]
name = "a"
command = "echo {seed} cycles; echo {seed} >>LOG; sleep 0.2"
seeds = "1-40"
figures = {cycles = '(\\d+) cycles'}
""")
    disk, copy = farm.folder / "disk", farm.folder / "copy.sqlite"
    disk.mkdir()
    script = (f"mount -t tmpfs -o size=1m none {disk} && touch {farm.folder}/mounted || exit 2; "
              f"(sleep 2; cat /dev/zero >{disk}/filler 2>/dev/null; sleep 4; rm {disk}/filler) & "
              f"{' '.join(farm.command('run', farm.folder / 'c.toml', '--database', disk / 'c.sqlite', '--jobs', 2))}; "
              f"status=$?; cp {disk}/c.sqlite {copy}; exit $status")
    ways = [["unshare", "--mount"], ["unshare", "--mount", "--user", "--map-root-user"]]
    private = next((way for way in ways if subprocess_run([*way, "mount", "-t", "tmpfs", "none", disk])[0] == 0), None)
    if not private:  # the two above need no rights, and hold worker and database to the same
        print("no file system of its own here: neither root nor user namespaces")
        return
    status, out, err = subprocess_run(["timeout", "100", *private, "sh", "-c", script])
    check((farm.folder / "mounted").exists(), "a small file system (root, or user namespaces)", err)
    check(status == 0 and "waits for room" in err, "the campaign ends", (status, out, err))
    with sqlite3.connect(copy) as sql:
        found = sql.execute("SELECT count(*), sum(value) FROM figure").fetchone()
    check(found == (40, 820.0) and farm.ended() == list(range(1, 41)), "each task ran once", (found, farm.ended()))


def main():
    build = pathlib.Path(sys.argv[1]).resolve()
    for part in (merged, unreadable, page, full_result, full_database, full_disk):
        with tempfile.TemporaryDirectory() as folder:
            part(Farm(build, pathlib.Path(folder)))
    sys.exit(verdict())


if __name__ == "__main__":
    main()
