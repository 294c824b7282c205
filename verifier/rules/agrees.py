"""What is stated of a paper, release or repository agrees with its metadata."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from datetime import date
from difflib import SequenceMatcher

from verifier.extract.mentions import Release, releases
from verifier.models import Claim, Finding, Location, Verdict
from verifier.normalize import versions
from verifier.normalize.dates import Stated
from verifier.rules._answers import Known, about, newest, release, together
from verifier.rules._base import Context, Rule, finding
from verifier.rules._repositories import licences, stars
from verifier.rules._stated import authors, dated_papers, dated_releases, titles
from verifier.rules._words import zh as chinese

TOPIC = r"版本|日期|标题|作者|提交数|贡献者|许可|version|release|dated?|title|author|licen[cs]e"  # what a declared entry about such a fault speaks of
OLD = 365  # days after which an engine in use is worth a question
Unknown = list[tuple[Location, Known]]
WIDEST = 80  # characters of a claim


def judge(rule: Rule, context: Context) -> Iterable[Finding]:
    """`field` names what is compared; see FIELDS. What has no answer is undecided, in one finding for each reason."""
    waiting: Unknown = []
    yield from FIELDS[rule.spec["field"]](rule, context, waiting)
    for known, places, looks in together(waiting):
        en, zh = f"{len(places)} statements could not be compared: {known.reason}", f"{len(places)} 处陈述无法核对：{known.reason_zh}"
        yield finding(rule, context, "undecided", places, en, zh, cause=known.answer, evidence=looks)


def _day(text: object) -> date | None:
    try:
        return date.fromisoformat(str(text)[:10])
    except ValueError:
        return None


def _claim_at(context: Context, start: int, end: int) -> Claim | Location:
    """The claim that stands there, so that a finding is tied to it; else the bare place."""
    near = context.claims_within(start - WIDEST, end)
    return next((c for c in near if c.start <= start < c.end or start <= c.start < end), None) or context.at(start, end)


# ------------------------------------------------------------ releases


def _release_date(rule: Rule, context: Context, waiting: Unknown) -> Iterator[Finding]:
    for named, when, used in dated_releases(context.document.text, context.as_of):
        at: list[Claim | Location] = [_claim_at(context, r.start, r.end) for r in named]
        known = [(r, release(context, r)) for r in named]
        days = [(r, k, day) for r, k in known if (day := _day(k.facts.get("date") or k.facts.get("published")))]
        if not days:
            waiting.append((context.at(named[0].start, named[-1].end), next(k for _, k in known)))
            continue
        verdict, en, zh = _in_use(context, days, when) if used else _came_out(days, when, ranged=any(r.ranged for r in named))
        facts = [f"{r.project} {r.version}: released {day} ({r.citation})" for r, _, day in days]
        said = [f"stated: {when.text} = {when.first} to {when.last}", *facts]
        if verdict == "fail":
            said += _one_series(context, days[0][0], days[0][2])
        looks = [look for _, k, _ in days for look in k.looks]
        cause = f"{days[0][0].project} {days[0][0].version}|{when.text}"
        yield finding(rule, context, verdict, at, en, zh, working=said, expected=str(days[0][2]), observed=when.text, cause=cause, evidence=looks)


def _came_out(days: list[tuple[Release, Known, date]], when: Stated, ranged: bool) -> tuple[Verdict, str, str]:
    """A list agrees when one of its versions came out then; a range when the time that it spans touches the stated one."""
    ends = [d for _, k, day in days for d in (day, _day(k.facts.get("last")) or day)]
    fits = when.holds(min(ends)) or when.holds(max(ends)) or (ranged and min(ends) <= when.first and when.last <= max(ends))
    if fits or any(when.holds(day) for _, _, day in days):
        return "pass", f"{_names(days)} dated {when.text}: agrees", f"{_names(days)} 标注 {when.text}：相符"
    actual = ", ".join(dict.fromkeys(str(day) for _, _, day in days))
    return "fail", f"{_names(days)} dated {when.text}, but released {actual}", f"{_names(days)} 标注 {when.text}，实际发布于 {actual}"


def _in_use(context: Context, days: list[tuple[Release, Known, date]], when: Stated) -> tuple[Verdict, str, str]:
    """`（2026-Q2 生产验证）`: a version cannot be used before it is out, and one that is years old by then is a slip or a find."""
    named, _, day = days[0]
    if not when.holds(max(day, when.first)):
        return "fail", f"{_names(days)} used in {when.text}, but released only {day}", f"{_names(days)} 称 {when.text} 使用，但 {day} 才发布"
    age = (when.first - day).days
    if age <= OLD:
        return "pass", f"{_names(days)} used in {when.text}: released {day}", f"{_names(days)} 于 {when.text} 使用：{day} 发布"
    last = newest(context, named.repo, named.tag).facts
    then = f"; newest at {context.as_of}: {last['version']}" if last.get("version") else ""
    return (
        "fail",
        f"{_names(days)} dated {when.text}, but released {day}, {age / 365.25:.1f} years before{then}",
        f"{_names(days)} 标注 {when.text}，但早在 {day} 发布，相隔 {age / 365.25:.1f} 年",
    )


def _names(days: list[tuple[Release, Known, date]]) -> str:
    return f"{days[0][0].project} {'/'.join(r.version for r, _, _ in days)}"


def _one_series(context: Context, named: Release, day: date) -> Iterator[str]:
    """The version farthest from it that the document knows: versions of one series, not two ways of counting."""
    others = [r for r in releases(context.document.text) if r.repo == named.repo and versions.scheme(r.tag) == versions.scheme(named.tag)]
    far = [(abs((other - day).days), r, other) for r in others if (other := _day(release(context, r).facts.get("date")))]
    if far and (apart := max(far, key=lambda item: item[0]))[0] > OLD:
        years = apart[0] / 365.25
        yield f"{named.version} ({day}) and {apart[1].version} ({apart[2]}) are one series of {named.repo}, {years:.1f} years apart"


COUNT = re.compile(r"(?P<n>\d[\d,]*)\s?(?:(?:个|次|位|名|条)\s?)?(?P<new>new\s|新)?(?P<what>commits?|提交|contributors?|贡献者)", re.I)
NEAR = 80
CLAUSE = re.compile(r"[。；;\n]")


def _counts(rule: Rule, context: Context, waiting: Unknown) -> Iterator[Finding]:
    """`v0.28.0 详报（584 commits / 270 contributors）` against what the release's notes say."""
    named = releases(context.document.text)
    for stated in COUNT.finditer(context.document.text):
        owner = next((r for r in reversed(named) if r.end <= stated.start() <= r.end + NEAR), None)
        if owner is None or CLAUSE.search(context.document.text, owner.end, stated.start()):
            continue
        what = "contributors" if stated["what"].lower().startswith(("contrib", "贡献")) else "commits"
        field = f"new_{what}" if stated["new"] else what
        known = release(context, owner)
        actual, number = known.facts.get(field), int(stated["n"].replace(",", ""))
        if not isinstance(actual, int):
            silent = known if known.answer != "found" else known._replace(reason="the release does not say", reason_zh="发布说明未提及")
            waiting.append((context.at(stated.start(), stated.end()), silent))
            continue
        verdict: Verdict = "pass" if actual == number else "fail"
        en = f"{owner.project} {owner.version}: {number} {field} stated, {actual} in its release notes"
        zh = f"{owner.project} {owner.version}：{chinese(field)}称 {number}，发布说明为 {actual}"
        yield finding(rule, context, verdict, [_claim_at(context, stated.start(), stated.end())], en, zh, working=[f"{number} / {actual}"],
                      expected=str(actual), observed=str(number), cause=f"{owner.citation}|{field}", evidence=known.looks)  # fmt: skip


