"""A comment that asks for silence is heard only where it says why, who and until when."""

from __future__ import annotations

from datetime import date

import pytest

from verifier.evaluate import evaluate
from verifier.extract import extract
from verifier.lexicon import rules_dir
from verifier.read import read_text
from verifier.rules import load

RULES = load([rules_dir()])[0]
FULL = 'until=2026-12-31 by=li reason="quoted as printed"'


def found(comment, rule="NOT001", day=date(2026, 9, 28)):
    document = read_text(f"{comment}\n\nP50 TTFT -46×\n", "b.md")
    return [f for f in evaluate(RULES, document, extract(document), {}, day) if f.rule == rule and f.verdict == "fail"]


def test_a_whole_comment_suppresses_and_the_finding_stays_marked():
    (one,) = found(f"<!-- verify: ignore=NOT001 {FULL} -->")
    assert one.suppressed == "quoted as printed (li, until 2026-12-31)"


@pytest.mark.parametrize("name", ["until=2026-12-31", "by=li", 'reason="quoted as printed"'])
def test_a_comment_that_leaves_one_thing_out_suppresses_nothing_and_is_found(name):
    comment = f"<!-- verify: ignore=NOT001 {FULL.replace(name, '')} -->"
    assert not found(comment)[0].suppressed
    assert name.split("=")[0] in found(comment, "WOR003")[0].message


def test_a_suppression_ends_with_its_day():
    comment = f"<!-- verify: ignore=NOT001 {FULL} -->"
    assert found(comment, day=date(2026, 12, 31))[0].suppressed
    assert not found(comment, day=date(2027, 1, 1))[0].suppressed
    assert "ran out on 2026-12-31" in found(comment, "WOR003", date(2027, 1, 1))[0].message


def test_a_rule_is_suppressed_by_its_slug_too():
    assert found(f"<!-- verify: ignore=lowered-by-a-factor {FULL} -->")[0].suppressed
