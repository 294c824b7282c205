"""A version is called current, and is or is not."""

from __future__ import annotations

from tests.rules._judging import judged, look, verdicts


def listed(repo: str, *tags: str) -> object:
    releases = [{"tag": t, "version": t.split("==")[-1].lstrip("v"), "published": "2026-09-01", "prerelease": "rc" in t} for t in tags]
    return look(f"github:{repo}@latest", **releases[0], releases=releases)


def test_three_minor_versions_behind_is_stale_and_two_are_not() -> None:
    vllm = listed("vllm-project/vllm", "v0.30.0", "v0.28.0", "v0.27.1")
    assert verdicts("freshness", "当前版本 vLLM 0.27.1", vllm) == ["fail"]
    assert verdicts("freshness", "当前版本 vLLM 0.28.0", vllm) == ["pass"]


def test_each_of_a_list_is_judged_on_its_own_project() -> None:
    text = "当前版本（2026-06）vLLM 0.23.0 / SGLang 0.5.13 / TensorRT-LLM 1.2.1 stable"
    looks = [
        listed("vllm-project/vllm", "v0.30.0"),
        listed("sgl-project/sglang", "v0.5.18"),
        listed("NVIDIA/TensorRT-LLM", "v1.2.1", "v1.3.0rc28"),
    ]
    assert verdicts("freshness", text, *looks) == ["fail", "pass", "pass"]


def test_a_sibling_packages_tag_is_not_a_newer_version() -> None:
    assert verdicts("freshness", "最新版 LangGraph 1.2.4", listed("langchain-ai/langgraph", "1.2.4", "cli==9.0.0")) == ["pass"]


def test_a_marker_of_another_sentence_does_not_count() -> None:
    assert verdicts("freshness", "当前版本更快。此前测的是 vLLM 0.3.3", listed("vllm-project/vllm", "v0.30.0")) == []


def test_without_evidence_it_is_undecided() -> None:
    [finding] = judged("freshness", "latest version vLLM 0.23.0")
    assert finding.verdict == "undecided" and "not looked up" in finding.message
