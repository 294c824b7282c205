"""Quantities -> claims: form, sign, bound from the words around; subject, metric, conditions from the nearest scope."""

from __future__ import annotations

import hashlib
import re
from bisect import bisect_left as bisect
from collections import Counter
from collections.abc import Iterator
from typing import Any

from verifier.extract.conditions import Context, released
from verifier.extract.numerals import numbers, units
from verifier.extract.restated import shared
from verifier.extract.surroundings import Surroundings
from verifier.lexicon import Lexicon, Name
from verifier.models import Block, Cell, Claim, Document, Number, Source
from verifier.normalize.rounding import interval
from verifier.read import ARXIV

ARROW = re.compile(r"\s*\**\s*(?:→|->|⇒)\s*\**\s*[~≈约]?\s*")
ROSE = re.compile(r"\s*(?:提升至|提升到|上升至|升至|升到|增至|增加到|降至|降到|降低到|下降至|下降到|减至|变为|\bto\b)\s*(?:约|~)?\s*")
DASH = re.compile(r"\s*(?:-|–|—|~|～|至|到|to)\s*\$?")
FROM = re.compile(r"(?:从|由|from)\s*[~约]?\s*$", re.I)
UP = re.compile(r"提升|提高|增加|增长|上升|加速|快|improv|increas|faster|higher|gain|speedup|more|升", re.I)
DOWN = re.compile(r"降低|下降|减少|缩短|节省|降|减|reduc|decreas|lower|fewer|less|drop|cut|sav|shorter", re.I)
MAX = re.compile(r"(?:最高|最多|可达|高达|至多|不超过|up to|at most|≤|<|提升达|达到多达)\s*\**[~约]?\s*$|(?:达)\s*$", re.I)
MIN = re.compile(r"(?:至少|超过|不低于|以上|at least|more than|over|≥|>=|>)\s*\**\s*$", re.I)
APPROX = re.compile(r"(?:~|≈|约|近|大约|about|around|roughly|approximately|nearly)\s*\**\s*[$¥]?\s*$", re.I)
HEDGE = re.compile(r"可能|待核|看起来|似乎|预计|reportedly|may |might |looks like|seems", re.I)
SIGN = re.compile(r"(?<![\w.)）%])([-−+＋↓↑])\s*[$]?$")
# serving throughput is token/s where nothing else is written: `H100 吞吐 vLLM ~12,500 / SGLang ~16,200`
RATE = re.compile(r"(?:吞吐量?|throughput)(?![^\n]*(?:QPS|RPS|req|请求))[^；;。\n]*$", re.I)
MONEY = re.compile(r"[$￥¥]\s*$")
STATISTIC = re.compile(r"(?<![A-Za-z0-9])([Pp]\d{2}(?:\.\d)?|mean|median|avg|average)(?![A-Za-z0-9])|平均|均值|中位数")
CLAUSE = re.compile(r"[；;。！？]|(?<!\d)[,，](?!\d)|[.!?]\s")
DRAWN = re.compile(r"[\u4e00-\u9fff].*\d+\s?(?:秒|分|毫秒|%|倍)")  # a diagram in words, not a command
PLUSED = re.compile(r"\d[kKM]?\s?[+＋]|[A-Za-z\u4e00-\u9fff%]\s?[+＋](?!\s?[A-Za-z\d\u4e00-\u9fff])")
OWNED = re.compile(r"[\s*]{0,3}(?:版本号?\s*)?(?:>=|≥|<=?|≤|==?|~=)?\s*")
COUNTED = {"item", "commit", "contributor", "call", "star", "point", "token", "request", "gpu", "user"}


def claims(document: Document, lexicon: Lexicon) -> list[Claim]:
    """One pass over the numbers of each block; nothing is inherited across blocks but headings."""
    out: list[Claim] = []
    ordinals: Counter[tuple[Any, ...]] = Counter()
    firsts: dict[tuple[Any, ...], str] = {}
    context = Context(document, lexicon)
    for block in document.blocks:
        if block.kind == "front_matter" or block.kind == "code" and not DRAWN.search(block.text):
            continue
        names = context.names[block.start]
        context.enter(block, names)
        found = numbers(block.text)
        if not found:
            continue
        cited = _cited(block, found)
        for fields, first, last in _quantities(block, found, names, lexicon):
            out.append(_bind(document, block, names, context, cited, fields, first, last, ordinals, firsts))
    return shared(out, document.text)


