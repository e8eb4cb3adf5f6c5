#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A campaign on a real Slurm of two nodes, which are processes of this machine: a controller, and two slurmd.

usage: test_slurm.py BUILD [TASKS]
"""
import os
import pathlib
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time

from test_campaign import Farm, subprocess_run
import verdict
from verdict import check

PROGRAMS = ("slurmctld", "slurmd", "munged", "sbatch", "squeue", "scancel")
CONFIGURATION = """
ClusterName=farm
SlurmctldHost={host}(127.0.0.1)
SlurmctldPort={controller}
SlurmUser={user}
SlurmdUser={user}
AuthType=auth/munge
CredType=cred/munge
AuthInfo=socket={folder}/munge.socket,cred_expire=10
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool-%n
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd-%n.pid
SlurmctldLogFile={folder}/slurmctld.log
SlurmdLogFile={folder}/slurmd-%n.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
SwitchType=switch/none
MpiDefault=none
ReturnToService=2
SlurmdTimeout=6
SlurmctldTimeout=6
KillWait=2
MinJobAge=2
MailProg=/bin/true
SchedulerParameters=sched_interval=1,bf_interval=1,batch_sched_delay=0
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
NodeName=n1 NodeAddr=127.0.0.1 NodeHostname={host} Port={n1} CPUs=2 State=UNKNOWN
NodeName=n2 NodeAddr=127.0.0.1 NodeHostname={host} Port={n2} CPUs=2 State=UNKNOWN
PartitionName=all Nodes=n1,n2 Default=YES MaxTime=INFINITE State=UP
"""
TASKS = """
[[task]]
name = "task"
command = "echo {{seed}} cycles; sleep 0.3; echo {{seed}} >>LOG"
seeds = "1-{n}"
figures = {{cycles = '(\\d+) cycles'}}
"""


def free_ports(n):
    sockets = [socket.socket() for _ in range(n)]
    for one in sockets:
        one.bind(("127.0.0.1", 0))
    ports = [one.getsockname()[1] for one in sockets]
    for one in sockets:
        one.close()
    return ports


class Cluster:
    """Processes that this test started, and no others, are ended by their numbers."""

    def __init__(self, folder):
        self.folder = folder
        self.processes = {}
        controller, n1, n2 = free_ports(3)
        (folder / "state").mkdir()
        (folder / "munge.key").write_bytes(os.urandom(128))
        (folder / "munge.key").chmod(0o400)
        self.configuration = folder / "slurm.conf"
        self.configuration.write_text(CONFIGURATION.format(
            host=socket.gethostname(), user=subprocess_run(["id", "-un"])[1].strip(), folder=folder,
            controller=controller, n1=n1, n2=n2), encoding="utf-8")
        (folder / "cgroup.conf").write_text("CgroupPlugin=cgroup/v1\n", encoding="utf-8")
        os.environ["SLURM_CONF"] = str(self.configuration)
        self.start("munged", "munged", "--foreground", "--force", f"--key-file={folder}/munge.key",
                   f"--socket={folder}/munge.socket", f"--pid-file={folder}/munged.pid",
                   f"--log-file={folder}/munged.log", f"--seed-file={folder}/munged.seed")
        time.sleep(0.5)
        self.controller()
        self.node("n1")
        self.node("n2")

    def start(self, name, *command):
        with open(self.folder / f"{name}.said", "w", encoding="utf-8") as said:
            self.processes[name] = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=said, stderr=said,
                                                    start_new_session=True)

    def controller(self):
        self.start("slurmctld", "slurmctld", "-D", "-f", self.configuration)

    def node(self, name):
        self.start(name, "slurmd", "-D", "-N", name, "-f", self.configuration)

    def idle(self):
        said = subprocess_run(["sinfo", "--noheader", "--format=%T %D"])[1].split("\n")
        return "idle 2" in said

    def kill(self, name):
        process = self.processes.pop(name)
        process.kill()
        process.wait()

    def started(self, *variables):
        """Processes that Slurm has started here and whose environment has these variables, and their slurmstepd"""
        wanted = {f"SLURM_CONF={self.configuration}".encode(), *(word.encode() for word in variables)}
        found = set()
        for entry in pathlib.Path("/proc").iterdir():
            try:
                if not entry.name.isdigit() or not wanted <= set((entry / "environ").read_bytes().split(b"\0")):
                    continue
                parent = (entry / "stat").read_text(encoding="utf-8").rsplit(")", 1)[1].split()[1]
                ours = (pathlib.Path("/proc") / parent / "comm").read_text(encoding="utf-8") == "slurmstepd\n"
            except OSError:
                continue
            found |= {int(entry.name)} | ({int(parent)} if ours else set())
        return found - {os.getpid()} - {process.pid for process in self.processes.values()}

    def kill_node(self, name):
        """The daemon, and the jobs of the node"""
        self.kill(name)
        for process in self.started(f"SLURMD_NODENAME={name}"):
            os.kill(process, signal.SIGKILL)

    def end(self):
        for name in list(self.processes):
            process = self.processes.pop(name)
            process.terminate()
            try:
                process.wait(10)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
        for process in self.started():
            os.kill(process, signal.SIGKILL)

    def log(self):
        return "".join(path.read_text(encoding="utf-8", errors="replace")[-3000:]
                       for path in sorted(self.folder.glob("*.log")) + sorted(self.folder.glob("*.said")))


def campaign(farm, cluster, n):
    """A node dies and comes back, the controller is restarted, a worker is killed: each task has one result."""
    farm.write(TASKS.format(n=n))
    begin, patience = time.monotonic(), 60 + n
    with farm.begin("--slurm=--mem=0", "--jobs", 8) as process:
        farm.until(lambda: len(farm.ended()) >= n // 5, "a fifth", patience)
        cluster.kill_node("n1")
        farm.until(lambda: len(farm.ended()) >= 2 * n // 5, "two fifths", patience)
        cluster.kill("slurmctld")
        time.sleep(2)
        cluster.controller()
        cluster.node("n1")
        farm.until(lambda: len(farm.ended()) >= 3 * n // 5 and farm.workers(), "three fifths", patience)
        workers = farm.workers()
        if workers:
            os.kill(next(iter(workers)), signal.SIGKILL)
        out, err = process.communicate(timeout=600 + 2 * n)
    err = "".join(line for line in err.splitlines() if "waits for the controller" not in line)
    check(process.returncode == 0 and not err, "the campaign ends", (process.returncode, out, err))
    check(farm.rows("SELECT count(*), count(DISTINCT seed) FROM task WHERE state = 'done' AND verdict = 'pass'") ==
          [(n, n)], "results", farm.rows("SELECT seed, state, verdict FROM task WHERE verdict IS NOT 'pass'"))
    check(farm.rows("SELECT count(*), sum(value) FROM figure") == [(n, n * (n + 1) / 2)], "each figure once")
    check(set(farm.ended()) == set(range(1, n + 1)), "each task ran to its end")
    check(not list(farm.database.with_suffix(".orders").glob("*.*.*")), "no orders are left")
    again = len(farm.ended()) - n
    print(f"{n} tasks in {time.monotonic() - begin:.0f} s, {again} of them ran to their end twice and count once")


def interrupted(farm):
    """Its jobs are cancelled; it goes on, without a failed task."""
    with farm.write(TASKS.format(n=12)).begin("--slurm=--mem=0", "--jobs", 4) as process:
        farm.until(lambda: len(farm.ended()) >= 3 and farm.workers(), "three results")
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=60)
    check(process.returncode == 130, "interrupted", process.returncode)
    check(not subprocess_run(["squeue", "--noheader"])[1] and not farm.workers(), "no job is left")
    status, out, err = farm.run("--slurm=--mem=0", "--jobs", 4)
    check(status == 0 and farm.rows("SELECT count(*), sum(deaths) FROM task WHERE verdict = 'pass'") == [(12, 0)],
          "it goes on", (out, err))
    farm.log.unlink()
    farm.database.unlink()


def refused(farm):
    """An option that sbatch does not know is an error, and soon."""
    status, _, err = farm.write(TASKS.format(n=2)).run("--slurm=--nonsense", "--jobs", 2)
    check(status == 2 and "nonsense" in err and "Traceback" not in err, "a refused job", (status, err))
    farm.database.unlink()


def killed(farm):
    """It goes on with the jobs that outlived it, and leaves none of its files."""
    with farm.write(TASKS.format(n=12)).begin("--slurm=--mem=0", "--jobs", 4) as process:
        farm.until(lambda: len(farm.ended()) >= 3 and farm.workers(), "three results")
        process.kill()
        process.communicate(timeout=60)
    left = farm.database.with_suffix(".orders")
    check(list(left.glob("*.array")), "orders were left", list(left.iterdir()))
    status, out, err = farm.run("--slurm=--mem=0", "--jobs", 4)
    check(status == 0 and farm.rows("SELECT count(*), sum(deaths) FROM task WHERE verdict = 'pass'") == [(12, 0)],
          "it goes on after a kill", (out, err))
    check(not list(left.glob("*.*.*")), "none are left", list(left.iterdir()))
    farm.log.unlink()
    farm.database.unlink()


def full_disk(farm):
    """A full disk where the campaign writes what Slurm reads: it waits, and goes on."""
    orders = farm.database.with_suffix(".orders")
    orders.mkdir(exist_ok=True)
    for name in ("1.1.array", "job.sh", "1.1.job"):
        farm.write(TASKS.format(n=2))
        (orders / name).unlink(missing_ok=True)
        (orders / name).symlink_to("/dev/full")
        with farm.begin("--slurm=--mem=0", "--jobs", 2) as process:
            said = process.stderr.readline()
            check("waits for room" in said, f"{name}: a full disk is said", said)
            check(process.poll() is None and not farm.rows("SELECT * FROM figure"), f"{name}: it waits")
            (orders / name).unlink()
            out, err = process.communicate(timeout=60)
        check(process.returncode == 0 and not err, f"{name}: it goes on", (out, err))
        check(farm.ended() == [1, 2] and farm.rows("SELECT sum(value) FROM figure") == [(3.0,)],
              f"{name}: each task ran once", farm.rows("SELECT * FROM task"))
        check(not list(orders.glob("*.*.*")), f"{name}: nothing is left", list(orders.iterdir()))
        farm.log.unlink()
        farm.database.unlink()


def main():
    missing = [name for name in PROGRAMS if not shutil.which(name) and not shutil.which(f"/usr/sbin/{name}")]
    if missing:
        sys.exit(f"there is no {', '.join(missing)}: run scripts/setup")
    os.environ["PATH"] += ":/usr/sbin"
    with tempfile.TemporaryDirectory(prefix="slurm-") as folder, tempfile.TemporaryDirectory() as work:
        cluster = Cluster(pathlib.Path(folder))
        try:
            farm = Farm(pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(work))
            if not farm.until(cluster.idle, "two idle nodes"):
                sys.exit(cluster.log())
            interrupted(farm)
            refused(farm)
            killed(farm)
            full_disk(farm)
            campaign(farm, cluster, int(sys.argv[2]) if len(sys.argv) > 2 else 40)
            if verdict.failed:
                print(cluster.log())
        finally:
            cluster.end()
    sys.exit(verdict.verdict())


if __name__ == "__main__":
    main()
