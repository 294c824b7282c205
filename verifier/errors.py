"""The error tree and the exit codes.

VerifyError
├── UsageError      a file, flag or setting that cannot be used        exit 2
├── RuleError       a rule file that cannot be used                    exit 2
├── LedgerError     a transition that is refused, a ledger that cannot be used   exit 2
│   └── Diverged    ledger and mirror tell different stories           exit 3
└── Unavailable     a source that did not answer (never a verdict)     exit 3
"""

from __future__ import annotations

from enum import IntEnum


class ExitCode(IntEnum):
    """What a process ends with; USAGE outranks AGAINST outranks UNCHECKED."""

    CLEAN = 0
    AGAINST = 1
    USAGE = 2
    UNCHECKED = 3
    BUG = 70


class VerifyError(Exception):
    """One clear sentence: place, problem, way out."""

    code: ExitCode = ExitCode.USAGE


class UsageError(VerifyError):
    """A file, flag or setting that cannot be used."""


class RuleError(VerifyError):
    """A rule file that cannot be used; the message begins with path:line."""


class LedgerError(VerifyError):
    """A refused transition (naming what is missing or allowed) or an unusable ledger."""


class Diverged(LedgerError):
    """Ledger and mirror tell different stories; `verify ledger check` explains."""

    code = ExitCode.UNCHECKED


class Unavailable(VerifyError):
    """A source did not answer; what rests on it is undecided."""

    code = ExitCode.UNCHECKED
