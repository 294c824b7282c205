"""Where a figure comes from: nowhere, from hearsay, from one secondary source, from a source that nobody read."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator

from verifier.extract.mentions import papers
from verifier.models import Claim, Finding, Location
from verifier.rules._about import passage
from verifier.rules._base import Context, Rule, block_of, finding
from verifier.rules._parts import Part, parts

TOPIC = r"来源|出处|原始数据|未核实|source|origin|provenance"  # what a declared entry about such a fault speaks of
STARS = re.compile(r"(?:可信度|credibility)\s*[：:]\s*(?P<stars>[★⭐]{4,5})", re.I)
UNREAD = re.compile(
    r"需读全文|需精读|未读全文|独立验证|待核|未(?:独立)?核实|需核验|to be verified|not (?:yet )?(?:verified|read)|needs? (?:independent )?verification",
    re.I,
)
SECONDARY = re.compile(
    r"(?:https?://)?(?:[\w-]+\.)*(?:csdn\.net|substack\.com|medium\.com|zhihu\.com|juejin\.cn|dev\.to|towardsdatascience\.com|toutiao\.com)[^\s（）()】]*"
)
PRIMARY = re.compile(
    r"arxiv|github\.com/|doi\.org|\.pdf|openreview|usenix|acm\.org|ieee|pytorch\.org|vllm\.ai|lmsys\.org|nvidia\.com|amd\.com|intel\.com|官方", re.I
)
ORIGIN = re.compile(
    r"arXiv|https?://|github|\[\d+\]|官方|论文|paper|blog|our (?:test|benchmark|measure)|we (?:measure|observe|see|find)|table|figure|表|图",
    re.I,
)
FASTER = re.compile(r"加速|提速|更快|快了|speed-?up|faster", re.I)
FILES = re.compile(r"(?:inbox|organized|notes)/\S+")
PLATFORM = re.compile(r"csdn|知乎|掘金|公众号|substack|medium\.com|zhihu|juejin|dev\.to", re.I)
SOLD = re.compile(r"(?:[\w-]+\.substack|medium|(?:[\w-]+\.)?zhihu)\.com/[^\s（）()】,，;；+]+|time\.geekbang\.org/\S+", re.I)
READ = re.compile(r"免费|全文|已读|无需付费|free (?:preview|to read)|read in full|open access", re.I)
AUTHORED = re.compile(
    r"(?:(?<![\w.-])(?P<sub>[\w-]+\.substack\.com)/p/|blog\.csdn\.net/(?P<user>\w+)/article/|medium\.com/(?P<at>@[\w.-]+)/)[^\s（）()】>,，;；+\"”]+"
)
GAIN = re.compile(r"替代|取代|解决|优化|降低|提升|提高|减少|加速|replac|reduc|improv|outperform|lower|faster", re.I)
RUNS = re.compile(r"生产|上线|部署|合入|合并|线上|默认启用|production|deploy|merged|in use|shipped|released", re.I)
LISTING = re.compile(r"\s*(?:•\s*)?(?:建议|与活文档|来源|URL|关键意涵)")
LONG = 600  # characters; a longer bullet runs many topics together
PAID = re.compile(r"付费(?:内容|解锁|墙|订阅)|paywall(?:ed)?|subscribers? only|members? only", re.I)


def judge(rule: Rule, context: Context) -> Iterable[Finding]:
    """`check` names the lack; see CHECKS."""
    return CHECKS[rule.spec["check"]](rule, context)


def _unread(rule: Rule, context: Context) -> Iterator[Finding]:
    """Four stars for what the same line says has yet to be read or verified."""
    for block in context.document.blocks:
        stars, unread = STARS.search(block.text), UNREAD.search(block.text)
        if stars:
            at = context.at(block.start + stars.start(), block.start + (unread.end() if unread else stars.end()))
            said = f"{stars['stars']}, yet “{unread[0]}”" if unread else f"{stars['stars']}"
            yield finding(rule, context, "fail" if unread else "pass", [at], f"rated {said}", f"评为 {stars['stars']}，同一行却写“{unread[0] if unread else ''}”",
                          working=[said], cause=block.section[-1] if block.section else said)  # fmt: skip


def _origin(rule: Rule, context: Context) -> Iterator[Finding]:
    """A gain without condition, baseline or source in its passage, told again and again."""
    groups: dict[tuple[object, ...], list[Claim]] = {}
    origins: set[tuple[object, ...]] = set()
    gains: set[tuple[object, ...]] = set()
    for claim in context.claims:
        if claim.unit not in ("percent", "x") or claim.line in context.flagged or claim.cell is not None or not isinstance(claim.value, float):
            continue
        block = block_of(context, claim)
        if block is None:
            continue
        at = claim.start - block.start
        near = context.document.text[slice(*passage(context, claim.start, claim.end, 60))]
        against = claim.baseline if claim.baseline and claim.baseline in near and not FASTER.search(claim.baseline) else None
        sourced = claim.sources or against or ORIGIN.search(near)
        if sourced or rule.when(claim):
            groups.setdefault((abs(claim.value), claim.unit), []).append(claim)
            if sourced:
                origins.add((abs(claim.value), claim.unit))
            elif FASTER.search(block.text, max(0, at - 12), at + len(claim.text) + 12):
                gains.add((abs(claim.value), claim.unit))
    for figure in (f for f in groups if f in gains and f not in origins):
        same = groups[figure]
        if len({c.line for c in same}) >= int(rule.spec.get("told", 2)):
            lines = ", ".join(dict.fromkeys(str(c.line) for c in same))
            yield finding(rule, context, "fail", same[:6], f"{same[0].text} ({same[0].metric}) has no source, baseline or conditions anywhere: line {lines}",
                          f"{same[0].text}（{same[0].metric}）全文未给来源、基线与条件：第 {lines} 行", working=[f"told {len(same)} times, sourced never"],
                          cause=f"{same[0].metric}|{same[0].text}")  # fmt: skip


def _secondary(rule: Rule, context: Context) -> Iterator[Finding]:
    """Measured figures that rest on blog platforms alone: of a whole part, or of points under a line that names one."""
    for part in parts(context):
        figures = part.figures(context)
        links = list(dict.fromkeys(m[0] for m in SECONDARY.finditer(part.text)))
        if links and figures and not PRIMARY.search(FILES.sub("", part.head)) and not papers(part.head):
            at = Location(document=context.document.path, line=part.line, end_line=part.line, text=part.title[:80])
            yield _resting(rule, context, [at, *figures[:4]], len(figures), ", ".join(links[:3]), part.title[:40])
            continue
        for platform, found in _under(part, figures):
            yield _resting(rule, context, list(found[:6]), len(found), platform, f"{part.title[:40]}|{platform}")


def _resting(rule: Rule, context: Context, at: list[Claim | Location], number: int, on: str, about: str) -> Finding:
    working = f"{number} figures rest on {on}"
    return finding(rule, context, "fail", at, f"only secondary sources: {working}", f"仅有二手来源：{number} 个数字只出自 {on}", working=[working],
                   cause=f"secondary|{about}")  # fmt: skip


def _under(part: Part, figures: list[Claim]) -> Iterator[tuple[str, list[Claim]]]:
    """(platform, the figures of the points under a line that ends in a colon and names it, and nothing else)."""
    platform: str | None = None
    found: dict[str, list[Claim]] = {}
    for block in part.blocks:
        text = block.text.rstrip("*_ \n")
        if text.endswith(("：", ":")):
            named = PLATFORM.search(text)
            platform = named[0].lower() if named and not PRIMARY.search(text) else None
        elif block.kind != "bullet":
            platform = None
        elif platform and not papers(block.text):
            found.setdefault(platform, []).extend(c for c in figures if block.line <= c.line <= block.end_line and c.form != "version")
    return ((name, claims) for name, claims in found.items() if claims)


def _platforms(rule: Rule, context: Context) -> Iterator[Finding]:
    """Sources on platforms that ask for payment, of which nothing says whether they could be read whole."""
    places: dict[str, Location] = {}
    for part in parts(context):
        text = re.sub(r"[?#]\S*", "", part.head)
        for found in SOLD.finditer(part.head):
            if not READ.search(part.text) and found[0] in text:
                places.setdefault(found[0], context.line(next(b.line for b in part.blocks if found[0] in b.text)))
    if places:
        said = ", ".join(places)
        yield finding(rule, context, "fail", list(places.values())[:6], f"whether these could be read whole, unpaid, is not said: {said}",
                      f"未说明能否免费读到全文：{said}", working=list(places), cause="sold")  # fmt: skip


def _author(rule: Rule, context: Context) -> Iterator[Finding]:
    """Two pieces of one author that stand as two sources."""
    pieces: dict[str, dict[str, Location]] = {}
    for found in AUTHORED.finditer(context.document.text):
        pieces.setdefault(next(g for g in found.group("sub", "user", "at") if g), {}).setdefault(found[0].rstrip("/"), context.at(*found.span()))
    for author, links in pieces.items():
        if len(links) > 1:
            said = ", ".join(links)
            yield finding(rule, context, "fail", list(links.values())[:6], f"{len(links)} sources are of one author ({author}): {said}",
                          f"{len(links)} 个来源出自同一作者（{author}）：{said}", working=[said], cause=f"author|{author}")  # fmt: skip


def _academic(rule: Rule, context: Context) -> Iterator[Finding]:
    """What a paper alone says of a production engine, without a word on whether anybody runs it."""
    places: dict[str, Location] = {}
    for part in parts(context):
        for block in part.blocks:
            named = papers(block.text)
            engine = next((n.canonical for n in context.names(block) if n.kind == "engine"), None)
            gain = GAIN.search(block.text)
            own = block.kind == "bullet" and len({p.id for p in named}) == 1 and engine and gain and len(block.text) < LONG
            if own and not RUNS.search(block.text) and not LISTING.match(block.text):
                places.setdefault(named[0].id, context.at(block.start + named[0].start, block.start + min(len(block.text), named[0].start + 120)))
    if places:
        said = ", ".join(f"arXiv {ident}" for ident in places)
        yield finding(rule, context, "fail", list(places.values())[:6], f"a paper's result on a production engine, without evidence from production: {said}",
                      f"论文结论涉及生产引擎，未给生产环境证据：{said}", working=[f"line {p.line}: no word of deployment" for p in places.values()],
                      cause="academic|" + next(iter(places)))  # fmt: skip


def _paid(rule: Rule, context: Context) -> Iterator[Finding]:
    """A source that the text itself calls paid."""
    places = [context.at(m.start(), m.end()) for m in PAID.finditer(context.document.text)]
    if places:
        yield finding(rule, context, "fail", places[:6], f"a source behind a paywall cannot be checked by its readers: {places[0].text}",
                      f"付费来源读者无从核对：{places[0].text}", working=[p.text for p in places[:6]], cause="paid")  # fmt: skip


CHECKS: dict[str, Callable[[Rule, Context], Iterable[Finding]]] = {
    "unread": _unread, "origin": _origin, "secondary": _secondary, "paid": _paid, "platforms": _platforms, "author": _author,
    "academic": _academic,
}  # fmt: skip
