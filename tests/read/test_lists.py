"""Counting what a line lists: the reading that is kindest to the writer decides."""

from __future__ import annotations

import pytest

from verifier.read.lists import possible, split, stated_lists, total


@pytest.mark.parametrize(
    "text, number, items",
    [
        ("本轮 3 件（甲的发布 + 乙的归档 + 丙的回滚）", 3, 3),
        ("四大难题：调度（抢占 + 配额）+ 缓存（驱逐）+ 网络（拥塞）+ 监控（告警）", 4, 4),
        ("共 2 条 = ①甲的发布 + 说明 ②乙的归档", 2, 2),
        ("新闻 2 件 = 甲的发布 + 乙的归档 + 5 篇论文 + 3 篇专栏", 2, 2),
        ("甲的发布 + 乙的归档 + 丙的回滚 = 3 件", 3, 3),
        ("（5 份）： - a.md（一）- 说明 - b.md（二） - c.md（三） - d.md（四） - e.md（五）", 5, 5),
        ("候选（2 件 · 明晨）： 6. 甲的发布 → 归档 7. 乙的归档 → 存档", 2, 2),
    ],
)
def test_a_stated_count_finds_its_list(text, number, items):
    (stated,) = stated_lists(text)
    assert (stated.number, len(stated.items)) == (number, items)


@pytest.mark.parametrize("text", ["命中率 92.2%（1.7% 起）", "8 条主线 + 4 件补强 = 12 件合计", "GPT 5 版（预览）", "§3 三节（略）"])
def test_what_counts_nothing_has_no_list(text):
    assert not [s for s in stated_lists(text) if len(s.items) != s.number and total(s.items) != s.number]


def test_a_bare_name_may_belong_to_its_neighbour():
    assert 3 in possible(("Ollama", "vLLM 三角架构", "检索规范", "知识库架构"), set())


def test_a_pair_that_stands_alone_elsewhere_may_be_one_thing():
    assert 2 in possible(("甲的发布", "乙的归档", "丙的回滚"), {("甲的发布", "乙的归档")})


def test_counts_of_counted_items_are_added():
    assert total(("数据库 3 件", "后端 8 件", "云原生 2 件")) == 13


def test_brackets_hide_their_separators():
    assert split("甲（a + b）+ 乙 + 丙") == ("甲（a + b）", "乙", "丙")
