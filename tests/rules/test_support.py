"""Figures credited to a paper or release, against its abstract or notes as our own extractor reads them."""

from __future__ import annotations

import pytest

from tests.rules._judging import judged, look, release, verdicts
from verifier.models import Look
from verifier.sources._numbers import figures

ABSTRACT = "We study 929 bugs in five engines. The cache reduces TTFT by 46% and raises throughput by up to 3.8x, from 24 GB to 12 GB of memory."


def paper(abstract: str = ABSTRACT) -> Look:
    return look("arxiv:2506.09713", abstract=abstract, numbers=figures(abstract))


def test_an_abstracts_figures_are_read_by_our_own_extractor() -> None:
    found = {(f["low"], f["unit"], f["direction"]) for f in figures(ABSTRACT)}
    assert {(929.0, "bug", None), (-46.5, "percent", "decrease"), (23.5, "GB", "decrease")} <= found


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("arXiv:2506.09713：吞吐 3.8×", ["pass"]),
        ("arXiv:2506.09713：TTFT 降低 46%", ["pass"]),
        ("arXiv:2506.09713：TTFT 增加 46%", ["fail"]),
        ("arXiv:2506.09713：吞吐 5.1×", ["undecided"]),
        ("arXiv:2506.09713 studies 1,050 bugs", ["fail"]),
        ("arXiv:2506.09713 studies 929 bugs", ["pass"]),
        ("别处有 1,050 bugs。arXiv:2506.09713 另议", []),
    ],
)
def test_a_figure_is_stated_contradicted_or_not_found(text: str, expected: list[str]) -> None:
    assert verdicts("support", text, paper()) == expected


def test_what_a_source_does_not_say_is_one_finding() -> None:
    [finding] = judged("support", "arXiv:2506.09713：吞吐 5.1×，延迟 320 ms，显存 80 GB", paper())
    assert (finding.verdict, len(finding.locations)) == ("undecided", 3)


def test_release_notes_support_the_figures_beside_their_version() -> None:
    notes = "DeepSeek kernels are 2.1x faster and cut TTFT by 3.4%."
    known = release("vllm-project/vllm", "v0.28.0", "2026-08-26", notes=notes, numbers=figures(notes))
    assert verdicts("support", "vLLM v0.28.0 的 TTFT 降低 3.4%", known) == ["pass"]
    assert verdicts("support", "vLLM v0.28.0 之外，另测得 TTFT 320 ms", known) == []


def test_without_a_known_text_nothing_is_said() -> None:
    assert verdicts("support", "arXiv:2506.09713：吞吐 3.8×") == []
    assert verdicts("support", "arXiv:2506.09713：吞吐 3.8×", look("arxiv:2506.09713", numbers=[])) == []
