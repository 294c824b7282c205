"""The sums of a report: plain rows by table name, the same for every language and form. pandas adds up."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from datetime import date, timedelta
from functools import partial
from typing import TYPE_CHECKING, Any

from verifier.models import LIVE, SEVERITIES
from verifier.reports._history import Ran, Record, Step
from verifier.reports._period import DAY, Period, week_of

if TYPE_CHECKING:
    import pandas as pd

Rows = list[dict[str, Any]]
LEVELS: tuple[str, ...] = SEVERITIES[::-1]
AGES = (("0–7", 7), ("8–14", 14), ("15–30", 30), ("> 30", 10**6))
WEEKS = 12  # that pictures look back
STILL = 30  # days without anything new after which an open record is stuck
SOURCES, KINDS = 10, 8  # of the heat map
EVENTS = ("open", "resolve", "reopen", "carry", "seen_again", "raised", "lowered", "void")


def danger(record: Record) -> tuple[Any, ...]:
    """What is worse comes first: the level, then how much rests on it, then how long it has been open."""
    return LEVELS.index(record.level), -(len(record.claims) + len(record.documents)), record.opened


def late(record: Record, day: date) -> bool:
    return bool(record.recheck_by) and record.recheck_by < day.isoformat()


def stuck(record: Record, day: date) -> bool:
    """Waiting for somebody, or nothing new for a month."""
    return record.state == "waiting" or (day - record.moved).days > STILL


def tables(now: Sequence[Record], then: Sequence[Record], steps: Sequence[Step], ran: Sequence[Ran], period: Period) -> dict[str, Rows]:
    """`now`, `then`: the records at the end of the period and before it began; `steps`, `ran`: everything up to its end."""
    live, before = sorted((r for r in now if r.live), key=danger), [r for r in then if r.live]
    day = period.last
    return {
        "totals": _totals(live, before, period),
        "open": [_open(r, day) for r in live],
        "ageing": _ageing(live, before, period),
        "changes": _changes(steps, period),
        **_lists(steps, period, {r.number: r for r in now}),
        "overdue": [{"number": r.number, "title": r.title, "level": r.level, "recheck_by": r.recheck_by,
                     "days": (day - date.fromisoformat(r.recheck_by)).days, "on": r.waiting_on or r.owner} for r in live if late(r, day)],
        "stuck": [{"number": r.number, "title": r.title, "level": r.level, "state": r.state, "since": r.moved.isoformat(),
                   "days": (day - r.moved).days, "on": r.waiting_on or r.owner} for r in live if stuck(r, day)],
        "owners": _owners(live, day),
        "proposed": [{"number": r.number, "title": r.title, "level": r.level, "resolution": r.proposed.get("resolution"),
                      "reason": r.proposed.get("reason"), "evidence": r.proposed.get("evidence"), "by": r.proposed.get("by")} for r in live if r.proposed],
        "evidence": _evidence(steps, live, period),
        **_trouble(live, before, steps, now, period),
        **_tool(ran, steps, period),
        "weeks": _weeks(steps, day),
        "series": _series(steps, day),
    }  # fmt: skip


def _open(r: Record, day: date) -> dict[str, Any]:
    return {"number": r.number, "mark": r.mark, "title": r.title, "title_zh": r.title_zh, "level": r.level, "state": r.state, "age": (day - r.opened).days,
            "opened": r.opened.isoformat(), "depends": len(r.claims), "documents": list(r.documents), "owner": r.owner, "waiting_on": r.waiting_on,
            "recheck_by": r.recheck_by, "overdue": late(r, day), "kind": r.kind, "rule": r.rule, "topic": r.topic, "sources": list(r.sources)}  # fmt: skip


def _frame(records: Iterable[Record], day: date) -> pd.DataFrame:
    import pandas as pd

    rows = [
        (r.level, (day - r.opened).days, r.waiting_on or r.owner, r.owner, r.kind, r.rule, r.topic, late(r, day), bool(r.proposed)) for r in records
    ]
    return pd.DataFrame(rows, columns=["level", "age", "on", "owner", "kind", "rule", "topic", "late", "proposed"])


def _totals(live: Sequence[Record], before: Sequence[Record], period: Period) -> Rows:
    sides = [_frame(live, period.last), _frame(before, period.before.last)]
    counted: dict[str, Callable[[pd.DataFrame], Any]] = {"open": len}
    counted |= {level: partial(_of_level, level) for level in LEVELS}
    counted |= {"overdue": lambda f: f["late"].sum(), "proposed": lambda f: f["proposed"].sum()}
    return [{"what": name, **_pair(*(count(side) for side in sides))} for name, count in counted.items()]


def _whole(count: Any) -> int:
    return int(count)


def _of_level(level: str, frame: pd.DataFrame) -> int:
    return int((frame["level"] == level).sum())


def _pair(now: Any, before: Any) -> dict[str, int]:
    return {"now": int(now), "before": int(before)}


def _ageing(live: Sequence[Record], before: Sequence[Record], period: Period) -> Rows:
    import pandas as pd

    def bands(records: Sequence[Record], day: date) -> pd.DataFrame:
        frame = _frame(records, day)
        edges = [-(10**6), *(end for _, end in AGES)]
        band = pd.cut(frame["age"].astype(int), edges, labels=[name for name, _ in AGES])
        return pd.crosstab(band, frame["level"]).reindex(index=[name for name, _ in AGES], columns=LEVELS, fill_value=0)

    now, then = bands(live, period.last), bands(before, period.before.last)
    return [
        {"age": name, **{level: _whole(now.at[name, level]) for level in LEVELS}, **_pair(now.loc[name].sum(), then.loc[name].sum())}
        for name, _ in AGES
    ]


def _happened(step: Step) -> str:
    if step.event == "severity":
        return "raised" if LEVELS.index(step.level) < LEVELS.index(step.level_was) else "lowered"
    return step.event


def _changes(steps: Sequence[Step], period: Period) -> Rows:
    """How many records each thing happened to, however often."""

    def counted(days: Period) -> dict[str, int]:
        found: dict[str, set[str]] = {}
        for step in steps:
            if days.first <= step.day <= days.last:
                found.setdefault(_happened(step), set()).add(step.number)
        return {name: len(numbers) for name, numbers in found.items()}

    now, before = counted(period), counted(period.before)
    return [{"event": name, "now": now.get(name, 0), "before": before.get(name, 0)} for name in EVENTS]


def _lists(steps: Sequence[Step], period: Period, known: Mapping[str, Record]) -> dict[str, Rows]:
    """The records that were opened, settled, reopened, or given another level in the period, as they happened."""
    found: dict[str, Rows] = {"opened": [], "settled": [], "reopened": [], "severity": []}
    names = {"open": "opened", "resolve": "settled", "reopen": "reopened", "severity": "severity"}
    for step in sorted(
        (s for s in steps if s.event in names and period.has(s.day) and s.number in known), key=lambda s: (s.day, LEVELS.index(s.level))
    ):
        row: dict[str, Any] = {
            "day": step.day.isoformat(),
            "number": step.number,
            "title": known[step.number].title,
            "level": step.level,
            "by": step.actor,
        }
        if step.event == "resolve":
            row |= {"resolution": step.data.get("resolution"), "reason": step.reason, "evidence": step.data.get("evidence")}
        if step.event in ("reopen", "severity"):
            row |= {"was": step.level_was if step.event == "severity" else step.was, "reason": step.reason}
        found[names[step.event]].append(row)
    return found


def _owners(live: Sequence[Record], day: date) -> Rows:
    """On whom records rest: who is waited for, else the owner."""
    if not live:
        return []
    frame = _frame(live, day)
    grouped = frame.groupby("on").agg(
        open=("age", "size"), high=("level", lambda s: int((s == "high").sum())), overdue=("late", "sum"), oldest=("age", "max")
    )
    grouped = grouped.reset_index().sort_values(["overdue", "high", "open", "on"], ascending=[False, False, False, True])
    return [
        {"on": on, "open": int(n), "high": int(high), "overdue": int(due), "oldest": int(age)}
        for on, n, high, due, age in grouped.itertuples(index=False)
    ]


def _evidence(steps: Sequence[Step], live: Sequence[Record], period: Period) -> Rows:
    """What arrived in the period for records that are still open and have no proposal."""
    waiting = {r.number: r for r in live if not r.proposed}
    return [{"day": s.day.isoformat(), "number": s.number, "title": waiting[s.number].title, "level": waiting[s.number].level, "reason": s.reason,
             "evidence": s.data.get("evidence")} for s in steps if s.event == "evidence" and period.has(s.day) and s.number in waiting]  # fmt: skip


def _trouble(live: Sequence[Record], before: Sequence[Record], steps: Sequence[Step], now: Sequence[Record], period: Period) -> dict[str, Rows]:
    """Where the open records come from: by source, rule and topic, beside those of the period before."""
    import pandas as pd

    known = {r.number: r for r in now}
    fresh = {s.number for s in steps if s.event == "open" and period.has(s.day)} & known.keys()
    false = {s.number for s in steps if s.event == "dismiss" and period.has(s.day)} & known.keys()

    def sides(of: Callable[[Record], Collection[str]], name: str) -> Rows:
        groups = {"open": live, "before": before, "opened": [known[n] for n in fresh], "dismissed": [known[n] for n in false]}
        counted = pd.DataFrame(
            {side: pd.Series([value for r in group for value in of(r)], dtype=object).value_counts() for side, group in groups.items()}
        )
        counted = counted.fillna(0).astype(int).rename_axis(name).reset_index().sort_values(["open", "opened", name], ascending=[False, False, True])
        columns = [name, *groups]
        return [dict(zip(columns, row, strict=True)) for row in counted[columns].itertuples(index=False)]

    by_source = sides(lambda r: r.sources or ("",), "source")
    pairs = pd.DataFrame([(source, r.kind) for r in live for source in (r.sources or ("",))], columns=["source", "kind"])
    top = [row["source"] for row in by_source if row["open"]][:SOURCES]
    kinds = [str(kind) for kind, _ in sorted(pairs["kind"].value_counts().items(), key=lambda one: (-one[1], one[0]))][:KINDS]
    crossed = pd.crosstab(pairs["source"], pairs["kind"]).reindex(index=top, columns=kinds, fill_value=0)
    matrix: Rows = [{"source": source, **{kind: _whole(crossed.at[source, kind]) for kind in kinds}} for source in top]
    kind_of = {r.rule: r.kind for r in (*live, *before)}
    rules = [
        {"rule": row["rule"], "kind": kind_of.get(row["rule"], ""), **{k: v for k, v in row.items() if k != "rule"}}
        for row in sides(lambda r: (r.rule,), "rule")
    ]
    return {"sources": by_source, "matrix": matrix, "rules": rules, "topics": sides(lambda r: (r.topic,), "topic")}


def _tool(ran: Sequence[Ran], steps: Sequence[Step], period: Period) -> dict[str, Rows]:
    """How well the program itself did: what it could not decide or reach, and what people called a false alarm."""

    def last_runs(days: Period) -> list[Ran]:
        return list({r.document: r for r in ran if days.has(r.on)}.values())

    def verdicts(runs: Sequence[Ran]) -> dict[str, dict[str, int]]:
        found: dict[str, dict[str, int]] = {}
        for kind, counts in ((k, c) for r in runs for k, c in r.verdicts.items()):
            own = found.setdefault(kind, {})
            for verdict, n in counts.items():
                own[verdict] = own.get(verdict, 0) + int(n)
        return found

    def figures(days: Period) -> dict[str, int]:
        runs = last_runs(days)
        by_kind = verdicts(runs)
        judged = {v: sum(counts.get(v, 0) for counts in by_kind.values()) for v in ("pass", "fail", "undecided", "error")}
        happened = [s for s in steps if days.has(s.day)]
        return {"documents": len(runs), "claims": sum(r.claims for r in runs), **judged, "suppressed": sum(r.suppressed for r in runs),
                "dismissed": sum(s.event == "dismiss" for s in happened),
                "false_alarm": sum(s.event == "resolve" and s.data.get("resolution") == "false_alarm" for s in happened),
                "cited": sum(r.cited for r in runs), "silent": len({c for r in runs for c in r.silent})}  # fmt: skip

    now, before = figures(period), figures(period.before)
    kinds = verdicts(last_runs(period))
    silent: dict[str, int] = {}
    for run in last_runs(period):
        for citation in run.silent:
            silent[citation] = silent.get(citation, 0) + 1
    return {
        "tool": [{"what": name, "now": now[name], "before": before[name]} for name in now],
        "kinds": [
            {"kind": kind, **{v: kinds[kind].get(v, 0) for v in ("pass", "fail", "undecided", "error", "not_applicable")}} for kind in sorted(kinds)
        ],
        "silent": [{"citation": c, "documents": n} for c, n in sorted(silent.items(), key=lambda one: (-one[1], one[0]))],
    }


def _weeks(steps: Sequence[Step], last: date) -> Rows:
    """Opened and settled in each of the last weeks."""
    monday = last - timedelta(days=last.weekday())
    starts = [monday - 7 * n * DAY for n in range(WEEKS - 1, -1, -1)]
    counts = {(start, name): 0 for start in starts for name in ("open", "reopen", "resolve")}
    for step in steps:
        key = (step.day - timedelta(days=step.day.weekday()), step.event)
        if key in counts:
            counts[key] += 1
    return [{"week": week_of(s), "opened": counts[s, "open"], "reopened": counts[s, "reopen"], "settled": counts[s, "resolve"]} for s in starts]


def _series(steps: Sequence[Step], last: date) -> Rows:
    """How many records of each level were open at the end of each day."""
    import pandas as pd

    ends = [(s.day, s.level_was, -1) for s in steps if s.was in LIVE] + [(s.day, s.level, 1) for s in steps if s.state in LIVE]
    days = [last - n * DAY for n in range(7 * WEEKS - 1, -1, -1)]
    moves = pd.DataFrame(ends, columns=["day", "level", "by"])
    moves["day"] = moves["day"].where(moves["day"] >= days[0], days[0] - DAY)
    total = moves.pivot_table(index="day", columns="level", values="by", aggfunc="sum", fill_value=0) if len(moves) else pd.DataFrame()
    total = total.reindex(index=[days[0] - DAY, *days], columns=LEVELS, fill_value=0).cumsum().iloc[1:]
    return [{"day": day.isoformat(), **{level: _whole(total.at[day, level]) for level in LEVELS}} for day in days]
