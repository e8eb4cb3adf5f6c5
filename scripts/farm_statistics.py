# SPDX-License-Identifier: Apache-2.0
"""Estimates from windows of a run (docs/farm.md): ratio estimators, with confidence intervals by Student's t.

Windows are a systematic sample: one in each period, at an offset that was drawn at random. Its variance is estimated as
that of a simple random sample without replacement, which is too large for programs with long phases, not too small,
unless a loop has the period of the windows.
"""

import collections
import dataclasses
import math


@dataclasses.dataclass
class Estimate:
    value: float
    bound: float  # half of the confidence interval; nan: one window only

    def scaled(self, factor):
        return Estimate(self.value * factor, self.bound * factor)


@dataclasses.dataclass
class Window:
    instructions: int
    cycles: int
    events: dict  # name: how often
    places: dict  # (hart, mode, pc): (cycles, retired)


def t_probability(t, freedom):
    """P(|T| <= t) of Student's t; Abramowitz and Stegun, 26.7.3 and 26.7.4"""
    angle = math.atan(t / math.sqrt(freedom))
    sine, cosine = math.sin(angle), math.cos(angle)
    if freedom == 1:
        return 2 * angle / math.pi
    term = total = cosine if freedom % 2 else 1.0
    for k in range(3 if freedom % 2 else 2, freedom - 1, 2):
        term *= cosine * cosine * (k - 1) / k
        total += term
    return 2 / math.pi * (angle + sine * total) if freedom % 2 else sine * total


def t_quantile(confidence, freedom):
    """t with P(|T| <= t) = confidence"""
    low, high = 0.0, 1.0
    while t_probability(high, freedom) < confidence:
        high *= 2
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if t_probability(middle, freedom) < confidence else (low, middle)
    return high


OWN = 16           # executions expected in windows from which on a place is its own stratum
SELDOM = "seldom"  # the others
PRIOR = 1          # executions at the stratum's rate added to a place's own


