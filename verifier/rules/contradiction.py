"""One thing, told in two ways: values, identifiers, setups, hardware, versions."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from itertools import combinations

from packaging.version import InvalidVersion, Version

from verifier.compare import Index, decide, keys
from verifier.lexicon import load
from verifier.models import Claim, Finding, Location
from verifier.rules import _formulas
from verifier.rules import _words as words
from verifier.rules._about import about, alike, passage, unlike
from verifier.rules._base import Context, Rule, finding, version_fact
from verifier.rules._corpus import SETUP, among, excluding, keyed, of_corpus, value
from verifier.rules._tables import Row, tables
from verifier.rules._words import told

__all__ = ["TOPIC", "excluding", "judge", "keyed", "of_corpus", "value"]  # those that hold many documents together are for the scan

TOPIC = r"版本|矛盾|不一致|差异|冲突|contradict|differ|mismatch"  # what a declared entry about such a fault speaks of
CARD = re.compile(
    r"(?:paper[_ ]?cards?|卡片|card)\s*(?:#|No\.?\s*)?[^\d\n·，,;；]{0,14}?(?P<card>\d{3,5})(?!\d|\.\d)(?:[-–](?P<y>\d{4})[-.](?P<n>\d{5}))?"
)
ARXIV = re.compile(r"(?<![\d.])(\d{4}\.\d{4,5})(?![\d.]*\d)")
UNIVERSAL = re.compile(
    r"(?:\ball (?:of )?(?:the |our )?(?:benchmarks?|experiments?|tests?|results?|runs?|measurements?)\b|所有(?:测试|实验|基准|结果)|全部(?:测试|实验))[^.。\n]{0,160}",
    re.I,
)
PARTS = re.compile(r"(?<![\d.])(\d{1,3})\s?[x×*]?\s?(?:NVIDIA |AMD )?(?P<part>[A-Z]{1,2}\d{2,3}[A-Z]?)(?![\w-])")
SPLIT = re.compile(r"(?:-tp|--tensor-parallel-size|--num-shard|TP\s?=)\s*=?\s*(\d+)")
SETTING = re.compile(r"([A-Za-z_]+)\s*[=:]?\s*(\d+(?:\.\d+)?)")
TAIL = re.compile(r"[\s*]*(?P<tail>(?:faster|slower|lower|higher|cheaper|smaller|larger)\s+(?:overall|in total|end[- ]to[- ]end|on average))", re.I)
MOST = 4  # distinct values of one quantity that are kept to be held against
BESIDE_LINES = 3
TODAY = re.compile(r"当前|最新|生产(?:验证|数据|环境)?|stable|current|latest|in production", re.I)
DATED = re.compile(r"\s*\**\s*[（(]\s*(?:(?:stable|released|发布)\s*)?(?P<y>20\d\d)[-年. ]?\s?(?:Q(?P<q>[1-4])|(?P<m>0?[1-9]|1[0-2])(?!\d))")
CURRENT = re.compile(r"(?:当前版本|最新版本?|current(?: version)?|latest)[^\n（(]{0,6}[（(](?P<y>20\d\d)[-年.](?P<m>0?[1-9]|1[0-2])[)）]")


def judge(rule: Rule, context: Context) -> Iterable[Finding]:
    """`check` names what is compared; see CHECKS."""
    return CHECKS[rule.spec["check"]](rule, context)


def _overall(rule: Rule, context: Context) -> Iterator[Finding]:
    """Two factors for one thing `overall`, whose rounding does not meet."""
    text = context.document.text
    found: dict[str, list[Claim]] = {}
    for claim in context.claims:
        if claim.unit in ("x", "percent") and claim.interval and (tail := TAIL.match(text, claim.end)):
            found.setdefault(f"{claim.unit} {tail['tail'].lower()}", []).append(claim)
    for said, claims in found.items():
        for one, two in combinations(claims, 2):
            apart = one.interval[-1].high < two.interval[0].low or two.interval[-1].high < one.interval[0].low
            if apart and not unlike(context, one, two):
                of = said.partition(" ")[2]
                working, zh = told([(one.line, one.text), (two.line, two.text)])
                yield finding(rule, context, "fail", [one, two], f"two values for one thing, “{of}”: {working}", f"同一结论（“{of}”）有两个数值：{zh}",
                              working=[working], expected=two.text, observed=one.text, cause=said)  # fmt: skip
                break


def _identifiers(rule: Rule, context: Context) -> Iterator[Finding]:
    """A card number that belongs to one paper here and to another there."""
    text = context.document.text
    papers: dict[str, dict[str, Location]] = {}
    for found in CARD.finditer(text):
        paper = f"{found['y']}.{found['n']}" if found["y"] else None
        if paper is None:
            near = ARXIV.findall(re.split(r"\n|\s[-+]\s|[①-⑳]", text[max(0, found.start() - 200) : found.start()])[-1])
            paper = near[-1] if near else None
        if paper:
            doubted = text.startswith(("？", "?"), found.end())
            papers.setdefault(found["card"], {}).setdefault(paper, context.at(found.start(), found.end() + doubted))
    for row in re.finditer(r"(?:^|[/\s])(?:paper_cards/|)(?P<card>\d{4})-(?P<y>\d{4})-(?P<n>\d{5})(?!\d)", text):
        papers.setdefault(row["card"], {}).setdefault(f"{row['y']}.{row['n']}", context.at(row.start("card"), row.end()))
    for card, given in papers.items():
        if len(given) > 1:
            working, zh = told((place.line, paper + ("？" if place.text.endswith(("？", "?")) else "")) for paper, place in given.items())
            yield finding(rule, context, "fail", list(given.values())[:6], f"card {card} is given to {len(given)} papers: {working}",
                          f"卡片 {card} 对应 {len(given)} 篇论文：{zh}", working=[working], observed=card, cause=f"card {card}")  # fmt: skip


def _setup(rule: Rule, context: Context) -> Iterator[Finding]:
    """`All benchmarks ran on 4 X` beside captions with 8 X, or a split over more parts than there are."""
    text = context.document.text
    for said in UNIVERSAL.finditer(text):
        for stated in PARTS.finditer(said[0]):
            number, part = int(stated[1]), stated["part"]
            at = context.at(said.start() + stated.start(), said.start() + stated.end())
            others = [m for m in PARTS.finditer(text) if m["part"] == part and int(m[1]) != number and not said.start() <= m.start() < said.end()]
            wider = [m for m in SPLIT.finditer(text) if int(m[1]) > number]
            if not others and not wider:
                yield finding(rule, context, "pass", [at], "one setup throughout", "配置一致", cause=part)
                continue
            places = [context.at(m.start(), m.end()) for m in (*others[:3], *wider[:3])]
            working, zh = told((p.line, p.text) for p in places)
            yield finding(rule, context, "fail", [at, *places], f"line {at.line} says that all ran on {number} {part}; {working}",
                          f"第 {at.line} 行称全部使用 {number} 张 {part}；{zh}", working=[working], working_zh=[zh], observed=stated[0],
                          cause=f"{number} {part}")  # fmt: skip


def _baseline(rule: Rule, context: Context) -> Iterator[Finding]:
    """A factor between two rows that differ in a setting which the other groups keep."""
    for table in tables(context):
        made = list(_formulas.baselines(table))
        differing = [(d, row, base, _settings(row, base)) for d, row, base in made]
        odd = [entry for entry in differing if entry[3]]
        if not odd or len(odd) > 0.5 * len(differing):
            continue  # what differs everywhere is what the table is about
        by_base: dict[str, list[tuple[_formulas.Derived, Row, Row, list[str]]]] = {}
        for entry in odd:
            by_base.setdefault(entry[2].label, []).append(entry)
        for label, entries in by_base.items():
            working = [f"{d.result.place.text} (line {d.result.place.line}): {', '.join(names)}" for d, _, _, names in entries]
            zh = [f"{d.result.place.text}（第 {d.result.place.line} 行）：{'、'.join(names)}" for d, _, _, names in entries]
            places = [entries[0][0].b.place, *(d.result.place for d, _, _, _ in entries)]
            yield finding(rule, context, "fail", places[:6], f"{label}: factors of runs with unlike settings: {'; '.join(working)}",
                          f"{label}：倍数两端的测试设置不同：{'；'.join(zh)}", working=working, working_zh=zh, cause=f"baseline|{label}")  # fmt: skip


def _settings(row: Row, base: Row) -> list[str]:
    """Settings named in both rows' text cells with different numbers."""
    out = []
    for mine, other, figure in zip(row.texts, base.texts, row.figures, strict=False):
        if figure is None and mine != other:
            here, there = dict(SETTING.findall(mine)), dict(SETTING.findall(other))
            out += [f"{k} {there[k]} → {v}" for k, v in here.items() if k in there and there[k] != v]
    return out


