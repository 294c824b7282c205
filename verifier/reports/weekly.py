"""The weekly open-D report, from the log alone: the same bytes for the same log."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from functools import cached_property
from zoneinfo import ZoneInfo

from verifier.ledger.reading import Moment
from verifier.models import Claim
from verifier.reports import _history as history
from verifier.reports._blocks import Page
from verifier.reports._coverage import agreement, coverage, shared
from verifier.reports._history import Log, Ran, Record, Step
from verifier.reports._layout import Layout
from verifier.reports._period import Period, end_of
from verifier.reports._tables import Rows, tables
from verifier.reports._words import words
from verifier.settings import Expected


@dataclass(frozen=True)
class Weekly:
    """What was known at the end of a period. `log` is the ledger's history up to then.

    `claims`: those of the documents in `shared`, as verified. `running`: today, where the period has not ended yet.
    """

    log: Log
    period: Period
    zone: ZoneInfo
    topic: str | None = None
    schedule: Sequence[Expected] = ()
    claims: Mapping[str, Sequence[Claim]] = field(default_factory=dict)
    running: date | None = None

    @cached_property
    def _day(self) -> history.Days:
        return history.days_in(self.zone)

    @cached_property
    def _ordered(self) -> dict[str, Sequence[Moment]]:
        return history.in_order(self.log)

    @cached_property
    def records(self) -> dict[str, Record]:
        return {number: r for number, r in history.records(self._ordered, self._day).items() if self._about(r)}

    @cached_property
    def then(self) -> dict[str, Record]:
        known = history.records(self._ordered, self._day, end_of(self.period.before.last, self.zone), self.records)
        return {number: r for number, r in known.items() if number in self.records}

    @cached_property
    def steps(self) -> list[Step]:
        return list(history.steps(self._ordered, self._day, self.records))

    @cached_property
    def runs(self) -> list[Ran]:
        return [ran for ran in history.runs(self.log, self._day) if not self.topic or self.topic.casefold() in ran.topic.casefold()]

    @cached_property
    def tables(self) -> dict[str, Rows]:
        expected = [e for e in self.schedule if not self.topic or self.topic.casefold() in e.topic.casefold()]
        return {
            **tables(list(self.records.values()), list(self.then.values()), self.steps, self.runs, self.period),
            "coverage": coverage(expected, self.runs, self.period, self.zone, self.running),
            "agreement": agreement(self.shared, self.claims),
        }

    @cached_property
    def shared(self) -> list[Ran]:
        """Runs on documents that several writers wrote on one day."""
        return shared(self.runs, self.period)

    def _about(self, record: Record) -> bool:
        """As `verify d list --topic` has it: the topic, or a word of the title."""
        return not self.topic or self.topic.casefold() in f"{record.topic}\n{record.title}".casefold()

    def page(self, lang: str, base: str) -> Page:
        """`base`: from where the report is written to the root, such as `../`."""
        return Layout(self.tables, self.records, self.period, lang, base, self.topic).page()


def markdown(page: Page) -> str:
    from verifier.reports import _markdown

    return _markdown.render(page)


def html(page: Page) -> str:
    from verifier.reports import _html

    return _html.render("weekly.html", page=page, summary=words(page.lang)("as_table"))