def _cited(block: Block, found: list[Number]) -> tuple[Source, ...]:
    """The papers that a block names; a long one, such as a list of ids, vouches for nothing in it."""
    if len(block.text) >= 500:
        return ()
    papers = (ARXIV.fullmatch(n.text) for n in found if n.kind == "id")
    return tuple(Source(kind="arxiv", id=p[1]) for p in papers if p)


def _quantities(block: Block, found: list[Number], names: list[Name], lexicon: Lexicon) -> Iterator[tuple[dict[str, Any], Number, Number]]:
    """Yield (fields, first number, last number) of each quantity: single numbers, ranges, changes, versions."""
    text = block.text
    index = 0
    previous: tuple[int, str | None, bool] | None = None
    while index < len(found):
        number = found[index]
        index += 1
        if number.kind == "version" or number.kind == "date" and number.text.count("-") == 2:
            owner = _owner(text, number, names)
            listed = previous and re.fullmatch(r"\s*(?:[/、,，]|与|和|and)\s*", text[previous[0] : number.start])
            if number.kind == "date" and (owner is None or lexicon.entry("project", owner.canonical).get("versions") != "dates"):
                continue
            if owner is None and not (listed and previous and previous[2]) and number.text.count(".") < 2:
                continue
            subject = owner.canonical if owner else previous[1] if previous and listed else _before(text, number, names)
            previous = (number.end, subject, bool(owner or listed))
            yield _version(text, number, number.text, subject), number, number
            continue
        if number.kind != "quantity":
            continue
        if number.unit is None and re.fullmatch(r"\d+\.\d+", number.text):
            owner = _owner(text, number, names)
            near = previous is not None and previous[2] and number.start - previous[0] < 12
            plus = near and text[number.end : number.end + 1] == "+"
            if owner or plus or near and previous and text[previous[0] : number.start] in ("/", "、", " / "):
                subject = owner.canonical if owner else previous[1] if previous else None
                previous = (number.end, subject, True)
                yield _version(text, number, number.text, subject), number, number
                continue
        if MONEY.search(text[max(0, number.start - 3) : number.start]) and not (number.unit or "").startswith("USD"):
            number = _bare(number)
        after = found[index] if index < len(found) and found[index].kind == "quantity" else None
        gap = text[number.end : after.start] if after else ""
        if after and (ARROW.fullmatch(gap) or (ROSE.fullmatch(gap) and (FROM.search(text[: number.start][-8:]) or "至" in gap or "到" in gap))):
            unit = after.unit or number.unit
            if unit:
                index += 1
                rise = after.value > number.value  # type: ignore[operator]
                yield {"form": "change", "from_": number.value, "to": after.value, "unit": unit,
                       "direction": "increase" if rise else "decrease"}, number, after  # fmt: skip
            continue
        if after and number.unit == "parameter" and after.unit is None and after.text.endswith("T"):
            after = after.model_copy(update={"unit": "parameter"})
        if after and MONEY.search(text[max(0, number.start - 3) : number.start]) and after.unit is None:
            after = after.model_copy(update={"unit": _price(text, number)})
        if after and DASH.fullmatch(gap) and after.unit and after.unit != "call" and number.unit in (None, after.unit) and number.value < after.value:  # type: ignore[operator]
            index += 1
            yield {"form": _form(after.unit, text, number, after), "low": number.value, "high": after.value, "unit": after.unit}, number, after
            continue
        if number.unit is None:
            rest = re.match(r"\s*(?:vs\.?|/|、|和|and|→)\s*", text[number.end : number.end + 12])
            if not (after and rest and rest.end() == len(gap) and after.unit) or after.unit == "item":
                ahead = re.match(r"\s*/\s*[A-Za-z][\w. -]{0,20} $", gap)
                if (number.value or 0) >= 1000 and ahead and after and after.unit and "/s" in after.unit:
                    yield {"form": "value", "value": number.value, "unit": after.unit}, number, number
                    continue
                if number.value >= 1000 and "," in number.text and "|" not in text and RATE.search(text[max(0, number.start - 60) : number.start]):  # type: ignore[operator]
                    yield {"form": "value", "value": number.value, "unit": "token/s"}, number, number
                    continue
                if MONEY.search(text[max(0, number.start - 3) : number.start]):
                    yield {"form": "value", "value": number.value, "unit": _price(text, number)}, number, number
                    continue
                if unit := _column_unit(block, number):
                    yield {"form": _form(unit, text, number, number), "value": number.value, "unit": unit}, number, number
                continue
            yield {"form": _form(after.unit, text, number, number), "value": number.value, "unit": after.unit}, number, number
            continue
        unit = number.unit
        if unit == "call" and re.search(r"日均|每[日天]\s*$", text[max(0, number.start - 6) : number.start]):
            unit = "call/day"
        if unit.startswith("USD/") and not MONEY.search(text[max(0, number.start - 3) : number.start]):
            continue
        yield {"form": _form(unit, text, number, number), "value": number.value, "unit": unit}, number, number


