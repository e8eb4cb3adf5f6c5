# SPDX-License-Identifier: Apache-2.0
"""Slurm as the executor of campaigns (docs/farm.md): orders are elements of job arrays."""

import pathlib
import shlex
import subprocess
import sys
import time

from farm_room import write_with_room
from farm_windows import Wrong

ASK = 1.0  # seconds between two questions to slurmctld
TRIES = 30  # seconds in which jobs that were cancelled must end
MOST = 1000  # orders of an array: Slurm's MaxArraySize, unless it is configured
REFUSED = 3  # times that a controller refuses a job before it is an error
SETTLE = 5.0  # seconds after which a job that was submitted must be known


def slurm(*command):
    """(exit status, output)"""
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=False, stdin=subprocess.DEVNULL)
    except OSError as error:
        raise Wrong(f"{command[0]}: {error.strerror}") from None
    return done.returncode, done.stdout if done.returncode == 0 else done.stderr.strip()


class Slurm:
    """A job that Slurm no longer lists has ended, with a result, or has died. Slurm itself reruns the jobs of a failed
    node; the worker's lock and the number of the attempt ensure a single result."""

    def __init__(self, jobs, folder, options):
        self.room, self.folder, self.options = jobs, folder, options
        self.waiting, self.jobs, self.submitted = [], {}, {}
        self.answered = False
        self.known, self.asked = set(), 0.0
        self.arrays = {}  # file: its orders that have not ended
        for path in filter(pathlib.Path.is_file, folder.glob("*.array")):  # of a sitting that was killed
            self.arrays[path] = {pathlib.Path(line) for line in path.read_text(encoding="utf-8").splitlines()}
        self.remove_ended_arrays()

    def start(self, order):
        self.waiting.append(order)

    def flush(self):
        """Submit waiting orders as arrays."""
        while self.waiting:
            orders, self.waiting = self.waiting[:MOST], self.waiting[MOST:]
            self.submit_array(orders)

    def submit_array(self, orders):
        orders_file = self.folder / f"{orders[0].stem}.array"
        write_with_room(orders_file, "".join(f"{order}\n" for order in orders))
        farm = shlex.join([sys.executable, str(pathlib.Path(__file__).resolve().with_name("farm.py")), "work"])
        script = (f'#!/bin/sh\nexec {farm} "$(sed -n "$((SLURM_ARRAY_TASK_ID + 1))p" '
                  f'{shlex.quote(str(orders_file))})"\n')
        self.arrays[orders_file] = set(orders)
        job = self.submit(script, len(orders))
        for index, order in enumerate(orders):
            self.jobs[order] = f"{job}_{index}"
            self.submitted[order] = time.monotonic()
            write_with_room(order.with_suffix(".job"), self.jobs[order])

    def submit(self, script, n):
        path = self.folder / "job.sh"
        write_with_room(path, script)
        refused, told = 0, False
        while True:
            status, said = slurm("sbatch", "--parsable", f"--array=0-{n - 1}", "--output=/dev/null", "--requeue",
                                 "--job-name=tally-farm", *self.options, str(path))
            if status == 0:
                self.answered = True
                return said.strip().split(";")[0]
            # A controller that is there means it. One that has been there will come back.
            refused += "is UP" in slurm("scontrol", "ping")[1] or not self.answered
            if refused == REFUSED:
                raise Wrong(f"sbatch: {said}")
            if not told:
                print(f"tally-farm: sbatch: {said}; waits for the controller", file=sys.stderr, flush=True)
                told = True
            time.sleep(ASK)

    def ask(self):
        """Jobs of Slurm that have not ended; while it does not answer, those of its last answer"""
        now = time.monotonic()
        if now < self.asked + ASK:
            return
        self.asked = now
        status, said = slurm("squeue", "--noheader", "--array", "--name=tally-farm", "--format=%i %r")
        if status == 0:
            jobs = [line.split(maxsplit=1) for line in said.splitlines() if line.strip()]
            self.known = {job[0] for job in jobs}
            for job in jobs:
                if job[1:] and "requeued held" in job[1]:  # its node failed while it was launched
                    slurm("scontrol", "release", job[0])
        else:
            self.known = set(self.jobs.values()) | self.known

    def is_over(self, order):
        if order.with_suffix(".result").exists():
            return True
        if order not in self.jobs:  # of a sitting before this one
            try:
                self.jobs[order] = order.with_suffix(".job").read_text(encoding="utf-8")
            except OSError:
                return order not in self.waiting
        self.ask()
        recent = time.monotonic() < self.submitted.get(order, -SETTLE) + SETTLE
        over = not recent and self.jobs[order] not in self.known and self.asked > 0
        if over:
            self.look_again()
        return over

    def look_again(self):
        """A network file system remembers for a while that there was no result, until this machine changes the
        folder."""
        path = self.folder / "look"
        write_with_room(path, "")
        path.unlink()

    def forget(self, order):
        self.jobs.pop(order, None)
        self.submitted.pop(order, None)
        order.with_suffix(".job").unlink(missing_ok=True)
        for orders in self.arrays.values():
            orders.discard(order)
        self.remove_ended_arrays()

    def remove_ended_arrays(self):
        for path, orders in list(self.arrays.items()):
            if not any(map(pathlib.Path.exists, orders)):
                path.unlink(missing_ok=True)
                del self.arrays[path]

    def stop(self):
        if self.jobs:
            slurm("scancel", *self.jobs.values())
        for _ in range(TRIES):
            self.asked = 0.0
            self.ask()
            if not self.known & set(self.jobs.values()):
                break
            time.sleep(ASK)
        self.submitted = {}
        self.waiting = []
