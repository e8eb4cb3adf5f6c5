#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Campaigns (tally-farm run): results, and events that must not lose or repeat them.

usage: test_campaign.py BUILD [short]
"""
import json
import os
import pathlib
import re
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path[:0] = [str(ROOT / "scripts"), str(ROOT / "tests")]
import mutants  # noqa: E402
import pmu_bench  # noqa: E402
from farm_database import Database  # noqa: E402
from farm_tasks import read_campaign, seeds_of  # noqa: E402
from verdict import check, verdict  # noqa: E402


class Farm:
    """A campaign in a folder of its own. Tasks append a line to `log` when they end."""

    def __init__(self, build, folder):
        self.build, self.folder = build, folder
        self.database, self.log = folder / "c.sqlite", folder / "log"

    def write(self, text):
        (self.folder / "c.toml").write_text(text.replace("LOG", str(self.log)), encoding="utf-8")
        return self

    def command(self, *words):
        return [str(word) for word in (sys.executable, ROOT / "scripts/farm.py", "--build", self.build, *words)]

    def begin(self, *words):
        return subprocess.Popen(self.command("run", self.folder / "c.toml", "--database", self.database, "--revision",
                                             "R", "--jobs", 2, *words),
                                stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)

    def run(self, *words):
        with self.begin(*words) as process:
            out, err = process.communicate(timeout=120)
        return process.returncode, out, err

    def rows(self, query):
        with sqlite3.connect(self.database) as sql:
            return sql.execute(query).fetchall()

    def ended(self):
        return sorted(map(int, self.log.read_text(encoding="utf-8").split())) if self.log.exists() else []

    def workers(self):
        """{process: its order} of this folder"""
        found = {}
        for entry in pathlib.Path("/proc").iterdir():
            try:
                words = (entry / "cmdline").read_bytes().decode().split("\0")
            except (OSError, ValueError):
                continue
            if entry.name.isdigit() and "work" in words and words[-2].startswith(str(self.folder)):
                found[int(entry.name)] = words[-2]
        return found

    def until(self, condition, what, seconds=30):
        deadline = time.monotonic() + seconds
        while time.monotonic() < deadline:
            if condition():
                return True
            time.sleep(0.05)
        check(False, what, "does not happen")
        return False


SLEEPERS = """
[[task]]
name = "sleeper"
command = "echo {seed} cycles; sleep 0.25; echo {seed} >>LOG"
seeds = "1-20"
figures = {cycles = '(\\d+) cycles'}
"""
ONCE = list(range(1, 21))


def whole(farm, what, deaths):
    """All 20 have a result, each once."""
    status, out, err = farm.run()
    check(status == 0 and not err, f"{what}: ends", (status, out, err))
    check(farm.rows("SELECT seed FROM task WHERE state = 'done' AND verdict = 'pass' ORDER BY seed") ==
          [(seed,) for seed in ONCE], f"{what}: results")
    check(farm.rows("SELECT count(*), sum(value) FROM figure") == [(20, 210.0)], f"{what}: each figure once",
          farm.rows("SELECT * FROM figure"))
    check(farm.rows("SELECT sum(deaths) FROM task")[0][0] == deaths, f"{what}: deaths",
          farm.rows("SELECT seed, deaths FROM task"))
    check(not list(farm.database.with_suffix(".orders").glob("*.*")), f"{what}: no orders are left")
    log = farm.ended()
    status, out, err = farm.run()
    check(status == 0 and farm.ended() == log, f"{what}: again, nothing is to be done", (out, err))
    return out


def undisturbed(farm):
    out = whole(farm.write(SLEEPERS), "undisturbed", 0)
    check(farm.ended() == ONCE, "each task ran once", farm.ended())
    check("sleeper: cycles 210" in out and re.search(r"sleeper +20 +20 +20 +0 +0 +0 +0", out), "report", out)
    status, report, _ = subprocess_run(farm.command("report", farm.database))
    check(status == 0 and report == out, "tally-farm report says the same", report)


def subprocess_run(command):
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return done.returncode, done.stdout, done.stderr


def worker_killed(farm):
    """Its task runs again."""
    with farm.write(SLEEPERS).begin() as process:
        if farm.until(lambda: len(farm.workers()) == 2, "two workers"):
            os.kill(next(iter(farm.workers())), signal.SIGKILL)
        process.communicate(timeout=120)
    whole(farm, "a worker was killed", 1)


def campaign_killed(farm):
    """The next sitting adopts running workers, and continues."""
    with farm.write(SLEEPERS).begin() as process:
        farm.until(lambda: len(farm.ended()) >= 4 and farm.workers(), "four results")
        process.kill()
    first = farm.rows("SELECT count(*) FROM task WHERE state = 'done'")[0][0]
    check(0 < first < 20, "the first sitting's results", first)
    whole(farm, "the campaign was killed", 0)
    check(farm.ended() == ONCE, "workers that went on were not started again", farm.ended())
    check(farm.rows("SELECT count(*) FROM sitting")[0][0] == 3, "sittings")


def killed_after_a_result(farm):
    """It was in the database, but its files were not removed yet: nothing is done again, and nothing is left of them.
    A new campaign does not take them for its own."""
    farm.write(SLEEPERS.replace("1-20", "1-2"))
    orders = farm.database.with_suffix(".orders")
    stale = {"verdict": "pass", "status": 0, "seconds": 1, "processor_seconds": 1, "said": "99 cycles"}
    for sitting in ("a new database", "a database that has the result"):
        orders.mkdir(exist_ok=True)
        (orders / "2.1.order").write_text("{}", encoding="utf-8")
        (orders / "2.1.result").write_text(json.dumps(stale), encoding="utf-8")
        (orders / "1.1.part").write_text("{", encoding="utf-8")
        status, out, err = farm.run()
        check(status == 0 and farm.ended() == [1, 2], f"{sitting}: each task ran once", (farm.ended(), out, err))
        check(farm.rows("SELECT value FROM figure ORDER BY value") == [(1.0,), (2.0,)], f"{sitting}: figures",
              farm.rows("SELECT * FROM figure"))
        check(not list(orders.glob("*.*")), f"{sitting}: no orders are left", list(orders.iterdir()))


def half_a_result(farm):
    """A machine failed before a result was on its disk: the task runs again."""
    with farm.write(SLEEPERS).begin() as process:
        farm.until(lambda: len(farm.workers()) == 2, "two workers")
        process.kill()
    for worker, order in farm.workers().items():
        os.kill(worker, signal.SIGKILL)
        pathlib.Path(order).with_suffix(".result").write_text("", encoding="utf-8")
    whole(farm, "half a result", 0)


def corrected(farm):
    """Tasks that wait are as the campaign is now."""
    status, out, err = farm.write(SLEEPERS.replace("echo {seed} >>", "echo 0 >>")).run("--seconds", 0)
    check(status == 0 and not farm.ended(), "--seconds 0 begins nothing", (status, out, err))
    whole(farm.write(SLEEPERS), "corrected", 0)
    check(farm.ended() == ONCE, "the corrected command ran", farm.ended())


def all_killed(farm):
    """... and its workers: their tasks run again, and are not blamed."""
    with farm.write(SLEEPERS).begin() as process:
        farm.until(lambda: len(farm.ended()) >= 4 and len(farm.workers()) == 2, "four results")
        process.kill()
    for worker in farm.workers():
        os.kill(worker, signal.SIGKILL)
    whole(farm, "everything was killed", 0)


def interrupted(farm):
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGINT, signal.SIGINT):
        done = len(farm.ended())
        with farm.write(SLEEPERS).begin() as process:
            farm.until(lambda done=done: len(farm.ended()) > done and farm.workers(), "more results")
            process.send_signal(number)
            process.communicate(timeout=30)
        check(process.returncode == 130, "interrupted", process.returncode)
        check(not farm.workers(), "no worker is left", farm.workers())
    whole(farm, "interrupted four times", 0)


def verdicts(farm):
    farm.write("""
