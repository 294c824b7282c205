"""What several commands share: options, the clock, who acts."""

from __future__ import annotations

import argparse
import json
import os
import re
import sys
from collections.abc import Iterable
from datetime import UTC, date, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any
from zoneinfo import ZoneInfo

from verifier.errors import UsageError
from verifier.models import Model
from verifier.settings import Settings, load

if TYPE_CHECKING:
    from verifier.ledger.glance import Readable
    from verifier.models import Document

Result = tuple[int, str]


def a_day(text: str) -> date:
    """A day as written in full, of a year that dates can be counted from."""
    try:
        if re.fullmatch(r"(19|2\d)\d\d-\d\d-\d\d", text, re.A):
            return date.fromisoformat(text)
    except ValueError:
        pass
    raise argparse.ArgumentTypeError(f"{text!r} is not a day such as 2026-09-27")


def seconds(text: str) -> float:
    try:
        if 0 <= (value := float(text)) < 86400:
            return value
    except ValueError:
        pass
    raise argparse.ArgumentTypeError(f"{text!r} is not a number of seconds such as 20")


def formats(parser: argparse.ArgumentParser, *words: str) -> None:
    parser.add_argument(
        "--format", choices=words or ("text", "json"), default=(words or ("text",))[0], help="shape of the output (default: %(default)s)"
    )


def clock(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--as-of", type=a_day, metavar="DAY", help="judge as of this day (2026-09-27)")


def acting(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--as", dest="actor", metavar="NAME", help="who acts (default: the git user)")


def settings() -> Settings:
    return load(Path.cwd())


def today(config: Settings, given: date | None) -> date:
    return given or datetime.now(ZoneInfo(config.timezone)).date()


def moment() -> datetime:
    return datetime.now(UTC)


def actor(given: str | None) -> str:
    """--as, else git's user.name, else the login name."""
    if given:
        return given
    import subprocess

    try:
        name = subprocess.run(["git", "config", "user.name"], capture_output=True, text=True, timeout=5).stdout.strip()
    except (OSError, subprocess.SubprocessError):
        name = ""
    return name or os.environ.get("USER") or "unknown"


def stdin_for(paths: Iterable[str]) -> bytes | None:
    return sys.stdin.buffer.read() if "-" in paths else None


def document(data: bytes, name: str) -> Document:
    """Read a document; what was broken in it is told on standard error."""
    from verifier.read import read

    made = read(data, name)
    for warning in made.warnings:
        print(f"verify: {warning}", file=sys.stderr)
    return made


def need_root(config: Settings) -> Settings:
    if not config.found:
        raise UsageError(f"{config.root}: no verify.toml here or above, so there is no ledger; run `verify init` first")
    return config


def looked_at(config: Settings) -> Readable:
    """The folder's ledger, for a reader."""
    from verifier.ledger.glance import look_or_open

    return look_or_open(config.root, config.ledger_url, config.series)


def show(value: Any) -> None:
    """Print as JSON: models by their published aliases."""

    def plain(item: Any) -> Any:
        if isinstance(item, Model):
            return item.model_dump(mode="json", by_alias=True)
        if isinstance(item, dict):
            return {key: plain(v) for key, v in item.items()}
        if isinstance(item, (list, tuple)):
            return [plain(v) for v in item]
        return item

    print(json.dumps(plain(value), ensure_ascii=False))
