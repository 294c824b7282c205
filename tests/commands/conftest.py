"""`verify …` within the test's own process: the same words, exit code and output, without a start each time."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from verifier.cli import main


@pytest.fixture
def verify(tmp_path, monkeypatch, capsys):
    """Run `verify …` in a scratch folder; gives returncode, out and err as a finished process would."""
    monkeypatch.delenv("VERIFY_LEDGER", raising=False)

    def run(*words, folder=None):
        monkeypatch.chdir(folder or tmp_path)
        capsys.readouterr()
        code = main(words)
        done = capsys.readouterr()
        return SimpleNamespace(returncode=code, out=done.out, err=done.err)

    return run
