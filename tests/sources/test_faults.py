"""Each fault ends as a failed look with its reason; none overwrites good evidence; none loses the run."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import httpx
import pytest

from tests.replica.server import feed, paper
from tests.sources._tools import START, FakeClock, Script, go
from verifier.sources import EvidenceStore, latest

R = httpx.Response
PAPER = "arxiv:2609.23130"
TAG = "github:vllm-project/vllm@v0.28.0"
FACT = {"id": "2609.23130", "title": "A & B", "published": "2026-09-19T16:58:20Z", "authors": ["X"]}
GOOD = R(200, content=feed([paper(FACT)]))
RELEASE = {"tag_name": "v0.28.0", "published_at": "2026-08-26T00:00:00Z", "body": "584 commits from 270 contributors"}
BOMB = b'<!DOCTYPE x [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;&a;">]><feed xmlns="http://www.w3.org/2005/Atom">&b;</feed>'


class Drip(httpx.SyncByteStream):
    def __init__(self, clock: FakeClock) -> None:
        self.clock = clock

    def __iter__(self) -> Iterator[bytes]:
        for _ in range(1000):
            self.clock.sleep(10)
            yield b" "


@pytest.mark.parametrize(
    ("step", "reason"),
    [
        (R(429), "429, rate limit"),
        (R(406), "406, rate limit"),
        (R(200, text="Rate exceeded."), "Rate exceeded"),
        (R(503), "HTTP 503"),
        (R(403), "not a readable feed"),
        (R(200, text="<!doctype html><html><p>Sorry"), "not a readable feed"),
        (R(200, text="<html></html>"), "not an Atom feed"),
        (R(200, content=feed([paper(FACT)])[:-40]), "not a readable feed"),
        (R(200, content=BOMB), "not a readable feed"),
        (R(200, content=feed([], 1)), "not in the part that came"),
        (R(302, headers={"location": "https://evil.example/x"}), "another host"),
        (R(302, headers={"location": "/api/query?again"}), "redirects"),
        (httpx.ReadError("reset"), "ReadError"),
        (httpx.ConnectError("no such host"), "cannot connect"),
    ],
)
def test_arxiv_fault_is_a_failed_look(tmp_path: Path, step: R | Exception, reason: str) -> None:
    [first] = go(tmp_path, [PAPER], Script(GOOD))
    later = FakeClock(START + timedelta(days=40))
    [look] = go(tmp_path, [PAPER], Script(step), later)
    assert (look.outcome, first.outcome) == ("failed", "found")
    assert reason in (look.reason or "")
    kept = EvidenceStore(tmp_path).as_of([PAPER], later.now().date())[PAPER]
    assert kept == (first, look)
    assert latest(kept) == first


@pytest.mark.parametrize(
    ("step", "reason"),
    [
        (R(403, headers={"retry-after": "3600"}), "asked to wait 3600 s"),
        (R(429, headers={"retry-after": "2"}), "429, rate limit"),
        (R(403, headers={"x-ratelimit-remaining": "0", "x-ratelimit-reset": "9999999999"}), "asked to wait"),
        (R(403, json={"message": "API rate limit exceeded"}), "rate limit"),
        (R(403, json={"message": "Forbidden"}), "HTTP 403"),
        (R(502, text="<html>"), "HTTP 502"),
        (R(200, text="<html>"), "not JSON"),
        (R(200, text='{"tag_name": "v0.2'), "not JSON"),
        (R(200, json=[1]), "another shape"),
        (R(301, headers={"location": "https://api.github.com.evil.example/"}), "another host"),
        (R(301, headers={"location": "http://api.github.com/"}), "another host"),
    ],
)
def test_github_fault_is_a_failed_look(tmp_path: Path, step: R, reason: str) -> None:
    clock = FakeClock()
    [look] = go(tmp_path, [TAG], Script(step), clock)
    assert look.outcome == "failed"
    assert reason in (look.reason or "")
    assert sum(clock.slept) <= 60


def test_retry_after_is_honoured_and_the_answer_used(tmp_path: Path) -> None:
    clock = FakeClock()
    [look] = go(tmp_path, [TAG], Script(R(429, headers={"retry-after": "7"}), R(200, json=RELEASE)), clock)
    assert clock.slept == [7.0]
    assert (look.facts["version"], look.facts["commits"], look.facts["contributors"]) == ("0.28.0", 584, 270)


def test_slow_drip_ends_with_the_budget(tmp_path: Path) -> None:
    clock = FakeClock()
    [look] = go(tmp_path, [TAG], Script(lambda request: R(200, stream=Drip(clock))), clock, budget=60.0)
    assert look.outcome == "failed"
    assert "too slow" in (look.reason or "")
    assert clock.now() - START <= timedelta(seconds=70)


def test_a_host_that_cannot_be_reached_is_given_up(tmp_path: Path) -> None:
    script = Script(httpx.ConnectTimeout("closed"))
    looks = go(tmp_path, [TAG, "github:a/b@latest", PAPER, "github:a/b"], script)
    assert [look.outcome for look in looks] == ["failed"] * 4
    assert len(script.requests) == 2  # one for each host
    assert "given up" in (looks[0].reason or "")  # lists are asked for first
    assert EvidenceStore(tmp_path).looks(TAG) == ()  # nothing was asked


def test_a_used_up_limit_is_not_asked_on(tmp_path: Path) -> None:
    script = Script(R(403, headers={"x-ratelimit-remaining": "0", "x-ratelimit-reset": "9999999999"}))
    looks = go(tmp_path, [TAG, "github:a/b@v1", "github:a/c@v1"], script)
    assert [look.outcome for look in looks] == ["failed"] * 3
    assert len(script.requests) == 1


def test_no_budget_asks_nothing(tmp_path: Path) -> None:
    script = Script(GOOD)
    [look] = go(tmp_path, [PAPER], script, budget=0.0)
    assert (look.outcome, script.requests) == ("failed", [])


@pytest.mark.parametrize("named", [True, False])
def test_a_malformed_id_does_not_lose_its_batch(tmp_path: Path, named: bool) -> None:
    def serve(request: httpx.Request) -> R:
        asked = request.url.params["id_list"].split(",")
        if "2609.1" in asked:
            text = "incorrect id format for 2609.1" if named else "bad request"
            error = f"<entry><id>https://arxiv.org/api/errors#x</id><title>Error</title><summary>{text}</summary></entry>"
            return R(400, content=feed([error]))
        found = [paper({**FACT, "id": i}) for i in asked if i != "2609.00001"]
        return R(200, content=feed(found, len(found)))

    wanted = [f"arxiv:{i}" for i in ("2609.23130", "2609.00001", "2609.1", "2609.23131")]
    clock, script = FakeClock(), Script(serve)
    looks = go(tmp_path, wanted, script, clock)
    assert [look.outcome for look in looks] == ["found", "absent", "absent", "found"]
    assert looks[0].facts["title"] == "A & B"
    assert clock.slept == [3.0] * (len(script.requests) - 1)


def test_conditional_request_and_304(tmp_path: Path) -> None:
    settings_headers = {"etag": 'W/"abc"', "last-modified": "Wed, 26 Aug 2026 00:00:00 GMT"}
    [first] = go(tmp_path, [TAG], Script(R(200, json=RELEASE, headers=settings_headers)))
    script = Script(R(304))
    [second] = go(tmp_path, [TAG], script, FakeClock(START + timedelta(days=40)))
    assert script.requests[0].headers["if-none-match"] == 'W/"abc"'
    assert script.requests[0].headers["if-modified-since"] == settings_headers["last-modified"]
    assert (second.outcome, second.status, second.facts, second.etag) == ("found", 304, first.facts, first.etag)


def test_tag_without_release_and_absent(tmp_path: Path) -> None:
    [tagged] = go(tmp_path, [TAG], Script(R(404), R(200, json={"ref": "refs/tags/v0.28.0"})))
    assert (tagged.outcome, tagged.facts["release"]) == ("found", False)
    [gone] = go(tmp_path, ["github:sgl-project/sglang@v1.2.1"], Script(R(404)))
    assert (gone.outcome, gone.status) == ("absent", 404)


def test_absent_is_looked_at_again_after_three_days(tmp_path: Path) -> None:
    script = Script(R(404))
    for days in (0, 2, 3):
        go(tmp_path, ["github:a/b@v1"], script, FakeClock(START + timedelta(days=days)))
    assert len(EvidenceStore(tmp_path).looks("github:a/b@v1")) == 2


def test_token_goes_to_github_alone_and_is_never_stored(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    token = "ghp_ThisMustNotBeSeen"
    monkeypatch.setenv("GITHUB_TOKEN", token)
    arxiv = "https://export.arxiv.org/api/query"
    steps = (GOOD, R(200, json=RELEASE), R(302, headers={"location": arxiv}), R(404), httpx.ReadError(token))
    script = Script(*steps)
    looks = go(tmp_path, [PAPER, TAG, "github:a/b@v1", "github:a/c@v1"], script)
    for request in script.requests:
        assert ("authorization" in request.headers) == (request.url.host == "api.github.com")
    assert any(request.headers.get("authorization") == f"Bearer {token}" for request in script.requests)
    stored = "".join(path.read_text() for path in tmp_path.rglob("*") if path.is_file())
    assert "v0.28.0" in stored
    assert token not in stored + json.dumps([look.model_dump() for look in looks])


def test_latest_stands_in_when_the_list_does_not_come(tmp_path: Path) -> None:
    [look] = go(tmp_path, ["github:vllm-project/vllm@latest"], Script(R(200, json=RELEASE), R(500)))
    assert [(r["version"], r["date"]) for r in look.facts["releases"]] == [("0.28.0", "2026-08-26")]
    assert look.facts["complete"] is False


def test_withdrawn_is_read_from_the_comment(tmp_path: Path) -> None:
    text = "This paper has been withdrawn by the author"
    [look] = go(tmp_path, [PAPER], Script(R(200, content=feed([paper({**FACT, "comment": text})]))))
    assert (look.facts["withdrawn"], look.facts["comment"]) == (True, text)


def test_a_part_of_a_batch_is_kept_and_the_rest_is_unknown(tmp_path: Path) -> None:
    script = Script(R(200, content=feed([paper(FACT)], 2)))
    came, missing = go(tmp_path, [PAPER, "arxiv:2609.00001"], script)
    assert (came.outcome, missing.outcome) == ("found", "failed")
    assert "announced" in (missing.reason or "")
