"""Histories for the tests of reports: a log as the ledger gives it, told in a few words."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

from verifier.ledger import numbers
from verifier.ledger.reading import Moment
from verifier.reports._period import Period, period
from verifier.reports.weekly import Weekly

ZONE = ZoneInfo("Asia/Shanghai")
W40 = period(date(2026, 10, 20), week="2026-W40")  # 2026-09-28 to 2026-10-04


class Log(dict):
    """`log.add("D1", "open", "2026-09-29", title="t")`: events follow each other; a day means noon in Shanghai."""

    def add(self, number, event, at, *, actor="jay", reason=None, run=None, **data):
        moment = at if "T" in at else f"{at}T04:00:00+00:00"
        events = self.setdefault(number, [])
        if event == "open":
            data = {"title": f"title of {number}", "kind": "derived", "severity": "medium", "recheck_by": "2026-12-01", "documents": ["b.md"], **data}
        parents = [events[-1].id] if events else []
        events.append(Moment(f"{number}-{len(events)}", parents, number, event, moment, actor, run, reason, None, data))
        return self

    def ran(self, document, at, **about):
        told = {"document": document, "author": "spark", "topic": "llm-infra", "as_of": at[:10], "claim_count": 10, "verdicts": {}, **about}
        return self.add(numbers.run_log(document), "run", at, run="r1", **told)


def report(log, days: Period = W40, topic=None, **more) -> Weekly:
    from verifier.reports._period import end_of

    known = {n: [e for e in events if e.at <= end_of(days.last, ZONE)] for n, events in log.items()}
    return Weekly({n: events for n, events in known.items() if events}, days, ZONE, topic, **more)


def rows(report: Weekly, table: str, key: str, *values: str):
    """{key: value} or {key: (values)} of a table."""
    told = ((row[key], tuple(row[v] for v in values)) for row in report.tables[table])
    return {k: v[0] if len(v) == 1 else v for k, v in told}


def days_before(day: str, n: int) -> str:
    return (datetime.fromisoformat(day).replace(tzinfo=UTC) - timedelta(days=n)).date().isoformat()
