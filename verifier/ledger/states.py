"""Which event leads from which state to which, and what it needs. The fold of events into a record."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from verifier.errors import LedgerError
from verifier.models import Discrepancy, Event

MOVES: dict[str, tuple[tuple[str | None, ...], str, tuple[str, ...]]] = {
    "reserve": ((None,), "reserved", ("holder", "expires")),
    "stub": ((None,), "unknown", ()),
    "open": ((None, "reserved", "unknown"), "open", ("title", "severity", "recheck_by")),
    "take": (("open",), "checking", ()),
    "wait": (("open", "checking"), "waiting", ("waiting_on", "recheck_by")),
    "return": (("checking", "waiting"), "open", ("reason",)),
    "resolve": (("open", "checking", "waiting"), "resolved", ("resolution", "reason", "evidence")),
    "anchor": (("resolved",), "anchored", ("document", "place")),
    "reopen": (("resolved", "anchored"), "open", ("reason", "evidence")),
    "void": (("reserved", "open"), "void", ("reason",)),
}
STAY = ("carry", "seen_again", "comment", "evidence", "severity", "owner", "recheck", "conflict")
RESOLUTIONS = {
    "corrected": (), "confirmed": (), "refuted": (), "not_comparable": ("condition",), "annotated": (), "duplicate": ("target",),
    "superseded": ("target",), "accepted": ("until",), "source_withdrawn": (), "false_alarm": (),
}  # fmt: skip
LIVE = ("open", "checking", "waiting")


def check(number: str, state: str | None, event: str, fields: dict[str, Any]) -> None:
    """Raise LedgerError naming the allowed moves, or the field that is missing."""
    if event in STAY:
        return
    if event not in MOVES:
        raise LedgerError(f"{number}: no event {event!r}; known: {', '.join((*MOVES, *STAY))}")
    sources, _, needs = MOVES[event]
    if state not in sources:
        allowed = [name for name, (froms, _, _) in MOVES.items() if state in froms]
        raise LedgerError(f"{number}: is {state or 'not there'}, so it cannot {event}; allowed: {', '.join(allowed) or 'nothing'}")
    if missing := [f for f in needs if not fields.get(f)]:
        raise LedgerError(f"{number}: {event} needs {', '.join(missing)}")
    if event == "resolve":
        if fields["resolution"] not in RESOLUTIONS:
            raise LedgerError(f"{number}: no resolution {fields['resolution']!r}; known: {', '.join(RESOLUTIONS)}")
        if missing := [f for f in RESOLUTIONS[fields["resolution"]] if not fields.get(f)]:
            raise LedgerError(f"{number}: {fields['resolution']} needs {', '.join(missing)}")


def fold(number: str, events: Sequence[Event]) -> Discrepancy:
    """The record that its events make; later values replace earlier ones, findings and documents add up."""
    record: dict[str, Any] = {"number": number, "title": "", "state": "reserved", "findings": [], "documents": [], "claims": []}
    plain = ("title", "severity", "mark", "kind", "cause", "recheck_by", "owner", "waiting_on", "problem", "impact", "suggestion")
    for event in events:
        if event.event in MOVES:
            record["state"] = MOVES[event.event][1]
        record.update({k: event.data[k] for k in plain if event.data.get(k) is not None})
        if event.event == "open":
            record.setdefault("opened", event.at[:10])
        if event.event in ("resolve", "reopen"):
            record["resolution"] = event.data.get("resolution")
        for key in ("findings", "documents", "claims"):
            record[key] += [v for v in event.data.get(key, ()) if v not in record[key]]
    return Discrepancy.model_validate({**{k: tuple(v) if isinstance(v, list) else v for k, v in record.items()}, "events": tuple(events)})
