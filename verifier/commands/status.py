"""One screen for cron: what is open and overdue, what is unverified, how old the evidence is, whether ledger and mirror are in step."""

from __future__ import annotations

import argparse
import hashlib
import json
from collections import Counter
from datetime import UTC, date, datetime, time
from pathlib import Path
from typing import TYPE_CHECKING, Any
from zoneinfo import ZoneInfo

from verifier.commands import _common as common
from verifier.commands._records import late
from verifier.errors import Diverged, ExitCode
from verifier.settings import Settings

if TYPE_CHECKING:
    from verifier.reports._history import Ran

EXAMPLE = "verify status --format json"
SHOWN = 10  # of a list on the screen


def arguments(parser: argparse.ArgumentParser) -> None:
    common.clock(parser)
    common.formats(parser)


def handle(options: argparse.Namespace) -> common.Result:
    config = common.need_root(common.settings())
    zone = ZoneInfo(config.timezone)
    now = datetime.combine(options.as_of, time(23, 59), zone) if options.as_of else common.moment().astimezone(zone)
    today = now.date().isoformat()
    state: dict[str, Any] = {
        "as_of": today,
        "open": None,
        "overdue": [],
        "unverified": [],
        "evidence": evidence(config.root, now.date()),
        "ledger": in_step(config),
    }
    try:
        state |= _asked(config, now)
    except Diverged as error:
        state["ledger"] = {"in_step": False, "problems": [str(error)]}
    if options.format == "json":
        common.show(state)
    else:
        print(screen(state))
    return _verdict(state)


def _asked(config: Settings, now: datetime) -> dict[str, Any]:
    from verifier.ledger import Ledger
    from verifier.reports._history import days_in, runs

    with Ledger.open(config.root, config.ledger_url, config.series) as ledger:
        records = ledger.brief(live=True)
        ran = runs(ledger.history(runs=True), days_in(ZoneInfo(config.timezone)))
    levels = Counter(r.severity or "none" for r in records)
    return {
        "open": dict(sorted(levels.items())),
        "overdue": [r.number for r in records if late(r, now.date().isoformat())],
        "unverified": unverified(config, ran, now),
    }


def unverified(config: Settings, ran: list[Ran], now: datetime) -> list[dict[str, str]]:
    """Briefings that no run has verified as they are now, and those that were due in the last week and did not come."""
    from verifier.reports._coverage import unanswered

    last = {r.document: r.run for r in ran}
    there = {p.relative_to(config.root).as_posix() for pattern in config.briefings for p in config.root.glob(pattern) if p.is_file()}
    found = []
    for name in sorted(there | last.keys()):
        path = config.root / name
        if not path.is_file():
            continue
        if name not in last:
            found.append({"document": name, "why": "no run has verified it"})
        elif hashlib.sha256(path.read_bytes()).hexdigest()[:12] != last[name]:
            found.append({"document": name, "why": "changed since its last run"})
    missing = [
        {"document": f"{d.expected.author} {d.expected.topic}".strip(), "why": f"due {d.day} {d.expected.time}"}
        for d in unanswered(config.schedule, ran, now)
    ]
    return found + missing


def evidence(root: Path, today: date) -> dict[str, Any]:
    """How many citations were looked up, and how many days ago the first and the last of their newest looks were."""
    newest = []
    folder = root / "claims" / "evidence"
    for path in sorted(folder.glob("*.jsonl")) if folder.is_dir() else ():
        looks = []
        for line in path.read_text(encoding="utf-8", errors="replace").splitlines():
            try:
                moment = datetime.fromisoformat(str(json.loads(line)["fetched_at"]))
                looks.append((moment if moment.tzinfo else moment.replace(tzinfo=UTC)).date())
            except (ValueError, KeyError, TypeError):
                continue
        newest += [max(looks)] if looks else []
    return {
        "citations": len(newest),
        "newest_days": (today - max(newest)).days if newest else None,
        "oldest_days": (today - min(newest)).days if newest else None,
    }


def in_step(config: Settings) -> dict[str, Any]:
    """Whether database and mirror held the same before anything was mended."""
    from verifier.ledger.glance import look

    try:
        if glance := look(config.root, config.ledger_url, config.series):
            with glance:
                return {"in_step": True, "problems": []}
    except Diverged as error:
        return {"in_step": False, "problems": [str(error)]}
    from verifier.ledger import Ledger

    with Ledger.open(config.root, config.ledger_url, config.series, mend=False) as ledger:
        problems = ledger.check()
    return {"in_step": not problems, "problems": problems}


def screen(state: dict[str, Any]) -> str:
    levels = state["open"]
    seen, step = state["evidence"], state["ledger"]
    some = [f"{u['document']} ({u['why']})" for u in state["unverified"]]
    lines = [
        f"open: {', '.join(f'{n} {level}' for level, n in levels.items()) or 'none' if levels is not None else 'unknown'}",
        f"overdue: {_short(state['overdue'])}",
        f"unverified: {_short(some)}",
        f"evidence: {seen['citations']} citations"
        + (f", looked up {seen['newest_days']} to {seen['oldest_days']} days ago" if seen["citations"] else ""),
        f"ledger: {'in step with its mirror' if step['in_step'] else '; '.join(step['problems'])}",
    ]
    return "\n".join(lines)


def _short(names: list[str]) -> str:
    return ", ".join(names[:SHOWN]) + (f" and {len(names) - SHOWN} more" if len(names) > SHOWN else "") or "none"


def _verdict(state: dict[str, Any]) -> common.Result:
    overdue, unverified = len(state["overdue"]), len(state["unverified"])
    if state["open"] is None:
        return ExitCode.UNCHECKED, "ledger and mirror tell different stories; `verify ledger check` explains"
    said = f"{sum(state['open'].values())} records open, {overdue or 'none'} overdue, {unverified or 'no'} briefings unverified"
    if overdue:
        return ExitCode.AGAINST, said
    return (ExitCode.UNCHECKED if unverified else ExitCode.CLEAN), said
