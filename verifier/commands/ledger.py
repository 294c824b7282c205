"""Check that database and mirror tell one story; rebuild the database from the mirror."""

from __future__ import annotations

import argparse

from verifier.commands import _common as common
from verifier.errors import ExitCode

EXAMPLE = "verify ledger check"


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("action", choices=("check", "rebuild"), help="what to do")
    common.formats(parser)


def handle(options: argparse.Namespace) -> common.Result:
    from verifier.ledger import Ledger

    config = common.need_root(common.settings())
    with Ledger.open(config.root, config.ledger_url, config.series, mend=False) as ledger:
        said = ledger.check() if options.action == "check" else ledger.rebuild()
    if options.format == "json":
        common.show({"action": options.action, "said": said})
    else:
        print("\n".join(said) or "in step")
    if said:
        return ExitCode.UNCHECKED, f"{len(said)} {'problems' if options.action == 'check' else 'events left out'}"
    return ExitCode.CLEAN, "database and mirror tell one story"
