"""What Chinese readers see of a finding is Chinese; what is quoted is never cut inside a word."""

from __future__ import annotations

import re
from datetime import date

import pytest

from tests.rules import test_mutations as mutations
from tests.rules._judging import judged
from verifier.extract import extract
from verifier.family import member
from verifier.models import Finding, Look
from verifier.read import read_text
from verifier.rules import Context
from verifier.rules._words import items, named, quoted, short, tally, zh

QUOTED = re.compile(r"“[^”]*”|「[^」]*」")
ENGLISH = re.compile(
    r"(?<![\w/.@=-])(?:a|against|an|and|are|as|at|be|by|differ|does|do|for|from|has|have|holds?|in|is|it|its|line|lines|listed|lost|missing|months?|no|not|of|on|or|"
    r"per|reproduced|said|spelled|stated|such|than|that|the|to|twice|under|with|model|precision|batch size|input tokens|accelerator|baseline|statistic|"
    r"speed|time|throughput|latency|figures?)(?![\w/.@=-])",
    re.I,
)


def in_file(rule) -> list[Finding]:
    found = []
    for test in rule.tests:
        document = read_text(str(test["text"]), "<test>")
        looks: dict[str, tuple[Look, ...]] = {}
        for raw in test.get("evidence", ()):
            look = Look.model_validate(raw)
            looks[look.citation] = (*looks.get(look.citation, ()), look)
        known = extract(read_text(str(test["earlier"]), "<earlier>")) if "earlier" in test else ()
        context = Context(document, extract(document), looks, date.fromisoformat(str(test.get("as_of", "2026-09-28"))), known)
        found += member("verifier.rules", rule.kind).judge(rule, context)
    return [f for f in found if f.verdict in ("fail", "undecided")]


def english(finding: Finding) -> list[str]:
    shown = [QUOTED.sub("", text) for text in (finding.message_zh, finding.fix_zh, *finding.working_zh)]
    return [text for text in shown if ENGLISH.search(text)] + [text for text in shown[:2] if not re.search("[一-鿿]", text)]


@pytest.mark.parametrize("rule", mutations.RULES.values(), ids=mutations.RULES)
def test_the_failing_examples_of_a_rule_are_told_in_chinese(rule):
    found = in_file(rule)
    assert found
    assert [text for one in found for text in english(one)] == []


@pytest.mark.parametrize("rule, old, new", mutations.each("harm"))
def test_a_broken_document_is_told_in_chinese(rule, old, new):
    found = mutations.failing(rule, mutations.changed(mutations.CASES[rule]["sound"], old, new))
    assert [text for one in found for text in english(one)] == []


def test_the_check_itself_sees_english():
    assert ENGLISH.search("第 3 行：70 % against 2.86s") and not ENGLISH.search("见 a-series，vLLM 0.3.2，by=li")


@pytest.mark.parametrize(
    "text", ["UniBoost arXiv:2606.18431 与后文许多别的话", "一二三四五六七八九十 inbox/jay/2026-08-30T0820-notes-on-serving.md 之后"]
)
def test_a_quotation_ends_with_a_whole_word(text):
    shown = short(text).removesuffix("…")
    assert text.startswith(shown) and not re.match(r"[A-Za-z0-9./:-]", text[len(shown) :])


def test_a_quotation_leaves_no_bracket_open():
    assert short("vLLM v0.28.0 详报（584 commits / 270 contributors）全文") == "vLLM v0.28.0 详报…"


def test_items_that_begin_alike_are_shown_by_the_first_few():
    assert items([f"inbox/jay/{n}.md" for n in range(9)]) == "inbox/jay/0.md | inbox/jay/1.md | inbox/jay/2.md | …"


def test_a_bare_figure_is_quoted_with_its_unit():
    [claim] = extract(read_text("| Run | latency (ms) |\n|---|---|\n| ours | 12.5 |\n", "b.md"))
    assert quoted(claim) == "12.5 ms"


def test_equal_figures_are_one_figure_told_several_times():
    claims = extract(read_text("吞吐提升 3.1×。\n\n另：吞吐提升 3.1×。\n", "b.md"))
    assert tally(claims) == ("1 figure (2 mentions)", "1 个数字、2 处")


def test_a_label_without_a_chinese_word_is_shown_as_it_is():
    assert (zh("token budget"), named(["batch_size", "model"])) == ("token budget", ("batch size, model", "批大小、模型"))


def test_the_fix_names_the_forms_of_the_part_that_was_found():
    [finding] = [f for f in judged("required-context", "H200 吞吐 vLLM ~12,500 tok/s", conditions=["accelerator_form_factor"]) if f.verdict == "fail"]
    assert "H200 comes as SXM, NVL." in finding.fix and "PCIe" not in finding.fix_zh
