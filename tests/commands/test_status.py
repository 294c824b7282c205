"""`verify status`: one screen, its exit code, its JSON."""

from __future__ import annotations

import json

import pytest

SCHEDULE = '\n[[schedule]]\nauthor = "示例写手"\ntopic = "llm-infra"\ntime = "18:40"\nfrom = "2026-09-27"\n'


@pytest.fixture
def status(verify, example):
    def asked(*words, day="2026-09-28"):
        done = verify("status", "--as-of", day, "--format", "json", *words, folder=example)
        return done.returncode, json.loads(done.out)

    verify("run", "briefing.md", "--offline", folder=example)
    return asked


def test_a_group_with_nothing_due_is_clean(status):
    code, state = status()
    assert code == 0 and state["unverified"] == [] and state["ledger"] == {"in_step": True, "problems": []}


def test_overdue_records_are_named_and_end_with_1(status):
    code, state = status(day="2099-01-01")
    assert code == 1 and "D13" in state["overdue"]


def test_a_briefing_that_no_run_has_verified_ends_with_3(status, example):
    (example / "verify.toml").write_text('briefings = ["inbox/**/*.md"]\n')
    (example / "inbox").mkdir()
    (example / "inbox" / "new.md").write_text("吞吐 3.8×\n")
    assert status() == (3, {**status()[1], "unverified": [{"document": "inbox/new.md", "why": "no run has verified it"}]})


def test_a_briefing_that_changed_since_its_run_is_unverified(status, example):
    with (example / "briefing.md").open("a") as file:
        file.write("吞吐 3.8×\n")
    code, state = status()
    assert code == 3 and state["unverified"] == [{"document": "briefing.md", "why": "changed since its last run"}]


def test_a_briefing_that_was_due_and_did_not_come_is_unverified(status, example):
    (example / "verify.toml").write_text(SCHEDULE)
    code, state = status()
    assert code == 3 and [u["why"] for u in state["unverified"]] == ["due 2026-09-27 18:40"]


def test_the_age_of_the_evidence_is_that_of_the_newest_looks(status):
    seen = status(day="2026-09-30")[1]["evidence"]
    assert seen["citations"] == 5 and 0 < seen["newest_days"] <= seen["oldest_days"]


def test_a_mirror_that_is_behind_is_said_and_mended(status, example):
    (example / "claims" / "ledger" / "D0013.jsonl").unlink()
    code, state = status()
    assert not state["ledger"]["in_step"] and "the next start adds them" in state["ledger"]["problems"][0] and code == 0
    assert status()[1]["ledger"]["in_step"]


def test_a_mirror_that_tells_another_story_ends_with_3(status, example):
    path = example / "claims" / "ledger" / "D0013.jsonl"
    path.write_text(path.read_text().replace('"high"', '"low"'))
    code, state = status()
    assert code == 3 and state["open"] is None and "was changed" in state["ledger"]["problems"][0]


def test_the_screen_fits_one(verify, example):
    verify("run", "briefing.md", "--offline", folder=example)
    done = verify("status", "--as-of", "2026-09-28", folder=example)
    assert done.out.splitlines()[0] == "open: 2 high, 3 medium" and len(done.out.splitlines()) == 5
