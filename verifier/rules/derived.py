"""A figure that follows from others: it must be one that the rounding of its operands allows."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from datetime import date

from verifier.models import Claim, Finding
from verifier.rules import _formulas
from verifier.rules._base import Context, Rule, finding
from verifier.rules._formulas import Derived
from verifier.rules._tables import Figure, Formula, Table, tables

TOPIC = r"算错|重算|计算|算术|不符|推不出|does not follow|recomput|arithmetic|does not add up"  # what a declared entry about such a fault speaks of
EQUALS = re.compile(r"\s*(?:=|＝|，即|, i\.e\.,?|（|\(|, or|,|，)\s*(?:提升|提升了|约|~|a\s)?\s*\**$")
BETWEEN = re.compile(r"\s*\**\s*(?:vs\.?|versus|对比|对|/|→)\s*\**\s*(?:[A-Za-z][\w.-]*\s*)?[~约]?\s*$")
AFTER_CHANGE = re.compile(r"\s*\**\s*(?:\(|（|,|，|=|——?|—|–|-|:|：)\s*\**\s*(?:[\u4e00-\u9fff]{0,6}|an?|or|i\.e\.)?\s*[+\-−~约]?\s*")
HELD = re.compile(
    r"(?P<v>\d[\d,]*(?:\.\d+)?)\s?(?P<u>ms|s|%|tok/s|req/s)[*]*\s(?:(?:p\d\d|mean|avg|median|total)\s)?\((?:about |~|≈)?(?P<p>\d+(?:\.\d+)?)\s?%"
    r"\s(?P<way>lower|less|faster|shorter|higher|more|better)(?:\sthan\s(?P<than>[^)\n]{2,60}))?\)", re.I
)  # fmt: skip
BEST = re.compile(r"\b(?:best|fastest|strongest|next[- ]best)\b", re.I)
CUBE = re.compile(r"\s*(\d+)\s*[×x*]\s*(\d+)\s*[×x*]\s*(\d+)\s*")
SECONDS = {"ms": 1e-3, "µs": 1e-6, "us": 1e-6, "s": 1.0}
PERIOD = re.compile(r"(?<![\d.])(?P<y>20\d\d)[ -]?(?P<p>Q[1-4]|H[12])(?:\s?[初末底])?(?![\d])")
AHEAD = re.compile(r"将|预计|计划|预期|目标|路线图|拟|有望|预测|之前|前|will|plan|expect|roadmap|target|forecast|upcoming|by ", re.I)
DONE = re.compile(r"里程碑|已|构成|落地|完成|发布|milestone|shipped|released|landed|achieved|happened", re.I)


def judge(rule: Rule, context: Context) -> Iterable[Finding]:
    """`check` names where the operands stand; see CHECKS."""
    return CHECKS[rule.spec.get("check", "sentence")](rule, context)


def _sentence(rule: Rule, context: Context) -> Iterator[Finding]:
    """Two plain values of one unit, then `=` and a factor; or a change, then its own percentage or factor."""
    by_line: dict[int, list[Claim]] = {}
    for claim in context.claims:
        by_line.setdefault(claim.line, []).append(claim)
    for claims in by_line.values():
        for place, result in enumerate(claims):
            if not isinstance(result.value, float) or not result.interval or not rule.when(result):
                continue
            if result.form == "ratio" and place >= 2:
                yield from _ratio(rule, context, claims[place - 2], claims[place - 1], result)
            if result.form in ("ratio", "delta") and place >= 1:
                yield from _change(rule, context, claims[place - 1], result)


def _ratio(rule: Rule, context: Context, a: Claim, b: Claim, result: Claim) -> Iterator[Finding]:
    text = context.document.text
    if a.form != "value" or b.form != "value" or a.unit != b.unit or not (a.interval and b.interval):
        return
    if not BETWEEN.fullmatch(text[a.end : b.start]) or not EQUALS.fullmatch(text[b.end : result.start]):
        return
    x, y, z = a.interval[0], b.interval[0], result.interval[0]
    if min(x.low, y.low) <= 0:
        return
    options = ((x.low / y.high, x.high / y.low, a, b), (y.low / x.high, y.high / x.low, b, a))
    holds = any(low <= z.high and z.low <= high for low, high, _, _ in options)
    _, _, top, bottom = max(options, key=lambda o: o[0])
    quotient = float(top.value) / float(bottom.value)  # type: ignore[arg-type]
    working, zh = _verdict(f"{top.value:g} / {bottom.value:g} = {quotient:.4g}", result.text, holds)
    yield finding(
        rule, context, "pass" if holds else "fail", [result, a, b],
        f"{result.text} does not follow from {a.text} and {b.text}: {working}" if not holds else working,
        f"{a.text} 与 {b.text} 推不出 {result.text}：{zh}" if not holds else zh,
        working=[working], working_zh=[zh], expected=f"{quotient:.3g}x", observed=result.text,
    )  # fmt: skip


def _change(rule: Rule, context: Context, change: Claim, result: Claim) -> Iterator[Finding]:
    gap = context.document.text[change.end : result.start]
    if change.form != "change" or len(change.interval) != 2 or not AFTER_CHANGE.fullmatch(gap):
        return
    place = context.at(change.start, change.end)
    was, now = (Figure(i.low, (i.low + i.high) / 2, i.high, "", place) for i in change.interval)
    ends = result.interval[0]
    figure = Figure(min(abs(ends.low), abs(ends.high)), abs(float(result.value or 0)), max(abs(ends.low), abs(ends.high)), "", place)
    percent = result.unit == "percent"
    if min(was.low, now.low) <= 0 or (result.unit not in ("percent", "x")) or (change.unit == "percent" and percent):
        return
    names = ("(b − a) / b", "(a − b) / b") if percent else ("a / b", "b / a")
    made = [Derived(figure, now, was, f, figure.holds(*f.span(now, was)), "") for n in names for f in [Formula(n, percent)]]
    best = min(made, key=lambda d: (not d.holds, d.formula.value(now.value, was.value) <= (0 if percent else 1)))
    working, zh = _verdict(best.formula.show(float(change.to or 0), float(change.from_ or 0)), result.text, best.holds)
    said = f"{result.text} does not follow from {change.text}: {working}", f"{change.text} 推不出 {result.text}：{zh}"
    yield finding(rule, context, "pass" if best.holds else "fail", [result, change], *said, working=[working], working_zh=[zh], observed=result.text)


def _verdict(sum_: str, stated: str, holds: bool) -> tuple[str, str]:
    """What an operation gives, and whether the stated figure may be that."""
    return f"{sum_} → {stated} {'holds' if holds else 'does not hold'}", f"{sum_} → {stated} {'成立' if holds else '不成立'}"


def _table(rule: Rule, context: Context) -> Iterator[Finding]:
    """Columns, rows and blocks of factors or percentages; one finding a cell that its operands do not give."""
    for table in tables(context):
        made = [*_formulas.columns(table), *_formulas.rows(table), *(d for d, _, _ in _formulas.baselines(table)), *_formulas.blocks(table)]
        for derived in made:
            yield _cell(rule, context, table, derived)


def _cell(rule: Rule, context: Context, table: Table, d: Derived) -> Finding:
    shown = d.result.place.text.strip("*` ")
    working, zh = _verdict(d.formula.show(d.a.value, d.b.value), shown, d.holds)
    lines = {p.line: p for p in (d.result.place, d.a.place, d.b.place)}
    said = f"{shown} does not follow from {d.a.place.text.strip('*` ')} and {d.b.place.text.strip('*` ')}: {working}"
    said_zh = f"{d.a.place.text.strip('*` ')} 与 {d.b.place.text.strip('*` ')} 推不出 {shown}：{zh}"
    return finding(rule, context, "pass" if d.holds else "fail", list(lines.values()), working if d.holds else said, zh if d.holds else said_zh,
                   working=[working], working_zh=[zh], expected=f"{d.formula.value(d.a.value, d.b.value):.3g}", observed=shown,
                   cause=f"{table.heads[0]}|{d.result.unit}|{d.against}")  # fmt: skip


def _prose(rule: Rule, context: Context) -> Iterator[Finding]:
    """`9.1 s (43% lower than the best other)` against the table whose column holds 9.1 s."""
    known = list(tables(context))
    for found in HELD.finditer(context.document.text):
        column = _column(known, found["v"], found["u"])
        if column is None:
            continue
        own, others = column
        stated = float(found["p"])
        half = 0.5 / 10 ** len(found["p"].partition(".")[2])
        lower = found["way"].lower() in ("lower", "less", "faster", "shorter")
        share = Formula("(b − a) / b" if lower else "(a − b) / b", True)
        fits = [o for o in others if _within(share.span(own, o), stated, half)]
        best = (min if lower else max)(others, key=lambda o: o.value)
        wrong = not fits or (found["than"] and BEST.search(found["than"]) and best not in fits)
        against = best if wrong else fits[0]
        working = [f"{share.show(own.value, against.value)} against {against.place.text} (line {against.place.line})"]
        working += [f"{found['p']} % is reproduced by {f.place.text} (line {f.place.line})" for f in fits if wrong]
        message = f"{found[0]}: {'; '.join(working)}"
        zh = [f"与 {against.place.text}（第 {against.place.line} 行）相比 {share.show(own.value, against.value)}"]
        zh += [f"{found['p']} % 是与 {f.place.text}（第 {f.place.line} 行）相比" for f in fits if wrong]
        places = {p.line: p for p in (context.at(found.start(), found.end()), own.place, *((against.place,) if wrong else ()))}
        yield finding(rule, context, "fail" if wrong else "pass", list(places.values()), message, f"“{found['v']}{found['u']} … {found['p']} %”：{'；'.join(zh)}", working=working,
                      working_zh=zh,
                      expected=f"{share.value(own.value, against.value):.3g} %", observed=f"{found['p']} %", cause=found[0])  # fmt: skip


def _within(span: tuple[float, float], value: float, half: float) -> bool:
    return span[0] - 1e-9 <= value + half and value - half <= span[1] + 1e-9


def _column(known: list[Table], value: str, unit: str) -> tuple[Figure, list[Figure]] | None:
    """(the figure, the others of its column), where exactly one column of one table has it and at least two others."""
    hits = []
    for table in known:
        for index in range(1, len(table.heads)):
            figures = [f for f in table.column(index) if f]
            own = [f for f in figures if f.place.text.strip("*` ").replace(" ", "") == value + unit]
            if len(own) == 1 and len(figures) >= 3:
                hits.append((own[0], [f for f in figures if f is not own[0]]))
    return hits[0] if len(hits) == 1 else None


def _gemm(rule: Rule, context: Context) -> Iterator[Finding]:
    """TFLOPS of a matrix product: 2·M·N·K over the time in the same row."""
    for table in tables(context):
        rates = [i for i, h in enumerate(table.heads) if re.search(r"TFLOP", h)]
        times = [(i, m[1]) for i, h in enumerate(table.heads) if (m := re.search(r"\((ms|µs|us|s)\)", h))]
        for row in table.rows:
            size = CUBE.fullmatch(row.texts[0])
            if not (size and rates and times) or not (rate := row.figures[rates[0]]):
                continue
            work = 2.0 * int(size[1]) * int(size[2]) * int(size[3]) / 1e12
            named = [(i, u) for i, u in times if table.heads[i].split()[0] in table.heads[rates[0]].split()] or times[:1]
            time = row.figures[named[0][0]]
            if not time or time.low <= 0:
                continue
            scale = SECONDS[named[0][1]]
            holds = rate.holds(work / (time.high * scale), work / (time.low * scale))
            got = work / (time.value * scale)
            sum_ = f"2 × {size[1]} × {size[2]} × {size[3]} / {time.value:g} {named[0][1]} = {got:.3g} TFLOPS"
            working, zh = f"{sum_}; stated {rate.value:g}", f"{sum_}；文中写作 {rate.value:g}"
            yield finding(rule, context, "pass" if holds else "fail", [rate.place], working, zh, working=[working], expected=f"{got:.3g} TFLOPS",
                          observed=f"{rate.value:g} TFLOPS", cause=table.heads[rates[0]])  # fmt: skip


def _period(rule: Rule, context: Context) -> Iterator[Finding]:
    """Something said to have happened in a quarter or half-year that had not begun on the document's day."""
    places: dict[str, list[re.Match[str]]] = {}
    for found in PERIOD.finditer(context.document.text):
        month = {"Q": 3, "H": 6}[found["p"][0]] * (int(found["p"][1]) - 1) + 1
        text = context.document.text
        near = (
            re.split(r"[。；;\n]", text[max(0, found.start() - 60) : found.start()])[-1]
            + re.split(r"[。；;\n]", text[found.end() : found.end() + 40])[0]
        )
        if date(int(found["y"]), month, 1) > context.as_of and DONE.search(near) and not AHEAD.search(near):
            places.setdefault(f"{found['y']} {found['p']}", []).append(found)
    for name, matches in places.items():
        working = f"{name} had not begun on {context.as_of}"
        at = [context.at(m.start(), m.end()) for m in matches[:8]]
        yield finding(rule, context, "fail", at, f"{working}, yet it is told as done", f"{context.as_of} 时 {name} 尚未开始，却写作已发生", working=[working],
                      observed=name, cause=name)  # fmt: skip


CHECKS: dict[str, Callable[[Rule, Context], Iterable[Finding]]] = {
    "sentence": _sentence, "table": _table, "prose": _prose, "gemm": _gemm, "period": _period,
}  # fmt: skip
