#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Call stacks that the driver walks by frame pointers, beside the shadow stack that the simulator keeps: of every
sample of a program that is built with them, return address for return address. Then tally-profile's output.

    test_frame_pointers.py BUILD
"""

import base64
import collections
import gzip
import json
import pathlib
import re
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
sys.path[:0] = [str(ROOT / "tests"), str(ROOT / "tests" / "tools" / "profile")]
import pprof_file  # noqa: E402
from verdict import check, verdict  # noqa: E402

LCOFI, USER = 13, 0x80400000


def run(*command):
    done = subprocess.run([str(part) for part in command], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True, check=False)
    check(done.returncode == 0, f"status {done.returncode}: {command[0]}", done.stdout)
    return done.stdout


def functions(elf, source):
    """(begin, end) of the functions of a source, which have frame pointers, by name; those of the library have none."""
    names = set(re.findall(r"^(?:static APART|int) .*?(\w+)\(", source.read_text(encoding="utf-8"), re.M))
    rows = [line.split() for line in run("riscv64-unknown-elf-nm", "-S", "--defined-only", elf).splitlines()]
    rows = [(row[3], int(row[0], 16), int(row[1], 16)) for row in rows if len(row) == 4 and row[3] in names]
    return {name: (begin, begin + size) for name, begin, size in rows}


class Sampled:
    """One run: records with call stacks, the stack that each interrupt met, cycles by call stack."""

    def __init__(self, build, folder):
        self.tool, self.elf, self.records = build / "tally-profile", folder / "frames.elf", folder / "records"
        self.folder = folder
        interrupts, stacks = folder / "interrupts", folder / "stacks"
        run(build / "tally-cc", "-O2", "-g", "-fno-omit-frame-pointer", HERE / "frames.c", "-o", self.elf)
        run(build / "tally-sim", "-bios", build / "sw/firmware.elf", "-kernel", build / "sw/program.elf", "--program",
            self.elf, "--delegate", "0x8", "--records", self.records, "--interrupt-stacks", interrupts,
            "--stacks", stacks,
            *(word for name, value in (("program_mode", 2), ("sampled_kind", 6), ("sampled_period", 67),
                                       ("sampled_instructions", 300), ("sampled_jitter", 31), ("sampled_stacks", 1))
              for word in ("--set", f"{name}={value}")))
        self.functions = functions(self.elf, HERE / "frames.c")
        rows = [line.split() for line in interrupts.read_text(encoding="utf-8").splitlines()]
        self.met = [[int(word, 16) for word in row[2:]] for row in rows if (int(row[0]), int(row[1])) == (LCOFI, 0)]
        self.stacks = {line.rsplit(" ", 1)[0] for line in stacks.read_text(encoding="utf-8").splitlines()}

    def is_ours(self, pc):
        return any(begin <= pc < end for begin, end in self.functions.values())

    def pprof(self, *options):
        """Samples by stack: addresses and names, the innermost first"""
        out = self.folder / "pprof"
        run(self.tool, "--quiet", *options, "--with", self.folder / "program.elf", "--pprof", out, self.records,
            self.elf)
        profile = pprof_file.Proto(gzip.decompress(out.read_bytes()), pprof_file.PROFILE)
        text = [value.decode() for value in profile["string"]]
        names = {value.one("id"): text[value.one("name")] for value in profile["function"]}
        places = {value.one("id"): (value.one("address"), [names[each.one("function")] for each in value["line"]])
                  for value in profile["location"]}
        types = [text[value.one("type")] for value in profile["sample_type"]]
        check(types == ["samples", "events"], "types of samples", str(types))
        return [([places[number] for number in sample["location"]], sample["value"][0])
                for sample in profile["sample"]]


def return_addresses(sampled):
    shadow, walked = collections.Counter(), collections.Counter()
    for pc, *calls in sampled.met:
        if sampled.is_ours(pc):
            user = [address for address in calls if address >= USER]
            shadow[pc, *user] += 1
    for stack, samples in sampled.pprof("--interrupts"):
        pc, *calls = [address for address, _ in stack]
        if sampled.is_ours(pc):
            walked[pc, *[address + 1 for address in calls]] += samples
    check(sum(shadow.values()) > 1500 and len(shadow) > 300, f"{sum(shadow.values())} samples of {len(shadow)} stacks")
    edges = [pc for pc, *_ in shadow if any(pc - begin < 8 for begin, _ in sampled.functions.values())]
    check(len(edges) > 20, f"{len(edges)} of them where no frame is yet")
    check({len(stack) for stack in shadow} >= set(range(4, 12)), "of every depth")
    walked_too_much, missing = walked - shadow, shadow - walked
    said = "\n".join(" ".join(f"{address:x}" for address in stack) for stack in [*walked_too_much, (), *missing][:20])
    # Between the instruction that sets the frame pointer and the one that saves ra, memory has values of an earlier
    # call.
    check(all(any(0 < stack[0] - begin < 16 for begin, _ in sampled.functions.values()) for stack in missing),
          "stacks differ at other places than a function's begin", said)
    check(sum(missing.values()) * 500 <= sum(shadow.values()),
          f"{sum(missing.values())} of {sum(shadow.values())} differ", said)


def names(sampled):
    """Of causes: each stack is one that the shadow stack had."""
    seen = {text.split(";_start;")[-1] for text in sampled.stacks if ";_start;" in text}
    found = collections.Counter()
    for stack, samples in sampled.pprof():
        text = ";".join(name for _, lines in reversed(stack) for name in reversed(lines))
        if text.startswith("_start;") and sampled.is_ours(stack[0][0]):
            found[text.split(";", 1)[1]] += samples
    strange = {text: samples for text, samples in found.items() if text not in seen}
    check(sum(strange.values()) * 500 <= sum(found.values()),
          f"{sum(strange.values())} samples of stacks that never were", "\n".join(sorted(strange)[:10]))
    for text in ("main;round_of;deep;deep;deep;deep;deep;deep;deep;leaf", "main;round_of;around;leave;leaf",
                 "main;round_of;by_pointer;leaf", "main;round_of;array;sometimes;leaf"):
        check(found[text], f"samples of {text}", "\n".join(sorted(found)))


def page(build, folder):
    """The whole command: the page's flame graph has the callers of samples."""
    run(sys.executable, ROOT / "scripts/profile.py", "--build", build, "--out", folder, "--files", folder, "--no-open",
        "--frame-pointers", HERE / "frames.c")
    packed = re.search(r'id="data"[^>]*>([^<]+)<', (folder / "frames.html").read_text(encoding="utf-8"))[1]
    data = json.loads(gzip.decompress(base64.b64decode(packed)))
    events, instructions = data["runs"]
    check("callers" not in instructions and not events["allCycles"], "callers of the overflows alone")
    check(sum(weight for _, weight in events["callers"]) == events["all"][0], "every sample has its stack")
    stacks = {";".join(data["names"][name] for name in stack) for stack, _ in events["callers"]}
    leaves = re.compile(r"_start;main;round_of;(array|around|by_pointer|many)(;\w+)*;leaf")
    check(any(map(leaves.fullmatch, stacks)), "the page's stacks", "\n".join(sorted(stacks)))


def main(argv):
    build = pathlib.Path(argv[0]).resolve()
    with tempfile.TemporaryDirectory(prefix="tally-frames-") as name:
        folder = pathlib.Path(name)
        (folder / "program.elf").symlink_to(build / "sw/program.elf")
        sampled = Sampled(build, folder)
        return_addresses(sampled)
        names(sampled)
        page(build, folder)
    return verdict()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
