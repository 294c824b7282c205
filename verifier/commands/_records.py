"""A D-record for a reader, for a list, and in the form that briefings write it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from verifier.models import LIVE, Discrepancy

if TYPE_CHECKING:
    from verifier.ledger.asking import Brief

LEVELS = {"low": "低", "medium": "中", "high": "高"}
MARKS = {"low": "⚠⚬⚬", "medium": "⚠⚠⚬", "high": "⚠⚠⚠"}
FIELDS = (
    "title", "state", "resolution", "severity", "mark", "kind", "cause", "topic", "opened", "recheck_by", "owner", "waiting_on",
    "problem", "impact", "suggestion",
)  # fmt: skip


def late(record: Discrepancy | Brief, today: str) -> bool:
    """Whether somebody still has to settle it and its recheck day has passed."""
    return record.state in LIVE and bool(record.recheck_by and record.recheck_by < today)


def row(record: Brief, today: str) -> str:
    """One line of a list; an overdue recheck and a proposal stand out."""
    number, state, severity, opened, owner, due, proposed, title = record
    notes = [f"overdue since {due}"] if late(record, today) else []
    notes += [f"proposed: {proposed}"] if proposed else []
    said = f"  [{'; '.join(notes)}]" if notes else ""
    return f"{number:8} {state:9} {severity or '-':7} {opened or '-':10.10} {owner or '-':8} {title}{said}"


def page(record: Discrepancy) -> str:
    """Fields, then history."""
    lines = [record.number, *(f"  {f}: {value}" for f in FIELDS if (value := getattr(record, f)))]
    for name in ("document", "source", "finding"):
        lines += [f"  {name}: {value}" for value in getattr(record, f"{name}s")]
    if record.proposed:
        lines.append("  proposed: " + ", ".join(f"{k} {v}" for k, v in record.proposed.items()))
    lines += [
        f"  {e.at[:16]} {e.event} by {e.actor}{f' in run {e.run}' if e.run else ''}{f': {e.reason}' if e.reason else ''}" for e in record.events
    ]
    return "\n".join(lines)


def briefing(records: Sequence[Discrepancy]) -> str:
    """The entries in the authors' own form, and the rows of their D table, ready to paste."""
    lines = []
    for record in records:
        impact = record.impact or (f"{len(record.claims)} 条论断以此为据（{'、'.join(record.documents)}）" if record.claims else None)
        parts = (("问题", record.problem or _title(record)), ("影响", impact), ("建议", record.suggestion or "待核"))
        lines += [f"{record.number}：{_title(record)}（{_mark(record)}）", "", *(f"  • {name}：{_line(text)}" for name, text in parts if text), ""]
    return "\n".join([*lines, "编号 内容 风险等级", *map(_cells, records)])


def _cells(record: Discrepancy) -> str:
    return f"{record.number} {_mark(record)} {_title(record)} {LEVELS.get(record.severity or '', '—')}"


def _mark(record: Discrepancy) -> str:
    return record.mark or MARKS.get(record.severity or "", "⚠")


def _title(record: Discrepancy) -> str:
    return _line(record.title_zh or record.title)


def _line(text: str) -> str:
    return " ".join(text.split())
