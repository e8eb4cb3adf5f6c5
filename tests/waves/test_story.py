#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A story runs, its moments come about, and the real GTKWave shows every row of it: test_story.py BUILD STORY

The story `refused` tests the errors: a signal that is not in the model, a moment that does not occur.
"""

import pathlib
import re
import struct
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "scripts"))
import yaml  # noqa: E402
import waves  # noqa: E402

BUILD = pathlib.Path(sys.argv[1]).resolve()
MISMATCH = waves.GOLDEN + "mismatch"


def check(condition, what):
    if not condition:
        sys.exit(f"FAIL: {what}")


def header(png):
    """Width, height and size of a PNG."""
    check(png[:8] == b"\x89PNG\r\n\x1a\n", "not a PNG")
    width, height = struct.unpack(">II", png[16:24])
    return width, height, len(png)


def tell(name):
    story = waves.Story(name, {})
    if name == "workload":  # only the rows are checked: a short program will do
        story.programs, story.start, story.end, story.stop = {"bios": "hart_traps.elf"}, "0", "2000", "2000"
    with tempfile.TemporaryDirectory() as folder:
        wave, save, picture = (pathlib.Path(folder) / f"story.{end}" for end in ("fst", "gtkw", "png"))
        waves.simulate(story, BUILD, wave)
        file = waves.Waves(BUILD, wave)
        markers = waves.find_markers(story, file)
        print(markers)
        drawn = yaml.safe_load(waves.MOMENTS.read_text(encoding="utf-8")).get(name)
        check(drawn in (None, waves.distances(markers)), f"the picture in docs/waves shows {drawn}: make pictures")
        waves.write_story(story, file, markers, BUILD, save)
        said = waves.picture(save, picture)
        rows = [row.alias for _, group in story.view for row in group]
        shown = re.findall(r"^shows (.+)$", said, re.M)
        width, height, size = header(picture.read_bytes())
        check(width > 1000 and height > 400 and size > 15000, f"a picture of {width}x{height} in {size} bytes")
        check(len(shown) == len(rows), f"GTKWave shows {len(shown)} signals of {len(rows)}: {said}")
        differs = [cycle for cycle, values in file.cycles({"differs": MISMATCH}) if values["differs"]]
        check(not differs, f"golden and RTL state differ, first in cycle {differs[:1]}")


def refuse():
    def error(name, change):
        story = waves.Story("overflow", {})
        change(story)
        try:
            waves.find_markers(story, file)
            waves.write_story(story, file, {"a": 1, "b": 2}, BUILD, folder / "x.gtkw")
        except waves.WavesError as err:
            check(name in str(err), f"{err} does not name {name}")
            return
        check(False, f"no error about {name}")

    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        subprocess.run([BUILD / "tally-sim", "-bios", BUILD / "sw" / "hart_traps.elf", "--quiet", "--wave",
                        folder / "x.fst", "--wave-to", "300", "--stop", "300"], check=True, stdout=subprocess.DEVNULL)
        file = waves.Waves(BUILD, folder / "x.fst")
        error("u_adapter.u_pmu.renamed", lambda s: s.signals.update(x=waves.HART + "u_adapter.u_pmu.renamed"))

        def lost_row(story):
            story.markers, story.zoom = [], {"from": "a", "to": "b"}
            story.view[0][1].append(waves.Row(waves.HART + "u_adapter.u_pmu.lost", "lost", None, None))

        error("u_adapter.u_pmu.lost", lost_row)
        error("does not come about", lambda s: s.markers.insert(0, {"name": "never", "when": "priv == 2"}))
    for arguments in (["nowhere"], ["overflow", "--set", "x=1"], ["overflow", "--set", "x"]):
        command = [sys.executable, ROOT / "scripts" / "waves.py", "--build", BUILD, "--no-view", *arguments]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        check(done.returncode == 2 and done.stderr, f"{arguments}: status {done.returncode}")


if __name__ == "__main__":
    if sys.argv[2] == "refused":
        refuse()
    else:
        tell(sys.argv[2])
