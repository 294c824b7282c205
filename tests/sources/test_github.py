"""What GitHub is asked, how often, and what is kept of its answers."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import httpx

from tests.sources._tools import Script, go

R = httpx.Response
REPO = "github:langchain-ai/langgraph"


def release(tag: str, published: str | None, **more: Any) -> dict[str, Any]:
    return {"tag_name": tag, "published_at": published, "body": "12 commits from 3 contributors", **more}


LISTED = [
    release("1.2.5rc1", "2026-06-20T00:00:00Z", prerelease=True),
    release("prebuilt==1.1.0", "2026-06-10T00:00:00Z"),
    release("1.2.4", "2026-06-02T00:00:00Z"),
    release("1.0.0", "2025-10-17T00:00:00Z"),
    release("1.3.0", None, draft=True),
]


def serve(request: httpx.Request) -> R:
    path = request.url.path
    if path.endswith("/releases/latest"):
        return R(200, json=LISTED[2])
    if path.endswith("/releases"):
        return R(200, json=LISTED)
    if path.endswith("/git/ref/tags/0.0.9"):
        return R(200, json={"ref": "refs/tags/0.0.9"})
    return R(404, json={"message": "Not Found"})


def test_one_list_answers_for_all_its_releases(tmp_path: Path) -> None:
    script = Script(serve)
    wanted = [f"{REPO}@1.2.4", f"{REPO}@prebuilt==1.1.0", f"{REPO}@1.0", f"{REPO}@1.2", f"{REPO}@latest"]
    tagged, sibling, short, series, latest = go(tmp_path, wanted, script)
    assert [r.url.path.rsplit("/", 1)[-1] for r in script.requests] == ["latest", "releases"]
    assert (tagged.facts["date"], tagged.facts["commits"], tagged.facts["contributors"]) == ("2026-06-02", 12, 3)
    assert (sibling.facts["version"], short.facts["tag"]) == ("1.1.0", "1.0.0")
    assert (series.facts["series"], series.facts["date"], series.facts["last"]) == (True, "2026-06-02", "2026-06-20")
    assert latest.facts["complete"] is True
    assert "notes" in tagged.facts and all("notes" not in r for r in latest.facts["releases"])


def test_drafts_are_left_out_and_pre_releases_marked(tmp_path: Path) -> None:
    [latest] = go(tmp_path, [f"{REPO}@latest"], Script(serve))
    assert {r["tag"]: r["prerelease"] for r in latest.facts["releases"]} == {
        "1.2.5rc1": True,
        "prebuilt==1.1.0": False,
        "1.2.4": False,
        "1.0.0": False,
    }


def test_what_the_list_does_not_have_is_asked_for_by_tag(tmp_path: Path) -> None:
    _, bare, absent = go(tmp_path, [f"{REPO}@latest", f"{REPO}@0.0.9", f"{REPO}@9.9.9"], Script(serve))
    assert (bare.outcome, bare.facts["release"]) == ("found", False)
    assert (absent.outcome, absent.status) == ("absent", 404)


def test_an_unfinished_list_is_not_called_complete(tmp_path: Path) -> None:
    more = {"link": '<https://api.github.com/repos/a/b/releases?page=2>; rel="next"'}
    script = Script(R(200, json=LISTED[2]), R(200, json=LISTED, headers=more))
    [latest] = go(tmp_path, ["github:a/b@latest"], script)
    assert (latest.facts["complete"], len(script.requests)) == (False, 4)


def test_a_pull_request_says_where_it_is_and_what_became_of_it(tmp_path: Path) -> None:
    answer = {
        "repository_url": "https://api.github.com/repos/sgl-project/sglang", "number": 34602, "title": "Dense views", "user": {"login": "x"},
        "state": "closed", "created_at": "2026-08-20T00:00:00Z", "closed_at": "2026-08-30T00:00:00Z", "pull_request": {"merged_at": "2026-08-30T00:00:00Z"},
    }  # fmt: skip
    script = Script(R(200, json=answer))
    [look] = go(tmp_path, ["github:sgl-project/sglang#34602"], script)
    assert script.requests[0].url.path == "/repos/sgl-project/sglang/issues/34602"
    facts = look.facts
    assert (facts["repository"], facts["title"], facts["state"], facts["merged"], facts["pull"]) == (
        "sgl-project/sglang", "Dense views", "closed", True, True,
    )  # fmt: skip


def test_a_repository_that_moved_is_followed_and_says_so(tmp_path: Path) -> None:
    moved = R(301, headers={"location": "https://api.github.com/repositories/1"})
    answer = {"full_name": "new/name", "archived": True, "license": {"spdx_id": "Apache-2.0"}, "stargazers_count": 7}
    [look] = go(tmp_path, ["github:old/name"], Script(moved, R(200, json=answer)))
    facts = look.facts
    assert (facts["repository"], facts["moved"], facts["archived"], facts["licence"], facts["stars"]) == ("new/name", True, True, "Apache-2.0", 7)


def test_a_series_is_absent_only_where_the_whole_list_is_known(tmp_path: Path) -> None:
    more = {"link": '<https://api.github.com/repos/a/b/releases?page=2>; rel="next"'}

    def partly(request: httpx.Request) -> R:
        return R(200, json=LISTED, headers=more) if request.url.path.endswith("/releases") else serve(request)

    part, exact = go(tmp_path / "part", ["github:a/b@0.9", "github:a/b@0.9.1", "github:a/b@latest"], Script(partly))[:2]
    assert (part.outcome, exact.outcome) == ("failed", "absent")
    assert "series" in (part.reason or "")
    [whole, _] = go(tmp_path / "whole", ["github:a/b@0.9", "github:a/b@latest"], Script(serve))
    assert whole.outcome == "absent"
