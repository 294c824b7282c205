"""The token for GitHub: from the environment or from `gh`, never from a file and never written to one."""

from __future__ import annotations

import os
import subprocess

HOME = "https://api.github.com"


def token(address: str) -> str | None:
    """GITHUB_TOKEN, else GH_TOKEN, else what `gh auth token` says, which is asked for GitHub itself only."""
    given = os.environ.get("GITHUB_TOKEN") or os.environ.get("GH_TOKEN")
    if given or address.rstrip("/") != HOME:
        return given or None
    try:
        done = subprocess.run(["gh", "auth", "token"], capture_output=True, text=True, timeout=5, stdin=subprocess.DEVNULL)
    except (OSError, subprocess.SubprocessError):
        return None
    return done.stdout.strip() or None if done.returncode == 0 else None
