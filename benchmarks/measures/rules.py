"""Every pack over ten thousand claims."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date

from benchmarks._measure import Figure, cpu, versus
from benchmarks._texts import text
from benchmarks.measures.extraction import floor
from verifier.evaluate import evaluate
from verifier.extract import extract
from verifier.lexicon import rules_dir
from verifier.models import Claim, Document
from verifier.read import read_text
from verifier.rules import load

TITLE = "All rules over 10,000 claims"
ABOUT = "One document, claims extracted before, no evidence stored. Processor time of one core."
DAY = date(2026, 9, 28)
BYTES = 140  # of text for each claim, about


def measure(quick: bool) -> Iterator[Figure]:
    number = 2_000 if quick else 10_000
    rules = load([rules_dir()])[0]
    (document, claims), (half, fewer) = _read(number), _read(number // 2)

    def judged() -> None:
        evaluate(rules, document, claims, {}, DAY)

    yield versus(f"all rules, {len(claims):,} claims", cpu(judged), "one pass of `re` over the text", cpu(lambda: floor([document.text]), 10), 3)
    yield versus(f"{len(claims):,} claims", cpu(judged), f"{len(fewer):,} claims", cpu(lambda: evaluate(rules, half, fewer, {}, DAY)), 3, at_most=2.6)


def _read(number: int) -> tuple[Document, list[Claim]]:
    document = read_text(text(number * BYTES), "long.md")
    return document, extract(document)[:number]