def _architecture(rule: Rule, context: Context) -> Iterator[Finding]:
    """Parts in one breath under one architecture, one of which belongs to another."""
    lexicon = load()
    for block in context.document.blocks:
        if block.kind in ("code", "row"):
            continue
        parts = [n for n in context.names(block) if n.kind == "accelerator"]
        known = {n.canonical: str(lexicon.entry("accelerator", n.canonical).get("architecture") or "").split(" ")[0] for n in parts}
        named = {a for a in set(filter(None, known.values())) if re.search(rf"(?<![A-Za-z]){re.escape(str(a))}(?![A-Za-z])", block.text)}
        for one, two in zip(parts, parts[1:], strict=False):
            gap = block.text[one.end : two.start]
            a, b = known[one.canonical], known[two.canonical]
            if gap.strip() not in ("/", "、", "and", "和", ",") or not a or not b or a == b or len(named & {a, b}) != 1:
                continue
            right = (named & {a, b}).pop()
            stray, belongs = (one, a) if b == right else (two, b)
            working = f"{stray.canonical} is {belongs}, not {right}"
            yield finding(rule, context, "fail", [context.at(block.start + one.start, block.start + two.end)],
                          f"{block.text[one.start : two.end]} under {right}: {working}", f"{stray.canonical} 属 {belongs}，并非 {right}",
                          working=[working], expected=str(belongs), observed=str(right), cause=f"{stray.canonical}|{right}")  # fmt: skip
            break


