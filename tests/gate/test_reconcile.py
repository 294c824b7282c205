"""The sets of papers and links, and what documents state about them."""

from __future__ import annotations

import json

import pytest

from verifier.reconcile import addresses, closure, counted, held, newest, stated

BEFORE = "## §1 引擎\n\n- 缺陷分类（arXiv:2506.09713）\n- 说明见 https://example.org/a\n"
AFTER = (
    BEFORE
    + """\
- 评测（arXiv:2607.09172v2）；https://example.org/b_(1)。
- 另有 https://arxiv.org/abs/2609.99123 与 2506.09713

## §2 日志

- §IX 1（2026-09-27）：arXiv 0 → 9 · URL 0 → 9
- §IX 2（2026-09-28）：arXiv 1 → {} · URL 1 → 2，闭合
"""
)
BRIEFING = """\
# 主题 · 简报（2026-09-28）

## 二、增量条目

### 增量 1：评测

要点：

- SGLang 在 H200 SXM 上吞吐 2,610 tok/s（arXiv:2607.09172）

建议归入章节：{}
"""


def test_papers_are_counted_once_whatever_their_version_or_address():
    after = held(AFTER.format(3))
    assert list(after.arxiv) == ["2506.09713", "2607.09172", "2609.99123"]
    assert list(after.url) == ["https://example.org/a", "https://example.org/b_(1)"]


def test_a_link_ends_before_its_punctuation():
    assert [u for _, u in addresses("见（https://example.org/x）、<https://example.org/y>，[z](https://example.org/z).")] == [
        "https://example.org/x",
        "https://example.org/y",
        "https://example.org/z",
    ]


def test_new_known_missing_orphaned_and_doubled_are_told_apart():
    briefing = held("arXiv:2607.09172 与 arXiv:2601.07504")
    sets = closure("arxiv", held(AFTER.format(3)), held(BEFORE), [briefing], held(""), held(""))
    assert sets.new == ("2607.09172", "2609.99123") and sets.known == ("2506.09713",)
    assert sets.missing == ("2601.07504",) and sets.orphaned == ("2609.99123",) and sets.doubled == {"2506.09713": (3, 6)}


def test_only_the_newest_counts_are_held_against_the_document():
    text = AFTER.format(4)
    counts = counted(newest(stated(text)), held(text), held(BEFORE))
    assert [(c.stated.text, c.right, c.is_) for c in counts] == [("arXiv 1 → 4", False, 3), ("URL 1 → 2", True, 2)]


def test_a_count_that_starts_from_a_wrong_number_is_wrong():
    text = AFTER.format(3).replace("arXiv 1 → 3", "arXiv 2 → 3")
    assert not counted(newest(stated(text)), held(text), held(BEFORE))[0].right


@pytest.mark.parametrize("asked, right", [("§1 引擎", True), ("§2.(3) KV Cache + §1 引擎", True), ("§3", False), ("引擎", True)])
def test_a_claim_stands_where_it_was_asked_to_go(room, asked, right):
    room.write(BRIEFING.format(asked), "briefing.md")
    room.write(BEFORE + "- SGLang 在 H200 SXM 上吞吐 2,610 tok/s（arXiv:2607.09172）\n")
    done = room.verify("reconcile", "living.md", "--briefing", "briefing.md", "--format", "json")
    placed = {p["text"]: p for p in json.loads(done.out)["placed"]}
    assert placed["2,610 tok/s"]["right"] is right and placed["2,610 tok/s"]["stands"] == "§1 引擎"


def test_the_command_exits_1_for_a_wrong_count_and_says_so(room):
    room.commit(BEFORE)
    room.write(BRIEFING.format("§1"), "briefing.md")
    for number, code in ((4, 1), (3, 1)):
        room.write(AFTER.format(number))
        done = room.verify("reconcile", "living.md", "--briefing", "briefing.md", "--lang", "zh")
        assert done.returncode == code and "2609.99123" in done.out
    room.write(BRIEFING.format("§1") + "\n来源：https://example.org/b_(1)\n", "briefing.md")
    room.write(AFTER.format(2).replace("另有 https://arxiv.org/abs/2609.99123 与", "另见"))
    assert room.verify("reconcile", "living.md", "--briefing", "briefing.md").returncode == 0
