"""Dates, titles, authors and counts as stated, against metadata."""

from __future__ import annotations

import pytest

from tests.rules._judging import judged, look, release, verdicts

VLLM, SGLANG = "vllm-project/vllm", "sgl-project/sglang"


@pytest.mark.parametrize(
    ("text", "verdict"),
    [
        ("vLLM 0.10.2（2026-04 时期版本）", "fail"),
        ("vLLM 0.10.2（2025-09-14）", "pass"),  # a day apart between channels
        ("vLLM 0.10.2（2025-09-15）", "fail"),
        ("vLLM 0.10.2（2025 Q2-Q3）", "pass"),
        ("vLLM 0.10.2（2025 年中期）", "pass"),
        ("vLLM 0.10.2（2025 H1）", "fail"),
        ("vLLM 0.10.2（9 月底）", "fail"),
        ("vLLM 0.10.2 was released in September 2025", "pass"),
        ("vLLM 0.10.2 于 2026-04 发布", "fail"),
        ("vLLM 0.10.2（2026-04 生产验证）", "pass"),  # in use half a year later
        ("vLLM 0.10.2（2025-06 实测）", "fail"),  # in use before it was out
        ("vLLM 0.10.2（2027-01 实测）", "fail"),  # in use when it was years old
    ],
)
def test_a_release_date_in_all_its_forms(text: str, verdict: str) -> None:
    assert verdicts("agrees", text, release(VLLM, "v0.10.2", "2025-09-13"), field="release_date") == [verdict]


def test_a_range_agrees_where_the_time_that_it_spans_touches_the_stated_one() -> None:
    looks = [release(VLLM, "v0.11", "2025-10-04"), release(VLLM, "v0.12", "2025-12-03")]
    text = "vLLM 源码版本对应 ~v0.11-v0.12 时期（{}）"
    said = ("2025 Q2-Q3", "2025 Q4", "2025-12", "2025-11", "2026-01")
    assert [verdicts("agrees", text.format(when), *looks, field="release_date")[0] for when in said] == ["fail", "pass", "pass", "pass", "fail"]


def test_a_list_agrees_when_one_of_its_versions_came_out_then() -> None:
    looks = [release(SGLANG, "v0.5.18", "2026-08-21"), release(SGLANG, "v0.5.8", "2026-01-23")]
    assert verdicts("agrees", "SGLang v0.5.18/v0.5.8（2026 H1）", *looks, field="release_date") == ["pass"]


def test_versions_of_one_series_far_apart_are_shown_as_such() -> None:
    looks = [release(VLLM, "v0.3.3", "2024-03-01"), release(VLLM, "v0.30.0", "2026-09-22")]
    [finding] = judged("agrees", "vLLM 0.3.3（2026-Q2 生产验证），此前记为 vLLM v0.30.0", *looks, field="release_date")
    assert finding.verdict == "fail"
    assert "one series of vllm-project/vllm, 2.6 years apart" in finding.working[-1]


@pytest.mark.parametrize(
    ("text", "published", "verdict"),
    [
        ("arXiv:2607.09172（2026-04）", None, "undecided"),
        ("arXiv:2607.09172（2026-07）", None, "undecided"),
        ("arXiv:2607.09172（2026-07）", "2026-05-20T00:00:00Z", "undecided"),  # the id supports, the submission does not
        ("arXiv:2607.09172（2026-05）", "2026-05-20T00:00:00Z", "pass"),  # the id does not refute
        ("arXiv:2607.09172（2026-04）", "2026-05-20T00:00:00Z", "fail"),
    ],
)
def test_an_ids_month_supports_a_date_and_never_refutes_it(text: str, published: str | None, verdict: str) -> None:
    [finding] = judged("agrees", text, look("arxiv:2607.09172", published=published, updated=published), field="publication_date")
    assert finding.verdict == verdict
    assert any("2026-07" in line for line in finding.working)


def test_the_returned_versions_date_is_a_date_of_the_paper_too() -> None:
    facts = {"published": "2025-04-15T00:00:00Z", "updated": "2026-06-13T00:00:00Z"}
    assert verdicts("agrees", "arXiv:2504.11320 发布于 2026-06，", look("arxiv:2504.11320", **facts), field="publication_date") in ([], ["pass"])
    assert verdicts("agrees", "arXiv:2504.11320（2026-06）", look("arxiv:2504.11320", **facts), field="publication_date") == ["pass"]


TITLE = "Breaking the Ice: Analyzing Cold Start Latency in vLLM"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("arXiv:2606.07362 — Breaking the ice: analyzing cold-start latency in vLLM", ["pass"]),
        ("arXiv:2606.07362：《Breaking the Ice》", ["pass"]),
        ("arXiv:2606.07362 — Analyzing Cold Start Latency（六步）", ["pass"]),
        ("arXiv:2606.07362 — vLLM Startup Internals Explained", ["fail"]),
        ("arXiv:2606.07362 “Cold Start of vLLM, Analyzed”", ["fail"]),
        ("arXiv:2606.07362 vLLM torch.compile 冷启动", []),  # a description is no title
        ("arXiv:2606.07362 — 冷启动分析", []),
    ],
)
def test_titles(text: str, expected: list[str]) -> None:
    assert verdicts("agrees", text, look("arxiv:2606.07362", title=TITLE), field="title") == expected


def test_authors_are_compared_by_family_name() -> None:
    paper = look("arxiv:2504.11320", authors=["Ruicheng Ao", "Gan Luo"])
    assert verdicts("agrees", "2504.11320（在线调度 · Gan Luo et al.）", paper, field="authors") == ["pass"]
    assert verdicts("agrees", "2504.11320（在线调度 · Ada Lovelace et al.）", paper, field="authors") == ["fail"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("vLLM v0.28.0 详报（584 commits / 270 contributors）", ["pass", "pass"]),
        ("vLLM v0.28.0（来自 270 位贡献者的 584 个提交）", ["pass", "pass"]),
        ("vLLM v0.28.0：548 commits", ["fail"]),
        ("vLLM v0.28.0 发布。另有 99 commits", []),
    ],
)
def test_commits_and_contributors_are_exact(text: str, expected: list[str]) -> None:
    known = release(VLLM, "v0.28.0", "2026-08-26", commits=584, contributors=270)
    assert verdicts("agrees", text, known, field="counts") == expected


def test_what_metadata_does_not_say_is_undecided_and_says_so() -> None:
    [finding] = judged("agrees", "vLLM v0.28.0：584 commits", release(VLLM, "v0.28.0", "2026-08-26"), field="counts")
    assert finding.verdict == "undecided" and "does not say" in finding.message


def test_an_old_count_of_stars_decides_only_what_it_can() -> None:
    late = look("github:vllm-project/vllm", at="2027-03-01T00:00:00+00:00", stars=90_000)
    assert verdicts("agrees", "vLLM 120k⭐", late, field="stars") == ["fail"]
    assert verdicts("agrees", "vLLM 60k⭐", late, field="stars") == ["undecided"]


@pytest.mark.parametrize(
    ("said", "verdict"), [("Apache 2.0 许可", "pass"), ("Apache-2.0 licensed", "pass"), ("MIT 许可", "fail"), ("GPLv3 开源", "fail")]
)
def test_licences_are_compared_by_family(said: str, verdict: str) -> None:
    repo = look("github:alibaba/rtp-llm", licence="Apache-2.0")
    assert verdicts("agrees", f"github.com/alibaba/rtp-llm（{said}）", repo, field="licence") == [verdict]