def _eras(rule: Rule, context: Context) -> Iterator[Finding]:
    """Two versions of one project, far apart, said to be of one time."""
    dated: dict[str, list[tuple[Version, tuple[int, int], Claim]]] = {}
    text = context.document.text
    for claim in context.claims:
        if claim.form != "version" or not claim.subject:
            continue
        block = context.block(claim.start)
        lead = CURRENT.search(text, block.start, claim.start) if block else None
        when = DATED.match(text, claim.end)
        span = _months(when) if when else (int(lead["y"]) * 12 + int(lead["m"]),) * 2 if lead else None
        version = _version(str(claim.value))
        if span and version:
            dated.setdefault(claim.subject, []).append((version, span, claim))
    for subject, all_dated in dated.items():
        versions = list({(v, span): (v, span, claim) for v, span, claim in reversed(all_dated)}.values())[::-1]
        for (v, a, one), (w, b, two) in combinations(versions, 2):
            meets = a[0] <= b[1] and b[0] <= a[1]
            if meets and v.major == w.major == 0 and abs(v.minor - w.minor) >= 10:
                working = f"{subject} {v} (line {one.line}) and {w} (line {two.line}) are both dated to one time"
                yield finding(rule, context, "fail", [one, two], f"{working}, {abs(v.minor - w.minor)} minor versions apart",
                              f"{subject} {v}（第 {one.line} 行）与 {w}（第 {two.line} 行）同期，却相差 {abs(v.minor - w.minor)} 个次版本",
                              working=[working], cause=version_fact(subject, min(v, w)))  # fmt: skip
                break


def _newer(rule: Rule, context: Context) -> Iterator[Finding]:
    """A version called current, or figures of a version, far behind the newest that the document itself names."""
    named: dict[str, list[tuple[Version, Claim]]] = {}
    for claim in context.claims:
        if claim.form == "version" and claim.subject and claim.bound is None and (version := _version(str(claim.value))):
            named.setdefault(claim.subject, []).append((version, claim))
    behind = int(rule.spec.get("behind", 5))
    for subject, versions in named.items():
        stale: dict[Version, list[Claim]] = {}
        last = {major: max(w.minor for w, _ in versions if w.major == major) for major in {w.major for w, _ in versions}}
        for version, claim in versions:
            start, end = passage(context, claim.start, claim.end, 20)
            if last[version.major] - version.minor >= behind and TODAY.search(context.document.text, start, end):
                stale.setdefault(version, []).append(claim)
        for version, claims in stale.items():
            newest, where = max(((w, c) for w, c in versions if w.major == version.major), key=lambda entry: entry[0])
            lines = ", ".join(dict.fromkeys(str(c.line) for c in claims))
            working = f"{subject} {version} (line {lines}) stands as today's; line {where.line} names {newest}"
            yield finding(rule, context, "fail", [*claims[:5], where], working, f"{subject} {version}（第 {lines} 行）当作现行版本；第 {where.line} 行已有 {newest}",
                          working=[working], expected=str(newest), observed=str(version), cause=version_fact(subject, version))  # fmt: skip


