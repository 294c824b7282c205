"""Every state against every event: the table of moves, and what each refusal says."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from verifier.errors import LedgerError
from verifier.ledger import events as history
from verifier.ledger.states import MOVES, RESOLUTIONS, STAY, check, fold

NOW = datetime(2026, 9, 28, 10, tzinfo=UTC)
PATHS = {
    None: (), "reserved": ("reserve",), "unknown": ("stub",), "open": ("open",), "checking": ("open", "take"), "waiting": ("open", "wait"),
    "resolved": ("open", "resolve"), "anchored": ("open", "resolve", "anchor"), "void": ("open", "void"),
}  # fmt: skip
FIELDS = {
    "title": "t", "kind": "manual", "severity": "high", "recheck_by": "2026-10-28", "documents": ["b.md"], "holder": "jay", "expires": "2026-10-01",
    "waiting_on": "kim", "reason": "r", "resolution": "confirmed", "evidence": "new", "document": "b.md", "place": "4", "run": "g1",
    "owner": "kim", "fingerprint": "f", "target": "D9",
}  # fmt: skip


def chain(*names, **data):
    out = []
    for name in names:
        out.append(history.make("D1", name, now=NOW, actor="jay", after=out, data=data))
    return out


@pytest.mark.parametrize("state", PATHS)
@pytest.mark.parametrize("event", MOVES)
def test_moves_are_those_of_the_table(state, event):
    before = chain(*PATHS[state])
    if state in MOVES[event][0]:
        check("D1", before, event, FIELDS, "2026-09-28")
        made = history.make("D1", event, now=NOW, actor="jay", after=before)
        assert fold("D1", [*before, made]).state == MOVES[event][1]
    else:
        with pytest.raises(LedgerError, match="allowed: "):
            check("D1", before, event, FIELDS, "2026-09-28")


@pytest.mark.parametrize(("event", "field"), [(e, f) for e, (_, _, needs) in MOVES.items() for f in needs] + [(e, f) for e in STAY for f in STAY[e]])
def test_a_missing_field_is_named(event, field):
    state = MOVES[event][0][-1] if event in MOVES else "open"
    with pytest.raises(LedgerError, match=f"needs .*{field}"):
        check("D1", chain(*PATHS[state]), event, {**FIELDS, field: None}, "2026-09-28")


@pytest.mark.parametrize(("resolution", "field"), [(r, f) for r, needs in RESOLUTIONS.items() for f in needs])
def test_a_resolution_names_its_missing_field(resolution, field):
    with pytest.raises(LedgerError, match=f"{resolution} needs {field}"):
        check("D1", chain("open"), "resolve", {**FIELDS, "resolution": resolution, field: None}, "2026-09-28")


def test_reopening_needs_new_evidence_or_a_date_that_passed():
    settled = chain("open", "resolve", evidence="old", until="2026-10-01")
    with pytest.raises(LedgerError, match="new evidence"):
        check("D1", settled, "reopen", {"reason": "r", "evidence": "old"}, "2026-09-30")
    check("D1", settled, "reopen", {"reason": "r", "evidence": "new"}, "2026-09-30")
    check("D1", settled, "reopen", {"reason": "r"}, "2026-10-02")


def test_what_a_document_cites_is_not_voided():
    with pytest.raises(LedgerError, match="a document cites it"):
        check("D1", chain("open", "carry"), "void", FIELDS, "2026-09-28")


def test_branches_join_but_two_changes_of_state_conflict():
    base = chain("open")
    said = history.make("D1", "comment", now=NOW, actor="kim", after=base, reason="hm")
    taken = history.make("D1", "take", now=NOW, actor="jay", after=base)
    void = history.make("D1", "void", now=NOW, actor="kim", after=base, reason="r")
    assert history.conflict([*base, said, taken], MOVES) is None
    assert set(history.heads([*base, said, taken])) == {said.id, taken.id}
    assert fold("D1", [said, taken, *base]) == fold("D1", [*base, taken, said])
    assert history.conflict([*base, taken, void], MOVES)
