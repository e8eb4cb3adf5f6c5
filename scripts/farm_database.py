# SPDX-License-Identifier: Apache-2.0
"""The database of campaigns (docs/farm.md)."""

import json
import sqlite3
import time

from farm_tasks import DONE, LOST, PASS, RUNNING, WAITING
from farm_windows import Wrong

ATTEMPTS = 3  # of a task whose worker dies
SCHEMA = """
CREATE TABLE IF NOT EXISTS sitting (
  id INTEGER PRIMARY KEY, began REAL, ended REAL, revision TEXT, tools TEXT, executor TEXT);
CREATE TABLE IF NOT EXISTS task (
  id INTEGER PRIMARY KEY, kind TEXT, seed INTEGER, revision TEXT, command TEXT, timeout REAL,
  state TEXT DEFAULT 'waiting', attempt INTEGER DEFAULT 0, deaths INTEGER DEFAULT 0, sitting INTEGER, verdict TEXT,
  status INTEGER, seconds REAL, processor_seconds REAL, said TEXT, ended REAL,
  UNIQUE (kind, seed, revision));
CREATE TABLE IF NOT EXISTS figure (
  task INTEGER REFERENCES task, name TEXT, value REAL, UNIQUE (task, name));
CREATE TABLE IF NOT EXISTS item (
  task INTEGER REFERENCES task, list TEXT, text TEXT);
CREATE INDEX IF NOT EXISTS task_state ON task (revision, state, id);
CREATE INDEX IF NOT EXISTS figure_task ON figure (task);
CREATE TABLE IF NOT EXISTS cover (
  kind TEXT, revision TEXT, point TEXT, hits INTEGER, PRIMARY KEY (kind, revision, point)) WITHOUT ROWID;
"""


class Database:
    """Only the campaign's process writes it."""

    def __init__(self, path, write):
        self.path = path
        if not write and not path.exists():
            raise Wrong(f"{path}: there is no such file")
        try:
            self.sql = sqlite3.connect(path, timeout=30)
            self.sql.row_factory = sqlite3.Row
            self.sql.executescript(SCHEMA)
        except sqlite3.Error as error:
            raise Wrong(f"{path}: {error}") from None

    def begin_sitting(self, revision, tools, executor):
        with self.sql:
            return self.sql.execute("INSERT INTO sitting (began, revision, tools, executor) VALUES (?, ?, ?, ?)",
                                    (time.time(), revision, json.dumps(tools), executor)).lastrowid

    def end_sitting(self, sitting):
        with self.sql:
            self.sql.execute("UPDATE sitting SET ended = ? WHERE id = ?", (time.time(), sitting))

    def add(self, kind, revision):
        """Add missing tasks; those that wait are as the campaign has them now."""
        with self.sql:
            self.sql.executemany(
                "INSERT INTO task (kind, seed, revision, command, timeout) VALUES (?, ?, ?, ?, ?) ON CONFLICT "
                "(kind, seed, revision) DO UPDATE SET command = excluded.command, timeout = excluded.timeout "
                "WHERE state = 'waiting'",
                [(kind.name, seed, revision, kind.command.replace("{seed}", str(seed)), kind.timeout)
                 for seed in kind.seeds])

    def of_state(self, revision, state):
        """An iterator: of thousands only the first may be needed."""
        return self.sql.execute("SELECT * FROM task WHERE revision = ? AND state = ? ORDER BY id", (revision, state))

    def running(self):
        """Tasks of all revisions that ran when their sitting was killed, or run"""
        return self.sql.execute("SELECT * FROM task WHERE state = ?", (RUNNING,))

    def done(self, revision):
        """(number of tasks, number of those that have not passed)"""
        return self.sql.execute("SELECT count(*), coalesce(sum(verdict != ?), 0) FROM task WHERE revision = ? AND "
                                "state = ?", (PASS, revision, DONE)).fetchone()

    def start(self, task, sitting):
        """The number of the attempt that begins; only its output is taken."""
        with self.sql:
            self.sql.execute("UPDATE task SET state = ?, attempt = attempt + 1, sitting = ? WHERE id = ?",
                             (RUNNING, sitting, task))
        return self.sql.execute("SELECT attempt FROM task WHERE id = ?", (task,)).fetchone()[0]

    def release(self, task):
        """Its sitting ended: it waits again."""
        with self.sql:
            self.sql.execute("UPDATE task SET state = ? WHERE id = ? AND state = ?", (WAITING, task, RUNNING))

    def died(self, task):
        """Its worker has left without a result: it waits again, or is lost."""
        with self.sql:
            self.sql.execute("UPDATE task SET deaths = deaths + 1, state = ? WHERE id = ? AND state = ?",
                             (WAITING, task, RUNNING))
            self.sql.execute("UPDATE task SET state = ?, verdict = ?, ended = ? WHERE id = ? AND deaths >= ?",
                             (DONE, LOST, time.time(), task, ATTEMPTS))

    def finish(self, task, attempt, result, figures, items=()):
        """Take a result once, with all that belongs to it: a second one, or that of an older attempt, changes nothing.
        items: (list, text)."""
        with self.sql:
            taken = self.sql.execute(
                "UPDATE task SET state = ?, verdict = ?, status = ?, seconds = ?, processor_seconds = ?, said = ?, "
                "ended = ? WHERE id = ? AND attempt = ? AND state = ?",
                (DONE, result["verdict"], result["status"], result["seconds"], result["processor_seconds"],
                 result["said"], time.time(), task, attempt, RUNNING)).rowcount
            if taken:
                self.sql.executemany("INSERT INTO figure VALUES (?, ?, ?)",
                                     [(task, name, value) for name, value in figures.items()])
                self.sql.executemany("INSERT INTO item VALUES (?, ?, ?)", [(task, *item) for item in items])
                self.sql.executemany(
                    "INSERT INTO cover SELECT kind, revision, ?, ? FROM task WHERE id = ? "
                    "ON CONFLICT DO UPDATE SET hits = hits + excluded.hits",
                    [(point, hits, task) for point, hits in result.get("cover", {}).items()])
        return bool(taken)

    def sums(self, kind, revision):
        return dict(self.sql.execute(
            "SELECT name, sum(value) FROM figure JOIN task ON task.id = figure.task WHERE kind = ? AND revision = ? "
            "GROUP BY name", (kind, revision)).fetchall())
