# SPDX-License-Identifier: Apache-2.0
"""tally-farm run: a campaign of independent tasks (docs/farm.md)."""

import collections
import fcntl
import functools
import hashlib
import json
import os
import pathlib
import platform
import shlex
import shutil
import signal
import subprocess
import sys
import time

from farm_database import Database
from farm_report import report_text
from farm_room import with_room, write_with_room
from farm_slurm import Slurm
from farm_tasks import FAIL, PASS, RUNNING, WAITING, figures_of, items_of, read_campaign
from farm_windows import Wrong
from farm_worker import work

ROOT = pathlib.Path(__file__).resolve().parent.parent
POLL = 0.05      # seconds
FILES = (".order", ".result", ".part")
TAIL = 4000      # bytes of a task's output that are kept
TOOLS = {"verilator": ["verilator", "--version"], "cc": ["cc", "--version"], "python": [sys.executable, "--version"]}


def said_by(command):
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=False)
    except OSError:
        return ""
    return (done.stdout or done.stderr).split("\n")[0].strip()


def revision():
    """The commit, and what differs from it in files of git: results of different sources are not added up"""
    commit = said_by(["git", "-C", str(ROOT), "rev-parse", "HEAD"]) or "unknown"
    try:
        changes = subprocess.run(["git", "-C", str(ROOT), "diff", "HEAD"], capture_output=True, check=False).stdout
    except OSError:
        changes = b""
    return commit + (f"+changes-{hashlib.sha256(changes).hexdigest()[:8]}" if changes else "")


# --- executors --------------------------------------------------------------------------------------------------------


class Local:
    """Workers are processes of this machine."""

    def __init__(self, jobs):
        self.room, self.workers = jobs, {}

    def start(self, order):
        self.workers[order] = subprocess.Popen(
            [sys.executable, str(pathlib.Path(__file__).with_name("farm.py")), "work", str(order)],
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)

    def flush(self):
        pass

    def is_over(self, order):
        """Has its worker ended? A previous sitting's worker holds its lock."""
        worker = self.workers.get(order)
        if worker:
            return worker.poll() is not None
        try:
            with open(order, "r+b") as file:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            return True
        except BlockingIOError:
            return False
        except OSError:
            return True

    def forget(self, order):
        worker = self.workers.pop(order, None)
        if worker:
            worker.wait()

    def stop(self):
        for worker in self.workers.values():
            worker.terminate()
        for worker in self.workers.values():
            worker.wait()


# --- a campaign -------------------------------------------------------------------------------------------------------


