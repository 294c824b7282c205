"""Who is spoken of: the names of a block in order of place."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable
from functools import lru_cache
from typing import NamedTuple

from verifier.extract.passage import Passage
from verifier.lexicon import Name, rules_dir, table
from verifier.models import Number

WORD = r"[A-Z][\w.+]*|[a-z]+[\w+]*(?:[A-Z0-9_+]|\.(?=\w))[\w.+]*"
NAME = re.compile(
    rf"(?<![A-Za-z0-9_./-])(?:{WORD})(?:[-/](?=[A-Za-z0-9])[\w.+]+)*(?: (?:(?:[A-Z][\w.+]*|[a-z]+[A-Z_][\w.+]*)(?:[-/](?=[A-Za-z0-9])[\w.+]+)*|\d(?:\.\d)?(?=\s(?![\d×x%]))))*",
    re.ASCII,
)
SMALL = re.compile(r"(?<![A-Za-z0-9_./-])(?<![A-Za-z0-9][ ])[a-z][a-z0-9-]{2,}(?=\s?[\u4e00-\u9fff])", re.ASCII)
ALONE = re.compile(r"[\s*`]*([a-z][a-z0-9_./-]{2,})[\s*`:：+−-]*", re.ASCII)
MANNER = re.compile(r"[A-Z]?[a-z]{3,}ly")
LOWER = re.compile(r"(?<![\w./-])[a-z]{3,}(?![\w/-]|\.\w)")
POSSESSIVE = re.compile(r"['’]s$")
OPENS = re.compile(r"(?:^|[.!?:;|。！？：；\n])[\s*`•>\[(“\"-]*$")
VENDOR = re.compile(r"\b(?:NVIDIA|AMD|Intel|Huawei|Google)\s*$")
GRAMMAR = re.compile(
    r"\s*(?:the |an? |our |this |its |these |both |using |with |by |switching to )*(?P<np>[A-Za-z][\w-]*(?: (?!is |are |was |were |and |with )[\w/.+-]+){0,4}?)\s+(?:now |only |can |also |further |then |still |consistently )?"
    r"(?:is|are|was|were|has|have|had|can|achiev\w+|deliver\w*|reach\w*|improv\w+|reduc\w+|cuts?|lower\w*|rais\w+|boost\w*|sav\w+|us\w+|need\w*|tak\w+|run\w*|outperform\w*|increas\w+"
    r"|decreas\w+|drop\w*|r[io]se\w*|f[ae]lls?|climb\w*|grow\w*|sustain\w*|handl\w+|provid\w+|offer\w*|yield\w*|keep\w*|retain\w*|support\w*|requir\w+|cost\w*|show\w*|stays?)\b",
    re.I,
)
ADVERBS = re.compile(
    r"^(?:但|而|且|并|则|其中|同时|此外|另外|因此|从而|使得?|让|将|把|对|在[^，。；]{1,16}?[上下中里时后内]|当[^，。；]{1,12}?时|通过|采用|使用|实现|提供|支持|约|为|的|仅|只|可|能|会|有|无|均|总计|共|合计|平均|单次|每次|首周|端到端|整体|总体|推理|已|了|\s)+"
    r"|(?:的|了|为|约|达|可|能|会|将|已|仅|只|均|从|由|近|至|到|在|是|有|约为|达到|实现|提升|提高|降低|下降|减少|增加|节省|缩短|缩小|上升|加速|快|慢|占|获|收获|超过|超|高达|可达|最高|最多|至少|不到|分别|开源|发布|[\s~*:：])+$"
)


@lru_cache(maxsize=1)
def plain_words() -> frozenset[str]:
    """Words that may stand capitalised but name nothing that is measured."""
    return _listed("plain")


@lru_cache(maxsize=1)
def column_words() -> frozenset[str]:
    """Words that head a column and say what kind of thing stands in it."""
    return _listed("heads")


def _listed(name: str) -> frozenset[str]:
    return frozenset(str(word) for word in table(rules_dir() / "lexicon" / "plain_words.yaml")[name])


def dull(word: str) -> bool:
    """Whether a word names nothing that is measured."""
    return word.lower().strip(".") in plain_words() or MANNER.fullmatch(word) is not None


def common_words(text: str) -> frozenset[str]:
    """Words that a document also writes small: where one is capitalised, it begins a sentence and names nothing."""
    return frozenset(LOWER.findall(text))


class Candidate(NamedTuple):
    """A name at start..end; `weak` where it is a small Latin word amid Chinese, a name only if nothing else is."""

    start: int
    end: int
    text: str
    weak: bool
    opener: int


class Cast:
    """The names of one block in order of place."""

    def __init__(self, text: str, names: list[Name], passage: Passage, numbers: Iterable[Number] = (), common: frozenset[str] = frozenset()):
        self._text, self._passage, self._common = text, passage, common
        metrics = [(n.start, n.end) for n in names if n.kind == "metric"]
        parts = [n.start for n in names if n.kind == "accelerator"]
        counted = [(n.start, n.end) for n in numbers if n.kind != "name_part"]
        known = {n.start: n for n in names if n.kind in ("engine", "project", "model")}
        found: list[Candidate] = []
        at = number = 0
        small = {m.start(): m.end() for m in SMALL.finditer(text)}
        spans = {*((m.start(), m.end()) for m in NAME.finditer(text)), *((n.start, n.end) for n in known.values()), *small.items()}
        reach = 0
        for start, end in sorted(spans, key=lambda s: (s[0], -s[1])):
            while number < len(counted) and counted[number][1] <= start:
                number += 1
            if start < reach or number < len(counted) and counted[number][0] <= start:
                continue
            if number < len(counted) and counted[number][0] < end:
                end = counted[number][0]
            reach = end
            while at < len(metrics) and metrics[at][1] <= start:
                at += 1
            if at < len(metrics) and metrics[at][0] < end:
                if metrics[at][0] <= start:
                    continue
                end = metrics[at][0]
            for piece_start, piece in self._pieces(start, end, start in known):
                stop = piece_start + len(piece)
                part = bisect_left(parts, piece_start)
                if part < len(parts) and parts[part] < stop:  # what it runs on is a condition: `vLLM H100`
                    piece = VENDOR.sub("", text[piece_start : parts[part]]).rstrip(" -/")
                    if len(piece) < 2:
                        continue
                weak = start in small and start not in known
                found.append(Candidate(piece_start, piece_start + len(piece), piece, weak, passage.opener(piece_start)))
        self.found = found
        self._starts = [c.start for c in found]

    def _pieces(self, start: int, end: int, known: bool) -> list[tuple[int, str]]:
        """The name without dull words at either end."""
        written = self._text[start:end].rstrip(" .,/-+")
        written = POSSESSIVE.sub("", written)
        while written:
            head, _, rest = written.partition(" ")
            if not (dull(head) or not known and self._begins(head, start)):
                break
            start, written = start + len(head) + 1, rest
        while written:
            _, _, tail = written.rpartition(" ")
            if not dull(tail) or " " not in written:
                break
            written = written[: -len(tail) - 1]
        if len(written) < 2 or written.lower() in plain_words() or not any(c.isalpha() for c in written):
            return []
        return [(start, written)]

    def _begins(self, word: str, place: int) -> bool:
        """Whether a capital only begins a sentence, an item or a cell."""
        return word[:1].isupper() and word.lower() in self._common and OPENS.search(self._text, max(0, place - 8), place) is not None

    def before(self, left: int, right: int, opener: int, *, weak: bool) -> list[Candidate]:
        """Names within left..right at one depth of brackets, in order."""
        inside = self.found[bisect_left(self._starts, left) : bisect_left(self._starts, right)]
        return [c for c in inside if c.opener == opener and c.end <= right and (weak or not c.weak)]

    def any_within(self, left: int, right: int, skip: range = range(0)) -> bool:
        """Whether a strong name stands between two places, outside of a stretch."""
        return any(not c.weak and c.start not in skip for c in self.found[bisect_left(self._starts, left) : bisect_left(self._starts, right)])

    def near(self, left: int, right: int) -> list[Candidate]:
        """Names that end within left..right."""
        at = bisect_left(self._starts, right)
        opener = self._passage.opener(right)
        return [c for c in self.found[max(0, at - 3) : at] if left <= c.end <= right and (c.opener == opener or c.opener == -1)]

    def behind(self, place: int, right: int) -> Candidate | None:
        """The first strong name behind a place."""
        at = bisect_right(self._starts, place - 1)
        return next((c for c in self.found[at : at + 4] if c.start < right and not c.weak), None)
