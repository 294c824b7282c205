"""What a text names and can be looked up: papers, releases, pull requests."""

from __future__ import annotations

import pytest

from verifier.extract import mentions


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("vLLM 0.10.2（2026-04 时期）", ["v0.10.2"]),
        ("vLLM 源码版本对应 ~v0.11-v0.12 时期", ["v0.11", "v0.12"]),
        ("SGLang v0.5.18/v0.5.8 GB300/v0.6/v1.2.1", ["v0.5.18", "v0.5.8", "v0.6", "v1.2.1"]),
        ("langgraph-prebuilt >= 1.1.0,<1.2.0", ["prebuilt==1.1.0"]),
        ("Codex CLI 0.125.0 / Claude Code 2.1.114", ["rust-v0.125.0", "v2.1.114"]),
        ("llama.cpp b9090 以后", ["b9090"]),
        ("TensorRT-LLM 1.3.0rc 系列", ["v1.3.0rc"]),
        ("transformers v5.15/5.17 发布", ["v5.15", "v5.17"]),
    ],
)
def test_versions_beside_a_projects_name(text: str, expected: list[str]) -> None:
    assert [release.tag for release in mentions.releases(text)] == expected


@pytest.mark.parametrize(
    "text",
    [
        "vLLM × Mooncake 2609.23130 解聚",
        "SGLang 3.1× faster",
        "vLLM 2.8 tok/s",
        "SGLang 1.5-2.0× 提升",
        "vLLM.cpp v0.0.2",
        "vLLM-Omni v0.2.0",
        "vLLM 1.7%→92.2%",
        "vLLM 与底本 v3.44 morning",
    ],
)
def test_quantities_and_longer_names_are_no_releases(text: str) -> None:
    assert mentions.releases(text) == ()


def test_a_range_is_one_statement() -> None:
    first, last = mentions.releases("vLLM v0.17 → v0.19 路线")
    assert (first.group, last.ranged) == (last.group, True)


def test_a_stated_paper_version_is_kept() -> None:
    assert [(p.id, p.version) for p in mentions.papers("arXiv:2607.09172v2，astro-ph 无，2609.23130")] == [("2607.09172", 2), ("2609.23130", None)]
