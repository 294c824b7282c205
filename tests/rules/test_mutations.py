"""A rule says the same of its examples when what must not matter is changed around them."""

from __future__ import annotations

from dataclasses import replace

import pytest

from verifier.lexicon import rules_dir
from verifier.rules import load, run_tests

RULES = load([rules_dir()])[0]
AROUND = {
    "a paragraph before": lambda text: "本文为内部周记，无其他内容。\n\n" + text,
    "a paragraph behind": lambda text: text.rstrip("\n") + "\n\n本文到此为止。\n",
    "an English heading before": lambda text: "# Weekly notes\n\n" + text,
    "windows line ends": lambda text: text.replace("\n", "\r\n").replace("\r\n", "\n"),
}


@pytest.mark.parametrize("change", AROUND.values(), ids=AROUND)
@pytest.mark.parametrize("rule", RULES, ids=lambda r: r.id)
def test_what_stands_around_an_example_does_not_matter(rule, change):
    moved = replace(rule, tests=tuple({**t, "text": change(str(t["text"]))} for t in rule.tests))
    assert [(r.expected, r.got, r.why) for r in run_tests(moved) if not r.ok] == []
