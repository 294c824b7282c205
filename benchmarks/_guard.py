"""Holds quick figures against the limits kept in the repository. What exceeds one is measured again before it counts."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

from benchmarks._measure import Figure

LIMITS = Path(__file__).with_name("limits.toml")
TRIES = 3


@dataclass(frozen=True)
class Limit:
    """A ratio that a figure may have, with the reason for it."""

    at_most: float
    why: str


@dataclass(frozen=True)
class Judged:
    """A figure beside its limit, with the least of the ratios that were measured for it."""

    name: str
    ratio: float
    limit: Limit
    tries: int

    @property
    def exceeds(self) -> bool:
        return self.ratio > self.limit.at_most


def limits(path: Path = LIMITS) -> dict[str, dict[str, Limit]]:
    """{benchmark: {figure: limit}}."""
    read = tomllib.loads(path.read_text(encoding="utf-8"))
    return {name: {figure: Limit(**told) for figure, told in figures.items()} for name, figures in read.items()}


def judge(measure: Callable[[], Iterable[Figure]], limits: dict[str, Limit]) -> list[Judged]:
    """Each limit's figure. Noise passes, a regression stays: only what exceeds its limit each of TRIES times exceeds it.

    Raises KeyError for a limit without a figure, so that none is silently dead.
    """
    least: dict[str, float] = {}
    tries: dict[str, int] = {}
    for turn in range(1, TRIES + 1):
        found = {f.name: f.ratio for f in measure()}
        if missing := set(limits) - set(found):
            raise KeyError(f"no figure for the limit of {', '.join(sorted(missing))}; there are {', '.join(found)}")
        for name in limits:
            if name not in least or least[name] > limits[name].at_most:
                least[name], tries[name] = min(found[name], least.get(name, found[name])), turn
        if all(least[name] <= limit.at_most for name, limit in limits.items()):
            break
    return [Judged(name, least[name], limit, tries[name]) for name, limit in limits.items()]
