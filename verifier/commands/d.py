"""List, show, open and settle D-records; import, reserve and dismiss."""

from __future__ import annotations

import argparse
import hashlib
from datetime import timedelta
from typing import TYPE_CHECKING, Any

from verifier.commands import _common as common
from verifier.commands._records import briefing, late, page, row
from verifier.errors import ExitCode, UsageError
from verifier.models import SEVERITIES, Discrepancy, Recorded
from verifier.settings import Settings

if TYPE_CHECKING:
    from verifier.ledger import Ledger
    from verifier.ledger.glance import Readable

EXAMPLE = 'verify d resolve D188 --resolution confirmed --reason "the source names SXM" --evidence URL'
EVENTS = (
    "take",
    "wait",
    "return",
    "resolve",
    "reopen",
    "void",
    "anchor",
    "comment",
    "evidence",
    "severity",
    "owner",
    "recheck",
    "propose",
    "decline",
)
FIELDS = ("resolution", "evidence", "waiting_on", "recheck_by", "condition", "target", "until", "severity", "owner", "document", "place", "run")
NEEDS = {"show": "a record, such as D188", "open": "a title", "reserve": "how many", "import": "a briefing", "dismiss": "a finding's fingerprint"}

ACTIONS = ("list", *NEEDS, *EVENTS)


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("action", choices=ACTIONS, metavar="ACTION", help=f"one of {', '.join(ACTIONS)}")
    parser.add_argument("words", nargs="*", metavar="WHAT", help="records (D188); open: title; reserve: count; import: files; dismiss: fingerprint")
    only = parser.add_argument_group("list: only those, all that are given")
    only.add_argument("--open", action="store_true", help="not settled")
    only.add_argument("--overdue", action="store_true", help="not settled and past their recheck day")
    only.add_argument("--proposed", action="store_true", help="with a proposed transition; resolve: make it, for the records named or for all")
    only.add_argument("--source", metavar="TEXT", help="about this source, such as arxiv:2609.23130")
    only.add_argument("--topic", metavar="TEXT", help="of this topic, or with this in the title")
    says = parser.add_argument_group("what an event says")
    says.add_argument("--severity", choices=SEVERITIES, help="list, open, severity: the severity")
    says.add_argument("--owner", metavar="NAME", help="list, open, owner: who looks after it")
    says.add_argument("--reason", help="why")
    says.add_argument("--resolution", help="resolve: corrected, confirmed, refuted, not_comparable, annotated, duplicate, …")
    says.add_argument("--evidence", help="resolve, reopen, evidence: what shows it")
    says.add_argument("--waiting-on", help="wait: for whom or what")
    says.add_argument("--recheck-by", metavar="DAY", help="open, wait, recheck: look again by this day")
    says.add_argument("--condition", help="resolve --resolution not_comparable: the condition that differs")
    says.add_argument("--target", help="resolve --resolution duplicate or superseded: the other record")
    says.add_argument("--until", metavar="DAY", help="reserve: held until; resolve --resolution accepted: until when")
    says.add_argument("--for", dest="holder", metavar="NAME", help="reserve: for whom")
    says.add_argument("--document", metavar="FILE", help="open: where it stands; anchor: the living document")
    says.add_argument("--place", help="anchor: where in the document")
    says.add_argument("--run", help="anchor: the gate run that passed it")
    for name in ("problem", "impact", "suggestion"):
        says.add_argument(f"--{name}", help=f"open: {name}")
    says.add_argument("--op-id", metavar="ID", help="name of this operation; the same name again does nothing")
    common.clock(parser)
    common.acting(parser)
    common.formats(parser, "text", "json", "briefing")


def handle(options: argparse.Namespace) -> common.Result:
    config = common.need_root(common.settings())
    proposed = options.action == "resolve" and options.proposed
    if options.action != "list" and not proposed and not options.words:
        raise UsageError(f"d {options.action}: needs {NEEDS.get(options.action, NEEDS['show'])}; `verify d --help` shows how")
    if options.action in ("list", "show"):
        with common.looked_at(config) as readable:
            if options.action == "list":
                return _list(readable, config, options)
            records = [readable.get(number) for number in options.words]
        return _shown(records, options)
    from verifier.ledger import Ledger

    with Ledger.open(config.root, config.ledger_url, config.series) as ledger:
        if options.action == "import":
            return _import(ledger, config, options)
        records = _act(ledger, config, options)
    return _shown(records, options)


def _shown(records: list[Discrepancy], options: argparse.Namespace) -> common.Result:
    _print(records, options)
    if not records:
        return ExitCode.CLEAN, "nothing is proposed"
    return ExitCode.CLEAN, "; ".join(f"{r.number} is {r.state}" for r in records[:3]) + (f"; {len(records)} in all" if len(records) > 3 else "")


