"""One line of history: its content id, its order among others, and what contradicts it."""

from __future__ import annotations

import hashlib
import heapq
import json
from collections.abc import Collection, Sequence
from datetime import UTC, datetime
from typing import Any

from verifier.models import Event, to_json


def content_id(body: str) -> str:
    """The id that an event's line must have; fields that this program does not know count too."""
    fields = json.loads(body)
    fields.pop("id", None)
    return hashlib.sha256(json.dumps(fields, sort_keys=True, ensure_ascii=False).encode()).hexdigest()[:24]


def make(number: str, event: str, *, now: datetime, actor: str, after: Sequence[Event], run: str | None = None,
         reason: str | None = None, op_id: str | None = None, data: dict[str, Any] | None = None) -> Event:  # fmt: skip
    """A new event that follows the heads of `after`."""
    draft = Event(id="", parents=heads(after), number=number, event=event, at=now.astimezone(UTC).isoformat(timespec="seconds"),
                  actor=actor, run=run, reason=reason, op_id=op_id, data=data or {})  # fmt: skip
    return sealed(draft)


def sealed(draft: Event) -> Event:
    """The event with the id that its content demands."""
    return draft.model_copy(update={"id": content_id(to_json(draft))})


def heads(events: Sequence[Event]) -> tuple[str, ...]:
    """The events that none follows; two after a merge of branches."""
    followed = {parent for event in events for parent in event.parents}
    return tuple(sorted(event.id for event in events if event.id not in followed))


def ordered(events: Sequence[Event]) -> list[Event]:
    """Parents first, then by time and id: the same order whatever database or merge they came through."""
    by_id = {event.id: event for event in events}
    waits = {event.id: {p for p in event.parents if p in by_id} for event in by_id.values()}
    children: dict[str, list[str]] = {}
    for ident, parents in waits.items():
        for parent in parents:
            children.setdefault(parent, []).append(ident)
    ready = [(by_id[i].at, i) for i, parents in waits.items() if not parents]
    heapq.heapify(ready)
    out: list[Event] = []
    while ready:
        _, ident = heapq.heappop(ready)
        out.append(by_id[ident])
        for child in children.get(ident, ()):
            waits[child].discard(ident)
            if not waits[child]:
                heapq.heappush(ready, (by_id[child].at, child))
    return out


def conflict(events: Sequence[Event], changing: Collection[str]) -> tuple[Event, Event] | None:
    """Two changes of state of which neither follows the other, if there are any."""
    above: dict[str, set[str]] = {}
    changes: list[Event] = []
    for event in ordered(events):
        above[event.id] = set(event.parents).union(*(above.get(p, set()) for p in event.parents))
        if event.event in changing:
            for earlier in changes:
                if earlier.id not in above[event.id]:
                    return earlier, event
            changes.append(event)
    return None
