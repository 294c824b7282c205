"""Shared by the tests: a folder with a verify.toml, and the program as a real process."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import settings

# The same examples each time, so that a check that passed passes again; VERIFY_EXPLORE=1 looks for new ones.
settings.register_profile("same", derandomize=True)
settings.register_profile("explore", max_examples=2000, deadline=None)
settings.load_profile("explore" if os.environ.get("VERIFY_EXPLORE") else "same")

ROOT = Path(__file__).parents[1]


@pytest.fixture
def verify(tmp_path):
    """Run `verify …` as a process in a scratch folder; returns the finished process."""

    def run(*words, folder=None, stdin=b""):
        env = {**os.environ, "PYTHONPATH": str(ROOT), "PYTHONIOENCODING": "utf-8"}
        env.pop("VERIFY_LEDGER", None)
        done = subprocess.run(
            [sys.executable, "-m", "verifier", *words], cwd=folder or tmp_path, env=env, input=stdin, capture_output=True, timeout=100
        )
        done.out, done.err = done.stdout.decode(), done.stderr.decode()
        return done

    return run


@pytest.fixture
def example(tmp_path):
    """A copy of examples/ to work in."""
    return Path(shutil.copytree(ROOT / "examples", tmp_path / "example"))
