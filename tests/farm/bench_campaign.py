#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The cost of a campaign beside its tasks, part by part: a worker's start, the choice of the next task, a result's way
into the database, with and without coverage. Then what more machines would gain, calculated from these: each has a task
of a minute at a time and pays for the worker's start; one process starts all tasks and takes all results.

usage: bench_campaign.py [FOLDER]     the database's; default: one of the system's
       bench_campaign.py --slurm      overhead on a Slurm of two nodes on this machine, with tasks that sleep a minute
"""
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path[:0] = [str(ROOT / "scripts"), str(ROOT / "tests")]
import farm_campaign  # noqa: E402
from farm_tasks import kind_of  # noqa: E402
from test_campaign import Farm  # noqa: E402
from test_slurm import Cluster  # noqa: E402

RESULTS, WORKERS, POINTS = 400, 20, 10_000
EARLIER, STARTS = 50_000, 200
TASK = 60_000  # milliseconds
MACHINES = (10, 100, 1000)


class Arguments:
    """Of a campaign whose tasks have ended already."""

    def __init__(self, folder):
        self.campaign, self.database, self.build = folder / "c.toml", folder / "c.sqlite", folder
        self.jobs, self.slurm, self.seconds, self.revision = 1, None, None, "R"


def results(folder, points):
    """Milliseconds of processor time of one result from its file to the database, as the campaign takes it."""
    args = Arguments(folder)
    args.campaign.write_text('[[task]]\nname = "a"\ncommand = "true"\nseeds = "1"\n', encoding="utf-8")
    campaign = farm_campaign.Campaign(args)
    kind = kind_of({"name": "a", "command": "true", "seeds": f"1-{RESULTS}", "figures": {"cycles": r"(\d+) cycles"}})
    campaign.kinds = {"a": kind}
    campaign.sitting = campaign.database.begin_sitting("R", {}, "local")
    campaign.database.add(kind, "R")
    found = {"verdict": "pass", "status": 0, "seconds": 60.0, "processor_seconds": 60.0, "said": "12345 cycles\n" * 100,
             "cover": {f"cross situation of the pipeline / {n}": n % 3 for n in range(points)}}
    for task in list(campaign.database.of_state("R", "waiting")):
        order = campaign.order(task, campaign.database.start(task["id"], campaign.sitting))
        order.write_text("{}", encoding="utf-8")
        order.with_suffix(".result").write_text(json.dumps(found), encoding="utf-8")
        campaign.running[order] = task, 1
    begin = time.process_time()
    campaign.collect()
    spent = time.process_time() - begin
    if campaign.database.done("R")[0] != RESULTS:
        sys.exit("results are missing")
    return 1000 * spent / RESULTS


def dispatch(folder):
    """Milliseconds of processor time from the choice of a task to its order, behind many that have ended"""
    args = Arguments(folder)
    args.campaign.write_text(f'[[task]]\nname = "a"\ncommand = "true"\nseeds = "1-{EARLIER + STARTS}"\n'
                             "figures = {cycles = '(\\d+) cycles'}\nuntil = {cycles = 1e12}\n", encoding="utf-8")
    campaign = farm_campaign.Campaign(args)
    campaign.executor = Orders()
    campaign.sitting = campaign.database.begin_sitting("R", {}, "local")
    campaign.database.add(campaign.kinds["a"], "R")
    with campaign.database.sql as sql:
        sql.execute("UPDATE task SET state = 'done', verdict = 'pass' WHERE id <= ?", (EARLIER,))
        sql.execute("INSERT INTO figure SELECT id, 'cycles', 1 FROM task WHERE id <= ?", (EARLIER,))
    begin = time.process_time()
    for _ in range(STARTS):
        campaign.start(campaign.next_task())
    return 1000 * (time.process_time() - begin) / STARTS


class Orders:
    """An executor that runs nothing"""

    def start(self, order):
        pass


def worker(folder):
    """Milliseconds of processor time of a worker whose task does nothing."""
    before = os.times()
    for n in range(WORKERS):
        order = folder / f"{n}.1.order"
        order.write_text(json.dumps({"command": "true", "timeout": 60, "folder": str(folder)}), encoding="utf-8")
        subprocess.run([sys.executable, ROOT / "scripts/farm.py", "work", order], check=True)
    after = os.times()
    return 1000 * sum(after[2:4], -sum(before[2:4])) / WORKERS


def gain(machines, start, central):
    """Times as many tasks as one machine without overhead does, and what limits them. central: milliseconds of the
    campaign's own process for each."""
    by_machines, by_campaign = machines * TASK / (TASK + start), TASK / central
    return min(by_machines, by_campaign), "the machines" if by_machines < by_campaign else "the campaign's process"


def on_slurm():
    """Four tasks at a time, of a minute each that costs no processor time"""
    rounds, at_a_time = 4, 4
    with tempfile.TemporaryDirectory(prefix="slurm-") as folder, tempfile.TemporaryDirectory() as work:
        cluster = Cluster(pathlib.Path(folder))
        try:
            farm = Farm(ROOT / "build", pathlib.Path(work))
            if not farm.until(cluster.idle, "two idle nodes"):
                sys.exit(cluster.log())
            farm.write(f'[[task]]\nname = "minute"\ncommand = "sleep {TASK // 1000}"\n'
                       f'seeds = "1-{rounds * at_a_time}"\n')
            begin = time.monotonic()
            with farm.begin("--slurm=--mem=0", "--jobs", at_a_time) as process:
                out, err = process.communicate()
            seconds = time.monotonic() - begin
            if process.returncode:
                sys.exit(out + err + cluster.log())
        finally:
            cluster.end()
    print(f"{rounds * at_a_time} tasks of {TASK // 1000} s, {at_a_time} at a time on Slurm: {seconds:.1f} s, "
          f"{100 * (seconds * 1000 / (rounds * TASK) - 1):.1f} % more than the tasks")


def main():
    if sys.argv[1:] == ["--slurm"]:
        os.environ["PATH"] += ":/usr/sbin"
        on_slurm()
        return
    where = sys.argv[1] if len(sys.argv) > 1 else None
    spent = []
    for what, measure in (("a worker's start and end", worker),
                          (f"a task's start behind {EARLIER:,} results", dispatch),
                          ("a result into the database", lambda folder: results(folder, 0)),
                          (f"... with {POINTS:,} points of coverage", lambda folder: results(folder, POINTS))):
        with tempfile.TemporaryDirectory(dir=where) as folder:
            spent.append(measure(pathlib.Path(folder)))
            print(f"{what:45}{spent[-1]:8.1f} ms of a processor", flush=True)
    start, chosen, plain, covered = spent
    for what, result in (("without coverage", plain), ("with it", covered)):
        for machines in MACHINES:
            times, limit = gain(machines, start, chosen + result)
            print(f"{machines:5} machines, {what}: {times:6.1f} times one, limited by {limit}")


if __name__ == "__main__":
    main()
