"""Verify a corpus: folders, globs, URLs and Parquet tables, with contradictions across all of it."""

from __future__ import annotations

import argparse
import os
from dataclasses import asdict
from itertools import groupby, islice
from typing import TYPE_CHECKING

from verifier.commands import _common as common
from verifier.commands._progress import counting
from verifier.errors import ExitCode, UsageError
from verifier.models import SEVERITIES

if TYPE_CHECKING:
    from verifier.scan import Summary
    from verifier.settings import Settings

EXAMPLE = "verify scan inbox 's3://bucket/briefings/*.md' archive.parquet --processes 8"
SHOWN = 20


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("paths", nargs="+", metavar="PATH", help="folders, files, globs, fsspec URLs, Parquet tables of texts")
    parser.add_argument("--out", metavar="URL", help="where the tables go (default: claims/scan of the root)")
    who = parser.add_mutually_exclusive_group()
    who.add_argument("--processes", type=_count, default=os.cpu_count() or 1, metavar="N", help="processes of this machine (default: one a core)")
    who.add_argument("--workers", type=_count, metavar="N", help="a Dask cluster of N workers, started here")
    who.add_argument("--scheduler", metavar="URL", help="a Dask scheduler that runs, such as tcp://host:8786")
    parser.add_argument("--open", action="store_true", help="open records in the ledger for what fails")
    parser.add_argument("--text-column", metavar="NAME", help="column of a table that holds the texts")
    parser.add_argument("--name-column", metavar="NAME", help="column of a table that names them")
    parser.add_argument("--largest", type=_count, default=16 << 20, metavar="BYTES", help="a larger document is not read (default: %(default)s)")
    parser.add_argument("--fail-on", choices=SEVERITIES, help="exit 1 when a finding of this severity or above fails")
    parser.add_argument("--strict", action="store_true", help="exit 3 when a document could not be read or there are no claims")
    common.clock(parser)
    common.acting(parser)
    common.formats(parser)


def _count(text: str) -> int:
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number from 1")
    return int(text)


def handle(options: argparse.Namespace) -> common.Result:
    try:
        import fsspec  # noqa: F401
        import pyarrow  # noqa: F401
    except ImportError:
        raise UsageError("scan needs fsspec and pyarrow; `pip install 'verifier[scan]'` has them") from None
    from verifier import scan

    config = common.settings()
    if not options.out and not config.found:
        raise UsageError("no verify.toml here or above, so there is no place for the tables; name one with --out, or run `verify init` first")
    out = options.out or str(config.root / "claims" / "scan")
    if options.open:
        common.need_root(config)
    dask = scan.Dask(options.scheduler, options.workers or 0) if options.scheduler or options.workers else None
    engine = dask or (scan.Here() if options.processes == 1 else scan.Pool(options.processes))
    try:
        with counting("documents") as step:
            done = scan.scan(options.paths, out, engine, settings=config, as_of=options.as_of, largest=options.largest,
                             text_column=options.text_column, name_column=options.name_column, step=step)  # fmt: skip
    finally:
        if dask:
            dask.close()
    opened = _open(options, config, out) if options.open else 0
    if options.format == "json":
        common.show({**asdict(done), "opened": opened, "out": out})
    else:
        _print(done, out)
    return _verdict(options, done, opened)


def _print(done: Summary, out: str) -> None:
    from verifier import scan

    for found in islice(scan.contradictions(out), SHOWN):
        print(f"{found.severity} {found.rule} {found.verdict}: {found.message}")
    if done.contradictions + done.undecided > SHOWN:
        print(f"… and {done.contradictions + done.undecided - SHOWN} more")
    for failure in done.failures[:SHOWN]:
        print(f"not read: {failure['document']}: {failure['error']}")
    if done.failed > SHOWN:
        print(f"… and {done.failed - SHOWN} more")
    print(f"Tables: {out}")


def _open(options: argparse.Namespace, config: Settings, out: str) -> int:
    """Records for what fails, document after document; the number of records opened."""
    from verifier import pipeline, scan
    from verifier.ledger import Ledger

    actor, now = common.actor(options.actor), common.moment()
    recheck = pipeline.due(config, common.today(config, options.as_of), now)
    opened = 0
    with Ledger.open(config.root, config.ledger_url, config.series) as ledger:
        for findings in (scan.failing(out), (f for f in scan.contradictions(out) if f.verdict == "fail")):
            for document, group in groupby(findings, key=lambda f: f.locations[0].document):
                recorded = ledger.record_run(list(group), document, run="scan", actor=actor, now=now, recheck_by=recheck)
                opened += sum(r.what == "opened" for r in recorded)
    return opened


def _verdict(options: argparse.Namespace, done: Summary, opened: int) -> common.Result:
    said = f"{done.documents} documents, {done.claims} claims, {sum(done.fails.values())} failing findings, {done.contradictions} contradictions"
    said += f" between documents; {done.failed} documents not read; {done.again} of {done.parts} parts were done before"
    said += f"; {opened} records opened" if options.open else ""
    severe = SEVERITIES[SEVERITIES.index(options.fail_on) :] if options.fail_on else ()
    if any(done.fails.get(s) for s in severe) or options.fail_on and done.contradictions:
        return ExitCode.AGAINST, f"{said}; failing at {options.fail_on} or above"
    if options.strict and (done.failed or not done.claims):
        return ExitCode.UNCHECKED, f"{said}; not everything could be checked"
    return ExitCode.CLEAN, said if done.claims else f"no claims found; {said}"
