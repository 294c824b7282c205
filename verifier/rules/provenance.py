"""Where a figure comes from: nowhere, from hearsay, from one secondary source, from a source that nobody read."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator

from verifier.extract.mentions import papers
from verifier.models import Claim, Finding, Location
from verifier.rules._about import passage
from verifier.rules._base import Context, Rule, block_of, finding
from verifier.rules._parts import Part, parts
from verifier.rules._words import lines, lines_zh, tally, zh

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
OWN_STUDY = re.compile(  # an address that says that its author asked, counted or measured: a primary source, wherever it was published
    r"(?<![a-z])(?:i|we|my|our)-(?:[a-z]+-){0,2}(?:tested|analy[sz]ed|measured|surveyed|benchmarked|interviewed|benchmark|survey)(?![a-z])"
    r"|(?<![a-z])(?:survey|what)-(?:of-)?\d{2,}|\d{2,}-(?:job|developer|engineer|compan|team|respondent)", re.I
)  # fmt: skip
SITE = re.compile(r"(?<![\w./@-])(?:[\w-]+\.)+(?:tech|com|io|org|ai|dev|net|blog)(?![\w.])", re.I)
TAKEN = re.compile(r"沿用|承接|已锚|carried over|as anchored", re.I)
FASTER = re.compile(r"加速|提速|更快|快了|speed-?up|faster", re.I)
FILES = re.compile(r"(?:inbox|organized|notes)/\S+")
PLATFORM = re.compile(r"csdn|知乎|掘金|公众号|substack|medium\.com|zhihu|juejin|dev\.to", re.I)
SOLD = re.compile(r"(?:[\w-]+\.substack|medium|(?:[\w-]+\.)?zhihu)\.com/[^\s（）()】,，;；+]+|time\.geekbang\.org/\S+", re.I)
READ = re.compile(r"免费|全文|已读|无需付费|free (?:preview|to read)|read in full|open access", re.I)
AUTHORED = re.compile(
    r"(?:(?<![\w.-])(?P<sub>[\w-]+\.substack\.com)/p/|blog\.csdn\.net/(?P<user>\w+)/article/|medium\.com/(?P<at>@[\w.-]+)/)[^\s（）()】>,，;；+\"”]+"
)
ONE_AUTHOR = re.compile(r"同一(?:位)?作者|同作者|(?:the )?same author|one author", re.I)
GAIN = re.compile(r"替代|取代|解决|优化|降低|提升|提高|减少|加速|replac|reduc|improv|outperform|lower|faster", re.I)
RUNS = re.compile(r"生产|上线|部署|合入|合并|线上|默认启用|production|deploy|merged|in use|shipped|released", re.I)
LISTING = re.compile(r"\s*(?:•\s*)?(?:建议|与活文档|来源|URL|关键意涵)")
LONG = 600  # characters; a longer bullet runs many topics together
PAID = re.compile(r"付费(?:内容|解锁|墙|订阅)|paywall(?:ed)?|subscribers? only|members? only", re.I)

PERHAPS = re.compile(r"可能|或许|perhaps|may ", re.I)


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
            subject, metric = next((c.subject for c in same if c.subject), None), str(same[0].metric)
            yield finding(rule, context, "fail", same[:6],
                          f"{f'{subject}: ' if subject else ''}{same[0].text} ({metric}): nowhere is said who measured it, against what, on what; line {lines(same)}",
                          f"{f'{subject} ' if subject else ''}{same[0].text}（{zh(metric)}）全文未说明由谁测得、与什么相比、在什么条件下：{lines_zh(same)}",
                          working=[f"told {len(same)} times, sourced never"], working_zh=[f"共出现 {len(same)} 次，均无出处"],
                          cause=f"{same[0].metric}|{same[0].text}")  # fmt: skip


def _secondary(rule: Rule, context: Context) -> Iterator[Finding]:
    """Measured figures that rest on blog platforms alone: of a whole part, or of points under a line that names one."""
    for part in parts(context):
        links = list(dict.fromkeys(m[0] for m in SECONDARY.finditer(part.text)))
        studies = [link for link in links if OWN_STUDY.search(link)]
        figures = [c for c in part.figures(context) if not _elsewhere(context, c, studies)]
        links = [link for link in links if link not in studies]
        if links and figures and not PRIMARY.search(FILES.sub("", part.head)) and not papers(part.head):
            at = Location(document=context.document.path, line=part.line, end_line=part.line, text=part.title[:80])
            yield _resting(rule, context, [at, *figures[:4]], figures, ", ".join(links[:3]), part.title[:40])
            continue
        for platform, found in _under(part, figures):
            yield _resting(rule, context, list(found[:6]), found, platform, f"{part.title[:40]}|{platform}")


def _elsewhere(context: Context, claim: Claim, studies: list[str]) -> bool:
    """Whether a figure of a part has another source: its clause names a site or carries it over, or its bullet reports a study by the post's own author."""
    block = block_of(context, claim)
    if block is None or LISTING.match(block.text):
        return True
    start, end = passage(context, claim.start, claim.end)
    near = context.document.text[start:end]
    sizes = {size for link in studies for size in re.findall(r"\d{2,}", link)}
    return bool(SITE.search(near) or TAKEN.search(context.document.text, start, claim.start) or any(size in block.text for size in sizes))


