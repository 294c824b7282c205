"""Every shipped rule passes its own tests; every mistake in a rule file is refused with its line."""

from __future__ import annotations

import pytest

from verifier.lexicon import rules_dir
from verifier.rules import load, run_tests

SHIPPED, ERRORS = load([rules_dir()])
GOOD = """\
schema: verify-rules/1
rules:
  - id: X1
    slug: x
    kind: bounds
    severity: low
    opens: note
    version: "1"
    title: {en: a, zh: b}
    why: c
    fix: d
    when: {metric: cache_hit_rate}
    bounds: {high: 100}
    tests: [{text: "hit rate 120%", expect: fail}, {text: "hit rate 20%", expect: pass}]
"""


def test_the_shipped_packs_load():
    assert len(SHIPPED) >= 5 and not ERRORS


@pytest.mark.parametrize("rule", SHIPPED, ids=lambda r: r.id)
def test_a_rule_passes_its_own_tests(rule):
    assert [r for r in run_tests(rule) if not r.ok] == []


@pytest.mark.parametrize(
    "old, new, said",
    [
        ("id: X1", "id: 2609.20", "own.yaml:3: id must be text"),
        ("metric:", "metrik:", "no field 'metrik'; did you mean 'metric'?"),
        ("metric:", "conditions.acelerator:", "did you mean 'accelerator'?"),
        ("slug: x", "slug: x\n    was: OLD1", "was is a list"),
        ("slug: x", "slug: x\n    zh: {reason: c}", "zh holds why and fix"),
        ("slug: x", "slug: x\n    colour: red", "unknown key 'colour'"),
        ("kind: bounds", "kind: bound", "unknown kind 'bound'"),
        ("{metric: cache_hit_rate}", "{text: {matches: '\\bH100'}}", "does not work beside Chinese"),
        ("expect: fail", "expect: pass", "at least one `expect: fail`"),
        ("title: {en: a, zh: b}", "title: &t {en: a, zh: b}\n    why2: *t", "aliases"),
        ("rules:", "rules: [", "not valid YAML"),
    ],
)
def test_a_mistake_is_refused_with_its_place(tmp_path, old, new, said):
    (tmp_path / "own.yaml").write_text(GOOD.replace(old, new), encoding="utf-8")
    rules, errors = load([tmp_path])
    assert rules == [] and said in str(errors[0])


def test_a_good_file_loads_beside_a_broken_one(tmp_path):
    (tmp_path / "a.yaml").write_text("rules: [")
    (tmp_path / "b.yaml").write_text(GOOD, encoding="utf-8")
    rules, errors = load([tmp_path])
    assert [r.id for r in rules] == ["X1"] and len(errors) == 1


def test_a_name_that_a_rule_had_is_never_given_to_another(tmp_path):
    (tmp_path / "own.yaml").write_text(
        GOOD.replace("slug: x", "slug: x\n    was: [X2]") + GOOD.partition("rules:\n")[2].replace("id: X1", "id: X2"), encoding="utf-8"
    )
    _, errors = load([tmp_path])
    assert "X1 was X2, but another rule has that id" in str(errors[0])
