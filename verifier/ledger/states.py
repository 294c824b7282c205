"""Which event leads from which state to which, and what it needs. The fold of events into a record."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import date
from typing import Any, Protocol

from verifier.errors import LedgerError
from verifier.ledger.events import ordered
from verifier.ledger.numbers import is_provisional
from verifier.models import LIVE, SEVERITIES, Discrepancy, Event

MOVES: dict[str, tuple[tuple[str | None, ...], str, tuple[str, ...]]] = {
    "reserve": ((None,), "reserved", ("holder", "expires")),
    "stub": ((None,), "unknown", ()),
    "open": ((None, "reserved", "unknown"), "open", ("title", "kind", "severity", "recheck_by")),
    "take": (("open",), "checking", ()),
    "wait": (("open", "checking"), "waiting", ("waiting_on", "recheck_by")),
    "return": (("checking", "waiting"), "open", ("reason",)),
    "resolve": (("open", "checking", "waiting"), "resolved", ("resolution", "reason", "evidence")),
    "anchor": (("resolved",), "anchored", ("document", "place", "run")),
    "reopen": (("resolved", "anchored"), "open", ("reason",)),
    "void": (("reserved", "open"), "void", ("reason",)),
    "assign": (("open", "checking", "waiting", "resolved", "anchored"), "void", ("target",)),
}
STAY: dict[str, tuple[str, ...]] = {
    "carry": (), "seen_again": (), "comment": ("reason",), "evidence": ("evidence",), "severity": ("severity",), "owner": ("owner",),
    "recheck": ("recheck_by",), "conflict": (), "dismiss": ("reason", "fingerprint"), "propose": ("resolution", "reason", "evidence"), "decline": ("reason",),
}  # fmt: skip
RESOLUTIONS = {
    "corrected": (), "confirmed": (), "refuted": (), "not_comparable": ("condition",), "annotated": (), "duplicate": ("target",),
    "superseded": ("target",), "accepted": ("until",), "source_withdrawn": (), "false_alarm": (),
}  # fmt: skip
ADDED = ("findings", "documents", "claims", "sources", "places")  # what events add up to
MERGES = ("duplicate", "superseded")  # from then on the other record stands for this one
PLAIN = ("title", "title_zh", "severity", "mark", "kind", "recheck_by", "owner", "waiting_on", "problem", "impact", "suggestion", "topic")
PROPOSAL = ("resolution", "reason", "evidence", "condition", "target", "until")


def check(number: str, events: Sequence[Event], event: str, fields: dict[str, Any], day: str) -> None:
    """Raise LedgerError naming the allowed moves, or the field that is missing."""
    record = fold(number, events) if events else None
    state = record.state if record else None
    if event not in MOVES and event not in STAY:
        raise LedgerError(f"{number}: no event {event!r}; known: {', '.join((*MOVES, *STAY))}")
    if event in MOVES and state not in MOVES[event][0]:
        allowed = [name for name, (froms, _, _) in MOVES.items() if state in froms and (name != "assign" or is_provisional(number))]
        raise LedgerError(f"{number}: is {state or 'not there'}, so it cannot {event}; allowed: {', '.join(allowed) or 'nothing'}")
    needs = MOVES[event][2] if event in MOVES else STAY[event]
    missing = [f for f in needs if not fields.get(f)]
    if event == "open" and not (fields.get("claims") or fields.get("documents")):
        missing.append("claims or documents")
    if missing:
        raise LedgerError(f"{number}: {event} needs {', '.join(missing)}")
    if fields.get("severity") not in (None, *SEVERITIES):
        raise LedgerError(f"{number}: no severity {fields['severity']!r}; known: {', '.join(SEVERITIES)}")
    for name in ("recheck_by", "until", "expires"):
        _is_day(number, name, fields.get(name))
    if event in ("resolve", "propose"):
        _resolution(number, fields)
    if event == "propose" and state not in LIVE:
        raise LedgerError(f"{number}: is {state or 'not there'}, so nothing can be proposed for it; only for {', '.join(LIVE)}")
    if event == "decline" and not (record and record.proposed):
        raise LedgerError(f"{number}: nothing is proposed for it; `verify d list --proposed` shows what is")
    if event == "reopen":
        _reopening(number, events, fields, day)
    if event == "void" and any(_cites(e) for e in events):
        raise LedgerError(f"{number}: a document cites it, so it cannot be void; resolve it")


def _is_day(number: str, name: str, value: Any) -> None:
    if value:
        try:
            date.fromisoformat(str(value))
        except ValueError:
            raise LedgerError(f"{number}: {name} {value!r} is not a day such as 2026-10-28") from None


def _resolution(number: str, fields: dict[str, Any]) -> None:
    if fields["resolution"] not in RESOLUTIONS:
        raise LedgerError(f"{number}: no resolution {fields['resolution']!r}; known: {', '.join(RESOLUTIONS)}")
    if missing := [f for f in RESOLUTIONS[fields["resolution"]] if not fields.get(f)]:
        raise LedgerError(f"{number}: {fields['resolution']} needs {', '.join(missing)}")
    if fields.get("target") == number:
        raise LedgerError(f"{number}: cannot be {fields['resolution']} of itself; target names the other record")


def _reopening(number: str, events: Sequence[Event], fields: dict[str, Any], day: str) -> None:
    known = [e.data.get("evidence") for e in events]
    until = next((e.data.get("until") for e in reversed(ordered(events)) if e.event == "resolve"), None) or fold(number, events).recheck_by
    if (not fields.get("evidence") or fields["evidence"] in known) and not (until and until < day):
        raise LedgerError(f"{number}: reopen needs new evidence, or a date that has passed")


def causes(events: Sequence[Event]) -> list[str]:
    """The causes that a record stands for, in the order in which they came."""
    return list(dict.fromkeys(c for e in events for c in (e.data.get("cause"), *e.data.get("causes", ())) if c))


def _cites(event: Event) -> bool:
    return event.event in ("carry", "anchor", "stub") or bool(event.event == "open" and event.data.get("declared"))


class Told(Protocol):
    """What the fold reads of an event."""

    @property
    def event(self) -> str: ...
    @property
    def at(self) -> str: ...
    @property
    def actor(self) -> str: ...
    @property
    def reason(self) -> str | None: ...
    @property
    def data(self) -> dict[str, Any]: ...


def fold(number: str, events: Sequence[Event]) -> Discrepancy:
    """The record that its events make."""
    events = ordered(events)
    return Discrepancy.model_validate({**told(number, events), "events": tuple(events)})


def told(number: str, events: Iterable[Told]) -> dict[str, Any]:
    """A record's fields from its events in their order; later values replace earlier ones, findings and documents add up."""
    record: dict[str, Any] = {"number": number, "title": "", "state": "reserved", **{key: [] for key in ADDED}}
    for event in events:
        if event.event in MOVES:
            record["state"] = MOVES[event.event][1]
            record["proposed"] = None
        record.update({k: event.data[k] for k in PLAIN if event.data.get(k) is not None})
        if event.event == "reserve":
            record["owner"], record["recheck_by"] = event.data.get("holder"), event.data.get("expires")
        if event.event in ("propose", "decline"):
            said = {**event.data, "reason": event.reason, "by": event.actor}
            record["proposed"] = {k: said[k] for k in (*PROPOSAL, "by") if said.get(k)} if event.event == "propose" else None
        if event.data.get("cause"):
            record.setdefault("cause", event.data["cause"])
        if event.event == "open":
            record.setdefault("opened", event.at[:10])
        if event.event in ("take", "return"):
            record["waiting_on"] = None
        if event.event in ("resolve", "reopen"):
            record["resolution"] = event.data.get("resolution")
        for key in ADDED:
            record[key] += [v for v in event.data.get(key, ()) if v not in record[key]]
    return {k: tuple(v) if isinstance(v, list) else v for k, v in record.items()}