# ------------------------------------------------------------ papers


def _publication_date(rule: Rule, context: Context, waiting: Unknown) -> Iterator[Finding]:
    """The id's month is when the number was given out: it supports a date and never refutes one."""
    for paper, when in dated_papers(context.document, context.as_of):
        known = about(context, f"arxiv:{paper.id}")
        place = context.at(paper.start, when.end)
        if known.answer != "found":
            waiting.append((place, known))
            continue
        submitted, returned = _day(known.facts.get("published")), _day(known.facts.get("updated"))
        month = re.fullmatch(r"(\d\d)(\d\d)\.\d{4,5}", paper.id)
        given = date(2000 + int(month[1]), int(month[2]), 1) if month else None
        supported = given is not None and when.first <= given.replace(day=28) and given <= when.last
        hint = f"its id was given out in {given:%Y-%m}" if given else "its id says no month"
        hint_zh = f"编号发放于 {given:%Y-%m}" if given else "编号不含月份"
        if submitted and any(day and when.holds(day) for day in (submitted, returned)):
            verdict, en, zh = "pass", f"arXiv {paper.id} dated {when.text}: agrees", f"arXiv {paper.id} 标注 {when.text}：相符"
        elif submitted and not supported:
            verdict, en, zh = (
                "fail", f"arXiv {paper.id} dated {when.text}, but submitted {submitted}", f"arXiv {paper.id} 标注 {when.text}，实际提交于 {submitted}",
            )  # fmt: skip
        else:
            known_date = f"submitted {submitted}" if submitted else "its submission date is not known"
            zh_date = f"提交于 {submitted}" if submitted else "提交日期未知"
            verdict = "undecided"
            en, zh = f"arXiv {paper.id} dated {when.text}; {known_date}, and {hint}", f"arXiv {paper.id} 标注 {when.text}；{zh_date}，{hint_zh}"
        working = [f"stated: {when.text} = {when.first} to {when.last}", f"submitted: {submitted or 'not known'}", hint]
        yield finding(rule, context, verdict, [place], en, zh, working=working, expected=str(submitted or ""), observed=when.text,  # type: ignore[arg-type]
                      cause=f"{paper.id}|{when.text}", evidence=known.looks)  # fmt: skip


