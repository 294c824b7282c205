"""Verify briefings: extract claims, judge them, open or carry D-records."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from verifier.commands import _common as common
from verifier.commands._progress import progress
from verifier.errors import ExitCode
from verifier.family import member, members
from verifier.models import SEVERITIES

if TYPE_CHECKING:
    from verifier.pipeline import Outcome

EXAMPLE = "verify run inbox/2026-09-27-briefing.md --offline"


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("paths", nargs="+", metavar="FILE", help="briefings; - reads standard input")
    parser.add_argument("--draft", action="store_true", help="record nothing")
    parser.add_argument("--offline", action="store_true", help="judge on stored evidence only")
    parser.add_argument("--budget", type=common.seconds, default=20.0, metavar="SECONDS", help="time for fetching (default: 20)")
    parser.add_argument("--fail-on", choices=SEVERITIES, help="exit 1 when a finding of this severity or above fails")
    parser.add_argument("--strict", action="store_true", help="exit 3 when something could not be checked")
    parser.add_argument("--lang", choices=("en", "zh"), default="en", help="language of the text")
    common.clock(parser)
    common.acting(parser)
    common.formats(parser, "text", *sorted(set(members("verifier.formats")) - {"text"}))


def handle(options: argparse.Namespace) -> common.Result:
    from verifier import pipeline
    from verifier.read import decode
    from verifier.settings import load

    stdin = common.stdin_for(options.paths)
    config = load(Path.cwd())
    for path in options.paths:  # all of them before the first is recorded
        decode(*pipeline.source(path, config.root, stdin))
    actor = common.actor(options.actor)
    with progress("asking arXiv and GitHub") as step:
        outcomes = [
            pipeline.run(path, settings=config, draft=options.draft, offline=options.offline, budget=options.budget,
                         as_of=options.as_of, actor=actor, now=common.moment(), stdin=stdin, step=step)
            for path in options.paths
        ]  # fmt: skip
    runs = [outcome.run for outcome in outcomes]
    print(member("verifier.formats", options.format).render(runs, lang=options.lang), end="")
    return verdict(options, outcomes, config.found)


def verdict(options: argparse.Namespace, outcomes: list[Outcome], found: bool) -> common.Result:
    """Exit code and its sentence: rule errors outrank conflicts and failures, these outrank the undecided."""
    runs = [outcome.run for outcome in outcomes]
    findings = [f for run in runs for f in run.findings if not f.suppressed]
    fails = [f for f in findings if f.verdict == "fail"]
    open_ = [f for f in findings if f.verdict in ("undecided", "error")]
    claims = sum(run.counts.claims for run in runs)
    opened = [d for run in runs for d in run.discrepancies if d.what == "opened"]
    seen = [d for run in runs for d in run.discrepancies if d.what == "seen_again"]
    conflicts = [d for run in runs for d in run.discrepancies if d.what == "conflict"]
    said = f"{claims} claims, {len(fails)} failing, {len(open_)} undecided; {len(opened)} records opened, {len(seen)} seen again"
    if not claims:
        said = "no claims found in it"
    if not any(run.recorded for run in runs):
        said += "; a draft, nothing recorded" + ("" if found else " (no verify.toml here or above: `verify init` makes one)")
    if errors := [e for outcome in outcomes for e in outcome.rule_errors]:
        return ExitCode.USAGE, f"{said}; rule error: {errors[0]}"
    if conflicts:
        return (
            ExitCode.AGAINST,
            f"{said}; {len(conflicts)} declared numbers mean something else in the ledger: {', '.join(c.number for c in conflicts)}",
        )
    if options.fail_on and any(SEVERITIES.index(f.severity) >= SEVERITIES.index(options.fail_on) for f in fails):
        return ExitCode.AGAINST, f"{said}; failing at {options.fail_on} or above"
    if options.strict and (open_ or not claims):
        return ExitCode.UNCHECKED, f"{said}; not everything could be checked"
    return ExitCode.CLEAN, said
