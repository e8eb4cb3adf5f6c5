#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Programs of others, from the unmodified sources of Debian's packages, profiled in lockstep by scripts/profile.py.

    third_party.py BUILD [NAME...]

Each is fetched as a source package, built by one line, run in lockstep with the golden models, and its output compared
with that of the host's own tool or with a known one.
"""

import bz2
import gzip
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "scripts"))
from debian_source import fetch  # pylint: disable=wrong-import-position

TEXT = b"".join(b"%d: what is compressed repeats itself, %x times\n" % (i, i * i * 7919) for i in range(60))
LUA = """local t = {}
for i = 1, 300 do t[i] = (i * 7919) % 1009 end
table.sort(t)
print(t[1], t[300], string.format("%.3f", math.sqrt(2)), #string.rep("ab", 50))
"""
ZLIB = ("adler32 crc32 deflate infback inffast inflate inftrees trees zutil compress uncompr gzclose gzlib gzread "
        "gzwrite")
BZIP2 = "blocksort huffman crctable randtable compress decompress bzlib"


def lua_sources(folder):
    return ["src/lua.c"] + sorted(f"src/{path.name}" for path in (folder / "src").glob("*.c")
                                  if path.name not in ("lua.c", "luac.c"))


# name: package, sources in its folder, flags, files before, arguments, what must be there afterwards
PROGRAMS = {
    "minigzip": ("zlib", lambda folder: ["test/minigzip.c"] + [f"{name}.c" for name in ZLIB.split()],
                 "-DHAVE_UNISTD_H -I.", {"text": TEXT}, ["text"],
                 lambda files, out: gzip.decompress((files / "text.gz").read_bytes()) == TEXT),
    "bzip2": ("bzip2", lambda folder: ["bzip2.c"] + [f"{name}.c" for name in BZIP2.split()], "",
              {"text": TEXT}, ["-1", "text"],
              lambda files, out: bz2.decompress((files / "text.bz2").read_bytes()) == TEXT),
    "lua": ("lua5.4", lua_sources, "-Isrc", {"program.lua": LUA.encode()}, ["program.lua"],
            lambda files, out: "1\t1006\t1.414\t100\n" in out),
}


def one(build, name, work):
    package, sources, cflags, before, arguments, right = PROGRAMS[name]
    folder = fetch(package, work)
    files, out = work / f"{name}.files", work / f"{name}.out"
    files.mkdir()
    for path, content in before.items():
        (files / path).write_bytes(content)
    done = subprocess.run([sys.executable, str(ROOT / "scripts/profile.py"), "--build", str(build), "--out", str(out),
                           "--files", str(files), "--lockstep", "--no-open", "--cflags", f"-w {cflags}",
                           *sources(folder), "--", *arguments], cwd=folder, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True, check=False)
    lines = [line for line in done.stdout.splitlines() if "samples" in line or "  instructions" in line]
    ok = done.returncode == 0 and right(files, done.stdout) and any("samples (U, S)" in line for line in lines)
    print(f"{name}: {'right' if ok else 'WRONG'}\n" + "\n".join(lines if ok else [done.stdout]), flush=True)
    return ok


def main(argv):
    build = pathlib.Path(argv[0]).resolve()
    with tempfile.TemporaryDirectory(prefix="tally-third-") as work:
        results = [one(build, name, pathlib.Path(work)) for name in argv[1:] or PROGRAMS]
    return not all(results)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
