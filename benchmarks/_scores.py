"""Who finds what: results of any reader against the labelled briefings of tests/gold."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import yaml

from benchmarks._texts import GOLD

MEASURED = frozenset(
    ("percent", "percentage_point", "x", "ms", "s", "min", "h", "day", "token/s", "B", "KB", "MB", "GB", "TB", "GiB", "bit", "W", "USD", "CNY")
)
Told = dict[str, Any]


class Score(NamedTuple):
    """Shares in percent: labels whose numbers were found, with their unit, with form, direction and bound too; results that answer a label."""

    labels: int
    numbers: float
    units: float
    whole: float
    precision: float


def score(claims: Callable[[str], Sequence[Told]]) -> Score:
    """Versions and dates count on neither side: not every reader means to find them. Several results may answer one label together."""
    labels = numbers = units = whole = told = right = 0
    for path in GOLD:
        wanted = [w for w in yaml.safe_load(path.with_suffix(".yaml").read_text(encoding="utf-8")) if w["form"] not in ("version", "date")]
        found = [c for c in claims(path.read_text(encoding="utf-8")) if c["form"] not in ("version", "date")]
        answers: set[int] = set()
        for label in wanted:
            near = [c for c in found if c["line"] <= label["line"] <= (c.get("end_line") or c["line"])]
            alike = [c for c in near if unit_of(c) == unit_of(label) or "unit" not in label]
            numbers += covers(label, near)
            units += covers(label, alike)
            whole += any(covers(label, [c]) and all(c.get(k) == label[k] for k in ("form", "direction", "bound") if k in label) for c in alike)
            answers.update(id(c) for c in alike if set(values(c)) & set(values(label)))
        labels, told, right = labels + len(wanted), told + len(found), right + len(answers)
    return Score(labels, *(round(100 * n / labels, 1) for n in (numbers, units, whole)), round(100 * right / told, 1) if told else 0.0)


def covers(label: Told, found: Sequence[Told]) -> bool:
    """Every number of the label is in one of them; signs are a matter of direction."""
    return set(values(label)) <= {value for c in found for value in values(c)}


def values(told: Told) -> list[float]:
    given = told.get("numbers") or [told[k] for k in ("value", "low", "high", "from", "to") if told.get(k) is not None]
    return [round(abs(float(n)), 6) for n in given if isinstance(n, int | float)]


def unit_of(told: Told) -> str:
    """Every unit that counts things is one."""
    unit = told.get("unit")
    return unit if unit in MEASURED or (unit and "/" in unit) else "none" if unit is None else "count"
