# SPDX-License-Identifier: Apache-2.0
"""tally-farm trim: the database of a campaign, small enough to be kept with the sources (docs/farm.md)."""

import pathlib
import sqlite3

from farm_campaign import claim
from farm_database import Database
from farm_tasks import PASS, WAITING
from farm_windows import Wrong


def trim(args):
    """Remove tasks that have not begun, which a campaign adds again, and what those that passed have printed."""
    database = Database(args.database, False)
    try:
        _, lock = claim(args.database)
        before = args.database.stat().st_size
        with lock:
            with database.sql as sql:
                sql.execute("DELETE FROM task WHERE state = ? AND attempt = 0", (WAITING,))
                sql.execute("UPDATE task SET said = '' WHERE verdict = ?", (PASS,))
            database.sql.execute("VACUUM")
    except (OSError, sqlite3.Error) as error:
        raise Wrong(f"{args.database}: {error}") from None
    print(f"{args.database}: {before:,} -> {args.database.stat().st_size:,} bytes")
    return 0


def add_to(commands):
    command = commands.add_parser("trim", help="make a campaign's database small, to be kept")
    command.add_argument("database", type=pathlib.Path, metavar="FILE")
    command.set_defaults(run=trim)
