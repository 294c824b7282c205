"""Eighty pairs of sentences: what may be compared, what may not, and what is missing."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml

import verifier

PAIRS = [
    (answer, pair) for answer, pairs in yaml.safe_load(Path(__file__).with_name("pairs.yaml").read_text(encoding="utf-8")).items() for pair in pairs
]


def marked(text):
    """The claim between « and »."""
    start = text.index("«")
    end = text.index("»") - 1
    plain = text.replace("«", "").replace("»", "")
    return max((c for c in verifier.extract(plain) if c.start < end and c.end > start), key=lambda c: c.end - c.start)


@pytest.mark.parametrize("answer, pair", PAIRS, ids=[f"{a}: {p['a']} | {p['b']}" for a, p in PAIRS])
def test_a_pair_gets_the_answer_of_a_careful_reader(answer, pair):
    found = verifier.compare(marked(pair["a"]), marked(pair["b"]))
    assert found.answer == answer, found.working
    assert set(pair.get("because", ())) <= set(found.conditions)
