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
    places: dict  # (mode, pc): (cycles, retired)


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


class Sample:
    """Windows of a run of `instructions`, of which each place executed `executions` times."""

    def __init__(self, windows, instructions, executions, confidence):
        self.windows = [window for window in windows if window.instructions]
        self.instructions, self.executions = instructions, executions
        n = len(self.windows)
        self.counted = sum(window.instructions for window in self.windows)
        self.t = t_quantile(confidence, n - 1) if n > 1 else math.nan
        self.unseen = max(0.0, 1 - self.counted / instructions)  # finite population
        self.cycles, self.retired = collections.Counter(), collections.Counter()
        for window in self.windows:
            for place, (cycles, retired) in window.places.items():
                self.cycles[place] += cycles
                self.retired[place] += retired

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

    def rate(self, event):
        """Occurrences an instruction"""
        return self.ratio(lambda window: window.events[event], lambda window: window.instructions)

    # The golden machine has counted the executions of each instruction; only its cycles an execution are estimated.

    def _of_place(self, place, cycles, retired):
        """Cycles of a place in the whole run. One that executed, but in no window, is left to profile()."""
        if retired and place in self.executions:
            return self.executions[place] * cycles / retired
        return cycles * self.instructions / self.counted

    def profile(self):
        """({place: Estimate of its cycles}, Estimate of all)"""
        n = len(self.windows)
        places = {place: self._of_place(place, cycles, self.retired[place]) for place, cycles in self.cycles.items()}
        mean = sum(window.cycles for window in self.windows) / self.counted
        missing = {place: count for place, count in self.executions.items() if not self.retired[place]}
        for place, count in missing.items():
            places[place] = places.get(place, 0.0) + count * mean
        total = sum(places.values())
        deviations, squares = [], collections.Counter()
        for window in self.windows:  # the jackknife: without this window
            change = 0.0
            for place, (cycles, retired) in window.places.items():
                rest = self.retired[place] - retired
                if not rest and place in self.executions and self.retired[place]:
                    without = self.executions[place] * mean
                else:
                    without = self._of_place(place, self.cycles[place] - cycles, rest)
                change += without - places[place]
                squares[place] += (without - places[place]) ** 2
            deviations.append(change)
        if n < 2:
            return {place: Estimate(value, math.nan) for place, value in places.items()}, Estimate(total, math.nan)
        centre = sum(deviations) / n
        factor = self.t * math.sqrt(self.unseen * (n - 1) / n)
        bound = factor * math.sqrt(sum((deviation - centre) ** 2 for deviation in deviations))
        return ({place: Estimate(value, factor * math.sqrt(squares[place])) for place, value in places.items()},
                Estimate(total, bound))
