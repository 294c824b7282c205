"""STAGE canonical units, effects and hardware: what a claim says, in one writing.

The only home of pint, which loads when a unit is first asked for.
"""

from __future__ import annotations

from typing import NamedTuple

from verifier.models import Claim
from verifier.normalize._effects import TIMES, Effect, effect
from verifier.normalize._hardware import Board, boards, implied
from verifier.normalize._units import Unit, convert, factor, unit
from verifier.normalize.rounding import interval

__all__ = [
    "TIMES",
    "Board",
    "Effect",
    "Quantity",
    "Unit",
    "boards",
    "canonical",
    "convert",
    "effect",
    "factor",
    "implied",
    "interval",
    "quantities",
    "unit",
]


class Quantity(NamedTuple):
    """A number in base units with the ends that its rounding allows."""

    low: float
    value: float
    high: float
    unit: str


def quantities(claim: Claim) -> tuple[Quantity, ...]:
    """Each number of a claim in base units (percent as a fraction); none for versions, dates and unknown units."""
    known = unit(claim.unit)
    if known is None or len(claim.interval) != len(claim.numbers):
        return ()
    pairs = zip(claim.numbers, claim.interval, strict=True)
    return tuple(Quantity(i.low * known.factor, n * known.factor, i.high * known.factor, known.base) for n, i in pairs if isinstance(n, float))


def canonical(claim: Claim) -> Quantity | None:
    """A one-number claim in base units; None for versions, dates, pairs and unknown units."""
    found = quantities(claim)
    return found[0] if len(found) == 1 and claim.value is not None else None
