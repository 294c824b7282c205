"""A stated count against what it counts: items of a list, bullets, headings, ids, a span of numbers."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from itertools import combinations

from verifier.models import Block, Finding, Location, Verdict
from verifier.read.lists import COUNTED, ENGLISH, Stated, number_of, possible, split, stated_lists, total
from verifier.rules._base import Context, Rule, finding
from verifier.rules._sets import CLASSES, IdList, id_lists, source_lists
from verifier.rules._words import items

TOPIC = r"件数|数目|计数|重复|漏列|count|duplicate|listed twice"  # what a declared entry about such a fault speaks of
ID = re.compile(r"(?<![\d.])\d{4}\.\d{4,5}(?![\d.]*\d)")
SPAN = re.compile(
    r"(?<![A-Za-z\d])(?P<p>[A-Z#])(?P<a>\d{1,5})\s*[-–~—]\s*(?P=p)?(?P<b>\d{1,5})\s*[（(,，：:]\s*(?:共\s*)?(?P<n>\d{1,4})\s?(?:件|个|条|项|items|entries)"
)
HEADED = re.compile(r"(?P<n>\d{1,2}|[一二三四五六七八九十])\s*条?\s*(?:主增量|增量(?=条目|$))|增量条数\s*[：:]\s*(?P<m>\d{1,2})\s*条")


def judge(rule: Rule, context: Context) -> Iterable[Finding]:
    """`check` names what is counted; see CHECKS."""
    return CHECKS[rule.spec["check"]](rule, context)


def _items(rule: Rule, context: Context) -> Iterator[Finding]:
    """`6 件 = A + B + C`. A list that is too short passes where another statement of the same count is complete."""
    joined = _joined(context)
    seen: dict[tuple[int, str], list[tuple[int, Stated, Block]]] = {}
    for block in context.document.blocks:
        if block.kind in ("code", "row"):
            continue
        for stated in stated_lists(block.text):
            if stated.number >= 2:
                miss = _miss(stated, joined)
                noun = block.text[stated.end : stated.end + 12].split("（")[0].split("：")[0].strip()
                seen.setdefault((stated.number, noun), []).append((miss, stated, block))
    for entries in seen.values():
        over = [[entry] for entry in entries if entry[0] > 0]
        yield from (_listed(rule, context, lists) for lists in over or [entries])


def _listed(rule: Rule, context: Context, lists: list[tuple[int, Stated, Block]]) -> Finding:
    miss, stated, block = min(lists, key=lambda found: abs(found[0]))
    count = total(stated.items) if stated.opener == "sum" else None
    short = count is None and (miss < -1 or (miss < 0 and stated.opener != "sum"))  # a list may name the main ones only
    verdict: Verdict = "pass" if not miss else "undecided" if stated.vague or stated.open_ended or short else "fail"
    listed = count if count is not None else len(stated.items)
    shown = items(stated.items)
    working = f"{stated.number} stated, {listed} listed: {shown}"
    at = [context.at(b.start + s.start, b.start + s.end) for m, s, b in lists if m][:4] or [
        context.at(block.start + stated.start, block.start + stated.end)
    ]
    return finding(
        rule, context, verdict, at, working, f"称 {stated.number}，实列 {listed}：{shown}",
        working=[working], expected=str(listed), observed=str(stated.number), cause=f"{stated.number}|{stated.items[0][:24]}",
    )  # fmt: skip


def _miss(stated: Stated, joined: set[tuple[str, str]]) -> int:
    """How many items the list has too many (+) or too few (−) under the reading that is kindest."""
    count = total(stated.items) if stated.opener == "sum" else None
    fits = possible(stated.items, joined)
    if count == stated.number or stated.number in fits:
        return 0
    if count is not None:
        return count - stated.number
    return fits[0] - stated.number if stated.number < fits[0] else fits[-1] - stated.number


def _joined(context: Context) -> set[tuple[str, str]]:
    """Pairs `A + B` that elsewhere stand alone: there they are one thing."""
    pairs = set()
    for block in context.document.blocks:
        for piece in re.split(r"\s/\s|[（(：:）)；;。]", block.text):
            parts = piece.split(" + ")
            if len(parts) == 2 and all(parts):
                pairs.add((parts[0].strip(), parts[1].strip()))
    return pairs


def _bullets(rule: Rule, context: Context) -> Iterator[Finding]:
    """`5 份简报：` and the bullets below it."""
    blocks = context.document.blocks
    for place, block in enumerate(blocks[:-1]):
        if block.kind not in ("paragraph", "bullet", "heading") or not block.text.rstrip(" *\r").endswith((":", "：")):
            continue
        counts = [*COUNTED.finditer(block.text), *ENGLISH.finditer(block.text)]
        if len(counts) != 1 or (number := number_of(counts[0])) < 2 or blocks[place + 1].kind != "bullet":
            continue
        listed = _run(context, blocks[place + 1 :], block)
        vague = bool(counts[0]["about"] or counts[0]["more"])
        verdict: Verdict = "pass" if listed == number else "undecided" if vague or listed < number or listed > 3 * number else "fail"
        working = f"{number} stated, {listed} bullets below"
        at = context.at(block.start + counts[0].start("n"), block.start + counts[0].end())
        yield finding(rule, context, verdict, [at], working, f"称 {number}，下列 {listed} 条", working=[working], expected=str(listed),
                      observed=str(number), cause=block.text.strip()[:40])  # fmt: skip


def _run(context: Context, blocks: tuple[Block, ...], lead: Block) -> int:
    """Bullets in a row, of one indentation; under a bullet, those that begin alike."""
    first = blocks[0]
    indent = len(first.text) - len(first.text.lstrip())
    start = first.text.lstrip(" •*-+")[:4]
    count = 0
    for block in blocks:
        if block.kind != "bullet":
            break
        own = len(block.text) - len(block.text.lstrip())
        if own < indent or (lead.kind == "bullet" and own == indent and block.text.lstrip(" •*-+")[:4] != start):
            break
        count += own == indent
    return count


def _ids(rule: Rule, context: Context) -> Iterator[Finding]:
    """One paper twice in one list; where the list has a stated count, the count of distinct ones."""
    for block in context.document.blocks:
        for body, start in _bodies(block.text):
            listed = split(body)
            ids = [found[0] for item in listed if (found := ID.search(item.partition("（")[0]))]
            if len(ids) < 3 or len(ids) < 0.8 * len(listed):
                continue
            twice = [i for i, n in Counter(ids).items() if n > 1]
            working = f"{len(ids)} listed, {len(set(ids))} distinct" + (f"; twice: {', '.join(twice)}" if twice else "")
            zh = f"列出 {len(ids)} 个，互异 {len(set(ids))} 个" + (f"；重复：{'、'.join(twice)}" if twice else "")
            place = block.start + start + body.find(twice[0] if twice else ids[0])
            yield finding(rule, context, "fail" if twice else "pass", [context.at(place, place + 10)], working, zh, working=[working],
                          expected=str(len(set(ids))), observed=str(len(ids)), cause="|".join(twice) or ids[0])  # fmt: skip


def _bodies(text: str) -> Iterator[tuple[str, int]]:
    """What may be a list of ids in a block: what stands behind its colons, up to ` = `."""
    for found in re.finditer(r"：|:(?!\d)", text):
        body = re.split(r"\s=\s", text[found.end() :])[0]
        if len(ID.findall(body)) >= 3:
            yield body, found.end()
            return


def _overlap(rule: Rule, context: Context) -> Iterator[Finding]:
    """A paper that is new and carried over at once, or adjacent and carried over, is counted twice."""
    lists = [entry for entry in id_lists(context) if entry.group]
    merged: dict[str, IdList] = {}
    for entry in lists:
        known = merged.get(entry.group)
        merged[entry.group] = IdList(entry.group, known.label, {**entry.places, **known.places}) if known else entry
    for one, two in combinations(merged.values(), 2):
        shared = [i for i in one.places if i in two.places]
        names, names_zh = (" and ".join(CLASSES[g][0] for g in (one.group, two.group)), "与".join(CLASSES[g][1] for g in (one.group, two.group)))
        working = f"listed as {names} at once: {', '.join(shared)}" if shared else f"{names} do not overlap"
        at: list[Location] = [entry.places[i] for i in (shared or list(one.places)[:1]) for entry in (one, two) if i in entry.places]
        yield finding(rule, context, "fail" if shared else "pass", at[:8], working, f"同时列为{names_zh}：{'、'.join(shared)}" if shared else "无重叠",
                      working=[working], observed=", ".join(shared) or None, cause="standing")  # fmt: skip


def _sources(rule: Rule, context: Context) -> Iterator[Finding]:
    """A file twice in a list of sources; two lists of one document's sources that differ."""
    lists = source_lists(context)
    for files in lists:
        for name, entries in files.items():
            places = [place for place, whole in entries if whole]
            if len(places) > 1:
                working = f"{name} is listed {len(places)} times"
                yield finding(
                    rule, context, "fail", places[:6], working, f"{name} 重复列出 {len(places)} 次", working=[working], cause=f"twice|{name}"
                )
    for one, two in combinations(lists, 2):
        missing = [(n, a[n][0][0]) for a, b in ((two, one), (one, two)) for n in a if n not in b and context.document.text.count(n) == 1]
        if len(missing) > 0.4 * min(len(one), len(two)):
            continue  # two lists of different things
        working = f"in one list only: {', '.join(n for n, _ in missing)}" if missing else "both lists agree"
        at = [place for _, place in missing][:8] or [next(iter(one.values()))[0][0]]
        yield finding(rule, context, "fail" if missing else "pass", at, working, f"仅见于一处来源清单：{'、'.join(n for n, _ in missing)}",
                      working=[working], observed=", ".join(n for n, _ in missing) or None, cause="source lists")  # fmt: skip


