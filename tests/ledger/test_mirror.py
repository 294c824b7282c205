"""Database and mirror tell one story: after crashes, merges, and a rebuild."""

from __future__ import annotations

import tempfile
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ledger.test_ledger import NOW, finding, record
from verifier.errors import Diverged, LedgerError
from verifier.ledger import Ledger
from verifier.ledger import events as history
from verifier.ledger.mirror import Line, Mirror
from verifier.models import Carried, Claim, Declared, to_json

MANY = {"reason": "r", "resolution": "confirmed", "evidence": "e", "waiting_on": "kim", "recheck_by": "2026-10-28"}
STEP = st.tuples(st.integers(3, 6), st.sampled_from(["take", "wait", "return", "resolve", "reopen", "void", "comment", "carry"]), st.integers())


@settings(max_examples=6, deadline=None)
@given(steps=st.lists(STEP, max_size=12))
def test_a_rebuild_gives_the_same_records(steps):
    with tempfile.TemporaryDirectory() as folder, Ledger.open(Path(folder)) as ledger:
        record(ledger, ["a", "b"], carried=[Carried(first=3, last=4, line=1, text="D3-D4")])
        for n, event, evidence in steps:
            try:
                ledger.transition(f"D{n}", event, actor="jay", now=NOW, **{**MANY, "evidence": str(evidence)})
            except LedgerError:
                continue
        before = ledger.records(), ledger.list()
        assert ledger.check() == [] and ledger.rebuild() == []
        assert (ledger.records(), ledger.list()) == before
        (number,) = {r.number for r in record(ledger, ["c"], run="r9")}
        assert number == "D7"


def test_a_crash_between_database_and_mirror_is_mended(tmp_path, monkeypatch):
    with Ledger.open(tmp_path) as ledger:
        record(ledger, ["a"])
        with monkeypatch.context() as patch:
            patch.setattr(Mirror, "append", lambda *_: (_ for _ in ()).throw(KeyboardInterrupt))
            with pytest.raises(KeyboardInterrupt):
                record(ledger, ["a", "b"], run="r2")
        assert "lacks 2 events" in ledger.check()[0]
        before = ledger.records()
    with Ledger.open(tmp_path) as ledger:
        assert ledger.check() == [] and ledger.records() == before
        ledger.rebuild()
        assert ledger.records() == before


def test_conflicting_changes_block_until_one_line_is_kept(tmp_path):
    with Ledger.open(tmp_path) as ledger:
        record(ledger, ["a"])
        base = ledger.get("D1").events
        ledger.transition("D1", "take", actor="jay", now=NOW)
        other = history.make("D1", "void", now=NOW, actor="kim", after=base, reason="r")
        ledger._mirror.append([Line(other, to_json(other))])
    with pytest.raises(Diverged, match="two conflicting changes of D1"):
        Ledger.open(tmp_path)
    path = tmp_path / "claims" / "ledger" / "D0001.jsonl"
    path.write_text("".join(line for line in path.read_text().splitlines(True) if '"take"' not in line))
    with Ledger.open(tmp_path, mend=False) as ledger:
        assert "conflicting" in ledger.check()[0]
        assert len(ledger.rebuild()) == 1
        assert ledger.get("D1").state == "void" and ledger.check() == []


def test_a_void_record_frees_its_cause_and_never_its_number(tmp_path):
    with Ledger.open(tmp_path) as ledger:
        record(ledger, ["a"])
        ledger.transition("D1", "void", actor="jay", now=NOW, reason="slip")
        assert [(r.number, r.what) for r in record(ledger, ["a"], run="r2")] == [("D2", "opened")]


def test_a_dismissed_finding_opens_nothing(tmp_path):
    with Ledger.open(tmp_path) as ledger:
        record(ledger, ["a"])
        done = ledger.dismiss("a", actor="jay", now=NOW, reason="rounded")
        assert (done.state, done.resolution, ledger.dismissed()) == ("resolved", "false_alarm", {"a"})
        assert record(ledger, ["a"], run="r2") == []


def test_a_finding_is_tied_to_the_entry_that_restates_it_also_after_a_rebuild(tmp_path):
    entry = Declared(number=9, title="加速比 4.15× 与基线不符", line=1, end_line=1)
    with Ledger.open(tmp_path) as ledger:
        assert [(r.number, r.what) for r in record(ledger, ["a"], declared=[entry])] == [("D9", "imported")]
        assert ledger.get("D9").cause == "a"
        ledger.rebuild()
        assert [(r.number, r.what) for r in record(ledger, ["a"], run="r2")] == [("D9", "seen_again")]
        clash = entry.model_copy(update={"title": "4.15× of something else"})
        assert [r.what for r in record(ledger, ["b"], run="r3", declared=[clash])] == ["conflict", "opened"]
        far = Declared(number=10**12, title="slip", line=1, end_line=1)
        assert record(ledger, [], run="r4", declared=[far])[0].what == "conflict"


def test_claims_are_remembered_by_document_and_found_by_what_they_are_about(tmp_path):
    claim = Claim(
        id="c",
        document="b.md",
        line=1,
        end_line=1,
        column=1,
        start=0,
        end=3,
        text="70%",
        form="value",
        value=70,
        unit="percent",
        metric="utilization",
    )
    with Ledger.open(tmp_path) as ledger:
        ledger.remember_claims("b.md", "digest", [claim], "r1")
        assert list(ledger.verified("b.md")) == ["c"] and ledger.verified("c.md") == {}
        assert ledger.find_claims([claim.model_copy(update={"id": "d"})]) == [claim]


def test_anchors_reserves_and_repeated_opens(tmp_path):
    with Ledger.open(tmp_path) as ledger:
        again = {"title": "t", "severity": "low", "recheck_by": "2026-10-28", "documents": ["b.md"], "op_id": "o", "actor": "jay", "now": NOW}
        assert ledger.open_record(**again) == ledger.open_record(**again)
        ledger.transition("D1", "resolve", actor="jay", now=NOW, reason="r", resolution="confirmed", evidence="e")
        ledger.transition("D1", "anchor", actor="jay", now=NOW, document="live.md", place="4", run="g1")
        assert [e.number for e in ledger.anchors("live.md")] == ["D1"]
        assert ledger.reserve(2, holder="jay", expires="2026-10-01", actor="jay", now=NOW) == ["D2", "D3"]
        assert record(ledger, [finding("a").cause])[0].number == "D4"
