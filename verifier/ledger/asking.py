"""Which records are asked for, as SQL that every database here reads, with named values."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from verifier.models import LIVE, Discrepancy, Severity, State


class Brief(NamedTuple):
    """What a list says of a record; `proposed` is the resolution that is suggested."""

    number: str
    state: State
    severity: Severity | None
    opened: str | None
    owner: str | None
    recheck_by: str | None
    proposed: str | None
    title: str


def about(record: Discrepancy) -> dict[str, str]:
    """The columns in which `source` and `topic` are looked for: a line a text, without difference of case."""
    return {"sources": _folded(*record.sources, record.cause), "topic": _folded(record.topic, record.title)}


def asking(columns: Sequence[str], state: State | None = None, severity: Severity | None = None, owner: str | None = None, *, live: bool = False,
           overdue: str | None = None, proposed: bool = False, but: Sequence[State] = (), source: str | None = None,
           topic: str | None = None) -> tuple[str, dict[str, str]]:  # fmt: skip
    """(query, values) of the records for which all that is given holds, by number.

    `live`: somebody still has to settle them. `overdue`: due again before this day. `but`: not in these states.
    `source`, `topic`: this text is in what they are about.
    """
    given = {"state": state, "severity": severity, "owner": owner}
    values = {name: value for name, value in given.items() if value is not None}
    terms = [f"{name} = :{name}" for name in values]
    if live:
        terms.append(f"state IN ({', '.join(map(repr, LIVE))})")
    if overdue:
        terms.append("recheck_by < :overdue")
        values["overdue"] = overdue
    if proposed:
        terms.append("proposed IS NOT NULL")
    for at, one in enumerate(but):
        terms.append(f"state <> :but{at}")
        values[f"but{at}"] = one
    for name, column, text in (("source", "sources", source), ("about", "topic", topic)):
        if text:
            terms.append(f"{column} LIKE :{name} ESCAPE '!'")
            values[name] = "%" + "".join(f"!{c}" if c in "!%_" else c for c in _folded(text)) + "%"
    return f"SELECT {', '.join(columns)} FROM records{' WHERE ' if terms else ''}{' AND '.join(terms)} ORDER BY n, number", values


def _folded(*texts: str | None) -> str:
    return "\n".join(text for text in texts if text).casefold()
