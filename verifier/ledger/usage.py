"""What became of each rule's findings, from the records: how often it spoke, and how often somebody called that wrong."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from verifier.models import LIVE, Discrepancy


class Usage(NamedTuple):
    """`findings` that stand or stood in `records`, of which `live` wait; `dismissed` as false alarms."""

    records: int = 0
    live: int = 0
    findings: int = 0
    dismissed: int = 0


def usage(records: Iterable[Discrepancy]) -> dict[str, Usage]:
    """By the name that a rule had when the record was opened. Records need their events."""
    out: dict[str, Usage] = {}
    for record in records:
        if not record.cause:
            continue
        rule = record.cause.partition("|")[0]
        before = out.get(rule, Usage())
        dismissed = {str(e.data.get("fingerprint")) for e in record.events if e.event == "dismiss"}
        out[rule] = Usage(
            before.records + 1, before.live + (record.state in LIVE), before.findings + len(record.findings), before.dismissed + len(dismissed)
        )
    return out