[[task]]
name = "some-fail"
command = "echo line {seed}; test {seed} != 4"
seeds = "3-5"
[[task]]
name = "hangs"
command = "sleep 60 & sleep 60"
seeds = "1"
timeout = 0.5
[[task]]
name = "dies"
command = "kill -9 $$"
seeds = "7"
[[task]]
name = "no-number"
command = "echo many cycles"
seeds = "1"
figures = {cycles = '(\\w+) cycles'}
[[task]]
name = "long"
command = "echo 10 cycles"
seeds = "1-100"
figures = {cycles = '(\\d+) cycles'}
until = {cycles = 50}
""")
    status, out, err = farm.run("--jobs", 1)
    check(status == 1, "exit status", (status, err))
    found = farm.rows("SELECT kind, seed, verdict, status FROM task WHERE verdict != 'pass' ORDER BY id")
    wanted = [("some-fail", 4, "fail", 1), ("hangs", 1, "hang", -9), ("dies", 7, "lost", None),
              ("no-number", 1, "fail", 0)]
    check(found == wanted, "verdicts", found)
    check("some-fail, seed 4: fail, exit status 1\n  echo line 4; test 4 != 4\n  | line 4\n" in out,
          "a failure has the command that repeats it", out)
    check(farm.rows("SELECT count(*) FROM task WHERE kind = 'long' AND state = 'done'") == [(5,)], "until",
          farm.rows("SELECT * FROM task WHERE kind = 'long' AND state = 'done'"))
    check("cycles 50" in out, "sum", out)
    check("| figure 'cycles': 'many' is not a number" in out, "a figure that is none", out)
    check(subprocess_run(farm.command("report", farm.database))[0] == 1, "report's exit status")
    with Database(farm.database, True).sql as sql:
        sql.execute("INSERT INTO task (id, kind, seed, revision, state, attempt) "
                    "VALUES (999, 'x', 1, 'R', 'running', 2)")
    result = {"verdict": "pass", "status": 0, "seconds": 1, "processor_seconds": 1, "said": ""}
    database = Database(farm.database, True)
    check(not database.finish(999, 1, result, {"cycles": 1.0}), "the result of an older attempt is not taken")
    check(database.finish(999, 2, result, {"cycles": 2.0}), "that of the attempt is")
    check(not database.finish(999, 2, result, {"cycles": 3.0}), "... once")
    check(farm.rows("SELECT value FROM figure WHERE task = 999") == [(2.0,)], "... with its figures")


def mistakes(farm):
    check(list(seeds_of("3-5")) == [3, 4, 5] and list(seeds_of("7")) == [7], "seeds")
    one = '[[task]]\nname = "a"\ncommand = "true"\n'
    for text, pattern in (("[[task", "c.toml: "), ("", "[[task]]"), ('other = 1\n' + one, "[[task]]"),
                          (one, "without 'seeds'"), (one + 'seeds = "5-1"', "not FIRST-LAST"),
                          (one + 'seeds = 5', "'seeds' is of another type"),
                          (one + 'sedes = "5"', "'sedes' is not known"),
                          (one + 'seeds = "1"\nfigures = {a = "x"}', "needs one group"),
                          (one + 'seeds = "1"\nfigures = {a = "(x"}', "c.toml: "),
                          (one + 'seeds = "1"\nuntil = {a = 1}', "no such figure"),
                          (one + 'seeds = "1"\nfigures = {a = "(x)"}\nuntil = {a = "9"}', "must be a number"),
                          (one + 'seeds = "1"\nlists = {a = "x"}', "list 'a': the expression needs one group"),
                          (one.replace('"a"', '"a b"') + 'seeds = "1"', "other characters"),
                          (one + 'seeds = "1"\neach = ["x"]', "'each' is a list of texts"),
                          (one.replace('"a"', '"{each}"') + 'seeds = "1"\neach = [1]', "'each' is a list of texts"),
                          (one.replace('"a"', '"{each}"') + 'seeds = "1"\neach = ["x", "x"]', "two tasks of one name"),
                          (2 * (one + 'seeds = "1"\n'), "two tasks of one name")):
        status, out, err = farm.write(text).run()
        check(status == 2 and pattern in err and err.count("\n") == 1 and not out, pattern, (status, out, err))
    for words, pattern in ((("run", farm.folder / "c.toml", "--database", "/dev/null/c.sqlite"), "Not a directory"),
                           (("profile", "--out", farm.folder / "c.toml", farm.folder / "c.toml"), "--out"),
                           (("profile", "--collect", "--seed", 5), "--seed: the campaign")):
        status, out, err = subprocess_run(farm.write(one + 'seeds = "1"').command(*words))
        check(status == 2 and pattern in err and err.count("\n") == 1 and not out, pattern, (status, out, err))
    status, _, err = subprocess_run(farm.command("report", farm.folder / "nothing"))
    check(status == 2 and "no such file" in err, "no database", err)
    (farm.folder / "text").write_text("hello, this is no database" * 50, encoding="utf-8")
    status, _, err = subprocess_run(farm.command("report", farm.folder / "text"))
    check(status == 2 and "not a database" in err and "Traceback" not in err, "a text", err)
    with farm.write(SLEEPERS).begin() as process:
        farm.until(farm.workers, "a worker")
        status, _, err = farm.run()
        check(status == 2 and "is running" in err, "two at a time", (status, err))
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=30)


def campaigns_of_the_project():
    """tests/campaigns/*.toml name existing files."""
    kinds = {path.stem: {kind.name for kind in read_campaign(path)}
             for path in (ROOT / "tests/campaigns").glob("*.toml")}
    check(set(kinds) == {"accuracy", "fuzzers", "machine", "mutants", "placement", "samples", "unit"}, "campaigns",
          kinds)
    for path in (ROOT / "tests/campaigns").glob("*.toml"):
        for script in re.findall(r"\bscripts/\w+\.py", path.read_text(encoding="utf-8")):
            check((ROOT / script).is_file(), f"{path.name}: {script}")
    workloads = {path.stem for path in (ROOT / "sw/workloads").glob("*.c")} - {"expected"}  # no workload: their results
    check(kinds["accuracy"] == workloads, "workloads", kinds["accuracy"] ^ workloads)
    of_make_test = {name for name, (when, _) in pmu_bench.configurations()[1].items() if when == "test"}
    check(kinds["unit"] == of_make_test, "configurations of the unit", kinds["unit"] ^ of_make_test)
    check(kinds["mutants"] == set(mutants.CONFIGS), "configurations of mutants", kinds["mutants"])


def main():
    campaigns_of_the_project()
    build = pathlib.Path(sys.argv[1]).resolve()
    parts = [mistakes, verdicts, worker_killed, killed_after_a_result]
    if sys.argv[2:] != ["short"]:
        parts += [undisturbed, campaign_killed, all_killed, half_a_result, corrected, interrupted]
    for part in parts:
        with tempfile.TemporaryDirectory() as folder:
            part(Farm(build, pathlib.Path(folder)))
    sys.exit(verdict())


if __name__ == "__main__":
    main()
