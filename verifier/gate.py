"""The only file that decides whether an anchoring may pass. Offline and repeatable."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Literal

from verifier.compare import compare
from verifier.errors import ExitCode, UsageError
from verifier.models import LIVE, SEVERITIES, Claim, Discrepancy, Document, Finding
from verifier.settings import Settings

Answer = Literal["pass", "pass_with_caveat", "block", "could_not_check"]


@dataclass(frozen=True)
class GateItem:
    """The answer for one anchored claim, why, and what would clear it."""

    claim: Claim
    answer: Answer
    reason: str
    reason_zh: str
    discrepancy: str | None = None
    clears: str | None = None


@dataclass(frozen=True)
class GateResult:
    items: tuple[GateItem, ...]
    code: ExitCode


def judge(document: Document, claims: Sequence[Claim], records: Sequence[Discrepancy], verified: Sequence[Claim], findings: Sequence[Finding],
          settings: Settings, as_of: date, changed_lines: set[int] | None) -> GateResult:  # fmt: skip
    """Judge every world claim, or only those on `changed_lines`. Blocked (1) outranks could not check (3)."""
    level = SEVERITIES.index(settings.block_from)
    open_by_claim = {c: r for r in records if r.state in LIVE for c in r.claims}
    lines = document.text.split("\n")
    items = []
    for claim in claims:
        if changed_lines is not None and not changed_lines & set(range(claim.line, claim.end_line + 1)):
            continue
        failing = next(
            (f for f in findings if f.verdict == "fail" and not f.suppressed and claim.id in f.claims and SEVERITIES.index(f.severity) >= level), None
        )
        items.append(_item(claim, lines[claim.line - 1], failing, open_by_claim, verified, level, as_of))
    answers = {i.answer for i in items}
    code = ExitCode.AGAINST if "block" in answers else ExitCode.UNCHECKED if "could_not_check" in answers else ExitCode.CLEAN
    return GateResult(tuple(items), code)


def _item(
    claim: Claim, line: str, failing: Finding | None, open_by_claim: dict[str, Discrepancy], verified: Sequence[Claim], level: int, as_of: date
) -> GateItem:
    if failing:
        return GateItem(claim, "block", f"{failing.rule}: {failing.message}", f"{failing.rule}：{failing.message_zh}", clears=failing.fix)
    about = [v for v in verified if (v.subject, v.metric, v.form, v.unit) == (claim.subject, claim.metric, claim.form, claim.unit)]
    same = [v for v in about if v.numbers == claim.numbers or compare(v, claim).answer == "equal"]
    record = next((open_by_claim[v.id] for v in same if v.id in open_by_claim), None)
    if record:
        clears = f"verify d resolve {record.number} --resolution … --reason … --evidence …"
        late = bool(record.recheck_by and record.recheck_by < as_of.isoformat())
        if SEVERITIES.index(record.severity or "low") >= level or late or "~" in record.number:
            why = "its recheck is overdue" if late else f"it is {record.state} at {record.severity}"
            return GateItem(
                claim, "block", f"rests on {record.number}: {why}", f"所依据的 {record.number} 未决（{record.severity}）", record.number, clears
            )
        if re.search(rf"{record.number}(?!\d)", line):
            return GateItem(
                claim, "pass_with_caveat", f"{record.number} is open and the line says so", f"{record.number} 未决，行内已注明", record.number
            )
        return GateItem(claim, "block", f"{record.number} is open; the line must say so", f"{record.number} 未决，行内须注明", record.number,
                        f"add （{record.number} 待核） to the line, or {clears}")  # fmt: skip
    if not same:
        return GateItem(
            claim, "could_not_check", "no run has verified this claim", "尚无核验记录", clears="verify run BRIEFING, with the briefing it comes from"
        )
    if lost := _lost(claim, same):
        return GateItem(
            claim, "block", f"drift: the verified claim has {lost}, the anchored one has not", f"漂移：丢失 {lost}", clears=f"restore {lost}"
        )
    return GateItem(claim, "pass", "verified", "已核验")


def _lost(claim: Claim, same: Sequence[Claim]) -> str | None:
    """What every verified claim says and the anchored one dropped."""
    for name in ("bound", "statistic", "hedge"):
        values = {getattr(v, name) for v in same}
        if None not in values and getattr(claim, name) is None:
            return f"{name} {sorted(map(str, values))[0]}"
    return None


def changed_lines(path: Path, ref: str | None, staged: bool) -> set[int]:
    """Lines that a change adds or alters; a line that only moved is not a change. Raises UsageError without git."""
    command = ["git", "diff", "-U0", "--no-color", *(["--cached"] if staged else [ref or "HEAD"]), "--", path.name]
    try:
        done = subprocess.run(command, cwd=path.resolve().parent, capture_output=True, timeout=60)
    except (OSError, subprocess.SubprocessError) as error:
        raise UsageError(f"{path}: git could not be run ({error}); leave --diff and --staged out") from None
    if done.returncode:
        raise UsageError(f"{path}: git diff failed: {done.stderr.decode(errors='replace').strip()}; check the ref")
    added: list[tuple[int, str]] = []
    removed: set[str] = set()
    number = 0
    for line in done.stdout.decode(errors="replace").split("\n"):
        if found := re.match(r"@@ -\S+ \+(\d+)", line):
            number = int(found[1])
        elif line.startswith("+") and not line.startswith("+++"):
            added.append((number, " ".join(line[1:].split())))
            number += 1
        elif line.startswith("-") and not line.startswith("---"):
            removed.add(" ".join(line[1:].split()))
    return {n for n, text in added if text not in removed}
