"""Numbers -> quantities: changes, ranges, lists that share a unit, money, counts; what says nothing by itself is left out."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass

from verifier.extract import chinese, wording
from verifier.extract.columns import Columns
from verifier.extract.passage import Frame, Passage
from verifier.lexicon import Name
from verifier.models import Block, Bound, Cell, Direction, Form, Number

ARROW = re.compile(r"\s*\**\s*(?:→|->|=>|⇒|➜)\s*\**\s*[~≈约]?\s*[$¥]?\s*")
ROSE = re.compile(
    r"\s*\**\s*(?:(?:大幅|显著|直接|逐步|快速|进一步)?(?:提升|提高|上升|升|增|增加|增长|涨|降|降低|下降|减|减少|缩短|缩减|压缩|跌|变|优化|推)(?:至|到|为)|至|到"
    r"|(?:up |down )?to)\s*(?:了|仅|约|~|≈|about |only |just |nearly )?\s*\**\s*[$¥]?\s*"
)
FROM = re.compile(r"(?:从|由|自|\bfrom)(?:的|原来的|约|~|≈|\s|\*|about |around |roughly )*[$¥]?\s*$", re.I)
SINCE = re.compile(r"从|由|\bfrom\b", re.I)
DASH = re.compile(r"\s*\**\s*(?:-|–|—|~|～|至|到|to)\s*\**\s*\$?")
OWNER = r"(?:\*{0,2}[A-Za-z][\w.+-]*(?: [A-Za-z][\w.+-]*){0,2}\s*[:：=]?\s*)?"
SHARED = re.compile(rf"\s*\**\s*(?:/|、|,|，|;|；|与|和|及|and|vs\.?|versus|对|→|\+|·|,? and)\s*{OWNER}(?:[~≈约]|about )?\s*\**\s*[$¥]?")
MONEY = re.compile(r"[$￥¥]\s*$")
RATE = re.compile(r"(?:吞吐量?|throughput)(?![^\n]*(?:QPS|RPS|req|请求))[^；;。\n|]*$", re.I)
NOUN = re.compile(
    r"\s?(?![号年月日时分秒点期版级第天周]|个百分|上午|下午|早|晚|发布|更新|实测|夜|以|左右|多|余|倍|的|和|与|在|为|是|至|到|或|及|且|而|后|前|内|中|场|即|已|将|仍|均)"
    r"(?=[\u4e00-\u9fff]{2})"
)
LOOSE = re.compile(r"(?:[A-Za-z\d.,:§#/_%$-]|[A-Za-z日\d]\s)$")
PARAMETERS = re.compile(r"\s?(?:total |active |activated )?param(?:eter)?s\b|\s?(?:总|激活|活跃)?参", re.I)
WHOLE = re.compile(r"[1-9]\d*(?:\.\d+)?\s?[kKM万亿]?", re.ASCII)
JOINED = re.compile(r"\s*(?:和|与|及|and|、|/|,)\s*(?:近|约|about )?\s*\**\s*")
GROWS = re.compile(
    r"[^.。;；\d]{0,24}[,，]\s*(?:and )?(?:growing|rising|increasing|widening|climbing|up|reaching|最高|最大|并?扩大|增[至到]|升[至到]|达[到]?)\s?(?:to|at|至|到)?\s?(?:about|around|up to|as much as|约|近|~)?\s?\**[~≈]?"
)
CHANGED = re.compile(r"improve|difference|change|gain|delta|Δ|reduction|increase|saving|变化|提升|改进|差异|降幅|增幅|节省|收益", re.I)
PAID = (
    (re.compile(r"GPU\s*[·*]?\s*小时|GPU[- ]?h(?:ou)?r?", re.I), "USD/GPU-h"),
    (
        re.compile(r"百万\s*(?:个)?\s*(?:input|output|输入|输出)?\s*[Tt]okens?|(?:per|/)\s*(?:1?\s?[Mm]|million)\s*(?:input |output )?tok", re.I),
        "USD/Mtoken",
    ),
    (re.compile(r"月[省均]|每月|/\s*(?:月|mo(?:nth)?\b)|month", re.I), "USD/month"),
    (re.compile(r"日均|每[天日]|/\s*(?:天|day)|(?:per|a) day|daily", re.I), "USD/day"),
    (re.compile(r"每小时|/\s*(?:小时|h(?:ou)?r\b)|per hour|hourly", re.I), "USD/h"),
)
BY = re.compile(r"\bby (?:about |around |up to |as much as |over |nearly |roughly )?\**[~≈]?$", re.I)
DAILY = re.compile(r"日均|每[日天]\s*$|daily|per day", re.I)
DAY_OF = re.compile(r"第\s*$")
SECONDS = {"ns": 1e-9, "us": 1e-6, "ms": 1e-3, "s": 1.0, "min": 60.0, "h": 3600.0}
RELATIVE = ("percent", "percentage_point", "x")
SHARES_NOT = ("item", "call", "gpu", "star", "commit", "contributor")


@dataclass(slots=True)
class Quantity:
    """One quantity from its first to its last number; `frame` is where it stands, `cell` where in a table."""

    form: Form
    unit: str
    first: Number
    last: Number
    frame: Frame
    cell: Cell | None = None
    value: float | str | None = None
    low: float | None = None
    high: float | None = None
    from_: float | str | None = None
    to: float | str | None = None
    direction: Direction | None = None
    bound: Bound | None = None
    approx: bool = False
    sign: str = ""
    subject: str | None = None
    metric: str | None = None
    statistic: str | None = None
    baseline: str | None = None
    differs: bool = False  # a percentage of difference: `a gap of 20%`

    @property
    def start(self) -> int:
        return self.first.start

    @property
    def end(self) -> int:
        return self.last.end

    @property
    def compares(self) -> bool:
        """Whether it says how one thing is to another."""
        return self.form == "delta" or self.form == "ratio" or self.differs

    @property
    def relative(self) -> bool:
        """Whether it compares: a factor, a percentage or points."""
        return self.unit in RELATIVE


class Quantities:
    """Reads the numbers of one block in order."""

    def __init__(self, block: Block, found: list[Number], names: list[Name], passage: Passage, columns: Columns):
        self._names = names
        self._block, self._text, self._found, self._passage, self._columns = block, block.text, found, passage, columns
        self._previous: Quantity | None = None

    def read(self, taken: set[int]) -> Iterator[Quantity]:
        """Quantities in order of place; numbers whose start is in `taken` belong to versions or dates."""
        found = [n for n in self._found if n.kind == "quantity" and n.start not in taken and not self._named(n)]
        index = 0
        while index < len(found):
            number = found[index]
            index += 1
            after = found[index] if index < len(found) else None
            if self._money(number.start):
                number = self._priced(number)
                after = self._priced(after) if after and (self._money(after.start) or after.start - number.end < 4) else after
            if after is not None and (made := self._pair(number, after)):
                index += 1
            else:
                unit = self._unit(number, found, index)
                if unit is None:
                    continue
                form: Form = "ratio" if unit == "x" else "value"
                made = self._made(form, unit, number, number)
                if number.low is not None and number.high is not None:
                    made.form, made.low, made.high = ("ratio" if unit == "x" else "range"), number.low, number.high
                else:
                    made.value = number.value
            self._settle(made)
            yield made
            self._previous = made

    def _named(self, number: Number) -> bool:
        """Whether a number is part of a known name: `Ascend 910B`."""
        at = bisect_left(self._names, number.start, key=lambda n: n.start)
        return any(n.kind != "metric" and n.start < number.start < n.end for n in self._names[max(0, at - 3) : at])

    def _made(self, form: Form, unit: str, first: Number, last: Number) -> Quantity:
        cell = self._columns.cell(self._block, first.start)
        return Quantity(form, unit, first, last, self._passage.frame(first.start, last.end), cell)

    def _money(self, start: int) -> bool:
        return MONEY.search(self._text, max(0, start - 3), start) is not None

    def _priced(self, number: Number) -> Number:
        """An amount of money counts in money, for what it is paid for, whatever thing stands behind it."""
        if (number.unit or "").startswith("USD"):
            return number
        near = self._text[number.end : number.end + 14], self._text[max(0, number.start - 16) : number.start]
        unit = next((unit for words in near for pattern, unit in PAID if pattern.search(words)), "USD")
        return number.model_copy(update={"unit": unit})

    def _pair(self, number: Number, after: Number) -> Quantity | None:
        """A change from one to the other, or a range between both."""
        text = self._text
        gap = text[number.end : after.start]
        if len(gap) > 24 or number.value is None or after.value is None:
            return None
        low, high = number.value, after.value
        if after.unit is None and number.unit == "parameter" and after.text[-1:] in "TBM":
            after = after.model_copy(update={"unit": "parameter"})
        unit = after.unit or number.unit
        rose = ROSE.fullmatch(gap)
        came = (
            FROM.search(text, max(0, number.start - 12), number.start) or low > high and SINCE.search(text, max(0, number.start - 24), number.start)
        )
        turned = rose and (came or not DASH.fullmatch(gap))
        if (
            unit
            and unit != "item"
            and (ARROW.fullmatch(gap) or turned)
            and (number.unit in (None, unit) or came or {number.unit, unit} <= set(SECONDS))
        ):
            made = self._made("change", unit, number, after)
            came_from = self._as(number, unit)
            made.from_, made.to = came_from, high
            made.direction = "increase" if high > came_from else "decrease"
            return made
        if not DASH.fullmatch(gap) or not after.unit or after.unit == "call" or number.unit not in (None, after.unit) or low >= high:
            return None
        made = self._made("ratio" if after.unit == "x" else "range", after.unit, number, after)
        made.low, made.high = low, high
        return made

    def _as(self, number: Number, unit: str) -> float:
        """The first number of a change in the second one's unit: `2 min 10 s` and `10 s`, `1.2 s → 840 ms`."""
        value = float(number.value or 0)
        if number.unit in SECONDS and unit in SECONDS:
            return round(value * SECONDS[number.unit] / SECONDS[unit], 9)
        return value

    def _unit(self, number: Number, found: list[Number], index: int) -> str | None:
        """The unit of a single number: its own, its list's, its column's, its noun's; None where it says nothing."""
        text, unit = self._text, number.unit
        if unit == "call" and DAILY.search(text, max(0, number.start - 6), number.start):
            return "call/day"
        if unit and unit.startswith("USD/") and not self._money(number.start):
            return None
        if unit is not None:
            return unit
        if number.text[-1:] in "TBM" and PARAMETERS.match(text, number.end):
            return "parameter"
        if shared := self._shared(number, found, index):
            return shared
        value = number.value or 0
        if value >= 1000 and "," in number.text and "|" not in text and RATE.search(text, max(0, number.start - 60), number.start):
            return "token/s"
        if (cell := self._columns.cell(self._block, number.start)) is not None:
            return self._columns.unit(self._block, cell)
        if DAY_OF.search(text, max(0, number.start - 3), number.start):
            return "day" if text[number.end : number.end + 2].lstrip()[:1] in ("日", "天") else None
        if WHOLE.fullmatch(number.text) and NOUN.match(text, number.end) and not LOOSE.search(text, max(0, number.start - 2), number.start):
            return "item"
        return None

    def _shared(self, number: Number, found: list[Number], index: int) -> str | None:
        """`A ~4,100 / B ~3,950 tok/s`: the unit that ends a list holds for all of it."""
        end = number.end
        for after in found[index : index + 6]:
            if after.start - end > 40 or not SHARED.fullmatch(self._text, end, after.start):
                return None
            if after.unit:
                return None if after.unit in SHARES_NOT or after.unit.startswith("USD") and not self._money(number.start) else after.unit
            end = after.end
        return None

    def _settle(self, made: Quantity) -> None:
        """Sign, form, direction, bound and approximation from the words around."""
        text, frame = self._text, made.frame
        left, right = frame.item, frame.item_end
        sign = wording.SIGN.search(text, max(left, made.start - 4), made.start)
        made.sign = sign[1].lstrip("\\") if sign else ""
        signed: Direction | None = wording.SIGNS.get(made.sign)
        compares = made.cell is not None and CHANGED.search(made.cell.head) is not None
        if not text[left : made.start].strip(" *~约近"):
            left = frame.clause  # `Savings: 62%`: the words before the colon
        before = self._previous
        if chinese.HALVED.fullmatch(text, made.start, made.end):
            made.form, made.direction = "delta", "decrease"
        elif made.unit in ("percent", "percentage_point") and made.form in ("value", "range"):
            listed = (
                before is not None
                and before.form == "delta"
                and before.unit == made.unit
                and any(gap.fullmatch(text, before.end, made.start) for gap in (JOINED, GROWS))
            )
            spread = BY.search(text, left, made.start) and before is not None and before.form == "delta" and left >= before.end
            if listed or spread:
                made.form, made.direction = "delta", before.direction if before else None
            elif not signed and made.cell is None and wording.margin(text, frame.clause, made.start, made.end):
                made.form, made.direction = "delta", signed or "increase"
            elif signed or made.unit == "percentage_point" or wording.moved(text, left, made.start, made.end, right) or compares:
                made.form = "delta"
        elif signed and made.sign in "+＋↑↓" and made.form == "value" and made.unit != "item":
            made.form = "delta"
        if made.form in ("delta", "ratio"):
            made.direction = signed or made.direction or wording.direction(text, left, made.start, made.end, right)
            if made.direction is None and left > frame.clause:
                made.direction = wording.direction(text, frame.clause, made.start, made.end, right)
        if made.form == "delta" and made.direction is None and made.unit != "percentage_point" and not compares:
            made.form = "value" if made.first is made.last else "range"
        if made.form == "delta" and made.direction == "decrease":
            made.value = -made.value if isinstance(made.value, float) else made.value
            if made.low is not None and made.high is not None:
                made.low, made.high = -made.high, -made.low
        made.differs = made.unit == "percent" and made.form in ("value", "range") and wording.differs(text, frame.clause, made.start, made.end)
        made.approx = (
            wording.approximate(text, made.start, made.end) or made.first is not made.last and wording.approximate(text, made.last.start, made.end)
        )
        made.bound = wording.bound(text, left, made.start, made.first.end, made.end)
        if made.bound is None and before is not None and before.bound == "max" and before.unit == made.unit:
            joined = self._text[before.end : made.start]
            if len(joined) < 40 and re.search(r"\band\b|和|与|及", joined) and not re.search(r"[。；;，]|\.\s", joined):
                made.bound = before.bound  # `up to 3x the throughput and 2x the speed`
