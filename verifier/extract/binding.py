"""Binds the quantities of a block to metric, statistic, subject and baseline, nearest scope first."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cached_property

from verifier.extract import wording
from verifier.extract.cast import Cast, common_words
from verifier.extract.columns import Columns
from verifier.extract.metrics import GENERAL, Metrics
from verifier.extract.opponents import UNLIKE, Opponent, contestant
from verifier.extract.passage import Passage
from verifier.extract.quantities import Quantities, Quantity
from verifier.extract.subjects import Subjects
from verifier.extract.topics import Topics
from verifier.extract.versions import Versions
from verifier.lexicon import Lexicon, Name
from verifier.models import Block, Document, Number

READ = frozenset(("quantity", "version", "date"))
YEAR = re.compile(r"20\d\d")
TIMES = re.compile(r"\d\s?(?:ms|µs|μs|us|s|秒|分钟)(?![A-Za-z0-9/])|[(（](?:ms|µs|μs|us|s|秒)[)）]")
RATES = re.compile(r"(?:tok(?:en)?s?|req(?:uest)?s?|samples)/s|TPS|QPS|RPS|throughput|吞吐", re.I)
RATE_WORDS = tuple(f"{what}/s" for what in ("tok", "toks", "token", "tokens", "req", "reqs", "request", "requests", "samples")) + (
    "tps", "qps", "rps", "throughput", "吞吐",
)  # fmt: skip
OWN_VERSION = re.compile(r"v\d+\.")
LOWER_IS_BETTER = ("latency", "ttft", "tpot", "e2e_latency", "cold_start", "memory", "kv_cache_size", "cost", "price")


class Binder:
    """Binds block by block; knows the document's tables and what each section is about."""

    def __init__(self, document: Document, lexicon: Lexicon, names: dict[int, list[Name]]):
        self._lexicon, self._names = lexicon, names
        self._metrics = Metrics(lexicon)
        self._columns = Columns(document.blocks)
        self._topics = Topics(document.blocks, self._metrics)
        self._common = common_words(document.text)
        year = YEAR.search(document.structure.date or "") or YEAR.search(document.path)
        self._year = year[0] if year else ""
        self._own = tuple(OWN_VERSION.findall(document.structure.base_document or ""))  # its series
        self._text = document.text

    @cached_property
    def _timed(self) -> bool:
        """Whether it is time that the document measures."""
        lower = self._text.lower()
        return len(TIMES.findall(self._text)) > 1.5 * sum(map(lower.count, RATE_WORDS))

    def bind(self, block: Block, found: list[Number]) -> list[Quantity]:
        """The quantities of a block in order of place."""
        if not any(n.kind in READ for n in found):
            return []
        passage = Passage(block.text, found)
        names = self._names[block.start]
        subjects = Subjects(block, found, names, passage, self._columns, self._metrics, self._common)
        out: list[Quantity] = []
        if any(n.kind in ("version", "date") or n.unit is None and n.kind == "quantity" and "." in n.text for n in found):
            out = list(Versions(block, names, subjects.cast, passage, self._lexicon, self._year, self._own).read(found))
        taken = {q.first.start for q in out}
        previous: Quantity | None = None
        measured = list(Quantities(block, found, names, passage, self._columns).read(taken))
        for q in measured:
            self._bind(q, block, names, passage, subjects, previous)
            previous = q
        for run in _runs(measured):
            subjects.distributed(run)
        for q, before in zip(measured[1:], measured, strict=False):
            if before.metric == "cost_saving" and q.unit.startswith("USD") and q.start - before.end <= 6:
                q.baseline = q.baseline or before.baseline  # `节省 74.7%, $112,000/天`
        return sorted([*out, *measured], key=lambda q: q.start) if out else measured

    def _bind(self, q: Quantity, block: Block, names: list[Name], passage: Passage, subjects: Subjects, previous: Quantity | None) -> None:
        text = block.text
        q.statistic = wording.statistic(text, q.frame.item, q.start, q.end, q.frame.item_end)
        if q.cell is not None:
            q.statistic = q.statistic or wording.statistic(head := f"{q.cell.head} {self._columns.lead(block)}", 0, len(head), len(head), len(head))
        against = subjects.against(q)
        skip = range(against.start, against.end) if against else range(0)
        q.metric = self._metric(q, block, names, passage, subjects.cast, previous, skip)
        q.subject = subjects.subject(q, against)
        q.subject = q.subject or subjects.last_resort(q)
        q.baseline = self._baseline(q, block, against)

    def _metric(
        self, q: Quantity, block: Block, names: list[Name], passage: Passage, cast: Cast, previous: Quantity | None, skip: range
    ) -> str | None:
        if q.cell is None:
            found = self._metrics.spoken(q, block.text, names, passage, cast, previous, skip)
            if found is None and q.relative and (q.form != "value" or self._metrics.margin(q, block.text)):
                found = self._topics.metric(block, q.unit)
            return self._told(found, q, block)
        lead = self._columns.lead(block)
        general = None
        for words in (q.cell.text, q.cell.head, lead if q.cell.column else ""):
            if words and (found := self._metrics.first(words, q.unit)):
                if found not in GENERAL:
                    return found
                general = general or found
        if q.relative and self._columns.compares(q.cell) or general in GENERAL:
            for cell in self._columns.measured(block, q.cell):
                if (found := self._metrics.first(f"{cell.head} {cell.text}", q.unit)) and found not in GENERAL:
                    return found
            if any(self._metrics.timed(f"{c.text} {c.head}") or _timed_head(c.head) for c in self._columns.measured(block, q.cell)):
                return "latency"
        if not q.relative:
            return self._topics.metric(block, q.unit) or self._metrics.spoken(q, block.text, [], passage, cast, None)
        return self._topics.metric(block, q.unit) or general

    def _told(self, found: str | None, q: Quantity, block: Block) -> str | None:
        """`faster` is said of time where it is time that the block, or else the document, measures."""
        if found != "speedup" or self._metrics.speed(q, block.text):
            return found
        return (
            "latency"
            if self._timed or TIMES.search(said := block.text[q.frame.sentence : q.frame.sentence_end]) and not RATES.search(said)
            else found
        )

    def _baseline(self, q: Quantity, block: Block, against: Opponent | None) -> str | None:
        if q.cell is not None and q.relative:
            value = q.value if isinstance(q.value, float) else 0.0
            lower = q.metric in LOWER_IS_BETTER
            if "slower" in block.text[q.end : q.end + 10]:
                lower = not lower
            return self._columns.baseline(block, q.cell, value, q.unit, lower, q.form == "delta")
        if against is not None:
            return against.name
        if not q.compares:
            return None
        return self._contested(q, block)

    def _contested(self, q: Quantity, block: Block) -> str | None:
        """What the sentences before it in the block, then the headings above, hold against each other."""
        text, place = block.text, q.frame.sentence
        told = text[max(0, place - 480) : place]
        if listed := list(UNLIKE.finditer(told)):
            told = told[listed[-1].end() :]
        if not UNLIKE.search(text, place, q.start) and (found := contestant(told, q.subject)):
            return found
        return next((found for heading in reversed(block.section[-2:]) if (found := contestant(heading, q.subject))), None)


def _timed_head(head: str) -> bool:
    return re.search(r"[(（](?:ms|s|us|µs|μs|ns|秒|毫秒)[)）]", head) is not None


def _runs(measured: list[Quantity]) -> Iterator[list[Quantity]]:
    """Neighbours of one clause and unit: what a list of numbers consists of."""
    run: list[Quantity] = []
    for q in measured:
        if run and (q.unit != run[-1].unit or q.frame.sentence != run[-1].frame.sentence or q.start - run[-1].end > 24):
            yield run
            run = []
        run.append(q)
    if run:
        yield run
