"""The figures of an abstract or of release notes, read by our own extractor."""

from __future__ import annotations

import re
from typing import Any

from verifier.extract import extract, numbers
from verifier.models import Claim
from verifier.normalize import interval
from verifier.read import read_text

MOST = 300  # figures kept of one text
NOUN = re.compile(r"\s?(?:[a-z-]+ )??(?P<noun>[a-z]{2,})s(?![A-Za-z])")


def figures(text: str) -> list[dict[str, Any]]:
    """Each figure as written, with the ends that its rounding allows, its unit (a counted noun for a whole number) and direction."""
    document = read_text(text, "")
    claims = extract(document)
    out = [figure for claim in claims for figure in _of_claim(claim)]
    taken = [(claim.start, claim.end) for claim in claims]
    for number in numbers(document.text):
        noun = NOUN.match(document.text, number.end)
        bare = number.kind == "quantity" and number.value is not None and not number.unit and number.value.is_integer()
        if bare and noun and not any(start <= number.start < end for start, end in taken):
            ends = interval(f"{number.value:.0f}", exact=True)
            out.append({"text": number.text, "low": ends.low, "high": ends.high, "unit": noun["noun"], "direction": None})
    return out[:MOST]


def _of_claim(claim: Claim) -> list[dict[str, Any]]:
    return [{"text": claim.text, "low": ends.low, "high": ends.high, "unit": claim.unit, "direction": claim.direction} for ends in claim.interval]
