"""A condition may be stated anywhere that names the part; a cause belongs to its source."""

from __future__ import annotations

from datetime import date

import pytest

from verifier.evaluate import evaluate
from verifier.extract import extract
from verifier.lexicon import rules_dir
from verifier.read import read_text
from verifier.rules import load

RULES = [r for r in load([rules_dir()])[0] if r.slug == "throughput-form-factor"]


def fails(text, path="b.md"):
    document = read_text(text, path)
    return [f for f in evaluate(RULES, document, extract(document), {}, date(2026, 9, 28)) if f.verdict == "fail"]


@pytest.mark.parametrize("note", ["Measured on H100, SXM 80GB boards.", "所有数据来自 H100 SXM 卡"])
def test_a_caption_that_names_the_part_states_its_form(note):
    assert len(fails("H100 throughput 12,500 tok/s")) == 1
    assert fails(f"H100 throughput 12,500 tok/s\n\n{note}") == []


def test_a_comparison_of_forms_states_none():
    assert len(fails("H100 throughput 12,500 tok/s\n\nH100 SXM vs PCIe 差距显著")) == 1


def test_a_note_about_another_part_states_nothing():
    assert len(fails("H100 throughput 12,500 tok/s\n\nThe A100 were SXM boards.")) == 1


def test_two_sources_are_two_causes():
    causes = {fails(f"{name} H100 throughput 12,500 tok/s")[0].cause for name in ("vLLM", "SGLang")}
    causes |= {fails("H100 throughput 12,500 tok/s", path)[0].cause for path in ("a.md", "b.md")}
    assert len(causes) == 4
