# SPDX-License-Identifier: Apache-2.0
"""The worker of a campaign: it runs one task (docs/farm.md)."""

import collections
import fcntl
import json
import os
import pathlib
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
import time

import cover_points
from farm_room import with_room, write_with_room
from farm_tasks import FAIL, HANG, PASS

COVER = "{cover}"  # in a command: a folder for files of coverage


def perform(command, timeout):
    """Run a task; its row of the database"""
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
                os.killpg(process.pid, signal.SIGKILL)  # its process group: its children end, too
            except ProcessLookupError:
                pass
            process.wait()
        output.seek(0)
        said = output.read().decode(errors="replace")
    usage = os.times()
    return {"verdict": HANG if hangs else PASS if process.returncode == 0 else FAIL, "status": process.returncode,
            "seconds": time.monotonic() - begin, "processor_seconds": usage.children_user + usage.children_system,
            "said": said}


def take_cover(result, folder):
    """Coverage of a task, from its output and its files. A file that cannot be read is its failure."""
    hits = collections.Counter({f"cross {name}": count for name, count in cover_points.crosses(result["said"])})
    try:
        for path in sorted(path for path in folder.rglob("*") if path.is_file()) if folder else ():
            hits.update(cover_points.read(path))
    except (OSError, ValueError) as error:
        result["verdict"] = FAIL if result["verdict"] == PASS else result["verdict"]
        result["said"] += f"\n{error}\n"
        return
    result["cover"] = hits


def work(order_path):
    """The worker: an order is a file, and so is the result. It holds a lock on the order while it runs."""
    order_path = pathlib.Path(order_path)
    try:
        order_file = open(order_path, "r+b")
    except FileNotFoundError:  # its campaign has a result
        return 0
    with order_file:
        fcntl.flock(order_file, fcntl.LOCK_EX)
        if order_path.with_suffix(".result").exists() or not order_path.exists():  # another worker has done it
            return 0
        order = json.load(order_file)
        signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
        os.chdir(order["folder"])
        command, cover = order["command"], None
        if COVER in command:
            cover = order_path.with_suffix(".cover").resolve()
            shutil.rmtree(cover, ignore_errors=True)
            with_room(cover.mkdir)
            command = command.replace(COVER, shlex.quote(str(cover)))
        result = perform(command, order["timeout"])
        if result["status"] == -signal.SIGKILL and result["verdict"] != HANG:  # perhaps out of memory
            return 1
        take_cover(result, cover)
        if cover:
            shutil.rmtree(cover)
        part = order_path.with_suffix(".part")
        write_with_room(part, json.dumps(result), durable=True)
        with_room(lambda: part.replace(order_path.with_suffix(".result")))
    return 0
