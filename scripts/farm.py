#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""tally-farm: many runs that make one result (docs/farm.md).

    scripts/farm.py [--build DIR] {profile | run | report | trim} ...

Exit status: 1 a task of a campaign has not passed, 2 wrong options, a bad file, or a run that failed.
"""

import argparse
import pathlib
import sys

import farm_campaign
import farm_profile
import farm_report
import farm_trim
from farm_windows import WRONG, Wrong


class Parser(argparse.ArgumentParser):
    def error(self, message):
        self.exit(WRONG, f"tally-farm: {message}; see --help\n")


def main():
    parser = Parser(prog="tally-farm", description="Many runs that make one result (docs/farm.md)")
    parser.add_argument("--build", type=pathlib.Path, default=pathlib.Path("build"), metavar="DIR")
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    farm_profile.add_to(commands)
    farm_campaign.add_to(commands)
    farm_report.add_to(commands)
    farm_trim.add_to(commands)
    args = parser.parse_args()
    try:
        return args.run(args)
    except Wrong as wrong:
        print(f"tally-farm: {wrong}", file=sys.stderr)
        return WRONG
    except KeyboardInterrupt:
        return 130


if __name__ == "__main__":
    sys.exit(main())