class Progress:
    def __init__(self, total):
        self.total, self.begin, self.shown = total, time.monotonic(), 0.0
        self.visible = sys.stderr.isatty()

    def show(self, count, running):
        """count: gives the numbers of tasks done and failed; it takes time"""
        now = time.monotonic()
        if not self.visible or now < self.shown + 0.5:
            return
        self.shown = now
        done, failed = count()
        bar = "#" * (30 * done // self.total) if self.total else ""
        print(f"\r[{bar:<30}] {done} of {self.total}, {running} running, {failed} failed, {now - self.begin:.0f} s ",
              end="", file=sys.stderr, flush=True)

    def end(self):
        if self.visible and self.shown:
            print(file=sys.stderr)


def remove_files(order):
    """An order, and what its worker has written"""
    for suffix in FILES:
        order.with_suffix(suffix).unlink(missing_ok=True)
    shutil.rmtree(order.with_suffix(".cover"), ignore_errors=True)


def result_of(order):
    """What its worker has written; None: nothing, or what a machine that failed had not written yet"""
    try:
        return json.loads(order.with_suffix(".result").read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None


def claim(database):
    """The folder of the database's orders, and its lock: it is nobody else's until that is closed."""
    orders = database.resolve().with_suffix(".orders")
    try:
        orders.mkdir(parents=True, exist_ok=True)
        lock = open(orders / "lock", "w", encoding="utf-8")
    except OSError as error:
        raise Wrong(f"{orders}: {error.strerror}") from None
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        raise Wrong(f"{database}: a campaign is running with it") from None
    return orders, lock


class Campaign:
    def __init__(self, args):
        self.args = args
        self.kinds = {kind.name: kind for kind in read_campaign(args.campaign)}
        self.orders, self.lock = claim(args.database)
        self.database = Database(args.database, True)
        self.revision = args.revision or revision()
        self.sweep()
        self.executor = (Slurm(args.jobs, self.orders.resolve(), shlex.split(args.slurm)) if args.slurm is not None
                         else Local(args.jobs))
        self.running = {}       # order: (task, attempt)
        self.blameless = set()  # orders whose worker may leave because its sitting ends
        self.sums = {}          # kind: {figure: sum}, of kinds with a limit

    def order(self, task, attempt):
        return self.orders / f"{task['id']}.{attempt}.order"

    def sweep(self):
        """Remove orders of which a killed sitting has the result already, and those of another database: a result
        that lies there would be taken for that of a new order."""
        running = {self.order(task, task["attempt"]) for task in self.database.running()}
        for path in self.orders.iterdir():
            order = path.with_suffix(".order")
            if path.suffix in FILES and order not in running:
                remove_files(order)

    def start(self, task):
        attempt = with_room(lambda: self.database.start(task["id"], self.sitting))
        order = self.order(task, attempt)
        command = task["command"].replace("{build}", shlex.quote(str(self.args.build.resolve())))
        text = json.dumps({"command": command, "timeout": task["timeout"], "folder": str(ROOT)})
        write_with_room(order, text)
        self.running[order] = task, attempt
        self.executor.start(order)

    def adopt(self):
        """Tasks that ran when the previous sitting ended: their workers may still be there."""
        for task in self.database.of_state(self.revision, RUNNING):
            order = self.order(task, task["attempt"])
            self.running[order] = task, task["attempt"]
            self.blameless.add(order)

    def collect(self):
        for order, (task, attempt) in list(self.running.items()):
            if not self.executor.is_over(order):
                continue
            self.executor.forget(order)
            found = result_of(order)
            if found:
                with_room(functools.partial(self.take, task, attempt, found))
            elif order in self.blameless:
                with_room(functools.partial(self.database.release, task["id"]))
            else:
                with_room(functools.partial(self.database.died, task["id"]))
            del self.running[order]
            remove_files(order)

    def take(self, task, attempt, found):
        kind = self.kinds.get(task["kind"])
        figures, wrong = figures_of(kind, found["said"]) if kind else ({}, None)
        if wrong:
            found["verdict"] = FAIL if found["verdict"] == PASS else found["verdict"]
            found["said"] += f"\n{wrong}\n"
        taken = self.database.finish(task["id"], attempt, found | {"said": found["said"][-TAIL:]}, figures,
                                     items_of(kind, found["said"]) if kind else [])
        if taken and task["kind"] in self.sums:
            self.sums[task["kind"]].update(figures)

    def enough(self, kind):
        if not kind.until:
            return False
        if kind.name not in self.sums:  # once: with many results it is slow
            self.sums[kind.name] = collections.Counter(self.database.sums(kind.name, self.revision))
        return any(self.sums[kind.name][name] >= limit for name, limit in kind.until.items())

    def next_task(self):
        """The first task added, of kinds whose sum is not reached yet"""
        wanted = {name for name, kind in self.kinds.items() if not self.enough(kind)}
        for task in self.database.of_state(self.revision, WAITING):
            if task["kind"] in wanted and task["seed"] in self.kinds[task["kind"]].seeds:
                return task
        return None

    def run(self):
        tools = {name: said_by(command) for name, command in TOOLS.items()} | {"host": platform.node()}
        executor = "local" if self.args.slurm is None else "slurm"
        self.sitting = with_room(lambda: self.database.begin_sitting(self.revision, tools, executor))
        for kind in self.kinds.values():
            with_room(functools.partial(self.database.add, kind, self.revision))
        self.adopt()
        progress = Progress(len(self.database.sql.execute(
            "SELECT id FROM task WHERE revision = ?", (self.revision,)).fetchall()))
        deadline = None if self.args.seconds is None else time.monotonic() + self.args.seconds
        try:
            while True:
                self.collect()
                late = deadline is not None and time.monotonic() >= deadline
                while len(self.running) < self.executor.room and not late and (task := self.next_task()):
                    self.start(task)
                self.executor.flush()
                if not self.running:
                    break
                progress.show(lambda: self.database.done(self.revision), len(self.running))
                time.sleep(POLL)
        finally:
            self.blameless.update(self.running)
            self.executor.stop()
            self.collect()
            progress.end()
        with_room(lambda: self.database.end_sitting(self.sitting))
        return report_text(self.database, self.revision)


def run(args):
    args.database = args.database or pathlib.Path("build/farm") / (args.campaign.stem + ".sqlite")
    if args.jobs < 1:
        raise Wrong("--jobs: at least 1")
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    return Campaign(args).run()


def add_to(commands):
    command = commands.add_parser("run", help="run a campaign, or go on with it")
    command.add_argument("campaign", type=pathlib.Path, metavar="CAMPAIGN.toml")
    command.add_argument("--jobs", type=int, default=os.cpu_count(), metavar="N", help="tasks at a time (all)")
    command.add_argument("--slurm", metavar="OPTIONS", help="as job arrays of Slurm, with these options of sbatch")
    command.add_argument("--seconds", type=float, metavar="N", help="begin no task after that time")
    command.add_argument("--database", type=pathlib.Path, metavar="FILE", help="results (build/farm/CAMPAIGN.sqlite)")
    command.add_argument("--revision", metavar="TEXT", help="results are of this instead of the commit")
    command.set_defaults(run=run)
    command = commands.add_parser("work")  # for executors
    command.add_argument("order", metavar="FILE")
    command.set_defaults(run=lambda args: work(args.order))
