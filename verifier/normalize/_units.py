"""One registry, built once when first needed; the only file that knows pint.

A unit's name is looked up once and kept as (factor, base unit): converting a claim is one multiplication.
"""

from __future__ import annotations

import hashlib
import re
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

from verifier import kept

DEFINITIONS = Path(__file__).with_name("units.txt")
NAME = re.compile(r"[A-Za-zµ_]+(?:[/-][A-Za-zµ_]+)*")


class Unit(NamedTuple):
    """`factor` times a number in the unit is that number in `base`."""

    factor: float
    base: str


@lru_cache(maxsize=1)
def _registry() -> Any:
    import pint

    return pint.UnitRegistry(str(DEFINITIONS))


@lru_cache(maxsize=1)
def _kept() -> tuple[str, dict[str, tuple[float, str] | None]]:
    """(name, table) of the units that earlier processes looked up in the same definitions."""
    name = f"units-{hashlib.sha256(DEFINITIONS.read_bytes()).hexdigest()[:16]}"
    return name, kept.read(name) or {}


@lru_cache(maxsize=512)
def unit(name: str) -> Unit | None:
    """What a unit of units.yaml is in base units; None for what is no unit, such as `version` or a word."""
    if not NAME.fullmatch(name):
        return None
    place, table = _kept()
    if name not in table:
        looked = _look_up(name)
        table[name] = (looked.factor, looked.base) if looked else None
        kept.write(place, table)
    found = table[name]
    return Unit(*found) if found else None


def _look_up(name: str) -> Unit | None:
    import pint

    registry = _registry()
    try:
        base = (1.0 * registry.parse_units("/".join(f"({part.replace('-', '*')})" for part in name.split("/")))).to_base_units()
    except (pint.errors.UndefinedUnitError, pint.errors.DefinitionSyntaxError):
        return None
    return Unit(float(base.magnitude), f"{base.units:C}" if not base.unitless else "factor")


def factor(name: str, other: str) -> float | None:
    """What a number in one unit is multiplied by to be in the other; None where the two measure different things."""
    one, two = unit(name), unit(other)
    return one.factor / two.factor if one and two and one.base == two.base else None


def convert(value: float, name: str, other: str) -> float | None:
    """A number in another unit of the same kind."""
    by = factor(name, other)
    return None if by is None else value * by
