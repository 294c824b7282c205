"""Keep the ledger: check, rebuild, assign numbers, undo a run, export."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from verifier.commands import _common as common
from verifier.errors import ExitCode, UsageError

if TYPE_CHECKING:
    from verifier.ledger import Ledger

EXAMPLE = "verify ledger check"
ACTIONS = {
    "check": "whether database and mirror tell one story",
    "rebuild": "the database anew from the mirror",
    "assign": "numbers for what clones recorded provisionally",
    "undo": "void what only one run opened",
    "export": "all records as a table",
}
TABLES = ("csv", "json", "jsonl", "parquet")


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("action", choices=tuple(ACTIONS), help="; ".join(f"{name}: {what}" for name, what in ACTIONS.items()))
    parser.add_argument("run", nargs="?", metavar="RUN", help="undo: the run, as `verify run --format json` names it")
    parser.add_argument("--here", action="store_true", help="assign: from now on this database hands out the numbers")
    parser.add_argument("--out", metavar="FILE", help="export: where to (default: standard output)")
    common.acting(parser)
    common.formats(parser, "text", *TABLES)


def handle(options: argparse.Namespace) -> common.Result:
    from verifier.ledger import Ledger

    config = common.need_root(common.settings())
    fits = TABLES if options.action == "export" else ("text", "json")
    if options.format not in fits:
        raise UsageError(f"ledger {options.action}: has --format {', '.join(fits)}, not {options.format}")
    if options.action == "undo" and not options.run:
        raise UsageError("ledger undo: needs a run; such as `verify ledger undo 3f9ac1d2e4b5`")
    with Ledger.open(config.root, config.ledger_url, config.series, mend=options.action not in ("check", "rebuild")) as ledger:
        return {"check": _check, "rebuild": _rebuild, "assign": _assign, "undo": _undo, "export": _export}[options.action](ledger, options)


def _tell(options: argparse.Namespace, lines: list[str], **more: object) -> None:
    if options.format == "json":
        common.show({"action": options.action, "said": lines, **more})
    elif lines:
        print("\n".join(lines))


def _check(ledger: Ledger, options: argparse.Namespace) -> common.Result:
    said = ledger.check()
    _tell(options, said)
    return (ExitCode.UNCHECKED, f"{len(said)} problems") if said else (ExitCode.CLEAN, "database and mirror tell one story")


def _rebuild(ledger: Ledger, options: argparse.Namespace) -> common.Result:
    left = ledger.rebuild()
    _tell(options, left)
    return (ExitCode.UNCHECKED, f"{len(left)} events left out") if left else (ExitCode.CLEAN, "the database was made anew from the mirror")


def _assign(ledger: Ledger, options: argparse.Namespace) -> common.Result:
    given = ledger.assign(actor=common.actor(options.actor), now=common.moment(), here=options.here)
    _tell(options, [f"{old} is {new}" for old, new in given.items()], assigned=given)
    return ExitCode.CLEAN, f"{len(given)} records numbered"


def _undo(ledger: Ledger, options: argparse.Namespace) -> common.Result:
    voided, left = ledger.undo(options.run, actor=common.actor(options.actor), now=common.moment())
    _tell(options, [*(f"{number} is void" for number in voided), *(f"stays: {why}" for why in left)], void=voided)
    return ExitCode.CLEAN, f"{len(voided)} records void, {len(left)} stay"


def _export(ledger: Ledger, options: argparse.Namespace) -> common.Result:
    from verifier.ledger.export import FORMATS

    records = ledger.records()
    data = FORMATS[options.format](records)
    if options.out:
        try:
            Path(options.out).write_bytes(data)
        except OSError as error:
            raise UsageError(f"{options.out}: cannot be written: {error.strerror}") from None
    else:
        sys.stdout.buffer.write(data)
    return ExitCode.CLEAN, f"{len(records)} records"
