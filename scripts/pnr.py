# SPDX-License-Identifier: Apache-2.0
"""Place and route with one seed after another, until one meets the clock (used by scripts/fpga.py).

The clocks estimated for placements of one netlist differ by a fifth, depending on the seed and on the build of the
tool. A placement is given up, and the next seed tried, if its estimated clock is too slow, or if the router comes to no
end. A seed's run may have several steps: placement, refinement, routing.
"""

import os
import pathlib
import re
import subprocess
import time

ROUTED, SLOW, ENDLESS = "routed", "slow", "endless"
SEED = "SEED"  # in steps: replaced by the number

# Placements of the machine on an ECP5-85F that tally-refine expects at 0.91 to 1.03 of the clock are routed to 1.07 to
# 1.17 of it; router1 goes through 416,000 to 611,000 arcs for it, counted again when it takes them up again, a thousand
# in 1 to 40 s. One fought over some wires, a thousand in 70, 120, 210 s.
FLOOR = 0.84
ARCS, PATIENCE = 1_500_000, 120  # seconds of a processor for a thousand: beside other work they take longer
LOOK = 2  # seconds


def clocks(log):
    """MHz of the core clock: expected after placement, then reported after the routes."""
    return [float(mhz) for mhz in
            re.findall(r"Max frequency for clock +'[^']*clk(?:\$TRELLIS_IO_IN)?': +([0-9.]+) MHz", log)]


def expected(log):
    """MHz expected after placement, as said last before the routes; None if it is not that far."""
    refined = re.findall(r"^refined: ([0-9.]+) MHz expected", log, re.M)
    return float(refined[-1]) if refined else clocks(log)[0] if clocks(log) else None


def processor_time(pid):
    """Seconds that a process and its children that have ended took, of user and system."""
    numbers = pathlib.Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
    return sum(int(n) for n in numbers[11:15]) / os.sysconf("SC_CLK_TCK")


class Router:
    """How far it is, by its lines: arcs | ... | left| seconds for the last thousand, and in all|"""

    def __init__(self):
        self.arcs, self.since = 0, 0

    def hopeless(self, log, spent):
        """Will it come to no end? Seen after `spent` seconds of its processor time."""
        arcs = re.findall(r"^Info: +(\d+) \| .*\| +[\d.]+ +[\d.]+\|$", log, re.M)
        if not arcs or "Info: Routing complete." in log:
            return False
        if int(arcs[-1]) != self.arcs:
            self.arcs, self.since = int(arcs[-1]), spent
        return self.arcs > ARCS or spent - self.since > PATIENCE


def attempt(steps, log, cwd, floor=0, patient=True):
    """Run them until they are done, or will not do: if less than `floor` MHz are expected when the last begins, or,
    unless it is patient, the router comes to no end. Gives how it ended and the status of the last that was run."""
    log.write_text("", encoding="utf-8")
    for step in steps:
        floor_now = floor if step is steps[-1] else 0
        ended, status = run_step(step, log, cwd, floor_now, patient)
        if ended != ROUTED or status:
            break
    return ended, status


def run_step(command, log, cwd, floor, patient):
    ended, router = ROUTED, Router()
    with open(log, "a", encoding="utf-8") as said, \
            subprocess.Popen([str(word) for word in command], stdout=said, stderr=subprocess.STDOUT, cwd=cwd) as tool:
        while ended == ROUTED and tool.poll() is None:
            time.sleep(LOOK)
            text = log.read_text(encoding="utf-8")
            mhz = expected(text)
            if mhz and mhz < floor:
                ended = SLOW
            elif not patient and router.hopeless(text, processor_time(tool.pid)):
                ended = ENDLESS
        if ended != ROUTED:
            tool.terminate()
        return ended, tool.wait()


def with_seed(steps, seed):
    return [[seed if word is SEED else word for word in step] for step in steps]


def search(steps, seeds, log, cwd, goal, done=lambda seed: None):
    """Try seeds until one is routed for the goal (MHz); gives that one and the tool's status. If no seed gets there,
    the best that was routed is taken, or the best placement routed. Without a goal the first seed is taken as it comes,
    and so is a single one. `done` is told each seed whose results are written, before the next begins."""
    def attempt_of(seed, **limits):
        ended, status = attempt(with_seed(steps, seed), log, cwd, **limits)
        if ended == ROUTED and not status:
            done(seed)
        return ended, status

    if goal is None or len(seeds) == 1:
        return seeds[0], attempt_of(seeds[0])[1]
    placed, routed = (0, seeds[0]), (0, None)
    for seed in seeds:
        ended, status = attempt_of(seed, floor=FLOOR * goal, patient=False)
        said = log.read_text(encoding="utf-8")
        found = clocks(said)
        if ended == ROUTED and (status or found[-1] >= goal):
            return seed, status
        mhz = expected(said)
        print(f"  seed {seed}: {mhz} MHz expected, " +
              {SLOW: "not routed", ENDLESS: "the router fights over wires",
               ROUTED: f"{found[-1]} routed"}[ended], flush=True)
        placed = max(placed, (mhz, seed))
        if ended == ROUTED:
            routed = max(routed, (found[-1], seed))
    best = routed[1] or placed[1]
    print(f"  no seed meets {goal} MHz; the best of them is {best}", flush=True)
    return best, attempt_of(best)[1]
