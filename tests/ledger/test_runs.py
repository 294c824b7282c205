"""Runs are events too: kept in the log and the mirror, apart from the records; places say where a record's claims stand."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from verifier import pipeline
from verifier.errors import LedgerError
from verifier.extract import extract
from verifier.ledger import Ledger, numbers
from verifier.ledger.places import places
from verifier.models import Finding, Location
from verifier.read import read
from verifier.settings import load

NOW = datetime(2026, 9, 28, 10, tzinfo=UTC)
LOG = numbers.run_log("briefing.md")


def verified(example, now=NOW):
    return pipeline.run(str(example / "briefing.md"), settings=load(example), actor="jay", now=now)


def test_a_run_is_kept_with_its_author_topic_and_day(example):
    verified(example)
    with Ledger.open(example) as ledger:
        (run,) = ledger.history(runs=True)[LOG]
    told = {k: run.data[k] for k in ("document", "author", "topic", "written", "as_of", "claim_count")}
    assert told == {"document": "briefing.md", "author": "示例写手", "topic": "llm-infra", "written": "2026-09-28T18:00+08:00",
                    "as_of": "2026-09-28", "claim_count": 23}  # fmt: skip


def test_a_run_that_tells_nothing_new_is_kept_once(example):
    verified(example)
    verified(example, now=NOW.replace(hour=12))
    with Ledger.open(example) as ledger:
        assert [run.at for run in ledger.history(runs=True)[LOG]] == ["2026-09-28T10:00:00+00:00"]


def test_a_run_on_a_changed_document_is_kept_beside_the_first(example):
    verified(example)
    path = example / "briefing.md"
    path.write_text(path.read_text().replace("4.15×", "3.43×"))
    verified(example, now=NOW.replace(hour=12))
    with Ledger.open(example) as ledger:
        first, second = ledger.history(runs=True)[LOG]
    assert first.run != second.run and second.parents == [first.id]


def test_rebuilding_from_the_mirror_keeps_runs(example):
    verified(example)
    for file in (example / "claims").glob("ledger.db*"):
        file.unlink()
    with Ledger.open(example) as ledger:
        ledger.rebuild()
        assert list(ledger.history(runs=True)) == [LOG]
        assert ledger.check() == []


def test_a_log_of_runs_is_no_record(example):
    verified(example)
    with Ledger.open(example) as ledger:
        assert not [r.number for r in (*ledger.records(), *ledger.list()) if numbers.is_run_log(r.number)]
        with pytest.raises(LedgerError, match="no such record"):
            ledger.get(LOG)
        with pytest.raises(LedgerError, match="no such record"):
            ledger.transition(LOG, "void", actor="jay", now=NOW, reason="slip")


def test_history_until_a_time_leaves_out_what_came_later(example):
    verified(example)
    with Ledger.open(example) as ledger:
        ledger.transition("D13", "take", actor="jay", now=NOW.replace(day=29))
        assert [e.event for e in ledger.history("2026-09-28T23:59:59+00:00")["D13"]] == ["open"]
        assert [e.event for e in ledger.history()["D13"]] == ["open", "take"]


def test_a_record_has_the_places_of_its_claims_with_the_claim_marked(example):
    verified(example)
    with Ledger.open(example) as ledger:
        place = ledger.get("D13").places[0]
    assert (place.document, place.line, place.text[slice(*place.mark)]) == ("briefing.md", 23, "4.15×")


def test_a_declared_record_has_the_place_of_its_entry(example):
    verified(example)
    with Ledger.open(example) as ledger:
        assert ledger.get("D12").places[0].line == 47


def test_values_that_contradict_keep_their_intervals(tmp_path):
    text = "吞吐 3,400 tok/s。\n吞吐 5,200 tok/s。\n"
    claims = {c.id: c for c in extract(read(text.encode(), "b.md"))}
    where = tuple(Location(document="b.md", line=c.line, end_line=c.line, text=c.text) for c in claims.values())
    finding = Finding(rule="CON001", rule_version="1", kind="contradiction", verdict="fail", severity="high", locations=where, claims=tuple(claims),
                      message="two values", message_zh="两个值", cause="c", fingerprint="f")  # fmt: skip
    assert [place["figures"]["interval"] for place in places([finding], claims, text)] == [[[3350.0, 3450.0]], [[5150.0, 5250.0]]]
