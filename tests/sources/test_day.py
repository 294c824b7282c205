"""Judgement as of a day: what was published later did not exist yet, whenever the look was made."""

from __future__ import annotations

from datetime import date
from pathlib import Path
from typing import Any

import pytest

from verifier.models import Look
from verifier.sources import EvidenceStore
from verifier.sources._day import project

NOVEMBER = "2026-11-20T00:00:00+00:00"
DAY = date(2026, 9, 27)


def look(citation: str, facts: dict[str, Any], outcome: str = "found", at: str = NOVEMBER) -> Look:
    return Look.model_validate({"citation": citation, "url": "", "outcome": outcome, "fetched_at": at, "facts": facts})


def release(tag: str, published: str, **more: Any) -> dict[str, Any]:
    return {"tag": tag, "version": tag.removeprefix("v"), "published": published, "date": published[:10], **more}


LISTED = [
    release("v0.33.0", "2026-11-02T10:00:00Z"),
    release("v0.30.0", "2026-09-22T05:00:00Z"),
    release("v0.30.1rc1", "2026-09-25T05:00:00Z", prerelease=True),
    release("v0.29.0", "2026-09-09T09:00:00Z"),
]


def test_the_latest_is_the_latest_of_the_day() -> None:
    then = project(look("github:vllm-project/vllm@latest", {**LISTED[0], "releases": LISTED, "complete": True}), DAY)
    assert (then.facts["version"], then.facts["date"], then.facts["complete"]) == ("0.30.0", "2026-09-22", True)
    assert [r["version"] for r in then.facts["releases"]] == ["0.30.0", "0.30.1rc1", "0.29.0"]
    assert then.fetched_at == NOVEMBER


def test_a_list_of_the_day_itself_is_left_as_it_is() -> None:
    whole = look("github:vllm-project/vllm@latest", {**LISTED[1], "releases": LISTED[1:], "complete": True})
    assert project(whole, DAY) == whole


@pytest.mark.parametrize(
    "later",
    [
        look("github:vllm-project/vllm@v0.33.0", LISTED[0]),
        look("arxiv:2610.00001", {"title": "T", "published": "2026-10-01T00:00:00Z", "updated": "2026-10-01T00:00:00Z", "version": 1}),
        look("github:vllm-project/vllm#50001", {"title": "T", "created": "2026-10-01T00:00:00Z", "state": "open"}),
    ],
    ids=["release", "paper", "pull request"],
)
def test_what_was_published_later_is_absent_and_says_when_it_came(later: Look) -> None:
    then = project(later, DAY)
    assert (then.outcome, len(then.facts["not_before"])) == ("absent", 10)
    assert "after" in (then.reason or "")


def test_a_later_version_does_not_withdraw_a_paper_before_its_day() -> None:
    facts = {
        "title": "T",
        "published": "2026-05-20T00:00:00Z",
        "updated": "2026-10-20T00:00:00Z",
        "version": 3,
        "withdrawn": True,
        "comment": "withdrawn",
    }
    then = project(look("arxiv:2605.00001", facts), DAY)
    assert (then.outcome, then.facts["withdrawn"], then.facts["version"], then.facts["title"]) == ("found", False, None, "T")
    assert project(look("arxiv:2605.00001", facts), date(2026, 10, 21)).facts["withdrawn"] is True


def test_a_pull_request_that_was_merged_later_was_open() -> None:
    facts = {"title": "T", "created": "2026-09-01T00:00:00Z", "state": "closed", "merged": True, "closed": "2026-10-01T00:00:00Z"}
    assert project(look("github:a/b#1", facts), DAY).facts["state"] == "open"


def test_an_absence_and_a_failure_stay_what_they_are() -> None:
    for outcome in ("absent", "failed"):
        one = look("github:a/b@v1", {}, outcome)
        assert project(one, DAY) == one


def test_evidence_that_was_fetched_later_is_judged_and_twice_alike(tmp_path: Path) -> None:
    store = EvidenceStore(tmp_path)
    store.append(look("github:vllm-project/vllm@latest", {**LISTED[0], "releases": LISTED}))
    first, second = (store.as_of(["github:vllm-project/vllm@latest"], DAY) for _ in range(2))
    assert first == second
    assert first["github:vllm-project/vllm@latest"][0].facts["version"] == "0.30.0"