def _act(ledger: Ledger, config: Settings, options: argparse.Namespace) -> list[Discrepancy]:
    who: dict[str, Any] = {"actor": common.actor(options.actor), "now": common.moment()}
    if options.action == "open":
        return [_open(ledger, config, options, who)]
    if options.action == "reserve":
        if not options.words[0].isdecimal() or not options.holder or not options.until:
            raise UsageError("d reserve: needs how many, --for NAME and --until DAY; such as `verify d reserve 10 --for jay --until 2026-10-31`")
        return [ledger.get(n) for n in ledger.reserve(int(options.words[0]), holder=options.holder, expires=options.until, **who)]
    if options.action == "dismiss":
        if not options.reason:
            raise UsageError("d dismiss: needs --reason; why is the finding a false alarm?")
        return [ledger.dismiss(mark, reason=options.reason, evidence=options.evidence or "", **who) for mark in options.words]
    if options.action == "resolve" and options.proposed:
        return ledger.resolve_proposed(options.words, reason=options.reason, **who)
    if options.action in EVENTS:
        data = {f: getattr(options, f) for f in FIELDS if getattr(options, f) is not None}
        run = data.pop("run", None)
        for number in options.words:
            op_id = f"{options.op_id}/{number}" if options.op_id else None
            ledger.transition(number, options.action, reason=options.reason, op_id=op_id, run=run, **who, **data)
    return [ledger.get(number) for number in options.words]


def _open(ledger: Ledger, config: Settings, options: argparse.Namespace, who: dict[str, Any]) -> Discrepancy:
    due = options.recheck_by or (common.today(config, options.as_of) + timedelta(days=config.recheck_days)).isoformat()
    fields = {f: getattr(options, f) for f in ("owner", "problem", "impact", "suggestion", "topic") if getattr(options, f)}
    documents = [options.document] if options.document else []
    return ledger.open_record(title=" ".join(options.words), severity=options.severity, documents=documents, recheck_by=due,
                              op_id=options.op_id, reason=options.reason, **fields, **who)  # fmt: skip


def _list(ledger: Readable, config: Settings, options: argparse.Namespace) -> common.Result:
    today = common.today(config, options.as_of).isoformat()
    asked = {"severity": options.severity, "owner": options.owner, "live": options.open or options.overdue, "proposed": options.proposed,
             "overdue": today if options.overdue else None, "but": ("unknown",), "source": options.source, "topic": options.topic}  # fmt: skip
    rows = ledger.brief(**asked)
    if options.format == "json":
        print(f"[{', '.join(ledger.bodies(**asked))}]")
    elif options.format == "briefing":
        print(briefing(ledger.list(**asked)))
    elif rows:
        print("\n".join(row(brief, today) for brief in rows))
    overdue = sum(late(brief, today) for brief in rows)
    return ExitCode.CLEAN, f"{len(rows)} records" + (f", {overdue} overdue" if overdue else "")


def _import(ledger: Ledger, config: Settings, options: argparse.Namespace) -> common.Result:
    from verifier import pipeline

    stdin = common.stdin_for(options.words)
    done: list[Recorded] = []
    for path in options.words:
        data, name = pipeline.source(path, config.root, stdin)
        document = common.document(data, name)
        due = pipeline.due(config, pipeline.day(document, options.as_of), common.moment())
        done += ledger.take_over(
            name, run=hashlib.sha256(data).hexdigest()[:12], actor=common.actor(options.actor), now=common.moment(), recheck_by=due,
            declared=document.structure.discrepancies, carried=document.structure.carried, topic=document.structure.topic,
        )  # fmt: skip
    if options.format == "json":
        common.show(done)
    else:
        for item in done:
            print(f"{item.number:8} {item.what:9} {item.title}")
            if item.warning:
                print(f"! {item.number} {item.warning}")
    conflicts = [item.number for item in done if item.what == "conflict"]
    if conflicts:
        return ExitCode.AGAINST, f"{len(conflicts)} declared numbers mean something else in the ledger: {', '.join(conflicts)}"
    return ExitCode.CLEAN, f"{sum(item.what == 'imported' for item in done)} imported, {sum(item.what == 'carried' for item in done)} carried"


def _print(records: list[Discrepancy], options: argparse.Namespace) -> None:
    if options.format == "json":
        common.show(records[0] if len(records) == 1 and options.action != "reserve" else records)
    elif options.format == "briefing":
        print(briefing(records))
    else:
        print("\n".join(map(page, records)))
