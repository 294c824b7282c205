"""Show what a claim says: as written, what it means, and each step between."""

from __future__ import annotations

import argparse
import re
from pathlib import Path
from typing import TYPE_CHECKING

from verifier.commands import _common as common
from verifier.errors import ExitCode, UsageError

if TYPE_CHECKING:
    from verifier.models import Claim

EXAMPLE = "verify explain briefing.md:12"
PLACE = re.compile(r"(.+?):(\d+)(?::(\d+))?")


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("claims", nargs="+", metavar="CLAIM", help="FILE:LINE, FILE:LINE:COLUMN, or the id of a stored claim")
    common.formats(parser)


def handle(options: argparse.Namespace) -> common.Result:
    found = [claim for wanted in options.claims for claim in _claims(wanted)]
    told = [explanation(claim) for claim in found]
    if options.format == "json":
        common.show([{"claim": claim, "steps": steps} for claim, steps in zip(found, told, strict=True)])
    else:
        print("\n\n".join("\n".join(f"{name:>11}  {text}" for name, text in steps) for steps in told))
    return ExitCode.CLEAN, f"{len(found)} claims explained"


def _claims(wanted: str) -> list[Claim]:
    """The claims at a place of a file, or the stored one with an id."""
    from verifier import pipeline
    from verifier.extract import extract
    from verifier.read import read

    root = common.settings().root
    place = PLACE.fullmatch(wanted)
    if place and (place[1] == "-" or Path(place[1]).exists()):
        line, column = int(place[2]), int(place[3] or 0)
        claims = extract(read(*pipeline.source(place[1], root, common.stdin_for([place[1]]))))
        here = [c for c in claims if c.line <= line <= c.end_line and (not column or c.column <= column <= c.column + len(c.text))]
        if not here:
            near = min((c.line for c in claims), key=lambda n: abs(n - line), default=None)
            raise UsageError(f"{wanted}: no claim there" + (f"; the nearest is on line {near}" if near else "; the file has none"))
        return here
    stored = _stored(wanted, root)
    if stored is None:
        raise UsageError(
            f"{wanted}: no stored claim has this id and it names no place; give FILE:LINE, or an id of `verify extract FILE --format jsonl`"
        )
    return [stored]


def _stored(wanted: str, root: Path) -> Claim | None:
    from verifier.models import Claim

    for path in sorted((root / "claims" / "extracted").rglob("*.jsonl")):
        for line in path.read_text(encoding="utf-8").splitlines():
            if wanted in line and (claim := Claim.model_validate_json(line)).id == wanted:
                return claim
    return None


def explanation(claim: Claim) -> list[tuple[str, str]]:
    """(what, words), from what is written to what it means."""
    from verifier.compare import keys
    from verifier.compare.roofline import beyond, roofline
    from verifier.normalize import effect, quantities

    steps = [("written", f"{claim.text}  ({claim.document}:{claim.line}:{claim.column})"), ("means", _meaning(claim))]
    for interval in claim.interval:
        steps.append(("rounding", f"{interval.low:g} … {interval.high:g} {claim.unit}"))
    for quantity in quantities(claim):
        if quantity.unit != claim.unit:
            steps.append(("base units", f"{quantity.value:g} {quantity.unit}  ({quantity.low:g} … {quantity.high:g})"))
    if found := effect(claim):
        steps += [("step", step) for step in found.steps]
        if found.factor:
            steps.append(
                (
                    "effect",
                    f"{found.factor.low:.4g} … {found.factor.high:.4g} ×, that is {100 * (found.factor.low - 1):+.1f} … {100 * (found.factor.high - 1):+.1f} %",
                )
            )
        if found.difference:
            steps.append(("difference", f"{found.difference.low:g} … {found.difference.high:g} {found.unit}"))
    steps += [("under", f"{name} = {c.value}  ({c.origin}, line {c.line})") for name, c in claim.conditions.items()]
    limits = roofline(claim.conditions)
    steps += [
        (
            "at most" if limit.name != "memory" else "memory",
            f"{limit.name}: {_amount(limit.value, limit.unit)} = {limit.working}{_assumed(limit.assumed)}",
        )
        for limit in limits.limits
    ]
    if limits.limits and limits.missing:
        steps.append(("missing", ", ".join(limits.missing)))
    if excess := beyond(claim):
        steps.append(("beyond", f"{excess.working} ({excess.by:.2g} times)"))
    return [*steps, *(("key", key) for key in keys(claim))]


def _meaning(claim: Claim) -> str:
    bound = {"max": "at most ", "min": "at least ", None: ""}[claim.bound]
    about = "about " if claim.approx else ""
    numbers = " to ".join(f"{n:g}" if isinstance(n, float) else n for n in claim.numbers)
    said = " ".join(str(w) for w in (claim.subject, claim.metric, claim.statistic) if w)
    against = f", against {claim.baseline}" if claim.baseline else ""
    return f"{claim.form} of {said or 'something unnamed'}: {bound}{about}{numbers} {claim.unit}{f' ({claim.direction})' if claim.direction else ''}{against}"


def _amount(value: float, unit: str) -> str:
    return f"{value:,.0f} {unit}" if value < 1e7 else f"{value:.4g} {unit}"


def _assumed(words: tuple[str, ...]) -> str:
    return f"; assumed: {'; '.join(words)}" if words else ""
