"""List, show and settle D-records."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from verifier.commands import _common as common
from verifier.errors import ExitCode, UsageError
from verifier.models import LIVE, SEVERITIES, Discrepancy

if TYPE_CHECKING:
    from verifier.ledger import Ledger

EXAMPLE = 'verify d resolve D188 --resolution confirmed --reason "the source names SXM" --evidence URL'
MOVES = ("take", "wait", "return", "resolve", "reopen", "void")
ACTIONS = ("list", "show", *MOVES)


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("action", choices=ACTIONS, help="what to do")
    parser.add_argument("number", nargs="?", help="record, such as D188")
    parser.add_argument("--open", action="store_true", help="list: only those not settled")
    parser.add_argument("--severity", choices=SEVERITIES, help="list: only this severity")
    parser.add_argument("--reason", help="why")
    parser.add_argument("--resolution", help="resolve: corrected, confirmed, refuted, not_comparable, annotated, duplicate, …")
    parser.add_argument("--evidence", help="resolve, reopen: what shows it")
    parser.add_argument("--waiting-on", help="wait: for whom or what")
    parser.add_argument("--recheck-by", metavar="DAY", help="wait: look again by this day")
    parser.add_argument("--condition", help="resolve --resolution not_comparable: the condition that differs")
    parser.add_argument("--target", help="resolve --resolution duplicate or superseded: the other record")
    parser.add_argument("--until", metavar="DAY", help="resolve --resolution accepted: until when")
    common.acting(parser)
    common.formats(parser, "text", "json", "briefing")


def handle(options: argparse.Namespace) -> common.Result:
    from verifier.ledger import Ledger

    config = common.need_root(common.settings())
    if options.action != "list" and not options.number:
        raise UsageError(f"d {options.action}: which record? such as `verify d {options.action} D188`")
    with Ledger.open(config.root, config.ledger_url, config.series) as ledger:
        if options.action == "list":
            return _list(ledger, options)
        if options.action in MOVES:
            fields = ("resolution", "evidence", "waiting_on", "recheck_by", "condition", "target", "until")
            data = {f: getattr(options, f) for f in fields if getattr(options, f) is not None}
            ledger.transition(options.number, options.action, actor=common.actor(options.actor), now=common.moment(), reason=options.reason, **data)
        record = ledger.get(options.number)
    if options.format == "json":
        common.show(record)
    else:
        print(briefing(record) if options.format == "briefing" else page(record))
    return ExitCode.CLEAN, f"{record.number} is {record.state}"


def _list(ledger: Ledger, options: argparse.Namespace) -> common.Result:
    records = [r for r in ledger.records() if r.state != "unknown"]
    if options.open:
        records = [r for r in records if r.state in LIVE]
    if options.severity:
        records = [r for r in records if r.severity == options.severity]
    if options.format == "json":
        common.show(records)
    for r in records if options.format != "json" else ():
        print(f"{r.number:8} {r.state:9} {r.severity or '-':7} {r.opened or '-':10.10} {r.title}")
    return ExitCode.CLEAN, f"{len(records)} records"


def page(record: Discrepancy) -> str:
    """One record for a reader: fields, then its history."""
    fields = ("title", "state", "resolution", "severity", "mark", "kind", "opened", "recheck_by", "owner", "problem", "impact", "suggestion")
    lines = [record.number, *(f"  {f}: {value}" for f in fields if (value := getattr(record, f)))]
    lines += [f"  document: {name}" for name in record.documents]
    lines += [f"  {e.at[:16]} {e.event} by {e.actor}{f': {e.reason}' if e.reason else ''}" for e in record.events]
    return "\n".join(lines)


def briefing(record: Discrepancy) -> str:
    """The entry in the authors' own form and its row for the D table, ready to paste."""
    level = {"low": "低", "medium": "中", "high": "高"}.get(record.severity or "", "—")
    mark = record.mark or {"low": "⚠⚬⚬", "medium": "⚠⚠⚬", "high": "⚠⚠⚠"}.get(record.severity or "", "")
    entry = [f"{record.number}：{record.title}（{mark}）", ""]
    parts = (("问题", record.problem or record.title), ("影响", record.impact), ("建议", record.suggestion))
    entry += [f"  • {name}：{text}" for name, text in parts if text]
    return "\n".join([*entry, "", "编号 内容 风险等级", f"{record.number} {mark} {record.title} {level}"])
