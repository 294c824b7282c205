"""The documents tell the truth: paths exist, targets are listed, nothing names a registry."""

from __future__ import annotations

import re
import subprocess

from conftest import ROOT


def test_every_path_that_the_architecture_names_exists():
    named = re.findall(r"`((?:verifier|rules|tests|docs)/[\w./-]*|pyproject\.toml)`", (ROOT / "ARCHITECTURE.md").read_text())
    assert len(named) > 12
    assert [p for p in named if not (ROOT / p).exists()] == []


def test_make_help_lists_every_target():
    targets = set(re.search(r"\.PHONY: (.*)", (ROOT / "Makefile").read_text())[1].split())
    listed = subprocess.run(["make", "help"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    assert targets <= {line.split()[0] for line in listed.splitlines()}


def test_the_lock_pins_hashes_and_names_no_host():
    lock = (ROOT / "requirements.lock").read_text()
    assert "--hash=sha256:" in lock and "://" not in lock


def test_the_licence_is_named():
    assert "Apache License" in (ROOT / "LICENSE").read_text()
