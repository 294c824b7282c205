"""A root with a git repository: a living document, a verified briefing, records in the ledger."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
from contextlib import redirect_stderr, redirect_stdout
from datetime import UTC, datetime
from pathlib import Path
from types import SimpleNamespace

import pytest

from verifier import pipeline
from verifier.cli import main
from verifier.ledger import Ledger
from verifier.settings import load

NOW = datetime(2026, 9, 27, 4, 0, tzinfo=UTC)
TODAY = "2026-09-28"


class Room:
    """One group's folder, and the gate on it."""

    def __init__(self, folder):
        self.folder = folder
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
        return self.verify("gate", *words, "--as-of", TODAY)

    def verify(self, *words, stdin=""):
        """The command in this process, which is faster than a new one; tests/test_cli.py starts real ones."""
        out, err, here, real = io.StringIO(), io.StringIO(), Path.cwd(), sys.stdin
        sys.stdin = io.StringIO(stdin)
        try:
            os.chdir(self.folder)
            with redirect_stdout(out), redirect_stderr(err):
                code = main(words)
        finally:
            os.chdir(here)
            sys.stdin = real
        return SimpleNamespace(returncode=code, out=out.getvalue(), err=err.getvalue())

    def judged(self, *words):
        """(exit code, {text: item}) of a gate run."""
        done = self.gate(*words, "--format", "json")
        assert done.returncode in (0, 1, 3), done.err + done.out
        return done.returncode, {i["text"]: i for r in json.loads(done.out) for i in r["items"]}


@pytest.fixture
def room(tmp_path, monkeypatch):
    monkeypatch.delenv("VERIFY_LEDGER", raising=False)
    folder = tmp_path / "room"
    folder.mkdir()
    return Room(folder)
