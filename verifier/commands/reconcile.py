"""Compare the sets of arXiv ids and URLs that a living document, its briefings, the claim store and the ledger hold."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING, Any

from verifier.commands import _common as common
from verifier.errors import ExitCode

if TYPE_CHECKING:
    from verifier.models import Document
    from verifier.reconcile import Count, Placed, Sets
    from verifier.settings import Settings

EXAMPLE = "verify reconcile organized/llm-infra.md --briefing inbox/2026-09-28-briefing.md"
WORDS = {
    "en": {"new": "new", "missing": "in a briefing, not here", "gone": "no longer here", "orphaned": "here, in no briefing and not before",
           "doubled": "on several lines", "right": "right", "wrong": "wrong", "is": "there are", "asked": "asked for", "stands": "stands in",
           "nowhere": "not anchored"},
    "zh": {"new": "新增", "missing": "简报有、此处无", "gone": "已不在", "orphaned": "无来源（简报与旧版均无）", "doubled": "多行重复",
           "right": "相符", "wrong": "不符", "is": "实有", "asked": "建议归入", "stands": "现在", "nowhere": "未锚定"},
}  # fmt: skip


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("path", metavar="LIVING", help="the living document")
    parser.add_argument("--briefing", nargs="+", default=[], metavar="FILE", help="the briefings that it took from")
    earlier = parser.add_mutually_exclusive_group()
    earlier.add_argument("--before", metavar="FILE", help="the living document as it was before")
    earlier.add_argument("--diff", metavar="REF", default="HEAD", help="or as it was at REF in git (default: HEAD, where there is one)")
    parser.add_argument("--strict", action="store_true", help="exit 1 also for what is missing or stands in another section")
    parser.add_argument("--lang", choices=("en", "zh"), default="en", help="language")
    common.formats(parser)


def handle(options: argparse.Namespace) -> common.Result:
    from verifier import reconcile as sets
    from verifier.pipeline import source

    config = common.settings()
    living = common.document(*source(options.path, config.root))
    briefings = [common.document(*source(path, config.root)) for path in options.briefing]
    before = _before(options, config)
    old = sets.held(before.text) if before else None
    now, store, ledger = sets.held(living.text), sets.stored(config.root), sets.held(_records(config))
    found = [sets.closure(kind, now, old, [sets.held(b.text) for b in briefings], store, ledger) for kind in sets.KINDS]
    counts = sets.counted(sets.newest(sets.stated(living.text)), now, old)
    places = _places(briefings, living)
    if options.format == "json":
        common.show(_plain(living.path, found, counts, places))
    else:
        print(_page(found, counts, places, options.lang), end="")
    return _verdict(found, counts, places, options.strict, bool(before or briefings))


def _before(options: argparse.Namespace, config: Settings) -> Document | None:
    from verifier.errors import UsageError
    from verifier.gate import committed
    from verifier.pipeline import source
    from verifier.read import read

    if options.before:
        return read(*source(options.before, config.root))
    try:
        data = committed(Path(options.path), options.diff)
    except UsageError:
        if options.diff != "HEAD":
            raise
        data = None  # no git here: then there is no earlier version
    return read(data, options.path) if data and data.strip() else None


def _records(config: Settings) -> str:
    """What the records say, as one text."""
    if not config.found:
        return ""
    from verifier.ledger import Ledger

    with Ledger.open(config.root, config.ledger_url, config.series) as ledger:
        return "\n".join(" ".join(filter(None, (r.title, r.problem, r.impact, r.suggestion))) for r in ledger.list())


def _places(briefings: list[Document], living: Document) -> list[Placed]:
    from verifier.extract import extract
    from verifier.gate import restating
    from verifier.reconcile import placed

    here = restating(living)
    return [p for b in briefings for p in placed(b, extract(b), living, lambda claim, b=b: here(b, claim))]  # type: ignore[misc]


def _plain(document: str, found: list[Sets], counts: list[Count], places: list[Placed]) -> dict[str, Any]:
    out: dict[str, Any] = {"document": document}
    for name in ("before", "after", "briefing", "store", "ledger"):
        out[name] = {s.kind: getattr(s, name) for s in found}
    for s in found:
        out |= {f"{s.kind}_new_in_after": s.new, f"{s.kind}_known": s.known, f"{s.kind}_missing_from_after": s.missing, f"{s.kind}_gone": s.gone,
                f"{s.kind}_missing_from_briefing_and_before": s.orphaned, f"{s.kind}_doubled": dict(s.doubled)}  # fmt: skip
    out["stated"] = [{"line": c.stated.line, "text": c.stated.text, "right": c.right, "is": c.is_, "was": c.was} for c in counts]
    out["placed"] = [{"document": p.claim.document, "line": p.claim.line, "text": p.claim.text, "asked": p.asked, "stands": p.stands,
                      "stands_on": p.line, "right": p.right} for p in places]  # fmt: skip
    return out


def _page(found: list[Sets], counts: list[Count], places: list[Placed], lang: str) -> str:
    words = WORDS[lang]
    lines = []
    for s in found:
        lines.append(f"{'arXiv' if s.kind == 'arxiv' else 'URL'}: {len(s.before)} → {len(s.after)}")
        lines += [f"  {words[name]}: {', '.join(keys)}" for name in ("new", "missing", "gone", "orphaned") if (keys := getattr(s, name))]
        lines += [f"  {words['doubled']}: {len(s.doubled)}"] if s.doubled else []
    lines += [f"{c.stated.line}: {c.stated.text}: {words['right'] if c.right else words['wrong']}, {words['is']} {c.is_}" for c in counts]
    lines += [f"{p.claim.document}:{p.claim.line}: {p.claim.text}: {words['asked']} {p.asked}; {words['stands']} {p.line}: {p.stands}"
              for p in places if not p.right]  # fmt: skip
    lines += [f"{p.claim.document}:{p.claim.line}: {p.claim.text}: {words['asked']} {p.asked}; {words['nowhere']}" for p in places if p.line is None]
    return "\n".join(lines) + "\n"


def _verdict(found: list[Sets], counts: list[Count], places: list[Placed], strict: bool, anchored: bool) -> common.Result:
    wrong = [c for c in counts if not c.right]
    orphans = sum(len(s.orphaned) for s in found) if anchored else 0
    missing, misplaced = sum(len(s.missing) for s in found), sum(not p.right for p in places)
    said = (f"{len(counts) - len(wrong)} of {len(counts)} stated counts right, {orphans} without a source, {missing} missing, "
            f"{sum(p.line is not None and p.right for p in places)} of {len(places)} claims where they were asked to go, {misplaced} elsewhere")  # fmt: skip
    against = wrong or orphans or strict and (missing or misplaced)
    return (ExitCode.AGAINST, f"{said}: the sets are not closed") if against else (ExitCode.CLEAN, said)