def _owner(text: str, number: Number, names: list[Name]) -> Name | None:
    """The project right before a version, past `>=`, `v` or `版本`."""
    left = bisect(names, number.start, key=lambda n: n.start)
    for name in reversed(names[max(0, left - 4) : left]):
        gap = text[name.end : number.start]
        if name.kind == "project" and OWNED.fullmatch(gap):
            return name
    return None


def _before(text: str, number: Number, names: list[Name]) -> str | None:
    """The nearest project a little way before."""
    left = bisect(names, number.start, key=lambda n: n.start)
    near = [n.canonical for n in names[max(0, left - 8) : left] if n.kind == "project" and number.start - n.end < 60]
    return near[-1] if near else None


def _version(text: str, number: Number, written: str, subject: str | None) -> dict[str, Any]:
    sign = re.search(r"(>=|≥|<=?|≤|~=)\s*$", text[max(0, number.start - 5) : number.start])
    bound = "min" if text[number.end : number.end + 1] == "+" or written.endswith("+") else None
    if sign:
        bound = "min" if sign[1] in (">=", "≥", "~=") else "max"
    value = written.lstrip("v").rstrip("+")
    return {"form": "version", "value": value, "unit": "version", "subject": subject, "metric": "version", "bound": bound}


def _bare(number: Number) -> Number:
    """Money counts in money whatever thing stands behind it."""
    return number.model_copy(update={"unit": None})


def _price(text: str, number: Number) -> str:
    """What an amount of money is paid for."""
    before, after = text[max(0, number.start - 14) : number.start], text[number.end : number.end + 14]
    if re.search(r"GPU\s*小时|GPU[- ]?h", before) or re.match(r"[-\d.]*\s*/\s*GPU[- ]?h", after):
        return "USD/GPU-h"
    if re.search(r"月[省均]|每月", before) or re.match(r"\s*/\s*(?:月|month)", after):
        return "USD/month"
    return "USD/day" if re.search(r"日均|每[天日]", before) else "USD"


def _cell(block: Block, place: int) -> Cell | None:
    """The cell that holds a place of the file."""
    found = bisect(block.cells, place + 1, key=lambda c: c.start) - 1
    return block.cells[found] if found >= 0 and place < block.cells[found].end else None


def _column_unit(block: Block, number: Number) -> str | None:
    """The unit that a cell's column head gives a bare number."""
    place = block.start + number.start
    cell = _cell(block, place)
    if cell is None or not re.fullmatch(r"[*_ ]*[~≈]?[\d,.]+[*_ ]*", cell.text) or not cell.head:
        return None
    pattern, table = units()
    for mark in re.finditer(r"[(（\[]([^)）\]]+)[)）\]]|(?<=[\s_])(TFLOPS|GFLOPS|[QR]PS|tok/s)\b|^(RPS|QPS|TPS|TFLOPS)\b", cell.head):
        if found := pattern.match(next(g for g in mark.groups() if g)):
            return table[found[1]]
    if re.search(r"speed-?up|加速比|v\.?s\.? ", cell.head, re.I):
        return "x" if "." in cell.text else None
    return None


def _near(text: str, start: int, end: int) -> str:
    """The clause around a number."""
    left = max((m.end() for m in CLAUSE.finditer(text, max(0, start - 80), start)), default=max(0, start - 80))
    right = CLAUSE.search(text, end, min(len(text), end + 30))
    return text[left : right.start() if right else min(len(text), end + 30)]


