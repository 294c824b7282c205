"""Every numeral is read with its class, value and unit; what is no quantity is set aside by what it is."""

from __future__ import annotations

import pytest

from verifier.extract.numerals import numbers


def only(text):
    (number,) = [n for n in numbers(text) if n.kind == "quantity"]
    return number


def kinds(text):
    return {n.text: n.kind for n in numbers(text)}


@pytest.mark.parametrize(
    "text, value, unit",
    [
        ("served 12,500 tok/s", 12500, "token/s"),
        ("a queue of 1,234,567.5 ms", 1234567.5, "ms"),
        ("loss fell by 4.37e-05", 4.37e-05, None),
        ("eps 2.6×10⁻⁵ s", 2.6e-5, "s"),
        ("eps 2.6x10^-5 s", 2.6e-5, "s"),
        ("at most 3·10^8 requests", 3e8, "request"),
        ("占用 ３.８ GB", 3.8, "GB"),
        ("吞吐提升 ３．８×", 3.8, "x"),
        ("１２，５００ 个", 12500, "item"),
        ("it holds 12 500 tokens", 12500, "token"),
        ("the bus moves 51,3 GB/s", 51.3, "GB/s"),
        ("16.2k tok/s on one card", 16200, "token/s"),
        ("a context of 128K tokens", 128e3, "token"),
        ("权重 1.6T 参数", 1.6e12, "parameter"),
        ("a 7B model", 7e9, "parameter"),
        ("每月 2.2 亿次调用", 2.2e8, "call"),
        ("累计 3 万 5 千 token", 35000, "token"),
        ("冷启动 2 分 10 秒", 130, "s"),
        ("it took 1 h 30 min", 90, "min"),
        ("占用 0.5 MiB/token", 0.5, "MiB/token"),
        ("costs 3.1 ms per token", 3.1, "ms/token"),
        ("reaches 41 tok/J", 41, "token/J"),
        ("scales to 88 tok/s/GPU", 88, "token/s/gpu"),
        ("a 400 Gb/s link", 400, "Gb/s"),
        ("a 400 GB/s link", 400, "GB/s"),
        ("16 GiB of cache", 16, "GiB"),
        ("writes 7 B-KV/s", 7, "B-KV/s"),
        ("speech at 31 audio-s/s", 31, "audio-s/s"),
        ("整机功耗 5 千瓦", 5, "kW"),
    ],
)
def test_a_quantity_in_digits_has_its_value_and_unit(text, value, unit):
    number = only(text)
    assert (number.value, number.unit) == (value, unit)


@pytest.mark.parametrize(
    "text, value, unit",
    [
        ("吞吐提高三倍", 3, "x"),
        ("成本是原来的两倍", 2, "x"),
        ("命中率百分之八十五", 85, "percent"),
        ("误差千分之二", 0.2, "percent"),
        ("九成二的请求", 92, "percent"),
        ("打八五折", 85, "percent"),
        ("显存减半", 50, "percent"),
        ("吞吐翻倍", 2, "x"),
        ("吞吐翻两番", 4, "x"),
        ("等待十二秒", 12, "s"),
        ("等待一百毫秒", 100, "ms"),
        ("共十一个请求", 11, "request"),
        ("共一百二十个请求", 120, "request"),
        ("累计二万三千亿次", 2.3e12, "item"),
        ("三大方向", 3, "item"),
    ],
)
def test_a_chinese_numeral_has_its_value_and_unit(text, value, unit):
    number = only(text)
    assert (number.value, number.unit) == (value, unit)


def test_a_chinese_numeral_with_a_gap_in_it_has_two_ends():
    number = only("预算七十几万元")
    assert (number.low, number.high) == (700_000, 800_000)


@pytest.mark.parametrize("text", ["一个方向", "统一调度", "千万不要重试", "万一失败", "半径", "半自动", "第三阶段", "同一天发布"])
def test_a_word_made_with_a_numeral_counts_nothing(text):
    assert [n for n in numbers(text) if n.kind == "quantity"] == []


