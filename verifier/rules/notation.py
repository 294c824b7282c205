"""Figures written in a way that cannot mean what it says: factors that lower, `of` for `by`, time for speed, points for per cent."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator

from verifier.models import Claim, Finding
from verifier.rules._about import passage, words
from verifier.rules._base import Context, Rule, finding
from verifier.rules._words import told
from verifier.rules._words import zh as chinese

TOPIC = r"记法|写法|表述|负号|负的?倍|notation|minus sign|spelled"  # what a declared entry about such a fault speaks of
LOWERED = re.compile(
    r"(?:(?:降低|下降|减少|缩短|下滑|降)\s*(?:了|约|近|达|~)?|(?:reduced|lowered|decreased|cut|shrunk|dropped) by(?: about| nearly)?)\s*\**$", re.I
)
PART_OF = re.compile(
    r"(?:\b(?:at|is|was|to|only|just)\s+(?:about |only |just )?|(?:为|是|仅|降至|降到|只有)[^。；\n%]{0,16}?的?\s?)(?P<p>\d+(?:\.\d+)?)\s?%(?=\s(?:of)\b|[^\d]|$)"
)
BY = re.compile(
    r"(?P<p>\d+(?:\.\d+)?)\s?%\s(?:[\w-]+\s){0,3}?(?:reduction|decrease|drop|cut|saving)s?\b|(?:reduc\w+|lower\w*|decreas\w+|cut\w*) (?:\w+ ){0,3}?by (?:about )?"
    r"(?P<q>\d+(?:\.\d+)?)\s?%|(?:降低|减少|下降|节省)了?\s?(?P<r>\d+(?:\.\d+)?)\s?%", re.I
)  # fmt: skip
TIME = r"(?:(?P<m{0}>\d+)\s*(?:分钟?|min(?:utes?)?)\s*)?(?:(?P<s{0}>\d+(?:\.\d+)?)\s*(?P<u{0}>ms|毫秒|秒钟?|seconds?|s(?![A-Za-z])))?"
SPEED = re.compile(r"速度|速率|性能|speed")
FASTER = re.compile(
    TIME.format("a") + r"\s*(?:降至|降到|缩短至|缩短到|到|至|→|to)\s*" + TIME.format("b")
    + r"[^。；\d\n]{0,14}(?:速度|速率|性能|speed)[^。；\d\n]{0,8}?(?:提升|提高|增加|gain|increase|improvement|up)?[^。；\d\n]{0,6}?(?P<p>\d+(?:\.\d+)?)\s?%"
)  # fmt: skip
CLOCK = r"(?<![\d:.])(?P<h>[01]?\d|2[0-3]):(?P<min>[0-5]\d)(?![\d:])"
DAYTIME = {
    "morning": (4, 12), "noon": (11, 14), "afternoon": (12, 19), "evening": (16, 24), "早上": (4, 11), "上午": (5, 12), "中午": (11, 14),
    "下午": (12, 19), "傍晚": (16, 21), "晚上": (17, 24), "凌晨": (0, 6),
}  # fmt: skip
NAMED = re.compile(
    rf"(?P<w>{'|'.join(DAYTIME)})\s?{CLOCK}|{CLOCK.replace('<h>', '<h2>').replace('<min>', '<min2>')}\s(?P<w2>{'|'.join(DAYTIME)})(?![a-z])"
)
QUANT = re.compile(r"(?<![A-Za-z\d])W(?P<w>\d{1,2})A(?P<a>\d{1,2})(?:KV(?P<kv>\d{1,2}))?(?![A-Za-z\d])\s*[（(](?P<said>[^）)\n]{4,80})[）)]")
WIDE = {"w": "权重", "a": "激活", "kv": " KV 缓存"}
SPELLED = {"w": r"(?:weights?|权重)\s*(?:为|in|:|：)?\s*(?:INT|FP)(\d+)|(?:INT|FP)(\d+)\s*(?:weights?|权重)",
           "a": r"(?:activations?|激活)\s*(?:为|in|:|：)?\s*(?:INT|FP)(\d+)|(?:INT|FP)(\d+)\s*(?:activations?|激活)",
           "kv": r"KV(?:[ -]?cache| 缓存)?\s*(?:为|in|:|：)?\s*(?:INT|FP)(\d+)|(?:INT|FP)(\d+)\s*KV"}  # fmt: skip


def judge(rule: Rule, context: Context) -> Iterable[Finding]:
    """`check` names the mistake; see CHECKS."""
    return CHECKS[rule.spec["check"]](rule, context)


def _factor(rule: Rule, context: Context) -> Iterator[Finding]:
    """`-46×`: one finding for each metric and factor of a document; its restatements are further places of it."""
    causes: dict[tuple[object, ...], list[Claim]] = {}
    for claim in context.claims:
        if claim.form != "ratio" or not rule.when(claim) or not isinstance(claim.value, float):
            continue
        before = context.document.text[max(0, claim.start - 20) : claim.start]
        if claim.text[0] in "-−" or LOWERED.search(before):
            causes.setdefault((claim.metric, abs(claim.value)), []).append(claim)
        else:
            yield finding(rule, context, "pass", [claim], "a factor without a sign", "无符号的倍数")
    for (metric, value), claims in causes.items():
        percent = 100 * (1 - 1 / abs(float(str(value)))) if value else 0.0
        working = f"to 1/{abs(float(str(value))):g} = −{percent:.1f} %"
        yield finding(
            rule, context, "fail", claims[:6], f"{claims[0].text}: nothing is lowered by a factor; probably meant: {working}",
            f"{claims[0].text}：倍数不能用来表示降低；或指降至 1/{abs(float(str(value))):g}，即 −{percent:.1f} %", working=[working], expected=working, observed=claims[0].text,
            cause=f"{metric}|{value}",
        )  # fmt: skip


def _part(rule: Rule, context: Context) -> Iterator[Finding]:
    """`at 54% of the baseline` that elsewhere is a `54% reduction`."""
    text = context.document.text
    parts = [(m, words(text[slice(*passage(context, m.start(), m.end()))])) for m in PART_OF.finditer(text)]
    for by in BY.finditer(text):
        share = by["p"] or by["q"] or by["r"]
        theme = words(text[slice(*passage(context, by.start(), by.end()))])
        for part, about in parts:
            if part["p"] == share and float(share) not in (50.0, 100.0) and len(about & theme) >= 2 and not part.start() <= by.start() <= part.end():
                at = [context.at(part.start(), part.end()), context.at(by.start(), by.end())]
                working, zh = told([(at[0].line, part[0].strip()), (at[1].line, by[0])])
                working = f"{working}; to {share} % is −{100 - float(share):g} %"
                zh = f"第 {at[0].line} 行为“降至 {share} %”（即 −{100 - float(share):g} %），第 {at[1].line} 行写成“降低 {share} %”"
                yield finding(rule, context, "fail", at, f"“to {share} %” and “by {share} %” are two things: {working}",
                              f"“降至”与“降低”不是一回事：{zh}", working=[working], expected=f"−{100 - float(share):g} %",
                              observed=by[0], cause=f"{share} %")  # fmt: skip
                break


def _speed(rule: Rule, context: Context) -> Iterator[Finding]:
    """A share of time saved, told as a gain of speed."""
    seen: dict[str, list[re.Match[str]]] = {}
    text = context.document.text
    starts = dict.fromkeys(text.rfind("\n", 0, m.start()) + 1 for m in SPEED.finditer(text))
    for found in (f for start in starts for f in FASTER.finditer(text, start, text.find("\n", start) % (len(text) + 1))):
        seen.setdefault(found["p"], []).append(found)
    for share, matches in seen.items():
        was, now = _seconds(matches[0], "a"), _seconds(matches[0], "b")
        if not was or not now or now >= was or abs(100 * (was - now) / was - float(share)) > 1:
            continue
        less, more = f"−{100 * (was - now) / was:.1f} %", f"{was / now:.3g}× (+{100 * (was / now - 1):.0f} %)"
        working, zh = f"{was:g} s → {now:g} s: time {less}, speed {more}", f"{was:g} s → {now:g} s：耗时 {less}，速度 {more}"
        at = [context.at(m.start(), m.end()) for m in matches[:6]]
        yield finding(rule, context, "fail", at, f"time saved is told as speed gained: {working}", f"节省的时间被写成提升的速度：{zh}",
                      working=[working], expected=f"+{100 * (was / now - 1):.0f} %", observed=f"{share} %", cause=f"speed|{share}")  # fmt: skip


def _seconds(found: re.Match[str], side: str) -> float | None:
    minutes, seconds, unit = found[f"m{side}"], found[f"s{side}"], found[f"u{side}"]
    if not minutes and not seconds:
        return None
    scale = 1e-3 if unit in ("ms", "毫秒") else 1.0
    return 60.0 * float(minutes or 0) + scale * float(seconds or 0)


def _points(rule: Rule, context: Context) -> Iterator[Finding]:
    """A difference of two percentages told in per cent: `60% → 75%, up 15%` is 15 points, or 25 per cent."""
    text = context.document.text
    for change, delta in zip(context.claims, context.claims[1:], strict=False):
        if change.form != "change" or change.unit != "percent" or delta.form != "delta" or delta.unit != "percent" or change.line != delta.line:
            continue
        was, now, said = change.from_, change.to, delta.value
        if not (isinstance(was, float) and isinstance(now, float) and isinstance(said, float)) or not was:
            continue
        if not re.fullmatch(r"[\s*（(,，；;=]*(?:提升|上升|增加|下降|降低|up|down|a|an|\+|-|−|了|约|\s){0,4}", text[change.end : delta.start]):
            continue
        points, relative = abs(now - was), 100 * abs(now - was) / was
        wrong = abs(points - abs(said)) < 0.06 + 0.005 * points and abs(relative - abs(said)) > 1
        working = f"{was:g} % → {now:g} %: {points:.4g} points, {relative:.3g} per cent"
        zh = f"{was:g} % → {now:g} %：相差 {points:.4g} 个百分点，相对变化 {relative:.3g} %"
        yield finding(rule, context, "fail" if wrong else "pass", [delta, change], f"{delta.text} are percentage points: {working}",
                      f"{delta.text} 应为百分点：{zh}", working=[working], expected=f"{points:.4g} pp", observed=delta.text)  # fmt: skip


def _daytime(rule: Rule, context: Context) -> Iterator[Finding]:
    """`evening 12:30`."""
    seen: dict[str, list[re.Match[str]]] = {}
    for found in NAMED.finditer(context.document.text):
        word, clock = found["w"] or found["w2"], f"{found['h'] or found['h2']}:{found['min'] or found['min2']}"
        first, last = DAYTIME[word]
        hour = int(clock.partition(":")[0]) + int(clock.partition(":")[2]) / 60
        if first <= hour <= last:
            yield finding(rule, context, "pass", [context.at(found.start(), found.end())], f"{clock} is {word}", f"{clock} 为 {word}", cause=found[0])
        else:
            seen.setdefault(f"{word} {clock}", []).append(found)
    for said, matches in seen.items():
        at = [context.at(m.start(), m.end()) for m in matches[:6]]
        word, _, clock = said.partition(" ")
        yield finding(rule, context, "fail", at, f"{said}: the time is not in that part of the day", f"{chinese(word)}{clock}：钟点与时段不符",
                      working=[said], cause=said)  # fmt: skip


def _quantization(rule: Rule, context: Context) -> Iterator[Finding]:
    """`W4A8KV4 (… KV INT8)`."""
    seen: dict[tuple[str, str, bool], list[re.Match[str]]] = {}
    for found in QUANT.finditer(context.document.text):
        for part, pattern in SPELLED.items():
            if (spelled := re.search(pattern, found["said"], re.I)) and found[part]:
                bits = next(g for g in spelled.groups() if g)
                said = f"{re.split('[(（]', found[0])[0].strip()}: {part.upper()} has {found[part]} bits; spelled {spelled[0]}"
                zh = f"{re.split('[(（]', found[0])[0].strip()} 中{WIDE[part]}为 {found[part]} 位，文中却写作“{spelled[0]}”"
                seen.setdefault((said, zh, bits == found[part]), []).append(found)
    for (said, zh, holds), matches in seen.items():
        at = [context.at(m.start(), m.end()) for m in matches[:6]]
        yield finding(rule, context, "pass" if holds else "fail", at, said, zh, working=[said], cause=said)


CHECKS: dict[str, Callable[[Rule, Context], Iterable[Finding]]] = {
    "factor": _factor, "part": _part, "speed": _speed, "points": _points, "daytime": _daytime, "quantization": _quantization,
}  # fmt: skip
