"""What the formats for machines show of a run: failures and what could not be decided, each at its first place."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from typing import Literal

from verifier.models import Finding, Run

Level = Literal["error", "warning", "note"]
FAILING: dict[str, Level] = {"high": "error", "medium": "warning", "low": "note"}


def shown(runs: Sequence[Run]) -> Iterator[Finding]:
    """Findings that fail or are undecided, in order of run and place."""
    return (f for run in runs for f in run.findings if f.verdict in ("fail", "undecided", "error"))


def level(finding: Finding) -> Level:
    """Suppressed ones and what was there before are notes; what could not be decided warns only where it is grave."""
    if finding.suppressed or finding.baseline:
        return "note"
    if finding.verdict == "fail":
        return FAILING[finding.severity]
    return "warning" if finding.severity == "high" else "note"


def message(finding: Finding, lang: str) -> str:
    return finding.message_zh if lang == "zh" else finding.message


def working(finding: Finding, lang: str) -> tuple[str, ...]:
    """Findings of older runs have no Chinese working."""
    return finding.working_zh or finding.working if lang == "zh" else finding.working


def fix(finding: Finding, lang: str) -> str:
    return finding.fix_zh or finding.fix if lang == "zh" else finding.fix


def print_of(finding: Finding) -> str:
    """A fingerprint that is the same length whatever it was made of."""
    return hashlib.sha256(f"{finding.rule}\x1f{finding.fingerprint}".encode()).hexdigest()[:32]
