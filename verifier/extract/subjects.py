"""What a quantity is about and what it is held against: nearest fitting name by grammar, then table, host and topic."""

from __future__ import annotations

import re

from verifier.extract import wording
from verifier.extract.cast import ADVERBS, ALONE, GRAMMAR, Candidate, Cast, column_words, dull
from verifier.extract.columns import Columns, bare
from verifier.extract.metrics import Metrics
from verifier.extract.opponents import Opponent, beside, held_against
from verifier.extract.passage import Frame, Passage
from verifier.extract.quantities import Quantity
from verifier.lexicon import Name
from verifier.models import Block, Number

ADJUNCT = re.compile(r"(?:\b(?:on|in|at|under|for|via|per|across|from|to)(?: the| an?)?|在|于|基于|以)\s*[*`]*$", re.I)
PLACED = re.compile(r"\s*[^\s，。；,;+·]{0,8}[上下中](?![下游升限])")
OTHER_SIDE = re.compile(r"(?:\bvs\.?|\bversus|\bagainst|\bthan|对比|而)\s*[~约]?\s*$")
FOR = re.compile(r"\**\s(?:for|with|on|using) (?:the |an? )?([A-Za-z][\w.+-]*(?: [\w.+-]+){0,3}?)(?=\s*(?:[,.;)]|$| and | on | at ))")
FIRST_WORDS = re.compile(r"[^\d，,；;+：:]+")
PLURAL = re.compile(r"(?:分别|respectively)", re.I)
COORDINATED = re.compile(r"\s*(?:/|、|,|，|与|和|及|and|, and)\s*(?:the )?")
NUMERIC = re.compile(r"(?=.*\d)[\W\d_]*[\d.,×x*kKMB+^\s-]+(?:\W*)$")
FIGURE = re.compile(r"[~≈<>≤≥]?\s*\d[\d.,]*\s?[A-Za-z%×/]{1,6}")
CONFIG = re.compile(r"(?:batch|bs|input|output|isl|osl|seq\w*|length|context|concurrency|size|n|m|k|gpus?|tp|step|level)\b.{0,12}$", re.I)
LATIN = re.compile(r"[A-Za-z]")


