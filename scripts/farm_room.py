# SPDX-License-Identifier: Apache-2.0
"""A campaign waits while the disk is full."""

import errno
import os
import sqlite3
import sys
import time

POLL = 1  # seconds


def write_with_room(path, text, durable=False):
    """durable: it is on the disk, even if the machine fails"""
    def write():
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
            file.flush()
            if durable:
                os.fsync(file.fileno())
    with_room(write)


def with_room(action):
    """Retry until the disk has room, so that the result of hours is not lost."""
    said = False
    while True:
        try:
            return action()
        except OSError as error:
            if error.errno not in (errno.ENOSPC, errno.EDQUOT):
                raise
            reason = error.strerror
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode != sqlite3.SQLITE_FULL:
                raise
            reason = str(error)
        if not said:
            print(f"tally-farm: {reason}; waits for room", file=sys.stderr, flush=True)
            said = True
        time.sleep(POLL)
