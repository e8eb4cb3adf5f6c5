# SPDX-License-Identifier: Apache-2.0
"""Estimates from windows of a run (docs/farm.md): ratio and regression estimators, with confidence intervals by
Student's t.

Windows are a systematic sample: one in each period, at an offset that was drawn at random. Its variance is estimated as
that of a simple random sample without replacement, which is too large for programs with long phases, not too small,
unless a loop has the period of the windows.
"""

import collections
import dataclasses
import functools
import math


@dataclasses.dataclass
class Estimate:
    value: float
    bound: float  # half of the confidence interval; nan: one window only

    def scaled(self, factor):
        return Estimate(self.value * factor, self.bound * factor)


@dataclasses.dataclass
class Golden:
    """What the golden machine says of the run. Cycles are its estimate (tb/iss/iss_time.h)."""
    places: dict   # (hart, mode, pc): executions; executions and cycles where windows are a sample; both in windows
    windows: dict  # at: {what is foreseen: how much}, with "count", instructions, and "cycles"
    sampled: dict  # the same, of all instructions of which windows are a sample


@dataclasses.dataclass
class Window:
    at: int  # instructions before its checkpoint
    instructions: int
    cycles: int
    events: dict  # name: how often
    places: dict  # (hart, mode, pc): (cycles, retired)
    loads: dict   # source: (how many, their latencies in cycles)


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


@functools.lru_cache
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
FEW = 20           # windows: enough for a regression
MOST = 0.5         # of the squares of differences may be left by it
FAR = 2            # standard deviations of windows from their mean to the run's: no farther
EMPTY = 1e-6       # no less than rounding leaves of a sum


def size_of(window):
    return window.instructions


