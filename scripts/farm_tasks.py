# SPDX-License-Identifier: Apache-2.0
"""Campaigns (docs/farm.md): their files, their database, and the worker that runs one task."""

import dataclasses
import fcntl
import json
import os
import pathlib
import re
import shlex
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
import tomllib

from farm_profile import Wrong

WAITING, RUNNING, DONE = "waiting", "running", "done"
PASS, FAIL, HANG, LOST = "pass", "fail", "hang", "lost"
TAIL = 4000  # bytes of what a task says that are kept
ATTEMPTS = 3  # of a task whose worker dies
KINDS = {"name": str, "command": str, "seeds": str, "timeout": (int, float), "figures": dict, "until": dict}

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
"""


@dataclasses.dataclass
class Kind:
    name: str
    command: str
    seeds: range
    timeout: float
    figures: dict  # name: regular expression, whose last match in what the task says is the figure
    until: dict    # name: sum of the figure at which no further task begins


def seeds_of(text):
    match = re.fullmatch(r"(\d+)(?:-(\d+))?", text)
    if not match or int(match[2] or match[1]) < int(match[1]):
        raise ValueError(f"seeds '{text}' are not FIRST-LAST")
    return range(int(match[1]), int(match[2] or match[1]) + 1)


def kind_of(table):
    unknown = set(table) - set(KINDS)
    if unknown:
        raise ValueError(f"'{min(unknown)}' is not known; {', '.join(KINDS)} are")
    for key, type_ in KINDS.items():
        if key in table and not isinstance(table[key], type_):
            raise ValueError(f"'{key}' is of another type")
    for key in ("name", "command", "seeds"):
        if key not in table:
            raise ValueError(f"a task without '{key}'")
    if not re.fullmatch(r"[\w.-]+", table["name"]):
        raise ValueError(f"the name '{table['name']}' has other characters than letters, digits, '_', '-', '.'")
    figures, until = table.get("figures", {}), table.get("until", {})
    for name, expression in figures.items():
        if re.compile(expression).groups != 1:
            raise ValueError(f"figure '{name}': the expression needs one group")
    for name in until:
        if name not in figures:
            raise ValueError(f"until '{name}': there is no such figure")
    shlex.split(table["command"])
    return Kind(table["name"], table["command"], seeds_of(table["seeds"]), float(table.get("timeout", 3600)), figures,
                until)


def read_campaign(path):
    """[Kind]"""
    try:
        with open(path, "rb") as file:
            data = tomllib.load(file)
        if set(data) != {"task"} or not isinstance(data["task"], list):
            raise ValueError("it must be tables [[task]], and nothing else")
        kinds = [kind_of(table) for table in data["task"]]
        if len({kind.name for kind in kinds}) < len(kinds):
            raise ValueError("two tasks of one name")
        return kinds
    except OSError as error:
        raise Wrong(f"{path}: {error.strerror}") from None
    except (ValueError, re.error, AttributeError, TypeError) as error:
        raise Wrong(f"{path}: {error}") from None


# --- the database -----------------------------------------------------------------------------------------------------


class Database:
    """One process writes it: the one that runs the campaign."""

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
        """Tasks that are not there yet"""
        with self.sql:
            self.sql.executemany(
                "INSERT OR IGNORE INTO task (kind, seed, revision, command, timeout) VALUES (?, ?, ?, ?, ?)",
                [(kind.name, seed, revision, kind.command.replace("{seed}", str(seed)), kind.timeout)
                 for seed in kind.seeds])

    def of_state(self, revision, state):
        return self.sql.execute("SELECT * FROM task WHERE revision = ? AND state = ? ORDER BY id",
                                (revision, state)).fetchall()

    def start(self, task, sitting):
        """The number of the attempt that begins; only what it writes is taken."""
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

    def finish(self, task, attempt, result, figures):
        """Take a result once: a second one, or that of an older attempt, changes nothing."""
        with self.sql:
            taken = self.sql.execute(
                "UPDATE task SET state = ?, verdict = ?, status = ?, seconds = ?, processor_seconds = ?, said = ?, "
                "ended = ? WHERE id = ? AND attempt = ? AND state = ?",
                (DONE, result["verdict"], result["status"], result["seconds"], result["processor_seconds"],
                 result["said"], time.time(), task, attempt, RUNNING)).rowcount
            if taken:
                self.sql.executemany("INSERT INTO figure VALUES (?, ?, ?)",
                                     [(task, name, value) for name, value in figures.items()])
        return bool(taken)

    def sums(self, kind, revision):
        return dict(self.sql.execute(
            "SELECT name, sum(value) FROM figure JOIN task ON task.id = figure.task WHERE kind = ? AND revision = ? "
            "GROUP BY name", (kind, revision)).fetchall())


# --- a worker ---------------------------------------------------------------------------------------------------------


def figures_of(kind, said):
    """{name: number}"""
    found = {}
    for name, expression in kind.figures.items():
        numbers = re.findall(expression, said, re.M)
        if numbers:
            found[name] = float(numbers[-1].replace(",", ""))
    return found


def perform(command, timeout):
    """Run a task; what goes to the database of it"""
    begin = time.monotonic()
    with tempfile.TemporaryFile() as output, \
            subprocess.Popen(["sh", "-c", command], stdin=subprocess.DEVNULL, stdout=output, stderr=subprocess.STDOUT,
                             start_new_session=True) as process:
        hangs = False
        try:
            process.wait(timeout)
        except subprocess.TimeoutExpired:
            hangs = True
        finally:
            try:
                os.killpg(process.pid, signal.SIGKILL)  # it has a group of its own; what it left behind goes, too
            except ProcessLookupError:
                pass
            process.wait()
        output.seek(0)
        said = output.read().decode(errors="replace")
    usage = os.times()
    return {"verdict": HANG if hangs else PASS if process.returncode == 0 else FAIL, "status": process.returncode,
            "seconds": time.monotonic() - begin, "processor_seconds": usage.children_user + usage.children_system,
            "said": said}


def work(order_path):
    """The worker: an order is a file, and so is the result. It holds a lock on the order while it lives."""
    order_path = pathlib.Path(order_path)
    try:
        order_file = open(order_path, "r+b")
    except FileNotFoundError:  # its campaign has a result
        return 0
    with order_file:
        fcntl.flock(order_file, fcntl.LOCK_EX)
        if order_path.with_suffix(".result").exists():
            return 0
        order = json.load(order_file)
        signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
        os.chdir(order["folder"])
        result = perform(order["command"], order["timeout"])
        if result["status"] == -signal.SIGKILL and result["verdict"] != HANG:  # memory was short, perhaps
            return 1
        part = order_path.with_suffix(".part")
        part.write_text(json.dumps(result), encoding="utf-8")
        part.replace(order_path.with_suffix(".result"))
    return 0
