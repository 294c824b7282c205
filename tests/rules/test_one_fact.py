"""What several rules see of one fact is one cause, and so one record."""

from __future__ import annotations

from datetime import date

from tests.rules._judging import look
from verifier.evaluate import evaluate
from verifier.extract import extract
from verifier.lexicon import rules_dir
from verifier.read import read_text
from verifier.rules import load

RULES = load([rules_dir()])[0]
TEXT = "横评采用当前版本 vLLM 0.23.0。\n\nvLLM v0.30.0 已于上周发布。\n"
NEWEST = look("github:vllm-project/vllm@latest", tag="v0.30.0", version="0.30.0", published="2026-09-22")


def failing(text):
    document = read_text(text, "b.md")
    found = evaluate(RULES, document, extract(document), {NEWEST.citation: (NEWEST,)}, date(2026, 9, 28))
    return [f for f in found if f.verdict == "fail"]


def test_an_old_version_seen_by_two_rules_is_one_cause():
    found = failing(TEXT)
    assert {f.rule for f in found} == {"CON007", "VER001"}
    assert len({f.cause for f in found}) == 1 and len({f.fingerprint for f in found}) == 2


def test_two_old_versions_are_two_causes():
    found = failing(TEXT + "\n当前版本 SGLang 0.3.1。\n\nSGLang v0.9.1 已发布。\n")
    assert len({f.cause for f in found}) == 2


def test_a_suppressed_rule_gives_its_cause_to_none():
    comment = '<!-- verify: ignore=CON007 until=2026-12-31 by=li reason="told as history" -->\n\n'
    kept = [f for f in failing(comment + TEXT) if not f.suppressed]
    assert [f.rule for f in kept] == ["VER001"] and kept[0].cause.startswith("VER001")
