"""The weekly open-D report, from records alone: the same bytes for the same records."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from typing import Any

from verifier.models import LIVE, SEVERITIES, Discrepancy

AGES = ((7, "0–7"), (14, "8–14"), (30, "15–30"), (10**9, "> 30"))
LEVELS = SEVERITIES[::-1]
ZH = {"high": "高", "medium": "中", "low": "低"}
HEADS = {
    "en": (
        "Open D-records",
        "What is open",
        "What changed this week",
        "Overdue or stuck",
        "D table",
        "none",
        "age in days",
        "level",
        "number",
        "title",
    ),
    "zh": ("未决 D 周报", "未决", "本周变化", "逾期或卡住", "矛盾/待核", "无", "天数", "风险等级", "编号", "内容"),
}


def _age(record: Discrepancy, as_of: date) -> int:
    return (as_of - date.fromisoformat(record.opened)).days if record.opened else 0


def _week(day: str) -> str:
    year, week, _ = date.fromisoformat(day[:10]).isocalendar()
    return f"{year}-W{week:02d}"


def tables(records: Sequence[Discrepancy], week: str, as_of: date) -> dict[str, list[dict[str, Any]]]:
    """{open, changes, overdue, ageing} as rows. A carried record keeps its age; stubs of unknown content are in none."""
    import pandas as pd

    live = [r for r in records if r.state in LIVE and (not r.opened or r.opened <= as_of.isoformat())]
    live.sort(key=lambda r: (LEVELS.index(r.severity or "low"), -_age(r, as_of), r.number))
    rows = [{"number": r.number, "title": r.title, "level": r.severity, "state": r.state, "age": _age(r, as_of), "owner": r.owner,
             "depends": len(r.claims), "documents": list(r.documents)} for r in live]  # fmt: skip
    events = [(e.event, _week(e.at)) for r in records if r.state != "unknown" for e in r.events]
    frame = pd.DataFrame(events, columns=["event", "week"])
    counted = frame.groupby(["week", "event"]).size() if len(frame) else pd.Series(dtype=int)
    before = _week(date.fromordinal(date.fromisocalendar(int(week[:4]), int(week[6:]), 1).toordinal() - 1).isoformat())
    names = ("open", "resolve", "reopen", "carry", "seen_again", "severity")
    changes = [{"event": n, "this_week": int(counted.get((week, n), 0)), "last_week": int(counted.get((before, n), 0))} for n in names]
    overdue = [{"number": r.number, "title": r.title, "recheck_by": r.recheck_by, "on": r.waiting_on or r.owner} for r in live
               if r.recheck_by and r.recheck_by < as_of.isoformat()]  # fmt: skip
    ages = [(_age(r, as_of), r.severity) for r in live]
    ageing: list[dict[str, Any]] = []
    low = -1
    for high, name in AGES:
        ageing.append({"age": name} | {str(level): sum(low < age <= high and own == level for age, own in ages) for level in LEVELS})
        low = high
    return {"open": rows, "changes": changes, "overdue": overdue, "ageing": ageing}


def weekly(records: Sequence[Discrepancy], week: str, as_of: date, lang: str = "en") -> str:
    """Markdown in the order a coordinator asks: what is open, what changed, what is overdue, the table to paste."""
    made = tables(records, week, as_of)
    title, is_open, changed, late, table, none, age, level, number, text = HEADS[lang]
    lines = [f"# {title} {week}", "", f"{as_of.isoformat()}", "", f"## {is_open} ({len(made['open'])})", ""]
    lines += _table([age, *LEVELS], [[r["age"], *(str(r[x]) for x in LEVELS)] for r in made["ageing"]])
    lines += ["", f"## {changed}", "", *_table(["", week, "−1"], [[r["event"], str(r["this_week"]), str(r["last_week"])] for r in made["changes"]])]
    lines += ["", f"## {late} ({len(made['overdue'])})", ""]
    lines += _table([number, text, "recheck", "→"], [[r["number"], r["title"], r["recheck_by"], r["on"] or "—"] for r in made["overdue"]]) or [none]
    lines += ["", f"## {table}", ""]
    rows = [[r["number"], r["title"], ZH[r["level"] or "low"] if lang == "zh" else str(r["level"]), str(r["age"])] for r in made["open"]]
    lines += _table([number, text, level, age], rows) or [none]
    return "\n".join(lines) + "\n"


def _table(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> list[str]:
    if not rows:
        return []
    clean = [[str(cell).replace("|", "\\|").replace("\n", " ") for cell in row] for row in rows]
    return ["| " + " | ".join(heads) + " |", "|" + "---|" * len(heads), *("| " + " | ".join(row) + " |" for row in clean)]