class Sample:
    """Windows of a run in which each place executed `executions` times. `head` is the beginning of the run, all of
    which was counted. `chosen` windows are no part of the sample: they are at code that it has not met."""

    def __init__(self, windows, executions, confidence, head=None, chosen=()):
        self.windows = [window for window in windows if window.instructions]
        self.head = head or Window(0, 0, collections.Counter(), {})
        self.executions = collections.Counter(executions)
        self.instructions = sum(self.executions.values())
        for place, (_, retired) in self.head.places.items():
            if place in executions:  # fewer: the golden machine took another path
                self.executions[place] = max(0, self.executions[place] - retired)
        self.rest = max(0, self.instructions - self.head.instructions)
        n = len(self.windows)
        self.counted = sum(window.instructions for window in self.windows)
        self.t = t_quantile(confidence, n - 1) if n > 1 else math.nan
        self.unseen = max(0.0, 1 - self.counted / self.rest) if self.rest else 0.0  # finite population
        self.cycles, self.retired = collections.Counter(), collections.Counter()  # of places, modes, and all, ()
        for window in self.windows:
            for place, (cycles, retired) in window.places.items():
                for key in {place, self.stratum(place), place[:-1], ()}:
                    self.cycles[key] += cycles
                    self.retired[key] += retired
        self.chosen_windows = len(chosen)
        self.chosen = collections.defaultdict(lambda: [0, 0])
        for window in chosen:
            for place, (cycles, retired) in window.places.items():
                self.chosen[place][0] += cycles
                self.chosen[place][1] += retired

    def ratio(self, above, below):
        """Sum of above(window) / sum of below(window)"""
        n, total = len(self.windows), sum(map(below, self.windows))
        if not total:
            return Estimate(0.0, 0.0)
        value = sum(map(above, self.windows)) / total
        if n < 2:
            return Estimate(value, math.nan)
        squares = sum((above(window) - value * below(window)) ** 2 for window in self.windows)
        return Estimate(value, self.t * math.sqrt(self.unseen * squares * n / (n - 1)) / total)

    def total(self, event):
        """Occurrences in the run"""
        rate = self.ratio(lambda window: window.events[event], lambda window: window.instructions)
        return Estimate(rate.value * self.rest + self.head.events[event], rate.bound * self.rest)

    # The golden machine has counted the executions of each instruction; only its cycles an execution are estimated.
    # Those that windows would seldom meet are one stratum with all such of their hart and mode: whether a place is one
    # is decided by its executions, not by whether windows have met it.

    def stratum(self, place):
        often = self.executions[place] * self.counted >= OWN * self.rest
        return place if often else (*place[:-1], SELDOM)

    def _rate(self, key, cycles=0, retired=0):
        """Cycles an execution in a stratum, without these; if none is left those in chosen windows, or of its mode"""
        rest = self.retired[key] - retired
        if rest > 0:
            return (self.cycles[key] - cycles) / rest
        if key in self.chosen and self.chosen[key][1]:
            return self.chosen[key][0] / self.chosen[key][1]
        for other in (key[:-1], ()):
            if self.retired[other] > retired:
                return (self.cycles[other] - cycles) / (self.retired[other] - retired)
        return 0.0

    def _weight(self, place, rate, cycles=0, retired=0):
        """Cycles an execution of a place in the stratum of seldom met ones, without these"""
        executions, seen = self.executions[place], self.cycles[place] - cycles
        if not executions:  # nothing retires there, or on the RTL only
            return seen * self.rest / self.counted
        return executions * (seen + PRIOR * rate) / (self.retired[place] - retired + PRIOR)

    def met_once(self, place):
        """Is the place a stratum met in less than two windows?"""
        return self.stratum(place) == place and sum(place in window.places for window in self.windows) < 2

    def unmet(self):
        """Share of the run's instructions whose place is in no window, nor in the head"""
        there = sum(count for place, count in self.executions.items()
                    if not self.retired[place] and not (place in self.chosen and self.chosen[place][1]))
        return there / self.instructions if self.instructions else 0.0

    def _members(self):
        """{stratum: its places}"""
        members = collections.defaultdict(list)
        for place in {*self.executions, *(place for window in self.windows for place in window.places)}:
            members[self.stratum(place)].append(place)
        return members

    def profile(self):
        """({place: Estimate of its cycles}, Estimate of all)"""
        executed, scale, values, rates = {}, {}, {}, {}
        for key, places in self._members().items():
            executed[key] = sum(self.executions[place] for place in places)
            rates[key] = self._rate(key)
            if executed[key]:
                cycles = executed[key] * rates[key]
            else:
                cycles = self.cycles[key] * self.rest / max(1, self.counted)
            weights = {place: self._weight(place, rates[key]) for place in places}
            scale[key] = cycles / sum(weights.values()) if cycles else 0.0
            values.update({place: weight * scale[key] for place, weight in weights.items()})
        changes, squares = [], collections.Counter()
        for window in self.windows:  # the jackknife: without this window
            lost = collections.defaultdict(lambda: [0, 0])
            for place, (cycles, retired) in window.places.items():
                key = self.stratum(place)
                lost[key][0] += cycles
                lost[key][1] += retired
                if key != place:
                    without = self._weight(place, rates[key], cycles, retired) * scale[key]
                    squares[place] += (without - values[place]) ** 2
            change = 0.0
            for key, (cycles, retired) in lost.items():
                if executed[key]:
                    different = executed[key] * (self._rate(key, cycles, retired) - rates[key])
                else:
                    different = -cycles * self.rest / self.counted
                squares[key] += different ** 2
                change += different
            changes.append(change)
        return self._with_bounds(values, changes, squares)

    def _with_bounds(self, values, changes, squares):
        n = len(changes)
        factor = self.t * math.sqrt(self.unseen * (n - 1) / n) if n > 1 else math.nan if n else 0.0
        centre = sum(changes) / n if n else 0.0
        bound = factor * math.sqrt(sum((change - centre) ** 2 for change in changes))
        for place, (cycles, _) in self.head.places.items():
            values[place] = values.get(place, 0.0) + cycles
        return ({place: Estimate(value, factor * math.sqrt(squares[place])) for place, value in values.items()},
                Estimate(sum(values.values()), bound))
