"""Ten thousand claims through every pack: two seconds on one core, and no more than in proportion."""

from __future__ import annotations

from datetime import date

import pytest

from tests._timing import seconds
from verifier.evaluate import evaluate
from verifier.extract import extract
from verifier.lexicon import rules_dir
from verifier.read import read_text
from verifier.rules import load

RULES = load([rules_dir()])[0]
DAY = date(2026, 9, 28)
PART = """\
增量 {n}：第 {n} 组复测（⭐⭐⭐）

来源：inbox/bench-{n}.md；原始来源 arXiv:2607.{n:05d}

要点：

  • H100 SXM 80GB 上 Llama-{g}B FP8 吞吐 {a},{b:03d} tok/s，批大小 {c}，P50 TTFT 从 {d} ms 降至 {e} ms
  • vLLM 0.{v}.1 与 SGLang 0.5.{w} 对照：{a}.{c} vs {b}.{d} tok/s，缓存命中率从 {e}% 升至 {f}%
  • 草稿模型让生成速度提升 {e}–{f}%，显存占用 {g} GB，{c} 个请求中 {v} 个失败
"""


def document(parts):
    made = (PART.format(n=n, a=n % 9 + 1, b=n % 997, c=n % 61 + 2, d=n % 400 + 90, e=n % 40 + 10, f=n % 40 + 55, g=n % 70 + 8, v=n % 30 + 1, w=n % 18)
            for n in range(1, parts + 1))  # fmt: skip
    read = read_text("llm-infra · 简报（2026-09-28）\n\n执行体：甲\n\n二、增量条目\n\n" + "\n".join(made), "b.md")
    return read, extract(read)


@pytest.fixture(scope="module")
def large():
    read, claims = document(920)
    assert len(claims) >= 10_000
    return read, claims


def judged(read, claims):
    return lambda: evaluate(RULES, read, claims, {}, DAY)


def test_ten_thousand_claims_take_two_seconds_at_most(large):
    assert seconds(judged(*large), times=3) <= 2.0


def test_twice_the_claims_take_about_twice_the_time(large):
    half = seconds(judged(*document(460)))
    assert seconds(judged(*large)) <= 2.6 * half
