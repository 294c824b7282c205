"""Print the claims of a document, one JSON object a line; or its numbers, or its fields."""

import argparse
from pathlib import Path

from verifier.commands import _common as common
from verifier.errors import ExitCode
from verifier.models import Claim, to_json

EXAMPLE = "verify extract briefing.md --format jsonl"


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("paths", nargs="+", metavar="FILE", help="documents; - reads standard input")
    what = parser.add_mutually_exclusive_group()
    what.add_argument("--structure", action="store_true", help="the briefing's fields as JSON")
    what.add_argument("--numbers", action="store_true", help="every numeral with its class, also those set aside")
    common.formats(parser, "text", "jsonl", "json")


def handle(options: argparse.Namespace) -> common.Result:
    from verifier import pipeline
    from verifier.extract import extract
    from verifier.extract.compose import numbers
    from verifier.read.outline import outline

    stdin = common.stdin_for(options.paths)
    root = common.settings().root
    total = 0
    for path in options.paths:
        document = common.document(*pipeline.source(path, root, stdin))
        if options.structure:
            print(outline(document).model_dump_json(by_alias=True, indent=2))
            continue
        items = numbers(document.text) if options.numbers else extract(document)
        total += len(items)
        if options.format == "json":
            common.show(items)
            continue
        for item in items:
            print(_line(item, Path(path).name) if options.format == "text" and isinstance(item, Claim) else to_json(item))
    return ExitCode.CLEAN, "structure printed" if options.structure else f"{total} {'numbers' if options.numbers else 'claims'}"


def _line(claim: Claim, name: str) -> str:
    about = " · ".join(str(p) for p in (claim.subject, claim.metric, claim.statistic) if p)
    numbers = " → ".join(str(n) for n in claim.numbers)
    against = f" against {claim.baseline}" if claim.baseline else ""
    return f"{name}:{claim.line}:{claim.column}: {claim.form} {numbers} {claim.unit}  {about}{against}  | {claim.text}"
