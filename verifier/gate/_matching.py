"""What verified statement an anchored one restates, and what it lost or gained on the way."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from verifier.gate._statements import ASIDE, OWN, UNKNOWN, Statement
from verifier.models import Bound, Claim
from verifier.normalize import factor, interval

Relation = Literal["same", "rounded", "sharpened", "end", "reversed", "unit", "other"]
ABOUT = 0.55  # from here two statements are about the same thing
MARGIN = 0.2  # a statement of another value outweighs one of the same value by this much only if it is the one restated
POINTS = {"percent", "percentage_point"}
NEGATED = re.compile(r"未|没有|并非|不(?![同仅少错断足超])|\bnot\b|\bno\b|n't|\bnever\b|\bcannot\b", re.I)
CLAUSE = re.compile(r"[，,；;。！？!?]|\.\s|：")
BOUNDS: dict[Bound | None, tuple[str, str]] = {
    "max": ("bound: up to", "上限（最高）"), "min": ("bound: at least", "下限（至少）"), None: ("exactness: a bound was added", "原无上下限"),
}  # fmt: skip
# One name for each kind of load that numbers are quoted under, however it is written.
WORKLOADS = {
    "agentic": r"agentic|智能体|agent\s*(?:负载|场景|workload)",
    "independent requests": r"独立请求|无共享前缀|无前缀(?:复用|共享)|independent requests?|no shared prefix|without (?:a )?shared prefix",
    "shared prefix": r"(?<!无)(?:共享前缀|前缀(?:共享|复用))|(?<!no )(?<!without )shared[- ]prefix|prefix[- ](?:sharing|reuse)",
    "multi-turn": r"多轮|multi[- ]turn",
    "single-turn": r"单轮|single[- ]turn",
    "long context": r"长上下文|长文本|long[- ]context",
    "single card": r"单卡|single[- ](?:card|gpu)|one gpu",
    "offline": r"离线|offline",
    "online": r"在线(?!蒸馏)|online(?! distill)",
    "rag": r"(?<![a-z])rag(?![a-z])|检索增强",
    "code": r"代码生成|编程负载|code generation|coding workload",
    "synthetic": r"合成(?:负载|数据|请求)|synthetic",
    "cold": r"冷启动|冷缓存|cold (?:start|cache)",
    "warm": r"热缓存|预热后|warm(?:ed)? cache",
}
KINDS_OF_LOAD = {name: re.compile(pattern, re.I) for name, pattern in WORKLOADS.items()}


@dataclass(frozen=True)
class Match:
    """The verified statement that is restated; `changed` names what differs, in English and Chinese."""

    verified: Statement
    relation: Relation
    changed: tuple[tuple[str, str], ...] = ()


def relation(a: Statement, b: Statement) -> Relation | None:
    """How the number of `a` restates that of `b`; None where the two cannot be compared."""
    x, y = a.claim, b.claim
    if not a.printed or not b.printed:
        if x.form != y.form or a.printed or b.printed:
            return None
        return "same" if _release(x.numbers[0]) == _release(y.numbers[0]) else "other"
    if x.unit != y.unit and {x.unit, y.unit} == POINTS:
        return "unit" if _restated(a, b, 1.0) in ("same", "rounded") else None
    scale = 1.0 if x.unit == y.unit or UNKNOWN in (x.unit, y.unit) else factor(x.unit, y.unit)
    return None if scale is None else _restated(a, b, scale)


def _restated(a: Statement, b: Statement, scale: float) -> Relation | None:
    x, y = a.claim, b.claim
    ends = a.printed if scale == 1.0 else tuple((n * scale, low * scale, high * scale) for n, low, high in a.printed)
    others = b.printed
    if "change" in (x.form, y.form) and len(ends) != len(others) and len(ends) > 1:
        return None
    if len(ends) == len(others):
        pairs = [_printed(p, q) for p, q in zip(ends, others, strict=True)]
        if None not in pairs:
            signs = x.direction and y.direction and x.direction != y.direction
            return "reversed" if signs else "sharpened" if "sharpened" in pairs else "rounded" if "rounded" in pairs else "same"
        return "other"
    if len(ends) == 1 and any(_printed(ends[0], other) for other in others):
        return "same" if y.form == "change" and _printed(ends[0], others[-1]) else "end"
    if len(others) == 1 and x.form != "change" and any(_printed(end, others[0]) for end in ends):
        return "sharpened"
    return "other"


def _printed(a: tuple[float, float, float], b: tuple[float, float, float]) -> Relation | None:
    (x, low, high), (y, lowest, highest) = a, b
    if abs(x - y) <= 1e-9 * max(x, y):
        return "same"
    if low <= y <= high and high - low >= highest - lowest:
        return "rounded"
    return "sharpened" if lowest <= x <= highest else None


def _release(value: float | str) -> str:
    return re.sub(r"(?:\.0)+$", "", str(value).lstrip("vV"))


def loads(text: str) -> set[str]:
    return {name for name, pattern in KINDS_OF_LOAD.items() if pattern.search(text)}


def load_of(statement: Statement) -> set[str]:
    """The kinds of load that a statement's words name; one that no pattern knows as it is written."""
    stated = statement.claim.conditions.get("workload")
    known = loads(statement.text)
    return known | {stated.value} if stated and stated.origin in OWN and not loads(stated.value) else known


