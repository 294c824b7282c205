"""STAGE canonical units: the only home of pint, loaded when first needed."""

from __future__ import annotations

from functools import lru_cache
from typing import Any, NamedTuple

from verifier.models import Claim
from verifier.normalize.rounding import interval

__all__ = ["Quantity", "canonical", "factor", "interval"]

# our unit -> pint expression; pint never sees a surface: it parses 1.6T as tesla
UNITS = {
    "percent": "percent", "percentage_point": "percent", "x": "factor", "token/s": "token/second", "token/s/gpu": "token/second/gpu",
    "request/s": "request/second", "ns": "nanosecond", "us": "microsecond", "ms": "millisecond", "s": "second", "min": "minute",
    "h": "hour", "day": "day", "KB": "kilobyte", "MB": "megabyte", "GB": "gigabyte", "TB": "terabyte", "KiB": "kibibyte", "MiB": "mebibyte",
    "GiB": "gibibyte", "TiB": "tebibyte", "GB/s": "gigabyte/second", "TB/s": "terabyte/second", "GFLOPS": "gigaflop/second",
    "TFLOPS": "teraflop/second", "PFLOPS": "petaflop/second", "USD": "usd", "USD/day": "usd/day", "USD/Mtoken": "usd/megatoken",
    "parameter": "parameter", "bit": "bit", "W": "watt", "kW": "kilowatt", "GHz": "gigahertz", "MHz": "megahertz",
}  # fmt: skip
DEFINITIONS = ("factor = []", "token = [token]", "request = [request]", "gpu = [gpu]", "flop = [flop]", "usd = [currency]", "parameter = [parameter]")


class Quantity(NamedTuple):
    """A number in base units with the ends that its rounding allows."""

    low: float
    value: float
    high: float
    unit: str


@lru_cache(maxsize=1)
def _registry() -> dict[str, tuple[float, str]]:
    """{our unit: (factor, base unit)}, from one registry built once."""
    import pint

    registry: Any = pint.UnitRegistry(autoconvert_offset_to_baseunit=True)
    for line in DEFINITIONS:
        registry.define(line)
    table = {}
    for name, expression in UNITS.items():
        base = (1.0 * registry.Unit(registry.parse_units(expression))).to_base_units()
        table[name] = (float(base.magnitude), f"{base.units:~C}" or name)
    return table


def canonical(claim: Claim) -> Quantity | None:
    """A one-number claim in base units (percent as a fraction); None for versions, dates, pairs and unknown units."""
    if not isinstance(claim.value, float) or not claim.interval or claim.unit not in UNITS:
        return None
    factor, unit = _registry()[claim.unit]
    ends = claim.interval[0]
    return Quantity(ends.low * factor, claim.value * factor, ends.high * factor, unit)


def factor(unit: str, other: str) -> float | None:
    """What a number in `unit` is multiplied by to be in `other`; None where the two measure different things."""
    if unit not in UNITS or other not in UNITS:
        return None
    (a, base), (b, same) = _registry()[unit], _registry()[other]
    return a / b if base == same else None