class Subjects:
    """Subject and baseline of the quantities of one block."""

    def __init__(self, block: Block, numbers: list[Number], names: list[Name], passage: Passage, columns: Columns, metrics: Metrics,
                 common: frozenset[str] = frozenset()):  # fmt: skip
        self._numbers, self._common = numbers, common
        self._block, self._text, self._names, self._passage = block, block.text, names, passage
        self._columns, self._metrics = columns, metrics
        self._cast: Cast | None = None
        self._opponents: list[range] = []

    @property
    def cast(self) -> Cast:
        """The names of the block, found when first asked for."""
        if self._cast is None:
            self._cast = Cast(self._text, self._names, self._passage, self._numbers, self._common)
        return self._cast

    def against(self, q: Quantity) -> Opponent | None:
        """What a comparing quantity is held against, as its sentence states it."""
        if q.relative or q.form == "change":
            found = held_against(self._passage, q.frame, q.start, q.end, q.unit == "percent" and not q.compares)
        elif q.cell is None and q.unit != "item" and q.form in ("value", "range", "delta"):
            found = beside(self._text, q.end, q.frame.sentence_end)
        else:
            return None
        if found:
            self._opponents.append(range(found.start, found.end))
        return found

    def subject(self, q: Quantity, against: Opponent | None) -> str | None:
        """The name that the quantity is about."""
        if q.cell is not None and (found := self._headed(q)):
            return found
        if OTHER_SIDE.search(self._text, max(0, q.start - 12), q.start) and (said := FOR.match(self._text, q.end)):
            return said[1]
        return self._spoken(q, q.start, q.frame, against)

    def _headed(self, q: Quantity) -> str | None:
        """From the row's head or the column's, whichever names a thing."""
        assert q.cell is not None
        columns, block = self._columns, self._block
        lead = columns.row_name(block)
        if q.cell.column and (self._names_thing(lead) or self._names_row(lead, q.cell.head)):
            return lead
        head = columns.praised(block, q.cell) if columns.compares(q.cell) else bare(q.cell.head)
        if head and self._names_thing(head):
            return head
        group = columns.group(block)
        return group or None

    def _names_thing(self, words: str) -> bool:
        """Whether a head names what is measured rather than a metric, a setting or a number."""
        if not words or len(words) > 60 or NUMERIC.fullmatch(words) or CONFIG.match(words):
            return False
        if all(dull(word) or word.lower() in column_words() for word in re.split(r"[\s/]+", words)) or FIGURE.fullmatch(words):
            return False
        return not self._metrics.named(words) and wording.STATISTIC.search(words) is None

    def _names_row(self, lead: str, head: str) -> bool:
        """Whether a row's head names a thing although a word of it is a metric's: its columns are metrics, so that it is none."""
        if (
            not lead
            or len(lead) > 60
            or NUMERIC.fullmatch(lead)
            or CONFIG.match(lead)
            or not (self._metrics.named(head) or wording.STATISTIC.search(head))
        ):
            return False
        named = self._metrics.named(lead)
        return bool(named) and len(lead.split()) > 1 and not self._metrics.whole(lead)

    def _spoken(self, q: Quantity, place: int, frame: Frame, against: Opponent | None) -> str | None:
        text = self._text
        if against and frame.item <= against.start < place and (held := self._contrasted(frame, against.start)):
            return held
        for left, right in ((frame.item, place), (frame.clause, frame.item), (frame.sentence, frame.clause)):
            if right <= left:
                continue
            if found := self._choose(left, right, frame.opener):
                return found
            if (
                left == frame.item
                and text[left - 3 : left] != "and"
                and (alone := ALONE.fullmatch(text, left, place))
                and not self._metrics.named(alone[1])
                and not dull(alone[1])
            ):
                return alone[1]
            if left == frame.clause and (said := self._grammatical(frame, place)):
                return said
        if (host := self._passage.host(frame)) and (found := self._spoken(q, host[0], host[1], None)):
            return found
        return self._grammatical(frame, place)

    def _choose(self, left: int, right: int, opener: int) -> str | None:
        """The last name in a stretch that is neither the baseline nor where it happens."""
        found = [c for c in self.cast.before(left, right, opener, weak=False) if not any(c.start in o for o in self._opponents)]
        free = [c for c in found if not self._adjunct(c)]
        return free[-1].text if free else None

    def _adjunct(self, c: Candidate) -> bool:
        if ADJUNCT.search(self._text, max(0, c.start - 12), c.start):
            return True
        return PLACED.match(self._text, c.end) is not None and not LATIN.match(self._text, c.end)

    def _contrasted(self, frame: Frame, place: int) -> str | None:
        """What stands before `vs`, `than`, 比 in the item."""
        if found := self._choose(frame.item, place, frame.opener):
            return found
        words = self._text[frame.item : place]
        return self._chinese(words) if re.search(r"[\u4e00-\u9fff]", words) else None

    def _grammatical(self, frame: Frame, place: int) -> str | None:
        """`The new scheduler is 2.7x faster`: the noun phrase before the verb."""
        found = GRAMMAR.match(self._text, frame.clause, place)
        if found is None:
            return None
        words = found["np"].split(" ")
        while words and dull(words[0]):
            del words[0]
        said = " ".join(words)
        return said if len(said) > 3 and not self._metrics.named(said) else None

    def _chinese(self, words: str) -> str | None:
        """The bare noun phrase of an item: what is left without metrics, verbs and adverbs."""
        for name in (n for n in self._names if n.kind == "metric" and len(n.text) > 1):
            if name.text in words:
                words = words.replace(name.text, " ", 1).rstrip()
        words = ADVERBS.sub("", ADVERBS.sub("", words.strip(" *~：:"))).strip()
        return (
            words
            if 2 <= len(words) <= 14 and re.fullmatch(r"[\u4e00-\u9fffA-Za-z0-9 /+-]+", words) and re.search(r"[\u4e00-\u9fff]{2}", words)
            else None
        )

    def last_resort(self, q: Quantity) -> str | None:
        """A small word or bare noun before the number, or a name behind it."""
        weak = self.cast.before(q.frame.sentence, q.start, q.frame.opener, weak=True)
        if weak and q.cell is None:
            return weak[-1].text
        behind = self.cast.behind(q.end, q.frame.clause_end)
        if behind is not None:
            return behind.text
        opening = FIRST_WORDS.match(self._text, q.frame.sentence, q.frame.clause)
        return self._chinese(self._text[q.frame.item : q.start]) or (self._chinese(opening[0]) if opening else None)

    def distributed(self, run: list[Quantity]) -> None:
        """`A 和 B 分别为 1 和 2`: as many names as numbers, in order."""
        first = run[0]
        if len(run) < 2 or not PLURAL.search(self._text, first.frame.clause, run[-1].frame.clause_end):
            return
        named = [c for c in self.cast.before(first.frame.clause, first.start, first.frame.opener, weak=False)]
        chain: list[Candidate] = []
        for c in named:
            if chain and not COORDINATED.fullmatch(self._text, chain[-1].end, c.start):
                chain = []
            chain.append(c)
            if len(chain) == len(run):
                for q, name in zip(run, chain, strict=True):
                    q.subject = name.text
                return
