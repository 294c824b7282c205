"""A root with a git repository: a living document, a verified briefing, records in the ledger."""

from __future__ import annotations

import json
import subprocess
from datetime import UTC, datetime

import pytest

from verifier import pipeline
from verifier.ledger import Ledger
from verifier.settings import load

NOW = datetime(2026, 9, 27, 4, 0, tzinfo=UTC)
TODAY = "2026-09-28"


class Room:
    """One group's folder, and the gate on it."""

    def __init__(self, folder, verify):
        self.folder, self._verify = folder, verify
        (folder / "verify.toml").write_text("", encoding="utf-8")
        self.git("init", "-q")

    def git(self, *words):
        done = subprocess.run(
            ["git", "-c", "user.name=t", "-c", "user.email=t@example.org", *words], cwd=self.folder, check=True, capture_output=True
        )
        return done.stdout.decode()

    def write(self, text, name="living.md"):
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        return path

    def commit(self, text, name="living.md"):
        self.write(text, name)
        self.git("add", "-A")
        self.git("commit", "-qm", "as it was", "--allow-empty")

    def verified(self, text, name="briefing.md"):
        self.write(text, name)
        return pipeline.run(str(self.folder / name), settings=load(self.folder), offline=True, now=NOW)

    def record(self, title, *, severity="medium", recheck_by="2026-12-30", resolve=None, **data):
        """Open a record under the next number; returns the number."""
        with Ledger.open(self.folder) as ledger:
            made = ledger.open_record(actor="t", now=NOW, title=title, severity=severity, recheck_by=recheck_by, documents=["living.md"], **data)
            if resolve:
                ledger.transition(made.number, "resolve", actor="t", now=NOW, **{"reason": "looked at", "evidence": "log", **resolve})
        return made.number

    def gate(self, *words):
        return self._verify("gate", *words, "--as-of", TODAY, folder=self.folder)

    def judged(self, *words):
        """(exit code, {text: item}) of a gate run."""
        done = self.gate(*words, "--format", "json")
        assert done.returncode in (0, 1, 3), done.err + done.out
        return done.returncode, {i["text"]: i for r in json.loads(done.out) for i in r["items"]}


@pytest.fixture
def room(tmp_path, verify):
    folder = tmp_path / "room"
    folder.mkdir()
    return Room(folder, verify)
