"""All that a briefing holds as data, with the place of each part."""

from __future__ import annotations

import pytest

from verifier.read import read_text
from verifier.read.outline import Outline, Part, outline

TEXT = """llm-infra · 晚间简报（2026-10-11）

执行体：阿澜 · 2026-10-11 19:20 CST

增量 1：分层缓存（⭐⭐⭐）

警示： - ⚠️ P1：版本对应 v0.11，部分细节可能有变 - ⚠️ P2：测试硬件需核验

建议归入章节： - §1.(3) KV Cache · 分层（5.15×）+ §1.(2) 推理调度

二、新增 arXiv 号

涉及 arXiv 号：新增 2 个（2610.01234 缓存 · 2610.05678 投机）+ 其余沿用

2610.01234 分层缓存 §1.(3)
2610.05678 投机解码 §1.(5)

三、矛盾

编号 内容 风险等级
D31 ⚠⚠⚬ 910B 吞吐未注明输入长度 中
D32 ⚠⚬ 接受率的来源 低
D1-D30 沿用

四、来源

3 份简报：

  • inbox/alan/2026-10-11-0930-kv.md（9:30）
  • inbox/alan/2026-10-11-1105-ascend.md
  • inbox/bo/2026-10-11-spec.md

五、链接

  • https://example.org/a
  • https://example.org/b
"""


@pytest.fixture(scope="module")
def found() -> Outline:
    return outline(read_text(TEXT, "briefing.txt"))


def test_warnings_of_one_line_are_apart_with_their_priorities(found):
    assert [(w.priority, w.text, w.increment) for w in found.warned] == [
        ("P1", "版本对应 v0.11，部分细节可能有变", "1"),
        ("P2", "测试硬件需核验", "1"),
    ]


def test_a_warning_in_a_line_of_its_own_needs_no_priority():
    (warned,) = outline(read_text("• 重大警示：缺口连续六日\n", "a.txt")).warned
    assert (warned.text, warned.priority) == ("缺口连续六日", None)


def test_where_an_increment_asks_to_go_is_a_list(found):
    assert [(a.increment, a.sections) for a in found.asked] == [("1", ("§1.(3)",)), ("1", ("§1.(2)",))]


def test_the_d_table_has_number_mark_title_and_level(found):
    assert [(r.number, r.mark, r.text, r.severity) for r in found.table] == [
        (31, "⚠⚠⚬", "910B 吞吐未注明输入长度", "medium"),
        (32, "⚠⚬", "接受率的来源", "low"),
    ]


def test_the_d_table_may_be_drawn_with_bars():
    (row,) = outline(read_text("| D31 | ⚠⚠⚬ | no input length | medium |\n", "a.md")).table
    assert (row.number, row.text, row.severity) == (31, "no input length", "medium")


@pytest.mark.parametrize(
    ("kind", "line", "items"),
    [
        ("arxiv", 13, ["2610.01234", "2610.05678"]),
        ("arxiv", 15, ["2610.01234", "2610.05678"]),
        ("source", 29, ["inbox/alan/2026-10-11-0930-kv.md", "inbox/alan/2026-10-11-1105-ascend.md", "inbox/bo/2026-10-11-spec.md"]),
        ("url", 35, ["https://example.org/a", "https://example.org/b"]),
    ],
)
def test_lists_are_found_where_they_stand(found, kind, line, items):
    (listed,) = (one for one in found.lists if (one.kind, one.line) == (kind, line))
    assert [i.text for i in listed.items] == items


def test_a_stated_count_comes_with_the_list_that_it_speaks_of(found):
    assert [(c.line, c.number, len(c.items)) for c in found.counts] == [(13, 2, 2), (27, 3, 3)]


def test_carried_ranges_stay(found):
    assert [(c.first, c.last) for c in found.carried] == [(1, 30)]


def test_every_part_stands_at_its_place(found):
    lines = TEXT.split("\n")
    parts: list[Part] = [*found.asked, *found.warned, *found.table, *found.counts, *(i for one in found.lists for i in one.items)]
    assert len(parts) > 15
    assert all(lines[p.line - 1].startswith(p.text, p.column - 1) for p in parts)
