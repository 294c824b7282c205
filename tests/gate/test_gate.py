"""What blocks, what could not be checked, what passes with a caveat: DESIGN's list, one sentence a test."""

from __future__ import annotations

import json

import pytest

BRIEFING = """\
- Mooncake 在 agentic 负载下 cache hit rate 92.2%
- SGLang 0.5.18 · H200 SXM · TP=8 · 并发 256：吞吐约 2,610 tok/s
- 解聚部署吞吐最高提升 70%（arXiv:2609.23130）
- 独立请求下 SGLang 优势可能缩减至 1–4%
"""


@pytest.fixture
def briefed(room):
    room.commit("# 活文档\n\n- vLLM 0.28.0\n")
    room.verified(BRIEFING)
    return room


@pytest.mark.parametrize(
    "line, code, lost",
    [
        ("- Mooncake 在 agentic 负载下 cache hit rate 约 92%", 0, None),
        ("- Mooncake cache hit rate 92.2%", 1, "agentic"),
        ("- SGLang 0.5.18 · H200 SXM · TP=8 · 并发 256：吞吐 2,610 tok/s", 1, "approx"),
        ("- SGLang 0.5.18 · H200 SXM · TP=8：吞吐约 2,610 tok/s", 1, "concurrency"),
        ("- 解聚部署吞吐提升 70%（arXiv:2609.23130）", 1, "bound"),
        ("- 独立请求下 SGLang 优势缩减至 1–4%", 1, "可能"),
        ("- 独立请求下 SGLang 优势可能缩减至 4%", 1, "range"),
        ("- Kimi 在 H20 上 777 tok/s", 3, None),
    ],
)
def test_what_was_lost_is_said(briefed, line, code, lost):
    briefed.write(f"# 活文档\n\n- vLLM 0.28.0\n{line}\n")
    got, items = briefed.judged("living.md", "--diff", "HEAD")
    assert got == code, items
    assert lost is None or any(lost in i["reason"] for i in items.values())


def test_a_low_open_record_passes_only_where_it_is_shown(briefed):
    number = briefed.record("Mooncake 92.2% 随复用率变化", severity="medium")
    briefed.write("- Mooncake 在 agentic 负载下 cache hit rate 92.2%\n")
    code, items = briefed.judged("living.md", "--diff", "HEAD")
    assert code == 1 and items["92.2%"]["discrepancy"] == number and f"（{number} 待核）" in items["92.2%"]["clears"]
    briefed.write(f"- Mooncake 在 agentic 负载下 cache hit rate 92.2%（{number} 待核）\n")
    code, items = briefed.judged("living.md", "--diff", "HEAD")
    assert code == 0 and items["92.2%"]["answer"] == "pass_with_caveat"


@pytest.mark.parametrize("title", ["Mooncake 2 大问题的来源", "8 x MI300X 与 Mooncake 的配置不一致", "Mooncake 2 figure(s) without a model"])
def test_a_record_is_not_the_matter_of_every_small_number_beside_its_name(briefed, title):
    briefed.record(title, severity="high")
    briefed.verified("- Mooncake 支持 2 种后端、8 个节点\n", "more.md")
    briefed.write("- Mooncake 支持 2 种后端、8 个节点\n")
    assert briefed.judged("living.md", "--diff", "HEAD")[0] == 0


def test_a_record_is_the_matter_of_what_it_was_opened_for_and_not_of_what_its_working_names_beside_it(briefed):
    briefed.verified("# 简报\n\n- vLLM 0.29.0 已发布\n\n增量 1【§1】旧版实测\n- 核心论断：vLLM 0.10.2 上吞吐 900 tok/s\n", "old.md")
    with_record = [r for r in json.loads(briefed.verify("d", "list", "--format", "json").out) if "0.10.2" in r["title"] and "0.29.0" in r["title"]]
    assert with_record
    briefed.write("- vLLM 0.29.0 已发布\n- vLLM 0.10.2 上吞吐 900 tok/s\n")
    _, items = briefed.judged("living.md", "--diff", "HEAD")
    assert items["0.29.0"]["discrepancy"] is None
    assert items["0.10.2"]["discrepancy"] == with_record[0]["number"]


def test_a_high_open_record_blocks_even_where_it_is_shown(briefed):
    number = briefed.record("Mooncake 92.2% 随复用率变化", severity="high")
    briefed.write(f"- Mooncake 在 agentic 负载下 cache hit rate 92.2%（{number} 待核）\n")
    assert briefed.judged("living.md", "--diff", "HEAD")[0] == 1


def test_an_overdue_recheck_blocks_and_grace_days_put_it_off(briefed):
    number = briefed.record("Mooncake 92.2% 随复用率变化", severity="low", recheck_by="2026-09-20")
    briefed.write(f"- Mooncake 在 agentic 负载下 cache hit rate 92.2%（{number} 待核）\n")
    code, items = briefed.judged("living.md", "--diff", "HEAD")
    assert code == 1 and items["92.2%"]["reasons"][0]["code"] == "overdue-recheck"
    (briefed.folder / "verify.toml").write_text("grace_days = 10\n")
    assert briefed.judged("living.md", "--diff", "HEAD")[0] == 0


