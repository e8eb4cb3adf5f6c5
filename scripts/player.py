#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Control a board that plays events into the PMU (rtl/board/tally_player.v), or to its simulation.

    scripts/player.py --port /dev/ttyUSB1 demo       a tour with known counts
    scripts/player.py --simulate build/tally-player play FILE
    scripts/player.py --port ... csr mhpmcounter3 [VALUE]

A file has a command a line: `retire EVENT TIMES`, `count EVENT TIMES`, `stall TIMES`, `mode M|S|U`; `#` starts a
comment. Events are the wires of spec/events.yaml, CSRs have their names of spec/csr. Exit status: 0 if
everything was as expected, 1 if not, 2 for a wrong command or file, 3 if the board does not answer.
"""

import argparse
import os
import pathlib
import re
import select
import subprocess
import sys
import termios

ROOT = pathlib.Path(__file__).resolve().parent.parent
WORDS = 256          # of the program memory
MOST = 256           # times of one word
RETIRE, COUNT, MODE = 1, 2, 3
STALL, END = 0, 63
MODES = {"U": 0, "S": 1, "M": 3}
READ, WRITE = 0, 1   # csr_op_i
ILLEGAL, KNOWN, LCOFIP = 1, 2, 4
LONGEST = 11         # bytes of a command's arguments
TIMEOUT = 10         # seconds for an answer
QUIET = 0.05         # seconds without a byte: there is none under way


class Usage(Exception):
    pass


class Silence(Exception):
    pass


# --- Names and numbers out of the generated header ------------------------------------------------------------------

class Names:
    def __init__(self, build):
        header = build / "generated" / "tally_spec.h"
        if not header.exists():
            raise Usage(f"{header} is not there: configure first (scripts/configure)")
        text = header.read_text(encoding="utf-8")
        self.csr = {name.lower(): int(value, 16) for name, value in
                    re.findall(r"^#define TALLY_CSR_(\w+) (0x[0-9A-F]+)$", text, re.M)}
        self.selector = {name: int(value, 16) for name, value in
                         re.findall(r"^#define TALLY_EV_(\w+) (0x[0-9A-F]+)ULL$", text, re.M)}
        self.bit = {name: int(value) for name, value in
                    re.findall(r"^#define TALLY_MHPMEVENT_(\w+)_LSB (\d+)$", text, re.M)}
        self.retire = {name: int(value) for name, value in re.findall(r"^#define TALLY_EVR_(\w+) (\d+)$", text, re.M)}
        self.count = {name: int(value) for name, value in re.findall(r"^#define TALLY_EVC_(\w+) (\d+)$", text, re.M)}


def pick(table, name, what):
    if name not in table:
        raise Usage(f"{name}: no {what} has this name")
    return table[name]


# --- The line -------------------------------------------------------------------------------------------------------

class Line:
    """Bytes to and from a serial port, or a simulation's standard input and output."""

    def __init__(self, args):
        self.process = None
        if args.simulate:
            try:
                self.process = subprocess.Popen([args.simulate], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
            except OSError as reason:
                raise Usage(f"{args.simulate}: {reason.strerror}") from reason
            self.out, self.into = self.process.stdin.fileno(), self.process.stdout.fileno()
        else:
            self.open_port(args.port)
        self.settle()

    def open_port(self, path):
        try:
            self.out = self.into = os.open(path, os.O_RDWR | os.O_NOCTTY)
            mode = termios.tcgetattr(self.out)
        except (OSError, termios.error) as reason:
            raise Usage(f"{path}: {reason}") from reason
        speed = termios.B115200
        termios.tcsetattr(self.out, termios.TCSANOW,
                          [0, 0, termios.CS8 | termios.CREAD | termios.CLOCAL, 0, speed, speed, mode[6]])

    def settle(self):
        """Complete a command that was cut off: zeros end its arguments, and are no command."""
        self.send(bytes(LONGEST))
        while select.select([self.into], [], [], QUIET)[0] and os.read(self.into, 64):
            pass

    def send(self, request):
        try:
            os.write(self.out, request)
        except OSError as reason:
            raise Silence(f"nothing takes what is sent: {reason.strerror}") from reason

    def ask(self, request, length):
        self.send(request)
        answer = b""
        while len(answer) < length:
            ready, _, _ = select.select([self.into], [], [], TIMEOUT)
            got = os.read(self.into, length - len(answer)) if ready else b""
            if not got:
                raise Silence(f"no answer to {request[:1].decode()!r} within {TIMEOUT} s")
            answer += got
        if answer[0] >> 4 != 5:
            raise Silence(f"{answer[0]:#04x} is no status: is this the player, at 115200 baud?")
        return answer

    def close(self):
        if self.process:
            self.process.stdin.close()
            self.process.wait(TIMEOUT)


class Player:
    def __init__(self, line, names):
        self.line, self.names = line, names

    def access(self, name, value=None, mode="M"):
        """Old value of a CSR, None if the access is illegal. A value is written."""
        number = pick(self.names.csr, name, "CSR")
        op = (READ if value is None else WRITE) | MODES[mode] << 4
        answer = self.line.ask(b"C" + bytes([op]) + number.to_bytes(2, "little") +
                               (value or 0).to_bytes(8, "little"), 9)
        if not answer[0] & KNOWN:
            raise Usage(f"{name}: the unit on this board does not have it")
        return None if answer[0] & ILLEGAL else int.from_bytes(answer[1:], "little")

    def load(self, words):
        if len(words) >= WORDS:
            raise Usage(f"{len(words)} words, but the memory holds {WORDS - 1} and the end")
        for at, word in enumerate([*words, STALL << 14 | END << 8]):
            self.line.ask(b"W" + bytes([at]) + word.to_bytes(2, "little"), 1)

    def play(self, words):
        """Play; true if LCOFIP is set afterwards."""
        self.load(words)
        return bool(self.line.ask(b"G", 1)[0] & LCOFIP)

    def clear(self):
        self.line.ask(b"L", 1)


# --- Programs -------------------------------------------------------------------------------------------------------

def word(kind, what, times):
    """The words of `times` cycles."""
    if times < 0:
        raise Usage(f"{times} times: must not be negative")
    words = []
    while times > 0:
        some = min(times, MOST)
        words.append(kind << 14 | what << 8 | (some - 1))
        times -= some
    return words


def parse(names, text):
    words = []
    for number, line in enumerate(text.splitlines(), 1):
        fields = line.split("#")[0].split()
        try:
            match fields:
                case []:
                    pass
                case ["stall", times]:
                    words += word(STALL, 0, int(times))
                case ["retire", event, times]:
                    words += word(RETIRE, pick(names.retire, event, "retire event"), int(times))
                case ["count", event, times]:
                    words += word(COUNT, pick(names.count, event, "cycle event"), int(times))
                case ["mode", mode]:
                    words += word(MODE, pick(MODES, mode, "mode"), 1)
                case _:
                    raise Usage("not `retire EVENT TIMES`, `count EVENT TIMES`, `stall TIMES` or `mode M|S|U`")
        except (Usage, ValueError) as reason:
            raise Usage(f"line {number}: {reason}") from reason
    return words


# --- Commands -------------------------------------------------------------------------------------------------------

class Tour:
    """A demonstration of the unit, with the expected numbers."""

    def __init__(self, player):
        self.player = player
        self.names = player.names
        self.good = True

    def expect(self, what, value, wanted, shown=str):
        print(f"{what:<68} {shown(value)}")
        if value != wanted:
            print(f"FAIL: expected {shown(wanted)}")
            self.good = False

    def program(self, text):
        return parse(self.names, text)

    def counting(self):
        p = self.player
        p.access("mhpmevent3", self.names.selector["INST_LOAD_RET"])
        p.access("mhpmevent4", self.names.selector["INST_MISPRED_RET"])
        for csr in ("mhpmcounter3", "mhpmcounter4", "minstret", "mcycle"):
            p.access(csr, 0)
        p.play(self.program("retire LOAD 30\nretire INST 500\nstall 40\nretire MISPRED 7\nretire LOAD 3"))
        self.expect("mhpmcounter3, loads", p.access("mhpmcounter3"), 33)
        self.expect("mhpmcounter4, mispredictions", p.access("mhpmcounter4"), 7)
        self.expect("minstret", p.access("minstret"), 540)
        self.expect("mcycle", p.access("mcycle"), 580)

    def filters(self):
        p = self.player
        event = self.names.selector["INST_LOAD_RET"]
        p.access("mhpmevent3", event | 1 << self.names.bit["MINH"])
        p.access("mhpmcounter3", 0)
        p.play(self.program("retire LOAD 5\nmode U\nretire LOAD 8\nmode S\nretire LOAD 300"))
        self.expect("loads with MINH: 5 in M, 8 in U, 300 in S", p.access("mhpmcounter3"), 308)
        p.access("mhpmevent3", event | 1 << self.names.bit["SINH"])
        p.access("mhpmcounter3", 0)
        p.play(self.program("retire LOAD 5\nmode U\nretire LOAD 8\nmode S\nretire LOAD 300"))
        self.expect("loads with SINH", p.access("mhpmcounter3"), 13)

    def overflow(self):
        p = self.player
        p.access("mhpmevent3", self.names.selector["INST_LOAD_RET"])
        p.access("mhpmcounter3", (1 << 64) - 20)
        self.expect("20 loads to go: LCOFIP after 19", p.play(self.program("retire INST 7\nretire LOAD 19")), False)
        p.access("mhpmcounter3", (1 << 64) - 20)
        self.expect("... and after 20", p.play(self.program("retire INST 7\nretire LOAD 30")), True)
        self.expect("scountovf", p.access("scountovf"), 1 << 3, hex)
        # 7 instructions from pc 0, the twentieth load is the twenty-seventh instruction
        self.expect("shpmspc, the pc of the load that did it", p.access("shpmspc"), 4 * 26, hex)
        self.expect("shpmsdata.CNTRID", p.access("shpmsdata") & 31, 3)
        p.clear()
        self.expect("more loads while OF is set: LCOFIP", p.play(self.program("retire LOAD 9")), False)

    def rights(self):
        p = self.player
        p.access("mcounteren", 0)
        self.expect("S-mode reads hpmcounter3 with mcounteren[3] = 0: legal",
                    p.access("hpmcounter3", mode="S") is not None, False)
        p.access("mcounteren", 1 << 3)
        self.expect("... with mcounteren[3] = 1", p.access("hpmcounter3", mode="S") is not None, True)
        p.access("scounteren", 0)
        self.expect("U-mode with scounteren[3] = 0", p.access("hpmcounter3", mode="U") is not None, False)

    def run(self):
        self.counting()
        self.filters()
        self.overflow()
        self.rights()
        print("ok" if self.good else "FAIL")
        return self.good


def play_file(player, path):
    try:
        text = pathlib.Path(path).read_text(encoding="utf-8")
    except OSError as reason:
        raise Usage(f"{path}: {reason.strerror}") from reason
    except UnicodeDecodeError as reason:
        raise Usage(f"{path}: not a text file") from reason
    print(f"LCOFIP {int(player.play(parse(player.names, text)))}")
    for name in ("mcycle", "minstret", "mhpmcounter3", "mhpmcounter4", "mhpmcounter5", "mhpmcounter6"):
        print(f"{name:<14}{player.access(name):>24,}")
    return True


def show_csr(player, name, value):
    try:
        value = None if value is None else int(value, 0)
    except ValueError as reason:
        raise Usage(f"{value}: not a number") from reason
    if value is not None and not 0 <= value < 1 << 64:
        raise Usage(f"{value}: a CSR holds 0 to 2^64 - 1")
    old = player.access(name, value)
    print("illegal" if old is None else f"{old:#018x}")
    return old is not None


def main(argv):
    parser = argparse.ArgumentParser(description="Speaks to a board that plays events into the PMU.")
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build", help="configured build directory")
    where = parser.add_mutually_exclusive_group(required=True)
    where.add_argument("--port", help="serial port of the board")
    where.add_argument("--simulate", metavar="PROGRAM", help="tally-player, the simulation")
    commands = parser.add_subparsers(dest="command", required=True)
    commands.add_parser("demo", help="a tour with known counts")
    play = commands.add_parser("play", help="play a file, and show the counters")
    play.add_argument("file")
    csr = commands.add_parser("csr", help="read a CSR, or write it and show the old value")
    csr.add_argument("name")
    csr.add_argument("value", nargs="?")
    args = parser.parse_args(argv)
    try:
        line = Line(args)
        player = Player(line, Names(args.build))
        good = Tour(player).run() if args.command == "demo" else \
            play_file(player, args.file) if args.command == "play" else show_csr(player, args.name, args.value)
        line.close()
    except Usage as reason:
        print(f"player: {reason}", file=sys.stderr)
        return 2
    except Silence as reason:
        print(f"player: {reason}", file=sys.stderr)
        return 3
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