@pytest.mark.parametrize(
    "text, written, kind",
    [
        ("发布于 2026-09-27 晚", "2026-09-27", "date"),
        ("发布于 2026 年 9 月 27 日", "2026 年 9 月 27 日", "date"),
        ("since 2024 it runs", "2024", "date"),
        ("planned for 2026-Q3", "2026-Q3", "date"),
        ("merged Sep 27, 2026", "Sep 27, 2026", "date"),
        ("9-27 morning 补记", "9-27", "date"),
        ("截止 18:40 收稿", "18:40", "time"),
        ("见 arXiv:2501.01005v2", "2501.01005v2", "id"),
        ("卡片 1520-2609-30233", "1520-2609-30233", "id"),
        ("fixed in #21914 today", "#21914", "id"),
        ("fixed in PR 21914", "PR 21914", "id"),
        ("listens on 127.0.0.1:8000", "127.0.0.1:8000", "id"),
        ("见 https://example.org/a/10%20b?page=2", "https://example.org/a/10%20b?page=2", "url"),
        ("see [notes](/posts/2026/part-3)", "/posts/2026/part-3", "url"),
        ("写入 notes/2026-09-27-llm.md", "notes/2026-09-27-llm.md", "file"),
        ("notes.md（12:21 · 6.8KB）", "6.8KB", "file"),
        ("沿用 §1.(12) 的说法", "§1.(12)", "section"),
        ("归入 §IX 76", "§IX 76", "section"),
        ("as Table 2 shows", "Table 2", "reference"),
        ("如图 3 所示", "图 3", "reference"),
        ("measured before [12].", "12", "reference"),
        ("1. first", "1.", "list_marker"),
        ("## 3. Results", "3.", "list_marker"),
        ("② 第二点", "②", "list_marker"),
        ("D188 未决", "D188", "discrepancy"),
        ("第 4 件", "第 4 件", "ordinal"),
        ("the 2nd run", "2nd", "ordinal"),
        ("at commit c46b0cd0a", "c46b0cd0a", "hash"),
        ("at commit 717a5f8", "717a5f8", "hash"),
        ("tile 16×32", "16×32", "shape"),
        ("a 1024×1024 T2I run", "1024×1024", "shape"),
        ("在 H100 上", "H100", "name_part"),
        ("基于H100吞吐量", "H100", "name_part"),
        ("P50 与 P99", "P50", "name_part"),
        ("用 Qwen3-30B-A3B 测", "Qwen3-30B-A3B", "name_part"),
        ("W4A8KV4 量化", "W4A8KV4", "name_part"),
        ("1P1D 部署", "1P1D", "name_part"),
        ("on 8xH100 nodes", "8x", "name_part"),
        ("on 8× NVIDIA cards", "8×", "name_part"),
        ("a 480p clip", "480p", "name_part"),
        ("vLLM v0.28.0 发布", "v0.28.0", "version"),
        ("文档 v3.44", "v3.44", "version"),
        ("torch 2.11.0+cu130", "2.11.0+cu130", "version"),
        ("v1.3.0rc28 可用", "v1.3.0rc28", "version"),
        ('<img src="a.svg" width="85%">', '<img src="a.svg" width="85%">', "markup"),
        ("padding 12px 左右", "12px", "markup"),
        ("可信度 4 ★", "4 ★", "star_rating"),
    ],
)
def test_what_is_no_quantity_is_set_aside_by_its_class(text, written, kind):
    assert kinds(text).get(written) == kind
    assert "quantity" not in kinds(text).values()


@pytest.mark.parametrize(
    "text, written",
    [("2-4 倍", ["2", "4 倍"]), ("60–85%", ["60", "85%"]), ("3-6 个月", ["3", "6 个月"]), ("700B~1.65T", ["700B", "1.65T"])],
)
def test_the_ends_of_a_range_are_no_date_and_no_name(text, written):
    assert [n.text for n in numbers(text) if n.kind == "quantity"] == written


def test_numbers_side_by_side_are_no_thousands():
    assert [n.value for n in numbers("sizes 64 128 256") if n.kind == "quantity"] == [64, 128, 256]


def test_a_list_with_commas_is_no_decimal():
    assert [n.value for n in numbers("with 2,4,8 GB") if n.kind == "quantity"] == [2, 4, 8]


def test_units_that_look_alike_stay_apart():
    assert len({only(f"16 {unit}").unit for unit in ("Gb", "GB", "GiB", "Gb/s", "GB/s")}) == 5
