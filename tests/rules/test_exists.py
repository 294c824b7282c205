"""Five answers about what is cited, never mixed up."""

from __future__ import annotations

from tests.rules._judging import judged, look, release, verdicts

PAPER = "arxiv:2609.99999"


def test_missing_in_two_looks_three_days_apart_does_not_exist() -> None:
    first, second = look(PAPER, "absent", "2026-09-20T10:00:00+00:00"), look(PAPER, "absent", "2026-09-23T10:00:00+00:00")
    [finding] = judged("exists", "见 arXiv:2609.99999", first, second)
    assert (finding.verdict, len(finding.evidence)) == ("fail", 2)
    assert "does not exist" in finding.message


def test_missing_in_looks_of_two_days_is_not_found_so_far() -> None:
    first, second = look(PAPER, "absent", "2026-09-20T10:00:00+00:00"), look(PAPER, "absent", "2026-09-22T10:00:00+00:00")
    [finding] = judged("exists", "见 arXiv:2609.99999", first, second)
    assert finding.verdict == "undecided" and "not found so far" in finding.message


def test_found_once_exists_whatever_else_was_seen() -> None:
    looks = [look(PAPER, "absent", "2026-09-10T10:00:00+00:00"), look(PAPER), look(PAPER, "failed", reason="HTTP 503")]
    assert verdicts("exists", "见 arXiv:2609.99999", *looks) == ["pass"]


def test_what_came_later_is_not_found_so_far_and_says_when_it_came() -> None:
    later = look("github:vllm-project/vllm@v0.33.0", "absent", not_before="2026-11-02")
    [finding] = judged("exists", "vLLM 0.33.0 已可用", later, of="releases")
    assert finding.verdict == "undecided" and "2026-11-02" in finding.message


def test_what_was_not_looked_up_and_what_did_not_answer_are_one_finding_each() -> None:
    text = "见 2609.00001 与 2609.00002；另见 2609.00003 与 2609.00004"
    failed = [look(f"arxiv:2609.0000{n}", "failed", reason="HTTP 503") for n in (3, 4)]
    found = judged("exists", text, *failed)
    assert [(f.verdict, len(f.locations)) for f in found] == [("undecided", 2), ("undecided", 2)]
    assert "not looked up" in found[0].message and "could not be reached: HTTP 503" in found[1].message


def test_a_withdrawn_paper_and_a_version_beyond_the_last_fail() -> None:
    assert verdicts("exists", "见 arXiv:2609.99999", look(PAPER, withdrawn=True, comment="withdrawn")) == ["fail"]
    assert verdicts("exists", "见 arXiv:2609.99999v3", look(PAPER, version=2)) == ["pass", "fail"]
    assert verdicts("exists", "见 arXiv:2609.99999v3", look(PAPER, version=None)) == ["pass"]


def test_a_release_of_the_list_exists_also_where_its_tag_did_not_answer() -> None:
    listed = look("github:sgl-project/sglang@latest", tag="v0.5.18", version="0.5.18", releases=[
        {"tag": "v0.5.18", "version": "0.5.18", "published": "2026-08-21"}, {"tag": "v0.5.8", "version": "0.5.8", "published": "2026-01-23"},
    ])  # fmt: skip
    failed = look("github:sgl-project/sglang@v0.5.8", "failed", reason="budget")
    assert verdicts("exists", "SGLang v0.5.8 与 SGLang v0.5 系列", listed, failed, of="releases") == ["pass", "pass"]


def test_each_release_is_judged_once_at_its_first_mention() -> None:
    found = judged("exists", "vLLM 0.28.0 发布。\n\nvLLM 0.28.0 再提", release("vllm-project/vllm", "v0.28.0", "2026-08-26"), of="releases")
    assert [f.locations[0].line for f in found] == [1]
