"""Database and mirror tell one story: after crashes, merges, and a rebuild."""

from __future__ import annotations

import tempfile
from datetime import timedelta
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ledger.conftest import emptied
from ledger.test_ledger import NOW, finding, record
from verifier.errors import Diverged, LedgerError
from verifier.ledger import Ledger
from verifier.ledger import events as history
from verifier.ledger.mirror import Line, Mirror
from verifier.ledger.states import MOVES, STAY
from verifier.models import Carried, Claim, Declared, to_json

MANY = {
    "reason": "r", "resolution": "confirmed", "waiting_on": "kim", "recheck_by": "2026-10-28", "severity": "low", "owner": "kim",
    "document": "live.md", "place": "4", "run": "g1",
}  # fmt: skip
MOVED = [name for name in (*MOVES, *STAY) if name not in ("open", "stub", "reserve", "assign", "dismiss")]
STEP = st.one_of(
    st.tuples(st.integers(1, 8), st.sampled_from(MOVED), st.integers(0, 3)),
    st.tuples(st.sampled_from(["run", "import", "open", "reserve", "dismiss", "duplicate", "undo"]), st.integers(1, 8), st.integers(0, 9)),
)


def step(ledger, one, two, three):
    """Anything that may happen to a ledger; what is refused leaves it as it was."""
    who = {"actor": "jay", "now": NOW + timedelta(minutes=three)}
    cause = f"c{two}"
    try:
        match one:
            case "run":
                record(ledger, [cause, f"c{three}"], run=f"r{three}")
            case "import":
                record(ledger, [], run=f"i{three}", declared=[Declared(number=two + 4, title=f"title {three}", line=1, end_line=1)])
            case "open":
                ledger.open_record(title="t", severity="low", recheck_by="2026-10-28", documents=["b.md"], **who)
            case "reserve":
                ledger.reserve(2, holder="jay", expires=f"2026-09-{20 + three}", **who)
            case "dismiss":
                ledger.dismiss(cause, reason="r", **who)
            case "duplicate":
                ledger.transition(f"D{two}", "resolve", **who, reason="r", evidence="e", resolution="duplicate", target=f"D{three}")
            case "undo":
                ledger.undo(f"r{three}", **who)
            case _:
                ledger.transition(f"D{one}", two, **who, **{**MANY, "evidence": f"e{three}"})
    except LedgerError:
        return


def everything(ledger):
    """All that a ledger can be asked."""
    with ledger._writing() as writing:
        causes = {cause: r.number for cause, r in writing.holders(f"c{n}" for n in range(10)).items()}
        highest = writing.highest()
    return ledger.records(), ledger.list(), ledger.dismissed(), ledger.anchors("live.md"), causes, highest


@pytest.mark.parametrize("kind", ["sqlite", "postgresql"])
def test_a_rebuild_or_another_database_gives_the_same_records(kind, request):
    address = None if kind == "sqlite" else request.getfixturevalue("postgres")

    @settings(max_examples=12, deadline=None, suppress_health_check=[HealthCheck.too_slow])
    @given(steps=st.lists(STEP, max_size=14))
    def same(steps):
        with tempfile.TemporaryDirectory() as folder:
            root = Path(folder)
            with Ledger.open(root, address and emptied(address)) as ledger:
                record(ledger, ["c1", "c2"], carried=[Carried(first=3, last=4, line=1, text="D3-D4")])
                for one in steps:
                    step(ledger, *one)
                before = everything(ledger)
                assert [r.model_copy(update={"events": (), "places": ()}) for r in before[0]] == before[1]
                assert ledger.check() == [] and ledger.rebuild() == []
                assert everything(ledger)[:3] == before[:3] and everything(ledger)[4:] == before[4:]
            with Ledger.open(root, address and emptied(address) or f"sqlite:///{root}/other.db") as other:
                assert everything(other)[:2] == before[:2] and everything(other)[4] == before[4]

    same()


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
