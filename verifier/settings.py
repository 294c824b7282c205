"""verify.toml: where the root is and what the group has decided."""

from __future__ import annotations

import os
import re
import tomllib
from dataclasses import dataclass, fields, replace
from datetime import date, time
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any, get_args

from verifier.errors import UsageError
from verifier.models import Severity

NAME = "verify.toml"

TEMPLATE = """\
# verify.toml marks the root of a group's documents; every setting below has this default.

# series = "D"                  # letter of the record numbers
# timezone = "Asia/Shanghai"    # "today" of gate and report
# recheck_days = 30             # a new record is due again after so many days
# ledger_url = "sqlite:///claims/ledger.db"   # or postgresql+psycopg://...; VERIFY_LEDGER outranks it

# What may be anchored:
# living = []                   # living documents, such as ["organized/**/*.md"]; --staged without a FILE judges these
# block_from = "high"           # an open record or a failing finding blocks from this severity: low, medium, high
# block_rules = []              # rules or kinds whose failing findings block at any severity, such as ["derived", "PERF001"]
# pass_rules = []               # rules or kinds that never block
# require = []                  # rules or kinds that must be decided: undecided ones are "could not check"
# tolerance = 0.01              # a number may be rounded by this share without saying 约
# grace_days = 0                # days after its recheck date before an open record blocks
# caveat = ""                   # what must stand beside a claim with an open record, such as "（{number} 待核）";
#                               # empty: its number and a word such as 待核 or open
# reconcile = false             # arXiv and URL counts that a living document states must be right everywhere, not only where changed

# Which briefings are expected; `report` and `status` say which did not come:
# briefings = []                # where they lie, such as ["inbox/**/*.md"]; `status` names those that no run has verified

# [[schedule]]                  # one for each writer and topic
# author = "spark"
# topic = "llm-infra"           # left out: any
# time = "18:40"                # of the day, in the timezone above
# from = "2026-09-01"
# until = "2026-12-31"          # left out: still expected

# [[paths]]                     # other decisions for some paths; the last that matches counts
# match = "organized/notes/**"
# block_from = "medium"
"""

LONGEST = 3650  # days
LEDGER = r"sqlite:///\S.*|postgresql\+psycopg://\S+"
FORMS = {
    "series": (r"[A-Z]{1,4}", "one to four capital letters"),
    "ledger_url": (LEDGER, "sqlite:///PATH or postgresql+psycopg://USER@HOST/DATABASE"),
    "arxiv_url": (r"https?://\S+", "an address that begins with https://"),
    "github_url": (r"https?://\S+", "an address that begins with https://"),
}


@dataclass(frozen=True)
class Policy:
    """What may be anchored, for one path."""

    block_from: Severity = "high"
    block_rules: tuple[str, ...] = ()
    pass_rules: tuple[str, ...] = ()
    require: tuple[str, ...] = ()
    tolerance: float = 0.01
    grace_days: int = 0
    caveat: str = ""
    reconcile: bool = False

    def caveat_for(self, number: str) -> str:
        return (self.caveat or "（{number} 待核）").replace("{number}", number)


@dataclass(frozen=True)
class Expected:
    """A briefing that a writer owes each day, `since` to `until`, by a time of the day."""

    author: str
    topic: str
    time: str
    since: date
    until: date | None = None

    def on(self, day: date) -> bool:
        return self.since <= day and (self.until is None or day <= self.until)


@dataclass(frozen=True)
class Settings:
    root: Path
    found: bool = False
    series: str = "D"
    timezone: str = "Asia/Shanghai"
    recheck_days: int = 30
    ledger_url: str | None = None
    arxiv_url: str = "https://export.arxiv.org/api/query"
    github_url: str = "https://api.github.com"
    living: tuple[str, ...] = ()
    briefings: tuple[str, ...] = ()
    schedule: tuple[Expected, ...] = ()
    policy: Policy = Policy()
    paths: tuple[tuple[str, dict[str, Any]], ...] = ()

    @property
    def block_from(self) -> Severity:
        return self.policy.block_from

    def policy_for(self, path: str) -> Policy:
        """The decisions for a path relative to the root."""
        policy = self.policy
        for pattern, changed in self.paths:
            if matches(path, pattern):
                policy = replace(policy, **changed)
        return policy


def matches(path: str, pattern: str) -> bool:
    """Whether a path fits a pattern; `**` stands for any folders, also none."""
    return fnmatchcase(path, pattern) or "**/" in pattern and fnmatchcase(path, pattern.replace("**/", ""))


