"""What a quantity measures: from the words of its clause, then its table's heads, then its unit, then what was spoken of."""

from __future__ import annotations

import re
from bisect import bisect_left

from verifier.extract import wording
from verifier.extract.cast import Cast, dull
from verifier.extract.passage import Frame, Passage
from verifier.extract.quantities import Quantity
from verifier.lexicon import Lexicon, Name

FAMILIES = {
    "rate": ("token/s", "token/s/gpu", "request/s", "token/s/user"),
    "time": ("ns", "us", "ms", "s", "min", "h", "day", "week", "month", "ms/token", "s/token"),
    "bytes": ("B", "KB", "MB", "GB", "TB", "KiB", "MiB", "GiB", "TiB", "MiB/token", "KB/token", "GB/GPU"),
    "bandwidth": ("GB/s", "TB/s", "Gb/s", "MB/s", "GiB/s"),
    "flops": ("GFLOPS", "TFLOPS", "PFLOPS", "TFLOPS/gpu"),
    "power": ("W", "kW", "MW"),
    "energy": ("J", "kJ", "J/token", "tok/J", "token/J", "kWh", "Wh"),
    "parameters": ("parameter",),
    "bits": ("bit",),
}
FAMILY = {unit: family for family, units in FAMILIES.items() for unit in units}
IMPLIED = {
    "rate": "throughput", "time": "latency", "bytes": "memory", "bandwidth": "bandwidth", "flops": "flops", "power": "power", "energy": "energy",
    "parameters": "parameters", "bits": "quantization_bits",
}  # fmt: skip
NAMED = {"star": "stars", "commit": "commits", "contributor": "contributors", "call": "calls", "call/day": "calls", "subscriber": "subscribers",
         "user": "users", "download": "downloads"}  # fmt: skip
LEANS = re.compile(
    r"[\s*~]*(?:[(（]?(?:的|higher|lower|faster|slower|better|more|less|fewer|greater|smaller|shorter|larger|longer|cheaper|of|in|on|the|mean|average|median|avg|overall|peak|max(?:imum)?|total|output|input"
    r"|reduction|increase|improvement|drop|decrease|gains?|speedup|boost|cut|saving|growth|decode|prefill|serving|inference|model|end-to-end|e2e|P\d{2}|推理|平均|整体|端到端|解码|输入|输出)[\s*)）]*)*",
    re.I,
)
TIMED = re.compile(r"\d\s?(?:ms|µs|μs|us|s|秒|分钟|minutes?|seconds?)(?![A-Za-z/])|\btimes?\b|时间|耗时|latency|延迟", re.I)
SPEED = re.compile(r"速度|\bspeed\b", re.I)
QUICK = re.compile(r"快|faster|slower|慢|speed-?up|加速|提速|quick|slow", re.I)
DEAR = re.compile(r"[\s*的]{0,3}(?:cheaper|less expensive|more expensive|costlier|便宜|更?贵)", re.I)
LOAD = re.compile(r"(?:GPU|CPU|SM|NPU|HBM)\s*[:：]?\s*[~约]?$", re.I)
UNLIKE = re.compile(r"\s[+·]\s")
CONTRAST = re.compile(r"但|而(?!言)|\b(?:but|however|while)\b")
OF = re.compile(r"\s*\**\s(?:of|in) (?:the )?")
LIST_ON = re.compile(r"(?:\s*(?:/|、|和|与|and|,)\s*[~约]?[\d.,]+\s?[kKMBT%x×倍]*)+")
GENERAL = frozenset(("speedup", "share", "load", "overhead", "compression", "cost_saving"))


def family(unit: str) -> str:
    """The family of a unit, with or without what it is counted for: `req/s/node` is a rate."""
    while unit not in FAMILY and "/" in unit:
        unit = unit.rpartition("/")[0]
    return FAMILY.get(unit, "count")