def conflicts(a: Statement, b: Statement) -> list[str]:
    """Conditions that both state, with different values."""
    mine, theirs = a.own, b.own
    return [n for n in mine.keys() & theirs.keys() if mine[n].casefold() != theirs[n].casefold()]


def about(a: Statement, b: Statement) -> float:
    """How much two statements are about one thing; negative where a statistic rules it out."""
    x, y = a.claim, b.claim
    if x.statistic and y.statistic and x.statistic.casefold() != y.statistic.casefold():
        return -1.0
    score: float = a.alike(b) if a.text and b.text else 0.4
    if x.subject and y.subject:
        score += 0.3 if x.subject.casefold() == y.subject.casefold() else 0.0 if _named(a, b) else -0.4
    if x.metric and y.metric:
        score += 0.2 if x.metric == y.metric else -0.2
    score -= 0.3 * len(conflicts(a, b))
    score += 0.2 * bool({s.id for s in x.sources} & {s.id for s in y.sources})
    agrees = [getattr(x, n) == getattr(y, n) for n in ("approx", "hedge", "form")] + [a.bound == b.bound]
    return float(score + 0.05 * sum(agrees))


def _named(a: Statement, b: Statement) -> bool:
    """Whether each one's subject is named somewhere in the other's words."""
    return _says(b, a.claim.subject) or _says(a, b.claim.subject)


def _says(statement: Statement, words: str | None) -> bool:
    latin = re.findall(r"[A-Za-z][\w.+-]*", words or "")
    return bool(latin) and all(w.casefold() in statement.folded for w in latin)


def match(statement: Statement, verified: Sequence[Statement], tolerance: float = 0.01) -> Match | None:
    """The verified statement that this one restates best, with what changed; relation `other` where its value is another one's."""
    scored: list[tuple[float, Relation, Statement]] = []
    for other in verified:
        how = relation(statement, other)
        if how is None or how == "other" and not identified(statement, other):
            continue
        if how == "end" and other.claim.form == "change" and _to_follows(statement, other):
            how = "same"
        if (score := about(statement, other)) >= ABOUT:
            scored.append((score, how, other))
    kept = [s for s in scored if s[1] != "other"]
    order: list[Relation] = ["other", "end", "sharpened", "unit", "reversed", "rounded", "same"]
    best = max(kept, key=lambda s: (round(s[0] + 0.05 * order.index(s[1]), 6), s[2].number == statement.number), default=None)
    rival = max((s for s in scored if s[1] == "other"), key=lambda s: s[0], default=None)
    if rival and (best is None or rival[0] > best[0] + MARGIN):
        return Match(rival[2], "other", ((f"value {rival[2].claim.text}", f"数值 {rival[2].claim.text}"),))
    if best is None:
        return None
    return Match(best[2], best[1], tuple(changes(statement, best[2], best[1], tolerance)))


def _to_follows(statement: Statement, change: Statement) -> bool:
    """Whether words that repeat where a change began also repeat where it ended."""
    printed = (t.rstrip(".,") for t in re.findall(r"\d[\d,]*(?:\.\d+)?", statement.text))
    spans = ((float(t.replace(",", "")), interval(t)) for t in printed if t)
    return any(_printed((n, span.low, span.high), change.printed[-1]) for n, span in spans)


