"""Print the published JSON schema of a type, or write them all."""

import argparse
import json
from pathlib import Path

from verifier.commands import _common as common
from verifier.errors import ExitCode, UsageError

EXAMPLE = "verify schema run"


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("type", nargs="?", help="claim, finding, run, …; without it the names are listed")
    parser.add_argument("--out", metavar="FOLDER", help="write every schema as a file there")
    common.formats(parser)


def document(name: str) -> dict[str, object]:
    """The JSON schema (draft 2020-12) of one published type, as it is written."""
    from verifier.models import PUBLISHED, SCHEMA
    from verifier.read.outline import Outline

    if name not in PUBLISHED:
        raise UsageError(f"unknown type {name!r}; known: {', '.join(PUBLISHED)}")
    published = Outline if name == "structure" else PUBLISHED[name]  # what `extract --structure` prints
    schema = published.model_json_schema(by_alias=True, mode="serialization")
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", "$id": f"{SCHEMA}/{name}", **schema}


def handle(options: argparse.Namespace) -> common.Result:
    from verifier.models import PUBLISHED

    if options.out:
        folder = Path(options.out)
        folder.mkdir(parents=True, exist_ok=True)
        for name in PUBLISHED:
            text = json.dumps(document(name), ensure_ascii=False, indent=2) + "\n"
            (folder / f"{name}.json").write_text(text, encoding="utf-8")
        return ExitCode.CLEAN, f"wrote {len(PUBLISHED)} schemas to {options.out}"
    if options.type:
        print(json.dumps(document(options.type), ensure_ascii=False, indent=2))
    elif options.format == "json":
        common.show(list(PUBLISHED))
    else:
        print("\n".join(PUBLISHED))
    return ExitCode.CLEAN, "printed"
