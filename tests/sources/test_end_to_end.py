"""`verify fetch` and `verify run` as real processes, against the replica and against a network that is closed."""

from __future__ import annotations

import json
import shutil
import socket
import time
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from tests.replica.server import replica
from verifier.settings import Settings, load
from verifier.sources import EvidenceStore, fetch

Verify = Callable[..., Any]
EVIDENCE = ("exists", "agrees", "freshness", "support")


@pytest.fixture
def root(tmp_path: Path) -> Iterator[Path]:
    """A folder with the briefing, whose sources are the replica."""
    shutil.copy(Path(__file__).with_name("briefing.md"), tmp_path)
    with replica() as address:
        point(tmp_path, address)
        yield tmp_path


def point(root: Path, address: str) -> None:
    (root / "verify.toml").write_text(f'arxiv_url = "{address}/api/query"\ngithub_url = "{address}"\n')


def judged(verify: Verify) -> tuple[dict[tuple[str, str, str], list[int]], dict[str, Any]]:
    """{(rule, verdict, first quote): lines} of what evidence decides, and the whole run."""
    run = json.loads(verify("run", "briefing.md", "--offline", "--format", "json").out)
    found: dict[tuple[str, str, str], list[int]] = {}
    for finding in run["findings"]:
        if finding["kind"] in EVIDENCE:
            place = finding["locations"][0]
            found.setdefault((finding["rule"], finding["verdict"], place["text"]), []).append(place["line"])
    return found, run


def test_a_briefings_wrong_dates_and_versions_are_reported_and_its_true_ones_are_not(verify: Verify, root: Path) -> None:
    done = verify("fetch", "briefing.md")
    assert done.returncode == 0, done.out + done.err
    found, run = judged(verify)
    assert found == {
        ("VER003", "fail", "0.10.2"): [13],
        ("VER003", "fail", "0.3.3"): [14],
        ("VER003", "fail", "0.11"): [15],
        ("VER003", "fail", "v0.4.3"): [16],
        ("VER002", "undecided", "1.2.1"): [17],
        ("VER001", "fail", "0.23.0"): [18],
        ("PAP002", "undecided", "2607.09172（2026-04"): [28],
        ("PAP002", "undecided", "2607.20468（2026-07"): [29],
        ("PAP003", "fail", "vLLM Startup Internals: Compilation and Caching"): [30],
    }
    said = {f["locations"][0]["line"]: f for f in run["findings"] if f["kind"] in EVIDENCE}
    assert "given out in 2026-07" in said[28]["message"] and "submitted 2026-05-20" in said[29]["message"]
    assert "2.6 years apart" in said[14]["working"][-1]
    assert run["counts"]["verdicts"]["agrees"]["pass"] >= 11  # counts of commits among them


def test_a_declared_entry_about_a_version_takes_the_finding_about_it(verify: Verify, root: Path) -> None:
    verify("fetch", "briefing.md")
    verify("run", "briefing.md", "--offline")
    record = json.loads(verify("d", "show", "D193", "--format", "json").out)
    run = json.loads(verify("run", "briefing.md", "--offline", "--draft", "--format", "json").out)
    [dated] = [f for f in run["findings"] if f["rule"] == "VER003" and f["locations"][0]["line"] == 14]
    assert dated["fingerprint"] in record["findings"]


def test_a_fact_about_what_an_author_asks_is_evidence_on_that_record_and_settles_nothing(verify: Verify, root: Path) -> None:
    verify("fetch", "briefing.md")
    verify("run", "briefing.md", "--offline")
    record = json.loads(verify("d", "show", "D193", "--format", "json").out)
    [told] = [e for e in record["events"] if e["event"] == "evidence"]
    assert "2.6 years apart" in told["reason"] and told["data"]["evidence"].startswith("github:vllm-project/vllm@v0.3.3 fetched ")
    assert record["state"] == "open" and record["proposed"] is None
    verify("run", "briefing.md", "--offline")
    again = json.loads(verify("d", "show", "D193", "--format", "json").out)
    assert [e["event"] for e in again["events"]] == [e["event"] for e in record["events"]]


def test_what_two_looks_do_not_find_opens_a_record(verify: Verify, root: Path) -> None:
    verify("fetch", "briefing.md")
    _, first = judged(verify)
    assert not any("does not exist" in d["title"] for d in first["discrepancies"])
    later = datetime.now(UTC) + timedelta(days=3)
    [again] = fetch(["github:sgl-project/sglang@v1.2.1"], EvidenceStore(root), settings=load(root), budget=30, now=lambda: later)
    assert again.outcome == "absent"
    found, second = judged(verify)
    assert found["VER002", "fail", "1.2.1"] == [17]
    assert [d["title"] for d in second["discrepancies"] if d["what"] == "opened" and "SGLang 1.2.1 does not exist" in d["title"]]


def test_a_finding_says_which_record_it_is_filed_under_and_a_dismissed_one_that_it_is(verify: Verify, root: Path) -> None:
    verify("fetch", "briefing.md")
    _, first = judged(verify)
    [stale] = [f for f in first["findings"] if f["rule"] == "VER001"]
    assert stale["discrepancy"] in {d["number"] for d in first["discrepancies"] if d["what"] == "opened"}
    assert {f["discrepancy"] for f in first["findings"] if f["verdict"] == "undecided"} == {None}
    verify("d", "dismiss", stale["fingerprint"], "--reason", "meant historically", "--as", "kim")
    _, second = judged(verify)
    [stale] = [f for f in second["findings"] if f["rule"] == "VER001"]
    assert stale["suppressed"] == f"dismissed as a false alarm: {stale['discrepancy']}"


def test_stored_evidence_judged_twice_gives_equal_bytes(verify: Verify, root: Path) -> None:
    verify("fetch", "briefing.md")
    first, second = (verify("run", "briefing.md", "--offline", "--draft", "--format", "json").out for _ in range(2))
    assert first == second


def test_a_second_fetch_asks_nothing_that_is_known(verify: Verify, root: Path) -> None:
    verify("fetch", "briefing.md")
    before = {p.name: p.read_text() for p in (root / "claims" / "evidence").iterdir()}
    assert verify("fetch", "briefing.md").returncode == 0
    assert {p.name: p.read_text() for p in (root / "claims" / "evidence").iterdir()} == before


def test_a_closed_network_leaves_everything_undecided(verify: Verify, root: Path) -> None:
    point(root, "http://127.0.0.1:1")
    done = verify("run", "briefing.md", "--format", "json")
    verdicts = {f["verdict"] for f in json.loads(done.out)["findings"] if f["kind"] in EVIDENCE}
    assert (done.returncode, verdicts) == (0, {"undecided"})
    assert verify("fetch", "briefing.md").returncode == 3


@pytest.mark.parametrize(("closed", "seconds"), [(True, 20.0), (False, 2.0)], ids=["refused", "silent"])
def test_a_network_that_is_closed_costs_seconds(tmp_path: Path, closed: bool, seconds: float) -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        port = 1 if closed else silent.getsockname()[1]
        settings = Settings(root=tmp_path, arxiv_url=f"http://127.0.0.1:{port}/api/query", github_url=f"http://127.0.0.1:{port}")
        wanted = [*(f"arxiv:2609.0000{n}" for n in range(9)), *(f"github:a/b@v{n}" for n in range(30))]
        started = time.monotonic()
        looks = fetch(wanted, EvidenceStore(tmp_path), settings=settings, budget=seconds, now=lambda: datetime.now(UTC))
        assert time.monotonic() - started < 8
    assert {look.outcome for look in looks} == {"failed"}