def _values(rule: Rule, context: Context) -> Iterator[Finding]:
    """One quantity of like conditions with values that no rounding reconciles: `among` document or earlier ones."""
    earlier = rule.spec["among"] == "earlier"
    if earlier and not context.candidates:
        return
    others: Index[Claim] = Index(most=MOST)
    mine = [c for c in context.claims if rule.when(c) and c.scope == "world" and c.line not in context.flagged and _settled(c, rule)]
    causes: dict[tuple[str | None, str | None], list[tuple[Claim, Claim, str]]] = {}
    if earlier:
        for claim in context.candidates:
            if rule.when(claim) and claim.scope == "world" and _settled(claim, rule):
                others.add(claim, claim)
    for claim in mine:
        known = keys(claim)
        equal = None
        for other in others.among(known):
            if claim.numbers == other.numbers and claim.unit == other.unit:
                equal = other
                continue
            if not earlier and (_beside(claim, other) or not alike(about(context, claim), about(context, other))):
                continue
            found = decide(claim, other)
            if found.answer == "different":
                causes.setdefault((claim.subject, claim.metric), []).append((claim, other, found.working))
            elif found.answer == "equal":
                equal = other
        if equal is not None:
            yield finding(rule, context, "pass", [claim], f"{claim.text}: as in line {equal.line}", f"{claim.text}：与第 {equal.line} 行一致")
        if not earlier:
            others.put(known, claim.numbers, claim)
    for (subject, metric), pairs in causes.items():
        working = [f"{a.text} (line {a.line}) / {b.text} ({b.document if earlier else 'line'} {b.line}): {how}" for a, b, how in pairs[:6]]
        at: list[Claim | Location] = []
        for a, b, _ in pairs[:3]:
            at += [a, Location(document=b.document, line=b.line, end_line=b.end_line, text=b.text) if earlier else b]
        zh = [f"第 {a.line} 行：{a.text}；{b.document + ' ' if earlier else ''}第 {b.line} 行：{b.text}" for a, b, _ in pairs[:6]]
        yield finding(rule, context, "fail", at, f"{subject}, {metric}: two values under like conditions: {working[0]}",
                      f"{subject} 的{words.zh(str(metric))}在相同条件下有两个数值：{zh[0]}", working=working, working_zh=zh, expected=pairs[0][1].text, observed=pairs[0][0].text,
                      cause=f"values|{metric}")  # fmt: skip


def _settled(claim: Claim, rule: Rule) -> bool:
    """Whether enough of the setup is stated that another value is not another setup."""
    return (
        bool(claim.subject)
        and sum(name in claim.conditions for name in SETUP) >= int(rule.spec.get("conditions", 2))
        and not claim.approx
        and claim.bound is None
    )


def _beside(one: Claim, two: Claim) -> bool:
    """Whether they stand side by side: cells, members of a sentence or of a list differ in what was not read."""
    return one.cell is not None or two.cell is not None or abs(one.line - two.line) <= BESIDE_LINES


def _months(when: re.Match[str]) -> tuple[int, int]:
    year = int(when["y"]) * 12
    return (year + 3 * int(when["q"]) - 2, year + 3 * int(when["q"])) if when["q"] else (year + int(when["m"]),) * 2


def _version(text: str) -> Version | None:
    try:
        return Version(text)
    except InvalidVersion:
        return None


CHECKS: dict[str, Callable[[Rule, Context], Iterable[Finding]]] = {
    "overall": _overall, "identifiers": _identifiers, "setup": _setup, "baseline": _baseline, "architecture": _architecture, "eras": _eras, "newer": _newer,
    "values": _values, "corpus": among,
}  # fmt: skip
