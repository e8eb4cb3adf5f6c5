#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The unpacked, unmodified source of a Debian package, from the machine's own list of sources.

    scripts/debian_source.py PACKAGE FOLDER

Prints where it is below FOLDER; existing files are kept. The package must be in scripts/sources.txt.
"""

import os
import pathlib
import subprocess
import sys

LIST = pathlib.Path(__file__).resolve().parent / "sources.txt"


def packages():
    lines = (line.split("#")[0].split() for line in LIST.read_text(encoding="utf-8").splitlines())
    return [words[0] for words in lines if words]


def apt_options(folder):
    """Options of apt-get: the machine's list as sources of source packages, with state below `folder`."""
    lists = folder / "lists"
    (lists / "partial").mkdir(parents=True, exist_ok=True)
    parts = pathlib.Path("/etc/apt/sources.list.d")
    sources = {"apt.sources": "", "apt.list": ""}
    for path in sorted(parts.glob("*.sources")):
        sources["apt.sources"] += path.read_text(encoding="utf-8").replace("Types: deb\n", "Types: deb-src\n") + "\n"
    for path in (pathlib.Path("/etc/apt/sources.list"), *sorted(parts.glob("*.list"))):
        for line in path.read_text(encoding="utf-8").splitlines() if path.exists() else []:
            if line.startswith("deb "):
                sources["apt.list"] += line.replace("deb ", "deb-src ", 1) + "\n"
    own = folder / "parts"
    own.mkdir(exist_ok=True)
    for name, text in sources.items():
        (own / name).write_text(text, encoding="utf-8")
    return ["-o", "Dir::Etc::sourcelist=-", "-o", f"Dir::Etc::sourceparts={own}", "-o", f"Dir::State::lists={lists}",
            "-o", "APT::Sandbox::User=root", "-q"]


def fetch(package, folder):
    """The folder of its source below `folder`."""
    folder = pathlib.Path(folder).resolve()
    place = folder / package
    if (place / ".complete").exists():
        return source_of(place)
    if package not in packages():
        sys.exit(f"debian_source.py: {package} is not in {LIST.name}")
    subprocess.run(["rm", "-rf", str(place)], check=True)
    place.mkdir(parents=True)
    options = apt_options(folder)
    with open(os.devnull, "w", encoding="utf-8") as quiet:
        if not list((folder / "lists").glob("*Sources*")):
            subprocess.run(["apt-get", *options, "update"], check=True, stdout=quiet)
        subprocess.run(["apt-get", *options, "source", "--download-only", package], cwd=place, check=True, stdout=quiet)
    archive = next(path for path in place.glob(f"{package}_*.orig.tar.*") if path.suffix != ".asc")
    subprocess.run(["tar", "xf", archive.name], cwd=place, check=True)
    (place / ".complete").touch()
    return source_of(place)


def source_of(place):
    return next(path for path in place.iterdir() if path.is_dir())


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    print(fetch(sys.argv[1], sys.argv[2]))
