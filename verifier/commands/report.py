"""Write the weekly report of open D-records, or the page of one briefing."""

from __future__ import annotations

import argparse
import os
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING
from zoneinfo import ZoneInfo

from verifier.commands import _common as common
from verifier.errors import ExitCode, UsageError
from verifier.models import Claim
from verifier.settings import Settings

if TYPE_CHECKING:
    from verifier.ledger import Ledger
    from verifier.reports._history import Ran

EXAMPLE = "verify report --week 2026-W40"


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--briefing", metavar="FILE", help="instead: one page for this briefing, its claims coloured by verdict; records nothing")
    days = parser.add_argument_group("which days (default: the week of --as-of or today)")
    days.add_argument("--week", metavar="2026-W40", help="an ISO week, or `last` for the one before this")
    days.add_argument("--since", type=common.a_day, metavar="DAY", help="from this day on")
    days.add_argument("--until", type=common.a_day, metavar="DAY", help="up to this day; what came later is not known")
    parser.add_argument("--topic", metavar="TEXT", help="only this topic, or with this in the title")
    parser.add_argument("--out", metavar="FOLDER", help="where to write (default: reports/ of the root)")
    parser.add_argument("--lang", choices=("en", "zh"), default="en", help="language")
    common.clock(parser)
    common.formats(parser, "text", "json", "csv")


def handle(options: argparse.Namespace) -> common.Result:
    from verifier.ledger import Ledger
    from verifier.reports._period import end_of, period
    from verifier.reports.weekly import Weekly, html, markdown

    config = common.need_root(common.settings())
    if options.briefing:
        return _briefing(options, config)
    zone = ZoneInfo(config.timezone)
    days = period(common.today(config, None), week=options.week, since=options.since, until=options.until, as_of=options.as_of)
    today = common.today(config, None)
    with Ledger.open(config.root, config.ledger_url, config.series) as ledger:
        log = ledger.history(end_of(days.last, zone))
        report = Weekly(log, days, zone, options.topic, config.schedule, running=today if days.last == today and not options.as_of else None)
        report = replace(report, claims=_claims(ledger, report.shared))
    said = f"{days.name}: {len(report.tables['open'])} open of {len(report.records)} records"
    if options.format == "json":
        common.show({"period": {"name": days.name, "first": str(days.first), "last": str(days.last), "topic": options.topic}, **report.tables})
        return ExitCode.CLEAN, said
    folder = Path(options.out) if options.out else config.root / "reports"
    if options.format == "csv":
        from verifier.reports import _csv

        for path in _write(folder, {f"{days.name}/{table}.csv": text for table, text in _csv.render(report.tables).items()}):
            print(path)
        return ExitCode.CLEAN, said
    page = report.page(options.lang, _to_root(folder, config))
    for path in _write(folder, {f"{days.name}.md": markdown(page), f"{days.name}.html": html(page)}):
        print(path)
    return ExitCode.CLEAN, said


def _briefing(options: argparse.Namespace, config: Settings) -> common.Result:
    """One run on stored evidence, as a draft, with the numbers that its findings have in the ledger."""
    from verifier import pipeline
    from verifier.ledger import Ledger
    from verifier.reports import briefing

    for flag in ("week", "since", "until", "topic"):
        if getattr(options, flag):
            raise UsageError(f"--briefing and --{flag}: the page is about one run; leave --{flag} out")
    if options.format == "csv":
        raise UsageError("--briefing and --format csv: a briefing has no such tables; take json, or leave --format out")
    outcome = pipeline.run(options.briefing, settings=config, draft=True, as_of=options.as_of, stdin=common.stdin_for([options.briefing]))
    with Ledger.open(config.root, config.ledger_url, config.series) as ledger:
        numbers, false = ledger.holding(dict.fromkeys(f.cause for f in outcome.judged)), ledger.dismissed()
    made = briefing.Briefing(outcome.document, outcome.claims, outcome.judged, outcome.run.as_of, numbers, false)
    said = f"{len(outcome.claims)} claims, {made.counts['fail']} failing, {made.counts['undecided']} undecided"
    if options.format == "json":
        common.show({"document": outcome.document.path, "as_of": outcome.run.as_of, "claims": made.verdicts, "findings": made.shown})
        return ExitCode.CLEAN, said
    folder = Path(options.out) if options.out else config.root / "reports"
    name = Path(outcome.document.path).stem if outcome.document.path != "-" else "briefing"
    for path in _write(folder, {f"{name}.html": made.html(options.lang, _to_root(folder, config))}):
        print(path)
    return ExitCode.CLEAN, said


def _claims(ledger: Ledger, ran: Sequence[Ran]) -> dict[str, list[Claim]]:
    """The claims of these runs; none of a document that was verified anew since."""
    if not ran:
        return {}
    from verifier.ledger.numbers import run_log

    runs = ledger.history(runs=True)
    as_then = [r.document for r in ran if runs[run_log(r.document)][-1].run == r.run]
    return {document: [Claim.model_validate(body) for body in ledger.verified(document).values()] for document in as_then}


def _to_root(folder: Path, config: Settings) -> str:
    """The way from a report to the documents: relative, so that both may move together."""
    way = os.path.relpath(config.root, folder.resolve())
    return "" if way == "." else Path(way).as_posix() + "/"


def _write(folder: Path, files: dict[str, str]) -> list[Path]:
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for name, text in files.items():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).write_bytes(text.encode())
    except (FileExistsError, NotADirectoryError):
        raise UsageError(f"--out {folder}: is not a folder; name one") from None
    except OSError as error:
        raise UsageError(f"--out {folder}: cannot be written: {error.strerror}") from None
    return [folder / name for name in files]