def _form(unit: str, text: str, first: Number, last: Number) -> str:
    if unit == "x":
        return "ratio"
    if unit in ("percent", "percentage_point"):
        before, after = text[max(0, first.start - 22) : first.start], text[last.end : last.end + 18]
        signed = SIGN.search(before)
        if signed or unit == "percentage_point":
            return "delta"
        close = re.search(
            r"(?:提升|提高|增加|增长|降低|下降|减少|缩短|节省|加速|快|慢)[^\d，。；、,;/%]{0,10}$"
            r"|\bby\s*(?:about|around|up to|over|~)?\s*\**$",
            before,
        )
        follows = re.match(
            r"\**\s*(?:的)?\s*[^\d，。；、,;/%()（）a-z]{0,6}(?:优势|提升|加速|下降|降低|增长|reduction|increase|improvement|faster|lower|higher|speedup|gain|decrease)",
            after,
        )
        if close or follows:
            return "delta"
    return "value" if first is last else "range"


def _bind(document: Document, block: Block, names: list[Name], context: Context, cited: tuple[Source, ...], fields: dict[str, Any],
          first: Number, last: Number, ordinals: Counter[tuple[Any, ...]], firsts: dict[tuple[Any, ...], str]) -> Claim:  # fmt: skip
    text = block.text
    before = text[max(0, first.start - 24) : first.start]
    clause = _near(text, first.start, last.end)
    left = text.rfind(clause, 0, last.end + 40) if clause else first.start
    left = left if 0 <= left <= first.start else max(0, first.start - 80)
    start, end = first.start, last.end
    if sign := SIGN.search(before):
        start = max(0, first.start - len(before) + sign.start())
    elif MONEY.search(before[-2:]):
        start -= 1
    fields.setdefault("approx", bool(APPROX.search(before)) or text[end : end + 2] == "左右")
    if fields["form"] != "version":
        fields["bound"] = "max" if MAX.search(before) else "min" if MIN.search(before) or PLUSED.search(text[last.start : end + 2]) else None
    if fields["form"] in ("delta", "ratio") and "direction" not in fields:
        mark = sign.group(1) if sign else ""
        down = mark in ("-", "−", "↓") or (not mark and DOWN.search(clause) is not None and not (UP.search(before) or UP.search(text[end : end + 8])))
        fields["direction"] = "decrease" if down else "increase" if fields["form"] == "delta" or UP.search(clause) else None
        if fields["form"] == "delta" and down and isinstance(fields.get("value"), float):
            fields["value"] = -fields["value"]
    row = _cell(block, block.start + first.start)
    seen = Surroundings(block, names, left, start, first, last, row, context)
    fields["metric"] = fields.get("metric") or seen.metric(fields["unit"], fields["form"])
    fields["subject"] = fields.get("subject") or seen.subject()
    stat = [m for m in STATISTIC.finditer(clause)]
    conditions = context.at(first.start, last.end, row)
    if fields["form"] == "version" and context.serves(fields["subject"]):
        conditions = released(conditions, fields["subject"], fields["value"], block.line)
    hedge = HEDGE.search(clause)
    exact = fields["unit"] in COUNTED
    written = [re.match(r"[\d,.eE]+", n.text) for n in ((first,) if first is last else (first, last))]
    scales = [n.value / float(w[0].strip(",.").replace(",", "")) if n.value and w and float(w[0].strip(",.").replace(",", "")) else 1.0
              for n, w in zip((first, last), written, strict=False)]  # fmt: skip
    if fields["form"] != "version":
        ends = [interval(w[0].strip(",."), s, exact) for w, s in zip(written, scales, strict=True) if w]
        if isinstance(fields.get("value"), float) and fields["value"] < 0:
            ends = [i.model_copy(update={"low": -i.high, "high": -i.low}) for i in ends]
        fields["interval"] = tuple(ends)
    key = (fields["subject"], fields["metric"], stat[-1][0] if stat else None, fields["form"], fields["unit"])
    ordinals[key] += 1
    ident = hashlib.sha256("\x1f".join(map(str, (document.path, *key, ordinals[key]))).encode()).hexdigest()[:16]
    said = (key, fields.get("value"), fields.get("low"), fields.get("high"), fields.get("from_"), fields.get("to"))
    claim = Claim(
        id=ident, document=document.path, line=block.line, end_line=block.end_line, column=start + 1, start=block.start + start,
        end=block.start + end, text=text[start:end], section=block.section[-1] if block.section else "", first=firsts.get(said),
        cell=(block.cells[0].text, row.head) if row else None, hedge=hedge[0].strip() if hedge else None,
        statistic=stat[-1][0] if stat else None, baseline=seen.baseline(clause, fields), conditions=conditions,
        sources=cited, **fields,
    )  # fmt: skip
    firsts.setdefault(said, ident)
    return claim
