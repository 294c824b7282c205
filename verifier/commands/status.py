"""One screen for cron: what is open, what is overdue, how old the evidence is."""

import argparse
from collections import Counter

from verifier.commands import _common as common
from verifier.commands._records import late
from verifier.errors import ExitCode

EXAMPLE = "verify status --format json"


def arguments(parser: argparse.ArgumentParser) -> None:
    common.clock(parser)
    common.formats(parser)


def handle(options: argparse.Namespace) -> common.Result:
    config = common.need_root(common.settings())
    today = common.today(config, options.as_of).isoformat()
    with common.looked_at(config) as ledger:
        records = ledger.brief(live=True)
    overdue = [r.number for r in records if late(r, today)]
    levels = Counter(r.severity or "none" for r in records)
    folder = config.root / "claims" / "evidence"
    files = list(folder.glob("*.jsonl")) if folder.is_dir() else []
    state = {"as_of": today, "open": dict(sorted(levels.items())), "overdue": overdue, "evidence": len(files)}
    if options.format == "json":
        common.show(state)
    else:
        print(f"open: {', '.join(f'{n} {level}' for level, n in sorted(levels.items())) or 'none'}")
        print(f"overdue: {', '.join(overdue) or 'none'}")
        print(f"evidence: {len(files)} citations stored")
    if overdue:
        return ExitCode.AGAINST, f"{len(overdue)} records are overdue for a recheck"
    return ExitCode.CLEAN, f"{len(records)} records open, none overdue"
