"""Every rule on sound documents that are broken in one place, and on changes that must not matter to it."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest
import yaml

from verifier.extract import extract
from verifier.family import member
from verifier.lexicon import rules_dir
from verifier.models import Look
from verifier.read import read_text
from verifier.rules import Context, load

RULES = {rule.id: rule for rule in load([rules_dir()])[0]}
CASES = yaml.safe_load(Path(__file__).with_name("mutations.yaml").read_text(encoding="utf-8"))
DAY = date(2026, 9, 28)
BEFORE, AFTER = "本文为内部周记，另附一段说明。\n\n", "\n本文到此为止。\n"
AROUND = {
    "alone": lambda text: text,
    "between paragraphs": lambda text: BEFORE + text + AFTER,
    "under an English heading": lambda text: "# Weekly notes\n\n" + text,
    "with windows line ends": lambda text: text.replace("\n", "\r\n"),
}


def look(citation, outcome, facts=None, at="2026-09-20T10:00:00+00:00"):
    return Look.model_validate({"citation": citation, "url": "u", "outcome": outcome, "fetched_at": at, "facts": facts or {}})


def evidence(case):
    found = {citation: (look(citation, "found", facts, "2026-09-28T10:00:00+00:00"),) for citation, facts in case.get("found", {}).items()}
    twice = ("2026-09-20T10:00:00+00:00", "2026-09-25T10:00:00+00:00")
    return found | {citation: tuple(look(citation, "absent", at=at) for at in twice) for citation in case.get("absent", ())}


def failing(rule_id, text):
    document = read_text(text, "b.md")
    rule = RULES[rule_id]
    known = extract(read_text(CASES[rule_id].get("earlier", ""), "a.md"))
    context = Context(document, extract(document), evidence(CASES[rule_id]), DAY, known)
    return [f for f in member("verifier.rules", rule.kind).judge(rule, context) if f.verdict == "fail"]


def changed(text, old, new):
    assert text.count(str(old)) >= 1, f"{old!r} is not in the sound text"
    head, _, tail = text.rpartition(str(old))
    return head + str(new) + tail


def each(name):
    return [pytest.param(rule, *map(str, pair), id=f"{rule}-{number}") for rule, case in CASES.items() for number, pair in enumerate(case[name], 1)]


def test_every_rule_has_its_mutations():
    assert set(CASES) == set(RULES)
    assert [rule for rule, case in CASES.items() if not case["harm"] or not case["harmless"]] == []


@pytest.mark.parametrize("around", AROUND.values(), ids=AROUND)
@pytest.mark.parametrize("rule", CASES)
def test_a_sound_document_passes(rule, around):
    assert [f.message for f in failing(rule, around(CASES[rule]["sound"]))] == []


@pytest.mark.parametrize("around", AROUND.values(), ids=AROUND)
@pytest.mark.parametrize("rule, old, new", each("harm"))
def test_a_document_broken_in_one_place_fails(rule, old, new, around):
    assert failing(rule, around(changed(CASES[rule]["sound"], old, new)))


@pytest.mark.parametrize("rule, old, new", each("harmless"))
def test_what_must_not_matter_does_not(rule, old, new):
    assert [f.message for f in failing(rule, changed(CASES[rule]["sound"], old, new))] == []


@pytest.mark.parametrize("rule, old, new", each("harm"))
def test_a_failing_finding_names_a_place_in_the_document_and_its_working(rule, old, new):
    lines = changed(CASES[rule]["sound"], old, new).splitlines()
    for finding in failing(rule, changed(CASES[rule]["sound"], old, new)):
        assert finding.working and finding.message and finding.message_zh
        assert all(1 <= place.line <= len(lines) for place in finding.locations)