class Metrics:
    """Binds metrics with one lexicon; remembers what it looked up for heads."""

    def __init__(self, lexicon: Lexicon):
        self._lexicon = lexicon
        self._heads: dict[str, tuple[str, ...]] = {}
        self._units: dict[str, frozenset[str]] = {}

    def named(self, words: str) -> tuple[str, ...]:
        """The metrics that a head or heading names, in order."""
        found = self._heads.get(words)
        if found is None:
            found = self._heads[words] = tuple(n.canonical for n in self._lexicon.names(words) if n.kind == "metric")
        return found

    def whole(self, words: str) -> bool:
        """Whether a head says metrics, statistics and settings and nothing else."""
        rest = wording.STATISTIC.sub(" ", re.sub(r"[(（][^()（）]*[)）]", " ", words))
        for name in reversed([n for n in self._lexicon.names(rest) if n.kind == "metric"]):
            rest = rest[: name.start] + " " + rest[name.end :]
        return not any(not dull(word) for word in re.findall(r"[A-Za-z]{2,}|[\u4e00-\u9fff]{2,}", rest))

    def fits(self, metric: str, unit: str) -> bool:
        """Whether a metric is ever given in a unit."""
        known = self._units.get(metric)
        if known is None:
            known = self._units[metric] = frozenset(self._lexicon.entry("metric", metric).get("units", ()))
        if not known:
            return True
        if unit in ("x", "percent", "percentage_point"):
            return known != {"parameters"}
        if unit.startswith("USD"):
            return "money" in known
        return family(unit) in known

    def first(self, words: str, unit: str) -> str | None:
        """The first metric in a head that fits; one that says nothing but `faster` only where no other does."""
        fitting = [m for m in self.named(words) if self.fits(m, unit)]
        return next((m for m in fitting if m not in GENERAL), fitting[0] if fitting else None)

    def spoken(
        self, q: Quantity, text: str, names: list[Name], passage: Passage, cast: Cast, previous: Quantity | None, skip: range = range(0)
    ) -> str | None:
        """The metric that the words around a quantity give it."""
        if q.unit in NAMED:
            return NAMED[q.unit]
        frame = q.frame
        near = self._near(q, text, names, frame, previous)
        if near and near not in GENERAL:
            return near
        wide: str | None = None
        for left, right in ((frame.clause, frame.item), (frame.sentence, frame.clause)):
            wide = wide or self._last(q, names, passage, left, right, frame.opener, cast, previous, skip)
        inside: tuple[int, Frame] | None = (q.start, frame)
        while wide is None and inside is not None and (inside := passage.host(inside[1])) is not None:
            place, outer = inside
            wide = self._last(q, names, passage, outer.item, place, outer.opener) or self._last(q, names, passage, outer.clause, place, outer.opener)
        if wide is None and previous is not None and previous.unit == q.unit and previous.frame.sentence == frame.sentence:
            wide = None if UNLIKE.search(text, previous.end, q.start) else previous.metric  # `A needs 2 GiB, B 10 GiB`
        if q.relative:
            return self._relative(q, text, near, wide)
        return near or wide or self._implied(q, text)

    def _near(self, q: Quantity, text: str, names: list[Name], frame: Frame, previous: Quantity | None) -> str | None:
        """The metric right behind the number, or the last one before it in its item."""
        at = bisect_left(names, frame.item, key=lambda n: n.start)
        before = behind = None
        general = None
        floor = previous.end if previous is not None and previous.end > frame.item else frame.item
        limit = min(frame.item_end, q.end + 48)
        rest = LIST_ON.match(text, q.end)
        reach = rest.end() if rest else q.end
        for name in names[at:]:
            if name.start >= limit:
                break
            if name.kind != "metric" or not self.fits(name.canonical, q.unit):
                continue
            if q.start < name.start and name.end <= q.end:
                return name.canonical  # `104B 激活参数`: the unit's own word
            if name.end <= q.start and name.canonical in GENERAL:
                general = name
            elif name.end <= q.start:
                before = name
            elif name.start >= q.end and (behind is None or behind.canonical in GENERAL):
                if LEANS.fullmatch(text, reach, name.start) or q.unit == "percent" and q.form == "value" and "share" in self._units[name.canonical]:
                    behind = name
                reach = name.end
        before = before or general
        if behind is not None and before is not None:
            taken = before.end <= floor < q.start  # an earlier number already has it
            adjacent = behind.start - q.end <= 2 and q.start - before.end > 8 or OF.match(text, q.end) is not None
            if not taken and not adjacent and before.canonical not in GENERAL:
                return before.canonical
            return behind.canonical
        chosen = behind or before
        return chosen.canonical if chosen else None

    def _last(self, q: Quantity, names: list[Name], passage: Passage, left: int, right: int, opener: int,
              cast: Cast | None = None, previous: Quantity | None = None, skip: range = range(0)) -> str | None:  # fmt: skip
        """The last fitting metric within a stretch at one depth of brackets.

        A metric that already has its number does not reach past a new name: `A TTFT -46×, B 70%`.
        """
        if left >= right:
            return None
        at = bisect_left(names, right, key=lambda n: n.start)
        general = None
        for name in reversed(names[max(0, at - 40) : at]):
            if name.start < left:
                break
            if name.kind == "metric" and self.fits(name.canonical, q.unit) and passage.opener(name.start) == opener:
                if (
                    q.form == "delta"
                    and CONTRAST.search(passage.text, name.end, q.start)
                    and wording.margin(passage.text, q.frame.clause, q.start, q.end)
                ):
                    return None  # `…, but the advantage shrinks to 4%` is no longer about that metric alone
                if cast and q.relative and UNLIKE.search(passage.text, name.end, q.start) and cast.any_within(name.end, q.start, skip):
                    return general
                spent = previous is not None and name.end <= previous.start and previous.end <= q.start
                if cast and spent and previous and cast.any_within(previous.end, q.start, skip) and not cast.any_within(name.end, previous.start):
                    return general
                if name.canonical not in GENERAL:
                    return name.canonical
                general = general or name.canonical
        return general

    def _relative(self, q: Quantity, text: str, near: str | None, wide: str | None) -> str | None:
        """A factor or percentage of something: what is named, else the kind of speed meant."""
        if near in (None, "speedup") and DEAR.match(text, q.end):
            return "price"
        if near is None and LOAD.search(text, max(0, q.start - 12), q.start):
            return "utilization"
        if near == "speedup" or near is None and QUICK.search(text[q.frame.item : q.frame.item_end]):
            if SPEED.search(text[q.frame.item : q.frame.item_end]):
                return "speedup"
            if wide and q.form != "value" and self._units.get(wide, frozenset()) & {"time", "rate"}:
                return wide
            return "speedup"
        if near:
            return near
        if q.form == "value" and q.unit == "percent":
            return wide if wide and "share" in self._units.get(wide, ()) else None
        if q.statistic and q.statistic[0] == "P" and wide is None:
            return "latency"
        return wide or ("speedup" if q.unit == "x" else None)

    def _implied(self, q: Quantity, text: str) -> str | None:
        """What a unit measures when nothing else is said."""
        if q.unit.startswith("USD"):
            return (
                "cost_saving"
                if re.search(r"省|\bsav", text[q.frame.item : q.end + 16])
                else "cost"
                if q.unit in ("USD", "USD/day", "USD/month")
                else "price"
            )
        if q.unit == "token" and re.search(r"上下文|context|window", text[q.start : q.end + 16], re.I):
            return "context_length"
        return IMPLIED.get(family(q.unit))

    @staticmethod
    def timed(text: str) -> bool:
        """Whether a stretch speaks of time measured."""
        return TIMED.search(text) is not None

    @staticmethod
    def speed(q: Quantity, text: str) -> bool:
        """Whether the item itself speaks of speed."""
        return SPEED.search(text, q.frame.item, q.frame.item_end) is not None

    @staticmethod
    def margin(q: Quantity, text: str) -> bool:
        """Whether a percentage is an advantage of one over another."""
        return wording.margin(text, q.frame.clause, q.start, q.end)
