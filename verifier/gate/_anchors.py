"""What was anchored already, and what was there before the gate came: claims/anchored/<document>.jsonl and .baseline.json.

Both are text made for git: an anchor is one line and is never changed; a baseline only shrinks.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections import Counter
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from verifier.errors import UsageError
from verifier.gate._statements import Statement


def prints(statements: Sequence[Statement]) -> list[str]:
    """One fingerprint a statement: its words and its number, layout and place apart; equal ones are told apart by order."""
    seen: Counter[str] = Counter()
    found = []
    for s in statements:
        key = f"{s.words}\x1f{s.number}"
        seen[key] += 1
        found.append(hashlib.sha256(f"{key}\x1f{seen[key]}".encode()).hexdigest()[:20])
    return found


class Anchors:
    """The anchor events of one living document."""

    def __init__(self, root: Path, document: str):
        folder = root / "claims" / "anchored"
        self.document = document
        self.path, self.baseline_path = folder / f"{document}.jsonl", folder / f"{document}.baseline.json"

    def events(self) -> list[dict[str, Any]]:
        """All anchor events; a torn last line is passed over, another broken line raises UsageError."""
        try:
            lines = self.path.read_text(encoding="utf-8").split("\n")
        except FileNotFoundError:
            return []
        found = []
        for number, line in enumerate(lines, 1):
            try:
                found += [json.loads(line)] if line.strip() else []
            except ValueError:
                if number < len(lines):
                    raise UsageError(f"{self.path}:{number}: not a line of JSON; restore it from git") from None
        return found

    def known(self) -> set[str]:
        return {entry["print"] for event in self.events() for entry in event.get("claims", ())}

    def record(self, claims: Iterable[dict[str, Any]], *, actor: str, now: datetime, run: str, rules: str, evidence: str) -> dict[str, Any] | None:
        """Append one anchor event for the claims that have none; None where nothing is new."""
        known = self.known()
        fresh = [c for c in claims if c["print"] not in known]
        if not fresh:
            return None
        event = {"event": "anchor", "document": self.document, "at": now.astimezone(UTC).isoformat(timespec="seconds"), "actor": actor, "run": run,
                 "rules": rules, "evidence": evidence, "claims": fresh}  # fmt: skip
        event = {"id": hashlib.sha256(json.dumps(event, sort_keys=True, ensure_ascii=False).encode()).hexdigest()[:24], **event}
        self.path.parent.mkdir(parents=True, exist_ok=True)
        line = json.dumps(event, ensure_ascii=False) + "\n"
        handle = os.open(self.path, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o644)
        try:
            size = os.fstat(handle).st_size
            torn = size > 0 and os.pread(handle, 1, size - 1) != b"\n"
            os.write(handle, (("\n" if torn else "") + line).encode())
        finally:
            os.close(handle)
        return event

    def baseline(self) -> set[str]:
        try:
            data = json.loads(self.baseline_path.read_text(encoding="utf-8"))
            return {str(entry["print"]) for entry in data["claims"]}
        except FileNotFoundError:
            return set()
        except (ValueError, KeyError, TypeError):
            raise UsageError(f"{self.baseline_path}: not a baseline; restore it from git, or remove it and write it anew") from None

    def write_baseline(self, found: Sequence[dict[str, Any]]) -> tuple[int, int]:
        """(kept, left out): a first baseline takes all that was found, a later one only what it had."""
        old = self.baseline() if self.baseline_path.exists() else None
        kept = [f for f in found if old is None or f["print"] in old]
        self.baseline_path.parent.mkdir(parents=True, exist_ok=True)
        body = {"schema": "verify-baseline/1", "document": self.document, "claims": sorted(kept, key=lambda f: str(f["print"]))}
        self.baseline_path.write_text(json.dumps(body, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
        return len(kept), len(found) - len(kept)
