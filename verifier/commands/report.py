"""Write the weekly report of open D-records."""

import argparse
import re
from datetime import date, timedelta
from pathlib import Path

from verifier.commands import _common as common
from verifier.errors import ExitCode, UsageError

EXAMPLE = "verify report --week 2026-W40"


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--week", metavar="2026-W40", help="ISO week (default: the week of --as-of or today)")
    parser.add_argument("--out", default=None, metavar="FOLDER", help="where to write (default: reports/ of the root)")
    parser.add_argument("--lang", choices=("en", "zh"), default="en", help="language")
    common.clock(parser)
    common.formats(parser)


def handle(options: argparse.Namespace) -> common.Result:
    from verifier.ledger import Ledger
    from verifier.reports.weekly import tables, weekly

    config = common.need_root(common.settings())
    as_of = common.today(config, options.as_of)
    week = options.week or f"{as_of.isocalendar().year}-W{as_of.isocalendar().week:02d}"
    if not re.fullmatch(r"20\d\d-W(0[1-9]|[1-4]\d|5[0-3])", week):
        raise UsageError(f"--week {week!r} is not an ISO week such as 2026-W40")
    if options.week and not options.as_of:
        as_of = _last_day(week)
    with Ledger.open(config.root, config.ledger_url, config.series) as ledger:
        records = ledger.records()
    if options.format == "json":
        common.show(tables(records, week, as_of))
        return ExitCode.CLEAN, f"{week}, {len(records)} records"
    folder = Path(options.out) if options.out else config.root / "reports"
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{week}.md"
    path.write_text(weekly(records, week, as_of, lang=options.lang), encoding="utf-8")
    print(path)
    return ExitCode.CLEAN, f"{week} written"


def _last_day(week: str) -> date:
    try:
        return date.fromisocalendar(int(week[:4]), int(week[6:]), 1) + timedelta(days=6)
    except ValueError:
        raise UsageError(f"--week {week!r}: that year has no such week") from None
