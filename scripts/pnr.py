# SPDX-License-Identifier: Apache-2.0
"""Place and route with one seed after another, until one meets the clock (used by scripts/fpga.py).

The clocks estimated for placements of one netlist differ by a fifth, depending on the seed and on the build of the
tool. A placement is given up, and the next seed tried, if its estimated clock is too slow, or if the router does not
converge because it keeps ripping up wires of paths that miss the clock. What is run for a seed may have several steps:
placement, what makes it better, routes.
"""

import re
import subprocess
import time

ROUTED, SLOW, ENDLESS = "routed", "slow", "endless"

# Of the machine on an ECP5-85F: placements that were expected at 0.85 to 0.97 of the clock were routed to 0.99 to
# 1.02 of it in 105 to 168 rounds; others kept late paths for 370 and 570 rounds.
FLOOR = 0.84
ROUNDS = 250
LOOK = 2  # seconds


def clocks(log):
    """MHz of the core clock: what place and route expects after placement, then what it reports after the routes."""
    return [float(mhz) for mhz in
            re.findall(r"Max frequency for clock +'[^']*clk(?:\$TRELLIS_IO_IN)?': +([0-9.]+) MHz", log)]


def expected(log):
    """What is expected after placement, or None if it is not that far: what is said last, before the routes."""
    refined = re.findall(r"^refined: ([0-9.]+) MHz expected", log, re.M)
    return float(refined[-1]) if refined else clocks(log)[0] if clocks(log) else None


def rounds(log):
    """Of the router so far."""
    found = re.findall(r"^Info: +iter=(\d+) wires=", log, re.M)
    return int(found[-1]) if found else 0


def attempt(steps, log, cwd, floor=0, most=None):
    """Run them until they are done, or will not do: if less than `floor` MHz are expected when the last begins, or
    after `most` rounds of the router. Gives how it ended and the status of the last that was run."""
    log.write_text("", encoding="utf-8")
    for step in steps:
        floor_now = floor if step is steps[-1] else 0
        ended, status = run_step(step, log, cwd, floor_now, most)
        if ended != ROUTED or status:
            break
    return ended, status


def run_step(command, log, cwd, floor, most):
    ended = ROUTED
    with open(log, "a", encoding="utf-8") as said, \
            subprocess.Popen([str(word) for word in command], stdout=said, stderr=subprocess.STDOUT, cwd=cwd) as tool:
        while ended == ROUTED and tool.poll() is None:
            time.sleep(LOOK)
            text = log.read_text(encoding="utf-8")
            mhz = expected(text)
            if mhz and mhz < floor:
                ended = SLOW
            elif most and rounds(text) > most:
                ended = ENDLESS
        if ended != ROUTED:
            tool.terminate()
        return ended, tool.wait()


def with_seed(steps, seed, persist=()):
    """The steps, with the seed for each, and the router's options for the last."""
    steps = [[*step, "--seed", seed] for step in steps]
    return [*steps[:-1], [*steps[-1], *persist]]


def search(steps, persist, seeds, log, cwd, goal):
    """Try seeds until one is routed for the goal (MHz); gives that one and the tool's status. `persist` are options
    that make the router go on until nothing is late. If no seed gets there, the best that was routed is taken, or the
    best placement routed without them. Without a goal the first seed is taken as it comes."""
    if goal is None:
        return seeds[0], attempt(with_seed(steps, seeds[0]), log, cwd)[1]
    placed, routed = (0, seeds[0]), (0, None)
    for seed in seeds:
        floor = FLOOR * goal if len(seeds) > 1 else 0  # a single seed is routed
        ended, status = attempt(with_seed(steps, seed, persist), log, cwd, floor, ROUNDS)
        said = log.read_text(encoding="utf-8")
        found = clocks(said)
        if status and ended == ROUTED or ended == ROUTED and (found[-1] >= goal or len(seeds) == 1):
            return seed, status
        mhz = expected(said)
        print(f"  seed {seed}: {mhz} MHz expected, " +
              {SLOW: "not routed", ENDLESS: f"late paths left after {ROUNDS} rounds",
               ROUTED: f"{found[-1]} routed"}[ended], flush=True)
        placed = max(placed, (mhz, seed))
        if ended == ROUTED:
            routed = max(routed, (found[-1], seed))
    best, how = (routed[1], persist) if routed[1] else (placed[1], [])
    print(f"  no seed meets {goal} MHz; the best of them is {best}", flush=True)
    return best, attempt(with_seed(steps, best, how), log, cwd)[1]
