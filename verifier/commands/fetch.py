"""Fetch metadata of the papers and releases that a document cites, and store it as evidence."""

import argparse

from verifier.commands import _common as common
from verifier.commands._progress import progress
from verifier.errors import ExitCode

EXAMPLE = "verify fetch briefing.md --budget 60"


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("paths", nargs="+", metavar="FILE", help="documents; - reads standard input")
    parser.add_argument("--budget", type=common.seconds, default=60.0, metavar="SECONDS", help="give up after this time (default: 60)")
    common.formats(parser)


def handle(options: argparse.Namespace) -> common.Result:
    from verifier import pipeline
    from verifier.extract import extract
    from verifier.sources import citations

    config = common.need_root(common.settings())
    stdin = common.stdin_for(options.paths)
    wanted: dict[str, None] = {}
    for path in options.paths:
        document = common.document(*pipeline.source(path, config.root, stdin))
        wanted.update(dict.fromkeys(citations(document, extract(document))))
    with progress("asking arXiv and GitHub") as step:
        looks = pipeline.look_up(list(wanted), config, options.budget, step)
    failed = [look for look in looks if look.outcome == "failed"]
    if options.format == "json":
        common.show(looks)
    else:
        for look in looks:
            print(f"{look.outcome:7} {look.citation}{f'  {look.reason}' if look.reason else ''}")
    said = f"{len(wanted)} citations, {len(looks)} looked up, {len(failed)} without an answer"
    return (ExitCode.UNCHECKED if failed or len(looks) < len(wanted) else ExitCode.CLEAN), said
