"""Ratios: what is measured and what it is held against take turns in one run, so that a busy machine slows both."""

from __future__ import annotations

import gc
import statistics
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

Timed = Callable[[], float]  # does a piece of work; gives the seconds of one


@dataclass(frozen=True)
class Figure:
    """`seconds` and `yardstick` are medians, `ratios` one for each round; without rounds it could not be measured, and `more` says why."""

    name: str
    against: str = ""
    ratios: tuple[float, ...] = ()
    seconds: float = 0.0
    yardstick: float = 0.0
    at_most: float | None = None
    at_least: float | None = None
    more: Mapping[str, Any] = field(default_factory=dict)

    @property
    def ratio(self) -> float:
        return statistics.median(self.ratios)

    @property
    def reached(self) -> bool | None:
        """Whether it is what is asked for; None where nothing is asked or nothing was measured."""
        if not self.ratios or (self.at_most is None and self.at_least is None):
            return None
        return (self.at_most is None or self.ratio <= self.at_most) and (self.at_least is None or self.ratio >= self.at_least)


def versus(name: str, work: Timed, against: str, yardstick: Timed, rounds: int = 7, *, at_most: float | None = None,
           at_least: float | None = None, more: Mapping[str, Any] | None = None) -> Figure:  # fmt: skip
    """The ratio of two works, done in turns after one turn that only warms up. What is in memory already is not walked by the collector."""
    work(), yardstick()
    gc.collect()
    gc.freeze()
    try:
        taken = [(work(), yardstick()) for _ in range(rounds)]
    finally:
        gc.unfreeze()
    return of(name, against, taken, at_most=at_most, at_least=at_least, more=more)


def of(name: str, against: str, taken: list[tuple[float, float]], *, at_most: float | None = None, at_least: float | None = None,
       more: Mapping[str, Any] | None = None) -> Figure:  # fmt: skip
    """A figure from (seconds, seconds of the yardstick) of each round."""
    seconds, yardstick = (statistics.median(column) for column in zip(*taken, strict=True))
    return Figure(name, against, tuple(a / b for a, b in taken), seconds, yardstick, at_most, at_least, more or {})


def cpu(work: Callable[[], object], times: int = 1) -> Timed:
    """Processor seconds of this process."""
    return _timed(work, times, time.process_time)


def wall(work: Callable[[], object], times: int = 1) -> Timed:
    """Seconds on the clock: for what waits on a disk or another process."""
    return _timed(work, times, time.perf_counter)


def _timed(work: Callable[[], object], times: int, clock: Callable[[], float]) -> Timed:
    def seconds() -> float:
        started = clock()
        for _ in range(times):
            work()
        return (clock() - started) / times

    return seconds