def _title(rule: Rule, context: Context, waiting: Unknown) -> Iterator[Finding]:
    """Equal but for case and marks, or a beginning or shortening of the title: agrees."""
    seen = set()
    for said in titles(context.document.text):
        known = about(context, f"arxiv:{said.paper.id}")
        title = known.facts.get("title")
        if not title:
            waiting.append((context.at(said.start, said.end), known))
            continue
        stated, actual = _words(said.text), _words(str(title))
        if (said.paper.id, tuple(stated)) in seen:
            continue
        seen.add((said.paper.id, tuple(stated)))
        kept = sum(block.size for block in SequenceMatcher(None, stated, actual, autojunk=False).get_matching_blocks())
        alike = kept == len(stated)
        shared = len(set(stated) & set(actual))
        en = f"arXiv {said.paper.id}: called “{said.text}”; its title is “{title}”"
        zh = f"arXiv {said.paper.id}：称「{said.text}」，标题实为「{title}」"
        yield finding(rule, context, "pass" if alike else "fail", [context.at(said.start, said.end)], en, zh, expected=str(title), observed=said.text,
                      working=[f"{shared} of {len(set(stated))} stated words are in the title"], cause=said.paper.id, evidence=known.looks)  # fmt: skip


def _words(text: str) -> list[str]:
    return re.findall(r"[a-z0-9]+|[一-鿿]", text.lower())


def _authors(rule: Rule, context: Context, waiting: Unknown) -> Iterator[Finding]:
    for said in authors(context.document.text):
        known = about(context, f"arxiv:{said.paper.id}")
        names = known.facts.get("authors")
        if not names:
            waiting.append((context.at(said.start, said.end), known))
            continue
        family = _words(said.text)[-1]
        verdict: Verdict = "pass" if any(family in _words(name) for name in names) else "fail"
        listed = ", ".join(names[:3]) + (" …" if len(names) > 3 else "")
        yield finding(rule, context, verdict, [context.at(said.start, said.end)], f"arXiv {said.paper.id}: {said.text} et al. stated; its authors: {listed}",
                      f"arXiv {said.paper.id}：称 {said.text} 等；作者为 {listed}", expected=listed, observed=said.text, cause=said.paper.id,
                      evidence=known.looks)  # fmt: skip


FIELDS: dict[str, Callable[[Rule, Context, Unknown], Iterator[Finding]]] = {
    "release_date": _release_date,
    "counts": _counts,
    "publication_date": _publication_date,
    "title": _title,
    "authors": _authors,
    "stars": stars,
    "licence": licences,
}