class Sample:
    """Windows of a run. `head` is the beginning of the run, all of which was counted. `chosen` windows are no part of
    the sample: they are at code that it has not met."""

    def __init__(self, windows, golden, confidence, head=None, chosen=()):
        self.windows = [window for window in windows if window.instructions]
        self.head = head or Window(0, 0, 0, collections.Counter(), {}, {})
        self.golden, self.confidence = golden, confidence
        self.instructions = sum(counts[0] for counts in golden.places.values())
        self.executions, self.work, self.foreseen, self.foreseen_here = collections.Counter(), {}, {}, {}
        for place, (_, count, cycles, here, cycles_here) in golden.places.items():
            if count:
                self.executions[place], self.work[place], self.foreseen[place] = count, cycles, cycles / count
                self.foreseen_here[place] = cycles_here / here if here else cycles / count
        self.rest = sum(self.executions.values())
        n = len(self.windows)
        self.counted = sum(window.instructions for window in self.windows)
        self.t = t_quantile(confidence, n - 1) if n > 1 else math.nan
        self.unseen = max(0.0, 1 - self.counted / self.rest) if self.rest else 0.0  # finite population
        self.cycles, self.met = collections.Counter(), collections.Counter()  # of places, modes, and all, ()
        for window in self.windows:
            for place, cycles, work in self.places(window):
                for key in {place, self.stratum(place), place[:-1], ()}:
                    self.cycles[key] += cycles
                    self.met[key] += work
        self.chosen_windows = len(chosen)
        self.chosen = collections.defaultdict(lambda: [0, 0])
        for window in chosen:
            for place, cycles, work in self.places(window):
                self.chosen[place][0] += cycles
                self.chosen[place][1] += work

    def places(self, window):
        """(place, cycles, foreseen cycles of as many executions)"""
        for place, (cycles, retired) in window.places.items():
            yield place, cycles, retired * self.foreseen_here.get(place, 1.0)

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

    def foreseen_in(self, window, what="cycles"):
        """How much the golden machine foresees for the window; None: it has not counted all of it, for the next window
        has begun within it"""
        sums = self.golden.windows.get(window.at)
        return sums[what] if sums and sums["count"] == window.instructions else None

    @functools.cached_property
    def covariates(self):
        """[(of each window: how much more was foreseen than in all for as many instructions; how much more for an
        instruction in the run)]"""
        found = []
        for what in self.golden.sampled if len(self.windows) >= FEW else ():
            sums = [self.foreseen_in(window, what) for window in self.windows]
            counted = sum(window.instructions for window, much in zip(self.windows, sums) if much is not None)
            known = sum(much for much in sums if much is not None) / max(1, counted)
            x = [0.0 if much is None else much - known * window.instructions
                 for window, much in zip(self.windows, sums)]
            spread = sum(each * each for each in x)
            beyond = self.golden.sampled[what] / self.golden.sampled["count"] - known
            size = self.counted / len(self.windows)
            if (size * beyond) ** 2 * len(self.windows) < FAR ** 2 * spread:  # else windows have not met what is there
                found.append((x, spread, beyond))
        return found

    def regression(self, of, signed=False):
        """of(window) for an instruction, corrected by linear regression on what was foreseen, and is known of the run;
        None: nothing explains most of the differences between windows"""
        n, plain, found = len(self.windows), self.ratio(of, size_of), None
        y = [of(window) - plain.value * window.instructions for window in self.windows]
        least = MOST * sum(each * each for each in y)
        for x, spread, beyond in self.covariates:
            slope = sum(each * other for each, other in zip(x, y)) / spread
            squares = sum((other - slope * each) ** 2 for each, other in zip(x, y))
            value, size = plain.value + slope * beyond, self.counted / n
            if squares < least and (signed or value >= 0):
                least, error = squares, squares / (n - 2) * (1 / n + (size * beyond) ** 2 / spread)
                found = Estimate(value, t_quantile(self.confidence, n - 2) * math.sqrt(self.unseen * error) / size)
        return found

    def total(self, of, signed=False):
        """Sum of of(window) over the run"""
        rate = self.regression(of, signed) or self.ratio(of, size_of)
        return Estimate(rate.value * self.rest + of(self.head), rate.bound * self.rest)

    def quotient(self, above, below):
        """Of two such sums"""
        total = self.total(below).value
        if total <= 0:
            return Estimate(0.0, 0.0)
        value = self.total(above).value / total
        difference = self.total(lambda window: above(window) - value * below(window), signed=True)
        return Estimate(value, difference.bound / total)

    # The golden machine has counted the executions of each instruction, and foreseen their cycles. Windows tell how
    # many cycles there are for each that was foreseen. Places that they would seldom meet are one stratum with all such
    # of their hart and mode: whether a place is one is decided by its executions, not by whether windows have met it.

    def stratum(self, place):
        often = self.executions[place] * self.counted >= OWN * self.rest
        return place if often else (*place[:-1], SELDOM)

    def _rate(self, key, cycles=0, work=0):
        """Cycles for each foreseen one in a stratum, without these; if none is left those in chosen windows, or of its
        mode"""
        rest = self.met[key] - work
        if rest > EMPTY:
            return (self.cycles[key] - cycles) / rest
        if key in self.chosen and self.chosen[key][1]:
            return self.chosen[key][0] / self.chosen[key][1]
        for other in (key[:-1], ()):
            if self.met[other] - work > EMPTY:
                return (self.cycles[other] - cycles) / (self.met[other] - work)
        return 0.0

    def _weight(self, place, rate, cycles=0, work=0):
        """Cycles of a place in the stratum of seldom met ones, without these"""
        seen = self.cycles[place] - cycles
        if not self.executions[place]:  # nothing retires there, or on the RTL only
            return seen * self.rest / max(1, self.counted)
        prior = PRIOR * self.foreseen[place]
        return self.work[place] * (seen + prior * rate) / (self.met[place] - work + prior)

    def met_once(self, place):
        """Is the place a stratum met in less than two windows?"""
        return self.stratum(place) == place and sum(place in window.places for window in self.windows) < 2

    def unmet(self):
        """Share of the run's instructions whose place is in no window, nor in the head"""
        there = sum(count for place, count in self.executions.items()
                    if not self.met[place] and not (place in self.chosen and self.chosen[place][1]))
        return there / self.instructions if self.instructions else 0.0

    def _members(self):
        """{stratum: its places}"""
        members = collections.defaultdict(list)
        for place in {*self.executions, *(place for window in self.windows for place in window.places)}:
            members[self.stratum(place)].append(place)
        return members

    def profile(self):
        """({place: Estimate of its cycles}, Estimate of all)"""
        work, scale, values, rates = {}, {}, {}, {}
        for key, places in self._members().items():
            work[key] = sum(self.work.get(place, 0.0) for place in places)
            rates[key] = self._rate(key)
            if work[key]:
                cycles = work[key] * rates[key]
            else:
                cycles = self.cycles[key] * self.rest / max(1, self.counted)
            weights = {place: self._weight(place, rates[key]) for place in places}
            scale[key] = cycles / sum(weights.values()) if cycles else 0.0
            values.update({place: weight * scale[key] for place, weight in weights.items()})
        changes, squares = [], collections.Counter()
        for window in self.windows:  # the jackknife: without this window
            change = self._foreseen_otherwise(window)
            lost = collections.defaultdict(lambda: [0, 0])
            for place, cycles, foreseen in self.places(window):
                key = self.stratum(place)
                lost[key][0] += cycles
                lost[key][1] += foreseen
                if key != place:
                    without = self._weight(place, rates[key], cycles, foreseen) * scale[key]
                    squares[place] += (without - values[place]) ** 2
            for key, (cycles, foreseen) in lost.items():
                if work[key]:
                    different = work[key] * (self._rate(key, cycles, foreseen) - rates[key])
                else:
                    different = -cycles * self.rest / self.counted
                squares[key] += different ** 2
                change += different
            changes.append(change)
        return self._with_bounds(values, changes, squares)

    def _foreseen_otherwise(self, window):
        """What the run's cycles are expected to change by without the window because more or fewer were foreseen in it
        than in all windows for the same instructions: that is no error of the sample's"""
        foreseen = self.foreseen_in(window)
        if foreseen is None:
            return 0.0
        otherwise = foreseen - sum(work for _, _, work in self.places(window))
        return otherwise * self._rate(()) * sum(self.work.values()) / self.met[()]

    def _with_bounds(self, values, changes, squares):
        n = len(changes)
        factor = self.t * math.sqrt(self.unseen * (n - 1) / n) if n > 1 else math.nan if n else 0.0
        centre = sum(changes) / n if n else 0.0
        bound = factor * math.sqrt(sum((change - centre) ** 2 for change in changes))
        whole = self.regression(lambda window: window.cycles)
        if whole:  # strata that few windows have met fit them too well
            bound = max(bound, whole.bound * self.rest)
        for place, (cycles, _) in self.head.places.items():
            values[place] = values.get(place, 0.0) + cycles
        return ({place: Estimate(value, factor * math.sqrt(squares[place])) for place, value in values.items()},
                Estimate(sum(values.values()), bound))
