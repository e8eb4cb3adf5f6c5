#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Waves of a short run, shown in GTKWave as a story: signals in groups, markers where something happens.

    scripts/waves.py [--build DIR] STORY [--set NAME=VALUE]... [--picture FILE] [--no-view]
    scripts/waves.py [--build DIR] --list
    scripts/waves.py [--build DIR] --pictures
    scripts/waves.py [--build DIR] --diff A B [--ignore PATTERN]... [--no-view]

STORY is a file of sim/stories without its suffix; sim/README.md describes its form. Written to DIR/waves: the wave file
STORY.fst, the save file STORY.gtkw and, with --picture, a screenshot of GTKWave (under Xvfb). --pictures draws those of
docs/waves again, and records the cycles of their events, which the tests compare. --diff compares two wave files and
writes a save file for each, with the cursor on the first difference. Exit status: 0; 1 the files differ; 2 bad input, a
failed run, or a signal or moment of the story is missing.
"""

import argparse
import itertools
import math
import os
import pathlib
import re
import shutil
import signal
import string
import subprocess
import sys
import tempfile
import time

try:
    import yaml
except ImportError:
    sys.exit("waves.py: PyYAML is missing: run scripts/setup and use .venv/bin/python")

ROOT = pathlib.Path(__file__).resolve().parent.parent
STORIES = ROOT / "sim" / "stories"
PICTURES = ROOT / "docs" / "waves"
MOMENTS = PICTURES / "moments.yaml"
RCFILE = ROOT / "sim" / "gtkwaverc"
CYCLE = 10  # of a wave file's time
HART = "TOP.tally_sim_top.u_soc.g_hart[0].u_hart."
GOLDEN = "TOP.tally_sim_top.g_golden[0].u_golden."
WIDTH, NAMES_WIDTH = 1540, 500  # pixels of the window and of its left part
HEIGHT, ROW_HEIGHT = 140, 19  # without rows, and of each
FRAME = 200  # GTKWave's zoom is the time of so many pixels, as a power of 2
LETTERS = 26
TIME_LIMIT = 120  # seconds, a picture

# GTKWave's flags of a row
FORMATS = {"hex": 0x22, "dec": 0x24, "signed": 0x424, "bin": 0x28}
FILE_FILTER, PROCESS_FILTER, COMMENT = 0x2000, 0x4000, 0x200
COLORS = {"red": 1, "orange": 2, "yellow": 3, "green": 4, "blue": 5, "indigo": 6, "violet": 7}


class WavesError(Exception):
    """Nothing to show; exit status 2."""


def run(command, **kwargs):
    try:
        return subprocess.run([str(part) for part in command], text=True, check=False, **kwargs)
    except OSError as err:
        raise WavesError(f"{command[0]} cannot be run: {err.strerror}") from err
    except subprocess.TimeoutExpired as err:
        raise WavesError(f"{command[0]}: not done after {kwargs['timeout']} s") from err


# ------------------------------------------------------------------------------------------------------- stories


class Row:
    """One line of the view: a signal (its full name without bits), how it is shown, and under which name."""

    def __init__(self, name, alias, by, color):
        self.name, self.alias, self.by, self.color = name, alias, by, color


def full_name(path):
    """Stories name signals from the hart on; golden ones with `golden.` before."""
    return GOLDEN + path[len("golden."):] if path.startswith("golden.") else HART + path


def rows_of(entry, where):
    keys = {"show": {"show", "as", "by", "color"}, "pair": {"pair", "as", "by", "color"}, "mismatch": {"mismatch"}}
    kind = next((key for key in keys if key in entry), None)
    if kind is None or set(entry) - keys[kind]:
        raise WavesError(f"{where}: row {entry} has none of show, pair, mismatch, or more than belongs to it")
    if kind == "mismatch":
        return [Row(full_name(f"golden.mismatch_{entry['mismatch']}"), "mismatch", None, "red")]
    paths = [entry["show"]] if kind == "show" else entry["pair"]
    alias = entry.get("as", paths[0].rsplit(".", 1)[-1])
    aliases = [alias] if kind == "show" else [alias, f"{alias} (golden)"]
    colors = [entry.get("color"), "indigo"]
    return [Row(full_name(p), a, entry.get("by"), c) for p, a, c in zip(paths, aliases, colors)]


class Story:
    """sim/stories/NAME.yaml, checked. `view` is a list of (title, rows)."""

    KEYS = {"title", "file", "run", "from", "to", "stop", "signals", "markers", "cursor", "zoom", "view"}

    def __init__(self, name, values):
        path = STORIES / f"{name}.yaml"
        self.name = name
        try:
            text = path.read_text(encoding="utf-8")
        except OSError as err:
            raise WavesError(f"no story '{name}'; there are: {', '.join(story_names())}") from err
        raw = yaml.safe_load(text)
        groups = yaml.safe_load((ROOT / "sim" / "groups.yaml").read_text(encoding="utf-8"))
        if set(raw) - self.KEYS or {"title", "run", "view"} - set(raw):
            raise WavesError(f"{path.name}: needs title, run and view; knows {', '.join(sorted(self.KEYS))}")
        defaults = raw["run"].pop("defaults", {})
        unknown = set(values) - set(defaults)
        if unknown:
            raise WavesError(f"story {name} has no '{unknown.pop()}' to set")
        defaults.update(values)

        def fill(value):
            return str(value).format(**defaults) if value is not None else None

        self.name = fill(raw.get("file", name))
        self.title = fill(raw["title"])
        self.programs = {key: fill(value) for key, value in raw["run"].items()}
        self.start, self.end = fill(raw.get("from")), fill(raw.get("to"))
        self.stop = fill(raw.get("stop", raw.get("to")))
        self.signals = {alias: full_name(p) for alias, p in raw.get("signals", {}).items()}
        self.markers = raw.get("markers", [])
        self.cursor, self.zoom = raw.get("cursor"), raw.get("zoom", {})
        self.view = []
        for group in raw["view"]:
            if isinstance(group, str):
                if group not in groups:
                    raise WavesError(f"{path.name}: no group '{group}' in sim/groups.yaml")
                group = groups[group]
            self.view.append((group["group"], [row for entry in group["rows"] for row in rows_of(entry, path.name)]))
        if len(self.markers) > LETTERS:
            raise WavesError(f"{path.name}: more than {LETTERS} markers")


def story_names():
    return sorted(path.stem for path in STORIES.glob("*.yaml"))


# ---------------------------------------------------------------------------------------------------- wave files


class Waves:
    """A wave file: names, and values by cycle."""

    def __init__(self, build, path):
        self.tool, self.path = build / "tally-wave", path
        done = run([self.tool, "list", path], capture_output=True)
        if done.returncode:
            raise WavesError(done.stderr.strip())
        self.names = {}
        for name in done.stdout.splitlines():
            self.names.setdefault(name, name)
            self.names.setdefault(re.sub(r"\[\d+(:\d+)?\]$", "", name), name)

    def find(self, names):
        """Full names with bits. All that are missing are named at once."""
        missing = sorted({name for name in names if name not in self.names})
        if missing:
            raise WavesError("not in the model: " + ", ".join(missing))
        return [self.names[name] for name in names]

    def width(self, name):
        bits = re.search(r"\[(\d+):(\d+)\]$", self.names[name])
        return int(bits.group(1)) - int(bits.group(2)) + 1 if bits else 1

    def cycles(self, signals):
        """(cycle, values by alias) at the end of each cycle; the same dictionary every time."""
        done = run([self.tool, "values", self.path, *self.find(list(signals.values()))], capture_output=True)
        if done.returncode:
            raise WavesError(done.stderr.strip())
        aliases, values, now = list(signals), {}, None
        for line in done.stdout.splitlines():
            moment, index, value = line.split()
            cycle = int(moment) // CYCLE
            while now is not None and now < cycle:
                yield now, values
                now += 1
            now = cycle
            values[aliases[int(index)]] = int(value, 16)
        if now is not None:
            yield now, values


def find_markers(story, waves):
    """Cycle of each marker, by name, in the order of time.

    A marker is the first cycle after the marker before it (or after `after`; with `since` that cycle itself counts) in
    which `when` is true; with `before` the last one before that marker.
    """
    history = [(cycle, dict(values)) for cycle, values in waves.cycles(story.signals)] if story.markers else []
    found, last = {}, None
    for marker in story.markers:
        code = compile(marker["when"], marker["name"], "eval")

        def true(values, code=code):
            return eval(code, {"__builtins__": {}}, values)  # the project's own text

        if "before" in marker:
            order = [h for h in reversed(history) if h[0] < found[marker["before"]]]
        elif "since" in marker:
            order = [h for h in history if h[0] >= found[marker["since"]]]
        else:
            first = found[marker["after"]] if "after" in marker else last
            order = [h for h in history if first is None or h[0] > first]
        cycle = next((cycle for cycle, values in order if true(values)), None)
        if cycle is None:
            raise WavesError(f"story {story.name}: '{marker['name']}' ({marker['when']}) does not come about")
        found[marker["name"]] = last = cycle
    return dict(sorted(found.items(), key=lambda item: item[1]))


# ---------------------------------------------------------------------------------------------------- save files


class SaveFile:
    """Lines of a save file of GTKWave (.gtkw)."""

    def __init__(self, build, waves, programs):
        self.build, self.waves, self.programs = build, waves, programs
        self.lines = []
        self.rows = 0

    def moments(self, cursor, markers, first, last):
        """Cursor and markers by name (cycles), and the cycles to be seen."""
        zoom = -math.log2((last - first) * CYCLE * FRAME / (WIDTH - NAMES_WIDTH - 40))
        times = [round(markers[name] * CYCLE) for name in markers] + [-1] * (LETTERS - len(markers))
        cursor = round(cursor * CYCLE) if cursor is not None else -1
        self.lines += [f"*{zoom:.6f} {cursor} " + " ".join(map(str, times)), f"[timestart] {round(first * CYCLE)}"]
        for letter, name in zip(string.ascii_uppercase, markers):
            self.comment(f"{name}  {letter}")

    def comment(self, text):
        self.rows += 1
        self.lines += [f"@{COMMENT:x}", f"-{text}"]

    def blank(self):
        self.comment("")

    def row(self, row):
        self.rows += 1
        (name,) = self.waves.find([row.name])
        by = row.by or ("bin" if self.waves.width(row.name) == 1 else "hex")
        flags = FORMATS.get(by, FORMATS["hex"])
        translate = []
        if by.endswith(".txt"):
            flags |= FILE_FILTER
            translate = [f"^1 {self.build}/generated/gtkwave/{by}"]
        elif by not in FORMATS:
            flags |= PROCESS_FILTER
            argument = " ".join(str(p) for p in self.programs) if by == "pc" else ""
            translate = [f"^>1 {self.build}/tally-translate {by} {argument}".rstrip()]
        color = [f"[color] {COLORS[row.color]}"] if row.color else []
        self.lines += [f"@{flags:x}", *translate, *color, f"+{{{row.alias}}} {name}"]

    def write(self, path):
        head = [f'[dumpfile] "{self.waves.path}"', "[pos] -1 -1", f"[size] {WIDTH} {HEIGHT + ROW_HEIGHT * self.rows}",
                "[sst_expanded] 0", f"[signals_width] {NAMES_WIDTH}"]
        path.write_text("\n".join(head + self.lines + [""]), encoding="utf-8")


def write_story(story, waves, markers, build, path):
    save = SaveFile(build, waves, [build / "sw" / name for name in story.programs.values()])
    if markers:
        zoom = story.zoom
        first = markers[zoom.get("from", next(iter(markers)))] - zoom.get("before", 10)
        last = markers[zoom.get("to", list(markers)[-1])] + zoom.get("after", 10)
    else:
        times = [cycle for cycle, _ in itertools.islice(waves.cycles({"": HART + "clk"}), 1)]
        first, last = times[0], times[0] + story.zoom.get("after", 100)
    save.comment(story.title)
    save.moments(markers.get(story.cursor), markers, max(first, 0), last)
    for title, rows in story.view:
        save.blank()
        save.comment(title)
        for row in rows:
            save.row(row)
    save.write(path)


# --------------------------------------------------------------------------------------------------------- steps


def simulate(story, build, path):
    command = [build / "tally-sim", "--lockstep", "--quiet", "--wave", path, "--max-cycles", 100000000]
    for option, name in story.programs.items():
        command += [f"-{option}", build / "sw" / name]
    if story.start:
        command += ["--wave-from", story.start]
    if story.end:
        command += ["--wave-to", story.end]
    if story.stop:
        command += ["--stop", story.stop]
    done = run(command, capture_output=True)
    if done.returncode == 3:  # the models differ: the waves show it
        print(done.stderr, file=sys.stderr)
    elif done.returncode:
        raise WavesError(f"{' '.join(map(str, command))}: status {done.returncode}\n{done.stderr}")


def need(*tools):
    for tool in tools:
        if not shutil.which(tool):
            raise WavesError(f"{tool} is missing: run scripts/setup")


def gtkwave(save, extra=()):
    return ["gtkwave", "--rcfile", RCFILE, *extra, "--save", save]


def picture(save, path):
    """Let GTKWave draw itself under Xvfb. Returns its output: `shows NAME` for every row, and more."""
    need("Xvfb", "gtkwave")
    with tempfile.TemporaryDirectory() as folder:
        script, log, shot = (pathlib.Path(folder) / name for name in ("grab.tcl", "log", "shot.png"))
        script.write_text('puts "rows [gtkwave::getTotalNumTraces]"\n'
                          'foreach name [gtkwave::getDisplayedSignals] { puts "shows $name" }\n'
                          f"gtkwave::/File/Grab_To_File {shot}\ngtkwave::/File/Quit\n", encoding="utf-8")
        # -displayfd chooses a free display and says which when it is ready
        read, write = os.pipe()
        command = ["Xvfb", "-displayfd", str(write), "-screen", "0", "2000x1600x24", "-nolisten", "tcp"]
        with subprocess.Popen(command, pass_fds=[write], stdout=subprocess.DEVNULL,
                              stderr=subprocess.DEVNULL) as server:
            os.close(write)
            try:
                with os.fdopen(read) as stream:
                    display = stream.readline().strip()
                env = {**os.environ, "DISPLAY": f":{display}", "GDK_BACKEND": "x11"}
                env.pop("WAYLAND_DISPLAY", None)
                command = gtkwave(save, ["--script", script, "--nomenus"])
                with log.open("w", encoding="utf-8") as out:
                    done = run(command, env=env, stdout=out, stderr=out, stdin=subprocess.DEVNULL,
                               timeout=TIME_LIMIT)
            finally:
                server.send_signal(signal.SIGTERM)
        said = log.read_text(encoding="utf-8", errors="replace")
        if done.returncode or not shot.exists():
            raise WavesError(f"GTKWave, status {done.returncode}:\n{said}")
        shutil.copyfile(shot, path)
    return said


def view(save):
    if not os.environ.get("DISPLAY") and not os.environ.get("WAYLAND_DISPLAY"):
        print("no display; to look at them: " + " ".join(str(part) for part in gtkwave(save)))
        return
    need("gtkwave")
    sys.stdout.flush()
    try:
        status = run(gtkwave(save)).returncode
    except KeyboardInterrupt:  # Ctrl-C is for GTKWave
        return
    if status:
        raise WavesError(f"GTKWave, status {status}")


def distances(markers):
    """Cycles from the first of the markers to each."""
    first = min(markers.values(), default=0)
    return {name: cycle - first for name, cycle in markers.items()}


def tell(args):
    """The save file, and the cycles of its moments."""
    for item in args.set:
        if "=" not in item:
            raise WavesError(f"--set {item}: not NAME=VALUE")
    values = dict(item.split("=", 1) for item in args.set)
    story = Story(args.story, values)
    folder = args.build / "waves"
    folder.mkdir(exist_ok=True)
    wave, save = folder / f"{story.name}.fst", folder / f"{story.name}.gtkw"
    began = time.monotonic()
    simulate(story, args.build, wave)
    waves = Waves(args.build, wave)
    markers = find_markers(story, waves)
    write_story(story, waves, markers, args.build, save)
    print(f"{story.title}: {wave} ({time.monotonic() - began:.1f} s)")
    for name, cycle in markers.items():
        print(f"  cycle {cycle:8}  {name}")
    if args.picture:
        picture(save, args.picture)
    return save, markers


def draw(args):
    """The pictures of docs/waves, and the cycles of MOMENTS."""
    moments = {}
    for path in sorted(PICTURES.glob("*.png")):
        args.story, args.picture = path.stem, path
        moments[path.stem] = distances(tell(args)[1])
    said = "# By `make pictures`: cycles from each picture's first marker. Where a test finds others, draw them anew.\n"
    licence = "# SPDX-License-Identifier: Apache-2.0\n"
    MOMENTS.write_text(licence + said + yaml.safe_dump(moments, sort_keys=False), encoding="utf-8")


def compare(args):
    """Exit status of tally-wave, and the save files."""
    command = [args.build / "tally-wave", "diff", *args.diff]
    for pattern in args.ignore:
        command += ["--ignore", pattern]
    done = run(command, stdout=subprocess.PIPE)
    print(done.stdout, end="")
    if done.returncode != 1:
        return done.returncode, None
    when = int(re.search(r"^first difference at (\d+)", done.stdout, re.M).group(1))
    names = re.findall(r"^  (\S+) A=", done.stdout, re.M)
    saves = []
    for letter, path in zip("ab", args.diff):
        path = pathlib.Path(path).resolve()
        save = SaveFile(args.build, Waves(args.build, path), [])
        cycle = when / CYCLE
        save.moments(cycle, {"first difference": cycle}, max(cycle - 40, 0), cycle + 20)
        for name in names:
            save.row(Row(name, name, None, None))
        saves.append(path.with_name(f"{path.stem}-diff-{letter}.gtkw"))
        save.write(saves[-1])
        print(f"{letter.upper()}: {' '.join(str(part) for part in gtkwave(saves[-1]))}")
    return 1, saves[0]


def main(argv):
    parser = argparse.ArgumentParser(description="Waves of a short run, shown in GTKWave as a story.")
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build", help="build directory")
    parser.add_argument("story", nargs="?", help="which story")
    parser.add_argument("--set", action="append", default=[], metavar="NAME=VALUE", help="a variable of the story")
    parser.add_argument("--picture", type=pathlib.Path, metavar="FILE", help="write a screenshot (PNG)")
    parser.add_argument("--no-view", action="store_true", help="do not open GTKWave")
    parser.add_argument("--list", action="store_true", help="list the stories")
    parser.add_argument("--pictures", action="store_true", help="draw the pictures of docs/waves anew")
    parser.add_argument("--diff", nargs=2, metavar=("A", "B"), help="compare two wave files")
    parser.add_argument("--ignore", action="append", default=[], metavar="PATTERN", help="names that --diff leaves out")
    args = parser.parse_args(argv)
    args.build = args.build.resolve()
    status, save = 0, None
    try:
        if not args.list and not args.build.is_dir():
            raise WavesError(f"{args.build}: there is no such folder: build first (make build)")
        if args.list:
            for name in story_names():
                print(f"{name:12} {yaml.safe_load((STORIES / f'{name}.yaml').read_text(encoding='utf-8'))['title']}")
        elif args.diff:
            status, save = compare(args)
        elif args.pictures:
            draw(args)
        elif args.story:
            save = tell(args)[0]
        else:
            parser.error("which story? --list lists them")
        if save and not args.no_view:
            view(save)
    except WavesError as err:
        print(f"waves.py: {err}", file=sys.stderr)
        return status or 2
    return status


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
