"""Forms, signs, bounds and names of claims, in both languages."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

import verifier


def only(text):
    (claim,) = verifier.extract(text)
    return claim


@pytest.mark.parametrize(
    "text, form, numbers, unit, direction",
    [
        ("缓存命中率从 1.7% 升至 92.2%", "change", (1.7, 92.2), "percent", "increase"),
        ("Cache hit 3%→41.5%", "change", (3.0, 41.5), "percent", "increase"),
        ("吞吐量 3.8×", "ratio", (3.8,), "x", None),
        ("P99 延迟 -91.3%", "delta", (-91.3,), "percent", "decrease"),
        ("decode ran at 1,180 tok/s", "value", (1180.0,), "token/s", None),
        ("占用 24 GB", "value", (24.0,), "GB", None),
        ("加速 2-4×", "ratio", (2.0, 4.0), "x", "increase"),
        ("vLLM 0.12.0", "version", ("0.12.0",), "version", None),
        ("日均 100 万次调用", "value", (1e6,), "call/day", None),
        ("重启要 3 分 20 秒", "value", (200.0,), "s", None),
        ("两个引擎", "value", (2.0,), "item", None),
        ("PyTorch 2.11 发布", "version", ("2.11",), "version", None),
        ("权重 300B~1.2T", "range", (3e11, 1.2e12), "parameter", None),
        ("TPOT drops by about 31%", "delta", (-31.0,), "percent", "decrease"),
        ("每 GPU 小时 $3-7", "range", (3.0, 7.0), "USD/GPU-h", None),
    ],
)
def test_a_written_quantity_is_read(text, form, numbers, unit, direction):
    claim = only(text)
    assert (claim.form, claim.numbers, claim.unit, claim.direction) == (form, numbers, unit, direction)


@pytest.mark.parametrize("text", ["2026-09-27 18:40", "arXiv:2501.01005", "H100 与 Qwen3-30B-A3B", "§1.(3)", "D188", "https://example.org/a/10%20b"])
def test_what_is_no_quantity_is_set_aside(text):
    assert verifier.extract(text) == []


def test_bounds_and_approximations_are_kept():
    assert only("最高 70% 的吞吐").bound == "max"
    assert only("约 12,500 tok/s").approx


def test_conditions_come_from_the_clause():
    conditions = only("H100 SXM TP=4 FP8 上吞吐量 2,900 tok/s").conditions
    assert {k: c.value for k, c in conditions.items()} == {
        "accelerator": "H100",
        "accelerator_form_factor": "SXM",
        "tensor_parallel": "4",
        "precision": "FP8",
    }


@given(st.text(alphabet="0123456789.,%×→~- 约升至降提vLMtok/s个\n|•", max_size=200))
def test_every_claim_is_a_substring_at_its_place(text):
    for claim in verifier.extract(text):
        assert text[claim.start : claim.end] == claim.text


@given(st.decimals(min_value="0.1", max_value=99999, places=2))
def test_a_number_reads_back(number):
    assert only(f"throughput {number} tok/s").value == float(number)


@pytest.mark.parametrize("text", ["1 " * 50_000, "a" * 300_000, "((" * 100_000, "1,2" * 50_000])
def test_hostile_lines_end_quickly(text):
    started = time.perf_counter()
    verifier.extract(text)
    assert time.perf_counter() - started < 30


def test_a_table_gives_unit_metric_and_baseline():
    claims = verifier.extract("| Batch | Old (ms) | New (ms) | Speedup |\n|---|---|---|---|\n| 8 | 12.0 | 4.0 | 3.0x |\n")
    assert [(c.value, c.unit) for c in claims] == [(12.0, "ms"), (4.0, "ms"), (3.0, "x")]
    assert claims[2].baseline == "Old"


def test_the_subject_is_the_nearest_name():
    claims = verifier.extract("Alpha 3.1k⭐ + beta/tool 2.4k⭐")
    assert [(c.subject, c.metric) for c in claims] == [("Alpha", "stars"), ("beta/tool", "stars")]


def test_a_plain_word_is_no_subject():
    assert only("SGLang achieves nearly 12,000 tokens/s").subject == "SGLang"


def test_only_papers_are_sources():
    assert [s.id for s in only("见 arXiv:2501.01005v2 与 PR #123：吞吐量 3.8×").sources] == ["2501.01005"]
