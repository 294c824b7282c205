"""STAGE Document -> Claims: numerals, what they mean, what they are about."""

from __future__ import annotations

from collections import Counter

from verifier.extract.claims import claims
from verifier.extract.numerals import numbers
from verifier.lexicon import Lexicon, load
from verifier.models import Claim, Document

__all__ = ["extract", "numbers", "set_aside"]


def extract(document: Document, lexicon: Lexicon | None = None) -> list[Claim]:
    """The claims of a document in order of place; every `text` is a substring of its line."""
    return claims(document, lexicon or load())


def set_aside(document: Document) -> dict[str, int]:
    """How many numerals of each class were not taken for quantities."""
    counts = Counter(n.kind for n in numbers(document.text) if n.kind != "quantity")
    return dict(sorted(counts.items()))
