"""Make this folder a root: write a commented verify.toml."""

import argparse
from pathlib import Path

from verifier.commands import _common as common
from verifier.errors import ExitCode, UsageError
from verifier.settings import NAME, TEMPLATE

EXAMPLE = "verify init"


def arguments(parser: argparse.ArgumentParser) -> None:
    common.formats(parser)


def handle(options: argparse.Namespace) -> common.Result:
    path = Path.cwd() / NAME
    if path.exists():
        raise UsageError(f"{path}: exists already; edit it, or remove it first")
    path.write_text(TEMPLATE, encoding="utf-8")
    if options.format == "json":
        common.show({"written": NAME})
    return ExitCode.CLEAN, f"wrote {NAME}; `verify run FILE` now records"