def identified(a: Statement, b: Statement) -> bool:
    """Whether the words leave no room for another thing: everything that names something in `a` stands in `b` too."""
    if a.claim.form != b.claim.form or not a.telling or a.alike(b) < 0.5 or conflicts(a, b):
        return False
    return len(a.telling - b.tokens) <= 0.25 * len(a.telling)


def changes(a: Statement, b: Statement, how: Relation, tolerance: float) -> list[tuple[str, str]]:
    """What the anchored statement `a` lost or gained against the verified `b`."""
    x, y = a.claim, b.claim
    found: list[tuple[str, str]] = []
    if how == "end":
        found.append((f"range {y.text}", f"区间 {y.text}"))
    elif how == "sharpened":
        found.append((f"precision of {y.text}", f"精度 {y.text}"))
    elif how == "reversed":
        found.append((f"direction ({y.direction})", f"方向（{y.direction}）"))
    elif how == "unit":
        found.append((f"unit {y.unit}", f"单位 {y.unit}"))
    elif how == "rounded" and not x.approx and any(_off(p, q) > tolerance for p, q in zip(x.numbers, y.numbers, strict=False)):
        found.append((f"approx: {y.text} was rounded without saying so", f"约：{y.text} 被取整而未注明"))
    if y.approx and not x.approx:
        found.append(("approx (~, 约)", "约"))
    if a.bound != (stated := b.bound) and how not in ("end", "sharpened"):
        found.append(BOUNDS[stated])
    if _hedge(y) and not _hedge(x):
        found.append((f"hedge {y.hedge}", f"语气 {y.hedge}"))
    if y.statistic and not x.statistic and y.statistic.casefold() not in a.words:
        found.append((f"statistic {y.statistic}", f"分位 {y.statistic}"))
    if y.baseline and not x.baseline and not _says(a, y.baseline):
        found.append((f"baseline {y.baseline}", f"基线 {y.baseline}"))
    if x.metric and y.metric and x.metric != y.metric and a.alike(b) < 0.9:
        found.append((f"metric {y.metric} (here {x.metric})", f"指标 {y.metric}（此处为 {x.metric}）"))
    if x.subject and y.subject and x.subject.casefold() != y.subject.casefold() and a.text and b.text and not _named(a, b):
        found.append((f"subject {y.subject} (here {x.subject})", f"主体 {y.subject}（此处为 {x.subject}）"))
    found += _conditions(a, b)
    cited = ", ".join(sorted({s.id for s in y.sources}))
    if x.sources and cited and not {s.id for s in x.sources} & {s.id for s in y.sources}:
        found.append((f"source {cited}", f"来源 {cited}"))
    if a.text and b.text and a.alike(b) >= 0.6 and negated(a) != negated(b):
        found.append(("negation", "否定"))
    return found


def _conditions(a: Statement, b: Statement) -> list[tuple[str, str]]:
    """Conditions that the verified words state and the anchored ones lost or changed."""
    found = []
    stated = a.own
    for name, value in b.own.items():
        here = stated.get(name) or (c.value if (c := a.claim.conditions.get(name)) else None)
        if name in stated and stated[name].casefold() != value.casefold():
            found.append((f"{name} {value} (here {stated[name]})", f"条件 {name} {value}（此处为 {stated[name]}）"))
        elif here is None and not (a.text and value.casefold() in a.folded):
            found.append((f"condition {name} {value}", f"条件 {name} {value}"))
    if a.text and b.text:
        found += [(f"condition workload {w}", f"条件 {w}") for w in sorted(load_of(b) - load_of(a)) if w not in a.text]
    return found


def _off(a: float | str, b: float | str) -> float:
    return abs(float(a) - float(b)) / (abs(float(b)) or 1.0)


def _hedge(claim: Claim) -> str | None:
    return None if claim.hedge in (None, "待核") else claim.hedge


def negated(statement: Statement) -> bool:
    """Whether the clause around the number denies something."""
    at = max(statement.text.find(statement.claim.text), 0)
    text = ASIDE.sub(lambda aside: " " * len(aside[0]), statement.text)
    left = max((m.end() for m in CLAUSE.finditer(text, 0, at)), default=0)
    right = CLAUSE.search(text, at + len(statement.claim.text))
    return NEGATED.search(text[left : right.start() if right else len(text)]) is not None
