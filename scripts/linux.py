#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Linux on the simulated machine, with a shell and perf: a prompt, or one command.

    scripts/linux.py [--build DIR] [--iss] [--lockstep] [--smp N] [--memory SIZE] [--drivers split|whole] [--debug]
                     [--files DIR] [--run COMMAND] [-- OPTIONS of the simulator]

`host get` and `host put` in the shell copy files from and to DIR. With --run the machine ends after the command, and
the exit status is that of the command.
"""

import argparse
import pathlib
import subprocess
import sys

HARTS = (1, 2)
# Counters that the device tree leaves to the driver of the unit (docs/linux.md, Drivers)
DELEGATED = {"split": "0x78", "whole": "0xfffffffd"}


def command(args, extra):
    build = args.build
    simulator = build / ("tally-iss" if args.iss else "tally-sim")
    linux = build / "linux" / (("drivers-debug" if args.debug else "drivers") if args.drivers else "")
    line = [simulator, "-bios", build / "sw/firmware.elf", "-kernel", linux / "Image",
            "-initrd", linux / "user.cpio", "-append", "console=ttyS0 quiet", "-m", args.memory,
            "-smp", args.smp, "--files", args.files]
    line += ["--lockstep"] if args.lockstep else []
    line += ["--delegate", DELEGATED[args.drivers], "--ebb"] if args.drivers else []
    # A prompt is a person's: no summary behind it. Without one the machine must not wait for input.
    line += ["--env", f"RUN={args.run}"] if args.run is not None else ["--quiet"]
    return [str(word) for word in line + extra]


def parse(argv):
    parser = argparse.ArgumentParser(usage=__doc__.split("\n\n")[1].strip())
    parser.add_argument("--build", type=pathlib.Path, default=pathlib.Path("build"))
    parser.add_argument("--iss", action="store_true", help="on the golden machine: fast, but without caches")
    parser.add_argument("--lockstep", action="store_true", help="compare the RTL with the golden models")
    parser.add_argument("--smp", type=int, default=1, choices=HARTS, help="harts")
    parser.add_argument("--memory", default="128M", help="RAM")
    parser.add_argument("--drivers", choices=DELEGATED, help="a kernel with modules, and the driver of the unit")
    parser.add_argument("--debug", action="store_true", help="... of a kernel that watches its locks and its memory")
    parser.add_argument("--files", type=pathlib.Path, help="folder of host get and host put (build/linux/files)")
    parser.add_argument("--run", help="a command line for the shell")
    own, extra = (argv[:argv.index("--")], argv[argv.index("--") + 1:]) if "--" in argv else (argv, [])
    args = parser.parse_args(own)
    if args.iss and args.lockstep:
        parser.error("--iss: the golden machine needs no lockstep with itself")
    if args.debug and not args.drivers:
        parser.error("--debug: the kernel is that of --drivers")
    if args.run is not None and not args.run.strip():
        parser.error("--run: the command is empty")
    args.files = args.files or args.build / "linux/files"
    return args, extra


def main(argv):
    args, extra = parse(argv)
    if args.files == args.build / "linux/files":
        args.files.mkdir(parents=True, exist_ok=True)
    try:
        return subprocess.run(command(args, extra), stdin=None if args.run is None else subprocess.DEVNULL,
                              check=False).returncode
    except KeyboardInterrupt:
        return 130


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