def _resting(rule: Rule, context: Context, at: list[Claim | Location], figures: list[Claim], on: str, about: str) -> Finding:
    number, number_zh = tally(figures)
    working = f"{number} rest{'s' if number.startswith('1 ') else ''} on {on}"
    return finding(rule, context, "fail", at, f"only secondary sources: {working}", f"仅有二手来源：{number_zh}只出自 {on}", working=[working],
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
        if len(links) > 1 and not _admitted(context, author, links.values()):
            said = ", ".join(links)
            yield finding(rule, context, "fail", list(links.values())[:6], f"{len(links)} sources are of one author ({author}): {said}",
                          f"{len(links)} 个来源出自同一作者（{author}）：{said}", working=[said], cause=f"author|{author}")  # fmt: skip


def _admitted(context: Context, author: str, places: Iterable[Location]) -> bool:
    """Whether the document says itself that they are of one author: in a line that names the author, or beside one of the links."""
    stem, near = author.split(".")[0].strip("@").lower(), {n for p in places for n in range(p.line - 3, p.line + 4)}
    said = (b for b in context.document.blocks if ONE_AUTHOR.search(b.text))
    return any(stem in b.text.lower() or b.line in near for b in said)


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
                      working_zh=[f"第 {p.line} 行：未提及上线或合入" for p in places.values()],
                      cause="academic|" + next(iter(places)))  # fmt: skip


def _paid(rule: Rule, context: Context) -> Iterator[Finding]:
    """A source that the text itself calls paid."""
    text = context.document.text
    places = [context.at(m.start(), m.end()) for m in PAID.finditer(text) if not PERHAPS.search(text, max(0, m.start() - 8), m.start())]
    if places:
        sold = dict.fromkeys(
            m[0] for part in parts(context) for m in SOLD.finditer(part.head) if any(part.line <= p.line <= part.end_line for p in places)
        )
        which = ", ".join(sold) or f"“{places[0].text}”"
        yield finding(rule, context, "fail", places[:6], f"a source behind a paywall cannot be checked by its readers: {which} (line {lines(places[:6])})",
                      f"付费来源读者无从核对：{which}（{lines_zh(places[:6])}）", working=[p.text for p in places[:6]], cause="paid")  # fmt: skip


CHECKS: dict[str, Callable[[Rule, Context], Iterable[Finding]]] = {
    "unread": _unread, "origin": _origin, "secondary": _secondary, "paid": _paid, "platforms": _platforms, "author": _author,
    "academic": _academic,
}  # fmt: skip