def test_a_provisional_number_blocks(briefed):
    briefed.write("- Mooncake 在 agentic 负载下 cache hit rate 92.2%（D~3f9a 待核）\n")
    code, items = briefed.judged("living.md", "--diff", "HEAD")
    assert code == 1 and items["92.2%"]["reasons"][0]["code"] == "provisional-number"


@pytest.mark.parametrize(
    "resolve, line, code",
    [
        ({"resolution": "confirmed"}, "cache hit rate 92.2%", 0),
        ({"resolution": "refuted"}, "cache hit rate 92.2%", 1),
        ({"resolution": "accepted", "until": "2026-09-01"}, "cache hit rate 92.2%", 1),
        ({"resolution": "accepted", "until": "2026-12-01"}, "cache hit rate 92.2%", 0),
        ({"resolution": "not_comparable", "condition": "single card against TP=4"}, "cache hit rate 92.2%", 1),
        ({"resolution": "not_comparable", "condition": "single card against TP=4"}, "单卡 cache hit rate 92.2%", 0),
    ],
)
def test_a_settled_record_asks_for_what_was_decided(briefed, resolve, line, code):
    briefed.record("Mooncake 92.2% 的口径", resolve=resolve)
    briefed.write(f"- Mooncake 在 agentic 负载下 {line}\n")
    assert briefed.judged("living.md", "--diff", "HEAD")[0] == code


def test_the_correction_of_a_record_may_stand_though_no_run_has_seen_it(briefed):
    room = briefed
    number = room.record("Mooncake 92.2% 写错", resolve={"resolution": "corrected", "reason": "原文为 29.2%"})
    room.commit(f"- Mooncake 在 agentic 负载下 cache hit rate 92.2%（{number} 待核）\n")
    for value, code in (("29.2%", 0), ("28.2%", 1)):
        room.write(f"- Mooncake 在 agentic 负载下 cache hit rate {value}\n")
        assert room.judged("living.md", "--diff", "HEAD")[0] == code


def test_a_superseded_record_must_give_way_to_its_successor(briefed):
    new = briefed.record("Mooncake 92.2% 随复用率变化", severity="low")
    old = briefed.record("命中率的适用负载", resolve={"resolution": "superseded", "target": new})
    for shown, code in ((old, 1), (new, 0)):
        briefed.write(f"- Mooncake 在 agentic 负载下 cache hit rate 92.2%（{shown} 待核）\n")
        assert briefed.judged("living.md", "--diff", "HEAD")[0] == code


def test_words_without_a_number_that_lose_their_record_are_judged_too(briefed):
    number = briefed.record("实现差异未核", severity="low")
    briefed.commit(f"- 后训练方法之间的实现差异尚未核对（{number} 待核）\n")
    briefed.write("- 后训练方法之间的实现差异尚未核对\n")
    assert briefed.judged("living.md", "--diff", "HEAD")[0] == 1


def test_two_values_under_the_same_conditions_contradict(briefed):
    line = "- SGLang 0.5.18 · H200 SXM · TP=8 · 并发 {}：吞吐约 {} tok/s\n"
    briefed.commit(line.format(256, "2,150"))
    briefed.write(line.format(256, "2,150") + line.format(256, "2,610"))
    code, items = briefed.judged("living.md", "--diff", "HEAD")
    assert code == 1 and items["2,610 tok/s"]["reasons"][0]["code"] == "contradiction"


def test_a_wrong_count_blocks_and_a_right_one_passes(briefed):
    text = "- 推理引擎缺陷分类（arXiv:2506.09713）\n- 轮次：arXiv 0 → {} · URL 0 → 0，闭合\n"
    for stated, code in ((2, 1), (1, 0)):
        briefed.write(text.format(stated))
        assert briefed.judged("living.md", "--diff", "HEAD")[0] == code


def test_rows_of_the_record_table_are_about_the_records(briefed):
    number = briefed.record("Mooncake 92.2% 随复用率变化", severity="high")
    briefed.write(f"# 活文档\n\n- vLLM 0.28.0\n\n| D | 一句话 | 状态 |\n|---|---|---|\n| {number} | Mooncake 92.2% 随复用率变化 | open |\n")
    assert briefed.judged("living.md", "--diff", "HEAD") == (0, {})


def test_a_diverged_ledger_could_not_be_checked(briefed):
    briefed.record("x 的口径")
    path = next((briefed.folder / "claims" / "ledger").glob("*.jsonl"))
    path.write_text(path.read_text(encoding="utf-8").replace("的口径", "改了"), encoding="utf-8")
    assert briefed.gate("living.md").returncode == 3
