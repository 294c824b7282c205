"""The fields of a briefing, flattened or in Markdown, in either language, each with its line."""

from __future__ import annotations

from verifier.models import Structure
from verifier.read import read_text

FLAT = """llm-infra · 晚间简报（2026-10-11）

执行体：阿澜 · 晚间轮 · 2026-10-11 19:20 CST 窗口定义：10-11 07:00 → 19:20 底本：organized/llm-infra.md v2.7

增量 1：分层缓存复测（⭐⭐⭐）

来源：inbox/alan/2026-10-11.md

arXiv 号：2610.01234

要点：

  • 命中率从 31.5% 升至 88.4%
  • 吞吐 2.3×

建议归入章节：- §1.(3) KV Cache - §1.(2) 调度

D31：910B 吞吐未注明输入长度（⚠⚠⚬）

  • 问题：1,870 tok/s 没有输入长度
  • 影响：容量会算错
  • 建议：标注待核
"""
WRAPPED = """# llm-infra evening digest (2026-10-11)

**Executor**: ann · 2026-10-11 19:20 UTC
**Window**: 07:00 to 19:20
**Base document**: organized/llm-infra.md v2.7

## Increment 1: tiered cache

- **Source**: inbox/ann/notes.md
- **Credibility**: high, measured twice
  on one machine
- **Suggested section**: §1.(3) KV cache

## D31: no input length (⚠⚠⚬)

**Problem**: the figure of 1,870 tok/s
comes without an input length,
so nothing can be compared.
**Suggestion**: 标注输入长度，
待核。

## Notes

- Problem: of somebody else
"""


def structure(text: str) -> Structure:
    return read_text(text, "briefing.md").structure


def test_the_head_of_a_flattened_briefing_is_split_into_its_fields():
    found = structure(FLAT)
    assert (found.author, found.window, found.base_document) == ("阿澜", "10-11 07:00 → 19:20", "organized/llm-infra.md v2.7")
    assert found.written == "2026-10-11T19:20+08:00"
    assert found.lines == {"executor": 3, "window": 3, "base_document": 3}


def test_other_words_for_the_head_are_known():
    found = structure("llm-infra（2026-10-11）\n\n实例：阿澜 生成时间：2026-10-11 19:20 CST 窗口期：约 12h 基线活文档：a.md v2.7\n")
    assert (found.executor, found.window, found.base_document, found.written) == ("阿澜", "约 12h", "a.md v2.7", "2026-10-11T19:20+08:00")


def test_an_increment_has_its_fields_and_their_lines():
    (found,) = structure(FLAT).increments
    assert found.arxiv == ("2610.01234",)
    assert found.points == ("命中率从 31.5% 升至 88.4%", "吞吐 2.3×")
    assert found.lines == {"source": 7, "arxiv": 9, "points": 11, "anchor_to": 16}


def test_points_run_together_in_one_line_come_apart():
    (found,) = structure("增量 1：缓存\n\n要点：\n\n复测如下： - 命中率 88.4% - 吞吐 2.3×\n\n关系： - 与旧文一致\n").increments
    assert found.points == ("命中率 88.4%", "吞吐 2.3×")


def test_a_declared_entry_has_mark_problem_impact_and_suggestion():
    (found,) = structure(FLAT).discrepancies
    assert (found.number, found.mark, found.severity, found.impact) == (31, "⚠⚠⚬", "medium", "容量会算错")
    assert found.lines == {"problem": 20, "impact": 21, "suggestion": 22}


def test_markdown_in_english_gives_the_same_fields():
    found = structure(WRAPPED)
    assert (found.author, found.window, found.base_document) == ("ann", "07:00 to 19:20", "organized/llm-infra.md v2.7")
    assert found.increments[0].anchor_to == "§1.(3) KV cache"


def test_a_field_goes_on_in_the_lines_it_was_wrapped_into():
    (found,) = structure(WRAPPED).discrepancies
    assert found.problem == "the figure of 1,870 tok/s comes without an input length, so nothing can be compared."
    assert structure(WRAPPED).increments[0].credibility == "high, measured twice on one machine"


def test_wrapped_chinese_is_joined_without_a_blank():
    assert structure(WRAPPED).discrepancies[0].suggestion == "标注输入长度，待核。"


def test_an_entry_ends_with_its_heading():
    assert structure(WRAPPED).discrepancies[0].end_line < WRAPPED[: WRAPPED.index("## Notes")].count("\n") + 1
