"""verify.toml: where the root is and what the group has decided."""

from __future__ import annotations

import os
import tomllib
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any, get_args

from verifier.errors import UsageError
from verifier.models import Severity

NAME = "verify.toml"

TEMPLATE = """\
# verify.toml marks the root of a group's documents; every setting below has this default.

# series = "D"                  # letter of the record numbers
# timezone = "Asia/Shanghai"    # "today" of gate and report
# block_from = "high"           # the gate blocks from this severity: low, medium, high
# recheck_days = 30             # a new record is due again after so many days
# ledger_url = "sqlite:///claims/ledger.db"   # or postgresql+psycopg://...; VERIFY_LEDGER outranks it
"""


@dataclass(frozen=True)
class Settings:
    root: Path
    found: bool = False
    series: str = "D"
    timezone: str = "Asia/Shanghai"
    block_from: Severity = "high"
    recheck_days: int = 30
    ledger_url: str | None = None
    arxiv_url: str = "https://export.arxiv.org/api/query"
    github_url: str = "https://api.github.com"


def load(start: Path) -> Settings:
    """Settings of the nearest verify.toml at or above `start`; defaults (found=False) without one."""
    start = start.resolve()
    env = os.environ.get("VERIFY_LEDGER")
    for folder in (start, *start.parents):
        path = folder / NAME
        if path.is_file():
            return _parse(path, env)
    return Settings(root=start, ledger_url=env)


def _parse(path: Path, env: str | None) -> Settings:
    try:
        data: dict[str, Any] = tomllib.loads(path.read_text(encoding="utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise UsageError(f"{path}: not valid TOML: {error}; `verify init` in an empty folder shows a valid one") from None
    known = {f.name: f for f in fields(Settings) if f.name not in ("root", "found")}
    for key, value in data.items():
        if key not in known:
            raise UsageError(f"{path}: unknown setting {key!r}; known: {', '.join(known)}")
        wanted = int if key == "recheck_days" else str
        if not isinstance(value, wanted):
            raise UsageError(f"{path}: {key} must be of type {wanted.__name__}, not {type(value).__name__}")
    if data.get("block_from", "high") not in get_args(Severity):
        raise UsageError(f"{path}: block_from must be low, medium or high, not {data['block_from']!r}")
    if env:
        data["ledger_url"] = env
    return Settings(root=path.parent, found=True, **data)