def load(start: Path) -> Settings:
    """Settings of the nearest verify.toml at or above `start`; defaults (found=False) without one."""
    start = start.resolve()
    env = os.environ.get("VERIFY_LEDGER") or None
    if env:
        _checked("VERIFY_LEDGER", "ledger_url", env, ("ledger_url",))
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
    policy_names = {f.name for f in fields(Policy)}
    known = [f.name for f in fields(Settings) if f.name not in ("root", "found", "policy", "paths", "schedule")]
    plain = {k: _checked(f"{path}: {k}", k, v, (*known, *policy_names)) for k, v in data.items() if k not in ("paths", "schedule")}
    schedule = data.get("schedule", [])
    if not isinstance(schedule, list) or not all(isinstance(entry, dict) for entry in schedule):
        raise UsageError(f"{path}: schedule must be written as [[schedule]] tables")
    expected = tuple(_expected(f"{path}: [[schedule]] {number}", entry) for number, entry in enumerate(schedule, 1))
    overrides = data.get("paths", [])
    if not isinstance(overrides, list) or not all(isinstance(entry, dict) for entry in overrides):
        raise UsageError(f"{path}: paths must be written as [[paths]] tables")
    paths = []
    for number, entry in enumerate(overrides, 1):
        where = f"{path}: [[paths]] {number}"
        if not isinstance(entry.get("match"), str):
            raise UsageError(f'{where}: needs match, such as match = "organized/**"')
        changed = {k: _checked(f"{where}: {k}", k, v, sorted(policy_names)) for k, v in entry.items() if k != "match"}
        paths.append((entry["match"], changed))
    policy = Policy(**{k: v for k, v in plain.items() if k in policy_names})
    rest = {k: v for k, v in plain.items() if k not in policy_names}
    if env:
        rest["ledger_url"] = env
    return Settings(root=path.parent, found=True, policy=policy, paths=tuple(paths), schedule=expected, **rest)


def _zone(where: str, name: str) -> None:
    from zoneinfo import ZoneInfo

    try:
        ZoneInfo(name)
    except (ValueError, OSError, LookupError):
        raise UsageError(f"{where}: no time zone is called {name!r}; such as Asia/Shanghai or UTC") from None


def _expected(where: str, entry: dict[str, Any]) -> Expected:
    """One [[schedule]] table; its days may be written as TOML dates or as texts."""
    if unknown := sorted(entry.keys() - {"author", "topic", "time", "from", "until"}):
        raise UsageError(f"{where}: {unknown[0]}: unknown setting; known: author, topic, time, from, until")
    told = {k: str(v) for k, v in entry.items() if isinstance(v, str | date | time)}
    if wrong := sorted(entry.keys() - told.keys()):
        raise UsageError(f"{where}: {wrong[0]}: must be a text, not {entry[wrong[0]]!r}")
    for name, such in (("author", "spark"), ("time", "18:40"), ("from", "2026-09-01")):
        if not told.get(name):
            raise UsageError(f'{where}: needs {name}, such as {name} = "{such}"')
    if not re.fullmatch(r"([01]\d|2[0-3]):[0-5]\d(:00)?", told["time"]):
        raise UsageError(f"{where}: time: must be a time of day such as 18:40, not {told['time']!r}")
    days: dict[str, date] = {}
    for name in ("from", "until"):
        try:
            days |= {name: date.fromisoformat(told[name])} if name in told else {}
        except ValueError:
            raise UsageError(f"{where}: {name}: must be a day such as 2026-09-01, not {told[name]!r}") from None
    return Expected(told["author"], told.get("topic", ""), told["time"][:5], days["from"], days.get("until"))


def _checked(where: str, key: str, value: Any, known: Any) -> Any:
    """The value as its setting takes it. Raises UsageError saying what it should be."""
    if key not in known:
        raise UsageError(f"{where}: unknown setting; known: {', '.join(known)}")
    if key in ("living", "briefings", "block_rules", "pass_rules", "require"):
        if not isinstance(value, list) or not all(isinstance(v, str) and v for v in value):
            raise UsageError(f"{where}: must be a list of texts, not {value!r}")
        return tuple(value)
    if key in ("recheck_days", "grace_days"):
        if type(value) is not int or not 0 <= value <= LONGEST:
            raise UsageError(f"{where}: must be a number of days from 0 to {LONGEST}, not {value!r}")
    elif key == "tolerance":
        if type(value) not in (int, float) or not 0 <= value < 1:
            raise UsageError(f"{where}: must be a share from 0 to below 1, such as 0.01, not {value!r}")
    elif key == "reconcile":
        if type(value) is not bool:
            raise UsageError(f"{where}: must be true or false, not {value!r}")
    elif not isinstance(value, str):
        raise UsageError(f"{where}: must be a text, not {value!r}")
    elif key in FORMS and not re.fullmatch(FORMS[key][0], value):
        raise UsageError(f"{where}: must be {FORMS[key][1]}, not {value!r}")
    elif key == "timezone":
        _zone(where, value)
    if key == "block_from" and value not in get_args(Severity):
        raise UsageError(f"{where}: must be low, medium or high, not {value!r}")
    if key == "caveat" and value and "{number}" not in value:
        raise UsageError(f"{where}: must hold {{number}}, such as （{{number}} 待核）, not {value!r}")
    return value
