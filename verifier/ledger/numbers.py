"""How a record is called: D188, or D~3f9ac1 where the database at hand does not hand out numbers."""

from __future__ import annotations

import hashlib
import re
from functools import lru_cache

from verifier.errors import LedgerError

LAST = 2**31 - 1  # provisional numbers sort behind all others
RUNS = "run"  # a series of records has capital letters
SHAPE = re.compile(r"([^\d\s~./\\]+)(?:([1-9]\d{0,8})|~([0-9a-f]{4,16}))")
FILE = re.compile(r"([^\d\s~./\\]+)(?:0*([1-9]\d{0,8})|~([0-9a-f]{4,16}))\.jsonl")


@lru_cache(1024)
def _parts(number: str) -> tuple[str, str | None, str | None]:
    found = SHAPE.fullmatch(number)
    if found is None:
        raise LedgerError(f"{number}: not a record's number; such as D188, or D~3f9ac1 while it is provisional")
    return found[1], found[2], found[3]


def order(number: str) -> int:
    """Where the record stands among all; raises LedgerError for what is no number."""
    _, n, _ = _parts(number)
    return int(n) if n else LAST


def series(number: str) -> str:
    return _parts(number)[0]


def is_provisional(number: str) -> bool:
    return "~" in number


def provisional(series: str, *basis: str) -> str:
    """A number that another clone does not make as well; `basis` tells this database and what is recorded."""
    return f"{series}~{hashlib.sha256(chr(31).join(basis).encode()).hexdigest()[:6]}"


def run_log(document: str) -> str:
    """Under this name the log, and so the mirror, keeps the runs on a document: a run is an event too, of no record."""
    return f"{RUNS}~{hashlib.sha256(document.encode()).hexdigest()[:10]}"


def is_run_log(number: str) -> bool:
    return number.startswith(f"{RUNS}~")


def file_of(number: str) -> str:
    """The name of the record's file in the mirror."""
    letters, n, digits = _parts(number)
    return f"{letters}{int(n):04d}.jsonl" if n else f"{letters}~{digits}.jsonl"


def of_file(name: str) -> str | None:
    """The record whose file has this name; None where it is no record's."""
    found = FILE.fullmatch(name)
    number = found and (f"{found[1]}{found[2]}" if found[2] else f"{found[1]}~{found[3]}")
    return number if number and file_of(number) == name else None