def _headings(rule: Rule, context: Context) -> Iterator[Finding]:
    """`3 条主增量` against the headings 增量 1, 增量 2, …"""
    found = context.document.structure.increments
    for block in context.document.blocks:
        if not found or not (stated := HEADED.search(block.text)) or (block.kind != "heading" and not stated["m"]):
            continue
        number = number_of(stated) if stated["n"] else int(stated["m"])
        verdict: Verdict = "pass" if number == len(found) else "fail"
        working = f"{number} stated, {len(found)} headings: " + ", ".join(f"{i.number} (line {i.line})" for i in found)
        headed = "、".join(f"{i.number}（第 {i.line} 行）" for i in found)
        at = [context.at(block.start + stated.start(), block.start + stated.end())]
        at += [Location(document=context.document.path, line=i.line, end_line=i.line, text=i.title[:80]) for i in found] if verdict == "fail" else []
        yield finding(rule, context, verdict, at[:8], working, f"称 {number} 条增量，实有标题 {len(found)} 个：{headed}", working=[working], expected=str(len(found)),
                      observed=str(number), cause="headings")  # fmt: skip
        if verdict == "fail":
            return


def _span(rule: Rule, context: Context) -> Iterator[Finding]:
    """`D188-D194（7 件）`."""
    for found in SPAN.finditer(context.document.text):
        holds = int(found["b"]) - int(found["a"]) + 1
        if holds < 2:
            continue
        working = f"{found['p']}{found['a']} to {found['p']}{found['b']} are {holds}; stated {found['n']}"
        yield finding(rule, context, "pass" if holds == int(found["n"]) else "fail", [context.at(found.start(), found.end())], working,
                      f"{found['p']}{found['a']} 至 {found['p']}{found['b']} 共 {holds} 个；称 {found['n']}", working=[working], expected=str(holds),
                      observed=found["n"], cause=found[0])  # fmt: skip


CHECKS: dict[str, Callable[[Rule, Context], Iterable[Finding]]] = {
    "items": _items, "bullets": _bullets, "ids": _ids, "overlap": _overlap, "sources": _sources, "headings": _headings, "span": _span,
}  # fmt: skip
