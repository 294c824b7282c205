"""What a sentence's figures are about: form, metric, subject and baseline of sentences of our own in both languages."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
import yaml

import verifier

SENTENCES = yaml.safe_load((Path(__file__).parent / "sentences.yaml").read_text(encoding="utf-8"))
NAMES = ("subject", "baseline")


def folded(name):
    return re.sub(r"[\W_]+", "", str(name).lower())


def meets(wanted, got):
    """Names are one when one holds the other and is no mere scrap of it."""
    if wanted is None or got is None:
        return wanted is got
    a, b = folded(wanted), folded(got)
    return a == b or (a in b or b in a) and min(len(a), len(b)) >= 3


def differences(claim, wanted):
    for field, value in wanted.items():
        got = list(claim.numbers) if field == "n" else getattr(claim, field)
        right = (
            meets(value, got) if field in NAMES else got == pytest.approx(value) if field == "n" and not isinstance(value[0], str) else got == value
        )
        if not right:
            yield f"{field}: wanted {value}, got {got}"


@pytest.mark.parametrize("sentence", SENTENCES, ids=lambda s: s["text"][:40])
def test_every_figure_of_a_sentence_is_bound(sentence):
    claims = verifier.extract(sentence["text"])
    for wanted in sentence["claims"]:
        found = [list(differences(claim, wanted)) for claim in claims]
        assert found, "no claims"
        assert min(found, key=len) == [], wanted
