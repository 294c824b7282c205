from __future__ import annotations

import pytest

from verifier.models import Claim, Document, Source
from verifier.sources import citations


def cited(text: str, *claims: Claim) -> list[str]:
    return citations(Document(path="x.md", text=text, blocks=()), claims)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("见 2609.23130", ["arxiv:2609.23130"]),
        ("基于2608.12812的结果", ["arxiv:2608.12812"]),
        ("arXiv:2607.09172v2", ["arxiv:2607.09172"]),
        ("arXiv 号：2607.09172", ["arxiv:2607.09172"]),
        ("arXiv:1412.6980 与 arXiv:0704.0001", ["arxiv:1412.6980", "arxiv:0704.0001"]),
        ("https://arxiv.org/pdf/2607.09172v2.pdf", ["arxiv:2607.09172"]),
        ("https://ar5iv.labs.arxiv.org/html/2601.19139（HTML 版）", ["arxiv:2601.19139"]),
        ("arXiv:astro-ph/0601001v1，https://arxiv.org/abs/math.GT/0309136", ["arxiv:astro-ph/0601001", "arxiv:math.GT/0309136"]),
        ("月份 2613.12345 2600.12345 不算", []),
        ("12.2609.11111 / 2609.111119 / 2609.1234 / 3.2609.12345.6", []),
        ("https://ar5iv.org/abs/astro-ph/0601001", ["arxiv:astro-ph/0601001"]),
        ("一次，2609.23130；再次 arXiv:2609.23130", ["arxiv:2609.23130"]),
        ("astro-ph/0601001 无前缀", []),
    ],
)
def test_arxiv_ids(text: str, expected: list[str]) -> None:
    assert cited(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("https://github.com/alibaba/rtp-llm（开源）", ["github:alibaba/rtp-llm"]),
        ("github.com/a/b.git.", ["github:a/b"]),
        ("https://github.com/a/b/releases/tag/v1.2.0）", ["github:a/b@v1.2.0"]),
        ("https://github.com/a/b/pull/12 https://github.com/a/b/issues/13", ["github:a/b#12", "github:a/b#13"]),
        ("SGLang PR #34602，vLLM #46789", ["github:sgl-project/sglang#34602", "github:vllm-project/vllm#46789"]),
        ("https://github.com/topics/llm https://notgithub.com/a/b", []),
    ],
)
def test_github_links(text: str, expected: list[str]) -> None:
    assert cited(text) == expected


def test_projects_named_with_a_version() -> None:
    assert cited("vLLM 0.28.0 与 SGLang v0.5.2；LMDeploy 无版本") == [
        "github:vllm-project/vllm@latest",
        "github:vllm-project/vllm@v0.28.0",
        "github:sgl-project/sglang@latest",
        "github:sgl-project/sglang@v0.5.2",
    ]


def test_claims_name_projects_and_sources() -> None:
    claim = Claim(
        id="1", document="x.md", line=1, end_line=1, column=1, start=0, end=6, text="0.28.0", form="version", value="0.28.0",
        unit="version", subject="vLLM", sources=(Source(kind="arxiv", id="2609.23130v1"), Source(kind="arxiv", id="x")),
    )  # fmt: skip
    assert set(cited("0.28.0", claim)) == {"github:vllm-project/vllm@latest", "arxiv:2609.23130"}
