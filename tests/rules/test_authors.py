"""What rule authors use: pages, a template, coverage and a trial."""

from __future__ import annotations

from pathlib import Path

from verifier.family import members
from verifier.lexicon import rules_dir
from verifier.rules import explain, load, pages, run_tests, template

ROOT = Path(__file__).parents[2]


def test_the_pages_in_docs_are_the_rules_pages():
    assert (ROOT / "docs" / "rules.md").read_text(encoding="utf-8") == pages(load([rules_dir()])[0])


def test_the_template_of_every_kind_is_a_rule_file_that_passes_its_tests(tmp_path):
    shipped = load([rules_dir()])[0]
    for kind in members("verifier.rules"):
        example = next(r for r in shipped if r.kind == kind)
        (tmp_path / f"{kind}.yaml").write_text(template(example).replace("MINE001", kind), encoding="utf-8")
    rules, errors = load([tmp_path])
    assert not errors and {r.kind for r in rules} == set(members("verifier.rules"))
    assert [t for rule in rules for t in run_tests(rule) if not t.ok] == []


def test_forty_rules_and_more_of_fourteen_kinds_have_tests_that_fail_and_pass():
    rules = load([rules_dir()])[0]
    assert len(rules) >= 40 and len({r.kind for r in rules}) == 14
    assert all({t["expect"] for t in r.tests} & {"pass", "not_applicable"} for r in rules)


def test_every_rule_explains_itself_in_both_languages():
    for rule in load([rules_dir()])[0]:
        page = explain(rule, "zh")
        assert rule.zh["why"] in page and rule.zh["fix"] in page and rule.why not in page
